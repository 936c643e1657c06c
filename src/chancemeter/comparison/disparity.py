"""How far apart a measure is between groups of cases: the statistics of fairness audits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Values, as_counts
from chancemeter.errors import Fault, InputError, shorten
from chancemeter.registry import get
from chancemeter.tables import Table


@dataclass(frozen=True, eq=False)
class Disparity:
    """The ends of a measure among groups; arrays where the measure has a value for each class."""

    measure: str
    groups: int
    """How many groups there are; those where the measure is undefined are left out."""
    lowest: Values
    highest: Values
    difference: Values
    ratio: Values
    """The lowest over the highest: 1 where all groups are treated alike."""


def disparity(measure: str, table: Table, axis: str = "group") -> Disparity:
    """The measure of each entry of `axis`, and how far its ends are apart.

    ``disparity("bias", …)`` is what others call demographic parity, ``"recall"`` equal
    opportunity; the larger gap of ``"recall"`` and ``"false_alarms"`` equalized odds.

    >>> from chancemeter import table
    >>> two = table([[[40, 10], [5, 45]], [[30, 20], [5, 45]]], axes={"group": ["a", "b"]})
    >>> found = disparity("recall", two)
    >>> found.difference.round(2), found.ratio.round(2)
    (array([0.2, 0. ]), array([0.75, 1.  ]))
    """
    if axis not in table.axes:
        what = f"there is no axis {axis!r}"
        raise InputError(Fault("CM204", what, saw=shorten(table.axes) or "no axis"))
    m, place = get(measure), list(table.axes).index(axis)
    values = np.moveaxis(m.values(as_counts(table)), place, 0)
    if len(values) < 2 or (known := ~np.isnan(values)).sum(0).min() < 2:
        what = f"{m.key} is known of fewer than two entries of {axis!r}"
        raise InputError(Fault("CM504", what, saw=shorten(map(str, table.axes[axis]))))
    low = np.where(known, values, np.inf).min(0)
    high = np.where(known, values, -np.inf).max(0)
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.asarray(low / high)
    return Disparity(m.key, len(values), low, high, np.asarray(high - low), ratio)

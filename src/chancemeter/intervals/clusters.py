"""Limits where cases come in groups: patients, documents, photographs.

The cases of a group resemble each other, so there is less to learn from them than from as many
independent ones. What counts is how much each whole group moves the measure.
"""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np

from chancemeter.counts import Counts, Values, as_floats
from chancemeter.errors import Fault, InputError
from chancemeter.influence import gradients
from chancemeter.intervals.shares import Limits
from chancemeter.intervals.smooth import Seen, between_ends, pseudo_cases, reach, within
from chancemeter.registry import Measure
from chancemeter.sparse import SparseTable
from chancemeter.tables import Table
from chancemeter.tables import table as make_table

#: With fewer groups than this, intervals are a guess.
FEW_GROUPS = 10


def groups_of(table: Table | SparseTable) -> Table:
    """The same with the groups as the first axis; groups without cases left out."""
    if isinstance(table, SparseTable) or "group" not in table.axes:
        fix = "read with group=…, or name an axis: chancemeter.table(stack, axes={'group': …})"
        raise InputError(Fault("CM204", "there are no groups", fix=fix))
    place = list(table.axes).index("group")
    counts = np.moveaxis(table.counts, place, 0)
    filled = np.flatnonzero(counts.reshape(len(counts), -1).any(1))
    if len(filled) < 2:
        fix = "take the cases as they are: .pool('group'), if they are independent"
        raise InputError(
            Fault("CM504", "groups are compared with each other", saw="one group", fix=fix)
        )
    names = tuple(table.axes["group"][i] for i in filled)
    rest = {name: entries for name, entries in table.axes.items() if name != "group"}
    return Table(counts[filled], table.labels, {"group": names, **rest})


def whole(table: Table) -> Table:
    """A table of groups or of folds as one table; any other as it is."""
    axes = list(table.axes)
    return table.pool(*axes) if axes in (["group"], ["fold"]) else table


def given_and_whole(table: Any, purpose: str) -> tuple[Table | SparseTable, Table | SparseTable]:
    """What was given as a table, groups apart and put together; stacks of others are refused."""
    if isinstance(table, SparseTable):
        return table, table
    given = table if isinstance(table, Table) else make_table(table)
    found = whole(given)
    if found.counts.ndim != 2:
        fix = "select or pool the axes, or call a measure on the stack: chancemeter.kappa(stack)"
        raise InputError(Fault("CM204", f"{purpose} of one table", saw=repr(found), fix=fix))
    return given, found


def cluster_error(m: Measure[...], groups: Table) -> tuple[Values, Values]:
    """The value of all groups after pseudo-cases, and its standard error between groups."""
    stack = as_floats(groups.counts)
    seen = Seen(Counts(stack.sum(0)))
    mass = pseudo_cases(seen.k)
    smooth = seen.plus(mass, m)
    by = gradients([m], smooth)[0].cells
    classes = by.ndim - stack.ndim + 1
    moved = (np.expand_dims(stack, tuple(range(-2 - classes, -2))) * by).sum((-2, -1))
    several = len(stack)
    between = several / (several - 1) * np.square(moved - moved.mean(0)).sum(0)
    pseudo = mass / seen.k**2 * np.square(by).sum((-2, -1))
    return m.values(smooth), np.sqrt(between + pseudo)


def cluster(m: Measure[...], groups: Table, level: float) -> Limits:
    """So many standard errors between groups to each side, by Student's t.

    Few groups of uneven quality make for a skewed spread, so it is on the logit where there is.
    """
    way = between_ends if np.isfinite(m.card.range).all() else reach
    return within(m, *way(m, *cluster_error(m, groups), _t(level, len(groups.counts))))


def wider(level: float, groups: int) -> float:
    """The middle share of drawn values that holds `level`, for few groups (Hesterberg 2015).

    Drawing with replacement sees a spread that is too narrow, and no Student's t.

    >>> round(wider(0.95, 10), 4), round(wider(0.95, 1000), 4)
    (0.9829, 0.9504)
    """
    z = _t(level, groups) * np.sqrt(groups / (groups - 1))
    return 2 * NormalDist().cdf(float(z)) - 1


def _t(level: float, groups: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(groups - 1, (1 + level) / 2))

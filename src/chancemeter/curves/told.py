"""What to say of a curve: where a measure is best, what the threshold in use makes of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.curves.curve import Curve
from chancemeter.curves.spaces import Cells
from chancemeter.errors import ChancemeterError, Fault, InputError
from chancemeter.figures import json_number, number
from chancemeter.intervals.choose import interval
from chancemeter.registry import Measure, get
from chancemeter.tables import plain

#: A threshold is blamed if another makes this much more of the measure, and surely some more.
_MUCH = 0.05
_DRAWS = 4000


@dataclass(frozen=True, eq=False)
class Told:
    """The best threshold for a measure and the one in use."""

    measure: Measure[...]
    best: float
    """The threshold."""
    value: float
    """Of the measure there."""
    table: Array
    in_use: float | None
    value_in_use: float
    more: tuple[float, float]
    """How much more the best threshold makes, with a 95 % interval, on the cases it was chosen on."""
    auc: float

    @property
    def threshold_is_at_fault(self) -> bool:
        """Whether the peak is far above what the threshold in use makes."""
        return abs(self.value - self.value_in_use) > _MUCH and self.more[0] > 0

    @property
    def sentence(self) -> str:
        """What to think of it; empty if nothing stands out."""
        if not self.threshold_is_at_fault or self.in_use is None:
            return ""
        key = self.measure.key
        ends = (
            f" At {_short(self.in_use)} {key} is {number(self.value_in_use)}, at {_short(self.best)} "
            f"it is {number(self.value)} on these cases, which flatter a threshold chosen on them."
        )
        return "The ranking is usable, the threshold is not." + ends

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, fit for JSON."""
        return {
            "measure": self.measure.key,
            "best": json_number(self.best),
            "value": json_number(self.value),
            "table": self.table.tolist(),
            "in_use": None if self.in_use is None else json_number(self.in_use),
            "value_in_use": json_number(self.value_in_use),
            "more": [json_number(x) for x in self.more],
            "sentence": self.sentence,
        }


#: What sums up a curve, and what to call it.
SCALARS = {
    "auc": "AUC",
    "auch": "AUC of the hull",
    "auk": "AUK",
    "auk_max": "AUK at most",
    "average_precision": "average precision",
    "h": "H-measure",
    "ks": "largest TPR − FPR",
}


def limits_of(c: Curve, key: str, level: float = 0.95) -> tuple[float, float] | None:
    """The interval of a scalar; None where there is none."""
    try:
        low, high = interval(key, c, level=level).limits
    except ChancemeterError:
        return None
    return (float(low), float(high)) if low < high else None


def summed_up(c: Curve, told: Told) -> dict[str, Any]:
    """A curve in plain numbers, without its points."""
    return {
        "n": json_number(c.total),
        "positive": plain(c.labels[0]),
        "direction": c.direction,
        "prevalence": c.prevalence,
        "thresholds": len(c),
        "scalars": {key: json_number(float(getattr(c, key))) for key in SCALARS},
        "intervals": {
            key: [json_number(x) for x in found]
            for key in SCALARS
            if (found := limits_of(c, key)) is not None
        },
        "threshold": told.to_dict(),
        "notes": list(c.notes),
    }


def tell(
    curve: Curve,
    threshold: float | None = None,
    measure: str | Measure[...] = "kappa",
    seed: int = 0,
) -> Told:
    """The best threshold for `measure` beside the one in use: 0.5 for scores from 0 to 1.

    >>> from chancemeter import curve
    >>> c = curve([0] * 90 + [1] * 10, [i / 400 for i in range(100)])
    >>> print(tell(c).sentence)
    The ranking is usable, the threshold is not. At 0.5 kappa is 0.000, at 0.225 it is 1.000 on \
these cases, which flatter a threshold chosen on them.
    """
    m = get(measure) if isinstance(measure, str) else measure
    if threshold is None and curve.is_probability:
        threshold = 0.5
    values = curve[m] * (-1 if m.card.direction == "lower" else 1)
    if np.isnan(values).all():
        fix = "take another measure"
        raise InputError(Fault("CM304", f"{m.key} is undefined at every threshold", fix=fix))
    i = int(np.nanargmax(values))
    used = None if threshold is None else curve.place_of(threshold)
    value = float(curve[m][i])
    in_use = float("nan") if used is None else float(curve[m][used])
    more = (np.nan, np.nan) if used is None else _more(curve, i, used, m, seed)
    table = curve.stack[i]
    return Told(m, float(curve.thresholds[i]), value, table, threshold, in_use, more, curve.auc)


def _more(curve: Curve, a: int, b: int, m: Measure[...], seed: int) -> tuple[float, float]:
    """Limits of the difference of two thresholds: what lies before, between and behind is drawn."""
    rng = np.random.default_rng(seed)
    ends = [0, *sorted((a, b)), len(curve) - 1]
    steps = np.stack([np.diff(curve.tp[ends]), np.diff(curve.fp[ends])]).astype(float)
    drawn = rng.standard_gamma(steps + 1 / 3, (_DRAWS, 2, 3))
    sums = drawn.cumsum(-1)
    first, second = (sums[..., int(x > min(a, b))] for x in (a, b))
    whole = sums[..., -1]
    values = []
    for found in (first, second):
        cells = Cells(
            found[:, 0], whole[:, 0] - found[:, 0], found[:, 1], whole[:, 1] - found[:, 1]
        )
        v = np.asarray(m(np.maximum(cells.stack, 0)))
        values.append(v[:, 0] if v.ndim > 1 else v)
    low, high = np.nanquantile(values[0] - values[1], [0.025, 0.975])
    return float(low), float(high)


def _short(x: float) -> str:
    return f"{x:.4g}"

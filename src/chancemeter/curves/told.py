"""What to say of a curve: what sums it up, where a measure is best, what the threshold in use does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from chancemeter.curves.curve import Curve
from chancemeter.curves.thresholds import Threshold, best_threshold
from chancemeter.errors import ChancemeterError
from chancemeter.figures import json_number, number
from chancemeter.intervals.choose import interval
from chancemeter.tables import plain

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
#: How often the search for the best threshold is repeated.
_DRAWS = 200


@dataclass(frozen=True, eq=False)
class Told:
    """The best threshold for a measure, and the one in use."""

    chosen: Threshold
    in_use: float | None
    value_in_use: float

    @property
    def sentence(self) -> str:
        """Said where the peak is far above what the threshold in use makes; else empty."""
        found = [x for x in self.chosen.notes if x.startswith("the ranking is usable")]
        if not found:
            return ""
        elsewhere = f"about {number(self.chosen.honest)} on other cases"
        return f"{found[0][0].upper()}{found[0][1:]}, {elsewhere}."

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, fit for JSON."""
        return {
            **self.chosen.to_dict(),
            "in_use": None if self.in_use is None else json_number(self.in_use),
            "value_in_use": json_number(self.value_in_use),
            "sentence": self.sentence,
        }


def tell(c: Curve, used: float | None = None, measure: str = "kappa") -> Told:
    """The best threshold for `measure` beside the one in use: 0.5 for scores from 0 to 1.

    >>> from chancemeter import curve
    >>> c = curve([0] * 90 + [1] * 10, [i / 400 for i in range(100)])
    >>> print(tell(c).sentence)
    The ranking is usable, the threshold is not: kappa is 0.000 at 0.5 and 1.000 at its peak, \
about 0.965 on other cases.
    """
    if used is None and c.is_probability:
        used = 0.5
    chosen = best_threshold(c, measure, used=used, draws=_DRAWS)
    value = float("nan") if used is None else float(c[measure][c.place_of(used)])
    return Told(chosen, used, value)


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

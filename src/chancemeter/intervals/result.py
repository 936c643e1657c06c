"""An interval as a result: the value, its limits, how they were found, and what to know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.display import Shown
from chancemeter.figures import json_number, number


@dataclass(frozen=True, eq=False, repr=False)
class Interval(Shown):
    """A value with its limits; arrays for a stack of tables or a measure of classes.

    >>> from chancemeter import interval
    >>> interval("kappa", [[20, 5], [10, 15]])
    kappa 0.400 [0.127, 0.614] (95%, smoothed)
    """

    measure: str
    value: Any
    low: Any
    high: Any
    level: float
    method: str
    signature: str
    """Everything that is needed to get the same numbers again."""
    notes: tuple[str, ...] = ()
    """What a reader should know before trusting the limits."""
    undefined: Any = None
    """The `Reason` why there is no value (an array of them for arrays), or None."""

    @property
    def limits(self) -> tuple[Any, Any]:
        """Both limits."""
        return self.low, self.high

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        return {
            "measure": self.measure,
            "value": _plain(self.value),
            "interval": [_plain(self.low), _plain(self.high)],
            "level": self.level,
            "method": self.method,
            "signature": self.signature,
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        """One line; several for arrays of a few values."""
        values, lows, highs = map(np.ravel, (self.value, self.low, self.high))
        how = f"({100 * self.level:.6g}%, {self.method})"
        lines = [
            f"{number(x)} {in_brackets(a, b)}" for x, a, b in zip(values, lows, highs, strict=True)
        ]
        told = "".join(f"\n  note: {note}" for note in self.notes)
        if len(lines) == 1:
            return f"{self.measure} {lines[0]} {how}{told}"
        more = [f"  … {len(lines) - 10} more"] if len(lines) > 10 else []
        return "\n".join([f"{self.measure} {how}", *(f"  {x}" for x in lines[:10]), *more]) + told


def in_brackets(low: float, high: float) -> str:
    """Two limits as they are printed everywhere.

    >>> in_brackets(0.13, 0.62), in_brackets(float("nan"), float("nan"))
    ('[0.130, 0.620]', '[no interval]')
    """
    if np.isnan(low) or np.isnan(high):
        return "[no interval]"
    return f"[{number(low)}, {number(high)}]"


def _plain(x: Any) -> Any:
    listed = np.asarray(x).tolist()
    if isinstance(listed, list):
        return [_plain(entry) for entry in listed]
    return json_number(listed)

"""What the families of rates, overlap and balance have in common."""

from __future__ import annotations

from fractions import Fraction
from math import inf, nan
from typing import Any

import numpy as np

from chancemeter.counts import Counts, Values, log, ratio

#: Ratios no farther from 1 than this have their logarithm from the difference.
_NEAR = 0.5


def averages(key: str, *names: str) -> dict[str, str]:
    """Peers' names for averages over classes: ``tpr_macro`` for ``recall@macro`` and so on."""
    forms = {"macro": "macro", "micro": "micro", "weighted": "truth"}
    return {f"{name}_{word}": f"{key}@{form}" for name in names for word, form in forms.items()}


def like(x: float, c: Counts) -> Any:
    """Put the parameter `x` in the kind of number that `c` holds, so that fractions stay exact."""
    return Fraction(x) if c.truth.dtype == object else x


def log_ratio(c: Counts, above: Values, below: Values) -> Values:
    """``log(above / below)`` where above − below is the leverage, which keeps the digits near 0."""
    endless = np.equal(below, 0)
    below = np.where(endless, 1, below)
    beyond = ratio(c.leverage, below)
    near = np.abs(beyond) < _NEAR
    value = np.where(near, np.log1p(near * beyond), log(ratio(above, below)))
    return np.where(endless, np.where(np.equal(above, 0), nan, inf), value)

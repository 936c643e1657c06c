"""Tails and quantiles of the distributions that tests refer to, without the weight of scipy.stats.

Each tail is worked out from its own side, so that a small p-value keeps its digits.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from chancemeter.counts import Values
from chancemeter.normal import density, rising_root

#: Of the sum that stands for an integral.
_STEPS = 500


def normal(z: Any) -> Any:
    """Share of a standard normal at least as far from 0 as `z`, both sides."""
    from scipy.special import erfc

    return erfc(np.abs(z) / np.sqrt(2))


def normal_quantile(above: float) -> float:
    """Where a standard normal has the share `above` to its right."""
    from scipy.special import ndtri

    return -float(ndtri(above))


def student(t: Any, df: float) -> Any:
    """Share of Student's t at least as far from 0 as `t`, both sides."""
    return 2 * student_below(-np.abs(t), df)


def student_below(t: Any, df: float) -> Any:
    """Share of Student's t below `t`."""
    from scipy.special import stdtr

    return stdtr(df, t)


def student_quantile(below: float, df: float) -> float:
    """Where Student's t has the share `below` to its left."""
    from scipy.special import stdtrit

    return float(stdtrit(df, below))


def chi_squared(x: Any, df: float) -> Any:
    """Share of chi² at or above `x`."""
    from scipy.special import chdtrc

    return chdtrc(df, x)


def snedecor(x: Any, df: tuple[float, float]) -> Any:
    """Share of Snedecor's F at or above `x`."""
    from scipy.special import fdtrc

    return fdtrc(*df, x)


def binomial_at_most(k: Any, n: Any, p: Any = 0.5) -> Any:
    """Chance of `k` or fewer of `n`, each with chance `p`; counts may be as large as 10¹⁵.

    >>> float(binomial_at_most(1, 4)), float(binomial_at_most(-1, 4))
    (0.3125, 0.0)
    """
    from scipy.special import betaincc

    k, n = np.asarray(k, float), np.asarray(n, float)
    inside = (k >= 0) & (k < n)
    shape = np.where(inside, k, 0) + 1, np.where(inside, n - k, 1)
    return np.where(inside, betaincc(*shape, p), k >= n)


def studentized_range(q: Any, k: int) -> Values:
    """Chance that `k` standard normals spread over more than `q`.

    >>> studentized_range([0.0, 3.3145], 3).round(4).tolist()
    [1.0, 0.05]
    """
    from scipy.special import log_ndtr

    q = np.asarray(q, dtype=float)[..., None]
    # Where the largest of them lies: hardly below -9, nor above 9 + q. The sum over even steps is
    # as good as any rule, for what is smooth and vanishes at both ends.
    width = 18 + np.minimum(q, 40)
    z = -9 + width * np.linspace(0, 1, _STEPS + 1)
    largest = density(z) * np.exp((k - 1) * log_ndtr(z))
    # All others within q below it: 1 less that share, without subtracting from 1.
    outside = np.exp(log_ndtr(z - q) - log_ndtr(z))
    with np.errstate(divide="ignore"):
        missed = -np.expm1((k - 1) * np.log1p(-outside))
    return np.minimum(1, k * width[..., 0] / _STEPS * (largest * missed).sum(-1))


def studentized_range_quantile(above: float, k: int) -> float:
    """The spread of `k` standard normals that is exceeded with chance `above`.

    >>> round(studentized_range_quantile(0.05, 5), 4)
    3.8577
    """

    def excess(x: Values, _: Values) -> tuple[Values, Values]:
        step = 1e-4
        slope = (studentized_range(x - step, k) - studentized_range(x + step, k)) / (2 * step)
        return above - studentized_range(x, k), slope

    return float(rising_root(excess, np.array([3.0]), 1e-4, 60.0)[0])

"""How big a difference is, whatever its p-value: effect sizes of paired values.

The first of a pair minus the second, or the share of times that it is ahead; `nan` where there is
nothing to divide by.
"""

from __future__ import annotations

import numpy as np

from chancemeter.counts import Array


def difference(a: Array, b: Array) -> float:
    """The mean difference, in the unit of the measure: the effect that matters first."""
    return float(np.mean(a - b))


def cohens_dz(a: Array, b: Array) -> float:
    """Mean difference in standard deviations of the differences.

    >>> cohens_dz(np.array([3.0, 5.0]), np.array([2.0, 2.0])).__round__(3)
    1.414
    """
    return _over(np.mean(a - b), np.std(a - b, ddof=1))


def cliffs_delta(a: Array, b: Array) -> float:
    """Of all pairs of a value here and a value there: share ahead less share behind.

    >>> cliffs_delta(np.array([3.0, 5.0]), np.array([2.0, 4.0]))
    0.5
    """
    return float(np.sign(a[:, None] - b[None, :]).mean())


def superiority(a: Array, b: Array) -> float:
    """Share of places where the first is ahead, ties counted half.

    >>> superiority(np.array([3.0, 5.0, 1.0]), np.array([2.0, 5.0, 0.0])).__round__(3)
    0.833
    """
    return float((np.sign(a - b).mean() + 1) / 2)


def paired(a: Array, b: Array) -> dict[str, float]:
    """All of these."""
    sizes = (difference, cohens_dz, cliffs_delta, superiority)
    return {size.__name__: size(a, b) for size in sizes}


def _over(mean: float, spread: float) -> float:
    # Spread by rounding alone is none.
    return float(mean / spread) if spread > 1e-12 * abs(mean) else float("nan")

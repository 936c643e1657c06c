"""Limits for a share: `hits` of `trials` cases, drawn independently. All work on arrays."""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from chancemeter.counts import Array, ratio

Limits = tuple[Array, Array]
Way = Callable[[Array, Array, float], Limits]


def z_of(level: float) -> float:
    """How many standard errors to each side.

    >>> round(z_of(0.95), 4)
    1.96
    """
    return NormalDist().inv_cdf(0.5 + level / 2)


def wilson(hits: Array, trials: Array, level: float) -> Limits:
    """All shares that a score test does not reject (Wilson 1927).

    >>> [x.round(3).item() for x in wilson(np.array(9), np.array(10), 0.95)]
    [0.596, 0.982]
    """
    z = z_of(level)
    share, room = ratio(hits, trials), ratio(z * z, trials)
    middle = (share + room / 2) / (1 + room)
    reach = np.sqrt(share * (1 - share) * room + room * room / 4) / (1 + room)
    # at the ends the middle is as far from the end as the reach, up to rounding
    low, high = np.where(hits == 0, 0, middle - reach), np.where(hits == trials, 1, middle + reach)
    return _where_any(trials, low, high)


def agresti_coull(hits: Array, trials: Array, level: float) -> Limits:
    """The plain interval after z² pseudo-cases, half of them hits (Agresti and Coull 1998).

    >>> [x.round(3).item() for x in agresti_coull(np.array(9), np.array(10), 0.95)]
    [0.574, 1.0]
    """
    z = z_of(level)
    n = trials + z * z
    share = (hits + z * z / 2) / n
    reach = z * np.sqrt(share * (1 - share) / n)
    return _where_any(trials, np.maximum(share - reach, 0), np.minimum(share + reach, 1))


def clopper_pearson(hits: Array, trials: Array, level: float) -> Limits:
    """Both tails exact: never covers less than `level`, mostly more (Clopper and Pearson 1934).

    >>> [x.round(3).item() for x in clopper_pearson(np.array(9), np.array(10), 0.95)]
    [0.555, 0.997]
    """
    return _beta(hits, trials, level, np.array([0.0, 1.0]), np.array([1.0, 0.0]))


def jeffreys(hits: Array, trials: Array, level: float) -> Limits:
    """Equal tails of the posterior after half a pseudo-case each way (Brown, Cai, DasGupta 2001).

    >>> [x.round(3).item() for x in jeffreys(np.array(9), np.array(10), 0.95)]
    [0.619, 0.989]
    """
    return _beta(hits, trials, level, np.array([0.5, 0.5]), np.array([0.5, 0.5]))


def _beta(hits: Array, trials: Array, level: float, low: Array, high: Array) -> Limits:
    """Quantiles of beta distributions; pseudo-cases for the lower limit and for the upper."""
    from scipy.special import betaincinv

    hits, trials = np.asarray(hits, float), np.asarray(trials, float)
    tail, missed = (1 - level) / 2, trials - hits
    nothing, everything = hits == 0, missed == 0
    first, second = np.where(nothing, 1, hits), np.where(everything, 1, missed)
    lower = betaincinv(first + low[0], second * ~everything + low[1], tail)
    upper = betaincinv(first * ~nothing + high[0], second + high[1], 1 - tail)
    return _where_any(trials, np.where(nothing, 0, lower), np.where(everything, 1, upper))


def _where_any(trials: Array, low: Array, high: Array) -> Limits:
    """Nothing can be said of no trials."""
    none = np.asarray(trials) == 0
    return np.where(none, np.nan, low), np.where(none, np.nan, high)


#: The ways by name.
WAYS: dict[str, Way] = {
    "wilson": wilson,
    "agresti-coull": agresti_coull,
    "clopper-pearson": clopper_pearson,
    "jeffreys": jeffreys,
}

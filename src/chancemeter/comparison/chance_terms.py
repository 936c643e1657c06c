"""Where the measure decides the verdict: how much chance differs, and how far kappa is accuracy."""

from __future__ import annotations

from typing import Any

import numpy as np

from chancemeter import tails
from chancemeter.counts import Array, ratio
from chancemeter.errors import Fault, InputError, plural
from chancemeter.outcomes import Method, Outcome, check_draws, check_share, read_numbers

R_SQUARED = Method(
    "r_squared:clustered",
    "Share of variance that one measure has in common with another",
    "data sets",
    "the second measure does not move with the first",
    "data sets were drawn independently of each other; their folds were not, and are kept together",
    "fold",
)


def difference_of_chance(levels: Any) -> float:
    """The highest chance level above the lowest, as a share of the lowest (Ben-David 2007).

    >>> difference_of_chance([0.6481, 0.7049]).__round__(3)
    0.088
    """
    x = read_numbers(levels, "levels of chance").ravel()
    known = x[~np.isnan(x)]
    if len(x) < 2:
        raise InputError(Fault("CM511", "two models or more have a level of chance"))
    if len(known) < 2:
        return float("nan")
    return float(ratio(known.max() - known.min(), known.min()))


def r_squared(
    first: Any,
    second: Any,
    clusters: Any,
    *,
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
) -> Outcome:
    """R² of the values of folds by one measure on those by another, data set by data set.

    Folds of one data set are no independent points: data sets are drawn whole for the interval,
    and the slope is tested by the spread between them (Student's t, data sets less one).

    >>> accuracy, kappa = [0.8, 0.82, 0.6, 0.64, 0.9, 0.93], [0.5, 0.56, 0.3, 0.36, 0.8, 0.83]
    >>> found = r_squared(accuracy, kappa, ["a", "a", "b", "b", "c", "c"], draws=200)
    >>> found.effects["r_squared"].__round__(3), found.n
    (0.93, 6)
    """
    check_share(level, "a level")
    check_draws(draws)
    x, y = (read_numbers(v, "values of folds").ravel() for v in (first, second))
    names = np.asarray(clusters).ravel()
    if not len(x) == len(y) == len(names):
        saw = f"{len(x)}, {len(y)} and {len(names)}"
        fix = "one value of each measure and one data set for each fold"
        raise InputError(Fault("CM513", "folds do not match", saw=saw, fix=fix))
    known = ~(np.isnan(x) | np.isnan(y))
    x, y, place = x[known], y[known], np.unique(names[known], return_inverse=True)[1]
    several = int(place.max()) + 1 if len(place) else 0
    if several < 3:
        what = "the spread between data sets needs three of them or more"
        raise InputError(Fault("CM512", what, saw=plural(several, "data set")))
    moments = _moments(x, y, place, several)
    weights = np.random.default_rng(seed).multinomial(several, np.full(several, 1 / several), draws)
    drawn = _r_squared(weights @ moments)
    tail = (1 - level) / 2
    low, high = np.nanquantile(drawn, [tail, 1 - tail])
    slope, p, t = _slope(x, y, place, several)
    inner, outer = (v - (np.bincount(place, v) / np.bincount(place))[place] for v in (x, y))
    lost = int((~known).sum())
    return Outcome(
        method=R_SQUARED,
        n=len(x),
        left_out=lost,
        p=p,
        statistic=t,
        df=(several - 1,),
        interval=(float(low), float(high)),
        effects={
            "r_squared": float(_r_squared(moments.sum(0))),
            "slope": slope,
            "r_squared_within": float(_r_squared(_moments(inner, outer, place, several).sum(0))),
        },
        settings={"level": level, "draws": draws, "seed": seed},
        notes=(f"{plural(several, 'data set')}, each kept together",)
        + ((f"{plural(lost, 'fold')} undefined and left out",) if lost else ()),
    )


def _moments(x: Array, y: Array, place: Array, several: int) -> Array:
    """Sums for each data set from which R² follows: ``(data sets, 6)``."""
    parts = (np.ones_like(x), x, y, x * x, y * y, x * y)
    return np.stack([np.bincount(place, part, several) for part in parts], -1)


def _r_squared(sums: Array) -> Array:
    n, x, y, xx, yy, xy = np.moveaxis(sums, -1, 0)
    return np.asarray(ratio((n * xy - x * y) ** 2, (n * xx - x * x) * (n * yy - y * y)))


def _slope(x: Array, y: Array, place: Array, several: int) -> tuple[float, float, float]:
    """Least squares, with a standard error from the sums of each data set (CR1), p and t."""
    apart = x - x.mean()
    spread = float(apart @ apart)
    slope = float(ratio(apart @ (y - y.mean()), spread))
    if not np.isfinite(slope):
        return slope, float("nan"), float("nan")
    scores = np.bincount(place, apart * (y - y.mean() - slope * apart), several)
    n = len(x)
    factor = several / (several - 1) * (n - 1) / max(n - 2, 1)
    error = float(np.sqrt(factor * (scores @ scores)) / spread)
    t = float(ratio(slope, error))
    return slope, float(tails.student(t, several - 1)), t

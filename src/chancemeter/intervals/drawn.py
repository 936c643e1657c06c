"""Limits from other tables that might have been seen: drawn ones, or each case left out once."""

from __future__ import annotations

from statistics import NormalDist
from typing import Any

import numpy as np

from chancemeter.counts import Array, Counts, Values, as_counts, ratio
from chancemeter.influence import gradients
from chancemeter.intervals.shares import z_of
from chancemeter.registry import Measure
from chancemeter.resample import (
    Kinds,
    dirichlet,
    each_value,
    leave_one_out,
    multinomial,
    of_table,
)

#: Values of a measure that are worked out at a time.
_AT_A_TIME = 1 << 22
#: Limits need this share of the draws to be defined.
_ENOUGH = 0.5

Found = tuple[Values, Values, tuple[str, ...]]


def percentile(m: Measure[...], kinds: Kinds, level: float, draws: int, seed: int) -> Found:
    """The middle share of the values of tables drawn with replacement."""
    drawn = _bootstrapped(m, kinds, draws, seed)
    return *quantiles(drawn, (1 - level) / 2, (1 + level) / 2), _told(drawn)


def posterior(
    m: Measure[...], table: Any, level: float, *, draws: int, seed: int, prior: float
) -> Found:
    """The middle share of the values that are plausible after these counts."""
    kinds = of_table(table)
    each = prior / kinds.k**2
    drawn = each_value(m, kinds, dirichlet(kinds, each), draws, seed)[:, 0]
    return *quantiles(drawn, (1 - level) / 2, (1 + level) / 2), _told(drawn)


def bca(m: Measure[...], table: Any, level: float, draws: int, seed: int) -> Found:
    """The percentile interval, corrected for bias and for a spread that changes (Efron 1987)."""
    value = m.values(as_counts(table))
    drawn = _bootstrapped(m, of_table(table).only_seen(), draws, seed)
    normal = NormalDist()
    below = np.nanmean((drawn < value) + 0.5 * (drawn == value), axis=0)
    shift = _each(normal.inv_cdf, np.clip(below, 0.5 / draws, 1 - 0.5 / draws))
    skew = acceleration(m, table)
    tails = []
    for z in (-z_of(level), z_of(level)):
        moved = shift + ratio(shift + z, 1 - skew * (shift + z))
        tails.append(_each(normal.cdf, np.where(np.isnan(moved), z, moved)))
    return *quantiles(drawn, *tails), _told(drawn)


def acceleration(m: Measure[...], table: Any) -> Values:
    """How fast the spread of a measure changes, from what each case adds to it."""
    counts = as_counts(table)
    if m.card.smooth:
        by = gradients([m], counts)[0].cells
        times = counts.cells
        by = by - (ratio((times * by).sum((-2, -1)), times.sum()))[..., None, None]
        cubes, squares = ((times * by**p).sum((-2, -1)) for p in (3, 2))
        return ratio(cubes, 6 * squares**1.5)
    values, times = _without_each(m, table)
    off = (times @ values) / times.sum() - values
    return ratio(times @ off**3, 6 * (times @ off**2) ** 1.5)


def jackknife_error(m: Measure[...], table: Any) -> Values:
    """The standard error from leaving out each case once: one table for each cell that occurs."""
    values, times = _without_each(m, table)
    n = times.sum()
    off = values - (times @ values) / n
    return np.sqrt((n - 1) / n * (times @ off**2))


def _without_each(m: Measure[...], table: Any) -> tuple[Values, Array]:
    """The value without a case of each cell, and how many cases that cell has."""
    stack, times = leave_one_out(table)
    width = max(1, _AT_A_TIME // stack[0].size)
    parts = [stack[i : i + width] for i in range(0, len(stack), width)]
    return np.concatenate([m.values(Counts(part)) for part in parts]), times


def _bootstrapped(m: Measure[...], kinds: Kinds, draws: int, seed: int) -> Values:
    return each_value(m, kinds, multinomial(kinds), draws, seed)[:, 0]


def quantiles(drawn: Values, low: Any, high: Any) -> tuple[Values, Values]:
    """Quantiles over the draws that have a value, where enough have; tails may differ by class."""
    known = ~np.isnan(drawn)
    found = []
    for tail in (low, high):
        flat, tails = drawn.reshape(len(drawn), -1), np.broadcast_to(tail, drawn.shape[1:]).ravel()
        each = [
            np.quantile(x[here], q) if here.mean() >= _ENOUGH else np.nan
            for x, here, q in zip(flat.T, known.reshape(flat.shape).T, tails, strict=True)
        ]
        found.append(np.array(each).reshape(drawn.shape[1:]))
    return found[0], found[1]


def _each(f: Any, x: Values) -> Values:
    return np.asarray(np.frompyfunc(f, 1, 1)(x), dtype=float)


def _told(drawn: Values) -> tuple[str, ...]:
    """How many draws had no value."""
    lost = int(np.isnan(drawn).reshape(len(drawn), -1).any(1).sum())
    if not lost:
        return ()
    return (f"{lost:,} of {len(drawn):,} drawn tables have no value and are left out",)

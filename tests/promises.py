"""What is true of a measure, found by trying: the other side of what its card promises.

``python tests/promises.py KEY ...`` prints what a card should say.
"""

from __future__ import annotations

import itertools
import sys
from fractions import Fraction
from functools import cache

import numpy as np
from scipy.stats import rankdata

import chancemeter as cm
from chancemeter.counts import Counts, Margins
from chancemeter.registry import CHANGES
from chancemeter.undefined import REASONS

CATCH_ALL = {"unsettled", "zero_divisor"}


@cache
def tables(k: int, times: int = 60, least: int = 0, seed: int = 0) -> np.ndarray:
    """Random tables, crowded and sparse, good and bad classifiers."""
    rng = np.random.default_rng([seed, k, least])
    cells = rng.integers(1, 200, (times, k, k)).astype(float)
    cells *= rng.random((times, k, k)) < rng.uniform(0.4, 1.2, (times, 1, 1))
    cells[times // 2 :, range(k), range(k)] += rng.integers(50, 4000, (times - times // 2, k))
    return np.maximum(cells, least)


@cache
def degenerate() -> list[np.ndarray]:
    """All small 2 x 2 tables and many sparse 3 x 3 ones: stacks where measures go undefined."""
    small = np.array(list(itertools.product(range(3), repeat=4)), float).reshape(-1, 2, 2)
    rng = np.random.default_rng(5)
    sparse = (rng.integers(0, 3, (1500, 3, 3)) * (rng.random((1500, 3, 3)) < 0.35)).astype(float)
    return [small, sparse]


def values(m: cm.Measure, stack: np.ndarray) -> np.ndarray:
    return np.asarray(m.values(Counts(np.asarray(stack, float))), float)


def change(name: str, stack: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The changed stack, and which classes to compare before and after."""
    k = stack.shape[-1]
    rng = np.random.default_rng(11)
    here = np.arange(k)
    if name == "scale":
        return stack * 7, here, here
    if name == "order":
        to = np.roll(here, 1) if k > 2 else here[::-1]
        return stack[:, to][:, :, to], to, here
    if name == "transpose":
        return stack.swapaxes(-1, -2), here, here
    if name == "prevalence":
        return stack * rng.uniform(0.2, 5, (len(stack), k, 1)), here, here
    if name == "bias":
        return stack * rng.uniform(0.2, 5, (len(stack), 1, k)), here, here
    if name == "unused":
        return np.pad(stack, ((0, 0), (0, 1), (0, 1))), here, here
    if name == "split":
        grown = np.pad(stack, ((0, 0), (0, 1), (0, 1)))
        grown[:, k, :] = 0.25 * grown[:, k - 1, :]
        grown[:, k - 1, :] *= 0.75
        grown[:, :, k] = 0.25 * grown[:, :, k - 1]
        grown[:, :, k - 1] *= 0.75
        last = stack[:, k - 1, k - 1]
        grown[:, k - 1 :, k - 1 :] = 0
        grown[:, k - 1, k - 1], grown[:, k, k] = 0.75 * last, 0.25 * last
        return grown, here[:-1], here[:-1]
    raise KeyError(name)


def agree(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return np.isclose(a, b, rtol=1e-7, atol=1e-9, equal_nan=True)


def stays_same(m: cm.Measure, name: str) -> bool:
    """Whether the change leaves every value of every random table as it was."""
    for k in (2, 3, 4):
        stack = tables(k, least=1 if name in {"prevalence", "bias"} else 0)
        changed, before, after = change(name, stack)
        with np.errstate(all="ignore"):
            old, new = values(m, stack), values(m, changed)
        if m.card.level == "class":
            old, new = old[..., before], new[..., after]
        same = agree(old, new)
        if "unsettled" in m.undefined_when:  # an iteration that did not end is no value
            same |= np.isnan(old) | np.isnan(new)
        if not same.all():
            return False
    return True


def unchanged_by(m: cm.Measure) -> list[str]:
    return [name for name in CHANGES if stays_same(m, name)]


def undefined_when(m: cm.Measure) -> tuple[list[str], float]:
    """The fewest reasons that explain where it is undefined, and the share they explain."""
    nan, held = [], {code: [] for code in REASONS}
    for stack in degenerate():
        c = Counts(stack)
        got = np.isnan(values(m, stack))
        nan.append(got.ravel())
        for code, reason in REASONS.items():
            holds = reason.holds(c)
            if holds.ndim > got.ndim:
                holds = np.zeros(got.shape, bool)
            elif holds.ndim < got.ndim:
                holds = holds[..., None]
            held[code].append(np.broadcast_to(holds, got.shape).ravel())
    missing = np.concatenate(nan)
    cover = {code: np.concatenate(h) for code, h in held.items() if code not in CATCH_ALL}
    cover = {code: h for code, h in cover.items() if h.any() and not (h & ~missing).any()}
    chosen, left = [], missing.copy()
    while left.any() and cover:
        best = max(cover, key=lambda code: (cover[code] & left).sum())
        if not (cover[best] & left).any():
            break
        chosen.append(best)
        left &= ~cover[best]
    chosen = [code for code in REASONS if code in chosen]
    return chosen, 1.0 if not missing.any() else 1 - left.sum() / missing.sum()


def needs(m: cm.Measure) -> str:
    stack = tables(3)
    c = Counts(stack)
    try:
        got = m.values(Margins(c.hits, c.truth, c.predicted))
    except cm.InputError:
        return "cells"
    return "margins" if agree(np.asarray(got, float), values(m, stack)).all() else "cells"


def is_rational(m: cm.Measure) -> bool:
    for table in ([[5, 2], [1, 7]], [[5, 2, 3], [1, 7, 2], [2, 4, 9]]):
        try:
            got = np.asarray(m.formula(Counts(_fractions(table))), dtype=object).ravel()
        except (TypeError, AttributeError):
            return False
        if not all(isinstance(x, (Fraction, int)) or np.isnan(x) for x in got):
            return False
    return True


def _fractions(table: list) -> np.ndarray:
    return np.array([[Fraction(x) for x in row] for row in table], dtype=object)


@cache
def _ranking_tables() -> list[np.ndarray]:
    return [tables(k, 300, least=1, seed=9) for k in (2, 3, 4)]


@cache
def _same_truth_tables() -> list[np.ndarray]:
    rng = np.random.default_rng(3)
    made = []
    for k in (2, 3, 4):
        truth = rng.integers(20, 200, k)
        rows = [[rng.multinomial(n, rng.dirichlet(np.ones(k))) for n in truth] for _ in range(300)]
        made.append(np.array(rows, float))
    return made


def ranking(m: cm.Measure, same_truth: bool = False) -> tuple[bytes, ...]:
    """How it ranks many tables; two measures that rank them alike give the same bytes."""
    sign = -1 if m.card.direction == "lower" else 1
    found = []
    for stack in _same_truth_tables() if same_truth else _ranking_tables():
        got = sign * values(m, stack)
        size = np.max(np.abs(got[np.isfinite(got)]), initial=0)
        mantissa, power = np.frexp(np.where(np.isfinite(got), got, 1))
        rounded = np.where(np.abs(got) < 1e-13 * size, 0, np.ldexp(np.round(mantissa, 11), power))
        got = np.where(np.isfinite(got), rounded, got)
        if m.card.level == "class" and same_truth:
            ranks = [rankdata(got[:, i]) for i in range(got.shape[1])]
        else:
            ranks = [rankdata(got.ravel())]
        found.append(np.array(ranks).tobytes())
    return tuple(found)


def main(keys: list[str]) -> None:
    for m in [cm.get(k) for k in keys] or cm.every():
        codes, share = undefined_when(m)
        stack = np.concatenate([values(m, tables(k)).ravel() for k in (2, 3, 4)])
        perfect = [
            values(m, np.array([np.diag(d)])).ravel().round(4).tolist()
            for d in ([7.0, 3.0], [4.0, 2.0, 9.0])
        ]
        from chancemeter import chance

        model = chance.MODELS[m.card.chance]
        guessed = (
            values(m, model(Counts(tables(3, least=1)))) if model.guess else np.array([np.nan])
        )
        print(
            f"{m.key}\n  same={' '.join(unchanged_by(m))!r}\n  undefined={' '.join(codes)!r} explains {share:.2f}"
            f"\n  needs={needs(m)} rational={is_rational(m)}"
            f"\n  seen [{np.nanmin(stack):.4g}, {np.nanmax(stack):.4g}] perfect {perfect}"
            f" by chance [{np.nanmin(guessed):.4g}, {np.nanmax(guessed):.4g}]"
        )


if __name__ == "__main__":
    main(sys.argv[1:])

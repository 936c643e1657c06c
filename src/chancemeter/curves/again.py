"""Curves as they might have come out: cases drawn again, from counts at each score alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.curves.curve import Curve
from chancemeter.resample import Kinds, multinomial, stretches


@dataclass(frozen=True, eq=False)
class SameCases:
    """Curves of several scores for the same cases, and where each case stands on each."""

    curves: Mapping[str, Curve]
    positive: Array
    places: Mapping[str, Array]
    weights: Array | None = None
    groups: Array | None = None


def drawn_curves(c: Curve, draws: int, seed: int = 0) -> Iterator[Curve]:
    """As many cases again, each like one that was seen; draws that lack a class are left out.

    >>> from chancemeter import curve
    >>> c = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> [x.total for x in drawn_curves(c, 5)][:2]
    [4, 4]
    """
    cells = np.concatenate(c.steps())
    seen = np.flatnonzero(cells)
    kinds = Kinds(cells[seen], 1)
    m = len(c) - 1
    for numbers in stretches(multinomial(kinds), draws, seed, len(seen)):
        laid = np.zeros((len(numbers), 2 * m), numbers.dtype)
        laid[:, seen] = numbers
        sums = np.zeros((2, len(numbers), m + 1), numbers.dtype)
        np.cumsum(laid[:, :m], axis=1, out=sums[0, :, 1:])
        np.cumsum(laid[:, m:], axis=1, out=sums[1, :, 1:])
        for tp, fp in zip(sums[0], sums[1], strict=True):
            if tp[-1] and fp[-1]:
                yield _without_empty(c, tp, fp)


def _without_empty(c: Curve, tp: Array, fp: Array) -> Curve:
    """The curve with these counts; scores that no case has are no thresholds."""
    met = np.append(True, np.diff(tp + fp) > 0)
    return replace(c, thresholds=c.thresholds[met], tp=tp[met], fp=fp[met], groups=None)


def halves(c: Curve, draws: int, seed: int = 0) -> Iterator[tuple[Curve, Curve]]:
    """The cases in two parts of equal size, again and again; each part has both classes.

    >>> from chancemeter import curve
    >>> c = curve([0, 0, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6])
    >>> [(a.total, b.total) for a, b in halves(c, 3)][0]
    (3, 3)
    """
    cells = np.concatenate(c.steps())
    if cells.dtype.kind != "i":
        return
    m, generator = len(c) - 1, np.random.default_rng([seed, 1])
    for _ in range(draws):
        half = generator.multivariate_hypergeometric(cells, c.total // 2, method="marginals")
        parts = []
        for numbers in (half, cells - half):
            sums = (np.cumsum(np.append(0, x)) for x in (numbers[:m], numbers[m:]))
            parts.append(_without_empty(c, *sums))
        if all(len(x) > 1 and x.positives and x.negatives for x in parts):
            yield parts[0], parts[1]


def drawn_values(c: Curve, formula: Callable[[Curve], Any], draws: int, seed: int = 0) -> Array:
    """What `formula` makes of each drawn curve."""
    return np.array([formula(x) for x in drawn_curves(c, draws, seed)])


def drawn_together(
    same: SameCases, formula: Callable[[Curve], float], draws: int, seed: int
) -> Array:
    """The scalar of every model, from the same cases drawn again: ``(draws, models)``."""
    w = np.ones(len(same.positive), np.int64) if same.weights is None else same.weights
    kinds = Kinds(w, 1)
    found = []
    for numbers in stretches(multinomial(kinds), draws, seed, len(w)):
        for times in numbers:
            pairs = [_again(c, same, same.places[name], times) for name, c in same.curves.items()]
            if all(len(c) > 1 and c.positives and c.negatives for c in pairs):
                found.append([float(formula(c)) for c in pairs])
    return np.array(found)


def _again(c: Curve, same: SameCases, place: Array, times: Array) -> Curve:
    """The curve in which each case counts so often."""
    parts = (np.where(same.positive == side, times, 0) for side in (True, False))
    tp, fp = (np.cumsum(np.bincount(place, x, minlength=len(c))) for x in parts)
    return _without_empty(c, tp, fp)

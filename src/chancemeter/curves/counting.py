"""Scores and classes to counts at every distinct score: one sort, or a histogram.

A score and the class of its case go into one whole number, the class in the last bit, so that
one plain sort brings equal scores together with their classes. That is exact: a double below 2
leaves a bit free, and multiplying by a power of two loses nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Array

#: Whole numbers spread over no more than this are counted without sorting.
_SPAN = 1 << 20
#: Whole numbers from here on are not all doubles.
MOST_WHOLE = 2**53
_SIGN = np.int64(2**63 - 1)


@dataclass(frozen=True, eq=False)
class Steps:
    """What is at or above each distinct score, the highest score first."""

    scores: Array
    tp: Array
    """Cases of the positive class with that score or a higher one; whole unless weights are not."""
    fp: Array
    """The same for all other cases."""


def count(scores: Array, positive: Array, weights: Array | None = None) -> Steps:
    """Cumulated class counts of finite scores; `positive` are truth values.

    >>> s = count(np.array([0.9, 0.1, 0.9, 0.5]), np.array([True, False, False, True]))
    >>> s.scores.tolist(), s.tp.tolist(), s.fp.tolist()
    ([0.9, 0.5, 0.1], [1, 2, 2], [1, 1, 2])
    """
    if weights is not None:
        return _weighted(scores, positive, weights)
    if scores.dtype.kind in "biu" and len(scores):
        low, high = int(scores.min()), int(scores.max())
        if high - low <= min(_SPAN, 4 * len(scores) + 64):
            return _histogram(scores, positive, low, high)
    values = scores.astype(np.float64, copy=False)
    key = _keys(values, positive)
    if key is None:
        return _weighted(values, positive, np.ones(len(values), np.int64))
    key.sort()
    ends = _ends(key | 1)
    found = np.cumsum(~key & 1)
    if len(ends) == len(key):
        tp, seen = found, np.arange(1, len(key) + 1)
    else:
        tp, seen = found[ends], ends + 1
    return Steps(_scores(key[ends] if len(ends) < len(key) else key, values), tp, seen - tp)


def _histogram(scores: Array, positive: Array, low: int, high: int) -> Steps:
    """Small whole numbers: counted by their places."""
    place = (scores.astype(np.int64) - low) * 2 + positive
    both = np.bincount(place, minlength=2 * (high - low + 1)).reshape(-1, 2)[::-1]
    seen = np.flatnonzero(both.any(1))
    fp, tp = np.cumsum(both[seen], axis=0).T
    return Steps((high - seen).astype(np.float64), np.ascontiguousarray(tp), fp.copy())


def _keys(values: Array, positive: Array) -> Array | None:
    """Whole numbers that fall as scores rise, the class last; None where that is not exact."""
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    scaled = values + 0.0 if low <= 0 <= high else values  # makes one value of 0.0 and -0.0
    power = _power(low, high)
    if power:
        scaled = scaled * 2.0**power
        if not np.array_equal(scaled * 2.0**-power, values):
            return None
    bits = scaled.view(np.int64)
    if low < 0:
        bits = bits ^ ((bits >> 63) & _SIGN)
    key = np.left_shift(bits, 1)
    key |= positive
    return np.invert(key, out=key)


def _scores(key: Array, values: Array) -> Array:
    """The scores that keys were made of."""
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    bits = np.invert(key) >> 1
    if low < 0:
        bits ^= (bits >> 63) & _SIGN
    found = bits.view(np.float64)
    power = _power(low, high)
    return np.asarray(found * 2.0**-power) if power else found


def _power(low: float, high: float) -> int:
    """By which power of two scores are multiplied to stay below 2."""
    largest = max(abs(low), abs(high))
    return 0 if largest < 2 else 1 - int(np.frexp(largest)[1])


def _weighted(values: Array, positive: Array, weights: Array) -> Steps:
    """Sums of weights; a weight of 0 leaves a case out."""
    counted = np.flatnonzero(weights)
    if len(counted) < len(weights):
        values, positive, weights = values[counted], positive[counted], weights[counted]
    return placed(values, positive, weights)[0]


def placed(values: Array, positive: Array, weights: Array | None = None) -> tuple[Steps, Array]:
    """The counts, and for each case the number of its step, the highest score having 1.

    >>> placed(np.array([0.9, 0.1, 0.9, 0.5]), np.array([True, False, False, True]))[1].tolist()
    [1, 3, 1, 2]
    """
    low_first = -values.astype(np.float64)
    order = np.argsort(low_first, kind="stable" if _is_real(weights) else None)
    ordered = -low_first[order] + 0.0
    new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    step = np.cumsum(new, dtype=np.int32 if len(new) < 2**31 else np.int64)
    place = np.empty(len(values), step.dtype)
    place[order] = step
    ends = np.flatnonzero(np.append(new[1:], True)) if len(new) else np.zeros(0, np.int64)
    of_class = positive[order]
    if weights is None:
        tp = np.cumsum(of_class)[ends]
        return Steps(ordered[ends], tp, ends + 1 - tp), place
    weight = weights[order] if _is_real(weights) else weights[order].astype(np.int64)
    tp, fp = (np.cumsum(np.where(of_class == side, weight, 0))[ends] for side in (True, False))
    return Steps(ordered[ends], tp, fp), place


def _is_real(weights: Array | None) -> bool:
    """Whether the order of adding can matter."""
    return weights is not None and weights.dtype.kind == "f"


def _ends(ordered: Array) -> Array:
    """The last place of each run of equal values."""
    last = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=last[:-1])
    return np.flatnonzero(last)

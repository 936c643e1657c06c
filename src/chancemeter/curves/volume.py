"""Volume under the ROC surface of three classes: how often a trio, one of each, is sorted right."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Array

#: Scores are compared to so many parts of one: differences below are ties.
_PARTS = 1e12
#: Trios of distinct cases that are looked at one by one, where there are ties.
_MOST_TRIOS = 50_000_000
#: Questions that are asked at a time.
_AT_A_TIME = 1 << 18


@dataclass(frozen=True)
class Volume:
    """The share of trios that is sorted right, ties counting by their share of equal ways."""

    value: float
    low: float
    high: float
    """Without the ties, and with all of them; equal to the value if there are none."""


def in_order(classes: Array, scores: Array) -> float:
    """How often three cases, one of each class, have scores in the order of their classes.

    Of one score for three ordered classes 0, 1, 2; ties count one half, or one sixth where all
    three are equal. By chance it is 1/6 (Mossman 1999). In n log n steps.

    >>> in_order(np.array([0, 0, 1, 2]), np.array([1.0, 3.0, 2.0, 4.0]))
    0.5
    """
    values, place = np.unique(scores, return_inverse=True)
    low, middle, high = (
        np.bincount(place[classes == k], minlength=len(values)).astype(float) for k in range(3)
    )
    below = np.cumsum(low) - low / 2
    above = high.sum() - np.cumsum(high) + high / 2
    right = (middle * (below * above - low * high / 12)).sum()
    return float(right / (low.sum() * middle.sum() * high.sum()))


def of_three(classes: Array, scores: Array) -> Volume:
    """The same where each case has a score for each of three classes: ``(cases, 3)``.

    A trio is sorted right if giving each case its own class makes the largest sum of scores
    among the six ways; for probabilities that is the least distance to the three corners
    (Mossman 1999, Heckerling 2001, Dreiseitl and others 2000). By chance it is 1/6.

    With one case of the second and one of the third class fixed, the first must lie above and to
    the right of a point. How many do is one question to a structure that is built once: n² log n
    steps in all instead of n³.

    >>> y = np.array([0, 1, 2, 2])
    >>> of_three(y, np.array([[0.8, 0.1, 0.1], [0.2, 0.5, 0.3], [0.1, 0.1, 0.8], [0.9, 0.1, 0]]))
    Volume(value=0.5, low=0.5, high=0.5)
    """
    whole = np.rint(scores / max(1.0, float(np.abs(scores).max())) * _PARTS).astype(np.int64)
    first, second, third = (whole[classes == k] for k in range(3))
    trios = float(len(first)) * len(second) * len(third)
    high = _sorted_right(first, second, third, strict=False) / trios
    low = _sorted_right(first, second, third, strict=True) / trios
    if low == high:
        return Volume(high, low, high)
    groups = [np.unique(x, axis=0, return_counts=True) for x in (first, second, third)]
    if np.prod([float(len(n)) for _, n in groups]) > _MOST_TRIOS:
        return Volume((low + high) / 2, low, high)
    return Volume(_one_by_one(groups) / trios, low, high)


def _sorted_right(a: Array, b: Array, c: Array, *, strict: bool) -> float:
    """Trios whose own classes make a larger sum than all other ways, or one as large."""
    more = 1 if strict else 0
    x, y = a[:, 0] - a[:, 1], a[:, 0] - a[:, 2]
    points = Dominance(x, y)
    found = 0
    rows = max(1, _AT_A_TIME // max(1, len(c)))
    for start in range(0, len(b), rows):
        part = b[start : start + rows, None, :]
        b1, b2, b3 = part[..., 0], part[..., 1], part[..., 2]
        c1, c2, c3 = c[None, :, 0], c[None, :, 1], c[None, :, 2]
        # each of the five other ways asks something of x, of y, or of the last two alone
        at_x = np.maximum(b1 - b2, c1 - c3 - (b2 - b3))
        at_y = np.maximum(c1 - c3, c2 - c3 + b1 - b2)
        fits = (c3 - c2 - (b3 - b2) >= more) if strict else (c3 - c2 >= b3 - b2)
        found += int(points.count(at_x[fits] + more, at_y[fits] + more).sum())
    return float(found)


class Dominance:
    """Points in a plane, to be asked how many lie at or beyond a corner.

    The points stand from right to left; their heights are told bit by bit, each level sorted by
    the bit before (a wavelet matrix). A question takes as many steps as a height has bits.

    >>> Dominance(np.array([1, 2, 3]), np.array([5, 1, 4])).count(np.array([2]), np.array([1]))
    array([2])
    """

    def __init__(self, x: Array, y: Array) -> None:
        """Any whole numbers."""
        order = np.argsort(-x, kind="stable")
        self._x = -x[order]
        self._heights = np.unique(y)
        ranks = np.searchsorted(self._heights, y[order])
        self._bits = max(1, len(self._heights).bit_length())
        self._levels: list[tuple[Array, int]] = []
        for bit in reversed(range(self._bits)):
            ones = (ranks >> bit) & 1
            zeros_before = np.concatenate([[0], np.cumsum(1 - ones)])
            self._levels.append((zeros_before, int(zeros_before[-1])))
            ranks = np.concatenate([ranks[ones == 0], ranks[ones == 1]])

    def count(self, x: Array, y: Array) -> Array:
        """Points with at least these two coordinates."""
        end = np.searchsorted(self._x, -x, "right")
        rank = np.searchsorted(self._heights, y, "left")
        start, found = np.zeros_like(end), np.zeros_like(end)
        for level, (zeros_before, zeros) in enumerate(self._levels):
            bit = (rank >> (self._bits - 1 - level)) & 1
            first, last = zeros_before[start], zeros_before[end]
            # with a 0 here all that have a 1 are higher; then on among those with the same bit
            found += np.where(bit == 0, (end - last) - (start - first), 0)
            start = np.where(bit == 0, first, zeros + start - first)
            end = np.where(bit == 0, last, zeros + end - last)
        return np.asarray(found + end - start)


def _one_by_one(groups: list[tuple[Array, Array]]) -> float:
    """Trios of distinct cases with their weights; a tie of several ways is shared among them."""
    (a, n), (b, m), (c, k) = groups
    ways = [(0, 1, 2), (1, 0, 2), (2, 1, 0), (0, 2, 1), (1, 2, 0), (2, 0, 1)]
    total = 0.0
    for one, times in zip(a, n, strict=True):
        sums = np.stack([one[i] + b[:, None, j] + c[None, :, r] for i, j, r in ways])
        best = sums.max(0)
        share = np.where(sums[0] == best, 1 / (sums == best).sum(0), 0.0)
        total += float(times * (m @ share @ k))
    return total

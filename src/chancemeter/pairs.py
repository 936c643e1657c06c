"""How often each pair of labels occurs in two columns, close to the speed of reading them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.columns import CHUNK, Coded, Label, as_coded, chunks, small
from chancemeter.counts import Array

#: Labels from 0 up are counted as they are if they fit in this many bits.
_BITS = 10
#: Rows of one-byte labels handled at a time.
_BYTES = 262_144
#: More cells than this do not stay in any cache.
_CACHED = 1 << 24
#: Weights added up one after the other: so few that their rounding stays below 1e-12.
_WEIGHTS = 8_192


@dataclass(frozen=True, eq=False)
class Pairs:
    """Counts of two columns over the labels that occur in either."""

    classes: tuple[Label, ...]
    counts: Array
    weighted: Array | None = None
    """Sums of weights in place of counts, if weights were given."""


def count_pairs(
    first: Array | Coded,
    second: Array | Coded,
    weights: Array | None = None,
    check: Callable[[int], None] = lambda _: None,
) -> Pairs:
    """Count two columns, as `columns.read_column` gives them, in which nothing is missing.

    `check` is called with the number of classes before memory for its square is taken.

    >>> from chancemeter.columns import read_column
    >>> pairs = count_pairs(read_column([5, 5, 7]), read_column([5, 7, 7]))
    >>> pairs.classes, pairs.counts.tolist()
    ((5, 7), [[1, 1], [0, 1]])
    """
    if weights is None and isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        if first.dtype == second.dtype == bool:
            return _only_used((False, True), _booleans(first, second), check)
        if first.dtype.kind in "iu" and second.dtype.kind in "iu":
            found = _integers(first, second)
            if found is not None:
                return _only_used(tuple(range(len(found))), found, check)
    one, other = as_coded(first), as_coded(second)
    classes, one_codes, other_codes = _joined(one, other)
    if len(classes) > 1 << _BITS:
        check(len(classes))
    cells = _codes(one_codes, other_codes, len(classes))
    if weights is None:
        return _only_used(classes, cells, check)
    k = len(classes)
    sums = sums_by(one_codes.astype(np.int64) * k + other_codes, k * k, weights)
    return _only_used(classes, cells, check, sums.reshape(k, k))


def _only_used(
    classes: tuple[Label, ...],
    cells: Array,
    check: Callable[[int], None],
    sums: Array | None = None,
) -> Pairs:
    """Without classes that occur in neither column."""
    used = np.flatnonzero(cells.any(0) | cells.any(1))
    check(len(used))
    if len(used) == len(classes):
        return Pairs(classes, cells, sums)
    both = np.ix_(used, used)
    kept = tuple(classes[i] for i in used)
    return Pairs(kept, cells[both], None if sums is None else sums[both])


def _joined(one: Coded, other: Coded) -> tuple[tuple[Label, ...], Array, Array]:
    """Codes of both over one list of classes."""
    if one.categories == other.categories and one.kind == other.kind != "mixed":
        return one.categories, one.codes, other.codes
    place: dict[Any, int] = {}
    codes = []
    for column in (one, other):
        to = [place.setdefault((type(x), x), len(place)) for x in column.categories]
        same = to == list(range(len(to)))
        codes.append(column.codes if same else np.array(to, small(len(place))).take(column.codes))
    return tuple(x for _, x in place), codes[0], codes[1]


def _booleans(t: Array, p: Array) -> Array:
    both = true = predicted = 0
    buffer = np.empty(min(_BYTES, len(t)), bool)
    for a, b in zip(chunks(t, _BYTES), chunks(p, _BYTES), strict=True):
        both += int(np.count_nonzero(np.logical_and(a, b, out=buffer[: len(a)])))
        true += int(np.count_nonzero(a))
        predicted += int(np.count_nonzero(b))
    neither = len(t) - true - predicted + both
    return np.array([[neither, predicted - both], [true - both, both]], np.int64)


def _integers(t: Array, p: Array) -> Array | None:
    """Counts of labels 0, 1, 2 …; None if a label is negative or large."""
    n, start = len(t), 0
    seen, count = 0, _Counter(t.dtype, p.dtype, 1)
    while start < n:
        stop = start + count.rows
        a, b = t[start:stop], p[start:stop]
        # the bits of all labels together say what fits, and cost less than their extremes
        seen |= int(np.bitwise_or.reduce(a)) | int(np.bitwise_or.reduce(b))
        if seen >> _BITS:  # also where it is negative
            return None
        if seen >> count.bits:
            count = count.wider(seen.bit_length())
        count.add(a, b)
        start = stop
    return count.cells


def _codes(t: Array, p: Array, k: int) -> Array:
    """Counts of codes from 0 up to `k`."""
    if k <= 1 << _BITS:
        count = _Counter(t.dtype, p.dtype, max(1, (k - 1).bit_length()))
        for a, b in zip(chunks(t, count.rows), chunks(p, count.rows), strict=True):
            count.add(a, b)
        return np.ascontiguousarray(count.cells[:k, :k])
    keys = t.astype(np.int64)
    keys *= k
    keys += p
    if keys.size and k * k > _CACHED:
        keys.sort()  # cells far apart would be fetched one by one
    return np.bincount(keys, minlength=k * k).reshape(k, k)


class _Counter:
    """Adds up pairs of labels below 2ᵇⁱᵗˢ; works in memory that it keeps."""

    def __init__(self, t: np.dtype[Any], p: np.dtype[Any], bits: int) -> None:
        self.bits = bits
        self.types = t, p
        self.cells = np.zeros((1 << bits, 1 << bits), np.int64)
        short = t == p and t.itemsize == 1
        self.bytes = short and bits <= 4
        # a pass over the cells for each chunk must not cost more than the chunk
        self.rows = max(_BYTES if short else CHUNK, self.cells.size)
        wide: Any = np.int64 if t != p or t.kind == "u" else np.promote_types(t, np.int32)
        wide = np.uint16 if short else wide
        self.buffer = np.empty(self.rows, np.uint8 if self.bytes else wide)

    def wider(self, bits: int) -> _Counter:
        """The same counts with room for longer labels."""
        new = _Counter(*self.types, bits)
        k = len(self.cells)
        new.cells[:k, :k] = self.cells
        return new

    def add(self, t: Array, p: Array) -> None:
        """Count some rows, at most `rows` of them unless the counter has just been widened."""
        if self.bytes:
            t, p = t.view(np.uint8), p.view(np.uint8)
        for a, b in zip(chunks(t, self.rows), chunks(p, self.rows), strict=True):
            item = self.buffer[: len(a)]
            if a.dtype == item.dtype:
                np.left_shift(a, self.bits, out=item)
            else:
                np.copyto(item, a, casting="unsafe")
                np.left_shift(item, self.bits, out=item)
            np.bitwise_or(item, b, out=item, dtype=item.dtype, casting="unsafe")
            self._count(item)

    def _count(self, item: Array) -> None:
        """Count pairs; where labels are short several of them as one, told apart at the end."""
        width = 2 * self.bits
        even = len(item) // 4 * 4 if self.bytes else len(item) // 2 * 2
        rest, item, packed = item[even:], item[:even], width
        if self.bits <= 2:
            half = even // 2
            first, second = item[:half], item[half:]
            np.left_shift(first, width, out=first)
            item, packed = np.bitwise_or(first, second, out=first), 2 * width
        longest = packed
        if self.bytes:
            item, longest = item.view(np.uint16), packed + 8
        found = np.bincount(item, minlength=1 << longest)
        if self.bytes:  # each item is two bytes, of `packed` bits that matter
            found = found.reshape(-1, 256)[:, : 1 << packed]
            found = found.sum(0) + np.pad(found.sum(1), (0, (1 << packed) - len(found)))
        if packed > width:
            both = found.reshape(1 << width, 1 << width)
            found = both.sum(0) + both.sum(1)
        flat = self.cells.reshape(-1)
        flat += found
        if len(rest):
            flat += np.bincount(rest, minlength=len(flat))


def sums_by(place: Array, size: int, weights: Array) -> Array:
    """Sums of weights by place, in short stretches whose sums are added without rounding.

    The result depends neither on the order of rows nor on how they are cut into chunks by more
    than 1e-12 of it.
    """
    total, lost = np.zeros(size), np.zeros(size)
    dense = size <= 4 * _WEIGHTS
    for here, weight in zip(chunks(place, _WEIGHTS), chunks(weights, _WEIGHTS), strict=True):
        at: Any = slice(None)
        if not dense:
            at, here = np.unique(here, return_inverse=True)  # noqa: PLW2901
        part = np.bincount(here, weight.astype(np.float64), 0 if size == 0 or not dense else size)
        before = total[at]
        after = before + part
        added = after - before
        lost[at] += (before - (after - added)) + (part - added)
        total[at] = after
    return total + lost

"""Distinct rows and how often each occurs: what every reader reduces its rows to.

Whatever the rows came from (arrays, frames, files, an engine), they are grouped once by all
columns that matter. Tables, paired patterns of several models and counts for curves follow
from the groups; so does every repair of labels, which touches distinct values only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, Self

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural
from chancemeter.tables import Label, in_order

#: What the column of groups is called beside those of truth and models.
GROUPS = "group of the case"

Kind = Literal["text", "integer", "float", "boolean", "date", "other", "mixed", "none"]


@dataclass(frozen=True, eq=False)
class Column:
    """Values of one column in the groups, as places in a list of its distinct values."""

    codes: Array
    """For each group the place in `categories`, or -1 where the value is missing."""
    categories: tuple[Label, ...]
    kind: Kind = "text"
    ordered: bool = False
    """Whether the order of `categories` was declared, and so must be kept."""

    def renamed(self, new: Callable[[Label], Label]) -> Column:
        """The categories after `new`; those that become equal are one category from then on."""
        names = [new(category) for category in self.categories]
        distinct = tuple(dict.fromkeys(names))
        place = {name: i for i, name in enumerate(distinct)}
        to = np.array([place[name] for name in names] + [-1], dtype=np.int64)
        return replace(self, codes=to[self.codes], categories=distinct)

    def without_blanks(self) -> Column:
        """The same, with labels of nothing but blanks as missing."""
        blank = [isinstance(x, str) and not x.strip() for x in self.categories]
        if not any(blank):
            return self
        keep = np.flatnonzero(~np.array(blank))
        to = np.full(len(blank) + 1, -1, np.int64)
        to[keep] = np.arange(len(keep))
        categories = tuple(self.categories[i] for i in keep.tolist())
        kind = self.kind if categories else "none"
        return replace(self, codes=to[self.codes], categories=categories, kind=kind)

    def used(self) -> Column:
        """Without categories that no group has; declared ones stay."""
        if self.ordered:
            return self
        found = np.unique(self.codes[self.codes >= 0])
        to = np.full(len(self.categories) + 1, -1, np.int64)
        to[found] = np.arange(len(found))
        categories = tuple(self.categories[i] for i in found.tolist())
        return replace(self, codes=to[self.codes], categories=categories)

    def sorted(self, order: Sequence[Label] | None = None) -> Column:
        """Categories in `order`, else as declared, else sorted; unused ones of an order stay."""
        if order is None:
            if self.ordered:
                return self
            order = in_order(self.categories)
        place = {label: i for i, label in enumerate(order)}
        to = np.array([place[label] for label in self.categories] + [-1], dtype=np.int64)
        return replace(self, codes=to[self.codes], categories=tuple(order))


@dataclass(frozen=True, eq=False)
class Grouped:
    """Distinct rows of the named columns, with their counts (or sums of weights)."""

    columns: Mapping[str, Column]
    counts: Array
    rows: int
    """How many rows were read: without weights, the sum of the counts."""

    def __post_init__(self) -> None:
        """Refuse counts that do not add up to the rows: an engine that lost some."""
        if self.counted and int(self.counts.sum()) != self.rows:
            what = f"the reader counted {int(self.counts.sum()):,} of {self.rows:,} rows"
            raise InputError(Fault("CM008", what, fix="please report this"))

    def __add__(self, other: Grouped) -> Grouped:
        """Groups of both, matched by their values."""
        if list(self.columns) != list(other.columns):
            saw = f"{', '.join(self.columns)} and {', '.join(other.columns)}"
            raise InputError(Fault("CM101", "groups of different columns cannot be added", saw=saw))
        merged = {
            name: _joined(column, other.columns[name]) for name, column in self.columns.items()
        }
        counts = np.concatenate([self.counts, other.counts])
        return Grouped(merged, counts, self.rows + other.rows).compact()

    def compact(self) -> Self:
        """Equal rows put together, in the order of their codes."""
        if not self.columns:
            total = self.counts.sum(keepdims=True) if self.counts.size else self.counts
            return replace(self, counts=total)
        key = joint([column.codes for column in self.columns.values()])
        if (key[1:] > key[:-1]).all():
            return self
        distinct, first, place = np.unique(key, return_index=True, return_inverse=True)
        counts = np.zeros(len(distinct), self.counts.dtype)
        np.add.at(counts, place.ravel(), self.counts)
        columns = {n: replace(c, codes=c.codes[first]) for n, c in self.columns.items()}
        return replace(self, columns=columns, counts=counts)

    def only(self, *names: str) -> Self:
        """The same rows seen by fewer columns."""
        return replace(self, columns={name: self.columns[name] for name in names}).compact()

    def with_column(self, name: str, column: Column) -> Self:
        """The same rows with one column replaced."""
        return replace(self, columns={**self.columns, name: column})

    def where(self, keep: Array) -> Self:
        """The groups that `keep` marks."""
        columns = {n: replace(c, codes=c.codes[keep]) for n, c in self.columns.items()}
        counts = self.counts[keep]
        rows = int(counts.sum()) if self.counted else self.rows
        return replace(self, columns=columns, counts=counts, rows=rows)

    @property
    def counted(self) -> bool:
        """Whether the counts are rows, and not sums of weights."""
        return self.counts.dtype.kind in "iu"

    def size(self, marked: Array) -> str:
        """How much the marked groups hold, in words: rows, or their weight."""
        found = self.counts[marked].sum().item()
        return plural(found, "row") if isinstance(found, int) else f"rows of weight {found:g}"

    def stack(self, axes: Sequence[str], rows: str, columns: str) -> Array:
        """Counts as an array: the named axes first, then `rows` by `columns`; nothing missing."""
        names = [*axes, rows, columns]
        shape = tuple(len(self.columns[name].categories) for name in names)
        flat = np.ravel_multi_index([self.columns[name].codes for name in names], shape)
        size = int(np.prod(shape))
        if self.counted:
            cells = np.zeros(size, np.int64)
            np.add.at(cells, flat, self.counts)
        else:
            cells = np.bincount(flat, self.counts, minlength=size)
        return cells.reshape(shape)


def joint(codes: Sequence[Array]) -> Array:
    """One number for each row of codes from -1 up: equal where all are, and in their order.

    >>> joint([np.array([0, -1, 0]), np.array([1, 1, -1])]).tolist()
    [5, 2, 3]
    """
    key, size = np.zeros(len(codes[0]), np.int64), 1
    for code in codes:
        base = int(code.max(initial=-1)) + 2
        if size * base >= 2**62:
            found, key = np.unique(key, return_inverse=True)
            key, size = key.ravel(), len(found)
        key = key * base + code + 1
        size *= base
    return key


def _joined(a: Column, b: Column) -> Column:
    """Both codes over one list of categories."""
    if a.categories == b.categories:
        return replace(a, codes=np.concatenate([a.codes, b.codes]))
    categories = tuple(dict.fromkeys([*a.categories, *b.categories]))
    place = {label: i for i, label in enumerate(categories)}
    to_a, to_b = (np.array([place[x] for x in c.categories] + [-1], dtype=np.int64) for c in (a, b))
    kind = a.kind if a.kind == b.kind else _common(a.kind, b.kind)
    codes = np.concatenate([to_a[a.codes], to_b[b.codes]])
    return Column(codes, categories, kind, a.ordered and b.ordered)


def _common(a: Kind, b: Kind) -> Kind:
    if "none" in {a, b}:
        return b if a == "none" else a
    return "mixed"

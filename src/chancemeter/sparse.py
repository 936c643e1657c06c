"""Tables of very many classes: only the cells that occur are kept."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, shorten
from chancemeter.tables import Label, Table, in_order

#: More classes than this are refused even in a sparse table.
MOST_CLASSES = 10_000


@dataclass(frozen=True, eq=False, repr=False)
class SparseTable:
    """Counts of truth against prediction as a list of cells.

    Every measure that diagonal and margins determine takes it as it is.

    >>> from chancemeter import kappa
    >>> t = SparseTable(("a", "b"), np.array([0, 0, 1]), np.array([0, 1, 1]), np.array([20, 5, 25]))
    >>> kappa(t)
    0.8
    """

    labels: tuple[Label, ...]
    truth: Array
    """For each cell the place of its true class."""
    predicted: Array
    """For each cell the place of its predicted class."""
    counts: Array

    @classmethod
    def from_codes(
        cls, labels: Sequence[Label], truth: Array, predicted: Array, weights: Array | None = None
    ) -> SparseTable:
        """Count cases given by the places of their classes."""
        k = len(labels)
        flat = truth.astype(np.int64) * k + predicted
        if weights is None:
            cells, counts = np.unique(flat, return_counts=True)
        else:
            cells, place = np.unique(flat, return_inverse=True)
            counts = np.bincount(place, weights, minlength=len(cells))
        return cls(tuple(labels), cells // k, cells % k, counts)

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.labels)

    @property
    def total(self) -> float:
        """Number of cases."""
        total: float = self.counts.sum().item()
        return total

    def margins(self) -> tuple[Array, Array, Array]:
        """Hits, cases and predictions of each class."""
        same = self.truth == self.predicted
        parts = (
            (self.truth[same], self.counts[same]),
            (self.truth, self.counts),
            (self.predicted, self.counts),
        )
        found = [np.zeros(self.k, self.counts.dtype) for _ in parts]
        for into, (at, counts) in zip(found, parts, strict=True):
            np.add.at(into, at, counts)
        return found[0], found[1], found[2]

    def __add__(self, other: SparseTable) -> SparseTable:
        """Counts of both, classes matched by label."""
        labels = in_order(dict.fromkeys([*self.labels, *other.labels]))
        place = {label: i for i, label in enumerate(labels)}
        to = [np.array([place[x] for x in t.labels]) for t in (self, other)]
        truth = np.concatenate([to[0][self.truth], to[1][other.truth]])
        predicted = np.concatenate([to[0][self.predicted], to[1][other.predicted]])
        counts = np.concatenate([self.counts, other.counts])
        flat, at = np.unique(truth * len(labels) + predicted, return_inverse=True)
        summed = np.zeros(len(flat), counts.dtype)
        np.add.at(summed, at, counts)
        return SparseTable(labels, flat // len(labels), flat % len(labels), summed)

    def confusions(self, most: int = 10) -> list[tuple[Label, Label, float]]:
        """The most frequent errors: true class, predicted class, how often."""
        wrong = np.flatnonzero(self.truth != self.predicted)
        first = wrong[np.argsort(-self.counts[wrong], kind="stable")[:most]]
        return [
            (self.labels[self.truth[i]], self.labels[self.predicted[i]], self.counts[i].item())
            for i in first
        ]

    def to_table(self, most: int = 2_000) -> Table:
        """The same with every cell, if there are not too many."""
        if self.k > most:
            what = f"{self.k:,} classes would need {self.k**2:,} cells"
            fix = f"ask for less, or .to_table(most={self.k}) if there is room for them"
            raise InputError(Fault("CM105", what, saw=f"a limit of {most:,} classes", fix=fix))
        cells = np.zeros((self.k, self.k), self.counts.dtype)
        np.add.at(cells, (self.truth, self.predicted), self.counts)
        return Table(cells, self.labels)

    def __repr__(self) -> str:
        """Sizes, and the worst confusions."""
        worst = shorten((f"{t} → {p} ({n:,})" for t, p, n in self.confusions(3)), 3)
        return (
            f"<sparse table: {self.total:,} cases, {self.k:,} classes, "
            f"{len(self.counts):,} cells; most confused: {worst or 'none'}>"
        )

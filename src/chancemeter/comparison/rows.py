"""Several models on the same rows: the distinct patterns of truth and predictions, counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np

from chancemeter.counts import Array, Counts, as_floats
from chancemeter.errors import Fault, InputError, shorten
from chancemeter.frames.grouped import GROUPS
from chancemeter.resample import Kinds
from chancemeter.tables import Label, Table


@dataclass(frozen=True, eq=False, repr=False)
class SameRows:
    """Patterns of truth and the predictions of all models, and how often each occurs.

    >>> from chancemeter import same_rows
    >>> same_rows(list("aabb"), {"one": list("aabb"), "two": list("abbb")})
    <2 models on the same 4 cases, 2 classes, 3 patterns>
    """

    labels: tuple[Label, ...]
    names: tuple[str, ...]
    truth: Array
    """For each pattern the place of its true class."""
    predicted: Array
    """For each model and pattern the place of the predicted class."""
    counts: Array
    groups: Array | None = None
    """For each pattern the number of its group, where cases come in groups."""

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.labels)

    @property
    def total(self) -> Any:
        """Number of cases."""
        return self.counts.sum().item()

    @cached_property
    def right(self) -> Array:
        """Which model is right on which pattern: ``(patterns, models)``."""
        return (self.predicted == self.truth).T

    @property
    def kinds(self) -> Kinds:
        """The patterns as kinds of cases to draw from; groups are drawn whole."""
        cells = self.truth * self.k + self.predicted
        if self.groups is None:
            return Kinds(self.counts, self.k, cells).only_seen()
        several = int(self.groups.max()) + 1
        tables = np.zeros((several, len(self.names), self.k**2))
        for i, where in enumerate(cells):
            at: Any = self.groups, i, where
            np.add.at(tables, at, self.counts)
        shape = (several, len(self.names), self.k, self.k)
        return Kinds(np.ones(several), self.k, tables=tables.reshape(shape))

    @cached_property
    def table(self) -> Table:
        """The table of each model, with an axis ``model``."""
        cells = Kinds(self.counts, self.k, self.truth * self.k + self.predicted)
        return Table(cells.lay(self.counts[None])[0], self.labels, {"model": self.names})

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """The places of every two models."""
        return list(combinations(range(len(self.names)), 2))

    def only(self, a: int, b: int) -> SameRows:
        """Two of the models."""
        names = self.names[a], self.names[b]
        return replace(self, names=names, predicted=self.predicted[[a, b]])

    def identical(self, a: int, b: int) -> bool:
        """Whether two models predict the same on every case."""
        return bool((self.predicted[a] == self.predicted[b])[self.counts > 0].all())

    def against(self, a: int, b: int) -> Array:
        """Predictions of one model (rows) against those of another (columns)."""
        flat = np.bincount(
            self.predicted[a] * self.k + self.predicted[b], self.counts, minlength=self.k**2
        )
        cells = flat.reshape(self.k, self.k)
        return cells.astype(np.int64) if self.counts.dtype.kind in "iu" else cells

    def of(self, i: int) -> Counts:
        """The counts of one model."""
        return Counts(as_floats(self.table.counts[i]))

    def __repr__(self) -> str:
        """Sizes."""
        models, cases = len(self.names), f"{self.counts.sum():,}"
        groups = "" if self.groups is None else f", {int(self.groups.max()) + 1:,} groups"
        return (
            f"<{models} models on the same {cases} cases, {self.k} classes, "
            f"{len(self.counts):,} patterns{groups}>"
        )


def from_reading(found: Any) -> SameRows:
    """The patterns of a `Reading` of several models on the same rows."""
    grouped = found.patterns
    if grouped is None:
        what, saw = "a comparison needs two models or more", shorten(found.tables)
        fix = "name two columns of predictions: predicted=['forest', 'tree'], or --pred twice"
        if len(getattr(found.table, "axes", {}).get("model", ())) > 1:
            what = "each model has rows of its own: which of them are the same case?"
            fix = "name the cases, id='case' or --id case; or compare different ones: --unpaired"
        raise InputError(Fault("CM511", what, saw=saw, fix=fix))
    columns = dict(grouped.columns)
    group = columns.pop(GROUPS, None)
    truth, *others = columns.values()
    codes = None if group is None else np.unique(group.codes, return_inverse=True)[1]
    return SameRows(
        truth.categories,
        tuple(list(columns)[1:]),
        truth.codes,
        np.stack([column.codes for column in others]),
        grouped.counts,
        codes,
    )


def same_rows(
    y_true: Any,
    predictions: Mapping[str, Any],
    *,
    groups: Any = None,
    weights: Any = None,
    **options: Any,
) -> SameRows:
    """The patterns of several models' predictions for the same cases, given as columns.

    `options` are those of `chancemeter.read`.
    """
    from chancemeter.frames.read import read

    taken = {"true label", "group of case", "weight of case"} & set(predictions)
    if taken:
        raise InputError(Fault("CM402", "that name is taken", saw=shorten(taken)))
    columns = {"true label": y_true, **predictions}
    options = {"true": "true label", "predicted": list(predictions), **options}
    for name, option, column in (
        ("group of case", "group", groups),
        ("weight of case", "weight", weights),
    ):
        if column is not None:
            columns[name], options[option] = column, name
    return from_reading(read(columns, **options))

"""What an experiment found: a stack of tables for every data set. Analyses start here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, plural, quoted
from chancemeter.tables import Label, Table

#: The leading axes of every stack, in this order.
AXES = ("classifier", "repeat", "fold")


@dataclass(frozen=True)
class Failure:
    """A cell that gave no predictions, and why."""

    dataset: str
    classifier: str
    repeat: int
    fold: int
    kind: str
    """``error``, ``time``, ``memory`` or ``crash``."""
    message: str


@dataclass(frozen=True, eq=False)
class Results:
    """One data set: a table for every classifier, repeat and fold."""

    dataset: str
    tables: Table
    """Axes ``classifier``, ``repeat``, ``fold``; repeats and folds count from 1."""
    train: Array
    """Training cases, ``(repeat, fold)``."""
    test: Array
    """Test cases, ``(repeat, fold)``."""
    done: Array
    """Which cells have predictions, ``(classifier, repeat, fold)``; the tables of others are 0."""
    fingerprint: str = ""
    """What the data hold, as a digest."""

    @property
    def classifiers(self) -> tuple[Label, ...]:
        """The entries of the first axis."""
        return tuple(self.tables.axes["classifier"])

    @property
    def complete(self) -> bool:
        """Whether every cell has predictions."""
        return bool(self.done.all())

    def of(self, classifier: str) -> Table:
        """The tables of one classifier, ``(repeat, fold)``."""
        return self.tables.select(classifier=classifier)


@dataclass(frozen=True, eq=False, repr=False)
class Grid:
    """The results of data sets × classifiers.

    >>> t = np.array([[[[8, 2], [1, 9]], [[9, 1], [2, 8]]], [[[7, 3], [3, 7]], [[6, 4], [2, 8]]]])
    >>> iris = results("iris", ["tree", "bayes"], t[:, None], labels=["no", "yes"], train=20)
    >>> g = Grid((iris,))
    >>> g
    <grid of 1 data set × 2 classifiers, 4 of 4 cells>
    >>> g["iris"].of("tree").pool().counts
    array([[17,  3],
           [ 3, 17]])
    """

    results: tuple[Results, ...]
    failures: tuple[Failure, ...] = ()
    design: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}))
    """How cases were divided, as the plan says it."""
    measures: tuple[str, ...] = ()
    """Those that the plan asks for."""

    def __post_init__(self) -> None:
        """All data sets have met the same classifiers."""
        listed = [one.classifiers for one in self.results]
        if any(x != listed[0] for x in listed):
            what = "data sets were given to different classifiers"
            fix = "make one grid for each set of classifiers"
            raise InputError(Fault("CM513", what, fix=fix))

    @classmethod
    def from_store(cls, path: str | Path) -> Grid:
        """What the folder of an experiment holds so far."""
        from chancemeter.experiments.reading import read_grid

        return read_grid(path)

    @property
    def datasets(self) -> tuple[str, ...]:
        """Names, in the order of the plan."""
        return tuple(one.dataset for one in self.results)

    @property
    def classifiers(self) -> tuple[Label, ...]:
        """Names, in the order of the plan."""
        return self.results[0].classifiers if self.results else ()

    @property
    def complete(self) -> bool:
        """Whether every cell has predictions."""
        return all(one.complete for one in self.results)

    def __getitem__(self, dataset: str) -> Results:
        """The results of one data set."""
        for one in self.results:
            if one.dataset == dataset:
                return one
        fix = did_you_mean(dataset, self.datasets, f"one of {', '.join(self.datasets)}")
        what = f"no data set is called {quoted(dataset)}"
        raise UnknownNameError(Fault("CM513", what, fix=fix))

    def __iter__(self) -> Iterator[Results]:
        """One data set after the other."""
        return iter(self.results)

    def __repr__(self) -> str:
        """How large it is, and how far it has come."""
        done = sum(int(one.done.sum()) for one in self.results)
        cells = sum(one.done.size for one in self.results)
        size = f"{plural(len(self.results), 'data set')} × {plural(len(self.classifiers), 'classifier')}"
        failed = f", {plural(len(self.failures), 'failure')}" if self.failures else ""
        return f"<grid of {size}, {done:,} of {plural(cells, 'cell')}{failed}>"


def results(
    dataset: str,
    classifiers: Sequence[str],
    counts: Any,
    *,
    labels: Sequence[Label],
    train: Any,
    test: Any = None,
    done: Any = None,
    fingerprint: str = "",
) -> Results:
    """Results from counts ``(classifier, repeat, fold, k, k)``; `train` for all folds or each."""
    counts = np.asarray(counts)
    shape = counts.shape[:3]
    entries = (tuple(classifiers), *(tuple(range(1, n + 1)) for n in shape[1:]))
    tables = Table(counts, tuple(labels), dict(zip(AXES, entries, strict=True)))
    known = np.ones(shape, bool) if done is None else np.asarray(done, bool)
    tested = counts.sum((-2, -1)).max(0) if test is None else test
    sizes = (np.broadcast_to(np.asarray(x), shape[1:]) for x in (train, tested))
    return Results(dataset, tables, *sizes, known, fingerprint)

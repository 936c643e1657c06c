"""What an experiment found: a stack of tables for every data set. Analyses start here."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, plural, quoted
from chancemeter.experiments.store import FILE, Store, unpack
from chancemeter.tables import Label, Table, in_order

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
        path = Path(path)
        with Store(path.parent if path.name == FILE else path) as store:
            return grid_of(store)

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
    sizes = [np.broadcast_to(np.asarray(x), shape[1:]) for x in (train, tested)]
    return Results(dataset, tables, sizes[0], sizes[1], known, fingerprint)


def grid_of(store: Store) -> Grid:
    """The grid of an open store, data sets and classifiers in the order of the plan."""
    about = store.about()
    classifiers = _named(store, "SELECT digest, name FROM classifiers ORDER BY place, name")
    datasets = _named(store, "SELECT fingerprint, name FROM datasets ORDER BY place, name")
    found = tuple(_results(store, digest, name, classifiers) for digest, name in datasets.items())
    failed = store.rows(
        "SELECT dataset, classifier, repeat, fold, kind, message FROM failures "
        "ORDER BY dataset, classifier, repeat, fold"
    )
    order = {name: i for i, name in enumerate([*datasets.values(), *classifiers.values()])}
    failures = [Failure(datasets[d], classifiers[c], *rest) for d, c, *rest in failed]
    failures.sort(key=lambda x: (order[x.dataset], order[x.classifier], x.repeat, x.fold))
    design = MappingProxyType(about.get("design", {}))
    return Grid(found, tuple(failures), design, tuple(about.get("measures", ())))


def _named(store: Store, sql: str) -> dict[str, str]:
    return dict(store.rows(sql))


def _results(store: Store, digest: str, name: str, classifiers: dict[str, str]) -> Results:
    """The stack of one data set; labels that were never seen come after its own."""
    ((known,),) = store.rows("SELECT labels FROM datasets WHERE fingerprint = ?", [digest])
    splits = store.rows(
        "SELECT repeat, fold, train, test FROM splits WHERE dataset = ? ORDER BY repeat, fold",
        [digest],
    )
    cells = store.rows(
        "SELECT classifier, repeat, fold, counts, strange FROM cells WHERE dataset = ? "
        "ORDER BY classifier, repeat, fold",
        [digest],
    )
    labels = json.loads(known)
    own = len(labels)
    strange = in_order({x for *_, more in cells for x in json.loads(more)})
    labels += strange
    shape: tuple[Any, ...] = (len(classifiers), *_shape(splits))
    counts = np.zeros((*shape, len(labels), len(labels)), np.int64)
    done, sizes = np.zeros(shape, bool), np.zeros((2, *shape[1:]), np.int64)
    for repeat, fold, *sides in splits:
        sizes[:, repeat - 1, fold - 1] = [len(unpack(x)) for x in sides]
    place = {classifier: i for i, classifier in enumerate(classifiers)}
    for classifier, repeat, fold, sparse, more in cells:
        at = place[classifier], repeat - 1, fold - 1
        to = [*range(own), *(labels.index(x, own) for x in json.loads(more))]
        done[at] = True
        for truth, predicted, n in json.loads(sparse):
            counts[(*at, to[truth], to[predicted])] = n
    names = list(classifiers.values())
    more_of: dict[str, Any] = {
        "train": sizes[0],
        "test": sizes[1],
        "done": done,
        "fingerprint": digest,
    }
    return results(name, names, counts, labels=labels, **more_of)


def _shape(splits: list[tuple[Any, ...]]) -> tuple[int, int]:
    return max((r for r, *_ in splits), default=0), max((f for _, f, *_ in splits), default=0)

"""From the store to a grid."""

from __future__ import annotations

import json
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from chancemeter.experiments.grid import Failure, Grid, Results, results
from chancemeter.experiments.store import FILE, Store, unpack
from chancemeter.tables import in_order


def read_grid(path: str | Path) -> Grid:
    """The grid of the store in a folder (or of its file)."""
    path = Path(path)
    with Store(path.parent if path.name == FILE else path) as store:
        return grid_of(store)


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
    return dict(store.rows(sql))  # type: ignore[arg-type]


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
    more_of = {"train": sizes[0], "test": sizes[1], "done": done, "fingerprint": digest}
    return results(name, names, counts, labels=labels, **more_of)


def _shape(splits: list[tuple[Any, ...]]) -> tuple[int, int]:
    return max((r for r, *_ in splits), default=0), max((f for _, f, _ in splits), default=0)

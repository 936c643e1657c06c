"""Stores of shards, put together; and how far a store has come."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from chancemeter.errors import Fault, InputError, plural, printable
from chancemeter.experiments.kept import write_values
from chancemeter.experiments.run import locked
from chancemeter.experiments.store import PARTS, Key, Store

_KEY = "dataset, classifier, design, repeat, fold"
#: Tables that are added up; what is there already stays.
_ADDED = ("datasets", "classifiers", "splits", "cells", "timings", "warnings", "parts")


@dataclass(frozen=True)
class Status:
    """How many cells each classifier has on each data set."""

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    folds: dict[str, int]
    """Of each data set, in all repeats."""
    done: dict[tuple[str, str], int]
    failed: dict[tuple[str, str], int]
    parts: int

    @property
    def cells(self) -> int:
        """That there are to be."""
        return sum(self.folds.values()) * len(self.classifiers)


def status(folder: str | Path) -> Status:
    """How far the experiment in a folder has come."""
    with Store(folder) as store:
        names = [
            tuple(name for (name,) in store.rows(sql))
            for sql in (
                "SELECT name FROM datasets ORDER BY place, name",
                "SELECT name FROM classifiers ORDER BY place, name",
            )
        ]
        counted = [
            {(d, c): n for d, c, n in store.rows(sql)}
            for sql in (_per_pair("cells"), _per_pair("failures"))
        ]
        folds = dict(
            store.rows(
                "SELECT d.name, count(*) FROM splits s JOIN datasets d "
                "ON d.fingerprint = s.dataset GROUP BY d.name"
            )
        )
        ((parts,),) = store.rows("SELECT count(*) FROM parts")
    return Status(names[0], names[1], folds, counted[0], counted[1], parts)


def _per_pair(table: str) -> str:
    """Counts by the names of data set and classifier; `table` is ours."""
    return (
        f"SELECT d.name, c.name, count(*) FROM {table} x "  # noqa: S608
        "JOIN datasets d ON d.fingerprint = x.dataset "
        "JOIN classifiers c ON c.digest = x.classifier GROUP BY d.name, c.name"
    )


def merge(into: str | Path, others: Sequence[str | Path]) -> Status:
    """Add the cells of other stores; nothing that is there changes, and nothing is there twice."""
    into = Path(into)
    for other in others:
        if Path(other).resolve() == into.resolve():
            what = "a folder cannot be merged into itself"
            raise InputError(Fault("CM713", what, printable(into, 200), fix="name another"))
        Store(other).close()  # all are there before anything is written
    with Store(into, create=True) as store, locked(into, ""):
        for other in others:
            with Store(other) as source:
                _check(store, source)
                _copy(store, source)
        found = status(into)
        if sum(found.done.values()) + sum(found.failed.values()) == found.cells:
            write_values(store)
    return found


def _check(store: Store, source: Store) -> None:
    """Refuse stores that do not fit together."""
    where = printable(source.folder, 200)
    mine, theirs = store.about(), source.about()
    faults = []
    if mine.get("design", theirs.get("design")) != theirs.get("design"):
        fix = "merge only stores that were begun with the same plan"
        faults.append(Fault("CM713", "the designs differ", where, fix=fix))
    for table, digest, thing in (
        ("datasets", "fingerprint", "data set"),
        ("classifiers", "digest", "classifier"),
    ):
        sql = f"SELECT name, {digest} FROM {table}"  # noqa: S608  names of ours
        known = dict(store.rows(sql))
        changed = [x for x, d in source.rows(sql) if known.get(x, d) != d]
        if changed:
            what = f"{plural(len(changed), thing)} under the same name, but not the same"
            faults.append(Fault("CM713", what, where, ", ".join(map(printable, changed))))
    same = f"SELECT {_KEY}, counts, strange FROM cells"  # noqa: S608
    cells = {row[:5]: row[5:] for row in store.rows(same)}
    other = [row[:5] for row in source.rows(same) if cells.get(row[:5], row[5:]) != row[5:]]
    if other:
        what = f"{plural(len(other), 'cell')} with other results in both folders"
        saw = f"the first in repeat {other[0][3]}, fold {other[0][4]}"
        fix = "were they run with different versions? keep one of the two"
        faults.append(Fault("CM713", what, where, saw, fix))
    if faults:
        raise InputError(*faults)


def _copy(store: Store, source: Store) -> None:
    """First the files, then, in one transaction, all rows."""
    for (part,) in source.rows("SELECT name FROM parts"):
        target = store.folder / PARTS / part
        if not target.exists():
            aside = target.with_suffix(".tmp")
            shutil.copyfile(source.folder / PARTS / part, aside)
            aside.replace(target)
    with store.writing():
        store.tell({key: x for key, x in source.about().items() if key not in store.about()})
        for table in _ADDED:
            rows = source.rows(f"SELECT * FROM {table}")  # noqa: S608  names of ours
            if rows:
                marks = ", ".join("?" * len(rows[0]))
                store.many(f"INSERT OR IGNORE INTO {table} VALUES ({marks})", rows)  # noqa: S608
        known = store.keys("cells")
        rows = [row for row in source.rows("SELECT * FROM failures") if Key(*row[:5]) not in known]
        store.many("INSERT OR IGNORE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
        store.many(
            f"DELETE FROM failures WHERE ({_KEY}) = (?, ?, ?, ?, ?)",  # noqa: S608
            [key.values for key in known],
        )

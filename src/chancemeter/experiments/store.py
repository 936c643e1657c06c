"""The folder of an experiment: one SQLite file that a kill at any moment cannot corrupt.

Write-ahead log, `synchronous=FULL`, keys that make a second writing of the same cell harmless.
Predictions are Parquet parts that are written aside, renamed, and registered afterwards in the
same transaction as their cells: what is registered is there, and what is not is swept away.
"""

from __future__ import annotations

import json
import os
import sqlite3
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, printable
from chancemeter.tables import Label

FILE = "experiment.sqlite"
PARTS = "predictions"
#: Raised whenever an older chancemeter could misread what this one writes.
VERSION = 1
#: Tells an experiment from any other SQLite file ("chme").
_APPLICATION = 0x63686D65
#: Milliseconds to wait for another process that writes.
_PATIENCE = 30_000
_SCHEMA = """
CREATE TABLE about (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE datasets (
  fingerprint TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, place INTEGER NOT NULL,
  labels TEXT NOT NULL, rows INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE classifiers (
  digest TEXT PRIMARY KEY, name TEXT NOT NULL UNIQUE, place INTEGER NOT NULL,
  spec TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE splits (
  dataset TEXT NOT NULL, design TEXT NOT NULL, repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
  digest TEXT NOT NULL, train BLOB NOT NULL, test BLOB NOT NULL,
  PRIMARY KEY (dataset, design, repeat, fold)) WITHOUT ROWID;
CREATE TABLE cells (
  dataset TEXT NOT NULL, classifier TEXT NOT NULL, design TEXT NOT NULL,
  repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
  counts TEXT NOT NULL, strange TEXT NOT NULL, part TEXT,
  PRIMARY KEY (dataset, classifier, design, repeat, fold)) WITHOUT ROWID;
CREATE TABLE failures (
  dataset TEXT NOT NULL, classifier TEXT NOT NULL, design TEXT NOT NULL,
  repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
  kind TEXT NOT NULL, message TEXT NOT NULL,
  PRIMARY KEY (dataset, classifier, design, repeat, fold)) WITHOUT ROWID;
CREATE TABLE parts (name TEXT PRIMARY KEY, cells INTEGER NOT NULL, rows INTEGER NOT NULL)
  WITHOUT ROWID;
CREATE TABLE warnings (
  dataset TEXT NOT NULL, classifier TEXT NOT NULL, design TEXT NOT NULL,
  repeat INTEGER NOT NULL, fold INTEGER NOT NULL, message TEXT NOT NULL,
  PRIMARY KEY (dataset, classifier, design, repeat, fold)) WITHOUT ROWID;
CREATE TABLE timings (
  dataset TEXT NOT NULL, classifier TEXT NOT NULL, design TEXT NOT NULL,
  repeat INTEGER NOT NULL, fold INTEGER NOT NULL,
  fit REAL, predict REAL, at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
  PRIMARY KEY (dataset, classifier, design, repeat, fold)) WITHOUT ROWID;
"""


@dataclass(frozen=True, order=True)
class Key:
    """Which cell: digests of what was used, and which fold."""

    dataset: str
    classifier: str
    design: str
    repeat: int
    fold: int

    @property
    def values(self) -> tuple[str, str, str, int, int]:
        """As the columns of the store."""
        return self.dataset, self.classifier, self.design, self.repeat, self.fold


@dataclass(frozen=True)
class Done:
    """A cell that has predictions."""

    key: Key
    counts: tuple[tuple[int, int, int], ...]
    """Truth, prediction and how many; places in the labels of the data set, then in `strange`."""
    strange: tuple[Label, ...] = ()
    """Labels that were predicted and are none of the data set's."""
    fit: float = 0.0
    predict: float = 0.0


@dataclass(frozen=True)
class Failed:
    """A cell that has none."""

    key: Key
    kind: str
    message: str


class Store:
    """An open store; use it in a ``with`` block."""

    def __init__(self, folder: str | Path, *, create: bool = False) -> None:
        """Open the store in `folder`, or begin one."""
        self.folder = Path(folder)
        self.path = self.folder / FILE
        if not create and not self.path.is_file():
            what, fix = "there is no experiment here", "chancemeter bench run PLAN.toml begins one"
            raise InputError(Fault("CM709", what, printable(self.folder, 200), fix=fix))
        with self._said():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._db = self._connect()
        try:
            with self._said():
                self._begin(create=create)
        except BaseException:
            self._db.close()
            raise

    def _connect(self) -> sqlite3.Connection:
        """A connection; read-only where the folder cannot be written."""
        if os.access(self.folder, os.W_OK) and (
            not self.path.exists() or os.access(self.path, os.W_OK)
        ):
            return sqlite3.connect(self.path, timeout=_PATIENCE / 1000, isolation_level=None)
        address = f"{self.path.resolve().as_uri()}?mode=ro&immutable=1"
        return sqlite3.connect(address, uri=True, isolation_level=None)

    def _begin(self, *, create: bool) -> None:
        """Check whose file it is; make the tables of a new one."""
        (application,) = self._db.execute("PRAGMA application_id").fetchone()
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
        if tables and application != _APPLICATION:
            what, fix = "this is no experiment of chancemeter", "name another folder: --out FOLDER"
            raise InputError(Fault("CM709", what, printable(self.path, 200), fix=fix))
        if version > VERSION:
            what = "the experiment was written by a newer chancemeter"
            saw = f"format {version}; this chancemeter knows formats up to {VERSION}"
            fix = "pip install --upgrade chancemeter"
            raise InputError(Fault("CM709", what, printable(self.path, 200), saw, fix))
        if not create and tables:
            return
        mode = "TRUNCATE" if on_network(self.folder) else "WAL"
        self._db.execute(f"PRAGMA journal_mode={mode}")
        self._db.execute("PRAGMA synchronous=FULL")
        with self.writing():
            (tables,) = self._db.execute("SELECT count(*) FROM sqlite_master").fetchone()
            if not tables:
                for statement in _SCHEMA.split(";\n"):
                    self._db.execute(statement)
                self._db.execute(f"PRAGMA application_id={_APPLICATION}")
                self._db.execute(f"PRAGMA user_version={VERSION}")
        (self.folder / PARTS).mkdir(exist_ok=True)

    @contextmanager
    def _said(self) -> Iterator[None]:
        """Faults of the disk and of the file in plain words."""
        try:
            yield
        except (sqlite3.Error, OSError) as error:
            raise unwritable(self.folder, error) from None

    @contextmanager
    def writing(self) -> Iterator[None]:
        """One transaction: all of it, or nothing."""
        with self._said():
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """All rows of a query."""
        with self._said():
            return self._db.execute(sql, values).fetchall()

    def many(self, sql: str, rows: Iterable[Sequence[Any]]) -> None:
        """The same statement for many rows, inside `writing`."""
        self._db.executemany(sql, rows)

    def about(self) -> dict[str, Any]:
        """What the experiment says of itself: its plan, and what it was run with."""
        return {key: json.loads(value) for key, value in self.rows("SELECT key, value FROM about")}

    def tell(self, about: Mapping[str, Any]) -> None:
        """Keep what the experiment says of itself, inside `writing`."""
        rows = [(key, json.dumps(value, sort_keys=True)) for key, value in about.items()]
        self.many("INSERT OR REPLACE INTO about VALUES (?, ?)", rows)

    def add(self, done: Sequence[Done], failed: Sequence[Failed], part: str | None = None) -> None:
        """Cells and failures in one transaction; a cell that is there already stays as it is."""
        lines = [
            (
                *x.key.values,
                json.dumps(x.counts, separators=(",", ":")),
                json.dumps(x.strange),
                part,
            )
            for x in done
        ]
        times = [(*x.key.values, x.fit, x.predict) for x in done]
        with self.writing():
            self.many("INSERT OR IGNORE INTO cells VALUES (?, ?, ?, ?, ?, ?, ?, ?)", lines)
            self.many(
                "INSERT OR IGNORE INTO timings (dataset, classifier, design, repeat, fold, fit, "
                "predict) VALUES (?, ?, ?, ?, ?, ?, ?)",
                times,
            )
            self.many(
                "DELETE FROM failures WHERE (dataset, classifier, design, repeat, fold) = "
                "(?, ?, ?, ?, ?)",
                [x.key.values for x in done],
            )
            self.many(
                "INSERT OR REPLACE INTO failures VALUES (?, ?, ?, ?, ?, ?, ?)",
                [(*x.key.values, x.kind, x.message) for x in failed],
            )
            if part is not None:
                sizes = (part, len(done), sum(n for x in done for _, _, n in x.counts))
                self.many("INSERT OR IGNORE INTO parts VALUES (?, ?, ?)", [sizes])

    def keys(self, table: str) -> set[Key]:
        """The cells that `table` (cells or failures) holds."""
        listed = "SELECT dataset, classifier, design, repeat, fold FROM "
        known = {"cells": listed + "cells", "failures": listed + "failures"}
        return {Key(*row) for row in self.rows(known[table])}

    def sweep(self, prefix: str = "") -> int:
        """Remove parts that no cell knows: their writer was killed before it registered them.

        Others may be writing at this moment: `prefix` names the parts of the writer that is not.
        """
        known = {name for (name,) in self.rows("SELECT name FROM parts")}
        found = (self.folder / PARTS).glob(f"{prefix}*")
        gone = [p for p in found if p.name not in known]
        for path in gone:
            path.unlink(missing_ok=True)
        return len(gone)

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def __enter__(self) -> Self:
        """Open until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()


def pack(places: Array) -> bytes:
    """Places of cases, small."""
    return zlib.compress(np.ascontiguousarray(places, "<u4").tobytes())


def unpack(raw: bytes) -> Array:
    """What `pack` made small.

    >>> unpack(pack(np.array([1, 5, 2]))).tolist()
    [1, 5, 2]
    """
    return np.frombuffer(zlib.decompress(raw), "<u4").astype(np.intp)


def unwritable(folder: Path, error: Exception) -> InputError:
    """What to say when the disk or the file fails."""
    text = str(error)
    where = printable(folder, 200)
    if "full" in text or "No space" in text:
        what = "the disk is full; every cell finished before is kept"
        fix = "make room, then give the same command again: it goes on where it stopped"
    elif "locked" in text or "busy" in text:
        what, fix = "another process has been writing for too long", "give the command again"
    elif "not a database" in text or "malformed" in text:
        what, fix = "the file of the experiment is damaged", "take it from a copy, or begin anew"
        return InputError(Fault("CM709", what, where, printable(text), fix))
    else:
        what, fix = "the experiment cannot be written", "check the folder and who may write there"
    return InputError(Fault("CM712", what, where, printable(text), fix))


def on_network(folder: Path) -> bool:
    """Whether a folder is mounted from elsewhere, where a write-ahead log is not safe."""
    try:
        mounts = Path("/proc/mounts").read_text("utf-8", "replace").splitlines()
        here = folder.resolve()
    except OSError:
        return False
    kinds = {
        Path(words[1].encode().decode("unicode_escape")): words[2]
        for words in map(str.split, mounts)
        if len(words) > 2
    }
    near = next((kinds[p] for p in (here, *here.parents) if p in kinds), "")
    return near.startswith(("nfs", "cifs", "smb", "lustre", "fuse.sshfs", "9p", "gpfs", "beegfs"))

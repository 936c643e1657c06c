"""What finished cells leave: predictions in Parquet parts, then their rows in the store.

A thread of its own writes, so that a long cell does not keep the ones before it from the disk.
"""

from __future__ import annotations

import os
import queue
import secrets
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from chancemeter.experiments.cell import Result
from chancemeter.experiments.data import Data
from chancemeter.experiments.store import PARTS, Done, Failed, Key, Store, unwritable
from chancemeter.tables import plain

#: Seconds that a finished cell waits for others, at least and at most; more in longer runs.
_SOON, _LATE = 1.0, 30.0
#: Predictions that are kept in memory at most.
_MOST_ROWS = 500_000


class Writer:
    """Takes results from any thread; `close` returns when all are on the disk."""

    def __init__(self, folder: Path, prefix: str, data: Sequence[Data]) -> None:
        """Begin to listen."""
        self._folder, self._prefix = folder, prefix
        self._data = {one.fingerprint: one for one in data}
        self._queue: queue.SimpleQueue[Result | None] = queue.SimpleQueue()
        self._began = time.monotonic()
        self.error: BaseException | None = None
        """What went wrong with the disk; nothing is written any more."""
        self._thread = threading.Thread(target=self._listen, name="chancemeter-writer")
        self._thread.start()

    def put(self, result: Result) -> None:
        """Hand over a result."""
        self._queue.put(result)

    def close(self) -> None:
        """Write what is left; raise what went wrong."""
        self._queue.put(None)
        self._thread.join()
        if self.error is not None:
            raise self.error

    def _listen(self) -> None:
        try:
            with Store(self._folder) as store:
                while self._gather(store):
                    pass
        except BaseException as error:  # noqa: BLE001  raised by `close`
            self.error = error

    def _gather(self, store: Store) -> bool:
        """Collect results for a moment and write them; False after the last."""
        first = self._queue.get()
        if first is None:
            return False
        found, rows = [first], _rows(first)
        until = time.monotonic() + min(max(_SOON, (time.monotonic() - self._began) / 100), _LATE)
        more = True
        while more and rows < _MOST_ROWS and (left := until - time.monotonic()) > 0:
            try:
                result = self._queue.get(timeout=left)
            except queue.Empty:
                break
            if result is None:
                more = False
            else:
                found.append(result)
                rows += _rows(result)
        self._write(store, found)
        return more

    def _write(self, store: Store, found: list[Result]) -> None:
        """First the predictions, then, in one transaction, all that depends on them."""
        done = [r.outcome for r in found if isinstance(r.outcome, Done)]
        failed = [r.outcome for r in found if isinstance(r.outcome, Failed)]
        part = None
        kept = [r for r in found if r.predicted is not None]
        if kept:
            part = f"{self._prefix}{secrets.token_hex(8)}.parquet"
            try:
                write_part(self._folder / PARTS / part, kept, self._data)
            except OSError as error:
                raise unwritable(self._folder, error) from None
        store.add(done, failed, part)
        said = [(*r.outcome.key.values, r.said) for r in found if r.said]
        if said:
            with store.writing():
                store.many("INSERT OR REPLACE INTO warnings VALUES (?, ?, ?, ?, ?, ?)", said)


def _rows(result: Result) -> int:
    return 0 if result.predicted is None else len(result.predicted.rows)


def write_part(path: Path, results: Sequence[Result], data: dict[str, Data]) -> None:
    """Predictions in a file that appears as a whole or not at all."""
    import pyarrow.parquet as pq

    table = _table(results, data)
    aside = path.with_suffix(".tmp")
    with aside.open("wb") as file:
        pq.write_table(table, file, compression="zstd")
        file.flush()
        os.fsync(file.fileno())
    aside.replace(path)
    if os.name == "posix":  # the new name is on the disk too
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _table(results: Sequence[Result], data: dict[str, Data]) -> Any:
    """One row a tested case."""
    import pyarrow as pa

    columns: dict[str, list[Any]] = {name: [] for name in _COLUMNS}
    for result in results:
        said, key = result.predicted, result.outcome.key
        if said is None or not isinstance(result.outcome, Done):
            continue
        one, n = data[key.dataset], len(said.rows)
        names = [str(plain(x)) for x in (*one.labels, *result.outcome.strange)]
        kind = said.kind if said.scores is not None else None
        for name, value in zip(_KEYS, key.values, strict=True):
            columns[name].append(_repeated(value, n))
        columns["row"].append(pa.array(said.rows, pa.int64()))
        columns["truth"].append(_words(one.y[said.rows], names))
        columns["predicted"].append(_words(said.codes, names))
        columns["scores"].append(_lists(said.scores, n))
        columns["score_kind"].append(_repeated(kind, n))
    types = _COLUMNS
    return pa.table(
        {name: pa.chunked_array(parts, _type(types[name])) for name, parts in columns.items()}
    )


_KEYS = tuple(Key.__dataclass_fields__)
_COLUMNS = {
    **dict.fromkeys(_KEYS[:3], "words"),
    **dict.fromkeys(_KEYS[3:], "int32"),
    "row": "int64",
    "truth": "words",
    "predicted": "words",
    "scores": "list",
    "score_kind": "words",
}


def _type(name: str) -> Any:
    import pyarrow as pa

    special = {"words": pa.dictionary(pa.int32(), pa.string()), "list": pa.list_(pa.float64())}
    return special.get(name) or getattr(pa, name)()


def _repeated(value: Any, n: int) -> Any:
    import pyarrow as pa

    if isinstance(value, int):
        return pa.array(np.full(n, value, np.int32))
    return _words(np.full(n, -1 if value is None else 0), [value or ""])


def _words(codes: Any, names: list[str]) -> Any:
    import pyarrow as pa

    places = pa.array(np.asarray(codes, np.int32), mask=np.asarray(codes) < 0)
    return pa.DictionaryArray.from_arrays(places, pa.array(names, pa.string()))


def _lists(scores: Any, n: int) -> Any:
    import pyarrow as pa

    if scores is None:
        return pa.nulls(n, pa.list_(pa.float64()))
    edges = np.arange(n + 1, dtype=np.int32) * scores.shape[1]
    return pa.ListArray.from_arrays(pa.array(edges), pa.array(scores.ravel()))

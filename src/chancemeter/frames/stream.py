"""Counting as labels come: batches of a training loop, chunks of a file, parts of a cluster."""

from __future__ import annotations

import io
import json
import os
import zipfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural, quoted, shorten
from chancemeter.labels import MAX_CLASSES, check_size, count, declared
from chancemeter.tables import Label, Table, distinct, in_order

_VERSION = 1
_CELLS = ("counts", "sums", "lost")
#: Labels that JSON keeps as they are.
_PLAIN = (str, int, float, bool)
_WORDS = {"truth values": bool, "whole numbers": int, "decimal numbers": float, "text": str}


class Tally:
    """A table that grows with every `update`; however rows are cut and merged, it is the same.

    >>> tally = Tally()
    >>> tally.update(["a", "b"], ["a", "a"]).update(["b"], ["b"]).table
    3 cases, rows truth, columns prediction
       a  b
    a  1  0
    b  1  1

    Tallies of several processes are added with ``a + b``; `save` and `load` keep one in a file.
    """

    def __init__(
        self, labels: Iterable[Label] | None = None, *, max_classes: int = MAX_CLASSES
    ) -> None:
        """With `labels`, only these may occur, and they stand in this order."""
        self.labels = None if labels is None else distinct(labels)
        """The declared labels, if any."""
        self.max_classes = max_classes
        self.cases = 0
        """How many cases have been counted."""
        self._kind = ""
        self._place: dict[Label, int] = {}
        self._counts = np.zeros((0, 0), np.int64)
        # Sums of weights, and what rounding took from them: together exact to 1e-15.
        self._sums: Array | None = None
        self._lost: Array | None = None
        if self.labels is not None:
            check_size(len(self.labels), 0, max_classes)
            self._grow(self.labels)

    def update(self, y_true: Any, y_pred: Any, weights: Any = None) -> Tally:
        """Count some more cases; none at all is fine. What is wrong changes nothing."""
        found = count(y_true, y_pred, weights, max_classes=self.max_classes, least=0)
        if not found.cases:
            return self
        if self._kind and found.kind != self._kind:
            what = "these labels are of another kind than those counted so far"
            known = shorten(map(repr, self._known()), 3)
            saw = f"{found.kind} ({shorten(map(repr, found.classes), 3)}) after {self._kind} ({known})"
            fix = "1, 1.0, True and '1' are not merged silently: convert one of them"
            raise InputError(Fault("CM104", what, saw=saw, fix=fix))
        counts = found.counts if found.sums is None else found.sums
        self._add(found.classes, counts)
        self._kind = found.kind
        self.cases += found.cases
        return self

    @property
    def table(self) -> Table:
        """What has been counted so far: classes as declared, else sorted."""
        if not self.cases:
            fix = "update(y_true, y_pred) first"
            raise InputError(Fault("CM002", "nothing has been counted yet", fix=fix))
        order = self._known()
        to = [self._place[label] for label in order]
        both = np.ix_(to, to)
        if self._sums is None or self._lost is None:
            return Table(self._counts[both], order)
        return Table((self._counts + (self._sums + self._lost))[both], order)

    def merge(self, other: Tally) -> Tally:
        """Add what another tally has counted."""
        if other.labels is not None and self.labels is not None and self.labels != other.labels:
            what = "tallies with different declared labels cannot be merged"
            saw = f"{shorten(self.labels)} · {shorten(other.labels)}"
            raise InputError(Fault("CM203", what, saw=saw, fix="declare the same for both"))
        if self._kind and other._kind and self._kind != other._kind:
            what = "tallies of different kinds of labels cannot be merged"
            fix = "1, 1.0, True and '1' are not merged silently: convert one side"
            raise InputError(Fault("CM104", what, saw=f"{self._kind} · {other._kind}", fix=fix))
        if self.labels is None and other.labels is not None:
            declared(other.labels, self._known())
        self._add(tuple(other._place), other._counts)
        if other._sums is not None and other._lost is not None:
            self._add(tuple(other._place), other._sums)
            self._add(tuple(other._place), other._lost)
        self.labels = self.labels or other.labels
        self._kind = self._kind or other._kind
        self.cases += other.cases
        return self

    def __add__(self, other: Tally) -> Tally:
        """A new tally of the cases of both."""
        if not isinstance(other, Tally):
            return NotImplemented
        new = Tally(self.labels, max_classes=max(self.max_classes, other.max_classes))
        return new.merge(self).merge(other)

    def __radd__(self, other: object) -> Tally:
        """Let ``sum(tallies)`` start from 0."""
        return self if other == 0 else NotImplemented

    def __eq__(self, other: object) -> bool:
        """The same declared labels, cases and table."""
        if not isinstance(other, Tally):
            return NotImplemented
        if (self.labels, self.cases) != (other.labels, other.cases):
            return False
        return not self.cases or self.table == other.table

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        """How much has been counted."""
        classes = plural(len(self._place), "class", "classes")
        return f"<tally of {plural(self.cases, 'case')}, {classes}>"

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and words, fit for JSON; `from_dict` reads it back."""
        order = self._known()
        strange = [x for x in order if type(x) not in _PLAIN or x in {np.inf, -np.inf}]
        if strange:
            what = "these labels cannot be saved"
            fix = "use text or numbers as labels"
            raise InputError(Fault("CM009", what, saw=shorten(map(repr, strange)), fix=fix))
        both = np.ix_(*[[self._place[label] for label in order]] * 2)
        state: dict[str, Any] = {
            "chancemeter": "tally",
            "version": _VERSION,
            "labels": list(order),
            "declared": self.labels is not None,
            "max_classes": self.max_classes,
            "cases": self.cases,
            "rows": "truth",
            "counts": self._counts[both].tolist(),
        }
        if self._sums is not None and self._lost is not None:
            state |= {"sums": self._sums[both].tolist(), "lost": self._lost[both].tolist()}
        return state

    @classmethod
    def from_dict(cls, state: Mapping[str, Any], where: str = "the tally") -> Tally:
        """What `to_dict` wrote; anything that does not fit together is refused."""
        if not isinstance(state, Mapping) or state.get("chancemeter") != "tally":
            fix = "give a file that Tally.save wrote, or a dict of Tally.to_dict"
            raise InputError(Fault("CM201", "this is no saved tally", where, fix=fix))
        if state.get("version") != _VERSION:
            saw = f"version {state.get('version')!r}, known is {_VERSION}"
            raise InputError(Fault("CM201", "a tally of another version", where, saw))
        try:
            return cls._read(state)
        except (InputError, KeyError, TypeError, ValueError, OverflowError) as error:
            told = error.faults[0].what if isinstance(error, InputError) else repr(error)
            what, fix = "this tally is damaged", "count anew"
            raise InputError(Fault("CM201", what, where, told, fix)) from None

    @classmethod
    def _read(cls, state: Mapping[str, Any]) -> Tally:
        labels, cases = state["labels"], state["cases"]
        if not isinstance(labels, list) or not all(type(x) in _PLAIN for x in labels):
            raise TypeError("labels")
        kinds = {type(x) for x in labels}
        if len(kinds) > 1 or not _whole(cases) or not _whole(state["max_classes"]):
            raise TypeError("labels or cases")
        new = cls(labels if state["declared"] is True else None, max_classes=state["max_classes"])
        order = distinct(labels)
        parts = [name for name in _CELLS if name in state]
        if parts not in (["counts"], list(_CELLS)):
            raise KeyError("sums")
        for name in parts:
            cells = np.asarray(state[name])
            if cells.shape != (len(order), len(order)) and not (cells.size == 0 == len(order)):
                raise ValueError(f"{name} of shape {cells.shape}")
            cells = cells.reshape(len(order), len(order))
            right = "f" if name != "counts" else "i"
            wrong = name != "lost" and cells.size and cells.min() < 0
            if (cells.size and cells.dtype.kind != right) or wrong or not np.isfinite(cells).all():
                raise ValueError(f"{name} that cannot be")
            if order:
                new._add(order, cells)
        if len(parts) == 1 and new._counts.size and new._counts.sum(dtype=object) > 2**62:
            raise OverflowError("counts")
        new.cases = cases
        if cases and kinds:
            (kind,) = kinds
            new._kind = next(word for word, known in _WORDS.items() if known is kind)
        return new

    def save(self, path: str | Path) -> None:
        """Write to a file named .json or .npz, all of it or nothing."""
        path = _known_kind(path)
        state = self.to_dict()
        arrays: dict[str, Any] = {x: np.array(state.pop(x)) for x in _CELLS if x in state}
        if path.suffix == ".npz":
            text = io.BytesIO()
            np.savez(text, state=np.frombuffer(json.dumps(state).encode(), np.uint8), **arrays)
            content = text.getvalue()
        else:
            state |= {name: cells.tolist() for name, cells in arrays.items()}
            content = json.dumps(state, allow_nan=False).encode() + b"\n"
        try:
            _write(path, content)
        except OSError as error:
            saw = error.strerror or type(error).__name__
            raise InputError(
                Fault("CM009", "the tally cannot be written", str(path), saw)
            ) from None

    @classmethod
    def load(cls, path: str | Path) -> Tally:
        """What `save` wrote. Nothing in a file is ever run: no pickles."""
        path = _known_kind(path)
        where = str(path)
        try:
            state = _load_npz(path) if path.suffix == ".npz" else _load_json(path)
        except OSError as error:
            saw = error.strerror or type(error).__name__
            raise InputError(Fault("CM001", "the tally cannot be read", where, saw)) from None
        except (ValueError, KeyError, TypeError, RecursionError, EOFError, zipfile.BadZipFile):
            fix = "give a file that Tally.save wrote"
            raise InputError(Fault("CM201", "this is no saved tally", where, fix=fix)) from None
        return cls.from_dict(state, where)

    def _known(self) -> tuple[Label, ...]:
        return in_order(self._place) if self.labels is None else self.labels

    def _grow(self, labels: Iterable[Label]) -> None:
        """Room for labels that are new."""
        new = [label for label in labels if label not in self._place]
        if not new:
            return
        if self.labels is not None:
            declared(self.labels, [*self._place, *new])
        k = len(self._place) + len(new)
        check_size(k, self.cases, self.max_classes)
        for label in new:
            self._place[label] = len(self._place)
        if k > len(self._counts):
            room = min(2 * k, max(k, self.max_classes))
            self._counts = _larger(self._counts, room)
            if self._sums is not None and self._lost is not None:
                self._sums, self._lost = _larger(self._sums, room), _larger(self._lost, room)

    def _add(self, labels: tuple[Label, ...], cells: Array) -> None:
        """Add counts or sums of weights over some labels."""
        self._grow(labels)
        to = [self._place[label] for label in labels]
        k = len(to)
        at = (slice(k), slice(k)) if to == list(range(k)) else np.ix_(to, to)
        cells = cells[:k, :k]
        if cells.dtype.kind != "f":
            self._counts[at] += cells
            return
        if self._sums is None or self._lost is None:
            self._sums, self._lost = np.zeros((2, *self._counts.shape))
        before = self._sums[at]
        after = before + cells
        added = after - before
        self._lost[at] += (before - (after - added)) + (cells - added)
        self._sums[at] = after


def _larger(cells: Array, k: int) -> Array:
    new = np.zeros((k, k), cells.dtype)
    new[: len(cells), : len(cells)] = cells
    return new


def _whole(x: object) -> bool:
    return type(x) is int and 0 <= x < 2**62


def _known_kind(path: str | Path) -> Path:
    path = Path(path)
    if path.suffix in {".json", ".npz"}:
        return path
    what = f"a tally is kept as .json or .npz, not as {quoted(path.suffix or path.name)}"
    raise InputError(Fault("CM003", what, str(path), fix=f"{path.stem or 'tally'}.json"))


def _write(path: Path, content: bytes) -> None:
    """Put a whole new file in the place of `path`, or leave what is there."""
    draft = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    with draft.open("xb") as file:
        try:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
            draft.replace(path)
        finally:
            draft.unlink(missing_ok=True)


def _load_json(path: Path) -> Any:
    return json.loads(path.read_bytes().decode())


def _load_npz(path: Path) -> Any:
    """Read an archive written by `save`; one that unfolds to more than its size is not."""
    with zipfile.ZipFile(path) as archive:
        if any(x.compress_type != zipfile.ZIP_STORED for x in archive.infolist()):
            raise ValueError("compressed")
    with np.load(path, allow_pickle=False) as arrays:
        found = {name: arrays[name] for name in arrays.files}
    state = json.loads(found.pop("state").tobytes().decode())
    return {**state, **found}

"""Columns in memory, as arrays or as a frame, grouped."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from chancemeter.columns import CHUNK, Coded, chunks, read_column
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, did_you_mean, plural, quoted, shorten
from chancemeter.frames.binned import MOST_SCORES, ScoreCounts, score_array
from chancemeter.frames.encode import as_column, encode
from chancemeter.frames.grouped import Column, Grouped
from chancemeter.frames.longform import Long, Wrong, marked
from chancemeter.labels import read_numbers, read_weights
from chancemeter.pairs import count_pairs, sums_by

#: Up to so many possible rows there is a counter for each; of more, for those that occur.
_POSSIBLE = 1 << 22
#: Numbers of possible rows up to this fit in a key of 64 bits.
_KEYS = 1 << 62


class ArraySource:
    """Columns of equal length, each an array, a list or a series of any kind.

    >>> source = ArraySource({"truth": [0, 1, 1], "guess": [0, 1, 1]})
    >>> source.group(["truth", "guess"]).counts.tolist()
    [1, 2]
    """

    def __init__(self, columns: Mapping[Any, Any], name: str = "the arrays") -> None:
        self.name = name
        self._columns = {str(key): column for key, column in columns.items()}
        if len(self._columns) < len(columns):
            raise InputError(_twice(list(map(str, columns)), name))

    def names(self) -> list[str]:
        """The columns, in order."""
        return list(self._columns)

    def raw(self, name: str) -> Any:
        """A column as it was given."""
        self._check_names([name])
        return self._columns[name]

    def group(self, names: Sequence[str], weight: str | None = None) -> Grouped:
        """Distinct rows of the named columns, missing values kept, with counts or weights."""
        self._check_names([*names, *([weight] if weight is not None else [])])
        columns = {x: read_column(self._columns[x], f"column {quoted(x)}") for x in names}
        rows = self._rows(columns, weight)
        return group_columns(columns, rows, self._weights(weight, rows))

    def score_counts(
        self,
        score: str,
        truth: str,
        extra: Sequence[str] = (),
        *,
        weight: str | None = None,
        most: int = MOST_SCORES,
    ) -> ScoreCounts:
        """How often each score occurs with each true label, for curves.

        Above `most` different scores they are counted in bins, and the result says how far off
        that can be.
        """
        names = list(dict.fromkeys([truth, *extra]))
        self._check_names([score, *names, *([weight] if weight is not None else [])])
        columns = {x: read_column(self._columns[x], f"column {quoted(x)}") for x in names}
        rows = self._rows(columns, weight)
        values = self._scores(score, rows)
        column, power = score_array(values, most)
        coded = Coded(column.codes, column.categories, "float")
        grouped = group_columns({score: coded, **columns}, rows, self._weights(weight, rows))
        if power is None:
            return ScoreCounts.of(grouped)
        return ScoreCounts.of_bins(grouped, power)

    def check_ids(self, id: str) -> None:
        """Refuse a case that stands in more than one row, or has no id."""
        self._check_names([id])
        column = encode(self._columns[id], f"column {quoted(id)}")
        times = np.bincount(column.codes[column.codes >= 0], minlength=len(column.categories))
        nameless = int(np.count_nonzero(column.codes < 0))
        Wrong(nameless=nameless, twice=marked(times > 1, column.categories)).judge(self.name)

    def widened(self, long: Long) -> tuple[ArraySource, list[str], list[str]]:
        """The wide form of a long table, its models, and what was left out.

        >>> rows = {"id": [1, 1, 2, 2], "of": list("xyyx"), "t": list("aabb"), "p": list("abbb")}
        >>> long = Long(id="id", model="of", of_case=["t"], predicted="p")
        >>> wide, models, _ = ArraySource(rows).widened(long)
        >>> models, wide.names(), wide.group(models).counts.tolist()
        (['x', 'y'], ['t', 'x', 'y'], [1, 1])
        """
        self._check_names(long.columns)
        self._rows(
            {x: read_column(self._columns[x], f"column {quoted(x)}") for x in long.columns}, None
        )
        ids, of = (
            encode(self._columns[x], f"column {quoted(x)}").sorted() for x in (long.id, long.model)
        )
        nameless = (ids.codes < 0) | (of.codes < 0)
        Wrong(nameless=int(np.count_nonzero(nameless))).judge(self.name, long.model)
        models = long.models(of.categories, self.name)
        m = len(models)
        seen, first, times = np.unique(
            ids.codes.astype(np.int64) * m + of.codes, return_index=True, return_counts=True
        )
        there = np.zeros((len(ids.categories), m), bool)
        there[seen // m, seen % m] = True
        twice = np.zeros(len(ids.categories), bool)
        twice[seen[times > 1] // m] = True
        whole = np.logical_and.reduce(there, 1)
        rows = first[whole[seen // m]].reshape(-1, m)  # of each case, its row of each model
        answered = [x for x, kept in zip(ids.categories, whole.tolist(), strict=True) if kept]
        torn = {}
        for name in dict.fromkeys(long.of_case):
            codes = encode(self._columns[name]).codes[rows]
            torn[name] = marked((codes != codes[:, :1]).any(1), answered)
        lacking = {x: marked(~there[:, j], ids.categories) for j, x in enumerate(models)}
        wrong = Wrong(twice=marked(twice, ids.categories), torn=torn, lacking=lacking)
        notes = wrong.judge(self.name, long.model, drop=long.drop)
        wide = {name: self._taken(name, rows[:, 0]) for name in long.of_case}
        for j, model in enumerate(models):
            for name in (long.predicted, *long.scores):
                wide[long.wide(model, name)] = self._taken(name, rows[:, j])
        return ArraySource(wide, self.name), models, notes

    def _taken(self, name: str, rows: Array) -> Array | Coded:
        """Some rows of a column."""
        column = read_column(self._columns[name], f"column {quoted(name)}")
        if not isinstance(column, Coded):
            return column[rows]
        if column.kind == "float":  # weights and scores stay what they are
            values = np.asarray(self._columns[name])
            if values.dtype.kind == "f":
                return values[rows]
        return replace(column, codes=column.codes[rows])

    def _check_names(self, names: Sequence[str]) -> None:
        known = self.names()
        faults = [
            Fault(
                "CM101",
                f"no column named {quoted(x)}",
                self.name,
                f"columns: {shorten(known, 12)}",
                did_you_mean(x, known),
            )
            for x in dict.fromkeys(names)
            if x not in self._columns
        ]
        if faults:
            raise InputError(*faults)

    def _weights(self, weight: str | None, rows: int) -> Array | None:
        if weight is None:
            return None
        weights, wrong = read_weights(self._columns[weight], rows)
        if wrong:
            place = f"{self.name}, column {quoted(weight)}"
            raise InputError(*(replace(fault, where=place) for fault in wrong))
        return weights

    def _scores(self, score: str, rows: int) -> Array:
        """Finite numbers, one for each row."""
        place = f"{self.name}, column {quoted(score)}"
        values, wrong = read_numbers(self._columns[score], rows, "CM006", "score")
        if values is not None and values.dtype.kind == "b":
            wrong = [Fault("CM006", "scores are numbers", saw="truth values")]
        if values is None or wrong:
            raise InputError(*(replace(fault, where=place) for fault in wrong))
        bad = ~np.isfinite(values)
        if bad.any():
            what = f"{np.count_nonzero(bad):,} of {rows:,} scores are not finite numbers"
            fix = "mend or leave out these rows; a curve needs a number for each case"
            saw = f"such as {values[bad][0]}"
            raise InputError(Fault("CM006", what, place, saw, fix))
        return values

    def _rows(self, columns: Mapping[str, Array | Coded], weight: str | None) -> int:
        lengths = {x: _length(column) for x, column in columns.items()}
        if len(set(lengths.values())) > 1:
            saw = ", ".join(f"{quoted(x)} has {plural(n, 'row')}" for x, n in lengths.items())
            fix = "all columns must be of the same cases in the same order"
            raise InputError(Fault("CM102", "columns are not equally long", self.name, saw, fix))
        if lengths:
            return next(iter(lengths.values()))
        some = self._columns.get(weight or "", next(iter(self._columns.values()), ()))
        return _length(read_column(some))


class FrameSource(ArraySource):
    """A frame of pandas, polars or Arrow, a structured array, or a frame that narwhals knows.

    >>> import pandas as pd
    >>> FrameSource(pd.DataFrame({"truth": ["a", "b"], "guess": ["a", "a"]})).names()
    ['truth', 'guess']
    """

    def __init__(self, frame: Any, name: str = "the frame") -> None:
        columns = columns_of(frame, name)
        if len(dict(columns)) < len(columns):
            raise InputError(_twice([key for key, _ in columns], name))
        super().__init__(dict(columns), name)


def _twice(names: list[str], where: str) -> Fault:
    twice = [x for x in dict.fromkeys(names) if names.count(x) > 1]
    saw = f"columns: {shorten(names, 12)}"
    return Fault("CM101", f"two columns are called {quoted(twice[0])}", where, saw, "rename one")


def _length(column: Array | Coded) -> int:
    return len(column.codes if isinstance(column, Coded) else column)


def columns_of(frame: Any, name: str) -> list[tuple[str, Any]]:
    """Names and columns of any frame; nothing is copied."""
    if type(frame).__module__.startswith("narwhals"):
        frame = frame.to_native()
    home = type(frame).__module__.partition(".")[0]
    if home == "pandas" and hasattr(frame, "iloc") and hasattr(frame, "columns"):
        return [(str(key), frame.iloc[:, i]) for i, key in enumerate(frame.columns)]
    if home == "polars":
        frame = frame.collect() if hasattr(frame, "collect") else frame
        if hasattr(frame, "get_columns"):
            return [(column.name, column) for column in frame.get_columns()]
    if home == "pyarrow" and hasattr(frame, "column_names"):
        return list(zip(frame.column_names, frame.columns, strict=True))
    if isinstance(frame, np.ndarray) and frame.dtype.names:
        return [(key, frame[key]) for key in frame.dtype.names]
    return _by_arrow(frame, name)


def _by_arrow(frame: Any, name: str) -> list[tuple[str, Any]]:
    """The same for anything that speaks Arrow, or that narwhals can make speak it."""
    found = frame
    if not hasattr(frame, "__arrow_c_stream__"):
        try:
            import narwhals as nw

            found = nw.from_native(frame, pass_through=True)
        except ImportError:
            found = frame
        found = found.collect() if hasattr(found, "collect") else found
        found = found.to_arrow() if hasattr(found, "to_arrow") else found
    if hasattr(found, "__arrow_c_stream__"):
        try:
            import pyarrow as pa
        except ImportError:
            what = "a component is not installed"
            fix = "pip install 'chancemeter[frames]'"
            raise InputError(Fault("CM005", what, name, "pyarrow", fix)) from None
        found = pa.table(found)
        return list(zip(found.column_names, found.columns, strict=True))
    fix = "give a dict of columns, or a frame of pandas, polars or Arrow"
    saw = type(frame).__name__
    raise InputError(Fault("CM102", "this is no frame", name, saw, fix))


def group_columns(
    columns: Mapping[str, Array | Coded], rows: int, weights: Array | None = None
) -> Grouped:
    """Distinct rows of columns that `read_column` gave."""
    if not columns:
        total = sums_by(np.zeros(rows, np.int8), 1, weights) if weights is not None else [rows]
        return Grouped({}, np.array(total), rows)
    if len(columns) == 2 and weights is None and rows:
        both = _two(columns, rows)
        if both is not None:
            return both
    encoded = {name: as_column(column) for name, column in columns.items()}
    bases = [len(column.categories) + 1 for column in encoded.values()]  # one more for missing
    possible = math.prod(bases)
    if possible >= _KEYS:
        return _by_steps(encoded, rows, weights)
    if weights is None:
        found, counts = _counted(encoded, bases, possible)
    else:
        keys = _keys([column.codes for column in encoded.values()], bases)
        found, place = np.unique(keys, return_inverse=True)
        counts = sums_by(place, len(found), weights)
    codes = []
    rest = found
    for base in reversed(bases):
        codes.append(rest % base - 1)
        rest = rest // base
    return _grouped(encoded, codes[::-1], counts, rows)


def _two(columns: Mapping[str, Array | Coded], rows: int) -> Grouped | None:
    """Two columns as they are, by the kernel for pairs; None if there are gaps or many labels."""
    for column in columns.values():
        if isinstance(column, Coded) and (column.codes.min() < 0 or column.declared):
            return None
        if isinstance(column, Coded) and column.kind == "date":
            return None
    if len({_kind(column) for column in columns.values()}) > 1:
        return None
    first, second = columns.values()
    try:
        pairs = count_pairs(first, second, check=_few)
    except OverflowError:
        return None
    codes = np.nonzero(pairs.counts)
    counts = pairs.counts[codes]
    named = {}
    for (name, column), places in zip(columns.items(), codes, strict=True):
        own = Coded(places, pairs.classes, _kind(column)).used()
        named[name] = Column(own.codes, own.categories, own.kind)
    return Grouped(named, counts, rows)


def _few(k: int) -> None:
    if k * k > _POSSIBLE:
        raise OverflowError


def _kind(column: Array | Coded) -> Any:
    if isinstance(column, Coded):
        return column.kind
    return "boolean" if column.dtype.kind == "b" else "integer"


def _keys(codes: Sequence[Array], bases: Sequence[int]) -> Array:
    """One number for each row, from 0 up."""
    keys = codes[0].astype(np.int64) + 1
    for more, base in zip(codes[1:], bases[1:], strict=True):
        keys *= base
        keys += more
        keys += 1
    return keys


def _counted(
    columns: Mapping[str, Column], bases: Sequence[int], possible: int
) -> tuple[Array, Array]:
    """The keys that occur, and how often each does."""
    codes = [column.codes for column in columns.values()]
    size = max(CHUNK, possible if possible <= _POSSIBLE else 0)
    parts = zip(*(chunks(x, size) for x in codes), strict=True)
    if possible <= _POSSIBLE:
        cells = np.zeros(possible, np.int64)
        for part in parts:
            cells += np.bincount(_keys(part, bases), minlength=possible)
        found = np.flatnonzero(cells)
        return found, cells[found]
    some = [np.unique(_keys(part, bases), return_counts=True) for part in parts]
    found, place = np.unique(np.concatenate([keys for keys, _ in some]), return_inverse=True)
    counts = np.zeros(len(found), np.int64)
    np.add.at(counts, place, np.concatenate([times for _, times in some]))
    return found, counts


def _by_steps(columns: Mapping[str, Column], rows: int, weights: Array | None) -> Grouped:
    """More possible rows than a key can tell apart: one column after the other."""
    place = np.zeros(rows, np.int64)
    first = np.zeros(0, np.int64)
    for column in columns.values():
        keys = place * (len(column.categories) + 1) + column.codes + 1
        _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    counts = np.bincount(place, minlength=len(first))
    if weights is not None:
        counts = sums_by(place, len(first), weights)
    codes = [column.codes[first].astype(np.int64) for column in columns.values()]
    return _grouped(columns, codes, counts, rows)


def _grouped(
    columns: Mapping[str, Column], codes: Sequence[Array], counts: Array, rows: int
) -> Grouped:
    named = {
        name: Column(places, column.categories, column.kind, column.ordered)
        for (name, column), places in zip(columns.items(), codes, strict=True)
    }
    return Grouped(named, counts, rows)

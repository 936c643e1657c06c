"""What the engine is asked to read: a relation for each kind of file, with its columns.

A reading names the columns ``c0``, ``c1``, … by place, so that no name from a file enters SQL and
names that differ in case only, or occur twice, stay apart.
"""

# ruff: noqa: S608  what enters SQL is made here, or quoted by `literal`

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Protocol

from chancemeter.csvfiles import Dialect
from chancemeter.errors import Fault, InputError, printable, quoted, shorten
from chancemeter.frames.duck import Engine, Field, MiscountedError, literal, plain_path
from chancemeter.frames.paths import File, called, damaged
from chancemeter.frames.textfiles import (
    MAX_LINE,
    codec_of,
    count_lines,
    header_of,
    is_plain,
    rewrite,
)

#: Lines whose keys are the columns of JSON lines.
KEYS_FROM = 10_000
#: Above this many bytes the engine's own word for what is wrong with a CSV file is taken.
SLOWLY = 500_000_000


class Reading(Protocol):
    """Files of one kind as a relation."""

    files: Sequence[File]
    fields: list[Field]
    """The columns, in order; names may occur twice."""

    def relation(self, used: Sequence[Field]) -> str:
        """What stands after FROM, for one query that uses these columns."""

    def rows(self) -> int | None:
        """How many rows there are, where the files say so."""

    def repair(self, error: Exception) -> bool:
        """Try to read more carefully after a failure; whether there is something to try."""

    def explain(self, error: Exception) -> InputError:
        """What a failure means."""


@dataclass(frozen=True)
class _Text:
    """One text file as it is read now."""

    path: str
    """As SQL."""
    names: tuple[str, ...]
    delimiter: str
    compression: str
    rows: int | None = None
    """How many there are, once they were counted."""
    new: bool = False
    """Whether it was written anew."""


class TextReading:
    """CSV and its kin; all values are text."""

    def __init__(
        self,
        files: Sequence[File],
        engine: Engine,
        encoding: str,
        delimiter: str | None,
        most: int | None,
    ) -> None:
        """Read the headers, which must name the same columns."""
        self.files, self._engine, self._most = files, engine, most
        self._encoding = codec_of(encoding)
        self._texts: list[_Text] = []
        for i, file in enumerate(files):
            head = file.head()
            names, mark = header_of(file, head, encoding, delimiter)
            if i:
                same_columns(files[0], self._texts[0].names, file, names)
            text = _Text(plain_path(file.path), tuple(names), mark, file.compression)
            self._texts.append(text)
            if not is_plain(names, head, encoding, mark):
                self._rewrite(i)
        first = self._texts[0].names
        self.fields = [Field(name, f"c{i}", from_text=True) for i, name in enumerate(first)]

    def relation(self, used: Sequence[Field]) -> str:
        """One reader for all files of equal header, delimiter and packing."""
        del used
        alike: dict[_Text, list[str]] = {}
        for text in self._texts:
            alike.setdefault(replace(text, path="", rows=None), []).append(text.path)
        return union(
            (
                csv_reader(paths, len(t.names), t.delimiter, t.compression, new=t.new),
                _places(self._texts[0].names, t.names),
            )
            for t, paths in alike.items()
        )

    def rows(self) -> int:
        """As counted here, not by the engine."""
        for i, (file, text) in enumerate(zip(self.files, self._texts, strict=True)):
            if text.rows is None:
                most = None if self._most is None else self._most + 1
                lines = count_lines(file, most=most, tell=self._engine.tell, mark=text.delimiter)
                part = most is not None and lines.all - lines.blank > most
                # The engine takes an empty field too many at the end of a row for none.
                if not lines.closed or not (part or lines.fit(len(text.names))):  # or so it seems
                    self._rewrite(i)
                    continue
                # In a table of one column an empty line is a row whose label is missing.
                rows = lines.all - 1 - (lines.blank if len(text.names) > 1 else 0)
                self._texts[i] = replace(text, rows=rows)
        return sum(text.rows or 0 for text in self._texts)

    def repair(self, error: Exception) -> bool:
        """Write the file at fault anew; which says what is wrong with it, if it cannot be read."""
        if isinstance(error, MiscountedError):
            old = [i for i, text in enumerate(self._texts) if not text.new]
        else:
            old = [i for i in self._named_in(error) if not self._texts[i].new]
            if old and "Line: " in str(error) and self.files[old[0]].path.stat().st_size > SLOWLY:
                return False
        for i in old:
            self._rewrite(i)
        return bool(old)

    def explain(self, error: Exception) -> InputError:
        """The engine's words, with the file and about which row."""
        text = str(error)
        path = self.files[next(iter(self._named_in(error)), 0)].path
        row = re.search(r"Line: (\d+)", text)
        where = f"{path}, near row {row[1]}" if row else str(path)
        counts = re.search(r"Expected Number of Columns: (\d+) Found: (\d+)", text)
        if counts:
            what = f"{counts[2]} fields where the first line has {counts[1]}"
        elif "unterminated quote" in text:
            what = "a quote is opened and not closed"
        elif "unicode" in text.lower():
            what = "the text is not utf-8"
        else:
            return damaged(path, text.splitlines()[0])
        fix = "mend that row, or say how the file is written (delimiter, encoding)"
        return InputError(Fault("CM004", what, where, fix=fix))

    def _named_in(self, error: Exception) -> list[int]:
        """Which file the engine speaks of; all that it may mean if it does not say."""
        named = re.search(r"^ *file = (.*)$", str(error), re.MULTILINE)
        known = [{str(f.path), str(self._target(i))} for i, f in enumerate(self.files)]
        if named:
            return [i for i, paths in enumerate(known) if named[1].strip() in paths]
        text = str(error)
        about = "CSV" in text or "quote" in text or any(str(f.path) in text for f in self.files)
        return list(range(len(known))) if about else []

    def _target(self, i: int) -> Path:
        return self._engine.folder / f"text{id(self)}_{i}.csv"

    def _rewrite(self, i: int) -> None:
        text = self._texts[i]
        dialect = Dialect(self._encoding, text.delimiter)
        rows = rewrite(self.files[i], self._target(i), dialect, self._most)
        self._texts[i] = _Text(literal(self._target(i)), text.names, ",", "none", rows, new=True)


def csv_reader(
    paths: Sequence[str],
    width: int,
    mark: str = ",",
    packed: str = "none",
    *,
    new: bool = False,
    types: Sequence[str] = (),
    nulls: bool = True,
) -> str:
    """Delimited text in a dialect that is given whole: nothing is sniffed or guessed.

    What was written anew is read by one thread, for several are confused by line breaks between
    quotes. One thread alone loses a last row whose quote is not closed, which is not there then.
    """
    types = types or ["VARCHAR"] * width
    columns = ", ".join(f"'c{i}': '{kind}'" for i, kind in enumerate(types))
    more = f", parallel=false, max_line_size={2 * MAX_LINE}" if new else ""
    return (
        f"read_csv([{', '.join(paths)}], auto_detect=false, header=true, delim={literal(mark)}, "
        f"quote='\"', escape='\"', nullstr='', allow_quoted_nulls={nulls}, strict_mode=true, "
        f"null_padding=false, compression={literal(packed)}, columns={{{columns}}}{more})"
    )


def union(parts: Iterable[tuple[str, list[int]]]) -> str:
    """Readers one after the other, each with its columns in the order of the first."""
    listed = list(parts)
    if len(listed) == 1:
        return listed[0][0]
    selects = []
    for reader, order in listed:
        columns = ", ".join(f"c{place} AS c{i}" for i, place in enumerate(order))
        selects.append(f"SELECT {columns} FROM {reader}")
    return f"({' UNION ALL '.join(selects)})"


def _places(first: Sequence[str], names: Sequence[str]) -> list[int]:
    """Where each column of `first` stands among `names`."""
    if list(first) == list(names):
        return list(range(len(names)))
    return [list(names).index(name) for name in first]


def same_columns(a: File, first: Sequence[str], b: File, names: Sequence[str]) -> None:
    """Refuse files whose columns differ; another order is fine where names are unique."""
    if list(first) == list(names):
        return
    for one, here, other, there in ((a, first, b, names), (b, names, a, first)):
        lacking = [name for name in here if name not in there]
        if lacking:
            what = f"column {quoted(lacking[0])} is in {one.path.name} but not in {other.path.name}"
            saw = f"{other.path.name}: {shorten(there, 8)}"
            fix = "files that are read together have the same columns"
            raise InputError(Fault("CM101", what, str(b.path), saw, fix))
    if len(set(first)) < len(first) or len(first) != len(names):
        what = f"a name occurs twice, and in another order than in {a.path.name}"
        raise InputError(Fault("CM101", what, str(b.path), shorten(names, 8), "rename one"))


class ParquetReading:
    """Parquet files; types are kept."""

    def __init__(self, files: Sequence[File], engine: Engine) -> None:
        """Read the footers, which must agree."""
        self.files, self._engine = files, engine
        schemas = [self._schema(file) for file in files]
        first = schemas[0]
        for file, schema in zip(files[1:], schemas[1:], strict=True):
            same_columns(files[0], [n for n, _ in first], file, [n for n, _ in schema])
            for name, kind in schema:
                same_type(files[0], dict(first)[name], file, kind, name)
        self._schemas = schemas
        names = [name for name, _ in first]
        types = [
            [schema[i][1] for i in _places(names, [name for name, _ in schema])]
            for schema in schemas
        ]
        self.fields = [
            Field(name, f"c{i}", _widest(kinds))
            for i, (name, kinds) in enumerate(zip(names, zip(*types, strict=True), strict=True))
        ]

    def _schema(self, file: File) -> list[tuple[str, str]]:
        """Names as the file has them (the engine renames what it thinks equal) and types."""
        path = plain_path(file.path)
        try:
            found = self._engine.rows(f"SELECT name, num_children FROM parquet_schema({path})")
            types = self._engine.rows(f"DESCRIBE SELECT * FROM read_parquet({path})")
        except self._engine.error as error:
            raise damaged(file.path, str(error).splitlines()[0]) from None
        return list(zip(_top(found), [row[1] for row in types], strict=True))

    def relation(self, used: Sequence[Field]) -> str:
        """One reader for all files of one schema."""
        del used
        alike: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for file, schema in zip(self.files, self._schemas, strict=True):
            alike.setdefault(tuple(schema), []).append(plain_path(file.path))
        first = [name for name, _ in self._schemas[0]]
        # Statistics of a file may leave out NaN, and isnan() would trust them.
        return union(
            (
                f"read_parquet([{', '.join(paths)}], can_have_nan=true) AS t({_numbered(len(x))})",
                _places(first, [name for name, _ in x]),
            )
            for x, paths in alike.items()
        )

    def rows(self) -> int | None:
        """As the footers say."""
        paths = ", ".join(plain_path(file.path) for file in self.files)
        sql = f"SELECT sum(num_rows)::BIGINT FROM parquet_file_metadata([{paths}])"
        found: int = self._engine.one(sql)[0]
        return found

    def repair(self, error: Exception) -> bool:
        """There is one way to read Parquet."""
        del error
        return False

    def explain(self, error: Exception) -> InputError:
        """Which of the files cannot be read."""
        for file in self.files:
            try:
                self._engine.rows(
                    f"SELECT max(hash(t)) FROM read_parquet({plain_path(file.path)}) t"
                )
            except self._engine.error as found:
                return damaged(file.path, str(found).splitlines()[0])
        return damaged(self.files[0].path, str(error).splitlines()[0])


def _numbered(width: int) -> str:
    return ", ".join(f"c{i}" for i in range(width))


def _top(found: Sequence[tuple[str, int | None]]) -> list[str]:
    """The names of the outermost columns in a schema listed depth first."""
    names: list[str] = []
    open_: list[int] = []
    for name, children in found:
        if len(open_) == 1:
            names.append(name)
        if open_:
            open_[-1] -= 1
        if children or not open_:
            open_.append(children or 0)
        while len(open_) > 1 and open_[-1] == 0:
            open_.pop()
    return names


def _family(kind: str) -> str:
    if kind.endswith("INT") or kind == "INTEGER":
        return "whole numbers"
    if kind in {"FLOAT", "DOUBLE"}:
        return "floats"
    return "text" if kind == "VARCHAR" or kind.startswith("ENUM") else printable(kind.lower())


def same_type(a: File, first: str, b: File, kind: str, name: str) -> None:
    """Refuse columns of one name and two kinds; widths may differ."""
    if _family(first) != _family(kind):
        what = f"column {quoted(name)} holds {_family(kind)} here"
        saw = f"{_family(first)} in {a.path.name}"
        fix = "files that are read together have the same columns"
        raise InputError(Fault("CM101", what, str(b.path), saw, fix))


def _widest(kinds: Iterable[str]) -> str:
    found = list(dict.fromkeys(kinds))
    if len(found) == 1:
        return found[0]
    return {"whole numbers": "HUGEINT", "floats": "DOUBLE"}.get(_family(found[0]), "VARCHAR")


class JsonReading:
    """JSON lines: one object a line; a value is what its JSON says."""

    def __init__(
        self, files: Sequence[File], engine: Engine, encoding: str, most: int | None
    ) -> None:
        """Find the keys of the first lines."""
        self.files, self._engine, self._most = files, engine, most
        self._rows: int | None = None
        self._exact = False
        if codec_of(encoding) not in {"utf-8-sig", "ascii"}:
            what, fix = "JSON lines are written in UTF-8", "leave out the encoding"
            raise InputError(Fault("CM402", what, called(files), fix=fix))
        sql = f"SELECT json_keys(json) FROM {self.relation([])} LIMIT {KEYS_FROM}"
        try:
            keys = dict.fromkeys(chain.from_iterable(row[0] for row in engine.rows(sql)))
        except engine.error as error:
            raise self.explain(error) from None
        if not keys:
            fix = "one object a line, whose keys name the columns"
            raise InputError(Fault("CM002", "the file holds no rows", called(files), fix=fix))
        self.fields = [
            Field(key, f"json_extract(json, {literal(pointer(key))})", "JSON", from_text=True)
            for key in keys
        ]

    def relation(self, used: Sequence[Field]) -> str:
        """The lines, none of which may be something else than an object."""
        del used
        parts: dict[str, list[str]] = {}
        for file in self.files:
            parts.setdefault(file.compression, []).append(plain_path(file.path))
        checked = "CASE WHEN json_type(json) = 'OBJECT' THEN json ELSE error('not an object') END"
        lines = " UNION ALL ".join(
            f"SELECT {checked} AS json FROM read_ndjson_objects([{', '.join(paths)}], "
            f"compression={literal(packed)})"
            for packed, paths in parts.items()
        )
        return f"({lines})"

    def rows(self) -> int:
        """Lines that are not blank, as counted here."""
        if self._rows is None:
            most = None if self._most is None else self._most + 1
            lines = [
                count_lines(file, quotes=False, most=most, tell=self._engine.tell)
                for file in self.files
            ]
            self._rows = sum(found.all - found.blank for found in lines)
        return self._rows

    def repair(self, error: Exception) -> bool:
        """Count again: lines of blanks are blank too."""
        if self._exact or not isinstance(error, MiscountedError):
            return False
        self._exact, self._rows = True, 0
        for file in self.files:
            with file.open() as stream:
                lines = iter(partial(stream.readline, MAX_LINE), b"")
                self._rows += sum(not line.isspace() for line in lines)
        return True

    def explain(self, error: Exception) -> InputError:
        """The first line that is no object of JSON, found by reading again."""
        for file in self.files:
            try:
                with file.open() as stream:
                    fault = _bad_line(file, iter(partial(stream.readline, MAX_LINE), b""))
            except (OSError, EOFError) as unreadable:
                return damaged(file.path, unreadable)
            if fault:
                return InputError(fault)
        return damaged(self.files[0].path, str(error).splitlines()[0])


def pointer(key: str) -> str:
    """A key as a JSON pointer.

    >>> pointer("a/b")
    '/a~1b'
    """
    return "/" + key.replace("~", "~0").replace("/", "~1")


def _bad_line(file: File, lines: Iterator[bytes]) -> Fault | None:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        what = ""
        try:
            if not isinstance(json.loads(line), dict):
                what = "not an object of JSON"
        except UnicodeDecodeError:
            what = "the text is not utf-8"
        except ValueError as error:
            what = f"not JSON: {error}"
        if what:
            fix = 'one object a line, such as {"true": "a", "predicted": "b"}'
            saw = printable(line[:80].decode("utf-8", "replace"))
            return Fault("CM004", what, f"{file.path}:{number}", saw, fix)
    return None

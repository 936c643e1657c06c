"""ARFF, the format of Weka: nominal, numeric and text attributes.

Its rows are written anew as CSV for the engine, so that one reader counts everything.
"""

from __future__ import annotations

import io
import re
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chancemeter.errors import Fault, InputError, plural, printable, quoted, shorten
from chancemeter.frames.duck import Engine, Field, literal
from chancemeter.frames.paths import File, damaged, find_files
from chancemeter.frames.readings import csv_reader, same_columns, same_type
from chancemeter.frames.textfiles import MAX_LINE, codec_of, room_for

_NUMBERS = {"numeric": "DOUBLE", "real": "DOUBLE", "integer": "BIGINT"}
#: A quoted value, or one without quotes, blanks and commas.
_WORD = re.compile(r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^\s,'"{}%][^\s,{}]*""", re.DOTALL)
#: What an ARFF file holds.
Value = str | int | float | None
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


@dataclass(frozen=True)
class Attribute:
    """One column: its name, the engine's type, and the labels declared for it."""

    name: str
    type: str = "VARCHAR"
    labels: tuple[str, ...] | None = None
    """In the order of their declaration."""

    @cached_property
    def known(self) -> frozenset[str]:
        """The labels, to be looked up."""
        return frozenset(self.labels or ())


class ArffReading:
    """ARFF files; declared labels keep their order."""

    def __init__(
        self, files: Sequence[File], engine: Engine, encoding: str, most: int | None = None
    ) -> None:
        """Write all rows anew, in a form that the engine reads."""
        self.files = files
        self._paths = [engine.folder / f"arff{i}.csv" for i in range(len(files))]
        self._rows = 0
        first: list[Attribute] = []
        for file, target in zip(files, self._paths, strict=True):
            attributes, rows = _written(file, target, encoding, most)
            self._rows += rows
            names = [a.name for a in attributes]
            first = first or attributes
            same_columns(files[0], [a.name for a in first], file, names)
            for one, other in zip(first, attributes, strict=True):
                if one.name != other.name:
                    what = f"attributes in another order than in {files[0].path.name}"
                    raise _fault(file, 0, what, shorten(names, 8))
                same_type(files[0], one.type, file, other.type, one.name)
        self._types = [a.type for a in first]
        self.fields = [Field(a.name, f"c{i}", a.type, True, a.labels) for i, a in enumerate(first)]

    def relation(self, used: Sequence[Field]) -> str:
        """The rows as they were written anew."""
        del used
        paths = [literal(path) for path in self._paths]
        return csv_reader(paths, len(self._types), new=True, types=self._types, nulls=False)

    def rows(self) -> int:
        """As many as were written."""
        return self._rows

    def repair(self, error: Exception) -> bool:
        """The rows are in the plainest form already."""
        del error
        return False

    def explain(self, error: Exception) -> InputError:
        """The engine's words."""
        return damaged(self.files[0].path, str(error).splitlines()[0])


def load(path: str | Path, encoding: str = "utf-8") -> tuple[list[Attribute], list[list[Value]]]:
    r"""A whole file in memory: its attributes, and for each the values of all rows.

    Numbers are numbers, a missing value is None. Sparse rows, weights of cases, dates and
    relations are refused.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder, "x.arff")
    ...     lines = ["@relation x", "@attribute size real", "@attribute kind {b, a}", "@data"]
    ...     _ = path.write_text("\n".join([*lines, "1.5, a", "?, 'b'"]))
    ...     attributes, columns = load(path)
    >>> [(a.name, a.labels) for a in attributes], columns
    ([('size', None), ('kind', ('b', 'a'))], [[1.5, None], ['a', 'b']])
    """
    file, *others = find_files(path)
    if others or file.kind != "arff":
        fix = "other kinds, and several files at once, are read by chancemeter.read"
        raise InputError(Fault("CM003", "this is not one ARFF file", str(path), fix=fix))
    with _rows(file, encoding) as (attributes, rows):
        columns: list[list[Value]] = [[] for _ in attributes]
        for row in rows:
            for column, value in zip(columns, row, strict=True):
                column.append(value)
    return attributes, columns


def _written(
    file: File, target: Path, encoding: str, most: int | None
) -> tuple[list[Attribute], int]:
    """The attributes, and how many rows; which are written to `target` as CSV."""
    has_room = room_for(file, target)
    with (
        _rows(file, encoding) as (attributes, rows),
        target.open("w", encoding="utf-8", newline="") as out,
    ):
        out.write(",".join(f"c{i}" for i in range(len(attributes))) + "\n")
        count = 0
        for count, row in enumerate(rows, 1):
            out.write(",".join(map(_field, row)) + "\n")
            has_room(count, out)
            if most is not None and count > most:
                break
    return attributes, count


def _field(value: Value) -> str:
    """A field of CSV: text between quotes, and nothing at all where a value is missing."""
    if value is None:
        return ""
    return repr(value) if not isinstance(value, str) else '"' + value.replace('"', '""') + '"'


@contextmanager
def _rows(file: File, encoding: str) -> Iterator[tuple[list[Attribute], Iterator[list[Value]]]]:
    """The attributes, and the rows while the file is open."""
    with (
        file.open() as raw,
        io.TextIOWrapper(raw, encoding=codec_of(encoding)) as text,
    ):
        lines = _numbered(file, text)
        attributes = _header(file, lines)
        yield attributes, (_row(file, number, line, attributes) for number, line in lines)


def _numbered(file: File, text: io.TextIOWrapper) -> Iterator[tuple[int, str]]:
    """Lines that say something, with their numbers."""
    number = 0
    try:
        while line := text.readline(MAX_LINE):
            number += 1
            bare = line.strip()
            if bare and not bare.startswith("%"):
                yield number, bare
    except (OSError, EOFError, zlib.error) as error:
        raise damaged(file.path, error) from None
    except UnicodeError:
        what, fix = f"the text is not {text.encoding}", 'say which it is: encoding="latin-1"'
        where = f"{file.path}, after line {number}"
        raise InputError(Fault("CM004", what, where, fix=fix)) from None


def _header(file: File, lines: Iterator[tuple[int, str]]) -> list[Attribute]:
    attributes: list[Attribute] = []
    for number, line in lines:
        word = line.split(None, 1)[0].lower()
        if word == "@data":
            if not attributes:
                raise _fault(file, number, "no attribute is declared before @data", line)
            return attributes
        if word == "@attribute":
            attributes.append(_attribute(file, number, line))
        elif word != "@relation":
            raise _fault(file, number, "neither @relation, @attribute nor @data", line)
    raise _fault(file, 0, "there is no @data in the file", "")


def _attribute(file: File, number: int, line: str) -> Attribute:
    rest = line.split(None, 1)[1] if len(line.split(None, 1)) > 1 else ""
    name = _WORD.match(rest)
    if name is None:
        raise _fault(file, number, "an attribute without a name", line)
    kind = rest[name.end() :].strip()
    called = _unquoted(name.group())
    if kind.startswith("{"):
        if not kind.endswith("}"):
            raise _fault(file, number, "the list of labels is not closed", line)
        labels = dict.fromkeys(_values(file, number, kind[1:-1]))
        return Attribute(called, "VARCHAR", tuple(labels))
    word = kind.split(None, 1)[0].lower() if kind else ""
    if word in _NUMBERS:
        return Attribute(called, _NUMBERS[word])
    if word == "string":
        return Attribute(called)
    if word in {"date", "relational"}:
        raise _fault(file, number, f"{word} attributes are not read", line)
    raise _fault(file, number, f"no type is called {quoted(word)}", line)


def _values(file: File, number: int, text: str) -> list[str]:
    """Values between commas, as they are meant; a bare ? stays what it is."""
    return [_unquoted(value) for value in _words(file, number, text)]


def _words(file: File, number: int, text: str) -> list[str]:
    """Values between commas, as they are written."""
    found: list[str] = []
    at = 0
    while True:
        while at < len(text) and text[at].isspace():
            at += 1
        match = _WORD.match(text, at)
        if match is None:
            raise _fault(file, number, "a value cannot be read", text[at : at + 40])
        end = match.end()
        quote = match.group()[0] in "'\""
        if not quote:  # blanks inside a bare value belong to it
            stop = text.find(",", end)
            stop = len(text) if stop < 0 else stop
            end = stop
        found.append(match.group() if quote else text[at:end].strip())
        while end < len(text) and text[end].isspace():
            end += 1
        if end == len(text):
            return found
        if text[end] != ",":
            raise _fault(file, number, "a comma is missing", text[end : end + 40])
        at = end + 1


def _unquoted(word: str) -> str:
    if word[:1] not in {"'", '"'}:
        return word
    return re.sub(r"\\(.)", lambda m: _ESCAPED.get(m[1], m[1]), word[1:-1], flags=re.DOTALL)


def _row(file: File, number: int, line: str, attributes: list[Attribute]) -> list[Value]:
    """The values of one case."""
    if line.startswith("{"):
        raise _fault(file, number, "sparse rows are not read", line, "write them out in full")
    # Most lines hold no quotes: their values are what stands between the commas.
    plain = "'" not in line and '"' not in line and "{" not in line
    words = [x.strip() for x in line.split(",")] if plain else _words(file, number, line)
    if len(words) != len(attributes):
        if words and words[-1].startswith("{"):
            raise _fault(file, number, "weights of cases are not read", line)
        what = f"{plural(len(words), 'value')} where {len(attributes)} attributes are declared"
        raise _fault(file, number, what, line)
    fields: list[Value] = []
    for word, attribute in zip(words, attributes, strict=True):
        value = _unquoted(word)
        if word == "?":
            fields.append(None)
        elif not word:
            raise _fault(file, number, "an empty value", line, "write ? where a value is missing")
        elif attribute.type != "VARCHAR":
            fields.append(_number(file, number, value, attribute))
        elif attribute.labels is not None and value not in attribute.known:
            what = f"{quoted(value)} is not among the labels declared for {quoted(attribute.name)}"
            declared = f"declared: {shorten(attribute.labels)}"
            where = f"{file.path}:{number}"
            raise InputError(Fault("CM107", what, where, declared, "declare it, or mend the row"))
        else:
            fields.append(value)
    return fields


def _number(file: File, number: int, text: str, attribute: Attribute) -> Value:
    what = f"{quoted(text)} is not a number, as attribute {quoted(attribute.name)} wants"
    if "_" in text:
        raise _fault(file, number, what, text)
    try:
        value = int(text) if attribute.type == "BIGINT" else float(text)
    except ValueError:
        raise _fault(file, number, what, text) from None
    return None if value != value else value  # noqa: PLR0124  (which is nan)


def _fault(file: File, number: int, what: str, saw: str, fix: str = "") -> InputError:
    where = f"{file.path}:{number}" if number else str(file.path)
    fix = fix or "write the file as CSV if it cannot be mended"
    return InputError(Fault("CM004", what, where, printable(saw, 80), fix))

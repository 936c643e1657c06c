"""Plain CSV files: predictions or a ready-made matrix. Labels are text; nothing is guessed silently."""

from __future__ import annotations

import csv
import io
import math
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from chancemeter.errors import (
    ChancemeterError,
    Fault,
    InputError,
    did_you_mean,
    plural,
    quoted,
    shorten,
)
from chancemeter.labels import MAX_CLASSES, tally
from chancemeter.tables import PRED_NAMES, TRUE_NAMES, Table, check_names, table

#: First bytes of files that are not text, and what to say.
_KINDS = {
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a zip archive (or an xlsx or npz file)",
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"SQLite format 3": "an SQLite database",
    b"\x93NUMPY": "a NumPy file",
    b"ARROW1": "an Arrow file",
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
#: What the rest of the world writes for a missing label, and what is only text here.
_LIKE_MISSING = {"na", "n/a", "nan", "null", "<na>"}


@dataclass(frozen=True)
class Dialect:
    """How a text file is written."""

    encoding: str = "utf-8"
    delimiter: str = ","

    def __post_init__(self) -> None:
        """Take the word ``tab`` for what is hard to type."""
        tab = self.delimiter in {"tab", "TAB", "\\t"}
        object.__setattr__(self, "delimiter", "\t" if tab else self.delimiter)
        if len(self.delimiter) != 1 or self.delimiter in '"\r\n':
            what = f"{quoted(self.delimiter)} cannot stand between fields"
            fix = "give one character, such as --delimiter ';' or --delimiter tab"
            raise InputError(Fault("CM402", what, fix=fix))


@dataclass
class Predictions:
    """The tables of one file: one for each column of predictions, and what should be said."""

    tables: dict[str, Table]
    notes: list[str] = field(default_factory=list)


def read_predictions(
    path: str | Path,
    true: str | None = None,
    predicted: Sequence[str] = (),
    *,
    dialect: Dialect | None = None,
    missing: str = "error",
    labels_as: str = "text",
    max_classes: int = MAX_CLASSES,
) -> Predictions:
    """Tables of a CSV with a column of true labels and one or more of predictions."""
    columns, labels, notes = read_columns(
        path, true, predicted, dialect=dialect, missing=missing, labels_as=labels_as
    )
    truth, *others = columns
    faults, tables = [], {}
    for name in others:
        try:
            t = tally(labels[truth], labels[name], max_classes=max_classes)
            tables[name if len(others) > 1 else stem(path)] = t
        except InputError as error:
            pair = columns[truth], columns[name]
            faults += [_placed(path, name, fault, *pair) for fault in error.faults]
    if faults:
        raise InputError(*faults)
    return Predictions(tables, notes)


def read_columns(
    path: str | Path,
    true: str | None = None,
    predicted: Sequence[str] = (),
    *,
    dialect: Dialect | None = None,
    missing: str = "error",
    labels_as: str = "text",
) -> tuple[dict[str, list[str]], dict[str, list[Any]], list[str]]:
    """The truth and the predictions, row by row: as text, as labels, and what should be said."""
    lines, (header, *rows) = read_rows(path, dialect or Dialect())
    notes: list[str] = []
    names = _columns(path, header, true, list(dict.fromkeys(predicted)), notes)
    if not rows:
        saw = f"the header {shorten(header)} and no rows"
        raise InputError(Fault("CM002", "the file holds no rows", str(path), saw, _FIX_NO_ROWS))
    columns = {name: [row[header.index(name)] for row in rows] for name in names}
    columns = _settle_missing(path, columns, lines[1:], missing, notes)
    notes += _strange_labels(columns)
    labels = _as_numbers(path, columns) if labels_as == "number" else columns
    return columns, dict(labels), notes


_FIX_NO_ROWS = "the first line names the columns; cases follow, one a line"


def read_matrix(path: str | Path, rows: str | None, dialect: Dialect | None = None) -> Table:
    """A confusion matrix from a CSV, with or without labels in its first row and column."""
    if rows is None:
        what = "are the rows of this matrix the truth or the predictions?"
        fix = "add --rows truth or --rows prediction: informedness and markedness depend on it"
        raise InputError(Fault("CM205", what, str(path), fix=fix))
    lines, cells = read_rows(path, dialect or Dialect())
    labels = None
    corner = re.split(r"[\\/|]", cells[0][0])  # as in truth/prediction
    if not _is_number(cells[0][0]):
        labels, cells = _labelled(path, cells)
        lines = lines[1:]
    bad = [
        (line, cell)
        for line, row in zip(lines, cells, strict=True)
        for cell in row
        if not _is_number(cell) or not 0 <= float(cell) < math.inf
    ]
    if bad:
        saw = ", ".join(f"{quoted(cell)} on line {line}" for line, cell in bad[:4])
        saw += f", … ({len(bad) - 4} more)" if len(bad) > 4 else ""
        fix = "a count is a number from 0 up; for a file of labels leave out --matrix"
        what = f"{plural(len(bad), 'cell')} of the matrix cannot be a count"
        raise InputError(Fault("CM202", what, f"{path}:{bad[0][0]}", saw, fix))
    try:
        if labels and len(corner) == 2:
            check_names(corner[0].strip(), corner[1].strip(), rows)
        return table([[_number(x) for x in row] for row in cells], labels, rows=rows)
    except InputError as error:
        raise InputError(*(replace(f, where=str(path)) for f in error.faults)) from None


def read_values(
    path: str | Path,
    model: str | None,
    data_set: str | None,
    measures: Sequence[str] | None,
    dialect: Dialect | None = None,
) -> tuple[dict[str, dict[str, dict[str, float]]], list[str]]:
    """Values by measure, model and data set, and what should be said, from a CSV in long form."""
    lines, (header, *rows) = read_rows(path, dialect or Dialect())
    notes: list[str] = []
    model = model or _guess(header, ("model", "classifier", "algorithm")) or "model"
    data_set = data_set or _guess(header, ("dataset", "data set", "data_set", "data")) or "dataset"
    for name, option in ((model, "--model"), (data_set, "--by")):
        if name not in header:
            raise InputError(_no_column(path, name, option, header))
    named = {_key(x): x for x in header if x not in {model, data_set}}
    named.pop("", None)
    chosen = list(named) if measures is None else measures
    if not chosen or set(chosen) - set(named):
        what = f"no column holds {shorten(set(chosen) - set(named)) or 'values of a measure'}"
        fix = "a column is called after its measure, such as accuracy or kappa"
        raise InputError(Fault("CM101", what, str(path), f"columns: {shorten(header)}", fix))
    notes.append(
        f"values of {', '.join(chosen)} for each {quoted(model)} on each {quoted(data_set)}"
    )
    found: dict[str, dict[str, dict[str, float]]] = {key: {} for key in chosen}
    for line, row in zip(lines[1:], rows, strict=True):
        cells = dict(zip(header, row, strict=True))
        for key in chosen:
            text, of = cells[named[key]], found[key].setdefault(cells[model], {})
            if cells[data_set] in of:
                what = f"{quoted(cells[model])} on {quoted(cells[data_set])} stands twice"
                fix = "one row for each model and data set"
                raise InputError(Fault("CM513", what, f"{path}:{line}", fix=fix))
            if text.strip() and not _is_number(text):
                what = f"{quoted(text)} is no value of {key}"
                raise InputError(Fault("CM514", what, f"{path}:{line}", fix="write a number"))
            of[cells[data_set]] = float(text) if text.strip() else math.nan
    return found, notes


def _key(column: str) -> str:
    """The measure that a column is called after; empty for others."""
    from chancemeter.registry import get

    try:
        return get(column).key
    except ChancemeterError:
        return ""


def stem(path: str | Path) -> str:
    """What a model is called after its file."""
    return "stdin" if str(path) == "-" else Path(path).stem


def read_rows(path: str | Path, dialect: Dialect) -> tuple[list[int], list[list[str]]]:
    """Every row that is not blank, with the line it starts on; all of one length."""
    text = io.StringIO(_text(path, dialect.encoding), newline="")
    lines, rows, line = [], [], 1
    with _long_fields():
        reader = csv.reader(text, delimiter=dialect.delimiter, strict=True)
        try:
            for row in reader:
                if row:
                    lines.append(line)
                    rows.append(row)
                line = reader.line_num + 1
        except csv.Error as error:
            where = f"{path}:{line}"
            fix = "a quote that is opened must be closed, and doubled inside quotes"
            raise InputError(
                Fault("CM004", f"not well-formed CSV: {error}", where, "", fix)
            ) from None
    if not rows:
        fix = "look whether it was written to the end"
        raise InputError(Fault("CM002", "the file is empty (0 rows)", str(path), fix=fix))
    width = len(rows[0])
    other = next((x for x in ";\t|" if width == 1 and x in rows[0][0]), None)
    if other:
        fix = f"--delimiter {'tab' if other == chr(9) else quoted(other)}"
        what = f"there is one column only, and {quoted(other)} stands in its name"
        raise InputError(Fault("CM004", what, str(path), quoted(rows[0][0]), fix))
    for line, row in zip(lines, rows, strict=True):
        if len(row) != width:
            what = f"{plural(len(row), 'field')} where the first line has {width}"
            fix = "quote fields that hold the delimiter, or give --delimiter"
            raise InputError(Fault("CM004", what, f"{path}:{line}", shorten(row, 4), fix))
    return lines, rows


@contextmanager
def _long_fields() -> Iterator[None]:
    """Whole articles may stand beside their labels."""
    before = csv.field_size_limit(2**31 - 1)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _bytes(path: str | Path) -> bytes:
    if str(path) == "-":
        return sys.stdin.buffer.read()
    path = Path(path)
    try:
        return path.read_bytes()
    except IsADirectoryError:
        fix = "name a file, or read all files in it with --glob"
        raise InputError(Fault("CM001", "this is a folder", str(path), fix=fix)) from None
    except (OSError, ValueError) as error:  # a name that holds a zero byte is a ValueError
        near = path.parent.iterdir() if isinstance(error, FileNotFoundError) else ()
        try:
            fix = did_you_mean(path.name, [p.name for p in near], "check the path", alike=0.75)
        except OSError:
            fix = f"there is no folder {quoted(path.parent)}"
        what = f"the file cannot be read: {getattr(error, 'strerror', None) or error}"
        raise InputError(Fault("CM001", what, str(path), fix=fix)) from None


def _text(path: str | Path, encoding: str) -> str:
    raw = _bytes(path)
    encoding = "utf-8-sig" if encoding.lower() in {"utf-8", "utf8"} else encoding
    _refuse_binary(path, raw, encoding)
    try:
        return raw.decode(encoding)
    except LookupError:
        fix = "such as utf-8, latin-1 or cp1252"
        raise InputError(
            Fault("CM004", f"no encoding is called {quoted(encoding)}", fix=fix)
        ) from None
    except UnicodeError as error:
        what = f"the text is not {encoding.removesuffix('-sig')}"
        start = getattr(error, "start", 0)
        line = raw.count(b"\n", 0, start) + 1
        saw = f"byte 0x{raw[start]:02x}"
        fix = "say how it is written: --encoding latin-1 (or cp1252, utf-16)"
        raise InputError(Fault("CM004", what, f"{path}:{line}", saw, fix)) from None


def _refuse_binary(path: str | Path, raw: bytes, encoding: str) -> None:
    kind, fix = "", "write it as CSV"
    if raw[:1] == b"\x80" and raw[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}:
        kind, fix = "a Python pickle", "pickles can run code, so they are never opened; write CSV"
    elif raw.startswith(tuple(_KINDS)):
        kind = next(kind for start, kind in _KINDS.items() if raw.startswith(start))
    elif encoding == "utf-8-sig" and raw.startswith(_UTF_16):
        what, fix = "the text is not utf-8 but utf-16", "add --encoding utf-16"
        raise InputError(Fault("CM004", what, str(path), fix=fix))
    elif encoding == "utf-8-sig" and b"\x00" in raw:
        kind, fix = "a binary file", "write it as CSV; if it is text, say which: --encoding utf-16"
    if kind:
        what = f"this is {kind}, not a text table"
        raise InputError(Fault("CM003", what, str(path), fix=fix))


def _columns(
    path: str | Path, header: list[str], true: str | None, predicted: list[str], notes: list[str]
) -> list[str]:
    """The column of truth and those of predictions; names that were guessed are said."""
    asked = [(name, "--true") for name in [true] if name is not None]
    asked += [(name, "--pred") for name in predicted]
    faults = [_no_column(path, *pair, header) for pair in asked if pair[0] not in header]
    saw = f"columns: {shorten(header, 12)}"
    found_true = _guess(header, TRUE_NAMES) if true is None else true
    found = predicted or [x for x in [_guess(header, PRED_NAMES)] if x is not None]
    if found_true is None:
        fix = "--true COLUMN (the first line of the file names the columns)"
        faults.append(Fault("CM101", "which column is the truth?", str(path), saw, fix))
    if not found:
        fix = "--pred COLUMN (once for each model); a confusion matrix needs --matrix"
        faults.append(Fault("CM101", "which column holds predictions?", str(path), saw, fix))
    names = [*([] if found_true is None else [found_true]), *found]
    faults += [
        Fault("CM101", f"two columns are named {quoted(x)}", str(path), saw, "rename one")
        for x in dict.fromkeys(names)
        if header.count(x) > 1
    ]
    if found_true in found:
        what = f"{quoted(found_true)} is taken for the truth and for a prediction"
        faults.append(Fault("CM402", what, str(path), saw, "name two columns: --true A --pred B"))
    if faults:
        raise InputError(*faults)
    if true is None or not predicted:
        shown = shorten(map(quoted, found))
        notes.append(f"truth from column {quoted(found_true)}, predictions from {shown}")
    return names


def _guess(header: list[str], names: Sequence[str]) -> str | None:
    plain = {column.strip().lower(): column for column in reversed(header)}
    return next((plain[name] for name in names if name in plain), None)


def _no_column(path: str | Path, name: str, option: str, header: list[str]) -> Fault:
    near = did_you_mean(name, header)
    fix = near.replace("did you mean ", f"did you mean {option} ") or f"{option} one of these"
    what = f"no column is named {quoted(name)} (asked for as {option})"
    return Fault("CM101", what, str(path), f"columns: {shorten(header, 12)}", fix)


def _settle_missing(
    path: str | Path,
    columns: dict[str, list[str]],
    lines: list[int],
    missing: str,
    notes: list[str],
) -> dict[str, list[str]]:
    """The columns without gaps: refused, left out or named, as `missing` says."""
    gaps = {
        name: at
        for name, column in columns.items()
        if (at := [i for i, label in enumerate(column) if not label.strip()])
    }
    bad = sorted({i for at in gaps.values() for i in at})
    if not bad:
        return columns
    what = f"{len(bad):,} of {plural(len(lines), 'row')} lack a label"
    where = f"{path}:{lines[bad[0]]}"
    saw = " · ".join(
        f"empty {quoted(name)} on line{'s' * (len(at) > 1)} {shorten((lines[i] for i in at), 4)}"
        for name, at in gaps.items()
    )
    if missing == "error":
        fix = "--missing drop leaves them out; --missing class makes “missing” a class of its own"
        raise InputError(Fault("CM103", what, where, saw, fix))
    if missing == "class":
        if any("missing" in column for column in columns.values()):
            fix = "give the gaps another name in the file, or --missing drop"
            what = "there is a class named “missing” already"
            raise InputError(Fault("CM103", what, where, saw, fix))
        notes.append(f"{what}: counted as the class “missing”")
        return {name: [x if x.strip() else "missing" for x in c] for name, c in columns.items()}
    if len(bad) == len(lines):
        raise InputError(
            Fault("CM002", "no rows are left", where, saw, "--missing class keeps them")
        )
    notes.append(f"{what} and are left out")
    gone = set(bad)
    return {n: [x for i, x in enumerate(c) if i not in gone] for n, c in columns.items()}


def _as_numbers(
    path: str | Path, columns: dict[str, list[str]]
) -> dict[str, list[int]] | dict[str, list[float]]:
    """Labels as numbers, of one kind in all columns."""
    faults = []
    for name, column in columns.items():
        strange = [
            x for x in dict.fromkeys(column) if not _is_number(x) or not math.isfinite(float(x))
        ]
        if strange:
            where, fix = f"{path}, column {name}", "leave out --labels-as number"
            saw = shorten(map(quoted, strange), 5)
            faults.append(Fault("CM104", "labels that are no numbers", where, saw, fix))
    if faults:
        raise InputError(*faults)
    found = {name: [_number(x) for x in column] for name, column in columns.items()}
    if any(isinstance(x, float) for column in found.values() for x in column):
        return {name: [float(x) for x in column] for name, column in found.items()}
    return {name: [int(x) for x in column] for name, column in found.items()}


def _placed(
    path: str | Path, column: str, fault: Fault, true: list[str], predicted: list[str]
) -> Fault:
    """A fault of labels, said in words of the file."""
    fix = fault.fix.replace("max_classes=", "--max-classes ")
    if fault.code == "CM104":
        fix = "check --true and --pred"
        if {_number(x) for x in true if _is_number(x)} & {
            _number(x) for x in predicted if _is_number(x)
        }:
            fix = "they match as numbers: add --labels-as number"
    saw = fault.saw.replace("y_true", "true").replace("y_pred", "predicted")
    return replace(fault, where=f"{path}, column {column}", saw=saw, fix=fix)


def _strange_labels(columns: dict[str, list[str]]) -> list[str]:
    """What is counted as it stands, but may not be meant: said, and nothing done."""
    labels = sorted({label for column in columns.values() for label in column})
    if len(labels) > MAX_CLASSES:
        return []
    seen: dict[str, list[str]] = {}
    for label in labels:
        seen.setdefault(" ".join(label.casefold().split()), []).append(label)
    notes = [
        f"labels kept apart although they look alike: {shorten(map(quoted, names))}"
        for names in seen.values()
        if len(names) > 1
    ]
    like_missing = [x for x in labels if x.strip().lower() in _LIKE_MISSING]
    if like_missing:
        notes.append(f"counted as a class, not as missing: {shorten(map(quoted, like_missing))}")
    return notes


def _labelled(path: str | Path, cells: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """The names of the classes, and the counts with columns in the order of the rows."""
    head, body = cells[0], cells[1:]
    if len(body) == len(head):  # names above the columns only
        return head, body
    columns, rows = head[1:], [row[0] for row in body]
    if sorted(columns) != sorted(rows):
        saw = f"rows {shorten(rows, 6)} · columns {shorten(columns, 6)}"
        fix = "both name the same classes; for a file of labels leave out --matrix"
        what = "rows and columns are not of the same classes"
        raise InputError(Fault("CM203", what, str(path), saw, fix))
    if not all(map(str.strip, rows)):
        fix = "give it a name, such as missing"
        raise InputError(Fault("CM103", "a class has no name", str(path), shorten(rows), fix))
    order = {label: i + 1 for i, label in enumerate(columns)}
    return rows, [[row[order[label]] for label in rows] for row in body]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _number(text: str) -> int | float:
    """Whole numbers without loss, however they are written."""
    try:
        return int(text)
    except ValueError:
        x = float(text)
        return int(x) if x.is_integer() else x

"""Plain CSV files: predictions or a ready-made matrix. Labels are text; nothing is guessed silently."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from chancemeter.errors import Fault, InputError, did_you_mean, printable, shorten
from chancemeter.labels import MAX_CLASSES, tally
from chancemeter.tables import Table, table

#: Column names taken for truth and for predictions when none are given, in this order.
TRUE_NAMES = ("y_true", "true", "truth", "label", "target", "actual", "reference", "gold", "class")
PRED_NAMES = ("y_pred", "pred", "predicted", "prediction", "guess", "output")

#: First bytes of files that are not text, and what to say.
_KINDS = {
    b"PAR1": "a Parquet file",
    b"PK\x03\x04": "a zip archive (or an xlsx or npz file)",
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"SQLite format 3": "an SQLite database",
    b"\x93NUMPY": "a NumPy file",
    b"ARROW1": "an Arrow file",
    b"\xff\xfe": "UTF-16 text",
    b"\xfe\xff": "UTF-16 text",
}


@dataclass(frozen=True)
class Dialect:
    """How a text file is written."""

    encoding: str = "utf-8"
    delimiter: str = ","


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
    lines, rows = _rows(Path(path), dialect or Dialect())
    header, numbered = rows[0], list(zip(lines[1:], rows[1:], strict=True))
    if not numbered:
        saw = f"the header {shorten(header)} and no rows"
        raise InputError(Fault("CM002", "the file holds no rows", where=str(path), saw=saw))
    notes: list[str] = []
    truth_at, columns = _columns(path, header, true, list(predicted), notes)
    kept, dropped = _without_missing(path, numbered, header, [truth_at, *columns], missing)
    if dropped:
        notes.append(f"{dropped:,} of {len(numbered):,} rows have a missing label and are left out")
    if not kept:
        raise InputError(Fault("CM002", "no rows are left", where=str(path)))
    if missing == "class":
        kept = [[cell or "missing" for cell in row] for row in kept]
    faults, tables = [], {}
    names = _model_names(path, header, columns)
    for at, name in zip(columns, names, strict=True):
        y_true, y_pred = [row[truth_at] for row in kept], [row[at] for row in kept]
        if labels_as == "number":
            y_true, y_pred = (_as_numbers(path, x) for x in (y_true, y_pred))
        try:
            tables[name] = tally(y_true, y_pred, max_classes=max_classes)
        except InputError as error:
            faults += [_placed(path, header[at], fault, y_true, y_pred) for fault in error.faults]
    if faults:
        raise InputError(*faults)
    notes += _look_alikes(tables)
    return Predictions(tables, notes)


def read_matrix(path: str | Path, rows: str | None, dialect: Dialect | None = None) -> Table:
    """A confusion matrix from a CSV, with or without labels in its first row and column."""
    if rows is None:
        raise InputError(
            Fault(
                "CM205",
                "are the rows of this matrix the truth or the predictions?",
                where=str(path),
                fix="add --rows truth or --rows prediction: informedness and markedness depend on it",
            )
        )
    lines, cells = _rows(Path(path), dialect or Dialect())
    labels = None
    if not _is_number(cells[0][0]):
        labels, cells = _labelled(path, cells)
        lines = lines[1:]
    counts = [
        [_count(path, line, cell) for cell in row] for line, row in zip(lines, cells, strict=True)
    ]
    try:
        return table(counts, labels, rows=rows)
    except InputError as error:
        placed = [Fault(f.code, f.what, f.where or str(path), f.saw, f.fix) for f in error.faults]
        raise InputError(*placed) from None


def _rows(path: Path, dialect: Dialect) -> tuple[list[int], list[list[str]]]:
    """Every row that is not blank, with the line it ends on; all of one length."""
    text = _text(path, dialect.encoding)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=dialect.delimiter, strict=True)
    lines, rows = [], []
    try:
        for row in reader:
            if row:
                lines.append(reader.line_num)
                rows.append(row)
    except csv.Error as error:
        where = f"{path}:{reader.line_num}"
        fix = "a quote that is opened must be closed, and doubled inside quotes"
        raise InputError(Fault("CM004", f"not well-formed CSV: {error}", where, fix=fix)) from None
    if not rows:
        raise InputError(Fault("CM002", "the file is empty (0 rows)", where=str(path)))
    width = len(rows[0])
    for line, row in zip(lines, rows, strict=True):
        if len(row) != width:
            what = f"line {line} has {len(row)} fields where the first line has {width}"
            fix = "quote fields that hold the delimiter, or give --delimiter"
            raise InputError(Fault("CM004", what, f"{path}:{line}", shorten(row, 4), fix))
    return lines, rows


def _text(path: Path, encoding: str) -> str:
    try:
        raw = path.read_bytes()
    except IsADirectoryError:
        raise InputError(Fault("CM001", "this is a folder", str(path), fix="name a file")) from None
    except OSError as error:
        near = path.parent.glob("*") if path.parent.is_dir() else []
        fix = did_you_mean(path.name, [p.name for p in near], alike=0.75)
        what = f"the file cannot be read: {error.strerror}"
        raise InputError(Fault("CM001", what, printable(path, 200), fix=fix)) from None
    _refuse_binary(path, raw)
    try:
        return raw.decode("utf-8-sig" if encoding.lower() in {"utf-8", "utf8"} else encoding)
    except LookupError:
        fix = "such as utf-8, latin-1 or cp1252"
        raise InputError(Fault("CM004", f"no encoding is called {encoding!r}", fix=fix)) from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise InputError(
            Fault(
                "CM004",
                f"the text is not {encoding}",
                where=f"{path}:{line}",
                saw=f"byte 0x{raw[error.start]:02x}",
                fix="say how it is written: --encoding latin-1 (or cp1252, utf-16)",
            )
        ) from None


def _refuse_binary(path: Path, raw: bytes) -> None:
    if raw[:1] == b"\x80" and raw[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}:
        what = "this is a Python pickle, not a text table"
        fix = "pickles can run code, so they are never opened; write CSV instead"
        raise InputError(Fault("CM003", what, str(path), fix=fix))
    for start, kind in _KINDS.items():
        if raw.startswith(start):
            fix = "--encoding utf-16" if "UTF-16" in kind else "write it as CSV"
            if "UTF-16" in kind:
                return
            raise InputError(
                Fault("CM003", f"this is {kind}, not a text table", str(path), fix=fix)
            )
    if b"\x00" in raw[:65536]:
        fix = "write it as CSV"
        raise InputError(
            Fault("CM003", "this is a binary file, not a text table", str(path), fix=fix)
        )


def _columns(
    path: str | Path, header: list[str], true: str | None, predicted: list[str], notes: list[str]
) -> tuple[int, list[int]]:
    """Where truth and predictions stand; names that were guessed are said."""
    saw = f"columns: {shorten(header, 12)}"
    twice = [x for x in dict.fromkeys(header) if header.count(x) > 1]
    faults = [
        _no_column(path, name, option, header)
        for name, option in [(true, "--true"), *((p, "--pred") for p in predicted)]
        if name is not None and name not in header
    ]
    faults += [
        Fault("CM101", f"two columns are named {printable(name)!r}", str(path), saw, "rename one")
        for name in twice
        if name in {true, *predicted} or not true or not predicted
    ]
    guessed_true = true or _guess(header, TRUE_NAMES)
    guessed = predicted or [x for x in [_guess(header, PRED_NAMES)] if x]
    if not faults and guessed_true is None:
        faults.append(Fault("CM101", "which column is the truth?", str(path), saw, "--true COLUMN"))
    if not faults and not guessed:
        fix = "--pred COLUMN (once for each model)"
        faults.append(Fault("CM101", "which column holds predictions?", str(path), saw, fix))
    if faults:
        raise InputError(*faults)
    if not true or not predicted:
        shown = ", ".join(printable(x) for x in guessed)
        notes.append(f"truth from column {printable(guessed_true)}, predictions from {shown}")
    return header.index(str(guessed_true)), [header.index(x) for x in guessed]


def _guess(header: list[str], names: Sequence[str]) -> str | None:
    plain = {column.strip().lower(): column for column in reversed(header)}
    return next((plain[name] for name in names if name in plain), None)


def _no_column(path: str | Path, name: str, option: str, header: list[str]) -> Fault:
    near = did_you_mean(name, header)
    fix = near.replace("did you mean ", f"did you mean {option} ") or f"{option} one of these"
    what = f"no column named {printable(name)!r} (asked for as {option})"
    return Fault("CM101", what, str(path), f"columns: {shorten(header, 12)}", fix)


def _model_names(path: str | Path, header: list[str], columns: list[int]) -> list[str]:
    stem = Path(path).stem
    return [stem] if len(columns) == 1 else [header[at] for at in columns]


def _without_missing(
    path: str | Path,
    numbered: list[tuple[int, list[str]]],
    header: list[str],
    columns: list[int],
    missing: str,
) -> tuple[list[list[str]], int]:
    """Rows whose labels are all there; what else happens is up to `missing`."""
    gone = {
        header[at]: [line for line, row in numbered if not row[at].strip()]
        for at in dict.fromkeys(columns)
    }
    gone = {name: lines for name, lines in gone.items() if lines}
    if missing == "class":
        return [row for _, row in numbered], 0
    if gone and missing == "error":
        bad = sorted({line for lines in gone.values() for line in lines})
        empty = " · ".join(
            f"empty {printable(n)!r} on lines {shorten(x, 4)}" for n, x in gone.items()
        )
        what = f"{len(bad):,} of {len(numbered):,} rows have a missing label"
        fix = "--missing drop leaves them out; --missing class makes “missing” a class of its own"
        raise InputError(Fault("CM103", what, f"{path}:{bad[0]}", empty, fix))
    kept = [row for _, row in numbered if all(row[at].strip() for at in columns)]
    return kept, len(numbered) - len(kept)


def _as_numbers(path: str | Path, column: list[str]) -> list[float | int]:
    strange = [x for x in dict.fromkeys(column) if not _is_number(x)]
    if strange:
        fix = "leave out --labels-as number"
        raise InputError(
            Fault("CM104", "labels that are no numbers", str(path), shorten(strange, 5), fix)
        )
    numbers = [float(x) for x in column]
    return (
        [int(x) if x.is_integer() else x for x in numbers]
        if all(x.is_integer() for x in numbers)
        else numbers
    )


def _placed(
    path: str | Path, column: str, fault: Fault, y_true: Sequence[object], y_pred: Sequence[object]
) -> Fault:
    """A fault of labels, said in words of the file."""
    fix = fault.fix.replace("max_classes=", "--max-classes ")
    if fault.code == "CM104":
        fix = "check --true and --pred"
        if all(_is_number(str(x)) for x in [*y_true, *y_pred]):
            fix = "they match as numbers: add --labels-as number"
    saw = fault.saw.replace("y_true", "true").replace("y_pred", "predicted")
    return Fault(fault.code, fault.what, f"{path}, column {printable(column)}", saw, fix)


def _look_alikes(tables: dict[str, Table]) -> list[str]:
    """Labels that differ in case or blanks only: kept apart, and said."""
    labels = sorted({str(label) for t in tables.values() for label in t.labels})
    seen: dict[str, list[str]] = {}
    for label in labels:
        seen.setdefault(" ".join(label.casefold().split()), []).append(label)
    twins = [names for names in seen.values() if len(names) > 1]
    return [
        f"labels kept apart although they look alike: {', '.join(map(repr, map(printable, names)))}"
        for names in twins
    ]


def _labelled(path: str | Path, cells: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    columns, rows = cells[0][1:], [row[0] for row in cells[1:]]
    if sorted(columns) != sorted(rows):
        saw = f"rows {shorten(rows, 6)} · columns {shorten(columns, 6)}"
        fix = "the first row and the first column name the same classes"
        raise InputError(
            Fault("CM203", "rows and columns are not of the same classes", str(path), saw, fix)
        )
    order = [columns.index(label) for label in rows] if len(set(columns)) == len(columns) else None
    body = [row[1:] for row in cells[1:]]
    return rows, [[row[i] for i in order] for row in body] if order else body


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return "_" not in text


def _count(path: str | Path, line: int, text: str) -> int | float:
    if not _is_number(text):
        fix = "every cell is a count; for a file of labels leave out --matrix"
        raise InputError(
            Fault("CM202", "a cell is not a number", f"{path}:{line}", repr(printable(text)), fix)
        )
    try:
        return int(text)
    except ValueError:
        return float(text)

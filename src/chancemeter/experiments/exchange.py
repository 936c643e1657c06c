"""Results to WEKA's Experimenter and back: its CSV and ARFF files, a line for each fold.

Out goes what its testers need, and any measure beside; in comes what its Experimenter wrote.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural, printable, quoted, shorten
from chancemeter.experiments.grid import Grid
from chancemeter.experiments.values import FoldValues, fold_values
from chancemeter.frames.arff import load

KEYS = ("Key_Dataset", "Key_Run", "Key_Fold", "Key_Scheme", "Key_Scheme_options")
_KEYS = (*KEYS, "Key_Scheme_version_ID")
_TRAIN, _TEST = "Number_of_training_instances", "Number_of_testing_instances"
#: WEKA's names of what is worked out here too, and what they are multiplied by.
KNOWN = {"Percent_correct": ("accuracy", 100.0), "Kappa_statistic": ("kappa", 1.0)}
#: The package in the name of a Java class.
_JAVA = re.compile(r"^(?:[a-z_]\w*\.)+(?=[A-Z]\w*$)", re.ASCII)
_PLAIN = re.compile(r"[A-Za-z][\w.]*", re.ASCII)

Cells = dict[str, str]


def to_weka(grid: Grid, form: str = "csv", measures: Sequence[str] = ()) -> str:
    """The folds of an experiment as a result file of WEKA's Experimenter, ``csv`` or ``arff``.

    `measures` stand beside under their own names. What is undefined is a question mark.
    """
    rows = list(_rows(grid, measures))
    heads = list(rows[0]) if rows else list(_KEYS)
    lines = [",".join(row.values()) for row in rows]
    if form == "csv":
        return "\n".join([",".join(heads), *lines]) + "\n"
    if form != "arff":
        what = f"WEKA's results are written as csv or arff, not as {quoted(form)}"
        raise InputError(Fault("CM762", what))
    declared = [f"@attribute {head} {_type(head, rows)}" for head in heads]
    return "\n".join(["@relation results", *declared, "@data", *lines]) + "\n"


def from_weka(path: str | Path) -> FoldValues:
    """The folds of a result file of WEKA's Experimenter, CSV or ARFF: accuracy and kappa.

    Columns that bear the name of a measure are taken too.
    """
    path = Path(path)
    rows = _arff(path) if path.suffix.lower() == ".arff" else _csv(path)
    heads = list(rows[0]) if rows else []
    lacking = [x for x in ("Key_Dataset", "Key_Run", "Key_Scheme", _TRAIN, _TEST) if x not in heads]
    if lacking:
        what = "this is no result file of WEKA's Experimenter"
        fix = (
            "a file of its CSVResultListener or InstancesResultListener; without the sizes of "
            "training and test sets no corrected test is possible"
        )
        saw = f"no column {shorten(lacking)}"
        raise InputError(Fault("CM760", what, printable(path, 200), saw, fix))
    return _values(path, rows, _measures(heads))


def _rows(grid: Grid, measures: Sequence[str]) -> Iterator[Cells]:
    found = fold_values(grid, ["accuracy", "kappa", *measures])
    for d, one in enumerate(grid):
        right = np.einsum("...ii->...", one.tables.counts)
        for c, repeat, fold in np.argwhere(one.done):
            at = (c, repeat, fold)
            n, hits = int(one.test[repeat, fold]), int(right[at])
            yield {
                "Key_Dataset": _quoted(one.dataset),
                "Key_Run": str(repeat + 1),
                "Key_Fold": str(fold + 1),
                "Key_Scheme": _quoted(str(grid.classifiers[c])),
                "Key_Scheme_options": "''",
                "Key_Scheme_version_ID": "0",
                _TRAIN: str(int(one.train[repeat, fold])),
                _TEST: str(n),
                "Number_correct": str(hits),
                "Number_incorrect": str(n - hits),
                "Number_unclassified": "0",
                "Percent_correct": _number(100 * found.of("accuracy")[d][at]),
                "Percent_incorrect": _number(100 * (1 - found.of("accuracy")[d][at])),
                "Percent_unclassified": "0",
                "Kappa_statistic": _number(found.of("kappa")[d][at]),
                **{m: _number(found.of(m)[d][at]) for m in found.measures[2:]},
            }


def _type(head: str, rows: Sequence[Mapping[str, str]]) -> str:
    if head not in _KEYS:
        return "numeric"
    return "{" + ",".join(dict.fromkeys(row[head] for row in rows)) + "}"


def _quoted(text: str) -> str:
    """A value as ARFF writes it; between quotes no spreadsheet takes it for a formula."""
    if _PLAIN.fullmatch(text):
        return text
    signs = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "'" + "".join(signs.get(c, c) for c in text) + "'"


def _number(x: float) -> str:
    return "?" if np.isnan(x) else repr(float(x))


def _csv(path: Path) -> list[Cells]:
    """WEKA writes text between single quotes, others between double ones."""
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = f"the file cannot be read: {getattr(error, 'strerror', None) or error}"
        raise InputError(Fault("CM001", what, printable(path, 200))) from None
    quote = '"' if '"' in text.partition("\n")[0] else "'"
    reader = csv.DictReader(io.StringIO(text), quotechar=quote, escapechar="\\", restkey="")
    rows = []
    for number, row in enumerate(reader, 2):
        if None in row.values() or "" in row:
            what = f"{plural(len(reader.fieldnames or ()), 'column')}, and another number of values"
            raise InputError(Fault("CM760", what, f"{printable(path, 200)}, row {number}"))
        rows.append(row)
    return rows


def _arff(path: Path) -> list[Cells]:
    """By the reader of ARFF, which says what it does not read: dates, relations, sparse rows."""
    attributes, columns = load(path)
    names = [a.name for a in attributes]
    return [
        {name: "?" if x is None else _text(x) for name, x in zip(names, row, strict=True)}
        for row in zip(*columns, strict=True)
    ]


def _text(x: str | float) -> str:
    return x if isinstance(x, str) else repr(x)


def _measures(heads: Sequence[str]) -> dict[str, tuple[str, float]]:
    """Columns that hold measures: column, key and factor."""
    import chancemeter

    every = {m.key for m in chancemeter.every()}
    return {
        head: KNOWN.get(head, (head, 1.0))
        for head in heads
        if head in KNOWN or head.partition("@")[0].partition("(")[0] in every
    }


def _values(
    path: Path, rows: Sequence[Cells], measures: Mapping[str, tuple[str, float]]
) -> FoldValues:
    """Arrays from rows; a fold that a scheme lacks has no value."""
    schemes = _schemes(rows)
    datasets = list(dict.fromkeys(row["Key_Dataset"] for row in rows))
    values: dict[str, list[Array]] = {key: [] for key, _ in measures.values()}
    sizes: tuple[list[Array], list[Array]] = ([], [])
    for dataset in datasets:
        mine = [row for row in rows if row["Key_Dataset"] == dataset]
        runs, folds = (
            list(dict.fromkeys(row.get(key, "1") for row in mine))
            for key in ("Key_Run", "Key_Fold")
        )
        shape = len(runs), len(folds)
        of = {key: np.full((len(schemes), *shape), np.nan) for key in values}
        both = [np.full(shape, np.nan) for _ in sizes]
        seen: set[tuple[int, int, int]] = set()
        for row in mine:
            at = (
                schemes[_scheme(row)][0],
                runs.index(row["Key_Run"]),
                folds.index(row.get("Key_Fold", "1")),
            )
            if at in seen:
                what = "two lines for one data set, run, fold and scheme"
                saw = shorten(row.get(key, "") for key in KEYS)
                raise InputError(Fault("CM761", what, printable(path, 200), saw))
            seen.add(at)
            for size, column in zip(both, (_TRAIN, _TEST), strict=True):
                size[at[1:]] = _read(path, row, column)
            for column, (key, factor) in measures.items():
                of[key][at] = _read(path, row, column) / factor
        for size, kept in zip(both, sizes, strict=True):
            kept.append(size)
        for key, x in of.items():
            values[key].append(x)
    found = {key: tuple(x) for key, x in values.items()}
    names = tuple(name for _, name in schemes.values())
    return FoldValues(tuple(datasets), names, found, tuple(sizes[0]), tuple(sizes[1]))


def _read(path: Path, row: Cells, column: str) -> float:
    try:
        return np.nan if row[column] == "?" else float(row[column])
    except ValueError:
        what = f"{quoted(row[column])} in column {column} is no number"
        raise InputError(Fault("CM760", what, printable(path, 200))) from None


def _scheme(row: Cells) -> tuple[str, str]:
    return row["Key_Scheme"], row.get("Key_Scheme_options", "")


def _schemes(rows: Sequence[Cells]) -> dict[tuple[str, str], tuple[int, str]]:
    """Places and names: the class alone, with options only where they tell schemes apart."""
    found = list(dict.fromkeys(map(_scheme, rows)))
    short = [_JAVA.sub("", scheme) for scheme, _ in found]
    names = [
        f"{name} {options}".strip() if short.count(name) > 1 else name
        for name, (_, options) in zip(short, found, strict=True)
    ]
    return {scheme: (i, name) for i, (scheme, name) in enumerate(zip(found, names, strict=True))}

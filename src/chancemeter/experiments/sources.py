"""Where data sets come from: files, frames, arrays, scikit-learn, functions that make them, OpenML."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from chancemeter.columns import Coded
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted
from chancemeter.experiments import openml
from chancemeter.experiments.data import Columns, Data, assemble
from chancemeter.frames.duck import Field
from chancemeter.frames.files import FileSource, as_numbers
from chancemeter.frames.grouped import Column

#: Texts that mean a missing value in a file, beside nothing at all.
MISSING = ("?",)


def from_file(
    name: str,
    path: Path,
    about: Columns,
    *,
    missing: tuple[str, ...] = MISSING,
    encoding: str = "utf-8",
    delimiter: str | None = None,
) -> Data:
    """A data set in a file: CSV, TSV, JSON lines, Parquet, Arrow or ARFF.

    In ARFF declared levels keep their order, and the last attribute is the class if none is named.
    """
    arff = path.suffix.lower() == ".arff"
    with FileSource(path, encoding=encoding, delimiter=delimiter) as source:
        columns = _rows(source, () if arff else missing)
    return assemble(name, columns, about, last=arff, missing=() if arff else missing)


def _rows(source: FileSource, missing: tuple[str, ...]) -> dict[str, Any]:
    """Every column of a file, row by row; text that is numbers throughout becomes numbers."""
    fields = source.fields()
    sql = ", ".join(f"{f.sql} AS c{i}" for i, f in enumerate(fields))
    query = f"SELECT {sql} FROM {source.relation()}"  # noqa: S608  expressions made by us
    found = source.carefully(lambda: source.engine.arrays(query))
    if not found or not len(found[0]):
        fix = "the first line names the columns; cases follow, one a line"
        raise InputError(Fault("CM002", "the file holds no rows", source.name, fix=fix))
    return {f.name: _column(f, v, missing) for f, v in zip(fields, found, strict=True)}


def _column(f: Field, values: Array, missing: tuple[str, ...]) -> Any:
    gone = np.ma.getmaskarray(values) if isinstance(values, np.ma.MaskedArray) else None
    plain = np.asarray(np.ma.getdata(values))
    if plain.dtype.kind != "O":
        if gone is None or not gone.any():
            return plain
        return np.where(gone, np.nan, plain.astype(np.float64))
    listed = [
        None if x is None or (gone is not None and gone[i]) else x for i, x in enumerate(plain)
    ]
    listed = [None if isinstance(x, str) and x in missing else x for x in listed]
    if f.declared is not None:
        place = {x: i for i, x in enumerate(f.declared)}
        codes = np.array([-1 if x is None else place[x] for x in listed])
        return Coded(codes, tuple(f.declared), "text", declared=True)
    if not f.from_text:
        return listed
    levels = tuple(dict.fromkeys(x for x in listed if x is not None))
    place = {x: i for i, x in enumerate(levels)}
    codes = np.array([-1 if x is None else place[x] for x in listed])
    column = as_numbers(Column(codes, levels))
    return Coded(column.codes, column.categories, column.kind)


def from_columns(name: str, given: Any, about: Columns) -> Data:
    """A frame, a dict of columns, or a pair ``(X, y)`` of arrays or frames."""
    if isinstance(given, tuple) and len(given) == 2:
        return from_pair(name, *given, about)
    return assemble(name, _named(given, name), about)


def from_pair(name: str, x: Any, y: Any, about: Columns, names: Any = None) -> Data:
    """Attributes and classes apart, as scikit-learn has them."""
    if hasattr(x, "columns") or isinstance(x, Mapping):
        columns = _named(x, name)
    else:
        matrix = np.asarray(x.toarray() if hasattr(x, "toarray") else x)
        if matrix.ndim != 2:
            what, fix = "attributes are a matrix: cases in rows", "give X of two dimensions"
            raise InputError(Fault("CM704", what, name, f"shape {matrix.shape}", fix))
        heads = list(names) if names is not None else [f"x{i + 1}" for i in range(matrix.shape[1])]
        columns = {str(key): matrix[:, i] for i, key in enumerate(heads)}
    target = about.target or next(
        t for t in ("class", "target", "y", "_class_") if t not in columns
    )
    values = y.iloc[:, 0] if hasattr(y, "iloc") and getattr(y, "ndim", 1) == 2 else y
    from dataclasses import replace

    return assemble(name, {**columns, target: values}, replace(about, target=target))


def _named(given: Any, name: str) -> dict[str, Any]:
    if isinstance(given, Mapping):
        return {str(key): values for key, values in given.items()}
    from chancemeter.frames.arrays import columns_of

    return dict(columns_of(given, name))


def from_function(name: str, path: str, parameters: Mapping[str, Any], about: Columns) -> Data:
    """What a function gives: a pair ``(X, y)``, a frame, or one of scikit-learn's bunches."""
    make = import_object(path, f"{name}: make", "CM704")
    try:
        found = make(**parameters)
    except Exception as error:  # noqa: BLE001  somebody else's function
        what = f"{printable(path)} failed"
        saw = printable(f"{type(error).__name__}: {error}", 200)
        raise InputError(Fault("CM704", what, name, saw, "mend its parameters")) from None
    if not hasattr(found, "data") or not hasattr(found, "target"):
        return from_columns(name, found, about)
    y = found.target
    called = getattr(found, "target_names", None)
    whole = getattr(np.asarray(y), "dtype", np.dtype("O")).kind in "iu"
    if whole and called is not None and np.ndim(called) == 1 and len(called) == len(np.unique(y)):
        y = np.asarray(called).astype(str)[np.asarray(y)]
    return from_pair(name, found.data, y, about, getattr(found, "feature_names", None))


def from_sklearn(name: str, loader: str, about: Columns) -> Data:
    """One of the data sets that come with scikit-learn: ``iris``, ``wine`` or others."""
    word = loader.removeprefix("load_")
    known = ["iris", "wine", "breast_cancer", "digits"]
    if word not in known:
        fix = did_you_mean(word, known, f"one of {', '.join(known)}")
        what = f"scikit-learn brings no classes under the name {quoted(loader)}"
        raise InputError(Fault("CM704", what, name, fix=fix))
    return from_function(name, f"sklearn.datasets.load_{word}", {}, about)


def from_openml(name: str, number: int, about: Columns, cache: Path | None) -> Data:
    """A data set of OpenML by its number, kept in a folder so that it is fetched once."""
    from dataclasses import replace

    found = openml.fetch(number, name, cache)
    given = about.target or found.target
    ignored = tuple(x for x in found.ignored if x not in about.drop and x != given)
    drop = (*about.drop, *ignored)
    return from_file(name, found.path, replace(about, target=given, drop=drop))


def import_object(path: str, where: str, code: str) -> Any:
    """What an import path names; the nearest names if there is none."""
    home, _, last = path.rpartition(".")
    try:
        module = import_module(home) if home else None
    except Exception as error:  # noqa: BLE001  a module may fail in any way
        what = f"{quoted(path)} cannot be imported"
        saw = printable(f"{type(error).__name__}: {error}", 160)
        raise InputError(Fault(code, what, where, saw, _near_module(home))) from None
    found = getattr(module, last, None)
    if found is None:
        known = [x for x in dir(module) if not x.startswith("_")] if module else []
        fix = did_you_mean(last, known, "give the whole path, such as sklearn.svm.SVC")
        raise InputError(Fault(code, f"there is no {quoted(path)}", where, fix=fix))
    return found


def _near_module(home: str) -> str:
    """The nearest module of the same package."""
    import pkgutil

    top, _, _ = home.partition(".")
    try:
        package = import_module(top)
    except Exception:  # noqa: BLE001
        return f"is {quoted(top)} installed? the path is written as sklearn.svm.SVC"
    known = [f"{top}.{m.name}" for m in pkgutil.iter_modules(getattr(package, "__path__", []))]
    return did_you_mean(home, known, "give the whole path, such as sklearn.svm.SVC")

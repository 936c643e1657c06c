"""Two columns of labels to a table: what is counted, and what is refused instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, did_you_mean, printable, shorten
from chancemeter.tables import Label, Table

#: More classes than this are taken for a column of identifiers.
MAX_CLASSES = 2_000


def tally(
    y_true: Any,
    y_pred: Any,
    labels: Iterable[Label] | None = None,
    weights: Any = None,
    *,
    max_classes: int = MAX_CLASSES,
) -> Table:
    """Count one table from true and predicted labels.

    Classes stand in the order of `labels`, or sorted. Labels are never merged or dropped:
    a missing one, or text on one side and numbers on the other, is an error.

    >>> tally(list("aabb"), list("abbb"))
    4 cases, rows truth, columns prediction
       a  b
    a  1  1
    b  0  2
    """
    truth, predicted = _column(y_true, "y_true"), _column(y_pred, "y_pred")
    faults = [*_check_lengths(truth, predicted), *_check_missing(truth, predicted)]
    if faults:
        raise InputError(*faults)
    kinds = {"y_true": _kind(truth), "y_pred": _kind(predicted)}
    _check_kinds(truth, predicted, kinds)
    classes, codes = _encode(np.concatenate([truth, predicted]))
    n = len(truth)
    _check_size(len(classes), n, max_classes)
    order = list(classes)
    if labels is not None:
        order = _declared(labels, classes)
        place = {label: i for i, label in enumerate(order)}
        codes = np.array([place[label] for label in classes], dtype=np.intp)[codes]
    elif not set(codes[:n]) & set(codes[n:]):
        saw = f"y_true: {shorten(np.unique(truth), 4)} · y_pred: {shorten(np.unique(predicted), 4)}"
        fix = "if that is meant, declare the classes: labels=[…]"
        what = "true and predicted labels have nothing in common"
        raise InputError(Fault("CM104", what, saw=saw, fix=fix))
    k = len(order)
    _check_size(k, n, max_classes)
    cells = np.bincount(codes[:n] * k + codes[n:], _weights(weights, n), minlength=k * k)
    return Table(cells.reshape(k, k), tuple(order))


def _column(values: Any, name: str) -> Array:
    """`values` as a one-dimensional array; text stays text, objects stay objects."""
    if isinstance(values, (str, bytes)) or np.ndim(getattr(values, "shape", ())) > 1:
        raise InputError(Fault("CM102", f"{name} is one text", fix="give a list of labels"))
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    column = np.asarray(values if hasattr(values, "__len__") else list(values))
    if column.dtype.kind in "US" and not isinstance(values, np.ndarray):
        column = np.array(list(values), dtype=object)  # [1, "a"] is not ["1", "a"]
        if all(isinstance(x, str) for x in column):
            column = np.asarray(values)
    if column.ndim == 2 and column.shape[1] == 1:
        column = column[:, 0]
    if column.ndim != 1:
        saw = f"shape {column.shape}"
        fix = "one label a case; for probabilities take the most likely class first"
        raise InputError(Fault("CM102", f"{name} is not one column of labels", saw=saw, fix=fix))
    return column


def _check_lengths(truth: Array, predicted: Array) -> list[Fault]:
    if len(truth) != len(predicted):
        saw = f"{len(truth):,} true and {len(predicted):,} predicted labels"
        fix = "both must be of the same cases in the same order"
        return [Fault("CM102", "truth and prediction are not equally long", saw=saw, fix=fix)]
    if len(truth) == 0:
        return [Fault("CM002", "there are no cases", saw="0 labels", fix="give at least one")]
    return []


def _missing(column: Array) -> Array:
    if column.dtype.kind in "fcmM":
        return np.isnan(column)
    if column.dtype.kind != "O":
        return np.zeros(len(column), bool)
    return np.array([x is None or x != x or type(x).__name__ == "NAType" for x in column], bool)  # noqa: PLR0124


def _check_missing(truth: Array, predicted: Array) -> list[Fault]:
    faults = []
    for name, column in (("y_true", truth), ("y_pred", predicted)):
        try:
            gone = np.flatnonzero(_missing(column))
        except TypeError:  # pandas.NA compared with itself has no truth value
            gone = np.flatnonzero([x is None or type(x).__name__ == "NAType" for x in column])
        if len(gone):
            what = f"{len(gone):,} of {len(column):,} labels are missing in {name}"
            fix = "leave those cases out, or give them a label of their own such as 'missing'"
            faults.append(Fault("CM103", what, saw=f"positions {shorten(gone, 5)}", fix=fix))
    return faults


_KINDS = {"b": "truth values", "i": "whole numbers", "u": "whole numbers", "f": "decimal numbers",
          "U": "text", "S": "bytes", "M": "dates"}


def _kind(column: Array) -> str:
    """What a column holds, in a word; for objects, every sort that occurs."""
    if column.dtype.kind != "O":
        return _KINDS.get(column.dtype.kind, str(column.dtype))
    types = {type(x) for x in column}
    words = {_KINDS.get(np.dtype(t).kind, t.__name__) if t in _PLAIN else t.__name__ for t in types}
    return " and ".join(sorted(words))


_PLAIN = (bool, int, float, str, bytes, np.bool_, np.int64, np.float64, np.str_)


def _check_kinds(truth: Array, predicted: Array, kinds: dict[str, str]) -> None:
    faults = [
        Fault(
            "CM104",
            f"{name} mixes {kind}",
            saw=shorten(sorted({repr(x) for x in column[:10_000].tolist()}), 6),
            fix="make all labels of one kind, such as text: [str(x) for x in labels]",
        )
        for (name, kind), column in zip(kinds.items(), (truth, predicted), strict=True)
        if " and " in kind
    ]
    if not faults and kinds["y_true"] != kinds["y_pred"]:
        saw = " · ".join(
            f"{name}: {kind} ({shorten(np.unique(column), 3)})"
            for (name, kind), column in zip(kinds.items(), (truth, predicted), strict=True)
        )
        fix = "1, 1.0, True and '1' are not merged silently: convert one side, e.g. y_pred.astype(int)"
        faults = [Fault("CM104", "truth and prediction hold different kinds of labels", saw=saw, fix=fix)]
    if faults:
        raise InputError(*faults)


def _encode(column: Array) -> tuple[list[Label], Array]:
    """The classes in order, and for every case the place of its class."""
    classes, codes = np.unique(column, return_inverse=True)
    return classes.tolist(), codes


def _declared(labels: Iterable[Label], classes: list[Label]) -> list[Label]:
    order = [x.item() if isinstance(x, np.generic) else x for x in labels]
    if len(set(order)) != len(order):
        raise InputError(Fault("CM203", "a label is declared twice", saw=shorten(order)))
    strange = [label for label in classes if label not in order]
    if strange:
        fix = did_you_mean(
            str(strange[0]), map(str, order), f"declare it, or merge it: {shorten(order)} are declared"
        )
        what = f"{len(strange)} labels are not among the declared ones"
        raise InputError(Fault("CM107", what, saw=shorten(strange), fix=fix))
    return order


def _check_size(k: int, n: int, most: int) -> None:
    if k <= most:
        return
    looks = "it looks like an identifier" if k > n / 4 else "most measures need k² cells"
    fix = f"check which column holds the labels; if there really are {k:,}, max_classes={k}"
    what = f"{k:,} classes in {n:,} cases: {looks}"
    raise InputError(Fault("CM105", what, saw=f"a limit of {most:,} classes", fix=fix))


def _weights(weights: Any, n: int) -> Array | None:
    if weights is None:
        return None
    given = np.asarray(weights, dtype=np.float64) if _numeric(weights) else None
    if given is None or given.shape != (n,):
        saw = f"shape {np.shape(weights)} for {n:,} cases" if given is not None else printable(weights)
        raise InputError(Fault("CM106", "one weight is needed for each case", saw=saw))
    bad = np.flatnonzero(~np.isfinite(given) | (given < 0))
    if len(bad):
        saw = f"{given[bad[0]]} at position {bad[0]} ({len(bad)} such weights)"
        raise InputError(Fault("CM106", "weights are finite and not negative", saw=saw))
    return given


def _numeric(weights: Any) -> bool:
    try:
        return np.asarray(weights).dtype.kind in "biuf"
    except ValueError:
        return False

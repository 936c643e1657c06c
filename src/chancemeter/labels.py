"""Two columns of labels to a table: what is counted, and what is refused instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from numbers import Number
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, did_you_mean, plural, shorten
from chancemeter.tables import Label, Table, distinct, in_order, is_missing

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
    a missing one, or text on one side and numbers on the other, is an error. A weight of 2
    counts a case twice, a weight of 0 leaves it out.

    >>> tally(list("aabb"), list("abbb"))
    4 cases, rows truth, columns prediction
       a  b
    a  1  1
    b  0  2
    """
    columns = {"y_true": _column(y_true, "y_true"), "y_pred": _column(y_pred, "y_pred")}
    n = len(columns["y_true"])
    given, faults = _weights(weights, n)
    faults = [*_lengths(columns), *_missing(columns), *faults]
    if faults:
        raise InputError(*faults)
    _check_kinds(columns)
    classes, codes = _encode(*columns.values())
    _check_size(len(classes), n, max_classes)
    order = in_order(classes)
    if labels is not None:
        order = _declared(labels, order)
    elif not set(codes[:n]) & set(codes[n:]):
        fix = "if that is meant, declare the classes: labels=[…]"
        what = "true and predicted labels have nothing in common"
        raise InputError(Fault("CM104", what, saw=_seen(columns, 4), fix=fix))
    k = len(order)
    _check_size(k, n, max_classes)
    place = {label: i for i, label in enumerate(order)}
    codes = np.array([place[label] for label in classes], np.intp)[codes]
    cells = np.bincount(codes[:n] * k + codes[n:], given, minlength=k * k).reshape(k, k)
    whole = given is None or (given.dtype.kind in "biu" and cells.sum() < 2**53)
    return Table(cells.astype(np.int64) if whole else cells, order)


def _column(values: Any, name: str) -> Array:
    """`values` as a one-dimensional array: as it was typed, so that 1 and True stay apart."""
    if isinstance(values, (str, bytes)):
        raise InputError(Fault("CM102", f"{name} is one text", fix="give a list of labels"))
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if not isinstance(values, np.ndarray):
        try:
            values = _from_sequence(list(values))
        except TypeError:
            saw = type(values).__name__
            fix = "give a list, an array or a column of labels"
            raise InputError(Fault("CM102", f"{name} is no list", saw=saw, fix=fix)) from None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1 or _types(values) & {list, np.ndarray}:
        saw = f"shape {values.shape}" if values.ndim != 1 else "lists in place of labels"
        fix = "one label a case; for probabilities take the most likely class first"
        raise InputError(Fault("CM102", f"{name} is not one column of labels", saw=saw, fix=fix))
    return values


def _from_sequence(values: list[Any]) -> Array:
    """Numbers of one type as an array of them; anything else as objects, nothing converted."""
    types = set(map(type, values))
    if len(types) == 1 and types <= {bool, int, float, list, np.ndarray}:
        try:
            return np.asarray(values)
        except ValueError:  # lists that are not equally long
            pass
    return np.fromiter(values, dtype=object, count=len(values))


def _types(column: Array) -> set[type]:
    """The Python types in a column of objects."""
    return set(map(type, column.ravel())) if column.dtype == object else set()


def _lengths(columns: dict[str, Array]) -> Iterator[Fault]:
    true, predicted = map(len, columns.values())
    if true != predicted:
        saw = f"{true:,} true and {predicted:,} predicted labels"
        fix = "both must be of the same cases in the same order"
        yield Fault("CM102", "truth and prediction are not equally long", saw=saw, fix=fix)
    elif true == 0:
        yield Fault("CM002", "there are no cases", saw="0 labels", fix="give at least one")


def _missing(columns: dict[str, Array]) -> Iterator[Fault]:
    for name, column in columns.items():
        gone: Any = ()
        if column.dtype.kind in "fcmM":
            gone = np.flatnonzero(np.isnan(column))
        elif not _types(column) <= {str, int, bool}:
            gone = np.flatnonzero([is_missing(x) for x in column])
        if len(gone):
            what = f"{len(gone):,} of {plural(len(column), 'label')} are missing in {name}"
            fix = "leave those cases out, or give them a label of their own such as 'missing'"
            yield Fault("CM103", what, saw=f"positions {shorten(gone, 5)}", fix=fix)


_KINDS = {
    "b": "truth values",
    "i": "whole numbers",
    "u": "whole numbers",
    "f": "decimal numbers",
    "U": "text",
    "S": "bytes",
    "M": "dates",
}
_PLAIN = (bool, int, float, str, bytes, np.generic)


def _kind(column: Array) -> str:
    """What a column holds, in words; for objects, every sort that occurs."""
    if column.dtype.kind != "O":
        return _KINDS.get(column.dtype.kind, str(column.dtype))
    words = {
        _KINDS.get(np.dtype(t).kind, t.__name__) if issubclass(t, _PLAIN) else t.__name__
        for t in _types(column)
    }
    return " and ".join(sorted(words))


def _check_kinds(columns: dict[str, Array]) -> None:
    kinds = {name: _kind(column) for name, column in columns.items()}
    faults = [
        Fault(
            "CM104",
            f"{name} mixes {kind}",
            saw=shorten(sorted({repr(x) for x in columns[name][:10_000].tolist()}), 6),
            fix="make all labels of one kind, such as text: [str(x) for x in labels]",
        )
        for name, kind in kinds.items()
        if " and " in kind
    ]
    if not faults and len(set(kinds.values())) > 1:
        what = "truth and prediction hold different kinds of labels"
        fix = "1, 1.0, True and '1' are not merged silently: convert one side, e.g. y_pred.astype(int)"
        faults = [Fault("CM104", what, saw=_seen(columns, 3, kinds), fix=fix)]
    if faults:
        raise InputError(*faults)


def _seen(columns: dict[str, Array], most: int, kinds: dict[str, str] | None = None) -> str:
    """The first labels of each side, for a message."""
    shown = {name: shorten(in_order(_encode(x)[0]), most) for name, x in columns.items()}
    if kinds is None:
        return " · ".join(f"{name}: {labels}" for name, labels in shown.items())
    return " · ".join(f"{name}: {kinds[name]} ({labels})" for name, labels in shown.items())


def _encode(*columns: Array) -> tuple[list[Label], Array]:
    """The classes, and for every label of the columns, one after the other, its class."""
    if len({x.dtype.kind for x in columns}) == 1 and columns[0].dtype.kind != "O":
        both = np.concatenate(columns)
        if both.dtype.kind == "M":  # plain Python would make bare numbers of nanoseconds
            both = np.datetime_as_string(both)
        classes, codes = np.unique(both, return_inverse=True)
        return classes.tolist(), codes
    plain = [x for column in columns for x in column.tolist()]
    values = [x.item() if isinstance(x, np.generic) else x for x in plain]
    try:
        place = {label: i for i, label in enumerate(dict.fromkeys(values))}
    except TypeError:
        saw = ", ".join(sorted({type(x).__name__ for x in values}))
        fix = "labels are text, numbers, or other values that do not change"
        raise InputError(Fault("CM104", "these cannot be labels", saw=saw, fix=fix)) from None
    return list(place), np.array([place[x] for x in values], np.intp)


def _declared(labels: Iterable[Label], classes: Sequence[Label]) -> tuple[Label, ...]:
    order = distinct(labels)
    known = {(type(label), label) for label in order}
    strange = [label for label in classes if (type(label), label) not in known]
    if strange:
        near = did_you_mean(str(strange[0]), [str(x) for x in order if type(x) is type(strange[0])])
        fix = near or f"declare it, or merge it: {shorten(map(repr, order))} are declared"
        what = f"{plural(len(strange), 'label')} not among the declared ones"
        raise InputError(Fault("CM107", what, saw=shorten(map(repr, strange)), fix=fix))
    return order


def _check_size(k: int, n: int, most: int) -> None:
    if k <= most:
        return
    looks = "it looks like an identifier" if k > n / 4 else "most measures need k² cells"
    fix = f"check which column holds the labels; if there really are {k:,}, max_classes={k}"
    what = f"{k:,} classes in {plural(n, 'case')}: {looks}"
    raise InputError(Fault("CM105", what, saw=f"a limit of {most:,} classes", fix=fix))


def _weights(weights: Any, n: int) -> tuple[Array | None, list[Fault]]:
    if weights is None:
        return None, []
    try:
        given = np.asarray(weights)
    except ValueError:  # lists that are not equally long
        given = np.asarray("")
    if given.shape != (n,):
        saw = f"shape {given.shape} for {plural(n, 'case')}"
        return None, [Fault("CM106", "one weight is needed for each case", saw=saw)]
    if given.dtype == object and all(isinstance(x, Number) for x in given):
        given = given.astype(np.float64)
    if given.dtype.kind not in "biuf":
        strange = [x for x in given.tolist() if not isinstance(x, Number)]
        what, fix = "weights are numbers", "give numbers from 0 up"
        return None, [Fault("CM106", what, saw=shorten(map(repr, strange), 3), fix=fix)]
    bad = np.flatnonzero(~np.isfinite(given) | (given < 0))
    if len(bad):
        saw = f"{given[bad[0]]} at position {bad[0]} ({plural(len(bad), 'such weight')})"
        what, fix = "weights are finite and not negative", "a weight of 0 leaves a case out"
        return None, [Fault("CM106", what, saw=saw, fix=fix)]
    if float(given.max(initial=0)) * n == np.inf:
        what, fix = (
            "the weights add up to more than a number can hold",
            "divide them by the largest",
        )
        return None, [Fault("CM106", what, saw=f"up to {given.max():g}", fix=fix)]
    return given, []

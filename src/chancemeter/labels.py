"""Two columns of labels to a table: what is counted, and what is refused instead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from numbers import Number
from typing import Any

import numpy as np

from chancemeter.columns import Coded, as_coded, read_column
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, did_you_mean, plural, shorten
from chancemeter.pairs import count_pairs
from chancemeter.tables import Label, Table, distinct, in_order

#: More classes than this are taken for a column of identifiers.
MAX_CLASSES = 2_000

_Columns = dict[str, Array | Coded]


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
    found = count(y_true, y_pred, weights, max_classes=max_classes)
    order = in_order(found.classes)
    if labels is not None:
        order = declared(labels, order)
    elif not (found.counts.any(0) & found.counts.any(1)).any():
        fix = "if that is meant, declare the classes: labels=[…]"
        what = "true and predicted labels have nothing in common"
        raise InputError(Fault("CM104", what, saw=_seen(found.columns, 4), fix=fix))
    check_size(len(order), found.cases, max_classes)
    sums = found.counts if found.sums is None else found.sums
    if order == found.classes:
        return Table(sums, order)
    place = {label: i for i, label in enumerate(order)}
    to = [place[label] for label in found.classes]
    cells = np.zeros((len(order), len(order)), sums.dtype)
    cells[np.ix_(to, to)] = sums
    return Table(cells, order)


@dataclass(frozen=True, eq=False)
class Counted:
    """Two columns that fit together, counted over the labels that occur."""

    columns: _Columns
    cases: int
    kind: str
    """What the labels are, in words."""
    classes: tuple[Label, ...]
    counts: Array
    sums: Array | None
    """Sums of weights, if there are any; whole numbers if all weights are."""


def count(
    y_true: Any,
    y_pred: Any,
    weights: Any = None,
    *,
    max_classes: int = MAX_CLASSES,
    least: int = 1,
) -> Counted:
    """Check two columns and count them; fewer cases than `least` are refused."""
    columns = {"y_true": read_column(y_true, "y_true"), "y_pred": read_column(y_pred, "y_pred")}
    n = _length(columns["y_true"])
    given, faults = read_weights(weights, n)
    faults = [*_lengths(columns, least), *_missing(columns), *faults]
    if faults:
        raise InputError(*faults)
    kind = _check_kinds(columns) if n else ""
    true, predicted = columns.values()
    pairs = count_pairs(true, predicted, given, lambda k: check_size(k, n, max_classes))
    sums = pairs.weighted
    if given is not None and sums is not None and given.dtype.kind in "biu" and sums.sum() < 2**53:
        sums = sums.astype(np.int64)
    return Counted(columns, n, kind, pairs.classes, pairs.counts, sums)


def _length(column: Array | Coded) -> int:
    return len(column.codes if isinstance(column, Coded) else column)


def _lengths(columns: _Columns, least: int) -> Iterator[Fault]:
    true, predicted = map(_length, columns.values())
    if true != predicted:
        saw = f"{true:,} true and {predicted:,} predicted labels"
        fix = "both must be of the same cases in the same order"
        yield Fault("CM102", "truth and prediction are not equally long", saw=saw, fix=fix)
    elif true < least:
        yield Fault("CM002", "there are no cases", saw="0 labels", fix="give at least one")


def _missing(columns: _Columns) -> Iterator[Fault]:
    for name, column in columns.items():
        gone = np.flatnonzero(column.codes < 0) if isinstance(column, Coded) else ()
        if len(gone):
            what = f"{len(gone):,} of {plural(_length(column), 'label')} are missing in {name}"
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


def _kind(column: Array | Coded) -> str:
    """What a column holds, in words: every sort that occurs."""
    if not isinstance(column, Coded):
        return _KINDS[column.dtype.kind]
    if column.kind == "date":
        return _KINDS["M"]
    words = {
        _KINDS.get(np.dtype(t).kind, t.__name__) if issubclass(t, _PLAIN) else t.__name__
        for t in set(map(type, column.categories))
    }
    return " and ".join(sorted(words))


def _check_kinds(columns: _Columns) -> str:
    kinds = {name: _kind(column) for name, column in columns.items()}
    faults = [
        Fault(
            "CM104",
            f"{name} mixes {kind}",
            saw=shorten(sorted(map(repr, as_coded(columns[name]).categories)), 6),
            fix="make all labels of one kind, such as text: [str(x) for x in labels]",
        )
        for name, kind in kinds.items()
        if " and " in kind
    ]
    if not faults and len(set(kinds.values())) > 1:
        what = "truth and prediction hold different kinds of labels"
        faults = [Fault("CM104", what, saw=_seen(columns, 3, kinds), fix=_one_kind(columns, kinds))]
    if faults:
        raise InputError(*faults)
    return kinds["y_true"]


def _one_kind(columns: _Columns, kinds: dict[str, str]) -> str:
    """How to bring two sides to one kind, by what loses nothing."""
    of = {kind: name for name, kind in kinds.items()}
    decimal = of.get(_KINDS["f"])
    if decimal and any(
        not float(str(x)).is_integer() for x in as_coded(columns[decimal]).categories
    ):
        return f"{decimal} looks like scores: make labels of them first, as in {decimal} >= 0.5"
    fix = "1, 1.0, True and '1' are not merged silently: convert one side, e.g. "
    text, *_ = [of[kind] for kind in ("text", "bytes", "dates") if kind in of] or [""]
    if not text:
        return f"{fix}{of.get(_KINDS['b']) or decimal}.astype(int)"
    other = next(name for name in kinds if name != text)
    return f"{fix}[str(x) for x in {other}]"


def _seen(columns: _Columns, most: int, kinds: dict[str, str] | None = None) -> str:
    """The first labels of each side, for a message."""
    shown = {
        name: shorten(in_order(as_coded(x).used().categories), most) for name, x in columns.items()
    }
    if kinds is None:
        return " · ".join(f"{name}: {labels}" for name, labels in shown.items())
    return " · ".join(f"{name}: {kinds[name]} ({labels})" for name, labels in shown.items())


def declared(
    labels: Iterable[Label], classes: Sequence[Label], where: str = ""
) -> tuple[Label, ...]:
    """The declared labels; others among the classes are refused."""
    order = distinct(labels)
    known = {(type(label), label) for label in order}
    strange = [label for label in classes if (type(label), label) not in known]
    if strange:
        near = did_you_mean(str(strange[0]), [str(x) for x in order if type(x) is type(strange[0])])
        fix = near or f"declare it, or merge it: {shorten(map(repr, order))} are declared"
        what = f"{plural(len(strange), 'label')} not among the declared ones"
        raise InputError(Fault("CM107", what, where, shorten(map(repr, strange)), fix))
    return order


def check_size(k: int, n: int, most: int) -> None:
    """Refuse more classes than `most`, before memory for their square is taken."""
    if k <= most:
        return
    looks = "it looks like an identifier" if k > n / 4 else "most measures need k² cells"
    fix = f"check which column holds the labels; if there really are {k:,}, max_classes={k}"
    what = f"{k:,} classes in {plural(n, 'case')}: {looks}"
    raise InputError(Fault("CM105", what, saw=f"a limit of {most:,} classes", fix=fix))


def read_weights(weights: Any, n: int) -> tuple[Array | None, list[Fault]]:
    """Weights of `n` cases as numbers, and what is wrong with them."""
    if weights is None:
        return None, []
    given, faults = read_numbers(weights, n, "CM106", "weight")
    if given is None:
        return None, faults
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


def read_numbers(values: Any, n: int, code: str, word: str) -> tuple[Array | None, list[Fault]]:
    """One number for each of `n` cases, NaN and infinite ones too, and what is wrong with them."""
    try:
        given = np.asarray(values)
    except ValueError:  # lists that are not equally long
        given = np.asarray("")
    if given.shape != (n,):
        saw = f"shape {given.shape} for {plural(n, 'case')}"
        fix = f"give one list of {plural(n, word)}"
        return None, [Fault(code, f"one {word} is needed for each case", saw=saw, fix=fix)]
    if given.dtype == object and all(isinstance(x, Number) for x in given):
        given = given.astype(np.float64)
    if given.dtype.kind not in "biuf":
        strange = [x for x in given.tolist() if not isinstance(x, Number)]
        fix = "give numbers from 0 up" if code == "CM106" else "give one number for each case"
        return None, [
            Fault(code, f"{word}s are numbers", saw=shorten(map(repr, strange), 3), fix=fix)
        ]
    return given, []

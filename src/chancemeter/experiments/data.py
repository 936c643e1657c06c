"""A data set as experiments use it: one matrix of numbers, what its columns are, and the classes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from chancemeter.columns import Coded, as_coded, read_column
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, did_you_mean, plural, printable, quoted, shorten
from chancemeter.tables import TRUE_NAMES, Label, in_order, plain

#: A whole number with more distinct values than this, most of them rare, is no class.
_MOST_CLASSES = 100
_NUMBERS = {"integer", "float", "boolean"}


@dataclass(frozen=True)
class Columns:
    """What is said of the columns of a data set; every name is checked."""

    target: str | None = None
    nominal: tuple[str, ...] = ()
    ordinal: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The levels of each, from the lowest to the highest."""
    drop: tuple[str, ...] = ()
    group: str | None = None
    """Patients, documents and the like: never in both training and test set."""
    fold: str | None = None
    """Which test set a case belongs to, for the design ``predefined``."""
    labels: tuple[Label, ...] | None = None
    """The classes in their order, those that do not occur too."""


@dataclass(frozen=True, eq=False, repr=False)
class Data:
    """A data set: cases in rows."""

    name: str
    x: Array
    """A float for every case and attribute: a number, the place of a level, or nan if missing."""
    attributes: tuple[str, ...]
    levels: tuple[tuple[str, ...] | None, ...]
    """Of each attribute; None for a number."""
    ordered: tuple[bool, ...]
    """Whether the levels of an attribute have an order."""
    y: Array
    """The place of each case's class in `labels`."""
    labels: tuple[Label, ...]
    groups: Array | None = None
    folds: Array | None = None
    fold_names: tuple[Label, ...] = ()

    @property
    def n(self) -> int:
        """Number of cases."""
        return len(self.y)

    @cached_property
    def fingerprint(self) -> str:
        """A digest of all that a classifier could see, and of nothing else."""
        about = [self.attributes, self.levels, self.ordered, [plain(x) for x in self.labels]]
        about += [[plain(x) for x in self.fold_names]]
        digest = hashlib.sha256(json.dumps(about, separators=(",", ":")).encode())
        x = np.ascontiguousarray(self.x, "<f8") + 0.0  # one zero only
        x[np.isnan(x)] = np.nan  # and one nan
        digest.update(str(x.shape).encode() + x.tobytes())
        for places in (self.y, self.groups, self.folds):
            raw = b"" if places is None else np.ascontiguousarray(places, "<i8").tobytes()
            digest.update(b"|" + raw)
        return digest.hexdigest()[:32]

    @cached_property
    def target(self) -> Array:
        """The class of each case, as classifiers are given it."""
        same = len(set(map(type, self.labels))) == 1
        return np.array(self.labels, dtype=None if same else object)[self.y]

    def __repr__(self) -> str:
        """How large it is."""
        size = f"{plural(self.n, 'case')}, {plural(len(self.attributes), 'attribute')}"
        return f"<data set {printable(self.name)}: {size}, {plural(len(self.labels), 'class', 'classes')}>"


def assemble(
    name: str,
    columns: Mapping[str, Any],
    about: Columns,
    *,
    last: bool = False,
    missing: Sequence[str] = (),
) -> Data:
    """A data set from named columns; `last` takes the last one for the target if none is named.

    >>> d = assemble("toy", {"size": [1, 2, 3], "hue": ["r", None, "g"], "class": [0, 1, 1]}, Columns())
    >>> d.x.tolist(), d.levels, d.labels
    ([[1.0, 1.0], [2.0, nan], [3.0, 0.0]], (None, ('g', 'r')), (0, 1))
    """
    target = _target(name, list(columns), about, last=last)
    coded = {key: _read(name, key, values, missing) for key, values in columns.items()}
    n = {key: len(column.codes) for key, column in coded.items()}
    if len(set(n.values())) > 1:
        saw = ", ".join(f"{quoted(key)} has {rows:,}" for key, rows in list(n.items())[:6])
        raise InputError(Fault("CM704", "columns are not equally long", name, saw))
    aside = {target, about.group, about.fold, *about.drop}
    parts = [_attribute(name, key, c, about) for key, c in coded.items() if key not in aside]
    faults = [part for part in parts if isinstance(part, Fault)]
    labels, y, wrong = _classes(name, target, coded[target], about.labels)
    if faults or wrong:
        raise InputError(*wrong, *faults)
    found = [part for part in parts if not isinstance(part, Fault)]
    if not found:
        what, fix = "no attribute is left to learn from", "drop fewer columns"
        raise InputError(Fault("CM704", what, name, fix=fix))
    folds = coded[about.fold] if about.fold else None
    if folds is not None and (folds.codes < 0).any():
        gone = int((folds.codes < 0).sum())
        what, saw = "cases without a fold", f"{gone:,} gaps in {quoted(about.fold)}"
        raise InputError(Fault("CM704", what, name, saw, "say where each case belongs"))
    return Data(
        name,
        np.column_stack([values for _, _, _, values in found]).astype(np.float64),
        tuple(key for key, *_ in found),
        tuple(levels for _, levels, _, _ in found),
        tuple(order for _, _, order, _ in found),
        y,
        labels,
        _groups(coded[about.group]) if about.group else None,
        None if folds is None else folds.codes,
        () if folds is None else folds.categories,
    )


def _target(name: str, columns: list[str], about: Columns, *, last: bool) -> str:
    """The column of classes; every name that is given must be there."""
    asked = {"target": about.target, "group": about.group, "fold": about.fold}
    wanted = [(role, x) for role, x in asked.items() if x is not None]
    wanted += [("drop", x) for x in about.drop] + [("nominal", x) for x in about.nominal]
    wanted += [("ordinal", x) for x in about.ordinal]
    saw = f"columns: {shorten(columns, 12)}"
    faults = [
        Fault(
            "CM704", f"no column is named {quoted(x)} ({role})", name, saw, did_you_mean(x, columns)
        )
        for role, x in wanted
        if x not in columns
    ]
    if faults:
        raise InputError(*faults)
    if about.target is not None:
        return about.target
    usual = [x for x in columns if x.strip().lower() in TRUE_NAMES]
    if len(usual) == 1 or (last and columns):
        return usual[0] if len(usual) == 1 else columns[-1]
    fix = "say target = 'COLUMN'"
    raise InputError(Fault("CM704", "which column is the class?", name, saw, fix))


def _read(name: str, key: str, values: Any, missing: Sequence[str]) -> Coded:
    column = as_coded(read_column(values, f"column {quoted(key)} of {name}"))
    gone = [i for i, x in enumerate(column.categories) if x in missing]
    if not gone:
        return column
    codes = np.where(np.isin(column.codes, gone), -1, column.codes)
    return Coded(codes, column.categories, column.kind, column.declared).used()


_Attribute = tuple[str, tuple[str, ...] | None, bool, Array]


def _attribute(name: str, key: str, column: Coded, about: Columns) -> _Attribute | Fault:
    """An attribute as numbers: itself, or the places of its levels."""
    if not (column.codes >= 0).any():
        fix = f"leave it out: drop = [{key!r}]"
        return Fault(
            "CM707", f"column {quoted(key)} has no values", name, "missing in all rows", fix
        )
    if key in about.ordinal:
        levels = tuple(map(str, about.ordinal[key]))
        seen = [str(plain(x)) for x in column.categories]
        strange = [x for x in seen if x not in levels]
        if strange:
            what = f"levels of {quoted(key)} that are not in its order"
            fix = f"name all levels from the lowest to the highest: ordinal.{key} = […]"
            return Fault("CM704", what, name, shorten(strange), fix)
        return key, levels, True, _placed(column, [float(levels.index(x)) for x in seen])
    if column.kind in _NUMBERS and not column.declared and key not in about.nominal:
        return key, None, False, _placed(column, [float(x) for x in column.categories])  # type: ignore[arg-type]
    numbers = column if column.declared else _sorted(column)
    texts = tuple(str(plain(x)) for x in numbers.categories)
    return key, texts, False, _placed(numbers, list(map(float, range(len(texts)))))


def _placed(column: Coded, values: list[float]) -> Array:
    return np.array([*values, np.nan])[column.codes]


def _sorted(column: Coded) -> Coded:
    order = in_order(column.categories)
    place = {x: i for i, x in enumerate(order)}
    to = np.array([*(place[x] for x in column.categories), -1])
    return Coded(to[column.codes], order, column.kind)


def _groups(column: Coded) -> Array:
    """Groups as numbers; a case without one is a group of its own."""
    gone = column.codes < 0
    alone = len(column.categories) + np.cumsum(gone)
    return np.where(gone, alone, column.codes).astype(np.int64)


def _classes(
    name: str, target: str, column: Coded, given: tuple[Label, ...] | None
) -> tuple[tuple[Label, ...], Array, list[Fault]]:
    """The classes, the place of each case's, and what is wrong with them."""
    column = column if column.declared else _sorted(column)
    labels = tuple(x.isoformat() if hasattr(x, "isoformat") else x for x in column.categories)
    faults = [
        fault for check in _CHECKS for fault in [check(name, target, column, labels)] if fault
    ]
    if faults or given is None:
        return labels, column.codes.astype(np.int64), faults[:1]
    by_text = {str(plain(x)): x for x in labels}
    wanted = tuple(by_text.get(str(x), x) for x in given)
    lost = [x for x in labels if x not in wanted]
    if lost:
        what = f"classes of {quoted(target)} that labels = […] does not name"
        return labels, column.codes, [Fault("CM704", what, name, shorten(lost), "name them all")]
    to = np.array([wanted.index(x) for x in labels])
    return wanted, to[column.codes].astype(np.int64), []


_Check = Callable[[str, str, Coded, tuple[Label, ...]], Fault | None]


def _gaps(name: str, target: str, column: Coded, labels: tuple[Label, ...]) -> Fault | None:
    del labels
    gone = np.flatnonzero(column.codes < 0)
    if not len(gone):
        return None
    saw = f"{plural(len(gone), 'case')}, the first in row {gone[0] + 1}"
    what, fix = f"cases without a class ({quoted(target)})", "leave those rows out"
    return Fault("CM705", what, name, saw, fix)


def _continuous(name: str, target: str, column: Coded, labels: tuple[Label, ...]) -> Fault | None:
    """Fractions, or far too many whole numbers."""
    k, n = len(labels), len(column.codes)
    broken = [x for x in labels if isinstance(x, float) and not x.is_integer()]
    many = column.kind in {"integer", "float"} and k > _MOST_CLASSES and k > n / 5
    if not many and not (len(broken) > 1 and k > 10):
        return None
    what = f"the target {quoted(target)} is a quantity, not a class"
    saw = f"{k:,} different values in {plural(n, 'case')}, such as {shorten(broken or labels, 3)}"
    fix = "name a column of classes, or cut the quantity into classes first (pandas.cut)"
    return Fault("CM705", what, name, saw, fix)


def _one_class(name: str, target: str, column: Coded, labels: tuple[Label, ...]) -> Fault | None:
    del column
    if len(labels) > 1:
        return None
    what = f"all cases are of one class ({quoted(target)})"
    return Fault("CM705", what, name, shorten(labels), "two classes or more can be told apart")


_CHECKS: tuple[_Check, ...] = (_gaps, _continuous, _one_class)

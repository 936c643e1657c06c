"""A stack of confusion matrices with its labels and the names of its leading axes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from chancemeter.cells import read_cells
from chancemeter.counts import Array, Counts, as_floats, ratio
from chancemeter.errors import (
    Fault,
    InputError,
    UnknownNameError,
    aligned,
    component,
    did_you_mean,
    plural,
    printable,
    quoted,
    shorten,
)

Label = Hashable

#: Names of a column, or of the rows of a frame, that say it holds the truth, or predictions.
TRUE_NAMES = ("y_true", "true", "truth", "label", "target", "actual", "reference", "gold", "class")
PRED_NAMES = ("y_pred", "pred", "predicted", "prediction", "guess", "output")
SCORE_NAMES = ("y_score", "score", "scores", "y_prob", "y_proba", "prob", "proba", "probability")
#: Whole numbers may add up to this in one stack; so no sum of two tables can wrap around.
_MOST = 2.0**62


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Counts of truth (rows) against prediction (columns), one table or a stack of them.

    >>> from chancemeter import table
    >>> t = table([[70, 10], [20, 900]], labels=["good", "bad"])
    >>> t
    1,000 cases, rows truth, columns prediction
          good  bad
    good    70   10
    bad     20  900
    >>> (t + t).total
    2000
    """

    counts: Array
    labels: tuple[Label, ...]
    axes: Mapping[str, tuple[Label, ...]] = field(default_factory=dict)
    """Names of the leading axes and their entries: ``{"fold": (0, 1, 2)}``."""

    def __post_init__(self) -> None:
        """Count in doubles: short ones lose digits, and whole numbers could overflow."""
        counts = self.counts
        if counts.dtype.kind == "f":
            object.__setattr__(self, "counts", counts.astype(np.float64, copy=False))
        elif counts.dtype.kind in "iu" and counts.sum(dtype=np.float64) >= _MOST:
            object.__setattr__(self, "counts", as_floats(counts))

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.labels)

    @property
    def total(self) -> Any:
        """Number of cases: one number, or one for each table of a stack."""
        total = self.counts.sum((-2, -1))
        return total if total.ndim else total.item()

    def __eq__(self, other: object) -> bool:
        """Same counts, labels and axes."""
        if not isinstance(other, Table):
            return NotImplemented
        same = self.labels == other.labels and dict(self.axes) == dict(other.axes)
        return same and np.array_equal(self.counts, other.counts, equal_nan=True)

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Table) -> Table:
        """Add counts, classes matched by label; a class that one side lacks counts zero there.

        Sorted classes stay sorted. A declared order is kept if both sides have the same.
        """
        if not isinstance(other, Table):
            return NotImplemented
        stacks = self.counts.shape[:-2], other.counts.shape[:-2]
        if dict(self.axes) != dict(other.axes) or stacks[0] != stacks[1]:
            what = "tables with different axes cannot be added"
            saw = f"{_axes_text(self)} and {_axes_text(other)}"
            fix = "select or pool axes first: .select(fold=0), .pool('fold')"
            raise InputError(Fault("CM204", what, saw=saw, fix=fix))
        labels = _joined(self.labels, other.labels)
        counts = self.reorder(labels).counts + other.reorder(labels).counts
        return Table(counts, labels, self.axes)

    def __radd__(self, other: object) -> Table:
        """Let ``sum(tables)`` start from 0."""
        return self if other == 0 else NotImplemented

    def reorder(self, labels: Sequence[Label]) -> Table:
        """The same counts with classes in this order; labels without cases may be added.

        >>> from chancemeter import table
        >>> table([[1, 2], [3, 4]], labels="ab").reorder("ba").counts
        array([[4, 3],
               [2, 1]])
        """
        labels = distinct(labels)
        _check_kinds(self.labels, labels)
        lost = [label for label in self.labels if label not in labels]
        if lost:
            fix = "name every class; merge classes with .merge"
            raise InputError(Fault("CM203", "a class would be lost", saw=shorten(lost), fix=fix))
        if labels == self.labels:
            return self
        to = np.array([labels.index(label) for label in self.labels])
        shape = (*self.counts.shape[:-2], len(labels), len(labels))
        counts = np.zeros(shape, self.counts.dtype)
        counts[..., to[:, None], to[None, :]] = self.counts
        return Table(counts, labels, self.axes)

    def merge(self, groups: Mapping[Label, Iterable[Label]]) -> Table:
        """Classes put together under new names; classes not named stay as they are.

        >>> from chancemeter import table
        >>> table([[1, 2, 0], [3, 4, 1], [0, 0, 9]], labels="abc").merge({"ab": "ab"}).counts
        array([[10,  1],
               [ 0,  9]])
        """
        home: dict[Label, Label] = {}
        if not isinstance(groups, Mapping):
            fix = "give {new name: [old names]}"
            raise InputError(Fault("CM203", "groups have names", saw=printable(groups), fix=fix))
        for member, name in ((x, name) for name, members in groups.items() for x in members):
            self._index_of(member)
            if home.setdefault(member, name) != name:
                saw = f"in {quoted(home[member])} and in {quoted(name)}"
                what = f"class {quoted(member)} is put into two groups"
                raise InputError(Fault("CM203", what, saw=saw, fix="name it once"))
        taken = [x for x in groups if x in self.labels and x not in home]
        if taken:
            what = f"there is a class {quoted(taken[0])} already, and it is not in that group"
            fix = "put it into the group, or give the group another name"
            raise InputError(Fault("CM203", what, fix=fix))
        names = tuple(dict.fromkeys(home.get(label, label) for label in self.labels))
        place = {name: i for i, name in enumerate(names)}
        to = np.array([place[home.get(label, label)] for label in self.labels])
        counts = np.zeros((*self.counts.shape[:-2], len(names), len(names)), self.counts.dtype)
        at: Any = (..., to[:, None], to[None, :])
        np.add.at(counts, at, self.counts)
        return Table(counts, names, self.axes)

    def one_vs_rest(self, label: Label | None = None, rest: Label = "rest") -> Table:
        """One class against all others; without `label`, a stack with an axis ``class``.

        >>> from chancemeter import table
        >>> table([[70, 10], [20, 900]], labels=["good", "bad"]).one_vs_rest("bad").counts
        array([[900,  20],
               [ 10,  70]])
        """
        c = Counts(self.counts).one_vs_rest.cells
        if label is not None:
            names = distinct((label, rest))
            return Table(c[..., self._index_of(label), :, :], names, self.axes)
        if "class" in self.axes:
            fix = "take one class at a time: .one_vs_rest(label)"
            raise InputError(Fault("CM204", "there is an axis 'class' already", fix=fix))
        return Table(c, distinct(("class", rest)), {**self.axes, "class": self.labels})

    def swap(self) -> Table:
        """Truth and prediction exchanged."""
        return Table(self.counts.swapaxes(-1, -2), self.labels, self.axes)

    def weigh(self, weights: Any) -> Table:
        """Every cell multiplied by a weight: a cost or a benefit for each kind of outcome.

        Any measure of tables may then be applied (Labatut and Cherifi, 2011).

        >>> from chancemeter import accuracy, table
        >>> t = table([[70, 10], [20, 900]])
        >>> round(accuracy(t.weigh([[1, 5], [1, 1]])), 4)
        0.9327
        """
        if np.shape(weights) != (self.k, self.k):
            saw = f"weights of shape {np.shape(weights)} for {plural(self.k, 'class', 'classes')}"
            fix = f"give {self.k} rows of {self.k} weights, rows truth"
            raise InputError(Fault("CM106", "one weight is needed for each cell", "", saw, fix))
        return Table(as_floats(self.counts) * read_cells(weights), self.labels, self.axes)

    def normalized(self, by: str = "truth") -> Table:
        """Shares instead of counts: of each true class, of each predicted one, or of ``all``."""
        c = Counts(as_floats(self.counts))
        of = {
            "truth": c.truth[..., :, None],
            "prediction": c.predicted[..., None, :],
            "all": c.total[..., None, None],
        }
        if by not in of:
            fix = did_you_mean(by, of, f"one of {', '.join(of)}")
            raise UnknownNameError(Fault("CM204", f"shares of {quoted(by)}?", fix=fix))
        return Table(ratio(c.cells, of[by]), self.labels, self.axes)

    def select(self, **entries: Any) -> Table:
        """The tables at an entry (or a list of entries) of named axes: ``.select(fold=3)``."""
        self._check_axes(entries)
        counts, axes = self.counts, dict(self.axes)
        for name, wanted in entries.items():
            place = list(axes).index(name)
            many = isinstance(wanted, (list, tuple, range, np.ndarray))
            wanted = distinct(wanted) if many else wanted  # noqa: PLW2901
            index = [self._entry(name, axes[name], w) for w in (wanted if many else [wanted])]
            counts = counts.take(index if many else index[0], axis=place)
            if many:
                axes[name] = wanted
            else:
                del axes[name]
        return Table(counts, self.labels, axes)

    def pool(self, *names: str) -> Table:
        """Counts added up along named axes (all of them if none is named)."""
        self._check_axes(names)
        gone = tuple(range(self.counts.ndim - 2))
        if names:
            gone = tuple(i for i, name in enumerate(self.axes) if name in names)
        axes = {a: e for i, (a, e) in enumerate(self.axes.items()) if i not in gone}
        return Table(self.counts.sum(gone), self.labels, axes)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and words, fit for JSON; `chancemeter.table` reads it back."""
        return {
            "labels": [plain(x) for x in self.labels],
            "rows": "truth",
            "axes": {name: [plain(x) for x in entries] for name, entries in self.axes.items()},
            "counts": self.counts.tolist(),
        }

    def to_frame(self) -> Any:
        """A pandas frame: the square for one table, one row a cell for a stack."""
        pd = component("pandas", "a frame")
        if not self.axes and self.counts.ndim == 2:
            index = pd.Index(self.labels, name="truth")
            return pd.DataFrame(self.counts, index, pd.Index(self.labels, name="predicted"))
        names = [*self._axis_entries(), "truth", "predicted"]
        entries = [*self._axis_entries().values(), self.labels, self.labels]
        rows = pd.MultiIndex.from_product(entries, names=names)
        return pd.DataFrame({"count": self.counts.ravel()}, rows).reset_index()

    def _axis_entries(self) -> dict[str, tuple[Label, ...]]:
        if self.axes:
            return dict(self.axes)
        shape = self.counts.shape[:-2]
        return {f"axis_{i}": tuple(range(size)) for i, size in enumerate(shape)}

    def _check_axes(self, names: Iterable[str]) -> None:
        known = f"its axes: {', '.join(self.axes) or 'none'}"
        faults = [
            Fault("CM204", f"no axis is called {quoted(x)}", fix=did_you_mean(x, self.axes, known))
            for x in names
            if x not in self.axes
        ]
        if faults:
            raise UnknownNameError(*faults)

    def _index_of(self, label: Label) -> int:
        if label not in self.labels:
            known = f"its labels: {shorten(self.labels)}"
            fix = did_you_mean(str(label), map(str, self.labels), known)
            raise UnknownNameError(Fault("CM203", f"no class is called {quoted(label)}", fix=fix))
        return self.labels.index(label)

    @staticmethod
    def _entry(name: str, entries: tuple[Label, ...], wanted: Label) -> int:
        if wanted not in entries:
            what = f"axis {quoted(name)} has no entry {quoted(wanted)}"
            raise UnknownNameError(Fault("CM204", what, fix=f"its entries: {shorten(entries)}"))
        return entries.index(wanted)

    def __repr__(self) -> str:
        """The counts as text, or a line about the stack."""
        head = f"{cases(self.counts.sum())}, rows truth, columns prediction"
        if self.counts.ndim > 2:
            return f"<stack of {_axes_text(self)} tables, {self.k} classes, {head}>"
        if self.k > 20:
            return f"<table of {self.k} classes, {head}>"
        names = [printable(label, 20) for label in self.labels]
        rows = [["", *names]]
        rows += [[n, *map(_number, row)] for n, row in zip(names, self.counts, strict=True)]
        return "\n".join([head, *aligned(rows)])

    def _repr_html_(self) -> str:
        """The counts as an HTML table, labels escaped."""
        if self.counts.ndim > 2 or self.k > 50:
            return f"<p>{escape(repr(self))}</p>"
        head = "".join(f'<th scope="col">{escape(printable(x))}</th>' for x in self.labels)
        body = "".join(
            f'<tr><th scope="row">{escape(printable(label))}</th>'
            + "".join(f"<td>{_number(x)}</td>" for x in row)
            + "</tr>"
            for label, row in zip(self.labels, self.counts, strict=True)
        )
        caption = f"{cases(self.counts.sum())}: truth in rows, prediction in columns"
        return f"<table><caption>{caption}</caption><tr><th>truth \\ prediction</th>{head}</tr>{body}</table>"


def table(
    cells: Any,
    labels: Iterable[Label] | None = None,
    *,
    rows: str = "truth",
    axes: Mapping[str, Iterable[Label]] | None = None,
) -> Table:
    """A ready-made confusion matrix (or a stack) as a `Table`.

    `cells` may be nested lists, an array, a pandas crosstab, a dict of dicts or a `Table`.
    ``rows="prediction"`` reads a matrix whose rows are predictions.

    >>> table([[10, 7], [5, 8]], labels=["cat", "dog"], rows="prediction").counts
    array([[10,  5],
           [ 7,  8]])
    """
    given = _given(cells.to_table() if hasattr(cells, "to_table") else cells, rows)
    if given.rows not in {"truth", "prediction"}:
        fix = "rows='truth' or rows='prediction'"
        raise InputError(Fault("CM205", "what are the rows?", saw=repr(given.rows), fix=fix))
    counts = read_cells(given.cells)
    if given.rows == "prediction":
        counts = counts.swapaxes(-1, -2)
    k = counts.shape[-1]
    names = distinct(labels if labels is not None else given.labels or range(k))
    if len(names) != k:
        what = f"{plural(len(names), 'label')} for {plural(k, 'class', 'classes')}"
        fix = f"give {plural(k, 'label')}"
        raise InputError(Fault("CM203", what, saw=shorten(names), fix=fix))
    _check_no_totals(counts, names)
    axes = given.axes if axes is None else axes
    if not isinstance(axes, Mapping):
        fix = "name each leading axis and its entries: axes={'fold': [0, 1, 2]}"
        raise InputError(Fault("CM204", "axes have entries", saw=printable(repr(axes)), fix=fix))
    named = {name: distinct(entries) for name, entries in axes.items()}
    shape = tuple(len(entries) for entries in named.values())
    if named and shape != counts.shape[:-2]:
        saw = f"axes of lengths {shape} for a stack of shape {counts.shape[:-2]}"
        fix = "one entry for each table along each leading axis"
        raise InputError(Fault("CM204", "the axes do not fit the stack", saw=saw, fix=fix))
    return Table(counts, names, named)


@dataclass(frozen=True)
class _Given:
    """Cells, and what they say of themselves."""

    cells: Any
    rows: str
    labels: Iterable[Label] | None = None
    axes: Mapping[str, Iterable[Label]] = field(default_factory=dict)


def _given(cells: Any, rows: str) -> _Given:
    if isinstance(cells, Table):
        return _Given(cells.counts, rows, cells.labels, cells.axes)
    if isinstance(cells, Mapping):
        if isinstance(cells.get("counts"), list):  # made by `Table.to_dict`
            labels = cells.get("labels") or None
            rows = cells.get("rows", rows)
            return _Given(cells["counts"], rows, labels, cells.get("axes", {}))
        if not all(isinstance(row, Mapping) for row in cells.values()):
            what, fix = "a dict of counts holds a dict a row", "give {truth: {prediction: count}}"
            raise InputError(Fault("CM201", what, fix=fix))
        columns = tuple(dict.fromkeys(label for row in cells.values() for label in row))
        counts = [[row.get(label, 0) for label in columns] for row in cells.values()]
        return _squared(counts, tuple(cells), columns, rows)
    if hasattr(cells, "index") and hasattr(cells, "columns"):
        check_names(cells.index.name, cells.columns.name, rows)
        return _squared(cells.to_numpy(), tuple(cells.index), tuple(cells.columns), rows)
    return _Given(cells, rows)


def check_names(index: object, columns: object, rows: str) -> None:
    """Refuse a frame whose own names say that its rows are something else than `rows`."""
    sides = {"truth": TRUE_NAMES, "prediction": PRED_NAMES}
    meant = [side for side, names in sides.items() if str(index).lower() in names and side != rows]
    if meant and rows in sides and str(columns).lower() in sides[rows]:
        saw = f"rows named {quoted(index)}, columns named {quoted(columns)}"
        fix = f"say rows={meant[0]!r}, or --rows {meant[0]}"
        raise InputError(Fault("CM205", f"the rows look like {meant[0]}, not {rows}", "", saw, fix))


def _squared(cells: Any, rows: Iterable[Label], columns: Iterable[Label], are: str) -> _Given:
    """A class that one side lacks counts zero there."""
    rows, columns = distinct(rows), distinct(columns)
    _check_kinds(rows, columns)
    labels = rows if set(columns) <= set(rows) else columns
    if not set(rows) <= set(labels):
        labels = in_order({*rows, *columns})
    values = np.asarray(cells).reshape(len(rows), len(columns))
    counts = np.zeros((len(labels), len(labels)), values.dtype)
    place = {label: i for i, label in enumerate(labels)}
    counts[np.ix_([place[x] for x in rows], [place[x] for x in columns])] = values
    return _Given(counts, are, labels)


def _check_no_totals(counts: Array, labels: tuple[Label, ...]) -> None:
    """Refuse a matrix that brings its margins along as if they were a class."""
    if str(labels[-1]).strip().lower() not in {"all", "total", "totals", "sum"}:
        return
    both = counts, counts.swapaxes(-1, -2)
    if all(np.allclose(x[..., :-1, :].sum(-2), x[..., -1, :]) for x in both):
        what, saw = "the last row and column are totals", f"a class {quoted(labels[-1])}"
        fix = "leave them out: pandas.crosstab(..., margins=False)"
        raise InputError(Fault("CM203", what, saw=saw, fix=fix))


def _check_kinds(a: tuple[Label, ...], b: tuple[Label, ...]) -> None:
    """Refuse to match labels of different kinds: 1, 1.0, True and '1' are four labels."""
    kinds = {x: type(x) for x in a}
    apart = a and b and not set(kinds.values()) & set(map(type, b))
    if apart or any(kinds.get(y, type(y)) is not type(y) for y in b):
        what = "labels of different kinds cannot be matched"
        saw = f"{shorten(map(repr, a), 4)} · {shorten(map(repr, b), 4)}"
        fix = "1, 1.0, True and '1' are not merged silently: convert one side"
        raise InputError(Fault("CM203", what, saw=saw, fix=fix))


def _joined(a: tuple[Label, ...], b: tuple[Label, ...]) -> tuple[Label, ...]:
    """All labels of both, so that tables can be added in any order with the same result."""
    _check_kinds(a, b)
    if a == b:
        return a
    if a != in_order(a) or b != in_order(b):
        what = "the classes stand in different orders, and not sorted"
        fix = "bring both into one order first: .reorder([…])"
        raise InputError(Fault("CM203", what, saw=f"{shorten(a)} · {shorten(b)}", fix=fix))
    return in_order({*a, *b})


def in_order(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Sorted, by type and text where values cannot be compared."""
    listed = list(labels)
    try:
        return tuple(sorted(listed))  # type: ignore[type-var]
    except TypeError:
        return tuple(sorted(listed, key=lambda x: (type(x).__name__, str(x))))


def is_missing(label: Any) -> bool:
    """None, NaN, NaT and pandas.NA; the last one cannot even be compared."""
    return label is None or type(label).__name__ == "NAType" or bool(label != label)  # noqa: PLR0124


def distinct(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Labels (or entries of an axis) that tell things apart, as plain Python values."""
    try:
        names = tuple(x.item() if isinstance(x, np.generic) else x for x in labels)
        different = len(set(names)) == len(names)
    except TypeError as error:
        fix = "give a list of text or numbers"
        fault = Fault("CM203", "these cannot be labels", saw=str(error), fix=fix)
        raise InputError(fault) from None
    if not different:
        twice = [x for x in dict.fromkeys(names) if names.count(x) > 1]
        fix = "labels tell classes apart: 1, 1.0 and True are one and the same to Python"
        raise InputError(Fault("CM203", "a label is given twice", saw=shorten(twice), fix=fix))
    if any(map(is_missing, names)):
        gone = [i for i, x in enumerate(names) if is_missing(x)]
        fix = "give it a name, such as 'missing'"
        raise InputError(Fault("CM103", "a label is missing", saw=f"position {gone[0]}", fix=fix))
    return names


def plain(label: Label) -> Any:
    """A label as JSON knows it: text, number or truth value, else its text."""
    return label if isinstance(label, (str, int, float, bool)) else str(label)


def cases(total: Any) -> str:
    """How many cases, in words; weighted ones by their sum.

    >>> cases(2000), cases(1), cases(10.5)
    ('2,000 cases', '1 case', 'cases of total weight 10.5')
    """
    value = total.item() if isinstance(total, np.generic) else total
    return (
        plural(value, "case") if isinstance(value, int) else f"cases of total weight {value:,.6g}"
    )


def _axes_text(t: Table) -> str:
    named = " × ".join(f"{len(entries)} {name}" for name, entries in t.axes.items())
    return named or " × ".join(map(str, t.counts.shape[:-2])) or "one table"


def _number(x: Any) -> str:
    value = x.item() if isinstance(x, np.generic) else x
    return f"{value:d}" if isinstance(value, int) else f"{value:.6g}"

"""A stack of confusion matrices with its labels and the names of its leading axes."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

import numpy as np

from chancemeter.counts import Array, Counts, as_floats, ratio, read_cells
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, printable, shorten

Label = Hashable


@dataclass(frozen=True, eq=False, repr=False)
class Table:
    """Counts of truth (rows) against prediction (columns), one table or a stack of them.

    >>> from chancemeter import table
    >>> t = table([[70, 10], [20, 900]], labels=["good", "bad"])
    >>> t
    1000 cases, rows truth, columns prediction
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
        return same and bool(np.array_equal(self.counts, other.counts))

    __hash__ = None  # type: ignore[assignment]

    def __add__(self, other: Table) -> Table:
        """Add counts, classes matched by label; a class that one side lacks counts zero there."""
        if not isinstance(other, Table):
            return NotImplemented
        if dict(self.axes) != dict(other.axes):
            fault = Fault(
                "CM204",
                "tables with different axes cannot be added",
                saw=f"{_axes_text(self)} and {_axes_text(other)}",
                fix="select or pool axes first: .select(fold=0), .pool('fold')",
            )
            raise InputError(fault)
        labels = _union(self.labels, other.labels)
        counts = self.reorder(labels).counts + other.reorder(labels).counts
        return Table(counts, labels, self.axes)

    def reorder(self, labels: Sequence[Label]) -> Table:
        """The same counts with classes in this order; labels without cases may be added.

        >>> from chancemeter import table
        >>> table([[1, 2], [3, 4]], labels="ab").reorder("ba").counts
        array([[4, 3],
               [2, 1]])
        """
        labels = _distinct(labels)
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
        for name, members in groups.items():
            for member in members:
                self._index_of(member)
                home[member] = name
        names = tuple(dict.fromkeys(home.get(label, label) for label in self.labels))
        to = np.array([names.index(home.get(label, label)) for label in self.labels])
        into = np.zeros((self.k, len(names)), self.counts.dtype)
        into[np.arange(self.k), to] = 1
        return Table(into.T @ self.counts @ into, names, self.axes)

    def one_vs_rest(self, label: Label | None = None, rest: Label = "rest") -> Table:
        """One class against all others; without `label`, a stack with an axis ``class``.

        >>> from chancemeter import table
        >>> table([[70, 10], [20, 900]], labels=["good", "bad"]).one_vs_rest("bad").counts
        array([[900,  20],
               [ 10,  70]])
        """
        c = Counts(self.counts).one_vs_rest.cells
        if label is not None:
            return Table(c[..., self._index_of(label), :, :], (label, rest), self.axes)
        return Table(c, ("class", rest), {**self.axes, "class": self.labels})

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
        factors = read_cells(weights)
        if factors.shape != (self.k, self.k):
            fault = Fault(
                "CM106",
                "one weight is needed for each cell",
                saw=f"weights of shape {factors.shape} for {self.k} classes",
                fix=f"give {self.k} rows of {self.k} weights, rows truth",
            )
            raise InputError(fault)
        return Table(as_floats(self.counts) * factors, self.labels, self.axes)

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
            raise UnknownNameError(Fault("CM204", f"shares of {printable(by)!r}?", fix=fix))
        return Table(ratio(c.cells, of[by]), self.labels, self.axes)

    def select(self, **entries: Any) -> Table:
        """The tables at an entry (or a list of entries) of named axes: ``.select(fold=3)``."""
        counts, axes = self.counts, dict(self.axes)
        for name, wanted in entries.items():
            if name not in axes:
                fix = did_you_mean(name, axes, f"its axes: {', '.join(axes) or 'none'}")
                raise UnknownNameError(Fault("CM204", f"no axis is called {name!r}", fix=fix))
            place = list(axes).index(name)
            many = isinstance(wanted, (list, tuple))
            index = [self._entry(name, axes[name], w) for w in (wanted if many else [wanted])]
            counts = counts.take(index if many else index[0], axis=place)
            if many:
                axes[name] = tuple(wanted)
            else:
                del axes[name]
        return Table(counts, self.labels, axes)

    def pool(self, *names: str) -> Table:
        """Counts added up along named axes (all of them if none is named)."""
        unknown = [name for name in names if name not in self.axes]
        if unknown:
            fix = did_you_mean(unknown[0], self.axes, f"its axes: {', '.join(self.axes)}")
            raise UnknownNameError(Fault("CM204", f"no axis is called {unknown[0]!r}", fix=fix))
        gone = tuple(i for i, name in enumerate(self.axes) if name in names or not names)
        axes = {a: e for i, (a, e) in enumerate(self.axes.items()) if i not in gone}
        return Table(self.counts.sum(gone), self.labels, axes)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and words, fit for JSON; `chancemeter.table` reads it back."""
        return {
            "labels": list(self.labels),
            "rows": "truth",
            "axes": {name: list(entries) for name, entries in self.axes.items()},
            "counts": self.counts.tolist(),
        }

    def to_frame(self) -> Any:
        """A pandas frame: the square for one table, one row a cell for a stack."""
        import pandas as pd

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

    def _index_of(self, label: Label) -> int:
        if label not in self.labels:
            fix = did_you_mean(str(label), map(str, self.labels), f"its labels: {shorten(self.labels)}")
            raise UnknownNameError(Fault("CM203", f"no class is called {printable(label)!r}", fix=fix))
        return self.labels.index(label)

    @staticmethod
    def _entry(name: str, entries: tuple[Label, ...], wanted: Label) -> int:
        if wanted not in entries:
            what = f"axis {name!r} has no entry {printable(wanted)!r}"
            raise UnknownNameError(Fault("CM204", what, fix=f"its entries: {shorten(entries)}"))
        return entries.index(wanted)

    def __repr__(self) -> str:
        """The counts as text, or a line about the stack."""
        head = f"{_number(self.counts.sum())} cases, rows truth, columns prediction"
        if self.counts.ndim > 2:
            return f"<stack of {_axes_text(self)} tables, {self.k} classes, {head}>"
        if self.k > 20:
            return f"<table of {self.k} classes, {head}>"
        names = [printable(label, 20) for label in self.labels]
        rows = [["", *names]]
        rows += [[n, *map(_number, row)] for n, row in zip(names, self.counts, strict=True)]
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = [
            "  ".join(
                cell.ljust(w) if i == 0 else cell.rjust(w)
                for i, (cell, w) in enumerate(zip(row, widths, strict=True))
            ).rstrip()
            for row in rows
        ]
        return "\n".join([head, *lines])

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
        caption = f"<caption>{_number(self.counts.sum())} cases: truth in rows, prediction in columns</caption>"
        return f"<table>{caption}<tr><th>truth \\ prediction</th>{head}</tr>{body}</table>"


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
    cells, found = _with_labels(cells)
    if rows not in {"truth", "prediction"}:
        fix = "rows='truth' or rows='prediction'"
        raise InputError(Fault("CM205", "what are the rows?", saw=repr(rows), fix=fix))
    counts = read_cells(cells)
    if rows == "prediction":
        counts = counts.swapaxes(-1, -2)
    k = counts.shape[-1]
    names = _distinct(labels if labels is not None else found or range(k))
    if len(names) != k:
        what = f"{len(names)} labels for {k} classes"
        raise InputError(Fault("CM203", what, saw=shorten(names), fix=f"give {k} labels"))
    named = {name: _distinct(entries) for name, entries in (axes or {}).items()}
    shape = tuple(len(entries) for entries in named.values())
    if named and shape != counts.shape[:-2]:
        saw = f"axes of lengths {shape} for a stack of shape {counts.shape[:-2]}"
        fix = "one entry for each table along each leading axis"
        raise InputError(Fault("CM204", "the axes do not fit the stack", saw=saw, fix=fix))
    return Table(counts, names, named)


def _with_labels(cells: Any) -> tuple[Any, tuple[Label, ...] | None]:
    """The bare counts of `cells`, and the labels that it carries."""
    if isinstance(cells, Table):
        return cells.counts, cells.labels
    if isinstance(cells, Mapping) and {"labels", "counts"} <= set(cells):
        return cells["counts"], tuple(cells["labels"])
    if isinstance(cells, Mapping):
        return _from_dicts(cells)
    if hasattr(cells, "index") and hasattr(cells, "columns"):
        rows, columns = list(cells.index), list(cells.columns)
        return _from_dicts(
            {r: dict(zip(columns, row, strict=True)) for r, row in zip(rows, cells.to_numpy(), strict=True)}
        )
    return cells, None


def _from_dicts(cells: Mapping[Label, Any]) -> tuple[Any, tuple[Label, ...]]:
    """``{truth: {prediction: count}}``; a class that one side lacks counts zero there."""
    if not all(isinstance(row, Mapping) for row in cells.values()):
        fix = "give {truth: {prediction: count}}"
        raise InputError(Fault("CM201", "a dict of counts holds a dict for each row", fix=fix))
    columns = tuple(dict.fromkeys(label for row in cells.values() for label in row))
    labels = _union(tuple(cells), columns)
    return [[cells.get(r, {}).get(c, 0) for c in labels] for r in labels], labels


def _union(a: tuple[Label, ...], b: tuple[Label, ...]) -> tuple[Label, ...]:
    """All labels of both: sorted if both are, else those of the larger set first."""
    if set(b) <= set(a):
        return a
    if set(a) <= set(b):
        return b
    both = tuple(dict.fromkeys([*a, *b]))
    if _is_sorted(a) and _is_sorted(b):
        try:
            return tuple(sorted(both))  # type: ignore[type-var]
        except TypeError:
            return both
    return both


def _is_sorted(labels: tuple[Label, ...]) -> bool:
    try:
        return list(labels) == sorted(labels)  # type: ignore[type-var]
    except TypeError:
        return False


def _distinct(labels: Iterable[Label]) -> tuple[Label, ...]:
    names = tuple(x.item() if isinstance(x, np.generic) else x for x in labels)
    if len(set(names)) != len(names):
        twice = [x for x in dict.fromkeys(names) if names.count(x) > 1]
        fix = "labels tell classes apart: 1, 1.0 and True are one and the same to Python"
        raise InputError(Fault("CM203", "a label is given twice", saw=shorten(twice), fix=fix))
    return names


def _axes_text(t: Table) -> str:
    named = " × ".join(f"{len(entries)} {name}" for name, entries in t.axes.items())
    return named or " × ".join(map(str, t.counts.shape[:-2])) or "one table"


def _number(x: Any) -> str:
    value = x.item() if isinstance(x, np.generic) else x
    return f"{value:d}" if isinstance(value, int) else f"{value:.6g}"

"""Stacks of confusion matrices: the one data structure of this library.

A stack is an array of shape ``(..., k, k)``; rows are the truth, columns the prediction.
Whatever the leading axes are (folds, resamples, thresholds, models), a measure maps the
stack to values of shape ``(...)``, or ``(..., k)`` for a measure of each class.

`Counts` is a stack as formulas see it. Its parts (hits, misses, margins ...) are worked out
once, and by adding rather than subtracting wherever subtracting could lose digits, so that one
error in 10**15 cases is not lost.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from functools import cache, cached_property, wraps
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from chancemeter.cells import read_cells
from chancemeter.errors import Fault, InputError

Array: TypeAlias = NDArray[Any]
Values: TypeAlias = NDArray[Any]
Found = TypeVar("Found")

#: Totals beyond these bounds are brought back by a power of two where a measure allows it,
#: because products of four totals must stay within a double.
_TINY, _HUGE = 1e-60, 1e60
#: No power of two beyond this: it might be no double.
_MOST = 1000
#: Up to so many classes a matrix product is the fastest way to add up all other entries.
_SMALL = 64


class Counts:
    """A stack of tables and what follows from them; numbers, complex numbers or fractions.

    >>> c = Counts(np.array([[20.0, 5.0], [10.0, 15.0]]))
    >>> c.hits, c.truth, c.predicted
    (array([20., 15.]), array([25., 25.]), array([30., 20.]))
    >>> c.tn, float(c.total), float(c.wrong)
    (array([15., 20.]), 50.0, 15.0)
    """

    whole = False

    def __init__(self, cells: Array, *, whole: bool = False) -> None:
        """Trust `cells` to be of shape ``(..., k, k)``; `as_counts` is what checks.

        With `whole`, all counts are whole numbers whose total a double holds exactly: then
        subtracting loses nothing either, and is faster. They may be integers still, which
        only become doubles where a formula asks for single cells.
        """
        self._given, self.whole = cells, whole

    @cached_property
    def cells(self) -> Array:
        """The tables themselves."""
        return as_floats(self._given) if self.whole else self._given

    @property
    def k(self) -> int:
        """Number of classes."""
        return int(self._given.shape[-1])

    @cached_property
    def hits(self) -> Values:
        """Right predictions of each class: the diagonal."""
        return self._part("...ii->...i").copy()

    @cached_property
    def truth(self) -> Values:
        """Cases of each class."""
        return self._part("...ij->...i")

    @cached_property
    def predicted(self) -> Values:
        """Predictions of each class."""
        return self._part("...ij->...j")

    def _part(self, which: str) -> Values:
        part = np.einsum(which, self._given)
        return as_floats(part) if self.whole else part

    @cached_property
    def total(self) -> Values:
        """Cases in each table."""
        return added(self.truth)

    @cached_property
    def right(self) -> Values:
        """Right predictions in each table."""
        return added(self.hits)

    @cached_property
    def wrong(self) -> Values:
        """Wrong predictions in each table, added up rather than left over."""
        return added(self.fn)

    @cached_property
    def errors(self) -> Array:
        """The table with an empty diagonal."""
        off = self.cells.copy()
        index = np.arange(self.k)
        off[..., index, index] = 0
        return off

    # One class against the rest, for every class at once.

    @property
    def tp(self) -> Values:
        """Cases of the class that were found."""
        return self.hits

    @cached_property
    def fn(self) -> Values:
        """Cases of the class that were missed."""
        if self.whole:
            return self.truth - self.hits
        return np.diagonal(self.across, axis1=-2, axis2=-1)

    @cached_property
    def fp(self) -> Values:
        """False alarms for the class."""
        return self.predicted - self.hits if self.whole else self._off_diagonal(self.cells)

    @cached_property
    def tn(self) -> Values:
        """Cases of other classes that were not called this one."""
        if self.k == 2:
            return self.hits[..., ::-1]
        if self.whole:
            return self.n - self.truth - self.fp
        return self._off_diagonal(self.across)

    @property
    def _small(self) -> bool:
        """Whether products with a matrix of zeros and ones are the fastest way to add."""
        return self.k <= _SMALL and self.cells.dtype.kind in "fc"

    def _off_diagonal(self, cells: Array) -> Values:
        """Sum of each column of `cells` without the diagonal."""
        if self._small:
            return np.einsum("...ij,ij->...j", cells, _all_but_own(self.k))
        off = cells.copy()
        index = np.arange(self.k)
        off[..., index, index] = 0
        return off.sum(-2)

    @cached_property
    def across(self) -> Array:
        """For each cell, what else stands in its row."""
        return self.truth[..., :, None] - self.cells if self.whole else others(self.cells)

    @cached_property
    def down(self) -> Array:
        """For each cell, what else stands in its column."""
        if self.whole:
            return self.predicted[..., None, :] - self.cells
        if self._small:
            return _all_but_own(self.k) @ self.cells
        return others(self.cells.swapaxes(-1, -2)).swapaxes(-1, -2)

    @cached_property
    def elsewhere(self) -> Array:
        """For each cell, what stands neither in its row nor in its column."""
        if self.whole:
            return self.total[..., None, None] - self.truth[..., :, None] - self.down
        return others(self.down)

    @cached_property
    def anywhere(self) -> Values:
        """Cases that are of the class or were called it."""
        return self.tp + self.fn + self.fp

    @cached_property
    def n(self) -> Values:
        """The total, shaped to stand beside values of each class."""
        return self.total[..., None]

    @cached_property
    def negative(self) -> Values:
        """Cases of all other classes."""
        return self.n - self.truth if self.whole else self.fp + self.tn

    @cached_property
    def predicted_negative(self) -> Values:
        """Predictions of all other classes."""
        return self.n - self.predicted if self.whole else self.fn + self.tn

    @cached_property
    def leverage(self) -> Values:
        """``tp·tn − fp·fn`` of each class: how far it is from independence, times n squared."""
        return self.tp * self.tn - self.fp * self.fn

    @cached_property
    def one_vs_rest(self) -> Counts:
        """A 2 × 2 table for each class, the class first: shape ``(..., k, 2, 2)``."""
        rows = [np.stack([self.tp, self.fn], -1), np.stack([self.fp, self.tn], -1)]
        made = Counts(np.stack(rows, -2), whole=self.whole)
        sides = {  # what is known already need not be added up again
            "truth": (self.truth, self.negative),
            "predicted": (self.predicted, self.predicted_negative),
            "fn": (self.fn, self.fp),
            "fp": (self.fp, self.fn),
        }
        for name, pair in sides.items():
            made.__dict__[name] = np.stack(pair, -1)
        return made

    @cached_property
    def pooled(self) -> Counts:
        """All one-versus-rest tables added up, as a class of its own: for micro averages."""
        return Counts(self.one_vs_rest.cells.sum(-3, keepdims=True)).first_class

    @property
    def first_class(self) -> Counts:
        """A stack of 2 × 2 tables seen as values of their first class only."""
        return _FirstClass(self.cells)

    @cached_property
    def rescaled(self) -> Counts:
        """The same shares with a total near 1, by a power of two, where totals are extreme."""
        total = np.abs(self.total.astype(float if self.total.dtype == object else self.total.dtype))
        if not np.any((total > _HUGE) | ((total < _TINY) & (total > 0))):
            return self
        power = np.clip(-np.round(np.log2(np.where(total > 0, total, 1.0))), -_MOST, _MOST)
        return Counts(self.cells * np.exp2(power)[..., None, None])


class _FirstClass(Counts):
    """2 × 2 tables ``(..., k, 2, 2)`` whose first class is the class ``(..., k)``."""

    hits = cached_property(lambda self: self.cells[..., 0, 0])
    fn = cached_property(lambda self: self.cells[..., 0, 1])
    fp = cached_property(lambda self: self.cells[..., 1, 0])
    tn = cached_property(lambda self: self.cells[..., 1, 1])
    truth = cached_property(lambda self: self.hits + self.fn)
    predicted = cached_property(lambda self: self.hits + self.fp)
    n = cached_property(lambda self: self.cells.sum((-2, -1)))


class Margins(Counts):
    """Counts known by diagonal and margins alone: 3 k numbers instead of k squared.

    What was missed is the difference of whole numbers, which is exact. Formulas that ask for
    single cells are told that there are none.

    >>> c = Margins(hits=[20, 15], truth=[25, 25], predicted=[30, 20])
    >>> c.fn, c.fp, c.tn
    (array([ 5., 10.]), array([10.,  5.]), array([15., 20.]))
    """

    def __init__(self, hits: ArrayLike, truth: ArrayLike, predicted: ArrayLike) -> None:
        """Trust the three to be of one shape ``(..., k)``."""
        tp, rows, columns = map(np.asarray, (hits, truth, predicted))
        fn, fp = rows - tp, columns - tp
        tn = rows.sum(-1, keepdims=True) - rows - fp
        parts = (tp, rows, columns, fn, fp, tn)
        self.hits, self.truth, self.predicted, self.fn, self.fp, self.tn = map(as_floats, parts)

    @property
    def k(self) -> int:
        """Number of classes."""
        return int(self.hits.shape[-1])

    @property
    def cells(self) -> Array:
        """There are none."""
        what = "this measure needs every cell, and only diagonal and margins are at hand"
        fix = "choose a measure that margins determine, or merge classes"
        raise InputError(Fault("CM105", what, fix=fix))

    @property
    def rescaled(self) -> Counts:
        """Itself: margins are made from checked tables."""
        return self


def once(work: Callable[[Counts], Found]) -> Callable[[Counts], Found]:
    """Have `work` done once for each `Counts`, however many measures ask for it."""
    key = f"{work.__module__}.{work.__qualname__}"

    @wraps(work)
    def remembered(c: Counts) -> Found:
        if key not in c.__dict__:
            c.__dict__[key] = work(c)
        found: Found = c.__dict__[key]
        return found

    return remembered


def plain(c: Counts) -> Counts:
    """The tables themselves, where `c` is seen as values of one class."""
    return Counts(c.cells) if isinstance(c, _FirstClass) else c


def like(x: float, c: Counts) -> Any:
    """Put the parameter `x` in the kind of number that `c` holds, so that fractions stay exact."""
    return Fraction(x) if c.truth.dtype == object else x


def added(x: Values) -> Values:
    """The sum over classes, the last axis: as ``x.sum(-1)``, many times faster for few classes.

    >>> added(np.array([[1.0, 2.0], [3.0, 4.0]]))
    array([3., 7.])
    """
    return np.asarray(np.einsum("...i->...", x))


def dot(x: Values, y: Values) -> Values:
    """The sum over classes of products.

    >>> dot(np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([1.0, 10.0]))
    array([21., 43.])
    """
    return np.asarray(np.einsum("...i,...i->...", x, y))


def others(x: Values) -> Values:
    """The sum of all other entries along the last axis, without subtracting.

    >>> others(np.array([1.0, 2.0, 4.0]))
    array([6., 5., 3.])
    """
    k = x.shape[-1]
    if k == 2:
        return x[..., ::-1].copy()
    if k <= _SMALL and x.dtype.kind == "f":
        return _others_of_few(x.reshape(-1, k)).reshape(x.shape)
    before, after = np.zeros_like(x), np.zeros_like(x)
    np.cumsum(x[..., :-1], axis=-1, out=before[..., 1:])
    after[..., :-1] = np.cumsum(x[..., :0:-1], axis=-1)[..., ::-1]
    return before + after


def _others_of_few(rows: Array) -> Array:
    """The same by products with a matrix, each too small to be shared out to threads.

    Threads gain nothing here, and wait for each other on a machine that is busy.
    """
    k, found = rows.shape[-1], np.empty_like(rows)
    step = max(1, 200_000 // k**2)
    for i in range(0, len(rows), step):
        np.matmul(rows[i : i + step], _all_but_own(k), out=found[i : i + step])
    return found


@cache
def _all_but_own(k: int) -> Array:
    return 1.0 - np.eye(k)


def ratio(a: ArrayLike, b: ArrayLike) -> Values:
    """``a / b``, undefined (nan) where ``b`` is zero: the only division in the library.

    >>> ratio([1.0, 0.0], [2.0, 0.0])
    array([0.5, nan])
    """
    a, b = np.asarray(a), np.asarray(b)
    if a.dtype == object:  # fractions stay fractions
        b = b.astype(object)
    zero = np.equal(b, 0)
    return np.asarray(a / (np.where(zero, np.nan, b) if zero.any() else b))


def limit_ratio(a: ArrayLike, b: ArrayLike) -> Values:
    """As `ratio`, but infinite where only ``b`` is zero: for measures whose range has no end.

    >>> limit_ratio([1.0, 0.0], [0.0, 0.0])
    array([inf, nan])
    """
    endless = np.equal(b, 0) & np.not_equal(a, 0)
    return np.where(endless, np.inf, ratio(a, b))


def log(x: ArrayLike) -> Values:
    """Natural logarithm; minus infinity at zero, without a warning.

    >>> log([1.0, 0.0])
    array([  0., -inf])
    """
    zero = np.equal(x, 0)
    return np.where(zero, -np.inf, np.log(np.where(zero, 1, x)))


def xlogx(x: ArrayLike, y: ArrayLike | None = None) -> Values:
    """``x log(y)`` (``x log x`` when `y` is left out), zero where ``x`` is zero.

    >>> xlogx([0.0, 1.0], [0.0, np.e])
    array([0., 1.])
    """
    x = np.asarray(x)
    y = x if y is None else np.asarray(y)
    return np.where(np.equal(x, 0), 0, x * np.log(np.where(np.equal(x, 0), 1, y)))


def as_counts(table: Any) -> Counts:
    """Read `table` as a stack, or say why it is none.

    >>> as_counts([[20, 5], [10, 15]]).cells.shape
    (2, 2)
    >>> as_counts([[20, 5, 1], [10, 15, 2]])
    Traceback (most recent call last):
    chancemeter.errors.InputError: error[CM201]: a confusion matrix is square
      saw: shape (2, 3)
      fix: give k rows of k counts, rows truth and columns prediction
    """
    if isinstance(table, Counts):
        return table
    if hasattr(table, "margins"):
        return Margins(*table.margins())
    has_labels = hasattr(table, "counts") and hasattr(table, "labels")
    cells = table.counts if has_labels else read_cells(table)
    whole = _is_whole(cells)
    return Counts(cells if whole and cells.dtype == np.int64 else as_floats(cells), whole=whole)


def _is_whole(cells: Array) -> bool:
    """Whether these are whole numbers with totals below 2**53, which doubles hold exactly."""
    if cells.dtype.kind not in "biu" or cells.size == 0:
        return False
    return int(cells.max()) * cells.shape[-1] ** 2 < 2**53


def as_floats(cells: Array) -> Array:
    """Numbers in double precision; fractions as they are."""
    if cells.dtype.kind == "O":
        return cells
    return cells.astype(np.complex128 if cells.dtype.kind == "c" else np.float64, copy=False)

"""What may stand for a table or a stack of them, checked once, where it comes in."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from numbers import Rational
from typing import Any

import numpy as np
from numpy.typing import NDArray

from chancemeter.errors import Fault, InputError, plural, printable

_FOR_LABELS = "for labels use chancemeter.tally(y_true, y_pred)"


def read_cells(table: Any) -> NDArray[Any]:
    """`table` as a checked array ``(..., k, k)``; whole numbers stay whole."""
    _check_form(table)
    try:
        cells = np.asarray(table)
    except ValueError as error:
        what, fix = "the rows are not equally long", "give k rows of k counts"
        raise InputError(Fault("CM201", what, saw=_lengths(table), fix=fix)) from error
    if cells.dtype == object:
        cells = _from_objects(cells)
    if cells.dtype.kind not in "biufc":
        what = "the cells are not numbers"
        raise InputError(Fault("CM201", what, saw=_kind(cells), fix=f"give counts; {_FOR_LABELS}"))
    if cells.ndim < 2 or cells.shape[-1] != cells.shape[-2] or cells.shape[-1] == 0:
        fix = "give k rows of k counts, rows truth and columns prediction"
        fix = f"{fix}; {_FOR_LABELS}" if cells.ndim == 1 else fix
        saw = f"shape {cells.shape}"
        raise InputError(Fault("CM201", "a confusion matrix is square", saw=saw, fix=fix))
    _check_finite(cells)
    if cells.dtype.kind in "biu" and _fits(cells):
        return cells.astype(np.int64, copy=False)
    return cells


def _check_form(table: Any) -> None:
    """Refuse what numpy would turn into an array of something else than its counts."""
    if isinstance(table, Mapping):
        saw, fix = type(table).__name__, "chancemeter.table reads {truth: {prediction: count}}"
        raise InputError(Fault("CM201", "a dict is not a matrix yet", saw=saw, fix=fix))
    if isinstance(table, np.ma.MaskedArray) and np.ma.is_masked(table):
        what, fix = "some cells are masked", "say what stands there: table.filled(0)"
        raise InputError(Fault("CM202", what, saw=plural(int(table.mask.sum()), "cell"), fix=fix))


def read_fractions(table: Any) -> NDArray[Any]:
    """`table` checked as `read_cells` does, its cells as the fractions that they are.

    >>> read_fractions([[10**30, Fraction(1, 3)], [0.5, 1]]).tolist()[0]
    [Fraction(1000000000000000000000000000000, 1), Fraction(1, 3)]
    """
    given = getattr(table, "counts", table)
    shape = read_cells(given).shape
    exact = [Fraction(x) for x in np.asarray(given).astype(object).ravel()]
    return np.array(exact, dtype=object).reshape(shape)


def _fits(cells: NDArray[Any]) -> bool:
    return cells.dtype.kind != "u" or cells.size == 0 or int(cells.max()) < 2**63


def _from_objects(cells: NDArray[Any]) -> NDArray[Any]:
    """Python numbers too large for int64 (and fractions) as an array; anything else unchanged."""
    if not all(isinstance(x, (Rational, float)) for x in cells.ravel()):
        return cells
    try:
        return cells.astype(np.float64)
    except OverflowError as error:
        fix = "divide all cells by the same number"
        fault = Fault("CM202", "a count is too large", saw="more than 1.8e308", fix=fix)
        raise InputError(fault) from error


def _check_finite(cells: NDArray[Any]) -> None:
    if cells.size == 0 or (cells.real.min() >= 0 and np.isfinite(cells.max())):
        return  # one pass each; a nan anywhere makes both nan
    bad = ~np.isfinite(cells) | (cells.real < 0)
    where = tuple(int(i) for i in np.argwhere(bad)[0])
    what, fix = "counts are finite and not negative", "count cases, or give weights from 0 up"
    saw = f"{cells[where]} ({plural(int(bad.sum()), 'such cell')})"
    raise InputError(Fault("CM202", what, where=f"cell {where}", saw=saw, fix=fix))


def _lengths(table: Any) -> str:
    try:
        return "rows of " + ", ".join(str(len(row)) for row in table)
    except TypeError:
        return repr(type(table).__name__)


def _kind(cells: NDArray[Any]) -> str:
    strange = (x for x in cells.ravel().tolist() if not isinstance(x, (int, float)))
    return printable(repr(next(strange, cells.dtype)))

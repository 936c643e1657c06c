"""New stacks from a table or from a few numbers: other prevalences, knowing mixed with guessing.

Both functions are vectorised over everything before the classes, so that a whole range of
prevalences, or of shares known for sure, is one stack and one call of a measure.
"""

from __future__ import annotations

from fractions import Fraction
from numbers import Rational, Real

import numpy as np
from numpy.typing import ArrayLike

from chancemeter.counts import Array, Counts, as_counts, ratio
from chancemeter.errors import Fault, InputError, printable

#: How far shares may be from adding up to 1: far above rounding, far below a slip of the pen.
_SLACK = 1e-9


def at_prevalence(table: Array | Counts | ArrayLike, shares: ArrayLike) -> Array:
    """Each table as it would be if the true classes had other `shares`, recalls and total kept.

    What a classifier does with a case of a given class stays as it was; only how often such
    cases come along changes. `table` is ``(..., k, k)`` and `shares` is ``(..., k)``; what is
    before the classes is broadcast.

    >>> at_prevalence([[20, 5], [10, 15]], [0.9, 0.1])
    array([[36.,  9.],
           [ 2.,  3.]])

    One table at several prevalences, and what becomes of a measure that depends on them:

    >>> from chancemeter import informedness, kappa
    >>> stack = at_prevalence([[20, 5], [10, 15]], [[0.5, 0.5], [0.9, 0.1], [0.99, 0.01]])
    >>> kappa(stack).round(3)
    array([0.4  , 0.247, 0.038])
    >>> informedness(stack).round(3)
    array([0.4, 0.4, 0.4])

    A class without cases has no recall to keep: its row is undefined (nan) unless its share
    is 0.

    >>> at_prevalence([[20, 5], [0, 0]], [0.5, 0.5])
    array([[10. ,  2.5],
           [ nan,  nan]])
    >>> at_prevalence([[20, 5], [10, 15]], [0.9, 0.2])
    Traceback (most recent call last):
    chancemeter.errors.InputError: error[CM403]: shares of classes add up to 1
      --> shares
      saw: a sum of 1.1
      fix: divide them by their sum
    """
    cells, wanted = _alike(table=as_counts(table).cells, shares=shares)
    c = Counts(cells)
    _check_shares("shares", wanted, c.k)
    _check_broadcast(table=cells.shape[:-2], shares=wanted.shape[:-1])
    absent = np.equal(c.truth, 0) & np.equal(wanted, 0)
    growth = np.where(absent, 0, ratio(wanted * c.n, c.truth))
    return np.asarray(cells * growth[..., None])


def mixture(informed: ArrayLike, prevalence: ArrayLike, bias: ArrayLike) -> Array:
    r"""Powers' mixture: a share of decisions is `informed`, all others are guesses.

    The informed decisions are right. Below 0, that share of decisions is informed as well, but
    wrong on purpose, which says what is decided only where there are two classes. The guesses
    know nothing: they fall on the classes by the shares `bias`, whatever the truth, whose
    shares are `prevalence`. Shares come back, ``(..., k, k)``, and add up to 1 in each table:

    .. math:: |B|\,D + (1 - |B|)\,\text{prevalence} \cdot \text{bias}^T

    with the prevalences on the diagonal of D, or on its anti-diagonal for B < 0. Informedness
    gives B back for any prevalence and bias; kappa, in general, does not.

    >>> mixture(0.15, prevalence=[0.8, 0.2], bias=[0.2, 0.8]).round(3)
    array([[0.256, 0.544],
           [0.034, 0.166]])
    >>> from chancemeter import informedness, kappa
    >>> stack = mixture([-0.15, 0, 0.15, 1], prevalence=[0.8, 0.2], bias=[0.2, 0.8])
    >>> informedness(stack).round(12) + 0.0
    array([-0.15,  0.  ,  0.15,  1.  ])
    >>> kappa(stack).round(3) + 0.0
    array([-0.071,  0.   ,  0.077,  1.   ])

    Limits are mixtures too: a class that all but vanishes has prevalence 0. Given fractions,
    the tables are exact.

    >>> mixture(Fraction(1, 3), [0, 1], [1, 0]).tolist()
    [[Fraction(0, 1), Fraction(0, 1)], [Fraction(2, 3), Fraction(1, 3)]]
    """
    b, truth, guesses = _alike(informed=informed, prevalence=prevalence, bias=bias)
    _check_shares("prevalence", truth)
    _check_shares("bias", guesses, truth.shape[-1])
    _check_informed(b, truth.shape[-1])
    _check_broadcast(informed=b.shape, prevalence=truth.shape[:-1], bias=guesses.shape[:-1])
    b, row, column = b[..., None, None], truth[..., :, None], guesses[..., None, :]
    against = b.real < 0
    right = np.eye(truth.shape[-1], dtype=bool)
    known = np.where(np.where(against, right[::-1], right), row, 0)
    share = np.where(against, -b, b)
    return np.asarray(share * known + (1 - share) * (row * column))


def _alike(**given: ArrayLike) -> list[Array]:
    """All as doubles (or complex numbers), or all as fractions where none is a double."""
    arrays = {name: _read(name, x) for name, x in given.items()}
    kinds = {x.dtype.kind for x in arrays.values()}
    if "O" in kinds and kinds <= set("iuO"):
        exact = np.vectorize(Fraction, otypes=[object])
        return [exact(x) for x in arrays.values()]
    return [x if x.dtype.kind in "fc" else x.astype(np.float64) for x in arrays.values()]


def _read(name: str, given: ArrayLike) -> Array:
    try:
        array = np.asarray(given)
    except ValueError:  # lists that are not equally long
        array = np.asarray("")
    if array.dtype.kind in "biufc":
        return array
    if array.dtype == object and all(isinstance(x, Rational) for x in array.ravel()):
        return array
    if array.dtype == object and all(isinstance(x, Real) for x in array.ravel()):
        return array.astype(np.float64)
    what = "shares are numbers, as many for each table"
    raise InputError(Fault("CM403", what, where=name, saw=printable(given)))


def _check_shares(name: str, shares: Array, k: int | None = None) -> None:
    if shares.ndim == 0 or (k is not None and shares.shape[-1] != k):
        what = "there is one share for each class"
        saw = f"shape {shares.shape}" + (f" for {k} classes" if k is not None else "")
        fix = "give shares of shape (..., k): the last axis is the classes"
        raise InputError(Fault("CM403", what, where=name, saw=saw, fix=fix))
    size = shares.real.astype(np.float64)
    bad = ~(np.isfinite(size) & (size >= 0))
    if bad.any():
        what = "a share is a finite number from 0 up"
        raise InputError(Fault("CM403", what, where=name, saw=printable(size[bad][0])))
    total = size.sum(-1)
    off = np.abs(total - 1) > _SLACK
    if off.any():
        saw = f"a sum of {total[off][0]:.12g}"
        fix = "divide them by their sum" if (total > 0).all() else "give shares, not only zeros"
        raise InputError(
            Fault("CM403", "shares of classes add up to 1", where=name, saw=saw, fix=fix)
        )


def _check_informed(informed: Array, k: int) -> None:
    size = informed.real.astype(np.float64)
    bad = ~((size >= -1) & (size <= 1))
    if bad.any():
        what = "the informed share is between -1 and 1"
        raise InputError(Fault("CM403", what, where="informed", saw=printable(size[bad][0])))
    if k != 2 and (size < 0).any():
        what = "decisions that are wrong on purpose need two classes"
        saw = f"{printable(size[size < 0][0])} with {k} classes"
        fix = "with other than two classes give informed shares from 0 to 1"
        raise InputError(Fault("CM403", what, where="informed", saw=saw, fix=fix))


def _check_broadcast(**shapes: tuple[int, ...]) -> None:
    try:
        np.broadcast_shapes(*shapes.values())
    except ValueError:
        what = "the axes before the classes do not fit each other"
        saw = ", ".join(f"{name} {shape}" for name, shape in shapes.items())
        raise InputError(Fault("CM403", what, saw=saw)) from None

"""Weights for ordered classes: how bad it is to take one class for another.

A weight matrix here says *disagreement*: 0 on the diagonal, more where the error is worse. Only
the proportions count. The named ones are Gwet's; he prints them as agreement, which is one minus
the disagreement divided by its largest: `agreement`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any, NoReturn, TypeAlias

import numpy as np

from chancemeter.counts import Array, Counts, Values, ratio
from chancemeter.errors import Fault, InputError, did_you_mean, printable, shorten

Numbers: TypeAlias = Sequence[float] | Values
#: A name, the k distances of classes 0, 1, 2 ... ranks apart, or a whole matrix.
Weights: TypeAlias = str | Numbers | Sequence[Sequence[float]]


def _identity(x: Values) -> Array:
    """All errors are equally bad."""
    return 1 - np.eye(len(x), dtype=np.int64)


def _linear(x: Values) -> Array:
    """As bad as the scores are apart."""
    return np.asarray(np.abs(x[:, None] - x))


def _quadratic(x: Values) -> Array:
    """The square of that."""
    return np.asarray(np.square(x[:, None] - x))


def _ordinal(x: Values) -> Array:
    """How many pairs of classes lie within the range of the two."""
    apart = _linear(np.arange(len(x)))
    return np.asarray(apart * (apart + 1) // 2)


def _radical(x: Values) -> Array:
    """The square root of how far the scores are apart."""
    return np.sqrt(_linear(x))


def _ratio(x: Values) -> Array:
    """The square of the difference as a share of the sum of the scores."""
    return np.asarray(np.square(_over(_linear(x), x[:, None] + x)))


def _circular(x: Values) -> Array:
    """By the angle between them, when the last class is followed by the first."""
    return np.asarray(np.square(np.sin(_linear(x) * (np.pi / (x[-1] - x[0] + 1)))))


def _bipolar(x: Values) -> Array:
    """As quadratic, but worse near the two ends of the scale than in its middle."""
    total = x[:, None] + x
    return _over(_quadratic(x), (total - 2 * x[0]) * (2 * x[-1] - total))


NAMED: dict[str, Callable[[Values], Array]] = {
    "identity": _identity,
    "linear": _linear,
    "quadratic": _quadratic,
    "ordinal": _ordinal,
    "radical": _radical,
    "ratio": _ratio,
    "circular": _circular,
    "bipolar": _bipolar,
}


def _over(a: Array, b: Array) -> Array:
    """``a / b``, zero where ``a`` is: on the diagonal both may be."""
    return np.where(a == 0, 0.0, ratio(a, np.where(a == 0, 1, b)))


def disagreement(weights: Weights, k: int, scores: Numbers | None = None) -> Array:
    """The weight of each error among `k` classes: whole numbers where the weights allow it.

    >>> disagreement("ordinal", 3)
    array([[0, 1, 3],
           [1, 0, 1],
           [3, 1, 0]])
    >>> disagreement([0, 1, 5], 3)
    array([[0, 1, 5],
           [1, 0, 1],
           [5, 1, 0]])
    """
    if isinstance(weights, str):
        return _named(weights, _read_scores(scores, k))
    if scores is not None:
        _refuse("scores= goes with weights that have a name", fix="leave out scores=")
    given = _read(weights, "weights")
    if (given < 0).any():
        _refuse("weights are not negative", saw=printable(weights))
    if given.ndim == 1:
        _check_shape(given, (k,), "one distance per difference in rank, from 0 up")
        given = given[_linear(np.arange(k))]
    _check_shape(given, (k, k), "one row and one column per class")
    if np.diagonal(given).any():
        fix = "weights are disagreement, 0 where right; from agreement make them by 1 - weights"
        _refuse("a right prediction has weight 0", saw=f"diagonal {np.diagonal(given)}", fix=fix)
    return given


def agreement(weights: Weights, k: int, scores: Numbers | None = None) -> Array:
    """The same as agreement, as Gwet prints it: 1 where right, 0 for the worst error.

    >>> agreement("quadratic", 3)
    array([[1.  , 0.75, 0.  ],
           [0.75, 1.  , 0.75],
           [0.  , 0.75, 1.  ]])
    """
    w = disagreement(weights, k, scores)
    return 1.0 - _over(w, np.full(w.shape, w.max()))


def fitted(c: Counts, weights: Weights, scores: Numbers | None = None) -> Array:
    """`disagreement` for the classes of `c`, in numbers that go with its cells."""
    return suited(disagreement(weights, c.k, scores), c.cells)


def suited(w: Array, cells: Array) -> Array:
    """`w` as numbers that go with `cells`: fractions where these are, so that sums stay exact."""
    if cells.dtype != object:
        return w
    return np.array([Fraction(x) for x in w.ravel().tolist()], dtype=object).reshape(w.shape)


def apart(k: int, power: float = 1) -> Array:
    """How many ranks two classes are apart, to the power; a right prediction costs nothing.

    >>> apart(3, 2)
    array([[0, 1, 4],
           [1, 0, 1],
           [4, 1, 0]])
    """
    if not isinstance(power, (int, float)) or not isfinite(power) or power < 0:
        _refuse("power= is a number from 0 up", saw=printable(power))
    steps = _linear(np.arange(k))
    whole = isinstance(power, int) and k**power < 2**53
    return np.where(steps == 0, 0, (steps if whole else steps.astype(float)) ** power)


# Weighing a table ``(..., k, k)``: of errors made, and of errors that guessing would have made.


def total(cells: Array, w: Values) -> Values:
    """Weight of all cases of a table.

    >>> float(total(np.array([[20.0, 5.0], [10.0, 15.0]]), disagreement("linear", 2)))
    15.0
    """
    flat = cells.reshape(*cells.shape[:-2], w.size)
    return np.asarray(flat @ suited(w, cells).ravel())


def spare(cells: Array, bends: Values) -> Values:
    """Weight of the errors of guesses by the margins, less that of the errors made; times n.

    The table is cut in four at each pair of class boundaries, and the four parts say how far it
    is from independence; `bends` are the mixed second differences of the weights. Taking the one
    weight off the other would lose the digits that the two have in common.
    """
    upper, lower = _cut(cells.swapaxes(-1, -2))
    upper_left, upper_right = _cut(upper.swapaxes(-1, -2))
    lower_left, lower_right = _cut(lower.swapaxes(-1, -2))
    return np.asarray((bends * (upper_left * lower_right - upper_right * lower_left)).sum((-2, -1)))


def _cut(x: Array) -> tuple[Array, Array]:
    """At each boundary of the last axis, the sum of what is before and of what is after it."""
    after = np.cumsum(x[..., :0:-1], axis=-1)[..., ::-1]
    return np.cumsum(x[..., :-1], axis=-1), after


def both_ways(c: Counts) -> Array:
    """The table and its transpose together: both sides get the same margin, over 2 n cases."""
    return np.asarray(c.cells + c.cells.swapaxes(-1, -2))


def whole(spared: Values, seen: Values, guessed: Values) -> Values:
    """`guessed`, which `spared` and `seen` make together: whichever of the two is exact."""
    return np.where(spared.real < 0, guessed, spared + seen)


def against_margins(cells: Array, w: Values) -> tuple[Values, Values, Values]:
    """Weight of errors spared, made, and to be expected of guesses by the margins; times n."""
    bends = w[:-1, 1:] + w[1:, :-1] - w[:-1, :-1] - w[1:, 1:]
    spared, seen = spare(cells, bends), cells.sum((-2, -1)) * total(cells, w)
    guessed = ((cells.sum(-1) @ w) * cells.sum(-2)).sum(-1)
    return spared, seen, whole(spared, seen, guessed)


def beyond_margins(cells: Array, w: Values) -> Values:
    """One minus the weight of the errors made over that of guesses by the margins.

    >>> float(beyond_margins(np.array([[20.0, 5.0], [10.0, 15.0]]), disagreement("linear", 2)))
    0.4
    """
    spared, _, guessed = against_margins(cells, w)
    return ratio(spared, guessed)


@lru_cache(maxsize=256)
def _named(name: str, scores: tuple[float, ...]) -> Array:
    if name not in NAMED:
        fix = did_you_mean(name, NAMED, f"one of {', '.join(NAMED)}, or the weights themselves")
        _refuse(f"no weights are called {printable(name)!r}", fix=fix)
    if name == "ratio" and scores[0] < 0:
        _refuse("scores for ratio weights are not negative", saw=shorten(scores))
    w = NAMED[name](np.array(scores))
    w.flags.writeable = False
    return w


def _read_scores(scores: Numbers | None, k: int) -> tuple[float, ...]:
    if scores is None:
        return tuple(range(1, k + 1))
    given = _read(scores, "scores")
    _check_shape(given, (k,), "one score per class")
    if (np.diff(given) <= 0).any():
        fix = "put the classes into the order of their scores"
        _refuse("scores rise from class to class", saw=f"{given}", fix=fix)
    return tuple(given.tolist())


def _read(given: Any, what: str) -> Array:
    try:
        numbers = np.asarray(given)
    except ValueError:
        numbers = np.empty(0, dtype=object)
    if numbers.dtype.kind not in "biuf":
        fix = f"give {what} as a list or matrix of numbers"
        _refuse(f"{what} are no numbers, or of uneven length", saw=printable(given), fix=fix)
    if not np.isfinite(numbers).all():
        _refuse(f"{what} are finite", saw=printable(given))
    return numbers.astype(np.int64) if numbers.dtype.kind in "biu" else numbers


def _check_shape(given: Array, shape: tuple[int, ...], fix: str) -> None:
    if given.shape != shape:
        saw = f"shape {given.shape} for {shape[0]} classes"
        _refuse("weights or scores do not fit the classes", saw=saw, fix=fix)


def _refuse(what: str, saw: str = "", fix: str = "") -> NoReturn:
    raise InputError(Fault("CM302", what, saw=saw, fix=fix))

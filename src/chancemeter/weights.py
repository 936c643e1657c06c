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

from chancemeter.counts import Array, Values, ratio
from chancemeter.errors import Fault, InputError, did_you_mean, printable, shorten

Numbers: TypeAlias = Sequence[float] | Values
#: A name, the k distances of classes 0, 1, 2 ... ranks apart, or a whole matrix.
Weights: TypeAlias = str | Numbers | Sequence[Sequence[float]]


def _identity(x: Values) -> Array:
    """All errors are equally bad."""
    return 1 - np.eye(len(x), dtype=np.int64)


def _linear(x: Values) -> Array:
    """As bad as the scores are apart."""
    return np.abs(x[:, None] - x)


def _quadratic(x: Values) -> Array:
    """The square of that."""
    return np.square(x[:, None] - x)


def _ordinal(x: Values) -> Array:
    """How many pairs of classes lie within the range of the two."""
    apart = _linear(np.arange(len(x)))
    return apart * (apart + 1) // 2


def _radical(x: Values) -> Array:
    """The square root of how far the scores are apart."""
    return np.sqrt(_linear(x))


def _ratio(x: Values) -> Array:
    """The square of the difference as a share of the sum of the scores."""
    return np.square(_over(_linear(x), x[:, None] + x))


def _circular(x: Values) -> Array:
    """By the angle between them, when the last class is followed by the first."""
    return np.square(np.sin(_linear(x) * (np.pi / (x[-1] - x[0] + 1))))


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
        return _named(weights, k, _read_scores(scores, k))
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


@lru_cache(maxsize=256)
def _named(name: str, k: int, scores: tuple[float, ...]) -> Array:
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

"""Lines of equal value in ROC space: all pairs of rates that a measure takes for equally good.

A measure that is a quotient of two sums of TPR, FPR and a constant has straight lines, and so have
kappa, informedness, accuracy, cost, F, precision and others; they are written down here in closed
form. Those of MCC are parts of conics. For every other measure of the catalogue they are found by
looking. A line is an array of TPR over a given FPR, nan where no such rate exists.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from chancemeter.counts import Array, Values, as_counts, ratio
from chancemeter.curves.spaces import tables
from chancemeter.errors import Fault, InputError
from chancemeter.registry import Measure, get

#: How many tables in a column are looked at to find where a measure passes a value.
_STEPS = 512
#: Halvings of an interval after that: to the last digit.
_HALVINGS = 45

#: Three numbers: what TPR, FPR and 1 are multiplied by.
_Sum = tuple[float, float, float]


def _f_score(p: float, beta: float = 1) -> tuple[_Sum, _Sum]:
    square = beta * beta
    return ((1 + square) * p, 0, 0), (p, 1 - p, square * p)


#: Numerator and denominator, from the prevalence, of measures with straight lines.
STRAIGHT: dict[str, Callable[..., tuple[_Sum, _Sum]]] = {
    "kappa": lambda p: (
        (2 * p * (1 - p), -2 * p * (1 - p), 0),
        (p * (1 - 2 * p), (1 - p) * (1 - 2 * p), p),
    ),
    "informedness": lambda p: ((1, -1, 0), (0 * p, 0, 1)),
    "accuracy": lambda p: ((p, p - 1, 1 - p), (0, 0, 1)),
    "f_score": _f_score,
    "jaccard": lambda p: ((p, 0, 0), (0, 1 - p, p)),
    "precision": lambda p: ((p, 0, 0), (p, 1 - p, 0)),
    "npv": lambda p: ((0, p - 1, 1 - p), (-p, p - 1, 1)),
    "bias": lambda p: ((p, 1 - p, 0), (0, 0, 1)),
    "expected_cohen": lambda p: (
        (p * (2 * p - 1), (1 - p) * (2 * p - 1), 1 - p),
        (0, 0, 1),
    ),
}


def straight(key: str, value: ArrayLike, prevalence: float, **parameters: float) -> Array:
    """Intercept and slope over FPR of the line where a measure has that value: ``(..., 2)``.

    >>> straight("kappa", 0.5, prevalence=0.5).tolist()
    [0.5, 1.0]
    >>> straight("kappa", 0.5, prevalence=0.1).round(3).tolist()
    [0.357, 3.857]
    """
    v = np.asarray(value, float)
    above, below = STRAIGHT[key](prevalence, **parameters)
    of_tpr, of_fpr, rest = (a - v * b for a, b in zip(above, below, strict=True))
    return np.stack(np.broadcast_arrays(-ratio(rest, of_tpr), -ratio(of_fpr, of_tpr)), -1)


def equal_cost(
    cost: ArrayLike, prevalence: float, miss: float = 1, false_alarm: float = 1
) -> Array:
    """Intercept and slope of lines of equal expected cost for each case.

    All have the same slope, the odds of the negatives times what a false alarm costs beside a
    miss.

    >>> equal_cost(0.1, prevalence=0.2, miss=4, false_alarm=1).round(3).tolist()
    [0.875, 1.0]
    """
    p = prevalence
    weight = p * miss
    slope = ratio((1 - p) * false_alarm, weight)
    rest = 1 - ratio(np.asarray(cost, float), weight)
    return np.stack(np.broadcast_arrays(rest, slope), -1)


def _mcc(value: float, prevalence: float, fpr: Array) -> Array:
    """TPR where MCC is `value`: the root of a quadratic on the right side of the diagonal."""
    p, v2 = prevalence, value * value
    q = 1 - p
    # p q (t - f)^2 = v^2 b (1 - b), b = p t + q f
    a = p * q + v2 * p * p
    b = -2 * p * q * fpr + v2 * (2 * p * q * fpr - p)
    c = p * q * fpr**2 + v2 * (q * q * fpr**2 - q * fpr)
    root = np.sqrt(np.maximum(b * b - 4 * a * c, 0))
    return (-b + np.copysign(root, value)) / (2 * a)


def isoline(
    measure: str | Measure[...], value: float, prevalence: float, fpr: ArrayLike | None = None
) -> Array:
    """TPR over `fpr` (0 to 1 in 201 steps unless given) where a measure has this value.

    The measure is any of the catalogue, taken of the positive class where it is one of classes.
    Two rows come back: above the line of guessing, and below it; nan where there is none. A
    measure of sheer association has both.

    >>> isoline("kappa", 0.5, prevalence=0.5, fpr=[0, 0.25, 0.6])[0]
    array([0.5 , 0.75,  nan])
    >>> isoline("mcc", 0.5, prevalence=0.2, fpr=[0, 0.1, 0.2])[0].round(3)
    array([0.294, 0.6  , 0.781])
    >>> isoline("tetrachoric", 0.5, prevalence=0.2, fpr=[0.1, 0.2])[0].round(3)
    array([0.354, 0.533])
    """
    m = get(measure) if isinstance(measure, str) else measure
    f = np.linspace(0, 1, 201) if fpr is None else np.asarray(fpr, float)
    if not 0 < prevalence < 1:
        what = "a prevalence is between 0 and 1"
        fix = "lines of equal value need cases of both classes"
        raise InputError(Fault("CM651", what, saw=f"{prevalence:g}", fix=fix))
    key = m.key.partition("(")[0]
    if "@" not in m.key and key in STRAIGHT:
        rest, slope = straight(key, value, prevalence, **m.bound)
        return _sides(rest + slope * f, f)
    if m.key == "mcc" and value:
        return _sides(_mcc(value, prevalence, f), f)
    found = partial(_values, m, prevalence)
    return np.stack(
        [
            _search(found, value, f, f, np.ones_like(f)),
            _search(found, value, f, np.zeros_like(f), f),
        ]
    )


def _sides(tpr: Array, fpr: Array) -> Array:
    """One line as what is above the line of guessing and what is below."""
    slack = 1e-12
    tpr = np.where((tpr >= -slack) & (tpr <= 1 + slack), np.clip(tpr, 0, 1), np.nan)
    return np.stack([np.where(tpr >= fpr, tpr, np.nan), np.where(tpr < fpr, tpr, np.nan)])


def _values(m: Measure[...], prevalence: float, fpr: Array, tpr: Array) -> Values:
    values = m.values(as_counts(tables(fpr, tpr, prevalence)), **m.bound)
    return values[..., 0] if values.ndim > np.ndim(fpr + tpr) else values


def _search(
    of: Callable[[Array, Array], Values], value: float, fpr: Array, low: Array, high: Array
) -> Array:
    """The first place between `low` and `high` where the measure passes `value`."""
    steps = np.linspace(0, 1, _STEPS)
    tpr = low[:, None] + steps * (high - low)[:, None]
    past = of(fpr[:, None] + 0 * tpr, tpr) - value
    change = (past[:, :-1] <= 0) != (past[:, 1:] <= 0)
    change &= np.isfinite(past[:, :-1]) & np.isfinite(past[:, 1:])
    first = np.where(change.any(1), change.argmax(1), 0)
    row = np.arange(len(fpr))
    a, b, begins = tpr[row, first], tpr[row, first + 1], past[row, first] <= 0
    for _ in range(_HALVINGS):
        middle = (a + b) / 2
        same = (of(fpr, middle) - value <= 0) == begins
        a, b = np.where(same, middle, a), np.where(same, b, middle)
    return np.where(change.any(1), (a + b) / 2, np.nan)

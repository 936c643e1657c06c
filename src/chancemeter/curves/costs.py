"""Costs of errors: the loss at a threshold, and the H-measure, a mean over costs."""

from __future__ import annotations

import numpy as np

from chancemeter.counts import Array, ratio
from chancemeter.curves.curve import Curve, scalar
from chancemeter.errors import Fault, InputError


def cost(c: Curve, false_positive: float, false_negative: float) -> Array:
    """Mean cost of a case at every threshold."""
    for name, x in (("false_positive", false_positive), ("false_negative", false_negative)):
        if not 0 <= x < np.inf:
            fix = "say what an error costs, such as false_positive=1, false_negative=5"
            fault = Fault("CM608", "a cost is a number from 0 up", saw=f"{name}={x}", fix=fix)
            raise InputError(fault)
    return np.asarray((false_positive * c.fp + false_negative * c.fn) / c.total)


@scalar
def h(c: Curve, severity: float | None = None) -> float:
    """H-measure: one less the expected least cost over that of not looking at the scores (Hand 2009).

    A false positive costs c, a false negative 1 − c, and c is spread as Beta(2, 1 + 1/s) with
    the severity s: how many times worse a false positive is thought to be than a false negative.
    Left out it is the ratio of positives to negatives (Hand and Anagnostopoulos 2014). The
    threshold is the best for each c, so the convex hull decides.

    >>> from chancemeter import curve
    >>> c = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> round(c.h, 6), round(h(c, severity=0.5), 6)
    (0.5, 0.5)
    """
    p, q = c.prevalence, 1 - c.prevalence
    ratio_ = p / q if severity is None else severity
    if not 0 < ratio_ < np.inf:
        fix = "such as severity=0.1: a false positive is a tenth as bad"
        raise InputError(Fault("CM608", "a severity is above 0", saw=f"{severity}", fix=fix))
    a, b = 2.0, 1 + 1 / ratio_
    shares = c.hull.fp / c.total, c.hull.fn / c.total
    none = np.array([0.0, q]), np.array([p, 0.0])
    return 1 - _expected(shares, a, b) / _expected(none, a, b)


def _expected(shares: tuple[Array, Array], a: float, b: float) -> float:
    """The mean over c ~ Beta(a, b) of the least cost among the corners of a hull."""
    first, second = stretches(*shares, a, b)
    return float((shares[0] * first + shares[1] * second).sum())


def stretches(false_alarms: Array, missed: Array, a: float, b: float) -> tuple[Array, Array]:
    """For each corner the means of c and of 1 − c over the costs for which it is best."""
    from scipy.special import betainc

    gained, lost = -np.diff(missed), np.diff(false_alarms)
    # the cost at which the next corner becomes as good: it falls along the hull
    turns = np.concatenate([[1.0], ratio(gained, gained + lost), [0.0]])
    first = a / (a + b) * -np.diff(betainc(a + 1, b, turns))
    second = b / (a + b) * -np.diff(betainc(a, b + 1, turns))
    return first, second

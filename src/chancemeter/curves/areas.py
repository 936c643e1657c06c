"""Areas under a curve: exact for counts, and along chords for kappa."""

from __future__ import annotations

import math

import numpy as np

from chancemeter.counts import Array
from chancemeter.curves.curve import Curve, scalar

#: Below this a series is as exact as the logarithm, and more so.
_NEAR = 0.1
#: Pieces that are worked on at a time, so that they stay in the cache.
_AT_A_TIME = 1 << 14


@scalar
def auc(c: Curve) -> float:
    """Area under the ROC curve: how often a positive case scores above another; ties count half.

    Worked out in whole numbers where counts are whole: the Mann–Whitney statistic over all pairs.

    >>> from chancemeter import curve
    >>> curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).auc
    0.75
    """
    twice = pairs(c.tp, c.fp)
    return float(twice / (2 * c.positives * c.negatives))


def pairs(tp: Array, fp: Array) -> float | int:
    """Twice the pairs that are ranked right, ties counting once."""
    new = np.diff(fp)
    both = tp[1:] + tp[:-1]
    if tp.dtype.kind == "i" and 2 * int(tp[-1]) * int(fp[-1]) < 2**62:
        return int(np.dot(new, both))
    return float(np.dot(new.astype(np.float64), both.astype(np.float64)))


@scalar
def auk(c: Curve) -> float:
    """Area under kappa over FPR (AUK): along the straight lines between the points of the ROC curve.

    Between two points kappa bends where the classes are unequal, so each piece is integrated in
    closed form. Points on a line between others change nothing.
    A perfect ranking does not get 1 but `auk_max`, which depends on the prevalence; at equal
    classes AUK is AUC − ½.

    >>> from chancemeter import curve
    >>> curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).auk
    0.25
    """
    parts = (slice(i, i + _AT_A_TIME + 1) for i in range(0, len(c) - 1, _AT_A_TIME))
    return math.fsum(along_chords(c.fpr[x], c.tpr[x], c.prevalence).sum() for x in parts)


@scalar
def auk_max(c: Curve) -> float:
    """The AUK of a perfect ranking at this prevalence.

    >>> from chancemeter import curve
    >>> round(curve([0] * 9 + [1], range(10)).auk_max, 3)
    0.253
    """
    return perfect_auk(c.prevalence)


def perfect_auk(prevalence: float) -> float:
    """The AUK of a perfect ranking.

    >>> [round(perfect_auk(p), 3) for p in (0.01, 0.05, 0.1, 0.3, 0.5, 0.9)]
    [0.061, 0.173, 0.253, 0.416, 0.5, 0.597]
    """
    ends = np.array([0.0, 1.0]), np.array([1.0, 1.0])
    return float(along_chords(*ends, prevalence)[0])


@scalar
def auk_share(c: Curve) -> float:
    """AUK as a share of what a perfect ranking would have."""
    return auk(c) / auk_max(c)


@scalar
def kappa_fp_area(c: Curve) -> float:
    """Area under kappa over FP as a share of all cases: the K–FP space of Ben-David (2008)."""
    return auk(c) * (1 - c.prevalence)


def along_chords(x: Array, y: Array, prevalence: float) -> Array:
    """The integral of kappa over FPR on each straight piece of a ROC curve.

    On a piece kappa is ``2pq (t − f) / (p + b (q − p))`` with t and b (the share called positive)
    straight in f. With d the divisor and u its relative change, the integral of straight over
    straight is ``Δf · (n₀ m(u) + Δn · w(u)) / d₀``, where m(u) = log(1 + u) / u and
    w(u) = (1 − m(u)) / u; both stay smooth where the divisor does not change.
    """
    p, q = prevalence, 1 - prevalence
    gap, called = y - x, p * y + q * x
    divisor = p + called * (q - p)
    step, d = np.diff(x), divisor[:-1]
    # the curve may start at a divisor of 0 only where there is one class
    u = np.diff(divisor) / d
    m, w = _means(u)
    return np.asarray(2 * p * q * step * (gap[:-1] * m + np.diff(gap) * w) / d)


def _means(u: Array) -> tuple[Array, Array]:
    """``log(1 + u) / u`` and ``(1 − log(1 + u) / u) / u``, by a series near 0."""
    most = np.abs(u).max(initial=0)
    if most < _NEAR:
        return _series(u, most)
    near = np.abs(u) < _NEAR
    safe = np.where(near, 1.0, u)
    m = np.log1p(safe) / safe
    w = (1 - m) / safe
    if near.any():
        m[near], w[near] = _series(u[near], _NEAR)
    return m, w


def _series(u: Array, most: float) -> tuple[Array, Array]:
    """Both by as many terms as numbers up to `most` need."""
    terms = 2 if most == 0 else min(20, 2 + math.ceil(-37 / math.log(most)))
    m, w = np.zeros_like(u), np.zeros_like(u)
    for i in reversed(range(terms)):
        m *= -u
        m += 1 / (i + 1)
        w *= -u
        w += 1 / (i + 2)
    return m, w


@scalar
def gini(c: Curve) -> float:
    """Twice the AUC less 1: pairs ranked right less pairs ranked wrong (Somers' D)."""
    return 2 * auc(c) - 1


@scalar
def ks(c: Curve) -> float:
    """The largest distance of TPR and FPR, which is the best informedness (Kolmogorov–Smirnov)."""
    return float((c.tpr - c.fpr).max())

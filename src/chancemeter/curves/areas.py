"""Areas under a curve: exact for counts, and along chords for kappa."""

from __future__ import annotations

import math

import numpy as np

from chancemeter.counts import Array, ratio
from chancemeter.curves.curve import Curve, scalar
from chancemeter.errors import Fault, InputError

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
    if c.tp.dtype.kind == "i" and 2 * c.positives * c.negatives < 2**62:
        twice = int(np.dot(np.diff(c.fp), c.tp[1:] + c.tp[:-1]))
        return twice / (2 * c.positives * c.negatives)
    return float(np.dot(np.diff(c.fpr), c.tpr[1:] + c.tpr[:-1]) / 2)


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
    return math.fsum(along_chords(c.fpr[x], c.tpr[x], c.prevalence).sum() for x in _parts(c))


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
    straight in f.
    """
    p, q = prevalence, 1 - prevalence
    divisor = p + (p * y + q * x) * (q - p)
    return 2 * p * q * quotient(np.diff(x), y - x, divisor)


def quotient(step: Array, above: Array, below: Array) -> Array:
    """The integral of a straight line over a straight line, on each piece of length `step`."""
    return piece(step, (above[:-1], above[1:]), (below[:-1], below[1:]))


def piece(step: Array, above: tuple[Array, ...], below: tuple[Array, ...]) -> Array:
    """The same from the values at both ends of the pieces.

    With d the divisor at the start and u its relative change, it is
    ``step · (n₀ m(u) + Δn w(u)) / d`` where m(u) = log(1 + u) / u and w(u) = (1 − m(u)) / u;
    both are smooth where the divisor does not change.
    """
    d = below[0]
    start = d == 0  # then the numerator is 0 too, and the quotient is the same all along
    if not start.any():
        m, w = _means((below[1] - below[0]) / d)
        return np.asarray((above[0] * m + (above[1] - above[0]) * w) / d * step)
    d = np.where(start, 1.0, d)
    m, w = _means(np.where(start, 0.0, (below[1] - below[0]) / d))
    found = (above[0] * m + (above[1] - above[0]) * w) / d
    return np.asarray(np.where(start, ratio(above[1], below[1]), found) * step)


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


def _parts(c: Curve) -> list[slice]:
    """Stretches of the curve, each beginning where the one before ends."""
    return [slice(i, i + _AT_A_TIME + 1) for i in range(0, len(c) - 1, _AT_A_TIME)]


@scalar
def auch(c: Curve) -> float:
    """Area under the convex hull of the ROC curve: what mixing thresholds could reach.

    Of the cases at hand, that is: the hull was chosen by looking at them, so it flatters.
    """
    return auc(c.hull)


@scalar
def eer(c: Curve) -> float:
    """Equal error rate: where as large a share of either class is wrong, between points by mixing.

    >>> from chancemeter import curve
    >>> curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).eer
    0.5
    """
    gap = c.fpr + c.tpr - 1  # grows from −1 to 1
    i = int(np.searchsorted(gap, 0.0))
    share = -gap[i - 1] / (gap[i] - gap[i - 1])
    return float(c.fpr[i - 1] + share * (c.fpr[i] - c.fpr[i - 1]))


@scalar
def partial_auc(
    c: Curve, low: float = 0.0, high: float = 0.1, of: str = "fpr", *, standard: bool = False
) -> float:
    """Area under the ROC curve where FPR (or with ``of="tpr"`` TPR) lies between two bounds.

    With `standard` it is put on a scale where guessing has ½ and a perfect ranking 1 (McClish
    1989). Over TPR the area is that of 1 − FPR, to the right of the curve.

    >>> from chancemeter import curve
    >>> c = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> partial_auc(c, high=0.5), partial_auc(c, high=0.5, standard=True)
    (0.25, 0.6666666666666666)
    """
    if not 0 <= low < high <= 1 or of not in {"fpr", "tpr"}:
        fix = "such as low=0, high=0.1, of='fpr'"
        saw = f"low={low}, high={high}, of={of!r}"
        raise InputError(Fault("CM608", "a part of a curve lies between two rates", "", saw, fix))
    x, y = (c.fpr, c.tpr) if of == "fpr" else (c.tpr, 1 - c.fpr)
    left, right = np.searchsorted(x, low, "right"), np.searchsorted(x, high, "left")
    xs = np.concatenate([[low], x[left:right], [high]])
    ends = _between(x, y, low, "right"), _between(x, y, high, "left")
    ys = np.concatenate([ends[:1], y[left:right], ends[1:]])
    area = float((np.diff(xs) * (ys[1:] + ys[:-1])).sum() / 2)
    if not standard:
        return area
    width = high - low
    guess = (high**2 - low**2) / 2 if of == "fpr" else width - (high**2 - low**2) / 2
    return float((1 + (area - guess) / (width - guess)) / 2)


def _between(x: Array, y: Array, at: float, side: str) -> float:
    """The curve at `at`; on a vertical step its end on that side."""
    i = int(np.searchsorted(x, at, "right" if side == "right" else "left"))
    if side == "right":
        i -= 1
        if x[i] == at or i + 1 == len(x):
            return float(y[i])
    else:
        if x[i] == at:
            return float(y[i])
        i -= 1
    return float(y[i] + (at - x[i]) / (x[i + 1] - x[i]) * (y[i + 1] - y[i]))


@scalar
def tpr_at(c: Curve, fpr: float = 0.1) -> float:
    """TPR where so many of the other class are called positive, between points by mixing."""
    return _between(c.fpr, c.tpr, check_rate(fpr, "fpr"), "right")


@scalar
def fpr_at(c: Curve, tpr: float = 0.9) -> float:
    """FPR where so many of the positive class are found, between points by mixing."""
    return _between(c.tpr, c.fpr, check_rate(tpr, "tpr"), "left")


def check_rate(x: float, name: str) -> float:
    """A share of a class: from 0 to 1."""
    if 0 <= x <= 1:
        return float(x)
    saw, fix = f"{name}={x}", f"such as {name}=0.1"
    raise InputError(Fault("CM608", "a rate lies between 0 and 1", "", saw, fix))


@scalar
def log_auc(c: Curve, low: float = 0.001, high: float = 0.1) -> float:
    """Mean TPR where FPR is small, each factor of FPR counting alike (area over log FPR)."""
    if not 0 < low < high <= 1:
        saw, fix = f"low={low}, high={high}", "such as low=0.001, high=0.1"
        raise InputError(Fault("CM608", "a logarithm needs rates above 0", "", saw, fix))
    inner = (c.fpr > low) & (c.fpr < high)
    ends = _between(c.fpr, c.tpr, low, "right"), _between(c.fpr, c.tpr, high, "left")
    x = np.concatenate([[low], c.fpr[inner], [high]])
    y = np.concatenate([ends[:1], c.tpr[inner], ends[1:]])
    # straight over FPR: the integral of y / x is closed
    return float(quotient(np.diff(x), y, x).sum() / np.log(high / low))

"""Precision and recall summed up: average precision, the exact area, and the gains of both."""

from __future__ import annotations

import numpy as np

from chancemeter.counts import ratio
from chancemeter.curves.areas import quotient
from chancemeter.curves.curve import Curve, scalar


@scalar
def average_precision(c: Curve) -> float:
    """Mean precision over the positive cases, each at the threshold that just finds it.

    By chance it is about the prevalence, not ½.

    >>> from chancemeter import curve
    >>> round(curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).average_precision, 6)
    0.833333
    """
    found = np.diff(c.tp)
    return float(np.dot(found, ratio(c.tp[1:], c.tp[1:] + c.fp[1:])) / c.positives)


@scalar
def pr_area(c: Curve) -> float:
    """Area under precision over recall, along what mixing two thresholds gives.

    That way is bent (Davis and Goadrich 2006): straight lines between the points promise too
    much. So it is integrated in closed form.
    """
    called = (c.tp + c.fp).astype(np.float64)
    return float(quotient(np.diff(c.tpr), c.tp.astype(np.float64), called).sum())


@scalar
def auprg(c: Curve) -> float:
    """Area under precision gain over recall gain (Flach and Kull 2015); 0 for calling all positive.

    Gains put what always calling positive reaches to 0 and perfection to 1, on a harmonic scale.
    Straight lines of the ROC curve stay straight, so the area is exact. Only recall above the
    prevalence counts.

    >>> from chancemeter import curve
    >>> round(curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).auprg, 6)
    0.25
    """
    p = c.prevalence
    start = p * c.positives  # recall gain is 0 here
    i = int(np.searchsorted(c.tp, start, "right"))
    tp, fp = (x.astype(np.float64)[i - 1 :].copy() for x in (c.tp, c.fp))
    share = (start - tp[0]) / (tp[1] - tp[0]) if tp[0] < start else 0.0
    fp[0] += share * (fp[1] - fp[0])
    tp[0] = start
    odds = p / (1 - p)
    precision, recall = 1 - odds * fp / tp, 1 - odds * (c.positives - tp) / tp
    return float((np.diff(recall) * (precision[1:] + precision[:-1])).sum() / 2)

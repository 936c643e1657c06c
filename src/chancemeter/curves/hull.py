"""The convex hull of a ROC curve: the thresholds that some costs and prevalence make best."""

from __future__ import annotations

import numpy as np

from chancemeter.counts import Array

#: Up to so many points are walked one by one.
_FEW = 2_000
#: Products of whole numbers up to this stay exact.
_EXACT = 2**31
#: Products of sums of weights between these stay doubles.
_SAFE = 1e-100, 1e100


def hull_places(x: Array, y: Array) -> Array:
    """Places of the corners of the upper hull of points that only go right and up.

    A point on or below the line between two others is no corner. So all points that are below
    the line of their neighbours go at once, round after round; what is left is walked.

    >>> hull_places(np.array([0, 0, 1, 1, 2]), np.array([0, 1, 1, 2, 2])).tolist()
    [0, 1, 3, 4]
    """
    if x.dtype.kind == "f" or max(int(x[-1]), int(y[-1])) >= _EXACT:
        x, y = x.astype(np.float64), y.astype(np.float64)
        if not _SAFE[0] < min(x[-1], y[-1]) <= max(x[-1], y[-1]) < _SAFE[1]:
            x, y = x / x[-1], y / y[-1]
    keep = np.arange(len(x))
    while len(keep) > _FEW:
        a, b = x[keep], y[keep]
        dx, dy = np.diff(a), np.diff(b)
        corner = np.ones(len(keep), bool)
        corner[1:-1] = dy[:-1] * dx[1:] > dy[1:] * dx[:-1]
        if corner.sum() > 0.9 * len(keep):
            break
        keep = keep[corner]
    return keep[_walk(x[keep].tolist(), y[keep].tolist())]


def _walk(x: list[float], y: list[float]) -> list[int]:
    """The monotone chain of Andrew (1979)."""
    kept: list[int] = []
    for i in range(len(x)):
        while len(kept) > 1:
            j, k = kept[-2], kept[-1]
            if (y[k] - y[j]) * (x[i] - x[k]) > (y[i] - y[k]) * (x[k] - x[j]):
                break
            kept.pop()
        kept.append(i)
    return kept

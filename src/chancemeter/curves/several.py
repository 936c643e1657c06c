"""Several ROC curves together: where one is above the other, and which model wins at which costs.

The hull of several models (Provost and Fawcett 2001) holds every operating point that is best
for some costs and prevalence. Its corners name a model and a threshold; a model that has none is
never worth using, whatever errors cost.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.curves.areas import check_rate
from chancemeter.curves.curve import Curve
from chancemeter.curves.hull import hull_places
from chancemeter.errors import Fault, InputError
from chancemeter.figures import json_number, number

#: Heights nearer than this are equal.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class Corner:
    """A threshold of a model, and when it is the best of all."""

    model: str
    threshold: float
    fpr: float
    tpr: float
    least: float
    most: float
    """Cost-weighted odds against the positive class, ``(negatives · cost of a false positive) /
    (positives · cost of a false negative)``, between which this point is best: the slopes of the
    hull on both sides."""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        return {key: json_number(x) for key, x in vars(self).items()}


@dataclass(frozen=True, repr=False)
class Hull:
    """The corners of the hull of several models, from few called positive to many."""

    corners: tuple[Corner, ...]
    models: tuple[str, ...]

    @property
    def useless(self) -> tuple[str, ...]:
        """Models that are best for no costs and no prevalence."""
        used = {corner.model for corner in self.corners}
        return tuple(name for name in self.models if name not in used)

    @property
    def area(self) -> float:
        """Area under the hull."""
        x, y = (np.array([getattr(c, a) for c in self.corners]) for a in ("fpr", "tpr"))
        return float((np.diff(x) * (y[1:] + y[:-1])).sum() / 2)

    def best(self, prevalence: float, cost: tuple[float, float] = (1.0, 1.0)) -> Corner:
        """The corner to use at a prevalence and costs (of a false positive, a false negative).

        >>> from chancemeter import curve
        >>> a, b = curve([0, 0, 1, 1], [1, 2, 3, 2]), curve([0, 0, 1, 1], [1, 3, 3, 2])
        >>> hull_of({"a": a, "b": b}).best(0.5).model
        'a'
        """
        if not 0 < prevalence < 1 or not (min(cost) >= 0 and 0 < sum(cost) < np.inf):
            saw, fix = f"prevalence={prevalence}, cost={cost}", "such as 0.1 and (1, 5)"
            raise InputError(Fault("CM608", "these are no prevalence and costs", "", saw, fix))
        fp, fn = (1 - prevalence) * cost[0], prevalence * cost[1]
        loss = [fp * c.fpr + fn * (1 - c.tpr) for c in self.corners]
        return self.corners[int(np.argmin(loss))]

    def __repr__(self) -> str:
        """A line for each corner."""
        lines = [
            f"{c.model} at {c.threshold:g}: FPR {number(c.fpr)}, TPR {number(c.tpr)}, best for "
            f"odds {number(c.least)} to {number(c.most)}"
            for c in self.corners
        ]
        useless = [f"never best: {', '.join(self.useless)}"] if self.useless else []
        return "\n".join([*lines, *useless])


def hull_of(curves: Mapping[str, Curve]) -> Hull:
    """The convex hull of the ROC curves of several models, and who is on it.

    >>> from chancemeter import curve
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> a, b = curve(y, [1, 2, 3, 3, 4, 5]), curve(y, [1, 3, 4, 3, 4, 5])
    >>> hull_of({"a": a, "b": b}).useless
    ('b',)
    """
    _check(curves)
    parts = [(name, c.hull) for name, c in curves.items()]
    x, y, at = (
        np.concatenate(v)
        for v in (
            [h.fpr for _, h in parts],
            [h.tpr for _, h in parts],
            [h.thresholds for _, h in parts],
        )
    )
    of = np.repeat([name for name, _ in parts], [len(h) for _, h in parts])
    order = np.lexsort((-np.arange(len(x)), y, x))
    # of equal points only one, that of the first model, and nothing that lies lower further right
    keep = _rising(x[order], y[order])
    order = order[keep]
    order = order[hull_places(x[order], y[order])]
    x, y = x[order], y[order]
    with np.errstate(divide="ignore"):
        slopes = np.concatenate([[np.inf], np.diff(y) / np.diff(x), [0.0]])
    corners = tuple(
        Corner(str(of[i]), float(at[i]), *map(float, (x[j], y[j], slopes[j + 1], slopes[j])))
        for j, i in enumerate(order)
    )
    return Hull(corners, tuple(curves))


def _rising(x: Array, y: Array) -> Array:
    """Places of points that no earlier one is above, the last of equal ones."""
    top = np.maximum.accumulate(y)
    high = y >= top
    same = np.append((x[1:] == x[:-1]) & (y[1:] == y[:-1]), False)
    return np.flatnonzero(high & ~same)


@dataclass(frozen=True)
class Stretch:
    """FPRs between which one model has the higher TPR; neither if they are equal."""

    low: float
    high: float
    better: str


def dominance(curves: Mapping[str, Curve]) -> tuple[Stretch, ...]:
    """Where one ROC curve is above the other, exact along the lines between their points.

    >>> from chancemeter import curve
    >>> y = [0, 0, 0, 1, 1, 1]
    >>> a, b = curve(y, [1, 2, 3, 3, 4, 5]), curve(y, [1, 1, 5, 3, 4, 5])
    >>> [(round(s.low, 3), round(s.high, 3), s.better) for s in dominance({"a": a, "b": b})]
    [(0.0, 0.333, 'a'), (0.333, 1.0, '')]
    """
    _check(curves)
    (first, a), (second, b) = list(curves.items())[:2]
    if len(curves) != 2:
        fix = "hull_of takes any number"
        raise InputError(Fault("CM511", "dominance is between two curves", fix=fix))
    x = np.unique(np.concatenate([a.fpr, b.fpr]))
    left, right = (_at(a, x, side) - _at(b, x, side) for side in ("right", "left"))
    found: list[Stretch] = []
    for low, high, start, end in zip(x[:-1], x[1:], left[:-1], right[1:], strict=True):
        cuts = [low, high]
        if start * end < 0 and min(abs(start), abs(end)) > _ROUNDING:
            cuts.insert(1, low + (high - low) * start / (start - end))
        for i, (u, v) in enumerate(pairwise(cuts)):
            gap = (start + end) / 2 if len(cuts) == 2 else (start, end)[i]
            better = "" if abs(gap) <= _ROUNDING else first if gap > 0 else second
            if found and found[-1].better == better:
                found[-1] = Stretch(found[-1].low, float(v), better)
            else:
                found.append(Stretch(float(u), float(v), better))
    return tuple(found)


def _at(c: Curve, x: Array, side: str) -> Array:
    """TPR at each FPR, on a vertical step its top (``right``) or its foot (``left``)."""
    places = np.searchsorted(c.fpr, x, side)  # type: ignore[call-overload]
    if side == "right":
        i = np.clip(places - 1, 0, len(c) - 1)
        j = np.clip(places, 0, len(c) - 1)
    else:
        i, j = np.clip(places - 1, 0, len(c) - 1), np.clip(places, 0, len(c) - 1)
        i = np.where(c.fpr[j] == x, j, i)
    run = c.fpr[j] - c.fpr[i]
    part = np.where(run > 0, (x - c.fpr[i]) / np.where(run > 0, run, 1), 0.0)
    return np.asarray(c.tpr[i] + part * (c.tpr[j] - c.tpr[i]))


@dataclass(frozen=True)
class Mix:
    """Two thresholds: how to reach a point between two corners of the hull."""

    often: float
    """Threshold to use with the share `share`."""
    else_: float
    """Threshold to use otherwise."""
    share: float
    fpr: float
    tpr: float


def mix(c: Curve, fpr: float) -> Mix:
    """The two thresholds of the hull between which to toss a coin, to have this FPR.

    >>> from chancemeter import curve
    >>> mix(curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), 0.25)
    Mix(often=0.8, else_=0.35, share=0.5, fpr=0.25, tpr=0.75)
    """
    check_rate(fpr, "fpr")
    h = c.hull
    j = int(np.searchsorted(h.fpr, fpr, "right"))
    i, j = (j - 1, j) if j < len(h) else (len(h) - 2, len(h) - 1)
    run = h.fpr[j] - h.fpr[i]
    part = float((fpr - h.fpr[i]) / run) if run > 0 else 1.0
    tpr = float(h.tpr[i] + part * (h.tpr[j] - h.tpr[i]))
    return Mix(float(h.thresholds[i]), float(h.thresholds[j]), 1 - part, float(fpr), tpr)


def _check(curves: Mapping[str, Curve]) -> None:
    if not isinstance(curves, Mapping) or len(curves) < 2:
        fix = "give {'a': curve, 'b': curve}"
        raise InputError(Fault("CM511", "two models or more are compared", fix=fix))
    if not all(isinstance(c, Curve) for c in curves.values()):
        fix = "make them with chancemeter.curve"
        raise InputError(Fault("CM610", "these are no curves", fix=fix))

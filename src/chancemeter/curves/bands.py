"""Bands around curves: how far the curve of all cases may be from the curve of those seen.

Cases are not drawn one by one. What falls between two thresholds is a count, and the counts of all
such steps are one multinomial draw for each class: so a resample costs the same for a thousand
scores and for a billion. Where there are more than some hundred thresholds, only every so manieth
is kept for the draws, and at these the draws are what they would have been with all.

Three kinds of bands are offered:

- ``pointwise``: at each single place the curve is inside with the stated confidence;
- ``simultaneous``: the whole curve is, with the stated confidence, judged by the draws;
- ``fixed``: the whole curve is, with at least the stated confidence, whatever the scores are: both
  rates are off by no more than Kolmogorov's distance, the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from chancemeter.counts import Array
from chancemeter.curves.spaces import WALKS, Cells, Conditions, Space, along, space_of, tables
from chancemeter.errors import Fault, InputError, did_you_mean, quoted

Kind = Literal["pointwise", "simultaneous", "fixed"]
Method = Literal["posterior", "bootstrap"]
KINDS = ("pointwise", "simultaneous", "fixed")

#: Steps between thresholds that are drawn.
STEPS = 400
#: Places at which a band is told.
PLACES = 201
#: Prevalences between the limits of the one that was seen.
_PREVALENCES = 17


@dataclass(frozen=True, eq=False)
class Band:
    """Limits of a curve over the horizontal axis of a space."""

    space: str
    kind: str
    level: float
    x: Array
    low: Array
    value: Array
    """The curve itself."""
    high: Array
    signature: str

    def __repr__(self) -> str:
        """What it is of, and how wide."""
        width = np.nanmean(self.high - self.low)
        return (
            f"{self.kind} {100 * self.level:g}% band of {self.space}, {width:.3f} wide on average"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, fit for JSON."""
        from chancemeter.figures import json_number

        columns = {"x": self.x, "low": self.low, "value": self.value, "high": self.high}
        found = {name: [json_number(v) for v in column] for name, column in columns.items()}
        return {
            "space": self.space,
            "kind": self.kind,
            "level": self.level,
            "signature": self.signature,
            **found,
        }


def band(
    curve: Any,
    space: str | Space | Conditions = "roc",
    kind: Kind = "simultaneous",
    *,
    level: float = 0.95,
    method: Method = "posterior",
    draws: int = 2000,
    seed: int = 0,
    places: int = PLACES,
) -> Band:
    """A band around a curve, in any space.

    Draws are of the posterior (n cases of a class divide its distribution into n + 1 parts that
    are alike, so that nothing is taken for certain), or of the plain ``bootstrap``; a curve that
    was made with groups is resampled by groups. How many cases are positive is
    drawn too. Weights count cases. All is read where the horizontal axis is fixed: at an FPR, a recall, a share called
    positive.

    >>> import chancemeter as cm
    >>> c = cm.curve([0, 1] * 50, [i * (1 + i % 2) for i in range(100)])
    >>> band(c, "k", "fixed")
    fixed 95% band of k, 0.627 wide on average
    """
    where = space_of(space) if isinstance(space, str) else space
    _check(curve, kind, level, draws, method)
    if kind == "fixed":
        x, low, high = _kolmogorov(curve, where, level, places)
        said = f"{where.key}|fixed:kolmogorov"
    else:
        x, drawn = draw(curve, where, method=method, draws=draws, seed=seed, places=places)
        limits = pointwise if kind == "pointwise" else envelope
        low, high = limits(drawn, level)
        how = "groups" if curve.groups is not None else method
        said = f"{where.key}|{kind}:{how}|draws:{draws}|seed:{seed}"
    axis, value = _read(curve.stack, where, x)
    return Band(where.key, kind, level, axis, low, value, high, f"{said}|level:{level:g}")


def _check(curve: Any, kind: str, level: float, draws: int, method: str) -> None:
    if kind not in KINDS:
        fix = did_you_mean(kind, KINDS, f"one of {', '.join(KINDS)}")
        raise InputError(Fault("CM652", f"no kind of band is called {quoted(kind)}", fix=fix))
    if method not in {"posterior", "bootstrap"}:
        what = f"no way to draw is called {quoted(method)}"
        raise InputError(Fault("CM652", what, fix="posterior or bootstrap"))
    if not 0 < level < 1:
        fix = "give a share such as 0.95"
        raise InputError(Fault("CM514", "a level is between 0 and 1", saw=f"{level:g}", fix=fix))
    if kind == "fixed" and curve.groups is not None:
        what = "a fixed band takes cases to be independent, and these come in groups"
        raise InputError(Fault("CM652", what, fix="take kind='simultaneous' or 'pointwise'"))
    if kind != "fixed" and draws < 2 / (1 - level):
        fix = "2000 is usual"
        what = f"so few draws say nothing at the level {level:g}"
        raise InputError(Fault("CM501", what, saw=f"{draws} draws", fix=fix))
    if min(curve.positives, curve.negatives) < 2:
        what = "a band needs two cases of each class at least"
        saw = f"{curve.positives:g} positives, {curve.negatives:g} negatives"
        fix = "the curve itself can be looked at; nothing sure can be said about it"
        raise InputError(Fault("CM653", what, saw=saw, fix=fix))


# Drawing curves.


def draw(
    curve: Any,
    space: Space | Conditions,
    *,
    method: str = "posterior",
    draws: int = 2000,
    seed: int = 0,
    places: int = PLACES,
) -> tuple[Array, Array]:
    """Places, and at them the values of drawn curves: ``(draws, places)``."""
    rng = np.random.default_rng(seed)
    keep = _thin(curve)
    spread = _spacings if method == "posterior" and curve.groups is None else np.asarray
    masses = [spread(np.diff(x).astype(float)) for x in (curve.tp, curve.fp)]
    if curve.groups is not None:
        tpr, fpr, p = _by_groups(curve, keep, draws, rng)
    else:
        steps = (np.add.reduceat(x, keep[:-1]) for x in masses)
        tpr, fpr = (_rates(x, method, draws, rng) for x in steps)
        p = _prevalences(curve, method, draws, rng)
    at = _places(curve, space, places)
    if isinstance(space, Conditions):
        found = _best(space, at, tpr, fpr, p)
    else:
        found = _along(space, at, tpr, fpr, p)
    if len(keep) == len(curve):
        return at, found
    # chords between the thresholds that are kept lie beside the curve: by as much as here
    t, f = (_cumulated(x[None])[0] for x in masses)
    whole, kept = (
        _read(tables(f[i], t[i], curve.prevalence), space, at)[1] for i in (slice(None), keep)
    )
    known = np.isfinite(whole) & np.isfinite(kept)
    return at, found + np.where(known, whole, 0) - np.where(known, kept, 0)


def _along(space: Space, at: Array, tpr: Array, fpr: Array, p: Array) -> Array:
    """What drawn curves are worth at the places."""
    t, f = np.empty((2, len(p), len(at)))
    p = p[:, None]
    steps = WALKS[space.walk](Cells.of(tables(fpr, tpr, p)))
    for i in range(len(p)):
        t[i], f[i] = _at(steps[i], tpr[i], fpr[i], at, first=space.walk == "tpr")
    return np.asarray(space.y(Cells(p * t, p * (1 - t), (1 - p) * f, (1 - p) * (1 - f))))


def _at(steps: Array, tpr: Array, fpr: Array, at: Array, *, first: bool) -> tuple[Array, Array]:
    """Rates on the chords where the steps reach `at`; of equal steps the last, or the first."""
    if first:
        at, steps, tpr, fpr = -at, -steps[::-1], tpr[::-1], fpr[::-1]
    return np.interp(at, steps, tpr), np.interp(at, steps, fpr)


def _thin(curve: Any) -> Array:
    """Thresholds that are drawn: all, or some spread along the curve, closer towards its ends.

    Where few cases of a class are left, each of them matters.
    """
    last = len(curve) - 1
    if last <= STEPS:
        return np.arange(last + 1)
    length = curve.tpr + curve.fpr
    found = [np.searchsorted(length, np.linspace(0, 2, STEPS // 2))]
    for sums, whole in ((curve.tp, curve.positives), (curve.fp, curve.negatives)):
        some = np.geomspace(1, whole, STEPS // 16)
        for ends in (np.searchsorted(sums, some), np.searchsorted(sums, whole - some)):
            found += [ends, ends - 1]
    return np.unique(np.clip(np.concatenate([[0], *found, [last]]), 0, last))


def _spacings(steps: Array) -> Array:
    """What cases of one class say about each step between thresholds: the posterior's parameters.

    Between one case and the next lies as much of the distribution as each case stands for, and so
    before the first and behind the last: n cases make n + 1 parts. Which of the steps in between a
    part belongs to is not known, so all have the same share of it.

    >>> _spacings(np.array([1.0, 1.0, 0.0, 1.0, 0.0, 0.0])).tolist()
    [1.0, 1.0, 0.5, 0.5, 0.5, 0.5]
    >>> _spacings(np.array([3.0, 2.0])).tolist()
    [3.5, 2.5]
    """
    ends = steps > 0
    part = np.concatenate([[0], np.cumsum(ends)[:-1]])
    units = np.minimum(steps[ends], 1.0)
    at_once = np.zeros(len(steps))
    at_once[ends] = steps[ends] - units
    if ends[-1]:  # nothing lies behind the last case: the part goes to all
        at_once += 1 / len(steps)
    else:
        units = np.append(units, 1.0)
    return at_once + (units / np.bincount(part))[part]


def _rates(steps: Array, method: str, draws: int, rng: np.random.Generator) -> Array:
    """Rates at the thresholds, for cases of one class: ``(draws, thresholds)``."""
    if method == "bootstrap":
        n = round(steps.sum())
        drawn = rng.multinomial(n, steps / steps.sum(), draws).astype(float)
    else:
        drawn = rng.standard_gamma(steps, (draws, len(steps)))
    return _cumulated(drawn)


def _cumulated(steps: Array) -> Array:
    """Shares of the whole from 0 to 1."""
    sums = np.cumsum(steps, 1)
    return np.concatenate([np.zeros((len(sums), 1)), sums / sums[:, -1:]], 1)


def _prevalences(curve: Any, method: str, draws: int, rng: np.random.Generator) -> Array:
    a, b = curve.positives, curve.negatives
    if method == "bootstrap":
        n = round(a + b)
        return np.clip(rng.binomial(n, a / (a + b), draws), 1, n - 1) / n
    return rng.beta(a + 0.5, b + 0.5, draws)


def _by_groups(
    curve: Any, keep: Array, draws: int, rng: np.random.Generator
) -> tuple[Array, Array, Array]:
    """Whole groups drawn with replacement."""
    from scipy.sparse import csr_array

    held = curve.groups
    groups, steps = int(held.codes.max()) + 1, len(keep) - 1
    place = held.positive * steps + np.searchsorted(keep, held.place) - 1
    cases = np.ones(len(place)) if held.weights is None else held.weights
    of = csr_array((cases, (place, held.codes)), shape=(2 * steps, groups))
    drawn = np.concatenate(
        [
            (of @ rng.multinomial(groups, np.full(groups, 1 / groups), some).T).T
            for some in _portions(draws, max(1, (1 << 24) // groups))
        ]
    )
    negative, positive = drawn[:, :steps], drawn[:, steps:]
    a, b = positive.sum(1), negative.sum(1)
    both = (a > 0) & (b > 0)
    if both.sum() < 0.9 * draws:
        what = "too few groups hold both classes: many resamples would have one class only"
        fix = "gather more groups"
        raise InputError(Fault("CM653", what, saw=f"{groups} groups", fix=fix))
    positive, negative, a, b = (x[both] for x in (positive, negative, a, b))
    return _cumulated(positive), _cumulated(negative), a / (a + b)


def _portions(all: int, most: int) -> list[int]:
    return [min(most, all - start) for start in range(0, all, most)]


def _best(space: Conditions, at: Array, tpr: Array, fpr: Array, p: Array) -> Array:
    """The best line of every drawn curve."""
    return np.stack([space.of(tables(f, t, x), at)[1] for t, f, x in zip(tpr, fpr, p, strict=True)])


def _places(curve: Any, space: Space | Conditions, places: int) -> Array:
    if isinstance(space, Conditions):
        return np.linspace(space.grid[0], space.grid[-1], places // 2 + 1)
    most = 1 - curve.prevalence if space.walk == "fp" else 1.0
    return np.linspace(0, most, places)


def _read(stack: Array, space: Space | Conditions, at: Array) -> tuple[Array, Array]:
    """The curve itself at these places."""
    if isinstance(space, Conditions):
        return space.of(stack, at)
    return space.of(along(stack, space.walk, at))


# Limits.


def pointwise(drawn: Array, level: float) -> tuple[Array, Array]:
    """Quantiles at each place; undefined where any draw is."""
    ordered = np.sort(drawn, 0)  # what is undefined comes last
    cut = int((1 - level) / 2 * (len(drawn) - 1))
    known = ~np.isnan(ordered[-1])
    low, high = ordered[cut], ordered[len(drawn) - 1 - cut]
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def envelope(drawn: Array, level: float) -> tuple[Array, Array]:
    """As many of the most extreme draws cut off at every place that `level` of all stay whole.

    >>> import numpy as np
    >>> low, high = envelope(np.arange(100.0)[:, None], 0.9)
    >>> low.item(), high.item()
    (5.0, 94.0)
    """
    ordered = np.sort(drawn, 0)
    known = ~np.isnan(ordered[-1])
    draws, here = len(drawn), drawn[:, known]
    least, most = 0, (draws - 1) // 2
    while least < most:
        cut = (least + most + 1) // 2
        inside = (here >= ordered[cut, known]) & (here <= ordered[draws - 1 - cut, known])
        if inside.all(1).mean() >= level:
            least = cut
        else:
            most = cut - 1
    low, high = ordered[least], ordered[draws - 1 - least]
    return np.where(known, low, np.nan), np.where(known, high, np.nan)


def _kolmogorov(
    curve: Any, space: Space | Conditions, level: float, places: int
) -> tuple[Array, Array, Array]:
    """Both rates off by no more than Kolmogorov's distance, and the prevalence within its limits.

    What lies between the two edges in ROC space lies between their images in every other.
    """
    from scipy.stats import beta, kstwo

    a, b = (max(1, int(x)) for x in (curve.positives, curve.negatives))
    each = level ** (1 / 3) if space.moves else level**0.5
    up, across = kstwo.ppf(each, a).item(), kstwo.ppf(each, b).item()
    prevalences = np.array([curve.prevalence])
    if space.moves:
        tail = (1 - each) / 2
        low, high = beta.ppf([tail, 1 - tail], [a, a + 1], [b + 1, b]).tolist()
        prevalences = np.linspace(low, high, _PREVALENCES)
    fpr, tpr = curve.fpr, curve.tpr
    grid = np.unique(
        np.clip(
            np.r_[fpr[_thin(curve)] + across, fpr[_thin(curve)] - across, np.linspace(0, 1, 401)],
            0,
            1,
        )
    )
    upper = np.minimum(_right(grid + across, fpr, tpr) + up, 1)
    lower = np.maximum(_left(grid - across, fpr, tpr) - up, 0)
    at = _places(curve, space, places)
    found = []
    for edge in (lower, upper):
        x, y = np.r_[0, grid, 1], np.r_[0, edge, 1]
        found += [_read(tables(x, y, p), space, at)[1] for p in prevalences]
    return at, np.min(found, 0), np.max(found, 0)


def _right(x: Array, fpr: Array, tpr: Array) -> Array:
    """The highest TPR at an FPR."""
    return np.where(x >= 1, 1, np.interp(x, fpr, tpr))


def _left(x: Array, fpr: Array, tpr: Array) -> Array:
    """The lowest TPR at an FPR."""
    return np.where(x <= 0, 0, -np.interp(-x, -fpr[::-1], -tpr[::-1]))

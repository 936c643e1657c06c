"""What there is to draw of curves: lines in a space, few enough points, and how far these are off.

Nothing is drawn here. Reports, displays and the command line take the same `Picture`.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from chancemeter.counts import Array
from chancemeter.curves.bands import Band
from chancemeter.curves.curve import Curve
from chancemeter.curves.isolines import STRAIGHT, isoline
from chancemeter.curves.spaces import Cells, Conditions, Space, kappa, net_benefit, space_of, tables
from chancemeter.registry import get

#: A curve is drawn with so many points.
POINTS = 400
#: Kappa is looked at for these prevalences when points are left out, and for the one that is seen.
PREVALENCES = (0.01, 0.1, 0.5, 0.9, 0.99)
#: Of more thresholds than this, only such as are spread evenly along the curve are thought of.
_CANDIDATES = 20_000
#: Points are left out where nothing is off by more than this.
_FINE = 5e-5
#: What lies on a chord is not missed.
_NOTHING = 1e-12
#: Chords are bent where an axis is not a rate: they get points in between, this far apart.
_STEP = 0.01

#: Spaces in which those who guess stand on a straight line.
_LEVEL = {"roc", "k", "k-fp", "fp-tp", "pc-k", "gain"}

Kind = Literal["curve", "guide", "iso", "hull", "band"]


@dataclass(frozen=True, eq=False)
class Trace:
    """Thresholds of a curve that are enough to draw it."""

    places: Array
    """Entries of the curve's thresholds."""
    fpr: Array
    tpr: Array
    error: float
    """What is drawn is off by no more than this: TPR, FPR and kappa at any of `PREVALENCES`."""
    of: int
    """How many thresholds there were."""

    @property
    def note(self) -> str:
        """What was left out, as words; empty if nothing that could be seen."""
        if len(self.places) == self.of or self.error < _NOTHING:
            return ""
        return (
            f"{len(self.places):,} of {self.of:,} thresholds are drawn: rates and kappa "
            f"are off by {self.error:.2g} at most"
        )


def trace(curve: Curve, most: int = POINTS, also: Sequence[int] = ()) -> Trace:
    """The thresholds whose chords keep closest to the curve, in ROC and in ROC-K space alike.

    Those at the places `also` are kept in any case.

    >>> from chancemeter import curve
    >>> found = trace(curve([0, 1] * 500, [i * (1 + i % 2 / 3) for i in range(1000)]), most=20)
    >>> len(found.places), found.of, found.error < 0.05
    (20, 876, True)
    """
    fpr, tpr = curve.fpr, curve.tpr
    along = fpr + tpr
    bend = _bend(curve)
    some = np.arange(len(curve))
    if len(curve) > _CANDIDATES:
        spread = np.searchsorted(along, np.linspace(0, 2, _CANDIDATES))
        some = np.unique(np.r_[0, np.minimum(spread, len(curve) - 1), len(curve) - 1])
    keep = some[_simplified(along[some], tpr[some], bend[some], most)]
    keep = np.union1d(keep, np.asarray(also, int))
    near = np.interp(along, along[keep], tpr[keep])
    off = [
        np.abs(kappa_at(along - near, near, p) - kappa_at(fpr, tpr, p)).max()
        for p in (curve.prevalence, *PREVALENCES)
    ]
    error = max(float(np.abs(near - tpr).max()), *map(float, off))
    return Trace(keep, fpr[keep], tpr[keep], error, len(curve))


def _bend(curve: Curve) -> Array:
    """How much kappa, or a rate, changes with TPR where TPR and FPR together stay as they are."""
    f, t = curve.fpr, curve.tpr
    bend = np.ones(len(curve))
    for p in (curve.prevalence, *PREVALENCES):
        q = 1 - p
        wrong = p + (p * t + q * f) * (1 - 2 * p)
        slope = 2 * p * q * (2 * wrong - (t - f) * (2 * p - 1) * (1 - 2 * p)) / wrong**2
        bend = np.maximum(bend, np.abs(slope))
    return bend


def _simplified(x: Array, y: Array, weight: Array, most: int) -> Array:
    """Places to keep: the worst point left out is put in, again and again."""

    def worst(a: int, b: int) -> tuple[float, int, int, int]:
        inner = slice(a + 1, b)
        chord = y[a] + (y[b] - y[a]) / (x[b] - x[a]) * (x[inner] - x[a])
        off = np.abs(y[inner] - chord) * weight[inner]
        i = int(off.argmax())
        return -float(off[i]), a, b, a + 1 + i

    keep = {0, len(x) - 1}
    open = [worst(0, len(x) - 1)] if len(x) > 2 else []
    while open and len(keep) < most:
        off, a, b, i = heapq.heappop(open)
        if -off < _FINE:
            break
        keep.add(i)
        for left, right in ((a, i), (i, b)):
            if right - left > 1:
                heapq.heappush(open, worst(left, right))
    return np.array(sorted(keep))


@dataclass(frozen=True, eq=False)
class Drawn:
    """One line of a picture; a band goes along its upper edge and back along its lower one."""

    x: Array
    y: Array
    kind: Kind = "curve"
    name: str = ""
    label: str = ""


@dataclass(frozen=True, eq=False)
class Spot:
    """A point that stands out."""

    x: float
    y: float
    name: str
    label: str


@dataclass(frozen=True, eq=False)
class Picture:
    """Everything to be drawn in one space."""

    space: Space | Conditions
    lines: Sequence[Drawn]
    spots: Sequence[Spot] = ()
    box: tuple[float, float, float, float] = (0, 1, 0, 1)
    notes: Sequence[str] = field(default_factory=tuple)


def picture(
    curves: Mapping[str, Curve],
    space: str = "roc",
    *,
    bands: Mapping[str, Band] | None = None,
    hull: bool = False,
    iso: str = "",
    values: Sequence[float] = (0.2, 0.4, 0.6, 0.8),
    marks: Mapping[str, Mapping[str, float]] | None = None,
    most: int = POINTS,
) -> Picture:
    """Curves by name in a space, with the line of guessing, and whatever else is asked for.

    `iso` is a measure whose lines of equal `values` are drawn, `marks` are thresholds to point
    at, by name of the curve and by what to call them.
    """
    where = space_of(space)
    first = next(iter(curves.values()))
    known = where.guessing(first.prevalence, 2 if where.key in _LEVEL else 101)
    lines = [Drawn(*known, "guide", label="guessing")]
    spots: list[Spot] = []
    notes: list[str] = []
    for name, found in (bands or {}).items():
        lines.append(_band(found, name))
    if iso:
        lines += _iso(where, iso, values, first.prevalence)
    for name, c in curves.items():
        kept = trace(c, most)
        if hull:
            corners = c.hull
            lines.append(Drawn(*_path(where, corners.fpr, corners.tpr, c.prevalence), "hull", name))
        if isinstance(where, Conditions) and where.key == "net-benefit" and c.is_probability:
            lines.append(Drawn(where.grid, decision_curve(c, where.grid), "hull", name))
            notes.append(f"{name}: the thin line takes scores for probabilities, as they are")
        lines.append(Drawn(*_path(where, kept.fpr, kept.tpr, c.prevalence), "curve", name))
        notes += [f"{name}: {kept.note}"] if kept.note else []
        for called, threshold in (marks or {}).get(name, {}).items():
            spots += _spot(where, c, name, called, threshold)
    return Picture(where, lines, spots, _box(where, lines), notes)


def decision_curve(c: Curve, at: Array) -> Array:
    """Net benefit where scores are taken for probabilities: each threshold is what it weighs.

    >>> from chancemeter import curve
    >>> decision_curve(curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]), np.array([0.2, 0.5]))
    array([0.4375, 0.25  ])
    """
    sign = -1.0 if c.direction == ">=" else 1.0
    places = np.searchsorted(sign * c.thresholds, sign * np.asarray(at), "right") - 1
    return net_benefit(Cells.of(c.stack[places]), np.asarray(at, float))


def _path(
    space: Space | Conditions, fpr: Array, tpr: Array, prevalence: float
) -> tuple[Array, Array]:
    """A curve through these rates; chords are bent where the space bends them."""
    if isinstance(space, Conditions):
        return space.at_rates(fpr, tpr, prevalence)
    if space.key not in {"roc", "fp-tp", "gain"}:
        fpr, tpr = chords(fpr, tpr)
    x, y = space.at_rates(fpr, tpr, prevalence)
    known = np.isfinite(x) & np.isfinite(y)
    return x[known], y[known]


def chords(fpr: Array, tpr: Array) -> tuple[Array, Array]:
    """The same way with points in between where two are far apart.

    >>> import numpy as np
    >>> f, t = chords(np.array([0, 0, 1]), np.array([0, 0.5, 1]))
    >>> len(f), f[0].item(), f[-1].item()
    (151, 0.0, 1.0)
    """
    apart = np.maximum(np.diff(fpr), np.diff(tpr))
    pieces = np.maximum(1, np.ceil(apart / _STEP - 1e-9)).astype(int)
    begin = np.repeat(np.arange(len(pieces)), pieces)
    share = (np.arange(len(begin)) - np.repeat(np.cumsum(pieces) - pieces, pieces)) / pieces[begin]
    fpr, tpr = (
        np.r_[v[begin] + share * np.diff(v)[begin], v[-1]]
        for v in (np.asarray(fpr), np.asarray(tpr))
    )
    return fpr, tpr


def _band(found: Band, name: str) -> Drawn:
    known = np.isfinite(found.x) & np.isfinite(found.low) & np.isfinite(found.high)
    x, low, high = found.x[known], found.low[known], found.high[known]
    return Drawn(np.r_[x, x[::-1]], np.r_[high, low[::-1]], "band", name)


def _iso(
    space: Space | Conditions, measure: str, values: Sequence[float], prevalence: float
) -> Iterator[Drawn]:
    """Lines of equal value, from ROC space to wherever the picture is."""
    if isinstance(space, Conditions):
        return
    fpr = np.unique(np.r_[np.geomspace(1e-6, 0.01, 40), np.linspace(0, 1, 201)])
    m = get(measure)
    ends = space.key in {"roc", "fp-tp"} and m.key.partition("(")[0] in STRAIGHT
    for value in values:
        for tpr in isoline(m, value, prevalence, fpr):
            here = np.flatnonzero(np.isfinite(tpr))
            if len(here) < 2:
                continue
            here = here[[0, -1]] if ends else here
            x, y = space.at_rates(fpr[here], tpr[here], prevalence)
            known = np.isfinite(x) & np.isfinite(y)
            yield Drawn(x[known], y[known], "iso", label=f"{m.card.symbol} = {value:g}")


def _spot(
    space: Space | Conditions, c: Curve, name: str, called: str, threshold: float
) -> Iterator[Spot]:
    if isinstance(space, Conditions):
        return
    x, y = space.of(c.stack[c.place_of(threshold)])
    if np.isfinite(x) and np.isfinite(y):
        yield Spot(float(x), float(y), name, called)


def _box(space: Space | Conditions, lines: Sequence[Drawn]) -> tuple[float, float, float, float]:
    """The space's own ends, or those of the lines."""
    found = []
    for axis, (low, high) in enumerate((space.box[:2], space.box[2:])):
        seen = np.concatenate([x for line in lines for x in ([line.x] if not axis else [line.y])])
        seen = seen[np.isfinite(seen)]
        least, most = (float(seen.min()), float(seen.max())) if len(seen) else (0.0, 1.0)
        room = 0.02 * (most - least) or 0.02
        found += [
            (min(0.0, least) if space.key in {"k", "k-fp"} and axis else least - room)
            if np.isnan(low)
            else low,
            most + room if np.isnan(high) else high,
        ]
    return (found[0], found[1], found[2], found[3])


def kappa_at(fpr: Array, tpr: Array, prevalence: float) -> Array:
    """Kappa of rates at a prevalence."""
    return kappa(Cells.of(tables(fpr, tpr, prevalence)))

"""Limits in closed form: a derivative, a standard error, and a few pseudo-cases.

The plain delta method sees no variation in a table without errors and covers next to nothing
where a class is rare. A few pseudo-cases spread over the table mend that: four with two
classes, two with more (`docs/coverage.md` has the simulations). A share is the table of its hits
and misses, so there they are z², half of them hits. An average over classes goes from the
limits of each class to limits of the mean (MOVER: Zou and Donner 2008), with the correlations
between classes that the derivatives give. A class without an error adds nothing to the reach of
that, so its limits are moved out to those of the pseudo-cases where these are wider.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Array, Counts, Margins, Values, as_floats, ratio
from chancemeter.errors import Fault, InputError
from chancemeter.influence import Gradient, gradients
from chancemeter.intervals.shares import (
    Limits,
    Way,
    agresti_coull,
    clopper_pearson,
    jeffreys,
    z_of,
)
from chancemeter.registry import Measure, get
from chancemeter.sparse import SparseTable

#: Averages over more classes than this take exact limits for each class.
_FEW = 5


@dataclass(frozen=True, eq=False)
class Seen:
    """The counts of a stack, or of one sparse table, and what pseudo-cases make of them."""

    counts: Counts
    sparse: SparseTable | None = None

    @property
    def k(self) -> int:
        """Number of classes."""
        return self.counts.k

    def plus(self, mass: float, m: Measure[...]) -> Counts:
        """The counts with `mass` pseudo-cases spread evenly over all cells.

        A measure that grows with the number of cases is given as many as there were.
        """
        c, k = self.counts, self.k
        back = (
            np.ones(1) if "scale" in m.unchanged_by else ratio(c.total, c.total + mass)[..., None]
        )
        if isinstance(c, Margins):
            wide = mass / k
            parts = c.hits + wide / k, c.truth + wide, c.predicted + wide
            return Margins(*(part * back for part in parts))
        return Counts((as_floats(c.cells) + mass / k**2) * back[..., None])

    def variance(self, by: Gradient, mass: float, m: Measure[...]) -> Values:
        """Large-sample variance of a measure with this gradient, pseudo-cases being cases."""
        if self.sparse is None:
            return by.variance(self.plus(mass, m).cells)
        t = self.sparse
        at, each = by.at(t.truth, t.predicted), mass / self.k**2
        sums, squares = by.spread_evenly()
        sums = (t.counts * at).sum(-1) + each * sums
        squares = (t.counts * np.square(at)).sum(-1) + each * squares
        return np.asarray(squares - sums**2 / (t.counts.sum() + mass))


def pseudo_cases(k: int) -> float:
    """How many pseudo-cases are spread over a table of `k` classes."""
    return 4.0 if k <= 2 else 2.0


def wald(m: Measure[...], seen: Seen, mass: float) -> tuple[Values, Values]:
    """The value after `mass` pseudo-cases, and its standard error."""
    smooth = seen.plus(mass, m)
    by = gradients([m], smooth)[0]
    return m.values(smooth), np.sqrt(np.maximum(seen.variance(by, mass, m), 0))


def best(m: Measure[...], seen: Seen, level: float) -> tuple[Values, Values, str]:
    """Limits by what kind of measure it is, and what the way to them is called."""
    if has_share(m):
        return *of_share(m, seen.counts, level), "agresti-coull"
    if m.card.level == "class":
        return *of_classes(m, seen, level), "smoothed"
    if seen.k > 2 and averaged(m) is not None:
        return *of_mean(m, seen, level), "mover"
    return *smoothed(m, seen, level), "smoothed"


def smoothed(m: Measure[...], seen: Seen, level: float, mass: float | None = None) -> Limits:
    """The delta method on the table with `mass` pseudo-cases, whatever the measure."""
    mass = pseudo_cases(seen.k) if mass is None else mass
    return within(m, *reach(m, *wald(m, seen, mass), z_of(level)))


def reach(m: Measure[...], middle: Values, error: Values, z: float) -> Limits:
    """So many standard errors to each side; on the logarithm for a ratio that chance puts to 1."""
    if m.card.range == (0, np.inf) and m.card.by_chance == 1:
        factor = np.exp(z * ratio(error, middle))
        return middle / factor, middle * factor
    return middle - z * error, middle + z * error


def between_ends(m: Measure[...], middle: Values, error: Values, z: float) -> Limits:
    """The same on the logit, a scale without ends, for a measure whose range has two."""
    low, high = m.card.range
    room = (middle - low) * (high - middle)
    at, step = np.log(middle - low) - np.log(high - middle), z * error * (high - low) / room
    down, up = (
        np.where(room > 0, low + (high - low) / (1 + np.exp(-x)), middle)
        for x in (at - step, at + step)
    )
    return down, up


def within(m: Measure[...], low: Values, high: Values) -> Limits:
    """Limits inside the range of the measure."""
    return np.clip(low, *m.card.range), np.clip(high, *m.card.range)


def has_share(m: Measure[...]) -> bool:
    """Whether it follows from a share of cases."""
    return bool(m.card.share) and not m.bound


def parts_of_share(m: Measure[...], c: Counts) -> tuple[Values, Values]:
    """Hits and trials."""
    hits, _, trials = m.card.share.partition(" of ")
    found: Values = getattr(c, trials)
    return getattr(c, hits), np.broadcast_to(found, np.shape(getattr(c, hits)))


def of_share(m: Measure[...], c: Counts, level: float, way: Way = agresti_coull) -> Limits:
    """Limits for the share, and what they mean for the measure."""
    low, high = way(*parts_of_share(m, c), level)
    if m.card.of_share is None:
        return low, high
    return m.card.of_share(low, c.k), m.card.of_share(high, c.k)


def of_classes(m: Measure[...], seen: Seen, level: float, way: Way = agresti_coull) -> Limits:
    """Limits for each class, from the table of that class against the rest where it decides."""
    if has_share(m):
        return of_share(m, seen.counts, level, way)
    rest = Seen(seen.counts.one_vs_rest)
    if np.allclose(m.values(rest.counts)[..., 0], m.values(seen.counts), equal_nan=True):
        middle, error = (x[..., 0] for x in wald(m, rest, pseudo_cases(2)))
    else:
        middle, error = wald(m, seen, pseudo_cases(seen.k))
    return within(m, *reach(m, middle, error, z_of(level)))


def averaged(m: Measure[...]) -> Measure[...] | None:
    """The measure of classes whose plain mean it is, or follows."""
    if m.form in {"macro", "defined"}:
        return m.of_classes
    return get(m.card.mean_of) if m.card.mean_of else None


def of_mean(m: Measure[...], seen: Seen, level: float) -> Limits:
    """From limits of each class to limits of their mean."""
    if seen.sparse is not None:
        what = "this interval needs every cell, and only those that occur are kept"
        fix = "choose another measure, or merge classes"
        raise InputError(Fault("CM105", what, fix=fix))
    of = averaged(m) or m
    values = of.values(seen.counts)
    way = clopper_pearson if seen.k > _FEW else jeffreys
    low, high = of_classes(of, seen, level, way)
    smooth = seen.plus(pseudo_cases(seen.k), of)
    by, own = gradients([of, m], smooth)
    together = _correlations(by.covariance(smooth.cells))
    used = ~np.isnan(values) if m.form == "defined" else np.ones(values.shape, bool)
    slope = 1 / used.sum(-1) if m.form else _slope(own, by)
    down, up = (
        np.sqrt(np.maximum(np.einsum("...i,...ij,...j->...", x, together, x), 0)) * np.abs(slope)
        for x in (np.where(used, values - low, 0), np.where(used, high - values, 0))
    )
    value, falling = m.values(seen.counts), slope < 0
    low, high = smoothed(m, seen, level)
    low = np.fmin(low, value - np.where(falling, up, down))
    high = np.fmax(high, value + np.where(falling, down, up))
    return within(m, low, high)


def _slope(of_measure: Gradient, of_classes: Gradient) -> Values:
    """How a measure moves with the sum of the values of the classes."""
    summed, own = of_classes.summed.cells, of_measure.cells
    return ratio((summed * own).sum((-2, -1)), np.square(summed).sum((-2, -1)))


def _correlations(covariance: Array) -> Array:
    """Between classes; none where one does not vary."""
    errors = np.sqrt(np.diagonal(covariance, axis1=-2, axis2=-1))
    found = ratio(covariance, errors[..., :, None] * errors[..., None, :])
    found = np.where(np.isnan(found), 0, found)
    index = np.arange(found.shape[-1])
    found[..., index, index] = 1
    return found

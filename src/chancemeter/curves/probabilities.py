"""Scores as probabilities: Brier score, log loss, what they are made of, and calibration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chancemeter.counts import Array, ratio, xlogx
from chancemeter.curves.curve import Curve, scalar
from chancemeter.errors import Fault, InputError
from chancemeter.figures import number
from chancemeter.intervals.result import in_brackets
from chancemeter.intervals.shares import wilson


def seen(c: Curve) -> tuple[Array, Array, Array]:
    """Probabilities of the positive class, highest first, with positive and other cases."""
    if not c.is_probability or c.direction != ">=":
        low, high = sorted(c.thresholds[1:][[0, -1]].tolist())
        what = "these scores are no probabilities of the positive class"
        saw = f"scores from {low:.6g} to {high:.6g}, direction {c.direction!r}"
        fix = "give probabilities from 0 to 1 that rise with the positive class, or use ranks only"
        raise InputError(Fault("CM603", what, saw=saw, fix=fix))
    return c.thresholds[1:], *c.steps()


@scalar
def brier(c: Curve) -> float:
    """Brier score: mean squared distance of probability and truth, 0 or 1; lower is better.

    >>> from chancemeter import curve
    >>> round(curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).brier, 6)
    0.158125
    """
    p, positive, other = seen(c)
    return float(np.dot(positive, (1 - p) ** 2) / c.total + np.dot(other, p**2) / c.total)


@scalar
def brier_skill(c: Curve) -> float:
    """Brier score less what is due to chance: 1 − Brier / (Brier of always saying the prevalence)."""
    return 1 - brier(c) / (c.prevalence * (1 - c.prevalence))


@scalar
def log_loss(c: Curve) -> float:
    """Mean of −log(probability given to what was true); infinite where that was 0.

    Nothing is clipped: a probability of 0 for what then happened has no finite loss.
    """
    p, positive, other = seen(c)
    loss = -(xlogx(positive, p) + xlogx(other, 1 - p)) if (p > 0).all() and (p < 1).all() else None
    if loss is None:
        with np.errstate(divide="ignore", invalid="ignore"):
            on, off = positive * -np.log(p), other * -np.log1p(-p)
        loss = np.where(positive > 0, on, 0) + np.where(other > 0, off, 0)
    return float(loss.sum() / c.total)


@scalar
def log_loss_skill(c: Curve) -> float:
    """Log loss less what is due to chance: 1 − log loss / (that of always saying the prevalence)."""
    return 1 - log_loss(c) / entropy(c.prevalence)


def entropy(p: float) -> float:
    """Log loss of always saying the prevalence."""
    return float(-(xlogx(p) + xlogx(1 - p)))


@scalar
def ece(c: Curve, bins: int = 10, by: str = "width") -> float:
    """Expected calibration error: mean distance of what was said and what happened, in bins.

    It is never below 0, so compare it with `Calibration.ece_by_chance`.
    """
    return calibration(c, bins, by=by).ece


@dataclass(frozen=True)
class Parts:
    """A score of probabilities as reliability − resolution + uncertainty.

    *Reliability* is what wrong probabilities cost, *resolution* what telling cases apart gains,
    *uncertainty* what saying the prevalence would cost: the part that is chance.
    """

    reliability: float
    resolution: float
    uncertainty: float

    @property
    def score(self) -> float:
        """All together."""
        return self.reliability - self.resolution + self.uncertainty

    @property
    def skill(self) -> float:
        """Of what chance leaves to gain, the share gained."""
        return (self.resolution - self.reliability) / self.uncertainty


def brier_parts(c: Curve) -> Parts:
    """The Brier score by Murphy (1973), exact: each distinct probability is a group of its own.

    >>> from chancemeter import curve
    >>> parts = brier_parts(curve([0, 1, 0, 1, 1], [0.2, 0.2, 0.6, 0.6, 0.6]))
    >>> round(parts.reliability, 4), round(parts.resolution, 4), round(parts.uncertainty, 4)
    (0.0387, 0.0067, 0.24)
    """
    p, positive, other = seen(c)
    cases, rate = positive + other, c.prevalence
    share = ratio(positive, cases)
    return Parts(
        float(np.dot(cases, (p - share) ** 2) / c.total),
        float(np.dot(cases, (share - rate) ** 2) / c.total),
        rate * (1 - rate),
    )


def log_loss_parts(c: Curve) -> Parts:
    """The same for log loss: relative entropies in place of squares (Weijs and others 2010)."""
    p, positive, other = seen(c)
    cases, rate = positive + other, c.prevalence
    share = ratio(positive, cases)
    wrong = _relative(share, p)
    told = _relative(share, np.full(len(p), rate))
    uncertainty = entropy(rate)
    return Parts(
        float(np.dot(cases, wrong) / c.total), float(np.dot(cases, told) / c.total), uncertainty
    )


def _relative(share: Array, p: Array) -> Array:
    """Relative entropy of what happened to what was said."""
    with np.errstate(divide="ignore", invalid="ignore"):
        on = np.where(share > 0, share * (np.log(share) - np.log(p)), 0)
        off = np.where(share < 1, (1 - share) * (np.log1p(-share) - np.log1p(-p)), 0)
    return np.asarray(on + off)


@dataclass(frozen=True, eq=False, repr=False)
class Calibration:
    """Shares of positives among cases of like probability, with limits for each."""

    said: Array
    """Mean probability in each bin."""
    happened: Array
    """Share of positives in each bin."""
    low: Array
    high: Array
    """Wilson limits of that share."""
    cases: Array
    level: float = 0.95
    bins: str = field(default="")

    @property
    def ece(self) -> float:
        """Expected calibration error: mean distance of said and happened, weighed by cases."""
        return float(np.dot(self.cases, np.abs(self.said - self.happened)) / self.cases.sum())

    @property
    def mce(self) -> float:
        """The largest distance of said and happened."""
        return float(np.abs(self.said - self.happened).max())

    @property
    def rmsce(self) -> float:
        """Root of the mean squared distance."""
        return float(
            np.sqrt(np.dot(self.cases, (self.said - self.happened) ** 2) / self.cases.sum())
        )

    @property
    def ece_by_chance(self) -> float:
        """The ECE that probabilities that are right would have with so many cases in each bin.

        A distance is never below 0, so an ECE above 0 says nothing by itself.
        """
        spread = np.sqrt(self.said * (1 - self.said) / self.cases)
        return float(np.dot(self.cases, spread) * np.sqrt(2 / np.pi) / self.cases.sum())

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, fit for JSON."""
        names = ("said", "happened", "low", "high", "cases")
        return {name: getattr(self, name).tolist() for name in names} | {
            "ece": self.ece,
            "ece_by_chance": self.ece_by_chance,
            "level": self.level,
            "bins": self.bins,
        }

    def __repr__(self) -> str:
        """One line a bin."""
        lines = [
            f"said {number(a)}: happened {number(b)} {in_brackets(low, high)} of {n:g}"
            for a, b, low, high, n in zip(
                self.said, self.happened, self.low, self.high, self.cases, strict=True
            )
        ]
        head = f"calibration error (ECE) {number(self.ece)}, {number(self.ece_by_chance)} by chance"
        return "\n".join([head, *lines])


def calibration(c: Curve, bins: int = 10, *, by: str = "width", level: float = 0.95) -> Calibration:
    """Whether what was said happened as often: bins of equal `width`, or of equal ``"count"``.

    Equal probabilities are never parted.

    >>> from chancemeter import curve
    >>> calibration(curve([0, 1, 0, 1, 1], [0.2, 0.2, 0.6, 0.6, 0.6]), bins=2)
    calibration error (ECE) 0.160, 0.226 by chance
    said 0.200: happened 0.500 [0.095, 0.905] of 2
    said 0.600: happened 0.667 [0.208, 0.939] of 3
    """
    if bins < 1 or by not in {"width", "count"}:
        saw, fix = f"bins={bins}, by={by!r}", "such as bins=10, by='width' or by='count'"
        raise InputError(Fault("CM608", "bins are of equal width or count", "", saw, fix))
    p, positive, other = (x[::-1] for x in seen(c))
    cases = positive + other
    if by == "width":
        place = np.minimum((p * bins).astype(np.int64), bins - 1)
    else:
        middle = np.cumsum(cases) - cases / 2
        place = np.minimum((middle / c.total * bins).astype(np.int64), bins - 1)
    n, hits, told = (np.bincount(place, x, minlength=bins) for x in (cases, positive, cases * p))
    used = n > 0
    n, hits, told = n[used], hits[used], told[used]
    low, high = wilson(hits, n, level)
    return Calibration(told / n, hits / n, low, high, n, level, f"{bins} of equal {by}")

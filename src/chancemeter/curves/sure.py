"""How sure a scalar of a curve is: `chancemeter.interval("auc", curve)`.

DeLong's standard error alone promises too much where a class is rare or the ranking is good, and
everything where the ranking is perfect (`docs/curve-coverage.md` has the simulations). So limits
of the AUC are those values that a score test does not reject, with a variance that moves from the
observed one to that of Hanley and McNeil (1982) the fewer cases the smaller class has. Other
scalars take a pseudo-case of each class, spread over all scores as the cases are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import chancemeter
from chancemeter.counts import Array
from chancemeter.curves.again import drawn_values
from chancemeter.curves.curve import Curve, scalar_named
from chancemeter.curves.influence import Influence, influence
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, plural, quoted
from chancemeter.intervals.result import Interval
from chancemeter.intervals.shares import z_of
from chancemeter.outcomes import check_share
from chancemeter.tails import student_quantile

#: Pseudo-cases, half of them of each class.
PSEUDO_CASES = 2.0
#: With so many cases in the smaller class both variances of the AUC have the same say.
_EVEN = 8
#: A class with fewer cases makes all limits a guess.
FEW = 10
#: Thresholds that are kept where curves are drawn again.
_DRAWN = 4_096
#: Where a scalar ends.
_RANGES = {
    "auc": (0.0, 1.0),
    "auch": (0.0, 1.0),
    "gini": (-1.0, 1.0),
    "h": (0.0, 1.0),
    "average_precision": (0.0, 1.0),
    "pr_area": (0.0, 1.0),
    "auk_share": (-np.inf, 1.0),
    "brier": (0.0, 1.0),
    "brier_skill": (-np.inf, 1.0),
    "log_loss": (0.0, np.inf),
    "log_loss_skill": (-np.inf, 1.0),
    "ece": (0.0, 1.0),
}

Limits = tuple[float, float, str, tuple[str, ...]]


@dataclass(frozen=True)
class Asked:
    """What an interval is asked of, and how."""

    curve: Curve
    measure: str
    level: float
    draws: int
    seed: int

    @property
    def name(self) -> str:
        """The scalar without parameters."""
        return self.measure.partition("(")[0]

    @property
    def formula(self) -> Callable[[Curve], float]:
        """The scalar."""
        return scalar_named(self.measure)[1]

    def influence(self, c: Curve) -> Influence | None:
        """What cases do to it, if that has a closed form."""
        return None if "(" in self.measure else influence(c, self.name)


def interval_of(
    c: Curve,
    measure: str,
    *,
    method: str = "default",
    level: float = 0.95,
    draws: int = 2000,
    seed: int = 0,
) -> Interval:
    """Limits for a scalar of a curve.

    By default ``score`` for AUC and Gini, ``smoothed`` for what has a closed form, and
    ``percentile`` (cases drawn again) for the rest; ``cluster`` where the cases have groups.
    Other methods: ``delong`` (for any scalar in closed form: no pseudo-cases), ``logit``.

    >>> from chancemeter import curve, interval
    >>> c = curve([0, 0, 0, 1, 0, 1, 1, 1], [1, 2, 3, 4, 5, 6, 7, 8])
    >>> interval("auc", c)
    auc 0.938 [0.527, 0.994] (95%, score)
      note: a class has 4 cases: limits from so few are a guess
    """
    check_share(level, "a level")
    if draws < 1:
        raise InputError(Fault("CM501", "draws are counted from 1 up", saw=str(draws)))
    asked = Asked(c, measure, level, draws, seed)
    value = float(asked.formula(c))
    chosen = _chosen(method, asked)
    with np.errstate(all="ignore"):
        low, high, how, notes = METHODS[chosen](asked)
    ends = _RANGES.get(asked.name, (-np.inf, np.inf))
    low, high = np.clip(low, *ends).item(), np.clip(high, *ends).item()
    if not how.startswith("percentile"):
        low, high = np.fmin(low, value).item(), np.fmax(high, value).item()
    if np.isnan([low, high, value]).any() or high - low <= 1e-15:
        low = high = np.nan
        notes += (f"too few cases for an interval: {chosen} sees no variation",)
    fewest = min(c.positives, c.negatives)
    if fewest < FEW:
        notes += (f"a class has {plural(int(fewest), 'case')}: limits from so few are a guess",)
    if c.error:
        notes += (f"scores were put together: an area is off by {c.error:.2g} at most",)
    parts = [measure, how, f"level:{level:g}", f"v{chancemeter.__version__}"]
    return Interval(measure, value, low, high, level, how, "|".join(parts), notes)


def _chosen(method: str, asked: Asked) -> str:
    if method == "default":
        if asked.curve.groups is not None and asked.influence(asked.curve) is not None:
            return "cluster"
        if asked.name in {"auc", "gini"}:
            return "score"
        if asked.name == "ece":
            return "basic"
        return "percentile" if asked.influence(asked.curve) is None else "smoothed"
    if method not in METHODS:
        fix = did_you_mean(method, METHODS, f"one of {', '.join(METHODS)}")
        raise UnknownNameError(Fault("CM402", f"no method is called {quoted(method)}", fix=fix))
    if method == "score" and asked.name not in {"auc", "gini"}:
        raise InputError(Fault("CM402", "score is for auc and gini", fix="take smoothed"))
    if method not in {"percentile", "basic", "score"} and asked.influence(asked.curve) is None:
        what = f"{asked.measure} has no closed form for {method}"
        raise InputError(Fault("CM402", what, fix="take percentile"))
    if method == "cluster" and asked.curve.groups is None:
        fix = "make the curve with groups="
        raise InputError(Fault("CM402", "the cases have no groups", fix=fix))
    return method


def smoothed(c: Curve, mass: float = PSEUDO_CASES) -> Curve:
    """The curve with pseudo-cases, half of them of each class, spread as all cases are."""
    share = (c.tp + c.fp) * (mass / 2 / c.total)
    return replace(c, tp=c.tp + share, fp=c.fp + share, groups=None)


def _wald(asked: Asked, c: Curve, how: str) -> Limits:
    found = asked.influence(c)
    variance = np.nan if found is None else found.variance(c)
    middle, reach = float(asked.formula(c)), z_of(asked.level) * float(np.sqrt(variance))
    return middle - reach, middle + reach, how, ()


def _smoothed(asked: Asked) -> Limits:
    return _wald(asked, smoothed(asked.curve), "smoothed")


def _delong(asked: Asked) -> Limits:
    return _wald(asked, asked.curve, "delong")


def _logit(asked: Asked) -> Limits:
    """DeLong's standard error on a scale without ends."""
    low, high = _RANGES.get(asked.name, (-np.inf, np.inf))
    if not np.isfinite([low, high]).all():
        what = f"logit is for values between two ends, and {asked.measure} has no such range"
        raise InputError(Fault("CM402", what, fix="take smoothed"))
    value = float(asked.formula(asked.curve))
    below, above, *_ = _wald(asked, asked.curve, "")
    share = (value - low) / (high - low)
    if not 0 < share < 1:
        return np.nan, np.nan, "logit", ()
    step = (above - below) / 2 / (high - low) / (share * (1 - share))
    at = np.log(share) - np.log1p(-share)
    ends = [low + (high - low) / (1 + np.exp(-(at + sign * step))) for sign in (-1, 1)]
    return ends[0], ends[1], "logit", ()


def hanley_mcneil(area: Array, positives: float, negatives: float) -> Array:
    """Variance of an AUC of that size, by Hanley and McNeil (1982) as Newcombe (2006) evens it."""
    more = (positives + negatives) / 2 - 1
    both = (1 - area) / (2 - area) + area / (1 + area)
    return np.asarray(area * (1 - area) * (1 + more * both) / (positives * negatives))


def _score(asked: Asked) -> Limits:
    """All areas that are not further from the observed one than their own standard error allows."""
    c, z = asked.curve, z_of(asked.level)
    sizes = float(c.positives), float(c.negatives)
    value, few = c.auc, min(sizes)
    usual = float(hanley_mcneil(np.asarray(value), *sizes))
    found = influence(c, "auc")
    seen = found.variance(c) if found is not None else np.nan
    known = usual > 0 and not np.isnan(seen)
    part = (few * seen / usual + _EVEN) / (few + _EVEN) if known else 1.0

    def beyond(area: float) -> float:
        variance = float(hanley_mcneil(np.asarray(area), *sizes)) * part
        return (area - value) ** 2 - z * z * variance

    low, high = _edge(beyond, value, 0.0), _edge(beyond, value, 1.0)
    if asked.name == "gini":
        low, high = 2 * low - 1, 2 * high - 1
    return low, high, "score", ()


def _edge(beyond: Callable[[float], float], inside: float, outside: float) -> float:
    """Where `beyond` becomes positive on the way out, by halving."""
    for _ in range(60):
        middle = (inside + outside) / 2
        if beyond(middle) > 0:
            outside = middle
        else:
            inside = middle
    return (inside + outside) / 2


def _drawn(asked: Asked) -> tuple[Array, tuple[str, ...]]:
    thin = asked.curve.thinned(_DRAWN)
    values = drawn_values(thin, asked.formula, asked.draws, asked.seed)
    lost = asked.draws - len(values)
    told = (f"{lost:,} of {asked.draws:,} draws lack a class and are left out",) if lost else ()
    return values, told + thin.told[len(asked.curve.told) :]


def _percentile(asked: Asked) -> Limits:
    values, told = _drawn(asked)
    tail = (1 - asked.level) / 2
    low, high = np.quantile(values, [tail, 1 - tail]).tolist() if len(values) else (np.nan,) * 2
    return low, high, f"percentile|draws:{asked.draws}|seed:{asked.seed}", told


def _basic(asked: Asked) -> Limits:
    """Percentiles turned round the value: for what is larger in draws than where they come from."""
    low, high, how, told = _percentile(asked)
    twice = 2 * float(asked.formula(asked.curve))
    return twice - high, twice - low, how.replace("percentile", "basic"), told


def _cluster(asked: Asked) -> Limits:
    """Groups of cases as what was drawn: what a group does is the sum of what its cases do."""
    c = asked.curve
    groups, found = c.groups, asked.influence(c)
    if groups is None or found is None:
        return np.nan, np.nan, "cluster", ()
    each = found.of_cases(groups.place, groups.positive)
    each = each if groups.weights is None else each * groups.weights
    sums = np.bincount(groups.codes, each)
    several = len(np.unique(groups.codes))
    if several < 2:
        return np.nan, np.nan, "cluster", ("there is one group only",)
    error = float(np.sqrt(np.square(sums).sum() * several / (several - 1)))
    reach = student_quantile((1 + asked.level) / 2, several - 1) * error
    value = float(asked.formula(c))
    return value - reach, value + reach, f"cluster|groups:{several}", ()


METHODS: dict[str, Callable[[Asked], Limits]] = {
    "score": _score,
    "smoothed": _smoothed,
    "delong": _delong,
    "logit": _logit,
    "percentile": _percentile,
    "basic": _basic,
    "cluster": _cluster,
}


def error_of(c: Curve, measure: str) -> float:
    """Standard error of a scalar, without pseudo-cases: DeLong's for the AUC."""
    found: Any = influence(c, measure)
    return float(np.sqrt(found.variance(c))) if found is not None else float("nan")

"""How much better one model is than another, by any measure, and how sure that is.

On the same rows what counts is how much each pattern of truth and two predictions moves the
difference, which the derivatives of the measure give. Four pseudo-cases, spread over all
patterns, stand for what was not seen; simulations are in
`docs/coverage.md` and `docs/type-one.md`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import erfc, sqrt
from typing import Any

import numpy as np

import chancemeter
from chancemeter.comparison.rows import SameRows
from chancemeter.counts import Array, Counts, Values, ratio
from chancemeter.errors import Fault, InputError
from chancemeter.figures import json_number, number
from chancemeter.influence import Gradient, gradients
from chancemeter.intervals.choose import interval
from chancemeter.intervals.drawn import quantiles
from chancemeter.intervals.result import in_brackets
from chancemeter.intervals.shares import z_of
from chancemeter.intervals.smooth import Seen
from chancemeter.outcomes import check_draws, check_share, choose, p_text
from chancemeter.registry import Measure
from chancemeter.resample import Kinds, dirichlet, each_value, multinomial, prior_mass, stretches

#: Pseudo-cases over all patterns of truth and two predictions.
PSEUDO_CASES = 4.0
#: Patterns that a posterior takes into account.
_MOST_PATTERNS = 1_000_000
#: Differences nearer than this are equal up to rounding.
_ROUNDING = 1e-12


@dataclass(frozen=True)
class How:
    """How differences are found."""

    method: str = "smoothed"
    level: float = 0.95
    draws: int = 10_000
    seed: int = 0

    def __post_init__(self) -> None:
        """Refuse what is no way."""
        check_share(self.level, "a level")
        choose(self.method, METHODS, "way to compare")
        check_draws(self.draws)


@dataclass(frozen=True, repr=False, kw_only=True)
class Difference:
    """The first model minus the second, by one measure.

    >>> from chancemeter import kappa, same_rows
    >>> two_models = {"one": list("aabbbbbbba"), "two": list("abbbbbbaba")}
    >>> difference(kappa, same_rows(list("aabbbbbbbb"), two_models), 0, 1)
    one − two: kappa +0.526 [-0.305, 0.956], p = 0.312 (smoothed)
    """

    measure: str
    first: str
    second: str
    value: float
    low: float
    high: float
    p: float
    better: str
    """The model that is shown to be better at this level; empty if neither is."""
    level: float
    method: str
    signature: str
    adjusted_p: float = float("nan")
    notes: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        found = {key: json_number(x) for key, x in vars(self).items()}
        low, high = found.pop("low"), found.pop("high")
        return found | {"interval": [low, high], "notes": list(self.notes)}

    def turned(self) -> Difference:
        """The second model minus the first."""
        ends = replace(self, value=-self.value, low=-self.high, high=-self.low)
        return replace(ends, first=self.second, second=self.first)

    def __repr__(self) -> str:
        """One line."""
        told = "".join(f"\n  note: {note}" for note in self.notes)
        return (
            f"{self.first} − {self.second}: {self.measure} {signed(self.value)} "
            f"{in_brackets(self.low, self.high)}, p {p_text(self.p)} ({self.method}){told}"
        )


def signed(x: float) -> str:
    """A difference with its sign.

    >>> signed(0.25), signed(-0.25), signed(0.0)
    ('+0.250', '-0.250', '0.000')
    """
    return f"+{number(x)}" if x > 0 else number(x)


def difference(
    m: Measure[...], rows: SameRows, a: int, b: int, how: How | None = None
) -> Difference:
    """Model `a` minus model `b` on the same rows."""
    how = how or How()
    check_level(m)
    way = how.method
    limits: tuple[Any, Any, Any]
    with np.errstate(all="ignore"):
        if way in {"posterior", "bootstrap"}:
            limits = _drawn(m, rows, (a, b), how)
        elif rows.groups is None:
            pair = rows.predicted[[a, b]]
            limits = smoothed(m, rows.counts, rows.truth, pair, k=rows.k, level=how.level)
        else:
            way = "cluster" if way == "smoothed" else way
            limits = _between_groups(m, rows, a, b, how.level)
        if way == "permutation":
            limits = (*limits[:2], permutation_p(m, rows, a, b, how))
    value = float(m.values(rows.of(a)) - m.values(rows.of(b)))
    notes: tuple[str, ...] = ()
    if rows.identical(a, b):
        limits, notes = (*limits[:2], 1.0), ("both predict the same on every case",)
    drawn = () if way in {"smoothed", "cluster"} else (f"draws:{how.draws}", f"seed:{how.seed}")
    names = rows.names[a], rows.names[b]
    return _made(m, names, value, limits, way=(way, *drawn), level=how.level, notes=notes)


def unpaired(
    m: Measure[...], names: tuple[str, str], tables: tuple[Any, Any], level: float = 0.95
) -> Difference:
    """The first minus the second on different cases, from the interval of each (Newcombe 1998)."""
    check_level(m)
    one, two = (interval(m, t, level=level) for t in tables)
    value = one.value - two.value
    low = value - sqrt((one.value - one.low) ** 2 + (two.high - two.value) ** 2)
    high = value + sqrt((one.high - one.value) ** 2 + (two.value - two.low) ** 2)
    error = sqrt((one.high - one.low) ** 2 + (two.high - two.low) ** 2) / (2 * z_of(level))
    p = erfc(abs(value) / (error * sqrt(2))) if error else float("nan")
    notes = tuple(dict.fromkeys([*one.notes, *two.notes]))
    return _made(m, names, value, (low, high, p), way=("unpaired",), level=level, notes=notes)


def _made(
    m: Measure[...],
    names: tuple[str, str],
    value: float,
    found: tuple[Any, Any, Any],
    *,
    way: tuple[str, ...],
    level: float,
    notes: tuple[str, ...],
) -> Difference:
    low, high, p = (float(x) for x in found)
    if not high - low > _ROUNDING or np.isnan(value):
        low = high = np.nan
        notes += ("too few cases for an interval",)
    low, high = float(np.fmin(low, value)), float(np.fmax(high, value))
    above, below = names if m.card.direction != "lower" else names[::-1]
    signature = [m.key, "difference", *way, f"level:{level:g}", f"v{chancemeter.__version__}"]
    return Difference(
        measure=m.key,
        first=names[0],
        second=names[1],
        value=value,
        low=low,
        high=high,
        p=p if not np.isnan(value) else np.nan,
        better=above if low > 0 else below if high < 0 else "",
        level=level,
        method=way[0],
        signature="|".join(signature),
        notes=notes,
    )


METHODS = ("smoothed", "posterior", "bootstrap", "permutation")


def check_level(m: Measure[...]) -> None:
    """Refuse a measure of classes."""
    if m.card.level == "class":
        what = f"{m.key} has a value for each class: which is to be compared?"
        fix = f"take an average, {m.key}@macro, or a table of one class against the rest"
        raise InputError(Fault("CM516", what, fix=fix))


def smoothed(
    m: Measure[...], counts: Array, truth: Array, predicted: Array, *, k: int, level: float
) -> tuple[Values, Values, Values]:
    """Limits and p from counts of patterns, ``(..., patterns)``: many samples at once."""
    cells = truth * k + predicted
    flat = counts.reshape(-1, counts.shape[-1])
    both = Kinds(flat[0], k, cells).lay(flat)
    sides = [Seen(Counts(both[:, i] * 1.0)) for i in (0, 1)]
    grown = [seen.plus(PSEUDO_CASES, m) for seen in sides]
    one, two = (gradients([m], c)[0] for c in grown)
    moved = one.at(truth, predicted[0]) - two.at(truth, predicted[1])
    sums, squares = _everywhere(one, two, k)
    each = PSEUDO_CASES / k**3
    sums = (flat * moved).sum(-1) + each * sums
    squares = (flat * np.square(moved)).sum(-1) + each * squares
    n = flat.sum(-1) + PSEUDO_CASES
    variance = squares - sums**2 / n
    if "scale" not in m.unchanged_by:
        variance = variance * (n - PSEUDO_CASES) / n
    middle = m.values(grown[0]) - m.values(grown[1])
    found = limits_and_p(middle, np.sqrt(np.maximum(variance, 0)), level)
    return tuple(x.reshape(counts.shape[:-1]) for x in found)  # type: ignore[return-value]


def _everywhere(one: Gradient, two: Gradient, k: int) -> tuple[Values, Values]:
    """Sum, and sum of squares, of the difference of two gradients over all patterns."""
    (a, squared_a), (b, squared_b) = one.spread_evenly(), two.spread_evenly()
    across = (one.rows(k) * two.rows(k)).sum(-1)
    return k * (a - b), k * (squared_a + squared_b) - 2 * across


def limits_and_p(
    middle: Values, error: Values, level: float, df: float | None = None
) -> tuple[Values, Values, Values]:
    """So many standard errors to each side, and the two-sided p; with `df` by Student's t."""
    score = np.abs(ratio(middle, error))
    if df is None:
        z, p = z_of(level), np.asarray(np.frompyfunc(lambda x: erfc(x / sqrt(2)), 1, 1)(score))
    else:
        from scipy.special import stdtr, stdtrit

        z, p = float(stdtrit(df, (1 + level) / 2)), 2 * stdtr(df, -score)
    return middle - z * error, middle + z * error, np.asarray(p, dtype=float)


def _between_groups(
    m: Measure[...], rows: SameRows, a: int, b: int, level: float
) -> tuple[Any, Any, Any]:
    """From how much each whole group moves the difference."""
    if rows.groups is None or (several := int(rows.groups.max()) + 1) < 2:
        fix = "leave the groups out, if the cases are independent"
        raise InputError(Fault("CM504", "groups are compared with each other", saw="one", fix=fix))
    grown = [Seen(rows.of(i)).plus(PSEUDO_CASES, m) for i in (a, b)]
    one, two = (gradients([m], c)[0] for c in grown)
    moved = one.at(rows.truth, rows.predicted[a]) - two.at(rows.truth, rows.predicted[b])
    by_group = np.bincount(rows.groups, rows.counts * moved, minlength=several)
    variance = several / (several - 1) * np.square(by_group - by_group.mean()).sum()
    variance += PSEUDO_CASES / rows.k**3 * _everywhere(one, two, rows.k)[1]
    middle = m.values(grown[0]) - m.values(grown[1])
    return limits_and_p(middle, np.sqrt(variance), level, several - 1)


def _drawn(
    m: Measure[...], rows: SameRows, pair: tuple[int, int], how: How
) -> tuple[float, float, float]:
    """From tables of both models that are drawn together."""
    if how.method == "posterior" and rows.groups is None:
        kinds = _all_patterns(rows, pair)
        draw = dirichlet(kinds, prior_mass(rows.k, None) / len(kinds.counts))
    else:
        kinds = replace(rows, predicted=rows.predicted[list(pair)]).kinds
        draw = multinomial(kinds)
    values = each_value(m, kinds, draw, how.draws, how.seed)
    drawn = values[:, 0] - values[:, 1]
    low, high = quantiles(drawn, (1 - how.level) / 2, (1 + how.level) / 2)
    known = drawn[~np.isnan(drawn)]
    below = (known < 0).mean() + (known == 0).mean() / 2 if known.size else np.nan
    return float(low), float(high), float(np.clip(2 * min(below, 1 - below), 1 / how.draws, 1))


def _all_patterns(rows: SameRows, pair: tuple[int, int]) -> Kinds:
    """Every pattern of truth and two predictions, seen or not."""
    k = rows.k
    if k**3 > _MOST_PATTERNS:
        what = f"a posterior of {k} classes has {k**3:,} patterns"
        raise InputError(Fault("CM105", what, fix="take smoothed, the default, or bootstrap"))
    one, two = rows.predicted[list(pair)]
    flat = (rows.truth * k + one) * k + two
    counts = np.bincount(flat, rows.counts, minlength=k**3)
    truth, a, b = np.unravel_index(np.arange(k**3), (k, k, k))
    return Kinds(counts, k, np.stack([truth * k + a, truth * k + b]))


def permutation_p(m: Measure[...], rows: SameRows, a: int, b: int, how: How) -> float:
    """How often the difference is as large if it is a toss-up which model predicted which.

    On every case the two predictions are exchanged or not; only how often counts, so that a
    draw is a binomial number for each pattern.
    """
    if rows.counts.dtype.kind not in "iu":
        fix = "give counts of cases, without weights; or take smoothed"
        raise InputError(Fault("CM503", "only whole cases can be exchanged", fix=fix))
    k, (one, two) = rows.k, rows.predicted[[a, b]]
    first, second = np.minimum(one, two), np.maximum(one, two)
    flat, place = np.unique((rows.truth * k + first) * k + second, return_inverse=True)
    counts = np.bincount(place, rows.counts, minlength=len(flat)).astype(np.int64)
    truth, rest = np.divmod(flat, k * k)
    one, two = truth * k + rest // k, truth * k + rest % k
    kinds = Kinds(np.r_[counts, counts], k, np.stack([np.r_[one, two], np.r_[two, one]]))

    def toss(generator: np.random.Generator, size: int) -> Array:
        heads = generator.binomial(counts, 0.5, (size, len(counts)))
        return np.concatenate([heads, counts - heads], axis=1)

    width = 2 * k * k
    parts = [
        m.values(Counts(kinds.lay(x) * 1.0)) for x in stretches(toss, how.draws, how.seed, width)
    ]
    values = np.concatenate(parts)
    seen = abs(float(m.values(rows.of(a)) - m.values(rows.of(b))))
    found = np.abs(values[:, 0] - values[:, 1])
    found = found[~np.isnan(found)]
    return float((1 + (found >= seen - _ROUNDING).sum()) / (1 + len(found)))

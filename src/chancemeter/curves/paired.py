"""Which of several scores is better on the same cases, by a scalar of their curves.

What each case does to each scalar (`influence`) gives the covariance of all of them at once. For
the AUC that is the test of DeLong and others (1988), in n log n steps; two equal curves differ
by 0 with p = 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

import chancemeter
from chancemeter.adjust import adjust
from chancemeter.comparison.differences import Difference
from chancemeter.counts import Array
from chancemeter.curves.again import SameCases, drawn_together, drawn_values
from chancemeter.curves.counting import placed
from chancemeter.curves.curve import Curve, Direction, from_steps, scalar_named
from chancemeter.curves.influence import Influence, influence
from chancemeter.curves.make import (
    Asked,
    one_class,
    read_groups,
    read_scores,
    read_truth,
    same_rows,
)
from chancemeter.errors import Fault, InputError, quoted
from chancemeter.figures import json_number, number
from chancemeter.intervals.shares import z_of
from chancemeter.labels import read_weights
from chancemeter.outcomes import check_share, p_text
from chancemeter.tables import Label
from chancemeter.tails import chi_squared, normal

#: Variances smaller than this, as a share of those of the models, are rounding.
_ROUNDING = 1e-14


@dataclass(frozen=True, eq=False, repr=False)
class CurveComparison:
    """Scalars of several curves, their covariance, and all pairs."""

    measure: str
    values: Mapping[str, float]
    covariance: Array
    pairs: tuple[Difference, ...]
    p: float
    """That all are equal: a χ² test with as many degrees of freedom as differences vary."""
    method: str
    notes: tuple[str, ...] = ()

    def pair(self, first: str, second: str) -> Difference:
        """One model less another."""
        for found in self.pairs:
            if (found.first, found.second) == (first, second):
                return found
            if (found.second, found.first) == (first, second):
                return found.turned()
        fix = f"models: {', '.join(map(str, self.values))}"
        what = f"no two models are called {quoted(first)} and {quoted(second)}"
        raise InputError(Fault("CM610", what, fix=fix))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        return {
            "measure": self.measure,
            "values": {name: json_number(x) for name, x in self.values.items()},
            "covariance": self.covariance.tolist(),
            "pairs": [pair.to_dict() for pair in self.pairs],
            "p": json_number(self.p),
            "method": self.method,
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        """The values, and a line for each pair."""
        shown = ", ".join(f"{name} {number(x)}" for name, x in self.values.items())
        lines = [f"{self.measure}: {shown}", *map(repr, self.pairs)]
        if len(self.values) > 2:
            lines.append(f"all equal: p {p_text(self.p)}")
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])


def compare_curves(
    y_true: Any,
    scores: Mapping[str, Any] | Sequence[str] | None = None,
    *,
    true: str | None = None,
    measure: str = "auc",
    positive: Label | None = None,
    direction: Direction = ">=",
    weights: Any = None,
    groups: Any = None,
    level: float = 0.95,
    adjustment: str = "holm",
    draws: int = 2000,
    seed: int = 0,
) -> CurveComparison:
    """Compare scores for the same cases, or, given ``{name: curve}``, curves of different ones.

    `measure` is any scalar of a curve: ``auc``, ``auk``, ``auch``, ``h``, ``average_precision``,
    ``brier`` and others; ``tpr_at(fpr=0.1)`` compares at one false positive rate. Where no
    closed form is known cases are drawn again, the same for all models. Names of columns work
    with a frame, a file or an engine: ``compare_curves("scores.csv", ["a", "b"], true="y")``.

    >>> y = [0, 0, 0, 1, 0, 1, 1, 1]
    >>> compare_curves(y, {"a": [1, 2, 3, 4, 5, 6, 7, 8], "b": [1, 4, 3, 2, 6, 5, 8, 7]})
    auc: a 0.938, b 0.750
    a − b: auc +0.188 [-0.077, 0.452], p = 0.165 (delong)
    """
    check_share(level, "a level")
    if scores is None:
        found = _apart(_curves(y_true), measure)
    else:
        if not isinstance(scores, Mapping):
            y_true, scores, weights, groups = same_rows(y_true, scores, true, weights, groups)
        same = same_cases(y_true, scores, Asked(positive, direction), weights, groups)
        found = _together(same, measure, draws, seed)
    values, covariance, method, notes = found
    pairs = _pairs(measure, values, covariance, method, level)
    adjusted = adjust(np.array([d.p for d in pairs]), adjustment)
    told = tuple(replace(d, adjusted_p=float(p)) for d, p in zip(pairs, adjusted, strict=True))
    return CurveComparison(
        measure, values, covariance, told, _all_equal(values, covariance), method, notes
    )


Found = tuple[dict[str, float], Array, str, tuple[str, ...]]


def _curves(given: Any) -> dict[str, Curve]:
    several = isinstance(given, Mapping) and len(given) > 1
    if several and all(isinstance(c, Curve) for c in given.values()):
        return dict(given)
    fix = "compare_curves(y_true, {'a': scores, 'b': scores}), or {'a': curve, 'b': curve}"
    raise InputError(Fault("CM511", "two models or more are compared", fix=fix))


def same_cases(
    y_true: Any, scores: Mapping[str, Any], asked: Asked, weights: Any = None, groups: Any = None
) -> SameCases:
    """Read several scores for the same cases."""
    if len(scores) < 2:
        fix = "give {'a': scores, 'b': scores}"
        raise InputError(Fault("CM511", "two models or more are compared", fix=fix))
    truth, labels = read_truth(y_true, asked.positive)
    n = len(truth)
    given, faults = read_weights(weights, n)
    if faults:
        raise InputError(*faults)
    if given is not None and not given.all():
        fix = "leave them out of all columns"
        raise InputError(Fault("CM106", "cases of weight 0 cannot be compared", fix=fix))
    codes = None if groups is None else read_groups(groups, n)
    if truth.all() or not truth.any():
        raise InputError(one_class(labels[0 if truth.all() else 1]))
    curves, places = {}, {}
    sign = 1.0 if asked.direction == ">=" else -1.0
    for name, values in scores.items():
        read = sign * read_scores(values, n, f"scores of {name}")
        steps, place = placed(read, truth, given)
        made = from_steps(sign * steps.scores, steps.tp, steps.fp, like=asked.empty)
        curves[str(name)] = replace(made, labels=labels)
        places[str(name)] = place
    return SameCases(curves, truth, places, given, codes)


def _together(same: SameCases, measure: str, draws: int, seed: int) -> Found:
    """Values, covariance, and how it was found, of scores for the same cases."""
    name, formula = scalar_named(measure)
    values = {model: float(formula(c)) for model, c in same.curves.items()}
    found = [influence(c, name) for c in same.curves.values()] if "(" not in measure else [None]
    few = min(np.count_nonzero(same.positive), np.count_nonzero(~same.positive)) < 2
    if few:
        notes = ("a class has fewer than 2 cases: nothing sure can be said",)
        return values, np.full((len(values),) * 2, np.nan), "delong", notes
    if any(x is None for x in found):
        drawn = drawn_together(same, formula, draws, seed)
        return values, np.atleast_2d(np.cov(drawn.T)), f"bootstrap:{draws}|seed:{seed}", ()
    pairs = [(x, p) for x, p in zip(found, same.places.values(), strict=True) if x]
    method = "delong" if name in {"auc", "gini"} else "influence"
    if same.groups is not None:
        return values, _of_groups(pairs, same), f"{method}, by group", ()
    return values, _covariance(pairs, same), method, ()


def _covariance(pairs: list[tuple[Influence, Array]], same: SameCases) -> Array:
    """Covariance of scalars from what each case does to them."""
    found = np.zeros((len(pairs),) * 2)
    for side in (True, False):
        rows = np.flatnonzero(same.positive == side)
        own = np.empty((len(pairs), len(rows)))
        for i, (x, place) in enumerate(pairs):
            np.take(x.positive if side else x.negative, place[rows] - 1, out=own[i])
        w = None if same.weights is None else same.weights[rows].astype(float)
        total = len(rows) if w is None else w.sum()
        mean = (own.sum(1) if w is None else own @ w) / total
        own -= mean[:, None]
        spread = own @ own.T if w is None else (own * w) @ own.T
        found += spread * (total / (total - 1)) + total * np.outer(mean, mean)
    return found


def _of_groups(pairs: list[tuple[Influence, Array]], same: SameCases) -> Array:
    """The same for groups of cases that were drawn together."""
    w = 1.0 if same.weights is None else same.weights.astype(float)
    each = [x.of_cases(place, same.positive) * w for x, place in pairs]
    sums = np.stack([np.bincount(same.groups, x) for x in each])  # type: ignore[arg-type]
    several = sums.shape[1]
    if several < 2:
        fix = "give the patients, documents … of the cases"
        raise InputError(Fault("CM504", "two groups or more are needed", saw="1", fix=fix))
    return np.asarray(sums @ sums.T * (several / (several - 1)))


def _apart(curves: Mapping[str, Curve], measure: str) -> Found:
    """Curves of different cases: nothing ties them."""
    name, formula = scalar_named(measure)
    values = {model: float(formula(c)) for model, c in curves.items()}
    if "(" in measure:
        spread = [float(np.var(drawn_values(c, formula, 2000, 0), ddof=1)) for c in curves.values()]
        return values, np.diag(spread), "unpaired, bootstrap:2000", ()
    found = [(influence(c, name), c) for c in curves.values()]
    if any(x is None for x, _ in found):
        return _apart(curves, f"{name}()")
    variances = [x.variance(c) for x, c in found if x is not None]
    return values, np.diag(variances), "unpaired", ()


def _pairs(
    measure: str, values: Mapping[str, float], covariance: Array, method: str, level: float
) -> list[Difference]:
    found = []
    names = list(values)
    for a, b in combinations(range(len(names)), 2):
        gap = values[names[a]] - values[names[b]]
        ends = covariance[a, a] + covariance[b, b]
        spread = max(ends - 2 * covariance[a, b], 0.0)
        error = 0.0 if spread <= _ROUNDING * ends else float(np.sqrt(spread))
        p = float(normal(gap / error)) if error else (1.0 if abs(gap) < 1e-12 else np.nan)
        reach = z_of(level) * error if error or abs(gap) < 1e-12 else np.nan
        better = names[a] if gap > 0 else names[b]
        found.append(
            Difference(
                measure=measure,
                first=names[a],
                second=names[b],
                value=gap,
                low=gap - reach,
                high=gap + reach,
                p=p,
                better=better if p < 1 - level else "",
                level=level,
                method=method,
                signature=f"{measure}|{method}|level:{level:g}|v{chancemeter.__version__}",
            )
        )
    return found


def _all_equal(values: Mapping[str, float], covariance: Array) -> float:
    """The chance of differences so large if all were equal."""
    if np.isnan(covariance).any():
        return float("nan")
    gaps = np.array(list(values.values()))
    contrast = np.eye(len(gaps))[1:] - np.eye(len(gaps))[:-1]
    spread = contrast @ covariance @ contrast.T
    size = max(float(np.trace(covariance)), 1e-300)
    at, axes = np.linalg.eigh(spread)
    real = at > _ROUNDING * size
    if not real.any():
        return 1.0 if np.ptp(gaps) < 1e-12 else float("nan")
    along = axes.T @ (contrast @ gaps)
    return float(chi_squared((along[real] ** 2 / at[real]).sum(), int(real.sum())))

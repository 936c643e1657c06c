"""The tables of Ben-David's study as types, for any experiment and any measures.

Each is data first: rows of names and numbers. `sheets` puts them into words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import nan
from typing import Any

import numpy as np

import chancemeter
from chancemeter import folds, tails
from chancemeter.comparison.ranks import ranks_of
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, quoted
from chancemeter.experiments.values import FoldValues, Panel

#: How verdicts on a pair of classifiers are reached.
TESTS = ("corrected", "overlap")


@dataclass(frozen=True, eq=False)
class PerClassifier:
    """One classifier's values on every data set, and their averages: Tables A.1 to A.5."""

    classifier: str
    panel: Panel

    def column(self, measure: str) -> tuple[Array, Array]:
        """Values and half widths, a data set each."""
        i = _place(self.classifier, self.panel.classifiers, "classifier")
        return self.panel.of(measure)[:, i], self.panel.half_of(measure)[:, i]

    def average(self, measure: str) -> tuple[float, float]:
        """Every data set counts the same."""
        value, half = self.column(measure)
        return float(value.mean()), float(half.mean())


@dataclass(frozen=True, eq=False)
class Means:
    """Means over all classifiers, for each data set: Table 7.

    The half widths are means of half widths, as printed there: no interval of the mean.
    """

    panel: Panel

    def column(self, measure: str) -> tuple[Array, Array]:
        """Values and half widths, a data set each."""
        return self.panel.of(measure).mean(1), self.panel.half_of(measure).mean(1)

    def average(self, measure: str) -> tuple[float, float]:
        """Every data set counts the same."""
        value, half = self.column(measure)
        return float(value.mean()), float(half.mean())


@dataclass(frozen=True)
class Regression:
    """A straight line of one measure on another, over the folds of all data sets: Table 8."""

    classifier: str
    slope: float
    r_squared: float
    n: int
    p_independent: float
    """As if the folds of one data set were independent of each other, which they are not."""
    p_clustered: float
    """Data sets are the clusters: t of the slope with their number less one degrees of freedom."""
    clusters: int


@dataclass(frozen=True)
class Disagreement:
    """Places of the classifiers on a data set that two measures rank differently: Table 9."""

    dataset: str
    classifiers: tuple[str, ...]
    """The best by the first measure first."""
    places: tuple[tuple[float, float], ...]
    """By the first and by the second; equal values share the mean of their places."""


@dataclass(frozen=True)
class Spread:
    """How far a measure differs between classifiers on one data set: Table 11."""

    dataset: str
    lowest: tuple[str, ...]
    highest: tuple[str, ...]
    low: float
    high: float

    @property
    def relative(self) -> float:
        """The difference as a share of the lowest value."""
        return (self.high - self.low) / self.low if self.low > 0 else nan


@dataclass(frozen=True)
class Flip:
    """A pair that one measure finds different and another does not: Table 12."""

    dataset: str
    better: str
    other: str
    silent: tuple[str, ...]
    """Measures by which there is no significant difference."""
    speaking: tuple[str, ...]
    """Measures by which `better` is significantly better."""
    against: tuple[str, ...] = ()
    """Measures by which `better` is significantly worse."""


def regressions(values: FoldValues, on: str = "accuracy", of: str = "kappa") -> list[Regression]:
    """How much of one measure another explains, for each classifier, data sets as clusters."""
    found = []
    for i, name in enumerate(values.classifiers):
        pairs = zip(values.of(on), values.of(of), strict=True)
        parts = [np.stack([x[i].ravel(), y[i].ravel()]) for x, y in pairs]
        parts = [part[:, np.isfinite(part).all(0)] for part in parts]
        found.append(_line(name, [part for part in parts if part.size]))
    return found


def disagreements(
    panel: Panel, first: str = "accuracy", second: str = "kappa"
) -> list[Disagreement]:
    """The data sets on which two measures do not put the classifiers into the same order."""
    found = []
    one, two = places(panel, first), places(panel, second)
    for i, dataset in enumerate(panel.datasets):
        if (one[i] != two[i]).any():
            order = np.lexsort((two[i], one[i]))
            pairs = tuple((float(one[i, j]), float(two[i, j])) for j in order)
            found.append(Disagreement(dataset, tuple(panel.classifiers[j] for j in order), pairs))
    return found


def places(panel: Panel, measure: str) -> Array:
    """The place of each classifier on each data set, 1 for the best."""
    return np.asarray(ranks_of(panel.of(measure), higher=higher_is_better(measure)))


def spreads(panel: Panel, measure: str = "expected_cohen") -> list[Spread]:
    """The lowest and the highest value of each data set, the largest relative difference first."""
    found = []
    for dataset, row in zip(panel.datasets, panel.of(measure), strict=True):
        if not np.isfinite(row).any():
            continue
        low, high = float(np.nanmin(row)), float(np.nanmax(row))
        lowest, highest = (
            tuple(c for c, x in zip(panel.classifiers, row, strict=True) if abs(x - end) < 1e-12)
            for end in (low, high)
        )
        found.append(Spread(dataset, lowest, highest, low, high))
    return sorted(found, key=lambda x: -x.relative if x.relative == x.relative else -np.inf)


def flips(
    source: FoldValues | Panel,
    measures: Sequence[str] = ("accuracy", "kappa"),
    test: str = "corrected",
    level: float = 0.95,
) -> list[Flip]:
    """Pairs on which measures do not come to the same verdict.

    ``corrected`` is the corrected resampled t test over the folds. ``overlap`` takes two values
    for different if their intervals do not overlap, which is how the verdicts of Table 12 came
    about; it is no test of a difference, and here to reproduce them.
    """
    if test not in TESTS:
        fix = did_you_mean(test, TESTS, f"one of {', '.join(TESTS)}")
        raise UnknownNameError(Fault("CM762", f"no test is called {quoted(test)}", fix=fix))
    if isinstance(source, Panel) != (test == "overlap"):
        what = f"the test {test} takes {'a panel with intervals' if test == 'overlap' else 'the values of folds'}"
        raise InputError(Fault("CM762", what))
    verdicts = {
        m: overlaps(source, m) if isinstance(source, Panel) else corrected(source, m, level)
        for m in measures
    }
    found = []
    for d, dataset in enumerate(source.datasets):
        for i, j in combinations(range(len(source.classifiers)), 2):
            said = {m: int(v[d, i, j]) for m, v in verdicts.items() if _known(source, m, d, (i, j))}
            if len(set(said.values())) < 2:
                continue
            sign = next(x for x in said.values() if x)
            pair = (i, j) if sign > 0 else (j, i)
            better, other = (source.classifiers[x] for x in pair)
            kinds = [tuple(m for m, x in said.items() if x == k * sign) for k in (0, 1, -1)]
            found.append(Flip(dataset, better, other, *kinds))
    return found


def corrected(values: FoldValues, measure: str, level: float = 0.95) -> Array:
    """Who is significantly better, by the corrected resampled t test: ``(data set, i, j)``.

    1 where the first is better, -1 where the second is, 0 where neither is or no test is possible.
    """
    several, sign = len(values.classifiers), 1 if higher_is_better(measure) else -1
    found = np.zeros((len(values.datasets), several, several), int)
    for d, x in enumerate(values.of(measure)):
        if x[0].size < 2:
            continue  # one fold says nothing about how much folds vary
        for i, j in combinations(range(several), 2):
            with_sizes = {"train": values.train[d], "test": values.test[d]}
            outcome = folds.corrected_t(x[i], x[j], **with_sizes, level=level)
            if outcome.p <= 1 - level + 1e-12:
                found[d, i, j] = sign * int(np.sign(outcome.statistic))
                found[d, j, i] = -found[d, i, j]
    return found


def overlaps(panel: Panel, measure: str) -> Array:
    """Whose interval lies wholly above the other's: ``(data set, i, j)``, 1, 0 or -1."""
    value, half = panel.of(measure), panel.half_of(measure)
    low, high = value - half, value + half
    above = low[:, :, None] > high[:, None, :]
    found = above.astype(int) - above.swapaxes(1, 2)
    return found if higher_is_better(measure) else -found


def _known(source: FoldValues | Panel, measure: str, dataset: int, pair: tuple[int, int]) -> bool:
    """Whether there are values to come to a verdict by: what is undefined is not silent."""
    if isinstance(source, Panel):
        return bool(np.isfinite(source.of(measure)[dataset, list(pair)]).all())
    values = source.of(measure)[dataset][list(pair)]
    return int(np.isfinite(values).all(0).sum()) > 1


def _line(name: str, parts: list[Array]) -> Regression:
    """Least squares with an intercept; the error of the slope in two ways."""
    x, y = np.concatenate(parts, 1) if parts else np.zeros((2, 0))
    n, g = len(x), len(parts)
    dx, dy = x - x.mean() if n else x, y - y.mean() if n else y
    sxx, syy = float(dx @ dx), float(dy @ dy)
    if n < 3 or not sxx or not syy:
        return Regression(name, nan, nan, n, nan, nan, g)
    slope = float(dx @ dy) / sxx
    left = dy - slope * dx
    r_squared = 1 - float(left @ left) / syy
    error = np.sqrt(float(left @ left) / (n - 2) / sxx)
    ends = np.cumsum([part.shape[1] for part in parts])[:-1]
    scores = [float(a @ b) for a, b in zip(np.split(dx, ends), np.split(left, ends), strict=True)]
    p_clustered = nan
    if g > 2:
        small = g / (g - 1) * (n - 1) / (n - 2)
        robust = np.sqrt(small * float(np.square(scores).sum())) / sxx
        p_clustered = _p(slope, robust, g - 1)
    return Regression(name, slope, r_squared, n, _p(slope, error, n - 2), p_clustered, g)


def _p(slope: float, error: float, df: int) -> float:
    return float(tails.student(slope / error, df)) if error > 0 else 0.0


def higher_is_better(measure: str) -> bool:
    """Whether more is better, as the card says; unknown measures are taken for scores."""
    try:
        return bool(chancemeter.get(measure).card.direction != "lower")
    except UnknownNameError:
        return True


def _place(word: str, known: Sequence[Any], what: str) -> int:
    if word not in known:
        fix = did_you_mean(word, known, f"one of {', '.join(known)}")
        raise UnknownNameError(Fault("CM762", f"no {what} is called {quoted(word)}", fix=fix))
    return list(known).index(word)

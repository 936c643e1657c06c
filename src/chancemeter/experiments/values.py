"""Measures of an experiment, fold by fold; and one value for each data set and classifier."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

import numpy as np

import chancemeter
from chancemeter import tails
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, plural, quoted
from chancemeter.experiments.grid import Grid, Results
from chancemeter.outcomes import check_share
from chancemeter.registry import Measure

INTERVALS = ("corrected", "plain", "none")
FORMS = ("folds", "pooled")
_EMPTY: Mapping[str, Array] = MappingProxyType({})


@dataclass(frozen=True, eq=False)
class FoldValues:
    """Values of measures, ``(classifier, repeat, fold)`` for each data set."""

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    values: Mapping[str, tuple[Array, ...]]
    """By measure: an array for each data set; nan where there is no value."""
    train: tuple[Array, ...]
    """Training cases of each data set, ``(repeat, fold)``."""
    test: tuple[Array, ...]

    @property
    def measures(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.values)

    def of(self, measure: str) -> tuple[Array, ...]:
        """One array for each data set."""
        if measure not in self.values:
            fix = did_you_mean(measure, self.values, f"one of {', '.join(self.values)}")
            what = f"the measure {quoted(measure)} was not worked out"
            raise UnknownNameError(Fault("CM762", what, fix=fix))
        return self.values[measure]

    def ratio(self, dataset: int) -> float:
        """Test cases to training cases."""
        return float(self.test[dataset].sum() / self.train[dataset].sum())


@dataclass(frozen=True, eq=False)
class Panel:
    """One value for each measure, data set and classifier, with its interval."""

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    values: Mapping[str, Array]
    """By measure: ``(data set, classifier)``."""
    half: Mapping[str, Array] = field(default_factory=lambda: _EMPTY)
    """Half widths of intervals; nan where there is none."""
    form: str = "folds"
    """``folds``: the mean of the folds' values. ``pooled``: the value of all folds' cases."""
    interval: str = "none"
    level: float = 0.95
    left_out: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    """By measure: how many folds had no value."""

    @property
    def measures(self) -> tuple[str, ...]:
        """Their names."""
        return tuple(self.values)

    def of(self, measure: str) -> Array:
        """Values of one measure, ``(data set, classifier)``."""
        if measure not in self.values:
            fix = did_you_mean(measure, self.values, f"one of {', '.join(self.values)}")
            what = f"the measure {quoted(measure)} was not worked out"
            raise UnknownNameError(Fault("CM762", what, fix=fix))
        return self.values[measure]

    def half_of(self, measure: str) -> Array:
        """Half widths of one measure; nan without intervals."""
        return self.half.get(measure, np.full_like(self.of(measure), np.nan))

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know of the values."""
        said = {
            "folds": "mean of the folds' values",
            "pooled": "value of all folds' cases together",
        }[self.form]
        sure = {
            "corrected": f"± {100 * self.level:g} % t interval over the folds, corrected for the "
            "overlap of their training sets",
            "plain": f"± {100 * self.level:g} % t interval over the folds taken for independent, "
            "which they are not: too narrow",
            "none": "",
        }[self.interval]
        lost = [
            f"{k}: {plural(n, 'fold')} undefined and left out" for k, n in self.left_out.items()
        ]
        return tuple(x for x in (f"each value: {said}", sure, *lost) if x)


def fold_values(grid: Grid, measures: Sequence[str]) -> FoldValues:
    """Every measure of every cell; cells without predictions have no value.

    >>> from chancemeter.experiments.grid import results
    >>> t = np.array([[[[8, 2], [1, 9]], [[9, 1], [2, 8]]], [[[7, 3], [3, 7]], [[6, 4], [2, 8]]]])
    >>> g = Grid((results("iris", ["tree", "bayes"], t[:, None], labels="ab", train=20),))
    >>> fold_values(g, ["kappa"]).of("kappa")[0].round(2).tolist()
    [[[0.7, 0.7]], [[0.4, 0.4]]]
    """
    found = {}
    for m in chancemeter.get_all(measures):
        if m.card.level != "table":
            fix = f"an average over classes, such as {m.key}@macro"
            what = f"{m.key} has a value for each class, and a cell of a table takes one"
            raise InputError(Fault("CM762", what, fix=fix))
        found[m.key] = tuple(_each(m, one) for one in grid)
    return FoldValues(
        grid.datasets,
        tuple(map(str, grid.classifiers)),
        found,
        tuple(one.train for one in grid),
        tuple(one.test for one in grid),
    )


def panel(
    source: Grid | FoldValues,
    measures: Sequence[str] = (),
    *,
    form: str = "folds",
    interval: str = "corrected",
    level: float = 0.95,
) -> Panel:
    """One value for each data set and classifier.

    With ``form="folds"`` it is the mean of the folds' values, and `interval` is a t interval over
    folds: ``corrected`` after Nadeau and Bengio, or ``plain``, as if folds were independent.
    With ``form="pooled"`` it is the value of the table of all cases, without an interval.

    >>> from chancemeter.experiments.grid import results
    >>> t = np.array([[[[8, 2], [1, 9]], [[9, 1], [3, 7]]]])
    >>> g = Grid((results("iris", ["tree"], t[:, None], labels="ab", train=180),))
    >>> p = panel(g, ["kappa"])
    >>> p.of("kappa").round(3), p.half_of("kappa").round(3)
    (array([[0.65]]), array([[0.702]]))
    >>> panel(g, ["kappa"], form="pooled").of("kappa").round(3)
    array([[0.65]])
    """
    _check(form, FORMS, "form of a value")
    _check(interval, INTERVALS, "interval over folds")
    check_share(level, "a level")
    if form == "pooled":
        if isinstance(source, FoldValues):
            what = "values of folds cannot be pooled: that takes their tables"
            raise InputError(Fault("CM762", what, fix="use form='folds'"))
        return _pooled(source, measures)
    values = source if isinstance(source, FoldValues) else fold_values(source, measures)
    means: dict[str, Array] = {}
    half: dict[str, Array] = {}
    left_out: dict[str, int] = {}
    for key in values.measures:
        rows = [_mean(values, i, x, interval, level) for i, x in enumerate(values.of(key))]
        means[key] = np.stack([mean for mean, _ in rows])
        half[key] = np.stack([reach for _, reach in rows])
        lost = sum(int(np.isnan(x).sum()) for x in values.of(key))
        left_out |= {key: lost} if lost else {}
    return Panel(values.datasets, values.classifiers, means, half, form, interval, level, left_out)


def _each(m: Measure[...], one: Results) -> Array:
    found = np.asarray(m(one.tables.counts), dtype=float)
    return np.where(one.done, found, np.nan)


def _mean(
    values: FoldValues, dataset: int, x: Array, interval: str, level: float
) -> tuple[Array, Array]:
    """Means over the folds of one data set, and half widths of their t intervals.

    The same numbers as `folds.corrected_t_interval` and `folds.fold_t_interval`, for all
    classifiers at once.
    """
    train, test = values.train[dataset], values.test[dataset]
    x = x.reshape(len(x), -1)
    known = ~np.isnan(x)
    n = known.sum(1)
    mean = np.where(known, x, 0).sum(1) / np.where(n, n, np.nan)
    if interval == "none":
        return mean, np.full_like(mean, np.nan)
    tested_often = abs(test.sum() / (train + test).mean() - 1) > 0.5 / test.size
    if interval == "plain" and tested_often:
        what = "the plain t interval takes one k-fold, each case tested once"
        saw = f"{values.datasets[dataset]}: {plural(test.size, 'split')}"
        raise InputError(Fault("CM516", what, saw=saw, fix="interval='corrected'"))
    few = n < 2
    apart = np.where(known, x - mean[:, None], 0)
    spread = np.sqrt(np.square(apart).sum(1) / np.where(few, np.nan, n - 1))
    share = 1 / np.where(few, np.nan, n) + (interval == "corrected") * values.ratio(dataset)
    df = np.where(few, 1, n - 1)
    t = {int(k): tails.student_quantile((1 + level) / 2, int(k)) for k in np.unique(df)}
    half = np.array([t[int(k)] for k in df]) * spread * np.sqrt(share)
    if interval == "corrected":  # folds that are all alike do not show how much folds vary
        half[spread <= 1e-12] = np.nan
    return mean, half


def _pooled(grid: Grid, measures: Sequence[str]) -> Panel:
    tables = [one.tables.pool("repeat", "fold").counts for one in grid]
    found = {
        m.key: np.stack([np.asarray(m(t), dtype=float) for t in tables])
        for m in chancemeter.get_all(measures)
    }
    return Panel(grid.datasets, tuple(map(str, grid.classifiers)), found, form="pooled")


def _check(word: str, known: Sequence[str], what: str) -> None:
    if word not in known:
        fix = did_you_mean(word, known, f"one of {', '.join(known)}")
        raise UnknownNameError(Fault("CM762", f"no {what} is called {quoted(word)}", fix=fix))

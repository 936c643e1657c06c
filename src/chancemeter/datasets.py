"""Many models on many data sets, after Demšar: ranks, Friedman, and which pairs differ.

A statement about *these algorithms*, on more data sets of the kind. One value for each model and
data set is all that is needed, however it was estimated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import factorial, nan, prod
from typing import Any

import numpy as np

import chancemeter
from chancemeter import signs, tails
from chancemeter.adjust import ADJUSTMENTS
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, plural, shorten
from chancemeter.outcomes import (
    Belief,
    Family,
    Method,
    Outcome,
    check_draws,
    check_rope,
    check_share,
    choose,
    fit_for_json,
    read_numbers,
    settled,
)

_DRAWN = "the data sets were drawn independently of each other"


def _method(key: str, title: str, null: str, assumes: str = _DRAWN) -> Method:
    return Method(key, title, "data sets", null, assumes, "data set")


_SAME_RANKS = "all models have the same rank on average"
_EQUAL = "both models do equally well"
FRIEDMAN = {
    "iman-davenport": _method("friedman:iman-davenport", "Iman–Davenport test", _SAME_RANKS),
    "chi2": _method(
        "friedman:chi2",
        "Friedman's test",
        _SAME_RANKS,
        f"{_DRAWN}; there are many, or the test is cautious",
    ),
}
NEMENYI = _method(
    "nemenyi",
    "Nemenyi's test of ranks",
    "both models have the same rank on average",
    f"{_DRAWN}; a verdict on two models depends on which others take part",
)
PAIRS = {
    "wilcoxon": _method(
        "wilcoxon:datasets",
        "Wilcoxon's signed ranks over data sets",
        _EQUAL,
        f"{_DRAWN}; differences are symmetric and comparable between data sets",
    ),
    "sign": _method("sign:datasets", "Sign test over data sets", "each wins as often"),
    "ranks": _method(
        "ranks",
        "z test of average ranks",
        "both models have the same rank on average",
        f"{_DRAWN}; a verdict on two models depends on which others take part",
    ),
}
BAYES = {
    "signed-rank": _method(
        "bayesian_signed_rank",
        "Bayesian signed-rank test",
        "",
        f"{_DRAWN}; differences are symmetric and comparable between data sets",
    ),
    "sign": _method("bayesian_sign", "Bayesian sign test", ""),
}
#: For the examples below: three models on six data sets.
_EXAMPLE = {
    "a": {"d1": 0.91, "d2": 0.86, "d3": 0.78, "d4": 0.95, "d5": 0.88, "d6": 0.70},
    "b": {"d1": 0.90, "d2": 0.84, "d3": 0.79, "d4": 0.93, "d5": 0.88, "d6": 0.66},
    "c": {"d1": 0.85, "d2": 0.80, "d3": 0.71, "d4": 0.90, "d5": 0.82, "d6": 0.61},
}


@dataclass(frozen=True, repr=False)
class Grid:
    """A value for every model on every data set, ``(models, data sets)``."""

    values: Array
    models: tuple[str, ...]
    datasets: tuple[str, ...]
    higher: bool = True
    """Whether more is better."""
    left_out: tuple[str, ...] = ()
    """Data sets that lacked a value."""

    @property
    def better(self) -> Array:
        """The values, with the sign that makes more better."""
        return self.values if self.higher else -self.values

    @property
    def ranks(self) -> Array:
        """Ranks on every data set, 1 for the best; equal ones share the mean of theirs."""
        columns = [settled(-column, np.zeros_like(column)) for column in self.better.T]
        return np.stack([signs.midranks(column) for column in columns], -1)

    @property
    def average_ranks(self) -> dict[str, float]:
        """The mean rank of every model."""
        return dict(zip(self.models, self.ranks.mean(1).tolist(), strict=True))

    @property
    def common(self) -> dict[str, Any]:
        """What every result says of its data sets."""
        found: dict[str, Any] = {"n": len(self.datasets), "left_out": len(self.left_out)}
        about = (f"incomplete, left out: {shorten(self.left_out)}",) if self.left_out else ()
        return found | {"notes": about}

    def row(self, model: str) -> Array:
        """The values of one model, more being better."""
        if model not in self.models:
            fix = did_you_mean(model, self.models, f"one of {shorten(self.models)}")
            raise UnknownNameError(Fault("CM515", f"no model is called {model!r}", fix=fix))
        return self.better[self.models.index(model)]

    def __repr__(self) -> str:
        """Sizes and average ranks."""
        head = f"{plural(len(self.models), 'model')} on {plural(len(self.datasets), 'data set')}"
        ranks = sorted(self.average_ranks.items(), key=lambda item: item[1])
        return "\n".join([head, *(f"  {name}: average rank {rank:.2f}" for name, rank in ranks)])


@dataclass(frozen=True)
class CriticalDifference:
    """What a critical-difference diagram shows: average ranks, and who cannot be told apart."""

    ranks: Mapping[str, float]
    """From best to worst."""
    difference: float
    """Average ranks nearer than this do not differ significantly."""
    level: float
    cliques: tuple[tuple[str, ...], ...]
    """Groups of models that cannot be told apart, each as large as possible."""
    control: str | None = None
    """With a control, every model is compared with it only (Bonferroni–Dunn)."""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        return fit_for_json(vars(self))


def grid(
    values: Any,
    models: Sequence[str] | None = None,
    datasets: Sequence[str] | None = None,
    *,
    measure: str | None = None,
    higher: bool | None = None,
    complete_only: bool = False,
) -> Grid:
    """Check a grid of values: ``{model: {data set: value}}``, or an array with names.

    Whether more is better is what the card of `measure` says, or `higher`.

    >>> grid({"tree": {"iris": 0.9, "wine": 0.8}, "forest": {"iris": 0.95, "wine": 0.9}})
    2 models on 2 data sets
      forest: average rank 1.00
      tree: average rank 2.00
    """
    cells, models, datasets = _cells(values, models, datasets)
    if len(models) < 2:
        what = "a comparison needs two models or more"
        raise InputError(Fault("CM511", what, saw=shorten(models)))
    if len(datasets) < 2:
        what = "one data set says nothing about how much data sets vary"
        fix = "compare on one data set by its folds or its predictions"
        raise InputError(Fault("CM512", what, saw=shorten(datasets), fix=fix))
    complete = np.isfinite(cells).sum(0) == len(models)
    if not complete.all() and (not complete_only or complete.sum() < 2):
        raise InputError(_missing(cells, models, datasets))
    kept = tuple(name for name, whole in zip(datasets, complete, strict=True) if whole)
    left_out = tuple(name for name in datasets if name not in kept)
    return Grid(cells[:, complete], models, kept, _higher(measure, higher), left_out)


def friedman(g: Grid, method: str = "iman-davenport") -> Outcome:
    """Whether any model has better ranks than others, corrected for ties.

    >>> friedman(grid(_EXAMPLE)).p.__round__(4), friedman(grid(_EXAMPLE), "chi2").p.__round__(4)
    (0.0001, 0.0062)
    """
    chosen = FRIEDMAN[choose(method, FRIEDMAN, "form of Friedman's test")]
    ranks = g.ranks
    m, d = ranks.shape
    apart = ranks - (m + 1) / 2
    spread = float(np.square(apart).sum())
    w = float(np.square(apart.sum(1)).sum() / (d * spread)) if spread else 0.0
    chi2 = d * (m - 1) * w
    known: dict[str, Any]
    if not spread:
        notes = (*g.common["notes"], "all models are equal on every data set")
        known = {"p": 1.0, "statistic": 0.0, "notes": notes}
    elif method == "chi2":
        known = {"p": float(tails.chi_squared(chi2, m - 1)), "statistic": chi2}
    elif np.ptp(ranks, axis=1).any():
        f = (d - 1) * w / (1 - w)
        known = {"p": float(tails.snedecor(f, (m - 1, (m - 1) * (d - 1)))), "statistic": f}
    else:
        note = "all data sets rank the models alike: p is the exact chance of that"
        notes = (*g.common["notes"], note)
        known = {"p": _chance_of_unison(ranks), "statistic": float("inf"), "notes": notes}
    df = (m - 1,) if method == "chi2" else (m - 1, (m - 1) * (d - 1))
    return Outcome(**g.common | {"method": chosen, "df": df, "effects": {"kendalls_w": w}} | known)


def nemenyi(g: Grid) -> Family:
    """Every pair by its difference in average rank; adjusted by the studentized range.

    >>> nemenyi(grid(_EXAMPLE))["a", "c"].__round__(4)
    0.0069
    """
    m, d = g.ranks.shape
    average, unit = g.average_ranks, np.sqrt(m * (m + 1) / (12 * d))
    found = {}
    for a, b in combinations(g.models, 2):
        q = abs(average[a] - average[b]) / unit
        found[a, b] = Outcome(
            **g.common,
            method=NEMENYI,
            p=float(tails.studentized_range(q, m)),
            statistic=q,
            effects={"rank_difference": average[a] - average[b]},
        )
    return Family(
        outcomes=found,
        adjusted={pair: outcome.p for pair, outcome in found.items()},
        adjustment="nemenyi",
        notes=("the studentized range keeps the chance of any false alarm below the level",),
    )


def pairs(
    g: Grid,
    test: str = "wilcoxon",
    adjustment: str = "holm",
    control: str | None = None,
) -> Family:
    """Every pair, or every model against a control, with adjusted p-values.

    With ``test="ranks"``, a control and ``adjustment="bonferroni"`` this is Bonferroni–Dunn.

    >>> pairs(grid(_EXAMPLE), "ranks", "bonferroni", control="a")["c", "a"].__round__(4)
    0.0049
    """
    method = PAIRS[choose(test, PAIRS, "test of pairs")]
    choose(adjustment, ADJUSTMENTS, "adjustment")
    if control is None:
        compared = list(combinations(g.models, 2))
    else:
        g.row(control)
        compared = [(control, model) for model in g.models if model != control]
    run = {"wilcoxon": signs.ranked, "sign": signs.counted}
    found = {
        (a, b): run[test](method, g.row(a), g.row(b), g.common)
        if test in run
        else _by_ranks(method, g, a, b)
        for a, b in compared
    }
    return Family.of(found, adjustment)


def critical_difference(
    g: Grid, level: float = 0.95, control: str | None = None
) -> CriticalDifference:
    """Average ranks from best to worst, and the groups that cannot be told apart (Nemenyi).

    >>> found = critical_difference(grid(_EXAMPLE))
    >>> round(found.difference, 4), found.cliques
    (1.3531, (('a', 'b'), ('b', 'c')))
    """
    check_share(level, "a level")
    m, d = g.ranks.shape
    ranks = dict(sorted(g.average_ranks.items(), key=lambda item: item[1]))
    error = np.sqrt(m * (m + 1) / (6 * d))
    if control is None:
        reach = error * tails.studentized_range_quantile(1 - level, m) / np.sqrt(2)
        cliques = _cliques(ranks, reach)
    else:
        g.row(control)
        reach = error * tails.normal_quantile((1 - level) / (2 * (m - 1)))
        near = tuple(name for name in ranks if abs(ranks[name] - ranks[control]) < reach)
        cliques = (near,) if len(near) > 1 else ()
    return CriticalDifference(ranks, float(reach), level, cliques, control)


def wins(g: Grid) -> dict[tuple[str, str], tuple[int, int, int]]:
    """For every ordered pair: on how many data sets the first wins, ties, loses.

    >>> wins(grid(_EXAMPLE))["a", "b"]
    (4, 1, 1)
    """
    signs_of = {
        (a, b): np.sign(settled(g.row(a), g.row(b))).astype(int)
        for a in g.models
        for b in g.models
        if a != b
    }
    return {pair: _tally(found) for pair, found in signs_of.items()}


def bayesian_signed_rank(
    g: Grid,
    first: str,
    second: str,
    *,
    rope: float = 0.01,
    prior: float = 0.5,
    draws: int = 50_000,
    seed: int = 0,
) -> Belief:
    """Benavoli's test: how likely the first is better on a further pair of data sets' mean.

    The prior is as much as `prior` data sets without a difference.

    >>> bayesian_signed_rank(grid(_EXAMPLE), "a", "c", rope=0.01).right > 0.95
    True
    """
    chosen, d = BAYES["signed-rank"], settled(g.row(first), g.row(second))
    check_rope(rope)
    z = np.append(0.0, d)
    weights = _dirichlet(np.append(prior, np.ones(d.size)), prior, draws, seed)
    sums, edge = z[:, None] + z[None, :], np.full((z.size, z.size), 2 * rope)
    # On the edge of the region counts half.
    below = _share(weights, np.heaviside(settled(-sums, edge), 0.5))
    above = _share(weights, np.heaviside(settled(sums, edge), 0.5))
    shares = np.stack([below, 1 - below - above, above])
    settings = {"rope": rope, "prior": prior, "draws": draws, "seed": seed}
    return _belief(g.common | {"method": chosen, "settings": settings}, d, shares)


def bayesian_sign(
    g: Grid,
    first: str,
    second: str,
    *,
    rope: float = 0.01,
    prior: float = 1.0,
    draws: int = 50_000,
    seed: int = 0,
) -> Belief:
    """The same by signs alone: how likely most data sets favour the first, the second, or none.

    >>> bayesian_sign(grid(_EXAMPLE), "a", "c", rope=0.01).right > 0.95
    True
    """
    chosen, d = BAYES["sign"], settled(g.row(first), g.row(second))
    check_rope(rope)
    counts = np.array([(d < -rope).sum(), (np.abs(d) <= rope).sum(), (d > rope).sum()], float)
    shares = _dirichlet(counts + np.array([0, prior, 0]) + 1e-4, prior, draws, seed)
    if rope == 0:
        # Without a region, what is neither counts half for each side.
        shares[:, [0, 2]] += shares[:, [1]] / 2
        shares[:, 1] = 0
    settings = {"rope": rope, "prior": prior, "draws": draws, "seed": seed}
    return _belief(g.common | {"method": chosen, "settings": settings}, d, shares.T)


def _cells(
    values: Any, models: Sequence[str] | None, datasets: Sequence[str] | None
) -> tuple[Array, tuple[str, ...], tuple[str, ...]]:
    """A grid as an array with names."""
    if isinstance(values, Mapping):
        models = list(values)
        names: dict[str, None] = {}
        for row in values.values():
            names |= dict.fromkeys(row)
        datasets = list(names)
        values = [[values[m].get(d, nan) for d in datasets] for m in models]
    cells = read_numbers(values, "the values of a grid")
    if cells.ndim != 2:
        fix = "one row for each model, one column for each data set"
        what = "a grid has two axes"
        raise InputError(Fault("CM513", what, saw=str(cells.shape), fix=fix))
    models = [f"model {i + 1}" for i in range(len(cells))] if models is None else models
    if datasets is None:
        datasets = [f"data set {i + 1}" for i in range(cells.shape[1])]
    named = tuple(map(str, models)), tuple(map(str, datasets))
    if tuple(map(len, named)) != cells.shape or any(len(set(x)) < len(x) for x in named):
        saw = f"{plural(len(named[0]), 'model')}, {plural(len(named[1]), 'data set')}, "
        what = "every model and every data set needs one name of its own"
        raise InputError(Fault("CM513", what, saw=f"{saw}values {cells.shape}"))
    return cells, *named


def _missing(cells: Array, models: Sequence[str], datasets: Sequence[str]) -> Fault:
    """Which values are missing, and what can still be said."""
    gaps = np.isnan(cells)
    named = [f"{models[i]} on {datasets[j]}" for i, j in np.argwhere(gaps)]
    complete = int((~gaps.any(0)).sum())
    if complete >= 2:
        fix = f"complete_only=True (--complete-only) compares on the {complete} complete data sets"
    else:
        worst = int(gaps.sum(1).argmax())
        left = int((~np.delete(gaps, worst, 0).any(0)).sum())
        fix = f"without {models[worst]}, {plural(left, 'data set')} would be complete"
    what = f"{plural(len(named), 'value')} missing in the grid"
    return Fault("CM517", what, saw=shorten(named), fix=fix)


def _higher(measure: str | None, higher: bool | None) -> bool:
    """Whether more is better: the card knows."""
    if measure is None:
        return True if higher is None else higher
    found = chancemeter.get(measure)
    direction = found.card.direction
    if direction == "neither":
        what = f"neither more nor less of {found.key} is better"
        raise InputError(Fault("CM516", what, fix="compare models by a measure of quality"))
    if higher is not None and higher != (direction == "higher"):
        what = f"of {found.key}, {direction} is better: higher={higher} contradicts its card"
        raise InputError(Fault("CM516", what, fix="leave out higher="))
    return direction == "higher"


def _chance_of_unison(ranks: Array) -> float:
    """How likely all data sets rank as the first one did, were every order as likely."""
    _, ties = np.unique(ranks[:, 0], return_counts=True)
    orders = factorial(len(ranks)) // prod(factorial(t) for t in ties.tolist())
    return float(orders) ** (1 - ranks.shape[1])


def _by_ranks(method: Method, g: Grid, a: str, b: str) -> Outcome:
    m, d = g.ranks.shape
    apart = g.average_ranks[a] - g.average_ranks[b]
    z = apart / np.sqrt(m * (m + 1) / (6 * d))
    effects = {"rank_difference": apart}
    p = float(tails.normal(z))
    return Outcome(**g.common, method=method, p=p, statistic=float(z), effects=effects)


def _cliques(ranks: Mapping[str, float], reach: float) -> tuple[tuple[str, ...], ...]:
    names, values = list(ranks), np.array(list(ranks.values()))
    found: list[tuple[str, ...]] = []
    last = 0
    for i, value in enumerate(values):
        end = int((values - value < reach).sum())
        if end > max(last, i + 1):
            found.append(tuple(names[i:end]))
            last = end
    return tuple(found)


def _tally(found: Array) -> tuple[int, int, int]:
    return int((found > 0).sum()), int((found == 0).sum()), int((found < 0).sum())


def _dirichlet(weights: Array, prior: float, draws: int, seed: int) -> Array:
    if not 0 < prior < np.inf:
        fix = "a number above 0: so many data sets without a difference are added"
        raise InputError(Fault("CM514", "a prior is positive", saw=repr(prior), fix=fix))
    check_draws(draws)
    return np.random.default_rng(seed).dirichlet(weights, draws)


def _share(weights: Array, holds: Array) -> Array:
    """Of all pairs of data sets, by weight, how many `holds` marks: one share for each draw."""
    return np.asarray(((weights @ holds) * weights).sum(-1))


def _belief(common: dict[str, Any], d: Array, shares: Array) -> Belief:
    """How often each share is the largest."""
    if not d.any():
        notes = (*common["notes"], signs.IDENTICAL)
        return Belief(**common | {"notes": notes}, left=0.0, within=1.0, right=0.0)
    left, within, right = (np.bincount(shares.argmax(0), minlength=3) / shares.shape[1]).tolist()
    named = dict(zip(("share_left", "share_within", "share_right"), shares.mean(1), strict=True))
    effects = {"difference": float(d.mean())} | {key: float(x) for key, x in named.items()}
    return Belief(**common, left=left, within=within, right=right, effects=effects)

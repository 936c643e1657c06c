"""Which variables a classifier's success hangs on: how much of a measure is lost without them.

A variable is shuffled among the test cases, so that it says nothing any more, and the classifier
predicts again. Each shuffle is a confusion matrix, so any measure can be asked of the same
stack: accuracy, kappa, informedness.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, isnan
from typing import Any, Self

import numpy as np

import chancemeter
from chancemeter import tails
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, aligned, plural, printable, shorten
from chancemeter.experiments.tree_gains import gains
from chancemeter.figures import number
from chancemeter.outcomes import check_share, fit_for_json
from chancemeter.plots import EARNED, LABEL, Display
from chancemeter.reports import document as doc
from chancemeter.tables import Table, in_order

#: Variables whose ranks correlate as much as this can stand in for each other.
_ALIKE = 0.7
#: So many variables are compared with each other at most.
_MOST = 200


@dataclass(frozen=True)
class Weight:
    """How much one variable matters by one measure."""

    variable: str
    value: float
    """The mean loss of the measure over folds and shuffles."""
    low: float
    high: float
    relative: float
    """The loss as a share of the largest one."""
    relative_low: float
    relative_high: float


@dataclass(frozen=True, eq=False, repr=False)
class Importance:
    """Losses by variable, and what they were worked out from."""

    variables: tuple[str, ...]
    measures: tuple[str, ...]
    baseline: Table
    """The classifier as it is; axis ``fold``."""
    shuffled: Table
    """One variable shuffled; axes ``variable``, ``fold``, ``repeat``."""
    train: Array
    test: Array
    """Cases of each fold."""
    level: float = 0.95
    impurity: Array | None = None
    """For trees and forests, the decrease of impurity by variable, ``(variable, fold)``."""
    gains: Mapping[str, Array] | None = None
    """For trees and forests, what their splits gain by measure, ``(variable, fold)``."""
    notes: tuple[str, ...] = ()

    def losses(self, measure: str) -> Array:
        """What every shuffle costs: ``(variable, fold, repeat)``."""
        m = chancemeter.get(measure)
        sign = -1 if m.card.direction == "lower" else 1
        before = np.asarray(m(self.baseline.counts))[None, :, None]
        return np.asarray(sign * (before - m(self.shuffled.counts)))

    def of(self, measure: str) -> list[Weight]:
        """All variables, the weightiest first; t intervals over folds, corrected for overlap.

        With one fold the interval is over its shuffles: it says nothing about other samples.
        """
        return self._weights(self.losses(measure))

    def by_impurity(self) -> list[Weight]:
        """The same by the decrease of impurity, which trees find while they grow."""
        if self.impurity is None:
            what = "only trees and forests of scikit-learn know a decrease of impurity"
            raise InputError(Fault("CM770", what, fix="use a measure: .of('kappa')"))
        return self._weights(self.impurity[:, :, None])

    def by_splits(self, measure: str) -> list[Weight]:
        """What the splits by each variable gain of a measure while a tree grows.

        This is about the training cases: it flatters variables of many values, as impurity does.
        """
        key = chancemeter.get(measure).key
        if self.gains is None or key not in self.gains:
            what = "only trees and forests of scikit-learn have splits, and by measures asked for"
            raise InputError(Fault("CM770", what, fix="use .of('kappa')"))
        return self._weights(self.gains[key][:, :, None])

    def sheets(self) -> Iterator[doc.Grid]:
        """A table with a scale for each measure, and for trees their gains and impurity."""
        titled = [(f"Importance by {m}", "loss", self.of(m)) for m in self.measures]
        if self.gains is not None:
            titled += [
                (f"Gains of {m} by splits, in training", "gain", self.by_splits(m))
                for m in self.gains
            ]
        if self.impurity is not None:
            titled.append(("Importance by impurity", "decrease", self.by_impurity()))
        for caption, head, weights in titled:
            yield self._sheet(caption, head, weights)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        found = {m: [vars(w) for w in self.of(m)] for m in self.measures}
        found |= (
            {"impurity": [vars(w) for w in self.by_impurity()]} if self.impurity is not None else {}
        )
        return dict(fit_for_json({"measures": found, "notes": self.notes, "level": self.level}))

    def __repr__(self) -> str:
        """The weights by the first measure, as bars."""
        rows = [["", self.measures[0], "relative", ""]]
        for w in self.of(self.measures[0]):
            bar = "█" * (round(20 * max(0.0, w.relative)) if isfinite(w.relative) else 0)
            rows.append([printable(w.variable, 24), number(w.value), number(w.relative, 2), bar])
        lines = [f"  {line}" for line in aligned(rows, (0, 3))]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])

    def _weights(self, losses: Array) -> list[Weight]:
        """Means, intervals, and both as shares of the largest mean."""
        means = losses.mean((1, 2))
        folds = losses.mean(2) if losses.shape[1] > 1 else losses[:, 0]
        n = folds.shape[1]
        reach = np.full(len(means), np.nan)
        if n > 1:
            overlap = self.test.sum() / self.train.sum() if losses.shape[1] > 1 else 0.0
            t = tails.student_quantile((1 + self.level) / 2, n - 1)
            reach = t * folds.std(1, ddof=1) * np.sqrt(1 / n + overlap)
            reach[reach == 0] = np.nan
        largest = max((x for x in means.tolist() if isfinite(x)), default=0.0)
        top = largest if largest > 0 else np.nan
        found = [
            Weight(
                name, *(float(x) for x in (m, m - r, m + r, m / top, (m - r) / top, (m + r) / top))
            )
            for name, m, r in zip(self.variables, means, reach, strict=True)
        ]
        return sorted(found, key=lambda w: np.inf if isnan(w.value) else -w.value)

    def _sheet(self, caption: str, head: str, weights: Sequence[Weight]) -> doc.Grid:
        known = [x for w in weights for x in (w.relative_low, w.relative_high, w.relative, 0, 1)]
        known = [x for x in known if isfinite(x)]
        top = max(map(abs, known))
        scale = (0.0 if min(known) >= 0 else -top, top)
        rows = []
        for w in weights:
            sure = isfinite(w.low)
            beside = f"[{number(w.low)}, {number(w.high)}]" if sure else ""
            limits = (w.relative_low, w.relative_high) if sure else (w.relative, w.relative)
            drawn = doc.Cell(number(w.relative, 2), value=w.relative, limits=limits)
            name = doc.Span(printable(w.variable, 40), "name")
            cells = [drawn, doc.Cell(number(w.value), beside, value=w.value)]
            rows.append(doc.Row(name, cells, track=scale))
        heads = [doc.Span("relative to the largest"), doc.Span(head)]
        return doc.Grid(caption, "variable", heads, rows, "; ".join(self.notes))


def importance(
    estimator: Any,
    X: Any,  # noqa: N803
    y: Any,
    measures: Sequence[str] = ("kappa",),
    *,
    splits: Iterable[tuple[Any, Any]] | None = None,
    repeats: int = 5,
    seed: int = 0,
    groups: Mapping[str, Sequence[Any]] | None = None,
    level: float = 0.95,
) -> Importance:
    """Permutation importance of each variable by any measures, with the same shuffles for all.

    Without `splits` the estimator is fitted already, and `X`, `y` are test cases it has not seen.
    With `splits`, pairs of training and test rows as scikit-learn's splitters give them, a fresh
    copy is fitted for each, and intervals are over the folds. `groups` names columns that are
    shuffled together: ``{"colour": ["red", "green", "blue"]}``.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> x = np.array([[0, 5], [1, 5], [0, 5], [1, 5]] * 5)
    >>> tree = DecisionTreeClassifier().fit(x, x[:, 0])
    >>> importance(tree, x, x[:, 0]).of("kappa")[0].variable
    'x0'
    """
    check_share(level, "a level")
    keys = tuple(m.key for m in chancemeter.get_all(measures))
    if repeats < 1:
        raise InputError(Fault("CM770", "repeats= is a number from 1 up", saw=repr(repeats)))
    X = X if hasattr(X, "iloc") else np.asarray(X)
    y = np.asarray(y)
    variables = _variables(X, groups)
    n = len(y)
    rows = np.arange(n)
    divided: list[tuple[Array, Array]] = [(rows[:0], rows)]
    if splits is not None:
        divided = [(np.asarray(train), np.asarray(test)) for train, test in splits]
    if not divided or min(len(test) for _, test in divided) < 2:
        raise InputError(Fault("CM770", "there are too few test cases to be shuffled"))
    runs, impurities, grown = [], [], []
    for train, test in divided:
        model = estimator if splits is None else _fitted(estimator, _rows(X, train), y[train])
        runs.append(_predictions(model, _rows(X, test), list(variables.values()), repeats, seed))
        impurities.append(getattr(model, "feature_importances_", None))
        grown.append(gains(model, keys, X.shape[1]))
    notes = tuple(_notes(X, variables, splits is None, n))
    baseline, shuffled = _tables(tuple(variables), y, divided, runs)
    return Importance(
        tuple(variables),
        keys,
        baseline,
        shuffled,
        np.array([max(len(train), 1) for train, _ in divided]),
        np.array([len(test) for _, test in divided]),
        level,
        _by_variable(impurities, list(variables.values())),
        _gains(grown, keys, list(variables.values())),
        notes,
    )


def _variables(X: Any, groups: Mapping[str, Sequence[Any]] | None) -> dict[str, list[int]]:  # noqa: N803
    """Which columns each variable has."""
    if X.ndim != 2 or not X.shape[1]:
        what = "variables are the columns of a table"
        raise InputError(Fault("CM770", what, saw=f"an array of shape {X.shape}"))
    names = (
        [str(x) for x in X.columns] if hasattr(X, "iloc") else [f"x{i}" for i in range(X.shape[1])]
    )
    place = {name: i for i, name in enumerate(names)} | {i: i for i in range(len(names))}
    found: dict[str, list[int]] = {}
    taken: set[int] = set()
    for group, members in (groups or {}).items():
        strange = [m for m in members if m not in place]
        twice = [m for m in members if m in place and place[m] in taken]
        if strange or twice:
            what = f"group {printable(group)} names columns that {'do not exist' if strange else 'are in another group'}"
            fix = f"the columns: {shorten(names)}"
            raise InputError(Fault("CM770", what, saw=shorten(strange or twice), fix=fix))
        found[str(group)] = [place[m] for m in members]
        taken.update(found[str(group)])
    return found | {name: [i] for i, name in enumerate(names) if i not in taken}


def _fitted(estimator: Any, X: Any, y: Array) -> Any:  # noqa: N803
    from sklearn.base import clone

    return clone(estimator).fit(X, y)


def _rows(X: Any, rows: Array) -> Any:  # noqa: N803
    return X.iloc[rows] if hasattr(X, "iloc") else X[rows]


def _predictions(
    model: Any,
    X: Any,  # noqa: N803
    variables: Sequence[Sequence[int]],
    repeats: int,
    seed: int,
) -> tuple[Array, Array]:
    """What is predicted as it is ``(cases)``, and shuffled ``(variable, repeat, cases)``."""
    n = len(X)
    orders = _orders(n, repeats, seed)
    found = []
    for columns in variables:
        shuffled = _shuffled(X, orders.ravel(), np.tile(np.arange(n), repeats), columns)
        found.append(np.asarray(model.predict(shuffled)).reshape(repeats, n))
    return np.asarray(model.predict(X)), np.stack(found)


def _orders(n: int, repeats: int, seed: int) -> Array:
    """The orders of ``sklearn.inspection.permutation_importance`` for this seed.

    It shuffles an order again and again, and applies it to what is shuffled already; so its
    generator of random numbers is needed here.
    """
    whole = np.random.RandomState(seed)
    random = np.random.RandomState(whole.randint(np.iinfo(np.int32).max + 1))
    step, order, found = np.arange(n), np.arange(n), []
    for _ in range(repeats):
        random.shuffle(step)
        order = order[step]
        found.append(order)
    return np.stack(found)


def _shuffled(X: Any, order: Array, plain: Array, columns: Sequence[int]) -> Any:  # noqa: N803
    """All cases once for each repeat, some columns in another order."""
    if not hasattr(X, "iloc"):
        found = X[plain]
        found[:, columns] = X[order[:, None], np.array(columns)]
        return found
    found = X.iloc[plain].reset_index(drop=True)
    for i in columns:
        found[X.columns[i]] = X.iloc[order, i].reset_index(drop=True)
    return found


def _tables(
    variables: tuple[str, ...],
    y: Array,
    divided: Sequence[tuple[Array, Array]],
    runs: Sequence[tuple[Array, Array]],
) -> tuple[Table, Table]:
    """Stacks of confusion matrices of all predictions."""
    seen = [y, *(x.ravel() for run in runs for x in run)]
    labels = tuple(in_order({x for part in seen for x in np.unique(part).tolist()}))
    place = {label: i for i, label in enumerate(labels)}
    k, folds = len(labels), tuple(range(1, len(runs) + 1))
    plain, shuffled = [], []
    for (_, test), (before, after) in zip(divided, runs, strict=True):
        truth = _coded(y[test], place)
        plain.append(_counted(truth, _coded(before, place), k))
        shuffled.append(_counted(truth, _coded(after, place), k))
    repeats = tuple(range(1, shuffled[0].shape[1] + 1))
    axes = {"variable": variables, "fold": folds, "repeat": repeats}
    return Table(np.stack(plain), labels, {"fold": folds}), Table(
        np.stack(shuffled, 1), labels, axes
    )


def _coded(x: Array, place: Mapping[Any, int]) -> Array:
    values, codes = np.unique(x, return_inverse=True)
    return np.array([place[v] for v in values.tolist()])[codes].reshape(x.shape)


def _counted(truth: Array, predicted: Array, k: int) -> Array:
    """A table for each row of predictions."""
    flat = (truth * k + predicted).reshape(-1, len(truth))
    counts = [np.bincount(row, minlength=k * k) for row in flat]
    return np.stack(counts).reshape(*predicted.shape[:-1], k, k)


def _by_variable(found: Sequence[Any], variables: Sequence[Sequence[int]]) -> Array | None:
    """Sums over the columns of each variable, if the model sees the columns as they are."""
    if any(x is None for x in found):
        return None
    each = np.stack([np.asarray(x, dtype=float) for x in found], -1)
    if len(each) != sum(map(len, variables)):
        return None
    return np.stack([each[columns].sum(0) for columns in variables])


def _gains(
    found: Sequence[dict[str, Array] | None],
    measures: Sequence[str],
    variables: Sequence[Sequence[int]],
) -> dict[str, Array] | None:
    known = [x for x in found if x is not None]
    if len(known) < len(found):
        return None
    each = {m: _by_variable([x[m] for x in known], variables) for m in measures}
    return {m: x for m, x in each.items() if x is not None}


def _notes(
    X: Any,  # noqa: N803
    variables: Mapping[str, Sequence[int]],
    one_sample: bool,
    n: int,
) -> Iterator[str]:
    """What to beware of: variables that stand in for each other, intervals that say little."""
    if one_sample:
        yield f"intervals are over the shuffles of {plural(n, 'test case')}, not over samples or folds"
    yield from _alike(X, variables)


def _alike(X: Any, variables: Mapping[str, Sequence[int]]) -> Iterator[str]:  # noqa: N803
    """Pairs of variables whose ranks correlate."""
    alone = {name: columns[0] for name, columns in variables.items() if len(columns) == 1}
    ranks = {name: _ranks(X, i) for name, i in list(alone.items())[:_MOST]}
    known = {name: r for name, r in ranks.items() if r is not None}
    if len(known) < 2:
        return
    names, correlations = list(known), np.corrcoef(np.stack(list(known.values())))
    pairs = [
        (abs(correlations[i, j]), f"{names[j]} and {names[i]} ({number(correlations[i, j], 2)})")
        for i in range(len(names))
        for j in range(i)
        if abs(correlations[i, j]) >= _ALIKE
    ]
    if pairs:
        listed = shorten([text for _, text in sorted(pairs, reverse=True)], 4)
        yield (
            f"correlated: {listed}; each may look unimportant because the other stands in for it: "
            "shuffle them together with groups="
        )


def _ranks(X: Any, i: int) -> Array | None:  # noqa: N803
    """Mid-ranks of a column of numbers that varies."""
    column = X.iloc[:, i] if hasattr(X, "iloc") else X[:, i]
    try:
        x = np.asarray(column, dtype=float)
    except (TypeError, ValueError):
        return None
    if np.isnan(x).any() or np.ptp(x) == 0:
        return None
    _, place, counts = np.unique(x, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place])


class ImportanceDisplay(Display):
    """Relative importance as horizontal bars with intervals, the weightiest variable on top.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> x = np.array([[0, 5], [1, 5], [0, 5], [1, 5]] * 5)
    >>> found = importance(DecisionTreeClassifier().fit(x, x[:, 0]), x, x[:, 0])
    >>> ImportanceDisplay(found).plot().ax_.get_xlabel()
    'importance by kappa, relative to the largest'
    """

    def __init__(self, result: Importance, measure: str | None = None, most: int = 30) -> None:
        """The first measure unless another is named; at most so many variables."""
        self.result = result
        self.measure = measure or result.measures[0]
        self.most = most

    def plot(self, ax: Any = None) -> Self:
        """Draw."""
        weights = self.result.of(self.measure)[: self.most]
        ax = self._start(ax, (7, 1 + 0.32 * len(weights)))
        places = range(len(weights))
        ax.barh(places, [w.relative for w in weights], color=EARNED, height=0.6)
        sure = [(i, w) for i, w in enumerate(weights) if isfinite(w.low)]
        ends = [[w.relative_low for _, w in sure], [w.relative_high for _, w in sure]]
        ax.hlines([i for i, _ in sure], *ends, color="0.2", lw=1.5)
        ax.set_yticks(places, [printable(w.variable, LABEL).replace("$", r"\$") for w in weights])
        ax.set(ylim=(len(weights) - 0.5, -0.5))
        ax.set_xlabel(f"importance by {self.measure}, relative to the largest")
        ax.axvline(0, color="0.7", lw=1, zorder=0)
        return self

"""Scores for each of many classes: curves, areas, and what a decision rule makes of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from chancemeter.columns import as_coded, read_column
from chancemeter.counts import Array, Counts
from chancemeter.curves import volume
from chancemeter.curves.counting import count
from chancemeter.curves.curve import Curve, from_steps
from chancemeter.curves.make import Asked, one_class, read_scores
from chancemeter.errors import Fault, InputError, did_you_mean, plural, printable, shorten
from chancemeter.figures import number
from chancemeter.labels import read_weights
from chancemeter.outcomes import choose
from chancemeter.registry import get
from chancemeter.tables import Label, Table, distinct, in_order, plain

#: Probabilities of a case add up to 1 within this.
_NEAR_ONE = 1e-5
#: Places at which one weight of the decision rule is tried.
_TRIED = 1_024

AVERAGES = ("macro", "weighted", "micro")


@dataclass(frozen=True, eq=False, repr=False)
class ManyCurves:
    """Scores for each class beside the truth: made by `chancemeter.many_curves`."""

    labels: tuple[Label, ...]
    classes: Array
    """The true class of each case, as a place in `labels`."""
    scores: Array
    """One row a case, one column a class."""
    weights: Array | None = None
    notes: tuple[str, ...] = ()

    @property
    def k(self) -> int:
        """Number of classes."""
        return len(self.labels)

    @cached_property
    def of_class(self) -> dict[Label, Curve]:
        """Each class against all others."""
        found = {}
        for j, label in enumerate(self.labels):
            steps = count(np.ascontiguousarray(self.scores[:, j]), self.classes == j, self.weights)
            made = from_steps(steps.scores, steps.tp, steps.fp, like=Asked(None, ">=").empty)
            found[label] = Curve(made.thresholds, made.tp, made.fp, (label, f"not {plain(label)}"))
        return found

    @cached_property
    def cases(self) -> Array:
        """Cases (or weights) of each class."""
        return np.bincount(self.classes, self.weights, minlength=self.k)

    @cached_property
    def pairs(self) -> Array:
        """``[i, j]``: how often a case of class i has a higher score for i than one of class j.

        The A(i|j) of Hand and Till (2001), ties counting half; each column is sorted once.
        """
        found = np.full((self.k, self.k), np.nan)
        for i in range(self.k):
            parts = [self._sorted(i, j) for j in range(self.k)]
            own, own_weights = parts[i]
            times = np.diff(own_weights)
            for j in range(self.k):
                if i == j:
                    continue
                other, below = parts[j]
                both = below[np.searchsorted(other, own, "left")]
                both = both + below[np.searchsorted(other, own, "right")]
                found[i, j] = np.dot(times, both) / (2 * own_weights[-1] * below[-1])
        return found

    def _sorted(self, column: int, of: int) -> tuple[Array, Array]:
        """Scores for one class of cases of another, with cumulated weights from 0."""
        rows = self.classes == of
        values = self.scores[rows, column]
        if self.weights is None:
            return np.sort(values), np.arange(len(values) + 1)
        order = np.argsort(values)
        return values[order], np.concatenate([[0], np.cumsum(self.weights[rows][order])])

    @property
    def hand_till(self) -> float:
        """M of Hand and Till (2001): the mean over all pairs of classes of how well they are told apart.

        Every pair counts alike, so it does not depend on how frequent the classes are.

        >>> m = many_curves(["a", "b", "c"], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]])
        >>> m.hand_till
        0.75
        """
        return float(np.nanmean(self.pairs))

    def one_vs_one(self, average: str = "macro") -> float:
        """The same, or weighted by how many cases a pair has."""
        if average == "macro":
            return self.hand_till
        choose(average, AVERAGES[:2], "average of pairs")
        weights = np.add.outer(self.cases, self.cases)[~np.eye(self.k, dtype=bool)]
        return float(np.average(self.pairs[~np.eye(self.k, dtype=bool)], weights=weights))

    def one_vs_rest(self, average: str = "macro", scalar: str = "auc") -> float:
        """Mean of a scalar of each class against the rest; by class see `of_class`.

        ``"macro"`` counts classes alike, ``"weighted"`` by their cases, and ``"micro"`` pools all
        decisions in one curve. Powers (2012, 1.7) warns of such means: each class against the
        rest has a chance level of its own, and what is averaged is over different cases.
        """
        choose(average, AVERAGES, "average")
        if average == "micro":
            return float(getattr(self.pooled, scalar))
        values = [float(getattr(c, scalar)) for c in self.of_class.values()]
        return float(np.average(values, weights=self.cases if average == "weighted" else None))

    @property
    def pooled(self) -> Curve:
        """Every score of every case against whether it is of the case's own class (micro)."""
        own = self.classes[:, None] == np.arange(self.k)
        weights = None if self.weights is None else np.repeat(self.weights, self.k)
        steps = count(self.scores.ravel(), own.ravel(), weights)
        return from_steps(steps.scores, steps.tp, steps.fp, like=Asked(None, ">=").empty)

    @cached_property
    def volume(self) -> volume.Volume:
        """Volume under the ROC surface of three classes; by chance 1/6."""
        if self.k != 3 or self.weights is not None:
            what = "the volume under the ROC surface is for three classes without weights"
            saw = plural(self.k, "class", "classes") + (", weights" if self.k == 3 else "")
            fix = "hand_till tells any number of classes apart, pair by pair"
            raise InputError(Fault("CM606", what, saw=saw, fix=fix))
        return volume.of_three(self.classes, self.scores)

    @property
    def vus(self) -> float:
        """The value of `volume`."""
        return self.volume.value

    def top(self, most: int = 1) -> float:
        """How often the true class is among the best so many; ties share what places are left."""
        if not 1 <= most <= self.k:
            fix = f"from 1 to {self.k}"
            raise InputError(Fault("CM608", "so many classes are not there", "", str(most), fix))
        own = self.scores[np.arange(len(self.classes)), self.classes]
        above = (self.scores > own[:, None]).sum(1)
        equal = (self.scores == own[:, None]).sum(1)
        return float(np.average(np.clip((most - above) / equal, 0, 1), weights=self.weights))

    # What a decision rule makes of the scores.

    def decide(self, weights: ArrayLike | None = None) -> Table:
        """The table if each case goes to the class of the largest weighted score; ties to the first.

        >>> m = many_curves(["a", "b", "c"], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3]])
        >>> m.decide().counts.tolist(), m.decide([1, 1, 2]).counts.tolist()
        ([[1, 0, 0], [0, 1, 0], [0, 1, 0]], [[1, 0, 0], [0, 0, 1], [0, 0, 1]])
        """
        w = np.ones(self.k) if weights is None else np.asarray(weights, float)
        if w.shape != (self.k,) or not (np.isfinite(w).all() and (w > 0).all()):
            fix = f"{self.k} numbers above 0, in the order {shorten(self.labels)}"
            raise InputError(
                Fault("CM606", "one weight for each class", saw=shorten(np.ravel(w)), fix=fix)
            )
        return self._table((self.scores * w).argmax(1))

    def _table(self, called: Array) -> Table:
        cells = np.bincount(self.classes * self.k + called, self.weights, minlength=self.k**2)
        cells = cells.reshape(self.k, self.k)
        return Table(cells if self.weights is not None else cells.astype(np.int64), self.labels)

    def best_weights(self, measure: str = "kappa", rounds: int = 5) -> tuple[Array, float]:
        """Weights for `decide` that make a measure of the table large, and its value.

        One class at a time: its weight alone divides the cases by a threshold, so all tables
        along it follow from one sort. Each round goes through all classes, until nothing gains.
        The value was chosen by looking at the cases, so it flatters.
        """
        m, w = get(measure), np.ones(self.k)
        best = float(np.mean(m(self.decide(w))))
        for _ in range(rounds):
            before = best
            for j in range(self.k):
                tried = self._turns(w, j)
                values = self._along(w, j, tried, m)
                at = int(np.nanargmax(values))
                if values[at] > best + 1e-12:
                    best, w[j] = float(values[at]), tried[at]
            if best <= before:
                break
        return w / w.sum(), best

    def _turns(self, w: Array, j: int) -> Array:
        """Weights of class j between which different cases go to it."""
        others = np.delete(self.scores * w, j, 1).max(1)
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = others / self.scores[:, j]
        at = np.unique(ratio[np.isfinite(ratio) & (ratio > 0)])
        if len(at) < 2:
            return w[j : j + 1]
        at = at[np.unique(np.linspace(0, len(at) - 1, min(len(at), _TRIED)).astype(int))]
        return np.concatenate([[at[0] / 2], np.sqrt(at[1:] * at[:-1]), [at[-1] * 2]])

    def _along(self, w: Array, j: int, tried: Array, m: Any) -> Array:
        """The measure for each weight of class j."""
        scored = self.scores * w
        scored[:, j] = -np.inf
        other = scored.argmax(1)
        rivals = scored[np.arange(len(other)), other]
        with np.errstate(divide="ignore", invalid="ignore"):
            needed = np.where(self.scores[:, j] > 0, rivals / self.scores[:, j], np.inf)
        step = np.searchsorted(tried, needed, "right")  # from there on the case goes to j
        size, k = len(tried), self.k
        moves = np.zeros((size + 1, k * k))
        times = np.ones(len(other)) if self.weights is None else self.weights
        np.add.at(moves, (step, self.classes * k + other), -times)
        np.add.at(moves, (step, self.classes * k + j), times)
        start = np.bincount(self.classes * k + other, times, minlength=k * k)
        cells = np.maximum(start + np.cumsum(moves[:size], 0), 0).reshape(size, k, k)
        with np.errstate(all="ignore"):
            values = m.values(Counts(cells))
        return np.asarray(values.mean(-1) if values.ndim > 1 else values)

    def __repr__(self) -> str:
        """M, and each class."""
        lines = [
            f"{plural(len(self.classes), 'case')}, {self.k} classes: M {number(self.hand_till)}"
        ]
        lines += [
            f"{printable(label)} against the rest: AUC {number(c.auc)}, AUK {number(c.auk)} of at "
            f"most {number(c.auk_max)}"
            for label, c in self.of_class.items()
        ]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, fit for JSON."""
        return {
            "hand_till": self.hand_till,
            "one_vs_rest": {name: self.one_vs_rest(name) for name in AVERAGES},
            "auc": {str(label): c.auc for label, c in self.of_class.items()},
            "auk": {str(label): c.auk for label, c in self.of_class.items()},
            "pairs": [[None if np.isnan(x) else x for x in row] for row in self.pairs.tolist()],
            "notes": list(self.notes),
        }


def many_curves(
    y_true: Any,
    y_score: Any,
    classes: Sequence[Label] | None = None,
    *,
    weights: Any = None,
    probabilities: bool = True,
) -> ManyCurves:
    """Scores for each class: a dict or frame with a column for each, or rows in the order of `classes`.

    Without `classes` the columns of an array are those of the sorted labels. Probabilities of a
    case must add up to 1; with ``probabilities=False`` any finite scores do.

    >>> many_curves(["a", "b", "c"], [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.3, 0.5]]).vus
    1.0
    """
    coded = as_coded(read_column(y_true, "y_true"))
    n = len(coded.codes)
    if n == 0:
        raise InputError(Fault("CM002", "there are no cases", saw="0 labels", fix="give some"))
    if (coded.codes < 0).any():
        what = f"{(coded.codes < 0).sum():,} of {plural(n, 'label')} are missing in y_true"
        raise InputError(Fault("CM103", what, fix="leave those cases out"))
    labels, columns, notes = _columns(coded.categories, y_score, classes)
    scores = np.stack(
        [
            read_scores(x, n, f"scores of {label}").astype(float)
            for label, x in zip(labels, columns, strict=True)
        ],
        1,
    )
    given, faults = read_weights(weights, n)
    if faults:
        raise InputError(*faults)
    if probabilities:
        _check_sums(scores)
    place = {label: j for j, label in enumerate(labels)}
    to = np.array([place[label] for label in coded.categories])
    return ManyCurves(labels, to[coded.codes], scores, given, notes)


def _columns(
    seen: Sequence[Label], y_score: Any, classes: Sequence[Label] | None
) -> tuple[tuple[Label, ...], list[Any], tuple[str, ...]]:
    """Labels in order, the column of each, and what was guessed."""
    order = in_order(seen)
    if len(order) < 2 and classes is None:
        raise InputError(one_class(order[0]))
    if isinstance(y_score, Mapping) or hasattr(y_score, "columns"):
        names = list(y_score) if isinstance(y_score, Mapping) else list(y_score.columns)
        by_text = {str(x): x for x in names}
        lacking = [x for x in order if str(x) not in by_text]
        strange = [x for x in names if str(x) not in set(map(str, classes or order))]
        if lacking or strange:
            raise InputError(_no_class(lacking, strange, order, names))
        labels = distinct(classes) if classes is not None else order
        return labels, [y_score[by_text[str(x)]] for x in labels], ()
    labels = distinct(classes) if classes is not None else order
    lost = [x for x in order if x not in labels]
    if lost:
        raise InputError(_no_class(lost, [], order, list(labels)))
    cells = np.asarray(y_score.to_numpy() if hasattr(y_score, "to_numpy") else y_score)
    if cells.ndim != 2 or cells.shape[1] != len(labels):
        what = f"one column of scores is needed for each of {len(labels)} classes"
        fix = f"columns in the order {shorten(map(repr, labels))}, or a dict of columns"
        raise InputError(Fault("CM606", what, "y_score", f"shape {cells.shape}", fix))
    told = () if classes is not None else (f"columns are taken for {shorten(order)}, as sorted",)
    return labels, list(cells.T), told


def _no_class(
    lacking: Sequence[Label], strange: Sequence[Label], classes: Sequence[Label], names: list[Label]
) -> Fault:
    """Columns that name no class, or classes that no column names."""
    saw = f"classes {shorten(map(repr, classes), 6)} · columns {shorten(map(repr, names), 6)}"
    if strange and not lacking:
        what = f"{plural(len(strange), 'column')} of scores name no class: {shorten(strange, 4)}"
        fix = "leave them out, or name all classes with classes=[…]"
    else:
        what = f"no column of scores for {shorten(lacking, 4)}"
        near = did_you_mean(str(lacking[0]), map(str, names))
        fix = near or "name each column after its class"
    return Fault("CM606", what, "y_score", saw, fix)


def _check_sums(scores: Array) -> None:
    """Probabilities lie between 0 and 1 and add up to 1."""
    sums = scores.sum(1)
    off = np.flatnonzero((np.abs(sums - 1) > _NEAR_ONE) | (scores.min(1) < 0))
    if len(off):
        what = f"probabilities of {plural(len(off), 'case')} are not from 0 to 1 with a sum of 1"
        saw = f"a sum of {sums[off[0]]:.6g}, the least {scores[off[0]].min():.6g}"
        fix = "divide each row by its sum, or say probabilities=False: scores for ranking only"
        raise InputError(Fault("CM605", what, f"y_score, row {off[0]}", saw, fix))

"""Spaces: where a 2×2 table is drawn as a point, and a stack of them as a curve.

A space is two numbers of a table. What is on its axes differs, what is drawn does not: a curve,
the line of guessing, the edges of a band and lines of equal kappa are stacks, and any space can
take any stack. Rows are the truth, columns the prediction, the positive class comes first.

Between two thresholds a curve is what mixing the two gives: tables change in a straight line.
So `along` reads tables off a curve, and the space places what was read; drawn in another space
than ROC the way between two thresholds may be bent, and is never taken for straight.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from chancemeter.counts import Array, Values, ratio
from chancemeter.errors import Fault, InputError, did_you_mean, quoted
from chancemeter.normal import quantile


class Cells(NamedTuple):
    """The four cells of tables; any of them may be counts, shares or fractions."""

    tp: Values
    fn: Values
    fp: Values
    tn: Values

    @classmethod
    def of(cls, stack: ArrayLike) -> Cells:
        """From ``(..., 2, 2)``, the positive class first."""
        x = np.asarray(stack)
        x = x if x.dtype.kind in "fcO" else x.astype(float)  # products of counts overflow
        return cls(x[..., 0, 0], x[..., 0, 1], x[..., 1, 0], x[..., 1, 1])

    @property
    def stack(self) -> Array:
        """As tables."""
        cells = np.broadcast_arrays(*self)
        return np.stack(cells, -1).reshape(*cells[0].shape, 2, 2)

    @property
    def positives(self) -> Values:
        """Cases of the positive class."""
        return self.tp + self.fn

    @property
    def negatives(self) -> Values:
        """All other cases."""
        return self.fp + self.tn

    @property
    def total(self) -> Values:
        """All cases."""
        return self.positives + self.negatives

    @property
    def tpr(self) -> Values:
        """Recall: how many of the positives are found."""
        return ratio(self.tp, self.positives)

    @property
    def fpr(self) -> Values:
        """False alarms: how many of the negatives are taken for positives."""
        return ratio(self.fp, self.negatives)

    @property
    def predicted(self) -> Values:
        """The share that is called positive."""
        return ratio(self.tp + self.fp, self.total)


def tables(fpr: ArrayLike, tpr: ArrayLike, prevalence: ArrayLike) -> Array:
    """The tables, in shares of all cases, that have these rates and this prevalence.

    >>> tables(0.25, 0.5, prevalence=0.2)
    array([[0.1, 0.1],
           [0.2, 0.6]])
    """
    f, t, p = (np.asarray(x) for x in (fpr, tpr, prevalence))
    return Cells(p * t, p * (1 - t), (1 - p) * f, (1 - p) * (1 - f)).stack


def expected(c: Cells) -> Values:
    """What guessing with the same habits gets right: (2), and (10) of Ben-David (2008)."""
    return ratio(c.positives * (c.tp + c.fp) + c.negatives * (c.fn + c.tn), c.total * c.total)


def kappa(c: Cells) -> Values:
    """Cohen's kappa of the cells, by products of two cells only.

    >>> float(kappa(Cells.of([[65, 5], [15, 15]])).round(3))
    0.474
    """
    apart = c.tp * c.tn - c.fn * c.fp
    return ratio(2 * apart, c.positives * (c.fn + c.tn) + (c.tp + c.fp) * c.negatives)


def _recall_gain(c: Cells) -> Values:
    return 1 - ratio(c.positives * c.fn, c.negatives * c.tp)


def _precision_gain(c: Cells) -> Values:
    return 1 - ratio(c.positives * c.fp, c.negatives * c.tp)


def _precision(c: Cells) -> Values:
    return ratio(c.tp, c.tp + c.fp)


def _lift(c: Cells) -> Values:
    return ratio(c.tp * c.total, (c.tp + c.fp) * c.positives)


#: What changes in a straight line between two thresholds, and grows as the threshold falls.
WALKS: dict[str, Callable[[Cells], Values]] = {
    "fpr": lambda c: c.fpr,
    "tpr": lambda c: c.tpr,
    "fp": lambda c: ratio(c.fp, c.total),
    "predicted": lambda c: c.predicted,
}


@dataclass(frozen=True)
class Space:
    """Two numbers of a table, and what to call them."""

    key: str
    title: str
    x_label: str
    y_label: str
    x: Callable[[Cells], Values]
    y: Callable[[Cells], Values]
    walk: str
    """The one of `WALKS` that its horizontal axis follows."""
    box: tuple[float, float, float, float] = (0, 1, 0, 1)
    """Where pictures end: left, right, bottom, top; nan where the data say so."""
    better: str = "up"
    """Where better curves lie: up or down."""
    moves: bool = True
    """Whether the prevalence moves the curve."""

    def of(self, stack: ArrayLike) -> tuple[Values, Values]:
        """The points of tables.

        >>> x, y = SPACES["k"].of([[65, 5], [15, 15]])
        >>> float(x), float(y.round(3))
        (0.5, 0.474)
        """
        c = Cells.of(stack)
        return np.asarray(self.x(c)), np.asarray(self.y(c))

    def at_rates(
        self, fpr: ArrayLike, tpr: ArrayLike, prevalence: ArrayLike
    ) -> tuple[Values, Values]:
        """The points of rates at a prevalence."""
        return self.of(tables(fpr, tpr, prevalence))

    def guessing(self, prevalence: float, points: int = 101) -> tuple[Values, Values]:
        """Where those are who know nothing: the same rates for both classes."""
        share = np.linspace(0, 1, points)
        return self.at_rates(share, share, prevalence)


@dataclass(frozen=True)
class Conditions:
    """A space whose horizontal axis is what a user wants, not what a threshold does.

    A threshold is a line there, and the curve is the best of all lines.
    """

    key: str
    title: str
    x_label: str
    y_label: str
    worth: Callable[[Cells, Values], Values]
    """Of tables ``(...,)`` under conditions ``(..., m)``."""
    better: str
    box: tuple[float, float, float, float] = (0, 1, 0, 1)
    moves: bool = True

    @cached_property
    def grid(self) -> Array:
        """Conditions to look at."""
        return np.linspace(0, 1, 401)[:-1] if self.key == "net-benefit" else np.linspace(0, 1, 401)

    def lines(self, stack: ArrayLike, at: Array | None = None) -> Values:
        """What each table is worth under each condition: ``(tables, conditions)``."""
        c = Cells(*(np.asarray(x)[..., None] for x in Cells.of(stack)))
        return self.worth(c, self.grid if at is None else at)

    def of(self, stack: ArrayLike, at: Array | None = None) -> tuple[Values, Values]:
        """The best that any table of the stack is worth under each condition.

        >>> stack = [[[0, 10], [0, 10]], [[8, 2], [1, 9]], [[10, 0], [10, 0]]]
        >>> x, y = SPACES["cost"].of(stack, np.array([0.0, 0.5, 1.0]))
        >>> y.round(3)
        array([0.  , 0.15, 0.  ])
        """
        at = self.grid if at is None else at
        cells = np.asarray(stack)
        best = np.fmin if self.better == "down" else np.fmax
        found = np.full((*cells.shape[:-3], len(at)), np.nan)
        some = max(1, (1 << 22) // len(at))
        for start in range(0, cells.shape[-3], some):
            worth = self.lines(cells[..., start : start + some, :, :], at)
            found = best(found, best.reduce(worth, axis=-2))
        return at, found

    def at_rates(
        self, fpr: ArrayLike, tpr: ArrayLike, prevalence: ArrayLike
    ) -> tuple[Values, Values]:
        """The best of rates at a prevalence."""
        return self.of(tables(fpr, tpr, prevalence))

    def guessing(self, prevalence: float, points: int = 2) -> tuple[Values, Values]:
        """What always answering the same is worth, whichever answer is better."""
        share = np.linspace(0, 1, max(2, points))
        return self.at_rates(share, share, prevalence)


def _cost(c: Cells, positive: Values) -> Values:
    """Drummond and Holte's normalised cost, over the share of the cost that lies in positives."""
    return (1 - c.tpr) * positive + c.fpr * (1 - positive)


def net_benefit(c: Cells, threshold: Values) -> Values:
    """Vickers and Elkin's net benefit: hits, less false alarms at the odds of the threshold."""
    return ratio(c.tp, c.total) - ratio(c.fp, c.total) * ratio(threshold, 1 - threshold)


_NAN = float("nan")
_FPR, _TPR, _KAPPA = "false positive rate", "true positive rate", "kappa"
_FP, _TP = "false positives, share of all", "true positives, share of all"

SPACES: dict[str, Space | Conditions] = {
    space.key: space
    for space in (
        Space(
            "roc", "ROC curve", _FPR, _TPR,
            lambda c: c.fpr, lambda c: c.tpr, "fpr", moves=False,
        ),
        Space("k", "ROC-K curve", _FPR, _KAPPA, lambda c: c.fpr, kappa, "fpr", (0, 1, _NAN, 1)),
        Space(
            "k-fp", "ROC-K curve in shares of all", _FP, _KAPPA,
            lambda c: ratio(c.fp, c.total), kappa, "fp", (0, _NAN, _NAN, 1),
        ),
        Space(
            "fp-tp", "ROC curve in shares of all", _FP, _TP,
            lambda c: ratio(c.fp, c.total), lambda c: ratio(c.tp, c.total), "fp",
            (0, _NAN, 0, _NAN),
        ),
        Space(
            "pc-k", "chance and kappa", "agreement by chance", _KAPPA,
            expected, kappa, "predicted", (_NAN, _NAN, _NAN, 1),
        ),
        Space("pr", "precision and recall", "recall", "precision",
              lambda c: c.tpr, _precision, "tpr"),
        Space("prg", "precision gain and recall gain", "recall gain", "precision gain",
              _recall_gain, _precision_gain, "tpr"),
        Space(
            "det", "detection error tradeoff", "false positive rate, in normal deviates",
            "miss rate, in normal deviates",
            lambda c: quantile(c.fp, c.tn), lambda c: quantile(c.fn, c.tp), "fpr",
            (_NAN, _NAN, _NAN, _NAN), "down", moves=False,
        ),
        Space("lift", "lift", "share called positive", "lift",
              lambda c: c.predicted, _lift, "predicted", (0, 1, 0, _NAN)),
        Space("gain", "cumulative gain", "share called positive", "recall",
              lambda c: c.predicted, lambda c: c.tpr, "predicted"),
        Conditions(
            "cost", "cost curve", "probability cost of positives", "cost, best threshold",
            _cost, "down", (0, 1, 0, 0.5), moves=False,
        ),
        Conditions(
            "net-benefit", "net benefit", "threshold probability", "net benefit, best threshold",
            net_benefit, "up", (0, 1, _NAN, _NAN),
        ),
    )
}  # fmt: skip


def space_of(name: str) -> Space | Conditions:
    """The space of that name.

    >>> space_of("roc").title
    'ROC curve'
    """
    if name not in SPACES:
        fix = did_you_mean(name, SPACES, f"one of {', '.join(SPACES)}")
        raise InputError(Fault("CM650", f"no space is called {quoted(name)}", fix=fix))
    return SPACES[name]


def along(stack: ArrayLike, walk: str, at: ArrayLike) -> Array:
    """The tables on a curve where its `walk` is `at`; between thresholds, on the chord.

    Where several tables are at one place the best is taken: on a vertical stretch of an ROC
    curve the upper end, on a horizontal one the left.

    >>> curve = [[[0, 10], [0, 10]], [[8, 2], [1, 9]], [[10, 0], [10, 0]]]
    >>> along(curve, "fpr", [0.1, 0.55])
    array([[[8. , 2. ],
            [1. , 9. ]],
    <BLANKLINE>
           [[9. , 1. ],
            [5.5, 4.5]]])
    """
    c = Cells.of(np.asarray(stack, float))
    where = np.asarray(at, float)
    steps = WALKS[walk](c)
    order = slice(None)
    if len(steps) > 1 and steps[0] > steps[-1]:
        order = slice(None, None, -1)
    steps, tp, fp = steps[order], c.tp[order], c.fp[order]
    if walk == "tpr":  # of equal steps the first
        tp, fp = (np.interp(-where, -steps[::-1], x[::-1]) for x in (tp, fp))
    else:
        tp, fp = (np.interp(where, steps, x) for x in (tp, fp))
    return Cells(tp, c.positives[0] - tp, fp, c.negatives[0] - fp).stack


# Ben-David (2008), both ways. TP, FP are shares of all cases; P is the share of positives.


def chance_and_kappa(fp: ArrayLike, tp: ArrayLike, prevalence: ArrayLike) -> tuple[Values, Values]:
    """(FP, TP) to (Pc, K): formulas (10) and (13), and (15) where the classes are alike.

    >>> pc, k = chance_and_kappa(0.15, 0.65, prevalence=0.7)
    >>> float(pc.round(3)), float(k.round(3))
    (0.62, 0.474)
    """
    fp, tp, p = (np.asarray(x) for x in (fp, tp, prevalence))
    n = 1 - p
    said = tp + fp  # (6)
    pc = said * (1 - 2 * n) + n  # (10)
    k = ratio(tp - fp - said * (1 - 2 * n), p - said * (1 - 2 * n))  # (13)
    return pc, k


def fp_and_tp(pc: ArrayLike, k: ArrayLike, prevalence: ArrayLike) -> tuple[Values, Values]:
    """(Pc, K) to (FP, TP): (11) and (14) solved for both.

    Classes of equal size have the same Pc at every point, which then says nothing: the result is
    undefined (nan) there, and one of FP and TP must be known (`tp_of_kappa`, `fp_of_kappa`).

    >>> fp, tp = fp_and_tp(0.62, 9 / 19, prevalence=0.7)
    >>> float(fp.round(3)), float(tp.round(3))
    (0.15, 0.65)
    """
    pc, k, p = (np.asarray(x) for x in (pc, k, prevalence))
    said = ratio(pc - (1 - p), 2 * p - 1)  # (10) for the share called positive, (11) for TP + FP
    apart = said * (1 - k) * (2 * p - 1) + k * p  # (14): TP - FP
    half = (said - apart) / 2
    return half, half + apart


def tp_of_chance(pc: ArrayLike, fp: ArrayLike, prevalence: ArrayLike) -> Values:
    """Formula (11): TP from chance and FP; undefined where both classes are of one size."""
    pc, fp, p = (np.asarray(x) for x in (pc, fp, prevalence))
    return ratio(pc - (1 - p), 2 * p - 1) - fp


def tp_of_kappa(k: ArrayLike, fp: ArrayLike, prevalence: ArrayLike) -> Values:
    """Formula (14) with TP + FP for the share called positive, so (16) at P = 1/2: the line of K.

    Printed, (14) ends in − FP; what it must be is + FP.

    >>> float(tp_of_kappa(9 / 19, 0.15, prevalence=0.7).round(3))
    0.65
    """
    k, fp, p = (np.asarray(x) for x in (k, fp, prevalence))
    skew = 2 * p - 1
    return ratio(fp * (1 + (1 - k) * skew) + k * p, 1 - (1 - k) * skew)


def tp_of_kappa_and_share(
    k: ArrayLike, fp: ArrayLike, said: ArrayLike, prevalence: ArrayLike
) -> Values:
    """Formula (14) in right form: TP from kappa, FP and the share called positive.

    >>> float(tp_of_kappa_and_share(9 / 19, 0.15, said=0.8, prevalence=0.7).round(3))
    0.65
    """
    k, fp, said, p = (np.asarray(x) for x in (k, fp, said, prevalence))
    return said * (1 - k) * (2 * p - 1) + k * p + fp


def fp_of_kappa(k: ArrayLike, tp: ArrayLike, prevalence: ArrayLike) -> Values:
    """`tp_of_kappa` the other way round.

    >>> float(fp_of_kappa(9 / 19, 0.65, prevalence=0.7).round(3))
    0.15
    """
    k, tp, p = (np.asarray(x) for x in (k, tp, prevalence))
    skew = 2 * p - 1
    return ratio(tp * (1 - (1 - k) * skew) - k * p, 1 + (1 - k) * skew)


def on_the_line_of(said: float, prevalence: float, points: int = 7) -> tuple[Array, Array]:
    """All (FP, TP) that have this share called positive: what figures 1 and 3 of 2008 show.

    >>> fp, tp = on_the_line_of(0.6, prevalence=0.7, points=4)
    >>> fp.round(2), tp.round(2)
    (array([0. , 0.1, 0.2, 0.3]), array([0.6, 0.5, 0.4, 0.3]))
    """
    least, most = max(0.0, said - prevalence), min(said, 1 - prevalence)
    fp = np.linspace(least, most, points)
    return fp, said - fp

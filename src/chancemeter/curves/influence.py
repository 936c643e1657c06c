"""What one more case would do to a scalar of a curve: standard errors and tests follow.

A scalar that is a sum over the pieces of a curve has a derivative by the counts at each corner.
A case with some score counts at every corner from its own on, so what it does is the sum of
those derivatives from there to the end: one cumulated sum, however many cases there are. For the
AUC the variance is exactly that of DeLong and others (1988).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from chancemeter.counts import Array, ratio
from chancemeter.curves import areas, costs, probabilities
from chancemeter.curves.curve import Curve

#: Length of the complex step: its square vanishes beside 1.
_STEP = 1e-30


@dataclass(frozen=True, eq=False)
class Influence:
    """What a case of each class does to a scalar, by where it stands on the curve.

    Entry i is for cases whose first threshold is ``curve.thresholds[i + 1]``; the derivative is
    by their number, so that over all cases it adds up to zero.
    """

    positive: Array
    negative: Array

    def variance(self, c: Curve) -> float:
        """Variance of the scalar over samples of as many cases; prevalence varies too."""
        return sum(
            _spread(x, n) for x, n in zip((self.positive, self.negative), c.steps(), strict=True)
        )

    def of_cases(self, place: Array, positive: Array) -> Array:
        """What each case does; `place` as in `Groups`."""
        return np.where(positive, self.positive[place - 1], self.negative[place - 1])


def _spread(x: Array, n: Array) -> float:
    """Sum of squares about the mean, as if one case fewer had made it, and of the mean."""
    total = float(n.sum())
    mean = float(np.dot(n, x)) / total
    inner = float(np.dot(n, np.square(x - mean)))
    return inner * (total / (total - 1) if total > 1 else np.nan) + total * mean**2


def influence(c: Curve, name: str) -> Influence | None:
    """The influence of cases on a scalar; None where there is none in closed form."""
    if name in PIECES:
        return _of_pieces(c, c, PIECES[name])
    plain = name.removesuffix("_skill")
    if plain in {"brier", "log_loss"}:
        return _of_loss(c, plain, skill=plain != name)
    return OTHERS[name](c) if name in OTHERS else None


def _of_gini(c: Curve) -> Influence:
    return Influence(*(2 * x for x in _sides(_of_auc(c))))


def _of_auch(c: Curve) -> Influence:
    """As if the corners of the hull stayed where they are: they are the best there are."""
    return _of_pieces(c, c.hull, _roc_piece)


def _of_auk_max(c: Curve) -> Influence:
    return _of_prevalence(c, areas.perfect_auk)


def _of_auk_share(c: Curve) -> Influence:
    whole, most = _of_pieces(c, c, _kappa_piece), _of_auk_max(c)
    top, value = areas.auk_max(c), areas.auk(c)
    pairs = zip(_sides(whole), _sides(most), strict=True)
    return Influence(*((x - value / top * y) / top for x, y in pairs))


def _sides(x: Influence) -> tuple[Array, Array]:
    return x.positive, x.negative


def _of_auc(c: Curve) -> Influence:
    """Placements: the share of the other class that a case is ranked above, or below."""
    p, n = float(c.positives), float(c.negatives)
    above = 1 - (c.fp[1:] + c.fp[:-1]) / (2 * n)
    below = (c.tp[1:] + c.tp[:-1]) / (2 * p)
    value = areas.auc(c)
    return Influence((above - value) / p, (below - value) / n)


class Ends(NamedTuple):
    """Counts at both ends of the pieces of a curve, and all cases of both classes."""

    fp: Array
    tp: Array
    next_fp: Array
    next_tp: Array
    positives: complex
    negatives: complex


def _roc_piece(e: Ends) -> Array:
    run, height = e.next_fp - e.fp, e.tp + e.next_tp
    return np.asarray(run * height / (2 * e.positives * e.negatives))


def _kappa_piece(e: Ends) -> Array:
    """Kappa is 2(tp n − fp p) over p (p + n) + (tp + fp)(n − p)."""
    p, n = e.positives, e.negatives
    ends = (e.fp, e.tp), (e.next_fp, e.next_tp)
    above = tuple(2 * (y * n - x * p) for x, y in ends)
    below = tuple(p * (p + n) + (x + y) * (n - p) for x, y in ends)
    return areas.piece((e.next_fp - e.fp) / n, above, below)


def _kappa_fp_piece(e: Ends) -> Array:
    return np.asarray(_kappa_piece(e) * (e.negatives / (e.positives + e.negatives)))


def _precision_piece(e: Ends) -> Array:
    called = e.fp + e.tp, e.next_fp + e.next_tp
    return areas.piece((e.next_tp - e.tp) / e.positives, (e.tp, e.next_tp), called)


def _step_piece(e: Ends) -> Array:
    precision = ratio(e.next_tp, e.next_fp + e.next_tp)
    return np.asarray((e.next_tp - e.tp) / e.positives * precision)


#: What a piece of the curve adds to a scalar.
PIECES: dict[str, Callable[[Ends], Array]] = {
    "auk": _kappa_piece,
    "kappa_fp_area": _kappa_fp_piece,
    "pr_area": _precision_piece,
    "average_precision": _step_piece,
}


def _of_pieces(c: Curve, corners: Curve, piece: Callable[[Ends], Array]) -> Influence:
    """From the derivatives of every piece by the counts at its ends, by a complex step."""
    x, y = (v.astype(np.complex128) for v in (corners.fp, corners.tp))
    given: list[Any] = [x[:-1], y[:-1], x[1:], y[1:], complex(c.positives), complex(c.negatives)]

    def slope(i: int) -> Array:
        moved = list(given)
        moved[i] = given[i] + 1j * _STEP * c.total
        return np.asarray(piece(Ends(*moved)).imag / (_STEP * c.total))

    ends = np.zeros((2, len(corners)))
    for side, first, last in ((0, 1, 3), (1, 0, 2)):
        ends[side, :-1] += slope(first)
        ends[side, 1:] += slope(last)
    totals = [float(slope(i).sum()) for i in (4, 5)]
    return Influence(*(_from_there(c, corners, ends[i]) + totals[i] for i in (0, 1)))


def _from_there(c: Curve, corners: Curve, slopes: Array) -> Array:
    """For each place the sum of the slopes at all corners from there on."""
    rest = np.append(np.cumsum(slopes[::-1])[::-1], 0.0)
    if len(corners) == len(c):
        return rest[1:-1]
    sign = -1.0 if c.direction == ">=" else 1.0
    first = np.searchsorted(sign * corners.thresholds, sign * c.thresholds[1:], "left")
    return np.asarray(rest[first])


def _of_prevalence(c: Curve, formula: Callable[[float], float]) -> Influence:
    """What follows from the prevalence alone: a slope by differences, to 1e-10."""
    p = c.prevalence
    step = 1e-5 * min(p, 1 - p)
    slope = (formula(p + step) - formula(p - step)) / (2 * step)
    ones = np.ones(len(c) - 1)
    return Influence(slope * (1 - p) / c.total * ones, -slope * p / c.total * ones)


def _of_h(c: Curve) -> Influence:
    """The least cost is a minimum, so only counts move it, not where the corners change."""
    p, n, hull = c.prevalence, c.total, c.hull
    a, b = 2.0, 1 + (1 - p) / p
    shares = hull.fp / n, hull.fn / n
    none = np.array([0.0, 1 - p]), np.array([p, 0.0])

    def loss(shares: tuple[Array, Array], b: float) -> float:
        return sum(
            float(np.dot(x, y)) for x, y in zip(shares, costs.stretches(*shares, a, b), strict=True)
        )

    def by_b(shares: tuple[Array, Array]) -> float:
        return (loss(shares, b * (1 + 1e-5)) - loss(shares, b * (1 - 1e-5))) / (2e-5 * b)

    found, worst = loss(shares, b), loss(none, b)
    of_alarm, of_miss = costs.stretches(*shares, a, b)
    worst_alarm, worst_miss = costs.stretches(*none, a, b)
    # a case is missed at all corners before its own, and an alarm from its own on
    missed = float(of_miss.sum()) - _from_there(c, hull, of_miss)
    alarms = _from_there(c, hull, of_alarm)
    moved = -1 / p**2 * (1 - p), 1 / p  # of b, by a case more of each class
    sides = []
    for own, of_none, shift in zip(
        (missed, alarms), (worst_miss[0], worst_alarm[1]), moved, strict=True
    ):
        up = own - found + by_b(shares) * shift
        down = of_none - worst + by_b(none) * shift
        sides.append(-(up - found / worst * down) / (worst * n))
    return Influence(*sides)


def _of_loss(c: Curve, name: str, *, skill: bool) -> Influence | None:
    """A mean of a loss of each case, or such a mean as a share of that of the prevalence."""
    p, *_ = probabilities.seen(c)
    share, n = c.prevalence, c.total
    with np.errstate(divide="ignore"):
        losses = ((1 - p) ** 2, p**2) if name == "brier" else (-np.log(p), -np.log1p(-p))
    value = probabilities.brier(c) if name == "brier" else probabilities.log_loss(c)
    if not np.isfinite(value):
        return None
    own = [np.where(k > 0, x - value, 0) / n for x, k in zip(losses, c.steps(), strict=True)]
    if not skill:
        return Influence(*own)
    base = share * (1 - share) if name == "brier" else probabilities.entropy(share)
    slope = 1 - 2 * share if name == "brier" else np.log((1 - share) / share)
    moved = slope * (1 - share) / n, -slope * share / n
    return Influence(*(-(x - value / base * d) / base for x, d in zip(own, moved, strict=True)))


#: What is no sum over the pieces of the curve itself.
OTHERS: dict[str, Callable[[Curve], Influence]] = {
    "auc": _of_auc,
    "gini": _of_gini,
    "auch": _of_auch,
    "auk_max": _of_auk_max,
    "auk_share": _of_auk_share,
    "h": _of_h,
}

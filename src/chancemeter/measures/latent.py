"""Measures that see classes as regions of something continuous and normally distributed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from chancemeter import normal
from chancemeter.counts import Array, Counts, Values, ratio
from chancemeter.errors import Fault, InputError, printable
from chancemeter.registry import measure

#: A polychoric correlation is worked out for so many numbers at a time, to spare memory.
_AT_ONCE = 1 << 20
#: Bounds of the logarithm of the angle whose cosine is the correlation.
_LEAST, _MOST = float(np.log(1e-12)), float(np.log(np.pi / 2 + 0.3))


# Signal detection: one class is the signal, all others are the noise.


def _found_and_false(c: Counts) -> tuple[Values, Values]:
    """Normal quantiles of hit rate and false alarm rate of each class."""
    return normal.quantile(c.tp, c.fn), normal.quantile(c.fp, c.tn)


@measure(
    symbol="d′",
    aliases=("dprime", "sensitivity_index"),
    range=(-np.inf, np.inf),
    perfect=np.inf,
    by_chance=0,
    level="class",
    same="scale order unused split",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    rational=False,
    closed_form=False,
    references=("tanner1954", "macmillan2005"),
    good_for="how well a class is told apart, whatever the bias for or against calling it",
    not_for="few cases: one hit rate of 0 or 1 makes it infinite",
    elsewhere="sensitivity index (psychophysics)",
)
def d_prime(c: Counts) -> Values:
    r"""How many standard deviations the class lies above the others, if both are normal.

    .. math:: d' = \Phi^{-1}(TPR) - \Phi^{-1}(FPR)

    Infinite where one of the two rates is 0 or 1, undefined where both are the same of these.

    >>> d_prime([[20, 5], [10, 15]]).round(4)
    array([1.095, 1.095])
    """
    hits, alarms = _found_and_false(c)
    with np.errstate(invalid="ignore"):
        return hits - alarms


@measure(
    symbol="c",
    aliases=("sdt_criterion",),
    shorthand={"noise_criterion": "criterion_c(origin=noise)"},
    range=(-np.inf, np.inf),
    perfect=None,
    direction="neither",
    level="class",
    same="scale order unused split",
    undefined="class_not_in_truth class_is_all_truth class_no_errors class_all_wrong",
    rational=False,
    closed_form=False,
    references=("macmillan2005",),
    good_for="is a class called too readily (below 0) or too reluctantly (above 0)?",
    not_for="few cases: one hit rate of 0 or 1 makes it infinite",
)
def criterion_c(c: Counts, origin: str = "midpoint") -> Values:
    r"""Where the threshold for calling the class lies, 0 being midway between it and the others.

    .. math:: c = -\tfrac{1}{2} (\Phi^{-1}(TPR) + \Phi^{-1}(FPR))

    ``origin="noise"`` counts from the mean of the other classes: :math:`\Phi^{-1}(TNR)`.

    >>> criterion_c([[20, 5], [10, 15]]).round(4)
    array([-0.2941,  0.2941])
    """
    if origin not in {"midpoint", "noise"}:
        what = "origin= is midpoint or noise"
        raise InputError(Fault("CM302", what, saw=printable(origin)))
    hits, alarms = _found_and_false(c)
    if origin == "noise":
        return -alarms
    with np.errstate(invalid="ignore"):
        return -(hits + alarms) / 2


@measure(
    symbol="β",
    aliases=("sdt_beta",),
    range=(0, np.inf),
    perfect=None,
    by_chance=1,
    direction="neither",
    level="class",
    same="scale order unused split",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted "
    "class_always_predicted class_no_errors class_all_wrong",
    rational=False,
    closed_form=False,
    references=("greenswets1966", "macmillan2005"),
    good_for="the odds that were asked for before the class was called; 1 is without bias",
    not_for="few cases: one hit rate of 0 or 1 makes it 0 or infinite",
)
def beta_ratio(c: Counts) -> Values:
    r"""How much likelier the class is than the others at the threshold for calling it.

    .. math:: \beta = \phi(\Phi^{-1}(TPR)) / \phi(\Phi^{-1}(FPR))

    >>> beta_ratio([[20, 5], [10, 15]]).round(4)
    array([0.7246, 1.38  ])
    """
    hits, alarms = _found_and_false(c)
    with np.errstate(invalid="ignore", over="ignore"):
        return np.asarray(np.exp((alarms - hits) * (alarms + hits) / 2))


# Correlation of two normal variables that were cut into classes.


@measure(
    symbol="ρ_tet",
    aliases=("tetrachoric_correlation",),
    range=(-1, 1),
    by_chance=0,
    level="class",
    same="scale order transpose unused split",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    rational=False,
    closed_form=False,
    references=("pearson1900", "drezner1990"),
    limits={"correction": (0, np.inf)},
    good_for="two classes that were cut out of something continuous",
    not_for="classes that are different kinds of thing",
)
def tetrachoric(c: Counts, correction: float = 0) -> Values:
    r"""Correlation of the normal variables behind truth and prediction, each cut in two.

    The one correlation with which the normal distribution has exactly these four shares. With
    an empty cell that is 1 or -1. ``correction`` is put into empty cells, if wanted (0.5 is
    what some programs do without being asked).

    .. math:: \Phi_2(h, g; \rho) = \mathrm{TP} / n, \quad h = \Phi^{-1}(n_{i+} / n),
        \quad g = \Phi^{-1}(n_{+i} / n)

    >>> tetrachoric([[20, 5], [10, 15]]).round(4)
    array([0.6071, 0.6071])
    """
    cells = [c.tp, c.fn, c.fp, c.tn]
    if correction:
        cells = [np.where(x == 0, correction, x) for x in cells]
    shape, like = cells[0].shape, np.result_type(*cells)
    return _tetrachoric(*(x.astype(like).ravel() for x in cells)).reshape(shape)


def _tetrachoric(tp: Values, fn: Values, fp: Values, tn: Values) -> Values:
    """The correlation, found as an angle: its cosine, or minus its cosine."""
    lean = tp * tn - fp * fn
    sign = np.where(lean.real < 0, -1.0, 1.0)
    on, off, least = tp * tn, fp * fn, _smaller(fp, fn)
    on, off = np.where(sign < 0, off, on), np.where(sign < 0, on, off)
    n, least = tp + fn + fp + tn, np.where(sign < 0, _smaller(tp, tn), least)
    h = normal.quantile(tp + fn, fp + tn)
    k = sign * normal.quantile(tp + fp, fn + tn)
    # Two equations with the same answer: one for the share of the smaller cell that speaks
    # against the correlation, one for the surplus over independence. The smaller one is exact.
    share, excess = ratio(least, n), ratio(sign * lean, n * n)
    known, settled = np.isfinite(h) & np.isfinite(k), least.real == 0
    angle = np.where(known, np.where(settled, 0.0, np.pi / 2), np.nan)
    between = known & ~settled & (lean.real != 0)
    guess = np.pi * ratio(np.sqrt(off), np.sqrt(on) + np.sqrt(off)).real
    for by_share in (True, False):
        here = np.flatnonzero(between & ((share.real < excess.real) == by_share))
        solve, goal = (_by_share, share) if by_share else (_by_excess, excess)
        angle[here] = solve(h[here].real, k[here].real, goal[here].real, guess[here])
    if tp.dtype.kind != "c":
        return sign * np.cos(angle)
    here = np.flatnonzero(known & ~settled)
    angle = angle.astype(complex)
    x = angle[here].real
    h, k, share, excess = (y[here] for y in (h, k, share, excess))
    off = np.where(
        share.real < excess.real, normal.crossing(h, k, x) - share, excess - normal.surplus(h, k, x)
    )
    # One step of Newton's along the imaginary axis carries a derivative on.
    angle[here] -= 1j * ratio(off.imag, _rise(h, k, x).real)
    return sign * np.cos(angle)


def _smaller(a: Values, b: Values) -> Values:
    """The smaller of the two; their mean where they are equal, which matters for derivatives."""
    return np.where(a.real == b.real, (a + b) / 2, np.where(a.real < b.real, a, b))


def _rise(h: Values, k: Values, angle: Values) -> Values:
    """How fast `normal.crossing` grows with the angle."""
    return np.exp(normal.log_height(h, k, angle)) / normal.TURN


def _by_share(h: Values, k: Values, share: Values, guess: Values) -> Values:
    """The angle at which `normal.crossing` is `share`; in logarithms, where it is smooth."""
    goal = np.log(share) + np.log(normal.TURN)

    def off(x: Values, which: Values) -> tuple[Values, Values]:
        here, angle = (h[which], k[which], np.exp(x)), np.exp(x)
        mills = normal.mills(*here)
        value = normal.log_height(*here) + np.log(mills) - goal[which]
        return value, ratio(angle, mills)

    return np.exp(normal.rising_root(off, np.log(guess), _LEAST, _MOST))


def _by_excess(h: Values, k: Values, excess: Values, guess: Values) -> Values:
    """The angle at which `normal.surplus` is `excess`."""

    def off(x: Values, which: Values) -> tuple[Values, Values]:
        found = normal.surplus(h[which], k[which], x)
        return excess[which] - found, _rise(h[which], k[which], x)

    return normal.rising_root(off, guess, 0.0, np.pi / 2)


@measure(
    symbol="ρ_pol",
    aliases=("polychoric_correlation",),
    range=(-1, 1),
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    needs="cells",
    rational=False,
    closed_form=False,
    references=("olsson1979", "drezner1990"),
    good_for="ordered classes that were cut out of something continuous",
    not_for="classes without an order",
)
def polychoric(c: Counts) -> Values:
    r"""Correlation of the normal variables behind truth and prediction, each cut into classes.

    By maximum likelihood in two steps: the thresholds from the margins first, then the
    correlation alone. Empty cells stay empty. It is 1 or -1 only for tables that leave no
    choice: all cases where such a correlation puts them.

    .. math:: \rho = \arg \max_\rho \sum_{ij} n_{ij} \ln \pi_{ij},
        \quad h_i = \Phi^{-1}(\sum_{l \le i} p_{l+}),
        \quad g_j = \Phi^{-1}(\sum_{l \le j} p_{+l}),
        \quad \pi_{ij} = \Phi_2(h_i, g_j; \rho) - \Phi_2(h_{i-1}, g_j; \rho)
        - \Phi_2(h_i, g_{j-1}; \rho) + \Phi_2(h_{i-1}, g_{j-1}; \rho)

    >>> round(polychoric([[20, 5], [10, 15]]), 4)
    0.6071
    """
    cells = c.cells.reshape(-1, c.k, c.k)
    step = max(1, _AT_ONCE // (64 * c.k * c.k))
    parts = [_polychoric(cells[i : i + step]) for i in range(0, len(cells), step)]
    return np.concatenate([np.empty(0, cells.dtype), *parts]).reshape(c.total.shape)


def _polychoric(cells: Array) -> Values:
    """The correlation of each table of a stack ``(m, k, k)``."""
    lean = _normal_scores(cells)
    sign = np.where(lean.real < 0, -1.0, 1.0)
    cells = np.where((sign < 0)[:, None, None], cells[..., ::-1], cells)
    n = cells.sum((-2, -1), keepdims=True)
    (rows, h), (columns, k) = _cuts(cells.sum(-1)), _cuts(cells.sum(-2))
    certain = _overlap(rows, columns)
    certain = np.where(certain.real == 0, ratio(certain, n.real), ratio(certain, n))
    p = np.where(cells.real == 0, 0, ratio(cells, n))
    angle = np.where(np.isnan(lean), np.nan, 0.0)
    # No case where perfect correlation allows none: then it is perfect.
    open_ = np.flatnonzero(~np.isnan(lean) & ((p != 0) & (certain.real == 0)).any((-2, -1)))
    likelihood = _Likelihood(h[open_], k[open_], certain[open_], p[open_])
    guess = np.log(np.arccos(np.clip(np.abs(lean[open_].real), 0, 1 - 1e-9)))
    found = normal.rising_root(likelihood.real.on_log_scale, guess, _LEAST, _MOST)
    angle[open_] = np.exp(found)
    if cells.dtype.kind != "c":
        return sign * np.cos(angle)
    angle = angle.astype(complex)
    slope, bend = likelihood.slope(angle[open_].real, np.arange(open_.size))
    angle[open_] -= 1j * ratio(slope.imag, bend.real)
    return sign * np.cos(angle)


def _cuts(margin: Values) -> tuple[Values, Values]:
    """Cases below each boundary of the classes, both ends included; and the thresholds."""
    below = np.cumsum(margin, axis=-1)
    above = np.cumsum(margin[..., ::-1], axis=-1)[..., ::-1]
    cuts = normal.quantile(below[..., :-1], above[..., 1:])
    return np.concatenate([np.zeros_like(below[..., :1]), below], -1), cuts


def _overlap(rows: Values, columns: Values) -> Array:
    """Cases in each cell if truth and prediction were in the very same order."""
    gap = rows[..., :, None] - columns[..., None, :]
    found = _inside(_quarters(np.sign(gap.real) * gap / 2))
    # Weights may add up to margins that are equal but for rounding.
    return np.where(found.real > 1e-15 * rows[..., -1:, None].real, found, found - found.real)


def _normal_scores(cells: Array) -> Values:
    """Correlation of the mean normal scores of the classes: about right, and right in sign."""
    sums, squares = [], []
    for margin in (cells.sum(-1), cells.sum(-2)):
        cut, fine = _finite(_cuts(margin)[1])
        height = np.pad(np.where(fine, normal.density(cut), 0), ((0, 0), (1, 1)))
        sums.append(ratio(height[:, :-1] - height[:, 1:], margin))
        squares.append(np.where(margin == 0, 0, margin * np.square(sums[-1])).sum(-1))
    a, b = (np.where(np.isnan(x), 0, x) for x in sums)
    along = (a * (cells @ b[..., None])[..., 0]).sum(-1)
    return ratio(along, np.sqrt(squares[0]) * np.sqrt(squares[1]))


def _finite(z: Values) -> tuple[Values, Array]:
    """`z` with zeros for what is not finite, and where it is finite."""
    fine = np.isfinite(z)
    return np.where(fine, z, 0), fine


@dataclass(frozen=True)
class _Likelihood:
    """How likely each table is, its margins given, for an angle whose cosine is the correlation."""

    h: Values
    k: Values
    certain: Array
    """Shares of the cells if truth and prediction were in the very same order."""
    seen: Array
    """Shares of the cells as they are."""

    @property
    def real(self) -> _Likelihood:
        """The same without the derivatives that are carried along."""
        return _Likelihood(self.h.real, self.k.real, self.certain.real, self.seen.real)

    def on_log_scale(self, x: Values, which: Values) -> tuple[Values, Values]:
        """`slope` and its slope as functions of the logarithm of the angle."""
        angle = np.exp(x)
        value, slope = self.slope(angle, which)
        return angle * value, angle * (value + angle * slope)

    def slope(self, angle: Values, which: Values) -> tuple[Values, Values]:
        """First and second derivative of the mean log likelihood, the sign turned."""
        (h, fine_h), (k, fine_k) = _finite(self.h[which]), _finite(self.k[which])
        at = h[:, :, None], k[:, None, :], angle[:, None, None]
        fine = fine_h[:, :, None] & fine_k[:, None, :]
        certain, seen = self.certain[which], self.seen[which]
        height = _corners(np.where(fine, normal.log_height(*at), -np.inf), -np.inf)
        # Far cells are next to impossible: what they all have in common is left out.
        top = height.real.max(0)
        top = np.where(np.isfinite(top) & (certain.real == 0), top, 0)
        height = np.exp(height - top)
        sure = np.where(certain == 0, 0, certain * np.exp(-np.where(certain == 0, 0, top)))
        chance = sure * normal.TURN + _inside(height * _corners(normal.mills(*at)))
        pull = ratio(_inside(height), chance)
        bend = ratio(_inside(height * _corners(normal.growth(*at))), chance)
        first = np.where(seen == 0, 0, seen * pull).sum((-2, -1))
        second = np.where(seen == 0, 0, seen * (bend - pull * pull)).sum((-2, -1))
        lost = ((seen != 0) & (chance.real <= 0)).any((-2, -1))
        return np.where(lost, -np.inf, -first), -second


def _corners(x: Array, edge: float = 0) -> Array:
    """The four corners of each cell, from values at the boundaries between classes."""
    return _quarters(np.pad(x, ((0, 0), (1, 1), (1, 1)), constant_values=edge))


def _quarters(x: Array) -> Array:
    return np.stack([x[:, 1:, :-1], x[:, :-1, 1:], x[:, :-1, :-1], x[:, 1:, 1:]])


def _inside(corners: Array) -> Array:
    """What is in each cell, from what is beyond its corners."""
    return np.asarray(corners[0] + corners[1] - corners[2] - corners[3])

"""How far apart a class and its prediction are: errors over this or that; 0 is perfect.

Most are Baulieu's, who judged them by what a distance of two sets should satisfy; they keep his
numbers.
"""

from functools import partial

import numpy as np

from chancemeter.counts import Counts, Values, limit_ratio, ratio
from chancemeter.registry import measure

_distance = partial(
    measure,
    level="class",
    direction="lower",
    perfect=0,
    range=(0, 1),
    same="scale order transpose unused split",
)


@_distance(
    symbol="1/OR",
    aliases=("batageljbren",),
    range=(0, float("inf")),
    by_chance=1,
    undefined="class_not_in_truth class_never_predicted class_is_all_truth class_always_predicted",
    orders_like="odds_ratio",
    references=("batagelj1995",),
)
def batagelj_bren(c: Counts) -> Values:
    """Misses times false alarms over hits times right rejections: the odds ratio inverted.

    >>> batagelj_bren([[20, 5], [10, 15]]).round(4)
    array([0.1667, 0.1667])
    """
    return limit_ratio(c.fp * c.fn, c.tp * c.tn)


@_distance(
    symbol="B_I",
    aliases=("baulieui",),
    undefined="class_not_in_truth class_never_predicted",
    orders_like="g_measure",
    references=("baulieu1989",),
)
def baulieu_1(c: Counts) -> Values:
    """One, less recall times precision.

    >>> baulieu_1([[20, 5], [10, 15]]).round(4)
    array([0.4667, 0.55  ])
    """
    return ratio(c.tp * (c.fp + c.fn) + c.fp * c.fn, c.predicted * c.truth)


@_distance(
    symbol="B_III",
    aliases=("baulieuiii",),
    perfect=None,
    by_chance=0.5,
    orders_like="determinant",
    references=("baulieu1989",),
)
def baulieu_3(c: Counts) -> Values:
    r"""One half, less twice the covariance of truth and prediction.

    .. math:: \frac{1}{2} - 2 (\mathrm{TP}\,\mathrm{TN} - \mathrm{FP}\,\mathrm{FN}) / n^2

    >>> baulieu_3([[20, 5], [10, 15]]).round(4)
    array([0.3, 0.3])
    """
    # Where that is small, n^2 - 4(ad - bc) as a sum of what cannot be negative.
    errors, right, square = c.fp + c.fn, c.tp + c.tn, c.n * c.n
    near = (c.tp - c.tn) ** 2 + errors * (c.n + right) + 4 * c.fp * c.fn
    usual = 1 - ratio(4 * c.leverage, square)
    return np.where((8 * c.leverage).real > square.real, ratio(near, square), usual) / 2


@_distance(
    symbol="B_IV",
    aliases=("baulieuiv",),
    range=(-float("inf"), 1),
    perfect=None,
    same="order transpose unused split",
    rational=False,
    references=("baulieu1997",),
)
def baulieu_4(c: Counts) -> Values:
    r"""Errors less a product of hits and right rejections, as a share of the cases.

    .. math:: (\mathrm{FP} + \mathrm{FN} - (\mathrm{TP} + \tfrac{1}{2}) (\mathrm{TN} + \tfrac{1}{2})
        \mathrm{TN}\,\mathrm{e}) / n

    >>> baulieu_4([[20, 5], [10, 15]]).round(2)
    array([-258.82, -345.19])
    """
    # From the counts, so that fractions are refused: a multiple of e has no exact value.
    e = np.exp(c.n**0)
    return ratio(4 * (c.fp + c.fn) - (2 * c.tp + 1) * (2 * c.tn + 1) * c.tn * e, 4 * c.n)


@_distance(
    symbol="B_V",
    aliases=("baulieuv",),
    perfect=None,
    same="order transpose unused split",
    undefined="",
    references=("baulieu1997",),
)
def baulieu_5(c: Counts) -> Values:
    """Jaccard's distance with one more error.

    >>> baulieu_5([[20, 5], [10, 15]]).round(4)
    array([0.4444, 0.5161])
    """
    return ratio(c.fp + c.fn + 1, c.tp + c.fp + c.fn + 1)


@_distance(
    symbol="B_VI",
    aliases=("baulieuvi",),
    same="order transpose unused split",
    undefined="",
    references=("baulieu1997",),
)
def baulieu_6(c: Counts) -> Values:
    """Jaccard's distance with one more hit.

    >>> baulieu_6([[20, 5], [10, 15]]).round(4)
    array([0.4167, 0.4839])
    """
    return ratio(c.fp + c.fn, c.tp + c.fp + c.fn + 1)


@_distance(
    symbol="B_VII",
    aliases=("baulieuvii",),
    same="order transpose unused split",
    references=("baulieu1997",),
)
def baulieu_7(c: Counts) -> Values:
    """Share of errors among all cases, cases growing with the cube of the hits.

    >>> baulieu_7([[20, 5], [10, 15]]).round(4)
    array([0.0029, 0.008 ])
    """
    return ratio(c.fp + c.fn, c.n + c.tp * (c.tp - 4) ** 2)


@_distance(
    symbol="B_VIII",
    aliases=("baulieuviii",),
    orders_like="bray_curtis",
    references=("baulieu1997",),
    not_for="skill: any prediction that is right in number scores 0",
)
def baulieu_8(c: Counts) -> Values:
    """Square of how much more often the class is predicted than it occurs, per case.

    >>> baulieu_8([[20, 5], [10, 15]]).round(4)
    array([0.01, 0.01])
    """
    return ratio((c.fp - c.fn) ** 2, c.n * c.n)


@_distance(
    symbol="B_IX",
    aliases=("baulieuix",),
    same="scale order unused split",
    references=("baulieu1997",),
)
def baulieu_9(c: Counts) -> Values:
    """Share of errors, each miss counting twice.

    >>> baulieu_9([[20, 5], [10, 15]]).round(4)
    array([0.3636, 0.4167])
    """
    return ratio(c.fp + 2 * c.fn, c.n + c.fn)


@_distance(
    symbol="B_X",
    aliases=("baulieux",),
    smooth=False,
    references=("baulieu1997",),
)
def baulieu_10(c: Counts) -> Values:
    """Share of errors, the more frequent kind of error counting twice.

    >>> baulieu_10([[20, 5], [10, 15]]).round(4)
    array([0.4167, 0.4167])
    """
    more = np.maximum(c.fp, c.fn)
    return ratio(c.fp + c.fn + more, c.n + more)


@_distance(
    symbol="B_XI",
    aliases=("baulieuxi",),
    undefined="class_everywhere",
    orders_like="f1_negative",
    references=("baulieu1997",),
)
def baulieu_11(c: Counts) -> Values:
    """Jaccard's distance of the rest: share of errors where hits are left out.

    >>> baulieu_11([[20, 5], [10, 15]]).round(4)
    array([0.5   , 0.4286])
    """
    return ratio(c.fp + c.fn, c.fp + c.fn + c.tn)


@_distance(
    symbol="B_XII",
    aliases=("baulieuxii",),
    perfect=None,
    range=(-float("inf"), float("inf")),
    same="order transpose unused split",
    undefined="class_once",
    references=("baulieu1997",),
)
def baulieu_12(c: Counts) -> Values:
    """Jaccard's distance with one case less.

    >>> baulieu_12([[20, 5], [10, 15]]).round(4)
    array([0.4412, 0.5172])
    """
    return ratio(c.fp + c.fn, c.tp + c.fp + c.fn - 1)


@_distance(
    symbol="B_XIII",
    aliases=("baulieuxiii",),
    same="order transpose unused split",
    undefined="class_nowhere",
    references=("baulieu1997",),
)
def baulieu_13(c: Counts) -> Values:
    """Jaccard's distance, hits growing with their cube.

    >>> baulieu_13([[20, 5], [10, 15]]).round(4)
    array([0.0029, 0.0081])
    """
    return ratio(c.fp + c.fn, c.tp + c.fp + c.fn + c.tp * (c.tp - 4) ** 2)


@_distance(
    symbol="B_XIV",
    aliases=("baulieuxiv",),
    same="scale order unused split",
    undefined="class_nowhere",
    references=("baulieu1997",),
)
def baulieu_14(c: Counts) -> Values:
    """Jaccard's distance, each miss counting twice.

    >>> baulieu_14([[20, 5], [10, 15]]).round(4)
    array([0.5  , 0.625])
    """
    return ratio(c.fp + 2 * c.fn, c.tp + c.fp + 2 * c.fn)


@_distance(
    symbol="B_XV",
    aliases=("baulieuxv",),
    undefined="class_nowhere",
    smooth=False,
    references=("baulieu1997",),
)
def baulieu_15(c: Counts) -> Values:
    """Jaccard's distance, the more frequent kind of error counting twice.

    >>> baulieu_15([[20, 5], [10, 15]]).round(4)
    array([0.5556, 0.625 ])
    """
    far = c.fp + c.fn + np.maximum(c.fp, c.fn)
    return ratio(far, c.tp + far)


@_distance(
    symbol="1 − F₁",
    undefined="class_nowhere",
    orders_like="jaccard",
    references=("lance1966",),
    elsewhere="Bray and Curtis' distance of two sets of species",
)
def canberra(c: Counts) -> Values:
    """Errors over how often the class occurs plus how often it is predicted.

    >>> canberra([[20, 5], [10, 15]]).round(4)
    array([0.2727, 0.3333])
    """
    return ratio(c.fp + c.fn, c.truth + c.predicted)

"""How alike a class and its prediction are, as ecology, chemistry and psychology measure it.

Each class is taken for two sets of cases: those that are of it and those that are called so.
Most of these coefficients weigh hits, right rejections and errors against each other.
"""

from functools import partial

import numpy as np

from chancemeter.counts import Counts, Values, ratio
from chancemeter.registry import measure

_likeness = partial(
    measure,
    level="class",
    range=(0, 1),
    same="scale order transpose unused split",
)


@_likeness(
    symbol="Δ",
    aliases=("andresmarzodelta",),
    range=(-1, 1),
    rational=False,
    references=("andresmarzo2004",),
)
def andres_marzo_delta(c: Counts) -> Values:
    """Right decisions less twice the geometric mean of misses and false alarms, per case.

    >>> andres_marzo_delta([[20, 5], [10, 15]]).round(4)
    array([0.4172, 0.4172])
    """
    return ratio(c.tp + c.tn - 2 * np.sqrt(c.fp * c.fn), c.n)


@_likeness(
    symbol="BUB₁",
    aliases=("baroniurbanibuseri",),
    orders_like="baroni_urbani_buser",
    undefined="class_nowhere",
    rational=False,
    references=("baroniurbani1976",),
)
def baroni_urbani_buser_1(c: Counts) -> Values:
    """As Jaccard's index, with right rejections counting as far as there are hits as well.

    >>> baroni_urbani_buser_1([[20, 5], [10, 15]]).round(4)
    array([0.7133, 0.683 ])
    """
    alike = np.sqrt(c.tp * c.tn) + c.tp
    return ratio(alike, alike + c.fp + c.fn)


@_likeness(
    symbol="BUB₂",
    aliases=("baroniurbanibuserii",),
    range=(-1, 1),
    orders_like="baroni_urbani_buser",
    undefined="class_nowhere",
    rational=False,
    references=("baroniurbani1976",),
)
def baroni_urbani_buser_2(c: Counts) -> Values:
    """First coefficient of Baroni-Urbani and Buser, stretched to −1 … 1.

    >>> baroni_urbani_buser_2([[20, 5], [10, 15]]).round(4)
    array([0.4266, 0.366 ])
    """
    alike, errors = np.sqrt(c.tp * c.tn) + c.tp, c.fp + c.fn
    return ratio(alike - errors, alike + errors)


@_likeness(
    symbol="B_II",
    aliases=("baulieuii",),
    undefined="class_not_in_truth class_never_predicted class_is_all_truth class_always_predicted",
    references=("baulieu1989",),
)
def baulieu_2(c: Counts) -> Values:
    """Recall times specificity times precision times negative predictive value.

    >>> baulieu_2([[20, 5], [10, 15]]).round(4)
    array([0.24, 0.24])
    """
    both = c.tp * c.tn
    return ratio(both, c.truth * c.negative) * ratio(both, c.predicted * c.predicted_negative)


@_likeness(
    symbol="Clement",
    same="scale order unused split",
    undefined="class_never_predicted class_always_predicted",
    references=("clement1976",),
)
def clement(c: Counts) -> Values:
    """Precision and negative predictive value averaged, the rarer prediction counting more.

    >>> clement([[20, 5], [10, 15]]).round(4)
    array([0.7167, 0.7167])
    """
    found = ratio(c.tp * c.predicted_negative, c.predicted * c.n)
    return found + ratio(c.tn * c.predicted, c.predicted_negative * c.n)


@_likeness(
    symbol="CT₁",
    aliases=("consonnitodeschinii",),
    same="order transpose unused split",
    rational=False,
    orders_like_same_truth="hamming_distance",
    references=("consonni2012",),
)
def consonni_todeschini_1(c: Counts) -> Values:
    """Logarithm of the right decisions, as a share of the logarithm of all cases.

    >>> consonni_todeschini_1([[20, 5], [10, 15]]).round(4)
    array([0.9114, 0.9114])
    """
    return ratio(np.log1p(c.tp + c.tn), np.log1p(c.n))


@_likeness(
    symbol="CT₂",
    aliases=("consonnitodeschiniii",),
    same="order transpose unused split",
    rational=False,
    orders_like_same_truth="hamming_distance",
    references=("consonni2012",),
)
def consonni_todeschini_2(c: Counts) -> Values:
    """One, less the logarithm of the errors as a share of the logarithm of all cases.

    >>> consonni_todeschini_2([[20, 5], [10, 15]]).round(4)
    array([0.2948, 0.2948])
    """
    return ratio(np.log1p(ratio(c.tp + c.tn, 1 + c.fp + c.fn)), np.log1p(c.n))


@_likeness(
    symbol="CT₃",
    aliases=("consonnitodeschiniiii",),
    perfect=None,
    same="order transpose unused split",
    rational=False,
    orders_like_same_truth="recall",
    references=("consonni2012",),
)
def consonni_todeschini_3(c: Counts) -> Values:
    """Logarithm of the hits, as a share of the logarithm of all cases.

    >>> consonni_todeschini_3([[20, 5], [10, 15]]).round(4)
    array([0.7743, 0.7052])
    """
    return ratio(np.log1p(c.tp), np.log1p(c.n))


@_likeness(
    symbol="CT₄",
    aliases=("consonnitodeschiniiv",),
    same="order transpose unused split",
    undefined="class_nowhere",
    rational=False,
    references=("consonni2012",),
)
def consonni_todeschini_4(c: Counts) -> Values:
    """Logarithm of the hits, as a share of the logarithm of hits and errors together.

    >>> consonni_todeschini_4([[20, 5], [10, 15]]).round(4)
    array([0.8496, 0.8074])
    """
    return ratio(np.log1p(c.tp), np.log1p(c.tp + c.fp + c.fn))


@_likeness(
    symbol="CT₅",
    by_chance=0,
    aliases=("consonnitodeschiniv",),
    range=(-1, 1),
    perfect=None,
    same="order transpose unused split",
    rational=False,
    references=("consonni2012",),
)
def consonni_todeschini_5(c: Counts) -> Values:
    """Logarithm of the odds ratio, one added to both products, as a share of its maximum.

    >>> consonni_todeschini_5([[20, 5], [10, 15]]).round(4)
    array([0.2757, 0.2757])
    """
    # log((1 + ad) / (1 + bc)) from the difference ad - bc, which near chance is small.
    gain = np.log1p(ratio(np.maximum(c.leverage, 0), 1 + c.fp * c.fn))
    loss = np.log1p(ratio(np.maximum(-c.leverage, 0), 1 + c.tp * c.tn))
    return ratio(gain - loss, np.log1p(c.n * c.n / 4))


@_likeness(
    symbol="FM",
    aliases=("fagermcgowan",),
    range=(-float("inf"), 1),
    perfect=None,
    same="order transpose unused split",
    undefined="class_not_in_truth class_never_predicted",
    rational=False,
    smooth=False,
    references=("fager1963",),
)
def fager_mcgowan(c: Counts) -> Values:
    """Geometric mean of recall and precision, less a correction for few cases.

    >>> fager_mcgowan([[20, 5], [10, 15]]).round(4)
    array([0.639 , 0.5708])
    """
    larger = np.maximum(c.truth, c.predicted)
    return ratio(c.tp, np.sqrt(c.truth * c.predicted)) - ratio(1, 2 * np.sqrt(larger))


@_likeness(
    symbol="Faith",
    perfect=None,
    references=("faith1983",),
)
def faith(c: Counts) -> Values:
    """Share of right decisions, right rejections counting half.

    >>> faith([[20, 5], [10, 15]]).round(4)
    array([0.55, 0.5 ])
    """
    return ratio(2 * c.tp + c.tn, 2 * c.n)


@_likeness(
    symbol="Fossum",
    # Without the correction and the square it is Forbes' first coefficient, now called lift.
    shorthand={"forbes_1": "lift", "forbesi": "lift"},
    range=(0, float("inf")),
    perfect=None,
    same="order transpose unused split",
    undefined="class_not_in_truth class_never_predicted",
    references=("fossum1966",),
)
def fossum(c: Counts) -> Values:
    """Hits over the hits that chance expects, squared and with a correction for few cases.

    >>> fossum([[20, 5], [10, 15]]).round(4)
    array([25.35 , 21.025])
    """
    return ratio(c.n * (2 * c.tp - 1) ** 2, 4 * c.truth * c.predicted)


@_likeness(
    symbol="Goodall",
    rational=False,
    orders_like_same_truth="hamming_distance",
    references=("goodall1967",),
    good_for="averaging shares of right decisions: its variance hardly depends on its value",
)
def goodall(c: Counts) -> Values:
    r"""Share of right decisions as an angle, a right angle being 1.

    .. math:: \frac{2}{\pi} \arcsin \sqrt{(a + d) / n}

    >>> goodall([[20, 5], [10, 15]]).round(4)
    array([0.631, 0.631])
    """
    # From the nearer end, where the arcsine is not steep.
    right, wrong = c.tp + c.tn, c.fp + c.fn
    mostly_wrong = right.real <= wrong.real
    part = np.arcsin(np.sqrt(ratio(np.where(mostly_wrong, right, wrong), c.n))) * (2 / np.pi)
    return np.where(mostly_wrong, part, 1 - part)


@_likeness(
    symbol="HL",
    aliases=("harrislahey",),
    undefined="class_nowhere class_everywhere",
    references=("harris1978",),
)
def harris_lahey(c: Counts) -> Values:
    """Jaccard's index of the class and of the rest, averaged, the rarer one counting more.

    >>> harris_lahey([[20, 5], [10, 15]]).round(4)
    array([0.5321, 0.5321])
    """
    errors, of = c.fp + c.fn, 2 * c.n
    found = ratio(c.tp * (2 * c.tn + errors), of * (c.tp + errors))
    return found + ratio(c.tn * (2 * c.tp + errors), of * (c.tn + errors))


@_likeness(
    symbol="HD",
    aliases=("hawkinsdotson",),
    # F1 instead of Jaccard's index, of the rest alone.
    shorthand={"fleiss_levin_paik": "f1_negative", "fleisslevinpaik": "f1_negative"},
    undefined="class_nowhere class_everywhere",
    references=("hawkins1975",),
)
def hawkins_dotson(c: Counts) -> Values:
    """Mean of Jaccard's index of the class and of the rest.

    >>> hawkins_dotson([[20, 5], [10, 15]]).round(4)
    array([0.5357, 0.5357])
    """
    errors = c.fp + c.fn
    return (ratio(c.tp, c.tp + errors) + ratio(c.tn, c.tn + errors)) / 2


@_likeness(
    symbol="2(r − w) / n(n − 1)",
    aliases=("kendalltau",),
    # For each case and not for each pair.
    shorthand={"hamann": "pabak@each"},
    range=(-float("inf"), float("inf")),
    perfect=None,
    same="order transpose unused split",
    undefined="no_cases one_case",
    not_for="rank correlation: it is no Kendall's tau, and more cases alone bring it to 0",
    orders_like_same_truth="hamming_distance",
)
def kendall_tau_class(c: Counts) -> Values:
    """Right decisions less wrong ones, for each pair of cases.

    >>> kendall_tau_class([[20, 5], [10, 15]]).round(4)
    array([0.0163, 0.0163])
    """
    return ratio(2 * (c.tp + c.tn - c.fp - c.fn), c.n * (c.n - 1))


@_likeness(
    symbol="KF₁",
    aliases=("kentfosteri",),
    range=(-1 / 3, 0),
    perfect=None,
    undefined="class_no_errors",
    references=("kent1977",),
)
def kent_foster_1(c: Counts) -> Values:
    r"""Agreement beyond chance among the cases that are of the class or called so.

    Without the right rejections there is never more agreement than by chance.

    .. math:: -\frac{\mathrm{FP}\,\mathrm{FN}}{\mathrm{FP} (\mathrm{TP} + \mathrm{FP})
        + \mathrm{FN} (\mathrm{TP} + \mathrm{FN}) + \mathrm{FP}\,\mathrm{FN}}

    >>> kent_foster_1([[20, 5], [10, 15]]).round(4)
    array([-0.1053, -0.125 ])
    """
    return _without_matches(c, c.tp)


@_likeness(
    symbol="KF₂",
    aliases=("kentfosterii",),
    range=(-1 / 3, 0),
    perfect=None,
    undefined="class_no_errors",
    references=("kent1977",),
)
def kent_foster_2(c: Counts) -> Values:
    r"""Agreement beyond chance on the rest, hits of the class left out.

    .. math:: -\frac{\mathrm{FP}\,\mathrm{FN}}{\mathrm{FP} (\mathrm{TN} + \mathrm{FP})
        + \mathrm{FN} (\mathrm{TN} + \mathrm{FN}) + \mathrm{FP}\,\mathrm{FN}}

    >>> kent_foster_2([[20, 5], [10, 15]]).round(4)
    array([-0.125 , -0.1053])
    """
    return _without_matches(c, c.tn)


def _without_matches(c: Counts, matches: Values) -> Values:
    """Agreement beyond chance when only one kind of match is counted."""
    product, errors = c.fp * c.fn, c.fp + c.fn
    # 0 - x and not -x, which would turn a plain 0 into -0.
    return 0 - ratio(product, matches * errors + c.fp * c.fp + product + c.fn * c.fn)


@_likeness(
    symbol="Köppen₂",
    aliases=("koppenii",),
    # Köppen's first coefficient, read in shares and not in counts, is Scott's pi.
    shorthand={"koppen_1": "scott_pi@each", "koppeni": "scott_pi@each"},
    range=(0, float("inf")),
    perfect=None,
    same="order transpose unused split",
    undefined="",
    orders_like_same_truth="bias",
    references=("koppen1870", "goodman1959"),
)
def koppen_2(c: Counts) -> Values:
    """Mean of how often the class occurs and how often it is predicted: a count.

    >>> koppen_2([[20, 5], [10, 15]])
    array([27.5, 22.5])
    """
    return c.tp + (c.fp + c.fn) / 2

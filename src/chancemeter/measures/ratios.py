"""What a prediction does to the odds of a class: likelihood ratios, odds ratios, lift and logs."""

import math
from functools import partial
from math import inf

from chancemeter.counts import Counts, Values, limit_ratio, ratio
from chancemeter.measures._shared import log_ratio, unit
from chancemeter.registry import measure

_rate = partial(measure, level="class", range=(0, 1), same="scale order unused split")
_of_two_rates = partial(
    _rate, undefined="one_class_in_truth class_not_in_truth class_never_predicted"
)
_of_odds = partial(
    _rate,
    same="scale order transpose unused split",
    undefined="one_class_in_truth one_class_predicted class_not_in_truth class_never_predicted",
)


@_of_two_rates(
    symbol="LR+",
    aliases=(
        "positive_likelihood_ratio",
        "lr_plus",
        "lr_pos",
        "lrp",
        "plr",
        "relative_risk",
        "risk_ratio",
    ),
    range=(0, inf),
    perfect=inf,
    by_chance=1,
    orders_like="likelihood_ratio_positive",
    orders_like_same_truth="precision",
    references=("deeks2004",),
    good_for="turning the odds of the class before the prediction into those after it",
    elsewhere="risk ratio of the table as it stands, with the truth as exposure (statsmodels)",
)
def likelihood_ratio_positive(c: Counts) -> Values:
    """How many times likelier the class is predicted where it is true than where it is not.

    >>> likelihood_ratio_positive([[20, 5], [10, 15]])
    array([2., 3.])
    """
    return limit_ratio(c.tp * c.negative, c.fp * c.truth)


@_rate(
    symbol="LR−",
    aliases=("negative_likelihood_ratio", "lr_minus", "lr_neg", "lrn", "nlr"),
    range=(0, inf),
    perfect=0,
    by_chance=1,
    direction="lower",
    undefined="one_class_in_truth class_not_in_truth class_always_predicted",
    orders_like="likelihood_ratio_negative",
    orders_like_same_truth="npv",
    references=("deeks2004",),
    good_for="turning the odds of the class into those after another class was predicted",
)
def likelihood_ratio_negative(c: Counts) -> Values:
    """How many times likelier another class is predicted where the class is true than where not.

    >>> likelihood_ratio_negative([[20, 5], [10, 15]]).round(4)
    array([0.3333, 0.5   ])
    """
    return limit_ratio(c.fn * c.negative, c.tn * c.truth)


@_of_odds(
    symbol="OR",
    aliases=("cross_product_ratio", "diagnostic_odds_ratio", "dor"),
    range=(0, inf),
    perfect=inf,
    by_chance=1,
    orders_like="odds_ratio",
    references=("glas2003", "powers2012"),
    good_for="two classes when neither margin should matter",
    not_for="tables with an empty cell, where it is 0 or infinite whatever the others hold",
)
def odds_ratio(c: Counts) -> Values:
    """Odds of predicting the class where it is true, over the odds where it is not.

    >>> odds_ratio([[20, 5], [10, 15]])
    array([6., 6.])
    """
    return limit_ratio(c.tp * c.tn, c.fp * c.fn)


@_of_odds(
    symbol="ln OR",
    aliases=("lodds", "log_or"),
    range=(-inf, inf),
    perfect=inf,
    by_chance=0,
    rational=False,
    orders_like="odds_ratio",
    references=("glas2003",),
    good_for="intervals and averages: its errors are nearly normal",
)
def log_odds_ratio(c: Counts) -> Values:
    """Natural logarithm of the odds ratio.

    >>> log_odds_ratio([[20, 5], [10, 15]]).round(4)
    array([1.7918, 1.7918])
    """
    return log_ratio(c, c.tp * c.tn, c.fp * c.fn)


@_rate(
    symbol="PPV/FOR",
    aliases=("predicted_risk_ratio", "relative_risk_predicted"),
    range=(0, inf),
    perfect=inf,
    by_chance=1,
    undefined="one_class_predicted class_not_in_truth class_never_predicted",
    orders_like="risk_ratio_predicted",
    elsewhere="relative risk (epidemiology), with the prediction as exposure",
)
def risk_ratio_predicted(c: Counts) -> Values:
    """How many times likelier the class is among predictions of it than among the others.

    >>> risk_ratio_predicted([[20, 5], [10, 15]]).round(4)
    array([2.6667, 2.25  ])
    """
    return limit_ratio(c.tp * c.predicted_negative, c.fn * c.predicted)


@_rate(
    symbol="lift",
    same="scale order transpose unused split",
    aliases=("interest", "lift_score", "ls", "relative_precision"),
    range=(0, inf),
    perfect=None,
    by_chance=1,
    undefined="class_not_in_truth class_never_predicted",
    orders_like="lift",
    orders_like_same_truth="precision",
    references=("brin1997", "forbes1907"),
    not_for="classes of different prevalence: its maximum is 1 / prevalence",
    elsewhere="interest (association rules), Forbes' coefficient (ecology)",
)
def lift(c: Counts) -> Values:
    """How many times likelier the class is among predictions of it than among all cases.

    >>> lift([[20, 5], [10, 15]]).round(4)
    array([1.3333, 1.5   ])
    """
    return ratio(c.tp * c.n, c.predicted * c.truth)


@_rate(
    symbol="IS",
    same="scale order transpose unused split",
    aliases=("is", "is_score"),
    range=(-inf, inf),
    perfect=None,
    by_chance=0,
    undefined="class_not_in_truth class_never_predicted",
    rational=False,
    orders_like="lift",
    orders_like_same_truth="precision",
    references=("kononenko1991",),
)
def information_score(c: Counts) -> Values:
    r"""How many bits a prediction of the class tells about its being true.

    .. math:: \log_2 \frac{n\,\mathrm{TP}}{n_{i+} n_{+i}}

    >>> information_score([[20, 5], [10, 15]]).round(4)
    array([0.415, 0.585])
    """
    return log_ratio(c, c.tp * c.n, c.predicted * c.truth) * math.log2(math.e)


@_of_odds(
    symbol="DP",
    aliases=("dp", "discriminatory_power"),
    range=(-inf, inf),
    perfect=inf,
    by_chance=0,
    rational=False,
    orders_like="odds_ratio",
    references=("blakeley1995",),
    not_for="comparing with PyCM, which takes logarithms of base 10: set base=10",
)
def discriminant_power(c: Counts, base: float = math.e) -> Values:
    r"""Log odds ratio in standard deviations of a logistic distribution.

    .. math:: \frac{\sqrt 3}{\pi} (\ln(TPR / FNR) + \ln(TNR / FPR))

    >>> discriminant_power([[20, 5], [10, 15]]).round(4)
    array([0.9878, 0.9878])
    """
    return log_odds_ratio.formula(c) * (math.sqrt(3) / math.pi / unit(base))


@_of_two_rates(
    symbol="ln LR+",
    aliases=("log_lr_plus",),
    range=(-inf, inf),
    perfect=inf,
    by_chance=0,
    rational=False,
    orders_like="likelihood_ratio_positive",
    orders_like_same_truth="precision",
    references=("powers2012",),
    elsewhere="weight of evidence (Good) of a prediction of the class",
)
def log_informedness(c: Counts) -> Values:
    """Logarithm of recall over fall-out: informedness with a ratio for the difference.

    >>> log_informedness([[20, 5], [10, 15]]).round(4)
    array([0.6931, 1.0986])
    """
    return log_ratio(c, c.tp * c.negative, c.fp * c.truth)


@_rate(
    symbol="ln PPV/FOR",
    range=(-inf, inf),
    perfect=inf,
    by_chance=0,
    undefined="one_class_predicted class_not_in_truth class_never_predicted",
    rational=False,
    orders_like="risk_ratio_predicted",
    references=("powers2012",),
)
def log_markedness(c: Counts) -> Values:
    """Logarithm of precision over the false omission rate: markedness, with a ratio likewise.

    >>> log_markedness([[20, 5], [10, 15]]).round(4)
    array([0.9808, 0.8109])
    """
    return log_ratio(c, c.tp * c.predicted_negative, c.fn * c.predicted)

"""Shares of what is true or of what is predicted: recall, precision and their kin."""

from functools import partial
from math import inf

import numpy as np

from chancemeter.counts import Counts, Values, like, ratio
from chancemeter.measures._shared import averages
from chancemeter.registry import measure

_rate = partial(measure, level="class", range=(0, 1), same="scale order unused split")
_share_of_truth = partial(
    _rate, same="scale order prevalence unused split", undefined="class_not_in_truth"
)
_share_of_rest = partial(_rate, undefined="class_is_all_truth")
_share_of_predicted = partial(
    _rate, same="scale order bias unused split", undefined="class_never_predicted"
)
_share_of_not_predicted = partial(_rate, undefined="class_always_predicted")
_of_two_rates = partial(
    _rate, undefined="one_class_in_truth class_not_in_truth class_never_predicted"
)


@_share_of_truth(
    symbol="TPR",
    share="tp of truth",
    aliases=(
        "dice_asymmetric_index",
        "hit_rate",
        "pod",
        "producers_accuracy",
        "recall_score",
        "sens",
        "sensitivity",
        "tpr",
        "true_positive_rate",
    ),
    shorthand=averages("recall", "recall", "tpr"),
    orders_like="recall",
    references=("yerushalmy1947", "powers2011"),
    good_for="one class that must not be missed",
    not_for="judging alone: always naming the class scores 1",
    elsewhere="sensitivity (medicine), producer's accuracy (maps), detection probability (weather)",
)
def recall(c: Counts) -> Values:
    """Share of the cases of the class that are found.

    >>> recall([[20, 5], [10, 15]])
    array([0.8, 0.6])
    """
    return ratio(c.tp, c.truth)


@_share_of_rest(
    symbol="TNR",
    share="tn of negative",
    aliases=(
        "correct_rejection_rate",
        "inverse_recall",
        "selectivity",
        "spec",
        "tnr",
        "true_negative_rate",
    ),
    shorthand=averages("specificity", "specificity", "tnr"),
    orders_like="specificity",
    references=("yerushalmy1947", "powers2011"),
    not_for="a rare class, whose many negatives keep it near 1",
)
def specificity(c: Counts) -> Values:
    """Share of the cases of other classes that are kept out of the class.

    >>> specificity([[20, 5], [10, 15]])
    array([0.6, 0.8])
    """
    return ratio(c.tn, c.negative)


@_share_of_predicted(
    symbol="PPV",
    share="tp of predicted",
    aliases=(
        "dice_association_index",
        "pos_pred_value",
        "positive_predictive_value",
        "ppv",
        "precision_score",
        "success_ratio",
        "true_positive_accuracy",
        "users_accuracy",
    ),
    shorthand=averages("precision", "precision", "ppv"),
    orders_like="precision",
    references=("powers2011", "altman1994"),
    good_for="one class, when acting on a false alarm is costly",
    not_for="other prevalences than the one of the test set: see precision_at",
    elsewhere="predictive value (medicine), user's accuracy (maps), success ratio (weather)",
)
def precision(c: Counts) -> Values:
    """Share of the predictions of the class that are right.

    >>> precision([[20, 5], [10, 15]]).round(4)
    array([0.6667, 0.75  ])
    """
    return ratio(c.tp, c.predicted)


@_share_of_not_predicted(
    symbol="NPV",
    share="tn of predicted_negative",
    aliases=("inverse_precision", "neg_pred_value", "negative_predictive_value"),
    shorthand=averages("npv", "npv"),
    orders_like="npv",
    references=("powers2011", "altman1994"),
    good_for="ruling a class out",
    not_for="a rare class, whose many negatives keep it near 1",
)
def npv(c: Counts) -> Values:
    """Share of the predictions of other classes that are right about its not being the class.

    >>> npv([[20, 5], [10, 15]]).round(4)
    array([0.75  , 0.6667])
    """
    return ratio(c.tn, c.predicted_negative)


@_share_of_truth(
    symbol="FNR",
    share="fn of truth",
    aliases=("false_negative_rate", "fnr", "omission_error"),
    shorthand=averages("miss_rate", "fnr"),
    perfect=0,
    direction="lower",
    orders_like="recall",
    elsewhere="error of omission (maps)",
)
def miss_rate(c: Counts) -> Values:
    """Share of the cases of the class that are missed.

    >>> miss_rate([[20, 5], [10, 15]])
    array([0.2, 0.4])
    """
    return ratio(c.fn, c.truth)


@_share_of_rest(
    symbol="FPR",
    share="fp of negative",
    aliases=("false_alarm_rate", "false_positive_rate", "fpr", "pofd"),
    shorthand=averages("fall_out", "fpr"),
    perfect=0,
    direction="lower",
    orders_like="specificity",
    elsewhere="probability of false detection (weather), 1 − specificity (medicine)",
)
def fall_out(c: Counts) -> Values:
    """Share of the cases of other classes that are taken for the class.

    >>> fall_out([[20, 5], [10, 15]])
    array([0.4, 0.2])
    """
    return ratio(c.fp, c.negative)


@_share_of_predicted(
    symbol="FDR",
    share="fp of predicted",
    aliases=("commission_error", "false_alarm_ratio", "fdr"),
    shorthand=averages("false_discovery_rate", "fdr"),
    perfect=0,
    direction="lower",
    orders_like="precision",
    elsewhere="false alarm ratio (weather), error of commission (maps)",
)
def false_discovery_rate(c: Counts) -> Values:
    """Share of the predictions of the class that are wrong.

    >>> false_discovery_rate([[20, 5], [10, 15]]).round(4)
    array([0.3333, 0.25  ])
    """
    return ratio(c.fp, c.predicted)


@_share_of_not_predicted(
    symbol="FOR",
    share="fn of predicted_negative",
    aliases=("for", "for_"),
    shorthand=averages("false_omission_rate", "for"),
    perfect=0,
    direction="lower",
    orders_like="npv",
)
def false_omission_rate(c: Counts) -> Values:
    """Share of the predictions of other classes that miss the class.

    >>> false_omission_rate([[20, 5], [10, 15]]).round(4)
    array([0.25  , 0.3333])
    """
    return ratio(c.fn, c.predicted_negative)


@_of_two_rates(
    symbol="PPV_π",
    aliases=("ppv_at", "ppv_prev"),
    by_chance=0.5,
    orders_like="likelihood_ratio_positive",
    orders_like_same_truth="precision",
    references=("powers2012",),
    limits={"prevalence": (0, 1)},
    good_for="a test set whose class mix is not the one of use",
    elsewhere="posPredValue(prevalence=) in caret",
)
def precision_at(c: Counts, prevalence: float = 0.5) -> Values:
    r"""Precision if the class made up another share of the cases, by Bayes.

    .. math:: \pi\,TPR / (\pi\,TPR + (1 - \pi)\,FPR)

    >>> precision_at([[20, 5], [10, 15]], prevalence=0.1).round(4)
    array([0.1818, 0.25  ])
    """
    share = like(prevalence, c)
    right = share * c.tp * c.negative
    return ratio(right, right + (1 - share) * c.fp * c.truth)


@_rate(
    symbol="NPV_π",
    by_chance=0.5,
    undefined="one_class_in_truth class_not_in_truth class_always_predicted",
    orders_like="likelihood_ratio_negative",
    orders_like_same_truth="npv",
    references=("powers2012",),
    limits={"prevalence": (0, 1)},
    good_for="a test set whose class mix is not the one of use",
    elsewhere="negPredValue(prevalence=) in caret",
)
def npv_at(c: Counts, prevalence: float = 0.5) -> Values:
    r"""Negative predictive value if the class made up another share of the cases, by Bayes.

    .. math:: (1 - \pi)\,TNR / ((1 - \pi)\,TNR + \pi\,FNR)

    >>> npv_at([[20, 5], [10, 15]], prevalence=0.1).round(4)
    array([0.9643, 0.9474])
    """
    share = like(prevalence, c)
    right = (1 - share) * c.tn * c.truth
    return ratio(right, right + share * c.fn * c.negative)


@_of_two_rates(
    symbol="PT",
    aliases=("prev_threshold", "pt"),
    perfect=0,
    by_chance=0.5,
    direction="lower",
    rational=False,
    orders_like="likelihood_ratio_positive",
    orders_like_same_truth="precision",
    references=("balayla2020",),
)
def prevalence_threshold(c: Counts) -> Values:
    r"""Prevalence below which precision drops fastest.

    .. math:: \sqrt{FPR} / (\sqrt{TPR} + \sqrt{FPR})

    >>> prevalence_threshold([[20, 5], [10, 15]]).round(4)
    array([0.4142, 0.366 ])
    """
    alarms = np.sqrt(c.fp * c.truth)
    return ratio(alarms, np.sqrt(c.tp * c.negative) + alarms)


@_rate(
    symbol="NB",
    aliases=("nb",),
    range=(-inf, 1),
    perfect=None,
    undefined="no_cases",
    orders_like_same_truth="hamming_distance",
    references=("vickers2006",),
    limits={"weight": (0, inf)},
    good_for="deciding whether to act on predictions, given what a false alarm costs",
    not_for="other prevalences than the one of the test set",
)
def net_benefit(c: Counts, weight: float = 1) -> Values:
    """Hits less weighted false alarms, as a share of all cases.

    The weight is what a false alarm costs in hits; for a threshold probability t it is t/(1 − t).

    >>> net_benefit([[20, 5], [10, 15]])
    array([0.2, 0.2])
    """
    return ratio(c.tp - like(weight, c) * c.fp, c.n)

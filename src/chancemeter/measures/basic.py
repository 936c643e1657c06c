"""Counts and shares: what happened, before any judgement."""

from functools import partial
from math import inf

import numpy as np

from chancemeter.counts import Counts, Values, limit_ratio, ratio
from chancemeter.registry import measure

#: What the cards of counts have in common, and those of shares: neither judges by itself.
_number = partial(
    measure,
    range=(0, inf),
    perfect=None,
    direction="neither",
    same="order unused split",
    undefined="",
    level="class",
)
_share = partial(
    measure,
    range=(0, 1),
    perfect=None,
    direction="neither",
    same="scale order unused split",
    level="class",
)


@_number(
    symbol="n",
    aliases=("pop", "sample_size", "total_count"),
    level="table",
    same="order transpose unused split",
    orders_like="population",
    orders_like_same_truth="truth_alone",
)
def population(c: Counts) -> Values:
    """How many cases there are.

    >>> population([[20, 5], [10, 15]])
    50.0
    """
    return c.total


@measure(
    symbol="Acc",
    aliases=(
        "acc",
        "accuracy_score",
        "fraction_correct",
        "observed_agreement",
        "osr",
        "overall_acc",
        "overall_accuracy",
        "overall_success_rate",
        "percent_agreement",
        "po",
        "proportion_correct",
        "rand_accuracy",
    ),
    shorthand={
        "one_vs_rest_accuracy": "accuracy@each",
        "acc_class": "accuracy@each",
        "acc_macro": "accuracy@each@macro",
        "class_accuracy": "accuracy@each",
    },
    range=(0, 1),
    same="scale order transpose unused split",
    orders_like="accuracy",
    references=("labatut2011",),
    good_for="a test set with the class mix of real use, when all errors cost the same",
    not_for="unequal classes: always naming the largest class scores its share",
    elsewhere="overall success rate (Labatut), percent agreement (raters), overall accuracy (maps)",
    share="right of total",
)
def accuracy(c: Counts) -> Values:
    r"""Share of all cases that are predicted right.

    .. math:: \sum_i n_{ii} / n

    >>> accuracy([[20, 5], [10, 15]])
    0.7
    """
    return ratio(c.right, c.total)


@measure(
    symbol="Err",
    aliases=("hamming_loss", "misclassification_rate", "zero_one_loss"),
    shorthand={"one_vs_rest_error_rate": "error_rate@each", "err_class": "error_rate@each"},
    range=(0, 1),
    perfect=0,
    direction="lower",
    same="scale order transpose unused split",
    orders_like="accuracy",
    good_for="nearly perfect classifiers, where 1 − accuracy by subtraction loses its digits",
    elsewhere="zero-one loss, and with one label per case Hamming loss (scikit-learn)",
    share="wrong of total",
)
def error_rate(c: Counts) -> Values:
    """Share of all cases that are predicted wrong.

    >>> error_rate([[20, 5], [10, 15]])
    0.3
    """
    return ratio(c.wrong, c.total)


@_number(
    symbol="errors",
    aliases=("zero_one", "zero_one_loss_count"),
    level="table",
    perfect=0,
    direction="lower",
    same="order transpose unused split",
    orders_like_same_truth="accuracy",
)
def error_count(c: Counts) -> Values:
    """How many cases are predicted wrong.

    >>> error_count([[20, 5], [10, 15]])
    15.0
    """
    return c.wrong


@measure(
    symbol="IR",
    range=(1, inf),
    perfect=None,
    direction="neither",
    smooth=False,
    orders_like_same_truth="truth_alone",
    not_for="many classes: it sees the largest and the smallest only",
)
def imbalance_ratio(c: Counts) -> Values:
    """How many times larger the largest true class is than the smallest.

    >>> imbalance_ratio([[20, 5], [10, 15]])
    1.0
    """
    return limit_ratio(c.truth.max(-1), c.truth.min(-1))


@measure(
    symbol="IR > 3",
    aliases=("imbalance", "imbalance_flag"),
    range=(0, 1),
    perfect=None,
    direction="neither",
    smooth=False,
    orders_like_same_truth="truth_alone",
    limits={"threshold": (1, inf)},
    elsewhere="imbalance (PyCM, which lets a class without cases pass when the largest has 3)",
)
def imbalanced(c: Counts, threshold: float = 3) -> Values:
    r"""Whether the largest true class is more than three times the smallest: 1 yes, 0 no.

    .. math:: 1 \text{ if } \max_i n_{i+} > t \min_i n_{i+}, \text{ else } 0,
        \quad t \text{ the threshold}

    >>> imbalanced([[20, 5], [10, 15]])
    0.0
    """
    return ratio(c.total * (c.truth.max(-1) > threshold * c.truth.min(-1)), c.total)


@_number(
    symbol="n/k",
    aliases=("global_performance_index", "rr"),
    level="table",
    same="order transpose",
    orders_like="population",
    orders_like_same_truth="truth_alone",
    elsewhere="global performance index, RR (PyCM), though it says nothing about performance",
)
def cases_per_class(c: Counts) -> Values:
    """How many cases a class has on average.

    >>> cases_per_class([[20, 5], [10, 15]])
    25.0
    """
    return np.asarray(c.total / c.k)


@_number(
    symbol="TP",
    aliases=("hit_count", "tp", "true_positive"),
    direction="higher",
    same="order transpose unused split",
    orders_like_same_truth="recall",
    elsewhere="hits (weather, signal detection), joint presences (ecology)",
)
def true_positives(c: Counts) -> Values:
    """How many cases of the class are found.

    >>> true_positives([[20, 5], [10, 15]])
    array([20., 15.])
    """
    return c.tp


@_number(
    symbol="TN",
    aliases=("correct_rejections", "tn", "true_negative"),
    direction="higher",
    same="order transpose unused split",
    orders_like_same_truth="specificity",
    elsewhere="correct rejections (signal detection), joint absences (ecology)",
)
def true_negatives(c: Counts) -> Values:
    """How many cases of other classes are kept out of the class.

    >>> true_negatives([[20, 5], [10, 15]])
    array([15., 20.])
    """
    return c.tn


@_number(
    symbol="FP",
    aliases=("false_alarms", "type_1_errors", "false_positive", "fp"),
    perfect=0,
    direction="lower",
    orders_like_same_truth="specificity",
    elsewhere="false alarms, type I errors, errors of commission",
)
def false_positives(c: Counts) -> Values:
    """How many cases of other classes are taken for the class.

    >>> false_positives([[20, 5], [10, 15]])
    array([10.,  5.])
    """
    return c.fp


@_number(
    symbol="FN",
    aliases=("misses", "type_2_errors", "false_negative", "fn"),
    perfect=0,
    direction="lower",
    orders_like_same_truth="recall",
    elsewhere="misses, type II errors, errors of omission",
)
def false_negatives(c: Counts) -> Values:
    """How many cases of the class are missed.

    >>> false_negatives([[20, 5], [10, 15]])
    array([ 5., 10.])
    """
    return c.fn


@_number(
    symbol="P",
    aliases=("condition_positive", "p", "real_positives", "rp"),
    orders_like_same_truth="truth_of_class_alone",
)
def support(c: Counts) -> Values:
    """How many cases the class has.

    >>> support([[20, 5], [10, 15]])
    array([25., 25.])
    """
    return c.truth


@_number(
    symbol="N",
    aliases=("n_neg", "real_negatives", "rn"),
    orders_like_same_truth="truth_of_class_alone",
)
def condition_negative(c: Counts) -> Values:
    """How many cases all other classes have.

    >>> condition_negative([[20, 5], [10, 15]])
    array([25., 25.])
    """
    return c.negative


@_number(symbol="PP", aliases=("pp", "test_outcome_positive", "top"), orders_like_same_truth="bias")
def predicted_positives(c: Counts) -> Values:
    """How often the class is predicted.

    >>> predicted_positives([[20, 5], [10, 15]])
    array([30., 20.])
    """
    return c.predicted


@_number(
    symbol="PN",
    aliases=("pn", "test_outcome_negative", "ton"),
    orders_like_same_truth="inverse_bias",
)
def predicted_negatives(c: Counts) -> Values:
    """How often another class is predicted.

    >>> predicted_negatives([[20, 5], [10, 15]])
    array([20., 30.])
    """
    return c.predicted_negative


@_number(
    symbol="FP + FN",
    aliases=("class_error_count", "hd"),
    perfect=0,
    direction="lower",
    same="order transpose unused split",
    orders_like_same_truth="hamming_distance",
)
def hamming_distance(c: Counts) -> Values:
    """How many errors involve the class, as truth or as prediction.

    >>> hamming_distance([[20, 5], [10, 15]])
    array([15., 15.])
    """
    return c.fp + c.fn


@_number(
    symbol="PP − P",
    aliases=("am", "automatic_minus_manual", "marginal_difference"),
    range=(-inf, inf),
    perfect=0,
    orders_like_same_truth="bias",
    good_for="seeing which classes are predicted too often or too rarely",
)
def surplus(c: Counts) -> Values:
    """How many more predictions than cases the class has.

    >>> surplus([[20, 5], [10, 15]])
    array([ 5., -5.])
    """
    return c.fp - c.fn


@_share(
    symbol="prev",
    aliases=("base_rate", "class_prevalence", "positive_rate", "pr", "pre"),
    orders_like_same_truth="truth_of_class_alone",
    share="truth of n",
)
def prevalence(c: Counts) -> Values:
    """Share of all cases that belong to the class.

    >>> prevalence([[20, 5], [10, 15]])
    array([0.5, 0.5])
    """
    return ratio(c.truth, c.n)


@_share(
    symbol="1 − prev",
    aliases=("inv_prevalence",),
    orders_like="inverse_prevalence",
    orders_like_same_truth="truth_of_class_alone",
    share="negative of n",
)
def inverse_prevalence(c: Counts) -> Values:
    """Share of all cases that belong to other classes.

    >>> inverse_prevalence([[20, 5], [10, 15]])
    array([0.5, 0.5])
    """
    return ratio(c.negative, c.n)


@_share(
    symbol="bias",
    aliases=(
        "detection_prevalence",
        "label_bias",
        "predicted_positive_rate",
        "selection_rate",
        "topr",
    ),
    orders_like_same_truth="bias",
    references=("powers2011",),
    elsewhere="detection prevalence (caret), selection rate (fairness)",
    share="predicted of n",
)
def bias(c: Counts) -> Values:
    """Share of all predictions that name the class.

    >>> bias([[20, 5], [10, 15]])
    array([0.6, 0.4])
    """
    return ratio(c.predicted, c.n)


@_share(
    symbol="1 − bias",
    aliases=("inv_bias",),
    orders_like="inverse_bias",
    share="predicted_negative of n",
)
def inverse_bias(c: Counts) -> Values:
    """Share of all predictions that name another class.

    >>> inverse_bias([[20, 5], [10, 15]])
    array([0.4, 0.6])
    """
    return ratio(c.predicted_negative, c.n)


@_share(
    symbol="TP/n",
    aliases=("tp_proportion",),
    direction="higher",
    same="scale order transpose unused split",
    orders_like_same_truth="recall",
    share="tp of n",
)
def detection_rate(c: Counts) -> Values:
    """Share of all cases that belong to the class and are found.

    >>> detection_rate([[20, 5], [10, 15]])
    array([0.4, 0.3])
    """
    return ratio(c.tp, c.n)


@_share(
    symbol="N/P",
    aliases=("class_ratio", "class_skew", "real_skew", "skew_r"),
    range=(0, inf),
    orders_like="inverse_prevalence",
    orders_like_same_truth="truth_of_class_alone",
    references=("powers2012",),
)
def skew_real(c: Counts) -> Values:
    """Cases of other classes for every case of the class.

    >>> skew_real([[20, 5], [10, 15]])
    array([1., 1.])
    """
    return limit_ratio(c.negative, c.truth)


@_share(
    symbol="PN/PP",
    aliases=("label_ratio", "prediction_skew", "label_skew", "skew_p", "skew_pred"),
    range=(0, inf),
    orders_like="inverse_bias",
    references=("powers2012",),
)
def skew_predicted(c: Counts) -> Values:
    """Predictions of other classes for every prediction of the class.

    >>> skew_predicted([[20, 5], [10, 15]]).round(4)
    array([0.6667, 1.5   ])
    """
    return limit_ratio(c.predicted_negative, c.predicted)


@_share(
    symbol="BCD",
    aliases=("bcd", "bray_curtis_dissimilarity"),
    range=(0, 0.5),
    perfect=0,
    direction="lower",
    same="scale order transpose unused split",
    smooth=False,
    orders_like="bray_curtis",
    references=("braycurtis1957",),
    not_for="errors that cancel: it compares how many, never which cases",
)
def bray_curtis(c: Counts) -> Values:
    """How far apart predictions and cases of the class are in number, as a share of both totals.

    >>> bray_curtis([[20, 5], [10, 15]])
    array([0.05, 0.05])
    """
    return ratio(np.maximum(c.fp - c.fn, c.fn - c.fp), 2 * c.n)

"""How far the cases of a class and the predictions of it are the same cases."""

import math
from functools import partial
from math import inf

import numpy as np

from chancemeter.counts import Counts, Values, added, like, ratio
from chancemeter.measures._shared import averages
from chancemeter.registry import measure

_overlap = partial(
    measure,
    level="class",
    range=(0, 1),
    same="scale order transpose unused split",
    undefined="class_nowhere",
)
#: Of recall and precision, both of which must exist.
_of_both = partial(_overlap, undefined="class_not_in_truth class_never_predicted")


@_overlap(
    symbol="F_β",
    aliases=(
        "hellden_mean_accuracy",
        "van_rijsbergen_f",
        "czekanowski",
        "dice",
        "dice_coefficient",
        "dice_coincidence_index",
        "f",
        "f1",
        "f1_score",
        "f_beta",
        "f_meas",
        "f_measure",
        "fbeta",
        "fbeta_score",
        "hellden",
        "positive_specific_agreement",
        "ppos",
        "sorensen_dice",
    ),
    shorthand={
        "f05": "f_score(beta=0.5)",
        "f2": "f_score(beta=2)",
        **averages("f_score", "f1"),
    },
    orders_like="jaccard",
    references=("vanrijsbergen1979", "dice1945", "sorensen1948", "cicchetti1990"),
    good_for="finding one class among many others that nobody counts, as in search",
    not_for="two classes of equal weight: it changes when they swap names and ignores TN",
    elsewhere="Dice, Sørensen (ecology, images), positive specific agreement (raters)",
    share="tp of anywhere",
    of_share=lambda share, _: 2 * share / (1 + share),
    limits={"beta": (0, inf)},
)
def f_score(c: Counts, beta: float = 1) -> Values:
    r"""Harmonic mean of recall and precision, recall weighing beta times as much.

    .. math:: (1 + \beta^2) TP / ((1 + \beta^2) TP + \beta^2 FN + FP)

    >>> f_score([[20, 5], [10, 15]]).round(4)
    array([0.7273, 0.6667])
    """
    square = like(beta, c) ** 2
    return ratio((1 + square) * c.tp, square * c.truth + c.predicted)


@_overlap(
    symbol="J",
    aliases=(
        "coefficient_of_community",
        "critical_success_index",
        "intersection_over_union",
        "iou",
        "jaccard_index",
        "jaccard_score",
        "ratio_of_verification",
        "shorts_measure",
        "tanimoto",
        "threat_score",
    ),
    shorthand={
        "mean_iou": "jaccard@macro",
        "overall_jaccard": "jaccard@macro",
        **averages("jaccard", "jaccard"),
    },
    orders_like="jaccard",
    references=("jaccard1912", "gilbert1884", "labatut2011"),
    good_for="overlap of regions in images and maps; events that are rare",
    not_for="two classes of equal weight: it ignores true negatives",
    elsewhere="critical success index, threat score (weather), IoU (images), Tanimoto (chemistry)",
    share="tp of anywhere",
)
def jaccard(c: Counts) -> Values:
    r"""Hits among all cases that are of the class, predicted as it, or both.

    .. math:: TP / (TP + FP + FN)

    >>> jaccard([[20, 5], [10, 15]]).round(4)
    array([0.5714, 0.5   ])
    """
    return ratio(c.tp, c.truth + c.fp)


@measure(
    symbol="ΣJ",
    range=(0, math.inf),
    perfect=None,
    same="scale order transpose",
    undefined="any_class_nowhere",
    not_for="comparing tables with different numbers of classes: see mean_iou",
    elsewhere="first entry of Overall J (PyCM)",
    mean_of="jaccard",
)
def jaccard_sum(c: Counts) -> Values:
    r"""Hits among all that is of a class or predicted as it, added over classes.

    .. math:: \sum_i \frac{n_{ii}}{n_{i+} + n_{+i} - n_{ii}}

    >>> round(jaccard_sum([[20, 5], [10, 15]]), 4)
    1.0714
    """
    return added(jaccard.formula(c))


@_of_both(
    symbol="G",
    aliases=(
        "cosine",
        "cosine_similarity",
        "fowlkes_mallows_class",
        "ochiai",
        "ooc",
        "otsuka_ochiai",
    ),
    rational=False,
    orders_like="g_measure",
    references=("fowlkes1983", "ochiai1957"),
    elsewhere="Ochiai (ecology), cosine (text), Fowlkes-Mallows (clusters)",
)
def g_measure(c: Counts) -> Values:
    """Geometric mean of recall and precision.

    >>> g_measure([[20, 5], [10, 15]]).round(4)
    array([0.7303, 0.6708])
    """
    return ratio(c.tp, np.sqrt(c.truth * c.predicted))


@_of_both(
    symbol="(TPR + PPV)/2",
    aliases=("aupr", "kulczynski_ii"),
    orders_like="kulczynski",
    references=("kulczynski1927", "labatut2011"),
    elsewhere="AUPR (PyCM), though it is no area under a curve of thresholds",
)
def kulczynski(c: Counts) -> Values:
    """Mean of recall and precision.

    >>> kulczynski([[20, 5], [10, 15]]).round(4)
    array([0.7333, 0.675 ])
    """
    return ratio(c.tp * (c.truth + c.predicted), 2 * c.truth * c.predicted)


@_of_both(
    symbol="TPR·PPV",
    aliases=("sensitivity_precision_product", "tpr_ppv_product"),
    orders_like="g_measure",
    references=("labatut2011",),
)
def recall_precision_product(c: Counts) -> Values:
    """Recall times precision.

    >>> recall_precision_product([[20, 5], [10, 15]]).round(4)
    array([0.5333, 0.45  ])
    """
    return ratio(c.tp * c.tp, c.truth * c.predicted)


@_of_both(
    symbol="√((TPR² + PPV²)/2)",
    aliases=("tpr_ppv_quadratic",),
    rational=False,
    references=("labatut2011",),
)
def recall_precision_quadratic(c: Counts) -> Values:
    """Quadratic mean of recall and precision.

    >>> recall_precision_quadratic([[20, 5], [10, 15]]).round(4)
    array([0.7364, 0.6792])
    """
    squares = c.truth * c.truth + c.predicted * c.predicted
    return ratio(c.tp * np.sqrt(squares), math.sqrt(2) * c.truth * c.predicted)


@_overlap(
    symbol="min(TPR, PPV)",
    aliases=("braun_blanquet_similarity", "bb", "braun_blanquet", "tpr_ppv_min"),
    smooth=False,
    references=("braunblanquet1932",),
)
def recall_precision_min(c: Counts) -> Values:
    """Hits over cases or over predictions of the class, whichever are more.

    >>> recall_precision_min([[20, 5], [10, 15]]).round(4)
    array([0.6667, 0.6   ])
    """
    return ratio(c.tp, np.maximum(c.truth, c.predicted))


@_of_both(
    symbol="max(TPR, PPV)",
    aliases=("oc", "overlap_coefficient", "simpson", "szymkiewicz_simpson", "tpr_ppv_max"),
    smooth=False,
    references=("szymkiewicz1934", "simpson1943"),
    not_for="judging alone: always naming the class scores 1",
)
def recall_precision_max(c: Counts) -> Values:
    """Hits over cases or over predictions of the class, whichever are fewer.

    >>> recall_precision_max([[20, 5], [10, 15]])
    array([0.8 , 0.75])
    """
    return ratio(c.tp, np.minimum(c.truth, c.predicted))


@_of_both(
    symbol="ICSI",
    aliases=("individual_classification_success_index",),
    range=(-1, 1),
    orders_like="kulczynski",
    references=("koukoulas2001", "labatut2011"),
    not_for="reading 0 as chance: its value by chance is prevalence + bias − 1",
)
def icsi(c: Counts) -> Values:
    """One less the shares of misses and of false alarms: recall + precision − 1.

    >>> icsi([[20, 5], [10, 15]]).round(4)
    array([0.4667, 0.35  ])
    """
    return ratio(c.tp * c.tp - c.fp * c.fn, c.truth * c.predicted)


@measure(
    symbol="CSI",
    aliases=("classification_success_index",),
    range=(-1, 1),
    same="scale order transpose",
    undefined="any_class_not_in_truth any_class_never_predicted",
    references=("koukoulas2001",),
    not_for="events and warnings, where CSI is the critical success index: see jaccard",
    mean_of="kulczynski",
)
def csi(c: Counts) -> Values:
    r"""Mean over classes of recall + precision − 1.

    .. math:: \frac{1}{k} \sum_i \left(\frac{n_{ii}}{n_{i+}} + \frac{n_{ii}}{n_{+i}} - 1\right)

    >>> round(csi([[20, 5], [10, 15]]), 4)
    0.4083
    """
    return added(icsi.formula(c)) / c.k


@_overlap(
    symbol="T_αβ",
    aliases=("ti", "tversky_index"),
    orders_like="jaccard",
    references=("tversky1977",),
    limits={"alpha": (0, inf), "beta": (0, inf)},
    good_for="overlap in which misses and false alarms cost unequally",
)
def tversky(c: Counts, alpha: float = 1, beta: float = 1) -> Values:
    r"""Jaccard's overlap with misses weighing alpha and false alarms beta.

    .. math:: TP / (TP + \alpha FN + \beta FP)

    >>> tversky([[20, 5], [10, 15]], alpha=0.3, beta=0.7).round(4)
    array([0.7018, 0.6977])
    """
    return ratio(c.tp, c.tp + like(alpha, c) * c.fn + like(beta, c) * c.fp)


@_overlap(
    symbol="P4",
    aliases=("unified_performance_measure", "upm"),
    undefined="one_and_the_same_class class_nowhere class_all_wrong",
    references=("sitarz2022",),
    good_for="F1 for two classes that matter alike: it stays the same when they swap names",
)
def p4(c: Counts) -> Values:
    r"""Harmonic mean of recall, precision, specificity and negative predictive value.

    .. math:: 4\,TP\,TN / (4\,TP\,TN + (TP + TN)(FP + FN))

    >>> p4([[20, 5], [10, 15]]).round(4)
    array([0.6957, 0.6957])
    """
    right = 4 * c.tp * c.tn
    return ratio(right, right + (c.tp + c.tn) * (c.fp + c.fn))


@_overlap(
    symbol="F₁ of the rest",
    aliases=("f1_neg", "inverse_f1", "negative_specific_agreement", "pneg"),
    undefined="class_everywhere",
    orders_like="f1_negative",
    references=("cicchetti1990",),
    not_for="a rare class, whose many negatives keep it near 1",
    elsewhere="negative specific agreement (raters), Fleiss-Levin-Paik (PyCM)",
)
def f1_negative(c: Counts) -> Values:
    """Harmonic mean of specificity and negative predictive value: F1 of all that is not the class.

    >>> f1_negative([[20, 5], [10, 15]]).round(4)
    array([0.6667, 0.7273])
    """
    return ratio(2 * c.tn, c.negative + c.predicted_negative)


@_overlap(
    symbol="AGF",
    aliases=("adjusted_f_measure", "agf"),
    same="scale order unused split",
    undefined="one_and_the_same_class class_nowhere",
    rational=False,
    references=("maratea2014",),
    good_for="a rare class of which the hits matter most, without ignoring true negatives",
)
def adjusted_f_score(c: Counts) -> Values:
    """Geometric mean of F2 of the class and F0.5 of all that is not the class.

    >>> adjusted_f_score([[20, 5], [10, 15]]).round(4)
    array([0.7412, 0.6565])
    """
    of = (4 * c.truth + c.predicted) * (c.negative + 4 * c.predicted_negative)
    return ratio(5 * np.sqrt(c.tp * c.tn), np.sqrt(of))


@measure(
    symbol="CBA",
    aliases=("cba",),
    range=(0, 1),
    same="scale order transpose",
    undefined="any_class_nowhere",
    smooth=False,
    references=("mosley2013",),
    good_for="many classes of unequal size, each to count the same",
    mean_of="recall_precision_min",
)
def class_balance_accuracy(c: Counts) -> Values:
    r"""Mean over classes of the smaller of recall and precision.

    .. math:: \frac{1}{k} \sum_i n_{ii} / \max(n_{i+}, n_{+i})

    >>> round(class_balance_accuracy([[20, 5], [10, 15]]), 4)
    0.6333
    """
    return added(recall_precision_min.formula(c)) / c.k

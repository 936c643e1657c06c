"""How evenly the classes are found: means of the rates of true classes, and distances."""

import math
from functools import partial

import numpy as np

from chancemeter.counts import Counts, Values, added, like, log, ratio
from chancemeter.registry import measure

#: Products below this have lost digits of their own.
_VANISHED = 1e-280

_of_rates = partial(
    measure,
    level="class",
    range=(0, 1),
    same="scale order unused split",
    undefined="one_class_in_truth class_not_in_truth",
)


@measure(
    symbol="BA",
    aliases=(
        "macro_tpr",
        "average_class_accuracy",
        "average_producers_accuracy",
        "bacc",
        "bal_accuracy",
        "balanced_accuracy_score",
        "macro_recall",
        "mean_class_accuracy",
        "mean_recall",
        "uar",
        "unweighted_average_recall",
    ),
    shorthand={
        "single_point_auc": "balanced_accuracy@each",
        "auc_point": "balanced_accuracy@each",
        "aunp": "balanced_accuracy@each@truth",
        "aunu": "balanced_accuracy@each@macro",
        "bal_acc_class": "balanced_accuracy@each",
    },
    range=(0, 1),
    same="scale order prevalence",
    undefined="any_class_not_in_truth",
    orders_like="balanced_accuracy",
    references=("brodersen2010",),
    good_for="unequal classes that matter alike; any prevalence",
    not_for="a class with a handful of cases, which then decides the value",
    elsewhere="with two classes the area under the ROC curve of one threshold",
    mean_of="recall",
)
def balanced_accuracy(c: Counts) -> Values:
    r"""Mean over classes of the share of their cases that is found.

    .. math:: \frac{1}{k} \sum_i n_{ii} / n_{i+}

    >>> balanced_accuracy([[20, 5], [10, 15]])
    0.7
    """
    return added(ratio(c.tp, c.truth)) / c.k


@measure(
    symbol="BA_adj",
    aliases=("balanced_accuracy_adj",),
    range=(-1, 1),
    by_chance=0,
    same="scale order prevalence",
    undefined="fewer_than_two_classes any_class_not_in_truth",
    orders_like="balanced_accuracy",
    references=("brodersen2010",),
    good_for="unequal classes that matter alike, with 0 for guessing in any way",
    elsewhere="balanced_accuracy_score(adjusted=True) in scikit-learn; Youden's J with two classes",
    mean_of="recall",
)
def balanced_accuracy_adjusted(c: Counts) -> Values:
    r"""Balanced accuracy with guessing put to 0.

    .. math:: (BA - 1/k) / (1 - 1/k)

    >>> round(balanced_accuracy_adjusted([[20, 5], [10, 15]]), 4)
    0.4
    """
    found, missed = ratio(c.tp, c.truth), ratio(c.fn, c.truth)
    # The 1 is taken from the largest share: what is left of it are its misses.
    largest = np.arange(c.k) == np.argmax(found.real, axis=-1)[..., None]
    beyond = added(np.where(largest, -missed, found))
    return ratio(beyond * c.total, (c.k - 1) * c.total)


@_of_rates(
    symbol="GM",
    aliases=("geometric_mean_score", "gm"),
    rational=False,
    references=("kubat1998",),
    good_for="two unequal classes of which neither may be given up",
)
def g_mean(c: Counts) -> Values:
    """Geometric mean of the rates at which the class and all others are found.

    >>> g_mean([[20, 5], [10, 15]]).round(4)
    array([0.6928, 0.6928])
    """
    return np.sqrt(ratio(c.tp * c.tn, c.truth * c.negative))


@measure(
    symbol="GM_k",
    aliases=(
        "multiclass_g_mean",
        "gm_multi",
    ),
    range=(0, 1),
    same="scale order prevalence",
    undefined="any_class_not_in_truth",
    rational=False,
    references=("sun2006",),
    not_for="many classes: one that is never hit makes it 0",
)
def g_mean_multiclass(c: Counts) -> Values:
    r"""Geometric mean over classes of the share of their cases that is found.

    .. math:: \left(\prod_i n_{ii} / n_{i+}\right)^{1/k}

    >>> round(g_mean_multiclass([[20, 5], [10, 15]]), 4)
    0.6928
    """
    each = ratio(c.tp, c.truth)
    product, root = each.prod(-1), np.exp(added(log(each)) / c.k)
    # Logarithms lose digits: a Newton step brings them back where the product has not vanished.
    step = root + root * (ratio(product, root**c.k) - 1) / c.k
    return np.asarray(np.where(np.abs(product) > _VANISHED, step, root))


@_of_rates(
    symbol="AGM",
    aliases=("adjusted_geometric_mean", "agm"),
    rational=False,
    references=("batuwita2009",),
    good_for="a rare class to be found more often at little cost in specificity",
    not_for="a class that is never hit, for which it jumps to 0",
)
def adjusted_g_mean(c: Counts) -> Values:
    r"""Mean of g-mean and specificity, the latter weighted by the share of other classes.

    .. math:: (GM + TNR \cdot N/n) / (1 + N/n), \quad 0 \text{ if } TPR = 0

    >>> adjusted_g_mean([[20, 5], [10, 15]]).round(4)
    array([0.6619, 0.7285])
    """
    mean = g_mean.formula(c)
    return np.where(mean == 0, 0, ratio(c.n * mean + c.tn, c.n + c.negative))


@_of_rates(
    symbol="OP",
    aliases=("op",),
    range=(-1, 1),
    undefined="one_class_in_truth class_all_wrong class_not_in_truth",
    smooth=False,
    references=("ranawana2006",),
)
def optimized_precision(c: Counts) -> Values:
    r"""Accuracy less the relative difference of the rates at which class and others are found.

    .. math:: Acc - |TNR - TPR| / (TNR + TPR)

    >>> optimized_precision([[20, 5], [10, 15]]).round(4)
    array([0.5571, 0.5571])
    """
    # Brought to one fraction, in which every product stands on one side only.
    low, high = np.minimum(c.tp * c.fp, c.tn * c.fn), np.maximum(c.tp * c.fp, c.tn * c.fn)
    right, both = c.tp + c.tn, 2 * c.tp * c.tn + low
    return ratio(right * both + c.n * low - (c.fp + c.fn) * high, c.n * (both + high))


@_of_rates(
    symbol="IBA_α",
    aliases=("iba_alpha", "index_of_balanced_accuracy"),
    references=("garcia2009",),
    elsewhere="make_index_balanced_accuracy in imbalanced-learn, whose alpha is 0.1",
)
def iba(c: Counts, alpha: float = 1) -> Values:
    r"""Squared g-mean, raised where the class is found more easily than the others.

    .. math:: (1 + \alpha (TPR - TNR)) \cdot TPR \cdot TNR

    >>> iba([[20, 5], [10, 15]]).round(4)
    array([0.576, 0.384])
    """
    pairs, share = c.truth * c.negative, like(alpha, c)
    raised = share * c.tp * c.negative + (c.fp + (1 - share) * c.tn) * c.truth
    return ratio(raised * c.tp * c.tn, pairs * pairs)


@_of_rates(
    symbol="dInd",
    aliases=("dind", "distance_to_corner"),
    range=(0, math.sqrt(2)),
    perfect=0,
    direction="lower",
    rational=False,
    orders_like="distance_index",
    elsewhere="closest.topleft, squared (pROC)",
)
def distance_index(c: Counts) -> Values:
    """Distance from the perfect corner of ROC space.

    >>> distance_index([[20, 5], [10, 15]]).round(4)
    array([0.4472, 0.4472])
    """
    missed, alarms = ratio(c.fn, c.truth), ratio(c.fp, c.negative)
    return np.asarray(np.sqrt(missed * missed + alarms * alarms))


@_of_rates(
    symbol="sInd",
    aliases=("sind",),
    rational=False,
    orders_like="distance_index",
)
def similarity_index(c: Counts) -> Values:
    """One less the distance from the perfect corner of ROC space, the farthest corner scoring 0.

    >>> similarity_index([[20, 5], [10, 15]]).round(4)
    array([0.6838, 0.6838])
    """
    missed, alarms = ratio(c.fn, c.truth), ratio(c.fp, c.negative)
    far = np.sqrt(missed * missed + alarms * alarms)
    # One less a distance near the square root of 2, with nothing taken away.
    near = ratio(c.tn, c.negative) * (1 + alarms) + ratio(c.tp, c.truth) * (1 + missed)
    return ratio(near, 2 + math.sqrt(2) * far)


@measure(
    symbol="CA_truth",
    aliases=("combined_accuracy_producers",),
    range=(0, 1),
    undefined="any_class_not_in_truth",
    references=("fung1988",),
    not_for="reading by itself: a mean of two measures of different things",
)
def combined_accuracy_truth(c: Counts) -> Values:
    r"""Mean of accuracy and of the mean share of each class that is found.

    .. math:: \frac{1}{2} \left(\sum_i n_{ii} / n + \frac{1}{k} \sum_i n_{ii} / n_{i+}\right)

    >>> combined_accuracy_truth([[20, 5], [10, 15]])
    0.7
    """
    return (ratio(c.right, c.total) + added(ratio(c.tp, c.truth)) / c.k) / 2


@measure(
    symbol="CA_pred",
    aliases=("combined_accuracy_users",),
    range=(0, 1),
    undefined="any_class_never_predicted",
    references=("fung1988",),
    not_for="reading by itself: a mean of two measures of different things",
)
def combined_accuracy_predicted(c: Counts) -> Values:
    r"""Mean of accuracy and of the mean share of each class's predictions that is right.

    .. math:: \frac{1}{2} \left(\sum_i n_{ii} / n + \frac{1}{k} \sum_i n_{ii} / n_{+i}\right)

    >>> round(combined_accuracy_predicted([[20, 5], [10, 15]]), 4)
    0.7042
    """
    return (ratio(c.right, c.total) + added(ratio(c.tp, c.predicted)) / c.k) / 2

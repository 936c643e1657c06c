"""Measures for classes that have an order: near misses count for less than far ones."""

from __future__ import annotations

import numpy as np

from chancemeter.counts import Counts, Values, others, ratio
from chancemeter.errors import Fault, InputError, printable
from chancemeter.registry import measure
from chancemeter.weights import Numbers, Weights, apart, disagreement, suited


def _weigh(c: Counts, weights: Weights, scores: Numbers | None) -> Values:
    return suited(disagreement(weights, c.k, scores), c.cells)


def _seen(c: Counts, w: Values) -> Values:
    """Weight of all errors made."""
    return np.asarray(c.cells.reshape(*c.cells.shape[:-2], c.k * c.k) @ w.ravel())


def _guessed(a: Values, b: Values, w: Values) -> Values:
    """Weight of the errors of guesses: classes drawn by `a` against classes drawn by `b`."""
    return np.asarray(((a @ w) * b).sum(-1))


def _against_labels(c: Counts, w: Values) -> Values:
    """Weight of all errors, over that of guesses drawn from the labels of both sides."""
    both = c.truth + c.predicted
    return ratio(4 * c.total * _seen(c, w), _guessed(both, both, w))


def _none_twice(c: Counts) -> Values:
    """What drawing two of the 2 n labels without putting back makes of chance's disagreement."""
    return ratio(2 * c.total - 1, 2 * c.total)


@measure(
    symbol="κ_w",
    aliases=("weighted_cohen_kappa",),
    shorthand={
        "kappa_linear": "weighted_kappa(weights=linear)",
        "linear_weighted_kappa": "weighted_kappa(weights=linear)",
        "kappa_quadratic": "weighted_kappa(weights=quadratic)",
        "quadratic_weighted_kappa": "weighted_kappa(weights=quadratic)",
        "qwk": "weighted_kappa(weights=quadratic)",
        "kappa_ordinal": "weighted_kappa(weights=ordinal)",
        "kappa_radical": "weighted_kappa(weights=radical)",
        "kappa_ratio": "weighted_kappa(weights=ratio)",
        "kappa_circular": "weighted_kappa(weights=circular)",
        "kappa_bipolar": "weighted_kappa(weights=bipolar)",
    },
    range=(-1, 1),
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_and_the_same_class",
    needs="cells",
    references=("cohen1968", "cicchetti1971", "fleisscohen1973", "gwet2014"),
    good_for="grades and other ordered classes, where a near miss is better than a far one",
    not_for="classes without an order: their arrangement would change the value",
    elsewhere="QWK with quadratic weights (Kaggle), Equal-Spacing and Fleiss-Cohen in vcd",
)
def weighted_kappa(
    c: Counts, weights: Weights = "linear", scores: Numbers | None = None
) -> Values:
    r"""Share of chance's disagreement that was avoided, far errors weighing more.

    .. math:: \kappa_w = 1 - n \sum_{ij} w_{ij} n_{ij} \Big/ \sum_{ij} w_{ij} n_{i+} n_{+j}

    ``weights`` is a name (identity, linear, quadratic, ordinal, radical, ratio, circular,
    bipolar), the k distances of classes 0, 1, 2 … ranks apart, or a k × k matrix. Distances and
    matrix say *disagreement*: 0 where right, more where worse; only their proportions count.
    ``scores`` are the places of the classes on the scale, 1 … k unless given.

    >>> weighted_kappa([[20, 5], [10, 15]])
    0.4
    """
    w = _weigh(c, weights, scores)
    return 1 - ratio(c.total * _seen(c, w), _guessed(c.truth, c.predicted, w))


@measure(
    symbol="π_w",
    aliases=("weighted_scott_pi",),
    range=(-1, 1),
    by_chance=0,
    chance="scott",
    same="scale transpose unused",
    undefined="no_cases one_and_the_same_class",
    needs="cells",
    orders_like_same_truth="weighted_pi",
    references=("scott1955", "gwet2014"),
    good_for="ordered classes, where both sides are taken to have the same class shares",
    not_for="classes without an order",
)
def weighted_pi(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    """Share of chance's disagreement that was avoided, guesses following the mean margin.

    ``weights`` and ``scores`` as in `weighted_kappa`.

    >>> round(weighted_pi([[20, 5], [10, 15]]), 4)
    0.3939
    """
    return 1 - _against_labels(c, _weigh(c, weights, scores))


@measure(
    symbol="S_w",
    aliases=("weighted_brennan_prediger",),
    range=(-2, 1),
    by_chance=0,
    chance="uniform",
    same="scale transpose",
    needs="cells",
    orders_like="mean_absolute_error",
    references=("brennanprediger1981", "gwet2014"),
    good_for="ordered classes, when all classes could have been guessed equally often",
    not_for="classes without an order, or scales with classes that nobody uses",
)
def weighted_s(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    """Share of chance's disagreement that was avoided, all classes guessed equally often.

    ``weights`` and ``scores`` as in `weighted_kappa`.

    >>> weighted_s([[20, 5], [10, 15]])
    0.4
    """
    w = _weigh(c, weights, scores)
    return 1 - ratio(c.k * c.k * _seen(c, w), c.total * w.sum())


@measure(
    symbol="AC2",
    aliases=("ac2",),
    range=(-1, 1),
    chance="gwet",
    same="scale transpose",
    needs="cells",
    references=("gwet2008", "gwet2014"),
    good_for="ordered classes of which one is very common",
    not_for="classes without an order, or scales with classes that nobody uses",
)
def gwet_ac2(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    r"""Agreement beyond chance where only hard cases are guessed, far errors weighing more.

    .. math:: p_e = \frac{\sum_{ij} a_{ij}}{k (k - 1)} \sum_i \pi_i (1 - \pi_i)

    with the agreement weights *a* (1 where right, 0 for the worst error) and the mean margin π.
    ``weights`` and ``scores`` as in `weighted_kappa`; the worst error counts as no agreement.

    >>> round(gwet_ac2([[20, 5], [10, 15]]), 4)
    0.4059
    """
    w, both = _weigh(c, weights, scores), c.truth + c.predicted
    worst, pairs, of = w.max(), c.k * (c.k - 1), 4 * c.total * c.total
    right = (c.k * c.k * worst - w.sum()) * (both * others(both)).sum(-1)
    return 1 - ratio(4 * pairs * c.total * _seen(c, w), of * pairs * worst - right)


@measure(
    symbol="α_w",
    aliases=("weighted_krippendorff_alpha",),
    shorthand={
        "alpha_interval": "weighted_alpha(weights=quadratic)",
        "alpha_ratio": "weighted_alpha(weights=ratio)",
    },
    range=(-1, 1),
    chance="scott",
    same="transpose unused",
    undefined="no_cases one_and_the_same_class",
    needs="cells",
    orders_like_same_truth="weighted_pi",
    references=("krippendorff2004", "gwet2014"),
    good_for="ordered classes, two coders of equal standing, few cases",
    not_for="classes without an order",
)
def weighted_alpha(
    c: Counts, weights: Weights = "linear", scores: Numbers | None = None
) -> Values:
    r"""Share of chance's disagreement that was avoided, guesses drawn from the labels used.

    Krippendorff's alpha of two raters, drawing without putting back:

    .. math:: \alpha = 1 - (2n - 1) \, 2 \sum w_{ij} n_{ij} \Big/ \sum w_{ij} s_i s_j,
        \quad s_i = n_{i+} + n_{+i}

    ``weights`` and ``scores`` as in `weighted_kappa`; quadratic is his interval level and ratio
    his ratio level. His ordinal level takes its distances from the data: `alpha_ordinal`.

    >>> weighted_alpha([[20, 5], [10, 15]])
    0.4
    """
    return 1 - _none_twice(c) * _against_labels(c.rescaled, _weigh(c, weights, scores))


@measure(
    symbol="α_ord",
    aliases=("krippendorff_alpha_ordinal",),
    range=(-1, 1),
    chance="scott",
    same="transpose unused",
    undefined="no_cases one_and_the_same_class",
    needs="cells",
    references=("krippendorff2004",),
    good_for="ordered classes with no distances to speak of, two coders of equal standing",
    not_for="classes without an order",
)
def alpha_ordinal(c: Counts) -> Values:
    """Krippendorff's alpha for ranks: two classes are as far apart as there are labels between.

    >>> alpha_ordinal([[20, 5], [10, 15]])
    0.4
    """
    shares = c.rescaled
    both = shares.truth + shares.predicted
    rank = _rank(both)
    gap = rank[..., :, None] - rank[..., None, :]
    seen = (gap * gap * shares.cells).sum((-2, -1))
    # The mean rank is zero, so the squared gaps of all pairs add up to 4 n times this sum.
    return 1 - _none_twice(c) * ratio(seen, (both * rank * rank).sum(-1))


@measure(
    symbol="CCC",
    aliases=("lin_ccc", "ccc"),
    range=(-1, 1),
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_and_the_same_class",
    needs="cells",
    references=("lin1989",),
    good_for="ordered classes that stand for amounts: is the prediction on the line y = x?",
    not_for="classes without an order",
    elsewhere="the same number as kappa with quadratic weights",
)
def concordance_correlation(c: Counts, scores: Numbers | None = None) -> Values:
    r"""Correlation of true and predicted scores, lowered where they differ in level or spread.

    .. math:: 2 s_{xy} / (s_x^2 + s_y^2 + (\bar x - \bar y)^2)

    with moments over n, as Lin has them. ``scores`` are 1 … k unless given.

    >>> concordance_correlation([[20, 5], [10, 15]])
    0.4
    """
    w = _weigh(c, "quadratic", scores)
    return 1 - ratio(c.total * _seen(c, w), _guessed(c.truth, c.predicted, w))


@measure(
    symbol="B_w",
    aliases=("weighted_bangdiwala_b",),
    range=(0, 1),
    same="scale transpose",
    undefined="no_cases nothing_in_common",
    needs="cells",
    references=("bangdiwala1985", "friendly2000"),
    good_for="reading an agreement chart with partial agreement shaded",
    not_for="classes without an order",
    elsewhere="Bangdiwala_Weighted of agreementplot in vcd",
)
def bangdiwala_b_weighted(c: Counts, steps: int = 1) -> Values:
    r"""Share of the agreement chart that is covered, near misses covering it in part.

    The chart has a rectangle of :math:`n_{i+} n_{+i}` for each class. Predictions at most *b*
    ranks off cover a part of it, which counts :math:`1 - b^2 / (k - 1)^2`. ``steps`` is how many
    ranks off may count: 1 as in vcd, k − 1 for all.

    >>> round(bangdiwala_b_weighted([[20, 5], [10, 15]]), 4)
    0.5
    """
    if not isinstance(steps, int) or steps < 0:
        fault = Fault("CM302", "steps= is a whole number from 0 up", saw=printable(steps))
        raise InputError(fault)
    most, unit = min(steps, c.k - 1), max(1, (c.k - 1) ** 2)
    bands = [np.where(apart(c.k) <= b, c.cells, 0) for b in range(most + 1)]
    boxes = np.stack([(near.sum(-1) * near.sum(-2)).sum(-1) for near in bands], -1)
    # Each box holds the smaller ones: by parts, so that no box is taken off another.
    parts = np.array([*(2 * b + 1 for b in range(most)), unit - most**2])
    return ratio(boxes @ parts, unit * (c.truth * c.predicted).sum(-1))


# Rank correlation: pairs of cases that truth and prediction put into the same order or not.


def _below(x: Values) -> Values:
    """The sum of all entries before each one."""
    found = np.zeros_like(x)
    np.cumsum(x[..., :-1], axis=-1, out=found[..., 1:])
    return found


def _above(x: Values) -> Values:
    """The sum of all entries after each one."""
    return _below(x[..., ::-1])[..., ::-1]


def _rank(x: Values) -> Values:
    """Twice the mean rank of each class of sizes `x`, their mean taken off."""
    return _below(x) - _above(x)


def _pairs(c: Counts) -> tuple[Values, Values]:
    """Pairs of cases in the same order on both sides, and in opposite order."""
    here = c.cells[..., :-1, :]
    later = np.cumsum(c.cells[..., :0:-1, :], axis=-2)[..., ::-1, :]
    same, opposite = here * _above(later), here * _below(later)
    return same.sum((-2, -1)), opposite.sum((-2, -1))


def _untied(x: Values) -> Values:
    """Twice the number of pairs of cases from different classes."""
    return np.asarray((x * others(x)).sum(-1))


@measure(
    symbol="γ",
    aliases=("gk_gamma", "gamma"),
    range=(-1, 1),
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    needs="cells",
    references=("goodmankruskal1954",),
    good_for="ordered classes: of two cases told apart, how often is their order right?",
    not_for="many ties, which it leaves out: one pair in order can make it 1",
    elsewhere="Yule's Q with two classes",
)
def goodman_kruskal_gamma(c: Counts) -> Values:
    """Surplus of pairs in the right order over pairs in the wrong one, ties left out.

    >>> round(goodman_kruskal_gamma([[20, 5], [10, 15]]), 4)
    0.7143
    """
    same, opposite = _pairs(c)
    return ratio(same - opposite, same + opposite)


@measure(
    symbol="τ_b",
    aliases=("tau_b", "kendall_tau"),
    range=(-1, 1),
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    needs="cells",
    rational=False,
    references=("kendall1945",),
    good_for="ordered classes: rank correlation with many ties on both sides",
    not_for="classes without an order",
)
def kendall_tau_b(c: Counts) -> Values:
    """Rank correlation: surplus of rightly ordered pairs over all pairs, corrected for ties.

    >>> round(kendall_tau_b([[20, 5], [10, 15]]), 4)
    0.4082
    """
    same, opposite = _pairs(c)
    pairs = np.sqrt(_untied(c.truth)) * np.sqrt(_untied(c.predicted))
    return ratio(2 * (same - opposite), pairs)


@measure(
    symbol="τ_c",
    aliases=("tau_c", "kendall_tau_c"),
    range=(-1, 1),
    perfect=None,
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    needs="cells",
    orders_like_same_truth="somers_d",
    references=("stuart1953",),
    good_for="ordered classes, when truth and prediction use different numbers of classes",
    not_for="classes without an order",
)
def stuart_tau_c(c: Counts) -> Values:
    r"""Rank correlation: surplus of rightly ordered pairs over the most that can be.

    .. math:: 2 m (C - D) / (n^2 (m - 1))

    with *m* the number of classes that occur in truth or prediction, whichever is smaller.

    >>> stuart_tau_c([[20, 5], [10, 15]])
    0.4
    """
    same, opposite = _pairs(c)
    used = np.minimum((c.truth != 0).sum(-1), (c.predicted != 0).sum(-1))
    return ratio(2 * used * (same - opposite), c.total * c.total * (used - 1))


@measure(
    symbol="d_yx",
    aliases=("somers_d_prediction",),
    range=(-1, 1),
    by_chance=0,
    same="scale unused",
    undefined="no_cases one_class_in_truth",
    needs="cells",
    orders_like_same_truth="somers_d",
    references=("somers1962",),
    good_for="ordered classes: of two cases that truly differ, is the order predicted right?",
    not_for="classes without an order",
    elsewhere="with two classes: informedness; 2 AUC − 1 of the predicted ranks",
)
def somers_d(c: Counts) -> Values:
    """Surplus of rightly ordered pairs among all pairs of cases whose true classes differ.

    >>> somers_d([[20, 5], [10, 15]])
    0.4
    """
    same, opposite = _pairs(c)
    return ratio(2 * (same - opposite), _untied(c.truth))


@measure(
    symbol="d_xy",
    range=(-1, 1),
    by_chance=0,
    same="scale unused",
    undefined="no_cases one_class_predicted",
    needs="cells",
    references=("somers1962",),
    good_for="ordered classes: of two cases predicted apart, is the order true?",
    not_for="classes without an order",
    elsewhere="with two classes: markedness",
)
def somers_d_truth(c: Counts) -> Values:
    """Surplus of rightly ordered pairs among all pairs of cases whose predictions differ.

    >>> round(somers_d_truth([[20, 5], [10, 15]]), 4)
    0.4167
    """
    same, opposite = _pairs(c)
    return ratio(2 * (same - opposite), _untied(c.predicted))


@measure(
    symbol="ρ_s",
    aliases=("spearman_rho", "spearman_correlation"),
    range=(-1, 1),
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    needs="cells",
    rational=False,
    references=("spearman1904",),
    good_for="ordered classes: do truth and prediction rank the cases alike?",
    not_for="classes without an order",
)
def spearman(c: Counts) -> Values:
    """Correlation of the ranks of truth and prediction, tied cases sharing their mean rank.

    >>> round(spearman([[20, 5], [10, 15]]), 4)
    0.4082
    """
    truth, predicted = _rank(c.truth), _rank(c.predicted)
    along = (truth * (c.cells @ predicted[..., None])[..., 0]).sum(-1)
    spread = np.sqrt((c.truth * truth * truth).sum(-1))
    return ratio(along, spread * np.sqrt((c.predicted * predicted * predicted).sum(-1)))


# Distance in ranks.


@measure(
    symbol="MAE",
    aliases=("mae",),
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    same="scale transpose unused",
    needs="cells",
    orders_like="mean_absolute_error",
    references=("baccianella2009",),
    good_for="ordered classes: how many ranks off is a prediction on average?",
    not_for="rare classes, whose errors hardly count: see macro_mean_absolute_error",
)
def mean_absolute_error(c: Counts) -> Values:
    """Mean number of ranks between true and predicted class.

    >>> mean_absolute_error([[20, 5], [10, 15]])
    0.3
    """
    return ratio(_seen(c, apart(c.k)), c.total)


@measure(
    symbol="MSE",
    aliases=("mse",),
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    same="scale transpose unused",
    needs="cells",
    orders_like="mean_squared_error",
    references=("baccianella2009",),
    good_for="ordered classes where far errors are much worse than near ones",
    not_for="rare classes, whose errors hardly count",
)
def mean_squared_error(c: Counts) -> Values:
    """Mean square of the number of ranks between true and predicted class.

    >>> mean_squared_error([[20, 5], [10, 15]])
    0.3
    """
    return ratio(_seen(c, apart(c.k, 2)), c.total)


@measure(
    symbol="RMSE",
    aliases=("rmse",),
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    same="scale transpose unused",
    needs="cells",
    rational=False,
    orders_like="mean_squared_error",
    references=("baccianella2009",),
    good_for="as mean_squared_error, but in ranks",
    not_for="rare classes, whose errors hardly count",
)
def root_mean_squared_error(c: Counts) -> Values:
    """Root of the mean square of the number of ranks between true and predicted class.

    >>> round(root_mean_squared_error([[20, 5], [10, 15]]), 4)
    0.5477
    """
    return np.sqrt(ratio(_seen(c, apart(c.k, 2)), c.total))


@measure(
    symbol="MAE_M",
    aliases=("mamae", "macro_mae", "macro_averaged_mean_absolute_error"),
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    same="scale prevalence unused",
    undefined="no_cases predicted_but_not_true",
    needs="cells",
    references=("baccianella2009",),
    good_for="ordered classes of very different size, each counting the same",
    not_for="classes with hardly any cases, whose share of the value is mostly luck",
    elsewhere="macro_averaged_mean_absolute_error in imbalanced-learn",
)
def macro_mean_absolute_error(c: Counts) -> Values:
    """Mean number of ranks off, averaged over the true classes.

    A class that occurs nowhere is left out.

    >>> round(macro_mean_absolute_error([[20, 5], [10, 15]]), 4)
    0.3
    """
    off = (c.cells * apart(c.k)).sum(-1)
    used = (c.truth != 0) | (c.predicted != 0)
    each = ratio(off, c.truth * used.sum(-1, keepdims=True))
    return np.asarray(np.where(used | (c.n == 0), each, 0).sum(-1))


@measure(
    symbol="cost",
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    same="scale transpose unused",
    needs="cells",
    orders_like="mean_absolute_error",
    references=("baccianella2009",),
    good_for="ordered classes with errors that cost a power of the ranks they are off",
    not_for="costs that are no power of the rank",
)
def ordinal_cost(c: Counts, power: float = 1) -> Values:
    r"""Mean cost of a prediction, the number of ranks that it is off to a power.

    .. math:: \sum_{ij} |i - j|^q \, n_{ij} / n

    ``power`` 0 gives the error rate, 1 the mean absolute and 2 the mean squared error.

    >>> ordinal_cost([[20, 5], [10, 15]], power=2)
    0.3
    """
    return ratio(_seen(c, suited(apart(c.k, power), c.cells)), c.total)

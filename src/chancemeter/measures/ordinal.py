"""Measures for classes that have an order: near misses count for less than far ones."""

from __future__ import annotations

from functools import partial

import numpy as np

from chancemeter import weights as weigh
from chancemeter.counts import Counts, Values, dot, ratio
from chancemeter.measures._order import ordered_pairs, ranks, surplus, untied
from chancemeter.registry import measure
from chancemeter.weights import Numbers, Weights

_UNORDERED = "classes without an order: their arrangement would change the value"
_agreement = partial(
    measure,
    range=(-1, 1),
    same="scale transpose unused",
    undefined="no_cases one_and_the_same_class",
    needs="cells",
    not_for=_UNORDERED,
)
_ranked = partial(
    measure,
    range=(-1, 1),
    by_chance=0,
    same="scale transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    needs="cells",
    not_for=_UNORDERED,
)
_distance = partial(
    measure,
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    same="scale transpose unused",
    needs="cells",
    references=("baccianella2009",),
    not_for="rare classes, whose errors hardly count: see macro_mean_absolute_error",
)


@_agreement(
    symbol="κ_w",
    aliases=("weighted_cohen_kappa",),
    shorthand={
        "kappa_linear": "weighted_kappa(weights=linear)",
        "linear_weighted_kappa": "weighted_kappa(weights=linear)",
        "kappa_quadratic": "weighted_kappa(weights=quadratic)",
        "quadratic_weighted_kappa": "weighted_kappa(weights=quadratic)",
        "qwk": "weighted_kappa(weights=quadratic)",
        **{
            f"kappa_{name}": f"weighted_kappa(weights={name})"
            for name in ("ordinal", "radical", "ratio", "circular", "bipolar")
        },
    },
    by_chance=0,
    references=("cohen1968", "cicchetti1971", "fleisscohen1973", "gwet2014"),
    good_for="grades and other ordered classes, where a near miss is better than a far one",
    elsewhere="QWK with quadratic weights (Kaggle), Equal-Spacing and Fleiss-Cohen in vcd",
)
def weighted_kappa(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    r"""Share of chance's disagreement that was avoided, far errors weighing more.

    .. math:: \kappa_w = 1 - n \sum_{ij} w_{ij} n_{ij} \Big/ \sum_{ij} w_{ij} n_{i+} n_{+j}

    ``weights`` is a name (identity, linear, quadratic, ordinal, radical, ratio, circular,
    bipolar), the k distances of classes 0, 1, 2 … ranks apart, or a k × k matrix. Distances and
    matrix say *disagreement*: 0 where right, more where worse; only their proportions count.
    ``scores`` are the places of the classes on the scale, 1 … k unless given.

    >>> weighted_kappa([[20, 5], [10, 15]])
    0.4
    """
    return weigh.beyond_margins(c.cells, weigh.fitted(c, weights, scores))


@_agreement(
    symbol="π_w",
    aliases=("weighted_scott_pi",),
    by_chance=0,
    chance="scott",
    orders_like_same_truth="weighted_pi",
    references=("scott1955", "gwet2014"),
    good_for="ordered classes, where both sides are taken to have the same class shares",
)
def weighted_pi(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    r"""Share of chance's disagreement that was avoided, guesses following the mean margin.

    ``weights`` and ``scores`` as in `weighted_kappa`.

    .. math:: \pi_w = 1 - 2n \sum_{ij} w_{ij} (n_{ij} + n_{ji}) \Big/ \sum_{ij} w_{ij} s_i s_j,
        \quad s_i = n_{i+} + n_{+i}

    >>> round(weighted_pi([[20, 5], [10, 15]]), 4)
    0.3939
    """
    return weigh.beyond_margins(weigh.both_ways(c), weigh.fitted(c, weights, scores))


@_agreement(
    symbol="S_w",
    aliases=("weighted_brennan_prediger",),
    range=(-2, 1),
    by_chance=0,
    chance="uniform",
    same="scale transpose",
    undefined="no_cases",
    orders_like="mean_absolute_error",
    references=("brennanprediger1981", "gwet2014"),
    good_for="ordered classes, when all classes could have been guessed equally often",
    not_for="classes without an order, or scales with classes that nobody uses",
)
def weighted_s(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    r"""Share of chance's disagreement that was avoided, all classes guessed equally often.

    ``weights`` and ``scores`` as in `weighted_kappa`.

    .. math:: S_w = 1 - \frac{k^2 \sum_{ij} w_{ij} n_{ij}}{n \sum_{ij} w_{ij}}

    >>> weighted_s([[20, 5], [10, 15]])
    0.4
    """
    w = weigh.fitted(c, weights, scores)
    return ratio(weigh.total(c.cells, w.sum() - c.k * c.k * w), c.total * w.sum())


@_agreement(
    symbol="AC2",
    aliases=("ac2",),
    chance="gwet",
    same="scale transpose",
    undefined="no_cases",
    references=("gwet2008", "gwet2014"),
    good_for="ordered classes of which one is very common",
    not_for="classes without an order, or scales with classes that nobody uses",
)
def gwet_ac2(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    r"""Agreement beyond chance where only hard cases are guessed, far errors weighing more.

    .. math:: \frac{\sum_{ij} a_{ij} n_{ij} / n - p_e}{1 - p_e}, \quad q_i = (n_{i+} + n_{+i}) / (2n),
        \quad p_e = \frac{\sum_{ij} a_{ij}}{k (k - 1)} \sum_i q_i (1 - q_i)

    *a* is agreement, 0 for the worst error; ``weights`` and ``scores`` as in `weighted_kappa`.

    >>> round(gwet_ac2([[20, 5], [10, 15]]), 4)
    0.4059
    """
    w, n, pairs = weigh.fitted(c, weights, scores), 2 * c.total, c.k * (c.k - 1)
    # As `weighted_s`, and the more the classes differ in size, the less is left to chance.
    spread = np.square(c.k * (c.truth + c.predicted) - 2 * c.n).sum(-1)
    easier = (c.k * c.k * w.max() - w.sum()) * spread
    won = n * 2 * pairs * weigh.total(c.cells, w.sum() - c.k * c.k * w)
    return ratio(won + easier, pairs * n * n * w.sum() + easier)


@_agreement(
    symbol="α_w",
    aliases=("weighted_krippendorff_alpha",),
    shorthand={
        "alpha_interval": "weighted_alpha(weights=quadratic)",
        "alpha_ratio": "weighted_alpha(weights=ratio)",
    },
    chance="scott",
    same="transpose unused",
    orders_like_same_truth="weighted_pi",
    references=("krippendorff2004", "gwet2014"),
    good_for="ordered classes, two coders of equal standing, few cases",
)
def weighted_alpha(c: Counts, weights: Weights = "linear", scores: Numbers | None = None) -> Values:
    r"""Share of chance's disagreement that was avoided, guesses drawn from the labels used.

    Krippendorff's alpha of two raters, drawing without putting back:

    .. math:: \alpha = 1 - (2n - 1) \sum_{ij} w_{ij} (n_{ij} + n_{ji}) \Big/
        \sum_{ij} w_{ij} s_i s_j, \quad s_i = n_{i+} + n_{+i}

    ``weights`` and ``scores`` as in `weighted_kappa`; quadratic is his interval level and ratio
    his ratio level. His ordinal level takes its distances from the data: `alpha_ordinal`.

    >>> weighted_alpha([[20, 5], [10, 15]])
    0.4
    """
    w = weigh.fitted(c, weights, scores)
    spared, seen, guessed = weigh.against_margins(weigh.both_ways(c.rescaled), w)
    return ratio(spared + ratio(seen, 2 * c.total), guessed)


@_agreement(
    symbol="α_ord",
    aliases=("krippendorff_alpha_ordinal",),
    chance="scott",
    same="transpose unused",
    references=("krippendorff2004",),
    good_for="ordered classes with no distances to speak of, two coders of equal standing",
)
def alpha_ordinal(c: Counts) -> Values:
    r"""Krippendorff's alpha for ranks: two classes are as far apart as there are labels between.

    .. math:: \alpha = 1 - (2n - 1) \sum_{ij} w_{ij} (n_{ij} + n_{ji}) \Big/
        \sum_{ij} w_{ij} s_i s_j, \quad w_{ij} = (r_i - r_j)^2,
        \quad r_i = \sum_{l < i} s_l - \sum_{l > i} s_l, \quad s_i = n_{i+} + n_{+i}

    >>> alpha_ordinal([[20, 5], [10, 15]])
    0.4
    """
    cells = weigh.both_ways(c.rescaled)
    margin, n = cells.sum(-1), 2 * c.rescaled.total
    rank, step = ranks(margin), margin[..., 1:] + margin[..., :-1]
    gap = rank[..., :, None] - rank[..., None, :]
    spared = weigh.spare(cells, 2 * step[..., :, None] * step[..., None, :])
    seen = n * (gap * gap * cells).sum((-2, -1))
    # The mean rank is zero, so the squared gaps of all pairs add up to this.
    guessed = weigh.whole(spared, seen, 2 * n * (margin * rank * rank).sum(-1))
    return ratio(spared + ratio(seen, 2 * c.total), guessed)


@_agreement(
    symbol="CCC",
    aliases=("lin_ccc", "ccc"),
    by_chance=0,
    references=("lin1989",),
    good_for="ordered classes that stand for amounts: is the prediction on the line y = x?",
    elsewhere="the same number as kappa with quadratic weights",
)
def concordance_correlation(c: Counts, scores: Numbers | None = None) -> Values:
    r"""Correlation of true and predicted scores, lowered where they differ in level or spread.

    .. math:: 2 s_{xy} / (s_x^2 + s_y^2 + (\bar x - \bar y)^2)

    with moments over n, as Lin has them. ``scores`` are 1 … k unless given.

    >>> concordance_correlation([[20, 5], [10, 15]])
    0.4
    """
    return weigh.beyond_margins(c.cells, weigh.fitted(c, "quadratic", scores))


@_agreement(
    symbol="B_w",
    aliases=("weighted_bangdiwala_b",),
    range=(0, 1),
    same="scale transpose",
    undefined="no_cases nothing_in_common",
    references=("bangdiwala1985", "friendly2000"),
    limits={"steps": (0, np.inf)},
    good_for="reading an agreement chart with partial agreement shaded",
    elsewhere="Bangdiwala_Weighted of agreementplot in vcd",
)
def bangdiwala_b_weighted(c: Counts, steps: int = 1) -> Values:
    r"""Share of the agreement chart that is covered, near misses covering it in part.

    The chart has a rectangle of :math:`n_{i+} n_{+i}` for each class. Predictions at most *b*
    ranks off cover a part of it, which counts :math:`1 - b^2 / (k - 1)^2`. ``steps`` is how many
    ranks off may count: 1 as in vcd, k − 1 for all.

    .. math:: \frac{\sum_{b=0}^{m} (1 - b^2 / (k - 1)^2) (A_b - A_{b-1})}{\sum_i n_{i+} n_{+i}},
        \quad A_b = \sum_i \left(\sum_{|i - j| \le b} n_{ij}\right)
        \left(\sum_{|i - j| \le b} n_{ji}\right), \quad A_{-1} = 0, \quad m \text{ the steps}

    >>> round(bangdiwala_b_weighted([[20, 5], [10, 15]]), 4)
    0.5
    """
    most, unit = min(steps, c.k - 1), max(1, (c.k - 1) ** 2)
    bands = [np.where(weigh.apart(c.k) <= b, c.cells, 0) for b in range(most + 1)]
    boxes = np.stack([(near.sum(-1) * near.sum(-2)).sum(-1) for near in bands], -1)
    # Each box holds the smaller ones: by parts, so that no box is taken off another.
    parts = np.array([*(2 * b + 1 for b in range(most)), unit - most**2])
    return ratio(boxes @ parts, unit * dot(c.truth, c.predicted))


# Rank correlation: pairs of cases that truth and prediction put into the same order or not.


@_ranked(
    symbol="γ",
    aliases=("gk_gamma", "gamma"),
    references=("goodmankruskal1954",),
    good_for="ordered classes: of two cases told apart, how often is their order right?",
    not_for="many ties, which it leaves out: one pair in order can make it 1",
    elsewhere="Yule's Q with two classes",
)
def goodman_kruskal_gamma(c: Counts) -> Values:
    r"""Surplus of pairs in the right order over pairs in the wrong one, ties left out.

    .. math:: \gamma = \frac{C - D}{C + D},
        \quad C = \sum_{g < i,\, h < j} n_{gh} n_{ij}, \quad D = \sum_{g < i,\, h > j} n_{gh} n_{ij}

    >>> round(goodman_kruskal_gamma([[20, 5], [10, 15]]), 4)
    0.7143
    """
    same, opposite = ordered_pairs(c)
    return ratio(same - opposite, same + opposite)


@_ranked(
    symbol="τ_b",
    aliases=("tau_b", "kendall_tau"),
    rational=False,
    references=("kendall1945",),
    good_for="ordered classes: rank correlation with many ties on both sides",
)
def kendall_tau_b(c: Counts) -> Values:
    r"""Rank correlation: surplus of rightly ordered pairs over all pairs, corrected for ties.

    .. math:: \tau_b = \frac{2 (C - D)}{\sqrt{(n^2 - \sum_i n_{i+}^2)(n^2 - \sum_i n_{+i}^2)}},
        \quad C = \sum_{g < i,\, h < j} n_{gh} n_{ij}, \quad D = \sum_{g < i,\, h > j} n_{gh} n_{ij}

    >>> round(kendall_tau_b([[20, 5], [10, 15]]), 4)
    0.4082
    """
    return ratio(2 * surplus(c), np.sqrt(untied(c.truth)) * np.sqrt(untied(c.predicted)))


@_ranked(
    symbol="τ_c",
    aliases=("tau_c", "kendall_tau_c"),
    perfect=None,
    orders_like_same_truth="somers_d",
    references=("stuart1953",),
    good_for="ordered classes, when truth and prediction use different numbers of classes",
)
def stuart_tau_c(c: Counts) -> Values:
    r"""Rank correlation: surplus of rightly ordered pairs over the most that can be.

    .. math:: \tau_c = \frac{2 m (C - D)}{n^2 (m - 1)},
        \quad C = \sum_{g < i,\, h < j} n_{gh} n_{ij}, \quad D = \sum_{g < i,\, h > j} n_{gh} n_{ij}

    with *m* the number of classes that occur in truth or prediction, whichever is smaller.

    >>> stuart_tau_c([[20, 5], [10, 15]])
    0.4
    """
    used = np.minimum((c.truth != 0).sum(-1), (c.predicted != 0).sum(-1))
    return ratio(2 * used * surplus(c), c.total * c.total * (used - 1))


@_ranked(
    symbol="d_yx",
    aliases=("somers_d_prediction",),
    same="scale unused",
    undefined="no_cases one_class_in_truth",
    orders_like_same_truth="somers_d",
    references=("somers1962",),
    good_for="ordered classes: of two cases that truly differ, is the order predicted right?",
    elsewhere="with two classes: informedness; 2 AUC − 1 of the predicted ranks",
)
def somers_d(c: Counts) -> Values:
    r"""Surplus of rightly ordered pairs among all pairs of cases whose true classes differ.

    .. math:: \frac{2 (C - D)}{n^2 - \sum_i n_{i+}^2},
        \quad C = \sum_{g < i,\, h < j} n_{gh} n_{ij}, \quad D = \sum_{g < i,\, h > j} n_{gh} n_{ij}

    >>> somers_d([[20, 5], [10, 15]])
    0.4
    """
    return ratio(2 * surplus(c), untied(c.truth))


@_ranked(
    symbol="d_xy",
    same="scale unused",
    undefined="no_cases one_class_predicted",
    references=("somers1962",),
    good_for="ordered classes: of two cases predicted apart, is the order true?",
    elsewhere="with two classes: markedness",
)
def somers_d_truth(c: Counts) -> Values:
    r"""Surplus of rightly ordered pairs among all pairs of cases whose predictions differ.

    .. math:: \frac{2 (C - D)}{n^2 - \sum_i n_{+i}^2},
        \quad C = \sum_{g < i,\, h < j} n_{gh} n_{ij}, \quad D = \sum_{g < i,\, h > j} n_{gh} n_{ij}

    >>> round(somers_d_truth([[20, 5], [10, 15]]), 4)
    0.4167
    """
    return ratio(2 * surplus(c), untied(c.predicted))


@_ranked(
    symbol="ρ_s",
    aliases=("spearman_rho", "spearman_correlation"),
    rational=False,
    references=("spearman1904",),
    good_for="ordered classes: do truth and prediction rank the cases alike?",
)
def spearman(c: Counts) -> Values:
    r"""Correlation of the ranks of truth and prediction, tied cases sharing their mean rank.

    .. math:: \rho_s = \frac{\sum_{ij} t_i n_{ij} r_j}
        {\sqrt{\sum_i n_{i+} t_i^2 \cdot \sum_i n_{+i} r_i^2}},
        \quad t_i = \sum_{l < i} n_{l+} - \sum_{l > i} n_{l+},
        \quad r_i = \sum_{l < i} n_{+l} - \sum_{l > i} n_{+l}

    >>> round(spearman([[20, 5], [10, 15]]), 4)
    0.4082
    """
    truth, predicted = ranks(c.truth), ranks(c.predicted)
    along = (truth * (c.cells @ predicted[..., None])[..., 0]).sum(-1)
    spread = np.sqrt((c.truth * truth * truth).sum(-1))
    return ratio(along, spread * np.sqrt((c.predicted * predicted * predicted).sum(-1)))


@_distance(
    symbol="MAE",
    aliases=("mae",),
    orders_like="mean_absolute_error",
    good_for="ordered classes: how many ranks off is a prediction on average?",
)
def mean_absolute_error(c: Counts) -> Values:
    r"""Mean number of ranks between true and predicted class.

    .. math:: \sum_{ij} |i - j|\,n_{ij} / n

    >>> mean_absolute_error([[20, 5], [10, 15]])
    0.3
    """
    return ratio(weigh.total(c.cells, weigh.apart(c.k)), c.total)


@_distance(
    symbol="MSE",
    aliases=("mse",),
    orders_like="mean_squared_error",
    good_for="ordered classes where far errors are much worse than near ones",
)
def mean_squared_error(c: Counts) -> Values:
    r"""Mean square of the number of ranks between true and predicted class.

    .. math:: \sum_{ij} (i - j)^2\,n_{ij} / n

    >>> mean_squared_error([[20, 5], [10, 15]])
    0.3
    """
    return ratio(weigh.total(c.cells, weigh.apart(c.k, 2)), c.total)


@_distance(
    symbol="RMSE",
    aliases=("rmse",),
    rational=False,
    orders_like="mean_squared_error",
    good_for="as mean_squared_error, but in ranks",
)
def root_mean_squared_error(c: Counts) -> Values:
    r"""Root of the mean square of the number of ranks between true and predicted class.

    .. math:: \sqrt{\sum_{ij} (i - j)^2\,n_{ij} / n}

    >>> round(root_mean_squared_error([[20, 5], [10, 15]]), 4)
    0.5477
    """
    return np.sqrt(ratio(weigh.total(c.cells, weigh.apart(c.k, 2)), c.total))


@_distance(
    symbol="MAE_M",
    aliases=("mamae", "macro_mae", "macro_averaged_mean_absolute_error"),
    same="scale prevalence unused",
    undefined="no_cases predicted_but_not_true",
    good_for="ordered classes of very different size, each counting the same",
    not_for="classes with hardly any cases, whose share of the value is mostly luck",
    elsewhere="macro_averaged_mean_absolute_error in imbalanced-learn",
)
def macro_mean_absolute_error(c: Counts) -> Values:
    r"""Mean number of ranks off, averaged over the true classes.

    A class that occurs nowhere is left out.

    .. math:: \frac{1}{m} \sum_{ij} |i - j|\,n_{ij} / n_{i+}, \quad m \text{ classes occur}

    >>> round(macro_mean_absolute_error([[20, 5], [10, 15]]), 4)
    0.3
    """
    off = (c.cells * weigh.apart(c.k)).sum(-1)
    used = (c.truth != 0) | (c.predicted != 0)
    each = ratio(off, c.truth * used.sum(-1, keepdims=True))
    return np.asarray(np.where(used | (c.n == 0), each, 0).sum(-1))


@_distance(
    symbol="cost",
    orders_like="mean_absolute_error",
    limits={"power": (0, 50)},
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
    return ratio(weigh.total(c.cells, weigh.apart(c.k, power)), c.total)

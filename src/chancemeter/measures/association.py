"""Association: how strongly the *same* label is given: correlation, informedness, markedness."""

from __future__ import annotations

import numpy as np

from chancemeter import chance
from chancemeter.counts import Counts, Values, added, dot, ratio
from chancemeter.independence import information
from chancemeter.measures._shared import of_class
from chancemeter.registry import measure
from chancemeter.undefined import REASONS


@measure(
    symbol="R_K",
    aliases=(
        "multiclass_mcc",
        "yule_phi",
        "matthews_corrcoef",
        "matthews_correlation",
        "overall_mcc",
        "r_k",
    ),
    shorthand={"mcc_class": "mcc@each"},
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    rational=False,
    references=("gorodkin2004", "matthews1975", "yule1912"),
    good_for="one number that asks truth and prediction alike, for any number of classes",
    not_for="test sets with other class mixes: it moves with them, as kappa does",
    elsewhere="Phi coefficient of a 2 x 2 table, Pearson's r of 0/1 labels, Yule's phi",
)
def mcc(c: Counts) -> Values:
    r"""Correlation of prediction with truth: 1 always right, 0 as good as guessing.

    .. math:: R_K = \frac{\sum_c (n\,n_{cc} - n_{c+} n_{+c})}
        {\sqrt{(n^2 - \sum_c n_{c+}^2)(n^2 - \sum_c n_{+c}^2)}}

    >>> round(mcc([[20, 5], [10, 15]]), 4)
    0.4082
    """
    spread = dot(c.truth, c.negative) * dot(c.predicted, c.predicted_negative)
    return ratio(added(c.leverage), np.sqrt(spread))


@measure(
    symbol="B",
    aliases=(
        "bookmaker_informedness",
        "j_index",
        "multiclass_informedness",
        "bookmaker",
        "powers_kappa",
        "youden_j",
        "peirce_skill_score",
        "true_skill_statistic",
        "hanssen_kuipers",
        "delta_p_prime",
    ),
    shorthand={
        "gini_coefficient": "informedness@each",
        "bm": "informedness@each",
        "youden_index": "informedness@each",
        "gini_point": "informedness@each",
        "deskewed_wracc": "informedness@each",
    },
    range=(-1, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_in_truth predicted_but_not_true",
    references=("powers2003", "powers2012", "peirce1884", "youden1950", "hanssen1965"),
    good_for="how often the classifier knew rather than guessed, whatever it likes to guess",
    not_for="the worth of a single prediction: see markedness",
    elsewhere="Youden's J (medicine), Peirce or true skill score (weather), Delta P' (psychology)",
)
def informedness(c: Counts) -> Values:
    r"""How often the prediction was informed rather than guessed.

    With two classes it is recall less the false alarm rate. With more, it is the mean over
    predictions of what each predicted class scores against the rest.

    .. math:: B = \sum_c \frac{n_{+c}}{n} B_c, \quad B_c = \mathrm{TPR}_c - \mathrm{FPR}_c

    >>> informedness([[20, 5], [10, 15]])
    0.4
    """
    return chance.multiclass_informedness(c)


@measure(
    symbol="M",
    aliases=("delta_p",),
    shorthand={"mk": "markedness@each"},
    range=(-1, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_predicted true_but_never_predicted",
    references=("powers2003", "powers2012"),
    good_for="how far predictions can be trusted, whatever the classes' shares",
    not_for="how well classes are told apart: see informedness",
    elsewhere="Delta P (psychology)",
)
def markedness(c: Counts) -> Values:
    r"""How much a prediction tells about the truth: informedness seen from the other side.

    With two classes it is precision less the false omission rate. With more, it is the mean
    over cases of what each true class scores against the rest.

    .. math:: M = \sum_c \frac{n_{c+}}{n} M_c, \quad M_c = \mathrm{PPV}_c + \mathrm{NPV}_c - 1

    >>> round(markedness([[20, 5], [10, 15]]), 4)
    0.4167
    """
    each = ratio(c.leverage, c.predicted * c.predicted_negative)
    used = np.where(np.equal(c.truth, 0), 0, c.truth * each)
    return ratio(added(used), c.total)


@measure(
    symbol="√BM",
    aliases=("correlation_powers",),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted predicted_but_not_true "
    "true_but_never_predicted opposite_signs",
    rational=False,
    references=("powers2012",),
    good_for="one number for informedness and markedness; with two classes it equals mcc",
)
def powers_correlation(c: Counts) -> Values:
    r"""Geometric mean of informedness and markedness, with their common sign.

    .. math:: \operatorname{sign}(B) \sqrt{B M}

    With more than two classes the two can differ in sign; then it is undefined.

    >>> round(powers_correlation([[20, 5], [10, 15]]), 4)
    0.4082
    """
    given, told = informedness.formula(c), markedness.formula(c)
    product = np.where(REASONS["opposite_signs"].holds(c), np.nan, given * told)
    # What is left below zero is rounding, of two values that are both nearly zero.
    product = product * (np.real(product) >= 0)
    return np.where(np.real(given) < 0, -1, 1) * np.sqrt(product)


@measure(
    symbol="dtp",
    level="class",
    aliases=(
        "covariance_of_labels",
        "kuhns_delta",
        "wra",
        "dtp",
        "wracc",
        "weighted_relative_accuracy",
        "novelty",
        "piatetsky_shapiro",
        "leverage_share",
    ),
    range=(-0.25, 0.25),
    perfect=None,
    by_chance=0,
    same="scale order transpose unused split",
    orders_like="determinant",
    references=("powers2012", "lavrac1999", "piatetsky1991"),
    good_for="hits of a class beyond chance as a share of all cases; what rules are ranked by",
    not_for="classes of different shares: a rare class cannot score much",
    elsewhere="Covariance of the two 0/1 labels, leverage (rules), novelty, Kuhns' delta",
)
def determinant(c: Counts) -> Values:
    r"""Hits of the class beyond chance, as a share of all cases.

    .. math:: (\mathrm{tp}\,\mathrm{tn} - \mathrm{fp}\,\mathrm{fn}) / n^2

    >>> determinant([[20, 5], [10, 15]])
    array([0.1, 0.1])
    """
    return ratio(c.leverage, c.n * c.n)


@measure(
    symbol="LRS",
    level="class",
    aliases=("cn2_lrs", "rule_likelihood_ratio"),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="order unused split",
    needs="cells",
    rational=False,
    references=("clark1989",),
    good_for="whether the cases predicted as a class differ from all cases by more than chance",
    not_for="how right the predictions are: any change of the class mix counts",
)
def cn2_likelihood_ratio(c: Counts) -> Values:
    r"""Evidence that the cases predicted as the class are no random draw from all cases.

    Over all classes these add up to `g_squared`. A class never predicted gives no evidence, 0.

    .. math:: 2 \sum_i n_{ic} \ln (n_{ic} / e_{ic}), \quad e_{ic} = n_{i+} n_{+c} / n

    >>> cn2_likelihood_ratio([[20, 5], [10, 15]]).round(4)
    array([3.398 , 5.2325])
    """
    return of_class(c, 2 * c.n * information(c).sum(-2))


@measure(
    symbol="Q",
    aliases=("yules_q",),
    level="class",
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused split",
    orders_like="odds_ratio",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    references=("yule1900",),
    good_for="the odds ratio of a class on a scale from −1 to 1",
    not_for="telling near misses from perfection: one empty error cell makes it 1",
    elsewhere="Odds ratio skill score (weather), Goodman and Kruskal's gamma of a 2 x 2 table",
)
def yule_q(c: Counts) -> Values:
    r"""The odds ratio of the class, brought to a scale from −1 to 1.

    .. math:: Q = (\mathrm{OR} - 1) / (\mathrm{OR} + 1)

    >>> yule_q([[20, 5], [10, 15]]).round(4)
    array([0.7143, 0.7143])
    """
    return ratio(c.leverage, c.tp * c.tn + c.fp * c.fn)


@measure(
    symbol="Y",
    level="class",
    aliases=(
        "yules_y",
        "coefficient_of_colligation",
    ),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused split",
    orders_like="odds_ratio",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    rational=False,
    references=("yule1912",),
    good_for="informedness of the class if both margins were even",
    elsewhere="Not Youden's Y, which is informedness",
)
def yule_y(c: Counts) -> Values:
    r"""As Yule's Q, with the root of the odds ratio.

    .. math:: Y = (\sqrt{\mathrm{OR}} - 1) / (\sqrt{\mathrm{OR}} + 1)

    >>> yule_y([[20, 5], [10, 15]]).round(4)
    array([0.4202, 0.4202])
    """
    right, wrong = np.sqrt(c.tp * c.tn), np.sqrt(c.fp * c.fn)
    return ratio(right - wrong, right + wrong)


@measure(
    symbol="Y_c",
    level="class",
    aliases=("digby", "digby_h", "generalised_yule"),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused split",
    orders_like="odds_ratio",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    rational=False,
    references=("digby1983", "bonett2007"),
    limits={"power": (0, 10)},
    good_for="approaching the tetrachoric correlation of the class (power 0.75)",
)
def yule_bonett(c: Counts, power: float = 0.75) -> Values:
    r"""As Yule's Q, with a power of the odds ratio: 1 is Yule's Q, 1/2 Yule's Y.

    .. math:: H = (\mathrm{OR}^c - 1) / (\mathrm{OR}^c + 1)

    >>> yule_bonett([[20, 5], [10, 15]]).round(4)
    array([0.5862, 0.5862])
    """
    right, wrong = (c.tp * c.tn) ** power, (c.fp * c.fn) ** power
    return ratio(right - wrong, right + wrong)

"""Agreement beyond chance: one formula, one chance model each."""

import numpy as np

from chancemeter import chance
from chancemeter.counts import Counts, Values, dot, ratio
from chancemeter.registry import measure


@measure(
    symbol="κ",
    aliases=("cohen_kappa", "cohens_kappa", "heidke_skill_score", "khat", "kappa_binary_closed"),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused",
    orders_like="kappa",
    shorthand={
        "class_kappa": "kappa@each",
        "individual_kappa": "kappa@each",
        "kappa_class": "kappa@each",
    },
    undefined="no_cases one_and_the_same_class",
    corrects="cohen",
    references=("cohen1960", "heidke1926", "bendavid2007"),
    good_for="one test set, any number of classes: is this better than its own guessing?",
    not_for="comparing test sets with different class mixes (powers2012): see informedness",
    elsewhere="Heidke skill score (weather), KHAT (remote sensing), Kappa in caret and WEKA",
)
def kappa(c: Counts) -> Values:
    r"""Share of what chance left over that was won, guesses following both margins.

    .. math:: \kappa = (p_o - p_e) / (1 - p_e), \quad p_e = \sum_i p_{i+} p_{+i}

    >>> kappa([[20, 5], [10, 15]])
    0.4
    """
    return chance.beyond(chance.cohen, c)


@measure(
    symbol="1 − κ",
    range=(0, 2),
    perfect=0,
    by_chance=1,
    direction="lower",
    same="scale order transpose unused",
    orders_like="kappa",
    undefined="no_cases one_and_the_same_class",
    references=("cohen1960",),
    good_for="nearly perfect classifiers, where 1 − kappa by subtraction loses its digits",
)
def errors_vs_chance(c: Counts) -> Values:
    r"""Errors made, as a share of the errors that guessing would have made.

    .. math:: \frac{1 - p_o}{1 - p_e}, \quad p_e = \sum_i p_{i+} p_{+i}

    >>> errors_vs_chance([[20, 5], [10, 15]])
    0.6
    """
    expected = chance.cohen.expect(c)
    return ratio(c.total * c.wrong, expected.wrong)


@measure(
    symbol="π",
    aliases=("scotts_pi", "pi", "kappa_unbiased", "fleiss_kappa_two_raters", "kappa_fleiss"),
    range=(-1, 1),
    chance="scott",
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_and_the_same_class",
    orders_like_same_truth="scott_pi",
    corrects="scott",
    references=("scott1955", "fleiss1971"),
    good_for="two raters who are meant to use the classes equally often",
    not_for="classifiers: it punishes a bias it also corrects for (powers2012)",
)
def scott_pi(c: Counts) -> Values:
    """Agreement beyond what one distribution, the mean of both margins, would give.

    >>> round(scott_pi([[20, 5], [10, 15]]), 4)
    0.3939
    """
    return chance.beyond(chance.scott, c)


@measure(
    symbol="π_true",
    range=(-float("inf"), 1),
    chance="prevalence",
    by_chance=0,
    same="scale order unused",
    orders_like_same_truth="accuracy",
    undefined="no_cases one_class_in_truth",
    corrects="prevalence",
    references=("labatut2011",),
    not_for="ranking classifiers on one test set: it ranks them as accuracy does (labatut2011)",
)
def prevalence_pi(c: Counts) -> Values:
    """Agreement beyond what guessing by the true shares would give.

    >>> prevalence_pi([[20, 5], [10, 15]])
    0.4
    """
    return chance.beyond(chance.prevalence, c)


@measure(
    symbol="S",
    share="right of total",
    of_share=lambda share, k: (k * share - 1) / (k - 1),
    aliases=(
        "lawlis_lu",
        "uniform_chance_kappa",
        "maxwell_random_error",
        "brennan_prediger",
        "guilford_g",
        "randolph_kappa_two_raters",
        "uniform_kappa",
        "multiple_choice_score",
        "powers_mc_marking",
        "janson_vegelius_c",
    ),
    range=(-1, 1),
    chance="uniform",
    by_chance=0,
    same="scale order transpose",
    orders_like="accuracy",
    undefined="no_cases fewer_than_two_classes",
    corrects="uniform",
    references=("bennett1954", "maxwell1977", "brennan1981"),
    not_for="ranking classifiers on one test set: it ranks them as accuracy does (labatut2011)",
    elsewhere="marking of multiple-choice tests: +1 if right, −1/(k−1) if wrong",
)
def bennett_s(c: Counts) -> Values:
    """Agreement beyond what guessing all classes equally often would give.

    >>> bennett_s([[20, 5], [10, 15]])
    0.4
    """
    return chance.beyond(chance.uniform, c)


@measure(
    symbol="PABAK",
    share="right of total",
    of_share=lambda share, _: 2 * share - 1,
    aliases=("kappa_no_prevalence", "holley_guilford_g"),
    range=(-1, 1),
    same="scale order transpose unused split",
    orders_like="accuracy",
    references=("byrt1993",),
)
def pabak(c: Counts) -> Values:
    """Hits minus errors, as a share of the cases; Bennett's S when there are two classes.

    >>> pabak([[20, 5], [10, 15]])
    0.4
    """
    return ratio(c.right - c.wrong, c.total)


@measure(
    symbol="AC1",
    aliases=("ac1",),
    range=(-1, 1),
    chance="gwet",
    same="scale order transpose",
    undefined="no_cases fewer_than_two_classes",
    corrects="gwet",
    references=("gwet2008",),
    good_for="two raters when nearly all cases fall into one class",
    not_for="asking whether a classifier beats its own guessing: it calls skewed guessing skill",
)
def gwet_ac1(c: Counts) -> Values:
    """Agreement beyond chance, where only hard cases are left to chance.

    >>> round(gwet_ac1([[20, 5], [10, 15]]), 4)
    0.4059
    """
    return chance.beyond(chance.gwet, c)


@measure(
    symbol="α",
    aliases=("krippendorff_alpha_nominal", "kripp_alpha"),
    range=(-1, 1),
    chance="scott",
    same="order transpose unused",
    undefined="no_cases one_and_the_same_class",
    orders_like_same_truth="scott_pi",
    references=("krippendorff1970",),
)
def krippendorff_alpha(c: Counts) -> Values:
    r"""Scott's pi with Krippendorff's correction for few cases, for two raters.

    .. math:: \alpha = 1 - \frac{2n - 1}{2n} \cdot \frac{1 - p_o}{1 - p_e},
        \quad p_e = \sum_i (n_{i+} + n_{+i})^2 / (2n)^2

    >>> round(krippendorff_alpha([[20, 5], [10, 15]]), 4)
    0.4
    """
    expected = chance.scott.expect(c)
    return ratio(expected.excess + c.wrong / 2, expected.wrong)


@measure(
    symbol="α_A",
    aliases=("aickins_alpha",),
    range=(-float("inf"), 1),
    by_chance=0,
    same="scale order transpose unused",
    rational=False,
    closed_form=False,
    undefined="no_cases one_class_in_truth one_class_predicted nothing_right unsettled",
    references=("aickin1990",),
)
def aickin_alpha(c: Counts) -> Values:
    r"""Share of cases that had to be agreed on, the others falling by chance at rates of their own.

    The table is fitted by rates for truth and prediction and one factor for the diagonal.

    .. math:: \alpha = p_o (1 - 1 / \lambda), \quad f_{ij} = a_i b_j \text{ for } i \ne j,
        \quad f_{ii} = \lambda a_i b_i, \quad f_{i+} = n_{i+},
        \quad f_{+i} = n_{+i}, \quad \sum_i f_{ii} = \sum_i n_{ii}

    >>> round(aickin_alpha([[20, 5], [10, 15]]), 4)
    0.4142
    """
    return chance.aickin_mixture(c)


@measure(
    symbol="θ",
    aliases=("turk_ground_truth_index", "gti", "gti_overall", "gt_index"),
    range=(-float("inf"), 1),
    perfect=None,
    chance="turk",
    same="scale order transpose unused",
    undefined="no_cases fewer_than_three_classes nothing_wrong unsettled",
    rational=False,
    closed_form=False,
    corrects="turk",
    references=("turk1979", "labatut2011"),
    good_for="classifiers, rather than raters: truth is taken to be known (labatut2011)",
    not_for="two classes, perfect tables, errors that are no guesses (labatut2011)",
)
def ground_truth_index(c: Counts) -> Values:
    r"""Share of cases classified for sure; all errors are taken for guesses (Türk).

    .. math:: \theta = 1 - \sum_i g_i / n, \quad n_{i+} - n_{ii} = g_i (1 - r_i),
        \quad n_{+i} - n_{ii} = r_i \sum_{j \ne i} g_j, \quad \sum_i r_i = 1

    >>> round(ground_truth_index([[20, 5, 1], [4, 15, 2], [1, 2, 9]]), 4)
    0.5483
    """
    return chance.beyond(chance.turk, c)


@measure(
    symbol="θ_c",
    aliases=("gti_class",),
    level="class",
    range=(-float("inf"), 1),
    perfect=None,
    same="scale order unused",
    chance="turk",
    undefined="no_cases fewer_than_three_classes nothing_wrong class_not_in_truth unsettled",
    rational=False,
    closed_form=False,
    references=("turk1979",),
)
def ground_truth_index_class(c: Counts) -> Values:
    r"""Share of each true class that is classified for sure; the rest is guessed (Türk).

    .. math:: \theta_i = 1 - g_i / n_{i+}, \quad n_{i+} - n_{ii} = g_i (1 - r_i),
        \quad n_{+i} - n_{ii} = r_i \sum_{j \ne i} g_j, \quad \sum_i r_i = 1

    >>> ground_truth_index_class([[20, 5, 1], [4, 15, 2], [1, 2, 9]]).round(3)
    array([0.683, 0.287, 0.713])
    """
    return 1 - ratio(chance.fit_guesses(c)[0], c.truth)


@measure(
    symbol="κ_max",
    aliases=("maximum_attainable_kappa", "maximum_kappa", "kappa_histo"),
    range=(0, 1),
    direction="neither",
    same="scale order transpose unused",
    undefined="no_cases one_and_the_same_class",
    smooth=False,
    references=("cohen1960", "pontius2000"),
)
def kappa_max(c: Counts) -> Values:
    r"""Highest kappa that these two margins allow.

    .. math:: \kappa_{max} = \frac{\sum_i \min(p_{i+}, p_{+i}) - p_e}{1 - p_e},
        \quad p_e = \sum_i p_{i+} p_{+i}

    >>> round(kappa_max([[20, 5], [10, 15]]), 4)
    0.8
    """
    return ratio(_most_excess(c), chance.cohen.expect(c).wrong)


@measure(
    symbol="κ / κ_max",
    aliases=("kappa_of_max", "klocation"),
    range=(-float("inf"), 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    smooth=False,
    references=("pontius2000",),
    elsewhere="K location (remote sensing)",
)
def kappa_location(c: Counts) -> Values:
    r"""Kappa as a share of the highest that these two margins allow.

    .. math:: \frac{p_o - p_e}{\sum_i \min(p_{i+}, p_{+i}) - p_e},
        \quad p_e = \sum_i p_{i+} p_{+i}

    >>> round(kappa_location([[20, 5], [10, 15]]), 4)
    0.5
    """
    return ratio(chance.cohen.expect(c).excess, _most_excess(c))


def _most_excess(c: Counts) -> Values:
    """The most that these margins allow beyond chance: of each class, ``n min(r, c) − r c``."""
    common = np.minimum(c.truth, c.predicted)
    return dot(common, np.minimum(c.negative, c.predicted_negative))


@measure(
    symbol="κ_i+",
    aliases=("kappa_producer", "conditional_kappa_truth"),
    level="class",
    range=(-float("inf"), 1),
    by_chance=0,
    same="scale order unused split",
    undefined="no_cases class_not_in_truth class_always_predicted",
    orders_like_same_truth="npv",
    references=("pontius2000",),
    elsewhere="producer's kappa (remote sensing)",
)
def conditional_kappa(c: Counts) -> Values:
    """Recall of each class beyond chance, its share of predictions being chance.

    >>> conditional_kappa([[20, 5], [10, 15]]).round(4)
    array([0.5   , 0.3333])
    """
    return ratio(c.leverage, c.truth * c.predicted_negative)


@measure(
    symbol="κ_+i",
    aliases=("kappa_user",),
    level="class",
    range=(-float("inf"), 1),
    by_chance=0,
    same="scale order unused split",
    undefined="no_cases class_never_predicted class_is_all_truth",
    orders_like_same_truth="precision",
    references=("pontius2000",),
    elsewhere="user's kappa (remote sensing)",
)
def conditional_kappa_predicted(c: Counts) -> Values:
    """Precision of each class beyond chance, its share of the truth being chance.

    >>> conditional_kappa_predicted([[20, 5], [10, 15]]).round(4)
    array([0.3333, 0.5   ])
    """
    return ratio(c.leverage, c.predicted * c.negative)


@measure(
    symbol="B",
    aliases=(
        "bangdiwalas_b",
        "bangdiwala",
    ),
    range=(0, 1),
    same="scale order transpose unused",
    undefined="no_cases nothing_in_common",
    references=("bangdiwala1985",),
)
def bangdiwala_b(c: Counts) -> Values:
    r"""Squared hits over the largest they could be: the dark share of the agreement chart.

    .. math:: B = \frac{\sum_i n_{ii}^2}{\sum_i n_{i+} n_{+i}}

    >>> bangdiwala_b([[20, 5], [10, 15]])
    0.5
    """
    return ratio(dot(c.hits, c.hits), dot(c.truth, c.predicted))

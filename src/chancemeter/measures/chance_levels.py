"""How much would be right by chance: one measure for each idea of chance, and the shares."""

from functools import partial

from chancemeter import chance
from chancemeter.counts import Counts, Values, ratio
from chancemeter.registry import get, measure

_hits_of_class = partial(
    measure,
    range=(0, 1),
    perfect=None,
    direction="neither",
    same="scale order transpose unused split",
    level="class",
    orders_like_same_truth="bias",
)


@measure(
    symbol="P_c",
    aliases=(
        "p_c",
        "e_cohen",
        "pe_cohen",
        "expected_accuracy",
        "overall_racc",
        "overall_random_accuracy",
    ),
    range=(0, 1),
    perfect=None,
    direction="neither",
    same="scale order transpose unused",
    orders_like="expected_cohen",
    references=("cohen1960", "bendavid2007"),
    good_for="saying how much of an accuracy was to be had by guessing with the same habits",
)
def expected_cohen(c: Counts) -> Values:
    r"""Share of cases right by chance if guesses follow both margins.

    .. math:: P_c = \sum_i p_{i+} p_{+i}

    >>> expected_cohen([[20, 5], [10, 15]])
    0.5
    """
    return chance.cohen.expect(c).share


@measure(
    symbol="P_e(Scott)",
    aliases=("e_fleiss", "pe_scott", "overall_raccu", "expected_fleiss"),
    range=(0, 1),
    perfect=None,
    direction="neither",
    chance="scott",
    same="scale order transpose unused",
    references=("scott1955",),
)
def expected_scott(c: Counts) -> Values:
    """Share of cases right by chance if truth and guesses share the mean of the two margins.

    >>> round(expected_scott([[20, 5], [10, 15]]), 4)
    0.505
    """
    return chance.scott.expect(c).share


@measure(
    symbol="P_e(true)",
    aliases=("pe_prevalence",),
    range=(0, 1),
    perfect=None,
    direction="neither",
    chance="prevalence",
    same="scale order unused",
    orders_like_same_truth="truth_alone",
    references=("labatut2011",),
)
def expected_prevalence(c: Counts) -> Values:
    """Share of cases right by chance if guesses follow the true shares.

    >>> expected_prevalence([[20, 5], [10, 15]])
    0.5
    """
    return chance.prevalence.expect(c).share


@measure(
    symbol="1/k",
    aliases=("pe_uniform",),
    range=(0, 1),
    perfect=None,
    direction="neither",
    chance="uniform",
    same="scale order transpose prevalence bias",
    orders_like_same_truth="truth_alone",
    orders_like="classes_alone",
    references=("bennett1954", "maxwell1977"),
)
def expected_uniform(c: Counts) -> Values:
    """Share of cases right by chance if every class is guessed equally often.

    >>> expected_uniform([[20, 5], [10, 15]])
    0.5
    """
    return chance.uniform.expect(c).share


@measure(
    symbol="NIR",
    aliases=(
        "zeror",
        "pe_majority",
        "no_information_rate",
        "nir",
        "zeror_accuracy",
        "accuracy_null",
    ),
    range=(0, 1),
    perfect=None,
    direction="neither",
    chance="majority",
    same="scale order unused",
    smooth=False,
    orders_like_same_truth="truth_alone",
    references=("bendavid2007",),
    elsewhere="No Information Rate (caret), ZeroR (WEKA), DummyClassifier (scikit-learn)",
)
def expected_majority(c: Counts) -> Values:
    """Share of cases right if the most frequent class were always the answer.

    >>> expected_majority([[20, 5], [10, 15]])
    0.5
    """
    return chance.majority.expect(c).share


@measure(
    symbol="P_e(γ)",
    aliases=("pe_gwet",),
    range=(0, 0.5),
    perfect=None,
    direction="neither",
    chance="gwet",
    same="scale order transpose",
    undefined="no_cases fewer_than_two_classes",
    references=("gwet2008",),
)
def expected_gwet(c: Counts) -> Values:
    """Share of cases right by chance if only the hard cases are guessed.

    >>> expected_gwet([[20, 5], [10, 15]])
    0.495
    """
    return chance.gwet.expect(c).share


@measure(
    symbol="E_Powers",
    aliases=("pe_powers", "e_powers"),
    range=(-float("inf"), 1),
    perfect=None,
    direction="neither",
    chance="powers",
    same="scale order unused",
    undefined="no_cases nothing_wrong predicted_but_not_true",
    references=("powers2012",),
)
def expected_powers(c: Counts) -> Values:
    r"""Chance level that turns accuracy into Powers' informedness.

    .. math:: \frac{p_o - B}{1 - B}, \quad B = \sum_i p_{+i}
        \left(\frac{n_{ii}}{n_{i+}} - \frac{n_{+i} - n_{ii}}{n - n_{i+}}\right)

    >>> round(expected_powers([[20, 5], [10, 15]]), 4)
    0.5
    """
    return chance.powers.expect(c).share


@measure(
    symbol="P_e(Türk)",
    aliases=("pe_turk",),
    range=(0, 1),
    perfect=None,
    direction="neither",
    chance="turk",
    same="scale order transpose unused",
    undefined="no_cases fewer_than_three_classes nothing_wrong unsettled",
    rational=False,
    closed_form=False,
    references=("turk1979",),
)
def expected_turk(c: Counts) -> Values:
    r"""Share right by chance among guesses whose rates are fitted to the errors.

    .. math:: \frac{\sum_i g_i r_i}{\sum_i g_i}, \quad n_{i+} - n_{ii} = g_i (1 - r_i),
        \quad n_{+i} - n_{ii} = r_i \sum_{j \ne i} g_j, \quad \sum_i r_i = 1

    >>> round(expected_turk([[20, 5, 1], [4, 15, 2], [1, 2, 9]]), 4)
    0.4372
    """
    return chance.turk.expect(c).share


@measure(
    symbol="f_Acc(K)",
    aliases=("kappa_inverse",),
    range=(-float("inf"), float("inf")),
    perfect=None,
    direction="neither",
    same="scale order transpose unused",
    orders_like="expected_cohen",
    undefined_with_parameters="nothing_wrong",
    references=("powers2012", "bendavid2007"),
    not_for="nearly perfect classifiers, unless the measure has a chance model of its own",
)
def implied_chance(c: Counts, of: str = "kappa", *, inverted: bool = False) -> Values:
    r"""Chance level that a measure implies if it is read as agreement beyond chance.

    Where the measure has a chance model, the level comes from that and not by inversion,
    which is 0/0 for a perfect classifier; ``inverted=True`` inverts all the same.

    .. math:: E = (p_o - K) / (1 - K)

    >>> round(implied_chance([[20, 5], [10, 15]], of="mcc"), 4)
    0.493
    """
    found = get(of)
    if found.card.corrects and not inverted:
        return chance.get(found.card.corrects).expect(c).share
    skill = found.values(c)
    return ratio(ratio(c.right, c.total) - skill, 1 - skill)


@measure(
    symbol="P_c / P_o",
    aliases=(
        "share_of_hits_due_to_chance",
        "chance_per_hit",
    ),
    range=(0, float("inf")),
    perfect=None,
    by_chance=1,
    direction="neither",
    same="scale order transpose unused",
    undefined="no_cases nothing_right",
    references=("bendavid2007",),
)
def chance_share_of_hits(c: Counts, chance_model: str = "cohen") -> Values:
    r"""Hits expected by chance, for each hit that was made.

    .. math:: p_e / p_o, \quad p_e = \sum_i p_{i+} p_{+i}

    Another ``chance_model`` has another :math:`p_e`.

    >>> round(chance_share_of_hits([[20, 5], [10, 15]]), 4)
    0.7143
    """
    expected = chance.get(chance_model).expect(c)
    return ratio(expected.share * c.total, c.right)


@measure(
    symbol="(1 − K) P_c / P_o",
    range=(0, float("inf")),
    perfect=0,
    by_chance=1,
    direction="lower",
    same="scale order transpose unused",
    undefined="no_cases nothing_right one_and_the_same_class",
    references=("bendavid2007",),
)
def guessed_share_of_hits(c: Counts, chance_model: str = "cohen") -> Values:
    r"""Share of the hits that were guesses, if K of the cases are known and the rest guessed.

    .. math:: (1 - K)\,p_e / p_o, \quad K = \frac{p_o - p_e}{1 - p_e},
        \quad p_e = \sum_i p_{i+} p_{+i}

    Another ``chance_model`` has another :math:`p_e`.

    >>> round(guessed_share_of_hits([[20, 5], [10, 15]]), 4)
    0.4286
    """
    expected = chance.get(chance_model).expect(c)
    return ratio(ratio(expected.right * c.wrong, expected.wrong), c.right)


@measure(
    symbol="(P_o − P_e)/(1 − P_e)",
    range=(-float("inf"), 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_and_the_same_class",
    orders_like="kappa",
    references=("powers2012",),
)
def beyond_chance(c: Counts, chance_model: str = "cohen") -> Values:
    """Agreement beyond any named idea of chance.

    >>> beyond_chance([[20, 5], [10, 15]], chance_model="majority")
    0.4
    """
    return chance.beyond(chance.get(chance_model), c)


@_hits_of_class(
    symbol="RACC",
    aliases=("racc",),
    references=("cohen1960",),
    elsewhere="RACC (PyCM); over all classes it adds up to Cohen's chance agreement",
)
def random_accuracy(c: Counts) -> Values:
    """Share of all cases hit in the class by guessing with both margins kept.

    >>> random_accuracy([[20, 5], [10, 15]])
    array([0.3, 0.2])
    """
    return ratio(c.truth * c.predicted, c.n * c.n)


@_hits_of_class(
    symbol="RACCU",
    aliases=("raccu",),
    references=("scott1955",),
    elsewhere="RACCU (PyCM); over all classes it adds up to Scott's chance agreement",
)
def random_accuracy_unbiased(c: Counts) -> Values:
    """Share of all cases hit in the class by guessing with the mean of both margins.

    >>> random_accuracy_unbiased([[20, 5], [10, 15]])
    array([0.3025, 0.2025])
    """
    both = c.truth + c.predicted
    return ratio(both * both, 4 * c.n * c.n)

"""Agreement beyond chance: one formula, one chance model each."""

import numpy as np

from chancemeter import chance
from chancemeter.counts import Counts, Values, ratio
from chancemeter.registry import measure


@measure(
    symbol="κ",
    aliases=("cohen_kappa", "cohens_kappa", "heidke_skill_score", "khat", "kappa_binary_closed"),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_and_the_same_class",
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
    """Errors made, as a share of the errors that guessing would have made.

    >>> errors_vs_chance([[20, 5], [10, 15]])
    0.6
    """
    expected = chance.cohen.expect(c)
    return ratio(c.total * c.wrong, expected.wrong)

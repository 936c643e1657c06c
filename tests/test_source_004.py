"""Kolb (2018), Evaluating statistical learning: its slides on kappa.

In the first example rows are the classifier and columns the truth, in the second it must be the
other way round. Kappa does not mind; "Less than a third of all Cats" does.
"""

from __future__ import annotations

from fractions import Fraction
from statistics import NormalDist

import numpy as np
import pytest
from printed import rounds_to

import chancemeter as cm

CATS_AND_DOGS = [[10, 7], [5, 8]]
FEW_CATS = [[60, 125], [5, 5000]]


def test_first_example() -> None:
    assert cm.accuracy.exact(CATS_AND_DOGS) == Fraction("0.60")
    assert cm.expected_cohen.exact(CATS_AND_DOGS) == Fraction("0.50")
    assert cm.kappa.exact(CATS_AND_DOGS) == Fraction("0.20")


def test_first_example_step_by_step() -> None:
    cells = np.array(CATS_AND_DOGS)
    assert int(cells.sum()) == 30
    by_label, by_model = cells.sum(0).tolist(), cells.sum(1).tolist()
    assert (by_label, by_model) == ([15, 15], [17, 13])
    expected = [Fraction(a * b, 30) for a, b in zip(by_label, by_model, strict=True)]
    assert expected == [Fraction("8.5"), Fraction("6.5")]
    assert sum(expected) / 30 == cm.expected_cohen.exact(CATS_AND_DOGS)


def test_orientation_does_not_matter_for_kappa_but_for_recall() -> None:
    for table in (CATS_AND_DOGS, FEW_CATS):
        turned = np.transpose(table)
        assert cm.kappa.exact(turned) == cm.kappa.exact(table)
        assert cm.recall.exact(turned).tolist() == cm.precision.exact(table).tolist()


@pytest.mark.parametrize("right", [(3, 11), (9, 2), (0, 15), (15, 15)])
def test_one_rater_in_halves_makes_expected_accuracy_one_half(right: tuple[int, int]) -> None:
    """As the slide says, whichever of the two it is, if there are two classes."""
    table = [[right[0], 15 - right[0]], [15 - right[1], right[1]]]
    assert cm.expected_cohen.exact(table) == Fraction(1, 2)
    assert cm.expected_cohen.exact(np.transpose(table)) == Fraction(1, 2)


def test_second_example() -> None:
    assert rounds_to(cm.kappa.exact(FEW_CATS), "0.47")
    assert rounds_to(cm.kappa.exact(FEW_CATS), "0.4702")


def test_less_than_a_third_of_all_cats_needs_rows_to_be_the_truth() -> None:
    assert cm.recall.exact(FEW_CATS)[0] == Fraction(60, 185) < Fraction(1, 3)
    assert cm.recall.exact(np.transpose(FEW_CATS))[0] == Fraction(60, 65) > Fraction(9, 10)


def accuracy_at(kappa: Fraction, chance: Fraction) -> Fraction:
    """Kappa is the share that was won of what chance left over."""
    return chance + kappa * (1 - chance)


@pytest.mark.parametrize(
    ("chance", "accuracy", "step"),
    [("0.80", "0.88", "0.02"), ("0.50", "0.70", "0.05")],
)
def test_what_a_kappa_of_forty_percent_means(chance: str, accuracy: str, step: str) -> None:
    k, level = Fraction("0.40"), Fraction(chance)
    assert accuracy_at(k, level) == Fraction(accuracy)
    assert accuracy_at(k + Fraction("0.10"), level) - accuracy_at(k, level) == Fraction(step)


@pytest.mark.parametrize(
    ("table", "chance", "accuracy"),
    [([[85, 5], [7, 3]], "0.836", "0.88"), ([[35, 15], [15, 35]], "0.50", "0.70")],
)
def test_accuracy_comes_back_from_kappa_and_chance(
    table: list[list[int]], chance: str, accuracy: str
) -> None:
    k, level = cm.kappa.exact(table), cm.expected_cohen.exact(table)
    assert level == Fraction(chance)
    assert cm.accuracy.exact(table) == accuracy_at(k, level) == Fraction(accuracy)


def test_a_table_of_that_kind_exists_at_both_levels() -> None:
    """Kappa .40 with 88 % right where guessing gets 80 %, and with 70 % where it gets 50 %."""
    p = (1 + np.sqrt(0.6)) / 2  # two classes, p * p + (1 - p) * (1 - p) = .80
    miss = 0.06
    table = np.array([[p - miss, miss], [miss, 1 - p - miss]])
    assert cm.expected_cohen(table) == pytest.approx(0.80)
    assert cm.accuracy(table) == pytest.approx(0.88)
    assert cm.kappa(table) == pytest.approx(0.40)
    assert cm.kappa.exact([[35, 15], [15, 35]]) == Fraction("0.40")


@pytest.mark.parametrize(("chance", "kappa"), [("0.75", "0.2"), ("0.50", "0.6")])
def test_eighty_percent_is_less_impressive_where_chance_is_high(chance: str, kappa: str) -> None:
    level = Fraction(chance)
    assert (Fraction("0.80") - level) / (1 - level) == Fraction(kappa)


def test_a_gap_in_kappa_is_not_a_gap_in_accuracy() -> None:
    """The sentence fixes the chance level; two classifiers on one test set have one each."""
    bold, timid = [[70, 10], [10, 10]], [[78, 2], [18, 2]]
    assert np.sum(bold, -1).tolist() == np.sum(timid, -1).tolist()
    assert cm.accuracy.exact(bold) == cm.accuracy.exact(timid) == Fraction("0.80")
    assert cm.expected_cohen.exact(bold) == Fraction("0.68")
    assert cm.expected_cohen.exact(timid) == Fraction("0.776")
    assert cm.kappa.exact(bold) == Fraction(3, 8)
    assert cm.kappa.exact(timid) == Fraction(3, 28)


def test_sensitivity_and_specificity_are_not_inversely_proportional() -> None:
    """They trade off along the curve of one classifier: neither product nor sum stays."""
    bad, good = NormalDist(0, 1), NormalDist(2, 1)
    cuts = np.linspace(-1, 3, 9)
    table = [[[1 - good.cdf(c), good.cdf(c)], [1 - bad.cdf(c), bad.cdf(c)]] for c in cuts]
    sensitivity, specificity = cm.recall(table)[:, 0], cm.specificity(table)[:, 0]
    assert (np.diff(sensitivity) < 0).all()
    assert (np.diff(specificity) > 0).all()
    product = sensitivity * specificity
    assert product.max() > 4 * product.min()


def test_better_classifiers_can_have_more_of_both() -> None:
    worse, better = [[6, 4], [4, 6]], [[8, 2], [2, 8]]
    assert cm.recall.exact(better)[0] > cm.recall.exact(worse)[0]
    assert cm.specificity.exact(better)[0] > cm.specificity.exact(worse)[0]


def test_kappa_is_never_above_one() -> None:
    tables = np.random.default_rng(4).integers(0, 9, (2000, 3, 3))
    assert np.nanmax(cm.kappa(tables)) <= 1


def test_guessing_by_the_frequency_of_each_class_scores_zero() -> None:
    shares = [7, 2, 1]
    assert cm.kappa.exact(np.outer(shares, shares)) == 0

"""Ben-David (2008), About the relationship between ROC curves and Cohen's kappa.

TP, FN, FP and TN are shares of all cases there, not rates; P and N are shares of the true
classes, P' and N' (with a bar in print) of the predictions. Rows are the truth.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from printed import rounds_to
from scipy.integrate import quad

import chancemeter as cm
from chancemeter.counts import Counts
from chancemeter.shift import at_prevalence


class Shares(NamedTuple):
    """The cells of the paper's Table 1."""

    tp: Fraction
    fn: Fraction
    fp: Fraction
    tn: Fraction

    p = property(lambda s: s.tp + s.fn)
    n = property(lambda s: s.fp + s.tn)
    said_p = property(lambda s: s.tp + s.fp)
    said_n = property(lambda s: s.fn + s.tn)


def random_tables(*, balanced: bool = False) -> list[list[list[int]]]:
    rng = np.random.default_rng(2008)
    found = []
    for _ in range(60):
        tp, fn, fp, tn = (int(x) for x in rng.integers(1, 80, 4))
        found.append([[tp, fn], [fp, tp + fn - fp] if balanced else [fp, tn]])
    return [t for t in found if min(map(min, t)) > 0]


def shares(table: list[list[int]]) -> Shares:
    total = sum(map(sum, table))
    return Shares(*(Fraction(x, total) for row in table for x in row))


def chance_and_kappa(table: list[list[int]]) -> tuple[Fraction, Fraction]:
    return cm.expected_cohen.exact(table), cm.kappa.exact(table)


@pytest.mark.parametrize(
    ("table", "accuracy", "chance", "kappa"),
    [
        ([[25, 25], [25, 25]], "0.5", "0.5", "0"),
        ([[40, 10], [10, 40]], "0.80", "0.5", "0.6"),  # accuracy is missing in print
        ([[50, 0], [0, 50]], "1.00", "0.5", "1.00"),
        ([[65, 5], [15, 15]], "0.80", "0.62", "0.474"),  # chance is printed as .625
        ([[70, 0], [0, 30]], "1.00", "0.58", "1.00"),
        ([[49, 21], [21, 9]], "0.58", "0.58", "0"),
    ],
    ids=[f"example {i}" for i in range(1, 7)],
)
def test_examples(table: list[list[int]], accuracy: str, chance: str, kappa: str) -> None:
    pc, k = chance_and_kappa(table)
    assert cm.accuracy.exact(table) == Fraction(accuracy)
    assert pc == Fraction(chance)
    assert k == Fraction(kappa) if "." not in kappa else rounds_to(k, kappa)


def test_example_4_chance_is_not_as_printed() -> None:
    pc, k = chance_and_kappa([[65, 5], [15, 15]])
    assert pc == Fraction("0.7") * Fraction("0.8") + Fraction("0.3") * Fraction("0.2")
    assert not rounds_to(pc, "0.625")
    assert k == Fraction(9, 19)
    # The printed chance would not even give the printed kappa.
    assert not rounds_to((Fraction("0.8") - Fraction("0.625")) / (1 - Fraction("0.625")), "0.474")


@pytest.mark.parametrize("table", random_tables())
def test_formulas_4_to_14(table: list[list[int]]) -> None:
    s = shares(table)
    pc, k = chance_and_kappa(table)
    assert s.p == s.tp + s.fn == cm.prevalence.exact(table)[0]  # (4)
    assert s.n == s.fp + s.tn == cm.prevalence.exact(table)[1]  # (5)
    assert s.said_p == s.tp + s.fp == cm.bias.exact(table)[0]  # (6)
    assert s.said_n == s.fn + s.tn == cm.bias.exact(table)[1]  # (7)
    assert s.p + s.n == s.said_p + s.said_n == sum(s) == 1  # (8)
    skew = 1 - 2 * s.n
    assert pc == (s.tp + s.fp) * skew + s.n  # (10)
    if skew:
        assert s.tp == (s.p * s.said_p + s.n * s.said_n - s.n) / skew - s.fp  # (11)
    assert cm.accuracy.exact(table) == s.tp + s.tn  # (12)
    assert k == (s.tp - s.fp - s.said_p * skew) / (s.p - s.said_p * skew)  # (13)
    assert s.tp == s.said_p * (1 - k) * skew + k * s.p + s.fp  # (14), with the right sign


@pytest.mark.parametrize("table", random_tables())
def test_formula_4_as_printed_fails(table: list[list[int]]) -> None:
    """The predictions' share for the class's own: right only where the two are equal."""
    s = shares(table)
    assert (s.said_p == s.tp + s.fn) == (s.fp == s.fn)


@pytest.mark.parametrize("table", random_tables())
def test_formula_14_as_printed_fails(table: list[list[int]]) -> None:
    """So do the last three lines of appendix A.4: minus FP where it should be plus."""
    s = shares(table)
    k = cm.kappa.exact(table)
    skew = 1 - 2 * s.n
    assert s.tp == k * s.p - k * s.said_p * skew + s.fp + s.said_p * skew  # A.4, first line
    second = (s.said_p - k * s.said_p) * skew + k * s.p - s.fp
    printed = s.said_p * (1 - k) * skew + k * s.p - s.fp
    assert second == printed == s.tp - 2 * s.fp != s.tp


def test_formula_14_on_example_4() -> None:
    s = shares([[65, 5], [15, 15]])
    k = Fraction(9, 19)
    skew = 1 - 2 * s.n
    assert s.said_p * (1 - k) * skew + k * s.p - s.fp == Fraction("0.35")  # as printed
    assert s.said_p * (1 - k) * skew + k * s.p + s.fp == Fraction("0.65")  # what TP is


@pytest.mark.parametrize("table", random_tables(balanced=True))
def test_formulas_15_and_16_for_balanced_classes(table: list[list[int]]) -> None:
    s = shares(table)
    pc, k = chance_and_kappa(table)
    assert s.p == s.n == Fraction(1, 2)
    assert pc == Fraction(1, 2)
    assert k == 2 * (s.tp - s.fp)  # (15)
    assert s.tp == k / 2 + s.fp  # (16)
    # (11) is 0/0 here; what holds instead is (6).
    assert 1 - 2 * s.n == s.p * s.said_p + s.n * s.said_n - s.n == 0
    assert s.tp == s.said_p - s.fp


@pytest.mark.parametrize("table", random_tables())
def test_kappa_from_roc_coordinates(table: list[list[int]]) -> None:
    prevalence = cm.prevalence.exact(table)[0]
    tpr, fpr = cm.recall.exact(table)[0], 1 - cm.specificity.exact(table)[0]
    bias = prevalence * tpr + (1 - prevalence) * fpr
    assert bias == cm.bias.exact(table)[0]
    assert cm.kappa.exact(table) == closed_form(prevalence, tpr, fpr)


def closed_form(prevalence: Fraction, tpr: Fraction, fpr: Fraction) -> Fraction:
    bias = prevalence * tpr + (1 - prevalence) * fpr
    return (
        2 * prevalence * (1 - prevalence) * (tpr - fpr) / (prevalence + bias * (1 - 2 * prevalence))
    )


@pytest.mark.parametrize("prevalence", [Fraction(1, 100), Fraction(3, 10), Fraction(1, 2)])
@pytest.mark.parametrize("kappa", [Fraction(-1, 10), Fraction(0), Fraction(1, 4), Fraction(4, 5)])
def test_lines_of_equal_kappa_are_straight_in_roc_space(
    prevalence: Fraction, kappa: Fraction
) -> None:
    def tpr_at(fpr: Fraction) -> Fraction:
        """Where the line of this kappa is, solved from the closed form for one FPR."""
        p, q = prevalence, 1 - prevalence
        return (kappa * (p + q * fpr * (1 - 2 * p)) + 2 * p * q * fpr) / (
            2 * p * q - kappa * p * (1 - 2 * p)
        )

    left, right = Fraction(1, 10), Fraction(4, 10)
    for part in (Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)):
        fpr = left + part * (right - left)
        tpr = tpr_at(left) + part * (tpr_at(right) - tpr_at(left))
        p, q = prevalence, 1 - prevalence
        cells = [[p * tpr, p * (1 - tpr)], [q * fpr, q * (1 - fpr)]]
        assert cm.kappa.values(Counts(np.array(cells, dtype=object))).item() == kappa


def perfect_auk(prevalence: float) -> float:
    """Area under kappa over FPR when all positives come first: TPR is 1 all along."""
    return float(quad(lambda fpr: closed_form(prevalence, 1.0, fpr), 0, 1, epsabs=1e-12)[0])


@pytest.mark.parametrize(
    ("percent", "area"),
    [(1, ".061"), (5, ".173"), (10, ".253"), (30, ".416"), (50, ".500"), (90, ".597")],
)
def test_area_under_kappa_of_a_perfect_ranking_depends_on_prevalence(
    percent: int, area: str
) -> None:
    assert rounds_to(perfect_auk(percent / 100), "0" + area)


def test_area_under_kappa_is_area_under_roc_less_a_half_for_balanced_classes() -> None:
    """At 50 %, kappa is TPR - FPR at every threshold."""
    fpr, tpr = np.array([0, 0.1, 0.3, 0.6, 1]), np.array([0, 0.5, 0.7, 0.9, 1])
    tables = np.stack([np.stack([tpr, 1 - tpr], -1), np.stack([fpr, 1 - fpr], -1)], -2)
    kappa = cm.kappa(tables)
    np.testing.assert_allclose(kappa, tpr - fpr, atol=1e-15)
    assert area(kappa, fpr) == pytest.approx(area(tpr, fpr) - 0.5)


def area(height: np.ndarray, over: np.ndarray) -> float:
    return float((np.diff(over) * (height[1:] + height[:-1]) / 2).sum())


def test_roc_does_not_move_with_prevalence_but_kappa_does() -> None:
    """What the two curves do not have in common."""
    table = [[40, 10], [10, 40]]
    rare = at_prevalence(table, [0.05, 0.95])
    assert cm.recall(rare).tolist() == pytest.approx(cm.recall(table).tolist())
    assert cm.specificity(rare).tolist() == pytest.approx(cm.specificity(table).tolist())
    assert cm.kappa(table) == pytest.approx(0.6)
    assert cm.kappa(rare) == pytest.approx(closed_form(0.05, 0.8, 0.2))
    assert cm.kappa(rare) < 0.25

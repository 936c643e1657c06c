"""Powers (2012), The problem with kappa: its formulas, its mixtures, its Tables 2 and 3.

Rows are the prediction there; here they are the truth. Shares of cases are in small letters.
"""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from printed import rounds_to

import chancemeter as cm
from chancemeter.counts import Counts
from chancemeter.errors import InputError
from chancemeter.shift import at_prevalence, mixture

GOLDEN = json.loads((Path(__file__).parent / "golden" / "powers_2012.json").read_text())

#: Prevalence of the positive class and share of positive guesses, by column of Table 3. The
#: last two columns are headed 4:1 like the two before; every row below says 1:4.
COLUMNS = [(50, 50), (80, 80), (80, 20)] * 2 + [(50, 50), (20, 20), (20, 80)]
#: Percent of informed decisions, by block and column.
INFORMED = [
    [0] * 9,
    [100] * 9,
    [15] * 3 + [99] * 3 + [1] * 3,
    [-15] * 3 + [-99] * 3 + [-1] * 3,
]
#: Cells of Table 3 that are wrong: block, column and row, all counted as in print.
MISPRINTS = {
    # The label of the columns with 1 % informed decisions repeats that of 99 %.
    **{(block, column, "label"): "1 %" for block in (3, 4) for column in (7, 8, 9)},
    # This column is about the other class: 1:4 and 4:1 under a heading of 4:1 and 1:4.
    **{
        (4, 3, row): "the other class"
        for row in (
            "prevalence",
            "inverse_prevalence",
            "bias",
            "inverse_bias",
            "skew_real",
            "skew_predicted",
        )
    },
    # The two skews divided, as the other cells of the row are.
    **{(3, column, "odds_ratio"): "by the skew of the guesses" for column in (3, 6, 9)},
    **{(4, column, "odds_ratio"): "by no skew of the table" for column in (2, 3, 5, 6, 9)},
}
#: Right with no mistake, but 0/0 by the paper's own formula (2).
UNDEFINED = {(2, column, "expected_powers") for column in range(1, 10)}


def percent(*shares: int) -> list[Fraction]:
    return [Fraction(share, 100) for share in shares]


def mixed(informed: Any, prevalence: Fraction, guesses: Fraction) -> Counts:
    """The mixture in exact arithmetic, the positive class first."""
    return Counts(mixture(informed, [prevalence, 1 - prevalence], [guesses, 1 - guesses]))


def positive(key: str, table: Counts) -> Any:
    """The value of a measure, of the positive class where it has one for each class."""
    measure = cm.get(key)
    values = np.asarray(measure.formula(table))
    return values[..., 0][()] if measure.card.level == "class" else values[()]


def expected_cell(block: int, column: int, row: str) -> Any:
    informed = Fraction(INFORMED[block - 1][column - 1], 100)
    table = mixed(informed, *percent(*COLUMNS[column - 1]))
    if row == "label":
        return informed
    if row == "odds_ratio":
        return positive("skew_real", table) / positive("skew_predicted", table)
    if row.startswith("inverse_"):
        return 1 - positive(row.removeprefix("inverse_"), table)
    return positive(row, table)


def table_3() -> list[tuple[int, int, str]]:
    return [
        (block, column, row)
        for block, rows in enumerate(GOLDEN["table_3"], 1)
        for row in rows
        for column in range(1, 10)
    ]


@pytest.mark.parametrize("informed", [0, 100, 15, -15])
@pytest.mark.parametrize("key", ["accuracy", "f_score"])
@pytest.mark.parametrize("column", [1, 2, 3])
def test_table_2(informed: int, key: str, column: int) -> None:
    table = mixed(Fraction(informed, 100), *percent(*COLUMNS[column - 1]))
    printed = GOLDEN["table_2"][str(informed)][key][column - 1]
    assert rounds_to(100 * positive(key, table), printed)


@pytest.mark.parametrize(("block", "column", "row"), table_3())
def test_table_3(block: int, column: int, row: str) -> None:
    printed = GOLDEN["table_3"][block - 1][row][column - 1]
    value = expected_cell(block, column, row)
    if (block, column, row) in UNDEFINED:
        assert np.isnan(float(value))
    else:
        assert rounds_to(100 * value, printed) == ((block, column, row) not in MISPRINTS)


def test_table_3_every_cell_is_checked() -> None:
    cells = table_3()
    assert len(cells) == 4 * 9 * 14
    assert set(MISPRINTS) | UNDEFINED <= set(cells)


def test_table_3_every_kappa_and_every_expectation_is_right() -> None:
    rows = {row for *_, row in MISPRINTS}
    assert not any(row.startswith("expected_") for row in rows)
    assert not rows & {"informedness", "kappa", "scott_pi"}


@pytest.mark.parametrize("column", range(1, 10))
def test_table_3_perfect_columns_print_cohens_expectation_for_powers(column: int) -> None:
    """By (2) it is 0/0 there; towards it, the skew of the guesses still counts."""
    rows = GOLDEN["table_3"][1]
    assert rows["expected_powers"] == rows["expected_cohen"]
    prevalence, guesses = percent(*COLUMNS[column - 1])
    by_guessing = prevalence * guesses + (1 - prevalence) * (1 - guesses)
    for informed in (Fraction(0), Fraction(99, 100), 1 - Fraction(1, 10**9)):
        assert positive("expected_powers", mixed(informed, prevalence, guesses)) == by_guessing


@pytest.mark.parametrize("row", GOLDEN["table_3"][3])
def test_table_3_block_4_column_3_is_right_for_the_other_class(row: str) -> None:
    table = mixed(Fraction(-15, 100), *percent(20, 80))
    printed = GOLDEN["table_3"][3][row][2]
    if row == "label":
        assert printed == "-15"
    elif row == "odds_ratio":
        assert not rounds_to(
            100 * positive("skew_real", table) / positive("skew_predicted", table), printed
        )
    elif row.startswith("inverse_"):
        assert rounds_to(100 - 100 * positive(row.removeprefix("inverse_"), table), printed)
    else:
        assert rounds_to(100 * positive(row, table), printed)


@pytest.mark.parametrize("column", [3, 6, 9])
def test_table_3_block_3_divides_by_the_skew_of_the_guesses(column: int) -> None:
    """Block 2 does not: with everything informed there are no guesses to have a skew."""
    prevalence, guesses = percent(*COLUMNS[column - 1])
    by_guesses = ((1 - prevalence) / prevalence) / ((1 - guesses) / guesses)
    assert rounds_to(100 * by_guesses, GOLDEN["table_3"][2]["odds_ratio"][column - 1])
    assert not rounds_to(100 * by_guesses, GOLDEN["table_3"][1]["odds_ratio"][column - 1])


@pytest.mark.parametrize("column", [2, 3, 5, 6, 9])
def test_table_3_block_4_fits_neither_skew(column: int) -> None:
    printed = GOLDEN["table_3"][3]["odds_ratio"][column - 1]
    for other_class in (False, True):
        pair = COLUMNS[column - 1]
        prevalence, guesses = percent(*(100 - x for x in pair) if other_class else pair)
        by_guesses = ((1 - prevalence) / prevalence) / ((1 - guesses) / guesses)
        table = mixed(Fraction(INFORMED[3][column - 1], 100), prevalence, guesses)
        by_bias = positive("skew_real", table) / positive("skew_predicted", table)
        assert not rounds_to(100 * by_guesses, printed)
        assert not rounds_to(100 * by_bias, printed)


def test_table_3_odds_ratio_is_a_ratio_of_skews_not_of_odds() -> None:
    table = mixed(Fraction(99, 100), *percent(50, 50))
    assert positive("skew_real", table) / positive("skew_predicted", table) == 1  # printed: 100 %
    assert positive("odds_ratio", table) == 199**2


# Formulas.


def random_tables(*, equal_margins: bool = False) -> list[list[list[int]]]:
    rng = np.random.default_rng(2012)
    found = []
    for _ in range(40):
        tp, fn, fp, tn = (int(x) for x in rng.integers(1, 90, 4))
        found.append([[tp, fn], [fn if equal_margins else fp, tn]])
    return found


class Dichotomy:
    """One table in the paper's notation."""

    def __init__(self, table: list[list[int]]) -> None:
        n = sum(map(sum, table))
        (self.tp, self.fn), (self.fp, self.tn) = [[Fraction(x, n) for x in row] for row in table]
        self.prev, self.iprev = self.tp + self.fn, self.fp + self.tn
        self.bias, self.ibias = self.tp + self.fp, self.fn + self.tn
        self.etp, self.etn = self.prev * self.bias, self.iprev * self.ibias
        self.det = self.tp * self.tn - self.fp * self.fn
        self.acc = self.tp + self.tn


@pytest.mark.parametrize("table", random_tables())
def test_formulas_1_to_4(table: list[list[int]]) -> None:
    d = Dichotomy(table)
    e, k = cm.expected_cohen.exact(table), cm.kappa.exact(table)
    assert cm.accuracy.exact(table) == d.acc
    assert e == d.etp + d.etn  # (11, second use)
    assert k == (d.acc - e) / (1 - e)  # (1)
    assert e == (d.acc - k) / (1 - k) == cm.implied_chance.exact(table, of="kappa")  # (2)

    def f(x: Fraction) -> Fraction:
        return (d.acc - x) / (1 - x)

    assert f(k) == e  # (3)
    assert f(e) == k  # (4)
    assert f(f(k)) == k


@pytest.mark.parametrize("table", random_tables())
def test_formulas_5_to_13(table: list[list[int]]) -> None:
    d = Dichotomy(table)
    assert cm.determinant.exact(table)[0] == d.det
    kappa = d.det / ((d.prev * d.ibias + d.bias * d.iprev) / 2)  # (5)
    fleiss = (d.det - ((d.prev - d.bias) / 2) ** 2) / (
        (d.prev + d.bias) * (d.ibias + d.iprev) / 4
    )  # (6), right
    informedness, markedness = d.det / (d.prev * d.iprev), d.det / (d.bias * d.ibias)  # (7), (8)
    assert cm.kappa.exact(table) == kappa
    assert cm.scott_pi.exact(table) == fleiss
    assert cm.informedness.exact(table) == informedness
    assert cm.markedness.exact(table) == markedness
    correlation = float(d.det) / np.sqrt(float(d.prev * d.iprev * d.bias * d.ibias))  # (9)
    assert cm.mcc(table) == pytest.approx(correlation, abs=1e-14)
    assert cm.powers_correlation(table) == pytest.approx(correlation, abs=1e-14)
    assert cm.mcc(table) ** 2 == pytest.approx(float(informedness * markedness), abs=1e-14)
    assert cm.f_score.exact(table)[0] == d.tp / ((d.prev + d.bias) / 2)  # (10)
    ep, en = (d.prev + d.bias) / 2, (d.iprev + d.ibias) / 2  # (12)
    assert cm.expected_scott.exact(table) == ep**2 + en**2  # (13)
    recall, inverse_recall = cm.recall.exact(table)[0], cm.specificity.exact(table)[0]
    assert informedness == recall + inverse_recall - 1
    assert informedness == (recall - d.bias) / (1 - d.prev)


@pytest.mark.parametrize("table", random_tables())
def test_determinant_is_tp_less_its_expectation(table: list[list[int]]) -> None:
    """Printed: "etp - etn"."""
    d = Dichotomy(table)
    assert d.det == d.tp - d.etp == d.tn - d.etn
    assert d.det != d.etp - d.etn


@pytest.mark.parametrize("table", random_tables())
def test_formula_6_as_printed_fails_where_prevalence_and_bias_differ(
    table: list[list[int]],
) -> None:
    d = Dichotomy(table)
    printed = d.det / ((d.prev + d.bias) * (d.ibias + d.iprev) / 4)
    assert (printed == cm.scott_pi.exact(table)) == (d.prev == d.bias)


@pytest.mark.parametrize("table", random_tables(equal_margins=True))
def test_all_kappas_are_one_where_prevalence_and_bias_agree(table: list[list[int]]) -> None:
    d = Dichotomy(table)
    one = d.det / ((d.prev + d.bias) * (d.ibias + d.iprev) / 4)  # (6) as printed
    assert cm.kappa.exact(table) == cm.scott_pi.exact(table) == one
    assert cm.informedness.exact(table) == cm.markedness.exact(table) == one


@pytest.mark.parametrize("table", random_tables())
def test_formula_11_as_printed_fails(table: list[list[int]]) -> None:
    """Printed at its first use: Acc = tp + fp, which is the bias."""
    d = Dichotomy(table)
    assert d.tp + d.fp == cm.bias.exact(table)[0]
    assert (d.tp + d.fp == cm.accuracy.exact(table)) == (d.fp == d.tn)


@pytest.mark.parametrize("table", random_tables())
def test_accuracy_as_a_weighted_mean(table: list[list[int]]) -> None:
    """Of precisions by bias, of recalls by prevalence; section 1.7 has it the other way."""
    d = Dichotomy(table)
    precision, inverse_precision = cm.precision.exact(table)[0], cm.npv.exact(table)[0]
    recall, inverse_recall = cm.recall.exact(table)[0], cm.specificity.exact(table)[0]
    assert d.acc == d.bias * precision + d.ibias * inverse_precision
    assert d.acc == d.prev * recall + d.iprev * inverse_recall
    by_prevalence = d.prev * precision + d.iprev * inverse_precision
    assert (by_prevalence == d.acc) == (d.prev == d.bias or precision == inverse_precision)


def test_kappa_is_not_restricted_to_0_to_1() -> None:
    """Section 1.2 says it is, though its own Table 3 prints -99 %."""
    assert cm.kappa.exact([[0, 5], [5, 0]]) == -1


def test_the_perfect_point_of_roc_space() -> None:
    """Figure 1 calls it (1, 0); in its axes, false before true positive rate, it is (0, 1)."""
    perfect, worst = [[7, 0], [0, 3]], [[0, 7], [3, 0]]
    for table, point in ((perfect, (0, 1)), (worst, (1, 0))):
        assert (1 - cm.specificity.exact(table)[0], cm.recall.exact(table)[0]) == point


@pytest.mark.parametrize(
    ("table", "weka"),
    [
        ([[21, 0], [1, 21]], 0.9535135135135134),
        ([[27, 1, 0], [0, 5, 0], [0, 1, 28]], 0.9446675591253905),
    ],
)
def test_weka_prints_cohens_kappa(table: list[list[int]], weka: float) -> None:
    """Section 1.7 says that its expectation is that of always guessing the majority."""
    assert cm.kappa(table) == pytest.approx(weka, abs=1e-12)
    assert cm.beyond_chance(table, chance_model="majority") != pytest.approx(weka, abs=1e-3)


def test_multiple_choice_marks() -> None:
    """1 for a right answer and -1/k for a wrong one, of k + 1: guessing earns nothing."""
    table = np.array([[5, 2, 1], [0, 7, 2], [3, 0, 4]])
    right, wrong = int(np.trace(table)), int(table.sum() - np.trace(table))
    assert cm.bennett_s.exact(table) == Fraction(right - Fraction(wrong, 2), right + wrong)
    assert cm.bennett_s.exact(np.full((3, 3), 4)) == 0


# The mixtures.

INFORMED_SHARES = [Fraction(n, 40) for n in range(40)]
SKEWS = percent(1, 20, 50, 80, 93)


@pytest.mark.parametrize("prevalence", SKEWS)
@pytest.mark.parametrize("guesses", SKEWS + percent(0, 100))
def test_informedness_gives_the_informed_share_back(
    prevalence: Fraction, guesses: Fraction
) -> None:
    informed = [*INFORMED_SHARES, *(-b for b in INFORMED_SHARES), 1, -1]
    table = mixed(informed, prevalence, guesses)
    assert positive("informedness", table).tolist() == informed


@pytest.mark.parametrize("share", SKEWS)
def test_without_mismatch_every_kappa_gives_the_informed_share_back(share: Fraction) -> None:
    table = mixed(INFORMED_SHARES, share, share)
    for key in ("kappa", "scott_pi", "informedness", "markedness"):
        assert positive(key, table).tolist() == INFORMED_SHARES


def test_with_more_classes_as_well() -> None:
    table = mixture([0, 0.2, 1], [0.5, 0.3, 0.2], [0.1, 0.1, 0.8])
    np.testing.assert_allclose(cm.informedness(table), [0, 0.2, 1], atol=1e-15)


@pytest.mark.parametrize("b", INFORMED_SHARES)
def test_formulas_14_and_15_the_rare_class_guessed_always(b: Fraction) -> None:
    table = mixed(b, Fraction(0), Fraction(1))
    assert table.truth.tolist() == [0, 1]
    assert table.predicted.tolist() == [1 - b, b]
    expected, kappa = positive("expected_scott", table), positive("scott_pi", table)
    assert expected == (1 + b**2) / 2  # (14)
    middle = Fraction(1, 4) + b**2 / 4 + b / 2, Fraction(1, 4) + b**2 / 4 - b / 2
    assert expected == sum(middle)
    assert expected != middle[0] ** 2 + middle[1] ** 2  # its middle form, printed with squares
    assert kappa == -(1 - b) / (1 + b) == (1 - b) ** 2 / (b**2 - 1)  # (15), right
    assert kappa != (1 - b) ** 2 / (b**2 - 2)  # printed


@pytest.mark.parametrize("b", INFORMED_SHARES[1:])
def test_formula_15_stops_at_zero(b: Fraction) -> None:
    """Wrong on purpose and guessing the rare class, one always says the rare class."""
    table = mixed(-b, Fraction(0), Fraction(1))
    assert table.predicted.tolist() == [1, 0]
    assert positive("expected_scott", table) == Fraction(1, 2)
    assert positive("scott_pi", table) == -1


@pytest.mark.parametrize("b", INFORMED_SHARES)
def test_formulas_16_and_17_balanced_classes_one_guessed_always(b: Fraction) -> None:
    table = mixed(b, Fraction(1, 2), Fraction(1))
    assert table.predicted.tolist() == [1 - b / 2, b / 2]  # printed: 1 - B and B
    expected, kappa = positive("expected_scott", table), positive("scott_pi", table)
    assert expected == Fraction(5, 8) - b / 4 + b**2 / 8  # (16), right
    assert kappa == (6 * b - 1 - b**2) / ((1 + b) * (3 - b))  # (17), right
    half, printed = b - Fraction(1, 2), Fraction(5, 8) + b * (b - 1) / 2
    assert printed == Fraction(1, 2) + half**2 / 2  # its two forms agree
    assert (printed == expected) == (b in (0, Fraction(2, 3)))
    first = (half - half**2 / 2) / (Fraction(1, 2) - half**2 / 2)
    second = (b - Fraction(5, 8) + b * (b - 1) / 2) / (1 - printed)
    assert kappa != first
    assert first != second or b == 0  # the two printed forms of (17)


@pytest.mark.parametrize("rare", [Fraction(1, 10**6), Fraction(1, 10**9)])
def test_limits_are_approached(rare: Fraction) -> None:
    b = Fraction(15, 100)
    near, at = (positive("scott_pi", mixed(b, p, 1 - p)) for p in (rare, Fraction(0)))
    assert abs(near - at) < 10 * rare


def test_opposite_skew_negates_fleiss_and_halves_cohen_near_fifteen_percent_only() -> None:
    for b, cohen, fleiss in (("0.15", "0.08", "-0.17"), ("0.5", "0.32", "0.25")):
        same = mixed(Fraction(b), *percent(80, 80))
        opposite = mixed(Fraction(b), *percent(80, 20))
        for key in ("kappa", "scott_pi", "informedness"):
            assert positive(key, same) == Fraction(b)
        assert rounds_to(positive("kappa", opposite), cohen)
        assert rounds_to(positive("scott_pi", opposite), fleiss)
        assert positive("informedness", opposite) == Fraction(b)


# The functions themselves.


def test_mixture_is_vectorised_over_everything_before_the_classes() -> None:
    informed, prevalence = np.linspace(-1, 1, 5), np.array([[0.5, 0.5], [0.9, 0.1]])
    stack = mixture(informed[:, None], prevalence, [0.3, 0.7])
    assert stack.shape == (5, 2, 2, 2)
    for i, b in enumerate(informed):
        for j, shares in enumerate(prevalence):
            np.testing.assert_array_equal(stack[i, j], mixture(b, shares, [0.3, 0.7]))
    np.testing.assert_allclose(stack.sum((-2, -1)), 1)
    np.testing.assert_allclose(stack.sum(-1), np.broadcast_to(prevalence, (5, 2, 2)))


def test_mixture_at_both_ends() -> None:
    assert mixture(1, [0.8, 0.2], [0.5, 0.5]).tolist() == [[0.8, 0], [0, 0.2]]
    assert mixture(-1, [0.8, 0.2], [0.5, 0.5]).tolist() == [[0, 0.8], [0.2, 0]]


def test_mixture_carries_a_complex_step() -> None:
    """The slope of kappa in B from one evaluation, against a difference quotient."""
    prevalence, guesses, h = [0.7, 0.3], [0.4, 0.6], 1e-6
    for b in (0.3, -0.3):
        step = mixture(b + 1e-30j, prevalence, guesses)
        slope = cm.kappa.formula(Counts(step)).imag / 1e-30
        two = cm.kappa(mixture([b - h, b + h], prevalence, guesses))
        assert slope == pytest.approx((two[1] - two[0]) / (2 * h), rel=1e-6)


@pytest.mark.parametrize("table", [[[20, 5], [10, 15]], [[9, 1, 0], [2, 7, 4], [0, 1, 3]]])
def test_at_prevalence_keeps_recalls_and_total(table: list[list[int]]) -> None:
    k = len(table)
    wanted = np.random.default_rng(4).dirichlet(np.ones(k), (3, 2))
    stack = at_prevalence(table, wanted)
    assert stack.shape == (3, 2, k, k)
    np.testing.assert_allclose(stack.sum((-2, -1)), np.sum(table))
    np.testing.assert_allclose(stack.sum(-1) / np.sum(table), wanted)
    recalls = np.array(table) / np.sum(table, -1, keepdims=True)
    np.testing.assert_allclose(
        stack / stack.sum(-1, keepdims=True), np.broadcast_to(recalls, stack.shape)
    )
    np.testing.assert_allclose(at_prevalence(table, np.sum(table, -1) / np.sum(table)), table)


def test_at_prevalence_of_a_class_without_cases() -> None:
    table = [[4, 1, 0], [1, 4, 0], [0, 0, 0]]
    assert at_prevalence(table, [0.2, 0.8, 0]).tolist() == [[1.6, 0.4, 0], [1.6, 6.4, 0], [0, 0, 0]]
    assert np.isnan(at_prevalence(table, [0.2, 0.7, 0.1])[2]).all()


def test_at_prevalence_is_exact_on_fractions() -> None:
    table = Counts(np.array([[Fraction(1), Fraction(2)], [Fraction(3), Fraction(1)]]))
    shifted = at_prevalence(table, [Fraction(1, 3), Fraction(2, 3)])
    assert shifted.tolist() == [
        [Fraction(7, 9), Fraction(14, 9)],
        [Fraction(7, 2), Fraction(7, 6)],
    ]


@pytest.mark.parametrize(
    ("call", "where", "what"),
    [
        (lambda: at_prevalence([[1, 2], [3, 4]], [0.5, 0.6]), "shares", "add up to 1"),
        (lambda: at_prevalence([[1, 2], [3, 4]], [0, 0]), "shares", "not only zeros"),
        (lambda: at_prevalence([[1, 2], [3, 4]], [0.5, 0.2, 0.3]), "shares", "one share for each"),
        (lambda: at_prevalence([[1, 2], [3, 4]], 0.5), "shares", "one share for each"),
        (lambda: at_prevalence([[1, 2], [3, 4]], [-0.5, 1.5]), "shares", "from 0 up"),
        (lambda: at_prevalence([[1, 2], [3, 4]], [np.nan, 1]), "shares", "from 0 up"),
        (lambda: at_prevalence(np.ones((3, 2, 2)), np.full((2, 2), 0.5)), "", "axes before"),
        (lambda: mixture(1.5, [0.5, 0.5], [0.5, 0.5]), "informed", "between -1 and 1"),
        (lambda: mixture(np.nan, [0.5, 0.5], [0.5, 0.5]), "informed", "between -1 and 1"),
        (lambda: mixture(-0.1, [0.5, 0.3, 0.2], [1, 0, 0]), "informed", "two classes"),
        (lambda: mixture(0.1, [0.5, 0.4], [0.5, 0.5]), "prevalence", "add up to 1"),
        (lambda: mixture(0.1, [0.5, 0.5], [0.5, 0.3, 0.2]), "bias", "one share for each"),
        (lambda: mixture("much", [0.5, 0.5], [0.5, 0.5]), "informed", "numbers"),
        (lambda: mixture(0.1, [0.5, 0.5], [[1, 0], [1]]), "bias", "numbers"),
        (lambda: mixture([0.1, 0.2, 0.3], np.full((2, 2), 0.5), [1, 0]), "", "axes before"),
    ],
)
def test_what_cannot_be_made_is_said(call: Any, where: str, what: str) -> None:
    with pytest.raises(InputError) as caught:
        call()
    (fault,) = caught.value.faults
    assert fault.where == where
    assert what in str(fault)

"""Ben-David (2007), A lot of randomness is hiding in accuracy: its tables, formulas and claims.

Rows are the truth there as here. Numbers in quotes are as printed.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from printed import rounds_to
from scipy import stats

import chancemeter as cm

#: Ten folds of Naive Bayes on Monks-3, the paper's protocol run again with WEKA 3.6.14.
MONKS_BAYES = np.array(
    [
        [[21, 0], [0, 23]],
        [[21, 0], [0, 23]],
        [[21, 0], [1, 21]],
        [[21, 0], [0, 22]],
        [[20, 0], [1, 22]],
        [[20, 0], [2, 21]],
        [[20, 0], [4, 19]],
        [[20, 0], [2, 21]],
        [[20, 0], [1, 22]],
        [[20, 0], [1, 22]],
    ]
)
#: The same folds when every prediction is right, as it was for the paper's other classifiers.
MONKS_PERFECT = MONKS_BAYES.sum(-1)[:, :, None] * np.eye(2, dtype=int)
#: Ten folds of logistic regression on Balance.
BALANCE_LOGISTIC = np.array(
    [
        [[29, 0, 0], [0, 5, 0], [0, 0, 29]],
        [[29, 0, 0], [0, 5, 0], [0, 2, 27]],
        [[28, 1, 0], [0, 5, 0], [0, 0, 29]],
        [[29, 0, 0], [0, 5, 0], [0, 0, 29]],
        [[28, 1, 0], [0, 5, 0], [0, 0, 29]],
        [[29, 0, 0], [0, 4, 0], [0, 0, 29]],
        [[29, 0, 0], [0, 4, 1], [0, 0, 28]],
        [[29, 0, 0], [0, 5, 0], [0, 0, 28]],
        [[27, 1, 0], [0, 5, 0], [0, 1, 28]],
        [[27, 1, 0], [0, 4, 1], [0, 0, 29]],
    ]
)
PAIRS = [(a, b) for a in (1, 2, 3, 7, 50, 10**6) for b in (1, 2, 5, 49, 999_983)]


def half_width(folds: np.ndarray) -> float:
    """Of the 95 % t interval of the mean of ten folds, which is what the paper prints."""
    return float(stats.t.ppf(0.975, 9) * folds.std(ddof=1) / np.sqrt(10))


def random_tables() -> list[list[list[int]]]:
    rng = np.random.default_rng(2007)
    return [rng.integers(0, 60, (k, k)).tolist() for k in (2, 2, 3, 4, 5, 7) for _ in range(20)]


def test_table_1_half_right_and_nothing_beyond_chance() -> None:
    table = [[250, 250], [250, 250]]
    assert cm.accuracy.exact(table) == Fraction(1, 2)
    assert cm.expected_cohen.exact(table) == Fraction(1, 2)
    assert cm.kappa.exact(table) == 0


def test_table_2_97_percent_right_but_kappa_81() -> None:
    table = [[70, 10], [20, 900]]
    assert cm.accuracy.exact(table) == Fraction("0.97")
    assert rounds_to(cm.expected_cohen.exact(table), "0.84")
    assert rounds_to(cm.kappa.exact(table), "0.81")


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_table_3_perfect_agreement(a: int, b: int) -> None:
    table = [[a, 0], [0, b]]
    assert cm.accuracy.exact(table) == 1
    assert cm.expected_cohen.exact(table) == Fraction(a * a + b * b, (a + b) ** 2)
    assert cm.kappa.exact(table) == 1
    even = [[a, 0], [0, a]]
    assert cm.expected_cohen.exact(even) == 2 * Fraction(a, 2 * a) ** 2


@pytest.mark.parametrize(("a", "b"), PAIRS)
def test_table_4_perfect_disagreement(a: int, b: int) -> None:
    table = [[0, a], [b, 0]]
    assert cm.accuracy.exact(table) == 0
    assert cm.expected_cohen.exact(table) == Fraction(2 * a * b, (a + b) ** 2)
    assert cm.kappa.exact(table) == Fraction(-2 * a * b, a * a + b * b)
    assert (cm.kappa.exact(table) == -1) == (a == b)


@pytest.mark.parametrize("a", [1, 2, 3, 7, 250, 10**6])
def test_table_5_random(a: int) -> None:
    table = [[a, a], [a, a]]
    assert cm.accuracy.exact(table) == cm.expected_cohen.exact(table) == Fraction(1, 2)
    assert cm.kappa.exact(table) == 0


@pytest.mark.parametrize("table", random_tables())
def test_formulas_1_2_and_3_say_the_same(table: list[list[int]]) -> None:
    cells = np.array(table, dtype=object)
    n, right = int(cells.sum()), int(np.trace(cells))
    chance = int((cells.sum(0) * cells.sum(1)).sum())
    p0, pc = Fraction(right, n), Fraction(chance, n * n)
    assert cm.expected_cohen.exact(table) == pc
    assert cm.kappa.exact(table) == (p0 - pc) / (1 - pc)
    assert cm.kappa.exact(table) == Fraction(n * right - chance, n * n - chance)


def test_majority_classifier_scores_zero_where_there_are_two_classes() -> None:
    assert cm.kappa.exact([[70, 0], [30, 0]]) == 0
    assert cm.kappa.exact([[0, 12, 0], [0, 80, 0], [0, 8, 0]]) == 0


def test_majority_classifier_has_no_kappa_on_a_fold_of_one_class() -> None:
    """Printed: it "always" scores zero. On a fold that holds its class only it is 0/0."""
    fold = [[9, 0], [0, 0]]
    assert np.isnan(cm.kappa(fold))
    assert cm.kappa.why(fold).code == "one_and_the_same_class"


@pytest.mark.parametrize("shares", [(1, 1), (7, 3), (99, 1), (5, 3, 2), (1, 2, 3, 4)])
def test_guessing_by_the_true_shares_scores_zero(shares: tuple[int, ...]) -> None:
    assert cm.kappa.exact(np.multiply.outer(shares, shares)) == 0


def test_three_balanced_classes_in_total_disagreement_reach_minus_one_half_only() -> None:
    """Printed: -1 to 1 "in any multi-class case"."""
    assert cm.kappa.exact([[0, 5, 0], [0, 0, 5], [5, 0, 0]]) == Fraction(-1, 2)
    assert cm.kappa.exact([[0, 3, 2], [2, 0, 3], [3, 2, 0]]) == Fraction(-1, 2)
    assert cm.kappa.exact([[0, 5, 0, 0], [0, 0, 5, 0], [0, 0, 0, 5], [5, 0, 0, 0]]) == Fraction(
        -1, 3
    )


def test_chance_of_a_perfect_fold_was_written_as_zero() -> None:
    """(P0 - K) / (1 - K) is 0/0 for a perfect fold; its margins say one half or more."""
    fold = [[22, 0], [0, 21]]
    assert np.isnan(cm.implied_chance(fold, inverted=True))
    assert cm.implied_chance(fold, inverted=True, undefined=0) == 0
    assert cm.expected_cohen.exact(fold) == Fraction(22**2 + 21**2, 43**2) > Fraction(1, 2)
    imperfect = [[20, 1], [3, 19]]
    assert cm.implied_chance.exact(imperfect, inverted=True) == cm.expected_cohen.exact(imperfect)


@pytest.mark.parametrize(
    ("folds", "accuracy", "kappa", "chance"),
    [
        (MONKS_BAYES, ("0.9721", "0.0205"), ("0.9443", "0.0406"), ("0.3496", "0.1726")),
        (BALANCE_LOGISTIC, ("0.9856", "0.0100"), ("0.9750", "0.0174"), ("0.2548", "0.1569")),
        (MONKS_PERFECT, ("1.0000", "0.0000"), ("1.0000", "0.0000"), ("0.0000", "0.0000")),
    ],
    ids=["Monks-3, Naive Bayes", "Balance, Logistic", "Monks-3, the other four"],
)
def test_rows_of_the_appendix_follow_from_the_folds_with_zero_for_perfect_ones(
    folds: np.ndarray,
    accuracy: tuple[str, str],
    kappa: tuple[str, str],
    chance: tuple[str, str],
) -> None:
    for values, (mean, width) in (
        (cm.accuracy(folds), accuracy),
        (cm.kappa(folds), kappa),
        (cm.implied_chance(folds, inverted=True, undefined=0), chance),
    ):
        assert rounds_to(values.mean(), mean)
        assert rounds_to(half_width(values), width)


@pytest.mark.parametrize(
    ("perfect", "level", "mean", "width"),
    [(3, 0.4994, "0.3496", "0.1726"), (4, 0.4247, "0.2548", "0.1569")],
    ids=["Monks-3, Naive Bayes", "Balance, Logistic"],
)
def test_zeros_for_perfect_folds_alone_explain_print_and_width(
    perfect: int, level: float, mean: str, width: str
) -> None:
    folds = np.array([0.0] * perfect + [level] * (10 - perfect))
    assert rounds_to(folds.mean(), mean)
    assert rounds_to(half_width(folds), width)


def test_chance_from_the_margins_repairs_tables_7_and_11() -> None:
    bayes = cm.expected_cohen(MONKS_BAYES).mean()
    others = cm.expected_cohen(MONKS_PERFECT).mean()
    logistic = cm.expected_cohen(BALANCE_LOGISTIC).mean()
    assert rounds_to(bayes, "0.4999")
    assert rounds_to(others, "0.5017")
    assert rounds_to(logistic, "0.4279")
    # Table 7 averages 75 cells: six of them change.
    repaired = 0.3465 + ((bayes - 0.3496) + 4 * others + (logistic - 0.2548)) / 75
    assert rounds_to(repaired, "0.3776")
    # Table 11: relative difference of the highest chance to the lowest.
    assert rounds_to(100 * (0.4608 - 0.2548) / 0.2548, "80.8")  # printed: 80.9
    assert rounds_to(100 * (0.4608 - logistic) / logistic, "7.7")
    assert rounds_to(100 * (others - bayes) / bayes, "0.4")  # printed: very high


def test_table_10_relative_difference() -> None:
    assert rounds_to(100 * (0.7049 - 0.6481) / 0.6481, "8.8")


def test_chance_is_a_share_of_cases_not_of_hits() -> None:
    """Three different shares of Table 2; the paper calls the first a share of "hits"."""
    table = [[70, 10], [20, 900]]
    p0, pc, k = (m.exact(table) for m in (cm.accuracy, cm.expected_cohen, cm.kappa))
    assert cm.chance_share_of_hits.exact(table) == pc / p0
    assert cm.guessed_share_of_hits.exact(table) == (1 - k) * pc / p0
    assert rounds_to(pc, "0.844")
    assert rounds_to(pc / p0, "0.871")
    assert rounds_to((1 - k) * pc / p0, "0.168")


@pytest.mark.parametrize(
    ("a", "b", "p"),
    [
        (("0.4671", "0.0215"), ("0.4345", "0.0256"), "0.041"),
        (("0.4671", "0.0215"), ("0.4338", "0.0223"), "0.026"),
        (("0.6280", "0.0305"), ("0.5660", "0.0331"), "0.006"),
    ],
    ids=["Naive Bayes - C4.5", "Naive Bayes - Random Forest", "SMO - Naive Bayes"],
)
def test_table_12_accuracies_do_differ_by_a_t_test(
    a: tuple[str, str], b: tuple[str, str], p: str
) -> None:
    """Printed: "no significant difference" by a two-sided t-test. Intervals overlap, though."""
    (mean_a, width_a), (mean_b, width_b) = (map(float, a), map(float, b))
    to_error = stats.t.ppf(0.975, 9)
    t = (mean_a - mean_b) / np.hypot(width_a / to_error, width_b / to_error)
    assert rounds_to(2 * stats.t.sf(t, 18), p)
    assert mean_a - width_a < mean_b + width_b


@pytest.mark.parametrize(
    ("a", "b"),
    [
        ((0.1974, 0.0303), (0.1093, 0.0418)),
        ((0.1974, 0.0303), (0.1205, 0.0342)),
        ((0.4747, 0.0430), (0.3748, 0.0494)),
    ],
    ids=["Naive Bayes - C4.5", "Naive Bayes - Random Forest", "SMO - Naive Bayes"],
)
def test_table_12_kappa_intervals_are_apart(a: tuple[float, float], b: tuple[float, float]) -> None:
    assert a[0] - a[1] > b[0] + b[1]


TABLE_12 = {  # (mean, half-width): accuracies of A and B, kappas of A and B
    "Naive Bayes - C4.5": (
        ((0.4671, 0.0215), (0.4345, 0.0256)),
        ((0.1974, 0.0303), (0.1093, 0.0418)),
    ),
    "Naive Bayes - Random Forest": (
        ((0.4671, 0.0215), (0.4338, 0.0223)),
        ((0.1974, 0.0303), (0.1205, 0.0342)),
    ),
    "SMO - Naive Bayes": (
        ((0.6280, 0.0305), (0.5660, 0.0331)),
        ((0.4747, 0.0430), (0.3748, 0.0494)),
    ),
}


@pytest.mark.parametrize("pair", TABLE_12)
def test_table_12_is_the_overlap_of_intervals_and_what_the_corrected_test_says(pair: str) -> None:
    """Three verdicts that depend on the measure, by a rule that is no test, and by one that is.

    The corrected test from the printed means takes both models' folds for uncorrelated, for how
    they go together is not printed; it gives the same three verdicts, and says what it takes.
    """
    by_overlap, by_test = [], []
    for a, b in TABLE_12[pair]:
        found = cm.interval_overlap(*((mean - width, mean + width) for mean, width in (a, b)))
        assert found.method.key == "interval_overlap"
        assert np.isnan(found.p)
        assert "no test" in found.undefined
        by_overlap.append(found.statistic > 0)
        said = cm.corrected_t_of_means(a, b, folds=10)
        assert "assumed" in said.method.assumes
        by_test.append(said.p < 0.05)
    assert by_overlap == [False, True]
    assert by_test == [False, True]


def test_table_12_hangs_on_how_the_folds_go_together() -> None:
    """Were both models' folds correlated by one half, accuracy would differ in two rows of three."""
    by_test = [
        [cm.corrected_t_of_means(*pair, correlation=0.5).p < 0.05 for pair in pairs]
        for pairs in TABLE_12.values()
    ]
    assert by_test == [[False, True], [True, True], [True, True]]


def test_table_9_ranks_of_project_management() -> None:
    """The two rows that came out garbled, from Tables A.1 to A.5."""
    models = ["Naive Bayes", "SMO", "Logistic", "Random forest", "C4.5"]
    accuracy = [0.3569, 0.3278, 0.3250, 0.3167, 0.2694]
    kappa = [0.0966, 0.1113, 0.1170, 0.0272, -0.0315]
    by_accuracy, by_kappa = (stats.rankdata(np.negative(x)) for x in (accuracy, kappa))
    found = dict(zip(models, zip(by_accuracy, by_kappa, strict=True), strict=True))
    assert found["Logistic"] == (3, 1)
    assert found["Random forest"] == (4, 4)


def test_mean_of_fold_kappas_is_not_the_kappa_of_all_folds() -> None:
    pooled = cm.kappa(BALANCE_LOGISTIC.sum(0))
    assert rounds_to(cm.kappa(BALANCE_LOGISTIC).mean(), "0.9750")
    assert rounds_to(pooled, "0.9748")


def test_balance_has_three_classes() -> None:
    """Table 6 says five: its 625 cases in three classes give the printed row exactly."""
    assert BALANCE_LOGISTIC.sum() == 625
    assert BALANCE_LOGISTIC.sum((0, 2)).tolist() == [288, 49, 288]

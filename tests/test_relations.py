"""Relations between measures, true and false ones, in exact fractions wherever there are any.

Each has an id. Those that other test files hold are listed with the test that does, so that the
list has no gaps. A false relation is tested by a table on which it fails, and fails clearly.
"""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

import chancemeter as cm
from chancemeter import chance
from chancemeter.counts import Counts

#: Relations that other files hold.
ELSEWHERE = {
    "N6": "test_scale",
    "H6": "test_without_mismatch_every_kappa_gives_the_informed_share_back",
    "H7": "test_what_recovers_the_informed_share",
    "H7b": "test_informedness_gives_the_informed_share_back",
    "H8": "test_with_more_classes_as_well",
    "B3": "test_bounds",
    "B5": "test_correlation_lies_between",
    "B8": "test_which_means_rank_classifiers_alike",
    "B8b": "test_jaccard_is_f_on_a_curve",
    "D1": "test_one_determinant_four_divisors",
    "D2": "test_one_determinant_four_divisors",
    "D3": "test_correlation_is_the_geometric_mean_of_two_classes_only",
    "D3m": "test_correlation_is_the_geometric_mean_of_two_classes_only",
    "D4": "test_formula_6_as_printed_fails_where_prevalence_and_bias_differ",
    "D5": "test_chi_squared_is_n_times_squared_correlation",
    "D6": "test_informedness_from_rates",
    "D7": "test_even_classes_make_kappa_informedness",
    "D10": "test_formulas_4_to_14",
    "D10b": "test_formula_14_as_printed_fails",
    "D12": "test_table_4_perfect_disagreement",
    "D14": "test_formulas_14_and_15_the_rare_class_guessed_always",
    "D14b": "test_limits_are_approached",
    "M1": "test_micro_averages_are_accuracy",
    "M2": "test_kappa_is_a_weighted_mean_of_class_kappas",
    "M4": "test_correlation_of_two_classes_is_pearsons",
    "M7": "test_two_macro_f_scores",
    "W1": "test_equal_weights_are_no_weights",
    "W2": "test_size_of_weights_reversal_and_transposing_leave_it",
    "W3": "test_another_order_of_classes_changes_it",
    "W4": "test_quadratic_kappa_is_lins_concordance",
    "W5": "test_linear_kappa_is_a_mean_of_kappas_at_each_cut",
    "W6": "test_independence_is_zero_guessing_is_zero_perfection_is_one",
    "X1": "test_agrees_with_exact_fractions",
}
ALL_IDS = (
    "C1 C2 C3 N1 N2 N3 N4 N5 N6 N7 N8 N9 N10 N11 H1 H2 H2b H3 H4 H5 H6 H7 H7b H8 H9 H10 H11 "
    "B1 B2 B3 B4 B5 B6 B7 B8 B8b B9 D1 D2 D3 D3m D4 D4b D5 D6 D7 D8 D8f D9 D9k D10 D10b D11 D12 "
    "D13 D14 D14b M1 M2 M3 M4 M5 M6 M7 W1 W2 W3 W4 W5 W6 X1 X2 X3 X4"
).split()


def test_every_relation_is_held_by_a_test() -> None:
    here = {name.split("_")[1] for name in globals() if name.startswith("test_")}
    for key in ALL_IDS:
        assert (key.lower() in here) != (key in ELSEWHERE), key
    folder = Path(__file__).parent
    text = "\n".join(path.read_text("utf-8") for path in folder.glob("test_*.py"))
    for name in ELSEWHERE.values():
        assert f"def {name}(" in text, name


# Tables


@st.composite
def tables(draw: st.DrawFn, least: int = 1, classes: tuple[int, int] = (2, 5)) -> np.ndarray:
    """A table of whole numbers, crowded on the diagonal or not."""
    k = draw(st.integers(*classes))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    cells = rng.integers(least, 60, (k, k))
    return cells + np.diag(rng.integers(0, rng.choice([1, 20, 400]), k))


two_classes = tables(classes=(2, 2))
three_or_more = tables(classes=(3, 5))


@st.composite
def labels(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    n = draw(st.integers(2, 40))
    kinds = st.lists(st.integers(0, 2), min_size=n, max_size=n)
    truth, predicted = draw(kinds), draw(kinds)
    assume(set(truth) & set(predicted))
    return truth, predicted


def exact(key: str, table: np.ndarray) -> list[Fraction]:
    """Exact values, one or one for each class."""
    found = cm.get(key).exact(table)
    return list(found) if isinstance(found, np.ndarray) else [found]


def close(a: object, b: object, room: float = 1e-12) -> None:
    np.testing.assert_allclose(np.asarray(a, float), np.asarray(b, float), rtol=room, atol=room)


def margins_as_counts(table: np.ndarray) -> np.ndarray:
    """The table of independence with the margins of `table`, times its total."""
    return np.outer(table.sum(1), table.sum(0))


NOMINAL = "accuracy kappa scott_pi bennett_s gwet_ac1 balanced_accuracy informedness markedness"
FALLS_APART = "kappa f_score@macro informedness"  # what does not decompose into folds


# Counts


@given(labels(), st.randoms())
def test_c1_the_order_of_cases_does_not_matter(pair, random) -> None:
    cases = list(zip(*pair, strict=True))
    random.shuffle(cases)
    assert cm.tally(*zip(*cases, strict=True)) == cm.tally(*pair)


@given(labels(), st.integers(0, 40))
def test_c2_tables_of_parts_add_up(pair, cut) -> None:
    declared = [0, 1, 2]
    parts = [
        cm.tally(t, p, declared) for t, p in ([x[:cut] for x in pair], [x[cut:] for x in pair]) if t
    ]
    assert sum(part.counts for part in parts).tolist() == cm.tally(*pair, declared).counts.tolist()


@given(labels(), st.data())
def test_c3_a_weight_is_a_number_of_copies(pair, data) -> None:
    n = len(pair[0])
    times = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    assume(sum(times))
    copied = [[x for x, w in zip(side, times, strict=True) for _ in range(w)] for side in pair]
    weighed = cm.tally(*pair, labels=[0, 1, 2], weights=times)
    assert weighed == cm.tally(*copied, labels=[0, 1, 2])


# What can be done to a table


@given(tables(), st.randoms())
def test_n1_the_order_of_classes_does_not_matter(table, random) -> None:
    order = list(range(len(table)))
    random.shuffle(order)
    for key in NOMINAL.split():
        assert exact(key, table[order][:, order]) == exact(key, table)


@given(tables())
def test_n2_some_do_not_mind_which_side_is_the_truth(table) -> None:
    for key in ("accuracy", "kappa", "scott_pi", "bennett_s", "gwet_ac1", "f_score@macro"):
        assert exact(key, table.T) == exact(key, table)


@given(tables())
def test_n3_others_change_places(table) -> None:
    for key, twin in (
        ("recall", "precision"),
        ("specificity", "npv"),
        ("informedness", "markedness"),
    ):
        assert exact(key, table.T) == exact(twin, table)
        assert exact(twin, table.T) == exact(key, table)


def test_n4_balanced_accuracy_and_theils_u_do_mind() -> None:
    table = np.array([[90, 10], [40, 60]])
    for key in ("balanced_accuracy", "theils_u"):
        assert abs(cm.get(key)(table.T) - cm.get(key)(table)) > 1e-3


@given(tables(), st.sampled_from([2, 7, 1000]))
def test_n5_shares_do_not_change_with_the_number_of_cases(table, times) -> None:
    for key in [*NOMINAL.split(), "recall", "precision@macro", "jaccard"]:
        assert exact(key, times * table) == exact(key, table)


@given(tables())
def test_n7_a_class_that_never_occurs_changes_nothing(table) -> None:
    wider = np.pad(table, (0, 1))
    for key in ("accuracy", "kappa", "scott_pi"):
        assert exact(key, wider) == exact(key, table)
    close(cm.mcc(wider), cm.mcc(table), 1e-13)


@given(tables())
def test_n8_but_for_measures_that_count_classes(table) -> None:
    wider = np.pad(table, (0, 1))
    for key in ("bennett_s", "gwet_ac1"):
        assert exact(key, wider) != exact(key, table)


@given(tables(), st.integers(2, 5))
def test_n9_identical_folds(table, times) -> None:
    folds = np.stack([table] * times)
    for key in [*NOMINAL.split(), "mcc"]:
        each = cm.get(key)(folds)
        assert np.ptp(each) == 0
        close(each[0], cm.get(key)(folds.sum(0)))


FOLDS = np.array([[[9, 1], [1, 9]], [[30, 0], [8, 2]]])


@pytest.mark.parametrize("key", FALLS_APART.split())
def test_n10_the_mean_over_folds_is_not_the_value_of_all_cases(key) -> None:
    assert abs(cm.get(key)(FOLDS).mean() - cm.get(key)(FOLDS.sum(0))) > 0.01


@pytest.mark.parametrize("key", FALLS_APART.split())
@given(st.lists(tables(classes=(3, 3)), min_size=2, max_size=5))
def test_n11_only_accuracy_is_a_mean_by_size(key, folds) -> None:
    sizes = [int(fold.sum()) for fold in folds]
    mean = sum(n * cm.accuracy.exact(fold) for n, fold in zip(sizes, folds, strict=True))
    assert mean / sum(sizes) == cm.accuracy.exact(sum(folds))
    assert (
        abs(np.average(cm.get(key)(FOLDS), weights=FOLDS.sum((1, 2))) - cm.get(key)(FOLDS.sum(0)))
        > 0.01
    )


# Chance


@given(tables())
def test_h1_independence_is_exactly_nothing(table) -> None:
    free = margins_as_counts(table)
    for key in ("kappa", "informedness", "markedness", "chi_squared", "balanced_accuracy_adjusted"):
        assert exact(key, free) == [0]
    assert exact("balanced_accuracy", free) == [Fraction(1, len(table))]
    assert cm.mcc(free) == 0
    assert cm.mutual_information(free) == 0


def test_h2_independence_is_not_nothing_for_scott() -> None:
    assert cm.scott_pi.exact(np.outer([8, 2], [2, 8])) < Fraction(-1, 4)


@given(tables())
def test_h2b_scotts_pi_of_independence_is_never_positive(table) -> None:
    free = margins_as_counts(table)
    pi = cm.scott_pi.exact(free)
    rows, columns = free.sum(1), free.sum(0)
    assert pi <= 0
    assert (pi == 0) == bool((rows == columns).all())


def test_h3_independence_is_not_nothing_for_bennett_and_gwet() -> None:
    free = np.outer([9, 1], [9, 1])
    assert cm.bennett_s.exact(free) == Fraction(16, 25)
    assert cm.gwet_ac1.exact(free) > Fraction(3, 4)


@given(tables(), st.data())
def test_h4_a_constant_classifier_wins_nothing(table, data) -> None:
    k = len(table)
    same = np.zeros((k, k), int)
    same[:, data.draw(st.integers(0, k - 1))] = table.sum(1)
    assert cm.kappa.exact(same) == cm.informedness.exact(same) == 0
    assert abs(cm.kappa(same)) <= 1e-15
    assert cm.balanced_accuracy.exact(same) == Fraction(1, k)
    assert np.isnan(cm.mcc(same))
    assert np.isnan(cm.markedness(same))


@given(tables())
def test_h5_perfection_is_one(table) -> None:
    perfect = np.diag(table.sum(1))
    keys = ("kappa", "scott_pi", "bennett_s", "gwet_ac1", "informedness", "markedness")
    for key in (*keys, "weighted_kappa", "balanced_accuracy_adjusted"):
        assert exact(key, perfect) == [1]
    close(cm.mcc(perfect), 1)


@given(two_classes, st.integers(1, 50), st.integers(1, 50))
def test_h9_rates_survive_another_prevalence(table, a, b) -> None:
    rows = table * [[a], [b]]
    for key in ("informedness", "recall", "specificity", "fall_out", "balanced_accuracy"):
        assert exact(key, rows) == exact(key, table)


@given(two_classes, st.integers(1, 50), st.integers(1, 50))
def test_h11_their_twins_survive_another_bias(table, a, b) -> None:
    columns = table * [a, b]
    for key in ("markedness", "precision", "npv"):
        assert exact(key, columns) == exact(key, table)


@pytest.mark.parametrize("key", ["kappa", "mcc", "f_score@macro"])
def test_h10_kappa_correlation_and_f_do_not(key) -> None:
    table = np.array([[20, 5], [10, 15]])
    rare = table * [[1], [40]]
    assert abs(cm.get(key)(rare) - cm.get(key)(table)) > 0.05


# Bounds


@given(tables(least=0))
def test_b1_ranges(table) -> None:
    k = len(table)
    assume(table.any(0).all() and table.any(1).all())
    for key in ("accuracy", "f_score", "jaccard"):
        assert all(0 <= x <= 1 for x in exact(key, table))
    for key in ("kappa", "scott_pi", "informedness", "markedness"):
        assert all(-1 <= x <= 1 for x in exact(key, table))
    assert Fraction(-1, k - 1) <= cm.bennett_s.exact(table) <= 1
    level = cm.expected_cohen.exact(table)
    assert cm.kappa.exact(table) >= -level / (1 - level)


@given(tables(least=0))
def test_b2_pi_is_never_above_kappa(table) -> None:
    assume((table.sum(0) + table.sum(1) > 0).sum() > 1)
    assert cm.scott_pi.exact(table) <= cm.kappa.exact(table)


@given(tables())
def test_b4_equal_margins_make_one_of_many(table) -> None:
    even = table + table.T
    kappa = cm.kappa.exact(even)
    assert cm.scott_pi.exact(even) == kappa
    close(cm.mcc(even), float(kappa))
    if len(table) == 2:
        assert cm.informedness.exact(even) == cm.markedness.exact(even) == kappa


@given(tables(least=0, classes=(2, 2)))
def test_b6_gwet_bennett_scott(table) -> None:
    assume((table.sum(0) + table.sum(1) > 0).all())
    s = cm.bennett_s.exact(table)
    assert cm.gwet_ac1.exact(table) >= s == cm.pabak.exact(table) >= cm.scott_pi.exact(table)


@given(tables())
def test_b7_means_of_recall_and_precision(table) -> None:
    parts = [exact(key, table) for key in ("jaccard", "f_score", "recall", "precision")]
    for jaccard, f, recall, precision in zip(*parts, strict=True):
        assert jaccard <= f <= (recall + precision) / 2
        assert recall * precision <= f
        assert min(recall, precision) <= f <= max(recall, precision)


def test_b9_scotts_pi_can_rank_against_accuracy() -> None:
    """On one and the same test set."""
    rare = [np.array([[96, 4], [3, 1]]), np.array([[100, 0], [4, 0]])]
    assert rare[0].sum(1).tolist() == rare[1].sum(1).tolist()
    assert cm.accuracy.exact(rare[0]) < cm.accuracy.exact(rare[1])
    assert cm.scott_pi.exact(rare[0]) > cm.scott_pi.exact(rare[1])


# Two classes


@given(two_classes)
def test_d4b_scotts_pi_by_its_determinant(table) -> None:
    (a, b), (c, d) = table.tolist()
    above = a * d - Fraction(b + c, 2) ** 2
    below = Fraction((2 * a + b + c) * (2 * d + b + c), 4)
    assert cm.scott_pi.exact(table) == above / below


@given(two_classes)
def test_d8_the_other_class_as_the_positive_one(table) -> None:
    turned = table[::-1, ::-1]
    for key in ("accuracy", "kappa", "informedness", "markedness"):
        assert exact(key, turned) == exact(key, table)
    close(cm.mcc(turned), cm.mcc(table))
    for key, twin in (("recall", "specificity"), ("precision", "npv")):
        assert exact(key, turned)[0] == exact(twin, table)[0]


def test_d8f_f_depends_on_which_class_is_positive() -> None:
    f = exact("f_score", np.array([[20, 5], [10, 915]]))
    assert f[1] - f[0] > Fraction(1, 5)


@given(two_classes)
def test_d9_flipped_predictions(table) -> None:
    flipped = table[:, ::-1]
    assert cm.accuracy.exact(flipped) == 1 - cm.accuracy.exact(table)
    for key in ("informedness", "markedness"):
        assert exact(key, flipped) == [-x for x in exact(key, table)]
    close(cm.mcc(flipped), -cm.mcc(table))
    leverage = exact("determinant", table)[0]
    assume(leverage != 0)
    kappas = cm.kappa.exact(table), cm.kappa.exact(flipped)
    assert 1 / kappas[0] - 1 / kappas[1] == 1 / (2 * leverage)


def test_d9k_flipping_does_not_negate_kappa() -> None:
    table = np.array([[90, 5], [2, 3]])
    assert cm.kappa.exact(table[:, ::-1]) + cm.kappa.exact(table) > Fraction(1, 10)


@given(tables())
def test_d11_the_chance_level_and_the_measure_imply_each_other(table) -> None:
    accuracy, level = cm.accuracy.exact(table), cm.expected_cohen.exact(table)
    kappa = cm.kappa.exact(table)
    assert (accuracy - level) / (1 - level) == kappa
    assert (accuracy - kappa) / (1 - kappa) == level
    assert cm.implied_chance.exact(table) == level
    assert cm.implied_chance.exact(table, inverted=True) == level


@given(three_or_more)
def test_d11_holds_for_every_model(table) -> None:
    c = Counts(table.astype(float))
    accuracy = c.right / c.total
    for model in chance.MODELS.values():
        level, gain = model.expect(c).share, chance.beyond(model, c)
        known = np.isfinite(level) & np.isfinite(gain) & (np.abs(1 - level) > 1e-9)
        close(np.where(known, gain, 0), np.where(known, (accuracy - level) / (1 - level), 0), 1e-8)


@given(two_classes, *[st.integers(1, 50)] * 4)
def test_d13_the_odds_ratio_ignores_both_margins(table, a, b, c, d) -> None:
    scaled = table * [[a], [b]] * [c, d]
    odds = exact("odds_ratio", table)
    assert exact("odds_ratio", scaled) == odds
    assert exact("yule_q", scaled) == exact("yule_q", table) == [(x - 1) / (x + 1) for x in odds]
    close(cm.log_odds_ratio(scaled), np.log(np.array(odds, float)), 1e-9)


# More classes


@given(tables())
def test_m3_pi_is_a_weighted_mean_of_class_pis(table) -> None:
    n, margin = int(table.sum()), table.sum(0) + table.sum(1)
    shares = [Fraction(int(x), 2 * n) for x in margin]
    weights = [x * (1 - x) for x in shares]
    each = exact_each(cm.scott_pi, table)
    assert sum(w * x for w, x in zip(weights, each, strict=True)) / sum(
        weights
    ) == cm.scott_pi.exact(table)


def exact_each(m, table) -> list[Fraction]:
    """The exact value of each class against the rest."""
    n, k = int(table.sum()), len(table)
    found = []
    for i in range(k):
        tp, fn = int(table[i, i]), int(table[i].sum() - table[i, i])
        fp = int(table[:, i].sum()) - tp
        found.append(m.exact([[tp, fn], [fp, n - tp - fn - fp]]))
    return found


@given(tables())
def test_m5_informedness_and_markedness_are_weighted_means(table) -> None:
    n = int(table.sum())
    for key, weights in (("informedness", table.sum(0)), ("markedness", table.sum(1))):
        m = cm.get(key)
        each = exact_each(m, table)
        mean = sum(int(w) * x for w, x in zip(weights, each, strict=True)) / n
        assert mean == m.exact(table)
        if len(table) == 2:
            assert each == [mean, mean]


def test_m6_the_mean_of_class_kappas_is_not_kappa() -> None:
    table = np.array([[50, 3, 2], [4, 40, 29], [1, 5, 20]])
    assert abs(cm.get("kappa@each@macro")(table) - cm.kappa(table)) > 0.005


# Numbers


def test_x2_whole_numbers_of_64_bits_overflow_where_kappa_does_not() -> None:
    table = np.array([[4 * 10**9, 10**9], [10**9, 2 * 10**9]])
    n, diagonal = table.sum(), np.trace(table)
    with np.errstate(over="ignore"):
        above = n * diagonal - (table.sum(0) * table.sum(1)).sum()
        below = n * n - (table.sum(0) * table.sum(1)).sum()
        naive = above / below
    right = cm.kappa.exact(table)
    assert right == Fraction(7, 15)
    assert abs(cm.kappa(table) - right) < 1e-15
    assert abs(naive - right) > 0.01


def test_x3_single_precision_cannot_count_beyond_24_bits() -> None:
    ones = np.array([2**24, 1, 1], np.float32)
    assert ones[0] + ones[1] == ones[0]
    table = np.array([[2**24, 1], [1, 2**24]])
    assert cm.population(table) == 2**25 + 2
    assert cm.error_count(table) == 2


def test_x4_one_error_in_a_thousand_million() -> None:
    table = np.array([[5 * 10**8 - 1, 1], [0, 5 * 10**8]])
    right = 1 - cm.kappa.exact(table)
    assert abs(Fraction(cm.errors_vs_chance(table)) / right - 1) < Fraction(1, 10**15)
    assert abs(Fraction(1 - cm.kappa(table)) / right - 1) < Fraction(1, 10**6)

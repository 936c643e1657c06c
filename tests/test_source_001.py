"""Labatut and Cherifi (2011), Accuracy measures for the comparison of classifiers.

Rows are the prediction there: its tables are transposed before they are used here.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

import chancemeter as cm


def printed_tables() -> list[np.ndarray]:
    """Random tables as the paper writes them: rows estimated, columns true classes."""
    rng = np.random.default_rng(2011)
    return [rng.integers(1, 60, (k, k)) for k in (2, 3, 4, 6) for _ in range(15)]


def same_truth(k: int, times: int = 400) -> np.ndarray:
    """Many classifiers on one test set of `k` classes."""
    rng = np.random.default_rng([11, k])
    truth = rng.integers(30, 90, k)
    rows = [[rng.multinomial(n, rng.dirichlet(np.ones(k))) for n in truth] for _ in range(times)]
    return np.array(rows)


@pytest.mark.parametrize("printed", printed_tables())
def test_formulas_1_to_8(printed: np.ndarray) -> None:
    k, n = len(printed), int(printed.sum())
    ours = printed.T.tolist()
    assert cm.accuracy.exact(ours) == Fraction(int(np.trace(printed)), n)  # (1)
    icsi = []
    for i in range(k):
        tp = int(printed[i, i])
        fp, fn = int(printed[i, :].sum()) - tp, int(printed[:, i].sum()) - tp
        tn = n - tp - fp - fn
        tpr, tnr = Fraction(tp, tp + fn), Fraction(tn, tn + fp)  # (2), (3)
        ppv, npv = Fraction(tp, tp + fp), Fraction(tn, tn + fn)  # (4), (5)
        f, jaccard = Fraction(2 * tp, 2 * tp + fn + fp), Fraction(tp, tp + fp + fn)  # (6), (7)
        icsi.append(ppv + tpr - 1)  # (8)
        assert cm.recall.exact(ours)[i] == tpr
        assert cm.specificity.exact(ours)[i] == tnr
        assert cm.precision.exact(ours)[i] == ppv
        assert cm.npv.exact(ours)[i] == npv
        assert cm.f_score.exact(ours)[i] == f == 2 * ppv * tpr / (ppv + tpr)
        assert cm.jaccard.exact(ours)[i] == jaccard == f / (2 - f)
        assert cm.icsi.exact(ours)[i] == icsi[i] == 1 - ((1 - ppv) + (1 - tpr))
        assert cm.kulczynski.exact(ours)[i] == (icsi[i] + 1) / 2
    assert cm.csi.exact(ours) == sum(icsi) / k


@pytest.mark.parametrize("printed", printed_tables())
def test_formula_9_one_gap_three_ideas_of_chance(printed: np.ndarray) -> None:
    k, n = len(printed), int(printed.sum())
    rows, columns = ([Fraction(int(x), n) for x in printed.sum(a)] for a in (1, 0))
    po = Fraction(int(np.trace(printed)), n)
    chance = {
        "kappa": sum(r * c for r, c in zip(rows, columns, strict=True)),
        "prevalence_pi": sum(c * c for c in columns),
        "bennett_s": Fraction(1, k),
    }
    for key, pe in chance.items():
        assert cm.get(key).exact(printed.T.tolist()) == (po - pe) / (1 - pe)


@pytest.mark.parametrize("printed", printed_tables())
def test_scotts_own_pi_takes_the_mean_of_both_margins(printed: np.ndarray) -> None:
    """The paper's "Scott's pi" takes the true shares; what Scott proposed is another number."""
    n = int(printed.sum())
    mean = [
        Fraction(int(a + b), 2 * n) for a, b in zip(printed.sum(0), printed.sum(1), strict=True)
    ]
    po, pe = Fraction(int(np.trace(printed)), n), sum(m * m for m in mean)
    ours = printed.T.tolist()
    assert cm.scott_pi.exact(ours) == (po - pe) / (1 - pe)


def test_the_two_pis_differ_where_the_margins_do() -> None:
    table = [[20, 5], [10, 15]]
    assert cm.prevalence_pi.exact(table) == Fraction(2, 5)
    assert cm.scott_pi.exact(table) == Fraction(13, 33)


def test_the_two_pis_agree_where_the_margins_do() -> None:
    table = [[20, 5, 1], [4, 15, 2], [2, 1, 9]]
    assert cm.scott_pi.exact(table) == cm.prevalence_pi.exact(table) == cm.kappa.exact(table)


def test_f_and_jaccard_rank_alike_but_are_not_linear() -> None:
    """Printed: "linearly related". J = F / (2 - F) is a curve."""
    low, middle, high = ([[n, 8 - n], [8 - n, 40]] for n in (0, 4, 8))
    f = [cm.f_score.exact(t)[0] for t in (low, middle, high)]
    j = [cm.jaccard.exact(t)[0] for t in (low, middle, high)]
    assert f == [0, Fraction(1, 2), 1]
    assert j == [0, Fraction(1, 3), 1]  # on a line it would be 1/2
    stack = same_truth(3)
    f, j = cm.f_score(stack)[:, 0], cm.jaccard(stack)[:, 0]
    assert (np.argsort(f, kind="stable") == np.argsort(j, kind="stable")).all()


def test_not_all_means_of_precision_and_recall_rank_alike() -> None:
    """Printed (IV.B): they do. (.95, .35) against (.6, .6), on one and the same test set."""
    sharp, even = [[133, 247], [7, 913]], [[228, 152], [152, 768]]
    assert np.sum(sharp, -1).tolist() == np.sum(even, -1).tolist()
    pairs = [(cm.precision.exact(t)[0], cm.recall.exact(t)[0]) for t in (sharp, even)]
    assert pairs == [(Fraction("0.95"), Fraction("0.35")), (Fraction("0.6"), Fraction("0.6"))]
    for key in ("kulczynski", "icsi"):
        measure = cm.get(key)
        assert measure.exact(sharp)[0] > measure.exact(even)[0]
    for key in ("f_score", "jaccard"):
        measure = cm.get(key)
        assert measure.exact(sharp)[0] < measure.exact(even)[0]
    (p, r), (q, s) = pairs
    assert p * r < q * s


def test_the_means_are_ordered_as_the_paper_says() -> None:
    stack = same_truth(2)
    p, r, f = (m(stack)[:, 0] for m in (cm.precision, cm.recall, cm.f_score))
    slack = 1e-12
    steps = [p * r, np.minimum(p, r), f, np.sqrt(p * r), cm.kulczynski(stack)[:, 0]]
    steps += [np.sqrt((p * p + r * r) / 2), np.maximum(p, r)]
    for smaller, larger in pairwise(steps):
        assert (smaller <= larger + slack).all()


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("key", ["prevalence_pi", "bennett_s"])
def test_chance_from_the_truth_alone_is_linear_in_accuracy(key: str, k: int) -> None:
    """IV.E: the correction is the same for every classifier, and so is the ranking."""
    stack = same_truth(k)
    corrected, accuracy = cm.get(key)(stack), cm.accuracy(stack)
    slope, start = np.polyfit(accuracy, corrected, 1)
    assert slope > 0
    np.testing.assert_allclose(corrected, start + slope * accuracy, atol=1e-10)


@pytest.mark.parametrize("key", ["scott_pi", "kappa"])
def test_chance_from_both_margins_is_not(key: str) -> None:
    """IV.E counts Scott's pi among the linear ones: its own is not, and can rank otherwise."""
    left, right = [[78, 2], [18, 2]], [[70, 10], [11, 9]]
    assert np.sum(left, -1).tolist() == np.sum(right, -1).tolist()
    assert cm.accuracy.exact(left) > cm.accuracy.exact(right)
    assert cm.get(key).exact(left) < cm.get(key).exact(right)


def test_association_cannot_tell_all_right_from_all_wrong() -> None:
    """III.A: both are a perfect association; agreement tells them apart."""
    right, wrong = [[50, 0], [0, 30]], [[0, 50], [30, 0]]
    assert cm.cramers_v(right) == pytest.approx(1)
    assert cm.cramers_v(wrong) == pytest.approx(1)
    assert cm.mcc(right) == pytest.approx(1)
    assert cm.mcc(wrong) == pytest.approx(-1)


@pytest.mark.parametrize(
    ("key", "least", "most"),
    [("accuracy", 0, 1), ("f_score", 0, 1), ("jaccard", 0, 1), ("icsi", -1, 1), ("csi", -1, 1)],
)
def test_ranges(key: str, least: int, most: int) -> None:
    """IV.C: perfect classification at the upper bound, perfect misclassification at the lower."""
    perfect, hopeless = np.diag([5, 3, 2]), np.array([[0, 5, 0], [0, 0, 3], [2, 0, 0]])
    assert np.unique(cm.get(key).exact(perfect)).tolist() == [most]
    assert np.unique(cm.get(key).exact(hopeless)).tolist() == [least]


def test_ground_truth_index_needs_three_classes() -> None:
    for measure in (cm.ground_truth_index, cm.ground_truth_index_class):
        table = [[20, 5], [10, 15]]
        assert np.isnan(measure(table)).all()
        reasons = np.atleast_1d(measure.why(table))
        assert {reason.code for reason in reasons} == {"fewer_than_three_classes"}


def test_ground_truth_index_needs_errors() -> None:
    for measure in (cm.ground_truth_index, cm.ground_truth_index_class):
        table = np.diag([5, 3, 2])
        assert np.isnan(measure(table)).all()
        reasons = np.atleast_1d(measure.why(table))
        assert {reason.code for reason in reasons} == {"nothing_wrong"}


def test_ground_truth_index_finds_the_share_that_was_never_guessed() -> None:
    """III.G: a share is always right, the rest is random. Made so, it comes back."""
    truth, rates = np.array([400.0, 300, 300]), np.array([0.2, 0.3, 0.5])
    sure = np.array([0.5, 0.8, 0.65])
    table = np.diag(sure * truth) + np.outer((1 - sure) * truth, rates)
    np.testing.assert_allclose(cm.ground_truth_index_class(table), sure, atol=1e-9)
    same = np.diag(0.7 * truth) + 0.3 * np.outer(truth, rates)
    assert cm.ground_truth_index(same) == pytest.approx(0.7, abs=1e-9)


@pytest.mark.parametrize("table", [t.T for t in printed_tables()])
def test_a_class_against_the_rest_by_merging_the_others(table: np.ndarray) -> None:
    """IV.A: an overall measure judges one class once all others are merged."""
    each = cm.get("kappa@each").exact(table.tolist())
    for i in range(len(table)):
        tp = int(table[i, i])
        fn, fp = int(table[i].sum()) - tp, int(table[:, i].sum()) - tp
        merged = [[tp, fn], [fp, int(table.sum()) - tp - fn - fp]]
        assert each[i] == cm.kappa.exact(merged)


@pytest.mark.parametrize("twins", [("f_score", "jaccard"), ("icsi", "kulczynski")])
def test_monotone_relations_keep_every_pair_in_order(twins: tuple[str, str]) -> None:
    """IV.B: on every pair of many classifiers."""
    stack = same_truth(2, times=60)
    first, second = (cm.get(key)(stack)[:, 0] for key in twins)
    for i, j in combinations(range(len(stack)), 2):
        gaps = first[i] - first[j], second[i] - second[j]
        assert min(map(abs, gaps)) < 1e-12 or np.sign(gaps[0]) == np.sign(gaps[1])

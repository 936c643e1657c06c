"""Association against other implementations, against definitions, and against exact numbers."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from pycm import ConfusionMatrix
from scipy.stats import chi2_contingency
from scipy.stats.contingency import association
from sklearn.metrics import adjusted_rand_score, matthews_corrcoef
from statsmodels.stats.contingency_tables import Table

import chancemeter as cm
from chancemeter.counts import Counts

CLOSE = {"rtol": 1e-12, "atol": 1e-12}


def draw(k, times=12, least=1, seed=0):
    rng = np.random.default_rng([seed, k])
    cells = rng.integers(least, 60, (times, k, k))
    cells[::2, range(k), range(k)] += rng.integers(20, 200, (len(cells[::2]), k))
    return cells


TABLES = [table for k in (2, 3, 4, 6) for table in draw(k, 4)]
BINARY = draw(2, 200, seed=1)
SMALL = [table for k in (2, 3) for table in draw(k, 4, seed=2) // 12]
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda t: f"k{len(t)}")


def expand(table):
    """The labels of every single case."""
    pairs = [(i, j) for i, j in np.ndindex(table.shape) for _ in range(int(table[i, j]))]
    truth, predicted = zip(*pairs, strict=True)
    return list(truth), list(predicted)


def pycm(table):
    k = len(table)
    return ConfusionMatrix(matrix={i: {j: int(table[i, j]) for j in range(k)} for i in range(k)})


def parts(stack):
    """tp, fn, fp, tn of the first class as plain numbers."""
    return stack[:, 0, 0], stack[:, 0, 1], stack[:, 1, 0], stack[:, 1, 1]


# Other implementations


@every_table
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Overall MCC", "mcc"),
        ("Chi-Squared", "chi_squared"),
        ("Chi-Squared DF", "chi_squared_df"),
        ("Phi-Squared", "phi_squared"),
        ("Cramer V", "cramers_v"),
        ("Pearson C", "pearson_c"),
        ("Lambda A", "lambda_truth"),
        ("Lambda B", "lambda_predicted"),
        ("ARI", "adjusted_rand"),
    ],
)
def test_pycm_of_tables(table, theirs, ours):
    np.testing.assert_allclose(cm.get(ours)(table), pycm(table).overall_stat[theirs], **CLOSE)


@every_table
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("MCC", "mcc_class"),
        ("BM", "bm"),
        ("Y", "youden_index"),
        ("GI", "gini_point"),
        ("MK", "mk"),
        ("Q", "yule_q"),
    ],
)
def test_pycm_of_classes(table, theirs, ours):
    expected = list(pycm(table).class_stat[theirs].values())
    np.testing.assert_allclose(cm.get(ours)(table), expected, **CLOSE)


@every_table
def test_scikit_learn(table):
    truth, predicted = expand(table)
    np.testing.assert_allclose(cm.mcc(table), matthews_corrcoef(truth, predicted), **CLOSE)
    np.testing.assert_allclose(
        cm.adjusted_rand(table), adjusted_rand_score(truth, predicted), **CLOSE
    )


@every_table
@pytest.mark.parametrize("power", [1, 2 / 3, 0, -0.5, -1, -2, 0.3, 2.5])
def test_scipy_power_divergence(table, power):
    expected = chi2_contingency(table, correction=False, lambda_=power)
    np.testing.assert_allclose(
        cm.power_divergence(table, power=power), expected.statistic, rtol=1e-11
    )
    assert cm.chi_squared_df(table) == expected.dof


@every_table
def test_scipy_association(table):
    chi_squared = chi2_contingency(table, correction=False).statistic
    g_squared = chi2_contingency(table, correction=False, lambda_="log-likelihood").statistic
    np.testing.assert_allclose(cm.chi_squared(table), chi_squared, rtol=1e-11)
    np.testing.assert_allclose(cm.g_squared(table), g_squared, rtol=1e-11)
    for method, ours in [("cramer", "cramers_v"), ("tschuprow", "tschuprow_t")]:
        np.testing.assert_allclose(cm.get(ours)(table), association(table, method=method), **CLOSE)
    np.testing.assert_allclose(cm.pearson_c(table), association(table, method="pearson"), **CLOSE)


@every_table
def test_statsmodels_chi_squared(table):
    expected = Table(table, shift_zeros=False).test_nominal_association().statistic
    np.testing.assert_allclose(cm.chi_squared(table), expected, rtol=1e-11)


def test_vcd_and_psych():
    """Numbers printed by R: vcd::assocstats and psych::Yule, YuleBonett, phi."""
    table = [[44, 5, 7], [3, 61, 9], [6, 2, 20]]
    np.testing.assert_allclose(cm.g_squared(table), 139.21103807450316, rtol=1e-14)
    np.testing.assert_allclose(cm.chi_squared(table), 139.58744139294382, rtol=1e-14)
    np.testing.assert_allclose(cm.pearson_c(table), 0.68603582403248453, rtol=1e-14)
    np.testing.assert_allclose(cm.cramers_v(table), 0.66674282275647578, rtol=1e-14)
    small = np.array([[20, 5], [10, 15]])
    np.testing.assert_allclose(cm.yule_q(small), 0.7142857142857143, rtol=1e-14)
    np.testing.assert_allclose(cm.yule_y(small), 0.42020410288672877, rtol=1e-14)
    np.testing.assert_allclose(cm.phi(small), 0.40824829046386302, rtol=1e-14)
    # psych adds a tenth of a case to every cell before it takes the power.
    np.testing.assert_allclose(cm.yule_bonett(small + 0.1), 0.58175700539541042, rtol=1e-14)


# Definitions, from the labels of single cases


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_lambda_is_wrong_guesses_saved(table):
    truth, predicted = expand(table + 1)
    for ours, target, given in [
        (cm.lambda_predicted, predicted, truth),
        (cm.lambda_truth, truth, predicted),
    ]:
        before = len(target) - max(target.count(x) for x in set(target))
        after = 0
        for value in set(given):
            seen = [t for t, g in zip(target, given, strict=True) if g == value]
            after += len(seen) - max(seen.count(x) for x in set(seen))
        np.testing.assert_allclose(ours(table + 1), (before - after) / before, **CLOSE)


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_symmetric_lambda_is_both_at_once(table):
    a, b = expand(table + 1)
    saved = errors = 0
    for target, given in [(a, b), (b, a)]:
        before = len(target) - max(target.count(x) for x in set(target))
        groups = [[t for t, g in zip(target, given, strict=True) if g == v] for v in set(given)]
        after = sum(len(s) - max(s.count(x) for x in set(s)) for s in groups)
        saved, errors = saved + before - after, errors + before
    np.testing.assert_allclose(cm.lambda_symmetric(table + 1), saved / errors, **CLOSE)


def wrong_at_random(drawn_from, wanted):
    """How often a label drawn at random from one list misses each of the other."""
    missed = sum(x != y for x in drawn_from for y in wanted)
    return Fraction(missed, len(drawn_from))


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_tau_is_random_guesses_saved(table):
    truth, predicted = expand(table + 1)
    for ours, target, given in [
        (cm.goodman_kruskal_tau, predicted, truth),
        (cm.goodman_kruskal_tau_truth, truth, predicted),
    ]:
        before = wrong_at_random(target, target)
        groups = [[t for t, g in zip(target, given, strict=True) if g == v] for v in set(given)]
        after = sum(wrong_at_random(group, group) for group in groups)
        assert ours.exact(table + 1) == (before - after) / before
        np.testing.assert_allclose(ours(table + 1), float((before - after) / before), **CLOSE)


@pytest.mark.parametrize("table", SMALL, ids=str)
def test_adjusted_rand_is_kappa_of_pairs(table):
    cases = list(zip(*expand(table + 1), strict=True))
    pairs = np.zeros((2, 2))
    for (t1, p1), (t2, p2) in itertools.combinations(cases, 2):
        pairs[int(t1 != t2), int(p1 != p2)] += 1
    np.testing.assert_allclose(cm.adjusted_rand(table + 1), cm.kappa(pairs), **CLOSE)


@every_table
def test_informedness_and_markedness_are_means_over_cases(table):
    """M5: each case scores what its predicted (or true) class does against the rest."""
    truth, predicted = expand(table)
    given, told = cm.get("bm")(table), cm.get("mk")(table)
    np.testing.assert_allclose(cm.informedness(table), np.mean(given[predicted]), **CLOSE)
    np.testing.assert_allclose(cm.markedness(table), np.mean(told[truth]), **CLOSE)


@every_table
def test_cn2_statistic_is_one_column_of_g_squared(table):
    truth, predicted = expand(table)
    n, k = len(truth), len(table)
    expected = []
    for c in range(k):
        covered = [t for t, p in zip(truth, predicted, strict=True) if p == c]
        shares = [(covered.count(i), truth.count(i) * len(covered) / n) for i in range(k)]
        expected.append(2 * sum(f * math.log(f / e) for f, e in shares))
    found = cm.cn2_likelihood_ratio(table)
    np.testing.assert_allclose(found, expected, rtol=1e-9)
    np.testing.assert_allclose(found.sum(), cm.g_squared(table), rtol=1e-12)


@every_table
def test_determinant_is_weighted_relative_accuracy(table):
    n = table.sum()
    precision, prior = np.diag(table) / table.sum(0), table.sum(1) / n
    expected = table.sum(0) / n * (precision - prior)
    np.testing.assert_allclose(cm.get("wracc")(table), expected, **CLOSE)
    covariance = [np.cov(np.equal(expand(table), c), bias=True)[0, 1] for c in range(len(table))]
    np.testing.assert_allclose(cm.determinant(table), covariance, **CLOSE)


@every_table
def test_bergsma(table):
    k, n = len(table), table.sum()
    phi_squared = association(table, method="cramer") ** 2 * (k - 1)
    corrected = max(0, phi_squared - (k - 1) ** 2 / (n - 1))
    expected = math.sqrt(corrected / (k - (k - 1) ** 2 / (n - 1) - 1))
    np.testing.assert_allclose(cm.cramers_v_corrected(table), expected, rtol=1e-11)


def test_bergsma_removes_the_bias():
    """Of unrelated labels, on average, hardly anything is left."""
    rng = np.random.default_rng(4)
    stack = rng.multinomial(60, np.full(25, 1 / 25), 500).reshape(-1, 5, 5)
    assert cm.cramers_v(stack).mean() > 0.2
    assert cm.cramers_v_corrected(stack).mean() < 0.08


def test_adjusted_rand_is_nothing_on_average():
    rng = np.random.default_rng(5)
    truth, predicted = np.repeat([0, 1, 2], [30, 20, 10]), np.repeat([0, 1, 2], [15, 25, 20])
    stack = np.zeros((2000, 3, 3))
    for table in stack:
        np.add.at(table, (truth, rng.permutation(predicted)), 1)
    assert abs(cm.adjusted_rand(stack).mean()) < 3 * cm.adjusted_rand(stack).std() / math.sqrt(2000)


# Identities of two classes


def test_one_determinant_four_divisors():
    """D1, D2: kappa, informedness, markedness and correlation share their numerator."""
    n = BINARY.sum((1, 2))
    prevalence, bias = BINARY[:, 0].sum(-1) / n, BINARY[:, :, 0].sum(-1) / n
    det = cm.determinant(BINARY)[:, 0]
    spread, guessed = prevalence * (1 - prevalence), bias * (1 - bias)
    kappa = 2 * det / (prevalence * (1 - bias) + bias * (1 - prevalence))
    np.testing.assert_allclose(cm.kappa(BINARY), kappa, **CLOSE)
    np.testing.assert_allclose(cm.informedness(BINARY), det / spread, **CLOSE)
    np.testing.assert_allclose(cm.markedness(BINARY), det / guessed, **CLOSE)
    np.testing.assert_allclose(cm.mcc(BINARY), det / np.sqrt(spread * guessed), **CLOSE)


def test_correlation_is_the_geometric_mean_of_two_classes_only():
    """D3, and D3m, which is false of more classes."""
    given, told, r = cm.informedness(BINARY), cm.markedness(BINARY), cm.mcc(BINARY)
    np.testing.assert_allclose(r**2, given * told, **CLOSE)
    assert np.all((np.sign(r) == np.sign(given)) & (np.sign(r) == np.sign(told)))
    np.testing.assert_allclose(cm.powers_correlation(BINARY), r, **CLOSE)
    more = draw(3)
    assert np.abs(cm.mcc(more) ** 2 - cm.informedness(more) * cm.markedness(more)).max() > 1e-4


def test_chi_squared_is_n_times_squared_correlation():
    """D5, and tau, which then equals it in both directions."""
    n, r = BINARY.sum((1, 2)), cm.mcc(BINARY)
    np.testing.assert_allclose(cm.chi_squared(BINARY), n * r**2, **CLOSE)
    nats = cm.mutual_information(BINARY, base=math.e)
    np.testing.assert_allclose(cm.g_squared(BINARY), 2 * n * nats, **CLOSE)
    np.testing.assert_allclose(cm.phi(BINARY), np.abs(r), **CLOSE)
    np.testing.assert_allclose(cm.goodman_kruskal_tau(BINARY), r**2, **CLOSE)
    np.testing.assert_allclose(cm.goodman_kruskal_tau_truth(BINARY), r**2, **CLOSE)


def test_informedness_from_rates():
    """D6: from recall and the margins, and from the single point of a ROC curve."""
    tp, fn, fp, tn = parts(BINARY)
    n = tp + fn + fp + tn
    recall, false_alarms = tp / (tp + fn), fp / (fp + tn)
    prevalence, bias, precision = (tp + fn) / n, (tp + fp) / n, tp / (tp + fp)
    given = cm.informedness(BINARY)
    np.testing.assert_allclose(given, (recall - bias) / (1 - prevalence), **CLOSE)
    np.testing.assert_allclose(given, recall - false_alarms, **CLOSE)
    area = recall * false_alarms / 2 + (1 - false_alarms) * (1 + recall) / 2
    np.testing.assert_allclose(given, 2 * area - 1, **CLOSE)
    told = (precision - prevalence) / (1 - bias)
    np.testing.assert_allclose(cm.markedness(BINARY), told, **CLOSE)


def test_even_classes_make_kappa_informedness():
    """D7, and its twin: even predictions make kappa markedness."""
    rows = BINARY / BINARY.sum(-1, keepdims=True)
    np.testing.assert_allclose(cm.kappa(rows), cm.informedness(rows), **CLOSE)
    columns = BINARY / BINARY.sum(-2, keepdims=True)
    np.testing.assert_allclose(cm.kappa(columns), cm.markedness(columns), **CLOSE)


@pytest.mark.parametrize("key", ["mcc", "informedness", "markedness", "powers_correlation"])
def test_swapped_classes_and_flipped_predictions(key):
    """D8, D9."""
    value = cm.get(key)(BINARY)
    np.testing.assert_allclose(cm.get(key)(BINARY[:, ::-1, ::-1]), value, **CLOSE)
    np.testing.assert_allclose(cm.get(key)(BINARY[:, :, ::-1]), -value, **CLOSE)


def test_odds_ratio_measures_ignore_both_margins():
    """D13: rows and columns may be rescaled."""
    rng = np.random.default_rng(6)
    scaled = BINARY * rng.uniform(0.1, 9, (200, 2, 1)) * rng.uniform(0.1, 9, (200, 1, 2))
    tp, fn, fp, tn = parts(BINARY)
    odds = (tp * tn / (fn * fp))[:, None]
    for key, power in [("yule_q", 1), ("yule_y", 0.5), ("yule_bonett", 0.75)]:
        value = cm.get(key)(BINARY)
        expected = (odds**power - 1) / (odds**power + 1)
        np.testing.assert_allclose(value, np.repeat(expected, 2, 1), **CLOSE)
        np.testing.assert_allclose(cm.get(key)(scaled), value, **CLOSE)
    np.testing.assert_allclose(cm.yule_bonett(BINARY, power=1), cm.yule_q(BINARY), **CLOSE)
    np.testing.assert_allclose(cm.yule_bonett(BINARY, power=0.5), cm.yule_y(BINARY), **CLOSE)


# Identities of more classes


@every_table
def test_kappa_is_a_weighted_mean_of_class_kappas(table):
    """M2."""
    n = table.sum()
    p, q = table.sum(1) / n, table.sum(0) / n
    weights = p * (1 - q) + q * (1 - p)
    each = cm.get("kappa_class")(table)
    np.testing.assert_allclose(np.average(each, weights=weights), cm.kappa(table), **CLOSE)


def test_correlation_of_two_classes_is_pearsons():
    """M4."""
    for table in BINARY[:20]:
        np.testing.assert_allclose(cm.mcc(table), np.corrcoef(*expand(table))[0, 1], **CLOSE)


@every_table
def test_correlation_of_indicators(table):
    """R_K from the covariances of the one-hot labels, as Gorodkin has it."""
    t, p = (np.eye(len(table))[labels] for labels in expand(table))
    t, p = t - t.mean(0), p - p.mean(0)
    expected = (t * p).sum() / math.sqrt((t * t).sum() * (p * p).sum())
    np.testing.assert_allclose(cm.mcc(table), expected, **CLOSE)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_class_measures_of_two_classes_agree(k):
    """M5: with two classes, both class values are the value of the table."""
    stack = draw(k, seed=3)
    for key in ("informedness", "markedness", "mcc"):
        value, each = cm.get(key)(stack), cm.get(f"{key}@each")(stack)
        assert np.allclose(each, value[:, None]) == (k == 2)


ALL_NOMINAL = [
    "mcc",
    "informedness",
    "markedness",
    "powers_correlation",
    "phi_squared",
    "phi",
    "cramers_v",
    "pearson_c",
    "pearson_c_adjusted",
    "lambda_predicted",
    "lambda_truth",
    "lambda_symmetric",
    "goodman_kruskal_tau",
    "goodman_kruskal_tau_truth",
]


@pytest.mark.parametrize("key", [*ALL_NOMINAL, "chi_squared", "g_squared", "adjusted_rand"])
def test_order_of_classes_does_not_matter(key):
    """N1."""
    stack, order = draw(4), [2, 0, 3, 1]
    changed = stack[:, order][:, :, order]
    np.testing.assert_allclose(cm.get(key)(changed), cm.get(key)(stack), **CLOSE)


@pytest.mark.parametrize(
    ("key", "twin"),
    [
        ("mcc", "mcc"),
        ("powers_correlation", "powers_correlation"),
        ("cramers_v", "cramers_v"),
        ("lambda_symmetric", "lambda_symmetric"),
        ("adjusted_rand", "adjusted_rand"),
        ("informedness", "markedness"),
        ("informedness@each", "markedness@each"),
        ("lambda_truth", "lambda_predicted"),
        ("goodman_kruskal_tau", "goodman_kruskal_tau_truth"),
    ],
)
def test_transposing(key, twin):
    """N2, N3."""
    stack = draw(3)
    turned = stack.swapaxes(1, 2)
    np.testing.assert_allclose(cm.get(key)(turned), cm.get(twin)(stack), **CLOSE)


@pytest.mark.parametrize("times", [2, 7, 1000])
def test_scale(times):
    """N5, N6."""
    stack = draw(3)
    for key in ALL_NOMINAL:
        np.testing.assert_allclose(cm.get(key)(times * stack), cm.get(key)(stack), **CLOSE)
    for key in ("chi_squared", "g_squared", "power_divergence", "cn2_likelihood_ratio"):
        found = cm.get(key)(times * stack)
        np.testing.assert_allclose(found, times * cm.get(key)(stack), rtol=1e-11)


def test_an_unused_class():
    """N7, N8: what asks how many classes there are moves, and nothing else."""
    stack = draw(3)
    wider = np.pad(stack, ((0, 0), (0, 1), (0, 1)))
    moved = {
        key
        for key in ALL_NOMINAL
        if not np.allclose(cm.get(key)(wider), cm.get(key)(stack), equal_nan=True)
    }
    assert moved == {"cramers_v", "pearson_c_adjusted"}
    assert np.all(cm.cramers_v(wider) < cm.cramers_v(stack))


# Chance


def independent(k, times=50):
    rng = np.random.default_rng([7, k])
    return rng.integers(1, 90, (times, k, 1)) * rng.integers(1, 90, (times, 1, k))


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("key", [*ALL_NOMINAL, "chi_squared", "g_squared", "power_divergence"])
def test_independence_is_exactly_nothing(key, k):
    """H1, with not even rounding left over."""
    assert np.all(cm.get(key)(independent(k)) == 0)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_a_constant_classifier(k):
    """H4: nothing gained, and no way to say how predictions can be trusted."""
    stack = np.zeros((20, k, k))
    stack[:, :, 0] = np.random.default_rng(8).integers(1, 90, (20, k))
    assert np.all(cm.informedness(stack) == 0)
    assert np.all(cm.lambda_truth(stack) == 0)
    assert np.all(cm.chi_squared(stack) == 0)
    for key in ("mcc", "markedness", "powers_correlation", "lambda_predicted"):
        assert np.all(np.isnan(cm.get(key)(stack)))
        assert cm.get(key).why(stack[0]).code == "one_class_predicted"


@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize("key", sorted(set(ALL_NOMINAL) - {"phi_squared", "phi", "pearson_c"}))
def test_perfect_prediction(key, k):
    """H5."""
    perfect = np.diag(np.random.default_rng(9).integers(1, 10**6, k))
    assert abs(cm.get(key)(perfect) - 1) < 1e-15


def mixture(rng, informed, k=2, bias=None):
    """A share of cases known, the others guessed by `bias` (by the true shares unless given)."""
    truth = rng.dirichlet(np.ones(k)) + 0.05
    truth /= truth.sum()
    guess = truth if bias is None else bias
    return informed * np.diag(truth) + (1 - informed) * np.outer(truth, guess)


@pytest.mark.parametrize("informed", [0.01, 0.3, 0.7, 0.99])
def test_what_recovers_the_informed_share(informed):
    """H6, H7, H7b, H8: with any bias only informedness does."""
    rng = np.random.default_rng(10)
    fair = np.array([mixture(rng, informed) for _ in range(50)])
    for key in ("mcc", "informedness", "markedness", "kappa"):
        np.testing.assert_allclose(cm.get(key)(fair), informed, rtol=1e-12)
    biased = np.array([mixture(rng, informed, 2, rng.dirichlet([1, 1])) for _ in range(50)])
    np.testing.assert_allclose(cm.informedness(biased), informed, rtol=1e-11)
    for key in ("kappa", "mcc"):
        assert np.abs(cm.get(key)(biased) - informed).max() > 1e-4
    for k in (3, 5):
        stack = np.array([mixture(rng, informed, k, rng.dirichlet(np.ones(k))) for _ in range(50)])
        np.testing.assert_allclose(cm.informedness(stack), informed, rtol=1e-11)


def test_prevalence_and_bias():
    """H9, H10, H11: rates survive a change of the class mix, correlation does not."""
    rng = np.random.default_rng(11)
    rows = BINARY * rng.uniform(0.1, 9, (200, 2, 1))
    columns = BINARY * rng.uniform(0.1, 9, (200, 1, 2))
    np.testing.assert_allclose(cm.informedness(rows), cm.informedness(BINARY), **CLOSE)
    np.testing.assert_allclose(cm.markedness(columns), cm.markedness(BINARY), **CLOSE)
    assert np.abs(cm.mcc(rows) - cm.mcc(BINARY)).max() > 0.1


# Bounds


@pytest.mark.parametrize("k", [2, 3, 4, 7])
def test_bounds(k):
    """B1, B3."""
    stack = np.random.default_rng([12, k]).integers(0, 40, (500, k, k))
    for key in ("mcc", "informedness", "markedness"):
        value = cm.get(key)(stack)
        assert np.nanmin(value) >= -1 - 1e-12
        assert np.nanmax(value) <= 1 + 1e-12
    assert np.all(np.abs(cm.kappa(stack)) <= np.abs(cm.mcc(stack)) + 1e-12)
    assert np.all(cm.cramers_v_corrected(stack) <= cm.cramers_v(stack) + 1e-12)


@pytest.mark.parametrize("k", [2, 3, 4])
def test_equal_margins_make_one_of_many(k):
    """B4: with equal margins kappa is the correlation; with two classes all four are one."""
    stack = draw(k)
    stack = stack + stack.swapaxes(1, 2)
    np.testing.assert_allclose(cm.mcc(stack), cm.kappa(stack), **CLOSE)
    np.testing.assert_allclose(cm.informedness(stack), cm.markedness(stack), **CLOSE)
    assert np.allclose(cm.mcc(stack), cm.informedness(stack)) == (k == 2)


def test_correlation_lies_between():
    """B5."""
    given, told, r = cm.informedness(BINARY), cm.markedness(BINARY), cm.mcc(BINARY)
    assert np.all(np.minimum(np.abs(given), np.abs(told)) <= np.abs(r) + 1e-12)
    assert np.all(np.abs(r) <= np.maximum(np.abs(given), np.abs(told)) + 1e-12)


# Exact numbers


def n(t):
    return sum(map(sum, t))


def r(t, i):
    return sum(t[i])


def col(t, j):
    return sum(row[j] for row in t)


def top(t):
    return max(col(t, j) for j in range(len(t)))


def rand(t):
    """As Hubert and Arabie print it."""
    together = sum(math.comb(x, 2) for row in t for x in row)
    rows = sum(math.comb(r(t, i), 2) for i in range(len(t)))
    columns = sum(math.comb(col(t, i), 2) for i in range(len(t)))
    expected = Fraction(rows * columns, math.comb(n(t), 2))
    return (together - expected) / (Fraction(rows + columns, 2) - expected)


RATIONAL = {
    "informedness": lambda t: sum(
        Fraction(c, n(t)) * (Fraction(t[j][j], r(t, j)) - Fraction(c - t[j][j], n(t) - r(t, j)))
        for j in range(len(t))
        for c in [col(t, j)]
    ),
    "markedness": lambda t: RATIONAL["informedness"]([list(x) for x in zip(*t, strict=True)]),
    "phi_squared": lambda t: (
        sum(Fraction(t[i][j] ** 2, r(t, i) * col(t, j)) for i, j in np.ndindex(len(t), len(t))) - 1
    ),
    "chi_squared": lambda t: n(t) * RATIONAL["phi_squared"](t),
    "lambda_predicted": lambda t: Fraction(sum(map(max, t)) - top(t), n(t) - top(t)),
    "lambda_truth": lambda t: RATIONAL["lambda_predicted"]([list(x) for x in zip(*t, strict=True)]),
    "goodman_kruskal_tau": lambda t: (
        (
            sum(Fraction(t[i][j] ** 2, r(t, i)) for i, j in np.ndindex(len(t), len(t)))
            - sum(Fraction(col(t, j) ** 2, n(t)) for j in range(len(t)))
        )
        / (n(t) - sum(Fraction(col(t, j) ** 2, n(t)) for j in range(len(t))))
    ),
    "adjusted_rand": rand,
}


def huge(k, seed):
    """Whole counts up to 10**15: ordinary, almost all of one class, and almost perfect."""
    rng = np.random.default_rng([13, k, seed])
    plain = rng.integers(1, 10**15, (k, k))
    lopsided = rng.integers(1, 9, (k, k))
    lopsided[0, 0] = 10**15 - 3
    perfect = np.diag(rng.integers(10**14, 10**15, k)) + rng.integers(1, 3, (k, k))
    return [[[int(x) for x in row] for row in t] for t in (plain, lopsided, perfect)]


HUGE = [t for k in (2, 3, 5) for seed in range(4) for t in huge(k, seed)]


@pytest.mark.parametrize("key", RATIONAL)
def test_exact(key):
    for table in HUGE:
        expected = RATIONAL[key](table)
        assert cm.get(key).exact(table) == expected
        scale = max(1, abs(float(expected)))
        assert abs(cm.get(key)(table) - float(expected)) <= 1e-12 * scale


@pytest.mark.parametrize("table", HUGE, ids=range(len(HUGE)))
def test_irrational_to_the_last_digits(table):
    """Roots and logarithms of huge tables, against 60 digits."""
    with mpmath.workdps(60):
        k, total = len(table), mpmath.mpf(n(table))
        cells = [(table[i][j], r(table, i), col(table, j)) for i, j in np.ndindex(k, k)]
        spread = [total**2 - sum(mpmath.mpf(m(table, i)) ** 2 for i in range(k)) for m in (r, col)]
        right = sum(table[i][i] for i in range(k))
        by_chance = sum(mpmath.mpf(r(table, i)) * col(table, i) for i in range(k))
        mcc = float((total * right - by_chance) / mpmath.sqrt(spread[0] * spread[1]))
        ratios = [(x, total * x / (a * mpmath.mpf(b))) for x, a, b in cells]
        g_squared = float(2 * sum(x * mpmath.log(times) for x, times in ratios))
        powers = [
            (mpmath.mpf(odds(table).numerator) / odds(table).denominator) ** mpmath.mpf(p)
            for p in ("0.75", "0.5")
        ]
        yule = [float((x - 1) / (x + 1)) for x in powers]
    assert abs(cm.mcc(table) - mcc) < 1e-12
    np.testing.assert_allclose(cm.g_squared(table), g_squared, rtol=1e-12)
    for expected, key in zip(yule, ("yule_bonett", "yule_y"), strict=True):
        assert abs(cm.get(key)(table)[0] - expected) < 1e-12


def odds(table):
    """The odds ratio of the first class."""
    tp, fn, fp = table[0][0], r(table, 0) - table[0][0], col(table, 0) - table[0][0]
    return Fraction(tp * (n(table) - tp - fn - fp), fn * fp)


def test_almost_independent():
    """One case too many in four million: every digit of a tiny value is right."""
    table = [[10**6 + 1, 10**6], [10**6, 10**6]]
    with mpmath.workdps(60):
        total = mpmath.mpf(4 * 10**6 + 1)
        margins = [2 * 10**6 + 1, 2 * 10**6]
        g_squared = 2 * sum(
            table[i][j] * mpmath.log(total * table[i][j] / (margins[i] * mpmath.mpf(margins[j])))
            for i, j in np.ndindex(2, 2)
        )
    exact = cm.phi_squared.exact(table)
    np.testing.assert_allclose(cm.phi_squared(table), float(exact), rtol=1e-14)
    np.testing.assert_allclose(cm.mcc(table), math.sqrt(exact), rtol=1e-14)
    np.testing.assert_allclose(cm.g_squared(table), float(g_squared), rtol=1e-14)


# No value, and why


@pytest.mark.parametrize(
    ("key", "table", "code"),
    [
        ("mcc", [[0, 0], [0, 0]], "no_cases"),
        ("mcc", [[9, 2], [0, 0]], "one_class_in_truth"),
        ("mcc", [[9, 0], [2, 0]], "one_class_predicted"),
        ("informedness", [[9, 2], [0, 0]], "one_class_in_truth"),
        ("informedness", [[5, 1, 1], [1, 4, 1], [0, 0, 0]], "predicted_but_not_true"),
        ("markedness", [[5, 1, 0], [1, 4, 0], [1, 1, 0]], "true_but_never_predicted"),
        ("lambda_symmetric", [[0, 7], [0, 0]], "one_class_each"),
        ("adjusted_rand", [[0, 7], [0, 0]], "one_class_each"),
        ("adjusted_rand", [[1, 0], [0, 1]], "no_class_twice"),
        ("adjusted_rand", [[1, 0], [0, 0]], "one_class_each"),
        ("cramers_v_corrected", [[1, 0], [0, 1]], "too_few_cases"),
        ("chi_squared", [[0, 0], [0, 0]], "no_cases"),
    ],
)
def test_why(key, table, code):
    assert math.isnan(cm.get(key)(table))
    assert cm.get(key).why(table).code == code


def test_opposite_signs():
    rng = np.random.default_rng(14)
    stack = rng.integers(1, 20, (2000, 3, 3))
    given, told = cm.informedness(stack), cm.markedness(stack)
    found = cm.powers_correlation(stack)
    opposed = given * told < 0
    assert 0 < opposed.sum() < 500
    np.testing.assert_array_equal(np.isnan(found), opposed)
    expected = np.sign(given) * np.sqrt(np.abs(given * told))
    np.testing.assert_allclose(found[~opposed], expected[~opposed], **CLOSE)
    reason = cm.powers_correlation.why(stack[np.argmax(opposed)])
    assert reason.code == "opposite_signs"


def test_empty_classes_add_nothing():
    """Rows and columns without cases are skipped; the others keep their value."""
    table = np.array([[8, 2, 0], [3, 9, 0], [1, 4, 0]])
    expected = chi2_contingency(table[:, :2], correction=False)
    np.testing.assert_allclose(cm.chi_squared(table), expected.statistic, **CLOSE)
    assert cm.chi_squared_df(table) == 4
    assert expected.dof == 2
    assert pycm(table).overall_stat["Chi-Squared"] == "None"


def test_empty_cells():
    """Odds ratios at their ends, and divergences that take an empty cell badly."""
    table = [[5, 0], [3, 4]]
    for key in ("yule_q", "yule_y", "yule_bonett"):
        np.testing.assert_array_equal(cm.get(key)(table), 1)
        np.testing.assert_array_equal(cm.get(key)([[0, 5], [4, 3]]), -1)
        np.testing.assert_array_equal(cm.get(key)([[5, 0], [3, 0]]), np.nan)
    assert cm.power_divergence(table, power=-1) == np.inf
    assert cm.power_divergence(table, power=-2) == np.inf
    expected = np.array([[10, 5], [14, 7]]) / 3
    freeman_tukey = 4 * ((np.sqrt(table) - np.sqrt(expected)) ** 2).sum()
    np.testing.assert_allclose(cm.power_divergence(table, power=-0.5), freeman_tukey, **CLOSE)
    for power in (0, 2 / 3, 1):
        expected = chi2_contingency(table, correction=False, lambda_=power).statistic
        np.testing.assert_allclose(cm.power_divergence(table, power=power), expected, **CLOSE)


@pytest.mark.parametrize("power", [-1, 0])
def test_power_divergence_has_no_gaps(power):
    """The two powers with a formula of their own join their neighbours."""
    stack = draw(3)
    near = cm.power_divergence(stack, power=power + 1e-7)
    np.testing.assert_allclose(cm.power_divergence(stack, power=power), near, rtol=1e-5)
    np.testing.assert_allclose(cm.power_divergence(stack, power=1), cm.chi_squared(stack), **CLOSE)


# Numbers of every size and kind

SMOOTH = [
    "mcc",
    "informedness",
    "markedness",
    "powers_correlation",
    "phi_squared",
    "phi",
    "cramers_v",
    "pearson_c",
]
SMOOTH += ["chi_squared", "g_squared", "power_divergence", "goodman_kruskal_tau", "adjusted_rand"]
SMOOTH += [
    "pearson_c_adjusted",
    "cn2_likelihood_ratio",
    "yule_q",
    "yule_y",
    "yule_bonett",
    "determinant",
]


@pytest.mark.parametrize("key", SMOOTH)
@pytest.mark.parametrize("k", [2, 3])
def test_complex_step(key, k):
    """The derivative by a complex step is that of small real steps."""
    table = draw(k, 1, seed=15)[0].astype(float)
    formula, h = cm.get(key).formula, 1e-3
    for i, j in np.ndindex(k, k):
        step = np.zeros((k, k))
        step[i, j] = 1
        by_step = formula(Counts(table + 1e-30j * step)).imag / 1e-30
        wide = formula(Counts(table + h * step)) - formula(Counts(table - h * step))
        np.testing.assert_allclose(by_step, wide / (2 * h), rtol=1e-5, atol=1e-8)


@pytest.mark.parametrize("key", [*ALL_NOMINAL, "determinant", "yule_q", "yule_y", "yule_bonett"])
@pytest.mark.parametrize("factor", [1e-150, 1e-70, 1e70, 1e150])
def test_weights_of_any_size(key, factor):
    stack = draw(3)
    found = cm.get(key)(stack * factor)
    np.testing.assert_allclose(found, cm.get(key)(stack), rtol=1e-11, atol=1e-15)


@pytest.mark.parametrize("factor", [1e-70, 1e70, 1e150])
def test_chi_squared_of_any_size(factor):
    stack = draw(3)
    for key in ("chi_squared", "g_squared", "power_divergence"):
        expected = factor * cm.get(key)(stack)
        np.testing.assert_allclose(cm.get(key)(stack * factor), expected, rtol=1e-11)


@pytest.mark.parametrize("key", [*ALL_NOMINAL, *SMOOTH, "lambda_truth", "cramers_v_corrected"])
def test_any_stack_without_a_warning(key):
    """Sparse, empty and single-class tables give values or nan, and a stack is its tables."""
    stack = np.random.default_rng(16).integers(0, 2, (3, 40, 3, 3))
    found = cm.get(key)(stack)
    single = [cm.get(key)(table) for table in stack[1]]
    np.testing.assert_array_equal(found[1], single)


def test_micro_average_of_a_measure_of_cells():
    table = draw(3)[0]
    pooled = Counts(np.asarray(table, float)).one_vs_rest.cells.sum(0)
    found = cm.get("cn2_likelihood_ratio@micro")(table)
    np.testing.assert_allclose(found, cm.cn2_likelihood_ratio(pooled)[0], **CLOSE)


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("bm", "informedness@each"),
        ("youden_index", "informedness@each"),
        ("deskewed_wracc", "informedness@each"),
        ("mk", "markedness@each"),
        ("mcc_class", "mcc@each"),
        ("kappa_class", "kappa@each"),
        ("bookmaker", "informedness"),
        ("digby", "yule_bonett"),
        ("tschuprow_t", "cramers_v"),
        ("wracc", "determinant"),
    ],
)
def test_names(name, key):
    assert cm.get(name).key == key


def test_one_class_on_the_list():
    """Nothing to tell apart: undefined, not an error."""
    for key in ("mcc", "informedness", "cramers_v", "pearson_c_adjusted", "lambda_truth"):
        assert math.isnan(cm.get(key)([[5]]))
    assert cm.chi_squared_df([[5]]) == 0

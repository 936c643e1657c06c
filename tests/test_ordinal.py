"""Measures of ordered classes: against other libraries, brute force, and what is true of them."""

from fractions import Fraction
from importlib.util import find_spec
from itertools import product

import numpy as np
import pytest
from conftest import require
from scipy import stats
from sklearn import metrics
from statsmodels.stats.inter_rater import cohens_kappa

import chancemeter as cm
from chancemeter import weights
from chancemeter.errors import InputError

RNG = np.random.default_rng(20)
TABLES = [
    RNG.integers(0, 30, (k, k)) + np.diag(RNG.integers(1, 60, k)) for k in (2, 3, 4, 5, 6) * 3
]
FULL = [t + 1 for t in TABLES]
for_tables = pytest.mark.parametrize("table", TABLES, ids=lambda t: f"k{len(t)}")
AGREEMENT = ("weighted_kappa", "weighted_pi", "weighted_s", "gwet_ac2", "weighted_alpha")


def labels(table):
    """One pair of labels 1 … k for each case of a table."""
    k = len(table)
    truth = np.repeat(np.arange(1, k + 1), table.sum(1))
    return truth, np.concatenate([np.repeat(np.arange(1, k + 1), row) for row in table])


def some_weights(k, seed=0):
    """A symmetric matrix of disagreement that is nobody's."""
    w = np.random.default_rng(seed).random((k, k))
    return (w + w.T) * (1 - np.eye(k))


# Other libraries.


@for_tables
@pytest.mark.parametrize("name", ["linear", "quadratic"])
def test_kappa_as_in_scikit_learn_and_statsmodels(table, name):
    ours = cm.weighted_kappa(table, weights=name)
    assert ours == pytest.approx(metrics.cohen_kappa_score(*labels(table), weights=name), abs=1e-14)
    theirs = cohens_kappa(table, wt=name, return_results=False)
    assert ours == pytest.approx(theirs, abs=1e-14)


@for_tables
def test_scores_distances_and_matrices_as_in_statsmodels(table):
    k = len(table)
    scores = np.cumsum(np.arange(1, k + 1) ** 2)
    distances = np.sqrt(np.arange(k))
    for name in ("linear", "quadratic"):
        theirs = cohens_kappa(table, weights=scores, wt=name, return_results=False)
        ours = cm.weighted_kappa(table, weights=name, scores=scores.tolist())
        assert ours == pytest.approx(theirs, abs=1e-14)
    theirs = cohens_kappa(table, weights=distances, wt="toeplitz", return_results=False)
    assert cm.weighted_kappa(table, weights=distances) == pytest.approx(theirs, abs=1e-14)
    theirs = cohens_kappa(table, weights=some_weights(k), return_results=False)
    assert cm.weighted_kappa(table, weights=some_weights(k)) == pytest.approx(theirs, abs=1e-14)


@for_tables
@pytest.mark.parametrize("name", weights.NAMED)
def test_every_weight_and_coefficient_as_in_irrcac(table, name):
    require("irrCAC", find_spec("irrCAC") is not None)
    import pandas as pd
    from irrCAC.table import CAC
    from irrCAC.weights import Weights

    theirs = Weights(list(range(1, len(table) + 1)))[name]
    np.testing.assert_allclose(weights.agreement(name, len(table)), theirs, atol=1e-15)
    with np.errstate(all="ignore"):
        cac = CAC(pd.DataFrame(table), weights=name, digits=14)
        pairs = zip(AGREEMENT, ("cohen", "scott", "bp", "gwet", "krippendorff"), strict=True)
        for key, method in pairs:
            found = getattr(cac, method)()["est"]["coefficient_value"]
            assert cm.get(key)(table, weights=name) == pytest.approx(found, abs=1e-12), key


@for_tables
@pytest.mark.parametrize(
    ("level", "name"),
    [
        ("nominal", "weighted_alpha(weights=identity)"),
        ("ordinal", "alpha_ordinal"),
        ("interval", "alpha_interval"),
        ("ratio", "alpha_ratio"),
    ],
)
def test_alpha_as_in_krippendorff(table, level, name):
    require("krippendorff", find_spec("krippendorff") is not None)
    import krippendorff

    domain = list(range(1, len(table) + 1))
    theirs = krippendorff.alpha(
        np.array(labels(table)), value_domain=domain, level_of_measurement=level
    )
    assert cm.get(name)(table) == pytest.approx(theirs, abs=1e-13)


@for_tables
def test_rank_correlations_as_in_scipy(table):
    truth, predicted = labels(table)
    tau_b = stats.kendalltau(truth, predicted).statistic
    tau_c = stats.kendalltau(truth, predicted, variant="c").statistic
    assert cm.kendall_tau_b(table) == pytest.approx(tau_b, abs=1e-13)
    assert cm.stuart_tau_c(table) == pytest.approx(tau_c, abs=1e-13)
    assert cm.spearman(table) == pytest.approx(
        stats.spearmanr(truth, predicted).statistic, abs=1e-13
    )
    assert cm.somers_d(table) == pytest.approx(stats.somersd(table).statistic, abs=1e-13)
    assert cm.somers_d_truth(table) == pytest.approx(stats.somersd(table.T).statistic, abs=1e-13)


@for_tables
def test_distances_as_in_scikit_learn(table):
    truth, predicted = labels(table)
    assert cm.mae(table) == pytest.approx(metrics.mean_absolute_error(truth, predicted))
    assert cm.mse(table) == pytest.approx(metrics.mean_squared_error(truth, predicted))
    assert cm.rmse(table) == pytest.approx(metrics.root_mean_squared_error(truth, predicted))
    each = [
        metrics.mean_absolute_error(truth[truth == i], predicted[truth == i])
        for i in np.unique(truth)
    ]
    assert cm.macro_mean_absolute_error(table) == pytest.approx(np.mean(each))


def test_macro_mean_absolute_error_where_classes_are_missing():
    assert cm.mamae([[3, 1, 0], [0, 2, 0], [0, 0, 0]]) == pytest.approx(0.125)
    assert np.isnan(cm.mamae([[3, 0, 1], [0, 2, 0], [0, 0, 0]]))
    assert cm.mamae.why([[3, 0, 1], [0, 2, 0], [0, 0, 0]]).code == "predicted_but_not_true"


# Brute force.


@for_tables
def test_gamma_counts_pairs(table):
    cases = list(product(range(len(table)), repeat=2))
    same = opposite = 0
    for (i, j), (r, s) in product(cases, repeat=2):
        both = int(table[i, j]) * int(table[r, s])
        same += both * ((i < r) & (j < s))
        opposite += both * ((i < r) & (j > s))
    assert cm.goodman_kruskal_gamma.exact(table) == Fraction(same - opposite, same + opposite)


@for_tables
def test_concordance_is_made_of_moments(table):
    x, y = labels(table)
    right = 2 * np.cov(x, y, ddof=0)[0, 1] / (x.var() + y.var() + (x.mean() - y.mean()) ** 2)
    assert cm.concordance_correlation(table) == pytest.approx(right, abs=1e-13)


@for_tables
@pytest.mark.parametrize("steps", [0, 1, 2, 9])
def test_bangdiwala_sums_rectangles(table, steps):
    k = len(table)
    area = before = 0
    total = int(table.sum(0) @ table.sum(1))
    for b in range(min(steps, k - 1) + 1):
        near = [slice(max(0, i - b), i + b + 1) for i in range(k)]
        box = sum(int(table[i, near[i]].sum() * table[near[i], i].sum()) for i in range(k))
        area += Fraction((k - 1) ** 2 - b * b, (k - 1) ** 2) * (box - before)
        before = box
    assert cm.bangdiwala_b_weighted.exact(table, steps=steps) == area / total


@for_tables
@pytest.mark.parametrize("name", weights.NAMED)
def test_agreement_is_one_minus_a_ratio_of_disagreements(table, name):
    k = len(table)
    w = weights.disagreement(name, k) * 1.0
    p = table / table.sum()
    row, column, both = p.sum(1), p.sum(0), (p.sum(1) + p.sum(0)) / 2
    made, n = (w * p).sum(), table.sum()
    chance = {
        "weighted_kappa": row @ w @ column,
        "weighted_pi": both @ w @ both,
        "weighted_s": w.mean(),
        "gwet_ac2": w.max()
        * (1 - (k * k - (w / w.max()).sum()) / (k * (k - 1)) * (both * (1 - both)).sum()),
        "weighted_alpha": both @ w @ both / (1 - 1 / (2 * n)),
    }
    for key, expected in chance.items():
        assert cm.get(key)(table, weights=name) == pytest.approx(1 - made / expected, abs=1e-13)


@for_tables
@pytest.mark.parametrize("power", [0, 0.5, 1, 2, 3])
def test_cost_is_a_power_of_the_rank(table, power):
    x, y = labels(table)
    right = np.mean(np.where(x == y, 0.0, np.abs(x - y) ** float(power)))
    assert cm.ordinal_cost(table, power=power) == pytest.approx(right)


# What is true of weighted kappa, and what is not.


@for_tables
def test_equal_weights_are_no_weights(table):
    assert cm.weighted_kappa(table, weights="identity") == pytest.approx(cm.kappa(table), abs=1e-13)
    assert cm.weighted_pi(table, weights="identity") == pytest.approx(cm.scott_pi(table), abs=1e-13)
    assert cm.gwet_ac2(table, weights="identity") == pytest.approx(cm.gwet_ac1(table), abs=1e-13)


@pytest.mark.parametrize("name", weights.NAMED)
def test_two_classes_know_one_kind_of_error_only(name):
    for table in TABLES:
        if len(table) == 2:
            assert cm.weighted_kappa(table, weights=name) == pytest.approx(
                cm.kappa(table), abs=1e-13
            )


@for_tables
def test_size_of_weights_reversal_and_transposing_leave_it(table):
    w = some_weights(len(table))
    for key in AGREEMENT:
        m = cm.get(key)
        assert m(table, weights=7.5 * w) == pytest.approx(m(table, weights=w), abs=1e-12)
        assert m(table.T, weights=w) == pytest.approx(m(table, weights=w), abs=1e-12)
        for name in ("linear", "quadratic", "ordinal", "radical", "circular", "bipolar"):
            turned = m(table[::-1, ::-1], weights=name)
            assert turned == pytest.approx(m(table, weights=name), abs=1e-12)


@pytest.mark.parametrize(
    "name",
    [
        "alpha_ordinal",
        "concordance_correlation",
        "bangdiwala_b_weighted",
        "goodman_kruskal_gamma",
        "kendall_tau_b",
        "stuart_tau_c",
        "somers_d",
        "somers_d_truth",
        "spearman",
        "mae",
        "mse",
        "rmse",
        "macro_mean_absolute_error",
        "ordinal_cost",
    ],
)
def test_reversing_all_classes_leaves_the_others_too(name):
    for table in TABLES:
        assert cm.get(name)(table[::-1, ::-1]) == pytest.approx(cm.get(name)(table), abs=1e-12)


def test_ratio_weights_are_not_the_same_in_reverse():
    moved = [
        abs(cm.get("kappa_ratio")(t) - cm.get("kappa_ratio")(t[::-1, ::-1]))
        for t in TABLES
        if len(t) > 2
    ]
    assert min(moved) > 1e-6


@pytest.mark.parametrize("name", ["kappa_linear", "kappa_quadratic"])
def test_another_order_of_classes_changes_it(name):
    order = [1, 0, *range(2, 6)]
    moved = []
    for table in TABLES:
        if len(table) > 2:
            to = order[: len(table)]
            moved.append(abs(cm.get(name)(table) - cm.get(name)(table[np.ix_(to, to)])))
    assert min(moved) > 1e-6
    assert max(moved) > 0.05


@for_tables
def test_quadratic_kappa_is_lins_concordance(table):
    assert cm.get("qwk")(table) == pytest.approx(cm.concordance_correlation(table), abs=1e-14)


@for_tables
def test_linear_kappa_is_a_mean_of_kappas_at_each_cut(table):
    over, under = [], []
    for cut in range(1, len(table)):
        halves = [slice(None, cut), slice(cut, None)]
        two = np.array([[table[a, b].sum() for b in halves] for a in halves])
        chance = two.sum(1) @ two.sum(0)[::-1]
        over.append(cm.kappa(two) * chance)
        under.append(chance)
    assert cm.get("kappa_linear")(table) == pytest.approx(sum(over) / sum(under), abs=1e-13)


@for_tables
def test_independence_is_zero_guessing_is_zero_perfection_is_one(table):
    k = len(table)
    for w in (some_weights(k), "linear", "quadratic", "circular"):
        independent = np.outer(table.sum(1), table.sum(0))
        constant = np.zeros((k, k), int)
        constant[:, k // 2] = table.sum(1)
        assert cm.weighted_kappa(independent, weights=w) == pytest.approx(0, abs=1e-14)
        assert cm.weighted_kappa(constant, weights=w) == pytest.approx(0, abs=1e-15)
        for key in AGREEMENT:
            perfect = cm.get(key)(np.diag(np.diag(table)), weights=w)
            assert perfect == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize("name", ["weighted_kappa", "weighted_pi", "concordance_correlation"])
def test_digits_are_kept_where_it_is_nearly_zero(name):
    table = [[390152, 40, 3], [15292617, 4171, 9], [8, 10**12, 10**7]]
    exact = cm.get(name).exact(table)
    assert abs(Fraction(cm.get(name)(table)) - exact) < 1e-15 * abs(exact)


# Two classes: other names of known measures.


def test_with_two_classes():
    for table in FULL:
        if len(table) == 2:
            assert cm.spearman(table) == pytest.approx(cm.mcc(table))
            assert cm.kendall_tau_b(table) == pytest.approx(cm.mcc(table))
            assert cm.goodman_kruskal_gamma(table) == pytest.approx(cm.yule_q(table)[0])
            assert cm.somers_d(table) == pytest.approx(cm.informedness(table))
            assert cm.somers_d_truth(table) == pytest.approx(cm.markedness(table))


@for_tables
def test_classes_that_never_occur_leave_rank_correlations(table):
    wider = np.insert(np.insert(table, 1, 0, axis=0), 1, 0, axis=1)
    for name in (
        "goodman_kruskal_gamma",
        "kendall_tau_b",
        "stuart_tau_c",
        "spearman",
        "alpha_ordinal",
    ):
        assert cm.get(name)(wider) == pytest.approx(cm.get(name)(table), abs=1e-13)


# Weights and scores as they may be given.


def test_names_for_weights():
    table = FULL[2]
    for name in weights.NAMED:
        if name != "identity":
            assert cm.get(f"kappa_{name}")(table) == cm.weighted_kappa(table, weights=name)
    assert cm.get("quadratic_weighted_kappa")(table) == cm.get("qwk")(table)
    given = cm.get("weighted_kappa(weights=[0, 1, 1.5, 4])")(table)
    assert given == cm.weighted_kappa(table, weights=[0, 1, 1.5, 4])


def test_scores_move_classes_along_the_scale():
    table = FULL[1]
    assert cm.weighted_kappa(table, scores=[5, 7, 9]) == pytest.approx(cm.weighted_kappa(table))
    nearer = weights.disagreement("linear", 3, scores=[-1, 0.5, 1])
    np.testing.assert_array_equal(nearer, [[0, 1.5, 2], [1.5, 0, 0.5], [2, 0.5, 0]])
    assert cm.weighted_kappa(table, scores=[-1, 0.5, 1]) == cm.weighted_kappa(table, weights=nearer)


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"weights": "linaer"}, "did you mean linear"),
        ({"weights": [0, 1]}, "do not fit the classes"),
        ({"weights": [[0, 1], [1, 0]]}, "do not fit the classes"),
        ({"weights": [[0, 1, 2], [1, 0], [2, 1, 0]]}, "uneven length"),
        ({"weights": [[1, 0.5, 0], [0.5, 1, 0.5], [0, 0.5, 1]]}, "1 - weights"),
        ({"weights": [0, -1, 2]}, "not negative"),
        ({"weights": [0, 1, np.nan]}, "finite"),
        ({"weights": [0, 1, "far"]}, "no numbers"),
        ({"weights": [0, 1, 2], "scores": [1, 2, 3]}, "scores= goes with"),
        ({"scores": [1, 2]}, "do not fit the classes"),
        ({"scores": [1, 3, 2]}, "rise from class to class"),
        ({"scores": [1, 2, np.inf]}, "finite"),
        ({"weights": "ratio", "scores": [-1, 1, 2]}, "not negative"),
    ],
)
@pytest.mark.parametrize("key", AGREEMENT)
def test_wrong_weights_are_told(key, given, says):
    with pytest.raises(InputError, match=says) as caught:
        cm.get(key)(FULL[1], **given)
    assert caught.value.faults[0].code == "CM302"


@pytest.mark.parametrize(
    ("name", "given"),
    [
        ("ordinal_cost", {"power": -1}),
        ("ordinal_cost", {"power": "two"}),
        ("ordinal_cost", {"power": np.nan}),
        ("bangdiwala_b_weighted", {"steps": -1}),
        ("bangdiwala_b_weighted", {"steps": 0.5}),
    ],
)
def test_wrong_parameters_are_told(name, given):
    with pytest.raises(cm.ChancemeterError, match="CM302"):
        cm.get(name)(FULL[1], **given)


def test_fractions_stay_fractions_with_any_weights():
    table = [[9, 2, 1], [3, 5, 2], [1, 0, 7]]
    for key, w in product(AGREEMENT, ("linear", "ratio", [0, 0.5, 3], some_weights(3))):
        exact = cm.get(key).exact(table, weights=w)
        assert isinstance(exact, Fraction)
        assert float(exact) == pytest.approx(cm.get(key)(table, weights=w), abs=1e-14)


@pytest.mark.parametrize("key", AGREEMENT)
def test_one_class_alone_has_no_weighted_agreement(key):
    assert np.isnan(cm.get(key)([[7]]))

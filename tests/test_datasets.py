"""Models on data sets: against scipy, R, scikit-posthocs, autorank and baycomp."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import chancemeter as cm
from chancemeter import datasets, signs
from chancemeter.errors import ChancemeterError

HERE = Path(__file__).parent
R = json.loads((HERE / "golden" / "r_tests.json").read_text())
PEERS = json.loads((HERE / "golden" / "peer_tests.json").read_text())
EXAMPLE = HERE.parents[0] / "examples" / "ben_david_2007.csv"
VALUES = np.array([[0.9, 0.8, 0.7, 0.6, 0.9], [0.8, 0.7, 0.6, 0.5, 0.7], [0.7, 0.8, 0.5, 0.6, 0.6]])


def published(measure):
    """Five classifiers on fifteen data sets, as Ben-David (2007) printed them."""
    found = {}
    with EXAMPLE.open() as file:
        for row in csv.DictReader(file):
            found.setdefault(row["model"], {})[row["dataset"]] = float(row[measure])
    return datasets.grid(found, measure=measure)


def matrix(family, models, of=None):
    """p-values as the peers print them."""
    of = of or family.__getitem__
    return [[1.0 if a == b else of((a, b)) for b in models] for a in models]


@pytest.mark.parametrize("entry", R["grids"], ids=lambda e: f"{np.shape(e['values'])}")
def test_friedman_same_as_r_and_scipy(entry):
    found = datasets.friedman(datasets.grid(entry["values"]), "chi2")
    assert found.statistic == pytest.approx(entry["friedman"]["statistic"], rel=1e-9)
    assert found.p == pytest.approx(entry["friedman"]["p"], rel=1e-9)
    if len(entry["values"]) > 2:
        theirs = stats.friedmanchisquare(*entry["values"])
        assert found.statistic == pytest.approx(theirs.statistic, rel=1e-9)
    m, d = np.shape(entry["values"])
    chi2 = found.statistic
    f = (d - 1) * chi2 / (d * (m - 1) - chi2)
    better = datasets.friedman(datasets.grid(entry["values"]))
    assert better.statistic == pytest.approx(f)
    assert better.p == pytest.approx(stats.f.sf(f, m - 1, (m - 1) * (d - 1)))
    assert better.effects["kendalls_w"] == pytest.approx(chi2 / (d * (m - 1)))


@pytest.mark.parametrize("entry", PEERS["grids"], ids=lambda e: f"{np.shape(e['values'])}")
def test_pairs_same_as_scikit_posthocs_and_autorank(entry):
    g = datasets.grid(entry["values"])
    theirs, m = entry["posthocs"], g.models
    close = {"rtol": 1e-9, "atol": 1e-12}
    np.testing.assert_allclose(matrix(datasets.nemenyi(g), m), theirs["nemenyi"], **close)
    plain = datasets.pairs(g, "ranks", "none")
    np.testing.assert_allclose(matrix(plain, m), theirs["ranks"], **close)
    holm = datasets.pairs(g, "ranks", "holm")
    np.testing.assert_allclose(matrix(holm, m), theirs["ranks_holm"], **close)
    theirs = entry["autorank"]
    if len(m) > 2:
        assert datasets.friedman(g, "chi2").p == pytest.approx(theirs["friedman_p"], rel=1e-9)
    assert list(g.average_ranks.values()) == pytest.approx(theirs["ranks"])
    found = datasets.critical_difference(g)
    assert found.difference == pytest.approx(theirs["critical_difference"], rel=1e-3)


def test_ranks_are_the_same_as_scipys():
    rng = np.random.default_rng(1)
    values = rng.integers(0, 4, (5, 20)) / 10
    theirs = stats.rankdata(-values, axis=0)
    np.testing.assert_array_equal(datasets.grid(values).ranks, theirs)
    np.testing.assert_array_equal(
        datasets.grid(values, higher=False).ranks, stats.rankdata(values, axis=0)
    )
    # A value worked out another way is a tie, not a win.
    noisy = values + np.array([[0], [1e-16], [0], [-1e-16], [0]])
    np.testing.assert_array_equal(datasets.grid(noisy).ranks, theirs)


def test_pairs_same_as_scipy_and_adjusted():
    rng = np.random.default_rng(2)
    g = datasets.grid((rng.random((4, 12))).round(4))
    for test, theirs in (
        ("wilcoxon", lambda a, b: stats.wilcoxon(a, b, method="exact").pvalue),
        ("sign", lambda a, b: stats.binomtest(int((a > b).sum()), a.size).pvalue),
    ):
        for adjustment in ("holm", "hommel", "hochberg", "bonferroni"):
            found = datasets.pairs(g, test, adjustment)
            raw = [theirs(g.row(a), g.row(b)) for a, b in found.outcomes]
            assert len(raw) == 6
            expected = cm_adjust(raw, adjustment)
            assert list(found.adjusted.values()) == pytest.approx(expected)


def cm_adjust(p, how):
    from statsmodels.stats.multitest import multipletests

    how = {"hochberg": "simes-hochberg"}.get(how, how)
    return multipletests(p, method=how)[1].tolist()


def test_bonferroni_dunn_against_a_control():
    g = published("kappa")
    found = datasets.pairs(g, "ranks", "bonferroni", control="Logistic")
    assert set(found.outcomes) == {("Logistic", m) for m in g.models if m != "Logistic"}
    error = np.sqrt(5 * 6 / (6 * 15))
    for (a, b), p in found.adjusted.items():
        z = (g.average_ranks[a] - g.average_ranks[b]) / error
        assert p == pytest.approx(min(1, 4 * 2 * stats.norm.sf(abs(z))))
    cd = datasets.critical_difference(g, control="Logistic")
    # Demšar's table 5(b): 2.498 for five classifiers.
    assert cd.difference == pytest.approx(2.498 * error, abs=1e-3)
    assert all(
        (found["Logistic", m] > 0.05) == any(m in c for c in cd.cliques)
        for m in g.models
        if m != "Logistic"
    )


def test_demsars_critical_values():
    """Table 5(a) of Demšar (2006), for two to ten models."""
    printed = [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164]
    for m, q in zip(range(2, 11), printed, strict=True):
        g = datasets.grid(np.random.default_rng(m).random((m, 7)))
        found = datasets.critical_difference(g).difference
        assert found == pytest.approx(q * np.sqrt(m * (m + 1) / 42), abs=1e-3)


def test_the_measure_decides_the_verdict():
    """The same classifiers on the same data sets: kappa tells them apart, accuracy does not."""
    accuracy, kappa = published("accuracy"), published("kappa")
    found = datasets.friedman(accuracy, "chi2")
    assert (found.statistic, found.p) == pytest.approx((5.08, 0.280), abs=5e-3)
    found = datasets.friedman(kappa, "chi2")
    assert (found.statistic, found.p) == pytest.approx((10.59, 0.0315), abs=5e-3)
    found = datasets.friedman(kappa)
    assert (found.statistic, found.p) == pytest.approx((3.00, 0.026), abs=5e-3)
    assert datasets.critical_difference(kappa).difference == pytest.approx(1.575, abs=5e-4)
    pairs = datasets.nemenyi(kappa)
    assert min(pairs.adjusted.values()) == pytest.approx(0.061, abs=5e-4)
    assert pairs["C4.5", "Logistic"] == min(pairs.adjusted.values())


def test_cliques_are_those_pairs_that_nemenyi_does_not_part():
    rng = np.random.default_rng(3)
    for m in (3, 5, 8):
        g = datasets.grid(rng.random((m, 12)) + np.linspace(0, 0.8, m)[:, None])
        found, pairs = datasets.critical_difference(g), datasets.nemenyi(g)
        together = {frozenset((a, b)) for c in found.cliques for a in c for b in c if a != b}
        assert together == {frozenset(pair) for pair, p in pairs.adjusted.items() if p > 0.05}
        assert list(found.ranks.values()) == sorted(found.ranks.values())
        assert all(len(c) > 1 for c in found.cliques)
        assert not any(set(a) < set(b) for a in found.cliques for b in found.cliques)
        json.dumps(found.to_dict(), allow_nan=False)


def test_identical_models():
    g = datasets.grid(np.tile(np.random.default_rng(4).random(6), (3, 1)))
    for method in datasets.FRIEDMAN:
        found = datasets.friedman(g, method)
        assert found.p == 1
        assert found.notes == ("all models are equal on every data set",)
    with np.errstate(invalid="ignore"):
        assert np.isnan(stats.friedmanchisquare(*g.values).pvalue)
    assert set(datasets.nemenyi(g).adjusted.values()) == {1}
    for test in datasets.PAIRS:
        assert set(datasets.pairs(g, test).adjusted.values()) == {1}
    for bayes in (datasets.bayesian_signed_rank, datasets.bayesian_sign):
        for rope in (0, 0.01):
            found = bayes(g, "model 1", "model 2", rope=rope)
            assert (found.left, found.within, found.right) == (0, 1, 0)
            assert found.notes == (signs.IDENTICAL,)


def test_data_sets_in_unison_have_an_exact_p_and_no_zero():
    g = datasets.grid([[0.9, 0.8, 0.7, 0.9], [0.8, 0.7, 0.6, 0.8], [0.7, 0.6, 0.5, 0.7]])
    found = datasets.friedman(g)
    assert found.p == pytest.approx(6**-3)
    assert found.statistic == np.inf
    assert "exact" in found.notes[-1]
    tied = datasets.grid([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.8, 0.7, 0.6]])
    assert datasets.friedman(tied).p == pytest.approx(3**-2)
    assert found.to_dict()["statistic"] == "Infinity"


def test_direction_comes_from_the_card():
    values = np.random.default_rng(5).random((3, 8))
    more, less = datasets.grid(values, measure="kappa"), datasets.grid(values, measure="error_rate")
    assert more.higher
    assert not less.higher
    np.testing.assert_array_equal(more.ranks + less.ranks, 4)
    assert datasets.wins(less)["model 1", "model 2"] == datasets.wins(more)["model 2", "model 1"]
    # A difference speaks for the first where it is positive.
    pair = ("model 1", "model 2")
    signs_of = [datasets.pairs(g).outcomes[pair].effects["difference"] for g in (more, less)]
    assert signs_of[0] == -signs_of[1]
    assert datasets.grid(values, measure="recall@macro").higher


def test_wins_ties_and_losses():
    found = datasets.wins(datasets.grid(VALUES, models="abc"))
    assert found["a", "b"] == (5, 0, 0)
    assert found["a", "c"] == (3, 2, 0)
    assert found["c", "a"] == (0, 2, 3)
    assert len(found) == 6


@pytest.mark.parametrize("name", ["sign", "signed_rank"])
def test_bayesian_tests_same_as_baycomp(name):
    ours = {"sign": datasets.bayesian_sign, "signed_rank": datasets.bayesian_signed_rank}[name]
    for entry in PEERS["paired"]:
        g = datasets.grid([entry["a"], entry["b"]], models="ab")
        for rope in (0, 0.01):
            found = ours(g, "a", "b", rope=rope, draws=20_000, seed=3)
            theirs = entry["baycomp"][f"{name} {rope}"]
            shares = np.array(theirs["shares"])
            if rope == 0:
                # baycomp keeps the prior apart, at no difference; ours goes half to each side.
                shares = shares[[0, 2]] + shares[1] / 2
                shares = np.array([shares[0], 0, shares[1]])
            else:
                most = np.array([found.left, found.within, found.right])
                np.testing.assert_allclose(most, theirs["most"], atol=0.015)
            mean = [found.effects[f"share_{side}"] for side in ("left", "within", "right")]
            np.testing.assert_allclose(mean, shares, atol=0.004)
            assert found.left + found.within + found.right == pytest.approx(1)


def test_bayesian_tests_are_reproducible_and_signed():
    g = published("kappa")
    found = [datasets.bayesian_signed_rank(g, "Logistic", "C4.5", seed=s) for s in (0, 0, 1)]
    assert found[0].right == found[1].right != found[2].right
    assert found[0].signature == (
        f"bayesian_signed_rank|rope:0.01|prior:0.5|draws:50000|seed:0|v{cm.__version__}"
    )
    back = datasets.bayesian_signed_rank(g, "C4.5", "Logistic", seed=5)
    assert back.left == pytest.approx(found[0].right, abs=0.01)


def test_missing_cells_are_named_and_what_can_be_said():
    values = {
        "a": {"iris": 0.9, "wine": 0.8, "zoo": 0.7},
        "b": {"iris": 0.8, "zoo": 0.6},
        "c": {"iris": 0.7, "wine": float("nan"), "zoo": 0.9},
    }
    with pytest.raises(ChancemeterError) as error:
        datasets.grid(values)
    (fault,) = error.value.faults
    assert fault.code == "CM517"
    assert fault.saw == "b on wine, c on wine"
    assert fault.fix == "complete_only=True (--complete-only) compares on the 2 complete data sets"
    g = datasets.grid(values, complete_only=True)
    assert (g.datasets, g.left_out) == (("iris", "zoo"), ("wine",))
    for found in (datasets.friedman(g), datasets.bayesian_sign(g, "a", "b")):
        assert (found.n, found.left_out) == (2, 1)
        assert "incomplete, left out: wine" in found.notes
    values["c"] = {"iris": 0.7}
    values["b"] = {"iris": 0.7, "wine": 0.7}
    for complete_only in (False, True):
        with pytest.raises(ChancemeterError, match="without c, 2 data sets would be complete"):
            datasets.grid(values, complete_only=complete_only)


def test_results_print_and_convert():
    g = published("kappa")
    assert repr(g).startswith("5 models on 15 data sets\n  Logistic: average rank 2.")
    family = datasets.pairs(g)
    text = repr(family)
    assert text.startswith("Wilcoxon's signed ranks over data sets, adjusted by holm")
    assert text.count(" / ") == 10
    plain = json.loads(json.dumps(family.to_dict(), allow_nan=False))
    assert plain["adjustment"] == "holm"
    assert len(plain["pairs"]) == 10
    assert plain["pairs"][0]["adjusted_p"] >= plain["pairs"][0]["p"]
    nemenyi = datasets.nemenyi(g).to_dict()
    assert nemenyi["adjustment"] == "nemenyi"
    assert "studentized range" in nemenyi["notes"][0]


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: datasets.grid(VALUES[:1]), "CM511"),
        (lambda: datasets.grid(VALUES[:, :1]), "CM512"),
        (lambda: datasets.grid(VALUES[0]), "CM513"),
        (lambda: datasets.grid([[0.1, 0.2], [0.3]]), "CM513"),
        (lambda: datasets.grid(VALUES, models=["a", "b"]), "CM513"),
        (lambda: datasets.grid(VALUES, models=["a", "b", "b"]), "CM513"),
        (lambda: datasets.grid(VALUES, datasets=["d"] * 5), "CM513"),
        (lambda: datasets.grid(VALUES + np.inf), "CM514"),
        (lambda: datasets.grid(VALUES * np.nan), "CM517"),
        (lambda: datasets.grid(VALUES, measure="kapa"), "CM301"),
        (lambda: datasets.grid(VALUES, measure="prevalence"), "CM516"),
        (lambda: datasets.grid(VALUES, measure="kappa", higher=False), "CM516"),
        (lambda: datasets.friedman(datasets.grid(VALUES), "quade"), "CM515"),
        (lambda: datasets.pairs(datasets.grid(VALUES), "t"), "CM515"),
        (lambda: datasets.pairs(datasets.grid(VALUES), adjustment="holms"), "CM515"),
        (lambda: datasets.pairs(datasets.grid(VALUES), control="model 9"), "CM515"),
        (lambda: datasets.critical_difference(datasets.grid(VALUES), level=1.5), "CM514"),
        (lambda: datasets.critical_difference(datasets.grid(VALUES), control="x"), "CM515"),
        (lambda: bayes(rope=-1), "CM514"),
        (lambda: bayes(prior=0), "CM514"),
        (lambda: bayes(draws=0), "CM501"),
        (lambda: bayes(second="model 9"), "CM515"),
    ],
)
def test_bad_input(call, code):
    with pytest.raises(ChancemeterError) as error:
        call()
    assert [fault.code for fault in error.value.faults] == [code]


def bayes(second="model 2", **kwargs):
    return datasets.bayesian_signed_rank(datasets.grid(VALUES), "model 1", second, **kwargs)

"""Classifiers by their folds: against scipy, R, WEKA, baycomp and mlxtend."""

import json
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

import chancemeter as cm
from chancemeter import effects, folds, signs
from chancemeter.errors import ChancemeterError

GOLDEN = Path(__file__).parent / "golden"
R = json.loads((GOLDEN / "r_tests.json").read_text())
PEERS = json.loads((GOLDEN / "peer_tests.json").read_text())
TEN = {"train": 90, "test": 10}
A = np.array([0.81, 0.79, 0.84, 0.80, 0.83, 0.77, 0.82, 0.85, 0.79, 0.80])
B = np.array([0.78, 0.79, 0.80, 0.79, 0.81, 0.78, 0.80, 0.82, 0.77, 0.81])
PAIRED = (folds.corrected_t, folds.paired_t, folds.wilcoxon, folds.sign_test)


def sizes(n):
    """One n-fold cross-validation of 10 n cases."""
    return {"train": 10 * n - 10, "test": 10}


@pytest.mark.parametrize("entry", R["paired"], ids=lambda e: f"n={len(e['a'])}")
def test_same_as_r(entry):
    a, b = np.array(entry["a"]), np.array(entry["b"])
    found = folds.paired_t(a, b, **sizes(len(a)))
    assert found.statistic == pytest.approx(entry["t"]["statistic"], rel=1e-10)
    assert found.p == pytest.approx(entry["t"]["p"], rel=1e-10)
    assert found.interval == pytest.approx((entry["t"]["low"], entry["t"]["high"]), abs=1e-12)
    # R takes differences for distinct that are equal but for rounding.
    if np.unique(np.abs(a - b).round(6)).size == a.size:
        assert folds.wilcoxon(a, b, **sizes(len(a))).p == pytest.approx(entry["wilcoxon"])
    assert folds.sign_test(a, b, **sizes(len(a))).p == pytest.approx(entry["sign"])


def test_same_corrected_test_as_weka():
    assert PEERS["weka"]["version"].startswith("3.")
    for entry, said in zip(PEERS["paired"], PEERS["weka"]["corrected_t"], strict=True):
        train = 900
        test = train * said["ratio"]
        found = folds.corrected_t(entry["a"], entry["b"], train=train, test=test)
        assert found.p == pytest.approx(said["p"], abs=1e-12)


def test_same_bayesian_test_as_baycomp():
    compared = 0
    for entry in PEERS["paired"]:
        for runs, (left, within, right) in entry["baycomp"]["correlated_t"].items():
            k = len(entry["a"]) // int(runs)
            ours = folds.bayesian_correlated_t(
                entry["a"], entry["b"], train=10 * (k - 1), test=10, rope=0.01
            )
            assert (ours.left, ours.within, ours.right) == pytest.approx(
                (left, within, right), abs=1e-11
            )
            compared += 1
    assert compared >= 12


def test_same_five_by_two_tests_as_mlxtend():
    assert len(PEERS["halves"]) >= 3
    for entry in PEERS["halves"]:
        a, b = np.reshape(entry["a"], (5, 2)), np.reshape(entry["b"], (5, 2))
        for ours, key in ((folds.five_by_two_t, "t"), (folds.five_by_two_f, "f")):
            found = ours(a, b)
            assert found.statistic == pytest.approx(entry["mlxtend"][key]["statistic"], rel=1e-10)
            assert found.p == pytest.approx(entry["mlxtend"][key]["p"], rel=1e-10)
    assert folds.five_by_two_t(a, b).df == (5,)
    assert folds.five_by_two_f(a, b).df == (10, 5)


def test_the_correction_by_its_definition():
    """Ten repeats of ten folds with unequal sizes: variance times 1/100 + tested/trained."""
    rng = np.random.default_rng(1)
    test = np.tile([31, 31, 31, 30, 30, 30, 30, 30, 30, 30], (10, 1))
    a, b = rng.random((2, 10, 10))
    found = folds.corrected_t(a, b, train=303 - test, test=test)
    d = (a - b).ravel()
    t = d.mean() / np.sqrt(d.var(ddof=1) * (1 / 100 + 1 / 9))
    assert found.statistic == pytest.approx(t, rel=1e-10)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(t), 99), rel=1e-10)
    assert found.df == (99,)
    assert found.n == 100
    reach = stats.t.ppf(0.975, 99) * d.mean() / t
    assert found.interval == pytest.approx((d.mean() - reach, d.mean() + reach))


def test_unequal_folds_are_said():
    test = np.array([10, 10, 10, 10, 10, 10, 10, 10, 5, 15])
    found = folds.corrected_t(A, B, train=100 - test, test=test)
    assert found.notes == (
        "test sets hold 5 to 15 cases: the ratio is that of all tested to all trained",
    )
    assert found.p == pytest.approx(folds.corrected_t(A, B, **TEN).p)
    assert folds.corrected_t(A, B, **TEN).notes == ()


def test_it_is_wider_with_a_larger_share_tested():
    ps = [folds.corrected_t(A, B, train=100 - t, test=t).p for t in (1, 10, 50, 90)]
    assert ps == sorted(ps)
    assert folds.paired_t(A, B, **TEN).p < ps[0]


@pytest.mark.parametrize("test", [folds.paired_t, folds.wilcoxon, folds.sign_test])
def test_the_naive_tests_are_refused_over_repeated_folds(test):
    a = np.tile(A, (10, 1))
    for shaped in (a, a.ravel()):
        with pytest.raises(ChancemeterError, match="corrected_t") as error:
            test(shaped, shaped - 0.01, **TEN)
        assert error.value.faults[0].code == "CM516"
        assert "50 to 70 %" in str(error.value)
    assert folds.corrected_t(a, a * 0.9, **TEN).p < 1


def test_splits_that_are_no_cross_validation_are_refused_too():
    with pytest.raises(ChancemeterError, match="k-fold"):
        folds.paired_t(A, B, train=80, test=20)
    with pytest.raises(ChancemeterError, match="k-fold"):
        folds.fold_t_interval(A, train=80, test=20)
    # Sizes rounded to whole cases are no reason to refuse.
    assert folds.paired_t(A, B, train=273, test=30).p == folds.paired_t(A, B, **TEN).p


@pytest.mark.parametrize("test", PAIRED)
def test_identical_values_have_p_one_and_say_so(test):
    found = test(A, A, **TEN)
    assert found.p == 1
    assert found.notes == (signs.IDENTICAL,)
    # Where the same values were worked out another way, too.
    assert test(A, (A * 3) / 3, **TEN).p == 1


def test_identical_values_elsewhere():
    five = A.reshape(5, 2)
    assert folds.five_by_two_t(five, five).p == 1
    assert folds.five_by_two_f(five, five).p == 1
    found = folds.bayesian_correlated_t(A, A, **TEN)
    assert (found.left, found.within, found.right) == (0, 1, 0)
    assert found.notes == (signs.IDENTICAL,)


def test_differences_without_variance_give_no_p():
    """Not p = 0: folds that all differ alike do not show how much folds vary."""
    b = A - 0.01
    for test in (folds.corrected_t, folds.paired_t):
        found = test(A, b, **TEN)
        assert np.isnan(found.p)
        assert "same amount" in found.undefined
        assert found.effects["difference"] == pytest.approx(0.01)
    for test in (folds.five_by_two_t, folds.five_by_two_f):
        found = test(A.reshape(5, 2), b.reshape(5, 2))
        assert np.isnan(found.p)
        assert "same amount" in found.undefined
        pairwise = np.repeat([[0.01], [0.02], [0.03], [0.01], [0.02]], 2, axis=1)
        assert "both halves agree" in test(A.reshape(5, 2) + pairwise, A.reshape(5, 2)).undefined
    belief = folds.bayesian_correlated_t(A, b, **TEN)
    assert np.isnan(belief.right)
    assert "same amount" in belief.undefined
    # Signs and ranks need no variance.
    assert folds.wilcoxon(A, b, **TEN).p == pytest.approx(2 / 2**10)
    assert folds.sign_test(A, b, **TEN).p == pytest.approx(2 / 2**10)


def test_undefined_folds_are_counted_and_said():
    a, b = A.copy(), B.copy()
    a[[2, 5]], b[5] = np.nan, np.nan
    kept = ~np.isnan(a)
    for test in PAIRED:
        found = test(a, b, **TEN)
        assert (found.n, found.left_out) == (8, 2)
        said = "2 of 10 folds undefined and left out (2 of the first, 1 of the second)"
        assert found.notes[0] == said
        assert found.to_dict()["left_out"] == 2
    assert folds.paired_t(a, b, **TEN).p == pytest.approx(stats.ttest_rel(a[kept], b[kept]).pvalue)
    interval = folds.fold_t_interval(a, **TEN)
    assert (interval.n, interval.left_out) == (8, 2)
    found = folds.five_by_two_t(a.reshape(5, 2), b.reshape(5, 2))
    assert np.isnan(found.p)
    assert found.notes == ("2 of 10 folds undefined: the test needs all",)


def test_too_few_defined_folds_are_no_error_but_no_p():
    a = np.full(10, np.nan)
    for test in PAIRED:
        found = test(a, B, **TEN)
        assert np.isnan(found.p)
        assert found.undefined
        assert found.left_out == 10
    a[0] = 0.8
    assert "fewer than two" in folds.corrected_t(a, B, **TEN).undefined
    assert "fewer than two" in folds.bayesian_correlated_t(a, B, **TEN).undefined
    assert "fewer than two" in folds.fold_t_interval(a, **TEN).undefined


def brute_force(d):
    """Wilcoxon's p by going through all signs."""
    ranks = stats.rankdata(np.abs(d))
    sums = np.array([np.dot(ranks, s) for s in product((0, 1), repeat=len(d))])
    seen = ranks[d > 0].sum()
    return min(1, 2 * min((sums <= seen + 1e-9).mean(), (sums >= seen - 1e-9).mean()))


def test_wilcoxon_is_exact_with_ties_and_zeros():
    rng = np.random.default_rng(2)
    for _ in range(30):
        d = rng.integers(-4, 5, 10) / 100
        b = np.full(10, 0.5)
        found = folds.wilcoxon(b + d, b, **TEN)
        kept = d[d != 0]
        assert found.p == pytest.approx(brute_force(kept))
        assert (found.n, len(found.notes)) == (10, int((d == 0).any()))
        ranks = stats.rankdata(np.abs(kept))
        plus, minus = ranks[kept > 0].sum(), ranks[kept < 0].sum()
        assert found.effects["rank_biserial"] == pytest.approx((plus - minus) / (plus + minus))


def test_pratts_zeros_same_as_scipy():
    rng = np.random.default_rng(3)
    for _ in range(10):
        d = rng.integers(-4, 5, 9) / 100.0
        exact = stats.PermutationMethod(n_resamples=np.inf)
        theirs = stats.wilcoxon(d, zero_method="pratt", method=exact).pvalue
        assert signs.signed_ranks(d, "pratt").p == pytest.approx(theirs)


def test_many_differences_are_approximated_and_it_is_said():
    d = np.random.default_rng(4).standard_normal(300)
    found = signs.signed_ranks(d)
    theirs = stats.wilcoxon(d, method="approx", correction=False)
    assert found.p == pytest.approx(theirs.pvalue)
    assert not found.exact
    said = folds.wilcoxon(d, d * 0, **sizes(300)).notes[-1]
    assert said == "more than 200 differences: normal approximation"
    # At the border both ways nearly agree.
    assert signs.signed_ranks(d[:200]).p == pytest.approx(
        stats.wilcoxon(d[:200], method="approx", correction=False).pvalue, rel=0.02
    )


def test_intervals_of_one_classifier():
    low, high = stats.t.interval(0.9, 9, A.mean(), stats.sem(A))
    found = folds.fold_t_interval(A, **TEN, level=0.9)
    assert found.interval == pytest.approx((low, high))
    assert found.value == pytest.approx(A.mean())
    wide = folds.corrected_t_interval(A, **TEN, level=0.9)
    ratio = np.sqrt((1 / 10 + 1 / 9) / (1 / 10))
    assert np.ptp(wide.interval) / np.ptp(found.interval) == pytest.approx(ratio)
    assert "77 to 83 %" in repr(found)
    assert found.signature == f"fold_t|level:0.9|v{cm.__version__}"
    same = folds.fold_t_interval(np.full(10, 0.8), **TEN)
    assert same.interval is None
    assert "same value" in same.undefined
    json.dumps(same.to_dict(), allow_nan=False)


def test_a_region_of_equivalence():
    wide = folds.bayesian_correlated_t(A, B, **TEN, rope=0.5)
    none = folds.bayesian_correlated_t(A, B, **TEN, rope=0)
    assert wide.within > 0.999
    assert none.within == 0
    assert none.left + none.right == pytest.approx(1)
    assert none.left == pytest.approx(folds.corrected_t(A, B, **TEN).p / 2)
    assert none.interval == pytest.approx(folds.corrected_t(A, B, **TEN).interval)
    plain = json.loads(json.dumps(wide.to_dict()))
    assert plain["settings"] == {"rope": 0.5, "level": 0.95}
    assert plain["right"] == wide.right


def test_effect_sizes_by_definition():
    found = effects.paired(A, B)
    d = A - B
    assert found["difference"] == pytest.approx(d.mean())
    assert found["cohens_dz"] == pytest.approx(d.mean() / d.std(ddof=1))
    pairs = [int(x > y) - int(x < y) for x in A for y in B]
    assert found["cliffs_delta"] == pytest.approx(np.mean(pairs))
    u = stats.mannwhitneyu(A, B).statistic
    assert found["cliffs_delta"] == pytest.approx(2 * u / 100 - 1)
    assert found["superiority"] == pytest.approx(((d > 0) + (d == 0) / 2).mean())
    assert np.isnan(effects.cohens_dz(A, A - 0.01))


def test_all_say_what_they_take_for_granted():
    for test in PAIRED:
        found = test(A, B, **TEN)
        assert found.method.about == "algorithms"
        assert len(found.method.assumes) > 40
        assert found.to_dict()["null"]
        assert found.method.assumes in repr(found)


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: folds.corrected_t(A, B[:9], **TEN), "CM513"),
        (lambda: folds.corrected_t([0.8], [0.7], **TEN), "CM512"),
        (lambda: folds.corrected_t([[[0.8, 0.7]]], [[[0.7, 0.8]]], **TEN), "CM513"),
        (lambda: folds.corrected_t(A, B, train=[90, 90], test=10), "CM513"),
        (lambda: folds.corrected_t(A, B, train=90, test=0), "CM513"),
        (lambda: folds.corrected_t(A, B, train=90, test=np.nan), "CM513"),
        (lambda: folds.corrected_t(A, B, **TEN, level=95), "CM514"),
        (lambda: folds.corrected_t(A, B, **TEN, level=0), "CM514"),
        (lambda: folds.corrected_t(A, B + np.inf, **TEN), "CM514"),
        (lambda: folds.corrected_t(["high"] * 3, ["low"] * 3, **TEN), "CM513"),
        (lambda: folds.wilcoxon(A, B, **TEN, zeros="keep"), "CM515"),
        (lambda: folds.five_by_two_t(A, B), "CM516"),
        (lambda: folds.bayesian_correlated_t(A, B, **TEN, rope=-0.01), "CM514"),
        (lambda: folds.bayesian_correlated_t(A, B, **TEN, rope=np.nan), "CM514"),
        (lambda: folds.fold_t_interval(np.tile(A, 3), **TEN), "CM516"),
        (lambda: folds.corrected_t_interval(A, **TEN, level=1), "CM514"),
    ],
)
def test_bad_input(call, code):
    with pytest.raises(ChancemeterError) as error:
        call()
    assert [fault.code for fault in error.value.faults] == [code]

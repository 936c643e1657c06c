"""Models on the same rows: against statsmodels, scipy, R and mlxtend's definitions."""

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from statsmodels.stats.contingency_tables import SquareTable, cochrans_q
from statsmodels.stats.contingency_tables import mcnemar as statsmodels_mcnemar

import chancemeter as cm
from chancemeter import matched
from chancemeter.errors import ChancemeterError

R = json.loads((Path(__file__).parent / "golden" / "r_tests.json").read_text())
TWO = [np.array(e["table"]) for e in R["mcnemar"] if len(e["table"]) == 2]
SQUARE = [np.array(e["table"]) for e in R["mcnemar"] if len(e["table"]) > 2]
CLOSE = {"rel": 1e-11, "abs": 1e-14}


@pytest.mark.parametrize("entry", R["mcnemar"], ids=lambda e: str(e["table"])[:24])
def test_same_as_r(entry):
    table = np.array(entry["table"])
    if len(table) == 2:
        for ours, theirs in (("chi2", "plain"), ("chi2-corrected", "corrected")):
            found = matched.mcnemar(table, ours)
            assert found.statistic == pytest.approx(entry[theirs]["statistic"], **CLOSE)
            assert found.p == pytest.approx(entry[theirs]["p"], **CLOSE)
        # R's own binomial test sums its way: nine digits at 10⁹ cases.
        assert matched.mcnemar(table, "exact").p == pytest.approx(entry["exact"], rel=1e-9)
    else:
        found = matched.bowker(table)
        assert found.statistic == pytest.approx(entry["plain"]["statistic"], **CLOSE)
        assert found.p == pytest.approx(entry["plain"]["p"], **CLOSE)
        assert found.df == (entry["plain"]["df"],)


@pytest.mark.parametrize("table", TWO, ids=str)
def test_mcnemar_same_as_statsmodels_and_by_definition(table):
    b, c = int(table[0, 1]), int(table[1, 0])
    theirs = statsmodels_mcnemar(table, exact=False, correction=False)
    assert matched.mcnemar(table, "chi2").p == pytest.approx(theirs.pvalue, **CLOSE)
    exact = matched.mcnemar(table, "exact").p
    assert exact == pytest.approx(stats.binomtest(b, b + c).pvalue, rel=1e-9)
    mid = 2 * stats.binom.cdf(min(b, c) - 1, b + c, 0.5) + stats.binom.pmf(min(b, c), b + c, 0.5)
    assert matched.mcnemar(table).p == pytest.approx(mid, rel=1e-9)


def test_identical_models_have_p_one_where_peers_say_zero():
    table = [[60, 0], [0, 40]]
    for method in matched.MCNEMAR:
        found = matched.mcnemar(table, method)
        assert found.p == 1
        assert found.notes == ("the models are right and wrong on the same cases",)
        assert found.effects == {"difference": 0}
    with np.errstate(divide="ignore"):
        assert statsmodels_mcnemar(table, exact=False).pvalue == 0
    for test in (matched.bowker, matched.stuart_maxwell):
        assert test(np.diag([5, 6, 7])).p == 1
        assert test(np.diag([5, 6, 7])).notes == ("the models say the same in every case",)
    assert matched.cochran_q([[1, 1, 1], [0, 0, 0]], [60, 40]).p == 1


def test_the_continuity_correction_never_turns_a_tie_into_evidence():
    assert matched.mcnemar([[9, 4], [4, 9]], "chi2-corrected").p == 1
    assert statsmodels_mcnemar([[9, 4], [4, 9]], exact=False).pvalue < 1


@pytest.mark.parametrize("table", SQUARE, ids=lambda t: str(t.tolist())[:24])
def test_symmetry_and_margins_same_as_statsmodels(table):
    theirs = SquareTable(table, shift_zeros=False)
    found = matched.bowker(table)
    assert found.p == pytest.approx(theirs.symmetry().pvalue, **CLOSE)
    found = matched.stuart_maxwell(table)
    assert found.statistic == pytest.approx(theirs.homogeneity().statistic, rel=1e-9)
    assert found.p == pytest.approx(theirs.homogeneity().pvalue, rel=1e-8)
    assert found.effects["share_moved"] == pytest.approx(
        np.abs(table.sum(0) - table.sum(1)).sum() / 2 / table.sum()
    )


def test_both_are_mcnemar_for_two_classes():
    for table in TWO:
        plain = matched.mcnemar(table, "chi2")
        for test in (matched.bowker, matched.stuart_maxwell):
            assert test(table).p == pytest.approx(plain.p, rel=1e-9)


def test_margins_with_classes_that_are_never_exchanged():
    """Two groups of two classes: the sum of two McNemar statistics, two degrees of freedom."""
    table = np.zeros((4, 4), int)
    table[:2, :2], table[2:, 2:] = [[9, 8], [2, 7]], [[5, 1], [6, 3]]
    found = matched.stuart_maxwell(table)
    assert found.statistic == pytest.approx((8 - 2) ** 2 / 10 + (1 - 6) ** 2 / 7)
    assert found.df == (2,)
    assert found.notes == ("the classes fall into 2 groups that are never exchanged",)
    assert found.p == pytest.approx(stats.chi2.sf(found.statistic, 2))
    assert matched.bowker(table).df == (2,)
    # statsmodels takes the covariance for regular and counts one degree of freedom too many.
    theirs = SquareTable(table, shift_zeros=False).homogeneity()
    assert theirs.statistic == pytest.approx(found.statistic)
    assert theirs.df == 3
    assert theirs.pvalue > 0.05 > found.p


def test_order_of_classes_and_unused_ones_change_nothing():
    rng = np.random.default_rng(3)
    for _ in range(20):
        table = rng.poisson(1.5, (5, 5))
        order = rng.permutation(5)
        wide = np.zeros((6, 6), int)
        wide[:5, :5] = table
        for test in (matched.bowker, matched.stuart_maxwell):
            p = test(table).p
            assert test(table[np.ix_(order, order)]).p == pytest.approx(p)
            assert test(table.T).p == pytest.approx(p)
            assert test(wide).p == pytest.approx(p)


def test_cochran_same_as_statsmodels_and_as_mcnemar_for_two():
    rng = np.random.default_rng(4)
    for m in (2, 3, 5):
        rows = (rng.random((200, m)) < np.linspace(0.6, 0.8, m)).astype(int)
        patterns, counts = np.unique(rows, axis=0, return_counts=True)
        found, theirs = matched.cochran_q(patterns, counts), cochrans_q(rows)
        assert found.statistic == pytest.approx(theirs.statistic, **CLOSE)
        assert found.p == pytest.approx(theirs.pvalue, **CLOSE)
        assert found.df == (m - 1,)
        share = rows.mean(0)
        assert found.effects["largest_difference"] == pytest.approx(share.max() - share.min())
    both = matched.right_or_wrong(patterns[:, 0], patterns[:, 1], counts)
    pair = np.unique(rows[:, :2], axis=0, return_counts=True)
    assert matched.cochran_q(*pair).p == pytest.approx(matched.mcnemar(both, "chi2").p)


def test_kendalls_w_of_cochran_is_that_of_ranks():
    rng = np.random.default_rng(5)
    rows = (rng.random((60, 4)) < 0.6).astype(int)
    patterns = np.unique(rows, axis=0, return_counts=True)
    mixed = rows[(rows.sum(1) > 0) & (rows.sum(1) < 4)]
    chi2 = stats.friedmanchisquare(*mixed.T).statistic
    w = matched.cochran_q(*patterns).effects["kendalls_w"]
    assert w == pytest.approx(chi2 / (len(mixed) * 3))


def test_pairs_are_adjusted():
    right, counts = [[1, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]], [30, 20, 4, 50]
    found = matched.mcnemar_pairs(right, counts, ["a", "b", "c"])
    raw = [o.p for o in found.outcomes.values()]
    assert list(found.adjusted.values()) == pytest.approx(sorted_holm(raw))
    assert "any false alarm" in found.notes[0]
    assert found.outcomes["a", "b"].p == matched.mcnemar([[80, 4], [20, 0]]).p
    assert json.loads(json.dumps(found.to_dict()))["pairs"][0]["pair"] == ["a", "b"]


def sorted_holm(p):
    from statsmodels.stats.multitest import multipletests

    return multipletests(p, method="holm")[1]


def test_above_majority_same_as_caret_and_r():
    for entry in R["above"]:
        found = matched.above_majority(entry["table"], "nir")
        assert found.p == pytest.approx(entry["p"], rel=1e-9)
    golden = json.loads((Path(__file__).parent / "golden" / "r.json").read_text())
    compared = 0
    for entry in golden["tables"]:
        p = entry.get("caret", {}).get("accuracy_p_value")
        if p is not None:
            assert matched.above_majority(entry["table"], "nir").p == pytest.approx(p, rel=1e-8)
            compared += 1
    assert compared >= 40


def test_above_majority_is_one_sided_mcnemar_against_the_constant_answer():
    table = np.array([[70, 10, 2], [12, 18, 3], [1, 2, 9]])
    won, lost = 18 + 9, 10 + 2
    mid = stats.binom.sf(won, won + lost, 0.5) + stats.binom.pmf(won, won + lost, 0.5) / 2
    found = matched.above_majority(table)
    assert found.p == pytest.approx(mid)
    assert found.effects["difference"] == pytest.approx(
        cm.accuracy(table) - cm.no_information_rate(table)
    )
    constant = matched.above_majority([[80, 0], [20, 0]])
    assert constant.p == 1
    assert "constant answer" in constant.notes[0]


def test_nir_from_the_same_cases_is_liberal_and_the_paired_test_is_not():
    """A model whose accuracy is the majority's share: how often is it called better?"""
    rng = np.random.default_rng(6)
    draws, n, share = 4000, 200, 0.8
    rates = {}
    # Right independently of the class; and right on every case of the rarer class.
    for of_major in (share, 1 - 0.2 / share):
        of_minor = min(1, share * (1 - of_major) / (1 - share))
        cells = [share * of_major, share * (1 - of_major)]
        cells += [(1 - share) * (1 - of_minor), (1 - share) * of_minor]
        counts = rng.multinomial(n, cells, draws).reshape(-1, 2, 2)
        for method in matched.MAJORITY:
            ps = [matched.above_majority(table, method).p for table in counts]
            rates[of_major, method] = np.mean(np.array(ps) <= 0.05)
    assert rates[share, "nir"] > 0.09
    assert rates[1 - 0.2 / share, "nir"] > 0.1
    assert all(rate < 0.06 for (_, method), rate in rates.items() if method == "paired")


def test_huge_counts_and_tables():
    table = np.array([[10**15, 10**7 + 9_000], [10**7, 10**14]])
    z = 9_000 / np.sqrt(2e7 + 9_000)
    for method in matched.MCNEMAR:
        assert matched.mcnemar(table, method).p == pytest.approx(2 * stats.norm.sf(z), rel=2e-3)
    of_named = cm.table([[60, 15], [5, 20]], labels=["right", "wrong"])
    assert matched.mcnemar(of_named).p == matched.mcnemar([[60, 15], [5, 20]]).p


def test_results_are_plain():
    found = matched.mcnemar([[60, 15], [0, 20]])
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["effects"]["odds_ratio"] == "Infinity"
    assert plain["method"] == "mcnemar:mid-p"
    assert plain["about"] == "predictions"
    assert plain["signature"] == f"mcnemar:mid-p|v{cm.__version__}"
    assert repr(found).startswith("McNemar's test, mid-p: p < 0.0001")
    assert "on 5 cases only" in matched.mcnemar([[9, 3], [2, 9]], "chi2").notes[0]


def test_no_cases_is_undefined():
    for test in (matched.mcnemar, matched.bowker, matched.stuart_maxwell, matched.above_majority):
        found = test(np.zeros((2, 2), int))
        assert np.isnan(found.p)
        assert found.undefined == "there are no cases"
        assert repr(found).partition("\n")[0].endswith("no p: there are no cases")


@pytest.mark.parametrize(
    ("call", "code"),
    [
        (lambda: matched.mcnemar(np.ones((3, 3), int)), "CM513"),
        (lambda: matched.mcnemar([[1.5, 2], [3, 4]]), "CM202"),
        (lambda: matched.mcnemar([[1, -2], [3, 4]]), "CM202"),
        (lambda: matched.mcnemar([[1, np.nan], [3, 4]]), "CM202"),
        (lambda: matched.mcnemar(np.ones((2, 2, 2), int)), "CM204"),
        (lambda: matched.mcnemar([[1, 2], [3, 4]], "fisher"), "CM515"),
        (lambda: matched.bowker([[5]]), "CM513"),
        (lambda: matched.bowker([[5, 1, 2], [3, 4, 5]]), "CM201"),
        (lambda: matched.cochran_q([[1], [0]], [3, 4]), "CM511"),
        (lambda: matched.cochran_q([[1, 0], [0, 1]], [3]), "CM513"),
        (lambda: matched.cochran_q([[1, 2], [0, 1]], [3, 4]), "CM513"),
        (lambda: matched.cochran_q([[1, 0], [0, 1]], [3, 0.5]), "CM202"),
        (lambda: matched.mcnemar_pairs([[1, 0], [0, 1]], [3, 4], ["a"]), "CM513"),
        (lambda: matched.mcnemar_pairs([[1, 0]], [3], ["a", "b"], adjustment="holms"), "CM515"),
        (lambda: matched.above_majority([[1, 2], [3, 4]], "caret"), "CM515"),
    ],
)
def test_bad_input(call, code):
    with pytest.raises(ChancemeterError) as error:
        call()
    assert [fault.code for fault in error.value.faults] == [code]

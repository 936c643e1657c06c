"""Adjusted p-values and tails: against statsmodels, scipy, R and exact arithmetic."""

import itertools
import json
from fractions import Fraction
from math import comb
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats
from statsmodels.stats.multitest import multipletests

from chancemeter import tails
from chancemeter.adjust import ADJUSTMENTS, adjust
from chancemeter.errors import ChancemeterError

R = json.loads((Path(__file__).parent / "golden" / "r_tests.json").read_text())
THEIRS = {
    "holm": ("holm", "holm"),
    "hommel": ("hommel", "hommel"),
    "hochberg": ("hochberg", "simes-hochberg"),
    "bonferroni": ("bonferroni", "bonferroni"),
    "benjamini-hochberg": ("BH", "fdr_bh"),
}
P_VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=12)


@pytest.mark.parametrize("how", THEIRS)
def test_same_as_r(how):
    for entry in R["adjusted"]:
        np.testing.assert_allclose(adjust(entry["p"], how), entry[THEIRS[how][0]], atol=1e-14)


@pytest.mark.parametrize("how", THEIRS)
@given(p=P_VALUES)
def test_same_as_statsmodels(how, p):
    theirs = multipletests(p, method=THEIRS[how][1])[1]
    np.testing.assert_allclose(adjust(p, how), theirs, rtol=1e-12, atol=1e-300)


@given(p=P_VALUES)
def test_from_the_boldest_to_the_most_careful(p):
    order = ("none", "benjamini-hochberg", "hommel", "hochberg", "holm", "bonferroni")
    found = [adjust(p, how) for how in order]
    # Benjamini–Hochberg promises less and is never above the others.
    for bold, careful in itertools.pairwise(found):
        assert (bold <= careful + 1e-15).all()


def test_every_way_is_compared():
    assert {*THEIRS, "none"} == set(ADJUSTMENTS)


def test_undefined_ones_do_not_count():
    p = [0.01, np.nan, 0.04, 0.03]
    for how in ADJUSTMENTS:
        found = adjust(p, how)
        assert np.isnan(found[1])
        np.testing.assert_array_equal(np.delete(found, 1), adjust([0.01, 0.04, 0.03], how))
    assert adjust([], "holm").size == 0


@pytest.mark.parametrize(
    ("p", "how", "code"), [([0.1, 1.2], "holm", "CM514"), ([0.1], "tukey", "CM515")]
)
def test_bad_input(p, how, code):
    with pytest.raises(ChancemeterError) as error:
        adjust(p, how)
    assert error.value.faults[0].code == code


@pytest.mark.parametrize("entry", R["ranges"], ids=lambda e: f"k={e['k']}")
def test_studentized_range_same_as_r_and_scipy(entry):
    k, q = entry["k"], entry["q"]
    # R's own method is good to about ten digits.
    np.testing.assert_allclose(tails.studentized_range(q, k), entry["above"], atol=1e-9)
    theirs = stats.studentized_range.sf(q[2:5], k, np.inf)
    np.testing.assert_allclose(tails.studentized_range(q[2:5], k), theirs, atol=1e-12)
    assert tails.studentized_range_quantile(0.05, k) == pytest.approx(entry["q_05"], abs=1e-4)
    for share in (0.5, 0.05, 1e-6):
        there = tails.studentized_range_quantile(share, k)
        assert tails.studentized_range(there, k) == pytest.approx(share, rel=1e-9)


def test_the_range_of_two_is_a_normal_however_far_out():
    q = np.array([0.1, 1, 5, 10, 20, 35])
    theirs = 2 * stats.norm.sf(q / np.sqrt(2))
    np.testing.assert_allclose(tails.studentized_range(q, 2), theirs, rtol=1e-10)
    assert stats.studentized_range.sf(20, 2, np.inf) == 0


@pytest.mark.parametrize("n", [1, 2, 7, 40])
def test_binomial_tail_by_exact_arithmetic(n):
    for k in range(-1, n + 1):
        for p in (Fraction(1, 2), Fraction(3, 10)):
            exact = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(k + 1))
            assert float(tails.binomial_at_most(k, n, float(p))) == pytest.approx(float(exact))


def test_tails_same_as_scipy():
    x = np.array([0.0, 0.3, 1.0, 2.5, 7.0, 30.0])
    np.testing.assert_allclose(tails.normal(x), 2 * stats.norm.sf(x), rtol=1e-12)
    np.testing.assert_allclose(tails.student(x, 9), 2 * stats.t.sf(x, 9), rtol=1e-10)
    np.testing.assert_allclose(tails.chi_squared(x, 4), stats.chi2.sf(x, 4), rtol=1e-12)
    np.testing.assert_allclose(tails.snedecor(x, (10, 5)), stats.f.sf(x, 10, 5), rtol=1e-12)
    assert tails.normal_quantile(0.01) == pytest.approx(stats.norm.isf(0.01), rel=1e-12)
    assert tails.student_quantile(0.975, 9) == pytest.approx(stats.t.ppf(0.975, 9), rel=1e-12)

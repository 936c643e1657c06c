"""Spaces of curves and lines of equal value, against the catalogue and exact fractions."""

from fractions import Fraction

import numpy as np
import pytest

import chancemeter as cm
from chancemeter.curves import spaces
from chancemeter.curves.isolines import STRAIGHT, equal_cost, isoline, straight
from chancemeter.curves.pictures import decision_curve
from chancemeter.curves.spaces import SPACES, Cells, Space, along, space_of, tables
from chancemeter.errors import InputError

RNG = np.random.default_rng(2008)
STACK = RNG.integers(1, 60, (50, 2, 2))
EXAMPLES = {
    1: ([[25, 25], [25, 25]], "0.5", "0"),
    2: ([[40, 10], [10, 40]], "0.5", "0.6"),
    3: ([[50, 0], [0, 50]], "0.5", "1"),
    4: ([[65, 5], [15, 15]], "0.62", "9/19"),  # chance is printed as .625
    5: ([[70, 0], [0, 30]], "0.58", "1"),
    6: ([[49, 21], [21, 9]], "0.58", "0"),
}


def exact(*values):
    return [np.asarray(Fraction(x), object) for x in values]


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_of_ben_david_both_ways(example):
    table, pc, k = EXAMPLES[example]
    (tp, fn), (fp, _) = table
    fp, tp, p = exact(*(Fraction(x, 100) for x in (fp, tp, tp + fn)))
    pc, k = exact(pc, k)
    assert spaces.chance_and_kappa(fp, tp, p) == (pc, k)
    assert spaces.tp_of_kappa(k, fp, p) == tp  # (14), at P = 1/2 (16)
    assert spaces.fp_of_kappa(k, tp, p) == fp
    assert spaces.tp_of_kappa_and_share(k, fp, tp + fp, p) == tp
    x, y = SPACES["pc-k"].of(table)
    assert (float(x), float(y)) == pytest.approx((float(pc), float(k)))
    if p == Fraction(1, 2):
        assert k == 2 * (tp - fp)  # (15)
        back = spaces.fp_and_tp(0.5, float(k), 0.5)
        assert np.isnan(back).all()  # chance says nothing there
        assert np.isnan(spaces.tp_of_chance(0.5, float(fp), 0.5))
    else:
        assert spaces.fp_and_tp(pc, k, p) == (fp, tp)
        assert spaces.tp_of_chance(pc, fp, p) == tp  # (11)


@pytest.mark.parametrize("table", STACK[:30].tolist())
def test_formulas_both_ways_on_any_table(table):
    total = sum(map(sum, table))
    fp, tp, p = exact(*(Fraction(x, total) for x in (table[1][0], table[0][0], sum(table[0]))))
    pc, k = spaces.chance_and_kappa(fp, tp, p)
    assert (pc, k) == (cm.expected_cohen.exact(table), cm.kappa.exact(table))
    if p != Fraction(1, 2):
        assert spaces.fp_and_tp(pc, k, p) == (fp, tp)
    assert spaces.tp_of_kappa(k, fp, p) == tp
    assert spaces.fp_of_kappa(k, tp, p) == fp


def test_axes_are_measures_of_the_catalogue():
    keys = {
        "roc": ("fall_out", "recall"),
        "k": ("fall_out", "kappa"),
        "pc-k": ("expected_cohen", "kappa"),
        "pr": ("recall", "precision"),
        "gain": ("bias", "recall"),
        "lift": ("bias", "lift"),
    }
    for key, axes in keys.items():
        for found, name in zip(SPACES[key].of(STACK), axes, strict=True):
            wanted = cm.get(name)(STACK)
            wanted = wanted[..., 0] if wanted.ndim > 1 else wanted
            np.testing.assert_allclose(found, wanted, rtol=1e-12, err_msg=f"{key}: {name}")


def test_det_is_in_normal_deviates():
    from scipy.stats import norm

    c = Cells.of(STACK)
    x, y = SPACES["det"].of(STACK)
    np.testing.assert_allclose(x, norm.ppf(c.fpr), rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(y, norm.ppf(1 - c.tpr), rtol=1e-9, atol=1e-12)


def test_gains_of_precision_and_recall_by_their_definition():
    """Flach and Kull (2015): (v − π) / ((1 − π) v)."""
    c = Cells.of(STACK)
    p = c.positives / c.total
    for found, name in zip(SPACES["prg"].of(STACK), ("recall", "precision"), strict=True):
        v = cm.get(name)(STACK)[..., 0]
        np.testing.assert_allclose(found, (v - p) / ((1 - p) * v), rtol=1e-9, atol=1e-12)


def test_shares_of_all_are_rates_times_shares_of_classes():
    c = Cells.of(STACK)
    x, y = SPACES["fp-tp"].of(STACK)
    np.testing.assert_allclose(x, c.fpr * c.negatives / c.total)
    np.testing.assert_allclose(y, c.tpr * c.positives / c.total)
    np.testing.assert_allclose(SPACES["k-fp"].of(STACK)[0], x)


def test_counts_of_any_size():
    big = np.array([[10**15, 1], [2, 10**15]])
    assert float(spaces.kappa(Cells.of(big))) == pytest.approx(float(cm.kappa(big)), rel=1e-12)


def test_undefined_is_nan():
    nothing = [[0, 5], [0, 5]]
    assert np.isnan(SPACES["pr"].of(nothing)[1])
    assert np.isnan(SPACES["prg"].of(nothing)).all()
    assert np.isnan(SPACES["k"].of([[0, 0], [3, 4]])[1]) == np.isnan(cm.kappa([[0, 0], [3, 4]]))


@pytest.mark.parametrize("key", [k for k, s in SPACES.items() if isinstance(s, Space)])
def test_guessing_has_its_place_in_every_space(key):
    space = SPACES[key]
    share = np.linspace(0.01, 0.99, 9)
    x, y = space.at_rates(share, share, 0.2)
    level = {"k": 0, "k-fp": 0, "pc-k": 0, "pr": 0.2, "lift": 1}
    if key in level:
        np.testing.assert_allclose(y, level[key], atol=1e-15)
    if key in {"roc", "gain"}:
        np.testing.assert_allclose(x, y)
    grows = spaces.WALKS[space.walk](Cells.of(tables(share, share, 0.2)))
    assert (np.diff(grows) > 0).all()


def test_cost_and_net_benefit_are_the_best_of_all_thresholds():
    curve = np.cumsum(np.r_[np.zeros((1, 2)), RNG.integers(0, 9, (12, 2))], 0)
    tp, fp = curve.T
    stack = Cells(tp, tp[-1] - tp, fp, fp[-1] - fp).stack
    at = np.linspace(0, 0.9, 7)
    x, cost = SPACES["cost"].of(stack, at)
    tpr, fpr = tp / tp[-1], fp / fp[-1]
    assert x is at
    for a, found in zip(at, cost, strict=True):
        assert found == pytest.approx(min(a * (1 - tpr) + (1 - a) * fpr))
    found = SPACES["net-benefit"].of(stack, at)[1]
    n = tp[-1] + fp[-1]
    for a, value in zip(at, found, strict=True):
        assert value == pytest.approx(max(tp / n - fp / n * a / (1 - a)))
        weight = a / (1 - a)  # one of the catalogue
        assert value == pytest.approx(np.max(cm.net_benefit(stack, weight=weight)[:, 0]))


def test_net_benefit_of_scores_taken_at_their_word():
    """Vickers and Elkin (2006): each case is judged by its own probability."""
    y = RNG.random(400) < 0.3
    score = np.clip(0.3 + 0.2 * y + RNG.normal(size=400) / 6, 0.001, 0.999)
    c = cm.curve(y, score)
    at = np.array([0.05, 0.2, 0.45, 0.8])
    for t, found in zip(at, decision_curve(c, at), strict=True):
        called = score >= t
        wanted = (called & y).mean() - (called & ~y).mean() * t / (1 - t)
        assert found == pytest.approx(wanted)
        assert found <= SPACES["net-benefit"].of(c.stack, np.array([t]))[1][0] + 1e-12


def test_reading_a_curve_between_thresholds():
    """Chords everywhere, and the best table where several have the same rate."""
    tp, fp = np.array([0, 4, 4, 8, 10, 10.0]), np.array([0, 0, 5, 5, 10, 20.0])
    stack = Cells(tp, 10 - tp, fp, 20 - fp).stack
    c = Cells.of(along(stack, "fpr", [0, 0.125, 0.25, 0.375, 1]))
    assert c.tp.tolist() == [4, 4, 8, 9, 10]
    assert (c.positives == 10).all()
    assert (c.negatives == 20).all()
    assert Cells.of(along(stack, "tpr", [0.4, 0.6, 1.0])).fp.tolist() == [0, 5, 10]
    at = np.linspace(0, 1, 11)
    np.testing.assert_allclose(Cells.of(along(stack, "predicted", at)).predicted, at)
    np.testing.assert_allclose(along(stack[::-1], "fpr", at), along(stack, "fpr", at))


@pytest.mark.parametrize("prevalence", [0.01, 0.2, 0.5, 0.9])
@pytest.mark.parametrize("key", [*STRAIGHT, "mcc", "f_score(beta=2)", "f_score(beta=0.5)"])
def test_lines_in_closed_form_hold_the_value(key, prevalence):
    m = cm.get(key)
    seen = 0
    fpr = np.linspace(0.001, 0.999, 41)  # many are 0/0 in the corners
    for value in [-0.3, 0.05, 0.3, 0.6, 0.95]:
        for tpr in isoline(key, value, prevalence, fpr):
            here = np.isfinite(tpr)
            found = m(tables(fpr[here], tpr[here], prevalence))
            found = found[..., 0] if np.ndim(found) > 1 else found
            keep = np.isfinite(found)
            np.testing.assert_allclose(found[keep], value, rtol=1e-9, atol=1e-9)
            seen += keep.sum()
    assert seen or key == "expected_cohen"


def test_lines_of_kappa_fan_with_the_skew_and_are_parallel_without_one():
    rest, slope = straight("kappa", [0, 0.2, 0.6], 0.5).T
    np.testing.assert_allclose(rest, [0, 0.2, 0.6])
    np.testing.assert_allclose(slope, 1)
    slope = straight("kappa", [0, 0.2, 0.6], 0.1)[:, 1]
    assert slope[0] == 1
    assert (np.diff(slope) > 0).all()


@pytest.mark.parametrize(
    "key", ["odds_ratio", "yule_q", "tetrachoric", "markedness", "scott_pi", "gwet_ac1", "lift"]
)
def test_lines_found_by_looking_hold_the_value(key):
    m = cm.get(key)
    value = {"odds_ratio": 6.0, "lift": 2.0}.get(key, 0.4)
    fpr = np.linspace(0.02, 0.9, 23)
    seen = 0
    for tpr in isoline(key, value, 0.3, fpr):
        here = np.isfinite(tpr)
        found = m(tables(fpr[here], tpr[here], 0.3))
        found = found[..., 0] if np.ndim(found) > 1 else found
        np.testing.assert_allclose(found, value, rtol=1e-6)
        seen += here.sum()
    assert seen > 5


FLAT = {"population", "imbalanced", "cases_per_class", "true_negatives", "false_positives"}
FLAT |= {"condition_negative", "specificity", "fall_out", "expected_prevalence", "entropy_truth"}
FLAT |= {"expected_uniform", "chi_squared_df"}  # TPR does not move them


@pytest.mark.parametrize("m", list(cm.every())[::7], ids=lambda m: m.key)
def test_every_measure_has_its_lines(m):
    def value_at(tpr):
        return float(np.ravel(m(tables(0.2, tpr, 0.3)))[0])

    wanted = value_at(0.7)
    if not np.isfinite(wanted) or m.key in FLAT:
        return
    found = isoline(m, wanted, 0.3, fpr=[0.2])[:, 0]
    found = found[np.isfinite(found)]
    assert len(found)
    assert min(abs(value_at(t) - wanted) for t in found) < 1e-6 * max(1, abs(wanted))


def test_looking_and_solving_find_the_same_line():
    fpr = np.linspace(0.01, 0.6, 20)
    solved = isoline("kappa", 0.35, 0.2, fpr)
    np.testing.assert_allclose(solved, isoline("heidke_skill_score", 0.35, 0.2, fpr))
    searched = isoline("weighted_kappa", 0.35, 0.2, fpr)  # with two classes the same measure
    np.testing.assert_allclose(solved, searched, atol=1e-9)


def test_measures_of_association_have_a_line_on_either_side():
    above, below = isoline("cramer_v", 0.3, 0.4, [0.3, 0.5])
    assert (above > [0.3, 0.5]).all()
    assert (below < [0.3, 0.5]).all()


def test_lines_of_equal_cost():
    p, miss, alarm = 0.2, 5.0, 2.0
    for cost in (0.1, 0.4):
        rest, slope = equal_cost(cost, p, miss, alarm)
        fpr = np.array([0.0, 0.3])
        tpr = rest + slope * fpr
        found = p * miss * (1 - tpr) + (1 - p) * alarm * fpr
        np.testing.assert_allclose(found, cost)


def test_what_is_asked_wrongly():
    with pytest.raises(InputError, match=r"CM650.*\n.*did you mean roc"):
        space_of("rocc")
    with pytest.raises(InputError, match="CM651"):
        isoline("kappa", 0.5, 0)

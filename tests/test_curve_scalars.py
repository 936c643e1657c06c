"""Scalars of curves against what others say, 50 digits and definitions; their standard errors."""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import calibration as sk_calibration
from sklearn import metrics

import chancemeter as cm
from chancemeter.curves import areas, costs, probabilities
from chancemeter.curves.again import drawn_values
from chancemeter.curves.areas import perfect_auk
from chancemeter.curves.curve import scalars
from chancemeter.curves.influence import influence
from chancemeter.curves.make import _places
from chancemeter.curves.sure import error_of

GOLDEN = Path(__file__).parent / "golden"
CASES = range(5)


@cache
def case(i: int) -> dict[str, np.ndarray]:
    with (GOLDEN / "curve_cases.csv").open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if int(row["case"]) == i]
    return {name: np.array([float(row[name]) for row in rows]) for name in rows[0]}


@cache
def golden(who: str, i: int) -> dict:
    return json.loads((GOLDEN / f"curve_{who}.json").read_text("utf-8"))[i]


def near(x: float) -> object:
    return pytest.approx(x, rel=1e-12, abs=1e-12)


def cases(seed: int, n: int = 150, levels: int = 12, prevalence: float = 0.3):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < prevalence
    y[:2] = True, False
    s = np.round(1 / (1 + np.exp(-rng.normal(size=n) - y)) * levels) / levels
    return y, np.clip(s, 0.02, 0.98)


@pytest.mark.parametrize("i", CASES)
def test_areas_and_errors_of_proc(i):
    data, r = case(i), golden("r", i)
    c, b = (cm.curve(data["y"], data[x]) for x in "ab")
    assert c.auc == near(r["auc"])
    assert b.auc == near(r["auc_b"])
    assert error_of(c, "auc") ** 2 == near(r["variance"])
    ours = cm.interval("auc", c, method="delong")
    assert [ours.low, min(ours.high, 1)] == near(r["ci"])
    assert areas.partial_auc(c, high=0.2) == near(r["partial_fpr"])
    assert areas.partial_auc(c, high=0.2, standard=True) == near(r["partial_fpr_standard"])
    assert areas.partial_auc(c, 0.1, 0.4) == near(r["partial_mid"])
    assert areas.partial_auc(c, 0.7, 1.0, "tpr") == near(r["partial_tpr"])
    standard = areas.partial_auc(c, 0.7, 1.0, "tpr", standard=True)
    assert standard == near(r["partial_tpr_standard"])
    assert areas.tpr_at(c, 0.1) == near(r["tpr_at_01"])


@pytest.mark.parametrize("i", CASES)
def test_best_points_of_proc(i):
    """Youden's index and the distance to the corner: of several equal points any may be named."""
    data, r = case(i), golden("r", i)
    c = cm.curve(data["y"], data["a"])
    for measure, (tpr, fpr), of in (
        ("informedness", r["youden"], lambda t, f: t - f),
        ("distance_index", r["topleft"], lambda t, f: np.hypot(1 - t, f)),
    ):
        found = cm.best_threshold(c, measure, draws=0)
        assert found.value == near(of(tpr, fpr))


@pytest.mark.parametrize("i", CASES)
def test_tests_of_proc(i):
    data, r = case(i), golden("r", i)
    found = cm.compare_curves(data["y"], {"a": data["a"], "b": data["b"]})
    wanted = [[r["variance"], r["covariance"]], [r["covariance"], r["variance_b"]]]
    assert found.covariance == near(np.array(wanted))
    pair = found.pair("a", "b")
    assert pair.p == near(r["paired_p"])
    assert found.p == near(r["paired_p"])
    assert found.pair("b", "a").value == -pair.value
    odd = np.arange(len(data["y"])) % 2 == 0
    apart = {
        "a": cm.curve(data["y"][odd], data["a"][odd]),
        "b": cm.curve(data["y"][~odd], data["b"][~odd]),
    }
    # pROC refers this one to Student's t with the degrees of freedom of Welch, we to the normal
    assert cm.compare_curves(apart).pairs[0].p == pytest.approx(r["apart_p"], abs=0.01)


@pytest.mark.parametrize("i", CASES)
def test_h_measure_and_gains_of_others(i):
    data, peers = case(i), golden("peers", i)
    c = cm.curve(data["y"], data["a"])
    assert c.h == near(peers["h"])
    assert costs.h(c, 0.2) == near(peers["h_02"])
    assert costs.h(c, 3.0) == near(peers["h_3"])
    # confidenceinterval keeps seven digits; pROC, above, keeps them all
    assert error_of(c, "auc") ** 2 == pytest.approx(peers["delong_variance"], rel=1e-6)
    points = list(zip(peers["recall_gain"], peers["precision_gain"], strict=True))
    held = sorted({p for p in points if None not in p and min(p) > 0})  # it clips at 0
    odds = c.prevalence / (1 - c.prevalence)
    with np.errstate(divide="ignore", invalid="ignore"):
        ours = list(zip(1 - odds * c.fn / c.tp, 1 - odds * c.fp / c.tp, strict=True))
    assert held
    for point in held:
        assert np.abs(np.array(ours[1:]) - point).max(1).min() < 1e-12


@pytest.mark.parametrize("i", CASES)
def test_gain_area_along_straight_lines(i):
    data = case(i)
    c = cm.curve(data["y"], data["a"])
    p = c.prevalence
    tp = np.linspace(p * c.positives, c.positives, 400_001)
    fp = np.interp(tp, c.tp + 1e-12 * np.arange(len(c)), c.fp)
    recall, precision = 1 - p / (1 - p) * (c.positives - tp) / tp, 1 - p / (1 - p) * fp / tp
    assert c.auprg == pytest.approx(np.trapezoid(precision, recall), abs=1e-4)


@pytest.mark.parametrize("seed", range(4))
def test_scikit_learn_says_the_same(seed):
    y, s = cases(seed)
    for w in (None, np.random.default_rng(seed).random(len(y))):
        c = cm.curve(y, s, weights=w)
        kw = {"sample_weight": w}
        assert c.auc == near(metrics.roc_auc_score(y, s, **kw))
        assert c.average_precision == near(metrics.average_precision_score(y, s, **kw))
        assert c.brier == near(metrics.brier_score_loss(y, s, **kw))
        assert c.log_loss == near(metrics.log_loss(y, s, **kw))
        assert c.brier_skill == near(metrics.d2_brier_score(y, s, **kw))
        assert c.log_loss_skill == near(metrics.d2_log_loss_score(y, s, **kw))
        fpr, fnr, thresholds = metrics.det_curve(y, s, **kw)
        places = [c.place_of(t) for t in thresholds]
        assert c.fpr[places] == near(fpr)
        assert 1 - c.tpr[places] == near(fnr)
    c = cm.curve(y, s)
    assert areas.partial_auc(c, high=0.3, standard=True) == near(
        metrics.roc_auc_score(y, s, max_fpr=0.3)
    )
    for by, strategy in (("width", "uniform"),):
        happened, said = sk_calibration.calibration_curve(y, s, n_bins=7, strategy=strategy)
        found = probabilities.calibration(c, 7, by=by)
        assert found.happened == near(happened)
        assert found.said == near(said)


@pytest.mark.parametrize("seed", range(3))
def test_kappa_at_thresholds_of_scikit_learn(seed):
    y, s = cases(seed, 80)
    kappas, thresholds = metrics.metric_at_thresholds(y, s, metrics.cohen_kappa_score)
    c = cm.curve(y, s)
    ours = c["kappa"][[c.place_of(t) for t in thresholds]]
    assert np.nan_to_num(ours) == near(np.nan_to_num(kappas))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("prevalence", [0.02, 0.3, 0.5, 0.9])
def test_auk_against_integration_at_50_digits(seed, prevalence):
    """Kappa along the straight lines between the points, by Gauss–Legendre."""
    y, s = cases(seed, 60, 6, prevalence)
    c = cm.curve(y, s)
    with mpmath.workdps(50):
        p = mpmath.mpf(c.positives) / c.total
        n = mpmath.mpf(c.negatives)
        total = mpmath.mpf(0)
        for i in range(len(c) - 1):
            x0, x1 = c.fp[i] / n, c.fp[i + 1] / n
            t0, t1 = (mpmath.mpf(int(t)) / c.positives for t in c.tp[i : i + 2])
            if x0 == x1:
                continue

            def kappa(x, x0=x0, x1=x1, t0=t0, t1=t1):
                t = t0 + (t1 - t0) * (x - x0) / (x1 - x0)
                b = p * t + (1 - p) * x
                return 2 * p * (1 - p) * (t - x) / (p + b * (1 - 2 * p))

            total += mpmath.quad(kappa, [x0, x1])
        assert abs(c.auk - float(total)) < 1e-13
        assert abs(c.kappa_fp_area - float(total * (1 - p))) < 1e-13


def test_auk_of_the_second_source():
    shares = (0.01, 0.05, 0.10, 0.30, 0.50, 0.90)
    printed = (0.061, 0.173, 0.253, 0.416, 0.500, 0.597)
    assert [round(perfect_auk(p), 3) for p in shares] == list(printed)
    for p in shares:
        y = np.arange(100) < 100 * p
        assert cm.curve(y, y * 1.0).auk == near(perfect_auk(np.mean(y)))


@pytest.mark.parametrize("seed", range(5))
def test_auk_is_auc_less_a_half_at_equal_classes(seed):
    y = np.arange(80) < 40
    s = np.random.default_rng(seed).integers(0, 9, 80)
    c = cm.curve(y, s)
    assert c.auk == near(c.auc - 0.5)
    other = cm.curve(y, s, weights=np.where(y, 3.0, 1.0))
    assert abs(other.auk - (other.auc - 0.5)) > 1e-6  # and only there


@pytest.mark.parametrize("seed", range(6))
def test_what_leaves_scalars_alone(seed):
    y, s = cases(seed)
    c = cm.curve(y, s)
    moved = cm.curve(y, np.exp(5 * s) - 3)
    turned, flipped = cm.curve(y, -s), c.swapped()
    ranks = [x for x in scalars() if not x.startswith(("brier", "log_loss", "ece"))]
    for name in ranks:
        assert getattr(moved, name) == getattr(c, name), name
    assert turned.auc == near(1 - c.auc)
    assert flipped.auc == c.auc
    assert c.auch >= max(c.auc, 0.5)
    assert c.hull.auch == near(c.auch)
    assert set(c.hull.thresholds) <= set(c.thresholds)
    # a point in the middle of a line changes nothing that goes along lines
    between = np.zeros(len(c) * 2 - 1)
    tp, fp = between.copy(), between.copy()
    for whole, part in ((tp, c.tp), (fp, c.fp)):
        whole[::2], whole[1::2] = part, (part[1:] + part[:-1]) / 2
    finer = cm.Curve(np.arange(len(between), 0.0, -1), tp, fp)
    for name in ("auc", "auk", "auch", "h", "eer", "ks", "pr_area", "auprg", "kappa_fp_area"):
        assert getattr(finer, name) == near(getattr(c, name)), name
    # rarer positives leave rates alone, and not kappa
    rarer = cm.curve(y, s, weights=np.where(y, 1, 5))
    for name in ("auc", "auch", "ks", "eer", "partial_auc", "log_auc"):
        assert getattr(rarer, name) == near(getattr(c, name)), name
    assert rarer.auk != pytest.approx(c.auk, abs=1e-3)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("n", [5, 40, 3000, 20_000])
def test_hull_is_the_hull(seed, n):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    y[:2] = True, False
    c = cm.curve(y, rng.normal(size=n) + y)
    hull = c.hull
    angles = np.arctan2(np.diff(hull.tp), np.diff(hull.fp))
    assert (np.diff(angles) < 0).all()
    at = np.clip(np.searchsorted(-hull.thresholds, -c.thresholds, "right") - 1, 0, len(hull) - 2)
    run, rise = np.diff(hull.fp)[at], np.diff(hull.tp)[at]
    assert ((c.tp - hull.tp[at]) * run <= (c.fp - hull.fp[at]) * rise).all()


@pytest.mark.parametrize(
    "name",
    "auc gini auk auk_share auk_max kappa_fp_area pr_area average_precision auch h brier "
    "brier_skill log_loss log_loss_skill".split(),
)
def test_influence_is_the_derivative_by_weights(name):
    y, s = cases(1, 40)
    w = np.random.default_rng(0).random(40) + 0.5  # so that no three corners are on one line
    c = cm.curve(y, s, weights=w)
    found = influence(c, name).of_cases(_places(c, s), y)
    formula, step = scalars()[name], 1e-5
    for i in range(0, 40, 3):
        up, down = w.copy(), w.copy()
        up[i] += step
        down[i] -= step
        slope = formula(cm.curve(y, s, weights=up)) - formula(cm.curve(y, s, weights=down))
        assert found[i] == pytest.approx(slope / (2 * step), abs=1e-8)
    assert abs(found @ w) < 1e-10


@pytest.mark.parametrize("name", ["auc", "auk", "average_precision", "h"])
def test_standard_errors_are_those_of_drawing_again(name):
    y, s = cases(2, 600, 40)
    c = cm.curve(y, s)
    drawn = drawn_values(c, scalars()[name], 800, seed=1)
    assert np.sqrt(influence(c, name).variance(c)) == pytest.approx(drawn.std(), rel=0.12)


def test_intervals_of_scalars():
    y, s = cases(3)
    c = cm.curve(y, s)
    for name in scalars():
        found = cm.interval(name, c)
        assert found.low <= found.high
        assert found.value == getattr(c, name)
    wide = cm.interval("auc", c, level=0.99)
    assert wide.low < cm.interval("auc", c).low < c.auc < cm.interval("auc", c).high < wide.high
    again = [cm.interval("ks", c, draws=50, seed=4) for _ in range(2)]
    assert again[0].limits == again[1].limits
    perfect = cm.curve([0] * 20 + [1] * 20, range(40))
    assert cm.interval("auc", perfect).low < 0.95
    assert "sees no variation" in cm.interval("auc", perfect, method="delong").notes[0]
    for way in ("delong", "logit"):
        assert "[no interval]" in repr(cm.interval("auc", perfect, method=way))
    one = cm.curve([0, 0, 1], [1, 2, 3])
    assert "limits from so few are a guess" in cm.interval("auc", one).notes[-1]
    for bad, code in (("auck", "CM608"), ("partial_auc(hi=1)", "CM608"), ("auc(", "CM303")):
        with pytest.raises(cm.UnknownNameError) as caught:
            cm.interval(bad, c)
        assert caught.value.faults[0].code == code


@given(st.integers(0, 10**6))
def test_small_and_strange_samples_have_values_or_reasons(seed):
    """Ties, constants, perfect and upside-down scores, cases of weight 0, one case of a class."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    y = rng.random(n) < rng.choice([0.1, 0.5, 0.9])
    y[:2] = True, False
    s = rng.choice([rng.random(n), np.full(n, 0.5), y * 1.0, 1.0 - y, rng.integers(0, 3, n) / 2])
    w = [None, rng.integers(0, 3, n), rng.random(n)][seed % 3]
    try:
        c = cm.curve(y, s, weights=w, groups=rng.integers(0, 3, n) if seed % 2 else None)
    except cm.InputError as error:
        assert error.faults[0].code == "CM600"  # all cases of a class have weight 0
        return
    for name in scalars():
        found = cm.interval(name, c, draws=10)
        assert found.value == getattr(c, name)
        assert np.isfinite(found.value) or name.startswith("log_loss")
        assert np.isnan(found.low) == np.isnan(found.high)
        assert np.isnan(found.low) or found.low <= found.high
    assert len(repr(cm.best_threshold(c, draws=5, used=0.5))) > 0


def test_groups_widen_what_they_share():
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(40), 10)
    y = np.repeat(rng.random(40) < 0.5, 10)
    s = np.repeat(rng.normal(size=40), 10) + y + 0.1 * rng.normal(size=400)
    alone, together = cm.curve(y, s), cm.curve(y, s, groups=who)
    a, b = cm.interval("auc", alone), cm.interval("auc", together)
    assert b.method == "cluster|groups:40"
    assert b.high - b.low > 2 * (a.high - a.low)
    pair = cm.compare_curves(y, {"a": s, "b": s + rng.normal(size=400)}, groups=who).pairs[0]
    free = cm.compare_curves(y, {"a": s, "b": s + rng.normal(size=400)}).pairs[0]
    assert pair.high - pair.low > free.high - free.low


def test_equal_curves_differ_by_nothing():
    y, s = cases(4)
    found = cm.compare_curves(y, {"a": s, "b": 2 * s + 1, "c": s}, measure="auk")
    assert [pair.p for pair in found.pairs] == [1.0] * 3
    assert found.p == 1.0
    for measure in ("auch", "h", "tpr_at(fpr=0.2)", "ks"):
        pair = cm.compare_curves(y, {"a": s, "b": s}, measure=measure, draws=50).pairs[0]
        assert (pair.value, pair.p) == (0.0, 1.0)


def test_columns_of_sources_are_compared(tmp_path):
    import pandas as pd

    y, s = cases(5)
    t = np.round(s + np.random.default_rng(0).normal(size=len(s)), 1)
    who = np.arange(len(y)) % 20
    frame = pd.DataFrame({"truth": np.where(y, "x", "o"), "a": s, "b": t, "who": who})
    frame.to_csv(tmp_path / "s.csv", index=False)
    frame.to_parquet(tmp_path / "s.parquet")
    for groups in (None, "who"):
        codes = None if groups is None else who
        whole = cm.compare_curves(y, {"a": s, "b": t}, groups=codes).pairs[0]
        for source in (frame, tmp_path / "s.csv", str(tmp_path / "s.parquet")):
            found = cm.compare_curves(source, ["a", "b"], positive="x", groups=groups).pairs[0]
            assert (found.value, found.p) == (near(whole.value), near(whole.p))
    for names, code in ((["a", "c"], "CM101"), (["a"], "CM511"), (["a", "truth"], "CM006")):
        for source in (frame, tmp_path / "s.csv"):
            with pytest.raises(cm.InputError) as caught:
                cm.compare_curves(source, names, positive="x")
            assert caught.value.faults[0].code == code


def test_many_curves_at_once():
    rng = np.random.default_rng(5)
    y = rng.random(500) < 0.4
    base = rng.normal(size=500)
    scores = {f"m{d}": base + rng.normal(size=500) + d * y for d in (0.5, 0.5001, 2.0)}
    found = cm.compare_curves(y, scores)
    assert found.p < 1e-6
    assert found.pair("m0.5", "m2.0").better == "m2.0"
    assert found.pair("m0.5", "m0.5001").better == ""
    assert (np.array([p.adjusted_p for p in found.pairs]) >= [p.p for p in found.pairs]).all()
    assert found.to_dict()["pairs"][0]["interval"][0] is not None


def test_parts_of_scores_of_probabilities():
    y, s = cases(6)
    c = cm.curve(y, s)
    for parts, score, skill in (
        (probabilities.brier_parts(c), c.brier, c.brier_skill),
        (probabilities.log_loss_parts(c), c.log_loss, c.log_loss_skill),
    ):
        assert parts.score == near(score)
        assert parts.skill == near(skill)
        assert parts.resolution >= 0 <= parts.reliability
    base = cm.curve(y, np.full(len(y), y.mean()))
    assert base.brier_skill == near(0)
    assert base.log_loss_skill == near(0)
    assert cm.curve([0, 1], [0.0, 1.0]).log_loss == 0
    assert cm.curve([0, 1], [1.0, 0.0]).log_loss == np.inf
    with pytest.raises(cm.InputError, match="no probabilities"):
        _ = cm.curve(y, 5 * s).brier
    quiet = probabilities.calibration(c, 5, by="count")
    assert np.ptp(quiet.cases) < 60
    assert quiet.to_dict()["ece"] == quiet.ece
    with pytest.raises(cm.InputError, match="CM608"):
        probabilities.calibration(c, 0)

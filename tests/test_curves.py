"""Curves: counts at every threshold, and what leaves them unchanged."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

import chancemeter as cm
from chancemeter.curves.areas import tpr_at
from chancemeter.curves.curve import Curve
from chancemeter.curves.several import dominance, hull_of, mix


def cases(seed: int, n: int = 200, levels: int = 12, prevalence: float = 0.4):
    """Truth and scores with many ties, both classes there."""
    rng = np.random.default_rng(seed)
    y = rng.random(n) < prevalence
    y[:2] = True, False
    s = np.round((rng.normal(size=n) + y) * levels / 4) / levels
    return y, s


def same(a: Curve, b: Curve) -> bool:
    return all(np.array_equal(getattr(a, x), getattr(b, x)) for x in ("thresholds", "tp", "fp"))


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("kind", ["float", "float32", "integer", "huge", "tiny", "mixed"])
def test_roc_curve_of_scikit_learn(seed, kind):
    y, s = cases(seed)
    s = {
        "float": s,
        "float32": s.astype(np.float32),
        "integer": np.round(s * 12).astype(np.int64),
        "huge": s * 1e300,
        "tiny": s * 1e-310,
        "mixed": np.where(s > 0, s * 1e200, s * 1e-310),
    }[kind]
    c = cm.curve(y, s)
    fpr, tpr, thresholds = metrics.roc_curve(y, s, drop_intermediate=False)
    assert np.array_equal(c.fpr, fpr)
    assert np.array_equal(c.tpr, tpr)
    assert np.array_equal(c.thresholds, thresholds)
    assert c.auc == pytest.approx(metrics.roc_auc_score(y, s), abs=1e-14)


@pytest.mark.parametrize("seed", range(5))
def test_weights_count_cases_more_than_once(seed):
    y, s = cases(seed)
    w = np.random.default_rng(seed).integers(0, 4, len(y))
    weighted = cm.curve(y, s, weights=w)
    assert weighted.tp.dtype == np.int64
    assert same(weighted, cm.curve(np.repeat(y, w), np.repeat(s, w)))
    real = w * 0.3
    c = cm.curve(y, s, weights=real)
    assert c.auc == pytest.approx(metrics.roc_auc_score(y, s, sample_weight=real), abs=1e-13)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_chunks_add_up_to_the_whole(seed, parts):
    y, s = cases(seed, 60)
    order = np.argsort(y, kind="stable")  # both classes in every part
    y, s = y[order], s[order]
    pieces = [cm.curve(y[i::parts], s[i::parts]) for i in range(parts)]
    assert same(sum(pieces), cm.curve(y, s))


def test_groups_of_cases_that_count():
    c = cm.curve([1, 0, 1, 0], [4, 3, 2, 1], weights=[1, 1, 1, 0], groups=list("abab"))
    assert c.groups.place.tolist() == [1, 2, 3]
    assert c.groups.codes.tolist() == [0, 1, 0]
    assert cm.interval("auk", c).method == "cluster|groups:2"


def test_direction_and_classes_turn_round():
    y, s = cases(3)
    c = cm.curve(y, s)
    low = cm.curve(y, s, direction="<=")
    assert low.thresholds[0] == -np.inf
    assert same(low, cm.curve(y, s).reversed())
    assert low.auc == pytest.approx(1 - c.auc, abs=1e-15)
    assert same(cm.curve(y, -s, direction="<="), Curve(-c.thresholds, c.tp, c.fp))
    small = np.array([-128, 127, 0, 5], np.int8)
    assert cm.curve([1, 0, 0, 1], small, direction="<=").thresholds.tolist() == [
        -np.inf,
        -128,
        0,
        5,
        127,
    ]
    unsigned = np.array([3, 255, 0, 5], np.uint8)
    assert cm.curve([1, 0, 0, 1], unsigned, direction="<=").thresholds.tolist() == [
        -np.inf,
        0,
        3,
        5,
        255,
    ]
    other = cm.curve(y, s, positive=False, direction="<=")
    assert same(c.swapped(), other)
    assert other.auc == c.auc


@pytest.mark.parametrize(
    "name", ["kappa", "mcc", "recall", "precision", "recall@macro", "f_score", "kappa@each"]
)
def test_any_measure_along_the_curve(name):
    y, s = cases(1, 40)
    values = cm.curve(y, s)[name]
    m = cm.get(name)
    for t, value in zip(cm.curve(y, s).thresholds, values, strict=True):
        found = m(cm.tally(y, s >= t, labels=[True, False]))
        found = found[0] if np.ndim(found) else found
        assert value == pytest.approx(found, abs=1e-14, nan_ok=True)


def test_sources_say_the_same(tmp_path):
    import pandas as pd

    y, s = cases(5)
    frame = pd.DataFrame({"y_true": np.where(y, "yes", "no"), "p": s, "w": 2, "who": y + 1})
    frame.to_csv(tmp_path / "scores.csv", index=False)
    frame.to_parquet(tmp_path / "scores.parquet")
    whole = cm.curve(y, s, weights=np.full(len(y), 2))
    sources = [frame, dict(frame), tmp_path / "scores.csv", str(tmp_path / "scores.parquet")]
    for source in sources:
        c = cm.curve(source, "p", true="y_true", weights="w", groups="who", positive="yes")
        assert same(c, whole)
        assert c.labels == ("yes", "no")
        assert set(c.groups.codes) == {0, 1}
    reading = cm.read(frame.assign(y_pred="no"), score="p")
    assert same(cm.curve(reading.scores["p"], positive="yes"), cm.curve(y, s))


def code_of(*args, **kwargs) -> str:
    with pytest.raises(cm.InputError) as caught:
        cm.curve(*args, **kwargs)
    return caught.value.faults[0].code


def test_bad_input_is_told():
    assert code_of([1, 1], [0.1, 0.2]) == "CM600"
    assert code_of(["a", "a"], [0.1, 0.2], positive="a") == "CM600"
    assert code_of(["a", "b"], [0.1, 0.2], positive="c") == "CM601"
    assert code_of(["a", "b"], [0.1, 0.2]) == "CM602"
    assert code_of([0, 1, 2], [0.1, 0.2, 0.3]) == "CM602"
    assert code_of([0, 1], [0.1, np.nan]) == "CM006"
    assert code_of([0, 1], [0.1, np.inf]) == "CM006"
    assert code_of([0, 1], ["x", "y"]) == "CM006"
    assert code_of([0, 1], [[0.1, 0.9], [0.2, 0.8]]) == "CM006"
    assert code_of([0, 1], [[0.1, 0.9], [0.2]]) == "CM006"
    assert code_of([0, 1], "p") == "CM102"
    assert code_of([0, 1], [2**60, 2**60 + 1]) == "CM006"
    assert code_of([0, 1], [0.1]) == "CM006"
    assert code_of([0, None], [0.1, 0.2]) == "CM103"
    assert code_of([], []) == "CM002"
    assert code_of([0, 1], [0.1, 0.2], weights=[-1, 1]) == "CM106"
    assert code_of([0, 1], [0.1, 0.2], weights=[0, 1]) == "CM600"
    assert code_of([0, 1], [0.1, 0.2], direction="up") == "CM604"
    assert code_of({"y": [0, 1], "p": [0.1, 0.2]}, "q", true="y") == "CM101"


def test_what_a_reader_should_know_is_noted():
    assert "ranking only" in cm.curve([0, 1, 0, 1], [0, 3, 1, 2]).notes[0]
    assert "all scores are equal" in cm.curve([0, 1, 0, 1], [0.5] * 4).notes[0]
    assert "fewer than 2" in cm.curve([0, 1, 0], [0.5, 0.6, 0.1]).notes[0]
    y, s = cases(2)
    backwards = cm.curve(y, 1 / (1 + np.exp(3 * s)))
    assert "Nothing was turned round" in backwards.notes[0]
    assert cm.curve(y, 1 / (1 + np.exp(-3 * s))).notes == ()


@pytest.mark.parametrize("size", [1e-300, 1e-20, 10**15, 1e300])
def test_weights_of_any_size(size):
    c = cm.curve([0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4], weights=[size] * 4)
    assert (c.auc, c.auk, c.h, c.ks, c.eer) == (0.75, 0.25, 0.5, 0.5, 0.5)
    assert c["kappa"].tolist() == pytest.approx([0, 0.5, 0, 0.5, 0], abs=1e-15)


def test_engines_and_frames_of_all_kinds(tmp_path):
    import ibis
    import polars as pl
    import pyarrow as pa

    y, s = cases(6)
    frame = pl.DataFrame({"truth": np.where(y, "b", "a"), "score": s})
    whole = cm.curve(y, s)
    for source in (frame, frame.to_arrow(), pa.table(frame), ibis.memtable(frame)):
        c = cm.curve(source, positive="b")
        assert same(c, whole)
        assert "truth from column 'truth'" in c.notes[0]
    frame.write_csv(tmp_path / "s.csv")
    binned = cm.curve(tmp_path / "s.csv", positive="b", most=3)
    assert abs(binned.auc - whole.auc) <= binned.error
    assert "counted in bins" in binned.notes[1]


def test_thinning_says_what_it_costs():
    y, s = cases(4, 5000, 400)
    c = cm.curve(y, s)
    thin = cm.curve(y, s, thin=50)
    assert len(thin) <= 50
    assert 0 < abs(thin.auc - c.auc) <= thin.error < 0.05
    assert "off by" in thin.notes[0]
    assert c.thinned(10**6) is c


def test_hull_of_several_models():
    rng = np.random.default_rng(0)
    y = rng.random(400) < 0.3
    base = rng.normal(size=400)
    scores = {
        "early": np.where(base + y > 1.5, base + y, rng.normal(size=400) - 3),
        "late": base + 1.2 * y,
        "poor": rng.normal(size=400) + 0.1 * y,
    }
    curves = {name: cm.curve(y, s) for name, s in scores.items()}
    hull = hull_of(curves)
    for p in (0.01, 0.1, 0.5, 0.9):
        for cost in ((1, 1), (1, 9), (9, 1)):
            fp, fn = (1 - p) * cost[0], p * cost[1]
            least = min((fp * c.fpr + fn * (1 - c.tpr)).min() for c in curves.values())
            best = hull.best(p, cost)
            assert fp * best.fpr + fn * (1 - best.tpr) == pytest.approx(least, abs=1e-12)
            assert best.least - 1e-9 <= fp / fn <= best.most + 1e-9
            assert curves[best.model].place_of(best.threshold) >= 0
    assert hull.area >= max(c.auch for c in curves.values())
    assert hull_of({"a": curves["late"], "b": curves["late"]}).useless == ("b",)
    with pytest.raises(cm.InputError, match="CM511"):
        hull_of({"a": curves["late"]})


@pytest.mark.parametrize("seed", range(4))
def test_dominance_on_a_grid(seed):
    y, s = cases(seed, 60)
    t = cases(seed + 50, 60)[1] + 0.8 * y
    a, b = cm.curve(y, s), cm.curve(y, t)
    stretches = dominance({"a": a, "b": b})
    assert (stretches[0].low, stretches[-1].high) == (0, 1)
    for stretch in stretches:
        x = np.linspace(stretch.low, stretch.high, 9)[1:-1] + 1e-7 * (1 - stretch.low)
        gap = np.array([tpr_at(a, v) - tpr_at(b, v) for v in x if v < stretch.high])
        signs = {"a": gap > 0, "b": gap < 0, "": np.abs(gap) < 1e-6}
        assert signs[stretch.better].all()


def test_mixing_reaches_the_hull():
    y, s = cases(3)
    c = cm.curve(y, s)
    for fpr in np.linspace(0, 1, 23):
        m = mix(c, fpr)
        i, j = c.place_of(m.often), c.place_of(m.else_)
        got = m.share * c.fpr[i] + (1 - m.share) * c.fpr[j]
        assert got == pytest.approx(fpr, abs=1e-12)
        assert m.tpr >= tpr_at(c, fpr) - 1e-12

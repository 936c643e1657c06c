"""Scores for many classes: against scikit-learn, pROC, definitions and brute force."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from sklearn import metrics
from test_curve_scalars import CASES, case, golden, near

import chancemeter as cm
from chancemeter.curves import volume
from chancemeter.curves.many import AVERAGES


def cases(seed: int, n: int = 300, k: int = 4, digits: int = 2):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    y[:k] = range(k)
    s = rng.dirichlet(np.ones(k), n) + 0.4 * np.eye(k)[y]
    s /= s.sum(1, keepdims=True)
    return y, s if digits > 9 else rng.multinomial(10**digits, s) / 10**digits


@pytest.mark.parametrize("seed", range(3))
def test_averages_of_scikit_learn(seed):
    y, s = cases(seed)
    m = cm.many_curves(y, s)
    for average in ("macro", "weighted"):
        one = metrics.roc_auc_score(y, s, multi_class="ovo", average=average)
        rest = metrics.roc_auc_score(y, s, multi_class="ovr", average=average)
        assert m.one_vs_one(average) == near(one)
        assert m.one_vs_rest(average) == near(rest)
    micro = metrics.roc_auc_score(y, s, multi_class="ovr", average="micro")
    assert m.one_vs_rest("micro") == near(micro)
    w = np.random.default_rng(seed).integers(1, 5, len(y))
    weighted, repeated = (
        cm.many_curves(y, s, weights=w),
        cm.many_curves(np.repeat(y, w), np.repeat(s, w, axis=0)),
    )
    assert weighted.hand_till == near(repeated.hand_till)
    assert weighted.decide() == repeated.decide() or np.array_equal(
        weighted.decide().counts, repeated.decide().counts
    )
    for average in AVERAGES:
        assert weighted.one_vs_rest(average) == near(repeated.one_vs_rest(average))
    smooth = s + 1e-9 * np.random.default_rng(seed).random(s.shape)
    top = metrics.top_k_accuracy_score(y, smooth, k=2)
    assert cm.many_curves(y, smooth).top(2) == near(top)


@pytest.mark.parametrize("i", CASES)
def test_hand_and_till_of_proc(i):
    data = case(i)
    s = np.stack([data[f"p{j}"] for j in range(3)], 1)
    m = cm.many_curves(data["three"].astype(int), s, probabilities=False)
    assert m.hand_till == near(golden("r", i)["hand_till"])


def brute(y, s) -> float:
    """Every trio, every way to name it."""
    total, trios = 0.0, itertools.product(*(s[y == k] for k in range(3)))
    for n, trio in enumerate(trios, 1):
        sums = [
            round(sum(trio[i][way[i]] for i in range(3)), 9)
            for way in itertools.permutations(range(3))
        ]
        total += (sums[0] == max(sums)) / sums.count(max(sums))
    return total / n


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("digits", [1, 2, 12])
def test_volume_against_every_trio(seed, digits):
    y, s = cases(seed, 30, 3, digits)
    found = cm.many_curves(y, s).volume
    assert found.value == near(brute(y, s))
    assert found.low <= found.value <= found.high


def test_volume_at_its_ends():
    y = np.arange(30) % 3
    assert cm.many_curves(y, np.eye(3)[y]).vus == 1
    assert cm.many_curves(y, np.full((30, 3), 1 / 3)).vus == near(1 / 6)
    with pytest.raises(cm.InputError, match="CM606"):
        _ = cm.many_curves(*cases(1)).vus


@pytest.mark.parametrize("seed", range(3))
def test_volume_of_one_score(seed):
    rng = np.random.default_rng(seed)
    y, s = rng.integers(0, 3, 25), rng.integers(0, 8, 25)
    total = n = 0
    for a, b, c in itertools.product(*(s[y == k] for k in range(3))):
        n += 1
        if a <= b <= c:
            total += {1: 1 / 6, 2: 1 / 2, 3: 1}[len({a, b, c})]
    assert volume.in_order(y, s) == near(total / n)


def test_decisions_by_weighted_probabilities():
    y, s = cases(3, 400)
    m = cm.many_curves(y, s)
    assert np.array_equal(m.decide().counts, metrics.confusion_matrix(y, s.argmax(1)))
    w, best = m.best_weights("kappa")
    assert cm.kappa(m.decide(w)) == near(best)
    assert best >= cm.kappa(m.decide())
    # with two classes it is the peak of the curve
    two, t = cases(4, 200, 2, 12)
    best_of_two = cm.many_curves(two, t).best_weights("kappa")[1]
    assert best_of_two == near(cm.curve(two, t[:, 1])["kappa"].max())


def test_columns_by_name():
    import pandas as pd

    y, s = cases(0, 60, 3)
    names = np.array(["cat", "dog", "owl"])
    frame = pd.DataFrame(s, columns=names)[["owl", "cat", "dog"]]
    m = cm.many_curves(names[y], frame)
    assert m.labels == ("cat", "dog", "owl")
    assert m.hand_till == cm.many_curves(y, s).hand_till
    assert cm.many_curves(names[y], dict(frame)).hand_till == m.hand_till
    assert "as sorted" in cm.many_curves(y, s).notes[0]
    assert "dog against the rest" in repr(m)
    assert m.to_dict()["hand_till"] == m.hand_till


def code_of(*args, **kwargs) -> str:
    with pytest.raises(cm.ChancemeterError) as caught:
        cm.many_curves(*args, **kwargs)
    return caught.value.faults[0].code


def test_bad_input_is_told():
    y, s = cases(0, 60, 3)
    assert code_of(y, s * 2) == "CM605"
    assert code_of(y, np.stack([s[:, 0] - 1, s[:, 1] + 1, s[:, 2]], 1)) == "CM605"
    assert code_of(y, s[:, :2]) == "CM606"
    assert code_of(y, s[:, 0]) == "CM606"
    assert code_of(y, s, classes=[0, 1, 3]) == "CM606"
    assert code_of(y, {"0": s[:, 0], "1": s[:, 1], "x": s[:, 2]}) == "CM606"
    assert code_of(y, {0: s[:, 0], 1: s[:, 1], 2: s[:, 2], "id": y}) == "CM606"
    assert code_of(y, np.where(s == s.max(), np.nan, s)) == "CM006"
    assert code_of(y[:5], s) == "CM006"
    assert code_of([0, 0], [[1.0], [1.0]]) == "CM600"
    assert code_of([], []) == "CM002"
    assert code_of([None, 1, 0], s[:3]) == "CM103"
    m = cm.many_curves(y, s)
    for bad in ([1, 1], [1, 1, 0], [1, 1, np.inf]):
        with pytest.raises(cm.InputError, match="CM606"):
            m.decide(bad)
    with pytest.raises(cm.InputError, match="CM608"):
        m.top(4)
    with pytest.raises(cm.ChancemeterError, match="CM515"):
        m.one_vs_rest("mean")

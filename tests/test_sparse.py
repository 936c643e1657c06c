"""Tables of very many classes against the same tables with every cell."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chancemeter as cm
from chancemeter.cli import main
from chancemeter.counts import Margins
from chancemeter.sparse import SparseTable

BY_MARGINS = [m for m in cm.every() if m.card.needs == "margins" and m.card.closed_form]


def coded(seed, k=7, n=300):
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, k, n)
    return truth, np.where(rng.random(n) < 0.6, truth, rng.integers(0, k, n))


def both(seed, k=7):
    truth, predicted = coded(seed, k)
    sparse = SparseTable.from_codes(range(k), truth, predicted)
    cells = np.zeros((k, k), np.int64)
    np.add.at(cells, (truth, predicted), 1)
    return sparse, cells


@pytest.mark.parametrize("m", [pytest.param(m, id=m.key) for m in BY_MARGINS])
def test_measures_of_margins_take_it_as_it_is(m):
    sparse, cells = both(3)
    np.testing.assert_allclose(m(sparse), m(cells), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("name", ["recall@macro", "f_score@macro", "kappa@each", "recall@micro"])
def test_forms_take_it_too(name):
    sparse, cells = both(4)
    np.testing.assert_allclose(cm.get(name)(sparse), cm.get(name)(cells), rtol=1e-11)


def test_measures_of_cells_say_that_there_are_none():
    sparse, _ = both(5)
    with pytest.raises(cm.InputError, match="CM105"):
        cm.mutual_information(sparse)


def test_large_counts_do_not_wrap():
    sparse = SparseTable(("a", "b"), np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1]),
                         np.array([10**15, 3, 1, 10**15]))  # fmt: skip
    exact = cm.kappa.exact([[10**15, 3], [1, 10**15]])
    assert abs(cm.kappa(sparse) - float(exact)) < 2e-16
    assert cm.error_rate(sparse) == pytest.approx(2e-15, rel=1e-12)


@given(st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 10**6))
def test_addition_is_that_of_full_tables(one, two, three):
    a, b, c = (both(seed)[0] for seed in (one, two, three))
    assert (a + b).to_table() == a.to_table() + b.to_table()
    assert ((a + b) + c).to_table() == (a + (b + c)).to_table()
    assert (a + b).to_table() == (b + a).to_table()


def test_different_labels_are_matched():
    a = SparseTable(("a", "c"), np.array([0, 1]), np.array([0, 0]), np.array([2, 1]))
    b = SparseTable(("b", "c"), np.array([0]), np.array([1]), np.array([5]))
    assert (a + b).to_table() == a.to_table() + b.to_table()


def test_weights_are_added_up():
    truth, predicted = coded(8)
    weights = np.random.default_rng(1).random(len(truth))
    sparse = SparseTable.from_codes(range(7), truth, predicted, weights)
    assert sparse.total == pytest.approx(weights.sum(), rel=1e-12)
    assert cm.accuracy(sparse) == pytest.approx(np.average(truth == predicted, weights=weights))


def test_ten_thousand_classes_fit():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 10_000, 200_000)
    predicted = np.where(rng.random(200_000) < 0.8, truth, rng.integers(0, 10_000, 200_000))
    sparse = SparseTable.from_codes(range(10_000), truth, predicted)
    assert cm.accuracy(sparse) == pytest.approx(np.mean(truth == predicted))
    assert 0.79 < cm.kappa(sparse) < 0.81
    assert "10,000 classes" in repr(sparse)
    with pytest.raises(cm.InputError, match="CM105"):
        sparse.to_table()


def test_the_worst_confusions_first():
    sparse, cells = both(6)
    worst = sparse.confusions(3)
    off = cells - np.diag(np.diag(cells))
    assert [n for *_, n in worst] == sorted(off.ravel())[::-1][:3]
    assert all(cells[t, p] == n for t, p, n in worst)


def test_margins_of_a_stack():
    stack = np.array([both(s)[1] for s in range(5)])
    margins = Margins(np.diagonal(stack, axis1=1, axis2=2), stack.sum(2), stack.sum(1))
    np.testing.assert_allclose(cm.kappa(margins), cm.kappa(stack), rtol=1e-12)


def test_very_many_classes_are_scored(tmp_path, capsys):
    rng = np.random.default_rng(0)
    truth = np.repeat(np.arange(2_100), 5)
    guess = np.where(rng.random(len(truth)) < 0.7, truth, rng.permutation(truth))
    t = cm.read({"y_true": truth, "y_pred": guess}).table
    assert isinstance(t, SparseTable)
    scores = cm.score(t, interval="default")
    full = cm.score(t.to_table(most=2_100), list(scores))
    for key in scores:
        assert scores[key] == pytest.approx(full[key], abs=1e-12, nan_ok=True)
    assert scores.scores["kappa"].interval.low < scores["kappa"] < 1
    assert scores.scores["balanced_accuracy"].interval is None  # which needs every cell
    cells = scores.to_dict()["cells"]
    assert sum(n for *_, n in cells) == len(truth)
    assert cm.luck(t).kappa == scores["kappa"]
    with pytest.raises(cm.InputError, match="2,100 classes would need 4,410,000 cells"):
        cm.table(t)
    path = tmp_path / "many.csv"
    lines = (f"{a},{b}\n" for a, b in zip(truth, guess, strict=True))
    path.write_text("y_true,y_pred\n" + "".join(lines))
    plain = ["score", str(path), "--tidy"]  # small files without further wishes are laid out
    assert main([*plain, "kappa", "--json"]) == 2
    assert "chancemeter score --max-classes 2100" in capsys.readouterr().err
    assert main([*plain, "kappa", "--json", "--max-classes", "2100"]) == 0
    shown = capsys.readouterr()
    assert "2,100 classes: intervals that need every cell" in shown.err
    (found,) = json.loads(shown.out)["models"].values()
    assert found["measures"]["kappa"]["value"] == pytest.approx(scores["kappa"], abs=1e-12)

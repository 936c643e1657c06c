"""Ready-made matrices of every kind, and what can be done with a table."""

import itertools
import json
import sys

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chancemeter as cm
from chancemeter.tables import PRED_NAMES, TRUE_NAMES

CELLS = [[50, 3, 2], [4, 40, 9], [1, 5, 20]]
ABC = cm.table(CELLS, labels="abc")


def fault(call, *args, **kwargs):
    """The only fault of a call that must fail; it says what was seen or how to fix it."""
    with pytest.raises(cm.ChancemeterError) as caught:
        call(*args, **kwargs)
    (found,) = caught.value.faults
    assert found.saw or found.fix
    return found


# Reading


NUMBERS = [np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64]
NUMBERS += [np.float16, np.float32, np.float64]


@pytest.mark.parametrize("kind", NUMBERS)
def test_arrays_of_any_number(kind):
    t = cm.table(np.array(CELLS, kind))
    assert t.counts.dtype == (np.float64 if kind(0.5) else np.int64)
    assert t.counts.tolist() == CELLS
    assert t.labels == (0, 1, 2)
    assert cm.kappa(t) == cm.kappa(CELLS)


def test_small_integers_do_not_wrap():
    t = cm.table(np.full((2, 2), 200, np.uint8))
    assert t.total == 800
    assert t.merge({"all": [0, 1]}).counts.tolist() == [[800]]


@pytest.mark.parametrize(
    "cells",
    [
        tuple(map(tuple, CELLS)),
        np.array(CELLS, order="F"),
        np.array(CELLS, object),
        [np.array(row) for row in CELLS],
        pd.DataFrame(CELLS),
    ],
)
def test_other_ways_to_write_it(cells):
    assert cm.table(cells).counts.tolist() == CELLS


def test_a_crosstab_keeps_its_labels():
    truth, predicted = list("aabbc"), list("abbba")
    t = cm.table(pd.crosstab(pd.Series(truth), pd.Series(predicted)))
    assert t == cm.tally(truth, predicted)
    assert t.labels == ("a", "b", "c")
    assert t.counts[:, 2].tolist() == [0, 0, 0]


@pytest.mark.parametrize(
    ("truth", "predicted"),
    [("aabb", "abcc"), ("abcd", "aaaa"), ("aaaa", "abcd"), ("cab", "bca"), ("aab", "ddd")],
)
def test_crosstabs_that_are_not_square(truth, predicted):
    frame = pd.crosstab(pd.Series(list(truth)), pd.Series(list(predicted)))
    t = cm.tally(list(truth), list(predicted), labels=sorted({*truth, *predicted}))
    assert cm.table(frame) == t
    assert cm.table(frame.T, rows="prediction") == t


def test_crosstabs_of_numbers_truth_values_and_categories():
    truth, predicted = pd.Series([0, 1, 1]), pd.Series([1, 1, 0])
    assert cm.table(pd.crosstab(truth, predicted)).labels == (0, 1)
    assert cm.table(pd.crosstab(truth > 0, predicted > 0)).labels == (False, True)
    as_category = [x.map({0: "no", 1: "yes"}).astype("category") for x in (truth, predicted)]
    assert cm.table(pd.crosstab(*as_category)).labels == ("no", "yes")


def test_a_crosstab_with_totals_is_refused():
    frame = pd.crosstab(pd.Series(list("aab")), pd.Series(list("abb")), margins=True)
    found = fault(cm.table, frame)
    assert found.code == "CM203"
    assert "totals" in found.what
    assert fault(cm.table, [[1, 1, 2], [0, 3, 3], [1, 4, 5]], ["a", "b", "Total"]).code == "CM203"
    assert cm.table([[1, 0], [0, 9]], ["one", "All"]).total == 10  # only a name


def test_a_crosstab_the_wrong_way_round_is_refused():
    frame = pd.crosstab(
        pd.Series(list("aab"), name="y_pred"), pd.Series(list("abb"), name="y_true")
    )
    assert fault(cm.table, frame).fix == "say rows='prediction', or --rows prediction"
    t = cm.table(frame, rows="prediction")
    assert cm.table(frame.T) == t
    assert fault(cm.table, frame.T, rows="prediction").code == "CM205"
    assert not set(TRUE_NAMES) & set(PRED_NAMES)


def test_a_frame_and_back():
    assert cm.table(ABC.to_frame()) == ABC
    assert cm.table(ABC.to_frame().T, rows="prediction") == ABC


def test_dicts_of_dicts():
    t = cm.table({"a": {"a": 3, "b": 1}, "b": {"b": 2, "c": 1}})
    assert t.labels == ("a", "b", "c")
    assert t.counts.tolist() == [[3, 1, 0], [0, 2, 1], [0, 0, 0]]
    swapped = cm.table({"a": {"a": 3}, "b": {"a": 1, "b": 2}, "c": {"b": 1}}, rows="prediction")
    assert swapped == t
    assert cm.table({"labels": {"counts": 1}, "counts": {"labels": 2}}).total == 3


def test_a_table_is_read_as_it_is():
    assert cm.table(ABC) == ABC
    assert cm.table(ABC, rows="prediction") == ABC.swap()
    assert cm.table(ABC, labels="xyz").labels == ("x", "y", "z")
    stack = cm.table([CELLS, CELLS], "abc", axes={"fold": [0, 1]})
    assert cm.table(stack) == stack


@pytest.mark.parametrize(
    "t",
    [
        ABC,
        cm.table(CELLS),
        cm.table([[0.5, 1], [2, 3]], [True, False]),
        cm.table([CELLS, CELLS], "abc", axes={"fold": ["one", "two"]}),
        cm.tally(["a", "b"], ["a", "a"], weights=[0.25, 2]),
    ],
    ids=["labels", "numbers", "truth values", "stack", "weights"],
)
def test_through_json(t):
    assert cm.table(json.loads(json.dumps(t.to_dict(), allow_nan=False))) == t


def test_labels_that_json_does_not_know_become_text():
    t = cm.table([[1, 2], [3, 4]], [pd.Timestamp(2020, 1, 1), (1, 2)])
    assert t.to_dict()["labels"] == ["2020-01-01 00:00:00", "(1, 2)"]


def test_rows_may_be_predictions():
    assert cm.table(CELLS, rows="prediction").counts.tolist() == np.transpose(CELLS).tolist()
    found = fault(cm.table, CELLS, rows="columns")
    assert (found.code, found.saw) == ("CM205", "'columns'")
    told = {**ABC.to_dict(), "rows": "prediction"}
    assert cm.table(told) == ABC.swap()


@pytest.mark.parametrize(
    ("cells", "code", "says"),
    [
        ([[1, 2, 3], [4, 5, 6]], "CM201", "square"),
        ([1, 2, 3], "CM201", "square"),
        (7, "CM201", "square"),
        ([], "CM201", "square"),
        ([[]], "CM201", "square"),
        ({}, "CM201", "square"),
        (None, "CM201", "numbers"),
        ([[1, 2], [3]], "CM201", "equally long"),
        ([["a", "b"], ["c", "d"]], "CM201", "numbers"),
        ([[1, "2"], [3, 4]], "CM201", "numbers"),
        ("text", "CM201", "numbers"),
        ([[1, None], [3, 4]], "CM201", "numbers"),
        ({"a": 1, "b": 2}, "CM201", "dict"),
        ([[1, -2], [3, 4]], "CM202", "negative"),
        ([[1, np.nan], [3, 4]], "CM202", "finite"),
        ([[1, np.inf], [3, 4]], "CM202", "finite"),
        (pd.DataFrame([[1, np.nan], [2, 3]]), "CM202", "finite"),
        (pd.DataFrame([["x", "y"], ["z", "w"]]), "CM201", "numbers"),
    ],
)
def test_what_is_no_matrix(cells, code, says):
    found = fault(cm.table, cells)
    assert found.code == code
    assert says in found.what
    assert found.saw or found.fix


@pytest.mark.parametrize(
    ("labels", "says"),
    [
        ("ab", "2 labels for 3 classes"),
        ("abcd", "4 labels for 3 classes"),
        ("aab", "given twice"),
        ([1, True, 2], "given twice"),
        (5, "cannot be labels"),
        ([[1], [2], [3]], "cannot be labels"),
        (["a", "b", None], "missing"),
        (["a", "b", float("nan")], "missing"),
        (["a", "b", pd.NA], "missing"),
    ],
)
def test_labels_that_do_not_fit(labels, says):
    found = fault(cm.table, CELLS, labels)
    assert found.code in {"CM203", "CM103"}
    assert says in found.what


def test_labels_of_different_kinds_are_not_matched():
    frame = pd.DataFrame([[1, 2], [3, 4]], [0, 1], ["0", "1"])
    assert fault(cm.table, frame).code == "CM203"
    assert fault(cm.table, pd.DataFrame([[1, 2], [3, 4]], [0, 1], [0.0, 1.0])).code == "CM203"
    assert fault(cm.table, pd.DataFrame([[1, 2], [3, 4]], [0, 1], [False, True])).code == "CM203"
    assert fault(cm.table, pd.DataFrame([[1, 2], [3, 4]], ["a", "a"], ["a", "b"])).code == "CM203"


def test_axes():
    stack = cm.table([[CELLS, CELLS]], "abc", axes={"model": ["m"], "fold": range(2)})
    assert stack.axes == {"model": ("m",), "fold": (0, 1)}
    for axes in ({"fold": [0]}, {"model": [0], "fold": [0, 1], "more": [0]}):
        assert fault(cm.table, [[CELLS, CELLS]], axes=axes).code == "CM204"
    assert fault(cm.table, [CELLS, CELLS], axes={"fold": [0, 0]}).code == "CM203"


# Adding


letters = st.lists(st.sampled_from("abcde"), min_size=1, max_size=4, unique=True).map(sorted)


@st.composite
def tables(draw):
    labels = draw(letters)
    numbers = st.integers(0, 2**61 // 100)
    cells = draw(st.lists(numbers, min_size=len(labels) ** 2, max_size=len(labels) ** 2))
    return cm.table(np.array(cells).reshape(len(labels), -1), labels)


@given(a=tables(), b=tables(), c=tables())
def test_adding_is_commutative_and_associative(a, b, c):
    assert a + b == b + a
    assert (a + b) + c == a + (b + c)
    assert all(sum(order) == a + b + c for order in itertools.permutations([a, b, c]))
    assert (a + b + c).total == a.total + b.total + c.total


def test_classes_are_matched_by_label():
    t = cm.table([[1, 2], [3, 4]], "ac") + cm.table([[10, 20], [30, 40]], "bc")
    assert t.labels == ("a", "b", "c")
    assert t.counts.tolist() == [[1, 0, 2], [0, 10, 20], [3, 30, 44]]


def test_a_declared_order_is_never_lost():
    a, b = (cm.table([[1, 2], [3, 4]], order) for order in (["low", "high"], ["high", "low"]))
    assert (a + a).labels == ("low", "high")
    found = fault(lambda: a + b)
    assert found.code == "CM203"
    assert ".reorder" in found.fix
    assert (a + b.reorder(["low", "high"])).counts.tolist() == [[5, 5], [5, 5]]


def test_what_cannot_be_added():
    stack = cm.table([CELLS, CELLS], "abc", axes={"fold": [0, 1]})
    assert fault(lambda: ABC + stack).code == "CM204"
    assert fault(lambda: cm.table([CELLS]) + cm.table(CELLS)).code == "CM204"
    assert fault(lambda: cm.table(CELLS) + ABC).code == "CM203"
    assert fault(lambda: cm.table([[1]], [1]) + cm.table([[1]], [True])).code == "CM203"
    with pytest.raises(TypeError):
        ABC + 1


def test_nothing_overflows():
    huge = cm.table(np.full((2, 2), 2**60))
    assert huge.counts.dtype == np.float64
    assert huge.total == 2.0**62
    most = cm.table([[2**61, 2**60], [2**59, 0]])
    assert most.counts.dtype == np.int64
    for t in (most + most, sum([most] * 5), cm.table([most.counts] * 7).pool()):
        assert t.total == pytest.approx(most.total * (t.total // most.total))
        assert np.all(t.counts >= 0)
    assert cm.table([[2**63, 0], [0, 1]]).total == 2.0**63
    assert cm.table([[10**30, 0], [0, 1]]).total == 1e30
    assert np.all(cm.table([[2**61, 1, 1]] * 3).one_vs_rest().counts >= 0)


def test_whole_counts_stay_exact_below():
    t = cm.table([[10**15 + 1, 0], [0, 1]])
    assert (t + t).counts.tolist() == [[2 * 10**15 + 2, 0], [0, 2]]
    assert (t + t).total == 2 * 10**15 + 4


# Changing


def test_reorder():
    assert ABC.reorder("cab").reorder("abc") == ABC
    assert ABC.reorder("abcd").counts[3].tolist() == [0, 0, 0, 0]
    assert "c" in fault(ABC.reorder, "ab").saw
    assert fault(ABC.reorder, "aabc").code == "CM203"
    assert fault(cm.table(CELLS).reorder, ["0", "1", "2"]).code == "CM203"
    assert fault(cm.table(CELLS).reorder, [False, True, 2]).code == "CM203"


def test_merge():
    merged = ABC.merge({"bc": "bc"})
    assert merged.labels == ("a", "bc")
    assert merged.counts.tolist() == [[50, 5], [5, 74]]
    assert ABC.merge({"x": "abc"}).counts.tolist() == [[134]]
    assert ABC.merge({"a": "ab"}).labels == ("a", "c")
    assert ABC.merge({}) == ABC
    stack = cm.table([CELLS, CELLS], "abc", axes={"fold": [0, 1]})
    assert stack.merge({"bc": "bc"}).select(fold=1) == merged
    assert fault(ABC.merge, {"x": ["a", "q"]}).code == "CM203"
    assert "two groups" in fault(ABC.merge, {"x": "ab", "y": "bc"}).what
    assert "already" in fault(ABC.merge, {"c": "ab"}).what


def test_many_classes_merge_quickly():
    t = cm.table(np.ones((1500, 1500), np.int64))
    halves = t.merge({"low": range(750), "high": range(750, 1500)})
    assert halves.counts.tolist() == [[750**2] * 2] * 2


def test_one_vs_rest():
    each = ABC.one_vs_rest()
    assert each.axes == {"class": ("a", "b", "c")}
    assert each.select(**{"class": "b"}).counts.tolist() == ABC.one_vs_rest("b").counts.tolist()
    assert ABC.one_vs_rest("b").counts.tolist() == [[40, 13], [8, 73]]
    assert ABC.one_vs_rest("b").labels == ("b", "rest")
    assert fault(ABC.one_vs_rest, "B").fix == "did you mean b?"


def test_swap():
    assert ABC.swap().swap() == ABC
    assert cm.recall(ABC.swap()).tolist() == cm.precision(ABC).tolist()


def test_weigh():
    assert ABC.weigh(np.ones((3, 3))) == ABC
    assert ABC.weigh(np.eye(3)).total == 110
    for weights in ([1, 2], np.ones((2, 2)), np.ones((2, 3, 3)), -np.ones((3, 3)), "no"):
        assert fault(ABC.weigh, weights).code in {"CM106", "CM201", "CM202"}


def test_normalized():
    assert ABC.normalized().counts.sum(1).tolist() == pytest.approx([1, 1, 1])
    assert ABC.normalized("prediction").counts.sum(0).tolist() == pytest.approx([1, 1, 1])
    assert ABC.normalized("all").total == pytest.approx(1)
    empty = cm.table([[1, 0], [0, 0]]).normalized()
    assert np.isnan(empty.counts[1]).all()
    assert empty == cm.table([[1, 0], [0, 0]]).normalized()
    assert fault(ABC.normalized, "true").fix == "did you mean truth?"


def test_select_and_pool():
    cells = np.arange(2 * 3 * 4).reshape(2, 3, 2, 2)
    stack = cm.table(cells, axes={"model": ["m", "n"], "fold": [0, 1, 2]})
    assert stack.select(model="n", fold=2).counts.tolist() == cells[1, 2].tolist()
    assert stack.select(fold=[2, 0]).axes == {"model": ("m", "n"), "fold": (2, 0)}
    assert stack.select(fold=np.array([2, 0])) == stack.select(fold=range(2, -1, -2))
    assert stack.pool("fold").counts.tolist() == cells.sum(1).tolist()
    assert stack.pool().counts.tolist() == cells.sum((0, 1)).tolist()
    assert cm.table(cells).pool().counts.tolist() == cells.sum((0, 1)).tolist()
    assert cm.table(CELLS).pool() == cm.table(CELLS)
    assert fault(stack.select, fold=7).code == "CM204"
    assert fault(stack.pool, "folds").fix == "did you mean fold?"
    with pytest.raises(cm.UnknownNameError) as caught:
        stack.select(folds=1, modle="m")
    assert [f.fix for f in caught.value.faults] == ["did you mean fold?", "did you mean model?"]


def test_equality():
    assert ABC == cm.table(np.array(CELLS, float), "abc")
    assert ABC != cm.table(CELLS)
    assert ABC != cm.table(CELLS, "abd")
    assert ABC != CELLS
    with pytest.raises(TypeError):
        hash(ABC)


# Showing


def test_frames():
    frame = ABC.to_frame()
    assert frame.loc["a", "b"] == 3
    assert (frame.index.name, frame.columns.name) == ("truth", "predicted")
    stack = cm.table([CELLS, CELLS], "abc", axes={"fold": [0, 1]}).to_frame()
    assert list(stack.columns) == ["fold", "truth", "predicted", "count"]
    assert len(stack) == 18
    assert "axis_0" in cm.table([CELLS, CELLS]).to_frame()


def test_as_text():
    assert repr(ABC) == (
        "134 cases, rows truth, columns prediction\n"
        "    a   b   c\na  50   3   2\nb   4  40   9\nc   1   5  20"
    )
    assert repr(cm.table([[1]])).startswith("1 case,")
    assert repr(cm.table([[1.5, 0], [0, 9]])).startswith("cases of total weight 10.5,")
    assert repr(cm.table(np.ones((30, 30), int))) == (
        "<table of 30 classes, 900 cases, rows truth, columns prediction>"
    )
    assert repr(cm.table([CELLS] * 4)).startswith("<stack of 4 tables, 3 classes, 536 cases")
    named = cm.table([CELLS] * 4, axes={"fold": range(4)})
    assert repr(named).startswith("<stack of 4 fold tables")


NASTY = ["<b>&", "\x1b[31mred", "\u202egnp.exe", "x" * 500]


def test_labels_cannot_do_harm():
    t = cm.table(np.eye(4, dtype=int), NASTY)
    for text in (repr(t), t._repr_html_()):
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert len(text) < 2000
    assert "<b>" not in t._repr_html_()
    assert "&lt;b&gt;&amp;" in t._repr_html_()
    assert max(map(len, repr(t).splitlines())) < 120


def test_as_html():
    html = ABC._repr_html_()
    assert html.count("<tr>") == 4
    assert "134 cases: truth in rows" in html
    assert cm.table([CELLS] * 4)._repr_html_().startswith("<p>&lt;stack")


def test_frames_without_pandas_say_what_is_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    t = cm.table([[1, 2], [3, 4]])
    for make in (t.to_frame, cm.score(t).to_frame):
        with pytest.raises(cm.ChancemeterError, match=r"CM005.*pandas"):
            make()

"""Label care: what is made alike on request, and that nothing is merged or lost in silence."""

import numpy as np
import pytest

import chancemeter as cm
from chancemeter.frames.care import MISSING, Care, as_number, take_care
from chancemeter.frames.grouped import Column, Grouped


def grouped(truth, predicted, counts, kind="text"):
    columns = {}
    for name, values in (("t", truth), ("p", predicted)):
        seen = tuple(dict.fromkeys(x for x in values if x is not None))
        codes = np.array([-1 if x is None else seen.index(x) for x in values])
        columns[name] = Column(codes, seen, kind)
    return Grouped(columns, np.array(counts), int(np.sum(counts)))


def cared(g, **wishes):
    found, notes = take_care(g, ["t", "p"], Care(**wishes), "here")
    return found.compact(), notes


def test_nothing_is_done_unless_asked():
    g = grouped(["Cat", "cat", " cat", "1"], ["cat", "Cat", "cat", "1.0"], [1, 2, 3, 4])
    found, notes = cared(g)
    assert found.columns["t"].categories == ("Cat", "cat", " cat", "1")
    assert any("look alike" in note for note in notes)


def test_case_blanks_and_unicode_forms_on_request():
    g = grouped(["Cat", "cat", " cat", "é"], ["cat", "Cat", "cat", "é"], [1, 2, 3, 4])
    found, notes = cared(g, fold_case=True, tidy=True)
    assert set(found.columns["t"].categories) == {"cat", "é"}
    assert found.counts.sum() == 10
    assert sum("merged" in note for note in notes) == 2


def test_labels_as_numbers():
    g = grouped(["1", "0", "1.0"], ["1", "1.0", "0.0"], [5, 1, 1])
    found, _ = cared(g, labels_as="number")
    assert set(found.columns["p"].categories) == {0, 1}
    assert found.counts.sum() == 7
    assert [as_number(x) for x in ("1", "1.0", True, 1.0, "1e3")] == [1, 1, 1, 1, 1000]


@pytest.mark.parametrize("bad", ["x", "1_0", "nan", "inf"])
def test_labels_that_are_no_numbers_are_told(bad):
    with pytest.raises(cm.InputError, match="CM104"):
        cared(grouped([bad, "1"], ["1", "1"], [1, 1]), labels_as="number")


def test_missing_labels_stop_unless_asked():
    g = grouped(["a", None, "b"], ["a", "b", None], [5, 2, 1])
    with pytest.raises(cm.InputError) as caught:
        cared(g)
    assert caught.value.faults[0].code == "CM103"
    assert "3 of 8 rows" in str(caught.value)
    dropped, notes = cared(g, missing="drop")
    assert dropped.rows == 5
    assert "3 rows without a label left out" in notes[0]
    kept, notes = cared(g, missing="class")
    assert kept.rows == 8
    assert MISSING in kept.columns["t"].categories
    assert "class of their own" in notes[0]


def test_a_label_called_missing_is_not_mixed_up():
    g = grouped([MISSING, None], ["a", "a"], [1, 1])
    with pytest.raises(cm.InputError, match="is a label of t already"):
        cared(g, missing="class")


def test_renaming_merges_and_is_told():
    g = grouped(["cat", "kitten", "dog"], ["cat", "cat", "dog"], [1, 2, 3])
    found, notes = cared(g, rename={"kitten": "cat"})
    assert found.columns["t"].categories == ("cat", "dog")
    assert "'cat', 'kitten' → 'cat'" in notes[0]
    with pytest.raises(cm.InputError, match="did you mean kitten"):
        cared(g, rename={"kiten": "cat"})


def test_groups_that_lost_rows_are_refused():
    with pytest.raises(cm.InputError, match="CM008"):
        Grouped({}, np.array([3]), 4)


def test_groups_add_up_by_value():
    a = grouped(["x", "y"], ["x", "x"], [1, 2])
    b = grouped(["y", "z"], ["x", None], [10, 20])
    total = a + b
    assert total.rows == 33
    codes = {
        (total.columns["t"].categories[t], None if p < 0 else total.columns["p"].categories[p]): n
        for t, p, n in zip(
            total.columns["t"].codes, total.columns["p"].codes, total.counts, strict=True
        )
    }
    assert codes == {("x", "x"): 1, ("y", "x"): 12, ("z", None): 20}


def test_a_stack_of_groups():
    g = grouped(["x", "y", "y"], ["x", "x", "y"], [1, 2, 3])
    np.testing.assert_array_equal(g.stack([], "t", "p"), [[1, 0], [2, 3]])


def test_classes_of_rows_that_are_left_out_go_too():
    rows = {"y_true": ["a", "z", "b"], "y_pred": ["a", None, "b"]}
    assert cm.read(rows, missing="drop").table.labels == ("a", "b")
    with pytest.raises(cm.InputError, match="no rows are left"):
        cm.read({"y_true": ["a", "b"], "y_pred": [None, None]}, missing="drop")


def test_gaps_in_weighted_rows_are_told_by_weight():
    rows = {"y_true": ["a", "z", "b"], "y_pred": ["a", None, "b"], "w": [0.5, 0.25, 1.0]}
    with pytest.raises(cm.InputError, match=r"rows of weight 0\.25 lack a label"):
        cm.read(rows, weight="w")
    (note,) = cm.read(rows, weight="w", missing="drop").notes[1:]
    assert note.startswith("rows of weight 0.25 without a label left out")


def test_labels_of_blanks_are_missing_in_every_source():
    rows = {"y_true": ["a", " ", "b", ""], "y_pred": ["a", "b", "b", "a"]}
    with pytest.raises(cm.InputError, match="2 of 4 rows lack a label"):
        cm.read(rows)
    assert cm.read(rows, missing="class").table.labels == ("a", "b", "missing")
    assert cm.read(rows, missing="drop").rows == 2


def test_dates_are_asked_about():
    days = np.array(["2020-01-01", "2020-01-02"], "datetime64[D]")
    found = cm.read({"y_true": days, "y_pred": days})
    assert found.notes[1] == "labels of y_true and y_pred are dates: are these the right columns?"


def test_wishes_that_mean_nothing_are_refused():
    rows = {"y_true": list("ab"), "y_pred": list("ab")}
    for wish, near in (
        ({"missing": "dropp"}, "drop"),
        ({"labels_as": "numbers"}, "number"),
        ({"foldcase": True}, "fold_case"),
    ):
        with pytest.raises(cm.InputError, match=f"did you mean {near}"):
            cm.read(rows, **wish)


def test_every_change_is_told():
    found = cm.read({"y_true": ["A", "b"], "y_pred": ["a", "b"]}, fold_case=True, rename={"b": "c"})
    assert found.notes[1:] == (
        "labels of y_true changed: 'A' → 'a'; 'b' → 'c'",
        "labels of y_pred changed: 'b' → 'c'",
    )
    (note,) = cm.read({"y_true": ["e\u0301", "\u00e9"], "y_pred": ["\u00e9"] * 2}).notes[1:]
    assert note.endswith(r"alike: 'e\u0301', '\xe9'")


def test_names_that_were_typed_mean_numbers():
    rows = {"y_true": [1, 2, 3], "y_pred": [1, 2, 2]}
    found = cm.read(rows, rename={"3": "2"}, labels=["9", "2", "1"])
    assert found.table.labels == (9, 2, 1)
    assert found.table.counts.tolist() == [[0, 0, 0], [0, 2, 0], [0, 0, 1]]
    assert found.notes[1] == "labels of y_true merged: 2, 3 → 2"


def test_declared_labels_are_each_one():
    with pytest.raises(cm.InputError, match="a label is given twice"):
        cm.read({"y_true": list("ab"), "y_pred": list("ab")}, labels=["b", "a", "b"])


def test_a_label_called_missing_may_be_renamed_and_others_to_nothing():
    rows = {"y_true": ["missing", None, "NA", "a"], "y_pred": ["a"] * 4}
    found = cm.read(rows, missing="class", rename={"missing": "gone", "NA": ""})
    assert found.table.labels == ("a", "gone", "missing")
    assert found.table.counts[:, 0].tolist() == [1, 1, 2]


def test_labels_of_other_types_are_labels():
    for labels in ([b"x", b"y"], [(1, 2), (1, 3)]):
        assert cm.read({"y_true": labels, "y_pred": labels}).table.labels == tuple(labels)

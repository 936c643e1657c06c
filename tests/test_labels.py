"""Two columns of labels: every kind that comes along, and everything that is refused."""

import enum
import tracemalloc
from decimal import Decimal
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from conftest import require
from hypothesis import given
from hypothesis import strategies as st

import chancemeter as cm


def faults(*args, **kwargs):
    with pytest.raises(cm.InputError) as caught:
        cm.tally(*args, **kwargs)
    found = caught.value.faults
    assert all(f.saw or f.fix for f in found)
    return found


def fault(*args, **kwargs):
    (found,) = faults(*args, **kwargs)
    return found


TRUE, PRED = [0, 0, 1, 1, 2], [0, 1, 1, 1, 0]
COUNTS = [[1, 1, 0], [0, 2, 0], [1, 0, 0]]
NAMES = {0: "ant", 1: "bee", 2: "cat"}


def named(column):
    return [NAMES[x] for x in column]


def polars():
    require("polars", present=find_spec("polars") is not None)
    import polars as pl

    return pl


KINDS = {
    "list": list,
    "tuple": tuple,
    "generator": lambda x: (y for y in x),
    "iterator of a dict": lambda x: dict(enumerate(x)).values(),
    **{kind: lambda x, kind=kind: np.array(x, kind) for kind in ("i1", "u1", "i8", "u8", "i4")},
    "objects": lambda x: np.array(x, object),
    "column": lambda x: np.array(x)[:, None],
    "list of numpy": lambda x: list(np.array(x)),
    "series": pd.Series,
    "odd index": lambda x: pd.Series(x, index=range(7, 12)),
    "nullable": lambda x: pd.Series(x, dtype="Int64"),
    "nullable small": lambda x: pd.Series(x, dtype="UInt8"),
    "category of numbers": lambda x: pd.Series(x, dtype="category"),
    "index": pd.Index,
}


@pytest.mark.parametrize("make", KINDS.values(), ids=KINDS)
def test_whole_numbers(make):
    t = cm.tally(make(TRUE), make(PRED))
    assert t.counts.tolist() == COUNTS
    assert t.labels == (0, 1, 2)
    assert {type(x) for x in t.labels} == {int}
    assert cm.tally(make(TRUE), PRED) == cm.tally(TRUE, make(PRED)) == t


TEXTS = {
    "list": list,
    "numpy": np.array,
    "objects": lambda x: np.array(x, object),
    "series": pd.Series,
    "old series": lambda x: pd.Series(x, dtype=object),
    "string": lambda x: pd.Series(x, dtype="string"),
    "category": lambda x: pd.Series(x, dtype="category"),
    "ordered": lambda x: pd.Series(pd.Categorical(x, ["cat", "bee", "ant"], ordered=True)),
    "list of numpy": lambda x: list(np.array(x)),
}


@pytest.mark.parametrize("make", TEXTS.values(), ids=TEXTS)
def test_text(make):
    t = cm.tally(make(named(TRUE)), make(named(PRED)))
    assert t.counts.tolist() == COUNTS
    assert t.labels == ("ant", "bee", "cat")
    assert {type(x) for x in t.labels} == {str}
    assert cm.tally(make(named(TRUE)), named(PRED)) == t


def test_polars():
    pl = polars()
    t = cm.tally(TRUE, PRED)
    assert cm.tally(pl.Series(TRUE), pl.Series(PRED)) == t
    texts = [pl.Series(named(x)) for x in (TRUE, PRED)]
    assert cm.tally(*texts) == cm.tally(named(TRUE), named(PRED))
    as_category = [x.cast(pl.Categorical) for x in texts]
    assert cm.tally(*as_category) == cm.tally(*texts)
    assert cm.tally(pl.Series([True, False]), pl.Series([True, True])).labels == (False, True)
    for gap in ([1, None], ["a", None], [True, None], [0.5, None]):
        assert {f.code for f in faults(pl.Series(gap), pl.Series(gap))} == {"CM103"}


@pytest.mark.parametrize(
    ("labels", "classes"),
    [
        ([True, False, True], (False, True)),
        ([1.5, 0.5, 1.5], (0.5, 1.5)),
        ([b"b", b"a", b"b"], (b"a", b"b")),
        (["é", "z", "日本"], ("z", "é", "日本")),
        (["", " ", "a"], ("", " ", "a")),
        ([10**30, 1, 10**30], (1, 10**30)),
        ([Decimal(2), Decimal(1)], (Decimal(1), Decimal(2))),
        ([("a", 2), ("a", 1)], (("a", 1), ("a", 2))),
    ],
)
def test_other_labels(labels, classes):
    t = cm.tally(labels, labels)
    assert t.labels == classes
    assert t.total == len(labels)
    assert cm.accuracy(t) == 1


def test_dates():
    days = np.array(["2020-01-02", "2020-01-01"], "M8[D]")
    assert cm.tally(days, days).labels == ("2020-01-01", "2020-01-02")
    stamps = pd.Series(pd.to_datetime(days))
    assert cm.tally(stamps, days).k == 2


class Animal(enum.Enum):
    dog = 1
    ant = 2


def test_labels_without_an_order():
    t = cm.tally([Animal.dog, Animal.ant], [Animal.dog, Animal.dog])
    assert t.labels == (Animal.ant, Animal.dog)


def test_one_long_label_costs_no_memory():
    labels = ["x" * 1_000_000] + ["a", "b"] * 5_000
    tracemalloc.start()
    assert cm.tally(labels, labels).k == 3
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 20_000_000


def test_large_identifiers_are_not_rounded():
    a, b = 2**60, 2**60 + 1
    assert cm.tally(np.array([a, b], "i8"), np.array([a, b], "u8")).labels == (a, b)


@given(st.lists(st.tuples(*[st.sampled_from("abc")] * 2), min_size=1), st.randoms())
def test_the_order_of_cases_does_not_matter(cases, random):
    declared = {"labels": "abc"}
    t = cm.tally(*zip(*cases, strict=True), **declared)
    random.shuffle(cases)
    assert cm.tally(*zip(*cases, strict=True), **declared) == t
    assert t.swap() == cm.tally(*list(zip(*cases, strict=True))[::-1], **declared)


# Declared labels


def test_declared_labels_give_the_order():
    t = cm.tally(list("ab"), list("bb"), labels=["b", "a", "never"])
    assert t.labels == ("b", "a", "never")
    assert t.counts.tolist() == [[1, 0, 0], [1, 0, 0], [0, 0, 0]]
    assert cm.tally([0, 1], [1, 1], labels=np.array([1, 0])).labels == (1, 0)
    assert cm.tally(list("aa"), list("bb"), labels="ab").total == 2  # nothing in common, but meant


@pytest.mark.parametrize(
    ("labels", "code", "says"),
    [
        (["a"], "CM107", "declare it"),
        (["a", "bb"], "CM107", "did you mean bb"),
        (["a", "b", "a"], "CM203", "tell classes apart"),
        (["a", "b", None], "CM103", "name"),
        (5, "CM203", "list"),
        ([1, 2], "CM107", "declare it"),
    ],
)
def test_declared_labels_that_do_not_fit(labels, code, says):
    found = fault(list("aab"), list("aba"), labels)
    assert found.code == code
    assert says in found.fix


@pytest.mark.parametrize("declared", [["0", "1"], [0.0, 1.0], [False, True]])
def test_declared_labels_of_another_kind(declared):
    assert fault([0, 1], [1, 1], declared).code == "CM107"


# Weights


def test_weights():
    t = cm.tally(list("ab"), list("aa"), weights=[0.5, 2])
    assert t.counts.tolist() == [[0.5, 0], [2, 0]]


cases = st.lists(
    st.tuples(st.sampled_from("abc"), st.sampled_from("abc"), st.integers(0, 5)), min_size=1
)


@given(cases)
def test_a_whole_weight_repeats_a_case_and_zero_deletes_it(cases):
    true, predicted, weights = map(list, zip(*cases, strict=True))
    repeated = [case for *case, times in cases for _ in range(times)]
    t = cm.tally(true, predicted, "abc", weights)
    assert t.counts.dtype == np.int64
    if repeated:
        assert t == cm.tally(*zip(*repeated, strict=True), "abc")
    else:
        assert t.total == 0
    assert cm.tally(true, predicted, "abc", np.array(weights, float)) == t
    assert cm.tally(true, predicted, "abc", pd.Series(weights)) == t


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ([1], "one weight"),
        ([1, 1, 1], "one weight"),
        (1, "one weight"),
        ([[1, 1]], "one weight"),
        ([[1], [1, 2]], "one weight"),
        ([1, -1], "negative"),
        ([1, float("nan")], "finite"),
        ([1, float("inf")], "finite"),
        ([1e308, 1e308], "add up"),
        (["1", "2"], "numbers"),
        ([1, None], "numbers"),
        (pd.array([1, None], dtype="Int64"), ""),
    ],
)
def test_weights_that_do_not_fit(weights, says):
    found = fault(list("ab"), list("aa"), weights=weights)
    assert found.code == "CM106"
    assert says in found.what


# What is refused


@pytest.mark.parametrize(
    ("true", "predicted", "says"),
    [
        ([1, 0], ["1", "0"], "y_true: whole numbers (0, 1) · y_pred: text (0, 1)"),
        ([1, 0], [1.0, 0.0], "y_pred: decimal numbers (0.0, 1.0)"),
        ([1, 0], [True, False], "y_pred: truth values (False, True)"),
        ([True, False], ["True", "False"], "text"),
        ([1.0, 0.0], ["1.0", "0.0"], "text"),
        (["a"], [b"a"], "bytes"),
        (np.array([1, 0], object), np.array(["1", "0"], object), "text"),
        (pd.Series([1, 0]), pd.Series(["1", "0"]), "text"),
        (pd.Series([1, 0], dtype="Int64"), pd.Series([1.0, 0.0]), "decimal numbers"),
    ],
)
def test_kinds_are_not_merged_across(true, predicted, says):
    found = fault(true, predicted)
    assert (found.code, "different kinds" in found.what) == ("CM104", True)
    assert says in found.saw
    assert "not merged silently" in found.fix


@pytest.mark.parametrize(
    "mixed", [[1, "a"], [1, True], [1, 1.0], [1, 2.5], ["a", b"a"], [0.0, False]]
)
def test_kinds_are_not_merged_within(mixed):
    found = faults(mixed, mixed)
    assert [f.code for f in found] == ["CM104", "CM104"]
    assert "y_true mixes" in found[0].what
    assert "y_pred mixes" in found[1].what


@pytest.mark.parametrize(
    "column",
    [
        ["a", None],
        ["a", float("nan")],
        ["a", np.nan],
        ("a", pd.NA),
        [1, None],
        [1.0, np.nan],
        [True, None],
        np.array([1.5, np.nan]),
        np.array(["2020-01-01", "NaT"], "M8[D]"),
        pd.Series(["a", None]),
        pd.Series(["a", pd.NA], dtype="string"),
        pd.Series(["a", None], dtype="category"),
        pd.Series([1, None], dtype="Int64"),
        pd.Series([True, None], dtype="boolean"),
        pd.Series(pd.to_datetime(["2020-01-01", None])),
        [Decimal(1), Decimal("nan")],
        [pd.Timestamp(2020, 1, 1), pd.NaT],
    ],
)
def test_missing_labels(column):
    found = faults(column, column)
    assert [f.code for f in found] == ["CM103", "CM103"]
    assert found[0].what == "1 of 2 labels are missing in y_true"
    assert found[1].what == "1 of 2 labels are missing in y_pred"
    assert found[0].saw == "positions 1"


def test_all_kinds_of_missing_at_once():
    column = ["a", None, float("nan"), pd.NA, pd.NaT]
    assert faults(column, column)[0].what.startswith("4 of 5")


@pytest.mark.parametrize(
    ("true", "predicted", "code"),
    [
        ("text", "text", "CM102"),
        (b"text", b"text", "CM102"),
        (None, None, "CM102"),
        (5, 5, "CM102"),
        (np.eye(3), np.eye(3), "CM102"),
        ([[0.1, 0.9]], [[0.2, 0.8]], "CM102"),
        ([[0.1], [0.2, 0.8]], [1, 2], "CM102"),
        (pd.DataFrame({"a": [1], "b": [2]}), [1], "CM102"),
        ([1, 2], [1], "CM102"),
        ([], [], "CM002"),
        ([], [1], "CM102"),
        (["a", "b"], ["x", "y"], "CM104"),
        (["yes"], ["Yes"], "CM104"),
        ([{1}, {2}], [{1}, {2}], "CM104"),
    ],
)
def test_what_is_no_pair_of_columns(true, predicted, code):
    assert fault(true, predicted).code == code


def test_all_faults_at_once():
    found = faults(["a", None], [None], weights=[1, 2, 3])
    assert [f.code for f in found] == ["CM102", "CM103", "CM103", "CM106"]


def test_identifiers_are_refused_before_memory_is_taken():
    ids = np.arange(100_000)
    tracemalloc.start()
    found = fault(ids, ids)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.code == "CM105"
    assert "identifier" in found.what
    assert peak < 100_000_000  # k² counts would be 80 GB
    assert fault([str(x) for x in ids], [str(x) for x in ids]).code == "CM105"
    assert fault([0, 1], [0, 1], labels=range(100_000)).code == "CM105"
    assert cm.tally(range(2500), range(2500), max_classes=2500).k == 2500


def test_messages_show_labels_safely():
    found = fault(["\x1b[31ma\u202e" + "x" * 500], ["b"])
    text = str(found)
    assert "\x1b" not in text
    assert "\u202e" not in text
    assert max(map(len, text.splitlines())) < 200

"""Columns in any container: the same table as a dict of counts, for every type and any cut."""

import datetime as dt
import enum
import tracemalloc
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
import sklearn.metrics as sk
from conftest import require
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

import chancemeter as cm
from chancemeter import columns as columns_module
from chancemeter import pairs as pairs_module
from chancemeter.columns import as_coded, read_column
from chancemeter.frames.arrays import ArraySource, FrameSource
from chancemeter.frames.encode import encode
from chancemeter.pairs import count_pairs, sums_by

INTEGERS = ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8")


def module(name):
    require(name, present=find_spec(name) is not None)
    return __import__(name)


def counted(y_true, y_pred):
    """The table as a dict, counted by Python."""
    return Counter(zip(y_true, y_pred, strict=True))


def as_dict(table):
    cells = zip(*np.nonzero(table.counts), strict=True)
    return {(table.labels[i], table.labels[j]): table.counts[i, j] for i, j in cells}


def check(y_true, y_pred, true=None, pred=None):
    """`tally` of both columns gives what Python counts in `true` and `pred`."""
    true = list(y_true) if true is None else true
    pred = list(y_pred) if pred is None else pred
    t = cm.tally(y_true, y_pred, labels=sorted({*true, *pred}))
    assert as_dict(t) == counted(true, pred)
    assert t.counts.dtype == np.int64
    return t


@pytest.fixture
def tiny(monkeypatch):
    """Cut columns after every seven rows."""
    for name in (columns_module, pairs_module):
        monkeypatch.setattr(name, "CHUNK", 7)
    monkeypatch.setattr(pairs_module, "_BYTES", 7)
    monkeypatch.setattr(columns_module.chunks, "__defaults__", (7,))


# Whole numbers and truth values


@pytest.mark.parametrize("k", [1, 2, 3, 4, 5, 8, 10, 16, 17, 100, 127])
@pytest.mark.parametrize("dtype", INTEGERS)
def test_whole_numbers_of_every_type(dtype, k):
    rng = np.random.default_rng(k)
    for n in (1, 2, 5, 63, 1000):
        t, p = rng.integers(0, k, (2, n))
        check(t.astype(dtype), p.astype(dtype), t.tolist(), p.tolist())


@pytest.mark.parametrize("other", INTEGERS)
@pytest.mark.parametrize("dtype", INTEGERS)
def test_types_may_differ(dtype, other):
    t, p = np.random.default_rng(0).integers(0, 100, (2, 500))
    check(t.astype(dtype), p.astype(other), t.tolist(), p.tolist())


@pytest.mark.parametrize("dtype", INTEGERS)
def test_extremes(dtype):
    info = np.iinfo(dtype)
    values = [info.min, info.max, info.min, 0, info.max, info.min + 1]
    check(np.array(values, dtype), np.array(values[::-1], dtype), values, values[::-1])


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8"])
def test_negative_labels(dtype):
    t, p = np.random.default_rng(0).integers(-5, 6, (2, 1000))
    check(t.astype(dtype), p.astype(dtype), t.tolist(), p.tolist())
    check(t.astype(dtype), abs(p).astype(dtype), t.tolist(), abs(p).tolist())


def test_labels_far_apart():
    t, p = np.random.default_rng(0).integers(-5, 6, (2, 1000)) * 10**12
    check(t, p, t.tolist(), p.tolist())
    above = np.array([2**63, 2**64 - 1, 0, 2**63], "u8")
    check(above, above[::-1], above.tolist(), above[::-1].tolist())
    below = np.array([-1, 0, -(2**63), 5], "i8")
    check(above, below, above.tolist(), below.tolist())


def test_labels_that_grow_late():
    """A label that needs more bits in the last chunk, in either column."""
    for last in (1, 3, 9, 1000, 1023, 1024, 5000, -1):
        t, p = np.zeros((2, 200_000), np.int64)
        t[-1] = last
        found = cm.tally(t, p)
        assert as_dict(found) == {(0, 0): 199_999, (last, 0): 1}
        assert cm.tally(p, t) == found.swap()


@given(
    st.sampled_from([*INTEGERS, "?"]).flatmap(
        lambda d: st.lists(st.tuples(*[hnp.from_dtype(np.dtype(d))] * 2), min_size=1, max_size=60)
    )
)
def test_any_numbers(rows):
    t, p = (np.array(x) for x in zip(*rows, strict=True))
    check(t, p, t.tolist(), p.tolist())


@given(st.lists(st.tuples(*[st.integers(0, 12)] * 2), min_size=1, max_size=90), st.data())
def test_any_cut(rows, data):
    """Counting in chunks of any size changes nothing."""
    size = data.draw(st.integers(1, 100))
    dtype = data.draw(st.sampled_from(INTEGERS))
    t, p = (np.array(x, dtype) for x in zip(*rows, strict=True))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pairs_module, "CHUNK", size)
        patch.setattr(pairs_module, "_BYTES", size)
        check(t, p, t.tolist(), p.tolist())


@pytest.mark.parametrize("n", [1, 2, 3, 7, 1001, 300_000])
def test_truth_values(n):
    t, p = np.random.default_rng(n).random((2, n)) < [[0.3], [0.6]]
    check(t, p, t.tolist(), p.tolist())


def test_arrays_that_are_not_contiguous_or_of_other_bytes():
    rng = np.random.default_rng(0)
    for dtype in (*INTEGERS, "f8", "f4", "U3", "S3", "?", "O"):
        t, p = (rng.integers(0, 3, (300, 4)) + 1).astype(dtype)[:, :2].T
        for cut in (slice(None), slice(None, None, 3), slice(None, None, -2)):
            check(t[cut], p[cut], t[cut].tolist(), p[cut].tolist())
        if dtype[0] in "iufU":
            swapped = t.astype(np.dtype(dtype).newbyteorder(">"))
            check(swapped, p, t.tolist(), p.tolist())
    locked = np.array([1, 2, 1])
    locked.flags.writeable = False
    check(locked, locked)


@pytest.mark.parametrize("shape", [(), (2, 2), (1, 3), (2, 1, 1)])
def test_what_is_not_one_column(shape):
    for dtype in ("i8", "f8", "U1", "O", "?"):
        with pytest.raises(cm.InputError) as caught:
            read_column(np.zeros(shape, dtype))
        assert caught.value.faults[0].code == "CM102"


def test_no_rows_and_one_row():
    for empty in (
        [],
        np.zeros(0, "i8"),
        np.zeros(0),
        np.zeros(0, "U1"),
        pd.Series([], dtype="str"),
    ):
        column = encode(empty)
        assert len(column.codes) == 0
        assert column.categories == ()
        assert column.kind == "none"
    for one in ([1], np.array(["a"]), np.array([1.5]), pd.Series(["a"], dtype="category")):
        assert encode(one).codes.tolist() == [0]
    assert encode([None]).codes.tolist() == [-1]


def test_identifiers_take_no_memory():
    ids = np.arange(200_000)
    for make in (np.array, lambda x: x * 10**6, lambda x: x.astype(str), lambda x: x / 7):
        tracemalloc.start()
        with pytest.raises(cm.InputError, match="CM105"):
            cm.tally(make(ids), make(ids))
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 150_000_000


def test_many_classes():
    t, p = np.random.default_rng(0).integers(0, 1800, (2, 20_000))
    check(t, p, t.tolist(), p.tolist())
    check(t.astype(str), p.astype(str), list(map(str, t)), list(map(str, p)))


# Floats, text, dates, objects


def test_floats():
    for values in ([0.0, 1.0, 0.0], [0.5, -0.5, 1e300], [-0.0, 0.0, 2.0], [float("inf"), 1.0, 1.0]):
        for dtype in ("f8", "f4", "f2") if max(values) < 100 else ("f8",):
            check(np.array(values, dtype), np.array(values[::-1], dtype), values, values[::-1])
    assert encode(np.array([1.0, np.nan, 2.0])).codes.tolist() == [0, -1, 1]
    assert encode(np.array([np.nan, 0.25], "f4")).categories == (0.25,)
    assert str(encode(np.array([-0.0, 1e9])).categories[0]) == "0.0"
    many = np.random.default_rng(0).random(5000)
    column = encode(many)
    assert np.array_equal(np.array(column.categories)[column.codes], many)


letters = st.text(st.sampled_from("ab\u00e9\u65e5 "), max_size=4)


@given(st.lists(st.tuples(letters, letters), min_size=1, max_size=60))
def test_text_in_any_container(rows):
    t, p = map(list, zip(*rows, strict=True))
    expected = check(t, p)
    for make in TEXTS.values():
        assert cm.tally(make(t), make(p), labels=expected.labels) == expected


TEXTS = {
    "objects": lambda x: np.array([*x, None], object)[:-1],
    "objects apart": lambda x: np.array([*("".join(list(y)) for y in x), None], object)[:-1],
    "fixed width": np.array,
    "str": lambda x: pd.Series(x, dtype="str"),
    "string": lambda x: pd.Series(x, dtype="string"),
    "python string": lambda x: pd.Series(x, dtype="string[python]"),
    "category": lambda x: pd.Series(x, dtype="category"),
    "categorical": pd.Categorical,
    "categorical index": pd.CategoricalIndex,
}


def test_text_of_fixed_width_that_is_wide():
    for width in (1, 2, 5, 64, 65, 200):
        t = np.array([c * width for c in "abcab"])
        check(t, t[::-1], t.tolist(), t[::-1].tolist())
        b = t.astype("S")
        check(b, b[::-1], b.tolist(), b[::-1].tolist())
    check(np.array(["", "a", ""]), np.array(["a", "", ""]))


def test_text_whose_mix_collides(monkeypatch):
    """When two texts share a number, they are still told apart."""
    monkeypatch.setattr(columns_module, "_MIX", np.uint64(1))  # then the mix is the sum of letters
    t = np.array(["ab", "ba", "ab", "aa"])
    check(t, t[::-1], t.tolist(), t[::-1].tolist())


def test_many_objects():
    """More distinct objects than a table has room for; and few, but not at the beginning."""
    rng = np.random.default_rng(0)
    names = np.array([f"name {i}" for i in range(3000)], object)
    for k in (1, 2, 700, 1500, 3000):
        column = encode(names[rng.integers(0, k, 5000)])
        assert column.kind == "text"
        assert len(set(column.categories)) == len(column.categories)
    late = np.concatenate([names[np.zeros(70_000, int)], names[rng.integers(0, 900, 70_000)]])
    column = encode(late)
    assert [column.categories[i] for i in column.codes[::997]] == late[::997].tolist()


@pytest.mark.parametrize("k", [2, 900, 3000])
def test_far_numbers_dates_and_halves_by_table_and_by_sorting(k):
    rng = np.random.default_rng(k)
    base = rng.integers(0, k, 200_000)
    for values in (base * 10**13 - 5 * 10**12, base + 0.5, np.datetime64("2020-01-01", "s") + base):
        column = read_column(values)
        coded = as_coded(column)
        place = {}
        to = np.array([place.setdefault(x, len(place)) for x in base.tolist()])
        # the same partition of rows
        assert len(coded.categories) == len(place)
        assert len(np.unique(to * len(place) + coded.codes)) == len(place)


def test_dates():
    days = np.array(["2020-02-01", "2020-01-01", "NaT"], "M8[D]")
    column = encode(days)
    assert column.kind == "date"
    by_code = [column.categories[i] for i in column.codes[:2]]
    assert by_code == [dt.date(2020, 2, 1), dt.date(2020, 1, 1)]
    assert column.codes[2] == -1
    for unit in ("s", "ms", "us", "ns"):
        assert set(encode(days.astype(f"M8[{unit}]")).categories) == set(column.categories)
    (noon,) = encode(np.array(["2020-01-01T12:00"], "M8[ns]")).categories
    assert noon == dt.datetime(2020, 1, 1, 12)  # noqa: DTZ001
    (fine,) = encode(np.array([1], "M8[ns]")).categories
    assert fine == "1970-01-01T00:00:00.000000001"
    assert (
        encode(np.array([3], "M8[s]").astype("M8[Y]") + np.timedelta64(20_000, "Y")).kind == "date"
    )
    assert encode(np.array([5], "m8[D]")).categories == ("5 days",)
    stamps = pd.Series(pd.to_datetime(["2020-01-01", None], format="ISO8601"))
    assert encode(stamps).categories == (dt.date(2020, 1, 1),)
    zoned = pd.Series(pd.to_datetime(["2020-01-01"]).tz_localize("Europe/Rome"))
    assert encode(zoned).kind == "date"


class Animal(enum.Enum):
    dog = 1
    ant = 2


def test_values_of_different_types_stay_apart():
    values = [1, True, 1.0, "1", b"1", Decimal(1), Fraction(1), np.int64(1), np.str_("1"), None]
    column = encode(values)
    assert column.kind == "mixed"
    assert len(column.categories) == 7
    assert column.codes.tolist() == [0, 1, 2, 3, 4, 5, 6, 0, 3, -1]
    long = encode(values * 2000)
    assert long.codes.tolist() == column.codes.tolist() * 2000
    assert [type(x) for x in long.categories] == [type(x) for x in column.categories]


def test_kinds():
    for values, kind in [
        ([True], "boolean"),
        ([1], "integer"),
        ([10**30], "integer"),
        ([1.5], "float"),
        ([Decimal("1.5")], "float"),
        (["a"], "text"),
        ([b"a"], "other"),
        ([Animal.dog], "other"),
        ([("a", 1)], "other"),
        ([None], "none"),
        ([dt.date(2020, 1, 1)], "date"),
        (np.array([1 + 2j]), "other"),
        (np.array([1.5], np.longdouble), "other"),
        (np.array([(1, 2)], "i4,i4"), "other"),
    ]:
        assert encode(values).kind == kind
    assert {type(x) for x in encode([np.float32(1.5), np.int8(2)]).categories} == {float, int}


@pytest.mark.parametrize("values", [[{1}, {2}], [{}], [bytearray()], [{1}] * 5000])
def test_what_cannot_be_a_label(values):
    with pytest.raises(cm.InputError, match="cannot be labels"):
        read_column(values)


GAPS = {
    "None": [None, "a", "b"],
    "nan": [float("nan"), "a", "b"],
    "NA": [pd.NA, "a", "b"],
    "str": pd.Series([None, "a", "b"], dtype="str"),
    "string": pd.Series([None, "a", "b"], dtype="string"),
    "python string": pd.Series([None, "a", "b"], dtype="string[python]"),
    "category": pd.Series([None, "a", "b"], dtype="category"),
    "Int64": pd.Series([None, 1, 2], dtype="Int64"),
    "UInt8": pd.Series([None, 1, 2], dtype="UInt8"),
    "Float64": pd.Series([None, 1.5, 2], dtype="Float64"),
    "boolean": pd.Series([None, False, True], dtype="boolean"),
    "float": np.array([np.nan, 1, 2]),
    "NaT": np.array(["NaT", "2020-01-01", "2020-01-02"], "M8[D]"),
    "Decimal": [Decimal("nan"), Decimal(1), Decimal(2)],
    "numpy nan": [np.float64("nan"), 1.0, 2.0],
    "category of numbers": pd.Series([None, 5, 7], dtype="category"),
}


@pytest.mark.parametrize("column", GAPS.values(), ids=GAPS)
def test_missing(column):
    found = encode(column)
    assert found.codes.tolist() == [-1, 0, 1]
    assert len(found.categories) == 2
    assert len(encode(list(column)).categories) == 2


# Codes that a column brings along


def test_pandas_categoricals():
    plain = pd.Series(pd.Categorical(["b", "a", "b"], ["c", "b", "a"]))
    column = encode(plain)
    assert (column.categories, column.ordered) == (("b", "a"), False)
    ordered = encode(plain.cat.as_ordered())
    assert (ordered.categories, ordered.ordered) == (("c", "b", "a"), True)
    assert [ordered.categories[i] for i in ordered.codes] == ["b", "a", "b"]
    for k in (100, 127, 128, 200, 300, 40_000):
        codes = np.random.default_rng(k).integers(-1, k, 500)
        made = pd.Series(pd.Categorical.from_codes(codes, list(map(str, range(k)))))
        column = encode(made)
        back = [None if i < 0 else column.categories[i] for i in column.codes]
        assert back == [None if i < 0 else str(i) for i in codes]
    days = pd.Series(pd.to_datetime(["2020-01-02", "2020-01-01"])).astype("category")
    assert set(encode(days).categories) == {dt.date(2020, 1, d) for d in (1, 2)}
    mixed = pd.Series(pd.Categorical(["a", "a"], ["a", 1]))
    assert cm.tally(mixed, mixed).labels == ("a",)


def test_arrow():
    pa = module("pyarrow")
    words = ["b", None, "a", "b"]
    expected = [0, -1, 1, 0]
    made = [
        pa.array(words),
        pa.array(words, pa.large_string()),
        pa.array(words, pa.string_view()),
        pa.array(words).dictionary_encode(),
        pa.chunked_array([["b", None], [], ["a", "b"]]),
        pa.chunked_array([pa.array(["b", None]), pa.array(["a", "b"])]).dictionary_encode(),
        pa.chunked_array([pa.array(x).dictionary_encode() for x in (["b", None], ["a", "b"])]),
        pa.array(["x", *words]).dictionary_encode()[1:],
        pa.DictionaryArray.from_arrays(
            pa.array([2, 1, 0, 2], pa.uint8()), pa.array(["a", None, "b"])
        ),
        pa.DictionaryArray.from_arrays(pa.array([0, None, 1, 2]), pa.array(["b", "a", "b"])),
        pa.compute.run_end_encode(pa.array(words)),
    ]
    for values in made:
        column = encode(values)
        assert [column.categories[i] if i >= 0 else None for i in column.codes] == words
        assert set(column.categories) == {"a", "b"}
    assert encode(made[0]).codes.tolist() == expected
    ordered = pa.DictionaryArray.from_arrays(pa.array([1]), pa.array(["z", "a", "q"]), ordered=True)
    assert encode(ordered).categories == ("z", "a", "q")
    assert encode(ordered).ordered
    for values, categories in [
        (pa.array([1, None, 2]), (1, 2)),
        (pa.array([1, None, 2], pa.uint64()), (1, 2)),
        (pa.array([True, None, False]), (False, True)),
        (pa.array([1.5, None, 0.5]), (0.5, 1.5)),
        (pa.array([None, None], pa.null()), ()),
        (pa.array([Decimal("1.5"), None]), (Decimal("1.5"),)),
        (pa.array([dt.date(2020, 1, 1), None]), (dt.date(2020, 1, 1),)),
        (pa.array([b"a", None]), (b"a",)),
        (pa.chunked_array([], pa.int64()), ()),
        (pa.chunked_array([], pa.dictionary(pa.int8(), pa.string())), ()),
        (pa.array([True, False]), (False, True)),
    ]:
        column = encode(values)
        assert tuple(sorted(column.categories)) == categories
        assert (column.codes < 0).sum() == values.null_count
    assert cm.tally(pa.array([1, 0]), pa.chunked_array([[1], [1]])).counts.tolist() == [
        [0, 1],
        [0, 1],
    ]


def test_arrow_underneath_pandas():
    pa = module("pyarrow")
    for kind, values in [
        (pa.string(), ["b", "a", None]),
        (pa.int8(), [1, 2, None]),
        (pa.bool_(), [True, False, None]),
        (pa.dictionary(pa.int8(), pa.string()), ["b", "a", None]),
    ]:
        made = pd.Series(values, dtype=pd.ArrowDtype(kind))
        column = encode(made)
        assert [column.categories[i] if i >= 0 else None for i in column.codes] == values


def test_polars():
    pl = module("polars")
    words = ["b", None, "a", "b"]
    for dtype in (pl.String, pl.Categorical, pl.Enum(["b", "a"])):
        column = encode(pl.Series(words, dtype=dtype))
        assert [column.categories[i] if i >= 0 else None for i in column.codes] == words
        assert column.ordered == (dtype == pl.Enum)
        full = pl.Series(["a", "b"], dtype=dtype)
        assert cm.tally(full, full).labels == ("a", "b")
    declared = encode(pl.Series(["a"], dtype=pl.Enum(["z", "a"])))
    assert declared.categories == ("z", "a")
    others = pl.Series([f"other {i}" for i in range(3000)], dtype=pl.Categorical)
    column = encode(pl.Series(["new", None, "word"], dtype=pl.Categorical))
    assert column.categories == ("new", "word")
    assert len(others) == 3000
    assert len(encode(others).categories) == 3000
    for values, kind in [
        ([1, None], "integer"),
        ([True, None], "boolean"),
        ([0.5, None], "float"),
        ([None, None], "none"),
        ([dt.date(2020, 1, 1), None], "date"),
        ([dt.datetime(2020, 1, 1, 5), None], "date"),  # noqa: DTZ001
        ([Decimal("1.5"), None], "float"),
    ]:
        column = encode(pl.Series(values))
        assert column.kind == kind
        assert column.codes[-1] == -1
    with pytest.raises(cm.InputError, match="lists in place of labels"):
        read_column(pl.Series([[1], [2, 3]]))


def test_narwhals_and_other_containers():
    nw = module("narwhals")
    series = nw.from_native(pd.Series(["b", "a"], dtype="category"), series_only=True)
    assert encode(series).categories == ("a", "b")
    pa = module("pyarrow")

    class Stream:
        def __arrow_c_stream__(self, schema=None):
            return pa.chunked_array([["b", "a"]]).__arrow_c_stream__(schema)

    class Tensor:
        """What a tensor of a deep-learning library offers."""

        def detach(self):
            return self

        def cpu(self):
            return np.array([1, 0])

    class Arrays:
        def __array__(self, dtype=None, copy=None):
            return np.array([1, 0])

    assert encode(Stream()).categories == ("b", "a")
    for made in (Tensor(), Arrays(), range(1, -1, -1), (x for x in (1, 0)), {1: "", 0: ""}.keys()):
        assert sorted(encode(made).categories) == [0, 1]


@given(st.lists(st.tuples(*[st.integers(0, 5)] * 2), min_size=1, max_size=40))
def test_all_containers_give_the_same_table(rows):
    pa, pl = module("pyarrow"), module("polars")
    t, p = map(list, zip(*rows, strict=True))
    expected = check(t, p)
    for make in (np.array, pd.Series, pl.Series, pa.array, lambda x: pd.Series(x, dtype="Int64")):
        assert cm.tally(make(t), make(p), labels=expected.labels) == expected
        assert cm.tally(make(t), p, labels=expected.labels) == expected
    names = ["ant", "bee", "cat", "dog", "eel", "fox"]
    t, p = ([names[i] for i in x] for x in (t, p))
    expected = check(t, p)
    for make in (
        lambda x: pl.Series(x, dtype=pl.Categorical),
        lambda x: pl.Series(x, dtype=pl.Enum(names)),
        lambda x: pa.array(x).dictionary_encode(),
        pl.Series,
        pa.array,
    ):
        assert cm.tally(make(t), make(p), labels=expected.labels) == expected
        assert cm.tally(t, make(p), labels=expected.labels) == expected


# Against others


@pytest.mark.parametrize("make", [np.array, lambda x: x.astype(str), lambda x: x.astype("i1")])
def test_against_scikit_learn_and_pandas(make):
    rng = np.random.default_rng(0)
    for k in (2, 3, 10, 50):
        t, p = (make(x) for x in rng.integers(0, k, (2, 3000)))
        ours = cm.tally(t, p)
        assert ours.counts.tolist() == sk.confusion_matrix(t, p, labels=list(ours.labels)).tolist()
        frame = pd.crosstab(pd.Series(t), pd.Series(p)).reindex(ours.labels, columns=ours.labels)
        assert ours.counts.tolist() == frame.fillna(0).to_numpy().tolist()
        w = rng.random(3000)
        weighted = sk.confusion_matrix(t, p, labels=list(ours.labels), sample_weight=w)
        np.testing.assert_allclose(cm.tally(t, p, weights=w).counts, weighted, rtol=1e-12)


# Weights


@pytest.mark.parametrize("size", [1, 4, 40_000])
def test_sums_of_weights_are_exact_whatever_the_order(size):
    rng = np.random.default_rng(0)
    n = 300_000
    place, w = rng.integers(0, size, n), np.full(n, 0.1)
    for weights in (w, rng.random(n), rng.random(n) * 10.0 ** rng.integers(-8, 8, n)):
        found = sums_by(place, size, weights)
        order = np.argsort(place, kind="stable")
        edges = np.searchsorted(place[order], np.arange(size + 1))
        few = range(0, size, max(1, size // 50))
        exact = [float(sum(map(Fraction, weights[order][edges[i] : edges[i + 1]]))) for i in few]
        np.testing.assert_allclose(found[list(few)], exact, rtol=1e-12)
        turned = sums_by(place[::-1], size, weights[::-1])
        np.testing.assert_allclose(found, turned, rtol=1e-12)


# Groups


def rows_of(grouped):
    """The groups as a dict from values to counts."""
    found = {}
    lists = [
        [None if i < 0 else c.categories[i] for i in c.codes] for c in grouped.columns.values()
    ]
    for key, n in zip(zip(*lists, strict=True), grouped.counts.tolist(), strict=True):
        assert key not in found
        found[key] = n
    return found


cells = st.sampled_from(["a", "b", "c", None])


@given(st.lists(st.tuples(cells, cells, st.integers(-2, 2), st.booleans()), max_size=50))
def test_groups(rows):
    names = ["truth", "guess", "fold", "late"]
    lists = [list(x) for x in zip(*rows, strict=True)] or [[], [], [], []]
    source = ArraySource(dict(zip(names, lists, strict=True)))
    for some in (names, names[:2], names[2:], ["guess"], ["fold", "truth", "late"]):
        at = [names.index(x) for x in some]
        grouped = source.group(some)
        assert rows_of(grouped) == Counter(tuple(row[i] for i in at) for row in rows)
        assert list(grouped.columns) == some
        assert grouped.rows == len(rows)
    again = source.group(names) + source.group(names)
    assert rows_of(again) == {row: 2 * n for row, n in Counter(rows).items()}


@pytest.mark.parametrize(("k", "columns"), [(10, 2), (10, 6), (200, 4), (1000, 8), (5000, 2)])
def test_groups_of_many_columns(k, columns):
    data = np.random.default_rng(k).integers(0, k, (columns, 2000))
    data = np.concatenate([data, data[:, :500]], 1)
    source = ArraySource({str(i): x for i, x in enumerate(data)})
    expected = Counter(map(tuple, data.T.tolist()))
    assert rows_of(source.group(source.names())) == expected
    weighted = ArraySource({**{str(i): x for i, x in enumerate(data)}, "w": np.full(2500, 0.5)})
    grouped = weighted.group(source.names(), "w")
    assert rows_of(grouped) == {key: n / 2 for key, n in expected.items()}
    assert grouped.rows == 2500


def test_groups_of_weights():
    source = ArraySource({"a": [1, 1, 2], "b": ["x", None, "x"], "w": [0.5, 1, 2]})
    assert rows_of(source.group(["a", "b"], "w")) == {(1, "x"): 0.5, (1, None): 1, (2, "x"): 2}
    assert source.group([], "w").counts.tolist() == [3.5]
    assert source.group([]).counts.tolist() == [3]
    assert rows_of(source.group(["b"], "w")) == {("x",): 2.5, (None,): 1}
    for bad in ([1, -1, 1], [1, np.nan, 1], ["1", "2", "3"], [1, 2]):
        with pytest.raises(cm.InputError, match="CM106"):
            ArraySource({"a": [1, 1, 2], "w": bad}).group(["a"], "w")


def test_groups_keep_declared_categories():
    made = pd.Categorical(["low", "high"], ["low", "middle", "high"], ordered=True)
    grouped = ArraySource({"a": made, "b": ["low", "low"]}).group(["a", "b"])
    assert grouped.columns["a"].ordered
    assert grouped.columns["a"].categories == ("low", "middle", "high")
    assert grouped.columns["b"].categories == ("low",)


def test_a_plain_table_of_groups():
    source = ArraySource({"truth": [0, 0, 1], "guess": [0, 1, 1], "fold": ["x", "y", "x"]})
    grouped = source.group(["fold", "truth", "guess"])
    for name in grouped.columns:
        grouped = grouped.with_column(name, grouped.columns[name].sorted())
    assert grouped.stack(["fold"], "truth", "guess").tolist() == [  # noqa: PD013
        [[1, 0], [0, 1]],
        [[0, 1], [0, 0]],
    ]


def test_columns_that_are_wrong():
    source = ArraySource({"truth": [1, 2], "guess": [1]})
    with pytest.raises(cm.InputError, match="did you mean truth"):
        source.group(["trth"])
    with pytest.raises(cm.InputError, match="'truth' has 2 rows, 'guess' has 1 row"):
        source.group(["truth", "guess"])
    with pytest.raises(cm.InputError, match="two columns are called '1'"):
        ArraySource({1: [1], "1": [1]})
    with pytest.raises(cm.InputError, match="column 'a' is not one column of labels"):
        ArraySource({"a": np.eye(3)}).group(["a"])
    odd = 'a"; drop\ntable'
    assert rows_of(ArraySource({odd: [1, 1]}).group([odd])) == {(1,): 2}


FRAMES = {
    "pandas": pd.DataFrame,
    "polars": lambda x: module("polars").DataFrame(x),
    "lazy polars": lambda x: module("polars").LazyFrame(x),
    "arrow": lambda x: module("pyarrow").table(x),
    "arrow batch": lambda x: module("pyarrow").RecordBatch.from_pydict(x),
    "arrow reader": lambda x: module("pyarrow").table(x).to_reader(),
    "narwhals": lambda x: module("narwhals").from_native(pd.DataFrame(x)),
    "narwhals polars": lambda x: module("narwhals").from_native(module("polars").DataFrame(x)),
    "narwhals lazy": lambda x: module("narwhals").from_native(module("polars").LazyFrame(x)),
    "structured": lambda x: np.array(
        list(zip(*x.values(), strict=True)), [("truth", "U1"), ("guess", "U1"), ("fold", "i8")]
    ),
}


@pytest.mark.parametrize("make", FRAMES.values(), ids=FRAMES)
def test_frames(make):
    data = {"truth": ["a", "b", "a"], "guess": ["a", "a", "a"], "fold": [0, 1, 0]}
    source = FrameSource(make(data))
    assert source.names() == list(data)
    assert rows_of(source.group(["truth", "guess"])) == {("a", "a"): 2, ("b", "a"): 1}
    assert rows_of(source.group(list(data))) == {("a", "a", 0): 2, ("b", "a", 1): 1}
    assert rows_of(source.group(["truth"], "fold")) == {("a",): 0, ("b",): 1}


def test_what_is_no_frame():
    for wrong in (5, "text", [1, 2], None, np.eye(2)):
        with pytest.raises(cm.InputError, match="no frame"):
            FrameSource(wrong)
    with pytest.raises(cm.InputError, match="two columns are called 'a'"):
        FrameSource(pd.DataFrame([[1, 2]], columns=["a", "a"]))
    assert FrameSource(pd.DataFrame({1: [1]})).names() == ["1"]


def test_pairs_say_how_many_classes_before_memory():
    seen = []

    def stop(k):
        seen.append(k)
        raise RuntimeError

    ids = read_column(np.arange(50_000))
    with pytest.raises(RuntimeError):
        count_pairs(ids, ids, check=stop)
    assert seen == [50_000]


def test_tiny_chunks(tiny):
    rng = np.random.default_rng(1)
    t, p = rng.integers(0, 5, (2, 100))
    check(t, p, t.tolist(), p.tolist())
    check(t * 10**12, p * 10**12, (t * 10**12).tolist(), (p * 10**12).tolist())
    for make in (np.array, lambda x: np.array(x, object), lambda x: np.array([*x], object)):
        words = [[f"w{i}" for i in x] for x in (t, p)]
        check(make(words[0]), make(words[1]), *words)
    check(t > 2, p > 2, (t > 2).tolist(), (p > 2).tolist())
    check(t / 2, p / 2, (t / 2).tolist(), (p / 2).tolist())
    check(t - 2.0, p - 2.0, (t - 2.0).tolist(), (p - 2.0).tolist())

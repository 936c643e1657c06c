"""Counting in pieces: the same table however rows are cut, ordered, merged or kept in files."""

import io
import json
import zipfile
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import chancemeter as cm
from chancemeter.frames.stream import Tally

cases = st.lists(st.tuples(*[st.sampled_from("abcd")] * 2), min_size=1, max_size=60)
cuts = st.lists(st.integers(0, 60), max_size=6)


def pieces(rows, at):
    edges = [0, *sorted(min(x, len(rows)) for x in at), len(rows)]
    return [rows[i:j] for i, j in pairwise(edges)]


def columns(rows):
    return map(list, zip(*rows, strict=True)) if rows else ([], [])


def tally_of(rows, **options):
    return Tally(**options).update(*columns(rows))


def expected(rows):
    order = sorted({x for row in rows for x in row})
    counted = Counter(rows)
    return cm.table([[counted[t, p] for p in order] for t in order], order)


@given(cases, cuts, st.randoms())
def test_any_cut_and_any_order(rows, at, random):
    whole = expected(rows)
    grown, merged = Tally(), Tally()
    parts = pieces(rows, at)
    random.shuffle(parts)
    for part in parts:
        grown.update(*columns(part))
        merged.merge(tally_of(part))
    summed = sum(map(tally_of, parts))
    for tally in (grown, merged, summed):
        assert tally.table == whole
        assert tally.table.counts.dtype == np.int64
        assert tally.cases == len(rows)
        assert tally == grown
    assert Tally.from_dict(json.loads(json.dumps(grown.to_dict()))) == grown


@given(cases, cuts)
def test_any_container(rows, at):
    makers = [list, np.array, pd.Series, lambda x: pd.Series(x, dtype="category")]
    grown = Tally()
    for i, part in enumerate(pieces(rows, at)):
        if part:
            grown.update(*map(makers[i % 4], columns(part)))
    assert grown.table == expected(rows)


@given(cases, cuts)
def test_declared_labels(rows, at):
    grown = Tally("dcbae")
    for part in pieces(rows, at):
        grown.update(*columns(part))
    assert grown.table == cm.tally(*columns(rows), labels="dcbae")


@given(
    st.lists(
        st.tuples(st.sampled_from("ab"), st.sampled_from("ab"), st.floats(0, 1e6)),
        min_size=1,
        max_size=40,
    ),
    cuts,
)
def test_weights(rows, at):
    grown, merged = Tally(), Tally()
    for part in pieces(rows, at):
        true, predicted, weights = map(list, zip(*part, strict=True)) if part else ([], [], [])
        grown.update(true, predicted, weights)
        merged = Tally().update(true, predicted, weights) + merged
    order = grown.table.labels
    exact = {(t, p): Fraction(0) for t in order for p in order}
    for t, p, w in rows:
        exact[t, p] += Fraction(w)
    wanted = [[float(exact[t, p]) for p in order] for t in order]
    for tally in (grown, merged, Tally.from_dict(grown.to_dict())):
        np.testing.assert_allclose(tally.table.counts, wanted, rtol=1e-14)


def test_weights_do_not_drift():
    tally = Tally()
    for _ in range(5_000):
        tally.update([1], [1], [0.1])
    assert tally.table.counts[0, 0] == float(5_000 * Fraction(0.1))


def test_whole_weights_stay_whole():
    tally = Tally().update([0, 1], [0, 0], [2, 3]).update([1], [1])
    assert tally.table.counts.tolist() == [[2, 0], [3, 1]]
    assert tally.table.counts.dtype == np.int64
    assert tally.update([0], [1], [0.5]).table.counts.tolist() == [[2, 0.5], [3, 1]]


def test_labels_seen_later():
    tally = Tally()
    for i in range(50):
        tally.update([i, 50 - i], [i, i])
        assert tally.table.k == len({*range(i + 1), *range(50 - i, 51)})
    everything = [x for i in range(50) for x in (i, 50 - i)], [i for i in range(50) for _ in "ab"]
    assert tally.table == cm.tally(*everything)


def test_table_is_a_copy():
    tally = Tally().update([0, 1], [0, 1])
    before = tally.table
    tally.update([0, 1], [1, 0])
    assert before.counts.tolist() == [[1, 0], [0, 1]]
    assert repr(tally) == "<tally of 4 cases, 2 classes>"


def test_nothing_yet():
    assert Tally().update([], []).cases == 0
    with pytest.raises(cm.InputError, match="nothing has been counted"):
        _ = Tally().table
    assert Tally().update([], np.zeros(0, int)).update(["a"], ["a"]).table.labels == ("a",)
    assert Tally("ab").update([], []) + tally_of([("a", "b")]) == tally_of(
        [("a", "b")], labels="ab"
    )


@pytest.mark.parametrize(
    ("update", "code"),
    [
        ((["1"], ["1"]), "CM104"),
        (([1.0], [1.0]), "CM104"),
        (([True], [True]), "CM104"),
        (([1], [1, 2]), "CM102"),
        (([1], [None]), "CM103"),
        (([1], [1], [-1]), "CM106"),
        ((range(100), range(100)), "CM105"),
        (([1], ["1"]), "CM104"),
    ],
)
def test_what_is_refused_changes_nothing(update, code):
    tally = Tally(max_classes=50).update([1, 2], [1, 1])
    before = tally.to_dict()
    with pytest.raises(cm.InputError, match=code):
        tally.update(*update)
    assert tally.to_dict() == before


def test_labels_that_were_not_declared():
    tally = Tally("ab").update(["a"], ["b"])
    with pytest.raises(cm.InputError, match="CM107"):
        tally.update(["a"], ["c"])
    with pytest.raises(cm.InputError, match="CM107"):
        tally.merge(Tally().update(["c"], ["a"]))
    with pytest.raises(cm.InputError, match="CM107"):
        Tally().update(["c"], ["a"]).merge(tally)
    with pytest.raises(cm.InputError, match="different declared"):
        tally.merge(Tally("ba"))
    with pytest.raises(cm.InputError, match="of different kinds"):
        Tally().update([1], [1]).merge(Tally().update(["1"], ["1"]))
    assert tally.table.total == 1
    with pytest.raises(cm.InputError, match="CM105"):
        Tally(range(30), max_classes=20)
    assert (tally + Tally().update(["b"], ["b"])).table.labels == ("a", "b")
    with pytest.raises(TypeError):
        _ = tally + 1
    assert tally != 1


def test_too_many_classes_over_time():
    tally = Tally(max_classes=10)
    for i in range(10):
        tally.update([i], [i])
    with pytest.raises(cm.InputError, match="CM105"):
        tally.update([10], [10])
    assert tally.table.k == 10


# Files


TALLIES = {
    "text": lambda: Tally().update(["a", "é", "日本"], ["a", "a", "a"]),
    "whole": lambda: Tally().update([-(2**70), 2**53 + 1], [2**53 + 1, 2**53 + 1]),
    "decimal": lambda: Tally().update([0.1, 0.5], [0.5, 0.5]),
    "truth": lambda: Tally().update([True, False], [True, True]),
    "declared": lambda: Tally("cab").update(["a"], ["b"]),
    "weighted": lambda: Tally().update(["a", "b"], ["a", "a"], [0.1, 1 / 3]),
    "nothing": Tally,
    "nothing declared": lambda: Tally([3, 1, 2]),
}


@pytest.mark.parametrize("kind", ["json", "npz"])
@pytest.mark.parametrize("make", TALLIES.values(), ids=TALLIES)
def test_files(make, kind, tmp_path):
    tally, path = make(), tmp_path / f"counts.{kind}"
    tally.save(path)
    back = Tally.load(path)
    assert back == tally
    assert back.to_dict() == tally.to_dict()
    assert [type(x) for x in back._place] == [type(x) for x in sorted(tally._place)] or tally.labels
    tally.save(path)  # over the old one
    assert list(tmp_path.iterdir()) == [path]
    if tally.cases:
        both = back + Tally.load(str(path))
        assert both.table.counts.tolist() == (2 * tally.table.counts).tolist()
        with pytest.raises(cm.InputError, match="another kind"):
            back.update([b"x"], [b"x"])


def test_files_are_as_readable_as_others(tmp_path):
    (tmp_path / "other").write_text("")
    Tally().save(tmp_path / "tally.json")
    assert (tmp_path / "tally.json").stat().st_mode == (tmp_path / "other").stat().st_mode


def test_what_cannot_be_written(tmp_path):
    tally = Tally().update([1], [1])
    with pytest.raises(cm.InputError, match="CM009"):
        tally.save(tmp_path / "nowhere" / "x.json")
    with pytest.raises(cm.InputError, match="CM003"):
        tally.save(tmp_path / "x.pkl")
    for strange in ([Decimal(1)], [float("inf")], [("a", 1)], [b"a"]):
        with pytest.raises(cm.InputError, match="CM009"):
            Tally().update(strange, strange).save(tmp_path / "x.json")
    assert list(tmp_path.iterdir()) == []


def test_a_failed_write_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "x.json"
    Tally().update([1], [1]).save(path)
    before = path.read_bytes()

    def full(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(cm.InputError, match="No space left"):
        Tally().update([1, 2], [1, 1]).save(path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def npz(**arrays):
    file = io.BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def packed(arrays):
    file = io.BytesIO()
    np.savez_compressed(file, **arrays)
    return file.getvalue()


class Bomb:
    def __reduce__(self):
        return (pytest.fail, ("a pickle was opened",))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("x.json", b""),
        ("x.json", b"{"),
        ("x.json", b"[]"),
        ("x.json", b"null"),
        ("x.json", b"\xff\xfe"),
        ("x.json", b"[" * 100_000),
        ("x.json", b'{"labels": [1], "counts": [[1]]}'),
        ("x.json", b"1" * 10_000),
        ("x.npz", b""),
        ("x.npz", b"PK\x03\x04"),
        ("x.npz", npz(a=np.ones(3))),
        ("x.npz", npz(state=np.array([Bomb()], object))),
        ("x.npz", npz(state=np.frombuffer(b"{}", np.uint8))),
        ("x.npz", npz(state=np.ones((2, 2)))),
        ("x.npz", packed({"state": np.zeros(10_000_000, np.uint8)})),
        ("x.npz", b"\x93NUMPY" + b"\0" * 100),
    ],
)
def test_files_that_are_not_ours(name, content, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(cm.InputError, match="no saved tally") as caught:
        Tally.load(path)
    assert caught.value.faults[0].where == str(path)


def test_files_that_are_not_there(tmp_path):
    for path in (tmp_path / "x.json", tmp_path / "x.npz"):
        with pytest.raises(cm.InputError, match="CM001"):
            Tally.load(path)
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(cm.InputError, match="CM001"):
        Tally.load(tmp_path / "folder.json")
    with pytest.raises(cm.InputError, match="CM003"):
        Tally.load(tmp_path / "x.pkl")


GOOD = Tally().update(["a", "b"], ["a", "a"], [0.5, 1]).update(["a"], ["b"]).to_dict()


@pytest.mark.parametrize(
    "change",
    [
        {"version": 2},
        {"labels": ["a"]},
        {"labels": ["a", "a"]},
        {"labels": ["a", 1]},
        {"labels": ["a", None]},
        {"labels": "ab"},
        {"labels": [["a"], ["b"]]},
        {"counts": [[1, 2]]},
        {"counts": [[1, -2], [0, 0]]},
        {"counts": [[1, 0.5], [0, 0]]},
        {"counts": [[1, "2"], [0, 0]]},
        {"counts": [[1, 2**70], [0, 0]]},
        {"counts": [[2**62, 2**62], [0, 0]]},
        {"counts": None},
        {"counts": [[1, 2], [0]]},
        {"sums": [[float("nan"), 0.0], [0.0, 0.0]]},
        {"sums": [[-1.0, 0.0], [0.0, 0.0]]},
        {"sums": [[1, 0], [0, 0]]},
        {"lost": [[float("inf"), 0.0], [0.0, 0.0]]},
        {"cases": -1},
        {"cases": "3"},
        {"cases": True},
        {"max_classes": 1},
        {"max_classes": None},
    ],
)
def test_states_that_are_damaged(change):
    assert Tally.from_dict(GOOD).to_dict() == GOOD
    state = {**GOOD, **change}
    if change.get("counts") == [[2**62, 2**62], [0, 0]]:
        del state["sums"], state["lost"]
    with pytest.raises(cm.InputError, match="CM201"):
        Tally.from_dict(state)
    for key in GOOD:
        with pytest.raises(cm.InputError, match="CM201"):
            Tally.from_dict({k: v for k, v in state.items() if k != key})


def test_an_archive_is_plain(tmp_path):
    path = tmp_path / "x.npz"
    Tally().update(["a", "b"], ["a", "a"], [0.5, 1]).save(path)
    with zipfile.ZipFile(path) as archive:
        assert set(archive.namelist()) == {"state.npy", "counts.npy", "sums.npy", "lost.npy"}
    with np.load(path, allow_pickle=False) as arrays:
        assert arrays["sums"].tolist() == [[0.5, 0], [1, 0]]

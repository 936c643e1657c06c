"""Files: read as they are meant, refused with the place and the way out, and never more than files."""

import datetime as dt
import gzip
import json
import math
import os
import random
import signal
import sys
import threading
from collections import Counter
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from conftest import require
from hypothesis import given
from hypothesis import strategies as st

import chancemeter as cm
from chancemeter.errors import InputError

sys.path.insert(0, str(Path(__file__).parent / "hostile"))
import makers


@pytest.fixture(autouse=True)
def _engine():
    require("duckdb", present=find_spec("duckdb") is not None)


def sources():
    from chancemeter.frames import files

    return files


def joined():
    from chancemeter.frames import joined

    return joined


def rows(grouped):
    """The groups as a multiset of rows."""
    found = Counter()
    columns = grouped.columns.values()
    for i, n in enumerate(grouped.counts.tolist()):
        row = tuple(None if c.codes[i] < 0 else c.categories[c.codes[i]] for c in columns)
        assert row not in found, "a row occurs in two groups"
        found[row] = n
    return found


def read(path, *names, weight=None, **options):
    with sources().FileSource(path, **options) as source:
        return rows(source.group(names or source.names(), weight))


def fault(path, *names, **options):
    with pytest.raises(InputError) as caught:
        read(path, *names, **options)
    return caught.value


@pytest.mark.parametrize("name", makers.CSV)
@pytest.mark.parametrize("packed", [False, True], ids=["plain", "gzip"])
def test_csv_that_others_misread(name, packed, tmp_path):
    raw, wanted = makers.CSV[name]
    path = tmp_path / ("x.csv.gz" if packed else "x.csv")
    path.write_bytes(gzip.compress(raw) if packed else raw)
    assert read(path) == Counter(wanted)


@pytest.mark.parametrize("name", makers.BAD)
def test_what_is_wrong_is_said(name, tmp_path):
    file, raw, code, words = makers.BAD[name]
    if file.endswith("arrow"):
        require("pyarrow", present=find_spec("pyarrow") is not None)
    path = makers.write(tmp_path, file, raw)
    error = fault(path)
    assert error.faults[0].code == code, str(error)
    for word in [*words, file]:
        assert word in str(error), str(error)


TABLE = [
    ("a", "a"),
    ("a", "b"),
    ("b", "b"),
    ("a", "a"),
    ("c", None),
    (None, "c"),
    ("é 'x\"y", "a,b"),
] * 3


def text_of(mark):
    def field(x):
        return "" if x is None else '"' + x.replace('"', '""') + '"'

    return "".join(mark.join(map(field, row)) + "\n" for row in [("true", "pred"), *TABLE])


def as_arff():
    def word(x):
        return "?" if x is None else "'" + x.replace("'", "\\'") + "'"

    labels = ",".join(map(word, ["c", "a", "b", "é 'x\"y", "a,b"]))
    head = (
        f"% made\n@RELATION 'r x'\n@attribute true {{{labels}}}\n@attribute 'pred' string\n@data\n"
    )
    return head + "".join(", ".join(map(word, row)) + "\n" for row in TABLE)


def arrow_table():
    import pyarrow as pa

    return pa.table({"true": [t for t, _ in TABLE], "pred": [p for _, p in TABLE]})


def write_as(kind, path):
    import duckdb

    if kind in {"csv", "txt"}:
        path.write_text(text_of(","), "utf-8")
    elif kind == "tsv":
        path.write_text(text_of("\t"), "utf-8")
    elif kind == "csv.gz":
        path.write_bytes(gzip.compress(text_of(",").encode()))
    elif kind == "csv.zst":
        path.with_name("plain").write_text(text_of(","), "utf-8")
        duckdb.sql(
            f"copy (select * from read_csv('{path.with_name('plain')}', all_varchar=true)) to '{path}'"
        )
    elif kind in {"jsonl", "ndjson.gz"}:
        lines = [
            {k: v for k, v in zip(("true", "pred"), row) if v or i % 2}
            for i, row in enumerate(TABLE)
        ]
        raw = "".join(json.dumps(x) + "\n" for x in lines).encode()
        path.write_bytes(gzip.compress(raw) if kind.endswith("gz") else raw)
    elif kind == "arff":
        path.write_text(as_arff(), "utf-8")
    else:
        require("pyarrow", present=find_spec("pyarrow") is not None)
        import pyarrow as pa
        import pyarrow.feather
        import pyarrow.parquet

        table = arrow_table()
        if kind == "parquet":
            pyarrow.parquet.write_table(table, path)
        elif kind == "feather":
            pyarrow.feather.write_feather(table, path)
        elif kind == "arrow":  # a stream, with dictionaries
            coded = pa.table({n: table[n].dictionary_encode() for n in table.column_names})
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_stream(sink, coded.schema) as out:
                out.write_table(coded, max_chunksize=4)
        else:
            with pa.OSFile(str(path), "wb") as sink, pa.ipc.new_file(sink, table.schema) as out:
                out.write_table(table, max_chunksize=5)


KINDS = [
    "csv", "txt", "tsv", "csv.gz", "csv.zst", "jsonl", "ndjson.gz", "arff", "parquet", "feather",
    "arrow", "ipc",
]  # fmt: skip


@pytest.mark.parametrize("few", [0, 1000], ids=["by the engine", "by hand"])
@pytest.mark.parametrize("kind", KINDS)
def test_the_same_table_in_every_format(kind, few, tmp_path, monkeypatch):
    from chancemeter.frames import duck

    monkeypatch.setattr(duck, "FEW", few)
    path = tmp_path / f"x.{kind}"
    write_as(kind, path)
    with sources().FileSource(path) as source:
        assert source.names() == ["true", "pred"]
        grouped = source.group(["true", "pred"])
        assert rows(grouped) == Counter(TABLE)
        assert grouped.rows == len(TABLE) == grouped.counts.sum()
        assert grouped.counts.dtype == np.int64
        assert all(c.codes.dtype == np.int64 and c.kind == "text" for c in grouped.columns.values())
        assert rows(source.group(["pred"])) == Counter((p,) for _, p in TABLE)
        assert source.group([]).counts.tolist() == [len(TABLE)]
        assert source.name == str(path)


def test_declared_labels_keep_their_order(tmp_path):
    path = tmp_path / "x.arff"
    write_as("arff", path)
    with sources().FileSource(path) as source:
        grouped = source.group(["true", "pred"])
    assert grouped.columns["true"].ordered
    assert grouped.columns["true"].categories == ("c", "a", "b", "é 'x\"y", "a,b")
    assert grouped.columns["pred"].categories == tuple(sorted(grouped.columns["pred"].categories))


def test_numbers_in_arff(tmp_path):
    path = tmp_path / "x.arff"
    path.write_text(
        "@relation r\n@attribute a integer\n@attribute b REAL\n@data\n1, 2.5\n?,?\n7,1e3\n"
    )
    assert read(path) == Counter([(1, 2.5), (None, None), (7, 1000.0)])


def test_arff_in_memory(tmp_path):
    from chancemeter.frames.arff import load

    path = tmp_path / "x.arff"
    write_as("arff", path)
    attributes, columns = load(path)
    assert [a.name for a in attributes] == ["true", "pred"]
    assert attributes[0].labels == ("c", "a", "b", "é 'x\"y", "a,b")
    assert list(zip(*columns, strict=True)) == TABLE
    for name, content in {
        "x.csv": b"a,b\n1,2\n",
        "bad.arff.gz": gzip.compress(b"@relation" * 9)[:25],
    }.items():
        with pytest.raises(InputError) as caught:
            load(makers.write(tmp_path, name, content))
        assert caught.value.faults[0].code in {"CM001", "CM003"}


def test_an_arff_bomb_is_bounded(tmp_path):
    path = tmp_path / "x.arff.gz"
    with gzip.open(path, "wt") as out:
        out.write("@relation x\n@attribute t {a}\n@data\n")
        out.writelines("a\n" * 100_000 for _ in range(20))
    assert "more than 1,000 rows" in str(fault(path, max_rows=1000))


def test_other_encodings(tmp_path):
    raw = "t,p\nä,ö\nä,\n"
    for encoding in ("latin-1", "utf-16", "utf-16-le", "cp1252", "utf-8-sig"):
        path = makers.write(tmp_path, "x.csv", raw.encode(encoding))
        assert read(path, encoding=encoding) == Counter([("ä", "ö"), ("ä", None)])
    assert "no encoding" in str(fault(path, encoding="martian"))


@pytest.mark.parametrize("few", [0, 1000], ids=["by the engine", "by hand"])
def test_types_of_parquet_are_kept(few, tmp_path, monkeypatch):
    from chancemeter.frames import duck

    monkeypatch.setattr(duck, "FEW", few)
    require("pyarrow", present=find_spec("pyarrow") is not None)
    import pyarrow as pa
    import pyarrow.parquet as pq

    day = dt.date(2020, 1, 2)
    moment = dt.datetime(2020, 1, 2, 3, 4, 5)  # noqa: DTZ001  the file has none
    columns = {
        "i": (pa.array([1, 1, None], pa.int8()), "integer", (1,)),
        "u": (pa.array([2**64 - 1, 0, 0], pa.uint64()), "integer", (0, 2**64 - 1)),
        "f": (pa.array([1.5, math.nan, None]), "float", (1.5,)),
        "zero": (pa.array([0.0, -0.0, 0.0], pa.float32()), "float", (0.0,)),
        "b": (pa.array([True, False, None]), "boolean", (False, True)),
        "d": (pa.array([day, None, day]), "date", (day,)),
        "ts": (pa.array([moment, None, None], pa.timestamp("us")), "date", (moment,)),
        "tz": (pa.array([moment, None, None], pa.timestamp("us", "UTC")), "date", (moment,)),
        "s": (pa.array(["b", "", None]), "text", ("", "b")),
        "nul": (pa.array(["a\x00b", None, None]), "text", ("a\x00b",)),
        "none": (pa.nulls(3), "none", ()),
        "allnull": (pa.array([None] * 3, pa.string()), "none", ()),
        "dict": (pa.array(["x", "y", None]).dictionary_encode(), "text", ("x", "y")),
    }
    table = pa.table({k: v[0] for k, v in columns.items()})
    pq.write_table(table, tmp_path / "x.parquet")
    import pyarrow.feather as feather

    feather.write_feather(table, tmp_path / "x.feather")
    for name in ("x.parquet", "x.feather"):
        with sources().FileSource(tmp_path / name) as source:
            for column, (_, kind, values) in columns.items():
                found = source.group([column]).columns[column]
                assert (found.kind, found.categories) == (kind, values), (name, column)


def test_lists_are_no_labels(tmp_path):
    path = tmp_path / "x.parquet"
    parquet(path, "select [1] as t, {'a': 1} as p, 'x'::blob as b, 'y' as ok")
    assert read(path, "ok") == Counter([("y",)])
    for column, word in (("t", "lists"), ("p", "records"), ("b", "bytes")):
        error = fault(path, column)
        assert word in str(error)
        assert error.faults[0].code == "CM104"


def parquet(path, select):
    import duckdb

    duckdb.connect().execute(f"copy ({select}) to '{path}' (format parquet)")


def test_values_of_json_are_what_they_say(tmp_path):
    path = tmp_path / "x.jsonl"
    lines = [
        {"a": "1", "b": 1},
        {"a": 1, "b": 0.5},
        {"a": None, "b": 1.0},
        {"a": "\u00e9"},
        {"a": "x"},
    ]
    text = "".join(json.dumps(x) + "\n" for x in lines) + '{"a": "é", "b": NaN}\n'
    path.write_text(text, "utf-8")
    with sources().FileSource(path) as source:
        a, b = (source.group([n]) for n in "ab")
    assert rows(a) == Counter([("1",), (1,), (None,), ("é",), ("é",), ("x",)])
    assert a.columns["a"].kind == "mixed"
    assert rows(b) == Counter([(1.0,), (0.5,), (1.0,), (None,), (None,), (None,)])
    assert b.columns["b"].kind == "float"
    path.write_text('{"a": true, "b": [1]}\n{"a": 1, "b": [1]}\n')
    assert "true or false beside numbers" in str(fault(path, "a"))
    assert "lists or records" in str(fault(path, "b"))


HOSTILE = [
    'a"; DROP TABLE x; --',
    "it's",
    "x\ny",
    "a;b",
    "A",
    "a",
    "",
    "c0",
    "' OR 1=1",
    "a/b~c",
    "$",
    "é",
]


@pytest.mark.parametrize("kind", ["csv", "parquet", "jsonl", "ipc"])
def test_names_of_columns_are_only_names(kind, tmp_path):
    path = tmp_path / f"x.{kind}"
    values = [str(i) for i in range(len(HOSTILE))]
    if kind == "csv":
        head = ",".join('"' + n.replace('"', '""') + '"' for n in HOSTILE)
        path.write_text(f"{head}\n{','.join(values)}\n", "utf-8")
    elif kind == "jsonl":
        path.write_text(json.dumps(dict(zip(HOSTILE, values))) + "\n")
    else:
        require("pyarrow", present=find_spec("pyarrow") is not None)
        import pyarrow as pa
        import pyarrow.feather
        import pyarrow.parquet

        table = pa.Table.from_arrays([pa.array([v]) for v in values], names=HOSTILE)
        write = pyarrow.parquet.write_table if kind == "parquet" else pyarrow.feather.write_feather
        write(table, path)
    with sources().FileSource(path) as source:
        assert source.names() == HOSTILE
        for name, value in zip(HOSTILE, values):
            assert rows(source.group([name])) == Counter([(value,)])
        assert rows(source.group(HOSTILE)) == Counter([tuple(values)])


def test_a_name_that_occurs_twice_is_only_a_fault_if_asked_for(tmp_path):
    path = makers.write(tmp_path, "x.csv", b"a,b,a\n1,2,3\n")
    assert read(path, "b") == Counter([("2",)])
    assert "two columns" in str(fault(path, "a"))
    error = fault(path, "B", "zz")
    assert len(error.faults) == 2
    assert "did you mean b?" in str(error)


@pytest.mark.parametrize(
    "name", ["a[bc].csv", "a*.csv", "what?.csv", "it's.csv", 'q"q.csv', "{x,y}.csv", "[a].parquet"]
)
def test_signs_of_patterns_in_names(name, tmp_path):
    """A name that is also a pattern means the file of that name."""
    makers.write(tmp_path, "ab.csv", b"t\nwrong\n")
    makers.write(tmp_path, "whatx.csv", b"t\nwrong\n")
    path = tmp_path / name
    if name.endswith("parquet"):
        parquet(path, "select 'right' as t")
    else:
        path.write_bytes(b"t\nright\n")
    assert read(path) == Counter([("right",)])
    assert read(str(path), glob=True) == Counter([("right",)])


def test_predictions_are_called_after_their_file_or_folder(tmp_path):
    raw = b"y_true,y_pred\na,a\n"
    makers.write(tmp_path, "x.y.csv", raw)
    makers.write(tmp_path, "z.csv.gz", gzip.compress(raw))
    assert cm.read(tmp_path / "x.y.csv").name == "x.y"
    assert cm.read(tmp_path / "z.csv.gz").name == "z"
    assert cm.read(tmp_path).name == tmp_path.name


def test_patterns_and_folders(tmp_path):
    for i in range(3):
        makers.write(tmp_path, f"p{i}.csv", f"t,p\na,{i}\n".encode())
    makers.write(tmp_path, "_SUCCESS", b"")
    makers.write(tmp_path, ".hidden.csv", b"no")
    makers.write(tmp_path, "notes.md", b"no")
    wanted = Counter([("a", "0"), ("a", "1"), ("a", "2")])
    assert read(tmp_path) == wanted
    assert read(str(tmp_path / "p*.csv"), glob=True) == wanted
    assert read([tmp_path / f"p{i}.csv" for i in range(3)]) == wanted
    assert "glob=True" in str(fault(str(tmp_path / "p*.csv")))
    assert "no file has such a name" in str(fault(str(tmp_path / "q*.csv"), glob=True))
    assert "did you mean p1.csv" in str(fault(tmp_path / "p1.cvs"))
    assert "there is no folder" in str(fault(tmp_path / "nowhere" / "p.csv"))
    assert "twice" in str(fault([tmp_path / "p1.csv", tmp_path / "." / "p1.csv"]))
    makers.write(tmp_path, "x.jsonl", b'{"t": 1}\n')
    assert "two kinds" in str(fault(tmp_path))
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "an empty folder" in str(fault(empty))
    assert "no file was named" in str(fault([]))


def test_files_of_different_columns(tmp_path):
    a = makers.write(tmp_path, "a.csv", b"t,p\n1,2\n")
    b = makers.write(tmp_path, "b.tsv", b"p\tt\n2\t1\n")
    c = makers.write(tmp_path, "c.csv", b"t,q\n1,2\n")
    assert read([a, b]) == Counter({("1", "2"): 2})
    error = fault([a, c])
    assert "'p' is in a.csv but not in c.csv" in str(error)
    d, e, f = (tmp_path / f"{x}.parquet" for x in "def")
    parquet(d, "select 1::tinyint as t, 'x' as p")
    parquet(e, "select 'x' as p, 300::bigint as t")
    parquet(f, "select 'x' as p, 'y' as t")
    assert read([d, e]) == Counter([(1, "x"), (300, "x")])
    error = fault([d, f])
    assert "column 't' holds text here" in str(error)
    assert "whole numbers in d.parquet" in str(error)
    assert "f.parquet" in str(error)


def test_which_file_is_at_fault(tmp_path):
    good = makers.write(tmp_path, "good.csv", b"t,p\na,b\n")
    bad = makers.write(tmp_path, "bad.csv", b"t,p\na,b\nc\n")
    mixed = makers.write(tmp_path, "mixed.csv", b"t,p\nx,y\r\nz,w\n")
    assert f"{bad}:3" in str(fault([good, mixed, bad]))
    assert read([good, mixed]) == Counter([("a", "b"), ("x", "y"), ("z", "w")])


@pytest.mark.parametrize("where", ["footer", "page", "end"])
def test_damaged_parquet(where, tmp_path):
    path = tmp_path / "x.parquet"
    parquet(path, "select 'a' || (i % 7) as t, random() as s from range(5000) r(i)")
    raw = bytearray(path.read_bytes())
    if where == "footer":
        raw[-8:-4] = b"\x00\x00\x00\x7f"
    elif where == "page":
        raw[4:40] = b"\xff" * 36
    else:
        raw = raw[: len(raw) // 2]
    path.write_bytes(raw)
    error = fault(path, "t")
    assert error.faults[0].code == "CM001"
    assert str(path) in str(error)


def test_weights(tmp_path):
    path = makers.write(tmp_path, "x.csv", b"t,w\na,1\na,2.5\nb,0\nb,1e-3\n")
    with sources().FileSource(path) as source:
        grouped = source.group(["t"], weight="w")
    assert rows(grouped) == {("a",): 3.5, ("b",): 0.001}
    assert grouped.rows == 4
    assert grouped.counts.dtype == np.float64
    for bad in ("-1", "nan", "inf", "x", "", "1_0"):
        path.write_text(f"t,w\na,1\na,{bad}\n")
        error = fault(path, "t", weight="w")
        assert error.faults[0].code == "CM106"
        assert "1 of 2 weights" in str(error)


@pytest.mark.parametrize("size", [1.0, 1e-12, 1e15, 1e300])
def test_weights_are_summed_exactly(size, tmp_path):
    rng = random.Random(1)
    weights = [size * rng.random() for _ in range(2000)]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(json.dumps({"t": i % 3, "w": w}) + "\n" for i, w in enumerate(weights)))
    found = {read(path, "t", weight="w")[(1,)] for _ in range(3)}
    exact = float(sum(map(Fraction, weights[1::3])))
    assert len(found) == 1
    assert abs(found.pop() - exact) <= 1e-15 * exact


def test_scores(tmp_path):
    path = makers.write(tmp_path, "x.csv", b"t,s,f\na,0.5,1\nb,0.5,1\na,.5,2\nb,0.25,2\na,1e-1,2\n")
    with sources().FileSource(path) as source:
        found = source.score_counts("s", "t")
        assert found.exact
        assert found.auc_error == 0
        wanted = Counter({(0.5, "a"): 2, (0.5, "b"): 1, (0.25, "b"): 1, (0.1, "a"): 1})
        assert rows(found) == wanted
        assert found.columns["s"].categories == (0.1, 0.25, 0.5)
        assert len(source.score_counts("s", "t", ["f"]).columns) == 3
    path.write_text("t,s\na,0.5\nb,nan\na,inf\nb,\na,x\n")
    with sources().FileSource(path) as source, pytest.raises(InputError) as caught:
        source.score_counts("s", "t")
    assert caught.value.faults[0].code == "CM006"
    assert "4 of 5 scores" in str(caught.value)


def test_scores_in_bins_keep_to_their_bound(tmp_path):
    path = tmp_path / "x.parquet"
    rng = np.random.default_rng(0)
    truth, score = rng.integers(0, 2, 50_000), rng.normal(size=50_000)
    score[:100] = np.round(score[:100], 1)
    score[0] = 1e6  # a long tail makes the bins wide
    save(path, t=truth, s=score + truth)
    with sources().FileSource(path) as source:
        exact, binned = source.score_counts("s", "t"), source.score_counts("s", "t", most=1000)
    assert exact.exact
    assert not binned.exact
    assert binned.rows == 50_000
    off = abs(auc(exact) - auc(binned))
    assert 0 < off <= binned.auc_error
    assert binned.half_width == 8  # bins are a power of two wide
    save(path, t=truth, s=1 / (1 + np.exp(-score - truth)))
    with sources().FileSource(path) as source:
        binned = source.score_counts("s", "t", most=1000)
    assert binned.half_width == 2**-17
    assert binned.auc_error < 1e-3


def save(path, **columns):
    require("pyarrow", present=find_spec("pyarrow") is not None)
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table(columns), path)


def auc(grouped):
    t, s = grouped.columns["t"], grouped.columns["s"]
    table = np.zeros((len(s.categories), 2), np.int64)
    np.add.at(table, (s.codes, t.codes), grouped.counts)
    below = np.cumsum(table[:, 0]) - table[:, 0]
    return float((table[:, 1] * (below + table[:, 0] / 2)).sum() / np.prod(table.sum(0)))


def test_too_many_rows_and_too_many_groups(tmp_path, monkeypatch):
    from chancemeter.frames import duck, files

    path = makers.write(tmp_path, "x.csv", b"t\n" + b"a\n" * 100)
    assert read(path, max_rows=100) == Counter({("a",): 100})
    assert "more than 99 rows" in str(fault(path, max_rows=99))
    parquet(tmp_path / "x.parquet", "select i from range(100) r(i)")
    assert "more than 99 rows" in str(fault(tmp_path / "x.parquet", max_rows=99))
    many = duck.count_groups

    def few(engine, question):
        return many(engine, files.replace(question, max_groups=50))

    monkeypatch.setattr(files, "count_groups", few)
    error = fault(tmp_path / "x.parquet")
    assert error.faults[0].code == "CM105"
    assert "identifier" in str(error)
    assert "'i'" in str(error)
    monkeypatch.setattr(files, "LARGE", 10)
    monkeypatch.setattr(duck, "FIRST_ROWS", 80)
    error = fault(tmp_path / "x.parquet")
    assert "among the first 80 rows" in str(error)


@pytest.mark.parametrize("row", [b"a,b,", b",,", b'"a","b",'])
def test_an_empty_field_too_many_is_one_too_many(row, tmp_path):
    path = makers.write(tmp_path, "x.csv", b"t,p\na,b\n" + row + b"\nb,b\n")
    assert "3 fields where the first line has 2" in str(fault(path))
    assert f"{path}:3" in str(fault(path))


def test_any_delimiter(tmp_path):
    for mark in ";|\t§":
        path = makers.write(tmp_path, "x.csv", f't{mark}p\na{mark}"b{mark}"\n'.encode())
        assert read(path, delimiter=mark) == Counter([("a", f"b{mark}")])


def test_a_gzip_bomb_is_bounded(tmp_path):
    path = tmp_path / "bomb.csv.gz"
    with gzip.open(path, "wb") as out:
        out.write(b"t\n")
        for _ in range(20):
            out.write(b"a\n" * 500_000)
    assert path.stat().st_size < 30_000
    assert "more than 1,000 rows" in str(fault(path, max_rows=1000))
    with gzip.open(path, "wb") as out:  # one line without an end
        out.write(b"t\n")
        for _ in range(40):
            out.write(b"a" * 1_000_000)
    error = fault(path)
    assert error.faults[0].code == "CM004"
    assert "longer than" in str(error)


def test_the_connection_reaches_nothing_else(tmp_path):
    import duckdb

    path = makers.write(tmp_path, "in[put].csv", b"t\na\n")
    other = makers.write(tmp_path, "other.csv", b"t\nsecret\n")
    makers.write(tmp_path, "input.csv", b"t\nsecret\n")
    secret = object()
    with sources().FileSource(path) as source:
        connection = source.engine.connection
        for sql in (
            f"SELECT * FROM read_csv('{other}')",
            f"SELECT * FROM '{other}'",
            f"SELECT * FROM read_text('{other}')",
            "SELECT * FROM read_text('/etc/hostname')",
            f"SELECT * FROM read_csv('{tmp_path}/in*.csv')",
            f"SELECT * FROM glob('{tmp_path}/*')",
            f"COPY (SELECT 1) TO '{tmp_path}/out.csv'",
            f"COPY (SELECT 1) TO '{other}' (USE_TMP_FILE false)",
            f"ATTACH '{tmp_path}/x.db'",
            f"EXPORT DATABASE '{tmp_path}/x'",
            "INSTALL httpfs",
            "LOAD httpfs",
            "SELECT * FROM read_csv('https://example.org/x.csv')",
            "SET enable_external_access=true",
            "SET memory_limit='100GB'",
            "RESET lock_configuration",
            "SELECT * FROM secret",
            "CREATE PERSISTENT SECRET s (TYPE s3)",
        ):
            with pytest.raises(duckdb.Error):
                print(connection.execute(sql).fetchall(), sql)
        assert rows(source.group(["t"])) == Counter([("a",)])
    assert other.read_bytes() == b"t\nsecret\n"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["in[put].csv", "input.csv", "other.csv"]
    del secret


def test_nothing_is_left_behind(tmp_path):
    good = makers.write(tmp_path, "x.csv", b"t,p\na,b\r\nc,d\n")
    source = sources().FileSource(good)
    folder = source.engine.folder
    source.group(["t"])
    assert folder.exists()
    source.close()
    assert not folder.exists()
    source = sources().FileSource(good)
    folder = source.engine.folder
    del source
    assert not folder.exists()


@pytest.mark.skipif(os.name == "nt", reason="no such signals")
def test_ctrl_c_stops_at_once(tmp_path, request):
    # Spark, if another test has used it, leaves a handler of its own behind.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    request.addfinalizer(lambda: signal.signal(signal.SIGINT, before))
    path = tmp_path / "x.parquet"
    parquet(path, "select i % 10 as t from range(10) r(i)")
    with sources().FileSource(path) as source:
        slow = "SELECT count(*) FROM range(100_000_000_000) t(i) WHERE i % 7 = 3"
        timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        with pytest.raises(KeyboardInterrupt):
            source.engine.rows(slow)
        timer.join()
        assert source.group(["t"]).rows == 10


def test_progress(tmp_path):
    path = tmp_path / "x.csv"
    path.write_bytes(
        b"t,p\n" + b"".join(b"label%d,label%d\n" % (i % 7, i % 5) for i in range(400_000))
    )
    seen = []
    with sources().FileSource(path, progress=lambda *x: seen.append(x)) as source:
        source.group(["t", "p"])
    looked = [share for share, rows in seen if rows is None]  # while lines are counted
    packed = makers.write(tmp_path, "x.csv.gz", gzip.compress(path.read_bytes(), 1))
    seen_packed = []
    with sources().FileSource(packed, progress=lambda *x: seen_packed.append(x)) as source:
        source.group(["t", "p"])
    assert len({share for share, rows in seen_packed if rows is None}) > 2
    assert len(looked) > 10
    assert looked == sorted(looked)
    assert looked[-1] == 1
    assert all(0 <= share <= 1 for share, _ in seen)
    assert {rows for _, rows in seen} <= {None, 400_000}

    def stop(*_):
        raise RuntimeError

    with sources().FileSource(path, progress=stop) as source, pytest.raises(RuntimeError):
        source.group(["t", "p"])


def test_progress_of_a_query(tmp_path):
    path = tmp_path / "x.parquet"
    parquet(path, "select i % 10 as t from range(10) r(i)")
    seen = []
    with sources().FileSource(path, progress=lambda *x: seen.append(x)) as source:
        source.group(["t"])
        source.engine.rows("SELECT count(*) FROM range(500_000_000) t(i) WHERE i % 7 = 3")
    assert seen
    assert seen == sorted(seen)
    assert {rows for _, rows in seen} == {10}


def test_numbers_on_request(tmp_path):
    path = makers.write(tmp_path, "x.csv", b"a,b,c\n007,1,x\n+7,2.5,1\n7,1e1,2\n,,\n")
    with sources().FileSource(path, columns_as_text=False) as source:
        grouped = source.group(["a"])
        assert rows(grouped) == Counter({(7,): 3, (None,): 1})
        assert grouped.columns["a"].kind == "integer"
        assert source.group(["b"]).columns["b"].categories == (1.0, 2.5, 10.0)
        assert source.group(["c"]).columns["c"].kind == "text"


def test_many_line_breaks_in_quotes(tmp_path):
    """The fast reader loses its way here, and the next one takes over."""
    rng = random.Random(3)
    bits = ["a", "\n", "\r\n", '"', ",", '",\n"', "x" * 50, 'a,b\n"c"\n']
    table = [
        tuple("".join(rng.choices(bits, k=rng.randint(0, 6))) for _ in "tp") for _ in range(100_000)
    ]
    table = [(a, b) for a, b in table if a or b]
    path = tmp_path / "x.csv"
    with path.open("w", newline="") as out:
        out.write("t,p\n")
        for row in table:
            out.write(",".join('"' + x.replace('"', '""') + '"' for x in row) + "\n")
    wanted = Counter(tuple(x or None for x in row) for row in table)
    assert read(path) == wanted


labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=6)


@given(
    st.lists(st.tuples(labels, labels), min_size=1, max_size=20),
    st.sampled_from(["\n", "\r\n", "\r"]),
    st.booleans(),
)
def test_any_labels_in_csv_and_json(tmp_path_factory, table, end, mixed):
    import csv

    folder = tmp_path_factory.mktemp("any")
    with (folder / "x.csv").open("w", newline="", encoding="utf-8") as out:
        out.write("t,p" + end)
        for i, row in enumerate(table):
            stop = ["\n", "\r\n"][i % 2] if mixed else end
            quoted = ['"' + x.replace('"', '""') + '"' for x in row]
            out.write(",".join(quoted) + stop)
    wanted = Counter(tuple(x or None for x in row) for row in table)
    assert read(folder / "x.csv") == wanted
    with (folder / "x.csv").open(newline="", encoding="utf-8") as again:
        assert Counter(tuple(x or None for x in r) for r in list(csv.reader(again))[1:]) == wanted
    lines = "".join(json.dumps({"t": t, "p": p}, ensure_ascii=mixed) + "\n" for t, p in table)
    (folder / "x.jsonl").write_text(lines, "utf-8")
    assert read(folder / "x.jsonl") == Counter(table)
    for path in folder.iterdir():
        path.unlink()
    folder.rmdir()


@given(
    st.lists(
        st.lists(st.sampled_from(["a", "", '"', "\n", "\r", "\r\n", ",", " "]), max_size=6),
        max_size=8,
    )
)
def test_any_bytes_are_read_as_python_reads_them_or_refused(tmp_path_factory, pieces):
    """Never something else: what is read, the csv module reads too."""
    import csv
    import io

    folder = tmp_path_factory.mktemp("bytes")
    raw = "t,p\n" + ",".join("".join(x) for x in pieces)
    path = folder / "x.csv"
    path.write_bytes(raw.encode())
    try:
        found = read(path)
    except InputError:
        found = None
    path.unlink()
    folder.rmdir()
    try:
        listed = [
            tuple(x or None for x in r)
            for r in csv.reader(io.StringIO(raw, newline=""), strict=True)
            if r
        ]
    except csv.Error:
        listed = None
    blank_beside_quote = ' "' in raw or '" ' in raw
    if listed is not None:  # delimiters at the end of a row, with nothing between, do no harm
        listed = [r[:2] if not any(r[2:]) else r for r in listed]
    if found is not None and not blank_beside_quote:
        assert listed is not None
        assert found == Counter(listed[1:])


@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost_at_the_end_of_a_buffer(seed, tmp_path, monkeypatch):
    """The engine forgets some last rows without a word; here its buffers are made small."""
    import csv
    import io

    from chancemeter.frames import readings

    reader, size = readings.csv_reader, 20_000

    def small(*args, new=False, **more):
        more_ = "" if new else f", buffer_size={size}, max_line_size=2000"
        return reader(*args, new=new, **more)[:-1] + more_ + ")"

    monkeypatch.setattr(readings, "csv_reader", small)
    rng = random.Random(seed)
    for i in range(15):
        end = rng.choice(["\n", "\r\n"])
        cells = ['"a"', "bb", '"c""c"', '"d\nd"'] if rng.random() < 0.5 else ["a", "bb", "ccc"]
        lines, length = ["t,p"], 10
        target = size * rng.choice([1, 2, 3]) + rng.randint(-20, 30)
        while length < target - 20:
            lines.append(rng.choice(cells) + ",b")
            length += len(lines[-1]) + len(end)
        lines.append("x" * max(0, target - length - 3) + ",y")
        far = rng.choice([3000, size, size + 10, 2 * size, 3 * size + 5])
        lines += [[], ['"c,d'], ['c,"d'], ["q"], ["z" * far + ",w"], ["", "", "e,f", ""]][i % 6]
        raw = end.join(lines) + rng.choice(["", end])
        path = makers.write(tmp_path, "x.csv", raw.encode())
        try:
            rows_ = [r for r in csv.reader(io.StringIO(raw, newline=""), strict=True) if r]
        except csv.Error:
            rows_ = [[]]
        if any(len(r) != 2 for r in rows_):
            assert fault(path).faults[0].code == "CM004"
        else:
            assert read(path) == Counter(tuple(x or None for x in r) for r in rows_[1:])


# Joined by id


def write_joined(folder, **files):
    for name, text in files.items():
        makers.write(folder, f"{name}.csv", text.encode())
    return {name: folder / f"{name}.csv" for name in files}


def test_joined_by_id(tmp_path):
    paths = write_joined(
        tmp_path,
        truth="id,true,fold\n1,a,x\n2,b,x\n3,a,y\n",
        one="id,pred\n3,a\n1,b\n2,b\n",
        two="score,predicted,id\n0.5,a,1\n0.25,a,2\n1,b,3\n",
    )
    truth = paths.pop("truth")
    with joined().JoinedSource(truth, paths, "id") as source:
        assert source.names() == ["id", "true", "fold", "one", "two.score", "two"]
        grouped = source.group(["true", "one", "two", "fold"])
        assert rows(grouped) == Counter(
            [("a", "b", "a", "x"), ("b", "b", "a", "x"), ("a", "a", "b", "y")]
        )
        found = source.score_counts("two.score", "true")
        assert rows(found) == Counter([(0.5, "a"), (0.25, "b"), (1.0, "a")])
        with pytest.raises(InputError, match="no column is named 'three'"):
            source.group(["three"])
    with (
        sources().FileSource(truth) as opened,
        joined().JoinedSource(opened, paths, "id") as source,
    ):
        assert source.group(["true"]).rows == 3


def test_ids_that_do_not_match(tmp_path):
    paths = write_joined(
        tmp_path,
        truth="id,true\n1,a\n2,b\n3,a\n4,a\n",
        one="id,pred\n3,a\n1,b\n2,b\n9,b\n8,b\n",
        twice="id,pred\n1,a\n1,a\n2,b\n3,c\n,d\n4,a\n",
    )
    join = joined().JoinedSource
    with pytest.raises(InputError) as caught:
        join(paths["truth"], {"one": paths["one"]}, "id")
    said = str(caught.value)
    assert {f.code for f in caught.value.faults} == {"CM007"}
    assert "1 id of" in said
    assert "'4'" in said
    assert "2 ids of" in said
    assert "'8', '9'" in said
    with join(paths["truth"], {"one": paths["one"]}, "id", missing_ids="drop") as source:
        assert rows(source.group(["true", "one"])) == Counter([("a", "b"), ("b", "b"), ("a", "a")])
        assert len(source.notes) == 2
    with pytest.raises(InputError) as caught:
        join(paths["truth"], {"twice": paths["twice"]}, "id", missing_ids="drop")
    assert "1 id more than once" in str(caught.value)
    assert "1 row without an id" in str(caught.value)
    with pytest.raises(InputError, match="missing_ids"):
        join(paths["truth"], {"one": paths["one"]}, "id", missing_ids="ignore")


def test_joined_across_formats(tmp_path):
    parquet(tmp_path / "t.parquet", "select i as id, 'c' || (i % 3) as true from range(100) r(i)")
    lines = "".join(json.dumps({"id": i, "pred": f"c{i % 2}"}) + "\n" for i in reversed(range(100)))
    (tmp_path / "j.jsonl").write_text(lines)
    (tmp_path / "c.csv").write_text("id,a,b\n" + "".join(f"{i},c{i % 5},x\n" for i in range(100)))
    with pytest.raises(InputError, match="which column holds the predictions"):
        joined().JoinedSource(tmp_path / "t.parquet", {"c": tmp_path / "c.csv"}, "id")
    models = {"j": tmp_path / "j.jsonl", "true": tmp_path / "j.jsonl"}
    with pytest.raises(InputError, match="both called 'true'"):
        joined().JoinedSource(tmp_path / "t.parquet", models, "id")
    both = [tmp_path / "c.csv"]
    with joined().JoinedSource(tmp_path / "t.parquet", {"c": both}, "id", predicted="a") as source:
        found = rows(source.group(["true", "c"]))
        assert found == Counter((f"c{i % 3}", f"c{i % 5}") for i in range(100))
    with joined().JoinedSource(tmp_path / "t.parquet", {"j": tmp_path / "j.jsonl"}, "id") as source:
        assert rows(source.group(["true", "j"])) == Counter(
            (f"c{i % 3}", f"c{i % 2}") for i in range(100)
        )


def test_without_the_engine(tmp_path, monkeypatch):
    from chancemeter.frames import paths

    monkeypatch.setattr(paths, "find_spec", lambda name: None)
    error = fault(makers.write(tmp_path, "x.csv", b"t\na\n"))
    assert error.faults[0].code == "CM005"
    assert "chancemeter[files]" in str(error)


def test_fields_of_blanks_are_missing_as_in_small_files(tmp_path):
    from chancemeter.csvfiles import read_predictions
    from chancemeter.frames.read import read as read_all

    path = makers.write(tmp_path, "x.csv", b"y_true,y_pred\na,a\nb,  \nb,\na,\t\n ,b\n")
    for reader in (read_predictions, read_all):
        with pytest.raises(InputError, match="4 of 5 rows lack a label"):
            reader(path)
    small = read_predictions(path, missing="class").tables["x"]
    assert small == read_all(path, missing="class").table


def test_scores_in_bins_with_labels_that_are_spelt_in_two_ways(tmp_path):
    path = tmp_path / "x.jsonl"
    labels = ['"a"', '"\\u0061"', '"b"', "null"]
    lines = [f'{{"t": {labels[i % 4]}, "s": {(i % 500) / 500}}}' for i in range(4_000)]
    path.write_text("\n".join(lines))
    with sources().FileSource(path) as source:
        binned = source.score_counts("s", "t", most=10)
        whole = source.score_counts("s", "t")
    for found in (binned, whole):
        assert found.columns["t"].categories == ("a", "b")
        assert found.counts.sum() == 4_000
        times = np.bincount(found.columns["t"].codes + 1, found.counts)
        assert times.tolist() == [1_000, 2_000, 1_000]
    assert len(binned.counts) == len(whole.counts)

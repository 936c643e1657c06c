"""The same rows through every path give the same counts; engines, to the last bit of a weight."""

import csv
import datetime as dt
import itertools
import json
import math
import operator
import random
import sys
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cache, reduce

import numpy as np
import pytest
from engines_support import engine as started
from engines_support import needs

from chancemeter.errors import InputError
from chancemeter.frames.arrays import ArraySource, FrameSource
from chancemeter.frames.engines import EngineSource, connect
from chancemeter.frames.files import FileSource
from chancemeter.frames.grouped import Column, Grouped
from chancemeter.frames.read import read
from chancemeter.frames.stream import Tally
from chancemeter.labels import tally

pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
    # pyspark's own sockets and pandas conversions
    pytest.mark.filterwarnings("ignore::FutureWarning", "ignore::UserWarning"),
]

ENGINES = ["duckdb", "postgres", "spark"]
FRAMES = 200
NAMES = ["truth", "m 0", 'm"1', "m2"]
#: Labels that somebody's reader has merged, dropped or turned into something else.
TEXTS = [
    *("a", "A", "a ", " a", "A\u0301", "\u00c1", "ß", "SS", "007", "7", "7.0", "+1", "-1", "=1+1"),
    *("NA", "nan", "NaN", "null", "NULL", "None", "true", "True", "TRUE", "inf", "2020-01-01"),
    *('qu"ote', '"', "it's", "com,ma", "semi;colon", "line\nbreak", "cr\r\nlf", "tab\t", "\\x41"),
    *("\\N", "%s", "$1", "{0}", "日本", "\U0001f600", "\u200b", "e\u0301", "\u00e9", "İ", "i", "I"),
]
POOLS = {
    "text": TEXTS,
    "integer": [0, 1, -1, 7, 10, 9, 2**31, 2**53 + 1, 2**53, -(2**63), 2**63 - 1],
    "boolean": [True, False],
    "float": [0.5, 1.0, -0.0, 0.0, 0.1, 0.1 + 0.2, 0.3, 1e300, 5e-324, -1.5, math.nan],
    "date": [dt.date(2020, 2, 29), dt.date(1, 1, 1), dt.date(1582, 10, 15), dt.date(9999, 12, 31)],
}


#: An hour that clocks in New York and Berlin leave out, or nearly.
MOMENT = dt.datetime.fromisoformat("2020-03-29T02:30:01.000005")


@dataclass
class Frame:
    """Rows as lists, with the counts a dictionary finds in them."""

    columns: dict[str, list]
    kind: str
    names: list[str] = field(default_factory=list)
    """The columns to group by."""
    number: int = 0

    def expected(self, weight=None) -> dict:
        """Distinct rows and their exact sums."""
        sums = {}
        weights = self.columns[weight] if weight else itertools.repeat(1)
        rows = zip(*(self.columns[name] for name in self.names), strict=True)
        for row, w in zip(rows, weights, strict=False):
            sums.setdefault(tuple(map(_known, row)), []).append(w)
        return {row: math.fsum(each) for row, each in sums.items()}

    def rows(self, at):
        """The same columns, other rows."""
        columns = {name: [values[i] for i in at] for name, values in self.columns.items()}
        return replace(self, columns=columns)


def _known(x):
    """A value with its type, None where it is missing."""
    gone = x is None or (isinstance(x, float) and math.isnan(x))
    return None if gone else _typed(x)


def _typed(x):
    """A value with its type; −0.0 is 0.0."""
    return (type(x).__name__, x + 0.0 if isinstance(x, float) else x)


def frame(number: int) -> Frame:
    """A random frame: truth, one to three models, folds, weights; gaps in one of two."""
    rng = random.Random(number)
    kind = list(POOLS)[number % len(POOLS)]
    pool = rng.sample(POOLS[kind], rng.randint(1, min(6, len(POOLS[kind]))))
    n, models = rng.choice([1, 2, 10, 100]), rng.randint(1, 3)
    gaps = rng.choice([0, 0.2])

    def draw():
        return [None if rng.random() < gaps else rng.choice(pool) for _ in range(n)]

    folds = rng.choice([["one"], ["f1", "F1", "f1 "], ["f1", None]])
    columns = {name: draw() for name in NAMES[: 1 + models]}
    names = [*columns, "fold"]
    columns["fold"] = [rng.choice(folds) for _ in range(n)]
    columns["times"] = [rng.choice([0, 1, 2, 1000]) for _ in range(n)]
    columns["weight"] = [rng.choice([0.0, 0.125, 1.0, 2.5, 1024.0]) for _ in range(n)]
    return Frame(columns, kind, names, number)


def found(grouped: Grouped) -> dict:
    """What a `Grouped` holds, in the terms of `Frame.expected`."""
    columns = [
        [None if code < 0 else _typed(column.categories[code]) for code in column.codes]
        for column in grouped.columns.values()
    ]
    rows = list(zip(*columns, strict=True))
    assert len(set(rows)) == len(rows), "a row occurs twice"
    return dict(zip(rows, grouped.counts.tolist(), strict=True))


def table_of(grouped: Grouped, predicted: str) -> tuple:
    """Labels, folds and counts as a stack: what measures see."""
    part = grouped.only("fold", "truth", predicted)
    keep = np.logical_and.reduce([c.codes >= 0 for c in part.columns.values()])
    lost = int(part.counts[~keep].sum())
    part = part.where(keep)
    both = (*part.columns["truth"].categories, *part.columns[predicted].categories)
    labels = sorted(set(both))
    folds = sorted(part.columns["fold"].categories)
    for name, order in (("fold", folds), ("truth", labels), (predicted, labels)):
        part = part.with_column(name, part.columns[name].sorted(order))
    if not labels or not folds:
        return labels, folds, [], lost
    return labels, folds, part.stack(["fold"], "truth", predicted).tolist(), lost


def check(source, f: Frame) -> None:
    """Counts and both kinds of weights of one frame, read through `source`."""
    direct = source.group(f.names)
    for weight in (None, "times", "weight"):
        grouped = source.group(f.names, weight) if weight else direct
        assert found(grouped) == f.expected(weight), (f.number, weight)
        assert grouped.rows == len(f.columns["truth"])
        assert grouped.counts.dtype == (np.float64 if weight else np.int64)
        for name in f.names[:-1]:
            column = grouped.columns[name]
            kind = f.kind if any(_known(x) for x in f.columns[name]) else "none"
            assert column.kind == kind or (kind == "none" and not column.categories), f.number
    for predicted in f.names[1:-1]:
        assert table_of(direct, predicted) == table_of(_by_hand(f), predicted)


def _by_hand(f: Frame) -> Grouped:
    """The counts of a frame made with no reader at all."""
    rows = list(f.expected())
    columns = {}
    for i, name in enumerate(f.names):
        values = list(dict.fromkeys(row[i][1] for row in rows if row[i] is not None))
        codes = [-1 if row[i] is None else values.index(row[i][1]) for row in rows]
        columns[name] = Column(np.array(codes, np.int64), tuple(values))
    counts = np.array([*f.expected().values()]).astype(np.int64)
    return Grouped(columns, counts, len(f.columns["truth"])).compact()


# --- the fast paths: every frame by itself -------------------------------------------------------


def _arrow(f: Frame):
    import pyarrow as pa

    kinds = {
        "text": pa.string(),
        "integer": pa.int64(),
        "boolean": pa.bool_(),
        "float": pa.float64(),
        "date": pa.date32(),
    }
    typed = dict.fromkeys(NAMES, kinds[f.kind])
    typed |= {
        "fold": pa.string(),
        "times": pa.int64(),
        "weight": pa.float64(),
        "frame": pa.string(),
    }
    return pa.table({name: pa.array(x, typed[name]) for name, x in f.columns.items()})


def _lists(f: Frame, folder):
    return ArraySource(f.columns), f


def _numpy(f: Frame, folder):
    def array(values, name):
        if name in f.names and None in values and f.kind != "date":
            return np.array([*values, None], dtype=object)[:-1]
        return np.array(values, "datetime64[D]" if f.kind == "date" and name in NAMES else None)

    return ArraySource({name: array(x, name) for name, x in f.columns.items()}), f


def _pandas(f: Frame, folder):
    import pandas as pd

    kinds = {"text": "str", "integer": "Int64", "boolean": "boolean", "float": "float64"}
    typed = dict.fromkeys(NAMES, kinds.get(f.kind, "object")) | {"fold": "category"}
    if f.kind == "text" and f.number % 2:
        typed |= dict.fromkeys(NAMES[1:], "category")
    series = {name: pd.Series(x, dtype=typed.get(name)) for name, x in f.columns.items()}
    return FrameSource(pd.DataFrame(series)), f


def _polars(f: Frame, folder):
    import polars as pl

    kinds = {
        "text": pl.String,
        "integer": pl.Int64,
        "boolean": pl.Boolean,
        "float": pl.Float64,
        "date": pl.Date,
    }
    typed = dict.fromkeys(f.names[:-1], kinds[f.kind]) | {"fold": pl.Categorical}
    return FrameSource(pl.DataFrame(f.columns, schema_overrides=typed)), f


def _arrow_frame(f: Frame, folder):
    table = _arrow(f)
    if f.number % 2:
        encoded = {x: table[x].dictionary_encode() if x in f.names else table[x] for x in f.columns}
        table = type(table).from_pydict(encoded)
    return FrameSource(table), f


def _as_text(f: Frame, kinds=tuple(POOLS)) -> Frame:
    """What a file without types keeps of a frame."""
    if f.kind not in kinds:
        return f
    columns = {
        name: [None if _known(x) is None else str(x) for x in values] if name in NAMES else values
        for name, values in f.columns.items()
    }
    return replace(f, columns=columns, kind="text")


def _csv(f: Frame, folder):
    text = _as_text(f)
    path = folder / "rows.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(text.columns)
        writer.writerows(zip(*text.columns.values(), strict=True))
    return FileSource(path), text


def _parquet(f: Frame, folder):
    import pyarrow.parquet as pq

    pq.write_table(_arrow(f), folder / "rows.parquet")
    return FileSource(folder / "rows.parquet"), f


def _json_lines(f: Frame, folder):
    text = _as_text(f, ["date"])
    path = folder / "rows.jsonl"
    rows = (dict(zip(f.columns, row, strict=True)) for row in zip(*text.columns.values()))
    plain = ({k: None if _known(x) is None else x for k, x in row.items()} for row in rows)
    path.write_text("".join(json.dumps(row) + "\n" for row in plain), "utf-8")
    return FileSource(path), text


def _chunks(f: Frame) -> list[Frame]:
    """The rows in chunks, in another order."""
    rng = random.Random(f.number)
    n = len(f.columns["truth"])
    order = rng.sample(range(n), n)
    cuts = sorted(rng.choices(range(n + 1), k=rng.randint(0, 5)))
    return [f.rows(order[a:b]) for a, b in itertools.pairwise([0, *cuts, n])]


class _Added:
    """Groups of the chunks, added."""

    def __init__(self, chunks):
        self.sources = [ArraySource(f.columns) for f in chunks]

    def group(self, names, weight=None):
        return reduce(operator.add, (source.group(names, weight) for source in self.sources))


def _added(f: Frame, folder):
    return _Added(_chunks(f)), f


@cache
def _connection():
    import ibis

    return ibis.duckdb.connect()


def _ibis(f: Frame, folder):
    _connection().con.register("rows", _arrow(f))
    return EngineSource(_connection().table("rows")), f


#: What reads a frame, and the modules it needs.
PATHS = {
    "lists": (_lists, ()),
    "NumPy": (_numpy, ()),
    "pandas": (_pandas, ("pandas",)),
    "polars": (_polars, ("polars",)),
    "Arrow": (_arrow_frame, ("pyarrow",)),
    "chunks": (_added, ()),
    "CSV": (_csv, ("duckdb",)),
    "Parquet": (_parquet, ("duckdb", "pyarrow")),
    "JSON lines": (_json_lines, ("duckdb",)),
    "ibis": (_ibis, ("ibis", "duckdb", "pyarrow")),
}


@pytest.mark.parametrize("path", PATHS)
def test_random_frames(path, tmp_path):
    """One by one; where opening takes a while some of them, for all go through below."""
    maker, modules = PATHS[path]
    needs(*modules)
    slow = "duckdb" in modules
    for number in range(0, FRAMES, 7 if slow else 1):
        source, expected = maker(frame(number), tmp_path)
        check(source, expected)
        if slow and path != "ibis":
            source.close()


def together(frames: list[Frame]) -> Frame:
    """Frames of one kind as one, with the number of the frame as a further column."""
    columns = {"frame": [str(f.number) for f in frames for _ in f.columns["truth"]]}
    for name in [*NAMES, "fold", "times", "weight"]:
        gaps = ([None] * len(f.columns["truth"]) for f in frames)
        parts = (f.columns.get(name, gap) for f, gap in zip(frames, gaps, strict=True))
        columns[name] = list(itertools.chain(*parts))
    return Frame(columns, frames[0].kind, ["frame", *NAMES, "fold"], frames[0].number)


class Part:
    """One frame within the groups of many, as a source."""

    def __init__(self, groups: dict, number: int):
        self.groups, self.number = groups, number

    def group(self, names, weight=None):
        whole = self.groups[weight]
        numbers = whole.columns["frame"]
        here = np.array(numbers.categories)[numbers.codes] == str(self.number)
        columns = {name: _only_used(whole.columns[name], here) for name in names}
        rows = self.group(names).rows if weight else int(whole.counts[here].sum())
        return Grouped(columns, whole.counts[here], rows).compact()


def _only_used(column: Column, here) -> Column:
    """The codes of some groups, over the categories that occur in them."""
    used, codes = np.unique(np.append(column.codes[here], -1), return_inverse=True)
    categories = tuple(column.categories[i] for i in used[1:])
    return replace(column, codes=codes[:-1] - 1, categories=categories)


def _kind(kind: str) -> list[Frame]:
    return [f for f in map(frame, range(FRAMES)) if f.kind == kind]


def check_together(source, frames: list[Frame]) -> None:
    """Every frame within the groups of all."""
    names = ["frame", *NAMES, "fold"]
    groups = {weight: source.group(names, weight) for weight in (None, "times", "weight")}
    for f in frames:
        check(Part(groups, f.number), f)


@pytest.mark.parametrize("kind", POOLS)
@pytest.mark.parametrize("path", [p for p, (_, modules) in PATHS.items() if "duckdb" in modules])
def test_random_frames_together(path, kind, tmp_path):
    maker, modules = PATHS[path]
    needs(*modules)
    frames = _kind(kind)
    source, expected = maker(together(frames), tmp_path)
    text = expected.kind != kind
    check_together(source, [_as_text(f) if text else f for f in frames])
    if path != "ibis":
        source.close()


def test_random_frames_as_they_come():
    """Streamed in random chunks, in one tally or in several that are added."""
    for f in map(frame, range(FRAMES)):
        for predicted in f.names[1:-1]:
            whole = [
                i
                for i, x in enumerate(zip(f.columns["truth"], f.columns[predicted], strict=True))
                if None not in map(_known, x)
            ]
            if not whole:
                continue
            kept = f.rows(whole)
            both = zip(kept.columns["truth"], kept.columns[predicted], strict=True)
            labels = sorted({x for pair in both for x in pair})
            expected = tally(kept.columns["truth"], kept.columns[predicted], labels)
            pairs = [(c.columns["truth"], c.columns[predicted]) for c in _chunks(kept)]
            one = Tally()
            for pair in pairs:
                one.update(*pair)
            several = sum(Tally().update(*pair) for pair in pairs)
            for found in (one.table, several.table):
                assert found.labels == expected.labels
                assert found.counts.tolist() == expected.counts.tolist()
            grouped = ArraySource(kept.columns).group(["truth", predicted])
            by_rows = {
                (t, p): n
                for t, row in zip(expected.labels, expected.counts.tolist(), strict=True)
                for p, n in zip(expected.labels, row, strict=True)
                if n
            }
            assert _plain(grouped) == by_rows


def _plain(grouped: Grouped) -> dict:
    columns = [[c.categories[i] for i in c.codes] for c in grouped.columns.values()]
    return dict(zip(zip(*columns, strict=True), grouped.counts.tolist(), strict=True))


# --- engines: many frames in one table -----------------------------------------------------------


@pytest.fixture(scope="module")
def engines():
    """Engines by name, each started when it is first asked for."""
    with ExitStack() as stack:
        yield cache(lambda name: stack.enter_context(started(name)))


@pytest.fixture(params=ENGINES)
def engine(request, engines):
    return engines(request.param)


@pytest.mark.parametrize("kind", POOLS)
def test_random_frames_on_engines(engine, kind):
    frames = _kind(kind)
    check_together(EngineSource(engine.add(f"frames of {kind}", _arrow(together(frames)))), frames)


# --- what engines do differently, and must not ---------------------------------------------------


def _table(**columns):
    import pyarrow as pa

    return pa.table({name: pa.array(*x) for name, x in columns.items()})


def _types():
    import pyarrow as pa

    return pa


def counts(grouped: Grouped) -> dict:
    """Plain values and their counts, where there is one column."""
    (column,) = grouped.columns.values()
    values = [None if code < 0 else column.categories[code] for code in column.codes]
    return dict(zip(values, grouped.counts.tolist(), strict=True))


def fault(call, *arguments, **options) -> str:
    with pytest.raises(InputError) as caught:
        call(*arguments, **options)
    return str(caught.value)


HOSTILE = [
    'quo"te',
    "back`tick",
    "semi;colon",
    "new\nline",
    "x; drop table rows; --",
    "dots.in.it",
    "größe 日本",
    "it's",
    "select",
    "%s {0} $1 :p ?",
    "k0",
    "n",
    "w0",
    "one",
    "rows",
]


def test_hostile_column_names(engine):
    pa = _types()
    # with capital letters, and with a digit each so that no two are alike in capitals
    names = [*HOSTILE, "Case"]
    table = engine.add("hostile", pa.table({n: [f"v{i}", "b", None] for i, n in enumerate(names)}))
    source = EngineSource(table)
    assert source.names() == names
    grouped = source.group(names)
    assert list(grouped.columns) == names
    assert grouped.rows == 3
    for i, name in enumerate(names):
        assert counts(grouped.only(name)) == {f"v{i}": 1, "b": 1, None: 1}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_table_names(engine, name):
    if engine.name == "spark":  # whose temporary views cannot have a point in their names
        name = name.replace(".", "·")
    table = engine.add(name, _types().table({"a": ["x", "y", "x"]}))
    assert counts(EngineSource(table).group(["a"])) == {"x": 2, "y": 1}


def test_no_rows_and_no_columns(engine):
    pa = _types()
    table = engine.add(
        "empty", pa.table({"a": pa.array([], pa.string()), "w": pa.array([], pa.float64())})
    )
    source = EngineSource(table)
    for weight in (None, "w"):
        grouped = source.group(["a"], weight)
        assert (grouped.rows, grouped.counts.size, grouped.columns["a"].kind) == (0, 0, "none")
    assert source.group([]).counts.tolist() == [0]
    table = engine.add("some", pa.table({"a": ["x"] * 5}))
    assert EngineSource(table).group([]).counts.tolist() == [5]


def test_numbers_of_every_size(engine):
    """Beside a null, where a data frame on the way would round them."""
    pa = _types()
    ends = {
        "int8": (-128, 127), "int16": (-(2**15), 2**15 - 1), "int32": (-(2**31), 2**31 - 1),
        "int64": (-(2**63), 2**63 - 1), "uint64": (0, 2**64 - 1),
    }  # fmt: skip
    wide = Decimal("12345678901234567890123456.789012345678")
    columns = {
        name: pa.array([low, high, None, high], getattr(pa, name)())
        for name, (low, high) in ends.items()
    }
    columns["decimal"] = pa.array(
        [wide, Decimal("0.5"), None, Decimal("0.5")], pa.decimal128(38, 12)
    )
    columns["float32"] = pa.array([0.1, -0.0, math.nan, 0.0], pa.float32())
    columns["moment"] = pa.array([MOMENT, None, None, None], pa.timestamp("us"))
    source = EngineSource(engine.add("sizes", pa.table(columns)))
    for name, (low, high) in ends.items():
        grouped = source.group([name])
        assert counts(grouped) == {low: 1, high: 2, None: 1}
        assert {type(x) for x in grouped.columns[name].categories} == {int}
        assert grouped.columns[name].kind == "integer"
    found = source.group(["decimal"])
    assert counts(found) == {wide: 1, Decimal("0.5"): 2, None: 1}
    assert list(map(str, found.columns["decimal"].categories)) == ["0.5", str(wide)]
    found = source.group(["float32"])
    assert counts(found) == {float(np.float32(0.1)): 1, 0.0: 2, None: 1}
    assert str(found.columns["float32"].categories[0]) == "0.0"
    assert counts(source.group(["moment"])) == {MOMENT: 1, None: 3}
    assert source.group(["moment"]).columns["moment"].kind == "date"


def test_no_collation_decides_what_is_equal(engines, engine):
    """Columns that call A and a the same, in each engine's own way."""
    make = {
        "duckdb": ["create table folded (c varchar collate nocase)"],
        "postgres": [
            "create collation folding (provider=icu, locale='und-u-ks-level2', deterministic=false)",
            "create table folded (c text collate folding)",
        ],
        "spark": [],
    }[engine.name]
    for statement in make:
        engine.connection.raw_sql(statement)
    rows = "select 'A' as c union all select 'a' union all select 'a' union all select 'a '"
    if engine.name == "spark":
        sql = f"create temporary view folded as select c collate utf8_lcase as c from ({rows})"
    else:
        sql = f"insert into folded {rows}"
    engine.connection.raw_sql(sql)
    source = EngineSource(engine.connection.table("folded"))
    assert counts(source.group(["c"])) == {"A": 1, "a": 2, "a ": 1}
    assert source.group(["c"]).columns["c"].categories == ("A", "a", "a ")


def test_types_of_postgresql(engines):
    postgres = engines("postgres")
    postgres.connection.raw_sql(
        """create type mood as enum ('so so', 'good');
        create table typed (e mood, c char(4), n numeric, u uuid, t time, a int[]);
        insert into typed values
        ('good', 'ab', 1.50, 'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '10:00', '{1}'),
        ('good', 'ab  ', 1.5, null, null, null),
        ('so so', 'a', 'NaN', null, null, null), (null, null, 150, null, null, null)"""
    )
    source = EngineSource(postgres.connection.table("typed"))
    assert counts(source.group(["e"])) == {"good": 2, "so so": 1, None: 1}
    assert counts(source.group(["c"])) == {"ab": 2, "a": 1, None: 1}
    grouped = source.group(["n"])
    assert counts(grouped) == {Decimal("1.5"): 2, Decimal(150): 1, None: 1}
    assert list(map(str, grouped.columns["n"].categories)) == ["1.5", "150"]
    assert "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11" in counts(source.group(["u"]))
    assert "10:00:00" in counts(source.group(["t"]))
    said = fault(source.group, ["a", "c"])
    assert "error[CM104]: values of column 'a' cannot be labels" in said


def test_text_that_is_not_utf_8(engines):
    source = EngineSource(engines("spark").connection.sql("select cast(x'61ff' as string) as c"))
    assert "error[CM004]: text that is not UTF-8" in fault(source.group, ["c"])


def test_any_table_expression(engine):
    """Filters and joins stay in the engine."""
    table = engine.add("numbers", _types().table({"a": list(range(100)), "b": ["x", "y"] * 50}))
    chosen = table.filter(table.a < 10).mutate(c=table.a % 3)
    assert counts(EngineSource(chosen).group(["c"])) == {0: 4, 1: 3, 2: 3}
    assert EngineSource(chosen).name == "the table"
    assert EngineSource(table).name == "numbers"


# --- weights -------------------------------------------------------------------------------------


def _weights(number: int) -> list[float]:
    rng = np.random.default_rng(number)
    spread = [rng.random(1000), 10.0 ** rng.uniform(-12, 12, 1000), rng.random(1000) * 1e300]
    small = [rng.random(1000) * 1e-300, rng.choice([0.1, 0.7, 1e-9], 1000)]
    return [*spread, *small][number].tolist()


@pytest.mark.parametrize("number", range(5))
def test_floating_weights_are_summed_exactly(engine, number):
    """Rounded once, as `math.fsum` does: adding in another order cannot change a bit."""
    pa = _types()
    weights, labels = _weights(number), ["a", "b", "a", "c"] * 250
    source = EngineSource(engine.add("weighted", pa.table({"a": labels, "w": weights})))
    exact = {
        x: math.fsum(w for w, label in zip(weights, labels, strict=True) if label == x)
        for x in "abc"
    }
    assert counts(source.group(["a"], "w")) == exact


def test_whole_and_decimal_weights(engine):
    pa = _types()
    table = pa.table({
        "a": ["x", "x", "y"],
        "big": pa.array([2**63 - 1] * 3, pa.int64()),
        "cents": pa.array([Decimal("0.10"), Decimal("0.20"), Decimal("0.30")], pa.decimal128(9, 2)),
        "small": pa.array([0.1, 0.1, 0.25], pa.float32()),
        "half": pa.array([1, 0, 1], pa.int8()),
    })  # fmt: skip
    source = EngineSource(engine.add("weights", table))
    assert counts(source.group(["a"], "big")) == {"x": float(2**64 - 2), "y": float(2**63 - 1)}
    assert counts(source.group(["a"], "cents")) == {"x": 0.3, "y": 0.3}
    assert counts(source.group(["a"], "small")) == {"x": 2 * float(np.float32(0.1)), "y": 0.25}
    assert counts(source.group(["a"], "half")) == {"x": 1.0, "y": 1.0}
    # a weight can be a label as well
    assert counts(source.group(["half"], "half")) == {0: 0.0, 1: 2.0}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("negative", "saw: from -1 to 2"),
        ("nan", "1 of 3 weights are not finite numbers"),
        ("null", "1 of 3 weights are not finite numbers"),
        ("infinite", "1 of 3 weights are not finite numbers"),
        ("huge", "add up to more than a number can hold"),
        ("text", "weights are numbers"),
        ("truth", "weights are numbers"),
    ],
)
def test_bad_weights(engine, name, says):
    pa = _types()
    table = pa.table({
        "a": ["x", "x", "y"], "negative": [-1, 2, 1], "nan": [math.nan, 1, 1],
        "null": [None, 1.0, 1.0], "infinite": [math.inf, 1, 1], "huge": [1e308, 1e308, 1.0],
        "text": ["1", "2", "3"], "truth": [True, False, True],
    })  # fmt: skip
    source = EngineSource(engine.add("bad", table))
    said = fault(source.group, ["a"], name)
    assert said.startswith("error[CM106]")
    assert says in said


def test_nan_in_a_parquet_file_whose_statistics_know_of_none(tmp_path):
    """DuckDB 2 believes them, and says of no value that it is NaN."""
    needs("ibis", "duckdb", "pyarrow")
    import pyarrow.parquet as pq

    pa = _types()
    values = [1.0, math.nan, 3.0]
    pq.write_table(pa.table({"a": ["x", "y", "x"], "f": values}), tmp_path / "nan.parquet")
    path = tmp_path / "nan.parquet"
    table = _connection().read_parquet(path)
    for source in (EngineSource(table), FileSource(path)):
        assert counts(source.group(["f"])) == {1.0: 1, 3.0: 1, None: 1}
        assert "error[CM106]: 1 of 3" in fault(source.group, ["a"], "f")
        assert "error[CM006]: 1 of 3" in fault(source.score_counts, "f", "a")


# --- scores --------------------------------------------------------------------------------------


def _scored(n: int = 3000):
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, n)
    score = rng.normal(truth, 1.5)
    return truth, score


def _auc(truth, score) -> float:
    hit, miss = score[truth == 1], score[truth == 0]
    above = (hit[:, None] > miss).mean() + (hit[:, None] == miss).mean() / 2
    return float(above)


def test_scores_exact_and_in_bins(engine):
    pa = _types()
    truth, score = _scored()
    source = EngineSource(engine.add("scored", pa.table({"t": truth, "s": score})))
    exact = source.score_counts("s", "t")
    assert (exact.exact, exact.half_width, exact.auc_error) == (True, 0.0, 0.0)
    assert list(exact.columns) == ["s", "t"]
    assert exact.columns["s"].categories == tuple(sorted(score.tolist()))
    pairs = zip(score.tolist(), truth.tolist(), strict=True)
    assert found(exact) == dict.fromkeys(((_known(s), _known(t)) for s, t in pairs), 1)

    many = _weights(1)
    tiled = pa.table({"t": np.arange(len(many)) % 2, "s": many})
    for table, most, column in ((None, 1000, score), (tiled, 10, np.array(many))):
        if table is not None:
            source = EngineSource(engine.add("scored", table))
            truth = np.arange(len(many)) % 2
        binned = source.score_counts("s", "t", most=most)
        width = 2 * binned.half_width
        assert math.frexp(width)[0] == 0.5  # a power of two
        assert len(binned.columns["s"].categories) <= 2**16 + 1
        middle = (np.floor(column / width) + 0.5) * width
        pairs = zip(middle.tolist(), truth.tolist(), strict=True)
        assert found(binned) == Counter((_known(s), _known(t)) for s, t in pairs)
        assert np.abs(middle - column).max() <= binned.half_width
        off = abs(_auc(truth, column) - _auc(truth, middle))
        assert off <= binned.auc_error


def test_bins_of_probabilities(engine):
    """As in files: 2¹⁶ bins from 0 to 1, so that counts of both can be added."""
    pa = _types()
    rng = np.random.default_rng(3)
    score = np.append(rng.random(998), [0.0, 1.0])
    table = pa.table({"t": ["a", "b"] * 500, "s": score, "f": [1, 2, 3, 4] * 250})
    source = EngineSource(engine.add("probabilities", table))
    binned = source.score_counts("s", "t", ["f"], most=100)
    assert binned.half_width == 2.0**-17
    middle = (np.minimum(np.floor(score * 2**16), 2**16 - 1) + 0.5) / 2**16
    rows = zip(middle.tolist(), ["a", "b"] * 500, [1, 2, 3, 4] * 250, strict=True)
    assert found(binned) == Counter(tuple(map(_known, row)) for row in rows)


def test_engine_and_file_bin_alike(tmp_path):
    needs("ibis", "duckdb", "pyarrow")
    import pyarrow.parquet as pq

    pa = _types()
    table = pa.table({"t": ["a", "b"] * 500, "s": np.random.default_rng(4).random(1000)})
    pq.write_table(table, tmp_path / "scores.parquet")
    _connection().con.register("scores", table)
    source = EngineSource(_connection().table("scores"))
    with FileSource(tmp_path / "scores.parquet") as file:
        for most in (100, 10_000):
            one, other = (x.score_counts("s", "t", most=most) for x in (source, file))
            assert found(one) == found(other)
            assert (one.half_width, one.auc_error) == (other.half_width, other.auc_error)


def test_scores_of_other_types_with_weights(engine):
    pa = _types()
    table = pa.table({
        "t": ["a", "b", None, "a"],
        "s": pa.array([0.1, 0.1, 0.5, 0.1], pa.float32()),
        "i": pa.array([3, 1, 3, 3], pa.int64()),
        "w": [0.5, 1.0, 2.0, 0.25],
    })  # fmt: skip
    source = EngineSource(engine.add("typed scores", table))
    tenth = float(np.float32(0.1))
    got = source.score_counts("s", "t", weight="w")
    assert found(got) == {
        (_known(tenth), _known("a")): 0.75,
        (_known(tenth), _known("b")): 1.0,
        (_known(0.5), None): 2.0,
    }
    whole = source.score_counts("i", "t").columns["i"]
    assert whole.categories == (1.0, 3.0)
    assert (whole.kind, type(whole.categories[0])) == ("float", float)


@pytest.mark.parametrize("bad", [None, math.nan, math.inf, -math.inf])
def test_scores_that_are_no_numbers(engine, bad):
    pa = _types()
    table = pa.table({"t": ["a", "b"], "s": pa.array([0.5, bad], pa.float64())})
    source = EngineSource(engine.add("bad scores", table))
    said = fault(source.score_counts, "s", "t")
    assert said.startswith("error[CM006]: 1 of 2 scores are not finite numbers")
    assert "scores are numbers" in fault(source.score_counts, "t", "s")


# --- refusals ------------------------------------------------------------------------------------


def test_missing_columns_are_all_named(engine):
    source = EngineSource(engine.add("named", _types().table({"truth": ["a"], "Guess": ["a"]})))
    said = fault(source.group, ["trth", "guess"], "wight")
    assert said.count("error[CM101]") == 3
    assert "did you mean truth?" in said
    assert "did you mean Guess?" in said
    assert "columns truth, Guess" in said


def test_lost_rows_and_too_many_groups(engine, monkeypatch):
    from chancemeter.frames import engines as module

    table = engine.add("ten", _types().table({"a": list(range(10)), "w": [1.0] * 10}))
    source = EngineSource(table)
    monkeypatch.setattr(module, "MOST_GROUPS", 9)
    assert fault(source.group, ["a"]).startswith("error[CM105]: more than 9 distinct rows")
    monkeypatch.undo()
    asked = source._one_row
    source._one_row = lambda x: {**asked(x), "rows": 11}
    for weight in (None, "w"):
        assert "error[CM008]: the engine has 11 rows and grouped 10" in fault(
            source.group, ["a"], weight
        )


def test_what_an_engine_says_is_one_line(engine):
    table = engine.add("gone", _types().table({"a": ["x"]}))
    kind = "view" if engine.name == "spark" else "table"
    engine.connection.raw_sql(f"drop {kind} gone")
    said = fault(EngineSource(table).group, ["a"])
    assert said.startswith("error[CM001]: the engine could not answer")
    assert said.count("\n") == 2


def test_an_unbound_table_has_no_engine():
    needs("ibis")
    import ibis

    source = EngineSource(ibis.table({"a": "string"}, name="nowhere"))
    assert "error[CM001]" in fault(source.group, ["a"])


# --- connecting ----------------------------------------------------------------------------------


def test_connect_to_a_file(tmp_path):
    needs("ibis", "duckdb")
    import duckdb

    path = tmp_path / "db file.duckdb"
    with duckdb.connect(str(path)) as made:
        made.execute("create table preds as select 'a' as t, 'b' as p from range(3)")
        made.execute("create schema other; create table other.more as from preds")
    before = path.read_bytes()
    for url in (f"duckdb://{path}", str(path)):
        assert counts(connect(url, "preds").group(["t"])) == {"a": 3}
    assert connect(str(path), "other.more").group(["t", "p"]).rows == 3
    said = fault(connect, str(path), "pred")
    assert "error[CM101]: no table named 'pred'" in said
    assert "did you mean preds?" in said
    assert "error[CM101]" in fault(connect, str(path), "nowhere.preds")
    assert path.read_bytes() == before
    missing = tmp_path / "missing.duckdb"
    assert "error[CM001]: there is no such database file" in fault(connect, str(missing), "t")
    assert not missing.exists()
    broken = tmp_path / "broken.duckdb"
    broken.write_bytes(b"not a database" * 1000)
    assert "error[CM001]: the engine could not be reached" in fault(connect, str(broken), "t")


def test_connect_to_postgresql(engines):
    postgres = engines("postgres")
    postgres.add('a "table"', _types().table({"a": ["x", "y", "x"]}))
    assert counts(connect(postgres.url, 'a "table"').group(["a"])) == {"x": 2, "y": 1}
    assert counts(connect(postgres.url, 'public.a "table"').group(["a"])) == {"x": 2, "y": 1}
    said = fault(connect, postgres.url, "a table")
    assert "did you mean" in said
    assert "tester:***@" in said
    wrong = postgres.url.replace("s3cret", "wr0ng")
    for url in (wrong, f"{wrong}&password=wr0ng-too", "postgres://me:wr0ng@127.0.0.1:1/db"):
        said = fault(connect, url, "t")
        assert "error[CM001]: the engine could not be reached" in said
        assert "wr0ng" not in said


def test_connect_to_spark(engines):
    spark = engines("spark")
    spark.add("some table", _types().table({"a": ["x", "y", "x"]}))
    assert counts(connect("pyspark://", "some table").group(["a"])) == {"x": 2, "y": 1}
    assert "did you mean some table?" in fault(connect, "pyspark://", "some tabel")


def test_connect_where_nothing_is(monkeypatch):
    needs("ibis")
    assert "did you mean duckdb?" in fault(connect, "dukdb://x", "t")
    assert "one of" in fault(connect, "x.csv", "t")
    said = fault(connect, "nothing://me:wr0ng@host/db?token=wr0ng", "t")
    assert "wr0ng" not in said
    assert "error[CM101]: no table named 't'" in fault(connect, "duckdb://", "t")
    monkeypatch.setitem(sys.modules, "ibis.backends.mysql", None)
    said = fault(connect, "mysql://me:wr0ng@host/db", "t")
    assert "error[CM005]: the driver for mysql is missing" in said
    assert "pip install 'ibis-framework[mysql]'" in said
    assert "wr0ng" not in said
    monkeypatch.setitem(sys.modules, "ibis", None)
    assert "pip install 'chancemeter[engine]'" in fault(connect, "duckdb://", "t")


def test_a_password_in_what_an_engine_says_is_hidden(engine):
    source = EngineSource(engine.add("t", _types().table({"a": ["x"]})))
    source.secrets = ("hunter2",)
    broken = source.table.filter(source.table.a.cast("int64") == 1)
    source.table = broken.mutate(b=broken.a.replace("hunter2", ""))
    assert "hunter2" not in fault(source.group, ["b"])


# --- cases and their ids -------------------------------------------------------------------------


def _long_rows(n: int = 60) -> dict[str, list]:
    rng = random.Random(7)
    cases = [
        {"id": f"c{i}", "t": rng.choice(["a", "b", None]), "w": rng.choice([0.5, 2.0])}
        for i in range(n)
    ]
    rows = [
        {**case, "of": of, "p": rng.choice("ab"), "right": rng.random() < 0.5, "s": rng.random()}
        for case in cases
        for of in "xy"
    ]
    rng.shuffle(rows)
    return {name: [row[name] for row in rows] for name in rows[0]}


LONG = {"true": "t", "predicted": "p", "model": "of", "id": "id", "missing": "drop"}


def test_long_form_is_paired_by_the_engine(engine):
    columns = _long_rows()
    wishes = {**LONG, "weight": "w", "score": "s"}
    source = EngineSource(engine.add("long", _types().table(columns)))
    here, there = read(columns, **wishes), read(source, **wishes)
    assert there.table == here.table
    assert there.patterns.counts.tolist() == here.patterns.counts.tolist()
    assert {n: x.counts.tolist() for n, x in there.scores.items()} == {
        n: x.counts.tolist() for n, x in here.scores.items()
    }


def test_truth_values_in_long_form(engine):
    columns = _long_rows()
    columns["t"] = [int(case[1:]) % 3 > 0 for case in columns["id"]]
    source = EngineSource(engine.add("long", _types().table(columns)))
    wishes = {**LONG, "predicted": "right"}
    assert read(source, **wishes).table == read(columns, **wishes).table


def test_what_is_wrong_with_ids_is_told_by_the_engine(engine):
    rows = _long_rows(10)
    rows["t"] = ["c" if i == 0 else "a" for i in range(20)]  # torn
    rows = {name: [*column[:19], column[0]] for name, column in rows.items()}  # and twice, lacking
    said = fault(read, EngineSource(engine.add("long", _types().table(rows))), **LONG)
    assert said.count("error[CM007]") == 3
    assert "1 id with more than one 't'" in said
    assert "1 id more than once for the same model" in said
    assert "1 id without a row of" in said
    rows["id"][3] = None
    said = fault(read, EngineSource(engine.add("long", _types().table(rows))), **LONG)
    assert "1 row without an id or a model" in said
    ids = {"id": ["1", "2", "2"], "y_true": list("aba"), "y_pred": list("aba")}
    twice = EngineSource(engine.add("twice", _types().table(ids)))
    assert "1 id more than once" in fault(read, twice, id="id")

"""A DuckDB connection that reads the given files and nothing else, and counts what is in them.

What a person gives (paths, names of columns) enters as quoted literals and places in a list,
never as SQL. The connection is locked before the first file is read.
"""

# ruff: noqa: S608  what enters SQL is made here, or quoted by `literal`

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, printable, quoted, shorten
from chancemeter.frames.grouped import Column, Grouped, Kind, joint
from chancemeter.frames.paths import require_component
from chancemeter.tables import Label

T = TypeVar("T")

#: What DuckDB may use for its own work; with Python and numpy the process stays below 500 MB.
MEMORY = "250MB"
#: More threads would need more memory for their buffers.
MAX_THREADS = 8
#: Distinct rows that can be handed over. A column that identifies cases has more.
MAX_GROUPS = 3_000_000
#: Up to so many are decoded in Python, which saves the engine some queries.
FEW = 20_000
#: Files above this are looked at first: does every row differ?
LARGE = 1_000_000_000
FIRST_ROWS = 1_000_000
#: Weights are summed as whole multiples of 2**-FINE, which no order of summation changes.
FINE = 80
_FINE_FROM, _FINE_TO = 2.0**-10, 2.0**13

_INTEGERS = {
    f"{sign}{name}"
    for sign in ("", "U")
    for name in ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")
}
_AS_TEXT = {"UUID", "TIME", "TIME_NS", "TIME WITH TIME ZONE", "INTERVAL", "BIT", '"NULL"'}

#: Told the share of the work that is done and of how many rows, if that is known, while it runs.
Progress = Callable[[float, int | None], None]


def literal(text: object) -> str:
    """A string in SQL.

    >>> print(literal("it's"))
    'it''s'
    """
    return "'" + str(text).replace("'", "''") + "'"


def plain_path(path: Path) -> str:
    """A path in SQL that means this one file, whatever stands in its name.

    >>> plain_path(Path("what?[1].csv"))
    "'what[?][[]1].csv'"
    """
    return literal(re.sub(r"([*?\[])", r"[\1]", str(path)))


class MiscountedError(Exception):
    """The engine found another number of rows than there are."""


@dataclass(frozen=True)
class Field:
    """One column as the engine sees it."""

    name: str
    sql: str
    """An expression made by us, such as ``c3``."""
    type: str = "VARCHAR"
    from_text: bool = False
    """Whether the values come from a text file, where a zero byte means damage."""
    declared: tuple[Label, ...] | None = None
    """Categories that the file declares, in its order."""


class Engine:
    """One locked connection, with a folder of its own for what does not fit into memory."""

    def __init__(self, paths: Sequence[Path], progress: Progress | None = None) -> None:
        """Connect, allow these paths, and lock."""
        require_component("duckdb", "files", "reading files")
        import duckdb

        self.folder = Path(tempfile.mkdtemp(prefix="chancemeter-"))
        self._progress = progress
        self.expected: int | None = None
        """How many rows the query that runs is to read."""
        self._tidy = weakref.finalize(self, shutil.rmtree, self.folder, ignore_errors=True)
        config: dict[str, Any] = {
            "memory_limit": MEMORY,
            "threads": min(MAX_THREADS, os.cpu_count() or 1),
            "temp_directory": str(self.folder / "spill"),
            "autoinstall_known_extensions": "false",
            "autoload_known_extensions": "false",
            "allow_community_extensions": "false",
            "python_enable_replacements": "false",
        }
        self.error: type[Exception] = duckdb.Error
        self.connection = duckdb.connect(":memory:", config=config)
        # The escaped form is what the reader looks up, the plain one what it then opens.
        allowed = [form for path in paths for form in (literal(path), plain_path(path))]
        settings = (
            f"allowed_paths=[{', '.join(dict.fromkeys(allowed))}]",
            f"allowed_directories=[{literal(self.folder)}]",
            f"enable_progress_bar={progress is not None}",
            "enable_progress_bar_print=false",  # the share is asked for, never printed
            f"progress_bar_time={2**31 - 1}",
            "enable_external_access=false",
            "lock_configuration=true",
        )
        self.connection.execute("; ".join(f"SET {setting}" for setting in settings))

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        """All rows of a result."""
        return self._run(lambda: self.connection.execute(sql).fetchall())

    def one(self, sql: str) -> tuple[Any, ...]:
        """The only row of a result."""
        return self.rows(sql)[0]

    def arrays(self, sql: str) -> list[Array]:
        """The columns of a result of numbers."""
        found = self._run(lambda: self.connection.execute(sql).fetchnumpy())
        return list(found.values())

    def close(self) -> None:
        """Disconnect and remove the folder."""
        self.connection.close()
        self._tidy()

    def _run(self, work: Callable[[], T]) -> T:
        """The result of `work`; Ctrl-C stops it at once, for this thread only waits."""
        found: list[T] = []
        failed: list[BaseException] = []
        done = threading.Event()

        def run() -> None:
            try:
                found.append(work())
            except BaseException as error:  # noqa: BLE001  handed to the thread that waits
                failed.append(error)
            finally:
                done.set()

        threading.Thread(target=run, daemon=True).start()
        try:
            while not done.wait(0.2):
                self._report()
        except BaseException:  # Ctrl-C, or whatever the caller's progress raised
            self.connection.interrupt()
            done.wait()
            raise
        if failed:
            raise failed[0]
        return found[0]

    def _report(self) -> None:
        if self._progress is not None:
            percent = self.connection.query_progress()
            if percent >= 0:
                self.tell(percent / 100)

    def tell(self, share: float) -> None:
        """Say how far the work has come, if somebody wants to know."""
        if self._progress is not None:
            self._progress(share, self.expected)


@dataclass(frozen=True)
class Question:
    """What is to be grouped: columns of a relation, and perhaps weights."""

    relation: str
    """What stands after ``FROM``, made by us."""
    fields: Sequence[Field]
    where: str
    """What messages call the relation."""
    weight: Field | None = None
    known_rows: int | None = None
    """How many rows there are, where the files say so."""
    max_rows: int | None = None
    max_groups: int = MAX_GROUPS
    large: bool = False
    extra: Sequence[str] = field(default_factory=tuple)
    """Ready expressions (keys that are integers) before those of `fields`."""


def count_groups(engine: Engine, question: Question) -> tuple[Grouped, list[Array]]:
    """Distinct rows with counts, and the codes of the ready expressions."""
    keys = [label_sql(f, question.where) for f in question.fields]
    engine.expected = question.known_rows
    n = len(question.extra) + len(keys)
    if question.large and n:
        _refuse_identifiers(engine, question, keys)
    scale = FINE
    groups, rows, top = _create(engine, question, keys, scale)
    if question.weight is not None and top > 0 and not _FINE_FROM <= top <= _FINE_TO:
        scale = int(min(90 - np.ceil(np.log2(top)), 1000))
        _create(engine, question, keys, scale)
    counts = "n" if question.weight is None else f"w * {2.0**-scale!r}"
    read = _few if groups <= FEW else _many_groups
    values, found = read(engine, len(question.extra), n, counts)
    order = np.argsort(joint(found[:n])) if n else np.zeros(1, np.int64)
    more = len(question.extra)
    columns = {}
    for f, known, codes in zip(question.fields, values, found[more:n], strict=True):
        column = _column(f, known, question.where)
        places = np.append(column.codes, -1)
        columns[f.name] = replace(column, codes=places[codes[order]])
    dtype: type = np.int64 if question.weight is None else np.float64
    grouped = Grouped(columns, found[n][order].astype(dtype), rows)
    if not more and any(f.type == "JSON" for f in question.fields):
        # Two spellings of one JSON value are one value; only then can groups be equal.
        grouped = grouped.compact()
    return grouped, [codes[order] for codes in found[:more]]


def _few(engine: Engine, more: int, n: int, counts: str) -> tuple[list[list[Any]], list[Array]]:
    """Values of each key in order, and codes and counts of the groups: by hand, in one query."""
    names = ", ".join([*(f"k{i}" for i in range(n)), counts])
    rows = engine.rows(f"SELECT {names} FROM tallied WHERE whole = 0")
    columns = list(zip(*rows, strict=True)) or [()] * (n + 1)
    values = [sorted(set(column) - {None}) for column in columns[more:n]]
    found = [np.array(column) for column in columns[:more]]
    for known, column in zip(values, columns[more:n], strict=True):
        place = {None: -1} | {value: i for i, value in enumerate(known)}
        found.append(np.array([place[value] for value in column], np.int64))
    return values, [*found, np.array(columns[n])]


def _many_groups(
    engine: Engine, more: int, n: int, counts: str
) -> tuple[list[list[Any]], list[Array]]:
    """The same for millions of groups, by the engine."""
    values, joins = [], ""
    codes = [f"k{i}" for i in range(more)]
    for i in range(more, n):
        known = f"SELECT DISTINCT k{i} AS value FROM tallied WHERE whole = 0 AND k{i} IS NOT NULL"
        place = "CAST(row_number() OVER (ORDER BY value) - 1 AS INTEGER)"
        engine.rows(
            f"CREATE OR REPLACE TEMP TABLE d{i} AS SELECT value, {place} AS code FROM ({known})"
        )
        values.append([row[0] for row in engine.rows(f"SELECT value FROM d{i} ORDER BY code")])
        codes.append(f"coalesce(d{i}.code, -1)")
        joins += f" LEFT JOIN d{i} ON k{i} = d{i}.value"
    listed = ", ".join(f"{sql} AS x{i}" for i, sql in enumerate([*codes, counts]))
    return values, engine.arrays(f"SELECT {listed} FROM tallied{joins} WHERE whole = 0")


def label_sql(f: Field, where: str = "") -> str:
    """The values of a column as they are grouped; what is missing is NULL."""
    kind = f.type
    if kind == "VARCHAR" or kind in _INTEGERS or kind in {"BOOLEAN", "DATE"}:
        return f.sql
    if kind.startswith("ENUM") or kind in _AS_TEXT or kind == "JSON":
        text = f"CAST({f.sql} AS VARCHAR)"
        return f"nullif(nullif({text}, 'null'), 'NaN')" if kind == "JSON" else text
    if kind in {"FLOAT", "DOUBLE"} or kind.startswith("DECIMAL"):
        if kind.endswith(",0)"):
            return f"CAST({f.sql} AS HUGEINT)"
        number = f"CAST({f.sql} AS DOUBLE)"  # + 0 makes one value of 0.0 and -0.0
        return f"CASE WHEN isnan({number}) THEN NULL ELSE {number} + 0 END"
    if kind.startswith("TIMESTAMP"):
        return f"({f.sql} AT TIME ZONE 'UTC')" if kind.endswith("ZONE") else f.sql
    what = f"column {quoted(f.name)} holds {_many(kind)}, which cannot be labels"
    raise InputError(Fault("CM104", what, where, fix="name a column of text, numbers or dates"))


def number_sql(f: Field) -> str:
    """The values of a column as floats; NULL where there is none."""
    if f.type == "JSON":
        return f"TRY_CAST(CAST({f.sql} AS VARCHAR) AS DOUBLE)"
    if f.type == "VARCHAR":  # 1_000 is a number to the engine but to hardly anyone else
        return f"CASE WHEN contains({f.sql}, '_') THEN NULL ELSE TRY_CAST({f.sql} AS DOUBLE) END"
    if f.type in _INTEGERS or f.type in {"FLOAT", "DOUBLE"} or f.type.startswith("DECIMAL"):
        return f"CAST({f.sql} AS DOUBLE)"
    return "CAST(NULL AS DOUBLE)"


def _many(kind: str) -> str:
    if kind.endswith("]"):
        return "lists"
    words = {"STRUCT": "records", "MAP": "maps", "UNION": "unions", "BLOB": "bytes"}
    return words.get(kind.partition("(")[0], f"values of type {printable(kind.lower())}")


def _inner(question: Question, keys: Sequence[str]) -> str:
    """The rows that are grouped, with keys and weights named by us."""
    listed = [f"{sql} AS k{i}" for i, sql in enumerate([*question.extra, *keys])]
    if question.weight is not None:
        listed += [f"{number_sql(question.weight)} AS w"]
        listed += [f"CAST({question.weight.sql} AS VARCHAR) AS shown"]
    bounded = question.max_rows is not None and question.known_rows is None
    limit = f" LIMIT {(question.max_rows or 0) + 1}" if bounded else ""
    return f"(SELECT {', '.join(listed) or '1'} FROM {question.relation}{limit})"


def _create(
    engine: Engine, question: Question, keys: Sequence[str], scale: int
) -> tuple[int, int, float]:
    """Group once, into a table that may spill to disk.

    How many groups and rows there are, and the largest weight.
    """
    n = len(question.extra) + len(keys)
    names = [f"k{i}" for i in range(n)]
    what = [*names, "count(*) AS n"]
    fine = "w >= 0 AND w < 'inf'::DOUBLE"
    if question.weight is not None:
        # A weight too large for this scale is left out here; `top` tells, and it is done again.
        part = f"CASE WHEN w <= {2.0 ** (93 - scale)!r} THEN w * {2.0**scale!r} END"
        what += [f"coalesce(sum(TRY_CAST({part} AS HUGEINT)), 0)::DOUBLE AS w"]
        what += [f"count(*) FILTER (NOT coalesce({fine}, false)) AS bad", "max(w) AS top"]
        what += [f"min(coalesce(shown, 'nothing')) FILTER (NOT coalesce({fine}, false)) AS seen"]
    # The total is counted beside the groups, unless the files know it: nothing may get lost.
    alone = question.known_rows is not None or not n
    what += ["0 AS whole" if alone else f"grouping({names[0]}) AS whole"]
    by = f"({', '.join(names)})" if names else "()"
    sets = f" GROUP BY {by if alone else f'GROUPING SETS ({by}, ())'}" if n else ""
    limit = f" LIMIT {question.max_groups + 2}" if n else ""
    sql = f"SELECT {', '.join(what)} FROM {_inner(question, keys)}{sets}"
    groups = engine.one(f"CREATE OR REPLACE TEMP TABLE tallied AS {sql}{limit}")[0] - (not alone)
    if n and groups > question.max_groups:
        raise _too_many(engine, question, n)
    part = "whole = 0" if alone else "whole = 1"
    rows: int = engine.one(f"SELECT coalesce(sum(n), 0)::BIGINT FROM tallied WHERE {part}")[0]
    check_rows(question, rows)
    if question.max_rows is not None and rows > question.max_rows:
        raise too_long(question.where, question.max_rows)
    if question.weight is None:
        return groups, rows, 0.0
    summary = "sum(bad)::BIGINT, max(top), min(seen)"
    bad, top, seen = engine.one(f"SELECT {summary} FROM tallied WHERE whole = 0")
    if bad:
        what_ = f"{bad:,} of {rows:,} weights are not finite numbers from 0 up"
        fix = "mend them, or leave out the weights"
        where = f"{question.where}, column {printable(question.weight.name)}"
        raise InputError(Fault("CM106", what_, where, f"such as {quoted(seen)}", fix))
    return groups, rows, top or 0.0


def check_rows(question: Question, rows: int) -> None:
    """Hold what the engine counted against what is known."""
    limited = question.max_rows is not None and rows > question.max_rows
    if question.known_rows not in {None, rows} and not limited:
        found = f"{rows:,} of {question.known_rows:,} rows"
        raise MiscountedError(f"the engine read {found}")


def too_long(where: str, most: int) -> InputError:
    """The refusal of more rows than asked for."""
    fix = "raise max_rows (--max-rows) if that is meant"
    return InputError(Fault("CM001", f"there are more than {most:,} rows", where, fix=fix))


def _refuse_identifiers(engine: Engine, question: Question, keys: Sequence[str]) -> None:
    """Look at the first rows of a large file before all of it is grouped."""
    some = f"(SELECT * FROM {_inner(question, keys)} LIMIT {FIRST_ROWS})"
    rows, distinct = engine.one(
        f"SELECT sum(n)::BIGINT, count(*) FROM (SELECT count(*) AS n FROM {some} GROUP BY "
        f"{', '.join(f'k{i}' for i in range(len(question.extra) + len(keys)))})"
    )
    if distinct > 0.9 * (rows or 1) and distinct > FIRST_ROWS // 2:
        raise _identifier(question, f"{distinct:,} different ones among the first {rows:,} rows")


def _too_many(engine: Engine, question: Question, n: int) -> InputError:
    """Which column has the most values, when there are too many groups."""
    counts = ", ".join(f"approx_count_distinct(k{i})" for i in range(len(question.extra), n))
    each = engine.one(f"SELECT {counts} FROM tallied") if counts else ()
    most = [
        f"about {count:,} in {quoted(f.name)}"
        for f, count in sorted(zip(question.fields, each, strict=True), key=lambda x: -x[1])
    ]
    return _identifier(question, shorten(most, 3))


def _identifier(question: Question, saw: str) -> InputError:
    names = shorten((quoted(f.name) for f in question.fields), 6)
    what = f"there are over {question.max_groups:,} different rows of {names}"
    fix = "is one of these columns an identifier or a score? it cannot be counted as labels"
    return InputError(Fault("CM105", what, question.where, saw, fix))


def _column(f: Field, values: Sequence[Label], where: str) -> Column:
    """The values of a key as categories; as codes, where each value stands now."""
    column = Column(np.arange(len(values)), tuple(values), kind_of(f.type) if values else "none")
    if f.type == "JSON":
        return _from_json(column, f, where)
    if f.from_text:
        _refuse_zero_bytes(column.categories, f, where)
    if f.declared is not None and set(values) <= set(f.declared):
        return replace(column.sorted(f.declared), ordered=True, kind="text")
    return column


def kind_of(sql_type: str) -> Kind:
    """What a type of the engine is called here.

    >>> kind_of("DECIMAL(18,2)"), kind_of("UINTEGER"), kind_of("VARCHAR")
    ('float', 'integer', 'text')
    """
    if sql_type in _INTEGERS or sql_type.endswith(",0)"):
        return "integer"
    if sql_type in {"FLOAT", "DOUBLE"} or sql_type.startswith("DECIMAL"):
        return "float"
    if sql_type == "BOOLEAN":
        return "boolean"
    return "date" if sql_type.startswith(("DATE", "TIMESTAMP")) else "text"


def _from_json(column: Column, f: Field, where: str) -> Column:
    """Values of JSON as what they stand for; of two kinds only if they cannot be confused."""
    values = [json.loads(str(text)) for text in column.categories]
    types = {type(value) for value in values}
    fault = ""
    if types & {dict, list}:
        fault = "lists or records, which cannot be labels"
    if bool in types and types & {int, float}:
        fault = "true or false beside numbers"
    if fault:
        fix = "write labels of one kind"
        saw = shorten(column.categories, 4)
        what = f"column {quoted(f.name)} holds {fault}"
        raise InputError(Fault("CM104", what, where, saw, fix))
    if types == {int, float}:
        values = [float(value) for value in values]
        types = {float}
    names: dict[type, Kind] = {str: "text", bool: "boolean", int: "integer", float: "float"}
    kind: Kind = names[types.pop()] if len(types) == 1 else "mixed" if types else "none"
    meaning = dict(zip(column.categories, values, strict=True))
    read = replace(column.renamed(meaning.__getitem__), kind=kind).sorted()
    _refuse_zero_bytes(read.categories, f, where)
    return read


def _refuse_zero_bytes(labels: Sequence[Label], f: Field, where: str) -> None:
    bad = [x for x in labels if isinstance(x, str) and "\x00" in x]
    if bad:
        what = f"column {quoted(f.name)} holds zero bytes, which text does not"
        fix = "look whether the file is damaged, or of another encoding"
        raise InputError(Fault("CM004", what, where, quoted(bad[0]), fix))

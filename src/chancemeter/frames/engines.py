"""Tables of an engine: the group-by runs where the rows are, and only counts come back.

Any engine that ibis knows can be asked. On DuckDB, Spark and PostgreSQL the answers are equal
to the last count, whatever collations, nulls, kinds of numbers and weights there are.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote_plus, urlsplit

import numpy as np

from chancemeter.errors import Fault, InputError, did_you_mean, printable, shorten
from chancemeter.frames.binned import BINS, MOST_SCORES, ScoreCounts, bins_of
from chancemeter.frames.grouped import Grouped
from chancemeter.frames.longform import Long, Some, Wrong
from chancemeter.frames.pushdown import Key, Weights, span, times_two_to

#: More distinct rows than this are refused: then an identifier or a raw score is among the columns.
MOST_GROUPS = 5_000_000

#: What installs the driver of an engine; others go by the name ibis gives its own extras.
_EXTRAS = {
    "duckdb": "chancemeter[engine]",
    "pyspark": "chancemeter[spark]",
    "postgres": "chancemeter[postgres]",
}


class EngineSource:
    """A table of an engine, given as an ibis table (or any ibis expression that is a table).

    >>> import ibis
    >>> import pyarrow as pa
    >>> rows = ibis.memtable(pa.table({"truth": ["a", "b", "b"], "guess": ["a", "b", "a"]}))
    >>> found = EngineSource(rows).group(["truth", "guess"])
    >>> found.columns["truth"].categories, found.counts.tolist()
    (('a', 'b'), [1, 1, 1])
    """

    def __init__(self, table: Any, name: str | None = None) -> None:
        """Keep the table; `name` is what messages call it, by default its own name."""
        self.table = table
        self.name = printable(name or _own_name(table))
        self.secrets: tuple[str, ...] = ()
        """What no message may contain."""

    def names(self) -> list[str]:
        """The columns, in order."""
        return list(self.table.columns)

    def group(self, names: Sequence[str], weight: str | None = None) -> Grouped:
        """Distinct rows of the named columns, missing values kept, with counts or weights.

        NaN counts as missing. Floating weights are added exactly, down to bits 2⁻¹²³ times the
        largest weight, and rounded once, so every engine returns the same sums.
        """
        self._check_names([*names, *([weight] if weight is not None else [])])
        keys = {name: Key(self.table[name], self._engine) for name in names}
        self._check_kinds(keys)
        return self._group(keys, weight)

    def score_counts(
        self,
        score: str,
        truth: str,
        extra: Sequence[str] = (),
        *,
        weight: str | None = None,
        most: int = MOST_SCORES,
    ) -> ScoreCounts:
        """How often each score occurs with each true label, for curves.

        Above `most` different scores the engine counts them in bins, and the result says how far
        off that can be.
        """
        names = list(dict.fromkeys([truth, *extra]))
        self._check_names([score, *names, *([weight] if weight is not None else [])])
        keys = {name: Key(self.table[name], self._engine) for name in names}
        self._check_kinds(keys)
        column = self.table[score]
        distinct, low, high = self._range_of_scores(score, most)
        if distinct <= most:
            # as floats, so that scores of any type can be put beside each other
            keys = {score: Key(column.cast("float64"), self._engine), **keys}
            return ScoreCounts.of(self._group(keys, weight))
        power = bins_of(low, high)
        place = times_two_to(column.cast("float64"), power).floor().cast("int64")
        if low >= 0 and high <= 1:  # no bin for 1 alone
            place = (place == BINS).ifelse(BINS - 1, place)
        keys = {score: Key(place, self._engine), **keys}
        return ScoreCounts.of_bins(self._group(keys, weight), power)

    def check_ids(self, id: str) -> None:
        """Refuse a case that stands in more than one row, or has no id."""
        self._check_names([id])
        each = self.table.select(id=Key(self.table[id], self._engine).asked)
        nameless = each.filter(each.id.isnull()).count()
        grouped = each.filter(each.id.notnull()).group_by("id")
        times = grouped.aggregate(n=lambda t: t.count())
        twice = self._marked(times, {"twice": times.n > 1})["twice"]
        Wrong(nameless=self._ask_number(nameless), twice=twice).judge(self.name)

    def widened(self, long: Long) -> tuple[EngineSource, list[str], list[str]]:
        """The wide form of a long table, its models, and what was left out."""
        self._check_names(long.columns)
        table, engine = self.table, self._engine
        found = self.group([long.model]).columns[long.model].sorted()
        models = long.models(found.categories, self.name)
        nameless = self._ask_number(
            table.filter(table[long.id].isnull() | table[long.model].isnull()).count()
        )
        Wrong(nameless=nameless).judge(self.name, long.model)
        of = [table[long.model] == name for name in found.categories]
        cases, answers = list(dict.fromkeys(long.of_case)), (long.predicted, *long.scores)
        parts = {"n": table.count(), "m": Key(table[long.model], engine).asked.nunique()}
        parts |= {f"n{j}": mine.ifelse(1, 0).sum() for j, mine in enumerate(of)}
        for i, name in enumerate(cases):
            parts[f"c{i}"] = table[name].max()
            parts[f"d{i}"] = Key(table[name], engine).asked.nunique()
            parts[f"e{i}"] = table[name].isnull().ifelse(1, 0).sum()
        for i, name in enumerate(answers):
            parts |= {f"a{i}_{j}": table[name].max(where=x) for j, x in enumerate(of)}
        wide = table.group_by(id=Key(table[long.id], engine).asked).aggregate(**parts)
        marks = {"twice": wide.n > wide.m}
        for i in range(len(cases)):
            gaps = (wide[f"e{i}"] > 0) & (wide[f"e{i}"] < wide.n)
            marks[f"torn{i}"] = (wide[f"d{i}"] > 1) | gaps
        marks |= {f"lacks{j}": wide[f"n{j}"] == 0 for j in range(len(models))}
        some = self._marked(wide, marks)
        wrong = Wrong(
            twice=some["twice"],
            torn={name: some[f"torn{i}"] for i, name in enumerate(cases)},
            lacking={name: some[f"lacks{j}"] for j, name in enumerate(models)},
        )
        notes = wrong.judge(self.name, long.model, drop=long.drop)
        whole = wide.filter(wide.m == len(models))
        named = {name: whole[f"c{i}"] for i, name in enumerate(cases)}
        for i, name in enumerate(answers):
            named |= {long.wide(model, name): whole[f"a{i}_{j}"] for j, model in enumerate(models)}
        return EngineSource(whole.select(**named), self.name), models, notes

    def _marked(self, table: Any, marks: Mapping[str, Any]) -> dict[str, Some]:
        """For each mark how many ids have it, and the first of them; asked once if none has."""
        sums = {name: mark.ifelse(1, 0).sum() for name, mark in marks.items()}
        many = {
            name: int(n or 0)
            for name, n in self._ask(table.aggregate(**sums)).to_pylist()[0].items()
        }
        some: dict[str, Some] = {}
        for name, mark in marks.items():
            first = table.filter(mark).select("id").order_by("id").limit(5)
            few = self._ask(first)["id"].to_pylist() if many[name] else []
            texts = [x.decode("utf-8", "replace") if isinstance(x, bytes) else x for x in few]
            some[name] = many[name], texts
        return some

    def _ask_number(self, expression: Any) -> int:
        with _told(self.name, "the engine could not answer", self.secrets):
            return int(expression.to_pyarrow().as_py())

    @property
    def _engine(self) -> str:
        with _told(self.name, "the table belongs to no engine"):
            return str(self.table.get_backend().name)

    def _check_names(self, names: Sequence[str]) -> None:
        known = self.names()
        faults = [
            Fault(
                "CM101",
                f"no column named '{printable(name)}'",
                self.name,
                f"columns {shorten(known)}",
                did_you_mean(name, known),
            )
            for name in names
            if name not in known
        ]
        if faults:
            raise InputError(*faults)

    def _check_kinds(self, keys: Mapping[str, Key]) -> None:
        faults = [
            Fault(
                "CM104",
                f"values of column '{printable(name)}' cannot be labels",
                self.name,
                f"type {printable(key.type)}",
                "labels are text, numbers, truth values or dates",
            )
            for name, key in keys.items()
            if not key.is_label
        ]
        if faults:
            raise InputError(*faults)

    def _group(self, keys: Mapping[str, Key], weight: str | None) -> Grouped:
        """The group-by, checked against the number of rows."""
        totals = {"rows": self.table.count()}
        if weight is not None:
            totals |= self._about_numbers(weight, "CM106", "weights")
        about = self._one_row(totals)
        rows = int(about["rows"])
        parts = Weights.of(self.table, weight, about, self.name)
        inner = {f"k{i}": key.asked for i, key in enumerate(keys.values())} | parts.asked
        # a table without columns has no rows to an engine, so that there is always one
        chosen = self.table.select(**inner, one=1)
        sums = {name: chosen[name].sum() for name in parts.asked}
        by = [f"k{i}" for i in range(len(keys))]
        grouped = (chosen.group_by(by) if by else chosen).aggregate(n=chosen.count(), **sums)
        as_text = {f"k{i}" for i, key in enumerate(keys.values()) if key.as_text} | set(sums)
        sent = grouped.mutate(**{name: grouped[name].cast("string") for name in sorted(as_text)})
        answer = self._ask(sent.limit(MOST_GROUPS + 1))
        if answer.num_rows > MOST_GROUPS:
            what = f"more than {MOST_GROUPS:,} distinct rows: is an identifier among the columns?"
            saw = f"columns {shorten(keys)}"
            raise InputError(Fault("CM105", what, self.name, saw, "leave it out, or bin it"))
        counts = answer["n"].to_numpy().astype(np.int64)
        if int(counts.sum()) != rows:
            what = f"the engine has {rows:,} rows and grouped {int(counts.sum()):,}"
            fix = "if the table changed meanwhile, read a copy of it; else please report this"
            raise InputError(Fault("CM008", what, self.name, fix=fix))
        columns = {
            name: key.column(answer[f"k{i}"], self.name)
            for i, (name, key) in enumerate(keys.items())
        }
        if weight is not None:
            counts = parts.together({name: answer[name].to_pylist() for name in sums})
        return Grouped(columns, counts, rows).compact()

    def _range_of_scores(self, score: str, most: int) -> tuple[int, float, float]:
        """How many distinct scores there are, the least and the largest; all finite."""
        column = self.table[score]
        about = self._one_row(
            {"rows": self.table.count(), **self._about_numbers(score, "CM006", "scores")}
        )
        low, high = about["low"], about["high"]
        if about["bad"]:
            what = f"{about['bad']:,} of {about['rows']:,} scores are not finite numbers"
            fix = "mend or leave out these rows; a curve needs a number for each case"
            where = f"{self.name}, column {printable(score)}"
            raise InputError(Fault("CM006", what, where, span(low, high), fix))
        import ibis.expr.operations as ops

        rough = self.table.get_backend().has_operation(ops.ApproxCountDistinct)
        if rough and most < int(about["rows"]):
            # exact numbers of distinct values take memory; estimates err by some percent
            near = int(self._one_row({"near": column.approx_nunique()})["near"])
            if near > 2 * most:
                return near, float(low), float(high)
        distinct = int(self._one_row({"distinct": column.nunique()})["distinct"])
        return distinct, float(low or 0), float(high or 0)

    def _about_numbers(self, name: str, code: str, what: str) -> dict[str, Any]:
        """What is to be asked of a column of numbers before it is used."""
        column = self.table[name]
        if not column.type().is_numeric() or column.type().is_boolean():
            place = f"{self.name}, column {printable(name)}"
            raise InputError(Fault(code, f"{what} are numbers", place, f"type {column.type()}"))
        bad = column.isnull()
        if column.type().is_floating():
            # not isnan(): DuckDB 2 answers that by the statistics of a Parquet file, without NaN
            bad = bad | (column - column != 0)
        return {
            "bad": bad.ifelse(1, 0).sum(),
            "low": column.min().cast("float64"),
            "high": column.max().cast("float64"),
        }

    def _one_row(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """One value for each expression."""
        return dict(self._ask(self.table.aggregate(**asked)).to_pylist()[0])

    def _ask(self, expression: Any) -> Any:
        """What the engine says, as an Arrow table."""
        with _told(self.name, "the engine could not answer", self.secrets):
            return expression.to_pyarrow()


def _own_name(table: Any) -> str:
    try:
        return str(table.get_name())
    except Exception:  # noqa: BLE001 - only tables have names, and a name is only for messages
        return "the table"


@contextmanager
def _told(where: str, what: str, secrets: Sequence[str] = ()) -> Iterator[None]:
    """Say what an engine said in one line; drivers raise errors of any kind."""
    try:
        with warnings.catch_warnings():
            # what ibis calls in a driver is nothing the caller can change
            warnings.simplefilter("ignore", DeprecationWarning)
            yield
    except InputError:
        raise
    except Exception as error:  # noqa: BLE001 - see above
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        said = f"{type(error).__name__}: {lines[0] if lines else ''}"
        for secret in secrets:
            said = said.replace(secret, "***")
        raise InputError(Fault("CM001", what, where, printable(said, 300))) from None


def connect(url: str, table: str) -> EngineSource:
    """A table of the engine at `url`, such as ``postgres://user@host/db`` or ``duckdb://x.duckdb``.

    A table in another schema is called ``schema.table``. Database files are opened for reading
    only, and never made. Passwords stay out of all messages.
    """
    shown, secrets = _without_secrets(url)
    connection = _connected(url, shown, secrets)
    with _told(shown, "the engine could not be asked for its tables", secrets):
        tables = _tables(connection)
        place = None if table in tables else _elsewhere(connection, table)
        if table not in tables and place is None:
            fix = did_you_mean(table, tables)
            saw = f"tables {shorten(tables)}" if tables else "no tables"
            what = f"no table named '{printable(table)}'"
            raise InputError(Fault("CM101", what, shown, saw, fix))
        found = table_named(connection, *(place or (None, table)))
    source = EngineSource(found, table)
    source.secrets = secrets
    return source


def table_named(connection: Any, schema: str | None, name: str) -> Any:
    """A table that is there, whatever its name contains."""
    if connection.name == "pyspark" and not (name.isidentifier() and name.isascii()):
        # ibis looks such a name up without quotes there, and fails
        parts = [part.replace("`", "``") for part in (schema, name) if part is not None]
        return connection.sql(f"SELECT * FROM `{'`.`'.join(parts)}`")  # noqa: S608 - quoted
    return connection.table(name, database=schema)


def _tables(connection: Any, schema: str | None = None) -> list[str]:
    """The names of all tables in a schema, by default the current one."""
    if connection.name != "duckdb":
        return sorted(connection.list_tables(database=schema))
    # ibis 12 asks DuckDB 2 by a method that is gone
    asked = (
        "SELECT table_name FROM information_schema.tables WHERE table_catalog = "
        "current_database() AND table_schema = coalesce(?, current_schema()) ORDER BY 1"
    )
    return [name for (name,) in connection.con.execute(asked, [schema]).fetchall()]


def _elsewhere(connection: Any, table: str) -> tuple[str, str] | None:
    """Schema and name, if `table` has both and is there."""
    schema, dot, name = table.rpartition(".")
    try:
        there = bool(dot) and name in _tables(connection, schema)
    except Exception:  # noqa: BLE001 - each engine says in its own way that there is no such schema
        there = False
    return (schema, name) if there else None


def _connected(url: str, shown: str, secrets: Sequence[str]) -> Any:
    try:
        import ibis
        import ibis.util
    except ImportError:
        fix = "pip install 'chancemeter[engine]'"
        raise InputError(Fault("CM005", "engines need ibis, which is missing", fix=fix)) from None
    if url.endswith(".duckdb") and "://" not in url:
        url = f"duckdb://{Path(url).absolute()}"
    scheme = urlsplit(url).scheme
    engine = "postgres" if scheme == "postgresql" else scheme
    known = sorted(entry.name for entry in ibis.util.backend_entry_points())
    if "://" not in url or engine not in known:
        fix = did_you_mean(engine, known, f"one of {', '.join(known)}, as in duckdb://file.duckdb")
        what = (
            f"no engine is called '{printable(engine)}'" if engine else "an engine is given by URL"
        )
        raise InputError(Fault("CM001", what, shown, fix=fix))
    try:
        getattr(ibis, engine)
    except ImportError as error:
        fix = f"pip install '{_EXTRAS.get(engine, f'ibis-framework[{engine}]')}'"
        what = f"the driver for {engine} is missing"
        raise InputError(Fault("CM005", what, shown, printable(error), fix)) from None
    options = _file_options(engine, url, shown)
    with _told(shown, "the engine could not be reached", secrets):
        return ibis.connect(url, **options)


def _file_options(engine: str, url: str, shown: str) -> dict[str, Any]:
    """Database files must be there, and are not written to."""
    if engine not in {"duckdb", "sqlite"}:
        return {}
    parts = urlsplit(url)
    path = f"{parts.netloc}{parts.path}"
    if path in {"", "/", ":memory:"} or path.startswith(("md:", "motherduck:")):
        return {}
    if not Path(path).is_file():
        raise InputError(Fault("CM001", "there is no such database file", shown))
    return {"read_only": True} if engine == "duckdb" else {}


def _without_secrets(url: str) -> tuple[str, tuple[str, ...]]:
    """`url` as it may be printed, and what may not.

    >>> _without_secrets("postgres://me:s3cret@host/db?sslmode=require")
    ('postgres://me:***@host/db', ('s3cret',))
    """
    try:
        parts = urlsplit(url)
    except ValueError:
        return "the engine", (url,)
    user, colon, password = parts.netloc.rpartition("@")[0].partition(":")
    host = parts.netloc.rpartition("@")[2]
    login = f"{user}{':***' if colon else ''}@" if "@" in parts.netloc else ""
    hidden = {password, unquote_plus(password)}
    open_words = {"host", "port", "user", "database", "schema", "sslmode", "read_only"}
    hidden |= {value for key, value in parse_qsl(parts.query) if key.lower() not in open_words}
    prefix = f"{parts.scheme}://" if parts.scheme else ""
    secrets = sorted((x for x in hidden if len(x) > 1), key=len, reverse=True)
    return printable(f"{prefix}{login}{host}{parts.path}", 200), tuple(secrets)

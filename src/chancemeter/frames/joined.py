"""Rows that belong together by an id: in several files, or in several rows of one."""

# ruff: noqa: S608  what enters SQL is made here, or quoted by `literal`

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal

from chancemeter.errors import Fault, InputError, plural, quoted, shorten
from chancemeter.frames.duck import (
    Engine,
    Field,
    Progress,
    Question,
    check_rows,
    label_sql,
    literal,
    too_long,
)
from chancemeter.frames.files import Counted, FileSource, Options, Paths, find_fields
from chancemeter.frames.longform import Long, Some, Wrong
from chancemeter.frames.paths import find_files
from chancemeter.tables import PRED_NAMES


class JoinedSource(Counted):
    """Truth in one file and predictions in others, put together by an id.

    Its columns are those of the truth, one named after each model, and what else stands beside a
    prediction as ``model.column``.
    """

    def __init__(
        self,
        truth: FileSource | Paths,
        predictions: Mapping[str, Paths],
        id: str,
        *,
        predicted: str | None = None,
        missing_ids: Literal["error", "drop"] = "error",
        encoding: str = "utf-8",
        delimiter: str | None = None,
        glob: bool = False,
        max_rows: int | None = None,
        columns_as_text: bool = True,
        progress: Progress | None = None,
    ) -> None:
        """Open all files and match their ids.

        `predicted` names the column of predictions where a file has several. An id that stands
        in one file only is an error, or with ``missing_ids="drop"`` its row is left out of all.
        """
        if missing_ids not in {"error", "drop"}:
            what = f"missing_ids is 'error' or 'drop', not {quoted(missing_ids)}"
            raise InputError(Fault("CM402", what))
        self.options = Options(encoding, delimiter, max_rows, columns_as_text)
        self.notes: list[str] = []
        if isinstance(truth, FileSource):
            groups = [(truth.files, truth.options)]
        else:
            groups = [(find_files(truth, glob=glob), self.options)]
        groups += [(find_files(paths, glob=glob), self.options) for paths in predictions.values()]
        self.engine = Engine([f.path for files, _ in groups for f in files], progress)
        try:
            sources = [FileSource.inside(self.engine, *group) for group in groups]
            self.name = sources[0].name
            self.readings = [reading for s in sources for reading in s.readings]
            self._columns(sources, list(predictions), id, predicted)
            self._known = self.carefully(lambda: self._matched(sources, drop=missing_ids == "drop"))
        except BaseException:
            self.engine.close()
            raise

    def _columns(
        self, sources: list[FileSource], models: list[str], key: str, predicted: str | None
    ) -> None:
        """Name the columns of all files."""
        ids = [find_fields([key], s.readings[0].fields, s.name)[0] for s in sources]
        same = len({field.type for field in ids}) == 1 and ids[0].type != "JSON"
        self._ids = [field.sql if same else _id_as_text(field) for field in ids]
        self._id_fields = ids
        self._inner: list[list[Field]] = [s.readings[0].fields for s in sources]
        self._fields = []
        for j, (source, fields) in enumerate(zip(sources, self._inner, strict=True)):
            model = models[j - 1] if j else ""
            chosen = _prediction(source, key, model, predicted) if j else None
            for i, field in enumerate(fields):
                if j and field.name == key:
                    continue
                name = field.name if not j else model if i == chosen else f"{model}.{field.name}"
                self._fields.append(replace(field, name=name, sql=f"t{j}.x{i}"))
        for model in models:
            if self.names().count(model) > 1:
                what = f"a model and a column of the truth are both called {quoted(model)}"
                raise InputError(Fault("CM402", what, self.name, fix="rename the model"))

    def _matched(self, sources: list[FileSource], *, drop: bool) -> int:
        """Check that every id stands once in every file; how many rows there are."""
        engine = self.engine
        faults: list[Fault] = []
        for j, source in enumerate(sources):
            rows, most = source.readings[0].rows(), self.options.max_rows
            if most is not None and rows is not None and rows > most:
                raise too_long(source.name, most)
            relation = source.readings[0].relation([self._id_fields[j]])
            engine.rows(
                f"CREATE OR REPLACE TEMP TABLE id{j} AS SELECT {self._ids[j]} AS id FROM {relation}"
            )
            found = engine.one(f"SELECT count(*) FROM id{j}")[0]
            check_rows(Question("", [], source.name, known_rows=rows), found)
            faults += _not_once(engine, j, source.name)
        if faults:
            raise InputError(*faults)
        for j, source in enumerate(sources[1:], 1):
            for a, b, here, there in ((0, j, sources[0], source), (j, 0, source, sources[0])):
                lost = f"FROM id{a} WHERE NOT EXISTS (FROM id{b} WHERE id{b}.id = id{a}.id)"
                many, few = _some(engine, lost)
                if many and drop:
                    self.notes.append(
                        f"{plural(many, 'id')} of {here.name} left out: not in {there.name}"
                    )
                elif many:
                    what = f"{plural(many, 'id')} of {here.name} not in {there.name}"
                    fix = "missing_ids='drop' (--missing-ids drop) leaves such rows out"
                    faults.append(Fault("CM007", what, there.name, few, fix))
        if faults:
            raise InputError(*faults)
        joined = " ".join(f"JOIN id{j} USING (id)" for j in range(1, len(sources)))
        matched: int = engine.one(f"SELECT count(*) FROM id0 {joined}")[0]
        for j in range(len(sources)):
            engine.rows(f"DROP TABLE id{j}")
        return matched

    def _question(self, fields: Sequence[Field], weight: Field | None) -> Question:
        wanted = {field.sql for field in [*fields, *([] if weight is None else [weight])]}
        relation = ""
        for j, inner in enumerate(self._inner):
            used = [(i, f) for i, f in enumerate(inner) if f"t{j}.x{i}" in wanted]
            listed = "".join(f", {f.sql} AS x{i}" for i, f in used)
            reader = self.readings[j].relation([self._id_fields[j], *(f for _, f in used)])
            part = f"(SELECT {self._ids[j]} AS id{listed} FROM {reader}) AS t{j}"
            relation += f" JOIN {part} ON t0.id = t{j}.id" if j else part
        return Question(
            relation, fields, self.name, weight, self._known, self.options.max_rows, large=False
        )


def _id_as_text(field: Field) -> str:
    if field.type == "JSON":
        return f"({field.sql} ->> '$')"
    return f"CAST({field.sql} AS VARCHAR)"


def _some(engine: Engine, found: str) -> tuple[int, str]:
    """How many ids a query finds, and the first of them."""
    many: int = engine.one(f"SELECT count(*) {found}")[0]
    if not many:
        return 0, ""
    few = engine.rows(f"SELECT id {found} ORDER BY id LIMIT 5")
    return many, shorten((quoted(row[0]) for row in few), 5) + (", …" if many > 5 else "")


def _not_once(engine: Engine, j: int, where: str) -> list[Fault]:
    """What is wrong with the ids of one file."""
    faults = []
    empty = engine.one(f"SELECT count(*) FROM id{j} WHERE id IS NULL")[0]
    if empty:
        what = f"{plural(empty, 'row')} without an id"
        faults.append(Fault("CM007", what, where, fix="give each case an id of its own"))
    twice = f"(SELECT id FROM id{j} WHERE id IS NOT NULL GROUP BY id HAVING count(*) > 1)"
    many, few = _some(engine, f"FROM {twice}")
    if many:
        what = f"{plural(many, 'id')} more than once"
        fix = "each case stands once in each file"
        faults.append(Fault("CM007", what, where, few, fix))
    return faults


def _prediction(source: FileSource, key: str, model: str, predicted: str | None) -> int:
    """Which column of a file holds the predictions."""
    names = source.names()
    others = [name for name in names if name != key]
    usual = [name for name in others if name.strip().lower() in PRED_NAMES]
    name = predicted
    if name is None:
        if len(others) == 1:
            name = others[0]
        elif model in others:
            name = model
        elif len(usual) == 1:
            name = usual[0]
        else:
            what = f"which column holds the predictions of {quoted(model)}?"
            saw = f"columns: {shorten(names, 12)}"
            raise InputError(Fault("CM101", what, source.name, saw, "say predicted="))
    find_fields([name], source.readings[0].fields, source.name)
    return names.index(name)


def check_ids(source: FileSource, id: str) -> None:
    """Refuse a case that stands in more than one row, or has no id."""
    field = find_fields([id], source.readings[0].fields, source.name)[0]

    def faults() -> list[Fault]:
        source.engine.rows(
            f"CREATE OR REPLACE TEMP TABLE id0 AS SELECT {_id_as_text(field)} AS id "
            f"FROM {source.readings[0].relation([field])}"
        )
        found = source.engine.one("SELECT count(*) FROM id0")[0]
        check_rows(Question("", [], source.name, known_rows=source.readings[0].rows()), found)
        return _not_once(source.engine, 0, source.name)

    wrong = source.carefully(faults)
    source.engine.rows("DROP TABLE id0")
    if wrong:
        raise InputError(*wrong)


class LongSource(Counted):
    """The wide form of a long file: a row for each case, a column for each model."""

    def __init__(self, source: FileSource, long: Long) -> None:
        """Put the rows of each case together, by the connection that is open already."""
        self.options, self.name, self.engine = source.options, source.name, source.engine
        self.readings = source.readings
        self._long = long
        fields = find_fields(long.columns, source.readings[0].fields, source.name)
        self._by_name = {field.name: field for field in fields}
        self.models: list[str] = []
        self.notes: list[str] = []
        self._known = self.carefully(self._collected)

    def _collected(self) -> int:
        """Make the table ``wide`` and check it; how many cases there are."""
        long, reading, engine = self._long, self.readings[0], self.engine
        relation = reading.relation(list(self._by_name.values()))
        model = f"CAST({label_sql(self._by_name[long.model], self.name)} AS VARCHAR)"
        found = engine.rows(
            f"SELECT DISTINCT {model} AS m FROM {relation} WHERE m IS NOT NULL ORDER BY m"
        )
        self.models = long.models([row[0] for row in found], self.name)
        cases = [self._by_name[name] for name in dict.fromkeys(long.of_case)]
        of = {name: f"FILTER (of = {literal(name)})" for name in self.models}
        what = ["id", "count(*) AS n", "count(*) FILTER (of IS NULL) AS nameless"]
        what += [f"count(*) {of[name]} AS n{j}" for j, name in enumerate(self.models)]
        listed = [f"{_id_as_text(self._by_name[long.id])} AS id", f"{model} AS of"]
        self._fields = []
        for i, field in enumerate(cases):
            listed.append(f"{field.sql} AS x{i}")
            what += [f"min(x{i}) AS c{i}"]
            what += [
                f"min(x{i}) IS DISTINCT FROM max(x{i}) OR count(x{i}) NOT IN (0, n) AS torn{i}"
            ]
            self._fields.append(replace(field, sql=f"c{i}"))
        for i, name in enumerate((long.predicted, *long.scores)):
            listed.append(f"{self._by_name[name].sql} AS y{i}")
            for j, model_name in enumerate(self.models):
                what.append(f"any_value(y{i}) {of[model_name]} AS a{i}_{j}")
                wide = long.wide(model_name, name)
                self._fields.append(replace(self._by_name[name], name=wide, sql=f"a{i}_{j}"))
        engine.rows(
            f"CREATE OR REPLACE TEMP TABLE wide AS SELECT {', '.join(what)} "
            f"FROM (SELECT {', '.join(listed)} FROM {relation}) GROUP BY id"
        )
        total, nameless = engine.one(
            "SELECT coalesce(sum(n), 0)::BIGINT, coalesce(sum(CASE WHEN id IS NULL THEN n ELSE "
            "nameless END), 0)::BIGINT FROM wide"
        )
        check_rows(Question("", [], self.name, known_rows=reading.rows()), total)
        self._judge(nameless, [field.name for field in cases])
        known: int = engine.one("SELECT count(*) FROM wide")[0]
        return known

    def _judge(self, nameless: int, cases: Sequence[str]) -> None:
        """Raise what is wrong with the ids, or leave out cases that lack a model."""
        counts = [f"n{j}" for j in range(len(self.models))]
        twice = " OR ".join(f"{n} > 1" for n in counts) or "false"
        wrong = Wrong(
            nameless=nameless,
            twice=self._some(twice),
            torn={name: self._some(f"torn{i}") for i, name in enumerate(cases)},
            lacking={
                name: self._some(f"{n} = 0") for name, n in zip(self.models, counts, strict=True)
            },
        )
        self.notes = wrong.judge(self.name, self._long.model, drop=self._long.drop)
        if self.notes:
            self.engine.rows(f"DELETE FROM wide WHERE {' OR '.join(f'{n} = 0' for n in counts)}")

    def _some(self, condition: str) -> Some:
        found = f"FROM wide WHERE id IS NOT NULL AND ({condition})"
        many = self.engine.one(f"SELECT count(*) {found}")[0]
        few = self.engine.rows(f"SELECT id {found} ORDER BY id LIMIT 5") if many else []
        return many, [row[0] for row in few]

    def _question(self, fields: Sequence[Field], weight: Field | None) -> Question:
        return Question("wide", fields, self.name, weight, self._known, self.options.max_rows)

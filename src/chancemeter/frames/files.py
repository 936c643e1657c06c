"""Files of any size as sources: grouped once by DuckDB, out of core, from a locked connection."""

# ruff: noqa: S608  what enters SQL is made here, or quoted by `literal`

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, Self, TypeVar

from chancemeter.errors import Fault, InputError, did_you_mean, plural, printable, quoted, shorten
from chancemeter.frames.arff import ArffReading
from chancemeter.frames.binned import MOST_SCORES, ScoreCounts, count_scores
from chancemeter.frames.duck import (
    LARGE,
    Engine,
    Field,
    MiscountedError,
    Progress,
    Question,
    check_rows,
    count_groups,
    too_long,
)
from chancemeter.frames.grouped import Column, Grouped
from chancemeter.frames.ipc import ArrowReading
from chancemeter.frames.paths import File, called, find_files
from chancemeter.frames.readings import JsonReading, ParquetReading, Reading, TextReading
from chancemeter.tables import PRED_NAMES, Label

T = TypeVar("T")
G = TypeVar("G", bound=Grouped)
Paths = str | Path | Iterable[str | Path]

_INTEGER = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class _Options:
    """How files are read."""

    encoding: str = "utf-8"
    delimiter: str | None = None
    max_rows: int | None = None
    columns_as_text: bool = True


class _Counted(ABC):
    """What one and several joined files have in common: they are grouped by an engine."""

    name: str
    _engine: Engine
    _fields: list[Field]
    readings: list[Reading]
    options: _Options

    def names(self) -> list[str]:
        """The columns, in order."""
        return [field.name for field in self._fields]

    def group(self, names: Sequence[str], weight: str | None = None) -> Grouped:
        """Distinct rows of the named columns, missing values kept, with counts or weights.

        The counts are checked to sum to the rows. Weights are summed exactly, so that no order of
        reading changes the result.
        """
        fields = find_fields(names, self._fields, self.name)
        weights = None if weight is None else find_fields([weight], self._fields, self.name)[0]
        grouped, _ = self._carefully(
            lambda: count_groups(self._engine, self._question(fields, weights))
        )
        if not grouped.rows:
            fix = "the first line names the columns; cases follow, one a line"
            raise InputError(Fault("CM002", "the file holds no rows", self.name, fix=fix))
        return self._numbers(grouped)

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

        With more than `most` different scores they are counted in bins, and the result says how
        far off that can be.
        """
        if score in {truth, *extra}:
            what = f"{quoted(score)} is taken for the score and for something else"
            raise InputError(Fault("CM402", what, self.name, fix="name two columns"))
        fields = find_fields([score, truth, *extra], self._fields, self.name)
        weights = None if weight is None else find_fields([weight], self._fields, self.name)[0]
        return self._numbers(
            self._carefully(
                lambda: count_scores(self._engine, lambda: self._question(fields, weights), most)
            )
        )

    def close(self) -> None:
        """Let go of the files and remove what was written aside."""
        self._engine.close()

    def __enter__(self) -> Self:
        """Open until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    @abstractmethod
    def _question(self, fields: Sequence[Field], weight: Field | None) -> Question:
        """What the engine is asked, for these columns."""

    def _carefully(self, work: Callable[[], T]) -> T:
        """The result of `work`, reading more carefully for as long as that may help."""
        while True:
            try:
                return work()
            except (self._engine.error, MiscountedError) as error:
                _refuse_lack(error, self.name)
                mended = [reading.repair(error) for reading in self.readings]
                if any(mended):
                    continue
                if isinstance(error, MiscountedError):
                    fix = "please report this"
                    raise InputError(Fault("CM008", str(error), self.name, fix=fix)) from None
                raise self._blamed(error).explain(error) from None

    def _blamed(self, error: Exception) -> Reading:
        """The reading of which the engine names a file, else the first."""
        for reading in self.readings:
            if any(str(file.path) in str(error) for file in reading.files):
                return reading
        return self.readings[0]

    def _numbers(self, grouped: G) -> G:
        """Columns of text that hold numbers only, as numbers if that was asked for."""
        if self.options.columns_as_text:
            return grouped
        text = {f.name for f in self._fields if f.from_text and f.type == "VARCHAR"}
        columns = {n: as_numbers(c) if n in text else c for n, c in grouped.columns.items()}
        return replace(grouped, columns=columns).compact()


class FileSource(_Counted):
    r"""One or more files with the same columns, read once for each question.

    CSV, TSV, JSON lines (these also gzip or zstd), Parquet, Arrow and ARFF. Labels of text files
    are text: ``NA``, ``007`` and ``+1`` stay as they are, and an empty field is a missing value.

    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "answers.csv")
    ...     _ = path.write_text("true,predicted\nNA,NA\n007,NA\n007,\n")
    ...     with FileSource(path) as source:
    ...         found = source.group(["true", "predicted"])
    >>> found.columns["true"].categories, found.columns["true"].codes.tolist()
    (('007', 'NA'), [0, 0, 1])
    >>> found.columns["predicted"].codes.tolist(), found.counts.tolist()
    ([-1, 0, 0], [1, 1, 1])
    """

    def __init__(
        self,
        paths: Paths,
        *,
        encoding: str = "utf-8",
        delimiter: str | None = None,
        glob: bool = False,
        max_rows: int | None = None,
        columns_as_text: bool = True,
        progress: Progress | None = None,
    ) -> None:
        """Open `paths`: files, folders and, with `glob`, patterns.

        `columns_as_text=False` makes numbers of the columns of a text file all of whose values
        are numbers. `max_rows` refuses what is longer. `progress` is told the share that is done,
        about five times a second while a query runs.
        """
        self.options = _Options(encoding, delimiter, max_rows, columns_as_text)
        self.files = find_files(paths, glob=glob)
        self._engine = Engine([file.path for file in self.files], progress)
        self.start(self._engine)

    def start(self, engine: Engine) -> None:
        """Find the columns; on a failure nothing is left behind."""
        self._engine = engine
        self.name = called(self.files)
        try:
            self._reading = _reading_of(self.files, engine, self.options)
            self.readings, self._fields = [self._reading], self._reading.fields
        except BaseException:
            engine.close()
            raise

    @classmethod
    def inside(cls, engine: Engine, files: list[File], options: _Options) -> FileSource:
        """The files by a connection that is open already."""
        source = cls.__new__(cls)
        source.options, source.files = options, files
        source.start(engine)
        return source

    def _question(self, fields: Sequence[Field], weight: Field | None) -> Question:
        used = [*fields, *([] if weight is None else [weight])]
        rows, most = self._reading.rows(), self.options.max_rows
        if most is not None and rows is not None and rows > most:
            raise too_long(self.name, most)
        return Question(
            self._reading.relation(used),
            fields,
            self.name,
            weight,
            rows,
            self.options.max_rows,
            large=sum(file.path.stat().st_size for file in self.files) > LARGE,
        )


class JoinedSource(_Counted):
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
        self.options = _Options(encoding, delimiter, max_rows, columns_as_text)
        self.notes: list[str] = []
        if isinstance(truth, FileSource):
            groups = [(truth.files, truth.options)]
        else:
            groups = [(find_files(truth, glob=glob), self.options)]
        groups += [(find_files(paths, glob=glob), self.options) for paths in predictions.values()]
        self._engine = Engine([f.path for files, _ in groups for f in files], progress)
        try:
            sources = [FileSource.inside(self._engine, *group) for group in groups]
            self.name = sources[0].name
            self.readings = [reading for s in sources for reading in s.readings]
            self._columns(sources, list(predictions), id, predicted)
            self._known = self._carefully(
                lambda: self._matched(sources, drop=missing_ids == "drop")
            )
        except BaseException:
            self._engine.close()
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
        engine = self._engine
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


def _reading_of(files: Sequence[File], engine: Engine, options: _Options) -> Reading:
    """The reading of files of one kind."""
    kind = files[0].kind
    if kind == "parquet":
        return ParquetReading(files, engine)
    if kind == "jsonl":
        return JsonReading(files, engine, options.encoding, options.max_rows)
    if kind == "arrow":
        return ArrowReading(files, engine)
    if kind == "arff":
        return ArffReading(files, engine, options.encoding)
    return TextReading(files, engine, options.encoding, options.delimiter, options.max_rows)


def find_fields(names: Iterable[str], fields: Sequence[Field], where: str) -> list[Field]:
    """The columns of these names, each once; all that are wrong are said."""
    known = [field.name for field in fields]
    faults, found = [], []
    saw = f"columns: {shorten(known, 12)}"
    for name in dict.fromkeys(names):
        here = [field for field in fields if field.name == name]
        if len(here) == 1:
            found += here
        elif here:
            what = f"two columns are named {quoted(name)}"
            faults.append(Fault("CM101", what, where, saw, "rename one"))
        else:
            what = f"no column is named {quoted(name)}"
            fix = did_you_mean(name, known, "name one of these")
            faults.append(Fault("CM101", what, where, saw, fix))
    if faults:
        raise InputError(*faults)
    return found


def as_numbers(column: Column) -> Column:
    """Text that is numbers throughout, as whole numbers if all are, else as floats.

    >>> import numpy as np
    >>> as_numbers(Column(np.array([0, 1, 2]), ("+1", "007", "1"))).categories
    (1, 7)
    """
    texts = [x for x in column.categories if isinstance(x, str)]
    if not texts or len(texts) < len(column.categories):
        return column
    if all(_INTEGER.fullmatch(x) for x in texts):
        return replace(column.renamed(_as_int), kind="integer").sorted()
    if all(_NUMBER.fullmatch(x) for x in texts):
        return replace(column.renamed(_as_float), kind="float").sorted()
    return column


def _as_int(label: Label) -> Label:
    return int(str(label))


def _as_float(label: Label) -> Label:
    return float(str(label))


def _refuse_lack(error: Exception, where: str) -> None:
    """Too little memory or disk is no fault of the file."""
    name, text = type(error).__name__, str(error)
    if name == "OutOfMemoryException" or "No space left" in text:
        what = "there is too much to count for the memory and the disk that may be used"
        fix = "is one of the columns an identifier? name only those that are needed"
        saw = printable(text.splitlines()[0], 200)
        raise InputError(Fault("CM105", what, where, saw, fix)) from None


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

"""Files of any size as sources: grouped once by DuckDB, out of core, from a locked connection."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self, TypeVar

from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted, shorten
from chancemeter.frames.arff import ArffReading
from chancemeter.frames.binned import MOST_SCORES, ScoreCounts, count_scores
from chancemeter.frames.duck import (
    LARGE,
    Engine,
    Field,
    MiscountedError,
    Progress,
    Question,
    count_groups,
    too_long,
)
from chancemeter.frames.grouped import Column, Grouped
from chancemeter.frames.ipc import ArrowReading
from chancemeter.frames.paths import File, called, find_files, titled
from chancemeter.frames.readings import JsonReading, ParquetReading, Reading, TextReading
from chancemeter.tables import Label

T = TypeVar("T")
G = TypeVar("G", bound=Grouped)
Paths = str | Path | Iterable[str | Path]

_INTEGER = re.compile(r"[+-]?\d+")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


@dataclass(frozen=True)
class Options:
    """How files are read."""

    encoding: str = "utf-8"
    delimiter: str | None = None
    max_rows: int | None = None
    columns_as_text: bool = True


class Counted(ABC):
    """What one and several joined files have in common: they are grouped by an engine."""

    name: str
    engine: Engine
    _fields: list[Field]
    readings: list[Reading]
    options: Options

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
        grouped, _ = self.carefully(
            lambda: count_groups(self.engine, self._question(fields, weights))
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
            self.carefully(
                lambda: count_scores(self.engine, lambda: self._question(fields, weights), most)
            )
        )

    def close(self) -> None:
        """Let go of the files and remove what was written aside."""
        self.engine.close()

    def __enter__(self) -> Self:
        """Open until the end of the block."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close."""
        self.close()

    @abstractmethod
    def _question(self, fields: Sequence[Field], weight: Field | None) -> Question:
        """What the engine is asked, for these columns."""

    def carefully(self, work: Callable[[], T]) -> T:
        """The result of `work`, reading more carefully for as long as that may help."""
        while True:
            try:
                return work()
            except (self.engine.error, MiscountedError) as error:
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


class FileSource(Counted):
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
        self.options = Options(encoding, delimiter, max_rows, columns_as_text)
        self.files = find_files(paths, glob=glob)
        self.engine = Engine([file.path for file in self.files], progress)
        self.start(self.engine)

    def start(self, engine: Engine) -> None:
        """Find the columns; on a failure nothing is left behind."""
        self.engine = engine
        self.name, self.title = called(self.files), titled(self.files)
        try:
            self._reading = _reading_of(self.files, engine, self.options)
            self.readings, self._fields = [self._reading], self._reading.fields
        except BaseException:
            engine.close()
            raise

    @classmethod
    def inside(cls, engine: Engine, files: list[File], options: Options) -> FileSource:
        """The files by a connection that is open already."""
        source = cls.__new__(cls)
        source.options, source.files = options, files
        source.start(engine)
        return source

    def fields(self) -> list[Field]:
        """The columns as the engine sees them."""
        return list(self._fields)

    def relation(self) -> str:
        """All rows and columns, as they stand after ``FROM``."""
        return self._question(self._fields, None).relation

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


def _reading_of(files: Sequence[File], engine: Engine, options: Options) -> Reading:
    """The reading of files of one kind."""
    kind = files[0].kind
    if kind == "parquet":
        return ParquetReading(files, engine)
    if kind == "jsonl":
        return JsonReading(files, engine, options.encoding, options.max_rows)
    if kind == "arrow":
        return ArrowReading(files, engine)
    if kind == "arff":
        return ArffReading(files, engine, options.encoding, options.max_rows)
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

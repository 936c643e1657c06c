"""Class counts per score: exact for each score that occurs, or in bins with a stated error."""

# ruff: noqa: S608  what enters SQL is made here, or quoted by `literal`

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, printable
from chancemeter.frames.duck import (
    Engine,
    Field,
    Question,
    check_rows,
    count_groups,
    number_sql,
    too_long,
)
from chancemeter.frames.grouped import Column, Grouped, joint
from chancemeter.tables import Label

#: Up to so many different scores are kept as they are.
MOST_SCORES = 1_000_000
#: Bins when there are more.
BINS = 1 << 16


@dataclass(frozen=True, eq=False, repr=False)
class ScoreCounts(Grouped):
    """How often each score occurs with each true label, and how far the scores may be off.

    The first column has the scores, as floats in increasing order: as they are, or middles of
    bins. The second has the true labels; any others are slices. Counts of parts add up with ``+``.

    >>> from chancemeter import read
    >>> rows = {"y": ["a", "b", "b"], "p": [0.1, 0.7, 0.1], "fold": [1, 1, 2]}
    >>> found = read(rows, true="y", predicted=(), score="p", fold="fold").scores["p"]
    >>> found.distinct, found.classes, found.table.tolist()
    (array([0.1, 0.7]), ('a', 'b'), [[1, 1], [0, 1]])
    >>> {entry: part.table.tolist() for entry, part in found.slices().items()}
    {(1,): [[1, 0], [0, 1]], (2,): [[0, 1]]}
    """

    half_width: float = 0.0
    """No score is further than this from where it is counted; 0 if nothing was put in bins."""

    @classmethod
    def of(cls, grouped: Grouped, half_width: float = 0.0) -> Self:
        """Groups whose first two columns are scores and truth."""
        return cls(grouped.columns, grouped.counts, grouped.rows, half_width)

    @classmethod
    def of_bins(cls, grouped: Grouped, power: int) -> Self:
        """Groups in whose first column stand multiples of 2**-power, the lower edges of bins."""
        name, column = next(iter(grouped.columns.items()))
        middles = tuple(math.ldexp(int(str(i)) + 0.5, -power) for i in column.categories)
        edges = replace(column, categories=middles, kind="float")
        return cls.of(grouped.with_column(name, edges), math.ldexp(0.5, -power))

    @property
    def distinct(self) -> Array:
        """The scores that occur, in increasing order; of bins the middles."""
        return np.array(next(iter(self.columns.values())).categories, np.float64)

    @property
    def classes(self) -> tuple[Label, ...]:
        """The true classes, in the order of the table."""
        return list(self.columns.values())[1].categories

    @property
    def table(self) -> Array:
        """How often (or with what weight) each of `distinct` occurs with each of `classes`.

        All slices together: `slices` parts them.
        """
        return self.stack([], *list(self.columns)[:2])

    def slices(self) -> dict[tuple[Label, ...], ScoreCounts]:
        """The counts of each model, fold, group and slice that occurs, by their names."""
        score, truth, *others = self.columns
        found = {}
        codes = np.stack([self.columns[name].codes for name in others] or [self.counts * 0], -1)
        for at in np.unique(codes, axis=0):
            part = self.where((codes == at).all(-1)).only(score, truth)
            part = part.with_column(score, part.columns[score].used())
            names = zip(others, at.tolist(), strict=False)
            entries = ((self.columns[name].categories, i) for name, i in names)
            found[tuple(None if i < 0 else known[i] for known, i in entries)] = part
        return found

    def __repr__(self) -> str:
        """Sizes."""
        score, truth, *others = self.columns
        parts = f", by {', '.join(map(printable, others))}" if others else ""
        kept = "scores" if self.exact else "bins of scores"
        return (
            f"<{len(self.distinct):,} {kept} of {printable(score)}, {self.rows:,} cases, "
            f"{len(self.classes)} classes of {printable(truth)}{parts}>"
        )

    @property
    def exact(self) -> bool:
        """Whether every score was kept as it is."""
        return self.half_width == 0

    @cached_property
    def auc_error(self) -> float:
        """An area under the ROC curve (a class against the rest) is off by at most this."""
        if self.exact:
            return 0.0
        score, truth, *slices = (column.codes for column in self.columns.values())
        return auc_error(score, truth, slices, self.counts)

    def __add__(self, other: Grouped) -> ScoreCounts:
        """Scores of both; only bins of one width can be put together."""
        if not isinstance(other, ScoreCounts) or other.half_width != self.half_width:
            what = "scores in different bins cannot be put together"
            fix = "scores from 0 to 1 have the same bins everywhere"
            raise InputError(Fault("CM402", what, fix=fix))
        both = super().__add__(other)
        first = next(iter(both.columns))
        ordered = both.with_column(first, both.columns[first].sorted()).compact()
        return ScoreCounts.of(ordered, self.half_width)


def bins_of(low: float, high: float) -> int:
    """Bins are 2**-power wide, edges are multiples of that: at most `BINS` of them, and the power.

    Multiplying by a power of two is exact, so every engine puts a score into the same bin.

    >>> bins_of(0.0, 1.0), bins_of(-3.0, 5.0)
    (16, 13)
    """
    low, high = (0.0, 1.0) if low >= 0 and high <= 1 else (low, high)
    return math.floor(math.log2(BINS) - math.log2(high / 2 - low / 2)) - 1


def count_scores(engine: Engine, question: Callable[[], Question], most: int) -> ScoreCounts:
    """Counts of the first column of the question, as numbers, with all others."""
    first = question()
    low, high, about = _range(engine, first)
    value, *others = first.fields
    if about <= 1.2 * most:
        score = Field(value.name, number_sql(value), "DOUBLE")
        asked = replace(question(), fields=[score, *others], large=False)
        try:
            grouped, _ = count_groups(engine, asked)
        except InputError as error:
            if error.faults[0].code != "CM105":
                raise
        else:
            if len(grouped.columns[value.name].categories) <= most:
                return ScoreCounts.of(grouped)
    return _binned(engine, question(), low, high)


def _range(engine: Engine, question: Question) -> tuple[float, float, int]:
    """The least and the largest score and about how many there are; all must be numbers."""
    value = question.fields[0]
    limit = "" if question.max_rows is None else f" LIMIT {question.max_rows + 1}"
    number = f"{number_sql(value)} AS s, CAST({value.sql} AS VARCHAR) AS shown"
    if value.type == "BLOB" or value.type.endswith(("]", ")")):
        number = f"{number_sql(value)} AS s, 'no number' AS shown"
    bad = "s IS NULL OR isnan(s) OR isinf(s)"
    rows, lost, seen, low, high, about = engine.one(
        f"SELECT count(*), count(*) FILTER ({bad}), min(coalesce(shown, 'nothing')) FILTER ({bad}),"
        f" min(s), max(s), approx_count_distinct(s) "
        f"FROM (SELECT {number} FROM {question.relation}{limit})"
    )
    where = f"{question.where}, column {printable(value.name)}"
    if question.max_rows is not None and rows > question.max_rows:
        raise too_long(question.where, question.max_rows)
    check_rows(question, rows)
    if not rows:
        fix = "the first line names the columns; cases follow"
        raise InputError(Fault("CM002", "the file holds no rows", question.where, fix=fix))
    if lost:
        what = f"{lost:,} of {rows:,} scores are not finite numbers"
        fix = "mend or leave out these rows; a curve needs a number for each case"
        raise InputError(Fault("CM006", what, where, f"such as {printable(seen)}", fix))
    return low, high, about


def _binned(engine: Engine, question: Question, low: float, high: float) -> ScoreCounts:
    """Bins of equal width; over 0 to 1 for what looks like probabilities, so that files add up."""
    value, *others = question.fields
    power = bins_of(low, high)
    half, rest = 2.0 ** (power // 2), 2.0 ** (power - power // 2)  # each a float by itself
    place = f"CAST(floor({number_sql(value)} * {_sql(half)} * {_sql(rest)}) AS BIGINT)"
    if low >= 0 and high <= 1:  # no bin for 1 alone
        place = f"least({BINS - 1}, {place})"
    asked = replace(question, fields=others, extra=(place,), large=False)
    grouped, (bins,) = count_groups(engine, asked)
    used, codes = np.unique(bins.astype(np.int64), return_inverse=True)
    edges = Column(codes.ravel(), tuple(used.tolist()), "integer")
    columns = {value.name: edges, **grouped.columns}
    return ScoreCounts.of_bins(replace(grouped, columns=columns).compact(), power)


def _sql(x: float) -> str:
    """A float as SQL that means the same float."""
    return f"CAST({x!r} AS DOUBLE)"


def score_array(values: Array, most: int) -> tuple[Column, int | None]:
    """Scores in memory as a column: as they are, or, above `most`, in bins of 2**-power."""
    values = np.asarray(values, np.float64) + 0.0  # makes one value of 0.0 and -0.0
    distinct, codes = np.unique(values, return_inverse=True)
    if len(distinct) <= most:
        return Column(codes.ravel(), tuple(distinct.tolist()), "float"), None
    power = bins_of(distinct[0], distinct[-1])
    bins = np.floor(np.ldexp(distinct, power)).astype(np.int64)
    if distinct[0] >= 0 and distinct[-1] <= 1:  # no bin for 1 alone
        bins = np.minimum(bins, BINS - 1)
    used, place = np.unique(bins, return_inverse=True)
    return Column(place.ravel()[codes.ravel()], tuple(used.tolist()), "integer"), power


def auc_error(score: Array, truth: Array, slices: list[Array], counts: Array) -> float:
    """The largest error of any one-against-rest AUC when scores of one bin count as ties.

    Two cases of different classes in one bin count one half instead of 0 or 1. So half of the
    pairs that share a bin, over all pairs, is the most that can be wrong.

    >>> import numpy as np
    >>> bins, truth = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> auc_error(bins, truth, [], np.array([3, 1, 1, 3]))
    0.1875
    """
    part, cell, both = (
        np.unique(joint([score * 0, *slices, *more]), return_inverse=True)[1].ravel()
        for more in ([], [score], [truth])
    )
    in_cell = np.bincount(cell, counts)[cell]
    own = np.bincount(both, counts)
    everyone = np.zeros(len(own))
    everyone[both] = np.bincount(part, counts)[part]
    shared = np.bincount(both, counts * (in_cell - counts))
    pairs = own * (everyone - own)
    found = shared[pairs > 0] / (2 * pairs[pairs > 0])
    return float(found.max(initial=0.0))

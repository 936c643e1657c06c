"""Class counts per score: exact for each score that occurs, or in bins with a stated error."""

# ruff: noqa: S608  what enters SQL is made here, or quoted by `literal`

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

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
from chancemeter.frames.grouped import Column, Grouped

#: Up to so many different scores are kept as they are.
MOST_SCORES = 1_000_000
#: Bins when there are more.
BINS = 1 << 16


@dataclass(frozen=True, eq=False)
class ScoreCounts:
    """Scores and labels, and how far the scores may be off."""

    grouped: Grouped
    """The column of scores is of floats, in increasing order: as they are, or middles of bins."""
    half_width: float = 0.0
    """No score is further than this from where it is counted; 0 if nothing was put in bins."""
    auc_error: float = 0.0
    """An area under the ROC curve (a class against the rest) is off by at most this."""

    @property
    def exact(self) -> bool:
        """Whether every score was kept as it is."""
        return self.half_width == 0


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
                return ScoreCounts(grouped)
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
    if low >= 0 and high <= 1:
        low, high = 0.0, 1.0
    value, *others = question.fields
    half = high / 2 - low / 2  # halves, so that no difference is too large for a float
    place = f"({number_sql(value)} / 2 - {_sql(low / 2)}) / {_sql(half)} * {BINS}"
    bin_ = f"greatest(0, least({BINS - 1}, CAST(floor({place}) AS INTEGER)))"
    asked = replace(question, fields=others, extra=(bin_,), large=False)
    grouped, (bins,) = count_groups(engine, asked)
    used, codes = np.unique(bins.astype(np.int64), return_inverse=True)
    width = 2 * (half / BINS)
    middles = tuple((low + (used + 0.5) * width).tolist())
    column = Column(codes.ravel(), middles, "float")
    columns = {value.name: column, **grouped.columns}
    counted = replace(grouped, columns=columns)
    truth, *slices = others
    error = auc_error(
        column.codes,
        grouped.columns[truth.name].codes,
        [grouped.columns[f.name].codes for f in slices],
        grouped.counts,
    )
    return ScoreCounts(counted, width / 2, error)


def _sql(x: float) -> str:
    """A float as SQL that means the same float."""
    return f"CAST({math.copysign(abs(x), x)!r} AS DOUBLE)"


def auc_error(score: Array, truth: Array, slices: list[Array], counts: Array) -> float:
    """The largest error of any one-against-rest AUC when scores of one bin count as ties.

    Two cases of different classes in one bin count one half instead of 0 or 1. So half of the
    pairs that share a bin, over all pairs, is the most that can be wrong.

    >>> import numpy as np
    >>> bins, truth = np.array([0, 0, 1, 1]), np.array([0, 1, 0, 1])
    >>> auc_error(bins, truth, [], np.array([3, 1, 1, 3]))
    0.1875
    """
    part = np.zeros(len(score), np.int64)
    for codes in slices:
        part = _joint(part, codes)
    cell = _joint(part, score)
    in_cell = np.bincount(cell, counts)[cell]
    both = _joint(part, truth)
    own = np.bincount(both, counts)
    everyone = np.zeros(len(own))
    everyone[both] = np.bincount(part, counts)[part]
    shared = np.bincount(both, counts * (in_cell - counts))
    pairs = own * (everyone - own)
    found = shared[pairs > 0] / (2 * pairs[pairs > 0])
    return float(found.max(initial=0.0))


def _joint(a: Array, b: Array) -> Array:
    """Codes from 0 up of the pairs of codes; -1 is a code like any other."""
    return np.unique(a * (b.max(initial=0) + 2) + b + 1, return_inverse=True)[1].ravel()

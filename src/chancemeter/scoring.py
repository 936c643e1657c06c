"""Many measures of one table at once, each with its value or the reason why it has none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter import averaging
from chancemeter.counts import as_counts
from chancemeter.display import Shown
from chancemeter.errors import (
    InputError,
    aligned,
    component,
    plural,
)
from chancemeter.figures import json_number, number
from chancemeter.intervals import over_folds
from chancemeter.intervals.choose import interval as make_interval
from chancemeter.intervals.clusters import given_and_whole
from chancemeter.intervals.result import Interval, in_brackets
from chancemeter.registry import Measure, Names, get_all
from chancemeter.sparse import SparseTable
from chancemeter.tables import Label, Table, cases, plain
from chancemeter.undefined import Reason

#: What is shown when nobody asks for anything in particular.
USUAL = (
    "accuracy",
    "expected_cohen",
    "kappa",
    "mcc",
    "informedness",
    "markedness",
    "balanced_accuracy",
    "f_score@macro",
)
USUAL_OF_CLASSES = ("support", "recall", "precision", "f_score", "informedness@each")


@dataclass(frozen=True)
class Score:
    """The value of one measure: a number, or one for each class."""

    measure: Measure[...]
    value: Any
    undefined: Any
    """None, a `Reason`, or for a measure of classes a list of these."""
    classes: tuple[int, int] | None = None
    """For an average over classes: how many took part, of how many."""
    interval: Interval | None = None
    """How sure the value is, if that was asked for."""

    def to_dict(self) -> dict[str, Any]:
        """For JSON: the value and, where there is none, a code and a sentence."""
        found: dict[str, Any]
        if isinstance(self.value, list):
            found = {
                "value": [json_number(x) for x in self.value],
                "undefined": [_explained(r) for r in self.undefined],
            }
        else:
            found = {"value": json_number(self.value), "undefined": _explained(self.undefined)}
        if self.classes:
            found["classes"] = {"used": self.classes[0], "of": self.classes[1]}
        if self.interval:
            known = self.interval.to_dict()
            found |= {key: known[key] for key in ("interval", "method", "signature", "notes")}
        return found


@dataclass(frozen=True, repr=False)
class Scores(Shown):
    """The scores of one table, by key.

    >>> from chancemeter import score
    >>> s = score([[70, 10], [20, 900]], ["accuracy", "kappa"])
    >>> round(s["kappa"], 4)
    0.8072
    >>> s
    1,000 cases, 2 classes
      accuracy  0.970
      kappa     0.807
    """

    table: Table | SparseTable
    scores: dict[str, Score]

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know before trusting the intervals, each said once."""
        found = [x.interval.notes for x in self.scores.values() if x.interval]
        return tuple(dict.fromkeys(note for notes in found for note in notes))

    def __getitem__(self, key: str) -> Any:
        """The value of the measure of that key."""
        return self.scores[key].value

    def __iter__(self) -> Iterator[str]:
        """The keys."""
        return iter(self.scores)

    def __len__(self) -> int:
        """How many measures."""
        return len(self.scores)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and words, fit for JSON."""
        return {
            "n": json_number(self.table.total),
            "labels": [plain(x) for x in self.table.labels],
            "rows": "truth",
            **_cells(self.table),
            "measures": {key: score.to_dict() for key, score in self.scores.items()},
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def to_frame(self) -> Any:
        """A pandas frame with a row for each value."""
        pd = component("pandas", "a frame")
        rows = [
            {
                "measure": key,
                "class": label,
                "value": value,
                "undefined": reason and reason.sentence,
            }
            for key, score in self.scores.items()
            for label, value, reason in self._each_value(score)
        ]
        return pd.DataFrame(rows)

    def _each_value(self, score: Score) -> Iterable[tuple[Label | None, float, Reason | None]]:
        if isinstance(score.value, list):
            return zip(self.table.labels, score.value, score.undefined, strict=True)
        return [(None, score.value, score.undefined)]

    def __repr__(self) -> str:
        """A line for each measure."""
        head = f"{cases(self.table.total)}, {plural(self.table.k, 'class', 'classes')}"
        rows = [(key, _shown(x), "  ".join(limits(x))) for key, x in self.scores.items()]
        return "\n".join([head, *(f"  {line}" for line in aligned(rows, (0, 1, 2)))])


def score(
    table: Any,
    measures: Names | None = None,
    *,
    interval: str | None = None,
    **options: Any,
) -> Scores:
    """Values of `measures` (the usual ones, if none are named) for one table.

    With ``interval="default"`` (or another method) each has its interval too; `options` are
    those of `chancemeter.interval`. A table with an axis ``group`` is scored as a whole, and its
    intervals are those of groups. So is one with an axis ``fold``; with ``interval="fold-t"`` its
    values are means over the folds.

    >>> score([[70, 10], [20, 900]], ["kappa"], interval="default")
    1,000 cases, 2 classes
      kappa  0.807  [0.731, 0.866]
    """
    given, table = given_and_whole(table, "scores are")
    counts = as_counts(table)
    found = {}
    for m in get_all(USUAL if measures is None else measures):
        values = m.values(counts)
        reasons = m.reasons(counts, values)
        known = _interval(m, given, interval, **options) if interval else None
        if known and interval in over_folds.WAYS:  # which is about another value
            values = np.asarray(known.value)
        used = averaging.taking_part(m, counts)
        found[m.key] = Score(m, values.tolist(), reasons.tolist(), used, known)
    return Scores(table, found)


def _interval(
    m: Measure[...], given: Table | SparseTable, method: str, **options: Any
) -> Interval | None:
    """The interval; of very many classes there is none that needs every cell or many draws."""
    if isinstance(given, SparseTable) and method == "default" and not m.card.smooth:
        return None
    try:
        return make_interval(m, given, method=method, **options)
    except InputError as error:
        if isinstance(given, SparseTable) and error.faults[0].code == "CM105":
            return None
        raise


def _cells(table: Table | SparseTable) -> dict[str, Any]:
    """Every cell; of very many classes those that occur: truth, prediction, how often."""
    if isinstance(table, Table):
        return {"counts": table.counts.tolist()}
    columns = (x.tolist() for x in (table.truth, table.predicted, table.counts))
    return {"cells": [list(cell) for cell in zip(*columns, strict=True)]}


def _explained(reason: Reason | None) -> dict[str, str] | None:
    return {"code": reason.code, "reason": reason.sentence} if reason else None


def _shown(score: Score) -> str:
    if isinstance(score.value, list):
        return "  ".join(number(x) for x in score.value)
    if score.undefined:
        return f"undefined: {score.undefined.sentence}"
    return number(score.value)


def limits(score: Score) -> list[str]:
    """The intervals of a score as they are printed: one for each value, or nothing."""
    if score.interval is None:
        return [""] * np.size(score.value)
    lows, highs = (np.atleast_1d(x).tolist() for x in score.interval.limits)
    known = (~np.isnan(np.atleast_1d(score.value))).tolist()
    return [in_brackets(*x) if here else "" for *x, here in zip(lows, highs, known, strict=True)]

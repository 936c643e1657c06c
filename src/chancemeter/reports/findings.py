"""What a report is about: the results of every model, worked out elsewhere and kept together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from typing import Any

import numpy as np

import chancemeter
from chancemeter.comparison.compare import Comparison, compare
from chancemeter.comparison.rows import SameRows, from_reading
from chancemeter.curves.curve import Curve
from chancemeter.curves.told import summed_up, tell
from chancemeter.errors import Fault, InputError, printable, shorten
from chancemeter.figures import json_number
from chancemeter.frames.read import Reading
from chancemeter.intervals.clusters import whole
from chancemeter.scoring import USUAL, USUAL_OF_CLASSES, Score, Scores, score
from chancemeter.tables import Label, Table, in_order, plain
from chancemeter.tables import table as make_table
from chancemeter.verdict import Luck, luck

#: The version of the layout of `Findings.to_dict`.
SCHEMA = "chancemeter-report/1"
#: Of more classes than this, each one's measures have no intervals.
MOST_CLASSES = 25
#: Names of what a table is divided by.
PARTS = ("fold", "group", "slice")
#: So many models are set against each other, the best ones by kappa.
MOST_COMPARED = 8
#: How often a model comes first is estimated from so many samples.
_DRAWS_OF_PLACES = 500


@dataclass(frozen=True)
class Mistake:
    """One class taken for another."""

    truth: Label
    predicted: Label
    n: float
    of: float
    """Cases of the true class."""


@dataclass(frozen=True)
class Model:
    """Everything about one model."""

    name: str
    table: Table
    luck: Luck
    scores: Scores
    classes: Scores
    mistakes: tuple[Mistake, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        found = self.scores.to_dict()
        found["classes"] = self.classes.to_dict()["measures"]
        mistakes = [
            {
                "truth": plain(x.truth),
                "predicted": plain(x.predicted),
                "n": json_number(x.n),
                "of": json_number(x.of),
            }
            for x in self.mistakes
        ]
        return {"name": self.name, "luck": self.luck.to_dict(), **found, "mistakes": mistakes}


@dataclass(frozen=True)
class Part:
    """A model on a fold, a group or a slice."""

    model: str
    axis: str
    entry: Label
    luck: Luck
    scores: Scores

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "model": self.model,
            "axis": self.axis,
            "entry": plain(self.entry),
            "luck": self.luck.to_dict(),
            "measures": self.scores.to_dict()["measures"],
        }


@dataclass(frozen=True, repr=False)
class Findings:
    """Results of one or more models."""

    models: tuple[Model, ...]
    parts: tuple[Part, ...] = ()
    notes: tuple[str, ...] = ()
    command: str = ""
    comparison: Comparison | None = None
    """Of several models."""
    curves: Mapping[str, Curve] = field(default_factory=dict)
    """Every threshold, where there are scores."""
    version: str = chancemeter.__version__

    def to_dict(self) -> dict[str, Any]:
        """Everything, fit for JSON."""
        return {
            "schema": SCHEMA,
            "chancemeter": self.version,
            "command": self.command,
            "notes": list(self.notes),
            "models": [m.to_dict() for m in self.models],
            "parts": [p.to_dict() for p in self.parts],
            "comparison": self.comparison.to_dict() if self.comparison else None,
            "curves": {name: summed_up(c, tell(c)) for name, c in self.curves.items()},
        }


def gather(
    source: Any,
    *,
    notes: Iterable[str] = (),
    command: str = "",
    rows: SameRows | None = None,
    interval: str | None = "default",
    **options: Any,
) -> Findings:
    """All results on what `chancemeter.read` gave, on a table, or on tables by model.

    `rows` says that the models of several tables have seen the same cases.
    """
    sure = {"interval": interval, **options}
    parts: tuple[Part, ...] = ()
    said = tuple(notes)
    if isinstance(source, Reading):
        parts, said = tuple(_parts(source, sure)), (*source.notes, *said)
        rows = from_reading(source) if source.patterns is not None else rows
        tables = models_in(source)
    elif isinstance(source, SameRows):
        tables, rows = {name: source.table.select(model=name) for name in source.names}, source
    elif isinstance(source, Mapping) and not isinstance(source.get("counts"), list):
        tables = dict(source)
    else:
        tables = {"The classifier": source}
    if not tables:
        raise InputError(Fault("CM002", "there is no model to report on"))
    given = {name: t if isinstance(t, Table) else make_table(t) for name, t in tables.items()}
    found = dict(zip(given, _alike(given.values()), strict=True))
    models = tuple(_model(name, t, sure) for name, t in found.items())
    level = options.get("level", 0.95)
    compared = _compared(models, found, rows, level) if interval and len(models) > 1 else None
    return Findings(models, parts, said, command, compared)


def _compared(
    models: Sequence[Model], tables: Mapping[str, Table], rows: SameRows | None, level: float
) -> Comparison | None:
    """The best models by kappa side by side; nothing where that has no meaning."""
    kappa = [-np.inf if np.isnan(m.luck.kappa) else m.luck.kappa for m in models]
    best = sorted(np.argsort(-np.array(kappa), kind="stable")[:MOST_COMPARED].tolist())
    names = [list(tables)[i] for i in best]
    known = [t for t in (tables[name] for name in names) if t.counts.sum()]
    if len(known) < len(names) or len({t.labels for t in known}) > 1:
        return None
    chosen: Any = {name: tables[name] for name in names}
    if rows is not None:
        if lacking := [name for name in names if name not in rows.names]:
            what, saw = "the rows lack a model", shorten(rows.names)
            raise InputError(Fault("CM402", what, printable(lacking[0]), saw))
        at = [rows.names.index(name) for name in names]
        chosen = replace(rows, names=tuple(names), predicted=rows.predicted[at])
    found = compare(chosen, level=level, draws=_DRAWS_OF_PLACES)
    if len(best) < len(models):
        note = f"the {MOST_COMPARED} best of {len(models)} models by kappa are compared"
        found = replace(found, notes=(note, *found.notes))
    return found


def models_in(reading: Reading) -> dict[str, Any]:
    """One table for each model; groups are kept, for they say how sure it is."""
    t = reading.table
    if not isinstance(t, Table) or "group" not in t.axes:
        return dict(reading.tables)
    others = [axis for axis in t.axes if axis not in {"model", "group"}]
    pooled = t.pool(*others) if others else t
    if "model" not in t.axes:
        return {reading.name: pooled}
    return {str(name): pooled.select(model=name) for name in t.axes["model"]}


def limits_of(score: Score, i: int | None = None) -> tuple[float, float] | None:
    """The interval of a score (of class `i`), if it has one."""
    if score.interval is None:
        return None
    low, high = (float(np.atleast_1d(x)[i or 0]) for x in score.interval.limits)
    return None if np.isnan(low) or np.isnan(high) else (low, high)


def _alike(tables: Iterable[Table]) -> list[Table]:
    """All with the classes of all, where these are of one kind and sorted."""
    tables = list(tables)
    every = in_order({label for t in tables for label in t.labels})
    same = len({type(label) for label in every}) == 1
    if not same or any(t.labels != in_order(t.labels) for t in tables):
        return tables
    return [t.reorder(every) for t in tables]


def _model(name: str, given: Table, sure: Mapping[str, Any]) -> Model:
    t = whole(given)
    of_classes = sure if t.k <= MOST_CLASSES else {"interval": None}
    return Model(
        name=printable(name),
        table=t,
        luck=luck(given, printable(name), **{**sure, "interval": sure["interval"] and "default"}),
        scores=score(given, USUAL, **sure),
        classes=score(given, USUAL_OF_CLASSES, **of_classes),
        mistakes=tuple(_mistakes(t)),
    )


def _mistakes(t: Table, most: int = 5) -> Iterator[Mistake]:
    """The most frequent ones."""
    wrong = np.where(np.eye(t.k, dtype=bool), 0, t.counts)
    for cell in np.argsort(-wrong, axis=None, kind="stable")[:most].tolist():
        i, j = divmod(cell, t.k)
        if wrong[i, j] > 0:
            yield Mistake(t.labels[i], t.labels[j], wrong[i, j].item(), t.counts[i].sum().item())


def _parts(reading: Reading, sure: Mapping[str, Any]) -> Iterator[Part]:
    """Each model on each fold, each group and each slice."""
    t = reading.table
    if not isinstance(t, Table):
        return
    models = t.axes.get("model", (None,))
    for axis in (name for name in PARTS if name in t.axes):
        others = [name for name in t.axes if name not in {axis, "model"}]
        pooled = t.pool(*others) if others else t
        for model, entry in product(models, t.axes[axis]):
            one = pooled.select(**{axis: entry}, **({} if model is None else {"model": model}))
            name = printable(reading.name if model is None else model)
            told = luck(one, name, interval=None)
            yield Part(name, axis, entry, told, score(one, ["kappa"], **sure))

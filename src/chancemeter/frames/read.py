"""One description of what to read, for every kind of source: `chancemeter.read`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal, Protocol

import numpy as np

from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted, shorten
from chancemeter.frames.binned import ScoreCounts
from chancemeter.frames.care import Care, care_of_scores, take_care
from chancemeter.frames.grouped import GROUPS, Column, Grouped
from chancemeter.frames.longform import Long
from chancemeter.labels import MAX_CLASSES
from chancemeter.sparse import MOST_CLASSES, SparseTable
from chancemeter.tables import PRED_NAMES, TRUE_NAMES, Label, Table, in_order

#: The largest stack that is laid out cell by cell.
MOST_CELLS = 50_000_000


class Source(Protocol):
    """Something with rows and named columns that can be grouped."""

    name: str
    """What messages call it: a path, a table, ``the frame``."""

    def names(self) -> list[str]:
        """The columns, in order."""

    def group(self, names: Sequence[str], weight: str | None = None) -> Grouped:
        """Distinct rows of the named columns, missing values kept, with counts or weights."""

    def score_counts(
        self, score: str, truth: str, extra: Sequence[str] = (), *, weight: str | None = None
    ) -> ScoreCounts:
        """How often each score occurs with each true label."""


@dataclass(frozen=True, kw_only=True)
class Chosen:
    """Which column plays which part."""

    true: str
    predicted: tuple[str, ...]
    score: tuple[str, ...] = ()
    axes: Mapping[str, str] = field(default_factory=dict)
    """Names of the leading axes, and the columns they come from."""
    weight: str | None = None
    model: str | None = None
    """In long form, the column that says which model a row is of."""

    @property
    def leading(self) -> list[str]:
        """The columns of the leading axes, that of the models first."""
        return [*([self.model] if self.model else []), *self.axes.values()]


@dataclass(frozen=True, repr=False)
class Reading:
    """Everything that was read: a stack of tables, paired patterns, counts for curves, notes."""

    table: Table | SparseTable
    """Counts with the axes that were asked for; ``model`` first where there are several."""
    patterns: Grouped | None
    """Distinct rows of truth, all predictions and group, when several models share the rows."""
    scores: Mapping[str, ScoreCounts]
    """For each score column, counts of its distinct values by true class; or of bins of them."""
    rows: int
    notes: tuple[str, ...] = ()
    """What was guessed, merged or left out."""

    name: str = "predictions"

    @property
    def tables(self) -> dict[str, Table | SparseTable]:
        """One table for each model, all other axes pooled."""
        return _by(self.table, ["model"], self.name)

    def sections(self, *, groups: bool = False) -> dict[str, Table | SparseTable]:
        """One table for each model and slice, folds pooled; with `groups`, an axis of them kept."""
        return _by(self.table, ["model", "slice"], self.name, ["group"] if groups else [])

    def __repr__(self) -> str:
        """The table, and the notes."""
        told = "".join(f"\nnote: {note}" for note in self.notes)
        return f"{self.rows:,} rows: {self.table!r}{told}"


def read(
    source: Any,
    *,
    true: str | None = None,
    predicted: str | Sequence[str] | None = None,
    score: str | Sequence[str] = (),
    fold: str | None = None,
    group: str | None = None,
    by: str | None = None,
    model: str | None = None,
    weight: str | None = None,
    labels: Iterable[Label] | None = None,
    care: Care | None = None,
    predictions: Mapping[str, Any] | None = None,
    id: str | None = None,
    missing_ids: Literal["error", "drop"] = "error",
    **options: Any,
) -> Reading:
    """Read predictions from arrays, a frame, files or an engine, and reduce them to counts.

    `source` is a dict of columns, a frame, a path (or several), or an ibis table. Columns
    that are not named are looked for under their usual names, and the result says so. What
    may be done to labels is asked for by `care`, or by its fields: ``labels_as="number"``,
    ``fold_case=True``, ``tidy=True``, ``rename={"old": "new"}``, ``missing="drop"``. Files take
    ``glob``, ``encoding``, ``delimiter``, ``max_rows`` and ``progress``.

    With `id`, each case must stand in one row, or, where `model` says which model a row is of, in
    one row for each model; then models are paired by case. With ``predictions={model: files}``
    `source` holds the truth, and the models' files are joined to it by id. A case that one of
    them lacks is an error, or with ``missing_ids="drop"`` is left out.

    >>> from chancemeter import read
    >>> read({"label": ["a", "b", "b"], "pred": ["a", "b", "a"]}).table
    3 cases, rows truth, columns prediction
       a  b
    a  1  0
    b  1  1
    """
    wishes = {k: options.pop(k) for k in list(options) if k in Care.__dataclass_fields__}
    care = replace(care or Care(), **wishes)
    notes: list[str] = []
    if predictions is not None:
        options |= {"missing_ids": missing_ids}
        opened: Source = _join(source, predictions, id, options, notes)
        predicted = list(predictions)
    else:
        opened = open_source(source, **options)
    ours = [opened] if opened is not source and hasattr(opened, "close") else []
    try:
        axes = {"fold": fold, "group": group, "slice": by}
        chosen = choose(
            opened,
            true,
            _listed(predicted),
            score=_listed(score),
            axes={axis: column for axis, column in axes.items() if column},
            weight=weight,
            model=model,
            id=id if predictions is None else None,
            notes=notes,
        )
        if id is not None and predictions is None:
            opened, chosen = _by_id(opened, chosen, id, notes, drop=missing_ids == "drop")
        return _reading(opened, chosen, care, labels, notes)
    finally:
        for each in ours:
            each.close()


def _reading(
    opened: Source, chosen: Chosen, care: Care, labels: Iterable[Label] | None, notes: list[str]
) -> Reading:
    """Group once by all columns that matter, and lay out what was found."""
    wanted = [chosen.true, *chosen.predicted, *chosen.leading]
    grouped = opened.group(list(dict.fromkeys(wanted)), chosen.weight)
    if grouped.rows == 0:
        raise InputError(Fault("CM002", "there are no rows", opened.name))
    grouped = _fill_axes(grouped, chosen.leading)
    grouped, said = take_care(grouped, [chosen.true, *chosen.predicted], care, opened.name)
    order = _order(grouped, chosen, labels, opened.name)
    for name in (chosen.true, *chosen.predicted):
        grouped = grouped.with_column(name, grouped.columns[name].sorted(order))
    grouped = grouped.compact()
    several = len(chosen.predicted) > 1
    scores = {name: _scores(opened, name, chosen, care, order) for name in chosen.score}
    said += [_of_bins(name, found) for name, found in scores.items() if not found.exact]
    return Reading(
        table=_stack(grouped, chosen, order),
        patterns=_patterns(grouped, chosen) if several else None,
        scores=scores,
        rows=grouped.rows,
        notes=(*notes, *said),
        name=Path(opened.name).stem if not several else "predictions",
    )


def _patterns(grouped: Grouped, chosen: Chosen) -> Grouped:
    """Truth and all predictions; the group too where there are groups."""
    names = [chosen.true, *chosen.predicted]
    group = chosen.axes.get("group")
    if group is None:
        return grouped.only(*names)
    found = grouped.only(*names, group)
    columns = {name: found.columns[name] for name in names}
    return replace(found, columns={**columns, GROUPS: found.columns[group]})


def _scores(
    opened: Source, name: str, chosen: Chosen, care: Care, order: list[Label]
) -> ScoreCounts:
    """Scores by true class (its labels as those of the table), model, fold, group and slice."""
    counted = opened.score_counts(name, chosen.true, chosen.leading, weight=chosen.weight)
    counted = care_of_scores(counted, chosen.true, care, opened.name)
    truth = counted.columns[chosen.true].sorted(order)
    return counted.with_column(chosen.true, truth).compact()


def _of_bins(name: str, found: ScoreCounts) -> str:
    return (
        f"scores of {quoted(name)} are counted in bins, there are so many: none is off by more than "
        f"{found.half_width:.2g}, and an area under the curve by no more than {found.auc_error:.2g}"
    )


def _by_id(
    opened: Any, chosen: Chosen, id: str, notes: list[str], *, drop: bool
) -> tuple[Source, Chosen]:
    """Every case in one row: checked, or, in long form, brought about."""
    if chosen.model is None:
        opened.check_ids(id)
        return opened, chosen
    of_case = [chosen.true, *chosen.axes.values(), *([chosen.weight] if chosen.weight else [])]
    long = Long(
        id=id,
        model=chosen.model,
        of_case=of_case,
        predicted=chosen.predicted[0],
        scores=chosen.score,
        drop=drop,
    )
    wide, models, lost = opened.widened(long)
    notes += lost
    scores = tuple(long.wide(model, name) for name in chosen.score for model in models)
    return wide, replace(chosen, predicted=tuple(models), score=scores, model=None)


def _by(
    table: Table | SparseTable, axes: Sequence[str], name: str, inside: Sequence[str] = ()
) -> dict[str, Table | SparseTable]:
    """The tables along some axes, by name, with all axes pooled but those `inside` each."""
    if isinstance(table, SparseTable):
        return {name: table}
    kept = [axis for axis in axes if axis in table.axes]
    others = [axis for axis in table.axes if axis not in (*kept, *inside)]
    pooled = table.pool(*others) if others else table
    if not kept:
        return {name: pooled}
    found: dict[str, Table | SparseTable] = {}
    for entries in product(*(table.axes[axis] for axis in kept)):
        title = ", ".join(
            str(e) if a == "model" else f"{name}: {e}" for a, e in zip(kept, entries, strict=True)
        )
        found[title] = pooled.select(**dict(zip(kept, entries, strict=True)))
    return found


def _listed(names: str | Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        return ()
    return (names,) if isinstance(names, str) else tuple(names)


def open_source(source: Any, **options: Any) -> Source:
    """The reader for a kind of source."""
    if isinstance(source, Mapping):
        from chancemeter.frames.arrays import ArraySource

        return ArraySource(source)
    if isinstance(source, (str, Path)) or _are_paths(source):
        from chancemeter.frames.files import FileSource

        return FileSource(source, **options)
    if type(source).__module__.startswith("ibis."):
        from chancemeter.frames.engines import EngineSource

        return EngineSource(source)
    if hasattr(source, "group") and hasattr(source, "names"):
        return source
    from chancemeter.frames.arrays import FrameSource

    return FrameSource(source)


def _join(
    truth: Any,
    predictions: Mapping[str, Any],
    id_column: str | None,
    options: dict[str, Any],
    notes: list[str],
) -> Source:
    """Truth in one file and each model's predictions in others, matched by id."""
    if id_column is None:
        fix = "id='COLUMN' names the column that all files share"
        raise InputError(Fault("CM402", "files are joined by an id column", fix=fix))
    from chancemeter.frames.joined import JoinedSource

    joined = JoinedSource(truth, predictions, id_column, **options)
    notes += joined.notes
    return joined


def _are_paths(source: Any) -> bool:
    return (
        isinstance(source, (list, tuple))
        and bool(source)
        and all(isinstance(x, (str, Path)) for x in source)
    )


def choose(
    source: Source,
    true: str | None,
    predicted: tuple[str, ...],
    *,
    score: tuple[str, ...],
    axes: Mapping[str, str],
    weight: str | None,
    model: str | None,
    notes: list[str],
    id: str | None = None,
) -> Chosen:
    """Which column is what; names that were guessed are said, all that are wrong are told."""
    names = source.names()
    asked = {"--true": true, "--weight": weight, "--model": model, "--id": id}
    asked |= {f"--{'by' if axis == 'slice' else axis}": column for axis, column in axes.items()}
    pairs = [(option, name) for option, name in asked.items() if name is not None]
    pairs += [("--pred", name) for name in predicted] + [("--score", name) for name in score]
    faults = [
        _no_column(source, name, option, names) for option, name in pairs if name not in names
    ]
    found_true = true or _usual(names, TRUE_NAMES)
    found = tuple(dict.fromkeys(predicted)) or tuple(
        x for x in [_usual(names, PRED_NAMES)] if x is not None
    )
    saw = f"columns: {shorten(names, 12)}"
    if found_true is None:
        fix = "true='COLUMN' (--true COLUMN)"
        faults.append(Fault("CM101", "which column is the truth?", source.name, saw, fix))
    if not found:
        fix = "predicted='COLUMN' (--pred COLUMN, once for each model)"
        faults.append(Fault("CM101", "which column holds predictions?", source.name, saw, fix))
    if found_true in found:
        what = f"{quoted(found_true)} is taken for the truth and for a prediction"
        fix = "name two columns: --true A --pred B"
        faults.append(Fault("CM402", what, source.name, saw, fix))
    if model is not None and len(found) > 1:
        what = "a column of models and several columns of predictions"
        fix = "in long form (--model) one column holds the predictions of all models"
        faults.append(Fault("CM402", what, source.name, saw, fix))
    if faults or found_true is None:
        raise InputError(*faults)
    if true is None or not predicted:
        shown = ", ".join(repr(printable(x)) for x in found)
        notes.append(f"truth from column {printable(found_true)!r}, predictions from {shown}")
    return Chosen(
        true=found_true, predicted=found, score=score, axes=axes, weight=weight, model=model
    )


def _usual(names: list[str], usual: Sequence[str]) -> str | None:
    plain = {name.strip().lower(): name for name in reversed(names)}
    return next((plain[name] for name in usual if name in plain), None)


def _no_column(source: Source, name: str, option: str, names: list[str]) -> Fault:
    near = did_you_mean(name, names)
    fix = near.replace("did you mean ", f"did you mean {option} ") or f"{option} one of these"
    what = f"no column named {printable(name)!r} (asked for as {option})"
    return Fault("CM101", what, source.name, f"columns: {shorten(names, 12)}", fix)


def _fill_axes(grouped: Grouped, names: list[str]) -> Grouped:
    """Rows without a fold, group or slice go under a name of their own; none is lost."""
    for name in names:
        column = grouped.columns[name]
        if (column.codes < 0).any():
            filled = np.where(column.codes < 0, len(column.categories), column.codes)
            categories = (*column.categories, None)
            column = Column(filled, categories, column.kind, column.ordered)
            grouped = grouped.with_column(name, column)
            continue
        grouped = grouped.with_column(name, column.sorted())
    return grouped


def _order(
    grouped: Grouped, chosen: Chosen, labels: Iterable[Label] | None, where: str
) -> list[Label]:
    """All classes in order: as declared by the caller or the column, else sorted."""
    columns = [grouped.columns[name] for name in (chosen.true, *chosen.predicted)]
    _check_kinds(dict(zip((chosen.true, *chosen.predicted), columns, strict=True)), where)
    seen = list(dict.fromkeys(x for column in columns for x in column.categories))
    if labels is not None:
        order = list(labels)
        strange = [x for x in seen if x not in order]
        if strange:
            fix = did_you_mean(str(strange[0]), map(str, order), f"declared: {shorten(order)}")
            what = f"{len(strange)} labels are not among the declared ones"
            raise InputError(Fault("CM107", what, where, shorten(strange), fix))
        return order
    truth, *rest = columns
    if not any(set(truth.categories) & set(column.categories) for column in rest):
        saw = f"true: {shorten(truth.categories, 4)} · predicted: {shorten(rest[0].categories, 4)}"
        fix = "check the columns; if that is meant, declare the classes with labels=[…]"
        what = "true and predicted labels have nothing in common"
        raise InputError(Fault("CM104", what, where, saw, fix))
    declared = max((c.categories for c in columns if c.ordered), key=len, default=())
    if set(seen) <= set(declared):
        return list(declared)
    return list(in_order(seen))


def _check_kinds(columns: Mapping[str, Column], where: str) -> None:
    """Text on one side and numbers on the other is a mistake, not a match."""
    kinds = {name: column.kind for name, column in columns.items() if column.kind != "none"}
    mixed = [name for name, kind in kinds.items() if kind == "mixed"]
    if len(set(kinds.values())) <= 1 and not mixed:
        return
    saw = " · ".join(
        f"{printable(name)}: {kind} ({shorten(columns[name].categories, 3)})"
        for name, kind in kinds.items()
    )
    fix = (
        "1, 1.0, True and '1' are not merged silently: labels_as='number' or 'text' "
        "(--labels-as number) makes them alike"
    )
    what = "truth and prediction hold different kinds of labels"
    raise InputError(Fault("CM104", what, where, saw, fix))


def _stack(grouped: Grouped, chosen: Chosen, order: list[Label]) -> Table | SparseTable:
    """The counts laid out: models first, then the axes asked for, truth by prediction."""
    if len(order) > MAX_CLASSES:
        return _sparse(grouped, chosen, order)
    axes = {axis: grouped.columns[name].categories for axis, name in chosen.axes.items()}
    if chosen.model:
        axes = {"model": grouped.columns[chosen.model].categories, **axes}
    size = len(order) ** 2 * len(chosen.predicted)
    for entries in axes.values():
        size *= len(entries)
    if size > MOST_CELLS:
        shape = " × ".join(f"{len(e):,} {a}s" for a, e in axes.items())
        what = f"{shape or 'one table'} of {len(order):,} classes would need {size:,} cells"
        fix = "leave out an axis, merge classes (rename=…), or check which columns hold labels"
        raise InputError(Fault("CM105", what, saw=f"a limit of {MOST_CELLS:,}", fix=fix))
    stacks = [
        grouped.only(*chosen.leading, chosen.true, name).stack(chosen.leading, chosen.true, name)
        for name in chosen.predicted
    ]
    if len(stacks) == 1:
        return Table(stacks[0], tuple(order), axes)
    return Table(np.stack(stacks), tuple(order), {"model": chosen.predicted, **axes})


def _sparse(grouped: Grouped, chosen: Chosen, order: list[Label]) -> SparseTable:
    """One table of very many classes; identifiers are refused."""
    k = len(order)
    saw = f"{k:,} classes in {grouped.rows:,} rows"
    if k > MOST_CLASSES or k > grouped.rows / 4:
        fix = "check which columns hold the labels"
        raise InputError(
            Fault("CM105", "a label column looks like an identifier", saw=saw, fix=fix)
        )
    if chosen.axes or chosen.model or len(chosen.predicted) > 1:
        fix = "read one model without folds, groups or slices"
        raise InputError(Fault("CM105", "too many classes for a stack of tables", saw=saw, fix=fix))
    truth, predicted = (grouped.columns[x].codes for x in (chosen.true, chosen.predicted[0]))
    return SparseTable(tuple(order), truth, predicted, grouped.counts)

"""One description of what to read, for every kind of source: `chancemeter.read`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any, Literal

import numpy as np

from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted, shorten
from chancemeter.frames.binned import ScoreCounts
from chancemeter.frames.care import Care, care_of_scores, meant, take_care
from chancemeter.frames.choice import Chosen, Source, choose
from chancemeter.frames.grouped import GROUPS, Column, Grouped
from chancemeter.frames.longform import Long
from chancemeter.labels import MAX_CLASSES, declared
from chancemeter.sparse import MOST_CLASSES, SparseTable
from chancemeter.tables import Label, Table, in_order

#: The largest stack that is laid out cell by cell.
MOST_CELLS = 50_000_000


@dataclass(frozen=True, repr=False)
class Reading:
    """Everything that was read: a stack of tables, paired patterns, counts for curves, notes."""

    counted: Table | SparseTable | None
    """The table, or nothing where scores were read without predictions."""
    patterns: Grouped | None
    """Distinct rows of truth, all predictions and group, when several models share the rows."""
    scores: Mapping[str, ScoreCounts]
    """For each score column, counts of its distinct values by true class; or of bins of them.

    ``reading.scores["p"].distinct``, ``.classes`` and ``.table`` are what a curve needs, and
    ``.slices()`` parts them by model, fold, group and slice.
    """
    rows: int
    notes: tuple[str, ...] = ()
    """What was guessed, merged or left out."""

    name: str = "predictions"

    @property
    def table(self) -> Table | SparseTable:
        """Counts with the axes that were asked for; ``model`` first where there are several."""
        if self.counted is None:
            what = "no predictions were read, only scores"
            fix = "predicted='COLUMN' (--pred COLUMN)"
            raise InputError(Fault("CM101", what, self.name, fix=fix))
        return self.counted

    @property
    def tables(self) -> dict[str, Table | SparseTable]:
        """One table for each model, all other axes pooled."""
        return _by(self.table, ["model"], self.name)

    def sections(
        self, *, groups: bool = False, folds: bool = False
    ) -> dict[str, Table | SparseTable]:
        """One table for each model and slice, without other axes than those that are kept."""
        kept = ["group"] * groups + ["fold"] * folds
        return _by(self.table, ["model", "slice"], self.name, kept)

    def __repr__(self) -> str:
        """The table, and the notes."""
        told = "".join(f"\nnote: {note}" for note in self.notes)
        found = list(self.scores.values()) if self.counted is None else self.counted
        return f"{self.rows:,} rows: {found!r}{told}"


def read(
    source: Any,
    *,
    true: str | None = None,
    predicted: str | Sequence[str] | None = None,
    score: str | Sequence[str] | None = (),
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

    `source` is a dict of columns, a frame, a path (or several), or an ibis table. Truth and
    predictions that are not named are looked for under their usual names, and the result says so;
    so are scores with ``score=None``. ``predicted=()`` reads scores alone, for curves. What
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
    _check_options(options)
    notes: list[str] = []
    if predictions is not None:
        options |= {"missing_ids": missing_ids, "predicted": _only(predicted)}
        opened: Source = _join(source, predictions, id, options, notes)
        predicted = list(predictions) if predicted is None or _listed(predicted) else ()
    else:
        opened = open_source(source, **options)
    ours = [opened] if opened is not source and hasattr(opened, "close") else []
    try:
        axes = {"fold": fold, "group": group, "slice": by}
        chosen = choose(
            opened,
            true,
            None if predicted is None else _listed(predicted),
            score=None if score is None else _listed(score),
            axes={axis: column for axis, column in axes.items() if column},
            weight=weight,
            model=model,
            id=id if predictions is None else None,
            notes=notes,
        )
        if model is not None and predictions is not None:
            what = "each file holds the predictions of one model"
            raise InputError(Fault("CM402", what, opened.name, fix="leave out model (--model)"))
        if id is not None and predictions is None:
            opened, chosen = _by_id(opened, chosen, id, notes, drop=missing_ids == "drop")
        return _reading(opened, chosen, care, labels, notes)
    finally:
        for each in ours:
            each.close()


def _check_options(options: Iterable[str]) -> None:
    """Refuse options that nobody knows, which would go unheard."""
    known = ("glob", "encoding", "delimiter", "max_rows", "columns_as_text", "progress")
    for name in options:
        if name not in known:
            near = [*known, *Care.__dataclass_fields__, *read.__annotations__]
            fix = did_you_mean(name, near, f"options of files: {', '.join(known)}")
            raise InputError(Fault("CM402", f"read has no option {quoted(name)}", fix=fix))


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
        counted=_stack(grouped, chosen, order) if chosen.predicted else None,
        patterns=_patterns(grouped, chosen) if several else None,
        scores=scores,
        rows=grouped.rows,
        notes=(*notes, *said),
        name="predictions" if several else getattr(opened, "title", Path(opened.name).stem),
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


def _only(predicted: str | Sequence[str] | None) -> str | None:
    """The column of predictions in the files of all models."""
    names = _listed(predicted)
    if len(names) > 1:
        what = "each model's file has one column of predictions"
        fix = "name the one that they share, or none"
        raise InputError(Fault("CM402", what, saw=shorten(map(quoted, names)), fix=fix))
    return names[0] if names else None


def _by_id(
    opened: Any, chosen: Chosen, id: str, notes: list[str], *, drop: bool
) -> tuple[Source, Chosen]:
    """Every case in one row: checked, or, in long form, brought about."""
    cases = opened
    if not hasattr(opened, "check_ids"):
        from chancemeter.frames.joined import Cases

        cases = Cases(opened)
    if chosen.model is None:
        cases.check_ids(id)
        return opened, chosen
    of_case = [chosen.true, *chosen.axes.values(), *([chosen.weight] if chosen.weight else [])]
    first, *others = *chosen.predicted, *chosen.score
    long = Long(
        id=id, model=chosen.model, of_case=of_case, predicted=first, scores=others, drop=drop
    )
    wide, models, lost = cases.widened(long)
    notes += lost
    scores = tuple(long.wide(model, name) for name in chosen.score for model in models)
    predicted = tuple(models) if chosen.predicted else ()
    return wide, replace(chosen, predicted=predicted, score=scores, model=None)


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
        known = ["no value" if e is None else str(e) for e in entries]
        title = ", ".join(
            e if axis == "model" else f"{name}: {e}" for axis, e in zip(kept, known, strict=True)
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
        return list(declared([meant(x, seen) for x in labels], seen, where))
    truth, *rest = columns
    if rest and not any(set(truth.categories) & set(column.categories) for column in rest):
        saw = f"true: {shorten(truth.categories, 4)} · predicted: {shorten(rest[0].categories, 4)}"
        fix = "check the columns; if that is meant, declare the classes with labels=[…]"
        what = "true and predicted labels have nothing in common"
        raise InputError(Fault("CM104", what, where, saw, fix))
    ordered = max((c.categories for c in columns if c.ordered), key=len, default=())
    if set(seen) <= set(ordered):
        return list(ordered)
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

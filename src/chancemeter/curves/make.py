"""`chancemeter.curve`: from arrays, frames, files and engines to a `Curve`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from chancemeter.columns import Coded, as_coded, read_column
from chancemeter.counts import Array
from chancemeter.curves.counting import MOST_WHOLE, count
from chancemeter.curves.curve import Curve, Direction, Groups, from_steps
from chancemeter.errors import (
    Fault,
    InputError,
    did_you_mean,
    plural,
    printable,
    quoted,
    shorten,
)
from chancemeter.frames.binned import MOST_SCORES, ScoreCounts
from chancemeter.frames.care import Care, care_of_scores
from chancemeter.frames.choice import Source
from chancemeter.frames.grouped import Column
from chancemeter.frames.read import open_source
from chancemeter.labels import read_numbers, read_weights
from chancemeter.tables import TRUE_NAMES, Label, in_order

#: Names of a column that say it holds scores.
SCORE_NAMES = ("y_score", "score", "scores", "prob", "proba", "probability", "y_prob", "confidence")
#: Pairs of labels of which the second is the positive one, whoever asks.
_PLAIN_PAIRS: tuple[tuple[Label, Label], ...] = ((0, 1), (-1, 1), ("0", "1"), ("-1", "1"))


def curve(
    y_true: Any,
    y_score: Any = None,
    *,
    positive: Label | None = None,
    weights: Any = None,
    groups: Any = None,
    direction: Direction = ">=",
    thin: int | None = None,
    true: str | None = None,
    most: int = MOST_SCORES,
    **options: Any,
) -> Curve:
    """Every threshold of a score and the 2×2 table it makes: a `Curve`.

    `positive` is the class that high scores mean; 1 and True are known without saying so. All
    other classes are the rest. With ``direction="<="`` low scores mean it. Nothing is turned
    round or thinned unless asked. `weights` count a case more than once (whole ones are exact),
    and `groups` (patients, documents) are kept for the cluster bootstrap.

    Instead of two columns, give a frame, a dict of columns, a path or an ibis table, and the
    names of the columns: ``curve("scores.csv", "p", true="y")``. Files and engines count each
    distinct score themselves; above `most` of them they count in bins, and the curve says how
    far off an area can be.

    >>> curve(["sick", "well", "sick", "well"], [0.9, 0.4, 0.3, 0.1], positive="sick")
    4 cases (50% sick), 4 distinct scores, 'sick' for scores ≥ the threshold
    AUC 0.750, AUK 0.250 of at most 0.500
    """
    if direction not in {">=", "<="}:
        fix = "'>=' if high scores mean the positive class, '<=' if low ones do"
        fault = Fault("CM604", f"no direction is called {quoted(direction)}", fix=fix)
        raise InputError(fault)
    asked = Asked(positive, direction)
    if isinstance(y_true, ScoreCounts):
        made = of_counts(y_true, asked)
    elif y_score is None or isinstance(y_score, str):
        wanted = Wanted(y_score, true, weights, groups, most)
        made = _of_source(y_true, wanted, asked, options)
    else:
        made = _of_arrays(y_true, y_score, asked, weights, groups)
    return made if thin is None else made.thinned(thin)


@dataclass(frozen=True)
class Asked:
    """Which class is the positive one, and which end of the scores means it."""

    positive: Label | None
    direction: Direction

    @property
    def empty(self) -> Curve:
        """A curve that says so, without cases."""
        none = np.zeros(1, np.int64)
        return Curve(np.zeros(1), none, none, direction=self.direction)


@dataclass(frozen=True)
class Wanted:
    """Columns of a source by name."""

    score: str | None
    true: str | None
    weight: str | None
    group: str | None
    most: int


def _of_arrays(y_true: Any, y_score: Any, asked: Asked, weights: Any, groups: Any) -> Curve:
    """From columns in memory."""
    truth, labels = read_truth(y_true, asked.positive)
    n = len(truth)
    scores = read_scores(y_score, n)
    given, faults = read_weights(weights, n)
    if faults:
        raise InputError(*faults)
    sign = 1 if asked.direction == ">=" else -1
    steps = count(scores if sign > 0 else _negative(scores), truth, given)
    made = from_steps(sign * steps.scores, steps.tp, steps.fp, like=asked.empty)
    _check_classes(made, labels)
    made = replace(made, labels=labels)
    if groups is None:
        return made
    return replace(made, groups=_groups(made, scores, truth, groups, given))


def read_truth(y_true: Any, positive: Label | None) -> tuple[Array, tuple[Label, Label]]:
    """Which cases are of the positive class, and what the two are called."""
    column = read_column(y_true, "y_true")
    n = len(column.codes if isinstance(column, Coded) else column)
    if n == 0:
        raise InputError(Fault("CM002", "there are no cases", saw="0 labels", fix="give some"))
    if isinstance(column, np.ndarray) and column.dtype == np.bool_ and 0 < column.sum() < n:
        labels = which((False, True), positive)
        return column if labels[0] is True else ~column, labels
    coded = as_coded(column)
    gone = np.flatnonzero(coded.codes < 0)
    if len(gone):
        what = f"{len(gone):,} of {plural(n, 'label')} are missing in y_true"
        saw, fix = f"positions {shorten(gone, 5)}", "leave those cases out"
        raise InputError(Fault("CM103", what, saw=saw, fix=fix))
    labels = which(coded.categories, positive)
    return np.asarray(coded.codes == coded.categories.index(labels[0])), labels


def _negative(scores: Array) -> Array:
    """Scores times −1; short whole numbers could wrap around."""
    return -(scores if scores.dtype.kind == "f" else scores.astype(np.int64))


def read_scores(y_score: Any, n: int, name: str = "y_score") -> Array:
    """One finite number for each case, in doubles or as whole numbers that these hold."""
    if hasattr(y_score, "to_numpy"):
        y_score = y_score.to_numpy()
    values, faults = read_numbers(y_score, n, "CM006", "score")
    if values is None:
        shape: tuple[int, ...] = getattr(y_score, "shape", ()) or _shape(y_score)
        if len(shape) == 2 and n in shape[:1]:
            fix = "give the column of the positive class, or chancemeter.many_curves for all"
            saw = f"shape {shape}"
            raise InputError(Fault("CM006", "one score is needed for each case", name, saw, fix))
        raise InputError(*(replace(f, where=name) for f in faults))
    if values.dtype.kind in "iu" and max(-int(values.min()), int(values.max())) > MOST_WHOLE:
        fix = "are these identifiers? give scores, or numbers up to 2**53"
        saw = f"up to {int(values.max())}"
        raise InputError(Fault("CM006", "doubles cannot tell such scores apart", name, saw, fix))
    if values.dtype.kind != "f":
        return values.astype(np.int8) if values.dtype.kind == "b" else values
    if not (np.isfinite(values.min()) and np.isfinite(values.max())):
        bad = np.flatnonzero(~np.isfinite(values))
        what = f"{len(bad):,} of {n:,} scores are not finite numbers"
        saw = f"{values[bad[0]]} at position {bad[0]}"
        fix = "mend or leave out these cases; a curve needs a number for each case"
        raise InputError(Fault("CM006", what, name, saw, fix))
    return values


def _shape(values: Any) -> tuple[int, ...]:
    try:
        return np.shape(values)
    except ValueError:  # rows that are not equally long
        return ()


def which(classes: Sequence[Label], positive: Label | None) -> tuple[Label, Label]:
    """The positive class among those that occur, and what the rest is called."""
    shown = shorten(map(repr, in_order(classes)), 6)
    if positive is not None:
        positive = positive.item() if isinstance(positive, np.generic) else positive
        same = [x for x in classes if x == positive and type(x) is type(positive)]
        same = same or [x for x in classes if str(x) == str(positive)]
        if not same:
            what = f"no case has the positive label {printable(repr(positive))}"
            near = did_you_mean(str(positive), map(str, classes))
            fix = near or "positive= names one of the labels"
            raise InputError(Fault("CM601", what, saw=f"labels {shown}", fix=fix))
        found = same[0]
    else:
        if len(classes) == 1:
            raise InputError(one_class(classes[0]))
        pairs = [p for p in _PLAIN_PAIRS if set(classes) == set(p)]
        if not pairs:
            what = "which label is the positive one?"
            fix = f"say it: positive={in_order(classes)[-1]!r} (--positive on the command line)"
            if len(classes) > 2:
                fix += "; all classes at once: chancemeter.many_curves"
            raise InputError(Fault("CM602", what, saw=f"labels {shown}", fix=fix))
        found = next(x for x in classes if x == pairs[0][1])
    others = [x for x in classes if x is not found]
    return found, others[0] if len(others) == 1 else f"not {found}"


def one_class(label: Label) -> Fault:
    """What is said where there is nothing to tell apart."""
    return Fault(
        "CM600",
        "the truth holds one class only, so no score can tell two apart",
        saw=f"every case is {printable(repr(label))}",
        fix="a curve needs cases of the positive class and others",
    )


def _check_classes(made: Curve, labels: tuple[Label, Label]) -> None:
    """Refuse a curve of one class: there is nothing to tell apart."""
    for count_of, other in ((made.positives, labels[1]), (made.negatives, labels[0])):
        if not count_of:
            raise InputError(one_class(other))


def _groups(made: Curve, scores: Array, positive: Array, groups: Any, weights: Any) -> Groups:
    """Where each case stands on the curve, and in which group."""
    codes = read_groups(groups, len(scores))
    if weights is None:
        return Groups(_places(made, scores), positive, codes)
    counted = weights != 0  # other cases are left out, and stand nowhere on the curve
    places = _places(made, scores[counted])
    return Groups(places, positive[counted], codes[counted], weights[counted])


def read_groups(groups: Any, n: int) -> Array:
    """The group of each case, as whole numbers from 0 up."""
    codes = as_coded(read_column(groups, "groups")).codes
    if len(codes) != n or (codes < 0).any():
        what, fix = "each case is of one group", "give one group for each case, none missing"
        saw = f"{len(codes):,} groups for {n:,} cases, {(codes < 0).sum():,} missing"
        raise InputError(Fault("CM102", what, saw=saw, fix=fix))
    return codes


def _places(made: Curve, scores: Array) -> Array:
    sign = -1.0 if made.direction == ">=" else 1.0
    return np.searchsorted(sign * made.thresholds, sign * scores.astype(np.float64), "left")


def of_counts(counted: ScoreCounts, asked: Asked, group: str | None = None) -> Curve:
    """From counts of distinct scores, slices pooled."""
    names = list(counted.columns)
    score, truth = counted.columns[names[0]], counted.columns[names[1]].used()
    if (truth.codes < 0).any():
        what = f"{counted.size(truth.codes < 0)} have no label in {quoted(names[1])}"
        fix = "missing='drop' (--missing drop) leaves them out"
        raise InputError(Fault("CM103", what, fix=fix))
    labels = which(truth.categories, asked.positive)
    of_class = truth.codes == truth.categories.index(labels[0])
    sign = 1 if asked.direction == ">=" else -1
    values = np.array(score.categories, np.float64)[score.codes]
    steps = count(sign * values, of_class, counted.counts)
    made = from_steps(sign * steps.scores, steps.tp, steps.fp, like=asked.empty)
    _check_classes(made, labels)
    made = replace(made, labels=labels)
    if not counted.exact:
        off, area = f"{counted.half_width:.2g}", f"{counted.auc_error:.2g}"
        note = f"scores are counted in bins, there are so many: none is off by more than {off}"
        told = (f"{note}, an area under the ROC curve by no more than {area}",)
        made = replace(made, error=counted.auc_error, told=told)
    if group is None:
        return made
    codes = counted.columns[group].codes
    return replace(made, groups=Groups(_places(made, values), of_class, codes, counted.counts))


def _of_source(source: Any, wanted: Wanted, asked: Asked, options: dict[str, Any]) -> Curve:
    """From named columns of a frame, a dict, files or an engine."""
    care = Care(**{k: options.pop(k) for k in list(options) if k in Care.__dataclass_fields__})
    opened: Any = open_source(source, **options)
    ours = opened is not source and hasattr(opened, "close")
    try:
        score = _column(opened, wanted.score, SCORE_NAMES, "--score")
        true = _column(opened, wanted.true, TRUE_NAMES, "--true")
        guessed = wanted.score is None or wanted.true is None
        told = (f"truth from column {quoted(true)}, scores from {quoted(score)}",) * guessed
        if hasattr(opened, "raw") and care == Care():
            columns = [
                None if x is None else opened.raw(x)
                for x in (true, score, wanted.weight, wanted.group)
            ]
            made = _of_arrays(columns[0], columns[1], asked, columns[2], columns[3])
        else:
            extra = [] if wanted.group is None else [wanted.group]
            counted = opened.score_counts(
                score, true, extra, weight=wanted.weight, most=wanted.most
            )
            counted = care_of_scores(counted, true, care, opened.name)
            made = of_counts(counted, asked, wanted.group)
    finally:
        if ours:
            opened.close()
    return replace(made, told=(*told, *made.told))


def _column(opened: Source, name: str | None, usual: Sequence[str], option: str) -> str:
    """The column of that name, or else the one that is usually called so."""
    names = opened.names()
    saw = f"columns: {shorten(names, 12)}"
    if name is not None:
        if name in names:
            return name
        what = f"no column named {quoted(name)} (asked for as {option})"
        fix = did_you_mean(name, names, f"{option} one of these")
        raise InputError(Fault("CM101", what, opened.name, saw, fix))
    plain = {x.strip().lower(): x for x in reversed(names)}
    found = next((plain[x] for x in usual if x in plain), None)
    if found is None:
        word = {"--true": "the truth", "--score": "scores"}[option]
        fix = f"name it: {option} COLUMN"
        raise InputError(Fault("CM101", f"which column holds {word}?", opened.name, saw, fix))
    return found


def same_rows(
    source: Any, scores: Sequence[str], true: str | None, weight: str | None, group: str | None
) -> tuple[Any, dict[str, Any], Any, Any]:
    """Truth, several columns of scores, weights and groups of a source, for the same cases.

    Files and engines count equal rows first, and the counts are the weights.
    """
    opened: Any = open_source(source)
    ours = opened is not source and hasattr(opened, "close")
    try:
        names = [_column(opened, name, (), "--score") for name in scores]
        truth = _column(opened, true, TRUE_NAMES, "--true")
        if hasattr(opened, "raw"):
            given = [None if x is None else opened.raw(x) for x in (truth, weight, group)]
            return given[0], {x: opened.raw(x) for x in names}, given[1], given[2]
        grouped = opened.group([truth, *names, *([group] if group else [])], weight)
    finally:
        if ours:
            opened.close()
    columns = {name: _values_of(column) for name, column in grouped.columns.items()}
    for name in names:
        columns[name] = _as_numbers(columns[name], f"{opened.name}, column {quoted(name)}")
    of_scores = {name: columns[name] for name in names}
    return columns[truth], of_scores, grouped.counts, columns[group] if group else None


def _values_of(column: Column) -> Array:
    """The value of each group of rows; None where it is missing."""
    values = np.empty(len(column.categories) + 1, object)
    values[:-1], values[-1] = column.categories, None
    return values[column.codes]


def _as_numbers(values: Array, where: str) -> Array:
    """Text of numbers as numbers; what is none is told."""
    found = np.full(len(values), np.nan)
    for i, x in enumerate(values.tolist()):
        try:
            found[i] = float(x)
        except (TypeError, ValueError):
            what, fix = "a score is no number", "mend or leave out this row"
            raise InputError(Fault("CM006", what, where, f"{x!r}", fix)) from None
    return found

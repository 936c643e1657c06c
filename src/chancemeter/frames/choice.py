"""Which column plays which part: as named, else under a usual name, which is said aloud."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted, shorten
from chancemeter.frames.binned import ScoreCounts
from chancemeter.frames.grouped import Grouped
from chancemeter.tables import PRED_NAMES, SCORE_NAMES, TRUE_NAMES


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


def choose(
    source: Source,
    true: str | None,
    predicted: tuple[str, ...] | None,
    *,
    score: tuple[str, ...] | None,
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
    pairs += [("--pred", name) for name in predicted or ()]
    pairs += [("--score", name) for name in score or ()]
    faults = [
        _no_column(source, name, option, names) for option, name in pairs if name not in names
    ]
    found_true = true or _usual(names, TRUE_NAMES)
    scores = _named_or_usual(score, names, SCORE_NAMES)
    # none named are none only where scores are read instead
    found = _named_or_usual(predicted or (None if score == () else predicted), names, PRED_NAMES)
    saw = f"columns: {shorten(names, 12)}"
    if found_true is None:
        fix = "true='COLUMN' (--true COLUMN)"
        faults.append(Fault("CM101", "which column is the truth?", source.name, saw, fix))
    if not found and not scores:
        part = "scores" if score is None else "predictions"
        fix = {
            "scores": "score='COLUMN' (--score COLUMN)",
            "predictions": "predicted='COLUMN' (--pred COLUMN, once for each model)",
        }[part]
        faults.append(Fault("CM101", f"which column holds {part}?", source.name, saw, fix))
    if found_true in found:
        what = f"{quoted(found_true)} is taken for the truth and for a prediction"
        fix = "name two columns: --true A --pred B"
        faults.append(Fault("CM402", what, source.name, saw, fix))
    twice = [name for name in scores if name in {found_true, model, weight, *axes.values()}]
    if twice:
        what = f"{quoted(twice[0])} is taken for the score and for something else"
        faults.append(Fault("CM402", what, source.name, saw, "name two columns"))
    if model is not None and len(found) > 1:
        what = "a column of models and several columns of predictions"
        fix = "in long form (--model) one column holds the predictions of all models"
        faults.append(Fault("CM402", what, source.name, saw, fix))
    if faults or found_true is None:
        raise InputError(*faults)
    if true is None or predicted is None or score is None:
        parts = {"predictions": found, "scores": scores}
        shown = [f"{part} from {_shown(columns)}" for part, columns in parts.items() if columns]
        notes.append(", ".join([f"truth from column {_shown([found_true])}", *shown]))
    return Chosen(
        true=found_true, predicted=found, score=scores, axes=axes, weight=weight, model=model
    )


def _shown(columns: Iterable[str]) -> str:
    return ", ".join(repr(printable(x)) for x in columns)


def _named_or_usual(
    named: tuple[str, ...] | None, names: list[str], usual: Sequence[str]
) -> tuple[str, ...]:
    """The columns that were named, each once; if none were, the one of a usual name."""
    if named is not None:
        return tuple(dict.fromkeys(named))
    found = _usual(names, usual)
    return () if found is None else (found,)


def _usual(names: list[str], usual: Sequence[str]) -> str | None:
    plain = {name.strip().lower(): name for name in reversed(names)}
    return next((plain[name] for name in usual if name in plain), None)


def _no_column(source: Source, name: str, option: str, names: list[str]) -> Fault:
    near = did_you_mean(name, names)
    fix = near.replace("did you mean ", f"did you mean {option} ") or f"{option} one of these"
    what = f"no column named {printable(name)!r} (asked for as {option})"
    return Fault("CM101", what, source.name, f"columns: {shorten(names, 12)}", fix)

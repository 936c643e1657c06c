"""Which threshold to use: the best one by a measure, a cost or a condition, and how sure that is.

The best of many thresholds is chosen by looking at the cases, so its value flatters. `best` says
by how much: the whole search is repeated on cases drawn again, and each choice is judged on the
cases that were seen (Efron's optimism). `nested` is what halves say: chosen on one, judged on the
other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import chancemeter
from chancemeter.counts import Array
from chancemeter.curves.again import drawn_curves, halves
from chancemeter.curves.costs import cost
from chancemeter.curves.curve import Curve, Direction
from chancemeter.curves.make import read_scores
from chancemeter.errors import Fault, InputError, plural, printable
from chancemeter.figures import json_number, number
from chancemeter.intervals.result import in_brackets
from chancemeter.outcomes import check_share
from chancemeter.registry import get
from chancemeter.tables import Label, Table, plain

#: Thresholds that are kept where the search is repeated.
_DRAWN = 2_048
#: With fewer cases of a class the limits of a threshold cover too little (docs/curve-coverage.md).
FEW = 20
#: How often the cases are parted in two.
_HALVES = 100
#: A peak this far above the value in use is worth a sentence.
FAR = 0.1


@dataclass(frozen=True)
class Goal:
    """What the best threshold is best at, and what it must keep to."""

    measure: str = "kappa"
    cost: tuple[float, float] | None = None
    """What a false positive costs, and what a false negative."""
    prevalence: float | None = None
    """Share of positives where the threshold is to be used; rates are kept."""
    at_least: tuple[tuple[str, float], ...] = ()
    """Conditions: a measure, and the least it may be."""

    def __str__(self) -> str:
        """In words."""
        words = self.measure if self.cost is None else "cost {:g}:{:g}".format(*self.cost)
        words += "" if self.prevalence is None else f" at a prevalence of {self.prevalence:g}"
        return words + "".join(f", {m} ≥ {x:g}" for m, x in self.at_least)

    def shifted(self, c: Curve) -> Curve:
        """The curve at the prevalence that is asked for."""
        if self.prevalence is None:
            return c
        check_share(self.prevalence, "a prevalence")
        up = self.prevalence * c.total / c.positives
        down = (1 - self.prevalence) * c.total / c.negatives
        return replace(c, tp=c.tp * up, fp=c.fp * down, groups=None)

    def values(self, c: Curve) -> Array:
        """What is maximised, at every threshold; minus infinity where a condition fails."""
        at = self.shifted(c)
        values = at[self.measure] if self.cost is None else -cost(at, *self.cost)
        if self.cost is None and get(self.measure).card.direction == "lower":
            values = -values
        values = np.where(np.isnan(values), -np.inf, values)
        for name, least in self.at_least:
            kept = at[name] >= least - 1e-12
            values = np.where(kept, values, -np.inf)
        return values

    def place(self, c: Curve) -> int | None:
        """Where the maximum is, of several equal ones the one that calls fewest positive."""
        values = self.values(c)
        found = int(np.argmax(values))
        return None if values[found] == -np.inf else found


@dataclass(frozen=True, eq=False, repr=False)
class Threshold:
    """A chosen threshold: what it does here, how sure it is, and how much of that is luck."""

    threshold: float
    """Put between two scores that occur, so that it also divides scores to come."""
    direction: Direction
    labels: tuple[Label, Label]
    goal: Goal
    value: float
    """Of the measure (or the mean cost) on the cases it was chosen by."""
    table: Table
    optimism: float
    """By how much the value flatters: mean excess over what the choice does elsewhere."""
    nested: float
    """Mean value on one half of the cases of what the other half has chosen; nan for weights."""
    low: float
    high: float
    """Limits of the threshold: where the search ended in most of the drawn samples."""
    level: float
    signature: str
    notes: tuple[str, ...] = ()

    @property
    def honest(self) -> float:
        """The value less its optimism."""
        return self.value - self.optimism

    def apply(self, y_score: Any) -> Array:
        """The labels that it gives to scores.

        >>> from chancemeter import best_threshold, curve
        >>> t = best_threshold(curve([0, 0, 1, 1], [0.1, 0.4, 0.5, 0.8]))
        >>> t.threshold, t.apply([0.2, 0.7]).tolist()
        (0.45, [0, 1])
        """
        scores = read_scores(y_score, np.size(y_score))
        over = scores >= self.threshold if self.direction == ">=" else scores <= self.threshold
        return np.where(over, *np.array(self.labels, object)).astype(np.array(self.labels).dtype)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON; `from_dict` reads them again."""
        goal = {**vars(self.goal), "at_least": [list(x) for x in self.goal.at_least]}
        return {
            "kind": "chancemeter threshold",
            "threshold": json_number(self.threshold),
            "direction": self.direction,
            "labels": [plain(x) for x in self.labels],
            "goal": goal,
            "value": json_number(self.value),
            "optimism": json_number(self.optimism),
            "nested": json_number(self.nested),
            "interval": [json_number(self.low), json_number(self.high)],
            "level": self.level,
            "table": self.table.counts.tolist(),
            "signature": self.signature,
            "notes": list(self.notes),
        }

    def __repr__(self) -> str:
        """What to use, what it does, what to know."""
        sign = "≥" if self.direction == ">=" else "≤"
        limits = f"{in_brackets(self.low, self.high)} ({100 * self.level:.6g}%)"
        rule = f"{printable(self.labels[0])} for scores {sign} {self.threshold:.6g} {limits}"
        worth = f"{self.goal}: {number(self.value)} here, about {number(self.honest)} elsewhere"
        return "\n".join([rule, worth, *(f"note: {note}" for note in self.notes)])


def best_threshold(
    c: Curve,
    measure: str = "kappa",
    *,
    cost: tuple[float, float] | None = None,
    prevalence: float | None = None,
    at_least: dict[str, float] | None = None,
    used: float | None = None,
    level: float = 0.95,
    draws: int = 500,
    seed: int = 0,
) -> Threshold:
    """The threshold that is best by a measure, or of the least cost (false positive, negative).

    `prevalence` asks for the best one where positives are rarer or more common, `at_least` for
    conditions such as ``{"recall": 0.9}``. `used` is the threshold in use now: if the best one is
    far better, a note says that the ranking is usable and the threshold is not. Its interval and
    the optimism come from repeating the search on `draws` samples; ``draws=0`` leaves them out.

    >>> from chancemeter import curve
    >>> y = [0, 0, 0, 1, 0, 1, 1, 1] * 10
    >>> best_threshold(curve(y, [i % 8 + i / 90 for i in range(80)]), draws=200)
    1 for scores ≥ 4.95 [2.839, 5.083] (95%)
    kappa: 0.750 here, about 0.699 elsewhere
    """
    check_share(level, "a level")
    goal = Goal(measure, cost, prevalence, tuple((at_least or {}).items()))
    place = goal.place(c)
    if place is None:
        raise InputError(_nothing_meets(c, goal))
    values = goal.values(c)
    sign = -1.0 if cost is not None or get(measure).card.direction == "lower" else 1.0
    ends, gap, notes = _search_again(c, goal, level, draws, seed)
    if used is not None:
        notes += _note_on_use(c, goal, place, used)
    told = f"best:{goal}|draws:{draws}|seed:{seed}|level:{level:g}|v{chancemeter.__version__}"
    return Threshold(
        threshold=between(c, place),
        direction=c.direction,
        labels=c.labels,
        goal=goal,
        value=sign * float(values[place]),
        table=c.at(float(c.thresholds[place])),
        optimism=sign * gap,
        nested=sign * _nested(c, goal, draws, seed),
        low=ends[0],
        high=ends[1],
        level=level,
        signature=told,
        notes=notes,
    )


def between(c: Curve, place: int) -> float:
    """A threshold halfway to the next score that it leaves out; it calls the same cases positive.

    >>> from chancemeter import curve
    >>> between(curve([0, 0, 1, 1], [0.1, 0.4, 0.5, 0.8]), 2)
    0.45
    """
    here = float(c.thresholds[place])
    if not math.isfinite(here) or place + 1 == len(c):
        return here
    beyond = float(c.thresholds[place + 1])
    middle = beyond + (here - beyond) / 2
    return here if middle == beyond else middle


def _search_again(
    c: Curve, goal: Goal, level: float, draws: int, seed: int
) -> tuple[tuple[float, float], float, tuple[str, ...]]:
    """Limits of the threshold, its optimism, and notes."""
    if draws < 1:
        return (math.nan, math.nan), math.nan, ()
    thin = c.thinned(_DRAWN)
    seen = replace(goal, at_least=()).values(thin)
    found, excess, lost = [], [], 0
    for again in drawn_curves(thin, draws, seed):
        place = goal.place(again)
        if place is None:
            lost += 1
            continue
        found.append(between(again, place))
        here = seen[thin.place_of(float(again.thresholds[place]))]
        if here > -np.inf:  # somewhere the measure is undefined
            excess.append(goal.values(again)[place] - here)
    notes: tuple[str, ...] = ()
    fewest = min(c.positives, c.negatives)
    if fewest < FEW:
        notes = (f"a class has {plural(int(fewest), 'case')}: these limits are a guess",)
    if lost:
        notes += (f"in {lost:,} of {draws:,} drawn samples no threshold meets the condition",)
    if not found:
        return (math.nan, math.nan), math.nan, notes
    tail = (1 - level) / 2
    low, high = np.quantile(found, [tail, 1 - tail], method="inverted_cdf").tolist()
    return (low, high), float(np.mean(excess)) if excess else math.nan, notes


def _nested(c: Curve, goal: Goal, draws: int, seed: int) -> float:
    """The mean value on one half of the cases at the threshold that the other half has chosen."""
    found = []
    judge = replace(goal, at_least=())
    for pair in halves(c.thinned(_DRAWN), min(draws, _HALVES), seed):
        for one, other in (pair, pair[::-1]):
            place = goal.place(one)
            if place is not None:
                at = other.place_of(between(one, place))
                found.append(float(judge.values(other)[at]))
    kept = [x for x in found if math.isfinite(x)]
    return float(np.mean(kept)) if kept else math.nan


def _note_on_use(c: Curve, goal: Goal, place: int, used: float) -> tuple[str, ...]:
    """Whether the threshold in use wastes the ranking."""
    values = goal.values(c)
    now = float(values[c.place_of(used)])
    if goal.cost is not None or values[place] - now < FAR:
        return ()
    shown = number(now) if math.isfinite(now) else "undefined"
    peak = number(float(values[place]))
    said = f"the ranking is usable, the threshold is not: {goal} is {shown} at {used:g}"
    return (f"{said} and {peak} at its peak",)


def usable(c: Curve, used: float = 0.5) -> str:
    """The sentence that is said when kappa at its peak is far above kappa at the threshold in use."""
    goal = Goal()
    found = _note_on_use(c, goal, goal.place(c) or 0, used)
    return found[0] if found else ""


def _nothing_meets(c: Curve, goal: Goal) -> Fault:
    """No threshold keeps all conditions: how near one gets."""
    shifted = goal.shifted(c)
    reached = [f"{m} reaches {number(float(np.nanmax(shifted[m])))}" for m, _ in goal.at_least]
    saw = ", ".join(reached)
    fix = "ask for less, or for fewer conditions at once"
    return Fault("CM607", f"no threshold meets the condition: {goal}", saw=saw, fix=fix)


def from_dict(given: Any, where: str = "") -> Threshold:
    """What `Threshold.to_dict` made; anything else is refused."""
    try:
        return _read(given)
    except (KeyError, TypeError, ValueError, IndexError) as error:
        what, fix = "this is no chosen threshold", "write one with: chancemeter threshold choose"
        saw = f"{type(error).__name__}: {printable(error)}"
        raise InputError(Fault("CM609", what, where, saw, fix)) from None


def _read(given: Any) -> Threshold:
    """The same, trusting nothing about its form."""
    if given["kind"] != "chancemeter threshold" or given["direction"] not in {">=", "<="}:
        raise KeyError("kind")
    positive, negative = given["labels"]
    if any(isinstance(x, (list, dict, type(None))) for x in (positive, negative)):
        raise KeyError("labels")
    goal, paid = given["goal"], given["goal"]["cost"]
    low, high = map(_or_nan, given["interval"])
    return Threshold(
        threshold=float(given["threshold"]),
        direction=given["direction"],
        labels=(positive, negative),
        goal=Goal(
            str(goal["measure"]),
            None if paid is None else (float(paid[0]), float(paid[1])),
            None if goal["prevalence"] is None else float(goal["prevalence"]),
            tuple((str(m), float(x)) for m, x in goal["at_least"]),
        ),
        value=float(given["value"]),
        table=Table(np.array(given["table"], float), (positive, negative)),
        optimism=_or_nan(given["optimism"]),
        nested=_or_nan(given["nested"]),
        low=low,
        high=high,
        level=float(given["level"]),
        signature=str(given["signature"]),
        notes=tuple(map(str, given["notes"])),
    )


def _or_nan(x: Any) -> float:
    return math.nan if x is None else float(x)

"""Conditions that predictions must meet, and whether they do: what stops a build."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from chancemeter.comparison.differences import Difference, signed
from chancemeter.errors import Fault, InputError, printable, quoted
from chancemeter.figures import json_number, name_of, number
from chancemeter.intervals.result import in_brackets
from chancemeter.registry import Measure, get
from chancemeter.reports.findings import limits_of
from chancemeter.scoring import Score, score
from chancemeter.tables import Table


@dataclass(frozen=True)
class Condition:
    """A measure and a limit that it must not pass."""

    measure: Measure[...]
    limit: float
    side: Literal["min", "max"] = "min"
    surely: bool = False
    """Its whole interval must keep the limit, not its value alone."""
    why: str = ""
    """Where the limit comes from, if not from the caller."""

    @property
    def sign(self) -> str:
        """Of what is wanted."""
        return "≥" if self.side == "min" else "≤"

    def __str__(self) -> str:
        """Such as ``kappa ≥ 0.600``."""
        shown = f"{self.measure.key} {self.sign} {number(self.limit)}"
        return shown + (f" ({self.why})" if self.why else "")


@dataclass(frozen=True)
class Outcome:
    """Whether a model meets a condition."""

    model: str
    wanted: str
    passed: bool
    found: str
    """What was seen, in words."""
    value: float
    limits: tuple[float, float] | None
    limit: float

    def __str__(self) -> str:
        """A line."""
        return (
            f"{'ok  ' if self.passed else 'FAIL'}  {self.model}: {self.found}, wanted {self.wanted}"
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "model": self.model,
            "wanted": self.wanted,
            "passed": self.passed,
            "found": self.found,
            "value": json_number(self.value),
            "interval": None if self.limits is None else list(map(json_number, self.limits)),
            "limit": json_number(self.limit),
        }


def parse(text: str, side: Literal["min", "max"], *, surely: bool = False) -> Condition:
    """A condition as it is typed.

    >>> str(parse("kappa=0.6", "min"))
    'kappa ≥ 0.600'
    """
    name, equals, limit = text.rpartition("=")
    try:
        found = float(limit)
    except ValueError:
        found = float("nan")
    if not equals or np.isnan(found):
        fix = f"write --{side} kappa=0.6"
        what = f"--{side} {printable(text)} is not a measure and a number"
        raise InputError(Fault("CM402", what, fix=fix))
    return Condition(get(name), found, side, surely)


def judge(
    tables: Mapping[str, Table], conditions: Iterable[Condition], **sure: Any
) -> list[Outcome]:
    """Every model under every condition; `sure` are the options of intervals."""
    wanted = list(conditions)
    return [_judged(name, t, c, sure) for name, t in tables.items() for c in wanted]


def _judged(name: str, t: Table, c: Condition, sure: Mapping[str, Any]) -> Outcome:
    found = score(t, [c.measure.key], **sure).scores[c.measure.key]
    shown, value, limits = _worst(found, t, c)
    decides = value
    if c.surely:
        decides = np.nan if limits is None else limits[c.side == "max"]
        shown += "" if limits else " without an interval"
    passed = bool(decides >= c.limit if c.side == "min" else decides <= c.limit)
    wanted = f"{'all of the interval ' if c.surely else ''}{c}"
    return Outcome(printable(name), wanted, passed, shown, value, limits, c.limit)


def beaten(x: Difference, *, paired: bool) -> Outcome:
    """Whether the first model of a difference is shown to be better than the second."""
    shown = f"difference in {x.measure} {signed(x.value)} {in_brackets(x.low, x.high)}"
    if np.isnan(x.value):
        shown = f"{x.measure} is undefined for one of them"
    how = "on the same cases" if paired else "on different cases"
    wanted = f"better than {printable(x.second)} by {x.measure}, {how}"
    limits = None if np.isnan(x.low) else (x.low, x.high)
    passed = bool(x.better) and x.better == x.first
    return Outcome(printable(x.first), wanted, passed, shown, x.value, limits, 0.0)


def _worst(found: Score, t: Table, c: Condition) -> tuple[str, float, tuple[float, float] | None]:
    """The value in words; of a measure of classes that of the class that is worst off."""
    if not isinstance(found.value, list):
        limits = limits_of(found)
        return _words(c.measure.key, found.value, limits, found.undefined), found.value, limits
    values = np.array(found.value)
    if np.isnan(values).any():
        i = int(np.argmax(np.isnan(values)))
    else:
        i = int(np.argmin(values) if c.side == "min" else np.argmax(values))
    limits = limits_of(found, i)
    words = _words(c.measure.key, found.value[i], limits, found.undefined[i])
    return f"{words} for {name_of(t.labels[i])}", found.value[i], limits


def _words(key: str, value: float, limits: tuple[float, float] | None, reason: Any) -> str:
    if reason:
        return f"{key} is undefined ({reason.sentence})"
    shown = f" [{number(limits[0])}, {number(limits[1])}]" if limits else ""
    return f"{key} {number(value)}{shown}"


def from_baseline(
    path: str | Path, names: Iterable[str], by: str
) -> Iterator[tuple[str, Condition]]:
    """For each model, not to be worse than a report in JSON says it was."""
    measure = get(by)
    before = _read_baseline(path)
    lacking = [name for name in names if name not in before]
    if lacking:
        saw = f"models: {', '.join(map(printable, before)) or 'none'}"
        what = f"the baseline says nothing of {printable(lacking[0])}"
        raise InputError(Fault("CM402", what, printable(path), saw, "name models alike"))
    for name in names:
        value = before[name].get(measure.key, {}).get("value")
        if not isinstance(value, (int, float)):
            fix = "write it anew with chancemeter report -o FILE.json, or choose another --by"
            what = f"the baseline has no number for {measure.key} of {printable(name)}"
            raise InputError(Fault("CM402", what, printable(path), fix=fix))
        lower = measure.card.direction == "lower"
        yield name, Condition(measure, value, "max" if lower else "min", why="as before")


def _read_baseline(path: str | Path) -> dict[str, dict[str, Any]]:
    fix = "a baseline is written by chancemeter report -o FILE.json"
    try:
        document = json.loads(Path(path).read_text("utf-8"))
        return {m["name"]: dict(m["measures"]) for m in document["models"]}
    except OSError as error:
        what = f"the file cannot be read: {error.strerror}"
        raise InputError(Fault("CM001", what, printable(path), fix=fix)) from None
    except (ValueError, KeyError, TypeError, AttributeError):
        what = "this is not a report in JSON"
        raise InputError(Fault("CM004", what, quoted(path, 200), fix=fix)) from None

"""Many measures of one table at once, each with its value or the reason why it has none."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from html import escape
from typing import Any

import numpy as np

from chancemeter import averaging
from chancemeter.counts import Counts, Values, as_counts
from chancemeter.errors import (
    ChancemeterError,
    Fault,
    InputError,
    UnknownNameError,
    plural,
    printable,
)
from chancemeter.registry import Measure, get_all
from chancemeter.tables import Label, Table, cases, plain
from chancemeter.tables import table as make_table
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
        return found


@dataclass(frozen=True, repr=False)
class Scores:
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

    table: Table
    scores: dict[str, Score]

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
            "counts": self.table.counts.tolist(),
            "measures": {key: score.to_dict() for key, score in self.scores.items()},
        }

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def to_frame(self) -> Any:
        """A pandas frame with a row for each value."""
        import pandas as pd

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
        width = max(map(len, self.scores), default=0)
        head = f"{cases(self.table.total)}, {plural(self.table.k, 'class', 'classes')}"
        return "\n".join([head, *(f"  {k:{width}}  {_shown(s)}" for k, s in self.scores.items())])

    def _repr_html_(self) -> str:
        """A row for each measure."""
        rows = "".join(
            f'<tr><th scope="row">{escape(key)}</th><td>{escape(_shown(score))}</td></tr>'
            for key, score in self.scores.items()
        )
        return f"<table><caption>{cases(self.table.total)}</caption>{rows}</table>"


def score(table: Any, measures: Iterable[str] | None = None) -> Scores:
    """Values of `measures` (the usual ones, if none are named) for one table."""
    if not isinstance(table, Table):
        table = make_table(table)
    if table.counts.ndim != 2:
        what = "scores are of one table"
        fix = "select or pool the axes, or call a measure on the stack: chancemeter.kappa(stack)"
        raise InputError(Fault("CM204", what, saw=repr(table), fix=fix))
    names = [measures] if isinstance(measures, str) else measures
    counts = as_counts(table)
    found = {}
    for m in get_all(USUAL if names is None else names):
        values = _values(m, counts)
        reasons = m.reasons(counts, values)
        found[m.key] = Score(m, values.tolist(), reasons.tolist(), averaging.taking_part(m, counts))
    return Scores(table, found)


def _values(m: Measure[...], counts: Counts) -> Values:
    try:
        return np.asarray(m.values(counts))
    except ChancemeterError:
        raise
    except (TypeError, ValueError) as error:
        if not m.bound:
            raise
        what = f"a parameter of {m.key} has a value that does not fit"
        fix = f"chancemeter explain {m.key.partition('(')[0]} shows its parameters"
        saw = ", ".join(f"{name}={value!r}" for name, value in m.bound.items())
        raise UnknownNameError(Fault("CM302", what, saw=saw, fix=fix)) from error


def json_number(x: Any) -> Any:
    """A number for JSON, which knows neither nan nor infinity: None and a word."""
    if isinstance(x, float) and not np.isfinite(x):
        return None if np.isnan(x) else ("Infinity" if x > 0 else "-Infinity")
    return x


def _explained(reason: Reason | None) -> dict[str, str] | None:
    return {"code": reason.code, "reason": reason.sentence} if reason else None


def _shown(score: Score) -> str:
    if isinstance(score.value, list):
        return "  ".join(number(x) for x in score.value)
    if score.undefined:
        return f"undefined: {score.undefined.sentence}"
    return number(score.value)


def number(x: float, digits: int = 3) -> str:
    """One way to print a value, everywhere; nothing is rounded to 0 or 1 that is not.

    >>> number(0.80719), number(123456.7), number(float("nan")), number(0.00001234)
    ('0.807', '123,457', 'undefined', '1.23e-05')
    >>> number(0.8795), number(0.99996), number(1.0)
    ('0.880', '0.99996', '1.000')
    """
    if np.isnan(x):
        return "undefined"
    if np.isinf(x):
        return "∞" if x > 0 else "−∞"
    if abs(x) >= 10_000 or (x == int(x) and abs(x) > 1):
        return f"{x:,.0f}" if abs(x) < 1e15 else f"{x:.6g}"
    if 0 < abs(x) < 0.5 * 10**-digits:
        return f"{x:.3g}"
    return _rounded(x, 1, digits)


def percent(x: float) -> str:
    """A share in percent, everywhere the same way.

    >>> percent(0.8695), percent(1.0), percent(0.99996), percent(0.00001)
    ('87.0%', '100.0%', '99.996%', '0.001%')
    """
    return "undefined" if np.isnan(x) else f"{_rounded(x, 100, 1)}%"


def _rounded(x: float, times: int, digits: int) -> str:
    """As people round: halves up, and never up to the whole nor down to nothing."""
    value = Decimal(repr(float(x))) * times
    for more in range(digits, 12):
        found = value.quantize(Decimal(1).scaleb(-more), ROUND_HALF_UP)
        if found == value or found not in {0, times, -times}:
            break
    return f"{found + 0}"


def name_of(label: Label, most: int = 30) -> str:
    """A label as a person may safely read it."""
    return f"“{printable(label, most)}”"

"""What a test found: its name, what it takes for granted, how big the effect is, and p."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import inf, isfinite, isnan, nan
from typing import Any

import numpy as np

import chancemeter
from chancemeter.adjust import ADJUSTMENTS, adjust
from chancemeter.counts import Array
from chancemeter.errors import (
    Fault,
    InputError,
    UnknownNameError,
    did_you_mean,
    plural,
    printable,
    quoted,
)

#: The statements that tests make. They are not the same, and none follows from another.
ABOUT = {
    "predictions": "these predictions: two fixed models, on more cases of this kind",
    "algorithms": "these algorithms: trained anew on other samples of this size",
    "data sets": "these algorithms: on more data sets of this kind",
}
#: Values nearer than this, relative to the largest one, differ by rounding only.
_ROUNDING = 2.0**-44


@dataclass(frozen=True)
class Method:
    """A test, whatever the numbers: the facts about it stand here and nowhere else."""

    key: str
    title: str
    about: str
    """One of `ABOUT`."""
    null: str
    """What p takes for true: that there is no difference. Empty where there is no p."""
    assumes: str
    unit: str
    """What is counted as one: a case, a fold, a data set."""


@dataclass(frozen=True, repr=False, kw_only=True)
class Finding:
    """What every result has, whatever it found."""

    method: Method
    n: int
    left_out: int = 0
    """How many folds or data sets had no value."""
    effects: Mapping[str, float] = field(default_factory=dict)
    interval: tuple[float, float] | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    undefined: str = ""
    """Why there is no value, where there is none."""

    @property
    def signature(self) -> str:
        """What has to be said to get the same numbers again."""
        parts = [f"{name}:{value}" for name, value in self.settings.items()]
        return "|".join([self.method.key, *parts, f"v{chancemeter.__version__}"])

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        about = dict(vars(self.method))
        own = vars(self) | {"method": about.pop("key"), "signature": self.signature}
        return fit_for_json(about | own)

    def _body(self) -> list[str]:
        """Lines that every result prints."""
        rows = {
            "about": ABOUT[self.method.about],
            "null": self.method.null,
            "n": plural(self.n, self.method.unit),
            "effects": ", ".join(f"{name} {x:.4g}" for name, x in self.effects.items()),
            "interval": " to ".join(f"{x:.4g}" for x in self.interval or ()),
            "settings": ", ".join(f"{name} {x}" for name, x in self.settings.items()),
            "assumes": self.method.assumes,
        }
        lines = [f"  {name:9} {text}" for name, text in rows.items() if text]
        return lines + [f"  note      {note}" for note in self.notes]


@dataclass(frozen=True, repr=False, kw_only=True)
class Outcome(Finding):
    """What one test says of one comparison.

    >>> from chancemeter.matched import mcnemar
    >>> mcnemar([[60, 15], [5, 20]])
    McNemar's test, mid-p: p = 0.0266
      about     these predictions: two fixed models, on more cases of this kind
      null      both models are right equally often
      n         100 cases
      effects   difference 0.1, odds_ratio 3, cohens_g 0.25
      assumes   the cases were drawn independently of each other
    """

    p: float = nan
    statistic: float = nan
    df: tuple[float, ...] = ()

    def __repr__(self) -> str:
        """A few lines, the p-value first."""
        shown = f"no p: {self.undefined}" if self.undefined else f"p {p_text(self.p)}"
        return "\n".join([f"{self.method.title}: {shown}", *self._body()])


@dataclass(frozen=True, repr=False, kw_only=True)
class Belief(Finding):
    """How likely it is, given the data, that one is better, or that they are practically equal."""

    left: float = nan
    """That the first is worse, by more than the region of practical equivalence."""
    within: float = nan
    right: float = nan
    """That the first is better, by more than that."""

    def __repr__(self) -> str:
        """The three probabilities."""
        shown = (
            f"worse {self.left:.3f}, practically equal {self.within:.3f}, better {self.right:.3f}"
        )
        return "\n".join([f"{self.method.title}: {self.undefined or shown}", *self._body()])


@dataclass(frozen=True, repr=False, kw_only=True)
class Family:
    """One test for many pairs of models, with p-values adjusted for their number."""

    outcomes: Mapping[tuple[str, str], Outcome]
    adjusted: Mapping[tuple[str, str], float]
    adjustment: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, outcomes: Mapping[tuple[str, str], Outcome], how: str = "holm") -> Family:
        """Adjust the p-values of `outcomes`."""
        ps = adjust([outcome.p for outcome in outcomes.values()], how).tolist()
        keeps = f"{how} keeps {ADJUSTMENTS[how][1]} below the level"
        adjusted = dict(zip(outcomes, ps, strict=True))
        return cls(outcomes=outcomes, adjusted=adjusted, adjustment=how, notes=(keeps,))

    def __getitem__(self, pair: tuple[str, str]) -> float:
        """The adjusted p-value of a pair, in either order."""
        return self.adjusted[pair if pair in self.adjusted else (pair[1], pair[0])]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        pairs = [
            {"pair": pair, "adjusted_p": self.adjusted[pair], **outcome.to_dict()}
            for pair, outcome in self.outcomes.items()
        ]
        return fit_for_json({"adjustment": self.adjustment, "notes": self.notes, "pairs": pairs})

    def __repr__(self) -> str:
        """A line for each pair."""
        first = next(iter(self.outcomes.values()))
        lines = [f"{first.method.title}, adjusted by {self.adjustment}"]
        lines += [f"  {a} / {b}: p {p_text(p)}" for (a, b), p in self.adjusted.items()]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def p_text(p: float) -> str:
    """A p-value to read; never 0, which no test can show.

    >>> p_text(0.0312), p_text(3e-7), p_text(1.0), p_text(float("nan"))
    ('= 0.0312', '< 0.0001', '= 1', 'undefined')
    """
    if isnan(p):
        return "undefined"
    return "< 0.0001" if p < 1e-4 else f"= {p:.3g}"


def fit_for_json(x: Any) -> Any:
    """`x` with arrays as lists, and words or None for what JSON does not know."""
    if isinstance(x, Mapping):
        return {str(key): fit_for_json(value) for key, value in x.items()}
    if isinstance(x, (tuple, list, np.ndarray)):
        return [fit_for_json(item) for item in x]
    if isinstance(x, np.generic):
        x = x.item()
    if isinstance(x, float) and not isfinite(x):
        return None if isnan(x) else "Infinity" if x > 0 else "-Infinity"
    return x


def settled(a: Array, b: Array) -> Array:
    """The differences, those equal that differ by rounding only.

    >>> a, b = np.array([0.3, 0.9]), np.array([0.1, 0.7])
    >>> np.unique(a - b).size, np.unique(settled(a, b)).size
    (2, 1)
    """
    largest = max(np.nanmax(np.abs(x), initial=0.0) for x in (a, b))
    if not 0 < largest < inf:
        return a - b
    step = 2.0 ** np.floor(np.log2(largest)) * _ROUNDING
    return np.asarray(np.round((a - b) / step) * step)


def read_numbers(x: Any, name: str) -> Array:
    """Finite numbers, or nan where a value is undefined, as an array of doubles."""
    try:
        values = np.array(x, dtype=float)
    except (TypeError, ValueError):
        fix = "numbers in rows of one length, nan where there is no value"
        fault = Fault("CM513", f"{name}: these are not numbers", saw=printable(x), fix=fix)
        raise InputError(fault) from None
    if np.isinf(values).any():
        raise InputError(Fault("CM514", f"{name}: a value is infinite", fix="write nan for none"))
    return values


def check_share(x: float, name: str) -> float:
    """A level: above 0 and below 1."""
    if isinstance(x, (int, float)) and 0 < x < 1:
        return float(x)
    fix = "a share such as 0.95"
    raise InputError(Fault("CM514", f"{name} lies between 0 and 1", saw=repr(x), fix=fix))


def check_draws(draws: int) -> int:
    """A number of draws: a whole number from 1 up."""
    if isinstance(draws, (int, np.integer)) and draws >= 1:
        return int(draws)
    fix = "such as 10,000"
    raise InputError(Fault("CM501", "draws are counted from 1 up", saw=repr(draws), fix=fix))


def check_rope(rope: float) -> float:
    """A region of practical equivalence: 0 or more, and finite."""
    if isinstance(rope, (int, float)) and 0 <= rope < inf:
        return float(rope)
    what = "a region of practical equivalence has a half-width of 0 or more"
    fix = "0.01 takes differences of up to one point in either direction for none"
    raise InputError(Fault("CM514", what, saw=repr(rope), fix=fix))


def choose(how: str, known: Iterable[str], thing: str) -> str:
    """`how`, if it is known."""
    known = list(known)
    if how in known:
        return how
    fix = did_you_mean(how, known, f"one of {', '.join(known)}")
    raise UnknownNameError(Fault("CM515", f"no {thing} is called {quoted(how)}", fix=fix))

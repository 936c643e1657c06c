"""`Curve`: thresholds and the 2×2 table at each of them. Any measure has a curve along it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property, partial
from importlib import import_module
from typing import Any, Literal, TypeVar

import numpy as np

from chancemeter.counts import Array, Counts, Values, as_floats, ratio
from chancemeter.curves.hull import hull_places
from chancemeter.errors import (
    Fault,
    InputError,
    UnknownNameError,
    did_you_mean,
    plural,
    printable,
    quoted,
)
from chancemeter.figures import json_number, number
from chancemeter.registry import Measure, arguments, get
from chancemeter.tables import Label, Table, cases, plain

Direction = Literal[">=", "<="]
F = TypeVar("F", bound=Callable[..., Any])

#: Thresholds whose tables are worked on at a time, so that they stay in the cache.
_AT_A_TIME = 1 << 14


@dataclass(frozen=True, eq=False)
class Groups:
    """Which group each case is of, and where on the curve it stands: for the cluster bootstrap."""

    place: Array
    """For each case the first entry of `Curve.thresholds` at which it is called positive."""
    positive: Array
    codes: Array
    """Groups as whole numbers from 0 up."""
    weights: Array | None = None


@dataclass(frozen=True, eq=False, repr=False)
class Curve:
    """Every threshold of a score, and the 2×2 table that it makes: made by `chancemeter.curve`.

    ``thresholds[i]`` calls positive what scores at least that much (at most, if `direction` is
    ``"<="``). The first threshold is infinite and calls nothing positive; the last calls
    everything positive. Equal scores are one threshold. So for m distinct scores there are

    - ``thresholds``, ``tp``, ``fp``: arrays of m + 1, ``tp`` and ``fp`` growing from 0,
    - ``stack``: m + 1 tables ``[[tp, fn], [fp, tn]]``, rows truth, the positive class first,
    - ``curve["kappa"]``: any measure of the catalogue along it (of the positive class, where it
      has a value for each class),
    - ``fpr``, ``tpr``, ``positives``, ``negatives``, ``prevalence``,
    - scalars such as ``auc``, ``auch``, ``auk``, ``auk_max``, ``h``.

    >>> from chancemeter import curve
    >>> c = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> c.thresholds.tolist(), c.tp.tolist(), c.fp.tolist()
    ([inf, 0.8, 0.4, 0.35, 0.1], [0, 1, 1, 2, 2], [0, 0, 1, 1, 2])
    >>> c["kappa"].tolist(), c.auc
    ([0.0, 0.5, 0.0, 0.5, 0.0], 0.75)
    """

    thresholds: Array
    tp: Array
    fp: Array
    labels: tuple[Label, Label] = (1, 0)
    """The positive class, and what the other one is called."""
    direction: Direction = ">="
    error: float = 0.0
    """No area under the ROC curve is further off than this; 0 unless scores were put together."""
    groups: Groups | None = None
    told: tuple[str, ...] = ()
    """What was to be said when it was read."""

    @property
    def positives(self) -> Any:
        """Cases of the positive class."""
        return self.tp[-1].item()

    @property
    def negatives(self) -> Any:
        """All other cases."""
        return self.fp[-1].item()

    @property
    def total(self) -> Any:
        """All cases."""
        return self.positives + self.negatives

    @property
    def prevalence(self) -> float:
        """Share of the positive class."""
        return float(self.positives / self.total)

    @cached_property
    def tpr(self) -> Array:
        """Share of the positive class that is called positive."""
        return ratio(self.tp, self.positives)

    @cached_property
    def fpr(self) -> Array:
        """Share of the other cases that is called positive."""
        return ratio(self.fp, self.negatives)

    @property
    def fn(self) -> Array:
        """Cases of the positive class that are missed."""
        return np.asarray(self.positives - self.tp)

    @property
    def tn(self) -> Array:
        """Other cases that are not called positive."""
        return np.asarray(self.negatives - self.fp)

    def __len__(self) -> int:
        """Number of thresholds, the infinite one included."""
        return len(self.thresholds)

    @cached_property
    def stack(self) -> Array:
        """The tables, ``(thresholds, 2, 2)``: rows truth, columns prediction, positive first."""
        return self._tables(slice(None))

    def _tables(self, places: slice | Array) -> Array:
        tp, fp = self.tp[places], self.fp[places]
        cells = np.stack([tp, self.positives - tp, fp, self.negatives - fp], -1)
        return cells.reshape(*tp.shape, 2, 2)

    @property
    def table(self) -> Table:
        """The stack with labels, and thresholds as an axis."""
        return Table(self.stack, self.labels, {"threshold": tuple(self.thresholds.tolist())})

    def at(self, threshold: float) -> Table:
        """The table that a threshold makes, be it a score that occurs or not.

        >>> from chancemeter import curve
        >>> curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).at(0.5)
        4 cases, rows truth, columns prediction
           1  0
        1  1  1
        0  0  2
        """
        return Table(self._tables(np.asarray(self.place_of(threshold))), self.labels)

    def place_of(self, threshold: float) -> int:
        """The entry of `thresholds` that calls the same cases positive."""
        sign = -1.0 if self.direction == ">=" else 1.0
        if np.isnan(threshold):
            fix = "give a number, or inf"
            raise InputError(Fault("CM514", "a threshold is a number", saw="nan", fix=fix))
        return int(np.searchsorted(sign * self.thresholds, sign * threshold, "right")) - 1

    def __getitem__(self, measure: str | Measure[...]) -> Array:
        """A measure at every threshold; nan where it is undefined."""
        m = get(measure) if isinstance(measure, str) else measure
        return self.values(m.values)

    def values(self, formula: Callable[[Counts], Values]) -> Array:
        """What `formula` makes of the `Counts` at every threshold; of the positive class."""
        found = np.empty(len(self))
        whole = self.tp.dtype.kind == "i" and self.total < 2**50
        with np.errstate(all="ignore"):
            for start in range(0, len(self), _AT_A_TIME):
                part = slice(start, start + _AT_A_TIME)
                values = formula(Counts(as_floats(self._tables(part)), whole=whole))
                found[part] = values if values.ndim == 1 else values[:, 0]
        return found

    def interval(self, measure: str, **how: Any) -> Any:
        """How sure a scalar is: what ``chancemeter.interval("auc", curve)`` gives."""
        return import_module("chancemeter.curves.sure").interval_of(self, measure, **how)

    # Curves from parts, and parts of curves.

    def steps(self) -> tuple[Array, Array]:
        """Cases of both classes at each distinct score alone, the highest score first."""
        return np.diff(self.tp), np.diff(self.fp)

    def __add__(self, other: Curve) -> Curve:
        """The curve of both sets of cases, as if they had been read at once.

        >>> from chancemeter import curve
        >>> a, b = curve([0, 1], [0.1, 0.8]), curve([1, 0], [0.8, 0.3])
        >>> (a + b).tp.tolist(), (a + b).fp.tolist()
        ([0, 2, 2, 2], [0, 0, 1, 2])
        """
        if not isinstance(other, Curve):
            return NotImplemented
        if self.labels != other.labels or self.direction != other.direction:
            saw = f"{self._rule} and {other._rule}"
            fix = "make both with the same positive= and direction="
            raise InputError(Fault("CM612", "these curves mean different things", "", saw, fix))
        sign = -1.0 if self.direction == ">=" else 1.0
        scores = np.concatenate([self.thresholds[1:], other.thresholds[1:]])
        order = np.argsort(sign * scores, kind="stable")
        ordered = scores[order]
        ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
        sums = [
            np.cumsum(np.concatenate([mine, theirs])[order])[ends]
            for mine, theirs in zip(self.steps(), other.steps(), strict=True)
        ]
        error = max(self.error, other.error)
        told = tuple(dict.fromkeys([*self.told, *other.told]))
        return from_steps(ordered[ends], *sums, like=replace(self, error=error, told=told))

    def __radd__(self, other: object) -> Curve:
        """Let ``sum(curves)`` start from 0."""
        return self if other == 0 else NotImplemented

    def reversed(self) -> Curve:
        """The same scores read the other way: low ones for the positive class.

        >>> from chancemeter import curve
        >>> curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).reversed().auc
        0.25
        """
        direction: Direction = "<=" if self.direction == ">=" else ">="
        tp, fp = (np.cumsum(x[::-1]) for x in self.steps())
        like = replace(self, direction=direction, groups=None)
        return from_steps(self.thresholds[:0:-1], tp, fp, like=like)

    def swapped(self) -> Curve:
        """The other class as the positive one, and so the other direction."""
        turned = self.reversed()
        return replace(turned, tp=turned.fp, fp=turned.tp, labels=self.labels[::-1])

    def thinned(self, most: int) -> Curve:
        """At most so many thresholds, spread evenly along the curve; `error` says what it costs.

        Two cases of different classes between neighbouring thresholds count as ties. So half of
        all such pairs, as a share of all pairs, is the most by which an AUC can be off.

        >>> from chancemeter import curve
        >>> c = curve([0, 1] * 500, range(1000)).thinned(11)
        >>> len(c), round(c.error, 3)
        (11, 0.05)
        """
        if most < 2:
            fault = Fault("CM501", "a curve has two ends", saw=str(most), fix="keep 2 or more")
            raise InputError(fault)
        if len(self) <= most:
            return self
        along = self.tpr + self.fpr
        wanted = np.linspace(0, along[-1], most)
        keep = np.unique(np.clip(np.searchsorted(along, wanted), 0, len(self) - 1))
        keep[0], keep[-1] = 0, len(self) - 1
        tp, fp = self.tp[keep], self.fp[keep]
        lost = np.dot(np.diff(tp).astype(float), np.diff(fp).astype(float))
        error = self.error + float(lost / (2 * self.positives * self.negatives))
        note = f"{len(keep):,} of {len(self):,} thresholds are kept: an area is off by {error:.2g}"
        thin = replace(self, thresholds=self.thresholds[keep], tp=tp, fp=fp, groups=None)
        return replace(thin, error=error, told=(*self.told, f"{note} at most"))

    @cached_property
    def hull(self) -> Curve:
        """The thresholds that are best for some costs and prevalence: a curve of its own.

        What lies between two of them is reached by mixing the two.

        >>> from chancemeter import curve
        >>> h = curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).hull
        >>> h.thresholds.tolist(), h.auc
        ([inf, 0.8, 0.35, 0.1], 0.875)
        """
        keep = hull_places(self.fp, self.tp)
        parts = {x: getattr(self, x)[keep] for x in ("thresholds", "tp", "fp")}
        return replace(self, **parts, groups=None)

    # What a reader is told.

    @property
    def _rule(self) -> str:
        sign = "≥" if self.direction == ">=" else "≤"
        return f"{printable(self.labels[0])!r} for scores {sign} the threshold"

    @property
    def is_probability(self) -> bool:
        """Whether all scores lie between 0 and 1."""
        ends = self.thresholds[1:][[0, -1]]
        return bool((ends >= 0).all() and (ends <= 1).all())

    @property
    def notes(self) -> tuple[str, ...]:
        """What a reader should know before trusting anything read off it."""
        return (*self.told, *_notes(self))

    def __repr__(self) -> str:
        """What it is of, the areas, and what to know."""
        share = f"{100 * self.prevalence:.3g}% {printable(self.labels[0])}"
        scores = plural(len(self) - 1, "distinct score")
        areas = f"AUC {number(self.auc)}, AUK {number(self.auk)} of at most {number(self.auk_max)}"
        lines = [f"{cases(self.total)} ({share}), {scores}, {self._rule}", areas]
        return "\n".join([*lines, *(f"note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        return {
            "positive": plain(self.labels[0]),
            "negative": plain(self.labels[1]),
            "direction": self.direction,
            "thresholds": [json_number(x) for x in self.thresholds.tolist()],
            "tp": self.tp.tolist(),
            "fp": self.fp.tolist(),
            "error": self.error,
            "notes": list(self.notes),
        }

    def __getattr__(self, name: str) -> Any:
        """Scalars by name: ``curve.auc``."""
        if name.startswith("_"):
            raise AttributeError(name)
        if name not in scalars():
            what = f"a curve has no {name!r}; {did_you_mean(name, SCALARS)}".rstrip("; ")
            raise AttributeError(what)
        value = SCALARS[name](self)
        self.__dict__[name] = value  # worked out once
        return value

    def __dir__(self) -> list[str]:
        """With the scalars."""
        return sorted({*object.__dir__(self), *scalars()})


Scalar = Callable[..., float]
#: What sums up a curve in one number, by name; `scalar` enters it here.
SCALARS: dict[str, Scalar] = {}


def scalar(formula: F) -> F:
    """Declare what a curve is summed up by: from then on it is an attribute of every curve."""
    SCALARS[formula.__name__] = formula
    return formula


def scalars() -> dict[str, Scalar]:
    """All of them; the modules that hold them are loaded when one is first asked for."""
    import_module("chancemeter.curves.scalars")
    return SCALARS


def scalar_named(name: str) -> tuple[str, Scalar]:
    """The scalar of that name, or with parameters: ``"partial_auc(high=0.2)"``.

    >>> from chancemeter import curve
    >>> _, formula = scalar_named("partial_auc(high=0.5)")
    >>> formula(curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]))
    0.25
    """
    word, bracket, rest = name.partition("(")
    known = scalars()
    if word not in known:
        fix = did_you_mean(word, known, f"one of {', '.join(known)}")
        what = f"no scalar of a curve is called {quoted(word)}"
        raise UnknownNameError(Fault("CM608", what, fix=fix))
    if not bracket:
        return word, known[word]
    given = arguments(name, f"({rest}")
    takes = list(inspect.signature(known[word]).parameters)[1:]
    strange = [x for x in given if x not in takes]
    if strange:
        what = f"{word} takes no parameter {quoted(strange[0])}"
        fix = did_you_mean(strange[0], takes, f"its parameters: {', '.join(takes) or 'none'}")
        raise UnknownNameError(Fault("CM608", what, fix=fix))
    return word, partial(known[word], **given)


def from_steps(scores: Array, tp: Array, fp: Array, *, like: Curve) -> Curve:
    """A curve of cumulated counts at distinct scores, all else as in `like`."""
    first = np.inf if like.direction == ">=" else -np.inf
    thresholds = np.concatenate([[first], scores])
    zero = np.zeros(1, tp.dtype)
    tp, fp = np.concatenate([zero, tp]), np.concatenate([zero, fp])
    return replace(like, thresholds=thresholds, tp=tp, fp=fp, groups=None)


def _notes(c: Curve) -> Iterator[str]:
    name = printable(c.labels[0])
    if len(c) == 2:
        yield "all scores are equal: there is nothing to choose a threshold by"
    if not c.is_probability:
        low, high = sorted(c.thresholds[1:][[0, -1]].tolist())
        yield (
            f"scores run from {low:.6g} to {high:.6g}: used for ranking only, not as "
            "probabilities (no calibration, Brier score or log loss)"
        )
    if min(c.positives, c.negatives) < 2:
        yield "one class has fewer than 2 cases: nothing sure can be said of this curve"
    by_chance = np.sqrt((c.total + 1) / (12 * c.positives * c.negatives))
    if len(c) > 2 and c.auc < 0.5 - 3 * by_chance:
        other = "<=" if c.direction == ">=" else ">="
        yield (
            f"AUC is {number(c.auc)}, far below ½: scores point away from {name!r}. Nothing was "
            f"turned round; if that is meant, say direction={other!r} or another positive class"
        )

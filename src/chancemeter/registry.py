"""What a measure is, and the one table of all of them."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from numbers import Integral, Real
from typing import Any, Concatenate, Generic, Literal, ParamSpec, TypeAlias

import numpy as np

from chancemeter.cells import read_fractions
from chancemeter.counts import Counts, Values, as_counts
from chancemeter.errors import (
    ChancemeterError,
    Fault,
    UndefinedError,
    UnknownNameError,
    did_you_mean,
    printable,
    quoted,
)
from chancemeter.undefined import REASONS

P = ParamSpec("P")
REGISTRY: dict[str, Measure[...]] = {}
#: Names that stand for an expression: ``"tpr_macro"`` for ``"recall@macro"``.
SHORTHAND: dict[str, str] = {}
#: Ways to turn a measure into another: ``recall@macro``. The module `averaging` fills it.
FORMS: dict[str, Callable[[Measure[...]], Measure[...]]] = {}

#: What can be done to a table, and whether a measure stays the same under it.
CHANGES = {
    "scale": "all counts multiplied by one number",
    "order": "the classes put into another order",
    "transpose": "truth and prediction exchanged",
    "prevalence": "each true class made rarer or more common, its rates kept",
    "bias": "each predicted class made rarer or more common, its precision kept",
    "unused": "a class added that never occurs",
    "split": "one class divided into two that are never taken for each other",
}


@dataclass(frozen=True, kw_only=True)
class Card:
    """Everything known about a measure besides its formula; call it on the formula to declare."""

    symbol: str
    range: tuple[float, float]
    perfect: float | None = 1.0
    """Value when every prediction is right; None where that depends on the table."""
    by_chance: float | None = None
    """Value of the table that `chance` expects; None where that depends on the table."""
    chance: str = "cohen"
    corrects: str = ""
    """The chance model whose `chance.beyond` this measure is, if it is one."""
    direction: Literal["higher", "lower", "neither"] = "higher"
    level: Literal["table", "class"] = "table"
    same: str = "scale order"
    """The `CHANGES` that leave it unchanged, as words."""
    orders_like: str = ""
    """Measures with this word in common rank all tables of a size alike."""
    orders_like_same_truth: str = ""
    """The same, but only among tables with the same true classes."""
    undefined: str = "no_cases"
    """The `REASONS` for which it is undefined, as words."""
    undefined_with_parameters: str = ""
    """Further ones that parameters other than the defaults bring."""
    needs: Literal["margins", "cells"] = "margins"
    """Whether diagonal and margins are enough."""
    rational: bool = True
    """Whether whole counts give a fraction; then `Measure.exact` computes it."""
    closed_form: bool = True
    """False where the value comes from an iteration or an integral."""
    smooth: bool = True
    """False where the value has a kink, as a maximum or an absolute value has."""
    limits: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """The least and the greatest value of parameters that are numbers, where not all will do."""
    share: str = ""
    """For a share of cases, or what follows from one: two parts of `Counts`, ``"tp of truth"``."""
    of_share: Callable[[Values, int], Values] | None = None
    """The value that follows from the share and the number of classes, with default parameters."""
    mean_of: str = ""
    """The measure of classes of whose plain mean it is a linear function."""
    aliases: tuple[str, ...] = ()
    shorthand: Mapping[str, str] = field(default_factory=dict)
    references: tuple[str, ...] = ()
    good_for: str = ""
    not_for: str = ""
    elsewhere: str = ""
    """What it is called in other fields."""

    def __call__(self, formula: Callable[Concatenate[Counts, P], Values]) -> Measure[P]:
        """Declare: pair the card with its formula and enter both in the registry."""
        declared = Measure(self, formula)
        for name in (declared.key, *self.aliases):
            _enter(name)
            REGISTRY[name] = declared
        for name, expression in self.shorthand.items():
            _enter(name)
            SHORTHAND[name] = expression
        return declared


def _enter(name: str) -> None:
    if name in REGISTRY or name in SHORTHAND:
        holder = SHORTHAND.get(name) or REGISTRY[name].key
        what = f"{name!r} already names {holder!r}; names are unique"
        raise ChancemeterError(Fault("CM306", what, fix="give the new measure another name"))


measure = Card


class Measure(Generic[P]):
    """A formula with its card: call it on any stack of tables."""

    def __init__(
        self,
        card: Card,
        formula: Callable[Concatenate[Counts, P], Values],
        key: str = "",
        bound: Mapping[str, Any] | None = None,
    ) -> None:
        """Pair `card` and `formula`; the key is the formula's name unless given."""
        self.card, self.formula = card, formula
        self.bound = dict(bound or {})
        self.form: str | None = None
        self.of_classes: Measure[...] = self
        self.because: Callable[[Counts, Values], Values] | None = None
        # Read by doctest, help() and documentation tools, which would pass the formula by.
        self.__wrapped__ = formula
        self.__doc__ = formula.__doc__
        self.__module__ = getattr(formula, "__module__", __name__)
        self.__name__ = self.__qualname__ = key or getattr(formula, "__name__", "")

    def __call__(
        self,
        table: Any,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Any:
        """Check `table`, apply the formula: a float for one table, else an array.

        ``undefined=`` says what to do where there is no value: ``"nan"`` (as it is),
        ``"raise"``, or a number to put in its place.
        """
        policy = _checked_policy(kwargs.pop("undefined", "nan"))
        counts = as_counts(table)
        given = {**self._by_name(args), **kwargs}
        self._check_parameters(given)
        values = self.values(counts, **given)
        values = self._settle(values, counts, policy)
        return values if values.ndim else values.item()

    def values(self, c: Counts, *args: Any, **kwargs: Any) -> Values:
        """The formula on counts that are known to be good."""
        if "scale" in self.unchanged_by:
            c = c.rescaled
        return np.asarray(self.formula(c, *args, **kwargs))

    def exact(self, table: Any, **kwargs: Any) -> Any:
        """The same formula in exact rational arithmetic, for one table of whole numbers.

        >>> from chancemeter import kappa
        >>> kappa.exact([[10, 7], [5, 8]])
        Fraction(1, 5)
        """
        if not self.card.rational:
            fault = Fault("CM305", f"{self.key} has no exact rational value", fix="call it instead")
            raise UnknownNameError(fault)
        self._check_parameters(kwargs)
        formula: Callable[..., Values] = self.formula
        values = np.asarray(formula(Counts(read_fractions(table)), **kwargs))
        return values if values.ndim else values.item()

    def why(self, table: Any, **kwargs: Any) -> Any:
        """Why it is undefined for `table`: None, a `Reason`, or an array of them.

        >>> from chancemeter import kappa
        >>> kappa.why([[9, 0], [0, 0]]).sentence
        'truth and prediction hold one class only, the same one'
        """
        counts = as_counts(table)
        reasons = self.reasons(counts, self.values(counts, **kwargs))
        return reasons if reasons.ndim else reasons.item()

    def reasons(self, c: Counts, values: Values) -> Values:
        """A `Reason` for every undefined entry of `values`, None for the others."""
        if self.because is not None:
            return self.because(c, values)
        found = np.full(values.shape, None, dtype=object)
        missing = np.isnan(values)
        named = {"no_cases", *self.undefined_when, *self.card.undefined_with_parameters.split()}
        for code in REASONS if missing.any() else ():
            if code in named:
                holds = REASONS[code].holds(c)
                if holds.ndim > values.ndim:
                    continue
                if holds.ndim < values.ndim:
                    holds = holds[..., None]
                found[missing & (found == None) & holds] = REASONS[code]  # noqa: E711
        found[missing & (found == None)] = REASONS["zero_divisor"]  # noqa: E711
        return found

    def with_(self, **kwargs: Any) -> Measure[...]:
        """The measure with parameters set: ``f_score.with_(beta=2)``."""
        self._check_parameters(kwargs)
        shown = ", ".join(f"{name}={value!r}" for name, value in kwargs.items())
        formula = partial(self.formula, **kwargs)
        formula.__doc__ = self.formula.__doc__
        return Measure(self.card, formula, f"{self.key}({shown})", {**self.bound, **kwargs})

    def _settle(self, values: Values, counts: Counts, policy: Any) -> Values:
        if policy == "nan":
            return values
        missing = np.isnan(values)
        if not missing.any():
            return values
        if policy == "raise":
            first = self.reasons(counts, values)[missing].ravel()[0]
            raise UndefinedError(
                Fault("CM304", f"{self.key} is undefined", saw=first.sentence, fix=_FIX_UNDEFINED)
            )
        return np.where(missing, float(policy), values)

    def _by_name(self, args: tuple[Any, ...]) -> dict[str, Any]:
        """Parameters that were given without their names."""
        if len(args) > len(self.parameters):
            what = f"too much is given to {self.key}"
            saw = f"a table and {len(args)} more"
            fix = f"its parameters: {', '.join(self.parameters) or 'none'}"
            raise UnknownNameError(Fault("CM302", what, saw=saw, fix=fix))
        return dict(zip(self.parameters, args, strict=False))

    def _check_parameters(self, given: Mapping[str, Any]) -> None:
        faults = [f for name, x in given.items() if (f := self._misfit(name, x)) is not None]
        if faults:
            raise UnknownNameError(*faults)

    def _misfit(self, name: str, value: Any) -> Fault | None:
        """What is wrong with a parameter, if its name or its value is."""
        if name not in self.parameters:
            fix = did_you_mean(name, self.parameters)
            fix = fix or f"its parameters: {', '.join(self.parameters) or 'none'}"
            return Fault("CM302", f"{self.key} takes no parameter {quoted(name)}", fix=fix)
        if self.kinds[name] not in _KINDS:  # then the formula looks for itself
            return None
        kind, what = _KINDS[self.kinds[name]]
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if kind in {Real, Integral}:
            several = isinstance(value, np.ndarray) and value.dtype.kind in "iuf" and kind is Real
            low, high = self.card.limits.get(name, (-np.inf, np.inf))
            low_, high_ = max(low, -_LARGEST), min(high, _LARGEST)
            fits = (fits or several) and bool(np.all((low_ <= value) & (value <= high_)))
            what += between(low, high)
        says, saw = f"{quoted(name)} of {self.key} does not fit", printable(repr(value))
        fix = f"give {what}; see chancemeter explain {self.key.partition('(')[0]}"
        return None if fits else Fault("CM302", says, saw=saw, fix=fix)

    def __repr__(self) -> str:
        """Key and first line."""
        return f"<measure {self.key}: {self.summary}>"

    @property
    def key(self) -> str:
        """What the formula is called is what the measure is called."""
        return self.__name__

    @property
    def family(self) -> str:
        """The module it stands in."""
        return self.__module__.rpartition(".")[2]

    @cached_property
    def unchanged_by(self) -> frozenset[str]:
        """What can be done to a table without changing the value."""
        return frozenset(self.card.same.split())

    @cached_property
    def undefined_when(self) -> frozenset[str]:
        """Codes of the reasons for which it, or what it is made from, is undefined."""
        return frozenset(self.card.undefined.split())

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """Names of the parameters and their defaults."""
        taken = list(inspect.signature(self.formula).parameters.values())[1:]
        return {p.name: p.default for p in taken}

    @cached_property
    def kinds(self) -> dict[str, str]:
        """What kind of value each parameter takes, as its formula says."""
        taken = list(inspect.signature(self.formula).parameters.values())[1:]
        return {p.name: getattr(p.annotation, "__name__", str(p.annotation)) for p in taken}

    @property
    def summary(self) -> str:
        """First line of the docstring."""
        return (inspect.getdoc(self.__wrapped__) or self.__doc__ or "").partition("\n")[0]

    @property
    def names(self) -> tuple[str, ...]:
        """The key and every other name that means the same."""
        short = (name for name, expression in SHORTHAND.items() if expression == self.key)
        return (self.key, *self.card.aliases, *short)


_FIX_UNDEFINED = (
    "undefined='nan' keeps it as nan, undefined=0 (or another number) puts that instead"
)


#: Larger numbers are no parameters: their powers would be beyond a double.
_LARGEST = 1e100
_KINDS: dict[str, tuple[Any, str]] = {
    "float": (Real, "a number"),
    "int": (Integral, "a whole number"),
    "str": (str, "a word"),
    "bool": (bool, "True or False"),
}


def between(low: float, high: float) -> str:
    """The limits of a parameter in words, if it has any."""
    if low == -np.inf:
        return "" if high == np.inf else f" up to {high:g}"
    return f" from {low:g} up" if high == np.inf else f" from {low:g} to {high:g}"


def _checked_policy(policy: Any) -> Any:
    """What to do with undefined values, if that is something that can be done."""
    if policy in {"nan", "raise"} if isinstance(policy, str) else isinstance(policy, Real):
        return policy
    what = "undefined= takes 'nan', 'raise' or a number"
    raise UnknownNameError(Fault("CM302", what, saw=repr(policy), fix="undefined='nan'"))


def get(name: str | Measure[...]) -> Measure[...]:
    """The measure of that key, alias or expression.

    >>> get("heidke_skill_score").key
    'kappa'
    >>> get("f_score(beta=2)@macro").key
    'f_score(beta=2)@macro'
    >>> get("kapa")
    Traceback (most recent call last):
    chancemeter.errors.UnknownNameError: error[CM301]: no measure is called 'kapa'
      fix: did you mean kappa?
    """
    if isinstance(name, Measure):
        return name
    if not isinstance(name, str):
        fix = "give its name, as in 'kappa'"
        raise UnknownNameError(Fault("CM301", "that names no measure", saw=repr(name), fix=fix))
    word, *forms = SHORTHAND.get(name, name).split("@")
    word, _, rest = word.partition("(")
    word = word.strip()
    if word in SHORTHAND:
        found = get(SHORTHAND[word])
    elif word in REGISTRY:
        found = REGISTRY[word]
    else:
        fix = did_you_mean(word, known(), "see `chancemeter measures`")
        what = f"no measure is called {quoted(word)}"
        raise UnknownNameError(Fault("CM301", what, fix=fix))
    if rest:
        found = found.with_(**arguments(name, "(" + rest))
    for form in forms:
        if form not in FORMS:
            what = f"no form is called {quoted(form)} in {quoted(name)}"
            fix = did_you_mean(form, FORMS, f"one of {', '.join(FORMS)}")
            raise UnknownNameError(Fault("CM303", what, fix=fix))
        found = FORMS[form](found)
    return found


def known() -> list[str]:
    """Every name that `get` takes as a word."""
    return [*REGISTRY, *SHORTHAND]


Names: TypeAlias = "str | Measure[...] | Iterable[str | Measure[...]]"


def get_all(names: Names) -> list[Measure[...]]:
    """The measures of those names, or of the one; all misspelt ones are told at once."""
    listed: Iterable[Any] = [names]
    if isinstance(names, Iterable) and not isinstance(names, (str, Measure)):
        listed = names
    found: list[Measure[...]] = []
    faults: list[Fault] = []
    for name in listed:
        try:
            found.append(get(name))
        except ChancemeterError as error:
            faults += error.faults
    if faults:
        raise UnknownNameError(*faults)
    return found


def evaluate(table: Any, names: Names) -> dict[str, Any]:
    """Values of several measures for one stack, which is read and summed up only once.

    >>> found = evaluate([[[20, 5], [10, 15]], [[9, 1], [2, 8]]], ["accuracy", "kappa"])
    >>> {key: values.tolist() for key, values in found.items()}
    {'accuracy': [0.7, 0.85], 'kappa': [0.4, 0.7]}
    """
    counts = as_counts(table)
    return {m.key: m(counts) for m in get_all(names)}


def arguments(name: str, text: str) -> dict[str, Any]:
    """The keyword arguments in ``(beta=2)``: literals only."""
    try:
        call = ast.parse(f"f{text}", mode="eval").body
        if isinstance(call, ast.Call) and not call.args:
            return {str(k.arg): _literal(k.value) for k in call.keywords}
    except (SyntaxError, ValueError):
        pass
    what = f"the parameters of {quoted(name)} cannot be read"
    fix = "write them as in f_score(beta=2) or weighted_kappa(weights=quadratic)"
    raise UnknownNameError(Fault("CM303", what, fix=fix))


def _literal(node: ast.expr) -> Any:
    return node.id if isinstance(node, ast.Name) else ast.literal_eval(node)


def every() -> Iterator[Measure[...]]:
    """Every measure once, in the order of declaration."""
    return iter(dict.fromkeys(REGISTRY.values()))

"""From classes to one number and back: once, for every measure.

``recall@macro`` averages a measure of classes over classes; ``kappa@each`` applies a measure
of tables to each class against the rest.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from chancemeter.counts import Counts, Values, added, ratio
from chancemeter.errors import Fault, UnknownNameError
from chancemeter.registry import FORMS, Measure
from chancemeter.undefined import REASONS, Reason

Average = Callable[[Counts, Values], Values]


def _weighted(values: Values, weights: Values) -> Values:
    """Mean of `values` by `weights`; a class of weight zero does not take part."""
    used = weights * np.where(np.equal(weights, 0), 0, values)
    return ratio(added(used), added(weights))


def macro(c: Counts, values: Values) -> Values:
    """Every class counts the same; undefined if one class is."""
    return added(values) / c.k


def defined(c: Counts, values: Values) -> Values:
    """Every class that has a value counts the same; the others are left out."""
    del c
    known = ~np.isnan(values)
    return ratio(added(np.where(known, values, 0)), known.sum(-1))


def truth(c: Counts, values: Values) -> Values:
    """Each class counts by how often it is true."""
    return _weighted(values, c.truth)


def predicted(c: Counts, values: Values) -> Values:
    """Each class counts by how often it is predicted."""
    return _weighted(values, c.predicted)


AVERAGES: dict[str, Average] = {
    "macro": macro,
    "defined": defined,
    "truth": truth,
    "predicted": predicted,
}


def taking_part(found: Measure[...], c: Counts) -> tuple[int, int] | None:
    """How many classes of one table went into an average, of how many."""
    if found.form is None or found.form not in AVERAGES:
        return None
    used = _meant(c, found.form)
    if found.form == "defined":
        used &= ~np.isnan(found.of_classes.values(c))
    return int(used.sum()), c.k


def _meant(c: Counts, form: str) -> Values:
    """The classes that an average is to be over, where they have a value."""
    weights = {"truth": c.truth, "predicted": c.predicted}
    return np.not_equal(weights[form], 0) if form in weights else np.ones(c.truth.shape, bool)


def _of_classes(found: Measure[...], form: str) -> None:
    if found.card.level != "class":
        fix = f"{found.key} is already one number; {found.key}@each gives it for each class"
        what = f"@{form} averages a measure of classes"
        raise UnknownNameError(Fault("CM303", what, saw=found.key, fix=fix))


def _averaged(form: str) -> Callable[[Measure[...]], Measure[...]]:
    average = AVERAGES[form]

    def make(found: Measure[...]) -> Measure[...]:
        _of_classes(found, form)

        def formula(c: Counts, **kwargs: Any) -> Values:
            return average(c, found.formula(c, **kwargs))

        def why(c: Counts, values: Values) -> Values:
            """The reason of the first class that has no value; without such there are no cases."""
            own = found.values(c)
            lacking = np.isnan(own) & _meant(c, form)
            first = np.argmax(lacking, -1)[..., None]
            reasons = np.take_along_axis(found.reasons(c, own), first, -1)[..., 0]
            reasons = _of_some_class(np.where(lacking.any(-1), reasons, _EMPTY))
            return np.where(np.isnan(values), reasons, _NONE)

        return _derived(found, form, formula, f"{average.__doc__}", why)

    return make


def _reworded(reason: Reason) -> Reason:
    if "the class" not in reason.sentence:
        return reason
    code, sentence = f"any_{reason.code}", reason.sentence.replace("the class", "a class", 1)
    return REASONS.get(code) or replace(reason, code=code, sentence=sentence)


_EMPTY, _NONE = (np.array(x, dtype=object) for x in (REASONS["no_cases"], None))
_of_some_class = np.vectorize(_reworded, otypes=[object])


def _micro(found: Measure[...]) -> Measure[...]:
    """The measure of all one-versus-rest tables added up."""
    _of_classes(found, "micro")

    def formula(c: Counts, **kwargs: Any) -> Values:
        return np.asarray(found.formula(c.pooled, **kwargs)[..., 0])

    def why(c: Counts, values: Values) -> Values:
        return np.asarray(found.reasons(c.pooled, values[..., None])[..., 0])

    return _derived(found, "micro", formula, str(_micro.__doc__), why)


def _each(found: Measure[...]) -> Measure[...]:
    """The measure of each class against the rest."""
    if found.card.level == "class":
        what = f"{found.key} is a measure of classes already"
        raise UnknownNameError(Fault("CM303", what, fix=f"leave out @each: {found.key}"))

    def formula(c: Counts, **kwargs: Any) -> Values:
        return np.asarray(found.formula(c.one_vs_rest, **kwargs))

    def why(c: Counts, values: Values) -> Values:
        return found.reasons(c.one_vs_rest, values)

    return _derived(found, "each", formula, str(_each.__doc__), why, level="class")


def _derived(
    found: Measure[...],
    form: str,
    formula: Callable[..., Values],
    how: str,
    why: Callable[[Counts, Values], Values],
    *,
    level: Any = "table",
) -> Measure[...]:
    """A measure made from `found`: of its card, what surely still holds."""
    card = replace(
        found.card,
        level=level,
        symbol=f"{found.card.symbol}@{form}",
        same=" ".join(w for w in found.card.same.split() if w in {"scale", "order"}),
        orders_like="",
        orders_like_same_truth="",
        aliases=(),
        shorthand={},
        share="",
        mean_of="",
        by_chance=None,
    )
    formula.__doc__ = f"{found.summary.rstrip('.')}: {how[0].lower()}{how[1:]}"
    made: Measure[...] = Measure(card, formula, f"{found.key}@{form}", found.bound)
    made.__dict__.update(parameters=found.parameters, kinds=found.kinds)
    made.__module__ = found.__module__
    made.form, made.of_classes, made.because = form, found, why
    return made


FORMS.update({form: _averaged(form) for form in AVERAGES})
FORMS.update(micro=_micro, each=_each)

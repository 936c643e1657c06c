"""Classifiers as a plan names them, and what is done to the data inside every fold."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import ChancemeterError, Fault, InputError, did_you_mean, printable, quoted
from chancemeter.experiments.design import digest_of
from chancemeter.experiments.sources import import_object
from chancemeter.experiments.weka import find_weka

#: Modules of scikit-learn whose learners go by distances or weights, and want one scale.
_SCALED = ("linear_model", "svm", "neighbors", "neural_network", "gaussian_process")
IMPUTE = ("median", "mean", "none")
NOMINAL = ("one-hot", "ordinal")


@dataclass(frozen=True)
class Preparation:
    """What every training set is used to learn before the classifier: gaps, levels, scale."""

    impute: str = "median"
    """Of numbers; a missing level becomes the most frequent one. ``none`` leaves gaps."""
    nominal: str = "one-hot"
    """``ordinal`` gives the places of levels; levels that are declared in order always are."""
    scale: bool = False
    """Mean 0 and deviation 1, for learners that go by distances."""

    def fit(self, x: Array, levels: Sequence[Any], ordered: Sequence[bool]) -> Prepared:
        """What a training set says of gaps, levels and scale."""
        fills = np.array([self._fill(x[:, j], levels[j]) for j in range(x.shape[1])])
        hot = tuple(
            np.unique(c[~np.isnan(c)]) if self.nominal == "one-hot" and names and not o else None
            for c, names, o in zip(x.T, levels, ordered, strict=True)
        )
        if self.impute == "none":
            fills[:] = np.nan
        known = Prepared(fills, hot)
        if not self.scale:
            return known
        z = known.transform(x)
        mean, spread = np.nanmean(z, 0), np.nanstd(z, 0)
        return Prepared(fills, hot, mean, np.where(spread > 0, spread, 1.0))

    def _fill(self, column: Array, levels: Any) -> float:
        """What stands for a gap; 0 where the training set has gaps only."""
        known = column[~np.isnan(column)]
        if not len(known):
            return 0.0
        if levels is not None:
            return float(np.bincount(known.astype(np.intp)).argmax())
        return float(np.median(known) if self.impute == "median" else known.mean())


@dataclass(frozen=True, eq=False)
class Prepared:
    """A preparation after it has seen a training set."""

    fills: Array
    hot: tuple[Array | None, ...]
    """The levels that the training set has, of each attribute that is spread out."""
    mean: Array | None = None
    spread: Array | None = None

    @property
    def idle(self) -> bool:
        """Whether it changes nothing but gaps."""
        return self.mean is None and all(h is None for h in self.hot)

    def transform(self, x: Array) -> Array:
        """The same cases as the classifier sees them."""
        gaps = np.isnan(x)
        if gaps.any():
            x = np.where(gaps, self.fills, x)
        if any(h is not None for h in self.hot):
            parts = [
                x[:, j : j + 1] if h is None else (x[:, j : j + 1] == h).astype(np.float64)
                for j, h in enumerate(self.hot)
            ]
            x = np.hstack(parts)
        return x if self.mean is None else (x - self.mean) / self.spread


@dataclass(frozen=True, eq=False)
class Classifier:
    """A classifier under the name that the plan gives it."""

    name: str
    spec: Mapping[str, Any]
    """What makes it, fit for JSON: its digest tells whether it changed."""
    made: Any = None
    """An estimator that was given ready-made; it is cloned for every cell."""
    preparation: Preparation = field(default_factory=Preparation)

    @cached_property
    def digest(self) -> str:
        """Of all that makes it, name apart."""
        return digest_of([self.spec, asdict(self.preparation)])

    @property
    def weka(self) -> str | None:
        """The class of WEKA it stands for, if it does."""
        return self.spec.get("weka")

    def build(self) -> Any:
        """A new estimator."""
        if self.made is not None:
            from sklearn.base import clone

            return clone(self.made)
        return build(self.spec, self.name)


def from_estimator(name: str, estimator: Any) -> Classifier:
    """A classifier from an estimator object."""
    kind = type(estimator)
    if isinstance(estimator, type) or not hasattr(estimator, "fit"):
        fix = "give an estimator such as DecisionTreeClassifier(), or its import path"
        what = f"classifier {quoted(name)} is no estimator"
        raise InputError(Fault("CM702", what, "classifiers", printable(estimator), fix))
    spec = {"made": f"{kind.__module__}.{kind.__qualname__}", "parameters": _described(estimator)}
    scaled = wants_scale(kind) and not hasattr(estimator, "steps")
    return Classifier(name, spec, estimator, Preparation(scale=scaled))


def _described(estimator: Any) -> dict[str, str]:
    """Parameters in words that are the same in every process."""
    import joblib

    found = estimator.get_params(deep=True) if hasattr(estimator, "get_params") else {}
    texts = {key: repr(value) for key, value in sorted(found.items())}
    return {key: joblib.hash(found[key]) if " at 0x" in x else x for key, x in texts.items()}


def wants_scale(kind: type) -> bool:
    """Whether a class comes from a module whose learners want one scale."""
    home = kind.__module__.split(".")
    return home[0] == "sklearn" and len(home) > 1 and home[1] in _SCALED


def from_spec(name: str, spec: Mapping[str, Any]) -> Classifier:
    """A classifier from a plan; it is made once to see that it can be."""
    where = f"classifiers.{name}"
    settings = {key: spec[key] for key in ("impute", "nominal", "scale") if key in spec}
    faults = [
        Fault("CM701", f"{key} is one of {', '.join(known)}", where, saw=printable(settings[key]))
        for key, known in (("impute", IMPUTE), ("nominal", NOMINAL))
        if key in settings and settings[key] not in known
    ]
    if faults:
        raise InputError(*faults)
    if "weka" in spec:
        try:
            find_weka(spec.get("jar"))
        except InputError as error:
            told = [Fault(f.code, f.what, where, f.saw, f.fix) for f in error.faults]
            raise InputError(*told) from None
        return Classifier(name, dict(spec), preparation=Preparation())
    estimator = build(spec, where)
    last = type(estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator)
    if not hasattr(estimator, "fit") or not hasattr(estimator, "predict"):
        what, fix = f"{quoted(spec.get('use'))} does not learn and predict", "name a classifier"
        raise InputError(Fault("CM702", what, where, fix=fix))
    if getattr(estimator, "_estimator_type", "") == "regressor" or _regresses(estimator):
        fix = did_you_mean(last.__name__.replace("Regressor", "Classifier"), _names_beside(last))
        what = f"{last.__name__} predicts quantities, not classes"
        raise InputError(Fault("CM702", what, where, fix=fix or "name a classifier"))
    alone = not hasattr(estimator, "steps")
    settings.setdefault("scale", alone and wants_scale(last))
    return Classifier(name, dict(spec), preparation=Preparation(**settings))


def _regresses(estimator: Any) -> bool:
    from sklearn.base import is_regressor

    return bool(is_regressor(estimator))


def _names_beside(kind: type) -> list[str]:
    module = inspect.getmodule(kind)
    package = ".".join(kind.__module__.split(".")[:2])
    import sys

    return dir(sys.modules.get(package, module))


def build(spec: Mapping[str, Any], where: str) -> Any:
    """The estimator that a plan describes: one class, or the steps of a pipeline."""
    if "steps" in spec:
        from sklearn.pipeline import make_pipeline

        return make_pipeline(
            *(build(step, f"{where}, step {i}") for i, step in enumerate(spec["steps"], 1))
        )
    kind = import_object(str(spec["use"]), where, "CM702")
    parameters = {key: _nested(value, where) for key, value in spec.get("parameters", {}).items()}
    faults = list(_strangers(kind, parameters, where))
    if faults:
        raise InputError(*faults)
    try:
        return kind(**parameters)
    except ChancemeterError:
        raise
    except Exception as error:  # noqa: BLE001  somebody else's class
        saw = printable(f"{type(error).__name__}: {error}", 200)
        what = f"{printable(spec['use'])} cannot be made"
        raise InputError(Fault("CM702", what, where, saw, "mend its parameters")) from None


def _nested(value: Any, where: str) -> Any:
    """Parameters may be estimators themselves, such as the base of an ensemble."""
    if isinstance(value, Mapping):
        if "use" in value or "steps" in value:
            return build(value, where)
        return {key: _nested(x, where) for key, x in value.items()}
    return [_nested(x, where) for x in value] if isinstance(value, list) else value


def _strangers(kind: Any, parameters: Mapping[str, Any], where: str) -> Iterator[Fault]:
    """Parameters that the class does not take, and values that scikit-learn would refuse later."""
    taken = inspect.signature(kind).parameters
    if not any(p.kind is p.VAR_KEYWORD for p in taken.values()):
        for key in parameters:
            if key not in taken:
                fix = did_you_mean(key, taken, f"it takes {', '.join(taken) or 'none'}")
                what = f"{kind.__name__} takes no parameter {quoted(key)}"
                yield Fault("CM703", what, where, fix=fix)
    rules = getattr(kind, "_parameter_constraints", None)
    if not isinstance(rules, Mapping):
        return
    from sklearn.utils._param_validation import (
        InvalidParameterError,
        validate_parameter_constraints,
    )

    given = {key: value for key, value in parameters.items() if key in rules and key in taken}
    try:
        validate_parameter_constraints(rules, given, caller_name=kind.__name__)
    except InvalidParameterError as error:
        yield Fault("CM703", printable(error, 400), where, fix="mend its parameters")

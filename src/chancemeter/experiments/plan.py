"""The plan of an experiment: read and checked as a whole before anything runs."""

from __future__ import annotations

import os
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import chancemeter as cm
from chancemeter.errors import (
    ChancemeterError,
    Fault,
    InputError,
    did_you_mean,
    printable,
    quoted,
    shorten,
)
from chancemeter.experiments import sources
from chancemeter.experiments.cell import Limits
from chancemeter.experiments.data import Columns, Data
from chancemeter.experiments.design import KINDS, Design, Split, split
from chancemeter.experiments.learners import Classifier, from_estimator, from_spec
from chancemeter.frames.paths import require_component

MEASURES = ("accuracy", "kappa", "mcc", "informedness")
#: What values are, in words.
_WORDS = {
    str: "text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}
_PLAN = {
    "seed": int,
    "measures": list,
    "results": str,
    "scores": bool,
    "time_limit": float,
    "memory_limit": float,
    "openml_cache": str,
    "design": dict,
    "data": dict,
    "classifiers": dict,
}
_DESIGN = {"kind": str, "folds": int, "repeats": int, "share": float, "rare": str}
_ORIGINS = ("file", "sklearn", "make", "openml")
_DATA = {
    "file": str,
    "sklearn": str,
    "make": str,
    "openml": int,
    "parameters": dict,
    "target": str,
    "nominal": list,
    "ordinal": dict,
    "drop": list,
    "group": str,
    "fold": str,
    "labels": list,
    "missing": list,
    "encoding": str,
    "delimiter": str,
}
_CLASSIFIER = {
    "use": str,
    "steps": list,
    "weka": str,
    "parameters": dict,
    "options": list,
    "jar": str,
    "impute": str,
    "nominal": str,
    "scale": bool,
}


@dataclass(frozen=True)
class Plan:
    """What is to be run; data sets are read when the plan is loaded."""

    sources: Mapping[str, Callable[[], Data]]
    classifiers: tuple[Classifier, ...]
    design: Design = field(default_factory=Design)
    measures: tuple[str, ...] = MEASURES
    limits: Limits = field(default_factory=Limits)
    scores: bool = True
    folder: Path | None = None
    """Where results go."""
    home: Path | None = None
    """The folder of the plan: paths are relative to it, and learners may stand there."""


@dataclass(frozen=True)
class Loaded:
    """A plan with its data, all divided."""

    plan: Plan
    data: tuple[Data, ...]
    splits: tuple[tuple[Split, ...], ...]


def read_plan(path: str | Path) -> Plan:
    """The plan in a TOML file."""
    path = Path(path)
    try:
        content = tomllib.loads(path.read_text("utf-8"))
    except OSError as error:
        near = path.parent.glob("*.toml") if path.parent.is_dir() else ()
        fix = did_you_mean(path.name, [p.name for p in near], "check the path", alike=0.75)
        what = f"the plan cannot be read: {error.strerror}"
        raise InputError(Fault("CM700", what, printable(path, 200), fix=fix)) from None
    except UnicodeError:
        fix = "write it as UTF-8"
        raise InputError(
            Fault("CM700", "the plan is not UTF-8", printable(path, 200), fix=fix)
        ) from None
    except tomllib.TOMLDecodeError as error:
        what = f"the plan is not well-formed TOML: {printable(error, 200)}"
        fix = 'text stands in quotes, as in kind = "stratified"; docs/experiments.md has an example'
        raise InputError(Fault("CM700", what, printable(path, 200), fix=fix)) from None
    try:
        return plan_of(content, path.resolve().parent, path.stem)
    except ChancemeterError as error:
        raise InputError(*(_placed(fault, path) for fault in error.faults)) from None


def _placed(fault: Fault, path: Path) -> Fault:
    where = f"{path.name}: {fault.where}" if fault.where else path.name
    return Fault(fault.code, fault.what, where, fault.saw, fault.fix)


def plan_of(content: Mapping[str, Any], home: Path | None = None, stem: str = "experiment") -> Plan:
    """The plan that a table says; everything that is wrong with it is said at once."""
    require_component("sklearn", "learn", "an experiment")
    faults = list(_strange(content, _PLAN, ""))
    faults += _absent(content, faults)
    design = _design(content.get("design", {}), content.get("seed", 1), faults)
    names = _measures(content.get("measures", MEASURES), faults)
    base = home or Path.cwd()
    if home is not None and str(home) not in sys.path:
        sys.path.append(str(home))  # a plan may name classes that stand beside it
    cache = content.get("openml_cache")
    cache = base / cache if isinstance(cache, str) else None
    data = dict(_sources(content.get("data", {}), base, cache, faults))
    found = list(_classifiers(content.get("classifiers", {}), faults))
    limits = _limits(content, faults)
    if faults:
        raise InputError(*faults)
    folder = base / content.get("results", f"{stem}-results")
    scores = content.get("scores", True)
    return Plan(data, tuple(found), design, names, limits, scores, folder, home)


def _absent(content: Mapping[str, Any], said: list[Fault]) -> list[Fault]:
    """Faults for a plan without data or classifiers, unless a slip in their names is said."""
    hints = " ".join(fault.fix for fault in said)
    examples = {"data": '[data.iris] sklearn = "iris"', "classifiers": "[classifiers.tree] use = …"}
    return [
        Fault("CM701", f"the plan names no {key}", fix=f"add {example}")
        for key, example in examples.items()
        if not content.get(key) and f"mean {key}?" not in hints
    ]


def _strange(given: Mapping[str, Any], known: Mapping[str, type], where: str) -> Iterator[Fault]:
    """Keys that mean nothing, and values of the wrong kind."""
    for key, value in given.items():
        if key not in known:
            fix = did_you_mean(key, known, f"known keys: {', '.join(known)}")
            yield Fault("CM701", f"no key is called {quoted(key)}", where, fix=fix)
        elif not _is(value, known[key]):
            what = f"{key} is {_WORDS[known[key]]}"
            yield Fault("CM701", what, where, saw=shorten([repr(value)]), fix="mend the plan")


def _is(value: object, kind: type) -> bool:
    if kind is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if kind is int:
        return isinstance(value, int) and not isinstance(value, bool)
    return isinstance(value, Mapping if kind is dict else (list, tuple) if kind is list else kind)


def _design(given: Any, seed: Any, faults: list[Fault]) -> Design:
    where = "design"
    if not isinstance(given, Mapping):
        return Design()
    slips = list(_strange(given, _DESIGN, where))
    faults += slips
    if slips or not _is(seed, int):
        return Design()
    found = Design(**given, seed=seed)
    if found.kind not in KINDS:
        fix = did_you_mean(found.kind, KINDS, f"one of {', '.join(KINDS)}")
        faults.append(Fault("CM701", f"no design is called {quoted(found.kind)}", where, fix=fix))
    if found.rare not in {"error", "allow"}:
        faults.append(Fault("CM701", 'rare is "error" or "allow"', where, repr(found.rare)))
    if found.folds < 2 or found.repeats < 1:
        saw = f"folds = {found.folds}, repeats = {found.repeats}"
        fix = "two folds and one repeat, or more"
        faults.append(Fault("CM701", "there are too few folds or repeats", where, saw, fix))
    if not 0 < found.share < 1:
        fix = "a number between 0 and 1, such as 0.3"
        faults.append(
            Fault("CM701", "share is the share of the test set", where, f"{found.share}", fix)
        )
    useless = {"5x2": {"folds", "repeats", "share"}, "predefined": {"folds", "repeats", "share"}}
    useless |= {"hold-out": {"folds"}}
    for key in sorted(useless.get(found.kind, {"share"}) & set(given)):
        what = f"{key} means nothing in the design {found.kind}"
        faults.append(Fault("CM701", what, where, fix=f"leave {key} out"))
    return found


def _measures(given: Any, faults: list[Fault]) -> tuple[str, ...]:
    if not _is(given, list) or not all(isinstance(x, str) for x in given):
        return MEASURES
    try:
        return tuple(m.key for m in cm.get_all(given))
    except ChancemeterError as error:
        faults += [Fault(f.code, f.what, "measures", f.saw, f.fix) for f in error.faults]
        return MEASURES


def _limits(content: Mapping[str, Any], faults: list[Fault]) -> Limits:
    found = {}
    for key, unit in (("time_limit", "seconds"), ("memory_limit", "megabytes")):
        value = content.get(key)
        if value is None or not _is(value, float):
            continue
        if not value > 0:
            fix = f"{unit} that a cell may take, more than 0"
            faults.append(Fault("CM701", f"{key} is too small", "", f"{value:g}", fix))
        found[unit] = float(value)
    if found and os.name != "posix":
        what = "limits of time and memory do not work on this system"
        faults.append(Fault("CM701", what, "", fix="leave them out"))
    if "megabytes" in found and not Path("/proc/self/statm").exists():
        fix = "leave it out"
        faults.append(Fault("CM701", "memory_limit works on Linux only", "", fix=fix))
    return Limits(**found)


_Sources = Iterator[tuple[str, Callable[[], Data]]]


def _sources(given: Any, base: Path, cache: Path | None, faults: list[Fault]) -> _Sources:
    """A way to read every data set."""
    for name, spec in given.items() if isinstance(given, Mapping) else ():
        where = f"data.{printable(name)}"
        if callable(getattr(spec, "items", None)) and not isinstance(spec, Mapping):
            spec = (spec,)  # noqa: PLW2901  a frame: its columns are no keys of a plan
        if isinstance(spec, (str, Path)):
            spec = {"file": str(spec)}  # noqa: PLW2901
        if not isinstance(spec, Mapping):
            yield name, partial(_given, name, spec)
            continue
        slips = list(_strange(spec, _DATA, where))
        origins = [x for x in _ORIGINS if x in spec]
        if len(origins) != 1 and not any(f.what.startswith("no key") for f in slips):
            fix = f"say one of {', '.join(_ORIGINS)}"
            saw = " and ".join(origins) or "none"
            slips.append(Fault("CM701", "where does the data set come from?", where, saw, fix))
        slips += list(_no_file(spec, base, where)) if not slips else []
        faults += slips
        if not slips:
            yield name, partial(_origin, name, spec, base, cache)


def _no_file(spec: Mapping[str, Any], base: Path, where: str) -> Iterator[Fault]:
    """A file that is not there is said with all other slips."""
    path = base / spec.get("file", ".")
    if not path.exists():
        near = [p.name for p in path.parent.iterdir()] if path.parent.is_dir() else []
        fix = did_you_mean(path.name, near, "paths are relative to the plan", alike=0.75)
        yield Fault("CM001", "there is no such file", where, printable(path, 200), fix)


def _given(name: str, data: Any) -> Data:
    """A data set that was given ready-made."""
    if isinstance(data, Data):
        return data
    content = data[0] if isinstance(data, tuple) and len(data) == 1 else data
    return sources.from_columns(name, content, Columns())


def _origin(name: str, spec: Mapping[str, Any], base: Path, cache: Path | None) -> Data:
    """A data set as a plan describes it."""
    about = Columns(
        target=spec.get("target"),
        nominal=tuple(spec.get("nominal", ())),
        ordinal={key: tuple(map(str, levels)) for key, levels in spec.get("ordinal", {}).items()},
        drop=tuple(spec.get("drop", ())),
        group=spec.get("group"),
        fold=spec.get("fold"),
        labels=tuple(spec["labels"]) if "labels" in spec else None,
    )
    if "file" in spec:
        options = {key: spec[key] for key in ("encoding", "delimiter") if key in spec}
        missing = tuple(map(str, spec.get("missing", sources.MISSING)))
        return sources.from_file(name, base / spec["file"], about, missing=missing, **options)
    if "sklearn" in spec:
        return sources.from_sklearn(name, spec["sklearn"], about)
    if "make" in spec:
        return sources.from_function(name, spec["make"], spec.get("parameters", {}), about)
    return sources.from_openml(name, spec["openml"], about, cache)


def _classifiers(given: Any, faults: list[Fault]) -> Iterator[Classifier]:
    """Every classifier, made once to see that it can be."""
    for name, spec in given.items() if isinstance(given, Mapping) else ():
        where = f"classifiers.{printable(name)}"
        if isinstance(spec, str):
            spec = {"use": spec}  # noqa: PLW2901
        try:
            if not isinstance(spec, Mapping):
                yield from_estimator(name, spec)
                continue
            slips = list(_strange(spec, _CLASSIFIER, where)) + list(_ways(spec, where))
            faults += slips
            if not slips:
                yield from_spec(name, spec)
        except ChancemeterError as error:
            faults += error.faults


def _ways(spec: Mapping[str, Any], where: str) -> Iterator[Fault]:
    """A classifier is one class, steps, or one of WEKA's."""
    ways = [x for x in ("use", "steps", "weka") if x in spec]
    if len(ways) != 1:
        slip = next((did_you_mean(x, _CLASSIFIER) for x in spec if x not in _CLASSIFIER), "")
        fix = 'say one of use = "sklearn.tree.DecisionTreeClassifier", steps = […], weka = "…"'
        if not slip:
            yield Fault("CM701", "which classifier?", where, " and ".join(ways) or "none", fix)
    for i, step in enumerate(spec.get("steps", ()), 1):
        if not isinstance(step, Mapping) or "use" not in step:
            fix = '{ use = "sklearn.svm.SVC", parameters = { C = 10 } }'
            yield Fault("CM701", f"step {i} names no class", where, printable(step), fix)
        else:
            yield from _strange(step, {"use": str, "parameters": dict}, f"{where}, step {i}")


def load(plan: Plan) -> Loaded:
    """Read and divide every data set; everything that is wrong with any is said at once."""
    faults: list[Fault] = []
    data, splits = [], []
    for name, read in plan.sources.items():
        try:
            found = read()
            splits.append(tuple(split(found, plan.design)))
            data.append(found)
        except ChancemeterError as error:
            faults += [_named(fault, name) for fault in error.faults]
    same: dict[str, str] = {}
    for one in data:
        other = same.setdefault(one.fingerprint, one.name)
        if other != one.name:
            what = f"data sets {quoted(other)} and {quoted(one.name)} are the same"
            faults.append(Fault("CM704", what, "data", fix="name each once"))
    twice: dict[str, str] = {}
    for c in plan.classifiers:
        other = twice.setdefault(c.digest, c.name)
        if other != c.name:
            what = f"classifiers {quoted(other)} and {quoted(c.name)} are the same"
            faults.append(Fault("CM702", what, "classifiers", fix="name each once"))
    if faults:
        raise InputError(*faults)
    return Loaded(plan, tuple(data), tuple(splits))


def _named(fault: Fault, name: str) -> Fault:
    """A fault with the data set it is about."""
    where = f"data.{printable(name)}"
    if fault.where and fault.where != name:
        where += f": {fault.where}"
    return Fault(fault.code, fault.what, where, fault.saw, fault.fix)

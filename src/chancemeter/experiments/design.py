"""How cases are divided into training and test sets: once, the same for every classifier."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural, printable
from chancemeter.experiments.data import Data

#: Names of the designs, with what they do.
KINDS = {
    "stratified": "k-fold with the classes spread evenly",
    "k-fold": "k-fold by lot",
    "grouped": "k-fold that keeps groups together, classes spread as evenly as they allow",
    "5x2": "five times two halves with the classes spread evenly (Dietterich)",
    "hold-out": "one training and one test set, by lot within each class",
    "predefined": "the test sets that a column of the data names",
}


@dataclass(frozen=True)
class Design:
    """How often and into how many parts."""

    kind: str = "stratified"
    folds: int = 10
    repeats: int = 1
    share: float = 0.3
    """Of the test set, for ``hold-out``."""
    rare: str = "error"
    """``allow`` accepts classes with fewer members than folds."""
    seed: int = 1

    @cached_property
    def digest(self) -> str:
        """What tells one design from another."""
        return digest_of(asdict(self))

    def rng(self, data: Data, repeat: int) -> np.random.Generator:
        """Numbers by lot that depend on the data, the design and the repeat alone."""
        return np.random.default_rng(seed_of("splits", self.seed, data.fingerprint, repeat))


@dataclass(frozen=True, eq=False)
class Split:
    """One training and test set."""

    repeat: int
    fold: int
    train: Array
    test: Array

    @property
    def digest(self) -> str:
        """Of who is trained on and who is tested."""
        sides = (np.ascontiguousarray(x, "<u4").tobytes() for x in (self.train, self.test))
        return hashlib.sha256(b"|".join(sides)).hexdigest()[:32]


def digest_of(content: Any) -> str:
    """A digest of what JSON can hold.

    >>> digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})
    True
    """
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), default=str)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def seed_of(*key: object) -> np.random.SeedSequence:
    """A seed by content: neither the order of the work nor its division changes it."""
    raw = hashlib.sha256("|".join(map(str, key)).encode()).digest()
    return np.random.SeedSequence(list(np.frombuffer(raw, "<u4")))


def split(data: Data, design: Design) -> list[Split]:
    """All splits of a data set; faults if the design does not fit it."""
    faults = list(_faults(data, design))
    if faults:
        raise InputError(*faults)
    found = []
    for repeat in range(1, repeats_of(design) + 1):
        part = _parts(data, design, repeat)
        for fold in range(1, _folds(data, design) + 1):
            test = np.flatnonzero(part == fold - 1)
            found.append(Split(repeat, fold, np.flatnonzero(part != fold - 1), test))
    return found


def repeats_of(design: Design) -> int:
    """How often cases are divided anew."""
    return {"5x2": 5, "predefined": 1}.get(design.kind, design.repeats)


def _folds(data: Data, design: Design) -> int:
    if design.kind == "predefined":
        return len(_test_sets(data))
    return {"5x2": 2, "hold-out": 1}.get(design.kind, design.folds)


def _test_sets(data: Data) -> list[int]:
    """The test sets that a column names: ``test`` alone if it says train and test."""
    words = [str(x).lower() for x in data.fold_names]
    only = [i for i, word in enumerate(words) if word == "test"]
    return only if only and set(words) <= {"test", "train"} else list(range(len(words)))


def _parts(data: Data, design: Design, repeat: int) -> Array:
    """The test set of every case, -1 for those that are never tested."""
    if design.kind == "predefined" and data.folds is not None:
        to = np.full(len(data.fold_names), -1)
        to[_test_sets(data)] = range(len(_test_sets(data)))
        return to[data.folds]
    rng = design.rng(data, repeat)
    if design.kind == "grouped" and data.groups is not None:
        return _grouped(data.y, data.groups, design.folds, rng)
    if design.kind == "hold-out":
        return _held_out(data.y, design.share, rng)
    if design.kind == "k-fold":
        return rng.permutation(np.arange(data.n) % design.folds)
    return _stratified(data.y, _folds(data, design), rng)


def _stratified(y: Array, folds: int, rng: np.random.Generator) -> Array:
    """Deal the cases out class by class, going on where the last class ended."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    part = np.empty(len(y), np.int64)
    part[order] = np.arange(len(y)) % folds
    return part


def _held_out(y: Array, share: float, rng: np.random.Generator) -> Array:
    """The share of each class, rounded so that the whole is right and both sides have cases."""
    order = rng.permutation(len(y))
    order = order[np.argsort(y[order], kind="stable")]
    edges = np.floor(np.arange(len(y) + 1) * share + 0.5)
    part = np.full(len(y), -1)
    part[order] = np.where(np.diff(edges) > 0, 0, -1)
    return part


def _grouped(y: Array, groups: Array, folds: int, rng: np.random.Generator) -> Array:
    """Largest groups first, each where the classes come out most even."""
    names, place = np.unique(groups, return_inverse=True)
    k = int(y.max()) + 1
    held = np.zeros((len(names), k))
    np.add.at(held, (place, y), 1)
    whole = np.maximum(held.sum(0), 1)
    order = rng.permutation(len(names))
    order = order[np.argsort(-held[order].sum(1), kind="stable")]
    filled, home = np.zeros((folds, k)), np.zeros(len(names), np.int64)
    for g in order:
        after = filled[None] + np.eye(folds)[:, :, None] * held[g]
        uneven = (after / whole).std(1).mean(1)
        size = filled.sum(1) / len(y)
        home[g] = np.lexsort((size, uneven.round(12)))[0]
        filled[home[g]] += held[g]
    return home[place]


def _faults(data: Data, design: Design) -> Iterator[Fault]:
    """What keeps a data set from being divided so."""
    where = printable(data.name)
    if design.kind == "grouped" and data.groups is None:
        fix = "say which column holds the groups: group = 'COLUMN'"
        yield Fault("CM706", "a grouped design needs groups", where, fix=fix)
    if design.kind == "predefined" and (data.folds is None or not len(_test_sets(data))):
        fix = "say which column names the test set of each case: fold = 'COLUMN'"
        yield Fault("CM706", "a predefined design needs a column of folds", where, fix=fix)
    elif design.kind == "predefined" and len(data.fold_names) < 2:
        saw = f"one value only in the column of folds: {printable(data.fold_names[0])}"
        yield Fault("CM706", "nothing is left to train on", where, saw, "name two folds or more")
    folds = _folds(data, design) if design.kind != "predefined" or data.folds is not None else 1
    units = data.n
    if design.kind == "grouped" and data.groups is not None:
        units = len(np.unique(data.groups))
    if folds > units:
        thing = "group" if design.kind == "grouped" else "case"
        saw = f"{plural(units, thing)}, {plural(folds, 'fold')}"
        yield Fault("CM706", f"there are more folds than {thing}s", where, saw, "use fewer folds")
    elif design.kind in {"stratified", "5x2"} and design.rare == "error":
        counts = np.bincount(data.y, minlength=len(data.labels))
        few = [(x, n) for x, n in zip(data.labels, counts, strict=True) if 0 < n < folds]
        if few:
            saw = ", ".join(f"{printable(x, 24)} has {n}" for x, n in few[:6])
            fix = "merge or drop them, use fewer folds, or accept test sets without them: "
            fix += 'rare = "allow" under [design]'
            what = f"classes with fewer members than the {folds} folds"
            yield Fault("CM706", what, where, saw, fix)

"""One cell: train a classifier on one training set, let it predict the test set, keep what it says."""

from __future__ import annotations

import os
import random
import signal
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.experiments.data import Data
from chancemeter.experiments.design import Split, seed_of
from chancemeter.experiments.learners import Classifier
from chancemeter.experiments.store import Done, Failed, Key
from chancemeter.experiments.weka import Column, find_weka
from chancemeter.tables import Label

#: Letters of a message that are kept.
_LONGEST = 500


@dataclass(frozen=True)
class Limits:
    """What a cell may take."""

    seconds: float | None = None
    megabytes: float | None = None
    """On top of what the process takes before."""

    def __bool__(self) -> bool:
        """Whether there is any."""
        return self.seconds is not None or self.megabytes is not None


@dataclass(frozen=True, eq=False)
class Task:
    """All that a worker needs to know."""

    key: Key
    data: Data
    classifier: Classifier
    split: Split
    seed: int
    limits: Limits
    scores: bool = True
    apart: bool = False
    """In a process that may be killed."""
    threads: int | None = None
    """That a learner may use; None leaves it to the backend."""
    paths: tuple[str, ...] = ()
    """Where else modules are looked for."""
    boss: int = 0
    """The process that hands out work: its workers end when it does."""


@dataclass(frozen=True, eq=False)
class Predicted:
    """What a classifier said of a test set."""

    rows: Array
    codes: Array
    """Places in the labels of the data set, then in `strange` of the cell."""
    scores: Array | None
    kind: str = ""
    """``probability`` or ``decision``."""


@dataclass(frozen=True, eq=False)
class Answer:
    """What a classifier said of a test set, in its own words, and how many seconds it took."""

    predicted: Array
    """Labels, a case each."""
    scores: Array | None = None
    """A column for each label of the data set."""
    kind: str = ""
    fit: float = 0.0
    predict: float = 0.0


@dataclass(frozen=True, eq=False)
class Result:
    """The outcome of a cell, and its predictions if it has any."""

    outcome: Done | Failed
    predicted: Predicted | None = None
    said: str = ""
    """The first warning."""


def settle(task: Task) -> None:
    """Make this process fit for learners: once."""
    sys.path += [path for path in task.paths if path not in sys.path]
    if os.getpid() in {task.boss, _SETTLED.get("pid")}:
        return
    _SETTLED["pid"] = os.getpid()
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the coordinator says when to stop
    if task.boss == os.getppid():
        end_with_parent()
    if task.threads is not None:
        from threadpoolctl import threadpool_limits

        _SETTLED["threads"] = threadpool_limits(limits=task.threads)


_SETTLED: dict[str, Any] = {}


def end_with_parent() -> None:
    """Be killed when the process that started this one is, where the system can do that."""
    if sys.platform == "linux":
        import ctypes

        ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG


def run(task: Task) -> Result:
    """Run a cell in this process."""
    try:
        with _warnings_kept() as said:
            answer = _fit_predict(task)
        return _result(task, answer, str(said[0].message)[:_LONGEST] if said else "")
    except TimeoutError as error:
        return Result(Failed(task.key, "time", str(error)[:_LONGEST]))
    except MemoryError as error:
        return Result(Failed(task.key, "memory", str(error)[:_LONGEST] or "out of memory"))
    except BaseException as error:  # noqa: BLE001  whatever a classifier does is a record
        return Result(Failed(task.key, "error", _told(error)))


def _told(error: BaseException) -> str:
    """The message of an exception and the line that raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}:{frames[-1].lineno})" if frames else ""  # noqa: PTH119
    return f"{type(error).__name__}: {error}"[: _LONGEST - len(place)] + place


@contextmanager
def _warnings_kept() -> Iterator[list[Any]]:
    """Warnings in a list; they go nowhere else. Other threads cannot be listened to."""
    if threading.current_thread() is not threading.main_thread():
        yield []
        return
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield caught


def _fit_predict(task: Task) -> Answer:
    """Train and predict."""
    if task.classifier.weka is not None:
        return _by_weka(task)
    data, split = task.data, task.split
    states = _lots(task.seed)
    estimator = task.classifier.build()
    _sow(estimator, states)
    began = time.perf_counter()
    prepared = task.classifier.preparation.fit(data.x[split.train], data.levels, data.ordered)
    estimator.fit(prepared.transform(data.x[split.train]), data.target[split.train])
    fitted = time.perf_counter()
    x = prepared.transform(data.x[split.test])
    predicted = np.asarray(estimator.predict(x))
    scores, kind = _scores(estimator, x, data.labels) if task.scores else (None, "")
    return Answer(predicted, scores, kind, fitted - began, time.perf_counter() - fitted)


def _by_weka(task: Task) -> Answer:
    """The same by WEKA, which trains and predicts in one process that keeps the limits itself."""
    data, split, spec = task.data, task.split, task.classifier.spec
    weka = find_weka(spec.get("jar"))
    sides = [
        [Column(data.x[side, j], names) for j, names in enumerate(data.levels)]
        for side in (split.train, split.test)
    ]
    began = time.perf_counter()
    memory = None if task.limits.megabytes is None else int(task.limits.megabytes)
    limits = {"timeout": task.limits.seconds, "memory": memory}
    train = sides[0], data.y[split.train]
    options = list(map(str, spec.get("options", ())))
    found = weka.predict(str(spec["weka"]), options, train, sides[1], data.labels, **limits)
    labels = np.array(data.labels, None if data.target.dtype.kind != "O" else object)
    return Answer(labels[found], fit=time.perf_counter() - began)


def _lots(seed: int) -> np.random.SeedSequence:
    """Set the global generators, for learners that draw from them, and give a sequence for others."""
    sequence = np.random.SeedSequence(seed)
    word = int(sequence.generate_state(1)[0])
    if threading.current_thread() is threading.main_thread():
        random.seed(word)
        np.random.seed(word)  # noqa: NPY002
    return sequence


def _sow(estimator: Any, sequence: np.random.SeedSequence) -> None:
    """Give every part that draws lots a seed, unless it has one."""
    if not hasattr(estimator, "get_params"):
        return
    found = estimator.get_params(deep=True)
    names = sorted(
        key
        for key, value in found.items()
        if value is None and (key == "random_state" or key.endswith("__random_state"))
    )
    if names:
        words = sequence.generate_state(len(names) + 1)[1:]
        estimator.set_params(**{key: int(x) for key, x in zip(names, words, strict=True)})


def _scores(estimator: Any, x: Array, labels: tuple[Label, ...]) -> tuple[Array | None, str]:
    """A column of scores for every class of the data set."""
    for method, kind in (("predict_proba", "probability"), ("decision_function", "decision")):
        if not hasattr(estimator, method):
            continue
        raw = np.asarray(getattr(estimator, method)(x), np.float64)
        raw = np.column_stack([-raw, raw]) if raw.ndim == 1 else raw
        classes = [x.item() if isinstance(x, np.generic) else x for x in estimator.classes_]
        if raw.shape != (len(x), len(classes)) or not set(classes) <= set(labels):
            return None, ""  # such as one-against-one decisions
        scores = np.full((len(x), len(labels)), 0.0 if kind == "probability" else np.nan)
        scores[:, [labels.index(c) for c in classes]] = raw
        return scores, kind
    return None, ""


def _result(task: Task, answer: Answer, said: str) -> Result:
    """Counts of the cell, with labels that were never seen after those of the data."""
    predicted = answer.predicted
    data, test = task.data, task.split.test
    if predicted.shape != (len(test),):
        what = (
            f"{len(test)} cases were tested, and predictions of shape {predicted.shape} came back"
        )
        return Result(Failed(task.key, "error", what))
    values, place = np.unique(predicted, return_inverse=True)
    labels: list[Label] = [x.item() if isinstance(x, np.generic) else x for x in values]
    if any(x is None or x != x for x in labels):  # noqa: PLR0124  nan
        return Result(Failed(task.key, "error", "a prediction is missing (nan or None)"))
    known = {label: i for i, label in enumerate(data.labels)}
    strange = tuple(x for x in labels if x not in known)
    known |= {label: len(data.labels) + i for i, label in enumerate(strange)}
    codes = np.array([known[x] for x in labels], np.int64)[place]
    cells, n = np.unique(data.y[test] * len(known) + codes, return_counts=True)
    counts = tuple(
        (int(c // len(known)), int(c % len(known)), int(m)) for c, m in zip(cells, n, strict=True)
    )
    done = Done(task.key, counts, strange, answer.fit, answer.predict)
    kept = Predicted(test, codes.astype(np.int32), answer.scores, answer.kind)
    return Result(done, kept, said)


def seed_of_cell(seed: int, key: Key) -> int:
    """The seed of a cell: by what it is, not by when or where it is run."""
    words = seed_of("fit", seed, *key.values).generate_state(2)
    return int(words[0]) << 32 | int(words[1])

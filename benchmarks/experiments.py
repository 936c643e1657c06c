"""What keeping everything costs: a run against a bare loop, and other measures afterwards."""

from __future__ import annotations

import itertools
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import weka_experimenter
from joblib import Parallel, delayed
from sklearn.base import clone
from timing import Claim

import chancemeter as cm
from chancemeter.experiments.design import Split
from chancemeter.experiments.plan import Loaded, load, plan_of
from chancemeter.experiments.run import How, run_plan

JOBS = 2
TIMES = 2
SAID = "Where WEKA is not installed, the rows against its Experimenter are left out."
DATA = {
    "iris": {"sklearn": "iris"},
    "wine": {"sklearn": "wine"},
    "cancer": {"sklearn": "breast_cancer"},
    "digits": {"sklearn": "digits"},
    "blobs": {
        "make": "sklearn.datasets.make_classification",
        "parameters": {"n_samples": 600, "n_informative": 5, "n_classes": 4, "random_state": 1},
    },
    "moons": {
        "make": "sklearn.datasets.make_moons",
        "parameters": {"n_samples": 1000, "noise": 0.3, "random_state": 1},
    },
}
CLASSIFIERS = {
    "tree": {"use": "sklearn.tree.DecisionTreeClassifier"},
    "bayes": {"use": "sklearn.naive_bayes.GaussianNB"},
    "logistic": {
        "use": "sklearn.linear_model.LogisticRegression",
        "parameters": {"max_iter": 1000},
    },
    "neighbours": {"use": "sklearn.neighbors.KNeighborsClassifier"},
    "forest": {"use": "sklearn.ensemble.RandomForestClassifier"},
}


def _bare(model: object, x: np.ndarray, y: np.ndarray, split: Split) -> np.ndarray:
    """Fit and predict, and nothing else; scaled as the run does it."""
    made = clone(model)
    train, test = x[split.train], x[split.test]
    if type(made).__module__.split(".")[1] in {"linear_model", "neighbors"}:
        mean, spread = train.mean(0), train.std(0)
        spread[spread == 0] = 1
        train, test = (train - mean) / spread, (test - mean) / spread
    return made.fit(train, y[split.train]).predict(test)


def _loop(loaded: Loaded) -> None:
    models = [c.build() for c in loaded.plan.classifiers]
    parts = zip(loaded.data, loaded.splits, strict=True)
    calls = [
        delayed(_bare)(model, d.x, d.target, s)
        for d, splits in parts
        for model, s in itertools.product(models, splits)
    ]
    Parallel(n_jobs=JOBS)(calls)


def claims() -> Iterator[Claim]:
    """Six small data sets, five classifiers, ten folds, on two workers that are warm."""
    loaded = load(plan_of({"data": DATA, "classifiers": CLASSIFIERS}))
    ours, theirs, kept, again = [], [], [], []
    with tempfile.TemporaryDirectory() as home:
        cm.get_all(MEASURES)
        for i in range(TIMES + 1):  # the first turn starts the workers
            for scores, times in ((True, kept), (False, ours)):
                plan = (
                    loaded
                    if scores
                    else load(plan_of({"data": DATA, "classifiers": CLASSIFIERS, "scores": False}))
                )
                folder = Path(home, f"{i}-{scores}")
                times.append(_seconds(lambda p=plan, f=folder: run_plan(p, f, How(jobs=JOBS))))
            theirs.append(_seconds(lambda: _loop(loaded)))
            again.append(_seconds(lambda f=folder: _measured(f)))
    bare, best = min(theirs[1:]), min(ours[1:])
    note = "at most 1.15 times as long; every prediction is on the disk"
    yield Claim("300 cells, kept", best, "joblib, fit and predict only", bare, 1 / 1.15, note)
    note = "as above, and the scores of all classes too, which the loop does not work out"
    yield Claim(
        "300 cells, with scores",
        min(kept[1:]),
        "joblib, fit and predict only",
        bare,
        1 / 1.15,
        note,
    )
    note = "less than 1 % of the run"
    yield Claim("ten other measures of it", min(again[1:]), "the run itself", best, 100, note)
    yield from weka_experimenter.claims(loaded, DATA, JOBS)


MEASURES = [
    "accuracy",
    "kappa",
    "mcc",
    "informedness",
    "markedness",
    "balanced_accuracy",
    "scott_pi",
    "gwet_ac1",
    "f_score@macro",
    "recall@macro",
]


def _measured(folder: Path) -> None:
    for one in cm.Grid.from_store(folder):
        cm.evaluate(one.tables, MEASURES)


def _seconds(work: object) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began

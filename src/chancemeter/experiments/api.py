"""Experiments from Python."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from chancemeter.experiments.grid import Grid, grid_of
from chancemeter.experiments.plan import MEASURES, load, plan_of
from chancemeter.experiments.run import How, Progress, run_plan
from chancemeter.experiments.store import Store


def experiment(
    data: Mapping[str, Any],
    classifiers: Mapping[str, Any],
    *,
    design: str | Mapping[str, Any] = "stratified",
    folds: int | None = None,
    repeats: int | None = None,
    seed: int = 1,
    measures: Iterable[str] = MEASURES,
    time_limit: float | None = None,
    memory_limit: float | None = None,
    scores: bool = True,
    folder: str | Path | None = None,
    jobs: int = 1,
    backend: str | None = None,
    address: str | None = None,
    retry_failed: bool = False,
    progress: Progress | None = None,
) -> Grid:
    """Train and test every classifier on every data set, and keep what each cell said.

    A data set is ``(X, y)``, a frame with a column ``class`` (or ``target`` …), a path, or what a
    plan says: ``{"file": "car.csv", "target": "acceptable"}``. A classifier is an estimator, an
    import path, or what a plan says. With `folder` every cell is kept there, and the same call goes
    on where the last one stopped.

    One job runs here, in this process, unless there are limits; crashes are survived with two.

    >>> from sklearn.naive_bayes import GaussianNB
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> models = {"tree": DecisionTreeClassifier(), "bayes": GaussianNB()}
    >>> g = experiment({"iris": {"sklearn": "iris"}}, models, folds=5)
    >>> g
    <grid of 1 data set × 2 classifiers, 10 of 10 cells>
    >>> import chancemeter as cm
    >>> round(cm.kappa(g["iris"].of("bayes").pool()), 3)
    0.93
    """
    how_divided = dict(design) if isinstance(design, Mapping) else {"kind": design}
    how_divided |= {k: v for k, v in (("folds", folds), ("repeats", repeats)) if v is not None}
    content: dict[str, Any] = {
        "data": data,
        "classifiers": classifiers,
        "design": how_divided,
        "seed": seed,
        "measures": list(measures),
        "scores": scores,
    }
    limits = {"time_limit": time_limit, "memory_limit": memory_limit}
    content |= {key: value for key, value in limits.items() if value is not None}
    loaded = load(plan_of(content))
    way = backend or ("threading" if jobs == 1 else "loky")
    how = How(jobs, way, address, retry_failed=retry_failed)
    with tempfile.TemporaryDirectory(prefix="chancemeter-") as aside:
        home = Path(folder or aside)
        if run_plan(loaded, home, how, progress).stopped:
            raise KeyboardInterrupt
        with Store(home) as store:
            return grid_of(store)

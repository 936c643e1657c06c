"""The study, run again: every data set and classifier, over WEKA's own ten folds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, quoted
from chancemeter.experiments.ben_david import recipes, sources, standins
from chancemeter.experiments.grid import Grid, Results, results
from chancemeter.experiments.nominal import Nominal
from chancemeter.experiments.weka import Weka, find_weka
from chancemeter.experiments.weka_folds import folds

#: WEKA's classes of the study's classifiers; all their options are the default ones.
CLASSES = {
    "C4.5": "weka.classifiers.trees.J48",
    "SMO": "weka.classifiers.functions.SMO",
    "NaiveBayes": "weka.classifiers.bayes.NaiveBayes",
    "Logistic": "weka.classifiers.functions.Logistic",
    "RandomForest": "weka.classifiers.trees.RandomForest",
}
ENGINES = ("weka", "sklearn")
FOLDS = 10


def rerun(
    engine: str = "weka",
    *,
    folder: Path | None = None,
    fetch: bool = False,
    jar: Path | None = None,
    only: tuple[str, ...] = (),
    tell: Callable[[str], None] = lambda _: None,
) -> tuple[Grid, str]:
    """The grid of the study, and what made it; data sets that need a folder are left out without.

    >>> grid, made_by = rerun("sklearn", only=("Monks-3",))
    >>> grid, made_by.split()[0]
    (<grid of 1 data set × 5 classifiers, 50 of 50 cells>, 'scikit-learn')
    """
    if engine not in ENGINES:
        fix = did_you_mean(engine, ENGINES, "one of weka, sklearn")
        raise UnknownNameError(Fault("CM758", f"no engine is called {quoted(engine)}", fix=fix))
    weka = find_weka(jar) if engine == "weka" else None
    data = dict(_loaded(folder, only, fetch=fetch))
    found = []
    for name, cases in data.items():
        tell(name)
        if weka:
            counts = _in_two_processes(weka, cases)
        else:
            counts = [sklearn_folds_of(model, cases) for model in CLASSES]
        found.append(_results(name, cases, np.stack(counts)[:, None]))
    return Grid(tuple(found), measures=("accuracy", "kappa")), str(weka or sklearn_version())


def _in_two_processes(weka: Weka, data: Nominal) -> list[Array]:
    """All classifiers, two at a time; after a fault, or Ctrl-C, none is begun any more."""
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(weka_folds_of, weka, model, data) for model in CLASSES]
        try:
            return [run.result() for run in runs]
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def weka_folds_of(weka: Weka, classifier: str, data: Nominal) -> Array:
    """A table for each fold, from WEKA's cross-validation; its folds must be those foretold."""
    truth, predicted = weka.cross_validate(CLASSES[classifier], (), data, FOLDS)
    foretold = [test for _, test in folds(data.y.tolist(), FOLDS)]
    if (truth != data.y[np.concatenate(foretold)]).any():
        what = f"{weka} divides the cases of {data.name} otherwise than was worked out"
        fix = "use WEKA 3.6 or 3.9, whose folds are known"
        raise InputError(Fault("CM753", what, fix=fix))
    ends = np.cumsum([len(test) for test in foretold])[:-1]
    pairs = zip(np.split(truth, ends), np.split(predicted, ends), strict=True)
    return np.stack([_table(*pair, len(data.classes)) for pair in pairs])


def sklearn_folds_of(classifier: str, data: Nominal) -> Array:
    """The same from the stand-in."""
    tables = [
        _table(data.y[test], standins.predict(classifier, data, train, test), len(data.classes))
        for train, test in folds(data.y.tolist(), FOLDS)
    ]
    return np.stack(tables)


def _loaded(
    folder: Path | None, only: tuple[str, ...], *, fetch: bool
) -> Iterator[tuple[str, Nominal]]:
    """The data sets that can be had, and those asked for."""
    for name in only:
        if name not in recipes.COLUMNS:
            fix = did_you_mean(name, recipes.COLUMNS, f"one of {', '.join(recipes.COLUMNS)}")
            what = f"the study has no public data set called {quoted(name)}"
            raise UnknownNameError(Fault("CM758", what, fix=fix))
    if folder and not folder.is_dir():
        fix = "a folder that holds credit-a.csv or crx.data, post-operative.csv or .data"
        raise InputError(Fault("CM756", "--data is no folder", str(folder), fix=fix))
    for name in only or recipes.COLUMNS:
        cases = sources.load(name, folder, fetch=fetch)
        if cases:
            yield name, cases


def _results(name: str, data: Nominal, counts: Array) -> Results:
    tested = counts[0].sum((-2, -1))
    return results(
        name, list(CLASSES), counts, labels=data.classes, train=len(data) - tested, test=tested
    )


def _table(truth: Array, predicted: Array, k: int) -> Array:
    return np.bincount(truth * k + predicted, minlength=k * k).reshape(k, k)


def sklearn_version() -> str:
    """Who made what the stand-ins predict."""
    import sklearn

    return f"scikit-learn {sklearn.__version__}"

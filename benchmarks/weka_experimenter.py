"""A grid in WEKA's Experimenter and in chancemeter, as information: the learners are not the same.

The Experimenter is given one process for each classifier, two at once, the longest first; it keeps
the predictions and works out its own measures of every fold.
"""

from __future__ import annotations

import csv
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from timing import Claim

from chancemeter.errors import InputError
from chancemeter.experiments.data import Data
from chancemeter.experiments.plan import Loaded, load, plan_of
from chancemeter.experiments.run import How, run_plan
from chancemeter.experiments.weka import Column, Weka, find_weka, write_arff

TIMES = 1
LEARNERS = {
    "logistic": "weka.classifiers.functions.Logistic",
    "forest": "weka.classifiers.trees.RandomForest",
    "neighbours": "weka.classifiers.lazy.IBk",
    "tree": "weka.classifiers.trees.J48",
    "bayes": "weka.classifiers.bayes.NaiveBayes",
}


def claims(loaded: Loaded, sources: dict[str, dict[str, object]], jobs: int) -> Iterator[Claim]:
    """`loaded` is the grid of scikit-learn's classifiers over `sources`, all of them numbers."""
    try:
        weka = find_weka()
    except InputError as error:
        print(f"WEKA's Experimenter is left out: {error}", flush=True)
        return
    how = How(jobs=jobs)
    learners = {name: {"weka": learner} for name, learner in LEARNERS.items()}
    same = load(plan_of({"data": sources, "classifiers": learners, "scores": False}))
    with tempfile.TemporaryDirectory() as name:
        home = Path(name)
        files = [_written(data, home / f"{data.name}.arff") for data in loaded.data]
        cells = len(LEARNERS) * sum(map(len, loaded.splits))
        ours, theirs = [], []
        for i in range(TIMES):
            ours.append(_seconds(lambda f=home / f"ours-{i}": run_plan(loaded, f, how)))
            theirs.append(_seconds(lambda: _experiment(weka, files, home, jobs, cells)))
        through = _seconds(lambda: run_plan(same, home / "same", how))
    peer = f"Experimenter of {weka}"
    note = (
        "for information: another implementation of the learners, each with its own defaults "
        "(scikit-learn's forest has 100 trees, WEKA's 10); both keep predictions, ours all scores; timed once"
    )
    yield Claim(f"{cells} cells, with scores", min(ours), peer, min(theirs), 0, note)
    note = "for information: the same learners, but a Java process for every cell; timed once"
    yield Claim(f"{cells} cells of WEKA's learners", through, peer, min(theirs), 0, note)


def _experiment(weka: Weka, files: list[Path], home: Path, jobs: int, cells: int) -> None:
    """Ten folds of every file with every learner, `jobs` processes at once."""
    with ThreadPoolExecutor(jobs) as pool:
        done = list(pool.map(lambda x: _rows(weka, x, files, home), LEARNERS.values()))
    assert sum(done) == cells, done


def _rows(weka: Weka, learner: str, files: list[Path], home: Path) -> int:
    """Results of one learner; how many there are."""
    kept = home / f"{learner}.csv"
    kept.unlink(missing_ok=True)
    arguments = ["-r", "-L", "1", "-U", "1", *(x for file in files for x in ("-T", str(file)))]
    arguments += ["-P", "weka.experiment.CrossValidationResultProducer"]
    arguments += ["-D", f"weka.experiment.CSVResultListener -O {kept}"]
    arguments += ["--", "-X", "10", "-W", "weka.experiment.ClassifierSplitEvaluator"]
    weka.run("weka.experiment.Experiment", [*arguments, "--", "-W", learner, "-P"], home)
    with kept.open(newline="") as rows:
        return sum(row["Key_Scheme"] == learner for row in csv.DictReader(rows))


def _written(data: Data, path: Path) -> Path:
    write_arff(path, [Column(x) for x in data.x.T], data.y, data.labels)
    return path


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began

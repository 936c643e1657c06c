"""Experiments: plans, data, designs, runs that are interrupted, and classifiers that misbehave."""

import os
import re
import shutil
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import kills
import numpy as np
import pandas as pd
import polars as pl
import pyarrow.parquet as pq
import pytest
from conftest import require
from sklearn.ensemble import RandomForestClassifier
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import StratifiedKFold
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

import chancemeter as cm
from chancemeter import cli
from chancemeter.errors import ChancemeterError
from chancemeter.experiments import plan as plans
from chancemeter.experiments import run as running
from chancemeter.experiments.data import Columns, assemble
from chancemeter.experiments.design import KINDS, Design, split
from chancemeter.experiments.kept import VALUES, predictions
from chancemeter.experiments.learners import Preparation
from chancemeter.experiments.merge import merge, status
from chancemeter.experiments.plan import load, plan_of, read_plan
from chancemeter.experiments.run import How, run_plan
from chancemeter.experiments.sources import from_file, from_sklearn
from chancemeter.experiments.store import FILE, Store

HERE = Path(__file__).parent
TREE = {"use": "sklearn.tree.DecisionTreeClassifier"}
BAYES = {"use": "sklearn.naive_bayes.GaussianNB"}
IRIS = {"sklearn": "iris"}
SMALL = {
    "data": {"iris": IRIS, "wine": {"sklearn": "wine"}},
    "classifiers": {"tree": TREE, "bayes": BAYES},
    "design": {"folds": 3, "repeats": 2},
}


def loaded(content=SMALL, **more):
    return load(plan_of({**content, **more}))


def faults(content):
    with pytest.raises(ChancemeterError) as caught:
        loaded(content)
    return caught.value.faults


def here(**more):
    return How(backend="threading", **more)


def final(folder):
    return kills.final(folder)


# Plans


def changed(**more):
    return {**SMALL, **more}


def data(**spec):
    return changed(data={"d": spec})


def one_set(**design):
    return changed(data={"iris": IRIS}, design=design)


def learner(**spec):
    return changed(classifiers={"c": spec})


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [
        (changed(clasifiers={}), "CM701", "did you mean classifiers?"),
        ({"data": {"iris": IRIS}}, "CM701", "names no classifiers"),
        ({"classifiers": {"t": TREE}}, "CM701", "names no data"),
        (changed(seed="one"), "CM701", "seed is a whole number"),
        (changed(measures=["kapa"]), "CM301", "did you mean kappa?"),
        (changed(design={"kind": "stratifed"}), "CM701", "did you mean stratified?"),
        (changed(design={"fold": 3}), "CM701", "did you mean folds?"),
        (changed(design={"folds": 1}), "CM701", "too few folds"),
        (changed(design={"kind": "5x2", "folds": 3}), "CM701", "leave folds out"),
        (changed(design={"kind": "hold-out", "share": 2}), "CM701", "between 0 and 1"),
        (changed(design={"rare": "perhaps"}), "CM701", "rare is"),
        (changed(time_limit=-1), "CM701", "too small"),
        (data(file="x.csv", openml=3), "CM701", "where does the data set come from?"),
        (data(fiel="x.csv"), "CM701", "did you mean file?"),
        (data(file="nowhere.csv"), "CM001", "there is no such file"),
        (data(sklearn="irsi"), "CM704", "did you mean iris?"),
        (data(make="sklearn.datasets.make_clasification"), "CM704", "make_classification"),
        (data(make="sklearn.datasets.make_blobs", parameters={"x": 1}), "CM704", "failed"),
        (data(make="sklearn.datasets.make_regression"), "CM705", "a quantity, not a class"),
        (data(make="sklearn.datasets.load_diabetes"), "CM705", "a quantity, not a class"),
        (changed(data={"a": IRIS, "b": IRIS}), "CM704", "are the same"),
        (one_set(folds=60), "CM706", "classes with fewer members"),
        (one_set(folds=151, rare="allow"), "CM706", "more folds than cases"),
        (one_set(kind="grouped"), "CM706", "needs groups"),
        (one_set(kind="predefined"), "CM706", "needs a column of folds"),
        (learner(use="sklearn.tree.DecisionTreClassifier"), "CM702", "DecisionTreeClassifier"),
        (learner(use="sklearn.tre.DecisionTreeClassifier"), "CM702", "sklearn.tree"),
        (learner(use="nowhere.Tree"), "CM702", "cannot be imported"),
        (learner(use="sklearn.tree.DecisionTreeRegressor"), "CM702", "DecisionTreeClassifier"),
        (learner(use="sklearn.preprocessing.StandardScaler"), "CM702", "learn and predict"),
        (learner(**TREE, parameters={"max_dept": 3}), "CM703", "did you mean max_depth?"),
        (learner(**TREE, parameters={"max_depth": "deep"}), "CM703", "max_depth"),
        (learner(), "CM701", "which classifier?"),
        (learner(**TREE, steps=[]), "CM701", "use and steps"),
        (learner(steps=[{"C": 3}]), "CM701", "names no class"),
        (learner(**TREE, impute="mode"), "CM701", "median, mean, none"),
        (changed(classifiers={"a": TREE, "b": TREE}), "CM702", "are the same"),
        (changed(classifiers={"a": DecisionTreeClassifier}), "CM702", "no estimator"),
    ],
)
def test_slips_in_plans(content, code, words):
    found = faults(content)
    assert [f.code for f in found] == [code], found
    assert words in str(found[0])


def test_the_plan_of_the_documents():
    text = (HERE.parent / "docs" / "experiments.md").read_text("utf-8")
    shown = text.partition("```toml\n")[2].partition("```")[0]
    assert shown in (HERE.parent / "examples" / "study.toml").read_text("utf-8")
    assert read_plan(HERE.parent / "examples" / "study.toml").design.folds == 10
    # every key that a plan knows is explained
    known = {*plans._PLAN, *plans._DESIGN, *plans._DATA, *plans._CLASSIFIER, *KINDS}
    assert not [key for key in known if not re.search(rf"(`|\[|, ){key}\b|\b{key} =", text)]


def test_all_slips_at_once(tmp_path):
    path = tmp_path / "plan.toml"
    path.write_text(
        'sede = 3\nmeasures = ["kapa"]\n[data.x]\nfil = "y"\n[classifiers.t]\n'
        'use = "sklearn.tree.Tree"\n[design]\nfolds = "ten"'
    )
    with pytest.raises(ChancemeterError) as caught:
        read_plan(path)
    assert [f.code for f in caught.value.faults] == ["CM701", "CM701", "CM301", "CM701", "CM702"]
    assert all(f.where.startswith("plan.toml") for f in caught.value.faults)


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"a = ", "not well-formed TOML"),
        (b"a = '\xff'", "not UTF-8"),
        (None, "did you mean plan.toml?"),
    ],
)
def test_plans_that_cannot_be_read(tmp_path, raw, words):
    (tmp_path / "plan.toml").write_bytes(raw or b"")
    with pytest.raises(ChancemeterError, match="CM700") as caught:
        read_plan(tmp_path / ("plan.toml" if raw else "plam.toml"))
    assert words in str(caught.value)


# Data


def csv(folder, text, **about):
    (folder / "d.csv").write_text(text)
    return from_file("d", folder / "d.csv", Columns(**about))


def test_columns_are_what_they_hold(tmp_path):
    d = csv(tmp_path, "size,hue,n,class\n1.5,red,1,b\n?,green,2,a\n3,,,b\n", nominal=("n",))
    assert np.array_equal(d.x, [[1.5, 1, 0], [np.nan, 0, 1], [3, np.nan, np.nan]], equal_nan=True)
    assert d.levels == (None, ("green", "red"), ("1", "2"))
    assert (d.labels, d.y.tolist()) == (("a", "b"), [1, 0, 1])
    d = csv(
        tmp_path,
        "s,class,id\nmid,1,a\nlow,2,b\n",
        ordinal={"s": ("low", "mid", "high")},
        drop=("id",),
    )
    assert (d.x.tolist(), d.ordered, d.levels) == ([[1], [0]], (True,), (("low", "mid", "high"),))
    assert d.target.dtype.kind == "i"


def test_arff_keeps_declared_orders(tmp_path):
    path = tmp_path / "d.arff"
    path.write_text("@relation d\n@attribute s {mid,low}\n@attribute n real\n@attribute c {y,n,x}\n"
                    "@data\nlow,1,n\n?,2,y\n")  # fmt: skip
    d = from_file("d", path, Columns())
    assert (d.levels, d.labels, d.y.tolist()) == ((("mid", "low"), None), ("y", "n", "x"), [1, 0])
    path.write_text("@relation d\n@attribute s relational\n@data\n")
    with pytest.raises(ChancemeterError, match="relational attributes are not read"):
        from_file("d", path, Columns())
    path.write_text("@relation d\n@attribute s real\n@attribute c {a,b}\n@data\n{0 1, 1 b}\n")
    with pytest.raises(ChancemeterError, match="sparse rows are not read"):
        from_file("d", path, Columns())


def test_every_source_gives_the_same_data(tmp_path):
    whole = from_sklearn("iris", "iris", Columns())
    frame = pd.DataFrame(whole.x, columns=whole.attributes).assign(target=whole.target)
    frame.to_csv(tmp_path / "d.csv", index=False)
    frame.to_parquet(tmp_path / "d.parquet")
    given = {
        "csv": str(tmp_path / "d.csv"),
        "parquet": {"file": str(tmp_path / "d.parquet")},
        "pandas": frame,
        "polars": pl.from_pandas(frame),
        "arrow": pl.from_pandas(frame).to_arrow(),
        "pair": (frame.drop(columns="target"), frame["target"]),
    }
    for name, one in given.items():
        plan = plan_of({"data": {name: one}, "classifiers": {"t": TREE}})
        assert plan.sources[name]().fingerprint == whole.fingerprint, name
    plan = plan_of({"data": {"x": (whole.x, whole.y)}, "classifiers": {"t": TREE}})
    assert plan.sources["x"]().attributes == ("x1", "x2", "x3", "x4")


def test_a_fingerprint_sees_every_change():
    base = {"a": [1.0, 2, 3], "b": ["x", "y", None], "class": [0, 1, 1]}
    prints = {assemble("n", base, Columns()).fingerprint}
    assert assemble("other name", base, Columns()).fingerprint in prints
    for change in (
        {"a": [1.0, 2, 4]},
        {"b": ["x", "z", None]},
        {"b": ["x", "y", "x"]},
        {"class": [0, 0, 1]},
        {"class": ["0", "1", "1"]},
    ):
        prints.add(assemble("n", base | change, Columns()).fingerprint)
    prints.add(
        assemble(
            "n", {"A": base["a"], **{k: base[k] for k in ("b", "class")}}, Columns()
        ).fingerprint
    )
    assert len(prints) == 7


@pytest.mark.parametrize(
    ("text", "code", "words"),
    [
        ("a,b\n1,2\n", "CM704", "which column is the class?"),
        ("a,class\n1,x\n2,\n", "CM705", "the first in row 2"),
        ("a,class\n1,x\n2,x\n", "CM705", "all cases are of one class"),
        ("a,b,class\n1,,x\n2,?,y\n", "CM707", "drop = ['b']"),
        ("class\nx\ny\n", "CM704", "no attribute is left"),
        ("a,class\n", "CM002", "holds no rows"),
        ("a,class\n1\n", "CM004", "field"),
    ],
)
def test_data_that_cannot_be_used(tmp_path, text, code, words):
    with pytest.raises(ChancemeterError) as caught:
        csv(tmp_path, text)
    assert [f.code for f in caught.value.faults] == [code]
    assert words in str(caught.value)


def test_columns_that_are_not_there(tmp_path):
    with pytest.raises(ChancemeterError, match="did you mean class"):
        csv(tmp_path, "a,class\n1,x\n2,y\n", target="clas")
    with pytest.raises(ChancemeterError, match="not in its order"):
        csv(tmp_path, "a,class\nlow,x\nmid,y\n", ordinal={"a": ("low", "high")})


# Designs


def toy(n=40, k=3, groups=None, folds=None, seed=0):
    rng = np.random.default_rng(seed)
    columns = {"a": rng.normal(size=n), "class": rng.integers(0, k, n)}
    columns |= {"g": groups} if groups is not None else {}
    columns |= {"f": folds} if folds is not None else {}
    return assemble("toy", columns, Columns(group="g" if groups is not None else None,
                                            fold="f" if folds is not None else None))  # fmt: skip


@pytest.mark.parametrize("kind", ["stratified", "k-fold", "5x2", "hold-out"])
def test_every_case_is_on_one_side(kind):
    d = toy(97)
    found = split(d, Design(kind=kind, folds=5, repeats=3))
    for s in found:
        assert sorted([*s.train, *s.test]) == list(range(d.n))
        assert len(s.train)
        assert len(s.test)
    by_repeat = {r: [s for s in found if s.repeat == r] for r in {s.repeat for s in found}}
    assert len(by_repeat) == (5 if kind == "5x2" else 3)
    if kind != "hold-out":
        for parts in by_repeat.values():
            assert sorted(np.concatenate([s.test for s in parts])) == list(range(d.n))
    assert len({s.digest for s in found}) == len(found)
    again = split(d, Design(kind=kind, folds=5, repeats=3))
    assert [s.digest for s in again] == [s.digest for s in found]
    assert found[0].digest != split(d, Design(kind=kind, folds=5, repeats=3, seed=2))[0].digest


def test_classes_are_spread_evenly():
    d = toy(103, 4)
    ours = split(d, Design(folds=7))
    theirs = StratifiedKFold(7, shuffle=True, random_state=0).split(d.x, d.y)
    counts = [np.bincount(d.y[s.test], minlength=4) for s in ours]
    peers = [np.bincount(d.y[test], minlength=4) for _, test in theirs]
    assert np.ptp(counts, 0).max() <= 1
    assert np.ptp(np.sum(counts, 1)) <= 1 <= np.ptp(np.sum(peers, 1)) + 1
    (held,) = split(d, Design(kind="hold-out", share=0.25))
    assert abs(len(held.test) - 0.25 * 103) <= 1
    assert np.abs(np.bincount(d.y[held.test]) - 0.25 * np.bincount(d.y)).max() <= 1


def test_groups_stay_together():
    rng = np.random.default_rng(0)
    groups = rng.integers(0, 30, 300)
    d = toy(300, 3, groups=[f"g{g}" for g in groups])
    for s in split(d, Design(kind="grouped", folds=5, repeats=2)):
        assert not set(groups[s.train]) & set(groups[s.test])
        assert 30 <= len(s.test) <= 90
    with pytest.raises(ChancemeterError, match="more folds than groups"):
        split(d, Design(kind="grouped", folds=31))


def test_predefined_sets():
    d = toy(6, 2, seed=1, folds=["train", "test", "train", "train", "test", "train"])
    (only,) = split(d, Design(kind="predefined"))
    assert only.test.tolist() == [1, 4]
    d = toy(6, 2, seed=1, folds=[1, 2, 3, 1, 2, 3])
    assert [s.test.tolist() for s in split(d, Design(kind="predefined"))] == [
        [0, 3],
        [1, 4],
        [2, 5],
    ]
    with pytest.raises(ChancemeterError, match="nothing is left to train on"):
        split(toy(6, 2, seed=1, folds=["a"] * 6), Design(kind="predefined"))


def test_rare_classes_are_allowed_if_asked():
    d = assemble("d", {"a": range(20), "class": ["x"] * 17 + ["y"] * 3}, Columns())
    with pytest.raises(ChancemeterError, match="y has 3"):
        split(d, Design(folds=5))
    tested = [
        np.bincount(d.y[s.test], minlength=2)[1] for s in split(d, Design(folds=5, rare="allow"))
    ]
    assert sorted(tested) == [0, 0, 1, 1, 1]


# What is done inside a fold


def test_preparation_learns_from_the_training_set_only():
    train = np.array([[1.0, 0], [3, 1], [np.nan, 1], [8, np.nan]])
    test = np.array([[np.nan, 2.0], [100, np.nan]])
    levels, ordered = (None, ("a", "b", "c")), (False, False)
    known = Preparation().fit(train, levels, ordered)
    # the median of 1, 3, 8; the most frequent level; a level that was not trained is none
    assert known.transform(test).tolist() == [[3, 0, 0], [100, 0, 1]]
    assert Preparation(nominal="ordinal").fit(train, levels, ordered).transform(test).tolist() == [
        [3, 2],
        [100, 1],
    ]
    scaled = Preparation(scale=True, impute="mean").fit(train, levels, ordered)
    z = scaled.transform(train)
    assert np.allclose(z.mean(0), 0)
    assert np.allclose(z.std(0), 1)
    kept = Preparation(impute="none").fit(train, levels, (False, True)).transform(test)
    assert np.array_equal(kept, test, equal_nan=True)
    nothing = Preparation().fit(np.full((2, 1), np.nan), (None,), (False,))
    assert nothing.transform(np.array([[np.nan]])).tolist() == [[0]]


def test_against_a_bare_loop():
    """The same folds, the same pipeline, by hand: the same predictions in every cell."""
    models = {
        "bayes": make_pipeline(StandardScaler(), GaussianNB()),
        "tree": DecisionTreeClassifier(random_state=4),
    }
    plan = loaded(changed(classifiers=models, data={"iris": IRIS}))
    g = cm.experiment({"iris": IRIS}, models, folds=3, repeats=2)
    d = plan.data[0]
    for s in plan.splits[0]:
        for name, model in models.items():
            said = model.fit(d.x[s.train], d.target[s.train]).predict(d.x[s.test])
            table = g["iris"].of(name).select(repeat=s.repeat, fold=s.fold)
            assert table == cm.tally(d.target[s.test], said, labels=d.labels)
            assert np.isclose(cm.kappa(table), cohen_kappa_score(d.target[s.test], said))


# Runs


def test_a_run_and_what_it_leaves(tmp_path):
    plan = loaded()
    said = []
    found = run_plan(plan, tmp_path, here(), lambda *x: said.append(x[:2]))
    assert (found.cells, found.before, found.done, found.failed, found.left) == (24, 0, 24, 0, 0)
    assert said == [(i, 24) for i in range(1, 25)]
    g = cm.Grid.from_store(tmp_path)
    assert repr(g) == "<grid of 2 data sets × 2 classifiers, 24 of 24 cells>"
    assert g["wine"].tables.counts.sum((-2, -1)).sum(-1).tolist() == [[178, 178]] * 2
    assert g["iris"].train.tolist() == [[100] * 3] * 2
    table = predictions(tmp_path)
    assert table.num_rows == 2 * 2 * (150 + 178)
    # predictions and counts say the same
    frame = table.to_pandas()
    one = frame[(frame.dataset == "wine") & (frame.classifier == "bayes") & (frame.fold == 2)]
    again = cm.tally(one.truth, one.predicted, labels=g["wine"].tables.labels)
    assert again == g["wine"].of("bayes").select(fold=2).pool()
    sums = np.array([sum(x) for x in frame.scores])
    assert np.allclose(sums, 1)
    assert set(frame.score_kind) == {"probability"}
    assert [np.argmax(x) for x in one.scores] == [
        g["wine"].tables.labels.index(x) for x in one.predicted
    ]
    lines = (tmp_path / VALUES).read_text().splitlines()
    assert lines[0] == "dataset,classifier,repeat,fold,train,test,accuracy,kappa,mcc,informedness"
    assert len(lines) == 25
    # nothing is left to do
    before = final(tmp_path)
    again = run_plan(plan, tmp_path, here())
    assert (again.before, again.done) == (24, 0)
    assert final(tmp_path) == before
    # the folder can be moved
    shutil.move(tmp_path, tmp_path.with_name("elsewhere"))
    assert final(tmp_path.with_name("elsewhere")) == before


def test_the_same_whatever_runs_it(tmp_path):
    """One process, two, threads: the same bytes; and learners that draw lots are given seeds."""
    models = {
        "forest": RandomForestClassifier(8),
        "tree": TREE,
        "log": {"use": "sklearn.linear_model.LogisticRegression"},
    }
    plan = loaded(changed(classifiers=models))
    results = {}
    for name, how in {
        "here": here(),
        "threads": here(jobs=2),
        "apart": How(jobs=1),
        "loky": How(jobs=2),
    }.items():
        run_plan(plan, tmp_path / name, how)
        results[name] = final(tmp_path / name)
    assert len(set(results.values())) == 1
    other = loaded(changed(classifiers=models, seed=2))
    run_plan(other, tmp_path / "other", here())
    assert final(tmp_path / "other") != results["here"]


@pytest.mark.parametrize("backend", ["dask", "ray"])
def test_clusters(tmp_path, backend, monkeypatch):
    """A local cluster, by its address and started for the run: the same bytes as one process."""
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(Path(cm.__file__).parents[1]), str(HERE)])
    )
    monkeypatch.setenv("RAY_ENABLE_UV_RUN_RUNTIME_ENV", "0")
    plan = loaded()
    run_plan(plan, tmp_path / "here", here())
    with cluster(backend) as address:
        run_plan(plan, tmp_path / "there", How(jobs=2, backend=backend, address=address))
    assert final(tmp_path / "there") == final(tmp_path / "here")


@contextmanager
def cluster(backend):
    if backend == "dask":
        from distributed import LocalCluster

        with LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
        ) as found:
            yield found.scheduler_address
        return
    import ray

    context = ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        yield context.address_info["gcs_address"]
    finally:
        ray.shutdown()


def test_backends_that_are_not_there(tmp_path, monkeypatch):
    monkeypatch.setattr(running, "_REACH", 1.0)
    plan = loaded()
    for how, words in (
        (How(backend="lokky"), "did you mean loky?"),
        (How(address="tcp://x"), "--backend dask"),
        (How(backend="dask", address="tcp://127.0.0.1:1"), "no cluster of dask can be reached"),
    ):
        with pytest.raises(ChancemeterError, match="CM714") as caught:
            run_plan(plan, tmp_path, how)
        assert words in str(caught.value)


def test_a_handful_of_kills():
    """`python tests/kills.py 50` does many more, with 1, 2 and 4 workers and Dask."""
    said = []
    kills.campaign(4, ("threads", "2 workers"), say=said.append)
    assert [x.partition(":")[0] for x in said[1:]] == ["threads", "2 workers"]


# Classifiers that misbehave


@pytest.fixture
def odd_plan(tmp_path):
    """A plan beside which the odd learners stand."""
    shutil.copy(HERE / "odd_learners.py", tmp_path / "odd_ones.py")

    def make(*names, **more):
        lines = [f"{key} = {value}" for key, value in more.items()]
        lines += ["[data.iris]", 'sklearn = "iris"', "[design]", "folds = 2"]
        lines += ["[classifiers.tree]", 'use = "sklearn.tree.DecisionTreeClassifier"']
        for name in names:
            lines += [f"[classifiers.{name}]", f'use = "odd_ones.{name}"']
        (tmp_path / "plan.toml").write_text("\n".join(lines))
        return load(read_plan(tmp_path / "plan.toml"))

    yield make
    sys.modules.pop("odd_ones", None)
    sys.path[:] = [x for x in sys.path if x != str(tmp_path)]


@pytest.mark.parametrize("jobs", [1, 2])
def test_odd_learners_harm_nobody(tmp_path, odd_plan, jobs):
    names = ("Crashes", "OneClass", "Strange", "Raises", "Leaves", "Short", "Gaps", "Draws")
    plan = odd_plan(*names)
    found = run_plan(plan, tmp_path / "out", How(jobs=jobs))
    assert (found.done, found.failed) == (8, 10)
    g = cm.Grid.from_store(tmp_path / "out")
    told = {f.classifier: f for f in g.failures}
    assert {name: f.kind for name, f in told.items()} == {
        "Crashes": "crash",
        **dict.fromkeys(("Raises", "Leaves", "Short", "Gaps"), "error"),
    }
    assert "exit code 17" in told["Crashes"].message
    assert told["Raises"].message.startswith("ValueError: I will not")
    assert "odd_ones.py" in told["Raises"].message
    assert g["iris"].of("OneClass").pool().counts[:, 0].sum() == 150
    strange = g["iris"].of("Strange").pool()
    assert strange.labels[-1] == "martian"
    assert strange.counts[:, -1].sum() == 150
    assert cm.accuracy(strange) == 0
    assert g["iris"].of("tree").pool().total == 150
    # what has failed is not run again, unless asked for
    assert run_plan(plan, tmp_path / "out", How(jobs=jobs)).before == 18


def test_limits_of_time_and_memory(tmp_path, odd_plan):
    plan = odd_plan("Hangs", "Eats", time_limit=3, memory_limit=1500)
    began = time.monotonic()
    found = run_plan(plan, tmp_path / "out", How(jobs=2))
    assert time.monotonic() - began < 60
    assert (found.done, found.failed) == (2, 4)
    failures = cm.Grid.from_store(tmp_path / "out").failures
    assert [(f.classifier, f.kind) for f in failures] == [("Hangs", "time")] * 2 + [
        ("Eats", "memory")
    ] * 2
    assert failures[0].message == "longer than 3 s"
    assert "more than 1500 MB" in failures[2].message


def test_failed_cells_are_run_again_if_asked(tmp_path, odd_plan):
    plan = odd_plan("Raises")
    run_plan(plan, tmp_path / "out", here())
    assert status(tmp_path / "out").failed == {("iris", "Raises"): 2}
    source = tmp_path / "odd_ones.py"
    source.write_text(
        source.read_text().replace(
            'raise ValueError("I will not\\x1b[31m")', "return super().fit(x, y)"
        )
    )
    sys.modules.pop("odd_ones")
    import importlib

    importlib.invalidate_caches()
    shutil.rmtree(tmp_path / "__pycache__", ignore_errors=True)
    plan = load(read_plan(tmp_path / "plan.toml"))
    assert run_plan(plan, tmp_path / "out", here()).done == 0
    assert run_plan(plan, tmp_path / "out", here(retry_failed=True)).done == 2
    assert not cm.Grid.from_store(tmp_path / "out").failures


# Several at once


def shards(tmp_path, n, folder):
    """Run every shard in a process of its own, all at the same time."""
    plan = tmp_path / "plan.toml"
    plan.write_text(kills.PLAN)
    command = [sys.executable, "-m", "chancemeter", "bench", "run", str(plan), "--quiet"]
    command += ["--backend", "threading"]
    started = [
        subprocess.Popen(
            [*command, "--out", str(folder(i)), "--shard", f"{i}/{n}"], stderr=subprocess.PIPE
        )
        for i in range(1, n + 1)
    ]
    for process in started:
        _, said = process.communicate(timeout=300)
        assert process.returncode == 0, said.decode()
    return load(read_plan(plan))


def test_four_processes_on_one_store(tmp_path):
    plan = shards(tmp_path, 4, lambda i: tmp_path / "out")
    assert run_plan(plan, tmp_path / "out", here()).before == 120
    run_plan(plan, tmp_path / "whole", here(jobs=2))
    assert final(tmp_path / "out") == final(tmp_path / "whole")
    # the same from stores of their own, put together in any order
    plan = loaded()
    for i in (1, 2, 3):
        run_plan(plan, tmp_path / f"part{i}", here(shard=(i, 3)))
    run_plan(plan, tmp_path / "one", here())
    merge(tmp_path / "parts", [tmp_path / f"part{i}" for i in (3, 1, 2, 3)])
    assert final(tmp_path / "parts") == final(tmp_path / "one")


def test_what_cannot_be_merged(tmp_path):
    run_plan(loaded(), tmp_path / "a", here(shard=(1, 2)))
    run_plan(loaded(seed=2), tmp_path / "b", here(shard=(2, 2)))
    run_plan(loaded(), tmp_path / "c", here())
    with pytest.raises(ChancemeterError, match="the designs differ"):
        merge(tmp_path / "a", [tmp_path / "b"])
    with pytest.raises(ChancemeterError, match="into itself"):
        merge(tmp_path / "a", [tmp_path / "a"])
    with pytest.raises(ChancemeterError, match="CM709"):
        merge(tmp_path / "a", [tmp_path / "nowhere"])
    with sqlite3.connect(tmp_path / "c" / FILE) as db:
        db.execute("UPDATE cells SET counts = '[[0,0,1]]' WHERE repeat = 1 AND fold = 1")
    with pytest.raises(ChancemeterError, match="with other results in both folders"):
        merge(tmp_path / "a", [tmp_path / "c"])
    with pytest.raises(ChancemeterError, match="CM713"):
        run_plan(loaded(), tmp_path / "a", here(shard=(3, 2)))


def test_a_second_run_is_kept_out(tmp_path):
    with Store(tmp_path, create=True), running.locked(tmp_path, ""):
        with pytest.raises(ChancemeterError, match="CM711") as caught:
            run_plan(loaded(), tmp_path, here())
        assert f"process {os.getpid()}" in str(caught.value)
        with pytest.raises(ChancemeterError, match="CM711"):
            run_plan(loaded(), tmp_path, here(shard=(1, 2)))
    with running.locked(tmp_path, "1of2-"):
        with pytest.raises(ChancemeterError, match="CM711"):
            run_plan(loaded(), tmp_path, here(shard=(1, 2)))
        assert run_plan(loaded(), tmp_path, here(shard=(2, 2))).done == 12


# What changes, and what fails


def test_changes_under_the_same_name(tmp_path):
    run_plan(loaded(), tmp_path, here())
    for content, words in (
        (changed(seed=5), "the design has changed"),
        (changed(design={"folds": 4}), "folds was 3, is 4"),
        (changed(data={"iris": {"sklearn": "wine"}}), "'iris' is not what it was"),
        (changed(classifiers={"tree": BAYES}), "'tree' is not what it was"),
    ):
        with pytest.raises(ChancemeterError, match="CM710") as caught:
            run_plan(loaded(content), tmp_path, here())
        assert words in str(caught.value)
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("UPDATE splits SET digest = 'other' WHERE fold = 1")
    with pytest.raises(ChancemeterError, match="divided in another way"):
        run_plan(loaded(), tmp_path, here())


def test_a_plan_may_grow(tmp_path):
    run_plan(loaded(changed(data={"iris": IRIS})), tmp_path, here())
    found = run_plan(loaded(), tmp_path, here())
    assert (found.before, found.done) == (12, 12)
    assert cm.Grid.from_store(tmp_path).complete


def test_a_full_disk(tmp_path, monkeypatch):
    """The disk fills up after a while: what was done is kept, and the run goes on later."""
    plan = loaded()
    write, calls = Store.add, []

    def full(self, done, failed, part=None):
        calls.append(len(done))
        if len(calls) > 1:
            raise sqlite3.OperationalError("database or disk is full")
        write(self, done, failed, part)

    monkeypatch.setattr("chancemeter.experiments.writer._SOON", 0.0)
    monkeypatch.setattr("chancemeter.experiments.writer._MOST_ROWS", 1)
    monkeypatch.setattr(Store, "add", full)
    with pytest.raises((ChancemeterError, sqlite3.OperationalError)):
        run_plan(plan, tmp_path, here())
    monkeypatch.undo()
    kept = len(kills.cells(tmp_path))
    assert 0 < kept == calls[0]
    run_plan(plan, tmp_path, here())
    run_plan(plan, tmp_path.with_name("whole"), here())
    assert final(tmp_path) == final(tmp_path.with_name("whole"))


def test_a_disk_that_is_really_full(tmp_path):
    small = tmp_path / "small"
    small.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=300k", "none", small]
    require("a small disk to mount", not subprocess.run(mount, check=False).returncode)
    try:
        plan = loaded(
            changed(design={"folds": 3, "repeats": 40}, data={"wine": {"sklearn": "wine"}})
        )
        with pytest.raises(ChancemeterError, match="CM712") as caught:
            run_plan(plan, small / "out", here())
        assert "the disk is full" in str(caught.value)
        before = set(kills.cells(small / "out"))
        subprocess.run(["mount", "-o", "remount,size=30m", small], check=True)
        assert run_plan(plan, small / "out", here()).left == 0
        assert before <= set(kills.cells(small / "out"))
        run_plan(plan, tmp_path / "whole", here())
        assert final(small / "out") == final(tmp_path / "whole")
    finally:
        subprocess.run(["umount", "--lazy", small], check=True)


def test_leftovers_are_swept(tmp_path):
    plan = loaded()
    run_plan(plan, tmp_path, here(shard=(1, 2)))
    orphan = tmp_path / "predictions" / "1of2-orphan.parquet"
    other = tmp_path / "predictions" / "2of2-busy.tmp"
    orphan.write_bytes(b"")
    other.write_bytes(b"")
    run_plan(plan, tmp_path, here(shard=(1, 2)))
    assert not orphan.exists()
    assert other.exists()
    run_plan(plan, tmp_path, here())
    assert not other.exists()


def test_classifiers_of_weka(tmp_path):
    """Trained on the same cases as the others, with missing values and levels as they are."""
    require("weka")
    require("java")
    levels = np.array(["low", "mid", "high"])
    rng = np.random.default_rng(0)
    size = rng.integers(0, 3, 60)
    frame = pd.DataFrame({"size": levels[size], "x": rng.normal(size=60), "class": size == 1})
    frame.loc[::9, "x"] = np.nan
    j48 = {"weka": "weka.classifiers.trees.J48", "options": ["-M", 1]}
    wrong = {"weka": "weka.classifiers.trees.J84"}
    content = {
        "data": {"d": frame},
        "classifiers": {"j48": j48, "wrong": wrong},
        "design": {"folds": 2},
    }
    found = run_plan(load(plan_of(content)), tmp_path, How(jobs=2))
    assert (found.done, found.failed) == (2, 2)
    g = cm.Grid.from_store(tmp_path)
    assert cm.accuracy(g["d"].of("j48").pool()) == 1
    assert {f.classifier for f in g.failures} == {"wrong"}


def test_without_scores(tmp_path):
    run_plan(loaded(scores=False), tmp_path, here())
    assert predictions(tmp_path)["scores"].null_count == 1312


def test_from_python(tmp_path):
    frame = pd.DataFrame({"a": [1, 2, 3, 4] * 5, "class": list("xyxy") * 5})
    g = cm.experiment({"f": frame}, {"tree": DecisionTreeClassifier()}, folds=2, folder=tmp_path)
    assert cm.accuracy(g["f"].of("tree").pool()) == 1
    assert cm.experiment(
        {"f": frame}, {"tree": DecisionTreeClassifier()}, folds=2, folder=tmp_path
    ).complete
    with pytest.raises(ChancemeterError, match="did you mean f"):
        g["ff"]


# The command line


@pytest.fixture
def bench(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = ["[data.iris]", 'sklearn = "iris"', "[design]", "folds = 3"]
    lines += ["[classifiers.bayes]", 'use = "sklearn.naive_bayes.GaussianNB"']
    Path("plan.toml").write_text("\n".join(lines))

    def call(*words):
        code = cli.main(["bench", *words])
        return code, *capsys.readouterr()

    return call


def test_the_command(bench):
    code, out, _ = bench("check", "plan.toml")
    assert (code, out.splitlines()[0]) == (0, "1 data set × 1 classifier, stratified: 3 cells")
    assert not Path("plan-results").exists()
    code, out, err = bench("run", "plan.toml", "--backend", "threading")
    assert code == 0, err
    assert "3 of 3 cells done" in out
    assert "iris                     0.9" in out
    code, out, _ = bench("status", "plan-results")
    assert out.splitlines() == ["3 of 3 cells done, 0 failed", "  done  bayes", "  iris    3/3"]
    assert '"done": 3' in bench("status", "plan-results", "--json")[1]
    code, out, _ = bench("merge", "all", "plan-results")
    assert (code, out) == (0, "3 of 3 cells done, 0 failed\n")
    assert Path("all", VALUES).read_bytes() == Path("plan-results", VALUES).read_bytes()
    for words in (("run", "plan.toml", "--shard", "3/2"), ("status", "nowhere"), ("run",)):
        assert bench(*words)[0] == 2
    assert "what is to be done?" in bench()[2]
    code, out, _ = bench("show", "plan-results", "kappa")
    assert code == 0
    assert "bayes" in out


def test_ctrl_c_drains_and_says_how_to_go_on(tmp_path):
    plan = tmp_path / "plan.toml"
    plan.write_text(kills.PLAN)
    command = [sys.executable, "-m", "chancemeter", "bench", "run", str(plan)]
    process = subprocess.Popen(
        [*command, "--backend", "threading"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 60
    while not kills.cells(tmp_path / "plan-results") and time.monotonic() < until:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert re.search(
        r"stopped: \d+ of 120 cells are done, \d+ are left\n  go on with: chancemeter bench run",
        said,
    )
    assert "Traceback" not in said
    assert 0 < len(kills.cells(tmp_path / "plan-results")) < 120
    command += ["--backend", "threading"]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "120 of 120 cells done (" in found.stdout


def test_a_run_in_another_thread_takes_no_signals(tmp_path):
    done = []
    thread = threading.Thread(target=lambda: done.append(run_plan(loaded(), tmp_path, here())))
    thread.start()
    thread.join()
    assert done[0].left == 0
    parts = list((tmp_path / "predictions").iterdir())
    assert sum(pq.read_metadata(p).num_rows for p in parts) == 1312

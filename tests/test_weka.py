"""WEKA as a learner: what it is given, what it prints, and what is said when it cannot."""

from __future__ import annotations

import stat
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import require

import chancemeter as cm
from chancemeter.experiments import weka
from chancemeter.experiments.ben_david import recipes
from chancemeter.experiments.weka_folds import folds

HERE = Path("/usr/share/java/weka.jar").exists()
CLASSES = ["no", "yes, it's {so}"]


def arff(tmp_path: Path, *args) -> list[str]:
    weka.write_arff(tmp_path / "x.arff", *args)
    return (tmp_path / "x.arff").read_text().splitlines()


def fake(tmp_path: Path, monkeypatch, script: str) -> weka.Weka:
    """A WEKA whose Java is a script."""
    java = tmp_path / "java"
    java.write_text(f"#!/bin/sh\n{script}\n")
    java.chmod(java.stat().st_mode | stat.S_IEXEC)
    return weka.Weka(tmp_path / "weka.jar", str(java), (3, 6, 14))


def test_plain_values_keep_their_names_and_others_do_not(tmp_path: Path) -> None:
    columns = [
        weka.Column(np.array([1.5, np.nan])),
        weka.Column(np.array([1.0, np.nan]), ["low", "5more"]),
        weka.Column(np.array([0.0, 1.0]), ["%", "'}\n@data"]),
    ]
    assert arff(tmp_path, columns, np.array([0, 1]), CLASSES) == [
        "@relation data",
        "@attribute a0 numeric",
        "@attribute a1 {low,5more}",
        "@attribute a2 {v0,v1}",
        "@attribute a3 {v0,v1}",
        "@data",
        "1.5,5more,v0,v0",
        "?,?,v1,v1",
    ]
    assert arff(tmp_path, columns[:1], None, ["a", "b"])[-2:] == ["1.5,?", "?,?"]


def test_what_chancemeter_writes_its_own_reader_reads(tmp_path: Path) -> None:
    column = weka.Column(np.array([0.0, 1.0, 1.0]), ["a", "b"])
    weka.write_arff(tmp_path / "x.arff", [column, column], np.array([0, 1, 1]), CLASSES)
    t = cm.read(tmp_path / "x.arff", true="a0", predicted="a1").table
    assert t.counts.tolist() == [[1, 0], [0, 2]]


def test_java_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("JAVA_HOME", raising=False)
    with pytest.raises(cm.InputError, match=r"CM750.*needs Java"):
        weka.find_weka()


def test_weka_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake(tmp_path, monkeypatch, "echo no; exit 1")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setattr(weka, "_installed", lambda: None)
    with pytest.raises(cm.InputError, match=r"CM751.*not found"):
        weka.find_weka()
    with pytest.raises(cm.InputError, match="no such jar"):
        weka.find_weka(tmp_path / "nowhere.jar")
    tmp_path.joinpath("other.jar").write_text("no jar")
    with pytest.raises(cm.InputError, match="not WEKA"):
        weka.find_weka(tmp_path / "other.jar")


def test_the_jar_of_python_weka_wrapper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Found without importing the package, where Debian's is missing."""
    jar = tmp_path / "lib" / "weka.jar"
    jar.parent.mkdir()
    jar.touch()
    spec = SimpleNamespace(submodule_search_locations=[str(tmp_path)])
    monkeypatch.setattr(weka, "_DEBIAN", tmp_path / "nowhere.jar")
    monkeypatch.setattr(weka, "find_spec", lambda name: spec)
    assert weka._installed() == jar
    monkeypatch.setattr(weka, "find_spec", lambda name: None)
    assert weka._installed() is None


def test_newer_versions_are_asked_otherwise(tmp_path: Path, monkeypatch) -> None:
    """3.9 prints CSV, wants what lies beside its jar, and looks into Java's own classes."""
    script = 'echo "$JDK_JAVA_OPTIONS $*" >&2; printf "inst#,actual,predicted\\n1,1:?,2:b,+,0.9\\n"'
    old = fake(tmp_path, monkeypatch, script)
    tmp_path.joinpath("mtj.jar").touch()
    tmp_path.joinpath("weka.jar").touch()
    new = weka.Weka(old.jar, old.java, (3, 9, 7))
    column = weka.Column(np.array([0.0]))
    train = ([column], np.array([0]))
    assert new.predict("weka.X", "-C 1", train, [column], ["a", "b"]).tolist() == [1]
    _, err = new.run("weka.X", ["-y"], tmp_path)
    assert "--add-opens=java.base/java.lang=ALL-UNNAMED" in err
    assert "mtj.jar" in err
    _, err = old.run("weka.X", ["-y"], tmp_path)
    assert "add-opens" not in err
    assert "mtj.jar" not in err


def test_names_of_classes_are_no_options(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = fake(tmp_path, monkeypatch, "exit 0")
    for name in ("-jar", "x", "a.b; rm", "weka/J48"):
        with pytest.raises(cm.InputError, match="CM752"):
            found.run(name, [], tmp_path)


@pytest.mark.parametrize(
    ("printed", "match"),
    [
        ("echo 'Weka exception: Confidence has to be smaller'", "Confidence has to be"),
        ("echo '     1        1:?        2:1       0.9'", r"CM753.*1 prediction for 2 cases"),
        ("exit 0", "gave no predictions"),
    ],
)
def test_what_weka_says_of_it(tmp_path: Path, monkeypatch, printed: str, match: str) -> None:
    found = fake(tmp_path, monkeypatch, printed)
    column = weka.Column(np.array([0.0, 1.0]))
    with pytest.raises(cm.InputError, match=match):
        found.predict("weka.X", "", ([column], np.array([0, 1])), [column], ["a", "b"])


@pytest.mark.parametrize(
    "told",
    [
        "java.lang.OutOfMemoryError: Java heap space",
        "There is insufficient memory for the Java Runtime Environment to continue.",
        "Error occurred during initialization of VM: Could not reserve enough space",
    ],
)
def test_no_memory_for_java(tmp_path: Path, monkeypatch, told: str) -> None:
    """It is told as Python tells it, so that an experiment knows what kind of failure it was."""
    found = fake(tmp_path, monkeypatch, f"echo '{told}' >&2; exit 1")
    column = weka.Column(np.array([0.0, 1.0]))
    with pytest.raises(MemoryError, match=r"weka\.X"):
        found.predict("weka.X", "", ([column], np.array([0, 1])), [column], ["a", "b"])


def test_a_limit_of_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = fake(tmp_path, monkeypatch, "sleep 20")
    with pytest.raises(TimeoutError, match=r"not done within 0\.2 seconds"):
        found.run("weka.X", [], tmp_path, timeout=0.2)


def test_no_process_outlives_a_killed_one(tmp_path: Path, monkeypatch) -> None:
    """A cell that takes too long is killed with all that it began."""
    require("setpriv")
    found = fake(tmp_path, monkeypatch, f"echo $$ > {tmp_path}/pid; exec sleep 60")
    code = (
        "from pathlib import Path; from chancemeter.experiments.weka import Weka; "
        f"Weka(Path('x.jar'), {found.java!r}, (3, 6)).run('weka.X', [], Path('.'))"
    )
    parent = subprocess.Popen([sys.executable, "-c", code])
    file = tmp_path / "pid"
    waited_for(lambda: file.exists() and file.read_text().strip())
    child = Path("/proc") / file.read_text().strip() / "cmdline"
    waited_for(lambda: b"sleep" in child.read_bytes())
    parent.kill()
    parent.wait()
    waited_for(lambda: not child.exists() or not child.read_bytes())


def waited_for(what) -> None:
    for _ in range(300):
        if what():
            return
        time.sleep(0.1)
    raise AssertionError


# --- live


def test_one_fold_alone_is_as_in_wekas_own_cross_validation() -> None:
    """The order of the training cases follows from the seed too: support vectors depend on it."""
    require("weka.jar", HERE)
    data = recipes.prepared("Balance", recipes.balance())
    found, name = weka.find_weka(), "weka.classifiers.functions.SMO"
    truth, predicted = found.cross_validate(name, "-C 0.5", data, folds=4)
    train, test = next(folds(data.y.tolist(), 4))
    columns = weka.columns_of(data)
    chosen = [[weka.Column(c.values[rows], c.declared) for c in columns] for rows in (train, test)]
    alone = found.predict(name, "-C 0.5", (chosen[0], data.y[train]), chosen[1], data.classes)
    assert truth[: len(test)].tolist() == data.y[test].tolist()
    assert alone.tolist() == predicted[: len(test)].tolist()


def test_weka_classifier_in_the_hands_of_scikit_learn() -> None:
    import pandas as pd
    from sklearn.base import clone

    from chancemeter.experiments.weka_classifier import WekaClassifier

    require("weka.jar", HERE)
    rng = np.random.default_rng(0)
    x = pd.DataFrame({"a": rng.normal(size=60), "b": rng.choice(["p q", "r", None], 60)})
    y = np.where(x.a > 0, "it's, yes", "no")
    model = clone(WekaClassifier("weka.classifiers.trees.J48", "-M 4", timeout=60))
    assert model.get_params()["options"] == "-M 4"
    assert (model.fit(x, y).predict(x) == y).mean() > 0.9
    unseen = x.assign(b="never seen")
    assert (model.predict(unseen) == y).mean() > 0.9
    with pytest.raises(cm.InputError, match="1 column, not 2"):
        model.predict(x[["a"]])


def test_a_class_that_does_not_exist() -> None:
    from chancemeter.experiments.weka_classifier import WekaClassifier

    require("weka.jar", HERE)
    model = WekaClassifier("weka.classifiers.trees.J84").fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(cm.InputError, match=r"J84 gave no predictions[\s\S]*Could not find"):
        model.predict([[0.0]])

"""The study of 2007: WEKA's folds, the recipes of its data, its classifiers rebuilt."""

from __future__ import annotations

import gzip
import json
import shutil
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from conftest import require

import chancemeter as cm
from chancemeter.experiments import weka_folds
from chancemeter.experiments.ben_david import naive_bayes, recipes, run, sources, standins
from chancemeter.experiments.nominal import equal_width, nominal

GOLDEN = json.loads(
    gzip.decompress(
        Path(__file__).with_name("golden").joinpath("ben_david_folds.json.gz").read_bytes()
    )
)
FREE = [name for name in recipes.COLUMNS if not sources.needs_folder(name)]


def load(name: str):
    """A data set, from whatever package has it."""
    try:
        return sources.load(name)
    except cm.InputError:
        require(sources.SOURCES[name].package, present=False)


# --- java.util.Random, and the folds that follow from it


def test_java_random_gives_javas_numbers() -> None:
    """As Java 17 prints them for the seeds 42 and -7."""
    random = weka_folds.JavaRandom(42)
    assert [random.below(10) for _ in range(8)] == [0, 3, 8, 4, 0, 5, 5, 8]
    random = weka_folds.JavaRandom(-7)
    assert [random.below(2**30) for _ in range(3)] == [288967331, 967975648, 722822795]
    # nearly half of all numbers must be drawn again
    random = weka_folds.JavaRandom(3)
    assert [random.below(2**30 + 1) for _ in range(4)] == [
        152454210,
        144139128,
        488197459,
        757666882,
    ]


@pytest.mark.parametrize(("n", "k", "classes"), [(20, 2, 2), (90, 10, 3), (101, 7, 9), (5, 5, 1)])
def test_folds_share_out_all_cases_and_every_class(n: int, k: int, classes: int) -> None:
    y = np.random.default_rng(n).integers(0, classes, n)
    made = list(weka_folds.folds(y.tolist(), k, seed=3))
    assert sorted(np.concatenate([test for _, test in made]).tolist()) == list(range(n))
    for train, test in made:
        assert sorted([*train, *test]) == list(range(n))
        assert len(test) in {n // k, n // k + 1}
    each = [np.bincount(y[test], minlength=classes) for _, test in made]
    assert np.ptp(np.stack(each), axis=0).max() <= 2


def test_folds_of_nothing() -> None:
    with pytest.raises(cm.InputError, match="CM754"):
        next(weka_folds.folds([0, 1], k=3))


# --- data and recipes


def test_table_6_sizes() -> None:
    """Cases, attributes and classes as the paper's Table 6 has them, except that Balance has 3."""
    home = Path(recipes.__file__).with_name("printed.json")
    printed = json.loads(home.read_text("utf-8"))["table 6"]
    assert printed["Balance"] == [625, 4, 5]
    printed["Balance"][2] = 3
    printed["ESL"][2] = 10  # classes 1 to 9, declared 0 to 9
    for name in FREE:
        data = load(name)
        assert [len(data), len(data.attributes), len(data.classes)] == printed[name], name


@pytest.mark.parametrize("name", FREE)
def test_fold_margins_are_those_of_weka(name: str) -> None:
    """WEKA's matrices have in each fold the classes that the rebuilt folds put there."""
    data = load(name)
    rebuilt = [
        np.bincount(data.y[test], minlength=len(data.classes))
        for _, test in weka_folds.folds(data.y.tolist())
    ]
    for version in GOLDEN.values():
        for matrices in version[name].values():
            assert (np.array(matrices).sum(-1) == rebuilt).all()


@pytest.mark.parametrize("name", FREE)
def test_naive_bayes_is_that_of_weka_in_every_fold(name: str) -> None:
    found = run.sklearn_folds_of("NaiveBayes", load(name))
    for version in GOLDEN.values():
        assert found.tolist() == version[name]["NaiveBayes"]


def test_naive_bayes_by_fractions_and_with_ties() -> None:
    rng = np.random.default_rng(5)
    declared, classes = [3, 4, 2], 3
    codes, y = np.stack([rng.integers(0, n, 40) for n in declared], 1), rng.integers(0, classes, 40)
    found = naive_bayes.predict((codes, y), codes, declared, classes)
    for case, predicted in zip(codes, found.tolist(), strict=True):
        exact = []
        for c in range(classes):
            mine = codes[y == c]
            p = Fraction(len(mine) + 1, len(codes) + classes)
            for j, value in enumerate(case):
                p *= Fraction(int((mine[:, j] == value).sum()) + 1, len(mine) + declared[j])
            exact.append(p)
        assert exact[predicted] == max(exact)
    tie = np.array([[0], [0]]), np.array([0, 1])
    assert naive_bayes.predict(tie, np.array([[0]]), [2], 2).tolist() == [0]
    # products far below the least double: 0 is likelier, by 1/401 against 1/403, 900 times
    many = np.zeros((4, 900), int), np.array([0, 1, 1, 1])
    assert naive_bayes.predict(many, np.ones((1, 900), int), [400] * 900, 2).tolist() == [0]


@pytest.mark.parametrize("name", ["Balance", "ESL", "Monks-3"])
@pytest.mark.parametrize("model", list(standins.TITLES))
def test_standins_do_what_they_did(name: str, model: str) -> None:
    """Their distance to WEKA is taken from golden matrices; other versions may differ a little."""
    golden = next(x for made_by, x in GOLDEN.items() if made_by.startswith("scikit-learn"))
    ours, known = run.sklearn_folds_of(model, load(name)), np.array(golden[name][model])
    for m in (cm.accuracy, cm.kappa):
        assert m(ours).mean() == pytest.approx(m(known).mean(), abs=0.02)


def test_a_value_that_is_not_declared() -> None:
    with pytest.raises(cm.InputError, match="CM755"):
        nominal("d", {"a": list("xq"), "c": list("01")}, {"a": "xyz"})


def test_one_hot_uses_declared_values() -> None:
    data = nominal("d", {"a": list("xyx"), "c": list("010")}, {"a": "xyz"})
    assert standins.one_hot(data).shape == (3, 3)


def test_equal_width_is_wekas() -> None:
    """A value on a cut goes into the lower bin; the cuts are those of the whole range."""
    x = np.arange(11.0)
    assert equal_width(x, 10).tolist() == [0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
    assert equal_width(np.array([5.0, 5.0]), 4).tolist() == [0, 0]


def test_credit_and_post_operative_from_a_folder(tmp_path: Path) -> None:
    """Invented rows are refused: only those of the study have the fingerprint."""
    tmp_path.joinpath("crx.data").write_text("b,30.83,0,u,g,w,v,1.25,t,t,01,f,g,00202,0,+\n")
    with pytest.raises(cm.InputError, match="CM757") as caught:
        sources.load("Credit", tmp_path)
    assert "1 row" in str(caught.value)
    assert "fingerprint" in str(caught.value)
    tmp_path.joinpath("post-operative.csv").write_text("a,b\n1,2\n")
    with pytest.raises(cm.InputError, match="CM756"):
        sources.load("Post Operative", tmp_path)
    assert sources.load("Post Operative") is None


def test_rows_from_openml(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another way of writing the same rows; any other rows are refused here too."""
    from chancemeter.experiments import openml

    rows = [
        ["mid", "low", "good", "mid", "stable", "stable", "stable", str(i), "AIS"[i % 3]]
        for i in range(6)
    ]
    path = tmp_path / "data.arff"
    lines = ["@relation p", "% about", "@attribute decision {A, I, S}", "@DATA", ""]
    lines += [",".join([*row[:-2], f"{row[-2]}.0", f"'{row[-1]} '"]) for row in rows]
    path.write_text("\n".join(lines))
    asked = []
    monkeypatch.setattr(
        openml, "fetch", lambda number, name: asked.append(number) or openml.Fetched(path, None, ())
    )
    with pytest.raises(cm.InputError, match="CM757"):
        sources.load("Post Operative", fetch=True)
    known = replace(sources.SOURCES["Post Operative"], fingerprint=sources.fingerprint(rows))
    monkeypatch.setitem(sources.SOURCES, "Post Operative", known)
    data = sources.load("Post Operative", fetch=True)
    assert data.y.tolist() == [0, 1, 2, 0, 1, 2]
    assert asked == [34, 34]
    assert sources.load("Post Operative") is None


def test_missing_values_become_means_and_modes() -> None:
    rows = [
        ["?", "1", "0", "u", "g", "?", "v", "0", "t", "t", "0", "f", "g", "10", "0", "+"],
        ["a", "?", "1", "u", "g", "w", "v", "1", "t", "t", "0", "f", "g", "?", "1", "-"],
        ["a", "4", "2", "y", "g", "w", "v", "2", "t", "t", "9", "f", "g", "30", "2", "-"],
    ]
    raw = {
        k: list(c) for k, c in zip(recipes.COLUMNS["Credit"], zip(*rows, strict=True), strict=True)
    }
    data = recipes.prepared("Credit", raw)
    at = {key: i for i, key in enumerate(data.attributes)}
    assert data.codes[0, at["A1"]] == data.codes[1, at["A1"]]
    assert data.values[at["A6"]][data.codes[0, at["A6"]]] == "w"
    assert data.values[at["A2"]][data.codes[1, at["A2"]]] == "b5"  # the mean, 2.5, on the fifth cut
    assert data.values[at["A14"]][data.codes[1, at["A14"]]] == "b5"


def test_packages_and_folders_hold_the_same_rows(tmp_path: Path) -> None:
    """In a folder the rows of the ordinal data sets may come in any order."""
    package = Path(sources._packaged("LEV", sources.SOURCES["LEV"]))
    rows = [line for line in package.read_text().splitlines()[1:] if line]
    tmp_path.joinpath("lev.csv").write_text("in1,in2,in3,in4,class\n" + "\n".join(rows[::-1]))
    assert Counter(sources.load("LEV", tmp_path).y.tolist()) == Counter(load("LEV").y.tolist())
    assert (sources.load("LEV", tmp_path).codes == load("LEV").codes).all()


def test_a_package_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "find_spec", lambda name: None)
    with pytest.raises(cm.InputError, match="chancemeter\\[studies\\]"):
        sources.load("Car")


# --- WEKA itself


def test_weka_live_on_two_small_data_sets() -> None:
    from chancemeter.experiments.weka import find_weka

    require("weka.jar", Path("/usr/share/java/weka.jar").exists() and bool(shutil.which("java")))
    weka = find_weka()
    for name, model in (("Monks-3", "NaiveBayes"), ("Balance", "C4.5")):
        found = run.weka_folds_of(weka, model, load(name))
        assert found.tolist() == GOLDEN[str(weka)][name][model]

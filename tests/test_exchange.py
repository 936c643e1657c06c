"""Results to and from WEKA's Experimenter, and its verdicts beside ours."""

from __future__ import annotations

import gzip
import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from conftest import require
from study_page import STUDY, grid_of

import chancemeter as cm
from chancemeter.experiments import exchange
from chancemeter.experiments.grid import Grid, results
from chancemeter.experiments.values import fold_values
from chancemeter.experiments.wins import wins

HERE = Path(__file__).with_name("golden")
GOLDEN = json.loads(gzip.decompress((HERE / "ben_david_folds.json.gz").read_bytes()))
TESTER = json.loads((HERE / "weka_tester.json").read_text("utf-8"))
GRID = grid_of(GOLDEN[STUDY])
#: Two lines as WEKA 3.6.14's Experimenter writes them, without most of its columns.
WEKA_CSV = """\
Key_Dataset,Key_Run,Key_Fold,Key_Scheme,Key_Scheme_options,Key_Scheme_version_ID,Date_time,\
Number_of_training_instances,Number_of_testing_instances,Percent_correct,Kappa_statistic,Summary
balance,1,1,weka.classifiers.trees.J48,'-C 0.25 -M 2',-217733168393644444,2.0261119213E7,\
416.0,209.0,69.85645933014354,0.4424778761061946,'Number of leaves: 29\\nSize of the tree: 36\\n'
balance,1,2,weka.classifiers.trees.J48,'-C 0.25 -M 2',-217733168393644444,2.0261119213E7,\
417.0,208.0,65.38461538461539,?,?
"""


def odd_grid() -> Grid:
    """Names that mean something to others, and a cell without predictions."""
    counts = np.array(
        [[[[[3, 1], [0, 4]], [[2, 2], [2, 2]]]], [[[[4, 0], [0, 4]], [[0, 0], [0, 0]]]]]
    )
    done = [[[True, True]], [[True, False]]]
    names = ['it\'s, "so"\\', "=1+1"]
    return Grid((results("=cmd|' x", names, counts, labels="ab", train=8, test=8, done=done),))


@pytest.mark.parametrize("measure", ["accuracy", "kappa"])
def test_verdicts_are_those_of_wekas_corrected_tester(measure: str) -> None:
    """Every pair on every data set; numbers of data sets; ranking."""
    found, golden = wins(GRID), TESTER[measure]
    names = list(GRID.classifiers)
    for i, base in enumerate(golden["verdicts"]):
        for d, row in enumerate(base):
            assert found.verdicts[measure][d, :, i].tolist() == row
    every, significant = found.counts(measure)
    for i, j in permutations(range(len(names)), 2):
        assert golden["summary"][i][j] == f"{every[i, j]} ({significant[i, j]})"
    ours = {(str(w - n), str(w), str(n), name) for name, w, n in found.ranking(measure)}
    assert ours == {tuple(row) for row in golden["ranking"]}
    order = [w - n for _, w, n in found.ranking(measure)]
    assert order == sorted(order, reverse=True)


def test_wins_ties_losses_add_up() -> None:
    found = wins(GRID)
    for m, (a, b) in ((m, p) for m in found.verdicts for p in permutations(GRID.classifiers, 2)):
        w, t, n = found.record(m, a, b)
        assert w + t + n == 12
        assert found.record(m, b, a) == (n, t, w)
    assert found.record("accuracy", "Logistic", "NaiveBayes") == (4, 8, 0)


@pytest.mark.parametrize("form", ["csv", "arff"])
def test_there_and_back(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"r.{form}"
    path.write_text(exchange.to_weka(GRID, form, ["mcc"]), "utf-8")
    back, ours = exchange.from_weka(path), fold_values(GRID, ["accuracy", "kappa", "mcc"])
    assert (back.datasets, back.classifiers) == (ours.datasets, ours.classifiers)
    for m in ours.measures:
        for x, y in zip(back.of(m), ours.of(m), strict=True):
            assert np.allclose(x, y, rtol=0, atol=1e-15, equal_nan=True)
    assert all((x == y).all() for x, y in zip(back.test, ours.test, strict=True))
    assert wins(back).ranking("kappa") == wins(GRID).ranking("kappa")


@pytest.mark.parametrize("form", ["csv", "arff"])
def test_odd_names_and_gaps_there_and_back(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"r.{form}"
    text = exchange.to_weka(odd_grid(), form)
    path.write_text(text, "utf-8")
    back = exchange.from_weka(path)
    assert back.datasets == ("=cmd|' x",)
    assert back.classifiers == ('it\'s, "so"\\', "=1+1")
    assert np.isnan(back.of("kappa")[0]).tolist() == [[[False, False]], [[False, True]]]
    assert not any(line.startswith(("=", "+", "-", "@cmd")) for line in text.splitlines())


def test_a_file_of_wekas_experimenter(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(WEKA_CSV)
    found = exchange.from_weka(path)
    assert found.classifiers == ("J48",)
    assert found.of("accuracy")[0][0].round(4).tolist() == [[0.6986, 0.6538]]
    assert np.isnan(found.of("kappa")[0]).tolist() == [[[False, True]]]
    assert found.train[0].tolist() == [[416, 417]]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (("Number_of_testing_instances", "x"), "CM760", "no corrected test"),
        (("65.38461538461539", "many"), "CM760", "is no number"),
        (("balance,1,2", "balance,1,1"), "CM761", "two lines"),
        ((",?,?", ",?"), "CM760", "another number of values"),
        (("Key_Scheme,", "Scheme,"), "CM760", "no column Key_Scheme"),
    ],
)
def test_what_is_no_result_file(tmp_path: Path, change, code: str, message: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(WEKA_CSV.replace(*change))
    with pytest.raises(cm.InputError, match=code) as caught:
        exchange.from_weka(path)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("@attribute when date", "date attributes are not read"),
        ("@attribute bag relational", "relational attributes are not read"),
        ("@data\n{1 x}", "sparse rows are not read"),
    ],
)
def test_arff_that_is_not_read(tmp_path: Path, line: str, message: str) -> None:
    path = tmp_path / "r.arff"
    path.write_text(f"@relation r\n@attribute Key_Dataset string\n{line}\n@data\n")
    with pytest.raises(cm.InputError, match=message):
        exchange.from_weka(path)


def test_wekas_tester_live(tmp_path: Path) -> None:
    """What is exported today still gives the golden verdicts in WEKA itself."""
    require("weka.jar", Path("/usr/share/java/weka.jar").exists())
    import sys

    sys.path.insert(0, str(HERE))
    from make_weka_tester import run, verdicts

    from chancemeter.experiments.weka import find_weka

    (tmp_path / "r.arff").write_text(exchange.to_weka(GRID, "arff"), "utf-8")
    base = verdicts(run(find_weka(), tmp_path, 15, "-b", "1", "-significance"))
    assert [[row.get(k, 0) for k in range(1, 6)] for row in base] == TESTER["kappa"]["verdicts"][0]

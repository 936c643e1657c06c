"""What an experiment says: values, intervals, rankings, verdicts, in every form."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from study_page import STUDY, grid_of

import chancemeter as cm
from chancemeter import folds
from chancemeter.cli import main
from chancemeter.experiments import exchange, sheets, summaries
from chancemeter.experiments.analysis import analyse
from chancemeter.experiments.grid import Failure, Grid, results
from chancemeter.experiments.values import fold_values, panel

RAW = Path(__file__).with_name("golden").joinpath("ben_david_folds.json.gz").read_bytes()
GRID = grid_of(json.loads(gzip.decompress(RAW))[STUDY])


def random_grid(shape=(3, 2, 5), sets=2, k=3, seed=0) -> Grid:
    rng = np.random.default_rng(seed)
    names = [f"m{i}" for i in range(shape[0])]
    found = [
        results(f"d{i}", names, rng.integers(0, 9, (*shape, k, k)), labels=range(k), train=100)
        for i in range(sets)
    ]
    return Grid(tuple(found))


# --- values


@pytest.mark.parametrize("measure", ["accuracy", "kappa", "informedness", "f_score@macro"])
def test_means_and_corrected_intervals_are_those_of_one_classifier_alone(measure: str) -> None:
    grid = random_grid()
    p, m = panel(grid, [measure]), cm.get(measure)
    for d, one in enumerate(grid):
        for c in range(3):
            values = np.asarray(m(one.tables.counts[c]))
            known = folds.corrected_t_interval(values, train=one.train, test=one.test)
            assert p.of(m.key)[d, c] == pytest.approx(known.value, abs=1e-12)
            low, high = known.interval
            assert p.half_of(m.key)[d, c] == pytest.approx((high - low) / 2, abs=1e-12)


def test_plain_intervals_are_students_and_refused_for_repeated_folds() -> None:
    p = panel(GRID, ["kappa"], interval="plain", level=0.9)
    for d, one in enumerate(GRID):
        x = np.asarray(cm.kappa(one.tables.counts[0, 0]))
        reach = stats.t.ppf(0.95, 9) * x.std(ddof=1) / np.sqrt(10)
        assert p.half_of("kappa")[d, 0] == pytest.approx(reach, abs=1e-12)
    with pytest.raises(cm.InputError, match="CM516"):
        panel(random_grid(), ["kappa"], interval="plain")


def test_folds_that_are_all_alike_have_no_corrected_interval() -> None:
    monks = GRID.datasets.index("Monks-3")
    assert np.isnan(panel(GRID, ["kappa"]).half_of("kappa")[monks, 0])
    assert panel(GRID, ["kappa"], interval="plain").half_of("kappa")[monks, 0] == 0


def test_pooled_and_mean_of_folds_are_two_numbers_under_two_names() -> None:
    mean, pooled = panel(GRID, ["kappa"]), panel(GRID, ["kappa"], form="pooled")
    assert (mean.form, pooled.form) == ("folds", "pooled")
    one = GRID.results[0]
    assert pooled.of("kappa")[0, 1] == pytest.approx(cm.kappa(one.of("SMO").pool().counts))
    apart = np.abs(mean.of("kappa") - pooled.of("kappa"))
    assert 0.001 < apart.max() < 0.05


def test_undefined_folds_are_left_out_and_counted() -> None:
    counts = np.zeros((1, 1, 3, 2, 2), int)
    counts[0, 0, 0], counts[0, 0, 1], counts[0, 0, 2] = (
        [[9, 0], [0, 0]],
        [[3, 1], [1, 3]],
        [[4, 0], [1, 3]],
    )
    grid = Grid((results("d", ["m"], counts, labels="ab", train=20),))
    p = panel(grid, ["kappa"])
    assert p.of("kappa")[0, 0] == pytest.approx((0.5 + 0.75) / 2)
    assert "kappa: 1 fold undefined and left out" in p.notes


def test_cells_without_predictions_have_no_value() -> None:
    counts = np.array([[[[[4, 0], [0, 4]], [[0, 0], [0, 0]]]]])
    one = results("d", ["m"], counts, labels="ab", train=8, test=8, done=[[[True, False]]])
    grid = Grid((one,), (Failure("d", "m", 1, 2, "time", "took too long"),))
    found = analyse(grid)
    assert found.absent == 1
    assert "m on d, 1×: time: took too long" in repr(found)
    assert "undefined and left out" not in repr(found)
    assert np.isnan(found.values.of("kappa")[0]).tolist() == [[[False, True]]]


def test_a_single_split_has_values_and_neither_intervals_nor_tests(tmp_path: Path) -> None:
    found = analyse(random_grid((3, 1, 1), sets=3))
    assert np.isfinite(found.panel.of("kappa")).all()
    assert np.isnan(found.panel.half_of("kappa")).all()
    assert found.flips == []
    assert "one fold says nothing" in repr(found)
    found.save(tmp_path / "x.html")


def test_a_data_set_and_a_classifier_without_any_predictions(tmp_path: Path) -> None:
    grid = random_grid((2, 1, 3), sets=3)
    empty, half = (np.zeros((2, 1, 3, 3, 3), int), random_grid((2, 1, 3)).results[0].tables.counts)
    half = half * np.array([1, 0])[:, None, None, None, None]
    sizes = {"labels": range(3), "train": 100, "test": 40}
    gone = results("gone", ["m0", "m1"], empty, done=np.zeros((2, 1, 3), bool), **sizes)
    part = results("part", ["m0", "m1"], half, done=half.sum((-2, -1)) > 0, **sizes)
    found = analyse(Grid((*grid.results, gone, part)), ["kappa", "accuracy"])
    assert found.absent == 9
    for form in ("html", "txt", "md", "tex", "csv"):
        found.save(tmp_path / f"x.{form}")
    assert found.demsar.grids["kappa"].left_out == ("gone", "part")
    json.dumps(found.to_dict(), allow_nan=False)
    assert "undefined" in repr(found)


def test_nothing_at_all() -> None:
    with pytest.raises(cm.InputError, match="CM761"):
        analyse(Grid(()))


def test_measures_of_classes_are_refused() -> None:
    with pytest.raises(cm.InputError, match=r"CM762[\s\S]*recall@macro"):
        fold_values(GRID, ["recall"])


# --- summaries


def test_regression_is_that_of_scipy_and_its_clustered_error_that_of_statsmodels() -> None:
    import statsmodels.api as sm

    values = fold_values(GRID, ["accuracy", "kappa"])
    found = summaries.regressions(values)[2]
    x = np.concatenate([a[2].ravel() for a in values.of("accuracy")])
    y = np.concatenate([a[2].ravel() for a in values.of("kappa")])
    line = stats.linregress(x, y)
    assert found.slope == pytest.approx(line.slope)
    assert found.r_squared == pytest.approx(line.rvalue**2)
    assert found.p_independent == pytest.approx(line.pvalue, rel=1e-6)
    model = sm.OLS(y, sm.add_constant(x)).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(12), 10)}, use_t=True
    )
    assert found.p_clustered == pytest.approx(model.pvalues[1], rel=1e-6)


def test_verdicts_of_the_corrected_test_are_those_of_folds() -> None:
    grid = random_grid((3, 1, 6), sets=4, seed=3)
    values = fold_values(grid, ["kappa"])
    found = summaries.corrected(values, "kappa", 0.8)
    for d, x in enumerate(values.of("kappa")):
        known = folds.corrected_t(x[0], x[2], train=values.train[d], test=values.test[d])
        assert found[d, 0, 2] == (np.sign(known.statistic) if known.p <= 0.2 else 0)
        assert found[d, 2, 0] == -found[d, 0, 2]


def test_less_is_better_turns_the_verdicts() -> None:
    values = fold_values(GRID, ["accuracy", "error_rate"])
    better = summaries.corrected(values, "accuracy")
    assert (summaries.corrected(values, "error_rate") == better).all()
    p = panel(values)
    assert (summaries.places(p, "accuracy") == summaries.places(p, "error_rate")).all()


def test_flips_name_what_speaks_and_what_is_silent() -> None:
    found = analyse(GRID, ["accuracy", "kappa", "mcc"]).flips
    assert [(x.dataset, x.better, x.other, x.speaking, x.silent) for x in found] == [
        ("Contraceptive", "NaiveBayes", "SMO", ("kappa", "mcc"), ("accuracy",)),
        ("Post Operative", "SMO", "RandomForest", ("mcc",), ("accuracy", "kappa")),
    ]


def test_an_undefined_measure_is_not_silent() -> None:
    """A constant classifier has no mcc: that is no verdict of mcc."""
    good, constant = [[[9, 1], [0, 10]]] * 4 + [[[9, 1], [1, 9]]], [[[10, 0], [10, 0]]] * 5
    grid = Grid((results("d", ["tree", "guess"], [[good], [constant]], labels="ab", train=80),))
    assert analyse(grid, ["kappa", "mcc"]).flips == []
    assert analyse(grid, ["kappa", "mcc"]).wins.record("kappa", "tree", "guess") == (1, 0, 0)


def test_measures_of_the_plan_and_measures_asked_for() -> None:
    planned = Grid(GRID.results, measures=("kappa", "recall", "mcc"))
    assert analyse(planned).measures == ("kappa", "mcc")
    with pytest.raises(cm.InputError, match="recall@macro"):
        analyse(planned, ["recall"])


# --- in every form


def test_every_form_is_written(tmp_path: Path) -> None:
    found = analyse(GRID, ["accuracy", "kappa"])
    for form in ("html", "md", "txt", "tex", "csv"):
        text = found.save(tmp_path / f"x.{form}").read_text("utf-8")
        for word in ("Contraceptive", "Critical-difference diagram by kappa", "Rankings by wins"):
            assert word in text.replace("{-}", "-"), (form, word)
    json.dumps(found.to_dict(), allow_nan=False)


def test_the_headline() -> None:
    said = analyse(GRID).headline
    assert "12 data sets × 5 classifiers × 10 folds." in said
    assert "Chance gives 39.3% of all cases on average." in said
    assert "rank otherwise than by accuracy on 5 of 12 data sets" in said


def test_demsar_is_that_of_compare_datasets() -> None:
    found = analyse(GRID).demsar
    p = panel(GRID, ["kappa"])
    values = {
        c: dict(zip(p.datasets, p.of("kappa")[:, j].tolist(), strict=True))
        for j, c in enumerate(p.classifiers)
    }
    assert found.ranks["kappa"].ranks == cm.compare_datasets({"kappa": values}).ranks["kappa"].ranks


def test_one_data_set_has_no_tests_over_data_sets() -> None:
    found = analyse(Grid(GRID.results[:1]))
    assert found.demsar is None
    assert "Over data sets" not in sheets.FORMS["text"](found.document())


def test_hostile_names_in_every_form(tmp_path: Path) -> None:
    counts = np.array([[[[[3, 1], [0, 4]], [[2, 2], [2, 2]]]]] * 2)
    names = ["=HYPERLINK(1)", "<b>\\input{x}|"]
    grid = Grid(
        tuple(results(d, names, counts, labels="ab", train=8) for d in ("@x\x1b[31m", "+1"))
    )
    found = analyse(grid)
    assert "\x1b" not in repr(found)
    found.save(tmp_path / "x.html")
    page = (tmp_path / "x.html").read_text("utf-8")
    assert "<b>\\input" not in page
    assert "&lt;b&gt;\\input" in page
    assert "\\input{" not in found.save(tmp_path / "x.tex").read_text("utf-8")
    rows = csv.reader(io.StringIO(found.save(tmp_path / "x.csv").read_text("utf-8")))
    text = [cell for row in rows for cell in row]
    strange = [x for x in text if x.startswith(sheets._FORMULA) and not _is_number(x)]
    assert strange == []


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


# --- the command


def test_show_a_file_of_weka(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "r.arff"
    path.write_text(exchange.to_weka(GRID, "arff", ["mcc"]), "utf-8")
    shown = ["bench", "show", str(path)]
    assert main([*shown, "accuracy", "mcc", "-o", str(tmp_path / "x.md")]) == 0
    assert "wins − losses by mcc: SMO +6" in capsys.readouterr().out
    assert "pooled" not in (tmp_path / "x.md").read_text("utf-8")
    assert main([*shown, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["measures"] == ["accuracy", "kappa", "mcc"]


def test_show_a_folder_by_other_measures_and_for_weka(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A run, seen by measures that its plan does not name, and the same folds by WEKA's file."""
    plan = tmp_path / "plan.toml"
    plan.write_text(PLAN)
    folder, file = str(tmp_path / "res"), tmp_path / "r.csv"
    assert main(["bench", "run", str(plan), "--out", folder, "--quiet"]) == 0
    assert main(["bench", "show", folder, "kappa", "informedness", "--weka", str(file)]) == 0
    out = capsys.readouterr().out
    assert "2 data sets × 2 classifiers × 3 folds. Chance gives" in out
    assert "best by informedness" in out
    values = fold_values(Grid.from_store(folder), ["kappa"])
    back = exchange.from_weka(file)
    for x, y in zip(values.of("kappa"), back.of("kappa"), strict=True):
        assert np.allclose(x, y, rtol=0, atol=1e-15)
    assert back.classifiers == values.classifiers


PLAN = """
measures = ["accuracy"]
[design]
folds = 3
[data.iris]
sklearn = "load_iris"
[data.wine]
sklearn = "load_wine"
[classifiers.bayes]
use = "sklearn.naive_bayes.GaussianNB"
[classifiers.guess]
use = "sklearn.dummy.DummyClassifier"
"""


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["nowhere"], "error[CM709]"),
        (["nowhere", "kapa"], "did you mean kappa?"),
        (["r.csv", "informedness"], "'informedness' was not worked out"),
        (["r.csv", "--weka", "y.arff"], "WEKA's already"),
        (["r.csv", "-o", "y.pdf"], "what kind of file"),
        (["r.csv", "--level", "3"], "a level lies between 0 and 1"),
    ],
)
def test_bad_commands(args, message, tmp_path, monkeypatch, capsys) -> None:
    monkeypatch.chdir(tmp_path)
    Path("r.csv").write_text(exchange.to_weka(GRID), "utf-8")
    assert main(["bench", "show", *args]) == 2
    assert message in capsys.readouterr().err

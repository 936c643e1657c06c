"""The study of 2007 beside its reproduction: verdicts, tables recomputed, the page, the command."""

from __future__ import annotations

import csv
import gzip
import io
import json
from pathlib import Path

import numpy as np
import pytest
from conftest import require
from study_page import distances, grid_of, page

import chancemeter as cm
from chancemeter.cli import main
from chancemeter.experiments import sheets, summaries
from chancemeter.experiments.ben_david import page as study_page
from chancemeter.experiments.ben_david import printed as paper
from chancemeter.experiments.ben_david import side_by_side

HERE = Path(__file__).parent
GOLDEN = json.loads(
    gzip.decompress(HERE.joinpath("golden", "ben_david_folds.json.gz").read_bytes())
)
STUDIES = {made_by: side_by_side.study(grid_of(x), made_by) for made_by, x in GOLDEN.items()}
WEKA = STUDIES["WEKA 3.6.14"]
#: Mean absolute differences of accuracy and kappa between stand-ins and WEKA 3.6.14.
KNOWN = {
    "C4.5": (0.0274, 0.0435),
    "SMO": (0.0012, 0.0017),
    "NaiveBayes": (0, 0),
    "Logistic": (0.0013, 0.0015),
    "RandomForest": (0.0113, 0.0284),
}


def test_39_of_40_cells_equal_the_print_in_all_six_numbers() -> None:
    assert WEKA.tally(recovered=True) == {"equal": 39, "within": 1, "outside": 0, "of": 40}
    assert WEKA.tally()["of"] == 60
    missed = [(x.dataset, x.classifier) for x in WEKA.cells if x.verdict == "outside"]
    assert missed == [("Car", "RandomForest"), ("Contraceptive", "SMO")]
    assert WEKA.cell("SWD", "SMO").verdict == "within"


def test_weka_3_9_differs_in_logistic_regression() -> None:
    newer = STUDIES["WEKA 3.9.7"]
    assert newer.tally(recovered=True)["equal"] == 37
    changed = {
        (x.dataset, x.classifier)
        for x, y in zip(WEKA.cells, newer.cells, strict=True)
        if x.verdict != y.verdict
    }
    assert changed == {("Balance", "Logistic"), ("Credit", "Logistic")}


@pytest.mark.parametrize("model", KNOWN)
def test_standins_are_as_near_as_known(model: str) -> None:
    """Over all twelve data sets, to four decimals."""
    found = distances(GOLDEN)[model]
    assert (np.round(found, 4) <= KNOWN[model]).all(), found


def test_repaired_chance_is_that_of_the_margins() -> None:
    for (dataset, model), (value, half) in paper.REPAIRED.items():
        x = WEKA.cell(dataset, model)
        assert (round(x.margins[0], 4), round(x.margins[1], 4)) == (value, half)
    differs = {
        (x.dataset, x.classifier) for x in WEKA.cells if abs(x.ours[4] - x.margins[0]) > 1e-9
    }
    assert differs == set(paper.REPAIRED)


# --- Tables 7 to 12 from Tables A


def test_table_7_from_tables_a() -> None:
    """Every entry within the rounding of five cells that were rounded themselves."""
    table, old = summaries.Means(paper.as_printed()), paper.printed()["table 7"]
    for m, measure in enumerate(paper.MEASURES):
        value, half = table.column(measure)
        for i, name in enumerate(table.panel.datasets):
            assert np.allclose(
                [value[i], half[i]], old["rows"][name][2 * m : 2 * m + 2], atol=1.01e-4
            )
        assert np.allclose(table.average(measure), old["average"][2 * m : 2 * m + 2], atol=1.01e-4)
    right = summaries.Means(paper.as_printed(repaired=True))
    assert round(right.average("chance")[0], 4) == 0.3776
    assert right.average("accuracy") == table.average("accuracy")


@pytest.mark.parametrize("model", KNOWN)
def test_averages_of_tables_a(model: str) -> None:
    table = summaries.PerClassifier(model, paper.as_printed())
    found = [x for m in paper.MEASURES for x in table.average(m)]
    assert np.allclose(found, paper.printed()["averages"][model], atol=1.01e-4)


def test_table_8_of_ours() -> None:
    found = summaries.regressions(paper.folds_of(WEKA.grid))
    known = [0.6858, 0.7156, 0.6844, 0.7793, 0.7239]
    assert [round(x.r_squared, 4) for x in found] == known
    for x in found:
        assert x.n == 120
        assert x.clusters == 12
        assert x.p_independent < 1e-25 < x.p_clustered < 1e-4


def test_table_9_from_tables_a() -> None:
    found = {
        x.dataset: {c: list(p) for c, p in zip(x.classifiers, x.places, strict=True)}
        for x in summaries.disagreements(paper.as_printed())
    }
    assert found == paper.printed()["table 9"]
    ours = [x.dataset for x in summaries.disagreements(WEKA.panel)]
    assert ours == ["Contraceptive", "ESL", "Housing", "LEV", "Post Operative"]


def test_table_10_from_tables_a() -> None:
    p = paper.as_printed()
    i = p.datasets.index("Post Operative")
    for j, name in enumerate(p.classifiers):
        accuracy, kappa, chance = (float(p.of(m)[i, j]) for m in paper.MEASURES)
        places = [float(summaries.places(p, m)[i, j]) for m in ("accuracy", "kappa")]
        found = [accuracy, places[0], kappa, places[1], chance]
        assert found == paper.printed()["table 10"][name]


def test_table_11_from_tables_a_and_repaired() -> None:
    found = {x.dataset: x for x in summaries.spreads(paper.as_printed(), "chance")}
    for name, (lowest, highest, percent) in paper.printed()["table 11"].items():
        assert found[name].highest == (highest,)
        if percent is None:
            assert len(found[name].lowest) == 4
            assert np.isnan(found[name].relative)
        else:
            assert found[name].lowest == (lowest,)
            assert abs(100 * found[name].relative - percent) < 0.11
    right = {x.dataset: x for x in summaries.spreads(paper.as_printed(repaired=True), "chance")}
    assert round(100 * right["Balance"].relative, 1) == 7.7
    assert round(100 * right["Monks-3"].relative, 1) == 0.4


def test_table_12_is_non_overlap_and_not_a_t_test() -> None:
    found = summaries.flips(paper.as_printed(), test="overlap")
    assert sorted([x.better, x.other, x.dataset] for x in found) == sorted(
        paper.printed()["table 12"]
    )
    assert all((x.speaking, x.silent) == (("kappa",), ("accuracy",)) for x in found)
    by_t = summaries.flips(paper.folds_of(WEKA.grid))
    assert ("LEV", "SMO") not in {(x.dataset, x.better) for x in by_t}


# --- the page


def test_the_page_in_the_documentation_is_up_to_date() -> None:
    """``make docs`` makes it from the golden fold matrices."""
    on_disk = HERE.parent.joinpath("docs", "ben-david-2007.md").read_text("utf-8")
    assert on_disk == page(GOLDEN)


def test_every_form_holds_every_table() -> None:
    document = study_page.document(WEKA)
    for form, write in sheets.FORMS.items():
        text = write(document)
        for name in (
            "A.1",
            "A.5",
            "Table 7",
            "Table 8",
            "Table 9",
            "Table 10",
            "Table 11",
            "Table 12",
        ):
            assert name in text, (form, name)
        assert "0.6336" in text


def test_csv_holds_the_numbers() -> None:
    rows = list(csv.reader(io.StringIO(sheets.comma_separated(study_page.document(WEKA)))))
    start = next(i for i, row in enumerate(rows) if row and row[0].startswith("Table A.1"))
    assert rows[start + 1][:6] == ["data set", "", "accuracy", "±", "printed", "±"]
    assert rows[start + 2][:2] + rows[start + 2][4:6] == ["Balance", "equal", "0.6336", "0.0361"]
    assert len(rows[start + 1]) == len(rows[start + 2])


def test_spreadsheets_find_no_formula() -> None:
    g = sheets.grid("=1+1", ("x", "-2"), [("@a", [sheets.told("+3"), sheets.figure(-0.5)])])
    from chancemeter.reports.document import Document, Section

    text = sheets.comma_separated(Document("t", "", "", (Section("s", "s", (g,)),)))
    assert text.splitlines() == ["'=1+1", "x,'-2", "'@a,'+3,-0.5", ""]


# --- the command


def test_the_command_with_scikit_learn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    args = ["reproduce", "ben-david-2007", "--engine", "sklearn", "--only", "Monks-3"]
    assert main([*args, "-o", str(tmp_path / "x.tex")]) == 0
    out = capsys.readouterr().out
    assert "Of 4 cells whose data and classifier are recovered, 4 are equal" in out
    assert "not run, private data: EFE, English Comp, Proj. Man." in out
    assert "not run, not asked for: Balance, Car, Contraceptive, ERA" in out
    assert "not run, no package has the rows (--data FOLDER, or --openml): Credit, Post" in out
    assert r"\toprule" in (tmp_path / "x.tex").read_text("utf-8")
    assert main([*args, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["cells"][2]["verdict"] == "equal"
    assert found["cells"][2]["chance from the margins"] == pytest.approx(0.4999, abs=1e-4)


def test_the_command_with_weka(capsys: pytest.CaptureFixture[str]) -> None:
    require("weka.jar", Path("/usr/share/java/weka.jar").exists())
    assert main(["reproduce", "ben-david-2007", "--only", "Monks-3"]) == 0
    assert "4 are equal" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["ben-david-2008"], "error[CM758]: no study is called 'ben-david-2008'"),
        (["ben-david-2007", "--engine", "wekka"], "did you mean weka?"),
        (["ben-david-2007", "--engine", "sklearn", "--only", "Cars"], "did you mean Car?"),
        (["ben-david-2007", "--engine", "sklearn", "--data", "nowhere"], "--data is no folder"),
        (["ben-david-2007", "--jar", "nowhere.jar"], "there is no such jar"),
        (["ben-david-2007", "-o", "x.pdf"], "what kind of file"),
    ],
)
def test_bad_commands(args: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reproduce", *args]) == 2
    assert message in capsys.readouterr().err


def test_a_folder_with_other_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    tmp_path.joinpath("credit-a.csv").write_text(",".join(paper.printed()["columns"]) + "\n")
    args = ["--engine", "sklearn", "--only", "Credit", "--data", str(tmp_path)]
    assert main(["reproduce", "ben-david-2007", *args]) == 2
    assert "Credit has 16 columns, the class last" in capsys.readouterr().err


def test_results_speak_for_themselves() -> None:
    with pytest.raises(cm.UnknownNameError, match="was not worked out"):
        WEKA.panel.of("mcc")

"""The page that takes a matrix: its sentences and numbers are the library's."""

import numpy as np
import pytest

import chancemeter as cm
from browser.pages import EXAMPLES
from browser.test_numbers import compare
from browser.test_page import HOSTILE, SETTINGS, axe
from chancemeter.figures import number, percent
from chancemeter.reports import explore
from chancemeter.verdict import IDEAS

RNG = np.random.default_rng(5)
TABLES = [
    [[70, 10], [20, 900]],
    [[60, 125], [5, 5000]],
    [[1759, 0], [241, 0]],
    [[10, 40], [30, 20]],
    [[5, 5], [5, 5]],
    [[40, 0], [0, 60]],
    [[9, 0], [0, 0]],
    [[9999, 1], [0, 1]],
    *(RNG.poisson(RNG.uniform(0, 30, (k, k))).tolist() for k in (2, 3, 4, 6, 9)),
]


def fill(page, text):
    page.locator("#cells").fill(text)


def written(counts):
    return "\n".join(" ".join(map(str, row)) for row in counts)


def test_sentences_and_numbers_are_those_of_the_library(visit):
    seen = 0
    with visit(explore.page()) as page:
        for counts in TABLES:
            fill(page, written(counts))
            t = cm.table(counts)
            found = cm.luck(t, interval=None)
            told = page.locator("#shown section").first
            lines = [
                told.locator(".lead").inner_text(),
                *told.locator(".warning").all_inner_texts(),
            ]
            assert " ".join(lines) == str(found).replace("\n", " "), counts
            grid = page.get_by_role("region", name="The same accuracy under six ideas").locator(
                "tr"
            )
            for i, key in enumerate(IDEAS, 1):
                for data, true in zip(
                    grid.nth(i).locator("data").all(), found.ideas[key], strict=True
                ):
                    value = float(data.get_attribute("value"))
                    assert value == pytest.approx(true, abs=1e-9, nan_ok=True), (counts, key)
                    seen += 1
            classes = page.get_by_role("region", name="Classes").locator("tbody tr")
            keys = ["recall", "precision", "f_score", "informedness@each"]
            scores = cm.score(t, keys)
            for i in range(t.k):
                figures = classes.nth(i).locator("data").all()
                for key, data in zip(keys, figures, strict=True):
                    value, true = float(data.get_attribute("value")), scores[key][i]
                    assert value == pytest.approx(true, abs=1e-9, nan_ok=True), (counts, key)
                    assert data.inner_text() == number(true)
                    seen += 1
            shares = t.counts.sum(1) / t.total
            if (shares > 0).sum() > 1:
                seen += compare(page, {"The classifier": counts}, shares)
    assert seen > 500


def test_orientation(visit):
    with visit(explore.page()) as page:
        fill(page, "10 5\n7 8")
        page.get_by_label("the prediction").check()
        compare(page, {"The classifier": [[10, 7], [5, 8]]}, [17 / 30, 13 / 30])
        page.get_by_label("the truth").check()
        compare(page, {"The classifier": [[10, 5], [7, 8]]}, [0.5, 0.5])


LAID_OUT = {
    "blanks": "60 125\n5 5000",
    "tabs": "60\t125\n5\t5000",
    "commas": "60,125\n5,5000",
    "semicolons": "60;125\n5;5000",
    "thousands": "60 125\n5 5,000",
    "labels": "  cat dog\ncat 60 125\ndog 5 5000",
    "csv": "truth,cat,dog\ncat,60,125\ndog,5,5000",
    "markdown": "| | cat | dog |\n|---|---:|---:|\n| cat | 60 | 125 |\n| dog | 5 | 5000 |",
    "empty lines": "\n60 125\n\n5 5000\n\n",
}


@pytest.mark.parametrize("text", LAID_OUT.values(), ids=LAID_OUT)
def test_matrices_as_people_paste_them(visit, text):
    with visit(explore.page()) as page:
        fill(page, text)
        assert page.locator("#err").inner_text() == ""
        compare(page, {"The classifier": [[60, 125], [5, 5000]]}, [185 / 5190, 5005 / 5190])


WRONG = {
    "": "There are no cells yet.",
    "1 2\n3": "Row 2 has 1 numbers; a square matrix of 2 rows needs 2.",
    "1 2\n3 x": "Row 2, column 2: “x” is not a count.",
    "1 -2\n3 4": "Row 1, column 2: “-2” is not a count.",
    "5": "A confusion matrix has two rows at least.",
    "0 0\n0 0": "There are no cases: nothing can be said.",
    "  a b\nb 1 2\na 3 4": "Row 1 is called “b”, column 1 “a”.",
    "<img src=x onerror=alert(1)>,2\n3,4": "Row 1, column 1: “<img",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_matrix_is_said(visit, text):
    with visit(explore.page()) as page:
        fill(page, text)
        assert WRONG[text] in page.locator("#err").inner_text()
        assert page.locator("#shown").inner_text() == ""
        assert page.locator("img").count() == 0
        fill(page, "1 2\n3 4")
        assert page.locator("#err").inner_text() == ""


def test_a_file_of_predictions(visit):
    counts = cm.read(EXAMPLES / "forest.csv").table.counts
    with visit(explore.page()) as page:
        page.locator("#file").set_input_files(EXAMPLES / "forest.csv")
        page.get_by_text("2,000 cases").wait_for()
        compare(page, {"The classifier": counts}, counts.sum(1) / 2000)
        page.locator("#pred").select_option("y_true")
        assert percent(1.0) in page.locator(".lead").inner_text()


def test_files_with_quotes_and_strange_labels(visit, tmp_path):
    labels = [label for label in HOSTILE if "\n" not in label]
    rows = [(a, b) for a in labels for b in labels]
    quoted = "\r\n".join(",".join('"' + x.replace('"', '""') + '"' for x in row) for row in rows)
    path = tmp_path / "strange.csv"
    path.write_text(f"\ufefflabel,prediction\r\n{quoted}\r\n", "utf-8")
    with visit(explore.page()) as page:
        page.locator("#file").set_input_files(path)
        page.get_by_text(f"{len(rows)} cases").wait_for()
        text = page.locator("#shown").inner_text()
        for label in (*HOSTILE[:3], "שלום עולם", "\\u{1b}[31mred", "\\u{202e}gnp.exe"):
            assert label in text
        assert page.locator("img").count() == 0
        assert "\x1b" not in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,b\n1,2\n3\n", "Line 3 has 1 fields"),
        ("a\n1\n", "two columns at least"),
        ("a,b\n1,2\n", "Say which columns"),
        ("y_true,y_pred\n1,\n", "1 row lacks a label."),
        ('y_true,y_pred\n"1,2\n', "A quote is opened"),
        ("y_true,y_pred\n" + "".join(f"{i},{i}\n" for i in range(60)), "60 classes"),
    ],
)
def test_files_that_cannot_be_read(visit, tmp_path, text, said):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with visit(explore.page()) as page:
        page.locator("#file").set_input_files(path)
        page.get_by_text(said).wait_for()
        assert page.locator("#shown").inner_text() == ""


@pytest.mark.parametrize("setting", ["light", "dark", "phone"])
def test_axe_finds_nothing(visit, setting):
    with visit(explore.page(), bypass_csp=True, **SETTINGS[setting]) as page:
        page.evaluate(axe())
        found = page.evaluate("() => axe.run()")["violations"]
        assert not [(v["id"], [n["html"][:200] for n in v["nodes"]]) for v in found]
        width, room = page.evaluate("() => [document.documentElement.scrollWidth, innerWidth]")
        assert width <= room

"""Every threshold in a report: in all its forms, and what is said of bad scores."""

import json
import re
from pathlib import Path

import pytest

import chancemeter as cm
from chancemeter.cli import main
from chancemeter.figures import number
from chancemeter.reports import curves, squeeze

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"


@pytest.fixture
def run(tmp_path, monkeypatch, capsys):
    for name in ("forest.csv", "logreg.csv"):
        (tmp_path / name).write_bytes((EXAMPLES / name).read_bytes())
    monkeypatch.chdir(tmp_path)

    def run(*args):
        code = main(["report", *args])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run


def curve_of(name):
    return cm.curve(EXAMPLES / f"{name}.csv", "score", true="y_true")


def test_in_every_form(run, tmp_path):
    c = curve_of("forest")
    for form in ("html", "md", "txt", "json", "tex"):
        target = f"both.{form}"
        assert run("forest.csv", "logreg.csv", "--score", "score", "-o", target)[0] == 0
        text = Path(target).read_text("utf-8")
        assert number(c.auk) in text or form == "json"
    assert "The ranking is usable, the threshold is not" in Path("both.md").read_text("utf-8")


def test_json_is_as_its_schema_says(run):
    import jsonschema

    run("forest.csv", "logreg.csv", "--score", "score", "-o", "both.json")
    found = json.loads(Path("both.json").read_text("utf-8"))
    schema = json.loads((ROOT / "docs" / "report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(found)
    for name in ("forest", "logreg"):
        c = curve_of(name)
        mine = found["curves"][name]
        assert mine["scalars"]["auc"] == c.auc
        assert mine["threshold"]["value"] == pytest.approx(c["kappa"].max())
        assert mine["threshold"]["value_in_use"] == pytest.approx(cm.kappa(c.at(0.5)))


def test_pictures_are_drawn_by_python_and_small(run):
    run("forest.csv", "--score", "score", "-o", "one.html")
    run("forest.csv", "-o", "none.html")
    with_curves, without = (Path(f"{x}.html").read_text("utf-8") for x in ("one", "none"))
    assert len(with_curves.encode()) - len(without.encode()) < 22_000
    paths = re.findall(r'<path class="curve m0" d="M[^"]+"', with_curves)
    assert len(paths) == 2
    assert "curves-data" not in without


def test_a_page_of_two_models_is_small(run):
    assert run("forest.csv", "logreg.csv", "--score", "score", "-o", "two.html")[0] == 0
    assert len(Path("two.html").read_bytes()) <= 40_000


@pytest.mark.parametrize(
    "values",
    [[0], [0, 1, 35, 36, 36 * 26 - 1, 36 * 26, 10**15], [0.5, 2, 2], [3, 2, 1], list(range(99))],
)
def test_steps_are_read_as_they_were(values):
    """As the page reads them: capitals are digits before the last."""
    packed = curves.packed(values)
    if isinstance(packed, str):
        found, total, high = [], 0, 0
        for x in packed:
            if x.isupper():
                high = 26 * high + ord(x) - 65
            else:
                total += 36 * high + int(x, 36)
                high = 0
                found.append(total)
        packed = found
    assert packed == values


def test_names_of_a_script_stay_apart():
    """Names of one statement may be those of another, where neither sees the other."""
    script = """const shared = 1;
function first(one, {two, three: [four]}) { return one + two + four + shared + Math.max(one); }
function second(five = shared, ...six) { const seven = {five, six}; return seven.five; }"""
    assert squeeze.renamed(script) == (
        "let a=1;function b(c,{two:d,three:[e]}){return c+d+e+a+Math.max(c)}"
        "function c(b=a,...d){let e={five:b,six:d};return e.five}"
    )


def test_what_is_written_stays():
    """Marks, quotes and blanks in words and values are no markup."""
    page = """<p title="a = b">"x" = </p><p title="it's">&lt;p class="y"></p>"""
    assert squeeze.markup(page) == """<p title="a = b">"x" = <p title="it's">&lt;p class="y"></p>"""


def test_a_report_without_scores_says_nothing_of_them():
    found = cm.report([[70, 10], [20, 900]])
    assert "Every threshold" not in found.to_html()
    assert found.to_dict()["curves"] == {}


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        (["forest.csv", "--score", "scroe"], "CM101", "did you mean score?"),
        (["forest.csv", "--score", "score", "--score", "id"], "CM402", "once for each --pred"),
        (["forest.csv", "--score", "score", "--positive", "yes"], "CM601", "yes"),
    ],
)
def test_what_is_asked_wrongly_writes_nothing(run, args, code, words):
    exit_code, out, err = run(*args, "-o", "new.html")
    assert exit_code == 2
    assert not out
    assert code in err
    assert words in err
    assert not Path("new.html").exists()


def test_hostile_names_and_labels_stay_words():
    evil = "</script><b>x"
    c = cm.curve([evil, "b"] * 20, [i / 40 for i in range(40)], positive=evil)
    t = cm.table([[10, 10], [10, 10]], labels=[evil, "b"])
    page = cm.report({evil: t}, curves={evil: c}).to_html()
    assert evil not in page
    assert "<b>x" not in page


def test_models_on_different_cases():
    few = cm.curve([1] * 5 + [0] * 45, [i / 50 for i in range(50, 0, -1)])
    many = cm.curve([1] * 25 + [0] * 25, [i / 50 for i in range(50, 0, -1)])
    t = cm.table([[10, 10], [10, 10]], labels=["1", "0"])
    page = cm.report({"few": t, "many": t}, curves={"few": few, "many": many}).to_text()
    assert "Shares of positives differ (10.0%, 50.0%)" in page.replace("\n", " ").replace("  ", " ")


def test_more_models_than_can_be_told_apart():
    t = cm.table([[10, 10], [10, 10]], labels=["1", "0"])
    c = cm.curve([1, 0] * 20, [i / 40 for i in range(40)])
    found = cm.report({f"m{i}": t for i in range(8)}, curves={f"m{i}": c for i in range(8)})
    assert "2 more models are not drawn" in found.to_text()
    assert len(found.to_dict()["curves"]) == 8


def test_a_model_without_a_band_keeps_its_colour():
    one = cm.curve([1] + [0] * 30, [0.5, *(i / 30 for i in range(30))])
    c = cm.curve([1, 0] * 20, [i / 40 for i in range(40)])
    t = cm.table([[10, 10], [10, 10]], labels=["1", "0"])
    page = cm.report({"one": t, "two": t}, curves={"one": one, "two": c}).to_html()
    chart = page[page.index("data-chart=k") :]
    assert re.findall(r'path class="(\w+ m\d)"', chart)[:3] == ["band m1", "curve m0", "curve m1"]
    assert "one: too few cases of one class for a band" in page

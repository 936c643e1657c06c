"""Reports: one document in many forms, whose figures agree; written whole or not at all."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

import chancemeter as cm
from chancemeter import cli
from chancemeter.errors import InputError
from chancemeter.figures import number, percent
from chancemeter.reports import compose, html, latex, markdown, saving, words
from chancemeter.reports.document import Chart, Document, Dot, Line, Section, Sentence, Span

EXAMPLES = Path(__file__).parents[1] / "examples"


def both():
    tables = {name: cm.read(EXAMPLES / f"{name}.csv").table for name in ("forest", "logreg")}
    return cm.report(tables, command="chancemeter report forest.csv logreg.csv")


class Words(HTMLParser):
    """What is read on a page, in order."""

    def __init__(self, page):
        super().__init__()
        self.parts, self._quiet = [], 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self._quiet += tag in {"script", "style", "title"}

    def handle_endtag(self, tag):
        self._quiet -= tag in {"script", "style", "title"}

    def handle_data(self, data):
        if not self._quiet:
            self.parts.append(data)

    @property
    def text(self):
        return " ".join("".join(self.parts).split())


PEOPLE = {
    "lucky": ([[1754, 5], [236, 5]], ["88.0%", "87.6%", "won 3% of", "Always answering “0”"]),
    "skilled": ([[450, 50], [40, 460]], ["91.0%", "50.0%", "won 82% of"]),
    "worse than the majority": (
        [[800, 100], [60, 40]],
        ["84.0%", "78.8%", "won 25% of", "Always answering “0” would be right in 90.0%, more than"],
    ),
    "perfect": ([[70, 0], [0, 30]], ["100.0%", "58.0%", "won all that chance left to win"]),
}


@pytest.mark.parametrize("who", PEOPLE)
def test_the_answer_is_in_the_first_hundred_words(who):
    table, wanted = PEOPLE[who]
    read = Words(cm.report({who: table}).to_html()).text
    first = " ".join(read.split()[:100])
    for words_ in wanted:
        assert words_ in first, first


def test_every_form_prints_the_same_figures():
    report = both()
    forms = [Words(report.to_html()).text, report.to_text(), report.to_markdown()]
    for m in report.models:
        figures = [percent(m.luck.accuracy), percent(m.luck.chance)]
        for score in m.scores.scores.values():
            low, high = score.interval.limits
            figures += [number(score.value), f"[{number(low)}, {number(high)}]"]
        figures += [f"{x:,}" for x in m.table.counts.flat]
        figures += [number(beyond) for _, beyond in m.luck.ideas.values()]
        for figure in figures:
            for form in forms:
                assert figure in form.replace("\\[", "[").replace("\\]", "]"), figure
        for score in m.scores.scores.values():
            assert number(score.value) in report.to_latex()


def test_json_holds_everything_that_is_shown():
    report = both()
    found = json.loads(report.to_json())
    assert found["schema"] == "chancemeter-report/1"
    assert [m["name"] for m in found["models"]] == ["forest", "logreg"]
    for m, said in zip(report.models, found["models"], strict=True):
        assert said["counts"] == m.table.counts.tolist()
        assert said["luck"]["kappa"] == m.luck.kappa
        for key, score in m.scores.scores.items():
            assert said["measures"][key]["value"] == score.value
            assert said["measures"][key]["interval"] == list(score.interval.limits)
        assert said["classes"]["recall"]["value"] == m.classes["recall"]
        assert cm.table(said) == m.table


def test_json_knows_no_nan():
    report = cm.report({"one class": [[9, 0], [0, 0]], "empty": [[0, 0], [0, 0]]})
    found = json.loads(report.to_json(), parse_constant=pytest.fail)
    assert found["models"][0]["measures"]["kappa"]["value"] is None
    assert found["models"][0]["measures"]["kappa"]["undefined"]["code"] == "one_and_the_same_class"


def test_undefined_is_said_with_its_reason():
    for form in ("to_html", "to_text", "to_markdown"):
        found = getattr(cm.report({"one class": [[9, 0], [0, 0]]}), form)()
        assert "truth and prediction hold one class only, the same one" in found
        assert "nan" not in re.sub(r"<(script|style).*?</\1>", "", found, flags=re.DOTALL).lower()


@pytest.mark.parametrize(
    "table",
    [[[1, 0], [0, 0]], [[0, 0], [0, 0]], [[3]], [[5]], np.eye(200, dtype=int).tolist()],
    ids=["one case", "no cases", "one class", "five", "200 classes"],
)
def test_small_and_large(table):
    report = cm.report(table)
    for form in ("to_html", "to_text", "to_markdown", "to_latex", "to_json"):
        assert getattr(report, form)()
    assert report._repr_mimebundle_()["text/html"]


def test_many_models_and_long_names():
    tables = {f"{'x' * 490}{i:03}": [[5, i], [2, 7]] for i in range(100)}
    report = cm.report(tables)
    assert "The best of 100 models" in report.to_text()
    assert len(report.to_html()) < 400_000


def test_a_notebook_gets_no_script_and_little_to_load():
    bundle = both()._repr_mimebundle_()
    assert set(bundle) == {"text/plain", "text/html", "text/markdown"}
    assert len(bundle["text/html"].encode()) < 10_000
    assert "<script" not in bundle["text/html"]
    assert "forest" in bundle["text/html"]
    assert "style=" not in bundle["text/html"]


def test_folds_groups_and_slices():
    rng = np.random.default_rng(2)
    truth = rng.integers(0, 2, 300)
    rows = {
        "y_true": truth,
        "y_pred": np.where(rng.random(300) < 0.8, truth, 1 - truth),
        "fold": np.arange(300) % 5,
        "doctor": np.arange(300) // 10,
        "site": np.where(np.arange(300) < 200, "north", "south"),
    }
    reading = cm.read(rows, fold="fold", group="doctor", by="site")
    report = cm.report(reading)
    assert [p.entry for p in report.parts if p.axis == "fold"] == [0, 1, 2, 3, 4]
    assert sum(p.luck.n for p in report.parts if p.axis == "slice") == 300
    (m,) = report.models
    assert m.table == cm.tally(truth, rows["y_pred"])
    kappa = m.scores.scores["kappa"].interval
    assert kappa.signature == cm.interval("kappa", reading.table.pool("fold", "slice")).signature
    text = report.to_text()
    assert "By fold" in text
    assert "north" in text
    one = cm.kappa(reading.table.pool("group", "slice").select(fold=3))
    assert number(one) in text


def test_models_of_different_classes_are_brought_together():
    report = cm.report(
        {"a": cm.tally(["x", "y"], ["x", "y"]), "b": cm.tally(["x", "z"], ["x", "x"])}
    )
    assert {m.table.labels for m in report.models} == {("x", "y", "z")}


HOSTILE = ["<img src=x onerror=alert(1)>", "=cmd()", "\x1b[31mred", "\u202eevil", "a|b`c*d_e$f%g"]


def test_hostile_labels_stay_text_in_every_form():
    k = len(HOSTILE)
    table = cm.table(np.full((k, k), 3) + 5 * np.eye(k, dtype=int), HOSTILE)
    report = cm.report({HOSTILE[0]: table}, notes=HOSTILE, command="\x1b[2J")
    for form in ("to_html", "to_text", "to_markdown", "to_latex"):
        found = getattr(report, form)()
        assert "\x1b" not in found, form
        assert "\u202e" not in found, form
    for form in (report.to_html(), report.to_markdown(), report._repr_mimebundle_()["text/html"]):
        outside = re.sub(r"```.*?```", "", form, flags=re.DOTALL)
        assert "<img" not in outside
    assert r"a|b`c*d\_e\$f\%g".replace("|", r"\textbar{}") in report.to_latex()


def test_markdown_is_shown_as_it_is_meant():
    markdown_it = pytest.importorskip("markdown_it")
    label = "*a* _b_ `c` <b>d</b> | [e](f) @g #1 https://h"
    report = cm.report({label: cm.table([[5, 1], [2, 7]], [label, "x"])})
    shown = markdown_it.MarkdownIt("commonmark").enable("table").render(report.to_markdown())
    read = Words(shown).text
    assert read.count(label[:39]) > 3
    assert "<em>" not in shown
    assert "<a " not in shown
    assert shown.count("<table>") == 4


def test_unknown_nodes_are_refused():
    page = Document("a", "b", "c", [Section("answer", "d", [Sentence((Span("e"),)), object()])])
    with pytest.raises(TypeError, match="no node"):
        html.page(page)


# Files


@pytest.mark.parametrize("kind", ["html", "htm", "txt", "md", "tex", "json", "csv"])
def test_the_name_says_the_kind(tmp_path, kind):
    path = both().save(tmp_path / f"report.{kind}")
    made = path.read_text("utf-8")
    starts = {
        "csv": "model,part",
        "html": "<!doctype",
        "htm": "<!doctype",
        "json": "{",
        "tex": "%",
        "md": "# How",
    }
    assert made.startswith(starts.get(kind, "How much"))


def test_a_kind_that_does_not_exist(tmp_path):
    with pytest.raises(InputError, match="CM402"):
        both().save(tmp_path / "report.pdf")


def test_nothing_is_overwritten_unasked(tmp_path):
    path = tmp_path / "report.txt"
    path.write_text("mine")
    with pytest.raises(InputError, match=r"CM009.*exists already"):
        both().save(path)
    assert path.read_text() == "mine"
    both().save(path, force=True)
    assert path.read_text("utf-8").startswith("How much")
    assert [x.name for x in tmp_path.iterdir()] == ["report.txt"]


@pytest.mark.parametrize("when", ["write", "fsync", "put"])
def test_a_full_disk_leaves_the_old_file_whole(tmp_path, monkeypatch, when):
    path = tmp_path / "report.txt"
    path.write_text("old")

    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    if when == "write":
        monkeypatch.setattr(saving.os, "fdopen", full)
    elif when == "fsync":
        monkeypatch.setattr(saving.os, "fsync", full)
    else:
        monkeypatch.setattr(saving.Path, "replace", full)
    with pytest.raises(InputError, match=r"CM009.*No space left"):
        saving.save(path, "new", force=True)
    assert path.read_text() == "old"
    assert [x.name for x in tmp_path.iterdir()] == ["report.txt"]


def test_paths_that_cannot_be_written(tmp_path):
    with pytest.raises(InputError, match="CM009"):
        saving.save(tmp_path / "no" / "such" / "folder.txt", "x")
    with pytest.raises(InputError, match="CM009"):
        saving.save(tmp_path, "x", force=True)
    with pytest.raises(InputError, match="CM009"):
        saving.save(tmp_path / ("x" * 300), "x")
    with pytest.raises(InputError, match="CM009"):
        saving.save("a\0b", "x")


def test_a_file_made_meanwhile_is_not_lost(tmp_path, monkeypatch):
    path = tmp_path / "report.txt"
    fsync = os.fsync

    def slow(handle):
        path.write_text("theirs")
        fsync(handle)

    monkeypatch.setattr(saving.os, "fsync", slow)
    with pytest.raises(InputError, match="exists already"):
        saving.save(path, "ours")
    assert path.read_text() == "theirs"
    assert [x.name for x in tmp_path.iterdir()] == ["report.txt"]


def test_a_file_system_without_links(tmp_path, monkeypatch):
    def no_links(*args):
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(saving.os, "link", no_links)
    assert saving.save(tmp_path / "report.txt", "x").read_text() == "x"
    assert [x.name for x in tmp_path.iterdir()] == ["report.txt"]


def test_permissions_are_those_of_other_files(tmp_path):
    plain = tmp_path / "plain"
    plain.write_text("")
    made = saving.save(tmp_path / "made.txt", "x")
    assert made.stat().st_mode == plain.stat().st_mode
    made.chmod(0o600)
    assert saving.save(made, "y", force=True).stat().st_mode & 0o777 == 0o600


# The command


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    for example in EXAMPLES.glob("*.csv"):
        (tmp_path / example.name).write_bytes(example.read_bytes())
    monkeypatch.chdir(tmp_path)

    def run(*command):
        code = cli.main(list(command))
        return code, *capsys.readouterr()

    return run


def test_report_writes_a_page_and_says_the_answer(run, tmp_path):
    code, out, _ = run("report", "forest.csv", "logreg.csv")
    assert code == 0
    assert "It won\n46% of what chance left to win" in out
    assert "The whole report: report.html" in out
    page = (tmp_path / "report.html").read_text("utf-8")
    assert "chancemeter report forest.csv logreg.csv" in page
    assert run("report", "forest.csv", "logreg.csv")[0] == 2
    assert run("report", "forest.csv", "logreg.csv", "--force")[0] == 0


def test_report_of_one_file_is_called_after_it(run, tmp_path):
    run("report", "cats.csv", "--matrix", "--rows", "truth")
    assert (tmp_path / "cats.report.html").exists()
    code, out, _ = run("report", "forest.csv", "--no-html", "--interval", "none")
    assert code == 0
    assert "interval" not in out
    assert sorted(tmp_path.glob("*report*")) == [tmp_path / "cats.report.html"]


def test_nothing_is_read_if_nothing_can_be_written(run, tmp_path):
    (tmp_path / "old.html").write_text("")
    code, out, err = run("report", "nothing.csv", "-o", "old.html")
    assert (code, out) == (2, "")
    assert "exists already" in err


def test_a_model_named_twice(run, tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "forest.csv").write_bytes((tmp_path / "forest.csv").read_bytes())
    code, out, err = run("report", "forest.csv", "a/forest.csv")
    assert (code, out) == (2, "")
    assert "two models are called forest" in err


def test_explore_writes_its_page_once(run, tmp_path):
    assert run("explore")[0] == 0
    assert len((tmp_path / "explore.html").read_bytes()) < 40_000
    assert run("explore")[0] == 2
    assert run("explore", "--force", "-o", "explore.html")[0] == 0


def test_the_parts_are_used_by_name():
    """The modules that write know nothing of results."""
    assert words.first(compose.document(both())).startswith("2,000 cases")
    assert markdown.escaped("a_b") == "a\\_b"
    assert latex.escaped("a_b") == "a\\_b"


def test_a_chart_is_drawn_and_told():
    lines = [
        Line([(0, 0), (0.5, 0.8), (1, 1)], "a < b"),
        Line([(0, 0), (1, 1)], kind="guide", label="chance"),
        Line([(0, 0), (1, 1), (1, 0.5)], "a < b", kind="band"),
    ]
    node = Chart("ROC", "false alarms", "hits", lines, "It rises.", [Dot((0.2, 0.5), "a < b")])
    made = html.fragment([node])
    assert 'class="curve m0" d="M0 1000l500-800 500-200"' in made
    assert "a < b" not in made
    assert "cx=20% cy=50%" in made
    assert "ROC: It rises." in made
    document = Document("t", "f", "a", [Section("curves", "Curves", [node])])
    for form in (words.written, markdown.written):
        assert "It rises." in form(document)
    assert "tabular" not in latex.written(document)


# Several models


def five_models(n=800):
    rng = np.random.default_rng(1)
    truth = np.where(rng.random(n) < 0.85, "no", "yes")

    def like(skill, bias):
        guess = np.where(rng.random(n) < bias, "no", "yes")
        return np.where(rng.random(n) < skill, truth, guess)

    models = {"never": np.full(n, "no"), "a": like(0.55, 0.8), "b": like(0.5, 0.8)}
    return cm.same_rows(truth, models | {"bold": like(0.6, 0.5), "c": like(0.2, 0.9)})


def test_models_on_the_same_cases_are_compared_case_by_case():
    rows = five_models()
    found = cm.report(rows)
    alone = cm.compare(rows, draws=500)
    assert found.comparison.paired
    assert found.comparison.flips == alone.flips
    assert found.to_dict()["comparison"]["differences"] == alone.to_dict()["differences"]
    for form in (found.to_text(), Words(found.to_html()).text, found.to_markdown()):
        shown = " ".join(re.sub(r"\\|\*\*", "", form).split())
        assert "Which is better" in shown
        assert "The verdict changes with the measure for 7 of 10 pairs" in shown
        assert "comes first in" in shown
        x = alone.difference("kappa", "a", "bold")
        assert f"+{number(x.value)} [{number(x.low)}, {number(x.high)}] p = 0.111" in shown
        assert "never and c: accuracy never, kappa c, mcc neither, informedness c" in shown


def test_places_that_accuracy_does_not_give_are_marked():
    document = compose.document(cm.report(five_models()))
    (section,) = (s for s in document.sections if s.key == "better")
    places = next(node for node in section.nodes if getattr(node, "corner", "") == "model")
    for row in places.rows:
        first, *others = row.cells
        assert not first.mark
        assert all(cell.mark == (cell.text != first.text) for cell in others)
    assert [row.cells[1].text for row in places.rows] == ["1", "2", "3", "4", "5"]


def test_tables_alone_are_compared_as_different_cases():
    found = both()
    assert not found.comparison.paired
    assert "differences are unpaired" in found.to_text()


def test_two_files_with_the_same_cases_are_compared_case_by_case(run):
    run("report", "forest.csv", "logreg.csv", "-o", "r.json")
    found = json.loads(Path("r.json").read_text())["comparison"]
    assert found["paired"]
    assert found["right"][0]["counts"] == [[1748, 85], [11, 156]]
    # the same rows in another order are other cases
    lines = Path("logreg.csv").read_text().splitlines()
    Path("logreg.csv").write_text("\n".join([lines[0], *reversed(lines[1:])]))
    run("report", "forest.csv", "logreg.csv", "-o", "r.json", "--force")
    assert not json.loads(Path("r.json").read_text())["comparison"]["paired"]
    run("report", "forest.csv", "logreg.csv", "-o", "r.json", "--force", "--id", "id")
    assert json.loads(Path("r.json").read_text())["comparison"]["paired"]


def test_what_cannot_be_compared_is_left_out():
    other = cm.table([[5, 1], [2, 7]], ["x", "y"])
    mixed = cm.table([[5, 1], [2, 7]], [1, 2])
    for tables in ({"a": other, "b": mixed}, {"a": other, "b": cm.table([[0, 0], [0, 0]], "xy")}):
        found = cm.report(tables)
        assert found.comparison is None
        assert "Which is better" not in found.to_text()


def test_of_very_many_models_the_best_are_compared():
    tables = {f"m{i:03}": [[50, i], [20, 70]] for i in range(100)}
    found = cm.report(tables).comparison
    assert found.names == tuple(f"m{i:03}" for i in range(8))
    assert found.notes[0] == "the 8 best of 100 models by kappa are compared"


def test_rows_that_lack_a_model():
    rows = cm.same_rows(list("aabb"), {"x": list("aabb"), "y": list("abbb")})
    with pytest.raises(InputError, match=r"CM402.*lack a model"):
        cm.report({"x": [[2, 0], [0, 2]], "z": [[1, 1], [0, 2]]}, rows=rows)


def test_spreadsheets_compute_nothing():
    labels = ["=cmd()|' /C calc'!A0", "@SUM(1)", "+1+1", "-2+3", "\t=1", " =1", "-1.5", 'a,b"c']
    k = len(labels)
    t = cm.table(np.full((k, k), 3) + 5 * np.eye(k, dtype=int), labels)
    found = cm.report({"=HYPERLINK(1)": t})
    rows = list(csv.reader(io.StringIO(found.to_csv())))
    cells = {cell for row in rows for cell in row}
    for cell in cells:
        is_number = re.fullmatch(r"-?[\d.]+(e-?\d+)?", cell)
        assert is_number or not cell.lstrip().startswith(("=", "+", "-", "@", "\t")), cell
    for label in ("'=cmd()|' /C calc'!A0", "'@SUM(1)", "'-2+3", "-1.5", "'=HYPERLINK(1)"):
        assert label in cells
    kappa = next(row for row in rows if row[3] == "kappa")
    assert float(kappa[4]) == cm.kappa(t)
    counts = {row[2]: row[4] for row in rows if row[3] == "count"}
    assert len(counts) == k * k
    assert counts['a,b"c predicted as a,b"c'] == "8"


def test_json_is_as_its_schema_says():
    import jsonschema

    schema = json.loads((EXAMPLES.parent / "docs" / "report.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    check = jsonschema.Draft202012Validator(schema)
    nothing = cm.report({"one class": [[9, 0], [0, 0]], "empty": [[0, 0], [0, 0]], "1": [[3]]})
    reading = cm.read(EXAMPLES / "sentences.csv", true="person", predicted="model", by="document")
    for found in (both(), cm.report(five_models()), nothing, cm.report(reading)):
        check.validate(json.loads(found.to_json()))
    broken = json.loads(both().to_json())
    del broken["models"][0]["measures"]["kappa"]["value"]
    assert not check.is_valid(broken)


def test_predictions_are_never_written_over(run, tmp_path):
    before = (tmp_path / "forest.csv").read_bytes()
    for command in (
        ["report", "logreg.csv", "./forest.csv", "-o", "forest.csv", "--force"],
        ["check", "forest.csv", "--min", "kappa=0", "-o", "forest.csv", "--force"],
        ["check", "logreg.csv", "--beats", "forest.csv", "-o", "forest.csv", "--force"],
    ):
        code, out, err = run(*command)
        assert (code, out) == (2, "")
        assert "this file is read from" in err
    assert (tmp_path / "forest.csv").read_bytes() == before


def test_when_no_more_can_be_written_the_whole_report_stays(tmp_path):
    """The system refuses to write more than a few bytes, as a full disk does."""
    (tmp_path / "r.html").write_text("whole")
    limited = (
        "import resource, sys; from chancemeter import cli;"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000)); sys.exit(cli.main(sys.argv[1:]))"
    )
    command = ["report", str(EXAMPLES / "forest.csv"), "-o", "r.html", "--force"]
    done = subprocess.run(
        [sys.executable, "-c", limited, *command], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert done.stderr.splitlines()[0] == (
        "error[CM009]: the file cannot be written: File too large"
    )
    assert (tmp_path / "r.html").read_text() == "whole"
    assert [x.name for x in tmp_path.iterdir()] == ["r.html"]


NOTEBOOK = {
    "luck": lambda: cm.luck([[70, 10], [20, 900]], name="<b>"),
    "luck of one class": lambda: cm.luck([[9, 0], [0, 0]]),
    "luck of nothing": lambda: cm.luck([[0, 0], [0, 0]]),
    "scores": lambda: cm.score([[70, 10], [20, 900]], ["kappa", "recall"], interval="default"),
    "scores without intervals": lambda: cm.score([[9, 0], [0, 0]]),
    "interval": lambda: cm.interval("kappa", [[70, 10], [20, 900]]),
    "interval of classes": lambda: cm.interval("recall", np.eye(40, dtype=int) * 9),
    "interval of a stack": lambda: cm.interval("kappa", [[[70, 10], [20, 900]]] * 3),
    "undefined interval": lambda: cm.interval("kappa", [[9, 0], [0, 0]]),
    "comparison": lambda: cm.compare(five_models()),
}


@pytest.mark.parametrize("what", NOTEBOOK)
def test_notebooks_show_results_without_a_script(what):
    result = NOTEBOOK[what]()
    bundle = result._repr_mimebundle_()
    assert bundle["text/plain"] == repr(result)
    shown = bundle["text/html"]
    assert "<script" not in shown
    assert "style=" not in shown
    assert "<b><b>" not in shown
    assert len(shown.encode()) < 10_000
    if what in {"scores", "interval"}:
        low, high = cm.interval("kappa", [[70, 10], [20, 900]]).limits
        assert f"{number(0.8068)} <i>[{number(low)}, {number(high)}]" in shown

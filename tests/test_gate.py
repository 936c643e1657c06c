"""`chancemeter check`: conditions, and how it says that they are not met."""

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import chancemeter as cm
from chancemeter import cli
from chancemeter.reports import gate, gate_formats

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def check(capsys, monkeypatch, tmp_path):
    for example in EXAMPLES.glob("*.csv"):
        (tmp_path / example.name).write_bytes(example.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("GITHUB_STEP_SUMMARY", raising=False)

    def check(*options, files=("forest.csv",)):
        code = cli.main(["check", *files, *options])
        return code, *capsys.readouterr()

    return check


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (["--min", "kappa=0.46"], 0),
        (["--min", "kappa=0.47"], 1),
        (["--min", "kappa=0.46", "--lower-bound"], 1),
        (["--min", "kappa=0.39", "--lower-bound"], 0),
        (["--max", "expected_cohen=0.85"], 0),
        (["--max", "expected_cohen=0.84"], 1),
        (["--max", "expected_cohen=0.85", "--lower-bound"], 1),
        (["--min", "kappa=0.4", "--min", "mcc=0.9"], 1),
        (["--min", "recall=0.3"], 0),
        (["--min", "recall=0.35"], 1),
        (["--min", "f_score(beta=2)@macro=0.5"], 0),
    ],
)
def test_conditions(check, options, code):
    assert check(*options)[0] == code


def test_what_it_says(check):
    code, out, _ = check("--min", "kappa=0.4", "--min", "recall=0.9")
    assert code == 1
    assert out.splitlines() == [
        "ok    forest: kappa 0.463 [0.396, 0.528], wanted kappa ≥ 0.400",
        "FAIL  forest: recall 0.344 [0.287, 0.406] for “1”, wanted recall ≥ 0.900",
    ]


def test_undefined_fails_with_its_reason():
    tables = {"m": cm.table([[9, 0], [0, 0]])}
    (found,) = gate.judge(tables, [gate.parse("kappa=-1", "min")], interval="default")
    assert not found.passed
    assert "undefined (truth and prediction hold one class only" in found.found
    (found,) = gate.judge(tables, [gate.parse("recall=0", "min")])
    assert not found.passed
    assert "for “1”" in found.found


def test_without_intervals_the_lower_bound_fails(check):
    code, out, _ = check("--min", "kappa=0.1", "--lower-bound", "--interval", "none")
    assert code == 1
    assert "without an interval" in out


def test_every_model_must_pass(check):
    files = ("forest.csv", "logreg.csv")
    code, out, _ = check("--min", "kappa=0.1", files=files)
    assert code == 1
    assert [line[:12] for line in out.splitlines()] == ["ok    forest", "FAIL  logreg"]


def test_no_worse_than_before(check, tmp_path):
    cli.main(["report", "forest.csv", "-o", "before.json"])
    assert check("--baseline", "before.json")[0] == 0
    rows = (tmp_path / "forest.csv").read_text().splitlines()
    worse = [x.replace(",1,1,", ",1,0,", 1) if i < 400 else x for i, x in enumerate(rows)]
    (tmp_path / "forest.csv").write_text("\n".join(worse) + "\n")
    code, out, _ = check("--baseline", "before.json")
    assert code == 1
    assert "wanted kappa ≥ 0.463 (as before)" in out
    assert check("--baseline", "before.json", "--by", "expected_cohen")[0] in {0, 1}


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("nonsense", "CM004"),
        ("[]", "CM004"),
        ('{"models": []}', "CM402"),
        ('{"models": 3}', "CM004"),
    ],
)
def test_a_baseline_that_is_none(check, tmp_path, text, code):
    (tmp_path / "before.json").write_text(text)
    found, out, err = check("--baseline", "before.json")
    assert (found, out) == (2, "")
    assert code in err


def test_what_cannot_be_meant(check):
    for options, code in [
        ((), "CM402"),
        (("--min", "kappa"), "CM402"),
        (("--min", "kappa=high"), "CM402"),
        (("--min", "kapa=0.1"), "CM301"),
        (("--baseline", "none.json"), "CM001"),
        (("--min", "kappa=0.1", "--by", "kapa"), "CM301"),
    ]:
        found, out, err = check(*options)
        assert (found, out) == (2, ""), options
        assert code in err


def outcome(model="<m>", found='kappa 0.1 "x" & y', passed=False):
    return gate.Outcome(model, "kappa ≥ 0.5", passed, found, 0.1, (0.0, 0.2), 0.5)


def test_json():
    found = json.loads(gate_formats.as_json([outcome(), outcome(passed=True)]))
    assert found["passed"] is False
    assert [x["passed"] for x in found["conditions"]] == [False, True]
    assert found["conditions"][0]["interval"] == [0.0, 0.2]


def test_junit_is_xml_that_says_what_failed():
    strange = outcome("a<b>&\"'\x07", "]]> \ud800")
    root = ET.fromstring(gate_formats.as_junit([strange, outcome(passed=True)]))
    suite = root.find("testsuite")
    assert suite.attrib["tests"] == "2"
    assert suite.attrib["failures"] == "1"
    first, second = suite.findall("testcase")
    assert first.attrib["classname"].startswith("a<b>&\"'")
    assert first.find("failure").attrib["message"].startswith("]]>")
    assert second.find("failure") is None


def test_github_lines_cannot_be_broken_out_of():
    told = gate_formats.as_github([outcome("m\n::warning::x", "100%\r")])
    assert told == (
        "::error title=chancemeter check::m%0A::warning::x: 100%25%0D, wanted kappa ≥ 0.5\n"
    )


def test_github_summary(check, tmp_path, monkeypatch):
    summary = tmp_path / "summary.md"
    summary.write_text("before\n")
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(summary))
    code, out, _ = check("--min", "kappa=0.9", "--format", "github")
    assert code == 1
    assert out.startswith("::error title=chancemeter check::forest: kappa 0.463")
    assert summary.read_text("utf-8").startswith("before\n### chancemeter: 1 condition failed")


def test_output_goes_to_a_file(check, tmp_path):
    code, out, _ = check("--min", "kappa=0.9", "--format", "junit", "-o", "junit.xml")
    assert code == 1
    assert out.startswith("FAIL  forest")
    assert ET.parse(tmp_path / "junit.xml").getroot().attrib["failures"] == "1"
    assert check("--min", "kappa=0.9", "-o", "junit.xml")[0] == 2


def test_beats(check, tmp_path):
    code, out, _ = check("--beats", "logreg.csv")
    assert code == 0
    wanted = "wanted better than logreg by kappa, on the same cases"
    assert out == f"ok    forest: difference in kappa +0.432 [0.355, 0.498], {wanted}\n"
    code, out, _ = check("--beats", "forest.csv", "--by", "mcc", files=("logreg.csv",))
    assert code == 1
    assert out.startswith("FAIL  logreg: difference in mcc -0.445")


def test_nobody_beats_an_equal(check, tmp_path):
    (tmp_path / "old").mkdir()
    (tmp_path / "old" / "forest.csv").write_bytes((tmp_path / "forest.csv").read_bytes())
    code, out, _ = check("--beats", "old/forest.csv")
    assert code == 1
    assert out.startswith("FAIL  forest.csv: difference in kappa 0.000")
    assert "better than old/forest.csv" in out
    assert check("--beats", "./forest.csv")[0] == 2


def test_beats_on_different_cases_is_less_sure(check, tmp_path):
    lines = (tmp_path / "logreg.csv").read_text().splitlines()
    (tmp_path / "logreg.csv").write_text("\n".join(lines[:1500]))
    code, out, _ = check("--beats", "logreg.csv")
    assert code == 0
    assert "on different cases" in out
    code, out, _ = check("--beats", "logreg.csv", "--id", "id", "--missing-ids", "drop")
    assert "on the same cases" in out


def test_a_summary_that_cannot_be_written(check, tmp_path, monkeypatch):
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "no" / "summary.md"))
    code, _, err = check("--min", "kappa=0.4", "--format", "github")
    assert code == 2
    assert "CM009" in err

"""``chancemeter curve``: what it says, and what it says of bad scores."""

import importlib.util
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from conftest import require

import chancemeter as cm
from chancemeter.cli import main
from chancemeter.cli.curve_options import SPACES as SPACES_OFFERED
from chancemeter.curves.spaces import SPACES
from chancemeter.curves.told import tell

EXAMPLES = Path(__file__).parents[1] / "examples"
FOREST = str(EXAMPLES / "forest.csv")


@pytest.fixture
def run(capsys):
    def run(*args):
        code = main(["curve", *map(str, args)])
        out, err = capsys.readouterr()
        assert "Traceback" not in err
        return code, out, err

    return run


def scores(tmp_path, rows, head="y_true,score"):
    path = tmp_path / "scores.csv"
    path.write_text("\n".join([head, *rows]) + "\n", "utf-8")
    return path


def test_summary(run):
    code, out, err = run(FOREST)
    c = cm.curve(FOREST, "score", true="y_true")
    assert code == 0
    assert "truth from column 'y_true', scores from 'score'" in err
    lines = {line.strip() for line in out.splitlines()}
    assert any(x.startswith("AUC") and f"{c.auc:.3f}" in x for x in lines)
    assert any(f"of at most {c.auk_max:.3f} at 12.1% positives" in x for x in lines)
    told = tell(c)
    best = told.chosen
    assert f"kappa is best at threshold {best.threshold:g} [" in out
    assert f": {best.value:.3f} here, about {best.honest:.3f} on other cases" in out
    assert "The ranking is usable, the threshold is not:" in out
    tp, fn, fp, tn = best.table.counts.ravel().tolist()
    assert f"{tp} found, {fn} missed, {fp} false alarms, {tn:,} rightly left" in out


def test_a_threshold_that_is_as_good_as_any_is_not_blamed(run):
    _, out, _ = run(FOREST, "--threshold", "0.35")
    assert "at threshold 0.35 it is 0.596" in out
    assert "is usable" not in out


@pytest.mark.parametrize("space", SPACES)
def test_json_in_every_space(run, space):
    assert set(SPACES_OFFERED) == set(SPACES)
    code, out, _ = run(FOREST, "--space", space, "--json", "--draws", "200", "--band", "pointwise")
    assert code == 0
    found = json.loads(out)["models"]["forest"]
    c = cm.curve(FOREST, "score", true="y_true")
    assert found["scalars"]["auc"] == pytest.approx(c.auc)
    low, high = found["intervals"]["auk"]
    assert low < c.auk < high
    assert found["band"]["space"] == space
    points = found["curve"]
    if "threshold" in points:
        assert points["threshold"][0] == "Infinity"
        x, y = SPACES[space].of(c.stack)
        for t, px, py in zip(*(points[k] for k in ("threshold", "x", "y")), strict=True):
            i = c.place_of(float(t))
            for mine, wanted in ((px, x[i]), (py, y[i])):
                if isinstance(mine, float) and np.isfinite(wanted):
                    assert mine == pytest.approx(wanted)


def test_pictures(run, tmp_path):
    require("matplotlib", importlib.util.find_spec("matplotlib") is not None)
    svg, png = tmp_path / "k.svg", tmp_path / "k.png"
    code, out, _ = run(FOREST, "--space", "k", "--svg", svg, "--png", png, "--hull")
    assert code == 0
    assert f"The picture: {svg}" in out
    assert ET.parse(svg).getroot().tag.endswith("svg")
    assert png.read_bytes().startswith(b"\x89PNG")
    before = svg.read_bytes()
    code, out, err = run(FOREST, "--svg", svg)
    assert code == 2
    assert not out
    assert "--force" in err
    assert svg.read_bytes() == before
    assert run(FOREST, "--space", "k", "--svg", svg, "--hull", "--force")[0] == 0
    assert svg.read_bytes() == before  # the same every time


def test_several_columns_of_scores(run, tmp_path):
    rows = [f"{int(i % 3 == 0)},{i / 40},{(i * 7 % 40) / 40}" for i in range(40)]
    path = scores(tmp_path, rows, "y,a,b")
    _, out, _ = run(path, "--true", "y", "--score", "a", "--score", "b")
    assert out.startswith("a: 40 cases")
    assert "\nb: 40 cases" in out


def test_low_scores_for_the_positive_class(run, tmp_path):
    path = scores(tmp_path, [f"{'sick' if i < 10 else 'well'},{i}" for i in range(40)])
    _, out, err = run(path, "--positive", "sick")
    assert out.split("AUC", 1)[1].split()[0] == "0.000"
    assert "Nothing was turned round" in err
    _, out, err = run(path, "--positive", "sick", "--low")
    assert out.split("AUC", 1)[1].split()[0] == "1.000"
    assert "low scores mean 'sick'" in out
    assert "turned round" not in err


BAD = {
    "one class": (["1,0.2", "1,0.8"], [], "CM600", "one class only"),
    "not a number": (["1,0.2", "0,much"], [], "CM006", "not finite"),
    "infinite": (["1,0.2", "0,inf"], [], "CM006", "not finite"),
    "missing score": (["1,0.2", "0,"], [], "CM006", "not finite"),
    "missing label": (["1,0.2", ",0.3", "0,0.1"], [], "CM103", "--missing drop"),
    "no positive label": (["1,0.2", "0,0.3"], ["--positive", "yes"], "CM601", "'yes'"),
    "which is positive": (["cat,0.2", "dog,0.3"], [], "CM602", "--positive"),
    "no such column": (["1,0.2", "0,0.3"], ["--score", "scoer"], "CM101", "did you mean score?"),
    "no such space": (["1,0.2", "0,0.3"], ["--space", "rok"], "CM402", "did you mean roc"),
    "no such measure": (["1,0.2", "0,0.3"], ["--measure", "kapa"], "CM301", "kappa"),
    "no such level": (["1,0.2", "0,0.3"], ["--level", "95"], "CM514", "95"),
    "no rows": ([], [], "CM002", ""),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_scores_are_told(run, tmp_path, case):
    rows, options, code, words = BAD[case]
    path = scores(tmp_path, rows)
    target = tmp_path / "old.svg"
    target.write_text("precious", "utf-8")
    exit_code, out, err = run(path, *options, "--svg", target, "--force")
    assert exit_code == 2
    assert not out
    assert code in err
    assert words in err
    assert "fix:" in err
    assert target.read_text("utf-8") == "precious"


def test_odd_scores_get_a_note(run, tmp_path):
    path = scores(tmp_path, [f"{int(i > 20)},{i - 10}" for i in range(40)])
    code, out, err = run(path)
    assert code == 0
    assert "used for ranking only" in err
    assert "at threshold 0.5" not in out  # none is in use: these are no probabilities
    path = scores(tmp_path, [f"{int(i > 20)},0.3" for i in range(40)])
    code, out, err = run(path)
    assert code == 0
    assert "all scores are equal" in err
    path = scores(tmp_path, ["1,0.4", *(f"0,{i / 100}" for i in range(30))])
    code, out, err = run(path, "--json")
    assert code == 0
    assert "no band: a band needs two cases" in err
    assert json.loads(out)["models"]["scores"]["band"] is None


def test_nothing_to_look_at(run):
    assert run()[0] == 2
    assert "what is to be looked at?" in run()[2]


def test_scores_are_never_written_over(run, tmp_path):
    path = scores(tmp_path, ["1,0.7", "1,0.6", "0,0.2", "0,0.3"])
    svg = tmp_path / "scores.svg"
    svg.symlink_to(path)
    before = path.read_bytes()
    code, out, err = run(path, "--svg", svg, "--force")
    assert (code, out) == (2, "")
    assert "this file is read from" in err
    assert path.read_bytes() == before

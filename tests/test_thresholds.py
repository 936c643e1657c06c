"""Thresholds: the best one by definition, how sure it is, and the commands."""

from __future__ import annotations

import io
import json
import sys

import numpy as np
import pytest

import chancemeter as cm
from chancemeter.cli import main
from chancemeter.curves.thresholds import from_dict, usable


def cases(seed: int, n: int = 300):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.3
    return y, 1 / (1 + np.exp(-rng.normal(size=n) - 1.5 * y + 2))


@pytest.mark.parametrize("measure", ["kappa", "mcc", "informedness", "f_score", "accuracy"])
def test_best_by_trying_all(measure):
    y, s = cases(1)
    found = cm.best_threshold(cm.curve(y, s), measure, draws=0)
    m = cm.get(measure)
    values = []
    for t in np.append(s, np.inf):
        value = m(cm.tally(y, s >= t, labels=[True, False]))
        values.append(np.nan_to_num(value[0] if np.ndim(value) else value, nan=-9))
    assert found.value == pytest.approx(max(values), abs=1e-12)
    table = cm.tally(y, found.apply(s), labels=[True, False])
    assert table.counts.tolist() == found.table.counts.tolist()
    assert found.apply(s).dtype == bool


def test_costs_and_prevalence():
    y, s = cases(2)
    c = cm.curve(y, s)
    found = cm.best_threshold(c, cost=(1, 5), draws=0)
    costs = [(np.sum(~y & (s >= t)) + 5 * np.sum(y & (s < t))) / len(y) for t in np.append(s, 9)]
    assert found.value == pytest.approx(min(costs), abs=1e-12)
    # a cost is a prevalence: five times as many positives at equal costs give the same threshold
    p = 5 * y.sum() / (5 * y.sum() + (~y).sum())
    assert cm.best_threshold(c, cost=(1, 1), prevalence=p, draws=0).threshold == found.threshold
    weighted = cm.curve(y, s, weights=np.where(y, 5, 1))
    assert cm.best_threshold(weighted, "accuracy", draws=0).threshold == found.threshold


def test_conditions():
    y, s = cases(3)
    c = cm.curve(y, s)
    found = cm.best_threshold(c, "precision", at_least={"recall": 0.9}, draws=100)
    assert cm.recall(found.table)[0] >= 0.9
    assert found.value <= cm.best_threshold(c, "precision", draws=0).value
    with pytest.raises(cm.InputError, match=r"recall reaches 1\.000"):
        cm.best_threshold(c, at_least={"recall": 1.5})
    most = np.nanmax(np.where(c["precision"] >= 0.95, c["recall"], 0))
    only = cm.best_threshold(c, at_least={"precision": 0.95, "recall": most})
    assert "no threshold meets the condition" in only.notes[0]


def test_how_sure_and_how_flattering():
    y, s = cases(4)
    found = cm.best_threshold(cm.curve(y, s), draws=300)
    assert found.low <= found.threshold <= found.high
    assert 0 < found.optimism < 0.1
    # half the cases choose worse, and do not flatter
    assert found.value - 0.15 < found.nested < found.value
    assert np.isnan(cm.best_threshold(cm.curve(y, s, weights=s), draws=9).nested)
    again = cm.best_threshold(cm.curve(y, s), draws=300)
    assert (again.low, again.high, again.optimism) == (found.low, found.high, found.optimism)
    cost = cm.best_threshold(cm.curve(y, s), cost=(1, 3), draws=300)
    assert cost.honest > cost.value  # what costs little here costs more elsewhere
    few = cm.curve(y[:20], s[:20])
    assert "these limits are a guess" in cm.best_threshold(few, draws=20).notes[0]
    # other cases: what was promised without optimism is nearer to what happens
    new_y, new_s = cases(5, 200_000)
    truth = cm.kappa(cm.tally(new_y, found.apply(new_s), labels=[True, False]))
    assert abs(truth - found.value) < 0.1


def test_ranking_usable_threshold_not():
    y, s = cases(6)
    c = cm.curve(y, s)
    assert "the ranking is usable, the threshold is not" in usable(c, 0.9)
    assert usable(c, cm.best_threshold(c, draws=0).threshold) == ""
    assert "usable" in cm.best_threshold(c, used=0.95, draws=0).notes[0]


def test_directions_and_dictionaries():
    y, s = cases(7)
    low = cm.best_threshold(
        cm.curve(np.where(y, "ill", "well"), -s, positive="ill", direction="<=")
    )
    high = cm.best_threshold(cm.curve(y, s))
    assert low.value == high.value
    assert (low.apply(-s) == np.where(high.apply(s), "ill", "well")).all()
    back = from_dict(json.loads(json.dumps(low.to_dict())))
    assert (back.apply(-s) == low.apply(-s)).all()
    assert repr(back).splitlines()[:2] == repr(low).splitlines()[:2]
    for scores in ([0.1, np.nan], ["x", "y"], [[0.1], [0.2]], 0.5):
        with pytest.raises(cm.InputError, match="CM006"):
            low.apply(scores)
    for bad in ({}, [], None, "x", low.to_dict() | {"labels": [1]}, low.to_dict() | {"kind": "y"}):
        with pytest.raises(cm.InputError, match="CM609"):
            from_dict(bad)


@pytest.fixture
def file(tmp_path):
    y, s = cases(8)
    path = tmp_path / "scores.csv"
    lines = [f"{'ill' if a else 'well'},{b:.5f}" for a, b in zip(y, s, strict=True)]
    path.write_text("\n".join(["truth,score", *lines]) + "\n")
    return path


def run(capsys, *words) -> tuple[int, str, str]:
    code = main([str(x) for x in words])
    out, err = capsys.readouterr()
    return code, out, err


def test_commands(file, tmp_path, capsys, monkeypatch):
    chosen, done = tmp_path / "chosen.json", tmp_path / "done.csv"
    choose = ("threshold", "choose", file, "--positive", "ill")
    code, out, err = run(capsys, *choose, "-o", chosen, "--used", "0.9")
    assert code == 0
    assert "note: truth from column 'truth', scores from 'score'" in err
    assert "ill for scores ≥" in out
    assert "the ranking is usable, the threshold is not" in out
    code, out, err = run(capsys, "threshold", "apply", chosen, file, "-o", done)
    assert (code, out) == (0, "")
    assert "cases are called ill" in err
    scored = cm.read(done, true="truth", predicted="y_pred").table
    kept = json.loads(chosen.read_text())
    assert cm.kappa(scored) == pytest.approx(kept["value"], abs=1e-12)
    code, out, _ = run(capsys, *choose, "--cost", "1:5", "--at-least", "recall=0.8", "--json")
    assert code == 0
    assert json.loads(out)["goal"]["cost"] == [1.0, 5.0]
    raw = io.TextIOWrapper(io.BytesIO(b"score\n0.5\n0.001\n"), "utf-8")
    monkeypatch.setattr(sys, "stdin", raw)
    code, out, _ = run(capsys, "threshold", "apply", chosen, "-", "--name", "answer")
    assert out.splitlines() == ["score,answer", "0.5,ill", "0.001,well"]


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["choose", "FILE"], "CM602"),
        (["choose", "FILE", "--positive", "sick"], "CM601"),
        (["choose", "FILE", "--positive", "ill", "--at-least", "recall=2"], "CM607"),
        (["choose", "FILE", "--positive", "ill", "--at-least", "recall"], "CM402"),
        (["choose", "FILE", "--positive", "ill", "--cost", "1"], "CM402"),
        (["choose", "FILE", "--positive", "ill", "--cost=-1:2"], "CM608"),
        (["choose", "FILE", "--positive", "ill", "--measure", "kapa"], "CM301"),
        (["choose", "FILE", "--positive", "ill", "--prevalence", "1.5"], "CM514"),
        (["choose", "FILE", "--positive", "ill", "--score", "p"], "CM101"),
        (["choose", "FILE", "--positive", "ill", "--score", "truth"], "CM"),
        (["choose", "FILE", "--positive", "ill", "--score", "a", "--score", "b"], "CM101"),
        (["choose"], "CM402"),
        (["choose", "nothing.csv"], "CM001"),
        (["apply", "FILE", "FILE"], "CM609"),
        (["apply", "nothing.json", "FILE"], "CM609"),
        ([], "CM402"),
    ],
)
def test_wrong_commands_are_told(words, code, file, capsys):
    found, out, err = run(capsys, "threshold", *(file if x == "FILE" else x for x in words))
    assert (found, out) == (2, "")
    assert f"error[{code}" in err
    assert "Traceback" not in err


def test_a_score_that_points_the_other_way_is_told(file, capsys):
    code, _, err = run(capsys, "threshold", "choose", file, "--positive", "well", "--draws", "9")
    assert code == 0
    assert "Nothing was turned round" in err


def test_apply_tells_the_line(tmp_path, file, capsys):
    chosen = tmp_path / "chosen.json"
    run(capsys, "threshold", "choose", file, "--positive", "ill", "-o", chosen, "--draws", "20")
    bad = tmp_path / "bad.csv"
    bad.write_text("score\n0.5\nnan\n")
    code, _, err = run(capsys, "threshold", "apply", chosen, bad)
    assert code == 2
    assert f"{bad}:3" in err
    bad.write_text("score,y_pred\n0.5,a\n")
    assert run(capsys, "threshold", "apply", chosen, bad)[0] == 2
    before = chosen.read_text()
    assert run(capsys, "threshold", "choose", file, "--positive", "ill", "-o", chosen)[0] == 2
    assert chosen.read_text() == before

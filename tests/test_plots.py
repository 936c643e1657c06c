"""Displays: what is drawn is what the results say."""

import importlib.util
import xml.etree.ElementTree as ET
from pathlib import Path

import numpy as np
import pytest
from conftest import require

import chancemeter as cm
from chancemeter import chance, cli, plots
from chancemeter.counts import Counts
from chancemeter.errors import InputError

EXAMPLES = Path(__file__).parents[1] / "examples"
TABLE = [[1750, 9], [158, 83]]


@pytest.fixture(autouse=True)
def pyplot():
    require("matplotlib", importlib.util.find_spec("matplotlib") is not None)
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    yield plt
    plt.close("all")


@pytest.mark.parametrize("kind", plots.KINDS)
def test_in_the_manner_of_scikit_learn(kind, pyplot):
    sklearn = pytest.importorskip("sklearn.dummy")
    y = np.array(["a"] * 30 + ["b"] * 20)
    model = sklearn.DummyClassifier(strategy="stratified", random_state=1).fit(y[:, None], y)
    display = plots.KINDS[kind]
    found = display.from_estimator(model, y[:, None], y)
    assert found.figure_ is found.ax_.figure
    _, ax = pyplot.subplots()
    same = display.from_predictions(y, model.predict(y[:, None]), ax=ax, name="DummyClassifier")
    assert same.ax_ is ax
    texts = [[t.get_text() for t in x.ax_.texts] for x in (found, same)]
    assert texts[0] == texts[1]
    assert found.plot() is found


def test_weights():
    found = plots.ConfusionDisplay.from_predictions(["a", "b"], ["a", "a"], sample_weight=[2, 0.5])
    assert found.counts.tolist() == [[2, 0], [0.5, 0]]


def test_the_bar_is_as_long_as_the_shares():
    found = cm.luck(TABLE)
    ax = plots.ChanceBarDisplay.from_table(TABLE).ax_
    by_chance, earned, whole = (x.get_width() for x in ax.patches)
    assert by_chance == pytest.approx(found.chance)
    assert earned == pytest.approx(found.earned)
    assert whole == 1
    assert "91.7% right, 84.5% by chance, κ 0.463" in ax.texts[0].get_text()


def test_worse_than_chance_and_undefined():
    for table in ([[10, 40], [30, 20]], [[9, 0], [0, 0]], [[0, 0], [0, 0]], [[0, 9], [9, 0]]):
        for kind in plots.KINDS:
            assert plots.drawn(kind, {"m": cm.table(table)}, "png").startswith(b"\x89PNG")


def test_what_lies_beyond_chance_adds_up_to_what_was_earned():
    t = cm.table(TABLE)
    display = plots.ConfusionDisplay.of({"m": t})
    assert np.trace(display.surplus) == pytest.approx(cm.luck(t).earned * t.total)
    assert display.surplus.sum() == pytest.approx(0, abs=1e-9)
    shown = [x.get_text() for x in display.plot().ax_.texts]
    assert shown == ["1,750\n+72", "9\n-72", "158\n-72", "83\n+72"]


def test_surplus_is_of_any_chance_model_that_has_a_table():
    c = Counts(np.array(TABLE, float))
    uniform = chance.surplus(chance.get("uniform"), c)
    assert uniform.tolist() == (c.cells - 500).tolist()
    with pytest.raises(TypeError, match="not a table"):
        chance.surplus(chance.get("gwet"), c)


def test_dots_and_intervals():
    display = plots.MeasuresDisplay.from_table(TABLE)
    (scores,) = display.results.values()
    (dots,) = (x for x in display.ax_.lines if x.get_marker() == "o")
    assert dots.get_xdata().tolist() == [scores[key] for key in scores]
    limits = [segment[:, 0].tolist() for segment in display.ax_.collections[0].get_segments()]
    assert limits == [list(x.interval.limits) for x in scores.scores.values()]


def test_chances():
    found = cm.luck(TABLE)
    ax = plots.ChancesDisplay.from_table(TABLE).ax_
    shown = [x.get_text() for x in ax.texts]
    assert shown == [cm.figures.number(beyond) for _, beyond in found.ideas.values()]


HOSTILE = ["$\\frac{$", "<img src=x>", "a" * 500, "日本語", "\u202ex", "$x$"]


@pytest.mark.parametrize("kind", plots.KINDS)
def test_labels_are_text(kind):
    t = cm.table(np.eye(len(HOSTILE), dtype=int) * 5 + 1, HOSTILE)
    for form in ("png", "svg"):
        raw = plots.drawn(kind, dict.fromkeys(HOSTILE, t), form)
        if form == "svg":
            text = "".join(ET.fromstring(raw).itertext())
            assert "\u202e" not in text
            if kind != "chances":
                assert "$\\frac{$" in text


def test_the_same_figure_twice():
    t = {"m": cm.table(TABLE)}
    assert plots.drawn("bar", t, "svg") == plots.drawn("bar", t, "svg")


def test_many_classes():
    t = cm.table(np.eye(200, dtype=int))
    assert plots.drawn("matrix", {"m": t}, "png")


def test_without_matplotlib(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    monkeypatch.setitem(__import__("sys").modules, "matplotlib.pyplot", None)
    with pytest.raises(InputError, match=r"CM005.*matplotlib"):
        plots.drawn("bar", {"m": cm.table(TABLE)}, "png")
    with pytest.raises(InputError, match=r"CM005.*matplotlib"):
        plots.ChanceBarDisplay.from_table(TABLE)


def test_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    files = [str(EXAMPLES / f"{name}.csv") for name in ("forest", "logreg")]
    for kind in plots.KINDS:
        assert cli.main(["plot", *files, "--kind", kind, "-o", f"{kind}.svg"]) == 0
        assert ET.parse(f"{kind}.svg").getroot().tag.endswith("svg")
    assert cli.main(["plot", *files, "-o", "bar.png"]) == 0
    assert Path("bar.png").read_bytes().startswith(b"\x89PNG")
    assert cli.main(["plot", *files, "-o", "bar.png"]) == 2
    assert cli.main(["plot", *files, "-o", "bar.gif"]) == 2
    assert "end the name in .png or .svg" in capsys.readouterr().err


def test_places_and_flips():
    tables = {"a": cm.table([[90, 0], [10, 0]]), "b": cm.table([[70, 20], [2, 8]])}
    display = plots.RanksDisplay.of(tables)
    by = {x.measure: x.ranks.tolist() for x in display.results}
    assert by["accuracy"] == [1, 2]
    assert by["kappa"] == [2, 1]
    lines = display.plot().ax_.lines
    first = [[float(y) for y in x.get_ydata()] for x in lines]
    assert first[1] == [2, 1, 1, 1]
    assert first[0][:2] == [1, 2]
    assert np.isnan(first[0][2])  # mcc of a constant answer


def test_critical_difference():
    grid = cm.datasets.grid([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.85, 0.6, 0.5]])
    found = cm.datasets.critical_difference(grid)
    display = plots.CriticalDifferenceDisplay.from_grid(grid)
    shown = " ".join(x.get_text() for x in display.ax_.texts)
    for name, rank in found.ranks.items():
        assert name in shown
        assert f"{rank:.2f}" in shown
    assert f"critical difference {cm.figures.number(found.difference)}" in shown
    bars = [x for x in display.ax_.lines if x.get_linewidth() == 4]
    assert len(bars) == len(found.cliques)


def test_critical_difference_by_the_command(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = ["data,y_true,a,b"]
    for i in range(400):
        t = rng.choice(["x", "y"])
        rows.append(f"set{i % 8},{t},{t if rng.random() < 0.8 else 'x'},{rng.choice(['x', 'y'])}")
    Path("sets.csv").write_text("\n".join(rows))
    command = ["plot", "sets.csv", "--pred", "a", "--pred", "b", "--kind", "critical-difference"]
    assert cli.main([*command, "--by", "data", "-o", "cd.svg"]) == 0
    assert "critical difference" in "".join(ET.parse("cd.svg").getroot().itertext())
    assert cli.main([*command, "-o", "no.svg"]) == 2
    assert "add --by COLUMN" in capsys.readouterr().err
    assert not Path("no.svg").exists()

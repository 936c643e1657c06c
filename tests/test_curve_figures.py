"""Figures 1 to 4 of Ben-David (2008): the points that the text gives are on them."""

import importlib.util
import sys
from pathlib import Path

import numpy as np
import pytest
from conftest import require

TOOLS = Path(__file__).parents[1] / "tools"


@pytest.fixture
def figures(monkeypatch):
    require("matplotlib", importlib.util.find_spec("matplotlib") is not None)
    monkeypatch.syspath_prepend(TOOLS)
    import curve_figures

    yield curve_figures
    sys.modules.pop("curve_figures")


def points(figures, number):
    return {
        (round(x, 2), round(y, 2)): round(k, 3)
        for _, fp, tp, kappa in figures.lines(number)
        for x, y, k in zip(fp, tp, kappa, strict=True)
    }


def test_figures_1_and_2(figures):
    for number in (1, 2):
        found = points(figures, number)
        assert found[0.0, 0.5] == 1  # the ideal classifier, leftmost
        assert found[0.1, 0.4] == 0.6
        assert found[0.25, 0.25] == 0  # the circled point
        assert found[0.5, 0.0] == -1  # perfect disagreement, rightmost
        assert min(found)[0] == 0
        assert max(found)[0] == 0.5


def test_figure_3(figures):
    found = points(figures, 3)
    assert len(found) == 7
    assert all(round(fp + tp, 2) == 0.6 for fp, tp in found)


def test_figure_4(figures):
    """Five straight lines, the lowest for 0.5; the second lowest is figure 3."""
    lines = figures.lines(4)
    assert [said for said, *_ in lines] == [0.5, 0.6, 0.7, 0.8, 0.9]
    for _, fp, _, kappa in lines:
        slope = np.diff(kappa) / np.diff(fp)
        np.testing.assert_allclose(slope, slope[0])
    at = [float(np.interp(0.21, fp, kappa)) for _, fp, _, kappa in lines]
    assert at == sorted(at)
    _, fp, tp, kappa = lines[1]
    _, *same = figures.lines(3)[0]
    np.testing.assert_allclose((fp, tp, kappa), same)


def test_they_can_be_drawn(figures, tmp_path, monkeypatch):
    monkeypatch.setattr(figures, "FOLDER", tmp_path)
    monkeypatch.setattr(figures, "_of_examples", lambda display: lambda: figures.Drawn(1))
    figures.main()
    assert sorted(x.name for x in tmp_path.iterdir()) == [
        *(f"ben-david-2008-{i}.svg" for i in range(1, 5)),
        "roc-k.svg",
        "roc.svg",
    ]

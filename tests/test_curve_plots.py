"""Pictures of curves: few points that are close enough, and displays in the style of scikit-learn."""

import importlib.util

import numpy as np
import pytest
from conftest import require

import chancemeter as cm
from chancemeter.curve_plots import DISPLAYS, CurveDisplay
from chancemeter.curves.pictures import PREVALENCES, chords, kappa_at, picture, trace
from chancemeter.curves.spaces import SPACES
from chancemeter.errors import InputError


@pytest.fixture(autouse=True)
def pyplot():
    require("matplotlib", importlib.util.find_spec("matplotlib") is not None)
    import matplotlib as mpl

    mpl.use("agg")
    from matplotlib import pyplot as plt

    yield plt
    plt.close("all")


def scored(n=3000, share=0.1, apart=1.3, seed=1):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    return y, rng.normal(size=n) + apart * y


@pytest.mark.parametrize(
    ("n", "most", "wanted"), [(3000, 400, 1e-3), (60_000, 400, 2e-3), (3000, 60, 0.03)]
)
def test_few_points_are_as_close_as_they_say(n, most, wanted):
    c = cm.curve(*scored(n))
    kept = trace(c, most)
    assert len(kept.places) <= most < len(c)
    assert kept.error < wanted
    along = c.fpr + c.tpr
    t = np.interp(along, along[kept.places], kept.tpr)
    off = [np.abs(t - c.tpr).max()]
    for p in (c.prevalence, *PREVALENCES):
        off.append(np.abs(kappa_at(along - t, t, p) - kappa_at(c.fpr, c.tpr, p)).max())
    assert kept.error == pytest.approx(max(off))
    if kept.error > 1e-9:
        assert f"{kept.error:.2g}" in kept.note


def test_points_on_chords_are_left_out_for_nothing():
    y = np.tile([1, 0], 500)
    kept = trace(cm.curve(y, np.repeat(np.arange(500), 2)))
    assert len(kept.places) == 2
    assert kept.error < 1e-12
    assert not kept.note


def test_chords_are_bent_where_the_space_bends_them():
    c = cm.curve([1, 1, 0, 0, 0, 0, 0, 1], [3, 3, 3, 2, 2, 2, 1, 1])
    drawn = picture({"few": c}, "k").lines[-1]
    f, t = chords(c.fpr, c.tpr)
    assert len(drawn.x) == len(f) > 50
    np.testing.assert_allclose(drawn.y, kappa_at(f, t, c.prevalence))


@pytest.mark.parametrize("key", DISPLAYS)
def test_in_the_manner_of_scikit_learn(key, pyplot):
    linear_model = pytest.importorskip("sklearn.linear_model")
    y, s = scored(300, 0.4)
    model = linear_model.LogisticRegression().fit(s[:, None], y)
    display = DISPLAYS[key]
    found = display.from_estimator(model, s[:, None], y)
    _, ax = pyplot.subplots()
    same = display.from_predictions(
        y, model.predict_proba(s[:, None])[:, 1], ax=ax, name="LogisticRegression"
    )
    assert same.ax_ is ax
    assert same.figure_ is ax.figure
    np.testing.assert_allclose(found.line_.get_xydata(), same.line_.get_xydata())
    x, y_drawn = found.line_.get_data()
    assert found.ax_.get_xlabel()
    assert np.isfinite(x).all()
    assert np.isfinite(y_drawn).all()


def test_folds_of_a_cross_validation():
    linear_model = pytest.importorskip("sklearn.linear_model")
    from sklearn.model_selection import cross_validate

    y, s = scored(300, 0.4)
    found = cross_validate(
        linear_model.LogisticRegression(),
        s[:, None],
        y,
        cv=3,
        return_estimator=True,
        return_indices=True,
    )
    display = cm.RocKDisplay.from_cv_results(found, s[:, None], y)
    assert list(display.curves) == ["fold 1", "fold 2", "fold 3"]
    assert sum(c.total for c in display.curves.values()) == 300
    assert len(display.ax_.get_legend().get_texts()) == 3


def test_roc_as_scikit_learn_draws_it():
    metrics = pytest.importorskip("sklearn.metrics")
    y, s = scored(300)
    x, t = cm.RocDisplay.from_predictions(y, s).line_.get_data()
    fpr, tpr, _ = metrics.roc_curve(y, s)
    np.testing.assert_allclose(np.interp(x + t, fpr + tpr, tpr), t, atol=1e-4)
    x, d = cm.DetDisplay.from_predictions(y, s).line_.get_data()
    from scipy.stats import norm

    fpr, fnr, _ = metrics.det_curve(y, s)
    inner = (fpr > 0) & (fnr > 0) & (fpr < 1) & (fnr < 1)
    at = norm.ppf(fpr[inner]), norm.ppf(fnr[inner])
    gaps = np.hypot(at[0][:, None] - x, at[1][:, None] - d).min(1)
    assert gaps.max() < 0.2  # the next corner that is drawn


def test_bands_hulls_marks_and_lines(pyplot):
    y, s = scored(300)
    c = cm.curve(y, s)
    display = cm.RocKDisplay(
        {"a": c, "b$": c}, {"a": cm.band(c, "k", draws=100)}, {"a": {"best": 0.5}}
    )
    ax = display.plot(hull=True, iso="accuracy", values=(0.8,)).ax_
    assert len(ax.patches) == 1
    assert {t.get_text() for t in ax.texts} >= {"best"}
    assert [t.get_text() for t in ax.get_legend().get_texts()] == ["a", r"b\$"]
    display.figure_.canvas.draw()
    plain = cm.RocDisplay.from_predictions(y, s, iso="", plot_chance_level=False, kind="fixed").ax_
    assert len(plain.lines) == 1
    assert len(plain.patches) == 1


def test_estimators_of_more_classes_and_positive_labels():
    class Three:
        classes_ = (1, 2, 3)

    with pytest.raises(InputError, match="CM600"):
        CurveDisplay.from_estimator(Three(), None, None)

    class Decides:
        classes_ = ("no", "yes")

        def decision_function(self, x):
            return x

    y, s = scored(200, 0.5)
    y = np.where(y, "yes", "no")
    found = cm.RocDisplay.from_estimator(Decides(), s, y).curves["Decides"]
    other = cm.RocDisplay.from_estimator(Decides(), s, y, pos_label="no").curves["Decides"]
    assert found.auc == pytest.approx(other.auc)
    assert found.auc > 0.7


@pytest.mark.parametrize("key", SPACES)
def test_every_space_has_a_display(key):
    assert DISPLAYS[key].space == key

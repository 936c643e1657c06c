"""Bands: draws are what resampled cases give, limits hold what they promise."""

import numpy as np
import pytest
from scipy.stats import norm

import chancemeter as cm
from chancemeter.curves import bands
from chancemeter.curves.bands import band, draw, envelope
from chancemeter.curves.spaces import SPACES, Cells, Space, along, tables
from chancemeter.errors import InputError


def normal_curve(n=300, share=0.3, apart=1.3, seed=1, **options):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < share
    return cm.curve(y, rng.normal(size=n) + apart * y, **options)


@pytest.mark.parametrize("kind", bands.KINDS)
@pytest.mark.parametrize("space", SPACES)
def test_a_band_in_every_space(space, kind):
    c = normal_curve()
    found = band(c, space, kind, draws=200, places=51)
    assert (np.isfinite(found.high) | np.isfinite(found.low)).mean() > 0.75
    here = np.isfinite(found.low) & np.isfinite(found.value)
    assert (found.low <= found.high + 1e-12)[here].all()
    inside = (found.low <= found.value + 1e-9) & (found.value <= found.high + 1e-9)
    assert inside[here].mean() > (0.99 if kind == "fixed" else 0.9)
    assert found.signature.startswith(f"{space}|{kind}:")
    assert found.to_dict()["space"] == space


def test_the_whole_curve_needs_more_room_than_each_of_its_points():
    c = normal_curve()
    widths = [
        np.nanmean(x.high - x.low) for x in (band(c, "k", kind, draws=500) for kind in bands.KINDS)
    ]
    assert widths[0] < widths[1] < widths[2]


def test_drawn_steps_are_resampled_cases():
    """The same distribution as drawing cases with replacement within each class."""
    rng = np.random.default_rng(4)
    y = np.repeat([1, 0], [40, 60])
    s = np.round(rng.normal(size=100) + y, 1)
    c = cm.curve(y, s)
    at, drawn = draw(c, SPACES["roc"], method="bootstrap", draws=4000, places=11)
    by_cases = []
    for _ in range(4000):
        chosen = np.r_[rng.integers(0, 40, 40), rng.integers(40, 100, 60)]
        resampled = cm.curve(y[chosen], s[chosen])
        by_cases.append(Cells.of(along(resampled.stack, "fpr", at)).tpr)
    by_cases = np.array(by_cases)
    np.testing.assert_allclose(drawn.mean(0), by_cases.mean(0), atol=0.01)
    np.testing.assert_allclose(drawn.std(0), by_cases.std(0), atol=0.008)


def test_what_is_thinned_for_the_draws_moves_nothing():
    c = normal_curve(20_000)
    assert len(c) > 20 * bands.STEPS
    at, drawn = draw(c, SPACES["k"], draws=400)
    value = SPACES["k"].of(along(c.stack, "fpr", at))[1]
    off = (np.median(drawn, 0) - value)[1:-1] / drawn.std(0)[1:-1]
    assert np.abs(off).max() < 0.6
    p = c.prevalence
    # at one FPR, the variance of TPR: its own, and that of the threshold times the slope squared
    tpr = Cells.of(along(c.stack, "fpr", at)).tpr
    slope = norm.pdf(norm.isf(at[1:-1]) - 1.3) / norm.pdf(norm.isf(at[1:-1]))
    n = c.total
    wanted = tpr[1:-1] * (1 - tpr[1:-1]) / (n * p)
    wanted = np.sqrt(wanted + slope**2 * at[1:-1] * (1 - at[1:-1]) / (n * (1 - p)))
    found = draw(c, SPACES["roc"], draws=400)[1].std(0)[1:-1]
    np.testing.assert_allclose(found[:150], wanted[:150], rtol=0.25)


def test_groups_are_drawn_whole():
    """Every case seen five times in one group is no more sure than seen once."""
    rng = np.random.default_rng(3)
    y = rng.random(200) < 0.4
    s = rng.normal(size=200) + y
    once = band(cm.curve(y, s), "roc", "pointwise", method="bootstrap")
    five = np.repeat(np.arange(200), 5)
    grouped = band(cm.curve(y[five], s[five], groups=five), "roc", "pointwise")
    alone = band(cm.curve(y[five], s[five]), "roc", "pointwise", method="bootstrap")
    width = [np.nanmean(x.high - x.low) for x in (once, grouped, alone)]
    assert width[1] == pytest.approx(width[0], rel=0.08)
    assert width[2] == pytest.approx(width[0] / np.sqrt(5), rel=0.15)
    assert "groups" in grouped.signature


def test_envelope_keeps_whole_curves():
    rng = np.random.default_rng(0)
    walks = rng.normal(size=(2000, 30)).cumsum(1)
    low, high = envelope(walks, 0.9)
    inside = ((walks >= low) & (walks <= high)).all(1).mean()
    assert 0.9 <= inside < 0.92
    low, high = envelope(np.where(np.arange(30) == 3, np.nan, walks), 0.9)
    assert np.flatnonzero(np.isnan(low)).tolist() == [3]


def test_same_seed_same_band():
    c = normal_curve()
    a, b, other = (band(c, "k", draws=100, seed=seed) for seed in (1, 1, 2))
    assert (a.low == b.low).all()
    assert (a.low != other.low).any()


@pytest.mark.parametrize(("kind", "least"), [("simultaneous", 0.88), ("fixed", 0.95)])
@pytest.mark.parametrize("space", ["roc", "k", "pr"])
def test_coverage_of_the_whole_curve(kind, least, space):
    """Of 80 samples with 60 cases: far more than by chance hold the true curve, end to end."""
    where, share, apart = SPACES[space], 0.4, 1.3
    fpr = np.linspace(0, 1, 4001)
    truth = tables(fpr, norm.sf(norm.isf(fpr) - apart), share)
    assert isinstance(where, Space)
    held = 0
    for seed in range(80):
        c = normal_curve(60, share, apart, seed)
        found = band(c, space, kind, draws=400, places=51)
        at = np.linspace(0, 1, 51)
        value = where.of(along(truth, where.walk, at))[1]
        known = np.isfinite(value) & np.isfinite(found.low)
        held += ((found.low <= value + 1e-6) & (value <= found.high + 1e-6))[known].all()
    assert held / 80 >= least


@pytest.mark.parametrize(
    ("options", "code"),
    [
        ({"kind": "simultanous"}, "CM652"),
        ({"method": "jackknife"}, "CM652"),
        ({"space": "rok"}, "CM650"),
        ({"level": 1}, "CM514"),
        ({"draws": 10}, "CM501"),
    ],
)
def test_what_is_asked_wrongly(options, code):
    with pytest.raises(InputError, match=code):
        band(normal_curve(), **{"space": "roc", **options})


def test_too_few_cases():
    with pytest.raises(InputError, match=r"CM653.*\n.*1 positives"):
        band(cm.curve([1, 0, 0, 0], [3, 1, 2, 0]))
    with pytest.raises(InputError, match=r"CM653.*groups"):
        band(cm.curve([1, 1, 0, 0], [3, 1, 2, 0], groups=[1, 1, 2, 3]))
    with pytest.raises(InputError, match=r"CM652.*independent"):
        band(normal_curve(groups=np.arange(300) // 3), kind="fixed")

"""Every threshold on the page: what its script works out is what Python works out."""

from itertools import product

import numpy as np
import pytest

import chancemeter as cm
from browser.pages import EXAMPLES
from browser.test_page import SETTINGS, axe
from chancemeter.curves.isolines import straight
from chancemeter.curves.pictures import kappa_at, trace
from chancemeter.curves.spaces import Cells, tables
from chancemeter.curves.told import tell
from chancemeter.figures import number, percent
from chancemeter.reports.curves import LEVELS

RNG = np.random.default_rng(7)
SHARES = [0.001, 0.02, 0.1205, 0.3, 0.5, 0.77, 0.95, 0.999]


def scored(n=600, share=0.2, apart=1.2, seed=1, ties=False):
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < share).astype(int)
    s = rng.normal(size=n) + apart * y
    return y, np.round(s, 1) if ties else s


def report_on(curves):
    stacks = {name: cm.table(c.stack[len(c) // 3], labels=["1", "0"]) for name, c in curves.items()}
    return cm.report(stacks, interval=None, curves=curves)


@pytest.fixture(scope="module")
def curves():
    return {"sharp": cm.curve(*scored()), "tied": cm.curve(*scored(ties=True, apart=0.6, seed=2))}


def test_formulas(visit, curves):
    """Kappa, its area along chords, its lines: on thousands of values."""
    f, t = np.sort(RNG.random((2, 300)), 0)
    with visit(report_on(curves).to_html()) as page:
        for p in SHARES:
            found = page.evaluate(
                "([f, t, p]) => f.map((v, i) => curves.kappaAt(v, t[i], p))",
                [f.tolist(), t.tolist(), p],
            )
            np.testing.assert_allclose(found, kappa_at(f, t, p), atol=1e-12)
            for v in LEVELS:
                rest, slope = straight("kappa", v, p)
                found = page.evaluate(
                    "([v, p]) => [0, 1].map(f => curves.lineOfKappa(v, f, p))", [v, p]
                )
                np.testing.assert_allclose(found, [rest, rest + slope], rtol=1e-9)
            assert page.evaluate("p => curves.mostOfKappa(p)", p) == pytest.approx(
                perfect(p).auk, rel=1e-9
            )


def perfect(p, n=100_000):
    positives = round(n * p)
    return cm.curve(
        [1] * positives + [0] * (n - positives), [1] * positives + [0] * (n - positives)
    )


@pytest.mark.parametrize("p", SHARES)
def test_area_under_kappa(visit, curves, p):
    """The page's own, at any share of positives: exact along the chords it has."""
    with visit(report_on(curves).to_html()) as page:
        page.evaluate("p => curves.set({p})", p)
        for i, c in enumerate(curves.values()):
            kept = kept_of(c)
            moved = at_share(kept, p)
            value = float(page.locator(f"[data-area='{i}'] data").get_attribute("value"))
            assert value == pytest.approx(moved, abs=1e-9)
            assert page.locator(f"[data-area='{i}']").inner_text() == number(value)


def kept_of(c):
    """The thresholds on the page."""
    told = tell(c)
    return trace(
        c, 300, [c.place_of(x) for x in (told.chosen.threshold, told.in_use) if x is not None]
    )


def at_share(kept, p):
    """Area by very many points on each chord."""
    total = 0.0
    u = (np.arange(200) + 0.5) / 200
    for i in np.flatnonzero(np.diff(kept.fpr) > 0):
        f = kept.fpr[i] + u * (kept.fpr[i + 1] - kept.fpr[i])
        t = kept.tpr[i] + u * (kept.tpr[i + 1] - kept.tpr[i])
        width = kept.fpr[i + 1] - kept.fpr[i]
        nodes, weights = np.polynomial.legendre.leggauss(40)
        f = kept.fpr[i] + (nodes + 1) / 2 * width
        t = kept.tpr[i] + (nodes + 1) / 2 * (kept.tpr[i + 1] - kept.tpr[i])
        total += width * (weights / 2 * kappa_at(f, t, p)).sum()
    return total


def test_read_out_at_every_threshold(visit, curves):
    """Table, rates, kappa and cost for each model, several shares and costs."""
    seen = 0
    with visit(report_on(curves).to_html()) as page:
        for (who, c), p, (miss, alarm) in product(
            enumerate(curves.values()), SHARES[1:6:2], [(1, 1), (10, 2.5)]
        ):
            kept = kept_of(c)
            for at in RNG.integers(0, len(kept.places), 12).tolist():
                state = {"who": who, "at": at, "p": p, "miss": miss, "alarm": alarm}
                page.evaluate("state => curves.set(state)", state)
                check_read_out(page, c, kept.places[at], p, miss, alarm)
                seen += 1
    assert seen == 2 * 3 * 2 * 12


def check_read_out(page, c, place, p, miss, alarm):
    shown = page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('#readout [data-key]')].map(e => "
        "[e.dataset.key, [Number(e.querySelector('data').value), e.querySelector('data').textContent]]))"
    )
    (tp, fn), (fp, tn) = c.stack[place].tolist()
    f, t = fp / (fp + tn), tp / (tp + fn)
    moved = tables(f, t, p)
    wanted = {
        "tp": tp,
        "fn": fn,
        "fp": fp,
        "tn": tn,
        "recall": t,
        "false positive rate": f,
        "precision": cm.precision(moved)[0],
        "kappa": cm.kappa(moved),
        "cost of a case": p * (1 - t) * miss + (1 - p) * f * alarm,
    }
    assert set(shown) == set(wanted)
    for key, (value, words) in shown.items():
        if np.isnan(wanted[key]):
            assert np.isnan(value), key
        else:
            assert value == pytest.approx(wanted[key], abs=1e-12), key
        whole = key in {"tp", "fn", "fp", "tn"}
        assert words == (f"{wanted[key]:,}" if whole else number(value)), key


def test_keyboard_and_mouse(visit, curves):
    c = next(iter(curves.values()))
    kept = kept_of(c)
    with visit(report_on(curves).to_html()) as page:
        slider = page.locator("#threshold")
        slider.focus()
        page.keyboard.press("Home")
        for at in range(1, 4):
            page.keyboard.press("ArrowRight")
            check_read_out(page, c, kept.places[at], c.prevalence, 1, 1)
            said = slider.get_attribute("aria-valuetext")
            assert said.startswith("≥ ")
            assert f"kappa {number(c['kappa'][kept.places[at]])}" in said
        page.get_by_role("button", name="Most kappa").click()
        assert shown_kappa(page) == pytest.approx(kappa_at(kept.fpr, kept.tpr, c.prevalence).max())
        page.get_by_label("Cost of a miss").fill("7")
        page.get_by_role("button", name="Least cost").click()
        q = 1 - c.prevalence
        cost = (7 * c.prevalence * (1 - kept.tpr) + q * kept.fpr).min()
        value = page.locator("[data-key='cost of a case'] data").get_attribute("value")
        assert float(value) == pytest.approx(cost)
        chart = page.locator("figure[data-chart=k] svg.chart")
        chart.scroll_into_view_if_needed()
        box = chart.bounding_box()
        page.mouse.move(box["x"] + 0.4 * box["width"], box["y"] + 0.5 * box["height"])
        value = float(page.locator("[data-key='false positive rate'] data").get_attribute("value"))
        assert value == pytest.approx(kept.fpr[np.abs(kept.fpr - 0.4).argmin()])
        share = page.locator("#prevalence")
        share.focus()
        page.keyboard.press("End")
        assert share.get_attribute("aria-valuetext") == percent(0.999)


def shown_kappa(page):
    return float(page.locator("[data-key=kappa] data").get_attribute("value"))


@pytest.mark.parametrize("p", [None, 0.02, 0.5, 0.9])
def test_curves_are_drawn_where_kappa_is(visit, curves, p):
    """As Python draws them at first, as the script does then."""
    with visit(report_on(curves).to_html(), java_script_enabled=p is not None) as page:
        if p:
            page.evaluate("p => curves.set({p})", p)
        low, high = page.evaluate(
            "() => JSON.parse(document.getElementById('curves-data').textContent).spans.k"
        )
        for i, c in enumerate(curves.values()):
            kept = kept_of(c)
            share = p or c.prevalence
            drawn = vertices(page, f"figure[data-chart=k] path.curve.m{i}")
            y = high - drawn[:, 1] / 1000 * (high - low)
            along = np.interp(drawn[:, 0] / 1000, kept.fpr, kept.tpr)
            rising = np.diff(kept.fpr) > 0
            assert rising.any()
            inside = (drawn[:, 0] > 1) & ~near_a_step(drawn[:, 0] / 1000, kept)
            wanted = kappa_at(drawn[:, 0] / 1000, along, share)
            np.testing.assert_allclose(
                y[inside], np.maximum(wanted, low)[inside], atol=6e-3 if p else 0.02
            )
            assert inside.sum() > 10 or not p
            if p is None:
                check_drawn(drawn, c, low, high)


def check_drawn(drawn, c, low, high):
    """Every point drawn is one of the curve; every one of the curve is next to what is drawn."""
    places = np.linspace(0, len(c) - 1, 40 * len(c))  # chords of ROC space are bent here
    f, t = (np.interp(places, np.arange(len(c)), x) for x in (c.fpr, c.tpr))
    y = (high - np.maximum(kappa_at(f, t, c.prevalence), low)) / (high - low)
    points = 1000 * np.stack([f, y], -1)
    assert np.abs(drawn[:, None] - points).max(-1).min(1).max() < 2
    steps = np.diff(drawn, axis=0)
    from_start = points[:, None] - drawn[:-1]
    along = np.clip((from_start * steps).sum(-1) / (steps**2).sum(-1), 0, 1)
    off = np.linalg.norm(from_start - along[..., None] * steps, axis=-1).min(1)
    assert off.max() < 5.5


def near_a_step(x, kept):
    steps = kept.fpr[1:][(np.diff(kept.fpr) == 0) & (np.diff(kept.tpr) > 0)]
    return (np.abs(x[:, None] - steps) < 1.5e-3).any(1)


def vertices(page, selector):
    """Points of a path, steps added up."""
    text = page.locator(selector).get_attribute("d").replace("-", " -")
    relative = "l" in text
    numbers = np.array(text.replace("M", " ").replace("L", " ").replace("l", " ").split(), float)
    found = numbers.reshape(-1, 2)
    return np.cumsum(found, 0) if relative else found


def test_lines_of_equal_kappa_move(visit, curves):
    with visit(report_on(curves).to_html()) as page:
        for p in (0.05, 0.5):
            page.evaluate("p => curves.set({p})", p)
            guides = "figure[data-chart=roc] path.guide:not([class*=' '])"
            for i, v in enumerate(LEVELS):
                path = page.locator(guides).nth(i + 1).get_attribute("d")
                ends = np.array(path.replace("M", " ").replace("L", " ").split(), float)
                for x, y in ends.reshape(-1, 2) / 1000:
                    assert kappa_at(x, 1 - y, p) == pytest.approx(v, abs=0.02)


def test_without_a_script_everything_is_there(visit, curves):
    with visit(report_on(curves).to_html(), java_script_enabled=False) as page:
        assert page.locator("figure[data-chart=roc] path.curve").count() == 2
        assert page.locator("figure[data-chart=k] path.band").count() == 2
        words = page.locator("#thresholds").inner_text()
        for c in curves.values():
            assert number(c.auc) in words
            assert number(c.auk) in words


def test_examples_through_the_command_line(visit, tmp_path, capsys):
    from chancemeter.cli import main

    target = tmp_path / "two.html"
    files = [str(EXAMPLES / f"{name}.csv") for name in ("forest", "logreg")]
    assert main(["report", *files, "--score", "score", "-o", str(target)]) == 0
    capsys.readouterr()
    with visit(target.read_text("utf-8")) as page:
        page.locator("#who").select_option("logreg")
        c = cm.curve(files[1], "score", true="y_true")
        assert shown_kappa(page) == pytest.approx(cm.kappa(c.at(0.5)))
        assert Cells.of(c.at(0.5).counts).tp == float(
            page.locator("[data-key=tp] data").get_attribute("value")
        )


@pytest.mark.parametrize("setting", ["light", "dark", "phone"])
def test_everybody_can_use_it(visit, curves, setting):
    with visit(report_on(curves).to_html(), bypass_csp=True, **SETTINGS[setting]) as page:
        page.evaluate(axe())
        found = page.evaluate("() => axe.run('#thresholds')")
        shown = [(v["id"], [n["html"][:200] for n in v["nodes"][:3]]) for v in found["violations"]]
        assert not shown, shown
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0

"""What the page computes is what Python computes."""

import numpy as np
import pytest

import chancemeter as cm
from chancemeter.counts import Counts
from chancemeter.figures import number, percent
from chancemeter.reports.compose import MOVING

READ = """() => [...document.querySelectorAll('tr[data-measure]')].map(row =>
  [row.dataset.measure, ...[...row.cells].slice(1).map(cell =>
    [...cell.querySelectorAll('data')].map(d => [Number(d.value), d.textContent]))])"""
Z = 1.959963984540054


def limits(counts, shares, key):
    """The delta method again: gradients by a complex step, of the formulas of the library."""
    counts = np.asarray(counts, float)
    k, n = len(counts), counts.sum(1)
    m, shares = cm.get(key), np.asarray(shares)
    rates = (counts + 1 / k) / (n + 1)[:, None]
    step = 1e-30
    moved = np.tile(rates * shares[:, None], (k * k, 1, 1)).astype(complex)
    cells = moved.reshape(k, k, k, k)
    for i in range(k):
        for j in range(k):
            cells[i, j, i, j] += 1j * step * shares[i]
    gradient = m.formula(Counts(moved), **m.bound).imag.reshape(k, k) / step
    value = m(cm.at_prevalence(counts, shares))
    mean = (rates * gradient).sum(1, keepdims=True)
    variance = ((rates * (gradient - mean) ** 2).sum(1) / np.maximum(n, 1)).sum()
    low, high = m.card.range
    wide = Z * np.sqrt(variance)
    return max(low, value - wide), min(high, value + wide)


def compare(page, tables, shares):
    """Every number of the page against Python; how many there were."""
    seen = 0
    names = page.locator("#sim thead th").all_inner_texts()[1:]
    for key, *columns in page.evaluate(READ):
        for figures, counts in zip(columns, [tables[x] for x in names], strict=True):
            value = cm.get(key)(cm.at_prevalence(counts, shares))
            wanted = [value] if np.isnan(value) else [value, *limits(counts, shares, key)]
            assert len(figures) == len(wanted), (key, figures)
            for (found, shown), true in zip(figures, wanted, strict=True):
                if np.isnan(true):
                    assert found is None or np.isnan(found), (key, shares)
                else:
                    assert abs(found - true) <= 1e-9, (key, found, true, shares)
                assert shown == number(found if found is not None else np.nan), (key, found)
                seen += 1
    return seen


RNG = np.random.default_rng(11)
TABLES = {
    "two": [[[1730, 19], [167, 84]], [[1736, 13], [248, 3]], [[9, 1], [0, 90]]],
    "perfect": [[[40, 0], [0, 60]], [[0, 40], [60, 0]], [[40, 0], [60, 0]]],
    "three": [[[20, 5, 0], [3, 40, 7], [1, 1, 30]], [[0, 25, 0], [0, 50, 0], [0, 32, 0]]],
    "lacking": [[[20, 5, 1], [3, 40, 0], [0, 0, 0]]],
    "seven": [RNG.poisson(np.eye(7) * 40 + 2).tolist(), RNG.poisson(np.ones((7, 7)) * 3).tolist()],
}


def found_in_data(report):
    """The shares that the sliders start from: of the best model."""
    counts = max(report.models, key=lambda m: np.nan_to_num(m.luck.kappa, nan=-2)).table.counts
    return counts.sum(1) / counts.sum()


@pytest.mark.parametrize("name", TABLES)
def test_sliders_compute_what_python_computes(visit, name):
    tables = TABLES[name]
    first = np.array(tables[0])
    tables = [t for t in tables if (np.sum(t, 1) > 0).tolist() == (first.sum(1) > 0).tolist()]
    tables = {f"model {i}": t for i, t in enumerate(tables)}
    report = cm.report(tables)
    used = first.sum(1) > 0
    seen = 0
    with visit(report.to_html()) as page:
        seen += compare(page, tables, found_in_data(report))
        for spread in (0.3, 1, 5) * 6:
            shares = np.where(used, RNG.dirichlet(np.full(len(first), spread)) + 1e-3, 0)
            shares = (shares / shares.sum()).tolist()
            page.evaluate("shares => simulation.set(shares)", shares)
            seen += compare(page, tables, shares)
    assert seen >= 19 * len(MOVING) * len(tables) * (1 if name in {"perfect", "lacking"} else 2)


def test_moving_a_slider_by_hand(visit, pair):
    """Arrow keys and the mouse lead to the numbers that Python has for the share it says."""
    tables = {m.name: m.table.counts for m in pair.models}
    with visit(pair.to_html()) as page:
        slider = page.locator("#sim input")
        slider.focus()
        for key in ["ArrowRight"] * 3 + ["PageUp", "Home", "ArrowRight", "End"]:
            page.keyboard.press(key)
            share = float(page.locator("#sim output data").get_attribute("value"))
            assert page.locator("#sim output").inner_text() == percent(share)
            compare(page, tables, [1 - share, share])
        page.get_by_role("button", name="As in the data").click()
        compare(page, tables, (1759 / 2000, 241 / 2000))
        page.get_by_role("button", name="All alike").click()
        compare(page, tables, [0.5, 0.5])


def test_one_slider_leaves_the_proportions_of_the_others(visit):
    counts = [[20, 5, 0], [3, 40, 7], [1, 1, 30]]
    with visit(cm.report(counts).to_html()) as page:
        first = page.locator("#sim input").nth(0)
        first.evaluate("e => { e.value = 50; e.dispatchEvent(new Event('input')); }")
        shown = [float(x.get_attribute("value")) for x in page.locator("#sim output data").all()]
        assert shown == pytest.approx([0.5, 0.5 * 50 / 82, 0.5 * 32 / 82], abs=1e-12)
        compare(page, {"The classifier": counts}, shown)


def test_numbers_are_printed_as_python_prints_them(visit, pair):
    values = np.concatenate(
        [
            RNG.uniform(-1.2, 1.2, 400),
            RNG.uniform(0, 1, 200).round(4),
            np.ldexp(RNG.uniform(-1, 1, 200), RNG.integers(-40, 40, 200)),
            [0, -0.0, 1, -1, 0.9995, 0.99996, 0.0005, 0.00049999, 0.8795, 0.8695, 1 - 1e-16, 1e-9],
            [2, -3, 12345.5, 9999.4999, 123456.7, 1e14, 0.1 + 0.2, 1e-5, 1.5e-7, 2e-300],
        ]
    ).tolist()
    with visit(pair.to_html()) as page:
        found = page.evaluate("values => values.map(simulation.number)", values)
        assert found == [number(x) for x in values]
        shares = [x for x in values if 1e-6 < abs(x) <= 1.2]
        found = page.evaluate("values => values.map(simulation.percent)", shares)
        assert found == [percent(x) for x in shares]


def test_matrices_by_truth_and_by_prediction(visit, pair):
    with visit(pair.to_html()) as page:
        for i, m in enumerate(pair.models):
            cells = page.locator("table.cm").nth(i).locator("tbody td")
            before = cells.all_inner_texts()
            views = page.locator("fieldset").nth(i)
            for by in ["truth", "prediction"]:
                views.get_by_label(f"shares of {by}").check()
                wanted = m.table.normalized(by).counts.ravel()
                assert cells.all_inner_texts() == [percent(x) for x in wanted]
            views.get_by_label("counts").check()
            assert cells.all_inner_texts() == before == [f"{x:,}" for x in m.table.counts.flat]

"""Measures of latent normal variables, against mpmath, PyCM and tables made to order."""

from fractions import Fraction
from itertools import accumulate, pairwise

import mpmath
import numpy as np
import pycm
import pytest

import chancemeter as cm
from chancemeter import normal
from chancemeter.counts import Counts
from chancemeter.errors import InputError

MP = mpmath.mp.clone()
MP.dps = 25
PYCM_DIGITS = 1e-14


def quantile(share):
    """The normal quantile of a fraction, with digits enough for one next to 1."""
    with MP.workdps(60):
        share = MP.mpf(share.numerator) / share.denominator
        return MP.sqrt(2) * MP.erfinv(2 * share - 1)


def in_rectangle(low, high, left, right, rho):
    """Chance of one normal variable within `low` … `high` and the other within `left` … `right`.

    By the distribution of the second given the first: another way than ours.
    """
    spread = MP.sqrt(1 - rho * rho)

    def strip(x):
        a, b = (left - rho * x) / spread, (right - rho * x) / spread
        a, b = (a, b) if a < 0 else (-b, -a)
        return MP.npdf(x) * (MP.ncdf(b) - MP.ncdf(a))

    low, high = max(low, MP.mpf(-11)), min(high, MP.mpf(11))
    edges = [t / rho + s * spread for t in (left, right) for s in (-5, 0, 5)] if rho else []
    steps = [low + (high - low) * i / 4 for i in range(5)]
    return MP.quad(strip, sorted({*steps, *(x for x in edges if low < x < high)}))


def bounds(margin):
    """Thresholds of the classes, infinite at both ends."""
    below = list(accumulate(margin))
    return [MP.ninf, *(quantile(Fraction(x, below[-1])) for x in below[:-1]), MP.inf]


def thresholds(table):
    """Those of the truth and those of the prediction."""
    return bounds(map(sum, table)), bounds(map(sum, zip(*table, strict=True)))


def model(rows, columns, rho):
    """The table of shares with those thresholds and that correlation."""
    return [
        [in_rectangle(*sides, *others, rho) for others in pairwise(columns)]
        for sides in pairwise(rows)
    ]


# The normal distribution.


def test_quantiles():
    for below, above in [(1, 1), (20, 5), (1, 10**15), (10**15, 3), (499, 501), (7, 10**40)]:
        right = float(quantile(Fraction(below, below + above)))
        found = normal.quantile(np.array(float(below)), np.array(float(above)))
        assert float(found) == pytest.approx(right, rel=4e-16, abs=2e-16)
    assert normal.quantile(np.zeros(1), np.ones(1))[0] == -np.inf
    assert np.isnan(normal.quantile(np.zeros(1), np.zeros(1)))[0]


@pytest.mark.parametrize("h", [-6.0, 0.0, 1.2])
@pytest.mark.parametrize("gap", [0.0, 1e-7, 0.01, 3.0])
@pytest.mark.parametrize("angle", [1e-4, 0.1, np.pi / 2])
def test_crossing_keeps_its_digits_however_small_it_is(h, gap, angle):
    k = h + gap
    h_, gap_, angle_ = MP.mpf(h), MP.mpf(k) - MP.mpf(h), MP.mpf(angle)

    def exponent(t):
        return -(gap_**2) / (2 * MP.sin(t) ** 2) - h_ * (h_ + gap_) / (1 + MP.cos(t))

    # As a multiple of its end, since mpmath stops when its error is small, not relatively small.
    def height(y):
        return MP.exp(y + exponent(MP.exp(y)) - exponent(angle_))

    end = MP.log(angle_)
    steps = [*MP.linspace(end - 60, end - 1, 20), *MP.linspace(end - 1, end, 21)[1:]]
    right = MP.quad(height, steps) * MP.exp(exponent(angle_)) / (2 * MP.pi)
    found = float(normal.crossing(np.array(h), np.array(k), np.array(angle)))
    if right > 1e-250:
        assert abs(found / right - 1) < 1e-12


# Signal detection.


@pytest.mark.parametrize(
    "table", [[[20, 5], [10, 15]], [[60, 125], [5, 5000]], [[10**15, 1], [3, 10**15]]]
)
def test_signal_detection(table):
    (tp, fn), (fp, tn) = table
    hits, alarms = quantile(Fraction(tp, tp + fn)), quantile(Fraction(fp, fp + tn))
    assert cm.d_prime(table)[0] == pytest.approx(float(hits - alarms), rel=1e-15, abs=1e-15)
    assert cm.criterion_c(table)[0] == pytest.approx(float(-(hits + alarms) / 2), abs=1e-15)
    assert cm.get("noise_criterion")(table)[0] == pytest.approx(float(-alarms), rel=1e-15)
    beta = float(MP.npdf(hits) / MP.npdf(alarms))
    assert cm.beta_ratio(table)[0] == pytest.approx(beta, rel=1e-14)


def test_d_prime_as_in_pycm():
    table = np.array([[44, 5, 1], [7, 20, 3], [9, 5, 6]])
    names = ["a", "b", "c"]
    rows = {
        a: dict(zip(names, row, strict=True)) for a, row in zip(names, table.tolist(), strict=True)
    }
    theirs = pycm.ConfusionMatrix(matrix=rows).sensitivity_index()
    np.testing.assert_allclose(cm.d_prime(table), [theirs[a] for a in names], atol=PYCM_DIGITS)


def test_signal_detection_at_rates_of_0_and_1():
    never_missed = [[5, 0], [1, 4]]
    assert cm.d_prime(never_missed).tolist() == [np.inf, np.inf]
    assert cm.criterion_c(never_missed).tolist() == [-np.inf, np.inf]
    assert cm.beta_ratio(never_missed).tolist() == [0, np.inf]
    assert cm.d_prime([[5, 0], [0, 4]]).tolist() == [np.inf, np.inf]
    assert np.isnan(cm.criterion_c([[5, 0], [0, 4]])).all()
    assert cm.criterion_c([[0, 5], [0, 4]]).tolist() == [np.inf, -np.inf]
    assert np.isnan(cm.d_prime([[0, 5], [0, 4]])).all()
    assert cm.d_prime.why([[0, 5], [0, 4]])[0].code == "class_never_predicted"


# Tetrachoric correlation.


@pytest.mark.parametrize(
    "table",
    [
        [[20, 5], [10, 15]],
        [[5, 20], [15, 10]],
        [[60, 125], [5, 5000]],
        [[1, 99], [2, 9898]],
        [[1000, 1], [1, 1000]],
        [[3, 40], [50, 7]],
        [[25, 25], [25, 26]],
    ],
)
def test_tetrachoric_correlation_reproduces_the_table(table):
    n = sum(map(sum, table))
    rows, columns = thresholds(table)
    found = cm.tetrachoric(table)
    assert abs(found[0] - found[1]) < 1e-15

    def off(rho):
        return in_rectangle(rows[0], rows[1], columns[0], columns[1], rho) - MP.mpf(table[0][0]) / n

    start = MP.mpf(found[0])
    right = MP.findroot(off, (start, start * (1 - MP.mpf(10) ** -9) - MP.mpf(10) ** -12))
    assert abs(found[0] - right) < 1e-13


def test_tetrachoric_correlation_of_tables_with_empty_cells():
    assert cm.tetrachoric([[5, 0], [1, 4]]).tolist() == [1, 1]
    assert cm.tetrachoric([[5, 2], [0, 4]]).tolist() == [1, 1]
    assert cm.tetrachoric([[0, 5], [1, 4]]).tolist() == [-1, -1]
    assert np.isnan(cm.tetrachoric([[5, 0], [5, 0]])).all()
    put = cm.tetrachoric([[5, 0], [1, 4]], correction=0.5)
    np.testing.assert_allclose(put, cm.tetrachoric([[5, 0.5], [1, 4]]))
    np.testing.assert_allclose(
        cm.tetrachoric([[5, 1], [1, 4]], correction=0.5), cm.tetrachoric([[5, 1], [1, 4]])
    )


@pytest.mark.parametrize("correction", [-0.5, "half", np.inf, np.nan])
def test_wrong_corrections_are_told(correction):
    with pytest.raises(cm.ChancemeterError, match="CM302"):
        cm.tetrachoric([[5, 1], [1, 4]], correction=correction)


def test_wrong_origins_are_told():
    with pytest.raises(InputError, match="midpoint or noise"):
        cm.criterion_c([[5, 1], [1, 4]], origin="middle")


def test_independence_is_zero():
    table = np.outer([3, 5, 40], [10, 2, 7])
    assert np.abs(cm.tetrachoric(table)).max() < 1e-15
    assert abs(cm.polychoric(table)) < 1e-14
    assert np.abs(cm.d_prime(table)).max() < 1e-14


def test_exchanged_sides_and_turned_scales():
    rng = np.random.default_rng(4)
    for k in (2, 3, 5):
        table = rng.integers(1, 40, (k, k)) + 30 * np.eye(k, dtype=int)
        value = cm.polychoric(table)
        assert cm.polychoric(table.T) == pytest.approx(value, abs=1e-13)
        assert cm.polychoric(table[::-1, ::-1]) == pytest.approx(value, abs=1e-13)
        assert cm.polychoric(table[:, ::-1]) == pytest.approx(-value, abs=1e-13)
        wider = np.insert(np.insert(table, 1, 0, axis=0), 1, 0, axis=1)
        assert cm.polychoric(wider) == pytest.approx(value, abs=1e-13)


# Polychoric correlation.


@pytest.mark.parametrize("rho", [-0.9, 0, 0.3, 0.97])
def test_polychoric_correlation_finds_the_one_that_made_the_table(rho):
    rows, columns = ([MP.ninf, *map(MP.mpf, x), MP.inf] for x in (("-1", "0.2"), ("-0.4", "1.5")))
    table = np.array(model(rows, columns, MP.mpf(rho)), float)
    assert cm.polychoric(table) == pytest.approx(rho, abs=1e-12)


@pytest.mark.parametrize(
    "table",
    [
        [[10, 1, 2], [3, 12, 2], [2, 4, 20]],
        [[0, 12, 9], [14, 0, 7], [11, 8, 0]],
        [[9, 1, 90], [1, 9, 10], [80, 12, 8]],
    ],
)
def test_polychoric_correlation_is_likeliest_given_the_thresholds(table):
    rows, columns = thresholds(table)

    def log_likelihood(rho):
        shares = model(rows, columns, MP.mpf(rho))
        return sum(
            n * MP.log(p)
            for counts, row in zip(table, shares, strict=True)
            for n, p in zip(counts, row, strict=True)
            if n
        )

    found, step = MP.mpf(cm.polychoric(table)), MP.mpf(10) ** -6
    below, here, above = (log_likelihood(found + s * step) for s in (-1, 0, 1))
    assert below < here > above
    # The top of the parabola through the three.
    assert abs(step * (above - below) / (2 * (above + below - 2 * here))) < 1e-11
    assert here > max(log_likelihood(MP.mpf(x) / 4) for x in (-2, 0, 2))


def test_polychoric_is_tetrachoric_with_two_classes():
    rng = np.random.default_rng(6)
    tables = rng.integers(0, 60, (200, 2, 2)).astype(float)
    tables = tables[(tables.sum(1) > 0).all(-1) & (tables.sum(2) > 0).all(-1)]
    many = cm.polychoric(tables)
    np.testing.assert_allclose(many, cm.tetrachoric(tables)[:, 0], atol=1e-13)


def test_polychoric_is_perfect_only_where_there_is_no_choice():
    assert cm.polychoric([[5, 0, 0], [1, 0, 2], [0, 0, 9]]) == 1
    assert cm.polychoric([[0, 0, 5], [1, 0, 2], [9, 0, 0]]) == pytest.approx(-1)
    assert cm.polychoric([[0, 5], [4, 1]]) == -1
    nearly = cm.polychoric([[85290, 2, 1], [0, 77079, 0], [1, 0, 55182]])
    assert nearly == pytest.approx(0.9997070398986222, abs=1e-12)


@pytest.mark.parametrize(
    "table",
    [
        [[20, 5], [5, 15]],
        [[5, 20], [15, 5]],
        [[30, 4, 1], [3, 20, 2], [2, 1, 10]],
        [[3, 8, 27], [42, 3, 3], [8, 3, 51]],
        [[25, 25, 50], [50, 50, 100], [25, 25, 50]],
    ],
)
@pytest.mark.parametrize("name", ["polychoric", "tetrachoric", "d_prime", "criterion_c"])
def test_derivatives_hold_where_margins_are_equal(table, name):
    table, formula = np.array(table, float), cm.get(name).formula
    for cell in np.ndindex(table.shape):
        step = np.zeros(table.shape)
        step[cell] = 1
        exact = np.asarray(formula(Counts(table + 1e-20j * step))).imag / 1e-20
        h = 1e-3
        up, down = formula(Counts(table + h * step)), formula(Counts(table - h * step))
        np.testing.assert_allclose(exact, (np.asarray(up) - down) / (2 * h), rtol=1e-6, atol=1e-9)


def test_many_tables_at_once():
    rng = np.random.default_rng(8)
    tables = rng.integers(0, 9, (2, 700, 3, 3)).astype(float)
    tables[0, 0] = 0
    tables[1, 5] = np.diag([3, 0, 4])
    many = cm.polychoric(tables)
    assert many.shape == (2, 700)
    assert np.isnan(many[0, 0])
    assert many[1, 5] == 1
    for at in [(0, 1), (0, 350), (1, 699)]:
        assert many[at] == pytest.approx(cm.polychoric(tables[at]), abs=1e-12)
    assert cm.polychoric(np.zeros((0, 3, 3))).shape == (0,)

"""Derivatives and standard errors, against differences of exact numbers and what others publish."""

import json
from fractions import Fraction
from itertools import product
from math import log, sqrt
from pathlib import Path

import numpy as np
import pytest
from digits import Digits
from statsmodels.stats.inter_rater import cohens_kappa

import chancemeter as cm
from chancemeter import influence
from chancemeter.counts import Counts, as_counts
from chancemeter.influence import Gradient, gradients, influence_of, standard_errors
from chancemeter.sparse import SparseTable

ALL = list(cm.every())
for_every = pytest.mark.parametrize("m", [pytest.param(m, id=m.key) for m in ALL])
TWO = np.array([[23, 5], [14, 17]])
THREE = np.array([[31, 4, 7], [6, 23, 2], [3, 9, 17]])
GOLDEN = json.loads((Path(__file__).parent / "golden" / "r.json").read_text())
TABLES = [np.array(entry["table"]) for entry in GOLDEN["tables"]]
BINARY = [t for t in TABLES if len(t) == 2]


def error_of(name, table):
    m = cm.get(name)
    found = standard_errors(table, [name])[m.key]
    return found if m.card.level == "class" else float(found)


# Every derivative against a difference of nearly exact numbers


def number(m, x):
    """A kind of number in which a step of 1e-15 loses nothing that counts."""
    if m.card.rational:
        return Fraction(x)
    return Digits(Fraction(x)) if m.card.closed_form else float(x)


def difference(m, table, cell):
    """Central difference quotient by one cell."""
    step = Fraction(1, 10**15) if m.card.closed_form else Fraction(1, 10**3)
    found = []
    for sign in (1, -1):
        moved = np.array([[Fraction(int(x)) for x in row] for row in table], dtype=object)
        moved[cell] += sign * step
        values = np.array([[number(m, x) for x in row] for row in moved])
        found.append(np.asarray(m.formula(Counts(values))))
    return (found[0] - found[1]) * number(m, 1 / (2 * step))


@for_every
@pytest.mark.parametrize("table", [TWO, THREE], ids=["two classes", "three"])
def test_derivative_by_every_cell(m, table):
    ours = influence_of(m, table)
    tolerance = 1e-11 if m.card.closed_form else 2e-6
    for cell in [(0, 0), (0, 1), (1, 0), (len(table) - 1, len(table) - 1)]:
        theirs = np.asarray(difference(m, table, cell), float)
        known = np.isfinite(theirs)
        np.testing.assert_allclose(
            ours[..., cell[0], cell[1]][known], theirs[known], rtol=tolerance, atol=tolerance
        )


@for_every
def test_margins_and_cells_give_the_same_derivatives(m):
    """What is cheap for measures of margins equals moving each cell."""
    moved = THREE + 1j * 1e-30 * np.eye(9).reshape(9, 3, 3)
    values = np.asarray(m.formula(Counts(moved)).imag) / 1e-30
    by_cell = np.moveaxis(values, 0, -1).reshape(*values.shape[1:], 3, 3)
    np.testing.assert_allclose(influence_of(m, THREE), by_cell, rtol=1e-9, atol=1e-12)


@for_every
def test_derivatives_of_a_stack_are_those_of_its_tables(m, monkeypatch):
    stack = np.stack([THREE, THREE.T, THREE + 5])
    found = gradients([m], as_counts(stack))[0].cells
    monkeypatch.setattr(influence, "_AT_A_TIME", 1)
    for table, by in zip(stack, found, strict=True):
        np.testing.assert_allclose(influence_of(m, table), by, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("m", [m for m in ALL if "scale" in m.unchanged_by], ids=lambda m: m.key)
def test_what_the_size_does_not_change_has_no_slope_along_it(m):
    """Euler: the derivatives weighed by the cells add up to nothing."""
    by = influence_of(m, THREE)
    size = np.abs(THREE * by).sum((-2, -1))
    known = np.isfinite(size)
    assert (np.abs((THREE * by).sum((-2, -1)))[known] <= 1e-12 * (1 + size)[known]).all()


# Standard errors that others publish


@pytest.mark.parametrize(
    ("weights", "ours"),
    [(None, "kappa"), ("linear", "kappa_linear"), ("quadratic", "kappa_quadratic")],
)
def test_kappa_as_statsmodels(weights, ours):
    for table in TABLES:
        if (table == np.diag(np.diag(table))).all():
            continue  # they divide by nothing
        theirs = cohens_kappa(table, wt=weights).std_kappa
        assert error_of(ours, table) == pytest.approx(theirs, rel=1e-9, abs=1e-11)


@pytest.mark.parametrize(
    ("package", "name", "ours"),
    [
        ("vcd", "kappa_ase", "kappa"),
        ("vcd", "kappa_linear_ase", "kappa_linear"),
        ("vcd", "kappa_quadratic_ase", "kappa_quadratic"),
        ("vcd", "log_odds_ratio_se", "log_odds_ratio"),
        ("psych", "kappa_se", "kappa"),
    ],
)
def test_as_r(package, name, ours):
    compared = 0
    for entry in GOLDEN["tables"]:
        table, theirs = np.array(entry["table"]), entry[package].get(name)
        if theirs is not None and (table != np.diag(np.diag(table))).any():
            assert np.ravel(error_of(ours, table))[0] == pytest.approx(theirs, rel=1e-9, abs=1e-11)
            compared += 1
    assert compared >= 8


def shares(table):
    p = table / table.sum()
    return p, p.sum(1), p.sum(0)


def phi(t):
    """Bishop, Fienberg and Holland 1975, 11.3: the error of φ of a 2 × 2 table."""
    (_, a, b), f = shares(t), cm.mcc(t)
    rows, columns = a[0] - a[1], b[0] - b[1]
    both = sqrt(a.prod() * b.prod())
    tails = rows**2 / a.prod() + columns**2 / b.prod()
    return sqrt((1 - f**2 + (f + f**3 / 2) * rows * columns / both - 0.75 * f**2 * tails) / t.sum())


def f_score(t):
    """Binomial error of Jaccard's share, through F = 2 J / (1 + J)."""
    of = t[0, 0] + t[0, 1] + t[1, 0]
    j = t[0, 0] / of
    return 2 / (1 + j) ** 2 * sqrt(j * (1 - j) / of)


def recalls(t):
    r = np.diag(t) / t.sum(1)
    return r * (1 - r) / t.sum(1)


def log_likelihood_ratio(t):
    """Simel, Samsa and Matchar 1991, times the ratio."""
    (tp, fn), (fp, tn) = t
    ratio = (tp / (tp + fn)) / (fp / (fp + tn))
    return ratio * sqrt(1 / tp - 1 / (tp + fn) + 1 / fp - 1 / (fp + tn))


PUBLISHED = {
    "accuracy": lambda t: sqrt(cm.accuracy(t) * cm.error_rate(t) / t.sum()),
    "mcc": phi,
    "f_score": f_score,
    "recall": lambda t: sqrt(recalls(t)[0]),
    "balanced_accuracy": lambda t: sqrt(recalls(t).sum()) / 2,
    "informedness": lambda t: sqrt(recalls(t).sum()),
    "log_odds_ratio": lambda t: sqrt((1 / t).sum()),
    "odds_ratio": lambda t: t[0, 0] * t[1, 1] / (t[0, 1] * t[1, 0]) * sqrt((1 / t).sum()),
    "yule_q": lambda t: (1 - cm.yule_q(t)[0] ** 2) / 2 * sqrt((1 / t).sum()),
    "yule_y": lambda t: (1 - cm.yule_y(t)[0] ** 2) / 4 * sqrt((1 / t).sum()),
    "likelihood_ratio_positive": log_likelihood_ratio,
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_errors_of_two_classes(name):
    for table in BINARY:
        if (table > 0).all():
            ours = np.ravel(error_of(name, table))[0]
            assert ours == pytest.approx(PUBLISHED[name](table), rel=1e-9)


def information(t):
    """Roulston 1999: the error of mutual information, in bits."""
    p, a, b = shares(t)
    each = np.log2(p / np.outer(a, b), out=np.zeros_like(p), where=p > 0)
    return sqrt(((p * each**2).sum() - (p * each).sum() ** 2) / t.sum())


def entropy(t):
    p = shares(t)[0]
    each = np.log2(p, out=np.zeros_like(p), where=p > 0)
    return sqrt(((p * each**2).sum() - (p * each).sum() ** 2) / t.sum())


def g_squared(t):
    """2 n ln 2 times the mutual information, at the n that was seen."""
    return 2 * t.sum() * log(2) * information(t)


def guessed(t):
    """Goodman and Kruskal 1963: the error of λ, guessing columns from rows."""
    n, best, column = t.sum(), t.max(1).sum(), t.sum(0).max()
    modal = t.sum(0).argmax()
    shared = t.max(1)[t.argmax(1) == modal].sum()
    return sqrt((n - best) * (best + column - 2 * shared) / (n - column) ** 3)


def gamma(t):
    """Goodman and Kruskal 1963: 4 / (P + Q)² √Σ n (Q C − P D)²."""
    k = len(t)
    agree, apart = np.zeros(t.shape), np.zeros(t.shape)
    for (i, j), (a, b) in product(product(range(k), repeat=2), repeat=2):
        agree[i, j] += t[a, b] * ((a - i) * (b - j) > 0)
        apart[i, j] += t[a, b] * ((a - i) * (b - j) < 0)
    p, q = (t * agree).sum(), (t * apart).sum()
    return 4 / (p + q) ** 2 * sqrt((t * (q * agree - p * apart) ** 2).sum())


OF_ANY_SIZE = {
    "mutual_information": information,
    "joint_entropy": entropy,
    "g_squared": g_squared,
    "lambda_predicted": guessed,
    "lambda_truth": lambda t: guessed(t.T),
    "goodman_kruskal_gamma": gamma,
    "balanced_accuracy": lambda t: sqrt(recalls(t).sum()) / len(t),
}


@pytest.mark.parametrize("name", OF_ANY_SIZE)
def test_published_errors_of_more_classes(name):
    compared = 0
    for table in TABLES:
        tops = [*table, *table.T, table.sum(0), table.sum(1)]
        one_top = all((row == row.max()).sum() == 1 for row in tops)
        if name.startswith("lambda") and not one_top:
            continue  # λ has a kink there
        theirs = OF_ANY_SIZE[name](table.astype(float))
        if theirs > 1e-9 and np.isfinite(theirs) and (table > 0).all():
            assert error_of(name, table) == pytest.approx(theirs, rel=1e-8)
            compared += 1
    assert compared >= 10


def exact_error(m, table):
    """The delta method in fractions, on slopes from tiny differences."""
    n = int(table.sum())
    by = {c: difference(m, table, c) for c in np.ndindex(table.shape)}
    cells = {c: Fraction(int(table[c])) for c in by}
    middle = sum(cells[c] * by[c] for c in by) / n
    return sqrt(sum(cells[c] * (by[c] - middle) ** 2 for c in by))


@pytest.mark.parametrize("name", ["kappa", "scott_pi", "gwet_ac1", "informedness", "markedness"])
def test_exact_delta_method(name):
    for table in (TWO, THREE):
        assert error_of(name, table) == pytest.approx(exact_error(cm.get(name), table), rel=1e-10)


# Sums without laying the cells out


@pytest.mark.parametrize("name", ["kappa", "mcc", "recall", "f_score", "mutual_information"])
def test_parts_of_a_gradient_agree(name):
    by = gradients([cm.get(name)], as_counts(THREE))[0]
    laid = Gradient(by.cells)
    sums, squares = by.spread_evenly()
    np.testing.assert_allclose(sums, by.cells.sum((-2, -1)), atol=1e-12)
    np.testing.assert_allclose(squares, np.square(by.cells).sum((-2, -1)), rtol=1e-10)
    rows, columns = np.array([0, 1, 2, 2]), np.array([0, 2, 1, 2])
    np.testing.assert_allclose(by.at(rows, columns), by.cells[..., rows, columns], rtol=1e-10)
    if cm.get(name).card.level == "class":
        cells = THREE.astype(float)
        np.testing.assert_allclose(by.covariance(cells), laid.covariance(cells), atol=1e-14)
        np.testing.assert_allclose(np.diagonal(by.covariance(cells)), by.variance(cells), rtol=1e-9)
        np.testing.assert_allclose(by.summed.cells, by.cells.sum(0), atol=1e-14)


def test_several_at_once_are_those_one_by_one():
    listed = [m for m in ALL if m.card.level == "table" and m.card.closed_form]
    together = standard_errors(THREE, listed)
    for m in listed:
        np.testing.assert_allclose(
            together[m.key], standard_errors(THREE, [m])[m.key], rtol=1e-12, atol=1e-300
        )


def test_a_sparse_table_is_told_where_to_go():
    sparse = SparseTable.from_codes(range(3), np.array([0, 1, 2]), np.array([0, 1, 1]))
    with pytest.raises(cm.ChancemeterError, match=r"CM105.*(\n.*)*chancemeter\.interval"):
        standard_errors(sparse, ["kappa"])


def test_large_counts_keep_their_digits():
    """One error in 10¹⁵ cases: the share of errors is 1e-15, its error about as large."""
    table = np.array([[10**15 - 1, 1], [0, 10**15]])
    rate = 1 / (2 * 10**15)
    assert error_of("error_rate", table) == pytest.approx(sqrt(rate / (2 * 10**15)), rel=1e-9)

"""Stacks drawn from one table: the right distribution, one seed one result, whatever the chunks."""

from math import comb

import numpy as np
import pytest
from scipy import stats

import chancemeter as cm
from chancemeter import resample
from chancemeter.errors import ChancemeterError

TABLE = [[20, 5, 1], [3, 15, 2], [0, 4, 10]]
MAKERS = {
    "bootstrap": cm.bootstrap,
    "posterior": cm.posterior,
    "stratified": cm.stratified,
    "permutations": cm.permutations,
}


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("chunk", [1, 40, 10_000])
def test_one_seed_one_result_whatever_the_chunks(name, chunk, monkeypatch):
    make = MAKERS[name]
    whole = make(TABLE, draws=333, seed=5)
    monkeypatch.setattr(resample, "_AT_A_TIME", chunk)
    assert np.array_equal(whole, make(TABLE, draws=333, seed=5))
    assert np.array_equal(whole[:96], make(TABLE, draws=96, seed=5))
    assert not np.array_equal(whole, make(TABLE, draws=333, seed=6))


def test_a_bootstrap_of_cells_is_one_of_rows():
    """Every number of rows of a cell is as frequent as the binomial says."""
    drawn = cm.bootstrap(TABLE, draws=20_000, seed=1)
    assert (drawn.sum((1, 2)) == 60).all()
    assert drawn.dtype.kind == "i"
    expected = stats.binom.pmf(np.arange(61), 60, 20 / 60)
    seen = np.bincount(drawn[:, 0, 0], minlength=61)
    big = expected * 20_000 > 20
    assert (
        stats.chisquare(
            np.r_[seen[big], seen[~big].sum()], 20_000 * np.r_[expected[big], expected[~big].sum()]
        ).pvalue
        > 0.001
    )
    # two cells move against each other as those of a multinomial
    rho = np.corrcoef(drawn[:, 0, 0], drawn[:, 1, 1])[0, 1]
    assert rho == pytest.approx(-np.sqrt((20 / 40) * (15 / 45)), abs=0.03)


def test_a_stratified_bootstrap_keeps_the_true_classes():
    drawn = cm.stratified(TABLE, draws=5000, seed=2)
    assert (drawn.sum(2) == [26, 20, 14]).all()
    assert drawn[:, 0, 0].mean() == pytest.approx(20, abs=0.2)
    assert drawn[:, 0, 0].var() == pytest.approx(26 * (20 / 26) * (6 / 26), rel=0.06)


def test_permutations_are_hypergeometric():
    table = [[7, 3], [4, 11]]
    drawn = cm.permutations(table, draws=20_000, seed=3)
    assert (drawn.sum(2) == [10, 15]).all()
    assert (drawn.sum(1) == [11, 14]).all()
    expected = stats.hypergeom.pmf(np.arange(11), 25, 11, 10)
    seen = np.bincount(drawn[:, 0, 0], minlength=11) / 20_000
    assert seen == pytest.approx(expected, abs=0.012)


def test_permutations_of_three_classes_are_those_of_labels():
    truth = np.repeat([0, 1, 2], [26, 20, 14])
    predicted = np.repeat([0, 1, 2], [23, 24, 13])
    rng = np.random.default_rng(0)
    by_rows = [
        np.bincount(truth * 3 + rng.permutation(predicted), minlength=9).reshape(3, 3)
        for _ in range(4000)
    ]
    drawn = cm.permutations(TABLE, draws=4000)
    assert drawn.mean(0) == pytest.approx(np.mean(by_rows, 0), abs=0.15)
    assert drawn.std(0) == pytest.approx(np.std(by_rows, 0), abs=0.1)


def test_the_posterior_is_a_dirichlet():
    drawn = cm.posterior(TABLE, draws=20_000, seed=4, prior=1.0) / 60
    alpha = np.array(TABLE) + 1 / 9
    assert drawn.mean(0) == pytest.approx(alpha / alpha.sum(), abs=0.003)
    variance = alpha * (61 - alpha) / 61**2 / 62
    assert drawn.var(0) == pytest.approx(variance, rel=0.1)
    two = cm.posterior([[5, 0], [1, 4]], draws=10)
    assert np.array_equal(two, cm.posterior([[5, 0], [1, 4]], draws=10, prior=2.0))


def test_leave_one_out_has_each_result_once():
    stack, times = cm.leave_one_out(TABLE)
    assert len(stack) == 8  # cells that hold a case
    assert times.sum() == 60
    y = np.repeat(np.repeat(np.arange(3), 3), np.ravel(TABLE))
    p = np.repeat(np.tile(np.arange(3), 3), np.ravel(TABLE))
    each = []
    for i in range(60):
        keep = np.arange(60) != i
        each.append(np.bincount(y[keep] * 3 + p[keep], minlength=9).reshape(3, 3))
    by_rows = np.sort(np.asarray(cm.kappa(np.stack(each))))
    ours = np.sort(np.repeat(np.asarray(cm.kappa(stack)), times.astype(int)))
    assert ours == pytest.approx(by_rows)


def test_the_jackknife_error_is_that_of_rows():
    stack, times = cm.leave_one_out(TABLE)
    values = np.repeat(np.asarray(cm.kappa(stack)), times.astype(int))
    error = np.sqrt(59 / 60 * np.square(values - values.mean()).sum())
    found = cm.interval("kappa", TABLE, method="jackknife")
    assert (found.high - found.low) / 2 == pytest.approx(1.959964 * error, rel=1e-6)


def test_groups_are_drawn_whole():
    groups = np.array([[[5, 1], [0, 4]], [[2, 2], [1, 5]], [[4, 0], [3, 3]], [[9, 0], [0, 1]]])
    drawn = cm.grouped(groups, draws=4000, seed=1)
    possible = {
        tuple(np.tensordot(w, groups, 1).ravel()) for w in np.ndindex(5, 5, 5, 5) if sum(w) == 4
    }
    assert len(possible) <= comb(7, 3)
    assert {tuple(x) for x in drawn.reshape(-1, 4)} <= possible
    assert drawn.mean(0) == pytest.approx(groups.sum(0), abs=0.5)


def test_a_table_of_a_billion_costs_what_a_thousand_costs():
    drawn = cm.bootstrap(np.array(TABLE) * 10**13, draws=100)
    assert (drawn.sum((1, 2)) == 60 * 10**13).all()
    values = np.asarray(cm.kappa(drawn))
    assert values.std() < 1e-6


def test_weights_are_scaled_draws():
    drawn = cm.bootstrap([[2.5, 0.25], [1.0, 3.0]], draws=50)
    assert drawn.sum((1, 2)) == pytest.approx(6.75)


WRONG = {
    "no cases": (lambda: cm.bootstrap([[0, 0], [0, 0]]), "CM503"),
    "a stack": (lambda: cm.bootstrap([TABLE, TABLE]), "CM204"),
    "a prior of nothing": (lambda: cm.posterior(TABLE, prior=0), "CM502"),
    "a negative prior": (lambda: cm.posterior(TABLE, prior=-1), "CM502"),
    "an endless prior": (lambda: cm.posterior(TABLE, prior=float("inf")), "CM502"),
    "weights left out": (lambda: cm.leave_one_out([[0.5, 1], [1, 1]]), "CM503"),
    "weights shuffled": (lambda: cm.permutations([[0.5, 1], [1, 1]]), "CM503"),
    "too many shuffled": (lambda: cm.permutations(np.array(TABLE) * 10**8), "CM503"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    call, code = WRONG[name]
    with pytest.raises(ChancemeterError) as error:
        call()
    assert error.value.faults[0].code == code
    assert error.value.faults[0].fix

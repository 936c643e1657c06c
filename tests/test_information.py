"""Information measures against other implementations, definitions and many digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
from pycm import ConfusionMatrix
from scipy.stats import entropy
from sklearn.metrics import (
    completeness_score,
    homogeneity_score,
    mutual_info_score,
    normalized_mutual_info_score,
)

import chancemeter as cm
from chancemeter.counts import Counts
from chancemeter.errors import UnknownNameError

CLOSE = {"rtol": 1e-12, "atol": 1e-12}
KEYS = [
    "entropy_truth",
    "entropy_predicted",
    "joint_entropy",
    "conditional_entropy",
    "conditional_entropy_truth",
    "cross_entropy",
    "kl_divergence",
    "mutual_information",
    "theils_u",
    "theils_u_predicted",
    "normalized_mutual_information",
    "confusion_entropy",
    "modified_confusion_entropy",
    "overall_confusion_entropy",
    "overall_modified_confusion_entropy",
]


def draw(k, times=12, least=1, seed=0):
    rng = np.random.default_rng([20, seed, k])
    cells = rng.integers(least, 60, (times, k, k))
    cells[::2, range(k), range(k)] += rng.integers(20, 200, (len(cells[::2]), k))
    return cells


TABLES = [table for k in (2, 3, 4, 6) for table in draw(k, 4)]
every_table = pytest.mark.parametrize("table", TABLES, ids=lambda t: f"k{len(t)}")


def expand(table):
    pairs = [(i, j) for i, j in np.ndindex(table.shape) for _ in range(int(table[i, j]))]
    truth, predicted = zip(*pairs, strict=True)
    return list(truth), list(predicted)


def pycm(table):
    k = len(table)
    return ConfusionMatrix(matrix={i: {j: int(table[i, j]) for j in range(k)} for i in range(k)})


# Other implementations


@every_table
@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("Reference Entropy", "entropy_truth"),
        ("Response Entropy", "entropy_predicted"),
        ("Cross Entropy", "cross_entropy"),
        ("Joint Entropy", "joint_entropy"),
        ("Conditional Entropy", "conditional_entropy"),
        ("Mutual Information", "mutual_information"),
        ("KL Divergence", "kl_divergence"),
        ("RCI", "rci"),
        ("Overall CEN", "overall_cen"),
        ("Overall MCEN", "overall_mcen"),
    ],
)
def test_pycm_of_tables(table, theirs, ours):
    np.testing.assert_allclose(cm.get(ours)(table), pycm(table).overall_stat[theirs], **CLOSE)


@every_table
@pytest.mark.parametrize(("theirs", "ours"), [("CEN", "cen"), ("MCEN", "mcen")])
def test_pycm_of_classes(table, theirs, ours):
    expected = list(pycm(table).class_stat[theirs].values())
    np.testing.assert_allclose(cm.get(ours)(table), expected, **CLOSE)


def test_pycm_of_sparse_tables():
    """Empty cells and perfect classes; PyCM leaves out what is infinite, so not the margins."""
    for table in (draw(4, 30, seed=1) - 40).clip(0) + np.eye(4, dtype=int):
        for theirs, ours in [("CEN", "cen"), ("MCEN", "mcen")]:
            expected = list(pycm(table).class_stat[theirs].values())
            np.testing.assert_allclose(cm.get(ours)(table), expected, **CLOSE)
        for theirs, ours in [("Overall CEN", "overall_cen"), ("Overall MCEN", "overall_mcen")]:
            expected = pycm(table).overall_stat[theirs]
            np.testing.assert_allclose(cm.get(ours)(table), expected, **CLOSE)


@every_table
def test_scikit_learn(table):
    truth, predicted = expand(table)
    nats = mutual_info_score(None, None, contingency=table)
    np.testing.assert_allclose(cm.mutual_information(table, base=math.e), nats, **CLOSE)
    for average in ("arithmetic", "geometric", "min", "max"):
        expected = normalized_mutual_info_score(truth, predicted, average_method=average)
        found = cm.normalized_mutual_information(table, average=average)
        np.testing.assert_allclose(found, expected, **CLOSE)
    np.testing.assert_allclose(cm.homogeneity(table), homogeneity_score(truth, predicted), **CLOSE)
    np.testing.assert_allclose(
        cm.completeness(table), completeness_score(truth, predicted), **CLOSE
    )


@every_table
@pytest.mark.parametrize("base", [2, math.e, 10])
def test_scipy(table, base):
    rows, columns = table.sum(1), table.sum(0)
    for ours, expected in [
        (cm.entropy_truth, entropy(rows, base=base)),
        (cm.entropy_predicted, entropy(columns, base=base)),
        (cm.joint_entropy, entropy(table.ravel(), base=base)),
        (cm.kl_divergence, entropy(rows, columns, base=base)),
        (cm.conditional_entropy, np.average(entropy(table, base=base, axis=1), weights=rows)),
        (
            cm.conditional_entropy_truth,
            np.average(entropy(table, base=base, axis=0), weights=columns),
        ),
    ]:
        np.testing.assert_allclose(ours(table, base=base), expected, **CLOSE)


# What holds between them


@every_table
def test_chain_rules(table):
    joint, shared = cm.joint_entropy(table), cm.mutual_information(table)
    truth, predicted = cm.entropy_truth(table), cm.entropy_predicted(table)
    np.testing.assert_allclose(joint, truth + cm.conditional_entropy(table), **CLOSE)
    np.testing.assert_allclose(joint, predicted + cm.conditional_entropy_truth(table), **CLOSE)
    np.testing.assert_allclose(shared, truth + predicted - joint, **CLOSE)
    np.testing.assert_allclose(cm.cross_entropy(table), truth + cm.kl_divergence(table), **CLOSE)
    np.testing.assert_allclose(cm.theils_u(table), shared / truth, **CLOSE)
    np.testing.assert_allclose(cm.theils_u_predicted(table), shared / predicted, **CLOSE)
    symmetric = 2 * shared / (truth + predicted)
    np.testing.assert_allclose(cm.theils_u_symmetric(table), symmetric, **CLOSE)


@every_table
def test_g_squared_is_information(table):
    """D5: G-squared is 2 n times the information in nats."""
    nats = cm.mutual_information(table, base=math.e)
    np.testing.assert_allclose(cm.g_squared(table), 2 * table.sum() * nats, rtol=1e-13)


@pytest.mark.parametrize("base", [2, math.e, 3.5, 10])
def test_base(base):
    stack = draw(3)
    for key in ("entropy_truth", "cross_entropy", "kl_divergence", "mutual_information"):
        nats = cm.get(key)(stack, base=math.e)
        np.testing.assert_allclose(cm.get(key)(stack, base=base), nats / math.log(base), **CLOSE)


@pytest.mark.parametrize("k", [2, 3, 7])
def test_bits_of_even_classes(k):
    """k even classes hold log2 k bits, and perfect prediction shares all of them."""
    table = np.eye(k) * 5
    for key in ("entropy_truth", "entropy_predicted", "joint_entropy", "mutual_information"):
        np.testing.assert_allclose(cm.get(key)(table), math.log2(k), rtol=1e-15)
    for key in ("conditional_entropy", "conditional_entropy_truth", "kl_divergence"):
        assert cm.get(key)(table) == 0
    for key in ("theils_u", "theils_u_predicted", "theils_u_symmetric"):
        np.testing.assert_allclose(cm.get(key)(table), 1, rtol=1e-15)


@pytest.mark.parametrize("k", [2, 3, 5])
def test_independence_is_exactly_nothing(k):
    """H1."""
    rng = np.random.default_rng([21, k])
    stack = rng.integers(1, 90, (50, k, 1)) * rng.integers(1, 90, (50, 1, k))
    for key in ("mutual_information", "theils_u", "theils_u_predicted", "theils_u_symmetric"):
        assert np.all(cm.get(key)(stack) == 0)


def test_order_transposing_and_scale():
    """N1, N2, N3, N5."""
    stack, order = draw(4), [2, 0, 3, 1]
    for key in KEYS:
        value = cm.get(key)(stack)
        np.testing.assert_allclose(cm.get(key)(1000 * stack), value, **CLOSE)
        mixed = cm.get(key)(stack[:, order][:, :, order])
        expected = value[:, order] if value.ndim == 2 else value
        np.testing.assert_allclose(mixed, expected, **CLOSE)
    turned = stack.swapaxes(1, 2)
    for key, twin in [
        ("mutual_information", "mutual_information"),
        ("joint_entropy", "joint_entropy"),
        ("theils_u_symmetric", "theils_u_symmetric"),
        ("confusion_entropy", "confusion_entropy"),
        ("entropy_truth", "entropy_predicted"),
        ("theils_u", "theils_u_predicted"),
        ("conditional_entropy", "conditional_entropy_truth"),
    ]:
        np.testing.assert_allclose(cm.get(key)(turned), cm.get(twin)(stack), **CLOSE)


def test_theils_u_has_a_direction():
    """N4 is false: it is not the same transposed."""
    stack = draw(3)
    assert np.abs(cm.theils_u(stack) - cm.theils_u_predicted(stack)).max() > 1e-3


def test_an_unused_class():
    """N7: entropies do not see it; confusion entropy has more ways to be confused in."""
    stack = draw(3)
    wider = np.pad(stack, ((0, 0), (0, 1), (0, 1)))
    for key in KEYS:
        before, after = cm.get(key)(stack), cm.get(key)(wider)
        if before.ndim == 2:
            assert np.all(np.isnan(after[:, 3]))
            after = after[:, :3]
        same = np.allclose(after, before)
        assert same == ("confusion" not in key), key


# Confusion entropy


def test_confusion_entropy_at_its_ends():
    """0 without errors, 1 when a class is confused evenly with all others and never hit."""
    for k in (2, 3, 5):
        never = 1 - np.eye(k)
        for key in ("confusion_entropy", "modified_confusion_entropy"):
            np.testing.assert_array_equal(cm.get(key)(np.eye(k)), 0)
            np.testing.assert_allclose(cm.get(key)(never), 1, rtol=1e-15)
        assert cm.overall_confusion_entropy(np.eye(k)) == 0
        np.testing.assert_allclose(cm.overall_confusion_entropy(never), 1, rtol=1e-15)


def test_confusion_entropy_passes_one():
    """With two classes the largest value is 2 / (e ln 2), at e shares of the whole."""
    errors = 1 / math.e
    hit = (1 - 2 * errors) / 2
    table = np.array([[hit, errors], [errors, hit]])
    most = 2 / (math.e * math.log(2))
    np.testing.assert_allclose(cm.confusion_entropy(table), most, rtol=1e-15)
    assert cm.confusion_entropy.card.range[1] == most
    worse = [[0.0, 1.0], [1.0, 0.0]]
    assert cm.overall_confusion_entropy(worse) < cm.overall_confusion_entropy(table)
    hits = np.linspace(0, 1, 101)[:, None, None]
    better = hits * np.eye(2) + (1 - hits) * np.array(worse)
    assert np.all(np.diff(cm.overall_modified_confusion_entropy(better)) < 0)


@pytest.mark.parametrize("k", [2, 3])
def test_overall_is_a_sum_over_classes(k):
    """The weights of the modified form add up to 1 with more than two classes only."""
    table = draw(k)[0]
    margins, hits, n = table.sum(0) + table.sum(1), np.diag(table), table.sum()
    plain = margins / (2 * n)
    modified = (margins - hits) / (2 * n - (hits.sum() if k > 2 else 0))
    np.testing.assert_allclose(
        cm.overall_confusion_entropy(table), plain @ cm.confusion_entropy(table), **CLOSE
    )
    np.testing.assert_allclose(
        cm.overall_modified_confusion_entropy(table),
        modified @ cm.modified_confusion_entropy(table),
        **CLOSE,
    )
    assert math.isclose(modified.sum(), 1) == (k > 2)


def test_micro_average():
    table = draw(3)[0]
    pooled = Counts(np.asarray(table, float)).one_vs_rest.cells.sum(0)
    for key in ("confusion_entropy", "modified_confusion_entropy"):
        expected = cm.get(key)(pooled)[0]
        np.testing.assert_allclose(cm.get(f"{key}@micro")(table), expected, **CLOSE)


# Digits


def in_digits(table):
    """Everything in bits from 60 digits."""
    _k, total = len(table), mpmath.mpf(sum(map(sum, table)))
    p = [[x / total for x in row] for row in table]
    rows = [sum(row) for row in p]
    columns = [sum(column) for column in zip(*p, strict=True)]

    def bits(shares):
        return -sum(x * mpmath.log(x, 2) for x in shares if x)

    truth, predicted, joint = bits(rows), bits(columns), bits(x for row in p for x in row)
    shared = truth + predicted - joint
    pairs = list(zip(rows, columns, strict=True))
    return {
        "entropy_truth": truth,
        "entropy_predicted": predicted,
        "joint_entropy": joint,
        "conditional_entropy": joint - truth,
        "conditional_entropy_truth": joint - predicted,
        "mutual_information": shared,
        "theils_u": shared / truth,
        "theils_u_predicted": shared / predicted,
        "normalized_mutual_information": 2 * shared / (truth + predicted),
        "cross_entropy": -sum(r * mpmath.log(c, 2) for r, c in pairs),
        "kl_divergence": sum(r * mpmath.log(r / c, 2) for r, c in pairs),
    }


def hard(k, seed):
    """Huge counts: ordinary, almost all of one class, almost perfect, almost independent."""
    rng = np.random.default_rng([22, k, seed])
    lopsided = rng.integers(1, 9, (k, k))
    lopsided[0, 0] = 10**15 - 3
    independent = rng.integers(10, 99, (k, 1)) * rng.integers(10, 99, (1, k)) * 1000
    independent[0, 0] += 1
    return [
        [[int(x) for x in row] for row in t]
        for t in (
            rng.integers(1, 10**15, (k, k)),
            lopsided,
            np.diag(rng.integers(10**14, 10**15, k)) + rng.integers(1, 3, (k, k)),
            independent,
        )
    ]


HARD = [t for k in (2, 3, 5) for seed in range(3) for t in hard(k, seed)]


@pytest.mark.parametrize("table", HARD, ids=range(len(HARD)))
def test_relative_error(table):
    """Not only small values, but small values to their last digits."""
    with mpmath.workdps(60):
        expected = {key: float(value) for key, value in in_digits(table).items()}
    for key, value in expected.items():
        np.testing.assert_allclose(cm.get(key)(table), value, rtol=1e-12, err_msg=key)


def test_a_difference_of_entropies_would_have_lost_it():
    """One case too many in four million."""
    table = [[10**6 + 1, 10**6], [10**6, 10**6]]
    with mpmath.workdps(60):
        expected = float(in_digits(table)["mutual_information"])
    np.testing.assert_allclose(cm.mutual_information(table), expected, rtol=1e-14)
    by_difference = cm.entropy_predicted(table) - cm.conditional_entropy(table)
    assert abs(by_difference / expected - 1) > 1e-4


# No value, and no end


@pytest.mark.parametrize(
    ("key", "table", "code"),
    [
        ("entropy_truth", [[0, 0], [0, 0]], "no_cases"),
        ("mutual_information", [[0, 0], [0, 0]], "no_cases"),
        ("theils_u", [[3, 4], [0, 0]], "one_class_in_truth"),
        ("theils_u_predicted", [[3, 0], [4, 0]], "one_class_predicted"),
        ("theils_u_symmetric", [[0, 4], [0, 0]], "one_class_each"),
        ("overall_cen", [[0, 0], [0, 0]], "no_cases"),
    ],
)
def test_why(key, table, code):
    assert math.isnan(cm.get(key)(table))
    assert cm.get(key).why(table).code == code


def test_a_class_never_predicted_is_an_infinite_surprise():
    """PyCM leaves the class out of its cross entropy instead."""
    table = np.array([[5, 0], [3, 0]])
    assert cm.cross_entropy(table) == np.inf
    assert cm.kl_divergence(table) == np.inf
    assert pycm(table).overall_stat["Cross Entropy"] == 0
    assert cm.cross_entropy([[5, 3], [0, 0]]) == pytest.approx(math.log2(8 / 5))
    assert cm.kl_divergence([[5, 3], [0, 0]]) == pytest.approx(math.log2(8 / 5))


def test_one_class():
    """No uncertainty, and nothing to share."""
    for key in ("entropy_truth", "joint_entropy", "mutual_information", "kl_divergence"):
        assert cm.get(key)([[7]]) == 0
        assert cm.get(key)([[7, 0], [0, 0]]) == 0
    assert np.isnan(cm.confusion_entropy([[7]])).all()


def test_an_average_that_is_none():
    with pytest.raises(UnknownNameError, match="did you mean geometric"):
        cm.normalized_mutual_information([[5, 1], [2, 4]], average="geometrical")


# Numbers of every kind


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("k", [2, 3])
def test_complex_step(key, k):
    table = draw(k, 1, seed=3)[0].astype(float)
    formula, h = cm.get(key).formula, 1e-3
    for i, j in np.ndindex(k, k):
        step = np.zeros((k, k))
        step[i, j] = 1
        by_step = formula(Counts(table + 1e-30j * step)).imag / 1e-30
        wide = formula(Counts(table + h * step)) - formula(Counts(table - h * step))
        np.testing.assert_allclose(by_step, wide / (2 * h), rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("key", KEYS)
def test_any_stack_without_a_warning(key):
    """Sparse, empty and single-class tables give values, and a stack is its tables."""
    stack = np.random.default_rng(23).integers(0, 2, (3, 40, 3, 3))
    found = cm.get(key)(stack)
    np.testing.assert_array_equal(found[1], [cm.get(key)(table) for table in stack[1]])
    assert np.nanmin(found) >= 0


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("factor", [1e-150, 1e-70, 1e70, 1e150])
def test_weights_of_any_size(key, factor):
    stack = draw(3)
    found = cm.get(key)(stack * factor)
    np.testing.assert_allclose(found, cm.get(key)(stack), rtol=1e-11, atol=1e-15)

"""All 63 coefficients of ``pycm.distance`` against PyCM, table by table and class by class."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from functools import cache

import mpmath
import numpy as np
import pytest
from agreement import IN_SHARES, WRONG
from pycm import ConfusionMatrix, DistanceType
from pycm.distance import DISTANCE_MAPPER

import chancemeter as cm
from chancemeter.counts import Counts

Cells = tuple[int, int, int, int]
Formula = Callable[[int, int, int, int], float | str]

#: Where PyCM has no value although there is one.
NO_VALUE = {
    "BatageljBren": "no right decision of one kind, but both kinds of error: infinite",
    "GilbertWells": "a ratio of factorials beyond a double, though its logarithm is small",
    "KuderRichardson": "no right decision, but both kinds of error: minus infinite",
}


def rightly(name: str) -> Formula:
    """PyCM's function, put right where it is wrong."""
    function: Formula = DISTANCE_MAPPER[DistanceType[name]]
    if name in WRONG:
        return anderberg
    if name not in IN_SHARES:
        return function

    def in_shares(*cells: int) -> float | str:
        n = sum(cells)
        return function(*(x / n for x in cells)) if n else "None"

    return in_shares


def anderberg(a: int, b: int, c: int, d: int) -> float | str:
    rows = max(a, b) + max(c, d) + max(a, c) + max(b, d)
    n = a + b + c + d
    return (rows - max(a + b, c + d) - max(a + c, b + d)) / (2 * n) if n else "None"


@cache
def tables() -> list[np.ndarray]:
    """Random tables of 2 to 5 classes, half of them sparse, and all small 2 × 2 ones."""
    rng = np.random.default_rng(63)
    made = []
    for number in range(300):
        k = 2 + number % 4
        table = rng.integers(0, 60, (k, k)) * (rng.random((k, k)) < rng.uniform(0.3, 1.5))
        table[range(k), range(k)] += rng.integers(0, 120, k) * (number % 3 > 0)
        made.append(table)
    made += [np.reshape(cells, (2, 2)) for cells in itertools.product(range(3), repeat=4)]
    made += [np.diag([7, 3]), np.diag([4, 2, 9]), np.diag([5, 0, 0]), np.zeros((3, 3), int)]
    made += [np.array([[0, 9, 0], [0, 4, 0], [0, 5, 0]]), np.diag([600, 700])]
    return made


def four_cells(table: np.ndarray) -> Iterator[Cells]:
    """Hits, false alarms, misses and rejections of each class, as Python whole numbers."""
    for i in range(len(table)):
        hits = int(table[i, i])
        alarms, misses = int(table[:, i].sum()) - hits, int(table[i].sum()) - hits
        yield hits, alarms, misses, int(table.sum()) - hits - alarms - misses


@cache
def ours(name: str) -> np.ndarray:
    coefficient = cm.get(name.lower())
    return np.concatenate([coefficient(table) for table in tables()])


def theirs(formula: Formula) -> np.ndarray:
    """nan where PyCM says "None"."""
    found = [formula(*cells) for table in tables() for cells in four_cells(table)]
    return np.array([np.nan if value == "None" else value for value in found], float)


NAMES = [kind.name for kind in DistanceType]


def test_there_are_63() -> None:
    assert len(NAMES) == 63
    assert {cm.get(name.lower()).card.level for name in NAMES} == {"class"}


@pytest.mark.parametrize("name", NAMES)
def test_equals_pycm(name: str) -> None:
    mine, its = ours(name), theirs(rightly(name))
    known = ~np.isnan(its)
    np.testing.assert_allclose(mine[known], its[known], rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("name", NAMES)
def test_has_no_value_where_pycm_has_none(name: str) -> None:
    mine, its = ours(name), theirs(rightly(name))
    has_value = np.isnan(its) & ~np.isnan(mine)
    assert has_value.any() == (name in NO_VALUE)
    infinite = {"BatageljBren", "KuderRichardson"}
    assert np.isinf(mine[has_value]).all() == (name in infinite or not has_value.any())


@pytest.mark.parametrize("name", [*IN_SHARES, *WRONG])
def test_pycm_still_differs(name: str) -> None:
    its = theirs(DISTANCE_MAPPER[DistanceType[name]])
    known = ~np.isnan(its)
    assert not np.allclose(ours(name)[known], its[known])


@pytest.mark.parametrize("name", [name for name in NAMES if name not in {*IN_SHARES, *WRONG}])
def test_rows_are_the_truth_as_in_pycm(name: str) -> None:
    table = np.array([[20, 5, 1], [4, 15, 2], [7, 3, 9]])
    matrix = ConfusionMatrix(
        matrix={i: dict(enumerate(row)) for i, row in enumerate(table.tolist())}
    )
    its = list(matrix.distance(metric=DistanceType[name]).values())
    np.testing.assert_allclose(cm.get(name.lower())(table), its, rtol=1e-12)


@pytest.mark.parametrize(
    "table",
    [
        [[0.25, 0.5], [1.75, 0.125]],
        [[2.5, 0.0], [0.75, 11.5]],
        [[30, 30], [20, 21]],
        [[10**6 + 0.5, 12.25], [3, 10**9]],
        [[10**15, 4], [7, 3 * 10**14]],
    ],
)
def test_gilbert_wells_by_gamma_functions(table: list[list[float]]) -> None:
    """Also between whole numbers, and where factorials are beyond every computer."""
    with mpmath.workdps(60):
        (a, c), (b, d) = [[mpmath.mpf(x) for x in row] for row in table]
        n, margins = a + b + c + d, (a + b, a + c, b + d, c + d)
        logs = mpmath.fsum(mpmath.loggamma(x + 1) for x in (n, a, b, c, d))
        logs -= mpmath.fsum(mpmath.loggamma(x + 1) for x in margins)
        right = mpmath.log(n**3 / (2 * mpmath.pi * mpmath.fprod(margins))) + 2 * logs
        found = float(cm.get("gilbert_wells")(table)[0])
        assert abs(found - right) <= 1e-14 * max(1, abs(right))


def test_gilbert_wells_has_a_derivative_by_complex_step() -> None:
    gilbert_wells = cm.get("gilbert_wells")
    cells = np.array([[9.0, 4.0], [2.0, 14.5]])
    for cell in ((0, 0), (0, 1), (1, 0), (1, 1)):
        step = np.zeros((2, 2))
        step[cell] = 1
        exact = gilbert_wells.values(Counts(cells + 1e-30j * step)).imag / 1e-30
        h = 1e-4
        up, down = (gilbert_wells.values(Counts(cells + x * step)) for x in (h, -h))
        np.testing.assert_allclose(exact, (up - down) / (2 * h), rtol=1e-6)

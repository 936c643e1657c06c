"""Every measure that PyCM has: one table, and a thousand."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pycm
from timing import Claim, best

import chancemeter as cm
from chancemeter.counts import as_counts
from chancemeter.registry import Measure

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
import agreement  # the list of what PyCM has, and what it is called here

STATISTICS = [*agreement.CLASS.values(), *agreement.OVERALL.values()]
METHODS = [*agreement.CLASS_METHODS.values(), *agreement.OVERALL_METHODS.values()]
COEFFICIENTS = [kind.name.lower() for kind in pycm.DistanceType]


def _measures(names: list[str]) -> list[Measure[...]]:
    return list({m.key: m for m in cm.get_all(names)}.values())


def _statistics(cells: np.ndarray) -> object:
    p = agreement.pycm_of(cells)
    return p.class_stat, p.overall_stat


def _everything(cells: np.ndarray) -> object:
    p = agreement.pycm_of(cells)
    found: list[object] = [p.class_stat, p.overall_stat]
    found += [p.distance(metric=kind) for kind in pycm.DistanceType]
    found += [call(p) for _, call in METHODS]
    return found


def _ours(cells: np.ndarray, measures: list[Measure[...]]) -> list[np.ndarray]:
    counts = as_counts(cells)
    return [m.values(counts) for m in measures]


def _compare_every_value(stack: np.ndarray) -> int:
    """Values of the stack against PyCM, table by table; how many were compared."""
    at_once = {key: np.asarray(x) for key, x in cm.evaluate(stack, STATISTICS).items()}
    compared = 0
    for i, cells in enumerate(stack):
        p = agreement.pycm_of(cells)
        sides = [(p.class_stat, agreement.CLASS), (p.overall_stat, agreement.OVERALL)]
        for theirs, names in sides:
            for name, key in names.items():
                ours = at_once[cm.get(key).key][i]
                right = theirs[name]
                right = list(right.values()) if isinstance(right, dict) else [right]
                ours = np.broadcast_to(ours, len(right))
                for x, y in zip(ours, right, strict=True):
                    if not isinstance(y, str):
                        np.testing.assert_allclose(x, y, rtol=1e-9, atol=1e-12, err_msg=name)
                        compared += 1
    return compared


def claims() -> list[Claim]:
    """The comparisons."""
    rng = np.random.default_rng(0)
    cells = rng.integers(1, 100, (10, 10))
    stack = rng.integers(1, 100, (1000, 10, 10))
    statistics, everything = (
        _measures(STATISTICS),
        _measures([*STATISTICS, *COEFFICIENTS, *(key for key, _ in METHODS)]),
    )
    few = 20
    one, one_of_theirs = best(lambda: _ours(cells, statistics), lambda: _statistics(cells), times=5)
    all_, all_of_theirs = best(
        lambda: _ours(cells, everything), lambda: _everything(cells), times=7
    )
    many, some_of_theirs = best(
        lambda: _ours(stack, statistics), lambda: [_statistics(t) for t in stack], times=7
    )
    all_many, few_of_theirs = best(
        lambda: _ours(stack, everything), lambda: [_everything(t) for t in stack[:few]], times=7
    )
    compared = _compare_every_value(stack)
    version = f"PyCM {pycm.__version__}"
    return [
        Claim(
            f"{len(statistics)} measures for PyCM's class and overall statistics, one table, k = 10",
            one, version, one_of_theirs, 1,
        ),
        Claim(
            f"{len(everything)} measures, its coefficients and methods too, one table",
            all_, version, all_of_theirs, 1,
        ),
        Claim(
            f"{len(statistics)} measures, a stack of 1,000 tables",
            many, f"loop over {version}", some_of_theirs, 100, f"{compared:,} values compared",
        ),
        Claim(
            f"{len(everything)} measures, a stack of 1,000 tables",
            all_many, f"loop over {version}", few_of_theirs * len(stack) / few, 100,
            f"peer timed on {few} tables, scaled",
        ),
    ]  # fmt: skip

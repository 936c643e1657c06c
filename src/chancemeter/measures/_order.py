"""Cases in order: their ranks, and pairs that truth and prediction order alike or not."""

from __future__ import annotations

import numpy as np

from chancemeter.counts import Counts, Values, dot, others


def _below(x: Values) -> Values:
    """The sum of all entries before each one."""
    found = np.zeros_like(x)
    np.cumsum(x[..., :-1], axis=-1, out=found[..., 1:])
    return found


def _above(x: Values) -> Values:
    """The sum of all entries after each one."""
    return _below(x[..., ::-1])[..., ::-1]


def ranks(x: Values) -> Values:
    """Twice the mean rank of each class of sizes `x`, their mean taken off."""
    return _below(x) - _above(x)


def ordered_pairs(c: Counts) -> tuple[Values, Values]:
    """Pairs of cases in the same order on both sides, and in opposite order."""
    here = c.cells[..., :-1, :]
    later = np.cumsum(c.cells[..., :0:-1, :], axis=-2)[..., ::-1, :]
    same, opposite = here * _above(later), here * _below(later)
    return same.sum((-2, -1)), opposite.sum((-2, -1))


def surplus(c: Counts) -> Values:
    """How many more pairs are in the same order than in opposite order."""
    same, opposite = ordered_pairs(c)
    return same - opposite


def untied(x: Values) -> Values:
    """Twice the number of pairs of cases from different classes."""
    return dot(x, others(x))

"""Which model comes first by a measure, and how sure each place is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.comparison.rows import SameRows
from chancemeter.counts import Array, Values
from chancemeter.figures import json_number, number
from chancemeter.registry import Measure
from chancemeter.resample import each_value, multinomial

#: Values nearer than this are tied.
_ROUNDING = 1e-12


@dataclass(frozen=True, repr=False, eq=False)
class Ranking:
    """The models from best to worst by one measure, and the probability of each place."""

    measure: str
    names: tuple[str, ...]
    values: Array
    ranks: Array
    """1 for the best; models that are tied share the mean of their places."""
    chances: Array | None = None
    """For each model and place how often it comes there among samples like this one."""

    @property
    def order(self) -> list[str]:
        """The names, the best first."""
        return [self.names[i] for i in np.argsort(self.ranks, kind="stable")]

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        return {
            name: {
                "value": json_number(float(self.values[i])),
                "rank": json_number(float(self.ranks[i])),
                "chances": None if self.chances is None else self.chances[i].tolist(),
            }
            for i, name in enumerate(self.names)
        }

    def __repr__(self) -> str:
        """One line."""
        listed = (
            f"{self.ranks[i]:g}. {self.names[i]} {number(self.values[i])}"
            for i in np.argsort(self.ranks, kind="stable")
        )
        return f"{self.measure}: {', '.join(listed)}"


def ranks_of(values: Values, *, higher: bool = True) -> Values:
    """Places along the last axis, 1 for the best; ties share the mean of theirs, nan comes last.

    >>> ranks_of(np.array([0.8, 0.9, 0.8])), ranks_of(np.array([3, 1]), higher=False)
    (array([2.5, 1. , 2.5]), array([2., 1.]))
    """
    x = values if higher else -values
    x = np.where(np.isnan(x), -np.inf, x)
    mine, others = x[..., :, None], x[..., None, :]
    tied = np.isclose(mine, others, rtol=0, atol=_ROUNDING) | (mine == others)
    return np.asarray(((others > mine) & ~tied).sum(-1) + (tied.sum(-1) + 1) / 2)


def places(ranks: Values) -> Array:
    """How often each model has each place, ties shared out evenly: ``(models, places)``."""
    several = ranks.shape[-1]
    tied = (ranks[:, :, None] == ranks[:, None, :]).sum(-1)
    first, last = ranks - (tied - 1) / 2, ranks + (tied - 1) / 2
    place = np.arange(1, several + 1)
    held = (place >= first[..., None]) & (place <= last[..., None])
    return np.asarray((held / tied[..., None]).mean(0))


def ranking(
    m: Measure[...], names: Sequence[str], values: Values, chances: Array | None = None
) -> Ranking:
    """The models by their values."""
    higher = m.card.direction != "lower"
    return Ranking(m.key, tuple(names), values, ranks_of(values, higher=higher), chances)


def chances(m: Measure[...], rows: SameRows, draws: int = 2000, seed: int = 0) -> Array:
    """How often each model has each place among tables drawn together."""
    kinds = rows.kinds
    drawn = each_value(m, kinds, multinomial(kinds), draws, seed)
    return places(ranks_of(drawn, higher=m.card.direction != "lower"))

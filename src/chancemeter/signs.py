"""Tests that see signs and ranks of differences only: sign test and Wilcoxon's signed ranks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from chancemeter import effects, tails
from chancemeter.counts import Array
from chancemeter.errors import plural
from chancemeter.outcomes import Method, Outcome, settled

#: Said where there is nothing to compare.
IDENTICAL = "both have the same value everywhere: nothing to tell apart"
_NONE_LEFT = "no pair of values is defined"
_ZEROS = {"drop": "left out before ranking", "pratt": "ranked, then left out"}

#: Up to so many differences the distribution of rank sums is worked out exactly.
EXACT = 200


@dataclass(frozen=True)
class SignedRanks:
    """Rank sums for and against, and how likely sums at least as far apart are by luck."""

    plus: float
    minus: float
    p: float
    zeros: int
    exact: bool

    @property
    def rank_biserial(self) -> float:
        """Share of the rank sum for the first less the share against; nan without differences."""
        whole = self.plus + self.minus
        return (self.plus - self.minus) / whole if whole else float("nan")


def midranks(x: Array) -> Array:
    """Ranks from 1 for the smallest; equal values share the mean of their ranks.

    >>> midranks(np.array([0.3, 0.1, 0.3])).tolist()
    [2.5, 1.0, 2.5]
    """
    _, inverse, counts = np.unique(x, return_inverse=True, return_counts=True)
    return np.asarray((counts.cumsum() - (counts - 1) / 2)[inverse])


def signed_ranks(d: Array, zeros: str = "drop") -> SignedRanks:
    """Wilcoxon's test; zeros are left out before ranking, or (`pratt`) only after it.

    >>> signed_ranks(np.array([1.0, 2.0, 3.0, 4.0, -0.5])).p
    0.125
    """
    ranked = d if zeros == "pratt" else d[d != 0]
    ranks = midranks(np.abs(ranked))[ranked != 0]
    up = ranked[ranked != 0] > 0
    plus, minus = float(ranks[up].sum()), float(ranks[~up].sum())
    exact = ranks.size <= EXACT
    if not ranks.size:
        p = 1.0
    elif exact:
        p = _exact(ranks, min(plus, minus))
    else:
        z = (plus - minus) / np.sqrt(np.square(ranks).sum())
        p = float(tails.normal(z))
    return SignedRanks(plus, minus, p, int((d == 0).sum()), exact)


def _exact(ranks: Array, smaller: float) -> float:
    """Chance of a rank sum so small on either side, each sign being a fair coin."""
    # Halves become whole by doubling.
    steps = np.rint(2 * ranks).astype(int)
    chances = np.zeros(steps.sum() + 1)
    chances[0] = 1
    for step in steps:
        chances[step:] = (chances[step:] + chances[:-step]) / 2
        chances[:step] /= 2
    return min(1.0, 2 * float(chances[: round(2 * smaller) + 1].sum()))


def sign_test(wins: int, losses: int) -> float:
    """Chance that a fair coin falls at least as unevenly.

    >>> sign_test(9, 1)
    0.021484375
    """
    return min(1.0, 2 * float(tails.binomial_at_most(min(wins, losses), wins + losses)))


def ranked(
    method: Method, a: Array, b: Array, common: Mapping[str, Any], zeros: str = "drop"
) -> Outcome:
    """Wilcoxon's test of paired values, as an outcome of `method`."""
    if not a.size:
        return Outcome(method=method, p=nan, undefined=_NONE_LEFT, **common)
    d = settled(a, b)
    found = signed_ranks(d, zeros)
    notes = list(common["notes"])
    if not d.any():
        notes.append(IDENTICAL)
    elif found.zeros:
        notes.append(f"{plural(found.zeros, 'difference')} of zero: {_ZEROS[zeros]}")
    if not found.exact:
        notes.append(f"more than {EXACT} differences: normal approximation")
    return Outcome(
        **{**common, "notes": tuple(notes)},
        method=method,
        p=found.p,
        statistic=min(found.plus, found.minus),
        effects=effects.paired(a, b) | {"rank_biserial": found.rank_biserial},
        settings={"zeros": zeros},
    )


def counted(method: Method, a: Array, b: Array, common: Mapping[str, Any]) -> Outcome:
    """The sign test of paired values, as an outcome of `method`."""
    if not a.size:
        return Outcome(method=method, p=nan, undefined=_NONE_LEFT, **common)
    d = settled(a, b)
    wins, losses = int((d > 0).sum()), int((d < 0).sum())
    return Outcome(
        **{**common, "notes": common["notes"] if d.any() else (*common["notes"], IDENTICAL)},
        method=method,
        p=sign_test(wins, losses),
        statistic=float(min(wins, losses)),
        effects=effects.paired(a, b)
        | {"wins": wins, "ties": d.size - wins - losses, "losses": losses},
    )

"""Whether a classifier is better than chance, by any measure: predictions dealt at random.

Chance has many models. This one keeps both margins: as many cases of each class, and as many
predictions of each, matched at random. That is Cohen's model, and Fisher's test is the case of
two classes. `chancemeter.above_majority` asks for more: to beat the most frequent class.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from chancemeter.comparison.differences import check_level
from chancemeter.counts import Array, Counts, Values
from chancemeter.errors import Fault, InputError
from chancemeter.outcomes import Method, Outcome, check_draws, choose
from chancemeter.registry import Measure, get
from chancemeter.resample import is_whole, permutations
from chancemeter.sparse import SparseTable
from chancemeter.tables import Table
from chancemeter.tables import table as make_table

#: More tables than this are drawn, not listed.
_LISTED = 100_000
#: Values nearer than this are equal up to rounding.
_ROUNDING = 1e-12
_NULL = "predictions are dealt at random, as many of each class as there are (Cohen's chance)"
_ASSUMES = "the cases were drawn independently of each other"


def _method(key: str, title: str) -> Method:
    return Method(f"above_chance:{key}", title, "predictions", _NULL, _ASSUMES, "case")


METHODS = {
    "exact": _method("exact", "Better than chance, exact, one-sided"),
    "permutation": _method("permutation", "Better than chance, by permutation, one-sided"),
}


def above_chance(
    measure: str | Measure[...],
    table: Any,
    method: str = "default",
    *,
    draws: int = 10_000,
    seed: int = 0,
) -> Outcome:
    """How likely chance does as well by a measure, both margins being kept.

    ``exact`` lists all tables with these margins and is the default for two classes;
    ``permutation`` draws some.

    >>> from chancemeter import above_chance
    >>> found = above_chance("kappa", [[20, 5], [10, 15]])
    >>> found.p.__round__(5), found.method.key, found.effects["by_chance"].__round__(9)
    (0.00429, 'above_chance:exact', 0.0)
    """
    m = get(measure) if isinstance(measure, str) else measure
    check_level(m)
    cells = _cells(table)
    if method == "default":
        method = "exact" if len(cells) == 2 and cells.sum(1).min() < _LISTED else "permutation"
    chosen = METHODS[choose(method, METHODS, "test against chance")]
    value = float(m.values(Counts(cells * 1.0)))
    common: dict[str, Any] = {"method": chosen, "n": int(cells.sum())}
    if np.isnan(value):
        return Outcome(**common, undefined=f"{m.key} has no value for this table")
    check_draws(draws)
    if method == "exact":
        stack, weights = _all_tables(cells.sum(1), cells.sum(0))
        extra = 0
    else:
        stack = permutations(cells, draws, seed)
        weights, extra = np.ones(len(stack)), 1
        common["settings"] = {"draws": draws, "seed": seed}
    with np.errstate(all="ignore"):
        values = m.values(Counts(stack * 1.0))
    known = ~np.isnan(values)
    as_good = _as_good(m, values, value) & known
    total = weights[known].sum()
    mean = float((weights[known] * values[known]).sum() / total)
    effects = {"value": value, "by_chance": round(mean, 12) + 0.0}
    notes = () if known.all() else ("tables without a value are left out",)
    p = (extra + weights[as_good].sum()) / (extra + total)
    return Outcome(
        **common, p=float(min(1, p)), statistic=value, effects=effects, notes=(_THESE, *notes)
    )


_THESE = "chance model: both margins kept"


def _cells(table: Any) -> Array:
    if isinstance(table, SparseTable):
        what = f"tables of {table.k:,} classes are not dealt at random"
        raise InputError(Fault("CM105", what, fix="take chancemeter.interval"))
    given = table if isinstance(table, Table) else make_table(table)
    cells = given.counts
    if cells.ndim != 2:
        fix = "select or pool its axes first"
        raise InputError(Fault("CM204", "a test is of one table", saw=str(cells.shape), fix=fix))
    if not is_whole(cells):
        fix = "give counts of cases, without weights"
        raise InputError(Fault("CM503", "only whole cases can be dealt", fix=fix))
    return cells.astype(np.int64)


def _as_good(m: Measure[...], values: Values, value: float) -> Array:
    slack = _ROUNDING * max(1.0, abs(value))
    if m.card.direction == "lower":
        return np.asarray(values <= value + slack)
    return np.asarray(values >= value - slack)


def _all_tables(rows: Array, columns: Array) -> tuple[Array, Array]:
    """Every table with these margins, and how likely chance deals it."""
    from scipy.special import gammaln

    found = []
    for listed in _each(rows.tolist(), columns.tolist()):
        found.append(listed)
        if len(found) > _LISTED:
            what = f"more than {_LISTED:,} tables have these margins"
            raise InputError(Fault("CM503", what, fix="take method='permutation'"))
    stack = np.array(found)
    margins = gammaln(rows + 1).sum() + gammaln(columns + 1).sum() - gammaln(rows.sum() + 1)
    return stack, np.exp(margins - gammaln(stack + 1).sum((1, 2)))


def _each(rows: list[int], columns: list[int]) -> Iterator[list[list[int]]]:
    """Tables with these margins, row by row."""
    if len(rows) == 1:
        yield [columns]
        return
    for first in _dealt(rows[0], columns):
        left = [c - x for c, x in zip(columns, first, strict=True)]
        for rest in _each(rows[1:], left):
            yield [first, *rest]


def _dealt(cards: int, columns: list[int]) -> Iterator[list[int]]:
    """Ways to take so many cards from the columns."""
    head, *rest = columns
    if not rest:
        yield [cards]
        return
    for x in range(max(0, cards - sum(rest)), min(cards, head) + 1):
        for others in _dealt(cards - x, rest):
            yield [x, *others]

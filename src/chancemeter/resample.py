"""Stacks made from one table: what else might have been seen, drawn from counts alone.

Drawing rows with replacement is exactly a multinomial draw over the cells, so a resample costs
the same for a thousand rows and for a billion. Draws come in short stretches, each with a
random generator of its own that seed and place determine: so a result depends on the seed, and
never on how many stretches are worked on at a time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.counts import Array, Counts, Margins, as_counts, as_floats
from chancemeter.errors import Fault, InputError
from chancemeter.registry import Measure
from chancemeter.tables import Table

#: Draws that share a random generator.
STRETCH = 32
#: Numbers that are worked on at a time.
_AT_A_TIME = 1 << 21
#: numpy draws from urns of fewer balls than this.
_MOST_IN_AN_URN = 10**9


@dataclass(frozen=True, eq=False)
class Kinds:
    """Kinds of cases, how many there are of each, and the cell each falls in for every model.

    One table has its cells for kinds; several models on the same rows have the patterns of
    truth and all predictions; groups of cases, such as patients, are kinds of their own.
    """

    counts: Array
    """How many there are of each kind: ``(kinds,)``."""
    k: int
    cells: Array | None = None
    """For each model and kind the place of its cell in the table: ``(models, kinds)``."""
    tables: Array | None = None
    """What one of each kind adds to the tables, where that is more than a case."""

    @property
    def total(self) -> float:
        """How many there are."""
        return float(self.counts.sum())

    @property
    def models(self) -> int:
        """How many tables they make."""
        held = self.tables if self.cells is None else self.cells.T
        return 1 if held is None else int(held.shape[1])

    def only_seen(self) -> Kinds:
        """Without kinds that do not occur, the most frequent first: faster to draw."""
        order = np.argsort(-self.counts, kind="stable")
        order = order[: np.count_nonzero(self.counts)]
        cells = None if self.cells is None else self.cells[:, order]
        tables = None if self.tables is None else self.tables[order]
        return Kinds(self.counts[order], self.k, cells, tables)

    def lay(self, numbers: Array) -> Array:
        """The tables that so many of each kind make: ``(draws, models, k, k)``."""
        k, size = self.k, len(numbers)
        if self.tables is not None:
            laid = numbers.astype(np.float64) @ self.tables.reshape(len(self.tables), -1)
            return laid.reshape(size, *self.tables.shape[1:])
        laid = np.zeros((size, self.models, k * k), numbers.dtype)
        for i, cells in enumerate(self.cells if self.cells is not None else ()):
            order = np.argsort(cells, kind="stable")
            used, starts = np.unique(cells[order], return_index=True)
            if len(used) == len(cells):
                laid[:, i, cells] = numbers
            else:
                laid[:, i, used] = np.add.reduceat(numbers[:, order], starts, axis=1)
        return laid.reshape(size, -1, k, k)

    def margins(self, numbers: Array) -> Margins:
        """Hits and margins of the one table they make, without laying out its cells."""
        rows, columns = np.divmod(np.zeros(0, int) if self.cells is None else self.cells[0], self.k)
        hits = np.flatnonzero(rows == columns)
        parts = ((rows[hits], numbers[:, hits]), (rows, numbers), (columns, numbers))
        return Margins(*(_summed(at, what, self.k) for at, what in parts))


def _summed(at: Array, numbers: Array, k: int) -> Array:
    """Sums of the columns of `numbers` by class."""
    found = np.zeros((len(numbers), k))
    if len(at):
        order = np.argsort(at, kind="stable")
        used, starts = np.unique(at[order], return_index=True)
        found[:, used] = np.add.reduceat(numbers[:, order], starts, axis=1)
    return found


def of_table(table: Any) -> Kinds:
    """The cells of one table as kinds of cases."""
    if hasattr(table, "margins"):  # a sparse table lists the cells that occur
        k = table.k
        return Kinds(np.asarray(table.counts), k, (table.truth * k + table.predicted)[None])
    cells = as_counts(table).cells
    k = cells.shape[-1]
    return Kinds(cells.reshape(-1), k, np.arange(k * k)[None])


def of_groups(stack: Array) -> Kinds:
    """Groups of cases as kinds, one of each: ``(groups, k, k)``, or ``(groups, models, k, k)``."""
    stack = stack if stack.ndim == 4 else stack[:, None]
    return Kinds(np.ones(len(stack)), stack.shape[-1], tables=stack.astype(np.float64))


Draw = Callable[[np.random.Generator, int], Array]


def multinomial(kinds: Kinds) -> Draw:
    """Draw as many cases again, each like one of those that were seen."""
    n = kinds.total
    whole = round(n)
    if whole == 0:
        raise InputError(Fault("CM503", "there are no cases to draw from", fix="give counts"))
    shares = kinds.counts / n

    def draw(generator: np.random.Generator, size: int) -> Array:
        found = generator.multinomial(whole, shares, size)
        return found if whole == n else found * (n / whole)

    return draw


def dirichlet(kinds: Kinds, prior: Array | float) -> Draw:
    """Draw what the shares may be, given the counts and pseudo-counts `prior`; times the total."""
    n, shapes = kinds.total, kinds.counts + prior

    def draw(generator: np.random.Generator, size: int) -> Array:
        found = generator.standard_gamma(shapes, (size, len(shapes)))
        return np.asarray(found * (n / found.sum(-1, keepdims=True)))

    return draw


def stretches(draw: Draw, draws: int, seed: int, width: int) -> Iterator[Array]:
    """All draws, some at a time; `width` numbers are needed for each."""
    at_once = max(1, _AT_A_TIME // (STRETCH * max(1, width)))
    places = range(0, draws, STRETCH)
    for start in range(0, len(places), at_once):
        parts = [
            draw(np.random.default_rng([seed, place]), min(STRETCH, draws - place))
            for place in places[start : start + at_once]
        ]
        yield np.concatenate(parts)


def bootstrap(table: Any, draws: int = 2000, seed: int = 0) -> Array:
    """Tables as they would come from drawing the rows with replacement: ``(draws, k, k)``.

    >>> bootstrap([[20, 5], [10, 15]], draws=3).sum((1, 2))
    array([50, 50, 50])
    """
    kinds = of_table(_one(table)).only_seen()
    return _stack(kinds, multinomial(kinds), draws, seed)


def posterior(table: Any, draws: int = 2000, seed: int = 0, prior: float | None = None) -> Array:
    """Tables as they may be in the long run, scaled to the same total: ``(draws, k, k)``.

    `prior` is the number of pseudo-cases, spread evenly over the cells: by default 2 with two
    classes and 1 with more, for more of them per cell drown the diagonal.

    >>> posterior([[20, 5], [10, 15]], draws=3).sum((1, 2)).round(9)
    array([50., 50., 50.])
    """
    kinds = of_table(_one(table))
    each = prior_mass(kinds.k, prior) / kinds.k**2
    return _stack(kinds, dirichlet(kinds, each), draws, seed)


def prior_mass(k: int, prior: float | None) -> float:
    """Pseudo-cases of the Dirichlet prior in all."""
    if prior is None:
        return 2.0 if k <= 2 else 1.0
    if not 0 < prior < np.inf:
        fix = "give how many pseudo-cases are spread over the cells, such as 1"
        raise InputError(Fault("CM502", "a prior has pseudo-cases", saw=f"{prior}", fix=fix))
    return float(prior)


def stratified(table: Any, draws: int = 2000, seed: int = 0) -> Array:
    """The same with as many cases of each true class as there are: ``(draws, k, k)``.

    >>> stratified([[20, 5], [10, 15]], draws=3).sum(2)
    array([[25, 25],
           [25, 25],
           [25, 25]])
    """
    cells = as_counts(_one(table)).cells
    rows = [multinomial(Kinds(row, 1)) for row in cells if row.any()]
    filled = cells.any(-1)

    def draw(generator: np.random.Generator, size: int) -> Array:
        found = np.zeros((size, *cells.shape), np.int64 if is_whole(cells) else np.float64)
        found[:, filled] = np.stack([row(generator, size) for row in rows], 1)
        return found

    return np.concatenate(list(stretches(draw, draws, seed, cells.size)))


def grouped(stack: Any, draws: int = 2000, seed: int = 0) -> Array:
    """Tables as they would come from drawing whole groups with replacement: ``(draws, k, k)``.

    >>> groups = [[[5, 1], [0, 4]], [[2, 2], [1, 5]], [[4, 0], [3, 3]]]
    >>> grouped(groups, draws=3).sum((1, 2))
    array([30., 30., 30.])
    """
    kinds = of_groups(as_counts(stack).cells)
    return _stack(kinds, multinomial(kinds), draws, seed)


def leave_one_out(table: Any) -> tuple[Array, Array]:
    """The tables that lack one case, each only once, and how many cases give each.

    >>> stack, times = leave_one_out([[20, 5], [0, 15]])
    >>> times, stack[0]
    (array([20.,  5., 15.]), array([[19.,  5.],
           [ 0., 15.]]))
    """
    cells = as_counts(_one(table)).cells
    if not is_whole(cells):
        fix = "take another method: smoothed takes any weights"
        raise InputError(Fault("CM503", "a case can be left out of whole counts only", fix=fix))
    seen = np.flatnonzero(cells)
    stack = np.repeat(cells.reshape(1, -1), len(seen), axis=0)
    stack[np.arange(len(seen)), seen] -= 1
    return stack.reshape(-1, *cells.shape), cells.reshape(-1)[seen]


def permutations(table: Any, draws: int = 2000, seed: int = 0) -> Array:
    """Tables as they come from shuffling the predictions, both margins kept: ``(draws, k, k)``.

    >>> shuffled = permutations([[20, 5], [10, 15]], draws=3)
    >>> shuffled.sum(2).tolist()[0], shuffled.sum(1).tolist()[0]
    ([25, 25], [30, 20])
    """
    cells = as_counts(_one(table)).cells
    if not is_whole(cells):
        fix = "give counts of cases, without weights"
        raise InputError(Fault("CM503", "only whole cases can be shuffled", fix=fix))
    if cells.sum() >= _MOST_IN_AN_URN:
        fix = "an interval says whether it is above chance: chancemeter.interval"
        raise InputError(
            Fault("CM503", "too many cases to shuffle", saw=f"{cells.sum():,.0f}", fix=fix)
        )
    rows, columns = cells.sum(1).astype(np.int64), cells.sum(0).astype(np.int64)

    def draw(generator: np.random.Generator, size: int) -> Array:
        left = np.repeat(columns[None], size, axis=0)
        return np.stack([_deal(generator, left, int(row)) for row in rows], 1)

    return np.concatenate(list(stretches(draw, draws, seed, cells.size)))


def _deal(generator: np.random.Generator, left: Array, cards: int) -> Array:
    """Draw `cards` from what is `left` of each class in every table, and take them away."""
    need = np.full(len(left), cards)
    dealt = np.zeros_like(left)
    rest = left.sum(1)
    for j in range(left.shape[1]):
        rest = rest - left[:, j]
        dealt[:, j] = generator.hypergeometric(left[:, j], rest, need)
        need = need - dealt[:, j]
    left -= dealt
    return dealt


def _stack(kinds: Kinds, draw: Draw, draws: int, seed: int) -> Array:
    laid = [kinds.lay(x)[:, 0] for x in stretches(draw, draws, seed, kinds.k**2)]
    return np.concatenate(laid)


def _one(table: Any) -> Any:
    """Refuse a stack where one table is resampled."""
    shape = table.counts.shape if isinstance(table, Table) else None
    if shape is None and not hasattr(table, "margins"):
        shape = as_counts(table).cells.shape
    if shape is not None and len(shape) != 2:
        fix = "select or pool the axes first"
        raise InputError(
            Fault("CM204", "one table is resampled at a time", saw=f"shape {shape}", fix=fix)
        )
    return table


def is_whole(cells: Array) -> bool:
    """Whether these are numbers of cases, without fractions."""
    return bool((cells == np.floor(cells)).all())


def each_value(m: Measure[...], kinds: Kinds, draw: Draw, draws: int, seed: int) -> Array:
    """The values of every draw, some tables at a time: ``(draws, models)``, classes last."""
    if m.card.needs == "margins" and kinds.tables is None and (kinds.models == 1):
        parts = stretches(draw, draws, seed, len(kinds.counts))
        return np.concatenate([m.values(kinds.margins(x)) for x in parts])[:, None]
    parts = stretches(draw, draws, seed, kinds.models * kinds.k**2)
    return np.concatenate([m.values(Counts(as_floats(kinds.lay(x)))) for x in parts])

"""How a measure moves with every cell of a table: exact derivatives, one input at a time.

A formula that is given ``x + i·h`` in place of ``x`` returns its derivative times `h` as its
imaginary part, and with a tiny `h` nothing is lost by rounding. A measure that diagonal and
margins determine has 3 k inputs instead of k squared.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.counts import Array, Counts, Margins, Values, as_counts, as_floats, ratio
from chancemeter.errors import Fault, InputError
from chancemeter.registry import Measure, get

#: The step, as a share of the cases: so small that its square is nothing, even beside 1e-12.
_STEP = 1e-40
#: Numbers that are handled at a time, so that they stay in the cache.
_AT_A_TIME = 1 << 16


@dataclass(frozen=True, eq=False)
class Gradient:
    """Derivatives of a measure: by each cell, or by each hit and margin of the classes.

    A measure of classes has one more axis before the inputs, for the class it is the value of.
    """

    by_cell: Array | None = None
    by_hits: Array | None = None
    by_truth: Array | None = None
    by_predicted: Array | None = None

    @property
    def cells(self) -> Array:
        """By each cell: ``(..., k, k)``."""
        if self.by_cell is not None:
            return self.by_cell
        hits, truth, predicted = self.parts()
        found = truth[..., :, None] + predicted[..., None, :]
        index = np.arange(hits.shape[-1])
        found[..., index, index] += hits
        return found

    @property
    def summed(self) -> Gradient:
        """For a measure of classes, the derivatives of the sum of its values."""
        parts = (self.by_cell, self.by_hits, self.by_truth, self.by_predicted)
        sums = (
            None if x is None else x.sum(axis)
            for x, axis in zip(parts, (-3, -2, -2, -2), strict=True)
        )
        return Gradient(*sums)

    def at(self, truth: Array, predicted: Array) -> Values:
        """By the cells at these places: ``(..., cells)``."""
        if self.by_cell is not None:
            return self.by_cell[..., truth, predicted]
        hits, rows, columns = self.parts()
        both = rows[..., truth] + columns[..., predicted]
        return both + np.where(truth == predicted, hits[..., truth], 0)

    def rows(self, k: int) -> Values:
        """The sum along each true class: ``(..., k)``."""
        if self.by_cell is not None:
            return np.asarray(self.by_cell.sum(-1))
        hits, rows, columns = self.parts()
        return np.asarray(hits + k * rows + columns.sum(-1, keepdims=True))

    def spread_evenly(self) -> tuple[Values, Values]:
        """Sum and sum of squares over all cells, without laying them out where that is dear."""
        if self.by_cell is not None:
            return self.by_cell.sum((-2, -1)), np.square(self.by_cell).sum((-2, -1))
        hits, rows, columns = self.parts()
        k = hits.shape[-1]
        sums = hits.sum(-1), rows.sum(-1), columns.sum(-1)
        squares = k * (np.square(rows) + np.square(columns)).sum(-1) + 2 * sums[1] * sums[2]
        squares = squares + (hits * (hits + 2 * (rows + columns))).sum(-1)
        return sums[0] + k * (sums[1] + sums[2]), squares

    def variance(self, cells: Array) -> Values:
        """Large-sample variance of the measure, the cases of `cells` drawn independently."""
        by = self.cells
        n = cells.sum((-2, -1))
        if by.ndim > cells.ndim:
            cells, n = cells[..., None, :, :], n[..., None]
        sums = (cells * by).sum((-2, -1))
        middle = ratio(sums, n)[..., None, None]
        return np.asarray((cells * np.square(by - middle)).sum((-2, -1)))

    def covariance(self, cells: Array) -> Array:
        """The same between the classes of a measure of classes: ``(..., k, k)``."""
        if self.by_cell is not None:
            by = self.by_cell.reshape(*self.by_cell.shape[:-2], -1)
            weights = cells.reshape(*cells.shape[:-2], 1, -1)
            product = (by * weights) @ by.swapaxes(-1, -2)
            sums = (by * weights).sum(-1)
        else:
            product, sums = self._products(Counts(cells))
        both = sums[..., :, None] * sums[..., None, :]
        return product - ratio(both, cells.sum((-2, -1))[..., None, None])

    def _products(self, c: Counts) -> tuple[Array, Values]:
        hits, rows, columns = self.parts()
        flipped = [x.swapaxes(-1, -2) for x in (hits, rows, columns)]
        on = hits * c.hits[..., None, :]
        crossed = rows @ c.cells @ flipped[2]
        product = (rows * c.truth[..., None, :]) @ flipped[1]
        product = product + (columns * c.predicted[..., None, :]) @ flipped[2]
        product = product + crossed + crossed.swapaxes(-1, -2)
        own = on @ (flipped[1] + flipped[2])
        product = product + own + own.swapaxes(-1, -2) + on @ flipped[0]
        sums = (rows * c.truth[..., None, :] + columns * c.predicted[..., None, :] + on).sum(-1)
        return product, sums

    def parts(self) -> tuple[Array, Array, Array]:
        """By hits, true classes and predicted ones, where it is by margins."""
        if self.by_hits is None or self.by_truth is None or self.by_predicted is None:
            msg = "a gradient is by cells or by margins"
            raise TypeError(msg)
        return self.by_hits, self.by_truth, self.by_predicted


def gradients(measures: Sequence[Measure[...]], counts: Counts) -> list[Gradient]:
    """Derivatives of several measures of one stack, which share the work on the counts.

    >>> from chancemeter import accuracy
    >>> gradients([accuracy], as_counts([[20, 5], [10, 15]]))[0].cells.round(3)
    array([[ 0.006, -0.014],
           [-0.014,  0.006]])
    """
    by_margins = [m for m in measures if m.card.needs == "margins"]
    by_cells = [m for m in measures if m.card.needs == "cells"]
    found: dict[int, Gradient] = {}
    if by_margins:
        parts = np.stack([counts.hits, counts.truth, counts.predicted], -2)
        for m, by in zip(by_margins, _derivatives(by_margins, parts, _margins), strict=True):
            k = parts.shape[-1]
            split = by[..., :k], by[..., k : 2 * k], by[..., 2 * k :]
            found[id(m)] = Gradient(
                None, *(split if by.ndim == 1 else map(np.ascontiguousarray, split))
            )
    if by_cells:
        cells = counts.cells
        for m, by in zip(by_cells, _derivatives(by_cells, cells, Counts), strict=True):
            shape = (*by.shape[:-1], *cells.shape[-2:])
            found[id(m)] = Gradient(np.ascontiguousarray(by).reshape(shape))
    return [found[id(m)] for m in measures]


def _margins(parts: Array) -> Counts:
    return Margins(parts[..., 0, :], parts[..., 1, :], parts[..., 2, :])


def _derivatives(measures: Sequence[Measure[...]], inputs: Array, make: Any) -> list[Array]:
    """Derivatives by the entries of the last two axes: ``(..., inputs)`` for each measure."""
    size = inputs.shape[-2] * inputs.shape[-1]
    flat = inputs.reshape(*inputs.shape[:-2], size).astype(np.complex128)
    step = _STEP * np.maximum(1.0, np.abs(flat.real).max(initial=0.0))
    pieces: list[list[Array]] = [[] for _ in measures]
    for start, stop in _blocks(size, flat.size):
        moved = np.repeat(flat[None], stop - start, axis=0)
        index = np.arange(stop - start)
        moved[index, ..., start + index] += 1j * step
        counts = make(moved.reshape(stop - start, *inputs.shape))
        with np.errstate(all="ignore"):  # where there is no value there is no derivative
            for m, listed in zip(measures, pieces, strict=True):
                listed.append(m.values(counts).imag / step)
    whole = (listed[0] if len(listed) == 1 else np.concatenate(listed) for listed in pieces)
    return [by if by.ndim == 1 else np.moveaxis(by, 0, -1) for by in whole]


def _blocks(inputs: int, size: int) -> Iterator[tuple[int, int]]:
    """Inputs that are moved together."""
    width = max(1, _AT_A_TIME // max(1, size))
    for start in range(0, inputs, width):
        yield start, min(inputs, start + width)


def influence_of(measure: str | Measure[...], table: Any) -> Values:
    """How much one more case in each cell moves a measure: what its value hangs on.

    >>> influence_of("kappa", [[20, 5], [10, 15]]).round(4)
    array([[ 0.0096, -0.0304],
           [-0.0256,  0.0144]])
    """
    m = get(measure) if isinstance(measure, str) else measure
    return gradients([m], as_counts(table))[0].cells


def standard_errors(table: Any, measures: Sequence[str | Measure[...]]) -> dict[str, Values]:
    """Large-sample standard errors of several measures, cases drawn independently.

    They shrink to nothing where a table is perfect: `chancemeter.interval` does not.

    >>> found = standard_errors([[20, 5], [10, 15]], ["accuracy", "kappa", "mcc"])
    >>> {key: round(float(x), 4) for key, x in found.items()}
    {'accuracy': 0.0648, 'kappa': 0.127, 'mcc': 0.1275}
    """
    listed = [get(m) if isinstance(m, str) else m for m in measures]
    counts = as_counts(table)
    if isinstance(counts, Margins):
        fix = "use chancemeter.interval, or merge classes"
        raise InputError(Fault("CM105", "a sparse table has no cells laid out", fix=fix))
    cells = as_floats(counts.cells)
    found = gradients(listed, counts)
    # those of one value by margins are worked out together, as the classes of one measure are
    together = [
        i
        for i, by in enumerate(found)
        if by.by_hits is not None and listed[i].card.level == "table"
    ]
    errors: list[Any] = [
        None if i in together else np.sqrt(by.variance(cells)) for i, by in enumerate(found)
    ]
    if together:
        parts = zip(*(found[i].parts() for i in together), strict=True)
        joined = Gradient(None, *(np.stack(part, -2) for part in parts)).variance(cells)
        for i, variance in zip(together, np.moveaxis(joined, -1, 0), strict=True):
            errors[i] = np.sqrt(variance)
    return {m.key: error for m, error in zip(listed, errors, strict=True)}

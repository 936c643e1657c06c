"""How far a table is from independence, cell by cell, without losing small differences."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chancemeter.counts import Array, Counts, once, plain, ratio

#: ``(1 + x) ln(1 + x) - x`` as a series in x, from x**8 down to x**2.
_SERIES = [(-1) ** m / (m * (m - 1)) for m in range(8, 1, -1)]


def log_times(times: Array, excess: Array) -> Array:
    """Logarithm of `times`, given also as 1 + `excess`; 0 where `times` is 0."""
    near = np.abs(excess.real) < 0.5
    far = np.log(np.where(near | np.equal(times, 0), 1 + 0 * times, times))
    return np.where(near, np.log1p(near * excess), far)


def gain(times: Array, excess: Array) -> Array:
    """``times · ln(times) - excess``, where `excess` is ``times - 1``: never below zero.

    In a sum over shares the excesses add up to nothing. Taking them off cell by cell leaves
    no large terms to cancel, so that a sum that is nearly zero keeps its digits.
    """
    found = np.asarray(times * log_times(times, excess) - excess)
    close = np.abs(excess.real) < 0.01
    small = excess[close]
    found[close] = small * small * np.polyval(_SERIES, small)
    return found


class Departure(NamedTuple):
    """Each cell against what independence of truth and prediction expects there."""

    expected: Array
    """Expected share of the cases."""
    times: Array
    """Observed as a multiple of expected."""
    excess: Array
    """That multiple less one, without having subtracted one."""

    @property
    def squared(self) -> Array:
        """What each cell adds to chi-squared, for each case."""
        return self.expected * self.excess * self.excess


@once
def departure(c: Counts) -> Departure:
    """How far `c` is from independence, cell by cell; nan without cases."""
    c = plain(c).rescaled
    outer = c.truth[..., :, None] * c.predicted[..., None, :]
    n = c.total[..., None, None]
    divisor = np.where(np.equal(outer, 0), 1, outer)
    return Departure(
        expected=ratio(outer, n * n),
        times=ratio(n * c.cells, divisor),
        # n·cell - row·column, each cell's own tp·tn - fp·fn: small differences survive.
        excess=ratio(c.cells * c.elsewhere - c.across * c.down, divisor),
    )


@once
def information(c: Counts) -> Array:
    """What each cell adds to the mutual information, in nats."""
    d = departure(c)
    return d.expected * gain(d.times, d.excess)

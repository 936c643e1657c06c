"""Many tests at once: p-values adjusted so that few of them are small by luck alone.

The first four keep the chance of a single false alarm below the level, whatever the tests have
to do with each other (Hochberg and Hommel: unless they oppose each other). The last one keeps
the expected share of false alarms among all alarms below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, quoted, shorten


def bonferroni(p: Array) -> Array:
    """Every p-value times the number of tests."""
    return np.minimum(1, p.size * p)


def holm(p: Array) -> Array:
    """The smallest times m, the next times m − 1, and so on; none below an earlier one."""
    return _in_order(p, lambda q: np.maximum.accumulate(q * np.arange(q.size, 0, -1)))


def hochberg(p: Array) -> Array:
    """As Holm, but from the largest down: none above a later one."""
    return _in_order(p, lambda q: _least_from_here(q * np.arange(q.size, 0, -1)))


def hommel(p: Array) -> Array:
    """The closed test of Simes: never larger than Hochberg's."""

    def adjusted(q: Array) -> Array:
        m = q.size
        found = np.full(m, (m * q / np.arange(1, m + 1)).min(initial=1.0))
        levels = found.copy()
        for j in range(m - 1, 1, -1):
            first, last = np.arange(m - j + 1), np.arange(m - j + 1, m)
            simes = (j * q[last] / np.arange(2, j + 1)).min()
            levels[first] = np.minimum(j * q[first], simes)
            levels[last] = levels[m - j]
            found = np.maximum(found, levels)
        return np.maximum(found, q)

    return _in_order(p, adjusted)


def benjamini_hochberg(p: Array) -> Array:
    """The largest as it is, the next times m / (m − 1), …; none above a later one."""
    return _in_order(p, lambda q: _least_from_here(q * q.size / np.arange(1, q.size + 1)))


#: Every way to adjust, with what it keeps below the level.
ADJUSTMENTS: dict[str, tuple[Callable[[Array], Array], str]] = {
    "holm": (holm, "the chance of any false alarm"),
    "hommel": (hommel, "the chance of any false alarm, if tests do not oppose each other"),
    "hochberg": (hochberg, "the chance of any false alarm, if tests do not oppose each other"),
    "bonferroni": (bonferroni, "the chance of any false alarm"),
    "benjamini-hochberg": (benjamini_hochberg, "the expected share of false alarms among alarms"),
    "none": (np.copy, "nothing: each p-value stands for itself"),
}


def adjust(p: Iterable[float], how: str = "holm") -> Array:
    """The p-values adjusted; undefined ones (nan) stay so and do not count as tests.

    >>> adjust([0.01, 0.04, 0.03]).tolist()
    [0.03, 0.06, 0.06]
    >>> adjust([0.01, 0.04, float("nan")], "bonferroni").tolist()
    [0.02, 0.08, nan]
    """
    if how not in ADJUSTMENTS:
        fix = did_you_mean(how, ADJUSTMENTS, f"one of {', '.join(ADJUSTMENTS)}")
        raise UnknownNameError(Fault("CM515", f"no adjustment is called {quoted(how)}", fix=fix))
    values = np.array(list(p), dtype=float)
    known = ~np.isnan(values)
    wrong = values[known & ~((values >= 0) & (values <= 1))]
    if wrong.size:
        what = "a p-value lies from 0 to 1"
        raise InputError(Fault("CM514", what, saw=shorten(wrong), fix="adjust p-values only"))
    values[known] = np.minimum(1, ADJUSTMENTS[how][0](values[known]))
    return values


def _in_order(p: Array, change: Callable[[Array], Array]) -> Array:
    """`change` applied to the values from the smallest up, put back where they were."""
    order = np.argsort(p, kind="stable")
    found = np.empty_like(p)
    found[order] = change(p[order])
    return found


def _least_from_here(q: Array) -> Array:
    return np.asarray(np.minimum.accumulate(q[::-1])[::-1])

"""How many cases are needed to see a difference, by simulation from a pilot.

A pilot says how a classifier errs; tables of more cases are drawn from its shares, tested, and
counted where the difference is seen. The same seeds are used for every number of cases.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import chancemeter
from chancemeter.comparison.differences import check_level, smoothed
from chancemeter.comparison.rows import SameRows
from chancemeter.counts import Array, Counts
from chancemeter.errors import Fault, InputError
from chancemeter.figures import number
from chancemeter.intervals.choose import interval
from chancemeter.outcomes import check_draws, check_share, fit_for_json
from chancemeter.registry import Measure, get
from chancemeter.tables import Table
from chancemeter.tables import table as make_table

#: The least number of cases that is tried.
_LEAST = 10
#: Numbers of cases nearer than this share are the same.
_NEAR = 0.01
_HALVINGS = 60


@dataclass(frozen=True, repr=False, kw_only=True)
class CasesNeeded:
    """How many cases show a difference, and how often fewer or more do."""

    measure: str
    difference: float
    n: int
    """Cases, the same for both models; or for each of two test sets."""
    power: float
    """How often so many show it."""
    wanted: float
    paired: bool
    level: float
    curve: tuple[tuple[int, float], ...]
    """Numbers of cases that were tried, and how often each showed the difference."""
    draws: int
    seed: int

    @property
    def signature(self) -> str:
        """What is needed to get the same again."""
        how = "paired" if self.paired else "unpaired"
        parts = [f"power|{self.measure}|{how}|difference:{self.difference:.6g}"]
        parts += [f"power:{self.wanted:g}|level:{self.level:g}|draws:{self.draws}|seed:{self.seed}"]
        return "|".join([*parts, f"v{chancemeter.__version__}"])

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        return fit_for_json(dict(vars(self)) | {"signature": self.signature})

    def __repr__(self) -> str:
        """A sentence."""
        where = "the same for both models" if self.paired else "for each of two test sets"
        return (
            f"{self.n:,} cases, {where}, show a difference of {number(self.difference)} in "
            f"{self.measure} with a power of {self.power:.2f} ({100 * self.level:g}%, two-sided)"
        )


#: From a number of cases to how often the difference is seen.
Seen = Callable[[int], float]


def cases_needed(
    measure: str | Measure[...],
    pilot: Any,
    difference: float | None = None,
    *,
    paired: bool | None = None,
    power: float = 0.8,
    level: float = 0.95,
    draws: int = 1000,
    seed: int = 0,
    most: int = 10_000_000,
) -> CasesNeeded:
    """How many cases are needed to see a difference of so much in a measure.

    `pilot` is `chancemeter.same_rows` of two models, two tables by name, or one table. One table
    is compared with the same classifier after a share of its answers is replaced by guesses with
    the same habits, the share that makes the `difference`; ``paired=True`` takes both for models
    on the same cases. Two models may be compared for a smaller `difference` than theirs.

    >>> from chancemeter import cases_needed
    >>> cases_needed("kappa", [[45, 5], [8, 42]], 0.1, draws=400).n in range(700, 900)
    True
    """
    m = get(measure) if isinstance(measure, str) else measure
    check_level(m)
    for share, name in ((power, "power"), (level, "a level")):
        check_share(share, name)
    check_draws(draws)
    if isinstance(pilot, SameRows):
        d, seen = _of_rows(m, pilot, difference, level, (draws, seed))
        paired = True
    elif isinstance(pilot, Mapping):
        d, seen = _of_two(m, pilot, difference, level, (draws, seed))
        paired = False
    else:
        paired = bool(paired)
        d, seen = _of_one(m, pilot, difference, level, (draws, seed), paired=paired)
    curve = _searched(seen, power, most)
    n = min(size for size, reached in curve.items() if reached >= power)
    return CasesNeeded(
        measure=m.key,
        difference=d,
        n=n,
        power=curve[n],
        wanted=power,
        paired=paired,
        level=level,
        curve=tuple(sorted(curve.items())),
        draws=draws,
        seed=seed,
    )


def _searched(seen: Seen, power: float, most: int) -> dict[int, float]:
    """Numbers of cases around the one that is enough."""
    curve: dict[int, float] = {}
    low, high = 0, _LEAST
    while (curve.setdefault(high, seen(high))) < power:
        low, high = high, 2 * high
        if low >= most:
            what = f"{low:,} cases show the difference in {100 * curve[low]:.0f}% of samples only"
            fix = "ask for a larger difference, less power, or allow more: most="
            raise InputError(Fault("CM505", what, fix=fix))
    while high - low > max(1, _NEAR * high):
        middle = (low + high) // 2
        curve[middle] = seen(middle)
        low, high = (low, middle) if curve[middle] >= power else (middle, high)
    return curve


def _of_rows(
    m: Measure[...], rows: SameRows, difference: float | None, level: float, how: tuple[int, int]
) -> tuple[float, Seen]:
    """Two models on the same cases, their patterns kept; exchanged on a share for less."""
    if len(rows.names) != 2:
        what = "a pilot has two models"
        raise InputError(Fault("CM511", what, saw=", ".join(rows.names)))
    k = rows.k
    shares = np.zeros((k, k, k))
    np.add.at(shares, (rows.truth, *rows.predicted), rows.counts / rows.total)

    def mixed(w: float) -> Array:
        return (1 - w) * shares + w * shares.swapaxes(1, 2)

    return _paired(m, mixed, difference, level, how, least=0.5)


def _of_one(
    m: Measure[...],
    pilot: Any,
    difference: float | None,
    level: float,
    how: tuple[int, int],
    *,
    paired: bool,
) -> tuple[float, Seen]:
    """One table against the same with a share of guesses."""
    if difference is None:
        what = "which difference is to be seen?"
        raise InputError(Fault("CM514", what, fix="give one, such as 0.05, or two models"))
    cells = _table(pilot)
    shares = cells / cells.sum()
    truth, guess = shares.sum(1), shares.sum(0)
    k = len(cells)
    agree = np.zeros((k, k, k))
    agree[:, np.arange(k), np.arange(k)] = shares
    guessed = shares[:, :, None] * guess

    def mixed(w: float) -> Array:
        return (1 - w) * agree + w * guessed

    if paired:
        return _paired(m, mixed, difference, level, how, least=1)
    w, d = _weight(m, mixed, difference, 1)
    weaker = (1 - w) * shares + w * truth[:, None] * guess
    return d, _unpaired(m, (shares, weaker), level, how)


def _of_two(
    m: Measure[...],
    pilot: Mapping[str, Any],
    difference: float | None,
    level: float,
    how: tuple[int, int],
) -> tuple[float, Seen]:
    """Two tables of different cases, with the difference that they have."""
    if len(pilot) != 2 or difference is not None:
        what = "two tables have a difference of their own"
        fix = "give two tables without a difference, or one table with one"
        raise InputError(Fault("CM511", what, saw=f"{len(pilot)} tables", fix=fix))
    one, two = (_table(x) for x in pilot.values())
    d = float(m.values(Counts(one)) - m.values(Counts(two)))
    if not abs(d) > 0:
        raise InputError(Fault("CM514", "the two tables do not differ", saw=f"{d}"))
    return d, _unpaired(m, (one / one.sum(), two / two.sum()), level, how)


def _table(given: Any) -> Array:
    cells = (given if isinstance(given, Table) else make_table(given)).counts * 1.0
    if cells.ndim != 2 or not cells.sum() > 0:
        raise InputError(Fault("CM204", "a pilot is one table with cases", saw=str(cells.shape)))
    return cells


def _of_both(m: Measure[...], shares: Array) -> float:
    """The difference that patterns of truth and two predictions have."""
    return float(m.values(Counts(shares.sum(2))) - m.values(Counts(shares.sum(1))))


def _weight(
    m: Measure[...], mixed: Callable[[float], Array], difference: float | None, least: float
) -> tuple[float, float]:
    """How much is mixed in for the difference, and the difference."""
    ends = [_of_both(m, mixed(w)) for w in (0.0, least)]
    low, high = (least, 0.0) if abs(ends[0]) > abs(ends[1]) else (0.0, least)
    largest = ends[0] if high == 0 else ends[1]
    wanted = largest if difference is None else abs(difference)
    if not 0 < abs(wanted) <= abs(largest) + 1e-12:
        what = "a difference is above 0 and no larger than the pilot allows"
        saw = f"{wanted:g}; the pilot allows {abs(largest):.4g}"
        fix = "take a smaller one, or a pilot that differs more"
        raise InputError(Fault("CM514", what, saw=saw, fix=fix))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if abs(_of_both(m, mixed(middle))) < abs(wanted):
            low = middle
        else:
            high = middle
    return high, _of_both(m, mixed(high))


def _paired(
    m: Measure[...],
    mixed: Callable[[float], Array],
    difference: float | None,
    level: float,
    how: tuple[int, int],
    *,
    least: float,
) -> tuple[float, Seen]:
    w, d = _weight(m, mixed, difference, least)
    shares = mixed(w)
    k, kept = len(shares), shares > 0
    truth, one, two = np.nonzero(kept)
    draws, seed = how

    def seen(n: int) -> float:
        drawn = np.random.default_rng([seed, n]).multinomial(n, shares[kept], draws)
        with np.errstate(all="ignore"):
            low, high, _ = smoothed(m, drawn, truth, np.stack([one, two]), k=k, level=level)
        return float((low > 0).mean() if d > 0 else (high < 0).mean())

    return d, seen


def _unpaired(
    m: Measure[...], shares: tuple[Array, Array], level: float, how: tuple[int, int]
) -> Seen:
    draws, seed = how
    ahead = m.values(Counts(shares[0])) > m.values(Counts(shares[1]))
    first, second = shares if ahead else shares[::-1]

    def seen(n: int) -> float:
        found = []
        for i, of in enumerate((first, second)):
            drawn = np.random.default_rng([seed, n, i]).multinomial(n, of.ravel(), draws)
            found.append(interval(m, drawn.reshape(draws, *of.shape), level=level))
        one, two = found
        reach = np.hypot(one.value - one.low, two.high - two.value)
        with np.errstate(invalid="ignore"):
            return float((one.value - two.value - reach > 0).mean())

    return seen

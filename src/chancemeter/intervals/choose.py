"""`chancemeter.interval`: one way in to every interval."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

import chancemeter
from chancemeter.counts import Values, as_counts, as_floats
from chancemeter.errors import Fault, InputError, UnknownNameError, did_you_mean, plural, quoted
from chancemeter.intervals import clusters, drawn, over_folds, shares, smooth
from chancemeter.intervals.result import Interval
from chancemeter.intervals.smooth import Seen
from chancemeter.outcomes import check_draws, check_share
from chancemeter.registry import Measure, get
from chancemeter.resample import of_groups, of_table, prior_mass
from chancemeter.sparse import SparseTable
from chancemeter.tables import Table
from chancemeter.tables import table as make_table

#: A class with fewer cases makes an average over classes less sure than its interval says.
RARE = 10
#: Methods that rely on large counts cover too little where a cell holds fewer cases.
SMALL_CELL = 5
_LARGE = {"delta", "logit", "fisher-z", "percentile", "bca", "jackknife"}
_DRAWN = {"posterior", "percentile", "bca", "cluster-bootstrap"}
_TRUST = "the default keeps its promise there"


@dataclass(frozen=True, eq=False)
class Asked:
    """What an interval is asked of, and how."""

    table: Any
    """A `Table` or a `SparseTable`."""
    level: float
    draws: int
    seed: int
    prior: float

    @property
    def seen(self) -> Seen:
        """The counts as the closed forms take them."""
        sparse = self.table if isinstance(self.table, SparseTable) else None
        return Seen(as_counts(self.table), sparse)


@dataclass(frozen=True, eq=False)
class Found:
    """Limits, what the way to them is called, and what to say of them."""

    low: Values
    high: Values
    method: str
    notes: tuple[str, ...] = ()


def interval(
    measure: str | Measure[...],
    table: Any,
    *,
    method: str = "default",
    level: float = 0.95,
    draws: int = 10_000,
    seed: int = 0,
    prior: float | str | None = None,
) -> Interval:
    """How sure a value is: limits that hold the true one in 95% of samples such as this.

    The default is chosen by the card of the measure, from what simulations say; a table with
    an axis ``group`` is taken as that many groups of cases. Other methods: ``smoothed``,
    ``posterior``, ``delta``, ``logit``, ``fisher-z``, ``percentile``, ``bca``, ``jackknife``,
    ``wilson``, ``agresti-coull``, ``clopper-pearson``, ``jeffreys``, ``cluster`` and
    ``cluster-bootstrap``; and of a table with an axis ``fold``, ``fold-t`` and
    ``corrected-fold-t``, which are about the mean of the folds.

    A `Curve` has scalars in place of measures: ``interval("auc", curve)``.

    >>> interval("mcc", [[20, 5], [10, 15]])
    mcc 0.408 [0.132, 0.622] (95%, smoothed)
    >>> interval("recall", [[20, 5], [10, 15]])
    recall (95%, agresti-coull)
      0.800 [0.604, 0.916]
      0.600 [0.407, 0.766]
    >>> interval("kappa", [[9, 0], [0, 9]], method="delta")
    kappa 1.000 [no interval] (95%, delta)
      note: the smallest cell holds 0 cases and delta relies on 5; the default keeps its promise there
      note: too few cases for an interval: delta sees no variation in this table
    """
    if hasattr(table, "thresholds"):
        found: Interval = table.interval(
            measure, method=method, level=level, draws=min(draws, 2000), seed=seed
        )
        return found
    m = get(measure) if isinstance(measure, str) else measure
    check_share(level, "a level")
    check_draws(draws)
    read = table if isinstance(table, (Table, SparseTable)) else make_table(table)
    chosen = _chosen(method, m, read)
    asked = Asked(read, level, draws, seed, _prior(prior, read.k))
    if chosen in over_folds.WAYS:
        return _of_folds(m, asked, chosen)
    if chosen.startswith("cluster"):
        asked = replace(asked, table=clusters.groups_of(read))
        read = asked.table.pool("group")
    with np.errstate(all="ignore"):
        return _made(m, asked, read, METHODS[chosen](m, asked))


def check_method(method: str) -> None:
    """Refuse a name that no method has."""
    known = [*METHODS, *over_folds.WAYS]
    if method not in known:
        fix = did_you_mean(method, known, f"one of {', '.join(known)}")
        raise UnknownNameError(Fault("CM402", f"no method is called {quoted(method)}", fix=fix))


def _chosen(method: str, m: Measure[...], table: Table | SparseTable) -> str:
    check_method(method)
    if method in shares.WAYS and not smooth.has_share(m):
        what = f"{method} is for shares of cases, and {m.key} is none"
        raise InputError(Fault("CM402", what, fix="take smoothed, the default"))
    if method == "fisher-z" and m.card.range != (-1, 1):
        what = f"fisher-z is for values from -1 to 1, and {m.key} has another range"
        raise InputError(Fault("CM402", what, fix="take logit, or smoothed, the default"))
    if method == "logit" and not np.isfinite(m.card.range).all():
        what = f"logit is for values between two ends, and {m.key} has no such range"
        raise InputError(Fault("CM402", what, fix="take smoothed, the default"))
    if method != "default":
        return method
    if isinstance(table, Table) and "group" in table.axes:
        return "cluster"
    return "default" if m.card.smooth or smooth.has_share(m) else "posterior"


def _prior(prior: float | str | None, k: int) -> float:
    """Pseudo-cases in all; by name half a one for each cell, or one."""
    named = {"jeffreys": k * k / 2, "uniform": float(k * k)}
    if isinstance(prior, str):
        if prior not in named:
            fix = did_you_mean(prior, named, "a number of pseudo-cases, jeffreys or uniform")
            raise UnknownNameError(Fault("CM402", f"no prior is called {quoted(prior)}", fix=fix))
        return named[prior]
    return prior_mass(k, prior)


def _best(m: Measure[...], asked: Asked) -> Found:
    return Found(*smooth.best(m, asked.seen, asked.level))


def _smoothed(m: Measure[...], asked: Asked) -> Found:
    return Found(*smooth.smoothed(m, asked.seen, asked.level), "smoothed")


def _delta(m: Measure[...], asked: Asked) -> Found:
    return Found(*smooth.smoothed(m, asked.seen, asked.level, mass=0), "delta")


def _logit(m: Measure[...], asked: Asked, name: str) -> Found:
    """So many standard errors on a scale without ends."""
    z = shares.z_of(asked.level)
    return Found(*smooth.between_ends(m, *smooth.wald(m, asked.seen, 0), z), name)


def _jackknife(m: Measure[...], asked: Asked) -> Found:
    value = m.values(as_counts(asked.table))
    reach = shares.z_of(asked.level) * drawn.jackknife_error(m, asked.table)
    return Found(*smooth.within(m, value - reach, value + reach), "jackknife")


def _of_share(m: Measure[...], asked: Asked, name: str) -> Found:
    counts = as_counts(asked.table)
    return Found(*smooth.of_share(m, counts, asked.level, shares.WAYS[name]), name)


def _posterior(m: Measure[...], asked: Asked) -> Found:
    low, high, notes = drawn.posterior(
        m, asked.table, asked.level, draws=asked.draws, seed=asked.seed, prior=asked.prior
    )
    return Found(low, high, f"posterior:{asked.prior:g}", notes)


def _percentile(m: Measure[...], asked: Asked) -> Found:
    kinds = of_table(asked.table).only_seen()
    low, high, notes = drawn.percentile(m, kinds, asked.level, asked.draws, asked.seed)
    return Found(low, high, "percentile", notes)


def _bca(m: Measure[...], asked: Asked) -> Found:
    low, high, notes = drawn.bca(m, asked.table, asked.level, asked.draws, asked.seed)
    return Found(low, high, "bca", notes)


def _cluster(m: Measure[...], asked: Asked) -> Found:
    return Found(*clusters.cluster(m, asked.table, asked.level), "cluster", _few(asked))


def _cluster_bootstrap(m: Measure[...], asked: Asked) -> Found:
    kinds = of_groups(as_floats(asked.table.counts))
    level = clusters.wider(asked.level, len(kinds.counts))
    low, high, notes = drawn.percentile(m, kinds, level, asked.draws, asked.seed)
    return Found(low, high, "cluster-bootstrap", (*notes, *_few(asked)))


def _few(asked: Asked) -> tuple[str, ...]:
    several = len(asked.table.counts)
    if several >= clusters.FEW_GROUPS:
        return ()
    return (f"only {plural(several, 'group')}: limits from so few are a guess",)


def _for_each_table(way: Callable[..., Found]) -> Callable[..., Found]:
    """What works on one table, on every table of a stack."""

    def on_stack(m: Measure[...], asked: Asked) -> Found:
        if isinstance(asked.table, SparseTable) or asked.table.counts.ndim == 2:
            return way(m, asked)
        shape = asked.table.counts.shape
        tables = asked.table.counts.reshape(-1, *shape[-2:])
        found = [way(m, replace(asked, table=Table(x, asked.table.labels))) for x in tables]
        low, high = (
            np.stack(x).reshape(*shape[:-2], *np.shape(x[0]))
            for x in ([f.low for f in found], [f.high for f in found])
        )
        notes = tuple(dict.fromkeys(note for f in found for note in f.notes))
        return Found(low, high, found[0].method if found else "", notes)

    return on_stack


#: The methods by name.
METHODS: dict[str, Callable[[Measure[...], Asked], Found]] = {
    "default": _best,
    "smoothed": _smoothed,
    "posterior": _for_each_table(_posterior),
    "delta": _delta,
    "logit": partial(_logit, name="logit"),
    "fisher-z": partial(_logit, name="fisher-z"),
    "percentile": _for_each_table(_percentile),
    "bca": _for_each_table(_bca),
    "jackknife": _for_each_table(_jackknife),
    **{name: partial(_of_share, name=name) for name in shares.WAYS},
    "cluster": _cluster,
    "cluster-bootstrap": _cluster_bootstrap,
}


def _made(m: Measure[...], asked: Asked, table: Table | SparseTable, found: Found) -> Interval:
    """The result: limits where there is a value and they say something."""
    counts = as_counts(table)
    value = m.values(counts)
    low, high = found.low, found.high
    if found.method.partition(":")[0] not in {"percentile", "bca", "cluster-bootstrap"}:
        low, high = np.fmin(low, value), np.fmax(high, value)
    known = ~np.isnan(value)
    flat = known & (high - low <= 1e-12 * np.maximum(1, np.abs(value)))
    known &= ~flat & ~np.isnan(low) & ~np.isnan(high)
    low, high = np.where(known, low, np.nan), np.where(known, high, np.nan)
    notes = found.notes + _notes(m, asked.table, found.method)
    if flat.any():
        notes += (_without_variation(found.method),)
    reasons = m.reasons(counts, value)
    single = value.ndim == 0
    return Interval(
        measure=m.key,
        value=value.item() if single else value,
        low=low.item() if single else low,
        high=high.item() if single else high,
        level=asked.level,
        method=found.method,
        signature=_signature(m, asked, found.method),
        notes=notes,
        undefined=reasons.item() if single else reasons,
    )


def _of_folds(m: Measure[...], asked: Asked, method: str) -> Interval:
    """The mean over the folds, and its limits."""
    table = over_folds.has_folds(method, asked.table)
    value, low, high, notes = over_folds.over_folds(m, table, method, asked.level)
    single = value.ndim == 0
    parts = [m.key, method, f"folds:{len(table.counts)}", f"level:{asked.level:g}"]
    return Interval(
        measure=m.key,
        value=value.item() if single else value,
        low=low.item() if single else low,
        high=high.item() if single else high,
        level=asked.level,
        method=method,
        signature="|".join([*parts, f"v{chancemeter.__version__}"]),
        notes=notes,
    )


def _signature(m: Measure[...], asked: Asked, method: str) -> str:
    parts = [m.key, method]
    if method.startswith("cluster"):
        parts.append(f"groups:{len(asked.table.counts)}")
    if method.partition(":")[0] in _DRAWN:
        parts += [f"draws:{asked.draws}", f"seed:{asked.seed}"]
    return "|".join([*parts, f"level:{asked.level:g}", f"v{chancemeter.__version__}"])


def _without_variation(method: str) -> str:
    if method in _LARGE or method.startswith("cluster"):
        return f"too few cases for an interval: {method} sees no variation in this table"
    return "no interval: the value does not vary between samples of this size"


def _notes(m: Measure[...], table: Table | SparseTable, method: str) -> tuple[str, ...]:
    """What the counts say against the limits."""
    notes: list[str] = []
    counts = table.counts
    if counts.dtype.kind == "f" and (counts != np.floor(counts)).any():
        notes.append("weights are taken for numbers of cases")
    if isinstance(table, SparseTable) or counts.size == 0:
        return tuple(notes)
    least = counts.min()
    if method in _LARGE and least < SMALL_CELL:
        held = f"the smallest cell holds {plural(int(least), 'case')}"
        notes.append(f"{held} and {method} relies on {SMALL_CELL}; {_TRUST}")
    rows = counts.sum(-1)
    rows = rows[rows > 0]
    if smooth.averaged(m) is not None and rows.size and rows.min() < RARE:
        fewest = f"a class has {plural(int(rows.min()), 'case')}"
        notes.append(f"{fewest}: an average over classes is less sure than its interval says")
    return tuple(notes)

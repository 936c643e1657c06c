"""`chancemeter.compare_datasets`: several models on many data sets, by several measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import chancemeter
from chancemeter import datasets
from chancemeter.comparison.compare import USUAL
from chancemeter.comparison.differences import check_level
from chancemeter.comparison.flips import Flip, flips_of, told
from chancemeter.counts import as_counts
from chancemeter.datasets import CriticalDifference, Grid
from chancemeter.errors import Fault, InputError, plural
from chancemeter.outcomes import Belief, Family, Outcome, check_share, fit_for_json
from chancemeter.registry import get, get_all
from chancemeter.tables import Table


@dataclass(frozen=True, repr=False, kw_only=True)
class ComparisonOverDataSets:
    """What is known of some models from one value for each on many data sets, by measure."""

    grids: Mapping[str, Grid]
    overall: Mapping[str, Outcome]
    """Whether the models differ at all: Friedman's test in the form of Iman and Davenport."""
    pairs: Mapping[str, Family]
    """Which two differ: Wilcoxon's signed ranks, p-values adjusted."""
    ranks: Mapping[str, CriticalDifference]
    """Average ranks, and which models cannot be told apart by them (Nemenyi, or Dunn)."""
    beliefs: Mapping[str, Mapping[tuple[str, str], Belief]]
    """How likely either of two is better, where a region of practical equivalence was given."""
    reordered: Mapping[str, tuple[str, ...]]
    """For every measure but the first: the data sets on which it orders the models differently."""
    flips: tuple[Flip, ...]
    """Where measures disagree about which of two models is better."""
    level: float
    notes: tuple[str, ...] = ()

    @property
    def measures(self) -> tuple[str, ...]:
        """The measures, the one that leads first."""
        return tuple(self.grids)

    @property
    def names(self) -> tuple[str, ...]:
        """The models."""
        return next(iter(self.grids.values())).models

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        found = {
            "chancemeter": chancemeter.__version__,
            "models": self.names,
            "measures": {
                key: {
                    "data_sets": g.datasets,
                    "left_out": g.left_out,
                    "values": {m: g.values[i] for i, m in enumerate(g.models)},
                    "any_difference": self.overall[key].to_dict(),
                    "critical_difference": self.ranks[key].to_dict(),
                    "pairs": self.pairs[key].to_dict(),
                    "bayesian": [
                        {"pair": pair, **x.to_dict()}
                        for pair, x in self.beliefs.get(key, {}).items()
                    ],
                }
                for key, g in self.grids.items()
            },
            "reordered": self.reordered,
            "flips": [{**vars(x), "sentence": x.sentence} for x in self.flips],
            "level": self.level,
            "notes": self.notes,
        }
        return fit_for_json(found)

    def __repr__(self) -> str:
        """Average ranks by each measure, and what flips."""
        several = {len(g.datasets) for g in self.grids.values()}
        lines = [
            f"{len(self.names)} models on {plural(max(several), 'data set')}",
            *(
                f"  {key}: "
                + ", ".join(f"{name} {rank:.2f}" for name, rank in self.ranks[key].ranks.items())
                + f" (critical difference {self.ranks[key].difference:.2f})"
                for key in self.grids
            ),
            *(f"  flips: {x}" for x in told(self.flips)),
        ]
        return "\n".join(lines)


def compare_datasets(
    source: Any,
    measures: Sequence[str] | str = USUAL,
    *,
    adjustment: str = "holm",
    control: str | None = None,
    level: float = 0.95,
    rope: float | None = None,
    complete_only: bool = False,
    seed: int = 0,
) -> ComparisonOverDataSets:
    """Models on many data sets, after Demšar: whether any differ, which two, and by how much.

    `source` holds values, ``{measure: {model: {data set: value}}}``, or tables with the axes
    ``model`` and ``slice`` (one entry for each data set), such as `chancemeter.read` gives. With
    `control` every model is compared with that one only; with `rope`, differences of up to so
    much count as none, and Bayesian signed-rank tests say how likely either model is better.

    >>> values = {"tree": {"d1": 0.9, "d2": 0.8, "d3": 0.7, "d4": 0.8},
    ...           "bayes": {"d1": 0.8, "d2": 0.7, "d3": 0.5, "d4": 0.6}}
    >>> compare_datasets({"kappa": values})
    2 models on 4 data sets
      kappa: tree 1.00, bayes 2.00 (critical difference 0.98)
    """
    check_share(level, "a level")
    tables = None if isinstance(source, Mapping) else _tables_of(source)
    given = source if tables is None else _values_of(tables, measures)
    grids = {
        get(key).key: datasets.grid(x, measure=key, complete_only=complete_only)
        for key, x in given.items()
    }
    if not grids:
        raise InputError(Fault("CM513", "no values of a measure are given"))
    pairs = {key: datasets.pairs(g, "wilcoxon", adjustment, control) for key, g in grids.items()}
    return ComparisonOverDataSets(
        grids=grids,
        overall={key: datasets.friedman(g) for key, g in grids.items()},
        pairs=pairs,
        ranks={key: datasets.critical_difference(g, level, control) for key, g in grids.items()},
        beliefs={} if rope is None else _beliefs(grids, pairs, rope, seed),
        reordered=_reordered(grids),
        flips=flips_of(_verdicts(grids, pairs, level), _chance(tables)),
        level=level,
        notes=tuple(dict.fromkeys(x for family in pairs.values() for x in family.notes)),
    )


def _tables_of(source: Any) -> Table:
    """Tables with the axes model and slice, in this order, and no other."""
    t = getattr(source, "table", source)
    if not isinstance(t, Table) or not {"model", "slice"} <= set(t.axes):
        what = "models on many data sets are tables with the axes model and slice"
        fix = "chancemeter.read(…, model='…', by='…'), or values by measure, model and data set"
        saw = ", ".join(t.axes) if isinstance(t, Table) else type(source).__name__
        raise InputError(Fault("CM513", what, saw=saw, fix=fix))
    rest = [x for x in t.axes if x not in {"model", "slice"}]
    t = t.pool(*rest) if rest else t
    if list(t.axes) == ["model", "slice"]:
        return t
    return Table(np.swapaxes(t.counts, 0, 1), t.labels, {x: t.axes[x] for x in ("model", "slice")})


def _values_of(t: Table, measures: Sequence[str] | str) -> dict[str, Any]:
    """The values of measures by model and data set."""
    models, sets = ([str(x) for x in t.axes[name]] for name in ("model", "slice"))
    found = {}
    for m in get_all([measures] if isinstance(measures, str) else measures):
        check_level(m)
        rows = m.values(as_counts(t)).tolist()
        found[m.key] = {
            model: dict(zip(sets, row, strict=True))
            for model, row in zip(models, rows, strict=True)
        }
    return found


def _beliefs(
    grids: Mapping[str, Grid], pairs: Mapping[str, Family], rope: float, seed: int
) -> dict[str, dict[tuple[str, str], Belief]]:
    return {
        key: {
            pair: datasets.bayesian_signed_rank(g, *pair, rope=rope, seed=seed)
            for pair in pairs[key].outcomes
        }
        for key, g in grids.items()
    }


def _verdicts(
    grids: Mapping[str, Grid], pairs: Mapping[str, Family], level: float
) -> dict[tuple[str, str], dict[str, str]]:
    """For every two models, the one that each measure shows to be better, or an empty word."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for key, family in pairs.items():
        g = grids[key]
        for (a, b), p in family.adjusted.items():
            ahead = a if np.nanmean(g.row(a) - g.row(b)) > 0 else b
            found.setdefault((a, b), {})[key] = ahead if p <= 1 - level else ""
    return found


def _chance(t: Table | None) -> dict[str, float]:
    """What chance gives to each model on average; nothing is known of it without tables."""
    if t is None:
        return {}
    levels = np.nanmean(get("expected_cohen").values(as_counts(t)), axis=1)
    return dict(zip(map(str, t.axes["model"]), levels.tolist(), strict=True))


def _reordered(grids: Mapping[str, Grid]) -> dict[str, tuple[str, ...]]:
    """Data sets on which a measure orders the models otherwise than the first one does."""
    lead, *others = grids
    first = dict(zip(grids[lead].datasets, grids[lead].ranks.T, strict=True))
    return {
        key: tuple(
            d
            for d, ranks in zip(grids[key].datasets, grids[key].ranks.T, strict=True)
            if d in first and not np.array_equal(ranks, first[d])
        )
        for key in others
    }

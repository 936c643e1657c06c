"""`chancemeter.compare`: several models side by side, by several measures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any

import numpy as np

import chancemeter
from chancemeter import folds
from chancemeter.adjust import adjust
from chancemeter.comparison.chance_terms import difference_of_chance
from chancemeter.comparison.differences import Difference, How, check_level, difference, unpaired
from chancemeter.comparison.flips import Flip, flips_of, told
from chancemeter.comparison.ranks import Ranking, chances, ranking
from chancemeter.comparison.rows import SameRows, from_reading
from chancemeter.counts import Array, as_counts
from chancemeter.display import Shown
from chancemeter.errors import Fault, InputError, shorten
from chancemeter.figures import json_number
from chancemeter.frames.read import Reading
from chancemeter.intervals.choose import interval
from chancemeter.intervals.clusters import whole
from chancemeter.intervals.result import Interval
from chancemeter.matched import bowker, cochran_q, mcnemar_pairs, right_or_wrong, stuart_maxwell
from chancemeter.outcomes import Belief, Family, Outcome
from chancemeter.registry import Measure, get, get_all
from chancemeter.tables import Table
from chancemeter.tables import table as make_table

#: What is compared when nobody asks for anything in particular; the first leads.
USUAL = ("accuracy", "kappa", "mcc", "informedness")
#: Draws that places are estimated from, and the least that say anything of them.
_DRAWS_OF_PLACES, _FEWEST = 2000, 200
#: Cells of drawn tables that are worth that.
_CELLS_OF_PLACES = 200_000_000


@dataclass(frozen=True, repr=False, kw_only=True)
class Comparison(Shown):
    """Everything that is known of some models side by side."""

    names: tuple[str, ...]
    measures: tuple[str, ...]
    tables: Table
    intervals: Mapping[str, tuple[Interval, ...]]
    """For each measure the value of each model and how sure it is."""
    differences: tuple[Difference, ...]
    """For each measure and every two models; p-values are adjusted within a measure."""
    rankings: tuple[Ranking, ...]
    flips: tuple[Flip, ...]
    """Where measures disagree about which of two models is higher."""
    paired: bool
    adjustment: str
    right: Mapping[tuple[str, str], Array]
    """For every two models on the same cases, ``[[both right, only A], [only B, neither]]``."""
    tests: Mapping[str, Family | Outcome | Mapping[tuple[str, str], Outcome]]
    """Tests of these predictions: who is right more often, who predicts which class how often."""
    algorithms: Mapping[str, Family]
    """Tests over folds, by measure, where there are folds."""
    beliefs: Mapping[str, Mapping[tuple[str, str], Belief]]
    """How likely each algorithm is better, by measure, where a region of equivalence is given."""
    notes: tuple[str, ...] = ()

    def difference(self, measure: str, first: str, second: str) -> Difference:
        """One of the differences."""
        for x in self.differences:
            if (x.measure, x.first, x.second) == (measure, first, second):
                return x
        known = shorten(f"{x.measure}: {x.first} − {x.second}" for x in self.differences)
        raise InputError(Fault("CM515", "that was not compared", saw=known))

    @property
    def chance(self) -> dict[str, float]:
        """What guessing with the same habits would get right, for each model."""
        levels = np.atleast_1d(get("expected_cohen").values(as_counts(self.tables)))
        return dict(zip(self.names, levels.tolist(), strict=True))

    @property
    def signature(self) -> str:
        """What is needed to get the same again."""
        found = "same-rows" if self.paired else "unpaired"
        return f"compare|{found}|{self.adjustment}|v{chancemeter.__version__}"

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        tests = {
            key: {"pairs": [{"pair": p, **x.to_dict()} for p, x in t.items()]}
            if isinstance(t, Mapping)
            else t.to_dict()
            for key, t in self.tests.items()
        }
        return {
            "chancemeter": chancemeter.__version__,
            "models": {
                name: {key: found[i].to_dict() for key, found in self.intervals.items()}
                for i, name in enumerate(self.names)
            },
            "chance": {name: json_number(x) for name, x in self.chance.items()},
            "relative_difference_of_chance": json_number(
                difference_of_chance(list(self.chance.values()))
            ),
            "paired": self.paired,
            "adjustment": self.adjustment,
            "differences": [x.to_dict() for x in self.differences],
            "rankings": {x.measure: x.to_dict() for x in self.rankings},
            "flips": [{**vars(x), "sentence": x.sentence} for x in self.flips],
            "right": [{"pair": pair, "counts": x.tolist()} for pair, x in self.right.items()],
            "these_predictions": tests,
            "these_algorithms": {key: x.to_dict() for key, x in self.algorithms.items()},
            "bayesian": {
                key: [{"pair": pair, **x.to_dict()} for pair, x in found.items()]
                for key, found in self.beliefs.items()
            },
            "notes": list(self.notes),
            "signature": self.signature,
        }

    def __repr__(self) -> str:
        """The differences, a line each, and what flips."""
        lines = [f"{len(self.names)} models, {'the same' if self.paired else 'different'} cases"]
        lines += [f"  {x!r}" for x in self.differences]
        lines += [f"  flips: {x}" for x in told(self.flips)]
        return "\n".join([*lines, *(f"  note: {note}" for note in self.notes)])


def compare(
    source: Any,
    measures: Sequence[str] | str = USUAL,
    *,
    adjustment: str = "holm",
    rope: float | None = None,
    **options: Any,
) -> Comparison:
    """Several models side by side: which is better by each measure, and how sure that is.

    `source` is a `Reading` of several models or `chancemeter.same_rows` (the same cases, so
    differences are paired), or a table for each name (different cases). Two statements are kept
    apart: `tests` and `differences` speak of *these predictions*, `algorithms` of *these
    algorithms*, which needs folds; with `rope` differences of up to so much count as none, and
    `beliefs` say how likely each is better. `options` are ``method`` (smoothed, posterior, bootstrap,
    permutation), ``level``, ``draws`` and ``seed``.

    >>> from chancemeter import same_rows
    >>> two_models = {"one": list("aabbbbbbba") * 9, "two": list("abbbbbbaba") * 9}
    >>> compare(same_rows(list("aabbbbbbbb") * 9, two_models), ["accuracy", "kappa"])
    2 models, the same cases
      one − two: accuracy +0.200 [0.107, 0.276], p < 0.0001 (smoothed)
      one − two: kappa +0.526 [0.276, 0.706], p < 0.0001 (smoothed)
    """
    how = How(**options)
    chosen = get_all([measures] if isinstance(measures, str) else measures)
    for m in chosen:
        check_level(m)
    if isinstance(source, Reading) and source.patterns is not None:
        rows = from_reading(source)
        over_folds = _by_folds(source.table, chosen, how.level, rope)
        return _same(rows, chosen, how, adjustment, over_folds)
    over_folds = _by_folds(None, chosen, how.level, rope)
    if isinstance(source, SameRows):
        return _same(source, chosen, how, adjustment, over_folds)
    return _apart(_tables(source), chosen, how, adjustment)


def _same(
    rows: SameRows,
    chosen: Sequence[Measure[...]],
    how: How,
    adjustment: str,
    over_folds: _OverFolds,
) -> Comparison:
    """Models on the same cases."""
    if len(rows.names) < 2:
        raise InputError(Fault("CM511", "a comparison needs two models", saw=shorten(rows.names)))
    given = {name: _with_groups(rows, i) for i, name in enumerate(rows.names)}
    affordable = _CELLS_OF_PLACES // (len(rows.names) * rows.k**2)
    draws = min(how.draws, _DRAWS_OF_PLACES, affordable)
    notes: tuple[str, ...] = ()
    if affordable < _FEWEST:
        notes = (f"{rows.k:,} classes: how likely each place is was not drawn",)
    if rows.groups is not None:
        notes += ("cases come in groups: tests of single cases, such as McNemar's, ignore that",)
    return _compared(
        given,
        rows.table,
        chosen,
        lambda m: [difference(m, rows, a, b, how) for a, b in rows.pairs],
        level=how.level,
        places={m.key: chances(m, rows, draws, how.seed) for m in chosen}
        if affordable >= _FEWEST
        else {},
        paired=True,
        adjustment=adjustment,
        right={
            (rows.names[a], rows.names[b]): right_or_wrong(
                rows.right[:, a], rows.right[:, b], rows.counts
            )
            for a, b in rows.pairs
        },
        tests=_tests(rows, adjustment),
        algorithms=over_folds.tests,
        beliefs=over_folds.beliefs,
        notes=notes,
    )


def _apart(
    tables: Mapping[str, Table], chosen: Sequence[Measure[...]], how: How, adjustment: str
) -> Comparison:
    """Models on different cases."""
    labels = next(iter(tables.values())).labels
    counts = [whole(t).reorder(labels).counts for t in tables.values()]
    return _compared(
        tables,
        Table(np.stack(counts), labels, {"model": tuple(tables)}),
        chosen,
        lambda m: [
            unpaired(m, (a, b), (tables[a], tables[b]), how.level)
            for a, b in combinations(tables, 2)
        ],
        level=how.level,
        places={},
        paired=False,
        adjustment=adjustment,
        right={},
        tests={},
        algorithms={},
        beliefs={},
        notes=("the models are taken to have seen different cases: differences are unpaired",),
    )


def _compared(
    given: Mapping[str, Table],
    stack: Table,
    chosen: Sequence[Measure[...]],
    pairs: Callable[[Measure[...]], list[Difference]],
    *,
    level: float,
    places: Mapping[str, Array],
    **rest: Any,
) -> Comparison:
    """What is said of models on the same cases and on different ones alike."""
    names = tuple(given)
    known = {m.key: tuple(interval(m, t, level=level) for t in given.values()) for m in chosen}
    found = [x for m in chosen for x in _adjusted(pairs(m), rest["adjustment"])]
    values = {key: np.array([x.value for x in of]) for key, of in known.items()}
    levels = np.atleast_1d(get("expected_cohen").values(as_counts(stack)))
    return Comparison(
        names=names,
        measures=tuple(known),
        tables=stack,
        intervals=known,
        differences=tuple(found),
        rankings=tuple(ranking(m, names, values[m.key], places.get(m.key)) for m in chosen),
        flips=flips_of(_verdicts(found), dict(zip(names, levels.tolist(), strict=True))),
        **rest,
    )


def _with_groups(rows: SameRows, i: int) -> Table:
    """The table of one model, with its groups where there are any."""
    tables = rows.kinds.tables
    if tables is None:
        return rows.table.select(model=rows.names[i])
    return Table(tables[:, i], rows.labels, {"group": tuple(range(len(tables)))})


def _tests(rows: SameRows, adjustment: str) -> dict[str, Any]:
    """Who is right more often; who predicts which class how often."""
    if rows.counts.dtype.kind not in "iu":
        return {}
    found: dict[str, Any] = {
        "right": mcnemar_pairs(rows.right, rows.counts, rows.names, adjustment=adjustment)
    }
    if len(rows.names) > 2:
        found["right_of_all"] = cochran_q(rows.right, rows.counts)
    against = {(rows.names[a], rows.names[b]): rows.against(a, b) for a, b in rows.pairs}
    found["symmetry"] = {pair: bowker(cells) for pair, cells in against.items()}
    found["classes"] = {pair: stuart_maxwell(cells) for pair, cells in against.items()}
    return found


def _tables(source: Any) -> dict[str, Table]:
    """A table for each name, of the same classes."""
    if isinstance(source, Reading):
        from_reading(source)  # which says what is missing
    if isinstance(source, Table) and "model" in source.axes:
        rest = [x for x in source.axes if x not in {"model", "group"}]
        pooled = source.pool(*rest) if rest else source
        source = {str(name): pooled.select(model=name) for name in source.axes["model"]}
    if not isinstance(source, Mapping) or len(source) < 2:
        what = "a comparison needs two models or more"
        fix = "give chancemeter.same_rows(y_true, {'a': …, 'b': …}), or {'a': table, 'b': table}"
        raise InputError(Fault("CM511", what, saw=type(source).__name__, fix=fix))
    tables = {str(n): x if isinstance(x, Table) else make_table(x) for n, x in source.items()}
    if len({frozenset(t.labels) for t in tables.values()}) > 1:
        saw = " · ".join(shorten(t.labels) for t in tables.values())
        fix = "bring all to the same classes: .merge or .reorder"
        raise InputError(Fault("CM203", "the models have different classes", saw=saw, fix=fix))
    return tables


def _adjusted(found: list[Difference], how: str) -> list[Difference]:
    """With p-values adjusted for the number of pairs, which then decide who is better."""
    ps = adjust([x.p for x in found], how).tolist()
    return [
        replace(x, adjusted_p=p, better=x.better if p <= 1 - x.level else "")
        for x, p in zip(found, ps, strict=True)
    ]


def _verdicts(found: Iterable[Difference]) -> dict[tuple[str, str], dict[str, str]]:
    """For every two models, the one that each measure shows to be better, or an empty word."""
    verdicts: dict[tuple[str, str], dict[str, str]] = {}
    for x in found:
        verdicts.setdefault((x.first, x.second), {})[x.measure] = x.better
    return verdicts


@dataclass(frozen=True)
class _OverFolds:
    """What the folds say of the algorithms."""

    tests: Mapping[str, Family]
    beliefs: Mapping[str, Mapping[tuple[str, str], Belief]]


def _by_folds(
    table: Any, chosen: Sequence[Measure[...]], level: float, rope: float | None
) -> _OverFolds:
    """The corrected t test over the folds, where there are folds; and what is likely."""
    if not isinstance(table, Table) or not {"model", "fold"} <= set(table.axes):
        if rope is not None:
            fix = "name the column of folds, or leave the region of equivalence out"
            what = "how likely an algorithm is better follows from folds, and there are none"
            raise InputError(Fault("CM516", what, fix=fix))
        return _OverFolds({}, {})
    rest = [x for x in table.axes if x not in {"model", "fold"}]
    table = table.pool(*rest) if rest else table
    names = [str(x) for x in table.axes["model"]]
    counts = np.moveaxis(table.counts, list(table.axes).index("model"), 0)
    test = counts[0].sum((-2, -1))
    sizes = {"train": test.sum() - test, "test": test, "level": level}
    tests, beliefs = {}, {}
    for m in chosen:
        values = dict(zip(names, m.values(as_counts(Table(counts, table.labels))), strict=True))
        pairs = list(combinations(names, 2))
        tests[m.key] = Family.of(
            {(a, b): folds.corrected_t(values[a], values[b], **sizes) for a, b in pairs}
        )
        if rope is not None:
            beliefs[m.key] = {
                (a, b): folds.bayesian_correlated_t(values[a], values[b], **sizes, rope=rope)
                for a, b in pairs
            }
    return _OverFolds(tests, beliefs)

"""Everything that an experiment says, from its grid alone, by any measures side by side.

Nothing is fitted again: the same grid answers under other measures as often as it is asked.
"""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan
from pathlib import Path
from typing import Any

import numpy as np

from chancemeter.comparison.data_sets import ComparisonOverDataSets, compare_datasets
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, aligned, plural, printable, shorten
from chancemeter.experiments import sheets
from chancemeter.experiments.grid import Failure, Grid
from chancemeter.experiments.sheets import figure, told
from chancemeter.experiments.summaries import (
    Disagreement,
    Flip,
    Means,
    PerClassifier,
    Regression,
    Spread,
    disagreements,
    flips,
    places,
    regressions,
    spreads,
)
from chancemeter.experiments.values import FoldValues, Panel, fold_values, panel
from chancemeter.experiments.wins import Wins, wins
from chancemeter.figures import number, percent
from chancemeter.outcomes import fit_for_json, p_text
from chancemeter.registry import get_all
from chancemeter.reports.document import (
    Cell,
    Document,
    Folded,
    Node,
    Note,
    Row,
    Section,
    Sentence,
    Span,
    text,
)
from chancemeter.reports.document import Grid as Table

CHANCE = "expected_cohen"
#: More failures than this are counted, not listed.
_MOST = 10


@dataclass(frozen=True, eq=False, repr=False)
class Analysis:
    """An experiment by some measures: the first is set against each of the others.

    >>> from chancemeter.experiments.grid import results
    >>> good, bad = [[[9, 1], [0, 10]]] * 4 + [[[9, 1], [1, 9]]], [[[5, 5], [4, 6]]] * 5
    >>> named = (["tree", "coin"], [[good], [bad]])
    >>> g = Grid(tuple(results(d, *named, labels="ab", train=80) for d in ("one", "two")))
    >>> analyse(g).headline
    '2 data sets × 2 classifiers × 5 folds. Chance gives 50.0% of all cases on average.'
    """

    values: FoldValues
    measures: tuple[str, ...]
    panel: Panel
    """Means of the folds, with intervals."""
    pooled: Panel | None
    """Values of all folds' cases together; None where tables are not known."""
    level: float = 0.95
    failures: tuple[Failure, ...] = ()
    absent: int = 0
    """Cells without predictions."""

    @property
    def first(self) -> str:
        """The measure that the others are set against."""
        return self.measures[0]

    @property
    def chance(self) -> Panel | None:
        """Chance from the margins, if it is known."""
        return self.panel if CHANCE in self.panel.measures else None

    @cached_property
    def wins(self) -> Wins:
        """Wins, ties and losses."""
        return wins(self.values, self.measures, self.level)

    @cached_property
    def flips(self) -> list[Flip]:
        """Verdicts that depend on the measure."""
        return flips(self.values, self.measures, level=self.level)

    @cached_property
    def spreads(self) -> list[Spread]:
        """How far chance differs between classifiers."""
        return spreads(self.panel, CHANCE) if self.chance else []

    @cached_property
    def demsar(self) -> ComparisonOverDataSets | None:
        """Tests over data sets; None where there are too few."""
        if len(self.values.datasets) < 2 or len(self.values.classifiers) < 2:
            return None
        values = {m: _nested(self.panel, m) for m in self.measures}
        complete = np.isfinite(np.stack([self.panel.of(m) for m in self.measures])).all((0, 2))
        if complete.sum() < 2:
            return None
        return compare_datasets(values, level=self.level, complete_only=True)

    def regressions(self, of: str) -> list[Regression]:
        """How much of a measure the first one explains."""
        return regressions(self.values, self.first, of)

    def disagreements(self, by: str) -> list[Disagreement]:
        """Data sets that a measure ranks otherwise than the first one."""
        return disagreements(self.panel, self.first, by)

    @property
    def headline(self) -> str:
        """What comes first."""
        v = self.values
        folds = max((x.size for x in v.test), default=0)
        sizes = (len(v.datasets), "data set"), (len(v.classifiers), "classifier"), (folds, "fold")
        said = [" × ".join(plural(*size) for size in sizes) + "."]
        if self.chance:
            share = _mean(self.panel.of(CHANCE))
            said.append(f"Chance gives {percent(share)} of all cases on average.")
        for m in self.measures[1:]:
            n = len(self.disagreements(m))
            if n:
                where = f"{n} of {plural(len(v.datasets), 'data set')}"
                said.append(
                    f"By {m} the classifiers rank otherwise than by {self.first} on {where}."
                )
        if self.flips:
            said.append(f"The verdict on {plural(len(self.flips), 'pair')} depends on the measure.")
        return " ".join(said)

    def document(self) -> Document:
        """The whole, to be written in any form."""
        sections = [
            Section("answer", "The answer", tuple(self._answer())),
            Section("classifiers", "Classifier by classifier", tuple(self._classifiers())),
            Section("means", "Over all classifiers", tuple(self._means())),
            Section("rankings", "Rankings", tuple(self._rankings())),
            Section("verdicts", "Verdicts", tuple(self._verdicts())),
        ]
        if self.demsar:
            sections.append(Section("over", "Over data sets", tuple(_over(self.demsar))))
        v = self.values
        facts = f"{plural(len(v.datasets), 'data set')}, {plural(len(v.classifiers), 'classifier')}"
        title = "An experiment, by " + ", ".join(self.measures)
        return Document(title, facts, "Experiment", tuple(sections))

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Write it in the form that the name ends in: html, md, txt, tex or csv."""
        return sheets.save_document(self.document(), path, force=force)

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        half = {m: self.panel.half_of(m) for m in self.panel.measures}
        found = {
            "headline": self.headline,
            "datasets": self.values.datasets,
            "classifiers": self.values.classifiers,
            "measures": self.measures,
            "values": {m: {"mean": self.panel.of(m), "half_width": half[m]} for m in half},
            "pooled": {m: self.pooled.of(m) for m in self.pooled.measures} if self.pooled else None,
            "notes": self.panel.notes,
            "disagreements": {
                m: [vars(x) for x in self.disagreements(m)] for m in self.measures[1:]
            },
            "flips": [vars(x) for x in self.flips],
            "wins": {m: self.wins.ranking(m) for m in self.measures},
            "over_datasets": self.demsar.to_dict() if self.demsar else None,
            "absent": self.absent,
            "failures": [vars(x) for x in self.failures],
        }
        return dict(fit_for_json(found))

    def screen(self) -> Iterator[str]:
        """The answer for a terminal."""
        yield textwrap.fill(self.headline, 96)
        yield ""
        heads = ["data set", "ranking", *(["chance"] if self.chance else [])]
        rows = [[*heads, *(f"best by {m}" for m in self.measures)]]
        rows += [[printable(name, 24), *cells] for name, cells in self._best()]
        yield from (f"  {line}" for line in aligned(rows, (0, *range(1, len(rows[0])))))
        yield ""
        for m in self.measures:
            order = ", ".join(f"{printable(c, 24)} {w - n:+d}" for c, w, n in self.wins.ranking(m))
            yield f"  wins − losses by {m}: {order}"
        yield f"  ({self.wins.test})"
        for x in self.flips[:_MOST]:
            yield f"  {printable(x.dataset, 24)}: {_flip(x)}"
        yield from (f"  note: {note}" for note in self._notes())

    def __repr__(self) -> str:
        """The answer."""
        return "\n".join(self.screen())

    def _best(self) -> Iterator[tuple[str, list[str]]]:
        apart = {x.dataset for m in self.measures[1:] for x in self.disagreements(m)}
        for i, name in enumerate(self.values.datasets):
            cells = [percent(_mean(self.panel.of(CHANCE)[i]))] if self.chance else []
            for m in self.measures:
                ranks, values = places(self.panel, m)[i], self.panel.of(m)[i]
                first = np.flatnonzero(ranks == ranks.min())
                name_of = printable(self.values.classifiers[first[0]], 24)
                tied = f" and {len(first) - 1} more" if len(first) > 1 else ""
                cells.append(f"{name_of}{tied} {number(float(values[first[0]]))}")
            yield name, ["CHANGED" if name in apart else "same", *cells]

    def _notes(self) -> Iterator[str]:
        if self.absent:
            yield f"{plural(self.absent, 'cell')} without predictions"
        kinds = Counter((x.dataset, x.classifier, x.kind, x.message) for x in self.failures)
        for (dataset, classifier, kind, message), n in list(kinds.items())[:_MOST]:
            yield f"{classifier} on {dataset}, {n}×: {kind}: {printable(message, 120)}"
        if len(kinds) > _MOST:
            yield f"{len(kinds) - _MOST:,} more kinds of failures"
        if any(x.size < 2 for x in self.values.test):
            yield "one fold says nothing about how much folds vary: no interval and no test over folds"
        yield from self.panel.notes

    def _answer(self) -> Iterator[Node]:
        yield Sentence(text(self.headline), lead=True)
        for note in self._notes():
            yield Note(text(note), warning="cell" in note or (": " in note and "fold" in note[:0]))
        heads = ["data set", *(["chance"] if self.chance else [])]
        heads += [*(f"best by {m}" for m in self.measures), "ranking"]
        rows = [
            (name, [Cell(x, mark=x == "CHANGED") for x in cells]) for name, cells in self._best()
        ]
        yield sheets.grid("The best classifier of each data set", heads, rows)

    def _classifiers(self) -> Iterator[Node]:
        for name in self.values.classifiers:
            table = PerClassifier(name, self.panel)
            yield sheets.averaged(table, f"{printable(name, 60)}: values on every data set")

    def _means(self) -> Iterator[Node]:
        yield sheets.averaged(Means(self.panel), "Means over the classifiers")
        for m in self.measures[1:]:
            caption = f"How much of {m} is explained by {self.first}, over folds"
            yield sheets.regressed(self.regressions(m), self.first, m, caption)
        if self.spreads:
            yield sheets.spread_out(
                self.spreads, "chance", "How far chance differs between classifiers"
            )
        if self.pooled:
            tables = tuple(
                sheets.grid(
                    f"{m}, all folds' cases pooled: not the mean of the folds",
                    ("data set", *self.values.classifiers),
                    [
                        (name, [figure(float(x)) for x in self.pooled.of(m)[i]])
                        for i, name in enumerate(self.values.datasets)
                    ],
                )
                for m in self.pooled.measures
            )
            yield Folded(Span("Values of all folds' cases together"), tables)

    def _rankings(self) -> Iterator[Node]:
        for m in self.measures[1:]:
            found = self.disagreements(m)
            if found:
                caption = f"Data sets ranked otherwise by {m} than by {self.first}"
                yield sheets.ranked_apart(found, self.first, m, caption)
        each = tuple(self._ranked(name) for name in self.values.datasets)
        yield Folded(Span("Data set by data set"), each)

    def _ranked(self, dataset: str) -> Node:
        i = self.values.datasets.index(dataset)
        ranks = {m: places(self.panel, m)[i] for m in self.measures}
        rows = []
        for j in np.argsort(ranks[self.first], kind="stable"):
            cells = []
            for m in self.measures:
                cells += [figure(float(self.panel.of(m)[i, j])), told(f"{ranks[m][j]:g}")]
            rows.append((self.values.classifiers[j], cells))
        heads = ["classifier", *(x for m in self.measures for x in (m, "place"))]
        return sheets.grid(f"{printable(dataset, 60)}: values and places", heads, rows)

    def _verdicts(self) -> Iterator[Node]:
        yield from self.wins.sheets()
        caption = "Pairs on which the measures come to different verdicts"
        foot = f"{self.wins.test}, pair by pair and not adjusted for their number"
        yield sheets.flipped(self.flips, caption, foot)


def analyse(
    source: Grid | FoldValues,
    measures: Sequence[str] = (),
    *,
    interval: str = "corrected",
    level: float = 0.95,
) -> Analysis:
    """What an experiment says by these measures (those of its plan, or accuracy and kappa)."""
    if not source.datasets:
        what = "there are no results yet"
        fix = "chancemeter bench run PLAN.toml fills the folder"
        raise InputError(Fault("CM761", what, fix=fix))
    if isinstance(source, FoldValues):
        keys = [m.key for m in get_all(measures)] or list(source.measures)
        values = FoldValues(
            source.datasets,
            source.classifiers,
            {key: source.of(key) for key in keys},
            source.train,
            source.test,
        )
        return Analysis(
            values, tuple(keys), panel(values, interval=interval, level=level), None, level
        )
    planned = [m.key for m in get_all(source.measures) if m.card.level == "table"]
    keys = [m.key for m in get_all(measures)] or planned or ["accuracy", "kappa"]
    values = fold_values(source, [*keys, *([] if CHANCE in keys else [CHANCE])])
    absent = sum(int((~one.done).sum()) for one in source)
    means = panel(values, interval=interval, level=level)
    undefined = {m: n - absent for m, n in means.left_out.items() if n > absent}
    return Analysis(
        values,
        tuple(keys),
        replace(means, left_out=undefined),
        panel(source, keys, form="pooled"),
        level,
        source.failures,
        absent,
    )


def _mean(x: Array) -> float:
    """Of what is known."""
    known = x[np.isfinite(x)]
    return float(known.mean()) if known.size else nan


def _nested(p: Panel, measure: str) -> dict[str, dict[str, float]]:
    x = p.of(measure)
    return {
        name: {d: float(x[i, j]) if np.isfinite(x[i, j]) else nan for i, d in enumerate(p.datasets)}
        for j, name in enumerate(p.classifiers)
    }


def _flip(x: Flip) -> str:
    silent = f"; not by {shorten(x.silent)}" if x.silent else ""
    against = f"; the other way by {shorten(x.against)}" if x.against else ""
    return f"{x.better} better than {x.other} by {shorten(x.speaking)}{silent}{against}"


def _over(found: ComparisonOverDataSets) -> Iterator[Node]:
    """Demšar's tests by each measure, and the diagram."""
    for m in found.measures:
        cd, overall = found.ranks[m], found.overall[m]
        several = plural(len(found.grids[m].datasets), "data set")
        yield Sentence(
            text(
                Span(m, "strong"),
                f": any difference between classifiers on {several} (Iman–Davenport) "
                f"p {p_text(overall.p)}. Critical difference of average ranks at "
                f"{100 * cd.level:g}% (Nemenyi): {number(cd.difference, 2)}.",
            )
        )
        yield _diagram(m, found)
        rows = [
            (
                f"{a} − {b}",
                [
                    told(p_text(x.p).removeprefix("= ")),
                    told(p_text(found.pairs[m].adjusted[a, b]).removeprefix("= ")),
                ],
            )
            for (a, b), x in found.pairs[m].outcomes.items()
        ]
        heads = ("pair", "p", f"p by {found.pairs[m].adjustment}")
        caption = f"Pairs by {m}: Wilcoxon's signed ranks over data sets"
        yield sheets.grid(caption, heads, rows, found.pairs[m].notes)


def _diagram(measure: str, found: ComparisonOverDataSets) -> Node:
    """Average ranks on a scale, with half a critical difference to either side, and groups."""
    cd = found.ranks[measure]
    scale = (0.0, len(cd.ranks) + 0.5)
    rows = []
    for name, rank in cd.ranks.items():
        half = cd.difference / 2
        shown = f"{rank:.2f}"
        drawn = Cell(shown, value=rank, limits=(max(0.0, rank - half), min(scale[1], rank + half)))
        letters = (chr(97 + i) for i, group in enumerate(cd.cliques) if name in group)
        span = Span(printable(name, 60), "name")
        rows.append(Row(span, [drawn, told(" ".join(letters) or "–")], track=scale))
    return Table(
        f"Critical-difference diagram by {measure}",
        "classifier",
        [Span("average rank"), Span("group")],
        rows,
        "1 is best; bars that do not overlap differ; a letter joins those that cannot be told apart",
    )

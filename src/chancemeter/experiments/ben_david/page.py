"""The study beside its reproduction, as a document."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence

import numpy as np

from chancemeter.errors import aligned, plural
from chancemeter.experiments import sheets
from chancemeter.experiments.ben_david import printed as paper
from chancemeter.experiments.ben_david.recipes import FOUND
from chancemeter.experiments.ben_david.side_by_side import Compared, Study
from chancemeter.experiments.sheets import figure, told
from chancemeter.experiments.summaries import disagreements, flips, places, regressions, spreads
from chancemeter.experiments.values import Panel
from chancemeter.figures import number, percent
from chancemeter.outcomes import p_text
from chancemeter.reports.document import (
    Cell,
    Document,
    Grid,
    Listing,
    Node,
    Note,
    Section,
    Sentence,
    Span,
    text,
)

_MARKS = {"equal": "equal", "within": "within", "outside": "OUTSIDE"}
_TITLE = {
    "NaiveBayes": "Naive Bayes",
    "Logistic": "Logistic regression",
    "RandomForest": "Random forest",
}


def document(study: Study) -> Document:
    """Everything: the answer, Tables A.1 to A.5, 7 to 12, errata, and how the recipes came about."""
    sections = (
        Section("answer", "The answer", tuple(_answer(study))),
        Section("recipes", "How the data were prepared", tuple(_recipes())),
        Section("cells", "Tables A.1 to A.5", tuple(_appendix(study))),
        Section("tables", "Tables 7 to 12", tuple(_tables(study))),
        Section("errata", "What the print has wrong", (_listing("", paper.ERRATA),)),
    )
    facts = (
        f"{plural(len(study.grid.datasets), 'data set')} × "
        f"{plural(len(study.grid.classifiers), 'classifier')} × 10 folds, by {study.made_by}"
    )
    return Document("Ben-David (2007), run again", facts, "Ben-David (2007)", sections)


def summary(study: Study) -> str:
    """The answer in a sentence or two."""
    all_, could = study.tally(), study.tally(recovered=True)
    return (
        f"Of {could['of']} cells whose data and classifier are recovered, {could['equal']} are equal "
        f"to the print in all six numbers to four decimals. Of all {all_['of']} cells, "
        f"{all_['equal']} are equal, {all_['within']} have accuracy and kappa within the printed "
        f"intervals, {all_['outside']} have not."
    )


def _answer(study: Study) -> Iterator[Node]:
    yield Sentence(text(summary(study)), lead=True)
    for why, names in _absent(study).items():
        yield Note(text("Not run, ", why, ": ", Span(", ".join(names), "strong"), "."))
    missed = [x for x in study.cells if x.verdict != "equal"]
    reasons: dict[str, list[str]] = {}
    for x in missed:
        reasons.setdefault(x.why, []).append(f"{x.dataset}/{x.classifier}")
    items = [f"{', '.join(cells)}: {why}" for why, cells in reasons.items()]
    yield _listing("Not equal, and why", items)


def _absent(study: Study) -> dict[str, list[str]]:
    """Data sets that were not run, by the reason."""
    found: dict[str, list[str]] = {}
    for name, why in study.absent.items():
        found.setdefault(why, []).append(name)
    return found


def _recipes() -> Iterator[Node]:
    yield Note(
        text(
            "The paper does not say how its data were prepared. The recipes were found by search "
            "against the printed numbers. Six numbers for up to four classifiers that agree to four "
            "decimals make a chance match implausible; but the recipes are inferred, not documented."
        ),
        warning=True,
    )
    yield Sentence(
        text(
            "The folds are those of WEKA's Experimenter in its first run: cases shuffled by "
            "java.util.Random(1), dealt out by class, training sets shuffled again; all "
            "attributes nominal, all options of the classifiers as they come."
        )
    )
    yield _listing("Data set by data set", [f"{name}: {how}" for name, how in FOUND.items()])


def _appendix(study: Study) -> Iterator[Node]:
    for i, model in enumerate(study.grid.classifiers, 1):
        rows = [
            (x.dataset, [_verdict(x), *_pairs(x), figure(*x.margins)])
            for x in study.cells
            if x.classifier == model
        ]
        heads = ("data set", "", "accuracy", "printed", "kappa", "printed", "chance", "printed")
        caption = f"Table A.{i}, {_TITLE.get(str(model), model)}: ours beside the print"
        foot = (
            "equal: all six numbers to four decimals",
            "within: accuracy and kappa within the printed intervals",
            "chance: as the study worked it out; by margins: as it should be",
            "± 95% t interval over the ten folds taken for independent",
        )
        yield sheets.grid(caption, (*heads, "by margins"), rows, foot)


def _pairs(x: Compared) -> list[Cell]:
    cells = []
    for i in (0, 2, 4):
        off = abs(x.ours[i] - x.printed[i]) > 0.5001e-4
        cells += [figure(*x.ours[i : i + 2], mark=off), figure(*x.printed[i : i + 2])]
    return cells


def _verdict(x: Compared) -> Cell:
    return Cell(_MARKS[x.verdict], mark=x.verdict == "outside")


def _tables(study: Study) -> Iterator[Node]:
    as_is, repaired = paper.as_printed(), paper.as_printed(repaired=True)
    yield _table_7(study, as_is, repaired)
    yield _table_8(study)
    yield from _table_9(study, as_is)
    yield _table_10(study, as_is)
    yield _table_11(study, as_is, repaired)
    yield from _table_12(study, as_is)


def _table_7(study: Study, as_is: Panel, repaired: Panel) -> Grid:
    """Means over the five classifiers: printed, and again from Tables A."""
    old = paper.printed()["table 7"]
    ours = study.panel
    rows = []
    for i, name in enumerate([*as_is.datasets, "Average"]):
        at = ours.datasets.index(name) if name in ours.datasets else None
        cells = []
        for m, measure in enumerate(paper.MEASURES):
            shown = (old["rows"].get(name) or old["average"])[2 * m : 2 * m + 2]
            pick = slice(None) if name == "Average" else i
            again = (
                float(as_is.of(measure)[pick].mean()),
                float(as_is.half_of(measure)[pick].mean()),
            )
            right = float(repaired.of(measure)[pick].mean())
            off = max(abs(a - b) for a, b in zip(again, shown, strict=True)) > 1.01e-4
            cells += [figure(*shown), figure(*again, mark=off)]
            if measure == "chance":
                cells.append(figure(right, mark=abs(right - again[0]) > 0.5e-4))
            source = "expected_cohen" if measure == "chance" else measure
            cells.append(told("–") if at is None else figure(float(ours.of(source)[at].mean())))
        rows.append((name, cells))
    heads = (
        *("data set", "accuracy, printed", "again from A", "ours", "kappa, printed"),
        *("again from A", "ours", "chance, printed", "again from A", "repaired", "ours"),
    )
    foot = ("± means of half widths", "ours: chance from the margins")
    return sheets.grid("Table 7: means over the classifiers", heads, rows, foot)


def _table_8(study: Study) -> Grid:
    """How much of kappa accuracy explains; the folds are not printed, so only ours can be had."""
    old = paper.printed()["table 8"]
    found = regressions(paper.folds_of(study.grid))
    rows = [
        (
            x.classifier,
            [figure(old[x.classifier]), figure(x.r_squared), told(f"{x.n:,}"), _p(x.p_clustered)],
        )
        for x in found
    ]
    mean = float(np.mean([x.r_squared for x in found]))
    rows.append(("average", [figure(old["average"]), figure(mean), told("–"), told("–")]))
    foot = (
        f"printed: 150 folds each, of 15 data sets; ours: {plural(len(study.grid.datasets), 'data set')}",
        "p of the slope with data sets as clusters",
    )
    heads = ("classifier", "R², printed", "R², ours", "folds", "p, ours")
    return sheets.grid("Table 8: kappa on accuracy, over folds", heads, rows, foot)


def _p(p: float) -> Cell:
    return told(p_text(p).removeprefix("= "))


def _table_9(study: Study, as_is: Panel) -> Iterator[Node]:
    """Where accuracy and kappa rank differently."""
    old = paper.printed()["table 9"]
    again, ours = disagreements(as_is), {x.dataset for x in disagreements(study.panel)}
    same = {
        x.dataset: {c: list(p) for c, p in zip(x.classifiers, x.places, strict=True)} for x in again
    }
    both = [name for name in study.panel.datasets if name in same]
    yield Sentence(
        text(
            f"Printed: {len(old)} of 15 data sets; from Tables A: {len(again)}, "
            f"{'the same places throughout' if same == old else 'NOT the same places'}. "
            f"Ours: {len(ours)} of {len(study.panel.datasets)}"
            f" ({', '.join(sorted(ours)) or 'none'}); printed of these data sets: {len(both)}."
        )
    )
    caption = "Table 9: rankings by accuracy and by kappa, again from Tables A"
    yield sheets.ranked_apart(again, "accuracy", "kappa", caption)


def _table_10(study: Study, as_is: Panel) -> Grid:
    """Post Operative."""
    name = "Post Operative"
    i = as_is.datasets.index(name)
    ranks = [places(as_is, m)[i] for m in ("accuracy", "kappa")]
    values = [as_is.of(m)[i] for m in paper.MEASURES]
    ours = study.panel.datasets.index(name) if name in study.panel.datasets else None
    rows = []
    for j in np.argsort(ranks[0], kind="stable"):
        cells = [figure(float(values[0][j])), told(f"{ranks[0][j]:g}")]
        cells += [
            figure(float(values[1][j])),
            told(f"{ranks[1][j]:g}"),
            figure(float(values[2][j])),
        ]
        for m in ("accuracy", "kappa", "expected_cohen"):
            cells.append(told("–") if ours is None else figure(float(study.panel.of(m)[ours, j])))
        rows.append((as_is.classifiers[j], cells))
    heads = (
        *("classifier", "accuracy", "place", "kappa", "place", "chance"),
        *("accuracy, ours", "kappa, ours", "chance, ours"),
    )
    return sheets.grid("Table 10: Post Operative, again from Tables A", heads, rows)


def _table_11(study: Study, as_is: Panel, repaired: Panel) -> Grid:
    """How far chance differs between classifiers."""
    old = paper.printed()["table 11"]
    again = {x.dataset: x for x in spreads(as_is, "chance")}
    right = {x.dataset: x for x in spreads(repaired, "chance")}
    ours = {x.dataset: x for x in spreads(study.panel, "expected_cohen")}
    rows = []
    for name, (lowest, highest, shown) in old.items():
        a, r = again[name], right[name]
        mark = abs(r.relative - a.relative) > 1e-6 or np.isnan(a.relative)
        rows.append(
            (
                name,
                [
                    told(lowest),
                    told(highest),
                    told("very high" if shown is None else f"{shown}%"),
                    told("0 in the divisor" if np.isnan(a.relative) else percent(a.relative)),
                    Cell(percent(r.relative), value=r.relative, mark=bool(mark)),
                    told(percent(ours[name].relative) if name in ours else "–"),
                ],
            )
        )
    heads = ("data set", "lowest", "highest", "printed", "again from A", "repaired", "ours")
    foot = ("relative to the lowest", "ours: chance from the margins")
    return sheets.grid("Table 11: relative difference of chance", heads, rows, foot)


def _table_12(study: Study, as_is: Panel) -> Iterator[Node]:
    """Verdicts that depend on the measure."""
    again = flips(as_is, test="overlap")
    same = {(x.better, x.other, x.dataset) for x in again if x.speaking == ("kappa",)}
    old = {tuple(row) for row in paper.printed()["table 12"]}
    yield Sentence(
        text(
            f"By non-overlap of the printed intervals, {len(again)} of 150 pairs come to "
            "different verdicts by accuracy and by kappa, "
            f"{'the three that are printed' if same == old else 'NOT those printed'}. "
            "The corrected resampled t test, over our folds, gives those of the table below."
        )
    )
    yield sheets.flipped(again, "Table 12: by non-overlap of the printed intervals")
    found = flips(paper.folds_of(study.grid))
    yield sheets.flipped(found, "Table 12 by the corrected resampled t test, over our folds")


def _listing(title: str, items: Sequence[str]) -> Listing:
    return Listing(title, [text(item) for item in items])


def screen(study: Study) -> Iterator[str]:
    """A line for each data set, and what was not run, for a terminal."""
    yield textwrap.fill(summary(study), 96)
    yield ""
    models = [str(x) for x in study.grid.classifiers]
    rows = [["kappa, ours", *models]]
    for name in study.grid.datasets:
        cells = [study.cell(name, model) for model in models]
        rows.append([name, *(f"{number(x.ours[2])} {_MARKS[x.verdict]}" for x in cells)])
    yield from (f"  {line}" for line in aligned(rows))
    yield ""
    for why, names in _absent(study).items():
        yield f"  not run, {why}: {', '.join(names)}"
    yield "  The recipes of the data were found by search against the print; -o FILE.html says how."

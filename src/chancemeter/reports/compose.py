"""From results to a document: what is said first, and in which words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from chancemeter.errors import plural, printable
from chancemeter.figures import json_number, name_of, number, percent
from chancemeter.intervals.result import in_brackets
from chancemeter.registry import get
from chancemeter.reports.better import better
from chancemeter.reports.curves import thresholds
from chancemeter.reports.document import (
    Bar,
    Beside,
    Cell,
    Code,
    Document,
    Folded,
    Grid,
    Listing,
    Matrix,
    Node,
    Note,
    Row,
    Section,
    Sentence,
    Sliders,
    Span,
    Style,
    Terms,
    Text,
    text,
)
from chancemeter.reports.findings import Findings, Model, Part, limits_of
from chancemeter.scoring import Score
from chancemeter.tables import Table, cases
from chancemeter.verdict import IDEAS, Luck

#: So many models are told one by one; of more, the best is told and the others are listed.
FEW = 3
#: More classes than this are not laid out in one matrix: the rarest are put together.
MOST_CLASSES = 25
#: How much of a label is shown.
LABEL = 40
#: Measures that the page recomputes at other prevalences.
MOVING = (
    "accuracy",
    "expected_cohen",
    "kappa",
    "scott_pi",
    "gwet_ac1",
    "mcc",
    "informedness",
    "markedness",
    "balanced_accuracy",
    "f_score@macro",
)
#: No sliders for more counts than this: the page would carry them all.
MOST_CELLS = 20_000
#: Sliders for the most frequent classes.
MOST_SLIDERS = 12


def document(report: Findings) -> Document:
    """The whole report."""
    sections = [Section(key, title, list(made(report))) for key, title, made in SECTIONS]
    return Document(
        title="How much of the accuracy is chance?",
        facts=_facts(report),
        about=", ".join(m.name for m in report.models[:FEW])
        + (" …" if len(report.models) > FEW else ""),
        sections=[s for s in sections if s.nodes],
    )


def _tables(report: Findings) -> list[Node]:
    return _each(report, _taken)


def _classes(report: Findings) -> list[Node]:
    few = len(report.models) <= FEW
    return _each(report, partial(_of_classes, few=few), beside=False)


def answer(report: Findings) -> list[Node]:
    """What is seen first: sentences, bars, warnings, and the table."""
    models = _by_kappa(report.models)
    told = models if len(models) <= FEW else models[:1]
    nodes: list[Node] = []
    if len(models) > FEW:
        nodes.append(_overview(models))
    nodes += [Sentence(sentence(m.luck), lead=True) for m in told]
    nodes += [bar(m.luck) for m in told if m.luck.n]
    nodes += list(_warnings(models))
    nodes.append(_side_by_side(models) if len(models) <= FEW else _one_a_line(models))
    return nodes


def _by_kappa(models: Sequence[Model]) -> list[Model]:
    """Best first; those that have no kappa last."""
    kappa = [-np.inf if np.isnan(m.luck.kappa) else m.luck.kappa for m in models]
    return [models[i] for i in np.argsort(-np.array(kappa), kind="stable")]


def _facts(report: Findings) -> str:
    first = report.models[0]
    facts = [cases(first.table.total)] if len({m.luck.n for m in report.models}) == 1 else []
    facts.append(plural(first.table.k, "class", "classes"))
    if first.luck.n:
        share = f"{name_of(first.luck.majority_label, LABEL)} is {percent(first.luck.majority)}"
        facts.append(f"the most frequent class {share}")
    if len(report.models) > 1:
        facts.append(plural(len(report.models), "model"))
    return " · ".join(facts)


def sentence(found: Luck) -> Text:
    """The sentences of `Luck`, with its figures made to stand out."""
    beside = (found.doubt, found.warning)
    told = " ".join(x for x in str(found).split("\n") if x not in beside)
    named = told.startswith(found.name)
    told = told[len(found.name) :] if named else told
    spans = [Span(found.name, "name")] if named else []
    for part in re.split(r"(\d[\d,.]*%(?! interval)|\(Cohen.*\))", told):
        style: Style = "faint" if part.startswith("(") else "strong" if part.endswith("%") else ""
        spans.append(Span(part, style))
    return tuple(span for span in spans if span.text)


def _overview(models: Sequence[Model]) -> Node:
    """How many of many models are worth something."""
    beaten = sum(bool(m.luck.warning) for m in models)
    best = models[0]
    words = f"The best of {len(models)} models by kappa is "
    told = text(words, Span(best.name, "name"), ". ")
    if beaten:
        share = f"{beaten} of {len(models)}"
        told += text(Span(share, "strong"), " are no better than always giving the same answer.")
    else:
        told += text("All are better than always giving the same answer.")
    return Sentence(told, lead=True)


def bar(found: Luck) -> Bar:
    """The chance bar of one model."""
    known = found.interval
    limits = None if known is None or np.isnan(known.low) else (known.low, known.high)
    return Bar(
        name=found.name,
        right=percent(found.accuracy),
        chance=percent(found.chance),
        earned=percent(found.earned),
        missed=percent(found.missed),
        kappa=number(found.kappa),
        interval=in_brackets(*limits) if limits else "",
        shares=(found.accuracy, found.chance, found.kappa),
        limits=limits,
        drawn=found.bar(),
    )


def _warnings(models: Sequence[Model]) -> Iterator[Note]:
    """One for each model that has any; of many models, one for all."""
    if len(models) > FEW:
        poor = [m.name for m in models if m.luck.warning]
        if poor:
            spans: list[Span | str] = ["No better than always giving the same answer: "]
            for i, name in enumerate(poor):
                spans += [", "] * bool(i) + [Span(name, "name")]
            yield Note(text(*spans, "."), warning=True)
        return
    for m in models:
        told = (m.luck.doubt, m.luck.warning)
        for said in filter(None, told):
            yield Note(text(Span(m.name, "name"), f": {said}"), warning=True)
        for said in m.scores.notes:
            yield Note(text(Span(m.name, "name"), f": {said}"))


def _interval(score: Score, i: int | None = None) -> str:
    limits = limits_of(score, i)
    return in_brackets(*limits) if limits else ""


def cell(score: Score, i: int | None = None, limits: bool = True) -> Cell:
    """The value of a score (of class `i`), with its interval or the reason why there is none."""
    value = score.value if i is None else score.value[i]
    reason = score.undefined if i is None else score.undefined[i]
    shown = _counted(value) if score.measure.key == "support" else number(value)
    if reason:
        return Cell(shown, why=reason.sentence)
    if not limits or score.measure.key == "support":  # a count is what it is
        return Cell(shown)
    return Cell(shown, _interval(score, i), value=value, limits=limits_of(score, i))


def _counted(x: Any) -> str:
    """Counts as counts, weights in six digits."""
    x = float(x)
    return f"{x:,.0f}" if x == np.floor(x) and abs(x) < 1e15 else f"{x:,.6g}"


def _side_by_side(models: Sequence[Model]) -> Grid:
    """A line for each measure, a column for each model."""
    rows = []
    for key in models[0].scores:
        cells = [cell(m.scores.scores[key]) for m in models]
        symbol = get(key).card.symbol
        rows.append(Row(Span(key, "code"), cells, symbol, track=track(cells)))
    caption = f"Measures{_sure(models)}"
    return Grid(caption, "measure", [Span(m.name, "name") for m in models], rows)


def _sure(models: Sequence[Model]) -> str:
    """What intervals a table has, for its caption."""
    found = [x.interval for m in models for x in m.scores.scores.values() if x.interval]
    return f", with {100 * found[0].level:g}% intervals" if found else ""


def track(cells: Sequence[Cell]) -> tuple[float, float] | None:
    """From 0 (or from −1 if anything is negative) to 1."""
    ends = [x for cell in cells if cell.limits for x in cell.limits]
    if not ends or min(ends) < -1 or max(ends) > 1:
        return None
    return (-1, 1) if min(ends) < 0 else (0, 1)


def _one_a_line(models: Sequence[Model]) -> Grid:
    """A line for each model, best first."""
    keys = list(models[0].scores)
    rows = [
        Row(
            Span(m.name, "name"),
            [cell(m.scores.scores[key]) for key in keys],
            bar=None if np.isnan(m.luck.kappa) else (m.luck.accuracy, m.luck.chance),
        )
        for m in models
    ]
    foot = "Bars: hatched by chance, full earned, empty missed."
    return Grid(
        f"Models by kappa{_sure(models)}", "model", [Span(k, "code") for k in keys], rows, foot
    )


def _each(
    report: Findings, of: Callable[[Model], Sequence[Node]], *, beside: bool = True
) -> list[Node]:
    """A few models side by side; of many, the best one unfolded."""
    models = _by_kappa(report.models)
    if len(models) == 1:
        return list(of(models[0]))
    if len(models) <= FEW:
        nodes = [node for m in models for node in of(m)]
        return [Beside(nodes)] if beside else nodes
    return [Folded(Span(m.name, "name"), of(m), open=i == 0) for i, m in enumerate(models)]


def _taken(m: Model) -> list[Node]:
    """The matrix, and the mistakes where they are not plain to see."""
    nodes: list[Node] = [_matrix(m)]
    if m.mistakes and m.table.k > 2:
        nodes.append(Listing("Most often taken for another", [_mistake(x) for x in m.mistakes]))
    return nodes


def _mistake(x: Any) -> Text:
    share = percent(x.n / x.of) if x.of else ""
    return text(
        Span(name_of(x.truth, LABEL), "name"),
        " taken for ",
        Span(name_of(x.predicted, LABEL), "name"),
        f": {_counted(x.n)} of {_counted(x.of)} ({share})",
    )


def _matrix(m: Model) -> Matrix:
    t, foot = _fold(m.table)
    shares = np.nan_to_num(t.normalized("truth").counts)
    # The smallest share that is not nothing is still seen.
    shades = np.where(shares > 0, np.clip(np.ceil(shares * 9), 1, 9), 0).astype(int)
    return Matrix(
        m.name,
        [printable(x, LABEL) for x in t.labels],
        [[_counted(x) for x in row] for row in t.counts.tolist()],
        shades.tolist(),
        foot,
    )


def _fold(t: Table) -> tuple[Table, str]:
    """Of very many classes the most frequent ones, all others put together."""
    if t.k <= MOST_CLASSES:
        return t, ""
    order = np.argsort(-t.counts.sum(1), kind="stable")
    kept = [t.labels[i] for i in order[: MOST_CLASSES - 1]]
    others = [t.labels[i] for i in order[MOST_CLASSES - 1 :]]
    name = f"({len(others):,} others)"
    while name in kept:
        name = f"({name})"
    foot = f"The {len(kept)} most frequent of {t.k:,} classes; all others are put together."
    return t.merge({name: others}).reorder([*kept, name]), foot


def _of_classes(m: Model, *, few: bool) -> list[Node]:
    """A line for each class; intervals where that is not too much to look at."""
    t = m.table
    shown: Iterable[int] = range(t.k)
    foot = ""
    if t.k > MOST_CLASSES:
        shown = np.argsort(-t.counts.sum(1), kind="stable")[:MOST_CLASSES].tolist()
        foot = f"The {MOST_CLASSES} most frequent of {t.k:,} classes; the JSON report has all."
    scores = m.classes.scores
    rows = [
        Row(Span(printable(t.labels[i], LABEL), "name"), [cell(s, i, few) for s in scores.values()])
        for i in shown
    ]
    return [Grid(f"Classes of {m.name}", "class", [Span(k, "code") for k in scores], rows, foot)]


def _ideas(report: Findings) -> list[Node]:
    """What different ideas of chance make of the same accuracy."""
    told = text(
        "The same accuracy is worth more or less, depending on what chance is taken to be. "
        "Beyond chance is (accuracy − chance) / (1 − chance)."
    )
    models = _by_kappa(report.models)
    if len(models) > FEW:
        rows = [
            Row(Span(m.name, "name"), [Cell(number(m.luck.ideas[key][1])) for key in IDEAS])
            for m in models
        ]
        heads = [Span(key, "code") for key in IDEAS]
        terms = Terms([(key, "", says) for key, says in IDEAS.items()])
        return [Sentence(told), Grid("Beyond chance", "model", heads, rows), terms]
    rows = [Row(Span(says), [_idea(m.luck, key) for m in models]) for key, says in IDEAS.items()]
    heads = [Span(m.name, "name") for m in models]
    return [Sentence(told), Grid("Beyond chance, by what chance is", "chance is", heads, rows)]


def _idea(found: Luck, key: str) -> Cell:
    level, beyond = found.ideas[key]
    drawn = None if np.isnan(level) else (found.accuracy, min(max(level, 0), 1))
    return Cell(number(beyond), f"over {percent(level)}", bar=drawn)


def _sliders(report: Findings) -> list[Node]:
    """Data for the page; nothing where there is nothing to move."""
    models = [m for m in _by_kappa(report.models) if m.luck.n]
    first = models[0].table if models else None
    if first is None or any(m.table.labels != first.labels for m in models):
        return []
    truth = first.counts.sum(1)
    if (truth > 0).sum() < 2 or sum(m.table.k**2 for m in models) > MOST_CELLS:
        return []
    order = np.argsort(-truth, kind="stable")[:MOST_SLIDERS].tolist()
    data = {
        "labels": [printable(x, LABEL) for x in first.labels],
        "sliders": sorted(i for i in order if truth[i] > 0),
        "measures": [[k, get(k).card.symbol, *map(json_number, get(k).card.range)] for k in MOVING],
        "models": [{"name": m.name, "counts": m.table.counts.tolist()} for m in models],
    }
    return [
        Sentence(
            text(
                "Each class keeps its own rates; only how often it comes along changes. "
                "Accuracy, chance and kappa move with it; balanced accuracy does not, nor does "
                "informedness with two classes."
            )
        ),
        Sliders(data),
    ]


def _parts(report: Findings) -> Iterator[Node]:
    for axis in dict.fromkeys(p.axis for p in report.parts):
        found = [p for p in report.parts if p.axis == axis]
        several = len({p.model for p in found}) > 1
        rows = [_part(p, several) for p in found]
        heads = [Span("cases"), Span("accuracy"), Span("by chance"), Span("kappa")]
        grid = Grid(f"By {axis}", axis, heads, rows)
        yield (
            grid
            if len(rows) <= MOST_CLASSES
            else Folded(Span(f"By {axis}: {len(rows):,} rows"), [grid])
        )


def _part(p: Part, several: bool) -> Row:
    name = printable(p.entry, LABEL)
    cells = [
        Cell(_counted(p.luck.n)),
        Cell(percent(p.luck.accuracy)),
        Cell(percent(p.luck.chance)),
        cell(p.scores.scores["kappa"]),
    ]
    drawn = None if np.isnan(p.luck.kappa) else (p.luck.accuracy, p.luck.chance)
    return Row(Span(f"{p.model}: {name}" if several else name, "name"), cells, bar=drawn)


def _terms(report: Findings) -> list[Node]:
    keys = [*report.models[0].scores, *report.models[0].classes]
    terms = []
    first: dict[str, str] = {}  # what is said of several measures is said once
    for m in map(get, keys):
        card = m.card
        said = [f"Good for {_ended(card.good_for)}"] if card.good_for else []
        said += [f"Not for {_ended(card.not_for)}"] if card.not_for else []
        advice = " ".join(said)
        same = first.setdefault(advice, m.key) if advice else m.key
        advice = advice if same == m.key else f"Good and not good for the same as {same}."
        terms.append((m.key, card.symbol, f"{m.summary} {advice}".rstrip()))
    return [Terms(terms)]


def _ended(words: str) -> str:
    return words if words[-1] in ".?!" else f"{words}."


def _how(report: Findings) -> list[Node]:
    nodes: list[Node] = []
    items = [text(printable(note, 400)) for note in report.notes]
    found = [x.interval for m in report.models for x in m.scores.scores.values() if x.interval]
    by: dict[str, list[str]] = {}  # measures whose intervals are made alike stand together
    for signature in dict.fromkeys(x.signature for x in found):
        key, _, rest = signature.partition("|")
        by.setdefault(rest, []).append(key)
    items += [text(Span(f"{', '.join(keys)}|{rest}", "code")) for rest, keys in by.items()]
    items.append(text(f"chancemeter {report.version}, numpy {np.__version__}"))
    nodes.append(Listing("", items))
    if report.command:
        nodes += [Sentence(text("To make it again:")), Code(printable(report.command, 2000))]
    return nodes


#: What a report tells, in this order: a key, a heading, and what makes the nodes below it. A
#: section without nodes is left out; a new one is added here, and nowhere else.
SECTIONS: tuple[tuple[str, str, Callable[[Findings], Iterable[Node]]], ...] = (
    ("answer", "The answer", answer),
    ("better", "Which is better", better),
    ("matrix", "What was taken for what", _tables),
    ("classes", "Class by class", _classes),
    ("chance", "Six ideas of chance", _ideas),
    ("thresholds", "Every threshold", thresholds),
    ("whatif", "What if classes were rarer or more common?", _sliders),
    ("parts", "Folds, groups and slices", _parts),
    ("measures", "What the measures mean", _terms),
    ("how", "How the numbers were made", _how),
)

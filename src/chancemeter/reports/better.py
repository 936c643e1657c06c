"""Which of several models is better: what a report says about their comparison."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from chancemeter.comparison.compare import Comparison
from chancemeter.comparison.differences import Difference, signed
from chancemeter.comparison.ranks import Ranking
from chancemeter.errors import plural, printable
from chancemeter.figures import number, percent
from chancemeter.intervals.result import in_brackets
from chancemeter.outcomes import Family, p_text
from chancemeter.reports.document import (
    Cell,
    Folded,
    Grid,
    Listing,
    Node,
    Note,
    Row,
    Sentence,
    Span,
    Text,
    text,
)
from chancemeter.reports.findings import Findings

#: The measure that decides who comes first, where it was compared.
LEADING = "kappa"
#: Who alone is right is told of so many pairs.
FEW_PAIRS = 3
#: So many pairs are laid out at once; the others are folded.
MOST_PAIRS = 10
#: How much of a name is shown.
NAME = 40


def better(report: Findings) -> list[Node]:
    """Nothing for one model; else everything about the comparison."""
    return nodes_of(report.comparison) if report.comparison else []


def nodes_of(found: Comparison) -> list[Node]:
    """Who is first, what flips, places, and all pairs."""
    nodes: list[Node] = [Sentence(_first(found)), *_flips(found)]
    if len(found.names) > 2:
        nodes.append(_places(found))
    pairs = list(_pairs(found))
    nodes.append(_grid(found, pairs[:MOST_PAIRS]))
    if pairs[MOST_PAIRS:]:
        title = Span(f"{plural(len(pairs) - MOST_PAIRS, 'more pair')} of models")
        nodes.append(Folded(title, [_grid(found, pairs[MOST_PAIRS:], "More differences")]))
    nodes += _who_is_right(found)
    return nodes + [Note(text(f"{_upper(note)}.")) for note in found.notes]


def _leading(found: Comparison) -> Ranking:
    """The ranking by kappa, or by what was compared first."""
    return next((x for x in found.rankings if x.measure == LEADING), found.rankings[0])


def _first(found: Comparison) -> Text:
    """Who comes first, and how sure that is."""
    lead = _leading(found)
    one, two = lead.order[:2]
    x = _difference(found, lead.measure, one, two)
    names = [Span(printable(name, NAME), "name") for name in (one, two)]
    by = f"By {lead.measure} "
    if x.better:
        told = text(by, names[0], " is better than ", names[1], ": ")
    elif np.isnan(x.value):
        return text(by, names[0], " and ", names[1], " cannot be compared: it is undefined.")
    else:
        told = text(by, "no difference is shown between ", names[0], " and ", names[1], ": ")
    limits = f"{100 * x.level:g}% interval {in_brackets(x.low, x.high)}, p {p_text(x.p)}."
    told += text(Span(signed(x.value), "strong"), f", {limits}")
    if lead.chances is not None and len(found.names) > 2:
        share = percent(float(lead.chances[lead.names.index(one), 0]))
        told += text(" ", names[0], f" comes first in {share} of samples like this one.")
    return told


def _difference(found: Comparison, measure: str, one: str, two: str) -> Difference:
    """As it was compared, or turned around."""
    for x in found.differences:
        if x.measure == measure and {x.first, x.second} == {one, two}:
            return x if x.first == one else x.turned()
    msg = f"not compared: {one}, {two}"
    raise KeyError(msg)


def _flips(found: Comparison) -> Iterator[Node]:
    """Pairs of models that measures do not agree about."""
    if not found.flips:
        return
    changes = Span("The verdict changes", "strong")
    pairs = dict.fromkeys(x.models for x in found.flips)
    lead = _leading(found).measure
    example = next((x for x in found.flips if x.by[1] == lead), found.flips[0])
    told = printable(example.sentence, 400)
    if len(pairs) == 1:
        yield Note(text(changes, f" with the measure. {told}"), warning=True)
        return
    share = f"{len(pairs)} of {len(found.names) * (len(found.names) - 1) // 2}"
    more = f" with the measure for {share} pairs of models. For example, {told}"
    yield Note(text(changes, more), warning=True)
    items = [_said_of(found, pair) for pair in pairs]
    yield Folded(Span(f"All {len(items)} pairs"), [Listing("Better by", items)])


def _said_of(found: Comparison, pair: tuple[str, str]) -> Text:
    """Which of two models each measure shows to be better."""
    one, two = (Span(printable(name, NAME), "name") for name in pair)
    said = [
        f"{key} {printable(_difference(found, key, *pair).better or 'neither', NAME)}"
        for key in found.measures
    ]
    return text(one, " and ", two, f": {', '.join(said)}")


def _places(found: Comparison) -> Grid:
    """A line for each model; a place that accuracy does not give is marked."""
    lead, first = _leading(found), found.rankings[0]
    rows = []
    for i in np.argsort(lead.ranks, kind="stable").tolist():
        cells = []
        for x in found.rankings:
            sure = "" if x.chances is None else f"{percent(float(x.chances[i, 0]))} first"
            flipped = bool(x.ranks[i] != first.ranks[i])
            cells.append(Cell(f"{x.ranks[i]:g}", sure, mark=flipped))
        rows.append(Row(Span(printable(found.names[i], NAME), "name"), cells))
    heads = [Span(x.measure, "code") for x in found.rankings]
    foot = f"Marked: another place than by {first.measure}."
    return Grid("Places, and how often each model would come first", "model", heads, rows, foot)


def _pairs(found: Comparison) -> Iterator[tuple[str, str]]:
    """Every two models, the best ones first."""
    order = _leading(found).order
    for i, one in enumerate(order):
        for two in order[i + 1 :]:
            yield one, two


def _grid(found: Comparison, pairs: list[tuple[str, str]], title: str = "Differences") -> Grid:
    """A line for each pair, a column for each measure; flips are marked."""
    flipped = {(frozenset(x.models), x.by[1]) for x in found.flips}
    rows = []
    for one, two in pairs:
        cells = []
        for key in found.measures:
            x = _difference(found, key, one, two)
            sure = f"{in_brackets(x.low, x.high)}\np {p_text(x.adjusted_p)}"
            marked = (frozenset((one, two)), key) in flipped
            shown = Cell(number(x.value), why="undefined for one of them")
            known = Cell(signed(x.value), sure, mark=marked)
            cells.append(shown if np.isnan(x.value) else known)
        names = f"{printable(one, NAME)} − {printable(two, NAME)}"
        rows.append(Row(Span(names, "name"), cells))
    heads = [Span(key, "code") for key in found.measures]
    how = "on the same cases" if found.paired else "on different cases"
    level = f"{100 * found.differences[0].level:g}%"
    caption = f"{title} {how}, with {level} intervals"
    foot = ""
    if len(found.names) > 2:
        foot = f"p is adjusted for the number of pairs ({found.adjustment.title()})."
    foot += f" Marked: another verdict than by {found.measures[0]}." if found.flips else ""
    return Grid(caption, "models", heads, rows, foot.strip())


def _who_is_right(found: Comparison) -> Iterator[Node]:
    """Who alone is right how often; of a few models only."""
    right = found.tests.get("right")
    if not isinstance(right, Family) or len(found.right) > FEW_PAIRS:
        return
    items = []
    for (a, b), cells in found.right.items():
        one, two = Span(printable(a, NAME), "name"), Span(printable(b, NAME), "name")
        mcnemar = f": {cells[1, 0]:,} (McNemar mid-p {p_text(right[a, b])})"
        items.append(text("Only ", one, f" right: {cells[0, 1]:,}; only ", two, f" right{mcnemar}"))
    yield Listing("", items)


def _upper(note: str) -> str:
    return note[:1].upper() + note[1:]

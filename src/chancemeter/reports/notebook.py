"""What a notebook shows of a result: a few KB of HTML without a script, and the text."""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from chancemeter.comparison.compare import Comparison
from chancemeter.figures import number
from chancemeter.intervals.result import Interval, in_brackets
from chancemeter.registry import get
from chancemeter.reports import better, compose, html
from chancemeter.reports.document import Cell, Grid, Node, Note, Row, Sentence, Span, text
from chancemeter.scoring import Scores
from chancemeter.tables import cases
from chancemeter.verdict import Luck

#: So many values of one interval are shown.
MOST = 25


def bundle(result: Any) -> dict[str, str]:
    """Text, and HTML, by their kinds."""
    return {"text/plain": repr(result), "text/html": html.fragment(nodes(result))}


@singledispatch
def nodes(result: Any) -> list[Node]:
    """What a document shows of a result."""
    msg = f"nothing is known of how to show {type(result).__name__}"
    raise TypeError(msg)


@nodes.register
def _(result: Luck) -> list[Node]:
    found: list[Node] = [Sentence(compose.sentence(result), lead=True)]
    found += [compose.bar(result)] if result.n else []
    return found + [Note(text(x), True) for x in (result.doubt, result.warning) if x]


@nodes.register
def _(result: Comparison) -> list[Node]:
    return better.nodes_of(result)


@nodes.register
def _(result: Scores) -> list[Node]:
    rows = []
    for key, score in result.scores.items():
        several = range(len(score.value)) if isinstance(score.value, list) else [None]
        for i in several:
            cells = [compose.cell(score, i)]
            about = "" if i is None else str(result.table.labels[i])
            name = Span(f"{key} {about}".rstrip(), "code")
            rows.append(Row(name, cells, get(key).card.symbol, track=compose.track(cells)))
    return [Grid(cases(result.table.total), "measure", [Span("value")], rows)]


@nodes.register
def _(result: Interval) -> list[Node]:
    values, lows, highs = (np.ravel(x) for x in (result.value, result.low, result.high))
    rows = []
    for value, low, high in zip(values[:MOST], lows, highs, strict=False):
        known = None if np.isnan(low) or np.isnan(high) else (float(low), float(high))
        cells = [Cell(number(value), in_brackets(low, high), value=float(value), limits=known)]
        rows.append(Row(Span(result.measure, "code"), cells, track=compose.track(cells)))
    more = f"{len(values) - MOST:,} more values" if len(values) > MOST else ""
    title = f"{100 * result.level:g}% interval ({result.method})"
    return [Grid(title, "measure", [Span("value")], rows, more)]

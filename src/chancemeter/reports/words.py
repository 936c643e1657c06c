"""A document as text for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from chancemeter.errors import aligned
from chancemeter.reports.document import (
    Bar,
    Beside,
    Chart,
    Code,
    Document,
    Folded,
    Grid,
    Listing,
    Matrix,
    Node,
    Note,
    Section,
    Sentence,
    Sliders,
    Terms,
    Thresholds,
    plain,
)

WIDTH = 96


def written(document: Document) -> str:
    """The whole text; what only a page can do is left out."""
    parts = [document.title, document.facts, ""]
    for section in document.sections:
        parts += [*_section(section), ""]
    return "\n".join(parts).rstrip() + "\n"


def first(document: Document) -> str:
    """What comes first, for somebody who has just asked."""
    return "\n".join([document.facts, "", *_section(document.sections[0]), ""])


def _section(section: Section) -> Iterator[str]:
    told = [block for node in section.nodes for block in _node(node) if block]
    if not told or any(isinstance(node, Sliders) for node in section.nodes):
        return
    if section.key != "answer":
        yield section.title
        yield "-" * len(section.title)
    yield "\n\n".join(told)


def _node(node: Node) -> Iterator[str]:
    match node:
        case Sentence():
            yield textwrap.fill(plain(node.text), WIDTH)
        case Note():
            mark = "! " if node.warning else "  "
            yield textwrap.fill(mark + plain(node.text), WIDTH, subsequent_indent="  ")
        case Bar():
            yield f"{node.name}\n{node.drawn}" if node.drawn else ""
        case Grid():
            yield _grid(node)
        case Matrix():
            yield _matrix(node)
        case Terms():
            yield "\n".join(_term(*term) for term in node.terms)
        case Listing():
            items = [
                textwrap.fill(f"- {plain(x)}", WIDTH, subsequent_indent="  ") for x in node.items
            ]
            yield "\n".join([f"{node.title}:" if node.title else "", *items]).lstrip("\n")
        case Code():
            yield textwrap.indent(node.text, "    ")
        case Beside() | Folded():
            for inner in node.nodes:
                yield from _node(inner)
        case Chart():
            yield textwrap.fill(f"{node.title}: {node.told}", WIDTH)
        case Sliders() | Thresholds():
            yield ""


def _grid(grid: Grid) -> str:
    rows = [[grid.corner, *(head.text for head in grid.heads)]]
    for row in grid.rows:
        name = (
            f"{row.name.text} ({row.about})"
            if row.about and row.name.style != "code"
            else row.name.text
        )
        rows.append([name, *(" ".join([c.text, *c.beside.split()]) for c in row.cells)])
    why = dict.fromkeys(
        f"  {row.name.text}: {c.why}" for row in grid.rows for c in row.cells if c.why
    )
    return "\n".join([grid.caption, *(f"  {x}" for x in aligned(rows)), *why, *_foot(grid.foot)])


def _matrix(matrix: Matrix) -> str:
    rows = [["truth \\ predicted", *matrix.labels]]
    rows += [[label, *row] for label, row in zip(matrix.labels, matrix.counts, strict=True)]
    head = f"{matrix.name}: rows truth, columns prediction"
    return "\n".join([head, *(f"  {x}" for x in aligned(rows)), *_foot(matrix.foot)])


def _foot(foot: str) -> list[str]:
    return [f"  {foot}"] if foot else []


def _term(name: str, symbol: str, meaning: str) -> str:
    head = f"{name} ({symbol})" if symbol else name
    return textwrap.fill(f"{head}: {meaning}", WIDTH, subsequent_indent="    ")

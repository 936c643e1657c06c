"""A document as Markdown, as repositories, issues and summaries of builds show it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from chancemeter.reports.document import (
    Bar,
    Beside,
    Cell,
    Chart,
    Code,
    Document,
    Folded,
    Grid,
    Listing,
    Matrix,
    Node,
    Note,
    Sentence,
    Sliders,
    Span,
    Terms,
    Text,
    Thresholds,
)


def written(document: Document) -> str:
    """The whole; what only a page can do is left out."""
    parts = [f"# {escaped(document.title)}", escaped(document.facts)]
    for section in document.sections:
        if any(isinstance(node, Sliders) for node in section.nodes):
            continue
        parts += [f"## {escaped(section.title)}"] * (section.key != "answer")
        parts += [block for node in section.nodes for block in _node(node) if block]
    return "\n\n".join(parts) + "\n"


def escaped(text: str) -> str:
    r"""`text` as it is: nothing in it is taken for markup, a link, a mention or HTML.

    >>> print(escaped("*a* <b> | @c"))
    \*a\* &lt;b&gt; \| &#64;c
    """
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    text = re.sub(r"([\\`*_\[\]#|~$])", r"\\\1", text)
    # addresses and names of people would become links
    return text.replace("@", "&#64;").replace("://", "&#58;//").replace("www.", "www&#46;")


def _node(node: Node) -> Iterator[str]:
    match node:
        case Sentence():
            yield _text(node.text)
        case Note():
            yield f"> {'**Beware:** ' if node.warning else ''}{_text(node.text)}"
        case Bar():
            yield _fenced(f"{node.name}\n{node.drawn}") if node.drawn else ""
        case Grid():
            yield from _grid(node)
        case Matrix():
            yield from _matrix(node)
        case Terms():
            yield "\n".join(
                f"- `{name}`{f' ({escaped(symbol)})' if symbol else ''}: {escaped(meaning)}"
                for name, symbol, meaning in node.terms
            )
        case Listing():
            yield escaped(node.title)
            yield "\n".join(f"- {_text(item)}" for item in node.items)
        case Code():
            yield _fenced(node.text)
        case Beside() | Folded():
            for inner in node.nodes:
                yield from _node(inner)
        case Chart():
            yield f"**{escaped(node.title)}**: {escaped(node.told)}"
        case Sliders() | Thresholds():
            yield ""


def _fenced(text: str) -> str:
    """A block that nothing in it can end."""
    longest = max(map(len, re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}text\n{text}\n{fence}"


def _text(spans: Text) -> str:
    return "".join(map(_span, spans))


def _span(span: Span) -> str:
    inner = escaped(span.text)
    if span.style in {"strong", "name"}:
        return f"**{inner}**"
    return f"`{span.text}`" if span.style == "code" and "`" not in span.text else inner


def _grid(grid: Grid) -> Iterator[str]:
    yield f"**{escaped(grid.caption)}**"
    heads = [escaped(grid.corner), *(_span(head) for head in grid.heads)]
    yield _table(heads, [[_span(row.name), *map(_cell, row.cells)] for row in grid.rows])
    yield escaped(grid.foot)


def _cell(cell: Cell) -> str:
    shown = escaped(cell.text)
    shown = f"**{shown}**" if cell.mark else shown
    if cell.why:
        return f"{shown}: {escaped(cell.why)}"
    return " ".join([shown, *escaped(cell.beside).split()])


def _matrix(matrix: Matrix) -> Iterator[str]:
    yield f"**{escaped(matrix.name)}**: rows truth, columns prediction"
    rows = zip(matrix.labels, matrix.counts, strict=True)
    heads = ["truth ╲ predicted", *map(escaped, matrix.labels)]
    yield _table(heads, [[f"**{escaped(label)}**", *row] for label, row in rows])
    yield escaped(matrix.foot)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)

"""A document as one page that needs nothing else: no network, no script to be read."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from functools import cache, singledispatch
from hashlib import sha256
from html import escape
from importlib import resources
from typing import Any

from chancemeter.reports import charts, drawing, squeeze
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
    Row,
    Section,
    Sentence,
    Sliders,
    Span,
    Terms,
    Text,
    Thresholds,
)

#: In tables of so many columns what stands beside a figure goes below it.
_MANY_COLUMNS = 4


def page(document: Document) -> str:
    """The whole page; scripts and styles are allowed by their hashes, all else is forbidden."""
    moving = any(isinstance(x, Thresholds) for s in document.sections for x in s.nodes)
    code = script("core.js", "page.js", *(["curves.js"] if moving else []))
    links = "".join(map(_link, document.sections[1:]))
    body = (
        f'<a class="skip" href="#answer">Skip to the answer</a>{drawing.PATTERNS}'
        f"<header><h1>{escape(document.title)}</h1><p class=faint>{_bdi(document.facts)}</p>"
        f"</header><main>{''.join(map(_section, document.sections[:1]))}"
        f'<nav aria-label="Sections">{links}</nav>'
        f"{''.join(map(_section, document.sections[1:]))}</main>"
    )
    return framed(f"{document.about}: how much of the accuracy is chance?", body, code)


def framed(title: str, body: str, code: str, classes: str = "") -> str:
    """A page around `body`; `classes` are those whose names its script makes up."""
    body = squeeze.markup(body)
    words = squeeze.words(f"html body {classes} {body}", code)
    style = squeeze.style(_asset("core.css") + _asset("page.css"), words)
    policy = (
        f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(code)}; "
        "base-uri 'none'; form-action 'none'"
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        '<meta name=viewport content="width=device-width,initial-scale=1">'
        f'<meta http-equiv=Content-Security-Policy content="{policy}">'
        f"<title>{escape(title)}</title><style>{style}</style>"
        f"<body>{body}<script>{code}</script>\n"
    )


def fragment(nodes: list[Node]) -> str:
    """A part of a page, for a notebook: its own style, and no script."""
    style = _asset("core.css").replace(":root", ":scope")
    return (
        f'<div class="chancemeter"><style>@scope(.chancemeter){{{style}}}</style>'
        f"{drawing.PATTERNS}{''.join(map(_node, nodes))}</div>"
    )


@cache
def script(*names: str) -> str:
    """Files that stand beside this one, as one script."""
    return squeeze.renamed("\n".join(map(_asset, names)))


@cache
def _asset(name: str) -> str:
    """Without comments and without blanks at the sides."""
    found = resources.files("chancemeter.reports").joinpath(name).read_text("utf-8")
    lines = (line.strip() for line in found.splitlines())
    kept = "\n".join(line for line in lines if line and not line.startswith("//"))
    if name.endswith(".css"):
        return re.sub(r"/\*.*?\*/|\n", "", kept, flags=re.DOTALL).strip()
    return kept


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _link(section: Section) -> str:
    return f'<a href="#{section.key}"{_hidden(section)}>{escape(section.title)}</a>'


def _hidden(section: Section) -> str:
    """What needs the script is shown by the script."""
    return " hidden" if any(isinstance(node, Sliders) for node in section.nodes) else ""


def _section(section: Section) -> str:
    """A heading names a section; the first one has none."""
    title = escape(section.title)
    named, heading = (
        (f' aria-label="{title}"', "") if section.key == "answer" else ("", f"<h2>{title}</h2>")
    )
    nodes = "".join(map(_node, section.nodes))
    return f'<section id="{section.key}"{named}{_hidden(section)}>{heading}{nodes}</section>'


@singledispatch
def _node(node: Any) -> str:
    msg = f"no node of a document: {type(node).__name__}"
    raise TypeError(msg)


@_node.register
def _(node: Sentence) -> str:
    return f"<p{' class=lead' if node.lead else ''}>{_text(node.text)}</p>"


@_node.register
def _(node: Note) -> str:
    kind = "warning" if node.warning else "note"
    return f'<p class="{kind}" role="note">{_text(node.text)}</p>'


@_node.register
def _(node: Terms) -> str:
    return f"<dl>{''.join(map(_term, node.terms))}</dl>"


@_node.register
def _(node: Listing) -> str:
    items = "".join(f"<li>{_text(item)}" for item in node.items)
    title = f"<p class=faint>{escape(node.title)}</p>" if node.title else ""
    return f"{title}<ul>{items}</ul>"


@_node.register
def _(node: Code) -> str:
    return f'<pre tabindex="0">{escape(node.text)}</pre>'


@_node.register
def _(node: Sliders) -> str:
    data = json.dumps(node.data, separators=(",", ":")).replace("<", "\\u003c")
    return f'<div id="sim"></div><script type="application/json" id="data">{data}</script>'


@_node.register
def _(node: Thresholds) -> str:
    data = json.dumps(node.data, separators=(",", ":")).replace("<", "\\u003c")
    return (
        '<div id="thresholds-now"></div>'
        f'<script type="application/json" id="curves-data">{data}</script>'
    )


@_node.register
def _(node: Chart) -> str:
    return charts.chart(node)


@_node.register
def _(node: Beside) -> str:
    return f'<div class="beside">{"".join(f"<div>{_node(x)}</div>" for x in node.nodes)}</div>'


@_node.register
def _(node: Folded) -> str:
    opened = " open" if node.open else ""
    nodes = "".join(map(_node, node.nodes))
    return f"<details{opened}><summary>{_span(node.title)}</summary>{nodes}</details>"


def _text(spans: Text) -> str:
    return "".join(map(_span, spans))


def _whole(text: str) -> str:
    """An interval is not broken into two lines."""
    return re.sub(r"(\[[^],]+,) ([^],]+\])", "\\1\u00a0\\2", escape(text, quote=False))


def _span(span: Span) -> str:
    inner = _whole(span.text)
    return {
        "": inner,
        "strong": f"<b>{inner}</b>",
        "faint": f"<span class=faint>{inner}</span>",
        "name": f"<b>{_bdi(span.text)}</b>",
        "code": f"<code>{inner}</code>",
    }[span.style]


def _bdi(text: str) -> str:
    """What others wrote; its direction of writing stays its own."""
    inner = escape(text, quote=False)
    return inner if text.isascii() else f"<bdi>{inner}</bdi>"


@_node.register
def _(bar: Bar) -> str:
    parts = f'<b>{_bdi(bar.name)}</b> <span class="eq">{bar.right} right'
    if bar.shares[2] == bar.shares[2]:
        parts += (
            f' = <i class="k c">{bar.chance}</i> by chance + '
            f'<i class="k e">{bar.earned}</i> earned; <i class="k o">{bar.missed}</i> missed'
        )
        below = f"κ = <b>{bar.kappa}</b> of what chance left to win <i>{_whole(bar.interval)}</i>"
    else:
        below = "κ is undefined: there is nothing that chance could be told from"
    return (
        f"<figure><figcaption>{parts}</span></figcaption>{drawing.chance_bar(bar)}"
        f'<p class="below">{below}</p></figure>'
    )


@_node.register
def _(grid: Grid) -> str:
    bars = any(row.bar for row in grid.rows)
    heads = "".join(
        f"<th>{_bdi(head.text) if head.style == 'name' else _span(head)}" for head in grid.heads
    )
    if bars:
        heads = f"<th class=minis>chance · earned{heads}"
    body = "".join(_row(row, bars) for row in grid.rows)
    foot = f"<p class=faint>{escape(grid.foot)}</p>" if grid.foot else ""
    caption = escape(grid.caption)
    table = "<table class=tall>" if len(grid.heads) >= _MANY_COLUMNS else "<table>"
    return (
        f'<div tabindex="0" role="region" aria-label="{caption}">{table}'
        f"<caption>{caption}</caption><thead><tr><th>{escape(grid.corner)}{heads}"
        f"</thead><tbody>{body}</tbody></table></div>{foot}"
    )


def _row(row: Row, bars: bool) -> str:
    about = f" <i>{escape(row.about)}</i>" if row.about else ""
    drawn = ""
    if bars:
        drawn = f"<td class=minis>{drawing.small_bar(*row.bar) if row.bar else ''}"
    cells = "".join(_cell(cell, row.track) for cell in row.cells)
    return f"<tr><th>{_span(row.name)}{about}{drawn}{cells}"


def _cell(cell: Cell, scale: tuple[float, float] | None) -> str:
    inner = escape(cell.text)
    if cell.why:
        return f"<td class=why>{inner}<i>{escape(cell.why)}</i>"
    if cell.beside:
        inner += f" <i>{escape(cell.beside)}</i>"
    if scale:
        inner += drawing.track(cell, scale)
    if cell.bar:
        inner += drawing.small_bar(*cell.bar)
    return f"<td{' class=mark' if cell.mark else ''}>{inner}"


@_node.register
def _(matrix: Matrix) -> str:
    heads = "".join(f"<th scope=col>{_bdi(label)}" for label in matrix.labels)
    rows = []
    for i, (label, counts, shades) in enumerate(
        zip(matrix.labels, matrix.counts, matrix.shades, strict=True)
    ):
        cells = "".join(
            f"<td{_shade(shade, i == j)}>{count}"
            for j, (count, shade) in enumerate(zip(counts, shades, strict=True))
        )
        rows.append(f"<tr><th scope=row>{_bdi(label)}{cells}")
    name = escape(matrix.name)
    foot = f"<p class=faint>{escape(matrix.foot)}</p>" if matrix.foot else ""
    size = "many" if len(matrix.labels) > 12 else "some" if len(matrix.labels) > 4 else "few"
    return (
        f'<div tabindex="0" role="region" aria-label="Confusion matrix of {name}">'
        f'<table class="cm {size}"><caption><b>{_bdi(matrix.name)}</b>: rows truth, columns prediction'
        f"</caption><thead><tr><td>truth ╲ predicted{heads}</thead><tbody>{''.join(rows)}"
        f"</tbody></table></div>{foot}"
    )


def _shade(shade: int, right: bool) -> str:
    if not shade:
        return ""
    return f" class={'r' if right else 'x'}{shade}"


def _term(term: tuple[str, str, str]) -> str:
    name, symbol, meaning = term
    sign = f" <i>{escape(symbol)}</i>" if symbol else ""
    return f"<dt>{escape(name)}{sign}<dd>{escape(meaning, quote=False)}"

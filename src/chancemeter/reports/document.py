"""What a report is made of, before it is HTML, text, Markdown or LaTeX.

A document is sections of nodes; every figure in it is text already, by the one formatter, so
that it reads the same wherever it is shown. Numbers stand beside the text only to be drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Style = Literal["", "strong", "faint", "name", "code"]


@dataclass(frozen=True)
class Span:
    """A run of text; a `name` is what somebody else wrote: a model, a label."""

    text: str
    style: Style = ""


Text: TypeAlias = tuple[Span, ...]


def text(*parts: str | Span) -> Text:
    """Spans of plain strings and spans."""
    return tuple(Span(part) if isinstance(part, str) else part for part in parts)


def plain(spans: Text) -> str:
    """The words alone.

    >>> plain(text("It won ", Span("46%", "strong"), "."))
    'It won 46%.'
    """
    return "".join(span.text for span in spans)


@dataclass(frozen=True)
class Sentence:
    """A paragraph; a `lead` is what is read first."""

    text: Text
    lead: bool = False


@dataclass(frozen=True)
class Bar:
    """The chance bar: an accuracy split into chance and earned, and kappa as a share of the rest."""

    name: str
    right: str
    chance: str
    earned: str
    missed: str
    kappa: str
    interval: str
    shares: tuple[float, float, float]
    """Accuracy, chance and kappa."""
    limits: tuple[float, float] | None
    """Of kappa."""
    drawn: str
    """The same bar in characters."""


@dataclass(frozen=True)
class Note:
    """Something to be aware of."""

    text: Text
    warning: bool = False


@dataclass(frozen=True)
class Cell:
    """A figure in a table, and what stands beside it; or the reason why there is none."""

    text: str
    beside: str = ""
    """Its interval, or what it is relative to; in two lines where there is little room."""
    why: str = ""
    value: float | None = None
    limits: tuple[float, float] | None = None
    mark: bool = False
    """Something about it stands out."""
    bar: tuple[float, float] | None = None
    """Accuracy and chance, drawn small below it."""


@dataclass(frozen=True)
class Row:
    """A line of a table; `bar` are accuracy and chance, drawn small beside the name."""

    name: Span
    cells: Sequence[Cell]
    about: str = ""
    bar: tuple[float, float] | None = None
    track: tuple[float, float] | None = None
    """Where a scale begins and ends on which the cells are drawn."""


@dataclass(frozen=True)
class Grid:
    """A table of figures."""

    caption: str
    corner: str
    heads: Sequence[Span]
    rows: Sequence[Row]
    foot: str = ""


@dataclass(frozen=True)
class Matrix:
    """A confusion matrix."""

    name: str
    labels: Sequence[str]
    counts: Sequence[Sequence[str]]
    shades: Sequence[Sequence[int]]
    """The share of each true class in tenths, 0 to 9."""
    foot: str = ""


@dataclass(frozen=True)
class Terms:
    """What words mean."""

    terms: Sequence[tuple[str, str, str]]
    """Name, symbol, meaning."""


@dataclass(frozen=True)
class Listing:
    """Points, under a title if there is one."""

    title: str
    items: Sequence[Text]


@dataclass(frozen=True)
class Code:
    """A command as it is typed."""

    text: str


@dataclass(frozen=True)
class Sliders:
    """Counts for the page to recompute measures at other prevalences; paper has none."""

    data: dict[str, Any]


@dataclass(frozen=True)
class Line:
    """One line of a chart; a `guide` is thin, a `band` is filled, both stand behind curves."""

    points: Sequence[tuple[float, float]]
    name: str = ""
    """Of the model it belongs to; the same name has the same colour."""
    kind: Literal["curve", "guide", "band"] = "curve"
    label: str = ""
    """Written where a guide ends."""


@dataclass(frozen=True)
class Dot:
    """A point of a chart that stands out."""

    at: tuple[float, float]
    name: str = ""
    label: str = ""
    """What it says when it is pointed at."""


@dataclass(frozen=True)
class Chart:
    """Lines over two axes; where nothing can be drawn, the words are written instead."""

    title: str
    across: str
    up: str
    lines: Sequence[Line]
    told: str
    """What there is to see, in words."""
    dots: Sequence[Dot] = ()
    span: tuple[float, float, float, float] = (0, 1, 0, 1)
    """From and to across, from and to upwards."""
    key: str = ""
    """By which a script finds it."""


@dataclass(frozen=True)
class Thresholds:
    """Points of curves for the page to work out one threshold, any share of positives and costs."""

    data: dict[str, Any]


@dataclass(frozen=True)
class Beside:
    """Nodes that stand side by side where there is room."""

    nodes: Sequence[Node]


@dataclass(frozen=True)
class Folded:
    """Nodes that are not needed at once."""

    title: Span
    nodes: Sequence[Node]
    open: bool = False


Node: TypeAlias = (
    Sentence
    | Bar
    | Note
    | Grid
    | Matrix
    | Terms
    | Listing
    | Code
    | Sliders
    | Thresholds
    | Chart
    | Beside
    | Folded
)


@dataclass(frozen=True)
class Section:
    """A heading and what follows."""

    key: str
    title: str
    nodes: Sequence[Node]


@dataclass(frozen=True)
class Document:
    """The whole."""

    title: str
    facts: str
    about: str
    """Which models it is about, for the title of a window."""
    sections: Sequence[Section] = field(default_factory=tuple)

"""The tables of an experiment as nodes of a document, and a document in every form."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Sequence
from math import isnan
from pathlib import Path

from chancemeter.errors import Fault, InputError, plural, printable
from chancemeter.experiments.summaries import (
    Disagreement,
    Flip,
    Means,
    PerClassifier,
    Regression,
    Spread,
)
from chancemeter.figures import number, percent
from chancemeter.outcomes import p_text
from chancemeter.reports import html, latex, markdown, words
from chancemeter.reports.document import (
    Beside,
    Cell,
    Document,
    Folded,
    Grid,
    Node,
    Row,
    Span,
)
from chancemeter.reports.saving import check, save

DIGITS = 4
#: What a spreadsheet takes for the beginning of a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def figure(x: float, half: float = float("nan"), *, mark: bool = False) -> Cell:
    """A value and the half width of its interval, to four decimals.

    >>> figure(0.7077, 0.0383).beside
    '± 0.0383'
    """
    beside = "" if isnan(half) else f"± {number(half, DIGITS)}"
    return Cell(number(x, DIGITS), beside, value=None if isnan(x) else float(x), mark=mark)


def share(x: float) -> Cell:
    """A share in percent."""
    return Cell("undefined" if isnan(x) else percent(x), value=None if isnan(x) else x)


def told(text: object) -> Cell:
    """Words."""
    return Cell(str(text))


def named(text: object) -> Span:
    """What others have named."""
    return Span(printable(text, 80), "name")


def grid(
    caption: str,
    heads: Sequence[str],
    rows: Sequence[tuple[object, Sequence[Cell]]],
    foot: Sequence[str] = (),
) -> Grid:
    """A table: the first head is the corner's; the first of each row is its name."""
    corner, *rest = heads
    lines = [Row(named(name), list(cells)) for name, cells in rows]
    return Grid(caption, corner, [Span(head) for head in rest], lines, "; ".join(foot))


def averaged(table: PerClassifier | Means, caption: str) -> Grid:
    """Values of all measures, a line for each data set, and their averages."""
    panel = table.panel
    columns = [table.column(m) for m in panel.measures]
    rows: list[tuple[object, list[Cell]]] = [
        (name, [figure(x[i], half[i]) for x, half in columns])
        for i, name in enumerate(panel.datasets)
    ]
    rows.append(("Average", [figure(*table.average(m)) for m in panel.measures]))
    return grid(caption, ("data set", *panel.measures), rows, panel.notes)


def regressed(found: Sequence[Regression], on: str, of: str, caption: str) -> Grid:
    """How much of one measure another explains."""
    rows = [
        (
            x.classifier,
            [
                figure(x.r_squared),
                figure(x.slope),
                told(p_text(x.p_independent)),
                told(p_text(x.p_clustered)),
                told(f"{x.n:,}"),
            ],
        )
        for x in found
    ]
    clusters = max((x.clusters for x in found), default=0)
    foot = (
        f"a straight line of {of} on {on} over all folds; clustered: folds of one data set belong "
        f"together, {plural(clusters, 'data set')}; independent: as if they did not"
    )
    heads = ("classifier", "R²", "slope", "p if independent", "p clustered", "folds")
    return grid(caption, heads, rows, (foot,))


def ranked_apart(found: Sequence[Disagreement], first: str, second: str, caption: str) -> Grid:
    """Places by two measures, of the data sets on which they differ."""
    rows = [
        (x.dataset, [told(c), told(f"{a:g}"), Cell(f"{b:g}", value=b, mark=a != b)])
        for x in found
        for c, (a, b) in zip(x.classifiers, x.places, strict=True)
    ]
    return grid(caption, ("data set", "classifier", f"by {first}", f"by {second}"), rows)


def spread_out(found: Sequence[Spread], measure: str, caption: str) -> Grid:
    """Lowest and highest values, and their relative difference."""
    rows = [
        (
            x.dataset,
            [
                told(", ".join(x.lowest)),
                figure(x.low),
                told(", ".join(x.highest)),
                figure(x.high),
                share(x.relative),
            ],
        )
        for x in found
    ]
    heads = ("data set", "lowest", measure, "highest", measure, "relative difference")
    return grid(caption, heads, rows)


def flipped(found: Sequence[Flip], caption: str, foot: str = "") -> Grid:
    """Pairs on which measures come to different verdicts."""
    rows = [
        (
            x.dataset,
            [
                told(x.better),
                told(x.other),
                told(", ".join(x.speaking)),
                told(", ".join(x.silent) or "–"),
                told(", ".join(x.against) or "–"),
            ],
        )
        for x in found
    ]
    heads = ("data set", "better", "than", "significant by", "not by", "the other way by")
    return grid(caption, heads, rows, (foot,) if foot else ())


def comma_separated(document: Document) -> str:
    """All tables, one after another; nothing in it is a formula to a spreadsheet."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for found in (
        g for section in document.sections for node in section.nodes for g in _grids(node)
    ):
        writer.writerow([safe(found.caption)])
        writer.writerow(
            [safe(found.corner), *(x for head in found.heads for x in _head(head, found))]
        )
        for row in found.rows:
            cells = [x for i, cell in enumerate(row.cells) for x in _cells(cell, i, found)]
            writer.writerow([safe(row.name.text), *cells])
        writer.writerow([])
    return out.getvalue()


def safe(text: str) -> str:
    """Text that a spreadsheet takes for text.

    >>> safe("=1+1"), safe("a")
    ("'=1+1", 'a')
    """
    return f"'{text}" if text.startswith(_FORMULA) else text


FORMS: dict[str, Callable[[Document], str]] = {
    "text": words.written,
    "md": markdown.written,
    "html": html.page,
    "tex": latex.written,
    "csv": comma_separated,
}
_ENDINGS = {
    ".txt": "text",
    ".md": "md",
    ".html": "html",
    ".htm": "html",
    ".tex": "tex",
    ".csv": "csv",
}


def check_target(path: str | Path, *, force: bool = False) -> str:
    """The form that the name of a file asks for; refused at once if it cannot be written."""
    ending = Path(path).suffix.lower()
    if ending not in _ENDINGS:
        fix = f"end the name in {', '.join(_ENDINGS)}"
        what = "what kind of file is to be written?"
        raise InputError(Fault("CM402", what, printable(path, 200), fix=fix))
    check(path, force=force)
    return _ENDINGS[ending]


def save_document(document: Document, path: str | Path, *, force: bool = False) -> Path:
    """Write it in the form that the name asks for."""
    return save(path, FORMS[check_target(path, force=force)](document), force=force)


def _grids(node: Node) -> Iterator[Grid]:
    match node:
        case Grid():
            yield node
        case Beside() | Folded():
            for inner in node.nodes:
                yield from _grids(inner)


def _wide(i: int, found: Grid) -> bool:
    """Whether a column has half widths beside its values: they get a column of their own."""
    return any(row.cells[i].beside for row in found.rows if i < len(row.cells))


def _head(head: Span, found: Grid) -> list[str]:
    i = next(i for i, x in enumerate(found.heads) if x is head)
    return [safe(head.text), "±"] if _wide(i, found) else [safe(head.text)]


def _cells(cell: Cell, i: int, found: Grid) -> list[str]:
    shown = safe(cell.text) if cell.value is None else repr(float(cell.value))
    return [shown, cell.beside.removeprefix("± ")] if _wide(i, found) else [shown]

"""The tables of a document for a paper, in the style of booktabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from chancemeter.reports.document import Beside, Cell, Document, Folded, Grid, Matrix, Node

#: What TeX would obey, and how it is written instead.
_SIGNS = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "−": "$-$",
    "∞": r"$\infty$",
    "κ": r"$\kappa$",
    "╲": r"$\backslash$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}


def written(document: Document) -> str:
    """Every table with its caption."""
    head = "% needs \\usepackage{booktabs}; \\usepackage[T1]{fontenc} for quotes\n"
    found = (t for s in document.sections for node in s.nodes for t in _tables(node))
    return head + "\n".join(found)


def escaped(text: str) -> str:
    r"""`text` as it is, whatever it means to TeX.

    >>> print(escaped("50% of a_b\\input{x}"))
    50\% of a\_b\textbackslash{}input\{x\}
    """
    return "".join(_SIGNS.get(sign, sign) for sign in text)


def _tables(node: Node) -> Iterator[str]:
    match node:
        case Grid():
            heads = [node.corner, *(head.text for head in node.heads)]
            rows: list[list[str | Cell]] = [[row.name.text, *row.cells] for row in node.rows]
            yield _table(node.caption, heads, rows)
        case Matrix():
            caption = f"{node.name}: rows truth, columns prediction"
            lines = zip(node.labels, node.counts, strict=True)
            heads = ["truth ╲ predicted", *node.labels]
            yield _table(caption, heads, [[label, *row] for label, row in lines])
        case Beside() | Folded():
            for inner in node.nodes:
                yield from _tables(inner)


def _table(caption: str, heads: Sequence[str], rows: Sequence[Sequence[str | Cell]]) -> str:
    lines = [
        "\\begin{table}",
        "  \\centering",
        f"  \\caption{{{escaped(caption)}}}",
        f"  \\begin{{tabular}}{{l{'r' * (len(heads) - 1)}}}",
        "    \\toprule",
        f"    {' & '.join(map(escaped, heads))} \\\\",
        "    \\midrule",
        *(f"    {' & '.join(map(_shown, row))} \\\\" for row in rows),
        "    \\bottomrule",
        "  \\end{tabular}",
        "\\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _shown(cell: str | Cell) -> str:
    if isinstance(cell, str):
        return escaped(cell)
    if cell.why:
        return "--"
    # a line that begins with a bracket would be read as an argument of \\
    return escaped(" ".join([cell.text, *cell.beside.split()]))

"""The numbers of a report as CSV, one in a line; no label is taken for a formula."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

from chancemeter.errors import printable
from chancemeter.reports.findings import Findings, limits_of
from chancemeter.scoring import Scores
from chancemeter.tables import Table

HEADS = ("model", "part", "entry", "measure", "value", "low", "high", "undefined")
#: What spreadsheets begin a formula with.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def written(report: Findings) -> str:
    """A line for each number: of a model, of a class, of a cell, of a fold, group or slice."""
    file = StringIO()
    write = csv.writer(file, lineterminator="\n")
    write.writerow(HEADS)
    for m in report.models:
        for line in (*_whole(m.scores), *_of_classes(m.table, m.classes), *_cells(m.table)):
            write.writerow([safe(m.name), *line])
    for part in report.parts:
        for line in _whole(part.scores, part.axis, part.entry):
            write.writerow([safe(part.model), *line])
    return file.getvalue()


def safe(text: object) -> str:
    """Text that no spreadsheet computes: what looks like a formula begins with an apostrophe.

    >>> safe("=cmd()"), safe("-1.5"), safe("cat"), safe(-1.5)
    ("'=cmd()", '-1.5', 'cat', '-1.5')
    """
    shown = printable(text, 500)
    try:
        float(shown)
    except ValueError:
        return f"'{shown}" if shown.lstrip().startswith(_FORMULA) else shown
    return shown


def _whole(scores: Scores, part: str = "", entry: object = "") -> Iterator[list[Any]]:
    for key, score in scores.scores.items():
        low, high = limits_of(score) or ("", "")
        why = score.undefined.sentence if score.undefined else ""
        yield [part, safe(entry), key, "" if why else score.value, low, high, why]


def _of_classes(t: Table, scores: Scores) -> Iterator[list[Any]]:
    for key, score in scores.scores.items():
        for i, label in enumerate(t.labels):
            low, high = limits_of(score, i) or ("", "")
            why = score.undefined[i].sentence if score.undefined[i] else ""
            value = "" if why else score.value[i]
            yield ["class", safe(label), key, value, low, high, why]


def _cells(t: Table) -> Iterator[list[Any]]:
    for i, truth in enumerate(t.labels):
        for j, predicted in enumerate(t.labels):
            entry = f"{printable(truth, 500)} predicted as {printable(predicted, 500)}"
            yield ["cell", safe(entry), "count", t.counts[i, j].item(), "", "", ""]

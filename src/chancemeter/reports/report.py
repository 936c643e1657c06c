"""A report: results that can show themselves."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from chancemeter.comparison.rows import SameRows
from chancemeter.curves.curve import Curve
from chancemeter.errors import Fault, InputError, printable
from chancemeter.reports import compose, html, latex, markdown, spreadsheet, words
from chancemeter.reports.findings import Findings, gather
from chancemeter.reports.saving import save


@dataclass(frozen=True, repr=False)
class Report(Findings):
    """Results of one or more models, ready to be shown.

    >>> from chancemeter import report
    >>> report({"filter": [[70, 10], [20, 900]]})
    filter is right in 97.0% of 1,000 cases. Guessing with the same habits would get 84.4%.
    It won 81% of what chance left to win (Cohen's kappa 0.807, 95% interval [0.731, 0.866]).
    """

    def to_json(self) -> str:
        """The same as text."""
        return json.dumps(self.to_dict(), allow_nan=False)

    def to_html(self) -> str:
        """One page that needs nothing else."""
        return html.page(compose.document(self))

    def to_text(self) -> str:
        """For a terminal."""
        return words.written(compose.document(self))

    def to_markdown(self) -> str:
        """For a repository, an issue, or the summary of a build."""
        return markdown.written(compose.document(self))

    def to_latex(self) -> str:
        """Tables for a paper, in the style of booktabs."""
        return latex.written(compose.document(self))

    def to_csv(self) -> str:
        """For spreadsheets: a number in a line, and no label taken for a formula."""
        return spreadsheet.written(self)

    def save(self, path: str | Path, *, force: bool = False) -> Path:
        """Write it in the kind that the name ends in: html, txt, md, tex, json or csv."""
        kinds = {
            ".html": self.to_html,
            ".htm": self.to_html,
            ".txt": self.to_text,
            ".md": self.to_markdown,
            ".tex": self.to_latex,
            ".json": self.to_json,
            ".csv": self.to_csv,
        }
        kind = Path(path).suffix.lower()
        if kind not in kinds:
            fix = f"end the name in {', '.join(kinds)}"
            what = "what kind of report is to be written?"
            raise InputError(Fault("CM402", what, printable(path), fix=fix))
        return save(path, kinds[kind](), force=force)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        """For notebooks: the answer, without a script."""
        return {
            "text/plain": repr(self),
            "text/html": html.fragment(compose.answer(self)),
            "text/markdown": self.to_markdown(),
        }

    def __repr__(self) -> str:
        """The sentences of all models."""
        return "\n".join(str(m.luck) for m in self.models)


def report(
    source: Any,
    *,
    notes: Iterable[str] = (),
    command: str = "",
    rows: SameRows | None = None,
    curves: Mapping[str, Curve] | None = None,
    interval: str | None = "default",
    **options: Any,
) -> Report:
    """A report on what `chancemeter.read` gave, on a table, or on tables by the names of models.

    Models on the same cases are compared case by case: give `chancemeter.same_rows`, as the
    source or as `rows` beside tables. `curves` are those of the models' scores, by name
    (`chancemeter.curve`): the report shows every threshold. `interval` and `options` are those of `chancemeter.interval`.
    """
    found = gather(source, notes=notes, command=command, rows=rows, interval=interval, **options)
    made = {field.name: getattr(found, field.name) for field in fields(found)}
    return Report(**made | {"curves": dict(curves or {})})

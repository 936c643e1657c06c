"""Notebooks ask a result how it is shown; the writers of reports answer, which stand above results.

The writer is looked up when it is asked for. So results do not import what shows them, and a
script that never opens a notebook never loads it.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class Shown:
    """A result that a notebook shows as reports show it.

    >>> from chancemeter import luck
    >>> shown = luck([[70, 10], [20, 900]])._repr_mimebundle_()
    >>> sorted(shown), "<script" in shown["text/html"], len(shown["text/html"]) < 10_000
    (['text/html', 'text/plain'], False, True)
    """

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        found: dict[str, str] = import_module("chancemeter.reports.notebook").bundle(self)
        return found

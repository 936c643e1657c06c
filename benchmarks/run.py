"""Run every benchmark and write RESULTS.md: ratios against peers, measured side by side."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import against_pycm
import arrays
import band_coverage
import coverage
import curve_bands
import curves
import engines
import experiments
import files
import many_classes
import numpy as np
import reports
import stacks
import starting
import sure
import type_one

PARTS = {
    "Against PyCM": against_pycm,
    "Stacks of tables": stacks,
    "Labels in arrays and frames": arrays,
    "Files": files,
    "Very many classes": many_classes,
    "Bands of curves": curve_bands,
    "Engines": engines,
    "Intervals": sure,
    "Curves": curves,
    "Experiments": experiments,
    "Starting": starting,
    "Reports": reports,
}
#: Simulations, each with a page of its own; these take some minutes.
SIMULATED = {
    "How often bands hold the curve": band_coverage,
    "How often intervals hold the true value": coverage,
    "How often tests see a difference where there is none": type_one,
}


RESULTS = Path(__file__).with_name("RESULTS.md")
HEAD = """\
# Benchmarks

Written by `make bench`. Every row is one run in which both sides took turns; the best of
several counts. Ratios carry over to other machines, times do not.
"""
COLUMNS = (
    "| what | chancemeter | peer | peer's time | faster | wanted | |\n|---|--:|---|--:|--:|--:|---|"
)


def earlier() -> dict[str, str]:
    """Sections that stand in the file already, by title."""
    if not RESULTS.exists():
        return {}
    parts = RESULTS.read_text("utf-8").split("\n## ")[1:]
    return {part.partition("\n")[0]: part.partition("\n")[2].strip() for part in parts}


def timed(part: Any) -> tuple[str, bool]:
    """A table of the claims of a part, and whether all are kept."""
    machine = (
        f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores, "
        f"{platform.system()} {platform.machine()}, {datetime.now(UTC):%Y-%m-%d}."
    )
    rows, kept = [], True
    for claim in part.claims():
        print(claim.row, flush=True)
        rows.append(claim.row)
        kept &= claim.ratio >= claim.at_least
    said = f"{machine} {getattr(part, 'SAID', '')}".strip()
    return "\n".join([said, "", COLUMNS, *rows]), kept


def main(wanted: list[str]) -> int:
    """Run all parts, or those whose title begins with a word of `wanted`; 1 if one falls short."""
    sections, kept = earlier(), True
    titles = [*PARTS, *SIMULATED]
    for title in titles:
        if not wanted or any(title.lower().startswith(word.lower()) for word in wanted):
            sections[title], fine = (
                timed(PARTS[title]) if title in PARTS else SIMULATED[title].section()
            )
            kept &= fine
    body = [f"## {title}\n\n{sections[title]}\n" for title in titles if title in sections]
    RESULTS.write_text("\n".join([HEAD, *body]), "utf-8")
    return int(not kept)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Run every benchmark and write RESULTS.md: ratios against peers, measured side by side."""

from __future__ import annotations

import os
import platform
import sys
from datetime import UTC, datetime
from pathlib import Path

import against_pycm
import arrays
import files
import many_classes
import numpy as np
import stacks
import starting

PARTS = {
    "Against PyCM": against_pycm,
    "Stacks of tables": stacks,
    "Labels in arrays and frames": arrays,
    "Files": files,
    "Very many classes": many_classes,
    "Starting": starting,
}


def main() -> int:
    """Write the results; 1 if a ratio falls short."""
    machine = (
        f"Python {platform.python_version()}, numpy {np.__version__}, {os.cpu_count()} cores, "
        f"{platform.system()} {platform.machine()}, {datetime.now(UTC):%Y-%m-%d}."
    )
    lines = [
        "# Benchmarks",
        "",
        "Written by `make bench`. Every row is one run in which both sides took turns; the best of",
        "several counts. Ratios carry over to other machines, times do not.",
        "",
        machine,
    ]
    short = 0
    for title, part in PARTS.items():
        lines += [
            "",
            f"## {title}",
            "",
            "| what | chancemeter | peer | peer's time | faster | wanted | |",
        ]
        lines += ["|---|--:|---|--:|--:|--:|---|"]
        for claim in part.claims():
            print(claim.row, flush=True)
            lines.append(claim.row)
            short += claim.ratio < claim.at_least
    Path(__file__).with_name("RESULTS.md").write_text("\n".join(lines) + "\n", "utf-8")
    return int(short > 0)


if __name__ == "__main__":
    sys.exit(main())

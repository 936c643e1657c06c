"""The options of the command that looks at every threshold; nothing heavy is imported for them."""

from __future__ import annotations

import argparse
from typing import Any

#: As in `chancemeter.curves.spaces.SPACES`.
SPACES = (
    *("roc", "k", "k-fp", "fp-tp", "pc-k", "pr", "prg"),
    *("det", "lift", "gain", "cost", "net-benefit"),
)


def add_curve(commands: argparse._SubParsersAction[Any]) -> None:
    """``chancemeter curve SCORES``."""
    curve = commands.add_parser(
        "curve",
        help="every threshold of a score: ROC, kappa and others along it",
        description="Look at every threshold of a score: areas under curves, the best threshold, and "
        "whether the one in use is any good. Without --json, --png or --svg a summary is printed.",
        allow_abbrev=False,
    )
    curve.add_argument("file", metavar="SCORES", nargs="?", help="a file of true labels and scores")
    curve.add_argument("--space", choices=SPACES, default="roc", help="default: roc")
    curve.add_argument("--json", action="store_true", help="print JSON: areas, points, band")
    curve.add_argument("--png", metavar="FILE", help="draw it there (needs matplotlib)")
    curve.add_argument("--svg", metavar="FILE", help="draw it there (needs matplotlib)")
    curve.add_argument("--force", action="store_true", help="write over an existing file")
    curve.add_argument("--threshold", type=float, metavar="T", help="the one in use (default: 0.5)")
    curve.add_argument(
        "--measure", metavar="MEASURE", default="kappa", help="what is best there (default: kappa)"
    )
    drawn = curve.add_argument_group("picture")
    drawn.add_argument(
        "--iso", metavar="MEASURE", help="lines of equal value of a measure (default: kappa)"
    )
    drawn.add_argument("--hull", action="store_true", help="the convex hull too")
    drawn.add_argument(
        "--band",
        choices=["none", "pointwise", "simultaneous", "fixed"],
        default="simultaneous",
        help="how sure each place or the whole curve is (default: simultaneous)",
    )
    drawn.add_argument("--level", type=float, default=0.95, help="default: 0.95")
    drawn.add_argument("--draws", type=int, default=2000, help="of curves (default: 2000)")
    drawn.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    add_score_columns(curve)


def add_score_columns(curve: argparse.ArgumentParser) -> None:
    """Which columns, and how the file is read."""
    columns = curve.add_argument_group("columns")
    columns.add_argument("--true", metavar="COLUMN", help="true labels")
    columns.add_argument(
        "--score", metavar="COLUMN", action="append", default=[], help="scores; once a model"
    )
    columns.add_argument("--positive", metavar="LABEL", help="the class that high scores mean")
    columns.add_argument("--low", action="store_true", help="low scores mean it")
    columns.add_argument("--weight", metavar="COLUMN", help="weights of the cases")
    columns.add_argument("--group", metavar="COLUMN", help="patients, documents and the like")
    columns.add_argument(
        "--missing",
        choices=["error", "drop"],
        default="error",
        help="what to do with rows that lack a label (default: error)",
    )
    source = curve.add_argument_group("source")
    source.add_argument("--encoding", default="utf-8", help="of the file (default: utf-8)")
    source.add_argument("--delimiter", default=",", help="a character, or tab (default: a comma)")
    source.add_argument("--glob", action="store_true", help="SCORES is a pattern or a folder")
    source.add_argument("--engine", metavar="URL", help="a database, such as postgres://host/db")
    source.add_argument("--table", metavar="NAME", help="the table in it")
    curve.set_defaults(run="curves.show_curves")

"""The options of the commands that choose a threshold and apply it; nothing heavy is imported."""

from __future__ import annotations

import argparse
from typing import Any

from chancemeter.cli.curve_options import add_score_columns


def add_threshold(commands: argparse._SubParsersAction[Any]) -> None:
    """``chancemeter threshold choose`` and ``chancemeter threshold apply``."""
    threshold = commands.add_parser(
        "threshold",
        help="choose a threshold of a score, or apply a chosen one",
        description="Choose the threshold that is best by a measure, a cost or a condition, and "
        "apply a chosen one to new scores.",
        allow_abbrev=False,
    )
    ways = threshold.add_subparsers(title="ways", metavar="WAY", required=True)
    _add_choose(ways)
    _add_apply(ways)


def _add_choose(ways: argparse._SubParsersAction[Any]) -> None:
    choose = ways.add_parser(
        "choose", help="choose it by cases whose truth is known", allow_abbrev=False
    )
    choose.add_argument(
        "file", metavar="SCORES", nargs="?", help="a file of true labels and scores"
    )
    choose.add_argument(
        "--measure", metavar="MEASURE", default="kappa", help="what to be best at (default: kappa)"
    )
    choose.add_argument(
        "--cost", metavar="FP:FN", help="instead: what a false positive and a false negative cost"
    )
    choose.add_argument(
        "--prevalence", type=float, metavar="SHARE", help="of positives where it will be used"
    )
    choose.add_argument(
        "--at-least",
        metavar="MEASURE=NUMBER",
        action="append",
        default=[],
        help="a condition, such as recall=0.9; once for each",
    )
    choose.add_argument("--used", type=float, metavar="T", help="the threshold in use now")
    choose.add_argument("--level", type=float, default=0.95, help="default: 0.95")
    choose.add_argument(
        "--draws", type=int, default=500, help="how often the search is repeated (default: 500)"
    )
    choose.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    choose.add_argument("-o", "--output", metavar="FILE", help="write it there, to be applied")
    choose.add_argument("--force", action="store_true", help="write over an existing file")
    choose.add_argument("--json", action="store_true", help="print JSON")
    add_score_columns(choose)
    choose.set_defaults(run="thresholds.choose_threshold")


def _add_apply(ways: argparse._SubParsersAction[Any]) -> None:
    apply = ways.add_parser(
        "apply", help="turn scores into predictions by a chosen threshold", allow_abbrev=False
    )
    apply.add_argument("chosen", metavar="CHOSEN", help="what threshold choose -o has written")
    apply.add_argument("file", metavar="SCORES", help="a CSV with a column of scores, or -")
    apply.add_argument("--score", metavar="COLUMN", help="scores")
    apply.add_argument("--name", default="y_pred", help="of the new column (default: y_pred)")
    apply.add_argument("-o", "--output", metavar="FILE", help="write there instead of printing")
    apply.add_argument("--force", action="store_true", help="write over an existing file")
    source = apply.add_argument_group("source")
    source.add_argument("--encoding", default="utf-8", help="of the file (default: utf-8)")
    source.add_argument("--delimiter", default=",", help="a character, or tab (default: a comma)")
    apply.set_defaults(run="thresholds.apply_threshold")

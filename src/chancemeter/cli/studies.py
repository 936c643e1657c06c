"""The command that runs a published study again."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted

STUDIES = ("ben-david-2007",)


def add_reproduce(commands: Any) -> None:
    """``chancemeter reproduce``, with its options."""
    reproduce = commands.add_parser(
        "reproduce",
        help="run a published study again, and set it beside the print",
        description="Run Ben-David (2007), A lot of randomness is hiding in accuracy, again: 12 of "
        "its 15 data sets, 5 classifiers, WEKA's own ten folds; each number beside the printed one.",
        allow_abbrev=False,
    )
    reproduce.add_argument("study", metavar="STUDY", help="ben-david-2007")
    reproduce.add_argument(
        "--engine",
        metavar="NAME",
        default="weka",
        help="weka: with Java, as the study; sklearn: the nearest of scikit-learn (default: weka)",
    )
    reproduce.add_argument(
        "--data",
        metavar="FOLDER",
        help="holds credit-a.csv (or crx.data) and post-operative.csv (or .data), which no package has",
    )
    reproduce.add_argument(
        "--openml", action="store_true", help="fetch these two from OpenML, and keep them"
    )
    reproduce.add_argument(
        "--jar", metavar="FILE", help="a weka.jar of 3.6 or 3.9 (default: the one installed)"
    )
    reproduce.add_argument(
        "--only", metavar="NAME", action="append", default=[], help="a data set; once for each"
    )
    reproduce.add_argument(
        "-o", "--output", metavar="FILE", help="all tables, as .html, .md, .txt, .tex or .csv"
    )
    reproduce.add_argument("--force", action="store_true", help="write over an existing file")
    reproduce.add_argument("--json", action="store_true", help="print JSON")
    reproduce.set_defaults(run="studies.reproduce")


def reproduce(args: argparse.Namespace) -> int:
    """``chancemeter reproduce ben-david-2007``."""
    if args.study not in STUDIES:
        fix = did_you_mean(args.study, STUDIES, f"one of {', '.join(STUDIES)}")
        raise InputError(Fault("CM758", f"no study is called {quoted(args.study)}", fix=fix))
    from chancemeter.experiments import sheets
    from chancemeter.experiments.ben_david import page, run
    from chancemeter.experiments.ben_david.side_by_side import study

    if args.output:
        sheets.check_target(args.output, force=args.force)
    grid, made_by = run.rerun(
        args.engine,
        folder=Path(args.data) if args.data else None,
        fetch=args.openml,
        jar=args.jar,
        only=tuple(args.only),
        tell=_tell,
    )
    found = study(grid, made_by)
    if args.output:
        sheets.save_document(page.document(found), args.output, force=args.force)
    if args.json:
        print(json.dumps(found.to_dict(), allow_nan=False))
        return 0
    for line in page.screen(found):
        print(line)
    if args.output:
        print(f"\nAll tables: {printable(args.output, 200)}")
    return 0


def _tell(name: str) -> None:
    """Which data set is being run, for somebody who waits."""
    if sys.stderr.isatty():
        print(f"{name} …", file=sys.stderr)

"""``chancemeter bench show``: what an experiment says, by any measures; nothing is run again."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from chancemeter.errors import Fault, InputError, printable


def add_show(commands: Any) -> None:
    """The options of the command."""
    show = commands.add_parser(
        "show",
        help="tables, rankings and tests of results, by any measures",
        description="Show the results of an experiment, a folder that chancemeter bench run has "
        "made, or a result file of WEKA's Experimenter (CSV or ARFF). Nothing is run again.",
        allow_abbrev=False,
    )
    show.add_argument("folder", metavar="FOLDER", help="of the results, or a file of WEKA's")
    show.add_argument(
        "measures",
        metavar="MEASURE",
        nargs="*",
        default=[],
        help="the first is set against the others (default: those of the plan)",
    )
    show.add_argument(
        "--interval",
        choices=["corrected", "plain", "none"],
        default="corrected",
        help="t over folds, corrected for their overlap, or as if they were independent",
    )
    show.add_argument("--level", type=float, default=0.95, help="default: 0.95")
    show.add_argument(
        "-o", "--output", metavar="FILE", help="all tables, as .html, .md, .txt, .tex or .csv"
    )
    show.add_argument(
        "--weka", metavar="FILE", help="the folds for WEKA's Experimenter, as .csv or .arff"
    )
    show.add_argument("--force", action="store_true", help="write over an existing file")
    show.add_argument("--json", action="store_true", help="print JSON")
    show.set_defaults(run="bench_show.show")


def show(args: argparse.Namespace) -> int:
    """``chancemeter bench show FOLDER [MEASURE …]``."""
    from chancemeter.experiments import sheets
    from chancemeter.experiments.analysis import analyse
    from chancemeter.experiments.exchange import to_weka
    from chancemeter.experiments.grid import Grid
    from chancemeter.registry import get_all
    from chancemeter.reports.saving import check, save

    keys = [m.key for m in get_all(args.measures)]  # before any reading: a slip costs nothing
    if args.output:
        sheets.check_target(args.output, force=args.force)
    form = Path(args.weka).suffix.lower().removeprefix(".") if args.weka else ""
    if args.weka:
        check(args.weka, force=args.force)
    source = _source(args.folder)
    if form:
        if not isinstance(source, Grid):
            fix = "name a folder of results"
            raise InputError(Fault("CM762", "these results are WEKA's already", fix=fix))
        save(args.weka, to_weka(source, form, keys), force=args.force)
    found = analyse(source, keys, interval=args.interval, level=args.level)
    if args.output:
        found.save(args.output, force=args.force)
    if args.json:
        print(json.dumps(found.to_dict(), allow_nan=False))
        return 0
    for line in found.screen():
        print(line)
    for path in (args.output, args.weka):
        if path:
            print(f"\nWritten: {printable(path, 200)}")
    return 0


def _source(path: str) -> Any:
    """A grid, or the values of a file of WEKA's."""
    from chancemeter.experiments.exchange import from_weka
    from chancemeter.experiments.grid import Grid

    if Path(path).is_file() and Path(path).suffix.lower() in {".csv", ".arff"}:
        return from_weka(path)
    return Grid.from_store(path)

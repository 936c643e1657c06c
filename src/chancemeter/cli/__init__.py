"""The command line: read, call, print."""

from __future__ import annotations

import argparse
import os
import sys
from importlib import import_module

import chancemeter

EPILOG = """\
exit codes: 0 all well, 1 a gate failed, 2 the input or the command is at fault,
3 a fault of chancemeter, 130 interrupted
"""


def build_parser() -> argparse.ArgumentParser:
    """Every command and option; nothing heavy is imported for it."""
    parser = argparse.ArgumentParser(
        prog="chancemeter",
        description="How much of your accuracy is luck?",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    version = f"chancemeter {chancemeter.__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _add_score(commands)
    _add_measures(commands)
    _add_explain(commands)
    return parser


def _add_score(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    score = commands.add_parser(
        "score",
        help="score a CSV of predictions or a confusion matrix",
        description="Score a CSV file: labels (a column of truth, one or more of predictions), "
        "or with --matrix a confusion matrix.",
    )
    score.add_argument("file", metavar="FILE", help="a CSV file with a header")
    score.add_argument(
        "measures", metavar="MEASURE", nargs="*", help="such as kappa, f_score@macro"
    )
    score.add_argument("--true", metavar="COLUMN", help="the column of true labels")
    score.add_argument(
        "--pred", metavar="COLUMN", action="append", default=[], help="a column of predictions"
    )
    score.add_argument("--matrix", action="store_true", help="the file is a confusion matrix")
    score.add_argument("--rows", choices=["truth", "prediction"], help="what its rows are")
    score.add_argument("--chances", action="store_true", help="show six ideas of chance")
    score.add_argument("--words", metavar="SCALE", help="words for kappa, such as landis_koch")
    score.add_argument("--json", action="store_true", help="print JSON")
    score.add_argument(
        "--missing",
        choices=["error", "drop", "class"],
        default="error",
        help="what to do with rows that lack a label (default: error)",
    )
    score.add_argument(
        "--labels-as",
        choices=["text", "number"],
        default="text",
        help="number: 1 and 1.0 are the same label (default: text)",
    )
    score.add_argument("--max-classes", type=int, default=2000, metavar="N", help="default: 2000")
    score.add_argument("--encoding", default="utf-8", help="of the file (default: utf-8)")
    score.add_argument("--delimiter", default=",", help="between fields (default: a comma)")
    score.set_defaults(run="show_scores")


def _add_measures(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    measures = commands.add_parser("measures", help="search the catalogue of measures")
    measures.add_argument("word", nargs="?", metavar="WORD", help="in a name or a description")
    measures.add_argument("--family", help="such as agreement, overlap, association")
    measures.add_argument("--level", choices=["table", "class"], help="one number, or one a class")
    measures.add_argument(
        "--seed", metavar="SOURCE", help="cited source, such as powers2012 or labatut2011"
    )
    measures.add_argument("--like", metavar="MEASURE", help="those that rank tables as this one")
    measures.add_argument("--json", action="store_true", help="print JSON: the whole cards")
    measures.set_defaults(run="show_measures")


def _add_explain(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    explain = commands.add_parser("explain", help="one screen about a measure, or about chance")
    explain.add_argument("name", metavar="MEASURE", help="a measure, or the word chance")
    explain.set_defaults(run="show_explanation")


def main(argv: list[str] | None = None) -> int:
    """Run one command and say how it ended."""
    args = build_parser().parse_args(argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    try:
        run = getattr(import_module("chancemeter.cli.commands"), args.run)
        return int(run(args))
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except Exception as error:  # noqa: BLE001  (the last line of defence: no traceback for people)
        return _report(error)


def _report(error: Exception) -> int:
    from chancemeter.errors import ChancemeterError

    if isinstance(error, ChancemeterError):
        print(error, file=sys.stderr)
        return 2
    if os.environ.get("CHANCEMETER_DEBUG"):
        raise error
    print(
        f"fault of chancemeter: {type(error).__name__}: {error}\n"
        "  fix: please report it, with the output of the same command after "
        "CHANCEMETER_DEBUG=1",
        file=sys.stderr,
    )
    return 3

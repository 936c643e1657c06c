"""The command line: read, call, print."""

from __future__ import annotations

import argparse
import codecs
import os
import re
import sys
from importlib import import_module
from typing import NoReturn

import chancemeter
from chancemeter.cli import curve_options, threshold_options
from chancemeter.cli.bench_options import add_bench
from chancemeter.cli.studies import add_reproduce
from chancemeter.errors import ChancemeterError, Fault, InputError, did_you_mean, printable

EPILOG = """\
exit codes: 0 all well, 1 a check failed, 2 the input or the command is at fault, 3 a fault of chancemeter,
130 interrupted
"""
#: What a terminal that knows few characters is given for those it lacks.
_PLAINER = {
    **dict(zip("░█·“”‘’–−×", ":#.\"\"''--x", strict=True)),
    **dict(zip("…→≤≥≠²½", ("...", "->", "<=", ">=", "!=", "^2", "1/2"), strict=True)),
    **dict(zip("∞√Σ", ("inf", "sqrt", "sum"), strict=True)),
    **dict(zip("κπαβλχ", ("kappa", "pi", "alpha", "beta", "lambda", "chi"), strict=True)),
    **dict(zip("φρτγθσ", ("phi", "rho", "tau", "gamma", "theta", "sigma"), strict=True)),
}


class _Parser(argparse.ArgumentParser):
    """Says what is wrong with a command as everything else is said."""

    def error(self, message: str) -> NoReturn:
        """Raise instead of printing the usage and leaving."""
        fix = f"{self.prog} --help shows what it takes"
        word, _, choices = message.partition("(choose from")
        if choices:
            fix = did_you_mean(word.split("'")[1], re.findall(r"[\w-]+", choices), fix)
        raise InputError(Fault("CM402", message, fix=fix))


def build_parser() -> argparse.ArgumentParser:
    """Every command and option; nothing heavy is imported for it."""
    parser = _Parser(
        prog="chancemeter",
        description="How much of your accuracy is luck?",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    version = f"chancemeter {chancemeter.__version__}"
    parser.add_argument("--version", action="version", version=version)
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    parser.set_defaults(run=None)
    _add_score(commands)
    _add_measures(commands)
    _add_explain(commands)
    _add_compare(commands)
    _add_report(commands)
    _add_check(commands)
    _add_explore(commands)
    _add_plot(commands)
    add_bench(commands)
    curve_options.add_curve(commands)
    threshold_options.add_threshold(commands)
    add_reproduce(commands)
    return parser


def _add_score(commands: argparse._SubParsersAction[_Parser]) -> None:
    score = commands.add_parser(
        "score",
        help="score predictions or a confusion matrix",
        description="Score predictions (a column of truth, one or more of predictions) from CSV, "
        "TSV, Parquet, JSON lines, Arrow or ARFF, or with --matrix a confusion matrix.",
        allow_abbrev=False,
    )
    score.add_argument("file", metavar="FILE", nargs="?", help="a file, or - for a CSV from stdin")
    score.add_argument(
        "measures", metavar="MEASURE", nargs="*", default=[], help="such as kappa, f_score@macro"
    )
    score.add_argument("--matrix", action="store_true", help="the file is a confusion matrix")
    score.add_argument("--rows", choices=["truth", "prediction"], help="what its rows are")
    score.add_argument("--chances", action="store_true", help="show six ideas of chance")
    score.add_argument("--tests", action="store_true", help="test against chance and the majority")
    score.add_argument("--words", metavar="SCALE", help="words for kappa, such as landis_koch")
    score.add_argument("--json", action="store_true", help="print JSON")
    add_intervals(score)
    add_reading(score)
    score.set_defaults(run="show_scores")


def _add_compare(commands: argparse._SubParsersAction[_Parser]) -> None:
    compare = commands.add_parser(
        "compare",
        help="which of several models is better, and how sure that is",
        description="Compare models on the same cases: columns of one file (--pred twice), or "
        "files with the same cases in the same order, or matched by --id.",
        allow_abbrev=False,
    )
    compare.add_argument("files", metavar="FILE", nargs="*", help="predictions, a file or more")
    compare.add_argument(
        "--measure",
        metavar="MEASURE",
        action="append",
        default=[],
        help="such as kappa; once for each (default: accuracy, kappa, mcc, informedness)",
    )
    compare.add_argument("--unpaired", action="store_true", help="the cases are different ones")
    _add_data_sets(compare)
    compare.add_argument(
        "--method",
        choices=["smoothed", "posterior", "bootstrap", "permutation"],
        default="smoothed",
        help="of intervals and p-values (default: smoothed)",
    )
    compare.add_argument(
        "--adjust",
        choices=["holm", "hommel", "hochberg", "bonferroni", "benjamini-hochberg"],
        default="holm",
        help="of p-values for the number of pairs (default: holm)",
    )
    compare.add_argument("--level", type=float, default=0.95, help="default: 0.95")
    compare.add_argument(
        "--power",
        type=float,
        metavar="P",
        help="also say how many cases show differences as large as these with this power",
    )
    compare.add_argument("--draws", type=_whole, default=10_000, help="where tables are drawn")
    compare.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")
    compare.add_argument("--json", action="store_true", help="print JSON")
    add_reading(compare, slices=False)
    compare.set_defaults(run="comparing.show_comparison")


def _add_data_sets(compare: argparse.ArgumentParser) -> None:
    """The options of comparisons over many data sets."""
    many = compare.add_argument_group("many data sets")
    many.add_argument("--by", metavar="COLUMN", help="data sets: one value for each model and each")
    many.add_argument(
        "--values",
        action="store_true",
        help="FILE is a CSV of values: model, data set, and a column for each measure",
    )
    many.add_argument("--control", metavar="MODEL", help="compare all others with this one only")
    many.add_argument(
        "--complete-only", action="store_true", help="leave out data sets that lack a value"
    )
    compare.add_argument(
        "--rope",
        type=float,
        metavar="R",
        help="differences of up to R count as none; with folds or data sets, how likely each "
        "model is better",
    )


def _add_report(commands: argparse._SubParsersAction[_Parser]) -> None:
    report = commands.add_parser(
        "report",
        help="write a page that shows everything about one or more models",
        description="Write one page about the predictions of one or more models. It needs no "
        "network. The name of the output says its kind: html, md, txt, tex, json or csv.",
        allow_abbrev=False,
    )
    report.add_argument("files", metavar="FILE", nargs="+", help="predictions, a file or more")
    report.add_argument("-o", "--output", metavar="FILE", help="default: FILE.report.html")
    report.add_argument("--force", action="store_true", help="write over an existing file")
    report.add_argument(
        "--score",
        metavar="COLUMN",
        action="append",
        default=[],
        help="scores: shows every threshold; once a model",
    )
    report.add_argument("--positive", metavar="LABEL", help="the class that high scores mean")
    report.add_argument("--no-html", action="store_true", help="print the answer, write nothing")
    _add_matrices(report)
    add_intervals(report)
    add_reading(report)
    report.set_defaults(run="reports.write_report")


def _add_matrices(command: argparse.ArgumentParser) -> None:
    command.add_argument("--matrix", action="store_true", help="the files are confusion matrices")
    command.add_argument("--rows", choices=["truth", "prediction"], help="what their rows are")


def _add_check(commands: argparse._SubParsersAction[_Parser]) -> None:
    check = commands.add_parser(
        "check",
        help="fail unless predictions meet conditions",
        description="Exit with 1 unless every model meets every condition.",
        allow_abbrev=False,
    )
    check.add_argument("files", metavar="FILE", nargs="+", help="predictions, a file or more")
    for side in ("min", "max"):
        check.add_argument(
            f"--{side}",
            metavar="MEASURE=NUMBER",
            action="append",
            default=[],
            help=f"the {'least' if side == 'min' else 'most'} it may be, such as kappa=0.6",
        )
    surely = "the whole interval must keep the limit, not the value alone"
    check.add_argument("--lower-bound", action="store_true", help=surely)
    check.add_argument("--baseline", metavar="FILE", help="a report in JSON: be no worse than it")
    check.add_argument(
        "--beats",
        metavar="FILE",
        action="append",
        default=[],
        help="other predictions: be better, so that the whole interval of the difference says so",
    )
    # elsewhere --by names the column of slices
    check.add_argument(
        "--by",
        dest="measure",
        metavar="MEASURE",
        default="kappa",
        help="for --beats and --baseline; default: kappa",
    )
    check.add_argument(
        "--format", choices=["text", "json", "md", "github", "junit"], default="text"
    )
    check.add_argument("-o", "--output", metavar="FILE", help="write there, and print the lines")
    check.add_argument("--force", action="store_true", help="write over an existing file")
    _add_matrices(check)
    add_intervals(check)
    add_reading(check, slices=False)
    check.set_defaults(run="checking.check_models", by=None)


def _add_explore(commands: argparse._SubParsersAction[_Parser]) -> None:
    explore = commands.add_parser(
        "explore",
        help="write a page that takes a matrix or a CSV in the browser",
        allow_abbrev=False,
    )
    explore.add_argument(
        "-o", "--output", metavar="FILE", default="explore.html", help="default: explore.html"
    )
    explore.add_argument("--force", action="store_true", help="write over an existing file")
    explore.add_argument("--open", action="store_true", help="open it in a browser")
    explore.set_defaults(run="reports.write_explorer")


def _add_plot(commands: argparse._SubParsersAction[_Parser]) -> None:
    plot = commands.add_parser(
        "plot", help="draw a figure, as PNG or SVG (needs matplotlib)", allow_abbrev=False
    )
    plot.add_argument("files", metavar="FILE", nargs="+", help="predictions, a file or more")
    plot.add_argument("-o", "--output", metavar="FILE", required=True, help="FILE.png or FILE.svg")
    kinds = ["bar", "matrix", "measures", "chances", "ranks", "critical-difference"]
    told = "what to draw (default: bar); critical-difference takes --by, a column of data sets"
    plot.add_argument("--kind", choices=kinds, default="bar", help=told)
    plot.add_argument("--force", action="store_true", help="write over an existing file")
    _add_matrices(plot)
    add_reading(plot)
    plot.set_defaults(run="reports.draw", interval="none")


def add_intervals(command: argparse.ArgumentParser) -> None:
    """The options of every command that prints intervals."""
    sure = command.add_argument_group("intervals")
    sure.add_argument(
        "--interval",
        metavar="METHOD",
        default="default",
        help="smoothed, posterior, percentile, bca, wilson … or none (default: by the measure)",
    )
    sure.add_argument("--level", type=float, default=0.95, help="default: 0.95")
    sure.add_argument("--draws", type=_whole, default=10_000, help="where tables are drawn")
    sure.add_argument("--seed", type=int, default=0, help="of what is drawn (default: 0)")


def add_reading(command: argparse.ArgumentParser, *, slices: bool = True) -> None:
    """The options of every command that takes predictions: which columns, and label care."""
    columns = command.add_argument_group("columns")
    columns.add_argument("--true", metavar="COLUMN", help="true labels")
    columns.add_argument(
        "--pred", metavar="COLUMN", action="append", default=[], help="predictions; once a model"
    )
    columns.add_argument("--model", metavar="COLUMN", help="which model a row is of (long form)")
    if slices:
        columns.add_argument("--by", metavar="COLUMN", help="score each value of it apart")
    columns.add_argument("--fold", metavar="COLUMN", help="folds of a cross-validation")
    columns.add_argument("--group", metavar="COLUMN", help="patients, documents and the like")
    columns.add_argument("--weight", metavar="COLUMN", help="weights of the cases")
    columns.add_argument(
        "--id", metavar="COLUMN", help="cases; each stands once, or once a model in long form"
    )
    columns.add_argument(
        "--predictions",
        metavar="NAME=FILE",
        action="append",
        default=[],
        help="predictions in a file of their own, matched to FILE by --id; once a model",
    )
    columns.add_argument(
        "--missing-ids",
        choices=["error", "drop"],
        default="error",
        help="what to do with cases that a model lacks (default: error)",
    )
    _add_labels(command)
    source = command.add_argument_group("source")
    source.add_argument("--encoding", default="utf-8", help="of the file (default: utf-8)")
    source.add_argument("--delimiter", default=",", help="a character, or tab (default: a comma)")
    source.add_argument("--glob", action="store_true", help="FILE is a pattern or a folder")
    source.add_argument("--max-rows", type=_whole, metavar="N", help="refuse files of more rows")
    source.add_argument("--engine", metavar="URL", help="a database, such as postgres://host/db")
    source.add_argument("--table", metavar="NAME", help="the table in it")


def _add_labels(command: argparse.ArgumentParser) -> None:
    """The options of label care."""
    labels = command.add_argument_group("labels")
    labels.add_argument(
        "--missing",
        choices=["error", "drop", "class"],
        default="error",
        help="what to do with rows that lack a label (default: error)",
    )
    labels.add_argument(
        "--labels-as",
        choices=["text", "number"],
        default="text",
        help="number: 1 and 1.0 are the same label (default: text)",
    )
    labels.add_argument("--fold-case", action="store_true", help="cat and Cat are the same")
    labels.add_argument(
        "--tidy", action="store_true", help="blanks and unicode forms make no difference"
    )
    labels.add_argument(
        "--map", metavar="OLD=NEW", action="append", default=[], help="rename or merge labels"
    )
    labels.add_argument(
        "--order", metavar="LABELS", help="the order of the classes, such as low,middle,high"
    )
    labels.add_argument(
        "--max-classes", type=_whole, default=2000, metavar="N", help="default: 2000"
    )


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        msg = f"{text!r} is not a whole number from 1 up"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _add_measures(commands: argparse._SubParsersAction[_Parser]) -> None:
    measures = commands.add_parser(
        "measures", help="search the catalogue of measures", allow_abbrev=False
    )
    measures.add_argument("word", nargs="?", metavar="WORD", help="in a name or a description")
    measures.add_argument("--family", help="such as agreement, overlap, association")
    measures.add_argument("--level", choices=["table", "class"], help="one number, or one a class")
    measures.add_argument(
        "--source",
        "--seed",
        help="a work that a measure is cited from, such as powers2012 or labatut2011",
    )
    measures.add_argument("--like", metavar="MEASURE", help="those that rank tables as this one")
    measures.add_argument("--json", action="store_true", help="print JSON: the whole cards")
    measures.set_defaults(run="show_measures")


def _add_explain(commands: argparse._SubParsersAction[_Parser]) -> None:
    explain = commands.add_parser(
        "explain", help="one screen about a measure, or about chance", allow_abbrev=False
    )
    explain.add_argument("name", metavar="MEASURE", help="a measure, or the word chance")
    explain.set_defaults(run="show_explanation")


def main(argv: list[str] | None = None) -> int:
    """Run one command and say how it ended."""
    codecs.register_error("chancemeter.plainer", _plainer)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="chancemeter.plainer")
    try:
        args = _parsed(sys.argv[1:] if argv is None else argv)
        module, _, name = args.run.rpartition(".")
        home = import_module(f"chancemeter.cli.{module or 'commands'}")
        code = int(getattr(home, name)(args))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _drop_output()
        return 0
    except Exception as error:  # noqa: BLE001  (the last line of defence: no traceback for people)
        return _report(error)
    return code


def _parsed(argv: list[str]) -> argparse.Namespace:
    """The command; measures may stand before and behind options."""
    parser = build_parser()
    args, more = parser.parse_known_args(argv)
    if args.run == "show_scores":
        args.measures = [*args.measures, *(word for word in more if not word.startswith("-"))]
        more = [word for word in more if word.startswith("-")]
    if more:
        known = {word for word in _options(parser) if word.startswith("--")}
        fix = did_you_mean(more[0].partition("=")[0], known, "see chancemeter COMMAND --help")
        raise InputError(Fault("CM402", f"this is not understood: {' '.join(more)}", fix=fix))
    if args.run is None:
        parser.print_help(sys.stderr)
        raise InputError(Fault("CM402", "no command is given", fix="chancemeter score FILE"))
    args.typed = argv
    return args


def _options(parser: argparse.ArgumentParser) -> list[str]:
    """The options of all commands."""
    found: list[str] = []
    for action in parser._actions:  # noqa: SLF001  (argparse has no public way to list them)
        found += action.option_strings
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            found += [word for command in action.choices.values() for word in _options(command)]
    return found


def _plainer(error: UnicodeError) -> tuple[str | bytes, int]:
    """Plain characters where there are some, else the code of the character."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    return "".join(
        _PLAINER.get(c, c.encode("ascii", "backslashreplace").decode()) for c in lost
    ), error.end


def _drop_output() -> None:
    """Nobody listens any more: have the interpreter not complain when it closes the output."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _report(error: Exception) -> int:
    if isinstance(error, OSError) and error.filename is None:
        _drop_output()
        what = f"the output cannot be written: {error.strerror}"
        error = InputError(Fault("CM009", what, fix="look whether there is room left"))
    if isinstance(error, ChancemeterError):
        print(error, file=sys.stderr)
        return 2
    if os.environ.get("CHANCEMETER_DEBUG"):
        raise error
    print(
        f"fault of chancemeter: {type(error).__name__}: {printable(error, 500)}\n"
        "  fix: please report it, with the output of the same command after "
        "CHANCEMETER_DEBUG=1",
        file=sys.stderr,
    )
    return 3

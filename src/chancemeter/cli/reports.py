"""The commands that show everything about some models, in a page or a figure."""

from __future__ import annotations

import argparse
import shlex
import sys
import webbrowser
from dataclasses import replace
from pathlib import Path
from typing import Any

from chancemeter import plots
from chancemeter.cli.commands import how_sure, needs_grouping, read_tables, reading
from chancemeter.cli.comparing import same_cases
from chancemeter.csvfiles import stem
from chancemeter.curves.curve import Curve
from chancemeter.curves.make import curve
from chancemeter.datasets import critical_difference, grid
from chancemeter.errors import Fault, InputError, plural, printable
from chancemeter.reports import compose, explore, words
from chancemeter.reports.findings import Part
from chancemeter.reports.report import Report, report
from chancemeter.reports.saving import check, save
from chancemeter.tables import Table


def write_report(args: argparse.Namespace) -> int:
    """``chancemeter report FILE …``."""
    target = None
    if not args.no_html:
        target = args.output or _named(args.files)
        check(target, force=args.force, read=args.files)
    found = read_report(args)
    if target is not None:
        found.save(target, force=args.force)
    for note in found.notes:
        print(f"note: {note}", file=sys.stderr)
    print(words.first(compose.document(found)), end="")
    if target is not None:
        print(f"\nThe whole report: {printable(target, 200)}")
    return 0


def _named(files: list[str]) -> str:
    """What a report is called if nobody says."""
    return f"{stem(files[0])}.report.html" if len(files) == 1 else "report.html"


def read_report(args: argparse.Namespace) -> Report:
    """One report on all files: a model or more in each."""
    found = [_of_file(args, file) for file in args.files]
    curves = _curves(args, found)
    if len(found) == 1:
        return replace(found[0], command=_typed(args), curves=curves)
    parts: list[Part] = []
    tables: dict[str, Table] = {}
    for file, one in zip(args.files, found, strict=True):
        for m in one.models:
            name = stem(file) if len(one.models) == 1 else f"{stem(file)}: {m.name}"
            if name in tables:
                what = f"two models are called {printable(name)}"
                fix = "give each file once; models are called after their files, so rename one"
                raise InputError(Fault("CM402", what, printable(file), fix=fix))
            tables[name] = m.table
            parts += [replace(part, model=name) for part in one.parts if part.model == m.name]
    notes = dict.fromkeys(note for one in found for note in one.notes)
    rows = None if args.matrix or parts else same_cases(args)
    found_all = report(tables, notes=notes, command=_typed(args), rows=rows, **how_sure(args))
    return replace(found_all, parts=tuple(parts), curves=curves)


def _curves(args: argparse.Namespace, found: list[Report]) -> dict[str, Curve]:
    """Every threshold of the scores that are asked for, by the names that the models have."""
    scores = getattr(args, "score", [])
    curves: dict[str, Curve] = {}
    for file, one in zip(args.files, found, strict=True) if scores else ():
        names = [m.name for m in one.models]
        if args.matrix or len(names) != len(scores):
            what = f"{plural(len(scores), 'column')} of scores for {plural(len(names), 'model')}"
            fix = "give --score once for each --pred, in the same order; a matrix has no scores"
            raise InputError(Fault("CM402", what, printable(file), fix=fix))
        options: dict[str, Any] = {"encoding": args.encoding, "glob": args.glob}
        options |= {"missing": "drop"} if args.missing == "drop" else {}
        options |= {} if args.delimiter == "," else {"delimiter": args.delimiter}
        for name, score in zip(names, scores, strict=True):
            several = len(args.files) > 1
            full = (stem(file) if len(names) == 1 else f"{stem(file)}: {name}") if several else name
            curves[full] = curve(
                file, score, true=args.true, positive=args.positive, weights=args.weight, **options
            )
    return curves


def _of_file(args: argparse.Namespace, file: str) -> Report:
    args = argparse.Namespace(**{**vars(args), "file": file, "table": None})
    if not args.matrix and needs_grouping(args):
        return report(reading(args), **how_sure(args))
    read = read_tables(args)
    several = len(read.tables) > 1 and not args.matrix
    rows = same_cases(argparse.Namespace(**vars(args) | {"files": [file]})) if several else None
    return report(read.tables, notes=read.notes, rows=rows, **how_sure(args))


def _typed(args: argparse.Namespace) -> str:
    return shlex.join(["chancemeter", *args.typed])


def write_explorer(args: argparse.Namespace) -> int:
    """``chancemeter explore``."""
    target = save(args.output, explore.page(), force=args.force)
    print(f"{printable(target, 200)}: paste a matrix, or choose a CSV; it opens offline")
    if args.open:
        webbrowser.open(target.resolve().as_uri())
    return 0


def draw(args: argparse.Namespace) -> int:
    """``chancemeter plot FILE … -o figure.svg``."""
    form = Path(args.output).suffix.lower().removeprefix(".")
    if form not in {"png", "svg"}:
        fix = "end the name in .png or .svg"
        what = "what kind of figure is to be written?"
        raise InputError(Fault("CM402", what, printable(args.output), fix=fix))
    check(args.output, force=args.force)
    found = read_report(args)
    if args.kind == "critical-difference":
        raw = plots.as_bytes(lambda: _critical_difference(found).plot(), form)
    else:
        raw = plots.drawn(args.kind, {m.name: m.table for m in found.models}, form)
    print(printable(save(args.output, raw, force=args.force), 200))
    return 0


def _critical_difference(found: Report) -> plots.CriticalDifferenceDisplay:
    """Of kappa, with slices as data sets."""
    values: dict[str, dict[str, float]] = {m.name: {} for m in found.models}
    for part in found.parts:
        if part.axis == "slice":
            values[part.model][str(part.entry)] = part.luck.kappa
    if not any(values.values()):
        what = "a critical difference is of models on several data sets"
        raise InputError(Fault("CM402", what, fix="add --by COLUMN, which names the data set"))
    return plots.CriticalDifferenceDisplay(critical_difference(grid(values, measure="kappa")))

"""The command that stops a build."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import chancemeter as cm
from chancemeter.cli.commands import how_sure, needs_grouping, read_tables, reading
from chancemeter.cli.comparing import models_of
from chancemeter.csvfiles import stem
from chancemeter.errors import Fault, InputError, printable
from chancemeter.registry import get
from chancemeter.reports import gate
from chancemeter.reports.findings import models_in
from chancemeter.reports.gate_formats import FORMATS
from chancemeter.reports.saving import check, save
from chancemeter.tables import Table


def check_models(args: argparse.Namespace) -> int:
    """``chancemeter check FILE … --min kappa=0.6``."""
    surely = args.lower_bound
    conditions = [gate.parse(text, "min", surely=surely) for text in args.min]
    conditions += [gate.parse(text, "max", surely=surely) for text in args.max]
    by = get(args.measure)
    if not conditions and not args.baseline and not args.beats:
        fix = "add --min kappa=0.6, --beats FILE or --baseline FILE"
        raise InputError(Fault("CM402", "there is no condition to check", fix=fix))
    sure = how_sure(args)
    given = [*args.files, *args.beats, *([args.baseline] if args.baseline else [])]
    target = check(args.output, force=args.force, read=given) if args.output else None
    tables, notes = _tables(args)
    outcomes = gate.judge(tables, conditions, **sure)
    if args.baseline:
        for name, condition in gate.from_baseline(args.baseline, tables, by.key):
            outcomes += gate.judge({name: tables[name]}, [condition], **sure)
    for other in args.beats:
        for file in args.files:
            outcomes += _beaten(args, file, other, by.key)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    written = FORMATS[args.format](outcomes)
    if target is not None:
        save(target, written, force=args.force)
        written = FORMATS["text"](outcomes)
    print(written, end="")
    if args.format == "github":
        _summarize(FORMATS["md"](outcomes))
    return 0 if all(x.passed for x in outcomes) else 1


def _summarize(text: str) -> None:
    """Add to the summary of a workflow, where there is one."""
    path = os.environ.get("GITHUB_STEP_SUMMARY")
    if not path:
        return
    try:
        with Path(path).open("a", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        what = f"the summary cannot be written: {error.strerror}"
        fix = "unset GITHUB_STEP_SUMMARY, or name a file that can be written"
        raise InputError(Fault("CM009", what, printable(path, 200), fix=fix)) from None


def _tables(args: argparse.Namespace) -> tuple[dict[str, Table], list[str]]:
    """The table of every model in every file, and what should be said of them."""
    tables: dict[str, Table] = {}
    notes: dict[str, None] = {}
    for file in args.files:
        one = argparse.Namespace(**vars(args) | {"file": file, "table": None})
        if not args.matrix and needs_grouping(one):
            found = reading(one)
            known, said = models_in(found), list(found.notes)
        else:
            read = read_tables(one)
            known, said = read.tables, list(read.notes)
        notes.update(dict.fromkeys(said))
        for key, t in known.items():
            name = stem(file) if len(known) == 1 and len(args.files) > 1 else str(key)
            name = f"{stem(file)}: {key}" if len(known) > 1 and len(args.files) > 1 else name
            if name in tables:
                what = f"two models are called {printable(name)}"
                fix = "give each file once; models are called after their files, so rename one"
                raise InputError(Fault("CM402", what, printable(file), fix=fix))
            tables[name] = t
    return tables, list(notes)


def _beaten(
    args: argparse.Namespace, file: str, other: str, measure: str
) -> Iterator[gate.Outcome]:
    """Whether each model of a file is better than each of another."""
    if Path(file) == Path(other):
        fix = "give --beats the predictions of another model"
        raise InputError(Fault("CM402", "no model beats itself", printable(file), fix=fix))
    names = {file: stem(file), other: stem(other)}
    if names[file] == names[other]:
        names = {path: printable(path, 60) for path in names}
    options = {"files": [file, other], "names": names, "table": None}
    source = models_of(argparse.Namespace(**vars(args) | options))
    found = cm.compare(source, [measure], level=args.level)
    for x in found.differences:
        if _of_file(x.first, names[file]) and _of_file(x.second, names[other]):
            yield gate.beaten(x, paired=found.paired)


def _of_file(model: str, name: str) -> bool:
    """Whether a model is called after a file of that name."""
    return model == name or model.startswith(f"{name}: ")

"""The command that sets models side by side."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import chain
from pathlib import Path
from typing import Any

import chancemeter as cm
from chancemeter import csvfiles
from chancemeter.cli.commands import needs_grouping, read_tables, reading
from chancemeter.cli.compared import screen, screen_of_data_sets, screen_of_power
from chancemeter.comparison.compare import USUAL, Comparison
from chancemeter.comparison.data_sets import ComparisonOverDataSets
from chancemeter.comparison.differences import How
from chancemeter.comparison.rows import SameRows, from_reading
from chancemeter.csvfiles import stem
from chancemeter.errors import Fault, InputError, printable, shorten
from chancemeter.figures import json_number
from chancemeter.frames.read import Reading
from chancemeter.outcomes import check_rope, check_share
from chancemeter.tables import Table


def show_comparison(args: argparse.Namespace) -> int:
    """``chancemeter compare FILE …``."""
    measures = [m.key for m in cm.get_all(args.measure or USUAL)]
    options = {key: getattr(args, key) for key in ("method", "level", "draws", "seed")}
    How(**options)  # before any reading: a slip costs nothing
    if args.rope is not None:
        check_rope(args.rope)
    _check_options(args)
    if args.power is not None:
        check_share(args.power, "--power")
    found: Comparison | ComparisonOverDataSets
    needed: list[dict[str, Any]] = []
    if args.by or args.values:
        source, notes = _on_data_sets(args)
        shared = {"control": args.control, "level": args.level, "complete_only": args.complete_only}
        shared |= {"adjustment": args.adjust, "rope": args.rope, "seed": args.seed}
        found = cm.compare_datasets(source, measures, **shared)
        lines = screen_of_data_sets(found)
    else:
        source, notes = _models(args)
        found = cm.compare(source, measures, adjustment=args.adjust, rope=args.rope, **options)
        lines = screen(found)
        if args.power is not None:
            needed = _needed(found, source, args)
            lines = chain(lines, screen_of_power(needed, args.power))
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    whole = found.to_dict() | ({"cases_needed": needed} if needed else {})
    print(json.dumps(whole, allow_nan=False) if args.json else "\n".join(lines))
    return 0


def _needed(found: Comparison, source: Any, args: argparse.Namespace) -> list[dict[str, Any]]:
    """How many cases show differences as large as those that were found."""
    rows = from_reading(source) if isinstance(source, Reading) else source
    known = []
    for x in found.differences:
        pilot = (
            rows.only(rows.names.index(x.first), rows.names.index(x.second))
            if isinstance(rows, SameRows)
            else {name: rows[name] for name in (x.first, x.second)}
        )
        pair = {"first": x.first, "second": x.second}
        try:
            needed = cm.cases_needed(
                x.measure, pilot, power=args.power, level=args.level, seed=args.seed
            )
        except InputError as error:
            why = {"difference": json_number(x.value), "n": None, "why": error.faults[0].what}
            known.append({**pair, "measure": x.measure, **why})
        else:
            known.append({**pair, **needed.to_dict()})
    return known


def _check_options(args: argparse.Namespace) -> None:
    """Refuse what cannot be meant."""
    what = fix = ""
    if not args.files and not args.engine:
        what, fix = "what is to be compared?", "chancemeter compare forest.csv logreg.csv"
    elif (args.by or args.values) and len(args.files) > 1:
        what, fix = "data sets are a column of one file", "leave out --by, or give one file"
    elif (args.control or args.complete_only) and not (args.by or args.values):
        what = "--control and --complete-only are about many data sets"
        fix = "name the column of data sets: --by COLUMN"
    elif args.power is not None and (args.by or args.values):
        what, fix = "--power is about cases, not data sets", "leave --power out"
    elif args.unpaired and (args.by or args.values or args.fold or args.group):
        what = "--unpaired compares whole test sets, without folds, groups or data sets"
        fix = "leave --unpaired out"
    if what:
        raise InputError(Fault("CM402", what, fix=fix))


def _on_data_sets(args: argparse.Namespace) -> tuple[Any, list[str]]:
    """Values of models on data sets, or the tables that have them."""
    args.file, args.matrix = args.files[0] if args.files else None, False
    if not args.values:
        found = reading(args)
        return found, list(found.notes)
    dialect = csvfiles.Dialect(args.encoding, args.delimiter)
    known = [m.key for m in cm.get_all(args.measure)] if args.measure else None
    return csvfiles.read_values(args.file, args.model, args.by, known, dialect)


def _models(args: argparse.Namespace) -> tuple[Any, list[str]]:
    """The models on the same rows, or, if asked for, their tables; and what should be said."""
    args.file = args.files[0] if args.files else None
    args.matrix = False
    if args.unpaired:
        return _apart(args)
    if len(args.files) > 1 and args.id:
        args.predictions = [*args.predictions, *(f"{_name(f, args)}={f}" for f in args.files)]
    elif len(args.files) > 1:
        return _in_order(args)
    if not needs_grouping(args):
        _, columns, notes = csvfiles.read_columns(args.file, args.true, args.pred, **_care(args))
        truth, *others = columns
        if len(others) < 2:
            raise _one_model(args.file)
        return cm.same_rows(columns[truth], {name: columns[name] for name in others}), notes
    found = reading(args)
    return (found if found.patterns is not None else from_reading(found)), list(found.notes)


def same_cases(args: argparse.Namespace) -> SameRows | None:
    """The models of some files case by case, if the files hold the same cases."""
    options = {"unpaired": False, "table": None, "names": getattr(args, "names", None)}
    try:
        found, _ = _models(argparse.Namespace(**vars(args) | options))
    except InputError:
        return None
    return found if isinstance(found, SameRows) else from_reading(found)


def models_of(args: argparse.Namespace) -> SameRows | dict[str, Table]:
    """The models of some files: case by case if they hold the same cases, else a table each."""
    return same_cases(args) or _apart(args)[0]


def _care(args: argparse.Namespace) -> dict[str, Any]:
    return {
        "dialect": csvfiles.Dialect(args.encoding, args.delimiter),
        "missing": args.missing,
        "labels_as": args.labels_as,
    }


def _one_model(path: str) -> InputError:
    what = "a comparison needs two models or more"
    fix = "name two columns, --pred forest --pred tree, or give another file with the same cases"
    return InputError(Fault("CM511", what, printable(path), fix=fix))


def _name(path: str, args: argparse.Namespace) -> str:
    """A model is called after its file, unless it has been given a name."""
    if names := getattr(args, "names", None):
        return str(names[path])
    alike = [f for f in args.files if stem(f) == stem(path)]
    if len(alike) > 1:
        what = f"two models are called {printable(stem(path))}"
        raise InputError(Fault("CM402", what, printable(path), fix="rename one of the files"))
    return stem(path)


def _apart(args: argparse.Namespace) -> tuple[dict[str, Table], list[str]]:
    """A table for each file, whatever its cases."""
    tables: dict[str, Table] = {}
    notes: list[str] = []
    for file in args.files:
        args.file = file
        found = read_tables(args)
        notes += found.notes
        for name, t in found.tables.items():
            title = _name(file, args)
            tables[title if len(found.tables) == 1 else f"{title}: {name}"] = t
    classes = sorted({label for t in tables.values() for label in t.labels}, key=str)
    for name, t in tables.items():
        lacking = [x for x in classes if x not in t.labels]
        if lacking:
            notes.append(f"{printable(name)} has no case of {shorten(lacking)}")
    first, *others = ({*t.labels} for t in tables.values())
    if any(not first & other for other in others):
        saw = " · ".join(shorten(t.labels) for t in tables.values())
        fix = "rename labels that mean the same: --map old=new, --fold-case"
        raise InputError(Fault("CM203", "the models have no class in common", saw=saw, fix=fix))
    return {name: t.reorder(classes) for name, t in tables.items()}, notes


def _in_order(args: argparse.Namespace) -> tuple[SameRows, list[str]]:
    """Files whose rows are the same cases, one after the other; which their truth must bear out."""
    predictions: dict[str, list[Any]] = {}
    truth: list[Any] = []
    notes: dict[str, None] = {}
    for file in args.files:
        if needs_grouping(argparse.Namespace(**{**vars(args), "file": file})):
            what = "rows are matched by their order in plain CSV files up to 5 MB only"
            fix = "add --id COLUMN, which names the case in each file"
            raise InputError(Fault("CM402", what, printable(file), fix=fix))
        _, columns, said = csvfiles.read_columns(file, args.true, args.pred, **_care(args))
        first, *others = columns
        notes.update(dict.fromkeys(said))
        _same_cases(args.files[0], file, truth or columns[first], columns[first])
        truth = columns[first]
        for name in others:
            title = _name(file, args)
            predictions[title if len(others) == 1 else f"{title}: {name}"] = columns[name]
    if len(predictions) < 2:
        raise _one_model(args.files[0])
    return cm.same_rows(truth, predictions), list(notes)


def _same_cases(first: str, file: str, truth: list[Any], other: list[Any]) -> None:
    """Refuse files whose truths differ."""
    what = saw = ""
    if len(truth) != len(other):
        what, saw = "the files hold different cases", f"{len(other):,} rows, not {len(truth):,}"
    elif truth != other:
        row = next(
            i for i, pair in enumerate(zip(truth, other, strict=True), 1) if len(set(pair)) > 1
        )
        what = f"the truth differs from that of {printable(Path(first).name)} in row {row}"
        saw = f"{printable(other[row - 1])}, not {printable(truth[row - 1])}"
    if what:
        fix = "--id COLUMN matches cases by name; --unpaired compares different test sets"
        raise InputError(Fault("CM007", what, printable(file), saw, fix))

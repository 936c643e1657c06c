"""The command that sets models side by side."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chancemeter as cm
from chancemeter import csvfiles
from chancemeter.cli.commands import needs_grouping, read_tables, reading
from chancemeter.comparison.compare import USUAL, Comparison
from chancemeter.comparison.differences import How, signed
from chancemeter.comparison.rows import SameRows, from_reading
from chancemeter.csvfiles import stem
from chancemeter.errors import Fault, InputError, aligned, plural, printable
from chancemeter.figures import number, percent
from chancemeter.intervals.result import in_brackets
from chancemeter.outcomes import Family, p_text
from chancemeter.tables import Table, cases


def show_comparison(args: argparse.Namespace) -> int:
    """``chancemeter compare FILE …``."""
    measures = [m.key for m in cm.get_all(args.measure or USUAL)]
    options = {key: getattr(args, key) for key in ("method", "level", "draws", "seed")}
    How(**options)  # before any reading: a slip costs nothing
    if not args.files and not args.engine:
        fix = "chancemeter compare forest.csv logreg.csv"
        raise InputError(Fault("CM402", "what is to be compared?", fix=fix))
    source, notes = _models(args)
    found = cm.compare(source, measures, adjustment=args.adjust, **options)
    for note in notes:
        print(f"note: {note}", file=sys.stderr)
    if args.json:
        print(json.dumps(found.to_dict(), allow_nan=False))
        return 0
    print("\n".join(_screen(found)))
    return 0


def _models(args: argparse.Namespace) -> tuple[Any, list[str]]:
    """The models on the same rows, or, if asked for, their tables; and what should be said."""
    args.file = args.files[0] if args.files else None
    args.matrix, args.by = False, None
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
    classes = dict.fromkeys(label for t in tables.values() for label in t.labels)
    return {name: t.reorder(sorted(classes, key=str)) for name, t in tables.items()}, notes


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


def _screen(found: Comparison) -> Iterator[str]:
    """What a person reads."""
    if found.paired:
        yield f"{cases(found.tables.counts[0].sum())}, the same for all models"
    else:
        yield f"{plural(len(found.names), 'model')}, each on cases of its own"
    yield ""
    if len(found.names) == 2:
        yield from _two_models(found)
    else:
        yield from _values(found)
        yield ""
        yield from _differences(found)
        yield ""
        yield from _places(found)
    yield from _who_is_right(found)
    for key, family in found.algorithms.items():
        yield f"\n  these algorithms, trained on other samples, by {key} (corrected t over folds)"
        for (a, b), p in family.adjusted.items():
            yield f"    {_names(a, b)}  p {p_text(p)}"
            yield from (f"      note: {note}" for note in family.outcomes[a, b].notes)
    for flip in found.flips:
        yield f"\n  the verdict changes: {printable(flip.sentence, 400)}"
    for x in found.differences:
        yield from (f"  note: {_names(x.first, x.second)}, {x.measure}: {y}" for y in x.notes)
    yield from (f"  note: {note}" for note in found.notes)


def _names(a: str, b: str) -> str:
    return f"{printable(a, 24)} − {printable(b, 24)}"


def _shown(key: str, x: float) -> str:
    return percent(x) if key == "accuracy" else number(x)


def _two_models(found: Comparison) -> Iterator[str]:
    """A line for each measure: both models and their difference, with intervals."""
    level = f"{100 * found.differences[0].level:g}% interval"
    first, second = (printable(name, 24) for name in found.names)
    rows = [["", first, level, second, level, "difference", level, ""]]
    for x in found.differences:
        row = [x.measure]
        for known in found.intervals[x.measure]:
            row += [_shown(x.measure, known.value), in_brackets(known.low, known.high)]
        rows.append([*row, signed(x.value), in_brackets(x.low, x.high), f"p {p_text(x.p)}"])
        if x.measure == "accuracy":
            one, two = (percent(level) for level in cm.get("expected_cohen")(found.tables))
            rows.append(["by chance", one, "", two, "", "", "", ""])
    yield from (f"  {line}" for line in aligned(rows, (0, 2, 4, 6, 7)))


def _values(found: Comparison) -> Iterator[str]:
    """A line for each model, the best by the second measure first."""
    heads, columns = ["model"], [[printable(name, 24) for name in found.names]]
    for key in found.measures:
        heads.append(key)
        columns.append([_shown(key, x.value) for x in found.intervals[key]])
        if key == "accuracy":
            heads.append("by chance")
            columns.append([percent(x) for x in cm.get("expected_cohen")(found.tables)])
    for line in aligned([heads, *map(list, zip(*columns, strict=True))]):
        yield f"  {line}"


def _differences(found: Comparison) -> Iterator[str]:
    """Every two models, a line for each measure."""
    level = f"{100 * found.differences[0].level:g}% interval"
    rows = [["", "", "difference", level, "p", f"by {found.adjustment}"]]
    seen = ""
    order = {name: i for i, name in enumerate(found.names)}
    for x in sorted(found.differences, key=lambda x: (order[x.first], order[x.second])):
        title = _names(x.first, x.second)
        ps = (p_text(p).removeprefix("= ") for p in (x.p, x.adjusted_p))
        limits = in_brackets(x.low, x.high)
        rows.append(["" if title == seen else title, x.measure, signed(x.value), limits, *ps])
        seen = title
    yield from (f"  {line}" for line in aligned(rows, (0, 1, 3)))


def _who_is_right(found: Comparison) -> Iterator[str]:
    """Who alone is right how often."""
    right = found.tests.get("right")
    if isinstance(right, Family):
        yield ""
        for (a, b), cells in found.right.items():
            only = f"Only {printable(a, 24)} right: {cells[0, 1]:,}"
            other = f"only {printable(b, 24)} right: {cells[1, 0]:,}"
            yield f"  {only}; {other} (McNemar mid-p {p_text(right[a, b])})"


def _places(found: Comparison) -> Iterator[str]:
    """A line for each model: its place by each measure, and how sure the first place is."""
    rows = [["place", *found.measures]]
    for i, name in enumerate(found.names):
        row = [printable(name, 24)]
        for ranking in found.rankings:
            sure = "" if ranking.chances is None else f" ({percent(ranking.chances[i, 0])} first)"
            row.append(f"{ranking.ranks[i]:g}{sure}")
        rows.append(row)
    yield from (f"  {line}" for line in aligned(rows))

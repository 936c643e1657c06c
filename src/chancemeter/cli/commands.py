"""What each command does: call the library and print."""

from __future__ import annotations

import argparse
import csv
import json
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import chancemeter as cm
from chancemeter import catalogue, csvfiles, registry, scales
from chancemeter.cli.tests_of_chance import against_chance, print_tests
from chancemeter.counts import as_counts
from chancemeter.errors import Fault, InputError, aligned, did_you_mean, plural, printable
from chancemeter.figures import number, percent
from chancemeter.intervals import over_folds
from chancemeter.intervals.choose import check_method
from chancemeter.outcomes import check_share
from chancemeter.scoring import USUAL, USUAL_OF_CLASSES, Score, Scores, limits
from chancemeter.tables import Table, cases
from chancemeter.verdict import IDEAS, Luck, luck

if TYPE_CHECKING:
    from chancemeter.frames.read import Reading

#: More classes than this are not listed one by one.
_MOST_CLASSES = 20


def show_scores(args: argparse.Namespace) -> int:
    """``chancemeter score FILE [MEASURE …]``."""
    _check_options(args)
    asked = [m.key for m in cm.get_all(args.measures)]  # before any reading: a slip costs nothing
    sure = how_sure(args)
    scale = scales.get(args.words) if args.words else None
    read = read_tables(args, sparse=True)
    for note in read.notes:
        print(f"note: {note}", file=sys.stderr)
    tested = {
        n: against_chance(pooled(t), asked or USUAL, args.draws, args.seed) if args.tests else {}
        for n, t in read.tables.items()
    }
    if args.json:
        wanted = asked or [*USUAL, "expected_majority", *USUAL_OF_CLASSES]
        models = {n: cm.score(t, wanted, **sure).to_dict() for n, t in read.tables.items()}
        for name, known in models.items():
            if args.tests:
                known["tests"] = {key: x.to_dict() for key, x in tested[name].items()}
            if args.chances:
                lucky = luck(pooled(read.tables[name]), interval=None)
                known["ideas_of_chance"] = lucky.to_dict()["ideas_of_chance"]
        print_json({"chancemeter": cm.__version__, "models": models})
        return 0
    # Everything is worked out before anything is printed: what fails says nothing else.
    screens = [
        (
            luck(pooled(t), printable(name), **sure | {"interval": sure["interval"] and "default"}),
            cm.score(t, asked or USUAL, **sure),
            cm.score(t, [] if asked else USUAL_OF_CLASSES),
            scale and cm.score(t, [scale.measure]),
            tested[name],
        )
        for name, t in read.tables.items()
    ]
    for i, (lucky, scores, of_classes, worded, tests) in enumerate(screens):
        print("\n" * bool(i), end="")
        _print_head(lucky, scores, whole=not asked, chances=args.chances)
        _print_scores(scores)
        if not asked:
            _print_classes(of_classes)
        if tests:
            print_tests(tests)
        if scale and worded:
            _print_words(scale, worded)
    if not asked:
        print("\n  chancemeter explain NAME says what a measure means", end="")
        print("" if args.chances else "; --chances shows other ideas of chance")
    return 0


def _print_head(lucky: Luck, scores: Scores, *, whole: bool, chances: bool) -> None:
    """What is scored, and how much of the accuracy is luck."""
    t = scores.table
    print(f"{lucky.name}: {cases(t.total)}, {plural(t.k, 'class', 'classes')}")
    if whole:
        _print_luck(lucky)
    if chances:
        _print_ideas(lucky)


def pooled(t: Any) -> Any:
    """Without an axis of folds: what is said of all cases together."""
    return t.pool("fold") if isinstance(t, Table) and "fold" in t.axes else t


def how_sure(args: argparse.Namespace) -> dict[str, Any]:
    """The options of intervals as `chancemeter.score` takes them."""
    if args.interval == "none":
        return {"interval": None}
    check_method(args.interval)
    check_share(args.level, "--level")
    options = {"level": args.level, "draws": args.draws, "seed": args.seed}
    return {"interval": args.interval, **options}


def _check_options(args: argparse.Namespace) -> None:
    """Refuse what cannot be meant."""
    if args.engine and args.file:  # then the first word is a measure already
        args.measures, args.file = [args.file, *args.measures], None
    if not args.file and not args.engine:
        fix = "chancemeter score FILE; chancemeter score --help shows the rest"
        raise InputError(Fault("CM402", "what is to be scored?", fix=fix))
    if args.engine and not args.table:
        raise InputError(Fault("CM402", "--engine needs --table", fix="add --table NAME"))
    if args.table and not args.engine:
        raise InputError(Fault("CM402", "--table is in an engine", fix="add --engine URL"))
    if args.predictions and not args.id:
        what, fix = "files are matched by an id", "add --id COLUMN, which all of them have"
        raise InputError(Fault("CM402", what, fix=fix))
    if args.rows and not args.matrix:
        fix = "add --matrix, or leave --rows out"
        raise InputError(Fault("CM402", "--rows is about a matrix", fix=fix))
    of_labels = [args.true, args.pred, args.model, args.by, args.fold, args.group, args.weight]
    of_labels += [args.id, args.predictions, args.fold_case, args.tidy, args.map, args.engine]
    if args.matrix and (any(of_labels) or args.missing != "error" or args.glob):
        fix = "leave --matrix out for a file of labels"
        raise InputError(Fault("CM402", "a matrix has no columns of labels", fix=fix))


def read_tables(args: argparse.Namespace, *, sparse: bool = False) -> csvfiles.Predictions:
    """The tables that the options ask for, by name, and what should be said of them.

    `sparse` lets tables through of which only the cells that occur are kept.
    """
    dialect = csvfiles.Dialect(args.encoding, args.delimiter)
    if args.matrix:
        t = csvfiles.read_matrix(args.file, args.rows, dialect)
        return csvfiles.Predictions({csvfiles.stem(args.file): t}, [f"rows read as {args.rows}"])
    if not needs_grouping(args):
        return csvfiles.read_predictions(
            args.file,
            args.true,
            args.pred,
            dialect=dialect,
            missing=args.missing,
            labels_as=args.labels_as,
            max_classes=args.max_classes,
        )
    return _read_groups(args, sparse=sparse)


#: Plain CSV files up to this size are read without any further component.
_SMALL_FILE = 5_000_000


def needs_grouping(args: argparse.Namespace) -> bool:
    """Whether the file or the options ask for more than a small CSV of labels."""
    options = (args.by, args.fold, args.group, args.weight, args.model, args.map, args.glob)
    more = (args.id, args.predictions, args.fold_case, args.tidy, args.engine, args.max_rows)
    if any(options) or any(more) or args.order:
        return True
    path = Path(args.file)
    if args.file == "-" or not path.is_file():
        return False
    return path.suffix.lower() not in {".csv", ".txt", ""} or path.stat().st_size > _SMALL_FILE


def reading(args: argparse.Namespace) -> Reading:
    """Everything that the options ask for, with all axes."""
    from chancemeter.cli.progress import meter
    from chancemeter.cli.sources import source_of
    from chancemeter.frames.read import read

    renamed = dict(_old_and_new(text) for text in args.map)
    source, options = source_of(args)
    shown = None if args.engine else meter()
    if shown:
        options["progress"] = shown
    try:
        return read(
            source,
            true=args.true,
            predicted=args.pred or None,
            fold=args.fold,
            group=args.group,
            by=args.by,
            model=args.model,
            weight=args.weight,
            labels=next(csv.reader([args.order])) if args.order else None,
            rename=renamed,
            missing=args.missing,
            fold_case=args.fold_case,
            tidy=args.tidy,
            labels_as="number" if args.labels_as == "number" else "read",
            **options,
        )
    finally:
        if shown:
            shown.done()


def _read_groups(args: argparse.Namespace, *, sparse: bool) -> csvfiles.Predictions:
    found = reading(args)
    tables: dict[str, Any] = {}
    over = getattr(args, "interval", None) in over_folds.WAYS  # folds are kept where they count
    for name, t in found.sections(groups=not over, folds=over).items():
        if t.k > args.max_classes or not (sparse or isinstance(t, Table)):
            where = str(args.file or args.table)
            saw = f"a limit of {args.max_classes:,} classes"
            fix = "check which columns hold the labels; "
            fix += f"if there really are {t.k:,}, chancemeter score --max-classes {t.k}"
            raise InputError(Fault("CM105", f"{t.k:,} classes", where, saw, fix))
        tables[name] = t
    many = [
        f"{t.k:,} classes: intervals that need every cell, or many draws, are left out"
        for t in tables.values()
        if not isinstance(t, Table)
    ]
    return csvfiles.Predictions(tables, [*found.notes, *many])


def _old_and_new(text: str) -> tuple[str, str]:
    old, equals, new = text.partition("=")
    if not equals:
        fix = "write --map old=new"
        raise InputError(Fault("CM402", f"--map {printable(text)} names no new label", fix=fix))
    return old, new


def print_json(document: Any) -> None:
    """One line of JSON, in which nothing is nan."""
    print(json.dumps(document, allow_nan=False))


def _print_luck(found: Luck) -> None:
    if bar := found.bar():
        print(f"\n{bar}")
    print(f"\n  {found.verdict}")
    for told in (found.doubt, found.warning):
        print(f"  {told}\n" * bool(told), end="")


def _print_ideas(found: Luck) -> None:
    print("\n  the same accuracy under six ideas of chance")
    rows = [("", "by chance", "beyond it", "")]
    rows += [
        (key, percent(level), number(beyond), IDEAS[key])
        for key, (level, beyond) in found.ideas.items()
    ]
    _print_rows(rows, text=(0, 3))


def _print_scores(scores: Scores) -> None:
    of_classes = [key for key, x in scores.scores.items() if x.measure.card.level == "class"]
    rows = [
        (key, *_shown(x), x.undefined.sentence if x.undefined else limits(x)[0])
        for key, x in scores.scores.items()
        if key not in of_classes
    ]
    if rows:
        print()
        head = ("measure", f"{'value':>10}", _interval_head(scores))
        _print_rows([head, *rows], text=(0, 2))
    if of_classes:
        _print_classes(scores, of_classes)
    for note in scores.notes:
        print(f"  note: {note}")


def _interval_head(scores: Scores) -> str:
    """Over a column of intervals, what they are."""
    levels = {x.interval.level for x in scores.scores.values() if x.interval}
    return "".join(f"{100 * level:g}% interval" for level in levels)


def _print_classes(scores: Scores, keys: list[str] | None = None) -> None:
    """A line for each class: all of them, or those that are most often true."""
    keys, t = keys or list(scores), scores.table
    shown: Iterable[int] = range(t.k)
    if t.k > _MOST_CLASSES:
        most = np.argsort(-as_counts(t).truth, kind="stable")[:_MOST_CLASSES]
        shown = sorted(most.tolist())
    heads, columns, sure = ["class"], [], _interval_head(scores)
    for key in keys:
        heads += [f"{key:>9}", sure] if sure else [f"{key:>9}"]
        columns += [_shown(scores.scores[key])]
        columns += [limits(scores.scores[key])] if sure else []
    rows = [(printable(t.labels[i], 24), *(column[i] for column in columns)) for i in shown]
    print()
    _print_rows([tuple(heads), *rows], text=(0, *(i for i, x in enumerate(heads) if x == sure)))
    if t.k > _MOST_CLASSES:
        print(f"  the {_MOST_CLASSES} most frequent of {t.k:,} classes; --json has all")


def _print_rows(rows: Iterable[tuple[str, ...]], text: Sequence[int] = (0,)) -> None:
    """In columns, those of `text` to the left."""
    for line in aligned(list(rows), text):
        print(f"  {line}")


def _shown(score: Score) -> list[str]:
    """The values of a measure in print; counts as counts."""
    values = score.value if isinstance(score.value, list) else [score.value]
    if score.measure.card.range[1] == np.inf and all(x == np.floor(x) < np.inf for x in values):
        return [f"{x:,.0f}" for x in values]
    return [number(x) for x in values]


def _print_words(scale: scales.Scale, scores: Scores) -> None:
    values = np.atleast_1d(scores[scale.measure]).tolist()
    of = [f" of {printable(x, 24)}" for x in scores.table.labels] if len(values) > 1 else [""]
    print()
    for which, value in zip(of, values, strict=True):
        if np.isnan(value):
            print(f"  {scale.measure}{which} is undefined")
        else:
            print(f"  {scale.measure}{which} {number(value)} is “{scale.word(value)}”")
    print(f"  in the words of {scale.title}; such scales are somewhat arbitrary")


def show_measures(args: argparse.Namespace) -> int:
    """``chancemeter measures``."""
    found = catalogue.search(
        args.word, family=args.family, level=args.level, source=args.source, like=args.like
    )
    if args.json:
        print_json([catalogue.describe(m) for m in found])
        return 0
    width = max((len(m.key) for m in found), default=0)
    family = ""
    for m in found:
        if m.family != family:
            family = m.family
            print(f"\n{family}")
        line = f"  {m.key:{width}}  {m.summary}"
        print(textwrap.fill(line, 100, subsequent_indent=" " * (width + 4)))
    hint = "chancemeter explain NAME says more"
    if not found and args.word:
        hint = did_you_mean(args.word, registry.known(), "chancemeter measures lists them all")
    print(f"\n{len(found)} of {len(list(cm.every()))} measures; {hint}")
    return 0


def show_explanation(args: argparse.Namespace) -> int:
    """``chancemeter explain NAME``."""
    print(catalogue.explain_chance() if args.name == "chance" else catalogue.explain(args.name))
    return 0

"""What each command does: call the library and print."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable

import chancemeter as cm
from chancemeter import catalogue, csvfiles, scales
from chancemeter.errors import Fault, InputError, printable
from chancemeter.scoring import USUAL, USUAL_OF_CLASSES, Scores, number, percent
from chancemeter.tables import Table
from chancemeter.verdict import IDEAS, Luck, luck


def show_scores(args: argparse.Namespace) -> int:
    """``chancemeter score FILE [MEASURE …]``."""
    if args.rows and not args.matrix:
        fix = "add --matrix, or leave --rows out"
        raise InputError(Fault("CM402", "--rows is about a matrix", fix=fix))
    measures = args.measures or list(USUAL)
    found = cm.get_all(measures)  # before any reading: a typing error should cost nothing
    scale = scales.get(args.words) if args.words else None
    read = _read(args)
    if args.json:
        models = {
            name: cm.score(t, _json_measures(args.measures)).to_dict()
            for name, t in read.tables.items()
        }
        document = {"chancemeter": cm.__version__, "models": models}
        print(json.dumps(document, ensure_ascii=False))
        _say(read.notes)
        return 0
    _say(read.notes)
    for i, (name, t) in enumerate(read.tables.items()):
        print("\n" * bool(i), end="")
        print(f"{printable(name)}: {_count(t.total)}, {t.k} classes")
        if not args.measures:
            _print_luck(luck(t, printable(name)))
        if args.chances:
            _print_ideas(luck(t))
        _print_scores(cm.score(t, [m.key for m in found]))
        if not args.measures:
            _print_classes(cm.score(t, USUAL_OF_CLASSES), t)
        if scale:
            value = cm.score(t, [scale.measure])[scale.measure]
            print(f"\n  {scale.measure} {number(value)} is “{scale.word(value)}” on the scale of")
            print(f"  {scale.title}; such scales are somewhat arbitrary.")
    return 0


def _json_measures(asked: list[str]) -> list[str]:
    return asked or [*USUAL, "expected_majority", *USUAL_OF_CLASSES]


def _read(args: argparse.Namespace) -> csvfiles.Predictions:
    dialect = csvfiles.Dialect(args.encoding, args.delimiter)
    if args.matrix:
        t = csvfiles.read_matrix(args.file, args.rows, dialect)
        return csvfiles.Predictions({_stem(args.file): t}, [f"rows read as {args.rows}"])
    return csvfiles.read_predictions(
        args.file,
        args.true,
        args.pred,
        dialect=dialect,
        missing=args.missing,
        labels_as=args.labels_as,
        max_classes=args.max_classes,
    )


def _stem(path: str) -> str:
    from pathlib import Path

    return Path(path).stem


def _say(notes: Iterable[str]) -> None:
    for note in notes:
        print(f"note: {note}", file=sys.stderr)


def _count(total: float) -> str:
    return f"{total:,} cases" if isinstance(total, int) else f"cases of total weight {total:,.6g}"


def _plain() -> bool:
    """Whether the terminal can draw blocks."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        "░█·“”κ".encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return True
    return False


def _print_luck(found: Luck) -> None:
    print(f"\n{found.bar(plain=_plain())}\n")
    print(f"  {found.verdict}")
    if found.warning:
        print(f"  {found.warning}")


def _print_ideas(found: Luck) -> None:
    print("\n  the same accuracy under six ideas of chance")
    print(f"  {'':10}{'by chance':>10}{'beyond it':>11}")
    for key, (level, beyond) in found.ideas.items():
        print(f"  {key:10}{percent(level):>10}{number(beyond):>11}  {IDEAS[key]}")


def _print_scores(scores: Scores) -> None:
    lines = [
        (key, score) for key, score in scores.scores.items() if score.measure.card.level == "table"
    ]
    width = max((len(key) for key, _ in lines), default=0)
    if lines:
        print(f"\n  {'measure':{width}}  {'value':>10}")
    for key, score in lines:
        why = f"   {score.undefined.sentence}" if score.undefined else ""
        print(f"  {key:{width}}  {number(score.value):>10}{why}")
    of_classes = [
        key for key, score in scores.scores.items() if score.measure.card.level == "class"
    ]
    if of_classes:
        _print_classes(scores, scores.table, of_classes)


def _print_classes(scores: Scores, t: Table, keys: list[str] | None = None) -> None:
    keys = keys or list(scores)
    labels = [printable(label, 24) for label in t.labels]
    width = max(5, *map(len, labels))
    widths = [max(len(key), 9) for key in keys]
    print(
        f"\n  {'class':{width}}" + "".join(f"  {k:>{w}}" for k, w in zip(keys, widths, strict=True))
    )
    shown = range(t.k) if t.k <= 40 else [*range(20), *range(t.k - 20, t.k)]
    for place, i in enumerate(shown):
        if place == 20 and t.k > 40:
            print(f"  … {t.k - 40} more classes (--json has all)")
        cells = "".join(f"  {number(scores[k][i]):>{w}}" for k, w in zip(keys, widths, strict=True))
        print(f"  {labels[i]:{width}}{cells}")


def show_measures(args: argparse.Namespace) -> int:
    """``chancemeter measures``."""
    found = catalogue.search(
        args.word, family=args.family, level=args.level, source=args.seed, like=args.like
    )
    if args.json:
        print(json.dumps([catalogue.describe(m) for m in found], ensure_ascii=False, indent=2))
        return 0
    width = max((len(m.key) for m in found), default=0)
    family = ""
    for m in found:
        if m.family != family:
            family = m.family
            print(f"\n{family}")
        print(f"  {m.key:{width}}  {m.summary}")
    print(f"\n{len(found)} of {len(list(cm.every()))} measures; chancemeter explain NAME says more")
    return 0


def show_explanation(args: argparse.Namespace) -> int:
    """``chancemeter explain NAME``."""
    print(catalogue.explain_chance() if args.name == "chance" else catalogue.explain(args.name))
    return 0

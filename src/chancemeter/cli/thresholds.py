"""The commands that choose a threshold and apply it."""

from __future__ import annotations

import argparse
import csv
import io
import json
import math
import sys
from pathlib import Path

import chancemeter as cm
from chancemeter.cli.curves import read_curves
from chancemeter.counts import Array
from chancemeter.csvfiles import Dialect, read_rows
from chancemeter.curves.make import SCORE_NAMES
from chancemeter.curves.thresholds import Threshold, best_threshold, from_dict
from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted, shorten
from chancemeter.reports.saving import check, save


def choose_threshold(args: argparse.Namespace) -> int:
    """``chancemeter threshold choose SCORES``."""
    if args.output:
        check(args.output, force=args.force)
    at_least = dict(map(_condition, args.at_least))
    for name in (args.measure, *at_least):
        cm.get(name)  # before any reading: a slip costs nothing
    curves = read_curves(args)
    if len(curves) > 1:
        fix = "name one column: --score COLUMN"
        raise InputError(Fault("CM402", "a threshold is of one score", fix=fix))
    (c,) = curves.values()
    for note in c.notes:
        print(f"note: {printable(note, 500)}", file=sys.stderr)
    chosen = best_threshold(
        c,
        args.measure,
        cost=_cost(args.cost),
        prevalence=args.prevalence,
        at_least=at_least,
        used=args.used,
        level=args.level,
        draws=args.draws,
        seed=args.seed,
    )
    text = json.dumps(chosen.to_dict(), indent=1, ensure_ascii=False) + "\n"
    if args.output:
        save(args.output, text, force=args.force)
    print(text if args.json else chosen, end="" if args.json else "\n")
    if args.output and not args.json:
        print(f"written to {printable(args.output, 200)}")
    return 0


def _condition(text: str) -> tuple[str, float]:
    """``recall=0.9``."""
    name, _, least = text.rpartition("=")
    try:
        if name and math.isfinite(float(least)):
            return name, float(least)
    except ValueError:
        pass
    what, fix = f"{quoted(text)} is no condition", "such as --at-least recall=0.9"
    raise InputError(Fault("CM402", what, fix=fix))


def _cost(text: str | None) -> tuple[float, float] | None:
    """``1:5``: of a false positive and of a false negative."""
    if text is None:
        return None
    try:
        one, other = map(float, text.split(":"))
    except ValueError:
        what = f"{quoted(text)} are no two costs"
        fix = "of a false positive and a false negative, such as --cost 1:5"
        raise InputError(Fault("CM402", what, fix=fix)) from None
    return one, other


def apply_threshold(args: argparse.Namespace) -> int:
    """``chancemeter threshold apply CHOSEN SCORES``."""
    if args.output:
        check(args.output, force=args.force)
    chosen = _chosen(args.chosen)
    dialect = Dialect(args.encoding, args.delimiter)
    lines, (header, *rows) = read_rows(args.file, dialect)
    at = _score_column(args, header)
    if args.name in header:
        what = f"there is a column {quoted(args.name)} already"
        raise InputError(Fault("CM402", what, args.file, fix="--name gives the new one another"))
    called = chosen.apply(_numbers(args.file, header[at], lines[1:], [row[at] for row in rows]))
    text = io.StringIO(newline="")
    writer = csv.writer(text, delimiter=dialect.delimiter, lineterminator="\n")
    writer.writerow([*header, args.name])
    writer.writerows([*row, label] for row, label in zip(rows, called.tolist(), strict=True))
    if args.output:
        save(args.output, text.getvalue(), force=args.force)
    else:
        print(text.getvalue(), end="")
    positive = int((called == chosen.labels[0]).sum())
    said = f"{positive:,} of {len(rows):,} cases are called {printable(chosen.labels[0])}"
    print(f"note: {said}", file=sys.stderr)
    return 0


def _chosen(path: str) -> Threshold:
    try:
        given = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        what = f"the chosen threshold cannot be read: {getattr(error, 'strerror', None) or error}"
        fix = "give the file that `chancemeter threshold choose … -o FILE` wrote"
        raise InputError(Fault("CM609", what, printable(path, 200), fix=fix)) from None
    return from_dict(given, printable(path, 200))


def _score_column(args: argparse.Namespace, header: list[str]) -> int:
    """Where the scores are."""
    saw = f"columns: {shorten(header, 12)}"
    if args.score is not None:
        if args.score in header:
            return header.index(args.score)
        what = f"no column named {quoted(args.score)} (asked for as --score)"
        fix = did_you_mean(args.score, header, "--score one of these")
        raise InputError(Fault("CM101", what, args.file, saw, fix))
    plain = [x.strip().lower() for x in header]
    found = [plain.index(x) for x in SCORE_NAMES if x in plain]
    if not found:
        fix = "name it: --score COLUMN"
        raise InputError(Fault("CM101", "which column holds scores?", args.file, saw, fix))
    return found[0]


def _numbers(path: str, name: str, lines: list[int], texts: list[str]) -> Array:
    """Finite numbers; the first line that holds none is told."""
    import numpy as np

    values = np.empty(len(texts))
    for i, text in enumerate(texts):
        try:
            values[i] = float(text)
        except ValueError:
            values[i] = math.nan
        if not math.isfinite(values[i]):
            what = f"{quoted(text)} in column {quoted(name)} is no score"
            fix = "mend or leave out this row; a decision needs a number"
            raise InputError(Fault("CM006", what, f"{path}:{lines[i]}", fix=fix))
    return values

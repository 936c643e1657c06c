"""The command that looks at every threshold of a score."""

from __future__ import annotations

import argparse
import sys
import textwrap
from typing import Any

import numpy as np

import chancemeter as cm
from chancemeter.cli.commands import print_json
from chancemeter.csvfiles import stem
from chancemeter.curves.bands import Band, band
from chancemeter.curves.curve import Curve
from chancemeter.curves.make import curve as make_curve
from chancemeter.curves.pictures import trace
from chancemeter.curves.spaces import Conditions, space_of
from chancemeter.curves.told import SCALARS, Told, limits_of, summed_up, tell
from chancemeter.errors import Fault, InputError, aligned, plural, printable
from chancemeter.figures import json_number, number, percent
from chancemeter.intervals.result import in_brackets
from chancemeter.outcomes import check_share
from chancemeter.reports.saving import check, save
from chancemeter.tables import cases


def show_curves(args: argparse.Namespace) -> int:
    """``chancemeter curve SCORES``."""
    cm.get(args.measure)  # before any reading: a slip costs nothing
    if args.iso:
        cm.get(args.iso)
    check_share(args.level, "--level")
    targets = [
        (check(path, force=args.force, read=[args.file] if args.file else []), form)
        for path, form in ((args.png, "png"), (args.svg, "svg"))
        if path
    ]
    curves = read_curves(args)
    told = {name: tell(c, args.threshold, args.measure) for name, c in curves.items()}
    for name, c in curves.items():
        for note in c.notes:
            print(f"note: {printable(name)}: {note}", file=sys.stderr)
    bands = _bands(args, curves) if args.json or targets else {}
    drawn = [(path, _drawn(args, curves, told, bands, form)) for path, form in targets]
    for path, raw in drawn:
        save(path, raw, force=args.force)
    if args.json:
        print_json(_as_dict(args, curves, told, bands))
        return 0
    for i, name in enumerate(curves):
        print("\n" * bool(i), end="")
        print_summary(name, curves[name], told[name], args.level)
    for path, _ in drawn:
        print(f"\nThe picture: {printable(path, 200)}")
    return 0


def read_curves(args: argparse.Namespace) -> dict[str, Curve]:
    """A curve for each column of scores, by what to call it."""
    if bool(args.file) == bool(args.engine):
        fix = "give a file, or --engine URL --table NAME"
        raise InputError(Fault("CM402", "what is to be looked at?", fix=fix))
    if bool(args.engine) != bool(args.table):
        raise InputError(Fault("CM402", "--engine and --table go together", fix="give both"))
    options: dict[str, Any] = {"missing": args.missing}
    if args.engine:
        from chancemeter.frames.engines import connect

        source: Any = connect(args.engine, args.table)
    else:
        source = args.file
        options |= {"encoding": args.encoding, "glob": args.glob}
        options |= {} if args.delimiter == "," else {"delimiter": args.delimiter}
    found = {}
    for score in args.score or [None]:
        c = make_curve(
            source,
            score,
            true=args.true,
            positive=args.positive,
            weights=args.weight,
            groups=args.group,
            direction="<=" if args.low else ">=",
            **options,
        )
        found[score if len(args.score) > 1 else stem(args.file or args.table)] = c
    return found


def _bands(args: argparse.Namespace, curves: dict[str, Curve]) -> dict[str, Band]:
    """A band around each curve, where one is wanted and can be had."""
    found = {}
    for name, c in curves.items():
        if args.band == "none":
            continue
        try:
            found[name] = band(
                c, args.space, args.band, level=args.level, draws=args.draws, seed=args.seed
            )
        except InputError as error:
            if error.faults[0].code != "CM653":
                raise
            print(f"note: {printable(name)}: no band: {error.faults[0].what}", file=sys.stderr)
    return found


def _drawn(
    args: argparse.Namespace,
    curves: dict[str, Curve],
    told: dict[str, Told],
    bands: dict[str, Band],
    form: str,
) -> bytes:
    from chancemeter.curve_plots import DISPLAYS
    from chancemeter.plots import as_bytes

    marks = {
        name: {"best": x.chosen.threshold} | ({"in use": x.in_use} if x.in_use is not None else {})
        for name, x in told.items()
    }
    display = DISPLAYS[args.space](curves, bands, marks)
    return as_bytes(lambda: display.plot(iso=args.iso, hull=args.hull), form)


def _as_dict(
    args: argparse.Namespace,
    curves: dict[str, Curve],
    told: dict[str, Told],
    bands: dict[str, Band],
) -> dict[str, Any]:
    models = {
        name: summed_up(c, told[name])
        | {
            "curve": points(c, args.space),
            "band": bands[name].to_dict() if name in bands else None,
        }
        for name, c in curves.items()
    }
    return {"chancemeter": cm.__version__, "space": args.space, "models": models}


def points(c: Curve, key: str) -> dict[str, Any]:
    """A curve in a space: enough points to draw it, and how far these are off."""
    space = space_of(key)
    if isinstance(space, Conditions):
        x, y = space.of(c.hull.stack)
        return {"x": _numbers(x), "y": _numbers(y)}
    kept = trace(c)
    x, y = space.of(c.stack[kept.places])
    thresholds = _numbers(c.thresholds[kept.places])
    return {
        "threshold": thresholds, "x": _numbers(x), "y": _numbers(y), "off": kept.error
    }  # fmt: skip


def _numbers(values: Any) -> list[Any]:
    return [json_number(float(v)) for v in np.asarray(values)]


def print_summary(name: str, c: Curve, told: Told, level: float = 0.95) -> None:
    """A few lines that say what the ranking and the threshold are worth."""
    label = printable(repr(c.labels[0]), 40)
    way = "high" if c.direction == ">=" else "low"
    print(
        f"{printable(name)}: {cases(c.total)}, {percent(c.prevalence)} of them {label}, "
        f"{plural(len(c) - 1, 'distinct score')}; {way} scores mean {label}\n"
    )
    rows = [
        [f"  {says}", number(float(getattr(c, key))), _sure(c, key, level), _beside(c, key)]
        for key, says in SCALARS.items()
        if key != "auk_max"
    ]
    print(*aligned(rows, left=(0, 2, 3)), sep="\n")
    best = told.chosen
    worth = f"{number(best.value)} here, about {number(best.honest)} on other cases"
    sure = in_brackets(best.low, best.high)
    print(f"\n  {best.goal} is best at threshold {best.threshold:.6g} {sure}: {worth}")
    (tp, fn), (fp, tn) = best.table.counts.tolist()
    shown = [f"{x:,.6g}" for x in (tp, fn, fp, tn)]
    print(
        f"    {shown[0]} found, {shown[1]} missed, {shown[2]} false alarms, {shown[3]} rightly left"
    )
    if told.in_use is not None:
        print(f"  at threshold {told.in_use:.6g} it is {number(told.value_in_use)}")
    if told.sentence:
        print("\n" + textwrap.fill(told.sentence, 96, initial_indent="  ", subsequent_indent="  "))


def _sure(c: Curve, key: str, level: float) -> str:
    found = limits_of(c, key, level)
    return in_brackets(*found) if found else ""


def _beside(c: Curve, key: str) -> str:
    """What a number is to be held against."""
    if key == "auk":
        share = c.auk / c.auk_max if c.auk_max else float("nan")
        return (
            f"of at most {number(c.auk_max)} at {percent(c.prevalence)} positives: {percent(share)}"
        )
    return {
        "auc": "guessing gives 0.500",
        "average_precision": f"guessing gives {number(c.prevalence)}",
    }.get(key, "")

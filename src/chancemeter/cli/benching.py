"""The commands that run experiments."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np

import chancemeter as cm
from chancemeter.cli.progress import CellMeter
from chancemeter.errors import Fault, InputError, aligned, plural, printable
from chancemeter.experiments.cell import Result
from chancemeter.experiments.grid import Failure, Grid
from chancemeter.experiments.merge import Status, merge, status
from chancemeter.experiments.plan import Loaded, load, read_plan
from chancemeter.experiments.run import How, Summary, run_plan
from chancemeter.experiments.store import Done, Store
from chancemeter.figures import number

#: Failures that are shown one by one.
_SHOWN = 8


def run(args: argparse.Namespace) -> int:
    """``chancemeter bench run PLAN.toml``."""
    loaded = load(read_plan(args.plan))
    folder = Path(args.out) if args.out else loaded.plan.folder or Path("results")
    how = How(args.jobs, args.backend, args.address, args.shard, args.retry_failed)
    if not args.quiet:
        print(_size(loaded))
    running = None if args.quiet else _Running(loaded)
    try:
        found = run_plan(loaded, folder, how, running)
    finally:
        if running is not None:
            running.meter.done()
    again = shlex.join(["chancemeter", *args.typed])
    if found.stopped and found.left:
        print(f"stopped: {_so_far(found)}\n  go on with: {again}", file=sys.stderr)
        return 130
    if not args.quiet:
        print("\n".join(_screen(found, folder)))
    elif found.failed:
        print("\n".join(_failures(Grid.from_store(folder))), file=sys.stderr)
    return 0


def no_command(args: argparse.Namespace) -> int:
    """``chancemeter bench`` alone."""
    del args
    fix = "chancemeter bench run PLAN.toml (or check, status, show, merge)"
    raise InputError(Fault("CM402", "what is to be done?", fix=fix))


def check(args: argparse.Namespace) -> int:
    """``chancemeter bench check PLAN.toml``."""
    loaded = load(read_plan(args.plan))
    print(_size(loaded))
    rows = [["data set", "cases", "attributes", "classes"]]
    for one in loaded.data:
        sizes = (one.n, len(one.attributes), len(one.labels))
        rows.append([printable(one.name, 30), *(f"{n:,}" for n in sizes)])
    print(*(f"  {line}" for line in aligned(rows)), sep="\n")
    return 0


def show_status(args: argparse.Namespace) -> int:
    """``chancemeter bench status FOLDER``."""
    found = status(args.folder)
    if args.json:
        print(json.dumps(_as_json(found)))
        return 0
    done, failed = sum(found.done.values()), sum(found.failed.values())
    print(f"{done:,} of {plural(found.cells, 'cell')} done, {failed:,} failed")
    rows = [["done", *(printable(c, 16) for c in found.classifiers)]]
    for name in found.datasets:
        cells = [
            f"{found.done.get((name, c), 0)}/{found.folds.get(name, 0)}" for c in found.classifiers
        ]
        rows.append([printable(name, 24), *cells])
    print(*(f"  {line}" for line in aligned(rows)), sep="\n")
    print("".join(f"{line}\n" for line in _failures(Grid.from_store(args.folder))), end="")
    return 0


def _as_json(found: Status) -> dict[str, object]:
    pairs = [(d, c) for d in found.datasets for c in found.classifiers]
    return {
        "cells": found.cells,
        "done": sum(found.done.values()),
        "failed": sum(found.failed.values()),
        "parts": [
            {
                "dataset": d,
                "classifier": c,
                "cells": found.folds.get(d, 0),
                "done": found.done.get((d, c), 0),
                "failed": found.failed.get((d, c), 0),
            }
            for d, c in pairs
        ],
    }


def merge_folders(args: argparse.Namespace) -> int:
    """``chancemeter bench merge INTO FROM …``."""
    found = merge(args.folder, args.others)
    done, failed = sum(found.done.values()), sum(found.failed.values())
    print(f"{done:,} of {plural(found.cells, 'cell')} done, {failed:,} failed")
    return 0


def _size(loaded: Loaded) -> str:
    """How large a plan is."""
    data, classifiers = len(loaded.data), len(loaded.plan.classifiers)
    cells = sum(map(len, loaded.splits)) * classifiers
    design = loaded.plan.design
    size = f"{plural(data, 'data set')} × {plural(classifiers, 'classifier')}"
    return f"{size}, {design.kind}: {plural(cells, 'cell')}"


class _Running:
    """Keeps the results so far, for the line that is shown while cells are run."""

    def __init__(self, loaded: Loaded) -> None:
        self.meter = CellMeter(sys.stderr)
        self._names = {c.digest: c.name for c in loaded.plan.classifiers}
        self._sizes = {d.fingerprint: len(d.labels) for d in loaded.data}
        self._sum: Counter[str] = Counter()
        self._n: Counter[str] = Counter()

    def __call__(self, done: int, cells: int, result: Result) -> None:
        """A cell is done."""
        outcome = result.outcome
        if isinstance(outcome, Done):
            k = self._sizes[outcome.key.dataset] + len(outcome.strange)
            table = np.zeros((k, k))
            for truth, predicted, n in outcome.counts:
                table[truth, predicted] = n
            value = float(cm.kappa(table))
            if not np.isnan(value):
                name = self._names[outcome.key.classifier]
                self._sum[name] += value  # type: ignore[assignment]
                self._n[name] += 1
        self.meter(done, cells, self._so_far)

    def _so_far(self) -> str:
        """Mean kappa of each classifier, the best first."""
        means = {name: self._sum[name] / n for name, n in self._n.items()}
        best = sorted(means.items(), key=lambda x: -x[1])[:3]
        return "kappa so far: " + ", ".join(f"{printable(n, 16)} {x:.2f}" for n, x in best)


def _so_far(found: Summary) -> str:
    done = found.before + found.done
    return f"{done:,} of {plural(found.cells, 'cell')} are done, {found.left:,} are left"


def _screen(found: Summary, folder: Path) -> Iterator[str]:
    """What a person reads when all is done."""
    before = f" ({found.before:,} before)" if found.before else ""
    yield f"{found.before + found.done:,} of {plural(found.cells, 'cell')} done{before}"
    with Store(folder) as store:
        ((warned,),) = store.rows("SELECT count(*) FROM warnings")
        said = store.rows(
            "SELECT c.name, w.message, count(*) n FROM warnings w JOIN classifiers c "
            "ON c.digest = w.classifier GROUP BY c.name, w.message ORDER BY n DESC LIMIT 3"
        )
    grid = Grid.from_store(folder)
    yield ""
    yield from _values(grid)
    yield from _failures(grid)
    if warned:
        yield f"\n  {plural(warned, 'cell')} gave warnings, such as"
        yield from (f"    {printable(name, 20)}, {n}×: {printable(m, 90)}" for name, m, n in said)
    shown = shlex.quote(printable(folder, 200))
    yield f"\nresults: {shown}\n  all tables, by any measures: chancemeter bench show {shown}"


def _values(grid: Grid) -> Iterator[str]:
    """Kappa of all test sets together, a row for each data set."""
    rows = [["kappa, all folds pooled", *(printable(c, 16) for c in grid.classifiers)]]
    for one in grid:
        pooled = cm.kappa(one.tables.pool("repeat", "fold"))
        rows.append([printable(one.dataset, 24), *(number(x) for x in pooled)])
    yield from (f"  {line}" for line in aligned(rows))


def _failures(grid: Grid) -> Iterator[str]:
    """Cells that failed, alike ones together."""
    alike: dict[tuple[str, str, str], list[Failure]] = {}
    for one in grid.failures:
        alike.setdefault((one.dataset, one.classifier, one.kind), []).append(one)
    if alike:
        yield f"\n  {plural(len(grid.failures), 'cell')} failed (again with --retry-failed)"
    for (dataset, classifier, kind), found in list(alike.items())[:_SHOWN]:
        title = f"{printable(classifier, 20)} on {printable(dataset, 20)}, {len(found)}×"
        yield f"    {title}: {kind}: {printable(found[0].message, 100)}"
    if len(alike) > _SHOWN:
        yield f"    … and {len(alike) - _SHOWN} more kinds"

"""The options of ``chancemeter bench``; nothing heavy is imported for them."""

from __future__ import annotations

import argparse
from typing import Any

from chancemeter.cli.bench_show import add_show


def add_bench(commands: Any) -> None:
    """The command with its own commands."""
    bench = commands.add_parser(
        "bench",
        help="run classifiers on data sets, fold by fold, and lose nothing",
        description="Experiments: data sets × classifiers × folds, from a plan in TOML.",
        allow_abbrev=False,
    )
    bench.set_defaults(run="benching.no_command")
    inner = bench.add_subparsers(title="commands", metavar="COMMAND")
    _add_run(inner)
    check = inner.add_parser(
        "check", help="check a plan and its data, run nothing", allow_abbrev=False
    )
    check.add_argument("plan", metavar="PLAN.toml", help="the plan")
    check.set_defaults(run="benching.check")
    status = inner.add_parser("status", help="how far a run has come", allow_abbrev=False)
    status.add_argument("folder", metavar="FOLDER", help="of the results")
    status.add_argument("--json", action="store_true", help="print JSON")
    status.set_defaults(run="benching.show_status")
    add_show(inner)
    merge = inner.add_parser(
        "merge", help="put the results of shards into one folder", allow_abbrev=False
    )
    merge.add_argument("folder", metavar="INTO", help="the folder that gets them all")
    merge.add_argument("others", metavar="FROM", nargs="+", help="folders of results")
    merge.set_defaults(run="benching.merge_folders")


def _add_run(inner: Any) -> None:
    run = inner.add_parser(
        "run",
        help="run whatever is not done yet",
        description="Run a plan. Given again, the command goes on where it was stopped.",
        allow_abbrev=False,
    )
    run.add_argument("plan", metavar="PLAN.toml", help="the plan")
    run.add_argument("--out", metavar="FOLDER", help="of the results (default: as the plan says)")
    run.add_argument(
        "--jobs", type=_jobs, default=1, metavar="N", help="cells at a time; 0 for all cores"
    )
    run.add_argument(
        "--backend",
        choices=["loky", "threading", "dask", "ray"],
        default="loky",
        help="what runs them (default: loky, processes on this machine)",
    )
    run.add_argument("--address", metavar="URL", help="of a cluster of Dask or Ray")
    run.add_argument(
        "--shard", type=_shard, default=(1, 1), metavar="I/N", help="the Ith of N parts only"
    )
    run.add_argument("--retry-failed", action="store_true", help="run cells again that failed")
    run.add_argument("--quiet", action="store_true", help="say nothing unless something is wrong")
    run.set_defaults(run="benching.run")


def _jobs(text: str) -> int:
    if not text.isdecimal():
        msg = f"{text!r} is not a whole number from 0 up"
        raise argparse.ArgumentTypeError(msg)
    return int(text)


def _shard(text: str) -> tuple[int, int]:
    first, _, second = text.partition("/")
    if not first.isdecimal() or not second.isdecimal() or not 1 <= int(first) <= int(second):
        msg = f"{text!r} is no part such as 2/4, the second of four"
        raise argparse.ArgumentTypeError(msg)
    return int(first), int(second)

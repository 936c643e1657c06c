"""How long it takes to start."""

from __future__ import annotations

from timing import Claim, best, python


def claims() -> list[Claim]:
    """The comparisons."""
    show_help, load, first, peer = best(
        python("import sys; sys.argv = ['chancemeter', '--help']\n"
               "from chancemeter.cli import main\n"
               "try: main()\nexcept SystemExit: pass"),
        python("import chancemeter"),
        python("import chancemeter; chancemeter.kappa([[1, 2], [3, 4]])"),
        python("import sklearn.metrics"),
        times=9,
    )  # fmt: skip
    return [
        Claim("`chancemeter --help`, a fresh process", show_help, "`import sklearn.metrics`", peer, 5),
        Claim("`import chancemeter`, a fresh process", load, "`import sklearn.metrics`", peer, 5),
        Claim(
            "`import chancemeter` and a first kappa, a fresh process",
            first, "`import sklearn.metrics`", peer, 1, "loads numpy and every measure",
        ),
    ]  # fmt: skip

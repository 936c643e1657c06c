"""`chancemeter score --tests`: against chance, and against the most frequent class."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

import chancemeter as cm
from chancemeter.counts import as_counts
from chancemeter.errors import Fault, InputError, aligned
from chancemeter.figures import number, percent
from chancemeter.outcomes import Outcome, p_text
from chancemeter.sparse import SparseTable
from chancemeter.tables import Table

_MAJORITY = {"paired": "accuracy above the majority (paired)", "nir": "P[Acc > NIR]"}


def against_chance(
    table: Table | SparseTable, measures: Iterable[str], draws: int, seed: int
) -> dict[str, Outcome]:
    """Tests of every measure that has one value and a level that chance gets, and of accuracy."""
    if isinstance(table, SparseTable):
        what = f"tables of {table.k:,} classes are not dealt at random"
        raise InputError(Fault("CM105", what, fix="leave out --tests; intervals say enough"))
    whole = table.pool("group") if "group" in table.axes else table
    found = {
        m.key: cm.above_chance(m, whole, draws=draws, seed=seed)
        for m in cm.get_all(measures)
        if m.card.level != "class"
        and m.card.direction in {"higher", "lower"}
        and np.isfinite(m.values(as_counts(whole)))
    }
    majority = {title: cm.above_majority(whole, how) for how, title in _MAJORITY.items()}
    return found | majority


def print_tests(found: Mapping[str, Outcome]) -> None:
    """A line for each."""
    print(
        "\n  better than chance? (predictions dealt at random, both margins kept: Cohen's chance)"
    )
    rows = [["measure", "value", "by chance", "p", ""]]
    notes: dict[str, None] = {}
    for key, x in found.items():
        if key in _MAJORITY.values():
            continue
        shown = percent if key == "accuracy" else number
        values = shown(x.effects["value"]), shown(x.effects["by_chance"])
        how = x.method.key.partition(":")[2]
        rows.append([key, *values, p_text(x.p).removeprefix("= "), how])
    for line in aligned(rows, (0, 4)):
        print(f"  {line}".rstrip())
    print()
    for title in _MAJORITY.values():
        x = found[title]
        share = percent(x.effects.get("majority", float("nan")))
        print(f"  {title}: p {p_text(x.p)}, always answering the most frequent class gets {share}")
        notes |= dict.fromkeys(x.notes)
    for note in notes:
        print(f"  note: {note}")

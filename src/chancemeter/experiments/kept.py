"""What is written beside the store when all cells are there, and how predictions are read back."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import chancemeter as cm
from chancemeter.experiments.grid import Grid, Results, grid_of
from chancemeter.experiments.store import PARTS, Store

VALUES = "values.csv"


def write_values(store: Store) -> Path:
    """A row for every cell with the values of the plan's measures; the same bytes for the same cells."""
    path = store.folder / VALUES
    aside = path.with_name(f"{VALUES}.{os.getpid()}.tmp")
    aside.write_text(values_csv(grid_of(store)), "utf-8", newline="")
    aside.replace(path)
    return path


def values_csv(grid: Grid) -> str:
    """The values of all cells as CSV."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    keys = [m.key for m in cm.get_all(grid.measures) if m.card.level == "table"]
    writer.writerow(["dataset", "classifier", "repeat", "fold", "train", "test", *keys])
    for one in grid:
        writer.writerows(_rows(one, keys))
    return out.getvalue()


def _rows(one: Results, keys: list[str]) -> Iterator[list[Any]]:
    found = {m.key: m(one.tables) for m in cm.get_all(keys)}
    for at in np.ndindex(one.done.shape):
        if not one.done[at]:
            continue
        sizes = [int(one.train[at[1:]]), int(one.test[at[1:]])]
        values = [_text(found[key][at]) for key in keys]
        yield [one.dataset, one.classifiers[at[0]], at[1] + 1, at[2] + 1, *sizes, *values]


def _text(x: Any) -> str:
    return "" if np.isnan(x) else repr(float(x))


def predictions(folder: str | Path) -> Any:
    """All predictions as an Arrow table: one row a tested case, in the order of the plan."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    with Store(folder) as store:
        cells = store.rows(
            "SELECT d.name, c.name, repeat, fold, x.dataset, x.classifier, part FROM cells x "
            "JOIN datasets d ON d.fingerprint = x.dataset JOIN classifiers c "
            "ON c.digest = x.classifier WHERE part IS NOT NULL "
            "ORDER BY d.place, d.name, c.place, c.name, repeat, fold"
        )
        folder = store.folder
    wanted = {(part, d, c, r, f): i for i, (_, _, r, f, d, c, part) in enumerate(cells)}
    found, places = [], []
    for part in dict.fromkeys(part for *_, part in cells):
        table = pq.read_table(folder / PARTS / part)
        table = table.cast(_plain(table.schema))
        keys = zip(
            *(table[x].to_pylist() for x in ("dataset", "classifier", "repeat", "fold")),
            strict=True,
        )
        place = np.array([wanted.get((part, *key), -1) for key in keys], np.int64)
        found.append(table.filter(pa.array(place >= 0)))
        places.append(place[place >= 0])
    if not found:
        return None
    whole, place = pa.concat_tables(found), np.concatenate(places)
    order = np.lexsort((whole["row"].to_numpy(), place))
    whole, place = whole.take(pa.array(order)), place[order]
    for column, i in (("dataset", 0), ("classifier", 1)):
        names = pa.array([cells[p][i] for p in place], pa.string())
        whole = whole.set_column(whole.column_names.index(column), column, names)
    return whole.drop_columns(["design"]).combine_chunks()


def _plain(schema: Any) -> Any:
    """The same columns with text for dictionaries."""
    import pyarrow as pa

    fields = [
        pa.field(f.name, pa.string() if pa.types.is_dictionary(f.type) else f.type) for f in schema
    ]
    return pa.schema(fields)

"""Limits over the folds of one classifier, by name: what papers print, with what it covers.

The default for one classifier under cross-validation is the table of all folds together. A t
interval over folds is about something else, their mean, and in stratified folds it does not see
how much the share of a rare class varies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chancemeter import folds
from chancemeter.counts import Values, as_counts
from chancemeter.errors import Fault, InputError
from chancemeter.registry import Measure
from chancemeter.sparse import SparseTable
from chancemeter.tables import Table

#: The methods by name.
WAYS: dict[str, Callable[..., folds.FoldInterval]] = {
    "fold-t": folds.fold_t_interval,
    "corrected-fold-t": folds.corrected_t_interval,
}


def has_folds(method: str, table: Table | SparseTable) -> Table:
    """The table, if folds are its only axis."""
    if isinstance(table, SparseTable) or list(table.axes) != ["fold"]:
        fix = "read with fold=… (--fold COLUMN), or name the axis: table(stack, axes={'fold': …})"
        axes = [] if isinstance(table, SparseTable) else list(table.axes)
        saw = f"axes {', '.join(axes)}" if axes else "one table without folds"
        raise InputError(
            Fault("CM204", f"{method} is of one table for each fold", saw=saw, fix=fix)
        )
    return table


def over_folds(
    m: Measure[...], table: Table, method: str, level: float
) -> tuple[Values, Values, Values, tuple[str, ...]]:
    """The mean over folds, both limits, and what to know of them."""
    values = m.values(as_counts(table))
    tested = table.counts.sum((1, 2))
    sizes: dict[str, Any] = {"train": tested.sum() - tested, "test": tested, "level": level}
    columns = values.reshape(len(values), -1).T
    found = [WAYS[method](column, **sizes) for column in columns]
    shape = values.shape[1:]
    mean, low, high = (
        np.array(x, float).reshape(shape)
        for x in (
            [f.value for f in found],
            [(f.interval or (np.nan, np.nan))[0] for f in found],
            [(f.interval or (np.nan, np.nan))[1] for f in found],
        )
    )
    told = [f"the value is the mean of {len(values)} folds: {found[0].method.assumes}"]
    told += [note for f in found for note in f.notes]
    told += [f"no interval: {f.undefined}" for f in found if f.undefined]
    return mean, low, high, tuple(dict.fromkeys(told))

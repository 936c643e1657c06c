"""Any column as the codes and categories of a `Column`."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from chancemeter.columns import Coded, as_coded, read_column
from chancemeter.counts import Array
from chancemeter.frames.grouped import Column
from chancemeter.tables import Label


def encode(values: Any, name: str = "the column") -> Column:
    """Codes of a column in any container, with its distinct values as plain Python ones.

    Declared categories (ordered categoricals, an Enum of polars) all stay, in their order; of
    others those that occur. Missing values have the code -1.

    >>> encode(["b", "a", "b", None]).codes.tolist()
    [0, 1, 0, -1]
    """
    return as_column(read_column(values, name))


def as_column(column: Array | Coded) -> Column:
    """What `read_column` gives, as a `Column`."""
    coded = as_coded(column)
    if not coded.declared:
        coded = coded.used()
    categories = coded.categories
    if coded.kind == "date":
        categories = _dates(categories)
    return Column(coded.codes, categories, coded.kind, coded.declared)


def _dates(categories: tuple[Label, ...]) -> tuple[Label, ...]:
    """Moments written out, as dates of Python, or with the time where one has a time.

    Moments that Python cannot hold (of nanoseconds, of the year 12000) stay text, all of them.
    """
    texts = [x for x in categories if isinstance(x, str)]
    if len(texts) < len(categories):
        return categories
    try:
        if all(len(x) == len("2020-01-31") for x in texts):
            return tuple(date.fromisoformat(x) for x in texts)
        moments = tuple(datetime.fromisoformat(x) for x in texts)
    except ValueError:
        return categories
    too_fine = any(len(x) > len("2020-01-31T00:00:00.000000") for x in texts)
    return categories if too_fine else moments

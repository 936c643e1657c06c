"""Columns of pandas, polars, Arrow and their kin: their own codes where they have some.

Nothing is imported for a container that is not already in use, except pyarrow for columns
that are Arrow underneath.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.counts import Array

#: Rows of text that are worth a thread of their own.
_LONG = 1_000_000


@dataclass(frozen=True, eq=False)
class Dictionary:
    """A column that has codes of its own."""

    codes: Array
    """Places in `categories`; negative where a value is missing."""
    categories: Any
    """A column of any kind, in which values may be missing too."""
    declared: bool = False


@dataclass(frozen=True, eq=False)
class Gaps:
    """An array of which some rows hold nothing, whatever stands there."""

    values: Array
    gone: Array


def opened(values: Any) -> Any:
    """The arrays underneath a column of a known container; anything else as it was given."""
    home = type(values).__module__.partition(".")[0]
    if home == "pandas" and hasattr(values, "dtype"):
        return _pandas(values)
    if home == "polars" and hasattr(values, "dtype"):
        return _polars(values)
    if home == "pyarrow" and hasattr(values, "null_count"):
        return _arrow(values)
    if hasattr(values, "to_numpy"):
        return values.to_numpy()
    if hasattr(values, "detach"):  # a tensor that may be part of a graph, or on a device
        values = values.detach().cpu()
    if hasattr(values, "__arrow_c_stream__") or hasattr(values, "__arrow_c_array__"):
        import pyarrow as pa

        whole = hasattr(values, "__arrow_c_stream__")
        return _arrow(pa.chunked_array(values) if whole else pa.array(values))
    return np.asarray(values) if hasattr(values, "__array__") else values


def _pandas(values: Any) -> Any:
    dtype = values.dtype
    inner = getattr(values, "array", values)
    name = type(dtype).__name__
    if name == "CategoricalDtype":
        return Dictionary(inner.codes, dtype.categories, declared=bool(dtype.ordered))
    if name == "ArrowDtype" or getattr(dtype, "storage", "") == "pyarrow":
        return _arrow(inner.__arrow_array__())
    if hasattr(dtype, "numpy_dtype") and hasattr(inner, "isna"):
        gone = np.asarray(inner.isna())
        if not gone.any():
            return inner.to_numpy(dtype.numpy_dtype)
        return Gaps(inner.to_numpy(dtype.numpy_dtype, na_value=0), gone)
    return values.to_numpy()


def _polars(values: Any) -> Any:
    import polars as pl

    dtype = values.dtype
    if dtype == pl.String:
        # categories of its own, so that those of other columns do not pile up
        own = pl.Categories.random() if hasattr(pl, "Categories") else "lexical"
        values = values.cast(pl.Categorical(own))
    if isinstance(values.dtype, (pl.Categorical, pl.Enum)):
        codes = values.to_physical()
        if codes.null_count():
            codes = codes.cast(pl.Int64).fill_null(-1)
        return _polars_categories(values, codes.to_numpy())
    if dtype == pl.Null:
        return _nothing(len(values))
    if dtype == pl.Boolean or dtype.is_integer():
        if not values.null_count():
            return values.to_numpy()
        fill = False if dtype == pl.Boolean else 0
        return Gaps(values.fill_null(fill).to_numpy(), values.is_null().to_numpy())
    if dtype.is_float() or isinstance(dtype, (pl.Date, pl.Datetime, pl.Duration)):
        return values.to_numpy()
    return _objects(values.to_list())


def _polars_categories(values: Any, codes: Array) -> Dictionary:
    """Codes of a Categorical, whose categories may be those of many columns, or of an Enum."""
    known: Any = getattr(values.dtype, "categories", None)
    if hasattr(known, "to_series"):
        known = known.to_series()
    elif known is None:
        known = values.cat.get_categories()
    if type(values.dtype).__name__ == "Enum":
        return Dictionary(codes, _objects(known.to_list()), declared=True)
    if len(known) > 1_024:
        seen = np.zeros(len(known) + 1, bool)  # the last place is for -1
        seen[codes] = True
        keep = np.flatnonzero(seen[:-1])
        to = np.full(len(seen), -1, np.int64)
        to[keep] = np.arange(len(keep))
        codes, known = to[codes], known.gather(keep)
    return Dictionary(codes, _objects(known.to_list()), declared=False)


def _objects(values: list[Any]) -> Array:
    return np.fromiter(values, object, len(values))


def _nothing(n: int) -> Gaps:
    return Gaps(np.zeros(n, bool), np.ones(n, bool))


def _arrow(values: Any) -> Any:
    import pyarrow as pa
    import pyarrow.types as pt

    values = _unwrapped(values)
    kind = values.type
    if pt.is_string(kind) or pt.is_large_string(kind):
        return _dictionary(_encoded(values), declared=False)
    if pt.is_dictionary(kind):
        return _dictionary(values, declared=bool(kind.ordered))
    if pt.is_null(kind):
        return _nothing(len(values))
    if not (pt.is_boolean(kind) or pt.is_integer(kind)):
        as_array = pt.is_floating(kind) or pt.is_date(kind) or pt.is_timestamp(kind)
        as_array = as_array or pt.is_duration(kind)
        return values.to_numpy() if as_array else _objects(values.to_pylist())
    if not values.null_count:
        return values.to_numpy()
    fill = pa.scalar(False if pt.is_boolean(kind) else 0, kind)
    return Gaps(values.fill_null(fill).to_numpy(), values.is_null().to_numpy())


def _encoded(values: Any) -> Any:
    """Text as a dictionary column; long columns in parts, one for each processor."""
    parts = min(os.cpu_count() or 1, len(values) // _LONG)
    if parts < 2:
        return values.dictionary_encode()
    import pyarrow as pa

    size = -(-len(values) // parts)
    with ThreadPoolExecutor(parts) as pool:
        slices = [values.slice(i * size, size) for i in range(parts)]
        encoded = pool.map(lambda part: part.dictionary_encode(), slices)
        return pa.chunked_array([chunk for part in encoded for chunk in part.chunks])


def _unwrapped(values: Any) -> Any:
    """In chunks, without wrappings of the same values."""
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.types as pt

    if isinstance(values, pa.Array):
        values = pa.chunked_array([values])
    if isinstance(values.type, pa.BaseExtensionType):
        parts = [x.storage for x in values.chunks]
        values = pa.chunked_array(parts, values.type.storage_type)
    if pt.is_run_end_encoded(values.type):
        values = pc.run_end_decode(values)
    return values.cast(pa.large_string()) if pt.is_string_view(values.type) else values


def _dictionary(values: Any, *, declared: bool) -> Dictionary | Gaps:
    """Codes of a dictionary column; its chunks may bring dictionaries of their own."""
    import pyarrow.types as pt

    values = values.unify_dictionaries()
    parts = values.chunks
    if not parts:
        return _nothing(0)
    indices = [x.indices for x in parts]
    codes = [
        (x.cast("int64").fill_null(-1) if x.null_count else x).to_numpy(zero_copy_only=False)
        for x in indices
    ]
    categories = parts[0].dictionary
    narrow = np.min_scalar_type(-len(categories) - 1)  # what is copied had better be short
    joined = codes[0] if len(codes) == 1 else np.concatenate(codes, dtype=narrow, casting="unsafe")
    text = pt.is_string(categories.type) or pt.is_large_string(categories.type)
    categories = _objects(categories.to_pylist()) if text else categories
    return Dictionary(joined, categories, declared=declared)

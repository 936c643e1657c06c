"""What an engine is asked for, and how what it sends is read: values, and sums of weights.

Text is compared by its UTF-8 bytes, whatever collation or case rule a column has. Whole numbers
and decimals travel as text, because on the way through a data frame whole numbers beside a null
turn into rounded floats. Sums of floating weights are made of whole numbers, so the order in
which an engine adds does not matter.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, time
from decimal import Context, Decimal
from functools import cache
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, printable
from chancemeter.frames.grouped import Column, Kind
from chancemeter.tables import in_order

#: A floating weight is taken apart into two whole numbers of so many bits.
LIMB = 62
_WHOLE = "decimal(38, 0)"
#: Decimals of PostgreSQL have up to 147,456 digits; none is rounded.
_ALL_DIGITS = Context(prec=200_000)


class Key:
    """One column to group by: how it is asked for, and how its values are read."""

    def __init__(self, column: Any, engine: str) -> None:
        """Settle what is sent."""
        self.type = column.type()
        self.asked = column
        if self.type.is_string():
            self.asked = _bytes_of(column, engine)
        elif self.type.is_null():
            self.asked = column.cast("string")

    @property
    def is_label(self) -> bool:
        """Whether such values can be labels."""
        t = self.type
        plain = t.is_string() or t.is_numeric() or t.is_boolean() or t.is_null()
        return bool(plain or t.is_date() or t.is_timestamp() or t.is_uuid() or t.is_time())

    @property
    def as_text(self) -> bool:
        """Whether its values travel as text (each group once, after the group-by)."""
        t = self.type
        return bool(t.is_integer() or t.is_decimal() or t.is_uuid() or t.is_time())

    @property
    def kind(self) -> Kind:
        """What to call such values."""
        t = self.type
        if t.is_boolean():
            return "boolean"
        if t.is_integer() or (t.is_decimal() and t.scale == 0):
            return "integer"
        if t.is_numeric():
            return "float"
        return "date" if t.is_date() or t.is_timestamp() else "text"

    def column(self, values: Any, where: str) -> Column:
        """The answer as places in a sorted list of distinct values."""
        if self.type.is_floating():
            return _floats(values)
        coded = values.combine_chunks().dictionary_encode()
        if hasattr(coded, "chunks"):
            coded = coded.combine_chunks()
        codes = coded.indices.fill_null(-1).to_numpy(zero_copy_only=False).astype(np.int64)
        found = [self._value(x, where) for x in coded.dictionary.to_pylist()]
        if self.type.is_timestamp():
            found = _moments(found)
        labels = in_order(dict.fromkeys(x for x in found if x is not None))
        place = {label: i for i, label in enumerate(labels)}
        to = np.array([-1 if x is None else place[x] for x in found] + [-1], dtype=np.int64)
        return Column(to[codes], labels, self.kind if labels else "none")

    def _value(self, sent: Any, where: str) -> Any:
        """One value as Python has it, None where it is missing."""
        if isinstance(sent, bytes):
            try:
                return sent.decode()
            except UnicodeDecodeError:
                what = "text that is not UTF-8"
                raise InputError(Fault("CM004", what, where, printable(sent))) from None
        if self.kind == "integer":
            return None if sent in {None, "NaN"} else int(sent)
        if self.type.is_decimal() and sent is not None:
            return _plain(Decimal(sent))
        return sent


def _floats(values: Any) -> Column:
    """Floats in order; NaN is missing, and −0.0 is 0.0."""
    plain = values.cast("float64").to_numpy(zero_copy_only=False) + 0.0
    gone = np.isnan(plain)
    found, places = np.unique(plain[~gone], return_inverse=True)
    codes = np.full(len(plain), -1, np.int64)
    codes[~gone] = places
    return Column(codes, tuple(found.tolist()), "float" if len(found) else "none")


def _moments(moments: Sequence[Any]) -> list[Any]:
    """Moments in UTC, or dates if none of them has a time of the day."""
    zoned = [x if x is None or x.tzinfo is None else x.astimezone(UTC) for x in moments]
    plain = [None if x is None else x.replace(tzinfo=None) for x in zoned]
    dates = all(x is None or x.time() == time.min for x in plain)
    return [None if x is None else x.date() for x in plain] if dates else plain


def _plain(value: Decimal) -> Decimal | None:
    """A decimal in the one form that its equals share: no zeros at the end, no exponent."""
    if value.is_nan():
        return None
    return Decimal(format(value.normalize(_ALL_DIGITS), "f"))


class Weights:
    """How weights are summed by an engine: as whole numbers or decimals, never as floats."""

    def __init__(self, asked: Mapping[str, Any], power: int = 0) -> None:
        """Keep the expressions, and the power of two floating weights were multiplied with."""
        self.asked, self.power = dict(asked), power

    @classmethod
    def of(cls, table: Any, weight: str | None, about: Mapping[str, Any], where: str) -> Weights:
        """The parts of a column of weights, which must be finite and not negative."""
        if weight is None:
            return cls({})
        low, high = about["low"], about["high"]
        place = f"{where}, column {printable(weight)}"
        if about["bad"] or (low or 0) < 0:
            what = "weights are finite and not negative"
            if about["bad"]:
                what = f"{about['bad']:,} of {about['rows']:,} weights are not finite numbers"
            fix = "mend them; a weight of 0 leaves a case out"
            raise InputError(Fault("CM106", what, place, span(low, high), fix))
        if high and high * float(about["rows"]) == math.inf:
            what = "the weights add up to more than a number can hold"
            raise InputError(Fault("CM106", what, place, f"up to {high:g}", "divide all by that"))
        column = table[weight]
        if column.type().is_integer():
            return cls({"w0": column.cast(_WHOLE)})
        if column.type().is_decimal():
            return cls({"w0": column})
        power = min(LIMB - math.frexp(high or 1.0)[1], 1000)
        scaled = times_two_to(column.cast("float64"), power)
        rest = times_two_to(scaled - scaled.floor().cast("float64"), LIMB)
        limbs = {"w0": scaled, "w1": rest}
        # through int64, since some engines make decimals of the shortest text of a float
        return cls({k: x.floor().cast("int64").cast(_WHOLE) for k, x in limbs.items()}, power)

    def together(self, sums: Mapping[str, Sequence[str | None]]) -> Array:
        """The sums as floats, each rounded once."""
        if len(sums) == 1:
            return np.array([float(Decimal(x or 0)) for x in sums["w0"]], np.float64)
        pairs = zip(sums["w0"], sums["w1"], strict=True)
        whole = [(int(Decimal(a or 0)) << LIMB) + int(Decimal(b or 0)) for a, b in pairs]
        # Python divides whole numbers of any size with one rounding
        shift = self.power + LIMB
        by, times = 1 << max(shift, 0), 1 << max(-shift, 0)
        return np.array([x * times / by for x in whole], np.float64)


def times_two_to(column: Any, power: int) -> Any:
    """`column` times a power of two, in steps that any engine takes for whole numbers: exact."""
    while power > 0:
        step = min(power, 30)
        column, power = column * (1 << step), power - step
    while power < 0:
        step = min(-power, 30)
        column, power = column / float(1 << step), power + step
    return column


def _bytes_of(column: Any, engine: str) -> Any:
    """Text as UTF-8, so that no collation decides what is equal; else as the engine has it."""
    if engine == "pyspark":
        return column.cast("binary")
    if engine == "postgres":
        return _builtin("convert_to", 2)(column + "", "UTF8")  # "+" makes text of enumerations
    if engine == "duckdb":
        return _builtin("encode", 1)(column)
    return column


@cache
def _builtin(name: str, arguments: int) -> Any:
    """A function that the engine has and ibis does not name."""
    import ibis

    def one(a: str) -> bytes: ...  # type: ignore[empty-body]

    def two(a: str, b: str) -> bytes: ...  # type: ignore[empty-body]

    signature = {"return": bytes, "a": str} | ({"b": str} if arguments == 2 else {})
    function = one if arguments == 1 else two
    function.__annotations__ = signature  # the types themselves, since ibis does not read text
    function.__name__ = name
    return ibis.udf.scalar.builtin(function)


def span(low: float | None, high: float | None) -> str:
    """Least and largest value, for a message."""
    return "no number" if low is None or high is None else f"from {low:g} to {high:g}"

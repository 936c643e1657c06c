"""One column of labels in any container, as codes: places in a list of its distinct values.

Codes that exist already (categorical and dictionary columns) are used as they are. Values are
never merged: in a column of 1, 1.0, True and "1" these are four categories.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Hashable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal
from typing import Any, Literal

import numpy as np

from chancemeter.containers import Dictionary, Gaps, opened
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError
from chancemeter.tables import is_missing

Label = Hashable
Kind = Literal["text", "integer", "float", "boolean", "date", "other", "mixed", "none"]

#: Rows handled at a time: what is made of them stays in the cache.
CHUNK = 65_536
#: Categories that may go unused; of more, those that do not occur are left out at once.
_SPARE = 1_024
#: Whole numbers spread over this range or less are their own codes, less the smallest.
_SPAN = 65_536
#: Characters of fixed-width text that are worth mixing into one number each.
_WIDTH = 64
#: Distinct values that are worth a hash table in which each has a slot of its own.
_KEYS = 1_024
_PLAIN: dict[type, Kind] = {
    str: "text",
    int: "integer",
    float: "float",
    bool: "boolean",
    Decimal: "float",
}
#: An odd factor with well-mixed bits (2⁶⁴ over the golden ratio).
_MIX = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, eq=False)
class Coded:
    """A column as places in a list of categories, which are plain Python values."""

    codes: Array
    """For each row the place in `categories`, or -1 where the value is missing."""
    categories: tuple[Label, ...]
    kind: Kind
    declared: bool = False
    """Whether someone gave the order of the categories."""

    def used(self) -> Coded:
        """Without categories that do not occur."""
        k = len(self.categories)
        seen = np.zeros(k + 1, bool)  # the last place is for -1
        for part in chunks(self.codes):
            seen[part] = True
        if seen[:k].all():
            return self
        keep = np.flatnonzero(seen[:k])
        to = np.full(k + 1, -1, small(len(keep)))
        to[keep] = np.arange(len(keep))
        categories = tuple(self.categories[i] for i in keep)
        kind = self.kind if self.kind == "date" and categories else kind_of(categories)
        return replace(self, codes=to[self.codes], categories=categories, kind=kind)


def chunks(values: Array, size: int = CHUNK) -> Iterator[Array]:
    """The rows of an array, some at a time."""
    return (values[i : i + size] for i in range(0, len(values), size))


def small(k: int) -> type[np.signedinteger[Any]]:
    """The smallest type for codes of `k` categories and -1."""
    return np.int8 if k < 2**7 else np.int16 if k < 2**15 else np.int32 if k < 2**31 else np.int64


def kind_of(categories: tuple[Label, ...]) -> Kind:
    """What categories are, by their types.

    >>> kind_of(("a", "b")), kind_of((1, True)), kind_of(())
    ('text', 'mixed', 'none')
    """
    types = set(map(type, categories))
    if not types:
        return "none"
    if all(issubclass(one, date) for one in types):
        return "date"
    return _PLAIN.get(types.pop(), "other") if len(types) == 1 else "mixed"


def read_column(values: Any, name: str = "the column") -> Array | Coded:
    """Whole numbers and truth values as the array they are; anything else as codes.

    >>> read_column(["b", "a", "b", None]).codes.tolist()
    [0, 1, 0, -1]
    """
    if isinstance(values, Coded):
        return values
    if isinstance(values, (str, bytes)):
        raise InputError(Fault("CM102", f"{name} is one text", fix="give a list of labels"))
    if type(values).__module__.startswith("narwhals"):
        values = values.to_native()
    if not isinstance(values, np.ndarray):
        values = opened(values)
    if isinstance(values, Dictionary):
        return _recoded(values)
    if isinstance(values, Gaps):
        return _gaps(as_coded(read_column(values.values, name)), values.gone)
    if not isinstance(values, np.ndarray):
        try:
            values = _from_sequence(list(values))
        except TypeError:
            saw = type(values).__name__
            fix = "give a list, an array or a column of labels"
            raise InputError(Fault("CM102", f"{name} is no list", saw=saw, fix=fix)) from None
    if values.ndim == 2 and values.shape[1] == 1:
        values = values[:, 0]
    if values.ndim != 1:
        raise _not_one_column(name, f"shape {values.shape}")
    if not values.dtype.isnative:
        values = values.astype(values.dtype.newbyteorder("="))
    return values if values.dtype.kind in "biu" else _code(values, name)


def as_coded(column: Array | Coded) -> Coded:
    """Codes for whole numbers and truth values too, of which all categories occur."""
    if isinstance(column, Coded):
        return column
    if column.dtype.kind == "b":
        return Coded(column.view(np.int8), (False, True), "boolean").used()
    return _code_integers(column).used()


def _recoded(column: Dictionary) -> Coded:
    """The codes of a column that has some, its categories made plain."""
    codes, own = column.codes, as_coded(read_column(column.categories, "the categories"))
    k = len(own.codes)
    if codes.dtype.kind == "u":  # -1 needs a sign
        narrow = k < 2 ** (8 * codes.itemsize - 1)
        codes = codes.view(f"i{codes.itemsize}") if narrow else codes.astype(np.int64)
    # a category may be missing, or equal to another one once it is plain
    place = {code: i for i, code in enumerate(dict.fromkeys(own.codes[own.codes >= 0].tolist()))}
    found = tuple(own.categories[i] for i in place)
    if len(place) < k:
        to = np.array([*(place.get(x, -1) for x in own.codes.tolist()), -1], codes.dtype)
        codes = to[codes]
    coded = Coded(codes, found, own.kind, column.declared)
    # categories of many types mislead where some do not occur, and many cost time
    return coded if column.declared or (k <= _SPARE and own.kind != "mixed") else coded.used()


def _not_one_column(name: str, saw: str) -> InputError:
    fix = "one label a case; for probabilities take the most likely class first"
    return InputError(Fault("CM102", f"{name} is not one column of labels", saw=saw, fix=fix))


def _from_sequence(values: list[Any]) -> Array:
    """Numbers of one type as an array of them; anything else as objects, nothing converted."""
    types = set(map(type, values))
    if len(types) == 1 and types <= {bool, int, float, list, np.ndarray}:
        try:
            return np.asarray(values)
        except ValueError:  # lists that are not equally long
            pass
    return np.fromiter(values, dtype=object, count=len(values))


def _code(values: Array, name: str) -> Coded:
    """An array that holds neither whole numbers nor truth values, as codes."""
    kind = values.dtype.kind
    if kind == "f" and values.dtype.itemsize <= 8:
        return _code_floats(values)
    if kind in "mM":
        gone = np.isnat(values)
        codes, moments = _code_distinct(np.ascontiguousarray(values).view(np.int64))
        coded = _gaps(Coded(codes, tuple(moments.tolist()), "date"), gone)
        times = np.array(coded.categories, np.int64).view(values.dtype)
        # plain Python would make bare numbers of nanoseconds
        texts = np.datetime_as_string(times, "auto").tolist() if kind == "M" else map(str, times)
        return replace(coded, categories=tuple(texts), kind="date")
    if kind in "US" and 0 < values.dtype.itemsize // (4 if kind == "U" else 1) <= _WIDTH:
        coded_text = _code_fixed(np.ascontiguousarray(values))
        if coded_text is not None:
            return coded_text
    if kind != "O":
        values = np.fromiter(values.tolist(), object, len(values))
    try:
        return _code_objects(values, name)
    except TypeError:
        types = set(map(type, values))
        if {list, np.ndarray} & types:
            raise _not_one_column(name, "lists in place of labels") from None
        saw = ", ".join(sorted(x.__name__ for x in types))
        fix = "labels are text, numbers, or other values that do not change"
        raise InputError(Fault("CM104", "these cannot be labels", saw=saw, fix=fix)) from None


def _gaps(coded: Coded, gone: Array) -> Coded:
    """The same with rows that are missing."""
    if not gone.any():
        return coded
    codes = coded.codes.copy()
    codes[gone] = -1
    return replace(coded, codes=codes).used()


def _code_integers(values: Array) -> Coded:
    if not len(values):
        return Coded(np.zeros(0, np.int8), (), "none")
    low, high = int(values.min()), int(values.max())
    if high - low >= _SPAN:
        codes, found = _code_distinct(values)
        return Coded(codes, tuple(found.tolist()), "integer")
    codes = np.empty(len(values), small(high - low + 1))
    start, unsigned = values.dtype.type(low), f"u{values.dtype.itemsize}"
    for i, part in enumerate(chunks(values)):
        # a difference may wrap around in a narrow type: read without a sign it is right
        codes[i * CHUNK : (i + 1) * CHUNK] = np.subtract(part, start).view(unsigned)
    return Coded(codes, tuple(range(low, high + 1)), "integer")


def _code_distinct(values: Array) -> tuple[Array, Array]:
    """Codes of an array, and what they stand for."""
    if values.dtype.itemsize == 8:
        found = _by_table(np.ascontiguousarray(values).view(np.uint64))
        if found is not None:
            return found[0], found[1].view(values.dtype)
    parts = [np.unique(part) for part in chunks(values)]
    distinct = np.unique(np.concatenate(parts)) if parts else values[:0]
    codes = np.empty(len(values), small(len(distinct)))
    for i, part in enumerate(chunks(values)):
        codes[i * CHUNK : (i + 1) * CHUNK] = np.searchsorted(distinct, part)
    return codes, distinct


def _code_floats(values: Array) -> Coded:
    gone = np.isnan(values)
    full = np.where(gone, values.dtype.type(0), values) if gone.any() else values
    whole = _whole(full)
    if whole is not None:  # 0.0 and 1.0 as labels
        coded = _code_integers(whole).used()
        found = tuple(map(float, coded.categories))  # type: ignore[arg-type]
        return _gaps(replace(coded, categories=found, kind=kind_of(found)), gone)
    full = full.astype(np.float64, copy=False) + 0.0  # −0.0 and 0.0 are equal
    codes, distinct = _code_distinct(full)
    return _gaps(Coded(codes, tuple(distinct.tolist()), "float"), gone)


def _whole(values: Array) -> Array | None:
    """Floats that are small whole numbers as such; None if there are others."""
    whole = np.empty(len(values), np.int16)
    for i, part in enumerate(chunks(values)):
        if not max(-part.min(), part.max()) < _SPAN // 2:
            return None
        some = whole[i * CHUNK : i * CHUNK + len(part)]
        some[:] = part
        if not np.array_equal(some, part):
            return None
    return whole


def _code_fixed(values: Array) -> Coded | None:
    """Text of fixed width by a number for each, checked; None if two texts share a number."""
    unit = np.dtype(np.uint32 if values.dtype.kind == "U" else np.uint8)
    mixed = np.empty(len(values), np.uint64)
    for i, part in enumerate(chunks(values)):
        letters = part.view(unit).reshape(len(part), -1)
        number = mixed[i * CHUNK : i * CHUNK + len(part)]
        number[:] = 0
        for j in range(letters.shape[1]):
            np.multiply(number, _MIX, out=number)
            np.add(number, letters[:, j], out=number)
    codes, distinct = _code_distinct(mixed)
    texts = values[_some_row(codes, len(distinct))]
    pairs = zip(chunks(values), chunks(codes), strict=True)
    if not all(np.array_equal(texts[places], part) for part, places in pairs):
        return None
    categories = tuple(texts.tolist())
    return Coded(codes, categories, kind_of(categories))


def _some_row(codes: Array, k: int) -> Array:
    """For each code a row that has it."""
    row = np.zeros(k, np.intp)
    for i, part in enumerate(chunks(codes)):
        row[part] = np.arange(i * CHUNK, i * CHUNK + len(part))
    return row


def _code_objects(values: Array, name: str) -> Coded:
    """Python objects: told apart by where they are while few, else by hashing each."""
    found = _by_address(values)
    codes, objects = found if found is not None else _by_hash(values)
    if {list, np.ndarray} & set(map(type, objects)):
        raise _not_one_column(name, "lists in place of labels")
    plain = [x.item() if isinstance(x, np.generic) else x for x in objects]
    place: dict[Any, int] = {}
    to = np.full(len(plain) + 1, -1, np.int64)
    for i, x in enumerate(plain):
        if not is_missing(x):
            to[i] = place.setdefault((type(x), x), len(place))
    categories = tuple(x for _, x in place)
    if not np.array_equal(to[:-1], np.arange(len(plain))):
        codes = to.astype(small(len(place)))[codes]
    return Coded(codes, categories, kind_of(categories))


class _Places(dict[Any, int]):
    """The place of each key, a new one for a new key."""

    def __missing__(self, key: Any) -> int:
        self[key] = place = len(self)
        return place


def _by_hash(values: Array) -> tuple[Array, list[Any]]:
    """Codes, and what each stands for; values of different types stay apart."""
    place = _Places()
    codes = np.empty(len(values), np.int64)
    types: set[type] = set()
    for i, part in enumerate(chunks(values)):
        listed = part.tolist()
        types |= set(map(type, listed))
        if len(types) > 1:
            break
        codes[i * CHUNK : i * CHUNK + len(part)] = np.fromiter(
            map(place.__getitem__, listed), np.int64, len(part)
        )
    if len(types) <= 1:
        return codes.astype(small(len(place))), list(place)
    place = _Places()
    for i, part in enumerate(chunks(values)):
        listed = part.tolist()
        keys = map(place.__getitem__, zip(map(type, listed), listed, strict=True))
        codes[i * CHUNK : i * CHUNK + len(part)] = np.fromiter(keys, np.int64, len(part))
    return codes.astype(small(len(place))), [x for _, x in place]


def _by_address(values: Array) -> tuple[Array, list[Any]] | None:
    """The same for labels that share few objects; None if there are many, or no addresses."""
    if sys.implementation.name != "cpython" or not len(values):
        return None
    values = np.ascontiguousarray(values)
    address = np.ctypeslib.as_array(
        (ctypes.c_size_t * len(values)).from_address(values.ctypes.data)
    )
    found = _by_table(address.astype(np.uint64, copy=False))
    if found is None:
        return None
    codes, distinct = found
    return codes, values[_some_row(codes, len(distinct))].tolist()


def _by_table(keys: Array) -> tuple[Array, Array] | None:
    """Codes of 64-bit keys, and the distinct keys, by a hash table; None if there are many."""
    if not len(keys):
        return None
    known: dict[int, int] = {}
    codes = np.empty(len(keys), np.int16)
    slot = np.empty(min(CHUNK, len(keys)), np.uint64)
    table = None
    for i, part in enumerate(chunks(keys)):
        out = codes[i * CHUNK : i * CHUNK + len(part)]
        if table is None or not table.look_up(part, slot, out):
            sample = part[:: max(1, len(part) // 512)]
            if len(np.unique(sample)) > len(sample) // 2 > 128:
                return None  # nearly every row has a key of its own
            new, first = np.unique(part, return_index=True)
            for x in new[np.argsort(first)].tolist():
                known.setdefault(x, len(known))
            table = _Table.of(np.fromiter(known, np.uint64, len(known)))
            if table is None:
                return None
            table.look_up(part, slot, out)
    return codes.astype(small(len(known))), np.fromiter(known, np.uint64, len(known))


@dataclass(frozen=True)
class _Table:
    """Few keys, each with a slot of its own."""

    held: Array
    place: Array
    factor: np.uint64
    shift: np.uint64

    @classmethod
    def of(cls, keys: Array) -> _Table | None:
        """A table for these keys, found by trying factors."""
        if len(keys) > _KEYS:
            return None
        factor = _MIX
        for bits in range(max(4, 2 * len(keys).bit_length() - 3), 21):
            shift = np.uint64(64 - bits)
            for _ in range(16):
                slot = (keys * factor) >> shift
                if len(np.unique(slot)) == len(keys):
                    # an empty slot holds a key that belongs elsewhere, so it matches nothing
                    held = np.full(1 << bits, keys[0])
                    place = np.zeros(1 << bits, np.int16)
                    held[slot], place[slot] = keys, np.arange(len(keys))
                    return cls(held, place, factor, shift)
                factor = np.uint64((int(factor) * int(_MIX) + 2) % 2**64 | 1)
        return None

    def look_up(self, keys: Array, slot: Array, out: Array) -> bool:
        """Write the places of `keys`; whether all of them are in the table."""
        slot = slot[: len(keys)]
        np.multiply(keys, self.factor, out=slot)
        np.right_shift(slot, self.shift, out=slot)
        at = slot.view(np.int64)
        if not np.array_equal(self.held[at], keys):
            return False
        np.take(self.place, at, out=out, mode="clip")
        return True

"""Data whose attributes all are nominal, with the values that are declared for them.

The declaration counts: WEKA's naive Bayes, trees and support vectors see every declared value,
whether or not a case has it, and break ties in the order of the declaration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, quoted, shorten


@dataclass(frozen=True, eq=False)
class Nominal:
    """Cases as places in the declared values: ``codes[case, attribute]``, and ``y[case]``."""

    name: str
    attributes: tuple[str, ...]
    values: tuple[tuple[str, ...], ...]
    """What is declared for each attribute."""
    classes: tuple[str, ...]
    codes: Array
    y: Array

    def __len__(self) -> int:
        """How many cases."""
        return len(self.y)


def nominal(
    name: str,
    columns: Mapping[str, Sequence[str]],
    declared: Mapping[str, Sequence[str]] | None = None,
) -> Nominal:
    """Columns of text, the class last; values not declared are those seen, sorted.

    >>> data = nominal("d", {"size": ["s", "l", "s"], "class": ["b", "a", "a"]}, {"size": "sml"})
    >>> data.values, data.codes.tolist(), data.classes, data.y.tolist()
    ((('s', 'm', 'l'),), [[0], [2], [0]], ('a', 'b'), [1, 0, 0])
    """
    known = {
        key: tuple((declared or {}).get(key, sorted(set(column))))
        for key, column in columns.items()
    }
    coded = {key: _coded(name, key, column, known[key]) for key, column in columns.items()}
    *attributes, target = columns
    return Nominal(
        name,
        tuple(attributes),
        tuple(known[key] for key in attributes),
        known[target],
        np.stack([coded[key] for key in attributes], -1),
        coded[target],
    )


def _coded(name: str, key: str, column: Sequence[str], declared: Sequence[str]) -> Array:
    place = {value: i for i, value in enumerate(declared)}
    strange = dict.fromkeys(value for value in column if value not in place)
    if strange:
        what = f"data set {quoted(name)}, column {quoted(key)}: a value that is not declared"
        raise InputError(
            Fault("CM755", what, saw=shorten(strange), fix=f"one of {shorten(declared)}")
        )
    return np.array([place[value] for value in column])


def equal_width(x: Array, bins: int) -> Array:
    """The bin of each value, all bins equally wide; a value on a border is in the lower one.

    >>> equal_width(np.array([0.0, 1.0, 2.0, 3.9, 4.0]), 4)
    array([0, 0, 1, 3, 3])
    """
    low, high = float(x.min()), float(x.max())
    cuts = [low + i * ((high - low) / bins) for i in range(1, bins)]
    return np.searchsorted(np.array(cuts), x, side="left")


def above(x: Array, cuts: Sequence[float]) -> Array:
    """How many of the cuts a value exceeds; a value on a cut is below it.

    >>> above(np.array([8.5, 9.0, 15.0]), [8.5, 10.5])
    array([0, 1, 2])
    """
    return np.searchsorted(np.array(cuts), x, side="left")


def named_bins(places: Array, bins: int) -> tuple[list[str], list[str]]:
    """Bins under the names b1, b2 …, and all names there are.

    >>> named_bins(np.array([0, 2]), 3)
    (['b1', 'b3'], ['b1', 'b2', 'b3'])
    """
    names = [f"b{i + 1}" for i in range(bins)]
    return [names[i] for i in places], names

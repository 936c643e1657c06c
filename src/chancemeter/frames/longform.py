"""Cases and their ids: each in one row, or in long form in one row for each model.

In long form, what belongs to a case (truth, fold, weight) must be the same in all its rows, and
what belongs to an answer (prediction, score) becomes a column of its own for each model.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural, quoted, shorten

#: So many names of models are an identifier.
MOST_MODELS = 100
#: How many ids there are, and the first of them.
Some = tuple[int, Sequence[Any]]


@dataclass(frozen=True, kw_only=True)
class Long:
    """Which columns of a long table are what."""

    id: str
    model: str
    of_case: Sequence[str]
    predicted: str
    scores: Sequence[str] = ()
    drop: bool = False
    """Whether cases that some model did not answer are left out."""

    @property
    def columns(self) -> list[str]:
        """All of them, each once."""
        names = [self.id, self.model, *self.of_case, self.predicted, *self.scores]
        return list(dict.fromkeys(names))

    def wide(self, model: str, column: str) -> str:
        """What a model's column is called in wide form.

        >>> long = Long(id="id", model="of", of_case=["t"], predicted="p", scores=["s"])
        >>> long.wide("forest", "p"), long.wide("forest", "s")
        ('forest', 'forest.s')
        """
        return model if column == self.predicted else f"{model}.{column}"

    def models(self, found: Sequence[Any], where: str) -> list[str]:
        """The names of the models, which are columns from now on."""
        names = [str(x) for x in found]
        if len(names) > MOST_MODELS:
            what = f"{len(names):,} models in column {quoted(self.model)}"
            fix = "is it the column of ids? name the one that says which model a row is of"
            raise InputError(Fault("CM105", what, where, shorten(map(quoted, names), 4), fix))
        taken = [name for name in names if name in self.of_case]
        if taken:
            what = f"a model and a column are both called {quoted(taken[0])}"
            raise InputError(Fault("CM402", what, where, fix="rename the model"))
        return names


@dataclass(kw_only=True)
class Wrong:
    """What is wrong with the ids of a table."""

    nameless: int = 0
    """Rows without an id, or without a model."""
    twice: Some = (0, ())
    torn: Mapping[str, Some] = field(default_factory=dict)
    """For each column of a case, ids with more than one value in it."""
    lacking: Mapping[str, Some] = field(default_factory=dict)
    """For each model, ids that have no row of it."""

    def judge(self, where: str, model: str = "", *, drop: bool = False) -> list[str]:
        """Raise all faults at once; what may be left out instead, as notes."""
        told = []
        if self.nameless:
            names = "an id or a model" if model else "an id"
            told.append((f"{plural(self.nameless, 'row')} without {names}", "", "name them"))
        if self.twice[0]:
            what = f"{plural(self.twice[0], 'id')} more than once"
            fix = f"each case stands once{' for each model' if model else ''}"
            told.append((what + (" for the same model" if model else ""), _few(self.twice), fix))
        for column, found in self.torn.items():
            if found[0]:
                what = f"{plural(found[0], 'id')} with more than one {quoted(column)}"
                fix = "it belongs to the case, so it is the same in all rows of the case"
                told.append((what, _few(found), fix))
        notes = []
        for name, found in self.lacking.items():
            what = f"{plural(found[0], 'id')} without a row of {quoted(name)}"
            if found[0] and drop:
                notes.append(f"{what}: left out")
            elif found[0]:
                fix = "missing_ids='drop' (--missing-ids drop) leaves such cases out"
                told.append((what, _few(found), fix))
        if told:
            raise InputError(*(Fault("CM007", what, where, saw, fix) for what, saw, fix in told))
        return notes


def _few(found: Some) -> str:
    return shorten(map(quoted, found[1]), 5) + (", …" if found[0] > 5 else "")


def marked(marks: Array, names: Sequence[Any]) -> Some:
    """The names at the places that are marked.

    >>> marked(np.array([True, False, True]), ["a", "b", "c"])
    (2, ['a', 'c'])
    """
    at = np.flatnonzero(marks).tolist()
    return len(at), [names[i] for i in at[:5]]

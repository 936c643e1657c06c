"""Label care: distinct labels made alike on request, told apart otherwise; nothing is silent."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

import numpy as np

from chancemeter.errors import Fault, InputError, did_you_mean, plural, printable, quoted, shorten
from chancemeter.frames.binned import ScoreCounts
from chancemeter.frames.grouped import Column, Grouped
from chancemeter.tables import Label

G = TypeVar("G", bound=Grouped)

_LABELS_AS = ("read", "text", "number")
_MISSING = ("error", "drop", "class")
#: What a missing label is called when it is made a class of its own.
MISSING = "missing"


@dataclass(frozen=True, kw_only=True)
class Care:
    """What may be done to labels. Everything is off unless asked for, and reported when done."""

    labels_as: Literal["read", "text", "number"] = "read"
    """Labels as they were read, all as text, or all as numbers (then 1, 1.0 and "1" are one)."""
    fold_case: bool = False
    tidy: bool = False
    """Blanks at the ends removed, runs of blanks made one, unicode in composed form (NFC)."""
    rename: Mapping[Label, Label] = field(default_factory=dict)
    missing: Literal["error", "drop", "class"] = "error"

    def __post_init__(self) -> None:
        """Refuse words that mean nothing: they must not be taken for another wish."""
        for name, known in (("labels_as", _LABELS_AS), ("missing", _MISSING)):
            word = getattr(self, name)
            if word not in known:
                fix = did_you_mean(str(word), known, f"one of {', '.join(known)}")
                raise InputError(Fault("CM402", f"{name} is not {quoted(word)}", fix=fix))

    def label(self, x: Label) -> Label:
        """One label after all that was asked for."""
        if isinstance(x, str):
            x = " ".join(unicodedata.normalize("NFC", x).split()) if self.tidy else x
            x = x.casefold() if self.fold_case else x
        if self.labels_as == "text":
            x = str(x)
        elif self.labels_as == "number":
            x = as_number(x)
        return self.rename.get(x, x)


def as_number(x: Label) -> int | float:
    """A label as a number: whole ones as int, so that 1, 1.0, True and "1" are the same.

    >>> [as_number(x) for x in (1, 1.0, True, " 1 ", "2.5")]
    [1, 1, 1, 1, 2.5]
    """
    if isinstance(x, str) and "_" in x:
        raise ValueError(x)
    value = int(x) if isinstance(x, int) else float(str(x))
    if not np.isfinite(value):
        raise ValueError(x)
    return int(value) if float(value).is_integer() else value


def take_care(
    grouped: Grouped, names: list[str], care: Care, where: str
) -> tuple[Grouped, list[str]]:
    """Labels of the named columns after `care`, and a note for everything that was changed."""
    grouped = _without_blanks(grouped, names)
    changed, merged = change_labels(grouped, names, care, where)
    _check_renamed(grouped, names, care, where)
    changed, notes = _settle_missing(changed, names, care, where)
    dates = [printable(name) for name in names if grouped.columns[name].kind == "date"]
    if dates:
        merged.append(f"labels of {' and '.join(dates)} are dates: are these the right columns?")
    return changed, [*notes, *merged, *look_alikes(changed, names)]


def care_of_scores(counted: ScoreCounts, truth: str, care: Care, where: str) -> ScoreCounts:
    """The true labels of scores as those of the table, which said all there is to say."""
    changed, _ = change_labels(_without_blanks(counted, [truth]), [truth], care, where)
    return _settle_missing(changed, [truth], care, where)[0]


def _without_blanks(grouped: G, names: list[str]) -> G:
    """Labels of nothing but blanks are missing."""
    for name in names:
        grouped = grouped.with_column(name, grouped.columns[name].without_blanks())
    return grouped


def change_labels(grouped: G, names: list[str], care: Care, where: str) -> tuple[G, list[str]]:
    """Labels as asked for, and a line about those that are called otherwise now."""
    notes, faults = [], []
    for name in names:
        column = grouped.columns[name]
        wanted = _as_these(care, column.categories)
        try:
            changed = column.renamed(wanted.label)
        except ValueError:
            strange = [x for x in column.categories if not _is_number(x)]
            saw = shorten(map(repr, map(printable, strange)), 5)
            fix = "leave out labels_as='number' (--labels-as number)"
            place = f"{where}, column {printable(name)}"
            faults.append(Fault("CM104", "labels that are no numbers", place, saw, fix))
            continue
        notes += _called_otherwise(name, column, wanted)
        if care.labels_as != "read":
            changed = replace(changed, kind="text" if care.labels_as == "text" else "integer")
        grouped = grouped.with_column(name, changed)
    if faults:
        raise InputError(*faults)
    return grouped, notes


def _as_these(care: Care, labels: Sequence[Label]) -> Care:
    """The same wishes with names as these labels: those that were typed are text."""
    if not care.rename:
        return care
    plain = replace(care, rename={})
    try:
        known = [plain.label(x) for x in labels]
    except ValueError:  # which is told where labels are changed
        return care
    renamed = {meant(old, known): meant(new, known) for old, new in care.rename.items()}
    return replace(care, rename=renamed)


def meant(name: Label, labels: Sequence[Label]) -> Label:
    """The label of this name: a number for its text, where no label is that text.

    >>> meant("1", [1, 2]), meant("3", [1, 2]), meant("1", ["1", "2"]), meant("x", [1, 2])
    (1, 3, '1', 'x')
    """
    if not isinstance(name, str) or any(isinstance(x, str) for x in labels):
        return name
    found = next((x for x in labels if str(x) == name), name)
    numbers = {int, float}
    if found is name and labels and {type(x) for x in labels} <= numbers and _is_number(name):
        return as_number(name)
    return found


def _is_number(x: Label) -> bool:
    try:
        as_number(x)
    except ValueError:
        return False
    return True


def _called_otherwise(name: str, before: Column, care: Care) -> list[str]:
    """Lines about labels that became one, and about others that changed."""
    homes: dict[Label, list[Label]] = {}
    for label in before.categories:
        homes.setdefault(care.label(label), []).append(label)
    lines = {
        "merged": [home for home, labels in homes.items() if len(labels) > 1],
        "changed": [home for home, (x, *more) in homes.items() if not more and _differ(x, home)],
    }
    return [
        f"labels of {printable(name)} {what}: "
        + "; ".join(f"{shorten(map(repr, homes[home]), 4)} → {home!r}" for home in found[:4])
        + (f"; and {len(found) - 4:,} more" if len(found) > 4 else "")
        for what, found in lines.items()
        if found
    ]


def _differ(a: Label, b: Label) -> bool:
    return (type(a), a) != (type(b), b)


def _settle_missing(grouped: G, names: list[str], care: Care, where: str) -> tuple[G, list[str]]:
    """What is to be done with rows that lack a label."""
    grouped = _without_blanks(grouped, names)  # one may have been renamed to nothing
    gone = {name: grouped.columns[name].codes < 0 for name in names}
    lacking = {name: at for name, at in gone.items() if at.any()}
    if not lacking:
        return grouped, []
    told = ", ".join(f"{grouped.size(at)} in {printable(name)}" for name, at in lacking.items())
    bad = np.logical_or.reduce(list(lacking.values()))
    what = f"{grouped.size(bad)} lack a label"
    if grouped.counted:
        what = f"{grouped.counts[bad].sum():,} of {plural(grouped.rows, 'row')} lack a label"
    if care.missing == "error":
        fix = (
            "missing='drop' (--missing drop) leaves them out; "
            "missing='class' (--missing class) makes “missing” a class of its own"
        )
        raise InputError(Fault("CM103", what, where, f"missing: {told}", fix))
    if care.missing == "drop":
        if bad.all():
            fix = "missing='class' (--missing class) keeps them"
            raise InputError(Fault("CM002", "no rows are left", where, f"missing: {told}", fix))
        kept = grouped.where(~bad)
        for name in names:  # classes of rows that are gone are gone too
            kept = kept.with_column(name, kept.columns[name].used())
        return kept, [f"{grouped.size(bad)} without a label left out (missing: {told})"]
    for name in lacking:
        column = grouped.columns[name]
        if MISSING in column.categories:
            what = f"“{MISSING}” is a label of {printable(name)} already"
            fix = "rename it, e.g. rename={'missing': 'gone'} (--map missing=gone)"
            raise InputError(Fault("CM103", what, where, fix=fix))
        filled = np.where(column.codes < 0, len(column.categories), column.codes)
        categories = (*column.categories, MISSING)
        grouped = grouped.with_column(name, replace(column, codes=filled, categories=categories))
    return grouped, [f"missing labels are a class of their own ({told})"]


def _check_renamed(grouped: Grouped, names: list[str], care: Care, where: str) -> None:
    """Every label to be renamed must have occurred."""
    plain = replace(care, rename={})
    seen = {plain.label(x) for name in names for x in grouped.columns[name].categories}
    unused = [old for old in care.rename if meant(old, list(seen)) not in seen]
    if unused:
        what = f"no label is called {quoted(unused[0])}, so none can be renamed"
        fix = did_you_mean(str(unused[0]), map(str, seen), f"labels: {shorten(seen)}")
        raise InputError(Fault("CM107", what, where, fix=fix))


def look_alikes(grouped: Grouped, names: list[str]) -> list[str]:
    """Labels that differ in case, blanks or unicode form only: kept apart, and said."""
    labels = sorted(
        {x for name in names for x in grouped.columns[name].categories if isinstance(x, str)}
    )
    seen: dict[str, list[str]] = {}
    for label in labels:
        plain = " ".join(unicodedata.normalize("NFKC", label).casefold().split())
        seen.setdefault(plain, []).append(label)
    return [
        f"labels kept apart although they look alike: {shorten(_told_apart(twins), 4)}"
        for twins in seen.values()
        if len(twins) > 1
    ]


def _told_apart(twins: Sequence[str]) -> list[str]:
    """In quotes; by the codes of their letters where they would look the same in print."""
    same = len({unicodedata.normalize("NFC", x) for x in twins}) < len(twins)
    return [ascii(x) if same else repr(x) for x in twins]

"""What `chancemeter compare` prints."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping
from math import isnan
from typing import Any

import chancemeter as cm
from chancemeter.comparison.chance_terms import difference_of_chance
from chancemeter.comparison.compare import Comparison
from chancemeter.comparison.data_sets import ComparisonOverDataSets
from chancemeter.comparison.differences import signed
from chancemeter.comparison.flips import told
from chancemeter.datasets import CriticalDifference
from chancemeter.errors import aligned, plural, printable, shorten
from chancemeter.figures import number, percent
from chancemeter.intervals.result import in_brackets
from chancemeter.outcomes import Belief, Family, Outcome, p_text
from chancemeter.tables import cases

Pair = tuple[str, str]
#: A relative difference of chance below this is not mentioned.
_WORTH_SAYING = 0.05


def screen(found: Comparison) -> Iterator[str]:
    """Models on the same cases, or each on its own."""
    if found.paired:
        yield f"{cases(found.tables.counts[0].sum())}, the same for all models"
    else:
        yield f"{plural(len(found.names), 'model')}, each on cases of its own"
    yield ""
    if len(found.names) == 2:
        yield from _two_models(found)
    else:
        yield from _values(found)
        yield ""
        yield from _differences(found)
        yield ""
        yield from _places(found)
    yield from _of_chance(found)
    yield from _who_is_right(found)
    yield from _algorithms(found)
    yield from _verdicts(told(found.flips))
    for x in found.differences:
        yield from (f"  note: {_names(x.first, x.second)}, {x.measure}: {y}" for y in x.notes)
    yield from (f"  note: {note}" for note in found.notes)


def screen_of_data_sets(found: ComparisonOverDataSets) -> Iterator[str]:
    """Models on many data sets."""
    several = max(len(g.datasets) for g in found.grids.values())
    yield f"{plural(len(found.names), 'model')} on {plural(several, 'data set')}"
    for key, g in found.grids.items():
        yield ""
        p = p_text(found.overall[key].p)
        yield f"  by {key}: any difference between models (Iman–Davenport) p {p}"
        yield from _ranks(found.ranks[key], g.values.mean(1), g.models)
        yield ""
        yield from _family(found.pairs[key], "Wilcoxon", found.beliefs.get(key, {}))
    lead = found.measures[0]
    for key, where in found.reordered.items():
        all_of = plural(len(found.grids[key].datasets), "data set")
        yield f"\n  {key} orders the models otherwise than {lead} on {len(where)} of {all_of}"
    yield from _verdicts(told(found.flips))
    yield from (f"  note: {note}" for note in found.notes)


def screen_of_power(needed: list[dict[str, Any]], power: float) -> Iterator[str]:
    """How many cases it takes."""
    yield f"\n  Cases that show differences as large as these with a power of {power:g}"
    rows = [["", "", "difference", "cases"]]
    for x in needed:
        shown = "undefined" if x["difference"] is None else signed(x["difference"])
        enough = "no number" if x["n"] is None else f"{x['n']:,}"
        rows.append([_names(x["first"], x["second"]), x["measure"], shown, enough])
    yield from (f"  {line}" for line in aligned(rows, (0, 1)))


def _verdicts(sentences: list[str]) -> Iterator[str]:
    """Where measures disagree."""
    for x in sentences:
        yield ""
        text = f"the verdict changes: {printable(x, 600)}"
        yield from textwrap.wrap(text, 100, initial_indent="  ", subsequent_indent="    ")


def _names(a: str, b: str) -> str:
    return f"{printable(a, 24)} − {printable(b, 24)}"


def _shown(key: str, x: float) -> str:
    return percent(x) if key == "accuracy" else number(x)


def _bare(p: float) -> str:
    """A p-value in a column of them."""
    return p_text(p).removeprefix("= ")


def _two_models(found: Comparison) -> Iterator[str]:
    """A line for each measure: both models and their difference, with intervals."""
    level = f"{100 * found.differences[0].level:g}% interval"
    first, second = (printable(name, 24) for name in found.names)
    rows = [["", first, level, second, level, "difference", level, ""]]
    for x in found.differences:
        row = [x.measure]
        for known in found.intervals[x.measure]:
            row += [_shown(x.measure, known.value), in_brackets(known.low, known.high)]
        rows.append([*row, signed(x.value), in_brackets(x.low, x.high), f"p {p_text(x.p)}"])
        if x.measure == "accuracy":
            one, two = (percent(level) for level in cm.get("expected_cohen")(found.tables))
            rows.append(["by chance", one, "", two, "", "", "", ""])
    yield from (f"  {line}" for line in aligned(rows, (0, 2, 4, 6, 7)))


def _values(found: Comparison) -> Iterator[str]:
    """A line for each model."""
    heads, columns = ["model"], [[printable(name, 24) for name in found.names]]
    for key in found.measures:
        heads.append(key)
        columns.append([_shown(key, x.value) for x in found.intervals[key]])
        if key == "accuracy":
            heads.append("by chance")
            columns.append([percent(x) for x in cm.get("expected_cohen")(found.tables)])
    for line in aligned([heads, *map(list, zip(*columns, strict=True))]):
        yield f"  {line}"


def _differences(found: Comparison) -> Iterator[str]:
    """Every two models, a line for each measure."""
    level = f"{100 * found.differences[0].level:g}% interval"
    rows = [["", "", "difference", level, "p", f"by {found.adjustment}"]]
    seen = ""
    order = {name: i for i, name in enumerate(found.names)}
    for x in sorted(found.differences, key=lambda x: (order[x.first], order[x.second])):
        title = _names(x.first, x.second)
        limits = in_brackets(x.low, x.high)
        ps = _bare(x.p), _bare(x.adjusted_p)
        rows.append(["" if title == seen else title, x.measure, signed(x.value), limits, *ps])
        seen = title
    yield from (f"  {line}" for line in aligned(rows, (0, 1, 3)))


def _of_chance(found: Comparison) -> Iterator[str]:
    """How much more chance gives to one model than to another."""
    levels = {name: x for name, x in found.chance.items() if not isnan(x)}
    if len(levels) > 1 and (apart := difference_of_chance(list(levels.values()))) >= _WORTH_SAYING:
        least, most = min(levels, key=levels.__getitem__), max(levels, key=levels.__getitem__)
        names = f"{printable(most, 24)} than to {printable(least, 24)}"
        yield f"\n  Chance gives {percent(apart)} more to {names}."


def _who_is_right(found: Comparison) -> Iterator[str]:
    """Who alone is right how often."""
    right = found.tests.get("right")
    if not isinstance(right, Family):
        return
    yield ""
    by = "" if len(found.right) == 1 else f" by {right.adjustment}"
    for (a, b), cells in found.right.items():
        only = f"Only {printable(a, 24)} right: {cells[0, 1]:,}"
        other = f"only {printable(b, 24)} right: {cells[1, 0]:,}"
        yield f"  {only}; {other} (McNemar mid-p {p_text(right[a, b])}{by})"
    of_all = found.tests.get("right_of_all")
    if isinstance(of_all, Outcome):
        yield f"  All models right equally often: Cochran's Q p {p_text(of_all.p)}"


def _algorithms(found: Comparison) -> Iterator[str]:
    """What the folds say of the algorithms, which is not what the cases say of the predictions."""
    if not found.algorithms:
        return
    several = next(iter(next(iter(found.algorithms.values())).outcomes.values()))
    folds = several.n + several.left_out
    yield f"\n  These algorithms, trained on other samples: corrected t over {folds} folds"
    yield "  (above: these predictions; this is approximate, and cautious with stable learners)"
    for key, family in found.algorithms.items():
        yield f"\n  by {key}"
        yield from _family(family, "t", found.beliefs.get(key, {}))


def _family(family: Family, test: str, beliefs: Mapping[Pair, Belief]) -> Iterator[str]:
    """A line for every two models: how much they differ, p, and what is likely."""
    several = len(family.outcomes) > 1
    rows = [["", "difference", f"p ({test})", *([f"by {family.adjustment}"] if several else [])]]
    if beliefs:
        rope = next(iter(beliefs.values())).settings["rope"]
        rows[0] += ["worse", f"within ±{rope:g}", "better"]
    for (a, b), x in family.outcomes.items():
        row = [_names(a, b), signed(x.effects.get("difference", float("nan"))), _bare(x.p)]
        row += [_bare(family.adjusted[a, b])] if several else []
        if beliefs:
            likely = beliefs[a, b]
            row += [_likely(share) for share in (likely.left, likely.within, likely.right)]
        rows.append(row)
    yield from (f"  {line}" for line in aligned(rows))
    told: dict[str, list[str]] = {}
    for (a, b), x in family.outcomes.items():
        for note in (*x.notes, *([x.undefined] if x.undefined else [])):
            told.setdefault(note, []).append(_names(a, b))
    for note, pairs in told.items():
        where = "" if len(pairs) == len(family.outcomes) > 1 else f"{shorten(pairs, 3)}: "
        yield f"  note: {where}{note}"


def _places(found: Comparison) -> Iterator[str]:
    """A line for each model: its place by each measure, and how likely each place is."""
    yield "  The place of each model, and how likely each place is among samples like this"
    rows: list[list[str]] = []
    for ranking in found.rankings:
        sure = ranking.chances
        places = [] if sure is None else [f"{i + 1}." for i in range(len(found.names))]
        rows.append([f"by {ranking.measure}", "place", *places])
        for i, name in enumerate(found.names):
            likely = [] if sure is None else [_likely(x) for x in sure[i]]
            rows.append([printable(name, 24), f"{ranking.ranks[i]:g}", *likely])
    yield from (f"  {line}" for line in aligned(rows))


def _likely(x: float) -> str:
    """A probability that was drawn or estimated: not more digits than it is known to."""
    return f"{100 * x:.1f}%"


def _ranks(found: CriticalDifference, means: object, models: tuple[str, ...]) -> Iterator[str]:
    """Average ranks, the best first, with a line beside models that cannot be told apart."""
    values = dict(zip(models, means, strict=True))  # type: ignore[call-overload]
    level = f"{100 * found.level:g}%"
    whose = "Nemenyi" if found.control is None else f"Bonferroni–Dunn against {found.control}"
    yield f"  critical difference of average ranks at {level} ({whose}): {found.difference:.2f}"
    rows = [["model", "mean", "rank", ""]]
    for name, rank in found.ranks.items():
        lines = "".join("│ " if name in clique else "  " for clique in found.cliques)
        shown = lines.rstrip()
        rows.append([printable(name, 24), number(float(values[name])), f"{rank:.2f}", shown])
    yield from (f"  {line}" for line in aligned(rows, (0, 3)))
    if found.cliques:
        yield "  │ joins models whose ranks cannot be told apart"

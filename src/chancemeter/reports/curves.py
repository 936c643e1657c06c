"""Every threshold in a report: ROC with lines of equal kappa beside ROC-K, and what moves there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from chancemeter.curves.bands import Band, band
from chancemeter.curves.curve import Curve
from chancemeter.curves.pictures import Drawn, Picture, Trace, kappa_at, picture, trace
from chancemeter.curves.told import SCALARS, Told, limits_of, tell
from chancemeter.errors import InputError, printable
from chancemeter.figures import number, percent
from chancemeter.intervals.result import in_brackets
from chancemeter.reports.document import (
    Beside,
    Cell,
    Chart,
    Dot,
    Grid,
    Line,
    Listing,
    Node,
    Note,
    Row,
    Sentence,
    Span,
    Thresholds,
    text,
)
from chancemeter.reports.findings import Findings

#: A curve of one model has so many points on the page, those of several share half as many more.
POINTS = 400
#: Kappa whose lines of equal value stand in ROC space.
LEVELS = (0.2, 0.4, 0.6, 0.8)
#: Places of the band that the page moves.
_PLACES = 41
#: Steps beyond this are not counted exactly by a script.
_LONGEST = 2**53
#: Curves of more models are not drawn: they could not be told apart.
MOST = 6


def thresholds(report: Findings) -> list[Node]:
    """Nothing without scores; else what ranking and threshold are worth, pictures, and a read-out."""
    curves = dict(list(report.curves.items())[:MOST])
    if not curves:
        return []
    told = {name: tell(c) for name, c in curves.items()}
    most = POINTS if len(curves) == 1 else max(60, 3 * POINTS // (2 * len(curves)))
    kept = {name: trace(c, most, _pointed_at(c, told[name])) for name, c in curves.items()}
    bands = {name: x for name, c in curves.items() if (x := _band(c)) is not None}
    nodes: list[Node] = [Sentence(_sentence(name, curves[name], told[name])) for name in curves]
    nodes += [
        Note(text(Span(printable(name), "name"), f": {found.sentence}"), warning=True)
        for name, found in told.items()
        if found.sentence
    ]
    charts = _charts(curves, told, bands, most)
    spans = {x.key: (round(x.span[2], 6), round(x.span[3], 6)) for x in charts}
    nodes += [_scalars(curves, told), Beside(charts)]
    nodes.append(Thresholds(_data(curves, kept, told, bands, spans)))
    items = [text(x) for x in _notes(report.curves, curves, kept, bands)]
    return [*nodes, Listing("", items)] if items else nodes


def _pointed_at(c: Curve, found: Told) -> list[int]:
    """Thresholds that are to be on the page whatever else is."""
    return [c.place_of(x) for x in (found.chosen.threshold, found.in_use) if x is not None]


def _band(c: Curve) -> Band | None:
    """In ROC space, from which the page has those of kappa at any prevalence."""
    try:
        return band(c, "roc", places=_PLACES, draws=1000)
    except InputError:
        return None


def _sentence(name: str, c: Curve, found: Told) -> tuple[Span, ...]:
    parts: list[str | Span] = [Span(printable(name), "name"), " ranks with an AUC of "]
    parts += [Span(number(c.auc), "strong"), f"; its AUK of {number(c.auk)} is "]
    parts += [f"{percent(c.auk / c.auk_max)} of what is possible with {percent(c.prevalence)} "]
    parts += [f"positives. Kappa is at most {number(found.chosen.value)}, at threshold "]
    parts += [f"{found.chosen.threshold:.4g}"]
    if not found.sentence:  # which says the rest
        parts += [f", and about {number(found.chosen.honest)} there on other cases"]
        if found.in_use is not None:
            parts.append(f"; at {found.in_use:g} it is {number(found.value_in_use)}")
    return text(*parts, ".")


def _scalars(curves: Mapping[str, Curve], told: Mapping[str, Told]) -> Grid:
    rows = [
        Row(Span(says), [_cell(c, key) for c in curves.values()]) for key, says in SCALARS.items()
    ]
    rows.append(
        Row(
            Span("best threshold for kappa"),
            [
                Cell(
                    f"{told[x].chosen.threshold:.4g}",
                    in_brackets(told[x].chosen.low, told[x].chosen.high),
                )
                for x in curves
            ],
        )
    )
    return Grid(
        "Curves, with 95% intervals",
        "area",
        [Span(printable(name), "name") for name in curves],
        rows,
    )


def _cell(c: Curve, key: str) -> Cell:
    value = float(getattr(c, key))
    found = limits_of(c, key)
    return Cell(number(value), in_brackets(*found) if found else "", value=value, limits=found)


def _charts(
    curves: Mapping[str, Curve], told: Mapping[str, Told], bands: Mapping[str, Band], most: int
) -> list[Chart]:
    """ROC and ROC-K; lines of equal kappa are those of the first model's prevalence."""
    marks = {
        name: {"best": x.chosen.threshold}
        | ({f"{x.in_use:g}": x.in_use} if x.in_use is not None else {})
        for name, x in told.items()
    }
    first = next(iter(curves.values()))
    share = percent(first.prevalence)
    alone = len(curves) == 1
    roc = picture(
        curves, "roc", bands=bands, iso="kappa", values=LEVELS, marks=marks, hull=alone, most=most
    )
    of_kappa = {name: _to_kappa(x, curves[name]) for name, x in bands.items()}
    k = picture(curves, "k", bands=of_kappa, marks=marks, most=most)
    about = "; ".join(f"{name}: AUC {number(c.auc)}" for name, c in curves.items())
    hull = ", the thin line the convex hull" if alone else ""
    peaks = "; ".join(f"{name}: at most {number(x.chosen.value)}" for name, x in told.items())
    return [
        _chart(roc, "roc", f"{about}. Dotted: equal kappa at {share} positives{hull}."),
        _chart(k, "k", f"{peaks}. At {share} positives."),
    ]


def _to_kappa(found: Band, c: Curve) -> Band:
    """The band of rates as one of kappa, for the prevalence that is seen."""
    low, value, high = (
        kappa_at(found.x, t, c.prevalence) for t in (found.low, found.value, found.high)
    )
    return Band("k", found.kind, found.level, found.x, low, value, high, found.signature)


def _chart(found: Picture, key: str, told: str) -> Chart:
    space = found.space
    # colours go by who comes first: the script counts on the order of the models
    lines = [_line(x) for x in sorted(found.lines, key=lambda x: x.kind != "curve")]
    dots = [Dot((s.x, s.y), s.name, f"{s.name}: {s.label}") for s in found.spots]
    return Chart(space.title, space.x_label, space.y_label, lines, told, dots, found.box, key)


def _line(x: Drawn) -> Line:
    kind: Literal["band", "curve", "guide"] = "guide"
    if x.kind in {"band", "curve"}:
        kind = "band" if x.kind == "band" else "curve"
    label = x.label if x.kind == "iso" else ""
    points = np.stack([x.x, x.y], -1).tolist()
    return Line(points, x.name, kind, label)


def _data(
    curves: Mapping[str, Curve],
    kept: Mapping[str, Trace],
    told: Mapping[str, Told],
    bands: Mapping[str, Band],
    spans: Mapping[str, tuple[float, float]],
) -> dict[str, Any]:
    """What the page needs to work all out again at other prevalences and costs."""
    models = []
    for name, c in curves.items():
        places = kept[name].places
        model: dict[str, Any] = {
            "name": printable(name),
            "tp": packed(c.tp[places].tolist()),
            "fp": packed(c.fp[places].tolist()),
            **_thresholds([_short(x) for x in c.thresholds[places]]),
        }
        if told[name].in_use is not None:
            model["use"] = told[name].in_use
        if name in bands:
            edges = bands[name]
            model["band"] = [
                packed([round(1000 * float(v)) for v in x]) for x in (edges.low, edges.high)
            ]
        models.append(model)
    first = next(iter(curves.values()))
    return {
        "prevalence": first.prevalence,
        "levels": LEVELS,
        "sign": first.direction,
        "spans": spans,
        "labels": [printable(x, 40) for x in first.labels],
        "models": models,
    }


def packed(values: Sequence[float]) -> str | list[float]:
    """Whole numbers that never fall, as steps: capitals are higher digits, of 26, others the last, of 36.

    Others stay as they are.

    >>> packed([0, 3, 14, 14, 14 + 40])
    '03b0B4'
    >>> packed([0, 0.5])
    [0, 0.5]
    """
    steps = [b - a for a, b in pairwise([0, *values])]
    if any(x < 0 or x != int(x) or x > _LONGEST for x in steps):
        return [int(x) if float(x).is_integer() else round(x, 6) for x in values]
    return "".join(_digits(int(x)) for x in steps)


def _digits(step: int) -> str:
    high, last = divmod(step, 36)
    found = "0123456789abcdefghijklmnopqrstuvwxyz"[last]
    while high:
        high, digit = divmod(high, 26)
        found = chr(65 + digit) + found
    return found


def _thresholds(values: list[float | str]) -> dict[str, Any]:
    """All but the first as steps of their last decimal, where they have one: scale, start, steps."""
    first, *rest = values
    scale = next((10**d for d in range(9) if all(_whole(x, 10**d) for x in rest)), None)
    if scale is None or not rest:
        return {"at": values}
    whole = [round(float(x) * scale) for x in rest]
    return {"at": [first], "steps": [scale, whole[0], packed([abs(x - whole[0]) for x in whole])]}


def _whole(x: float | str, scale: int) -> bool:
    """Whether a number is one of so many parts, to the last digit that is printed."""
    return not isinstance(x, str) and abs(x) * scale < _LONGEST and round(x * scale) / scale == x


def _short(x: float) -> float | str:
    if np.isinf(x):
        return "∞" if x > 0 else "−∞"
    short = float(f"{x:.5g}")
    return int(short) if short.is_integer() else short


def _notes(
    all: Mapping[str, Curve],
    curves: Mapping[str, Curve],
    kept: Mapping[str, Trace],
    bands: Mapping[str, Band],
) -> Iterator[str]:
    for name, c in curves.items():
        for note in filter(None, (*c.notes, kept[name].note)):
            if note.startswith("truth from column"):
                continue  # the report has said so
            yield f"{printable(name)}: {note}"
        if name not in bands:
            yield f"{printable(name)}: too few cases of one class for a band"
    if bands:
        yield (
            "The bands hold the whole curve with 95% confidence; those of kappa take the share of "
            "positives for known"
        )
    if len(all) > len(curves):
        yield f"{len(all) - len(curves)} more models are not drawn"
    shares = list(dict.fromkeys(percent(c.prevalence) for c in curves.values()))
    if len(shares) > 1:
        yield f"Shares of positives differ ({', '.join(shares)}): the slider sets one for all models"

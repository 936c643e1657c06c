"""Lines over two axes as SVG: shapes are stretched to the room there is, words never are."""

from __future__ import annotations

import math
from html import escape
from itertools import pairwise
from typing import TypeAlias

from chancemeter.errors import printable
from chancemeter.reports.document import Chart, Dot, Line

#: Shapes are drawn on a square of this size; finer than can be seen.
_SIDE = 1000
_LONG = "1e3"
#: Points of a curve this far beside the way are left out, some one and a half pixels; of a band a
#: quarter more. The script draws curves again from every point it has.
_SEEN = 4
Points: TypeAlias = list[tuple[int, int]]
#: So many models have a colour of their own.
COLOURS = 6


def chart(given: Chart) -> str:
    """A figure: the title, the drawing, and which colour is which model."""
    shown: list[Line | Dot] = [*given.lines, *given.dots]
    names = list(dict.fromkeys(x.name for x in shown if x.name))
    colours = {name: i % COLOURS for i, name in enumerate(names)}
    lines = sorted(given.lines, key=lambda x: ("band", "guide", "curve").index(x.kind))
    shapes = "".join(_line(x, given, colours) for x in lines)
    dots = "".join(_dot(x, given, colours) for x in given.dots)
    words = "".join(_label(x, given) for x in lines if x.label)
    key = f' data-chart="{escape(given.key)}"' if given.key else ""
    told = escape(f"{given.title}: {given.told}")
    legend = "".join(f'<li class="m{colours[name]}">{_bdi(name)}' for name in names if name)
    return (
        f"<figure{key}><figcaption><b>{escape(given.title)}</b></figcaption>"
        f'<svg class="chart" role="img" aria-label="{told}">{_axes(given, shapes)}'
        f"{dots}{words}</svg>"
        f"{f'<ul class=legend>{legend}</ul>' if len(names) > 1 else ''}</figure>"
    )


def _bdi(name: str) -> str:
    return escape(name) if name.isascii() else f"<bdi>{escape(name)}</bdi>"


def _axes(given: Chart, shapes: str) -> str:
    """Shapes on the lines of the grid, with numbers, and what the axes are."""
    x0, x1, y0, y1 = given.span
    lines, below, left = [], [], []
    for tick in _ticks(x0, x1):
        share = (tick - x0) / (x1 - x0)
        lines.append(f"M{round(_SIDE * share)} 0v{_LONG}")
        below.append(f"<text{_at('x', share)}>{tick:.3g}</text>")
    for tick in _ticks(y0, y1):
        share = (y1 - tick) / (y1 - y0)
        lines.append(f"M0 {round(_SIDE * share)}h{_LONG}")
        left.append(f"<text{_at('y', share)}>{tick:.3g}</text>")
    below.append(f"<text x=50% dy=36>{escape(given.across)}</text>")
    up = f"<text dx=-34 dy=-22>{escape(given.up)}</text>"
    drawn = _stretched(f'<path class=g d="{"".join(lines)}"/>{shapes}')
    return f"{drawn}<svg class=x y=100%>{''.join(below)}</svg><g class=y>{''.join(left)}</g>{up}"


def _at(axis: str, share: float) -> str:
    return f" {axis}={_percent(share)}" if share else ""


def _stretched(shapes: str) -> str:
    """Shapes that fill the drawing, whatever its sides."""
    return f'<svg viewBox="0 0 {_SIDE} {_SIDE}" preserveAspectRatio=none>{shapes}</svg>'


def _ticks(start: float, end: float) -> list[float]:
    """Round numbers on an axis, some five of them.

    >>> _ticks(0, 1), _ticks(-0.2, 1)
    ([0.0, 0.2, 0.4, 0.6, 0.8, 1.0], [-0.2, 0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    """
    power = 10.0 ** math.floor(math.log10((end - start) / 5))
    step = next(power * x for x in (1, 2, 5, 10) if (end - start) / (power * x) <= 6.5)
    first, last = math.ceil(start / step - 1e-9), math.floor(end / step + 1e-9)
    return [round(i * step, 12) for i in range(first, last + 1)]


def _place(point: tuple[float, float], given: Chart) -> tuple[float, float]:
    """In shares of the width, and of the height from above."""
    x0, x1, y0, y1 = given.span
    return (point[0] - x0) / (x1 - x0), (y1 - point[1]) / (y1 - y0)


def path(given: Chart, line: Line) -> str:
    """The points as short as SVG allows: steps from one to the next, in whole numbers.

    Points that lie on the way from one to another, but for less than can be seen, are left out.

    >>> from chancemeter.reports.document import Chart, Line
    >>> path(Chart("", "", "", [], ""), Line([(0, 0), (0.25, 0.4), (0.5, 0.8), (1, 1)]))
    'M0 1000l500-800 500-200'
    """
    at = [_place(p, given) for p in line.points]
    if not at:
        return ""
    off = _SEEN if line.kind == "curve" else 1.25 * _SEEN
    kept = _straightened([(round(_SIDE * x), round(_SIDE * y)) for x, y in at], off)
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(kept)]
    moved = " ".join(f"{dx} {dy}" for dx, dy in steps if dx or dy).replace(" -", "-")
    return f"M{kept[0][0]} {kept[0][1]}" + (f"l{moved}" if moved else "")


def _straightened(points: Points, off: float) -> Points:
    """Without points that lie no more than `off` beside the way from one kept point to the next."""
    kept, open_ = {0, len(points) - 1}, [(0, len(points) - 1)]
    while open_:
        first, last = open_.pop()
        (x0, y0), (x1, y1) = points[first], points[last]
        dx, dy = x1 - x0, y1 - y0
        long = math.hypot(dx, dy)
        apart = [
            abs((x - x0) * dy - (y - y0) * dx) / long if long else math.hypot(x - x0, y - y0)
            for x, y in points[first + 1 : last]
        ]
        if apart and max(apart) > off:
            middle = first + 1 + apart.index(max(apart))
            kept.add(middle)
            open_ += [(first, middle), (middle, last)]
    return [points[i] for i in sorted(kept)]


def _line(line: Line, given: Chart, colours: dict[str, int]) -> str:
    colour = f" m{colours[line.name]}" if line.name else ""
    closed = "Z" if line.kind == "band" else ""
    return f'<path class="{line.kind}{colour}" d="{path(given, line)}{closed}"/>'


def _dot(dot: Dot, given: Chart, colours: dict[str, int]) -> str:
    x, y = (_percent(v) for v in _place(dot.at, given))
    colour = f" class=m{colours[dot.name]}" if dot.name else ""
    title = f"<title>{escape(printable(dot.label, 200))}</title>" if dot.label else ""
    return f"<circle{colour} cx={x} cy={y}>{title}</circle>"


def _label(line: Line, given: Chart) -> str:
    x, y = (_percent(min(max(v, 0), 1)) for v in _place(line.points[-1], given))
    return f"<text class=guide x={x} y={y}>{escape(line.label)}</text>"


def _percent(share: float) -> str:
    return f"{100 * share:.1f}".rstrip("0").rstrip(".") + "%"

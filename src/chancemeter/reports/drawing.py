"""Shapes as SVG: drawn in shares of the width, so that nothing is bent on a narrow screen."""

from __future__ import annotations

from html import escape

from chancemeter.reports.document import Bar, Cell

#: What every drawing may use; it stands once on a page.
PATTERNS = (
    '<svg width="0" height="0" aria-hidden="true" class="defs">'
    '<pattern id="cm-hatch" width="7" height="7" patternUnits="userSpaceOnUse" '
    'patternTransform="rotate(45)"><rect width="7" height="7" class="f"/>'
    '<path d="M1 0V7"/></pattern></svg>'
)


def chance_bar(bar: Bar) -> str:
    """Accuracy as chance and earned, and below it the rest, enlarged: what is filled is kappa."""
    accuracy, by_chance, kappa = bar.shares
    if accuracy != accuracy:  # noqa: PLR0124  (nan)
        return ""
    if kappa != kappa:  # noqa: PLR0124
        label = f"{bar.name}: {bar.right} right; chance cannot be told"
        inner = _rect("f", 0, accuracy) + _rect("o", 0, 1)
        return _svg("bar short", label, inner)
    label = f"{bar.name}: kappa {bar.kappa}"  # the words above it say the rest
    low, high = sorted((accuracy, by_chance))
    inner = _rect("c", 0, low)
    inner += _rect("" if accuracy >= by_chance else "l", low, high)
    inner += _rect("o", 0, 1)
    inner += (
        '<svg y=25 height=18 viewBox="0 0 100 10" preserveAspectRatio=none>'
        f'<path class=z d="M{_p(by_chance)} 0H100V10H0Z"/></svg>'
    )
    inner += _rect("", 0, min(max(kappa, 0), 1), 43) + _rect("o", 0, 1, 43)
    if bar.limits:
        start, end = (min(max(x, 0), 1) for x in bar.limits)
        places = [(start, end, 55, 55), (start, start, 50, 60), (end, end, 50, 60)]
        inner += "".join(f"<line x1={_p(a)}% x2={_p(b)}% y1={y} y2={z} />" for a, b, y, z in places)
    return _svg("bar", label, inner)


def small_bar(accuracy: float, by_chance: float) -> str:
    """The chance bar in a line of a table, whose figures say the same."""
    inner = _rect("c", 0, min(accuracy, by_chance), 0, 1)
    if accuracy >= by_chance:  # what is earned looks out behind it
        inner = _rect("", 0, accuracy, 0, 1) + inner
    else:
        inner += _rect("l", accuracy, by_chance, 0, 1)
    return f"<svg class=mini aria-hidden=true>{inner}</svg>"


def track(cell: Cell, scale: tuple[float, float]) -> str:
    """A value and its interval on a scale."""
    if cell.limits is None or cell.value is None:
        return ""
    start, end = scale
    low, high, at = ((x - start) / (end - start) for x in (*cell.limits, cell.value))
    zero = "" if start == 0 else "<line class=n x1=50% x2=50% y1=-4 y2=4 />"
    return (
        f"<svg class=track aria-hidden=true>{zero}<line x1={_p(low, 1)}% "
        f"x2={_p(high, 1)}% /><circle cx={_p(at, 1)}% /></svg>"
    )


def _svg(kind: str, label: str, inner: str) -> str:
    return f'<svg class="{kind}" role="img" aria-label="{escape(label)}">{inner}</svg>'


def _rect(kind: str, start: float, end: float, y: int = 1, digits: int = 2) -> str:
    """Its height is a matter of style."""
    left = f" x={_p(start, digits)}%" if start else ""
    down = f" y={y}" if y else ""
    named = f" class={kind}" if kind else ""  # what is earned has no name: it is the default
    return f"<rect{named}{left}{down} width={_p(end - start, digits)}% />"


def _p(share: float, digits: int = 2) -> str:
    """Percent with as many digits as can be seen."""
    found = f"{100 * share:.{digits}f}"
    return found.rstrip("0").rstrip(".") if "." in found else found

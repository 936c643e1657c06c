"""A picture of each measure over ROC space: what it is worth to find more, and to alarm less.

Every point is a classifier; colours are values of the measure, lines join equal values. The left
half has classes of one size, on the right one case in ten is of the class.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

import chancemeter as cm
from chancemeter.registry import Measure

mpl.use("agg")
from matplotlib import pyplot as plt

PREVALENCES = (0.5, 0.1)
#: Points to each side.
_SIDE = 61
#: Cases of a table.
_CASES = 1000.0


def over_roc_space(m: Measure[...], prevalence: float) -> tuple[Any, Any]:
    """False alarms along the axis, and the values with hits upwards; nan where undefined."""
    axis = np.linspace(0, 1, _SIDE)
    alarms, hits = np.meshgrid(axis, axis)
    ill, well = prevalence * _CASES, (1 - prevalence) * _CASES
    rows = np.stack(
        [
            np.stack([ill * hits, ill * (1 - hits)], -1),
            np.stack([well * alarms, well * (1 - alarms)], -1),
        ],
        -2,
    )
    values = np.asarray(m(rows), dtype=float)
    if m.card.level == "class":
        values = values[..., 0]
    return axis, np.where(np.isfinite(values), values, np.nan)


def draw(m: Measure[...], path: Path) -> None:
    """Both halves as a PNG of a few KB."""
    found = [over_roc_space(m, p) for p in PREVALENCES]
    known = np.concatenate([values[~np.isnan(values)] for _, values in found])
    low, high = _ends(m, known)
    figure, both = plt.subplots(1, 2, figsize=(6.4, 3.1), layout="constrained", sharey=True)
    shown = None
    for ax, (axis, values), prevalence in zip(both, found, PREVALENCES, strict=True):
        shown = ax.imshow(
            values, origin="lower", extent=(0, 1, 0, 1), vmin=low, vmax=high, cmap="PuOr"
        )
        if len(np.unique(values[~np.isnan(values)])) > 1:
            levels = np.linspace(low, high, 9)[1:-1]
            ax.contour(
                axis, axis, values, levels, colors="0.25", linewidths=0.7, linestyles="solid"
            )
        ax.plot([0, 1], [0, 1], color="0.2", lw=0.8, ls=":")
        ax.set(title=f"prevalence {prevalence:g}", xlabel="false alarms", xticks=(0, 0.5, 1))
    both[0].set(ylabel="hits", yticks=(0, 0.5, 1))
    figure.colorbar(shown, ax=both, label=m.key, shrink=0.9)
    figure.savefig(path, dpi=90, metadata={"Software": None})
    plt.close(figure)


def _ends(m: Measure[...], known: Any) -> tuple[float, float]:
    """From where to where colours go: around the value by chance if there is one."""
    if not known.size:
        return 0.0, 1.0
    low, high = (float(x) for x in np.percentile(known, [1, 99]))
    if np.isfinite(m.card.range).all():
        low, high = float(known.min()), float(known.max())
    if m.card.by_chance is not None and low < float(m.card.by_chance) < high:
        wide = max(high - m.card.by_chance, m.card.by_chance - low)
        low, high = m.card.by_chance - wide, m.card.by_chance + wide
    return (low, high) if high > low else (low - 0.5, low + 0.5)


def draw_all(folder: Path, measures: Iterable[Measure[...]]) -> None:
    """One for each measure."""
    folder.mkdir(parents=True, exist_ok=True)
    for m in measures:
        draw(m, folder / f"{m.key}.png")


if __name__ == "__main__":
    draw_all(Path(sys.argv[1]), cm.every())

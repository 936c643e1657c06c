"""Figures 1 to 4 of Ben-David (2008), redrawn from the formulas, and two of our own for the docs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import chancemeter as cm
from chancemeter.curves.spaces import chance_and_kappa, on_the_line_of
from chancemeter.plots import Figured, as_bytes

FOLDER = Path(__file__).parents[1] / "docs" / "figures"
EXAMPLES = Path(__file__).parents[1] / "examples"
INK, SOFT = "#0a7a52", "0.45"

#: What the paper draws: a share of positives, shares called positive, how many points of each.
FIGURES = {
    1: (0.5, (0.5,), 11),
    2: (0.5, (0.5,), 11),
    3: (0.7, (0.6,), 7),
    4: (0.7, (0.5, 0.6, 0.7, 0.8, 0.9), 7),
}


def lines(number: int) -> list[tuple[float, np.ndarray, np.ndarray, np.ndarray]]:
    """For each line of a figure the share called positive, FP, TP and kappa of its points."""
    prevalence, shares, points = FIGURES[number]
    found = []
    for said in shares:
        fp, tp = on_the_line_of(said, prevalence, points)
        found.append((said, fp, tp, chance_and_kappa(fp, tp, prevalence)[1]))
    return found


class Drawn(Figured):
    """One of the four figures."""

    def __init__(self, number: int) -> None:
        """Draw it."""
        prevalence, shares, _ = FIGURES[number]
        over_kappa = number in {2, 4}
        ax = self._start(None, (5.6, 4.6))
        for said, fp, tp, kappa in lines(number):
            y, told = (kappa, tp) if over_kappa else (tp, kappa)
            marked = number != 4 or said == 0.6
            ax.plot(
                fp, y, "s-" if marked and number == 4 else "o-", color=INK, ms=5 if marked else 3
            )
            if number == 4:
                ax.text(fp[-1], y[-1], f"  {said:g}", va="center", color=SOFT, fontsize="small")
                continue
            for x, height, value in zip(fp, y, told, strict=True):
                ax.annotate(
                    f"{value:.2f}",
                    (x, height),
                    xytext=(5, 4),
                    textcoords="offset points",
                    fontsize="small",
                )
        if prevalence == 0.5:
            ax.plot(0.25, 0 if over_kappa else 0.25, "o", ms=14, mfc="none", mec=SOFT)
        written = f"P = {prevalence:g}" + (f", P̄ = {shares[0]:g}" if len(shares) == 1 else ", by P̄")
        ax.set(
            xlabel="FP (share of all cases)",
            ylabel="kappa" if over_kappa else "TP (share of all cases)",
            title=f"{'Kappa' if over_kappa else 'TP'} over FP, {written}",
        )
        ax.grid(color="0.92")
        ax.axhline(0, color="0.7", lw=1, zorder=0) if over_kappa else None


def _of_examples(display: type[Any], **options: Any) -> Callable[[], Any]:
    curves = {
        name: cm.curve(EXAMPLES / f"{name}.csv", "score", true="y_true")
        for name in ("forest", "logreg")
    }
    bands = {name: cm.band(c, display.space) for name, c in curves.items()}
    return lambda: display(curves, bands).plot(**options)


def main() -> None:
    """Write them all."""
    FOLDER.mkdir(exist_ok=True)
    for number in FIGURES:
        raw = as_bytes(lambda number=number: Drawn(number), "svg")
        (FOLDER / f"ben-david-2008-{number}.svg").write_bytes(raw)
    for name, display in (("roc", cm.RocDisplay), ("roc-k", cm.RocKDisplay)):
        (FOLDER / f"{name}.svg").write_bytes(as_bytes(_of_examples(display), "svg"))


if __name__ == "__main__":
    main()

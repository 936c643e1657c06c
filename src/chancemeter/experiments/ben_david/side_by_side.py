"""Ours beside the print, cell by cell: equal, within its interval, or not, and why not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter.experiments.ben_david.printed import MEASURES, as_printed, panel_of
from chancemeter.experiments.ben_david.recipes import COLUMNS, NOT_RECOVERED
from chancemeter.experiments.ben_david.sources import needs_folder
from chancemeter.experiments.grid import Grid
from chancemeter.experiments.values import Panel
from chancemeter.outcomes import fit_for_json

#: Half of the last printed digit, and the dust of doubles.
_ROUNDING = 0.5e-4 + 1e-9
VERDICTS = ("equal", "within", "outside")
_STANDIN = "a stand-in of scikit-learn, not the study's classifier"
_FOREST = "WEKA 3.5.3, which the study used, grew its forests from other random numbers"
_PRIVATE = "private data"


@dataclass(frozen=True)
class Compared:
    """One data set and classifier: the six numbers of the study, ours and as printed."""

    dataset: str
    classifier: str
    ours: tuple[float, ...]
    """Accuracy, kappa and chance, each with its half width."""
    printed: tuple[float, ...]
    margins: tuple[float, float]
    """Our chance from the margins, with its half width: the number that the study should show."""
    why: str = ""
    """Why they are not equal, as far as that is known."""

    @property
    def verdict(self) -> str:
        """``equal`` in all six numbers to four decimals; accuracy and kappa ``within`` intervals."""
        apart = np.abs(np.subtract(self.ours, self.printed))
        if (apart <= _ROUNDING).all():
            return "equal"
        half = np.array([self.printed[1], self.printed[3]])
        return "within" if (apart[[0, 2]] <= half + _ROUNDING).all() else "outside"


@dataclass(frozen=True, eq=False)
class Study:
    """The study run again."""

    grid: Grid
    made_by: str
    panel: Panel
    cells: tuple[Compared, ...]

    @property
    def absent(self) -> dict[str, str]:
        """The study's data sets that were not run, and why."""
        why = {}
        for name in as_printed().datasets:
            if name not in self.grid.datasets:
                folder = name in COLUMNS and needs_folder(name)
                why[name] = _PRIVATE if name not in COLUMNS else "not asked for"
                why[name] = (
                    "no package has the rows (--data FOLDER, or --openml)" if folder else why[name]
                )
        return why

    def tally(self, *, recovered: bool = False) -> dict[str, int]:
        """How many cells come to each verdict; recovered: of the data and classifiers that can."""
        cells = [
            x
            for x in self.cells
            if not recovered or (x.dataset not in NOT_RECOVERED and x.classifier != "RandomForest")
        ]
        return {v: sum(x.verdict == v for x in cells) for v in VERDICTS} | {"of": len(cells)}

    def cell(self, dataset: str, classifier: str) -> Compared:
        """One of them."""
        return next(x for x in self.cells if (x.dataset, x.classifier) == (dataset, classifier))

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words, fit for JSON."""
        names = [x for m in MEASURES for x in (m, f"{m} ±")]
        cells = [
            {
                "dataset": x.dataset,
                "classifier": x.classifier,
                "verdict": x.verdict,
                "why": x.why,
                "ours": dict(zip(names, x.ours, strict=True)),
                "printed": dict(zip(names, x.printed, strict=True)),
                "chance from the margins": x.margins[0],
            }
            for x in self.cells
        ]
        found = {
            "study": "ben-david-2007",
            "made by": self.made_by,
            "verdicts": self.tally(),
            "verdicts where data and classifier are recovered": self.tally(recovered=True),
            "not run": self.absent,
            "cells": cells,
        }
        return dict(fit_for_json(found))


def study(grid: Grid, made_by: str) -> Study:
    """A grid of the study beside the print."""
    ours = panel_of(grid)
    return Study(grid, made_by, ours, tuple(_compared(ours, made_by)))


def _compared(ours: Panel, made_by: str) -> Iterator[Compared]:
    paper = as_printed()
    for i, dataset in enumerate(ours.datasets):
        at = paper.datasets.index(dataset)
        for j, model in enumerate(ours.classifiers):
            yield Compared(
                dataset,
                model,
                _numbers(ours, i, j),
                _numbers(paper, at, paper.classifiers.index(model)),
                (
                    float(ours.of("expected_cohen")[i, j]),
                    float(ours.half_of("expected_cohen")[i, j]),
                ),
                _why(dataset, model, made_by),
            )


def _numbers(p: Panel, i: int, j: int) -> tuple[float, ...]:
    pairs = [(p.of(m)[i, j], p.half_of(m)[i, j]) for m in MEASURES]
    return tuple(float(x) for pair in pairs for x in pair)


def _why(dataset: str, model: str, made_by: str) -> str:
    """The known reasons, the weightiest first."""
    if dataset in NOT_RECOVERED:
        return "the study's data are not recovered"
    if "scikit" in made_by and model != "NaiveBayes":
        return _STANDIN
    if model == "RandomForest":
        return _FOREST
    if (dataset, model) == ("SWD", "SMO"):
        return "not explained: 564 of 1,000 cases right, printed are 560"
    return f"{made_by} works otherwise than WEKA 3.6.14, which is equal here"

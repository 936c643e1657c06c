"""The page docs/ben-david-2007.md, from the golden fold matrices; ``make docs`` runs it."""

from __future__ import annotations

import gzip
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

import chancemeter as cm
from chancemeter.experiments import sheets
from chancemeter.experiments.ben_david import standins
from chancemeter.experiments.ben_david.page import document
from chancemeter.experiments.ben_david.side_by_side import study
from chancemeter.experiments.ben_david.sources import SOURCES
from chancemeter.experiments.grid import Grid, results
from chancemeter.reports import markdown
from chancemeter.reports.document import Document, Section, Sentence, text

STUDY = "WEKA 3.6.14"


def grid_of(matrices: Mapping[str, Mapping[str, Any]]) -> Grid:
    """Golden matrices as a grid."""
    found = []
    for name, models in matrices.items():
        counts = np.array(list(models.values()))[:, None]
        tested = counts[0].sum((-2, -1))
        train = tested.sum() - tested
        labels = range(counts.shape[-1])
        found.append(results(name, list(models), counts, labels=labels, train=train, test=tested))
    return Grid(tuple(found))


def distances(golden: Mapping[str, Any]) -> dict[str, np.ndarray]:
    """Mean absolute difference of accuracy and kappa between stand-ins and WEKA 3.6.14."""
    theirs = golden[STUDY]
    ours = next(x for made_by, x in golden.items() if made_by.startswith("scikit-learn"))
    found = {}
    for model in standins.TITLES:
        apart = [
            [
                m(np.array(ours[d][model])).mean() - m(np.array(theirs[d][model])).mean()
                for m in both
            ]
            for d in theirs
        ]
        found[model] = np.abs(apart).mean(0)
    return found


both = (cm.accuracy, cm.kappa)


def page(golden: Mapping[str, Any]) -> str:
    """The whole page."""
    whole = document(study(grid_of(golden[STUDY]), STUDY))
    engines = [(made_by, study(grid_of(x), made_by)) for made_by, x in golden.items()]
    rows = [
        (
            made_by,
            [sheets.told(f"{n}") for x in (True, False) for n in s.tally(recovered=x).values()],
        )
        for made_by, s in engines
    ]
    heads = ["equal", "within", "outside", "of"]
    tallies = sheets.grid(
        "Cells, first where data and classifier are recovered, then all",
        ("engine", *heads, *heads),
        rows,
    )
    near = sheets.grid(
        "Stand-ins of scikit-learn: mean absolute difference to WEKA 3.6.14, same folds",
        ("classifier", "accuracy", "kappa", "what it is"),
        [
            (m, [sheets.figure(float(x)) for x in found] + [sheets.told(standins.TITLES[m])])
            for m, found in distances(golden).items()
        ],
    )
    files = sheets.grid(
        "Where the rows come from, and the SHA-256 that tells them",
        ("data set", "from", "files in a folder", "SHA-256"),
        [
            (
                name,
                [
                    sheets.told(x.package or ("a rule" if x.rule else "a folder only")),
                    sheets.told(", ".join(x.files) or "–"),
                    sheets.told(x.fingerprint),
                ],
            )
            for name, x in SOURCES.items()
        ],
    )
    how = text(
        "The digest is taken of the rows, values joined by commas and rows by line feeds, every "
        "number written as Python writes it (24.50 as 24.5, 01 as 1.0), without a line of names; "
        "in published order, or sorted for ERA, ESL, LEV, SWD and Nursery. A file in a folder may "
        "be the one of the UCI repository, or a CSV with or without a line of names."
    )
    sections = (
        *whole.sections,
        Section("engines", "Other engines", (tallies, near)),
        Section("data", "The data", (Sentence(how), files)),
    )
    about = (
        "*Made by `make docs` from the fold matrices in `tests/golden`; "
        "`chancemeter reproduce ben-david-2007` makes it anew.*\n\n"
    )
    head, _, rest = markdown.written(
        Document(whole.title, whole.facts, whole.about, sections)
    ).partition("\n\n")
    return f"{head}\n\n{about}{rest}"


if __name__ == "__main__":
    here = Path(__file__).parent
    raw = here.joinpath("golden", "ben_david_folds.json.gz").read_bytes()
    target = here.parent.joinpath("docs", "ben-david-2007.md")
    target.write_text(page(json.loads(gzip.decompress(raw))), "utf-8")

"""Wins, ties and losses: who is significantly better than whom, on how many data sets.

Several measures stand side by side, so that it shows where the verdict hangs on the measure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import aligned, plural, printable
from chancemeter.experiments.grid import Grid
from chancemeter.experiments.sheets import grid as sheet
from chancemeter.experiments.sheets import told
from chancemeter.experiments.summaries import corrected, higher_is_better
from chancemeter.experiments.values import FoldValues, fold_values, panel
from chancemeter.reports import document as doc


@dataclass(frozen=True, eq=False, repr=False)
class Wins:
    """Verdicts of the corrected resampled t test on every pair, for every data set and measure.

    >>> from chancemeter.experiments.grid import results
    >>> good, bad = [[[9, 1], [0, 10]]] * 4 + [[[9, 1], [1, 9]]], [[[5, 5], [4, 6]]] * 5
    >>> g = Grid((results("d", ["tree", "coin"], [[good], [bad]], labels="ab", train=80),))
    >>> wins(g, ["kappa"])
    1 data set, corrected resampled t test at 5%
      kappa: wins − losses, wins, losses
         1  1  0  tree
        -1  0  1  coin
    """

    datasets: tuple[str, ...]
    classifiers: tuple[str, ...]
    verdicts: Mapping[str, Array]
    """By measure ``(data set, i, j)``: 1 where i is significantly better than j, -1 worse, else 0."""
    ahead: Mapping[str, Array]
    """By measure: 1 where the mean of i is better than that of j, significantly or not."""
    level: float = 0.95

    def record(self, measure: str, first: str, second: str) -> tuple[int, int, int]:
        """On how many data sets the first wins, ties, loses."""
        i, j = self.classifiers.index(first), self.classifiers.index(second)
        found = self.verdicts[measure][:, i, j]
        return int((found > 0).sum()), int((found == 0).sum()), int((found < 0).sum())

    def ranking(self, measure: str) -> list[tuple[str, int, int]]:
        """Each classifier with its wins and losses against all others, the best balance first."""
        found = self.verdicts[measure]
        won, lost = (found > 0).sum((0, 2)).tolist(), (found < 0).sum((0, 2)).tolist()
        rows = zip(self.classifiers, won, lost, strict=True)
        return sorted(rows, key=lambda row: (row[2] - row[1], -row[1]))

    def counts(self, measure: str) -> tuple[Array, Array]:
        """On how many data sets each column is better than each row: all, and significantly."""
        ahead, found = self.ahead[measure], self.verdicts[measure]
        return (ahead > 0).sum(0).T, (found > 0).sum(0).T

    @property
    def test(self) -> str:
        """The test in words."""
        return f"corrected resampled t test at {100 * (1 - self.level):.3g}%"

    def sheets(self) -> Iterator[doc.Grid]:
        """As tables: rankings by all measures side by side, and every pair by each measure."""
        yield self._rankings()
        for m in self.verdicts:
            every, significant = self.counts(m)
            rows = [
                (
                    name,
                    [
                        told("–" if i == j else f"{every[i, j]} ({significant[i, j]})")
                        for j in range(len(self.classifiers))
                    ],
                )
                for i, name in enumerate(self.classifiers)
            ]
            caption = (
                f"{m}: on how many data sets the column is better (significantly) than the row"
            )
            yield sheet(caption, ("", *self.classifiers), rows, (self.test,))

    def _rankings(self) -> doc.Grid:
        place = {m: [name for name, *_ in self.ranking(m)] for m in self.verdicts}
        balance = {m: {name: (w, n) for name, w, n in self.ranking(m)} for m in self.verdicts}
        first = next(iter(self.verdicts))
        rows = []
        for name in place[first]:
            cells = []
            for m in self.verdicts:
                won, lost = balance[m][name]
                moved = place[m].index(name) != place[first].index(name)
                cells.append(doc.Cell(f"{won - lost} ({won} : {lost})", mark=moved))
            rows.append((name, cells))
        foot = f"wins − losses (wins : losses) over all pairs and data sets; {self.test}"
        return sheet("Rankings by wins and losses", ("classifier", *self.verdicts), rows, (foot,))

    def __repr__(self) -> str:
        """The rankings as WEKA prints them."""
        lines = [f"{plural(len(self.datasets), 'data set')}, {self.test}"]
        for m in self.verdicts:
            rows = [(str(w - n), str(w), str(n), printable(c)) for c, w, n in self.ranking(m)]
            lines.append(f"  {m}: wins − losses, wins, losses")
            lines += [f"    {line}" for line in aligned(rows, (3,))]
        return "\n".join(lines)


def wins(
    source: Grid | FoldValues,
    measures: Sequence[str] = ("accuracy", "kappa"),
    level: float = 0.95,
) -> Wins:
    """Wins, ties and losses by each measure, over the folds of an experiment."""
    values = source if isinstance(source, FoldValues) else fold_values(source, measures)
    means = panel(values, interval="none")
    verdicts, ahead = {}, {}
    for m in measures:
        verdicts[m] = corrected(values, m, level)
        x = means.of(m) if higher_is_better(m) else -means.of(m)
        apart = x[:, :, None] - x[:, None, :]
        ahead[m] = np.where(np.abs(apart) < 1e-12, 0, np.sign(np.nan_to_num(apart))).astype(int)
    return Wins(values.datasets, values.classifiers, verdicts, ahead, level)

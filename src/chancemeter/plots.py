"""Figures for papers and notebooks, in the style of scikit-learn's displays.

A display is made from results, and draws them: ``.plot(ax=)`` returns it, with ``ax_`` and
``figure_``. Nothing is computed here. It needs matplotlib: ``pip install 'chancemeter[plot]'``.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from chancemeter import chance
from chancemeter.comparison.compare import USUAL as COMPARED
from chancemeter.comparison.ranks import Ranking, ranking
from chancemeter.counts import Array, as_counts
from chancemeter.datasets import CriticalDifference, Grid, critical_difference
from chancemeter.errors import Fault, InputError, printable
from chancemeter.figures import number, percent
from chancemeter.labels import tally
from chancemeter.registry import get_all
from chancemeter.scoring import USUAL, Scores, score
from chancemeter.tables import Table
from chancemeter.tables import table as make_table
from chancemeter.verdict import IDEAS, Luck, luck

EARNED, CHANCE, LOST, WRONG = "#0a7a52", "#c9d0d7", "#b42318", "#c85a14"
COLOURS = (EARNED, "#0b5cad", WRONG, "#7a4bb0", "0.35")
#: How much of a name or a label is shown.
LABEL = 30


def plain_name(label: object) -> str:
    """A label that is taken for nothing else, such as a formula."""
    return printable(label, LABEL).replace("$", r"\$")


class Figured:
    """Something drawn, on axes of a figure."""

    ax_: Any
    figure_: Any

    def _start(self, ax: Any, size: tuple[float, float]) -> Any:
        self.ax_ = _new_axes(size) if ax is None else ax
        self.figure_ = self.ax_.figure
        for side in ("top", "right"):
            self.ax_.spines[side].set_visible(False)
        return self.ax_


class Display(Figured):
    """What all displays of tables share."""

    @classmethod
    def from_table(cls, table: Any, *, name: str = "classifier", **kwargs: Any) -> Self:
        """The display of one confusion matrix, drawn; `kwargs` are those of `plot`."""
        t = table if isinstance(table, Table) else make_table(table)
        return cls.of({name: t}).plot(**kwargs)

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_pred: Any,
        *,
        sample_weight: Any = None,
        name: str = "classifier",
        **kwargs: Any,
    ) -> Self:
        """The display of true and predicted labels, drawn."""
        t = tally(y_true, y_pred, weights=sample_weight)
        return cls.of({name: t}).plot(**kwargs)

    @classmethod
    def from_estimator(cls, estimator: Any, X: Any, y: Any, **kwargs: Any) -> Self:  # noqa: N803
        """The display of what a fitted classifier predicts, drawn."""
        kwargs.setdefault("name", type(estimator).__name__)
        return cls.from_predictions(y, estimator.predict(X), **kwargs)

    @classmethod
    def of(cls, tables: Mapping[str, Table]) -> Self:
        """The display of one or more models, not drawn yet."""
        raise NotImplementedError

    def plot(self, ax: Any = None) -> Self:
        """Draw, on `ax` if there is one."""
        raise NotImplementedError


def _new_axes(size: tuple[float, float]) -> Any:
    try:
        from matplotlib import pyplot as plt
    except ImportError:
        fix = "pip install 'chancemeter[plot]'"
        raise InputError(Fault("CM005", "figures need matplotlib", fix=fix)) from None
    return plt.subplots(figsize=size, layout="constrained")[1]


@dataclass(eq=False)
class ChanceBarDisplay(Display):
    """The chance bar: accuracy as chance and earned, one bar for each model.

    >>> from chancemeter.plots import ChanceBarDisplay
    >>> ChanceBarDisplay.from_table([[70, 10], [20, 900]]).ax_.get_xlabel()
    'share of cases'
    """

    results: Sequence[Luck]

    @classmethod
    def of(cls, tables: Mapping[str, Table]) -> Self:
        """Luck of each model."""
        return cls([luck(t, plain_name(name)) for name, t in tables.items()])

    def plot(self, ax: Any = None) -> Self:
        """Draw the bars, the first model on top."""
        ax = self._start(ax, (7, 0.9 + 0.75 * len(self.results)))
        for y, found in enumerate(self.results):
            low, high = sorted((found.chance, found.accuracy))
            ax.barh(y, low, color=CHANCE, hatch="////", edgecolor="white", height=0.6)
            if found.accuracy >= found.chance:
                ax.barh(y, high - low, left=low, color=EARNED, height=0.6)
            else:
                ax.barh(y, high - low, left=low, fill=False, edgecolor=LOST, ls="--", height=0.6)
            ax.barh(y, 1, fill=False, edgecolor="0.35", height=0.6)
            shares = f"{percent(found.accuracy)} right, {percent(found.chance)} by chance"
            told = f"{shares}, κ {number(found.kappa)}"
            ax.text(0, y - 0.36, told, va="bottom", fontsize="small")
        ax.set_yticks(range(len(self.results)), [found.name for found in self.results])
        ax.set(xlim=(0, 1), xlabel="share of cases", ylim=(len(self.results) - 0.55, -0.75))
        ax.spines["left"].set_visible(False)
        ax.tick_params(axis="y", length=0)
        return self


@dataclass(eq=False)
class ConfusionDisplay(Display):
    """A confusion matrix, and how many cases of each cell are beyond chance.

    The surplus on the diagonal adds up to what the accuracy has earned.
    """

    counts: Array
    surplus: Array
    labels: Sequence[str]
    name: str = ""

    @classmethod
    def of(cls, tables: Mapping[str, Table]) -> Self:
        """One model's matrix; with several, the first one's."""
        name, t = next(iter(tables.items()))
        labels = [plain_name(x) for x in t.labels]
        beyond = chance.surplus(chance.cohen, as_counts(t))
        return cls(t.counts, beyond, labels, plain_name(name))

    def plot(self, ax: Any = None) -> Self:
        """Draw: green cells hold more cases than chance would put there, brown ones fewer."""
        k = len(self.labels)
        size = min(12.0, 2.5 + 0.75 * k)
        ax = self._start(ax, (size + 0.8, size))
        surplus = np.nan_to_num(self.surplus)  # without cases there is none
        most = np.abs(surplus).max(initial=0) or 1
        # not up to the darkest colours: the figures are to be read
        ax.imshow(surplus, cmap="BrBG", vmin=-1.8 * most, vmax=1.8 * most)
        for i, j in np.ndindex(self.counts.shape) if k <= 25 else ():
            text = f"{self.counts[i, j]:,.6g}\n{surplus[i, j]:+,.0f}"
            ax.text(j, i, text, ha="center", va="center", fontsize=max(5, 11 - k / 3))
        ax.set_xticks(range(k), self.labels, rotation=45 if k > 4 else 0)
        ax.set_yticks(range(k), self.labels)
        ax.set(xlabel="predicted", ylabel="true", title=f"{self.name}: cases, and beyond chance")
        return self


@dataclass(eq=False)
class MeasuresDisplay(Display):
    """Measures as dots with their intervals, side by side for each model."""

    results: Mapping[str, Scores]

    @classmethod
    def of(cls, tables: Mapping[str, Table]) -> Self:
        """The usual measures of each model."""
        return cls(
            {plain_name(name): score(t, USUAL, interval="default") for name, t in tables.items()}
        )

    def plot(self, ax: Any = None) -> Self:
        """Draw; a measure without a value has no dot."""
        keys = list(next(iter(self.results.values())))
        ax = self._start(ax, (7, 1 + 0.42 * len(keys) * max(1, len(self.results) ** 0.5)))
        step = 0.7 / len(self.results)
        for i, (name, scores) in enumerate(self.results.items()):
            y = np.arange(len(keys)) + (i - (len(self.results) - 1) / 2) * step
            values = [scores[key] for key in keys]
            color = COLOURS[i % len(COLOURS)]
            found = [scores.scores[key].interval for key in keys]
            limits = np.array([(np.nan, np.nan) if x is None else x.limits for x in found])
            ax.hlines(y, limits[:, 0], limits[:, 1], color=color, lw=2, alpha=0.6)
            ax.plot(values, y, "o", color=color, label=name)
        ax.set_yticks(range(len(keys)), keys)
        ax.set(ylim=(len(keys) - 0.5, -0.5), xlim=(min(0, *ax.get_xlim()), 1.02))
        ax.axvline(0, color="0.7", lw=1, zorder=0)
        ax.grid(axis="x", color="0.9")
        ax.set_axisbelow(True)
        if len(self.results) > 1:
            ax.legend(frameon=False, loc="best")
        return self


@dataclass(eq=False)
class ChancesDisplay(Display):
    """The same accuracy under six ideas of chance."""

    result: Luck

    @classmethod
    def of(cls, tables: Mapping[str, Table]) -> Self:
        """One model's; with several, the first one's."""
        name, t = next(iter(tables.items()))
        return cls(luck(t, plain_name(name)))

    def plot(self, ax: Any = None) -> Self:
        """Draw a bar for each idea: what is by chance, and what lies beyond."""
        ax = self._start(ax, (8, 3.4))
        accuracy = self.result.accuracy
        for y, (level, beyond) in enumerate(self.result.ideas.values()):
            ax.barh(y, min(level, accuracy), color=CHANCE, hatch="////", edgecolor="white")
            if level <= accuracy:
                ax.barh(y, accuracy - level, left=level, color=EARNED)
            else:
                ax.barh(y, level - accuracy, left=accuracy, fill=False, edgecolor=LOST, ls="--")
            ax.text(1.01, y, number(beyond), va="center")
        ax.axvline(accuracy, color="0.2", lw=1)
        ax.set_yticks(range(len(IDEAS)), list(IDEAS.values()))
        title = f"{self.result.name}: {percent(accuracy)} right, how much of it beyond chance"
        ax.set(xlim=(0, 1), ylim=(len(IDEAS) - 0.4, -0.6), xlabel="share of cases")
        ax.set_title(title, loc="right", fontsize="medium")
        return self


@dataclass(eq=False)
class RanksDisplay(Display):
    """The place of every model by several measures: lines that cross are flips."""

    results: Sequence[Ranking]

    @classmethod
    def of(cls, tables: Mapping[str, Table]) -> Self:
        """Places by the measures that `chancemeter.compare` takes."""
        names = tuple(map(plain_name, tables))
        found = [score(t, COMPARED) for t in tables.values()]
        values = ((m, np.array([x[m.key] for x in found])) for m in get_all(COMPARED))
        return cls([ranking(m, names, of) for m, of in values])

    def plot(self, ax: Any = None) -> Self:
        """Draw, the first place on top; a model without a value comes last, without a dot."""
        names = self.results[0].names
        ax = self._start(ax, (2.2 + 1.5 * len(self.results), 1.2 + 0.38 * len(names)))
        ranks = np.array([x.ranks for x in self.results], float)
        ranks[np.isnan([x.values for x in self.results])] = np.nan
        places = np.arange(len(self.results))
        for i, name in enumerate(names):
            flips = len(set(ranks[:, i][~np.isnan(ranks[:, i])])) > 1
            color = COLOURS[i % len(COLOURS)] if flips else "0.6"
            ax.plot(places, ranks[:, i], "o-", color=color, lw=2 if flips else 1.2)
            for at, side, gap in ((0, "right", -0.12), (-1, "left", 0.12)):
                if not np.isnan(ranks[at, i]):
                    where = places[at] + gap, ranks[at, i]
                    ax.text(*where, name, ha=side, va="center", fontsize="small", color=color)
        ax.set_xticks(places, [x.measure for x in self.results])
        ax.set_yticks(range(1, len(names) + 1))
        ax.set(ylim=(len(names) + 0.5, 0.5), ylabel="place", xlim=(-0.8, len(self.results) - 0.2))
        ax.spines["bottom"].set_visible(False)
        ax.tick_params(axis="x", length=0)
        return self


@dataclass(eq=False)
class CriticalDifferenceDisplay(Figured):
    """Average ranks over data sets; a bar joins models that cannot be told apart.

    >>> from chancemeter import datasets
    >>> from chancemeter.plots import CriticalDifferenceDisplay
    >>> g = datasets.grid([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.85, 0.6, 0.5]])
    >>> CriticalDifferenceDisplay.from_grid(g).ax_.get_xlabel()
    'average rank'
    """

    result: CriticalDifference

    @classmethod
    def from_grid(cls, grid: Grid, *, level: float = 0.95, ax: Any = None) -> Self:
        """The display of a value for every model on every data set, drawn."""
        return cls(critical_difference(grid, level)).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw: better models to the left, and how far apart two must be."""
        ranks = self.result.ranks
        m = len(ranks)
        rows = (m + 1) // 2
        ax = self._start(ax, (7, 1.5 + 0.3 * rows + 0.12 * len(self.result.cliques)))
        below = 0.35 * len(self.result.cliques) + 0.5
        for i, (name, rank) in enumerate(ranks.items()):
            left = i < rows
            y = below + (i if left else m - 1 - i)
            edge = 0.6 if left else m + 0.4
            ax.plot([rank, rank, edge], [0, y, y], color="0.35", lw=1.2, clip_on=False)
            told = f"{plain_name(name)}  {rank:.2f}" if left else f"{rank:.2f}  {plain_name(name)}"
            ax.text(edge, y, f" {told} ", ha="right" if left else "left", va="center")
        for i, clique in enumerate(self.result.cliques):
            ends = [ranks[clique[0]] - 0.05, ranks[clique[-1]] + 0.05]
            ax.plot(ends, [0.35 * (i + 1)] * 2, color=EARNED, lw=4, solid_capstyle="butt")
        reach = min(self.result.difference, m - 1)
        ax.plot([1, 1 + reach], [-1.15] * 2, color=WRONG, lw=2, marker="|", clip_on=False)
        told = f"critical difference {number(self.result.difference)}"
        ax.text(1, -1.3, told, va="bottom", fontsize="small")
        ax.xaxis.set_ticks_position("top")
        ax.xaxis.set_label_position("top")
        ax.set_xticks(range(1, m + 1))
        ax.set(
            xlim=(0.6, m + 0.4), ylim=(below + rows - 0.6, -1.6), yticks=[], xlabel="average rank"
        )
        ax.spines["top"].set_position(("data", 0))
        for side, shown in (("top", True), ("left", False), ("bottom", False)):
            ax.spines[side].set_visible(shown)
        return self


KINDS: dict[str, type[Display]] = {
    "bar": ChanceBarDisplay,
    "matrix": ConfusionDisplay,
    "measures": MeasuresDisplay,
    "chances": ChancesDisplay,
    "ranks": RanksDisplay,
}


def drawn(kind: str, tables: Mapping[str, Table], form: str) -> bytes:
    """A figure as the bytes of a PNG or an SVG, without a window."""
    return as_bytes(lambda: KINDS[kind].of(tables).plot(), form)


def as_bytes(draw: Callable[[], Figured], form: str) -> bytes:
    """What `draw` draws as the bytes of a PNG or an SVG, without a window."""
    from io import BytesIO

    try:
        from matplotlib import pyplot as plt
        from matplotlib import rc_context, use
    except ImportError:
        fix = "pip install 'chancemeter[plot]'"
        raise InputError(Fault("CM005", "figures need matplotlib", fix=fix)) from None
    use("agg")
    raw = BytesIO()
    # nothing that changes from one day to the next is written
    fixed = {"svg.hashsalt": "chancemeter", "svg.fonttype": "none"}
    with rc_context(fixed), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing")  # a box is drawn instead
        display = draw()
        dates = {"Date": None} if form == "svg" else {}
        display.figure_.savefig(raw, format=form, dpi=150, metadata=dates)
        plt.close(display.figure_)
    return raw.getvalue()

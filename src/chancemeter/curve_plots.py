"""Displays of curves in any space, in the style of scikit-learn's.

``RocKDisplay.from_predictions(y_true, y_score)``, ``.from_estimator(model, X, y)``, or from curves
that were made before: ``RocKDisplay({"forest": curve}).plot()``. It needs matplotlib.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

import numpy as np

from chancemeter.curves.bands import Band, Kind, band
from chancemeter.curves.curve import Curve
from chancemeter.curves.make import curve as make_curve
from chancemeter.curves.pictures import Drawn, Picture, picture
from chancemeter.errors import Fault, InputError
from chancemeter.plots import EARNED, WRONG, Figured, plain_name

COLOURS = (EARNED, "#0b5cad", WRONG, "#7a4bb0", "#a1246b", "0.35")
STYLES = ("-", "--", ":", "-.", (0, (5, 1, 1, 1)), (0, (1, 1)))


@dataclass(eq=False)
class CurveDisplay(Figured):
    """Curves by name in one space; a subclass for each space says which."""

    curves: Mapping[str, Curve]
    bands: Mapping[str, Band] = field(default_factory=dict)
    marks: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    """Thresholds to point at, by curve and by what to call them."""

    space: ClassVar[str] = "roc"
    iso: ClassVar[str] = ""
    """The measure whose lines of equal value stand behind the curves unless others are asked for."""
    line_: Any = None
    """The first curve, drawn."""

    @classmethod
    def from_predictions(
        cls,
        y_true: Any,
        y_score: Any,
        *,
        sample_weight: Any = None,
        pos_label: Any = None,
        name: str = "classifier",
        kind: Kind | None = None,
        **kwargs: Any,
    ) -> Self:
        """The display of true labels and scores, drawn; `kwargs` are those of `plot`.

        `kind` asks for a band: "pointwise", "simultaneous" or "fixed".
        """
        c = make_curve(y_true, y_score, positive=pos_label, weights=sample_weight)
        found = {name: band(c, cls.space, kind)} if kind else {}
        return cls({name: c}, found).plot(**kwargs)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,  # noqa: N803
        y: Any,
        *,
        pos_label: Any = None,
        **kwargs: Any,
    ) -> Self:
        """The display of a fitted classifier of two classes, drawn."""
        kwargs.setdefault("name", type(estimator).__name__)
        scores, pos_label = _scores(estimator, X, pos_label)
        return cls.from_predictions(y, scores, pos_label=pos_label, **kwargs)

    @classmethod
    def from_cv_results(
        cls,
        cv_results: Mapping[str, Any],
        X: Any,  # noqa: N803
        y: Any,
        *,
        pos_label: Any = None,
        **kwargs: Any,
    ) -> Self:
        """A curve for each fold of `cross_validate(…, return_estimator=True, return_indices=True)`."""
        curves = {}
        folds = zip(cv_results["estimator"], cv_results["indices"]["test"], strict=True)
        for i, (estimator, rows) in enumerate(folds, 1):
            scores, label = _scores(estimator, _rows(X, rows), pos_label)
            curves[f"fold {i}"] = make_curve(_rows(y, rows), scores, positive=label)
        return cls(curves).plot(**kwargs)

    def plot(
        self,
        ax: Any = None,
        *,
        iso: str | None = None,
        values: Sequence[float] = (0.2, 0.4, 0.6, 0.8),
        hull: bool = False,
        plot_chance_level: bool = True,
        curve_kwargs: Mapping[str, Any] | None = None,
    ) -> Self:
        """Draw, on `ax` if there is one.

        `iso` is a measure of the catalogue whose lines of equal `values` are drawn ("" for none).
        """
        found = picture(
            self.curves,
            self.space,
            bands=self.bands,
            hull=hull,
            iso=self.iso if iso is None else iso,
            values=values,
            marks=self.marks,
        )
        ax = self._start(ax, (5.4, 5.0))
        places = {name: i for i, name in enumerate(self.curves)}
        for line in found.lines:
            if line.kind != "guide" or plot_chance_level:
                self._draw(ax, line, places, curve_kwargs or {})
        for spot in found.spots:
            colour = COLOURS[places[spot.name] % len(COLOURS)]
            ax.plot(spot.x, spot.y, "o", color=colour, mec="white", zorder=4)
            ax.annotate(
                plain_name(spot.label),
                (spot.x, spot.y),
                xytext=(6, -12),
                textcoords="offset points",
                fontsize="small",
            )
        return self._finish(ax, found)

    def _draw(
        self, ax: Any, line: Drawn, places: Mapping[str, int], more: Mapping[str, Any]
    ) -> None:
        i = places.get(line.name, 0)
        colour = COLOURS[i % len(COLOURS)]
        match line.kind:
            case "band":
                ax.fill(line.x, line.y, color=colour, alpha=0.15, lw=0)
            case "guide":
                ax.plot(line.x, line.y, ls="--", color="0.5", lw=1, zorder=0)
            case "iso":
                ax.plot(line.x, line.y, ls=":", color="0.65", lw=1, zorder=0)
                ax.text(
                    line.x[-1],
                    line.y[-1],
                    line.label,
                    color="0.45",
                    fontsize="x-small",
                    ha="left",
                    va="top",
                    clip_on=True,
                )
            case "hull":
                ax.plot(line.x, line.y, color=colour, lw=0.8, alpha=0.8, zorder=1)
            case _:
                style = {
                    "color": colour,
                    "ls": STYLES[i % len(STYLES)],
                    "lw": 2,
                    "label": plain_name(line.name),
                    **more,
                }
                (drawn,) = ax.plot(line.x, line.y, **style)
                self.line_ = self.line_ or drawn

    def _finish(self, ax: Any, found: Picture) -> Self:
        left, right, bottom, top = found.box
        ax.set(
            xlim=(left, right),
            ylim=(bottom, top),
            xlabel=found.space.x_label,
            ylabel=found.space.y_label,
            title=found.space.title,
        )
        if self.space in {"roc", "gain"}:
            ax.set_aspect("equal")
        if self.space == "det":
            self._deviates(ax)
        if len(self.curves) > 1:
            ax.legend(frameon=False, loc="best")
        return self

    @staticmethod
    def _deviates(ax: Any) -> None:
        """Ticks of normal deviates as shares."""
        from scipy.special import ndtri

        shares = np.array([0.001, 0.01, 0.05, 0.2, 0.5, 0.8, 0.95, 0.99, 0.999])
        names = [f"{100 * x:.3g}%" for x in shares]
        limits = ax.get_xlim(), ax.get_ylim()
        ax.set_xticks(ndtri(shares), names)
        ax.set_yticks(ndtri(shares), names)
        ax.set(xlim=limits[0], ylim=limits[1], xlabel="false positive rate", ylabel="miss rate")


def _scores(estimator: Any, X: Any, pos_label: Any) -> tuple[Any, Any]:  # noqa: N803
    """What a fitted classifier says of the positive class, and which that is."""
    classes = list(estimator.classes_)
    if len(classes) != 2:
        fix = "take one class against the rest with from_predictions"
        what = f"a curve is of two classes, this classifier knows {len(classes)}"
        raise InputError(Fault("CM600", what, fix=fix))
    pos_label = classes[1] if pos_label is None else pos_label
    if hasattr(estimator, "predict_proba"):
        return estimator.predict_proba(X)[:, classes.index(pos_label)], pos_label
    turn = 1 if pos_label == classes[1] else -1
    return turn * estimator.decision_function(X), pos_label


def _rows(data: Any, places: Any) -> Any:
    """Rows of an array or of a frame."""
    return data.iloc[places] if hasattr(data, "iloc") else data[places]


class RocDisplay(CurveDisplay):
    """ROC curves with lines of equal kappa.

    >>> from chancemeter.curve_plots import RocDisplay
    >>> RocDisplay.from_predictions([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).ax_.get_ylabel()
    'true positive rate'
    """

    space, iso = "roc", "kappa"


class RocKDisplay(CurveDisplay):
    """Kappa over the false positive rate."""

    space = "k"


class RocKSharesDisplay(CurveDisplay):
    """Kappa over false positives as a share of all cases, as Ben-David (2008) draws it."""

    space = "k-fp"


class SharesDisplay(CurveDisplay):
    """True over false positives, both as shares of all cases, with lines of equal kappa."""

    space, iso = "fp-tp", "kappa"


class ChanceKappaDisplay(CurveDisplay):
    """Kappa over agreement by chance."""

    space = "pc-k"


class PrecisionRecallDisplay(CurveDisplay):
    """Precision over recall, with lines of equal F."""

    space, iso = "pr", "f_score"


class PrecisionRecallGainDisplay(CurveDisplay):
    """Precision gain over recall gain, where straight lines are right."""

    space = "prg"


class DetDisplay(CurveDisplay):
    """Miss rate over false positive rate, both in normal deviates."""

    space = "det"


class LiftDisplay(CurveDisplay):
    """How many times more positives than by chance, over the share that is called positive."""

    space = "lift"


class GainDisplay(CurveDisplay):
    """Recall over the share that is called positive."""

    space = "gain"


class CostDisplay(CurveDisplay):
    """Least cost over the share of the cost that lies in positives (Drummond and Holte)."""

    space = "cost"


class NetBenefitDisplay(CurveDisplay):
    """Net benefit of the best threshold over the threshold probability (Vickers and Elkin)."""

    space = "net-benefit"


DISPLAYS: dict[str, type[CurveDisplay]] = {
    display.space: display
    for display in (
        RocDisplay, RocKDisplay, RocKSharesDisplay, SharesDisplay, ChanceKappaDisplay,
        PrecisionRecallDisplay, PrecisionRecallGainDisplay, DetDisplay, LiftDisplay, GainDisplay,
        CostDisplay, NetBenefitDisplay,
    )
}  # fmt: skip

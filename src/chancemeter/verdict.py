"""How much of an accuracy is luck: the split, the sentence and the bar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from chancemeter import chance
from chancemeter.counts import as_counts, ratio
from chancemeter.display import Shown
from chancemeter.figures import json_number, name_of, number, percent
from chancemeter.intervals.choose import interval as make_interval
from chancemeter.intervals.clusters import given_and_whole
from chancemeter.intervals.result import Interval, in_brackets
from chancemeter.tables import cases, plain

#: Below this a kappa is rounding.
_NOTHING = 1e-12

#: The ideas of chance shown side by side, with what each is called.
IDEAS = {
    "uniform": "every class guessed equally often (Bennett's S)",
    "scott": "guessed by the mean of both margins (Scott's pi)",
    "cohen": "guessed with the same habits (Cohen's kappa)",
    "gwet": "only the hard cases guessed (Gwet's AC1)",
    "powers": "the level that informedness implies (Powers)",
    "majority": "always the most frequent class",
}


@dataclass(frozen=True)
class Luck(Shown):
    """An accuracy taken apart: ``accuracy = chance + earned``, and what was missed.

    >>> from chancemeter import luck
    >>> print(luck([[70, 10], [20, 900]], name="The filter"))
    The filter is right in 97.0% of 1,000 cases. Guessing with the same habits would get 84.4%.
    It won 81% of what chance left to win (Cohen's kappa 0.807, 95% interval [0.731, 0.866]).
    """

    name: str
    n: float
    accuracy: float
    missed: float
    """The share of cases that are wrong, counted rather than left over."""
    chance: float
    kappa: float
    majority: float
    majority_label: Any
    ideas: dict[str, tuple[float, float]]
    """For each idea of chance: its level, and the agreement beyond it."""
    interval: Interval | None = None
    """How sure kappa is."""

    @property
    def earned(self) -> float:
        """The part of the accuracy that is not chance; negative when guessing is better."""
        return self.accuracy - self.chance

    @property
    def verdict(self) -> str:
        """What it won, in a sentence."""
        if self.n == 0:
            return "There are no cases: nothing can be said."
        if np.isnan(self.kappa):
            return "Truth and predictions hold one class only: nothing can be said about chance."
        kappa = self._kappa()
        if self.missed == 0:
            return f"It won all that chance left to win {kappa}."
        if abs(self.kappa) < _NOTHING:
            return f"It is just as good as guessing {kappa}."
        if self.kappa < 0:
            return f"Guessing would be better by {percent(-self.earned)} of all cases {kappa}."
        return f"It won {_share(self.kappa)} of what chance left to win {kappa}."

    def _kappa(self) -> str:
        """Kappa between brackets, with its limits where they are known."""
        value = 0.0 if abs(self.kappa) < _NOTHING else self.kappa
        shown = f"{value:.0f}" if value in {0, 1} else number(value)
        if self.interval is None or np.isnan(self.interval.low):
            return f"(Cohen's kappa {shown})"
        level = f"{100 * self.interval.level:g}%"
        return f"(Cohen's kappa {shown}, {level} interval {in_brackets(*self.interval.limits)})"

    @property
    def doubt(self) -> str:
        """Said when guessing with the same habits would explain the accuracy as well."""
        if self.interval is None or abs(self.kappa) < _NOTHING:
            return ""
        if not self.interval.low <= 0 <= self.interval.high:
            return ""
        return "Guessing is not ruled out: the interval holds 0."

    @property
    def warning(self) -> str:
        """Said when always giving one answer would be at least as good."""
        if not self.majority >= self.accuracy or self.accuracy == 1:
            return ""
        better = "more than" if self.majority > self.accuracy else "the same as"
        return (
            f"Always answering {name_of(self.majority_label)} would be right in "
            f"{percent(self.majority)}, {better} this model."
        )

    def __str__(self) -> str:
        """The whole in a few sentences."""
        if self.n == 0:
            return self.verdict
        first = f"{self.name} is right in {percent(self.accuracy)} of {cases(self.n)}."
        habits = f"Guessing with the same habits would get {percent(self.chance)}."
        first = first if np.isnan(self.kappa) else f"{first} {habits}"
        return "\n".join(x for x in (first, self.verdict, self.doubt, self.warning) if x)

    def bar(self, width: int = 50, plain: bool = False) -> str:
        """The chance bar as two lines of text, empty without cases; `plain` keeps to ASCII.

        >>> from chancemeter import luck
        >>> print(luck([[70, 10], [20, 900]]).bar(width=20, plain=True))
           97.0% accurate   :::::::::::::::::##.
           84.4% by chance  : chance  # earned  . missed
        """
        if self.n == 0:
            return ""
        light, full, dot = (":", "#", ".") if plain else ("░", "█", "·")
        base = min(self.chance, self.accuracy)
        cells = [round(width * base), round(width * self.accuracy)]
        drawn = light * cells[0] + full * (cells[1] - cells[0]) + dot * (width - cells[1])
        legend = f"{light} chance  {full} earned  {dot} missed"
        shares = percent(self.accuracy), percent(self.chance)
        wide = max(6, *map(len, shares))
        return (
            f"  {shares[0]:>{wide}} accurate   {drawn}\n  {shares[1]:>{wide}} by chance  {legend}"
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers and words."""
        levels = {
            model: {"chance": json_number(level), "beyond": json_number(beyond)}
            for model, (level, beyond) in self.ideas.items()
        }
        known = self.interval.to_dict() if self.interval else {}
        values = {
            "n": self.n,
            "accuracy": self.accuracy,
            "chance": self.chance,
            "earned": self.earned,
            "missed": self.missed,
            "kappa": self.kappa,
            "majority": self.majority,
        }
        return {
            **{key: json_number(value) for key, value in values.items()},
            **({"kappa_interval": known["interval"], "level": known["level"]} if known else {}),
            "chance_model": "cohen",
            "majority_label": plain(self.majority_label),
            "ideas_of_chance": levels,
        }


def _share(kappa: float) -> str:
    """A share in whole percent that claims neither nothing nor all.

    >>> _share(0.001), _share(0.47), _share(0.999)
    ('less than 1%', '47%', 'more than 99%')
    """
    if kappa < 0.005:
        return "less than 1%"
    return "more than 99%" if kappa >= 0.995 else f"{100 * kappa:.0f}%"


def luck(
    table: Any, name: str = "The classifier", *, interval: str | None = "default", **options: Any
) -> Luck:
    """How much of the accuracy of one table is luck, and how sure that is.

    `interval` and `options` are those of `chancemeter.interval`; None leaves the interval out.
    """
    given, table = given_and_whole(table, "luck is")
    c = as_counts(table)
    ideas = {}
    for key in IDEAS:
        expected = chance.get(key).expect(c)
        beyond = chance.beyond(chance.get(key), c)
        if key == "powers" and np.isnan(beyond):
            beyond = chance.multiclass_informedness(c)
        ideas[key] = (float(expected.share), float(beyond))
    return Luck(
        name=name,
        n=table.total,
        accuracy=float(ratio(c.right, c.total)),
        missed=float(ratio(c.wrong, c.total)),
        chance=ideas["cohen"][0],
        kappa=ideas["cohen"][1],
        majority=ideas["majority"][0],
        majority_label=table.labels[int(np.argmax(c.truth))],
        ideas=ideas,
        interval=make_interval("kappa", given, method=interval, **options) if interval else None,
    )

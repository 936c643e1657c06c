"""Where the measure decides the verdict: two measures that do not say the same of two models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from chancemeter.figures import percent


@dataclass(frozen=True)
class Flip:
    """Two models, and two measures that do not say the same of them."""

    models: tuple[str, str]
    by: tuple[str, str]
    better: tuple[str, str]
    """The model that each measure shows to be better; empty where it shows no difference."""
    why: str

    @property
    def sentence(self) -> str:
        """In words."""
        return sentence(self.models, dict(zip(self.by, self.better, strict=True)), self.why)


def sentence(models: tuple[str, str], better: Mapping[str, str], why: str) -> str:
    """What each measure says of two models, measures that agree together, and why they differ.

    >>> sentence(("a", "b"), {"accuracy": "", "kappa": "a", "mcc": "a"}, "")
    'a and b: by accuracy no difference is shown, by kappa and mcc a is better.'
    """
    said: dict[str, list[str]] = {}
    for key, x in better.items():
        said.setdefault(f"{x} is better" if x else "no difference is shown", []).append(key)
    parts = [f"by {_listed(keys)} {verdict}" for verdict, keys in said.items()]
    return f"{' and '.join(models)}: {', '.join(parts)}. {why}".rstrip()


def flips_of(
    verdicts: Mapping[tuple[str, str], Mapping[str, str]], chance: Mapping[str, float]
) -> tuple[Flip, ...]:
    """Pairs of which the first measure says something else than another."""
    found = []
    for pair, better in verdicts.items():
        lead = next(iter(better))
        why = _of_chance(pair, chance)
        found += [
            Flip(pair, (lead, key), (better[lead], x), why)
            for key, x in better.items()
            if x != better[lead]
        ]
    return tuple(found)


def told(flips: tuple[Flip, ...]) -> list[str]:
    """A sentence for every two models, whatever the number of measures."""
    by_pair: dict[tuple[str, str], dict[str, str]] = {}
    for flip in flips:
        said = by_pair.setdefault(flip.models, {})
        said |= dict(zip(flip.by, flip.better, strict=True))
    why = {flip.models: flip.why for flip in flips}
    return [sentence(pair, better, why[pair]) for pair, better in by_pair.items()]


def _of_chance(pair: tuple[str, str], chance: Mapping[str, float]) -> str:
    """What chance gives to each of two models."""
    if not all(name in chance for name in pair):
        return ""
    shares = " and ".join(f"{name} {percent(chance[name])}" for name in pair)
    return f"Guessing with the same habits would get {shares}."


def _listed(words: list[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last

"""Search the measures, and say all that is known of one: everything is read from its card."""

from __future__ import annotations

import inspect
import re
import textwrap
from functools import cache
from importlib import resources
from typing import Any

from chancemeter import chance
from chancemeter.errors import Fault, UnknownNameError, did_you_mean, printable
from chancemeter.registry import CHANGES, SHORTHAND, Measure, every, get
from chancemeter.undefined import REASONS
from chancemeter.verdict import IDEAS, luck

#: What a change that is not in `Card.same` means for a reader.
_MOVES = {
    "prevalence": "prevalence (how common each class is)",
    "bias": "bias (how often each class is predicted)",
    "transpose": "which side is the truth",
    "order": "the order of the classes",
    "scale": "the number of cases",
}


def search(
    word: str | None = None,
    *,
    family: str | None = None,
    level: str | None = None,
    source: str | None = None,
    like: str | None = None,
) -> list[Measure[...]]:
    """Measures that fit all that is given.

    >>> [m.key for m in search("heidke")]
    ['kappa']
    """
    found = list(every())
    if family is not None:
        found = _only(found, family, lambda m: {m.family}, "family")
    if source is not None:
        found = _only(found, source, lambda m: set(m.card.references), "source")
    if level is not None:
        found = [m for m in found if m.card.level == level]
    if like is not None:
        found = [m for m in found if m in alike(get(like))]
    if word is not None:
        low = word.lower()
        found = [m for m in found if any(low in text.lower() for text in _texts(m))]
    return found


def _only(found: list[Measure[...]], wanted: str, of: Any, what: str) -> list[Measure[...]]:
    known = sorted({name for m in found for name in of(m)})
    if wanted not in known:
        fix = did_you_mean(wanted, known, f"one of {', '.join(known)}")
        raise UnknownNameError(
            Fault("CM301", f"no {what} is called {printable(wanted)!r}", fix=fix)
        )
    return [m for m in found if wanted in of(m)]


def _texts(m: Measure[...]) -> tuple[str, ...]:
    return (*m.names, m.summary, m.card.elsewhere)


def alike(m: Measure[...], *, same_truth: bool = False) -> list[Measure[...]]:
    """Measures that rank all tables of a size as `m` does; or those of the same truth."""
    kind = m.card.orders_like_same_truth or m.card.orders_like if same_truth else m.card.orders_like
    if not kind:
        return [m]
    return [
        other
        for other in every()
        if kind == other.card.orders_like
        or (same_truth and kind == other.card.orders_like_same_truth)
    ]


def describe(m: Measure[...]) -> dict[str, Any]:
    """The card as plain data."""
    card = m.card
    return {
        "key": m.key,
        "symbol": card.symbol,
        "family": m.family,
        "summary": m.summary,
        "names": list(m.names),
        "level": card.level,
        "range": [_limit(x) for x in card.range],
        "perfect": None if card.perfect is None else _limit(card.perfect),
        "by_chance": card.by_chance,
        "chance_model": card.chance,
        "direction": card.direction,
        "unchanged_by": sorted(m.unchanged_by),
        "ranks_like": [x.key for x in alike(m) if x is not m],
        "ranks_like_at_same_truth": [x.key for x in alike(m, same_truth=True) if x is not m],
        "undefined": sorted(m.undefined_when),
        "needs": card.needs,
        "rational": card.rational,
        "smooth": card.smooth,
        "parameters": {name: repr(value) for name, value in m.parameters.items()},
        "references": list(card.references),
        "good_for": card.good_for,
        "not_for": card.not_for,
    }


def explain(name: str) -> str:
    """One screen about a measure.

    >>> print(explain("kappa").splitlines()[0])
    kappa (κ): Share of what chance left over that was won, guesses following both margins.
    """
    m = get(name)
    card = m.card
    parts = [f"{m.key} ({card.symbol}): {m.summary}", ""]
    formula = plain_formula(m)
    parts += [f"    {formula}", ""] if formula else []
    rows = [
        ("Range", _range(m)),
        ("By chance", _by_chance(m)),
        ("Better", {"higher": "higher", "lower": "lower", "neither": ""}[card.direction]),
        ("One value", "for each class against the rest" if card.level == "class" else ""),
        ("Moves with", ", ".join(t for n, t in _MOVES.items() if n not in m.unchanged_by)),
        ("Stays as", _stays(m)),
        ("Ranks like", _ranks(m)),
        ("Undefined", "; ".join(REASONS[c].sentence for c in REASONS if c in m.undefined_when)),
        ("Good for", card.good_for),
        ("Not for", card.not_for),
        ("Parameters", ", ".join(f"{k}={v!r}" for k, v in m.parameters.items())),
        ("Also called", ", ".join(x for x in m.names if x != m.key)),
        ("Elsewhere", card.elsewhere),
        ("Short names", _shorthands(m)),
        ("Source", "; ".join(cite(key) for key in card.references)),
    ]
    parts += [_row(head, text) for head, text in rows if text]
    return "\n".join(parts)


def explain_chance() -> str:
    """The ideas of chance, and what they make of one example."""
    example = [[60, 125], [5, 5000]]
    found = luck(example, "A classifier with the table 60, 125 / 5, 5000 (rows truth)")
    lines = [str(found), "", "The same accuracy under six ideas of chance:", ""]
    for key, (level, beyond) in found.ideas.items():
        lines.append(f"  {key:10}{level:7.1%} by chance, {beyond:6.3f} beyond it: {IDEAS[key]}")
    lines += ["", "All chance models (beyond_chance(chance_model=…) takes any of them):", ""]
    lines += [f"  {model.key:11}{model.says}" for model in chance.MODELS.values()]
    return "\n".join(lines)


def _row(head: str, text: str) -> str:
    filled = textwrap.wrap(text, 84, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"  {head if i == 0 else '':12}{line}" for i, line in enumerate(filled))


def _limit(x: float) -> Any:
    return {float("inf"): "Infinity", -float("inf"): "-Infinity"}.get(x, x)


def _text(x: float) -> str:
    return {float("inf"): "∞", -float("inf"): "−∞"}.get(x, f"{x:g}".replace("-", "−"))


def _range(m: Measure[...]) -> str:
    low, high = map(_text, m.card.range)
    perfect = m.card.perfect
    end = "" if perfect is None else f"; {_text(perfect)} when every prediction is right"
    return f"{low} … {high}{end}"


def _by_chance(m: Measure[...]) -> str:
    if m.card.by_chance is None:
        return ""
    return f"{_text(m.card.by_chance)}, when {chance.get(m.card.chance).says}"


def _stays(m: Measure[...]) -> str:
    plain = [n for n in CHANGES if n in m.unchanged_by and n not in {"scale", "order"}]
    return "it is with " + "; ".join(CHANGES[n] for n in plain) if plain else ""


def _ranks(m: Measure[...]) -> str:
    names = [x.key for x in alike(m) if x is not m]
    fixed = [x.key for x in alike(m, same_truth=True) if x is not m and x.key not in names]
    text = ", ".join(names)
    if fixed:
        text += (
            f"{'; ' if text else ''}{', '.join(fixed)} (among tables with the same true classes)"
        )
    return text


def _shorthands(m: Measure[...]) -> str:
    base = re.compile(rf"{re.escape(m.key)}(?=[@(])")
    found = [f"{k} = {v}" for k, v in SHORTHAND.items() if base.match(v)]
    return ", ".join(found[:8]) + (", …" if len(found) > 8 else "")


def formula_of(m: Measure[...]) -> str:
    """The formula in TeX, as its docstring has it."""
    text = inspect.getdoc(m.of_classes.__wrapped__) or ""
    found = re.search(r"\.\. math::\s*(.+?)(?:\n\s*\n|\Z)", text, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


_SYMBOLS = {
    r"\sum": "Σ",
    r"\kappa": "κ",
    r"\pi": "π",
    r"\theta": "θ",
    r"\lambda": "λ",
    r"\alpha": "α",
    r"\beta": "β",
    r"\chi": "χ",
    r"\phi": "φ",
    r"\rho": "ρ",
    r"\tau": "τ",
    r"\gamma": "γ",
    r"\cdot": "·",
    r"\times": "×",
    r"\ne": "≠",
    r"\neq": "≠",
    r"\le": "≤",
    r"\ge": "≥",
    r"\quad": "  ",
    r"\,": " ",
    r"\max": "max",
    r"\min": "min",
    r"\log": "log",
    r"\ln": "ln",
    r"\sqrt": "√",
    r"\Phi": "Φ",
    r"\left": "",
    r"\right": "",
    r"\infty": "∞",
    r"\pm": "±",
    r"\hat": "",
    r"\bar": "",
    r"\mathrm": "",
    r"\text": "",
    r"\operatorname": "",
    r"\big": "",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\varphi": "φ",
    r"\prod": "Π",
    r"\mid": "|",
}


def plain_formula(m: Measure[...]) -> str:
    """The formula in plain characters, for a terminal."""
    text = formula_of(m)
    text = re.sub(r"\\[dt]frac", r"\\frac", text)
    inner = r"\{((?:[^{}]|\{[^{}]*\})*)\}"
    while r"\frac" in text:
        shorter = re.sub(rf"\\frac\s*{inner}\s*{inner}", r"(\1) / (\2)", text, count=1)
        if shorter == text:
            break
        text = shorter
    for tex, plain in sorted(_SYMBOLS.items(), key=lambda pair: -len(pair[0])):
        text = text.replace(tex, plain)
    text = re.sub(r"√\s*\{([^{}]*)\}", r"√(\1)", text)
    text = re.sub(r"_\{(\w+)\}|\^\{(\w+)\}", lambda f: f"_{f[1]}" if f[1] else f"^{f[2]}", text)
    text = re.sub(r"\((\w+)\)", r"\1", text)
    return " ".join(text.replace("{", "").replace("}", "").replace("\\", "").split())


@cache
def references() -> dict[str, dict[str, str]]:
    """The bibliography: fields of every entry, by key."""
    text = resources.files("chancemeter").joinpath("references.bib").read_text("utf-8")
    found = {}
    for key, body in re.findall(r"@\w+\{([\w:-]+),(.*?)\n\}", text, re.DOTALL):
        fields = re.findall(r"(\w+)\s*=\s*\{(.*?)\}\s*,?\s*(?=\n|\Z)", body, re.DOTALL)
        found[key] = {name.lower(): " ".join(re.sub(r"[{}]", "", x).split()) for name, x in fields}
    return found


def cite(key: str) -> str:
    """An entry of the bibliography in a few words."""
    entry = references().get(key, {})
    if not entry:
        return key
    names = [name.split(",")[0] for name in entry.get("author", key).split(" and ")]
    who = " & ".join(names) if len(names) < 3 else f"{names[0]} et al."
    return f"{who} {entry.get('year', '')}, {entry.get('title', '')}"

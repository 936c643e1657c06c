"""Search the measures, and say all that is known of one: everything is read from its card."""

from __future__ import annotations

import inspect
import re
import textwrap
from functools import cache
from importlib import resources
from typing import Any

from chancemeter import chance
from chancemeter.errors import Fault, UnknownNameError, did_you_mean, quoted, shorten
from chancemeter.figures import number, percent
from chancemeter.registry import CHANGES, SHORTHAND, Measure, between, every, get
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
        fix = did_you_mean(wanted, known, f"one of {shorten(known, 20)}")
        raise UnknownNameError(Fault("CM301", f"no {what} is called {quoted(wanted)}", fix=fix))
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
    head = f"{m.key} ({card.symbol}): {m.summary}"
    parts = [textwrap.fill(head, 98, subsequent_indent="  "), ""]
    formula = _parts_of_formula(m)
    parts += [*_laid_out(formula), ""] if formula else []
    rows = [
        ("Range", _range(m)),
        ("By chance", _by_chance(m)),
        ("Better", {"higher": "higher", "lower": "lower", "neither": ""}[card.direction]),
        ("One value", "for each class against the rest" if card.level == "class" else ""),
        ("Moves with", _moves(m)),
        ("Stays as", _stays(m)),
        ("Ranks like", _ranks(m)),
        ("Undefined", _undefined(m)),
        ("Good for", card.good_for),
        ("Not for", card.not_for),
        ("Parameters", "; ".join(_parameter(m, name) for name in m.parameters)),
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
    lines = [textwrap.fill(str(found), 98), "", "The same accuracy under six ideas of chance:", ""]
    for key, (level, beyond) in found.ideas.items():
        shown = f"{percent(level):>5} by chance, {number(beyond)} beyond it: {IDEAS[key]}"
        lines.append(_row(key, shown))
    lines += ["", "All chance models (beyond_chance(chance_model=…) takes any of them):", ""]
    lines += [_row(model.key, model.says) for model in chance.MODELS.values()]
    return "\n".join(lines)


def _laid_out(parts: list[str]) -> list[str]:
    """A formula on one line, or what its letters stand for on lines of their own."""
    whole = ", ".join(parts)
    parts = [whole] if len(whole) <= 94 else [f"{part}," for part in parts[:-1]] + parts[-1:]
    return [
        line
        for i, part in enumerate(parts)
        for line in textwrap.wrap(
            part,
            98,
            initial_indent="    " if i == 0 else "      ",
            subsequent_indent="        ",
            break_long_words=False,
            break_on_hyphens=False,
        )
    ]


def _row(head: str, text: str) -> str:
    lines = textwrap.wrap(text, 84, break_long_words=False, break_on_hyphens=False)
    return "\n".join(f"  {head if i == 0 else '':12}{line}" for i, line in enumerate(lines))


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


def _moves(m: Measure[...]) -> str:
    if m.form:  # the card of a derived measure says only what surely holds
        return ""
    return ", ".join(text for name, text in _MOVES.items() if name not in m.unchanged_by)


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


#: Of what an expression is made, and so where it is undefined.
_MADE_OF = {
    "macro": "where a class has no value: ",
    "defined": "where no class has a value: ",
    "truth": "where a true class has no value: ",
    "predicted": "where a predicted class has no value: ",
    "micro": "of all one-versus-rest tables added up: ",
    "each": "of the class against the rest: ",
}


def _undefined(m: Measure[...]) -> str:
    sentences = "; ".join(REASONS[c].sentence for c in REASONS if c in m.undefined_when)
    return _MADE_OF.get(m.form or "", "") + sentences if sentences else ""


def _parameter(m: Measure[...], name: str) -> str:
    limits = between(*m.card.limits[name]) if name in m.card.limits else ""
    return f"{name}={m.parameters[name]!r}" + (f" (any{limits})" if limits else "")


def _shorthands(m: Measure[...]) -> str:
    base = re.compile(rf"{re.escape(m.key)}(?=[@(])")
    found = [f"{k} = {v}" for k, v in SHORTHAND.items() if base.match(v)]
    return ", ".join(found[:8]) + (", …" if len(found) > 8 else "")


def formula_of(m: Measure[...]) -> str:
    """The formula in TeX, as its docstring has it."""
    text = inspect.getdoc(m.of_classes.__wrapped__) or ""
    found = re.search(r"\.\. math::\s*(.+?)(?:\n\s*\n|\Z)", text, re.DOTALL)
    return " ".join(found[1].split()) if found else ""


#: What stands for a command of TeX; any other command is written as its name.
_SYMBOLS = {
    **dict(zip(("sum", "prod", "cdot", "times", "infty", "pm", "mid"), "ΣΠ·×∞±|", strict=True)),
    **dict(zip(("le", "ge", "ne", "neq", "kappa", "pi", "theta"), "≤≥≠≠κπθ", strict=True)),
    **dict(zip(("lambda", "alpha", "beta", "chi", "phi", "varphi"), "λαβχφφ", strict=True)),
    **dict(zip(("rho", "tau", "gamma", "Phi", "sigma", "mu"), "ρτγΦσμ", strict=True)),
    **dict.fromkeys(("left", "right", "big", "Big"), ""),
    **dict.fromkeys(("mathrm", "text", "operatorname"), ""),
    **dict.fromkeys(("quad", ",", " ", ";"), " "),
}
_ACCENTS = {"tilde": "\u0303", "bar": "\u0304", "hat": "\u0302"}


def plain_formula(m: Measure[...]) -> str:
    """The formula in plain characters, for a terminal.

    >>> plain_formula(get("mcc"))
    'R_K = Σ_c (n n_cc - n_c+ n_+c) / √((n^2 - Σ_c n_c+^2)(n^2 - Σ_c n_+c^2))'
    """
    return ", ".join(_parts_of_formula(m))


def _parts_of_formula(m: Measure[...]) -> list[str]:
    """The formula, and what each of its letters stands for, in plain characters."""
    tex = formula_of(m)
    parts = re.split(r",\s*\\quad\b", tex) if tex else []
    return [_plain(re.findall(r"\\[A-Za-z]+|\\.|\s+|[^\s\\]", part)) for part in parts]


def _plain(tokens: list[str]) -> str:
    """Read `tokens` up to the end of the group, and use them up."""
    text = ""
    while tokens and (sign := tokens.pop(0)) != "}":
        name = sign[1:]
        if sign in {"_", "^"}:
            text += sign + _held(_argument(tokens), r"-?[\w+']+")
        elif sign == "{":
            text += _plain(tokens)
        elif not sign.startswith("\\"):
            text += sign
        elif name.endswith("frac"):
            above, below = (_held(_argument(tokens), _ATOM) for _ in range(2))
            alone = re.search(r"(^|[=,+(\[-])\s*$", text) and _ends(tokens)
            text += f"{above} / {below}" if alone else f"({above} / {below})"
        elif name == "sqrt":
            text += "√" + _held(_argument(tokens), r"\w+")
        elif name in _ACCENTS:
            text += _argument(tokens) + _ACCENTS[name]
        else:
            text += _SYMBOLS.get(name, name)
    return " ".join(text.split())


#: What needs no brackets as part of a fraction: a name, or one thing in front of brackets.
_ATOM = r"[\w+^'!]+|Σ_\w+ \([^()]*\)|√\w+|√?\((?:[^()]|\([^()]*\))*\)(?:\^\w+)?"


def _argument(tokens: list[str]) -> str:
    """The group or the single sign that a command takes."""
    while tokens and tokens[0].isspace():
        tokens.pop(0)
    if tokens[:1] == ["{"]:
        tokens.pop(0)
        return _plain(tokens)
    return _plain([tokens.pop(0)])


def _held(text: str, free: str) -> str:
    """In brackets, unless it is as simple as `free` allows."""
    return text if re.fullmatch(free, text) else f"({text})"


def _ends(tokens: list[str]) -> bool:
    """Whether nothing follows that a fraction could be taken together with."""
    rest = "".join(tokens).lstrip()
    return not rest or rest[0] in "=,+-)]}"


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

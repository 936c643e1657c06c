"""Pages made from what the code declares: `docs/measures/` from the cards, `docs/errors.md`.

Nothing is written here that a card does not say. A test checks that the pages are current.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

from chancemeter import chance
from chancemeter.catalogue import describe, formula_of, references
from chancemeter.errors import CODES
from chancemeter.measures import FAMILIES
from chancemeter.registry import CHANGES, SHORTHAND, Measure, every
from chancemeter.undefined import REASONS

DOCS = Path(__file__).parent.parent / "docs"
_MADE = "*Made from the cards by `make docs`; a change here is lost.*"
_BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": "neither way"}
_LEVEL = {"table": "one for the table", "class": "one for each class against the rest"}


def pages() -> dict[str, str]:
    """Every page, by its path below `docs`."""
    by_family: dict[str, list[Measure[...]]] = {family: [] for family in FAMILIES}
    for m in every():
        by_family[m.family].append(m)
    found = {f"measures/{family}.md": _family(family, ms) for family, ms in by_family.items()}
    return {"measures/index.md": _index(by_family), **found, "errors.md": _errors()}


def _index(by_family: dict[str, list[Measure[...]]]) -> str:
    lines = [
        "# All measures",
        "",
        _MADE,
        "",
        "`chancemeter.NAME(table)` computes a measure; rows are the truth. Every name, and every",
        "expression such as `f_score(beta=2)@macro`, goes into `chancemeter.get`,",
        "`chancemeter.score` and the command line.",
        "",
    ]
    for family, measures in by_family.items():
        lines += [f"## [{_title(family)}]({family}.md)", "", _about(family), ""]
        lines += [f"- [`{m.key}`]({family}.md#{m.key}) {m.card.symbol}" for m in measures]
        lines += [""]
    lines += ["## Chance models", "", "What the pages call *by chance* is one of these.", ""]
    lines += [f"- `{model.key}`: {model.says}" for model in chance.MODELS.values()]
    lines += ["", "## What can be done to a table", ""]
    lines += ["*Unchanged by* names those that leave a measure as it is, and it names all.", ""]
    lines += [f"- `{name}`: {says}" for name, says in CHANGES.items()]
    lines += ["", "## Why a value can be undefined", ""]
    lines += ["`measure.why(table)` gives one of these, and the command line prints it.", ""]
    lines += [f"- `{reason.code}`: {reason.sentence}" for reason in REASONS.values()]
    return "\n".join([*lines, ""])


def _title(family: str) -> str:
    return family.replace("_", " ").capitalize()


def _about(family: str) -> str:
    module = sys.modules[f"chancemeter.measures.{family}"]
    return (module.__doc__ or "").strip().partition("\n")[0]


def _family(family: str, measures: list[Measure[...]]) -> str:
    lines = [f"# {_title(family)}", "", _MADE, "", _about(family), ""]
    for m in measures:
        lines += _measure(m)
    cited = sorted({key for m in measures for key in m.card.references})
    if cited:
        lines += ["## References", ""]
        lines += [f"- <a id='{key}'></a>`{key}` {citation(key)}" for key in cited]
    return "\n".join([*lines, ""])


def _measure(m: Measure[...]) -> list[str]:
    """One entry: the formula, then a line for each thing that the card says."""
    card = describe(m)
    tex = formula_of(m)
    lines = [f"## {m.key}", "", f"**{card['symbol']}** {card['summary']}", ""]
    lines += ["```math", tex, "```", ""] if tex else []
    lines += [f"- {head}: {text}" for head, text in _rows(m, card) if text]
    return [*lines, ""]


def _rows(m: Measure[...], card: dict[str, Any]) -> list[tuple[str, str]]:
    low, high = card["range"]
    perfect, by_chance = card["perfect"], card["by_chance"]
    ends = [_LEVEL[card["level"]], f"from {_number(low)} to {_number(high)}"]
    ends += [_BETTER[card["direction"]]]
    at = "depends on the table" if perfect is None else _number(perfect)
    guessed = "depends on the table" if by_chance is None else _number(by_chance)
    arithmetic = [
        "an exact fraction (`.exact`)" if card["rational"] else "",
        "" if card["smooth"] else "has a kink",
        "" if m.card.closed_form else "by iteration or an integral",
    ]
    undefined = [REASONS[c].sentence for c in REASONS if c in card["undefined"]]
    if m.card.undefined_with_parameters:
        more = m.card.undefined_with_parameters.split()
        undefined += [f"with parameters: {REASONS[c].sentence}" for c in more]
    names = [name for name in card["names"] if name != m.key]
    return [
        ("Values", ", ".join(ends)),
        ("Perfect", at),
        ("By chance", f"{guessed} (model `{card['chance_model']}`)"),
        ("Unchanged by", ", ".join(n for n in CHANGES if n in card["unchanged_by"])),
        ("Ranks like", _code(card["ranks_like"])),
        (
            "Ranks like, at the same truth",
            _code(k for k in card["ranks_like_at_same_truth"] if k not in card["ranks_like"]),
        ),
        ("Undefined", "; ".join(undefined)),
        ("Needs", "diagonal and margins" if card["needs"] == "margins" else "every cell"),
        ("Arithmetic", ", ".join(x for x in arithmetic if x)),
        ("Parameters", _code(f"{k}={v}" for k, v in card["parameters"].items())),
        ("Also called", _code(names)),
        ("Short for an expression", _code(_shorthands(m))),
        ("Elsewhere", m.card.elsewhere),
        ("Good for", card["good_for"]),
        ("Not for", card["not_for"]),
        ("References", ", ".join(f"[{key}](#{key})" for key in card["references"])),
    ]


def _shorthands(m: Measure[...]) -> list[str]:
    base = re.compile(rf"{re.escape(m.key)}[@(]")
    return [f"{name} = {what}" for name, what in SHORTHAND.items() if base.match(what)]


def _code(words: Any) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _number(x: Any) -> str:
    if isinstance(x, str):
        return x.replace("-Infinity", "−∞").replace("Infinity", "∞")
    return f"{x:g}".replace("-", "−")


def citation(key: str) -> str:
    """An entry of the bibliography in full."""
    entry = references()[key]
    people = [" ".join(reversed(name.split(", "))) for name in entry["author"].split(" and ")]
    volume = entry.get("volume", "") + (f"({entry['number']})" if "number" in entry else "")
    within = entry.get("journal") or entry.get("booktitle")
    by = ("publisher", "school", "institution", "howpublished")
    place = f"*{within}*" if within else ", ".join(entry[key] for key in by if key in entry)
    parts = [
        f"{', '.join(people)} ({entry['year']}). {entry['title'].rstrip('.')}.",
        ", ".join(x for x in (place, volume, entry.get("pages", "").replace("--", "–")) if x),
        entry.get("note", ""),
    ]
    parts += [f"<https://doi.org/{entry['doi']}>"] if "doi" in entry else []
    parts += [f"<{entry['url']}>"] if "url" in entry else []
    return " ".join(part for part in parts if part)


def _errors() -> str:
    lines = [
        "# Errors",
        "",
        "*Made from `chancemeter.errors.CODES` by `make docs`; a change here is lost.*",
        "",
        "An error says where, what was seen, and how to fix it. Its code never changes meaning.",
        "In Python every one is a `chancemeter.ChancemeterError`, which is a `ValueError`, and",
        "`.faults` holds all that is wrong, not only the first.",
        "",
        "| code | meaning |",
        "|---|---|",
        *(f"| `{code}` | {meaning} |" for code, meaning in CODES.items()),
    ]
    return "\n".join([*lines, ""])


def main() -> None:
    """Write every page, and remove pages of families that are gone."""
    made = pages()
    for old in (DOCS / "measures").glob("*.md"):
        if f"measures/{old.name}" not in made:
            old.unlink()
    for path, text in made.items():
        (DOCS / path).parent.mkdir(parents=True, exist_ok=True)
        (DOCS / path).write_text(text, "utf-8")


if __name__ == "__main__":
    main()

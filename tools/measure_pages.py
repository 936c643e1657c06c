"""Pages made from what the code declares: one for each measure and family, and the errors.

Nothing is written here that a card does not say. `docs/errors.md` is kept in the repository, and
a test checks that it is current; the others are made for the site.
"""

from __future__ import annotations

import doctest
import inspect
import re
import sys
from pathlib import Path
from typing import Any

import formula_tex

from chancemeter import chance
from chancemeter.catalogue import describe, references
from chancemeter.errors import CODES
from chancemeter.measures import FAMILIES
from chancemeter.registry import CHANGES, SHORTHAND, Measure, every
from chancemeter.undefined import REASONS

DOCS = Path(__file__).parent.parent / "docs"
_BETTER = {"higher": "higher is better", "lower": "lower is better", "neither": "neither way"}
_LEVEL = {"table": "one for the table", "class": "one for each class against the rest"}


def pages() -> dict[str, str]:
    """Every page of the measures, by its path below `docs`."""
    by_family: dict[str, list[Measure[...]]] = {family: [] for family in FAMILIES}
    for m in every():
        by_family[m.family].append(m)
    found = {f"measures/families/{f}.md": _family(f, ms) for f, ms in by_family.items()}
    found |= {f"measures/{m.key}.md": _page(m) for ms in by_family.values() for m in ms}
    return {"measures/index.md": _index(by_family), **found}


def _index(by_family: dict[str, list[Measure[...]]]) -> str:
    lines = [
        "# All measures",
        "",
        f"{sum(map(len, by_family.values()))} measures in {len(by_family)} families.",
        "`chancemeter.NAME(table)` computes a measure; rows are the truth. Every name, and every",
        "expression such as `f_score(beta=2)@macro`, goes into `chancemeter.get`,",
        "`chancemeter.score` and the command line, where `chancemeter explain NAME` says what",
        "stands here.",
        "",
        "```{toctree}",
        ":maxdepth: 1",
        "",
        *(f"families/{family}" for family in by_family),
        "```",
        "",
        "## Chance models",
        "",
        "What the pages call *by chance* is one of these.",
        "",
    ]
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
    lines = [f"# {_title(family)}", "", _about(family), ""]
    lines += ["| measure | | |", "|---|---|---|"]
    lines += [
        f"| [{m.key}](../{m.key}.md) | {_cell(m.card.symbol)} | {_cell(m.summary)} |"
        for m in measures
    ]
    listed = [f"../{m.key}" for m in measures]
    return "\n".join([*lines, "", "```{toctree}", ":hidden:", "", *listed, "```", ""])


def _cell(text: str) -> str:
    """Text in a table: a bar would end it, a star or a dollar would mean something."""
    return re.sub(r"([|*$_<])", r"\\\1", text)


def _page(m: Measure[...]) -> str:
    """One measure: the formula, a picture, a line for each thing that the card says."""
    card = describe(m)
    tex = formula_tex.tex_of(m)
    lines = [f"# {m.key}", "", f"**{_cell(card['symbol'])}**: {_cell(card['summary'])}", ""]
    lines += ["```{math}", formula_tex.laid_out(tex), "```", ""]
    means = formula_tex.legend(tex)
    lines += ["; ".join(f"${sign}$ {says}" for sign, says in means.items()) + ".", ""] * bool(means)
    said = f"{m.key} over ROC space: hits upwards, false alarms to the right, at two prevalences"
    lines += [f"![{said}](pictures/{m.key}.png)", ""] * pictured(m)
    cautions = (("Good for", "tip", card["good_for"]), ("Not for", "caution", card["not_for"]))
    for title, kind, text in cautions:
        lines += [f":::{{{kind}}} {title}", _cell(text), ":::", ""] if text else []
    lines += ["| | |", "|---|---|"]
    lines += [f"| {head} | {text} |" for head, text in _rows(m, card) if text]
    lines += ["", *_example(m)]
    if m.card.references:
        lines += ["## Sources", "", *(f"- {citation(key)}" for key in m.card.references), ""]
    return "\n".join([*lines, f"Family: [{_title(m.family)}](families/{m.family}.md)", ""])


def pictured(m: Measure[...]) -> bool:
    """Whether it has a value for one class against the rest that moves over ROC space."""
    return m.key not in {"population", "cases_per_class", "chi_squared_df"}


def _example(m: Measure[...]) -> list[str]:
    """The examples of the docstring, which are run by the tests."""
    text = inspect.getdoc(m.of_classes.__wrapped__) or ""
    examples = doctest.DocTestParser().get_examples(text)
    if not examples:
        return []
    shown = [
        ">>> " + "\n... ".join(x.source.rstrip("\n").split("\n")) + f"\n{x.want.rstrip()}"
        for x in examples
    ]
    return ["## Example", "", "```pycon", *shown, "```", ""]


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
        ("Ranks like", _links(card["ranks_like"])),
        (
            "Ranks like, at the same truth",
            _links(k for k in card["ranks_like_at_same_truth"] if k not in card["ranks_like"]),
        ),
        ("Undefined", "; ".join(undefined)),
        ("Needs", "diagonal and margins" if card["needs"] == "margins" else "every cell"),
        ("Arithmetic", ", ".join(x for x in arithmetic if x)),
        ("Parameters", _code(f"{k}={v}" for k, v in card["parameters"].items())),
        ("Also called", _code(names)),
        ("Short for an expression", _code(_shorthands(m))),
        ("Elsewhere", _cell(m.card.elsewhere)),
    ]


def _shorthands(m: Measure[...]) -> list[str]:
    base = re.compile(rf"{re.escape(m.key)}[@(]")
    return [f"{name} = {what}" for name, what in SHORTHAND.items() if base.match(what)]


def _code(words: Any) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _links(keys: Any) -> str:
    return ", ".join(f"[{key}]({key}.md)" for key in keys)


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


def errors() -> str:
    """The page of all codes, which the repository keeps."""
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


if __name__ == "__main__":
    (DOCS / "errors.md").write_text(errors(), "utf-8")

"""What a gate found, as people, builds and test runners read it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from xml.sax.saxutils import quoteattr

from chancemeter.errors import plural
from chancemeter.reports.gate import Outcome
from chancemeter.reports.markdown import escaped


def as_text(outcomes: Sequence[Outcome]) -> str:
    """A line for each."""
    return "".join(f"{outcome}\n" for outcome in outcomes)


def as_json(outcomes: Sequence[Outcome]) -> str:
    """For machines."""
    passed = all(x.passed for x in outcomes)
    found = {"passed": passed, "conditions": [x.to_dict() for x in outcomes]}
    return json.dumps(found, allow_nan=False) + "\n"


def as_markdown(outcomes: Sequence[Outcome]) -> str:
    """A table, as for the summary of a build."""
    failed = sum(not x.passed for x in outcomes)
    head = f"{plural(failed, 'condition')} failed" if failed else "All conditions are met"
    lines = ["| | model | found | wanted |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {'ok' if x.passed else '**FAIL**'} | {escaped(x.model)} | {escaped(x.found)} "
        f"| {escaped(x.wanted)} |"
        for x in outcomes
    ]
    return f"### chancemeter: {head}\n\n" + "\n".join(lines) + "\n"


def as_github(outcomes: Sequence[Outcome]) -> str:
    r"""Annotations of a workflow of GitHub.

    >>> print(_message("100%: a\nb"))
    100%25: a%0Ab
    """
    return "".join(
        f"::{'notice' if x.passed else 'error'} title=chancemeter check::"
        f"{_message(f'{x.model}: {x.found}, wanted {x.wanted}')}\n"
        for x in outcomes
    )


def as_junit(outcomes: Sequence[Outcome]) -> str:
    """For test runners."""
    failed = sum(not x.passed for x in outcomes)
    counts = f'tests="{len(outcomes)}" failures="{failed}" errors="0"'
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<testsuites {counts}><testsuite name="chancemeter check" {counts}>',
    ]
    for x in outcomes:
        case = f"<testcase classname={_attribute(x.model)} name={_attribute(x.wanted)}"
        failure = f"><failure message={_attribute(x.found)}/></testcase>"
        lines.append(case + ("/>" if x.passed else failure))
    return "\n".join([*lines, "</testsuite></testsuites>", ""])


FORMATS = {
    "text": as_text,
    "json": as_json,
    "md": as_markdown,
    "github": as_github,
    "junit": as_junit,
}


def _message(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _attribute(text: str) -> str:
    """Quoted, without what XML cannot hold at all."""
    return quoteattr(re.sub(r"[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", "�", text))

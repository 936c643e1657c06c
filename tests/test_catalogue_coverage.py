"""Every statistic on the list has a place, and the pages and the stub say what the code says."""

from __future__ import annotations

import csv
import doctest
import importlib
import importlib.util
import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from conftest import require

import chancemeter as cm
from chancemeter import scales
from chancemeter.catalogue import references
from chancemeter.registry import REGISTRY, SHORTHAND

ROOT = Path(__file__).parent.parent
DECISION = ROOT / "docs" / "decisions" / "0002-what-is-not-a-measure.md"
LEVELS = {"overall", "per-class", "binary", "ordinal-weighted", "interpretation"}
#: Listed for two classes or for a table, and the other way here.
OTHER_LEVEL = {
    "kappa_binary_closed": "kappa is one value for both of two classes",
    "info_log_forms": "a mean over classes is undefined as soon as one has no false alarm",
}


@cache
def catalogue() -> list[dict[str, str]]:
    with (ROOT / "tests" / "golden" / "catalogue.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


@cache
def assigned() -> dict[str, tuple[str, str]]:
    """Module and reason of each id in the table of modules to come."""
    rows = re.findall(
        r"^\| `(\w+)` \| (\w+) \| (.+) \|$", DECISION.read_text("utf-8"), re.MULTILINE
    )
    return {key: (module, reason) for key, module, reason in rows}


def tool(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_list_is_whole() -> None:
    ids = [row["id"] for row in catalogue()]
    assert len(ids) == len(set(ids)) == 280
    assert {row["level"] for row in catalogue()} == LEVELS
    assert all(row["name"] and row["where"] for row in catalogue())


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in catalogue()])
def test_every_statistic_has_a_place(row: dict[str, str]) -> None:
    kind, _, name = row["where"].partition(" ")
    if kind == "module":
        module, reason = assigned()[row["id"]]
        assert module == name
        assert len(reason) > 20
        spec = importlib.util.find_spec(f"chancemeter.{name}")
        assert spec is None, f"{name} is there now: say where {row['id']} is"
    elif kind == "scale":
        assert scales.get(name).key == name
    elif kind == "function":
        module_name, _, function = name.rpartition(".")
        assert callable(getattr(importlib.import_module(f"chancemeter.{module_name}"), function))
    elif kind.partition(".")[0] == "Table":
        assert callable(getattr(cm.Table, kind.partition(".")[2] or "__init__"))
    else:
        for expression in row["where"].split("; "):
            check_measure(row, cm.get(expression))


def check_measure(row: dict[str, str], m: cm.Measure) -> None:
    """A statistic of a class has a value for each class, one of a table has one."""
    of_class = row["level"] in {"per-class", "binary"}
    assert (m.card.level == "class") == (of_class != (row["id"] in OTHER_LEVEL))


def test_only_what_has_no_place_yet_is_put_off() -> None:
    put_off = {row["id"] for row in catalogue() if row["where"].startswith("module ")}
    assert set(assigned()) == put_off


def test_ids_that_are_names_mean_the_same() -> None:
    """But for three that are, here, of the whole table, and Pontius' kappa for location."""
    names = {*REGISTRY, *SHORTHAND}
    other = set()
    for row in catalogue():
        if row["id"] in names:
            meant = cm.get(row["id"]).key.partition("(")[0]
            places = {cm.get(x).key.partition("(")[0] for x in row["where"].split("; ")}
            other |= set() if meant in places else {row["id"]}
    assert other == {"informedness", "markedness", "mcc", "kappa_location"}


def test_errors_are_current() -> None:
    found = tool("measure_pages").errors()
    assert (ROOT / "docs" / "errors.md").read_text("utf-8") == found, "run make docs"


def test_every_reference_can_be_cited_in_full() -> None:
    citation = tool("measure_pages").citation
    for key in references():
        text = citation(key)
        assert references()[key]["year"] in text
        assert not re.search(r"[{}]|\s,|\s\s|\(\)", text), text


def test_stub_is_current() -> None:
    maker = tool("make_stub")
    assert maker.STUB.read_text("utf-8") == maker.stub(), "run tools/make_stub.py"


def test_type_checkers_know_the_names() -> None:
    require("mypy", present=importlib.util.find_spec("mypy") is not None)
    snippet = str(ROOT / "tests" / "typing_snippet.py")
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", snippet]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


PAGES = [
    "index.md",
    "one-rule.md",
    "curves.md",
    *sorted(f"decisions/{p.name}" for p in DECISION.parent.iterdir()),
]


@pytest.mark.parametrize("page", PAGES)
def test_examples_on_pages_run(page: str) -> None:
    text = (ROOT / "docs" / page).read_text("utf-8")
    blocks = "\n".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL))
    example = doctest.DocTestParser().get_doctest(blocks, {}, page, page, 0)
    said: list[str] = []
    assert doctest.DocTestRunner().run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("page", PAGES)
def test_links_and_tests_named_on_pages_are_there(page: str) -> None:
    path = ROOT / "docs" / page
    text = path.read_text("utf-8")
    for link in re.findall(r"\]\(([\w./-]+\.md)", text):
        assert (path.parent / link).exists() or link.endswith("agreement.md"), link
    tests = "\n".join(p.read_text("utf-8") for p in (ROOT / "tests").glob("test_*.py"))
    for name in re.findall(r"`(test_\w+)`", text):
        assert f"def {name}(" in tests, name

"""What the documents show is what happens: every example is run, every output compared."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from chancemeter import cli

ROOT = Path(__file__).parents[1]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(path, kind):
    """Text of the fenced blocks of one kind, with the line each starts on."""
    text = path.read_text("utf-8")
    for found in BLOCK.finditer(text):
        if found[1] == kind:
            yield text.count("\n", 0, found.start(2)) + 1, found[2]


def named(path):
    return str(path.relative_to(ROOT))


PYTHON = [path for path in DOCUMENTS if any(">>>" in text for _, text in blocks(path, "python"))]


@pytest.mark.parametrize("path", PYTHON, ids=named)
def test_python(path, monkeypatch):
    """One session for each document, from top to bottom, in the folder of the examples."""
    monkeypatch.chdir(ROOT / "examples")
    runner, names, said = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS), {}, []
    for line, text in blocks(path, "python"):
        test = doctest.DocTestParser().get_doctest(text, names, path.name, str(path), line - 1)
        runner.run(test, out=said.append, clear_globs=False)
        names = test.globs
    assert not runner.failures, "".join(said)


COMMANDS = [
    pytest.param(command, shown, id=f"{named(path)}:{line}")
    for path in DOCUMENTS
    for line, text in blocks(path, "console")
    for command, shown in re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
    if command.startswith("chancemeter")
]


@pytest.mark.parametrize(("command", "shown"), COMMANDS)
def test_console(command, shown, monkeypatch, capsys, tmp_path):
    """A block may show only the first lines of an output; what is written is thrown away."""
    for example in filter(Path.is_file, (ROOT / "examples").iterdir()):
        (tmp_path / example.name).write_bytes(example.read_bytes())
    monkeypatch.chdir(tmp_path)
    code = cli.main(shlex.split(command)[1:])
    out, err = capsys.readouterr()
    assert code == (2 if shown.startswith("error") else 1 if "FAIL " in shown else 0)
    out = (err if code == 2 else out).splitlines()
    wanted = shown.rstrip("\n").splitlines()
    assert [line.rstrip() for line in out[: len(wanted)]] == wanted


def test_there_is_something_to_test():
    assert ROOT / "README.md" in PYTHON
    assert len(COMMANDS) > 4


@pytest.mark.parametrize("path", DOCUMENTS, ids=named)
def test_links_lead_somewhere(path):
    text = re.sub(r"^```.*?^```$", "", path.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for target in re.findall(r"\]\(([^)#\s]+)", text):
        assert re.match(r"\w+:", target) or (path.parent / target).exists(), target

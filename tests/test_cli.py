"""The command line as people meet it: in this process for speed, in one of its own for the rest."""

import io
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from snapshot import matches

import chancemeter as cm
from chancemeter.cli import commands

EXAMPLES = Path(__file__).parents[1] / "examples"
SOURCE = Path(cm.__file__).parents[1]


def process(*words, **kwargs):
    """Run a command in a process of its own."""
    env = {**os.environ, "PYTHONPATH": str(SOURCE), "PYTHONIOENCODING": "utf-8"}
    env |= kwargs.pop("env", {})
    command = [sys.executable, "-W", "error", "-m", "chancemeter", *words]
    kwargs = {"capture_output": True, "cwd": EXAMPLES, "env": env, "timeout": 60, **kwargs}
    return subprocess.run(command, check=False, **kwargs)


MANY = "y_true,y_pred\n" + "".join(
    f"class {i % 60:02},class {i * 7 % 60 if i % 3 else i % 60:02}\n" for i in range(1200)
)
TEN = "y_true,y_pred\n" + "".join(
    f"{c},{c if i % 4 else 'cabdefghij'['abcdefghij'.index(c)]}\n"
    for c in "abcdefghij"
    for i in range(5 + ord(c) % 7)
)
LONG = "y_true,y_pred\n" + "".join(
    f"{a},{b}\n"
    for a, b in [
        ("a label so long that it does not fit beside any number", "=cmd()"),
        ("=cmd()", "=cmd()"),
        ("\x1b[31mred", "\x1b[31mred"),
        ("\u202egnp.exe", "<b>bold</b>"),
        ("日本語", "日本語"),
        ("<b>bold</b>", "<b>bold</b>"),
    ]
)
GAPS = "y_true,y_pred\na,a\n,b\nb,\nb,b\na,a\n"

SCREENS = {
    "score": "score logreg.csv",
    "score-chances-and-words": "score forest.csv --chances --words landis_koch",
    "score-matrix": "score cats.csv --matrix --rows truth",
    "score-asked": "score cats.csv kappa recall f_score@macro --matrix --rows truth mcc",
    "score-ten-classes": "score ten.csv",
    "score-many-classes": "score many.csv",
    "score-long-labels": "score long.csv",
    "score-weights": "score weights.csv --matrix --rows prediction",
    "score-two-models": "score two.csv --true t --pred a --pred b",
    "score-gaps-dropped": "score gaps.csv --missing drop",
    "score-empty": "score empty.csv --matrix --rows truth",
    "score-one-class": "score single.csv",
    "measures": "measures rand",
    "measures-like": "measures --like jaccard",
    "measures-none": "measures zzzz",
    "explain": "explain kappa",
    "explain-expression": "explain f_score(beta=2)@macro",
    "explain-chance": "explain chance",
}
FILES = {
    "many": MANY,
    "ten": TEN,
    "long": LONG,
    "weights": ",sick,well\nsick,10.5,2\nwell,0.25,80\n",
    "two": "t,a,b\nx,x,y\ny,y,y\nx,x,x\ny,x,y\n",
    "gaps": GAPS,
    "empty": "0,0\n0,0\n",
    "single": "y_true,y_pred\na,a\na,a\n",
}


@pytest.mark.parametrize("name", SCREENS)
def test_screens(run, name):
    command = SCREENS[name]
    code, out, err = run(command, **FILES)
    assert code == 0
    matches(name, f"$ chancemeter {command}\n{out}" + (f"--- on stderr\n{err}" if err else ""))
    for line in (out + err).splitlines():
        assert len(line) <= 100 or line.startswith("    "), line
        assert line.isprintable()
        assert line == line.rstrip()


WRONG = {
    "no-file": "score forst.csv",
    "folder": "score .",
    "not-a-table": "score pickle.csv",
    "columns": "score forest.csv --true tru --pred y_pre",
    "no-columns": "score other.csv",
    "semicolons": "score semicolons.csv",
    "quotes": "score quotes.csv",
    "gaps": "score gaps.csv",
    "numbers": "score numbers.csv",
    "identifier": "score ids.csv",
    "measure": "score forest.csv kapa mcc recal@macro",
    "parameter": "score forest.csv f_score(bta=2) recall@makro",
    "value": "score forest.csv f_score(beta=high)",
    "scale": "score forest.csv --words landis",
    "matrix-forgotten": "score cats.csv",
    "rows-forgotten": "score cats.csv --matrix",
    "rows-without-matrix": "score forest.csv --rows truth",
    "columns-of-a-matrix": "score cats.csv --matrix --rows truth --true x",
    "cells": "score forest.csv --matrix --rows truth",
    "classes": "score mismatch.csv --matrix --rows truth",
    "delimiter": "score forest.csv --delimiter ::",
    "encoding": "score forest.csv --encoding klingon",
    "command": "scor forest.csv",
    "no-command": "",
    "option": "score forest.csv --matix",
    "abbreviated": "score forest.csv --enc latin-1",
    "choice": "score forest.csv --missing dropp",
    "number": "score forest.csv --max-classes many",
    "argument-missing": "score",
    "extra-word": "explain kappa mcc",
    "unknown-explain": "explain heidke",
    "family": "measures --family overlop",
    "source": "measures --source power2012",
    "like": "measures --like jacard",
}
WRONG_FILES = {
    "other": "id,a,b\n1,2,3\n",
    "semicolons": "y_true;y_pred\na;b\n",
    "quotes": 'y_true,y_pred\na,b\n"a,b\n',
    "gaps": GAPS,
    "numbers": "y_true,y_pred\n1,1.0\n0,0.0\n",
    "ids": "y_true,y_pred\n" + "".join(f"{i},{i}\n" for i in range(3000)),
    "mismatch": ",a,b\na,1,2\nc,3,4\n",
    "pickle": "\x80\x04",
}


@pytest.mark.parametrize("name", WRONG)
def test_messages(run, name, tmp_path):
    (tmp_path / "pickle.csv").write_bytes(b"\x80\x04.")
    files = {key: text for key, text in WRONG_FILES.items() if key != "pickle"}
    code, out, err = run(WRONG[name], **files)
    assert (code, out) == (2, "")
    assert re.search(r"^error\[CM\d{3}\]: ", err, re.MULTILINE)
    assert "  fix: " in err
    assert "Traceback" not in err
    if name != "no-command":  # which is shown the help as well
        matches(f"wrong-{name}", f"$ chancemeter {WRONG[name]}\n{err}")
    if WRONG[name].startswith("score "):
        assert run(WRONG[name] + " --json", **files) == (2, "", err)


@pytest.mark.parametrize("command", ["--help", "score --help", "measures -h", "explain --help"])
def test_help(run, command, capsys):
    with pytest.raises(SystemExit) as caught:
        run(command)
    assert caught.value.code == 0
    out, err = capsys.readouterr()
    assert out.startswith("usage: chancemeter")  # how it is laid out depends on Python
    assert err == ""


def test_json(run):
    code, out, err = run("score long.csv --json", **FILES)
    assert code == 0
    read = json.loads(out)
    assert read["chancemeter"] == cm.__version__
    (found,) = read["models"].values()
    assert list(read["models"]) == ["long"]
    assert "\x1b[31mred" in found["labels"]
    assert found["n"] == 6
    assert "note:" in err
    assert json.loads(run("score cats.csv kappa --matrix --rows truth --json")[1])
    more = json.loads(run("score cats.csv kappa --matrix --rows truth --json --chances")[1])
    assert more["models"]["cats"]["ideas_of_chance"]["cohen"]["beyond"] == pytest.approx(
        0.4702, abs=5e-5
    )
    listed = json.loads(run("measures --json")[1])
    assert len(listed) == len(list(cm.every()))
    empty = json.loads(run("score empty.csv --matrix --rows truth --json", **FILES)[1])
    kappa = empty["models"]["empty"]["measures"]["kappa"]
    assert (
        kappa.items()
        >= {
            "value": None,
            "undefined": {"code": "no_cases", "reason": "there are no cases"},
            "interval": [None, None],
        }.items()
    )


@pytest.mark.parametrize("scale", [*cm.SCALES, *(s.name for s in cm.SCALES.values())])
def test_every_scale_has_words_for_a_file(run, scale):
    for command in ("score forest.csv", "score empty.csv --matrix --rows truth"):
        code, out, err = run(f"{command} kappa --words {scale}", **FILES)
        assert code == 0, err
        assert cm.SCALES.get(scale, None) is None or cm.SCALES[scale].title in out


def test_measures_stand_anywhere(run):
    commands_alike = (
        "score cats.csv kappa mcc --matrix --rows truth",
        "score cats.csv --matrix --rows truth kappa mcc",
        "score --matrix --rows truth cats.csv kappa mcc",
        "score --rows=truth cats.csv kappa --matrix mcc",
    )
    assert len({run(command) for command in commands_alike}) == 1


def test_options_of_a_file(run):
    text = "wahr;vorhergesagt\nü;ü\nü;o\no;o\n"
    Path("umlaut.csv").write_bytes(text.encode("latin-1"))
    command = "score umlaut.csv --true wahr --pred vorhergesagt --delimiter ';' --encoding latin-1"
    code, out, err = run(command)
    assert (code, err) == (0, "")
    assert "\n  ü  " in out
    many = "y_true,y_pred\n" + "".join(f"{i},{i}\n" for i in range(2100))
    assert run("score ids.csv --max-classes 2100", ids=many)[0] == 0
    assert run("score n.csv --labels-as number", n=WRONG_FILES["numbers"])[0] == 0


def test_an_internal_fault(run, monkeypatch):
    def broken(*args, **kwargs):
        raise RuntimeError("no\x1bidea")

    monkeypatch.setattr(commands, "luck", broken)
    code, out, err = run("score forest.csv")
    assert (code, out) == (3, "")
    assert err.splitlines()[-2:] == [
        "fault of chancemeter: RuntimeError: no\\x1bidea",
        "  fix: please report it, with the output of the same command after CHANCEMETER_DEBUG=1",
    ]
    monkeypatch.setenv("CHANCEMETER_DEBUG", "1")
    with pytest.raises(RuntimeError):
        run("score forest.csv")


def test_an_interruption(run, monkeypatch):
    def interrupted(*args, **kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr(commands, "luck", interrupted)
    assert run("score forest.csv")[0] == 130


# In a process of its own


def test_commands_as_processes(tmp_path):
    done = process("score", "logreg.csv")
    assert (done.returncode, b"It won 3%" in done.stdout) == (0, True)
    done = process("score", "nothing.csv")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.startswith(b"error[CM001]")
    assert process("--version").stdout.decode() == f"chancemeter {cm.__version__}\n"
    text = (EXAMPLES / "forest.csv").read_bytes()
    assert process("score", "-", input=text).stdout.startswith(b"stdin: 2,000 cases")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "latin-1"])
def test_a_terminal_that_knows_few_characters(tmp_path, encoding):
    (tmp_path / "long.csv").write_text(LONG, "utf-8")
    env = {"PYTHONIOENCODING": encoding}
    done = process("score", "forest.csv", "--chances", "--words", "altman", env=env)
    assert done.returncode == 0
    text = done.stdout.decode(encoding)
    assert not re.search(r"\\[ux]", text)
    assert ":::####" in text
    for words in (
        ["explain", "kappa"],
        ["explain", "chance"],
        ["measures"],
        ["measures", "--json"],
    ):
        done = process(*words, env=env)
        assert done.returncode == 0, done.stderr
    done = process("score", str(tmp_path / "long.csv"), env=env)
    assert done.returncode == 0
    assert "\\u65e5" in done.stdout.decode(encoding)  # a label has no plainer form
    done = process("score", str(tmp_path / "long.csv"), "--json", env=env)
    assert "日本語" in json.loads(done.stdout.decode(encoding))["models"]["long"]["labels"]
    done = process("score", "no\u202e日本", env=env)
    assert (done.returncode, done.stdout) == (2, b"")


@pytest.mark.skipif(os.name != "posix", reason="a shell")
def test_a_reader_that_stops_listening():
    python = shlex.quote(sys.executable)
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    for words in ("measures", "measures --json", "explain kappa"):
        line = f"{python} -m chancemeter {words} | head -c 1; echo ${{PIPESTATUS[0]}}"
        done = subprocess.run(
            ["bash", "-c", line], check=True, capture_output=True, env=env, timeout=60
        )
        assert done.stderr == b""
        assert done.stdout.splitlines()[-1].endswith(b"0")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a full disk")
def test_a_full_disk():
    with Path("/dev/full").open("wb") as full:
        done = process("measures", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"error[CM009]: the output cannot be written: No space left")


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_control_c():
    script = (
        "import signal, sys, time, chancemeter.cli as cli, chancemeter.cli.commands as commands\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"  # it may be ignored here
        "def late(*a, **k):\n    print('ready', flush=True)\n"
        "    for _ in range(2000):\n        time.sleep(0.01)\n"
        "commands.luck = late\n"
        "sys.exit(cli.main(['score', 'forest.csv']))\n"
    )
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    command = [sys.executable, "-c", script]
    with subprocess.Popen(
        command, cwd=EXAMPLES, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as running:
        assert running.stdout.readline() == b"ready\n"
        running.send_signal(signal.SIGINT)
        out, err = running.communicate(timeout=30)
    assert running.returncode == 130
    assert b"Traceback" not in out + err


def test_nothing_heavy_is_imported_for_help():
    script = (
        "import sys, chancemeter.cli as cli\ntry:\n    cli.main(['--help'])\n"
        "except SystemExit:\n    pass\nprint(sorted({'numpy', 'pandas', 'scipy'} & set(sys.modules)))"
    )
    env = {**os.environ, "PYTHONPATH": str(SOURCE)}
    done = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, env=env, timeout=60
    )
    assert done.stdout.splitlines()[-1] == b"[]"


def test_large_files_are_scored_fast_enough(run):
    rng = np.random.default_rng(1)
    cells = rng.integers(0, 5, (50_000, 2))
    text = io.StringIO()
    np.savetxt(text, cells, "%d", ",", header="y_true,y_pred", comments="")
    assert run("score large.csv --json", large=text.getvalue())[0] == 0

"""Shared by all tests: how hard to look, and what to do when a component is missing."""

import os
import shlex
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from chancemeter import cli

EXAMPLES = Path(__file__).parents[1] / "examples"

#: Scripts that made golden values: they need what they were made with.
collect_ignore_glob = ["golden/*.py"]

settings.register_profile("dev", max_examples=25, deadline=None)
settings.register_profile("ci", max_examples=200, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


def require(component: str, present: bool | None = None) -> None:
    """Skip without `component` (a command, unless `present` says), or fail if all are required."""
    here = shutil.which(component) is not None if present is None else present
    if here:
        return
    if os.environ.get("CHANCEMETER_REQUIRE") == "all":
        pytest.fail(f"{component} is missing, and CHANCEMETER_REQUIRE=all")
    pytest.skip(f"{component} is not installed")


@pytest.fixture
def run(capsys, monkeypatch, tmp_path):
    """Run a command in a folder that holds the examples and `files`."""
    for example in EXAMPLES.glob("*.csv"):
        (tmp_path / example.name).write_bytes(example.read_bytes())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")

    def run(command, **files):
        for name, text in files.items():
            Path(f"{name}.csv").write_text(text, "utf-8")
        code = cli.main(shlex.split(command) if isinstance(command, str) else command)
        out, err = capsys.readouterr()
        return code, out, err

    return run


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep the tests that start servers on one worker, so that they are started once."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "engines" if "test_engines.py" in nodeid else nodeid

    return Scheduling(config, log)

"""Shared by all tests: how hard to look, and what to do when a component is missing."""

import os
import shutil

import pytest
from hypothesis import settings

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


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Keep the tests that start servers on one worker, so that they are started once."""
    from xdist.scheduler import LoadScopeScheduling

    class Scheduling(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return "engines" if "test_engines.py" in nodeid else nodeid

    return Scheduling(config, log)

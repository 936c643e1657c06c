"""Cells in a process of their own, which may hang, crash or eat memory without harm to the rest.

The process stays for the next cell; it is killed when a cell takes too long, and another is
started. What passes between the two is made and read by them alone.
"""

from __future__ import annotations

import atexit
import os
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from multiprocessing.connection import Connection
from typing import Any

from chancemeter.experiments.cell import Limits, Result, Task, end_with_parent, run, settle
from chancemeter.experiments.store import Failed

_HERE = threading.local()
#: Seconds for a new process to import what it needs.
_START = 120.0


class Helper:
    """A process that runs cells, and the way to talk with it."""

    def __init__(self) -> None:
        """Start it, and wait until it is ready."""
        ours, theirs = os.pipe(), os.pipe()
        self._listen, self._talk = (
            Connection(theirs[0], writable=False),
            Connection(ours[1], readable=False),
        )
        code = f"from chancemeter.experiments.apart import serve; serve({ours[0]}, {theirs[1]})"
        self.process = subprocess.Popen(  # noqa: S603  our own interpreter
            [sys.executable, "-c", code],
            pass_fds=(ours[0], theirs[1]),
            stdin=subprocess.DEVNULL,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        os.close(ours[0])
        os.close(theirs[1])
        if not self._listen.poll(_START):
            self.kill()
            msg = "a helper process did not start"
            raise RuntimeError(msg)
        self._listen.recv()

    def ask(self, task: Task) -> Result:
        """The result of a cell; a failure if the process did not live to tell."""
        import cloudpickle

        self._talk.send_bytes(cloudpickle.dumps(task))
        try:
            # The clock starts when the modules of the classifier have been loaded.
            for seconds in (_START, task.limits.seconds):
                if not self._listen.poll(seconds):
                    self.kill()
                    return Result(Failed(task.key, "time", f"longer than {seconds:g} s"))
                answer: Result | str = self._listen.recv()
        except EOFError:
            epitaph = self._epitaph(task.limits)
            self.kill()
            return Result(Failed(task.key, "crash", epitaph))
        if isinstance(answer, str):
            return Result(Failed(task.key, "error", answer))
        if isinstance(answer.outcome, Failed) and answer.outcome.kind == "memory":
            self.kill()  # what is left of its memory may be too little for others
        return answer

    def _epitaph(self, limits: Limits) -> str:
        """How it died."""
        code = self.process.wait()
        how = f"ended itself with exit code {code}"
        if code < 0:
            how = f"was killed by signal {-code} ({signal.Signals(-code).name})"
        hint = ""
        if limits.megabytes is not None:
            hint = f"; it might take {limits.megabytes:g} MB"
        elif code == -signal.SIGKILL:
            hint = "; the system may have run out of memory"
        return f"the process of the cell {how}{hint}"

    @property
    def alive(self) -> bool:
        """Whether it can take another cell."""
        return self.process.poll() is None

    def kill(self) -> None:
        """End it, and let go of the pipes."""
        self.process.kill()
        self.process.wait()
        self._listen.close()
        self._talk.close()


def work(task: Task) -> Result:
    """Run a cell where it may be run; nothing that a classifier does is raised."""
    settle(task)
    elsewhere = task.classifier.weka is not None  # in a process of WEKA's, with its own limits
    return run_apart(task) if (task.apart or task.limits) and not elsewhere else run(task)


def run_apart(task: Task) -> Result:
    """Run a cell in the helper of this thread; a new one if the last one died."""
    helper: Helper | None = getattr(_HERE, "helper", None)
    if helper is None or not helper.alive:
        helper = _HERE.helper = Helper()
        atexit.register(helper.kill)
    try:
        return helper.ask(task)
    except OSError:  # it died between two cells
        helper.kill()
        helper = _HERE.helper = Helper()
        atexit.register(helper.kill)
        return helper.ask(task)


def serve(listen: int, talk: int) -> None:
    """Run cells until nobody asks any more."""
    end_with_parent()
    source, target = Connection(listen, writable=False), Connection(talk, readable=False)
    target.send("ready")
    while (answer := _begun(source, target)) is not None:
        target.send(answer)


def _begun(source: Connection, target: Connection) -> Result | str | None:
    """Load what a cell needs, say so, and run it; None when nobody asks any more."""
    try:
        task: Task = source.recv()
        settle(task)
        task.classifier.build()
    except EOFError:
        return None
    except BaseException as error:  # noqa: BLE001  such as a class that is not there
        target.send("")
        return f"{type(error).__name__}: {error}"
    target.send("begun")
    return _within(task)


def _within(task: Task) -> Result:
    """Run a cell with no more memory than it may take."""
    if task.limits.megabytes is None:
        return run(task)
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    most = _taken() + int(task.limits.megabytes * 2**20)
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        result = run(task)
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
    failed = result.outcome
    if isinstance(failed, Failed) and failed.kind == "memory":
        message = f"more than {task.limits.megabytes:g} MB: {failed.message}"
        return replace(result, outcome=replace(failed, message=message))
    return result


def _taken() -> int:
    """The bytes that this process takes now."""
    with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
        pages = int(file.read().split()[0])
    size: Any = os.sysconf("SC_PAGE_SIZE")
    return pages * int(size)

"""Time things side by side: interleaved, best of several, so that a noisy machine is fair to both."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """One comparison: what took how long, and how much faster it must be."""

    what: str
    ours: float
    peer: str
    theirs: float
    at_least: float
    note: str = ""

    @property
    def ratio(self) -> float:
        """How many times faster than the peer."""
        return self.theirs / self.ours

    @property
    def row(self) -> str:
        """A row of the table of results."""
        mark = "" if self.ratio >= self.at_least else " **short**"
        digits = 2 if self.ratio < 10 else 1 if self.ratio < 100 else 0
        wanted = f"{self.at_least:,.3g}×" if self.at_least < 100 else f"{self.at_least:,.0f}×"
        return (
            f"| {self.what} | {seconds(self.ours)} | {self.peer} | {seconds(self.theirs)} "
            f"| **{self.ratio:,.{digits}f}×**{mark} | {wanted if self.at_least else '–'} | {self.note} |"
        )


def seconds(t: float) -> str:
    """A duration in a fitting unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if t >= size:
            return f"{t / size:,.3g} {unit}" if t < 100 * size or size < 1 else f"{t:,.0f} s"
    return f"{t * 1e9:,.3g} ns"


def best(
    *works: Callable[[], object],
    times: int = 7,
    turn: float = 0.1,
    clock: Callable[[], float] = time.perf_counter,
) -> list[float]:
    """The shortest time of each, taking turns; a turn lasts `turn` seconds or one run.

    `time.process_time` as the clock adds up what all threads use, whatever else the machine does.
    """
    shortest = [float("inf")] * len(works)
    for _ in range(times):
        for i, work in enumerate(works):
            began = clock()
            while True:
                start = clock()
                work()
                end = clock()
                shortest[i] = min(shortest[i], end - start)
                if end - began > turn:
                    break
    return shortest


def python(code: str) -> Callable[[], object]:
    """A fresh interpreter running `code`."""
    return lambda: subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)

"""A thousand and ten thousand classes: labels to kappa, against scikit-learn."""

from __future__ import annotations

import subprocess
import sys

import sklearn
from timing import Claim

SAID = "Times are those of the processors, of all threads together."
ROWS = 1_000_000
_DATA = """
import time
import numpy as np
rng = np.random.default_rng(0)
truth = rng.integers(0, {k}, {n})
predicted = np.where(rng.random({n}) < 0.7, truth, rng.integers(0, {k}, {n}))
"""
_OURS = """
import chancemeter as cm
def work(): return cm.kappa(cm.read({{"y_true": truth, "y_pred": predicted}}).table)
"""
_THEIRS = """
from sklearn.metrics import cohen_kappa_score
def work(): return cohen_kappa_score(truth, predicted)
"""
_END = """
best = 9e9
for _ in range({times}):
    start = time.process_time()
    value = work()
    best = min(best, time.process_time() - start)
# The peak since this process began; getrusage would inherit that of its parent.
with open("/proc/self/status") as status:
    peak = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
print(best, peak, value)
"""


def _run(code: str, k: int, times: int) -> tuple[float, float, float]:
    """Shortest time, peak memory in MB and kappa, in a process of its own."""
    text = (_DATA + code + _END).format(k=k, n=ROWS, times=times)
    done = subprocess.run([sys.executable, "-c", text], check=True, capture_output=True, text=True)
    seconds, kilobytes, kappa = map(float, done.stdout.split())
    return seconds, kilobytes / 1024, kappa


def claims() -> list[Claim]:
    """The comparisons."""
    found = []
    for k, times in ((1_000, 3), (10_000, 2)):
        theirs, their_memory, right = _run(_THEIRS, k, times)
        ours, our_memory, kappa = _run(_OURS, k, 3)
        if abs(kappa - right) > 1e-12:
            msg = f"kappa {kappa} against {right}"
            raise AssertionError(msg)
        note = f"peak of the process {our_memory:,.0f} MB against {their_memory:,.0f} MB"
        peer = f"scikit-learn {sklearn.__version__}"
        found.append(Claim(f"κ from labels, {k:,} classes, n = 1e6", ours, peer, theirs, 1, note))
    return found

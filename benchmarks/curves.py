"""Curves: every threshold, areas, kappa along them, DeLong's test and pairs of classes.

Times are those of the processors, so that other work on the machine does not matter.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from importlib.metadata import version
from pathlib import Path

import numpy as np
import sklearn
from confidenceinterval.delong import delong_roc_variance
from sklearn import metrics
from timing import Claim
from timing import best as best_by

import chancemeter as cm
from chancemeter.curves.influence import influence

best = partial(best_by, clock=time.process_time)
#: pROC reads the same numbers and times itself, best of three.
IN_R = """
suppressMessages(library(pROC))
n <- as.integer(commandArgs(TRUE)[2])
x <- matrix(readBin(commandArgs(TRUE)[1], "double", 3 * n), n)
time <- function() sum(system.time({
  a <- roc(x[, 1], x[, 2], direction = "<", levels = c(0, 1), quiet = TRUE)
  b <- roc(x[, 1], x[, 3], direction = "<", levels = c(0, 1), quiet = TRUE)
  p <<- roc.test(a, b, method = "delong", paired = TRUE)$p.value
})[c("user.self", "sys.self")])
cat(min(replicate(3, time())), format(p, digits = 15), as.character(packageVersion("pROC")))
"""


def scores(n: int, dtype: type = np.float64) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Truth, and probabilities of two models that have to do with each other."""
    rng = np.random.default_rng(7)
    y = rng.random(n) < 0.3
    common = rng.normal(size=n) + y
    a, b = (1 / (1 + np.exp(-(common + 0.5 * rng.normal(size=n)))) for _ in range(2))
    return y, a.astype(dtype), b.astype(dtype)


def agree(a: float, b: float, within: float) -> None:
    """Refuse to time two things that do not say the same."""
    if not abs(a - b) < within:
        msg = f"{a} is not {b}"
        raise AssertionError(msg)


def areas() -> Iterator[Claim]:
    """ROC and AUC of ten million scores."""
    peer = f"scikit-learn {sklearn.__version__} roc_curve + auc"
    for dtype in (np.float64, np.float32):
        y, s, _ = scores(10_000_000, dtype)

        def theirs(y: np.ndarray = y, s: np.ndarray = s) -> float:
            fpr, tpr, _ = metrics.roc_curve(y, s)
            return metrics.auc(fpr, tpr)

        def ours(y: np.ndarray = y, s: np.ndarray = s) -> float:
            return cm.curve(y, s).auc

        agree(ours(), theirs(), 1e-12)
        mine, their = best(ours, theirs, times=3)
        what = f"ROC curve and AUC, n = 1e7, {np.dtype(dtype)}"
        yield Claim(what, mine, peer, their, 3, "every threshold is kept")


def along() -> Iterator[Claim]:
    """Kappa at all thresholds."""
    peer = f"scikit-learn {sklearn.__version__} metric_at_thresholds"
    y, s, _ = scores(3000)
    large = scores(10_000_000)

    def ours() -> np.ndarray:
        return cm.curve(y, s)["kappa"]

    mine, their = best(
        ours, lambda: metrics.metric_at_thresholds(y, s, metrics.cohen_kappa_score), times=3
    )
    (all_of_it,) = best(lambda: cm.curve(*large[:2])["kappa"], times=3)
    note = f"n = 1e7 at all thresholds: {all_of_it:.2f} s"
    yield Claim("κ at all thresholds, n = 3,000", mine, peer, their, 1000, note)


def delong() -> Iterator[Claim]:
    """Standard errors and paired tests of a million scores."""
    y, a, b = scores(1_000_000)

    def error() -> float:
        c = cm.curve(y, a)
        found = influence(c, "auc")
        return found.variance(c) if found else 0.0

    mine, their = best(error, lambda: delong_roc_variance(y.astype(int), a), times=3)
    peer = f"confidenceinterval {version('confidenceinterval')}"
    yield Claim("DeLong variance, n = 1e6", mine, peer, their, 10)

    def test() -> float:
        return cm.compare_curves(y, {"a": a, "b": b}).p

    if shutil.which("Rscript") is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        script, data = Path(folder) / "test.R", Path(folder) / "data"
        script.write_text(IN_R, "utf-8")
        np.stack([y, a, b]).astype("<f8").tofile(data)
        command = ["Rscript", str(script), str(data), str(len(y))]
        before = best(test, times=3)
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
        after = best(test, times=3)
    agree(float(said[1]), test(), 1e-9)
    mine = min(*before, *after)
    yield Claim("DeLong test of two curves, n = 1e6", mine, f"pROC {said[2]}", float(said[0]), 10)


def pairs() -> Iterator[Claim]:
    """Hand and Till's M of a million cases of ten classes."""
    rng = np.random.default_rng(3)
    n, k = 1_000_000, 10
    y = rng.integers(0, k, n)
    s = rng.random((n, k)) + 0.3 * np.eye(k)[y]
    s /= s.sum(1, keepdims=True)
    mine, their = best(
        lambda: cm.many_curves(y, s).hand_till,
        lambda: metrics.roc_auc_score(y, s, multi_class="ovo"),
        times=3,
    )
    peer = f"scikit-learn {sklearn.__version__} one against one"
    yield Claim("Hand and Till's M, n = 1e6, k = 10", mine, peer, their, 3)


def claims() -> Iterator[Claim]:
    """All of them."""
    yield from areas()
    yield from along()
    yield from delong()
    yield from pairs()

"""Bands around curves against resampling cases, at a million scores."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from sklearn.metrics import roc_curve
from timing import Claim, best

import chancemeter as cm
from chancemeter.curves.bands import band

CASES, RESAMPLES = 1_000_000, 20


def claims() -> Iterator[Claim]:
    """From scores to a band, both ways."""
    rng = np.random.default_rng(1)
    y = rng.random(CASES) < 0.1
    score = rng.normal(size=CASES) + y
    curve = cm.curve(y, score)

    def resampled() -> None:
        chosen = rng.integers(0, CASES, CASES)
        roc_curve(y[chosen], score[chosen])

    for name, space, kind in (
        ("ROC-K band, simultaneous, 2,000 draws", "k", "simultaneous"),
        ("ROC band, simultaneous, 2,000 draws", "roc", "simultaneous"),
        ("precision–recall band, pointwise, 2,000 draws", "pr", "pointwise"),
    ):
        ours, whole, theirs = best(
            lambda space=space, kind=kind: band(curve, space, kind),
            lambda space=space, kind=kind: band(cm.curve(y, score), space, kind),
            resampled,
            times=5,
        )
        peer = f"scikit-learn roc_curve, {RESAMPLES} resamples"
        yield Claim(f"{name}, n = 1e6, scores sorted anew", whole, peer, RESAMPLES * theirs, 1)
        yield Claim(f"{name}, from the curve", ours, peer, RESAMPLES * theirs, 1)

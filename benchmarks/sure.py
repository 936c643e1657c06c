"""Intervals and standard errors, beside what others take for the same."""

from __future__ import annotations

import warnings
from collections.abc import Iterator

import confidenceinterval
import numpy as np
from scipy import stats
from sklearn.metrics import cohen_kappa_score, f1_score
from statsmodels.stats.inter_rater import cohens_kappa
from timing import Claim, best, seconds

import chancemeter as cm

DRAWS = 10_000
#: Peers that draw rows are timed on so many draws, and their time is scaled up.
FEW = 20
#: Found by iteration or needing every cell: timed apart.
ITERATED = {"aickin_alpha", "ground_truth_index", "expected_turk"}


def rows(n: int, k: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Labels of a classifier that is right in 0.8 of all cases."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    return y, np.where(rng.random(n) < 0.8, y, rng.integers(0, k, n))


def table(y: np.ndarray, p: np.ndarray, k: int) -> np.ndarray:
    return np.bincount(y * k + p, minlength=k * k).reshape(k, k)


def million() -> Claim:
    """Ten thousand draws from a million rows."""
    y, p = rows(1_000_000, 10)
    cells, rng = table(y, p, 10), np.random.default_rng(0)

    def one_draw() -> float:
        at = rng.integers(0, len(y), len(y))
        return cohen_kappa_score(y[at], p[at])

    ours, theirs = best(
        lambda: cm.interval("kappa", cells, method="percentile", draws=DRAWS), one_draw, times=5
    )
    note = f"one draw of theirs takes {seconds(theirs)}; times {DRAWS:,}"
    what = "interval of κ by 10,000 draws, 1,000,000 rows, 10 classes"
    return Claim(what, ours, "rows and scikit-learn", theirs * DRAWS, 10_000, note)


def thousand() -> Iterator[Claim]:
    """Ten thousand draws from a thousand rows."""
    y, p = rows(1000, 10)
    cells, draws = table(y, p, 10), FEW * 5

    def by_scipy() -> None:
        stats.bootstrap(
            (y, p), cohen_kappa_score, paired=True, vectorized=False,
            n_resamples=draws, method="percentile",
        )  # fmt: skip

    ours, theirs = best(
        lambda: cm.interval("kappa", cells, method="percentile", draws=DRAWS), by_scipy, times=5
    )
    note = f"theirs timed on {draws} draws and scaled"
    what = "interval of κ by 10,000 draws, 1,000 rows, 10 classes"
    yield Claim(what, ours, "scipy.stats.bootstrap", theirs * DRAWS / draws, 50, note)

    labels = y.tolist(), p.tolist()

    def by_confidenceinterval() -> None:
        confidenceinterval.f1_score(
            *labels, average="macro", method="bootstrap_percentile", n_resamples=draws
        )

    ours, theirs = best(
        lambda: cm.interval("f_score@macro", cells, method="percentile", draws=DRAWS),
        by_confidenceinterval,
        times=5,
    )
    found = cm.get("f_score@macro")(cells)
    assert abs(found - f1_score(y, p, average="macro")) < 1e-12
    what = "interval of macro F1 by 10,000 draws, 1,000 rows, 10 classes"
    yield Claim(what, ours, "confidenceinterval", theirs * DRAWS / draws, 50, note)


def errors() -> Claim:
    """Standard errors of many measures beside one."""
    cells = table(*rows(10_000, 10), 10)
    overall = [m for m in cm.every() if m.card.level == "table" and m.card.smooth]
    bounded = [m for m in overall if np.isfinite(m.card.range).all()]
    chosen = [m for m in bounded if m.card.needs == "margins" and m.key not in ITERATED]
    ours, all_of_ours, theirs = best(
        lambda: cm.standard_errors(cells, chosen),
        lambda: cm.standard_errors(cells, overall),
        lambda: cohens_kappa(cells).std_kappa,
        times=9,
    )
    kappa = float(cm.standard_errors(cells, ["kappa"])["kappa"])
    assert abs(kappa - cohens_kappa(cells).std_kappa) < 1e-12
    what = (
        f"standard errors of the {len(chosen)} overall measures between two ends that diagonal and "
        "margins give in closed form, 10 classes"
    )
    note = f"all {len(overall)} smooth ones, iterated ones too: {seconds(all_of_ours)}"
    return Claim(what, ours, "statsmodels, κ alone", theirs, 1, note)


def classes() -> Claim:
    """An interval of a table of a thousand classes beside a value from rows."""
    y, p = rows(1_000_000, 1000)
    cells = table(y, p, 1000)
    ours, theirs = best(
        lambda: cm.interval("kappa", cells), lambda: cohen_kappa_score(y, p), times=5
    )
    what = "interval of κ, table of 1,000 classes"
    note = "theirs is the value alone, from 1,000,000 rows"
    return Claim(what, ours, "scikit-learn", theirs, 1, note)


def claims() -> Iterator[Claim]:
    """Everything that is promised of intervals."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield million()
        yield from thousand()
        yield errors()
        yield classes()

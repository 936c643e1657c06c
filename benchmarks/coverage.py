"""How often intervals hold the true value, by simulation; writes docs/coverage.md.

``python benchmarks/coverage.py`` takes some minutes on one core and always finds the same.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import chancemeter as cm
from chancemeter.counts import as_counts
from chancemeter.resample import bootstrap

PAGE = Path(__file__).parent.parent / "docs" / "coverage.md"
LEVEL = 0.95
TABLES = 4000
#: What needs a loop over tables is shown on so many of them.
FEW = 200
DRAWS = 500
QUALITIES = {"weak": 0.65, "good": 0.85, "nearly perfect": 0.98}
MEASURES = {
    "accuracy": "accuracy",
    "kappa": "κ",
    "mcc": "MCC",
    "f_score": "F1 of the rarest class",
    "informedness": "informedness",
    "markedness": "markedness",
    "balanced_accuracy": "balanced accuracy",
    "f_score@macro": "macro F1",
    "precision@macro": "macro precision",
}
#: Measures that are judged where every class occurs.
NEED_EVERY_CLASS = {"informedness", "balanced_accuracy"}
#: Wanted: at least this, at two classes and at more.
IN_EVERY_SETTING = dict.fromkeys(("accuracy", "kappa", "mcc", "f_score"), (0.93, 0.92))
WHERE_CLASSES_OCCUR = {"informedness": (0.92, 0.92), "balanced_accuracy": (0.92, 0.92)}
#: The same, but only where each class expects ten cases; never below .85.
WHERE_TEN = {"f_score@macro", "precision@macro", "informedness", "markedness"}

Limits = tuple[np.ndarray, np.ndarray]


@dataclass(frozen=True)
class Setting:
    """A classifier, and how many cases are seen of it."""

    k: int
    smallest: float
    quality: str
    n: int

    @property
    def shares(self) -> np.ndarray:
        """The true table: right with one chance in every class, errors spread evenly."""
        k, right = self.k, QUALITIES[self.quality]
        classes = np.full(k, (1 - self.smallest) / (k - 1))
        classes[-1] = self.smallest
        rates = np.full((k, k), (1 - right) / (k - 1))
        rates[np.arange(k), np.arange(k)] = right
        return classes[:, None] * rates

    def draw(self, tables: int, seed: int) -> np.ndarray:
        """Tables of n cases."""
        place = [self.k, self.n, round(1000 * self.smallest), list(QUALITIES).index(self.quality)]
        rng = np.random.default_rng([seed, *place])
        cells = rng.multinomial(self.n, self.shares.ravel(), size=tables)
        return cells.reshape(tables, self.k, self.k)

    @property
    def rarest(self) -> float:
        """Cases that the rarest class expects."""
        return self.n * self.shares.sum(1).min()

    def __str__(self) -> str:
        """As it stands on the page."""
        share = f"{100 * self.smallest:.0f}%"
        return f"k = {self.k}, smallest class {share}, {self.quality}, n = {self.n:,}"


def settings(sizes: tuple[int, ...] = (2, 3, 5, 10)) -> Iterator[Setting]:
    """All settings."""
    for k in sizes:
        for smallest in sorted({1 / k, 0.1, 0.02}, reverse=True):
            for quality in QUALITIES:
                for n in (20, 50, 200, 1000) if k == 2 else (50, 200, 1000):
                    yield Setting(k, smallest, quality, n)


@dataclass(frozen=True)
class Seen:
    """What one way did in one setting."""

    covered: float
    width: float
    tables: int
    setting: Setting


@dataclass
class Record:
    """Everything that was seen: by way, measure and number of classes."""

    rows: dict[tuple[str, str, int], list[Seen]] = field(default_factory=dict)

    def enter(
        self, way: str, key: str, setting: Setting, tables: np.ndarray, limits: Limits
    ) -> None:
        """Count how often the limits hold the true value, where there is a value at all.

        Limits that do not exist, although the value does, hold nothing.
        """
        value, true = _values(key, tables), _values(key, setting.shares)
        counted = ~np.isnan(value)
        if key in NEED_EVERY_CLASS:
            counted &= (tables.sum(-1) > 0).all(-1)
        if counted.sum() < 0.05 * len(tables):
            return
        low, high = (x[counted] for x in limits)
        slack = 1e-9
        held = (low - slack <= true) & (true <= high + slack)
        seen = Seen(held.mean(), np.nanmean(high - low), int(counted.sum()), setting)
        self.rows.setdefault((way, key, setting.k), []).append(seen)


def _values(key: str, tables: np.ndarray) -> np.ndarray:
    with np.errstate(all="ignore"):
        return _last(cm.get(key), cm.get(key).values(as_counts(np.asarray(tables, float))))


def _last(m: cm.Measure, x: np.ndarray) -> np.ndarray:
    """A measure of classes is judged by the last class, the rarest."""
    return x[..., -1] if m.card.level == "class" else x


def ours(key: str, tables: np.ndarray, method: str) -> Limits:
    """Limits of every table in one call."""
    found = cm.interval(key, tables, method=method, level=LEVEL)
    m = cm.get(key)
    return _last(m, np.asarray(found.low)), _last(m, np.asarray(found.high))


def percentile(keys: list[str], tables: np.ndarray) -> dict[str, Limits]:
    """The percentile bootstrap of all measures from the same draws."""
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    found: dict[str, list[np.ndarray]] = {key: [] for key in keys}
    for seed, table in enumerate(tables):
        counts = as_counts(bootstrap(table, draws=DRAWS, seed=seed))
        for key in keys:
            m = cm.get(key)
            found[key].append(np.nanquantile(_last(m, m.values(counts)), tails))
    return {key: tuple(np.array(x).T) for key, x in found.items()}


def by_statsmodels(tables: np.ndarray) -> dict[str, Limits]:
    """What statsmodels has: κ, and a proportion (plain by default)."""
    from statsmodels.stats.inter_rater import cohens_kappa
    from statsmodels.stats.proportion import proportion_confint

    each = [cohens_kappa(t) for t in tables]
    low, high = proportion_confint(np.trace(tables, axis1=1, axis2=2), tables.sum((1, 2)))
    kappas = np.array([[x.kappa_low for x in each], [x.kappa_upp for x in each]])
    return {"accuracy": (low, high), "kappa": (kappas[0], kappas[1])}


def by_pycm(tables: np.ndarray) -> dict[str, Limits]:
    """What PyCM prints for accuracy and κ: its own functions, as its `CI` calls them."""
    from pycm.ci import CI_calc, SE_calc, kappa_SE_calc

    c = as_counts(tables)
    n, accuracy = c.total, c.right / c.total
    expected = (c.truth * c.predicted).sum(-1) / n**2
    found: dict[str, list[tuple[float, float]]] = {"accuracy": [], "kappa": []}
    for acc, chance, size, kappa in zip(accuracy, expected, n, cm.kappa(tables), strict=True):
        for key, mean, error in (
            ("accuracy", acc, SE_calc(acc, size)),
            ("kappa", kappa, kappa_SE_calc(acc, chance, size)),
        ):
            limits = CI_calc(mean, error)
            found[key].append((np.nan, np.nan) if "None" in limits else limits)
    return {key: tuple(np.array(x, float).T) for key, x in found.items()}


def by_confidenceinterval(tables: np.ndarray) -> dict[str, Limits]:
    """What `confidenceinterval` has for tables: accuracy, macro F1 and macro precision."""
    import confidenceinterval as ci

    calls: dict[str, Callable[..., object]] = {
        "accuracy": ci.accuracy_score,
        "f_score@macro": lambda t, p: ci.f1_score(t, p, average="macro"),
        "precision@macro": lambda t, p: ci.precision_score(t, p, average="macro"),
    }
    k = tables.shape[-1]
    found: dict[str, list[object]] = {key: [] for key in calls}
    for table in tables:
        cells = np.repeat(np.arange(k * k), table.ravel())
        labels = (cells // k).tolist(), (cells % k).tolist()
        for key, call in calls.items():
            found[key].append(call(*labels)[1])
    return {key: tuple(np.array(x, float).T) for key, x in found.items()}


def simulate(chosen: list[Setting], tables: int, few: int, seed: int) -> Record:
    """All ways in all settings."""
    record = Record()
    for setting in chosen:
        drawn = setting.draw(tables, seed)
        for key in MEASURES:
            record.enter("default", key, setting, drawn, ours(key, drawn, "default"))
        some = drawn[: min(tables, 5 * few)]
        for key in MEASURES:
            record.enter("plain delta", key, setting, some, ours(key, some, "delta"))
        some = drawn[:few]
        for way, found in (
            ("percentile bootstrap", percentile(list(MEASURES), some)),
            ("statsmodels", by_statsmodels(some)),
            ("PyCM", by_pycm(some)),
            ("confidenceinterval", by_confidenceinterval(some)),
        ):
            for key, limits in found.items():
                record.enter(way, key, setting, some, limits)
        print(setting, flush=True, file=sys.stderr)
    return record

"""How often intervals of differences hold the true one: two models on the same cases.

A part of docs/coverage.md, which `benchmarks/coverage.py` writes.
"""

from __future__ import annotations

from itertools import product

import numpy as np

import chancemeter as cm
from chancemeter.comparison.differences import smoothed
from chancemeter.counts import Counts

#: How often two models are right: alike, apart, nearly perfect; and how often both say the same.
RATES, TOGETHER = ((0.8, 0.8), (0.85, 0.7), (0.98, 0.95)), (0.0, 0.6)
CASES, SMALLEST = (50, 200, 1000), (0.1, 0.02)
MEASURES = {
    "accuracy": "accuracy",
    "kappa": "κ",
    "mcc": "MCC",
    "informedness": "informedness",
    "f_score@macro": "macro F1",
}

Found = dict[tuple[str, int], list[float]]


def shares_of(k: int, smallest: float, rates: tuple[float, float], alike: float) -> np.ndarray:
    """The share of every pattern of truth and two predictions; errors are spread evenly.

    On a share of the cases both say what the first says; on the others each errs alone.
    """
    classes = np.full(k, (1 - smallest) / (k - 1))
    classes[-1] = smallest
    first, second = (np.full((k, k), (1 - right) / (k - 1)) for right in rates)
    for said, right in zip((first, second), rates, strict=True):
        np.fill_diagonal(said, right)
    apart, same = first[:, :, None] * second[:, None, :], first[:, :, None] * np.eye(k)
    return classes[:, None, None] * ((1 - alike) * apart + alike * same)


def simulate(samples: int, seed: int) -> Found:
    """Coverage by measure and number of classes, one for each setting."""
    found: Found = {}
    for i, (k, rates, alike) in enumerate(product((2, 3, 5), RATES, TOGETHER)):
        for smallest, n in product((1 / k, *SMALLEST), CASES):
            shares = shares_of(k, smallest, rates, alike)
            rng = np.random.default_rng([seed, i, round(1000 * smallest), n])
            counts = rng.multinomial(n, shares.ravel(), samples)
            for key in MEASURES:
                covered = coverage(cm.get(key), counts, shares)
                if covered is not None:
                    found.setdefault((key, k), []).append(covered)
    return found


def coverage(m: cm.Measure, counts: np.ndarray, shares: np.ndarray) -> float | None:
    """The share of samples whose limits hold the true difference, where there is a difference."""
    truth, one, two = (x.ravel() for x in np.indices(shares.shape))
    drawn = counts.reshape(-1, *shares.shape) * 1.0
    with np.errstate(all="ignore"):
        pair = np.stack([one, two])
        low, high, _ = smoothed(m, counts, truth, pair, k=len(shares), level=0.95)
        seen = m.values(Counts(drawn.sum(3))) - m.values(Counts(drawn.sum(2)))
    true = float(m(shares.sum(2)) - m(shares.sum(1)))
    known = ~np.isnan(seen)
    held = (low - 1e-9 <= true) & (true <= high + 1e-9)
    return float(held[known].mean()) if known.mean() > 0.05 else None


def part(samples: int, seed: int) -> str:
    """What the page says of it."""
    found = simulate(samples, seed)
    rates = "; ".join(f"{a} and {b}" for a, b in RATES)
    lines = [
        "## Differences on the same cases\n",
        f"Two models that are right in these shares of every class: {rates}. They err apart, or both say the same on",
        f"{100 * TOGETHER[1]:.0f} % of all cases; the smallest class has 1/k, 10 % or 2 %; 50, 200 and 1,000 cases; {samples:,} samples a setting. The",
        "interval is the default of `compare`.\n",
        "| measure | k | settings | lowest | mean | highest | < .93 | < .92 | > .99 |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for key, name in MEASURES.items():
        for (other, k), each in found.items():
            if other == key:
                x = np.array(each)
                below = " | ".join(str((x < limit).sum()) for limit in (0.93, 0.92))
                lines.append(
                    f"| {name} | {k} | {len(x)} | {x.min():.3f} | {x.mean():.3f} | {x.max():.3f} "
                    f"| {below} | {(x > 0.99).sum()} |"
                )
    return "\n".join(lines) + "\n"

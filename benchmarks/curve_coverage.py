"""How often intervals of curves hold the true value, by simulation; writes docs/curve-coverage.md.

``python benchmarks/curve_coverage.py`` takes some minutes on one core and always finds the same.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from statistics import NormalDist

import numpy as np

import chancemeter as cm
from chancemeter.curves.areas import along_chords

PAGE = Path(__file__).parent.parent / "docs" / "curve-coverage.md"
SAMPLES, SEARCHES, DRAWS = 300, 60, 60
PREVALENCES = (0.5, 0.1, 0.02)
SIZES = (50, 200, 1000, 5000)
#: How far the scores of positives lie above those of others, in standard deviations.
APART = (0.5, 1.5, 3.0)
WAYS = {
    "auc": ("default", "delong", "logit"),
    "auk": ("default", "delong"),
    "threshold": ("best of κ",),
}
HEAD = """\
# How often intervals of curves hold the true value

Written by `python benchmarks/curve_coverage.py`, which always finds the same. Nominal: 95%. Scores
of both classes are normal, those of positives {apart} standard deviations higher (AUC {areas});
positives are 50%, 10% or 2% of n = 50, 200, 1,000 or 5,000 cases, each drawn by itself. Samples
that lack a class do not count; a value without limits counts as a miss. {samples} samples a
setting, so that a coverage of .95 is known to ±{margin:.3f}; for the best threshold {searches},
with {draws} repeated searches each.

"""
READING = """
## Reading

- **DeLong's interval** is what most software prints. It fails where a class is rare or the
  ranking is good: its standard error is then too small, and none for a perfect ranking.
- **The default for the AUC** is a score interval with a variance between the observed one and
  Hanley and McNeil's. It is a guess where a class has one or two cases, and says so.
- **The default for AUK** takes a pseudo-case of each class. AUK also depends on the prevalence,
  which is only known as well as the sample tells it; that is part of the interval.
- **The best threshold** is a maximum of a ragged curve, for which the bootstrap has no theory on
  its side. Its limits show how far the search wanders, and are no promise.
"""


def truth(apart: float, prevalence: float) -> tuple[float, float, float]:
    """AUC, AUK and the threshold at which kappa is largest, of the whole population."""
    normal = NormalDist()
    t = np.linspace(9 + apart, -9, 20_001)
    fpr, tpr = (np.array([normal.cdf(-x + d) for x in t]) for d in (0.0, apart))
    called = prevalence * tpr + (1 - prevalence) * fpr
    kappa = (tpr - fpr) / (prevalence + called * (1 - 2 * prevalence))
    ends = np.r_[0, fpr, 1], np.r_[0, tpr, 1]
    auk = float(along_chords(*ends, prevalence).sum())
    return normal.cdf(apart / 2**0.5), auk, float(t[kappa.argmax()])


def samples(n: int, prevalence: float, apart: float, size: int) -> Iterator[cm.Curve]:
    """Curves of samples that have both classes."""
    rng = np.random.default_rng([n, round(1000 * prevalence), round(10 * apart)])
    for _ in range(size):
        y = rng.random(n) < prevalence
        scores = rng.normal(size=n) + apart * y
        if y.any() and not y.all():
            yield cm.curve(y, scores)


def rows(n: int, prevalence: float, apart: float) -> Iterator[tuple[str, str, float, float]]:
    """For each scalar and way: how often the limits hold, and how wide they are."""
    true = dict(zip(WAYS, truth(apart, prevalence), strict=True))
    held: dict[tuple[str, str], list[tuple[bool, float]]] = {}
    for i, c in enumerate(samples(n, prevalence, apart, SAMPLES)):
        for name in ("auc", "auk"):
            for way in WAYS[name]:
                low, high = cm.interval(name, c, method=way).limits
                held.setdefault((name, way), []).append((low <= true[name] <= high, high - low))
        if i < SEARCHES and n <= 1000:
            t = cm.best_threshold(c, draws=DRAWS)
            hit = t.low <= true["threshold"] <= t.high
            held.setdefault(("threshold", "best of κ"), []).append((hit, t.high - t.low))
    for (name, way), found in held.items():
        hits, widths = np.array(found, float).T
        yield name, way, hits.mean(), float(np.nanmedian(widths))


def main() -> int:
    """Simulate, and write the page."""
    warnings.simplefilter("ignore")
    found: dict[tuple[str, str], list[tuple[float, float, str]]] = {}
    for n in SIZES:
        for prevalence in PREVALENCES:
            for apart in APART:
                where = f"n = {n:,}, {100 * prevalence:g}% positive, {apart:g} apart"
                for name, way, share, width in rows(n, prevalence, apart):
                    found.setdefault((name, way), []).append((share, width, where))
                print(where, flush=True)
    areas = ", ".join(f"{truth(x, 0.5)[0]:.2f}" for x in APART)
    lines = [
        HEAD.format(
            apart=", ".join(map(str, APART)),
            areas=areas,
            samples=SAMPLES,
            searches=SEARCHES,
            draws=DRAWS,
            margin=2 * (0.95 * 0.05 / SAMPLES) ** 0.5,
        ),
        "| of | way | settings | lowest | mean | < .93 | < .85 | lowest where |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    for (name, way), seen in found.items():
        shares = np.array([share for share, *_ in seen])
        worst = seen[int(shares.argmin())][2]
        lines.append(
            f"| {name} | {way} | {len(seen)} | {shares.min():.3f} | {shares.mean():.3f} | "
            f"{(shares < 0.93).sum()} | {(shares < 0.85).sum()} | {worst} |"
        )
    lines += ["", "## Every setting", ""]
    ways = list(found)
    lines.append("| setting | " + " | ".join(f"{a}, {b}" for a, b in ways) + " |")
    lines.append("|---|" + "--:|" * len(ways))
    for _, _, where in found["auc", "default"]:
        cells = [next((f"{s:.3f}" for s, _, w in found[x] if w == where), "") for x in ways]
        lines.append(f"| {where} | " + " | ".join(cells) + " |")
    PAGE.write_text("\n".join(lines) + "\n" + READING, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

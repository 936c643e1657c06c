"""How often bands hold the whole true curve, by simulation; writes docs/band-coverage.md.

``python benchmarks/band_coverage.py`` takes some minutes on one core and always finds the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
from scipy.stats import norm

import chancemeter as cm
from chancemeter.curves.bands import band
from chancemeter.curves.spaces import SPACES, along, tables

PAGE = Path(__file__).parent.parent / "docs" / "band-coverage.md"
SIZES, SHARES = (50, 200, 1000, 5000), (0.5, 0.2, 0.05, 0.02)
BANDS = {
    "simultaneous": ("simultaneous", "posterior"),
    "fixed": ("fixed", "posterior"),
    "pointwise": ("pointwise", "posterior"),
    "plain bootstrap": ("simultaneous", "bootstrap"),
}
APART, PLACES, DRAWS, LEVEL = 1.3, 101, 1000, 0.95
#: Rows that take longest have two samples where others have five.
SLOW = {("k", 1000, 0.02), *(("k", 5000, share) for share in SHARES)}
#: With 100 samples chance alone goes as low as this.
LEAST = 0.88

HEAD = """\
# How often bands hold the curve

Written by `benchmarks/band_coverage.py`. Scores of both classes are normal, {apart} apart. Each row is
{times} samples ({few} in the last five rows) of n cases with the stated share of positives; a sample with fewer than two cases of a class has no band and
is left out. A band of {level:.0%} **holds** a sample if the true curve lies inside it at all of {places} places, from
one end to the other. *width* is the mean height of the band. `pointwise` is shown as the share of
places that are inside, which is all that it promises; beside it, in brackets, how often the whole curve is.

*plain bootstrap* is the simultaneous band from resampled cases. It takes what was not seen for
impossible (no false alarm above the best positives, no positive below the worst negatives), and so fails
wherever the curve is steep or one class is rare. That is why bands are drawn from the posterior unless
another way is asked for.
"""


def samples(n: int, share: float, times: int) -> Iterator[tuple[int, cm.Curve]]:
    """Curves of fresh cases."""
    rng = np.random.default_rng([n, int(1000 * share)])
    for seed in range(times):
        y = rng.random(n) < share
        score = rng.normal(size=n) + APART * y
        if 2 <= y.sum() <= n - 2:
            yield seed, cm.curve(y, score)


def row(space: str, n: int, share: float, times: int) -> tuple[str, dict[str, float]]:
    """One line of the table, and how often each band holds."""
    where = SPACES[space]
    at = np.linspace(0, 1, PLACES)
    fine = np.unique(np.r_[at, np.linspace(0, 1, 4001)])
    truth = tables(fine, norm.sf(norm.isf(fine) - APART), share)
    value = where.of(along(truth, where.walk, at))[1]
    held, places, widths = ({name: [] for name in BANDS} for _ in range(3))
    used = 0
    for seed, curve in samples(n, share, times):
        used += 1
        for name, (kind, method) in BANDS.items():
            b = band(
                curve,
                space,
                kind,
                method=method,
                level=LEVEL,
                draws=DRAWS,
                seed=seed,
                places=PLACES,
            )
            known = np.isfinite(value) & np.isfinite(b.low)
            inside = ((b.low <= value + 1e-9) & (value <= b.high + 1e-9))[known]
            held[name].append(inside.all())
            places[name].append(inside.mean())
            widths[name].append(np.nanmean(b.high - b.low))
    cells = []
    for name in BANDS:
        whole = f"{np.mean(held[name]):.3f}"
        shown = f"{np.mean(places[name]):.3f} ({whole})" if name == "pointwise" else whole
        cells += [shown, f"{np.mean(widths[name]):.3f}"]
    shown = f"| {n:,} | {share:.0%} | {used} | {' | '.join(cells)} |"
    return shown, {name: float(np.mean(x)) for name, x in held.items()}


def section(times: int = 100) -> tuple[str, bool]:
    """Write the page, after each row so that nothing is lost; whether all is as promised."""
    text = HEAD.format(apart=APART, times=times, few=times * 2 // 5, level=LEVEL, places=PLACES)
    names = "".join(f" {name} | width |" for name in BANDS)
    least = dict.fromkeys(("simultaneous", "fixed"), 1.0)
    for space, title in (("roc", "ROC"), ("k", "K–FPR (ROC-K)")):
        text += f"\n## {title}\n\n| n | positives | samples |{names}\n"
        text += f"|--:|--:|--:|{'--:|' * 2 * len(BANDS)}\n"
        for n, share in product(SIZES, SHARES):
            few = (space, n, share) in SLOW
            line, held = row(space, n, share, times * 2 // 5 if few else times)
            text += line + "\n"
            least = {name: min(x, held[name]) for name, x in least.items()}
            print(line, flush=True)
            PAGE.write_text(text, "utf-8")
    shown = ", ".join(f"{name} {x:.2f}" for name, x in least.items())
    return f"See docs/band-coverage.md. The least coverage of a whole curve: {shown}.", (
        least["simultaneous"] >= LEAST
    )


if __name__ == "__main__":
    said, fine = section(*map(int, sys.argv[1:]))
    print(said)
    sys.exit(not fine)

"""How often bands hold the whole true curve, by simulation; writes docs/band-coverage.md.

``python benchmarks/band_coverage.py`` takes some minutes on one core and always finds the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
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

HEAD = """\
# How often bands hold the curve

Written by `benchmarks/band_coverage.py`. Scores of both classes are normal, {apart} apart. Each row is
{times} samples of n cases with {{space}}; a sample with fewer than two cases of a class has no band and
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


def row(space: str, n: int, share: float, times: int) -> str:
    """One line of the table."""
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
    return f"| {n:,} | {share:.0%} | {used} | {' | '.join(cells)} |"


def main(times: int) -> None:
    """All settings, written after each so that nothing is lost."""
    text = HEAD.format(apart=APART, times=times, level=LEVEL, places=PLACES).replace(
        "{space}", "the stated share of positives"
    )
    names = "".join(f" {name} | width |" for name in BANDS)
    for space, title in (("roc", "ROC"), ("k", "K–FPR (ROC-K)"), ("pr", "Precision and recall")):
        text += f"\n## {title}\n\n| n | positives | samples |{names}\n|--:|--:|--:|{'--:|' * 2 * len(BANDS)}\n"
        for n in SIZES:
            for share in SHARES:
                text += row(space, n, share, times) + "\n"
                print(text.splitlines()[-1], flush=True)
    PAGE.write_text(text, "utf-8")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 200)

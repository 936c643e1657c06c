"""How often paired tests find a difference where there is none, by training again and again.

The same learner is given one of two blocks of features that are exchangeable: neither is better,
and a test at level .05 should reject in 5 % of all data sets. Linear discriminants are the stable
learner, nearest neighbours the unstable one. `python benchmarks/type_one.py` writes the page
`docs/type-one.md`; `make bench` does so too. Some minutes on one core.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np

import chancemeter as cm
from chancemeter import folds, tails
from chancemeter.comparison.differences import How, difference
from chancemeter.comparison.rows import SameRows
from chancemeter.matched import mcnemar, right_or_wrong

PAGE = Path(__file__).parents[1] / "docs" / "type-one.md"
ALPHA, SEED = 0.05, 20_240_229
#: Data sets for each setting: without a difference, with one, and for intervals.
NULL, REAL, INTERVAL = 1000, 400, 2000
FEATURES = 5
#: Between the two classes, in standard deviations; and in the block that really is weaker.
DISTANCE, WEAKER = 1.7, 1.2
NEAREST = 24
DRAWS = 1000
MEASURES = ("accuracy", "kappa")
RECOMMENDED, AT_MOST = "corrected t, 10-fold", 0.07
INTERVALS = {
    "fold t": folds.fold_t_interval,
    "corrected fold t": folds.corrected_t_interval,
}

Test = tuple[str, str]
Array = np.ndarray


@dataclass(frozen=True)
class Setting:
    """A learner, a number of cases, the share of the rarer class."""

    learner: str
    n: int
    rare: float

    def __str__(self) -> str:
        """For the head of a column."""
        return f"{self.learner}, n = {self.n:,}, {100 * self.rare:.0f} %"


CASES = ((100, 0.5), (300, 0.5), (300, 0.1), (1000, 0.1))
SETTINGS = [Setting(learner, *cases) for learner in ("LDA", "1-NN") for cases in CASES]


def discriminants(x: Array, y: Array, tested: Array) -> tuple[Array, Array]:
    """Thresholds and slopes of linear discriminants, each taught by all but the tested cases."""
    n, d = x.shape
    of_class = np.eye(2)[y]

    def trained(values: Array) -> Array:
        return values.sum(0) - tested @ values

    count = trained(of_class)
    sums = trained((of_class[:, :, None] * x[:, None, :]).reshape(n, -1))
    mean = sums.reshape(-1, 2, d) / count[..., None]
    within = trained((x[:, :, None] * x[:, None, :]).reshape(n, -1)).reshape(-1, d, d)
    within -= np.einsum("sc,sci,scj->sij", count, mean, mean)
    within /= (count.sum(1) - 2)[:, None, None]
    slope = np.linalg.solve(within, (mean[:, 1] - mean[:, 0])[..., None])[..., 0]
    return np.log(count[:, 1] / count[:, 0]) - (mean.mean(1) * slope).sum(1), slope


def discriminant(x: Array, y: Array, groups: Array) -> Array:
    """Predictions ``(repeats, cases)``: each group by a linear discriminant of all others."""
    repeats, n = groups.shape
    k = groups.max() + 1
    tested = (groups[:, None, :] == np.arange(k)[:, None]).reshape(-1, n).astype(float)
    start, slope = discriminants(x, y, tested)
    scores = (x @ slope.T + start).reshape(n, repeats, k)
    return (np.take_along_axis(scores, groups.T[..., None], -1)[..., 0].T > 0).astype(int)


def neighbour(x: Array, y: Array, groups: Array) -> Array:
    """Predictions ``(repeats, cases)``: the class of the nearest case of another group."""
    squares = (x * x).sum(1)
    apart = squares[:, None] + squares[None, :] - 2 * x @ x.T
    np.fill_diagonal(apart, np.inf)
    near = np.argpartition(apart, NEAREST, axis=1)[:, :NEAREST]
    near = np.take_along_axis(near, np.take_along_axis(apart, near, 1).argsort(1), 1)
    foreign = groups[:, near] != groups[:, :, None]
    found = np.take_along_axis(near[None], foreign.argmax(-1)[..., None], -1)[..., 0]
    for r, i in np.argwhere(~foreign.any(-1)):
        found[r, i] = np.where(groups[r] == groups[r, i], np.inf, apart[i]).argmin()
    return y[found]


LEARNERS: dict[str, Callable[[Array, Array, Array], Array]] = {
    "LDA": discriminant,
    "1-NN": neighbour,
}


def stratified(y: Array, k: int, repeats: int, rng: np.random.Generator) -> Array:
    """Group of every case in every repeat, classes spread evenly: ``(repeats, cases)``."""
    found = np.empty((repeats, y.size), int)
    for groups in found:
        order = rng.permutation(y.size)
        groups[order[np.argsort(y[order], kind="stable")]] = np.arange(y.size) % k
    return found


def tables(y: Array, predicted: Array, groups: Array) -> Array:
    """A table for every repeat and group."""
    repeats, k = len(groups), groups.max() + 1
    code = ((np.arange(repeats)[:, None] * k + groups) * 2 + y) * 2 + predicted
    return np.bincount(code.ravel(), minlength=repeats * k * 4).reshape(repeats, k, 2, 2)


def paired(y: Array, first: Array, second: Array) -> SameRows:
    """Two models on the same cases, as patterns."""
    counts = np.bincount((y * 2 + first) * 2 + second, minlength=8)
    truth, *predicted = np.unravel_index(np.arange(8), (2, 2, 2))
    return SameRows((0, 1), ("first", "second"), truth, np.stack(predicted), counts)


def naive_t(a: Array, b: Array) -> float:
    """What the plain t over repeated folds would say; not offered, shown here to tell why."""
    d = (a - b).ravel()
    error = d.std(ddof=1) / np.sqrt(d.size)
    return float(tails.student(d.mean() / error, d.size - 1)) if error else 1.0


def one(setting: Setting, rng: np.random.Generator, weaker: float) -> dict[Test, float]:
    """The p-value of every test for one data set."""
    n = setting.n
    y = (np.arange(n) < round(n * setting.rare)).astype(int)
    shift = np.array([DISTANCE, weaker])[:, None, None] / np.sqrt(FEATURES)
    blocks = rng.standard_normal((2, n, FEATURES)) + y[:, None] * shift
    splits = stratified(y, 10, 10, rng), stratified(y, 2, 5, rng)
    learn = LEARNERS[setting.learner]
    predicted = [[learn(x, y, groups) for x in blocks] for groups in splits]
    rows = paired(y, predicted[0][0][0], predicted[0][1][0])
    matched = right_or_wrong(*rows.right.T, rows.counts)
    ps = {
        ("accuracy", f"McNemar {how}, pooled 10-fold"): mcnemar(matched, how).p
        for how in ("exact", "mid-p")
    }
    ps |= {
        (key, f"difference, {way}, pooled 10-fold"): difference(
            cm.get(key), rows, 0, 1, How(way, draws=DRAWS)
        ).p
        for key in MEASURES
        for way in ("smoothed", "posterior", "bootstrap", "permutation")
    }
    counts = [
        [tables(y, p, groups) for p in pair] for pair, groups in zip(predicted, splits, strict=True)
    ]
    for key in MEASURES:
        (a, b), (c, d) = ([cm.get(key)(t) for t in pair] for pair in counts)
        ten = {"train": n - n // 10, "test": n // 10}
        ps |= {
            (key, RECOMMENDED): folds.corrected_t(a[0], b[0], **ten).p,
            (key, "corrected t, 10×10-fold"): folds.corrected_t(a, b, **ten).p,
            (key, "plain t, 10-fold"): folds.paired_t(a[0], b[0], **ten).p,
            (key, "Wilcoxon, 10-fold"): folds.wilcoxon(a[0], b[0], **ten).p,
            (key, "sign, 10-fold"): folds.sign_test(a[0], b[0], **ten).p,
            (key, "5×2 t"): folds.five_by_two_t(c, d).p,
            (key, "5×2 F"): folds.five_by_two_f(c, d).p,
            (key, "plain t, 10×10-fold (not offered)"): naive_t(a, b),
        }
    return ps


def generators(setting: Setting, data_sets: int) -> Iterator[np.random.Generator]:
    """One for every data set, the same whatever else is run."""
    seeds = np.random.SeedSequence([SEED, setting.n, round(100 * setting.rare)])
    return map(np.random.default_rng, seeds.spawn(data_sets))


def rates(setting: Setting, data_sets: int, weaker: float = DISTANCE) -> dict[Test, float]:
    """How often each test rejects; one without a p has found nothing."""
    found = [one(setting, rng, weaker) for rng in generators(setting, data_sets)]
    return {test: float(np.mean([ps[test] <= ALPHA for ps in found])) for test in found[0]}


def covered(setting: Setting, data_sets: int) -> dict[Test, float]:
    """How often intervals over folds hold the true value of the discriminant of all cases."""
    hits: dict[Test, list[bool]] = {}
    for rng in generators(setting, data_sets):
        y = (rng.random(setting.n) < setting.rare).astype(int)
        x = rng.standard_normal((y.size, FEATURES)) + y[:, None] * DISTANCE / np.sqrt(FEATURES)
        groups = stratified(y, 10, 1, rng)
        counts = tables(y, discriminant(x, y, groups), groups)[0]
        tested = counts.sum((1, 2))
        for key in MEASURES:
            values, true = cm.get(key)(counts), cm.get(key)(expected(x, y, setting.rare))
            for name, way in INTERVALS.items():
                found = way(values, train=y.size - tested, test=tested).interval
                low, high = found or (np.nan, np.nan)
                hits.setdefault((key, name), []).append(low <= true <= high)
    return {test: float(np.mean(found)) for test, found in hits.items()}


def expected(x: Array, y: Array, rare: float) -> Array:
    """The table of shares that a discriminant of all cases has in the long run."""
    (start,), (slope,) = discriminants(x, y, np.zeros((1, y.size)))
    centers = np.array([0, DISTANCE / np.sqrt(FEATURES)]) * slope.sum() + start
    spread = np.sqrt((slope * slope).sum())
    called = np.array([NormalDist().cdf(z / spread) for z in centers])
    return np.array([1 - rare, rare])[:, None] * np.stack([1 - called, called], -1)


def table(found: dict[Setting, dict[Test, float]], key: str, limit: float = 2) -> str:
    """Tests against settings, of one measure; bold what is above the limit."""
    lines = ["| test | " + " | ".join(map(str, found)) + " |", "|---" + "|--:" * len(found) + "|"]
    for measure, name in next(iter(found.values())):
        if measure == key:
            cells = [by_test[measure, name] for by_test in found.values()]
            shown = [f"**{rate(x)}**" if x > limit else rate(x) for x in cells]
            lines.append(f"| {name} | " + " | ".join(shown) + " |")
    return "\n".join(lines)


def rate(x: float) -> str:
    """A share with three digits: .051."""
    return f"{x:.3f}".removeprefix("0")


def span(values: Iterable[float]) -> str:
    """From the smallest to the largest."""
    values = list(values)
    return f"{rate(min(values))} to {rate(max(values))}"


def page() -> tuple[str, bool]:
    """The page, and whether the recommended test keeps its promise."""
    null = {setting: rates(setting, NULL) for setting in SETTINGS}
    real = {setting: rates(setting, REAL, WEAKER) for setting in SETTINGS}
    kept = [setting for setting in SETTINGS if setting.learner == "LDA"]
    intervals = {setting: covered(setting, INTERVAL) for setting in kept}
    ours = {
        setting: [by_test[key, RECOMMENDED] for key in MEASURES]
        for setting, by_test in null.items()
    }
    of = {
        learner: span(x for s, pair in ours.items() if s.learner == learner for x in pair)
        for learner in LEARNERS
    }
    naive = span(by_test[k, NAIVE] for by_test in null.values() for k in MEASURES)
    text = TEXT.format(
        data_sets=NULL,
        error=rate(np.sqrt(ALPHA * (1 - ALPHA) / NULL)),
        real=REAL,
        intervals=INTERVAL,
        stable=of["LDA"],
        unstable=of["1-NN"],
        naive=naive,
        accuracy=table(null, "accuracy", AT_MOST),
        kappa=table(null, "kappa", AT_MOST),
        power=table(real, "accuracy"),
        power_kappa=table(real, "kappa"),
        accuracy_covered=table(intervals, "accuracy"),
        kappa_covered=table(intervals, "kappa"),
    )
    return text, max(max(pair) for pair in ours.values()) <= AT_MOST


NAIVE = "plain t, 10×10-fold (not offered)"
TEXT = """\
# How often tests see a difference where there is none

*Made by `benchmarks/type_one.py`; a change here is lost.*

Two classifiers that are equally good: the same learner, trained on one of two blocks of features
that are drawn alike. A test at level .05 may reject in 5 % of all data sets, and the tables show
in what share it does: {data_sets:,} data sets a setting, so a rate of .05 is known to ± {error}.
Everything is trained anew each time. Linear discriminants (LDA) are a stable learner, nearest
neighbours (1-NN) an unstable one; n cases, of which 50 or 10 % are of one class; folds are
stratified. Bold is above .07.

- **For algorithms, use the corrected t over one 10-fold cross-validation.** It rejects in
  {stable} of all data sets with the stable learner and in {unstable} with the unstable one.
  That is the only test here that is safe in every setting. Its price: with stable learners it is
  cautious, and overlooks differences that others find (below).
- **Repeating a cross-validation does not make a test safer.** The corrected t over ten repeats finds
  more, but with unstable learners, or kappa where a class is rare, it rejects too often.
- **The plain t over repeated folds is not offered.** It sees a difference where there is none in
  {naive} of all data sets.
- **McNemar's test speaks of these predictions**, not of algorithms: two fixed models on more cases.
  On the pooled predictions of a cross-validation it is near .05 with a stable learner only.

## No difference: accuracy

{accuracy}

## No difference: kappa

{kappa}

## A real difference

The second block of features is weaker. The same settings, {real:,} data sets each: the share in which
the difference is found. Rates of tests that reject too often above are not comparable.

Accuracy:

{power}

Kappa:

{power_kappa}

## Intervals over the folds of one classifier

How often a 95 % interval over the folds of one 10-fold cross-validation holds the true value of the
discriminant that is trained on all cases ({intervals:,} data sets each, classes drawn at random).
Stratified folds all have the same share of the rare class, so they cannot show how much that share
varies. An interval from the pooled table does better.

Accuracy:

{accuracy_covered}

Kappa:

{kappa_covered}
"""


def section() -> tuple[str, bool]:
    """Write the page; what the results say of it, and whether all is well."""
    text, fine = page()
    PAGE.write_text(text, "utf-8")
    head = text.partition("## A real")[0].partition("## No difference")
    return f"In full: `docs/type-one.md`.\n\n#{head[1]}{head[2].strip()}".replace(
        "\n## ", "\n### "
    ), fine


if __name__ == "__main__":
    sys.exit(int(not section()[1]))

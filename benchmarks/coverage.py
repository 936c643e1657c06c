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

import coverage_pairs
import numpy as np

import chancemeter as cm
from chancemeter.counts import as_counts
from chancemeter.resample import bootstrap

PAGE = Path(__file__).parent.parent / "docs" / "coverage.md"
LEVEL = 0.95
TABLES = 4000
#: What needs a loop over tables or rows is shown on so many of them.
FEW = 1000
DRAWS = 500
SEED = 1
#: Cells of drawn tables, for each draw, that are worked on at a time.
AT_ONCE = 100
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
    """The percentile bootstrap of all measures from the same draws, some tables at a time."""
    tails = [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    found: dict[str, list[np.ndarray]] = {key: [] for key in keys}
    size = max(1, AT_ONCE // tables[0].size)
    for start in range(0, len(tables), size):
        some = enumerate(tables[start : start + size], start)
        drawn = np.stack([bootstrap(table, draws=DRAWS, seed=seed) for seed, table in some])
        for key in keys:
            found[key].append(np.nanquantile(_values(key, drawn), tails, axis=1))
    return {key: tuple(np.concatenate(x, axis=1)) for key, x in found.items()}


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
        for key in MEASURES:
            record.enter("plain delta", key, setting, drawn, ours(key, drawn, "delta"))
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


# Cases in groups


GROUPS, IN_A_GROUP, ALIKE = (10, 30, 100), 40, 0.15


def grouped(groups: int, rng: np.random.Generator) -> np.ndarray:
    """Groups of cases; how often the classifier is right differs between them."""
    odds = 1 / ALIKE - 1
    right = QUALITIES["good"]
    quality = rng.beta(right * odds, (1 - right) * odds, groups)
    rare = rng.binomial(IN_A_GROUP, 0.3, groups)
    classes = np.stack([IN_A_GROUP - rare, rare], 1)
    hits = rng.binomial(classes, quality[:, None])
    missed = classes - hits
    return np.stack(
        [np.stack([hits[:, 0], missed[:, 0]], 1), np.stack([missed[:, 1], hits[:, 1]], 1)], 1
    )


def simulate_groups(times: int, seed: int) -> dict[tuple[int, str], list[float]]:
    """Coverage of accuracy and κ, by number of groups and measure: naive, default, bootstrap."""
    right = QUALITIES["good"]
    true = np.array([[0.7 * right, 0.7 * (1 - right)], [0.3 * (1 - right), 0.3 * right]])
    found: dict[tuple[int, str], list[float]] = {}
    for groups in GROUPS:
        rng = np.random.default_rng([seed, groups])
        held: dict[str, list[list[bool]]] = {"accuracy": [], "kappa": []}
        for seed_of_draws in range(times):
            stack = grouped(groups, rng)
            table = cm.table(stack, axes={"group": [str(i) for i in range(groups)]})
            for key, each in held.items():
                value = cm.get(key)(true)
                ways = (
                    cm.interval(key, stack.sum(0)),
                    cm.interval(key, table),
                    cm.interval(
                        key, table, method="cluster-bootstrap", draws=DRAWS, seed=seed_of_draws
                    ),
                )
                each.append([x.low <= value <= x.high for x in ways])
        found |= {(groups, key): np.mean(each, 0).tolist() for key, each in held.items()}
    return found


# The page


OVER = """
Above .99, more cautious than asked: {over} of {seen} settings. In {few} of them the smallest class expects fewer
than two cases, and in {near} more a nearly perfect classifier meets few cases of it. There a sample holds hardly any
different values, and an interval has no coverage near .95 to choose: of 20 cases at .98, at most 17 are right with
probability .007 and exactly 18 with .053, so that limits cover .993 or .940 and nothing between, and the limits that
cover .940 here cover less than .93 elsewhere.
"""
HEAD = """\
# How often intervals hold the true value

Written by `python benchmarks/coverage.py`, which always finds the same. Nominal: 95%. Each setting is a classifier that
is right equally often in every class (*weak* {weak}, *good* {good}, *nearly perfect* {near}; errors spread evenly), a
smallest class of 1/k, 10 % or 2 % of the cases, and n cases drawn independently: 50, 200 or 1,000, and 20 with two
classes. The default is tried on {tables:,} tables a setting, so that a coverage of .95 is known to ±{error:.3f}. Tables
for which the measure has no value do not count; informedness and balanced accuracy count where every class occurs. A
value without limits counts as a miss.
"""


def page(record: Record, groups: dict, tables: int, few: int, times: int) -> str:
    """The whole page."""
    head = HEAD.format(
        weak=QUALITIES["weak"], good=QUALITIES["good"], near=QUALITIES["nearly perfect"],
        tables=tables, error=2 * (0.95 * 0.05 / tables) ** 0.5,
    )  # fmt: skip
    parts = [head, _of_default(record), _wanted(record), _outside(record), _others(record, few)]
    return "\n".join([*parts, coverage_pairs.part(tables, SEED), _of_groups(groups, times)])


def _of_default(record: Record) -> str:
    lines = [
        "## The default\n",
        "| measure | k | settings | lowest | mean | highest | < .93 | < .92 | < .85 | > .99 | mean width | lowest where |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|",
    ]
    for (way, key, k), rows in record.rows.items():
        if way == "default":
            covered = np.array([x.covered for x in rows])
            worst = rows[int(covered.argmin())].setting
            below = " | ".join(str((covered < limit).sum()) for limit in (0.93, 0.92, 0.85))
            where = str(worst).partition(", ")[2]
            lines.append(
                f"| {MEASURES[key]} | {k} | {len(rows)} | {covered.min():.3f} | {covered.mean():.3f} | "
                f"{covered.max():.3f} | {below} | {(covered > 0.99).sum()} | "
                f"{np.mean([x.width for x in rows]):.3f} | {where} |"
            )
    return "\n".join(_in_order(lines, 3)) + "\n"


def _in_order(lines: list[str], head: int) -> list[str]:
    """Rows of one measure together."""
    names = list(MEASURES.values())
    return lines[:head] + sorted(
        lines[head:], key=lambda row: names.index(row.split("|")[1].strip())
    )


def _demands(key: str, seen: Seen) -> float | None:
    """The least that is wanted of a measure in a setting."""
    more = seen.setting.k > 2
    if key in IN_EVERY_SETTING:
        return IN_EVERY_SETTING[key][more]
    if key in NEED_EVERY_CLASS:
        return 0.92
    if more or "@" in key:
        return 0.92 if seen.setting.rarest >= 10 - 1e-9 else 0.85
    return None


def short_of(record: Record) -> list[tuple[str, Seen, float]]:
    """Where the default holds the true value less often than wanted."""
    found = []
    for (way, key, _), rows in record.rows.items():
        for x in rows if way == "default" else ():
            least = _demands(key, x)
            if least is not None and x.covered < least:
                found.append((key, x, least))
    return found


def _wanted(record: Record) -> str:
    short = short_of(record)
    text = [
        "## What is wanted of it\n",
        "Accuracy, κ, MCC and F1: at least .93 with two classes and .92 with more, in every setting. Balanced accuracy",
        "and informedness: .92 wherever every class occurs. Macro F1, macro precision, and markedness of a whole table: .92",
        "wherever each class expects 10 cases, and never below .85.\n",
    ]
    if not short:
        return "\n".join([*text, "All of this holds in every setting.\n"])
    rows = [
        f"| {MEASURES[key]} | {x.setting} | {x.covered:.3f} | {least} |" for key, x, least in short
    ]
    return "\n".join(
        [
            *text,
            "Short of it:\n",
            "| measure | setting | coverage | wanted |",
            "|---|---|--:|--:|",
            *rows,
            "",
        ]
    )


def _outside(record: Record) -> str:
    """The lowest and the widest settings by name."""
    seen = [
        (key, x) for (way, key, _), rows in record.rows.items() if way == "default" for x in rows
    ]
    lowest = sorted(seen, key=lambda pair: pair[1].covered)[:12]
    over = [pair for pair in seen if pair[1].covered > 0.99]
    lines = [
        "## The worst settings\n",
        "| measure | setting | coverage | tables |",
        "|---|---|--:|--:|",
    ]
    lines += [
        f"| {MEASURES[key]} | {x.setting} | {x.covered:.3f} | {x.tables:,} |" for key, x in lowest
    ]
    few = sum(x.setting.rarest < 2 for _, x in over)
    near = sum(x.setting.rarest >= 2 and x.setting.quality == "nearly perfect" for _, x in over)
    lines.append(OVER.format(over=len(over), seen=len(seen), few=few, near=near))
    lines += ["| measure | above .99 in |", "|---|---|"]
    by_measure: dict[str, list[str]] = {}
    for key, x in over:
        by_measure.setdefault(MEASURES[key], []).append(f"{x.setting} ({x.covered:.3f})")
    lines += [f"| {name} | {'; '.join(where)} |" for name, where in by_measure.items()]
    return "\n".join(lines) + "\n"


def _others(record: Record, few: int) -> str:
    ways = list(dict.fromkeys(way for way, _, _ in record.rows))
    lines = [
        "## Beside other ways\n",
        f"Lowest and mean coverage over the same settings. Plain delta on all tables of a setting, the others on {few:,}",
        f"(±{2 * (0.95 * 0.05 / few) ** 0.5:.2f}); percentile bootstrap with {DRAWS} draws; statsmodels, PyCM and confidenceinterval as they",
        "come: their intervals for κ, a proportion (plain), accuracy (Wilson) and macro averages (Takahashi).\n",
        f"| measure | k | {' | '.join(ways)} |",
        "|---|--:|" + "--:|" * len(ways),
    ]
    for key, name in MEASURES.items():
        for k in sorted({k for _, _, k in record.rows}):
            cells = []
            for way in ways:
                covered = [x.covered for x in record.rows.get((way, key, k), ())]
                cells.append(f"{min(covered):.2f} / {np.mean(covered):.2f}" if covered else "")
            lines.append(f"| {name} | {k} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _of_groups(found: dict, times: int) -> str:
    lines = [
        "## Cases in groups\n",
        f"Groups of {IN_A_GROUP} cases, such as patients; the classifier is right in {QUALITIES['good']} of all cases, but more often in some groups",
        f"(intraclass correlation {ALIKE}). {times:,} samples each. *Naive* takes the cases for independent; the default with groups",
        "is `cluster`.\n",
        "| groups | measure | naive | default with groups | cluster bootstrap |",
        "|--:|---|--:|--:|--:|",
    ]
    for (groups, key), covered in found.items():
        shown = " | ".join(f"{x:.3f}" for x in covered)
        lines.append(f"| {groups} | {MEASURES[key]} | {shown} |")
    return "\n".join(lines) + "\n"


def section(tables: int = TABLES, few: int = FEW, out: Path = PAGE) -> tuple[str, bool]:
    """Simulate and write the page; what the results say of it, and whether all is well."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        record = simulate(list(settings()), tables, few, SEED)
    times = tables // 2
    text = page(record, simulate_groups(times, SEED), tables, few, times)
    out.write_text(text, "utf-8")
    shown = text.partition("## The default")[2].partition("## The worst settings")[0].strip()
    return f"In full: `docs/coverage.md`.\n\n{shown.replace('## ', '### ')}", not short_of(record)


def main() -> int:
    """Print and write the page; 1 if a default falls short."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--tables", type=int, default=TABLES)
    asked.add_argument("--few", type=int, default=FEW)
    asked.add_argument("--out", type=Path, default=PAGE)
    options = asked.parse_args()
    shown, fine = section(options.tables, options.few, options.out)
    print(shown)
    return int(not fine)


if __name__ == "__main__":
    sys.exit(main())

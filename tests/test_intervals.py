"""Intervals: each method against another source, promises for every measure, and coverage."""

from math import sqrt

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa
from statsmodels.stats.proportion import proportion_confint

import chancemeter as cm
from chancemeter.errors import ChancemeterError
from chancemeter.sparse import SparseTable

TABLE = [[40, 8, 2], [5, 25, 5], [3, 2, 10]]
TWO = [[45, 5], [8, 42]]
Z = 1.959963984540054


def random_tables(count, k, n=120, seed=0):
    rng = np.random.default_rng(seed)
    shares = rng.dirichlet(np.ones(k * k) * 0.5 + 2 * np.eye(k).ravel(), count)
    return np.stack([rng.multinomial(n, p) for p in shares]).reshape(count, k, k)


# Each method by another source


@pytest.mark.parametrize(
    ("method", "theirs"),
    [
        ("wilson", "wilson"),
        ("agresti-coull", "agresti_coull"),
        ("clopper-pearson", "beta"),
        ("jeffreys", "jeffreys"),
    ],
)
@pytest.mark.parametrize("level", [0.8, 0.95, 0.99])
def test_shares_as_statsmodels(method, theirs, level):
    for hits, n in ((0, 10), (1, 10), (7, 10), (10, 10), (999_000, 10**6), (3, 3)):
        found = cm.interval("accuracy", [[hits, n - hits], [0, 0]], method=method, level=level)
        low, high = proportion_confint(hits, n, 1 - level, method=theirs)
        if method == "jeffreys":  # at an end the limit is that end (Brown, Cai and DasGupta)
            low, high = 0 if hits == 0 else low, 1 if hits == n else high
        assert found.low == pytest.approx(max(low, 0), abs=1e-12)
        assert found.high == pytest.approx(min(high, 1), abs=1e-12)


def test_delta_kappa_as_statsmodels():
    for table in random_tables(30, 3):
        theirs = cohens_kappa(table)
        found = cm.interval("kappa", table, method="delta")
        low, high = theirs.kappa - Z * theirs.std_kappa, theirs.kappa + Z * theirs.std_kappa
        assert found.low == pytest.approx(max(low, -1))
        assert found.high == pytest.approx(min(high, 1))


def smoothed_by_hand(key, table, mass):
    """The delta method on a table with pseudo-cases, derivatives by small steps."""
    cells = np.array(table, float) + mass / np.size(table)
    m = cm.get(key)
    slopes = np.zeros_like(cells)
    for at in np.ndindex(cells.shape):
        up, down = cells.copy(), cells.copy()
        up[at] += 1e-5
        down[at] -= 1e-5
        slopes[at] = (float(m(up)) - float(m(down))) / 2e-5
    n = cells.sum()
    error = sqrt((cells * slopes**2).sum() - (cells * slopes).sum() ** 2 / n)
    return float(m(cells)), error


@pytest.mark.parametrize("key", ["kappa", "mcc", "scott_pi", "gwet_ac1", "mutual_information"])
def test_smoothed_by_its_definition(key):
    for table, mass in ((TWO, 4), (TABLE, 2)):
        middle, error = smoothed_by_hand(key, table, mass)
        found = cm.interval(key, table)
        low, high = cm.get(key).card.range
        value = float(cm.get(key)(table))
        assert found.method == "smoothed"
        assert found.low == pytest.approx(min(max(middle - Z * error, low), value), abs=1e-6)
        assert found.high == pytest.approx(max(min(middle + Z * error, high), value), abs=1e-6)


def test_f_goes_through_jaccard():
    """F = 2J / (1 + J), and J is a share: hits of all cases that are or are called the class."""
    low, high = proportion_confint(42, 42 + 5 + 8, 0.05, method="agresti_coull")
    found = cm.interval("f_score", TWO)
    assert found.low[1] == pytest.approx(2 * low / (1 + low))
    assert found.high[1] == pytest.approx(2 * high / (1 + high))


def test_an_average_of_recalls_goes_through_its_classes():
    """Zou and Donner: the distances of each class to its limits, squared and added up."""
    found = cm.interval("balanced_accuracy", TABLE)
    hits, rows = np.diag(TABLE), np.sum(TABLE, 1)
    low, high = np.transpose(
        [proportion_confint(h, n, 0.05, "jeffreys") for h, n in zip(hits, rows)]
    )
    r = hits / rows
    assert found.method == "mover"
    assert found.low <= r.mean() - np.sqrt(np.square(r - low).sum()) / 3 + 1e-9
    assert found.high >= r.mean() + np.sqrt(np.square(high - r).sum()) / 3 - 1e-9
    assert found.high - found.low < 1.15 * np.sqrt(np.square(high - low).sum()) / 3


def rows_of(table):
    cells = np.repeat(np.arange(np.size(table)), np.ravel(table))
    return cells // len(table), cells % len(table)


@pytest.mark.parametrize(("method", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_bootstraps_as_scipy(method, theirs):
    y, p = rows_of(TABLE)
    found = cm.interval("kappa", TABLE, method=method, draws=20_000)
    said = stats.bootstrap(
        (y, p), cohen_kappa_score, paired=True, vectorized=False, n_resamples=800,
        method=theirs, rng=np.random.default_rng(1),
    ).confidence_interval  # fmt: skip
    assert found.low == pytest.approx(said.low, abs=0.02)
    assert found.high == pytest.approx(said.high, abs=0.02)


def test_the_posterior_by_its_definition():
    rng = np.random.default_rng(3)
    drawn = rng.dirichlet(np.ravel(TABLE) + 1 / 9, 20_000).reshape(-1, 3, 3)
    low, high = np.quantile(np.asarray(cm.kappa(drawn)), [0.025, 0.975])
    found = cm.interval("kappa", TABLE, method="posterior", draws=20_000)
    assert found.low == pytest.approx(low, abs=0.006)
    assert found.high == pytest.approx(high, abs=0.006)
    assert found.method == "posterior:1"
    jeffreys = cm.interval("kappa", TABLE, method="posterior", prior="jeffreys")
    assert jeffreys.method == "posterior:4.5"


def test_logit_and_fisher_z_on_their_scales():
    plain = cm.interval("mcc", TWO, method="delta")
    error = (plain.high - plain.low) / 2 / Z
    found = cm.interval("mcc", TWO, method="fisher-z")
    z = np.arctanh(plain.value) + np.array([-1, 1]) * Z * error / (1 - plain.value**2)
    assert [found.low, found.high] == pytest.approx(np.tanh(z).tolist())


# Promises for every measure


@pytest.mark.parametrize("m", list(cm.every()), ids=lambda m: m.key)
def test_limits_hold_the_value_and_stay_in_range(m):
    for k in (2, 3):
        try:
            m(random_tables(1, k)[0])
        except ChancemeterError:
            continue  # a measure of two classes
        tables = random_tables(12, k, n=40, seed=k)
        options = {} if m.card.smooth else {"method": "posterior", "draws": 200}
        found = cm.interval(m, tables, **options)
        value, low, high = (np.asarray(x, float) for x in (found.value, found.low, found.high))
        known = ~np.isnan(low)
        assert not (known & np.isnan(value)).any()
        floor, ceiling = m.card.range
        assert (low[known] >= floor - 1e-9).all()
        assert (high[known] <= ceiling + 1e-9).all()
        assert (low[known] < high[known]).all()
        if m.card.smooth:
            assert (low[known] <= value[known]).all()
            assert (value[known] <= high[known]).all()


@pytest.mark.parametrize("key", ["kappa", "mcc", "balanced_accuracy", "f_score@macro", "accuracy"])
def test_relabelling_changes_nothing(key):
    order = np.ix_([2, 0, 1], [2, 0, 1])
    one, two = (cm.interval(key, t) for t in (TABLE, np.array(TABLE)[order]))
    assert (one.low, one.high) == pytest.approx((two.low, two.high))


@pytest.mark.parametrize("key", ["kappa", "recall", "balanced_accuracy", "f_score", "mcc"])
def test_a_stack_is_its_tables_one_by_one(key):
    tables = random_tables(7, 3)
    found = cm.interval(key, tables)
    for i, table in enumerate(tables):
        one = cm.interval(key, table)
        assert np.asarray(found.low)[i] == pytest.approx(one.low, nan_ok=True)
        assert np.asarray(found.high)[i] == pytest.approx(one.high, nan_ok=True)


def test_a_higher_level_is_wider():
    for method in ("default", "posterior", "percentile", "delta", "jackknife", "bca"):
        widths = [
            np.ptp(cm.interval("kappa", TABLE, method=method, level=level).limits)
            for level in (0.5, 0.9, 0.95, 0.99)
        ]
        assert (np.diff(widths) > 0).all(), method


def test_ten_times_the_cases_is_three_times_as_sure():
    one, ten = (cm.interval("kappa", np.array(TABLE) * x) for x in (10, 1000))
    assert np.ptp(one.limits) / np.ptp(ten.limits) == pytest.approx(10, rel=0.05)


# Degenerate tables


@pytest.mark.parametrize("method", ["delta", "percentile", "bca", "jackknife", "logit"])
@pytest.mark.parametrize("table", [[[9, 0], [0, 9]], np.diag([3, 3, 4])])
def test_no_false_certainty(method, table):
    found = cm.interval("kappa", table, method=method)
    assert np.isnan([found.low, found.high]).all()
    assert any("too few cases for an interval" in note for note in found.notes)
    assert "[no interval]" in repr(found)


def test_the_default_says_something_of_perfect_tables():
    for key in ("accuracy", "kappa", "mcc", "informedness", "balanced_accuracy", "f_score@macro"):
        for table in ([[9, 0], [0, 9]], np.diag([20, 5, 5])):
            found = cm.interval(key, table)
            assert found.low < 0.95
            assert found.high == 1


def test_two_cases_are_hardly_anything():
    found = cm.interval("kappa", [[1, 0], [0, 1]])
    assert found.high - found.low > 0.7


def test_no_value_no_limits():
    found = cm.interval("kappa", [[9, 0], [0, 0]])
    assert np.isnan([found.value, found.low, found.high]).all()
    assert found.undefined is not None
    assert found.to_dict()["interval"] == [None, None]


def test_a_class_that_does_not_occur_has_no_recall():
    found = cm.interval("recall", [[5, 1, 0], [2, 6, 0], [0, 0, 0]])
    assert np.isnan(found.low[2])
    assert not np.isnan(found.low[:2]).any()


def test_rare_classes_are_said():
    found = cm.interval("balanced_accuracy", [[500, 3, 2], [4, 300, 1], [1, 0, 4]])
    assert any("less sure than its interval says" in note for note in found.notes)
    small = cm.interval("kappa", [[500, 3], [0, 20]], method="delta")
    assert any("delta relies on 5" in note for note in small.notes)


# Sizes


def test_huge_counts():
    found = cm.interval("kappa", np.array(TWO) * 10**13)
    assert 0 < found.high - found.low < 1e-6
    assert found.low <= found.value <= found.high


def test_very_many_classes_without_laying_them_out():
    rng = np.random.default_rng(0)
    k, n = 1000, 100_000
    y = rng.integers(0, k, n)
    p = np.where(rng.random(n) < 0.8, y, rng.integers(0, k, n))
    cells, counts = np.unique(y * k + p, return_counts=True)
    sparse = SparseTable(tuple(range(k)), cells // k, cells % k, counts)
    dense = np.bincount(y * k + p, minlength=k * k).reshape(k, k)
    one, two = cm.interval("kappa", sparse), cm.interval("kappa", dense)
    assert (one.low, one.high) == pytest.approx((two.low, two.high), rel=1e-9)
    assert 0.7 < one.low < one.high < 0.9


# Coverage: a small part of docs/coverage.md, on every run


@pytest.mark.parametrize(
    ("k", "rare", "right", "n"),
    [
        (2, 0.5, 0.98, 50),
        (2, 0.1, 0.85, 50),
        (2, 0.1, 0.98, 200),
        (3, 0.1, 0.85, 50),
        (5, 0.1, 0.65, 200),
    ],
)
def test_the_default_holds_the_true_value(k, rare, right, n):
    classes = np.r_[np.full(k - 1, (1 - rare) / (k - 1)), rare]
    rates = np.full((k, k), (1 - right) / (k - 1))
    np.fill_diagonal(rates, right)
    true = classes[:, None] * rates
    tables = np.random.default_rng(k).multinomial(n, true.ravel(), 3000).reshape(-1, k, k)
    for key in ("accuracy", "kappa", "mcc", "informedness", "balanced_accuracy"):
        found = cm.interval(key, tables)
        counted = ~np.isnan(found.value) & (tables.sum(2) > 0).all(1)
        held = (found.low <= cm.get(key)(true)) & (cm.get(key)(true) <= found.high)
        assert held[counted].mean() > (0.93 if k == 2 else 0.92) - 0.008, key


def test_groups_that_are_taken_for_independent_cases_mislead():
    """Naive intervals hold the true accuracy in little more than half of all samples."""
    rng = np.random.default_rng(4)
    held = {"naive": [], "cluster": [], "cluster-bootstrap": []}
    for seed in range(300):
        quality = rng.beta(0.85 * 17 / 3, 0.15 * 17 / 3, 30)
        hits = rng.binomial(40, quality)
        stack = np.stack([hits, 40 - hits], -1)[:, None, :] * np.array([[1], [0]])
        table = cm.table(stack, axes={"group": [str(i) for i in range(30)]})
        found = {"naive": cm.interval("accuracy", stack.sum(0))}
        found["cluster"] = cm.interval("accuracy", table)
        found["cluster-bootstrap"] = cm.interval(
            "accuracy", table, method="cluster-bootstrap", draws=400, seed=seed
        )
        for name, x in found.items():
            held[name].append(x.low <= 0.85 <= x.high)
    assert np.mean(held["naive"]) <= 0.6
    assert np.mean(held["cluster"]) >= 0.92
    assert np.mean(held["cluster-bootstrap"]) >= 0.9


# Over folds, by name


def folds_of(one_class=0, seed=0):
    rng = np.random.default_rng(seed)
    counts = rng.multinomial(40, [0.5, 0.1, 0.1, 0.3], 10).reshape(10, 2, 2)
    counts[:one_class, 1] = 0
    counts[:one_class, 0] = [40, 0]
    return counts, cm.table(counts, axes={"fold": [str(i) for i in range(10)]})


def test_ben_davids_interval_is_students_over_the_folds():
    counts, table = folds_of()
    values = np.asarray(cm.kappa(counts))
    low, high = stats.t.interval(0.95, 9, values.mean(), stats.sem(values))
    found = cm.interval("kappa", table, method="fold-t")
    assert (found.value, found.low, found.high) == pytest.approx((values.mean(), low, high))
    assert any("covered 77 to 83 %" in note for note in found.notes)
    wider = cm.interval("kappa", table, method="corrected-fold-t")
    spread = values.std(ddof=1) * sqrt(1 / 10 + 1 / 9) * stats.t.ppf(0.975, 9)
    assert wider.high - wider.value == pytest.approx(spread)
    assert cm.score(table, ["kappa"], interval="fold-t")["kappa"] == found.value
    assert cm.score(table, ["kappa"])["kappa"] == pytest.approx(float(cm.kappa(counts.sum(0))))


def test_folds_of_one_class_are_counted_and_said():
    _, table = folds_of(one_class=3)
    found = cm.interval("kappa", table, method="fold-t")
    assert any("3 of 10 folds undefined and left out" in note for note in found.notes)
    _, none = folds_of(one_class=10)
    nothing = cm.interval("kappa", none, method="fold-t")
    assert np.isnan([nothing.value, nothing.low, nothing.high]).all()
    assert any("fewer than two folds are defined" in note for note in nothing.notes)


def test_folds_of_a_measure_of_classes():
    counts, table = folds_of()
    found = cm.interval("recall", table, method="fold-t")
    assert found.value == pytest.approx(np.asarray(cm.recall(counts)).mean(0))
    assert (found.low < found.high).all()


# Results and bad input


def test_the_result_says_how_to_get_it_again():
    found = cm.interval("kappa", TABLE, method="posterior", draws=500, seed=7, level=0.9)
    assert found.signature == f"kappa|posterior:1|draws:500|seed:7|level:0.9|v{cm.__version__}"
    again = cm.interval("kappa", TABLE, method="posterior", draws=500, seed=7, level=0.9)
    assert found.limits == again.limits
    said = cm.score(TABLE, ["kappa"], interval="default").to_dict()["measures"]["kappa"]
    assert said["interval"] == list(cm.interval("kappa", TABLE).limits)
    assert said["method"] == "smoothed"
    assert said["signature"] == f"kappa|smoothed|level:0.95|v{cm.__version__}"


GROUPS = {"group": ["one"]}
WRONG = {
    "level 0": (lambda: cm.interval("kappa", TABLE, level=0), "CM514"),
    "level 1": (lambda: cm.interval("kappa", TABLE, level=1), "CM514"),
    "level 95": (lambda: cm.interval("kappa", TABLE, level=95), "CM514"),
    "level nan": (lambda: cm.interval("kappa", TABLE, level=float("nan")), "CM514"),
    "a prior of 0": (lambda: cm.interval("kappa", TABLE, method="posterior", prior=0), "CM502"),
    "no such prior": (lambda: cm.interval("kappa", TABLE, prior="jeffrey"), "CM402"),
    "no such method": (lambda: cm.interval("kappa", TABLE, method="wilsonn"), "CM402"),
    "no share": (lambda: cm.interval("kappa", TABLE, method="wilson"), "CM402"),
    "no correlation": (lambda: cm.interval("accuracy", TABLE, method="fisher-z"), "CM402"),
    "no ends": (lambda: cm.interval("chi_squared", TABLE, method="logit"), "CM402"),
    "no draws": (lambda: cm.interval("kappa", TABLE, draws=0), "CM501"),
    "no groups": (lambda: cm.interval("kappa", TABLE, method="cluster"), "CM204"),
    "one group": (lambda: cm.interval("kappa", cm.table([TABLE], axes=GROUPS)), "CM504"),
    "no cases to draw": (
        lambda: cm.interval("accuracy", [[0, 0], [0, 0]], method="percentile"),
        "CM503",
    ),
    "folds that are not there": (lambda: cm.interval("kappa", TABLE, method="fold-t"), "CM204"),
    "one fold": (
        lambda: cm.interval("kappa", cm.table([TABLE], axes={"fold": ["1"]}), method="fold-t"),
        "CM512",
    ),
    "no such measure": (lambda: cm.interval("kapa", TABLE), "CM301"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    call, code = WRONG[name]
    with pytest.raises(ChancemeterError) as error:
        call()
    assert error.value.faults[0].code == code
    assert error.value.faults[0].fix


def test_groups_of_one_are_the_cases_themselves():
    cells = np.repeat(np.eye(4).reshape(4, 2, 2), [45, 5, 8, 42], axis=0)
    table = cm.table(cells, axes={"group": [str(i) for i in range(100)]})
    found, plain = cm.interval("kappa", table), cm.interval("kappa", TWO)
    assert found.limits == pytest.approx(plain.limits, abs=0.035)

"""Comparisons: every number by another way, every statement about what it speaks of."""

from itertools import product
from math import erf, sqrt

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

import chancemeter as cm
from chancemeter import datasets, folds
from chancemeter.adjust import adjust
from chancemeter.comparison.differences import PSEUDO_CASES, smoothed
from chancemeter.comparison.flips import told
from chancemeter.comparison.ranks import places, ranks_of
from chancemeter.errors import ChancemeterError
from chancemeter.matched import cochran_q, mcnemar


def labels(n=300, k=3, models=2, seed=0, right=0.7):
    rng = np.random.default_rng(seed)
    y = rng.choice(k, n, p=np.arange(1, k + 1) / np.arange(1, k + 1).sum())
    named = np.array(list("abcdefgh")[:k])
    guesses = {}
    for i in range(models):
        keep = rng.random(n) < right - 0.05 * i
        guesses[f"m{i + 1}"] = named[np.where(keep, y, rng.integers(0, k, n))]
    return named[y], guesses


def rows(**kwargs):
    y, guesses = labels(**kwargs)
    return cm.same_rows(y.tolist(), {m: g.tolist() for m, g in guesses.items()})


def by_hand(m, counts, truth, one, two, k):
    """The delta method on all patterns with pseudo-cases, derivatives by small steps."""
    patterns = np.zeros((k, k, k))
    np.add.at(patterns, (truth, one, two), counts)
    patterns += PSEUDO_CASES / k**3

    def f(p):
        return float(m(p.sum(2)) - m(p.sum(1)))

    steps = np.zeros_like(patterns)
    for at in np.ndindex(patterns.shape):
        h = 1e-5
        up, down = patterns.copy(), patterns.copy()
        up[at] += h
        down[at] -= h
        steps[at] = (f(up) - f(down)) / (2 * h)
    n = patterns.sum()
    variance = (patterns * steps**2).sum() - (patterns * steps).sum() ** 2 / n
    return f(patterns), sqrt(variance)


@pytest.mark.parametrize("k", [2, 3])
@pytest.mark.parametrize("key", ["accuracy", "kappa", "mcc", "informedness", "f_score@macro"])
def test_the_paired_interval_by_its_definition(key, k):
    given = rows(k=k, n=120)
    found = cm.compare(given, key).difference(key, "m1", "m2")
    middle, error = by_hand(cm.get(key), given.counts, given.truth, *given.predicted, k)
    assert found.low == pytest.approx(middle - 1.959964 * error, abs=2e-6)
    assert found.high == pytest.approx(middle + 1.959964 * error, abs=2e-6)
    assert found.p == pytest.approx(1 - erf(abs(middle / error) / sqrt(2)), abs=2e-5)


def test_differences_of_accuracy_are_those_of_matched_shares():
    """Agresti and Min (2005): half a case in each cell of McNemar's table, then Wald."""
    y, guesses = labels(k=2)
    found = cm.compare(cm.same_rows(y, guesses), "accuracy").differences[0]
    right = [guesses[m] == y for m in guesses]
    only = [np.sum(right[0] & ~right[1]), np.sum(~right[0] & right[1])]
    n, (b, c) = len(y), [x + PSEUDO_CASES / 4 for x in only]
    total = n + PSEUDO_CASES
    error = sqrt(b + c - (b - c) ** 2 / total) / total
    assert found.low == pytest.approx((b - c) / total - 1.959964 * error, abs=1e-6)


def test_the_bootstrap_is_that_of_rows():
    y, guesses = labels(n=200)
    found = cm.compare(cm.same_rows(y, guesses), "kappa", method="bootstrap").differences[0]
    rng = np.random.default_rng(5)
    drawn = []
    for _ in range(1500):
        at = rng.integers(0, len(y), len(y))
        one, two = (cohen_kappa_score(y[at], g[at]) for g in guesses.values())
        drawn.append(one - two)
    low, high = np.quantile(drawn, [0.025, 0.975])
    assert found.low == pytest.approx(low, abs=0.015)
    assert found.high == pytest.approx(high, abs=0.015)


def test_the_exchange_of_predictions_against_all_exchanges():
    y, one, two = list("aabbbabb"), list("aabbbaba"), list("abbababb")
    found = cm.compare(
        cm.same_rows(y, {"one": one, "two": two}), "kappa", method="permutation", draws=20_000
    ).differences[0]
    seen, larger = abs(cohen_kappa_score(y, one) - cohen_kappa_score(y, two)), 0
    for swap in product([0, 1], repeat=len(y)):
        pairs = [(b, a) if s else (a, b) for a, b, s in zip(one, two, swap, strict=True)]
        first, second = zip(*pairs, strict=True)
        larger += abs(cohen_kappa_score(y, first) - cohen_kappa_score(y, second)) >= seen - 1e-12
    assert found.p == pytest.approx(larger / 2 ** len(y), abs=0.012)


@pytest.mark.parametrize("method", ["smoothed", "posterior", "bootstrap", "permutation"])
def test_identical_models_have_p_one_and_say_so(method):
    y, guesses = labels()
    same = cm.same_rows(y, {"one": guesses["m1"], "two": guesses["m1"]})
    for found in cm.compare(same, method=method, draws=300).differences:
        assert found.p == 1
        assert found.value == 0
        assert found.better == ""
        assert any("the same on every case" in note for note in found.notes)


@pytest.mark.parametrize("method", ["posterior", "bootstrap", "permutation"])
def test_one_seed_one_result(method, monkeypatch):
    given = rows(k=4)
    first = cm.compare(given, "kappa", method=method, draws=500, seed=3).differences[0]
    monkeypatch.setattr("chancemeter.resample._AT_A_TIME", 1)
    again = cm.compare(given, "kappa", method=method, draws=500, seed=3).differences[0]
    assert (first.low, first.high, first.p) == (again.low, again.high, again.p)
    assert first.signature.endswith(f"{method}|draws:500|seed:3|level:0.95|v{cm.__version__}")
    other = cm.compare(given, "kappa", method=method, draws=500, seed=4).differences[0]
    assert (first.low, first.p) != (other.low, other.p)


def test_several_models_are_adjusted_and_that_decides():
    given = rows(models=4, n=400)
    found = cm.compare(given, ["accuracy", "kappa"])
    for key in ("accuracy", "kappa"):
        of = [x for x in found.differences if x.measure == key]
        assert [x.adjusted_p for x in of] == pytest.approx(adjust([x.p for x in of]).tolist())
        assert all(bool(x.better) == (x.adjusted_p <= 0.05) for x in of)
    right = found.tests["right"]
    cells = found.right["m1", "m4"]
    assert right.outcomes["m1", "m4"].p == mcnemar(cells).p
    assert found.tests["right_of_all"].p == cochran_q(given.right, given.counts).p


def test_coverage_of_paired_differences():
    """Two models of equal kappa where a class is rare, and of unequal ones where none is."""
    rng = np.random.default_rng(7)
    truth, one, two = (x.ravel() for x in np.indices((2, 2, 2)))
    for rare, rates in ((0.5, (0.8, 0.7)), (0.1, (0.85, 0.85)), (0.05, (0.9, 0.8))):
        p = np.where(truth, rare, 1 - rare)
        for guess, right in zip((one, two), rates, strict=True):
            p = p * np.where(guess == truth, right, 1 - right)
        draws = rng.multinomial(200, p, 4000)
        for key in ("accuracy", "kappa", "mcc", "informedness"):
            m = cm.get(key)
            with np.errstate(all="ignore"):
                pair = np.stack([one, two])
                low, high, _ = smoothed(m, draws, truth, pair, k=2, level=0.95)
            tables = [np.bincount(truth * 2 + g, p, minlength=4).reshape(2, 2) for g in (one, two)]
            true = float(m(tables[0]) - m(tables[1]))
            assert 0.93 <= np.mean((low <= true) & (true <= high)) <= 0.99, (rare, key)


def test_different_cases_by_both_intervals():
    """Newcombe's way: the distance from each value to its limits, combined."""
    tables = {"a": [[40, 10], [5, 45]], "b": [[60, 40], [30, 70]]}
    found = cm.compare(tables, "kappa").differences[0]
    one, two = (cm.interval("kappa", t) for t in tables.values())
    low = one.value - two.value - np.hypot(one.value - one.low, two.high - two.value)
    assert found.low == pytest.approx(low)
    assert found.method == "unpaired"
    assert not cm.compare(tables, "kappa").paired


def test_groups_widen_and_are_said():
    y, guesses = labels(n=600, k=2)
    patients = np.repeat(np.arange(30), 20)
    for g in guesses.values():
        for patient in range(0, 30, 5):
            g[patients == patient] = "a"
    alone = cm.compare(cm.same_rows(y, guesses), "kappa").differences[0]
    found = cm.compare(cm.same_rows(y, guesses, groups=patients.tolist()), "kappa")
    assert found.differences[0].method == "cluster"
    assert found.differences[0].value == pytest.approx(alone.value)
    assert any("groups" in note for note in found.notes)
    each = cm.compare(cm.same_rows(y, guesses, groups=list(range(600))), "kappa").differences[0]
    assert each.low == pytest.approx(alone.low, abs=0.01)


def folded():
    y, guesses = labels(n=200, k=2)
    columns = {"y": y, **guesses, "fold": np.arange(200) % 10}
    return columns, cm.read(columns, true="y", predicted=["m1", "m2"], fold="fold")


def test_algorithms_are_judged_by_folds_and_their_sizes():
    columns, reading = folded()
    found = cm.compare(reading, ["kappa"], rope=0.01)
    values = [
        [
            cohen_kappa_score(columns["y"][columns["fold"] == f], columns[m][columns["fold"] == f])
            for f in range(10)
        ]
        for m in ("m1", "m2")
    ]
    d = np.subtract(*values)
    t = d.mean() / (d.std(ddof=1) * sqrt(1 / 10 + 20 / 180))
    outcome = found.algorithms["kappa"].outcomes["m1", "m2"]
    assert outcome.p == pytest.approx(2 * stats.t.sf(abs(t), 9))
    assert outcome.method.about == "algorithms"
    assert found.tests["right"].outcomes["m1", "m2"].method.about == "predictions"
    likely = found.beliefs["kappa"]["m1", "m2"]
    same = folds.bayesian_correlated_t(*values, train=180, test=20, rope=0.01)
    assert likely.right == pytest.approx(same.right)
    assert likely.left + likely.within + likely.right == pytest.approx(1)


def test_measures_that_disagree_are_told_with_the_reason():
    y = ["a"] * 90 + ["b"] * 10
    lazy, keen = ["a"] * 100, ["b"] * 20 + ["a"] * 70 + ["b"] * 10
    found = cm.compare(cm.same_rows(y * 5, {"lazy": lazy * 5, "keen": keen * 5}))
    flip = next(x for x in found.flips if x.by == ("accuracy", "kappa"))
    assert flip.better == ("lazy", "keen")
    assert flip.why == "Guessing with the same habits would get lazy 90.0% and keen 66.0%."
    (sentence,) = told(found.flips)
    assert sentence.startswith("lazy and keen: by accuracy lazy is better, by kappa")


def test_places():
    assert ranks_of(np.array([[0.9, 0.9, np.nan]])).tolist() == [[1.5, 1.5, 3]]
    ranks = np.array([[1, 2, 3], [1.5, 1.5, 3], [2, 1, 3], [2, 2, 2]])
    found = places(ranks)
    third = 1 / 3
    assert found[0] * 4 == pytest.approx([1.5 + third, 1.5 + third, third])
    assert found.sum(0) == pytest.approx(1)
    assert found.sum(1) == pytest.approx(1)


def test_a_measure_where_less_is_better_ranks_the_other_way():
    found = cm.compare(rows(models=3), ["error_rate", "accuracy"])
    by_error, by_accuracy = found.rankings
    assert by_error.order == by_accuracy.order
    assert not found.flips


def published():
    import csv
    from pathlib import Path

    file = Path(__file__).parents[1] / "examples" / "ben_david_2007.csv"
    found = {"accuracy": {}, "kappa": {}}
    for row in csv.DictReader(file.read_text("utf-8").splitlines()):
        for key, of in found.items():
            of.setdefault(row["model"], {})[row["dataset"]] = float(row[key])
    return found


def test_many_data_sets_are_demsars_tests():
    given = published()
    found = cm.compare_datasets(given, rope=0.01, control="SMO")
    for key, of in given.items():
        g = datasets.grid(of, measure=key)
        assert found.overall[key].p == datasets.friedman(g).p
        assert found.pairs[key].adjusted == datasets.pairs(g, control="SMO").adjusted
        assert (
            found.ranks[key].difference == datasets.critical_difference(g, 0.95, "SMO").difference
        )
    assert found.reordered["kappa"]
    assert set(found.beliefs["kappa"]) == set(found.pairs["kappa"].outcomes)
    found.to_dict()


def test_tables_of_models_and_data_sets_are_enough():
    rng = np.random.default_rng(0)
    counts = rng.integers(1, 40, (2, 6, 3, 3))
    axes = {"model": ("a", "b"), "slice": tuple("uvwxyz")}
    table = cm.table(counts, labels=list("klm"), axes=axes)
    found = cm.compare_datasets(table, ["kappa", "accuracy"])
    assert found.grids["kappa"].values == pytest.approx(cm.kappa(counts))
    swapped = cm.table(counts.swapaxes(0, 1), labels=list("klm"), axes=dict(reversed(axes.items())))
    again = cm.compare_datasets(swapped, ["kappa", "accuracy"])
    assert again.grids["kappa"].values == pytest.approx(found.grids["kappa"].values)
    assert repr(found).startswith("2 models on 6 data sets")


WRONG = {
    "one model": (lambda: cm.compare({"a": [[1, 0], [0, 1]]}), "CM511"),
    "no tables": (lambda: cm.compare([[1, 0], [0, 1]]), "CM511"),
    "other classes": (
        lambda: cm.compare(
            {"a": cm.table([[9, 1], [1, 9]], "kl"), "b": cm.table([[9, 1], [1, 9]], "km")}
        ),
        "CM203",
    ),
    "unequal lengths": (
        lambda: cm.same_rows(list("aab"), {"a": list("aab"), "b": list("aa")}),
        "CM102",
    ),
    "level": (lambda: cm.compare(rows(), level=1.5), "CM514"),
    "method": (lambda: cm.compare(rows(), method="bootstrp"), "CM515"),
    "draws": (lambda: cm.compare(rows(), method="posterior", draws=0), "CM501"),
    "measure of classes": (lambda: cm.compare(rows(), "recall"), "CM516"),
    "adjustment": (lambda: cm.compare(rows(), adjustment="holmes"), "CM515"),
    "one group": (
        lambda: cm.compare(
            cm.same_rows(list("abab"), {"a": list("abab"), "b": list("aabb")}, groups=list("pppp"))
        ),
        "CM504",
    ),
    "rope without folds": (lambda: cm.compare(rows(), rope=0.01), "CM516"),
    "weights exchanged": (
        lambda: cm.compare(
            cm.same_rows(
                list("abab"), {"a": list("abab"), "b": list("aabb")}, weights=[0.5, 1, 1, 1]
            ),
            method="permutation",
        ),
        "CM503",
    ),
    "not compared": (lambda: cm.compare(rows()).difference("kappa", "m2", "m1"), "CM515"),
    "no data sets": (lambda: cm.compare_datasets(rows()), "CM513"),
    "nothing": (lambda: cm.compare_datasets({}), "CM513"),
    "a gap": (
        lambda: cm.compare_datasets({"kappa": {"a": {"d": 1, "e": 0.5}, "b": {"d": 1}}}),
        "CM517",
    ),
    "negative rope": (lambda: cm.compare_datasets(published(), rope=-1), "CM514"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    call, code = WRONG[name]
    with pytest.raises(ChancemeterError) as error:
        call()
    assert error.value.faults[0].code == code


def test_weights_have_intervals_but_no_tests_of_cases():
    y, guesses = labels(k=2)
    found = cm.compare(cm.same_rows(y, guesses, weights=[0.5] * len(y)), "kappa")
    assert found.tests == {}
    assert found.differences[0].low < found.differences[0].value


def test_a_value_that_does_not_exist_has_no_limits():
    """One class in truth and prediction: kappa has no value, and nothing is invented."""
    found = cm.compare(
        cm.same_rows(list("aaa"), {"one": list("aaa"), "two": list("aab")}), "kappa"
    ).differences[0]
    assert np.isnan([found.value, found.low, found.high, found.p]).all()


def test_huge_counts_cost_nothing():
    truth, one, two = np.indices((2, 2, 2)).reshape(3, -1)
    counts = np.array([4 * 10**14, 10**13, 10**13, 10**12, 10**12, 10**13, 10**13, 5 * 10**14])
    given = cm.SameRows(("a", "b"), ("m", "n"), truth, np.stack([one, two]), counts)
    found = cm.compare(given, "kappa").differences[0]
    assert found.high - found.low < 1e-6

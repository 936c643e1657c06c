"""Against chance, how many cases are needed, and what kappa has in common with accuracy."""

from math import sqrt

import numpy as np
import pytest
import statsmodels.api as sm
from scipy import stats
from statsmodels.stats.power import NormalIndPower
from statsmodels.stats.proportion import proportion_effectsize

import chancemeter as cm
from chancemeter.comparison.differences import smoothed
from chancemeter.errors import ChancemeterError

TABLES = [[[20, 5], [10, 15]], [[3, 1], [2, 9]], [[70, 10], [20, 900]], [[5, 0], [0, 5]]]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("key", ["kappa", "accuracy", "mcc", "informedness"])
def test_two_classes_are_fishers_test(table, key):
    """With both margins kept, every such measure orders tables as the upper left cell does."""
    found = cm.above_chance(key, table)
    assert found.p == pytest.approx(stats.fisher_exact(table, alternative="greater").pvalue)
    assert found.method.key == "above_chance:exact"
    assert "Cohen" in found.method.null


def test_what_chance_gets_is_cohens_level():
    for table in TABLES:
        assert cm.above_chance("kappa", table).effects["by_chance"] == pytest.approx(0, abs=1e-9)
        level = cm.above_chance("accuracy", table).effects["by_chance"]
        assert level == pytest.approx(cm.expected_cohen(table))


def by_all_orders(table, key):
    """Every assignment of predictions to cases, one by one."""
    from itertools import permutations

    table = np.array(table)
    k = len(table)
    truth = np.repeat(np.repeat(np.arange(k), k), table.ravel())
    predicted = np.repeat(np.tile(np.arange(k), k), table.ravel())
    seen, as_good, total = float(cm.get(key)(table)), 0, 0
    for order in set(permutations(predicted.tolist())):
        cells = np.bincount(truth * k + np.array(order), minlength=k * k).reshape(k, k)
        as_good += float(cm.get(key)(cells)) >= seen - 1e-12
        total += 1
    return as_good / total


@pytest.mark.parametrize("key", ["kappa", "gwet_ac1", "cramers_v"])
def test_exact_for_three_classes_is_every_order(key):
    table = [[2, 1, 0], [0, 2, 0], [1, 0, 2]]
    found = cm.above_chance(key, table, "exact")
    assert found.p == pytest.approx(by_all_orders(table, key))
    drawn = cm.above_chance(key, table, "permutation", draws=20_000)
    assert drawn.p == pytest.approx(found.p, abs=5 * sqrt(found.p / 20_000))


def test_permutation_is_reproducible_and_never_zero():
    table = [[90, 3, 2], [4, 80, 2], [1, 1, 70]]
    one, two = (cm.above_chance("kappa", table, draws=500, seed=9) for _ in range(2))
    assert one.p == two.p == 1 / 501
    assert one.signature == f"above_chance:permutation|draws:500|seed:9|v{cm.__version__}"


def test_less_is_better_for_errors():
    table = [[20, 5], [10, 15]]
    found = cm.above_chance("error_rate", table)
    assert found.p == pytest.approx(cm.above_chance("accuracy", table).p)


def test_no_value_no_test():
    found = cm.above_chance("kappa", [[9, 0], [0, 0]])
    assert np.isnan(found.p)
    assert found.undefined == "kappa has no value for this table"


# How many cases


def test_shares_as_statsmodels():
    """Two test sets, accuracies .87 and .77; the formula is for plain normal limits."""
    found = cm.cases_needed("accuracy", [[45, 5], [8, 42]], 0.1, draws=4000)
    formula = NormalIndPower().solve_power(proportion_effectsize(0.87, 0.77), power=0.8, alpha=0.05)
    assert found.n == pytest.approx(formula, rel=0.08)
    assert not found.paired


def test_the_power_is_that_of_the_test():
    """Cases drawn by hand from the pilot's patterns show it as often as is said."""
    truth = list("aaaabbbb") * 10
    one, two = list("aaabbbbb") * 10, list("aabbbbba") * 10
    rows = cm.same_rows(truth, {"one": one, "two": two})
    found = cm.cases_needed("kappa", rows, draws=2000)
    assert found.difference == pytest.approx(cm.compare(rows, "kappa").differences[0].value)
    rng = np.random.default_rng(99)
    counts = rng.multinomial(found.n, rows.counts / rows.total, 4000)
    low, _, _ = smoothed(cm.kappa, counts, rows.truth, rows.predicted, k=2, level=0.95)
    assert np.mean(low > 0) == pytest.approx(found.power, abs=0.04)
    assert found.power >= 0.8
    assert all(reached < 0.8 for n, reached in found.curve if n < 0.9 * found.n)


def test_smaller_differences_need_more_and_pairs_need_fewer():
    pilot = [[45, 5], [8, 42]]
    asked = [cm.cases_needed("kappa", pilot, d, draws=400).n for d in (0.2, 0.1, 0.05)]
    assert asked == sorted(asked)
    assert asked[2] > 3 * asked[1]
    assert cm.cases_needed("kappa", pilot, 0.1, draws=400, paired=True).n < asked[1] / 2


def test_two_models_made_more_alike():
    rows = cm.same_rows(list("aabb") * 20, {"m": list("aabb") * 20, "n": list("abbb") * 20})
    whole = cm.cases_needed("kappa", rows, draws=400)
    half = cm.cases_needed("kappa", rows, whole.difference / 2, draws=400)
    assert half.difference == pytest.approx(whole.difference / 2)
    assert half.n > whole.n
    tables = {"m": rows.table.select(model="m"), "n": rows.table.select(model="n")}
    assert not cm.cases_needed("kappa", tables, draws=400).paired
    assert "|unpaired|" in cm.cases_needed("kappa", tables, draws=400).signature


# Kappa and accuracy


def test_relative_difference_of_chance():
    """Table 10 of Ben-David (2007): 70.49 and 64.81 % make 8.8 %."""
    assert 100 * cm.difference_of_chance([0.6481, 0.68, 0.7049]) == pytest.approx(8.76, abs=0.01)
    assert cm.difference_of_chance([0.5, np.nan, 0.6]) == pytest.approx(0.2)


def test_r_squared_as_statsmodels_clusters_it():
    rng = np.random.default_rng(3)
    place = np.repeat(np.arange(12), 10)
    accuracy = 0.7 + 0.1 * rng.standard_normal(12)[place] + 0.02 * rng.standard_normal(120)
    kappa = 2 * accuracy - 0.9 + 0.1 * rng.standard_normal(12)[place] * accuracy
    found = cm.r_squared(accuracy, kappa, place)
    fit = sm.OLS(kappa, sm.add_constant(accuracy)).fit(
        cov_type="cluster", cov_kwds={"groups": place, "df_correction": True}, use_t=True
    )
    assert found.effects["r_squared"] == pytest.approx(fit.rsquared)
    assert found.effects["slope"] == pytest.approx(fit.params[1])
    assert found.statistic == pytest.approx(fit.tvalues[1])
    assert found.p == pytest.approx(fit.pvalues[1])
    low, high = found.interval
    assert low < fit.rsquared < high
    each = cm.r_squared(accuracy, kappa, np.arange(120)).interval
    assert high - low > each[1] - each[0]  # folds of a data set are no independent points


def test_undefined_folds_are_said():
    x, y = [0.1, 0.2, 0.3, 0.4, np.nan, 0.6], [0.1, 0.3, 0.2, np.nan, 0.5, 0.7]
    found = cm.r_squared(x, y, list("aabbcc"))
    assert (found.n, found.left_out) == (4, 2)


WRONG = {
    "method": (lambda: cm.above_chance("kappa", TABLES[0], "exakt"), "CM515"),
    "class level": (lambda: cm.above_chance("recall", TABLES[0]), "CM516"),
    "weights": (lambda: cm.above_chance("kappa", [[0.5, 1], [1, 2]]), "CM503"),
    "a stack": (lambda: cm.above_chance("kappa", [TABLES[0], TABLES[1]]), "CM204"),
    "too many": (
        lambda: cm.above_chance("kappa", np.full((4, 4), 20), "exact"),
        "CM503",
    ),
    "no draws": (lambda: cm.above_chance("kappa", np.full((3, 3), 5), draws=0), "CM501"),
    "no difference": (lambda: cm.cases_needed("kappa", TABLES[0]), "CM514"),
    "too large": (lambda: cm.cases_needed("kappa", TABLES[0], 0.9), "CM514"),
    "zero": (lambda: cm.cases_needed("kappa", TABLES[0], 0.0), "CM514"),
    "power": (lambda: cm.cases_needed("kappa", TABLES[0], 0.1, power=1), "CM514"),
    "level": (lambda: cm.cases_needed("kappa", TABLES[0], 0.1, level=0), "CM514"),
    "never": (lambda: cm.cases_needed("kappa", TABLES[0], 0.001, most=1000, draws=50), "CM505"),
    "empty": (lambda: cm.cases_needed("kappa", [[0, 0], [0, 0]], 0.1), "CM204"),
    "same tables": (lambda: cm.cases_needed("kappa", {"a": TABLES[0], "b": TABLES[0]}), "CM514"),
    "three tables": (lambda: cm.cases_needed("kappa", dict(zip("abc", TABLES[:3]))), "CM511"),
    "one chance": (lambda: cm.difference_of_chance([0.5]), "CM511"),
    "two data sets": (lambda: cm.r_squared([1, 2, 3], [1, 2, 4], list("aab")), "CM512"),
    "unequal": (lambda: cm.r_squared([1, 2, 3], [1, 2], list("abc")), "CM513"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bad_input(name):
    call, code = WRONG[name]
    with pytest.raises(ChancemeterError) as error:
        call()
    assert error.value.faults[0].code == code

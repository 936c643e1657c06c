"""Every measure has a formula, written or read from the code, that gives what the code gives."""

import math

import formula_tex
import numpy as np
import pytest
from written_formulas import Formula

import chancemeter as cm
from chancemeter import catalogue, chance
from chancemeter.counts import Counts
from chancemeter.weights import disagreement

TABLES = {
    "good": [[20, 3, 1, 2], [4, 31, 2, 1], [1, 5, 12, 3], [2, 1, 4, 9]],
    "poor": [[3, 9, 5], [11, 4, 2], [1, 8, 6]],
    "uneven": [[5, 2, 3], [1, 2, 4], [9, 7, 90]],
    "two": [[60, 25], [5, 50]],
}
#: Letters that stand for parameters, or are told in words.
GIVEN = {
    "imbalanced": {"t": 3},
    "bangdiwala_b_weighted": {"m": 1},
    "ordinal_cost": {"q": 1},
    "f_score": {r"\beta": 1},
    "tversky": {r"\alpha": 1, r"\beta": 1},
    "precision_at": {r"\pi": 0.5},
    "npv_at": {r"\pi": 0.5},
    "net_benefit": {"weight": 1},
    "iba": {r"\alpha": 1},
}

#: Written by the names of other measures, or in part only; or they have a test of their own.
TOLD = {
    *("adjusted_g_mean", "aickin_alpha", "beta_ratio", "concordance_correlation"),
    *("cramers_v_corrected", "gilbert_wells", "goodall", "implied_chance"),
    *("normalized_mutual_information", "optimized_precision", "polychoric", "power_divergence"),
    *("overall_modified_confusion_entropy", "powers_correlation", "tetrachoric"),
    *("theils_u", "theils_u_predicted", "yule_bonett"),
}


def _known(key, table, at):
    """What the letters stand for: 0 for the sum over an index."""
    x = np.array(table, float)
    k, full = len(x), np.zeros((len(x) + 1, len(x) + 1))
    full[1:, 1:], full[1:, 0], full[0, 1:], full[0, 0] = x, x.sum(1), x.sum(0), x.sum()
    w = disagreement("linear", k)

    def n(*where):
        return full[where or (0, 0)]

    def p(*where):
        return n(*where) / n()

    def part(of):
        def value(c=at):
            tp, fn, fp = n(c, c), n(c, 0) - n(c, c), n(0, c) - n(c, c)
            return of(tp, fn, fp, n() - tp - fn - fp)

        return value

    parts = {
        "TP": lambda tp, fn, fp, tn: tp,
        "FN": lambda tp, fn, fp, tn: fn,
        "FP": lambda tp, fn, fp, tn: fp,
        "TN": lambda tp, fn, fp, tn: tn,
        "TPR": lambda tp, fn, fp, tn: tp / (tp + fn),
        "FNR": lambda tp, fn, fp, tn: fn / (tp + fn),
        "FPR": lambda tp, fn, fp, tn: fp / (fp + tn),
        "TNR": lambda tp, fn, fp, tn: tn / (fp + tn),
        "PPV": lambda tp, fn, fp, tn: tp / (tp + fp),
        "NPV": lambda tp, fn, fp, tn: tn / (tn + fn),
        "OR": lambda tp, fn, fp, tn: tp * tn / (fp * fn),
    }
    known = {name: part(of) for name, of in parts.items()}
    known |= {name.lower(): known[name] for name in ("TP", "FN", "FP", "TN")}
    known |= {"e": lambda i, j: n(i, 0) * n(0, j) / n(), "BA": np.mean(np.diag(x) / x.sum(1))}
    known |= {r"\chi^2": cm.chi_squared(x)}
    known |= {"n": n, "p": p, "k": k, "m": k, "w": lambda i, j: w[i - 1, j - 1]}
    known |= {"p_e": sum(p(i, 0) * p(0, i) for i in range(1, k + 1))}
    known |= {r"\mathrm{e}": math.e, "p_o": np.trace(x) / x.sum(), r"\pi": math.pi}
    known |= {"a": lambda i, j: 1 - w[i - 1, j - 1] / w.max()}
    if key.endswith("confusion_entropy"):
        known |= {"base": 2 * (k - 1), "CEN": lambda c: cm.confusion_entropy(x)[c - 1]}
    guessed, rates = chance.fit_guesses(Counts(x))
    known |= {"g": lambda i: guessed[i - 1], "r": lambda i: rates[i - 1]}
    return known | GIVEN.get(key, {})


def _formula(key, table, at, **more):
    m = cm.get(key)
    scope = {"i": at, "c": at} if m.card.level == "class" else {}
    known = _known(key, table, at) | more
    tex = catalogue.formula_of(m) or formula_tex.tex_of(m)
    return Formula(tex, len(table), known, scope)


def test_no_measure_is_without_a_formula():
    assert [m.key for m in cm.every() if not formula_tex.tex_of(m)] == []


@pytest.mark.parametrize("key", [m.key for m in cm.every() if m.key not in TOLD])
def test_a_formula_is_what_the_code_computes(key):
    shown = 0
    for name, table in TABLES.items():
        for at, value in enumerate(np.atleast_1d(cm.get(key)(table)), 1):
            if math.isnan(value):
                continue
            formula = _formula(key, table, at)
            assert formula.value() == pytest.approx(value, rel=1e-9), (name, at)
            for left, right in formula.equations:
                for i in range(1, len(table) + 1):
                    here = [formula.of(side, {"i": i}) for side in (left, right)]
                    assert here[0] == pytest.approx(here[1], rel=1e-9), (name, left)
            shown += 1
    assert shown > 1


@pytest.mark.parametrize("table", TABLES.values())
def test_the_formula_of_the_tetrachoric_correlation_holds(table):
    for at, value in enumerate(cm.tetrachoric(table), 1):
        formula = _formula("tetrachoric", table, at, **{r"\rho": value})
        assert formula.of(formula.name) == pytest.approx(formula.value(), abs=1e-7)


@pytest.mark.parametrize("name", ["poor", "two"])
def test_the_polychoric_correlation_is_the_likeliest(name):
    table = TABLES[name]
    value = cm.polychoric(table)

    def likelihood(correlation):
        formula = _formula("polychoric", table, 1, **{r"\rho": correlation})
        return formula.of(formula.says.removeprefix(r"\arg \max_\rho"))

    assert likelihood(value) > max(likelihood(value - 0.02), likelihood(value + 0.02))


@pytest.mark.parametrize("table", TABLES.values())
def test_aickins_alpha_is_that_of_the_table_it_fits(table):
    x = np.array(table, float)
    share = np.trace(x) / x.sum()
    lift = 1 / (1 - cm.aickin_alpha(table) / share)
    fit = np.where(np.eye(len(x)) > 0, lift, 1.0)
    for _ in range(2000):
        fit *= (x.sum(1) / fit.sum(1))[:, None]
        fit *= x.sum(0) / fit.sum(0)
    assert np.trace(fit) == pytest.approx(np.trace(x), rel=1e-9)

"""Would the tests notice? Wrong formulas under right cards, and the checks that must reject them.

Each fault is one that has been seen in software or in print, or is an easy slip. The checks are
those that every measure goes through, called with the faulty measure in place of the right one.
"""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Callable
from functools import cache

import agreement
import numpy as np
import pytest
import test_against_peers as peers
import test_every_measure as every_measure

import chancemeter as cm
from chancemeter import chance
from chancemeter.counts import Counts, Values, limit_ratio, log, ratio
from chancemeter.registry import REGISTRY, Measure

Formula = Callable[..., Values]
Check = Callable[[Measure, pytest.MonkeyPatch], None]


#: The right formulas, for use in wrong places; looked up before any fault is registered.
RIGHT: dict[str, Formula] = {m.key: m.formula for m in cm.every()}
RIGHT["informedness@each"] = cm.get("informedness@each").formula


def of(key: str) -> Formula:
    return RIGHT[key]


def on_doubles(change: Formula, key: str) -> Formula:
    """`change` applied to what the right formula gives, but not to fractions."""

    def formula(c: Counts, **kwargs: object) -> Values:
        value = np.asarray(of(key)(c, **kwargs))
        return value if c.truth.dtype == object else change(value)

    return formula


def in_single_precision(key: str) -> Formula:
    """The right formula on 32 bits."""

    def formula(c: Counts, **kwargs: object) -> Values:
        if c.truth.dtype == object or c.truth.dtype.kind == "c":
            return of(key)(c, **kwargs)
        return of(key)(Counts(c.cells.astype(np.float32)), **kwargs).astype(float)

    return formula


def beyond(model: str) -> Formula:
    return lambda c: chance.beyond(chance.get(model), c)


def mean_of_classes(key: str) -> Formula:
    return lambda c: np.asarray(of(key)(c.one_vs_rest)).mean(-1)


def weighted(of_classes: Formula, by: Callable[[Counts], Values]) -> Formula:
    return lambda c: ratio((by(c) * of_classes(c)).sum(-1), c.total)


def put(value: float, key: str) -> Formula:
    """`value` wherever the measure is undefined."""

    def formula(c: Counts) -> Values:
        found = of(key)(c)
        return np.where(np.not_equal(found, found), value, found)

    return formula


def kappa_of_one_case_less(c: Counts) -> Values:
    observed, expected = ratio(c.right, c.total - 1), chance.cohen.expect(c).share
    return ratio(observed - expected, 1 - expected)


def f_with_beta_not_squared(c: Counts, beta: float = 1) -> Values:
    return ratio((1 + beta) * c.tp, (1 + beta) * c.tp + beta * c.fn + c.fp)


def recalls_that_are_there(c: Counts) -> Values:
    each = ratio(c.tp, c.truth)
    known = np.equal(each, each)
    return ratio(np.where(known, each, 0).sum(-1), known.sum(-1))


def odds_with_halves(c: Counts) -> Values:
    return limit_ratio((c.tp + 0.5) * (c.tn + 0.5), (c.fp + 0.5) * (c.fn + 0.5))


def chi_squared_of_yates(c: Counts) -> Values:
    expected = ratio(c.truth[..., :, None] * c.predicted[..., None, :], c.total[..., None, None])
    gap = np.abs(c.cells - expected) - 0.5
    return np.nansum(np.where(expected == 0, 0, ratio(gap * gap, expected)), axis=(-2, -1))


def gwet_with_k(c: Counts) -> Values:
    shares = ratio(c.truth + c.predicted, 2 * c.n)
    expected = (shares * (1 - shares)).sum(-1) / c.k
    return ratio(ratio(c.right, c.total) - expected, 1 - expected)


def by_subtraction(c: Counts) -> Values:
    return 1 - of("kappa")(c)


def error_of_the_majority(c: Counts) -> Values:
    return ratio(c.total - c.truth.max(-1), c.total)


def jaccard_with_rejections(c: Counts) -> Values:
    return ratio(c.tp + c.tn, c.n)


def variance_of_one_case_less(c: Counts) -> Values:
    share = ratio(c.right, c.total)
    return np.sqrt(ratio(share * (1 - share), c.total - 1))


@cache
def of_pycm(cells: bytes, k: int) -> object:
    """PyCM's object for a table, made once for all faults."""
    return _pycm_of(np.frombuffer(cells, int).reshape(k, k))


_pycm_of = agreement.pycm_of


def as_pycm_has_it(m: Measure, patch: pytest.MonkeyPatch) -> None:
    """The comparison with PyCM, of the statistics that are this measure."""
    register(m, patch)
    patch.setattr(agreement, "pycm_of", lambda cells: of_pycm(cells.tobytes(), len(cells)))
    for table in ("CLASS", "OVERALL"):
        patch.setattr(agreement, table, only(m, getattr(agreement, table), lambda key: key))
    for table in ("CLASS_METHODS", "OVERALL_METHODS", "COEFFICIENTS"):
        patch.setattr(agreement, table, only(m, getattr(agreement, table), lambda found: found[0]))
    found = agreement.compare_with_pycm(60)
    assert found, "PyCM does not have this measure"
    for name in found:
        peers.test_same_as_pycm(found, name)


def as_scikit_learn_has_it(m: Measure, patch: pytest.MonkeyPatch) -> None:
    """The comparison with scikit-learn, of the metrics that are this measure."""
    register(m, patch)
    patch.setattr(agreement, "SKLEARN", only(m, agreement.SKLEARN, lambda found: found[0]))
    found = agreement.compare_with_sklearn(40)
    assert found, "scikit-learn does not have this measure"
    for name in found:
        peers.test_same_as_sklearn(found, name)


def register(m: Measure, patch: pytest.MonkeyPatch) -> None:
    for name in m.names:
        patch.setitem(REGISTRY, name, m)


def only(m: Measure, table: dict, expression: Callable[..., str]) -> dict:
    """The entries of `table` that are made from this measure."""
    return {k: v for k, v in table.items() if re.split("[@(]", expression(v))[0] == m.key}


def as_the_example_has_it(m: Measure, patch: pytest.MonkeyPatch) -> None:
    """The example in the docstring, as pytest runs it."""
    text = inspect.getdoc(cm.get(m.key).formula) or ""
    example = doctest.DocTestParser().get_doctest(text, {m.key: m}, m.key, None, None)
    assert doctest.DocTestRunner(verbose=False).run(example, out=lambda _: None).failed == 0


def card(test: Callable[..., None]) -> Check:
    """A check of `test_every_measure` that applies to the measure."""

    def check(m: Measure, patch: pytest.MonkeyPatch) -> None:
        cases = next(mark for mark in test.pytestmark if mark.name == "parametrize").args[1]
        assert m.key in {case.id for case in cases}, "this check is not for this measure"
        test(m=m)

    return check


CHECKS: dict[str, Check] = {
    "range": card(every_measure.test_stays_in_range),
    "changes": card(every_measure.test_nothing_else_changes_it_and_nothing_else_leaves_it),
    "needs": card(every_measure.test_needs_what_the_card_says),
    "undefined": card(every_measure.test_is_undefined_where_the_card_says_and_nowhere_else),
    "perfect": card(every_measure.test_perfect_prediction_is_perfect),
    "chance": card(every_measure.test_what_chance_alone_gives),
    "fractions": card(every_measure.test_agrees_with_exact_fractions),
    "model": card(every_measure.test_is_what_is_left_beyond_its_chance_model),
    "digits": card(every_measure.test_agrees_with_fifty_digits),
    "complex": card(every_measure.test_complex_step_gives_the_derivative),
    "example": as_the_example_has_it,
    "pycm": as_pycm_has_it,
    "sklearn": as_scikit_learn_has_it,
}

#: Measure, what is wrong, the wrong formula, and the checks that have to reject it.
FAULTS: list[tuple[str, str, Formula, str]] = [
    ("kappa", "Scott's chance", beyond("scott"), "chance model pycm sklearn"),
    (
        "kappa",
        "the chance of the true shares, squared",
        beyond("prevalence"),
        "changes undefined chance model pycm",
    ),
    ("kappa", "the chance of 1/k", beyond("uniform"), "changes undefined chance model pycm"),
    (
        "kappa",
        "the chance of the majority",
        beyond("majority"),
        "changes chance fractions model sklearn",
    ),
    (
        "kappa",
        "nothing below 0",
        on_doubles(lambda x: np.maximum(x, 0), "kappa"),
        "fractions model pycm",
    ),
    (
        "kappa",
        "rounded to six digits",
        on_doubles(lambda x: np.round(x, 6), "kappa"),
        "fractions model complex sklearn",
    ),
    ("kappa", "single precision", in_single_precision("kappa"), "fractions complex sklearn"),
    (
        "kappa",
        "the mean of the classes' kappas",
        mean_of_classes("kappa"),
        "changes undefined model pycm sklearn",
    ),
    ("kappa", "n - 1 for n", kappa_of_one_case_less, "changes perfect fractions model example"),
    ("kappa", "1 for 0/0", put(1, "kappa"), "undefined"),
    ("kappa", "0 for 0/0", put(0, "kappa"), "undefined"),
    ("kappa", "without its sign", lambda c: np.abs(of("kappa")(c)), "fractions model complex pycm"),
    ("errors_vs_chance", "1 - kappa by subtraction", by_subtraction, "fractions"),
    ("scott_pi", "Cohen's chance", beyond("cohen"), "model example pycm"),
    (
        "scott_pi",
        "the chance of the true shares, squared",
        beyond("prevalence"),
        "changes undefined model pycm",
    ),
    ("bennett_s", "1/2 for 1/k", of("pabak"), "changes chance model pycm"),
    ("gwet_ac1", "k for k - 1", gwet_with_k, "model example pycm"),
    ("krippendorff_alpha", "no correction for few cases", of("scott_pi"), "changes example pycm"),
    ("mcc", "without its sign", lambda c: np.abs(of("mcc")(c)), "digits complex pycm sklearn"),
    (
        "mcc",
        "the mean of the classes' correlations",
        mean_of_classes("mcc"),
        "changes undefined pycm sklearn",
    ),
    ("mcc", "Powers' correlation", of("powers_correlation"), "undefined pycm sklearn"),
    ("mcc", "single precision", in_single_precision("mcc"), "digits complex sklearn"),
    ("mcc", "0 for 0/0", put(0, "mcc"), "undefined"),
    ("informedness", "markedness", of("markedness"), "undefined example pycm"),
    (
        "informedness",
        "by the true shares",
        weighted(of("informedness@each"), lambda c: c.truth),
        "changes undefined",
    ),
    ("informedness", "the mean over classes", mean_of_classes("informedness"), "changes undefined"),
    ("markedness", "informedness", of("informedness"), "undefined example pycm"),
    ("accuracy", "single precision", in_single_precision("accuracy"), "fractions complex sklearn"),
    ("accuracy", "the mean of recalls", of("balanced_accuracy"), "changes undefined pycm sklearn"),
    (
        "error_rate",
        "the error of the majority",
        error_of_the_majority,
        "changes perfect example pycm sklearn",
    ),
    (
        "error_rate",
        "1 - accuracy by subtraction",
        lambda c: 1 - ratio(c.right, c.total),
        "fractions",
    ),
    (
        "balanced_accuracy",
        "classes without cases left out",
        recalls_that_are_there,
        "changes undefined",
    ),
    ("balanced_accuracy", "accuracy", of("accuracy"), "changes undefined sklearn"),
    ("recall", "precision", of("precision"), "changes undefined example sklearn"),
    ("precision", "recall", of("recall"), "changes undefined example sklearn"),
    ("precision", "0 for 0/0", put(0, "precision"), "undefined"),
    ("specificity", "negative predictive value", of("npv"), "undefined example pycm"),
    (
        "f_score",
        "the arithmetic mean",
        lambda c, beta=1: of("kulczynski")(c),
        "undefined example sklearn",
    ),
    ("f_score", "beta not squared", f_with_beta_not_squared, "pycm sklearn"),
    ("jaccard", "right rejections counted", jaccard_with_rejections, "undefined example sklearn"),
    (
        "odds_ratio",
        "a half added to each cell",
        odds_with_halves,
        "changes undefined perfect chance example pycm",
    ),
    (
        "odds_ratio",
        "undefined for x/0",
        lambda c: ratio(c.tp * c.tn, c.fp * c.fn),
        "undefined perfect",
    ),
    (
        "lambda_truth",
        "truth and prediction exchanged",
        of("lambda_predicted"),
        "undefined example pycm",
    ),
    (
        "goodman_kruskal_tau",
        "truth and prediction exchanged",
        of("goodman_kruskal_tau_truth"),
        "undefined",
    ),
    ("theils_u", "truth and prediction exchanged", of("theils_u_predicted"), "undefined example"),
    (
        "entropy_truth",
        "nats for bits",
        lambda c, base=2: of("entropy_truth")(c, base=np.e),
        "example pycm",
    ),
    (
        "mutual_information",
        "nats for bits",
        lambda c, base=2: of("mutual_information")(c, base=np.e),
        "example pycm",
    ),
    (
        "chi_squared",
        "Yates' correction",
        chi_squared_of_yates,
        "undefined chance complex example pycm",
    ),
    (
        "cramers_v",
        "corrected for bias",
        of("cramers_v_corrected"),
        "changes undefined chance example pycm",
    ),
    ("adjusted_rand", "kappa of the cases", of("kappa"), "changes needs undefined example sklearn"),
    ("se_accuracy", "n - 1 for n", variance_of_one_case_less, "undefined digits example pycm"),
    ("log_odds_ratio", "base 10", lambda c: of("log_odds_ratio")(c) / log(10.0), "example"),
    (
        "weighted_kappa",
        "quadratic for linear",
        lambda c, weights="linear", scores=None: of("weighted_kappa")(
            c, weights="quadratic", scores=scores
        ),
        "sklearn",
    ),
]

each_fault = pytest.mark.parametrize(
    ("key", "formula", "check"),
    [
        pytest.param(key, formula, check, id=f"{key}: {what}, {check}")
        for key, what, formula, checks in FAULTS
        for check in checks.split()
    ],
)


@each_fault
def test_a_wrong_formula_is_rejected(key, formula, check, monkeypatch) -> None:
    faulty = Measure(cm.get(key).card, formula, key)
    with pytest.raises(AssertionError):
        CHECKS[check](faulty, monkeypatch)


NEEDED = sorted({(key, check) for key, _, _, checks in FAULTS for check in checks.split()})


@pytest.mark.parametrize(("key", "check"), NEEDED)
def test_the_right_formula_is_not(key, check, monkeypatch) -> None:
    """Called the same way, so that it is the fault that is rejected and not the way of calling."""
    CHECKS[check](Measure(cm.get(key).card, RIGHT[key], key), monkeypatch)


def test_wrong_rankings_are_noticed(monkeypatch) -> None:
    """Order classes are checked for all measures together."""
    for test, key, formula in (
        (every_measure.test_order_classes_are_those_of_the_cards, "jaccard", of("kulczynski")),
        (
            every_measure.test_order_classes_at_fixed_truth_are_those_of_the_cards,
            "recall",
            of("icsi"),
        ),
    ):
        faulty = Measure(cm.get(key).card, formula, key)
        others = [faulty if m.key == key else m for m in every_measure.ALL]
        monkeypatch.setattr(every_measure, "ALL", others)
        with pytest.raises(AssertionError):
            test()
        monkeypatch.undo()

"""Would the tests notice? Wrong formulas under right cards, and the checks that must reject them.

Each fault is one that has been seen in software or in print, or is an easy slip. The checks are
those that every measure goes through, called with the faulty measure in place of the right one.
"""

from __future__ import annotations

from collections.abc import Callable

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


def of(key: str) -> Formula:
    """The right formula of a measure, for use in a wrong place."""
    return cm.get(key).formula


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


def correlation_of_powers_kind(c: Counts) -> Values:
    return of("powers_correlation")(c)


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


FAULTS: list[tuple[str, str, Formula]] = [
    ("kappa", "Scott's chance", beyond("scott")),
    ("kappa", "the chance of the true shares, squared", beyond("prevalence")),
    ("kappa", "the chance of 1/k", beyond("uniform")),
    ("kappa", "the chance of the majority", beyond("majority")),
    ("kappa", "nothing below 0", on_doubles(lambda x: np.maximum(x, 0), "kappa")),
    ("kappa", "rounded to six digits", on_doubles(lambda x: np.round(x, 6), "kappa")),
    ("kappa", "single precision", in_single_precision("kappa")),
    ("kappa", "the mean of the classes' kappas", mean_of_classes("kappa")),
    ("kappa", "n - 1 for n", kappa_of_one_case_less),
    ("kappa", "1 for 0/0", put(1, "kappa")),
    ("kappa", "0 for 0/0", put(0, "kappa")),
    ("kappa", "without its sign", lambda c: np.abs(of("kappa")(c))),
    ("errors_vs_chance", "1 - kappa by subtraction", by_subtraction),
    ("scott_pi", "Cohen's chance", beyond("cohen")),
    ("scott_pi", "the chance of the true shares, squared", beyond("prevalence")),
    ("bennett_s", "1/2 for 1/k", of("pabak")),
    ("gwet_ac1", "k for k - 1", gwet_with_k),
    ("krippendorff_alpha", "no correction for few cases", of("scott_pi")),
    ("mcc", "without its sign", lambda c: np.abs(of("mcc")(c))),
    ("mcc", "the mean of the classes' correlations", mean_of_classes("mcc")),
    ("mcc", "Powers' correlation", correlation_of_powers_kind),
    ("mcc", "single precision", in_single_precision("mcc")),
    ("mcc", "0 for 0/0", put(0, "mcc")),
    ("informedness", "markedness", of("markedness")),
    ("informedness", "by the true shares", weighted(of("informedness@each"), lambda c: c.truth)),
    ("informedness", "the mean over classes", mean_of_classes("informedness")),
    ("markedness", "informedness", of("informedness")),
    ("accuracy", "single precision", in_single_precision("accuracy")),
    ("accuracy", "the mean of recalls", of("balanced_accuracy")),
    ("error_rate", "the error of the majority", error_of_the_majority),
    ("error_rate", "1 - accuracy by subtraction", lambda c: 1 - ratio(c.right, c.total)),
    ("balanced_accuracy", "classes without cases left out", recalls_that_are_there),
    ("balanced_accuracy", "accuracy", of("accuracy")),
    ("recall", "precision", of("precision")),
    ("precision", "recall", of("recall")),
    ("precision", "0 for 0/0", put(0, "precision")),
    ("specificity", "negative predictive value", of("npv")),
    ("f_score", "the arithmetic mean", lambda c, beta=1: of("kulczynski")(c)),
    ("f_score", "beta not squared", f_with_beta_not_squared),
    ("jaccard", "right rejections counted", jaccard_with_rejections),
    ("odds_ratio", "a half added to each cell", odds_with_halves),
    ("odds_ratio", "undefined for x/0", lambda c: ratio(c.tp * c.tn, c.fp * c.fn)),
    ("lambda_truth", "truth and prediction exchanged", of("lambda_predicted")),
    ("goodman_kruskal_tau", "truth and prediction exchanged", of("goodman_kruskal_tau_truth")),
    ("theils_u", "truth and prediction exchanged", of("theils_u_predicted")),
    ("entropy_truth", "nats for bits", lambda c, base=2: of("entropy_truth")(c, base=np.e)),
    ("mutual_information", "nats for bits", lambda c, base=2: of("mutual_information")(c, base=np.e)),
    ("chi_squared", "Yates' correction", chi_squared_of_yates),
    ("cramers_v", "corrected for bias", of("cramers_v_corrected")),
    ("adjusted_rand", "kappa of the cases", of("kappa")),
    ("se_accuracy", "n - 1 for n", variance_of_one_case_less),
    ("log_odds_ratio", "base 10", lambda c: of("log_odds_ratio")(c) / log(10.0)),
    ("weighted_kappa", "quadratic for linear",
     lambda c, weights="linear", scores=None: of("weighted_kappa")(c, weights="quadratic", scores=scores)),
]


def by_peer(compare: str, names: str, test: Callable[..., None]) -> Check:
    """The comparison with a peer, for statistics of this measure only, the fault registered."""

    def check(m: Measure, patch: pytest.MonkeyPatch) -> None:
        ...

    return check

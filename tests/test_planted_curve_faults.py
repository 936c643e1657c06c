"""Would the tests of curves notice? Slips that are easy or have been seen, and the checks against them."""

from __future__ import annotations

import numpy as np
import pytest
import test_curve_scalars as scalar_tests
import test_many_curves as many_tests
import test_thresholds as threshold_tests

from chancemeter.curves import influence, thresholds, volume
from chancemeter.curves.areas import along_chords
from chancemeter.curves.curve import SCALARS, scalars
from chancemeter.curves.many import ManyCurves


def ties_count_whole(c):
    return float((np.diff(c.fpr) * c.tpr[1:]).sum())


def by_trapezoids(c):
    kappa = c["kappa"]
    return float((np.diff(c.fpr) * (kappa[1:] + kappa[:-1])).sum() / 2)


def of_other_class(c):
    return float(along_chords(1 - c.tpr[::-1], 1 - c.fpr[::-1], 1 - c.prevalence).sum())


def without_hull(c):
    return SCALARS["auc"](c)


def severity_the_other_way(c, severity=None):
    p = c.prevalence
    return right_h(c, (1 - p) / p if severity is None else severity)


scalars()
right_h = SCALARS["h"]


@pytest.mark.parametrize(
    ("name", "fault", "check"),
    [
        ("auc", ties_count_whole, lambda: scalar_tests.test_areas_and_errors_of_proc(1)),
        ("auc", lambda c: max(right_auc(c), 1 - right_auc(c)), None),
        (
            "auk",
            by_trapezoids,
            lambda: scalar_tests.test_auk_against_integration_at_50_digits(1, 0.3),
        ),
        (
            "auk",
            of_other_class,
            lambda: scalar_tests.test_auk_against_integration_at_50_digits(1, 0.3),
        ),
        ("average_precision", lambda c: SCALARS["pr_area"](c), None),
        ("auch", without_hull, None),
        ("h", severity_the_other_way, lambda: scalar_tests.test_h_measure_and_gains_of_others(1)),
    ],
)
def test_wrong_scalars_are_noticed(name, fault, check, monkeypatch):
    monkeypatch.setitem(SCALARS, name, fault)
    defaults = {
        "average_precision": lambda: scalar_tests.test_scikit_learn_says_the_same(1),
        "auch": lambda: scalar_tests.test_influence_is_the_derivative_by_weights("auch"),
        "auc": lambda: scalar_tests.test_what_leaves_scalars_alone(1),
    }
    with pytest.raises(AssertionError):
        (check or defaults[name])()


right_auc = SCALARS["auc"]


def test_a_variance_over_n_is_noticed(monkeypatch):
    def spread(x, n):
        mean = np.dot(n, x) / n.sum()
        return float(np.dot(n, (x - mean) ** 2) + n.sum() * mean**2)

    monkeypatch.setattr(influence, "_spread", spread)
    with pytest.raises(AssertionError):
        scalar_tests.test_areas_and_errors_of_proc(0)


def test_one_way_of_hand_and_till_is_noticed(monkeypatch):
    right = ManyCurves.__dict__["pairs"].func
    monkeypatch.setattr(ManyCurves, "pairs", property(lambda m: np.triu(right(m), 1)))
    with pytest.raises(AssertionError):
        many_tests.test_hand_and_till_of_proc(0)


def test_ties_that_count_for_the_own_class_are_noticed(monkeypatch):
    monkeypatch.setattr(
        volume, "_one_by_one", lambda groups: float(np.prod([n.sum() for _, n in groups]))
    )
    with pytest.raises(AssertionError):
        many_tests.test_volume_against_every_trio(0, 1)


def test_a_threshold_on_the_wrong_side_is_noticed(monkeypatch):
    monkeypatch.setattr(thresholds, "between", lambda c, i: float(np.nextafter(c.thresholds[i], 9)))
    with pytest.raises(AssertionError):
        threshold_tests.test_best_by_trying_all("kappa")

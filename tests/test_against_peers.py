"""Every statistic of PyCM and every table metric of scikit-learn, on random tables."""

import agreement
import numpy as np
import pycm
import pytest

import chancemeter as cm


@pytest.fixture(scope="module")
def with_pycm():
    return agreement.compare_with_pycm(80)


def test_no_statistic_of_pycm_is_left_out():
    p = agreement.pycm_of(np.array([[3, 1], [2, 5]]))
    known = {*agreement.CLASS, *agreement.OVERALL, *agreement.ELSEWHERE, *agreement.SCALES}
    assert set(p.class_stat) | set(p.overall_stat) <= known


def test_no_coefficient_of_pycm_is_left_out():
    for kind in pycm.DistanceType:
        assert cm.get(kind.name.lower())


OF_CLASSES = [*agreement.CLASS, *agreement.CLASS_METHODS, *agreement.COEFFICIENTS]


@pytest.mark.parametrize("name", [*OF_CLASSES, *agreement.OVERALL, *agreement.OVERALL_METHODS])
def test_same_as_pycm(with_pycm, name):
    tally = with_pycm[name][1]
    assert tally.compared > 50
    assert tally.only_they == 0, "PyCM has a value where we have none"
    if name not in agreement.DEFECTS:
        assert tally.worst < 1e-11


def test_known_defects_are_still_there(with_pycm):
    assert {name for name, (_, t) in with_pycm.items() if t.worst >= 1e-11} == set(
        agreement.DEFECTS
    )


def wrong_in_pycm():
    """For each further defect, whether PyCM still has it."""
    of = pycm.ConfusionMatrix

    def kappa(a, b, **options):
        return of(a, b, **options).Kappa

    yield (
        "sample_weight",
        kappa([0, 0, 1], [0, 1, 1], sample_weight=[1, 2]) == kappa([0, 0, 1], [0, 1, 1]),
    )
    yield "labels", kappa([1, 0], [1.0, 0.0]) == kappa([1, 0], [True, False]) == 0
    yield "missing labels", "None" in of(["a", None, "b"], ["a", "a", "b"]).classes
    one_never_predicted = of(matrix={0: {0: 3, 1: 0}, 1: {0: 2, 1: 0}})
    yield "undefined", one_never_predicted.PPV_Macro == "None"
    large = of(matrix={0: {0: 600, 1: 0}, 1: {0: 100, 1: 400}})
    yield "P-Value", large.PValue == "None"
    rare = of(matrix={0: {0: 5, 1: 95}, 1: {0: 1, 1: 899}})
    low, high = (
        rare.Kappa_95CI if hasattr(rare, "Kappa_95CI") else rare.overall_stat["Kappa 95% CI"]
    )
    right = 2 * 1.96 * cm.se_kappa([[5, 95], [1, 899]])
    yield "Kappa 95% CI", 2.4 < (high - low) / right < 2.5


def test_further_defects_of_pycm_are_still_there():
    assert dict(wrong_in_pycm()) == dict.fromkeys(agreement.OTHER_DEFECTS, True)


def test_words_differ_from_pycm_only_where_said():
    for name, (same, of, _) in agreement.compare_words(60).items():
        assert same == of or name in agreement.OTHER_WORDS, name


@pytest.fixture(scope="module")
def with_sklearn():
    return agreement.compare_with_sklearn(40)


@pytest.mark.parametrize("name", agreement.SKLEARN)
def test_same_as_sklearn(with_sklearn, name):
    _, plain, weighed = with_sklearn[name]
    assert plain.compared >= 40
    assert max(plain.worst, weighed.worst) < 1e-11
    assert plain.only_they == 0


def test_same_as_statsmodels():
    for name, (_, tally) in agreement.compare_with_statsmodels(60).items():
        assert tally.compared > 3, name
        assert tally.worst < 1e-11, name

"""Calling things wrongly: every slip is told with its code, what was seen and a way out."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import chancemeter as cm
from chancemeter import chance

NAN = float("nan")
GOOD = [[20, 5], [10, 15]]
TWO = cm.table([GOOD, GOOD], axes={"fold": [0, 1]})
SLIPS = {
    "labels instead of a table": (lambda: cm.kappa([0, 1, 1]), "CM201", "chancemeter.tally("),
    "labels in two lists": (lambda: cm.f_score([0, 1], [1, 1]), "CM201", "chancemeter.tally("),
    "words": (lambda: cm.kappa([["a", "b"], ["c", "d"]]), "CM201", "saw: 'a'"),
    "a hole": (lambda: cm.kappa([[1, None], [3, 4]]), "CM201", "saw: None"),
    "nothing": (lambda: cm.kappa(None), "CM201", "saw: None"),
    "decimals": (lambda: cm.kappa([[Decimal(1), 2], [3, 4]]), "CM201", "saw: Decimal('1')"),
    "a dict": (lambda: cm.kappa({"a": {"a": 1}}), "CM201", "chancemeter.table"),
    "not square": (lambda: cm.kappa([[1, 2, 3], [4, 5, 6]]), "CM201", "saw: shape (2, 3)"),
    "empty": (lambda: cm.kappa([[]]), "CM201", "saw: shape (1, 0)"),
    "ragged": (lambda: cm.kappa([[1, 2], [3]]), "CM201", "saw: rows of 2, 1"),
    "negative": (lambda: cm.kappa([[1, -2], [4, -5]]), "CM202", "saw: -2 (2 such cells)"),
    "not a number": (lambda: cm.kappa([[1, NAN], [4, 5]]), "CM202", "saw: nan (1 such cell)"),
    "masked": (
        lambda: cm.kappa(np.ma.masked_array(GOOD, [[0, 1], [0, 0]])),
        "CM202",
        "saw: 1 cell",
    ),
    "beyond doubles": (lambda: cm.kappa([[10**400, 1], [3, 4]]), "CM202", "divide all cells"),
    "too much": (lambda: cm.kappa(GOOD, 2), "CM302", "its parameters: none"),
    "a word for a number": (lambda: cm.f_score(GOOD, beta="x"), "CM302", "saw: 'x'"),
    "no number": (lambda: cm.f_score(GOOD, NAN), "CM302", "a number from 0 up"),
    "a negative weight": (lambda: cm.f_score(GOOD, beta=-1), "CM302", "saw: -1"),
    "a huge number": (lambda: cm.f_score(GOOD, beta=1e200), "CM302", "a number from 0 up"),
    "no share": (lambda: cm.precision_at(GOOD, 2), "CM302", "a number from 0 to 1"),
    "shares beyond 1": (
        lambda: cm.precision_at(GOOD, np.array([0.5, 1.5])),
        "CM302",
        "a number from 0 to 1",
    ),
    "truth for a number": (lambda: cm.f_score(GOOD, beta=True), "CM302", "saw: True"),
    "a number for a word": (lambda: cm.beyond_chance(GOOD, 5), "CM302", "give a word"),
    "no base": (lambda: cm.mutual_information(GOOD, base=1), "CM302", "a number above 1"),
    "half a step": (lambda: cm.bangdiwala_b_weighted(GOOD, 0.5), "CM302", "a whole number"),
    "no policy": (lambda: cm.kappa(GOOD, undefined="zero"), "CM302", "undefined='nan'"),
    "None as a policy": (lambda: cm.kappa(GOOD, undefined=None), "CM302", "saw: None"),
    "a number for a name": (lambda: cm.get(5), "CM301", "give its name"),
    "a number for names": (lambda: cm.score(GOOD, 5), "CM301", "saw: 5"),
    "groups without names": (lambda: TWO.merge([(0, 1)]), "CM203", "{new name: [old names]}"),
    "one label for all": (
        lambda: cm.table({"counts": GOOD, "labels": 5}),
        "CM203",
        "cannot be labels",
    ),
    "in an expression": (lambda: cm.get("f_score(beta=x)"), "CM302", "saw: 'x'"),
    "in an average": (lambda: cm.get("f_score@macro")(GOOD, beta="x"), "CM302", "saw: 'x'"),
    "in an exact value": (lambda: cm.f_score.exact(GOOD, bta=2), "CM302", "did you mean beta?"),
    "a chance model": (lambda: chance.get(5), "CM401", "one of cohen"),
    "axes without entries": (lambda: cm.table([GOOD], axes=["fold"]), "CM204", "axes={"),
    "weights of cells": (lambda: TWO.weigh([[1, 2, 3]]), "CM106", "give 2 rows of 2 weights"),
    "a rest of that name": (lambda: TWO.one_vs_rest(0, rest=0), "CM203", "given twice"),
    "twice one class each": (
        lambda: TWO.one_vs_rest().one_vs_rest(),
        "CM204",
        ".one_vs_rest(label)",
    ),
    "scores for labels": (
        lambda: cm.tally([1, 0, 1], [0.1, 0.9, 0.3]),
        "CM104",
        "y_pred looks like scores",
    ),
    "text for numbers": (
        lambda: cm.tally(["1", "0"], [1, 0]),
        "CM104",
        "[str(x) for x in y_pred]",
    ),
    "decimals for numbers": (lambda: cm.tally([1.0, 0.0], [1, 0]), "CM104", "y_true.astype(int)"),
    "one weight for all": (lambda: cm.tally([1, 0], [1, 0], weights=2), "CM106", "2 weights"),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_every_slip_is_told(slip):
    call, code, told = SLIPS[slip]
    with pytest.raises(cm.ChancemeterError) as caught:
        call()
    assert caught.value.faults[0].code == code
    assert told in str(caught.value)
    assert "  fix: " in str(caught.value) or "  saw: " in str(caught.value)


def test_exact_values_of_counts_that_no_double_holds():
    n = 10**30 + 1
    assert cm.accuracy.exact([[n, 1], [0, n]]) == Fraction(2 * n, 2 * n + 1)
    third = Fraction(1, 3)
    assert cm.kappa.exact([[third, 1], [3, 4]]) == cm.kappa.exact([[1, 3], [9, 12]])
    assert cm.kappa([[third, 1], [3, 4]]) == pytest.approx(-1 / 9)


def test_a_measure_may_stand_for_its_name():
    assert cm.score(GOOD, [cm.kappa, "mcc"])["kappa"] == 0.4
    assert cm.get(cm.kappa) is cm.kappa
    assert cm.evaluate(GOOD, "kappa") == cm.evaluate(GOOD, cm.kappa) == {"kappa": 0.4}


def test_parameters_without_their_names():
    assert (cm.f_score(GOOD, 2) == cm.f_score(GOOD, beta=2)).all()

"""What is said of curves that cannot be put together or read as probabilities."""

import numpy as np
import pytest

import chancemeter as cm
from chancemeter.curves import probabilities, several
from chancemeter.errors import InputError

CURVE = cm.curve([0, 1, 1, 0], [0.1, 0.8, 0.6, 0.3])


def test_scores_that_are_no_probabilities():
    with pytest.raises(InputError, match=r"CM603.*no probabilities"):
        probabilities.seen(cm.curve([0, 1, 1, 0], [1.0, 8.0, 6.0, 3.0]))


def test_what_is_no_curve():
    with pytest.raises(InputError, match=r"CM610.*no curves"):
        several._check({"a": CURVE, "b": np.eye(2)})


def test_curves_of_different_classes():
    other = cm.curve(["x", "y", "y", "x"], [0.1, 0.8, 0.6, 0.3], positive="y")
    with pytest.raises(InputError, match=r"CM612.*different things"):
        CURVE + other

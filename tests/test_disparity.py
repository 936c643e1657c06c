"""Gaps between groups, against counting by hand from labels."""

import numpy as np
import pytest
from sklearn.metrics import recall_score

import chancemeter as cm
from chancemeter.comparison.disparity import disparity
from chancemeter.errors import InputError


def test_gaps_are_those_of_the_rows():
    draw = np.random.default_rng(3)
    y, p, g = draw.integers(0, 2, 300), draw.integers(0, 2, 300), draw.integers(0, 3, 300)
    tables = cm.table(
        [cm.tally(y[g == i], p[g == i]).counts for i in range(3)],
        labels=[0, 1],
        axes={"group": [0, 1, 2]},
    )
    rates = [p[g == i].mean() for i in range(3)]
    found = disparity("bias", tables)
    assert np.isclose(found.difference[1], max(rates) - min(rates))
    assert np.isclose(found.ratio[1], min(rates) / max(rates))
    recalls = [recall_score(y[g == i], p[g == i]) for i in range(3)]
    assert np.isclose(disparity("recall", tables).difference[1], max(recalls) - min(recalls))


def test_undefined_groups_are_left_out_and_two_are_needed():
    cells = [[[5, 5], [1, 9]], [[4, 6], [1, 9]], [[0, 0], [1, 9]]]
    three = cm.table(cells, axes={"group": ["a", "b", "c"]})
    assert np.allclose(disparity("recall", three).difference, [0.1, 0])
    with pytest.raises(InputError, match="fewer than two"):
        disparity("recall", cm.table(cells[1:], axes={"group": ["b", "c"]}))
    with pytest.raises(InputError, match="no axis 'site'"):
        disparity("recall", three, "site")

"""WEKA's naive Bayes for nominal attributes, rebuilt: its predictions, case by case."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from chancemeter.counts import Array

#: WEKA lets no probability fall below this, and brings products back when they do.
_LEAST = 1e-75


def predict(
    train: tuple[Array, Array], test: Array, declared: Sequence[int], classes: int
) -> Array:
    """The classes of `test`: one added to every count, of classes and of declared values alike.

    Products are built attribute by attribute as WEKA builds them, so that even ties are broken
    as there: for the class declared first.

    >>> codes, y = np.array([[0], [0], [1], [1]]), np.array([0, 0, 1, 1])
    >>> predict((codes, y), np.array([[0], [1]]), [2], 2)
    array([0, 1])
    """
    codes, y = train
    of_class = np.bincount(y, minlength=classes)
    product = np.tile((of_class + 1.0) / (len(y) + classes), (len(test), 1))
    for j, values in enumerate(declared):
        counts = np.ones((values, classes))
        np.add.at(counts, (codes[:, j], y), 1)
        product = product * np.maximum(_LEAST, (counts / (of_class + values))[test[:, j]])
        small = product.max(1) < _LEAST
        product[small] *= 1e75
    return np.asarray(product.argmax(1))

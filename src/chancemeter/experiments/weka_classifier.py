"""WEKA's classifiers in the form of scikit-learn's, so that plans and pipelines take them."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural
from chancemeter.experiments.weka import Column, find_weka


class WekaClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A classifier of WEKA by the name of its class and its options.

    Columns of numbers become numeric attributes, all others nominal ones, whose values are those
    of a pandas category or those seen in training; None and nan are missing. WEKA trains and
    predicts in one process: fitting keeps the cases, predicting runs it.
    """

    def __init__(
        self,
        name: str = "weka.classifiers.trees.J48",
        options: str = "",
        *,
        jar: str | None = None,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> None:
        """Seconds of `timeout` and megabytes of `memory` are limits of each process."""
        self.name = name
        self.options = options
        self.jar = jar
        self.timeout = timeout
        self.memory = memory

    def fit(self, X: Any, y: Any) -> Self:  # noqa: N803
        """Keep the training cases."""
        find_weka(self.jar)  # what is missing is said at once
        self.classes_, codes = np.unique(np.asarray(y), return_inverse=True)
        columns = _columns(X)
        self.n_features_in_ = len(columns)
        self.declared_ = [_declared(column) for column in columns]
        coded = [_coded(c, d) for c, d in zip(columns, self.declared_, strict=True)]
        self.train_ = (coded, codes)
        return self

    def predict(self, X: Any) -> Array:  # noqa: N803
        """Train in WEKA, and predict."""
        columns = _columns(X)
        if len(columns) != self.n_features_in_:
            saw = f"{plural(len(columns), 'column')}, not {self.n_features_in_}"
            raise InputError(Fault("CM752", "other columns than in training", saw=saw))
        test = [_coded(c, d) for c, d in zip(columns, self.declared_, strict=True)]
        found = find_weka(self.jar).predict(
            self.name,
            self.options,
            self.train_,
            test,
            list(self.classes_),
            timeout=self.timeout,
            memory=self.memory,
        )
        return np.asarray(self.classes_[found])


def _columns(X: Any) -> list[Any]:  # noqa: N803
    """The columns of a frame or of an array."""
    if hasattr(X, "columns"):
        return [X[name] for name in X.columns]
    return list(np.asarray(X).T)


def _declared(column: Any) -> list[Any] | None:
    """The values of a nominal attribute; None for numbers."""
    categories = getattr(getattr(column, "dtype", None), "categories", None)
    if categories is not None:
        return list(categories)
    if _is_number(column):
        return None
    return sorted({x for x in _values(column) if not _is_missing(x)}, key=str)


def _coded(column: Any, declared: Sequence[Any] | None) -> Column:
    """Numbers, or places in what is declared; other values are missing."""
    if declared is None:
        return Column(np.asarray(column, dtype=float))
    place = {value: i for i, value in enumerate(declared)}
    places = [np.nan if _is_missing(x) else place.get(x, np.nan) for x in _values(column)]
    return Column(np.array(places, dtype=float), declared or ["none"])


def _is_number(column: Any) -> bool:
    values = np.asarray(column)
    return values.dtype.kind in "iuf"


def _values(column: Any) -> list[Any]:
    return list(np.asarray(column, dtype=object))


def _is_missing(x: Any) -> bool:
    return x is None or (isinstance(x, float) and isnan(x))

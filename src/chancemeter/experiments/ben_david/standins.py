"""scikit-learn's nearest relatives of WEKA's five classifiers, all attributes nominal.

How near: against WEKA 3.6.14 on the same folds, the mean absolute difference over the study's
data sets is on the page docs/ben-david-2007.md. J48 has no good relative here: it splits one way
for each value and prunes by a pessimistic estimate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError
from chancemeter.experiments.ben_david import naive_bayes
from chancemeter.experiments.nominal import Nominal

#: What each classifier of the study is here.
TITLES = {
    "C4.5": "DecisionTreeClassifier(min_samples_leaf=2, ccp_alpha=0.002)",
    "SMO": "MinMaxScaler, SVC(kernel='linear', C=1, tol=1e-6)",
    "NaiveBayes": "WEKA's naive Bayes rebuilt in numpy: equal, not near",
    "Logistic": "StandardScaler, LogisticRegression(C=5e7, solver='newton-cg')",
    "RandomForest": "RandomForestClassifier(10, max_features='sqrt')",
}


def predict(classifier: str, data: Nominal, train: Array, test: Array) -> Array:
    """The classes that the stand-in of a classifier predicts for the cases of `test`."""
    if classifier == "NaiveBayes":
        declared = [len(values) for values in data.values]
        cases = data.codes[train], data.y[train]
        return naive_bayes.predict(cases, data.codes[test], declared, len(data.classes))
    x = one_hot(data)
    model = _models()[classifier]()
    return np.asarray(model.fit(x[train], data.y[train]).predict(x[test]))


def one_hot(data: Nominal) -> Array:
    """A column of zeros and ones for each declared value; attributes of two values need one.

    >>> from chancemeter.experiments.nominal import nominal
    >>> one_hot(nominal("d", {"a": ["x", "y"], "b": ["p", "r"], "c": "01"}, {"b": "pqr"}))
    array([[0., 1., 0., 0.],
           [1., 0., 0., 1.]])
    """
    columns = []
    for codes, values in zip(data.codes.T, data.values, strict=True):
        marks = np.eye(len(values))[codes]
        columns.append(marks[:, 1:] if len(values) == 2 else marks)
    return np.concatenate(columns, 1)


def _models() -> dict[str, Callable[[], Any]]:
    try:
        from sklearn.ensemble import RandomForestClassifier
        from sklearn.feature_selection import VarianceThreshold
        from sklearn.linear_model import LogisticRegression
        from sklearn.pipeline import make_pipeline
        from sklearn.preprocessing import MinMaxScaler, StandardScaler
        from sklearn.svm import SVC
        from sklearn.tree import DecisionTreeClassifier
    except ImportError:
        fix = "pip install 'chancemeter[learn]'"
        what = "--engine sklearn needs scikit-learn"
        raise InputError(Fault("CM005", what, fix=fix)) from None
    return {
        "C4.5": lambda: DecisionTreeClassifier(min_samples_leaf=2, ccp_alpha=0.002, random_state=1),
        "SMO": lambda: make_pipeline(MinMaxScaler(), SVC(kernel="linear", C=1, tol=1e-6)),
        "Logistic": lambda: make_pipeline(
            VarianceThreshold(),
            StandardScaler(),
            LogisticRegression(C=5e7, solver="newton-cg", max_iter=1000),
        ),
        "RandomForest": lambda: RandomForestClassifier(10, max_features="sqrt", random_state=0),
    }

"""Five measures of 10,000 tables: against scikit-learn on labels, and prob_conf_mat on tables."""

from __future__ import annotations

import warnings

import numpy as np
import prob_conf_mat
import sklearn
import sklearn.metrics as sk
from prob_conf_mat.metrics import MetricCollection, RootMetric
from timing import Claim, best

import chancemeter as cm

NAMES = ["kappa", "mcc", "informedness", "f_score@macro", "balanced_accuracy"]
FEW = 20


def _expanded(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    k = len(cells)
    index = np.repeat(np.arange(k * k), cells.ravel())
    return index // k, index % k


def _with_sklearn(labels: list[tuple[np.ndarray, np.ndarray]]) -> list[list[float]]:
    """The four that scikit-learn has, and adjusted balanced accuracy in informedness' place."""
    return [
        [
            sk.cohen_kappa_score(t, p),
            sk.matthews_corrcoef(t, p),
            sk.balanced_accuracy_score(t, p, adjusted=True),
            sk.f1_score(t, p, average="macro"),
            sk.balanced_accuracy_score(t, p),
        ]
        for t, p in labels
    ]


COLLECTION = MetricCollection(["kappa", "mcc", "informedness@macro", "f1@macro", "ba"])
ORDER = COLLECTION.get_compute_order()


def _with_prob_conf_mat(stack: np.ndarray) -> dict[str, np.ndarray]:
    """Its metrics in its own order; informedness as the plain mean over classes, which it has."""
    cells = stack / stack.sum((1, 2), keepdims=True)
    truth, predicted = cells.sum(2), cells.sum(1)
    root = {
        "norm_confusion_matrix": cells,
        "p_condition": truth,
        "p_pred": predicted,
        "p_pred_given_condition": cells / truth[:, :, None],
        "p_condition_given_pred": cells / predicted[:, None, :],
    }
    found: dict[object, np.ndarray] = {}
    for metric in ORDER:
        if isinstance(metric, RootMetric):
            found[metric] = root[metric.name]
        else:
            found[metric] = metric(**{d: found[ORDER[d]] for d in metric.dependencies})
    return {m.name: found[m][:, 0] for m in COLLECTION.get_insert_order()}


def claims() -> list[Claim]:
    """The comparisons."""
    warnings.simplefilter("ignore")
    rng = np.random.default_rng(0)
    stack = rng.integers(0, 20, (10_000, 10, 10)) + np.eye(10, dtype=int)
    labels = [_expanded(t) for t in stack[:FEW]]

    ours, with_labels = cm.evaluate(stack, NAMES), np.array(_with_sklearn(labels))
    for i, name in enumerate(NAMES):
        if name != "informedness":
            np.testing.assert_allclose(ours[name][:FEW], with_labels[:, i], rtol=1e-10)
    for name, theirs in zip(NAMES, _with_prob_conf_mat(stack).values(), strict=True):
        if name != "informedness":
            np.testing.assert_allclose(ours[name], theirs, rtol=1e-9, atol=1e-12)

    fast, tables, slow = best(
        lambda: cm.evaluate(stack, NAMES),
        lambda: _with_prob_conf_mat(stack),
        lambda: _with_sklearn(labels),
        times=15,
    )
    return [
        Claim(
            "κ, MCC, informedness, macro F1, balanced accuracy of 10,000 tables, k = 10",
            fast, f"loop over scikit-learn {sklearn.__version__} on labels",
            slow * len(stack) / FEW, 1000, f"about 1,000 cases a table; peer timed on {FEW}, scaled",
        ),
        Claim(
            "the same",
            fast, f"prob_conf_mat {prob_conf_mat.__version__}", tables, 2,
            "its informedness is the plain mean over classes",
        ),
    ]  # fmt: skip

"""What every split of a tree gains, in any measure: importance while the tree grows.

The lecture's definition is the decrease in error when a variable splits. Here a tree is grown
again from its root, level by level, on the training cases it knows; each split changes the
confusion matrix of the majority votes, and what the measure gains belongs to the variable that
splits. All gains together are the measure of the whole tree less that of its root, which for
kappa is 0: the tree's kappa, shared out among its variables.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

import chancemeter
from chancemeter.counts import Array


def gains(model: Any, measures: Sequence[str], columns: int) -> dict[str, Array] | None:
    """The gains of each column by each measure, mean over the trees; None if there is no tree.

    >>> from sklearn.tree import DecisionTreeClassifier
    >>> x = np.array([[0, 5], [1, 5], [0, 5], [1, 5]])
    >>> gains(DecisionTreeClassifier().fit(x, x[:, 0]), ["kappa"], 2)
    {'kappa': array([1., 0.])}
    """
    trees: list[Any] = [getattr(x, "tree_", None) for x in getattr(model, "estimators_", [model])]
    if not trees or any(tree is None or tree.max_n_classes < 2 for tree in trees):
        return None
    if getattr(model, "n_features_in_", columns) != columns or trees[0].n_outputs != 1:
        return None
    found = {key: np.zeros(columns) for key in measures}
    for tree in trees:
        tables, split_by = _grown(tree)
        for key, sums in found.items():
            m = chancemeter.get(key)
            sign = -1 if m.card.direction == "lower" else 1
            values = np.asarray(m(tables), dtype=float)
            np.add.at(sums, split_by, sign * np.diff(values) / len(trees))
    return found


def _grown(tree: Any) -> tuple[Array, Array]:
    """The table before any split and after each one, and the column of each split."""
    counts = (
        tree.value[:, 0, :]
        * (tree.weighted_n_node_samples / np.maximum(tree.value[:, 0, :].sum(1), 1e-300))[:, None]
    )
    votes = counts.argmax(1)
    k = counts.shape[1]
    table = np.zeros((k, k))
    table[:, votes[0]] = counts[0]
    tables, split_by, waiting = [table.copy()], [], deque([0])
    while waiting:
        node = waiting.popleft()
        sides = tree.children_left[node], tree.children_right[node]
        if sides[0] < 0:
            continue
        table[:, votes[node]] -= counts[node]
        for side in sides:
            table[:, votes[side]] += counts[side]
        tables.append(np.maximum(table, 0))  # what is left of a difference is dust
        split_by.append(int(tree.feature[node]))
        waiting.extend(int(side) for side in sides)
    return np.stack(tables), np.array(split_by, dtype=int)

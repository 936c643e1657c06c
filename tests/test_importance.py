"""Variable importance, against scikit-learn's and against what must hold."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score, cohen_kappa_score, make_scorer, matthews_corrcoef
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

import chancemeter as cm
from chancemeter import folds
from chancemeter.experiments.importance import ImportanceDisplay, importance
from chancemeter.reports import html, words
from chancemeter.reports.document import Document, Section

X, Y = make_classification(
    n_samples=150, n_features=5, n_informative=3, n_redundant=0, n_classes=3, random_state=1
)
FOREST = RandomForestClassifier(12, random_state=0).fit(X[:100], Y[:100])
SCORERS = {"kappa": cohen_kappa_score, "accuracy": accuracy_score, "mcc": matthews_corrcoef}


@pytest.mark.parametrize("measure", SCORERS)
@pytest.mark.parametrize("seed", [0, 7])
def test_the_values_of_scikit_learn(measure: str, seed: int) -> None:
    """Loss by loss, one prediction for all measures there, one for each here."""
    ours = importance(FOREST, X[100:], Y[100:], [*SCORERS], repeats=4, seed=seed)
    theirs = permutation_importance(
        FOREST,
        X[100:],
        Y[100:],
        scoring=make_scorer(SCORERS[measure]),
        n_repeats=4,
        random_state=seed,
    )
    assert np.allclose(ours.losses(measure)[:, 0], theirs.importances, rtol=0, atol=1e-12)
    for w in ours.of(measure):
        i = ours.variables.index(w.variable)
        assert w.value == pytest.approx(theirs.importances_mean[i], abs=1e-12)


def test_the_values_of_scikit_learn_on_a_frame_with_words() -> None:
    frame = pd.DataFrame(
        {"size": X[:, 0], "colour": pd.Categorical(np.where(X[:, 1] > 0, "red", "blue"))}
    )
    y = np.where(X[:, 1] > 0, "yes", "no")
    model = make_pipeline(OneHotEncoder(handle_unknown="ignore"), LogisticRegression()).fit(
        frame, y
    )
    ours = importance(model, frame, y, repeats=3, seed=5)
    scorer = make_scorer(cohen_kappa_score)
    theirs = permutation_importance(model, frame, y, scoring=scorer, n_repeats=3, random_state=5)
    assert np.allclose(ours.losses("kappa")[:, 0], theirs.importances, rtol=0, atol=1e-12)
    assert ours.variables == ("size", "colour")


def test_over_folds_each_fold_is_scikit_learns() -> None:
    splits = list(StratifiedKFold(3).split(X, Y))
    model = LogisticRegression()
    ours = importance(model, X, Y, splits=splits, repeats=2, seed=3)
    for f, (train, test) in enumerate(splits):
        theirs = permutation_importance(
            LogisticRegression().fit(X[train], Y[train]),
            X[test],
            Y[test],
            scoring=make_scorer(cohen_kappa_score),
            n_repeats=2,
            random_state=3,
        )
        assert np.allclose(ours.losses("kappa")[:, f], theirs.importances, rtol=0, atol=1e-12)


def test_intervals_are_the_corrected_ones_of_folds() -> None:
    splits = list(RepeatedStratifiedKFold(n_splits=4, n_repeats=2, random_state=0).split(X, Y))
    found = importance(LogisticRegression(), X, Y, splits=splits, repeats=2)
    losses = found.losses("kappa").mean(2)
    for w in found.of("kappa"):
        x = losses[found.variables.index(w.variable)].reshape(2, 4)
        train, test = (np.array([len(s[i]) for s in splits]).reshape(2, 4) for i in (0, 1))
        known = folds.corrected_t_interval(x, train=train, test=test)
        assert (w.value, w.low, w.high) == pytest.approx((known.value, *known.interval), abs=1e-12)


def test_relative_to_the_largest_and_sorted() -> None:
    weights = importance(FOREST, X[100:], Y[100:]).of("kappa")
    assert weights[0].relative == 1
    values = [w.value for w in weights]
    assert values == sorted(values, reverse=True)
    for w in weights:
        assert w.relative == pytest.approx(w.value / values[0])
        assert w.low <= w.value <= w.high


def test_impurity_over_folds() -> None:
    splits = list(StratifiedKFold(3).split(X, Y))
    found = importance(DecisionTreeClassifier(random_state=0), X, Y, splits=splits, repeats=1)
    theirs = [
        DecisionTreeClassifier(random_state=0).fit(X[train], Y[train]).feature_importances_
        for train, _ in splits
    ]
    for w in found.by_impurity():
        assert w.value == pytest.approx(np.mean(theirs, 0)[found.variables.index(w.variable)])
    assert importance(LogisticRegression().fit(X, Y), X, Y, repeats=1).impurity is None


def test_gains_of_splits_share_out_the_measure_of_the_tree() -> None:
    """For error rates they are the decreases in error of the definition, in any order of splits."""
    tree = DecisionTreeClassifier(max_depth=4, random_state=0).fit(X, Y)
    found = importance(tree, X, Y, ["kappa", "error_rate"], repeats=1)
    trained = cm.tally(Y, tree.predict(X))
    assert sum(w.value for w in found.by_splits("kappa")) == pytest.approx(cm.kappa(trained))
    majority = np.bincount(Y).max() / len(Y)
    gained = sum(w.value for w in found.by_splits("error_rate"))
    assert gained == pytest.approx(tree.score(X, Y) - majority)
    by_hand = np.zeros(5)
    t = tree.tree_
    wrong = t.weighted_n_node_samples * (1 - t.value[:, 0].max(1) / t.value[:, 0].sum(1)) / len(Y)
    for node, (left, right) in enumerate(zip(t.children_left, t.children_right, strict=True)):
        if left >= 0:
            by_hand[t.feature[node]] += wrong[node] - wrong[left] - wrong[right]
    for w in found.by_splits("error_rate"):
        assert w.value == pytest.approx(by_hand[found.variables.index(w.variable)])


def test_gains_of_a_forest_and_of_what_has_no_splits() -> None:
    found = importance(FOREST, X[100:], Y[100:], repeats=1)
    assert 0.9 < sum(w.value for w in found.by_splits("kappa")) <= 1
    other = importance(LogisticRegression().fit(X, Y), X, Y, repeats=1)
    with pytest.raises(cm.InputError, match="CM770"):
        other.by_splits("kappa")
    with pytest.raises(cm.InputError, match="CM770"):
        other.by_impurity()


def test_correlated_variables_are_told_and_groups_are_shuffled_together() -> None:
    rng = np.random.default_rng(0)
    a = rng.normal(size=200)
    x = pd.DataFrame({"a": a, "twin": a + rng.normal(size=200) / 50, "noise": rng.normal(size=200)})
    y = (a > 0).astype(int)
    model = LogisticRegression().fit(x[:100], y[:100])  # half of its weight on each twin
    alone = importance(model, x[100:], y[100:])
    assert any("correlated: a and twin (0.99" in note for note in alone.notes)
    together = importance(model, x[100:], y[100:], groups={"size": ["a", "twin"]})
    assert not any("correlated" in note for note in together.notes)
    assert together.variables == ("size", "noise")
    assert together.of("kappa")[0].value > 1.5 * alone.of("kappa")[0].value


def test_labels_never_seen_in_truth_and_measures_where_less_is_better() -> None:
    class Odd:
        def predict(self, x):
            return np.where(x[:, 0] > 0, "new", "a")

    found = importance(Odd(), X[:20], np.array(["a", "b"] * 10), ["error_rate", "accuracy"])
    assert set(found.shuffled.labels) == {"a", "b", "new"}
    assert np.allclose(found.losses("error_rate"), found.losses("accuracy"))


def test_no_variable_matters() -> None:
    class Constant:
        def predict(self, x):
            return np.ones(len(x), int)

    found = importance(Constant(), X, Y)
    assert all(w.value == 0 and np.isnan(w.relative) for w in found.of("kappa"))
    assert "undefined" in repr(found)


def test_table_picture_and_json() -> None:
    found = importance(FOREST, X[100:], Y[100:], ["kappa", "mcc"])
    document = Document("t", "", "", (Section("s", "s", tuple(found.sheets())),))
    text = words.written(document)
    assert text.count("Importance by") == 3
    assert text.count("Gains of") == 2
    assert "over the shuffles of 50 test cases" in text
    assert "<svg" in html.page(document)
    shown = ImportanceDisplay(found, "mcc").plot()
    assert [t.get_text() for t in shown.ax_.get_yticklabels()] == [
        w.variable for w in found.of("mcc")
    ]
    assert found.to_dict()["measures"]["kappa"][0]["relative"] == 1


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"repeats": 0}, "repeats="),
        ({"groups": {"g": ["nowhere"]}}, "do not exist"),
        ({"groups": {"g": ["x0"], "h": ["x0"]}}, "in another group"),
        ({"measures": ["kapa"]}, "did you mean kappa"),
        ({"splits": []}, "too few test cases"),
    ],
)
def test_bad_questions(options, message: str) -> None:
    with pytest.raises(cm.ChancemeterError, match=message):
        importance(FOREST, X, Y, **options)
    with pytest.raises(cm.InputError, match="columns of a table"):
        importance(FOREST, X[:, 0], Y)

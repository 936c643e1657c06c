"""Make the example files: predictions of several classifiers for the same cases.

Needs scikit-learn. The files are kept in the repository so that nobody has to run this.
"""

from __future__ import annotations

import csv
from pathlib import Path

import numpy as np
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_predict, train_test_split
from sklearn.naive_bayes import GaussianNB
from sklearn.tree import DecisionTreeClassifier

FOLDER = Path(__file__).parent.parent / "examples"


#: What a sentence of a complaint is about, and how often.
TOPICS = {"price": 0.55, "delivery": 0.3, "staff": 0.15}


def write_sentences() -> None:
    """What people and a program said of 360 sentences in 40 documents; some documents are hard."""
    rng = np.random.default_rng(8)
    topics = list(TOPICS)
    rows = []
    for document in range(1, 41):
        easy = rng.beta(3, 1)
        main = rng.choice(topics, p=list(TOPICS.values()))
        for sentence in range(1, 10):
            person = main if rng.random() < 0.5 else rng.choice(topics, p=list(TOPICS.values()))
            guess = rng.choice(topics, p=[0.7, 0.2, 0.1])
            rows.append([document, sentence, person, person if rng.random() < easy else guess])
    with (FOLDER / "sentences.csv").open("w", newline="") as file:
        write = csv.writer(file, lineterminator="\n")
        write.writerow(["document", "sentence", "person", "model"])
        write.writerows(rows)


def main() -> None:
    """Write all files."""
    two_models()
    three_models()
    write_sentences()


def two_models() -> None:
    """forest.csv and logreg.csv: 2,000 cases, one class in eight, after training on 12,000."""
    x, y = make_classification(
        14_000,
        20,
        n_informative=6,
        n_redundant=2,
        n_clusters_per_class=6,
        weights=[0.875],
        flip_y=0.01,
        random_state=0,
    )
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=2000, random_state=0)
    models = {
        "forest": RandomForestClassifier(100, random_state=0),
        "logreg": LogisticRegression(max_iter=1000),
    }
    for name, model in models.items():
        model.fit(x_train, y_train)
        score = model.predict_proba(x_test)[:, 1]
        guess = (score > 0.5).astype(int)
        with (FOLDER / f"{name}.csv").open("w", newline="") as file:
            write = csv.writer(file, lineterminator="\n")
            write.writerow(["id", "y_true", "y_pred", "score"])
            rows = zip(range(1, 2001), y_test, guess, score, strict=True)
            write.writerows([i, t, p, f"{s:.3f}"] for i, t, p, s in rows)


def three_models() -> None:
    """triage.csv: three uneven classes, a tree that minds the rare ones and two that do not."""
    x, y = make_classification(
        600,
        8,
        n_informative=4,
        n_classes=3,
        weights=[0.75, 0.15, 0.1],
        class_sep=0.8,
        flip_y=0.1,
        random_state=3,
    )
    names = ("healthy", "mild", "severe")
    models = {
        "tree": DecisionTreeClassifier(max_depth=5, class_weight="balanced", random_state=0),
        "bayes": GaussianNB(),
        "logreg": LogisticRegression(C=0.02),
    }
    splits = list(StratifiedKFold(10, shuffle=True, random_state=0).split(x, y))
    fold = {case: i for i, (_, tested) in enumerate(splits, 1) for case in tested.tolist()}
    guesses = [cross_val_predict(model, x, y, cv=splits) for model in models.values()]
    with (FOLDER / "triage.csv").open("w", newline="") as file:
        write = csv.writer(file, lineterminator="\n")
        write.writerow(["case", "fold", "y_true", *models])
        for i, labels in enumerate(zip(y, *guesses, strict=True)):
            write.writerow([i + 1, fold[i], *(names[label] for label in labels)])


if __name__ == "__main__":
    main()

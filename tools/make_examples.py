"""Make the example files: two classifiers on the same 2,000 cases, one class in eight.

Needs scikit-learn. The files are kept in the repository so that nobody has to run this.
"""

from __future__ import annotations

import csv
from pathlib import Path

from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import train_test_split

FOLDER = Path(__file__).parent.parent / "examples"


def main() -> None:
    """Train both and write their predictions."""
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


if __name__ == "__main__":
    main()

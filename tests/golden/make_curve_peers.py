"""Cases for curves, and what hmeasure, sklearn-prg and confidenceinterval say of them.

Run it where these three are installed; it writes curve_cases.csv and curve_peers.json;
make_curve_tests.R goes on from the first: ``python make_curve_peers.py && Rscript make_curve_tests.R``.
"""

import json
from pathlib import Path

import numpy as np
from confidenceinterval.delong import delong_roc_variance
from hmeasure import h_score
from sklearn_prg import precision_recall_gain_curve

HERE = Path(__file__).parent
SIZES = [(60, 0.5, 50), (80, 0.3, 8), (150, 0.1, 1000), (400, 0.7, 20), (40, 0.5, 3)]


def case(seed: int, n: int, prevalence: float, levels: int) -> dict[str, np.ndarray]:
    """Truth, two scores with ties that have to do with each other, three classes and scores."""
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < prevalence).astype(int)
    y[:4] = [0, 1, 0, 1]
    common = rng.normal(size=n)
    scores = [
        np.round(1 / (1 + np.exp(-(common + rng.normal(size=n) + d * y))) * levels) / levels
        for d in (1.5, 0.9)
    ]
    three = rng.integers(0, 3, n)
    of_three = rng.dirichlet([1.0, 1.0, 1.0], n) + 0.5 * np.eye(3)[three]
    rounded = np.round(of_three / of_three.sum(1, keepdims=True), 2)
    columns = {"y": y, "a": scores[0], "b": scores[1], "three": three}
    return columns | {f"p{i}": rounded[:, i] for i in range(3)}


def peers(found: dict[str, np.ndarray]) -> dict[str, object]:
    """What is known of the first score."""
    y, a = found["y"], found["a"]
    precision, recall, *_ = precision_recall_gain_curve(y, a)
    area, variance = delong_roc_variance(y, a)
    return {
        "h": h_score(y, a),
        "h_02": h_score(y, a, severity_ratio=0.2),
        "h_3": h_score(y, a, severity_ratio=3.0),
        "precision_gain": [x if np.isfinite(x) else None for x in precision.tolist()],
        "recall_gain": [x if np.isfinite(x) else None for x in recall.tolist()],
        "auc": float(area),
        "delong_variance": float(np.squeeze(variance)),
    }


def main() -> None:
    """Write the cases with what was found."""
    cases = [case(i, *size) for i, size in enumerate(SIZES)]
    lines = ["case," + ",".join(cases[0])]
    for i, one in enumerate(cases):
        rows = zip(*one.values(), strict=True)
        lines += [",".join(map(repr, [i, *(x.item() for x in row)])) for row in rows]
    (HERE / "curve_cases.csv").write_text("\n".join(lines) + "\n", "utf-8")
    text = json.dumps([peers(one) for one in cases], indent=1)
    (HERE / "curve_peers.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

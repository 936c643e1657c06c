"""Write what other packages say of the classical tests, for inputs made here.

python tests/golden/make_peer_tests.py tests/golden/peer_tests.json [folder with WEKA's jars]

Needs autorank, baycomp, mlxtend and scikit-posthocs. For WEKA also jpype1, and weka.jar (with
mtj.jar and core.jar for WEKA 3.9) in the folder; without, what the file says of WEKA is kept.
"""

import json
import sys
import warnings
from importlib.metadata import version
from pathlib import Path

import numpy as np

PACKAGES = ("autorank", "baycomp", "mlxtend", "scikit-posthocs")


def grids():
    """Models × data sets: without ties, with ties, and the kappas of five models on 15 sets."""
    rng = np.random.default_rng(11)
    sizes = [(3, 6), (4, 12), (5, 15), (8, 25)]
    return [(0.7 + 0.2 * rng.random(s)).round(d) for s in sizes for d in (4, 2)]


def paired():
    rng = np.random.default_rng(12)
    found = []
    for size in (10, 10, 10, 20, 30, 100):
        b = 0.7 + 0.1 * rng.random(size)
        found.append((b + 0.02 * rng.standard_normal(size) + 0.01, b))
    return found


def from_posthocs(values):
    import scikit_posthocs as sp

    rows = values.T
    return {
        "nemenyi": sp.posthoc_nemenyi_friedman(rows).to_numpy().tolist(),
        "ranks": sp.posthoc_siegel_friedman(rows).to_numpy().tolist(),
        "ranks_holm": sp.posthoc_siegel_friedman(rows, p_adjust="holm").to_numpy().tolist(),
    }


def from_autorank(values):
    import pandas as pd
    from autorank import autorank

    frame = pd.DataFrame(values.T, columns=[f"m{i}" for i in range(len(values))])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = autorank(frame, force_mode="nonparametric")
    ranks = found.rankdf["meanrank"]
    return {
        "friedman_p": float(found.pvalue),
        "critical_difference": float(found.cd),
        "ranks": [float(ranks[f"m{i}"]) for i in range(len(values))],
    }


def from_baycomp(a, b):
    import baycomp

    with_runs = {
        str(runs): [float(x) for x in baycomp.CorrelatedTTest.probs(b, a, 0.01, runs=runs)]
        for runs in (1, 2, 5)
        if a.size % runs == 0 and a.size // runs > 1
    }
    kwargs = {"nsamples": 50_000, "random_state": 1}
    found = {"correlated_t": with_runs}
    for name, test in (("sign", baycomp.SignTest), ("signed_rank", baycomp.SignedRankTest)):
        for rope in (0, 0.01):
            sample = test.sample(b, a, rope, **kwargs)
            most = np.bincount(sample.argmax(1), minlength=3) / len(sample)
            found[f"{name} {rope}"] = {"most": most.tolist(), "shares": sample.mean(0).tolist()}
    return found


class Scripted:
    """A classifier whose scores are known beforehand."""

    _estimator_type = "classifier"

    def __init__(self, values):
        self.values = list(values)

    def fit(self, x, y):
        return self


def from_mlxtend(a, b):
    from mlxtend.evaluate import combined_ftest_5x2cv, paired_ttest_5x2cv

    def run(test):
        score = lambda model, x, y: model.values.pop(0)  # noqa: E731, PD011
        x, y = np.arange(20.0)[:, None], np.arange(20) % 2
        statistic, p = test(Scripted(a), Scripted(b), x, y, scoring=score, random_seed=1)
        return {"statistic": float(statistic), "p": float(p)}

    return {"t": run(paired_ttest_5x2cv), "f": run(combined_ftest_5x2cv)}


def from_weka(folder):
    """The corrected test, for values and the ratio of test to training cases."""
    import jpype

    jars = [str(jar) for jar in sorted(Path(folder).glob("*.jar"))]
    jpype.startJVM(classpath=jars)
    test = jpype.JClass("weka.experiment.PairedStatsCorrected")
    found = []
    for (a, b), ratio in zip(paired(), (1 / 9, 1 / 4, 1.0, 1 / 9, 0.5, 1 / 9), strict=True):
        stats = test(0.05, ratio)
        for x, y in zip(a.tolist(), b.tolist(), strict=True):
            stats.add(x, y)
        stats.calculateDerived()
        found.append({"ratio": ratio, "p": float(stats.differencesProbability)})
    return {"version": str(jpype.JClass("weka.core.Version").VERSION), "corrected_t": found}


def main(out, folder=None):
    weka = from_weka(folder) if folder else json.loads(Path(out).read_text())["weka"]
    found = {
        "made_with": {name: version(name) for name in PACKAGES},
        "grids": [
            {"values": g.tolist(), "posthocs": from_posthocs(g), "autorank": from_autorank(g)}
            for g in grids()
        ],
        "paired": [
            {"a": a.tolist(), "b": b.tolist(), "baycomp": from_baycomp(a, b)} for a, b in paired()
        ],
        "halves": [
            {"a": a.tolist(), "b": b.tolist(), "mlxtend": from_mlxtend(a, b)}
            for a, b in paired()
            if a.size == 10
        ],
        "weka": weka,
    }
    Path(out).write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])

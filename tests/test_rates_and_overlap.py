"""Counts, rates, overlaps and balances against scikit-learn, PyCM and their textbook formulas."""

from __future__ import annotations

import warnings
from fractions import Fraction
from itertools import pairwise

import mpmath
import numpy as np
import pycm
import pytest
from sklearn import metrics as sk
from sklearn.exceptions import UndefinedMetricWarning

import chancemeter as cm

CLOSE = {"rtol": 1e-12, "atol": 1e-12, "equal_nan": True}


def tables(k: int, times: int, least: int = 0) -> np.ndarray:
    """Whole-number tables, some with empty cells, rows or columns."""
    rng = np.random.default_rng([k, times, least])
    cells = rng.integers(0, 40, (times, k, k)) * (rng.random((times, k, k)) < 0.7)
    cells[::3, range(k), range(k)] += rng.integers(5, 90, (len(cells[::3]), k))
    if not least:
        cells[1::7, 0, :] = 0
        cells[3::7, :, -1] = 0
    return np.maximum(cells, least)


SOME = [t for k in (2, 3, 5) for t in tables(k, 14) if t.sum()]
FULL = [t for k in (2, 3, 5) for t in tables(k, 10, least=1)]


def rows(table: np.ndarray) -> dict[str, np.ndarray]:
    """Labels that give `table`: one row a cell, weighing as many cases as it holds."""
    truth, prediction = np.indices(table.shape)
    return {
        "y_true": truth.ravel(),
        "y_pred": prediction.ravel(),
        "sample_weight": table.ravel().astype(float),
    }


def labels(table: np.ndarray) -> list[np.ndarray]:
    """One row a case, so that a class without cases is nowhere to be seen."""
    return [np.repeat(i.ravel(), table.ravel()) for i in np.indices(table.shape)]


# scikit-learn


@pytest.mark.parametrize("beta", [0.5, 1, 2])
@pytest.mark.parametrize("average", [None, "macro", "micro", "weighted"])
def test_precision_recall_and_f(average: str | None, beta: float) -> None:
    """Where scikit-learn averages over the classes that have a value, ours is `@defined`."""
    form = {None: "", "macro": "@defined", "micro": "@micro", "weighted": "@truth"}[average]
    for table in FULL if average == "weighted" else SOME:
        theirs = sk.precision_recall_fscore_support(
            **rows(table),
            beta=beta,
            labels=range(len(table)),
            average=average,
            zero_division=np.nan,
        )
        names = ("precision", "recall", f"f_score(beta={beta})")
        ours = [cm.get(name + form)(table) for name in names]
        np.testing.assert_allclose(np.array(ours), np.array(theirs[:3], float), **CLOSE)
        if average is None:
            np.testing.assert_array_equal(cm.support(table), theirs[3])


@pytest.mark.parametrize("average", ["macro", "weighted"])
def test_averages_over_all_classes_are_the_same_where_all_have_a_value(average: str) -> None:
    names = {"precision": "ppv", "recall": "tpr", "f_score": "f1"}
    for table in FULL:
        theirs = sk.precision_recall_fscore_support(**rows(table), average=average)
        ours = [cm.get(f"{name}_{average}")(table) for name in names.values()]
        np.testing.assert_allclose(ours, theirs[:3], **CLOSE)


def test_weighted_cases() -> None:
    rng = np.random.default_rng(4)
    truth, prediction = rng.integers(0, 4, (2, 300))
    weight = rng.exponential(size=300)
    table = np.zeros((4, 4))
    np.add.at(table, (truth, prediction), weight)
    given = {"y_true": truth, "y_pred": prediction, "sample_weight": weight}
    for average, form in (
        (None, ""),
        ("macro", "@macro"),
        ("micro", "@micro"),
        ("weighted", "@truth"),
    ):
        theirs = sk.precision_recall_fscore_support(**given, average=average, beta=2)[:3]
        for name, value in zip(("precision", "recall", "f2"), theirs, strict=True):
            np.testing.assert_allclose(cm.get(name + form)(table), value, **CLOSE)
    assert cm.accuracy(table) == pytest.approx(sk.accuracy_score(**given), abs=1e-12)
    assert cm.balanced_accuracy(table) == pytest.approx(sk.balanced_accuracy_score(**given))


@pytest.mark.parametrize("average", [None, "macro", "micro", "weighted"])
def test_jaccard(average: str | None) -> None:
    form = {None: "", "macro": "@macro", "micro": "@micro", "weighted": "@truth"}[average]
    for table in FULL:
        theirs = sk.jaccard_score(**rows(table), average=average)
        np.testing.assert_allclose(cm.get("jaccard" + form)(table), theirs, **CLOSE)


def test_accuracy_and_its_losses() -> None:
    for table in SOME:
        given = rows(table)
        assert cm.accuracy(table) == pytest.approx(sk.accuracy_score(**given), abs=1e-15)
        assert cm.error_rate(table) == pytest.approx(sk.zero_one_loss(**given), abs=1e-15)
        assert cm.error_rate(table) == pytest.approx(sk.hamming_loss(**given), abs=1e-15)
        assert cm.error_count(table) == sk.zero_one_loss(**given, normalize=False)


def test_counts_of_each_class() -> None:
    for table in SOME:
        theirs = sk.multilabel_confusion_matrix(**rows(table), labels=range(len(table)))
        parts = (cm.true_negatives, cm.false_positives, cm.false_negatives, cm.true_positives)
        ours = np.stack([part(table) for part in parts], -1)
        np.testing.assert_array_equal(ours.reshape(-1, 2, 2), theirs)


@pytest.mark.parametrize("adjusted", [False, True])
def test_balanced_accuracy(adjusted: bool) -> None:
    ours = cm.balanced_accuracy_adjusted if adjusted else cm.balanced_accuracy
    for table in FULL:
        theirs = sk.balanced_accuracy_score(**rows(table), adjusted=adjusted)
        assert ours(table) == pytest.approx(theirs, abs=1e-12)


def test_a_class_missing_from_the_truth_is_not_passed_over_in_silence() -> None:
    """scikit-learn averages over the classes that are there, here two of three."""
    table = np.array([[6, 2, 1], [0, 0, 0], [3, 1, 8]])
    with pytest.warns(UserWarning, match="classes not in y_true"):
        theirs = sk.balanced_accuracy_score(*labels(table))
    assert np.isnan(cm.balanced_accuracy(table))
    assert cm.balanced_accuracy.why(table).code == "any_class_not_in_truth"
    assert cm.get("recall@defined")(table) == pytest.approx(theirs)
    assert [r and r.code for r in cm.recall.why(table)] == [None, "class_not_in_truth", None]


def test_one_class_has_no_balanced_accuracy_beyond_chance() -> None:
    """scikit-learn divides by zero here."""
    for one_class in ([[5]], [[5, 2], [0, 0]]):
        assert np.isnan(cm.balanced_accuracy_adjusted(one_class))
    assert cm.balanced_accuracy_adjusted.why([[5]]).code == "fewer_than_two_classes"


def test_likelihood_ratios() -> None:
    """scikit-learn's positive class is the second; where a ratio has no end it has no value."""
    for table in tables(2, 40):
        if not table.sum(-1).all():
            continue
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UndefinedMetricWarning)
            theirs = sk.class_likelihood_ratios(**rows(table), labels=[0, 1])
        ours = (cm.likelihood_ratio_positive(table)[1], cm.likelihood_ratio_negative(table)[1])
        for value, other in zip(ours, theirs, strict=True):
            assert value == pytest.approx(other, rel=1e-12) or (
                np.isnan(other) and not np.isfinite(value)
            )


# PyCM

OF_EACH_CLASS = {
    "TP": "tp",
    "TN": "tn",
    "FP": "fp",
    "FN": "fn",
    "P": "support",
    "N": "condition_negative",
    "TOP": "top",
    "TON": "ton",
    "HD": "hd",
    "AM": "am",
    "PRE": "pre",
    "PR": "pr",
    "TOPR": "topr",
    "BCD": "bcd",
    "RACC": "racc",
    "RACCU": "raccu",
    "ACC": "acc_class",
    "ERR": "err_class",
    "TPR": "tpr",
    "TNR": "tnr",
    "PPV": "ppv",
    "NPV": "npv",
    "FNR": "fnr",
    "FPR": "fpr",
    "FDR": "fdr",
    "FOR": "for",
    "PLR": "plr",
    "NLR": "nlr",
    "DOR": "dor",
    "LS": "ls",
    "IS": "is",
    "DP": "dp(base=10)",
    "dInd": "dind",
    "sInd": "sind",
    "F1": "f1",
    "F0.5": "f05",
    "F2": "f2",
    "J": "jaccard",
    "G": "g_measure",
    "OOC": "ooc",
    "AUPR": "aupr",
    "BB": "bb",
    "OC": "oc",
    "ICSI": "icsi",
    "AGF": "agf",
    "AUC": "auc_point",
    "GM": "gm",
    "AGM": "agm",
    "OP": "op",
    "IBA": "iba",
}
OF_THE_TABLE = {
    "Overall ACC": "accuracy",
    "Hamming Loss": "hamming_loss",
    "Zero-one Loss": "zero_one",
    "RR": "rr",
    "ACC Macro": "acc_macro",
    "TPR Macro": "tpr_macro",
    "TPR Micro": "tpr_micro",
    "TNR Macro": "tnr_macro",
    "TNR Micro": "tnr_micro",
    "FPR Macro": "fpr_macro",
    "FPR Micro": "fpr_micro",
    "FNR Macro": "fnr_macro",
    "FNR Micro": "fnr_micro",
    "PPV Macro": "ppv_macro",
    "PPV Micro": "ppv_micro",
    "NPV Macro": "npv_macro",
    "NPV Micro": "npv_micro",
    "F1 Macro": "f1_macro",
    "F1 Micro": "f1_micro",
    "CSI": "csi",
    "CBA": "cba",
    "AUNU": "aunu",
    "AUNP": "aunp",
}


def of_pycm(table: np.ndarray) -> pycm.ConfusionMatrix:
    cells = {i: {j: int(x) for j, x in enumerate(row)} for i, row in enumerate(table)}
    return pycm.ConfusionMatrix(matrix=cells)


def same_as_pycm(ours: float, theirs: object) -> bool:
    """The same number; and where PyCM has none ("None"), ours is undefined or has no end."""
    if isinstance(theirs, str):
        return not np.isfinite(ours)
    return bool(np.isclose(ours, float(theirs), rtol=1e-12, atol=1e-12))  # type: ignore[arg-type]


def meant(theirs: str, table: np.ndarray, i: int = 0) -> bool:
    """Where PyCM and the library part on purpose."""
    others = np.delete(table, i, 0)
    return {
        # PyCM divides likelihood ratios, and so loses an odds ratio of zero.
        "DOR": np.delete(others, i, 1).sum() == 0,
        # PyCM asks for the hit rate first, and so has a value without negatives.
        "AGM": others.sum() == 0,
        # A class that weighs nothing takes no part in ours.
        "AUNP": not table.sum(-1).all(),
    }.get(theirs, False)


@pytest.fixture(scope="module")
def by_pycm() -> list[tuple[np.ndarray, pycm.ConfusionMatrix]]:
    return [(table, of_pycm(table)) for table in [*SOME, *FULL]]


@pytest.mark.parametrize("theirs", OF_EACH_CLASS)
def test_pycm_of_each_class(by_pycm: list, theirs: str) -> None:
    measure = cm.get(OF_EACH_CLASS[theirs])
    for table, matrix in by_pycm:
        values = matrix.class_stat[theirs]
        for i, ours in enumerate(measure(table)):
            same = same_as_pycm(ours, values[i]) or meant(theirs, table, i)
            assert same, (table.tolist(), i, ours, values[i])


@pytest.mark.parametrize("theirs", OF_THE_TABLE)
def test_pycm_of_the_table(by_pycm: list, theirs: str) -> None:
    measure = cm.get(OF_THE_TABLE[theirs])
    for table, matrix in by_pycm:
        ours, value = measure(table), matrix.overall_stat[theirs]
        same = same_as_pycm(ours, value) or meant(theirs, table)
        assert same, (table.tolist(), ours, value)


def test_pycm_with_parameters(by_pycm: list) -> None:
    for table, matrix in by_pycm:
        pairs = [
            (cm.tversky(table, alpha=0.3, beta=0.8), matrix.TI(0.3, 0.8)),
            (cm.iba(table, alpha=0.1), matrix.IBA_alpha(0.1)),
            (cm.net_benefit(table, weight=0.25), matrix.NB(w=0.25)),
            (cm.f_score(table, beta=3), matrix.F_beta(3)),
        ]
        for ours, theirs in pairs:
            assert all(same_as_pycm(x, theirs[i]) for i, x in enumerate(ours))
        jaccard = matrix.overall_stat["Overall J"]
        if jaccard != "None":
            assert same_as_pycm(cm.jaccard_sum(table), jaccard[0])
            assert same_as_pycm(cm.get("mean_iou")(table), jaccard[1])


def test_pycm_calls_imbalanced_what_we_do(by_pycm: list) -> None:
    for table, matrix in by_pycm:
        if table.sum(-1).all():
            assert cm.imbalanced(table) == matrix.imbalance


def test_a_class_without_cases_is_imbalance() -> None:
    """PyCM compares the largest class with 3 cases then."""
    table = np.array([[2, 1], [0, 0]])
    assert not of_pycm(table).imbalance
    assert cm.imbalanced(table) == 1
    assert cm.imbalance_ratio(table) == np.inf


# Textbook formulas, in fifty digits

MP = mpmath.mp.clone()
MP.dps = 50


def harmonic(*parts: mpmath.mpf) -> mpmath.mpf:
    return len(parts) / sum(1 / x for x in parts)


def rates(tp: int, fn: int, fp: int, tn: int) -> dict[str, mpmath.mpf]:
    tp, fn, fp, tn = (MP.mpf(x) for x in (tp, fn, fp, tn))
    n = tp + fn + fp + tn
    return {
        "tpr": tp / (tp + fn),
        "fnr": fn / (tp + fn),
        "fpr": fp / (fp + tn),
        "tnr": tn / (fp + tn),
        "ppv": tp / (tp + fp),
        "npv": tn / (tn + fn),
        "prev": (tp + fn) / n,
        "bias": (tp + fp) / n,
        "acc": (tp + tn) / n,
    }


def f_beta(r: dict, beta: mpmath.mpf) -> mpmath.mpf:
    return (1 + beta**2) * r["ppv"] * r["tpr"] / (beta**2 * r["ppv"] + r["tpr"])


def bayes(hit: mpmath.mpf, alarm: mpmath.mpf, prior: mpmath.mpf) -> mpmath.mpf:
    return hit * prior / (hit * prior + alarm * (1 - prior))


def relative_gap(r: dict) -> mpmath.mpf:
    return abs(r["tnr"] - r["tpr"]) / (r["tnr"] + r["tpr"])


def inverse(r: dict) -> dict[str, mpmath.mpf]:
    return {"ppv": r["npv"], "tpr": r["tnr"]}


HALF = MP.mpf("0.5")
TEXTBOOK = {
    "precision_at(prevalence=0.125)": lambda r: bayes(r["tpr"], r["fpr"], MP.mpf("0.125")),
    "npv_at(prevalence=0.125)": lambda r: bayes(r["tnr"], r["fnr"], MP.mpf("0.875")),
    "likelihood_ratio_positive": lambda r: r["tpr"] / r["fpr"],
    "likelihood_ratio_negative": lambda r: r["fnr"] / r["tnr"],
    "odds_ratio": lambda r: (r["tpr"] / r["fnr"]) * (r["tnr"] / r["fpr"]),
    "log_odds_ratio": lambda r: MP.log(r["tpr"] / r["fnr"]) + MP.log(r["tnr"] / r["fpr"]),
    "risk_ratio": lambda r: r["tpr"] / r["fpr"],
    "risk_ratio_predicted": lambda r: r["ppv"] / (1 - r["npv"]),
    "prevalence_threshold": lambda r: (
        (MP.sqrt(r["tpr"] * r["fpr"]) - r["fpr"]) / (r["tpr"] - r["fpr"])
    ),
    "net_benefit(weight=2)": lambda r: r["prev"] * r["tpr"] - 2 * (1 - r["prev"]) * r["fpr"],
    "lift": lambda r: r["ppv"] / r["prev"],
    "information_score": lambda r: MP.log(r["ppv"], 2) - MP.log(r["prev"], 2),
    "discriminant_power": lambda r: (
        MP.sqrt(3) / MP.pi * (MP.log(r["tpr"] / r["fnr"]) + MP.log(r["tnr"] / r["fpr"]))
    ),
    "log_informedness": lambda r: MP.log(r["tpr"] / r["fpr"]),
    "log_markedness": lambda r: MP.log(r["ppv"] / (1 - r["npv"])),
    "distance_index": lambda r: MP.sqrt(r["fpr"] ** 2 + r["fnr"] ** 2),
    "similarity_index": lambda r: 1 - MP.sqrt((r["fpr"] ** 2 + r["fnr"] ** 2) / 2),
    "f_score(beta=0.5)": lambda r: f_beta(r, HALF),
    "f_score(beta=2)": lambda r: f_beta(r, MP.mpf(2)),
    "jaccard": lambda r: 1 / (1 / r["ppv"] + 1 / r["tpr"] - 1),
    "g_measure": lambda r: MP.sqrt(r["ppv"] * r["tpr"]),
    "kulczynski": lambda r: (r["ppv"] + r["tpr"]) / 2,
    "recall_precision_product": lambda r: r["ppv"] * r["tpr"],
    "recall_precision_quadratic": lambda r: MP.sqrt((r["ppv"] ** 2 + r["tpr"] ** 2) / 2),
    "recall_precision_min": lambda r: min(r["ppv"], r["tpr"]),
    "recall_precision_max": lambda r: max(r["ppv"], r["tpr"]),
    "icsi": lambda r: r["ppv"] + r["tpr"] - 1,
    "p4": lambda r: harmonic(r["ppv"], r["tpr"], r["npv"], r["tnr"]),
    "f1_negative": lambda r: harmonic(r["npv"], r["tnr"]),
    "adjusted_f_score": lambda r: MP.sqrt(f_beta(r, MP.mpf(2)) * f_beta(inverse(r), HALF)),
    "g_mean": lambda r: MP.sqrt(r["tpr"] * r["tnr"]),
    "adjusted_g_mean": lambda r: (
        (MP.sqrt(r["tpr"] * r["tnr"]) + r["tnr"] * (1 - r["prev"])) / (2 - r["prev"])
    ),
    "optimized_precision": lambda r: r["acc"] - relative_gap(r),
    "iba(alpha=0.25)": lambda r: (1 + (r["tpr"] - r["tnr"]) / 4) * r["tpr"] * r["tnr"],
    "balanced_accuracy@each": lambda r: (r["tpr"] + r["tnr"]) / 2,
}


def large_tables() -> list[np.ndarray]:
    """Counts of all sizes up to 10**15, none of them zero, so that all rates exist."""
    rng = np.random.default_rng(15)
    return [np.round(10 ** rng.uniform(0, 15, (k, k))).astype(int) for k in (2, 2, 2, 3, 4) * 6]


@pytest.mark.parametrize("name", TEXTBOOK)
def test_textbook_formula(name: str) -> None:
    measure, formula = cm.get(name), TEXTBOOK[name]
    for table in large_tables():
        n = int(table.sum())
        for i, ours in enumerate(measure(table)):
            tp = int(table[i, i])
            fn, fp = int(table[i].sum()) - tp, int(table[:, i].sum()) - tp
            right = formula(rates(tp, fn, fp, n - tp - fn - fp))
            assert abs(ours - right) <= 1e-12 * max(1, abs(right))


def test_averages_and_combinations_of_the_whole_table() -> None:
    for table in FULL:
        recall = [Fraction(int(table[i, i]), int(table[i].sum())) for i in range(len(table))]
        precision = [Fraction(int(table[i, i]), int(table[:, i].sum())) for i in range(len(table))]
        right, k = Fraction(int(np.trace(table)), int(table.sum())), len(table)
        assert cm.balanced_accuracy.exact(table) == sum(recall) / k
        adjusted = (sum(recall) / k - Fraction(1, k)) / (1 - Fraction(1, k))
        assert cm.balanced_accuracy_adjusted.exact(table) == adjusted
        assert cm.combined_accuracy_truth.exact(table) == (right + sum(recall) / k) / 2
        assert cm.combined_accuracy_predicted.exact(table) == (right + sum(precision) / k) / 2
        assert cm.csi.exact(table) == (sum(recall) + sum(precision)) / k - 1
        product = MP.mpf(1)
        for share in recall:
            product *= MP.mpf(share.numerator) / share.denominator
        assert abs(cm.g_mean_multiclass(table) - MP.root(product, k)) < 1e-15


def test_g_mean_of_many_classes_does_not_vanish() -> None:
    k = 400
    table = np.full((k, k), 0.0) + np.diag(np.full(k, 1.0))
    table[range(k), np.roll(range(k), 1)] = 99
    assert cm.g_mean_multiclass(table) == pytest.approx(0.01, rel=1e-13)
    table[0, 0] = 0
    assert cm.g_mean_multiclass(table) == 0


def test_fractions_stay_exact_with_parameters() -> None:
    table = [[20, 5], [10, 15]]
    assert cm.f_score.exact(table, beta=0.5)[0] == Fraction(20, 29)
    assert cm.precision_at.exact(table)[0] == Fraction(2, 3)
    assert cm.npv_at.exact(table)[0] == Fraction(3, 4)
    assert cm.tversky.exact(table, alpha=0.25)[0] == Fraction(80, 125)
    assert cm.net_benefit.exact(table, weight=0.5)[0] == Fraction(15, 50)
    assert cm.iba.exact(table, alpha=0.5)[0] == Fraction(11, 10) * Fraction(12, 25)


def test_precision_at_the_prevalence_of_the_test_set_is_precision() -> None:
    table = np.array([[30, 12], [45, 313]])
    share = float(cm.prevalence(table)[0])
    assert cm.precision_at(table, prevalence=share)[0] == pytest.approx(cm.precision(table)[0])
    assert cm.npv_at(table, prevalence=share)[0] == pytest.approx(cm.npv(table)[0])
    shares = np.array([[0.01], [0.1], [0.5]])
    assert cm.precision_at(table, prevalence=shares).shape == (3, 2)


# Relations that hold, and some that are claimed and do not


def one_test_set(k: int, times: int = 400) -> np.ndarray:
    """Many classifiers on the same cases."""
    rng = np.random.default_rng([7, k])
    truth = rng.integers(30, 90, k)
    made = [[rng.multinomial(n, rng.dirichlet(np.ones(k))) for n in truth] for _ in range(times)]
    return np.array(made)


def test_means_of_recall_and_precision_are_ordered() -> None:
    """Product ≤ least ≤ harmonic ≤ geometric ≤ arithmetic ≤ quadratic mean ≤ greatest."""
    names = (
        "recall_precision_product",
        "recall_precision_min",
        "f_score",
        "g_measure",
        "kulczynski",
        "recall_precision_quadratic",
        "recall_precision_max",
    )
    for k in (2, 3, 5):
        stack = one_test_set(k)
        steps = [cm.get(name)(stack) for name in names]
        known = ~np.isnan(np.sum(steps, 0))
        for smaller, larger in pairwise(steps):
            assert (smaller[known] <= larger[known] + 1e-15).all()
        assert (cm.jaccard(stack)[known] <= cm.f_score(stack)[known]).all()


def test_jaccard_is_f_on_a_curve() -> None:
    for table in SOME:
        f, jaccard = cm.f_score.exact(table), cm.jaccard.exact(table)
        assert all(y == x / (2 - x) for x, y in zip(f, jaccard, strict=True) if x == x)
    f, jaccard = cm.f_score(one_test_set(3))[:, 0], cm.jaccard(one_test_set(3))[:, 0]
    assert (np.diff(jaccard[np.argsort(f)]) >= 0).all()
    slope, start = np.polyfit(f, jaccard, 1)
    assert np.abs(jaccard - start - slope * f).max() > 0.02


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("f_score", "jaccard", True),
        ("icsi", "kulczynski", True),
        ("g_measure", "recall_precision_product", True),
        ("f_score", "recall_precision_product", False),
        ("f_score", "kulczynski", False),
        ("recall_precision_product", "kulczynski", False),
    ],
)
def test_which_means_rank_classifiers_alike(one: str, other: str, alike: bool) -> None:
    """All of them do, it has been claimed (Labatut and Cherifi 2011, IV.B)."""
    stack = one_test_set(2)
    a, b = (cm.get(name)(stack)[:, 0] for name in (one, other))
    gaps = np.subtract.outer(a, a), np.subtract.outer(b, b)
    clear = (np.abs(gaps[0]) > 1e-12) & (np.abs(gaps[1]) > 1e-12)
    assert (np.sign(gaps[0]) == np.sign(gaps[1]))[clear].all() == alike


def test_micro_averages_are_accuracy() -> None:
    for table in SOME:
        right = cm.accuracy.exact(table)
        for name in ("precision@micro", "recall@micro", "f_score@micro", "recall@truth"):
            assert cm.get(name)(table) == pytest.approx(float(right), abs=1e-15)


def test_two_macro_f_scores() -> None:
    """The mean of the classes' F1 and the F1 of mean precision and mean recall are two things."""
    stack = np.array(FULL[20:])
    precision, recall = (cm.get(f"{name}@macro")(stack) for name in ("precision", "recall"))
    of_means = 2 * precision * recall / (precision + recall)
    gaps = of_means - cm.get("f1_macro")(stack)
    assert gaps.min() > -1e-12
    assert gaps.max() > 0.005


def test_g_mean_and_balance_are_those_of_two_classes() -> None:
    stack = tables(2, 30, least=1)
    np.testing.assert_allclose(cm.g_mean(stack)[:, 0], cm.g_mean_multiclass(stack), **CLOSE)
    each = cm.get("auc_point")(stack)
    np.testing.assert_allclose(each[:, 0], cm.balanced_accuracy(stack), **CLOSE)
    np.testing.assert_allclose(2 * each[:, 1] - 1, cm.balanced_accuracy_adjusted(stack), **CLOSE)

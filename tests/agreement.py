"""Compare with PyCM, scikit-learn, statsmodels and R, statistic by statistic.

``python tests/agreement.py [TABLES]`` prints the comparison as Markdown (1,000 tables unless said).
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
import sklearn
import sklearn.metrics as sk
from pycm import ConfusionMatrix, DistanceType

import chancemeter as cm
from chancemeter import scales

CLASS = {
    "ACC": "accuracy@each", "AGF": "adjusted_f_score", "AGM": "adjusted_g_mean", "AM": "surplus",
    "AUC": "balanced_accuracy@each", "AUPR": "kulczynski", "BB": "recall_precision_min",
    "BCD": "bray_curtis", "BM": "informedness@each", "CEN": "confusion_entropy",
    "DOR": "odds_ratio", "DP": "discriminant_power(base=10)", "ERR": "error_rate@each",
    "F0.5": "f_score(beta=0.5)", "F1": "f_score", "F2": "f_score(beta=2)",
    "FDR": "false_discovery_rate", "FN": "false_negatives", "FNR": "miss_rate",
    "FOR": "false_omission_rate", "FP": "false_positives", "FPR": "fall_out", "G": "g_measure",
    "GI": "informedness@each", "GM": "g_mean", "HD": "hamming_distance", "IBA": "iba",
    "ICSI": "icsi", "IS": "information_score", "J": "jaccard", "LS": "lift", "MCC": "mcc@each",
    "MCEN": "modified_confusion_entropy", "MK": "markedness@each", "N": "condition_negative",
    "NLR": "likelihood_ratio_negative", "NPV": "npv", "OC": "recall_precision_max",
    "OOC": "g_measure", "OP": "optimized_precision", "P": "support",
    "PLR": "likelihood_ratio_positive", "POP": "population", "PPV": "precision", "PR": "prevalence",
    "PRE": "prevalence", "Q": "yule_q", "RACC": "random_accuracy",
    "RACCU": "random_accuracy_unbiased", "TN": "true_negatives", "TNR": "specificity",
    "TON": "predicted_negatives", "TOP": "predicted_positives", "TOPR": "bias",
    "TP": "true_positives", "TPR": "recall", "Y": "informedness@each", "dInd": "distance_index",
    "sInd": "similarity_index",
}  # fmt: skip
CLASS_METHODS = {
    "NB(w=0.7)": ("net_benefit(weight=0.7)", lambda p: p.NB(w=0.7)),
    "TI(0.3, 2)": ("tversky(alpha=0.3, beta=2)", lambda p: p.TI(0.3, 2)),
    "IBA_alpha(0.4)": ("iba(alpha=0.4)", lambda p: p.IBA_alpha(0.4)),
    "F_beta(3)": ("f_score(beta=3)", lambda p: p.F_beta(3)),
    "sensitivity_index": ("d_prime", lambda p: p.sensitivity_index()),
}
COEFFICIENTS = {
    kind.name: (kind.name.lower(), lambda p, _kind=kind: p.distance(metric=_kind))
    for kind in DistanceType
}
OVERALL = {
    "Overall ACC": "accuracy", "Overall RACCU": "expected_scott", "Overall RACC": "expected_cohen",
    "Kappa": "kappa", "Gwet AC1": "gwet_ac1", "Bennett S": "bennett_s",
    "Kappa Standard Error": "se_kappa_cohen", "Kappa Unbiased": "scott_pi", "Scott PI": "scott_pi",
    "Kappa No Prevalence": "pabak", "Standard Error": "se_accuracy", "Chi-Squared": "chi_squared",
    "Phi-Squared": "phi_squared", "Cramer V": "cramers_v", "Response Entropy": "entropy_predicted",
    "Reference Entropy": "entropy_truth", "Cross Entropy": "cross_entropy",
    "Joint Entropy": "joint_entropy", "Conditional Entropy": "conditional_entropy",
    "Mutual Information": "mutual_information", "KL Divergence": "kl_divergence",
    "Lambda B": "lambda_predicted", "Lambda A": "lambda_truth", "Chi-Squared DF": "chi_squared_df",
    "Hamming Loss": "error_rate", "Zero-one Loss": "error_count", "NIR": "expected_majority",
    "Overall CEN": "overall_confusion_entropy",
    "Overall MCEN": "overall_modified_confusion_entropy", "Overall MCC": "mcc",
    "RR": "cases_per_class", "CBA": "class_balance_accuracy", "AUNU": "aunu", "AUNP": "aunp",
    "RCI": "relative_classifier_information", "Pearson C": "pearson_c",
    "TPR Micro": "recall@micro", "TPR Macro": "recall@macro", "CSI": "csi", "ARI": "adjusted_rand",
    "TNR Micro": "specificity@micro", "TNR Macro": "specificity@macro",
    "Bangdiwala B": "bangdiwala_b", "Krippendorff Alpha": "krippendorff_alpha",
    "FPR Macro": "fall_out@macro", "FNR Macro": "miss_rate@macro", "PPV Macro": "precision@macro",
    "NPV Macro": "npv@macro", "ACC Macro": "accuracy@each@macro", "F1 Macro": "f_score@macro",
    "FPR Micro": "fall_out@micro", "FNR Micro": "miss_rate@micro", "PPV Micro": "precision@micro",
    "F1 Micro": "f_score@micro", "NPV Micro": "npv@micro",
}  # fmt: skip
OVERALL_METHODS = {
    "Overall J, sum": ("jaccard_sum", lambda p: p.overall_stat["Overall J"][0]),
    "Overall J, mean": ("jaccard@macro", lambda p: p.overall_stat["Overall J"][1]),
    "aickin_alpha": ("aickin_alpha", lambda p: p.aickin_alpha(max_iter=20_000, epsilon=1e-15)),
    "weighted_kappa(linear)": ("kappa_linear", lambda p: p.weighted_kappa(_ranks_off(p))),
    "weighted_alpha(linear)": (
        "weighted_alpha(weights=linear)",
        lambda p: p.weighted_alpha(_ranks_off(p)),
    ),
}
#: Statistics of PyCM that are no value of a table, and where they belong instead.
ELSEWHERE = {
    "95% CI": "intervals", "Kappa 95% CI": "intervals", "P-Value": "comparison (a test)",
    "Overall J": "compared as its two entries",
}  # fmt: skip
SCALES = {
    "SOA1(Landis & Koch)": "soa1", "SOA2(Fleiss)": "soa2", "SOA3(Altman)": "soa3",
    "SOA4(Cicchetti)": "soa4", "SOA5(Cramer)": "soa5", "SOA6(Matthews)": "soa6",
    "SOA7(Lambda A)": "soa7", "SOA8(Lambda B)": "soa8", "SOA9(Krippendorff Alpha)": "soa9",
    "SOA10(Pearson C)": "soa10", "PLRI": "plri", "NLRI": "nlri", "DPI": "dpi", "AUCI": "auci",
    "MCCI": "mcci", "QI": "qi",
}  # fmt: skip
#: Coefficients whose formula is for shares of the cases; PyCM puts counts into it.
IN_SHARES = {
    "Eyraud": "the formula is for shares (Choi, Cha and Tappert 2010 write n² (na − pt) for "
    "counts); with counts PyCM subtracts cases squared from cases",
    "KoppenI": "the formula is for shares; with counts PyCM subtracts cases from cases squared",
}
#: Coefficients that are wrong in PyCM itself.
WRONG = {
    "Anderberg": "takes the larger of the two columns as max(a+b, b+d) where it is max(a+c, b+d)",
}
#: Where PyCM is known to say something else, and why.
DEFECTS = {
    **IN_SHARES,
    **WRONG,
    "weighted_alpha(linear)": "expects ((r_i + c_j) / 2n)² of a pair of classes, where the mean of "
    "both margins gives (r_i + c_i)(r_j + c_j) / 4n²; the two differ off the diagonal",
    "aickin_alpha": "with a kind of error that never occurs, its iteration stops long before it "
    "has converged; for two classes ours is the closed form",
}


#: What PyCM gets wrong besides: each is tried in `test_against_peers`.
OTHER_DEFECTS = {
    "sample_weight": "weights of a wrong length are ignored without a word",
    "labels": "1 and 1.0 are two classes, and so are True and 1: kappa is 0 then",
    "missing labels": "None and nan are classes like any other",
    "undefined": 'the text "None", which makes every macro average "None" as well',
    "P-Value": '"None" from 1,100 cases on, as binomial coefficients overflow',
    "Kappa 95% CI": "the standard error of 1960, up to 2.5 times too wide",
}

#: Where our words are not PyCM's, and why.
OTHER_WORDS = {
    "SOA2(Fleiss)": "Fleiss wrote “fair to good”, PyCM “intermediate to good”",
    "SOA4(Cicchetti)": "PyCM calls .74 excellent; the scale says so from .75 on",
    "SOA6(Matthews)": "PyCM calls every negative correlation negligible",
    "MCCI": "PyCM calls every negative correlation negligible",
    "QI": "PyCM calls every negative Q negligible",
    "DPI": "the scale is for natural logarithms, PyCM computes common ones",
}


def random_table(rng: np.random.Generator, k: int) -> np.ndarray:
    """Counts of a classifier that is anything from hopeless to good, some cells empty."""
    cells = rng.integers(0, 60, (k, k)) * (rng.random((k, k)) < rng.uniform(0.5, 1))
    cells += np.diag(rng.integers(0, rng.choice([5, 100, 2000]), k))
    cells[0, 0] += 1
    return cells


def pycm_of(cells: np.ndarray) -> ConfusionMatrix:
    """PyCM's object for a table."""
    k = len(cells)
    rows = {i: {j: int(cells[i, j]) for j in range(k)} for i in range(k)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ConfusionMatrix(matrix=rows)


def _ranks_off(p: ConfusionMatrix) -> dict[int, dict[int, int]]:
    return {i: {j: abs(i - j) for j in p.classes} for i in p.classes}


class Tally:
    """The worst difference seen, and how often only one side had a value."""

    def __init__(self) -> None:
        self.worst, self.compared, self.only_we, self.only_they, self.neither = 0.0, 0, 0, 0, 0

    def add(self, ours: float, theirs: object) -> None:
        missing = isinstance(theirs, str) or theirs is None or not np.isfinite(float(theirs))
        if missing or not np.isfinite(ours):
            same_infinity = not isinstance(theirs, str) and theirs is not None and ours == theirs
            self.neither += bool(missing and (np.isnan(ours) or same_infinity))
            self.only_we += bool(missing and not np.isnan(ours) and not same_infinity)
            self.only_they += not missing
            return
        self.compared += 1
        scale = max(abs(float(theirs)), abs(ours), 1e-3)
        self.worst = max(self.worst, abs(ours - float(theirs)) / scale)


def compare_with_pycm(times: int, seed: int = 0) -> dict[str, tuple[str, Tally]]:
    """Every statistic of PyCM on random tables of 2 to 10 classes."""
    rng = np.random.default_rng(seed)
    found: dict[str, tuple[str, Tally]] = {}

    def note(name: str, key: str, ours: object, theirs: object) -> None:
        tally = found.setdefault(name, (key, Tally()))[1]
        for x, y in zip(np.atleast_1d(ours), np.atleast_1d(np.array(theirs, object)), strict=True):
            tally.add(float(x), y)

    for _ in range(times):
        cells = random_table(rng, int(rng.integers(2, 11)))
        p = pycm_of(cells)
        of_class = {n: (k, None) for n, k in CLASS.items()} | CLASS_METHODS | COEFFICIENTS
        for name, (key, call) in of_class.items():
            theirs = list((call(p) if call else p.class_stat[name]).values())
            ours = np.asarray(cm.get(key)(cells))
            note(name, key, np.broadcast_to(ours, len(cells)), theirs)
        of_all = {**{n: (k, None) for n, k in OVERALL.items()}, **OVERALL_METHODS}
        for name, (key, call) in of_all.items():
            note(name, key, cm.get(key)(cells), call(p) if call else p.overall_stat[name])
    return found


def compare_words(times: int, seed: int = 1) -> dict[str, tuple[int, int, set]]:
    """How often the words of a scale are PyCM's."""
    rng = np.random.default_rng(seed)
    found: dict[str, tuple[int, int, set]] = {}
    for _ in range(times):
        cells = random_table(rng, int(rng.integers(2, 11)))
        p = pycm_of(cells)
        for name, key in SCALES.items():
            scale = scales.get(key)
            values = np.atleast_1d(cm.get(scale.measure)(cells))
            theirs = p.overall_stat.get(name) or list(p.class_stat[name].values())
            theirs = [theirs] if isinstance(theirs, str) else theirs
            same, of, other = found.get(name, (0, 0, set()))
            for value, word in zip(values, theirs, strict=True):
                if word == "None":
                    continue
                ours = scale.word(float(value))
                equal = ours.lower() == word.lower()
                same, of = same + equal, of + 1
                if not equal:
                    other.add((round(float(value), 3), ours, word))
            found[name] = (same, of, other)
    return found


def _sk_cases(cells: np.ndarray, rng: np.random.Generator) -> tuple:
    k = len(cells)
    index = np.repeat(np.arange(k * k), cells.ravel())
    t, p = index // k, index % k
    return t, p, rng.uniform(0.1, 3, len(t))


SKLEARN = {
    "accuracy_score": ("accuracy", sk.accuracy_score),
    "zero_one_loss": ("error_rate", sk.zero_one_loss),
    "hamming_loss": ("error_rate", sk.hamming_loss),
    "balanced_accuracy_score": ("balanced_accuracy", sk.balanced_accuracy_score),
    "balanced_accuracy_score(adjusted)": (
        "balanced_accuracy_adjusted",
        lambda t, p, **w: sk.balanced_accuracy_score(t, p, adjusted=True, **w),
    ),
    "cohen_kappa_score": ("kappa", sk.cohen_kappa_score),
    "cohen_kappa_score(linear)": (
        "weighted_kappa(weights=linear)",
        lambda t, p, **w: sk.cohen_kappa_score(t, p, weights="linear", **w),
    ),
    "cohen_kappa_score(quadratic)": (
        "weighted_kappa(weights=quadratic)",
        lambda t, p, **w: sk.cohen_kappa_score(t, p, weights="quadratic", **w),
    ),
    "matthews_corrcoef": ("mcc", sk.matthews_corrcoef),
    "mutual_info_score (nats)": (
        "mutual_information(base=2.718281828459045)",
        lambda t, p, sample_weight=None: sk.mutual_info_score(t, p),
    ),
    "adjusted_rand_score": (
        "adjusted_rand",
        lambda t, p, sample_weight=None: sk.adjusted_rand_score(t, p),
    ),
    "normalized_mutual_info_score": (
        "normalized_mutual_information",
        lambda t, p, sample_weight=None: sk.normalized_mutual_info_score(t, p),
    ),
    "homogeneity_score": ("theils_u", lambda t, p, sample_weight=None: sk.homogeneity_score(t, p)),
    "completeness_score": (
        "theils_u_predicted",
        lambda t, p, sample_weight=None: sk.completeness_score(t, p),
    ),
    "v_measure_score": (
        "normalized_mutual_information",
        lambda t, p, sample_weight=None: sk.v_measure_score(t, p),
    ),
    "mean_absolute_error of ranks": ("mean_absolute_error", sk.mean_absolute_error),
    "mean_squared_error of ranks": ("ordinal_cost(power=2)", sk.mean_squared_error),
    "roc_auc_score of labels, each class": (
        "balanced_accuracy@each",
        lambda t, p, **w: [sk.roc_auc_score(t == c, p == c, **w) for c in np.unique(t)],
    ),
    "class_likelihood_ratios, each class": (
        "likelihood_ratio_positive",
        lambda t, p, **w: [
            sk.class_likelihood_ratios(t == c, p == c, **w)[0] for c in np.unique(t)
        ],
    ),
    "class_likelihood_ratios, negative": (
        "likelihood_ratio_negative",
        lambda t, p, **w: [
            sk.class_likelihood_ratios(t == c, p == c, **w)[1] for c in np.unique(t)
        ],
    ),
    "confusion_matrix, diagonal": (
        "true_positives",
        lambda t, p, **w: np.diagonal(sk.confusion_matrix(t, p, **w)),
    ),
    "multilabel_confusion_matrix, rejections": (
        "true_negatives",
        lambda t, p, **w: sk.multilabel_confusion_matrix(t, p, **w)[:, 0, 0],
    ),
}
for _average in ("min", "geometric", "max"):
    SKLEARN[f"normalized_mutual_info_score({_average})"] = (
        f"normalized_mutual_information(average={_average})",
        lambda t, p, sample_weight=None, _a=_average: sk.normalized_mutual_info_score(
            t, p, average_method=_a
        ),
    )
for _name, _ours, _call in (
    ("precision", "precision", sk.precision_score),
    ("recall", "recall", sk.recall_score),
    ("f1", "f_score", sk.f1_score),
    ("fbeta(2)", "f_score(beta=2)", lambda t, p, **w: sk.fbeta_score(t, p, beta=2, **w)),
    ("jaccard", "jaccard", sk.jaccard_score),
):
    for _average, _form in (("macro", "macro"), ("micro", "micro"), ("weighted", "truth")):
        SKLEARN[f"{_name}, {_average}"] = (
            f"{_ours}@{_form}",
            lambda t, p, _c=_call, _a=_average, **w: _c(t, p, average=_a, **w),
        )
    SKLEARN[f"{_name}, each class"] = (
        _ours,
        lambda t, p, _c=_call, **w: _c(t, p, average=None, **w),
    )


TAKES_NO_WEIGHTS = ("mutual", "rand", "homogeneity", "completeness", "v_measure")


def compare_with_sklearn(times: int, seed: int = 2) -> dict[str, tuple[str, Tally, Tally]]:
    """Every metric of scikit-learn that a table determines, without and with weights."""
    rng = np.random.default_rng(seed)
    found: dict[str, tuple[str, Tally, Tally]] = {}
    for _ in range(times):
        k = int(rng.integers(2, 11))
        cells = np.minimum(random_table(rng, k), 80) + np.eye(k, dtype=int)
        t, p, w = _sk_cases(cells, rng)
        weighed = cm.tally(t, p, weights=w)
        for name, (key, theirs) in SKLEARN.items():
            _, plain, with_weights = found.setdefault(name, (key, Tally(), Tally()))
            measure = cm.get(key)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of undefined values
                pairs = [(plain, measure(cells), theirs(t, p))]
                if not any(word in name for word in TAKES_NO_WEIGHTS):
                    pairs.append((with_weights, measure(weighed), theirs(t, p, sample_weight=w)))
            for tally, ours, right in pairs:
                for x, y in zip(np.atleast_1d(ours), np.atleast_1d(right), strict=True):
                    tally.add(float(x), float(y))
    return found


def _statsmodels(cells: np.ndarray) -> dict[str, tuple[str, float]]:
    """What statsmodels computes from a table, beside our expression for it."""
    from statsmodels.stats.contingency_tables import SquareTable, Table2x2
    from statsmodels.stats.inter_rater import cohens_kappa

    plain, linear, quadratic = (cohens_kappa(cells, wt=w) for w in (None, "linear", "quadratic"))
    found = {
        "cohens_kappa.kappa": ("kappa", plain.kappa),
        "cohens_kappa.kappa_max": ("kappa_max", plain.kappa_max),
        "cohens_kappa.std_kappa": ("se_kappa", plain.std_kappa),
        "cohens_kappa(wt='linear')": ("kappa_linear", linear.kappa),
        "cohens_kappa(wt='quadratic')": ("kappa_quadratic", quadratic.kappa),
        "Table.test_nominal_association (chi-squared)": (
            "chi_squared",
            SquareTable(cells, shift_zeros=False).test_nominal_association().statistic,
        ),
    }
    if len(cells) == 2 and (cells > 0).all():
        two = Table2x2(cells, shift_zeros=False)
        found["Table2x2.oddsratio"] = ("odds_ratio", two.oddsratio)
        found["Table2x2.log_oddsratio"] = ("log_odds_ratio", two.log_oddsratio)
        found["Table2x2.riskratio"] = ("likelihood_ratio_positive", two.riskratio)
    return found


def compare_with_statsmodels(times: int, seed: int = 3) -> dict[str, tuple[str, Tally]]:
    """Every table statistic of statsmodels that is a measure here."""
    rng = np.random.default_rng(seed)
    found: dict[str, tuple[str, Tally]] = {}
    for _ in range(times):
        k = int(rng.integers(2, 11))
        cells = random_table(rng, k) + 1
        for name, (key, theirs) in _statsmodels(cells).items():
            ours = np.atleast_1d(cm.get(key)(cells))[0]
            found.setdefault(name, (key, Tally()))[1].add(float(ours), float(theirs))
    return found


def main(times: int) -> None:
    """Print all comparisons as Markdown."""
    import pycm

    print("# Agreement with other implementations\n")
    print("Made by `make docs`. The worst relative difference over random tables; values below")
    print('0.001 are compared absolutely on that scale. *only ours*: PyCM says `"None"` where we')
    print("have a value (often a limit such as ∞); *only theirs*: the other way round. Differences")
    print("up to 1e-10 are rounding where a peer subtracts nearly equal numbers: ours are within")
    print("1e-12 of exact fractions or of 50 digits (`tests/test_every_measure.py`).\n")
    print(f"## PyCM {pycm.__version__}: {times} random tables, 2 to 10 classes\n")
    print("| PyCM | chancemeter | values compared | worst difference | only ours | only theirs |")
    print("|---|---|--:|--:|--:|--:|")
    for name, (key, t) in compare_with_pycm(times).items():
        print(
            f"| {name} | `{key}` | {t.compared:,} | {t.worst:.1e} | {t.only_we} | {t.only_they} |"
        )
    print()
    for name, reason in DEFECTS.items():
        print(f"- {name}: {reason}.")
    print("\nBesides, as of this version of PyCM:\n")
    for name, reason in OTHER_DEFECTS.items():
        print(f"- {name}: {reason}.")
    print(
        "\nNot values of a table: " + "; ".join(f"{k} ({v})" for k, v in ELSEWHERE.items()) + ".\n"
    )
    print("### Words\n")
    print(
        "| PyCM | scale | same words | of | where not (value, ours, PyCM) |\n|---|---|--:|--:|---|"
    )
    for name, (same, of, other) in compare_words(max(1, times // 5)).items():
        shown = "; ".join(map(str, sorted(other)[:2]))
        print(f"| {name} | `{SCALES[name]}` | {same:,} | {of:,} | {shown} |")
    print()
    for name, reason in OTHER_WORDS.items():
        print(f"- {name}: {reason}.")
    print(f"\n## scikit-learn {sklearn.__version__}: {max(1, times // 5)} random tables\n")
    print("| scikit-learn | chancemeter | worst difference | with weights |\n|---|---|--:|--:|")
    for name, (key, plain, weighed) in compare_with_sklearn(max(1, times // 5)).items():
        with_weights = f"{weighed.worst:.1e}" if weighed.compared else "takes none"
        print(f"| {name} | `{key}` | {plain.worst:.1e} | {with_weights} |")
    import statsmodels

    print(f"\n## statsmodels {statsmodels.__version__}: {max(1, times // 5)} random tables\n")
    print("| statsmodels | chancemeter | values compared | worst difference |\n|---|---|--:|--:|")
    for name, (key, tally) in compare_with_statsmodels(max(1, times // 5)).items():
        print(f"| {name} | `{key}` | {tally.compared} | {tally.worst:.1e} |")
    _print_r()


def _print_r() -> None:
    """What R said, kept in `golden/r.json`; `test_against_r` compares it and its errors."""
    from test_against_r import COMPARED, GOLDEN, found

    made = GOLDEN["made_with"]
    print("\n## " + ", ".join(f"{name} {version}" for name, version in made.items()))
    print(
        f"\n{len(GOLDEN['tables'])} tables of 2 to 6 classes, perfect and sparse ones among them."
    )
    print("psych integrates the normal distribution to six digits and stops looking for a latent")
    print(
        "correlation early, mnormt does not. Standard errors are compared by `test_against_r.py`.\n"
    )
    print("| package | its name | chancemeter | tables | worst difference |\n|---|---|---|--:|--:|")
    for package, name, ours, _ in COMPARED:
        tally, tables = Tally(), list(found(package, name))
        for table, theirs in tables:
            mine, right = np.atleast_1d(cm.get(ours)(table)), np.atleast_1d(theirs)
            for x, y in zip(mine, right, strict=False):
                tally.add(float(x), float("nan") if y is None else float(y))
        print(f"| {package} | {name} | `{ours}` | {len(tables)} | {tally.worst:.1e} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)

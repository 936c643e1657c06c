"""How much of your accuracy is luck? Chance-corrected evaluation of classifiers.

Names are loaded when they are first used, so that ``import chancemeter`` costs nothing.
Every measure of the catalogue is a name here: ``chancemeter.kappa``, ``chancemeter.mcc`` ...
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

#: Where each public name lives. Measures come on top, from the registry.
_HOME = {
    "ChancemeterError": "errors",
    "InputError": "errors",
    "UndefinedError": "errors",
    "UnknownNameError": "errors",
    "Table": "tables",
    "table": "tables",
    "tally": "labels",
    "Luck": "verdict",
    "luck": "verdict",
    "SCALES": "scales",
    "accuracy_at": "scales",
    "words": "scales",
    "at_prevalence": "shift",
    "mixture": "shift",
    "Score": "scoring",
    "Scores": "scoring",
    "score": "scoring",
    "Report": "reports.report",
    "report": "reports.report",
    "read": "frames.read",
    "Tally": "frames.stream",
    "Measure": "registry",
    "measure": "registry",
    "evaluate": "registry",
    "every": "registry",
    "Comparison": "comparison.compare",
    "compare": "comparison.compare",
    "ComparisonOverDataSets": "comparison.data_sets",
    "compare_datasets": "comparison.data_sets",
    "CasesNeeded": "comparison.power",
    "above_chance": "comparison.above_chance",
    "cases_needed": "comparison.power",
    "r_squared": "comparison.chance_terms",
    "difference_of_chance": "comparison.chance_terms",
    "bowker": "matched",
    "cochran_q": "matched",
    "mcnemar": "matched",
    "stuart_maxwell": "matched",
    "above_majority": "matched",
    "bayesian_correlated_t": "folds",
    "corrected_t": "folds",
    "corrected_t_interval": "folds",
    "corrected_t_of_means": "folds",
    "interval_overlap": "folds",
    "five_by_two_f": "folds",
    "five_by_two_t": "folds",
    "fold_t_interval": "folds",
    "paired_t": "folds",
    "sign_test": "folds",
    "wilcoxon": "folds",
    "bayesian_sign": "datasets",
    "bayesian_signed_rank": "datasets",
    "critical_difference": "datasets",
    "friedman": "datasets",
    "grid": "datasets",
    "nemenyi": "datasets",
    "bootstrap": "resample",
    "grouped": "resample",
    "leave_one_out": "resample",
    "permutations": "resample",
    "posterior": "resample",
    "stratified": "resample",
    "SameRows": "comparison.rows",
    "same_rows": "comparison.rows",
    "Interval": "intervals.result",
    "interval": "intervals.choose",
    "analyse": "experiments.analysis",
    "importance": "experiments.importance",
    "influence_of": "influence",
    "standard_errors": "influence",
    "ChanceBarDisplay": "plots",
    "ConfusionDisplay": "plots",
    "MeasuresDisplay": "plots",
    "ChancesDisplay": "plots",
    "RanksDisplay": "plots",
    "CriticalDifferenceDisplay": "plots",
    "RocDisplay": "curve_plots",
    "RocKDisplay": "curve_plots",
    "RocKSharesDisplay": "curve_plots",
    "SharesDisplay": "curve_plots",
    "ChanceKappaDisplay": "curve_plots",
    "PrecisionRecallDisplay": "curve_plots",
    "PrecisionRecallGainDisplay": "curve_plots",
    "DetDisplay": "curve_plots",
    "LiftDisplay": "curve_plots",
    "GainDisplay": "curve_plots",
    "CostDisplay": "curve_plots",
    "NetBenefitDisplay": "curve_plots",
    "Band": "curves.bands",
    "band": "curves.bands",
    "isoline": "curves.isolines",
    "Curve": "curves.curve",
    "curve": "curves.make",
    "experiment": "experiments.api",
    "Grid": "experiments.grid",
    "CurveComparison": "curves.paired",
    "ManyCurves": "curves.many",
    "many_curves": "curves.many",
    "compare_curves": "curves.paired",
    "Threshold": "curves.thresholds",
    "best_threshold": "curves.thresholds",
    "get": "registry",
    "get_all": "registry",
}


def _load_measures() -> None:
    import_module("chancemeter.measures")
    import_module("chancemeter.averaging")


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _HOME:
        _load_measures()
        found = getattr(import_module(f"chancemeter.{_HOME[name]}"), name)
    else:
        registry = import_module("chancemeter.registry")
        _load_measures()
        if name not in registry.REGISTRY:
            hint = registry.did_you_mean(name, [*_HOME, *registry.REGISTRY])
            if name in registry.SHORTHAND:
                hint = f"write chancemeter.get({name!r})"
            msg = f"module 'chancemeter' has no attribute {name!r}; {hint}".rstrip("; ")
            raise AttributeError(msg)
        found = registry.REGISTRY[name]
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    _load_measures()
    return sorted({*_HOME, "__version__", *import_module("chancemeter.registry").REGISTRY})

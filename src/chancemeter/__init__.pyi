# Written by tools/make_stub.py; a change here is lost.

from chancemeter.comparison.above_chance import above_chance as above_chance
from chancemeter.comparison.chance_terms import difference_of_chance as difference_of_chance
from chancemeter.comparison.chance_terms import r_squared as r_squared
from chancemeter.comparison.compare import Comparison as Comparison
from chancemeter.comparison.compare import compare as compare
from chancemeter.comparison.data_sets import ComparisonOverDataSets as ComparisonOverDataSets
from chancemeter.comparison.data_sets import compare_datasets as compare_datasets
from chancemeter.comparison.power import CasesNeeded as CasesNeeded
from chancemeter.comparison.power import cases_needed as cases_needed
from chancemeter.comparison.rows import SameRows as SameRows
from chancemeter.comparison.rows import same_rows as same_rows
from chancemeter.curve_plots import ChanceKappaDisplay as ChanceKappaDisplay
from chancemeter.curve_plots import CostDisplay as CostDisplay
from chancemeter.curve_plots import DetDisplay as DetDisplay
from chancemeter.curve_plots import GainDisplay as GainDisplay
from chancemeter.curve_plots import LiftDisplay as LiftDisplay
from chancemeter.curve_plots import NetBenefitDisplay as NetBenefitDisplay
from chancemeter.curve_plots import PrecisionRecallDisplay as PrecisionRecallDisplay
from chancemeter.curve_plots import PrecisionRecallGainDisplay as PrecisionRecallGainDisplay
from chancemeter.curve_plots import RocDisplay as RocDisplay
from chancemeter.curve_plots import RocKDisplay as RocKDisplay
from chancemeter.curve_plots import RocKSharesDisplay as RocKSharesDisplay
from chancemeter.curve_plots import SharesDisplay as SharesDisplay
from chancemeter.curves.bands import Band as Band
from chancemeter.curves.bands import band as band
from chancemeter.curves.curve import Curve as Curve
from chancemeter.curves.isolines import isoline as isoline
from chancemeter.curves.make import curve as curve
from chancemeter.curves.many import ManyCurves as ManyCurves
from chancemeter.curves.many import many_curves as many_curves
from chancemeter.curves.paired import CurveComparison as CurveComparison
from chancemeter.curves.paired import compare_curves as compare_curves
from chancemeter.curves.thresholds import Threshold as Threshold
from chancemeter.curves.thresholds import best_threshold as best_threshold
from chancemeter.datasets import bayesian_sign as bayesian_sign
from chancemeter.datasets import bayesian_signed_rank as bayesian_signed_rank
from chancemeter.datasets import critical_difference as critical_difference
from chancemeter.datasets import friedman as friedman
from chancemeter.datasets import grid as grid
from chancemeter.datasets import nemenyi as nemenyi
from chancemeter.errors import ChancemeterError as ChancemeterError
from chancemeter.errors import InputError as InputError
from chancemeter.errors import UndefinedError as UndefinedError
from chancemeter.errors import UnknownNameError as UnknownNameError
from chancemeter.experiments.analysis import analyse as analyse
from chancemeter.experiments.api import experiment as experiment
from chancemeter.experiments.grid import Grid as Grid
from chancemeter.experiments.importance import importance as importance
from chancemeter.folds import bayesian_correlated_t as bayesian_correlated_t
from chancemeter.folds import corrected_t as corrected_t
from chancemeter.folds import corrected_t_interval as corrected_t_interval
from chancemeter.folds import corrected_t_of_means as corrected_t_of_means
from chancemeter.folds import five_by_two_f as five_by_two_f
from chancemeter.folds import five_by_two_t as five_by_two_t
from chancemeter.folds import fold_t_interval as fold_t_interval
from chancemeter.folds import interval_overlap as interval_overlap
from chancemeter.folds import paired_t as paired_t
from chancemeter.folds import sign_test as sign_test
from chancemeter.folds import wilcoxon as wilcoxon
from chancemeter.frames.read import read as read
from chancemeter.frames.stream import Tally as Tally
from chancemeter.influence import influence_of as influence_of
from chancemeter.influence import standard_errors as standard_errors
from chancemeter.intervals.choose import interval as interval
from chancemeter.intervals.result import Interval as Interval
from chancemeter.labels import tally as tally
from chancemeter.matched import above_majority as above_majority
from chancemeter.matched import bowker as bowker
from chancemeter.matched import cochran_q as cochran_q
from chancemeter.matched import mcnemar as mcnemar
from chancemeter.matched import stuart_maxwell as stuart_maxwell
from chancemeter.plots import ChanceBarDisplay as ChanceBarDisplay
from chancemeter.plots import ChancesDisplay as ChancesDisplay
from chancemeter.plots import ConfusionDisplay as ConfusionDisplay
from chancemeter.plots import CriticalDifferenceDisplay as CriticalDifferenceDisplay
from chancemeter.plots import MeasuresDisplay as MeasuresDisplay
from chancemeter.plots import RanksDisplay as RanksDisplay
from chancemeter.registry import Measure as Measure
from chancemeter.registry import evaluate as evaluate
from chancemeter.registry import every as every
from chancemeter.registry import get as get
from chancemeter.registry import get_all as get_all
from chancemeter.registry import measure as measure
from chancemeter.reports.report import Report as Report
from chancemeter.reports.report import report as report
from chancemeter.resample import bootstrap as bootstrap
from chancemeter.resample import grouped as grouped
from chancemeter.resample import leave_one_out as leave_one_out
from chancemeter.resample import permutations as permutations
from chancemeter.resample import posterior as posterior
from chancemeter.resample import stratified as stratified
from chancemeter.scales import SCALES as SCALES
from chancemeter.scales import accuracy_at as accuracy_at
from chancemeter.scales import words as words
from chancemeter.scoring import Score as Score
from chancemeter.scoring import Scores as Scores
from chancemeter.scoring import score as score
from chancemeter.shift import at_prevalence as at_prevalence
from chancemeter.shift import mixture as mixture
from chancemeter.tables import Table as Table
from chancemeter.tables import table as table
from chancemeter.verdict import Luck as Luck
from chancemeter.verdict import luck as luck

__version__: str

accuracy: Measure[...]
adjusted_f_score: Measure[...]
adjusted_g_mean: Measure[...]
adjusted_rand: Measure[...]
aickin_alpha: Measure[...]
alpha_ordinal: Measure[...]
ample: Measure[...]
anderberg: Measure[...]
andres_marzo_delta: Measure[...]
balanced_accuracy: Measure[...]
balanced_accuracy_adjusted: Measure[...]
bangdiwala_b: Measure[...]
bangdiwala_b_weighted: Measure[...]
baroni_urbani_buser_1: Measure[...]
baroni_urbani_buser_2: Measure[...]
batagelj_bren: Measure[...]
baulieu_1: Measure[...]
baulieu_10: Measure[...]
baulieu_11: Measure[...]
baulieu_12: Measure[...]
baulieu_13: Measure[...]
baulieu_14: Measure[...]
baulieu_15: Measure[...]
baulieu_2: Measure[...]
baulieu_3: Measure[...]
baulieu_4: Measure[...]
baulieu_5: Measure[...]
baulieu_6: Measure[...]
baulieu_7: Measure[...]
baulieu_8: Measure[...]
baulieu_9: Measure[...]
benini_2: Measure[...]
bennett_s: Measure[...]
beta_ratio: Measure[...]
beyond_chance: Measure[...]
bias: Measure[...]
bray_curtis: Measure[...]
canberra: Measure[...]
cases_per_class: Measure[...]
chance_share_of_hits: Measure[...]
chi_squared: Measure[...]
chi_squared_df: Measure[...]
class_balance_accuracy: Measure[...]
clement: Measure[...]
cn2_likelihood_ratio: Measure[...]
combined_accuracy_predicted: Measure[...]
combined_accuracy_truth: Measure[...]
concordance_correlation: Measure[...]
condition_negative: Measure[...]
conditional_entropy: Measure[...]
conditional_entropy_truth: Measure[...]
conditional_kappa: Measure[...]
conditional_kappa_predicted: Measure[...]
confusion_entropy: Measure[...]
consonni_todeschini_1: Measure[...]
consonni_todeschini_2: Measure[...]
consonni_todeschini_3: Measure[...]
consonni_todeschini_4: Measure[...]
consonni_todeschini_5: Measure[...]
cramers_v: Measure[...]
cramers_v_corrected: Measure[...]
criterion_c: Measure[...]
cross_entropy: Measure[...]
csi: Measure[...]
d_prime: Measure[...]
dennis: Measure[...]
detection_rate: Measure[...]
determinant: Measure[...]
discriminant_power: Measure[...]
distance_index: Measure[...]
doolittle: Measure[...]
entropy_predicted: Measure[...]
entropy_truth: Measure[...]
error_count: Measure[...]
error_rate: Measure[...]
errors_vs_chance: Measure[...]
expected_cohen: Measure[...]
expected_gwet: Measure[...]
expected_majority: Measure[...]
expected_powers: Measure[...]
expected_prevalence: Measure[...]
expected_scott: Measure[...]
expected_turk: Measure[...]
expected_uniform: Measure[...]
eyraud: Measure[...]
f1_negative: Measure[...]
f_score: Measure[...]
fager_mcgowan: Measure[...]
faith: Measure[...]
fall_out: Measure[...]
false_discovery_rate: Measure[...]
false_negatives: Measure[...]
false_omission_rate: Measure[...]
false_positives: Measure[...]
fossum: Measure[...]
g_mean: Measure[...]
g_mean_multiclass: Measure[...]
g_measure: Measure[...]
g_squared: Measure[...]
gilbert_wells: Measure[...]
goodall: Measure[...]
goodman_kruskal_gamma: Measure[...]
goodman_kruskal_lambda_r: Measure[...]
goodman_kruskal_tau: Measure[...]
goodman_kruskal_tau_truth: Measure[...]
ground_truth_index: Measure[...]
ground_truth_index_class: Measure[...]
guessed_share_of_hits: Measure[...]
gwet_ac1: Measure[...]
gwet_ac2: Measure[...]
hamming_distance: Measure[...]
harris_lahey: Measure[...]
hawkins_dotson: Measure[...]
iba: Measure[...]
icsi: Measure[...]
imbalance_ratio: Measure[...]
imbalanced: Measure[...]
implied_chance: Measure[...]
information_score: Measure[...]
informedness: Measure[...]
inverse_bias: Measure[...]
inverse_prevalence: Measure[...]
jaccard: Measure[...]
jaccard_sum: Measure[...]
joint_entropy: Measure[...]
kappa: Measure[...]
kappa_location: Measure[...]
kappa_max: Measure[...]
kendall_tau_b: Measure[...]
kendall_tau_class: Measure[...]
kent_foster_1: Measure[...]
kent_foster_2: Measure[...]
kl_divergence: Measure[...]
koppen_2: Measure[...]
krippendorff_alpha: Measure[...]
kuder_richardson: Measure[...]
kuhns_1: Measure[...]
kuhns_2: Measure[...]
kuhns_3: Measure[...]
kuhns_4: Measure[...]
kuhns_5: Measure[...]
kuhns_6: Measure[...]
kuhns_7: Measure[...]
kulczynski: Measure[...]
lambda_predicted: Measure[...]
lambda_symmetric: Measure[...]
lambda_truth: Measure[...]
lift: Measure[...]
likelihood_ratio_negative: Measure[...]
likelihood_ratio_positive: Measure[...]
log_informedness: Measure[...]
log_markedness: Measure[...]
log_odds_ratio: Measure[...]
macro_mean_absolute_error: Measure[...]
markedness: Measure[...]
mcc: Measure[...]
mean_absolute_error: Measure[...]
mean_squared_error: Measure[...]
miss_rate: Measure[...]
modified_confusion_entropy: Measure[...]
mutual_information: Measure[...]
net_benefit: Measure[...]
normalized_mutual_information: Measure[...]
npv: Measure[...]
npv_at: Measure[...]
odds_ratio: Measure[...]
optimized_precision: Measure[...]
ordinal_cost: Measure[...]
overall_confusion_entropy: Measure[...]
overall_modified_confusion_entropy: Measure[...]
p4: Measure[...]
pabak: Measure[...]
pearson_c: Measure[...]
pearson_c_adjusted: Measure[...]
phi: Measure[...]
phi_squared: Measure[...]
polychoric: Measure[...]
population: Measure[...]
power_divergence: Measure[...]
powers_correlation: Measure[...]
precision: Measure[...]
precision_at: Measure[...]
predicted_negatives: Measure[...]
predicted_positives: Measure[...]
prevalence: Measure[...]
prevalence_pi: Measure[...]
prevalence_threshold: Measure[...]
random_accuracy: Measure[...]
random_accuracy_unbiased: Measure[...]
recall: Measure[...]
recall_precision_max: Measure[...]
recall_precision_min: Measure[...]
recall_precision_product: Measure[...]
recall_precision_quadratic: Measure[...]
risk_ratio_predicted: Measure[...]
root_mean_squared_error: Measure[...]
scott_pi: Measure[...]
se_accuracy: Measure[...]
se_kappa: Measure[...]
se_kappa_cohen: Measure[...]
similarity_index: Measure[...]
skew_predicted: Measure[...]
skew_real: Measure[...]
somers_d: Measure[...]
somers_d_truth: Measure[...]
spearman: Measure[...]
specificity: Measure[...]
stuart_tau_c: Measure[...]
support: Measure[...]
surplus: Measure[...]
tetrachoric: Measure[...]
theils_u: Measure[...]
theils_u_predicted: Measure[...]
true_negatives: Measure[...]
true_positives: Measure[...]
tversky: Measure[...]
weighted_alpha: Measure[...]
weighted_kappa: Measure[...]
weighted_pi: Measure[...]
weighted_s: Measure[...]
yule_bonett: Measure[...]
yule_q: Measure[...]
yule_y: Measure[...]

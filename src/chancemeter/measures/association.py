"""Association: how strongly prediction and truth hang together, whatever the labels say.

The first measures ask whether the *same* label is given (correlation, informedness,
markedness). Those built on chi-squared, lambda and tau ask only whether one label tells
something about the other: a classifier that is always wrong in the same way scores high.

Classes that never occur, or are never predicted, have nothing observed and nothing
expected, and add nothing. They still count as classes wherever a formula asks how many
there are, so that tables over one list of classes stay comparable.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from chancemeter import chance
from chancemeter.counts import Array, Counts, Values, log, others, ratio
from chancemeter.registry import measure
from chancemeter.undefined import REASONS


#: ``(1 + x) ln(1 + x) - x`` as a series in x, from x**8 down to x**2.
_SERIES = [(-1) ** m / (m * (m - 1)) for m in range(8, 1, -1)]


def log_times(times: Array, excess: Array) -> Array:
    """Logarithm of `times`, given also as 1 + `excess`; 0 where `times` is 0."""
    near = np.abs(excess.real) < 0.5
    skip = near | np.equal(times, 0)
    return np.where(near, np.log1p(near * excess), log(times * ~skip + skip))


def gain(times: Array, excess: Array) -> Array:
    """``times · ln(times) - excess``, where `excess` is ``times - 1``: never below zero.

    In a sum over shares the excesses add up to nothing. Taking them off cell by cell leaves
    no large terms to cancel, so that a sum that is nearly zero keeps its digits.
    """
    close = np.abs(excess.real) < 0.01
    small = close * excess
    series = small * small * np.polyval(_SERIES, small)
    return np.where(close, series, times * log_times(times, excess) - excess)


class Departure(NamedTuple):
    """Each cell against what independence of truth and prediction expects there."""

    expected: Array
    """Expected share of the cases."""
    times: Array
    """Observed as a multiple of expected."""
    excess: Array
    """That multiple less one, without having subtracted one."""

    @property
    def squared(self) -> Array:
        """What each cell adds to chi-squared, for each case."""
        return self.expected * self.excess * self.excess

    @property
    def information(self) -> Array:
        """What each cell adds to the mutual information, in nats."""
        return self.expected * gain(self.times, self.excess)


def departure(c: Counts) -> Departure:
    """How far `c` is from independence, cell by cell; nan without cases."""
    c = Counts(c.cells).rescaled
    across = others(c.cells)
    down = others(c.cells.swapaxes(-1, -2)).swapaxes(-1, -2)
    outer = c.truth[..., :, None] * c.predicted[..., None, :]
    n = c.total[..., None, None]
    divisor = np.where(np.equal(outer, 0), 1, outer)
    return Departure(
        expected=ratio(outer, n * n),
        times=ratio(n * c.cells, divisor),
        # n·cell - row·column, each cell's own tp·tn - fp·fn: small differences survive.
        excess=ratio(c.cells * others(down) - across * down, divisor),
    )


def of_class(c: Counts, values: Values) -> Values:
    """`values` of all classes; of the first one only where `c` is pooled for a micro average."""
    return values if values.ndim == c.truth.ndim else values[..., 0]


def _chi_squared(c: Counts) -> Values:
    """Chi-squared for each case."""
    return np.asarray(departure(c).squared.sum((-2, -1)))


@measure(
    symbol="R_K",
    aliases=("matthews_corrcoef", "matthews_correlation", "overall_mcc", "r_k"),
    shorthand={"mcc_class": "mcc@each", "kappa_class": "kappa@each"},
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted",
    rational=False,
    references=("gorodkin2004", "matthews1975", "yule1912"),
    good_for="one number that asks truth and prediction alike, for any number of classes",
    not_for="test sets with other class mixes: it moves with them, as kappa does",
    elsewhere="Phi coefficient of a 2 x 2 table, Pearson's r of 0/1 labels, Yule's phi",
)
def mcc(c: Counts) -> Values:
    r"""Correlation of prediction with truth: 1 always right, 0 as good as guessing.

    .. math:: R_K = \frac{\sum_c (n\,n_{cc} - n_{c+} n_{+c})}
        {\sqrt{(n^2 - \sum_c n_{c+}^2)(n^2 - \sum_c n_{+c}^2)}}

    >>> round(mcc([[20, 5], [10, 15]]), 4)
    0.4082
    """
    spread = (c.truth * others(c.truth)).sum(-1) * (c.predicted * others(c.predicted)).sum(-1)
    return ratio(c.leverage.sum(-1), np.sqrt(spread))


@measure(
    symbol="B",
    aliases=(
        "bookmaker",
        "powers_kappa",
        "youden_j",
        "peirce_skill_score",
        "true_skill_statistic",
        "hanssen_kuipers",
        "delta_p_prime",
    ),
    shorthand={
        "bm": "informedness@each",
        "youden_index": "informedness@each",
        "gini_point": "informedness@each",
        "deskewed_wracc": "informedness@each",
    },
    range=(-1, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_in_truth predicted_but_not_true",
    references=("powers2003", "powers2012", "peirce1884", "youden1950", "hanssen1965"),
    good_for="how often the classifier knew rather than guessed, whatever it likes to guess",
    not_for="the worth of a single prediction: see markedness",
    elsewhere="Youden's J (medicine), Peirce or true skill score (weather), Delta P' (psychology)",
)
def informedness(c: Counts) -> Values:
    r"""How often the prediction was informed rather than guessed.

    With two classes it is recall less the false alarm rate. With more, it is the mean over
    predictions of what each predicted class scores against the rest.

    .. math:: B = \sum_c \frac{n_{+c}}{n} B_c, \quad B_c = \mathrm{TPR}_c - \mathrm{FPR}_c

    >>> informedness([[20, 5], [10, 15]])
    0.4
    """
    return chance.multiclass_informedness(c)


@measure(
    symbol="M",
    aliases=("delta_p",),
    shorthand={"mk": "markedness@each"},
    range=(-1, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_predicted true_but_never_predicted",
    references=("powers2003", "powers2012"),
    good_for="how far predictions can be trusted, whatever the classes' shares",
    not_for="how well classes are told apart: see informedness",
    elsewhere="Delta P (psychology)",
)
def markedness(c: Counts) -> Values:
    r"""How much a prediction tells about the truth: informedness seen from the other side.

    With two classes it is precision less the false omission rate. With more, it is the mean
    over cases of what each true class scores against the rest.

    .. math:: M = \sum_c \frac{n_{c+}}{n} M_c, \quad M_c = \mathrm{PPV}_c + \mathrm{NPV}_c - 1

    >>> round(markedness([[20, 5], [10, 15]]), 4)
    0.4167
    """
    each = ratio(c.leverage, c.predicted * c.predicted_negative)
    used = np.where(np.equal(c.truth, 0), 0, c.truth * each)
    return ratio(used.sum(-1), c.total)


@measure(
    symbol="√BM",
    aliases=("correlation_powers",),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_class_in_truth one_class_predicted predicted_but_not_true "
    "true_but_never_predicted opposite_signs",
    rational=False,
    references=("powers2012",),
    good_for="one number for informedness and markedness; with two classes it equals mcc",
)
def powers_correlation(c: Counts) -> Values:
    r"""Geometric mean of informedness and markedness, with their common sign.

    .. math:: \operatorname{sign}(B) \sqrt{B M}

    With more than two classes the two can differ in sign; then it is undefined.

    >>> round(powers_correlation([[20, 5], [10, 15]]), 4)
    0.4082
    """
    given, told = informedness.formula(c), markedness.formula(c)
    product = np.where(REASONS["opposite_signs"].holds(c), np.nan, given * told)
    # What is left below zero is rounding, of two values that are both nearly zero.
    product = product * (np.real(product) >= 0)
    return np.where(np.real(given) < 0, -1, 1) * np.sqrt(product)


@measure(
    symbol="χ²",
    aliases=("chi2", "pearson_chi_squared"),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="order transpose unused",
    orders_like_same_truth="phi_squared",
    needs="cells",
    references=("pearson1900",),
    good_for="testing whether prediction and truth are related at all",
    not_for="how strong the relation is: it grows with the number of cases; see cramers_v",
)
def chi_squared(c: Counts) -> Values:
    r"""Squared gap between the table and independence, in units of what is expected.

    .. math:: \chi^2 = \sum_{ij} (n_{ij} - e_{ij})^2 / e_{ij}, \quad e_{ij} = n_{i+} n_{+j} / n

    >>> round(chi_squared([[20, 5], [10, 15]]), 4)
    8.3333
    """
    return c.total * _chi_squared(c)


@measure(
    symbol="df",
    aliases=("chi_squared_degrees_of_freedom",),
    range=(0, np.inf),
    perfect=None,
    direction="neither",
    same="scale order transpose prevalence bias",
    undefined="",
    references=("pearson1900", "fisher1922"),
    good_for="the p-value of chi_squared, g_squared and power_divergence",
)
def chi_squared_df(c: Counts) -> Values:
    """Degrees of freedom of the chi-squared family: (k - 1) squared, unused classes included.

    >>> chi_squared_df([[20, 5], [10, 15]])
    1.0
    """
    return np.full(c.total.shape, (c.k - 1) ** 2, dtype=c.total.dtype)


@measure(
    symbol="G²",
    aliases=("g_test", "likelihood_ratio_chi_squared", "g2"),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="order transpose unused",
    orders_like_same_truth="mutual_information",
    needs="cells",
    rational=False,
    references=("wilks1938", "woolf1957"),
    good_for="testing whether prediction and truth are related, also where classes are rare",
    not_for="how strong the relation is: it grows with the number of cases",
)
def g_squared(c: Counts) -> Values:
    r"""Evidence that prediction and truth are related: twice the log-likelihood ratio.

    .. math:: G^2 = 2 \sum_{ij} n_{ij} \ln (n_{ij} / e_{ij})

    >>> round(g_squared([[20, 5], [10, 15]]), 4)
    8.6305
    """
    return np.asarray(2 * c.total * departure(c).information.sum((-2, -1)))


@measure(
    symbol="2nIλ",
    aliases=("cressie_read",),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="order transpose unused",
    needs="cells",
    rational=False,
    references=("cressie1984", "freeman1950", "neyman1949"),
    good_for="one family of tests: power 1 is chi-squared, 0 G-squared, -1/2 Freeman-Tukey, "
    "-1 modified log-likelihood, -2 Neyman",
    not_for="power -1 or below with empty cells: infinite",
)
def power_divergence(c: Counts, power: float = 2 / 3) -> Values:
    r"""Gap between the table and independence, by the Cressie-Read family.

    .. math:: \frac{2}{\lambda(\lambda+1)} \sum_{ij} n_{ij}
        \left[(n_{ij} / e_{ij})^\lambda - 1\right]

    >>> round(power_divergence([[20, 5], [10, 15]]), 4)
    8.3971
    >>> round(power_divergence([[20, 5], [10, 15]], power=-0.5), 4)
    8.9082
    """
    d = departure(c)
    if power == 0:
        return np.asarray(2 * c.total * d.information.sum((-2, -1)))
    # As in `gain`, terms that cancel in the sum keep every cell at or above zero.
    logs = log_times(d.times, d.excess)
    if power == -1:
        each = 2 * (d.excess - logs)
    else:
        grown = np.expm1((power + 1) * logs) - (power + 1) * d.excess
        each = 2 * grown / (power * (power + 1))
    empty = np.equal(d.times, 0)
    each = np.where(empty, np.inf if power <= -1 else 2 / (power + 1), each)
    each = np.where(np.equal(d.expected, 0), 0, each)
    return np.asarray(c.total * (d.expected * each).sum((-2, -1)))


@measure(
    symbol="φ²",
    aliases=("mean_square_contingency",),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="scale order transpose unused",
    orders_like="phi_squared",
    needs="cells",
    references=("pearson1904",),
    good_for="chi-squared without the number of cases; its largest value is k - 1",
)
def phi_squared(c: Counts) -> Values:
    """Chi-squared for each case.

    >>> round(phi_squared([[20, 5], [10, 15]]), 4)
    0.1667
    """
    return _chi_squared(c)


@measure(
    symbol="φ",
    aliases=("phi_coefficient",),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="scale order transpose unused",
    orders_like="phi_squared",
    needs="cells",
    rational=False,
    references=("pearson1904", "yule1912"),
    good_for="two classes, where it is the size of mcc without its sign",
    not_for="tables of more classes, where it passes 1: see cramers_v",
)
def phi(c: Counts) -> Values:
    """Root of chi-squared for each case: strength of the relation, right or wrong way round.

    >>> round(phi([[20, 5], [10, 15]]), 4)
    0.4082
    """
    return np.sqrt(_chi_squared(c))


@measure(
    symbol="V",
    aliases=("cramer_v", "tschuprow_t", "tschuprows_t"),
    range=(0, 1),
    by_chance=0,
    same="scale order transpose",
    orders_like="phi_squared",
    needs="cells",
    rational=False,
    references=("cramer1946", "tschuprow1939"),
    good_for="whether one label tells the other, also if the names are mixed up",
    not_for="small samples of many classes, where chance alone gives much: cramers_v_corrected",
    elsewhere="Tschuprow's T, which differs only where rows and columns differ in number",
)
def cramers_v(c: Counts) -> Values:
    r"""Strength of the relation from 0 to 1, right or wrong way round.

    All k classes count, used or not; perfect prediction scores 1 when every class occurs.

    .. math:: V = \sqrt{\chi^2 / (n (k - 1))}

    >>> round(cramers_v([[20, 5], [10, 15]]), 4)
    0.4082
    """
    return np.sqrt(ratio(c.total * _chi_squared(c), c.total * (c.k - 1)))


@measure(
    symbol="Ṽ",
    aliases=("cramers_v_bias_corrected", "bergsma_v"),
    range=(0, 1),
    same="order transpose",
    undefined="too_few_cases",
    needs="cells",
    rational=False,
    smooth=False,
    references=("bergsma2013",),
    good_for="Cramér's V of small samples: near 0 when nothing but chance is at work",
)
def cramers_v_corrected(c: Counts) -> Values:
    r"""Cramér's V less what chance alone gives on average.

    .. math:: \tilde V = \sqrt{\tilde\varphi^2 / (\tilde k - 1)}, \quad
        \tilde\varphi^2 = \max(0, \varphi^2 - \tfrac{(k-1)^2}{n-1}), \quad
        \tilde k = k - \tfrac{(k-1)^2}{n-1}

    >>> round(cramers_v_corrected([[20, 5], [10, 15]]), 4)
    0.3864
    """
    # Both fractions times n - 1, so that the divisor is (k - 1)(n - k).
    gained = _chi_squared(c) * (c.total - 1) - (c.k - 1) ** 2
    most = (c.k - 1) * (c.total - c.k) * (np.real(c.total) > c.k)
    return np.sqrt(ratio(gained * (np.real(gained) > 0), most))


@measure(
    symbol="C",
    aliases=("contingency_coefficient", "pearsons_contingency_coefficient"),
    range=(0, 1),
    perfect=None,
    by_chance=0,
    same="scale order transpose unused",
    orders_like="phi_squared",
    needs="cells",
    rational=False,
    references=("pearson1904",),
    good_for="comparison with older tables of results",
    not_for="a scale from 0 to 1: it stays below √((k − 1)/k); see pearson_c_adjusted",
)
def pearson_c(c: Counts) -> Values:
    r"""Pearson's contingency coefficient: strength of the relation, never quite 1.

    .. math:: C = \sqrt{\chi^2 / (n + \chi^2)}

    >>> round(pearson_c([[20, 5], [10, 15]]), 4)
    0.378
    """
    squared = _chi_squared(c)
    return np.sqrt(ratio(squared, 1 + squared))


@measure(
    symbol="C*",
    aliases=("sakoda_c",),
    range=(0, 1),
    by_chance=0,
    same="scale order transpose",
    orders_like="phi_squared",
    needs="cells",
    rational=False,
    references=("sakoda1977",),
    good_for="Pearson's coefficient on a scale that ends at 1 for k classes in use",
)
def pearson_c_adjusted(c: Counts) -> Values:
    """Pearson's contingency coefficient over the largest value that k classes allow.

    >>> round(pearson_c_adjusted([[20, 5], [10, 15]]), 4)
    0.5345
    """
    squared = _chi_squared(c)
    return np.sqrt(ratio(c.k * squared, (c.k - 1) * (1 + squared)))


def _guessing(cells: Array, margin: Values) -> tuple[Values, Values]:
    """Guess the column: hits gained by knowing the row, and errors without knowing it."""
    best = np.argmax(margin.real, axis=-1)[..., None]
    always = np.take_along_axis(cells, best[..., None, :], axis=-1)[..., 0]
    gained = (cells.max(-1) - always).sum(-1)
    return gained, np.take_along_axis(others(margin), best, axis=-1)[..., 0]


@measure(
    symbol="λ(P|T)",
    aliases=("lambda_b", "goodman_kruskal_lambda_predicted"),
    range=(0, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_predicted",
    needs="cells",
    smooth=False,
    references=("goodman1954",),
    good_for="how far the truth settles what will be predicted",
    not_for="unequal class shares: it is 0 wherever one class is the best guess in every row",
    elsewhere="Lambda B of PyCM; lambda(C|R) with the truth in rows",
)
def lambda_predicted(c: Counts) -> Values:
    r"""Share of wrong guesses at the prediction that knowing the truth would save.

    .. math:: \frac{\sum_i \max_j n_{ij} - \max_j n_{+j}}{n - \max_j n_{+j}}

    >>> lambda_predicted([[20, 5], [10, 15]])
    0.25
    """
    return ratio(*_guessing(c.cells, c.predicted))


@measure(
    symbol="λ(T|P)",
    aliases=("lambda_a", "goodman_kruskal_lambda_truth"),
    range=(0, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_in_truth",
    needs="cells",
    smooth=False,
    references=("goodman1954",),
    good_for="how many errors of always guessing the largest class the prediction can save",
    not_for="unequal class shares: it is 0 wherever one class is the best guess in every column",
    elsewhere="Lambda A of PyCM; lambda(R|C) with the truth in rows",
)
def lambda_truth(c: Counts) -> Values:
    r"""Share of wrong guesses at the truth that knowing the prediction would save.

    .. math:: \frac{\sum_j \max_i n_{ij} - \max_i n_{i+}}{n - \max_i n_{i+}}

    >>> lambda_truth([[20, 5], [10, 15]])
    0.4
    """
    return ratio(*_guessing(c.cells.swapaxes(-1, -2), c.truth))


@measure(
    symbol="λ",
    aliases=("goodman_kruskal_lambda",),
    range=(0, 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_class_each",
    needs="cells",
    smooth=False,
    references=("goodman1954",),
    good_for="lambda where neither side is there to predict the other",
)
def lambda_symmetric(c: Counts) -> Values:
    """Share of wrong guesses saved, guessing either side from the other equally often.

    >>> round(lambda_symmetric([[20, 5], [10, 15]]), 4)
    0.3333
    """
    saved, errors = _guessing(c.cells, c.predicted)
    saved_truth, errors_truth = _guessing(c.cells.swapaxes(-1, -2), c.truth)
    return ratio(saved + saved_truth, errors + errors_truth)


@measure(
    symbol="τ(P|T)",
    aliases=("concentration_coefficient", "goodman_kruskal_tau_predicted"),
    range=(0, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_predicted",
    needs="cells",
    references=("goodman1954",),
    good_for="how far the truth settles the prediction; moves where lambda stands still",
    elsewhere="tau(C|R) with the truth in rows",
)
def goodman_kruskal_tau(c: Counts) -> Values:
    r"""Share of wrong random guesses at the prediction that knowing the truth would save.

    Guesses are drawn by the shares of the predictions: of all, or of those in the row.

    .. math:: \frac{\sum_{ij} n_{ij}^2 / n_{i+} - \sum_j n_{+j}^2 / n}{n - \sum_j n_{+j}^2 / n}

    >>> round(goodman_kruskal_tau([[20, 5], [10, 15]]), 4)
    0.1667
    """
    saved = (departure(c).squared * c.predicted[..., None, :]).sum((-2, -1))
    return ratio(c.total * saved, (c.predicted * others(c.predicted)).sum(-1))


@measure(
    symbol="τ(T|P)",
    range=(0, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_in_truth",
    needs="cells",
    references=("goodman1954",),
    good_for="how far the prediction settles the truth; moves where lambda stands still",
    elsewhere="tau(R|C) with the truth in rows",
)
def goodman_kruskal_tau_truth(c: Counts) -> Values:
    """Share of wrong random guesses at the truth that knowing the prediction would save.

    Guesses are drawn by the shares of the true classes: of all, or of those in the column.

    >>> round(goodman_kruskal_tau_truth([[20, 5], [10, 15]]), 4)
    0.1667
    """
    saved = (departure(c).squared * c.truth[..., :, None]).sum((-2, -1))
    return ratio(c.total * saved, (c.truth * others(c.truth)).sum(-1))


@measure(
    symbol="ARI",
    aliases=("ari", "adjusted_rand_index"),
    range=(-0.5, 1),
    same="order transpose unused",
    undefined="no_cases one_class_each no_class_twice",
    needs="cells",
    references=("hubert1985", "rand1971"),
    good_for="clusterings, where the names of the classes mean nothing",
    not_for="classifiers, unless names may be mixed up; weights: it counts pairs of whole cases",
    elsewhere="Cohen's kappa of pairs: together or apart in truth, together or apart in prediction",
)
def adjusted_rand(c: Counts) -> Values:
    """Agreement beyond chance on which pairs of cases belong together.

    Chance here deals the cases out anew with both margins kept, so that its value is 0 on
    average, not for the table of expected counts.

    >>> round(adjusted_rand([[20, 5], [10, 15]]), 4)
    0.1432
    """
    across = others(c.cells)
    down = others(c.cells.swapaxes(-1, -2)).swapaxes(-1, -2)
    # Ordered pairs, so that no half is lost: together in both, in one, in the other, in none.
    kinds = (c.cells * (c.cells - 1), c.cells * across, c.cells * down, c.cells * others(down))
    pairs = np.stack([np.asarray(kind.sum((-2, -1))) for kind in kinds], -1)
    square = pairs.reshape(*pairs.shape[:-1], 2, 2)
    found = chance.beyond(chance.cohen, Counts(square).rescaled)
    return np.where(np.abs(np.real(found)) < 0.1, _pairs_beyond_chance(c), found)


def _pairs_beyond_chance(c: Counts) -> Values:
    """Adjusted Rand from the departures of cells, which keeps the digits of small values.

    With p and q the shares of a row and a column less 1/k, and u what is in their cell beyond
    independence, pairs together in both exceed independence by the sum of u (2 p q + u).
    Centring changes no sum, as u adds up to nothing along rows and columns.
    """
    d = departure(c)
    beyond = d.expected * d.excess
    rows, columns = (ratio(x - c.n / c.k, c.n) for x in (c.truth, c.predicted))
    surplus = (beyond * (2 * rows[..., :, None] * columns[..., None, :] + beyond)).sum((-2, -1))
    apart = [ratio((x * others(x)).sum(-1), c.total * c.total) for x in (c.truth, c.predicted)]
    together = [ratio((x * (x - 1)).sum(-1), c.total) for x in (c.truth, c.predicted)]
    return ratio(
        2 * ((c.total - 1) * surplus - apart[0] * apart[1]),
        together[0] * apart[1] + apart[0] * together[1],
    )


@measure(
    symbol="dtp",
    level="class",
    aliases=(
        "dtp",
        "wracc",
        "weighted_relative_accuracy",
        "novelty",
        "piatetsky_shapiro",
        "leverage_share",
    ),
    range=(-0.25, 0.25),
    perfect=None,
    by_chance=0,
    same="scale order transpose unused split",
    references=("powers2012", "lavrac1999", "piatetsky1991"),
    good_for="hits of a class beyond chance as a share of all cases; what rules are ranked by",
    not_for="classes of different shares: a rare class cannot score much",
    elsewhere="Covariance of the two 0/1 labels, leverage (rules), novelty, Kuhns' delta",
)
def determinant(c: Counts) -> Values:
    r"""Hits of the class beyond chance, as a share of all cases.

    .. math:: (\mathrm{tp}\,\mathrm{tn} - \mathrm{fp}\,\mathrm{fn}) / n^2

    >>> determinant([[20, 5], [10, 15]])
    array([0.1, 0.1])
    """
    return ratio(c.leverage, c.n * c.n)


@measure(
    symbol="LRS",
    level="class",
    aliases=("cn2_lrs", "rule_likelihood_ratio"),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="order unused split",
    needs="cells",
    rational=False,
    references=("clark1989",),
    good_for="whether the cases predicted as a class differ from all cases by more than chance",
    not_for="how right the predictions are: any change of the class mix counts",
)
def cn2_likelihood_ratio(c: Counts) -> Values:
    r"""Evidence that the cases predicted as the class are no random draw from all cases.

    Over all classes these add up to `g_squared`. A class never predicted gives no evidence, 0.

    .. math:: 2 \sum_i n_{ic} \ln (n_{ic} / e_{ic}), \quad e_{ic} = n_{i+} n_{+c} / n

    >>> cn2_likelihood_ratio([[20, 5], [10, 15]]).round(4)
    array([3.398 , 5.2325])
    """
    return of_class(c, 2 * c.n * departure(c).information.sum(-2))


@measure(
    symbol="Q",
    level="class",
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused split",
    orders_like="odds_ratio",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    references=("yule1900",),
    good_for="the odds ratio of a class on a scale from −1 to 1",
    not_for="telling near misses from perfection: one empty error cell makes it 1",
    elsewhere="Odds ratio skill score (weather), Goodman and Kruskal's gamma of a 2 x 2 table",
)
def yule_q(c: Counts) -> Values:
    r"""The odds ratio of the class, brought to a scale from −1 to 1.

    .. math:: Q = (\mathrm{OR} - 1) / (\mathrm{OR} + 1)

    >>> yule_q([[20, 5], [10, 15]]).round(4)
    array([0.7143, 0.7143])
    """
    return ratio(c.leverage, c.tp * c.tn + c.fp * c.fn)


@measure(
    symbol="Y",
    level="class",
    aliases=("coefficient_of_colligation",),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused split",
    orders_like="odds_ratio",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    rational=False,
    references=("yule1912",),
    good_for="informedness of the class if both margins were even",
    elsewhere="Not Youden's Y, which is informedness",
)
def yule_y(c: Counts) -> Values:
    r"""As Yule's Q, with the root of the odds ratio.

    .. math:: Y = (\sqrt{\mathrm{OR}} - 1) / (\sqrt{\mathrm{OR}} + 1)

    >>> yule_y([[20, 5], [10, 15]]).round(4)
    array([0.4202, 0.4202])
    """
    right, wrong = np.sqrt(c.tp * c.tn), np.sqrt(c.fp * c.fn)
    return ratio(right - wrong, right + wrong)


@measure(
    symbol="Y_c",
    level="class",
    aliases=("digby", "digby_h", "generalised_yule"),
    range=(-1, 1),
    by_chance=0,
    same="scale order transpose unused split",
    orders_like="odds_ratio",
    undefined="class_not_in_truth class_is_all_truth class_never_predicted class_always_predicted",
    rational=False,
    references=("digby1983", "bonett2007"),
    good_for="approaching the tetrachoric correlation of the class (power 0.75)",
)
def yule_bonett(c: Counts, power: float = 0.75) -> Values:
    r"""As Yule's Q, with a power of the odds ratio: 1 is Yule's Q, 1/2 Yule's Y.

    .. math:: H = (\mathrm{OR}^c - 1) / (\mathrm{OR}^c + 1)

    >>> yule_bonett([[20, 5], [10, 15]]).round(4)
    array([0.5862, 0.5862])
    """
    right, wrong = (c.tp * c.tn) ** power, (c.fp * c.fn) ** power
    return ratio(right - wrong, right + wrong)

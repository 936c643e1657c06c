"""Contingency: how much one label tells about the other, whatever the labels say.

A classifier that is always wrong in the same way scores as high as one that is always right:
these ask for association, not for agreement (Labatut and Cherifi, 2011).

Classes that never occur, or are never predicted, have nothing observed and nothing
expected, and add nothing. They still count as classes wherever a formula asks how many
there are, so that tables over one list of classes stay comparable.
"""

from __future__ import annotations

import numpy as np

from chancemeter import chance
from chancemeter.counts import Array, Counts, Values, dot, others, ratio
from chancemeter.independence import departure, information, log_times
from chancemeter.registry import measure


def _chi_squared(c: Counts) -> Values:
    """Chi-squared for each case."""
    return np.asarray(departure(c).squared.sum((-2, -1)))


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
    orders_like="classes_alone",
    orders_like_same_truth="truth_alone",
    undefined="",
    references=("pearson1900", "fisher1922"),
    good_for="the p-value of chi_squared, g_squared and power_divergence",
)
def chi_squared_df(c: Counts) -> Values:
    r"""Degrees of freedom of the chi-squared family: (k - 1) squared, unused classes included.

    .. math:: (k - 1)^2

    >>> chi_squared_df([[20, 5], [10, 15]])
    1.0
    """
    return np.full(c.total.shape, (c.k - 1) ** 2, dtype=c.total.dtype)


@measure(
    symbol="G²",
    aliases=("log_likelihood_ratio", "g_test", "likelihood_ratio_chi_squared", "g2"),
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
    return np.asarray(2 * c.total * information(c).sum((-2, -1)))


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
    limits={"power": (-50, 50)},
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
        return np.asarray(2 * c.total * information(c).sum((-2, -1)))
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
    r"""Chi-squared for each case.

    .. math:: \varphi^2 = \chi^2 / n, \quad \chi^2 = \sum_{ij} (n_{ij} - e_{ij})^2 / e_{ij},
        \quad e_{ij} = n_{i+} n_{+j} / n

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
    r"""Root of chi-squared for each case: strength of the relation, right or wrong way round.

    .. math:: \varphi = \sqrt{\chi^2 / n}, \quad \chi^2 = \sum_{ij} (n_{ij} - e_{ij})^2 / e_{ij},
        \quad e_{ij} = n_{i+} n_{+j} / n

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
    aliases=("bias_corrected_cramers_v", "cramers_v_bias_corrected", "bergsma_v"),
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
    aliases=(
        "pearson_contingency_coefficient",
        "contingency_coefficient",
        "pearsons_contingency_coefficient",
    ),
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
    aliases=(
        "adjusted_contingency_coefficient",
        "sakoda_c",
    ),
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
    r"""Pearson's contingency coefficient over the largest value that k classes allow.

    .. math:: \sqrt{\frac{k}{k - 1} \cdot \frac{\chi^2}{n + \chi^2}},
        \quad \chi^2 = \sum_{ij} (n_{ij} - e_{ij})^2 / e_{ij}, \quad e_{ij} = n_{i+} n_{+j} / n

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
    aliases=(
        "symmetric_lambda",
        "goodman_kruskal_lambda",
    ),
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
    r"""Share of wrong guesses saved, guessing either side from the other equally often.

    .. math:: \frac{\sum_i \max_j n_{ij} + \sum_j \max_i n_{ij} - \max_i n_{i+} - \max_j n_{+j}}
        {2n - \max_i n_{i+} - \max_j n_{+j}}

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
    return ratio(c.total * saved, dot(c.predicted, c.predicted_negative))


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
    r"""Share of wrong random guesses at the truth that knowing the prediction would save.

    Guesses are drawn by the shares of the true classes: of all, or of those in the column.

    .. math:: \frac{\sum_{ij} n_{ij}^2 / n_{+j} - \sum_i n_{i+}^2 / n}{n - \sum_i n_{i+}^2 / n}

    >>> round(goodman_kruskal_tau_truth([[20, 5], [10, 15]]), 4)
    0.1667
    """
    saved = (departure(c).squared * c.truth[..., :, None]).sum((-2, -1))
    return ratio(c.total * saved, dot(c.truth, c.negative))


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
    r"""Agreement beyond chance on which pairs of cases belong together.

    Chance here deals the cases out anew with both margins kept, so that its value is 0 on
    average, not for the table of expected counts.

    .. math:: \frac{S - T P / N}{(T + P) / 2 - T P / N}, \quad S = \sum_{ij} n_{ij} (n_{ij} - 1),
        \quad T = \sum_i n_{i+} (n_{i+} - 1), \quad P = \sum_i n_{+i} (n_{+i} - 1),
        \quad N = n (n - 1)

    >>> round(adjusted_rand([[20, 5], [10, 15]]), 4)
    0.1432
    """
    # Ordered pairs, so that no half is lost: together in both, in one, in the other, in none.
    kinds = (c.cells - 1, c.across, c.down, c.elsewhere)
    pairs = np.stack([np.asarray((c.cells * kind).sum((-2, -1))) for kind in kinds], -1)
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
    apart = [ratio(dot(x, others(x)), c.total * c.total) for x in (c.truth, c.predicted)]
    together = [ratio(dot(x, x - 1), c.total) for x in (c.truth, c.predicted)]
    return ratio(
        2 * ((c.total - 1) * surplus - apart[0] * apart[1]),
        together[0] * apart[1] + apart[0] * together[1],
    )

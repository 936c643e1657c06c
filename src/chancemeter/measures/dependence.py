"""How far a class and its prediction are from independent: 0 where one tells nothing of the other.

Most of these coefficients divide the covariance ``tp·tn − fp·fn`` by this or that.
"""

from functools import partial

import numpy as np

from chancemeter.counts import Counts, Values, limit_ratio, log, ratio
from chancemeter.independence import information
from chancemeter.registry import measure

#: A margin without spread: truth or prediction is the class always or never.
FLAT_MARGIN = "class_not_in_truth class_never_predicted class_is_all_truth class_always_predicted"
_dependence = partial(
    measure,
    level="class",
    by_chance=0,
    same="scale order transpose unused split",
)


@_dependence(
    symbol="AMPLE",
    range=(0, 1),
    same="scale order unused split",
    undefined="class_never_predicted class_always_predicted",
    smooth=False,
    references=("dallmeier2005",),
    elsewhere="finding the faulty line of a program by the tests that run it",
)
def ample(c: Counts) -> Values:
    """Markedness without its sign: how far the prediction shifts the share of the class.

    >>> ample([[20, 5], [10, 15]]).round(4)
    array([0.4167, 0.4167])
    """
    shift = np.maximum(c.leverage, -c.leverage)
    return ratio(shift, c.predicted * c.predicted_negative)


def _saved(a: Values, b: Values, c: Values, d: Values) -> Values:
    """Errors saved in guessing first or second, ``a + c`` against ``b + d``, by a sign.

    The sign tells the cases of `a` and `b` from those of `c` and `d`. It saves something only
    where it changes the guess, and exactly nothing elsewhere.
    """
    first = np.maximum(b - a, 0) + np.maximum(d - c, 0)
    second = np.maximum(a - b, 0) + np.maximum(c - d, 0)
    return np.asarray(np.where((a + c).real >= (b + d).real, first, second))


@_dependence(
    symbol="D",
    range=(0, 0.5),
    perfect=None,
    smooth=False,
    references=("anderberg1973",),
)
def anderberg(c: Counts) -> Values:
    r"""Errors that knowing one of truth and prediction saves in guessing the other, per case.

    .. math:: \frac{a - b}{2n},
        \quad a = \max(\mathrm{TP}, \mathrm{FP}) + \max(\mathrm{FN}, \mathrm{TN})
        + \max(\mathrm{TP}, \mathrm{FN}) + \max(\mathrm{FP}, \mathrm{TN}),
        \quad b = \max(n_{i+}, n - n_{i+}) + \max(n_{+i}, n - n_{+i})

    >>> anderberg([[20, 5], [15, 10]]).round(4)
    array([0.05, 0.05])
    """
    saved = _saved(c.tp, c.fp, c.fn, c.tn) + _saved(c.tp, c.fn, c.fp, c.tn)
    return ratio(saved, 2 * c.n)


@_dependence(
    symbol="λ_r",
    by_chance=None,
    aliases=("goodmankruskallambdar",),
    # Guessing one side by the other: Guttman asked for each side, Goodman and Kruskal for both.
    shorthand={
        "goodmankruskallambda": "lambda_symmetric@each",
        "guttman_lambda_a": "lambda_predicted@each",
        "guttmanlambdaa": "lambda_predicted@each",
        "guttman_lambda_b": "lambda_truth@each",
        "guttmanlambdab": "lambda_truth@each",
    },
    range=(-float("inf"), 1),
    undefined="no_cases class_in_one_cell",
    smooth=False,
    references=("goodman1954",),
)
def goodman_kruskal_lambda_r(c: Counts) -> Values:
    """Right decisions beyond always naming the more frequent, as a share of what was left.

    >>> goodman_kruskal_lambda_r([[20, 5], [10, 15]]).round(4)
    array([0.3333, 0.3333])
    """
    blind = np.minimum(c.truth, c.negative) + np.minimum(c.predicted, c.predicted_negative)
    return ratio(blind - 2 * (c.fp + c.fn), blind)


@_dependence(
    symbol="Benini₂",
    aliases=("beniniii",),
    # Benini's first is the conditional kappa of the truth; Forbes' second is Benini's second.
    shorthand={
        "benini_1": "conditional_kappa",
        "beninii": "conditional_kappa",
        "forbes_2": "benini_2",
        "forbesii": "benini_2",
    },
    range=(-float("inf"), 1),
    undefined=FLAT_MARGIN,
    smooth=False,
    references=("benini1901", "forbes1925", "loevinger1947"),
    elsewhere="Loevinger's H (scaling of tests), Cole's C7 (ecology)",
)
def benini_2(c: Counts) -> Values:
    """Covariance of truth and prediction, as a share of the largest that the margins allow.

    >>> benini_2([[20, 5], [10, 15]]).round(4)
    array([0.5, 0.5])
    """
    most = np.minimum(c.truth * c.predicted_negative, c.predicted * c.negative)
    return ratio(c.leverage, most)


@_dependence(
    symbol="Dennis",
    range=(-float("inf"), float("inf")),
    perfect=None,
    same="order transpose unused split",
    undefined="class_not_in_truth class_never_predicted",
    rational=False,
    orders_like_same_truth="dennis",
    references=("dennis1965",),
)
def dennis(c: Counts) -> Values:
    """Hits beyond those that chance expects, over the square root of those expected.

    >>> dennis([[20, 5], [10, 15]]).round(4)
    array([1.291 , 1.5811])
    """
    return ratio(c.leverage, np.sqrt(c.n * c.truth * c.predicted))


@_dependence(
    symbol="φ²",
    range=(0, 1),
    undefined=FLAT_MARGIN,
    references=("doolittle1884",),
    not_for="telling skill from being reliably wrong: both score 1",
)
def doolittle(c: Counts) -> Values:
    """Informedness times markedness: the correlation squared.

    >>> doolittle([[20, 5], [10, 15]]).round(4)
    array([0.1667, 0.1667])
    """
    informed = ratio(c.leverage, c.truth * c.negative)
    return informed * ratio(c.leverage, c.predicted * c.predicted_negative)


@_dependence(
    symbol="Eyraud",
    range=(-float("inf"), float("inf")),
    perfect=None,
    undefined=FLAT_MARGIN,
    references=("eyraud1938", "choi2010"),
)
def eyraud(c: Counts) -> Values:
    """Covariance of truth and prediction, over the product of their two variances.

    All in shares of the cases. Some packages put counts into the formula meant for shares,
    which leaves little more than −1 over a product of margins.

    >>> eyraud([[20, 5], [10, 15]]).round(4)
    array([1.6667, 1.6667])
    """
    informed = ratio(c.leverage, c.truth * c.negative)
    return informed * ratio(c.n * c.n, c.predicted * c.predicted_negative)


@_dependence(
    symbol="KR",
    aliases=("kuderrichardson",),
    range=(-float("inf"), 1),
    undefined="no_cases class_in_one_cell",
    references=("kuder1937",),
)
def kuder_richardson(c: Counts) -> Values:
    """Reliability of truth and prediction taken as a test of two items.

    >>> kuder_richardson([[20, 5], [10, 15]]).round(4)
    array([0.5797, 0.5797])
    """
    # Without right decisions it goes to minus infinity.
    among = 4 * c.tp * c.tn + (c.tp + c.tn) * (c.fp + c.fn)
    return 0 - limit_ratio(-4 * c.leverage, among)


@_dependence(
    symbol="K_I",
    aliases=("kuhnsi",),
    # Half of it is the covariance itself, which statistics calls the determinant.
    shorthand={"dispersion": "determinant"},
    range=(-0.5, 0.5),
    perfect=None,
    orders_like="determinant",
    references=("kuhns1965",),
)
def kuhns_1(c: Counts) -> Values:
    """Twice the hits beyond those that chance expects, per case.

    >>> kuhns_1([[20, 5], [10, 15]]).round(4)
    array([0.2, 0.2])
    """
    return ratio(2 * c.leverage, c.n * c.n)


@_dependence(
    symbol="K_II",
    aliases=("kuhnsii",),
    range=(-0.5, 1),
    perfect=None,
    undefined="class_nowhere",
    smooth=False,
    references=("kuhns1965",),
)
def kuhns_2(c: Counts) -> Values:
    """Hits beyond chance, over how often the class occurs or is predicted, the larger.

    >>> kuhns_2([[20, 5], [10, 15]]).round(4)
    array([0.1667, 0.2   ])
    """
    return ratio(c.leverage, c.n * np.maximum(c.truth, c.predicted))


@_dependence(
    symbol="K_III",
    aliases=("kuhnsiii",),
    range=(-1 / 3, 1),
    perfect=None,
    undefined="class_nowhere",
    references=("kuhns1965",),
)
def kuhns_3(c: Counts) -> Values:
    """Hits beyond chance, over a quantity that also grows with the errors.

    >>> kuhns_3([[20, 5], [10, 15]]).round(4)
    array([0.1964, 0.2143])
    """
    either = c.tp + c.fp + c.fn
    beyond_overlap = c.n * c.predicted + c.truth * c.predicted_negative
    return ratio(c.leverage * (c.truth + c.predicted), either * beyond_overlap)


@_dependence(
    symbol="K_IV",
    aliases=("kuhnsiv",),
    range=(-1, 1),
    perfect=None,
    undefined="class_not_in_truth class_never_predicted",
    smooth=False,
    references=("kuhns1965",),
)
def kuhns_4(c: Counts) -> Values:
    """Hits beyond chance, over how often the class occurs or is predicted, the smaller.

    >>> kuhns_4([[20, 5], [10, 15]]).round(4)
    array([0.2 , 0.25])
    """
    return ratio(c.leverage, c.n * np.minimum(c.truth, c.predicted))


@_dependence(
    symbol="K_V",
    aliases=("kuhnsv",),
    range=(-1, 1),
    undefined="no_cases class_in_one_cell",
    smooth=False,
    references=("kuhns1965",),
)
def kuhns_5(c: Counts) -> Values:
    """Informedness or markedness, whichever is nearer to 0.

    >>> kuhns_5([[20, 5], [10, 15]]).round(4)
    array([0.4, 0.4])
    """
    spread = np.maximum(c.truth * c.negative, c.predicted * c.predicted_negative)
    return ratio(c.leverage, spread)


@_dependence(
    symbol="K_VI",
    aliases=("kuhnsvi",),
    range=(-1, 1),
    undefined=FLAT_MARGIN,
    smooth=False,
    references=("kuhns1965",),
)
def kuhns_6(c: Counts) -> Values:
    """Informedness or markedness, whichever is farther from 0.

    >>> kuhns_6([[20, 5], [10, 15]]).round(4)
    array([0.4167, 0.4167])
    """
    spread = np.minimum(c.truth * c.negative, c.predicted * c.predicted_negative)
    return ratio(c.leverage, spread)


@_dependence(
    symbol="K_VII",
    aliases=("kuhnsvii",),
    range=(-0.5, 1),
    perfect=None,
    undefined="class_not_in_truth class_never_predicted",
    rational=False,
    orders_like_same_truth="dennis",
    references=("kuhns1965",),
)
def kuhns_7(c: Counts) -> Values:
    """Hits beyond chance, over the mean of how often the class occurs and is predicted.

    The mean is the geometric one.

    >>> kuhns_7([[20, 5], [10, 15]]).round(4)
    array([0.1826, 0.2236])
    """
    return ratio(c.leverage, c.n * np.sqrt(c.truth * c.predicted))


@_dependence(
    symbol="GW",
    by_chance=None,
    aliases=("gilbertwells",),
    range=(-float("inf"), float("inf")),
    perfect=None,
    same="order transpose unused split",
    undefined=FLAT_MARGIN,
    rational=False,
    references=("gilbert1966",),
    good_for="small counts: how unlikely a table as uneven would be if nothing were related",
)
def gilbert_wells(c: Counts) -> Values:
    r"""How improbable the table is among those of its margins, as a logarithm.

    .. math:: \ln \frac{n^3}{2 \pi (a+b)(a+c)(b+d)(c+d)}
              + 2 \ln \frac{n!\, a!\, b!\, c!\, d!}{(a+b)!\,(a+c)!\,(b+d)!\,(c+d)!}

    >>> gilbert_wells([[20, 5], [10, 15]]).round(4)
    array([8.2705, 8.2705])
    """
    # The large terms x ln x − x of the factorials make up the information of the table,
    # which has a form without cancellation; what remains of them is small.
    n = c.n + np.zeros_like(c.tp)
    margins = (c.truth, c.predicted, c.negative, c.predicted_negative)
    rest = _factorial_rest(np.stack([n, c.tp, c.fp, c.fn, c.tn, *margins]))
    rest = rest[:5].sum(0) - rest[5:].sum(0)
    told = c.n * information(c.one_vs_rest).sum((-2, -1))
    odds = ratio(c.n, c.truth * c.negative) * ratio(c.n * c.n, c.predicted * c.predicted_negative)
    return np.asarray(log(odds / (2 * np.pi)) + 2 * (told + rest))


#: From here up six terms of Stirling's series are exact to a double.
_FAR = 12


def _factorial_rest(x: Values) -> Values:
    """``ln x! − x ln x + x`` for `x` from 0 up, also between whole numbers.

    Stirling's series; below 12 from twelve numbers higher, as ``x! = (x + 12)! / (x + 1) …``.

    >>> _factorial_rest(np.array([0.0, 1.0, 1e15])).round(12) + 0.0
    array([ 0.        ,  1.        , 18.18832673])
    """
    small = x.real < _FAR
    y = np.where(small, x + _FAR, x)
    one = ratio(y, y)
    # (x + 1) … (x + 12) in units of y, to stay near 1.
    steps = one
    for i in range(1, _FAR + 1):
        steps = steps * np.where(small, ratio(x + i, y), one)
    down = x * log(ratio(y, np.where(np.equal(x, 0), y, x))) - _FAR - log(steps)
    return log(2 * np.pi * y) / 2 + _stirling(ratio(1, y)) + np.where(small, down, 0)


def _stirling(u: Values) -> Values:
    """``1/12x − 1/360x³ + 1/1260x⁵ …`` for ``u = 1/x``."""
    square, series = u * u, np.zeros_like(u)
    for b in (-691 / 360360, 1 / 1188, -1 / 1680, 1 / 1260, -1 / 360, 1 / 12):
        series = series * square + b
    return series * u

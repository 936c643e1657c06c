"""Information: how many bits truth and prediction hold, share, and confuse.

Every logarithm is of one plus something that was added up, never a difference of
entropies, so that small amounts of information keep their digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from chancemeter.counts import Array, Counts, Values, added, once, others, plain, ratio
from chancemeter.errors import Fault, UnknownNameError, did_you_mean
from chancemeter.independence import gain, information
from chancemeter.measures._shared import of_class, unit
from chancemeter.registry import measure

#: Largest value of the sum of -p log2 p over two shares that need not add up to 1.
_MOST_CONFUSED = 2 / (math.e * math.log(2))


def _surprise(counts: Array, rest: Array) -> Array:
    """Give ``counts · ln(whole / counts)``, where `rest` makes `counts` whole."""
    return counts * np.log1p(ratio(rest, counts + np.equal(counts, 0)))


def _nats(counts: Values) -> Values:
    """Entropy of the last axis, in nats."""
    return ratio(added(_surprise(counts, others(counts))), added(counts))


@once
def _left_about_prediction(c: Counts) -> Values:
    """Uncertainty left about the prediction when the truth is known, in nats."""
    return ratio(_surprise(c.cells, c.across).sum((-2, -1)), c.total)


@once
def _left_about_truth(c: Counts) -> Values:
    """Uncertainty left about the truth when the prediction is known, in nats."""
    return ratio(_surprise(c.cells, c.down).sum((-2, -1)), c.total)


def _told(shared: Values, left: Values, whole: Values) -> Values:
    """Share of `whole` that is `shared`; from what is `left` where that is the smaller part."""
    rest = ratio(left, whole)
    return np.where(np.real(rest) < 0.5, 1 - rest, ratio(shared, whole))


def _shared(c: Counts) -> Values:
    """Mutual information in nats."""
    return np.asarray(information(c).sum((-2, -1)))


@measure(
    symbol="H(T)",
    aliases=("reference_entropy", "truth_entropy"),
    range=(0, np.inf),
    perfect=None,
    direction="neither",
    same="scale order unused",
    orders_like_same_truth="truth_alone",
    rational=False,
    references=("shannon1948",),
    good_for="how hard the truth is to guess without a classifier",
)
def entropy_truth(c: Counts, base: float = 2) -> Values:
    r"""How uncertain the truth is before anything is predicted, in bits.

    .. math:: H(T) = -\sum_i p_{i+} \log p_{i+}

    >>> entropy_truth([[20, 5], [10, 15]])
    1.0
    """
    return _nats(c.truth) / unit(base)


@measure(
    symbol="H(P)",
    aliases=("response_entropy", "prediction_entropy"),
    range=(0, np.inf),
    perfect=None,
    direction="neither",
    same="scale order unused",
    rational=False,
    references=("shannon1948",),
    good_for="how varied the predictions are: 0 if one class is always predicted",
)
def entropy_predicted(c: Counts, base: float = 2) -> Values:
    r"""How uncertain the prediction is before the case is seen, in bits.

    .. math:: H(P) = -\sum_j p_{+j} \log p_{+j}

    >>> round(entropy_predicted([[20, 5], [10, 15]]), 4)
    0.971
    """
    return _nats(c.predicted) / unit(base)


@measure(
    symbol="H(T, P)",
    range=(0, np.inf),
    perfect=None,
    direction="neither",
    needs="cells",
    same="scale order transpose unused",
    rational=False,
    references=("shannon1948",),
    good_for="how varied the table is as a whole",
)
def joint_entropy(c: Counts, base: float = 2) -> Values:
    r"""How uncertain truth and prediction are together, in bits.

    .. math:: H(T, P) = -\sum_{ij} p_{ij} \log p_{ij}

    >>> round(joint_entropy([[20, 5], [10, 15]]), 4)
    1.8464
    """
    return (_nats(c.truth) + _left_about_prediction(c)) / unit(base)


@measure(
    symbol="H(P|T)",
    aliases=("conditional_entropy_predicted",),
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    needs="cells",
    same="scale order unused",
    rational=False,
    references=("shannon1948",),
    good_for="how erratic the classifier is on cases of one class",
    not_for="being right: always answering the same wrong class is not erratic",
)
def conditional_entropy(c: Counts, base: float = 2) -> Values:
    r"""How uncertain the prediction still is when the truth is known, in bits.

    .. math:: H(P|T) = -\sum_{ij} p_{ij} \log (p_{ij} / p_{i+})

    >>> round(conditional_entropy([[20, 5], [10, 15]]), 4)
    0.8464
    """
    return _left_about_prediction(c) / unit(base)


@measure(
    symbol="H(T|P)",
    aliases=("equivocation",),
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    orders_like_same_truth="mutual_information",
    needs="cells",
    same="scale order unused",
    rational=False,
    references=("shannon1948",),
    good_for="how much is still to be found out after the classifier has spoken",
)
def conditional_entropy_truth(c: Counts, base: float = 2) -> Values:
    r"""How uncertain the truth still is when the prediction is known, in bits.

    .. math:: H(T|P) = -\sum_{ij} p_{ij} \log (p_{ij} / p_{+j})

    >>> round(conditional_entropy_truth([[20, 5], [10, 15]]), 4)
    0.8755
    """
    return _left_about_truth(c) / unit(base)


@measure(
    symbol="H(T; P)",
    range=(0, np.inf),
    perfect=None,
    direction="lower",
    same="scale order unused",
    orders_like_same_truth="cross_entropy",
    rational=False,
    references=("shannon1948", "kullback1951"),
    good_for="the cost of coding true classes by the shares of the predicted ones",
    not_for="log loss of predicted probabilities: it knows the two margins only",
)
def cross_entropy(c: Counts, base: float = 2) -> Values:
    r"""Mean surprise at the true classes if the shares of the predictions are expected, in bits.

    Infinite if a class occurs that is never predicted.

    .. math:: -\sum_i p_{i+} \log p_{+i}

    >>> round(cross_entropy([[20, 5], [10, 15]]), 4)
    1.0294
    """
    never = np.equal(c.predicted, 0)
    each = c.truth * np.log1p(ratio(c.predicted_negative, c.predicted + never))
    missed = never & np.not_equal(c.truth, 0)
    each = np.where(missed, np.inf, each)
    return ratio(added(each), c.total) / unit(base)


@measure(
    symbol="D(T‖P)",
    aliases=("kullback_leibler_divergence", "relative_entropy"),
    range=(0, np.inf),
    perfect=0,
    direction="lower",
    same="scale order unused split",
    orders_like_same_truth="cross_entropy",
    rational=False,
    references=("kullback1951",),
    good_for="how far the shares of the predicted classes are from those of the true ones",
    not_for="single predictions: equal shares give 0, right or wrong",
)
def kl_divergence(c: Counts, base: float = 2) -> Values:
    r"""Bits lost by expecting the predicted shares where the true shares hold.

    Infinite if a class occurs that is never predicted.

    .. math:: \sum_i p_{i+} \log (p_{i+} / p_{+i})

    >>> round(kl_divergence([[20, 5], [10, 15]]), 4)
    0.0294
    """
    never = np.equal(c.predicted, 0)
    some = c.predicted + never
    # Margins differ by what was missed less the false alarms: exact for whole counts.
    each = c.predicted * gain(ratio(c.truth, some), ratio(c.fn - c.fp, some))
    missed = never & np.not_equal(c.truth, 0)
    each = np.where(missed, np.inf, each)
    return ratio(added(each), c.total) / unit(base)


@measure(
    symbol="I(T; P)",
    aliases=("information_gain", "average_mutual_information"),
    range=(0, np.inf),
    perfect=None,
    by_chance=0,
    same="scale order transpose unused",
    orders_like_same_truth="mutual_information",
    needs="cells",
    rational=False,
    references=("shannon1948", "finn1993"),
    good_for="how many bits of the truth the prediction carries, mixed-up names allowed",
    not_for="small samples: chance alone shares some information; see g_squared",
)
def mutual_information(c: Counts, base: float = 2) -> Values:
    r"""How much the prediction tells about the truth, and the other way round, in bits.

    .. math:: I = \sum_{ij} p_{ij} \log \frac{p_{ij}}{p_{i+} p_{+j}}

    >>> round(mutual_information([[20, 5], [10, 15]]), 4)
    0.1245
    """
    return _shared(c) / unit(base)


@measure(
    symbol="U(T|P)",
    aliases=(
        "theils_uncertainty_coefficient",
        "relative_classifier_information",
        "rci",
        "theils_u_truth",
        "uncertainty_coefficient",
        "proficiency",
        "homogeneity",
    ),
    range=(0, 1),
    by_chance=0,
    same="scale order unused",
    orders_like_same_truth="mutual_information",
    undefined="no_cases one_class_in_truth",
    needs="cells",
    rational=False,
    references=("theil1970", "sindhwani2001", "white2004"),
    good_for="the share of what there was to know about the truth that the prediction tells",
    not_for="being right: swapped names score the same",
    elsewhere="RCI of PyCM, proficiency, homogeneity of a clustering",
)
def theils_u(c: Counts) -> Values:
    r"""Share of the uncertainty about the truth that the prediction removes.

    .. math:: U(T|P) = I(T; P) / H(T)

    >>> round(theils_u([[20, 5], [10, 15]]), 4)
    0.1245
    """
    return _told(_shared(c), _left_about_truth(c), _nats(c.truth))


@measure(
    symbol="U(P|T)",
    aliases=("completeness",),
    range=(0, 1),
    by_chance=0,
    same="scale order unused",
    undefined="no_cases one_class_predicted",
    needs="cells",
    rational=False,
    references=("theil1970",),
    good_for="the share of the predictions' variety that stems from the truth",
    elsewhere="Completeness of a clustering",
)
def theils_u_predicted(c: Counts) -> Values:
    r"""Share of the uncertainty about the prediction that the truth removes.

    .. math:: U(P|T) = I(T; P) / H(P)

    >>> round(theils_u_predicted([[20, 5], [10, 15]]), 4)
    0.1282
    """
    return _told(_shared(c), _left_about_prediction(c), _nats(c.predicted))


_MEANS: dict[str, Callable[[Values, Values], Values]] = {
    "arithmetic": lambda a, b: (a + b) / 2,
    "geometric": lambda a, b: np.sqrt(a * b),
    "min": np.minimum,
    "max": np.maximum,
}


@measure(
    symbol="NMI",
    aliases=("nmi", "theils_u_symmetric", "symmetric_uncertainty"),
    range=(0, 1),
    by_chance=0,
    same="scale order transpose unused",
    undefined="no_cases one_class_each",
    needs="cells",
    rational=False,
    references=("strehl2002", "theil1970"),
    good_for="shared information where neither side is there to predict the other",
    not_for="small samples of many classes: it is not corrected for chance",
    elsewhere="V-measure of a clustering",
)
def normalized_mutual_information(c: Counts, average: str = "arithmetic") -> Values:
    r"""Shared information as a share of the mean uncertainty of truth and prediction.

    .. math:: 2 I(T; P) / (H(T) + H(P))

    ``average`` is ``"arithmetic"``, ``"geometric"``, ``"min"`` or ``"max"``.

    >>> round(normalized_mutual_information([[20, 5], [10, 15]]), 4)
    0.1263
    >>> round(normalized_mutual_information([[20, 5], [10, 15]], average="min"), 4)
    0.1282
    """
    if average not in _MEANS:
        fix = did_you_mean(average, _MEANS, f"one of {', '.join(_MEANS)}")
        what = f"there is no average called {average!r}"
        raise UnknownNameError(Fault("CM302", what, fix=fix))
    return ratio(_shared(c), _MEANS[average](_nats(c.truth), _nats(c.predicted)))


def _confusion(c: Counts, alarmed: Values, missed: Values) -> Values:
    """Spread of the errors of each class over the other classes, times the cases it involves.

    A class involves its row and `alarmed`, which is also its column and `missed`. The unit
    is such that a class confused evenly with all others, both ways, and never hit, has 1.
    """
    base = math.log(2 * (c.k - 1)) if c.k > 1 else math.nan
    given = _surprise(c.errors, c.across + alarmed[..., :, None]).sum(-1)
    taken = _surprise(c.errors, c.down + missed[..., None, :]).sum(-2)
    return np.asarray((given + taken) / base)


@once
def _confusion_with_hits(c: Counts) -> Values:
    return _confusion(c, c.predicted, c.truth)


@once
def _confusion_of_errors(c: Counts) -> Values:
    return _confusion(c, c.fp, c.fn)


@measure(
    symbol="CEN",
    level="class",
    aliases=("cen",),
    range=(0, _MOST_CONFUSED),
    perfect=0,
    direction="lower",
    same="scale order transpose",
    undefined="class_nowhere",
    needs="cells",
    rational=False,
    references=("wei2010",),
    good_for="how many ways a class is confused in: spread errors cost more than one habit",
    not_for="two classes, where fewer hits can score better: overall_modified_confusion_entropy",
)
def confusion_entropy(c: Counts) -> Values:
    r"""How spread out the errors with a class are over the other classes, both ways.

    .. math:: -\sum_{l \ne c} \left(p_{cl} \log p_{cl} + p_{lc} \log p_{lc}\right), \quad
        p_{ij} = \frac{n_{ij}}{n_{c+} + n_{+c}}, \text{ logarithms to base } 2(k-1)

    >>> confusion_entropy([[20, 5], [10, 15]]).round(4)
    array([0.7617, 0.8344])
    """
    c, asked = plain(c), c
    each = ratio(_confusion_with_hits(c), c.truth + c.predicted)
    return of_class(asked, each)


@measure(
    symbol="MCEN",
    level="class",
    aliases=("mcen",),
    range=(0, _MOST_CONFUSED),
    perfect=0,
    direction="lower",
    same="scale order transpose",
    undefined="class_nowhere",
    needs="cells",
    rational=False,
    references=("delgado2019",),
    good_for="confusion entropy that counts a hit once, not as truth and again as prediction",
)
def modified_confusion_entropy(c: Counts) -> Values:
    r"""As confusion entropy, with errors as shares of the cases that involve the class.

    .. math:: -\sum_{l \ne c} \left(p_{cl} \log p_{cl} + p_{lc} \log p_{lc}\right), \quad
        p_{ij} = \frac{n_{ij}}{n_{c+} + n_{+c} - n_{cc}}, \text{ logarithms to base } 2(k-1)

    >>> modified_confusion_entropy([[20, 5], [10, 15]]).round(4)
    array([0.9174, 0.9591])
    """
    c, asked = plain(c), c
    return of_class(asked, ratio(_confusion_of_errors(c), c.truth + c.fp))


@measure(
    symbol="CEN",
    aliases=("overall_cen",),
    range=(0, _MOST_CONFUSED),
    perfect=0,
    direction="lower",
    same="scale order transpose",
    needs="cells",
    rational=False,
    references=("wei2010",),
    good_for="one number for how widely errors are spread over the table",
    not_for="two classes: see overall_modified_confusion_entropy",
)
def overall_confusion_entropy(c: Counts) -> Values:
    r"""Confusion entropy of all classes, each by how often it is true or predicted.

    .. math:: \sum_c \frac{n_{c+} + n_{+c}}{2n} \mathrm{CEN}_c

    >>> round(overall_confusion_entropy([[20, 5], [10, 15]]), 4)
    0.7944
    """
    return ratio(added(_confusion_with_hits(c)), 2 * c.total)


@measure(
    symbol="MCEN",
    aliases=("overall_mcen",),
    range=(0, _MOST_CONFUSED),
    perfect=0,
    direction="lower",
    same="scale order transpose",
    needs="cells",
    rational=False,
    references=("delgado2019",),
    good_for="overall confusion entropy that behaves with two classes as well",
)
def overall_modified_confusion_entropy(c: Counts) -> Values:
    r"""Modified confusion entropy of all classes, each by the cases that involve it.

    With two classes the weights are shares of 2 n and add up to less than 1, as published.

    .. math:: \sum_c \frac{n_{c+} + n_{+c} - n_{cc}}{2n - \alpha \sum_l n_{ll}} \mathrm{MCEN}_c,
        \quad \alpha = 1 \text{ for } k > 2, \text{ else } 0

    >>> round(overall_modified_confusion_entropy([[20, 5], [10, 15]]), 4)
    0.6088
    """
    of = c.total + c.wrong if c.k > 2 else 2 * c.total
    return ratio(added(_confusion_of_errors(c)), of)

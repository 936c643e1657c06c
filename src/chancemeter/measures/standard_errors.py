"""Standard errors that have a closed form and a name; every other one comes from `intervals`."""

import numpy as np

from chancemeter import chance
from chancemeter.counts import Counts, Values, ratio
from chancemeter.registry import measure


@measure(
    symbol="SE(Acc)",
    aliases=("standard_error_of_accuracy", "se_acc", "accuracy_standard_error"),
    range=(0, 0.5),
    perfect=0,
    direction="neither",
    same="order transpose unused split",
    rational=False,
    references=("bendavid2007",),
    not_for="intervals near 0 or 1, where it shrinks to nothing",
)
def se_accuracy(c: Counts) -> Values:
    r"""Standard error of accuracy, cases drawn independently.

    .. math:: \sqrt{p_o (1 - p_o) / n}

    >>> round(se_accuracy([[20, 5], [10, 15]]), 4)
    0.0648
    """
    return np.sqrt(ratio(ratio(c.right * c.wrong, c.total * c.total), c.total))


@measure(
    symbol="SE(κ) 1960",
    aliases=("kappa_standard_error", "se_kappa_1960"),
    range=(0, float("inf")),
    perfect=0,
    direction="neither",
    same="order transpose unused",
    undefined="no_cases one_and_the_same_class",
    rational=False,
    references=("cohen1960",),
    not_for="intervals: it takes chance for known and can be 2.5 times too wide; see se_kappa",
)
def se_kappa_cohen(c: Counts) -> Values:
    r"""Cohen's first, approximate standard error of kappa, which PyCM prints.

    .. math:: \sqrt{\frac{p_o (1 - p_o)}{n (1 - p_e)^2}}, \quad p_e = \sum_i p_{i+} p_{+i}

    >>> round(se_kappa_cohen([[20, 5], [10, 15]]), 4)
    0.1296
    """
    expected = chance.cohen.expect(c)
    free = ratio(expected.wrong, expected.right + expected.wrong)
    return ratio(se_accuracy.formula(c), free)


@measure(
    symbol="SE(κ)",
    aliases=("kappa_ase", "se_kappa_fce", "kappa_asymptotic_standard_error"),
    range=(0, float("inf")),
    perfect=0,
    direction="neither",
    same="order transpose unused",
    undefined="no_cases one_and_the_same_class",
    needs="cells",
    rational=False,
    references=("fleiss1969",),
)
def se_kappa(c: Counts) -> Values:
    r"""Large-sample standard error of kappa (Fleiss, Cohen and Everitt).

    .. math:: \sqrt{\frac{1}{n} \sum_{ij} p_{ij} (u_{ij} - \bar u)^2},
        \quad \bar u = \sum_{ij} p_{ij} u_{ij},
        \quad u_{ij} = \frac{[i = j] (1 - p_e) - (1 - p_o) (p_{+i} + p_{j+})}{(1 - p_e)^2},
        \quad p_e = \sum_i p_{i+} p_{+i}

    >>> round(se_kappa([[20, 5], [10, 15]]), 4)
    0.127
    """
    n = c.total[..., None, None]
    expected = chance.cohen.expect(c)
    free = ratio(expected.wrong, expected.right + expected.wrong)[..., None, None]
    wrong = ratio(c.wrong, c.total)[..., None, None]
    margins = ratio(c.predicted[..., :, None] + c.truth[..., None, :], n)
    pull = ratio(np.eye(c.k) * free - wrong * margins, free * free)
    shares = ratio(c.cells, n)
    centred = pull - (shares * pull).sum((-2, -1), keepdims=True)
    return np.sqrt(ratio((shares * centred * centred).sum((-2, -1)), c.total))

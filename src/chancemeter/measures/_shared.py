"""What the families of rates, overlap and balance have in common."""

import math
from math import inf, nan

import numpy as np

from chancemeter.counts import Counts, Values, log, ratio
from chancemeter.errors import Fault, InputError, printable

#: Ratios no farther from 1 than this have their logarithm from the difference.
_NEAR = 0.5


def averages(key: str, *names: str) -> dict[str, str]:
    """Peers' names for averages over classes: ``tpr_macro`` for ``recall@macro`` and so on."""
    forms = {"macro": "macro", "micro": "micro", "weighted": "truth"}
    return {f"{name}_{word}": f"{key}@{form}" for name in names for word, form in forms.items()}


def log_ratio(c: Counts, above: Values, below: Values) -> Values:
    """``log(above / below)`` where above − below is the leverage, which keeps the digits near 0."""
    endless = np.equal(below, 0)
    below = np.where(endless, 1, below)
    beyond = ratio(c.leverage, below)
    near = np.abs(beyond) < _NEAR
    value = np.where(near, np.log1p(near * beyond), log(ratio(above, below)))
    return np.where(endless, np.where(np.equal(above, 0), nan, inf), value)


def unit(base: float) -> float:
    """What is measured in nats is divided by this to have logarithms to `base`.

    >>> unit(2)
    0.6931471805599453
    """
    if not base > 1:
        raise InputError(Fault("CM302", "'base' is a number above 1", saw=printable(base)))
    return math.log(base)


def of_class(c: Counts, values: Values) -> Values:
    """`values` of all classes; of the first one only where `c` is pooled for a micro average."""
    return values if values.ndim == c.truth.ndim else values[..., 0]

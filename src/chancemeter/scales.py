"""Words for values, by scales that others have published.

These scales are named and used on request only, never by default: they are somewhat arbitrary.
None of them knows how many classes there are, how large the test set is or how much chance gives
away, and what is a good value in one field is a poor one in another (kolb2018). Where a scale is
given in steps of 0.01, as "0.21 to 0.40", it is read as "above 0.20, up to 0.40".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from chancemeter.errors import Fault, UnknownNameError, did_you_mean, printable

Side = Literal["above", "below"]

#: A value as near to a cut as this is on it: 0.6000000000000001 is 0.6.
_ROUNDING = 1e-12


@dataclass(frozen=True, kw_only=True)
class Scale:
    """Cut points and the words between them, from low to high."""

    key: str
    name: str
    """What it is called for short; `get` takes it as well as the key."""
    title: str
    measure: str
    """The expression of the measure that it is meant for."""
    words: tuple[str, ...]
    cuts: tuple[float, ...]
    on_cut: tuple[Side, ...]
    """For each cut: whether a value on it has the word above the cut or the one below."""
    two_sided: bool = False
    """Whether it is a scale of size, negative values being as strong as positive ones."""
    references: tuple[str, ...]
    note: str = ""

    def word(self, value: float) -> str:
        """The word for `value`; the outermost words hold however far out it is.

        >>> SCALES["soa1"].word(0.4), SCALES["soa1"].word(0.41)
        ('fair', 'moderate')
        """
        if math.isnan(value):
            return "undefined"
        size = abs(value) if self.two_sided else value
        steps = sum(
            side == "above" if abs(size - cut) <= _ROUNDING else size > cut
            for cut, side in zip(self.cuts, self.on_cut, strict=True)
        )
        negative = self.two_sided and value < 0 and steps > 0
        return f"{self.words[steps]}, negative" if negative else self.words[steps]


SCALES: dict[str, Scale] = {}


def _declare(key: str, *, on_cut: Side | tuple[Side, ...] = "above", **fields: Any) -> None:
    sides = (on_cut,) * len(fields["cuts"]) if isinstance(on_cut, str) else on_cut
    SCALES[key] = Scale(key=key, on_cut=sides, **fields)


_declare(
    "soa1",
    name="landis_koch",
    title="Landis and Koch",
    measure="kappa",
    words=("poor", "slight", "fair", "moderate", "substantial", "almost perfect"),
    cuts=(0.0, 0.2, 0.4, 0.6, 0.8),
    on_cut=("above", "below", "below", "below", "below"),
    references=("landis1977",),
    note="its authors call the divisions clearly arbitrary",
)
_declare(
    "soa2",
    name="fleiss",
    title="Fleiss",
    measure="kappa",
    words=("poor", "fair to good", "excellent"),
    cuts=(0.4, 0.75),
    on_cut=("above", "below"),
    references=("fleiss1981",),
)
_declare(
    "soa3",
    name="altman",
    title="Altman",
    measure="kappa",
    words=("poor", "fair", "moderate", "good", "very good"),
    cuts=(0.2, 0.4, 0.6, 0.8),
    on_cut="below",
    references=("altman1990",),
    note="in print 0.20 itself has no word",
)
_declare(
    "soa4",
    name="cicchetti",
    title="Cicchetti and Sparrow",
    measure="kappa",
    words=("poor", "fair", "good", "excellent"),
    cuts=(0.4, 0.6, 0.75),
    references=("cicchetti1981", "cicchetti1994"),
)
_declare(
    "soa5",
    name="cramer",
    title="Rea and Parker, for Cramér's V",
    measure="cramers_v",
    words=("negligible", "weak", "moderate", "relatively strong", "strong", "very strong"),
    cuts=(0.1, 0.2, 0.4, 0.6, 0.8),
    references=("rea1992", "lee2016"),
)

_CORRELATION: dict[str, Any] = {
    "words": ("negligible", "weak", "moderate", "strong", "very strong"),
    "cuts": (0.3, 0.5, 0.7, 0.9),
    "two_sided": True,
    "references": ("hinkle2003",),
    "note": "a scale of Pearson's correlation, which the Matthews coefficient is",
}
_declare(
    "soa6",
    name="matthews",
    title="Hinkle, Wiersma and Jurs, for the correlation of a table",
    measure="mcc",
    **_CORRELATION,
)

_LAMBDA: dict[str, Any] = {
    "words": ("very weak", "weak", "moderate", "strong", "very strong", "perfect"),
    "cuts": (0.2, 0.4, 0.6, 0.8, 1.0),
    "references": ("villela2014",),
}
_declare(
    "soa7",
    name="lambda_a",
    title="Villela and others, for lambda of the truth",
    measure="lambda_truth",
    **_LAMBDA,
)
_declare(
    "soa8",
    name="lambda_b",
    title="Villela and others, for lambda of the prediction",
    measure="lambda_predicted",
    **_LAMBDA,
)
_declare(
    "soa9",
    name="krippendorff",
    title="Krippendorff",
    measure="krippendorff_alpha",
    words=("low", "tentative", "high"),
    cuts=(0.667, 0.8),
    references=("krippendorff2004",),
    note="below 0.667 data are to be discarded; up to 0.8 conclusions are tentative",
)
_declare(
    "soa10",
    name="pearson_c",
    title="Schubert and Leimstoll, for Pearson's contingency coefficient",
    measure="pearson_c",
    words=("not appreciable", "weak", "medium", "strong"),
    cuts=(0.1, 0.2, 0.3),
    references=("schubert2007",),
    note="the coefficient cannot reach 1, and what it can reach depends on the number of classes",
)
_declare(
    "regier",
    name="dsm5",
    title="Regier and others, the field trials of DSM-5",
    measure="kappa",
    words=("unacceptable", "questionable", "good", "very good", "excellent"),
    cuts=(0.2, 0.4, 0.6, 0.8),
    references=("regier2013",),
)
_declare(
    "plri",
    name="likelihood_positive",
    title="Positive likelihood ratio",
    measure="likelihood_ratio_positive",
    words=("negligible", "poor", "fair", "good"),
    cuts=(1.0, 5.0, 10.0),
    on_cut=("above", "above", "below"),
    references=("bekkar2013", "jaeschke1994"),
)
_declare(
    "nlri",
    name="likelihood_negative",
    title="Negative likelihood ratio",
    measure="likelihood_ratio_negative",
    words=("good", "fair", "poor", "negligible"),
    cuts=(0.1, 0.2, 0.5),
    references=("raslich2007", "jaeschke1994"),
)
_declare(
    "dpi",
    name="discriminant",
    title="Discriminant power",
    measure="discriminant_power",
    words=("poor", "limited", "fair", "good"),
    cuts=(1.0, 2.0, 3.0),
    references=("sokolova2006",),
    note="its factor belongs to natural logarithms; with decimal ones hardly anything is good",
)
_declare(
    "auci",
    name="auc",
    title="Area under the ROC curve",
    measure="balanced_accuracy@each",
    words=("poor", "fair", "good", "very good", "excellent"),
    cuts=(0.6, 0.7, 0.8, 0.9),
    references=("bekkar2013",),
    note="meant for the curve of a score; of labels alone, balanced accuracy is the area",
)
_declare(
    "mcci",
    name="matthews_class",
    title="Hinkle, Wiersma and Jurs, for the correlation of a class",
    measure="mcc@each",
    **_CORRELATION,
)
_declare(
    "qi",
    name="yule",
    title="Bohrnstedt and Knoke, for Yule's Q",
    measure="yule_q",
    words=("negligible", "weak", "moderate", "strong"),
    cuts=(0.25, 0.5, 0.75),
    two_sided=True,
    references=("bohrnstedt1982",),
)


def get(key: str) -> Scale:
    """The scale of that key or name.

    >>> get("landis_koch").key
    'soa1'
    >>> get("landis")
    Traceback (most recent call last):
    chancemeter.errors.UnknownNameError: error[CM401]: no scale is called 'landis'
      fix: did you mean landis_koch?
    """
    named = {scale.name: scale for scale in SCALES.values()}
    found = SCALES.get(key) or named.get(key)
    if found is None:
        what = f"no scale is called {printable(key)!r}"
        fix = did_you_mean(key, [*SCALES, *named], f"one of {', '.join([*SCALES, *named])}")
        raise UnknownNameError(Fault("CM401", what, fix=fix))
    return found


def words(scale_key: str, value: float) -> str:
    """The word that a scale has for a value; "undefined" for nan.

    >>> words("soa1", 0.47), words("soa2", 0.47), words("regier", float("nan"))
    ('moderate', 'fair to good', 'undefined')
    """
    return get(scale_key).word(value)


def accuracy_at(kappa: ArrayLike, chance: ArrayLike) -> Any:
    """The accuracy that a kappa stands for where chance alone has that accuracy.

    What a kappa of 0.4 is worth depends on what chance gives away:

    >>> accuracy_at(0.4, 0.8), accuracy_at(0.4, 0.5)
    (0.88, 0.7)
    >>> accuracy_at([0.4, 0.5], 0.8).round(4)
    array([0.88, 0.9 ])
    """
    share = np.asarray(chance, float)
    accuracy = np.asarray(share + np.asarray(kappa, float) * (1 - share))
    return accuracy if accuracy.ndim else accuracy.item()

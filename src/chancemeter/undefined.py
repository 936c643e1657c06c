"""Why a value can be undefined: a code, a sentence, and how to tell from the counts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from chancemeter.chance import multiclass_informedness
from chancemeter.counts import Counts, Margins, Values, dot

#: A share smaller than this may be zero, and its sign then means nothing.
_ROUNDING = 1e-15


@dataclass(frozen=True)
class Reason:
    """A named cause for a value that does not exist."""

    code: str
    sentence: str
    holds: Callable[[Counts], Values] = field(repr=False)
    """True where the cause is present: for each table, or for each class of each table."""


REASONS: dict[str, Reason] = {}


def _declare(code: str, sentence: str, holds: Callable[[Counts], Values]) -> None:
    REASONS[code] = Reason(code, sentence, holds)


def _classes(x: Values) -> Values:
    return np.asarray((x != 0).sum(-1))


def _same_single_class(c: Counts) -> Values:
    return (c.wrong == 0) & (_classes(c.truth) == 1)


def _opposite_signs(c: Counts) -> Values:
    given = multiclass_informedness(c).real
    # Markedness is informedness with truth and prediction exchanged.
    told = multiclass_informedness(Margins(c.hits, c.predicted, c.truth)).real
    sure = np.minimum(np.abs(given), np.abs(told)) > _ROUNDING
    return np.asarray(sure & (given * told < 0))


# The most telling first: the first one that a card names and that holds is the one given.
_declare("no_cases", "there are no cases", lambda c: c.total == 0)
_declare(
    "fewer_than_three_classes",
    "it needs three classes or more",
    lambda c: np.full(c.total.shape, c.k < 3),
)
_declare(
    "fewer_than_two_classes",
    "it needs two classes or more",
    lambda c: np.full(c.total.shape, c.k < 2),
)
_declare(
    "one_and_the_same_class",
    "truth and prediction hold one class only, the same one",
    _same_single_class,
)
_declare("one_class_in_truth", "the truth holds one class only", lambda c: _classes(c.truth) == 1)
_declare(
    "one_class_predicted",
    "one class only is ever predicted",
    lambda c: _classes(c.predicted) == 1,
)
_declare(
    "one_class_each",
    "the truth holds one class only, and one class only is predicted",
    lambda c: (_classes(c.truth) == 1) & (_classes(c.predicted) == 1),
)
_declare(
    "no_class_twice",
    "no two cases share a class, neither in the truth nor in the prediction",
    lambda c: (c.truth.max(-1) == 1) & (c.predicted.max(-1) == 1),
)
_declare("too_few_cases", "it needs more cases than classes", lambda c: c.total.real <= c.k)
_declare("nothing_wrong", "there are no errors", lambda c: c.wrong == 0)
_declare("nothing_right", "there are no hits", lambda c: c.right == 0)
_declare(
    "nothing_in_common",
    "no class is both true and predicted",
    lambda c: dot(c.truth, c.predicted) == 0,
)
_declare("one_case", "there is one case only", lambda c: c.total == 1)
_declare(
    "class_nowhere", "the class is neither true nor predicted", lambda c: c.tp + c.fn + c.fp == 0
)
_declare(
    "class_everywhere", "no other class is true or predicted", lambda c: c.tn + c.fn + c.fp == 0
)
_declare(
    "class_all_wrong",
    "every case is a miss or a false alarm of the class",
    lambda c: c.tp + c.tn == 0,
)
_declare(
    "class_in_one_cell",
    "all cases are hits of the class, or all misses, or all false alarms, or all rejections",
    lambda c: np.sum([x != 0 for x in (c.tp, c.fn, c.fp, c.tn)], axis=0) == 1,
)
_declare(
    "class_once",
    "one case only is of the class or called so",
    lambda c: c.tp + c.fn + c.fp == 1,
)
_declare("class_not_in_truth", "the class does not occur in the truth", lambda c: c.truth == 0)
_declare("class_is_all_truth", "no other class occurs in the truth", lambda c: c.negative == 0)
_declare("class_never_predicted", "the class is never predicted", lambda c: c.predicted == 0)
_declare(
    "class_always_predicted",
    "no other class is ever predicted",
    lambda c: c.predicted_negative == 0,
)
_declare("class_no_errors", "the class has no error", lambda c: c.fp + c.fn == 0)
_declare("class_no_hits", "the class is never hit", lambda c: c.tp == 0)
_declare("class_no_rejections", "no other case is rightly rejected", lambda c: c.tn == 0)
_declare("class_no_misses", "the class is never missed", lambda c: c.fn == 0)
_declare("class_no_false_alarms", "the class has no false alarm", lambda c: c.fp == 0)
_declare(
    "any_class_nowhere",
    "a class is neither true nor predicted",
    lambda c: (c.tp + c.fn + c.fp == 0).any(-1),
)
_declare(
    "any_class_not_in_truth",
    "a class does not occur in the truth",
    lambda c: (c.truth == 0).any(-1),
)
_declare(
    "any_class_never_predicted", "a class is never predicted", lambda c: (c.predicted == 0).any(-1)
)
_declare(
    "predicted_but_not_true",
    "a class is predicted that does not occur in the truth",
    lambda c: ((c.truth == 0) & (c.predicted != 0)).any(-1),
)
_declare(
    "true_but_never_predicted",
    "a class occurs in the truth that is never predicted",
    lambda c: ((c.truth != 0) & (c.predicted == 0)).any(-1),
)
_declare("opposite_signs", "informedness and markedness differ in sign", _opposite_signs)
_declare(
    "unsettled", "the errors do not settle what is guessing", lambda c: np.full(c.total.shape, True)
)
_declare(
    "zero_divisor",
    "its formula divides by zero here",
    lambda c: np.full(c.total.shape, True),
)

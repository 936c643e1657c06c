"""Classifiers by their folds: statements about *these algorithms*, trained anew.

The values of the folds of a cross-validation are not independent: training sets overlap, and in a
repeated cross-validation test sets do too. So every test here takes the sizes of the training and
test sets, corrects for the overlap or refuses where it cannot, and says what it takes for granted.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import nan
from typing import Any

import numpy as np

from chancemeter import effects, signs, tails
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural, shorten
from chancemeter.outcomes import (
    Belief,
    Finding,
    Method,
    Outcome,
    check_rope,
    check_share,
    choose,
    read_numbers,
    settled,
)

_NULL = "both algorithms do equally well on average"


def _method(key: str, title: str, assumes: str, null: str = _NULL, unit: str = "fold") -> Method:
    return Method(key, title, "algorithms", null, assumes, unit)


_NORMAL = "the differences of the folds are roughly normal"
_NO_OVERLAP = (
    "the folds are taken for independent, though their training sets overlap: under no difference "
    "it rejects up to three times too often for unstable learners"
)
CORRECTED_T = _method(
    "corrected_t",
    "Corrected resampled t test",
    f"{_NORMAL}; folds are correlated as the share of test cases says, which is an approximation",
)
PAIRED_T = _method("paired_t", "Paired t test over one k-fold", f"{_NORMAL}; {_NO_OVERLAP}")
WILCOXON = _method(
    "wilcoxon",
    "Wilcoxon's signed ranks over one k-fold",
    f"the differences of the folds are symmetric; {_NO_OVERLAP}",
)
SIGN = _method("sign", "Sign test over one k-fold", _NO_OVERLAP)
FIVE_BY_TWO_T = _method(
    "five_by_two_t",
    "5×2 cv t test",
    f"{_NORMAL}; five independent halvings; only the first difference counts for the mean",
)
FIVE_BY_TWO_F = _method(
    "five_by_two_f",
    "Combined 5×2 cv F test",
    f"{_NORMAL}; five independent halvings",
)
BAYES_T = _method(
    "bayesian_correlated_t",
    "Bayesian correlated t test",
    f"{_NORMAL} and correlated as the share of test cases says; flat prior",
    null="",
)
FOLD_T = _method(
    "fold_t",
    "t interval over one k-fold",
    "the values of the folds are roughly normal, and taken for independent; at 95 % it covered "
    "77 to 83 % where 10 % of the cases are of one class, and 93 to 95 % where both are as many",
    null="",
)
CORRECTED_FOLD_T = _method(
    "corrected_fold_t",
    "Corrected resampled t interval",
    "the values of the folds are roughly normal and correlated as the share of test cases says; "
    "wide where learners are stable",
    null="",
)


OVERLAP = _method(
    "interval_overlap",
    "Overlap of two intervals",
    "nothing that a test would: intervals that are apart differ, but so may some that overlap",
    null="",
    unit="interval",
)
CORRECTED_T_OF_MEANS = _method(
    "corrected_t:means",
    "Corrected resampled t test from means and half-widths",
    f"{_NORMAL} and correlated as the share of test cases says; how the folds of both go together "
    "is assumed",
)


@dataclass(frozen=True, repr=False, kw_only=True)
class FoldInterval(Finding):
    """The mean over the folds of one classifier, with its limits in `interval`."""

    value: float = nan

    def __repr__(self) -> str:
        """Value and limits."""
        low, high = self.interval or (nan, nan)
        shown = f"{self.value:.4g} [{low:.4g}, {high:.4g}]"
        return "\n".join([f"{self.method.title}: {self.undefined or shown}", *self._body()])


@dataclass(frozen=True)
class _Folds:
    """Values of one or two classifiers, checked; only the folds where all are defined."""

    values: tuple[Array, ...]
    """Of each classifier."""
    total: int
    """How many folds there were."""
    ratio: float
    """Test cases to training cases, over all folds."""
    repeated: bool
    """Whether a case is tested more than once, or not all are."""
    notes: tuple[str, ...]

    @property
    def n(self) -> int:
        return len(self.values[0])

    @property
    def pair(self) -> tuple[Array, Array]:
        """The values of the two classifiers."""
        return self.values[0], self.values[-1]

    @property
    def corrected(self) -> float:
        """How much of the folds' variance the mean has, overlap allowed for."""
        return self.uncorrected + self.ratio

    @property
    def uncorrected(self) -> float:
        return 1 / self.n if self.n else nan

    @property
    def common(self) -> dict[str, Any]:
        """What every result says of its folds."""
        return {"n": self.n, "left_out": self.total - self.n, "notes": self.notes}


def corrected_t(a: Any, b: Any, *, train: Any, test: Any, level: float = 0.95) -> Outcome:
    """Nadeau and Bengio's test: the variance of the mean grows by the ratio of test to training.

    `a` and `b` hold one value for each split: ``(folds,)`` or ``(repeats, folds)``. `train` and
    `test` are the numbers of cases, one for all or one for each split.

    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.79, 0.80, 0.79, 0.81]
    >>> corrected_t(a, b, train=80, test=20).p.__round__(4)
    0.1324
    """
    check_share(level, "a level")
    folds = _read((a, b), train, test)
    return _t(CORRECTED_T, folds, folds.corrected, level)


def paired_t(a: Any, b: Any, *, train: Any, test: Any, level: float = 0.95) -> Outcome:
    """The plain t test over the folds of one k-fold cross-validation; refused for repeated ones.

    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.79, 0.80, 0.79, 0.81]
    >>> paired_t(a, b, train=80, test=20).p.__round__(4)
    0.0474
    """
    check_share(level, "a level")
    folds = _one_k_fold(_read((a, b), train, test), "the plain t test")
    return _t(PAIRED_T, folds, folds.uncorrected, level)


def wilcoxon(a: Any, b: Any, *, train: Any, test: Any, zeros: str = "drop") -> Outcome:
    """Wilcoxon's test over one k-fold; exact with ties; zeros dropped before (or `pratt`) ranking.

    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.79, 0.80, 0.79, 0.81]
    >>> wilcoxon(a, b, train=80, test=20).p
    0.125
    """
    choose(zeros, ("drop", "pratt"), "treatment of zeros")
    folds = _one_k_fold(_read((a, b), train, test), "Wilcoxon's test")
    return signs.ranked(WILCOXON, *folds.pair, folds.common, zeros)


def sign_test(a: Any, b: Any, *, train: Any, test: Any) -> Outcome:
    """How many folds each one wins, over one k-fold; ties are left out and counted.

    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.79, 0.80, 0.79, 0.81]
    >>> sign_test(a, b, train=80, test=20).p
    0.125
    """
    folds = _one_k_fold(_read((a, b), train, test), "the sign test")
    return signs.counted(SIGN, *folds.pair, folds.common)


def five_by_two_t(a: Any, b: Any) -> Outcome:
    """Dietterich's test, from the values of five halvings: ``(5, 2)`` for each classifier.

    >>> a = [[0.81, 0.79], [0.84, 0.80], [0.83, 0.82], [0.80, 0.81], [0.79, 0.85]]
    >>> b = [[0.78, 0.79], [0.80, 0.79], [0.81, 0.78], [0.80, 0.79], [0.78, 0.80]]
    >>> five_by_two_t(a, b).p.__round__(4)
    0.2031
    """
    d, spread, common = _halves(a, b)
    if "p" not in common:
        t = float(d[0, 0] / np.sqrt(spread.mean()))
        common |= {"statistic": t, "p": float(tails.student(t, 5))}
    return Outcome(method=FIVE_BY_TWO_T, df=(5,), **common)


def five_by_two_f(a: Any, b: Any) -> Outcome:
    """Alpaydın's test: as `five_by_two_t`, but all ten differences count.

    >>> a = [[0.81, 0.79], [0.84, 0.80], [0.83, 0.82], [0.80, 0.81], [0.79, 0.85]]
    >>> b = [[0.78, 0.79], [0.80, 0.79], [0.81, 0.78], [0.80, 0.79], [0.78, 0.80]]
    >>> five_by_two_f(a, b).p.__round__(4)
    0.2661
    """
    d, spread, common = _halves(a, b)
    if "p" not in common:
        f = float(np.square(d).sum() / (2 * spread.sum()))
        common |= {"statistic": f, "p": float(tails.snedecor(f, (10, 5)))}
    return Outcome(method=FIVE_BY_TWO_F, df=(10, 5), **common)


def bayesian_correlated_t(
    a: Any, b: Any, *, train: Any, test: Any, rope: float = 0.01, level: float = 0.95
) -> Belief:
    r"""Corani and Benavoli's posterior of the mean difference, with a region of equivalence.

    >>> a, b = [0.81, 0.79, 0.84, 0.80, 0.83], [0.78, 0.79, 0.80, 0.79, 0.81]
    >>> print(str(bayesian_correlated_t(a, b, train=80, test=20)).partition("\n")[0])
    Bayesian correlated t test: worse 0.024, practically equal 0.176, better 0.800
    """
    check_rope(rope)
    check_share(level, "a level")
    folds = _read((a, b), train, test)
    d, settings = settled(*folds.pair), {"rope": rope, "level": level}
    common = folds.common | {"method": BAYES_T, "settings": settings}
    special = _special(d, folds.notes)
    if special:
        same = {"left": 0.0, "within": 1.0, "right": 0.0} if special.pop("p", nan) == 1 else {}
        return Belief(**common | special | same)
    error = float(np.std(d, ddof=1) * np.sqrt(folds.corrected))
    mean, df = float(d.mean()), folds.n - 1
    left = float(tails.student_below((-rope - mean) / error, df))
    right = float(tails.student_below((mean - rope) / error, df))
    return Belief(
        **common,
        left=left,
        within=max(0.0, 1 - left - right),
        right=right,
        effects=effects.paired(*folds.pair),
        interval=_limits(mean, error, df, level),
    )


def fold_t_interval(values: Any, *, train: Any, test: Any, level: float = 0.95) -> FoldInterval:
    """Mean ± t standard errors over the folds of one k-fold, as Ben-David gave them.

    >>> fold_t_interval([0.81, 0.79, 0.84, 0.80, 0.83], train=80, test=20).interval[0].__round__(4)
    0.7883
    """
    check_share(level, "a level")
    folds = _one_k_fold(_read((values,), train, test), "the plain t interval")
    return _interval(FOLD_T, folds, folds.uncorrected, level)


def corrected_t_interval(
    values: Any, *, train: Any, test: Any, level: float = 0.95
) -> FoldInterval:
    """The same with Nadeau and Bengio's correction, for any splits, repeated ones too.

    >>> corrected_t_interval([0.81, 0.79, 0.84, 0.80, 0.83], train=80, test=20).interval[0].__round__(4)
    0.7754
    """
    check_share(level, "a level")
    folds = _read((values,), train, test)
    return _interval(CORRECTED_FOLD_T, folds, folds.corrected, level)


def corrected_t_of_means(
    a: tuple[float, float],
    b: tuple[float, float],
    *,
    folds: int = 10,
    correlation: float = 0.0,
    level: float = 0.95,
) -> Outcome:
    """The corrected test where only a mean and a half-width over k folds are printed.

    Half-widths are those of plain t intervals; `correlation` is that of both over the folds.

    >>> corrected_t_of_means((0.4671, 0.0215), (0.4345, 0.0256)).p.__round__(3)
    0.163
    """
    check_share(level, "a level")
    if folds < 2:
        what = "one fold says nothing about how much folds vary"
        raise InputError(Fault("CM512", what, saw=plural(folds, "fold")))
    numbers = read_numbers((a, b), "means and half-widths")
    if numbers.shape != (2, 2) or not (numbers[:, 1] > 0).all() or not -1 <= correlation <= 1:
        saw = f"{shorten(numbers.ravel().tolist())}, correlation {correlation}"
        fix = "a mean and a half-width above 0 for each, and a correlation from -1 to 1"
        raise InputError(Fault("CM514", "these are no means with half-widths", saw=saw, fix=fix))
    t_of = tails.student_quantile((1 + level) / 2, folds - 1)
    one, two = numbers[:, 1] / t_of * np.sqrt(folds)
    spread = np.sqrt(max(one**2 + two**2 - 2 * correlation * one * two, 0))
    mean = float(numbers[0, 0] - numbers[1, 0])
    error = float(spread * np.sqrt(1 / folds + 1 / (folds - 1)))
    common: dict[str, Any] = {"settings": {"level": level, "correlation": correlation}}
    common |= {"effects": {"difference": mean}, "df": (folds - 1,), "n": folds}
    if not error:
        return Outcome(**common, method=CORRECTED_T_OF_MEANS, undefined="without variance no test")
    t = mean / error
    return Outcome(
        **common,
        method=CORRECTED_T_OF_MEANS,
        statistic=t,
        p=float(tails.student(t, folds - 1)),
        interval=_limits(mean, error, folds - 1, level),
    )


def interval_overlap(a: tuple[float, float], b: tuple[float, float]) -> Outcome:
    """Whether two intervals overlap: what many papers call a test, which it is not.

    `statistic` is the gap between them, below 0 where they overlap; there is no p.

    >>> interval_overlap((0.167, 0.228), (0.067, 0.151)).notes
    ('the intervals are apart',)
    """
    limits = read_numbers((a, b), "two intervals")
    if limits.shape != (2, 2) or np.isnan(limits).any() or (limits[:, 0] > limits[:, 1]).any():
        saw = shorten(limits.ravel().tolist())
        raise InputError(Fault("CM514", "an interval has a lower and an upper limit", saw=saw))
    gap = float(limits[:, 0].max() - limits[:, 1].min())
    note = "the intervals are apart" if gap > 0 else "the intervals overlap"
    why = "overlap of intervals is no test; the corrected t is"
    effects = {"difference": float(limits[0].mean() - limits[1].mean())}
    return Outcome(
        method=OVERLAP, n=2, statistic=gap, effects=effects, notes=(note,), undefined=why
    )


def _read(values: tuple[Any, ...], train: Any, test: Any) -> _Folds:
    """Check shapes and sizes, leave out what is undefined and say so."""
    read = [read_numbers(x, "the values of folds") for x in values]
    shape = read[0].shape
    if any(x.shape != shape for x in read):
        saw = " and ".join(str(x.shape) for x in read)
        fix = "give one value of each classifier for each fold, the same folds in the same order"
        raise InputError(Fault("CM513", "the folds do not match", saw=saw, fix=fix))
    if len(shape) not in {1, 2}:
        fix = "(folds,) or (repeats, folds)"
        raise InputError(Fault("CM513", "folds have one or two axes", saw=str(shape), fix=fix))
    if read[0].size < 2:
        what = "one fold says nothing about how much folds vary"
        saw = plural(read[0].size, "fold")
        raise InputError(Fault("CM512", what, saw=saw, fix="use two folds or more"))
    sizes = [_sizes(x, shape, name) for x, name in ((train, "train"), (test, "test"))]
    known = ~np.logical_or.reduce([np.isnan(x) for x in read])
    notes = _about_undefined(read, known)
    whole = sizes[0] + sizes[1]
    if np.ptp(sizes[1]) > 1:
        span = f"{sizes[1].min():g} to {sizes[1].max():g}"
        notes += (f"test sets hold {span} cases: the ratio is that of all tested to all trained",)
    return _Folds(
        values=tuple(x[known] for x in read),
        total=read[0].size,
        ratio=float(sizes[1].sum() / sizes[0].sum()),
        # Sizes may be rounded, but not by half a fold.
        repeated=bool(abs(sizes[1].sum() / whole.mean() - 1) > 0.5 / read[0].size),
        notes=notes,
    )


def _sizes(x: Any, shape: tuple[int, ...], name: str) -> Array:
    """Numbers of cases, one for each fold."""
    sizes = read_numbers(x, f"{name}=")
    try:
        sizes = np.broadcast_to(sizes, shape)
    except ValueError:
        saw = f"{name} {sizes.shape}, values {shape}"
        what = f"{name}= holds one size for all folds, or one for each"
        raise InputError(Fault("CM513", what, saw=saw)) from None
    if not (np.isfinite(sizes) & (sizes >= 1)).all():
        what = f"{name}= is a number of cases, 1 or more"
        raise InputError(Fault("CM513", what, saw=shorten(np.unique(sizes).tolist())))
    return sizes


def _about_undefined(read: list[Array], known: Array) -> tuple[str, ...]:
    if known.all():
        return ()
    each = [int(np.isnan(x).sum()) for x in read]
    where = f" ({each[0]} of the first, {each[1]} of the second)" if len(each) > 1 else ""
    left = int((~known).sum())
    return (f"{left} of {plural(known.size, 'fold')} undefined and left out{where}",)


def _one_k_fold(folds: _Folds, what: str) -> _Folds:
    """Refuse where cases are tested twice: there the plain tests reject half of the time."""
    if not folds.repeated:
        return folds
    raise InputError(
        Fault(
            "CM516",
            f"{what} takes the folds of one k-fold cross-validation, each case tested once",
            saw=f"{plural(folds.total, 'split')} that test each case more or less than once",
            fix="use corrected_t (corrected_t_interval for one classifier): over repeated folds "
            "the plain t finds a difference where there is none in 50 to 70 % of all cases",
        )
    )


def _halves(a: Any, b: Any) -> tuple[Array, Array, dict[str, Any]]:
    """Differences ``(5, 2)``, their variance in each halving, and what a result says of them."""
    read = [read_numbers(x, "the values of folds") for x in (a, b)]
    if any(x.shape != (5, 2) for x in read):
        saw = " and ".join(str(x.shape) for x in read)
        fix = "five times, halve the cases and test each half by training on the other"
        raise InputError(Fault("CM516", "5×2 cv takes values (5, 2)", saw=saw, fix=fix))
    d = settled(*read)
    bad = int(np.isnan(d).sum())
    notes = (f"{bad} of 10 folds undefined: the test needs all",) if bad else ()
    spread = np.square(d - d.mean(1, keepdims=True)).sum(1)
    special = _special(d, notes)
    if not special and not spread.any():
        special = {"p": nan, "undefined": "both halves agree every time: without variance no test"}
    effect = {} if bad else effects.paired(*(x.ravel() for x in read))
    return d, spread, {"n": 10 - bad, "left_out": bad, "notes": notes, "effects": effect} | special


def _t(method: Method, folds: _Folds, factor: float, level: float) -> Outcome:
    """A t test of the mean difference, whose variance is `factor` times that of the folds."""
    d, df = settled(*folds.pair), max(folds.n - 1, 0)
    common = folds.common | {"method": method, "df": (df,), "settings": {"level": level}}
    if folds.n > 1:
        common["effects"] = effects.paired(*folds.pair)
    special = _special(d, folds.notes)
    if special:
        return Outcome(**common | special)
    mean, error = float(d.mean()), float(np.std(d, ddof=1) * np.sqrt(factor))
    p, limits = float(tails.student(mean / error, df)), _limits(mean, error, df, level)
    return Outcome(**common, statistic=mean / error, p=p, interval=limits)


def _special(d: Array, notes: tuple[str, ...]) -> dict[str, Any]:
    """What is said of differences without variance, which no t test can handle."""
    if np.isnan(d).any() or d.size < 2:
        why = "a fold is undefined" if d.size > 1 else "fewer than two folds are defined"
        return {"p": nan, "undefined": why}
    if not d.any():
        return {"p": 1.0, "notes": (*notes, signs.IDENTICAL)}
    if np.ptp(d) == 0:
        why = "all folds differ by the same amount: without any variance there is no test"
        return {"p": nan, "undefined": why}
    return {}


def _limits(mean: float, error: float, df: int, level: float) -> tuple[float, float]:
    reach = tails.student_quantile((1 + level) / 2, df) * error
    return mean - reach, mean + reach


def _interval(method: Method, folds: _Folds, factor: float, level: float) -> FoldInterval:
    x = folds.values[0]
    x = settled(x, np.zeros_like(x))
    common = folds.common | {"method": method, "settings": {"level": level}}
    why = "fewer than two folds are defined" if folds.n < 2 else ""
    if not why and np.ptp(x) == 0:
        why = "all folds have the same value: they do not show how much folds vary"
    mean = float(x.mean()) if folds.n else nan
    if why:
        return FoldInterval(**common, value=mean, undefined=why)
    error = float(np.std(x, ddof=1) * np.sqrt(factor))
    return FoldInterval(**common, value=mean, interval=_limits(mean, error, folds.n - 1, level))

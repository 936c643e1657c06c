"""Chance models: what a table would look like if prediction and truth were unrelated.

A model says how many predictions would be right and how many wrong by chance, out of how
many. `beyond` turns any of them into an agreement beyond chance; Cohen, Scott, Bennett,
Gwet, Türk and Powers differ in the model alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from chancemeter.counts import Array, Counts, Values, added, dot, once, others, ratio
from chancemeter.errors import Fault, UnknownNameError, did_you_mean


@dataclass(frozen=True)
class Expected:
    """Agreement by chance as counts: `right` plus `wrong` make `of`.

    `excess` is what was right beyond chance, in the same unit; a model that can say it
    without subtracting two nearly equal numbers gives it.
    """

    right: Values
    wrong: Values
    excess: Values
    of: Values | None = None

    @property
    def share(self) -> Values:
        """The share of cases that chance alone would get right."""
        return ratio(self.right, self.right + self.wrong if self.of is None else self.of)


@dataclass(frozen=True)
class ChanceModel:
    """A named idea of chance."""

    key: str
    says: str
    expect: Callable[[Counts], Expected]
    guess: Callable[[Counts], tuple[Values, Values]] | None = None
    """Shares of classes among the truth and among the guesses, where the model has such."""

    def __call__(self, c: Counts) -> Array:
        """The table of shares that the model expects: ``(..., k, k)``."""
        if self.guess is None:
            msg = f"the chance model {self.key!r} expects an agreement, not a table"
            raise TypeError(msg)
        truth, predicted = self.guess(c)
        return truth[..., :, None] * predicted[..., None, :]


MODELS: dict[str, ChanceModel] = {}


def surplus(model: ChanceModel, c: Counts) -> Values:
    """Cases in each cell beyond those that chance would put there.

    >>> surplus(cohen, Counts(np.array([[20.0, 5.0], [10.0, 15.0]])))
    array([[ 5., -5.],
           [-5.,  5.]])
    """
    return np.asarray(c.cells - model(c) * c.total[..., None, None])


def _declare(
    key: str, says: str, guess: Callable[[Counts], tuple[Values, Values]] | None = None
) -> Callable[[Callable[[Counts], Expected]], ChanceModel]:
    def enter(expect: Callable[[Counts], Expected]) -> ChanceModel:
        MODELS[key] = ChanceModel(key, says, once(expect), guess)
        return MODELS[key]

    return enter


def _shares(x: Values) -> Values:
    return ratio(x, x.sum(-1, keepdims=True))


def _one_vector(counts: Values, excess: Values) -> Expected:
    """Both sides guess by the same `counts`."""
    right = dot(counts, counts)
    return Expected(right, dot(counts, others(counts)), excess)


@_declare(
    "cohen",
    "guesses follow the classifier's own habits: both margins as they are",
    lambda c: (_shares(c.truth), _shares(c.predicted)),
)
def cohen(c: Counts) -> Expected:
    """Both margins kept, drawn independently (Cohen 1960)."""
    right = dot(c.truth, c.predicted)
    wrong = dot(c.truth, c.predicted_negative)
    return Expected(right, wrong, added(c.leverage))


@_declare(
    "scott",
    "truth and guesses share one distribution: the mean of the two margins",
    lambda c: (_shares(c.truth + c.predicted), _shares(c.truth + c.predicted)),
)
def scott(c: Counts) -> Expected:
    """One margin shared by both, the mean of the two (Scott 1955)."""
    surplus = c.fp - c.fn
    excess = added(c.leverage) - dot(surplus, surplus) / 4
    return _one_vector((c.truth + c.predicted) / 2, excess)


@_declare(
    "prevalence",
    "guesses follow the true classes' shares",
    lambda c: (_shares(c.truth), _shares(c.truth)),
)
def prevalence(c: Counts) -> Expected:
    """Guesses drawn by the true shares (Labatut and Cherifi's reading of Scott)."""
    return _one_vector(c.truth, added(c.leverage + c.truth * (c.fp - c.fn)))


@_declare(
    "uniform",
    "every class is guessed equally often",
    lambda c: (np.full(c.truth.shape, 1 / c.k), np.full(c.truth.shape, 1 / c.k)),
)
def uniform(c: Counts) -> Expected:
    """All classes guessed equally often (Bennett, Alpert and Goldstein 1954)."""
    right, wrong = c.total, c.total * (c.k - 1)
    return Expected(right, wrong, c.right * (c.k - 1) - c.wrong)


def _always_majority(c: Counts) -> tuple[Values, Values]:
    first = np.arange(c.k) == np.argmax(c.truth.real, axis=-1)[..., None]
    return _shares(c.truth), np.where(first, 1.0, 0.0)


@_declare("majority", "the most frequent true class is always guessed", _always_majority)
def majority(c: Counts) -> Expected:
    """Always the most frequent true class: the no-information rate."""
    right = c.truth.max(-1)
    wrong = np.take_along_axis(c.negative, np.argmax(c.truth.real, axis=-1)[..., None], axis=-1)[
        ..., 0
    ]
    return Expected(right, wrong, wrong - c.wrong)


@_declare("gwet", "a share of the cases is hard, and only those are guessed, uniformly")
def gwet(c: Counts) -> Expected:
    """Chance agreement on the cases that had to be guessed (Gwet 2008)."""
    shared = c.truth + c.predicted
    right = ratio(dot(shared, others(shared)), c.k - 1)
    of = 4 * c.total * c.total
    return Expected(right, of - right, ratio(of * c.right, c.total) - right)


@_declare("powers", "the level that Powers' informedness implies")
def powers(c: Counts) -> Expected:
    """The chance level implied by informedness: (Acc - B) / (1 - B) (Powers 2012)."""
    missed, alarmed = ratio(c.fn, c.truth), ratio(c.fp, c.negative)
    right = ratio(c.tp * (c.fn - c.fp), c.truth) + c.predicted * alarmed
    right = added(np.where(np.equal(c.predicted, 0), 0, right))
    lost = added(np.where(np.equal(c.predicted, 0), 0, c.predicted * (missed + alarmed)))
    skill = multiclass_informedness(c)
    right = np.where(np.equal(c.wrong, 0), np.nan, right)
    return Expected(right, lost - right, skill * c.wrong, lost)


@once
def multiclass_informedness(c: Counts) -> Values:
    """Informedness of each predicted class, averaged by how often it is predicted."""
    each = ratio(c.leverage, c.truth * c.negative)
    used = np.where(np.equal(c.predicted, 0), 0, c.predicted * each)
    return ratio(added(used), c.total)


def _guessed_share(c: Counts) -> tuple[Values, Values]:
    guessed, rates = fit_guesses(c)
    return _shares(guessed), rates


@once
def fit_guesses(c: Counts) -> tuple[Values, Values]:
    """How many cases of each class were guessed, and how often each class is guessed.

    Off the diagonal the table is fitted by ``guessed_i * rate_j`` (rates add up to 1), which
    needs the misses and false alarms of each class only. Undefined (nan) with fewer than
    three classes, without errors, and where the errors do not settle the rates.

    >>> guessed = np.array([[8.0, 1, 1], [2, 4, 2], [3, 1.5, 1.5]])
    >>> a, b = fit_guesses(Counts(guessed + np.diag([90.0, 0, 5])))
    >>> a.shape, b.shape
    ((3,), (3,))
    """

    def again(rates: Values, fn: Values, fp: Values) -> Values:
        return _shares(ratio(fp, others(ratio(fn, others(rates)))))

    if c.k < 3:
        return (np.full(c.fn.shape, np.nan),) * 2
    rates = _fixed_point(again, _shares(c.fp), c.fn, c.fp)
    return ratio(c.fn, others(rates)), rates


@_declare(
    "turk",
    "a share of each class is known for sure; the rest is guessed, by rates fitted to the errors",
    _guessed_share,
)
def turk(c: Counts) -> Expected:
    """Errors fitted as guesses, quasi-independent off the diagonal (Türk 1979)."""
    guessed, rates = fit_guesses(c)
    all_guessed = added(guessed)
    excess = c.wrong - ratio(c.wrong * all_guessed, c.total)
    return Expected(dot(guessed, rates), dot(guessed, others(rates)), excess)


def aickin_mixture(c: Counts) -> Values:
    """Aickin's alpha, from the factor by which the diagonal exceeds independence.

    Both margins and the number of hits are fitted by ``a_i b_j``, times `lift` on the
    diagonal; then alpha = accuracy (1 - 1 / lift). Two classes have a closed form.
    """
    accuracy = ratio(c.right, c.total)
    if c.k == 2:
        odds = ratio(c.fn[..., 0] * c.fn[..., 1], c.hits[..., 0] * c.hits[..., 1])
        inverse = np.where(c.wrong == 0, 0, np.sqrt(odds))
    else:
        inverse = _inverse_lift(c)
    known = ((c.truth != 0).sum(-1) > 1) & ((c.predicted != 0).sum(-1) > 1)
    return np.where(known, accuracy * (1 - inverse), np.nan)


def _inverse_lift(c: Counts) -> Values:
    """The factor of `aickin_mixture`, inverted, by iterative proportional fitting."""

    def again(state: Values, truth: Values, predicted: Values, sides: Values) -> Values:
        b, inverse = state[..., :-1], state[..., -1:]
        a = _shares(ratio(truth, others(b) * inverse + b))
        b = _shares(ratio(predicted, others(a) * inverse + a))
        apart = ratio(sides[..., 0] * dot(a, b), sides[..., 1] * dot(a, others(b)))
        return np.concatenate([b, apart[..., None]], -1)

    shares, sides = _shares(c.predicted), np.stack([c.wrong, c.right], -1)
    start = np.concatenate([shares, np.ones_like(shares[..., :1])], -1)
    return _fixed_point(again, start, c.truth, c.predicted, sides)[..., -1]


def _fixed_point(
    again: Callable[..., Values], start: Values, *given: Values, most: int = 2000
) -> Values:
    """Where `again` no longer moves `start`, along the last axis; nan where it does not settle.

    `again` is told what is `given` of each table; tables that have settled are left alone.
    Steps that shrink by a constant factor tell how far there is still to go; steps that
    shrink ever more slowly never settle, and their last value is not passed off as one.
    """
    if start.dtype == object:
        msg = "an iteration has no exact value"
        raise TypeError(msg)
    x, *parts = (y.reshape(-1, y.shape[-1]) for y in (start, *given))
    found, going, before = np.full_like(x, np.nan), np.arange(len(x)), np.full(len(x), np.nan)
    for _ in range(most):
        new = again(x, *parts)
        step = np.abs((new - x).real).max(-1) / np.maximum(1, np.abs(new.real).max(-1))
        to_go = ratio(step * step, before - step)
        still = (step <= 4e-15) | ((to_go >= 0) & (to_go < 1e-14))
        if new.dtype.kind == "c":
            still &= np.abs((new - x).imag).max(-1) <= 1e-14 * np.abs(new.imag).max(-1)
        found[going[still]] = new[still]
        left = ~(still | np.isnan(step))
        x, before, going = new[left], step[left], going[left]
        parts = [y[left] for y in parts]
        if not going.size:
            break
    return found.reshape(start.shape)


def relative_difference(c: Counts, model: ChanceModel | None = None) -> Values:
    """How far apart classifiers are in chance, in percent of the lowest (Ben-David's Table 11).

    The first axis of the stack holds the classifiers.

    >>> stack = np.array([[[20.0, 5], [10, 15]], [[25, 0], [20, 5]]])
    >>> relative_difference(Counts(stack)).item()
    0.0
    """
    levels = (model or cohen).expect(c).share
    return 100 * ratio(levels.max(0) - levels.min(0), levels.min(0))


def get(key: str) -> ChanceModel:
    """The chance model of that name.

    >>> get("cohen").says
    "guesses follow the classifier's own habits: both margins as they are"
    """
    if not isinstance(key, str) or key not in MODELS:
        fix = did_you_mean(str(key), MODELS, f"one of {', '.join(MODELS)}")
        raise UnknownNameError(Fault("CM401", f"no chance model is called {key!r}", fix=fix))
    return MODELS[key]


def beyond(model: ChanceModel, c: Counts) -> Values:
    """Agreement beyond chance, as a share of the agreement that was left to gain.

    >>> round(float(beyond(cohen, Counts(np.array([[20.0, 5.0], [10.0, 15.0]])))), 12)
    0.4
    """
    expected = model.expect(c)
    return ratio(expected.excess, expected.wrong)

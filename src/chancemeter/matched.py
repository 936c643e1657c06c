"""Models on the same rows, compared by where they differ: statements about *these predictions*.

Everything follows from counts: a 2×2 table of which model was right, a k×k table of what one
said against what the other said, or the distinct patterns of right and wrong. Rows are not
needed, so ten rows and ten billion cost the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np

from chancemeter import tails
from chancemeter.cells import read_cells
from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural, shorten
from chancemeter.outcomes import Family, Method, Outcome, choose
from chancemeter.signs import sign_test

_INDEPENDENT = "the cases were drawn independently of each other"


def _method(key: str, title: str, null: str, assumes: str = _INDEPENDENT) -> Method:
    return Method(key, title, "predictions", null, assumes, "case")


_LARGE = f"{_INDEPENDENT}, and the models differ on many of them"
_EQUAL = "both models are right equally often"
MCNEMAR = {
    "mid-p": _method("mcnemar:mid-p", "McNemar's test, mid-p", _EQUAL),
    "exact": _method("mcnemar:exact", "McNemar's test, exact", _EQUAL),
    "chi2": _method("mcnemar:chi2", "McNemar's test, chi²", _EQUAL, _LARGE),
    "chi2-corrected": _method(
        "mcnemar:chi2-corrected", "McNemar's test, chi² with continuity correction", _EQUAL, _LARGE
    ),
}
BOWKER = _method(
    "bowker",
    "Bowker's test of symmetry",
    "every exchange of one class for another is as frequent as its reverse",
    _LARGE,
)
STUART_MAXWELL = _method(
    "stuart_maxwell",
    "Stuart–Maxwell test of equal margins",
    "both models predict each class equally often",
    _LARGE,
)
COCHRAN = _method("cochran_q", "Cochran's Q", "all models are right equally often", _LARGE)
_NO_BETTER = "the model is right no more often than the most frequent class"
MAJORITY = {
    "paired": _method(
        "above_majority:paired",
        "Accuracy above the majority's, paired (mid-p, one-sided)",
        _NO_BETTER,
    ),
    "nir": _method(
        "above_majority:nir",
        "P[Acc > NIR], exact binomial, one-sided",
        _NO_BETTER,
        f"{_INDEPENDENT}, and the share of the most frequent class is known beforehand",
    ),
}


def mcnemar(table: Any, method: str = "mid-p") -> Outcome:
    """Whether two models are right equally often, from ``[[both, only A], [only B, neither]]``.

    >>> mcnemar([[60, 15], [5, 20]], "exact").p.__round__(4)
    0.0414
    >>> mcnemar([[60, 0], [0, 40]]).notes
    ('the models are right and wrong on the same cases',)
    """
    chosen = MCNEMAR[choose(method, MCNEMAR, "way of McNemar's test")]
    cells = _whole(table)
    if len(cells) != 2:
        fix = "give [[both right, only A right], [only B right, both wrong]]"
        saw = f"{len(cells)} rows"
        raise InputError(Fault("CM513", "McNemar's test takes a 2×2 table", saw=saw, fix=fix))
    only_a, only_b = int(cells[0, 1]), int(cells[1, 0])
    n, apart = int(cells.sum()), only_a + only_b
    effects = {"difference": (only_a - only_b) / n} if n else {}
    if apart:
        effects |= {
            "odds_ratio": only_a / only_b if only_b else float("inf"),
            "cohens_g": only_a / apart - 0.5,
        }
    statistic, p = _mcnemar(only_a, only_b, method)
    is_chi2 = method.startswith("chi2")
    notes = () if apart else ("the models are right and wrong on the same cases",)
    if is_chi2 and 0 < apart < 25:
        notes = (f"they differ on {plural(apart, 'case')} only: mid-p or exact is surer",)
    return Outcome(
        method=chosen,
        n=n,
        statistic=statistic,
        df=(1,) if is_chi2 else (),
        effects=effects,
        notes=notes,
        **_known(p, n),
    )


def mcnemar_pairs(
    right: Any,
    counts: Any,
    names: Sequence[str],
    method: str = "mid-p",
    adjustment: str = "holm",
) -> Family:
    """McNemar's test for every pair of models, from patterns as `cochran_q` takes them.

    >>> found = mcnemar_pairs([[1, 1, 0], [0, 1, 1], [1, 0, 0]], [30, 20, 4], ["a", "b", "c"])
    >>> round(found["a", "c"], 4), round(found["c", "a"], 4)
    (0.0581, 0.0581)
    """
    right, counts = _patterns(right, counts)
    if len(names) != right.shape[1]:
        saw = f"{plural(right.shape[1], 'model')}, {plural(len(names), 'name')}"
        raise InputError(Fault("CM513", "every model needs a name", saw=saw))
    found = {
        (names[i], names[j]): mcnemar(right_or_wrong(right[:, i], right[:, j], counts), method)
        for i, j in combinations(range(len(names)), 2)
    }
    return Family.of(found, adjustment)


def right_or_wrong(a: Any, b: Any, counts: Any) -> Array:
    """The 2×2 table of McNemar's test from patterns: who was right, and how often that occurred.

    >>> right_or_wrong([1, 1, 0], [1, 0, 1], [60, 15, 5]).tolist()
    [[60, 15], [5, 0]]
    """
    codes = 2 * (1 - np.asarray(a, dtype=int)) + (1 - np.asarray(b, dtype=int))
    counts = np.asarray(counts)
    found = np.zeros(4, counts.dtype)
    np.add.at(found, codes, counts)
    return found.reshape(2, 2)


def bowker(table: Any) -> Outcome:
    """Whether what A says against what B says is symmetric, from their k×k table.

    Pairs of classes that are never exchanged say nothing and do not count as degrees of freedom.

    >>> found = bowker([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> found.statistic.__round__(4), found.df, found.p.__round__(4)
    (13.7692, (3,), 0.0032)
    """
    cells = _whole(table)
    above = np.triu_indices(len(cells), 1)
    up, down = cells[above].astype(float), cells.T[above].astype(float)
    both = up + down
    seen = both > 0
    statistic = float((np.square(up - down)[seen] / both[seen]).sum())
    df, n = int(seen.sum()), int(cells.sum())
    notes: tuple[str, ...] = ()
    if df < seen.size:
        notes = (f"{df} of {plural(seen.size, 'pair')} of classes are ever exchanged",)
    effects = {"cohens_w": float(np.sqrt(statistic / both.sum()))} if df else {}
    return Outcome(
        method=BOWKER,
        n=n,
        statistic=statistic,
        df=(df,),
        effects=effects,
        notes=notes if df else (_SAME_CLASSES,),
        **_known(float(tails.chi_squared(statistic, df)) if df else 1.0, n),
    )


_SAME_CLASSES = "the models say the same in every case"


def stuart_maxwell(table: Any) -> Outcome:
    """Whether A and B predict each class equally often, from their k×k table.

    Where classes fall into groups that are never exchanged, as many degrees of freedom are lost
    and the test is still exact algebra: the covariance is that of a graph, and each group is
    solved by itself.

    >>> found = stuart_maxwell([[20, 10, 5], [3, 30, 15], [0, 5, 40]])
    >>> found.statistic.__round__(4), found.df, found.p.__round__(4)
    (13.7647, (2,), 0.001)
    """
    cells = _whole(table).astype(float)
    moved = cells + cells.T
    np.fill_diagonal(moved, 0)
    apart = cells.sum(1) - cells.sum(0)
    groups = _connected(moved > 0)
    statistic, df, n = 0.0, len(cells) - len(groups), int(cells.sum())
    for group in groups:
        # One class of each group follows from the others.
        kept = group[:-1]
        if kept.size:
            covariance = np.diag(moved[kept].sum(1)) - moved[np.ix_(kept, kept)]
            statistic += float(apart[kept] @ np.linalg.solve(covariance, apart[kept]))
    notes: tuple[str, ...] = ()
    if 0 < df < len(cells) - 1:
        notes = (f"the classes fall into {len(groups)} groups that are never exchanged",)
    return Outcome(
        method=STUART_MAXWELL,
        n=n,
        statistic=statistic,
        df=(df,),
        effects={"share_moved": float(np.abs(apart).sum() / 2 / n)} if n else {},
        notes=notes if df else (_SAME_CLASSES,),
        **_known(float(tails.chi_squared(statistic, df)) if df else 1.0, n),
    )


def cochran_q(right: Any, counts: Any) -> Outcome:
    """Whether many models are right equally often, from patterns of right and wrong.

    A row of `right` holds 1 or 0 for each model, and `counts` says how often that row occurs.

    >>> found = cochran_q([[1, 1, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]], [30, 20, 4, 100])
    >>> found.statistic.__round__(4), found.df, found.p < 0.001
    (25.037, (2,), True)
    """
    right, counts = _patterns(right, counts)
    m, n = right.shape[1], int(counts.sum())
    weights = counts.astype(float)
    by_model, by_case = weights @ right, right.sum(1)
    # Cases on which all agree say nothing.
    mixed = float(weights @ (by_case * (m - by_case)))
    spread = m * float(np.square(by_model - by_model.mean()).sum())
    statistic = (m - 1) * spread / mixed if mixed else 0.0
    apart = float(weights[(by_case > 0) & (by_case < m)].sum())
    effects = {"largest_difference": float(np.ptp(by_model) / n)} if n else {}
    if apart:
        effects["kendalls_w"] = statistic / (apart * (m - 1))
    notes = () if mixed else ("the models are right and wrong on the same cases",)
    return Outcome(
        method=COCHRAN,
        n=n,
        statistic=statistic,
        df=(m - 1,),
        effects=effects,
        notes=notes,
        **_known(float(tails.chi_squared(statistic, m - 1)) if mixed else 1.0, n),
    )


def above_majority(table: Any, method: str = "paired") -> Outcome:
    """Whether one model beats always answering its most frequent class; chance model: majority.

    `paired` asks on how many cases only the model, or only the constant answer, is right. `nir`
    is what caret prints as P[Acc > NIR]: it takes the no-information rate for known. As it comes
    from the same cases, that p is too small where being right has little to do with the class:
    a model no better than the majority is then declared better in up to 18 % of samples, not 5.

    >>> table = [[70, 10], [12, 18]]
    >>> above_majority(table).p.__round__(4), above_majority(table, "nir").p.__round__(4)
    (0.068, 0.0509)
    """
    chosen = MAJORITY[choose(method, MAJORITY, "test against the majority")]
    cells = _whole(table)
    truth, hits = cells.sum(1), np.diag(cells)
    major, n, right = int(np.argmax(truth)), int(cells.sum()), int(hits.sum())
    won, lost = right - int(hits[major]), int(truth[major] - hits[major])
    notes: tuple[str, ...] = ()
    if method == "paired":
        statistic, p = float(won), _mid_p_above(won, won + lost)
        if not won + lost:
            notes = ("the model is right and wrong where the constant answer is",)
    else:
        statistic = float(right)
        p = float(tails.binomial_at_most(n - right, n, 1 - truth[major] / n)) if n else 1.0
        notes = ("the no-information rate comes from the same cases: p can be too small",)
    effects = {"difference": (won - lost) / n, "majority": int(truth[major]) / n} if n else {}
    return Outcome(
        method=chosen, n=n, statistic=statistic, effects=effects, notes=notes, **_known(p, n)
    )


def _mcnemar(a: int, b: int, method: str) -> tuple[float, float]:
    """Statistic and p of `a` cases for one side and `b` for the other."""
    less, both = min(a, b), a + b
    if method == "exact":
        return float(less), sign_test(a, b)
    if method == "mid-p":
        tail = tails.binomial_at_most([less, less - 1], both)
        return float(less), float(tail.sum()) if both else 1.0
    apart = max(abs(a - b) - (method == "chi2-corrected"), 0)
    statistic = apart * apart / both if both else 0.0
    return statistic, float(tails.chi_squared(statistic, 1))


def _mid_p_above(won: int, both: int) -> float:
    """Chance of more than `won` of `both` by a fair coin, and half that of as many."""
    lost = both - won
    return float(tails.binomial_at_most([lost, lost - 1], both).mean()) if both else 1.0


def _known(p: float, n: int) -> dict[str, Any]:
    return {"p": p} if n else {"p": float("nan"), "undefined": "there are no cases"}


def _whole(table: Any) -> Array:
    """One square table of whole numbers: only cases can be counted, weights cannot."""
    cells = read_cells(getattr(table, "counts", table))
    if cells.ndim != 2:
        fix = "select or pool its axes first"
        raise InputError(Fault("CM204", "a test is of one table", saw=str(cells.shape), fix=fix))
    if len(cells) < 2:
        raise InputError(Fault("CM513", "a comparison needs two classes or more"))
    return _as_whole(cells)


def _as_whole(counts: Array) -> Array:
    values = counts.astype(float)
    wrong = ~(np.isfinite(values) & (values >= 0) & (values == np.floor(values)))
    if wrong.any():
        what = "a test counts cases: whole numbers from 0 up"
        fix = "give counts without weights; weighted cases are not independent cases"
        raise InputError(Fault("CM202", what, saw=shorten(values[wrong].tolist()), fix=fix))
    return counts if counts.dtype.kind in "iu" else counts.astype(np.int64)


def _patterns(right: Any, counts: Any) -> tuple[Array, Array]:
    """Patterns of right and wrong ``(patterns, models)`` with their counts."""
    right, counts = np.asarray(right), np.asarray(counts)
    if right.ndim != 2 or counts.shape != right.shape[:1]:
        saw = f"patterns {right.shape}, counts {counts.shape}"
        fix = "one row of 1 (right) and 0 (wrong) for each pattern, one count for each row"
        raise InputError(Fault("CM513", "patterns and counts do not match", saw=saw, fix=fix))
    if right.shape[1] < 2:
        what = "a comparison needs two models or more"
        raise InputError(Fault("CM511", what, saw=plural(right.shape[1], "model")))
    if not np.isin(right, (0, 1)).all():
        what = "a pattern says right (1) or wrong (0)"
        raise InputError(Fault("CM513", what, saw=shorten(np.unique(right).tolist())))
    return right.astype(float), _as_whole(counts)


def _connected(linked: Array) -> list[Array]:
    """Groups of classes that are linked, directly or through others."""
    left, groups = set(range(len(linked))), []
    while left:
        group = np.zeros(len(linked), bool)
        group[min(left)] = True
        size = 0
        while size != group.sum():
            size = int(group.sum())
            group |= linked[group].any(0)
        groups.append(np.flatnonzero(group))
        left -= set(groups[-1].tolist())
    return groups

"""What every card promises, tried on random, degenerate and extreme tables: declaring a measure
tests it. What is true of a measure is found out in `promises`; here it must equal its card."""

import inspect
import re
from collections import defaultdict

import numpy as np
import promises
import pytest
from digits import with_digits
from hypothesis import given
from hypothesis import strategies as st

import chancemeter as cm
from chancemeter import chance
from chancemeter.catalogue import alike, references
from chancemeter.counts import Counts, Margins, as_counts
from chancemeter.registry import CHANGES, FORMS, REGISTRY, SHORTHAND
from chancemeter.undefined import REASONS

ALL = list(cm.every())
for_every = pytest.mark.parametrize("m", [pytest.param(m, id=m.key) for m in ALL])


def pick(test):
    return [pytest.param(m, id=m.key) for m in ALL if test(m)]


@st.composite
def stacks(draw, least=0):
    """Tables of 2 to 5 classes, full or nearly empty, good or bad classifiers."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    k = draw(st.integers(2, 5))
    full = rng.integers(1, 400, (12, k, k)) * (rng.random((12, k, k)) < rng.random())
    full[:6, range(k), range(k)] *= rng.integers(1, 50)
    return np.maximum(full, least).astype(float)


@for_every
@given(stack=stacks())
def test_stays_in_range(m, stack):
    low, high = m.card.range
    values = promises.values(m, stack)
    slack = 1e-9 * np.maximum(1, np.abs(np.nan_to_num(values, posinf=0, neginf=0)))
    assert np.all(np.isnan(values) | ((low - slack <= values) & (values <= high + slack)))


@for_every
@given(stack=stacks())
def test_a_stack_is_its_tables_one_by_one(m, stack):
    some = slice(None) if m.card.closed_form else slice(None, None, 5)  # iterations take long
    one_by_one = np.array([np.asarray(m(table)) for table in stack[some]])
    np.testing.assert_allclose(promises.values(m, stack)[some], one_by_one, rtol=1e-9, atol=1e-11)


@for_every
def test_whole_counts_and_weights_give_the_same(m):
    rng = np.random.default_rng(3)
    for k in (1, 2, 3, 7, 70) if m.card.closed_form else (1, 2, 3, 7):
        cells = rng.integers(0, 50, (3, k, k)) * (rng.random((3, k, k)) < 0.7)
        whole, weights = as_counts(cells), Counts(cells.astype(float))
        assert whole.whole
        np.testing.assert_allclose(m.values(whole), m.values(weights), rtol=1e-10, atol=1e-11)
        if m.card.needs == "margins":
            margins = Margins(whole.hits, whole.truth, whole.predicted)
            np.testing.assert_allclose(m.values(whole), m.values(margins), rtol=1e-10, atol=1e-11)


@for_every
def test_nothing_else_changes_it_and_nothing_else_leaves_it(m):
    assert m.unchanged_by == set(promises.unchanged_by(m))
    assert m.unchanged_by <= set(CHANGES)


@for_every
def test_needs_what_the_card_says(m):
    assert promises.needs(m) == m.card.needs


@for_every
def test_is_undefined_where_the_card_says_and_nowhere_else(m):
    assert m.undefined_when <= set(REASONS)
    catch_all = bool(m.undefined_when & promises.CATCH_ALL)
    for stack in promises.degenerate():
        c = Counts(stack)
        values = promises.values(m, stack)
        explained = np.zeros(values.shape, bool)
        for code in m.undefined_when - promises.CATCH_ALL:
            holds = REASONS[code].holds(c)
            holds = holds[..., None] if holds.ndim < values.ndim else holds
            assert np.isnan(values)[np.broadcast_to(holds, values.shape)].all(), code
            explained |= holds
        assert catch_all or not np.any(np.isnan(values) & ~explained)


@for_every
def test_every_undefined_value_has_a_reason_and_no_other_has(m):
    for stack in promises.degenerate():
        c = Counts(stack)
        values = m.values(c)
        given_reason = m.reasons(c, values) != None  # noqa: E711
        assert np.array_equal(given_reason, np.isnan(values))


@for_every
def test_what_is_made_from_it_has_reasons_too(m):
    for form in ("each",) if m.card.level == "table" else FORMS.keys() - {"each"}:
        made = cm.get(f"{m.key}@{form}")
        for stack in promises.degenerate():
            c = Counts(stack[::5])
            values = made.values(c)
            assert np.array_equal(made.reasons(c, values) != None, np.isnan(values))  # noqa: E711


def test_reasons_of_averages_are_of_a_class_that_takes_part():
    never_true_or_said = [[5, 0, 0], [1, 0, 0], [0, 0, 0]]
    for name, code in {
        "f_score@macro": "any_class_nowhere",
        "precision@truth": "any_class_never_predicted",
        "kappa@each@macro": "one_and_the_same_class",
        "recall@defined": None,
        "recall@truth": None,
    }.items():
        reason = cm.get(name).why(never_true_or_said)
        assert (reason and reason.code) == code, name


@for_every
def test_perfect_prediction_is_perfect(m):
    seen = [np.asarray(m(np.diag(d))) for d in ([7.0, 3.0], [4.0, 2.0, 9.0], [50.0, 1.0, 1.0, 8.0])]
    if m.card.perfect is None:
        assert len({tuple(np.atleast_1d(x).round(9)) for x in seen}) > 1 or np.isnan(seen[0]).all()
        return
    for values in seen:
        np.testing.assert_allclose(values, m.card.perfect, atol=1e-9)


@pytest.mark.parametrize("m", pick(lambda m: m.card.by_chance is not None))
@given(stack=stacks(least=1))
def test_what_chance_alone_gives(m, stack):
    expected = chance.MODELS[m.card.chance](Counts(stack))
    np.testing.assert_allclose(promises.values(m, expected), m.card.by_chance, atol=1e-8)


def families(same_truth=False):
    """Measures grouped by how they rank tables, found by ranking many."""
    found = defaultdict(set)
    for m in ALL:
        key = (m.card.level, promises.ranking(m, same_truth))
        found[key].add(m.key)
    return {frozenset(keys) for keys in found.values() if len(keys) > 1}


def test_order_classes_are_those_of_the_cards():
    declared = {frozenset(x.key for x in alike(m)) for m in ALL if m.card.orders_like}
    assert families() == {keys for keys in declared if len(keys) > 1}


def test_order_classes_at_fixed_truth_are_those_of_the_cards():
    declared = {frozenset(x.key for x in alike(m, same_truth=True)) for m in ALL}
    assert families(same_truth=True) == {keys for keys in declared if len(keys) > 1}


def extreme_tables():
    rng = np.random.default_rng(8)
    yield [[10**15, 1], [0, 10**15]]
    yield [[10**15 - 3, 5], [7, 2]]
    yield [[1, 0], [10**12, 1]]
    yield [[10**15, 3, 1], [2, 10**15, 8], [1, 1, 1]]
    for k in (2, 3, 5, 10):
        yield rng.integers(1, 60, (k, k)) + np.diag(rng.integers(0, 900, k))
        yield rng.integers(1, 10**15, (k, k))
        yield np.round(10 ** rng.uniform(0, 15, (k, k))).astype(np.int64)


EXTREME = [np.asarray(t) for t in extreme_tables()]


def sensitivity(m, table):
    """How far each value moves, at most, when every count moves by one part: |f| + Σ|x ∂f/∂x|."""
    cells = np.asarray(table, float)
    k = cells.shape[-1]
    steps = np.eye(k * k).reshape(k * k, k, k) * cells * 1e-30j
    moved = np.asarray(m.formula(Counts(cells + steps))).imag / 1e-30
    return np.abs(moved).sum(0)


def compare_with_exact(m, table, exact, factor):
    ours = np.asarray(m(table), float)
    for x, right in zip(np.atleast_1d(ours), np.atleast_1d(exact), strict=True):
        if isinstance(right, float) and not np.isfinite(right):
            assert np.isnan(x) if np.isnan(right) else x == right
    value = np.array([float(x) for x in np.atleast_1d(exact)])
    known = np.isfinite(value)
    error = np.abs(
        [
            float(right - type(right)(float(x))) if ok else 0.0
            for x, right, ok in zip(np.atleast_1d(ours), np.atleast_1d(exact), known, strict=True)
        ]
    )
    assert np.all(error[known] <= 1e-12 * np.maximum(1, np.abs(value[known])))
    with np.errstate(all="ignore"):
        bound = np.abs(value) + np.nan_to_num(np.atleast_1d(sensitivity(m, table)), posinf=np.inf)
    assert np.all(error[known] <= factor * bound[known]), np.max(error[known] / bound[known])


#: Measures that need more than 4e-16 of the sensitivity, and why.
LOOSE = {
    "expected_powers": (8e-16, "a ratio of two sums of products of ratios"),
    "se_kappa": (3e-13, "the root of a variance; loose only where it is 1e-24"),
}


def allowed(m):
    return LOOSE.get(m.key, (4e-16, ""))[0]


@pytest.mark.parametrize("m", pick(lambda m: m.card.rational))
def test_agrees_with_exact_fractions(m):
    for table in EXTREME:
        compare_with_exact(m, table, m.exact(table), allowed(m))


@pytest.mark.parametrize("m", pick(lambda m: m.card.corrects))
def test_is_what_is_left_beyond_its_chance_model(m):
    model = chance.MODELS[m.card.corrects]
    for k in (3, 4):
        c = Counts(promises.tables(k, least=1))
        level = model.expect(c).share
        accuracy = c.right / c.total
        np.testing.assert_allclose(m.values(c), (accuracy - level) / (1 - level), atol=1e-9)


@pytest.mark.parametrize("m", pick(lambda m: not m.card.rational and m.card.closed_form))
def test_agrees_with_fifty_digits(m):
    for table in EXTREME:
        exact = np.asarray(m.formula(Counts(with_digits(table))))
        compare_with_exact(m, table, exact if exact.ndim else exact.item(), allowed(m))


@for_every
def test_rational_as_the_card_says(m):
    assert promises.is_rational(m) == m.card.rational
    if not m.card.rational:
        with pytest.raises(cm.ChancemeterError, match="CM305"):
            m.exact([[1, 2], [3, 4]])


@pytest.mark.parametrize("m", pick(lambda m: "scale" in m.unchanged_by))
@pytest.mark.parametrize("factor", [1e200, 1e-200, 1e-12, 0.37, 1e-320])
def test_weights_of_any_size_give_the_same(m, factor):
    for table in EXTREME[4:7]:
        np.testing.assert_allclose(m(table * factor), m(table), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("m", pick(lambda m: m.card.smooth))
def test_complex_step_gives_the_derivative(m):
    for k in (2, 3):
        cells = promises.tables(k, least=3)[7:9]
        for cell in ((0, 0), (0, 1), (1, 0)):
            step = np.zeros((k, k))
            step[cell] = 1
            with np.errstate(invalid="ignore"):
                exact = np.asarray(m.formula(Counts(cells + 1e-20j * step))).imag / 1e-20
            h = 1e-3
            up, down = promises.values(m, cells + h * step), promises.values(m, cells - h * step)
            up2 = promises.values(m, cells + 2 * h * step)
            down2 = promises.values(m, cells - 2 * h * step)
            numeric = (8 * (up - down) - (up2 - down2)) / (12 * h)
            known = np.isfinite(numeric)
            assert not np.isnan(exact[known]).any()
            exact, numeric = exact[known], numeric[known]
            np.testing.assert_allclose(
                exact, numeric, rtol=1e-5, atol=1e-9 * (1 + np.nanmax(np.abs(up), initial=0))
            )


@for_every
def test_a_thousand_classes(m):
    rng = np.random.default_rng(1)
    k = 1000 if m.card.closed_form else 40
    cells = rng.poisson(0.05, (k, k)) + np.diag(rng.integers(1, 40, k))
    values = np.asarray(m(cells))
    assert values.shape == ((k,) if m.card.level == "class" else ())
    assert not np.isnan(values).all()


@for_every
def test_policies_for_undefined_values(m):
    empty = np.zeros((2, 2))
    if not np.isnan(m(empty)).any():
        return
    assert np.all(np.asarray(m(empty, undefined=0.25))[np.isnan(m(empty))] == 0.25)
    with pytest.raises(cm.UndefinedError, match="CM304"):
        m(empty, undefined="raise")


@for_every
def test_is_documented(m):
    text = inspect.getdoc(m.formula) or ""
    assert m.summary.endswith(".")
    assert ">>>" in text
    assert m.card.symbol
    assert set(m.card.references) <= set(references())


def test_names_are_words_and_hide_no_module():
    from pathlib import Path

    import chancemeter

    modules = {p.stem for p in Path(chancemeter.__file__).parent.iterdir()}
    for name in [*REGISTRY, *SHORTHAND]:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name), name
        assert name not in modules, name
        assert name not in chancemeter._HOME, name
    for name in SHORTHAND:
        assert cm.get(name)([[20, 5], [10, 15]]) is not None

"""The scales of words: as published, and where PyCM's and irrCAC's readings differ."""

from __future__ import annotations

import dataclasses
import itertools

import numpy as np
import pycm.interpret
import pytest

import chancemeter as cm
from chancemeter.scales import SCALES, accuracy_at, get, words

PYCM = {
    "soa1": pycm.interpret.kappa_analysis_koch,
    "soa2": pycm.interpret.kappa_analysis_fleiss,
    "soa3": pycm.interpret.kappa_analysis_altman,
    "soa4": pycm.interpret.kappa_analysis_cicchetti,
    "soa5": pycm.interpret.V_analysis,
    "soa6": pycm.interpret.MCC_analysis,
    "soa7": pycm.interpret.lambda_analysis,
    "soa8": pycm.interpret.lambda_analysis,
    "soa9": pycm.interpret.alpha_analysis,
    "soa10": pycm.interpret.pearson_C_analysis,
    "plri": pycm.interpret.PLR_analysis,
    "nlri": pycm.interpret.NLR_analysis,
    "dpi": pycm.interpret.DP_analysis,
    "auci": pycm.interpret.AUC_analysis,
    "mcci": pycm.interpret.MCC_analysis,
    "qi": pycm.interpret.Q_analysis,
}

#: Where PyCM gives another word, and why ours stands.
PYCM_DIFFERS = {
    "soa1": ("Landis and Koch put 0.20, 0.40 … into the lower step", lambda x: x in FIFTHS),
    "soa2": ("Fleiss writes 'greater than .75' for excellent", lambda x: x == 0.75),
    "soa3": ("Altman's steps begin at 0.21, 0.41 …", lambda x: x in FIFTHS),
    "soa4": (
        "Cicchetti's steps end at .59 and .74 and begin at .60 and .75; PyCM cuts at the ends",
        lambda x: 0.59 <= x < 0.6 or 0.74 <= x < 0.75,
    ),
    "soa6": ("the scale is of size; to PyCM −1 is negligible", lambda x: x <= -0.3),
    "soa7": ("PyCM has no word for 0", lambda x: x == 0),
    "soa8": ("PyCM has no word for 0", lambda x: x == 0),
    "soa10": ("PyCM has no word for 0", lambda x: x == 0),
    "plri": ("more than 10 is good, 5 to 10 fair", lambda x: x == 10),
    "mcci": ("the scale is of size; to PyCM −1 is negligible", lambda x: x <= -0.3),
    "qi": ("the scale is of size; to PyCM −1 is negligible", lambda x: x <= -0.25),
}
FIFTHS = {0.2, 0.4, 0.6, 0.8}
PYCM_WORDS = {"intermediate to good": "fair to good"}

LOWEST = {
    "soa1": -1,
    "soa2": -1,
    "soa3": -1,
    "soa4": -1,
    "soa6": -1,
    "soa9": -1,
    "mcci": -1,
    "qi": -1,
}
HIGHEST = {"plri": 20, "nlri": 2, "dpi": 5}


def grid(key: str) -> list[float]:
    """Every half a hundredth of the range of the measure, as the nearest double."""
    lowest, highest = LOWEST.get(key, 0), HIGHEST.get(key, 1)
    return [i / 200 for i in range(200 * lowest, 200 * highest + 1)] + list(SCALES[key].cuts)


def of_pycm(key: str, value: float) -> str:
    word = PYCM[key](value).lower()
    return PYCM_WORDS.get(word, word)


@pytest.mark.parametrize("key", PYCM)
def test_equals_pycm_but_where_pycm_is_off(key: str) -> None:
    _, differs = PYCM_DIFFERS.get(key, ("", lambda _: False))
    for value in grid(key):
        same = words(key, value) == of_pycm(key, value)
        assert same is not differs(value), (value, words(key, value), of_pycm(key, value))


@pytest.mark.parametrize("key", ["soa1", "soa3", "soa4", "soa7", "soa8"])
def test_pycm_has_no_word_for_one_and_a_rounding(key: str) -> None:
    beyond = 1 + 1e-15
    assert of_pycm(key, beyond) == "none"
    assert words(key, beyond) == words(key, 1.0) == SCALES[key].words[-1]


@pytest.mark.parametrize("key", SCALES)
def test_nan_is_undefined_and_everything_else_has_a_word(key: str) -> None:
    assert words(key, float("nan")) == "undefined"
    assert words(key, float("inf")) == SCALES[key].words[-1]
    assert {words(key, x).removesuffix(", negative") for x in (-9.0, 0.0, 99.0)} <= set(
        SCALES[key].words
    )


@pytest.mark.parametrize("key", SCALES)
def test_every_word_is_used_once_between_cuts_in_order(key: str) -> None:
    scale = SCALES[key]
    assert len(scale.words) == len(scale.cuts) + 1 == len(scale.on_cut) + 1
    assert list(scale.cuts) == sorted(set(scale.cuts))
    bounds = [scale.cuts[0] - 1 if not scale.two_sided else 0, *scale.cuts, scale.cuts[-1] + 1]
    between = [(low + high) / 2 for low, high in itertools.pairwise(bounds)]
    assert tuple(words(key, x) for x in between) == scale.words


@pytest.mark.parametrize("key", SCALES)
def test_rounding_does_not_move_a_value_off_its_cut(key: str) -> None:
    for cut in SCALES[key].cuts:
        near = {words(key, x) for x in (cut, np.nextafter(cut, -9), np.nextafter(cut, 9))}
        assert len(near) == 1


@pytest.mark.parametrize("key", SCALES)
def test_is_meant_for_a_measure_that_exists(key: str) -> None:
    scale = SCALES[key]
    low, high = cm.get(scale.measure).card.range
    assert scale.key == key
    assert all(low <= cut <= high for cut in scale.cuts)


def test_keys_and_names() -> None:
    assert list(SCALES) == [
        *(f"soa{i}" for i in range(1, 11)),
        *("regier", "plri", "nlri", "dpi", "auci", "mcci", "qi"),
    ]
    names = [scale.name for scale in SCALES.values()]
    assert len({*names, *SCALES}) == len(names) + len(SCALES)
    assert all(get(scale.name) is scale for scale in SCALES.values())


def test_a_scale_is_frozen() -> None:
    with pytest.raises(dataclasses.FrozenInstanceError):
        SCALES["soa1"].title = "mine"  # type: ignore[misc]


def test_unknown_scale() -> None:
    with pytest.raises(cm.UnknownNameError, match=r"CM401.*\n.*did you mean fleiss"):
        words("fleis", 0.5)
    with pytest.raises(cm.UnknownNameError, match="one of soa1"):
        words("\x1b[31m", 0.5)


@pytest.mark.parametrize(
    ("key", "value", "word"),
    [
        ("soa1", -0.001, "poor"),
        ("soa1", 0.0, "slight"),
        ("soa1", 0.2, "slight"),
        ("soa1", 0.21, "fair"),
        ("soa1", 0.47, "moderate"),
        ("soa1", 0.8, "substantial"),
        ("soa2", 0.39, "poor"),
        ("soa2", 0.4, "fair to good"),
        ("soa2", 0.75, "fair to good"),
        ("soa2", 0.76, "excellent"),
        ("soa4", 0.595, "fair"),
        ("soa4", 0.745, "good"),
        ("soa6", -0.95, "very strong, negative"),
        ("soa6", -0.2, "negligible"),
        ("soa9", 0.667, "tentative"),
        ("regier", 0.19, "unacceptable"),
        ("regier", 0.2, "questionable"),
        ("regier", 0.4, "good"),
        ("regier", 0.6, "very good"),
        ("regier", 0.8, "excellent"),
        ("nlri", 0.0, "good"),
        ("plri", float("inf"), "good"),
    ],
)
def test_published_steps(key: str, value: float, word: str) -> None:
    assert words(key, value) == word


@pytest.mark.parametrize(
    ("key", "method"),
    [
        ("soa1", "landis_koch"),
        ("soa2", "fleiss"),
        ("soa3", "altman"),
        ("soa4", "cicchetti_sparrow"),
        ("regier", "regier"),
    ],
)
def test_cuts_and_words_of_irrcac(key: str, method: str) -> None:
    benchmark = pytest.importorskip("irrCAC.benchmark").Benchmark(coeff=0.5, se=0.1)
    table = getattr(benchmark, method)()
    (its,) = (value for name, value in table.items() if name not in {"scale", "CumProb"})
    its = [PYCM_WORDS.get(word.lower(), word.lower()) for word in reversed(its)]
    assert tuple(its) == SCALES[key].words
    assert tuple(low for low, _ in reversed(table["scale"]))[1:] == SCALES[key].cuts


def test_accuracy_behind_a_kappa_in_kolb() -> None:
    assert accuracy_at(0.4, 0.8) == pytest.approx(0.88, abs=1e-15)
    assert accuracy_at(0.4, 0.5) == pytest.approx(0.70, abs=1e-15)
    np.testing.assert_allclose(np.diff(accuracy_at([0.4, 0.5, 0.6], 0.8)), 0.02)
    np.testing.assert_allclose(np.diff(accuracy_at([0.4, 0.5, 0.6], 0.5)), 0.05)


def test_accuracy_at_undoes_kappa() -> None:
    tables = np.random.default_rng(4).integers(1, 90, (50, 3, 3))
    again = accuracy_at(cm.kappa(tables), cm.expected_cohen(tables))
    np.testing.assert_allclose(again, cm.accuracy(tables), rtol=1e-13)
    assert isinstance(accuracy_at(1, 0), float)

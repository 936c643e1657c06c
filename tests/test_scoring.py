"""Scores, the verdict about luck, the catalogue, and the codes of all errors."""

import json
import pkgutil
import re
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from snapshot import matches

import chancemeter as cm
from chancemeter import catalogue, csvfiles, registry
from chancemeter.errors import CODES, Fault, plural, printable, quoted
from chancemeter.figures import number, percent
from chancemeter.frames.grouped import Grouped
from chancemeter.scoring import USUAL, USUAL_OF_CLASSES

CELLS = [[50, 3, 2], [4, 40, 9], [1, 5, 20]]
EVERY = [m.key for m in cm.every()]
FORMS = [
    f"{m.key}@{form}"
    for m in cm.every()
    for form in (["macro", "micro", "defined", "truth"] if m.card.level == "class" else ["each"])
]


def fault(call, *args, **kwargs):
    with pytest.raises(cm.ChancemeterError) as caught:
        call(*args, **kwargs)
    return caught.value.faults[0]


# Scores


@pytest.mark.parametrize(
    "cells", [CELLS, [[0, 0], [0, 0]], [[5]], [[9, 0], [0, 0]], [[1, 2, 0], [0, 0, 0], [3, 4, 0]]]
)
def test_all_measures_as_json(cells):
    scores = cm.score(cells, [*EVERY, *FORMS])
    read = json.loads(scores.to_json())
    assert list(read["measures"]) == [*EVERY, *FORMS]
    for key, found in read["measures"].items():
        values = found["value"] if isinstance(found["value"], list) else [found["value"]]
        reasons = (
            found["undefined"] if isinstance(found["undefined"], list) else [found["undefined"]]
        )
        assert [x is None for x in values] == [x is not None for x in reasons], key
        assert all(set(x) == {"code", "reason"} for x in reasons if x)
    assert cm.table(read).counts.tolist() == cells


def test_infinity_has_a_word():
    found = cm.score([[9, 0], [1, 9]], ["odds_ratio"]).to_dict()["measures"]["odds_ratio"]
    assert found["value"] == ["Infinity", "Infinity"]
    assert found["undefined"] == [None, None]


def test_how_many_classes_took_part():
    cells = [[5, 1, 0], [1, 5, 0], [0, 0, 0]]
    found = cm.score(cells, ["recall@defined", "recall@macro", "recall@truth", "kappa"])
    classes = {key: x.get("classes") for key, x in found.to_dict()["measures"].items()}
    assert classes == {
        "recall@defined": {"used": 2, "of": 3},
        "recall@macro": {"used": 3, "of": 3},
        "recall@truth": {"used": 2, "of": 3},
        "kappa": None,
    }


def test_scores_are_read_by_key():
    scores = cm.score(CELLS)
    assert tuple(scores) == USUAL
    assert len(scores) == len(USUAL)
    assert scores["kappa"] == cm.kappa(CELLS)
    assert cm.score(CELLS, "heidke_skill_score")["kappa"] == scores["kappa"]
    assert len(cm.score(CELLS, [])) == 0
    assert cm.score(CELLS, USUAL_OF_CLASSES)["recall"] == cm.recall(CELLS).tolist()


def test_scores_as_text_frame_and_html():
    t = cm.table([[9, 0], [0, 0]], ["<b>", "\x1b"])
    scores = cm.score(t, ["accuracy", "kappa", "recall"])
    assert repr(scores).splitlines() == [
        "9 cases, 2 classes",
        "  accuracy  1.000",
        "  kappa     undefined: truth and prediction hold one class only, the same one",
        "  recall    1.000  undefined",
    ]
    frame = scores.to_frame()
    assert frame["measure"].tolist() == ["accuracy", "kappa", "recall", "recall"]
    assert frame["class"].tolist()[2:] == ["<b>", "\x1b"]
    assert "<caption>9 cases</caption>" in scores._repr_mimebundle_()["text/html"]
    assert repr(cm.score([[1.5, 0], [0, 9]], [])) == "cases of total weight 10.5, 2 classes"


def test_scores_are_of_one_table():
    for call in (cm.score, cm.luck):
        assert fault(call, [CELLS, CELLS]).code == "CM204"


@pytest.mark.parametrize(
    ("names", "fixes"),
    [
        (["kapa"], ["did you mean kappa?"]),
        (["kapa", "mcc", "recal"], ["did you mean kappa?", "did you mean recall?"]),
        (["KAPPA"], ["did you mean kappa?"]),
        (["f_score(bta=2)"], ["did you mean beta?"]),
        (["f_score(bta=2, x=1)"], ["did you mean beta?", "its parameters: beta"]),
        (["recall@makro"], ["did you mean macro?"]),
        (["kappa@macro"], ["kappa is already one number"]),
        (["recall@each"], ["leave out @each"]),
        (["f_score(beta=2"], ["write them as"]),
        (["f_score(2)"], ["write them as"]),
        (["f_score(beta=__import__('os'))"], ["write them as"]),
        (["f_score(beta=hello)"], ["chancemeter explain f_score"]),
        (["f_score(beta='x')"], ["chancemeter explain f_score"]),
        (["weighted_kappa(weights=quadratik)"], ["quadratic"]),
        (["zzzzzz"], ["chancemeter measures"]),
        ([""], ["chancemeter measures"]),
    ],
)
def test_misspelt_measures(names, fixes):
    with pytest.raises(cm.ChancemeterError) as caught:
        cm.score(CELLS, names)
    assert len(caught.value.faults) == len(fixes)
    for found, fix in zip(caught.value.faults, fixes, strict=True):
        assert fix in found.fix


def test_misspelt_attributes():
    with pytest.raises(AttributeError, match="did you mean kappa"):
        _ = cm.kapa
    with pytest.raises(AttributeError, match=r"write chancemeter\.get\('f1_macro'\)"):
        _ = cm.f1_macro
    assert {"kappa", "table", "luck", "__version__"} <= set(dir(cm))


def test_no_measure_hides_a_module():
    modules = {m.name for m in pkgutil.iter_modules(cm.__path__)}
    assert not modules & set(registry.REGISTRY)
    assert not modules & {x for x in dir(cm) if not x.startswith("_")}


# Numbers in print


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0.000"),
        (-0.0, "0.000"),
        (1, "1.000"),
        (-1.0, "-1.000"),
        (0.0005, "0.001"),
        (0.9995, "0.9995"),
        (1 - 1e-9, "0.999999999"),
        (-0.99996, "-0.99996"),
        (0.8795, "0.880"),
        (2.5, "2.500"),
        (12, "12"),
        (9999.5, "9999.500"),
        (12345.6, "12,346"),
        (1e20, "1e+20"),
        (1e-20, "1e-20"),
        (float("inf"), "∞"),
        (float("-inf"), "−∞"),
        (float("nan"), "undefined"),
        (np.float64(0.25), "0.250"),
    ],
)
def test_numbers(value, text):
    assert number(value) == text


@given(st.floats(0, 1))
def test_nothing_is_rounded_to_nothing_or_to_all(x):
    assert (float(percent(x)[:-1]) in {0, 100}) == (x in {0, 1}) or min(x, 1 - x) < 1e-12
    assert abs(Decimal(percent(x)[:-1]) / 100 - Decimal(x)) <= Decimal("0.0005000001")


# Luck


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("lucky", [[90, 10], [9, 1]]),
        ("skilled", [[70, 10], [20, 900]]),
        ("worse than the majority", [[10, 5], [40, 945]]),
        ("worse than chance", [[5, 45], [45, 5]]),
        ("perfect", [[30, 0], [0, 70]]),
        ("nearly perfect", [[500_000, 1], [0, 500_000]]),
        ("all wrong", [[0, 30], [70, 0]]),
        ("one class", [[9, 0], [0, 0]]),
        ("one class in truth", [[9, 1], [0, 0]]),
        ("one class predicted", [[9, 0], [1, 0]]),
        ("a single class", [[9]]),
        ("empty", [[0, 0], [0, 0]]),
        ("one case", [[1, 0], [0, 0]]),
        ("weights", [[0.5, 0.25], [0, 2.5]]),
        ("hardly skilled", [[1002, 1000], [1000, 1002]]),
        ("independent", [[1, 2, 3], [2, 4, 6], [3, 6, 9]]),
        ("three classes", CELLS),
    ],
)
def test_luck(name, cells):
    found = cm.luck(cells, name)
    text = f"{found}\n{found.bar(plain=True)}\n{found.bar()}\n"
    matches(f"luck-{name.replace(' ', '-')}", text)
    assert json.dumps(found.to_dict(), allow_nan=False)
    if found.n:
        assert found.accuracy == pytest.approx(found.chance + found.earned)
        assert len(found.bar(plain=True).split()[2]) == 50
        assert found.bar(plain=True).isascii()


cells_of_3 = st.lists(st.integers(0, 50), min_size=9, max_size=9)


@given(cells_of_3)
def test_luck_of_anything(cells):
    found = cm.luck(np.reshape(cells, (3, 3)))
    assert str(found)
    bar = found.bar(width=40).partition("\n")[0]
    assert not bar or len(re.search("[░█·]+$", bar)[0]) == 40
    assert found.ideas["cohen"][1] == pytest.approx(found.kappa, nan_ok=True)


def test_the_majority_is_named_safely():
    found = cm.luck(cm.table([[10, 90], [0, 0]], ["\x1b[31m" + "x" * 500, "b"]))
    assert "\x1b" not in found.warning
    assert len(found.warning) < 120


# The catalogue


@pytest.mark.parametrize("name", [*EVERY, *FORMS[::7], *registry.SHORTHAND])
def test_explain_everything(name):
    text = catalogue.explain(name)
    for i, line in enumerate(text.splitlines()):
        assert len(line) <= 100 or (i > 0 and line.startswith("    ") and "=" in line), line
        assert line == line.rstrip()
    assert not re.search(r"\\|[{}]", text)


def test_every_formula_can_be_read():
    formulas = {m.key: catalogue.plain_formula(m) for m in cm.every()}
    shown = [f"{key}: {formula}" for key, formula in formulas.items() if formula]
    assert not [line for line in shown if re.search(r"\\|[{}$]|frac|quad|mathrm|\(\)", line)]
    assert all(line.count("(") == line.count(")") for line in shown)
    matches("formulas", "\n".join(shown) + "\n")


def test_every_card_is_plain_data():
    for m in cm.every():
        found = catalogue.describe(m)
        assert json.loads(json.dumps(found, allow_nan=False)) == found
        assert found["key"] == m.key


def test_search():
    assert catalogue.search() == list(cm.every())
    assert cm.kappa in catalogue.search("HEIDKE")
    assert catalogue.search("zzzz") == []
    assert all(m.family == "overlap" for m in catalogue.search(family="overlap"))
    assert all(m.card.level == "class" for m in catalogue.search(level="class"))
    assert cm.informedness in catalogue.search(source="powers2012")
    assert cm.f_score in catalogue.search(like="jaccard")
    for m in cm.every():
        assert m in catalogue.search(m.key)
        assert m in catalogue.search(like=m.key)
    assert fault(catalogue.search, family="agrement").fix == "did you mean agreement?"
    assert "powers2012" in fault(catalogue.search, source="powers12").fix
    assert fault(catalogue.search, like="kapa").code == "CM301"


def test_every_source_is_in_the_bibliography():
    known = set(catalogue.references())
    assert not {r for m in cm.every() for r in m.card.references} - known


# Errors


def test_messages_are_safe():
    nasty = "\x1b[31m\r\n\u202e\x00\ud800"
    text = str(Fault("CM001", nasty, nasty, nasty, nasty))
    assert text.count("\n") == 3
    assert text.replace("\n", "").isprintable()
    assert text.encode("utf-8")
    assert printable("x" * 100) == "x" * 59 + "…"
    assert quoted("it's \\") == "'it's \\'"
    assert plural(0, "case") == "0 cases"


def test_codes_are_those_of_the_code():
    package = Path(cm.__file__).parent
    used = {
        code
        for path in package.rglob("*.py")
        if path.name != "errors.py"
        for code in re.findall(r"\"(CM\d{3})\"", path.read_text("utf-8"))
    }
    assert used == set(CODES)
    assert list(CODES) == sorted(CODES)


def declare_twice():
    def kappa(c):
        """Nothing."""

    registry.Card(symbol="x", range=(0, 1))(kappa)


def test_every_code_is_triggered(tmp_path, monkeypatch):
    def file(text):
        path = tmp_path / "x.csv"
        path.write_bytes(text)
        return csvfiles.read_predictions(path)

    full = cm.table(CELLS)
    calls = {
        "CM001": lambda: csvfiles.read_predictions(tmp_path),
        "CM002": lambda: file(b""),
        "CM003": lambda: file(b"\x80\x04"),
        "CM004": lambda: file(b"a,b\n1\n"),
        "CM008": lambda: Grouped({}, np.array([1]), 2),
        "CM101": lambda: file(b"a,b\n1,2\n"),
        "CM102": lambda: cm.tally([1], [1, 2]),
        "CM103": lambda: cm.tally([None], [None]),
        "CM104": lambda: cm.tally([1], ["1"]),
        "CM105": lambda: cm.tally(range(3000), range(3000)),
        "CM106": lambda: cm.tally([1], [1], weights=[1, 2]),
        "CM107": lambda: cm.tally([1], [1], labels=[2]),
        "CM201": lambda: cm.kappa([[1, 2]]),
        "CM202": lambda: cm.kappa([[1, -2], [3, 4]]),
        "CM203": lambda: cm.table(CELLS, "ab"),
        "CM204": lambda: full.select(fold=1),
        "CM205": lambda: csvfiles.read_matrix(tmp_path / "x.csv", None),
        "CM301": lambda: cm.get("kapa"),
        "CM302": lambda: cm.kappa(CELLS, x=1),
        "CM303": lambda: cm.get("recall@makro"),
        "CM304": lambda: cm.kappa([[1, 0], [0, 0]], undefined="raise"),
        "CM305": lambda: cm.mcc.exact(CELLS),
        "CM306": declare_twice,
        "CM401": lambda: cm.words("landis", 0.4),
        "CM402": lambda: csvfiles.Dialect(delimiter="::"),
        "CM403": lambda: cm.at_prevalence(CELLS, [1, 1, 1]),
        "CM501": lambda: cm.interval("kappa", CELLS, draws=0),
        "CM502": lambda: cm.interval("kappa", CELLS, method="posterior", prior=0),
        "CM503": lambda: cm.interval("kappa", [[0.5, 2], [1, 3]], method="jackknife"),
        "CM504": lambda: cm.interval("kappa", cm.table([CELLS], axes={"group": ["a"]})),
    }
    for code, call in calls.items():
        found = fault(call)
        assert found.code == code
        assert found.saw or found.fix or code == "CM306"  # which only developers see
    # Codes of files, engines, comparisons and curves are met in the tests of those.
    others = [path for path in Path(__file__).parent.rglob("test_*.py") if path != Path(__file__)]
    elsewhere = re.findall(r"CM\d{3}", "".join(path.read_text("utf-8") for path in others))
    assert set(CODES) - set(calls) <= set(elsewhere)


def test_frames_need_no_pandas_to_be_imported():
    assert isinstance(cm.table(CELLS).to_frame(), pd.DataFrame)

"""The same numbers as R: vcd, psych, mnormt and caret, from `golden/make_r_golden.R`."""

import json
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from conftest import require

import chancemeter as cm
from chancemeter.counts import Counts

HERE = Path(__file__).parent / "golden"
SCRIPT, FILE = HERE / "make_r_golden.R", HERE / "r.json"
GOLDEN = json.loads(FILE.read_text())
#: What both sides compute in closed form differs by rounding only.
EXACT = 1e-12
#: How far psych looks for a latent correlation: `optimize` stops at its default tolerance, and
#: the normal integrals in it are good to six digits.
PSYCH_LATENT = 1e-4
#: `optimize` finds the top of a flat curve to half of the digits that the curve has.
SEARCHED = 1e-7

#: package, its name for a value, ours, and how near they must be (relative above 1).
COMPARED = [
    ("vcd", "kappa", "kappa", EXACT),
    ("vcd", "kappa_linear", "kappa_linear", EXACT),
    ("vcd", "kappa_quadratic", "kappa_quadratic", EXACT),
    ("vcd", "chi_squared", "chi_squared", EXACT),
    ("vcd", "g_squared", "g_squared", EXACT),
    ("vcd", "phi", "phi", EXACT),
    ("vcd", "contingency", "pearson_c", EXACT),
    ("vcd", "cramer", "cramers_v", EXACT),
    ("vcd", "bangdiwala", "bangdiwala_b", EXACT),
    ("vcd", "bangdiwala_weighted", "bangdiwala_b_weighted", EXACT),
    ("vcd", "odds_ratio", "odds_ratio", EXACT),
    ("vcd", "log_odds_ratio", "log_odds_ratio", EXACT),
    ("psych", "kappa", "kappa", EXACT),
    ("psych", "kappa_linear", "kappa_linear", EXACT),
    ("psych", "kappa_quadratic", "kappa_quadratic", EXACT),
    ("psych", "phi", "mcc", EXACT),
    ("psych", "yule_q", "yule_q", EXACT),
    ("psych", "yule_y", "yule_y", EXACT),
    ("psych", "d_prime", "d_prime", EXACT),
    ("psych", "criterion", "noise_criterion", EXACT),
    ("psych", "tetrachoric", "tetrachoric", PSYCH_LATENT),
    ("psych", "polychoric", "polychoric", PSYCH_LATENT),
    ("mnormt", "tetrachoric", "tetrachoric", EXACT),
    ("mnormt", "polychoric", "polychoric", SEARCHED),
    ("caret", "accuracy", "accuracy", EXACT),
    ("caret", "kappa", "kappa", EXACT),
    ("caret", "no_information_rate", "no_information_rate", EXACT),
    ("caret", "sensitivity", "recall", EXACT),
    ("caret", "specificity", "specificity", EXACT),
    ("caret", "precision", "precision", EXACT),
    ("caret", "negative_predictive_value", "npv", EXACT),
    ("caret", "f1", "f_score", EXACT),
]
#: Standard errors: package, its name for one, the measure it is of.
ERRORS = [
    ("vcd", "kappa_ase", "kappa"),
    ("vcd", "kappa_linear_ase", "kappa_linear"),
    ("vcd", "kappa_quadratic_ase", "kappa_quadratic"),
    ("vcd", "log_odds_ratio_se", "log_odds_ratio"),
    ("psych", "kappa_se", "kappa"),
]


def found(package, name):
    """The tables for which R has the value, and the values; one class of two where it gives one."""
    for entry in GOLDEN["tables"]:
        value = entry.get(package, {}).get(name)
        if value is not None:
            yield np.array(entry["table"]), value


def near(tolerance):
    return {"rtol": tolerance, "atol": tolerance}


def delta_error(m, table):
    """The standard error of a measure, by its slopes, for cases drawn at random."""
    n, p = table.sum(), table / table.sum()
    slopes = np.empty(p.shape)
    for cell in np.ndindex(p.shape):
        step = np.zeros(p.shape)
        step[cell] = 1e-30
        slopes[cell] = np.ravel(m.formula(Counts(p + 1j * step)).imag)[0] / 1e-30
    mean = (p * slopes).sum()
    return np.sqrt((p * (slopes - mean) ** 2).sum() / n)


@pytest.mark.parametrize(("package", "name", "ours", "tolerance"), COMPARED)
def test_same_value_as_r(package, name, ours, tolerance):
    compared = 0
    for table, theirs in found(package, name):
        value, right = cm.get(ours)(table), np.array(theirs, float)
        # R speaks of the first of two classes only.
        value = value[0] if np.ndim(value) > right.ndim else value
        # caret has no F score where nothing of a class is right; ours is 0.
        known = ~np.isnan(right)
        assert known.all() or name == "f1"
        np.testing.assert_allclose(np.asarray(value)[known], right[known], **near(tolerance))
        compared += known.any()
    assert compared >= 8


@pytest.mark.parametrize(("package", "name", "of"), ERRORS)
def test_same_standard_error_as_r(package, name, of):
    compared = 0
    for table, theirs in found(package, name):
        # A perfect classifier has no slope that could be told.
        if (table != np.diag(np.diag(table))).any():
            assert delta_error(cm.get(of), table) == pytest.approx(theirs, abs=1e-11)
            compared += 1
    assert compared >= 8


def test_known_defect_of_psych_is_still_there():
    table = np.array([[10, 1, 2], [3, 12, 2], [2, 4, 20]])
    entry = next(e for e in GOLDEN["tables"] if e["table"] == table.tolist())
    assert delta_error(cm.get("kappa_quadratic"), table) == pytest.approx(0.1061, abs=5e-5)
    assert entry["vcd"]["kappa_quadratic_ase"] == pytest.approx(0.1061, abs=5e-5)
    assert entry["psych"]["kappa_quadratic_se"] == pytest.approx(0.1025, abs=5e-5)


def test_there_are_tables_of_every_size():
    sizes = [len(e["table"]) for e in GOLDEN["tables"]]
    assert len(sizes) >= 40
    assert set(sizes) == {2, 3, 4, 5, 6}


def same(new, old, where=""):
    """Fail where `new` differs from `old`; what a missing package would have said is left out."""
    if isinstance(old, dict):
        for key in new:
            if key != "made_with":
                same(new[key], old[key], f"{where}/{key}")
    elif isinstance(old, list):
        assert len(new) == len(old), where
        for i, (a, b) in enumerate(zip(new, old, strict=True)):
            same(a, b, f"{where}/{i}")
    else:
        searched = where.split("/")[-1] in {"tetrachoric", "polychoric"}
        assert new == (old if old is None else pytest.approx(old, **_tolerance(searched))), where


def _tolerance(searched):
    return {"rel": SEARCHED, "abs": SEARCHED} if searched else {"rel": EXACT, "abs": EXACT}


def test_r_still_says_what_was_committed(tmp_path):
    require("Rscript")
    has = 'stopifnot(requireNamespace("vcd", quietly = TRUE), requireNamespace("psych", quietly = TRUE))'
    checked = subprocess.run(["Rscript", "-e", has], capture_output=True, check=False)
    require("vcd and psych for R", checked.returncode == 0)
    out = tmp_path / "r.json"
    command = [shutil.which("Rscript"), str(SCRIPT), str(out)]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    same(json.loads(out.read_text()), GOLDEN)

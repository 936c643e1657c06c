"""`chancemeter.read`: one description for arrays and frames, and what it refuses."""

from collections import Counter
from importlib.util import find_spec

import numpy as np
import pandas as pd
import pytest
from conftest import require

import chancemeter as cm
from chancemeter.frames.arrays import ArraySource


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    n = 600
    return {
        "id": np.arange(n),
        "label": rng.choice(list("abc"), n),
        "forest": rng.choice(list("abc"), n),
        "tree": rng.choice(list("abc"), n),
        "fold": rng.integers(0, 5, n),
        "site": rng.choice(["north", "south"], n),
        "weight": rng.integers(0, 4, n),
        "score": rng.random(n).round(2),
    }


def counted(rows, *names, keep=slice(None)):
    return Counter(zip(*(np.asarray(rows[name])[keep].tolist() for name in names), strict=True))


def test_one_model(rows):
    found = cm.read(rows, predicted="forest")
    assert found.table == cm.tally(rows["label"], rows["forest"])
    assert found.patterns is None
    assert found.rows == 600
    assert found.notes == ("truth from column 'label', predictions from 'forest'",)


def test_axes_have_names_and_entries(rows):
    found = cm.read(rows, true="label", predicted=["forest", "tree"], fold="fold", by="site")
    assert list(found.table.axes) == ["model", "fold", "slice"]
    assert found.table.axes["slice"] == ("north", "south")
    for model in ("forest", "tree"):
        for fold in range(5):
            at = (rows["fold"] == fold) & (rows["site"] == "south")
            one = found.table.select(model=model, fold=fold, slice="south")
            cells = Counter(zip(rows["label"][at], rows[model][at], strict=True))
            wanted = [[cells[t, p] for p in "abc"] for t in "abc"]
            np.testing.assert_array_equal(one.counts, wanted)
    assert found.notes == ()
    assert set(found.tables) == {"forest", "tree"}
    assert found.tables["tree"] == cm.tally(rows["label"], rows["tree"])
    assert len(found.sections()) == 4


def test_paired_patterns(rows):
    found = cm.read(rows, true="label", predicted=["forest", "tree"]).patterns
    names = ["label", "forest", "tree"]
    columns = [found.columns[name] for name in names]
    seen = Counter()
    for *codes, n in zip(*(c.codes for c in columns), found.counts.tolist(), strict=True):
        seen[tuple(c.categories[i] for c, i in zip(columns, codes, strict=True))] += n
    assert seen == counted(rows, *names)


def test_long_form(rows):
    n = len(rows["label"])
    long = {
        "model": ["forest"] * n + ["tree"] * n,
        "y_true": np.tile(rows["label"], 2),
        "y_pred": np.concatenate([rows["forest"], rows["tree"]]),
    }
    wide = cm.read(rows, true="label", predicted=["forest", "tree"])
    assert cm.read(long, model="model").tables == wide.tables


def test_weights(rows):
    found = cm.read(rows, true="label", predicted="forest", weight="weight")
    assert found.table == cm.tally(rows["label"], rows["forest"], weights=rows["weight"])


def test_scores_are_counted_by_value(rows):
    found = cm.read(rows, true="label", predicted="forest", score="score").scores["score"]
    assert int(found.counts.sum()) == 600
    assert len(found.columns["score"].categories) == len(set(rows["score"].tolist()))


def test_frames_of_any_make(rows):
    wanted = cm.read(rows, true="label", predicted=["forest", "tree"], fold="fold").table
    frame = pd.DataFrame(rows)
    made = [frame, frame.astype({"label": "category", "forest": "category", "tree": "category"})]
    pl = pytest.importorskip("polars")
    pa = pytest.importorskip("pyarrow")
    made += [pl.DataFrame(rows), pa.table({k: pa.array(v) for k, v in rows.items()})]
    for frame in made:
        found = cm.read(frame, true="label", predicted=["forest", "tree"], fold="fold")
        assert found.table == wanted


def test_declared_orders_are_kept():
    grades = pd.Categorical(["low", "high", "mid"], ["low", "mid", "high"], ordered=True)
    found = cm.read({"y_true": grades, "y_pred": grades})
    assert found.table.labels == ("low", "mid", "high")
    plain = {"y_true": ["low", "high"], "y_pred": ["low", "high"]}
    assert cm.read(plain, labels=["low", "mid", "high"]).table.labels == ("low", "mid", "high")


def test_rows_without_a_fold_are_not_lost():
    found = cm.read({"y_true": ["a", "b"], "y_pred": ["a", "b"], "f": [1.0, None]}, fold="f")
    assert found.table.axes["fold"] == (1.0, None)
    assert found.table.pool("fold").total == 2


@pytest.mark.parametrize(
    ("columns", "wishes", "code", "says"),
    [
        ({"y_true": ["a"], "y_pred": ["a"]}, {"true": "y_tru"}, "CM101", "did you mean --true y_true"),
        ({"x": ["a"], "y": ["a"]}, {}, "CM101", "which column is the truth"),
        ({"y_true": [], "y_pred": []}, {}, "CM002", "no rows"),
        ({"y_true": ["a", None], "y_pred": ["a", "a"]}, {}, "CM103", "1 of 2 rows lack a label"),
        ({"y_true": [1, 0], "y_pred": ["1", "0"]}, {}, "CM104", "different kinds"),
        ({"y_true": [True, False], "y_pred": [1, 0]}, {}, "CM104", "different kinds"),
        ({"y_true": ["a", "b"], "y_pred": ["c", "d"]}, {}, "CM104", "nothing in common"),
        ({"y_true": ["a"], "y_pred": ["b"]}, {"labels": ["a"]}, "CM107", "not among"),
        ({"y_true": ["a", "b"], "y_pred": ["a"]}, {}, "CM102", ""),
    ],
)  # fmt: skip
def test_what_is_refused(columns, wishes, code, says):
    with pytest.raises(cm.ChancemeterError) as caught:
        cm.read(columns, **wishes)
    assert caught.value.faults[0].code == code
    assert says in str(caught.value)


def test_all_wrong_columns_are_told_at_once(rows):
    with pytest.raises(cm.InputError) as caught:
        cm.read(rows, true="lable", predicted=["forrest", "tree"], fold="folds")
    assert [fault.code for fault in caught.value.faults] == ["CM101"] * 3


def test_kinds_are_made_alike_on_request():
    columns = {"y_true": [1, 0, 1], "y_pred": ["1", "0", "0"]}
    assert cm.read(columns, labels_as="number").table.labels == (0, 1)
    assert cm.read(columns, labels_as="text").table.labels == ("0", "1")


def test_far_too_many_cells_are_refused_before_they_are_made():
    n = 40_000
    columns = {"y_true": np.arange(n), "y_pred": np.arange(n), "group": np.arange(n)}
    with pytest.raises(cm.InputError, match="CM105"):
        cm.read(columns, group="group")


def test_a_source_of_ones_own(rows):
    own = ArraySource({k: rows[k] for k in ("label", "tree")}, name="mine")
    assert cm.read(own, predicted="tree").table == cm.tally(rows["label"], rows["tree"])


def test_thousands_of_classes_are_kept_sparse():
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 3000, 60_000)
    predicted = np.where(rng.random(60_000) < 0.8, truth, rng.integers(0, 3000, 60_000))
    found = cm.read({"y_true": truth, "y_pred": predicted})
    assert found.table.k == 3000
    assert cm.accuracy(found.table) == pytest.approx(np.mean(truth == predicted), rel=1e-12)
    with pytest.raises(cm.InputError, match="looks like an identifier"):
        cm.read({"y_true": np.arange(9000), "y_pred": np.arange(9000)})
    with pytest.raises(cm.InputError, match="too many classes for a stack"):
        cm.read({"y_true": truth, "y_pred": predicted, "f": truth % 2}, fold="f")


def test_truth_and_predictions_in_files_of_their_own(tmp_path):
    require("duckdb", present=find_spec("duckdb") is not None)
    truth = pd.DataFrame({"id": ["1", "2", "3", "4"], "y_true": list("abab")})
    truth.to_csv(tmp_path / "truth.csv", index=False)
    for name, guess in {"forest": "abaa", "tree": "bbab"}.items():
        frame = pd.DataFrame({"id": truth["id"], "y_pred": list(guess)})
        frame.sample(frac=1, random_state=1).to_csv(tmp_path / f"{name}.csv", index=False)
    files = {name: tmp_path / f"{name}.csv" for name in ("forest", "tree")}
    found = cm.read(tmp_path / "truth.csv", predictions=files, id="id")
    assert found.tables["forest"] == cm.tally(list("abab"), list("abaa"))
    assert found.tables["tree"] == cm.tally(list("abab"), list("bbab"))
    with pytest.raises(cm.InputError, match="CM402"):
        cm.read(tmp_path / "truth.csv", predictions=files)
    truth[:3].to_csv(tmp_path / "truth.csv", index=False)
    with pytest.raises(cm.InputError, match="CM007"):
        cm.read(tmp_path / "truth.csv", predictions=files, id="id")


def test_files_give_what_frames_give(rows, tmp_path):
    require("duckdb", present=find_spec("duckdb") is not None)
    frame = pd.DataFrame(rows)
    frame.to_parquet(tmp_path / "x.parquet")
    wishes = {"true": "label", "predicted": ["forest", "tree"], "fold": "fold", "by": "site"}
    assert cm.read(tmp_path / "x.parquet", **wishes).table == cm.read(frame, **wishes).table

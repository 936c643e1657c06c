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


def _scored(n=2_000):
    rng = np.random.default_rng(5)
    truth = rng.choice(["No", "yes", "YES"], n)
    score = np.round(rng.normal(truth != "No", 1.0), 6)
    return {"y_true": truth, "y_pred": np.where(score > 0.5, "yes", "No"), "p": score}


def _sources(columns, folder):
    """The same rows in all kinds of sources."""
    require("duckdb", present=find_spec("duckdb") is not None)
    require("ibis", present=find_spec("ibis") is not None)
    import ibis
    import pyarrow as pa

    frame = pd.DataFrame(columns)
    frame.to_parquet(folder / "x.parquet")
    frame.to_csv(folder / "x.csv", index=False)
    return {
        "arrays": columns,
        "pandas": frame,
        "Parquet": folder / "x.parquet",
        "CSV": folder / "x.csv",
        "engine": ibis.memtable(pa.table(columns)),
    }


def test_scores_are_alike_in_all_sources_and_labels_are_taken_care_of(tmp_path):
    columns = _scored()
    wanted = Counter(
        (s, t.lower())
        for s, t in zip(columns["p"].tolist(), columns["y_true"].tolist(), strict=True)
    )
    for kind, source in _sources(columns, tmp_path).items():
        found = cm.read(source, score="p", fold_case=True).scores["p"]
        score, truth = found.columns.values()
        pairs = zip(score.codes, truth.codes, found.counts.tolist(), strict=True)
        assert {(score.categories[s], truth.categories[t]): n for s, t, n in pairs} == wanted, kind
        assert truth.categories == ("no", "yes")
        assert (found.exact, found.auc_error) == (True, 0)


def test_many_scores_are_binned_alike_and_it_is_said(tmp_path, monkeypatch):
    from chancemeter.frames import arrays, engines, files

    for kind in (arrays.ArraySource, engines.EngineSource, files.Counted):
        few = {"weight": None, "most": 100}  # the limit is a default of each source
        monkeypatch.setattr(kind.score_counts, "__kwdefaults__", few)
    columns = _scored()
    seen = []
    for source in _sources(columns, tmp_path).values():
        found = cm.read(source, score="p", fold_case=True)
        (note,) = [note for note in found.notes if "bins" in note]
        binned = found.scores["p"]
        seen.append((note, binned.columns["p"].categories, binned.counts.tolist()))
        assert 0 < binned.half_width < 1e-4
        assert f"{binned.auc_error:.2g}" in note
        middles = np.array(binned.columns["p"].categories)
        nearest = middles[np.abs(middles[:, None] - columns["p"]).argmin(0)]
        assert np.abs(nearest - columns["p"]).max() <= binned.half_width
    assert all(one == seen[0] for one in seen)
    whole = binned + binned
    assert whole.counts.tolist() == [2 * n for n in binned.counts.tolist()]
    assert whole.half_width == binned.half_width
    coarser = cm.read({**columns, "p": columns["p"] * 1000}, score="p", fold_case=True).scores["p"]
    with pytest.raises(cm.InputError, match="CM402"):
        _ = binned + coarser


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_scores_that_are_no_numbers_are_refused_everywhere(tmp_path, bad):
    columns = _scored(50)
    columns["p"][7] = bad
    for source in _sources(columns, tmp_path).values():
        with pytest.raises(cm.InputError) as caught:
            cm.read(source, score="p", fold_case=True)
        assert caught.value.faults[0].code == "CM006"
        assert "1 of 50 scores are not finite numbers" in str(caught.value)


@pytest.mark.parametrize("bad", [["0.5"] * 3, [True] * 3, [[0.5]] * 3, [0.5, 0.5]])
def test_scores_in_memory_are_numbers(bad):
    with pytest.raises(cm.InputError, match="CM006"):
        cm.read({"y_true": list("aba"), "y_pred": list("aab"), "p": bad}, score="p")


def test_scores_know_models_folds_and_slices():
    rows = {"y_true": list("abab"), "y_pred": list("aabb"), "p": [0.1, 0.2, 0.1, 0.2]}
    found = cm.read({**rows, "m": list("xxyy")}, model="m", score="p").scores["p"]
    assert list(found.columns) == ["p", "y_true", "m"]
    assert found.counts.tolist() == [1, 1, 1, 1]


def test_scores_alone_are_read_for_curves(tmp_path):
    columns = _scored()
    columns |= {"y_score": columns["p"], "fold": np.arange(len(columns["p"])) % 3}
    for kind, source in _sources(columns, tmp_path).items():
        found = cm.read(source, predicted=(), score=None, fold="fold", fold_case=True)
        assert found.notes[0] == "truth from column 'y_true', scores from 'y_score'", kind
        scores = found.scores["y_score"]
        assert (np.diff(scores.distinct) > 0).all()
        assert scores.classes == ("no", "yes")
        for i, label in enumerate(scores.classes):
            of_class = columns["p"][[x.lower() == label for x in columns["y_true"]]]
            expected = (of_class[:, None] == scores.distinct).sum(0)
            assert scores.table[:, i].tolist() == expected.tolist(), kind
        parts = scores.slices()
        assert [int(fold) for (fold,) in parts] == [0, 1, 2]
        assert sum(part.rows for part in parts.values()) == found.rows == len(columns["p"])
        whole = sum(list(parts.values())[1:], start=parts[next(iter(parts))])
        assert whole.table.tolist() == scores.table.tolist()
        with pytest.raises(cm.InputError, match="no predictions were read, only scores"):
            _ = found.table


def test_rows_without_a_slice_are_called_so():
    rows = {"y_true": list("ab"), "y_pred": list("ab"), "site": ["x", None]}
    assert list(cm.read(rows, by="site").sections()) == ["the arrays: x", "the arrays: no value"]


def test_scores_of_rows_without_a_fold_are_a_slice():
    rows = {"y_true": list("ab"), "p": [0.1, 0.2], "fold": ["x", None]}
    parts = cm.read(rows, predicted=(), score="p", fold="fold").scores["p"].slices()
    assert {entry: part.rows for entry, part in parts.items()} == {("x",): 1, (None,): 1}


def test_scores_in_long_form_are_paired():
    rows = {"case": [1, 1, 2, 2], "of": list("xyxy"), "y_true": list("aabb"), "p": [0.1, 0.2] * 2}
    found = cm.read(rows, predicted=(), score="p", model="of", id="case").scores
    assert {name: one.distinct.tolist() for name, one in found.items()} == {"x": [0.1], "y": [0.2]}


def test_none_named_is_for_the_reader_to_find(rows, tmp_path):
    plain = {"y_true": rows["label"], "y_pred": rows["forest"]}
    pd.DataFrame(plain).to_parquet(tmp_path / "x.parquet")
    for source in (plain, tmp_path / "x.parquet"):
        assert cm.read(source, predicted=[]).table == cm.read(source).table


def test_which_column_is_missing_is_said_by_what_is_wanted():
    with pytest.raises(cm.InputError, match="which column holds scores"):
        cm.read({"y_true": list("ab"), "x": [1, 2]}, predicted=(), score=None)
    with pytest.raises(cm.InputError, match="which column holds predictions"):
        cm.read({"y_true": list("ab"), "x": [1, 2]})


def test_scores_are_a_column_of_their_own():
    rows = {"y_true": [0, 1], "p": [0.1, 0.9], "fold": [1, 1]}
    for wishes in ({"score": "y_true"}, {"score": "fold", "fold": "fold"}):
        with pytest.raises(cm.InputError, match="taken for the score and for something else"):
            cm.read(rows, predicted=(), **wishes)


def test_scores_without_a_label_go_the_way_of_the_table():
    rows = {"y_true": ["a", None, "b"], "y_pred": list("aab"), "p": [0.1, 0.2, 0.3]}
    assert cm.read(rows, score="p", missing="drop").scores["p"].counts.sum() == 2
    found = cm.read(rows, score="p", missing="class").scores["p"]
    assert found.columns["y_true"].categories == ("a", "b", "missing")
    assert found.counts.sum() == 3


def test_one_column_cannot_be_both_sides(rows):
    with pytest.raises(cm.InputError, match="taken for the truth and for a prediction"):
        cm.read(rows, true="label", predicted=["forest", "label"])
    assert cm.read(rows, true="label", predicted=["tree", "tree"]).patterns is None


def _long(rows, models, of_case=("label", "fold")):
    """Long form, with rows in no order."""
    n = len(rows["label"])
    columns = {name: np.tile(rows[name], len(models)) for name in of_case}
    columns["case"] = np.tile([f"c{i:05}" for i in range(n)], len(models))
    columns["by"] = np.repeat(models, n)
    columns["answer"] = np.concatenate([rows[model] for model in models])
    columns["p"] = np.concatenate([rows["score"] + i for i in range(len(models))])
    order = np.random.default_rng(2).permutation(n * len(models))
    return {name: values[order] for name, values in columns.items()}


LONG = {"true": "label", "predicted": "answer", "model": "by", "id": "case"}


def test_long_form_with_ids_is_paired_in_every_source(rows, tmp_path):
    models = ["forest", "tree"]
    wide = cm.read(rows, true="label", predicted=models, fold="fold", score="score")
    for kind, source in _sources(_long(rows, models), tmp_path).items():
        text = kind == "CSV"
        found = cm.read(source, **LONG, fold="fold", score="p")
        assert np.array_equal(found.table.counts, wide.table.counts), kind
        assert found.table.axes["model"] == wide.table.axes["model"]
        assert text or found.table == wide.table
        for a, b in zip(
            found.patterns.columns.values(), wide.patterns.columns.values(), strict=True
        ):
            assert a.codes.tolist() == b.codes.tolist()
        assert found.patterns.counts.tolist() == wide.patterns.counts.tolist()
        assert found.scores["forest.p"].counts.tolist() == wide.scores["score"].counts.tolist()
        (first, *_), (second, *_) = (
            found.scores[f"{model}.p"].columns[f"{model}.p"].categories for model in models
        )
        assert second == pytest.approx(first + 1)


def test_long_form_with_weights_is_paired(rows, tmp_path):
    long = _long(rows, ["forest", "tree"], of_case=("label", "weight"))
    wide = cm.read(rows, true="label", predicted=["forest", "tree"], weight="weight")
    for source in _sources(long, tmp_path).values():
        found = cm.read(source, **LONG, weight="weight")
        np.testing.assert_allclose(found.table.counts, wide.table.counts, rtol=1e-15)


def _changed(long, at, **values):
    new = {name: column.astype(object) for name, column in long.items()}
    for name, value in values.items():
        new[name][at] = value
    return new


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda x: {n: np.append(c, c[0]) for n, c in x.items()}, "1 id more than once for the same model"),
        (lambda x: {n: c[3:] for n, c in x.items()}, "without a row of"),
        (lambda x: _changed(x, 0, label="another"), "1 id with more than one 'label'"),
        (lambda x: _changed(x, 0, label=None), "1 id with more than one 'label'"),
        (lambda x: _changed(x, slice(3), case=None), "3 rows without an id or a model"),
        (lambda x: _changed(x, slice(2), by=None), "2 rows without an id or a model"),
        (lambda x: {**x, "by": x["case"]}, "600 models in column"),
        (lambda x: {**x, "by": np.where(x["by"] == "tree", "label", x["by"])}, "both called 'label'"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_long_form_is_told_in_every_source(rows, tmp_path, change, says):
    long = change(_long(rows, ["forest", "tree"]))
    for kind, source in _sources(long, tmp_path).items():
        with pytest.raises(cm.InputError, match=says) as caught:
            cm.read(source, **LONG)
        assert {f.code for f in caught.value.faults} <= {"CM007", "CM105", "CM402"}, kind


def test_cases_that_a_model_left_out_are_left_out_on_request(rows, tmp_path):
    long = {n: c[3:] for n, c in _long(rows, ["forest", "tree"]).items()}
    tables = []
    for source in _sources(long, tmp_path).values():
        found = cm.read(source, **LONG, missing_ids="drop")
        assert any("left out" in note for note in found.notes)
        tables.append(found.table)
        assert found.rows == 597
    assert all(table == tables[0] for table in tables)


def test_each_case_stands_once(tmp_path):
    good = {"id": ["1", "2", "3"], "y_true": list("aba"), "y_pred": list("abb")}
    for source in _sources(good, tmp_path).values():
        assert cm.read(source, id="id").rows == 3
    for ids, says in (
        (["1", "2", "2"], "1 id more than once"),
        (["1", None, "3"], "1 row without an id"),
    ):
        for source in _sources({**good, "id": ids}, tmp_path).values():
            with pytest.raises(cm.InputError, match=says) as caught:
                cm.read(source, id="id")
            assert caught.value.faults[0].code == "CM007"
    with pytest.raises(cm.InputError, match="did you mean --id id"):
        cm.read(good, id="idd")


def test_the_same_cases_in_several_files_are_found(tmp_path):
    require("duckdb", present=find_spec("duckdb") is not None)
    for name, first in (("one", 0), ("two", 2)):
        ids = range(first, first + 3)
        frame = pd.DataFrame({"id": ids, "y_true": list("aba"), "y_pred": list("abb")})
        frame.to_csv(tmp_path / f"{name}.csv", index=False)
    files = [tmp_path / "one.csv", tmp_path / "two.csv"]
    assert cm.read(files).rows == 6
    with pytest.raises(cm.InputError, match="1 id more than once"):
        cm.read(files, id="id")


def test_a_source_that_is_ones_own_stays_open(rows, tmp_path):
    require("duckdb", present=find_spec("duckdb") is not None)
    from chancemeter.frames.files import FileSource

    pd.DataFrame(_long(rows, ["forest", "tree"])).to_csv(tmp_path / "x.csv", index=False)
    with FileSource(tmp_path / "x.csv") as source:
        first = cm.read(source, **LONG)
        assert cm.read(source, **LONG).table == first.table
        assert source.group(["label"]).rows == 1200

"""Files as people have them: what is read, and what is refused with a way out."""

import csv
import io
import os
import pickle
import sqlite3

import numpy as np
import pytest

import chancemeter as cm
from chancemeter.csvfiles import Dialect, read_matrix, read_predictions

GOOD = "id,y_true,y_pred\n1,a,a\n2,a,b\n3,b,b\n"
ABB = cm.tally(list("aab"), list("abb"))


@pytest.fixture
def write(tmp_path):
    def write(content, name="file.csv", encoding="utf-8"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode(encoding))
        return path

    return write


def faults(read, *args, **kwargs):
    with pytest.raises(cm.ChancemeterError) as caught:
        read(*args, **kwargs)
    found = caught.value.faults
    assert all(f.fix for f in found), "every fault says how to fix it"
    text = str(caught.value)
    assert text.isprintable() or set(text) - {c for c in text if c.isprintable()} == {"\n"}
    return found


def fault(read, *args, **kwargs):
    (found,) = faults(read, *args, **kwargs)
    return found


def one(path, *args, **kwargs):
    (t,) = read_predictions(path, *args, **kwargs).tables.values()
    return t


# How a file is written


@pytest.mark.parametrize(
    "content",
    [
        GOOD,
        GOOD.replace("\n", "\r\n"),
        GOOD.replace("\n", "\r"),
        GOOD.rstrip(),
        "\ufeff" + GOOD,
        GOOD.replace("\n", "\n\n"),
        "\n\n" + GOOD,
        GOOD.replace("a", '"a"'),
        GOOD.replace("1,", '"first\nsecond ""line""\r\n, third",'),
        GOOD.replace("1,", "x" * 200_000 + ","),
        GOOD.replace("y_true", " Truth ").replace("y_pred", "PREDICTED"),
        GOOD.replace("id,", "y_true.1,").replace("id", "id,"),
        ",,y_true,y_pred\n,,a,a\n,,a,b\n,,b,b\n",
    ],
)
def test_ways_to_write_the_same(write, content):
    assert one(write(content)) == ABB


def test_encodings(write):
    text = GOOD.replace("a,", "é,").replace(",a", ",é")
    expected = one(write(text))
    assert "é" in expected.labels
    for encoding in ("latin-1", "cp1252", "utf-16", "utf-16-le", "utf-8-sig"):
        path = write(text, encoding=encoding)
        assert one(path, dialect=Dialect(encoding)) == expected
    found = fault(read_predictions, write(text, encoding="latin-1"))
    assert (found.code, found.saw) == ("CM004", "byte 0xe9")
    assert found.where.endswith("file.csv:2")
    assert "latin-1" in found.fix
    assert fault(read_predictions, write(text, encoding="utf-16")).fix == "add --encoding utf-16"
    for wrong in ("klingon", "hex", "undefined"):
        found = fault(read_predictions, write(text), dialect=Dialect(wrong))
        assert found.code == "CM004"


@pytest.mark.parametrize(("sign", "word"), [(";", ";"), ("\t", "tab"), ("\t", "\\t"), ("|", "|")])
def test_delimiters(write, sign, word):
    path = write(GOOD.replace(",", sign))
    assert one(path, dialect=Dialect(delimiter=word)) == ABB
    found = fault(read_predictions, path)
    assert (found.code, "one column only" in found.what) == ("CM004", True)
    assert found.fix == ("--delimiter tab" if sign == "\t" else f"--delimiter '{sign}'")
    assert fault(read_matrix, path, "truth").code == "CM004"


@pytest.mark.parametrize("delimiter", ["", ";;", '"', "\n", "\r"])
def test_delimiters_that_are_none(delimiter):
    assert fault(Dialect, delimiter=delimiter).code == "CM402"


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (GOOD + '4,"a,b\n5,a,b\n', 5),
        (GOOD + '4,"a"x,b\n', 5),
        (GOOD + "4,a\n", 5),
        (GOOD + "\n4,a,b,c\n", 6),
        (GOOD + "4,1,5,b\n", 5),
    ],
)
def test_files_that_are_not_well_formed(write, content, line):
    found = fault(read_predictions, write(content))
    assert found.code == "CM004"
    assert found.where.endswith(f":{line}")


@pytest.mark.parametrize(
    ("content", "what"),
    [
        ("", "empty"),
        ("\n\n\n", "empty"),
        ("\ufeff", "empty"),
        ("id,y_true,y_pred\n", "no rows"),
        ("id,y_true,y_pred\n\n", "no rows"),
    ],
)
def test_files_without_cases(write, content, what):
    found = fault(read_predictions, write(content))
    assert found.code == "CM002"
    assert what in found.what


def archive():
    held = io.BytesIO()
    np.savez(held, x=np.eye(2))
    return held.getvalue()


def numpy_file():
    held = io.BytesIO()
    np.save(held, np.eye(2))
    return held.getvalue()


BINARY = {
    "pickle": pickle.dumps([1, 2]),
    "old pickle": pickle.dumps([1, 2], protocol=2),
    "npz": archive(),
    "npy": numpy_file(),
    "parquet": b"PAR1" + bytes(20),
    "gzip": b"\x1f\x8b" + bytes(20),
    "zstd": b"\x28\xb5\x2f\xfd" + bytes(20),
    "arrow": b"ARROW1" + bytes(20),
    "zeros": bytes(100),
    "late zero": GOOD.encode() + b"4,a,\x00\n",
}


@pytest.mark.parametrize("content", BINARY.values(), ids=BINARY)
def test_binary_files(write, content):
    for args in ((), ("truth",)):
        found = fault(read_matrix if args else read_predictions, write(content), *args)
        assert found.code == "CM003"
        assert "not a text table" in found.what


def test_a_database(tmp_path):
    base = sqlite3.connect(tmp_path / "base.db")
    base.execute("create table t (x)")
    base.commit()
    base.close()
    assert "SQLite" in fault(read_predictions, tmp_path / "base.db").what


def test_a_pickle_is_never_opened(write, tmp_path):
    class Bomb:
        def __reduce__(self):
            return (os.mkdir, (str(tmp_path / "exploded"),))

    found = fault(read_predictions, write(pickle.dumps(Bomb())))
    assert "never opened" in found.fix
    assert not (tmp_path / "exploded").exists()


@pytest.mark.parametrize("seed", range(20))
def test_random_bytes(write, seed):
    content = np.random.default_rng(seed).bytes(200)
    assert fault(read_predictions, write(content)).code in {"CM003", "CM004"}


def test_files_that_cannot_be_read(write, tmp_path):
    path = write(GOOD, "predictions.csv")
    assert fault(read_predictions, tmp_path).what == "this is a folder"
    assert (
        fault(read_predictions, tmp_path / "prediction.csv").fix == "did you mean predictions.csv?"
    )
    assert fault(read_predictions, tmp_path / "other").fix == "check the path"
    assert "no folder" in fault(read_predictions, tmp_path / "none" / "x.csv").fix
    assert fault(read_predictions, path / "x.csv").code == "CM001"
    assert fault(read_predictions, "zero\0byte").code == "CM001"
    assert fault(read_predictions, "x" * 5000).code == "CM001"
    path.chmod(0)
    if not os.access(path, os.R_OK):
        assert "Permission denied" in fault(read_predictions, path).what


def test_standard_input(monkeypatch):
    stdin = io.TextIOWrapper(io.BytesIO(GOOD.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert read_predictions("-").tables == {"stdin": ABB}


# Columns


def test_columns_may_be_named(write):
    path = write("truth,m1,m2\na,a,b\na,b,b\nb,b,b\n", "models.csv")
    both = read_predictions(path, "truth", ["m1", "m2"])
    assert list(both.tables) == ["m1", "m2"]
    assert both.tables["m1"] == ABB
    assert both.notes == []
    assert list(read_predictions(path, None, ["m1"]).tables) == ["models"]
    assert "'truth'" in read_predictions(path, None, ["m1"]).notes[0]
    assert list(read_predictions(path, "truth", ["m1", "m1"]).tables) == ["models"]


@pytest.mark.parametrize(
    ("header", "true", "predicted", "fixes"),
    [
        ("id,truth,guess", "trth", [], ["did you mean --true truth?"]),
        ("id,truth,guess", "trth", ["gues"], ["did you mean --true truth?", "--pred guess?"]),
        ("id,x,y", None, [], ["--true COLUMN", "--pred COLUMN"]),
        ("id,x,y", "zzz", ["x"], ["--true one of these"]),
        ("id,x,y", "x", [], ["--pred COLUMN"]),
        ("y_true,y_pred,y_pred", None, [], ["rename one"]),
        ("y_true,y_true,y_pred", "y_true", ["y_pred"], ["rename one"]),
        ("y_true,y_pred,x", "y_true", ["y_true"], ["name two columns"]),
        ("y_true,y_pred,x", None, ["y_true"], ["name two columns"]),
        ('"a\n""b""",x,y', "a", ["x"], ["--true one of these"]),
    ],
)
def test_columns_that_are_not_there(write, header, true, predicted, fixes):
    found = faults(read_predictions, write(header + "\na,b,c\n"), true, predicted)
    assert len(found) == len(fixes)
    for f, fix in zip(found, fixes, strict=True):
        assert fix in f.fix
        assert f.code in {"CM101", "CM402"}
        assert f.saw.startswith("columns: ")


def test_twice_the_same_name_does_not_matter_elsewhere(write):
    assert one(write("x,x,y_true,y_pred\n0,0,a,a\n0,0,a,b\n0,0,b,b\n")) == ABB


def test_strange_column_names(write):
    path = write('"a\n""b""",\'=cmd()\'\na,a\na,b\nb,b\n')
    assert one(path, 'a\n"b"', ["'=cmd()'"]) == ABB
    found = fault(read_predictions, path, "c", ["'=cmd()'"])
    assert found.saw == "columns: a\\n\"b\", '=cmd()'"


# Missing labels


GAPS = "id,y_true,y_pred\n1,a,a\n2,,b\n3,b,\n4, ,\n5,b,b\n"


def test_missing_labels_are_all_named(write):
    found = fault(read_predictions, write(GAPS))
    assert found.code == "CM103"
    assert found.what == "3 of 5 rows lack a label"
    assert found.where.endswith(":3")
    assert found.saw == "empty 'y_true' on lines 3, 5 · empty 'y_pred' on lines 4, 5"


def test_missing_labels_may_be_left_out_or_counted(write):
    dropped = read_predictions(write(GAPS), missing="drop")
    assert dropped.tables["file"].total == 2
    assert "3 of 5 rows lack a label and are left out" in dropped.notes
    counted = read_predictions(write(GAPS), missing="class")
    assert counted.tables["file"].labels == ("a", "b", "missing")
    assert counted.tables["file"].total == 5
    assert any("counted as the class" in note for note in counted.notes)
    path = write("y_true,y_pred\n,a\n ,b\n")
    assert fault(read_predictions, path, missing="drop").what == "no rows are left"
    path = write("y_true,y_pred\nmissing,a\n,missing\n")
    assert fault(read_predictions, path, missing="class").code == "CM103"


def test_gaps_elsewhere_do_not_matter(write):
    assert one(write(GOOD.replace("1,", ","))) == ABB


def test_lines_are_counted_as_an_editor_does(write):
    text = 'note,y_true,y_pred\n"one\ntwo",a,a\n\n"x",,b\n'
    assert fault(read_predictions, write(text)).where.endswith(":5")


def test_text_that_elsewhere_means_missing_is_said(write):
    read = read_predictions(write("y_true,y_pred\nNA,NA\nx,null\nNone,x\n"))
    assert read.tables["file"].total == 3
    assert "counted as a class, not as missing: 'NA', 'null'" in read.notes


# Labels


def test_labels_are_text_unless_asked(write):
    path = write("y_true,y_pred\n1,1.0\n0,0\n2,2\n")
    assert one(path).labels == ("0", "1", "1.0", "2")
    assert one(path, labels_as="number").labels == (0, 1, 2)
    path = write("y_true,y_pred\n1,1.0\n0,0.0\n")
    assert fault(read_predictions, path).fix == "they match as numbers: add --labels-as number"
    assert fault(read_predictions, write("y_true,y_pred\na,b\n")).fix == "check --true and --pred"
    assert one(write("y_true,y_pred\n1,1.5\n1.50,1\n"), labels_as="number").labels == (1.0, 1.5)
    large = "y_true,y_pred\n9007199254740993,9007199254740993\n9007199254740992,1\n"
    assert one(write(large), labels_as="number").k == 3
    for strange in ("a", "nan", "inf", "1_000", "1e999"):
        path = write(f"y_true,y_pred\n1,{strange}\n0,0\n")
        found = fault(read_predictions, path, labels_as="number")
        assert (found.code, found.saw) == ("CM104", f"'{strange}'")


def test_look_alikes_are_said(write):
    read = read_predictions(write("y_true,y_pred\nYes,yes\nno, no\nno,no\n"))
    assert read.tables["file"].k == 4
    assert any("look alike: 'Yes', 'yes'" in note for note in read.notes)


def test_an_identifier_is_no_label(write):
    ids = "".join(f"case{i},case{i}\n" for i in range(100_000))
    found = fault(read_predictions, write("y_true,y_pred\n" + ids))
    assert found.code == "CM105"
    assert "identifier" in found.what
    assert "--max-classes" in found.fix
    assert found.where.endswith("column y_pred")


NASTY = ["\x1b[2J", "\u202eabc", "<script>", "=cmd()", "x" * 500, 'a"b', "a\nb", "a,b", "日本"]


def test_any_label_is_only_text(write):
    text = io.StringIO()
    csv.writer(text).writerows([["y_true", "y_pred"], *([x, x] for x in NASTY)])
    t = one(write(text.getvalue()))
    assert set(t.labels) == set(NASTY)
    assert "\x1b" not in repr(t)


# Matrices


@pytest.mark.parametrize(
    ("content", "labels"),
    [
        ("50,3\n4,40\n", (0, 1)),
        ("50.0,3e0\n4,40\n", (0, 1)),
        (" 50 , 3\n4,40\n", (0, 1)),
        (",a,b\na,50,3\nb,4,40\n", ("a", "b")),
        ("truth,a,b\na,50,3\nb,4,40\n", ("a", "b")),
        ("truth,b,a\na,3,50\nb,40,4\n", ("a", "b")),
        (",0,1\n0,50,3\n1,4,40\n", ("0", "1")),
        ("a,b\n50,3\n4,40\n", ("a", "b")),
        ("\ufeff,a,b\r\na,50,3\r\nb,4,40\r\n", ("a", "b")),
    ],
)
def test_matrices(write, content, labels):
    t = read_matrix(write(content), "truth")
    assert t == cm.table([[50, 3], [4, 40]], labels)
    assert t.counts.dtype == np.int64
    assert read_matrix(write(content), "prediction") == t.swap()


def test_weighted_and_large_matrices(write):
    assert read_matrix(write("0.5,1\n2,3\n"), "truth").total == 6.5
    assert read_matrix(write("9007199254740993,0\n0,1\n"), "truth").counts[0, 0] == 2**53 + 1
    assert read_matrix(write("1" + "0" * 40 + ",0\n0,1\n"), "truth").total == 1e40


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        ("50,3,1\n4,40,2\n", "CM201", "square"),
        ("0,1\n50,3\n4,40\n", "CM201", "square"),
        ("50,3\n4\n", "CM004", "1 field"),
        ("50,-3\n4,40\n", "CM202", "1 cell "),
        ("50,nan\n4,inf\n", "CM202", "2 cells "),
        ("50,three\n4,40\n", "CM202", "1 cell "),
        ("50,\n4,40\n", "CM202", "1 cell "),
        ("50,1_0\n4,40\n", "CM202", "1 cell "),
        (",a,b\na,50,3\nc,4,40\n", "CM203", "not of the same classes"),
        (",a,b\na,50,3\n", "CM203", "not of the same classes"),
        (",a,a\na,50,3\na,4,40\n", "CM203", "twice"),
        (",a,\na,50,3\n,4,40\n", "CM103", "no name"),
        (",a,All\na,50,50\nAll,50,50\n", "CM203", "totals"),
        ("truth,a,b\n", "CM203", "not of the same classes"),
        (GOOD, "CM202", "6 cells"),
        ("", "CM002", "empty"),
    ],
)
def test_what_is_no_matrix(write, content, code, says):
    found = fault(read_matrix, write(content), "truth")
    assert found.code == code
    assert says in found.what
    assert "file.csv" in found.where


def test_the_orientation_must_be_said(write):
    found = fault(read_matrix, write("50,3\n4,40\n"), None)
    assert found.code == "CM205"
    assert "--rows" in found.fix


def test_every_bad_cell_is_named(write):
    found = fault(read_matrix, write("truth,a,b\na,x,-1\nb,4,nan\n"), "truth")
    assert found.saw == "'x' on line 2, '-1' on line 2, 'nan' on line 3"
    assert found.where.endswith(":2")


def test_the_limit_of_the_csv_module_is_left_as_it_was(write):
    before = csv.field_size_limit()
    one(write(GOOD))
    faults(read_predictions, write(GOOD + '"'))
    assert csv.field_size_limit() == before


def test_a_corner_that_names_the_rows_must_say_the_same(write):
    matrix = "a,1,2\nb,3,4\n"
    for corner, rows in {"truth/prediction": "truth", "Pred \\ True": "prediction"}.items():
        path = write(f"{corner},a,b\n{matrix}")
        read_matrix(path, rows)
        other = {"truth": "prediction", "prediction": "truth"}[rows]
        assert fault(read_matrix, path, other).code == "CM205"
    read_matrix(write(f"left/right,a,b\n{matrix}"), "truth")

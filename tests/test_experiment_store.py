"""The store of experiments: what is written stays, whoever is killed, and nothing is there twice."""

import json
import os
import sqlite3

import numpy as np
import pytest

from chancemeter.errors import InputError
from chancemeter.experiments.grid import Failure, Grid, results
from chancemeter.experiments.store import FILE, Done, Failed, Key, Store, pack, unwritable


def key(fold=1, dataset="d1", classifier="c1"):
    return Key(dataset, classifier, "design", 1, fold)


def filled(folder):
    """Two data sets, two classifiers, two folds; one cell failed, one is missing."""
    with Store(folder, create=True) as store:
        with store.writing():
            store.tell({"design": {"folds": 2}, "measures": ["kappa"]})
            names = [("d1", "iris", 0), ("d2", "wine", 1)]
            store.many(
                "INSERT INTO datasets VALUES (?, ?, ?, ?, ?)",
                [(*x, json.dumps(["no", "yes"]), 10) for x in names],
            )
            store.many(
                "INSERT INTO classifiers VALUES (?, ?, ?, '{}')",
                [("c1", "tree", 0), ("c2", "bayes", 1)],
            )
            sides = pack(np.arange(6)), pack(np.arange(4))
            splits = [(d, "design", 1, f, "x", *sides) for d in ("d1", "d2") for f in (1, 2)]
            store.many("INSERT INTO splits VALUES (?, ?, ?, ?, ?, ?, ?)", splits)
        for dataset in ("d1", "d2"):
            for classifier in ("c1", "c2"):
                cells = [
                    Done(key(f, dataset, classifier), ((0, 0, f), (1, 1, 4 - f))) for f in (1, 2)
                ]
                store.add(cells if dataset == "d1" or classifier == "c1" else [], [])
        store.add([], [Failed(key(1, "d2", "c2"), "time", "longer than 1 s")])
    return folder


def test_grid(tmp_path):
    g = Grid.from_store(filled(tmp_path))
    assert (g.datasets, g.classifiers, g.measures) == (
        ("iris", "wine"),
        ("tree", "bayes"),
        ("kappa",),
    )
    assert not g.complete
    assert g["iris"].complete
    assert g["wine"].done.tolist() == [[[True, True]], [[False, False]]]
    assert g["iris"].of("tree").counts[0, 1].tolist() == [[2, 0], [0, 2]]
    assert g["wine"].of("bayes").total.tolist() == [[0, 0]]
    assert g["wine"].train.tolist() == [[6, 6]]
    assert g["wine"].test.tolist() == [[4, 4]]
    assert g.failures == (Failure("wine", "bayes", 1, 1, "time", "longer than 1 s"),)
    assert repr(g) == "<grid of 2 data sets × 2 classifiers, 6 of 8 cells, 1 failure>"
    assert Grid.from_store(tmp_path / FILE).datasets == g.datasets
    with pytest.raises(InputError, match="CM513"):
        Grid((g["iris"], results("x", ["other"], np.ones((1, 1, 1, 2, 2)), labels="ab", train=3)))


def test_a_cell_is_never_changed(tmp_path):
    with Store(filled(tmp_path)) as store:
        store.add([Done(key(), ((0, 1, 9),))], [])
        assert len(store.keys("cells")) == 6
        (counts,) = store.rows("SELECT counts FROM cells WHERE dataset = 'd1' AND fold = 1 LIMIT 1")
        assert json.loads(counts[0]) == [[0, 0, 1], [1, 1, 3]]
        # a failure goes when its cell is done after all
        store.add([Done(key(1, "d2", "c2"), ((0, 1, 4),))], [])
        assert not store.keys("failures")


def test_labels_never_seen_come_last(tmp_path):
    with Store(filled(tmp_path)) as store:
        store.add([Done(key(1, "d2", "c2"), ((0, 2, 3), (1, 3, 1)), ("what", "else"))], [])
    tables = Grid.from_store(tmp_path)["wine"].of("bayes")
    assert tables.labels == ("no", "yes", "else", "what")
    assert tables.counts[0, 0].tolist() == [[0, 0, 0, 3], [0, 0, 1, 0], [0] * 4, [0] * 4]


def test_what_is_no_experiment(tmp_path):
    def said(folder, **options):
        with pytest.raises(InputError) as caught:
            Store(folder, **options)
        return caught.value.faults[0]

    assert said(tmp_path).code == "CM709"
    with sqlite3.connect(tmp_path / FILE) as db:
        db.execute("CREATE TABLE mine (x)")
    assert "no experiment of chancemeter" in said(tmp_path, create=True).what
    (tmp_path / FILE).write_bytes(b"not a database, though it is long enough to be one" * 20)
    assert said(tmp_path).code == "CM709"
    newer = filled(tmp_path / "newer")
    with sqlite3.connect(newer / FILE) as db:
        db.execute("PRAGMA user_version=99")
    assert "newer chancemeter" in said(newer).what
    assert "CM712" in str(unwritable(tmp_path, OSError(28, "No space left on device")))


def test_a_folder_that_cannot_be_written_can_be_read(tmp_path):
    folder = filled(tmp_path / "x")
    for path in (folder / FILE, folder):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert Grid.from_store(folder).datasets == ("iris", "wine")
        if os.geteuid():
            with pytest.raises(InputError, match="CM712"):
                filled(folder)
    finally:
        folder.chmod(0o755)

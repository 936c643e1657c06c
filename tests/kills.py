"""Kill a running experiment again and again, resume it, and compare with an undisturbed run.

``python tests/kills.py 50`` kills (-9) fifty times, taking turns between 1, 2 and 4 workers and
a local cluster of Dask; the tests do a handful. Every time: no cell that was there before is
gone or changed, none is there twice; in the end all tables are the same, byte for byte.
"""

import argparse
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

import pyarrow as pa

from chancemeter.experiments.grid import Grid
from chancemeter.experiments.kept import VALUES, predictions
from chancemeter.experiments.store import FILE, PARTS

PLAN = """
measures = ["accuracy", "kappa", "mcc"]
[design]
folds = 10
[data.iris]
sklearn = "iris"
[data.wine]
sklearn = "wine"
[data.lots]
make = "sklearn.datasets.make_classification"
parameters = { n_samples = 600, n_informative = 5, n_classes = 3, random_state = 3 }
[classifiers.tree]
use = "sklearn.tree.DecisionTreeClassifier"
[classifiers.bayes]
use = "sklearn.naive_bayes.GaussianNB"
[classifiers.logistic]
use = "sklearn.linear_model.LogisticRegression"
[classifiers.forest]
use = "sklearn.ensemble.RandomForestClassifier"
parameters = { n_estimators = 40 }
"""
WAYS = {
    "threads": ["--jobs", "2", "--backend", "threading"],
    "1 worker": ["--jobs", "1"],
    "2 workers": ["--jobs", "2"],
    "4 workers": ["--jobs", "4"],
    "dask": ["--jobs", "2", "--backend", "dask"],
}


def command(plan, out, way):
    words = ["bench", "run", str(plan), "--out", str(out), "--quiet", *WAYS[way]]
    return [sys.executable, "-m", "chancemeter", *words]


def cells(folder):
    """All rows of cells, as they stand in the file."""
    if not (folder / FILE).exists():
        return []
    with closing(sqlite3.connect(folder / FILE)) as db:
        if not db.execute("SELECT 1 FROM sqlite_master WHERE name = 'cells'").fetchone():
            return []
        return db.execute("SELECT * FROM cells").fetchall()


def final(folder):
    """All that a run leaves: the table of values, and all predictions."""
    sink = pa.BufferOutputStream()
    table = predictions(folder)
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    assert Grid.from_store(folder).complete
    with closing(sqlite3.connect(folder / FILE)) as db:
        known = {name for (name,) in db.execute("SELECT name FROM parts")}
    assert {p.name for p in (folder / PARTS).iterdir()} == known
    return (folder / VALUES).read_bytes(), sink.getvalue().to_pybytes()


def kill_once(plan, out, way, after, *, working=False):
    """Start, kill after so many seconds (of work that shows), or False if it was done before."""
    before = cells(out)
    with (
        tempfile.TemporaryFile() as said
    ):  # no pipe: workers that survive a kill would hold it open
        process = subprocess.Popen(command(plan, out, way), stderr=said)
        while working and process.poll() is None and len(cells(out)) == len(before):
            time.sleep(0.02)
        try:
            code = process.wait(after)
            said.seek(0)
            assert code == 0, said.read().decode()
            killed = False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            killed = True
    now = cells(out)
    assert len({row[:5] for row in now}) == len(now)
    assert set(before) <= set(now), "a cell was lost or changed"
    return killed


ASKED = ("1 worker", "2 workers", "4 workers", "dask")


def campaign(kills, ways=ASKED, seed=1, say=print):
    """So many kills, each followed by a resumption, shared among the ways."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as home:
        plan, out = Path(home, "plan.toml"), Path(home, "whole")
        plan.write_text(PLAN)
        began = time.monotonic()
        assert not kill_once(plan, out, ways[0], 600)
        whole = time.monotonic() - began
        wanted = final(out)
        say(f"undisturbed, {ways[0]}: {len(cells(out))} cells in {whole:.1f} s")
        for i, way in enumerate(ways):
            share = kills // len(ways) + (i < kills % len(ways))
            folder, done, finished, working = Path(home, "killed"), 0, 0, 0
            while done < share or folder.exists():
                late = done % 2 == 1  # every other time once cells come in, else at any moment
                wait = rng.uniform(0, 1.5) if late else rng.uniform(0.2, 1.2 * whole)
                if kill_once(plan, folder, way, wait if done < share else 900, working=late):
                    done += 1
                    working += bool(cells(folder))
                    folder.mkdir(exist_ok=True)
                    continue
                assert final(folder) == wanted, f"{way}: the final tables differ"
                finished += 1
                shutil.rmtree(folder)
            say(
                f"{way}: {done} kills, {working} of them with cells on the disk; "
                f"{finished} runs came to their end, all the same as the undisturbed one"
            )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kills", type=int, nargs="?", default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--way", choices=list(WAYS), action="append")
    asked = parser.parse_args()
    campaign(asked.kills, tuple(asked.way or ASKED), asked.seed, lambda x: print(x, flush=True))

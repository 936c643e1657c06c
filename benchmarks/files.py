"""Counts from files, each in a fresh process: time from the file to the counts, and peak memory."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb
import pandas as pd
import polars as pl
import sklearn
from timing import Claim, seconds

ROWS, FEW, MANY = 10_000_000, 1_000_000, 100_000_000
#: How much disk 1e8 rows may take, and how long making them.
ROOM_FOR_MANY = 6_000_000_000

SAID = "Every run is a process of its own; times are those on the clock."
_START = "import sys, time, json, resource\n"
# A child inherits the peak of its parent in getrusage; Linux also keeps one since its own start.
_END = """
used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
try:
    with open("/proc/self/status") as status:
        used = next(int(line.split()[1]) for line in status if line.startswith("VmHWM"))
except OSError:
    pass
print("@" + json.dumps([time.perf_counter() - start, time.process_time() - used_before, used]))
"""
_OURS = """
from chancemeter.frames.files import FileSource
import numpy, duckdb
start, used_before = time.perf_counter(), time.process_time()
with FileSource(sys.argv[1]) as source:
    found = source.group(sys.argv[2].split(","))
assert found.rows == int(sys.argv[3])
"""
_BARE = """
import duckdb
start, used_before = time.perf_counter(), time.process_time()
names = ", ".join(sys.argv[2].split(","))
found = duckdb.connect().execute(
    f"SELECT {names}, count(*) FROM '{sys.argv[1]}' GROUP BY ALL"
).fetchall()
assert sum(row[-1] for row in found) == int(sys.argv[3])
"""
_BARE_CSV = _BARE.replace(
    "'{sys.argv[1]}'", "read_csv('{sys.argv[1]}', header=true, all_varchar=true)"
)
_POLARS = """
import polars as pl
start, used_before = time.perf_counter(), time.process_time()
found = pl.scan_parquet(sys.argv[1]).group_by(sys.argv[2].split(",")).len()
found = found.collect(engine="streaming")
assert found["len"].sum() == int(sys.argv[3])
"""
_PANDAS = """
import pandas as pd
start, used_before = time.perf_counter(), time.process_time()
path, names = sys.argv[1], sys.argv[2].split(",")
if path.endswith("csv"):
    frame = pd.read_csv(path, usecols=names, dtype=str)
else:
    frame = pd.read_parquet(path, columns=names)
"""
_CROSSTAB = _PANDAS + "found = pd.crosstab(frame[names[0]], frame[names[1]])\n"
_SCORE = """
start, used_before = time.perf_counter(), time.process_time()
import contextlib, io
from chancemeter.cli import main
with contextlib.redirect_stdout(io.StringIO()) as out:
    code = main(["score", sys.argv[1], "--true", "truth", "--pred", "m0", "--json"])
(found,) = json.loads(out.getvalue())["models"].values()
assert (code, found["n"]) == (0, int(sys.argv[3]))
"""
_WHOLE_POLARS = "start, used_before = time.perf_counter(), time.process_time()" + _POLARS.replace(
    "start, used_before = time.perf_counter(), time.process_time()\n", ""
)
_SKLEARN = (
    _PANDAS.replace("start,", "from sklearn.metrics import confusion_matrix\nstart,")
    + "found = confusion_matrix(frame[names[0]], frame[names[1]])\n"
)


@dataclass
class Run:
    """One way to count one file."""

    code: str
    path: Path
    rows: int
    columns: str = "truth,m0"
    time: float = float("inf")
    processors: float = float("inf")
    """Time that all threads used together."""
    memory: float = 0.0

    def once(self) -> None:
        """Count in a fresh process; keep the best time and the largest memory."""
        code = _START + self.code + _END
        asked = [sys.executable, "-c", code, str(self.path), self.columns, str(self.rows)]
        done = subprocess.run(asked, check=True, capture_output=True, text=True)
        time, processors, kilobytes = json.loads(done.stdout.rpartition("@")[2])
        self.time = min(self.time, time)
        self.processors = min(self.processors, processors)
        self.memory = max(self.memory, kilobytes * 1024 / 1e6)


def measured(*runs: Run, times: int = 5) -> None:
    """Run all of them in turns."""
    for _ in range(times):
        for run in runs:
            run.once()


@contextmanager
def _folder() -> Iterator[Path]:
    path = Path(tempfile.mkdtemp(prefix="bench-files-"))
    try:
        yield path
    finally:
        shutil.rmtree(path)


def make(path: Path, rows: int, models: int = 5) -> Path:
    """Ten classes and models that are right in four cases of five, as dictionary columns."""
    wrong = "(t + 1 + CAST(floor(u * 8.999) AS INTEGER)) % 10"
    listed = ", ".join(
        f"'class_' || (CASE WHEN r{i} < 0.8 THEN t ELSE {wrong} END) AS m{i}" for i in range(models)
    )
    random = ", ".join(f"random() AS r{i}" for i in range(models))
    inner = f"SELECT CAST(floor(random() * 10) AS INTEGER) AS t, random() AS u, {random}"
    with duckdb.connect(config={"memory_limit": "2GB", "threads": 1}) as connection:
        connection.execute("SELECT setseed(0.5)")
        connection.execute(
            f"COPY (SELECT 'class_' || t AS truth, {listed}, r0 AS score "  # noqa: S608
            f"FROM ({inner} FROM range({rows}))) TO '{path}'"
        )
    return path


def _claim(
    what: str, ours: Run, peer: str, theirs: Run, at_least: float, *, scale: int = 1
) -> Claim:
    note = f"peak memory {ours.memory:,.0f} against {theirs.memory:,.0f} MB"
    if scale > 1:
        note += f" at n = {theirs.rows:,}; peer timed there, scaled"
    else:
        share = theirs.processors / ours.processors
        note += f"; time of all processors {seconds(ours.processors)}, {share:.1f}× less"
    return Claim(what, ours.time, peer, theirs.time * scale, at_least, note)


def _parquet(folder: Path) -> list[Claim]:
    path, small = make(folder / "x.parquet", ROWS), make(folder / "small.parquet", FEW)
    ours, bare, polars = (Run(code, path, ROWS) for code in (_OURS, _BARE, _POLARS))
    measured(ours, bare, polars, times=25)
    crosstab, slow = Run(_CROSSTAB, path, ROWS), Run(_SKLEARN, small, FEW)
    measured(crosstab, slow, times=1)
    five = Run(_OURS, path, ROWS, "truth,m0,m1,m2,m3,m4")
    one = Run(_OURS, path, ROWS)
    measured(five, one, times=15)
    score, whole = Run(_SCORE, path, ROWS), Run(_WHOLE_POLARS, path, ROWS)
    measured(score, whole, times=5)
    what = f"Parquet, n = {ROWS:,}, two columns of strings, k = 10"
    both = f"pandas {pd.__version__} + scikit-learn {sklearn.__version__}"
    return [
        _claim(what, ours, both, slow, 200, scale=ROWS // FEW),
        _claim("the same", ours, f"pandas {pd.__version__} crosstab", crosstab, 4),
        _claim("the same", ours, f"bare duckdb {duckdb.__version__}", bare, 1 / 1.5),
        _claim("the same", ours, f"polars {pl.__version__}, streaming", polars, 1),
        _claim("five models' paired patterns in one pass", five, "one model", one, 0.5),
        _claim(
            "`chancemeter score FILE --json`, imports included",
            score,
            both,
            slow,
            50,
            scale=ROWS // FEW,
        ),
        _claim("the same", score, f"polars {pl.__version__} importing and counting", whole, 0),
    ]


def _csv(folder: Path) -> list[Claim]:
    path, small = make(folder / "x.csv", ROWS, 1), make(folder / "small.csv", FEW, 1)
    ours, bare = Run(_OURS, path, ROWS), Run(_BARE_CSV, path, ROWS)
    measured(ours, bare, times=5)
    slow = Run(_SKLEARN, small, FEW)
    measured(slow, times=1)
    what = f"CSV, n = {ROWS:,}, all text, rows counted twice"
    both = f"pandas {pd.__version__} + scikit-learn {sklearn.__version__}"
    return [
        _claim(what, ours, both, slow, 40, scale=ROWS // FEW),
        _claim("the same", ours, f"bare duckdb {duckdb.__version__}", bare, 1 / 1.5),
    ]


def _large(folder: Path) -> list[Claim]:
    """A hundred million rows: the same ten million named ten times, so that the disk has room."""
    if shutil.disk_usage(folder).free < ROOM_FOR_MANY:
        return []
    part = make(folder / "part.parquet", ROWS, 1)
    many = folder / "many"
    many.mkdir()
    for i in range(MANY // ROWS):
        (many / f"{i}.parquet").hardlink_to(part)
    ours = Run(_OURS, many, MANY)
    bare = Run(_BARE.replace("'{sys.argv[1]}'", "'{sys.argv[1]}/*.parquet'"), many, MANY)
    polars = Run(_POLARS.replace("sys.argv[1]", "sys.argv[1] + '/*.parquet'"), many, MANY)
    measured(ours, bare, polars, times=5)
    what = f"Parquet, n = {MANY:,}, a folder of ten files"
    return [
        _claim(what, ours, f"bare duckdb {duckdb.__version__}", bare, 1 / 1.5),
        _claim("the same", ours, f"polars {pl.__version__}, streaming", polars, 1),
    ]


def claims() -> list[Claim]:
    """The comparisons."""
    found: list[Claim] = []
    for part in (_parquet, _csv, _large):
        with _folder() as folder:
            found += part(folder)
    return found


if __name__ == "__main__":
    for claim in claims():
        print(claim.row)

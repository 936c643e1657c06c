"""Spark beside DuckDB on the same Parquet, through the same group-by: start, first job, warm job."""

from __future__ import annotations

import logging
import os
import tempfile
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import ibis
import pyspark
from pyspark.sql import SparkSession
from timing import Claim

from chancemeter.frames.engines import EngineSource
from chancemeter.frames.grouped import Grouped

SAID = "For information: Spark is for tables that no single machine holds, and these are small."
SIZES = (1_000_000, 10_000_000)
WARM = 3


def _write(path: Path, n: int) -> None:
    """Two columns of ten labels each, three of four rows right, one of a hundred missing."""
    duckdb.sql(
        "select case when hash(i) % 100 = 0 then null else 'label ' || i % 10 end as truth, "
        "'label ' || case when hash(i) % 4 < 3 then i else hash(i + 1) end % 10 as guess "
        "from range(?) r(i)",
        params=[n],
    ).write_parquet(str(path))


def _time(work: Callable[[], Any]) -> tuple[float, Any]:
    start = time.perf_counter()
    result = work()
    return time.perf_counter() - start, result


def _spark() -> SparkSession:
    logging.getLogger("py4j").setLevel(logging.ERROR)
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master(f"local[{os.cpu_count()}]")
    quiet = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.log.level": "OFF",
    }
    for key, value in quiet.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def _counts(grouped: Grouped) -> dict[tuple[object, ...], int]:
    columns = [
        [None if code < 0 else column.categories[code] for code in column.codes]
        for column in grouped.columns.values()
    ]
    return dict(zip(zip(*columns, strict=True), grouped.counts.tolist(), strict=True))


def _jobs(table: Any) -> tuple[float, float, dict[tuple[object, ...], int]]:
    """First and warm time of one group-by, and what it found."""
    source = EngineSource(table)
    first, grouped = _time(lambda: source.group(["truth", "guess"]))
    warm = min(_time(lambda: source.group(["truth", "guess"]))[0] for _ in range(WARM))
    return first, warm, _counts(grouped)


def claims() -> list[Claim]:
    """The times, with DuckDB as ours and Spark as the peer; nothing is wanted of the ratios."""
    warnings.simplefilter("ignore")
    peer = f"Spark {pyspark.__version__}, local"
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / f"{n}.parquet" for n in SIZES]
        for path, n in zip(paths, SIZES, strict=True):
            _write(path, n)
        here, local = _time(ibis.duckdb.connect)
        there, session = _time(_spark)
        found = [Claim("start of the engine, through ibis", here, peer, there, 0)]
        remote = ibis.pyspark.connect(session)
        try:
            for path, n in zip(paths, SIZES, strict=True):
                ours = _jobs(local.read_parquet(path))
                theirs = _jobs(remote.read_parquet(path))
                if ours[2] != theirs[2] or sum(ours[2].values()) != n:
                    message = f"counts of {path.name} differ"
                    raise AssertionError(message)
                what = f"Parquet, {n:,} rows, two columns of text"
                note = "the same counts"
                found += [
                    Claim(f"{what}: first job", ours[0], peer, theirs[0], 0, note),
                    Claim(f"{what}: warm job", ours[1], peer, theirs[1], 0, note),
                ]
        finally:
            session.stop()
    return found


if __name__ == "__main__":
    for claim in claims():
        print(claim.row)

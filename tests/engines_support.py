"""Engines for tests: a PostgreSQL of its own and a local Spark, both gone when the tests end."""

import os
import pwd
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from conftest import require

from chancemeter.frames.engines import table_named

PASSWORD = "s3cret'@/ ü"


def present(*modules: str) -> bool:
    """Whether all modules can be imported."""
    return all(find_spec(module) is not None for module in modules)


def needs(*modules: str) -> None:
    """Skip (or fail, where all is required) unless the modules are installed."""
    for module in modules:
        require(module, present(module))


def _program(name: str) -> str | None:
    """A server program of PostgreSQL; Debian keeps these out of the path."""
    places = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"), reverse=True)
    return shutil.which(name) or next(map(str, places), None)


@contextmanager
def postgres() -> Iterator[str]:
    """The folder of the socket of a fresh PostgreSQL; user ``tester``, PASSWORD, no network."""
    initdb, server = _program("initdb"), _program("postgres")
    require("postgresql", None not in {initdb, server})
    folder = Path(tempfile.mkdtemp(prefix="pg"))
    become = []
    if os.geteuid() == 0:  # PostgreSQL refuses to be run by root
        user = pwd.getpwnam("postgres")
        os.chown(folder, user.pw_uid, user.pw_gid)
        become = ["--reuid=postgres", "--regid=postgres", "--clear-groups"]
    # the server ends with the process that started it, even if that is killed
    start = ["setpriv", *become] if become else []
    guarded = ["setpriv", "--pdeathsig=INT", *become] if shutil.which("setpriv") else start
    word = folder / "word"
    word.write_text(PASSWORD, "utf-8")
    word.chmod(0o644)
    data = str(folder / "data")
    make = [initdb, "-D", data, "-U", "tester", f"--pwfile={word}", "--auth=scram-sha-256"]
    make += ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
    server_process = None
    try:
        subprocess.run([*start, *make], check=True, capture_output=True, cwd=folder)
        run = [server, "-D", data, "-k", str(folder), "-c", "listen_addresses=", "-c", "fsync=off"]
        with (folder / "log").open("wb") as log:
            server_process = subprocess.Popen(
                [*guarded, *run], stdout=log, stderr=log, stdin=subprocess.DEVNULL, cwd=folder
            )
        _wait(server_process, folder)
        yield str(folder)
    finally:
        if server_process is not None:
            server_process.terminate()
            try:
                server_process.wait(10)
            except subprocess.TimeoutExpired:
                server_process.kill()
                server_process.wait()
        shutil.rmtree(folder, ignore_errors=True)


def _wait(process: subprocess.Popen, folder: Path) -> None:
    """Until the server answers."""
    import psycopg

    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            psycopg.connect(
                host=str(folder), user="tester", password=PASSWORD, dbname="postgres"
            ).close()
        except psycopg.OperationalError:
            time.sleep(0.1)
        else:
            return
    raise RuntimeError((folder / "log").read_text("utf-8", "replace"))


@contextmanager
def spark():
    """A Spark on two threads of this machine, closed to the network, quiet."""
    needs("pyspark")
    require("java")
    from pyspark.sql import SparkSession

    folder = tempfile.mkdtemp(prefix="spark")
    before = os.environ.get("SPARK_LOCAL_IP")
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.memory": "1g",
        "spark.local.dir": folder,
        "spark.log.level": "OFF",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.warehouse.dir": folder,
        "spark.sql.session.timeZone": "America/New_York",
    }
    builder = SparkSession.builder.master("local[2]").appName("tests")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()
        if before is None:
            os.environ.pop("SPARK_LOCAL_IP", None)
        else:
            os.environ["SPARK_LOCAL_IP"] = before
        shutil.rmtree(folder, ignore_errors=True)


class Engine:
    """An engine with an ibis connection, that Arrow tables can be given to."""

    def __init__(self, name, connection, url="", session=None, folder=None):
        self.name, self.connection, self.url = name, connection, url
        self.session, self.folder, self.count = session, folder, 0

    def add(self, name: str, table):
        """Store an Arrow table under a name that may be anything; the ibis table it became."""
        getattr(self, f"_add_to_{self.name}")(name, table)
        return table_named(self.connection, None, name)

    def _add_to_duckdb(self, name, table):
        raw = self.connection.con
        raw.register("given", table)
        raw.execute(f"create or replace table {_quoted(name)} as from given")
        raw.unregister("given")

    def _add_to_spark(self, name, table):
        import pyarrow.parquet as pq

        path = Path(self.folder) / f"{self.count}.parquet"
        self.count += 1
        pq.write_table(table, path)
        quoted = "`" + name.replace("`", "``") + "`"
        self.session.read.parquet(str(path)).createOrReplaceTempView("given")
        self.session.sql(f"create or replace temporary view {quoted} as select * from given")

    def _add_to_postgres(self, name, table):
        import pyarrow.types as pat

        def sql_type(t):
            if pat.is_decimal(t):
                return f"numeric({t.precision},{t.scale})"
            names = {"int8": "smallint", "int16": "smallint", "int32": "integer", "int64": "bigint"}
            names |= {"uint8": "smallint", "uint64": "numeric(20,0)", "bool": "boolean"}
            names |= {"float": "real", "double": "double precision", "date32[day]": "date"}
            names |= {"string": "text", "timestamp[us]": "timestamp"}
            return names[str(t)]

        columns = [f"{_quoted(c.name)} {sql_type(c.type)}" for c in table.schema]
        with self.connection.con.transaction(), self.connection.con.cursor() as cursor:
            cursor.execute(f"drop table if exists {_quoted(name)}")
            cursor.execute(f"create table {_quoted(name)} ({', '.join(columns)})")
            with cursor.copy(f"copy {_quoted(name)} from stdin") as copy:
                for row in zip(*(c.to_pylist() for c in table.columns), strict=True):
                    copy.write_row(row)


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


@contextmanager
def engine(name: str) -> Iterator[Engine]:
    """One of the engines, ready to be asked."""
    needs("ibis", "pyarrow")
    if name == "duckdb":
        needs("duckdb")
        import ibis

        yield Engine(name, ibis.duckdb.connect())
    elif name == "postgres":
        needs("psycopg")
        import ibis

        with postgres() as folder:
            url = f"postgres://tester:{quote(PASSWORD, safe='')}@/postgres?host={folder}"
            connection = ibis.connect(url)
            try:
                yield Engine(name, connection, url)
            finally:
                connection.disconnect()
    else:
        with spark() as session, tempfile.TemporaryDirectory() as folder:
            import ibis

            yield Engine(name, ibis.pyspark.connect(session), session=session, folder=folder)

"""Run a plan: whatever is not in the store yet, on this machine or on a cluster."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import asdict, dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any

from chancemeter.errors import Fault, InputError, did_you_mean, printable, quoted
from chancemeter.experiments.apart import work
from chancemeter.experiments.cell import Result, Task, seed_of_cell
from chancemeter.experiments.kept import write_values
from chancemeter.experiments.plan import Loaded
from chancemeter.experiments.store import Done, Key, Store, pack
from chancemeter.experiments.writer import Writer
from chancemeter.frames.paths import require_component
from chancemeter.tables import plain

BACKENDS = ("loky", "threading", "dask", "ray")
#: Seconds to wait for a cluster.
_REACH = 20.0
#: Told how many cells are done, of how many, and the last result.
Progress = Callable[[int, int, Result], None]


@dataclass(frozen=True)
class How:
    """Where and how cells are run; none of it changes a result."""

    jobs: int = 1
    backend: str = "loky"
    address: str | None = None
    """Of a cluster of Dask or Ray; without one they start on this machine."""
    shard: tuple[int, int] = (1, 1)
    retry_failed: bool = False


@dataclass(frozen=True)
class Summary:
    """How a run ended."""

    folder: Path
    cells: int
    """That the plan (or its shard) has."""
    before: int
    """That were done, or had failed, before."""
    done: int
    failed: int
    stopped: bool = False
    """Whether Ctrl-C ended it."""

    @property
    def left(self) -> int:
        """Cells that are still to be run."""
        return self.cells - self.before - self.done - self.failed


def run_plan(
    loaded: Loaded, folder: Path, how: How | None = None, progress: Progress | None = None
) -> Summary:
    """Run what is missing in the store of `folder`."""
    how = _checked(how or How())
    name = "" if how.shard == (1, 1) else f"{how.shard[0]}of{how.shard[1]}-"
    with Store(folder, create=True) as store, locked(folder, name):
        _register(store, loaded)
        store.sweep(name)
        known = store.keys("cells") | (set() if how.retry_failed else store.keys("failures"))
        tasks = list(islice(_tasks(loaded, how), how.shard[0] - 1, None, how.shard[1]))
        left = [task for task in tasks if task.key not in known]
        before = len(tasks) - len(left)
        writer = Writer(folder, name or "all-", loaded.data)
        counted = {True: 0, False: 0}
        with _ctrl_c() as stop:
            try:
                for result in _results(
                    left, how, lambda: stop.is_set() or writer.error is not None
                ):
                    writer.put(result)
                    counted[isinstance(result.outcome, Done)] += 1
                    if progress is not None:
                        progress(before + sum(counted.values()), len(tasks), result)
            finally:
                writer.close()
        found = Summary(
            folder, len(tasks), before, counted[True], counted[False], stopped=stop.is_set()
        )
        if not found.left and how.shard == (1, 1):
            write_values(store)
        return found


def _checked(how: How) -> How:
    if how.backend not in BACKENDS:
        fix = did_you_mean(how.backend, BACKENDS, f"one of {', '.join(BACKENDS)}")
        raise InputError(Fault("CM714", f"no backend is called {quoted(how.backend)}", fix=fix))
    if how.address and how.backend not in {"dask", "ray"}:
        fix = "add --backend dask, or --backend ray"
        raise InputError(Fault("CM714", "an address is that of a Dask or Ray cluster", fix=fix))
    i, n = how.shard
    if not 1 <= i <= n:
        fix = "for the second of four machines: --shard 2/4"
        raise InputError(Fault("CM713", "no such shard", saw=f"{i}/{n}", fix=fix))
    cores = os.cpu_count() or 1
    return replace(how, jobs=how.jobs if how.jobs > 0 else cores)


def _tasks(loaded: Loaded, how: How) -> Iterator[Task]:
    """Every cell of a plan, in its order."""
    plan = loaded.plan
    paths = (str(plan.home),) if plan.home else ()
    # One worker on this machine: cells go into a process beside it, which may crash.
    apart = how.backend == "loky" and how.jobs == 1 and os.name == "posix"
    threads = max(1, (os.cpu_count() or 1) // how.jobs)
    # Workers that this process starts end with it; those of a cluster do not.
    boss = 0 if how.address or how.backend == "ray" else os.getpid()
    for one, splits in zip(loaded.data, loaded.splits, strict=True):
        for classifier in plan.classifiers:
            for part in splits:
                key = Key(
                    one.fingerprint,
                    classifier.digest,
                    plan.design.digest,
                    part.repeat,
                    part.fold,
                )
                yield Task(
                    key=key,
                    data=one,
                    classifier=classifier,
                    split=part,
                    seed=seed_of_cell(plan.design.seed, key),
                    limits=plan.limits,
                    scores=plan.scores,
                    apart=apart,
                    threads=threads,
                    paths=paths,
                    boss=boss,
                )


def _register(store: Store, loaded: Loaded) -> None:
    """Note what is run; refuse what has changed under a name that the store knows."""
    plan = loaded.plan
    design = asdict(plan.design)
    faults = list(_changes(store, loaded, design))
    if faults:
        raise InputError(*faults)
    with store.writing():
        store.tell({"design": design, "measures": plan.measures, "with": versions()})
        store.many(
            "INSERT OR IGNORE INTO datasets VALUES (?, ?, ?, ?, ?)",
            [
                (d.fingerprint, d.name, i, _json([plain(x) for x in d.labels]), d.n)
                for i, d in enumerate(loaded.data)
            ],
        )
        store.many(
            "INSERT OR IGNORE INTO classifiers VALUES (?, ?, ?, ?)",
            [(c.digest, c.name, i, _json(c.spec)) for i, c in enumerate(plan.classifiers)],
        )
        rows = [
            (
                d.fingerprint,
                plan.design.digest,
                s.repeat,
                s.fold,
                s.digest,
                pack(s.train),
                pack(s.test),
            )
            for d, splits in zip(loaded.data, loaded.splits, strict=True)
            for s in splits
        ]
        store.many("INSERT OR IGNORE INTO splits VALUES (?, ?, ?, ?, ?, ?, ?)", rows)


def _json(content: Any) -> str:
    import json

    return json.dumps(content, sort_keys=True, default=str)


def versions() -> dict[str, str]:
    """What results may depend on beside the plan."""
    from importlib.metadata import version

    names = ("chancemeter", "numpy", "scikit-learn")
    return {"python": sys.version.partition(" ")[0]} | {name: version(name) for name in names}


def _changes(store: Store, loaded: Loaded, design: dict[str, Any]) -> Iterator[Fault]:
    """What the store knows under the same name as something else."""
    where = printable(store.folder, 200)
    before = store.about().get("design")
    if before is not None and before != design:
        saw = ", ".join(
            f"{k} was {before.get(k)!r}, is {v!r}" for k, v in design.items() if before.get(k) != v
        )
        fix = "begin another folder: --out FOLDER"
        yield Fault("CM710", "the design has changed", where, saw, fix)
    known: dict[str, str] = dict(store.rows("SELECT name, fingerprint FROM datasets"))
    for one in loaded.data:
        if known.get(one.name, one.fingerprint) != one.fingerprint:
            what = f"the data set {quoted(one.name)} is not what it was when the folder was begun"
            saw = f"fingerprint {one.fingerprint[:8]}, it was {known[one.name][:8]}"
            fix = "bring back the old data, give the new another name, or begin another folder (--out)"
            yield Fault("CM710", what, where, saw, fix)
    known = dict(store.rows("SELECT name, digest FROM classifiers"))
    for c in loaded.plan.classifiers:
        if known.get(c.name, c.digest) != c.digest:
            what = f"the classifier {quoted(c.name)} is not what it was when the folder was begun"
            fix = "give the new one another name, or begin another folder: --out FOLDER"
            yield Fault("CM710", what, where, fix=fix)
    digests = {
        (d, r, f): x
        for d, r, f, x in store.rows("SELECT dataset, repeat, fold, digest FROM splits")
    }
    for one, splits in zip(loaded.data, loaded.splits, strict=True):
        if any(
            digests.get((one.fingerprint, s.repeat, s.fold), s.digest) != s.digest for s in splits
        ):
            what = f"{quoted(one.name)} would be divided in another way than before"
            fix = "run with the versions that the folder was begun with, or begin another: --out FOLDER"
            yield Fault("CM710", what, where, fix=fix)


# Running


def _results(tasks: Sequence[Task], how: How, stopped: Callable[[], bool]) -> Iterator[Result]:
    """Results in any order; a worker that dies leaves its cells to processes of their own."""
    left = {task.key: task for task in tasks}
    for apart in (False, True) if tasks else ():
        try:
            asked = [replace(t, apart=True) if apart else t for t in left.values()]
            for result in _in_parallel(asked, how, stopped):
                left.pop(result.outcome.key, None)
                yield result
        except InputError:
            raise
        except Exception as error:  # noqa: BLE001  a broken pool has many names
            if apart or stopped():
                saw = printable(f"{type(error).__name__}: {error}", 200)
                fix = "what was done is kept: give the same command again, with fewer --jobs"
                raise InputError(Fault("CM714", "the workers were lost", "", saw, fix)) from None
        else:
            return


def _in_parallel(tasks: Sequence[Task], how: How, stopped: Callable[[], bool]) -> Iterator[Result]:
    """The results of tasks by joblib; no more are begun once it is `stopped`."""
    require_component("joblib", "learn", "an experiment")
    import joblib

    def begun() -> Iterator[Any]:
        for task in tasks:
            if stopped():
                return
            yield joblib.delayed(work)(task)

    with ExitStack() as stack:
        options = _enter(stack, how)
        if how.backend != "ray":
            parallel = joblib.Parallel(**options, return_as="generator_unordered")
            yield from parallel(begun())
            return
        calls = begun()  # ray gives no results before all are there
        with joblib.Parallel(**options) as parallel:
            while batch := list(islice(calls, 8 * how.jobs)):
                yield from parallel(batch)


def _enter(stack: ExitStack, how: How) -> dict[str, Any]:
    """Start or find what runs the cells; the options of joblib for it."""
    import joblib

    if how.backend in {"loky", "threading"}:
        if how.backend == "threading":
            stack.enter_context(_threads(max(1, (os.cpu_count() or 1) // how.jobs)))
        return {"n_jobs": how.jobs, "backend": how.backend}
    start = _dask if how.backend == "dask" else _ray
    require_component("distributed" if how.backend == "dask" else "ray", how.backend, "the cluster")
    try:
        stack.enter_context(start(how))
        stack.enter_context(joblib.parallel_config(how.backend, n_jobs=how.jobs))
    except (OSError, ValueError, TimeoutError, ConnectionError) as error:
        what = f"no cluster of {how.backend} can be reached"
        saw = printable(f"{type(error).__name__}: {error}", 200)
        fix = "check --address, and that the scheduler runs"
        raise InputError(Fault("CM714", what, printable(how.address or ""), saw, fix)) from None
    return {"n_jobs": how.jobs}


@contextmanager
def _threads(n: int) -> Iterator[None]:
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=n):
        yield


def _dask(how: How) -> AbstractContextManager[Any]:
    """A client of a cluster, or of one on this machine for as long as it is needed."""
    from distributed import Client, LocalCluster

    stack = ExitStack()
    if how.address:
        stack.enter_context(Client(how.address, timeout=_REACH))
        return stack
    cluster = stack.enter_context(
        LocalCluster(
            n_workers=how.jobs, threads_per_worker=1, processes=True, dashboard_address=None
        )
    )
    stack.enter_context(Client(cluster))
    return stack


@contextmanager
def _ray(how: How) -> Iterator[None]:
    import ray
    from ray.util.joblib import register_ray

    ours = not ray.is_initialized()
    if ours and how.address:
        ray.init(address=how.address, log_to_driver=False)
    elif ours:
        ray.init(num_cpus=how.jobs, include_dashboard=False, log_to_driver=False)
    register_ray()
    try:
        yield
    finally:
        if ours:
            ray.shutdown()


@contextmanager
def _ctrl_c() -> Iterator[threading.Event]:
    """Set at the first Ctrl-C; the second one interrupts."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop
        return

    def heard(*_: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    before = signal.signal(signal.SIGINT, heard)
    try:
        yield stop
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def locked(folder: Path, shard: str) -> Iterator[None]:
    """Keep other runs out: all of them, or for a shard those of the same shard and of the whole."""
    try:
        import fcntl
    except ImportError:  # a system without such locks
        yield
        return
    with ExitStack() as stack:
        names = [("run.lock", fcntl.LOCK_SH if shard else fcntl.LOCK_EX)]
        names += [(f"run.{shard}lock", fcntl.LOCK_EX)] if shard else []
        for name, kind in names:
            path = folder / name
            file = stack.enter_context(path.open("a+", encoding="utf-8"))
            try:
                fcntl.flock(file, kind | fcntl.LOCK_NB)
            except OSError:
                file.seek(0)
                saw = printable(file.read()) or "a run of a shard"
                fix = "wait for it, or divide the work: --shard 1/2 here and --shard 2/2 there"
                what = "another run works in this folder"
                raise InputError(Fault("CM711", what, printable(folder, 200), saw, fix)) from None
            if kind == fcntl.LOCK_EX:
                file.truncate(0)
                file.write(f"process {os.getpid()} on {os.uname().nodename}")
                file.flush()
        yield

"""WEKA as a learner: a class name and options, training and test cases in, predictions out.

WEKA runs as a process of its own, with Java, on ARFF files written for it. Values that could be
taken for syntax are written as placeholders; plain ones keep their names, because WEKA draws the
random numbers of some learners from the text of a case.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from math import isnan
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from chancemeter.counts import Array
from chancemeter.errors import Fault, InputError, plural, printable, shorten
from chancemeter.experiments.nominal import Nominal

#: Where Debian's package puts it.
_DEBIAN = Path("/usr/share/java/weka.jar")
#: What newer versions need beside their jar, if it lies there.
_BESIDE = ("arpack_combined.jar", "core.jar", "mtj.jar")
_LINE = re.compile(r"\s*\d+[\s,]+(\d+):\S*?[\s,]+(\d+):")
#: A value that means nothing to a reader of ARFF, nor to one of predictions.
_PLAIN = re.compile(r"[\w.+-]+", re.ASCII)
#: What Java says when it gets no memory.
_NO_ROOM = re.compile(r"OutOfMemory|insufficient memory|Could not (reserve|allocate)")
#: Java's name of a class.
_CLASS = re.compile(r"[A-Za-z_][\w$]*(\.[A-Za-z_][\w$]*)+")


@dataclass(frozen=True)
class Column:
    """An attribute: numbers, or places in the declared values; nan where it is missing."""

    values: Array
    declared: Sequence[object] | None = None


@dataclass(frozen=True)
class Weka:
    """An installed WEKA."""

    jar: Path
    java: str
    version: tuple[int, ...]

    def __str__(self) -> str:
        """Its name and version."""
        return f"WEKA {'.'.join(map(str, self.version))}"

    def predict(
        self,
        name: str,
        options: str | Sequence[str],
        train: tuple[Sequence[Column], Array],
        test: Sequence[Column],
        classes: Sequence[object],
        **limits: Any,
    ) -> Array:
        """The class predicted for each test case, by a learner trained on `train`."""
        with TemporaryDirectory(prefix="chancemeter-") as home:
            files = [Path(home, f"{part}.arff") for part in ("train", "test")]
            write_arff(files[0], train[0], train[1], classes)
            write_arff(files[1], test, None, classes)
            given = ["-t", str(files[0]), "-T", str(files[1])]
            pairs = self._predictions(name, options, given, Path(home), **limits)
        return _expected(pairs[:, 1], len(test[0].values), name)

    def cross_validate(
        self,
        name: str,
        options: str | Sequence[str],
        data: Nominal,
        folds: int = 10,
        seed: int = 1,
        **limits: Any,
    ) -> tuple[Array, Array]:
        """True and predicted classes under WEKA's own cross-validation, fold after fold."""
        with TemporaryDirectory(prefix="chancemeter-") as home:
            file = Path(home, "data.arff")
            write_arff(file, columns_of(data), data.y, data.classes)
            given = ["-t", str(file), "-x", str(folds), "-s", str(seed)]
            pairs = self._predictions(name, options, given, Path(home), **limits)
        _expected(pairs[:, 1], len(data), name)
        return pairs[:, 0], pairs[:, 1]

    def run(
        self,
        name: str,
        arguments: Sequence[str],
        home: Path,
        *,
        timeout: float | None = None,
        memory: int | None = None,
    ) -> tuple[str, str]:
        """What the main method of a class prints; it must end within `timeout` seconds."""
        if not _CLASS.fullmatch(name):
            fix = "such as weka.classifiers.trees.J48"
            raise InputError(Fault("CM752", f"{printable(name)!r} is no Java class", fix=fix))
        jars = [self.jar, *(self.jar.parent / x for x in _BESIDE if self.version >= (3, 7))]
        command = [*_bound_to_us(), self.java, "-Djava.awt.headless=true"]
        command += [f"-Xmx{memory}m"] if memory else []
        command += ["-cp", os.pathsep.join(str(x) for x in jars if x.exists()), name, *arguments]
        # newer versions keep settings in a folder, and look into Java's own classes
        opened = "--add-opens=java.base/java.lang=ALL-UNNAMED" if self.version >= (3, 7) else ""
        environment = {**os.environ, "WEKA_HOME": str(home), "JDK_JAVA_OPTIONS": opened}
        try:
            found = subprocess.run(  # noqa: S603  (no shell; the name of the class is checked)
                command, env=environment, capture_output=True, timeout=timeout, check=False
            )
        except subprocess.TimeoutExpired:
            msg = f"{name} was not done within {timeout:g} seconds"
            raise TimeoutError(msg) from None
        return found.stdout.decode("utf-8", "replace"), found.stderr.decode("utf-8", "replace")

    def _predictions(
        self,
        name: str,
        options: str | Sequence[str],
        given: Sequence[str],
        home: Path,
        **limits: Any,
    ) -> Array:
        """Pairs of true and predicted class, in the order WEKA prints them; -1 where unknown."""
        listed = shlex.split(options) if isinstance(options, str) else list(options)
        asked = ["-p", "0"]
        if self.version >= (3, 7):
            asked = ["-classifications", "weka.classifiers.evaluation.output.prediction.CSV"]
        out, err = self.run(name, [*given, *asked, *listed], home, **limits)
        pairs = [found.groups() for found in map(_LINE.match, out.splitlines()) if found]
        if not pairs:
            if _NO_ROOM.search(err) or _NO_ROOM.search(out):
                msg = f"{name}: {_complaint(out, err)}"
                raise MemoryError(msg)
            what = f"{name} gave no predictions"
            fix = "check the name of the class, its options, and what it can learn from"
            raise InputError(Fault("CM752", what, saw=_complaint(out, err), fix=fix))
        return np.array(pairs, dtype=np.int64) - 1


def find_weka(jar: str | Path | None = None) -> Weka:
    """The WEKA of `jar`, or the one that is installed: Debian's, or of python-weka-wrapper3."""
    java = _java()
    where = Path(jar) if jar else _installed()
    if where is None:
        fix = "apt-get install weka, pip install python-weka-wrapper3, or name one: --jar weka.jar"
        raise InputError(Fault("CM751", "WEKA was not found", fix=fix))
    if not where.is_file():
        shown = printable(where, 200)
        raise InputError(Fault("CM751", "there is no such jar", shown, fix="--jar weka.jar"))
    return Weka(where, java, _version(where, java))


def columns_of(data: Nominal) -> list[Column]:
    """The attributes of nominal data."""
    pairs = zip(data.codes.T, data.values, strict=True)
    return [Column(x.astype(float), values) for x, values in pairs]


def write_arff(
    path: Path, columns: Sequence[Column], y: Array | None, classes: Sequence[object]
) -> None:
    """Columns and classes; without `y` all classes are unknown."""
    target = np.full(len(columns[0].values), np.nan) if y is None else y
    written = [_written(column) for column in [*columns, Column(target, classes)]]
    lines = ["@relation data"]
    lines += [f"@attribute a{i} {kind}" for i, (kind, _) in enumerate(written)]
    lines += [
        "@data",
        *(",".join(row) for row in zip(*(cells for _, cells in written), strict=True)),
    ]
    path.write_text("\n".join(lines) + "\n", "utf-8")


def _written(column: Column) -> tuple[str, list[str]]:
    """The type of an attribute, and its cells."""
    values = column.values.tolist()
    if column.declared is None:
        return "numeric", ["?" if isnan(x) else repr(x) for x in values]
    names = [str(x) for x in column.declared]
    if len(set(names)) < len(names) or not all(map(_PLAIN.fullmatch, names)):
        names = [f"v{i}" for i in range(len(names))]
    return f"{{{','.join(names)}}}", ["?" if isnan(x) else names[int(x)] for x in values]


@cache
def _bound_to_us() -> tuple[str, ...]:
    """What starts a process that ends when this one is killed, where the system has it."""
    known = shutil.which("setpriv") if sys.platform == "linux" else None
    return (known, "--pdeathsig", "KILL", "--") if known else ()


def _java() -> str:
    """The command that runs Java."""
    home = os.environ.get("JAVA_HOME")
    found = shutil.which("java", path=str(Path(home, "bin"))) if home else None
    found = found or shutil.which("java")
    if found is None:
        fix = "install a Java runtime, such as Debian's default-jre-headless, or set JAVA_HOME"
        raise InputError(Fault("CM750", "WEKA needs Java, and there is none", fix=fix))
    return found


def _installed() -> Path | None:
    spec = find_spec("weka")
    homes = (spec.submodule_search_locations or ()) if spec else ()
    candidates = [_DEBIAN, *(Path(home, "lib", "weka.jar") for home in homes)]
    return next((path for path in candidates if path.is_file()), None)


@cache
def _version(jar: Path, java: str) -> tuple[int, ...]:
    with TemporaryDirectory(prefix="chancemeter-") as home:
        out, err = Weka(jar, java, ()).run("weka.core.Version", [], Path(home))
    found = re.match(r"(\d+(?:\.\d+)+)", out.strip())
    if not found:
        what = "this is not WEKA, or Java cannot run it"
        raise InputError(Fault("CM751", what, printable(jar, 200), _complaint(out, err)))
    return tuple(map(int, found[1].split(".")))


def _expected(found: Array, n: int, name: str) -> Array:
    if len(found) != n:
        what = f"{name} gave {plural(len(found), 'prediction')} for {plural(n, 'case')}"
        fix = "chancemeter reads what WEKA 3.6 and 3.9 print; other versions may print it otherwise"
        raise InputError(Fault("CM753", what, fix=fix))
    return found


def _complaint(out: str, err: str) -> str:
    """What WEKA or Java said of it."""
    lines: Iterator[str] = (line.strip() for line in [*out.splitlines(), *err.splitlines()])
    told = [
        line
        for line in lines
        if re.search(r"exception:|^Error|OutOfMemory|memory|Could not|Exception", line)
    ]
    return printable(told[0] if told else shorten(err.splitlines()[-1:]), 200)

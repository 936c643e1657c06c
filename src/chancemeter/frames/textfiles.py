"""Delimited text: its header, its rows counted, and a careful reader for what the fast one gets wrong.

The engine is given the dialect, so nothing is sniffed. Still it refuses mixed line ends, mistakes
line breaks inside a header, and loses a last row that is very long or whose quote is not closed.
So the rows are counted here too, and where the engine fails or finds another number, the file is
written anew, row by row, in the plainest form; that also tells on which line something is wrong.
"""

from __future__ import annotations

import codecs
import csv
import io
import shutil
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

import numpy as np

from chancemeter.counts import Array
from chancemeter.csvfiles import Dialect
from chancemeter.errors import Fault, InputError, plural, quoted, shorten
from chancemeter.frames.paths import HEAD, File, damaged, refuse_binary

#: The longest line that is read, in characters.
MAX_LINE = 16_000_000
#: How much is counted at once.
CHUNK = 1 << 18


def codec_of(encoding: str) -> str:
    """The usual name of an encoding; with a byte order mark left out for UTF-8."""
    try:
        name = codecs.lookup(encoding).name
    except LookupError:
        fix = "such as utf-8, latin-1 or cp1252"
        what = f"no encoding is called {quoted(encoding)}"
        raise InputError(Fault("CM004", what, fix=fix)) from None
    return "utf-8-sig" if name == "utf-8" else name


def delimiter_of(file: File, given: str | None, header: str) -> str:
    """What stands between fields: as given, else by the name of the file."""
    if given is not None:
        return Dialect(delimiter=given).delimiter
    suffixes = {suffix.lower() for suffix in file.path.suffixes}
    if ".tsv" in suffixes or (".txt" in suffixes and "\t" in header):
        return "\t"
    return ","


def header_of(file: File, head: bytes, encoding: str, given: str | None) -> tuple[list[str], str]:
    """The names in the first row, and the delimiter."""
    codec = codec_of(encoding)
    refuse_binary(file.path, head, codec)
    complete = len(head) < HEAD
    try:
        text = codecs.getincrementaldecoder(codec)().decode(head, complete)
    except UnicodeError as error:
        raise _not_text(file, codec, error) from None
    lines = text.lstrip("\r\n")
    delimiter = delimiter_of(file, given, lines[:10_000].splitlines()[0] if lines else "")
    with _long_fields():
        reader = csv.reader(io.StringIO(lines, newline=""), delimiter=delimiter, strict=True)
        try:
            header = next(reader, [])
        except csv.Error as error:
            raise _not_csv(file, 1, error) from None
    if not header:
        fix = "look whether it was written to the end"
        raise InputError(Fault("CM002", "the file is empty (0 rows)", str(file.path), fix=fix))
    other = next((x for x in ";\t|," if len(header) == 1 and x in header[0]), None)
    if other:
        shown = "tab" if other == "\t" else other
        what = f"there is one column only, and {quoted(other)} stands in its name"
        fix = f"delimiter={shown!r} (--delimiter {shown!r})"
        raise InputError(Fault("CM004", what, str(file.path), quoted(header[0]), fix))
    return header, delimiter


def is_plain(header: list[str], head: bytes, encoding: str, delimiter: str) -> bool:
    """Whether the fast reader finds the end of the header where it is."""
    if codec_of(encoding) not in {"utf-8-sig", "ascii"} or not delimiter.isascii():
        return False
    inside = any(c in name for name in header for c in "\r\n")
    return not inside and head.removeprefix(codecs.BOM_UTF8)[:1] not in {b"\r", b"\n"}


@dataclass(frozen=True)
class Lines:
    """What counting the lines of a file found; a line break between quotes ends none."""

    all: int
    blank: int
    closed: bool
    """Whether every quote is closed at the end, if a quote is a quote wherever it stands."""
    delimiters: int = 0
    """How many delimiters stand outside quotes."""

    def fit(self, width: int) -> bool:
        """Whether there are as many delimiters as so many fields in each line need."""
        return self.delimiters == (self.all - self.blank) * (width - 1)


def count_lines(
    file: File,
    quotes: bool = True,
    most: int | None = None,
    tell: Callable[[float], None] = lambda _: None,
    mark: str = "",
) -> Lines:
    """Count lines in pieces that stay in the cache; stop when there are more than `most`.

    `tell` is told the share of the bytes that have been looked at.
    """
    whole = file.path.stat().st_size
    lines = blank = inside = delimiters = 0
    buffer = bytearray(b"\n\n") + bytes(CHUNK)  # what came before each piece, and the piece
    data = np.frombuffer(buffer, np.uint8)
    ends = np.ones(CHUNK + 2, bool)
    try:
        with file.open() as stream:
            packed = getattr(stream, "fileobj", stream)
            while size := stream.readinto(memoryview(buffer)[2:]):  # type: ignore[attr-defined]
                if file.compression != "zstd":
                    tell(packed.tell() / max(whole, 1))
                here = ends[2 : size + 2]
                np.equal(data[2 : size + 2], 10, out=here)
                outside: Array | None = None
                if quotes and (inside or buffer.find(b'"', 2, size + 2) >= 0):
                    marks = (data[2 : size + 2] == 34).view(np.uint8)
                    within = np.bitwise_xor.accumulate(marks) ^ inside
                    inside = int(within[-1])
                    outside = within == 0
                lines += int(np.count_nonzero(here if outside is None else here & outside))
                if mark:
                    between = data[2 : size + 2] == ord(mark)
                    delimiters += int(
                        np.count_nonzero(between if outside is None else between & outside)
                    )
                empty = here & ends[1 : size + 1]
                if buffer.find(b"\r", 1, size + 2) >= 0:
                    empty |= here & ends[:size] & (data[1 : size + 1] == 13)
                blank += int(np.count_nonzero(empty if outside is None else empty & outside))
                buffer[:2], ends[:2] = buffer[size : size + 2], ends[size : size + 2]
                if most is not None and lines - blank > most:
                    break
    except (OSError, EOFError, zlib.error) as error:
        raise damaged(file.path, error) from None
    lines += int(not ends[1] or inside > 0)
    return Lines(lines, blank, not inside, delimiters)


def rewrite(file: File, target: Path, dialect: Dialect, most: int | None = None) -> int:
    """The same rows as UTF-8 with every field quoted, and how many; every fault with its line."""
    has_room = room_for(file, target)
    count = 0
    with target.open("w", encoding="utf-8", newline="") as out:
        writer = csv.writer(out, quoting=csv.QUOTE_ALL, lineterminator="\n")
        for count, row in enumerate(_rows(file, dialect)):
            # The names of columns may hold line breaks; here they are not needed.
            writer.writerow(row if count else [f"c{i}" for i in range(len(row))])
            if most is not None and count > most:
                break
            has_room(count, out)
    return count


def room_for(file: File, target: Path) -> Callable[[int, TextIO], None]:
    """To be called after each row of `file` that is written to `target`: refuses to fill the disk."""
    room = shutil.disk_usage(target.parent).free // 2

    def check(count: int, out: TextIO) -> None:
        if count % 10_000 == 0 and out.tell() > room:
            what = "unpacked, the file does not fit on the disk"
            fix = "max_rows=… (--max-rows) refuses it sooner"
            raise InputError(Fault("CM001", what, str(file.path), fix=fix))

    return check


def _rows(file: File, dialect: Dialect) -> Iterator[list[str]]:
    """Every row that is not blank, all of one length."""
    codec = codec_of(dialect.encoding)
    width = 0
    line = 1
    with _long_fields(), file.open() as raw:
        text = io.TextIOWrapper(raw, encoding=codec, newline="")
        reader = csv.reader(_lines(file, text), delimiter=dialect.delimiter, strict=True)
        try:
            for row in reader:
                # In a table of one column an empty line is a row whose label is missing.
                if row or width == 1:
                    width = width or len(row)
                    _check_width(file, row or [""], width, line)
                    yield row or [""]
                line = reader.line_num + 1
        except csv.Error as error:
            raise _not_csv(file, line, error) from None
        except UnicodeError as error:
            raise _not_text(file, codec, error) from None
        except (OSError, EOFError, zlib.error) as error:
            raise damaged(file.path, error) from None


def _check_width(file: File, row: list[str], width: int, line: int) -> None:
    if len(row) != width:
        what = f"{plural(len(row), 'field')} where the first line has {width}"
        fix = "quote fields that hold the delimiter, or give delimiter= (--delimiter)"
        raise InputError(Fault("CM004", what, f"{file.path}:{line}", shorten(row, 4), fix))


def _lines(file: File, text: io.TextIOWrapper) -> Iterator[str]:
    """Lines, none longer than memory allows."""
    number = 0
    while line := text.readline(MAX_LINE):
        number += 1
        if len(line) >= MAX_LINE:
            what = f"a line is longer than {MAX_LINE:,} characters"
            fix = "look whether line ends are missing"
            raise InputError(Fault("CM004", what, f"{file.path}:{number}", fix=fix))
        yield line


@contextmanager
def _long_fields() -> Iterator[None]:
    """Whole articles may stand beside their labels."""
    before = csv.field_size_limit(MAX_LINE)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _not_csv(file: File, line: int, error: csv.Error) -> InputError:
    fix = "a quote that is opened must be closed, and doubled inside quotes"
    where = f"{file.path}:{line}"
    return InputError(Fault("CM004", f"not well-formed CSV: {error}", where, "", fix))


def _not_text(file: File, codec: str, error: UnicodeError) -> InputError:
    """Text of another encoding, with the line and the byte where that shows."""
    where, saw = str(file.path), ""
    if codec in {"utf-8-sig", "ascii"}:
        with file.open() as raw:
            for number, line in enumerate(iter(lambda: raw.readline(MAX_LINE), b""), 1):
                try:
                    line.decode("utf-8" if codec == "utf-8-sig" else codec)
                except UnicodeDecodeError as bad:
                    where, saw = f"{file.path}:{number}", f"byte 0x{line[bad.start]:02x}"
                    break
    what = f"the text is not {codec.removesuffix('-sig')}"
    saw = saw or str(getattr(error, "reason", ""))
    fix = 'say how it is written: encoding="latin-1" (or cp1252, utf-16; --encoding)'
    return InputError(Fault("CM004", what, where, saw, fix))

"""How far a long reading has come, on one line of a terminal."""

from __future__ import annotations

import os
import shutil
import sys
import time
from collections.abc import Callable
from typing import TextIO

#: Seconds between two looks.
_OFTEN = 0.2
#: Nothing is shown of what takes less.
_PATIENCE = 0.5
#: Seconds between two lines where no terminal is.
_SELDOM = 30.0


class Meter:
    r"""Told a share of the work and of how many rows; shows both, and rows a second.

    >>> import io
    >>> out = io.StringIO()
    >>> meter = Meter(out, patience=0)
    >>> meter(0.25, 4_000_000)
    >>> "25% · 1,000,000 of 4,000,000 rows" in out.getvalue()
    True
    >>> meter.done()
    >>> out.getvalue().endswith("\r\x1b[K")
    True
    """

    def __init__(self, stream: TextIO, patience: float = _PATIENCE) -> None:
        """Start the clock."""
        self._stream = stream
        self._began = time.monotonic()
        self._next = self._began + patience
        self._shown = False

    def __call__(self, share: float, rows: int | None = None) -> None:
        """Show the share, if it is time to."""
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + _OFTEN
        text = f"  {min(share, 1):4.0%}"
        if rows:
            done = share * rows
            rate = done / max(now - self._began, 1e-9)
            text += f" · {done:,.0f} of {rows:,} rows · {rate:,.0f} rows a second"
        self._stream.write(f"\r\x1b[K{text}")
        self._stream.flush()
        self._shown = True

    def done(self) -> None:
        """Wipe the line."""
        if self._shown:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
            self._shown = False


class CellMeter:
    r"""Told how many cells are done: a line that is rewritten at a terminal, now and then one elsewhere.

    >>> import io
    >>> out = io.StringIO()
    >>> meter = CellMeter(out, often=0)
    >>> meter(30, 120, lambda: "kappa so far: tree 0.71")
    >>> "30 of 120 cells" in out.getvalue() and "tree 0.71" in out.getvalue()
    True
    """

    def __init__(self, stream: TextIO, often: float | None = None) -> None:
        """Start the clock."""
        self._stream = stream
        self._terminal = stream.isatty() and os.environ.get("TERM") != "dumb"
        self._often = often if often is not None else _OFTEN if self._terminal else _SELDOM
        self._began = time.monotonic()
        self._next = self._began + self._often
        self._first: int | None = None
        self._shown = False

    def __call__(self, done: int, cells: int, so_far: Callable[[], str]) -> None:
        """Show it, if it is time to."""
        self._first = done - 1 if self._first is None else self._first
        now = time.monotonic()
        if now < self._next:
            return
        self._next = now + self._often
        rate = (done - self._first) / max(now - self._began, 1e-9)
        left = duration((cells - done) / rate)
        pace = f"{rate:.1f} a second" if rate >= 1 else f"{60 * rate:.1f} a minute"
        text = f"  {done / cells:4.0%} · {done:,} of {cells:,} cells · {pace} · {left} left"
        text = f"{text} · {so_far()}"
        if self._terminal:
            width = shutil.get_terminal_size().columns - 1
            self._stream.write(f"\r\x1b[K{text[:width]}")
        else:
            self._stream.write(f"{text}\n")
        self._stream.flush()
        self._shown = True

    def done(self) -> None:
        """Wipe the line."""
        if self._shown and self._terminal:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def duration(seconds: float) -> str:
    """A time to wait, in words.

    >>> duration(42), duration(150), duration(7300)
    ('42 s', '2 min', '2 h 1 min')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    minutes = int(seconds // 60)
    return f"{minutes} min" if minutes < 60 else f"{minutes // 60} h {minutes % 60} min"


def meter() -> Meter | None:
    """A meter if somebody sits at a terminal, else nothing."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return Meter(sys.stderr)
    return None

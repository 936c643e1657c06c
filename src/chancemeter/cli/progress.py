"""How far a long reading has come, on one line of a terminal."""

from __future__ import annotations

import os
import sys
import time
from typing import TextIO

#: Seconds between two looks.
_OFTEN = 0.2
#: Nothing is shown of what takes less.
_PATIENCE = 0.5


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


def meter() -> Meter | None:
    """A meter if somebody sits at a terminal, else nothing."""
    if sys.stderr.isatty() and os.environ.get("TERM") != "dumb":
        return Meter(sys.stderr)
    return None

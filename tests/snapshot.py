"""Texts that people read, kept in `snapshots/` and compared to the letter.

``UPDATE_SNAPSHOTS=1 pytest`` writes them anew; look at the difference before keeping it.
"""

import os
from pathlib import Path

FOLDER = Path(__file__).parent / "snapshots"


def matches(name: str, text: str) -> None:
    """Compare `text` with the snapshot of that name, or write it."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("UPDATE_SNAPSHOTS"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.exists(), f"no snapshot {path.name} yet: UPDATE_SNAPSHOTS=1 writes it"
    assert text == path.read_text("utf-8")

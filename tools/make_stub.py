"""Write `src/chancemeter/__init__.pyi`: names that are loaded late, for editors and checkers.

Measures are listed by key; an alias is an attribute as well, but not in the stub.
"""

from __future__ import annotations

from pathlib import Path

import chancemeter

STUB = Path(chancemeter.__file__).with_suffix(".pyi")


def stub() -> str:
    """The text of the stub."""
    homes = sorted((home, name) for name, home in chancemeter._HOME.items())  # noqa: SLF001
    lines = ["# Written by tools/make_stub.py; a change here is lost.", ""]
    lines += [f"from chancemeter.{home} import {name} as {name}" for home, name in homes]
    lines += ["", "__version__: str", ""]
    lines += [f"{key}: Measure[...]" for key in sorted(m.key for m in chancemeter.every())]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    STUB.write_text(stub(), "utf-8")

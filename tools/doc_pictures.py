"""The pictures that the documents show: first screens of a report, and a terminal.

Screens are taken by Chromium; where there is none, those that the repository has are kept.
"""

from __future__ import annotations

import io
import os
import shlex
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from html import escape
from pathlib import Path
from typing import Any

from chancemeter import cli

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "docs" / "pictures"
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
SCREENS: dict[str, dict[str, Any]] = {
    "report-light": {"viewport": {"width": 1000, "height": 760}},
    "report-dark": {"viewport": {"width": 1000, "height": 760}, "color_scheme": "dark"},
    "report-phone": {"viewport": {"width": 390, "height": 760}},
}
TERMINALS = {
    "compare": ["chancemeter compare forest.csv logreg.csv"],
    "check": [
        "chancemeter check forest.csv logreg.csv --min kappa=0.4",
        "chancemeter check forest.csv --beats logreg.csv --by mcc",
    ],
}
_TERMINAL = """<!doctype html><meta charset=utf-8><style>
body{margin:0;background:#fff}pre{display:inline-block;margin:0;padding:18px 22px;border-radius:10px;
background:#12161c;color:#dfe6ee;font:14px/1.5 "DejaVu Sans Mono",monospace}
b{color:#6bd6a3;font-weight:600}i{color:#ff8a7a;font-style:normal}</style><pre>%s</pre>"""


def typed(commands: list[str]) -> str:
    """What a terminal shows after these commands, as HTML."""
    lines = []
    for command in commands:
        out = io.StringIO()
        with redirect_stdout(out), redirect_stderr(io.StringIO()):
            code = cli.main(shlex.split(command)[1:])
        lines.append(f"<b>$ {escape(command)}</b>")
        for line in out.getvalue().rstrip().split("\n"):
            shown = escape(line)
            lines.append(f"<i>{shown}</i>" if line.startswith("FAIL") else shown)
        lines.append(f"<b>$ echo $?</b>\n{code}")
    return _TERMINAL % "\n".join(lines)


@contextmanager
def beside_the_examples() -> Iterator[Path]:
    """A folder with copies of the examples, where commands may write."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as name:
        for example in (ROOT / "examples").iterdir():
            shutil.copy(example, name)
        os.chdir(name)
        try:
            yield Path(name)
        finally:
            os.chdir(before)


def screens() -> None:
    """First screens of the report of both examples, and the terminal."""
    from playwright.sync_api import sync_playwright

    with beside_the_examples() as folder, sync_playwright() as playwright:
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            cli.main(["report", "forest.csv", "logreg.csv"])
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for name, options in SCREENS.items():
            page = browser.new_context(**options).new_page()
            page.goto((folder / "report.html").as_uri())
            save(name, page.screenshot())
        page = browser.new_context(device_scale_factor=1.25).new_page()
        for name, commands in TERMINALS.items():
            page.set_content(typed(commands))
            save(name, page.locator("pre").screenshot())
        browser.close()


def save(name: str, png: bytes) -> None:
    """With few colours, which is small."""
    from PIL import Image

    picture = Image.open(io.BytesIO(png)).convert("RGB")
    picture.quantize(160, dither=Image.Dither.NONE).save(FOLDER / f"{name}.png", optimize=True)


def main() -> None:
    """All pictures."""
    FOLDER.mkdir(exist_ok=True)
    if CHROMIUM is None:
        print("no Chromium: the screens stay as they are", file=sys.stderr)
        return
    screens()


if __name__ == "__main__":
    main()

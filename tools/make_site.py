"""The site in `site/`: the documents, a page for each measure with a picture, and no dead link.

`make docs` calls it. Nothing is fetched, and no page loads anything from elsewhere.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import measure_pages

import chancemeter as cm

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
#: The parts of the site, and what stands in each, in this order.
PARTS = {
    "Start": ["one-rule", "reading", "guides/index"],
    "Reference": ["measures/index", "errors", "report-json", "agreement", "errata"],
    "Evidence": [],
    "Decisions": ["decisions/*"],
}


def gather(folder: Path) -> list[str]:
    """All Markdown in one folder; what no part of the index names comes under evidence."""
    if folder.exists():
        shutil.rmtree(folder)
    shutil.copytree(DOCS, folder)
    for path, text in measure_pages.pages().items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    named = {name for names in PARTS.values() for name in names} | {"index"}
    top = sorted(path.stem for path in folder.glob("*.md"))
    parts = PARTS | {"Evidence": [name for name in top if name not in named]}
    index = folder / "index.md"
    trees = [
        f"```{{toctree}}\n:hidden:\n:caption: {title}\n:glob:\n\n" + "\n".join(names) + "\n```\n"
        for title, names in parts.items()
        if names
    ]
    index.write_text("\n".join([index.read_text("utf-8"), *trees]), "utf-8")
    return [path.relative_to(folder).as_posix() for path in folder.rglob("*.md")]


def build(source: Path, target: Path) -> int:
    """Run Sphinx; a warning is a failure."""
    options = ["-b", "html", "-W", "--keep-going", "-q", "-d", str(source.parent / "doctrees")]
    command = [sys.executable, "-m", "sphinx", *options, str(source), str(target)]
    return subprocess.run(command, check=False).returncode


class Links(HTMLParser):
    """What a page links to, what it loads, and the places in it."""

    def __init__(self, page: str) -> None:
        """Read a page."""
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.places: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect addresses."""
        found = {key: value or "" for key, value in attrs}
        self.places |= {found[key] for key in ("id", "name") if key in found}
        if tag == "a" and "href" in found:
            self.links.append(found["href"])
        elif tag == "link" and found.get("rel") not in {"search", "next", "prev", "index"}:
            self.loads.append(found.get("href", ""))
        self.loads += [found["src"]] if "src" in found else []


def faults(site: Path) -> Iterator[str]:
    """Links that lead nowhere, and anything that would be fetched from elsewhere."""
    pages = {path: Links(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        name = path.relative_to(site).as_posix()
        for url in page.loads:
            parts = urlsplit(url)
            if parts.scheme not in {"", "data"} or parts.netloc:
                yield f"{name} loads {url}"
            elif parts.path and not (path.parent / unquote(parts.path)).exists():
                yield f"{name} loads {url}, which is not there"
        for url in page.links:
            yield from (f"{name} links to {url}: {why}" for why in _dead(url, path, pages))
    for path in site.rglob("*.css"):
        for url in re.findall(r"url\(['\"]?(https?:[^)]+)\)", path.read_text("utf-8")):
            yield f"{path.relative_to(site)} loads {url}"


def _dead(url: str, path: Path, pages: dict[Path, Links]) -> Iterator[str]:
    parts = urlsplit(url)
    if parts.scheme or parts.netloc:
        return
    target = (path.parent / unquote(parts.path)).resolve() if parts.path else path.resolve()
    target = target / "index.html" if target.is_dir() else target
    if not target.exists():
        yield "no such page"
    elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
        yield "no such place in it"


def main(target: Path, *, pictures: bool = True) -> int:
    """Make everything; how it ended."""
    source = ROOT / "build" / "docs"
    gather(source)
    if pictures:
        import roc_pictures

        drawn = [m for m in cm.every() if measure_pages.pictured(m)]
        roc_pictures.draw_all(source / "measures" / "pictures", drawn)
    else:
        (source / "measures" / "pictures").mkdir()
        for m in cm.every():
            (source / "measures" / "pictures" / f"{m.key}.png").write_bytes(b"")
    if target.exists():
        shutil.rmtree(target)
    ended = build(source, target)
    found = list(faults(target.resolve())) if not ended else []
    print("\n".join(found), file=sys.stderr)
    pages = len(list(target.rglob("*.html")))
    print(f"{target}: {pages} pages, {len(found)} dead links")
    return ended or bool(found)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", nargs="?", type=Path, default=ROOT / "site")
    parser.add_argument("--no-pictures", action="store_true")
    given = parser.parse_args()
    sys.exit(main(given.target, pictures=not given.no_pictures))

"""Sizes that keep code readable: files of at most 500 lines, functions of at most 50."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

MOST_IN_FILE, MOST_IN_FUNCTION = 500, 50


def faults(path: Path) -> list[str]:
    """What is too long in one file."""
    text = path.read_text("utf-8")
    lines = text.count("\n")
    found = [f"{path}: {lines} lines"] if lines > MOST_IN_FILE else []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            documented = ast.get_docstring(node) is not None and len(node.body) > 1
            body = node.body[1:] if documented else node.body
            length = (body[-1].end_lineno or 0) - body[0].lineno + 1
            if length > MOST_IN_FUNCTION:
                found.append(f"{path}:{node.lineno}: {node.name} has {length} lines")
    return found


if __name__ == "__main__":
    folders = [Path("src"), Path("tools"), Path("benchmarks")]
    too_long = [
        f for folder in folders for path in sorted(folder.rglob("*.py")) for f in faults(path)
    ]
    print("\n".join(too_long) or "sizes are fine")
    sys.exit(bool(too_long))

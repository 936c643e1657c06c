"""How the site is built: Markdown, formulas as MathML, nothing from the network."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml

project = "chancemeter"
author = "The chancemeter developers"
copyright = author  # noqa: A001
extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
myst_fence_as_directive = ["math"]
html_theme = "furo"
html_title = "chancemeter"
html_static_path = ["_static"] if Path(__file__).with_name("_static").is_dir() else []
html_css_files = ["site.css"] if html_static_path else []
html_copy_source = html_show_sourcelink = False
html_math_renderer = "mathml"
exclude_patterns = ["conf.py"]
nitpicky = True


def _tex(node: Any) -> str:
    """MathML, with sums that stretch as in print."""
    return re.sub(r"\s*\n\s*", "", tex2mathml(node.astext(), as_block=isinstance(node, nodes.math_block)))


def _inline(writer: Any, node: Any) -> None:
    writer.body.append(_tex(node))
    raise nodes.SkipNode


def _block(writer: Any, node: Any) -> None:
    writer.body.append(f'<div class="math">{_tex(node)}</div>')
    raise nodes.SkipNode


def setup(app: Any) -> None:
    """Formulas without a script."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))

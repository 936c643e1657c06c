"""A page for a matrix from a paper or a file: the formulas of the report, and nobody to ask."""

from __future__ import annotations

import json

from chancemeter.figures import json_number
from chancemeter.registry import get
from chancemeter.reports import drawing, html
from chancemeter.reports.compose import MOVING
from chancemeter.tables import PRED_NAMES, TRUE_NAMES
from chancemeter.verdict import IDEAS

_BODY = """\
<header><h1>How much of an accuracy is chance?</h1>
<p class=faint>Paste a confusion matrix, or choose a CSV of predictions. Nothing leaves this page.</p>
</header><main><section id="given" aria-label="The matrix"><div class="beside"><div>
<label for="cells">Confusion matrix: a line for each row, with labels or without</label>
<textarea id="cells" spellcheck="false">     cat   dog
cat   60   125
dog    5  5000</textarea>
<fieldset><legend>Rows are</legend>
<label><input type="radio" name="rows" value="truth" checked> the truth</label>
<label><input type="radio" name="rows" value="prediction"> the prediction</label></fieldset>
</div><div><label for="file">A CSV of predictions, a line for each case</label>
<p><input id="file" type="file" accept=".csv,.tsv,.txt,text/csv"></p>
<p id="columns" hidden><label>truth <select id="true"></select></label>
<label>prediction <select id="pred"></select></label></p>
<p id="err" class="err" role="alert"></p></div></div></section>
<div id="shown"></div></main>"""


def page() -> str:
    """The whole page."""
    data = {
        "measures": [[k, get(k).card.symbol, *map(json_number, get(k).card.range)] for k in MOVING],
        "ideas": list(IDEAS.items()),
        "true": TRUE_NAMES,
        "pred": PRED_NAMES,
    }
    known = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    body = f'{drawing.PATTERNS}{_BODY}<script type="application/json" id="data">{known}</script>'
    shades = " ".join(f"r{i} x{i}" for i in range(1, 10))
    code = html.script("core.js", "explore.js")
    return html.framed("How much of an accuracy is chance?", body, code, shades)

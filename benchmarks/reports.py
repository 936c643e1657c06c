"""A report from a CSV of predictions, beside what others write: time in a fresh process, and size.

Peers that need other versions of libraries live in environments of their own: the variable
CHANCEMETER_PEERS names a folder with one for each, such as ``evidently/bin/python``.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

from timing import Claim, best

EXAMPLES = Path(__file__).parent.parent / "examples"
_OURS = os.pathsep.join(map(os.path.abspath, filter(None, sys.path)))
SAID = "Two classes, 2,000 cases. Peers whose packages do not import today are left out."
OURS = "from chancemeter import cli; cli.main(['report', {csv!r}, '-o', {html!r}, '--force'])"
PYCM = """
import csv
import pycm
rows = list(csv.DictReader(open({csv!r})))
matrix = pycm.ConfusionMatrix([r["y_true"] for r in rows], [r["y_pred"] for r in rows])
matrix.save_html({html!r}.removesuffix(".html"))
"""
#: What others need to write their page; `VERSION` is printed.
PEERS = {
    "evidently": """
import pandas as pd, evidently
from evidently import BinaryClassification, DataDefinition, Dataset, Report
from evidently.presets import ClassificationPreset
frame = pd.read_csv({csv!r})[["y_true", "y_pred"]]
roles = BinaryClassification(target="y_true", prediction_labels="y_pred")
data = Dataset.from_pandas(frame, data_definition=DataDefinition(classification=[roles]))
Report([ClassificationPreset()]).run(data, None).save_html({html!r})
print(evidently.__version__)
""",
    "deepchecks": """
import pandas as pd, deepchecks
from deepchecks.tabular import Dataset
from deepchecks.tabular.suites import model_evaluation
frame = pd.read_csv({csv!r})
data = Dataset(frame[["score", "y_true"]], label="y_true")
found = model_evaluation().run(data, data, y_pred_train=frame.y_pred, y_pred_test=frame.y_pred)
found.save_as_html({html!r})
print(deepchecks.__version__)
""",
    "explainerdashboard": """
import pandas as pd, explainerdashboard
from sklearn.linear_model import LogisticRegression
from explainerdashboard import ClassifierExplainer, ExplainerDashboard
frame = pd.read_csv({csv!r})
x, y = frame[["score"]], frame.y_true
explainer = ClassifierExplainer(LogisticRegression().fit(x, y), x, y)
hidden = {{name: False for name in ("importances", "contributions", "whatif", "shap_dependence")}}
ExplainerDashboard(explainer, **hidden).save_html({html!r})
print(explainerdashboard.__version__)
""",
}


def process(python: str | Path, code: str, html: Path) -> Callable[[], str]:
    """A fresh interpreter that writes `html`; what it prints last."""
    text = code.format(csv=str(EXAMPLES / "forest.csv"), html=str(html))

    def run() -> str:
        # not in this folder, whose modules are called as some of theirs
        done = subprocess.run(
            [str(python), "-c", text],
            check=True,
            capture_output=True,
            text=True,
            cwd=html.parent,
            env={**os.environ, "PYTHONPATH": _OURS if python == sys.executable else ""},
        )
        return (done.stdout.split() or [""])[-1]

    return run


def peers(folder: Path) -> Iterator[tuple[str, Callable[[], str], Path]]:
    """Those that work on this machine: name and version, how to run it, what it writes."""
    html = folder / "pycm.html"
    yield "PyCM", process(sys.executable, PYCM, html), html
    homes = os.environ.get("CHANCEMETER_PEERS")
    for name, code in PEERS.items() if homes else ():
        python, html = Path(homes or "") / name / "bin" / "python", folder / f"{name}.html"
        if not python.exists():
            continue
        work = process(python, code, html)
        try:
            version = work()
        except subprocess.CalledProcessError as error:
            print(f"{name}: {error.stderr.strip().splitlines()[-1]}", file=sys.stderr)
            continue
        yield f"{name} {version}", work, html


def claims() -> Iterator[Claim]:
    """Wanted: a fifth of what others take; PyCM, faster for it, writes counts without intervals."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        html = folder / "ours.html"
        ours = process(sys.executable, OURS, html)
        for peer, theirs, page in peers(folder):
            times = best(ours, theirs, times=3)
            sizes = [path.stat().st_size / 1000 for path in (html, page)]
            note = f"{sizes[0]:,.0f} KB against {sizes[1]:,.0f} KB"
            at_least = 0 if peer.startswith("PyCM") else 5
            what = "a page from a CSV, in a fresh process"
            yield Claim(what, times[0], peer, times[1], at_least, note)

"""What WEKA's corrected tester says of the study's folds, into ``weka_tester.json``.

    python make_weka_tester.py [weka.jar]

The folds of ``ben_david_folds.json.gz`` are exported by chancemeter as an ARFF file of results.
"""

import gzip
import json
import re
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent))

from study_page import STUDY, grid_of  # noqa: E402

from chancemeter.experiments.exchange import to_weka  # noqa: E402
from chancemeter.experiments.weka import find_weka  # noqa: E402

TESTER = "weka.experiment.PairedCorrectedTTester"


def run(weka, home, column, *options):
    fixed = ["-t", str(home / "r.arff"), "-D", "1", "-R", "2", "-F", "3", "-G", "4-6", "-S", "0.05"]
    out, _ = weka.run(TESTER, [*fixed, "-c", str(column), *options], home)
    return out.splitlines()


def verdicts(lines):
    """Data set by data set, the sign of each scheme against the first one of the line."""
    head = next(line for line in lines if line.startswith("Dataset  "))
    at = {int(m[1]): m.start() + 1 for m in re.finditer(r"\((\d+)\)", head)}
    start = lines.index(head) + 2
    rows = lines[start : next(i for i, x in enumerate(lines) if i > start and not x.strip())]
    return [{k: {"v": 1, "*": -1}.get(row[p : p + 1], 0) for k, p in at.items()} for row in rows]


if __name__ == "__main__":
    golden = json.loads(gzip.decompress((HERE / "ben_david_folds.json.gz").read_bytes()))
    weka = find_weka(sys.argv[1] if len(sys.argv) > 1 else None)
    grid = grid_of(golden[STUDY])
    found = {"made by": str(weka)}
    with TemporaryDirectory() as name:
        home = Path(name)
        (home / "r.arff").write_text(to_weka(grid, "arff"), "utf-8")
        for measure, column in (("accuracy", 12), ("kappa", 15)):
            summary = [x for x in run(weka, home, column, "-s") if re.search(r"\| [a-z] = ", x)]
            ranking = [x.split() for x in run(weka, home, column, "-r")]
            several = range(1, len(grid.classifiers) + 1)
            bases = [
                verdicts(run(weka, home, column, "-b", str(b), "-significance")) for b in several
            ]
            found[measure] = {
                "summary": [re.findall(r"\d+ \(\d+\)|-", x.partition("|")[0]) for x in summary],
                "ranking": [x[:4] for x in ranking if len(x) > 3 and re.fullmatch(r"-?\d+", x[0])],
                "verdicts": [[[row.get(k, 0) for k in several] for row in base] for base in bases],
            }
    HERE.joinpath("weka_tester.json").write_text(json.dumps(found) + "\n", "utf-8")

"""Fold matrices of the study of 2007 into ``ben_david_folds.json.gz``: from WEKA itself.

    python make_ben_david_folds.py FOLDER [weka.jar …]

FOLDER holds credit-a.csv and post-operative.csv. Every jar (without one, the WEKA installed) is
run on every data set; the matrices kept are those of its own cross-validation. The stand-ins of
scikit-learn follow.
"""

import gzip
import json
import sys
from functools import partial
from pathlib import Path

from chancemeter.experiments.ben_david.run import (
    CLASSES,
    sklearn_folds_of,
    sklearn_version,
    weka_folds_of,
)
from chancemeter.experiments.ben_david.sources import SOURCES, load
from chancemeter.experiments.weka import find_weka

data = {name: load(name, Path(sys.argv[1])) for name in SOURCES}
runs = {str(weka): partial(weka_folds_of, weka) for weka in map(find_weka, sys.argv[2:] or [None])}
runs[sklearn_version()] = sklearn_folds_of
found = {
    made_by: {
        name: {model: run(model, data[name]).tolist() for model in CLASSES} for name in SOURCES
    }
    for made_by, run in runs.items()
}
text = json.dumps(found, separators=(",", ":"))
target = Path(__file__).with_name("ben_david_folds.json.gz")
target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))

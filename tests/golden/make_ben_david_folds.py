"""Fold matrices of the study of 2007 from WEKA itself, into ``ben_david_folds.json.gz``.

    python make_ben_david_folds.py FOLDER [weka.jar …]

FOLDER holds credit-a.csv and post-operative.csv. Every jar (without one, the WEKA installed) is
run on every data set; the matrices kept are those of its own cross-validation.
"""

import gzip
import json
import sys
from pathlib import Path

from chancemeter.experiments.ben_david.run import CLASSES, weka_folds_of
from chancemeter.experiments.ben_david.sources import SOURCES, load
from chancemeter.experiments.weka import find_weka

found = {}
for jar in sys.argv[2:] or [None]:
    weka = find_weka(jar)
    data = {name: load(name, Path(sys.argv[1])) for name in SOURCES}
    found[str(weka)] = {
        name: {model: weka_folds_of(weka, model, data[name]).tolist() for model in CLASSES}
        for name in SOURCES
    }
text = json.dumps(found, separators=(",", ":"))
target = Path(__file__).with_name("ben_david_folds.json.gz")
target.write_bytes(gzip.compress(text.encode(), 9, mtime=0))

"""Ten million labels in memory: against scikit-learn, and against reading the bytes once."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import sklearn
import sklearn.metrics as sk
from timing import Claim, seconds
from timing import best as best_by

import chancemeter as cm

N = 10_000_000
#: Rows that scikit-learn is given where all of them would take it more than ten seconds.
FEW = 1_000_000
SKLEARN = f"scikit-learn {sklearn.__version__}"

SAID = "Times are those of the processors, of all threads together."
#: Whatever else the machine does counts little then, and a second thread is not for nothing.
best = partial(best_by, clock=time.process_time)

Pair = tuple[Any, Any]


def _labels(k: int) -> tuple[np.ndarray, np.ndarray]:
    """Truth, and predictions of which four in five are right."""
    rng = np.random.default_rng(k)
    t = rng.integers(0, k, N)
    return t, np.where(rng.random(N) < 0.8, t, rng.integers(0, k, N))


def _check(pair: Pair, codes: tuple[np.ndarray, np.ndarray], k: int) -> None:
    """Both count alike, before anything is timed."""
    expected = np.bincount(codes[0] * k + codes[1], minlength=k * k).reshape(k, k)
    np.testing.assert_array_equal(cm.tally(*pair).counts, expected)
    some = tuple(x[:20_000] for x in pair)
    np.testing.assert_array_equal(cm.tally(*some).counts, sk.confusion_matrix(*some))


def _read(arrays: tuple[np.ndarray, np.ndarray]) -> Callable[[], object]:
    """Add up every byte once, as fast as NumPy can: eight bytes at a time, or as truth values."""
    if arrays[0].dtype == bool:
        return lambda: [np.count_nonzero(x) for x in arrays]
    words = [np.ascontiguousarray(x).view(np.int64) for x in arrays]
    return lambda: [x.sum() for x in words]


def _claims(
    what: str, pair: Pair, raw: Pair, faster: float, most: float | None, *, scaled: bool = False
) -> list[Claim]:
    """Against scikit-learn, and (in the same turns) against a sum over the same bytes."""
    ours, reading = best(partial(cm.tally, *pair), _read(raw), times=15)
    some = tuple(x[:FEW] for x in pair) if scaled else pair
    theirs = best(partial(sk.confusion_matrix, *some), times=1 if scaled else 2)[0]
    scale = N / FEW if scaled else 1
    size = sum(x.nbytes for x in raw) / 1e6
    limit = f"reading its {size:,.0f} MB once: {seconds(reading)}, so {ours / reading:.1f}×"
    note = f"; peer timed on {FEW:,} rows, scaled" if scaled else ""
    claims = [Claim(what, ours, SKLEARN, theirs * scale, faster, limit + note)]
    if most is not None:
        peer = f"{most:g} sums over the same bytes"
        claims.append(Claim(what, ours, peer, most * reading, 1, "the limit of the machine"))
    return claims


def claims() -> list[Claim]:
    """The comparisons."""
    found = []
    for k in (2, 10, 100):
        pair = _labels(k)
        _check(pair, pair, k)
        found += _claims(f"int64, k = {k}", pair, pair, 30, 6)
        small = tuple(x.astype(np.int8) for x in pair)
        _check(small, pair, k)
        found += _claims(f"int8, k = {k}", small, small, 15, None)
        if k == 2:
            flags = tuple(x.astype(bool) for x in pair)
            _check(flags, pair, k)
            found += _claims("booleans", flags, flags, 30, 3)
    return found + _with_names()


def _with_names() -> list[Claim]:
    """Ten classes with names, in the containers that hold names."""
    codes = _labels(10)
    names = np.array([f"class_{i}" for i in range(10)], object)
    small = tuple(x.astype(np.int8) for x in codes)
    found = []
    categorical = tuple(pd.Series(pd.Categorical.from_codes(x, names)) for x in codes)
    _check(categorical, codes, 10)
    found += _claims("pandas categorical", categorical, small, 2000, None, scaled=True)
    dictionary = tuple(pa.DictionaryArray.from_arrays(x, pa.array(names)) for x in small)
    _check(dictionary, codes, 10)
    found += _claims("Arrow dictionary", dictionary, small, 2000, None, scaled=True)
    objects = tuple(names[x] for x in codes)
    _check(objects, codes, 10)
    found += _claims("strings, as objects", objects, codes, 50, None, scaled=True)
    text = tuple(pd.Series(x, dtype="str") for x in objects)
    _check(text, codes, 10)
    letters = tuple(np.zeros(N * 7 // 8 * 8, np.int8) for _ in codes)
    found += _claims("pandas str", text, letters, 200, None, scaled=True)
    whole = best(partial(cm.tally, *codes), partial(cm.tally, *categorical), times=7)
    both = best(partial(cm.tally, *codes), partial(cm.tally, *dictionary), times=7)
    for what, (ours_whole, ours) in (("pandas categorical", whole), ("Arrow dictionary", both)):
        note = "as fast as whole numbers: the codes are used as they are"
        found.append(
            Claim(f"{what}, k = 10", ours, "our own time for int64", ours_whole, 0.9, note)
        )
    return found

"""One way to print a number, everywhere."""

from __future__ import annotations

from decimal import ROUND_HALF_UP, Decimal
from typing import Any

import numpy as np

from chancemeter.errors import printable
from chancemeter.tables import Label


def json_number(x: Any) -> Any:
    """A number for JSON, which knows neither nan nor infinity: None and a word."""
    if isinstance(x, float) and not np.isfinite(x):
        return None if np.isnan(x) else ("Infinity" if x > 0 else "-Infinity")
    return x


def number(x: float, digits: int = 3) -> str:
    """One way to print a value, everywhere; nothing is rounded to 0 or 1 that is not.

    >>> number(0.80719), number(123456.7), number(float("nan")), number(0.00001234)
    ('0.807', '123,457', 'undefined', '1.23e-05')
    >>> number(0.8795), number(0.99996), number(1.0), number(1 - 1e-15)
    ('0.880', '0.99996', '1.000', '0.999999999999999')
    """
    if np.isnan(x):
        return "undefined"
    if np.isinf(x):
        return "∞" if x > 0 else "−∞"
    if abs(x) >= 10_000 or (x == int(x) and abs(x) > 1):
        return f"{x:,.0f}" if abs(x) < 1e15 else f"{x:.6g}"
    if 0 < abs(x) < 0.5 * 10**-digits:
        return f"{x:.3g}"
    return _rounded(x, 1, digits)


def percent(x: float) -> str:
    """A share in percent, everywhere the same way.

    >>> percent(0.8695), percent(1.0), percent(0.99996), percent(0.00001)
    ('87.0%', '100.0%', '99.996%', '0.001%')
    """
    return "undefined" if np.isnan(x) else f"{_rounded(x, 100, 1)}%"


def _rounded(x: float, times: int, digits: int) -> str:
    """As people round: halves up, and never up to the whole nor down to nothing."""
    value = Decimal(repr(float(x))) * times
    for more in range(digits, 18):
        found = value.quantize(Decimal(1).scaleb(-more), ROUND_HALF_UP)
        if found == value or found not in {0, times, -times}:
            break
    return f"{found + 0}"


def name_of(label: Label, most: int = 30) -> str:
    """A label as a person may safely read it."""
    return f"“{printable(label, most)}”"

"""Numbers with 50 digits that numpy formulas accept, to see what rounding costs."""

from __future__ import annotations

from fractions import Fraction

import mpmath
import numpy as np

MP = mpmath.mp.clone()
MP.dps = 50


def _mpf(x):
    if isinstance(x, Digits):
        return x.v
    if isinstance(x, Fraction):
        return MP.mpf(x.numerator) / x.denominator
    return MP.mpf(x.item() if isinstance(x, np.generic) else x)


class Digits:
    """An mpmath number with the methods that numpy calls on objects."""

    __slots__ = ("v",)

    def __init__(self, x):
        self.v = _mpf(x)

    def __add__(self, other):
        return Digits(self.v + _mpf(other))

    def __sub__(self, other):
        return Digits(self.v - _mpf(other))

    def __rsub__(self, other):
        return Digits(_mpf(other) - self.v)

    def __mul__(self, other):
        return Digits(self.v * _mpf(other))

    def __truediv__(self, other):
        return Digits(self.v / _mpf(other))

    def __rtruediv__(self, other):
        return Digits(_mpf(other) / self.v)

    def __pow__(self, other):
        return Digits(self.v ** _mpf(other))

    def __rpow__(self, other):
        return Digits(_mpf(other) ** self.v)

    __radd__, __rmul__ = __add__, __mul__

    def __neg__(self):
        return Digits(-self.v)

    def __abs__(self):
        return Digits(abs(self.v))

    def __eq__(self, other):
        return self.v == _mpf(other)

    def __lt__(self, other):
        return self.v < _mpf(other)

    def __le__(self, other):
        return self.v <= _mpf(other)

    def __gt__(self, other):
        return self.v > _mpf(other)

    def __ge__(self, other):
        return self.v >= _mpf(other)

    def __hash__(self):
        return hash(self.v)

    def __float__(self):
        return float(self.v)

    def sqrt(self):
        return Digits(MP.sqrt(self.v))

    def log(self):
        return Digits(MP.log(self.v))

    def log2(self):
        return Digits(MP.log(self.v, 2))

    def log10(self):
        return Digits(MP.log10(self.v))

    def log1p(self):
        return Digits(MP.log1p(self.v))

    def expm1(self):
        return Digits(MP.expm1(self.v))

    def exp(self):
        return Digits(MP.exp(self.v))

    def arcsin(self):
        return Digits(MP.asin(self.v))

    def arctan2(self, other):
        return Digits(MP.atan2(self.v, _mpf(other)))

    def sin(self):
        return Digits(MP.sin(self.v))

    def __repr__(self):
        return str(self.v)


def with_digits(table):
    """The table as an object array of such numbers."""
    return np.array([[Digits(x) for x in row] for row in np.asarray(table).tolist()], dtype=object)

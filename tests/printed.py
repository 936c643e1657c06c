"""Comparing with numbers in print: a number is right if it rounds to what is printed."""

from __future__ import annotations

from fractions import Fraction

#: Room for rounding of doubles where a value lies half-way between two printed numbers.
_ROUNDING = Fraction(1, 10**12)


def rounds_to(value: float | Fraction, text: str) -> bool:
    """Whether `value` is within half a unit of the last digit of `text`."""
    decimals = len(text.partition(".")[2])
    return abs(Fraction(value) - Fraction(text)) <= Fraction(1, 2 * 10**decimals) + _ROUNDING

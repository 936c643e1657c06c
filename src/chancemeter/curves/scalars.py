"""The numbers that sum up a curve, by name."""

from __future__ import annotations

from collections.abc import Callable

from chancemeter.curves import areas
from chancemeter.curves.curve import Curve
from chancemeter.errors import did_you_mean

#: Each is an attribute of a curve: ``curve.auc``.
SCALARS: dict[str, Callable[[Curve], float]] = {
    f.__name__: f
    for f in (
        areas.auc,
        areas.gini,
        areas.auk,
        areas.auk_max,
        areas.auk_share,
        areas.kappa_fp_area,
        areas.ks,
    )
}


def hint(name: str) -> str:
    """What may have been meant."""
    return did_you_mean(name, SCALARS, f"scalars: {', '.join(SCALARS)}")

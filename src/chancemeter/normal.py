"""The normal distribution, of one and of two variables, as far as latent measures need it.

Two standard normal variables with correlation ``cos(angle)`` fall on opposite sides of their
thresholds with a probability that is an integral over the angle, of a function that is nowhere
negative. So it is worked out without subtracting, to about 15 digits however small it is.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from statistics import NormalDist

import numpy as np

from chancemeter.counts import Array, Values, ratio

#: What integrals over the angle are divided by to be shares.
TURN = 2 * np.pi
_INVERSE = np.frompyfunc(NormalDist().inv_cdf, 1, 1)
#: How far below its largest value (as a logarithm) an integrand is left out.
_DEEP = 40.0


def quantile(below: Values, above: Values) -> Values:
    """Where the standard normal has `below` parts to the left and `above` parts to the right.

    >>> quantile(np.array([1.0, 1.0, 0.0]), np.array([1.0, 3.0, 2.0])).round(4)
    array([ 0.    , -0.6745,    -inf])
    """
    share = ratio(below, below + above)
    # From the smaller side: the larger one is too near to 1 to be told apart from it.
    left = below.real <= above.real
    small = np.where(left, share, ratio(above, below + above)).real
    inside = small > 0
    z = np.asarray(_INVERSE(np.where(inside, small, 0.5)), dtype=float)
    z = np.where(left, 1.0, -1.0) * np.where(inside, z, np.where(np.isnan(small), np.nan, -np.inf))
    if share.dtype.kind != "c":
        return z
    return np.where(np.isfinite(z), z + 1j * ratio(share.imag, density(z)), z)


def density(z: Values) -> Values:
    """Height of the standard normal at `z`."""
    return np.asarray(np.exp(-z * z / 2) / np.sqrt(TURN))


def log_height(h: Values, k: Values, angle: Values) -> Values:
    """Logarithm of how fast `crossing`, times `TURN`, grows with the angle."""
    apart, sine = h - k, np.sin(angle)
    return np.asarray(-apart * apart / (2 * sine * sine) - h * k / (1 + np.cos(angle)))


def growth(h: Values, k: Values, angle: Values) -> Values:
    """How fast `log_height` grows with the angle."""
    apart, sine, cosine = h - k, np.sin(angle), np.cos(angle)
    return np.asarray(apart * apart * cosine / sine**3 - h * k * sine / np.square(1 + cosine))


def mills(h: Values, k: Values, angle: Values) -> Values:
    """`crossing`, times `TURN`, over the exponential of `log_height`; both may be minute."""
    top = log_height(h, k, angle)[..., None]

    def rest(t: Values) -> Values:
        return np.asarray(np.exp(log_height(h[..., None], k[..., None], t) - top))

    sine = np.sin(np.minimum(angle, np.pi / 2))
    apart = np.abs((h - k).real)
    # Where the integrand has fallen by `_DEEP`; or so near to 0 that nothing is left.
    low = np.arcsin(sine * apart / np.sqrt(apart * apart + 2 * _DEEP * sine * sine))
    low = np.maximum(low, angle * 1e-17)
    middle = np.maximum(low, angle / 8)
    near = _integral(lambda t: np.exp(t) * rest(np.exp(t)), np.log(low), np.log(middle))
    return near + _integral(rest, middle, angle)


def crossing(h: Values, k: Values, angle: Values) -> Values:
    """Share with one variable below the lower and the other above the higher of `h` and `k`.

    The correlation is ``cos(angle)``, the angle from 0 up to a little over a right one.

    >>> float(crossing(np.array(0.0), np.array(0.0), np.array(np.pi / 2)).round(12))
    0.25
    """
    return np.asarray(np.exp(log_height(h, k, angle)) * mills(h, k, angle) / TURN)


def surplus(h: Values, k: Values, angle: Values) -> Values:
    """Share with both below their thresholds, less what it would be without correlation.

    >>> float(surplus(np.array(0.0), np.array(0.0), np.array(np.pi / 3)).round(6))
    0.083333
    """
    h, k = h[..., None], k[..., None]
    return _integral(lambda t: np.exp(log_height(h, k, t)), angle, np.pi / 2) / TURN


def _integral(f: Callable[[Array], Array], low: Values, high: Values | float) -> Values:
    nodes, weights = _rule()
    half = (high - low) / 2
    return np.asarray(half * (f((low + half)[..., None] + half[..., None] * nodes) @ weights))


@cache
def _rule(points: int = 40) -> tuple[Array, Array]:
    return np.polynomial.legendre.leggauss(points)


def rising_root(
    f: Callable[[Values, Values], tuple[Values, Values]], start: Values, low: float, high: float
) -> Values:
    """Where `f` crosses zero from below, for many at once: Newton's steps, kept in bounds.

    ``f(x, which)`` gives value and slope at `x` for the entries numbered `which`.

    >>> rising_root(lambda x, _: (x * x - 2, 2 * x), np.array([1.0]), 0.0, 9.0).round(6)
    array([1.414214])
    """
    x = np.clip(start, low, high)
    floor, ceiling = np.full(x.shape, low), np.full(x.shape, high)
    which = np.arange(x.size)
    for _ in range(200):
        if not which.size:
            break
        value, slope = f(x[which], which)
        ceiling[which] = np.where(value >= 0, x[which], ceiling[which])
        floor[which] = np.where(value <= 0, x[which], floor[which])
        with np.errstate(invalid="ignore"):
            new = x[which] - ratio(value, slope)
        outside = ~((new >= floor[which]) & (new <= ceiling[which]))
        new = np.where(outside, (floor[which] + ceiling[which]) / 2, new)
        moved = np.abs(new - x[which])
        x[which] = new
        which = which[moved > 1e-12 * np.maximum(1, np.abs(new))]
    return x

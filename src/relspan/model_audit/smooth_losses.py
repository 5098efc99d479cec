"""Smooth losses of fitted models, as sums over samples of a convex function of one number.

    loss(w, b) = sum_i  c_i phi(a_i),      a_i = h_i - f_i.w - o_i b

| loss | rows | phi(a) |
| --- | --- | --- |
| logistic | a = -y s | log(1 + exp(a)) |
| squared hinge | a = 1 - y s | max(0, a)^2 |
| modified Huber | a = 1 - y s | max(0, a)^2 up to a = 2, then 4 (a - 1) |
| squared error | a = t - s | a^2 |
| Huber, width e | a = t - s | a^2 up to \\|a\\| = e, then 2 e \\|a\\| - e^2 |
| squared epsilon-insensitive | a = t - s - e and a = s - t - e | max(0, a)^2 |

with s = x.w + b the score of a sample, y in {-1, +1} its class and t its target. These are the losses that
scikit-learn minimises, up to a constant factor, which no answer depends on. (Losses made of straight pieces, such as
the hinge, are hinge rows and have linear programs: `relspan.losses`.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import expit

from relspan.arrays import Floats

NEVER = np.inf  # the width of a Huber loss that stays quadratic


@dataclass(frozen=True)
class Curve:
    """A convex function phi with its first and second derivative, each on whole arrays."""

    value: Callable[[Floats], Floats]
    slope: Callable[[Floats], Floats]
    curvature: Callable[[Floats], Floats]


def softplus() -> Curve:
    """log(1 + exp(a))."""

    def curvature(a: Floats) -> Floats:
        p = expit(a)
        return np.asarray(p * (1.0 - p))

    return Curve(lambda a: np.asarray(np.logaddexp(0.0, a)), lambda a: np.asarray(expit(a)), curvature)


def one_sided_square(width: float = NEVER) -> Curve:
    """max(0, a)^2, and from a = width on its tangent there."""

    def value(a: Floats) -> Floats:
        inside = np.clip(a, 0.0, width)
        return np.asarray(inside**2 + (0.0 if width == NEVER else 2.0 * width * np.maximum(a - width, 0.0)))

    return Curve(
        value,
        lambda a: np.asarray(2.0 * np.clip(a, 0.0, width)),
        lambda a: np.asarray(2.0 * ((a > 0) & (a < width))),
    )


def two_sided_square(width: float = NEVER) -> Curve:
    """a^2, and from |a| = width on its tangent there."""
    half = one_sided_square(width)
    return Curve(
        lambda a: half.value(np.abs(a)),
        lambda a: np.asarray(np.sign(a) * half.slope(np.abs(a))),
        lambda a: np.asarray(2.0 * (np.abs(a) < width)),
    )


@dataclass(frozen=True, eq=False)
class SmoothLoss:
    """A smooth loss on some samples: f_i and o_i in one row each of `features` (N, d) and `offsets` (N, k), k <= 1."""

    curve: Curve
    features: Floats
    offsets: Floats
    heights: Floats
    costs: Floats

    @property
    def coefficients(self) -> Floats:
        """(N, d + k): the coefficients of weights and offset together."""
        return np.hstack([self.features, self.offsets])

    def value(self, models: Floats) -> Floats:
        """The loss of every model, a row of (w, b)."""
        return np.asarray(self.curve.value(self.heights - models @ self.coefficients.T) @ self.costs)


def class_rows(curve: Curve, X: Floats, y: Floats, costs: Floats, height: float, intercept: bool) -> SmoothLoss:
    """The loss phi(height - y s) of two classes."""
    return SmoothLoss(curve, y[:, None] * X, _offsets(y, intercept), np.full(len(y), height), costs)


def residual_rows_of(curve: Curve, X: Floats, t: Floats, costs: Floats, epsilon: float, intercept: bool) -> SmoothLoss:
    """The loss phi(t - s), or with a width epsilon of no loss  phi(t - s - epsilon) + phi(s - t - epsilon)."""
    ones = np.ones(len(t))
    if not epsilon:
        return SmoothLoss(curve, X, _offsets(ones, intercept), t, costs)
    return SmoothLoss(
        curve,
        np.vstack([X, -X]),
        _offsets(np.concatenate([ones, -ones]), intercept),
        np.concatenate([t - epsilon, -t - epsilon]),
        np.concatenate([costs, costs]),
    )


def _offsets(signs: Floats, intercept: bool) -> Floats:
    return signs[:, None].astype(np.float64) if intercept else np.zeros((len(signs), 0))

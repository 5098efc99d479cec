"""The family of models as good as a fitted one, where its loss is smooth: plain formulas and certificates.

    F = { z = (w, b) :  p_k P(w) + q_k loss(z) <= B_k   for every budget k,
                        |z - z*| <= box }                  P(w) = sum_j  l_j |w_j| + r_j w_j^2 / 2

P is the penalty of the fitted model: L1 (r = 0), L2 (l = 0), elastic net, or none (l = r = 0). The box around the
fitted model z* is a technical limit, so wide that only a model without any other limit reaches it.

**Certificate.** For a direction v, prices t_k >= 0 of the budgets and any point z^ the tangent of the loss at z^ gives

    max_F v.z  <=  sum_k t_k B_k  -  q (loss(z^) - grad.z^)  +  max_{z in box} [ (v - q grad).z - p P(w) ]

with p = sum_k t_k p_k, q = sum_k t_k q_k and grad the gradient of the loss at z^. The last maximum is one of single
coordinates, each with a closed form. Nothing here trusts a solver: any z^ and t give a bound, good ones a tight one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relspan.arrays import Floats
from relspan.family import Budget
from relspan.model_audit.smooth_losses import SmoothLoss
from relspan.tolerances import SUM_ROUNDING


@dataclass(frozen=True, eq=False)
class SmoothFamily:
    """All models within the budgets; `centre` is the fitted model z*, `l1` and `l2` the prices of P by weight."""

    loss: SmoothLoss
    budgets: tuple[Budget, ...]
    l1: Floats
    l2: Floats
    centre: Floats
    box: float

    @property
    def n_features(self) -> int:
        return len(self.l1)

    @cached_property
    def coefficients(self) -> Floats:
        """(N, d + k): how the arguments of the loss fall with the model."""
        return self.loss.coefficients

    def penalty(self, models: Floats) -> Floats:
        """P of every model."""
        w = models[:, : self.n_features]
        return np.asarray(np.abs(w) @ self.l1 + 0.5 * w**2 @ self.l2)

    def rooms(self, models: Floats) -> Floats:
        """(models, budgets): how much every budget leaves; negative outside."""
        P, loss = self.penalty(models), self.loss.value(models)
        return np.column_stack([b.limit - b.norm_price * P - b.loss_price * loss for b in self.budgets])

    def contains(self, models: Floats) -> np.ndarray:
        """Which models lie in the family."""
        return np.asarray(
            (self.rooms(models) >= 0).all(axis=1) & (np.abs(models - self.centre) <= self.box).all(axis=1)
        )

    def bounds(self, directions: Floats, points: Floats, prices: Floats) -> Floats:
        """The right hand side of the certificate: one bound for every direction, point z^ and row of prices t."""
        d, A = self.n_features, self.coefficients
        a = self.loss.heights - points @ A.T
        values, slopes = self.loss.curve.value(a) * self.loss.costs, self.loss.curve.slope(a) * self.loss.costs
        gradients = -slopes @ A
        p = prices @ np.array([b.norm_price for b in self.budgets])
        q = prices @ np.array([b.loss_price for b in self.budgets])
        # loss(z^) - grad.z^ = sum_i c_i (phi(a_i) + phi'(a_i) (h_i - a_i)), without a difference of large numbers
        at_zero = (values + slopes * (self.loss.heights - a)).sum(axis=1)
        rest = directions - q[:, None] * gradients
        low, high = self.centre - self.box, self.centre + self.box
        l1, l2 = p[:, None] * self.l1, p[:, None] * self.l2
        best = np.where(rest > 0, high, low)
        soft = np.sign(rest[:, :d]) * np.maximum(np.abs(rest[:, :d]) - l1, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            free = np.where(soft == 0, 0.0, soft / l2)  # infinite where nothing but the box holds the weight
        best[:, :d] = np.clip(free, low[:d], high[:d])
        each = rest * best
        each[:, :d] -= l1 * np.abs(best[:, :d]) + 0.5 * l2 * best[:, :d] ** 2
        limits = np.array([b.limit for b in self.budgets])
        size = np.abs(prices) @ np.abs(limits) + q * (np.abs(values) + np.abs(slopes * (self.loss.heights - a))).sum(1)
        rounding = SUM_ROUNDING * np.sqrt(1 + len(A)) * (size + np.abs(rest * best).sum(axis=1))
        return np.asarray(prices @ limits - q * at_zero + each.sum(axis=1) + rounding)

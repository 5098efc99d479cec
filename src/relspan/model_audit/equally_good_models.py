"""The family of all models as good as a fitted one, by its own loss and penalty, and ranges over it.

    F = { (w, b) :  penalty(w) <= penalty((1 + delta_norm) w*),   loss(w, b) <= rho + delta_loss (rho_0 - rho) }

rho = loss(w*, b*) is the loss of the fitted model on the rows given and rho_0 that of the best model without columns.
The fitted model lies in F whatever it was fitted to, and however well. With a combined budget it is

    F = { (w, b) :  penalty(w) + price loss(w, b)  <=  penalty(w*) + price (rho + delta_loss (rho_0 - rho)) }

A smooth loss keeps the model's own penalty (`barrier_engine`). A loss of straight pieces is asked of relspan's linear
programs, which know the L1 norm only: an L2 penalty is replaced by the L1 norm of coefficients times the spread of
their columns, and so is the missing penalty of a model without one where a limit is asked for.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.optimize import minimize_scalar

from relspan.analysis.baseline import null_loss
from relspan.arrays import Bools, Floats
from relspan.engines import open_engine
from relspan.errors import DataError, ParameterError
from relspan.family import Budget, HingeRows, build_family, combined, norm_and_loss
from relspan.losses import EpsilonInsensitive, Hinge, Pinball
from relspan.model_audit.audited_model import CLASSES, AuditedModel, Objective
from relspan.model_audit.audited_table import AuditedTable
from relspan.model_audit.barrier_engine import BarrierEngine
from relspan.model_audit.smooth_family import SmoothFamily
from relspan.model_audit.smooth_losses import (
    SmoothLoss,
    class_rows,
    one_sided_square,
    residual_rows_of,
    softplus,
    two_sided_square,
)

STRAIGHT = ("hinge", "epsilon-insensitive", "pinball")
BOX = 100.0  # times the largest scaled coefficient, at least 1: how far the technical limit lies from the model
NEAR_LIMIT = 0.5  # of the technical limit: an end that lies beyond has no limit of its own
MODIFIED_HUBER_WIDTH = 2.0


@dataclass(frozen=True, eq=False)
class ProvenEnds:
    """The largest values of some directions: attained, proven, and whether nothing but a technical limit ends them."""

    values: Floats
    bounds: Floats
    models: Floats
    unlimited: Bools


@dataclass(frozen=True, eq=False)
class EquallyGoodModels:
    """The family of one audited model, in scaled units; see the module's text."""

    model: AuditedModel
    table: AuditedTable
    delta_norm: float
    delta_loss: float
    budget: str

    @property
    def objective(self) -> Objective:
        return self.model.objective

    @property
    def is_smooth(self) -> bool:
        return self.objective.loss not in STRAIGHT

    @property
    def own_penalty(self) -> bool:
        """Whether sizes are counted by the model's own penalty; else by the L1 norm of standardised columns."""
        return self.objective.penalised and (self.is_smooth or self.objective.l2 == 0)

    @cached_property
    def fitted(self) -> Floats:
        """The audited model as a row of (w, b)."""
        t, m = self.table, self.model
        scaled = (m.coefficients * t.scale)[t.varies]
        return np.append(scaled, m.intercept + t.mean @ m.coefficients) if m.has_intercept else scaled

    @cached_property
    def loss(self) -> SmoothLoss | HingeRows:
        """The loss of the audited model on its rows."""
        return loss_of(self.model, self.table.Z, self.table.y, self.table.costs)

    @cached_property
    def prices(self) -> tuple[Floats, Floats]:
        """The prices of |w_j| and of w_j^2 / 2 in the penalty, of scaled weights."""
        scale, own = self.table.scale[self.table.varies], self.objective
        if self.own_penalty:
            return own.l1 / scale, own.l2 / scale**2
        return np.full_like(scale, float(np.isfinite(self.delta_norm) or not self.is_smooth)), np.zeros_like(scale)

    def penalty(self, model: Floats) -> float:
        l1, l2 = self.prices
        w = model[: len(l1)]
        return float(np.abs(w) @ l1 + 0.5 * w**2 @ l2)

    def loss_at(self, model: Floats) -> float:
        if isinstance(self.loss, SmoothLoss):
            return float(self.loss.value(model[None])[0])
        d = self.loss.n_features
        return self.loss.loss(model[:d], model[d:])

    @cached_property
    def null_loss(self) -> float:
        """rho_0: the least loss of a model without columns."""
        if isinstance(self.loss, HingeRows):
            return null_loss(self.loss)
        zero = np.zeros_like(self.fitted)
        if not self.model.has_intercept:
            return self.loss_at(zero)

        def at(b: float) -> float:
            zero[-1] = b
            return self.loss_at(zero)

        return float(minimize_scalar(at, bracket=(-1.0, 1.0) if self.model.target == CLASSES else None).fun)

    @cached_property
    def fitted_loss(self) -> float:
        """rho, which must be less than rho_0."""
        rho = self.loss_at(self.fitted)
        if not rho < self.null_loss:
            raise DataError(
                f"on these rows {self.model.name} has a {self.objective.loss} loss of {rho:.6g}, and a model without "
                f"columns {self.null_loss:.6g}: it explains nothing, so models as good as it mean nothing; audit it on "
                "the rows it was fitted to, and check that its fit converged"
            )
        return rho

    @cached_property
    def loss_limit(self) -> float:
        """R."""
        return self.fitted_loss + self.delta_loss * (self.null_loss - self.fitted_loss)

    @cached_property
    def price(self) -> float:
        """What a unit of the summed loss costs in the model's own objective, where a unit of penalty costs 1."""
        own = self.objective
        return own.price / float(self.table.costs.sum()) if own.of_mean else own.price

    @cached_property
    def budgets(self) -> tuple[Budget, ...]:
        R, P = self.loss_limit, self.penalty(self.fitted)
        if self.budget == "combined":
            return combined(self.price, P + self.price * R)
        if np.isinf(self.delta_norm):
            return (Budget(0.0, 1.0, R),)
        return norm_and_loss(self.penalty((1.0 + self.delta_norm) * self.fitted), R)

    @cached_property
    def _box(self) -> float:
        return BOX * max(1.0, float(np.abs(self.fitted).max()))

    @cached_property
    def _barrier(self) -> BarrierEngine:
        assert isinstance(self.loss, SmoothLoss)
        return BarrierEngine(SmoothFamily(self.loss, self.budgets, *self.prices, self.fitted, self._box))

    def maxima(self, directions: Floats, enough: Callable[[Floats, Floats], Bools] | None = None) -> ProvenEnds:
        """The largest value of each direction (a row over scaled weights and offset)."""
        if self.is_smooth:
            found = self._barrier.maxima(directions, enough=enough)
            far = np.abs(found.models - self.fitted).max(axis=1) > NEAR_LIMIT * self._box
            return ProvenEnds(found.values, found.bounds, found.models, far)
        assert isinstance(self.loss, HingeRows)
        budgets, technical = self.budgets, np.isinf(self.delta_norm) and self.budget != "combined"
        norm = self.penalty(self.fitted)
        if technical:
            budgets = (*budgets, Budget(1.0, 0.0, BOX * norm))
        family = build_family(self.loss, budgets, None, self.fitted[None])
        ends = open_engine("auto", family).maxima(directions)
        models = ends.models_of(slice(None))
        size = np.abs(models[:, : family.n_features]).sum(axis=1)
        far = (size > NEAR_LIMIT * BOX * norm) if technical else np.zeros(len(size), dtype=bool)
        return ProvenEnds(ends.values, ends.bounds, models, far)


def loss_of(model: AuditedModel, Z: Floats, y: Floats, costs: Floats) -> SmoothLoss | HingeRows:
    """The loss that a model minimises, on some rows."""
    own, b = model.objective, model.has_intercept
    match own.loss:
        case "logistic":
            return class_rows(softplus(), Z, y, costs, 0.0, b)
        case "squared hinge":
            return class_rows(one_sided_square(), Z, y, costs, 1.0, b)
        case "modified Huber":
            return class_rows(one_sided_square(MODIFIED_HUBER_WIDTH), Z, y, costs, 1.0, b)
        case "squared error":
            return residual_rows_of(two_sided_square(), Z, y, costs, 0.0, b)
        case "Huber":
            return residual_rows_of(two_sided_square(own.epsilon), Z, y, costs, 0.0, b)
        case "squared epsilon-insensitive":
            square = one_sided_square() if own.epsilon else two_sided_square()
            return residual_rows_of(square, Z, y, costs, own.epsilon, b)
        case "hinge":
            return _without_offsets(Hinge().rows(Z, y, costs), b)
        case "epsilon-insensitive":
            return _without_offsets(EpsilonInsensitive(own.epsilon).rows(Z, y, costs), b)
        case "pinball":
            return _without_offsets(Pinball(own.share).rows(Z, y, costs), b)
    raise ParameterError(f"no loss {own.loss!r} is known to an audit")


def _without_offsets(rows: HingeRows, has_intercept: bool) -> HingeRows:
    if has_intercept:
        return rows
    return HingeRows(rows.features, np.zeros((rows.n_scores, 0)), rows.heights, rows.costs, rows.score_of)

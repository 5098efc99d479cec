"""The loss as its linear piece at a model, plus kinks: what programs with switches know of it.

A row that costs something at the model is active. With t = h - f.w - o.b it contributes c t to the linear piece and the
kink c max(0, -t); an inactive row contributes the kink c max(0, t) only (see `range_program`). Kinks left out make the
loss smaller, so that a program without them has more models than the family, and its bounds hold.
"""

from __future__ import annotations

import numpy as np

from relspan.arrays import Floats, Ints, dense
from relspan.family import Budget, Family
from relspan.tolerances import SOLVER_TOLERANCE


class LossPiece:
    """The loss  constant + weights.w + offsets.b + kink_costs.x  with a variable x >= 0 for every kink.

    The rows that give x its meaning are  x + kink_weights w + kink_offsets b >= kink_heights.
    """

    def __init__(self, family: Family, reference: Floats, kinks: Ints) -> None:
        rows, d = family.rows, family.n_features
        self.family, self.kinks = family, kinks
        self.active = rows.slack(reference[:d], reference[d:]) > 0
        charged = np.where(self.active, rows.costs, 0.0)
        self.constant = float(charged @ rows.heights)
        self.weights, self.offsets = -rows.pressures(charged), -rows.offset_pressures(charged)
        self.kink_costs = rows.costs[kinks]
        # an active row:  x + t >= 0,  an inactive one:  x - t >= 0
        sign, scores = np.where(self.active[kinks], -1.0, 1.0), rows.scores_by_row[kinks]
        self.kink_weights = sign[:, None] * dense(rows.features)[scores]
        self.kink_offsets = sign[:, None] * rows.offsets[scores]
        self.kink_heights = sign * rows.heights[kinks]

    @property
    def budgets(self) -> tuple[Budget, ...]:
        """The family's; where all of them count the loss too, the limit of the norm that they imply comes with them."""
        family = self.family
        implied = () if any(b.loss_price == 0 for b in family.budgets) else (Budget(1.0, 0.0, family.largest_norm),)
        return family.budgets + implied

    def kink_values(self, model: Floats) -> Floats:
        """How far each row of the loss is beyond its kink at a model (w, b); below 0 it is not."""
        d = self.family.n_features
        slack = self.family.rows.slack(model[:d], model[d:])
        return np.where(self.active, -slack, slack)

    def missing(self, model: Floats) -> Ints:
        """Rows without a kink that are not on the side of it that the linear piece assumes."""
        beyond = self.kink_values(model)
        beyond[self.kinks] = 0.0
        return np.flatnonzero((beyond > SOLVER_TOLERANCE) & (self.family.rows.costs > 0))

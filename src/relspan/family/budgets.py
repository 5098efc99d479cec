"""How much worse than the baseline a model may be and still count as equally good.

    M = (1 + delta_norm) mu
    explained   R = rho + delta_loss (rho_0 - rho)      a share of what the baseline explains of the null model's loss
    relative    R = (1 + delta_loss) rho                the FRI paper
    combined    ||w||_1 + C loss <= (1 + delta_norm) (mu + C rho)        Göpfert et al. 2017

The explained budget leaves room where the baseline's loss is 0 and does not grow with label noise; by convexity the
baseline shrunk by delta_loss towards the null model is always in its family.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import numpy as np

from relspan.arrays import Floats
from relspan.family.constraints import Constraints
from relspan.family.hinge_rows import HingeRows
from relspan.family.model_family import Budget, Family, build_family, combined, norm_and_loss

BUDGET_KINDS = ("explained", "relative", "combined")


class BestModel(Protocol):
    """What the budgets are measured from: the best model at a price C of loss, its norm and loss, and the null loss."""

    @property
    def C(self) -> float: ...

    @property
    def norm(self) -> float: ...

    @property
    def loss(self) -> float: ...

    @property
    def null_loss(self) -> float: ...

    @property
    def model(self) -> Floats: ...


def family_of(
    rows: HingeRows,
    baseline: BestModel,
    delta_norm: float,
    delta_loss: float,
    kind: str,
    constraints: Constraints | None = None,
) -> Family:
    """All models as good as the baseline."""
    mu, rho = baseline.norm, baseline.loss
    budgets: tuple[Budget, ...]
    if kind == "combined":
        budgets = combined(baseline.C, (1 + delta_norm) * (mu + baseline.C * rho))
    elif kind == "relative":
        budgets = norm_and_loss((1 + delta_norm) * mu, (1 + delta_loss) * rho)
    else:
        budgets = norm_and_loss((1 + delta_norm) * mu, rho + delta_loss * max(0.0, baseline.null_loss - rho))
    # the baseline, and the baseline stretched into the room that the norm budget leaves
    anchors = np.array([baseline.model, (1 + delta_norm / 2) * baseline.model])
    family = build_family(rows, budgets, constraints, anchors)
    inside = family.violations(anchors) <= 0
    inside[0] = True  # the budgets are measured from the baseline: it exceeds them by rounding at most
    return replace(family, anchors=anchors[inside])

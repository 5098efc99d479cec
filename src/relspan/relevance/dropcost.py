"""What it costs to leave a feature out, as a share of what the baseline explains.

    drop cost_j  =  ( min { loss : w_j = 0, ||w||_1 <= M }  -  rho )  /  (rho_0 - rho)

A feature is strong exactly when its drop cost exceeds delta_loss, so a drop cost near delta_loss means that the class
hangs on that choice. For a feature whose least weight is lo > 0 the certificate of lo gives a lower bound for
nothing: lo falls with the loss budget R along a convex curve of slope -beta (beta the price of loss), hence it reaches
0 no earlier than at R + lo / beta. Only features that this does not settle need a program.
"""

from __future__ import annotations

import numpy as np

from relspan.baseline import Baseline
from relspan.engines.exact import least_losses
from relspan.family import Family
from relspan.losses import Blocks, Floats, one_column_each
from relspan.relevance.bounds import Ranges

CROWD = 2.0  # within this factor of the budget a class is called close


def close_calls(
    family: Family, baseline: Baseline, ranges: Ranges, relevant: np.ndarray, blocks: Blocks | None = None
) -> dict[int, float]:
    """The relevant features whose drop cost lies within a factor of two of the loss budget, with that cost."""
    room = family.largest_loss - baseline.loss
    shared = any(b.norm_price > 0 and b.loss_price > 0 for b in family.budgets)
    if shared or not np.isfinite(room) or room <= 0:  # a combined budget leaves no room to the loss alone
        return {}
    blocks = one_column_each(family.n_features) if blocks is None else blocks
    # leaving a feature out leaves out all its weights, so the best of their floors holds
    floor = np.zeros(blocks.n_features)
    np.maximum.at(floor, blocks.owner, drop_loss_floors(family, ranges))
    unsettled = [int(j) for j in np.flatnonzero(relevant) if floor[j] < baseline.loss + CROWD * room]
    costs = (least_losses(family, baseline.null_loss, [blocks.columns(j) for j in unsettled]) - baseline.loss) / room
    explained = room / (baseline.null_loss - baseline.loss)
    return {j: float(cost * explained) for j, cost in zip(unsettled, costs, strict=True) if 1 / CROWD <= cost <= CROWD}


def drop_loss_floors(family: Family, ranges: Ranges) -> Floats:
    """A certified lower bound of the loss without each weight: R + lo / beta where w_j cannot be 0, else 0."""
    costs = family.rows.costs
    paid = costs > 0
    beta = (ranges.extremes.hinge_multipliers[:, paid] / costs[paid]).max(axis=1).reshape(-1, 2)
    R = family.largest_loss
    with np.errstate(divide="ignore", invalid="ignore"):
        positive = np.where(ranges.lo > 0, R + ranges.lo / beta[:, 1], 0.0)
        negative = np.where(ranges.hi < 0, R - ranges.hi / beta[:, 0], 0.0)
    return np.maximum(positive, negative)

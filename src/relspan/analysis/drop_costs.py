"""What it costs to leave a feature out, as a share of what the baseline explains.

    drop cost_j  =  ( min { loss : w_j = 0, ||w||_1 <= M }  -  rho )  /  (rho_0 - rho)

Every equally good model uses a feature exactly when its drop cost exceeds delta_loss, so a drop cost near delta_loss
means that the class depends on that choice. Most features need no program. Where the least weight is lo > 0 its
certificate gives a lower bound: lo falls with the loss budget R along a convex curve of slope -beta (beta is the price
of loss), hence it reaches 0 no earlier than at R + lo / beta. Where the weight may have either sign, a mixture of the
model of least loss with the model at the other sign's end, in which the weight is 0, gives an upper bound. The others
need one program each.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.analysis.intervals import WeightRanges
from relspan.analysis.threads import side_by_side
from relspan.arrays import Floats
from relspan.engines.simplex.exact_engine import LeastLossModel
from relspan.family import Family, WeightBlocks, one_weight_per_feature
from relspan.tolerances import CLOSE_FACTOR


def borderline_features(
    family: Family,
    baseline: Baseline,
    ranges: WeightRanges,
    relevant: np.ndarray,
    blocks: WeightBlocks | None = None,
    factor: float = CLOSE_FACTOR,
    n_jobs: int | None = None,
) -> dict[int, float]:
    """The relevant features whose drop cost lies near the loss budget, within `factor`, with that cost."""
    room = family.largest_loss - baseline.loss
    shared = any(b.norm_price > 0 and b.loss_price > 0 for b in family.budgets)
    if shared or not np.isfinite(room) or room <= 0:  # a combined budget has no limit for the loss alone
        return {}
    blocks = one_weight_per_feature(family.n_features) if blocks is None else blocks
    # leaving out a feature leaves out all its weights, so the largest of their floors holds
    floor = np.zeros(blocks.n_features)
    np.maximum.at(floor, blocks.owner, drop_loss_floors(family, ranges))
    unsettled = [int(j) for j in np.flatnonzero(relevant) if floor[j] < baseline.loss + factor * room]
    if not unsettled:
        return {}
    least = LeastLossModel(family, baseline.null_loss)

    def may_be_close(j: int) -> bool:
        weights = blocks.columns(j)
        return len(weights) > 1 or mixed_loss(least, ranges, int(weights[0])) >= baseline.loss + room / factor

    def losses_without(features: list[int], least: LeastLossModel | None = None) -> list[float]:
        least = LeastLossModel(family, baseline.null_loss) if features and least is None else least
        return [] if least is None else [least.without(blocks.columns(j)) for j in features]

    asked = [j for j in unsettled if may_be_close(j)]
    half = -(-len(asked) // 2)  # two programs, each with a part of its own, whoever solves them
    parts = [partial(losses_without, asked[:half], least), partial(losses_without, asked[half:])]
    losses = [loss for part in side_by_side(parts, n_jobs) for loss in part]
    costs = {j: (loss - baseline.loss) / room for j, loss in zip(asked, losses, strict=True)}
    explained = baseline.null_loss - baseline.loss
    return {j: float(cost * room / explained) for j, cost in costs.items() if 1 / factor <= cost <= factor}


def mixed_loss(least: LeastLossModel, ranges: WeightRanges, weight: int) -> float:
    """The loss of a model without the weight, mixed of the best one and that at the other sign's end; inf: none."""
    here, d = least.model[weight], least.family.n_features
    other = ranges.extremes.models_of([2 * weight + int(here > 0)])[0]
    if here * other[weight] > 0:
        return float(np.inf)
    mixed = least.model + (here / (here - other[weight]) if here else 0.0) * (other - least.model)
    return least.family.rows.loss(mixed[:d], mixed[d:])


def drop_loss_floors(family: Family, ranges: WeightRanges) -> Floats:
    """A certified lower bound of the loss without each weight: R + lo / beta where w_j cannot be 0, else 0."""
    costs = family.rows.costs
    paid = costs > 0
    beta = (ranges.extremes.hinge_multipliers[:, paid] / costs[paid]).max(axis=1).reshape(-1, 2)
    R = family.largest_loss
    with np.errstate(divide="ignore", invalid="ignore"):
        positive = np.where(ranges.lo > 0, R + ranges.lo / beta[:, 1], 0.0)
        negative = np.where(ranges.hi < 0, R - ranges.hi / beta[:, 0], 0.0)
    return np.maximum(positive, negative)

"""Ends under a pin that need no program, because the pin is near an end of its own feature.

Let (a, g) be the multipliers that prove  w_j <= H  over the family F. A pin that keeps w_j at or above L adds the
constraint  w_j >= L,  whose multiplier is t. Then (t a, t g, t) proves for every other weight, with the pressures
G = e_j + a F + g A, of which none exceeds the price of norm lambda (see `multiplier_bounds`, which finds the best t),

    |w_k|  <=  about (H - L) / (lambda - |G_k|).

A weight that the model at the end of w_j does not use has a smaller pressure than lambda, so it stays near 0: where
the bound and the value of a known model are closer than the usual gap, the end is certified without a program. For a
weight that the model uses, multipliers of its own join (`vertex_multipliers`).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from relspan.arrays import Floats
from relspan.engines.certificates import CertifiedMaxima, clip_to_rows, clip_to_sides, dual_bounds
from relspan.engines.multiplier_bounds import MultiplierBounds
from relspan.explore.vertex_multipliers import vertex_multipliers
from relspan.family import Bounds, Family, unit_directions
from relspan.tolerances import CERTIFIED_GAP

SHARE_OF_GAP = 0.5  # of the usual gap that an end without a program may have


def settled_ends(
    boxed: Family, bounds: Bounds, known: CertifiedMaxima, own_rows: int, ends: np.ndarray
) -> tuple[np.ndarray, Mapping[str, Floats]]:
    """Which of some ends (2 k for +w_k, 2 k + 1 for -w_k) are certified without a program, and their certificates.

    `boxed` is the family within bounds, whose anchors are known models; `known` are the extremes of the family without
    bounds, and `own_rows` the number of its constraints.
    """
    proofs, tight = MultiplierBounds(boxed), CERTIFIED_GAP * boxed.largest_norm
    for place, (j, (low, high)) in enumerate(bounds.items()):
        for row, sign, end in ((2 * j, 1.0, low), (2 * j + 1, -1.0, -high)):
            if known.bounds[row] - end <= tight:  # the pin is at this end
                sides = np.zeros(boxed.constraints.n_rows)
                sides[:own_rows] = known.constraint_multipliers[row]
                sides[own_rows + place] = sign
                a = known.hinge_multipliers[row]
                proofs.add(a[None], sides[None])
                used, hinge, of_sides = vertex_multipliers(boxed, known.models_of(row), a, sides)
                own = clip_to_rows(boxed, hinge), clip_to_sides(boxed, of_sides)
                directions = unit_directions(used, boxed)
                proofs.improve(
                    2 * np.repeat(used, 2) + np.tile([0, 1], len(used)), dual_bounds(boxed, directions, *own), *own
                )
    weights = boxed.anchors[:, : boxed.n_features]
    values = np.where(ends % 2 == 0, 1.0, -1.0) * weights[:, ends // 2]
    best = values.argmax(axis=0)
    attained = values[best, np.arange(len(ends))]
    good = proofs.bounds[ends] - attained <= SHARE_OF_GAP * CERTIFIED_GAP * boxed.largest_norm
    hinge, sides = proofs.proofs(ends[good])
    models = boxed.anchors[best[good]]
    return good, {
        "values": attained[good],
        "bounds": proofs.bounds[ends[good]],
        "violations": boxed.violations(models),
        "models": models,
        "hinge_multipliers": hinge,
        "constraint_multipliers": sides,
    }

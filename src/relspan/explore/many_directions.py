"""Both ends of many functionals at once: the scores of all samples, the contrasts of all pairs.

A few functionals go to the explorer's warm simplex program, one after the other. Many of them are one batch for the
interior point method, whose programs share the family's table, its centre and the rows that may turn. The method's gap
is a share of the largest coefficient of a functional, so each is divided by that first:

    max v.z  =  s max (v / s).z,      s = max_j |v_j|

Both ways answer with a model that attains the end and multipliers that bound it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from scipy import sparse

from relspan.arrays import Floats
from relspan.engines import BatchedEngine, CertifiedMaxima
from relspan.engines.certificates import joined
from relspan.explore.pinned_family import PinSolver, SignBranch
from relspan.progress import Progress, silent

FEWEST_TOGETHER = 50  # directions from which a batch is worth its preparation
WIDEST_TOGETHER = 100  # features up to which the method's matrices are small
AT_ONCE = 128  # programs whose arrays stay small: a batch of 512 takes a fifth longer


class ManyDirections:
    """Maxima over one branch of pins: in batches where there are many directions, else by the warm program."""

    def __init__(self, solver: PinSolver, branch: SignBranch, count: int) -> None:
        self._solver, self._branch = solver, branch
        family = branch.family
        suits = not sparse.issparse(family.rows.features) and family.n_features <= WIDEST_TOGETHER
        engine = BatchedEngine(family) if suits and count >= FEWEST_TOGETHER else None
        self._engine = engine if engine is not None and engine.has_interior else None

    def both_ends(self, directions: Floats, progress: Progress = silent) -> tuple[CertifiedMaxima, CertifiedMaxima]:
        """The maxima of the directions and of their opposites.

        The warm program goes upwards along their order and then downwards: neighbours have near optima.
        """
        if self._engine is None:
            up, down = (self._solver.maxima_over(self._branch, s * directions, progress) for s in (1.0, -1.0))
            return up, down
        sizes = np.abs(directions).max(axis=1, initial=0.0)
        scale = np.where(sizes > 0, sizes, 1.0)
        unit, found = directions / scale[:, None], []
        both, scales = np.vstack([unit, -unit]), np.concatenate([scale, scale])
        for first in range(0, len(both), AT_ONCE):
            found.append(self._engine.maxima(both[first : first + AT_ONCE]))
            progress("samples", min(1.0, (first + AT_ONCE) / len(both)), "")
        whole = _scaled(joined(found), scales)
        return whole.where(slice(0, len(directions))), whole.where(slice(len(directions), None))


def _scaled(found: CertifiedMaxima, scales: Floats) -> CertifiedMaxima:
    """The same proofs for directions that are so many times as long."""
    return replace(
        found,
        values=scales * found.values,
        bounds=scales * found.bounds,
        hinge_multipliers=scales[:, None] * found.hinge_multipliers,
        constraint_multipliers=scales[:, None] * found.constraint_multipliers,
    )

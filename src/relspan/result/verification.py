"""Certificates: the proofs behind the intervals of a result, and their evaluation without a solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.engines.certificates import CertifiedMaxima, certify
from relspan.family import Family, unit_directions

AT_ONCE = 256  # features whose proofs are evaluated together


@dataclass(frozen=True, eq=False)
class Certificates:
    """The proofs behind the intervals, in the solver's units; see `relspan.engines.certificates`.

    Row 2j holds the end +w_j, row 2j + 1 the end -w_j: `models` (w, b) attain `values`, and the multipliers of the
    hinge rows give `bounds`. `family` is the set they speak of. Where not `solved`, bounds are what is reported.
    """

    family: Family
    extremes: CertifiedMaxima
    columns: tuple[str, ...]
    solved: tuple[bool, ...] | None = None

    def verify(self) -> float:
        """Evaluate every proof again, without a solver: the largest fault, as a share of the norm budget.

        A fault is a gap between what is reported and the dual bound, a reported value that its model does not attain,
        or how far a model lies outside the family. What is sound is of the size of rounding.
        """
        size = float(self.family.largest_norm)
        solved = np.repeat(np.ones(len(self.columns), dtype=bool) if self.solved is None else self.solved, 2)
        faults = [np.zeros(1)]
        for first in range(0, len(self.columns), AT_ONCE):
            chosen = range(first, min(first + AT_ONCE, len(self.columns)))
            directions = unit_directions(chosen, self.family)
            ends = slice(2 * chosen.start, 2 * chosen.stop)
            said = self.extremes.where(ends)
            models = said.models_of(slice(None))
            again = certify(self.family, directions, models, said.hinge_multipliers, said.constraint_multipliers)
            faults += [
                np.abs(again.bounds - np.where(solved[ends], said.values, said.bounds)) / size,
                np.abs(again.values - said.values) / size,
                self.family.violations(models),
            ]
        return float(np.max(np.concatenate(faults)))

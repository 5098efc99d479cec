"""Certificates: the proofs behind the intervals of a result, and their evaluation without a solver."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.engines.certificates import CertifiedMaxima, clip_to_rows, clip_to_sides, proven_bounds
from relspan.errors import VerificationError
from relspan.family import Family, unit_directions
from relspan.tolerances import FAILED_PROOF

PROOFS_AT_ONCE = 256


@dataclass(frozen=True, eq=False)
class Certificates:
    """The proofs behind the intervals, in the solver's units.

    Every end of an interval has a model that attains it, and multipliers that prove that no equally good model goes
    further. `relspan.engines.certificates` explains the proof.

    Attributes
    ----------
    family : Family
        The equally good models.
    extremes : CertifiedMaxima
        The proofs: row 2j of the end +w_j, row 2j + 1 of the end -w_j.
    columns : tuple of str
        The names of the weights w_j.
    solved : tuple of bool, optional
        Whether both ends of a weight are attained; where they are not, their bounds are reported. By default all are.

    See Also
    --------
    RelevanceResult : Holds the certificates of its intervals.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=2, random_state=0)
    >>> result = RelevanceClassifier(random_state=0).fit(data.X, data.y).result_
    >>> result.certificates.verify() < 1e-6
    True
    """

    family: Family
    extremes: CertifiedMaxima
    columns: tuple[str, ...]
    solved: tuple[bool, ...] | None = None

    def verify(self) -> float:
        """Evaluate every proof again, without a solver.

        A fault is a gap between a reported end and its dual bound, a reported end that its model does not attain, or
        the distance of a model from the family. Totals over several weights, of groups or of features with one weight
        per class, are not evaluated; their `gap_lo` and `gap_hi` hold what was certified of them.

        Returns
        -------
        float
            The largest fault, as a share of the norm budget. It is a rounding error where all proofs are sound.

        Raises
        ------
        VerificationError
            If a fault is larger than any that a result may have; it names the weight.
        """
        size = float(self.family.largest_norm)
        solved = np.repeat(np.ones(len(self.columns), dtype=bool) if self.solved is None else self.solved, 2)
        faults = [np.zeros(1)]
        for first in range(0, len(self.columns), PROOFS_AT_ONCE):
            chosen = range(first, min(first + PROOFS_AT_ONCE, len(self.columns)))
            directions = unit_directions(chosen, self.family)
            ends = slice(2 * chosen.start, 2 * chosen.stop)
            reported = self.extremes.where(ends)
            models = reported.models_of(slice(None))
            a = clip_to_rows(self.family, reported.hinge_multipliers)
            g = clip_to_sides(self.family, reported.constraint_multipliers)
            bounds = proven_bounds(self.family, directions, a, g, reported.values)
            attained = np.einsum("ij,ij->i", directions, models)
            part = [
                np.where(solved[ends], np.abs(bounds - reported.values), np.maximum(bounds - reported.bounds, 0.0))
                / size,
                np.abs(attained - reported.values) / size,
                self.family.violations(models),
            ]
            worst = np.max(part, axis=0)
            wrong = np.flatnonzero(~(worst <= FAILED_PROOF))
            if len(wrong):
                name = self.columns[chosen.start + int(wrong[0]) // 2]
                raise VerificationError(f"the proof of an end of {name} fails by {worst[wrong[0]]:.1e} of the budgets")
            faults.append(worst)
        return float(np.max(np.concatenate(faults)))

"""Discrepancy: the largest share of labels that one equally good model can change (Marx, Calmon and Ustun 2020).

    max  sum_i f_i / n     over  (w, b) in F,  f in {0, 1}^n
    s.t. s_i <=  hi_i (1 - f_i) - eps f_i      where the best model's label is positive (s_i > 0)
         s_i >=  lo_i (1 - f_i) + eps f_i      where it is negative

with the margin s_i = x_i.w + b (x_i.w - b where the offset is a threshold) and its certified interval [lo_i, hi_i] over
F as big-M. Only ambiguous samples need a switch, so their share bounds the discrepancy from above. A label counts as
changed at a margin of eps = 1e-6 beyond 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.engines.simplex.integer_program import GapReport, Switches, least_switches
from relspan.engines.simplex.range_program import RangeProgram
from relspan.errors import InfeasibleFamily, ParameterError
from relspan.explore.member_models import Model, model_of
from relspan.explore.panels import gap_note
from relspan.explore.pinned_family import PinnedFamily, PinSolver, SignBranch
from relspan.explore.predictions import margin_directions
from relspan.explore.spans import span_ends
from relspan.family.constraints import Constraints
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable
from relspan.tolerances import CHANGED_LABEL, PROVEN_COST, PROVEN_COUNT


@dataclass(frozen=True, repr=False)
class Discrepancy(AnswerTable):
    """The largest share of labels that one equally good model gives otherwise than the best model.

    Parameters
    ----------
    share : float
        The share of labels that `model` changes.
    bound : float
        No equally good model changes a larger share: the proven upper bound.
    changed : tuple of int
        The positions of the samples whose labels `model` changes.
    ambiguous : float
        The share of samples whose label some equally good model changes.
    model : Model
        The model that changes them.
    seconds : float
        How long the search took.

    See Also
    --------
    Explorer.discrepancy : Compute it.
    Explorer.predictions : The samples whose label all equally good models share.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(60, strong=2, weak=0, irrelevant=1, random_state=0)
    >>> found = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore().discrepancy()
    >>> found.share <= found.bound <= found.ambiguous + 1e-9
    True
    """

    share: float
    bound: float
    changed: tuple[int, ...]
    ambiguous: float
    model: Model
    seconds: float

    def columns(self) -> dict[str, list[Any]]:
        """One row per sample whose label `model` changes, by column.

        Returns
        -------
        dict of str to list
            The positions of these samples.
        """
        return {"sample": list(self.changed)}

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        proof = "proven" if self.proven else f"not proven: at most {self.bound:.1%}"
        return (
            f"one equally good model changes {self.share:.1%} of the labels ({proof}); {self.ambiguous:.1%} ambiguous"
        )

    @property
    def gap(self) -> float:
        """How much larger the share could be, as far as is proven.

        Returns
        -------
        float
            `bound` - `share`, at least 0.
        """
        return max(0.0, self.bound - self.share)

    @property
    def proven(self) -> bool:
        """Whether it is proven that no equally good model changes more labels.

        Returns
        -------
        bool
            True where `share` equals `bound` up to rounding.
        """
        return self.gap <= PROVEN_COST


def discrepancy(
    solver: PinSolver,
    pinned: PinnedFamily,
    Z: Floats,
    time_limit: float,
    progress: Progress = silent,
) -> Discrepancy:
    """Over scaled samples, under the pins; labels are compared with those of the best model there."""
    problem, begun = solver.problem, perf_counter()
    if problem.classes is None or len(problem.classes) != 2 or len(problem.scores.margin_offsets) != 1:
        raise ParameterError("discrepancy counts changed labels, so it needs a target with two classes")
    directions = margin_directions(problem, Z, 0)
    ranges = span_ends(solver, pinned, directions)
    positive = directions @ pinned.best.best > 0
    can = np.where(positive, ranges[:, 0], -ranges[:, 1]) <= -CHANGED_LABEL
    best: tuple[np.ndarray, Floats] = (np.zeros(len(Z), dtype=bool), pinned.best.best)
    bound = 0.0

    def report(count: float, most: float) -> None:
        progress("discrepancy", None, gap_note(count / len(Z), most / len(Z)))

    for branch in pinned.branches:
        search = LabelSearch(solver, branch, directions, positive, ranges, np.flatnonzero(can))
        changed, model, most = search.run(time_limit - (perf_counter() - begun), report)
        bound = max(bound, most)
        if changed.sum() > best[0].sum():
            best = (changed, model)
    return Discrepancy(
        float(best[0].mean()),
        bound / len(Z),
        tuple(np.flatnonzero(best[0]).tolist()),
        float(can.mean()),
        model_of(problem, best[1]),
        perf_counter() - begun,
    )


class LabelSearch:
    """The integer program of one sign branch."""

    def __init__(
        self,
        solver: PinSolver,
        branch: SignBranch,
        directions: Floats,
        positive: np.ndarray,
        ranges: Floats,
        candidates: np.ndarray,
    ) -> None:
        self.solver, self.branch, self.directions = solver, branch, directions
        self.positive, self.candidates = positive, candidates
        sign = np.where(positive[candidates], 1.0, -1.0)
        outer = np.where(positive, ranges[:, 1], -ranges[:, 0])[candidates] + ranges[candidates, 2]
        # sign s_i + (outer_i + eps) f_i <= outer_i
        self.switches = Switches(
            costs=np.full(len(candidates), -1.0),
            least=np.zeros(len(candidates)),
            most=np.ones(len(candidates)),
            models=sign[:, None] * directions[candidates],
            coefficients=np.diag(outer + CHANGED_LABEL),
            lower=np.full(len(candidates), -np.inf),
            upper=outer,
        )

    def run(self, time_limit: float, report: GapReport) -> tuple[np.ndarray, Floats, float]:
        """Which labels are changed, by which model, and the most that could be."""
        begun, most = perf_counter(), float(len(self.candidates))
        model = self.branch.best
        changed = self._changed(model)
        kinks = self.solver.engine.kinks
        while len(self.candidates) and (left := time_limit - (perf_counter() - begun)) > 0:
            start = (model, changed[self.candidates])
            found = least_switches(
                self.branch.family,
                self.branch.best,
                kinks,
                self.switches,
                start,
                left,
                1.0 - PROVEN_COUNT,
                lambda value, bound: report(-value, -bound),
            )
            if found is None:
                break
            most = min(most, float(np.floor(-found.bound + PROVEN_COUNT)))
            attained = self._model_of(found.on)
            if attained is not None:
                if self._changed(attained).sum() >= changed.sum():
                    model, changed = attained, self._changed(attained)
                break
            self.switches = self.switches.with_row(found.on.astype(np.float64), -np.inf, float(found.on.sum()) - 1.0)
            kinks = np.union1d(np.union1d(kinks, self.solver.engine.kinks), found.missing)
        return changed, model, max(most, float(changed.sum()))

    def _changed(self, model: Floats) -> np.ndarray:
        score = self.directions @ model
        return np.asarray(np.where(self.positive, score <= 0, score > 0))

    def _model_of(self, on: np.ndarray) -> Floats | None:
        """A model of the branch that changes at least these labels, checked by its own loss; None if there is none."""
        d, which = self.solver.family.n_features, self.candidates[on]
        sign = np.where(self.positive[which], 1.0, -1.0)
        rows = sign[:, None] * self.directions[which]
        extra = Constraints(rows[:, :d], rows[:, d:], np.full(len(which), -np.inf), np.full(len(which), -CHANGED_LABEL))
        narrowed = replace(self.branch.family.restricted(extra), anchors=self.branch.family.anchors[:0])
        program = RangeProgram(narrowed, reference=self.branch.best, kinks=self.solver.engine.kinks)
        try:
            return program.solve(None, norm_price=1.0, loss_price=self.solver.problem.analysis.baseline.C).model
        except InfeasibleFamily:
            return None

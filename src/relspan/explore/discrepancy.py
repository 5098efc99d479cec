"""Discrepancy: the largest share of labels that one equally good model can change (Marx, Calmon and Ustun 2020).

    max  sum_i f_i / n     over  (w, b) in F,  f in {0, 1}^n
    s.t. s_i <=  hi_i (1 - f_i) - eps f_i      where the best model's label is positive (s_i > 0)
         s_i >=  lo_i (1 - f_i) + eps f_i      where it is negative

with s_i = x_i.w + b and its certified interval [lo_i, hi_i] over F as big-M. Only ambiguous samples need a switch, so
their share bounds the discrepancy from above. A label counts as changed at a score of eps = 1e-6 beyond 0.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from relspan.arrays import Floats
from relspan.engines.simplex.integer_program import GapReport, Switches, least_switches
from relspan.engines.simplex.range_program import RangeProgram
from relspan.errors import InfeasibleFamily, ParameterError
from relspan.explore.member_models import Model, describe
from relspan.explore.pinned_family import Pinned, PinSolver, SignBranch
from relspan.explore.predictions import score_directions, score_ranges
from relspan.family.constraints import Constraints

EPS = 1e-6


@dataclass(frozen=True)
class Discrepancy:
    """`share` of labels that `model` gives otherwise than the best model; no model changes more than `bound`."""

    share: float
    bound: float
    changed: tuple[int, ...]
    ambiguous: float
    model: Model
    seconds: float

    @property
    def gap(self) -> float:
        return max(0.0, self.bound - self.share)

    @property
    def proven(self) -> bool:
        return self.gap <= 1e-9


def discrepancy(
    board: PinSolver,
    pinned: Pinned,
    Z: Floats,
    time_limit: float,
    report: GapReport = lambda seconds, value, bound: None,
) -> Discrepancy:
    """Over scaled samples, at the pins; the labels compared are those of the best model there."""
    problem, begun = board.problem, perf_counter()
    if problem.classes is None or len(problem.classes) != 2 or problem.loss.n_offsets != 1:
        raise ParameterError("discrepancy counts changed labels of two classes; this target has none such")
    directions = score_directions(problem, Z)
    ranges = score_ranges(board, pinned, directions)
    positive = directions @ pinned.best.best > 0
    can = np.where(positive, ranges[:, 0], -ranges[:, 1]) <= -EPS
    best: tuple[np.ndarray, Floats] = (np.zeros(len(Z), dtype=bool), pinned.best.best)
    bound = 0.0
    for branch in pinned.branches:
        search = _Search(board, branch, directions, positive, ranges, np.flatnonzero(can))
        changed, model, most = search.run(time_limit - (perf_counter() - begun), report)
        bound = max(bound, most)
        if changed.sum() > best[0].sum():
            best = (changed, model)
    return Discrepancy(
        float(best[0].mean()),
        bound / len(Z),
        tuple(np.flatnonzero(best[0]).tolist()),
        float(can.mean()),
        describe(problem, best[1]),
        perf_counter() - begun,
    )


class _Search:
    """The integer program of one sign branch."""

    def __init__(
        self,
        board: PinSolver,
        branch: SignBranch,
        directions: Floats,
        positive: np.ndarray,
        ranges: Floats,
        candidates: np.ndarray,
    ) -> None:
        self.board, self.branch, self.directions = board, branch, directions
        self.positive, self.candidates = positive, candidates
        sign = np.where(positive[candidates], 1.0, -1.0)
        outer = np.where(positive, ranges[:, 1], -ranges[:, 0])[candidates] + ranges[candidates, 2]
        # sign s_i + (outer_i + eps) f_i <= outer_i
        self.switches = Switches(
            costs=np.full(len(candidates), -1.0),
            least=np.zeros(len(candidates)),
            most=np.ones(len(candidates)),
            models=sign[:, None] * directions[candidates],
            coefficients=np.diag(outer + EPS),
            lower=np.full(len(candidates), -np.inf),
            upper=outer,
        )

    def run(self, time_limit: float, report: GapReport) -> tuple[np.ndarray, Floats, float]:
        """Which labels are changed, by which model, and the most that could be."""
        begun, most = perf_counter(), float(len(self.candidates))
        model = self.branch.best
        changed = self._changed(model)
        kinks = self.board.engine.kinks
        while len(self.candidates) and (left := time_limit - (perf_counter() - begun)) > 0:
            start = (model, changed[self.candidates])
            found = least_switches(
                self.branch.family,
                self.branch.best,
                kinks,
                self.switches,
                start,
                left,
                1.0 - 1e-6,
                lambda seconds, value, bound: report(seconds, -value, -bound),
            )
            if found is None:
                break
            most = min(most, float(np.floor(-found.bound + 1e-6)))
            attained = self._model_of(found.on)
            if attained is not None:
                if self._changed(attained).sum() >= changed.sum():
                    model, changed = attained, self._changed(attained)
                break
            self.switches = self.switches.with_row(found.on.astype(np.float64), -np.inf, float(found.on.sum()) - 1.0)
            kinks = np.union1d(np.union1d(kinks, self.board.engine.kinks), found.missing)
        return changed, model, max(most, float(changed.sum()))

    def _changed(self, model: Floats) -> np.ndarray:
        score = self.directions @ model
        return np.asarray(np.where(self.positive, score <= 0, score > 0))

    def _model_of(self, on: np.ndarray) -> Floats | None:
        """A model of the branch that changes at least these labels, checked by its own loss; None if there is none."""
        d, which = self.board.family.n_features, self.candidates[on]
        sign = np.where(self.positive[which], 1.0, -1.0)
        rows = sign[:, None] * self.directions[which]
        extra = Constraints(rows[:, :d], rows[:, d:], np.full(len(which), -np.inf), np.full(len(which), -EPS))
        narrowed = replace(self.branch.family.restricted(extra), anchors=self.branch.family.anchors[:0])
        program = RangeProgram(narrowed, reference=self.branch.best, kinks=self.board.engine.kinks)
        try:
            return program.solve(None, norm_price=1.0, loss_price=self.board.problem.analysis.baseline.C).model
        except InfeasibleFamily:
            return None

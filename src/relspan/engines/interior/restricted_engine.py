"""The restricted engine: exact ends of a wide family, by an interior point method on few columns and rows per program.

All programs start from a dual centre of the family (`dual_centre`), further in than the one from which decisions start:
a program then takes a third fewer steps. They come near their optima by steps whose matrices have few columns each
(`leading_columns`). There each is restricted to the columns and rows that it may need (`restricted_programs`), nearer
still to those that it does need (`narrower_programs`), solved, and certified over all columns and rows. What is not
accepted is solved again with more of both, from another start, and at last by the exact engine. Families without a dual
centre, and those with more scores than features, go there at once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relspan.arrays import Floats, Matrix, dense
from relspan.engines.certificates import CertifiedMaxima, certify, joined, smallest_norm
from relspan.engines.interior.array_library import NumpyArrays
from relspan.engines.interior.batch_arrays import Point
from relspan.engines.interior.batched_engine import better
from relspan.engines.interior.centre_start import PRICE_SCALE, start_at, with_own_weights
from relspan.engines.interior.dual_centre import DualCentre, dual_centre
from relspan.engines.interior.dual_polytope import dual_polytope
from relspan.engines.interior.leading_columns import LeadingColumns
from relspan.engines.interior.narrower_programs import narrower_programs
from relspan.engines.interior.predictor_corrector import maximise
from relspan.engines.interior.restricted_programs import finite, restricted_programs
from relspan.engines.simplex.exact_engine import ExactEngine
from relspan.errors import SolverError
from relspan.family import Family
from relspan.tolerances import (
    BATCH_BYTES,
    CERTIFIED_GAP,
    GAP_AIMED_AT,
    JITTER_OF_RETRY,
    LARGEST_VIOLATION,
    ROUGH_RESIDUAL,
)

PRICE_SCALE_OF_RETRY = 10.0
NARROW_GAP = 1e-3  # a share of the norm: up to here single precision is enough for the matrices
NARROW_FROM = 200  # scores: with fewer, smaller matrices save less than the programs cost that need more columns
FIRST_ITERATIONS = 30
LAST_ITERATIONS, RETRY_ITERATIONS = 20, 40
MOST_AT_ONCE = 64


@dataclass(frozen=True)
class AttemptSizes:
    """Sizes of one attempt: leading columns, the gap (a share of the norm) at which programs are restricted, the
    columns and rows that they keep then and, unless they keep them all, at `NARROW_GAP`, and whether it is a retry,
    which starts elsewhere."""

    leading: int
    gap: float
    columns: int
    rows: int
    at_last: tuple[int, int] | None = None
    retry: bool = True


class RestrictedEngine:
    """Ranges over a wide family by programs with few columns and rows; see the module's text."""

    name = "restricted"
    warm = False

    def __init__(self, family: Family) -> None:
        self.family = family
        self.handed_over = 0
        self._largest_gap = CERTIFIED_GAP * smallest_norm(family)

    @cached_property
    def centre(self) -> DualCentre | None:
        """The dual centre; None where there is none, and for a table that is not wide."""
        wide = self.family.rows.n_scores < self.family.n_features
        polytope = dual_polytope(self.family) if wide else None
        return None if polytope is None else dual_centre(polytope)

    @property
    def _known_centre(self) -> DualCentre:
        if self.centre is None:
            raise SolverError("the family has no dual centre")
        return self.centre

    @cached_property
    def attempts(self) -> list[AttemptSizes]:
        """From few columns and rows to many; the number of scores n decides how many are few."""
        n = self._known_centre.polytope.n_scores
        at_last = (95 + n // 4, 70 + 2 * n // 7) if n >= NARROW_FROM else None
        return [
            AttemptSizes(170 + 3 * n // 10, 6e-3, 120 + n // 3, 60 + 2 * n // 5, at_last, retry=False),
            AttemptSizes(200 + n, 1e-2, 300 + n // 2, n),
            AttemptSizes(self.family.n_features, 1e-3, 600 + 2 * n, self._known_centre.polytope.n_hinge),
        ]

    @cached_property
    def _problem(self) -> LeadingColumns:
        """The family as arrays, without programs."""
        pr, family = self._known_centre.polytope, self.family
        q = pr.n_rows - pr.n_hinge
        scores = pr.n_scores - q
        xp, F, budgets = NumpyArrays(), pr.F[:scores], family.budgets
        score_of = None if pr.score_of is None else pr.score_of[: pr.n_hinge]
        return LeadingColumns(
            xp=xp,
            F=F,
            O=pr.O[:scores],
            h=pr.h[: pr.n_hinge],
            c=pr.c,
            G=pr.F[scores:],
            G_b=pr.O[scores:],
            g=pr.h[pr.n_hinge :],
            n_inequalities=q,
            P=np.array([b.norm_price for b in budgets]),
            Q=np.array([b.loss_price for b in budgets]),
            B=np.array([b.limit for b in budgets]),
            pairs=None,
            tall=False,
            v=np.zeros((0, pr.n_features)),
            v_b=np.zeros((0, family.n_offsets)),
            score_of=score_of,
            rows_of_scores=None if score_of is None else xp.groups(score_of, scores),
            across=np.ascontiguousarray(F.T, dtype=np.float32),
            gram=(F @ F.T).astype(np.float32),
        )

    # -- answers -------------------------------------------------------------------------------------------------

    def maxima(self, directions: Floats) -> CertifiedMaxima:
        """The largest value of each direction (a row over (w, b)), with certificates."""
        return self._answer(directions, None)

    def appended(self, columns: Matrix) -> CertifiedMaxima:
        """For each column, appended alone as one more feature: the maxima of +w and -w of that feature."""
        d, k = self.family.n_features, self.family.n_offsets
        directions = np.zeros((2 * columns.shape[1], d + 1 + k))
        directions[::2, d], directions[1::2, d] = 1.0, -1.0
        return self._answer(directions, np.repeat(dense(columns).T, 2, axis=0))

    def _answer(self, directions: Floats, extra: Floats | None) -> CertifiedMaxima:
        if self.centre is None or not len(directions):
            return self._hand_over(directions, extra)
        size = self._ends_at_once
        batches = [slice(at, at + size) for at in range(0, len(directions), size)]
        return joined([self._solve(directions[b], None if extra is None else extra[b]) for b in batches])

    @property
    def _ends_at_once(self) -> int:
        """Programs whose arrays fit into `BATCH_BYTES`."""
        pr, first = self._known_centre.polytope, self.attempts[0]
        each = 8 * (30 * (pr.n_features + pr.n_rows) + pr.n_scores**2 + 2 * first.rows * first.columns)
        return int(np.clip(BATCH_BYTES // each, 2, MOST_AT_ONCE))

    def _solve(self, directions: Floats, extra: Floats | None) -> CertifiedMaxima:
        first, *others = self.attempts
        found, left = self._attempt(directions, extra, first), np.arange(len(directions))
        for attempt in [None, *others]:
            if attempt is not None:
                again = self._attempt(directions[left], None if extra is None else extra[left], attempt)
                found = better(found, left, again)
            bad = ~(found.gaps[left] <= self._largest_gap) | (found.violations[left] > LARGEST_VIOLATION)
            left = left[bad]
            if not len(left):
                return found
        return better(found, left, self._hand_over(directions[left], None if extra is None else extra[left]))

    def _attempt(self, directions: Floats, extra: Floats | None, sizes: AttemptSizes) -> CertifiedMaxima:
        pr, scale = self._known_centre.polytope, self._largest_gap / CERTIFIED_GAP
        d = self.family.n_features + (extra is not None)
        columns = None if extra is None else pr.own_columns(extra)[:, : self._problem.F.shape[0]]
        problem = replace(
            self._problem, v=directions[:, :d], v_b=directions[:, d:], extra_column=columns,
            single_precision=True, count=sizes.leading,
        )  # fmt: skip
        with np.errstate(all="ignore"):
            start = self._start(problem, sizes.retry)
            near = maximise(problem, start, sizes.gap * scale, ROUGH_RESIDUAL, most=FIRST_ITERATIONS)
            own = np.abs(directions[:, :d]).argmax(axis=1)
            programs = restricted_programs(
                problem, finite(problem.xp, near.point), own, min(sizes.columns, d), min(sizes.rows, pr.n_hinge)
            )
            if sizes.at_last is not None:
                rough = programs.problem.in_single_precision()
                near = maximise(rough, programs.start, NARROW_GAP * scale, ROUGH_RESIDUAL, most=LAST_ITERATIONS)
                programs = narrower_programs(programs, finite(problem.xp, near.point), *sizes.at_last)
            # two rows of one sample may stand at their kinks, and then the matrix is singular but for the jitter
            gap, jitter = GAP_AIMED_AT * self._largest_gap, JITTER_OF_RETRY
            most = RETRY_ITERATIONS if sizes.retry else LAST_ITERATIONS
            last = maximise(programs.problem, programs.start, gap, jitter=jitter, most=most)
        at = finite(problem.xp, last.point)
        models, a = np.hstack([programs.weights(at), at.b]), np.hstack([programs.hinge_multipliers(at), at.gamma])
        return certify(self._with_centre, directions, models, *pr.family_multipliers(a), extra)

    def _start(self, problem: LeadingColumns, retry: bool) -> Point:
        if retry:
            return start_at(self._known_centre, problem, PRICE_SCALE_OF_RETRY)
        start = start_at(self._known_centre.further_in, problem, PRICE_SCALE)
        return with_own_weights(start, problem.v, self.family.largest_norm)

    @cached_property
    def _with_centre(self) -> Family:
        """The family, with the centre's model as one more that is known to lie inside."""
        model = np.concatenate([self._known_centre.weights, self._known_centre.offsets])[None]
        inside = model[self.family.violations(model) <= 0]
        return replace(self.family, anchors=np.concatenate([inside, self.family.anchors]))

    def _hand_over(self, directions: Floats, extra: Floats | None) -> CertifiedMaxima:
        """The answers of a fresh exact engine, so that they do not depend on earlier questions."""
        self.handed_over += len(directions)
        engine = ExactEngine(self.family)
        if extra is None:
            return engine.maxima(directions).by_another_engine()
        columns, which = np.unique(extra, axis=0, return_inverse=True)
        found = engine.appended(columns.T)
        return found.where(2 * np.ravel(which) + (directions.min(axis=1) < 0)).by_another_engine()

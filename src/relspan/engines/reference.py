"""The reference engine: the papers' own programs, written out and given to scipy. Obvious and slow, for tests.

Göpfert et al. 2017, Theorems 1 and 2, over w, u >= |w|, b and slacks x >= 0:

    minimal relevance of j   =  min  r      s.t.  r >= w_j,  r >= -w_j
    maximal relevance of j   =  max  r      s.t.  r <= w_j            (first sign)
                                max  r      s.t.  r <= -w_j           (second sign; the larger of the two)
    under   p_k 1.u + q_k c.x <= B_k,   F w + O b + x >= h,   lower <= A (w, b) <= upper

Three programs per feature, where the signed interval needs two; the tests show that both give the same answer.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.optimize import OptimizeResult, linprog

from relspan.arrays import Floats, Matrix, dense
from relspan.engines.certificates import CertifiedMaxima, certify, is_proven_empty, joined
from relspan.engines.solver_runs import counted_run
from relspan.errors import InfeasibleFamily, SolverError
from relspan.family import Family, unit_directions
from relspan.tolerances import REFERENCE_TOLERANCE, SOLVER_TOLERANCE

# methods, whether they presolve, and to which tolerance; answers are certified, whichever found them
Attempt = tuple[str, bool, float]
ATTEMPTS: tuple[Attempt, ...] = (
    ("highs", True, REFERENCE_TOLERANCE),
    ("highs-ds", False, REFERENCE_TOLERANCE),
    ("highs-ipm", True, REFERENCE_TOLERANCE),
    ("highs", True, SOLVER_TOLERANCE),
)
NOTHING_FEASIBLE, GAVE_UP = 2, 4  # linprog's status without a solution, and after numerical difficulties


class ReferenceEngine:
    """Ranges over a family by scipy's linprog, every program from scratch."""

    name = "reference"
    warm = False

    def __init__(self, family: Family) -> None:
        self.family = family
        rows, extra = family.rows.with_scores_of_their_own(), family.constraints
        d, k, m = family.n_features, family.n_offsets, rows.n_rows
        eye, F = np.eye(d), dense(rows.features)

        # variables (w, u, b, x); A_ub z <= b_ub
        def block(w: Floats, u: Floats, b: Floats, x: Floats) -> Floats:
            return np.hstack([w, u, b, x])

        def none(count: int, width: int) -> Floats:
            return np.zeros((count, width))

        lower, upper = np.isfinite(extra.lower), np.isfinite(extra.upper)
        self._A = np.vstack(
            [
                block(eye, -eye, none(d, k), none(d, m)),
                block(-eye, -eye, none(d, k), none(d, m)),
                block(-F, none(m, d), -rows.offsets, -np.eye(m)),
                *(
                    np.concatenate([np.zeros(d), np.full(d, b.norm_price), np.zeros(k), b.loss_price * rows.costs])[
                        None
                    ]
                    for b in family.budgets
                ),
                block(-extra.features[lower], none(lower.sum(), d), -extra.offsets[lower], none(lower.sum(), m)),
                block(extra.features[upper], none(upper.sum(), d), extra.offsets[upper], none(upper.sum(), m)),
            ]
        )
        self._b = np.concatenate(
            [
                np.zeros(2 * d),
                -rows.heights,
                [b.limit for b in family.budgets],
                -extra.lower[lower],
                extra.upper[upper],
            ]
        )
        self._bounds = [(None, None)] * d + [(0, None)] * d + [(None, None)] * k + [(0, None)] * m

    def maxima(self, directions: Floats) -> CertifiedMaxima:
        """The largest value of each direction (a row over (w, b)), with certificates."""
        family, extra = self.family, self.family.constraints
        d, k, m = family.n_features, family.n_offsets, family.rows.n_rows
        models, hinge, sides = [], [], []
        for v in directions:
            cost = np.concatenate([-v[:d], np.zeros(d), -v[d:], np.zeros(m)])
            x, duals = self._solve(cost, self._A, self._b, self._bounds)
            models.append(np.concatenate([x[:d], x[2 * d : 2 * d + k]]))
            a, g = self._multipliers(duals)
            hinge.append(a)
            sides.append(g)
        return certify(
            family,
            directions,
            np.reshape(models, (len(directions), d + k)),
            np.reshape(hinge, (len(directions), m)),
            np.reshape(sides, (len(directions), extra.n_rows)),
        )

    def _multipliers(self, duals: Floats) -> tuple[Floats, Floats]:
        """Of all multipliers those of the hinge rows and of the constraints."""
        family, extra = self.family, self.family.constraints
        first = 2 * family.n_features
        rest = duals[first + family.rows.n_rows + len(family.budgets) :]
        lower, upper = np.isfinite(extra.lower), np.isfinite(extra.upper)
        g = np.zeros(extra.n_rows)
        g[lower] += rest[: lower.sum()]
        g[upper] -= rest[lower.sum() :]
        return duals[first : first + family.rows.n_rows], g

    def appended(self, columns: Matrix) -> CertifiedMaxima:
        """For each column, appended alone as one more feature: the maxima of +w and -w of that feature."""
        d = self.family.n_features
        ends = []
        for probe in range(columns.shape[1]):
            alone = self.family.with_columns(columns[:, probe : probe + 1])
            ends.append(ReferenceEngine(alone).maxima(unit_directions([d], alone)))
        return joined(ends)

    def relevance(self, j: int) -> tuple[float, float]:
        """Minimal and maximal relevance of feature j by the three programs above."""
        n = self._A.shape[1]
        w_j = np.zeros(n + 1)
        w_j[j] = 1.0
        r = np.zeros(n + 1)
        r[n] = 1.0
        A = np.hstack([self._A, np.zeros((len(self._A), 1))])
        bounds = [*self._bounds, (None, None)]

        def optimum(cost: Floats, rows: list[Floats]) -> float:
            x, _ = self._solve(cost, np.vstack([A, *rows]), np.concatenate([self._b, np.zeros(len(rows))]), bounds)
            return float(x[n])

        smallest = optimum(r, [w_j - r, -w_j - r])
        largest = max(optimum(-r, [r - w_j]), optimum(-r, [r + w_j]))
        return smallest, largest

    def _solve(
        self, cost: Floats, A: Floats, b: Floats, bounds: Sequence[tuple[float | None, float | None]]
    ) -> tuple[Floats, Floats]:
        """A minimiser and the multipliers (>= 0) of A x <= b. Raises InfeasibleFamily where provably nothing is."""
        for attempt in ATTEMPTS:
            found = _attempt(attempt, cost, A, b, bounds)
            if found.status == NOTHING_FEASIBLE and self._is_proven_empty(attempt):
                raise InfeasibleFamily("no model satisfies the budgets and constraints")
            if found.status not in (NOTHING_FEASIBLE, GAVE_UP):
                break
        if found.status != 0:
            raise SolverError(f"linprog: {found.message}")
        return found.x, -found.ineqlin.marginals

    def _is_proven_empty(self, attempt: Attempt) -> bool:
        """Whether the multipliers of  min t  s.t.  A x - t <= b,  t >= 0  prove that no model has t = 0."""
        cost = np.append(np.zeros(self._A.shape[1]), 1.0)
        A = np.hstack([self._A, -np.ones((len(self._A), 1))])
        found = _attempt(attempt, cost, A, self._b, [*self._bounds, (0, None)])
        return found.status == 0 and is_proven_empty(self.family, *self._multipliers(-found.ineqlin.marginals))


def _attempt(
    attempt: Attempt, cost: Floats, A: Floats, b: Floats, bounds: Sequence[tuple[float | None, float | None]]
) -> OptimizeResult:
    """linprog's answer to  min cost.x  s.t.  A x <= b."""
    method, presolve, tolerance = attempt
    options = {"presolve": presolve, **{f"{side}_feasibility_tolerance": tolerance for side in ("primal", "dual")}}
    with counted_run():
        return linprog(cost, A_ub=A, b_ub=b, bounds=bounds, method=method, options=options)

"""The centre of the dual polytope from which all ends of a wide family start: found once, by Newton's method.

With u = 1 / (1 - g), l = 1 / (1 + g), v = 1 / (beta c - a) (0 for constraints), a Newton step on

    phi(a, beta) - (a.h - beta R) / mu      s.t.  O'S'a = 0

(see `dual_polytope`) solves

    [ S F W F' S' + D    -c v^2       S O ] [ da    ]       [ -h / mu + S F (u - l) - 1 / a + v ]
    [ -(c v^2)'          sum c^2 v^2   0  ] [ dbeta ]  =  - [ R / mu - sum c v                  ]
    [ O' S'                0           0  ] [ eta   ]       [ O' S' a                           ]

with W = u^2 + l^2 and D = 1 / a^2 + v^2. Rows of one score cost no more than one row: with N = S' D^-1 S the matrix
that is factorised, F W F' + N^-1, has the size of the scores.

mu falls until what the centre proves about the least norm L comes near what its own model attains. A centre further in
is too far from every end, one further out is too near the walls.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import LinAlgError, cho_factor, cho_solve

from relspan.arrays import Floats
from relspan.engines.interior.dual_polytope import DualPolytope
from relspan.tolerances import CENTRE_DECREMENT, SMALLEST_CENTRE

FIRST_SHARE = 0.01  # of the norm budget: the first mu
MU_FALLS_BY = 3.0
NEWTON_STEPS = 60  # for each mu
GAP_SHARE = 1.0  # of the slack of the norm budget: the gap of the centre at which mu is small enough
FIRST_GAP = 3.0  # of a program that starts from the centre further in, in units of the norm budget
TO_WALL = 0.95
LEAST_PRESSURE = 0.1  # of the first multipliers, as a share of the pressure without cancelling
REMEMBERED = 2  # centres that a process keeps: intervals, probes and decisions of one family share theirs
_centres: dict[bytes, DualCentre | None] = {}


class ShiftedSystem:
    """Solves (S K S' + diag(D)) x = f through the factor of K + N^-1, N = S' D^-1 S, for several f at once."""

    def __init__(self, polytope: DualPolytope, K: Floats, D: Floats) -> None:
        self._polytope, self._D = polytope, D
        self._N = polytope.by_score(1 / D)
        matrix = K.copy()
        matrix[np.diag_indices(len(matrix))] += 1 / self._N
        self._factor = cho_factor(matrix, lower=True, overwrite_a=True, check_finite=False)

    def solve(self, f: Floats) -> Floats:
        """x for each row of f, (count, rows)."""
        sums = self._polytope.by_score(f / self._D)
        u = cho_solve(self._factor, (sums / self._N).T, check_finite=False).T
        if self._polytope.score_of is None:
            return np.asarray(u)
        return np.asarray((f - self._polytope.by_row((sums - u) / self._N)) / self._D)


@dataclass(frozen=True, eq=False)
class BorderedSystem:
    """The Newton system at one point: its inner matrix, and the border of beta and the offsets, solved once."""

    polytope: DualPolytope
    inner: ShiftedSystem
    pull: Floats  # c v^2, (rows,)
    curvature: float  # sum c^2 v^2

    @cached_property
    def _border(self) -> tuple[Floats, Floats, Floats]:
        """E = (-c v^2, S O), H^-1 E, and the Schur complement."""
        E = np.vstack([-self.pull, self.polytope.O_rows.T])
        solved = self.inner.solve(E)
        corner = np.zeros((len(E), len(E)))
        corner[0, 0] = self.curvature
        return E, solved, corner - E @ solved.T

    def solve(self, f: Floats, beta: Floats, offsets: Floats) -> tuple[Floats, Floats, Floats]:
        """(da, dbeta, eta) for right hand sides f (count, rows), beta (count,), offsets (count, k)."""
        E, solved, schur = self._border
        inner = self.inner.solve(f)
        right = np.column_stack([beta, offsets]) - inner @ E.T
        y = np.linalg.solve(schur, right.T).T
        da: Floats = np.asarray(inner - y @ solved, dtype=np.float64)
        return da, np.asarray(y[:, 0], dtype=np.float64), np.asarray(y[:, 1:], dtype=np.float64)


@dataclass(frozen=True, eq=False)
class DualCentre:
    """A centre (a, beta) of the polytope at mu, its pressures, its model, and the curvature of the barrier there."""

    polytope: DualPolytope
    mu: float
    a: Floats
    beta: float
    pressures: Floats
    weights: Floats
    offsets: Floats
    curvature: Floats  # F W F', (scores, scores)
    system: BorderedSystem

    @property
    def least_norm(self) -> float:
        """A bound of the least norm of a model, from below."""
        return float(self.a @ self.polytope.h - self.beta * self.polytope.R)

    def at(self, mu: float) -> DualCentre | None:
        """The centre for another mu."""
        try:
            return _centre_at(self.polytope, mu, self.a, self.beta)
        except LinAlgError:
            return None

    @cached_property
    def further_in(self) -> DualCentre:
        """A centre further in, from which programs start; this one where it is not found."""
        pr = self.polytope
        with np.errstate(all="ignore"):
            return self.at(FIRST_GAP * pr.M / (2 * pr.n_features + 2 * pr.n_hinge)) or self

    @cached_property
    def column_weights(self) -> Floats:
        """W at the centre."""
        return np.asarray(1 / (1 - self.pressures) ** 2 + 1 / (1 + self.pressures) ** 2)

    @cached_property
    def single_curvature(self) -> Floats:
        return self.curvature.astype(np.float32)

    @cached_property
    def single_rows(self) -> Floats:
        """F' in single precision: one column of the table per row."""
        return np.ascontiguousarray(self.polytope.F.T, dtype=np.float32)

    def responses(self, columns: Floats) -> tuple[Floats, Floats, Floats]:
        """How a and beta answer to a price on a column, (count, scores): Q = P H^-1 S F_j, and F_j.S'Q_j."""
        count, k = len(columns), self.polytope.O.shape[1]
        Q, beta, _ = self.system.solve(self.polytope.by_row(columns), np.zeros(count), np.zeros((count, k)))
        return Q, beta, np.einsum("ij,ij->i", columns, self.polytope.by_score(Q))


def dual_centre(polytope: DualPolytope) -> DualCentre | None:
    """The centre from which ends start; None where Newton's method does not find it."""
    key = polytope.digest()
    if key not in _centres:
        found = _found_centre(polytope)
        for old in list(_centres)[: len(_centres) - REMEMBERED + 1]:
            _centres.pop(old, None)
        _centres[key] = found
    return _centres[key]


def _found_centre(polytope: DualPolytope) -> DualCentre | None:
    pr, mu = polytope, FIRST_SHARE * polytope.M
    a = np.concatenate([pr.c, np.full(pr.n_rows - pr.n_hinge, pr.c.mean())])
    a = pr.balanced(a[None])[0]
    # rows may come in pairs whose pressures cancel, as those of a regression do
    cancelled = LEAST_PRESSURE * float((pr.by_score(a) @ np.abs(pr.F)).max(initial=0.0))
    size = max(float(np.abs(pr.pressures(a)).max(initial=0.0)), cancelled)
    if not (a > 0).all() or size <= 0:
        return None
    a = a / (2 * size)
    beta, found = 2 * float((a[: pr.n_hinge] / pr.c).max()), None
    try:
        with np.errstate(all="ignore"):
            while mu > SMALLEST_CENTRE * pr.M:
                found = _centre_at(pr, mu, a, beta)
                if found is None:
                    return None
                a, beta = found.a, found.beta
                attained = float(np.abs(found.weights).sum())
                if attained - found.least_norm < GAP_SHARE * (pr.M - attained):
                    return found
                mu /= MU_FALLS_BY
    except LinAlgError:
        return None
    return None


def _centre_at(pr: DualPolytope, mu: float, a: Floats, beta: float) -> DualCentre | None:
    n = pr.n_hinge
    for _ in range(NEWTON_STEPS):
        g = pr.pressures(a)
        u, l, v = 1 / (1 - g), 1 / (1 + g), np.zeros(pr.n_rows)
        v[:n] = 1 / (beta * pr.c - a[:n])
        cv = pr.c * v[:n]
        K = pr.curvature(u * u + l * l)
        pull = np.zeros(pr.n_rows)
        pull[:n] = cv * v[:n]
        system = BorderedSystem(pr, ShiftedSystem(pr, K, 1 / a**2 + v**2), pull, float(cv @ cv))
        f = -pr.h / mu + pr.by_row(pr.F @ (u - l)) - 1 / a + v
        slope = pr.R / mu - float(cv.sum())
        missing = a @ pr.O_rows
        da, dbeta, eta = (part[0] for part in system.solve(-f[None], np.array([-slope]), -missing[None]))
        decrement = -(f @ da + slope * dbeta)
        if not np.isfinite(decrement):
            return None
        if abs(decrement) < CENTRE_DECREMENT:
            return DualCentre(pr, mu, a, beta, g, mu * (u - l), mu * eta, K, system)
        dg = pr.pressures(da)
        room = np.concatenate([dg * u, -dg * l, -da / a, (da[:n] - dbeta * pr.c) * v[:n]]).max()
        step = min(1.0, TO_WALL / room) if room > 0 else 1.0
        a, beta = a + step * da, beta + step * float(dbeta)
    return None

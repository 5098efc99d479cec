"""The linear algebra of the interior point method: one Newton step for a batch of programs.

All programs share one family. Each has its own direction v, and may have one extra column (a probe). Written out, with
w = p - q and one slack per constraint, program by program:

    max  v.w + v_b.b
    s.t. S (F w + O b) + x - s = h                    multipliers a        (hinge rows)
         P_k 1.(p + q) + Q_k c.x + r_k = B_k          multipliers theta    (budgets)
         G w + G_b b - t = g                          multipliers gamma    (constraints; t = 0 for equalities)
         p, q, x, s, r, t >= 0,  b free

S hands the scores F w + O b to the hinge rows; it is 1 where every row has a score of its own. Dual feasibility reads,
with lambda = P.theta and beta = Q.theta,

    z_p = lambda - (v + F'S'a + G'gamma),   z_q = lambda + (v + F'S'a + G'gamma),   z_x = beta c - a,   z_s = a,
    z_r = theta,   z_t = gamma (inequalities),   v_b + O'S'a + G_b'gamma = 0.

Where the objective itself charges for norm and loss, as that of a best model does, these prices are added to lambda and
beta. The equations of z_x, z_s, z_r and z_t hold from the start and a Newton step keeps them, so the multipliers
themselves stand for those prices, and only the rows, the budgets, the constraints, z_p, z_q and the offsets have
residuals.

A Newton step leaves, after elimination, one symmetric positive definite matrix per program, of the size of the features
(F' N F + T_w^-1, N = S' D^-1 S: tall data) or of the scores (F T_w F' + N^-1: wide data), with a border of offsets,
budgets and constraints. N is diagonal, so rows of one score cost no more than one row. The matrices of a batch are one
product with the pairwise products of columns (or scores) of F.

For wide data the unknown is u = S' da. A right hand side f of the rows becomes its mean over the rows of each score,
weighted with D^-1, and what the rows of a score differ from that mean enters the border: with e = E_theta of the rows,
and e~, f~ these means,

    border  -=  e' D^-1 e - e~' N e~,      its right hand side  -=  e' D^-1 f - e~' N f~.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from relspan.engines.interior.array_library import Arrays
from relspan.engines.interior.batch_arrays import BatchArrays, Point

Array = Any


@dataclass(frozen=True, eq=False)
class Residuals:
    """By how much the equations are not satisfied."""

    rows: Array
    budgets: Array
    constraints: Array
    z_p: Array
    z_q: Array
    offsets: Array

    def where(self, kept: Array) -> Residuals:
        return Residuals(*(getattr(self, f.name)[kept] for f in fields(self)))

    def largest(self, xp: Arrays) -> tuple[Array, Array]:
        """The largest primal and the largest dual residual of each program."""
        return (
            xp.largest(abs(self.rows)) + xp.largest(abs(self.budgets)) + xp.largest(abs(self.constraints)),
            xp.largest(abs(self.z_p)) + xp.largest(abs(self.z_q)) + xp.largest(abs(self.offsets)),
        )


def residuals(problem: BatchArrays, at: Point) -> Residuals:
    """The right hand sides of the Newton system that do not depend on the centring."""
    pr, xp, i = problem, problem.xp, problem.n_inequalities
    w = at.w
    a = pr.by_score(at.a)
    pull = pr.v + pr.columns(a) + pr.unconstrained(at.gamma)
    lam = (at.theta @ pr.P)[:, None] + (0.0 if pr.norm_price is None else pr.norm_price)
    value = pr.constrained(w) + at.b @ pr.G_b.T
    slack = xp.concat([at.t, 0 * value[:, i:]], axis=1)
    return Residuals(
        rows=pr.h - pr.by_row(pr.scores(w, at.b)) - at.x + at.s,
        budgets=pr.B - (xp.sum(at.p + at.q) * pr.P + pr.charge(at.x) * pr.Q + at.r),
        constraints=pr.g - (value - slack),
        z_p=lam - pull - at.z_p,
        z_q=lam + pull - at.z_q,
        offsets=-(pr.v_b + pr.offset_sums(a) + at.gamma @ pr.G_b),
    )


class NewtonSystem:
    """The factorised matrix of one step, for several right hand sides; `failed` marks the programs where that failed.

    The unknowns left after elimination are dw (tall) or u = S'da (wide), and the border's y = (db, dtheta, dgamma).
    """

    def __init__(self, problem: BatchArrays, at: Point, missing: Residuals, jitter: float = 0.0) -> None:
        xp = problem.xp
        self.problem, self.at, self.missing = problem, at, missing
        self.T = tuple(x / z for x, z in zip(at.slacks, at.prices, strict=True))
        T_p, T_q, T_x, T_s, _, _ = self.T
        self.T_w, self.D_w = T_p + T_q, T_p - T_q
        self.charged = T_x * problem.c
        self.D_inverse = 1 / (T_x + T_s)
        self.N = problem.by_score(self.D_inverse)
        if problem.tall:
            self.ratio = self.D_w / self.T_w
            matrix = xp.add_diagonal(problem.feature_matrix(self.N), 1 / self.T_w)
        else:
            matrix = xp.add_diagonal(problem.score_matrix(self.T_w), 1 / self.N)
        if jitter:
            matrix = xp.add_diagonal(matrix, jitter * xp.diagonal(matrix))
        self.factor, self.failed = xp.cholesky(matrix)
        self.E, self.border = self._tall_border() if problem.tall else self._wide_border()
        self._solved: tuple[Array, Array] | None = None

    def _tall_border(self) -> tuple[Array, Array]:
        pr, xp, N = self.problem, self.problem.xp, self.N
        weighted = self.D_inverse * self.charged
        weighted_scores = pr.by_score(weighted)
        loss_column = pr.columns(weighted_scores)
        by_offset = [N * pr.O[:, j] for j in range(pr.n_offsets)]
        E_b = [pr.columns(weighted_offset) for weighted_offset in by_offset]
        E_theta = [P * self.ratio - Q * loss_column for P, Q in pr.budget_prices]
        E = xp.stack([*E_b, *E_theta, *(-u for u in pr.constraint_columns())], axis=2)
        norm = xp.dot(self.D_w, self.ratio) - xp.sum(self.T_w)
        loss = xp.dot(weighted - pr.c, self.charged)
        bb = xp.stack([weighted_offset @ pr.O for weighted_offset in by_offset], axis=1) if by_offset else None
        b_theta = -(weighted_scores @ pr.O)[:, :, None] * pr.Q
        theta = xp.add_diagonal(self._theta(norm, loss), -self.T[4])
        return E, self._border(bb, b_theta, -pr.G_b.T, theta, None, None, -self.T[5])

    def _wide_border(self) -> tuple[Array, Array]:
        pr, xp = self.problem, self.problem.xp
        norm_column, self.mean_charged = pr.feature_scores(self.D_w), self._mean(self.charged)
        E_b = [column + 0 * self.N for column in pr.offset_columns()]
        E_theta = [-(P * norm_column + Q * self.mean_charged) for P, Q in pr.budget_prices]
        E_gamma = [pr.feature_scores(self.T_w * u) for u in pr.constraint_columns()]
        E = xp.stack([*E_b, *E_theta, *E_gamma], axis=2)
        spread = self._within_scores(self.charged, self.mean_charged)
        theta = self._theta(xp.sum(self.T_w), pr.charge(self.charged) - spread)
        theta = xp.add_diagonal(theta, self.T[4])
        theta_gamma = -pr.P[:, None] * pr.constrained(self.D_w)[:, None, :]
        gamma = pr.constraint_matrix(self.T_w)
        return E, self._border(None, None, pr.G_b.T, theta, theta_gamma, gamma, self.T[5])

    def _mean(self, values: Array) -> Array:
        """The rows' values as means over the rows of each score, weighted with D^-1."""
        pr = self.problem
        return values if pr.score_of is None else pr.by_score(self.D_inverse * values) / self.N

    def _within_scores(self, values: Array, mean: Array) -> Array:
        """charged' D^-1 values - mean charged' N mean: what the rows of each score differ, as a column."""
        pr, xp = self.problem, self.problem.xp
        if pr.score_of is None:
            return 0 * self.N[:, :1]
        return xp.dot(self.charged, self.D_inverse * (values - pr.by_row(mean)))

    def _of_rows(self, u: Array, f: Array, mean: Array, dbeta: Array) -> Array:
        """da of every row, from u = S'da and the rows' right hand sides f (wide data)."""
        pr = self.problem
        apart = f + self.charged * dbeta + pr.by_row(u / self.N - mean - self.mean_charged * dbeta)
        return self.D_inverse * apart

    def _theta(self, norm: Array, loss: Array) -> Array:
        pr, outer = self.problem, self.problem.xp.outer
        return outer(pr.P, pr.P) * norm[:, :, None] + outer(pr.Q, pr.Q) * loss[:, :, None]

    def _border(
        self,
        bb: Array | None,
        b_theta: Array | None,
        b_gamma: Array,
        theta: Array,
        theta_gamma: Array | None,
        gamma: Array | None,
        T_t: Array,
    ) -> Array:
        """The symmetric block of the border, in the order offsets, budgets, constraints; None is 0."""
        pr, xp = self.problem, self.problem.xp
        k, n_b = pr.n_offsets, pr.B.shape[0]
        b, t, g = slice(0, k), slice(k, k + n_b), slice(k + n_b, None)
        size = k + n_b + pr.g.shape[0]
        full = xp.zeros(pr.v.shape[0], size, size)
        for rows, columns, block in ((b, t, b_theta), (b, g, b_gamma), (t, g, theta_gamma)):
            if block is not None:
                full[:, rows, columns] += block
                full[:, columns, rows] += xp.transpose(block)
        for rows, block in ((b, bb), (t, theta), (g, gamma)):
            if block is not None:
                full[:, rows, rows] += block
        for j in range(pr.n_inequalities):
            full[:, k + n_b + j, k + n_b + j] += T_t[:, j]
        return full

    def step(self, H: tuple[Array, ...]) -> Point:
        """The first-order step; H = (target - x z) / z for every slack x is what centring alone would add to it."""
        pr, xp, missing = self.problem, self.problem.xp, self.missing
        T_p, T_q, T_x, T_s, T_r, T_t = self.T
        i, k, n_b = pr.n_inequalities, pr.n_offsets, pr.B.shape[0]
        h_p, h_q = H[0] - T_p * missing.z_p, H[1] - T_q * missing.z_q
        _, _, h_x, h_s, h_r, h_t = H
        h_w = h_p - h_q
        f = missing.rows - h_x + h_s
        inequality = xp.concat([h_t, 0 * missing.constraints[:, i:]], axis=1)
        sums, paid = xp.sum(h_p + h_q), pr.charge(h_x)
        if pr.tall:
            Df = self.D_inverse * f
            Df_scores = pr.by_score(Df)
            y, dw = self._solve(
                pr.columns(Df_scores) + h_w / self.T_w,
                Df_scores @ pr.O - missing.offsets,
                missing.budgets
                - pr.P * (sums - xp.dot(self.ratio, h_w))
                - pr.Q * (paid + xp.dot(self.charged, Df))
                - h_r,
                -missing.constraints - inequality,
            )
        else:
            mean = self._mean(f)
            y, u = self._solve(
                mean - pr.feature_scores(h_w),
                missing.offsets,
                -missing.budgets + pr.P * sums + pr.Q * (paid + self._within_scores(f, mean)) + h_r,
                missing.constraints - pr.constrained(h_w) + inequality,
            )
        db, dtheta, dgamma = y[:, :k], y[:, k : k + n_b], y[:, k + n_b :]
        dlam, dbeta = (dtheta @ pr.P)[:, None], (dtheta @ pr.Q)[:, None]
        if pr.tall:
            da = Df - self.D_inverse * (pr.by_row(pr.scores(dw, db)) - self.charged * dbeta)
            pull = (dw + self.D_w * dlam - h_w) / self.T_w
        else:
            pull = pr.columns(u) + pr.unconstrained(dgamma)
            da = u if pr.score_of is None else self._of_rows(u, f, mean, dbeta)
        dz_x = pr.c * dbeta - da
        return Point(
            p=T_p * (pull - dlam) + h_p,
            q=h_q - T_q * (pull + dlam),
            x=h_x - T_x * dz_x,
            s=h_s - T_s * da,
            r=h_r - T_r * dtheta,
            t=h_t - T_t * dgamma[:, :i],
            b=db,
            a=da,
            theta=dtheta,
            gamma=dgamma,
            z_p=dlam - pull + missing.z_p,
            z_q=dlam + pull + missing.z_q,
            z_x=dz_x,
        )

    def _solve(self, top: Array, *bottom: Array) -> tuple[Array, Array]:
        """Solve the bordered system: y of the border, and the inner unknown. The first call also solves for E."""
        xp, E_transposed = self.problem.xp, self.problem.xp.transpose(self.E)
        inner = top[:, :, None]
        if self._solved is None:
            both = xp.cholesky_solve(self.factor, xp.concat([self.E, inner], axis=2))
            solved_E, inner = both[:, :, :-1], both[:, :, -1:]
            self._solved = solved_E, self.border - E_transposed @ solved_E
        else:
            inner = xp.cholesky_solve(self.factor, inner)
        solved_E, schur = self._solved
        right = xp.concat(list(bottom), axis=1)[:, :, None]
        y = xp.solve(schur, right - E_transposed @ inner)
        return y[:, :, 0], (inner - solved_E @ y)[:, :, 0]

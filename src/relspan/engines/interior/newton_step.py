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

from dataclasses import dataclass
from typing import Any

from relspan.engines.interior.array_library import Arrays
from relspan.engines.interior.batch_arrays import BatchArrays, with_jitter
from relspan.engines.interior.packed_point import PackedPoint

Array = Any


@dataclass(frozen=True, eq=False)
class Residuals:
    """By how much the equations are not satisfied: those of the rows, of z_p and z_q, and of the border.

    The border has the offsets, the budgets with the opposite sign, and the constraints.
    """

    rows: Array
    prices: Array
    border: Array

    def where(self, kept: Array) -> Residuals:
        return Residuals(self.rows[kept], self.prices[kept], self.border[kept])

    def largest(self, xp: Arrays, n_offsets: int) -> tuple[Array, Array]:
        """The largest primal and the largest dual residual of each program."""
        return (
            xp.largest_size(self.rows) + xp.largest_size(self.border[:, n_offsets:]),
            xp.largest_size(self.prices) + xp.largest_size(self.border[:, :n_offsets]),
        )


def residuals(problem: BatchArrays, at: PackedPoint) -> Residuals:
    """The right hand sides of the Newton system that do not depend on the centring."""
    pr, xp, d = problem, problem.xp, at.d
    w, a = at.w, pr.by_score(at.a)
    pull = pr.v + pr.columns(a)
    lam = (at.theta @ pr.P)[:, None]
    if pr.norm_price is not None:
        lam = lam + pr.norm_price
    offsets = -(pr.v_b + pr.offset_sums(a))
    norm, paid = xp.sum(at.slacks[:, : 2 * d]), pr.charge(at.x)
    budgets = norm * pr.P + paid * pr.Q + at.slacks[:, at.first_budget : at.first_budget + at.n_budgets] - pr.B
    border = [offsets, budgets]
    if pr.g.shape[0]:
        pull = pull + pr.unconstrained(at.gamma)
        border[0] = offsets - at.gamma @ pr.G_b
        missed = pr.g - pr.constrained(w) - at.b @ pr.G_b.T
        missed[:, : pr.n_inequalities] += at.slacks[:, at.first_budget + at.n_budgets :]
        border.append(missed)
    return Residuals(
        rows=pr.h - pr.by_row(pr.scores(w, at.b)) - at.x + at.s,
        prices=xp.concat([lam - pull, lam + pull], axis=1) - at.multipliers[:, : 2 * d],
        border=xp.concat(border, axis=1),
    )


class NewtonSystem:
    """The factorised matrix of one step, for several right hand sides; `failed` marks the programs where that failed.

    The unknowns left after elimination are dw (tall) or u = S'da (wide), and the border's y = (db, dtheta, dgamma).
    """

    def __init__(self, problem: BatchArrays, at: PackedPoint, missing: Residuals, jitter: float = 0.0) -> None:
        xp, d, m = problem.xp, at.d, at.m
        self.problem, self.at, self.missing = problem, at, missing
        self.T = at.slacks / at.prices
        T_p, T_q, T_x = self.T[:, :d], self.T[:, d : 2 * d], self.T[:, 2 * d : 2 * d + m]
        self.T_w, self.D_w = T_p + T_q, T_p - T_q
        self.charged = T_x * problem.c
        D = T_x + self.T[:, 2 * d + m : at.first_budget]
        self.D_inverse = 1 / D
        self.N = problem.by_score(self.D_inverse)
        if problem.tall:
            self.T_w_inverse = 1 / self.T_w
            self.ratio = self.D_w * self.T_w_inverse
            matrix, *of_offsets = problem.feature_matrices(self.N)
            self.factor, self.failed = xp.cholesky(with_jitter(xp, xp.add_diagonal(matrix, self.T_w_inverse), jitter))
            self.E, self.border = self._tall_border(*of_offsets)
        else:
            self.factor, self.failed = problem.factor(self.T_w, D if problem.score_of is None else 1 / self.N, jitter)
            self.E, self.border = self._wide_border()
        self._solved: tuple[Array, Array] | None = None

    def _tall_border(self, FNO: Array, ONO: Array) -> tuple[Array, Array]:
        pr, xp = self.problem, self.problem.xp
        weighted = self.D_inverse * self.charged
        weighted_scores = pr.by_score(weighted)
        of_budgets = xp.stack([self.ratio, -pr.columns(weighted_scores)], axis=2) @ pr.prices
        norm = xp.dot(self.D_w, self.ratio) - xp.sum(self.T_w)
        border = self._border(norm, xp.dot(weighted - pr.c, self.charged), -1.0)
        b, t = slice(0, pr.n_offsets), slice(pr.n_offsets, pr.n_offsets + pr.B.shape[0])
        if pr.n_offsets:
            across = -pr.offset_sums(weighted_scores)[:, :, None] * pr.Q
            border[:, b, b] += ONO
            border[:, b, t] += across
            border[:, t, b] += xp.transpose(across)
        return xp.concat([FNO, of_budgets, -pr.constraint_columns()], axis=2), border

    def _wide_border(self) -> tuple[Array, Array]:
        pr, xp = self.problem, self.problem.xp
        norm_column, self.mean_charged = pr.feature_scores(self.D_w), self._mean(self.charged)
        of_budgets = xp.stack([-norm_column, -self.mean_charged], axis=2) @ pr.prices
        E = [xp.broadcast(pr.O, (*self.N.shape, pr.n_offsets)), of_budgets]
        constraints = pr.constraint_columns()
        E += [pr.feature_scores(self.T_w * constraints[:, :, j])[:, :, None] for j in range(constraints.shape[2])]
        loss = pr.charge(self.charged)
        if pr.score_of is not None:
            loss = loss - self._within_scores(self.charged, self.mean_charged)
        border = self._border(xp.sum(self.T_w), loss, 1.0)
        if pr.g.shape[0]:
            t, g = slice(pr.n_offsets, pr.n_offsets + pr.B.shape[0]), slice(pr.n_offsets + pr.B.shape[0], None)
            across = -pr.P[:, None] * pr.constrained(self.D_w)[:, None, :]
            border[:, t, g] += across
            border[:, g, t] += xp.transpose(across)
            border[:, g, g] += pr.constraint_matrix(self.T_w)
        return xp.concat(E, axis=2), border

    def _border(self, norm: Array, loss: Array, sign: float) -> Array:
        """The block of the border, in the order offsets, budgets, constraints, without what depends on the table."""
        pr, first = self.problem, self.at.first_budget
        of_norm, of_loss, of_offsets = pr.border_parts
        full = norm[:, :, None] * of_norm + loss[:, :, None] * of_loss
        if pr.g.shape[0]:
            full += sign * of_offsets
        k, size = pr.n_offsets, self.at.n_pairs - first
        pr.xp.add_diagonal(full[:, k : k + size, k : k + size], sign * self.T[:, first:])
        return full

    def _mean(self, values: Array) -> Array:
        """The rows' values as means over the rows of each score, weighted with D^-1."""
        pr = self.problem
        return values if pr.score_of is None else pr.by_score(self.D_inverse * values) / self.N

    def _within_scores(self, values: Array, mean: Array) -> Array:
        """charged' D^-1 values - mean charged' N mean: what the rows of each score differ, as a column."""
        pr, xp = self.problem, self.problem.xp
        return xp.dot(self.charged, self.D_inverse * (values - pr.by_row(mean)))

    def _of_rows(self, u: Array, f: Array, mean: Array, dbeta: Array) -> Array:
        """da of every row, from u = S'da and the rows' right hand sides f (wide data)."""
        pr = self.problem
        apart = f + self.charged * dbeta + pr.by_row(u / self.N - mean - self.mean_charged * dbeta)
        return self.D_inverse * apart

    def step(self, H: Array) -> PackedPoint:
        """The first-order step; H = (target - x z) / z for every slack x is what centring alone would add to it.

        Every slack moves by  dx = H - T dz,  so that the step is known with its prices.
        """
        pr, xp, at, missing, T = self.problem, self.problem.xp, self.at, self.missing, self.T
        d, m, k, n_b = at.d, at.m, pr.n_offsets, at.n_budgets
        h = xp.add_product(H[:, : 2 * d], T[:, : 2 * d], missing.prices, -1)
        h_w, h_x = h[:, :d] - h[:, d:], H[:, 2 * d : 2 * d + m]
        f = missing.rows - h_x + H[:, 2 * d + m : at.first_budget]
        norm, loss = xp.sum(h), pr.charge(h_x)
        if pr.tall:
            Df = self.D_inverse * f
            Df_scores = pr.by_score(Df)
            weighted_h = h_w * self.T_w_inverse
            right = self._right(norm - xp.dot(self.D_w, weighted_h), loss + xp.dot(self.charged, Df), H)
            right = -right
            if k:
                right[:, :k] += Df_scores @ pr.O
            y, dw = self._solve(pr.columns(Df_scores) + weighted_h, right)
        else:
            mean = self._mean(f)
            if pr.score_of is not None:
                loss = loss + self._within_scores(f, mean)
            right = self._right(norm, loss, H)
            if pr.g.shape[0]:
                right[:, k + n_b :] -= pr.constrained(h_w)
            y, u = self._solve(mean - pr.feature_scores(h_w), right)
        of_prices = y[:, k : k + n_b] @ pr.prices.T
        dlam, dbeta = of_prices[:, :1], of_prices[:, 1:]
        if pr.tall:
            moved = xp.add_product(pr.by_row(pr.scores(dw, y[:, :k])), self.charged, dbeta, -1)
            da = xp.add_product(Df, self.D_inverse, moved, -1)
            pull = xp.add_product(xp.add_product(-weighted_h, dw, self.T_w_inverse), self.ratio, dlam)
        else:
            pull = pr.columns(u)
            if pr.g.shape[0]:
                pull = pull + pr.unconstrained(y[:, k + n_b :])
            da = u if pr.score_of is None else self._of_rows(u, f, mean, dbeta)
        multipliers = xp.concat([dlam - pull, dlam + pull, pr.c * dbeta - da, da, y[:, k:]], axis=1)
        multipliers[:, : 2 * d] += missing.prices
        slacks = xp.add_product(H, T, multipliers[:, : at.n_pairs], -1)
        return at.with_values(slacks, y[:, :k], multipliers)

    def _right(self, norm: Array, loss: Array, H: Array) -> Array:
        """The border's right hand side for wide data without constraints; for tall data its sign is the other one."""
        pr, first = self.problem, self.at.first_budget
        right = self.missing.border + norm * pr.border_prices[0] + loss * pr.border_prices[1]
        right[:, pr.n_offsets : pr.n_offsets + H.shape[1] - first] += H[:, first:]
        return right

    def _solve(self, top: Array, bottom: Array) -> tuple[Array, Array]:
        """Solve the bordered system: y of the border, and the inner unknown. The first call also solves for E."""
        xp, E_transposed = self.problem.xp, self.problem.xp.transpose(self.E)
        inner = top[:, :, None]
        if self._solved is None:
            both = self.problem.solved(self.factor, xp.concat([self.E, inner], axis=2))
            solved_E, inner = both[:, :, :-1], both[:, :, -1:]
            self._solved = solved_E, self.border - E_transposed @ solved_E
        else:
            inner = self.problem.solved(self.factor, inner)
        solved_E, schur = self._solved
        y = xp.solve(schur, bottom[:, :, None] - E_transposed @ inner)
        return y[:, :, 0], (inner - solved_E @ y)[:, :, 0]

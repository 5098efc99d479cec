"""The linear algebra of the interior point method: one Newton step for a batch of programs.

All programs share one family; each has its own direction v, and may have one column of its own (a probe). Written out,
with w = p - q and one slack a constraint, program by program:

    max  v.w + v_b.b
    s.t. F w + O b + x - s = h                        multipliers a        (hinge rows)
         P_k 1.(p + q) + Q_k c.x + r_k = B_k          multipliers theta    (budgets)
         G w + G_b b - t = g                          multipliers gamma    (constraints; t = 0 for equalities)
         p, q, x, s, r, t >= 0,  b free

Dual feasibility reads, with lambda = P.theta and beta = Q.theta,

    z_p = lambda - (v + F'a + G'gamma),   z_q = lambda + (v + F'a + G'gamma),   z_x = beta c - a,   z_s = a,
    z_r = theta,   z_t = gamma (inequalities),   v_b + O'a + G_b'gamma = 0.

A Newton step leaves, after elimination, one symmetric positive definite matrix a program, of the size of the features
(F' D^-1 F + T_w^-1: tall data) or of the rows (F T_w F' + D: wide data), with a border of offsets, budgets and
constraints. The matrices of a batch are one product with the pairwise products of columns (or rows) of F.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

from relspan.engines.arrays import Arrays

Array = Any


@dataclass(frozen=True, eq=False)
class Problem:
    """A family as arrays of one library, its programs' directions, and their own columns where they have any."""

    xp: Arrays
    F: Array
    O: Array
    h: Array
    c: Array
    G: Array
    G_b: Array
    g: Array
    n_inequalities: int  # the first constraints; the rest are equalities
    P: Array
    Q: Array
    B: Array
    pairs: Array | None  # products of pairs of columns (tall) or rows (wide) of F
    tall: bool
    v: Array  # (programs, features), own columns last
    v_b: Array
    own: Array | None = None  # (programs, rows)

    def programs(self, v: Array, v_b: Array, own: Array | None) -> Problem:
        return replace(self, v=v, v_b=v_b, own=own)

    def where(self, kept: Array) -> Problem:
        """The programs that are kept."""
        own = None if self.own is None else self.own[kept]
        return replace(self, v=self.v[kept], v_b=self.v_b[kept], own=own)

    def rows(self, w: Array) -> Array:
        """F w, (programs, rows)."""
        if self.own is None:
            return w @ self.F.T
        return w[:, :-1] @ self.F.T + w[:, -1:] * self.own

    def columns(self, a: Array) -> Array:
        """F' a, (programs, features)."""
        if self.own is None:
            return a @ self.F
        return self.xp.concat([a @ self.F, self.xp.sum(a * self.own)], axis=1)

    def constrained(self, w: Array) -> Array:
        """G w, (programs, constraints)."""
        return w[:, : self.G.shape[1]] @ self.G.T

    def unconstrained(self, gamma: Array) -> Array:
        """G' gamma, (programs, features)."""
        shared = gamma @ self.G
        return shared if self.own is None else self.xp.concat([shared, 0 * self.v[:, :1]], axis=1)

    def feature_matrix(self, weights: Array) -> Array:
        """F' diag(weights) F, (programs, features, features)."""
        d = self.F.shape[1]
        shared = self._from_pairs(weights, d) if self.pairs is not None else self._one_by_one(weights, self.F)
        if self.own is None:
            return shared
        weighted = weights * self.own
        cross = weighted @ self.F
        corner = self.xp.sum(weighted * self.own)
        top = self.xp.concat([shared, cross[:, :, None]], axis=2)
        bottom = self.xp.concat([cross, corner], axis=1)
        return self.xp.concat([top, bottom[:, None, :]], axis=1)

    def row_matrix(self, weights: Array) -> Array:
        """F diag(weights) F', (programs, rows, rows)."""
        d, m = self.F.shape[1], self.F.shape[0]
        if self.pairs is not None:
            shared = self._from_pairs(weights[:, :d], m)
        else:
            shared = self._one_by_one(weights[:, :d], self.F.T)
        if self.own is None:
            return shared
        return shared + (weights[:, -1:] * self.own)[:, :, None] * self.own[:, None, :]

    def _from_pairs(self, weights: Array, size: int) -> Array:
        return self.xp.symmetric(weights @ self.pairs, size)

    def _one_by_one(self, weights: Array, A: Array) -> Array:
        """A' diag(weights) A where the pairwise products would not fit into memory."""
        return self.xp.stack([(A.T * weights[i]) @ A for i in range(weights.shape[0])])


@dataclass(frozen=True, eq=False)
class Point:
    """A primal-dual point of every program; each array is (programs, size)."""

    p: Array
    q: Array
    x: Array
    s: Array
    r: Array
    t: Array
    b: Array
    a: Array
    theta: Array
    gamma: Array
    z_p: Array
    z_q: Array
    z_x: Array
    z_s: Array
    z_r: Array
    z_t: Array

    @property
    def w(self) -> Array:
        return self.p - self.q

    @property
    def positive(self) -> tuple[Array, ...]:
        return (self.p, self.q, self.x, self.s, self.r, self.t)

    @property
    def prices(self) -> tuple[Array, ...]:
        return (self.z_p, self.z_q, self.z_x, self.z_s, self.z_r, self.z_t)

    def where(self, kept: Array) -> Point:
        return Point(*(getattr(self, f.name)[kept] for f in fields(self)))

    def moved(self, step: Point, primal: Array, dual: Array) -> Point:
        lengths = {"p": primal, "q": primal, "x": primal, "s": primal, "r": primal, "t": primal, "b": primal}
        return Point(*(getattr(self, f.name) + lengths.get(f.name, dual) * getattr(step, f.name) for f in fields(self)))


@dataclass(frozen=True, eq=False)
class Residuals:
    """What is missing in the primal equations and in dual feasibility."""

    rows: Array
    budgets: Array
    constraints: Array
    prices: tuple[Array, ...]
    offsets: Array

    def where(self, kept: Array) -> Residuals:
        return Residuals(
            self.rows[kept],
            self.budgets[kept],
            self.constraints[kept],
            tuple(r[kept] for r in self.prices),
            self.offsets[kept],
        )


def residuals(problem: Problem, at: Point) -> Residuals:
    """The right hand sides of the Newton system that do not depend on the centring."""
    pr, xp, i = problem, problem.xp, problem.n_inequalities
    pull = pr.v + pr.columns(at.a) + pr.unconstrained(at.gamma)
    lam, beta = (at.theta @ pr.P)[:, None], (at.theta @ pr.Q)[:, None]
    value = pr.constrained(at.w) + at.b @ pr.G_b.T
    slack = xp.concat([at.t, 0 * value[:, i:]], axis=1)
    return Residuals(
        rows=pr.h - (pr.rows(at.w) + at.b @ pr.O.T + at.x - at.s),
        budgets=pr.B - (xp.sum(at.p + at.q) * pr.P + (at.x @ pr.c)[:, None] * pr.Q + at.r),
        constraints=pr.g - (value - slack),
        prices=(
            lam - pull - at.z_p,
            lam + pull - at.z_q,
            beta * pr.c - at.a - at.z_x,
            at.a - at.z_s,
            at.theta - at.z_r,
            at.gamma[:, :i] - at.z_t,
        ),
        offsets=-(pr.v_b + at.a @ pr.O + at.gamma @ pr.G_b),
    )


class NewtonSystem:
    """The factorised matrix of one step, good for several right hand sides; `failed` marks where it broke down."""

    def __init__(self, problem: Problem, at: Point, jitter: float = 0.0) -> None:
        xp = problem.xp
        self.problem, self.at = problem, at
        self.T = tuple(x / z for x, z in zip(at.positive, at.prices, strict=True))
        T_p, T_q, T_x, T_s, _, _ = self.T
        self.T_w, self.D_w = T_p + T_q, T_p - T_q
        self.ratio = self.D_w / self.T_w
        self.D_inverse = 1 / (T_x + T_s)
        matrix = (
            xp.add_diagonal(problem.feature_matrix(self.D_inverse), 1 / self.T_w)
            if problem.tall
            else xp.add_diagonal(problem.row_matrix(self.T_w), T_x + T_s)
        )
        if jitter:
            matrix = xp.add_diagonal(matrix, jitter * xp.diagonal(matrix))
        self.factor, self.failed = xp.cholesky(matrix)
        self.E, border = self._tall_border() if problem.tall else self._wide_border()
        self.solved_E = xp.cholesky_solve(self.factor, self.E)
        self.schur = border - xp.transpose(self.E) @ self.solved_E

    def _tall_border(self) -> tuple[Array, Array]:
        pr, xp, D = self.problem, self.problem.xp, self.D_inverse
        T_x, T_r, T_t = self.T[2], self.T[4], self.T[5]
        charged = D * T_x * pr.c
        E_b = [pr.columns(D * pr.O[:, j]) for j in range(pr.O.shape[1])]
        loss_column = pr.columns(charged)
        E_theta = [float(P) * self.ratio - float(Q) * loss_column for P, Q in zip(pr.P, pr.Q, strict=True)]
        E_gamma = [-pr.unconstrained(xp.unit(pr.v.shape[0], pr.G.shape[0], j)) for j in range(pr.G.shape[0])]
        E = xp.stack([*E_b, *E_theta, *E_gamma], axis=2)
        norm = xp.sum(self.D_w * self.ratio) - xp.sum(self.T_w)
        loss = xp.sum(charged * T_x * pr.c) - xp.sum(T_x * pr.c * pr.c)
        bb = xp.transpose(pr.O) @ (D[:, :, None] * pr.O)
        b_theta = -(charged @ pr.O)[:, :, None] * pr.Q
        theta = xp.outer(pr.P, pr.P) * norm[:, :, None] + xp.outer(pr.Q, pr.Q) * loss[:, :, None]
        theta = xp.add_diagonal(theta, -T_r)
        return E, self._border(bb, b_theta, -pr.G_b.T, theta, 0 * xp.outer(pr.P, pr.g), None, -T_t)

    def _wide_border(self) -> tuple[Array, Array]:
        pr, xp = self.problem, self.problem.xp
        T_x, T_r, T_t = self.T[2], self.T[4], self.T[5]
        d = pr.G.shape[1]
        norm_column, loss_column = pr.rows(self.D_w), T_x * pr.c
        E_b = [pr.O[:, j] + 0 * loss_column for j in range(pr.O.shape[1])]
        E_theta = [-(float(P) * norm_column + float(Q) * loss_column) for P, Q in zip(pr.P, pr.Q, strict=True)]
        units = [pr.unconstrained(xp.unit(pr.v.shape[0], pr.G.shape[0], j)) for j in range(pr.G.shape[0])]
        E_gamma = [pr.rows(self.T_w * u) for u in units]
        E = xp.stack([*E_b, *E_theta, *E_gamma], axis=2)
        norm, loss = xp.sum(self.T_w), xp.sum(T_x * pr.c * pr.c)
        theta = xp.outer(pr.P, pr.P) * norm[:, :, None] + xp.outer(pr.Q, pr.Q) * loss[:, :, None]
        theta = xp.add_diagonal(theta, T_r)
        theta_gamma = -pr.P[:, None] * (self.D_w[:, :d] @ pr.G.T)[:, None, :]
        gamma = pr.G @ (self.T_w[:, :d, None] * pr.G.T)
        k = pr.O.shape[1]
        return E, self._border(
            0 * xp.outer(pr.O[0], pr.O[0])[:k, :k],
            0 * xp.outer(pr.O[0], pr.Q),
            pr.G_b.T,
            theta,
            theta_gamma,
            gamma,
            T_t,
        )

    def _border(
        self,
        bb: Array,
        b_theta: Array,
        b_gamma: Array,
        theta: Array,
        theta_gamma: Array,
        gamma: Array | None,
        T_t: Array,
    ) -> Array:
        """The border's own symmetric block, rows and columns in the order offsets, budgets, constraints."""
        xp, pr = self.problem.xp, self.problem
        k, n_b, n_g, i = pr.O.shape[1], pr.B.shape[0], pr.g.shape[0], pr.n_inequalities
        full = xp.zeros(pr.v.shape[0], k + n_b + n_g, k + n_b + n_g)
        full[:, :k, :k] += bb
        full[:, :k, k : k + n_b] += b_theta
        full[:, k : k + n_b, :k] += xp.transpose(b_theta)
        full[:, :k, k + n_b :] += b_gamma
        full[:, k + n_b :, :k] += xp.transpose(b_gamma)
        full[:, k : k + n_b, k : k + n_b] += theta
        full[:, k : k + n_b, k + n_b :] += theta_gamma
        full[:, k + n_b :, k : k + n_b] += xp.transpose(theta_gamma)
        if gamma is not None:
            full[:, k + n_b :, k + n_b :] += gamma
        for j in range(i):
            full[:, k + n_b + j, k + n_b + j] += T_t[:, j]
        return full

    def step(self, missing: Residuals, targets: tuple[Array, ...]) -> Point:
        """The step after which x z would equal x z + target, to first order, and all equations would hold."""
        pr, xp, at, i = self.problem, self.problem.xp, self.at, self.problem.n_inequalities
        T_p, T_q, T_x, T_s, T_r, T_t = self.T
        H = tuple(rc / z - T * rd for rc, z, T, rd in zip(targets, at.prices, self.T, missing.prices, strict=True))
        h_p, h_q, h_x, h_s, h_r, h_t = H
        h_w = h_p - h_q
        f = missing.rows - h_x + h_s
        k, n_b = pr.O.shape[1], pr.B.shape[0]
        inequality = xp.concat([h_t, 0 * missing.constraints[:, i:]], axis=1)
        sums, paid = xp.sum(h_p + h_q), (h_x @ pr.c)[:, None]
        if pr.tall:
            Df = self.D_inverse * f
            top = pr.columns(Df) + h_w / self.T_w
            bottom = [
                Df @ pr.O - missing.offsets,
                missing.budgets
                - pr.P * (sums - xp.sum(self.ratio * h_w))
                - pr.Q * (paid + xp.sum(T_x * pr.c * Df))
                - h_r,
                -missing.constraints - inequality,
            ]
        else:
            top = f - pr.rows(h_w)
            bottom = [
                missing.offsets,
                -missing.budgets + pr.P * sums + pr.Q * paid + h_r,
                missing.constraints - pr.constrained(h_w) + inequality,
            ]
        y, inner = self._solve(top, xp.concat(bottom, axis=1))
        db, dtheta, dgamma = y[:, :k], y[:, k : k + n_b], y[:, k + n_b :]
        dlam, dbeta = (dtheta @ pr.P)[:, None], (dtheta @ pr.Q)[:, None]
        if pr.tall:
            da = self.D_inverse * (f - pr.rows(inner) - db @ pr.O.T + T_x * pr.c * dbeta)
            pull = (inner + self.D_w * dlam - h_w) / self.T_w
        else:
            da = inner
            pull = pr.columns(da) + pr.unconstrained(dgamma)
        dp, dq = T_p * (pull - dlam) + h_p, T_q * (-pull - dlam) + h_q
        dx, ds = T_x * (da - pr.c * dbeta) + h_x, h_s - T_s * da
        dr, dt = h_r - T_r * dtheta, h_t - T_t * dgamma[:, :i]
        moves = (dp, dq, dx, ds, dr, dt)
        dz = [(rc - z * move) / x for rc, z, move, x in zip(targets, at.prices, moves, at.positive, strict=True)]
        return Point(dp, dq, dx, ds, dr, dt, db, da, dtheta, dgamma, *dz)

    def _solve(self, top: Array, bottom: Array) -> tuple[Array, Array]:
        """The bordered system: y of the border, and the inner unknown (dw or da)."""
        xp = self.problem.xp
        inner = xp.cholesky_solve(self.factor, top[:, :, None])
        y = xp.solve(self.schur, bottom[:, :, None] - xp.transpose(self.E) @ inner)
        return y[:, :, 0], (inner - self.solved_E @ y)[:, :, 0]

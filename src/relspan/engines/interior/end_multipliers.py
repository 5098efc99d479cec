"""Multipliers of single ends: a few Newton steps of their own, from the shared centre of the dual polytope.

The end (j, s) asks how large s w_j can be. Around a value z of it the multipliers that prove most are near the centre
of

    phi_j(a, beta) - (a.(h - s z F_j) - beta R) / mu

where phi_j is the barrier of `dual_polytope` with the far side of the own column left open: of its two logarithms only
-log(1 - s g_j) stays. So the own column, real or appended, is kept apart from the others.

The first step is that of the shared centre, -s t (Q_j, its beta) for some length t, and costs a product. The further
ones have a matrix of their own,

    F W F' + w_j F_j F_j' + N^-1,     F W F' = the shared centre's + sum over the columns that changed most,

in single precision: a step need not be exact, since what it proves is evaluated afterwards.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import lapack

from relspan.arrays import Bools, Floats, Ints
from relspan.engines.interior.dual_centre import DualCentre
from relspan.engines.interior.dual_polytope import DualPolytope

CHANGED_COLUMNS = 100  # whose weights enter the matrix of a single end
TO_WALL = 0.9


@dataclass(frozen=True, eq=False)
class EndPoints:
    """Points (a, beta) of some ends; `own` is the feature of each, or -1 where its column is an appended one."""

    polytope: DualPolytope
    own: Ints
    signs: Floats
    columns: Floats  # (ends, scores): the own columns
    a: Floats
    beta: Floats

    def where(self, kept: Bools | Ints) -> EndPoints:
        parts = ("own", "signs", "columns", "a", "beta")
        return replace(self, **{name: getattr(self, name)[kept] for name in parts})

    def cleared(self, values: Floats, value: float = 0.0) -> Floats:
        """Values of all features, (ends, features), with those of the own feature replaced."""
        real = np.flatnonzero(self.own >= 0)
        values[real, self.own[real]] = value
        return values

    def own_pressures(self, a: Floats) -> Floats:
        return np.asarray(np.vecdot(self.polytope.by_score(a), self.columns))

    def moved(self, step: EndStep, share: Any) -> EndPoints:
        return replace(self, a=self.a + np.expand_dims(share, -1) * step.a, beta=self.beta + share * step.beta)


@dataclass(frozen=True, eq=False)
class EndStep:
    """A direction (da, dbeta) of every end, and how far beyond the nearest wall it would go, as 1 / share."""

    a: Floats
    beta: Floats
    beyond: Floats

    def share(self, to_wall: float) -> Floats:
        """The share of the step that stops before the nearest wall, at most 1."""
        return np.asarray(np.minimum(1.0, to_wall / np.maximum(self.beyond, np.finfo(float).tiny)))


def end_points(centre: DualCentre, own: Ints, signs: Floats, columns: Floats, lengths: Floats) -> EndPoints:
    """The points after the shared centre's step of these lengths, or as far as the walls allow."""
    pr = centre.polytope
    Q, beta, _ = centre.responses(columns)
    size = -signs * lengths
    start = EndPoints(
        pr, own, signs, columns, np.broadcast_to(centre.a, Q.shape), np.broadcast_to(centre.beta, len(own))
    )
    step = _towards(start, start.cleared(np.tile(centre.pressures, (len(own), 1))), size[:, None] * Q, size * beta)
    return start.moved(step, step.share(TO_WALL))


def _towards(at: EndPoints, g: Floats, da: Floats, dbeta: Floats) -> EndStep:
    """The step (da, dbeta) from points with these pressures."""
    pr, n = at.polytope, at.polytope.n_hinge
    dg = at.cleared(pr.pressures(da))
    with np.errstate(all="ignore"):
        walls = [
            np.max(dg / (1 - g), axis=1, initial=0.0),
            np.max(-dg / (1 + g), axis=1, initial=0.0),
            np.max(-da / at.a, axis=1),
            np.max((da[:, :n] - dbeta[:, None] * pr.c) / (at.beta[:, None] * pr.c - at.a[:, :n]), axis=1),
            at.signs * at.own_pressures(da) / (1 - at.signs * at.own_pressures(at.a)),
        ]
    return EndStep(da, dbeta, np.max(walls, axis=0))


def newton_step(centre: DualCentre, at: EndPoints, z: Floats, mu: float) -> tuple[EndStep, Bools]:
    """A Newton step of every end around its value z, and which of them have none (0 is returned for these)."""
    pr, n, k = at.polytope, at.polytope.n_hinge, at.polytope.O.shape[1]
    count = len(at.own)
    g = at.cleared(pr.pressures(at.a))
    u, l = at.cleared(1 / (1 - g)), at.cleared(1 / (1 + g))
    nearness = 1 / (1 - at.signs * at.own_pressures(at.a))  # of the own column's near side
    v = np.zeros_like(at.a)
    v[:, :n] = 1 / (at.beta[:, None] * pr.c - at.a[:, :n])
    cv = pr.c * v[:, :n]
    pull = np.zeros_like(v)
    pull[:, :n] = cv * v[:, :n]
    heights = pr.h - pr.by_row((at.signs * z)[:, None] * at.columns)
    f = -heights / mu + pr.by_row((u - l) @ pr.F.T + (at.signs * nearness)[:, None] * at.columns) - 1 / at.a + v
    E = np.concatenate([-pull[:, None, :], np.broadcast_to(pr.O_rows.T, (count, k, pr.n_rows))], axis=1)
    right = np.concatenate([-f[:, None, :], E], axis=1)
    solved, failed = _solved(centre, at, u * u + l * l, nearness**2, 1 / at.a**2 + v**2, right)
    inner, solved_E = solved[:, 0], solved[:, 1:]
    schur = -E @ solved_E.transpose(0, 2, 1)
    schur[:, 0, 0] += np.vecdot(cv, cv)
    sums = np.column_stack([cv.sum(axis=1) - pr.R / mu, -at.a @ pr.O_rows])
    y = _small_solutions(schur, sums - np.einsum("kei,ki->ke", E, inner))
    da, dbeta = inner - np.einsum("ke,kei->ki", y, solved_E), y[:, 0]
    failed |= ~np.isfinite(da.sum(axis=1) + dbeta)
    da[failed], dbeta[failed] = 0.0, 0.0
    return _towards(at, g, da, dbeta), failed


def _small_solutions(matrices: Floats, right: Floats) -> Floats:
    try:
        return np.asarray(np.linalg.solve(matrices, right[:, :, None])[:, :, 0])
    except np.linalg.LinAlgError:
        return np.full_like(right, np.nan)


def _solved(
    centre: DualCentre, at: EndPoints, weights: Floats, own_weights: Floats, D: Floats, right: Floats
) -> tuple[Floats, Bools]:
    """(S K S' + D)^-1 right for every end, K its own matrix; see `ShiftedSystem`."""
    pr, failed = at.polytope, np.zeros(len(D), dtype=bool)
    N = pr.by_score(1 / D)
    sums = pr.by_score(right / D[:, None, :])
    tops = (sums / N[:, None, :]).astype(np.float32)
    change = weights - centre.column_weights
    rank = min(CHANGED_COLUMNS, change.shape[1])
    chosen = np.argpartition(-np.abs(change), rank - 1, axis=1)[:, :rank]
    diagonal, columns = np.diag_indices(pr.n_scores), at.columns.astype(np.float32)
    u = np.empty_like(sums)
    for i, which in enumerate(chosen):
        A = np.vstack([centre.single_rows[which], columns[i : i + 1]])
        size = np.append(change[i, which], own_weights[i]).astype(np.float32)
        matrix = centre.single_curvature + A.T @ (A * size[:, None])
        matrix[diagonal] += (1 / N[i]).astype(np.float32)
        factor, info = lapack.spotrf(matrix.T, lower=1, clean=0, overwrite_a=1)
        if info:
            failed[i], u[i] = True, 0.0
            continue
        u[i] = lapack.spotrs(factor, tops[i].T, lower=1)[0].T
    if pr.score_of is None:
        return u, failed
    return (right - pr.by_row((sums - u) / N[:, None, :])) / D[:, None, :], failed

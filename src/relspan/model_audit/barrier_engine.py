"""Ranges over a smooth family by a barrier method, many directions at a time.

For a direction v and a rising t the point

    min  -t v.z  -  sum_k log(room of budget k)  -  sum_j log(u_j + w_j) + log(u_j - w_j)  -  logs of the box's rooms

follows the central path to  max v.z  over the family; u_j >= |w_j| stands for |w_j| where the penalty has an L1 part.
Every point of the path lies inside the family, so its value is attained, and 1 / (t room) are prices of the budgets, so
that it has a certificate (`smooth_family`): their difference is about (number of logarithms) / t. All directions start
from the family's analytic centre, t = 0, and end once the certified gap is small, or once a caller has seen enough.

A Newton step needs one system of d + 1 unknowns per direction: the u_j are eliminated one by one, and the budgets,
whose part of the Hessian has rank one each, are added by the Woodbury formula.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from relspan.arrays import Bools, Floats
from relspan.errors import SolverError
from relspan.model_audit.smooth_family import SmoothFamily
from relspan.tolerances import BARRIER_DECREMENT, BARRIER_GAP, SUM_ROUNDING

T_FACTORS = (20.0, 5.0)  # from one t to the next, without and with an L1 part, whose corners need small steps
FIRST_T = 1.0  # in units of the width of the family at its centre
MOST_OUTER, MOST_NEWTON, MOST_HALVINGS = 20, 60, 40
ARMIJO, TO_WALL = 0.1, 0.99
LEAST_PROGRESS = 0.8  # of the gap may be left after a step of t; where more is left, rounding stands in the way
NUMBERS_AT_ONCE = 4_000_000  # of the largest array of a batch


@dataclass(frozen=True, eq=False)
class SmoothMaxima:
    """The maxima of some directions: values <= truth <= bounds, and the models (rows) that attain the values."""

    values: Floats
    bounds: Floats
    models: Floats

    @property
    def gaps(self) -> Floats:
        return self.bounds - self.values


Enough = Callable[[Floats, Floats], Bools]
"""Which directions need no more work, given what they attain and what is proven."""


class BarrierEngine:
    """Ranges over one smooth family; see the module's text."""

    name = "barrier"

    def __init__(self, family: SmoothFamily) -> None:
        self.family = family
        self._has_l1 = bool(family.l1.any())
        self._A = family.coefficients
        self._limits = np.array([b.limit for b in family.budgets])
        self._p = np.array([b.norm_price for b in family.budgets])
        self._q = np.array([b.loss_price for b in family.budgets])
        self._centre = self._analytic_centre()

    def maxima(self, directions: Floats, gap: float = BARRIER_GAP, enough: Enough | None = None) -> SmoothMaxima:
        """The largest value of each direction (a row over (w, b)), to a certified gap that is a share of its range."""
        size = max(1, NUMBERS_AT_ONCE // self._A.size)
        parts = [
            self._batch(directions[i : i + size], gap, enough and _of_part(enough, i, size, len(directions)))
            for i in range(0, len(directions), size)
        ]
        return SmoothMaxima(*(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS))

    def _batch(self, V: Floats, gap: float, enough: Enough | None) -> SmoothMaxima:
        count, m = len(V), self._A.shape[1]
        z, u = np.repeat(self._centre[0], count, axis=0), np.repeat(self._centre[1], count, axis=0)
        centre = _Point(self, self._centre[0], self._centre[1])
        step = centre.solve(np.hstack([V, np.zeros((count, u.shape[1]))]))[:, :m]
        width = np.sqrt(np.maximum(np.einsum("ij,ij->i", V, step), np.finfo(float).tiny))
        values, bounds, models = np.einsum("ij,ij->i", V, z), np.full(count, np.inf), z.copy()
        live, t = np.flatnonzero(np.abs(V).any(axis=1)), FIRST_T / width
        nothing = np.setdiff1d(np.arange(count), live)
        values[nothing] = bounds[nothing] = 0.0
        for _ in range(MOST_OUTER):
            if not len(live):
                break
            z[live], u[live] = self._followed(z[live], u[live], t[live, None] * V[live])
            attained = np.einsum("ij,ij->i", V[live], z[live])
            proven = self.family.bounds(V[live], z[live], 1.0 / (t[live, None] * self._rooms(z[live], u[live])))
            better, before = attained > values[live], bounds[live] - values[live]
            values[live[better]], models[live[better]] = attained[better], z[live[better]]
            bounds[live] = np.minimum(bounds[live], proven)
            gaps = bounds[live] - values[live]
            done = (gaps <= gap * width[live]) | (gaps > LEAST_PROGRESS * before)
            done |= False if enough is None else enough(values, bounds)[live]
            live = live[~done]
            t[live] *= T_FACTORS[self._has_l1]
        return SmoothMaxima(values, bounds, models)

    def _followed(self, z: Floats, u: Floats, pull: Floats) -> tuple[Floats, Floats]:
        """The minimisers of the barrier function with these pulls t v, by Newton's method from (z, u)."""
        left = np.arange(len(z))
        for _ in range(MOST_NEWTON):
            point = _Point(self, z[left], u[left])
            gradient = point.gradient(pull[left])
            step = -point.solve(gradient)
            decrement = -np.einsum("ij,ij->i", gradient, step)
            moved = decrement > BARRIER_DECREMENT
            if not moved.any():
                break
            left = left[moved]
            share = point.where(moved).step_length(step[moved], pull[left], decrement[moved])
            stuck = share == 0
            z[left] += share[:, None] * step[moved][:, : z.shape[1]]
            u[left] += share[:, None] * step[moved][:, z.shape[1] :]
            left = left[~stuck]
            if not len(left):
                break
        return z, u

    def _rooms(self, z: Floats, u: Floats) -> Floats:
        """(points, budgets): what the budgets leave, with u in the place of |w|."""
        f, w = self.family, z[:, : self.family.n_features]
        size = u @ f.l1 if self._has_l1 else np.zeros(len(z))
        P, loss = size + 0.5 * w**2 @ f.l2, f.loss.value(z)
        return np.asarray(self._limits - np.outer(P, self._p) - np.outer(loss, self._q))

    def _analytic_centre(self) -> tuple[Floats, Floats]:
        """The point that is best without a direction, from the fitted model on."""
        f, z = self.family, self.family.centre[None].copy()
        w = z[:, : f.n_features]
        u = np.zeros((1, 0))
        if self._has_l1:
            room = float((self._limits - self._p * f.penalty(z) - self._q * f.loss.value(z)).min())
            u = np.abs(w) + 0.5 * room / (max(float(self._p.max()), np.finfo(float).tiny) * f.l1 * len(f.l1))
        if not (self._rooms(z, u) > 0).all():
            raise SolverError("the fitted model has no room in its own family")
        return self._followed(z, u, np.zeros_like(z))


_FIELDS = ("values", "bounds", "models")


def _of_part(enough: Enough, first: int, size: int, count: int) -> Enough:
    """The same question about a part of the directions: what is known of the others does not matter."""

    def asked(values: Floats, bounds: Floats) -> Bools:
        whole = np.zeros(count), np.full(count, np.inf)
        whole[0][first : first + size], whole[1][first : first + size] = values, bounds
        return enough(*whole)[first : first + size]

    return asked


@dataclass(eq=False)
class _Point:
    """Some points (z, u) with what a Newton step needs there."""

    engine: BarrierEngine
    z: Floats
    u: Floats

    def __post_init__(self) -> None:
        f = self.engine.family
        self.arguments = f.loss.heights - self.z @ self.engine._A.T
        self.rooms = self.engine._rooms(self.z, self.u)
        self.inner, self.outer = f.centre + f.box - self.z, self.z - f.centre + f.box

    def where(self, which: Bools) -> _Point:
        """Some of the points."""
        return _Point(self.engine, self.z[which], self.u[which])

    @property
    def _sides(self) -> tuple[Floats, Floats]:
        """u + w and u - w."""
        w = self.z[:, : self.engine.family.n_features]
        return self.u + w, self.u - w

    def budget_gradients(self) -> Floats:
        """(points, budgets, m + u): the gradient of what each budget limits."""
        e, f = self.engine, self.engine.family
        slopes = -(f.loss.curve.slope(self.arguments) * f.loss.costs) @ e._A
        w = self.z[:, : f.n_features]
        found = e._q[:, None] * slopes[:, None, :]
        found[:, :, : f.n_features] += e._p[:, None] * (f.l2 * w)[:, None, :]
        if not e._has_l1:
            return np.asarray(found)
        more = np.broadcast_to(e._p[:, None] * f.l1, (len(w), len(e._p), f.n_features))
        return np.concatenate([found, more], axis=2)

    def gradient(self, pull: Floats) -> Floats:
        """Of the barrier function, (points, m + u)."""
        m = self.z.shape[1]
        found = np.einsum("kb,kbm->km", 1.0 / self.rooms, self.budget_gradients())
        found[:, :m] += 1.0 / self.inner - 1.0 / self.outer - pull
        if self.engine._has_l1:
            plus, minus = self._sides
            found[:, : plus.shape[1]] += 1.0 / minus - 1.0 / plus
            found[:, m:] -= 1.0 / minus + 1.0 / plus
        return np.asarray(found)

    def solve(self, right: Floats) -> Floats:
        """H^-1 of one right hand side per point (or of several ones at a single point)."""
        e, f, A = self.engine, self.engine.family, self.engine._A
        d, m, single = f.n_features, self.z.shape[1], len(self.z) == 1
        weight = f.loss.curve.curvature(self.arguments) * f.loss.costs * ((1.0 / self.rooms) @ e._q)[:, None]
        H = (A.T[None] * weight[:, None, :]) @ A
        place = np.arange(m)
        H[:, place, place] += 1.0 / self.inner**2 + 1.0 / self.outer**2
        H[:, place[:d], place[:d]] += ((1.0 / self.rooms) @ e._p)[:, None] * f.l2
        budgets = np.swapaxes(self.budget_gradients() / self.rooms[:, :, None], 1, 2)  # (points, m + u, budgets)
        columns = right.T[None] if single else right[:, :, None]
        together = np.concatenate([columns, budgets], axis=2)
        top = together[:, :m]
        if e._has_l1:
            plus, minus = self._sides
            both, across = 1.0 / plus**2 + 1.0 / minus**2, 1.0 / plus**2 - 1.0 / minus**2
            H[:, place[:d], place[:d]] += both - across**2 / both
            top = top.copy()
            top[:, :d] -= (across / both)[:, :, None] * together[:, m:]
        try:
            found = np.linalg.solve(H, top)
        except np.linalg.LinAlgError:
            H[:, place, place] *= 1.0 + BARRIER_DECREMENT
            found = np.linalg.solve(H, top)
        if e._has_l1:
            rest = (together[:, m:] - across[:, :, None] * found[:, :d]) / both[:, :, None]
            found = np.concatenate([found, rest], axis=1)
        count = columns.shape[2]
        y, Y = found[:, :, :count], found[:, :, count:]
        border = np.eye(budgets.shape[2]) + np.swapaxes(budgets, 1, 2) @ Y
        y = y - Y @ np.linalg.solve(border, np.swapaxes(budgets, 1, 2) @ y)
        return np.asarray(y[0].T if single and len(right) != 1 else y[:, :, 0])

    def step_length(self, step: Floats, pull: Floats, decrement: Floats) -> Floats:
        """How much of each step to take: it stays inside, and the barrier function falls enough; 0 where it cannot."""
        m = self.z.shape[1]
        dz, du = step[:, :m], step[:, m:]
        share = np.minimum(1.0, TO_WALL * self._to_walls(dz, du))
        before = self._barrier(self.z, self.u, pull)
        noise = SUM_ROUNDING * len(self.engine._A) * np.abs(before)  # far out a step gains less than rounding shows
        open_ones = np.arange(len(step))
        for _ in range(MOST_HALVINGS):
            part = share[open_ones, None]
            z, u = self.z[open_ones] + part * dz[open_ones], self.u[open_ones] + part * du[open_ones]
            after = self._barrier(z, u, pull[open_ones])
            needed = ARMIJO * share[open_ones] * decrement[open_ones] - noise[open_ones]
            fine = after <= before[open_ones] - needed
            open_ones = open_ones[~fine]
            if not len(open_ones):
                return share
            share[open_ones] *= 0.5
        share[open_ones] = 0.0  # nothing is left to gain at this precision
        return share

    def _to_walls(self, dz: Floats, du: Floats) -> Floats:
        """The step at which the first linear limit is met."""
        rooms, falls = [self.inner, self.outer], [dz, -dz]
        if self.engine._has_l1:
            dw = dz[:, : du.shape[1]]
            rooms, falls = [*rooms, *self._sides], [*falls, -(du + dw), -(du - dw)]
        fall, room = np.hstack(falls), np.hstack(rooms)
        with np.errstate(divide="ignore"):
            return np.asarray(np.where(fall > 0, room / np.where(fall > 0, fall, 1.0), np.inf).min(axis=1))

    def _barrier(self, z: Floats, u: Floats, pull: Floats) -> Floats:
        """The barrier function; infinite outside."""
        e, f = self.engine, self.engine.family
        logs = [e._rooms(z, u), f.centre + f.box - z, z - f.centre + f.box]
        if e._has_l1:
            w = z[:, : f.n_features]
            logs += [u + w, u - w]
        rooms = np.hstack(logs)
        inside = (rooms > 0).all(axis=1)
        value = -np.einsum("ij,ij->i", pull, z) - np.log(np.where(rooms > 0, rooms, 1.0)).sum(axis=1)
        return np.asarray(np.where(inside, value, np.inf))

"""A primal-dual point of a batch with all slacks side by side in one array, and their prices in another.

    slacks       p    q    x    s   r      t
    multipliers  z_p  z_q  z_x  a   theta  gamma (inequalities, then equalities, which have no slack)

A Newton step treats every slack and its price alike: their ratio, their product, the way to the nearest wall, the step
itself. On packed arrays each of these is one operation on the whole batch, in place of one per kind of slack.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from relspan.engines.interior.array_library import Arrays
from relspan.engines.interior.batch_arrays import BatchArrays, Point

Array = Any


@dataclass(frozen=True, eq=False)
class PackedPoint:
    """Slacks (programs, pairs), offsets b, and multipliers (programs, pairs and equalities); views name their parts.

    `d` and `m` count the weights and the hinge rows, `n_budgets` the budgets.
    """

    slacks: Array
    b: Array
    multipliers: Array
    d: int
    m: int
    n_budgets: int

    @property
    def n_pairs(self) -> int:
        return int(self.slacks.shape[1])

    @property
    def prices(self) -> Array:
        """The multipliers that are prices of slacks."""
        return self.multipliers[:, : self.n_pairs]

    @property
    def p(self) -> Array:
        return self.slacks[:, : self.d]

    @property
    def q(self) -> Array:
        return self.slacks[:, self.d : 2 * self.d]

    @property
    def w(self) -> Array:
        return self.p - self.q

    @property
    def x(self) -> Array:
        return self.slacks[:, 2 * self.d : 2 * self.d + self.m]

    @property
    def s(self) -> Array:
        return self.slacks[:, 2 * self.d + self.m : self.first_budget]

    @property
    def z_x(self) -> Array:
        return self.multipliers[:, 2 * self.d : 2 * self.d + self.m]

    @property
    def a(self) -> Array:
        return self.multipliers[:, 2 * self.d + self.m : self.first_budget]

    @property
    def first_budget(self) -> int:
        """Where the slacks and prices of weights and hinge rows end."""
        return 2 * (self.d + self.m)

    @property
    def theta(self) -> Array:
        return self.multipliers[:, self.first_budget : self.first_budget + self.n_budgets]

    @property
    def gamma(self) -> Array:
        return self.multipliers[:, self.first_budget + self.n_budgets :]

    def with_values(self, slacks: Array, b: Array, multipliers: Array) -> PackedPoint:
        return PackedPoint(slacks, b, multipliers, self.d, self.m, self.n_budgets)

    def where(self, kept: Array) -> PackedPoint:
        """The programs that are kept."""
        return self.with_values(self.slacks[kept], self.b[kept], self.multipliers[kept])

    def put(self, place: Array, those: PackedPoint) -> None:
        """Write the programs of another point into some places of this one."""
        self.slacks[place], self.b[place], self.multipliers[place] = those.slacks, those.b, those.multipliers

    def unless(self, xp: Arrays, stays: Array, at: PackedPoint) -> PackedPoint:
        """This point, but for the programs that stay where they are (a column of booleans)."""
        return self.with_values(
            xp.where(stays, at.slacks, self.slacks),
            xp.where(stays, at.b, self.b),
            xp.where(stays, at.multipliers, self.multipliers),
        )

    def unpacked(self) -> Point:
        """The same as named arrays."""
        d, m, first = self.d, self.m, self.first_budget
        return Point(
            p=self.p,
            q=self.q,
            x=self.x,
            s=self.s,
            r=self.slacks[:, first : first + self.n_budgets],
            t=self.slacks[:, first + self.n_budgets :],
            b=self.b,
            a=self.a,
            theta=self.theta,
            gamma=self.gamma,
            z_p=self.multipliers[:, :d],
            z_q=self.multipliers[:, d : 2 * d],
            z_x=self.multipliers[:, 2 * d : 2 * d + m],
        )


def packed(problem: BatchArrays, at: Point) -> PackedPoint:
    """A point, packed."""
    xp = problem.xp
    return PackedPoint(
        xp.concat([at.p, at.q, at.x, at.s, at.r, at.t], axis=1),
        at.b,
        xp.concat([at.z_p, at.z_q, at.z_x, at.a, at.theta, at.gamma], axis=1),
        int(at.p.shape[1]),
        int(at.x.shape[1]),
        int(at.r.shape[1]),
    )

"""Certificates of a whole batch where its arrays are: `certificates` written for the library of the batched engine.

Both halves of a proof are the formulas of `certificates`, in double precision. A model that sticks out by e is moved by
the share e / (e + room) towards one anchor with room: of those that have much, the one with the fewest weights. Nothing
else is tried here: a program that this does not prove is left to `certificates.certify` on the host, as is a family
with constraints or without an anchor inside.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats
from relspan.engines.certificates import CertifiedMaxima
from relspan.engines.interior.array_library import Arrays
from relspan.engines.interior.batch_arrays import BatchArrays
from relspan.family import Family
from relspan.tolerances import LARGEST_PULL, LEAST_LOSS_LIMIT, PULL_FACTOR, SMALLEST_PULL, SUM_ROUNDING

Array = Any
ENOUGH_ROOM = 0.1  # of an anchor, as a share of the room of the one that has most


@dataclass(frozen=True, eq=False)
class ResidentCertificates:
    """What certificates need of a family: an anchor inside, as an array, and its room."""

    family: Family
    xp: Arrays
    anchor: Array
    room: float

    def certify(
        self, pr: BatchArrays, w: Array, b: Array, a: Array, reach: Floats | None, few_columns: bool = False
    ) -> CertifiedMaxima:
        """The certificates of models (w, b) and multipliers a of all rows that cost something.

        `pr` holds the programs with all these rows, and `reach` the largest entries of their extra columns in all
        scores, where they have any. Models of few columns come as a sparse array.
        """
        xp, rows = self.xp, self.family.rows
        finite = (xp.largest_size(w) + xp.largest_size(b) + xp.largest_size(a))[:, None] < np.inf
        w, b, a = (xp.where(finite, values, 0.0) for values in (w, b, a))
        a = xp.at_least(a, 0.0)
        w, b, violations = self._drawn_inside(pr, w, b)
        values = xp.dot(pr.v, w) + xp.dot(pr.v_b, b)
        bounds = self._bounds(pr, a, reach)
        models = xp.concat([w, b], axis=1)
        numbers = xp.to_numpy(xp.concat([values, bounds, violations], axis=1))
        hinge = np.zeros((len(numbers), rows.n_rows))
        hinge[:, rows.costs > 0] = xp.to_numpy(a)
        return CertifiedMaxima(
            values=numbers[:, 0],
            bounds=numbers[:, 1],
            violations=numbers[:, 2],
            models=xp.to_sparse(models) if few_columns else xp.to_numpy(models),
            hinge_multipliers=hinge,
            constraint_multipliers=np.zeros((len(numbers), 0)),
        )

    def _excess(self, pr: BatchArrays, w: Array, b: Array) -> Array:
        """`Family.excess` of every model, as a column."""
        xp, rows = self.xp, self.family.rows
        norm = xp.sum(abs(w))
        loss = pr.charge(xp.at_least(pr.h - pr.by_row(pr.scores(w, b)), 0.0))
        least = LEAST_LOSS_LIMIT * float(rows.costs @ np.abs(rows.heights))
        limits = [max(budget.limit, budget.loss_price * least) or 1.0 for budget in self.family.budgets]
        over = (norm * pr.P + loss * pr.Q - pr.B) / xp.array(limits)
        return -xp.smallest(-over)[:, None]

    def _drawn_inside(self, pr: BatchArrays, w: Array, b: Array) -> tuple[Array, Array, Array]:
        """The models, moved inside where they stick out by no more than rounding, and their violations."""
        xp = self.xp
        out = xp.at_least(self._excess(pr, w, b), 0.0)
        share = PULL_FACTOR * out / (out + self.room) + SMALLEST_PULL
        share = xp.where((out > 0) & (out < LARGEST_PULL * self.room), share, 0.0)
        d = self.anchor.shape[1] - b.shape[1]
        towards = self.anchor[:, :d]
        if w.shape[1] > d:  # an extra column, which the anchor does not use
            towards = xp.concat([towards, xp.zeros(1, w.shape[1] - d)], axis=1)
        w, b = w + share * (towards - w), b + share * (self.anchor[:, d:] - b)
        return w, b, xp.at_least(self._excess(pr, w, b), 0.0)

    def _bounds(self, pr: BatchArrays, a: Array, reach: Floats | None) -> Array:
        """`certificates.dual_bounds` of every program, as a column."""
        xp, family, rows = self.xp, self.family, self.family.rows
        limits, entries = family.offset_limits, rows.largest_entries
        if reach is not None:
            limits, entries = family.widened_offset_limits(reach), np.maximum(entries, reach)
        by_score = pr.by_score(a)
        pressure = xp.largest_size(pr.v + pr.columns(by_score))[:, None]
        rest = abs(pr.v_b + pr.offset_sums(by_score))
        price = xp.largest(a / pr.c)[:, None]
        corners = xp.array(family.corners)
        support = -xp.smallest(-(pressure * corners[:, 0] + price * corners[:, 1]))[:, None]
        finite = np.where(np.isfinite(limits), limits, 0.0)
        charged = xp.sum(xp.where(rest > 0, rest * xp.array(limits), 0.0))
        sizes = rows.by_row(family.largest_norm * entries + np.abs(rows.offsets) @ finite) + np.abs(rows.heights)
        rounding = (a @ xp.array(sizes[rows.costs > 0]))[:, None] * np.sqrt(1 + rows.n_rows)
        own = family.largest_norm * (xp.largest_size(pr.v) + xp.largest_size(pr.v_b))[:, None]
        return support - pr.raised(a) + charged + SUM_ROUNDING * (rounding + own)


def resident_certificates(family: Family, xp: Arrays) -> ResidentCertificates | None:
    """The certificates of a family for a library whose arrays are elsewhere; None where the host is to do it."""
    rooms = -family.excess(family.anchors) if len(family.anchors) else np.zeros(0)
    if not xp.resident or family.constraints.n_rows or not (rooms > 0).any():
        return None
    if np.isinf(family.offset_limits).any():  # such offsets ask for sums without rounding
        return None
    enough = np.flatnonzero(rooms >= ENOUGH_ROOM * rooms.max())
    used = np.count_nonzero(family.anchors[enough], axis=1)
    best = int(enough[np.argmin(used)])  # a model that is moved towards it uses few columns still
    return ResidentCertificates(family, xp, xp.array(family.anchors[[best]]), float(rooms[best]))

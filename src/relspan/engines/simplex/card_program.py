"""Models with whole points over a family: which integer points, times one real factor, give the least loss?

A card is a model  w = s D p,  with whole points p_j, |p_j| <= L, at most k of them not 0, one factor s > 0, and D the
weight of a point in the solver's units. Divided by s, with t = 1 / s and b' = b / s, membership in the family is linear
in (p, b', t), because every row of F is homogeneous:

    p_k ||D p||_1 + q_k sum_i c_i max(0, t h_i - f_i.D p - o_i.b')  <=  t B_k,      t lower <= A (D p, b') <= t upper

so the cards of F are the integer points of a cone. The loss is a ratio, l(p, b', t) / t, and is minimised by
Dinkelbach's method: with  v = min l - r t  over the cone, r the loss of the best card so far, v >= 0 proves that no
card has less; a card with v < 0 has less, and is the next one. Where the search stops early at a bound v' <= v, no card
has less loss than  r + v' / t_least,  since t is at least t_least. So the range of t is cut into parts, each with a
t_least of its own.

Points are written as one switch per value, p_j = sum_v v e_jv, sum_v e_jv = 1, so that a card can be excluded by one
row. Kinks are lazy (see `loss_piece`): few kinks make the cone larger, so bounds hold, and what is found is
checked by the loss itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import highspy
import numpy as np

from relspan.arrays import Floats, Ints
from relspan.engines.simplex.highs import INFINITY
from relspan.engines.simplex.integer_program import GapReport, branch_and_bound, row_matrix
from relspan.engines.simplex.loss_piece import LossPiece
from relspan.family import Family
from relspan.tolerances import SOLVER_TOLERANCE


@dataclass(frozen=True, eq=False)
class CardLimits:
    """What points may be: their least and largest value by column, the number of columns, and the range of t.

    `weight` is the weight of one point by column, D.
    """

    weight: Floats
    least: Ints
    most: Ints
    n_features: int
    shortest: float
    longest: float


@dataclass(frozen=True, eq=False)
class FoundCard:
    """The points of the relaxed program's best card, its model, a bound of  min l - r t,  and rows that lack a kink."""

    points: Ints | None
    value: float
    bound: float
    finished: bool
    missing: Ints


def least_card(
    family: Family,
    reference: Floats,
    kinks: Ints,
    limits: CardLimits,
    rate: float,
    excluded: list[Ints],
    time_limit: float,
    absolute_gap: float,
    report: GapReport,
) -> FoundCard:
    """min  l - rate t  over the cards of the family whose loss is at most `rate`, without those excluded.

    Where there is no such card, InfeasibleFamily is raised.
    """
    built = _CardMatrix(family, reference, kinks, limits, rate, excluded)
    found = branch_and_bound(built.lp, time_limit, absolute_gap, report, "no card has a model in the family")
    if found.solution is None:
        return FoundCard(None, np.inf, found.bound, False, np.zeros(0, dtype=np.intp))
    points, model = built.read(found.solution)
    return FoundCard(points, found.value, found.bound, found.finished, built.piece.missing(model))


class _CardMatrix:
    """The program over the columns (e, t, b', x): switches by column and value, factor, offsets, kinks."""

    def __init__(
        self, family: Family, reference: Floats, kinks: Ints, limits: CardLimits, rate: float, excluded: list[Ints]
    ) -> None:
        d, piece = family.n_features, LossPiece(family, reference, kinks)
        self.family, self.piece, self.limits = family, piece, limits
        self.values = [np.arange(low, high + 1) for low, high in zip(limits.least, limits.most, strict=True)]
        self.owner = np.repeat(np.arange(d), [len(v) for v in self.values])
        self.value = np.concatenate([np.zeros(0, dtype=np.intp), *self.values])
        self.count = len(self.owner)
        self.spread = np.zeros((d, self.count))  # D p = spread e
        self.spread[self.owner, np.arange(self.count)] = limits.weight[self.owner] * self.value
        loss = self._wide(piece.weights[None], np.array([piece.constant]), piece.offsets[None], piece.kink_costs[None])
        norm = np.zeros((1, self.count + 1 + family.n_offsets + len(kinks)))
        norm[0, : self.count] = limits.weight[self.owner] * np.abs(self.value)
        budgets = [b.norm_price * norm + b.loss_price * loss - b.limit * self._factor() for b in piece.budgets]
        extra = family.constraints
        low, high = np.isfinite(extra.lower), np.isfinite(extra.upper)
        blocks = [
            (np.vstack([*budgets, loss - rate * self._factor()]), -INFINITY, 0.0),
            (self._wide(extra.features[low], -extra.lower[low], extra.offsets[low]), 0.0, INFINITY),
            (self._wide(extra.features[high], -extra.upper[high], extra.offsets[high]), -INFINITY, 0.0),
            (
                self._wide(piece.kink_weights, -piece.kink_heights, piece.kink_offsets, np.eye(len(kinks))),
                0.0,
                INFINITY,
            ),
            (self._switch_rows(np.eye(d)[:, self.owner]), 1.0, 1.0),
            (self._switch_rows((self.value != 0).astype(np.float64)[None]), -INFINITY, float(limits.n_features)),
        ]
        blocks += [(self._switch_rows(self._chosen(points)[None]), -INFINITY, d - 1.0) for points in excluded]
        matrix = np.vstack([block for block, _, _ in blocks])
        lower = np.concatenate([np.full(len(block), side) for block, side, _ in blocks])
        upper = np.concatenate([np.full(len(block), side) for block, _, side in blocks])
        self.lp = self._program(matrix, lower, upper, (loss - rate * self._factor())[0])

    def _wide(self, w: Floats, t: Floats, b: Floats, kinks: Floats | None = None) -> Floats:
        """Rows over all columns from the coefficients of w = D p, t, b' and the kinks."""
        none = np.zeros((len(w), len(self.piece.kinks)))
        return np.hstack([w @ self.spread, t[:, None], b, none if kinks is None else kinks])

    def _factor(self) -> Floats:
        row = np.zeros((1, self.count + 1 + self.family.n_offsets + len(self.piece.kinks)))
        row[0, self.count] = 1.0
        return row

    def _switch_rows(self, e: Floats) -> Floats:
        return np.hstack([e, np.zeros((len(e), 1 + self.family.n_offsets + len(self.piece.kinks)))])

    def _chosen(self, points: Ints) -> Floats:
        """The switches of these points."""
        return np.asarray(self.value == points[self.owner], dtype=np.float64)

    def _program(self, matrix: Floats, lower: Floats, upper: Floats, cost: Floats) -> highspy.HighsLp:
        lp, k = highspy.HighsLp(), len(self.piece.kinks)
        row_matrix(lp, matrix)
        free = self.family.offset_limits * self.limits.longest
        lp.col_cost_ = cost
        lp.col_lower_ = np.concatenate([np.zeros(self.count), [self.limits.shortest], -free, np.zeros(k)])
        lp.col_upper_ = np.concatenate([np.ones(self.count), [self.limits.longest], free, np.full(k, INFINITY)])
        lp.row_lower_, lp.row_upper_ = lower, upper
        kinds, rest = highspy.HighsVarType, 1 + self.family.n_offsets + k
        lp.integrality_ = [kinds.kInteger] * self.count + [kinds.kContinuous] * rest
        return lp

    def read(self, x: Floats) -> tuple[Ints, Floats]:
        """The points, and the model (w, b) behind them."""
        e, t = np.round(x[: self.count]), x[self.count]
        points = np.zeros(self.family.n_features, dtype=np.intp)
        np.add.at(points, self.owner, (e * self.value).astype(np.intp))
        offsets = x[self.count + 1 : self.count + 1 + self.family.n_offsets]
        return points, np.concatenate([self.limits.weight * points, offsets]) / max(t, SOLVER_TOLERANCE)

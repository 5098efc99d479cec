"""A quick search for cards: round a model at several sizes, then change points one by one as long as the loss falls.

A card is a model  w = s D p  with whole points p, see `engines.simplex.card_program`. For given points the best factor
s and the best offset are found exactly: the loss is convex in both. What is found is a card, with its loss by the plain
formula; that no card is better is for the integer program to prove.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import gcd
from time import perf_counter

import numpy as np
from scipy.optimize import minimize_scalar

from relspan.analysis.baseline import best_models
from relspan.arrays import Floats, Ints
from relspan.family import Constraints, HingeRows
from relspan.tolerances import CARD_FACTOR, CARD_GAIN, EQUAL_SHARES

ENTERING = 4  # columns outside a card that are tried at each step: those that the loss pulls at most
STARTS = 3  # rounded models that are improved
ROUGH_FACTOR = 0.02  # of the factor: how exactly it is found while cards are compared
PRICES = (1.0, 10.0)  # times C: models whose weights are rounded


@dataclass(frozen=True, eq=False)
class Card:
    """Points by column, the factor and the offset that suit them best, and the loss."""

    points: Ints
    factor: float
    offset: float
    loss: float


@dataclass(eq=False)
class CardSearch:
    """Cards of a loss with one offset, of at most `n_features` columns and points between `least` and `most`.

    `weight` is the weight of one point by column, and `largest_norm` limits the norm of a card's weights. After the
    `deadline`, by `perf_counter`, cards are no longer improved. `seen` holds the loss of every card that was tried, by
    its points in lowest terms.
    """

    rows: HingeRows
    largest_norm: float
    weight: Floats
    least: Ints
    most: Ints
    n_features: int
    deadline: float = np.inf
    seen: dict[tuple[int, ...], float] = field(default_factory=dict)

    def fitted(self, points: Ints, near: float | None = None) -> Card:
        """The card of these points with the least loss, within the norm; roughly, if it is near a known factor."""
        weights = self.weight * points
        pull = self.rows.by_row(np.asarray(self.rows.features @ weights))
        longest = self.largest_norm / max(float(np.abs(weights).sum()), EQUAL_SHARES)
        low, high = (0.0, longest) if near is None else (0.5 * near, min(2.0 * near, longest))
        tolerance = CARD_FACTOR * longest if near is None else ROUGH_FACTOR * near

        def lost(factor: float) -> float:
            return self._best_offset(self.rows.heights - factor * pull)[0]

        if not low < high:
            low, high = 0.0, longest
        best = minimize_scalar(lost, bounds=(low, high), method="bounded", options={"xatol": tolerance})
        factor = min([float(best.x), longest], key=lost)
        loss, offset = self._best_offset(self.rows.heights - factor * pull)
        return Card(points, factor, offset, loss)

    def _best_offset(self, rest: Floats) -> tuple[float, float]:
        """min over b of  sum_i c_i max(0, rest_i - o_i b),  and the b."""
        c, o = self.rows.costs, self._offsets
        kinks = rest / o
        order = np.argsort(kinks)
        slope = -self._fall + np.cumsum(self._change[order])
        b = float(kinks[order[min(int(np.searchsorted(slope, 0.0)), len(slope) - 1)]])
        return float(c @ np.maximum(0.0, rest - o * b)), b

    def __post_init__(self) -> None:
        self._offsets = self.rows.by_row(self.rows.offsets[:, 0])
        self._change = self.rows.costs * np.abs(self._offsets)
        self._fall = float(self.rows.costs @ np.maximum(self._offsets, 0.0))

    def best(self, models: Iterator[Floats]) -> Card | None:
        """The best card near some models' weights; None where none has a weight that counts."""
        rounded: dict[tuple[int, ...], Card] = {}
        for weights in models:
            for points in self._rounded(weights):
                rounded.setdefault(lowest_terms(points), self._tried(points, self._likely_factor(weights, points)))
        starts = sorted(rounded.values(), key=lambda card: card.loss)[:STARTS]
        found = [self._improved(card) for card in starts]
        return min((self.fitted(card.points) for card in found), key=lambda card: card.loss, default=None)

    def _rounded(self, weights: Floats) -> Iterator[Ints]:
        """The points nearest to the weights, with each largest number of points."""
        size = np.abs(weights) / self.weight
        largest = int(max(np.abs(self.least).max(initial=0), np.abs(self.most).max(initial=0)))
        for most in range(1, largest + 1) if size.any() else ():
            for step in (most, most - 0.25, most + 0.25):
                points = np.round(np.sign(weights) * size * step / size.max()).astype(np.intp)
                points = np.clip(points, self.least, self.most)
                if points.any() and np.count_nonzero(points) <= self.n_features:
                    yield points

    def _likely_factor(self, weights: Floats, points: Ints) -> float:
        """The factor by which points come nearest to weights."""
        size = self.weight * points
        return float(abs(size @ weights) / (size @ size))

    def _tried(self, points: Ints, near: float) -> Card:
        card = self.fitted(points, near)
        key = lowest_terms(points)
        self.seen[key] = min(card.loss, self.seen.get(key, np.inf))
        return card

    def _improved(self, card: Card) -> Card:
        """Points are changed, added and exchanged one at a time, the best change first, while the loss falls."""
        while perf_counter() < self.deadline:
            fresh = (points for points in self._neighbours(card) if lowest_terms(points) not in self.seen)
            tried = [self._tried(points, card.factor) for points in fresh]
            best = min(tried, key=lambda other: other.loss, default=card)
            if best.loss >= card.loss * (1.0 - CARD_GAIN):
                break
            card = best
        return card

    def _neighbours(self, card: Card) -> Iterator[Ints]:
        points = card.points
        used = np.flatnonzero(points)
        weights = card.factor * self.weight * points
        slack = self.rows.slack(weights, np.array([card.offset]))
        pull = self.rows.pressures(np.where(slack > 0, self.rows.costs, 0.0)) * self.weight
        can_enter = (points == 0) & (np.where(pull > 0, self.most, -self.least) > 0)
        entering = np.flatnonzero(can_enter)[np.argsort(-np.abs(pull[can_enter]))[:ENTERING]]
        changes = [{j: points[j] + step} for j in used for step in (-1, 1)]
        if len(used) < self.n_features:
            changes += [{j: int(np.sign(pull[j]))} for j in entering]
        changes += [
            {j: 0, other: int(np.sign(pull[other])) * size}
            for j in used
            for other in entering
            for size in {1, abs(int(points[j]))}
        ]
        changes += [{i: points[i] + 1, j: points[j] - 1} for i in used for j in used if i != j]
        for change in changes:
            new = points.copy()
            new[list(change)] = list(change.values())
            if new.any() and (new >= self.least).all() and (new <= self.most).all():
                yield new


def lowest_terms(points: Ints) -> tuple[int, ...]:
    """The points divided by their greatest common divisor: the same card, as the factor takes it up."""
    whole = [int(p) for p in points]
    divisor = gcd(*whole) or 1
    return tuple(p // divisor for p in whole)


def models_with_few_features(
    rows: HingeRows, constraints: Constraints, C: float, weights: Floats, n_features: int
) -> Iterator[Floats]:
    """Weights of good models with at most so many features: the smallest one is left out, and the rest fitted again."""
    for price in PRICES:
        chosen = np.flatnonzero(weights)
        while True:
            some = rows.with_features(rows.features[:, chosen])
            of_chosen = Constraints(
                constraints.features[:, chosen], constraints.offsets, constraints.lower, constraints.upper
            )
            ((model, _),) = best_models(some, np.array([price * C]), of_chosen)
            own = model[: len(chosen)]
            if np.count_nonzero(own) <= n_features:
                found = np.zeros(rows.n_features)
                found[chosen] = own
                yield found
                break
            kept = np.flatnonzero(own)
            chosen = np.delete(chosen[kept], np.argmin(np.abs(own[kept])))

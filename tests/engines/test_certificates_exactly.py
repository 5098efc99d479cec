"""The bracket as a proof: on whole numbers both halves are checked in rational arithmetic, without a float.

From the engine's answer only two lists of fractions are taken, the attaining model z and the multipliers a. Then

    lower:  z is drawn inside by a convex combination with a rational model that is inside for certain
    upper:  a >= 0 is made orthogonal to the offset, and  M ||v + a F||_inf + R max a/c - a.h  bounds every model
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
import pytest

from problems import family_around, opened, two_classes
from relspan.engines import open_engine
from relspan.engines.simplex.exact_engine import nearest_member
from relspan.family import Family, unit_directions

DIGITS = 10**12


def rounded(values: np.ndarray) -> list[Fraction]:
    return [Fraction(round(Fraction(float(v)) * DIGITS), DIGITS) for v in values]


@dataclass
class RationalFamily:
    """||w||_1 <= M and sum_i max(0, 1 - y_i (x_i.w + b)) <= R over whole-number data."""

    F: list[list[int]]
    y: list[int]
    M: Fraction
    R: Fraction

    @classmethod
    def of(cls, family: Family) -> RationalFamily:
        features, signs = family.rows.features, family.rows.offsets[:, 0]
        assert (features == np.round(features)).all()
        assert (family.rows.heights == 1).all()
        assert (family.rows.costs == 1).all()
        (norm, loss) = family.budgets
        assert (norm.norm_price, norm.loss_price, loss.norm_price, loss.loss_price) == (1, 0, 0, 1)
        whole = [[int(v) for v in row] for row in features]
        return cls(whole, [int(s) for s in signs], Fraction(norm.limit), Fraction(loss.limit))

    def norm(self, z: list[Fraction]) -> Fraction:
        return sum((abs(w) for w in z[:-1]), Fraction(0))

    def loss(self, z: list[Fraction]) -> Fraction:
        total = Fraction(0)
        for f, y in zip(self.F, self.y, strict=True):
            slack = 1 - sum((c * w for c, w in zip(f, z[:-1], strict=True)), Fraction(0)) - y * z[-1]
            total += max(Fraction(0), slack)
        return total

    def contains(self, z: list[Fraction]) -> bool:
        return self.norm(z) <= self.M and self.loss(z) <= self.R

    def drawn_inside(self, z: list[Fraction], anchor: list[Fraction]) -> list[Fraction]:
        """The first point on the way from z to the anchor, in doubling steps, that is inside."""
        assert self.contains(anchor)
        step = Fraction(0)
        while not self.contains(moved := [(1 - step) * p + step * q for p, q in zip(z, anchor, strict=True)]):
            step = max(Fraction(1, 2**50), 2 * step)
        return moved

    def bound(self, v: list[int], a: list[Fraction]) -> Fraction:
        """The dual side, for multipliers made orthogonal to the offset by raising the least one that can mend it."""
        a = [max(Fraction(0), value) for value in a]
        rest = v[-1] + sum((value * y for value, y in zip(a, self.y, strict=True)), Fraction(0))
        if rest != 0:
            mends = [i for i, y in enumerate(self.y) if (y < 0) == (rest > 0)]
            a[min(mends, key=lambda i: a[i])] += abs(rest)
        assert v[-1] + sum(value * y for value, y in zip(a, self.y, strict=True)) == 0
        assert min(a) >= 0
        pressure = [v[j] + sum(value * f[j] for value, f in zip(a, self.F, strict=True)) for j in range(len(v) - 1)]
        return self.M * max(abs(p) for p in pressure) + self.R * max(a) - sum(a)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["explained", "relative"])
@pytest.mark.parametrize(
    ("n", "d", "flips", "copies", "C"),
    [(25, 4, 0.15, 0, 1.0), (25, 5, 0.0, 0, 100.0), (20, 6, 0.1, 2, 1.0), (12, 8, 0.1, 0, 1.0)],
    ids=["noisy", "separable", "copies", "flat"],
)
def test_every_bracket_is_proven(engine: str, kind: str, n: int, d: int, flips: float, copies: int, C: float) -> None:
    X, y = two_classes(n, d, seed=11, flips=flips, copies=copies, integers=True)
    family, baseline = family_around(X, y, C=C, delta_norm=0.1, delta_loss=0.05, kind=kind)
    rational = RationalFamily.of(family)
    # stretched into the norm's room: where the loss must be 0, rounding cannot make it positive any more
    stretch = Fraction(101, 100) if flips == 0 or baseline.loss == 0 else Fraction(1)
    anchor = [stretch * value for value in rounded(baseline.model)]
    mu = rational.norm(rounded(baseline.model))

    directions = unit_directions(range(d), family)
    found = opened(engine, family).maxima(directions)

    for v, model, a, value in zip(directions, found.models, found.hinge_multipliers, found.values, strict=True):
        whole = [int(c) for c in v]
        z = rational.drawn_inside(rounded(model), anchor)
        assert rational.contains(z)
        attained = sum((c * x for c, x in zip(whole, z, strict=True)), Fraction(0))
        bound = rational.bound(whole, rounded(a))
        assert attained <= bound
        assert bound - attained <= mu / 10**6
        assert attained - mu / 10**6 <= Fraction(float(value)) <= bound + mu / 10**6


def test_the_proof_fails_for_a_claim_that_is_too_large() -> None:
    """The check can say no: a model pushed past the end is drawn back, multipliers of another end do not meet it."""
    X, y = two_classes(25, 4, seed=11, integers=True)
    family, baseline = family_around(X, y)
    rational, anchor = RationalFamily.of(family), rounded(baseline.model)
    found = open_engine("exact", family).maxima(unit_directions(range(4), family))
    pushed = rounded(1.01 * found.models[0])
    assert not rational.contains(pushed)
    assert rational.contains(rational.drawn_inside(pushed, anchor))
    elsewhere = rational.bound([1, 0, 0, 0, 0], rounded(found.hinge_multipliers[2]))
    assert elsewhere - Fraction(float(found.values[0])) > Fraction(1, 1000)


@pytest.mark.parametrize("share", [0.5, 0.999])
def test_that_there_is_no_model_is_proven(share: float) -> None:
    """With a loss below the least one, the largest value of 0 would have to be below 0."""
    X, y = two_classes(25, 4, seed=11, flips=0.15, integers=True)
    family, _ = family_around(X, y)
    norm, loss = family.budgets
    nearest = nearest_member(family, np.zeros(5)).model
    least = family.rows.loss(nearest[:4], nearest[4:])
    empty = replace(family, budgets=(norm, replace(loss, limit=share * least)), anchors=family.anchors[:0])
    proof = rounded(nearest_member(empty, np.zeros(5)).hinge_multipliers)
    assert RationalFamily.of(empty).bound([0] * 5, proof) < 0 < RationalFamily.of(family).bound([0] * 5, proof)

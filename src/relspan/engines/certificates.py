"""Certificates: proofs of end points that need no trust in any solver.

For a direction v and any multipliers a >= 0 on the hinge rows and g on the constraints (of a sign that the finite
sides allow), weak duality gives

    max_F v.z  <=  support( || v_w + a F + g A_w ||_inf ,  max_i a_i / c_i )
                   -  a.h  -  g+.lower  +  g-.upper  +  | v_b + a O + g A_b | . |b|_max

where support(p, q) is the most that the budgets let p ||w||_1 + q loss become. (With the budgets M and R it is
M p + R q.) The last term is zero up to rounding: the multipliers are orthogonal to the offsets, and what is missing
is paid for with a bound on the offsets themselves, so that the inequality stays a proof. A model inside F attains its
own value; the difference of the two is the certified gap.

The right hand side is a difference of large numbers where the multipliers are large: features that are tied (copies of
one another, in a family without room) give multipliers of 1e15, whose bound consists of rounding errors alone. So the
rounding of all its sums is added to every bound. Where nothing else keeps an end from its proof, the sums are evaluated
without rounding (`careful_bounds`).

The direction 0 has the value 0 everywhere, so a bound below 0 proves that the family has no model at all (Farkas).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from scipy import sparse

from relspan.arrays import Bools, Floats, Ints, Matrix, dense
from relspan.engines.careful_bounds import careful_bound, exact_sum
from relspan.family import Family
from relspan.tolerances import (
    CERTIFIED_GAP,
    DOUBTFUL_GAP,
    LARGEST_PULL,
    LARGEST_VIOLATION,
    PULL_FACTOR,
    ROUNDED_SHARE,
    SMALLEST_PULL,
    SUM_ROUNDING,
    VISIBLE_PULL,
)

HALVINGS = 4  # of the logarithm of a share between two powers of 10: it is found to within 15 %


@dataclass(frozen=True, eq=False)
class CertifiedMaxima:
    """The maxima of some directions over a family, each with the two halves of its proof.

    values <= truth <= bounds, where values are attained by `models` (rows of (w, b)) and bounds follow from the
    multipliers. `violations` is how far a model sticks out of the family, as a share of its budgets: 0, unless the
    family has no interior. The models of a wide table use few of its columns: `compact` keeps them as a sparse array.
    `handed_over` marks the answers that an engine left to another one; by default there are none.
    """

    values: Floats
    bounds: Floats
    violations: Floats
    models: Matrix
    hinge_multipliers: Floats
    constraint_multipliers: Floats
    handed_over: Bools = None  # type: ignore[assignment]

    def __post_init__(self) -> None:
        if self.handed_over is None:
            object.__setattr__(self, "handed_over", np.zeros(len(self.values), dtype=bool))

    def __len__(self) -> int:
        return len(self.values)

    @property
    def gaps(self) -> Floats:
        return self.bounds - self.values

    def models_of(self, which: Any) -> Floats:
        """Some of the models, as a plain array."""
        return dense(self.models[which])

    def where(self, which: Any) -> CertifiedMaxima:
        """Some of the maxima, in that order."""
        return CertifiedMaxima(*(getattr(self, f.name)[which] for f in fields(CertifiedMaxima)))

    def by_another_engine(self) -> CertifiedMaxima:
        """The same answers, marked as those of another engine than the one that was asked."""
        return replace(self, handed_over=np.ones(len(self), dtype=bool))

    def compact(self) -> CertifiedMaxima:
        """The same with a sparse array of models, where most weights are 0 (not so after an interior point method)."""
        if sparse.issparse(self.models):
            return self
        used = np.count_nonzero(self.models)
        return replace(self, models=sparse.csr_array(self.models)) if 3 * used < self.models.size else self


def smallest_norm(family: Family) -> float:
    """The norm of the best model, which gaps are compared with: the smallest of the models known to lie inside."""
    known = np.abs(family.anchors[:, : family.n_features]).sum(axis=1)
    return float(min([family.largest_norm, *known[known > 0]]))


def proven_gaps(family: Family, values: Floats, norm: float = np.inf) -> Floats:
    """The largest gaps with which ends of such values count as proven: a share of the norm, or of a larger end.

    A smaller `norm` counts instead of the family's own.
    """
    return np.asarray(CERTIFIED_GAP * np.maximum(min(norm, smallest_norm(family)), np.abs(values)))


def are_proven(family: Family, gaps: Floats, values: Floats, norm: float = np.inf) -> Bools:
    """Which ends are proven, their gaps within `proven_gaps`.

    A gap below 0 counts like one above: a model that sticks out by rounding attains more than is possible.
    """
    return np.asarray(np.abs(gaps) <= proven_gaps(family, values, norm))


def joined(parts: Sequence[CertifiedMaxima]) -> CertifiedMaxima:
    """Several batches of maxima as one."""
    if len(parts) == 1:  # the models of a wide table are not copied for nothing
        return parts[0]

    def stacked(name: str) -> Matrix:
        arrays = [getattr(part, name) for part in parts]
        if not any(sparse.issparse(array) for array in arrays):
            return np.concatenate(arrays)
        return sparse.vstack([sparse.csr_array(array) for array in arrays], format="csr")  # of one kind it is faster

    return CertifiedMaxima(*(stacked(f.name) for f in fields(CertifiedMaxima)))


def certify(
    family: Family,
    directions: Floats,
    models: Floats,
    hinge_multipliers: Floats,
    constraint_multipliers: Floats,
    extra_column: Floats | None = None,
) -> CertifiedMaxima:
    """Turn a solver's answers into proofs: draw the models inside, clip the multipliers, evaluate both sides.

    A model that had to be moved so far that its end lost the proof stays where it was, if it sticks out by no more than
    rounding and the value that this is worth (`worth_of_violations`) is far below the gap that an end may have.
    With `extra_column` (programs x scores) each program is about the family with one more feature, whose values in the
    scores are its row of `extra_column`; that feature is the last of the weights.
    """
    given = models
    models, violations = draw_inside(family, given, extra_column)
    a = clip_to_rows(family, hinge_multipliers)
    g = clip_to_sides(family, constraint_multipliers)
    values = np.einsum("ij,ij->i", directions, models)
    bounds = proven_bounds(family, directions, a, g, values, extra_column)
    lost = np.flatnonzero(~are_proven(family, bounds - values, values) & np.isfinite(given).all(axis=1))
    if len(lost):
        columns = None if extra_column is None else extra_column[lost]
        out = family.violations(given[lost], columns)
        worth = worth_of_violations(family, directions[lost], a[lost], g[lost], out, columns)
        kept = (out <= LARGEST_VIOLATION) & (worth <= DOUBTFUL_GAP * proven_gaps(family, values[lost]))
        lost = lost[kept]
        models[lost], violations[lost] = given[lost], out[kept]
        values[lost] = np.einsum("ij,ij->i", directions[lost], given[lost])
    return CertifiedMaxima(
        values=values,
        bounds=bounds,
        violations=violations,
        models=models,
        hinge_multipliers=a,
        constraint_multipliers=g,
    )


def proven_bounds(
    family: Family, directions: Floats, a: Floats, g: Floats, values: Floats, extra_column: Floats | None = None
) -> Floats:
    """The `dual_bounds`, without what they pay for rounding where this keeps ends of such values from their proof."""
    bounds = dual_bounds(family, directions, a, g, extra_column)
    gaps = bounds - values
    doubtful = np.flatnonzero(gaps > DOUBTFUL_GAP * proven_gaps(family, values))
    if len(doubtful):
        reach = None if extra_column is None else np.abs(extra_column).max(axis=0)
        limits = family.offset_limits if reach is None else family.widened_offset_limits(reach)
        paid = rounding_errors(family, a[doubtful], g[doubtful], limits, reach)
        for end in doubtful[np.isinf(gaps[doubtful]) | (paid > ROUNDED_SHARE * gaps[doubtful])]:
            own = family if extra_column is None else family.with_columns(extra_column[end][:, None])
            bounds[end] = min(bounds[end], careful_bound(own, directions[end], a[end], g[end]))
    return bounds


def dual_bounds(family: Family, directions: Floats, a: Floats, g: Floats, extra_column: Floats | None = None) -> Floats:
    """The right hand side of the inequality above, one value per direction. Needs a >= 0 and allowed signs of g."""
    rows, extra, d = family.rows, family.constraints, family.n_features
    limits, width, reach = family.offset_limits, d, None
    if extra_column is not None:
        reach = np.abs(extra_column).max(axis=0)
        limits, width = family.widened_offset_limits(reach), d + 1
    pressure, loss_price = prices_of(family, directions, a, g, extra_column)
    lower, upper = (np.where(np.isfinite(side), side, 0.0) for side in (extra.lower, extra.upper))
    return np.asarray(
        family.support(pressure, loss_price)
        - a @ rows.heights
        - np.maximum(g, 0.0) @ lower
        + np.maximum(-g, 0.0) @ upper
        + offset_charges(family, directions[:, width:], a, g, limits)
        + SUM_ROUNDING * family.largest_norm * np.abs(directions).max(axis=1, initial=0.0)
        + rounding_errors(family, a, g, limits, reach)
    )


def prices_of(
    family: Family, directions: Floats, a: Floats, g: Floats, extra_column: Floats | None = None
) -> tuple[Floats, Floats]:
    """The prices of norm and of loss that multipliers ask for, p and q of the inequality above."""
    rows, d = family.rows, family.n_features
    pressure = np.abs(directions[:, :d] + rows.pressures(a) + g @ family.constraints.features).max(axis=1)
    if extra_column is not None:
        own = np.abs(directions[:, d] + np.einsum("ij,ij->i", rows.by_score(a), extra_column))
        pressure = np.maximum(pressure, own)
    paid = rows.costs > 0
    return pressure, (a[:, paid] / rows.costs[paid]).max(axis=1, initial=0.0)


def worth_of_violations(
    family: Family, directions: Floats, a: Floats, g: Floats, violations: Floats, extra_column: Floats | None = None
) -> Floats:
    """How much larger the bounds would be if all limits were larger by what a model exceeds them: what that may have
    gained the model."""
    out, worth = np.flatnonzero(violations > 0), np.zeros(len(violations))
    if not len(out):
        return worth
    columns = None if extra_column is None else extra_column[out]
    pressure, loss_price = prices_of(family, directions[out], a[out], g[out], columns)
    budgets, sides = family.limit_sizes
    for one, size in zip(family.budgets, budgets, strict=True):
        by_norm = pressure / one.norm_price if one.norm_price else 0.0
        worth[out] += size * np.maximum(by_norm, loss_price / one.loss_price if one.loss_price else 0.0)
    return np.asarray(violations * (worth + np.abs(g) @ sides))


def offset_charges(family: Family, prices: Floats, a: Floats, g: Floats, limits: Floats) -> Floats:
    """What multipliers pay for not being orthogonal to the offsets, one value per row.

    An offset without a limit asks for orthogonality to the last bit, which a rounded sum of 0 does not show.
    """
    rows, extra = family.rows, family.constraints
    rest = np.abs(prices + rows.offset_pressures(a) + g @ extra.offsets)
    charged = np.asarray(np.multiply(rest, limits, where=rest > 0, out=np.zeros_like(rest)).sum(axis=1))
    unlimited = np.isinf(limits)
    if unlimited.any():
        offsets = np.vstack([rows.offsets[rows.scores_by_row], extra.offsets])[:, unlimited]
        for row in np.flatnonzero(np.isfinite(charged)):
            used = np.concatenate([a[row], g[row]])
            if any(exact_sum(used, *one) != 0 for one in zip(offsets.T, prices[row, unlimited], strict=True)):
                charged[row] = np.inf
    return charged


def rounding_errors(family: Family, a: Floats, g: Floats, limits: Floats, reach: Floats | None = None) -> Floats:
    """How far rounding may have lowered the bounds of these multipliers, one value per row.

    A sum of n rounded terms errs by about sqrt(n) roundings of the sum of their sizes (by n in the worst case, which
    does not occur in practice; the factor in SUM_ROUNDING leaves room). `limits` are those of the offsets; `reach`
    holds the largest entries of a column that is not the family's.
    """
    rows, extra, M = family.rows, family.constraints, family.largest_norm
    entries = rows.largest_entries if reach is None else np.maximum(rows.largest_entries, reach)
    sides = np.maximum(*(np.where(np.isfinite(side), np.abs(side), 0.0) for side in (extra.lower, extra.upper)))
    offsets = np.where(np.isfinite(limits), limits, 0.0)
    size = a @ (rows.by_row(M * entries + np.abs(rows.offsets) @ offsets) + np.abs(rows.heights)) + np.abs(g) @ (
        M * np.abs(extra.features).max(axis=1, initial=0.0) + sides + np.abs(extra.offsets) @ offsets
    )
    return np.asarray(SUM_ROUNDING * np.sqrt(1 + rows.n_rows + extra.n_rows) * size)


def is_proven_empty(family: Family, a: Floats, g: Floats) -> bool:
    """Whether the multipliers of hinge rows and constraints prove that no model lies in the family."""
    a, g = clip_to_rows(family, a), clip_to_sides(family, g)
    largest = max(float(np.abs(a).max(initial=0.0)), float(np.abs(g).max(initial=0.0)))
    if not 0 < largest < np.inf:
        return False
    # any multiple of a proof is one, and what is paid for rounding needs numbers that are not tiny
    a, g = np.ldexp(a, -np.frexp(largest)[1]), np.ldexp(g, -np.frexp(largest)[1])
    zero = np.zeros(family.n_features + family.n_offsets)
    bound = float(dual_bounds(family, zero[None], a[None], g[None])[0])
    if 0 <= bound < np.inf and bound > 2 * float(rounding_errors(family, a[None], g[None], family.offset_limits)[0]):
        return False  # not for its rounding
    return bound < 0 or careful_bound(family, zero, a, g) < 0


def clip_to_rows(family: Family, a: Floats) -> Floats:
    """Multipliers >= 0, and none on rows that cost nothing."""
    return np.where(family.rows.costs > 0, np.maximum(a, 0.0), 0.0)


def clip_to_sides(family: Family, g: Floats) -> Floats:
    """Positive multipliers need a finite lower side, negative ones a finite upper side."""
    extra = family.constraints
    return np.clip(g, np.where(np.isfinite(extra.upper), -np.inf, 0.0), np.where(np.isfinite(extra.lower), np.inf, 0.0))


def on_equalities(family: Family, models: Floats, n_extra: int = 0) -> Floats:
    """The models with those that miss an equality  A z = e  moved onto it:  z - A^+ (A z - e).

    `n_extra` weights at the end of the features belong to no constraint.
    """
    extra = family.constraints
    equal = np.flatnonzero(extra.lower == extra.upper)
    if not len(equal) or not np.isfinite(models).all():
        return models
    A = np.hstack([extra.features[equal], np.zeros((len(equal), n_extra)), extra.offsets[equal]])
    miss = models @ A.T - extra.lower[equal]
    off = np.flatnonzero((np.abs(miss) > SUM_ROUNDING * (np.abs(models) @ np.abs(A).T)).any(axis=1))
    if len(off):
        for _ in range(2):  # the second time for the rounding of the first
            models[off] -= (models[off] @ A.T - extra.lower[equal]) @ np.linalg.pinv(A).T
    return models


def draw_inside(family: Family, models: Floats, extra_column: Floats | None = None) -> tuple[Floats, Floats]:
    """Move models that stick out by a rounding error towards an anchor, no further than needed.

    Every limit is convex: a model that sticks out by e, moved by the share e / (e + room) towards an anchor with that
    much room, is inside. Where no anchor has room in every limit (a loss of exactly 0), shares are tried in turn:
    powers of 10, and shares between two of them where that moves a model visibly.
    Models that miss an equality by more than rounding are moved onto it first, on the shortest way.
    """
    d = family.n_features
    used = np.flatnonzero(np.any(models[:, :d], axis=0) | np.any(family.anchors[:, :d], axis=0))
    if 2 * len(used) < d:  # columns that no model uses decide nothing, and a wide table has many of them
        columns, drawn = np.r_[used, d : models.shape[1]], np.zeros_like(models)
        drawn[:, columns], violations = draw_inside(family.of_features(used), models[:, columns], extra_column)
        return drawn, violations
    models = on_equalities(family, np.array(models), 0 if extra_column is None else 1)
    violations = family.violations(models, extra_column)
    anchors = family.anchors if extra_column is None else np.insert(family.anchors, d, 0.0, axis=1)

    def move(which: Ints, share: Floats, anchor: Floats, begun: Floats) -> Bools:
        moved = begun + share[:, None] * (anchor - begun)
        inside = family.violations(moved, None if extra_column is None else extra_column[which]) <= 0
        models[which[inside]], violations[which[inside]] = moved[inside], 0.0
        return np.asarray(inside)

    rooms = -family.excess(family.anchors) if len(anchors) else np.zeros(0)
    if (rooms > 0).any():
        out = np.flatnonzero((violations > 0) & (violations < LARGEST_PULL * rooms.max()))
        share = violations[out] / (violations[out] + rooms.max())
        move(out, PULL_FACTOR * share + SMALLEST_PULL, anchors[int(np.argmax(rooms))], models[out])
    for step in 10.0 ** np.arange(np.log10(SMALLEST_PULL), np.log10(LARGEST_PULL) + 1):
        for anchor in anchors:
            out = np.flatnonzero(violations > 0)
            if not len(out):
                return models, violations
            begun = models[out]
            came = move(out, np.full(len(out), step), anchor, begun)
            out, begun = out[came], begun[came]
            least, most = np.full(len(out), step / 10), np.full(len(out), step)
            for _ in range(HALVINGS if step > VISIBLE_PULL else 0):
                share = np.sqrt(least * most)
                inside = move(out, share, anchor, begun)
                least, most = np.where(inside, least, share), np.where(inside, share, most)
    return models, violations

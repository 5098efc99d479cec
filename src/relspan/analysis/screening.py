"""Which features need a program at all? Those that are not proven irrelevant by less.

    max relevance_j <= limit_j

The limits are those of the verdicts (`verdict.irrelevant_up_to`): a feature without more is sure to be irrelevant.
Three kinds of proof are tried in turn:

1. the multipliers of the baseline, which bound all features at once;
2. where the family has a dual centre, bounds of single ends that decide at their limits (`decision_bounds`);
3. programs: the features with the largest bounds are solved, their multipliers and models added to what is known, and
   so on, until every other feature is proven irrelevant.

Rounds and blocks have fixed sizes, so that the answer does not depend on how many workers share them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from relspan.analysis.baseline import Baseline
from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.intervals import PartialRanges, WeightRanges, extremes_of, joined_in_order, ranges_of
from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.arrays import Floats, Ints
from relspan.engines.certificates import CertifiedMaxima, joined
from relspan.engines.interior.decision_bounds import DecidedEnds, DecisionBounds, decision_bounds
from relspan.engines.multiplier_bounds import MultiplierBounds
from relspan.family import Family
from relspan.progress import Interrupted, Progress, silent

FEATURES_PER_ROUND = 64  # solved before the bounds of the others are computed again
ENDS_PER_BLOCK = 64  # decided together


def screened_ranges(
    family: Family,
    baseline: Baseline,
    limits: Floats,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> WeightRanges:
    """The ranges of all features that may be relevant, and certified bounds of the others."""
    known = MultiplierBounds(family)
    known.add(baseline.multipliers[None], _sign_multipliers(family, baseline)[None])
    solved = np.zeros(family.n_features, dtype=bool)
    parts: list[CertifiedMaxima] = []
    order: list[np.ndarray] = []
    try:
        _decide(family, limits, known, n_jobs, progress, checkpoint)
        while True:
            largest = np.where(solved, -np.inf, known.bounds.reshape(-1, 2).max(axis=1))
            left = np.flatnonzero(largest > limits)
            progress("bounds", 1 - len(left) / max(1, family.n_features), f"features left: {len(left)}")
            if not len(left):
                break
            chosen = np.sort(left[np.argsort(-largest[left], kind="stable")[:FEATURES_PER_ROUND]])
            found = extremes_of(family, chosen, engine, n_jobs, silent, checkpoint, f"bounds {len(parts) + 1}")
            parts, order = [*parts, found], [*order, chosen]
            known.add(found.hinge_multipliers, found.constraint_multipliers)
            solved[chosen] = True
    except KeyboardInterrupt as stop:
        part = getattr(stop, "partial", None)
        if isinstance(part, PartialRanges) and part.ranges is not None:  # of the round that was interrupted
            parts, order = [*parts, part.ranges.extremes], [*order, part.features]
        finished = np.concatenate([np.zeros(0, dtype=np.intp), *order])
        raise Interrupted(PartialRanges(finished, ranges_of(joined(parts)) if parts else None)) from stop
    others = np.flatnonzero(~solved)
    parts.append(_bounded(family, known, others))
    order.append(others)
    return ranges_of(joined_in_order(parts, np.concatenate(order)), solved)


def _decide(
    family: Family,
    limits: Floats,
    known: MultiplierBounds,
    n_jobs: int | None,
    progress: Progress,
    checkpoint: Checkpoint | None,
) -> None:
    """Add bounds of the ends that are not below their limit yet, where the family has a dual centre."""
    both = np.repeat(np.where(np.isfinite(limits), limits, np.inf), 2)  # without a limit nothing can be decided
    ends = np.flatnonzero(known.bounds > both)
    bounds = decision_bounds(family) if len(ends) else None
    if bounds is None:
        return
    solve = DecisionBlock(bounds, ends, both)
    blocks = blocks_of(len(ends), ENDS_PER_BLOCK)
    parts = run_blocks("decisions", solve, blocks, DecidedEnds, n_jobs, progress, checkpoint, solve.meaning)
    for block, found in zip(blocks, parts, strict=True):
        known.improve(ends[block], found.bounds, found.hinge_multipliers, found.constraint_multipliers)


@dataclass(frozen=True, eq=False)
class DecisionBlock:
    """Decides a block of ends; end 2 j is that of +w_j, end 2 j + 1 that of -w_j."""

    bounds: DecisionBounds
    ends: Ints
    limits: Floats

    def __call__(self, block: range) -> DecidedEnds:
        ends = self.ends[block]
        return self.bounds.decide(ends // 2, np.where(ends % 2, -1.0, 1.0), self.limits[ends])

    def meaning(self, block: range) -> bytes:
        """The ends of a block and their limits, which rounding may change on another machine."""
        return self.ends[block].astype(np.int64).tobytes()


def _sign_multipliers(family: Family, baseline: Baseline) -> Floats:
    """Multipliers of the constraints on single weights that keep ``|a F + g A_w| <= 1``; 0 of other constraints.

    At the best model under signs, a feature is pressed by more than 1 only in the direction that its sign forbids.
    """
    extra, pressures = family.constraints, family.rows.pressures(baseline.multipliers)
    single = ((extra.features != 0).sum(axis=1) == 1) & ~extra.offsets.any(axis=1)
    found = np.zeros(extra.n_rows)
    for row in np.flatnonzero(single):
        j = int(np.flatnonzero(extra.features[row])[0])
        found[row] = (np.clip(pressures[j], -1.0, 1.0) - pressures[j]) / extra.features[row, j]
    return found


def _bounded(family: Family, known: MultiplierBounds, features: np.ndarray) -> CertifiedMaxima:
    """Bounds without programs: what the first anchor attains, and what the known multipliers prove."""
    d, anchor = family.n_features, family.anchors[0]
    ends = (2 * features[:, None] + [0, 1]).ravel()
    values: Floats = np.column_stack([anchor[:d], -anchor[:d]]).ravel()[ends]
    a, g = known.proofs(ends)
    models = sparse.csr_array(np.broadcast_to(anchor, (1, len(anchor))))[np.zeros(len(ends), dtype=np.intp)]
    return CertifiedMaxima(values, known.bounds[ends], np.zeros(len(ends)), models, a, g)

"""Inner bounds of the intervals under a pin, from models that are known already; no program is solved.

A family is convex, so every mixture of known models z_1, ..., z_m belongs to it. With P = conv{z_i} and a pin that
leaves [low, high] of the weight w_k,

    max { w_j : z in P, low <= w_k <= high }

is attained at a known model that satisfies the pin, or on a segment between two of them where w_k crosses low or high:

    w_j at the crossing e  =  z_j + (e - z_k) / (z'_k - z_k) * (z'_j - z_j),        z_k <= e <= z'_k.

The true interval reaches at least that far. The end points as functions of e are concave: between the values of the pin
that were solved exactly these are its chords.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from relspan.analysis.intervals import relevances
from relspan.arrays import Floats
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pins import Pin, sign_intervals
from relspan.tolerances import PIN_ROUNDING

MOST_MODELS = 240  # per combination of signs: the pairs of more models would take longer than a program


def inner_bounds(
    problem: FittedProblem, models: Floats, pin: Pin, others: Sequence[Pin] = (), columns: Sequence[int] | None = None
) -> Floats | None:
    """Inner bounds of the relevance intervals under `pin` and `others`, in shares of the norm; None if none are known.

    `models` are rows (w, ...) of the family in the solver's units. Those that break `others` are passed over; with a
    sign left open, mixtures within one sign only are taken.
    """
    k, wanted = problem.column(pin.feature), np.arange(len(problem.columns)) if columns is None else np.array(columns)
    if k is None or not len(wanted):
        return None
    found = []
    for known in _models_by_signs(problem, models, others):
        for low, high in sign_intervals(pin, problem):
            ends = _mixture_ends(known[:, k], known[:, wanted], low, high)
            if ends is not None:
                found.append(relevances(*ends))
    if not found:
        return None
    each = np.array(found)
    return np.asarray(np.column_stack([each[:, :, 0].min(axis=0), each[:, :, 1].max(axis=0)]) / problem.mu)


def _models_by_signs(problem: FittedProblem, models: Floats, others: Sequence[Pin]) -> list[Floats]:
    """The known models in every combination of signs that the other pins leave, at most `MOST_MODELS` each."""
    slack, branches = PIN_ROUNDING * problem.mu, [models]
    for pin in others:
        j = problem.column(pin.feature)
        if j is None:
            continue
        intervals = sign_intervals(pin, problem)
        branches = [
            z[(z[:, j] >= low - slack) & (z[:, j] <= high + slack)] for z in branches for low, high in intervals
        ]
    return [z[-MOST_MODELS:] for z in branches if len(z)]


def _mixture_ends(pinned: Floats, weights: Floats, low: float, high: float) -> tuple[Floats, Floats] | None:
    """Least and largest weights among mixtures whose pinned weight lies in [low, high]; None if there is none."""
    inside = (pinned >= low) & (pinned <= high)
    candidates = [weights[inside]]
    for edge in (low, high):
        below, above = np.flatnonzero(pinned < edge), np.flatnonzero(pinned > edge)
        if np.isfinite(edge) and len(below) and len(above):
            share = (edge - pinned[below])[:, None] / (pinned[above][None, :] - pinned[below][:, None])
            crossing = weights[below][:, None] + share[:, :, None] * (weights[above][None] - weights[below][:, None])
            candidates.append(crossing.reshape(-1, weights.shape[1]))
    whole = np.vstack(candidates)
    if not len(whole):
        return None
    return whole.min(axis=0), whole.max(axis=0)

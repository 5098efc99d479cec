"""How well an analysis is proven, and from where on it is no answer.

Three figures, each as a share of the best model's norm or of a budget: the largest certified gap of an end of an
interval, the largest of a probe, and how far a model that attains an end exceeds its budgets. Up to `CERTIFIED_GAP` an
analysis is proven. Beyond `LARGEST_FAULT` it is refused: its intervals would be wrong in the digits that tables show.
In between the result states it, and a command ends with an exit code of its own.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from relspan.analysis.intervals import WeightRanges
from relspan.analysis.probes import Probes
from relspan.errors import SolverError
from relspan.tolerances import LARGEST_FAULT

FIGURES = {
    "gap": "an end of an interval is certified only to within {:.1e} of the best model's norm",
    "probe_gap": "a probe, which shows how far chance reaches, is certified only to within {:.1e} of the best model's "
    "norm",
    "violation": "a model that attains an end of an interval exceeds its budgets by {:.1e} of them",
}
"""What each figure means, as a sentence."""

WAYS_OUT = (
    "engine='exact' may prove it better; so may columns of similar size (standardize=True), a larger delta_norm or "
    "delta_loss, and a smaller C"
)


def proof_figures(ranges: WeightRanges, probes: Probes, norm: float) -> dict[str, float]:
    """The three figures."""
    return {**range_figures(ranges, norm), "probe_gap": probes.largest_gap / norm}


def range_figures(ranges: WeightRanges, norm: float) -> dict[str, float]:
    """The two of the intervals. The gap of an end that lies beyond the norm is a share of the end.

    A gap below 0 counts like one above: a model that sticks out by rounding attains more than is possible.
    """
    size = np.maximum(norm, np.abs(np.column_stack([ranges.lo, ranges.hi])))
    return {
        "gap": float((np.abs(ranges.gaps) / size).max(initial=0.0)),
        "violation": float(ranges.extremes.violations.max(initial=0.0)),
    }


def refuse_unproven(figures: Mapping[str, float]) -> None:
    """Raise SolverError where a figure is beyond the limit, or is not a number."""
    for name, size in figures.items():
        if not size <= LARGEST_FAULT:
            raise SolverError(f"no proven answer: {FIGURES[name].format(size)}; {WAYS_OUT}")

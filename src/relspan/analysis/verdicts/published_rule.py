"""The papers' own rule: an interval is compared with thresholds, and nothing else is tested.

    relevant      max relevance > tau
    strong        relevant, and min relevance > floor
    weak          relevant, not strong

tau is the threshold of the probes, the floor 1e-4 M, beyond which a relevance is not rounding; the FRI paper takes the
probes' threshold of least relevances. A feature with several weights, or a group of features, is relevant where one of
its weights is, and strong where it is relevant and its total size exceeds the floor.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relspan.analysis.verdicts.classes import IRRELEVANT, STRONG, WEAK
from relspan.arrays import Bools, Floats


def classify(intervals: Floats, tau: float, floor: float) -> NDArray[np.int64]:
    """2 strong, 1 weak, 0 irrelevant for each (min, max)."""
    return graded(intervals[:, 1] > tau, intervals[:, 0] > floor)


def graded(relevant: Bools, needed: Bools) -> NDArray[np.int64]:
    """2 where a feature is relevant and needed, 1 where it is relevant, 0 elsewhere."""
    return np.where(relevant, np.where(needed, STRONG, WEAK), IRRELEVANT)

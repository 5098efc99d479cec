"""Strong, weak or irrelevant: every feature is exactly one of them.

    relevant      max relevance > tau_j,  or  min relevance > needed
    strong        relevant, and min relevance > floor      no equally good model does without it
    weak          relevant, not strong                     it can matter, and can be replaced
    irrelevant    the rest

tau_j is the probes' threshold tau, or a higher one where others can cancel the feature (`cancelling`).
The floor is 1e-4 M (a weight, not rounding); the FRI paper takes the probes' threshold of least relevances.

A feature whose least relevance is positive costs more than the whole loss budget to leave out. Where that budget is
worth having (`ROOM`, 2 % of the explained loss or more) this makes it relevant, however far the probes' upper ends
reach: needed = floor. In thinner families noise is needed too, and so it is where the best model explains nothing of
rows that it has not seen (`unseen`): there only tau speaks, needed = infinity.

A feature with several weights, or a group of features, is relevant where one of its weights is, and strong where it is
relevant and its total size exceeds the floor. A group is relevant, too, where no equally good model does without it and
its total size exceeds tau: columns that are nothing alone may be needed together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from relspan.arrays import Bools, Floats

IRRELEVANT, WEAK, STRONG = 0, 1, 2
NAMES = ("irrelevant", "weak", "strong")
FLOOR = 1e-4
ROOM = 0.02


def classify(intervals: Floats, tau: float | Floats, floor: float, needed: float = np.inf) -> NDArray[np.int64]:
    """2 strong, 1 weak, 0 irrelevant for each (min, max)."""
    relevant = (intervals[:, 1] > tau) | (intervals[:, 0] > needed)
    strong = intervals[:, 0] > floor
    return np.where(relevant, np.where(strong, STRONG, WEAK), IRRELEVANT)


def classify_blocks(masses: Floats, beyond: Bools, floor: float, needed: float) -> NDArray[np.int64]:
    """2 strong, 1 weak, 0 irrelevant for each (min, max) total size; `beyond` says which have a weight beyond tau."""
    relevant = beyond | (masses[:, 0] > needed)
    return np.where(relevant, np.where(masses[:, 0] > floor, STRONG, WEAK), IRRELEVANT)

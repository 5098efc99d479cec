"""The engine that chooses by trying: simplex first, the interior point method where simplex walks too far.

Warm simplex ends after tens of pivots on most families, and then nothing is faster. Where a program needs many hundreds
(the epsilon-insensitive loss has a kink on either side of every sample), all programs at once by the interior point
method take a fraction of the time. Pivots are counted, not seconds: the choice, and so the answer, is the same on
every machine.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from relspan.engines.batched import BatchedEngine
from relspan.engines.certify import Extremes
from relspan.engines.exact import ExactEngine, TooManyPivots, is_wide
from relspan.family import Family
from relspan.losses import Floats, Matrix

PATIENCE = 400.0  # pivots a program, on average: 30 columns need some 200 with the hinge loss, 1700 with epsilon
LARGEST = 20_000_000  # numbers in a table that may be copied for the interior point method


class AutoEngine:
    """Ranges over a family by whichever engine suits it; see the module's text."""

    name = "auto"

    def __init__(self, family: Family) -> None:
        self.family = family
        patience = PATIENCE if suits_interior_point(family) else np.inf
        self.engine: ExactEngine | BatchedEngine = ExactEngine(family, patience=patience)

    def maxima(self, directions: Floats) -> Extremes:
        """The largest value of each direction (a row over (w, b)), with certificates."""
        return self._answer(lambda engine: engine.maxima(directions))

    def appended(self, columns: Matrix) -> Extremes:
        """For each column, appended alone as one more feature: the maxima of +w and -w of that feature."""
        return self._answer(lambda engine: engine.appended(columns))

    def _answer(self, ask: Callable[[ExactEngine | BatchedEngine], Extremes]) -> Extremes:
        try:
            return ask(self.engine)
        except TooManyPivots:
            self.engine = BatchedEngine(self.family)
            return ask(self.engine)


def suits_interior_point(family: Family) -> bool:
    """Few columns, a table that may be copied, and few constraints: each is a row of a dense system there."""
    rows = family.rows
    few = family.constraints.n_rows <= max(rows.n_rows // 10, family.n_features)
    return not is_wide(family) and few and rows.n_rows * family.n_features <= LARGEST

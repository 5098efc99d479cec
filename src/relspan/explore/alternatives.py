"""Alternatives: what could take a feature's place, the likeliest first, in plain words.

Ranked by the exchange of the two features (see groups.py); each with its interval while the feature is at its minimum
(left out, if it can be) and at its maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from relspan.explore.pinned_family import Pinned, PinSolver
from relspan.explore.substitute_groups import exchange
from relspan.explore.substitution import held

NOTHING = 0.1  # exchange below which two features are said not to compete


@dataclass(frozen=True)
class Alternative:
    """What another feature does in place of one. Intervals (min, max) are in shares of the baseline's norm."""

    feature: str
    instead_of: str
    exchange: float
    interval: tuple[float, float]
    at_min: tuple[float, float]
    at_max: tuple[float, float]
    left_out: bool

    @property
    def sentence(self) -> str:
        """The same in plain words."""
        if self.exchange < NOTHING:
            return f"{self.feature} does not compete with {self.instead_of}."
        first = f"Without {self.instead_of}" if self.left_out else f"With {self.instead_of} at its minimum"
        if self.at_min[0] > self.interval[0] + 1e-4:
            does = f"{self.feature} must carry at least {self.at_min[0]:.3f} (else {self.interval[0]:.3f})"
        else:
            does = f"{self.feature} can carry up to {self.at_min[1]:.3f}, and other features can do so too"
        return (
            f"{first}, {does}; with {self.instead_of} at its maximum it carries at most {self.at_max[1]:.3f} "
            f"(else {self.interval[1]:.3f}). It can take over {self.exchange:.0%} of the relevance."
        )


def alternatives(board: PinSolver, pinned: Pinned, name: str, columns: Sequence[int]) -> list[Alternative]:
    """The other features among `columns`, by their exchange with the named one."""
    problem = board.problem
    j = problem.column(name)
    if j is None:
        return []
    others = [k for k in columns if k != j]
    intervals = pinned.relevances / problem.mu
    under = [held(board, name, asked, intervals[j], others, pinned.pins) for asked in ("min", "max")]
    traded = exchange(board, pinned, [(j, k) for k in others])
    left_out = bool(intervals[j, 0] == 0)
    found = [
        Alternative(
            problem.columns[k],
            name,
            float(traded[i]),
            (float(intervals[k, 0]), float(intervals[k, 1])),
            (float(under[0][i, 0]), float(under[0][i, 1])),
            (float(under[1][i, 0]), float(under[1][i, 1])),
            left_out,
        )
        for i, k in enumerate(others)
    ]
    return [found[i] for i in np.argsort([-a.exchange for a in found], kind="stable")]

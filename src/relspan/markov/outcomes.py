"""What became of every variable in a search, and by which test."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from relspan.markov.independence import Evidence


class Decision(IntEnum):
    """What became of a variable."""

    UNDECIDED = 0
    TARGET = 1
    MEMBER = 2
    INDEPENDENT = 3
    UNRELIABLE = 4
    SEPARATED = 5
    ASYMMETRIC = 6


@dataclass(frozen=True)
class Separation:
    """One test: given which variables, with what result, and in which phase of the search."""

    given: tuple[int, ...]
    log_p: float
    statistic: float
    df: float
    phase: str

    @classmethod
    def of(cls, evidence: Evidence, i: Any, given: tuple[int, ...], phase: str) -> Separation:
        """Entry i of a batch of tests; of several sets, the entry (set, i)."""
        return cls(given, float(evidence.log_p[i]), float(evidence.statistic[i]), float(evidence.df[i]), phase)


@dataclass
class PCResult:
    """The parents and children of one target, and the reason for every decision.

    Attributes
    ----------
    target : int
    members : list of int
        In the order of admission: strongest marginal association first.
    decisions : array of shape (n_variables,)
        A `Decision` for every variable.
    marginal : Evidence
        The tests without conditions, one entry a variable (the target's own entry means nothing).
    separations : dict of int to Separation
        For every variable removed by a conditional test, the test that removed it.
    weakest : dict of int to Separation
        For every member, the reliable test it passed with the largest p.
    stopped : str or None
        Why the search ended early; None when it is complete.
    """

    target: int
    members: list[int]
    decisions: npt.NDArray[np.int8]
    marginal: Evidence
    separations: dict[int, Separation] = field(default_factory=dict)
    weakest: dict[int, Separation] = field(default_factory=dict)
    stopped: str | None = None

    def separating_set(self, variable: int) -> tuple[int, ...] | None:
        """The set that separated the variable from the target; None if no set did."""
        if variable in self.separations:
            return self.separations[variable].given
        return () if self.decisions[variable] == Decision.INDEPENDENT else None

"""The outcome of a search: the decision on every variable, and the test that led to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
import numpy.typing as npt

from relspan.markov.independence import Evidence


class Decision(IntEnum):
    """The decision of a search on one variable.

    ``UNDECIDED``: a limit was reached first. ``TARGET``: the variable is the target itself. ``MEMBER``: it was kept.
    ``INDEPENDENT``: it is independent of the target on its own. ``UNRELIABLE``: the sample is too small to test it.
    ``SEPARATED``: a set of members makes it independent. ``ASYMMETRIC``: the symmetry correction dropped it.

    See Also
    --------
    PCResult : Holds one decision per variable.

    Examples
    --------
    >>> from relspan.markov import BlanketSearch, Decision, DSeparation
    >>> found = BlanketSearch(DSeparation({"cause": [], "effect": ["cause"], "noise": []})).pc(1)
    >>> [Decision(d).name for d in found.decisions]
    ['MEMBER', 'TARGET', 'INDEPENDENT']
    """

    UNDECIDED = 0
    TARGET = 1
    MEMBER = 2
    INDEPENDENT = 3
    UNRELIABLE = 4
    SEPARATED = 5
    ASYMMETRIC = 6


@dataclass(frozen=True)
class Separation:
    """One test: the variables conditioned on, its outcome, and the phase of the search.

    Attributes
    ----------
    given : tuple of int
        Numbers of the variables conditioned on.
    log_p : float
        Natural logarithm of the p-value.
    statistic : float
        Test statistic.
    df : float
        Degrees of freedom.
    phase : {"forward", "backward", "symmetry", "spouse", "kept"}
        Part of the search that made the test.

    See Also
    --------
    PCResult : Holds the separation of every variable that was removed.

    Examples
    --------
    >>> from relspan.markov import BlanketSearch, DSeparation
    >>> chain = DSeparation({"cause": [], "effect": ["cause"], "later": ["effect"]})
    >>> BlanketSearch(chain).pc(2).separations[0].given
    (1,)
    """

    given: tuple[int, ...]
    log_p: float
    statistic: float
    df: float
    phase: str

    @classmethod
    def of(cls, evidence: Evidence, i: Any, given: tuple[int, ...], phase: str) -> Separation:
        """Take one entry out of a batch of tests.

        Parameters
        ----------
        evidence : Evidence
            The batch.
        i : int or tuple of int
            Position of the entry; for several sets, (set, candidate).
        given : tuple of int
            Numbers of the variables conditioned on.
        phase : str
            Part of the search that made the test.

        Returns
        -------
        Separation
            The entry.
        """
        return cls(given, float(evidence.log_p[i]), float(evidence.statistic[i]), float(evidence.df[i]), phase)


@dataclass
class PCResult:
    """The parents and children of one target, and the reason for every decision.

    Attributes
    ----------
    target : int
        Number of the target.
    members : list of int
        Parents and children in the order of admission: strongest marginal association first.
    decisions : ndarray of shape (n_variables,)
        One `Decision` per variable.
    marginal : Evidence
        The tests without conditions, one entry per variable (the target's own entry means nothing).
    separations : dict of int to Separation
        For every variable removed by a conditional test, the test that removed it.
    weakest : dict of int to Separation
        For every member, the reliable test it passed with the largest p.
    stopped : str or None
        Why the search ended early; None when it is complete.

    See Also
    --------
    BlanketSearch : Finds it.
    BlanketResult : The whole Markov blanket.

    Examples
    --------
    >>> from relspan.markov import BlanketSearch, DSeparation
    >>> chain = DSeparation({"cause": [], "effect": ["cause"], "later": ["effect"]})
    >>> found = BlanketSearch(chain).pc(2)
    >>> found.members
    [1]
    >>> found.separating_set(0)
    (1,)
    """

    target: int
    members: list[int]
    decisions: npt.NDArray[np.int8]
    marginal: Evidence
    separations: dict[int, Separation] = field(default_factory=dict)
    weakest: dict[int, Separation] = field(default_factory=dict)
    stopped: str | None = None

    def separating_set(self, variable: int) -> tuple[int, ...] | None:
        """The set that separated a variable from the target.

        Parameters
        ----------
        variable : int
            Number of the variable.

        Returns
        -------
        tuple of int or None
            Numbers of the separating variables; None if no set separated it.
        """
        if variable in self.separations:
            return self.separations[variable].given
        return () if self.decisions[variable] == Decision.INDEPENDENT else None

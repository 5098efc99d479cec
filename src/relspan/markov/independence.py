"""The interface of an independence test, and the evidence that it returns.

A test compares many candidates X with one target T, given one set S. Its answer is *evidence*: per candidate the
log p-value, the statistic, its degrees of freedom, and whether the sample was large enough for the test to mean
anything (the reliability rule). An unreliable test neither admits nor removes: it is neither `dependent` nor
`independent`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Protocol, runtime_checkable

import numpy as np

from relspan.arrays import Bools, Floats, Ints

_TESTS_AT_ONCE = 1024


@dataclass(frozen=True)
class Evidence:
    """Outcomes of a batch of independence tests: one entry per candidate; for several sets, one row per set.

    Attributes
    ----------
    log_p : ndarray
        Natural logarithms of the p-values.
    statistic : ndarray
        Test statistics.
    df : ndarray
        Degrees of freedom.
    reliable : bool ndarray
        Whether the sample is large enough for each test to mean anything.

    See Also
    --------
    IndependenceTest : What returns evidence.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.markov import Evidence
    >>> p = np.array([0.001, 0.4, 0.001])
    >>> evidence = Evidence(np.log(p), np.ones(3), np.ones(3), np.array([True, True, False]))
    >>> evidence.dependent(0.05)
    array([ True, False, False])
    >>> evidence.independent(0.05)
    array([False,  True, False])
    """

    log_p: Floats
    statistic: Floats
    df: Floats
    reliable: Bools

    @property
    def strength(self) -> Floats:
        """Statistic per degree of freedom; the second key of HITON's order."""
        return self.statistic / np.maximum(self.df, 1.0)

    def as_one_row(self) -> Evidence:
        """Reshape the evidence into a table of one set.

        Returns
        -------
        Evidence
            The same entries with a leading axis of length 1.
        """
        return Evidence(*(getattr(self, part.name)[None] for part in fields(Evidence)))

    def dependent(self, alpha: float) -> Bools:
        """Which candidates are reliably dependent: p <= alpha.

        Parameters
        ----------
        alpha : float
            Level of the tests.

        Returns
        -------
        bool ndarray
            In the shape of `log_p`.
        """
        return self.reliable & (self.log_p <= math.log(alpha))

    def independent(self, alpha: float) -> Bools:
        """Which candidates are reliably independent, I(X, T | S): p > alpha.

        Parameters
        ----------
        alpha : float
            Level of the tests.

        Returns
        -------
        bool ndarray
            In the shape of `log_p`.
        """
        return self.reliable & (self.log_p > math.log(alpha))


class IndependenceTest(Protocol):
    """The interface of a conditional independence test over numbered variables.

    See Also
    --------
    TableTest : For discrete variables.
    FisherZ : For continuous variables.
    LikelihoodRatio : For continuous and discrete variables together.
    DSeparation : For a known graph.

    Examples
    --------
    A search takes any object of this shape:

    >>> from relspan.markov import BlanketSearch, DSeparation
    >>> BlanketSearch(DSeparation({"cause": [], "effect": ["cause"]})).pc(1).members
    [0]
    """

    @property
    def n_variables(self) -> int:
        """Number of variables; they are numbered from 0."""

    def evidence(self, candidates: Ints, target: int, given: Sequence[int]) -> Evidence:
        """Test every candidate against the target, given the variables in `given`.

        Parameters
        ----------
        candidates : ndarray of int
            Numbers of the variables to test.
        target : int
            Number of the target.
        given : sequence of int
            Numbers of the variables to condition on.

        Returns
        -------
        Evidence
            One entry per candidate.
        """


@runtime_checkable
class SetBatchTest(Protocol):
    """An independence test that may take several conditioning sets of one size in one batch."""

    @property
    def takes_set_batches(self) -> bool:
        """Whether a batch is faster than one set at a time."""

    def evidence_of_sets(self, candidates: Ints, target: int, sets: Sequence[Sequence[int]]) -> Evidence:
        """One row per set. The entry of a candidate that is in the set means nothing."""


class OutOfTests(Exception):
    """The search has used all the tests it was allowed. The search catches it; a user never sees it."""


class CountedTest:
    """An independence test that counts its tests and stops at a limit."""

    def __init__(self, test: IndependenceTest, max_tests: int | None = None) -> None:
        self.test = test
        self.max_tests = max_tests
        self.n_marginal = 0
        self.n_conditional = 0

    @property
    def n_tests(self) -> int:
        """Number of tests so far."""
        return self.n_marginal + self.n_conditional

    def evidence(self, candidates: Ints, target: int, given: Sequence[int]) -> Evidence:
        """Same as the test's own; raises OutOfTests before a batch that would exceed the limit."""
        self._count(len(candidates), conditional=len(given) > 0)
        return self.test.evidence(candidates, target, given)

    def evidence_of_sets(self, candidates: Ints, target: int, sets: Sequence[Sequence[int]]) -> Evidence:
        """Several sets of one size, one row per set. A candidate that is in the set is not tested, hence unreliable."""
        inside = (candidates[None, :, None] == np.array(sets, dtype=np.intp)[:, None, :]).any(axis=2)
        self._count(int(inside.size - inside.sum()), conditional=True)
        if len(sets) > 1 and isinstance(self.test, SetBatchTest):
            found = self.test.evidence_of_sets(candidates, target, sets)
            return replace(found, reliable=found.reliable & ~inside)
        numbers = np.zeros((3, *inside.shape))
        reliable = np.zeros(inside.shape, dtype=bool)
        for row, given in enumerate(sets):
            outside = ~inside[row]
            one = self.test.evidence(candidates[outside], target, given)
            numbers[:, row, outside] = one.log_p, one.statistic, one.df
            reliable[row, outside] = one.reliable
        return Evidence(numbers[0], numbers[1], numbers[2], reliable)

    def sets_at_once(self, candidates: int) -> int:
        """Number of sets per batch: about a thousand tests if the test takes batches, and no more than are left."""
        if not (isinstance(self.test, SetBatchTest) and self.test.takes_set_batches):
            return 1
        left = _TESTS_AT_ONCE if self.max_tests is None else min(_TESTS_AT_ONCE, self.max_tests - self.n_tests)
        return max(left // max(candidates, 1), 1)

    def _count(self, number: int, conditional: bool) -> None:
        if self.max_tests is not None and self.n_tests + number > self.max_tests:
            raise OutOfTests
        if conditional:
            self.n_conditional += number
        else:
            self.n_marginal += number

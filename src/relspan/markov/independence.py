"""What a test of independence answers, and what a search may ask of it.

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
    """Answers for a batch of candidates, one entry each; of several sets, one row a set."""

    log_p: Floats
    statistic: Floats
    df: Floats
    reliable: Bools

    @property
    def strength(self) -> Floats:
        """Statistic per degree of freedom; the second key of HITON's order."""
        return self.statistic / np.maximum(self.df, 1.0)

    def as_one_row(self) -> Evidence:
        """The same as a table of one set."""
        return Evidence(*(getattr(self, part.name)[None] for part in fields(Evidence)))

    def dependent(self, alpha: float) -> Bools:
        """Reliably dependent: p <= alpha."""
        return self.reliable & (self.log_p <= math.log(alpha))

    def independent(self, alpha: float) -> Bools:
        """Reliably independent, I(X, T | S): p > alpha."""
        return self.reliable & (self.log_p > math.log(alpha))


class IndependenceTest(Protocol):
    """A conditional independence test over numbered variables."""

    @property
    def n_variables(self) -> int:
        """How many variables there are; they are numbered from 0."""

    def evidence(self, candidates: Ints, target: int, given: Sequence[int]) -> Evidence:
        """Test every candidate against the target, given the variables in `given`."""


@runtime_checkable
class SetsTogether(Protocol):
    """A test that may take several conditioning sets of one size in one batch."""

    @property
    def sets_together(self) -> bool:
        """Whether that is faster than one by one."""

    def evidence_of_sets(self, candidates: Ints, target: int, sets: Sequence[Sequence[int]]) -> Evidence:
        """One row a set. What it says of a candidate that is in the set means nothing."""


class OutOfTestsError(Exception):
    """The search has used all the tests it was allowed. Caught by the search, never seen by a user."""


class CountedTest:
    """An independence test that counts what it is asked and stops at a limit."""

    def __init__(self, test: IndependenceTest, max_tests: int | None = None) -> None:
        self.test = test
        self.max_tests = max_tests
        self.n_marginal = 0
        self.n_conditional = 0

    @property
    def n_tests(self) -> int:
        """Tests made so far."""
        return self.n_marginal + self.n_conditional

    def evidence(self, candidates: Ints, target: int, given: Sequence[int]) -> Evidence:
        """As the test itself; raises OutOfTestsError before a batch that would pass the limit."""
        self._count(len(candidates), conditional=len(given) > 0)
        return self.test.evidence(candidates, target, given)

    def evidence_of_sets(self, candidates: Ints, target: int, sets: Sequence[Sequence[int]]) -> Evidence:
        """Several sets of one size, one row a set; of a candidate that is in the set nothing is asked or said."""
        inside = (candidates[None, :, None] == np.array(sets, dtype=np.intp)[:, None, :]).any(axis=2)
        self._count(int(inside.size - inside.sum()), conditional=True)
        if len(sets) > 1 and isinstance(self.test, SetsTogether):
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
        """How many sets make a batch: a thousand tests where many sets go together, and no more than are left."""
        if not (isinstance(self.test, SetsTogether) and self.test.sets_together):
            return 1
        left = _TESTS_AT_ONCE if self.max_tests is None else min(_TESTS_AT_ONCE, self.max_tests - self.n_tests)
        return max(left // max(candidates, 1), 1)

    def _count(self, number: int, conditional: bool) -> None:
        if self.max_tests is not None and self.n_tests + number > self.max_tests:
            raise OutOfTestsError
        if conditional:
            self.n_conditional += number
        else:
            self.n_marginal += number

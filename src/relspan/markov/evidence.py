"""What a test of independence answers, and what a search may ask of it.

A test compares many candidates X with one target T, given one set S. Its answer is *evidence*: per candidate the
log p-value, the statistic, its degrees of freedom, and whether the sample was large enough for the test to mean
anything (the reliability rule). An unreliable test neither admits nor removes: it is neither `dependent` nor
`independent`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
IntArray = npt.NDArray[np.intp]


@dataclass(frozen=True)
class Evidence:
    """Answers for a batch of candidates, one entry each."""

    log_p: FloatArray
    statistic: FloatArray
    df: FloatArray
    reliable: BoolArray

    @property
    def strength(self) -> FloatArray:
        """Statistic per degree of freedom; the second key of HITON's order."""
        return self.statistic / np.maximum(self.df, 1.0)

    def dependent(self, alpha: float) -> BoolArray:
        """Reliably dependent: p <= alpha."""
        return self.reliable & (self.log_p <= math.log(alpha))

    def independent(self, alpha: float) -> BoolArray:
        """Reliably independent, I(X, T | S): p > alpha."""
        return self.reliable & (self.log_p > math.log(alpha))


class IndependenceTest(Protocol):
    """A conditional independence test over numbered variables."""

    @property
    def n_variables(self) -> int:
        """How many variables there are; they are numbered from 0."""

    def evidence(self, candidates: IntArray, target: int, given: Sequence[int]) -> Evidence:
        """Test every candidate against the target, given the variables in `given`."""


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

    def evidence(self, candidates: IntArray, target: int, given: Sequence[int]) -> Evidence:
        """As the test itself; raises OutOfTestsError before a batch that would pass the limit."""
        if self.max_tests is not None and self.n_tests + len(candidates) > self.max_tests:
            raise OutOfTestsError
        if given:
            self.n_conditional += len(candidates)
        else:
            self.n_marginal += len(candidates)
        return self.test.evidence(candidates, target, given)

r"""Likelihood-ratio tests for continuous and discrete variables together.

X and T are independent given S when X does not help to predict T beyond S, and when T does not help to predict X. Each
way is a comparison of two nested regressions, chosen by the kind of the response:

- continuous: least squares. The likelihood ratio :math:`n \log(RSS_0 / RSS_1)` is a monotone function of F, whose law
  is exact, so p comes from F.
- discrete: multinomial logistic regression; the drop in deviance is compared with chi-square.

Discrete predictors enter as indicators. The two p-values become one by

.. math:: p = \min(2 \min(p_1, p_2), \max(p_1, p_2))

(Tsagris, Borboudakis, Lagani, Tsamardinos 2018). When X, T and S are all discrete the test is G2; when all are
continuous both ways agree and equal the F test of the partial correlation. Reliable: `samples_per_df` samples per
parameter of the larger model.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from relspan.arrays import Bools, Floats, Ints
from relspan.markov.fisher_z import unit_columns
from relspan.markov.g2 import TableTest
from relspan.markov.independence import Evidence
from relspan.markov.log_tails import chi2_log_tail, f_log_tail
from relspan.markov.multinomial import multinomial_deviance
from relspan.tolerances import DETERMINED_VARIANCE, LEAST_RESIDUAL, LEAST_VARIANCE

_CHUNK_NUMBERS = 1 << 20  # numbers of a design alive at once


class LikelihoodRatio:
    """Conditional independence of continuous and discrete variables together.

    Parameters
    ----------
    blocks : sequence of ndarray of shape (n_samples, n_columns)
        Numeric variables, numbered through all blocks.
    discrete : bool ndarray of shape (n_variables,)
        Which variables are discrete; every different value of those is a level.
    samples_per_df : float, default=5.0
        Samples that a reliable test needs per parameter of the larger model.

    Attributes
    ----------
    n_samples : int
        Number of samples.
    n_variables : int
        Number of variables in all blocks.

    See Also
    --------
    TableTest : The test for discrete variables.
    FisherZ : The test for continuous variables.
    BlanketSearch : Finds Markov blankets with a test.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.markov import LikelihoodRatio
    >>> rng = np.random.default_rng(0)
    >>> group = np.repeat([0, 1, 2], 60)
    >>> columns = np.column_stack([group, group + rng.normal(size=180), rng.normal(size=180)])
    >>> test = LikelihoodRatio([columns], np.array([True, False, False]))
    >>> test.evidence(np.array([1, 2]), 0, ()).dependent(0.01)
    array([ True, False])
    """

    def __init__(
        self, blocks: Sequence[npt.NDArray[np.generic]], discrete: Bools, *, samples_per_df: float = 5.0
    ) -> None:
        self.n_samples = int(blocks[0].shape[0])
        self.n_variables = sum(int(block.shape[1]) for block in blocks)
        self.discrete = np.asarray(discrete, dtype=bool)
        self.samples_per_df = samples_per_df
        self._row: Ints = np.zeros(self.n_variables, dtype=np.intp)
        self._row[self.discrete] = np.arange(self.discrete.sum())
        self._row[~self.discrete] = np.arange((~self.discrete).sum())
        numbers, levels, start = [], [], 0
        for block in blocks:
            here = self.discrete[start : start + block.shape[1]]
            numbers.append(unit_columns(block[:, ~here]).T)
            levels.append(block[:, here])
            start += block.shape[1]
        self._numbers: Floats = np.concatenate(numbers)
        self._tables = TableTest(levels, samples_per_df=samples_per_df)

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
        m, n = len(candidates), self.n_samples
        result = Evidence(np.zeros(m), np.zeros(m), np.zeros(m), np.zeros(m, dtype=bool))
        tabular = self.discrete[candidates] & self.discrete[target] & bool(self.discrete[list(given)].all())
        if tabular.any():
            rows = self._row[candidates[tabular]]
            part = self._tables.evidence(rows, int(self._row[target]), [int(self._row[s]) for s in given])
            _fill(result, np.flatnonzero(tabular), part)
        if not tabular.all():
            Q = _orthonormal(np.concatenate([np.full((1, n), n**-0.5), *(self._predictors(s) for s in given)]))
            for positions in self._chunks_of_one_kind(candidates, np.flatnonzero(~tabular)):
                _fill(result, positions, self._symmetric_evidence(candidates[positions], target, Q))
        return result

    def _levels(self, variable: int) -> int:
        return int(self._tables.columns.levels[self._row[variable]])

    def _codes(self, variable: int) -> npt.NDArray[np.int64]:
        return self._tables.columns.codes(int(self._row[variable]))

    def _predictors(self, variable: int) -> Floats:
        """The variable as predictor, (columns, n): itself, or indicators of all levels but the first."""
        if not self.discrete[variable]:
            number: Floats = self._numbers[self._row[variable]][None, :]
            return number
        indicators = self._codes(variable)[:, None] == np.arange(1, self._levels(variable))
        return unit_columns(indicators).T

    def _chunks_of_one_kind(self, candidates: Ints, positions: Ints) -> Iterator[Ints]:
        """Chunks of candidates of one kind and, if discrete, of one number of levels."""
        kinds = np.array([self._levels(int(c)) if self.discrete[c] else 0 for c in candidates[positions]])
        for kind in np.unique(kinds):
            members = positions[kinds == kind]
            step = max(1, _CHUNK_NUMBERS // (self.n_samples * max(1, int(kind))))
            for left in range(0, len(members), step):
                yield members[left : left + step]

    def _symmetric_evidence(self, candidates: Ints, target: int, Q: Floats) -> Evidence:
        x = np.stack([self._predictors(int(c)) for c in candidates])  # (m, columns, n)
        t = self._predictors(target)[None]
        x_basis, x_rank = _residual_basis(x, Q)
        t_basis, t_rank = _residual_basis(t, Q)
        shape = (len(candidates), *t_basis.shape[1:])
        forward = self._regression_evidence(np.array([target]), x_basis, x_rank, Q)
        backward = self._regression_evidence(
            candidates, np.broadcast_to(t_basis, shape), np.repeat(t_rank, len(candidates)), Q
        )
        smaller = np.where(forward.log_p <= backward.log_p, 0, 1)
        low = np.minimum(forward.log_p, backward.log_p)
        high = np.maximum(forward.log_p, backward.log_p)
        return Evidence(
            np.minimum(np.minimum(low + np.log(2.0), high), 0.0),
            np.choose(smaller, [forward.statistic, backward.statistic]),
            np.choose(smaller, [forward.df, backward.df]),
            forward.reliable & backward.reliable,
        )

    def _regression_evidence(self, responses: Ints, basis: Floats, rank: Floats, Q: Floats) -> Evidence:
        """How much the basis (m, columns, n) adds to Q (n, q) in predicting the responses (one, or m of them)."""
        if not self.discrete[responses[0]]:
            return self._least_squares(self._numbers[self._row[responses]], basis, rank, Q)
        classes = self._levels(int(responses[0]))
        if classes == 1:  # a constant depends on nothing
            none = np.zeros(len(basis))
            return Evidence(none, none, none, np.ones(len(basis), dtype=bool))
        return self._logistic(np.stack([self._codes(int(r)) for r in responses]), classes, basis, rank, Q)

    def _least_squares(self, y: Floats, basis: Floats, rank: Floats, Q: Floats) -> Evidence:
        n, q = Q.shape
        rest = y - (y @ Q) @ Q.T
        rss0 = np.einsum("mn,mn->m", rest, rest)
        explained = (np.einsum("mcn,mn->mc", basis, np.broadcast_to(rest, (len(basis), n))) ** 2).sum(axis=1)
        df2 = n - q - rank
        free = (rss0 > DETERMINED_VARIANCE) & (rank > 0) & (df2 > 0)
        rss1 = np.maximum(rss0 - explained, LEAST_RESIDUAL * rss0)
        ratio = np.where(free, (rss0 - rss1) / np.where(free, rss1, 1.0), 0.0)
        F = ratio * np.maximum(df2, 0) / np.maximum(rank, 1)
        df1 = np.where(free, rank, 0.0)
        reliable = n >= self.samples_per_df * (q + rank)
        return Evidence(f_log_tail(F, df1, df2), n * np.log1p(ratio), df1, reliable)

    def _logistic(self, y: npt.NDArray[np.int64], classes: int, basis: Floats, rank: Floats, Q: Floats) -> Evidence:
        n, q = Q.shape
        small = np.broadcast_to(Q, (len(y), n, q))
        large = np.concatenate([np.broadcast_to(Q, (len(basis), n, q)), np.swapaxes(basis, 1, 2)], axis=2)
        root = np.sqrt(n)  # the regressions want columns of size one per sample
        drop = multinomial_deviance(small * root, y, classes) - multinomial_deviance(large * root, y, classes)
        df = (classes - 1) * rank
        drop = np.where(df > 0, np.maximum(drop, 0.0), 0.0)
        reliable = n >= self.samples_per_df * (classes - 1) * (q + rank)
        return Evidence(chi2_log_tail(drop, df), drop, df, reliable)


def _fill(whole: Evidence, positions: Ints, part: Evidence) -> None:
    whole.log_p[positions], whole.statistic[positions] = part.log_p, part.statistic
    whole.df[positions], whole.reliable[positions] = part.df, part.reliable


def _orthonormal(rows: Floats) -> Floats:
    """Orthonormal basis (n, rank) of the span of the rows."""
    left, size, _ = np.linalg.svd(rows.T, full_matrices=False)
    result: Floats = left[:, size > np.sqrt(DETERMINED_VARIANCE)]
    return result


def _residual_basis(columns: Floats, Q: Floats) -> tuple[Floats, Floats]:
    """What columns (m, c, n) add to Q: orthonormal rows, zero where they add nothing, and how many are not zero."""
    rest = columns - (columns @ Q) @ Q.T
    rest = rest - (rest @ Q) @ Q.T  # twice is enough
    before = np.einsum("mcn,mcn->m", columns, columns)
    size, vectors = np.linalg.eigh(rest @ np.swapaxes(rest, 1, 2))
    kept = size > DETERMINED_VARIANCE * np.maximum(before, LEAST_VARIANCE)[:, None]
    scale = np.where(kept, 1.0 / np.sqrt(np.where(kept, size, 1.0)), 0.0)
    basis = (np.swapaxes(vectors, 1, 2) * scale[:, :, None]) @ rest
    return basis, kept.sum(axis=1).astype(float)

r"""G2 and Pearson's chi-square tests of conditional independence for discrete variables.

Over the strata s of S, with n the counts and a dot for a sum,

.. math::
    G^2 = 2 \sum_{s,t,x} n_{stx} \log \frac{n_{stx}\, n_{s\cdot\cdot}}{n_{st\cdot}\, n_{s\cdot x}}, \qquad
    \chi^2 = \sum_{s,t,x} \frac{(n_{stx} - e_{stx})^2}{e_{stx}}, \quad
    e_{stx} = \frac{n_{st\cdot}\, n_{s\cdot x}}{n_{s\cdot\cdot}}

Both are compared with a chi-square law of

.. math:: df = \sum_s (\#\{t: n_{st\cdot} > 0\} - 1)_+ \, (\#\{x: n_{s\cdot x} > 0\} - 1)_+

degrees of freedom, so that empty strata and levels that never occur in a stratum do not count. No degree of freedom
means nothing to see: p = 1. A test is *reliable* with at least `samples_per_df` samples per degree of freedom
(Aliferis, Statnikov, Tsamardinos, Mani, Koutsoukos 2010, JMLR 11, part I).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from relspan.arrays import Floats, Ints
from relspan.checks import number, one_of
from relspan.markov.contingency import DiscreteColumns
from relspan.markov.independence import Evidence
from relspan.markov.log_tails import chi2_log_tail

Counts = npt.NDArray[np.int64]


class TableTest:
    """Conditional independence by contingency tables, for discrete variables.

    Parameters
    ----------
    blocks : sequence of ndarray of shape (n_samples, n_columns)
        The variables, numbered through all blocks; every different value is a level.
    statistic : {"g2", "chi2"}, default="g2"
        The likelihood ratio G2, or Pearson's chi-square.
    samples_per_df : float, default=5.0
        Samples that a reliable test needs per degree of freedom.

    Attributes
    ----------
    columns : DiscreteColumns
        The variables, stored so that tables are counted fast.

    See Also
    --------
    FisherZ : The test for continuous variables.
    LikelihoodRatio : The test for continuous and discrete variables together.
    BlanketSearch : Finds Markov blankets with a test.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.markov import TableTest
    >>> coin = np.tile([0, 1], 50)
    >>> test = TableTest([np.column_stack([coin, coin, np.repeat([0, 1], 50)])])
    >>> test.evidence(np.array([1, 2]), 0, ()).dependent(0.01)
    array([ True, False])
    """

    def __init__(
        self, blocks: Sequence[npt.NDArray[np.generic]], *, statistic: str = "g2", samples_per_df: float = 5.0
    ) -> None:
        self.statistic = one_of("statistic", statistic, ("g2", "chi2"))
        self.samples_per_df = number("samples_per_df", samples_per_df, at_least=0)
        self.columns = DiscreteColumns(blocks)
        n = np.arange(self.columns.n_samples + 1, dtype=float)
        self._n_log_n = n * np.log(np.maximum(n, 1.0))  # counts are whole numbers: n log n by looking it up

    @property
    def n_variables(self) -> int:
        """Number of variables in all blocks."""
        return self.columns.n_variables

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
        statistic, df = np.zeros(len(candidates)), np.zeros(len(candidates))
        for positions, counts in self.columns.tables(candidates, target, given):
            statistic[positions], df[positions] = self._statistic_and_df(counts)
        return self._evidence_of(statistic, df)

    @property
    def takes_set_batches(self) -> bool:
        """Whether several sets go in one batch: if all columns are two-valued."""
        return self.columns.two_valued

    def evidence_of_sets(self, candidates: Ints, target: int, sets: Sequence[Sequence[int]]) -> Evidence:
        """Test every candidate given each of several sets of one size, in one batch.

        Parameters
        ----------
        candidates : ndarray of int
            Numbers of the variables to test.
        target : int
            Number of the target.
        sets : sequence of sequence of int
            The conditioning sets, all of one size.

        Returns
        -------
        Evidence
            One row per set, one column per candidate.
        """
        return self._evidence_of(*self._statistic_and_df(self.columns.tables_of_sets(candidates, target, sets)))

    def _evidence_of(self, statistic: Floats, df: Floats) -> Evidence:
        """The tests whose statistics and degrees of freedom these are."""
        statistic = np.where(df > 0, statistic, 0.0)
        reliable = self.columns.n_samples >= self.samples_per_df * df
        return Evidence(chi2_log_tail(statistic, df), statistic, df, reliable)

    def _statistic_and_df(self, counts: Counts) -> tuple[Floats, Floats]:
        """Statistic and degrees of freedom of tables of shape (..., m, strata, levels of T, levels of X)."""
        t_sums = counts[..., :1, :, :, :].sum(axis=-1)  # n_st. is the same for every candidate
        x_sums = counts.sum(axis=-2)
        measure = self._g2 if self.statistic == "g2" else self._chi2
        t_free = np.maximum(np.count_nonzero(t_sums, axis=-1) - 1, 0)
        x_free = np.maximum(np.count_nonzero(x_sums, axis=-1) - 1, 0)
        return measure(counts, t_sums, x_sums), (x_free * t_free).sum(axis=-1).astype(float)

    def _g2(self, counts: Counts, t_sums: Counts, x_sums: Counts) -> Floats:
        n_log_n = self._n_log_n
        shared = n_log_n.take(t_sums.sum(axis=-1)).sum(axis=-1) - n_log_n.take(t_sums).sum(axis=(-1, -2))
        own = n_log_n.take(counts).sum(axis=(-1, -2, -3)) - n_log_n.take(x_sums).sum(axis=(-1, -2))
        result: Floats = np.maximum(2.0 * (own + shared), 0.0)
        return result

    @staticmethod
    def _chi2(counts: Counts, t_sums: Counts, x_sums: Counts) -> Floats:
        t_sums, x_sums = t_sums[..., None], x_sums[..., None, :]
        expected = t_sums * x_sums / np.maximum(t_sums.sum(axis=-2, keepdims=True), 1)
        result: Floats = ((counts - expected) ** 2 / np.where(expected > 0, expected, 1.0)).sum(axis=(-1, -2, -3))
        return result

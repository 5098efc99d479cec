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
from relspan.errors import ParameterError
from relspan.markov.contingency import DiscreteColumns
from relspan.markov.independence import Evidence
from relspan.markov.log_tails import chi2_log_tail

Counts = npt.NDArray[np.int64]


class TableTest:
    """Conditional independence by contingency tables.

    Parameters
    ----------
    blocks : sequence of arrays of shape (n_samples, n_columns)
        The variables, numbered through all blocks; every different value is a level.
    statistic : {"g2", "chi2"}
        The likelihood ratio G2, or Pearson's chi-square.
    samples_per_df : float
        The reliability rule: samples needed per degree of freedom.
    """

    def __init__(
        self, blocks: Sequence[npt.NDArray[np.generic]], *, statistic: str = "g2", samples_per_df: float = 5.0
    ) -> None:
        if statistic not in ("g2", "chi2"):
            raise ParameterError(f"statistic={statistic!r}: must be 'g2' or 'chi2'")
        self.columns = DiscreteColumns(blocks)
        self.statistic = statistic
        self.samples_per_df = samples_per_df
        n = np.arange(self.columns.n_samples + 1, dtype=float)
        self._n_log_n = n * np.log(np.maximum(n, 1.0))  # counts are whole numbers: n log n by looking it up

    @property
    def n_variables(self) -> int:
        """How many variables there are."""
        return self.columns.n_variables

    def evidence(self, candidates: Ints, target: int, given: Sequence[int]) -> Evidence:
        """Test every candidate against the target, given the variables in `given`."""
        statistic, df = np.zeros(len(candidates)), np.zeros(len(candidates))
        for positions, counts in self.columns.tables(candidates, target, given):
            statistic[positions], df[positions] = self._measured(counts)
        return self._judged(statistic, df)

    @property
    def sets_together(self) -> bool:
        """Several sets go in one batch if all columns are two-valued."""
        return self.columns.two_valued

    def evidence_of_sets(self, candidates: Ints, target: int, sets: Sequence[Sequence[int]]) -> Evidence:
        """Several sets of one size at once, one row a set: many small batches become one."""
        return self._judged(*self._measured(self.columns.tables_of_sets(candidates, target, sets)))

    def _judged(self, statistic: Floats, df: Floats) -> Evidence:
        statistic = np.where(df > 0, statistic, 0.0)
        reliable = self.columns.n_samples >= self.samples_per_df * df
        return Evidence(chi2_log_tail(statistic, df), statistic, df, reliable)

    def _measured(self, counts: Counts) -> tuple[Floats, Floats]:
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

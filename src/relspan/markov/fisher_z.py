r"""Fisher's z test of a partial correlation, for jointly normal variables.

With R the correlation matrix, the partial correlation of X and T given S is

.. math::
    r = \frac{R_{xt} - R_{xS} R_{SS}^{+} R_{St}}
             {\sqrt{(1 - R_{xS} R_{SS}^{+} R_{Sx})\,(1 - R_{tS} R_{SS}^{+} R_{St})}}, \qquad
    z = \sqrt{n - |S| - 3}\; \tfrac12 \log \frac{1 + r}{1 - r}

and z is standard normal under independence (two-sided). One pseudo-inverse of :math:`R_{SS}` serves all candidates; a
row of R is computed when it is first needed, never the whole matrix. A variable that S (or a constant) determines has
no variation left that could depend on anything: r = 0. Reliable: `samples_per_df` samples beyond the |S| + 3 that
the variance of z uses up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from relspan.arrays import Floats, Ints
from relspan.markov.independence import Evidence
from relspan.markov.log_tails import normal_log_two_sided
from relspan.tolerances import CONSTANT_COLUMN, DETERMINED_VARIANCE, LARGEST_CORRELATION

_CACHED_NUMBERS = 1 << 24  # numbers kept in remembered rows of R: 128 MiB


class FisherZ:
    """Conditional independence by partial correlation, for jointly normal variables.

    Parameters
    ----------
    blocks : sequence of ndarray of shape (n_samples, n_columns)
        Numeric variables, numbered through all blocks.
    samples_per_df : float, default=5.0
        Samples that a reliable test needs beyond the ``|S| + 3`` that the variance of z uses up.

    Attributes
    ----------
    n_samples : int
        Number of samples.
    n_variables : int
        Number of variables in all blocks.

    See Also
    --------
    TableTest : The test for discrete variables.
    LikelihoodRatio : The test for continuous and discrete variables together.
    BlanketSearch : Finds Markov blankets with a test.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.markov import FisherZ
    >>> rng = np.random.default_rng(0)
    >>> cause = rng.normal(size=200)
    >>> test = FisherZ([np.column_stack([cause, cause + rng.normal(size=200), rng.normal(size=200)])])
    >>> test.evidence(np.array([1, 2]), 0, ()).dependent(0.01)
    array([ True, False])
    """

    def __init__(self, blocks: Sequence[npt.NDArray[np.generic]], *, samples_per_df: float = 5.0) -> None:
        self._standard = [unit_columns(block) for block in blocks]
        self.n_samples = int(blocks[0].shape[0])
        self.n_variables = sum(block.shape[1] for block in self._standard)
        self.samples_per_df = samples_per_df
        self._rows: dict[int, Floats] = {}

    def _column(self, variable: int) -> Floats:
        for block in self._standard:
            if variable < block.shape[1]:
                return block[:, variable]
            variable -= block.shape[1]
        raise IndexError(variable)

    def correlations(self, variable: int) -> Floats:
        """Correlation of one variable with every variable.

        Parameters
        ----------
        variable : int
            Number of the variable.

        Returns
        -------
        ndarray of shape (n_variables,)
            Pearson correlations; 0 with a constant.
        """
        if variable not in self._rows:
            if len(self._rows) * self.n_variables > _CACHED_NUMBERS:
                self._rows.clear()
            column = self._column(variable)
            self._rows[variable] = np.concatenate([column @ block for block in self._standard])
        return self._rows[variable]

    def partial_correlations(self, candidates: Ints, target: int, given: Sequence[int]) -> Floats:
        """Partial correlation of every candidate with the target.

        Parameters
        ----------
        candidates : ndarray of int
            Numbers of the candidates.
        target : int
            Number of the target.
        given : sequence of int
            Numbers of the variables to condition on.

        Returns
        -------
        ndarray of shape (n_candidates,)
            0 where `given` determines the candidate or the target.
        """
        r_xt = self.correlations(target)[candidates]
        r_tt = float(self.correlations(target)[target])  # 0 for a constant column
        x_left = np.ones(len(candidates))
        t_left = 1.0
        if given:
            rows = np.stack([self.correlations(s) for s in given])
            R_SS, R_Sx, R_St = rows[:, list(given)], rows[:, candidates], rows[:, target]
            solve = np.linalg.pinv(R_SS, rcond=DETERMINED_VARIANCE, hermitian=True)
            weights = solve @ R_St
            r_xt = r_xt - weights @ R_Sx
            x_left = 1.0 - np.einsum("sm,sm->m", R_Sx, solve @ R_Sx)
            t_left = 1.0 - float(R_St @ weights)
        free = (x_left > DETERMINED_VARIANCE) & (t_left > DETERMINED_VARIANCE) & (r_tt > 0.0)
        scale = np.sqrt(np.where(free, x_left * t_left, 1.0))
        return np.where(free, np.clip(r_xt / scale, -LARGEST_CORRELATION, LARGEST_CORRELATION), 0.0)

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
        r = self.partial_correlations(candidates, target, given)
        left = self.n_samples - len(given) - 3
        z = np.abs(np.arctanh(r)) * np.sqrt(max(left, 0))
        reliable = np.full(len(candidates), left >= self.samples_per_df)
        return Evidence(normal_log_two_sided(z), z, np.ones(len(candidates)), reliable)


def unit_columns(block: npt.NDArray[np.generic]) -> Floats:
    """Columns centred and of length one; a constant column becomes zeros."""
    values = np.asarray(block, dtype=float)
    centred = values - values.mean(axis=0)
    length = np.linalg.norm(centred, axis=0)
    size = np.abs(values).max(axis=0, initial=0.0) * np.sqrt(len(values))
    constant = length <= CONSTANT_COLUMN * size
    result: Floats = np.where(constant, 0.0, centred / np.where(constant, 1.0, length))
    return result

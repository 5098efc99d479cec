"""The contributions of all features to the scores of many samples: how far each can move a score, and must.

For a linear model a contribution  w_j (x_ij - mean_j)  is the SHAP value with independent features. As in
`contributions`, its range is that of the weight times  x_ij - mean_j,  so that no program is needed, and each end is
attained by the model that attains the end of the weight. The contributions of one sample are not independent of each
other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from relspan.arrays import Floats, Ints, Matrix, dense
from relspan.explore.contributions import average_sample
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.result.answer_table import AnswerTable, counted


@dataclass(frozen=True, repr=False, eq=False)
class ContributionTable(AnswerTable):
    """The range of every feature's contribution to the scores of some samples.

    Parameters
    ----------
    features : tuple of str
        The names of the features.
    lo, hi : ndarray of shape (n_samples, n_features)
        The smallest and the largest contribution over all equally good models.
    best : ndarray of shape (n_samples, n_features)
        The contributions in the best model.
    gaps : ndarray of shape (n_samples, n_features)
        How far the truth may lie beyond the ends.

    See Also
    --------
    Explorer.shap : Compute them.
    Contributions : One sample in detail.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.explore import ContributionTable
    >>> one = np.array([[0.2]])
    >>> ContributionTable(("age",), one, 2 * one, one, 0 * one).signs
    array([[1]])
    """

    features: tuple[str, ...]
    lo: Floats
    hi: Floats
    best: Floats
    gaps: Floats

    def __len__(self) -> int:
        return len(self.lo)

    @property
    def signs(self) -> Ints:
        """The direction into which each feature moves each score in every equally good model.

        Returns
        -------
        ndarray of shape (n_samples, n_features)
            1, -1, or 0 where models differ or the contribution can vanish.
        """
        return np.asarray(self.lo - self.gaps > 0, dtype=np.intp) - np.asarray(self.hi + self.gaps < 0, dtype=np.intp)

    def columns(self) -> dict[str, list[Any]]:
        """One row per sample and feature, by column.

        Returns
        -------
        dict of str to list
            The number of the sample, the feature, the range of its contribution, and its certain sign.
        """
        n, d = self.lo.shape
        return {
            "sample": np.repeat(np.arange(n), d).tolist(),
            "name": list(self.features) * n,
            **{key: getattr(self, key).ravel().tolist() for key in ("lo", "hi", "best", "gaps", "signs")},
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        certain = np.mean(self.signs != 0) if self.lo.size else 0.0
        size = f"{counted(len(self), 'sample')}, {counted(len(self.features), 'feature')}"
        return f"{size}; {certain:.1%} of all contributions have a certain sign"


def contribution_table(solver: PinSolver, pinned: PinnedFamily, Z: Matrix) -> ContributionTable:
    """The contributions of scaled samples, counted from the mean of the table that was analysed."""
    problem = solver.problem
    away = problem.units.norm(1.0) * (dense(Z) - average_sample(problem))
    ends = away[:, :, None] * pinned.signed
    largest_gap = pinned.gaps.max(axis=1)
    found = (
        ends.min(axis=2),
        ends.max(axis=2),
        away * pinned.best.best[: solver.family.n_features],
        np.abs(away) * largest_gap,
    )
    return ContributionTable(problem.names, *(problem.for_all_features(one.T).T for one in found))

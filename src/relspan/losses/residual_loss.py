"""What the losses of a residual t - s share, for targets t that are numbers and scores s = x.w + b.

Such a loss is two hinge rows per sample:  c max(0, h - s), which has f = x and o = 1, for a target above the score;
c' max(0, h' + s), which has f = -x and o = -1, for a target below. The rows of the first kind come first.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse, special, stats

from relspan.arrays import Floats, Ints, Matrix
from relspan.family.hinge_rows import HingeRows
from relspan.losses.loss import OneScoreLoss
from relspan.tolerances import EQUAL_SHARES


class ResidualLoss(OneScoreLoss):
    """One offset, two kinds of slack, and a prediction that is the score itself."""

    n_offsets = 1
    n_slack_kinds = 2

    def slack_kinds(self, y: Floats) -> tuple[Ints, Ints]:
        """The sample of every score, and the kind of its slack: 0 for targets above the prediction, 1 for others."""
        return np.tile(np.arange(len(y)), 2), np.repeat([0, 1], len(y))

    def predict_from_margins(self, margins: Floats) -> Floats:
        return np.asarray(margins[:, 0])

    def residual_scores(self, residuals: Floats) -> Floats:
        """Normal scores of the ranks, so that outliers have no power."""
        ranks = stats.rankdata(residuals, axis=0)
        return np.asarray(special.ndtri((ranks - 0.5) / len(residuals)))


def residual_rows(X: Matrix, above: tuple[Floats, Floats], below: tuple[Floats, Floats]) -> HingeRows:
    """The two rows of every sample, from (h, c) for targets above the score and (h', c') for those below."""
    ones = np.ones((X.shape[0], 1))
    return HingeRows(
        sparse.vstack([X, -X]).tocsr() if sparse.issparse(X) else np.vstack([X, -X]),
        np.vstack([ones, -ones]),
        np.concatenate([above[0], below[0]]),
        np.concatenate([above[1], below[1]]),
    )


def weighted_quantile(y: Floats, weights: Floats, share: float = 0.5) -> float:
    """The least value with at least this share of the weight at or below it; the median by default.

    Where a value has just this share, rounding does not decide.
    """
    order = np.argsort(y, kind="stable")
    reached = np.cumsum(weights[order])
    return float(y[order][np.searchsorted(reached, share * reached[-1] * (1.0 - EQUAL_SHARES))])

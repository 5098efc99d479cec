"""Is one model worse than another on the same held-out rows? Two-sided p-values.

* Accuracy: the exact test of McNemar. Of the rows that one of the two has right, half are expected for either.
* Area under the ROC curve: the test of DeLong, DeLong and Clarke-Pearson (1988). The area of a fold is the mean over
  pairs of a positive and a negative row. Each positive has the share of negatives below it, each negative the share of
  positives above it. The variances of the differences of these shares give that of the difference of the two areas;
  folds add up.

Both take the fitted models as given: they speak of the rows, and not of other training sets.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy.stats import binomtest, norm, rankdata


def accuracy_p(right: np.ndarray, other: np.ndarray) -> float:
    """McNemar's exact p-value, from which rows each of the two has right."""
    only, only_other = int((right & ~other).sum()), int((other & ~right).sum())
    return float(binomtest(only, only + only_other).pvalue) if only + only_other else 1.0


def area_p(targets: Sequence[np.ndarray], scores: Sequence[np.ndarray], others: Sequence[np.ndarray]) -> float:
    """DeLong's p-value for the mean area over folds, from each fold's classes 0 and 1 and the two models' scores."""
    difference, variance = 0.0, 0.0
    for y, score, other in zip(targets, scores, others, strict=True):
        up, down = (a - b for a, b in zip(shares(y, score), shares(y, other), strict=True))
        difference += up.mean()
        variance += up.var(ddof=1) / len(up) + down.var(ddof=1) / len(down)
    if variance <= 0:
        return 1.0 if difference == 0 else 0.0
    return float(2 * norm.sf(abs(difference) / np.sqrt(variance)))


def shares(y: np.ndarray, scores: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The share of negatives below each positive, and of positives above each negative; ties count as halves."""
    positive, negative = scores[y == 1], scores[y == 0]
    ranks = rankdata(np.concatenate([positive, negative]))
    below = (ranks[: len(positive)] - rankdata(positive)) / len(negative)
    above = 1 - (ranks[len(positive) :] - rankdata(negative)) / len(positive)
    return below, above

"""Scores of predictions that scikit-learn does not have: ordered classes, and predictions that may abstain.

macro_mae   1 - mean over classes of (mean |rank - predicted rank| of the class) / (K - 1)
mae         1 - mean |rank - predicted rank| / (K - 1)
zero_one    1 - share of wrong ranks
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from relspan.errors import ParameterError

Floats: TypeAlias = NDArray[np.float64]

ORDINAL_SCORES = ("macro_mae", "mae", "zero_one")


def ordinal_score(
    ranks: Floats,
    predicted: Floats,
    kind: str = "macro_mae",
    sample_weight: Floats | None = None,
    n_classes: int | None = None,
) -> float:
    """A score of ranks 0, 1, ... in [0, 1], 1 where every prediction is right.

    Parameters
    ----------
    ranks, predicted : array of shape (n_samples,)
        True and predicted ranks.
    kind : {"macro_mae", "mae", "zero_one"}
        See the module's text.
    sample_weight : array of shape (n_samples,), optional
        Weights of the samples.
    n_classes : int, optional
        K; by default one more than the largest rank.
    """
    if kind not in ORDINAL_SCORES:
        raise ParameterError(f"kind must be one of {', '.join(ORDINAL_SCORES)}, not {kind!r}")
    ranks, predicted = np.asarray(ranks, dtype=np.float64), np.asarray(predicted, dtype=np.float64)
    v = np.ones(len(ranks)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
    if kind == "zero_one":
        return 1.0 - float(np.average(ranks != predicted, weights=v))
    K = int(max(ranks.max(), predicted.max())) + 1 if n_classes is None else n_classes
    error = np.abs(ranks - predicted)
    if kind == "mae":
        return 1.0 - float(np.average(error, weights=v)) / max(K - 1, 1)
    present = [ranks == k for k in np.unique(ranks[v > 0])]
    return 1.0 - float(np.mean([np.average(error[own], weights=v[own]) for own in present])) / max(K - 1, 1)

r"""Univariate association of every feature with the target.

==================  ====================================================================================
``chi2``, ``g2``    minus log p of the test of independence, from the same tables as HITON's; continuous
                    columns are cut into levels of equal frequency first
``information``     information gain in nats, :math:`G^2 / 2n`, likewise
``pearson``         absolute correlation
``fisher``          Fisher criterion: between over within class variance,
                    :math:`\sum_c n_c (m_c - m)^2 / \sum_c n_c v_c`; for two classes of equal size it is
                    :math:`(m_1 - m_2)^2 / (v_1 + v_2)` up to a factor
==================  ====================================================================================

p-values, not statistics, rank chi2 and G2: columns with more levels have larger statistics by chance.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from relspan.arrays import Floats, Ints
from relspan.errors import DataError, ParameterError
from relspan.markov.fisher_z import standardised
from relspan.markov.g2 import TableTest
from relspan.markov.independence_choice import discrete_columns, discrete_target, equal_frequency_codes

MEASURES = ("g2", "chi2", "information", "pearson", "fisher")


def association(X: npt.NDArray[np.generic], y: npt.NDArray[np.generic], measure: str = "g2", n_bins: int = 3) -> Floats:
    """Association of every column of X with y; larger is stronger.

    Parameters
    ----------
    X : array of shape (n_samples, n_features)
    y : array of shape (n_samples,)
    measure : {"g2", "chi2", "information", "pearson", "fisher"}
    n_bins : int
        Levels for continuous columns, where the measure counts levels.

    Returns
    -------
    array of shape (n_features,)
    """
    if measure not in MEASURES:
        raise ParameterError(f"measure={measure!r}: must be one of {', '.join(map(repr, MEASURES))}")
    classes, codes = np.unique(y, return_inverse=True)
    if measure == "pearson":
        if y.dtype.kind not in "iufb" and len(classes) > 2:
            raise DataError(
                f"Unknown label type: measure='pearson' needs numbers or two classes, not {len(classes)} labels"
            )
        numbers = y if y.dtype.kind in "iufb" else codes
        result: Floats = np.abs(standardised(numbers[:, None])[:, 0] @ standardised(X))
        return result
    if not discrete_target(y):
        raise DataError(f"measure={measure!r} needs classes, and y is continuous: use measure='pearson'")
    if measure == "fisher":
        return _fisher_criterion(np.asarray(X, dtype=float), codes, len(classes))
    return _from_tables(X, codes, measure, n_bins)


def _from_tables(X: npt.NDArray[np.generic], codes: Ints, measure: str, n_bins: int) -> Floats:
    discrete = discrete_columns(X)
    levels: npt.NDArray[np.generic] = X
    if not discrete.all():
        levels = np.array(X, dtype=float)
        levels[:, ~discrete] = equal_frequency_codes(X[:, ~discrete], n_bins)
    test = TableTest([levels, codes[:, None]], statistic="chi2" if measure == "chi2" else "g2")
    evidence = test.evidence(np.arange(X.shape[1]), X.shape[1], ())
    return evidence.statistic / (2.0 * len(codes)) if measure == "information" else -evidence.log_p


def _fisher_criterion(X: Floats, codes: Ints, n_classes: int) -> Floats:
    between, within = np.zeros(X.shape[1]), np.zeros(X.shape[1])
    mean = X.mean(axis=0)
    for c in range(n_classes):
        group = X[codes == c]
        between += len(group) * (group.mean(axis=0) - mean) ** 2
        within += len(group) * group.var(axis=0)
    constant = between + within <= 1e-26 * (X**2).sum(axis=0)
    perfect = within <= 1e-13 * between
    return np.where(constant, 0.0, between / np.where(perfect, 1e-13 * np.maximum(between, 1e-300), within))

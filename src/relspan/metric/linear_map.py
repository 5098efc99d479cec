"""What every metric learner has in common: a learned linear map Omega and the distance it defines.

d(x, z) = |Omega (x - z)|^2 = (x - z)' Lambda (x - z),   Lambda = Omega' Omega
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.arrays import Floats


class LinearMap(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Base of the learners that set ``omega_``, a matrix of one row per new coordinate.

    Attributes
    ----------
    omega_ : ndarray of shape (rank, n_features)
        The learned map.
    components_ : ndarray of shape (rank, n_features)
        The same array under the name scikit-learn's linear transformers use.
    lambda_ : ndarray of shape (n_features, n_features)
        The relevance matrix ``omega_.T @ omega_``.
    """

    omega_: Floats

    @property
    def components_(self) -> Floats:
        """The learned map, under scikit-learn's name."""
        return self.omega_

    @property
    def lambda_(self) -> Floats:
        """The relevance matrix Lambda = Omega' Omega."""
        return self.omega_.T @ self.omega_

    @property
    def _n_features_out(self) -> int:
        return int(self.omega_.shape[0])

    def transform(self, X: Any) -> Floats:
        """Map the samples: X Omega'.

        Parameters
        ----------
        X : array-like of shape (n_samples, n_features)
            The samples.

        Returns
        -------
        ndarray of shape (n_samples, rank)
            Their images; Euclidean distances between them are the learned distances.
        """
        check_is_fitted(self)
        X = validate_data(self, X, reset=False, dtype=np.float64)
        images: Floats = X @ self.omega_.T
        return images

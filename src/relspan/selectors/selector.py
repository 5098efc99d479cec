"""The base class of all selectors: table in, support mask and feature names out."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.arrays import Bools
from relspan.checks import did_you_mean, whole
from relspan.errors import ParameterError
from relspan.tables import NamedMatrix


class Selector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """A feature selector that needs a target. After `fit`, `support_` is the mask of the selected columns."""

    support_: Bools
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _get_support_mask(self) -> Bools:
        check_is_fitted(self)
        return self.support_

    def _validate(self, X: Any, y: Any) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]:
        """The table and the target as arrays; the names of the columns are remembered."""
        names = np.array(X.columns, dtype=object) if isinstance(X, NamedMatrix) else None
        X, y = validate_data(self, X, y, dtype="numeric", ensure_min_samples=2)
        if names is not None:  # scikit-learn asks only data frames for names
            self.feature_names_in_ = names
        return X, y

    @property
    def _feature_names(self) -> list[str]:
        """Feature names as given, or x0, x1, ... as scikit-learn calls them."""
        given = getattr(self, "feature_names_in_", None)
        return [f"x{i}" for i in range(self.n_features_in_)] if given is None else [str(name) for name in given]

    def _column_of(self, feature: int | str) -> int:
        """The column of a feature, addressed by name or number."""
        if isinstance(feature, str):
            names = self._feature_names
            if feature not in names:
                raise ParameterError(f"no feature {feature!r}{did_you_mean(feature, names)}")
            return names.index(feature)
        return whole("feature", feature, at_least=0, at_most=self.n_features_in_ - 1)


def size_of(n_features: Any, available: int) -> int | None:
    """How many features to keep; None where cross-validation chooses."""
    if isinstance(n_features, str) and n_features == "cv":
        return None
    return whole("n_features", n_features, at_least=1, at_most=available, hint="'cv' chooses by cross-validation")


def mask_of(columns: npt.ArrayLike, n_features: int) -> Bools:
    """Boolean mask of the columns."""
    mask = np.zeros(n_features, dtype=bool)
    mask[np.asarray(columns, dtype=np.intp)] = True
    return mask

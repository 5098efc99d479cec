"""What all selectors share: checked input, a support mask, feature names."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.arrays import Bools
from relspan.errors import ParameterError


class Selector(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """A feature selector that needs a target. After `fit`, `support_` is the mask of the chosen columns."""

    support_: Bools
    n_features_in_: int

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _get_support_mask(self) -> Bools:
        check_is_fitted(self)
        return self.support_

    def _checked(self, X: Any, y: Any) -> tuple[npt.NDArray[np.generic], npt.NDArray[np.generic]]:
        X, y = validate_data(self, X, y, dtype="numeric", ensure_min_samples=2)
        return X, y

    @property
    def _names(self) -> list[str]:
        """Feature names as given, or x0, x1, ... as scikit-learn calls them."""
        given = getattr(self, "feature_names_in_", None)
        return [f"x{i}" for i in range(self.n_features_in_)] if given is None else [str(name) for name in given]

    def _column(self, feature: int | str) -> int:
        """The column of a feature, addressed by name or number."""
        names = self._names
        if isinstance(feature, str):
            if feature not in names:
                raise ParameterError(f"no feature {feature!r}; the features are {', '.join(names[:8])}, ...")
            return names.index(feature)
        if not 0 <= feature < len(names):
            raise ParameterError(f"no feature number {feature}; there are {len(names)}, from 0")
        return int(feature)

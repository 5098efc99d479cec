"""What every relevance estimator does, whatever it fits: read a table, record its parameters, open its checkpoint."""

from __future__ import annotations

import os
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import version
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.analysis.checkpoint import Checkpoint, data_hash
from relspan.analysis.scaled_table import column_names, refuse_duplicates
from relspan.analysis.settings import NOT_IN_THE_ANSWER
from relspan.arrays import Bools, Ints
from relspan.checks import flag, one_of, random_generator
from relspan.errors import ParameterError
from relspan.progress import ProgressChoice, reporter
from relspan.tables import NamedMatrix

SELECTABLE = {"relevant": 1, "strong": 2}
"""The sets of features that an estimator can select, and the least class that a feature of each has."""


class TableEstimator(SelectorMixin, BaseEstimator):  # type: ignore[misc]
    """A selector that reads a table with named columns, reports progress, and can continue from a checkpoint."""

    standardize: bool
    select: str
    random_state: Any
    progress: ProgressChoice
    checkpoint: str | os.PathLike[str] | None
    support_: Bools

    def _check_common(self) -> None:
        """Refuse values of the parameters above that mean nothing."""
        flag("standardize", self.standardize)
        one_of("select", self.select, SELECTABLE)
        reporter(self.progress)
        random_generator("random_state", self.random_state)
        if not (self.checkpoint is None or isinstance(self.checkpoint, (str, os.PathLike))):
            raise ParameterError(f"checkpoint must be the path of a file, or None, not {self.checkpoint!r}")

    def _entropy(self) -> int:
        """A whole number, so that refitting the same object and any n_jobs draw the same probes."""
        return int(random_generator("random_state", self.random_state).randint(np.iinfo(np.int32).max))

    def _recorded_parameters(self) -> dict[str, Any]:
        """The parameters as a result records them."""
        given = {name: value for name, value in self.get_params(deep=False).items() if name != "progress"}
        if not (self.random_state is None or isinstance(self.random_state, Integral)):
            given["random_state"] = "a generator"
        return {**given, "checkpoint": None if self.checkpoint is None else str(self.checkpoint)}

    def _read(self, X: Any, y: Any = "no_validation", reset: bool = False, **options: Any) -> Any:
        """The table as float64, with names remembered or compared; non-finite values are refused later, by name."""
        refuse_duplicates([name for name in getattr(X, "columns", ()) if isinstance(name, str)])
        # one layout whatever the table came as, so that sums are the same to the last bit
        options = {"dtype": np.float64, "order": "C", "accept_sparse": "csr", "ensure_all_finite": False, **options}
        read = validate_data(self, X, y, reset=reset, ensure_min_samples=2 if reset else 1, **options)
        if reset and isinstance(X, NamedMatrix):  # scikit-learn asks only data frames for names
            self.feature_names_in_ = np.array(X.columns, dtype=object)
        return read

    def _column_names(self, count: int) -> list[str]:
        return column_names(getattr(self, "feature_names_in_", None), count)

    def _open_checkpoint(self, *arrays: Any) -> AbstractContextManager[Checkpoint | None]:
        """The checkpoint that was asked for, of this question alone: these arrays, parameters and version."""
        if self.checkpoint is None:
            return nullcontext()
        if not isinstance(self.random_state, Integral):
            raise ParameterError(
                "a checkpoint needs a whole number as random_state, so that a continued run draws the same probes; "
                f"it is {self.random_state!r}"
            )
        given = {name: value for name, value in self.get_params(deep=False).items() if name not in NOT_IN_THE_ANSWER}
        return Checkpoint(
            self.checkpoint,
            {
                "relspan": version("relspan"),
                "estimator": type(self).__name__,
                "data": data_hash(*arrays),
                "parameters": {k: repr(v.item() if isinstance(v, np.generic) else v) for k, v in given.items()},
            },
        )

    def _selected(self, classes: Ints) -> Bools:
        """Which features are selected, by their classes."""
        return np.asarray(classes >= SELECTABLE[self.select])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags

    def _get_support_mask(self) -> Bools:
        check_is_fitted(self)
        return self.support_

"""What every relevance estimator does, whatever it fits: read a table, record its parameters, open its checkpoint."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from importlib.metadata import version
from numbers import Integral
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator
from sklearn.feature_selection import SelectorMixin
from sklearn.utils import Tags, check_array, check_X_y
from sklearn.utils.validation import check_is_fitted, validate_data

from relspan.analysis.checkpoint import Checkpoint, data_hash
from relspan.analysis.scaled_table import column_names, refuse_duplicates
from relspan.analysis.settings import NOT_IN_THE_ANSWER
from relspan.arrays import Bools, Ints
from relspan.checks import flag, one_of, quoted, random_generator
from relspan.errors import DataError, ParameterError
from relspan.progress import ProgressChoice, reporter
from relspan.tables import NamedMatrix
from relspan.tables.frames import FrameEncoding, integer_labels, learn_encoding, plain_target

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
    _categories: Mapping[str, Sequence[str]]
    _encoding: FrameEncoding | None

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
        refuse_duplicates([str(name) for name in getattr(X, "columns", ())])
        if reset:
            self._encoding = learn_encoding(X, getattr(self, "categorical", "error"))
            self._labels = integer_labels(X)
        encoded = self._encoded(X, reset)
        y = plain_target(y)
        # one layout whatever the table came as, so that sums are the same to the last bit
        options = {"dtype": np.float64, "order": "C", "accept_sparse": "csr", "ensure_all_finite": False, **options}
        options["ensure_min_samples"] = 2 if reset else 1
        if encoded is not None:
            validate_data(self, X, reset=reset, skip_check_array=True)  # remembers or compares the frame's columns
            values = encoded.values
            read = check_array(values, **options) if isinstance(y, str) else check_X_y(values, y, **options)
        else:
            read = validate_data(self, X, y, reset=reset, **options)
        given = X if encoded is None else encoded
        if reset:
            self._categories = dict(given.categories) if isinstance(given, NamedMatrix) else {}
        if reset and isinstance(X, NamedMatrix):  # scikit-learn asks only data frames for names
            self.feature_names_in_ = np.array(X.columns, dtype=object)
        return read

    def _encoded(self, X: Any, reset: bool) -> NamedMatrix | None:
        """A data frame with categories as numbers; None for any other table."""
        encoding: FrameEncoding | None = getattr(self, "_encoding", None)
        if encoding is None:
            if not reset:
                learn_encoding(X, "error")  # words where the model was fitted with numbers are refused by name
            return None
        if not hasattr(X, "columns"):
            names = quoted(encoding.categories)
            raise DataError(
                f"the model was fitted with the categories {names}; give it a data frame with these columns"
            )
        return encoding.encode(X)

    def _column_names(self, count: int) -> list[str]:
        """The names of the columns of numbers."""
        encoding: FrameEncoding | None = getattr(self, "_encoding", None)
        if encoding is not None:
            return column_names(encoding.columns, count)
        names = getattr(self, "feature_names_in_", None)
        return column_names(getattr(self, "_labels", None) if names is None else names, count)

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

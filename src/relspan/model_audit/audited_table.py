"""The rows that a model is audited on, as its linear step sees them: checked, scaled, with the names of its columns.

The solver works with scores  s = z.v + c  of scaled columns  z_j = (x_j - m_j) / d_j  (m = 0 without an intercept), so
that  v_j = d_j w_j  and  c = b + m.w.  Columns that are constant say nothing about their coefficient; it is held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler, RobustScaler, StandardScaler
from sklearn.utils import compute_sample_weight

from relspan.arrays import Bools, Floats
from relspan.checks import quoted, sample_weights
from relspan.errors import DataError
from relspan.model_audit.audited_model import CLASSES, AuditedModel
from relspan.tolerances import CONSTANT_COLUMN

SCALERS = (StandardScaler, MinMaxScaler, MaxAbsScaler, RobustScaler)


@dataclass(frozen=True, eq=False)
class AuditedTable:
    """Rows and targets. `y` holds -1 and +1 for classes; `costs` is what a row's loss is multiplied by.

    `unit` is by how much the linear step's column grows with a unit of the table's, where scalers alone lie between.
    """

    names: tuple[str, ...]
    X: Floats
    y: Floats
    costs: Floats
    mean: Floats
    scale: Floats
    varies: Bools
    unit: Floats | None

    @property
    def Z(self) -> Floats:
        """The scaled columns that vary."""
        return self.scaled(self.X)

    def scaled(self, X: Floats) -> Floats:
        """Other rows in the same units."""
        return np.ascontiguousarray(((X - self.mean) / self.scale)[:, self.varies])


def read_table_of(model: AuditedModel, X: Any, y: Any, sample_weight: Any, own_units: bool) -> AuditedTable:
    """The rows, checked. With `own_units` all columns are scaled alike: their norm is that of the model's own units."""
    given, names = columns_seen(model, X)
    targets = _targets(model, y, len(given))
    weights = sample_weights(sample_weight, len(given))
    costs = np.ones(len(given)) if weights is None else np.asarray(weights)
    class_weight = getattr(model.estimator, "class_weight", None)
    if class_weight is not None:
        costs = costs * compute_sample_weight(class_weight, np.asarray(y))
    mean = np.average(given, axis=0, weights=costs) if model.has_intercept else np.zeros(given.shape[1])
    spread = np.sqrt(np.average((given - mean) ** 2, axis=0, weights=costs))
    varies = spread > CONSTANT_COLUMN * np.abs(given).max(axis=0, initial=0.0)
    if not (model.coefficients[varies] != 0).any():
        raise DataError(f"{model.name} uses no column that varies in these rows, so there is nothing to audit")
    scale = np.where(varies, spread, 1.0)
    if own_units:
        scale = np.full_like(scale, np.exp(np.log(scale[varies]).mean()))
    return AuditedTable(names, given, targets, costs, mean, scale, varies, _unit(model, X, given.shape[1]))


def columns_seen(model: AuditedModel, X: Any) -> tuple[Floats, tuple[str, ...]]:
    """The rows as the linear step sees them, and the names of its columns."""
    if sparse.issparse(X):
        raise DataError("an audit needs a dense table, but X is sparse; X.toarray() is dense")
    X = _in_fitted_order(model, X)
    given_names = [str(name) for name in getattr(X, "columns", [])]
    if model.steps is not None:
        try:
            seen = model.steps.transform(X)
        except (ValueError, TypeError, KeyError) as reason:
            raise DataError(f"the steps before {model.name} cannot read these rows: {reason}") from reason
    else:
        seen = X
    seen = seen.toarray() if sparse.issparse(seen) else seen
    try:
        table = np.asarray(seen, dtype=np.float64)
    except (ValueError, TypeError) as reason:
        raise DataError(f"{model.name} needs columns of numbers: {reason}") from reason
    if table.ndim != 2 or table.shape[1] != len(model.coefficients):
        raise DataError(
            f"{model.name} has {len(model.coefficients)} coefficients, but X gives it a table of shape {table.shape}"
        )
    names = _names(model, given_names, table.shape[1])
    if not len(table):
        raise DataError("X has no rows")
    bad = [name for name, column in zip(names, table.T, strict=True) if not np.isfinite(column).all()]
    if bad:
        raise DataError(f"X contains NaN or infinity in {quoted(bad)}; impute or drop them first")
    return table, tuple(names)


def _in_fitted_order(model: AuditedModel, X: Any) -> Any:
    """A data frame with the columns that the model was fitted with, in their order; other tables as they are."""
    first = model.estimator if model.steps is None else model.steps
    expected = getattr(first, "feature_names_in_", None)
    if not hasattr(X, "columns"):
        table = np.asarray(X)
        count = getattr(first, "n_features_in_", None)
        if table.ndim != 2 or (count is not None and table.shape[1] != count):
            raise DataError(f"the model was fitted with {count} columns, and X has the shape {table.shape}")
        return table if expected is None or model.steps is None else _framed(table, expected)
    if expected is None:
        if X.shape[1] != getattr(first, "n_features_in_", X.shape[1]):
            raise DataError(f"the model was fitted with {first.n_features_in_} columns, and X has {X.shape[1]}")
        return X.to_numpy() if model.steps is not None and hasattr(X, "to_numpy") else X
    names = [str(name) for name in X.columns]
    missing = [str(name) for name in expected if str(name) not in names]
    if missing:
        raise DataError(f"X lacks columns that the model was fitted with: {quoted(missing)}")
    return X[[list(X.columns)[names.index(str(name))] for name in expected]]


def _framed(table: np.ndarray, names: Sequence[str]) -> Any:
    """A plain table with the names that the steps were fitted with, where pandas is at hand."""
    try:
        from pandas import DataFrame
    except ModuleNotFoundError:
        return table
    return DataFrame(table, columns=list(names))


def _names(model: AuditedModel, given: Sequence[str], count: int) -> list[str]:
    """The names of the linear step's columns."""
    if model.steps is not None:
        try:
            return [str(name) for name in model.steps.get_feature_names_out(given or None)]
        except (AttributeError, ValueError, TypeError):
            return [f"x{j}" for j in range(count)]  # a step that does not name its columns
    known = getattr(model.estimator, "feature_names_in_", None)
    if known is not None:
        return [str(name) for name in known]
    return list(given) if len(given) == count else [f"x{j}" for j in range(count)]


def _targets(model: AuditedModel, y: Any, n: int) -> Floats:
    """The targets as the loss takes them."""
    values = np.asarray(y)
    if values.ndim == 2 and values.shape[1] == 1:
        values = values.ravel()
    if values.shape != (n,):
        raise DataError(f"y must have one value for each of the {n} rows, not the shape {values.shape}")
    if model.target == CLASSES:
        assert model.classes is not None
        known = np.isin(values, np.array(model.classes))
        if not known.all():
            raise DataError(
                f"y contains {values[~known][0]!r}, which is none of the classes of {model.name}: "
                f"{', '.join(map(repr, model.classes))}"
            )
        return np.where(values == model.classes[1], 1.0, -1.0)
    try:
        numbers = values.astype(np.float64)
    except (ValueError, TypeError) as reason:
        raise DataError(f"{model.name} predicts numbers, but y holds {values[0]!r}") from reason
    if not np.isfinite(numbers).all():
        raise DataError("y contains NaN or infinity")
    return numbers


def _unit(model: AuditedModel, X: Any, count: int) -> Floats | None:
    """The growth of the linear step's columns with the table's, where every step before it scales columns singly."""
    if not isinstance(model.steps, Pipeline) or not len(model.steps):
        return None
    for _, step in model.steps.steps:
        if step in (None, "passthrough"):
            continue
        if not isinstance(step, SCALERS) or getattr(step, "clip", False):
            return None
    rows = np.vstack([np.zeros(count), np.ones(count)])
    expected = getattr(model.steps, "feature_names_in_", None)
    low, high = np.asarray(model.steps.transform(rows if expected is None else _framed(rows, expected)))
    return np.asarray(high - low)

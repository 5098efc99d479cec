"""Columns of a prepared table that are no features: weights of rows, and covariates that are adjusted for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relspan.arrays import Floats
from relspan.checks import quoted
from relspan.errors import DataError, ParameterError
from relspan.tables import NamedMatrix, PreparedTable


@dataclass(frozen=True, eq=False)
class ColumnParts:
    """A table taken apart: features with covariates beside them, weights, and which columns are covariates."""

    X: NamedMatrix
    weights: Floats | None
    weights_name: str | None
    covariates: tuple[str, ...]
    adjusted_for: tuple[str, ...]

    @property
    def facts(self) -> dict[str, object]:
        """What a result records about them."""
        named: dict[str, object] = {} if self.weights_name is None else {"weights": self.weights_name}
        return {**named, **({"adjusted_for": list(self.adjusted_for)} if self.adjusted_for else {})}


def column_parts(prepared: PreparedTable, weights: str | None = None, adjust: Sequence[str] = ()) -> ColumnParts:
    """The table with a column of weights taken out of it, and the columns that stand for the covariates."""
    levels = prepared.report.encoded
    for name in (*adjust, *([weights] if weights else [])):
        if name not in prepared.names and name not in levels:
            raise ParameterError(f"there is no column {name!r} beside the target; there are {quoted(prepared.names)}")
    covariates = tuple(column for name in adjust for column in levels.get(name, (name,)))
    kept = [name for name in prepared.names if name != weights]
    if set(kept) <= set(covariates):
        raise DataError("No column is left as a feature. Use at least one column as a feature.")
    places = [prepared.names.index(name) for name in kept]
    encoded = {name: columns for name, columns in levels.items() if set(columns) <= set(kept)}
    table = NamedMatrix(prepared.X[:, places], tuple(kept), encoded)
    return ColumnParts(table, _weights(prepared, weights), weights, covariates, tuple(adjust))


def _weights(prepared: PreparedTable, name: str | None) -> Floats | None:
    if name is None:
        return None
    if name in prepared.report.encoded:
        raise DataError(f"The weights {name!r} are a category, but a weight is a number of 0 or more.")
    if name in prepared.report.imputed:
        raise DataError(f"The weights {name!r} have missing values, and a weight cannot be filled in.")
    weights = prepared.X[:, prepared.names.index(name)]
    if (weights < 0).any():
        raise DataError(f"The weights {name!r} contain {weights.min():g}; a weight must be 0 or more.")
    return weights

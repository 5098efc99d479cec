"""The fitted problem that an exploration is about: the analysis, its data, and the units of the reader.

The solver works with columns and weights of the scaled table. A reader thinks in feature names, in shares of the
baseline's L1 norm, and in weights for the table as it was given. Only this file converts one into the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple, cast

import numpy as np

from relspan.analysis.adjustment import Adjustment
from relspan.analysis.folds import Folds
from relspan.analysis.pipeline import Analysis
from relspan.analysis.settings import Settings
from relspan.analysis.units import Units
from relspan.arrays import Floats, Ints, Matrix
from relspan.checks import float_array, place_of, quoted
from relspan.errors import DataError, ParameterError
from relspan.losses import Loss, OneScoreLoss
from relspan.result import RelevanceResult
from relspan.result.category_features import fold_categories
from relspan.tables.frames import recorded_encoding
from relspan.tolerances import POSITIVE

RELEVANT = ("strong", "weak")


class WholeFeature(NamedTuple):
    """A feature as a reader knows it, and the solver's columns that stand for it: several for a category."""

    name: str
    columns: tuple[int, ...]

    @property
    def is_single(self) -> bool:
        """Whether one column stands for it."""
        return len(self.columns) == 1


@dataclass(frozen=True, eq=False)
class FittedProblem:
    """A finished analysis with its data. `X` is the scaled table without its constant columns.

    `groups` numbers the group of every sample, where rows belong together. With an `adjustment` X is what the
    covariates leave of the features.
    """

    names: tuple[str, ...]
    varies: np.ndarray
    mean: Floats
    scale: Floats
    loss: Loss
    X: Matrix
    y: Floats
    sample_weight: Floats | None
    splitter: Folds
    settings: Settings
    analysis: Analysis
    result: RelevanceResult
    classes: tuple[Any, ...] | None = None
    groups: Ints | None = None
    adjustment: Adjustment | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.loss, OneScoreLoss):
            raise ParameterError(
                f"only models with one score per sample can be explored, not those of the loss {self.loss.name!r}"
            )

    @property
    def scores(self) -> OneScoreLoss:
        """The loss, asked how predictions follow from scores."""
        return cast(OneScoreLoss, self.loss)

    @property
    def units(self) -> Units:
        """The reader's units of target, loss and C."""
        return self.analysis.baseline.units

    @property
    def mu(self) -> float:
        """The baseline's L1 norm: the reader's unit of relevance."""
        return self.analysis.baseline.norm

    @property
    def weight_floor(self) -> float:
        """The relevance beyond which a weight is not rounding; pins do not change it."""
        return POSITIVE * float(self.analysis.family.largest_norm) / self.mu

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the solver's columns."""
        return tuple(name for name, keep in zip(self.names, self.varies, strict=True) if keep)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.columns)}

    @cached_property
    def encoded(self) -> dict[str, tuple[str, ...]]:
        """The columns that stand for each category that is a feature, by its name."""
        made = self.result.data.get("encoded", {})
        return {name: tuple(columns) for name, columns in made.items() if set(columns) <= set(self.names)}

    def members(self, feature: Any) -> tuple[str, ...]:
        """The columns that a feature stands for: those of a category, else the column of this name or place."""
        if isinstance(feature, str) and feature not in self.names and feature in self.encoded:
            return self.encoded[feature]
        if self.adjustment is not None and feature in (*self.adjustment.names, *self.result.data.get("encoded", {})):
            raise ParameterError(f"{feature!r} is a covariate, which every model may use and which is not judged")
        return (self.names[place_of(feature, self.names, [*self.names, *self.encoded])],)

    @cached_property
    def features(self) -> tuple[WholeFeature, ...]:
        """The features that a reader knows, in the order of the table: a category is one. Constant ones are left out.

        Their names are those of a result with one feature per category.
        """
        every = [
            WholeFeature(f.name, tuple(self.columns_of(f.levels or [f.name])))
            for f in fold_categories(self.result).features
        ]
        return tuple(feature for feature in every if feature.columns)

    @property
    def relevant_features(self) -> list[WholeFeature]:
        """Those of the features that are relevant."""
        found = {f.name for f in fold_categories(self.result).features if f.relevance in RELEVANT}
        return [feature for feature in self.features if feature.name in found]

    def feature(self, name: Any) -> WholeFeature:
        """The feature of a name or place; a level of a category is taken for itself."""
        members = self.members(name)
        return WholeFeature(str(name) if len(members) > 1 else members[0], tuple(self.columns_of(members)))

    def known(self, feature: Any) -> str:
        """The name of the one column that a feature stands for; else an error with the nearest one."""
        members = self.members(feature)
        if len(members) > 1:
            raise ParameterError(
                f"{feature!r} is a category of {len(members)} columns; this asks for one of them: {quoted(members)}"
            )
        return members[0]

    def column(self, name: str) -> int | None:
        """The solver's column of a feature; None where the feature is constant and has none."""
        return self._index.get(self.known(name))

    @cached_property
    def columns_by_place(self) -> tuple[int | None, ...]:
        """The solver's column of every column of the table, in its order; None for constant ones."""
        return tuple(self._index.get(name) for name in self.names)

    def columns_of(self, names: Iterable[str]) -> list[int]:
        """The solver's columns of several features; constant ones have none."""
        columns = [column for name in names for column in self.members(name)]
        return [j for j in map(self._index.get, columns) if j is not None]

    def for_all_features(self, values: Floats) -> Floats:
        """Values of the solver's columns as values of all features: 0 for the constant ones."""
        whole = np.zeros((len(self.names), *values.shape[1:]))
        whole[self.varies] = values
        return whole

    @property
    def table_names(self) -> tuple[str, ...]:
        """Names of all columns of the table that was given: features and covariates."""
        if self.adjustment is None:
            return self.names
        names = self.adjustment.whole(np.array(self.names, dtype=object), np.array(self.adjustment.names, dtype=object))
        return tuple(names.tolist())

    @property
    def samples(self) -> Matrix:
        """The samples of the table as the solver sees them, with the directions of their covariates."""
        return self.loss.with_covariates(self.X, self.y)

    def in_table_units(self, model: Floats) -> tuple[Floats, Floats]:
        """Weights and offsets for the table as it was given: they give the same margins there as the model here.

        The weights are those of `table_names`.
        """
        d = len(self.columns)
        weights = self.units.norm(1.0) * self.for_all_features(model[:d]) / self.scale
        if self.adjustment is not None:
            own = len(model) - self.adjustment.n_directions
            coefficients = self.units.norm(1.0) * model[own:]
            whole, shift = self.adjustment.table_weights(weights, coefficients, self.mean)
            return whole, self.scores.offsets_after_shift(self.units.scores(model[d:own]), shift)
        return weights, self.scores.offsets_after_shift(self.units.scores(model[d:]), float(self.mean @ weights))

    def scaled(self, X: Any) -> Floats:
        """New samples as `samples` has them. A frame must have exactly the table's columns, in any order.

        A frame may have the categories themselves, or the columns that stand for them.
        """
        named = getattr(X, "columns", None)
        if named is not None:
            given = [str(name) for name in named]
            encoding = recorded_encoding(self.table_names, self.result.data)
            encoded = bool(encoding.categories) and not set(self.table_names) <= set(given)
            expected = encoding.names if encoded else self.table_names
            missing = [name for name in expected if name not in given]
            surplus = [name for name in given if name not in expected]
            if missing or surplus:
                wrong = [f"lack {quoted(missing)}"] if missing else []
                wrong += [f"have unknown columns {quoted(surplus)}"] if surplus else []
                raise DataError(f"the samples {' and '.join(wrong)}; the model has {len(expected)} features")
            order = [given.index(name) for name in expected]
            X = encoding.encode(X).values if encoded else np.asarray(X)[:, order]
        table = float_array("X", X, f"a table of {len(self.table_names)} columns of numbers")
        if table.ndim != 2 or table.shape[1] != len(self.table_names):
            raise DataError(f"samples must be a table of {len(self.table_names)} columns, not of shape {table.shape}")
        infinite = [
            name for name, column in zip(self.table_names, table.T, strict=True) if not np.isfinite(column).all()
        ]
        if infinite:
            raise DataError(f"the samples contain NaN or infinity in {quoted(infinite)}; impute or drop them first")
        if self.adjustment is None:
            return np.ascontiguousarray(((table - self.mean) / self.scale)[:, self.varies])
        own = ((self.adjustment.residuals(table) - self.mean) / self.scale)[:, self.varies]
        return np.hstack([own, self.adjustment.directions(table)])

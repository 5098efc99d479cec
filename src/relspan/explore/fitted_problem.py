"""What an exploration is about: the analysis, the data behind it, and the reader's units.

The solver speaks of columns and weights of the scaled table; a reader of feature names, of shares of the baseline's L1
norm, and of weights in the units of the table. This is the only place where one becomes the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.pipeline import Analysis, Settings
from relspan.arrays import Floats, Matrix
from relspan.errors import DataError, ParameterError
from relspan.losses import Loss
from relspan.result import RelevanceResult


@dataclass(frozen=True, eq=False)
class FittedProblem:
    """A finished analysis with its data. `X` is the scaled table without its constant columns."""

    names: tuple[str, ...]
    varies: np.ndarray
    mean: Floats
    scale: Floats
    loss: Loss
    X: Matrix
    y: Floats
    sample_weight: Floats | None
    splitter: BaseCrossValidator
    settings: Settings
    analysis: Analysis
    result: RelevanceResult
    classes: tuple[Any, ...] | None = None

    @property
    def mu(self) -> float:
        """The baseline's L1 norm: the reader's unit of relevance."""
        return self.analysis.baseline.norm

    @cached_property
    def columns(self) -> tuple[str, ...]:
        """Names of the solver's columns."""
        return tuple(name for name, keep in zip(self.names, self.varies, strict=True) if keep)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: j for j, name in enumerate(self.columns)}

    def known(self, name: str) -> str:
        """The name, if it is a feature's; else an error with the nearest one."""
        if name in self.names:
            return name
        close = get_close_matches(str(name), self.names, n=2, cutoff=0.6)
        hint = f"did you mean {' or '.join(map(repr, close))}?" if close else f"there are {listed(self.names)}"
        raise ParameterError(f"no feature {name!r}; {hint}")

    def column(self, name: str) -> int | None:
        """The solver's column of a feature; None where the feature is constant and has none."""
        return self._index.get(self.known(name))

    def columns_of(self, names: Iterable[str]) -> list[int]:
        """The solver's columns of several features; constant ones have none."""
        return [j for j in (self.column(name) for name in names) if j is not None]

    def everywhere(self, values: Floats) -> Floats:
        """Values of the solver's columns as values of all features: 0 for the constant ones."""
        whole = np.zeros((len(self.names), *values.shape[1:]))
        whole[self.varies] = values
        return whole

    def in_table_units(self, model: Floats) -> tuple[Floats, Floats]:
        """Weights and offsets for the table as it was given: x.w + b there is the score here.

        Where a model has several offsets they are thresholds, x.w - b_k, and move the other way.
        """
        d = len(self.columns)
        weights = self.everywhere(model[:d]) / self.scale
        shift = float(self.mean @ weights)
        offsets = model[d:]
        return weights, offsets - shift if self.loss.n_offsets == 1 else offsets + shift

    def scaled(self, X: Any) -> Floats:
        """New samples as the solver sees them. A frame must have exactly the table's columns, in any order."""
        named = getattr(X, "columns", None)
        if named is not None:
            given = [str(name) for name in named]
            missing = [name for name in self.names if name not in given]
            surplus = [name for name in given if name not in self.names]
            if missing or surplus:
                said = [f"{word} {listed(which)}" for word, which in (("without", missing), ("with", surplus)) if which]
                raise DataError(f"the samples come {' and '.join(said)}; the model knows {len(self.names)} features")
            order = [given.index(name) for name in self.names]
            X = np.asarray(X)[:, order]
        table = np.asarray(X, dtype=np.float64)
        if table.ndim != 2 or table.shape[1] != len(self.names):
            raise DataError(f"samples must be a table of {len(self.names)} columns, not of shape {table.shape}")
        wrong = [name for name, column in zip(self.names, table.T, strict=True) if not np.isfinite(column).all()]
        if wrong:
            raise DataError(f"the samples hold NaN or infinity in {listed(wrong)}; impute or drop them first")
        return np.ascontiguousarray(((table - self.mean) / self.scale)[:, self.varies])


def listed(names: Sequence[str], most: int = 8) -> str:
    """Names with commas; the ones beyond `most` are counted."""
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(map(repr, names[:most])) + more

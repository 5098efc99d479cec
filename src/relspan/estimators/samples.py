"""What is read of the samples beside table and target: weights, privileged columns, and the seed of their folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from sklearn.utils import check_array

from relspan import checks
from relspan.arrays import Floats
from relspan.errors import DataError

PrivilegedTable: TypeAlias = tuple[Floats, list[str]]


def seed_of(random_state: Any) -> int | None:
    """The seed of the folds: the same as that of the probes. A RandomState is drawn from."""
    generator = checks.random_generator("random_state", random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(generator.randint(np.iinfo(np.int32).max))
    return None if random_state is None else int(random_state)


def read_privileged(given: Any, n_samples: int, names: Sequence[str]) -> PrivilegedTable:
    """A table of privileged columns, and their names; none where none are given."""
    if given is None:
        return np.zeros((n_samples, 0)), []
    table = np.asarray(check_array(given, dtype=np.float64, ensure_all_finite=False))
    if len(table) != n_samples:
        raise DataError(f"privileged has {len(table)} rows, but there are {n_samples} samples")
    titles = getattr(given, "columns", None)
    columns = [f"privileged{j}" for j in range(table.shape[1])] if titles is None else [str(name) for name in titles]
    twice = sorted(set(columns) & set(names)) or sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise DataError(f"several columns are called {checks.quoted(twice)}; rename them, since results name features")
    return table, columns


def sample_weights(given: Any, n_samples: int) -> Floats | None:
    """One finite weight >= 0 per sample; None where none are given."""
    if given is None:
        return None
    weights = np.asarray(given, dtype=np.float64)
    weights = np.full(n_samples, weights) if weights.ndim == 0 else weights
    if weights.shape != (n_samples,):
        raise DataError(
            f"sample_weight has shape {weights.shape}, but one weight per sample is needed, {n_samples} in all"
        )
    wrong = np.flatnonzero(~(np.isfinite(weights) & (weights >= 0)))
    if len(wrong):
        raise DataError(f"sample_weight must be finite and not negative; row {wrong[0]} has {weights[wrong[0]]}")
    if not weights.any():
        raise DataError("every sample_weight is zero: nothing is left to learn from")
    return weights


def without_weightless(*columns: Any, weights: Floats | None) -> tuple[Any, ...]:
    """Tables and targets of the samples that count, and their weights, last.

    A weight of 0 leaves a sample out of scaling, folds and probes as well as of the loss.
    """
    if weights is None or weights.all():
        return (*columns, weights)
    return tuple(column[weights > 0] for column in (*columns, weights))

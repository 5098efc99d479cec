"""What is read of the samples beside table and target: weights, groups, privileged columns, the seed of their folds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from sklearn.utils import check_array

from relspan import checks
from relspan.arrays import Floats, Ints, Matrix
from relspan.errors import DataError

PrivilegedTable: TypeAlias = tuple[Floats, list[str]]


class Samples(NamedTuple):
    """The samples that count: table, target, weights, numbers of their groups, and privileged columns.

    `groups_name` is the name of the column that the groups were given as, if it has one.
    """

    X: Matrix
    y: np.ndarray
    weights: Floats | None
    groups: Ints | None
    privileged: PrivilegedTable
    groups_name: str | None = None


def seed_of(random_state: Any) -> int:
    """The seed of random folds. A RandomState is drawn from, and None stands for a fresh seed."""
    generator = checks.random_generator("random_state", random_state)
    if random_state is None or isinstance(random_state, np.random.RandomState):
        return int(generator.randint(np.iinfo(np.int32).max))
    return int(random_state)


def read_privileged(given: Any, n_samples: int, names: Sequence[str]) -> PrivilegedTable:
    """A table of privileged columns, and their names; none where none are given."""
    if given is None:
        return np.zeros((n_samples, 0)), []
    try:
        table = np.asarray(check_array(given, dtype=np.float64, ensure_all_finite=False))
    except (ValueError, TypeError) as reason:
        raise DataError("privileged must be a table of numbers, one row per sample and one column or more") from reason
    if len(table) != n_samples:
        raise DataError(f"privileged has {len(table)} rows, but there are {n_samples} samples")
    titles = getattr(given, "columns", None)
    columns = [f"privileged{j}" for j in range(table.shape[1])] if titles is None else [str(name) for name in titles]
    twice = sorted(set(columns) & set(names)) or sorted({name for name in columns if columns.count(name) > 1})
    if twice:
        raise DataError(f"several columns are called {checks.quoted(twice)}; rename them, since results name features")
    return table, columns


def sample_groups(given: Any, n_samples: int) -> Ints | None:
    """The number of every sample's group, counted from 0 in the order of the rows; None where none are given.

    A label can be anything that can be hashed: text, numbers, dates, tuples.
    """
    if given is None:
        return None
    shape = getattr(given, "shape", None)
    if shape is not None and len(shape) == 2 and shape[1] == 1:
        given = np.asarray(given)[:, 0]
    elif isinstance(given, str) or not hasattr(given, "__iter__") or (shape is not None and len(shape) != 1):
        raise DataError("groups must be a list or a column with one label per sample")
    labels = list(given)
    if len(labels) != n_samples:
        raise DataError(f"groups has {len(labels)} labels, but one per sample is needed, {n_samples} in all")
    numbers: dict[Any, int] = {}
    found = np.empty(n_samples, dtype=np.intp)
    for row, label in enumerate(labels):
        if _missing(label):
            raise DataError(f"groups has no label in row {row} ({label!r}); every sample needs one")
        try:
            found[row] = numbers.setdefault(label, len(numbers))
        except TypeError as error:
            raise DataError(
                f"groups must have one label per sample that can be hashed, such as text or a number; row {row} has "
                f"{label!r}"
            ) from error
    return found


def groups_name(given: Any) -> str | None:
    """The name of the column that the groups were given as; None where it has none."""
    columns = list(getattr(given, "columns", ()))
    name = columns[0] if len(columns) == 1 else getattr(given, "name", None)
    return None if name is None or name == "" else str(name)


def _missing(label: Any) -> bool:
    """Whether a label stands for a missing value: None, NaN, NaT, or the NA of a data frame library."""
    if label is None or type(label).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(label, (float, np.floating, np.datetime64)) and bool(label != label)


def without_weightless(*columns: Any, weights: Floats | None) -> tuple[Any, ...]:
    """Tables and targets of the samples that count (None stays None), and their weights, last.

    A weight of 0 leaves a sample out of scaling, folds and probes as well as of the loss.
    """
    if weights is None or weights.all():
        return (*columns, weights)
    return tuple(None if column is None else column[weights > 0] for column in (*columns, weights))

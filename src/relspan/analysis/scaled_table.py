"""A table made ready for the analysis: names, what varies, scaling, privileged columns, and groups of features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from relspan.analysis.scaling import scaled, scaling, varying
from relspan.arrays import Bools, Floats, Ints, Matrix
from relspan.errors import DataError, ParameterError


@dataclass(frozen=True, eq=False)
class ScaledTable:
    """The columns of a table, the privileged ones last, scaled, without those that are constant."""

    names: tuple[str, ...]
    n_public: int
    varies: Bools
    mean: Floats
    scale: Floats
    Z: Matrix

    @property
    def kept(self) -> Ints:
        return np.flatnonzero(self.varies)

    @property
    def kept_names(self) -> list[str]:
        return [self.names[j] for j in self.kept]

    @property
    def privileged(self) -> tuple[bool, ...]:
        """Which of the columns of Z are privileged."""
        return tuple(bool(j >= self.n_public) for j in self.kept)


def scale_table(
    X: Matrix, names: Sequence[str], n_public: int, standardize: bool, sample_weight: Floats | None
) -> ScaledTable:
    """Scale the columns of a table and leave out the constant ones."""
    refuse_non_finite(X, names)
    mean, scale = scaling(X, sample_weight) if standardize else (np.zeros(X.shape[1]), np.ones(X.shape[1]))
    varies = varying(X)
    if not varies[:n_public].any():
        raise DataError(f"every column is constant ({listed(names[:n_public])}): there is nothing to learn from")
    Z = scaled(X, mean, scale)[:, varies]
    Z = Z if sparse.issparse(Z) else np.ascontiguousarray(Z)
    return ScaledTable(tuple(names), n_public, varies, mean, scale, Z)


def refuse_non_finite(X: Matrix, names: Sequence[str]) -> None:
    """NaN and infinities are errors that count them per column."""
    held, columns = (X.data, X.tocoo().coords[1]) if sparse.issparse(X) else (X, None)
    for kind, test in (("NaN", np.isnan), ("infinity", np.isinf)):
        wrong = test(held)
        if wrong.any():
            counts = wrong.sum(axis=0) if columns is None else np.bincount(columns[wrong], minlength=len(names))
            where = listed([f"{name} ({count})" for name, count in zip(names, counts, strict=True) if count])
            raise DataError(f"Input X contains {kind}, by column: {where}. Impute or drop these values first")


def read_groups(given: Any, names: Sequence[str]) -> dict[str, list[int]]:
    """Groups of features by name: the places of their members, which are given by name or by place."""
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise ParameterError(f"feature_groups must map a group's name to its features, not {type(given).__name__}")
    groups: dict[str, list[int]] = {}
    for group, members in given.items():
        if isinstance(members, str) or not isinstance(members, (Sequence, np.ndarray)) or len(members) == 0:
            raise ParameterError(f"group {group!r} must list one feature or more, not {members!r}")
        groups[str(group)] = [_place(str(group), member, names) for member in members]
        if len(set(groups[str(group)])) < len(members):
            raise ParameterError(f"group {group!r} lists a feature twice")
    return groups


def _place(group: str, member: Any, names: Sequence[str]) -> int:
    if isinstance(member, str):
        if member not in names:
            raise ParameterError(
                f"group {group!r} lists {member!r}, which is not a column; columns are {listed(names)}"
            )
        return names.index(member)
    if isinstance(member, (int, np.integer)) and not isinstance(member, bool) and 0 <= member < len(names):
        return int(member)
    raise ParameterError(f"group {group!r} lists {member!r}; the table has columns 0 to {len(names) - 1}")


def listed(names: Sequence[str], most: int = 8) -> str:
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + more

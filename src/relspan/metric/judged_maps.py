"""Whose error is the error of an effective dimension: the maps that are judged for a learned map and directions U.

    "projected"   the learned map within these directions alone, Omega U U'
    "extremal"    the 2d maps in which one feature weighs as little, or as much, as it can in an equivalent map. The
                  paper's scheme: the error of a dimension is the mean of theirs.

The projected map is one map and needs no program. The extremal maps need 2d programs for every row, dimension and
fold, and show what the intervals themselves are worth: where too few directions are kept, equivalent maps differ in
ways that matter, and their errors rise.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from relspan.arrays import Floats
from relspan.metric.eigenform import eigenform
from relspan.metric.row_family import row_relevance


class JudgedMaps(Protocol):
    """Gives the maps whose mean error counts, each with the map of the prototypes that it stands in for."""

    def __call__(self, omega: Floats, U: Floats) -> Iterator[tuple[Floats, Floats]]: ...


@dataclass(frozen=True)
class ProjectedMap:
    """The learned map within the directions alone."""

    def __call__(self, omega: Floats, U: Floats) -> Iterator[tuple[Floats, Floats]]:
        yield (omega @ U) @ U.T, omega


@dataclass(frozen=True)
class ExtremalMaps:
    """The maps at both ends of every feature's interval, as in the analysis of the whole map."""

    delta_norm: float
    smallest_eigenvalue: float
    engine: str

    def __call__(self, omega: Floats, U: Floats) -> Iterator[tuple[Floats, Floats]]:
        form = eigenform(omega, self.smallest_eigenvalue)
        rows = [row_relevance(row, U, self.delta_norm, self.engine) for row in form.rows]
        learned = form.scale * form.rows
        for j in range(omega.shape[1]):
            for end in ("min", "max"):
                yield form.scale * np.array([row.extreme(j, end) for row in rows]), learned


def judged_maps(dimension_by: str, delta_norm: float, smallest_eigenvalue: float, engine: str) -> JudgedMaps:
    """The maps of that name."""
    known: Mapping[str, JudgedMaps] = {
        "projected": ProjectedMap(),
        "extremal": ExtremalMaps(delta_norm, smallest_eigenvalue, engine),
    }
    return known[dimension_by]

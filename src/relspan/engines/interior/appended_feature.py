"""What a program may have beside the family it is about: one more feature, a probe, another one in every program.

A feature with one weight is one more column of the scores. A feature with a weight for each of several classes is one
column per class, and one more equality: the weights sum to 0. Everything else that the batched engine does is the same
for all programs of a family.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np

from relspan.arrays import Floats, Ints
from relspan.engines.certificates import CertifiedMaxima, certify, joined
from relspan.engines.interior.batch_arrays import BatchArrays
from relspan.engines.interior.row_selection import RowSelection
from relspan.family import Constraints, Family

Chosen = Callable[[Floats], Floats]


class AppendedFeature(Protocol):
    """One more feature for every program of a batch."""

    @property
    def n_weights(self) -> int:
        """How many weights the feature has."""
        ...

    def where(self, which: Any) -> Self:
        """Those of some programs."""
        ...

    def joining(self, problem: BatchArrays, rows: RowSelection, paid: Chosen) -> BatchArrays:
        """The family's arrays with the features; `paid` leaves out the scores whose rows cost nothing."""
        ...

    def certified(
        self, family: Family, directions: Floats, models: Floats, hinge: Floats, sides: Floats
    ) -> CertifiedMaxima:
        """The certificates of all programs; see `certificates.certify`."""
        ...

    def widened(self, family: Family, program: int) -> Family:
        """The family with the feature of one program."""
        ...


@dataclass(frozen=True, eq=False)
class AppendedColumn:
    """Features with one weight: one row of (programs, scores) each."""

    columns: Floats

    @property
    def n_weights(self) -> int:
        return 1

    def where(self, which: Any) -> AppendedColumn:
        return AppendedColumn(self.columns[which])

    def joining(self, problem: BatchArrays, rows: RowSelection, paid: Chosen) -> BatchArrays:
        return replace(problem, extra_column=problem.xp.array(rows.scores(paid(self.columns.T)).T))

    def certified(
        self, family: Family, directions: Floats, models: Floats, hinge: Floats, sides: Floats
    ) -> CertifiedMaxima:
        return certify(family, directions, models, hinge, sides, self.columns)

    def widened(self, family: Family, program: int) -> Family:
        return family.with_columns(self.columns[program][:, None])


@dataclass(frozen=True, eq=False)
class AppendedClasses:
    """Features with a weight per class: `columns` (features, scores, classes), and the feature of every program."""

    columns: Floats
    owner: Ints

    @property
    def n_weights(self) -> int:
        return int(self.columns.shape[2])

    def where(self, which: Any) -> AppendedClasses:
        return AppendedClasses(self.columns, self.owner[which])

    def joining(self, problem: BatchArrays, rows: RowSelection, paid: Chosen) -> BatchArrays:
        xp, contrasts, K = problem.xp, problem.contrasts, self.n_weights
        assert contrasts is not None  # what `can_append_classes` of the engine asks first
        features = len(self.columns)
        by_score = np.moveaxis(self.columns, 1, 0).reshape(-1, features * K)
        kept = np.moveaxis(rows.scores(paid(by_score)).reshape(-1, features, K), 1, 0)
        whole = contrasts.probe(kept[:, : contrasts.n_compared], kept[:, contrasts.n_compared :])
        G = xp.to_numpy(problem.G)
        sums = np.concatenate([np.zeros((1, G.shape[1])), np.ones((1, K))], axis=1)
        wider = np.vstack([np.hstack([G, np.zeros((len(G), K))]), sums])
        return replace(
            problem,
            probe=whole.where(xp.index(self.owner)),
            G=xp.array(wider),
            G_b=xp.concat([problem.G_b, xp.zeros(1, problem.G_b.shape[1])], axis=0),
            g=xp.array(np.append(xp.to_numpy(problem.g), 0.0)),
        )

    def certified(
        self, family: Family, directions: Floats, models: Floats, hinge: Floats, sides: Floats
    ) -> CertifiedMaxima:
        order = np.argsort(self.owner, kind="stable")
        parts = []
        for feature in np.unique(self.owner):
            own = np.flatnonzero(self.owner == feature)
            wider = self._with_feature(family, int(feature))
            parts.append(certify(wider, directions[own], models[own], hinge[own], sides[own]))
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return joined(parts).where(place)

    def widened(self, family: Family, program: int) -> Family:
        return self._with_feature(family, int(self.owner[program]))

    def _with_feature(self, family: Family, feature: int) -> Family:
        """The family with one more feature, whose weights sum to 0."""
        wider, K = family.with_columns(self.columns[feature]), self.n_weights
        sums = np.zeros((1, wider.n_features))
        sums[:, -K:] = 1.0
        zero = np.zeros(1)
        extra = Constraints(sums, np.zeros((1, family.n_offsets)), zero, zero)
        return replace(wider, constraints=wider.constraints.stacked(extra))

"""The columns of a table in standard form, and the special part of a column: what no other column can express."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relspan.arrays import Floats, Ints, Matrix, dense, product
from relspan.tolerances import EXPRESSED_COLUMN, LEAST_VARIANCE

MOST_DENSE_ENTRIES = 20_000_000  # of a table that is made dense at once: 160 MB
ROWS_PER_COLUMN = 2  # with fewer rows per column, special parts are those beside the columns that a model uses


@dataclass(frozen=True, eq=False)
class StandardColumns:
    """The columns of X, of weighted mean 0 and variance 1, made dense when they are asked for."""

    X: Matrix
    shares: Floats  # of the samples in means; they sum to 1

    @property
    def count(self) -> int:
        return int(self.X.shape[1])

    @cached_property
    def _moments(self) -> tuple[Floats, Floats]:
        mean = np.asarray(self.X.T @ self.shares)
        variance = np.asarray(product(self.X, self.X).T @ self.shares) - mean**2
        return mean, np.sqrt(np.maximum(variance, LEAST_VARIANCE))

    def of(self, features: Ints) -> Floats:
        """(n, features): these columns."""
        mean, deviation = self._moments
        found: Floats = (dense(self.X[:, features]) - mean[features]) / deviation[features]
        return found

    def correlations(self, features: Ints) -> Floats:
        """(features, d): of these columns with all."""
        mean, deviation = self._moments
        weighted = self.shares[:, None] * self.of(features)
        found: Floats = np.asarray((self.X.T @ weighted) - np.outer(mean, weighted.sum(axis=0))).T / deviation
        return found

    @property
    def can_invert(self) -> bool:
        """Whether there are enough samples, and few enough columns, to express every column by all others."""
        n, d = self.X.shape
        return bool(n > ROWS_PER_COLUMN * d and n * d <= MOST_DENSE_ENTRIES)

    @cached_property
    def _precision(self) -> Floats:
        """The inverse of all correlations."""
        d = self.count
        correlations = self.correlations(np.arange(d))
        return np.asarray(np.linalg.inv((correlations + correlations.T) / 2 + EXPRESSED_COLUMN**2 * np.eye(d)))

    def beside_all(self, clusters: Ints) -> Floats:
        """(n, d): what remains of every column after regression on all columns outside its cluster.

        With P the inverse of the correlations, the columns c of a cluster leave  X P[:, c] P[c, c]^-1.
        """
        P, d = self._precision, self.count
        leave = P / np.diag(P)
        for members in clustered(clusters):
            leave[:, members] = np.linalg.solve(P[np.ix_(members, members)], P[members]).T
        return self._what_remains(self.of(np.arange(d)) @ leave)

    def beside(self, features: Ints, others: Ints) -> Floats:
        """(n, features): what remains of these columns after regression on the others."""
        values, known = self.of(features), self.of(others)
        weighted = known.T * self.shares
        gram = weighted @ known + EXPRESSED_COLUMN**2 * np.eye(len(others))
        return self._what_remains(values - known @ np.linalg.solve(gram, weighted @ values))

    def _what_remains(self, rest: Floats) -> Floats:
        """0 for a column of which nothing remains but rounding."""
        found: Floats = np.where(self.shares @ rest**2 > EXPRESSED_COLUMN, rest, 0.0)
        return found


def clustered(clusters: Ints) -> list[Ints]:
    """The members of each cluster of several columns."""
    counts = np.bincount(clusters)
    members = np.split(np.argsort(clusters, kind="stable"), np.cumsum(counts)[:-1])
    return [members[number] for number in np.flatnonzero(counts > 1)]

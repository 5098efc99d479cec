"""A loss on a table: its rows and constraints, and those of the table with a probe in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relspan.analysis.canonical_order import row_order
from relspan.analysis.folds import in_order_of_appearance
from relspan.analysis.permutations import permutation
from relspan.arrays import Floats, Ints, Matrix, dense
from relspan.family import Constraints, Family, HingeRows, WeightBlocks, build_family, no_constraints
from relspan.losses import Loss, Signed


@dataclass(frozen=True, eq=False)
class LearningProblem:
    """What is analysed: the samples, their targets, weights and groups, and the loss on them.

    `groups` numbers the group of every sample from 0 on, where rows belong together; see `permutations`.
    """

    loss: Loss
    X: Matrix
    y: Floats
    sample_weight: Floats | None = None
    groups: Ints | None = None

    @cached_property
    def rows(self) -> HingeRows:
        return self.loss.rows(self.X, self.y, self.sample_weight)

    @cached_property
    def constraints(self) -> Constraints | None:
        return self.loss.constraints(self.X, self.y)

    @cached_property
    def blocks(self) -> WeightBlocks:
        return self.loss.blocks(self.X.shape[1])

    @property
    def probes_are_columns(self) -> bool:
        """Whether one more feature is one more column of the hinge rows, and nothing else: signs are of single ones."""
        free = self.loss.inner.constraints(self.X, self.y) if isinstance(self.loss, Signed) else self.constraints
        return self.blocks.single and (free is None or not free.features.any())

    @cached_property
    def _order(self) -> Ints:
        return row_order(self.X, self.y)

    def permutation(self, rng: np.random.Generator) -> Ints:
        """An index of the samples in random order, by whole groups where there are groups: for columns or targets.

        What is drawn depends on the contents of the rows, not on their order in the table.
        """
        order = self._order
        groups = None if self.groups is None else in_order_of_appearance(self.groups[order])
        chosen = np.empty(len(order), dtype=np.intp)
        chosen[order] = order[permutation(len(order), groups, rng)]
        return chosen

    def permuted(self, feature: int, rng: np.random.Generator) -> Floats:
        """The feature's values, permuted over the samples."""
        return dense(self.X[:, [feature]]).ravel()[self.permutation(rng)]

    def hinge_columns(self, values: Floats) -> Floats:
        """The hinge rows' columns of more features, one per column of `values`."""
        return np.asarray(self.loss.rows(values, self.y, self.sample_weight).features)

    def with_appended(self, among: Family, features: Sequence[int], values: Floats) -> Family:
        """The family `among` over the table with more columns at its end, each of the same kind as its feature."""
        if self.probes_are_columns:
            return among.with_columns(self.hinge_columns(values))
        loss = self.loss
        for feature in features:
            loss = loss.with_copy_of(feature)
        wider = replace(self, loss=loss, X=np.column_stack([self.X, values]))
        d = among.n_features
        new = np.zeros((len(among.anchors), wider.rows.n_features - d))
        anchors = np.hstack([among.anchors[:, :d], new, among.anchors[:, d:]])
        return build_family(wider.rows, among.budgets, wider.constraints, anchors)

    def with_replaced(self, among: Family, feature: int, values: Floats) -> Family:
        """The family `among` over the table in which a feature has other values; anchors that use it are left out.

        A sign that is demanded of the feature is not demanded of other values.
        """
        if self.probes_are_columns:
            changed = among.with_replaced_column(feature, self.hinge_columns(values[:, None])[:, 0])
            if not isinstance(self.loss, Signed):
                return changed
            free = self.loss.with_free(feature).constraints(self.X, self.y)
            none = no_constraints(among.n_features, among.n_offsets)
            return replace(changed, constraints=none if free is None else free)
        X = np.array(self.X)
        X[:, feature] = values
        other = replace(self, X=X)
        unused = ~among.anchors[:, self.blocks.columns(feature)].any(axis=1)
        return build_family(other.rows, among.budgets, other.constraints, among.anchors[unused])

"""Evidence: how much speaks for a feature, in units of what chance reaches, and by which route it came."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from relspan.analysis.verdicts.associations import Associations
from relspan.analysis.verdicts.columns import clustered
from relspan.arrays import Floats, Ints

ENOUGH = 1.0  # evidence that is enough in any table
LEAST = 0.75  # evidence below which nothing counts
COMPANION = 0.6  # of the strongest feature's evidence, where that is less than enough
REACH_SHARE = 1 / 3  # of the evidence; the association has the rest


def least_line(adjusted: bool) -> float:
    """The evidence up to which nothing is relevant, whatever else the table contains."""
    return LEAST if adjusted else ENOUGH


@dataclass(frozen=True, eq=False)
class FeatureEvidence:
    """What speaks for every feature, each in units of what chance reaches."""

    reach: Floats
    alone: Floats
    beyond: Floats
    needed: Floats
    clusters: Ints
    adjusted: bool  # whether associations are beside all other columns

    @cached_property
    def association(self) -> Floats:
        found: Floats = np.maximum(np.maximum(self.alone, self.beyond), self.needed)
        return found

    @cached_property
    def size(self) -> Floats:
        """Reach and association, of which the latter counts twice."""
        found: Floats = REACH_SHARE * self.reach + (1 - REACH_SHARE) * self.association
        return found

    @property
    def line(self) -> float:
        """The evidence beyond which a feature is relevant in this table."""
        return min(ENOUGH, max(least_line(self.adjusted), COMPANION * float(self.size.max(initial=0.0))))

    @cached_property
    def _members(self) -> dict[int, Ints]:
        """The features of each cluster that has several, by its number."""
        return {int(self.clusters[features[0]]): features for features in clustered(self.clusters)}

    def substitutes(self, feature: int) -> list[int]:
        """The other features of its cluster."""
        return [int(j) for j in self._members.get(int(self.clusters[feature]), ()) if j != feature]

    @cached_property
    def routes(self) -> list[str]:
        """What speaks most for each feature.

        "reach": good models can use it. "association": the target moves with it. "need": the others do not explain what
        it does. "cluster": the columns that are not its substitutes do not explain what it does.
        """
        shared = np.bincount(self.clusters)[self.clusters] > 1
        beside = np.maximum(self.beyond, self.needed)
        most = [self.reach >= self.association, self.alone > beside, shared & (self.beyond >= self.needed)]
        return list(np.select(most, ["reach", "association", "cluster"], "need").tolist())


def evidence_of(most: Floats, tau: float, floor: float, found: Associations) -> FeatureEvidence:
    """The evidence of features that have these largest relevances (of a single weight)."""
    reach = most / max(tau, floor)
    chance = np.where(found.chance > 0, found.chance, np.inf)  # 0: nothing is left that a feature could move with
    return FeatureEvidence(
        reach, found.alone / chance, found.beyond / chance, found.needed / chance, found.clusters, found.adjusted
    )

"""Clusters of substitutes: columns that are so nearly the same that a model can use one in the place of another.

Complete linkage on 1 - |correlation|, cut where two members of a cluster would correlate by less than
`SUBSTITUTE_CORRELATION`: within a cluster every two columns are substitutes. In wide tables only columns near those
that the best model uses are clustered. The model without a cluster is the best model itself where the cluster is not
used, so nothing is lost.
"""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from relspan.analysis.verdicts.columns import StandardColumns
from relspan.arrays import Ints
from relspan.tolerances import LINKAGE_ROUNDING

SUBSTITUTE_CORRELATION = 0.8
MOST_CLUSTERED = 1500  # columns whose correlations are all computed: 9 MB of distances


def substitute_clusters(columns: StandardColumns, used: Ints) -> Ints:
    """The number of the cluster of every column, from 0 on; `used` are the columns of the best model."""
    d = columns.count
    near = np.arange(d)
    if d > MOST_CLUSTERED:
        largest = np.abs(columns.correlations(used)).max(axis=0, initial=0.0)
        near = np.flatnonzero(largest >= SUBSTITUTE_CORRELATION)
        near = np.sort(near[np.argsort(-largest[near], kind="stable")[:MOST_CLUSTERED]])
    labels = np.arange(d)
    if len(near) > 1:
        distance = np.clip(1.0 - np.abs(columns.correlations(near)[:, near]), 0.0, 1.0)
        np.fill_diagonal(distance, 0.0)
        tree = linkage(squareform((distance + distance.T) / 2, checks=False), "complete")
        found = fcluster(tree, 1.0 - SUBSTITUTE_CORRELATION + LINKAGE_ROUNDING, "distance")
        first = {label: int(near[np.flatnonzero(found == label)[0]]) for label in np.unique(found)}
        labels[near] = [first[label] for label in found]
    return np.unique(labels, return_inverse=True)[1]

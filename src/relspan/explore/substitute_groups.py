"""Groups of features that replace one another.

Scale two weights by their largest sizes, u_j = w_j / max|w_j|. Over the family the sum u_j + u_k fills an interval of
some width A, the difference u_j - u_k one of width B. Features that do not compete give A = B. Where one takes over
what the other gives up (the sum of a pair of copies is fixed, the split is free), B is much larger than A, or A larger
than B where the columns point opposite ways. The *exchange* of two features,

    e_jk = min(1, |B - A| / 2),

is 0 without competition and 1 where each can take over all of the other's relevance. It needs four programs per pair.
(The movements of the substitution matrix do not serve here: at a feature's maximum the family is nearly one point, so
that every interval moves, whether it belongs to a substitute or not.)

A category is one feature: its u is the total size of its levels' weights as a share of the largest (`feature_totals`).

Groups are the clusters of average linkage on the distance 1 - e_jk. The tree is cut in the middle of the widest gap
between its merges within CUT_WINDOW: features nearer than that always share a group, farther ones never do.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from relspan.arrays import Floats
from relspan.explore.feature_totals import intervals_over, total_widths
from relspan.explore.fitted_problem import WholeFeature
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable, counted

CUT_WINDOW = (0.4, 0.85)  # distances between which the tree is cut


@dataclass(frozen=True, eq=False, repr=False)
class Groups(AnswerTable):
    """Groups of features that replace one another, the largest first.

    A feature without substitutes is a group of its own.

    Parameters
    ----------
    features : tuple of str
        The k features that were grouped.
    labels : tuple of int
        The group of each feature, counted from 0.
    exchange : ndarray of shape (k, k)
        How much of the relevance of two features can pass from one to the other: 0 nothing, 1 all of it.
    tree : ndarray of shape (k - 1, 4)
        SciPy's linkage matrix of the distances 1 - exchange.
    cut : float
        The distance at which the tree was cut into groups.

    See Also
    --------
    Explorer.groups : Find the groups.
    Explorer.substitution : How intervals move when a feature is pinned.

    Examples
    --------
    >>> import numpy as np
    >>> from relspan.explore import Groups
    >>> found = Groups(("a", "b", "c"), (0, 0, 1), np.eye(3), np.zeros((2, 4)), 0.5)
    >>> found.members
    [('a', 'b'), ('c',)]
    """

    features: tuple[str, ...]
    labels: tuple[int, ...]
    exchange: Floats
    tree: Floats
    cut: float

    @property
    def members(self) -> list[tuple[str, ...]]:
        """The features of each group.

        Returns
        -------
        list of tuple of str
            One tuple of names per group, the largest group first.
        """
        count = max(self.labels, default=-1) + 1
        return [
            tuple(f for f, g in zip(self.features, self.labels, strict=True) if g == group) for group in range(count)
        ]

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature, by column.

        Returns
        -------
        dict of str to list
            The number of the feature's group, from 1 for the largest, its name, the size of the group, and the other
            members as one text, with semicolons between them.
        """
        rows = [(number, name, names) for number, names in enumerate(self.members, start=1) for name in names]
        return {
            "group": [number for number, _, _ in rows],
            "name": [name for _, name, _ in rows],
            "size": [len(names) for _, _, names in rows],
            "others": ["; ".join(other for other in names if other != name) for _, name, names in rows],
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        together = [names for names in self.members if len(names) > 1]
        alone = len(self.members) - len(together)
        return f"{counted(len(together), 'group')} of substitutes, {counted(alone, 'feature')} without substitutes"

    def __str__(self) -> str:
        together = [names for names in self.members if len(names) > 1]
        alone = [names[0] for names in self.members if len(names) == 1]
        lines = [f"group {number}: {', '.join(names)}" for number, names in enumerate(together, start=1)]
        return "\n".join([*lines, f"without substitutes: {', '.join(alone)}"] if alone else lines)


def exchange(
    solver: PinSolver,
    pinned: PinnedFamily,
    pairs: Sequence[tuple[WholeFeature, WholeFeature]],
    progress: Progress = silent,
) -> Floats:
    """e_jk of some pairs of features, over the hull of the branches."""
    features = list(dict.fromkeys(feature for pair in pairs for feature in pair))
    most = dict(zip(features, intervals_over(pinned, features)[:, 1].tolist(), strict=True))
    widths = np.zeros((len(pairs), 2))
    for number, (first, second) in enumerate(pairs):
        sizes = np.array([most[first], most[second]])
        if (sizes > 0).all():
            alone = first.is_single and second.is_single
            widths[number] = (
                _signed_widths(solver, pinned, first.columns[0], second.columns[0], sizes)
                if alone
                else total_widths(pinned.branches, first, second, sizes)
            )
        progress("exchange", (number + 1) / len(pairs), f"{number + 1} of {len(pairs)} pairs")
    return np.asarray(np.minimum(1.0, np.abs(widths[:, 1] - widths[:, 0]) / 2))


def _signed_widths(solver: PinSolver, pinned: PinnedFamily, j: int, k: int, most: Floats) -> Floats:
    """The widths A and B of two columns."""
    both = np.zeros((2, solver.directions.shape[1]))
    both[:, j], both[:, k] = 1 / most[0], (1 / most[1], -1 / most[1])
    ends = np.max([solver.values_over(b, np.vstack([both, -both])) for b in pinned.branches], axis=0)
    return np.asarray(ends[:2] + ends[2:])


def groups(
    solver: PinSolver,
    pinned: PinnedFamily,
    features: Sequence[WholeFeature],
    cut: float | None = None,
    progress: Progress = silent,
) -> Groups:
    """Cluster some features. `cut` is a distance 1 - e_jk, found automatically if None."""
    names = tuple(feature.name for feature in features)
    if len(features) < 2:
        return Groups(names, tuple(range(len(names))), np.eye(len(names)), np.zeros((0, 4)), CUT_WINDOW[0])
    condensed = exchange(solver, pinned, list(combinations(features, 2)), progress)
    tree = linkage(1 - condensed, method="average")
    cut = automatic_cut(tree) if cut is None else cut
    found = fcluster(tree, cut, criterion="distance")
    order = sorted(set(found), key=lambda group: (-int((found == group).sum()), int(np.argmax(found == group))))
    labels = tuple(order.index(group) for group in found)
    matrix = squareform(condensed)
    np.fill_diagonal(matrix, 1.0)
    return Groups(names, labels, matrix, tree, float(cut))


def automatic_cut(tree: Floats) -> float:
    """The middle of the widest gap between merges within the window."""
    low, high = CUT_WINDOW
    heights = np.unique(np.clip(tree[:, 2], low, high))
    edges = np.unique(np.concatenate([[low], heights, [high]]))
    widest = int(np.argmax(np.diff(edges)))
    return float((edges[widest] + edges[widest + 1]) / 2)

"""Rankings that hold in every equally good model.

Feature a ranks above feature b if a is used in every equally good model and carries at least b's weight in each:

    |w_a| > 0   and   |w_a| >= |w_b|   for all models in F.

Where max_b > max_a or min_b > min_a it is false: the model at that end shows it. Only for the remaining pairs programs
are solved. A feature that every model uses has one sign s_a in all models of a convex family (under pins, in each sign
branch), so that the order is a pair of linear questions:

    max { w_b - s_a w_a } <= 0   and   max { -w_b - s_a w_a } <= 0 .

The relation is a partial order: where neither of two features ranks above the other, good models disagree.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from relspan.arrays import Bools, Floats
from relspan.checks import place_of
from relspan.explore.pinned_family import PinnedFamily, PinSolver, SignBranch
from relspan.result.answer_table import AnswerTable, counted
from relspan.result.record import write_record


@dataclass(frozen=True)
class RankedPair:
    """Two features whose order is the same in every equally good model.

    Parameters
    ----------
    higher, lower : str
        The feature that carries at least as much weight in every model, and the other one.
    margin : float
        The least difference of their absolute weights over all models, in shares of the norm.
    direct : bool
        Whether no third feature ranks between them.

    See Also
    --------
    Ranking : All such pairs.

    Examples
    --------
    >>> from relspan.explore import RankedPair
    >>> RankedPair("age", "weight", 0.1, True).higher
    'age'
    """

    higher: str
    lower: str
    margin: float
    direct: bool


@dataclass(frozen=True, repr=False)
class Ranking(AnswerTable):
    """The order of features by absolute weight, as far as all equally good models agree on it.

    Parameters
    ----------
    features : tuple of str
        The names of the features, in the order of the table.
    pairs : tuple of RankedPair
        The pairs on whose order all models agree.

    See Also
    --------
    Explorer.ranking : Compute it.
    relspan.plots.RankingDisplay : Draw it.

    Examples
    --------
    >>> from relspan.explore import RankedPair, Ranking
    >>> found = Ranking(("age", "weight"), (RankedPair("age", "weight", 0.1, True),))
    >>> found.above("weight")
    ('age',)
    """

    features: tuple[str, ...]
    pairs: tuple[RankedPair, ...]

    def above(self, feature: str) -> tuple[str, ...]:
        """The features that rank above one in every equally good model.

        Parameters
        ----------
        feature : str
            The name of the feature.

        Returns
        -------
        tuple of str
            Their names.
        """
        known = self._known(feature)
        return tuple(pair.higher for pair in self.pairs if pair.lower == known)

    def below(self, feature: str) -> tuple[str, ...]:
        """The features that rank below one in every equally good model.

        Parameters
        ----------
        feature : str
            The name of the feature.

        Returns
        -------
        tuple of str
            Their names.
        """
        known = self._known(feature)
        return tuple(pair.lower for pair in self.pairs if pair.higher == known)

    def _known(self, feature: str) -> str:
        """The name of a ranked feature, which may be given by its place."""
        return self.features[place_of(feature, self.features)]

    @property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """The features by the length of the longest chain above them.

        Returns
        -------
        tuple of tuple of str
            First those that no feature ranks above.
        """
        depth: dict[str, int] = {}

        def depth_of(name: str) -> int:
            if name not in depth:
                depth[name] = 1 + max((depth_of(one) for one in self.above(name)), default=-1)
            return depth[name]

        deepest = max((depth_of(name) for name in self.features), default=-1)
        return tuple(tuple(n for n in self.features if depth[n] == level) for level in range(deepest + 1))

    def columns(self) -> dict[str, list[Any]]:
        """One row per pair, by column.

        Returns
        -------
        dict of str to list
            What `RankedPair` describes.
        """
        return {key: [getattr(p, key) for p in self.pairs] for key in ("higher", "lower", "margin", "direct")}

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        d = len(self.features)
        all_pairs = d * (d - 1) // 2
        return f"{counted(d, 'feature')}; all good models agree on the order of {len(self.pairs)} of {all_pairs} pairs"

    def to_json(self, indent: int | None = 2) -> str:
        """Write the ranking as JSON.

        Parameters
        ----------
        indent : int or None, default=2
            Spaces per level; None puts everything on one line.

        Returns
        -------
        str
            The JSON text.
        """
        return write_record(asdict(self), indent)


def ranking(solver: PinSolver, pinned: PinnedFamily) -> Ranking:
    """The ranking under the pins: an order must hold in every sign branch."""
    problem = solver.problem
    floor = problem.weight_floor * problem.mu
    margins = np.min([_least_margins(solver, branch, floor) for branch in pinned.branches], axis=0)
    order = margins > -np.inf
    order &= ~order.T  # two weights that are equal in every model have no order
    between = (order.astype(int) @ order.astype(int)) > 0
    names = problem.columns
    pairs = [
        RankedPair(names[a], names[b], float(margins[a, b] / problem.mu), not between[a, b])
        for a, b in np.argwhere(order)
    ]
    constant = [name for name in problem.names if problem.column(name) is None]
    used = np.flatnonzero(pinned.relevances[:, 0] > floor)
    least = pinned.relevances[:, 0] / problem.mu
    pairs += [RankedPair(names[a], one, float(least[a]), not order[a].any()) for a in used for one in constant]
    return Ranking(problem.names, tuple(pairs))


def _least_margins(solver: PinSolver, branch: SignBranch, floor: float) -> Floats:
    """(d, d): the least |w_a| - |w_b| over the branch where a ranks above b; -inf elsewhere."""
    least, most = branch.ranges.relevances.T
    margins = np.full((len(least), len(least)), -np.inf)
    used = least > floor
    open_pairs = used[:, None] & _may_rank_above(least, most) & ~np.eye(len(least), dtype=bool)
    sign = np.where(branch.ranges.lo > 0, 1.0, -1.0)
    asked = np.argwhere(open_pairs)
    if not len(asked):
        return margins
    directions = np.zeros((2 * len(asked), solver.family.n_features + solver.family.n_offsets))
    for k, (a, b) in enumerate(asked):
        directions[2 * k : 2 * k + 2, a] = -sign[a]
        directions[2 * k : 2 * k + 2, b] = 1.0, -1.0
    bounds = solver.maxima_over(branch, directions).bounds.reshape(-1, 2).max(axis=1)
    holds = bounds <= floor
    margins[tuple(asked[holds].T)] = -bounds[holds]
    return margins


def _may_rank_above(least: Floats, most: Floats) -> Bools:
    """(d, d): the pairs (a, b) whose order no end of an interval disproves."""
    return np.asarray((most[:, None] >= most[None]) & (least[:, None] >= least[None]))

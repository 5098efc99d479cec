"""The verdict on a group of features that are considered together.

A group is relevant where one of its members is, or where its columns matter together though none of them does alone: no
equally good model does without all of them (total relevance > floor), and what the model without the group leaves
unexplained moves with the group's columns beyond chance. The statistic is the sum of squares of the associations with
an orthogonal basis of the group's special parts; by chance it follows a chi-squared law that has the mean and variance
of the permutations. A relevant group is strong where its total relevance exceeds the floor and the need is no accident.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from relspan.analysis.verdicts.associations import Associable, Test
from relspan.analysis.verdicts.published_rule import graded
from relspan.arrays import Bools, Floats
from relspan.tolerances import EXPRESSED_COLUMN, LEAST_VARIANCE

NO_ACCIDENT = 0.05  # the level at which a need that is proven by other means must stand alone


def group_verdicts(member: Bools, in_every: Bools, chance: Floats, passed: bool, alpha: float) -> NDArray[np.int64]:
    """The class of every group.

    From whether one of its members is relevant, whether every equally good model uses it, and its chance.
    """
    relevant = passed & (member | (in_every & (chance <= alpha / max(1, len(member)))))
    return graded(relevant, in_every & (chance <= NO_ACCIDENT))


def joint_chances(asked: Associable, groups: Sequence[Sequence[int]]) -> Floats:
    """How likely chance makes each group's columns matter together at least as much as they do."""
    columns, residuals = asked.columns, asked.residuals
    found = np.ones(len(groups))
    for number, group in enumerate(groups):
        if len(group):
            members = np.array(group, dtype=np.intp)
            residual = residuals.on(members, residuals.used[~np.isin(residuals.used, members)])
            basis = _basis(columns.beside(members, residual.others), columns.shares)
            test = Test(np.arange(basis.shape[1]), residual, partial(np.take, basis, axis=1))
            squares = (asked.null.sizes([test], basis.shape[1]) ** 2).sum(axis=1)
            found[number] = chi_squared_tail(float(squares[0]), squares[1:])
    return found


def _basis(columns: Floats, shares: Floats) -> Floats:
    """Orthogonal columns that span these."""
    left, size, _ = np.linalg.svd(np.sqrt(shares)[:, None] * columns, full_matrices=False)
    kept = size > EXPRESSED_COLUMN * max(1.0, float(size.max(initial=0.0)))
    return np.asarray(left[:, kept] / np.sqrt(np.maximum(shares, LEAST_VARIANCE))[:, None])


def chi_squared_tail(value: float, by_chance: Floats) -> float:
    """How likely a multiple of a chi-squared variable with the mean and variance of these values exceeds the value."""
    mean, variance = float(by_chance.mean()), float(by_chance.var(ddof=1))
    if mean <= 0 or variance <= 0:
        return 1.0
    return float(stats.chi2.sf(2 * mean * value / variance, 2 * mean**2 / variance))

"""Associations: how far the target moves with each feature, and how far it would by chance.

Three questions about feature j, each of which is evidence that it matters:

    alone     does the target move with it?
    beyond    does what the model *without j and its substitutes* leaves unexplained move with j? Asked of the part of j
              that the columns outside its cluster cannot express: relevance in spite of everything but substitutes
    needed    the same without j alone, and for the part of j that no other column can express: no substitute will do.
              Of two near-copies whose difference decides, neither moves with the target otherwise

Each is a sum over the samples of a residual e_i of the target and a column v_i,  S = sum_i s_i v_i e_i  with s_i the
sample's share. What the model without some features leaves unexplained is the residual of a regression of the target on
the other features that the best model uses (on none for *alone*). The part of a feature that others express is found by
regression on all columns outside its cluster, or, where there are too few samples for that, on those that the best
model uses. How residuals enter is the loss's to say (`residual_scores`): numbers by the normal scores of their ranks,
so that outliers have no power, several classes by one indicator each, whose sums of squares are added.

*Chance.* If a feature has nothing to do with the target, every order of the residuals is as likely as any other. Over
`PERMUTATIONS` of them (of whole groups, where rows belong to groups) each S has standard deviation sd_j, and
T_j = |S_j| / sd_j. Where the weight of a feature has a demanded sign s_j, only what moves that way counts, in the data
and in the permutations alike:  T_j = max(0, s_j S_j) / sd_j.  With T_j the largest of the three, the threshold t* is
the level 1 - alpha of  max_j T_j  over the permutations, from the extreme value law that has their mean and standard
deviation: it knows how many features there are, how they correlate, and how their values are distributed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.verdicts.clusters import substitute_clusters
from relspan.analysis.verdicts.columns import StandardColumns, clustered
from relspan.analysis.verdicts.residuals import Residual, TargetResiduals, used_features
from relspan.arrays import Floats, Ints
from relspan.losses import signs_of
from relspan.losses.loss import weight_per_sample
from relspan.tolerances import LEAST_VARIANCE

PERMUTATIONS = 400
PERMUTATIONS_AT_ONCE = 50  # whose residuals are in memory together
FEATURES_AT_ONCE = 512  # whose dense columns are in memory together, where the table is not dense as a whole


@dataclass(frozen=True, eq=False)
class Associations:
    """T of every feature for each of the three questions, and what chance reaches."""

    alone: Floats
    beyond: Floats
    needed: Floats
    clusters: Ints  # the number of each feature's cluster of substitutes
    chance: float  # t*
    adjusted: bool  # whether `beyond` and `needed` are beside all other columns, not only those in use

    @property
    def largest(self) -> Floats:
        """T_j: the largest of the three."""
        found: Floats = np.maximum(np.maximum(self.alone, self.beyond), self.needed)
        return found


def associations(asked: Associable, alpha: float, control: str) -> Associations:
    """The associations of all features."""
    columns, residuals, null = asked.columns, asked.residuals, asked.null
    d = columns.count
    signs = signs_of(asked.problem.loss, d)
    clusters = substitute_clusters(columns, residuals.used)
    nothing = np.zeros(0, dtype=np.intp)
    target = residuals.on(np.arange(d), nothing)
    alone = null.sizes([Test(block, target, columns.of) for block in _blocks(np.arange(d))], d, signs)
    beyond = null.sizes(_tests_beside(columns, residuals, clusters, np.arange(d)), d, signs)
    needed = beyond.copy()
    members = np.concatenate([nothing, *clustered(clusters)])
    if len(members):
        by_itself = null.sizes(_tests_beside(columns, residuals, np.arange(d), members), d, signs)
        needed[:, members] = by_itself[:, members]
    largest = np.maximum(np.maximum(alone, beyond), needed)[1:]
    by_chance = largest.max(axis=1) if control == "familywise" else largest.ravel()
    return Associations(
        alone[0], beyond[0], needed[0], clusters, extreme_value(by_chance, alpha, control), columns.can_invert
    )


@dataclass(frozen=True, eq=False)
class Associable:
    """A table about whose columns, single or in groups, associations can be asked."""

    problem: LearningProblem
    baseline: Baseline

    @cached_property
    def columns(self) -> StandardColumns:
        weights = weight_per_sample(self.problem.y, self.problem.sample_weight)
        return StandardColumns(self.problem.X, weights / weights.sum())

    @cached_property
    def residuals(self) -> TargetResiduals:
        return TargetResiduals(self.problem, self.columns, used_features(self.problem, self.baseline))

    @cached_property
    def null(self) -> PermutedSums:
        """Orders of the samples, the same ones for every question about a table."""
        rng = np.random.default_rng(0)
        orders = [self.problem.permutation(rng) for _ in range(PERMUTATIONS)]
        return PermutedSums(orders, self.columns.shares, exchangeable=self.problem.groups is None)


def extreme_value(by_chance: Floats, alpha: float, control: str = "familywise") -> float:
    """What chance exceeds with probability alpha: by Gumbel's law for a maximum, by counting for single features."""
    if control != "familywise":
        return float(np.quantile(by_chance, 1.0 - alpha))
    scale = float(by_chance.std(ddof=1)) * np.sqrt(6.0) / np.pi
    return float(by_chance.mean() - np.euler_gamma * scale - scale * np.log(-np.log1p(-alpha)))


@dataclass(frozen=True, eq=False)
class Test:
    """Features whose columns are compared with the same residual; `columns_of` makes the columns."""

    features: Ints
    residual: Residual
    columns_of: Callable[[Ints], Floats]


def _tests_beside(
    columns: StandardColumns, residuals: TargetResiduals, clusters: Ints, features: Ints
) -> Iterator[Test]:
    """The special part of each feature against what the model without its cluster leaves unexplained."""
    beside_all = columns.beside_all(clusters) if columns.can_invert else None
    for residual in residuals.without_each(clusters, features):
        for block in _blocks(residual.features):
            if beside_all is None:
                yield Test(block, residual, partial(columns.beside, others=residual.others))
            else:
                yield Test(block, residual, partial(np.take, beside_all, axis=1))


def _blocks(features: Ints) -> list[Ints]:
    return np.array_split(features, -(-len(features) // FEATURES_AT_ONCE))


@dataclass(frozen=True, eq=False)
class PermutedSums:
    """Sums over the samples as they are, and after each permutation of the residuals."""

    orders: Sequence[Ints]
    shares: Floats
    exchangeable: bool  # every single sample with every other: then a formula gives the standard deviations

    def sizes(self, tests: Iterable[Test], d: int, signs: Ints | None = None) -> Floats:
        """(1 + permutations, d): T of each test's features; row 0 is that of the data itself.

        `signs` are those that are demanded of the features, +1 or -1; 0 where both count.
        """
        demanded = np.zeros(d, dtype=np.intp) if signs is None else signs
        found = np.zeros((1 + len(self.orders), d))
        for test in tests:
            columns = (test.columns_of(test.features) * self.shares[:, None]).T
            squares = np.zeros((1 + len(self.orders), len(columns)))  # as it stays where nothing is left of the target
            for residual in test.residual.scores.T:
                sums, sign = self._sums(columns, residual), demanded[test.features]
                squares += np.where(sign == 0, sums, np.maximum(0.0, sign * sums)) ** 2
            squares[0] *= test.residual.shrinkage**2
            found[:, test.features] = np.sqrt(squares)
        return found

    def _sums(self, columns: Floats, residual: Floats) -> Floats:
        """(1 + permutations, columns): the sums, in units of their standard deviation by chance."""
        parts = [(columns @ residual)[None]]
        for first in range(0, len(self.orders), PERMUTATIONS_AT_ONCE):
            orders = np.array(self.orders[first : first + PERMUTATIONS_AT_ONCE])
            parts.append((columns @ residual[orders].T).T)
        sums: Floats = np.vstack(parts)
        if self.exchangeable:
            variance = (columns**2).sum(axis=1) * (residual @ residual) / (len(residual) - 1)
        else:
            variance = (sums[1:] ** 2).mean(axis=0)
        return np.asarray(sums / np.sqrt(np.maximum(variance, LEAST_VARIANCE)))

"""What is left of the target without some features: the residuals of regressions on the features that are used."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse

from relspan.analysis.baseline import Baseline, best_models
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.verdicts.columns import StandardColumns
from relspan.arrays import Floats, Ints, Matrix
from relspan.tolerances import LEAST_VARIANCE, UNUSED_WEIGHT

ROWS_PER_REGRESSOR = 3  # features used beyond this share of the samples are left out of regressions, weakest first
FREE_NORM = 1000.0  # times C: norm costs next to nothing


@dataclass(frozen=True, eq=False)
class Residual:
    """What a regression leaves of the target, for the features that are asked about it.

    `scores` are uncorrelated columns of mean 0 and variance 1; a single one rises with the target.
    """

    features: Ints
    scores: Floats
    others: Ints  # the features that the target was regressed on

    @property
    def shrinkage(self) -> float:
        """A residual is smaller than what it estimates, by the share of dimensions that the regression has taken."""
        n = len(self.scores)
        return float(np.sqrt(max(1.0, n - 1.0 - len(self.others)) / (n - 1.0)))


@dataclass(frozen=True, eq=False)
class TargetResiduals:
    """The target, regressed on the features that the best model uses, without some of them."""

    problem: LearningProblem
    columns: StandardColumns
    used: Ints

    def without_each(self, clusters: Ints, features: Ints) -> Iterator[Residual]:
        """A regression without each cluster that is used, and one on all used features for the other features."""
        touched = np.isin(clusters[features], clusters[self.used])
        if (~touched).any():
            yield self.on(features[~touched], self.used)
        for number in np.unique(clusters[features[touched]]):
            yield self.on(features[clusters[features] == number], self.used[clusters[self.used] != number])

    def on(self, features: Ints, others: Ints) -> Residual:
        """The target regressed on the others, for questions about the features."""
        others = others[: len(self.problem.y) // ROWS_PER_REGRESSOR]
        root = np.sqrt(self.columns.shares)[:, None]
        known = np.column_stack([np.ones(len(root)), self.columns.of(others)])
        target = self.problem.loss.target_scores(self.problem.y)
        fitted, *_ = np.linalg.lstsq(root * known, root * target, rcond=None)
        scores = self.problem.loss.residual_scores(target - known @ fitted)
        left, size, axes = np.linalg.svd(scores - scores.mean(axis=0), full_matrices=False)
        left = left * (np.sign(axes[0, 0]) if scores.shape[1] == 1 else 1.0)
        kept = size > UNUSED_WEIGHT * max(float(size.max(initial=0.0)), LEAST_VARIANCE)
        return Residual(features, left[:, kept] * np.sqrt(len(scores)), others)


def used_features(problem: LearningProblem, baseline: Baseline) -> Ints:
    """The features that the best model uses, those with the largest weights first."""
    size = np.zeros(problem.blocks.n_features)
    np.maximum.at(size, problem.blocks.owner, np.abs(baseline.weights))
    order = np.argsort(-size, kind="stable")
    return order[size[order] > UNUSED_WEIGHT * baseline.norm]


def loss_without(problem: LearningProblem, baseline: Baseline, features: Sequence[int]) -> float:
    """The loss of the best model without these features where norm is all but free."""
    closed = np.flatnonzero(np.isin(problem.blocks.owner, features))
    guide = baseline.model.copy()
    guide[closed] = 0.0
    rows = problem.rows.with_features(_zeroed(problem.rows.features, closed))
    ((model, _),) = best_models(rows, np.array([FREE_NORM * baseline.C]), problem.constraints, guides=[guide])
    return rows.loss(model[: rows.n_features], model[rows.n_features :])


def _zeroed(features: Matrix, columns: Ints) -> Matrix:
    """A copy in which these columns are 0."""
    if isinstance(features, np.ndarray):
        copy = features.copy()
        copy[:, columns] = 0.0
        return copy
    kept = np.ones(features.shape[1])
    kept[columns] = 0.0
    return (features @ sparse.diags_array(kept)).tocsr()

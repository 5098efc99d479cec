"""A weight may be large only because other columns cancel it.

Where x_j and x_k correlate, w_j = t and w_k = -t sd_j / sd_k hardly change a score, whatever the target: only the norm
budget ends it, at t (1 + sd_j / sd_k) <= M - L, with L the least norm of an equally good model and M the largest. A
permuted column has no such partner, so the probes' threshold tau is too low for correlated columns.

Does the score move with the feature? The slope of the score Xw on x_j alone,

    s_j(w)  =  cov(x_j, Xw) / var(x_j)  =  w_j  +  sum_k  cov(x_j, x_k) / var(x_j)  w_k,

is one more linear functional of the model. Without correlation it is w_j itself, and weights that cancel do not change
it. It is tested like the weight itself (`classes`): does it reach beyond tau, or can no good model do without it? The
threshold of a feature is

    tau_j  =  tau                                        where  max |s_j| > tau,  or  min |s_j| > needed,
    tau_j  =  tau + (M - L) / (1 + min_k sd_j / sd_k)    else:  more than others can cancel.

The second line, with the least ratio of all such features, keeps features that matter much in differences (x_j - x_k,
of columns that correlate), where the score moves with neither. Those that matter little in them, and have substitutes,
cannot be distinguished from columns that cancel each other, and are lost. Columns that correlate with a relevant column
share its slope, and are not distinguished from it. Correlations within `CHANCE_CORRELATION` standard errors count as
none. Most features need no program: the best model, or the models that attain their ends, show the slope already.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.analysis.checkpoint import Checkpoint
from relspan.analysis.intervals import FeatureBlock, WeightRanges, relevances
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.arrays import Bools, Floats, Ints, Matrix, dense
from relspan.engines import CertifiedMaxima
from relspan.engines.certificates import joined
from relspan.engines.simplex.exact_engine import least_norm
from relspan.errors import SolverError
from relspan.family import Family
from relspan.progress import Progress, silent
from relspan.tolerances import CHANCE_CORRELATION

SLOPES_PER_BLOCK = 32


@dataclass(frozen=True, eq=False)
class ScoreSlopes:
    """(d, 2): the least and the largest |s_j|, (0, inf) where it was not needed; and how much can be cancelled."""

    intervals: Floats
    cancelling: float

    def thresholds(self, tau: float, needed: float) -> Floats:
        """tau_j of every feature."""
        moves = (self.intervals[:, 1] > tau) | (self.intervals[:, 0] > needed)
        return np.where(moves, tau, tau + self.cancelling)


def slope_ranges(
    family: Family,
    problem: LearningProblem,
    ranges: WeightRanges,
    tau: float,
    engine: str = "auto",
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
) -> ScoreSlopes:
    """The slopes of those features beyond tau with which the score of no known model moves."""
    intervals = np.tile([0.0, np.inf], (family.n_features, 1))
    beyond = np.flatnonzero(ranges.relevances[:, 1] > tau)
    unmoved = beyond[~_moves_a_known_score(family, problem, ranges, beyond, tau)]
    if not len(unmoved):
        return ScoreSlopes(intervals, 0.0)
    solve = SlopeBlock(family, engine, unmoved, problem)
    blocks = blocks_of(len(unmoved), SLOPES_PER_BLOCK)
    found = joined(run_blocks("slopes", solve, blocks, CertifiedMaxima, n_jobs, progress, checkpoint, solve.meaning))
    if not np.isfinite(found.bounds).all():
        raise SolverError("the solver gave no finite bound for the slope of a score")
    intervals[unmoved] = relevances(-found.bounds[1::2], found.bounds[::2])
    # A budget shared by norm and loss allows a norm that no model with a loss can have, so the largest norm is that of
    # the models at the ends.
    known = ranges.extremes.models_of(np.concatenate([2 * unmoved, 2 * unmoved + 1]))[:, : family.n_features]
    room = max(0.0, float(np.abs(known).sum(axis=1).max()) - least_norm(family))
    return ScoreSlopes(intervals, room / (1 + least_price(problem.X, unmoved, problem.sample_weight)))


def slopes(X: Matrix, features: Ints, sample_weight: Floats | None = None) -> Floats:
    """The coefficients of s_j for these features, one row each: 1 at the feature itself, 0 without correlation."""
    weight = _shares(X, sample_weight)
    columns = dense(X[:, features])
    columns = columns - weight @ columns
    covariance, variance = np.asarray((X.T @ (weight[:, None] * columns)).T), _variances(X, weight)
    variance[features] = weight @ columns**2
    limit = CHANCE_CORRELATION * np.sqrt(np.sum(weight**2)) * np.sqrt(np.outer(variance[features], variance))
    found: Floats = np.where(np.abs(covariance) > limit, covariance, 0.0) / variance[features, None]
    found[np.arange(len(features)), features] = 1.0
    return found


def least_price(X: Matrix, features: Ints, sample_weight: Floats | None = None) -> float:
    """min sd_j / sd_k over these features and the columns that correlate with them: what cancelling a weight takes."""
    deviation = np.sqrt(_variances(X, _shares(X, sample_weight)))
    partners = slopes(X, features, sample_weight) != 0
    return float((deviation[features] / (partners * deviation).max(axis=1)).min())


def _shares(X: Matrix, sample_weight: Floats | None) -> Floats:
    """The share of each sample in means."""
    return np.full(X.shape[0], 1 / X.shape[0]) if sample_weight is None else sample_weight / sample_weight.sum()


def _variances(X: Matrix, weight: Floats) -> Floats:
    squares = X * X if isinstance(X, np.ndarray) else X.multiply(X)
    found: Floats = np.maximum(np.asarray(squares.T @ weight) - np.asarray(X.T @ weight) ** 2, 0.0)
    return found


def _moves_a_known_score(
    family: Family, problem: LearningProblem, ranges: WeightRanges, features: Ints, tau: float
) -> Bools:
    """Whether the score of the first anchor, or of a model at its ends, moves with each of the features."""
    d, moves = family.n_features, np.zeros(len(features), dtype=bool)
    for block in blocks_of(len(features), SLOPES_PER_BLOCK):
        for place, (j, slope) in enumerate(
            zip(features[block], slopes(problem.X, features[block], problem.sample_weight), strict=True), block.start
        ):
            known = np.vstack([family.anchors[:1], ranges.extremes.models_of([2 * j, 2 * j + 1])])
            moves[place] = np.abs(known[:, :d] @ slope).max() > tau
    return moves


@dataclass(frozen=True, eq=False)
class SlopeBlock(FeatureBlock):
    """The extremes of +s_j and -s_j of a block of features."""

    problem: LearningProblem

    def directions(self, block: range) -> Floats:
        """+s_j and -s_j in turn."""
        slope = slopes(self.problem.X, self.order[block], self.problem.sample_weight)
        both = np.stack([slope, -slope], axis=1).reshape(2 * len(block), -1)
        return np.hstack([both, np.zeros((len(both), self.family.n_offsets))])

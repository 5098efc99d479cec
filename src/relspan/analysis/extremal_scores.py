"""How well the models at the ends of the intervals predict: the score over all extremal models, as in the papers.

Every end of an interval is attained by a model that is as good as the best one by loss and norm. How alike these models
predict is a different question, and the answer is a mean and a spread: of all of them, the score on the rows of the
table that the best model was fitted to.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.analysis.intervals import WeightRanges
from relspan.analysis.learning_problem import LearningProblem
from relspan.arrays import Floats

MODELS_AT_ONCE = 64  # models that are sparse are made dense in blocks of this size


@dataclass(frozen=True)
class ExtremalScores:
    """Scores on the rows of the table: mean, standard deviation, least and largest of the extremal models.

    `models` is their number, two for every weight that was solved, and `best_model` the best model's own score on the
    same rows.
    """

    models: int
    mean: float
    sd: float
    least: float
    largest: float
    best_model: float


def extremal_scores(problem: LearningProblem, baseline: Baseline, ranges: WeightRanges) -> ExtremalScores | None:
    """The scores of the models at the ends of all ranges that were solved; None where screening left none."""
    loss = problem.loss
    table = loss.with_covariates(problem.X, problem.y)
    ends = np.flatnonzero(np.repeat(ranges.solved, 2))
    if not len(ends):
        return None
    known: dict[bytes, float] = {}  # many models predict the same, all of them where the table is separable

    def score(predicted: Floats) -> float:
        key = predicted.tobytes()
        if key not in known:
            known[key] = loss.score(problem.y, predicted, problem.sample_weight)
        return known[key]

    def scores_of(models: Floats) -> list[float]:
        return [score(predicted) for predicted in loss.predict_each(table, models)]

    blocks = np.split(ends, range(MODELS_AT_ONCE, len(ends), MODELS_AT_ONCE))
    scores = np.concatenate([scores_of(ranges.extremes.models_of(block)) for block in blocks])
    least, largest = float(scores.min()), float(scores.max())
    (best,) = scores_of(baseline.model[None])
    return ExtremalScores(len(ends), float(scores.mean()), float(scores.std()), least, largest, best)

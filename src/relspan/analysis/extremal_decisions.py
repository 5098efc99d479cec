"""Do the models at the ends of an interval decide alike? The open question of the reject option paper.

Each end point of a feature's interval is attained by a model that is as good as the baseline by the surrogate loss. On
the same samples, compared with the baseline's decisions:

    flips            accepted by both models, with different classes
    newly_rejected   rejected by the extremal model only
    newly_accepted   rejected by the baseline only
    reject_loss      the true 0/1/r loss of the extremal model; change is its difference to the baseline's
"""

from __future__ import annotations

from typing import Any

import numpy as np

from relspan.analysis.baseline import Baseline
from relspan.analysis.intervals import WeightRanges
from relspan.analysis.learning_problem import LearningProblem
from relspan.arrays import Floats


def extremal_decisions(problem: LearningProblem, baseline: Baseline, ranges: WeightRanges) -> list[dict[str, Any]]:
    """One record for each end, "hi" and "lo" in turn, of each column that was solved.

    The loss must predict 0 for "rejected".
    """
    loss, v = problem.loss, problem.sample_weight
    table = loss.with_covariates(problem.X, problem.y)

    def decided(model: Floats) -> tuple[Floats, float]:
        d = problem.rows.n_features
        predicted = loss.predict(table, model[:d], model[d:])
        return predicted, 1.0 - loss.score(problem.y, predicted, v)

    usual, usual_loss = decided(baseline.model)
    records = []
    for row in np.flatnonzero(np.repeat(ranges.solved, 2)).tolist():
        model = ranges.extremes.models_of([row])[0]
        found, found_loss = decided(model)
        both = (usual != 0) & (found != 0)
        records.append(
            {
                "column": row // 2,
                "end": ("hi", "lo")[row % 2],
                "flips": int((both & (usual != found)).sum()),
                "newly_rejected": int(((usual != 0) & (found == 0)).sum()),
                "newly_accepted": int(((usual == 0) & (found != 0)).sum()),
                "coverage": float(np.average(found != 0, weights=v)),
                "reject_loss": found_loss,
                "change": found_loss - usual_loss,
            }
        )
    return records

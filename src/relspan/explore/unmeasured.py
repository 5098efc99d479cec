"""Features that are not measured at all: the same question about the table without them.

A pin "without" asks about models of the analysed family that do not use a feature: fewer models, judged by budgets that
were set with the feature. Whoever stops measuring a feature has another question. The best model of the table without
it is a worse one, its budgets follow from it, and models are equally good if they are as good as *that* model. Labels
that were certain may become uncertain then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from relspan.analysis.baseline import fit_baseline
from relspan.analysis.intervals import feature_ranges
from relspan.analysis.learning_problem import LearningProblem
from relspan.checks import quoted
from relspan.errors import ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.family.budgets import family_of
from relspan.progress import Progress, silent


def problem_without(problem: FittedProblem, features: Sequence[str], progress: Progress = silent) -> FittedProblem:
    """The problem of the table without some features, at the same C: its best model, its budgets, its ranges.

    Nothing is judged anew: verdicts, probes and the result are those of the whole table.
    """
    gone = {column for feature in features for column in problem.members(feature)}
    stays = np.array([name not in gone for name in problem.names])
    kept = stays[problem.varies]
    if not kept.any():
        raise ParameterError(f"without {quoted(sorted(gone))} the table has no feature left")
    settings, found = problem.settings, problem.analysis
    X, y, weights = problem.X[:, np.flatnonzero(kept)], problem.y, problem.sample_weight
    baseline = fit_baseline(
        [problem.loss],
        X,
        y,
        weights,
        found.baseline.C,
        problem.splitter,
        progress,
        settings.penalty,
        groups=problem.groups,
        criterion=settings.criterion,
        units=problem.units,
    )
    learning = LearningProblem(baseline.loss_function, X, y, weights, problem.groups)
    budgets = (settings.delta_norm, settings.loss_share, settings.loss_budget)
    family = family_of(learning.rows, baseline, *budgets, learning.constraints)
    ranges = feature_ranges(family, "auto", None, progress)
    analysis = replace(found, problem=learning, baseline=baseline, family=family, ranges=ranges)
    return replace(
        problem,
        names=tuple(name for name, keep in zip(problem.names, stays, strict=True) if keep),
        varies=problem.varies[stays],
        mean=problem.mean[stays],
        scale=problem.scale[stays],
        X=X,
        analysis=analysis,
    )

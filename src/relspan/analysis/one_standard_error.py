"""A loss budget with a reason: one standard error of the held-out loss.

Every sample i is given the loss l_i that a model pays for it which was fitted without it (at the C in use, in the folds
of the first deal). The sum of n such losses has the standard error

    SE  =  sqrt(n) sd_i(l_i),

so loss budgets below SE separate models that this many rows cannot distinguish. As a share it is SE / (rho_0 - rho) of
the explained loss, or SE / rho of the best model's own. Where rows belong to groups, l_i are the sums over groups. A
loss of pairs, as in survival, gives each of the two samples the whole loss of their pair (Hoeffding's projection).
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from relspan.analysis.baseline import Baseline, one_deal
from relspan.analysis.folds import Folds
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.settings import ONE_SE, Settings
from relspan.arrays import Floats, Ints
from relspan.errors import DataError
from relspan.losses import Adjusted, Loss, PairHinge
from relspan.tolerances import NO_LOSS


def with_reason(
    settings: Settings, baseline: Baseline, problem: LearningProblem, splitter: Folds
) -> tuple[Settings, Baseline]:
    """The settings with a number as loss budget, and the baseline with the standard error it follows from."""
    if settings.delta_loss != ONE_SE:
        return settings, baseline
    baseline = replace(baseline, standard_error=standard_error(baseline, problem, splitter, settings.penalty))
    return resolved(settings, baseline), baseline


def resolved(settings: Settings, baseline: Baseline) -> Settings:
    """The settings with the number that "one_se" stands for at this baseline."""
    if settings.delta_loss != ONE_SE or baseline.standard_error is None:
        return settings
    whole = baseline.loss if settings.loss_budget == "relative" else baseline.null_loss - baseline.loss
    if not whole > NO_LOSS * baseline.null_loss:
        raise DataError(
            "delta_loss='one_se' cannot be a share of the best model's loss, which is 0; loss_budget='explained' takes "
            "it as a share of the loss that features explain"
        )
    return replace(settings, delta_loss=float(baseline.standard_error / whole))


def standard_error(baseline: Baseline, problem: LearningProblem, splitter: Folds, penalty: str = "l1") -> float:
    """sqrt(n) sd of the losses on rows left out, in the unit of the loss."""
    X, y, weights, loss = problem.X, problem.y, problem.sample_weight, baseline.loss_function
    deal = splitter.once if isinstance(splitter, Folds) else splitter
    folds = list(deal.split(X, y, problem.groups))
    C = float(baseline.C)
    found = one_deal(loss, (X, y, weights), np.array([C]), folds, penalty, [baseline.model])
    each = np.zeros(len(y))
    for (_, test), model in zip(folds, found.models[C], strict=True):
        of_test = None if weights is None else weights[test]
        rows = loss.rows(X[test], y[test], of_test)
        lost = rows.costs * np.maximum(0.0, rows.slack(model[: rows.n_features], model[rows.n_features :]))
        for owner in row_owners(loss, X[test], y[test], of_test):
            each[test] += np.bincount(owner, lost, len(test))
    if problem.groups is not None:
        each = np.asarray(np.bincount(np.unique(problem.groups, return_inverse=True)[1], each), dtype=np.float64)
    return float(each.std(ddof=1) * np.sqrt(len(each)))


def row_owners(loss: Loss, X: Floats, y: Floats, weights: Floats | None) -> list[Ints]:
    """The sample of every hinge row; a row of a pair has two."""
    inner, target = (loss.inner, y[:, 0]) if isinstance(loss, Adjusted) else (loss, y)
    if isinstance(inner, PairHinge):
        first, second, _ = inner.pairs(target, weights)
        return [first, second]
    # a sample's weight multiplies the costs of its rows, so weights that count the samples name their owners
    n = len(y)
    counted, plain = (loss.rows(X, y, v).costs for v in (np.arange(1.0, n + 1), np.ones(n)))
    return [np.rint(np.divide(counted, plain, where=plain > 0, out=np.ones_like(plain))).astype(np.intp) - 1]

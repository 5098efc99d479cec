"""Members of the family: one concrete model, the budget that pins use up, and the score of some features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from relspan.analysis.baseline import cross_validate
from relspan.arrays import Floats
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.losses import Loss
from relspan.result.answer_table import AnswerTable, counted
from relspan.tolerances import UNUSED_WEIGHT


@dataclass(frozen=True, repr=False)
class Model(AnswerTable):
    """One equally good model, in the units of the reader.

    Parameters
    ----------
    weights : mapping of str to float
        The weight of each feature, for the table as it was given.
    offsets : tuple of float
        The intercept, or the thresholds between ordered classes, for the table as it was given.
    relevances : mapping of str to float
        The relevance of each feature: the size of its weight for the scaled table, as a share of the baseline's norm.
    norm, loss : float
        The L1 norm of the weights for the scaled table, and the loss on the training samples.
    share_of_norm_budget, share_of_loss_budget : float
        How much of what the family allows beyond the baseline this model uses: 0 means as good as the baseline, 1 at
        the limit. Negative where the model has less of it than the baseline.

    See Also
    --------
    Explorer.model : The best model under the current pins.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=1, random_state=0)
    >>> ex = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore()
    >>> ex.without("x2").model().features
    ('x0', 'x1')
    """

    weights: Mapping[str, float]
    offsets: tuple[float, ...]
    relevances: Mapping[str, float]
    norm: float
    loss: float
    share_of_norm_budget: float
    share_of_loss_budget: float

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature, by column.

        Returns
        -------
        dict of str to list
            The name, the weight and the relevance.
        """
        names = list(self.weights)
        return {
            "name": names,
            "weight": [self.weights[name] for name in names],
            "relevance": [self.relevances[name] for name in names],
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        return f"{counted(len(self.features), 'feature')} in use, norm {self.norm:.4g}, loss {self.loss:.4g}"

    @property
    def features(self) -> tuple[str, ...]:
        """The features that the model uses.

        Returns
        -------
        tuple of str
            Names in the order of the table.
        """
        return tuple(name for name, value in self.relevances.items() if value > UNUSED_WEIGHT)


@dataclass(frozen=True, repr=False)
class BudgetUse(AnswerTable):
    """How much of the budgets the pins use up at least; each budget is looked at alone.

    Parameters
    ----------
    least_norm, least_loss : float
        The smallest norm and the smallest loss of any model that satisfies the pins.
    share_of_norm_budget, share_of_loss_budget : float
        The same as a share of what the family allows beyond the baseline: at 1 nothing is left.

    See Also
    --------
    Explorer.budget_use : The budgets under the current pins.

    Examples
    --------
    >>> from relspan.explore import BudgetUse
    >>> BudgetUse(1.1, 20.0, 1.0, 0.3).share_of_norm_budget
    1.0
    """

    least_norm: float
    least_loss: float
    share_of_norm_budget: float
    share_of_loss_budget: float

    def columns(self) -> dict[str, list[Any]]:
        """One row per budget, by column.

        Returns
        -------
        dict of str to list
            The name of the budget, the least of it that the pins use, and the same as a share of the budget.
        """
        return {
            "budget": ["norm", "loss"],
            "least": [self.least_norm, self.least_loss],
            "share": [self.share_of_norm_budget, self.share_of_loss_budget],
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        norm, loss = max(0.0, self.share_of_norm_budget), max(0.0, self.share_of_loss_budget)
        return f"the pins use at least {norm:.0%} of the norm budget and {loss:.0%} of the loss budget"


@dataclass(frozen=True, repr=False)
class HeldOutScore(AnswerTable):
    """Cross-validated score of the L1 model fitted on some features only, at the baseline's C.

    The folds are fresh to the weights but not to the choice of features, which was made on all samples: read it as a
    comparison of subsets, not as an estimate for new data.

    Parameters
    ----------
    features : tuple of str
        The features of the model.
    folds : tuple of float
        The score on each held-out fold.
    all_features : tuple of float
        The score of the model with all features on the same folds.
    note : str, optional
        The caveat above in one sentence.

    See Also
    --------
    Explorer.score : The score of the features of the current model.

    Examples
    --------
    >>> from relspan.explore import HeldOutScore
    >>> HeldOutScore(("age",), (0.5, 1.0), (1.0, 1.0)).mean
    0.75
    """

    features: tuple[str, ...]
    folds: tuple[float, ...]
    all_features: tuple[float, ...]
    note: str = "The features were chosen on all samples, so this score is optimistic for new samples."

    def columns(self) -> dict[str, list[Any]]:
        """One row per fold, by column.

        Returns
        -------
        dict of str to list
            The number of the fold, the score of these features, and the score of all features.
        """
        return {
            "fold": list(range(1, len(self.folds) + 1)),
            "score": list(self.folds),
            "all_features": list(self.all_features),
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        mean = float(np.mean(self.all_features))
        return f"{counted(len(self.features), 'feature')} score {self.mean:.4g}, all features {mean:.4g}"

    @property
    def mean(self) -> float:
        """The mean score over the folds.

        Returns
        -------
        float
            The mean of `folds`.
        """
        return float(np.mean(self.folds))


def model_of(problem: FittedProblem, solution: Floats) -> Model:
    """A solution (w, b) of the solver in the units of the reader."""
    family, baseline, d = problem.analysis.family, problem.analysis.baseline, len(problem.columns)
    weights, offsets = problem.in_table_units(solution)
    relevances = problem.for_all_features(np.abs(solution[:d])) / problem.mu
    norm, loss = float(np.abs(solution[:d]).sum()), family.rows.loss(solution[:d], solution[d:])
    return Model(
        dict(zip(problem.table_names, weights.tolist(), strict=True)),
        tuple(offsets.tolist()),
        dict(zip(problem.names, relevances.tolist(), strict=True)),
        problem.units.norm(norm),
        problem.units.loss(loss),
        _share(norm - baseline.norm, family.largest_norm - baseline.norm),
        _share(loss - baseline.loss, family.largest_loss - baseline.loss),
    )


def budget_use(solver: PinSolver, pinned: PinnedFamily) -> BudgetUse:
    """The smallest norm and the smallest loss under the pins: two programs per sign branch."""
    family, baseline, d = solver.family, solver.problem.analysis.baseline, solver.family.n_features
    norms, losses = [], []
    for branch in pinned.branches:
        with solver.engine.bounded(branch.bounds) as program:
            norms.append(float(np.abs(program.solve(None, norm_price=1.0).model[:d]).sum()))
            model = program.solve(None, loss_price=1.0).model
            losses.append(family.rows.loss(model[:d], model[d:]))
    norm, loss, units = min(norms), min(losses), solver.problem.units
    return BudgetUse(
        units.norm(norm),
        units.loss(loss),
        _share(norm - baseline.norm, family.largest_norm - baseline.norm),
        _share(loss - baseline.loss, family.largest_loss - baseline.loss),
    )


def held_out_score(problem: FittedProblem, features: tuple[str, ...]) -> HeldOutScore:
    """Fit on each training fold with these features only and score on the held-out fold."""
    costs = np.array([problem.analysis.baseline.C])
    chosen = sorted(problem.columns_of(features))

    def folds(X: Floats, loss: Loss) -> tuple[float, ...]:
        samples = (X, problem.y, problem.sample_weight)
        found = cross_validate(loss, *samples, costs, problem.splitter.once, groups=problem.groups)
        return tuple(found.scores(float(costs[0])).tolist())

    of_chosen = cast(Loss, problem.scores.of_columns(chosen))
    return HeldOutScore(features, folds(problem.X[:, chosen], of_chosen), folds(problem.X, problem.loss))


def _share(used: float, allowed: float) -> float:
    """used / allowed; where nothing is allowed, 0 if nothing but rounding is used, else infinite."""
    if allowed > 0:
        return used / allowed
    return 0.0 if used <= UNUSED_WEIGHT else float("inf")

"""One concrete model at the current pins, what it uses up, and how well its features do on held-out data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from relspan.analysis.baseline import cross_validate
from relspan.arrays import Floats
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pinned_family import Pinned, PinSolver
from relspan.progress import silent

NOT_ZERO = 1e-9  # of the norm: weights below are rounding


@dataclass(frozen=True)
class Model:
    """One equally good model. `weights` and `offsets` are in the units of the table, relevances in shares of the norm.

    `norm_room` and `loss_room` say how much of what the family allows beyond the baseline this model takes: 0 as good
    as the baseline, 1 at the budget. They may be negative where the model has less of it than the baseline.
    """

    weights: Mapping[str, float]
    offsets: tuple[float, ...]
    relevances: Mapping[str, float]
    norm: float
    loss: float
    norm_room: float
    loss_room: float

    @property
    def features(self) -> tuple[str, ...]:
        """The features it uses."""
        return tuple(name for name, value in self.relevances.items() if value > NOT_ZERO)


@dataclass(frozen=True)
class BudgetUse:
    """What the pins take of the budgets at least, each taken alone: shares of the room beyond the baseline.

    `least_norm` and `least_loss` are the smallest norm and loss of any model at the pins. A share of 1 leaves nothing.
    """

    least_norm: float
    least_loss: float
    norm_room: float
    loss_room: float


@dataclass(frozen=True)
class HeldOutScore:
    """Cross-validated score of the L1 model fitted on some features only, at the baseline's C.

    The folds are fresh to the weights but not to the choice of features, which was made on all samples: read it as a
    comparison of subsets, not as an estimate for new data.
    """

    features: tuple[str, ...]
    folds: tuple[float, ...]
    all_features: tuple[float, ...]
    note: str = "features were chosen on all samples, so this is optimistic for new ones"

    @property
    def mean(self) -> float:
        return float(np.mean(self.folds))


def describe(problem: FittedProblem, solution: Floats) -> Model:
    """A model (w, b) of the solver in the reader's units."""
    family, baseline, d = problem.analysis.family, problem.analysis.baseline, len(problem.columns)
    weights, offsets = problem.in_table_units(solution)
    relevances = problem.everywhere(np.abs(solution[:d])) / problem.mu
    norm, loss = float(np.abs(solution[:d]).sum()), family.rows.loss(solution[:d], solution[d:])
    return Model(
        dict(zip(problem.names, weights.tolist(), strict=True)),
        tuple(offsets.tolist()),
        dict(zip(problem.names, relevances.tolist(), strict=True)),
        norm,
        loss,
        _share(norm - baseline.norm, family.largest_norm - baseline.norm),
        _share(loss - baseline.loss, family.largest_loss - baseline.loss),
    )


def usage(board: PinSolver, pinned: Pinned) -> BudgetUse:
    """The smallest norm and the smallest loss at the pins: two programs a branch."""
    family, baseline, d = board.family, board.problem.analysis.baseline, board.family.n_features
    norms, losses = [], []
    for branch in pinned.branches:
        with board.engine.held(branch.bounds) as program:
            norms.append(float(np.abs(program.solve(None, norm_price=1.0).model[:d]).sum()))
            model = program.solve(None, loss_price=1.0).model
            losses.append(family.rows.loss(model[:d], model[d:]))
    norm, loss = min(norms), min(losses)
    return BudgetUse(
        norm,
        loss,
        _share(norm - baseline.norm, family.largest_norm - baseline.norm),
        _share(loss - baseline.loss, family.largest_loss - baseline.loss),
    )


def subset_score(problem: FittedProblem, features: tuple[str, ...]) -> HeldOutScore:
    """Fit on each training fold with these features only and score on the held-out fold."""
    costs = np.array([problem.analysis.baseline.C])
    chosen = sorted(problem.columns_of(features))

    def folds(X: Floats) -> tuple[float, ...]:
        found = cross_validate(problem.loss, X, problem.y, problem.sample_weight, costs, problem.splitter, silent)
        return tuple(found.scores[float(costs[0])].tolist())

    return HeldOutScore(features, folds(problem.X[:, chosen]), folds(problem.X))


def _share(used: float, room: float) -> float:
    """used / room; without room 0 where nothing but rounding is used, else infinite."""
    if room > 0:
        return used / room
    return 0.0 if used <= 1e-9 else float("inf")

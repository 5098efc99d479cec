"""The baseline: the best model, from which "as good" is measured.

    min  ||w||_1 + C loss(w, b)

gives mu = ||w||_1 and rho = loss. C is chosen by cross-validation on a logarithmic grid, along a warm path: from one C
to the next only the costs of the program change. Of several C with the same score the smallest is taken, which has the
smallest norm, and of several best models at one C the one of smallest norm (C is taken a hair below its value), so
that mu and rho do not depend on the order of rows or columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np
from sklearn.model_selection import BaseCrossValidator

from relspan.engines.exact import Program
from relspan.errors import DegenerateBaseline
from relspan.family import Budget, Constraints, family
from relspan.losses import Floats, HingeRows, Loss, Matrix

HAIR = 1e-7
ROUNDING = 1e-9  # of the solver, in units of a margin
GRID = (1.5, 1000.0, 10)  # from just above the first feature's entry, ten steps up


@dataclass(frozen=True, eq=False)
class Baseline:
    """The best model at one C."""

    C: float
    weights: Floats
    offsets: Floats
    norm: float
    loss: float
    null_loss: float
    multipliers: Floats
    scores: dict[float, Floats] = field(default_factory=dict)

    @property
    def model(self) -> Floats:
        return np.concatenate([self.weights, self.offsets])

    @property
    def score(self) -> float | None:
        """Mean cross-validated score at C; None where C was given."""
        return float(np.mean(self.scores[self.C])) if self.C in self.scores else None


def best_models(
    rows: HingeRows, costs: Floats, constraints: Constraints | None = None
) -> Iterator[tuple[Floats, Floats]]:
    """Model and multipliers of  min ||w||_1 + C loss  for each C in turn, every solution the start of the next."""
    # The zero model needs no more than this loss, so no best model needs more norm than C times it.
    at_zero = rows.loss(np.zeros(rows.n_features), np.zeros(rows.n_offsets))
    roomy = Budget(1.0, 1e-9 + float(np.max(costs)), 2.0 * (1.0 + float(np.max(costs)) * at_zero))
    program = Program(family(rows, (roomy,), constraints))
    for C in costs:
        found = program.solve(None, norm_price=1.0, loss_price=float(C) * (1.0 - HAIR))
        yield found.model, found.hinge_multipliers


def fit_baseline(
    loss: Loss,
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    C: float | None,
    splitter: BaseCrossValidator,
    progress: Callable[[str, float], None] = lambda stage, share: None,
) -> Baseline:
    """The baseline at the given C, or at the best of the grid."""
    rows = loss.rows(X, y, sample_weight)
    scores: dict[float, Floats] = {}
    if C is None:
        costs = loss.smallest_cost(X, y, sample_weight) * np.geomspace(*GRID)
        if not np.isfinite(costs).all():
            raise DegenerateBaseline(
                "no feature is correlated with the target, so no linear model beats the null model"
            )
        scores = cross_validate(loss, X, y, sample_weight, costs, splitter, progress)
        # exact ties only: the smallest C, that is the sparsest model, of the best mean score
        C = max(sorted(scores), key=lambda cost: float(np.mean(scores[cost])))
    ((model, multipliers),) = best_models(rows, np.array([C]))
    weights, offsets = model[: rows.n_features], model[rows.n_features :]
    norm = float(np.abs(weights).sum())
    if uses_no_feature(rows, weights):
        raise DegenerateBaseline(
            f"at C = {C:.6g} the best model uses no feature (mu = 0), so there is nothing to share out; "
            + _way_out(rows, loss.smallest_cost(X, y, sample_weight) * np.geomspace(*GRID))
        )
    return Baseline(C, weights, offsets, norm, rows.loss(weights, offsets), loss.null_loss(rows), multipliers, scores)


def uses_no_feature(rows: HingeRows, weights: Floats) -> bool:
    """Whether the weights move no score by more than the solver's rounding, whatever the columns' units."""
    moved = float(np.abs(rows.features @ weights).max(initial=0.0))
    return moved <= ROUNDING * float(np.abs(rows.heights).max(initial=1.0))


def _way_out(rows: HingeRows, costs: Floats) -> str:
    """The first C of the grid whose best model uses a feature; or that there is none."""
    if np.isfinite(costs).all():
        for C, (model, _) in zip(costs, best_models(rows, costs), strict=True):
            if not uses_no_feature(rows, model[: rows.n_features]):
                return f"raise C, to {C:.3g} for instance"
    return "and a larger C does not help: no linear model beats the null model here"


def cross_validate(
    loss: Loss,
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    costs: Floats,
    splitter: BaseCrossValidator,
    progress: Callable[[str, float], None],
) -> dict[float, Floats]:
    """The score of every C on every fold's held-out part."""
    folds = list(splitter.split(X, y))
    table = np.empty((len(costs), len(folds)))

    def part(index: np.ndarray) -> tuple[Matrix, Floats, Floats | None]:
        return X[index], y[index], None if sample_weight is None else sample_weight[index]

    for f, (train, test) in enumerate(folds):
        X_test, y_test, v_test = part(test)
        for i, (model, _) in enumerate(best_models(loss.rows(*part(train)), costs)):
            d = model[: X.shape[1]], model[X.shape[1] :]
            table[i, f] = loss.score(y_test, loss.predict(X_test, *d), v_test)
            progress("baseline", (f * len(costs) + i + 1) / table.size)
    return {float(C): table[i] for i, C in enumerate(costs)}

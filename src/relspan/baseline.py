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

from relspan.engines.program import Program, signed
from relspan.errors import DegenerateBaseline
from relspan.family import Budget, Constraints, family
from relspan.losses import Floats, HingeRows, Loss, Matrix

HAIR = 1e-7
NOTHING = 1e-10  # share of the zero model's loss that is no loss
TALL = 2000  # rows from which the path is first walked with fewer of them
FEWER = 8  # times fewer
NEAR = 0.1  # share of the rows that may well cross their kink between a guide and the best model
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
    """Model and multipliers of  min ||w||_1 + C loss  for each C, costs rising, every solution the start of the next.

    Features come into the program when they pay. Once nothing is lost any more, a larger C changes nothing.
    """
    tall = rows.n_rows > TALL
    guides = _guides(rows, costs, constraints) if tall else iter(())
    program = None if tall else _program(rows, costs, constraints)
    at_zero = rows.loss(np.zeros(rows.n_features), np.zeros(rows.n_offsets))
    done: tuple[Floats, Floats] | None = None
    for C in costs:
        if done is None:
            at_C = program or _program(rows, costs, constraints, guide=next(guides))
            found = at_C.solve(None, norm_price=1.0, loss_price=float(C) * (1.0 - HAIR))
            answer = found.model, found.hinge_multipliers
            lost = rows.loss(answer[0][: rows.n_features], answer[0][rows.n_features :])
            done = answer if lost <= NOTHING * at_zero else None
        yield answer if done is None else done


def _guides(rows: HingeRows, costs: Floats, constraints: Constraints | None) -> Iterator[Floats]:
    """The best models of a part of the rows: near them almost every row of a tall table stays on its side."""
    part = np.sort(np.random.default_rng(0).permutation(rows.n_rows)[: max(TALL, rows.n_rows // FEWER)])
    share = rows.costs.sum() / max(float(rows.costs[part].sum()), 1e-300)
    fewer = HingeRows(rows.features[part], rows.offsets[part], rows.heights[part], share * rows.costs[part])
    return (model for model, _ in best_models(fewer, costs, constraints))


def _program(rows: HingeRows, costs: Floats, constraints: Constraints | None, guide: Floats | None = None) -> Program:
    """The program of a path: all rows and no feature yet, or the rows and features that matter near a guide."""
    # The zero model needs no more than this loss, so no best model needs more norm than C times it.
    at_zero = rows.loss(np.zeros(rows.n_features), np.zeros(rows.n_offsets))
    roomy = Budget(1.0, 1e-9 + float(np.max(costs)), 2.0 * (1.0 + float(np.max(costs)) * at_zero))
    members = family(rows, (roomy,), constraints)
    if guide is None:
        return Program(members, weights=np.zeros(0, dtype=np.intp))
    weights, offsets = guide[: rows.n_features], guide[rows.n_features :]
    near = int(NEAR * rows.n_rows)
    kinks = np.argpartition(np.abs(rows.slack(weights, offsets)), near)[:near]
    return Program(members, guide, kinks, weights=signed(weights))


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

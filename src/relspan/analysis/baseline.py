"""The baseline: the best model, from which "as good" is measured.

    min  ||w||_1 + C loss(w, b)

gives mu = ||w||_1 and rho = loss. (The first paper and the reject option paper take them from the L2-regularised
model, min 1/2 ||w||_2^2 + C loss.) C is chosen by cross-validation on a logarithmic grid, along a path: from one C to
the next only bounds of the program change (see `engines.simplex.baseline_program`). By default the loss on rows left
out decides (`held_out`), and larger C are no longer tried once it clearly rises; with criterion "score" it is the best
score of the predictions, as in the papers. Of several C with the same loss or score the smallest is taken, which has
the smallest norm, and of several best models at one C the one of smallest norm (`BELOW_C`), so that mu and rho do not
depend on the order of rows or columns. Where a loss has a parameter to choose (the epsilon of regression), all
candidates are tried on the same folds, and the score decides between them, because their losses cannot be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from joblib import effective_n_jobs
from sklearn.model_selection import BaseCrossValidator

from relspan.analysis.held_out import FEWEST_COSTS, HeldOutLosses
from relspan.analysis.threads import rounds_side_by_side
from relspan.analysis.units import SOLVER_UNITS, Units
from relspan.arrays import Floats, Ints, Matrix
from relspan.engines.interior.best_models import central_models
from relspan.engines.quadratic import ridge_models
from relspan.engines.simplex.baseline_program import ALL_FEATURES_UP_TO, BaselineProgram
from relspan.errors import DegenerateBaseline
from relspan.family import Constraints, HingeRows, no_constraints
from relspan.losses import Loss
from relspan.progress import Progress, silent
from relspan.tolerances import BELOW_C, EQUAL_SHARES, NO_GAIN, NO_LOSS, PATH_GAP, SCORE_ROUNDING

TALL_TABLE = (3000, 30)  # rows, and rows per feature, beyond which the path is first followed with a part of the rows
PART_OF_ROWS = (8, 10)  # one row in 8, but at least 10 per feature; both far below what makes a table tall
ROWS_NEAR_KINKS = (1, 2)  # times sqrt(rows * features): rows to start with at a given guide, and at a part's model
CS_AT_ONCE = 6  # of a path that the interior point method follows: C beyond the best one may never be asked for
C_GRID = (1.5, 1000.0, 10)  # multiples of the smallest C: from just above the first feature's entry, ten steps


@dataclass(frozen=True, eq=False)
class Baseline:
    """The best model at one C, and the loss it is best for.

    `scores` has the score of each fold for every C that was scored, and `held_out` the losses on rows left out; both
    are empty where C was given. `null_preferred`: a model without features did no worse on rows left out, or was the
    best one and was passed over. `standard_error` is that of the held-out loss, where the loss budget follows from it.
    All numbers are in the solver's units; `units` are the reader's.
    """

    loss_function: Loss
    C: float
    weights: Floats
    offsets: Floats
    norm: float
    loss: float
    null_loss: float
    multipliers: Floats
    scores: dict[float, Floats] = field(default_factory=dict)
    null_preferred: bool = False
    held_out: HeldOutLosses | None = None
    units: Units = SOLVER_UNITS
    standard_error: float | None = None

    @property
    def model(self) -> Floats:
        return np.concatenate([self.weights, self.offsets])

    @property
    def score(self) -> float | None:
        """Mean cross-validated score at C; None where C was given."""
        return float(np.mean(self.scores[self.C])) if self.C in self.scores else None


def best_models(
    rows: HingeRows,
    costs: Floats,
    constraints: Constraints | None = None,
    penalty: str = "l1",
    guides: Iterable[Floats] | None = None,
) -> Iterator[tuple[Floats, Floats]]:
    """Model and multipliers of  min ||w||_1 + C loss  for each C in turn, preferably in rising order.

    Once a model loses nothing, a larger C changes nothing. With penalty "l2" it is  min 1/2 ||w||_2^2 + C loss,  one
    quadratic program per C. `guides` are models that may be near the best ones, one for each C: a single program, and
    those of a tall table, start with the rows near their kink there.
    """
    if penalty == "l2":
        yield from ridge_models(rows, costs, constraints)
        return
    constraints = no_constraints(rows.n_features, rows.n_offsets) if constraints is None else constraints
    guided = _is_tall(rows) or (guides is not None and len(costs) == 1)
    near = iter(_guides(rows, costs, constraints) if guides is None else guides) if guided else iter(())
    close = int(ROWS_NEAR_KINKS[guides is None] * np.sqrt(rows.n_rows * rows.n_features))
    program = None if guided else BaselineProgram(rows, constraints)
    at_zero = rows.loss(np.zeros(rows.n_features), np.zeros(rows.n_offsets))
    lossless_from = np.inf
    for C in costs:
        guide = next(near) if guided else None
        if lossless_from > C:
            at_C = program or BaselineProgram(rows, constraints, guide, close)
            answer = at_C.solve(float(C) * (1.0 - BELOW_C))
            if rows.loss(answer[0][: rows.n_features], answer[0][rows.n_features :]) <= NO_LOSS * at_zero:
                lossless_from, done = C, answer
        yield answer if lossless_from > C else done


def path_models(
    rows: HingeRows,
    costs: Floats,
    constraints: Constraints | None = None,
    penalty: str = "l1",
    guides: Iterable[Floats] | None = None,
) -> Iterator[Floats]:
    """The models of `best_models`, near enough to compare C by what they predict.

    A loss with several kinks per score is followed by the interior point method, some C at once, unless the table is so
    tall or wide that the simplex method leaves most of it aside. Once a model loses next to nothing, a larger C changes
    nothing.
    """
    free = constraints is None or not constraints.n_rows
    small = rows.n_features <= ALL_FEATURES_UP_TO and not _is_tall(rows)
    if rows.score_of is None or penalty != "l1" or not (free and small):
        yield from (model for model, _ in best_models(rows, costs, constraints, penalty, guides))
        return
    at_zero, lossless = rows.loss(np.zeros(rows.n_features), np.zeros(rows.n_offsets)), None
    for first in range(0, len(costs), CS_AT_ONCE):
        part = costs[first : first + CS_AT_ONCE]
        models: Iterable[Floats] | None = [lossless] * len(part) if lossless is not None else None
        if models is None:
            models = central_models(rows, part * (1.0 - BELOW_C))
        if models is None:
            models = (found for found, _ in best_models(rows, part, constraints))
        for found in models:
            model = found if lossless is None else lossless
            if rows.loss(model[: rows.n_features], model[rows.n_features :]) <= PATH_GAP * at_zero:
                lossless = model
            yield model


def _is_tall(rows: HingeRows) -> bool:
    return rows.n_scores > max(TALL_TABLE[0], TALL_TABLE[1] * rows.n_features)


def _guides(rows: HingeRows, costs: Floats, constraints: Constraints) -> Iterator[Floats]:
    """The best models of a part of the rows: almost every row is on the same side of its kink as at the best model."""
    count = max(rows.n_scores // PART_OF_ROWS[0], PART_OF_ROWS[1] * rows.n_features)
    part = rows.of_scores(np.sort(np.random.default_rng(0).permutation(rows.n_scores)[:count]))
    drawn = float(part.costs.sum())
    share = rows.costs.sum() / drawn if drawn > 0 else 1.0
    return (model for model, _ in best_models(replace(part, costs=share * part.costs), costs, constraints))


def null_loss(rows: HingeRows, constraints: Constraints | None = None) -> float:
    """rho_0 = min_b loss(0, b): the loss of the best model without features."""
    return rows.loss(np.zeros(rows.n_features), null_offsets(rows, constraints))


def null_offsets(rows: HingeRows, constraints: Constraints | None = None) -> Floats:
    """The offsets of the null model, which uses no feature.

    Equal rows are merged first. With one offset the loss is a convex broken line, least at one of its kinks b = h / o;
    with several it is a small linear program.
    """
    if not rows.n_offsets:
        return np.zeros(0)
    terms, which = np.unique(
        np.column_stack([rows.offsets[rows.scores_by_row], rows.heights]), axis=0, return_inverse=True
    )
    costs = np.zeros(len(terms))
    np.add.at(costs, which.ravel(), rows.costs)
    k = rows.n_offsets
    merged = HingeRows(np.zeros((len(terms), 0)), terms[:, :k], terms[:, k], costs)
    if k == 1 and (constraints is None or constraints.n_rows == 0):
        return _least_of_broken_line(merged)
    limits = None
    if constraints is not None and constraints.n_rows:
        sides = np.unique(np.column_stack([constraints.offsets, constraints.lower, constraints.upper]), axis=0)
        limits = replace(no_constraints(0, k), offsets=sides[:, :k], lower=sides[:, k], upper=sides[:, k + 1])
        limits = replace(limits, features=np.zeros((len(sides), 0)))
    ((model, _),) = best_models(merged, np.array([1.0]), limits)
    return model


def _least_of_broken_line(rows: HingeRows) -> Floats:
    """Where  sum_i c_i max(0, h_i - o_i b)  is least: where its slope changes sign."""
    o, paid = rows.offsets[:, 0], (rows.costs > 0) & (rows.offsets[:, 0] != 0)
    if not paid.any():
        return np.zeros(1)
    kinks, change = rows.heights[paid] / o[paid], rows.costs[paid] * np.abs(o[paid])
    order = np.argsort(kinks, kind="stable")
    slope = -(rows.costs * np.maximum(o, 0.0)).sum() + np.cumsum(change[order])
    turning = min(int(np.searchsorted(slope, -EQUAL_SHARES * change.sum())), len(slope) - 1)
    return np.asarray(kinks[order][[turning]])


def fit_baseline(
    losses: Loss | Sequence[Loss],
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    C: float | None,
    splitter: BaseCrossValidator,
    progress: Progress = silent,
    penalty: str = "l1",
    null_allowed: bool = False,
    groups: Ints | None = None,
    criterion: str = "loss",
    units: Units = SOLVER_UNITS,
    n_jobs: int | None = None,
) -> Baseline:
    """The baseline at the given C and loss, or at the best of the grid and of several losses.

    Samples of one group stay in one fold. A model that uses no feature is passed over, because it has no norm to share
    out, unless `null_allowed`.
    """
    losses = losses if isinstance(losses, Sequence) else [losses]
    null_preferred = False
    candidates = ranked_candidates(
        losses, X, y, sample_weight, C, splitter, progress, penalty, groups, criterion, n_jobs
    )
    for loss, cost, found in candidates:
        rows, constraints = loss.rows(X, y, sample_weight), loss.constraints(X, y)
        guides = None if found is None else [found.models[cost][-1]]
        ((model, multipliers),) = best_models(rows, np.array([cost]), constraints, penalty, guides)
        weights, offsets = model[: rows.n_features], model[rows.n_features :]
        norm = float(np.abs(weights).sum())
        null_preferred |= found is not None and found.null_preferred(criterion)
        rho, rho_0 = rows.loss(weights, offsets), null_loss(rows, constraints)
        if null_allowed or not (uses_no_feature(rows, weights) or rho >= (1.0 - NO_GAIN) * rho_0):
            best = Baseline(
                *(loss, cost, weights, offsets, norm, rho, rho_0, multipliers),
                null_preferred=null_preferred,
                units=units,
            )
            if found is None:
                return best
            scored = found.losses.costs.tolist() if criterion == "score" else [cost]
            return replace(best, scores={one: found.scores(one) for one in scored}, held_out=found.losses)
        null_preferred = True
    larger = _first_C_that_uses_a_feature(rows, constraints, C_grid(loss, X, y, sample_weight), units)
    way_out = (
        f"a larger C does not help: no linear model has a lower {loss.name} loss than the null model"
        if larger is None
        else f"raise C, to {larger:.3g} for instance"
    )
    at_C = f"at C = {units.price(cost):.6g} the best model uses no feature, so there are no weights to compare"
    raise DegenerateBaseline(f"{at_C}; {way_out}", larger)


def C_grid(loss: Loss, X: Matrix, y: Floats, sample_weight: Floats | None) -> Floats:
    """The values of C among which cross-validation chooses."""
    return np.asarray(loss.smallest_C(X, y, sample_weight) * np.geomspace(*C_GRID))


class Candidate(NamedTuple):
    """A loss and a C, and what rows left out say about that loss, if they were asked."""

    loss: Loss
    C: float
    found: Validated | None


def ranked_candidates(
    losses: Sequence[Loss],
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    C: float | None,
    splitter: BaseCrossValidator,
    progress: Progress,
    penalty: str = "l1",
    groups: Ints | None = None,
    criterion: str = "loss",
    n_jobs: int | None = None,
) -> list[Candidate]:
    """Losses and C, the best first. Where only one is given, it is not tried.

    Exact ties go to the earlier loss and the smallest C, that is the sparsest model.
    """
    if C is not None and len(losses) == 1:
        return [Candidate(losses[0], C, None)]
    ranked: list[tuple[float, list[Candidate]]] = []
    for number, loss in enumerate(losses):
        costs = C_grid(loss, X, y, sample_weight) if C is None else np.array([C])
        if not np.isfinite(costs).all():
            raise DegenerateBaseline(
                "no feature is correlated with the target, so no linear model has a lower "
                f"{loss.name} loss than the null model"
            )

        def one_of_all(stage: str, share: float | None, note: str = "", done: int = number) -> None:
            progress(stage, (done + (share or 0.0)) / len(losses), note)

        whole_grid = criterion == "score"
        found = cross_validate(
            loss, X, y, sample_weight, costs, splitter, one_of_all, penalty, groups, whole_grid, n_jobs
        )
        order = found.losses.ranking
        if criterion == "score":
            order = sorted(sorted(order), key=lambda cost: -float(np.mean(found.scores(cost))))
        score = float(np.mean(found.scores(order[0]))) if len(losses) > 1 else 0.0
        ranked.append((score, [Candidate(loss, cost, found) for cost in order]))
    return [one for _, candidates in sorted(ranked, key=lambda item: -item[0]) for one in candidates]


def uses_no_feature(rows: HingeRows, weights: Floats) -> bool:
    """Whether the weights move no score by more than the solver's rounding, in whatever units the columns are."""
    moved = float(np.abs(rows.features @ weights).max(initial=0.0))
    return moved <= SCORE_ROUNDING * float(np.abs(rows.heights).max(initial=1.0))


def _first_C_that_uses_a_feature(
    rows: HingeRows, constraints: Constraints | None, costs: Floats, units: Units
) -> float | None:
    """The first C of the grid whose best model gains something by a feature; None if there is none."""
    if np.isfinite(costs).all():
        most = (1.0 - NO_GAIN) * null_loss(rows, constraints)
        for C, (model, _) in zip(costs, best_models(rows, costs, constraints), strict=True):
            weights, offsets = model[: rows.n_features], model[rows.n_features :]
            if not uses_no_feature(rows, weights) and rows.loss(weights, offsets) < most:
                return units.price(float(C))
    return None


@dataclass(frozen=True, eq=False)
class Validated:
    """What the held-out rows of every fold say of every C: the models, one per fold, and their held-out losses."""

    loss: Loss
    samples: tuple[Matrix, Floats, Floats | None]
    tests: Sequence[Ints]
    n_weights: int
    models: dict[float, list[Floats]]
    null_models: list[Floats]
    losses: HeldOutLosses

    def scores(self, C: float) -> Floats:
        """The scores of the models at one C, one per fold."""
        return self._scored(self.models[C])

    def null_preferred(self, criterion: str) -> bool:
        """Whether the null model is at least as good as every C."""
        if criterion == "loss":
            return self.losses.null_preferred
        return bool(self._scored(self.null_models).mean() >= max(self.scores(C).mean() for C in self.models))

    def _scored(self, models: Sequence[Floats]) -> Floats:
        X, y, weights = self.samples
        scores = []
        for test, model in zip(self.tests, models, strict=True):
            table = self.loss.with_covariates(X[test], y[test])
            predicted = self.loss.predict(table, model[: self.n_weights], model[self.n_weights :])
            scores.append(self.loss.score(y[test], predicted, None if weights is None else weights[test]))
        return np.array(scores)


def cross_validate(
    loss: Loss,
    X: Matrix,
    y: Floats,
    sample_weight: Floats | None,
    costs: Floats,
    splitter: BaseCrossValidator,
    progress: Progress = silent,
    penalty: str = "l1",
    groups: Ints | None = None,
    whole_grid: bool = True,
    n_jobs: int | None = None,
) -> Validated:
    """The models of all folds at every C, in rising order.

    Without `whole_grid` larger C are not tried once the held-out loss of the first deal clearly rises, and further
    deals try only those C that the first one does not rule out.
    """
    samples, folds = (X, y, sample_weight), list(splitter.split(X, y, groups))
    repeats = getattr(splitter, "repeats", 1)
    each = len(folds) // repeats
    deals: list[Validated] = []
    kept, guides = costs, None
    for number in range(repeats):

        def one_of_all(share: float, note: str, done: int = number) -> None:
            progress("baseline", (done + share) / repeats, note)

        deal = folds[number * each : (number + 1) * each]
        to_its_end = whole_grid or number > 0
        deals.append(one_deal(loss, samples, kept, deal, penalty, guides, to_its_end, one_of_all, n_jobs))
        if not (whole_grid or number):
            kept = deals[0].losses.worth_repeating
        guides = [deals[0].models[C][-1] for C in kept.tolist()]
    return _joined(deals, kept)


def one_deal(
    loss: Loss,
    samples: tuple[Matrix, Floats, Floats | None],
    costs: Floats,
    folds: Sequence[tuple[Ints, Ints]],
    penalty: str = "l1",
    guides: Sequence[Floats] | None = None,
    whole_grid: bool = True,
    report: Callable[[float, str], None] = lambda share, note: None,
    n_jobs: int | None = None,
) -> Validated:
    """The models of the folds of one deal, which go from one C to the next together.

    All folds start from the given guides, side by side. Without guides, the folds of a tall table go one after the
    other, each from the model of the fold before.
    """
    X, y, sample_weight = samples

    def rows_of(part: Ints) -> HingeRows:
        return loss.rows(X[part], y[part], None if sample_weight is None else sample_weight[part])

    paths: list[Iterator[Floats]] = []
    held: list[HingeRows] = []
    latest: list[Floats] = []
    null_models: list[Floats] = []
    for train, test in folds:
        rows, constraints = rows_of(train), loss.constraints(X[train], y[train])
        in_turn = guides is None and _is_tall(rows)
        near = (latest[-1] for _ in costs) if in_turn and paths else guides
        paths.append(path_models(rows, costs, constraints, penalty, near))
        held.append(rows_of(test))
        null_models.append(np.concatenate([np.zeros(rows.n_features), null_offsets(rows, constraints)]))
    d, total = held[0].n_features, float(len(y) if sample_weight is None else sample_weight.sum())

    def per_weight(models: Sequence[Floats]) -> list[float]:
        lost = [rows.loss(model[:d], model[d:]) for rows, model in zip(held, models, strict=True)]
        return [len(folds) * one / total for one in lost]

    models: dict[float, list[Floats]] = {}
    table: list[list[float]] = []
    null, steps = np.array(per_weight(null_models)), [partial(_next_model, path, latest) for path in paths]
    workers = 1 if in_turn else effective_n_jobs(n_jobs)
    last, sure = False, FEWEST_COSTS
    while not last:
        rounds = 1 if workers == 1 else min(FEWEST_COSTS if whole_grid else sure, len(costs) - len(table))
        for found in zip(*rounds_side_by_side(steps, rounds, workers), strict=True):
            models[float(costs[len(table)])] = list(found)
            table.append(per_weight(found))
        done = len(table)
        losses = HeldOutLosses(costs[:done], np.array(table).T, null, 1)
        last = done == len(costs) or (not whole_grid and losses.rises)
        sure = losses.sure_to_come
        report(1.0 if last else done / len(costs), f"{done} of {len(costs)} values of C")
    return Validated(loss, samples, [test for _, test in folds], d, models, null_models, losses)


def _next_model(path: Iterator[Floats], latest: list[Floats]) -> Floats:
    """The next model of a path, which becomes the latest of all."""
    model = next(path)
    latest[:] = [model]
    return model


def _joined(deals: Sequence[Validated], costs: Floats) -> Validated:
    """What all deals say of some C."""
    chosen = np.isin(deals[0].losses.costs, costs)
    tables = [deals[0].losses.losses[:, chosen], *(deal.losses.losses for deal in deals[1:])]
    null = np.concatenate([deal.losses.null for deal in deals])
    return replace(
        deals[0],
        tests=[test for deal in deals for test in deal.tests],
        models={C: [model for deal in deals for model in deal.models[C]] for C in costs.tolist()},
        null_models=[model for deal in deals for model in deal.null_models],
        losses=HeldOutLosses(costs, np.concatenate(tables), null, len(deals)),
    )

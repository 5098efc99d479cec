"""Score cards: models with whole points, of which a total and a risk can be computed without a computer.

A card gives p_j points, a whole number of at most `largest`, for every unit u_j of feature j above its reference c_j:

    total  =  sum_j p_j (x_j - c_j) / u_j,       score  =  s total + b

with one factor s > 0 and one offset b, so that a card *is* a linear model, w_j = s p_j / u_j. "Equally good" is
membership in F, as everywhere: norm and loss of this model, by the plain formulas, are within the budgets. Among all
cards of F with at most `features` features the one with the least loss is searched (`card_search`), and proven by an
integer program (`engines.simplex.card_program`), or the proven bound of its loss is reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from time import perf_counter

import numpy as np
from scipy.special import expit

from relspan.arrays import Floats, Ints, dense
from relspan.checks import mapping, number, whole
from relspan.engines.simplex.card_program import CardLimits, least_card
from relspan.engines.simplex.integer_program import GapReport
from relspan.errors import InfeasibleFamily, InfeasibleRules, ParameterError
from relspan.explore.card_risks import HeldOutCards, calibrated, cut_offs, held_out_scores
from relspan.explore.card_search import Card, CardSearch, lowest_terms, models_with_few_features
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.member_models import model_of
from relspan.explore.pinned_family import PinnedFamily, PinSolver, SignBranch
from relspan.explore.pins import certified_ends
from relspan.explore.score_card import ScoreCard
from relspan.family import HingeRows
from relspan.losses import signs_of
from relspan.progress import Progress, silent
from relspan.result.record import plain
from relspan.tolerances import CARD_BUDGET, CARD_GAIN, PROVEN_LOSS

SHARE_OF_FOLDS = 0.4  # of the time: cards of the folds are improved no longer than this
MOST_COLUMNS = 120  # beyond which the integer program is too large to prove anything in a minute
PART_OF_FACTORS = 1.3  # the range of the factor is cut into parts whose ends differ by this: bounds are good in each
LOOKED_AT = 400  # cards of the search that are fitted exactly
CLEARLY_WORSE = 0.01  # share of the loss by which a roughly fitted card may at most be better than it seems
MOST_POINTS = 10**6  # of a feature: beyond any card that a person adds up
DIGITS_OF_VALUES = 9  # to which values of a column are distinguished
NICE_STEPS = (1.0, 2.0, 5.0, 10.0)  # units are one of these times a power of ten


def score_cards(
    solver: PinSolver,
    pinned: PinnedFamily,
    largest: int,
    features: int,
    units: Mapping[str, float] | None,
    limit: int,
    time_limit: float,
    progress: Progress = silent,
) -> list[ScoreCard]:
    """The best cards under the pins, at most `limit`, the one with the least loss first."""
    problem, begun = solver.problem, perf_counter()
    largest, features = (
        whole("largest", largest, at_least=1, at_most=MOST_POINTS),
        whole("features", features, at_least=1),
    )
    limit, time_limit = whole("limit", limit, at_least=1), number("time_limit", time_limit, at_least=0)
    refuse_without_two_classes(problem)
    scales = card_scales(problem, units)
    runs = [
        BranchCards(solver, branch, scales.weight, largest, features, begun + time_limit, progress)
        for branch in pinned.branches
    ]
    progress("card", None, "cards of the folds")
    until = begun + SHARE_OF_FOLDS * time_limit
    held_out = held_out_scores(problem, lambda rows: runs[0].search_over(rows, until))
    found: dict[tuple[int, ...], tuple[Card, float]] = {}
    possible = False
    for run in runs:
        try:
            for card, bound in run.cards(limit):
                found[tuple(card.points.tolist())] = (card, bound)
        except InfeasibleFamily:
            continue
        possible = possible or not run.exhausted
    if not found:
        tail = f"none was found in {time_limit:g} seconds" if possible else "this is proven"
        raise InfeasibleRules(
            f"no card with at most {features} features and {largest} points is equally good ({tail}); allow more "
            "features or larger points, or fit with a larger delta_loss"
        )
    lowest = min(bound for _, bound in found.values()) if len(runs) > 1 else None
    best = sorted(found.values(), key=lambda item: item[0].loss)[:limit]
    return [
        described(problem, scales, card, bound if lowest is None else lowest, held_out, perf_counter() - begun)
        for card, bound in best
    ]


def refuse_without_two_classes(problem: FittedProblem) -> None:
    """A card is for two classes, and all that enters its total has whole points."""
    if problem.adjustment is not None:
        raise ParameterError("a score card cannot hold covariates, whose coefficients are free; fit without them")
    if len(problem.scores.label_codes) != 2:
        raise ParameterError(f"a score card needs a target of two classes, and the task is {problem.result.task}")


@dataclass(frozen=True, eq=False)
class CardScales:
    """Unit and reference of every column, and the weight of one point per unit in the solver's units."""

    unit: Floats
    reference: Floats
    weight: Floats
    two_valued: np.ndarray


def card_scales(problem: FittedProblem, units: Mapping[str, float] | None) -> CardScales:
    """Units as they were given, else the standard deviation rounded to 1, 2 or 5 times a power of ten.

    A column of two values has their difference as unit, and the lower one as reference.
    """
    scale, mean = problem.scale[problem.varies], problem.mean[problem.varies]
    values = dense(problem.X) * scale + mean
    unit, reference = np.empty(len(scale)), np.empty(len(scale))
    two = np.zeros(len(scale), dtype=bool)
    given = {
        problem.known(name): value
        for name, value in mapping("units", {} if units is None else units, "features to units").items()
    }
    for name, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)) or not 0 < value < np.inf:
            raise ParameterError(f"the unit of {name!r} must be a positive number, not {value!r}")
    for j, name in enumerate(problem.columns):
        distinct = np.unique(np.round(values[:, j] / scale[j], DIGITS_OF_VALUES))
        if len(distinct) == 2 and name not in given:
            low, high = values[:, j].min(), values[:, j].max()
            two[j], unit[j], reference[j] = True, _shown(high - low), _shown(low)
        else:
            unit[j] = float(given.get(name, _nice(float(values[:, j].std()))))
            reference[j] = _shown(np.round(values[:, j].mean() / unit[j]) * unit[j])
    return CardScales(unit, reference, scale / unit, two)


def _shown(value: float) -> float:
    """A number without the rounding of the scaled table."""
    return float(f"{value:.12g}") + 0.0  # no negative zero


def _nice(size: float) -> float:
    """1, 2 or 5 times a power of ten: the one nearest to a size, on a logarithmic scale."""
    power = 10.0 ** np.floor(np.log10(size))
    return _shown(min((step * power for step in NICE_STEPS), key=lambda value: abs(np.log(value / size))))


class BranchCards:
    """The cards of one sign branch."""

    def __init__(
        self,
        solver: PinSolver,
        branch: SignBranch,
        weight: Floats,
        largest: int,
        features: int,
        deadline: float,
        progress: Progress,
    ) -> None:
        self.solver, self.branch, self.weight = solver, branch, weight
        self.n_features, self.deadline, self.progress = features, deadline, progress
        family = branch.family
        ends = np.array([certified_ends(branch.ranges, j) for j in range(family.n_features)]).reshape(-1, 2)
        self.least = np.where(ends[:, 0] > 0, 1, np.where(ends[:, 0] >= 0, 0, -largest))
        self.most = np.where(ends[:, 1] < 0, -1, np.where(ends[:, 1] <= 0, 0, largest))
        self.largest, self.exhausted = largest, False
        self._ends = ends
        self.search = CardSearch(family.rows, family.largest_norm, weight, self.least, self.most, features, deadline)

    def search_over(self, rows: HingeRows, deadline: float) -> CardSearch:
        """The same search over other rows, where nothing is known of the ranges but the demanded signs."""
        signs = signs_of(self.solver.problem.loss, rows.n_features)
        low, high = np.where(signs > 0, 0, -self.largest), np.where(signs < 0, 0, self.largest)
        norm = self.branch.family.largest_norm
        return CardSearch(rows, norm, self.weight, low, high, self.n_features, deadline)

    def cards(self, limit: int) -> Iterator[tuple[Card, float]]:
        """Cards of the branch with the bound that is proven for each: no card but those before has less loss."""
        family, C = self.branch.family, self.solver.problem.analysis.baseline.C
        d, excluded = family.n_features, list[Ints]()
        few = models_with_few_features(family.rows, family.constraints, C, self.branch.best[:d], self.n_features)
        self.progress("card", None, "rounding models")
        self.search.best(few)
        least_loss = self._least_loss()
        for _ in range(limit):
            known = self._best_seen(excluded)
            known, bound = self._proven(known, least_loss, excluded)
            if known is None:
                self.exhausted = bound == np.inf
                return
            yield known, min(bound, known.loss)
            step = np.array(lowest_terms(known.points))
            factors = range(1, self.largest // int(np.abs(step).max()) + 1)
            excluded += [factor * step for factor in factors]

    def _best_seen(self, excluded: list[Ints]) -> Card | None:
        """The best card that the search has met and that is in the family."""
        gone = {lowest_terms(points) for points in excluded}
        order = sorted((loss, key) for key, loss in self.search.seen.items() if key not in gone)
        best: Card | None = None
        for loss, key in order[:LOOKED_AT]:
            if best is not None and loss > best.loss * (1 + CLEARLY_WORSE):
                break
            card = self.search.fitted(np.array(key))
            if self._is_member(card) and (best is None or card.loss < best.loss):
                best = card
        return best

    def _is_member(self, card: Card) -> bool:
        return bool(self.branch.family.violations(self.model(card)[None])[0] <= CARD_BUDGET)

    def model(self, card: Card) -> Floats:
        """A card as a model (w, b) of the solver."""
        return np.append(card.factor * self.weight * card.points, card.offset)

    def _least_loss(self) -> float:
        """A lower bound of the loss of any model of the branch."""
        with self.solver.engine.bounded(self.branch.bounds) as program:
            model, d = program.solve(None, loss_price=1.0).model, self.branch.family.n_features
        return self.branch.family.rows.loss(model[:d], model[d:]) * (1.0 - PROVEN_LOSS)

    def _proven(self, known: Card | None, least_loss: float, excluded: list[Ints]) -> tuple[Card | None, float]:
        """The best card and a bound of the loss, by one integer program per part of the range of the factor."""
        family = self.branch.family
        if family.n_features > MOST_COLUMNS:
            return known, least_loss
        rate = family.largest_loss if known is None else known.loss
        bounds, kinks = [], self.solver.engine.kinks
        parts = self._parts()
        for number_of_part, (shortest, longest) in enumerate(parts):
            limits = CardLimits(self.weight, self.least, self.most, self.n_features, shortest, longest)
            bound = least_loss
            share = (self.deadline - perf_counter()) / (len(parts) - number_of_part)
            until = perf_counter() + share
            while (left := until - perf_counter()) > 0:
                try:
                    found = least_card(
                        family,
                        self.branch.best,
                        kinks,
                        limits,
                        rate,
                        excluded,
                        left,
                        PROVEN_LOSS * rate * shortest / 2,
                        self._report(f"part {number_of_part + 1} of {len(parts)}"),
                    )
                except InfeasibleFamily:
                    bound = np.inf  # no card here has less loss
                    break
                bound = max(bound, rate + min(0.0, found.bound) / shortest)
                if found.points is None:
                    break
                card = self.search.fitted(np.array(lowest_terms(found.points)))
                better = card.loss < rate * (1.0 - CARD_GAIN) and self._is_member(card)
                if better:
                    known, rate = card, card.loss
                if not better and not len(found.missing):
                    break
                kinks = np.union1d(kinks, found.missing)
            bounds.append(bound)
        lowest = min(bounds, default=least_loss)
        return known, min(lowest, np.inf if known is None else known.loss)

    def _report(self, note: str) -> GapReport:
        def reported(value: float, bound: float) -> None:
            self.progress("card", None, note)

        return reported

    def _parts(self) -> list[tuple[float, float]]:
        """Ranges of t, the points per unit of score, in which all cards of the branch lie."""
        size = np.abs(self._ends).max(axis=1)
        needed = (self._ends[:, 0] > 0) | (self._ends[:, 1] < 0)
        smallest = np.where(needed, np.abs(self._ends).min(axis=1), 0.0)
        usable = size > 0
        with np.errstate(divide="ignore"):
            each = self.weight / size
        shortest = float(each[needed].max() if needed.any() else each[usable].min())
        if needed.any():
            longest = float((self.largest * self.weight / np.where(needed, smallest, np.nan))[needed].min())
        else:
            most = np.sort(self.weight[usable])[::-1][: self.n_features].sum() * self.largest
            longest = float(most / self._least_norm())
        longest = max(longest, shortest)
        count = max(1, int(np.ceil(np.log(longest / shortest) / np.log(PART_OF_FACTORS))))
        edges = shortest * (longest / shortest) ** (np.arange(count + 1) / count)
        return list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))

    def _least_norm(self) -> float:
        with self.solver.engine.bounded(self.branch.bounds) as program:
            model = program.solve(None, norm_price=1.0).model
        return float(np.abs(model[: self.branch.family.n_features]).sum()) * (1.0 - PROVEN_LOSS)


def described(
    problem: FittedProblem, scales: CardScales, card: Card, bound: float, held_out: HeldOutCards, seconds: float
) -> ScoreCard:
    """A card in the units of the reader, with risks and cut-offs from held-out rows."""
    baseline, units = problem.analysis.baseline, problem.units
    used = np.flatnonzero(card.points)
    used = used[np.argsort(-np.abs(card.points[used] * scales.weight[used]), kind="stable")]
    mean = problem.mean[problem.varies]
    # total = Z D p + shift,  score = factor Z D p + offset
    shift = float(card.points @ ((mean - scales.reference) / scales.unit))
    offset = card.offset - card.factor * shift
    slope, height = calibrated(held_out)
    totals = (held_out.scores - offset) / card.factor
    risk_slope, risk_height = slope * card.factor, slope * offset + height
    model = np.append(card.factor * scales.weight * card.points, card.offset)
    explained = baseline.null_loss - baseline.loss
    return ScoreCard(
        features=tuple(problem.columns[j] for j in used),
        points=tuple(int(card.points[j]) for j in used),
        units=tuple(float(scales.unit[j]) for j in used),
        references=tuple(float(scales.reference[j]) for j in used),
        factor=card.factor,
        offset=offset,
        risk_slope=risk_slope,
        risk_height=risk_height,
        cut_offs=cut_offs(held_out, totals, lambda values: expit(risk_slope * values + risk_height)),
        auc=held_out.auc,
        loss=units.loss(card.loss),
        bound=units.loss(bound),
        largest_loss=units.loss(problem.analysis.family.largest_loss),
        gap_share=(card.loss - bound) / explained,
        positive=plain(problem.classes[-1]) if problem.classes else 1,
        model=model_of(problem, model),
        two_valued=tuple(problem.columns[j] for j in used if scales.two_valued[j]),
        seconds=seconds,
    )

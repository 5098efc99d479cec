"""The family under pins: which sign branches have a model, every feature's range over them, and the result they give.

Each feasible branch is a family of its own, F with bounds on the pinned weights, and is certified as such. An end
point of the unpinned family is kept, without a program, where the model that attains it satisfies the pins, up to
rounding: a smaller family's maximum cannot be larger, and this model attains it. A vertex leaves many features out, so
it satisfies many pins; the models of an interior point method leave none out. The other programs start from the same
direction's unpinned optimum, or, where the pins leave little room, from one another.

The relevance interval of a feature is the hull of its branches' intervals. (The signed interval's hull may hold 0 where
no branch does, so it must not be asked for the least relevance.)
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from relspan.analysis.group_intervals import group_intervals
from relspan.analysis.intervals import WeightRanges, ranges_of, relevances
from relspan.arrays import Floats, Matrix, dense
from relspan.checks import listed, quoted
from relspan.engines import SharedEngine
from relspan.engines.certificates import CertifiedMaxima, draw_inside
from relspan.engines.simplex.exact_engine import ExactEngine
from relspan.engines.simplex.loaded_program import Start
from relspan.errors import InfeasibleFamily, ParameterError, SolverError
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pin_effects import pin_effect
from relspan.explore.pins import END_NAMES, Interval, Pin, pin_record, sign_intervals
from relspan.explore.settled_ends import settled_ends
from relspan.family import Bounds, Family, unit_directions
from relspan.progress import Progress, silent
from relspan.result import Certificates, GroupRelevance, RelevanceResult
from relspan.tolerances import CERTIFIED_GAP, PIN_ROUNDING, RELAXED_BOUNDS

MOST_SIGN_BRANCHES = 64
MOST_KEPT_OPTIMA = 100  # features up to which every direction's own optimum is kept as a start
MOST_KEPT_FEASIBLE = 64  # sets of pins whose feasible branches are kept: each holds one model per branch
THIN_BRANCH = 0.3  # share of the baseline's slack below which the programs of a branch start from one another


@dataclass(frozen=True, eq=False)
class SignBranch:
    """One choice of signs: bounds of the pinned weights, the family they leave, its best model, all ranges."""

    bounds: Bounds
    family: Family
    best: Floats
    ranges: WeightRanges
    solved: int


@dataclass(frozen=True, eq=False)
class PinnedFamily:
    """What a set of pins leaves of the family, in the solver's units: its sign branches, the best one first."""

    pins: tuple[Pin, ...]
    branches: tuple[SignBranch, ...]

    @property
    def signed(self) -> Floats:
        """(d, 2): the hull of w_j over all branches."""
        return np.column_stack(
            [
                np.min([b.ranges.lo for b in self.branches], axis=0),
                np.max([b.ranges.hi for b in self.branches], axis=0),
            ]
        )

    @property
    def relevances(self) -> Floats:
        """(d, 2): the hull of |w_j| over all branches."""
        each = np.array([b.ranges.relevances for b in self.branches])
        return np.column_stack([each[:, :, 0].min(axis=0), each[:, :, 1].max(axis=0)])

    @property
    def gaps(self) -> Floats:
        """(d, 2): how far the truth may lie outside the hull of w_j."""
        outer = np.array(
            [[b.ranges.lo - b.ranges.gaps[:, 0], b.ranges.hi + b.ranges.gaps[:, 1]] for b in self.branches]
        )
        signed = self.signed
        return np.column_stack([signed[:, 0] - outer[:, 0].min(axis=0), outer[:, 1].max(axis=0) - signed[:, 1]])

    @property
    def best(self) -> SignBranch:
        """The branch whose best model is best."""
        return self.branches[0]


class PinSolver:
    """A family with its warm engine: pins in, ranges out."""

    def __init__(self, problem: FittedProblem) -> None:
        self.problem = problem
        self.family = problem.analysis.family
        self.engine = ExactEngine(self.family)
        d = self.family.n_features
        self.directions = unit_directions(range(d), self.family)
        baseline = problem.analysis.baseline
        self._base = SignBranch({}, self.family, baseline.model, problem.analysis.ranges, 0)
        self._known = [self._base]
        if d <= MOST_KEPT_OPTIMA:
            vertices = ranges_of(self.engine.remember(self.directions))
            self._known.insert(0, replace(self._base, ranges=vertices))
        self._feasible: dict[tuple[Pin, ...], list[tuple[dict[int, Interval], Floats]]] = {}
        self._keeping = threading.Lock()

    def family_under(
        self,
        pins: Sequence[Pin],
        near: Iterable[SignBranch] = (),
        columns: Sequence[int] | None = None,
        progress: Progress = silent,
    ) -> PinnedFamily:
        """All ranges under the pins, or those of some columns only, in their order.

        `near` are branches of other pins, with all columns, whose answers may serve again. Raises InfeasibleFamily
        where no model satisfies the pins.
        """
        if not pins and columns is None:
            return PinnedFamily((), (self._base,))
        wanted = range(self.family.n_features) if columns is None else columns
        rows = np.array([row for j in wanted for row in (2 * j, 2 * j + 1)], dtype=np.intp)
        sources = [*(self._known if pins else [self._base]), *near]
        found = [self._branch(bounds, best, sources, rows, progress) for bounds, best in self.feasible(pins)]
        if not found:
            raise InfeasibleFamily(f"no equally good model satisfies the pins {listed([str(p) for p in pins])}")
        return PinnedFamily(tuple(pins), tuple(sorted(found, key=lambda branch: self._price(branch.best))))

    def feasible(self, pins: Sequence[Pin]) -> list[tuple[dict[int, Interval], Floats]]:
        """Bounds and best model of every sign branch that has a model; kept for the latest sets of pins."""
        key = tuple(pins)
        found = self._feasible.get(key)
        if found is None:
            found = self._feasible_branches(key)
            with self._keeping:  # a browser's thread and a person at the prompt may share the solver
                while len(self._feasible) >= MOST_KEPT_FEASIBLE:
                    self._feasible.pop(next(iter(self._feasible)))
                self._feasible[key] = found
        return found

    def _feasible_branches(self, pins: tuple[Pin, ...]) -> list[tuple[dict[int, Interval], Floats]]:
        """The same, solved: signs are tried pin by pin."""
        choices = [(self.problem.column(pin.feature), self._sign_intervals(pin)) for pin in pins]
        if any(not intervals for _, intervals in choices):
            return []
        certain = {j: intervals[0] for j, intervals in choices if len(intervals) == 1 and j is not None}
        open_signs = [(j, intervals) for j, intervals in choices if len(intervals) > 1 and j is not None]
        start = self.best_within(certain)
        branches = [] if start is None else [(dict(certain), start)]
        for j, intervals in open_signs:
            grown = [{**bounds, j: interval} for bounds, _ in branches for interval in intervals]
            branches = [(b, best) for b in grown if (best := self.best_within(b)) is not None]
            if len(branches) > MOST_SIGN_BRANCHES:
                free = [self.problem.columns[k] for k, _ in open_signs]
                raise ParameterError(
                    f"the pins leave more than {MOST_SIGN_BRANCHES} combinations of signs open, of {quoted(free)}; "
                    "pin fewer of them away from 0 at once"
                )
        return branches

    def _sign_intervals(self, pin: Pin) -> list[Interval]:
        """The intervals of the weight that a pin leaves; one at an end begins at the vertex that attains it.

        The fit attains an end up to its certified gap, and a family of the models in between has hardly any room.
        """
        intervals, j = sign_intervals(pin, self.problem), self.problem.column(pin.feature)
        if j is None or pin.asked not in END_NAMES or pin.high == 0 or len(self._known) == 1:
            return intervals
        vertices, gap = self._known[0].ranges, CERTIFIED_GAP * self.problem.mu
        top, bottom = float(vertices.hi[j]), float(vertices.lo[j])
        return [
            (top if 0 <= top - low <= gap else low, bottom if 0 <= high - bottom <= gap else high)
            for low, high in intervals
        ]

    def relevance(self, feature: str, pins: Sequence[Pin]) -> list[tuple[float, float]]:
        """The interval of one feature's relevance in every sign branch of the pins, in shares of the norm."""
        return [
            (float(least), float(most))
            for lo, hi in self.weights(feature, pins)
            for least, most in relevances(np.array([lo]), np.array([hi]))
        ]

    def weights(self, feature: str, pins: Sequence[Pin]) -> list[tuple[float, float]]:
        """The interval of one feature's weight in every sign branch of the pins, in shares of the norm."""
        j, mu = self.problem.column(feature), self.problem.mu
        if j is None:
            return [(0.0, 0.0)]
        if not pins:
            return [(float(self._base.ranges.lo[j]) / mu, float(self._base.ranges.hi[j]) / mu)]
        both, found = unit_directions([j], self.family), []
        for bounds, best in self.feasible(pins):
            ends = self._maxima(self.family.boxed(bounds), bounds, both, best).values / mu
            found.append((float(-ends[1]), float(ends[0])))
        return found

    def best_within(self, bounds: Bounds) -> Floats | None:
        """The best model, min ||w||_1 + C loss, with weights within bounds; None where the family has none."""
        if not bounds:
            return self._base.best
        try:
            start = self._best_start if len(self._known) > 1 else None  # a wide program drops columns
            with self.engine.bounded(bounds) as program:
                return program.solve(None, *self._prices, start=start).model
        except InfeasibleFamily:
            return None

    @property
    def _prices(self) -> tuple[float, float]:
        """The prices of norm and of loss in the best model's program."""
        return 1.0, self.problem.analysis.baseline.C

    @cached_property
    def _best_start(self) -> Start:
        """The basis of the best model without bounds, from which those within bounds are near."""
        with self.engine.bounded({}) as program:
            program.solve(None, *self._prices)
            return program.basis()

    def _branch(
        self, bounds: Bounds, best: Floats, sources: Iterable[SignBranch], rows: np.ndarray, progress: Progress
    ) -> SignBranch:
        boxed = self.family.boxed(bounds)
        boxed = replace(boxed, anchors=np.vstack([boxed.anchors, draw_inside(boxed, best[None])[0]]))
        kept, extremes = self._reused(boxed, bounds, sources, rows)
        todo = np.flatnonzero(~kept)
        if bounds and len(self._known) > 1:
            known = self._known[0].ranges.extremes
            good, proven = settled_ends(boxed, bounds, known, self.family.constraints.n_rows, rows[todo])
            for field, values in proven.items():
                getattr(extremes, field)[todo[good]] = values
            todo = todo[~good]
        if len(todo):
            fresh = self._maxima(boxed, bounds, self.directions[rows[todo]], best, progress)
            for field, values in vars(extremes).items():
                values[todo] = getattr(fresh, field)
        return SignBranch(bounds, boxed, best, ranges_of(extremes), len(todo))

    def _maxima(
        self, boxed: Family, bounds: Bounds, directions: Floats, best: Floats, progress: Progress = silent
    ) -> CertifiedMaxima:
        thin = self._unused_budget(best) < THIN_BRANCH * self._unused_budget(self._base.best)
        try:
            return self.engine.maxima_within(boxed, bounds, directions, thin, progress)
        except (InfeasibleFamily, SolverError):
            # there is a model, so the solver stumbled over a family without interior
            room = RELAXED_BOUNDS * self.problem.mu
            wider = {j: (low - room, high + room) for j, (low, high) in bounds.items()}
            return self.engine.maxima_within(boxed, wider, directions, thin, progress)

    def maxima_over(self, branch: SignBranch, directions: Floats, progress: Progress = silent) -> CertifiedMaxima:
        """The maxima of any directions over a branch."""
        return self._maxima(branch.family, branch.bounds, directions, branch.best, progress)

    def values_over(self, branch: SignBranch, directions: Floats) -> Floats:
        """Their values alone, without proofs."""
        with self.engine.bounded(branch.bounds) as program:
            return np.array([float(v @ program.solve(v).model) for v in directions])

    def _reused(
        self, boxed: Family, bounds: Bounds, sources: Iterable[SignBranch], rows: np.ndarray
    ) -> tuple[np.ndarray, CertifiedMaxima]:
        """CertifiedMaxima of looser branches whose models satisfy the bounds, with proofs over the tighter family."""
        count, own = len(rows), self.family.constraints.n_rows
        kept = np.zeros(count, dtype=bool)
        extremes = CertifiedMaxima(
            np.zeros(count),
            np.zeros(count),
            np.zeros(count),
            np.zeros((count, boxed.n_features + boxed.n_offsets)),
            np.zeros((count, boxed.rows.n_rows)),
            np.zeros((count, boxed.constraints.n_rows)),
        )
        place = {j: own + position for position, j in enumerate(bounds)}
        for source in sources:
            if not _contains(source.bounds, bounds):
                continue
            old = source.ranges.extremes
            attained = source.ranges.solved[rows // 2]
            inside = np.flatnonzero(attained & _within(old.models_of(rows), bounds, self._rounding) & ~kept)
            models, violations = draw_inside(boxed, _clipped(old.models_of(rows[inside]), bounds))
            values = np.einsum("ij,ij->i", self.directions[rows[inside]], models)
            good = (violations <= old.violations[rows[inside]]) & (values >= old.values[rows[inside]] - self._rounding)
            inside = inside[good]
            extremes.models[inside] = models[good]
            extremes.values[inside], extremes.violations[inside] = values[good], violations[good]
            for field in ("bounds", "hinge_multipliers"):
                getattr(extremes, field)[inside] = getattr(old, field)[rows[inside]]
            columns = [*range(own), *(place[j] for j in source.bounds)]
            extremes.constraint_multipliers[np.ix_(inside, columns)] = old.constraint_multipliers[rows[inside]]
            kept[inside] = True
        return kept, extremes

    @property
    def _rounding(self) -> float:
        return PIN_ROUNDING * self.problem.mu

    def _price(self, model: Floats) -> float:
        """||w||_1 + C loss."""
        d = self.family.n_features
        return float(
            np.abs(model[:d]).sum() + self.problem.analysis.baseline.C * self.family.rows.loss(model[:d], model[d:])
        )

    def _unused_budget(self, model: Floats) -> float:
        """How far the model's price stays below the most the budgets allow."""
        C = self.problem.analysis.baseline.C
        return float(self.family.support(np.array(1.0), np.array(C))) - self._price(model)


def result_under(problem: FittedProblem, pinned: PinnedFamily) -> RelevanceResult:
    """The result with the intervals under the pins, and what the pins do to every feature.

    Classes are those without pins. Probes and thresholds belong to the family without pins, so they are left out.
    """
    if not pinned.pins:
        return problem.result
    mu, own = problem.mu, {pin.feature: pin for pin in pinned.pins}
    table = np.column_stack([pinned.relevances / mu, pinned.signed / mu, pinned.gaps / mu])
    features = tuple(
        replace(
            f,
            min=least,
            max=most,
            lo=lo,
            hi=hi,
            gap_lo=gap_lo,
            gap_hi=gap_hi,
            under_pins=pin_effect(f, least, most, (gap_lo, gap_hi), own.get(f.name), problem.weight_floor),
        )
        for f, (least, most, lo, hi, gap_lo, gap_hi) in zip(
            problem.result.features, problem.for_all_features(table).tolist(), strict=True
        )
    )
    alone = pinned.branches[0] if len(pinned.branches) == 1 else None
    return replace(
        problem.result,
        features=features,
        groups=_categories_under(problem, pinned),
        extremal_scores={},  # these, other groups, details, probes and thresholds answer for the family without pins
        details={},
        probes={},
        thresholds={},
        parameters={**problem.result.parameters, "pins": [pin_record(pin) for pin in pinned.pins]},
        certificates=Certificates(alone.family, alone.ranges.extremes, problem.columns) if alone else None,
    )


def _categories_under(problem: FittedProblem, pinned: PinnedFamily) -> tuple[GroupRelevance, ...]:
    """The categories under the pins: the hull of their totals over all branches."""
    categories = [group for group in problem.result.groups if group.category]
    columns = [np.array(problem.columns_of(group.members), dtype=np.intp) for group in categories]
    found = [group_intervals(branch.family, columns, branch.ranges) for branch in pinned.branches]
    SharedEngine.forget()
    own, answers = {pin.feature for pin in pinned.pins}, []
    for group, totals in zip(categories, zip(*found, strict=True), strict=True):
        least, most = min(t.least for t in totals) / problem.mu, max(t.most for t in totals) / problem.mu
        gap_lo = least - min(t.least_bound for t in totals) / problem.mu
        gap_hi = max(t.most_bound for t in totals) / problem.mu - most
        effect = pin_effect(group, least, most, (gap_lo, gap_hi), None, problem.weight_floor)
        effect = replace(effect, pinned=own >= set(group.members))
        ends = {"min": least, "max": most, "gap_lo": gap_lo, "gap_hi": gap_hi}
        answers.append(replace(group, **ends, threshold=None, under_pins=effect))
    return tuple(answers)


def _contains(outer: Bounds, inner: Bounds) -> bool:
    """Whether all weights within `inner` are within `outer`."""
    return all(j in inner and low <= inner[j][0] and inner[j][1] <= high for j, (low, high) in outer.items())


def _clipped(models: Floats, bounds: Bounds) -> Floats:
    """The models with their weights within bounds."""
    models = np.array(models)
    for j, (low, high) in bounds.items():
        models[:, j] = np.clip(models[:, j], low, high)
    return models


def _within(models: Matrix, bounds: Bounds, rounding: float) -> np.ndarray:
    """Which models have their weights within bounds, up to rounding."""
    inside = np.ones(models.shape[0], dtype=bool)
    for j, (low, high) in bounds.items():
        weights = dense(models[:, [j]]).ravel()
        inside &= (weights >= low - rounding) & (weights <= high + rounding)
    return inside

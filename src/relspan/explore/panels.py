"""Panels: the smallest or cheapest sets of features from which an equally good model can be made.

    min  sum_j c_j z_j     over  (w, b) in F,  z in {0, 1}^d,     lo_j z_j <= w_j <= hi_j z_j

Kits, limits of groups and features that are bought together are more switches and rows (`purchases`).

"Equally good" is membership in F, the same budgets as everywhere. Each feature's own certified range [lo_j, hi_j] is
the big-M, and z_j = 1 is fixed where the range excludes 0: such a feature is in every panel. The search starts from a
panel found by reweighting the norm towards large weights and dropping features one by one. Every panel that is returned
is checked by the model that uses it, and comes with the lower bound that is proven.

A category is measured once, whatever its number of levels: its columns share one z.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import perf_counter
from typing import Any

import numpy as np

from relspan.arrays import Floats, Ints
from relspan.checks import number, quoted, whole
from relspan.engines.simplex.integer_program import GapReport, Switches, least_switches
from relspan.errors import InfeasibleFamily, InfeasibleRules, ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.member_models import Model, model_of
from relspan.explore.pinned_family import PinnedFamily, PinSolver, SignBranch
from relspan.explore.pins import certified_ends
from relspan.explore.purchases import PriceList
from relspan.progress import Progress, silent
from relspan.result.answer_table import AnswerTable, counted
from relspan.tolerances import PROVEN_COST, PROVEN_COUNT, UNUSED_WEIGHT

FIRST_PANEL = "looking for a first panel"
REWEIGHTINGS = 8  # of the norm, to find a first panel
SECONDS_PER_RULE = 5.0  # in which a rule is tried as the reason why no panel is possible
FREE_COST = 1e-3  # of a feature that costs nothing, so that a first panel does not hold it for nothing
SMALL_WEIGHT = 1e-3  # of the norm: from here on a smaller weight is hardly dearer in a reweighted norm


@dataclass(frozen=True, repr=False)
class Panel(AnswerTable):
    """A set of features that is enough for an equally good model.

    Parameters
    ----------
    features : tuple of str
        The features of the panel, in the order of the table.
    cost : float
        What they cost together; their number where no costs were given.
    bound : float
        No panel is cheaper than this: the proven lower bound of the cost.
    model : Model
        An equally good model that uses no other features.
    seconds : float
        How long the search has taken so far.
    categories : mapping of str to tuple of str, default={}
        The columns of each category in the panel, whose weights `model` has one by one.
    kits : tuple of str, default=()
        The kits to buy, in the order in which they were given; their prices are part of the cost.

    See Also
    --------
    Explorer.smallest_panel : The panel with the fewest features.
    Explorer.cheapest_panel : The cheapest panel.
    Explorer.minimal_panels : Several panels, the cheapest first.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=1, random_state=0)
    >>> panel = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore().smallest_panel()
    >>> panel.features, panel.proven
    (('x0', 'x1'), True)
    """

    features: tuple[str, ...]
    cost: float
    bound: float
    model: Model
    seconds: float
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    kits: tuple[str, ...] = ()

    @property
    def proven(self) -> bool:
        """Whether it is proven that no panel is cheaper.

        Returns
        -------
        bool
            True where `cost` equals `bound` up to rounding.
        """
        return self.gap <= PROVEN_COUNT * max(1.0, self.cost)

    @property
    def gap(self) -> float:
        """How much cheaper a panel could be, as far as is proven.

        Returns
        -------
        float
            `cost` - `bound`, at least 0.
        """
        return max(0.0, self.cost - self.bound)

    def columns(self) -> dict[str, list[Any]]:
        """One row per feature of the panel, by column.

        Returns
        -------
        dict of str to list
            The name, and the weight and relevance in `model`. The relevance of a category is the total of its levels;
            it has no single weight, so its weight is NaN.
        """
        levels = [self.categories.get(name, (name,)) for name in self.features]
        return {
            "name": list(self.features),
            "weight": [self.model.weights[own[0]] if len(own) == 1 else float("nan") for own in levels],
            "relevance": [float(sum(self.model.relevances[level] for level in own)) for own in levels],
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        return str(self)

    def __str__(self) -> str:
        proof = "proven" if self.proven else f"not proven: a panel may cost as little as {self.bound:g}"
        kits = f" with {'the kit' if len(self.kits) == 1 else 'the kits'} {', '.join(self.kits)}" if self.kits else ""
        features = f"{counted(len(self.features), 'feature')}: {', '.join(self.features)}"
        return f"{features}{kits} (cost {self.cost:g}, {proof})"


class Panels(AnswerTable, tuple[Panel, ...]):
    """Several panels, the cheapest first.

    Parameters
    ----------
    iterable : iterable of Panel, default=()
        The panels.

    See Also
    --------
    Explorer.minimal_panels : Find them.
    Panel : One of them.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=2, weak=0, irrelevant=1, random_state=0)
    >>> found = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore().minimal_panels()
    >>> found
    <Panels: 1 panel, of 2 features>
    """

    __slots__ = ()

    def columns(self) -> dict[str, list[Any]]:
        """One row per panel, by column.

        Returns
        -------
        dict of str to list
            The features as one text, with semicolons between them, their number, the cost, its proven lower bound, and
            whether it is proven that no panel before it is missing; the kits, where there are some.
        """
        kits = {"kits": ["; ".join(panel.kits) for panel in self]} if any(panel.kits for panel in self) else {}
        return {
            "features": ["; ".join(panel.features) for panel in self],
            "size": [len(panel.features) for panel in self],
            "cost": [panel.cost for panel in self],
            "bound": [panel.bound for panel in self],
            "proven": [panel.proven for panel in self],
            **kits,
        }

    @property
    def headline(self) -> str:
        """The answer in a few words.

        Returns
        -------
        str
            Some words without a full stop.
        """
        sizes = [len(panel.features) for panel in self]
        if not sizes:
            return counted(0, "panel")
        least = f"{min(sizes)} to " if min(sizes) < max(sizes) else ""
        return f"{counted(len(self), 'panel')}, of {least}{counted(max(sizes), 'feature')}"


def panels(
    solver: PinSolver,
    pinned: PinnedFamily,
    prices: PriceList,
    include: Sequence[str],
    limit: int,
    time_limit: float,
    progress: Progress = silent,
) -> Iterator[Panel]:
    """Minimal panels under the pins and the rules of the price list, the cheapest first."""
    problem = solver.problem
    limit, time_limit = whole("limit", limit, at_least=1), number("time_limit", time_limit, at_least=0)
    if isinstance(include, str) or not isinstance(include, Iterable):
        raise ParameterError(f"include must list names of features, not {include!r}")
    included, excluded = _included(problem, pinned, include), _excluded(problem, pinned)
    begun = perf_counter()
    searches = [PanelSearch(solver, branch, prices, included, excluded, progress) for branch in pinned.branches]

    def report(cost: float, bound: float) -> None:
        progress("panel", None, gap_note(cost, bound))

    for number_of_panel in range(limit):
        answers = [search.cheapest(time_limit - (perf_counter() - begun), report) for search in searches]
        possible = [answer for answer in answers if answer is not None]
        if not possible and number_of_panel == 0:
            raise InfeasibleRules(
                "no panel keeps all rules: every equally good model needs features that at_most, together, include and "
                f"exclude do not allow at once{_conflict(solver, pinned, prices, included, excluded, progress)}"
            )
        costs = prices.costs
        known = [(float(costs @ on), model, on) for found, _ in possible if found is not None for model, on in [found]]
        if not known:
            return
        cost, model, on = min(known, key=lambda panel: panel[0])
        bound = min(bound for _, bound in possible)
        panel, bought = on[: prices.n_places], on[prices.n_places :]
        chosen = [feature for feature, used in zip(problem.features, panel, strict=True) if used]
        categories = {f.name: tuple(problem.columns[j] for j in f.columns) for f in chosen if not f.is_single}
        names = tuple(feature.name for feature in chosen)
        kits = tuple(name for name, chosen in zip(prices.kits, bought, strict=True) if chosen)
        yield Panel(names, cost, bound, model_of(problem, model), perf_counter() - begun, categories, kits)
        own = panel & ~np.isin(np.arange(len(panel)), included)
        if not own.any() or cost > bound + PROVEN_COUNT * max(1.0, cost):
            return  # nothing else is minimal, or time is over and what follows would not be in order
        for search in searches:
            search.exclude(own)


def gap_note(value: float, bound: float) -> str:
    """How far a search has come: the best value so far, and the bound that is proven."""
    best = f"best so far {value:g}" if np.isfinite(value) else "nothing found yet"
    return f"{best}, proven bound {bound:.2f}" if np.isfinite(bound) else best


def _conflict(
    solver: PinSolver,
    pinned: PinnedFamily,
    prices: PriceList,
    included: Sequence[int],
    excluded: Sequence[int],
    progress: Progress,
) -> str:
    """The rules that conflict, as the end of a sentence: rules are left out one by one while the rest has no panel."""
    left = np.arange(len(prices.lower))

    def impossible(rules: Ints) -> bool:
        kept = replace(
            prices, coefficients=prices.coefficients[rules], lower=prices.lower[rules], upper=prices.upper[rules]
        )
        searches = [PanelSearch(solver, branch, kept, included, excluded, progress) for branch in pinned.branches]
        return all(search.cheapest(SECONDS_PER_RULE, lambda cost, bound: None) is None for search in searches)

    for rule in range(len(prices.lower)):
        rest = left[left != rule]
        if impossible(rest):
            left = rest
    d, texts = prices.n_places, []
    for rule in left.tolist():
        names = [solver.problem.features[j].name for j in np.flatnonzero(prices.coefficients[rule, :d])]
        tied = prices.lower[rule] == prices.upper[rule]
        texts.append(f"{quoted(names)} together" if tied else f"at most {prices.upper[rule]:g} of {quoted(names)}")
    return f": {'; '.join(texts)}" if texts else ""


class PanelSearch:
    """The program of one sign branch. Panels are those of whole features; switches are these, and then the kits."""

    def __init__(
        self,
        solver: PinSolver,
        branch: SignBranch,
        prices: PriceList,
        included: Sequence[int],
        excluded: Sequence[int],
        progress: Progress,
    ) -> None:
        self.solver, self.branch, self.prices, self.progress = solver, branch, prices, progress
        self.costs = prices.costs
        d, features, m = solver.family.n_features, solver.problem.features, len(prices.kits)
        self.owner = np.zeros(d, dtype=np.intp)  # the feature of every column
        for place, feature in enumerate(features):
            self.owner[list(feature.columns)] = place
        belongs = (self.owner[:, None] == np.arange(len(features))).astype(np.float64)
        ends = np.array([certified_ends(branch.ranges, j) for j in range(d)])
        least = self.any_column((ends[:, 0] > 0) | (ends[:, 1] < 0)).astype(np.float64)
        least[list(included)] = 1.0
        nothing = ~self.any_column((branch.ranges.lo != 0) | (branch.ranges.hi != 0)) & (least == 0)
        tied = np.concatenate([np.zeros(0, dtype=np.intp), *prices.together])
        nothing[[j for j in tied if j not in excluded]] = False  # bought with others, whether a model uses it or not
        low, high = np.minimum(ends[:, 0], 0.0), np.maximum(ends[:, 1], 0.0)
        weight = np.hstack([np.eye(d), np.zeros((d, solver.family.n_offsets))])
        uses = np.vstack([-high[:, None] * belongs, -low[:, None] * belongs])
        self.switches = Switches(
            costs=self.costs,
            least=np.concatenate([least, np.zeros(m)]),
            most=np.concatenate([np.where(nothing, 0.0, 1.0), np.ones(m)]),
            models=np.vstack([weight, weight, np.zeros((len(prices.lower), weight.shape[1]))]),
            coefficients=np.vstack([np.hstack([uses, np.zeros((2 * d, m))]), prices.coefficients]),
            lower=np.concatenate([np.full(d, -np.inf), np.zeros(d), prices.lower]),
            upper=np.concatenate([np.zeros(d), np.full(d, np.inf), prices.upper]),
        )
        self.start: tuple[Floats, np.ndarray] | None = self._first()

    def any_column(self, columns: np.ndarray) -> np.ndarray:
        """Which features have a column among these."""
        found = np.zeros(self.prices.n_places, dtype=bool)
        found[self.owner[columns]] = True
        return found

    def cheapest(self, time_limit: float, report: GapReport) -> tuple[tuple[Floats, np.ndarray] | None, float] | None:
        """The cheapest panel with its model, as far as is known, and a proven bound; None if there is no panel."""
        begun, bound = perf_counter(), 0.0
        whole = bool((self.costs == np.round(self.costs)).all())
        kinks = self.solver.engine.kinks
        while (left := time_limit - (perf_counter() - begun)) > 0:
            try:
                found = least_switches(
                    self.branch.family,
                    self.branch.best,
                    kinks,
                    self.switches,
                    self.start,
                    left,
                    1.0 - PROVEN_COUNT if whole else PROVEN_COST,
                    report,
                )
            except InfeasibleFamily:
                return None
            if found is None:
                break
            bound = max(bound, float(np.ceil(found.bound - PROVEN_COUNT)) if whole else found.bound)
            panel = found.on[: self.prices.n_places]
            model = self.best_with(panel)
            if model is not None:
                model, panel = self._dropped(model, panel, np.flatnonzero(panel & (self._own_costs == 0)))
                on = self.prices.without_idle_kits(np.concatenate([panel, found.on[len(panel) :]]))
                if self.start is None or self.costs @ on <= self.costs @ self.start[1]:
                    self.start = (model, on)
                break
            # no model gets by with these features: one more is needed, and more kinks are known by now
            self.switches = self.switches.with_row(self._of_places(~panel), 1.0, np.inf)
            kinks = np.union1d(np.union1d(kinks, self.solver.engine.kinks), found.missing)
        return self.start, bound

    def exclude(self, panel: np.ndarray) -> None:
        """Leave out all panels that contain this one."""
        self.switches = self.switches.with_row(self._of_places(panel), -np.inf, float(panel.sum()) - 1.0)
        self.start = None

    @property
    def _own_costs(self) -> Floats:
        """What the features cost without kits."""
        return self.costs[: self.prices.n_places]

    def _of_places(self, chosen: np.ndarray) -> Floats:
        """A row over all switches: 1 for these features, 0 for the others and for the kits."""
        return np.concatenate([chosen.astype(np.float64), np.zeros(len(self.prices.kits))])

    def best_with(self, panel: np.ndarray) -> Floats | None:
        """The best model that uses the panel's features only; None if no model of the branch does."""
        outside = np.flatnonzero(~panel[self.owner]).tolist()
        pins = self.branch.bounds
        if any(j in pins and not pins[j][0] <= 0 <= pins[j][1] for j in outside):
            return None
        return self.solver.best_within({**pins, **dict.fromkeys(outside, (0.0, 0.0))})

    def _first(self) -> tuple[Floats, np.ndarray] | None:
        """A panel by eight reweighted norms, sum_j c_j |w_j| / (|w_j'| + small), and a drop pass.

        For a category |w_j'| is the total of its columns.
        """
        d, small, owner = self.solver.family.n_features, SMALL_WEIGHT * self.solver.problem.mu, self.owner
        count, costs = self.prices.n_places, self._shared_costs()
        totals, best, must = np.full(count, small), self.switches.most[:count] > 0, self.switches.least[:count] > 0
        with self.solver.engine.bounded(self.branch.bounds) as program:
            for _ in range(REWEIGHTINGS):
                self.progress("panel", None, FIRST_PANEL)
                prices = (FREE_COST + costs) * small / totals
                w = program.solve(None, norm_price=prices[owner]).model[:d]
                totals = np.bincount(owner, np.abs(w), count) + small
                used = np.abs(w) > UNUSED_WEIGHT * self.solver.problem.mu
                panel = self._tied(self.any_column(used) | must)
                best = panel if self._cost(panel) < self._cost(best) else best
        model = self.best_with(best)
        if model is None:
            return None
        carried = np.bincount(owner, np.abs(model[:d]), count)
        order = sorted(np.flatnonzero(best).tolist(), key=lambda j: (-costs[j], carried[j]))
        model, panel = self._dropped(model, best, order)
        on = self.prices.with_kits(panel)
        return (model, on) if self.prices.allows(on) else None

    def _shared_costs(self) -> Floats:
        """The cost of every feature where the price of a kit is shared out among its features."""
        found = self._own_costs.copy()
        for members, price in zip(self.prices.contents, self.costs[self.prices.n_places :], strict=True):
            found[members] += price / max(1, len(members))
        return found

    def _cost(self, panel: np.ndarray) -> float:
        return float(self.costs @ self.prices.with_kits(panel))

    def _tied(self, panel: np.ndarray) -> np.ndarray:
        """The panel with all features that come together with one of it."""
        for members in self.prices.together:
            panel = panel | (np.isin(np.arange(len(panel)), members) & panel[members].any())
        return panel

    def _dropped(self, model: Floats, panel: np.ndarray, order: Iterable[int]) -> tuple[Floats, np.ndarray]:
        """Leave out those of the features that are not needed, in this order; what comes together goes together."""
        for j in order:
            self.progress("panel", None, FIRST_PANEL)
            gone = self._tied(np.arange(len(panel)) == j)
            smaller = None if (self.switches.least[: len(panel)] * gone).any() else self.best_with(panel & ~gone)
            if panel[j] and smaller is not None:
                model, panel = smaller, panel & ~gone
        return model, panel


def _included(problem: FittedProblem, pinned: PinnedFamily, include: Sequence[str]) -> list[int]:
    """The places of features that every panel holds; a panel with a level of a category holds the category."""
    excluded = [pin.feature for pin in pinned.pins if pin.high == 0]
    owner = {j: place for place, feature in enumerate(problem.features) for j in feature.columns}
    found = []
    for name in include:
        columns = problem.feature(name).columns
        if not columns:
            raise ParameterError(f"a panel cannot include {name!r}, which is constant")
        if {problem.columns[j] for j in columns} <= set(excluded):
            raise ParameterError(f"a panel cannot both include and exclude {name!r}")
        found += [owner[j] for j in columns]
    return list(dict.fromkeys(found))


def _excluded(problem: FittedProblem, pinned: PinnedFamily) -> list[int]:
    """The places of features of which a pin leaves out every column."""
    gone = {pin.feature for pin in pinned.pins if pin.high == 0}
    return [
        place for place, feature in enumerate(problem.features) if {problem.columns[j] for j in feature.columns} <= gone
    ]

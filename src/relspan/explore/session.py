"""Explorer: a session with one family of equally good models. The only thing here that remembers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from relspan.errors import InfeasibleFamily, ParameterError, SolverError
from relspan.explore.alternatives import Alternative, alternatives
from relspan.explore.conflicts import explain
from relspan.explore.discrepancy import Discrepancy, discrepancy
from relspan.explore.groups import Groups, groups
from relspan.explore.models import Model, SubsetScore, Usage, describe, subset_score, usage
from relspan.explore.panels import Panel, Report, panels
from relspan.explore.paths import Path as RelevancePath
from relspan.explore.paths import cost_path, delta_path
from relspan.explore.pinned import Pinboard, Pinned
from relspan.explore.pins import EXTREME, Demand, Pin, at_the_end, read_pin
from relspan.explore.predictions import Predictions, predictions
from relspan.explore.problem import Problem
from relspan.explore.stability import Stability, stability
from relspan.explore.storage import read, write
from relspan.explore.substitution import Substitution, substitution
from relspan.explore.view import Comparison, compare, pin_record, read_pin_record, result_under
from relspan.losses import Floats
from relspan.result import RelevanceResult

CURRENT, UNPINNED = "current", "unpinned"


@dataclass(frozen=True)
class Scenario:
    """A named set of pins with a note."""

    name: str
    pins: tuple[Pin, ...]
    note: str = ""


class Explorer:
    """Ask what if: pin features, see what moves, go back, keep scenarios.

    Made by ``estimator.explore()`` or ``Explorer.load(file)``. Relevances are shares of the baseline's L1 norm, and
    features go by name. Pins that no equally good model satisfies are refused with InfeasiblePins, and nothing changes.

    Examples
    --------
    >>> from relspan import RelevanceClassifier
    >>> from relspan.simulate import simulate
    >>> data = simulate(100, strong=1, weak=2, irrelevant=1, copies=1, random_state=0)
    >>> ex = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore()
    >>> ex.without("x1").result["x2"].min > 0        # its only substitute is needed now
    True
    >>> ex.undo().pins
    ()
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.scenarios: dict[str, Scenario] = {}
        self._board: Pinboard | None = None
        self._past: list[tuple[Pin, ...]] = []
        self._future: list[tuple[Pin, ...]] = []
        self._pins: tuple[Pin, ...] = ()
        self._known: dict[tuple[Pin, ...], Pinned] = {}

    # -- pins ------------------------------------------------------------------------------------------------------

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins in force, in the order they were set."""
        return self._pins

    def pin(self, feature: str, demand: Demand) -> Explorer:
        """Demand something of a feature's relevance: "min", "max", "without", a value, or a range (low, high).

        "min" and "max" are as little and as much as the other pins allow (of several of them, those set earlier go
        first), and follow when the other pins change. A new pin on a feature replaces the old one.
        """
        return self._change((*self._others(feature), read_pin(self.problem, feature, demand)))

    def pin_all(self, demands: Mapping[str, Demand]) -> Explorer:
        """Set several pins in one step."""
        new = tuple(read_pin(self.problem, feature, demand) for feature, demand in demands.items())
        return self._change((*(pin for pin in self._pins if pin.feature not in demands), *new))

    def without(self, *features: str) -> Explorer:
        """Use only models without these features."""
        return self.pin_all(dict.fromkeys(features, "without"))

    def unpin(self, *features: str) -> Explorer:
        """Take pins away; of all features if none is named."""
        for feature in features:
            if self.problem.known(feature) not in [pin.feature for pin in self._pins]:
                raise ParameterError(f"{feature!r} is not pinned; pinned are {[pin.feature for pin in self._pins]}")
        return self._change(tuple(pin for pin in self._pins if features and pin.feature not in features))

    def undo(self) -> Explorer:
        """Go back to the pins before the last change."""
        return self._step(self._past, self._future, "undo")

    def redo(self) -> Explorer:
        """Take back the last undo."""
        return self._step(self._future, self._past, "redo")

    def _others(self, feature: str) -> tuple[Pin, ...]:
        return tuple(pin for pin in self._pins if pin.feature != feature)

    def _change(self, pins: tuple[Pin, ...]) -> Explorer:
        pins = self._settled(pins)
        self._solve(pins)
        if pins != self._pins:
            self._past.append(self._pins)
            self._future.clear()
            self._pins = pins
        return self

    def _settled(self, pins: tuple[Pin, ...]) -> tuple[Pin, ...]:
        """The pins with "min" and "max" in numbers, given all demands in numbers and then one another in turn."""
        settled = {pin.feature: pin for pin in pins if pin.asked not in EXTREME}
        for pin in pins:
            if pin.asked in EXTREME:
                given = tuple(settled.values())
                intervals = self.board.relevance(pin.feature, given)
                if not intervals:
                    raise explain(self.board, given)
                least, most = min(low for low, _ in intervals), max(high for _, high in intervals)
                settled[pin.feature] = at_the_end(pin.feature, pin.asked, least, most)
        return tuple(settled[pin.feature] for pin in pins)

    def _step(self, source: list[tuple[Pin, ...]], target: list[tuple[Pin, ...]], word: str) -> Explorer:
        if not source:
            raise ParameterError(f"there is nothing to {word}")
        target.append(self._pins)
        self._pins = source.pop()
        return self

    # -- answers ---------------------------------------------------------------------------------------------------

    @property
    def board(self) -> Pinboard:
        """The warm solver; made when it is first needed."""
        if self._board is None:
            self._board = Pinboard(self.problem)
        return self._board

    @property
    def pinned(self) -> Pinned:
        """The ranges under the current pins, in the solver's units, with branches and certificates."""
        return self._solve(self._pins)

    def _solve(self, pins: tuple[Pin, ...]) -> Pinned:
        if pins not in self._known:
            near = self._known[self._pins].branches if self._pins in self._known else ()
            try:
                self._known[pins] = self.board.pinned(pins, near)
            except InfeasibleFamily as error:
                raise explain(self.board, pins) from error
        return self._known[pins]

    @property
    def result(self) -> RelevanceResult:
        """Intervals and classes under the current pins; probes and thresholds are those of the unpinned analysis."""
        return result_under(self.problem, self.pinned)

    @property
    def branches(self) -> list[dict[str, tuple[float, float]]]:
        """The signed interval of every feature in each sign branch; one branch unless a pinned sign is free."""
        mu = self.problem.mu
        return [
            {
                name: (float(lo) / mu, float(hi) / mu)
                for name, lo, hi in zip(self.problem.columns, b.ranges.lo, b.ranges.hi, strict=True)
            }
            for b in self.pinned.branches
        ]

    def model(self) -> Model:
        """The best model at the current pins, min ||w||_1 + C loss: one concrete member of the family."""
        return describe(self.problem, self.pinned.best.best)

    def usage(self) -> Usage:
        """The norm and loss that the current pins use up at least."""
        return usage(self.board, self.pinned)

    def score(self) -> SubsetScore:
        """Cross-validated score of the features of `model()`; optimistic, see SubsetScore."""
        return subset_score(self.problem, self.model().features)

    # -- substitutes -----------------------------------------------------------------------------------------------

    def substitution(self, features: Sequence[str] | None = None) -> Substitution:
        """How every other feature's interval moves when one is held at its min or max, at the current pins.

        For the relevant features, unless others are named.
        """
        return substitution(self.board, self._columns(features), self._pins)

    def alternatives(self, feature: str) -> list[Alternative]:
        """The relevant features that could take this one's place, the likeliest first; each has a `sentence`."""
        self.problem.known(feature)
        return alternatives(self.board, self.pinned, feature, self._columns(None))

    def groups(self, features: Sequence[str] | None = None, cut: float | None = None) -> Groups:
        """Groups of relevant features that replace one another; see relspan.explore.groups for the distance."""
        return groups(self.board, self.pinned, self._columns(features), cut)

    def _columns(self, features: Sequence[str] | None) -> list[int]:
        if features is None:
            return np.flatnonzero(self.problem.analysis.classes > 0).tolist()
        return self.problem.columns_of(features)

    # -- panels ----------------------------------------------------------------------------------------------------

    def smallest_panel(
        self,
        must: Sequence[str] = (),
        without: Sequence[str] = (),
        time_limit: float = 60.0,
        report: Report = lambda seconds, cost, bound: None,
    ) -> Panel:
        """The fewest features from which an equally good model can be made, at the current pins.

        `must` are in the panel in any case (and may be used or not), `without` never. `report(seconds, cost, bound)`
        is called as the gap closes; at the time limit the best panel is given with the bound that is proven.
        """
        return self._panel(None, must, without, time_limit, report)

    def cheapest_panel(
        self,
        costs: Mapping[str, float],
        must: Sequence[str] = (),
        without: Sequence[str] = (),
        time_limit: float = 60.0,
        report: Report = lambda seconds, cost, bound: None,
    ) -> Panel:
        """The cheapest such set, given what each feature costs."""
        return self._panel(costs, must, without, time_limit, report)

    def minimal_panels(
        self,
        limit: int = 10,
        costs: Mapping[str, float] | None = None,
        must: Sequence[str] = (),
        without: Sequence[str] = (),
        time_limit: float = 60.0,
    ) -> list[Panel]:
        """Up to `limit` panels of which no feature can be left out, the smallest (cheapest) first.

        Ends early where there are no more, or at the time limit with a panel that is not proven to be next.
        """
        return list(panels(self.board, self._avoiding(without), costs, must, limit, time_limit))

    def _panel(
        self,
        costs: Mapping[str, float] | None,
        must: Sequence[str],
        without: Sequence[str],
        time_limit: float,
        report: Report,
    ) -> Panel:
        found = panels(self.board, self._avoiding(without), costs, must, 1, time_limit, report)
        panel = next(found, None)
        if panel is None:
            raise SolverError(f"no panel was found in {time_limit:g} seconds; allow more time")
        return panel

    def _avoiding(self, without: Sequence[str]) -> Pinned:
        """The current pins, and no model with these features."""
        extra = [read_pin(self.problem, name, "without") for name in without]
        return self._solve((*(pin for pin in self._pins if pin.feature not in without), *extra))

    # -- samples ---------------------------------------------------------------------------------------------------

    def predictions(self, X: Any = None) -> Predictions:
        """The interval of every sample's score over all equally good models, and whether they agree on its label.

        X is a table like the one analysed; None takes the training samples.
        """
        return predictions(self.board, self.pinned, self._samples(X))

    def discrepancy(
        self, X: Any = None, time_limit: float = 60.0, report: Report = lambda seconds, share, bound: None
    ) -> Discrepancy:
        """The largest share of labels that one equally good model can change, with its gap at the time limit."""
        return discrepancy(self.board, self.pinned, self._samples(X), time_limit, report)

    def _samples(self, X: Any) -> Floats:
        return self.problem.X if X is None else self.problem.scaled(X)

    # -- without pins: other budgets, other samples ----------------------------------------------------------------

    def path(self, along: str = "C", values: Sequence[float] | None = None) -> RelevancePath:
        """The intervals along "C" (by default the grid it was chosen from), "delta_norm", "delta_loss" or "delta"."""
        if along == "C":
            return cost_path(self.problem, values)
        spread = np.array([0.0, 0.25, 0.5, 1.0, 2.0, 4.0])
        usual = self.problem.settings.delta_norm if along == "delta_norm" else self.problem.settings.delta_loss
        deltas = (spread * (usual or 0.02)).tolist() if values is None else values
        return delta_path(self.problem, deltas, "both" if along == "delta" else along)

    def stability(self, n_draws: int = 50, level: float = 0.9, seed: int = 0, n_jobs: int | None = None) -> Stability:
        """Bootstrap whiskers of both end points and class frequencies; the answer does not depend on n_jobs."""
        return stability(self.problem, n_draws, level, seed, n_jobs)

    # -- scenarios -------------------------------------------------------------------------------------------------

    def keep(self, name: str, note: str = "") -> Explorer:
        """Remember the current pins under a name."""
        if name in (CURRENT, UNPINNED) or not name:
            raise ParameterError(f"{name!r} cannot name a scenario; {CURRENT!r} and {UNPINNED!r} always exist")
        self.scenarios[name] = Scenario(name, self._pins, note)
        return self

    def recall(self, name: str) -> Explorer:
        """Go to a scenario's pins."""
        return self._change(self._pins_of(name))

    def note(self, name: str, text: str) -> Explorer:
        """Write a note to a scenario."""
        self._pins_of(name)
        if name not in self.scenarios:
            raise ParameterError(f"{name!r} is no kept scenario; keep it under a name first")
        self.scenarios[name] = replace(self.scenarios[name], note=text)
        return self

    def compare(self, first: str, second: str = CURRENT) -> Comparison:
        """Two scenarios feature by feature; "current" and "unpinned" are scenarios too."""
        each = [result_under(self.problem, self._solve(self._pins_of(name))) for name in (first, second)]
        return compare(first, each[0], second, each[1])

    def _pins_of(self, name: str) -> tuple[Pin, ...]:
        if name == UNPINNED:
            return ()
        if name == CURRENT:
            return self._pins
        if name not in self.scenarios:
            raise ParameterError(f"no scenario {name!r}; there are {[CURRENT, UNPINNED, *self.scenarios]}")
        return self.scenarios[name].pins

    # -- files -----------------------------------------------------------------------------------------------------

    def save(self, path: str | Path) -> None:
        """Write the model, its family, the current pins and all scenarios as one JSON file (.gz: compressed).

        The file holds the scaled training table: whoever has the file has the data.
        """
        scenarios = [{**vars(s), "pins": [pin_record(pin) for pin in s.pins]} for s in self.scenarios.values()]
        write(path, self.problem, {"pins": [pin_record(pin) for pin in self._pins], "scenarios": scenarios})

    @classmethod
    def load(cls, path: str | Path) -> Explorer:
        """The session that `save` wrote."""
        problem, session = read(path)
        explorer = cls(problem)
        for record in session["scenarios"]:
            pins = tuple(read_pin_record(pin) for pin in record["pins"])
            explorer.scenarios[record["name"]] = Scenario(record["name"], pins, record["note"])
        explorer._pins = tuple(read_pin_record(pin) for pin in session["pins"])
        return explorer

    def __repr__(self) -> str:
        said = ", ".join(str(pin) for pin in self._pins) or "no pins"
        return f"<Explorer of {len(self.problem.names)} features: {said}>"

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the solver, which is made again when needed."""
        return {**self.__dict__, "_board": None}

"""What a session remembers: the pins in force, the way back, named scenarios, and the last answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from relspan.errors import InfeasibleFamily, ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pin_conflicts import explain
from relspan.explore.pinned_family import Pinned, PinSolver
from relspan.explore.pinned_result import ScenarioComparison, compare, result_under
from relspan.explore.pins import EXTREME, Demand, Pin, at_the_end, read_pin
from relspan.result import RelevanceResult

CURRENT, UNPINNED = "current", "unpinned"
REMEMBERED = 32  # answers kept: each holds its proofs


@dataclass(frozen=True)
class Scenario:
    """A named set of pins with a note."""

    name: str
    pins: tuple[Pin, ...]
    note: str = ""


class PinHistory:
    """Pins on one family, with undo, redo and scenarios."""

    def __init__(self, problem: FittedProblem) -> None:
        self.problem = problem
        self.scenarios: dict[str, Scenario] = {}
        self._board: PinSolver | None = None
        self._past: list[tuple[Pin, ...]] = []
        self._future: list[tuple[Pin, ...]] = []
        self._pins: tuple[Pin, ...] = ()
        self._known: dict[tuple[Pin, ...], Pinned] = {}

    # -- pins ------------------------------------------------------------------------------------------------------

    @property
    def pins(self) -> tuple[Pin, ...]:
        """The pins in force, in the order they were set."""
        return self._pins

    def pin(self, feature: str, demand: Demand) -> Self:
        """Demand something of a feature's relevance: "min", "max", "without", a value, or a range (low, high).

        "min" and "max" are as little and as much as the other pins allow (of several of them, those set earlier go
        first), and follow when the other pins change. A new pin on a feature replaces the old one.
        """
        return self._change((*self._others(feature), read_pin(self.problem, feature, demand)))

    def pin_all(self, demands: Mapping[str, Demand]) -> Self:
        """Set several pins in one step."""
        new = tuple(read_pin(self.problem, feature, demand) for feature, demand in demands.items())
        return self._change((*(pin for pin in self._pins if pin.feature not in demands), *new))

    def without(self, *features: str) -> Self:
        """Use only models without these features."""
        return self.pin_all(dict.fromkeys(features, "without"))

    def unpin(self, *features: str) -> Self:
        """Take pins away; of all features if none is named."""
        for feature in features:
            if self.problem.known(feature) not in [pin.feature for pin in self._pins]:
                raise ParameterError(f"{feature!r} is not pinned; pinned are {[pin.feature for pin in self._pins]}")
        return self._change(tuple(pin for pin in self._pins if features and pin.feature not in features))

    def go(self, pins: tuple[Pin, ...]) -> Self:
        """Set these pins and no others, in one step."""
        return self._change(pins)

    def undo(self) -> Self:
        """Go back to the pins before the last change."""
        return self._step(self._past, self._future, "undo")

    def redo(self) -> Self:
        """Take back the last undo."""
        return self._step(self._future, self._past, "redo")

    def _others(self, feature: str) -> tuple[Pin, ...]:
        return tuple(pin for pin in self._pins if pin.feature != feature)

    def _change(self, pins: tuple[Pin, ...]) -> Self:
        pins = self._settled(pins)
        self._admit(pins)
        if pins != self._pins:
            self._past.append(self._pins)
            self._future.clear()
            self._pins = pins
        return self

    def _admit(self, pins: tuple[Pin, ...]) -> None:
        """Refuse pins that no model satisfies; their intervals are solved when they are asked for."""
        if pins not in self._known and not self.board.feasible(pins):
            raise explain(self.board, pins)

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

    def _step(self, source: list[tuple[Pin, ...]], target: list[tuple[Pin, ...]], word: str) -> Self:
        if not source:
            raise ParameterError(f"there is nothing to {word}")
        target.append(self._pins)
        self._pins = source.pop()
        return self

    # -- what they leave -------------------------------------------------------------------------------------------

    @property
    def board(self) -> PinSolver:
        """The warm solver; made when it is first needed."""
        if self._board is None:
            self._board = PinSolver(self.problem)
        return self._board

    @property
    def pinned(self) -> Pinned:
        """The ranges under the current pins, in the solver's units, with branches and certificates."""
        return self._solve(self._pins)

    def _solve(self, pins: tuple[Pin, ...]) -> Pinned:
        if pins not in self._known:
            near = next(reversed(self._known.values())).branches if self._known else ()
            try:
                found = self.board.pinned(pins, near)
            except InfeasibleFamily as error:
                raise explain(self.board, pins) from error
            if len(self._known) >= REMEMBERED:
                self._known.pop(next(iter(self._known)))
            self._known[pins] = found
        return self._known[pins]

    @property
    def result(self) -> RelevanceResult:
        """Intervals and classes under the current pins; probes and thresholds are those of the unpinned analysis."""
        return result_under(self.problem, self.pinned)

    # -- scenarios -------------------------------------------------------------------------------------------------

    def keep(self, name: str, note: str = "") -> Self:
        """Remember the current pins under a name."""
        if name in (CURRENT, UNPINNED) or not name:
            raise ParameterError(f"{name!r} cannot name a scenario; {CURRENT!r} and {UNPINNED!r} always exist")
        self.scenarios[name] = Scenario(name, self._pins, note)
        return self

    def recall(self, name: str) -> Self:
        """Go to a scenario's pins."""
        return self._change(self._pins_of(name))

    def note(self, name: str, text: str) -> Self:
        """Write a note to a scenario."""
        self._pins_of(name)
        if name not in self.scenarios:
            raise ParameterError(f"{name!r} is no kept scenario; keep it under a name first")
        self.scenarios[name] = replace(self.scenarios[name], note=text)
        return self

    def compare(self, first: str, second: str = CURRENT) -> ScenarioComparison:
        """Two scenarios feature by feature; "current" and "unpinned" are scenarios too."""
        each = [result_under(self.problem, self._solve(self._pins_of(name))) for name in (first, second)]
        return compare(first, each[0], second, each[1])

    def forget(self, name: str) -> Self:
        """Drop a kept scenario."""
        if name not in self.scenarios:
            raise ParameterError(f"no kept scenario {name!r}; there are {list(self.scenarios)}")
        del self.scenarios[name]
        return self

    @property
    def can_undo(self) -> bool:
        """Whether there are pins to go back to."""
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        """Whether an undo can be taken back."""
        return bool(self._future)

    def _pins_of(self, name: str) -> tuple[Pin, ...]:
        if name == UNPINNED:
            return ()
        if name == CURRENT:
            return self._pins
        if name not in self.scenarios:
            raise ParameterError(f"no scenario {name!r}; there are {[CURRENT, UNPINNED, *self.scenarios]}")
        return self.scenarios[name].pins

    def __repr__(self) -> str:
        said = ", ".join(str(pin) for pin in self._pins) or "no pins"
        return f"<{type(self).__name__} of {len(self.problem.names)} features: {said}>"

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the solver, which is made again when needed."""
        return {**self.__dict__, "_board": None}

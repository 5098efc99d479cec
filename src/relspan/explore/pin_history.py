"""The pins in force on one family, the way back and forth, and what the latest sets of pins left."""

from __future__ import annotations

from collections import deque
from typing import Any

from relspan.errors import InfeasibleFamily, ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pin_conflicts import conflict_error
from relspan.explore.pinned_family import PinnedFamily, PinSolver
from relspan.explore.pins import END_NAMES, Pin, pin_at_end
from relspan.progress import Progress, silent

MOST_KEPT_FAMILIES = 32  # pinned families that are kept: each holds its proofs
MOST_UNDO_STEPS = 1000  # changes that can be undone: a session of any length stays small
Pins = tuple[Pin, ...]


class PinHistory:
    """Pins on one family, with undo and redo. Pins that no model satisfies are refused and change nothing."""

    def __init__(self, problem: FittedProblem, pins: Pins = ()) -> None:
        self.problem = problem
        self._pins = pins
        self._past: deque[Pins] = deque(maxlen=MOST_UNDO_STEPS)
        self._future: deque[Pins] = deque(maxlen=MOST_UNDO_STEPS)
        self._families: dict[Pins, PinnedFamily] = {}
        self._solver: PinSolver | None = None

    @property
    def pins(self) -> Pins:
        """The pins in force, in the order they were set."""
        return self._pins

    @property
    def solver(self) -> PinSolver:
        """The warm solver; made when it is first needed."""
        if self._solver is None:
            self._solver = PinSolver(self.problem)
        return self._solver

    def set(self, pins: Pins) -> None:
        """Put these pins, and no others, in force."""
        pins = self._with_extremes(pins)
        if pins not in self._families and not self.solver.feasible(pins):
            raise conflict_error(self.solver, pins)
        if pins != self._pins:
            self._past.append(self._pins)
            self._future.clear()
            self._pins = pins

    def undo(self) -> None:
        """Go back to the pins before the last change."""
        self._step(self._past, self._future, "undo")

    def redo(self) -> None:
        """Take back the last undo."""
        self._step(self._future, self._past, "redo")

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._future)

    def current_family(self, progress: Progress = silent) -> PinnedFamily:
        """What the pins in force leave."""
        return self.family_under(self._pins, progress)

    def family_under(self, pins: Pins, progress: Progress = silent) -> PinnedFamily:
        """What some pins leave; kept for the latest sets of pins."""
        if pins not in self._families:
            near = next(reversed(self._families.values())).branches if self._families else ()
            try:
                found = self.solver.family_under(pins, near, progress=progress)
            except InfeasibleFamily as error:
                raise conflict_error(self.solver, pins) from error
            if len(self._families) >= MOST_KEPT_FAMILIES:
                self._families.pop(next(iter(self._families)))
            self._families[pins] = found
        return self._families[pins]

    def _with_extremes(self, pins: Pins) -> Pins:
        """The pins with "min" and "max" as numbers, given all pins that are numbers and then one another in turn."""
        known = {pin.feature: pin for pin in pins if pin.asked not in END_NAMES}
        for pin in pins:
            if pin.asked in END_NAMES:
                given = tuple(known.values())
                intervals = self.solver.relevance(pin.feature, given)
                if not intervals:
                    raise conflict_error(self.solver, given)
                least, most = min(low for low, _ in intervals), max(high for _, high in intervals)
                known[pin.feature] = pin_at_end(pin.feature, pin.asked, least, most)
        return tuple(known[pin.feature] for pin in pins)

    def _step(self, source: deque[Pins], target: deque[Pins], action: str) -> None:
        if not source:
            raise ParameterError(f"there is nothing to {action}")
        target.append(self._pins)
        self._pins = source.pop()

    def __getstate__(self) -> dict[str, Any]:
        """Everything but the solver, which is made again when needed."""
        return {**self.__dict__, "_solver": None}

"""Pins that no equally good model satisfies: which of them conflict, and what would work instead.

A minimal conflicting subset is found by the deletion filter: leave out one pin after the other, and keep it out where
the rest still has no model. What remains has none, and any proper subset of it has one. For each pin in it the nearest
value that works is the end of the feature's interval given the others; for a pin with a sign it is a weight, with the
sign that it has. A category that is left out is one pin here, although each of its levels has one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from relspan.checks import quoted
from relspan.errors import InfeasiblePins
from relspan.explore.feature_totals import intervals_under
from relspan.explore.fitted_problem import FittedProblem, WholeFeature
from relspan.explore.pinned_family import PinSolver
from relspan.explore.pins import Pin
from relspan.losses import signs_of


@dataclass(frozen=True)
class WholePin:
    """What is demanded of a whole feature: one pin, or those that leave out all levels of a category."""

    feature: WholeFeature
    pins: tuple[Pin, ...]

    @property
    def leaves_out(self) -> bool:
        """Whether it leaves its feature out."""
        return self.pins[0].asked == "without"

    def __str__(self) -> str:
        return str(self.pins[0]) if len(self.pins) == 1 else f"without {self.feature.name}"


def conflict_error(solver: PinSolver, pins: Sequence[Pin]) -> InfeasiblePins:
    """The error that explains why these infeasible pins fail."""
    every = whole_pins(solver.problem, pins)
    conflict = conflicting_pins(solver, every)
    nearest = {pin.feature.name: nearest_value(solver, pin, every, conflict) for pin in conflict}
    described = [f"{pin} (nearest that works: {nearest[pin.feature.name]:.4g})" for pin in conflict]
    if len(conflict) == 1:
        verb = "works" if conflict[0].leaves_out else "has"  # "works without x", "has x = 2"
        message = f"no equally good model {verb} {described[0]}"
    else:
        message = (
            f"no equally good model satisfies these pins together: {', '.join(described)}; "
            "it is enough to move one of them"
        )
    demanded = signs_of(solver.problem.loss, solver.family.n_features)
    for pin in (single for whole in conflict for single in whole.pins):
        column = solver.problem.column(pin.feature)
        sign = 0 if column is None else demanded[column]
        if sign:
            which = "positive" if sign > 0 else "negative"
            message += f"; the analysis demands a {which} weight of {pin.feature!r}, or 0"
    others = [pin for pin in every if pin not in conflict]
    if others:
        # A minimal conflict may be one of several: whoever mends it should be warned of the next.
        names = quoted([pin.feature.name for pin in others])
        message += (
            f"; no part of this conflict: {names}"
            if solver.feasible(_single(others))
            else f"; there is a further conflict among the other pins: {names}"
        )
    return InfeasiblePins(message, tuple(pin.feature.name for pin in conflict), nearest)


def whole_pins(problem: FittedProblem, pins: Sequence[Pin]) -> list[WholePin]:
    """The pins, with one for every category of which all levels are left out."""
    left_out = {pin.feature: pin for pin in pins if pin.asked == "without"}
    homes = {j: feature for feature in problem.features if not feature.is_single for j in feature.columns}
    found: dict[str, WholePin] = {}
    for pin in pins:
        column = problem.column(pin.feature)
        home = None if column is None else homes.get(column)
        levels = [] if home is None else [problem.columns[j] for j in home.columns]
        if home is not None and all(level in left_out for level in levels):
            found.setdefault(home.name, WholePin(home, tuple(left_out[level] for level in levels)))
        else:
            found[pin.feature] = WholePin(problem.feature(pin.feature), (pin,))
    return list(found.values())


def conflicting_pins(solver: PinSolver, pins: Sequence[WholePin]) -> list[WholePin]:
    """A subset without a model whose every proper subset has one."""
    left = list(pins)
    for pin in pins:
        rest = [other for other in left if other is not pin]
        if rest and not solver.feasible(_single(rest)):
            left = rest
    return left


def nearest_value(solver: PinSolver, pin: WholePin, pins: Sequence[WholePin], conflict: Sequence[WholePin]) -> float:
    """The relevance nearest to what the pin demands given all other pins, in shares of the baseline's norm.

    Where all other pins conflict among themselves too, only those of this conflict are given. For a pin with a sign it
    is the nearest weight, which may have the other sign.
    """
    others = [_single([other for other in given if other is not pin]) for given in (pins, conflict)]
    if len(pin.pins) > 1:
        given = next(each for each in others if solver.feasible(each))
        return float(intervals_under(solver, given, [pin.feature])[0, 0]) / solver.problem.mu
    own = pin.pins[0]
    if own.sign:
        weights = solver.weights(own.feature, others[0]) or solver.weights(own.feature, others[1])
        low, high = (own.low, own.high) if own.sign == "+" else (-own.high, -own.low)
        nearest = [hi if hi < low else min(max(lo, low), max(lo, high)) for lo, hi in weights]
        return min(nearest, key=lambda value: max(low - value, value - high, 0.0))
    intervals = solver.relevance(own.feature, others[0]) or solver.relevance(own.feature, others[1])
    candidates = [most if most < own.low else max(least, own.low) for least, most in intervals]
    return min(candidates, key=lambda value: max(own.low - value, value - own.high, 0.0))


def _single(pins: Sequence[WholePin]) -> tuple[Pin, ...]:
    return tuple(pin for whole in pins for pin in whole.pins)

"""Pins that no equally good model satisfies: which of them conflict, and what would work instead.

A minimal conflicting subset is found by the deletion filter: leave out one pin after the other, and keep it out where
the rest still has no model. What remains has none, and any proper subset of it has one. For each pin in it the nearest
value that works is the end of the feature's interval given the others; for a pin with a sign it is a weight, with the
sign that it has.
"""

from __future__ import annotations

from collections.abc import Sequence

from relspan.checks import quoted
from relspan.errors import InfeasiblePins
from relspan.explore.pinned_family import PinSolver
from relspan.explore.pins import Pin
from relspan.losses import signs_of


def conflict_error(solver: PinSolver, pins: Sequence[Pin]) -> InfeasiblePins:
    """The error that explains why these infeasible pins fail."""
    conflict = conflicting_pins(solver, pins)
    nearest = {pin.feature: nearest_value(solver, pin, pins, conflict) for pin in conflict}
    described = [f"{pin} (nearest that works: {nearest[pin.feature]:.4g})" for pin in conflict]
    if len(conflict) == 1:
        verb = "works" if conflict[0].asked == "without" else "has"  # "works without x", "has x = 2"
        message = f"no equally good model {verb} {described[0]}"
    else:
        message = (
            f"no equally good model satisfies these pins together: {', '.join(described)}; "
            "it is enough to move one of them"
        )
    demanded = signs_of(solver.problem.loss, solver.family.n_features)
    signed = {pin.feature: demanded[j] for pin in conflict if (j := solver.problem.column(pin.feature)) is not None}
    for feature, sign in signed.items():
        if sign:
            message += f"; the analysis demands a {'positive' if sign > 0 else 'negative'} weight of {feature!r}, or 0"
    others = [pin for pin in pins if pin not in conflict]
    if others:
        # A minimal conflict may be one of several: whoever mends it should be warned of the next.
        names = quoted([pin.feature for pin in others])
        message += (
            f"; no part of this conflict: {names}"
            if solver.feasible(others)
            else f"; there is a further conflict among the other pins: {names}"
        )
    return InfeasiblePins(message, tuple(pin.feature for pin in conflict), nearest)


def conflicting_pins(solver: PinSolver, pins: Sequence[Pin]) -> list[Pin]:
    """A subset without a model whose every proper subset has one."""
    left = list(pins)
    for pin in pins:
        rest = [other for other in left if other is not pin]
        if rest and not solver.feasible(rest):
            left = rest
    return left


def nearest_value(solver: PinSolver, pin: Pin, pins: Sequence[Pin], conflict: Sequence[Pin]) -> float:
    """The relevance nearest to what the pin demands given all other pins, in shares of the baseline's norm.

    Where all other pins conflict among themselves too, only those of this conflict are given. For a pin with a sign it
    is the nearest weight, which may have the other sign.
    """
    if pin.sign:
        weights = solver.weights(pin.feature, [other for other in pins if other is not pin])
        weights = weights or solver.weights(pin.feature, [other for other in conflict if other is not pin])
        low, high = (pin.low, pin.high) if pin.sign == "+" else (-pin.high, -pin.low)
        nearest = [hi if hi < low else min(max(lo, low), max(lo, high)) for lo, hi in weights]
        return min(nearest, key=lambda value: max(low - value, value - high, 0.0))
    others = solver.relevance(pin.feature, [other for other in pins if other is not pin])
    others = others or solver.relevance(pin.feature, [other for other in conflict if other is not pin])
    candidates = [most if most < pin.low else max(least, pin.low) for least, most in others]
    return min(candidates, key=lambda value: max(pin.low - value, value - pin.high, 0.0))

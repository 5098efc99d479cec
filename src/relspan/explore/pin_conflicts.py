"""Pins that no equally good model satisfies: which of them conflict, and what would work instead.

A minimal conflicting subset is found by the deletion filter: leave out one pin after the other, and keep it out where
the rest still has no model. What remains has none, and any proper subset of it has one. For each pin in it the nearest
value that works is the end of the feature's interval given the others.
"""

from __future__ import annotations

from collections.abc import Sequence

from relspan.errors import InfeasiblePins
from relspan.explore.fitted_problem import listed
from relspan.explore.pinned_family import PinSolver
from relspan.explore.pins import Pin


def explain(board: PinSolver, pins: Sequence[Pin]) -> InfeasiblePins:
    """The error that says why these infeasible pins fail."""
    conflict = conflicting(board, pins)
    nearest = {pin.feature: nearest_value(board, pin, pins, conflict) for pin in conflict}
    said = [f"{pin} (nearest that works: {nearest[pin.feature]:.4g})" for pin in conflict]
    if len(conflict) == 1:
        has = "does" if conflict[0].asked == "without" else "has"  # "does without x", "has x = 2"
        message = f"no equally good model {has} {said[0]}"
    else:
        message = (
            f"no equally good model satisfies these pins together: {', '.join(said)}; moving one of them is enough"
        )
    others = [pin for pin in pins if pin not in conflict]
    if others:
        # A minimal conflict may be one of several: whoever mends it should not run into the next unwarned.
        role = "not part of the conflict" if board.feasible(others) else "in conflict even without these"
        message += f" ({role}: {listed([pin.feature for pin in others])})"
    return InfeasiblePins(message, tuple(pin.feature for pin in conflict), nearest)


def conflicting(board: PinSolver, pins: Sequence[Pin]) -> list[Pin]:
    """A subset without a model whose every proper subset has one."""
    left = list(pins)
    for pin in pins:
        rest = [other for other in left if other is not pin]
        if rest and not board.feasible(rest):
            left = rest
    return left


def nearest_value(board: PinSolver, pin: Pin, pins: Sequence[Pin], conflict: Sequence[Pin]) -> float:
    """The relevance nearest to what the pin asks for given all other pins, in shares of the baseline's norm.

    Where all other pins conflict among themselves too, only those of this conflict are given.
    """
    others = board.relevance(pin.feature, [other for other in pins if other is not pin])
    others = others or board.relevance(pin.feature, [other for other in conflict if other is not pin])
    candidates = [most if most < pin.low else max(least, pin.low) for least, most in others]
    return min(candidates, key=lambda value: max(pin.low - value, value - pin.high, 0.0))

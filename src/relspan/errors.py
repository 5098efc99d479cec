"""What can go wrong, one type a kind. Every message names the column, value or parameter, and what would work."""

from __future__ import annotations


class RelspanError(Exception):
    """Base of everything relspan raises on purpose."""


class DataError(RelspanError, ValueError):
    """The table or the target cannot be analysed as it is."""


class ParameterError(RelspanError, ValueError):
    """A parameter has a value that means nothing."""


class DegenerateBaseline(RelspanError, ValueError):
    """The best model uses no feature (mu = 0), so there is no norm to share out."""


class InfeasibleFamily(RelspanError, ValueError):
    """No model satisfies the budgets and constraints."""


class InfeasiblePins(InfeasibleFamily):
    """No equally good model satisfies the pins.

    Attributes
    ----------
    conflict : tuple of str
        Features of a minimal set of pins that cannot hold together: without any one of them the others can.
    nearest : dict of str to float
        For each of them the nearest relevance that works given the other pins.
    """

    def __init__(self, message: str, conflict: tuple[str, ...] = (), nearest: dict[str, float] | None = None) -> None:
        super().__init__(message)
        self.conflict = conflict
        self.nearest = dict(nearest or {})


class SolverError(RelspanError, RuntimeError):
    """A solver gave no certified answer."""


class RelspanWarning(UserWarning):
    """The answer stands, but the reader should know something about it."""

"""Exceptions, one class per kind of failure. Messages name the column, value or parameter, and what would work."""

from __future__ import annotations


class RelspanError(Exception):
    """Base class of all exceptions that relspan raises intentionally."""


class DataError(RelspanError, ValueError):
    """The table or the target cannot be analysed as it is."""


class ParameterError(RelspanError, ValueError):
    """A parameter has a value, or a type, that has no meaning."""


class ModelError(RelspanError, ValueError):
    """A fitted model cannot be audited: it is not linear, not fitted, or minimises a loss that is not known."""


class DegenerateBaseline(RelspanError, ValueError):
    """The best model uses no feature (mu = 0), so there is no norm to share out.

    Parameters
    ----------
    message : str
        The sentence that a reader sees.
    larger_C : float or None, default=None
        A larger C at which the best model does use a feature, where one is known.
    """

    def __init__(self, message: str, larger_C: float | None = None) -> None:
        super().__init__(message)
        self.larger_C = larger_C


class InfeasibleFamily(RelspanError, ValueError):
    """No model satisfies the budgets and constraints."""


class InfeasiblePins(InfeasibleFamily):
    """No equally good model satisfies the pins.

    Parameters
    ----------
    message : str
        The sentence that a reader sees.
    conflict : tuple of str, default=()
        The features of a minimal set of pins that conflict: without any one of these pins, the others are possible.
    nearest : dict of str to float or None, default=None
        The nearest possible relevance of each of these features, given the other pins.
    """

    def __init__(self, message: str, conflict: tuple[str, ...] = (), nearest: dict[str, float] | None = None) -> None:
        super().__init__(message)
        self.conflict = conflict
        self.nearest = dict(nearest or {})


class InfeasibleRules(InfeasibleFamily):
    """No equally good model keeps the rules of a panel, or the limits of a score card."""


class SolverError(RelspanError, RuntimeError):
    """A solver gave no certified answer."""


class VerificationError(RelspanError, ValueError):
    """A result does not follow from its table, or a proof of it does not hold."""


class RelspanWarning(UserWarning):
    """The result is valid, but the reader should know something about it."""

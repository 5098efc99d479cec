"""Pins: what a person demands of a feature's relevance, and the weights that the demand leaves.

A pin is  low <= |w_k| / mu <= high.  It can be given as

    "without"        no model may use the feature
    a number         exactly this relevance
    (low, high)      a range
    "min", "max"     as little or as much as the other pins allow

For low = 0 a pin is one interval of the weight, [-high, high]. For low > 0 it is the union of two, [low, high] and
[-high, -low], of which at least one must hold: the *sign branches*. A set of pins is the union over all combinations
of signs. The sign is never taken from the baseline, whose weight may be 0 or of the other sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from relspan.analysis.intervals import WeightRanges
from relspan.errors import ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.tolerances import PIN_ROUNDING

END_NAMES = ("min", "max")
Demand: TypeAlias = "str | float | tuple[float, float]"
Interval: TypeAlias = tuple[float, float]


@dataclass(frozen=True)
class Pin:
    """A demand on the relevance of one feature.

    Pins are made by `Explorer.pin` and its siblings, which turn "min" and "max" into numbers.

    Parameters
    ----------
    feature : str
        The feature that is pinned.
    low, high : float
        The smallest and the largest relevance that is allowed, in shares of the baseline's norm. `high` is infinite
        where there is no upper limit.
    asked : {"min", "max", "without", "value", "range"}
        How the demand was given.

    See Also
    --------
    Explorer.pin : Set a pin.

    Examples
    --------
    >>> from relspan.explore import Pin
    >>> str(Pin("age", 0.0, 0.1, "range"))
    'age in 0..0.1'
    """

    feature: str
    low: float
    high: float
    asked: str

    @property
    def demand(self) -> Demand:
        """The demand as `Explorer.pin` takes it.

        Returns
        -------
        str, float or tuple of float
            "min", "max" or "without", a value, or a range (low, high).
        """
        if self.asked in (*END_NAMES, "without"):
            return self.asked
        return self.low if self.asked == "value" else (self.low, self.high)

    @property
    def in_python(self) -> str:
        """The demand as it is written in a Python script.

        Returns
        -------
        str
            An expression that evaluates to `demand`.
        """
        return repr(self.demand).replace("inf", "float('inf')")

    @property
    def on_the_command_line(self) -> list[str]:
        """The pin as options of a command.

        Returns
        -------
        list of str
            The flag and its value, such as ``["--pin", "age=max"]``.
        """
        demand = self.demand
        if demand == "without":
            return ["--without", self.feature]
        if isinstance(demand, tuple):
            low, high = demand
            demand = f"{low!r}..{'' if high == np.inf else repr(high)}"
        return ["--pin", f"{self.feature}={demand}"]

    def __str__(self) -> str:
        if self.asked == "without":
            return f"without {self.feature}"
        if self.asked in END_NAMES:
            return f"{self.feature} at its {self.asked} ({self.low if self.asked == 'max' else self.high:.4g})"
        if self.asked == "value":
            return f"{self.feature} = {self.low:.4g}"
        if self.high == np.inf:
            return f"{self.feature} >= {self.low:.4g}"
        return f"{self.feature} in {self.low:.4g}..{self.high:.4g}"


def read_pin(problem: FittedProblem, feature: str, demand: Any) -> Pin:
    """A pin on a feature. "min" and "max" are given the ends of the feature's unpinned interval."""
    j = problem.column(feature)
    least, most = (0.0, 0.0) if j is None else problem.analysis.ranges.relevances[j] / problem.mu
    if isinstance(demand, str):
        if demand == "without":
            return Pin(feature, 0.0, 0.0, "without")
        if demand in END_NAMES:
            return pin_at_end(feature, demand, float(least), float(most))
        raise ParameterError(
            f"a pin on {feature!r} is 'min', 'max', 'without', a value or a range (low, high), not {demand!r}"
        )
    try:
        low, high = (demand, demand) if isinstance(demand, Real) else demand
        low, high = float(low), float(high)
    except (TypeError, ValueError):
        raise ParameterError(f"a pin on {feature!r} needs a number or a pair (low, high), not {demand!r}") from None
    if not (0 <= low <= high) or low == np.inf:
        raise ParameterError(
            f"a pin on {feature!r} needs 0 <= low <= high, as shares of the best model's norm, not {demand!r}; "
            "relevance is the size of a weight and has no sign"
        )
    low = float(most) if most < low <= most + PIN_ROUNDING else low
    high = float(least) if least - PIN_ROUNDING <= high < least else high
    return Pin(feature, low, high, "value" if isinstance(demand, Real) else "range")


def pin_at_end(feature: str, end: str, least: float, most: float) -> Pin:
    """A pin at the "min" or "max" of an interval; the side beyond the end is left open, since no model lies there."""
    return Pin(feature, 0.0, least, "min") if end == "min" else Pin(feature, most, np.inf, "max")


# -- weights ----------------------------------------------------------------------------------------------------------


def sign_intervals(pin: Pin, problem: FittedProblem) -> list[Interval]:
    """The intervals of the weight itself that a pin leaves, without signs that the feature's own range excludes."""
    j, mu = problem.column(pin.feature), problem.mu
    if j is None:
        return [(0.0, 0.0)] if pin.low == 0 else []
    low, high = pin.low * mu, pin.high * mu
    intervals = [(-high, high)] if low == 0 else [(low, high), (-high, -low)]
    least, most = certified_ends(problem.analysis.ranges, j)
    slack = PIN_ROUNDING * mu
    return [(l, h) for l, h in intervals if l <= most + slack and h >= least - slack]


def certified_ends(ranges: WeightRanges, j: int) -> Interval:
    """Ends that w_j provably does not cross."""
    lo, hi = float(ranges.lo[j]), float(ranges.hi[j])
    gap_lo, gap_hi = ranges.gaps[j]
    return lo - float(gap_lo), hi + float(gap_hi)


# -- records ----------------------------------------------------------------------------------------------------------


def pin_record(pin: Pin) -> dict[str, Any]:
    """A pin for JSON; `high` is None where a range has no upper end."""
    record = asdict(pin)
    return {**record, "high": record["high"] if np.isfinite(record["high"]) else None}


def pin_from_record(record: Mapping[str, Any]) -> Pin:
    """The pin of such a record."""
    high = np.inf if record["high"] is None else float(record["high"])
    return Pin(record["feature"], float(record["low"]), high, record["asked"])


def pins_from_records(problem: FittedProblem, records: Iterable[Mapping[str, Any]]) -> tuple[Pin, ...]:
    """The pins of a saved session; each must be on a feature of the problem."""
    pins = tuple(pin_from_record(record) for record in records)
    for pin in pins:
        problem.known(pin.feature)
    return pins

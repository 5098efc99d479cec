"""Pins: what a person demands of a feature's relevance, and the weights that the demand leaves.

A pin is  low <= |w_k| / mu <= high.  It can be given as

    "without"        no model may use the feature
    a number         exactly this relevance
    (low, high)      a range
    "min", "max"     as little or as much as the other pins allow
    "+", "-"         a weight of this sign, or none
    ("+", low, high) a range of relevance with a weight of this sign; ("+", value) exactly this relevance

For low = 0 a pin without a sign is one interval of the weight, [-high, high]. For low > 0 it is the union of two,
[low, high] and [-high, -low], of which at least one must hold: the *sign branches*. A set of pins is the union over all
combinations of signs. A pin with a sign is one interval, [low, high] or [-high, -low]. A sign that is not given is
never taken from the baseline, whose weight may be 0 or of the other sign.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from numbers import Real
from typing import Any, TypeAlias

import numpy as np

from relspan.analysis.intervals import WeightRanges
from relspan.arrays import Floats
from relspan.errors import ParameterError
from relspan.explore.fitted_problem import FittedProblem
from relspan.tolerances import PIN_ROUNDING

END_NAMES = ("min", "max")
SIGN_NAMES = {"+": "+", "positive": "+", "-": "-", "negative": "-"}
Demand: TypeAlias = "str | float | tuple[float, float] | tuple[str, float] | tuple[str, float, float]"
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
    asked : {"min", "max", "without", "value", "range", "sign"}
        How the demand was given.
    sign : {"", "+", "-"}, default=""
        The sign that the weight must have where it is not 0; both are allowed where it is empty.

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
    sign: str = ""

    def __repr__(self) -> str:
        sign = f", sign={self.sign!r}" if self.sign else ""
        return f"Pin(feature={self.feature!r}, low={self.low!r}, high={self.high!r}, asked={self.asked!r}{sign})"

    @property
    def demand(self) -> Demand:
        """The demand as `Explorer.pin` takes it.

        Returns
        -------
        str, float or tuple
            "min", "max" or "without", a value, or a range (low, high); with a sign "+", ("+", value) or
            ("+", low, high).
        """
        if self.asked in (*END_NAMES, "without"):
            return self.asked
        if self.sign:
            if self.asked == "sign":
                return self.sign
            return (self.sign, self.low) if self.asked == "value" else (self.sign, self.low, self.high)
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
        if self.asked == "value":
            demand = f"{self.sign}{self.low!r}"
        elif self.asked == "range":
            second = "-" if self.sign == "-" else ""  # one minus before a range could be taken for its lower end
            demand = f"{self.sign}{self.low!r}..{'' if self.high == np.inf else f'{second}{self.high!r}'}"
        return ["--pin", f"{self.feature}={demand}"]

    def __str__(self) -> str:
        if self.asked == "without":
            return f"without {self.feature}"
        if self.asked in END_NAMES:
            return f"{self.feature} at its {self.asked} ({self.low if self.asked == 'max' else self.high:.4g})"
        if self.asked == "sign":
            return f"{self.feature} {'positive' if self.sign == '+' else 'negative'} or 0"
        if self.asked == "value":
            return f"{self.feature} = {self.sign}{self.low:.4g}"
        if self.sign == "-":  # as the values of the weight
            low = f"-{self.low:.4g}" if self.low else "0"
            return f"{self.feature} <= {low}" if self.high == np.inf else f"{self.feature} in -{self.high:.4g}..{low}"
        if self.high == np.inf:
            return f"{self.feature} >= {self.sign}{self.low:.4g}"
        return f"{self.feature} in {self.sign}{self.low:.4g}..{self.sign}{self.high:.4g}"


def read_pin(problem: FittedProblem, feature: str, demand: Any) -> Pin:
    """A pin on a feature. "min" and "max" are given the ends of the feature's unpinned interval."""
    j = problem.column(feature)
    least, most = (0.0, 0.0) if j is None else problem.analysis.ranges.relevances[j] / problem.mu
    sign, demand = _sign_and_rest(feature, demand)
    if sign and demand == ():
        return Pin(feature, 0.0, np.inf, "sign", sign)
    if sign and j is not None:
        least, most = side_of(sign, problem.analysis.ranges.lo[j], problem.analysis.ranges.hi[j]) / problem.mu
    if isinstance(demand, str):
        if demand == "without":
            return Pin(feature, 0.0, 0.0, "without")
        if demand in END_NAMES:
            return pin_at_end(feature, demand, float(least), float(most))
        raise ParameterError(
            f"a pin on {feature!r} is 'min', 'max', 'without', a value or a range (low, high), not {demand!r}; a sign "
            "is '+' or '-', alone or before a range, as in ('+', low, high)"
        )
    try:
        low, high = (demand, demand) if isinstance(demand, Real) else demand
        low, high = float(low), float(high)
    except (TypeError, ValueError):
        raise ParameterError(f"a pin on {feature!r} needs a number or a pair (low, high), not {demand!r}") from None
    if not (0 <= low <= high) or low == np.inf:
        raise ParameterError(
            f"a pin on {feature!r} needs 0 <= low <= high, as shares of the best model's norm, not {demand!r}; "
            "relevance is the size of a weight; a sign is given before it, as in ('-', 0.1, 0.3)"
        )
    low = float(most) if most < low <= most + PIN_ROUNDING else low
    high = float(least) if least - PIN_ROUNDING <= high < least else high
    return Pin(feature, low, high, "value" if isinstance(demand, Real) else "range", sign)


def _sign_and_rest(feature: str, demand: Any) -> tuple[str, Any]:
    """The sign of a demand, empty where it has none, and what else is demanded: (), a number or a pair."""
    if isinstance(demand, str) and demand in SIGN_NAMES:
        return SIGN_NAMES[demand], ()
    if isinstance(demand, (tuple, list)) and demand and isinstance(demand[0], str):
        sign, *rest = demand
        if sign not in SIGN_NAMES or not 1 <= len(rest) <= 2:
            raise ParameterError(
                f"a pin on {feature!r} with a sign is ('+', value) or ('+', low, high), with '+' or '-', not {demand!r}"
            )
        return SIGN_NAMES[sign], rest[0] if len(rest) == 1 else tuple(rest)
    return "", demand


def side_of(sign: str, lo: float, hi: float) -> Floats:
    """The sizes, least and largest, of the weights of one sign within a range; 0 where there are none of it."""
    ends = (lo, hi) if sign == "+" else (-hi, -lo)
    return np.asarray(np.maximum(0.0, np.array(ends)))


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
    both = {"+": (low, high), "-": (-high, -low)}
    free = [(-high, high)] if low == 0 else list(both.values())
    intervals = [both[pin.sign]] if pin.sign else free
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
    record = {name: value for name, value in asdict(pin).items() if name != "sign" or value}
    return {**record, "high": record["high"] if np.isfinite(record["high"]) else None}


def pin_from_record(record: Mapping[str, Any]) -> Pin:
    """The pin of such a record."""
    high = np.inf if record["high"] is None else float(record["high"])
    return Pin(record["feature"], float(record["low"]), high, record["asked"], record.get("sign", ""))


def pins_from_records(problem: FittedProblem, records: Iterable[Mapping[str, Any]]) -> tuple[Pin, ...]:
    """The pins of a saved session; each must be on a feature of the problem."""
    pins = tuple(pin_from_record(record) for record in records)
    for pin in pins:
        problem.known(pin.feature)
    return pins

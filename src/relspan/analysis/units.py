"""The units of the reader, and those of the solver.

A target in metres or in nanometres, or sample weights that add up to 1 or to a million, must not change an interval.
So the solver works on a target around 0 that deviates by about 1, and on weights of about 1, in which every tolerance
has the same meaning. Units are powers of 2 and the centre is a value of the target, so that whole numbers stay exact,
and a table in other units gives the same programs to the last bit. With target unit u and weight unit t

    y = u y' + centre,    v = t v',    w = u w',    norm = u norm',    loss = u t loss',    C = C' / t

where the solver's quantities have a prime.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from relspan.arrays import Floats
from relspan.checks import listed
from relspan.errors import DataError
from relspan.family import Budget
from relspan.tolerances import LARGEST_UNIT, LEAST_SAMPLE_WEIGHT


@dataclass(frozen=True)
class Units:
    """Target unit, centre of the target, and weight unit: what the reader's numbers are in the solver's."""

    target: float = 1.0
    centre: float = 0.0
    weight: float = 1.0

    def of_target(self, y: Floats) -> Floats:
        """A target in the solver's units."""
        return (y - self.centre) / self.target

    def of_weights(self, weights: Floats | None) -> Floats | None:
        """Sample weights in the solver's units."""
        return None if weights is None else weights / self.weight

    def of_price(self, C: float | None) -> float | None:
        """A price of loss in the solver's units."""
        return None if C is None else C * self.weight

    def price(self, C: float) -> float:
        """The solver's C as the reader counts it."""
        return C / self.weight

    def norm(self, norm: float) -> float:
        """The solver's norm, or any weight, as the reader counts it."""
        return norm * self.target

    def loss(self, loss: float) -> float:
        """The solver's loss as the reader counts it."""
        return loss * self.target * self.weight

    def scores(self, scores: Floats) -> Floats:
        """The solver's scores, or offsets, as the reader counts them."""
        return scores * self.target + self.centre

    def budget(self, budget: Budget) -> list[float]:
        """Price of norm, price of loss and limit of a budget as the reader counts them."""
        if budget.norm_price == 0:
            return [0.0, budget.loss_price, self.loss(budget.limit)]
        return [budget.norm_price, self.price(budget.loss_price), self.norm(budget.limit)]

    def refuse_columns(self, scale: Floats, names: Sequence[str]) -> None:
        """Refuse columns, which are divided by `scale`, whose weights no computer could hold."""
        with np.errstate(over="ignore", divide="ignore"):
            size = self.target / scale
        wrong = np.flatnonzero(~((size > 1 / LARGEST_UNIT) & (size < LARGEST_UNIT)))
        if len(wrong):
            which = listed(names[j] for j in wrong.tolist())
            raise DataError(
                f"a weight of {which}, whose values deviate by {scale[wrong[0]]:.3g}, could not be represented: "
                "multiply such columns by a power of ten"
            )

    def with_weights(self, weights: Floats | None) -> Units:
        """The same, with the unit of these sample weights. Refuses weights that are lost beside the others."""
        if weights is None:
            return self
        largest = float(weights.max())
        mean = float((weights / largest).mean())
        small = np.flatnonzero(weights < LEAST_SAMPLE_WEIGHT * mean * largest)
        if len(small):
            raise DataError(
                f"a sample weight of {weights[small[0]]:.3g} beside a mean of {mean * largest:.3g} is lost in rounding "
                f"({len(small)} such samples): set it to 0, which leaves the sample out, or raise it to "
                f"{LEAST_SAMPLE_WEIGHT:g} of the mean"
            )
        found = replace(self, weight=_power_of_2(mean, largest))
        if not 1 / LARGEST_UNIT < found.target * found.weight < LARGEST_UNIT:
            raise DataError(
                f"sample weights of about {found.weight:.3g} and a target of about {found.target:.3g} give losses that "
                "a computer cannot hold: divide the weights by their mean"
            )
        return found


SOLVER_UNITS = Units()
"""Those in which the reader and the solver count the same."""


def units_of_target(y: Floats) -> Units:
    """The units of a target of numbers, which is not constant."""
    centre = float(np.sort(y)[len(y) // 2])
    with np.errstate(over="ignore"):
        largest = float(np.abs(y - centre).max())
    if not 1 / LARGEST_UNIT < largest < LARGEST_UNIT:
        raise DataError(
            f"the target deviates by {largest:.3g} from its median, and its unit must be such that this lies between "
            f"{1 / LARGEST_UNIT:g} and {LARGEST_UNIT:g}: multiply the target by a power of ten"
        )
    return Units(_power_of_2(float(np.std((y - centre) / largest)), largest), centre)


def _power_of_2(*factors: float) -> float:
    """The power of 2 that is nearest to a product."""
    return float(2.0 ** round(sum(np.log2(factor) for factor in factors)))

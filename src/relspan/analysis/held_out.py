"""What rows left out of the fit say about C, and how sure they are.

L(C) is the loss on rows left out, per unit of weight, over all folds and repeats. The C in use is where L is least, and
the smallest of several such C. Two numbers describe how firm that choice is: the C that each repeat of the folds would
have chosen alone, and the range of all C whose L exceeds the least by no more than one standard error,

    mean_f D_f  <=  sd_f(D_f) / sqrt(K),      D_f = L_f(C) - L_f(best C),

over the folds f, K in each repeat: as far as K folds can show, these C are equally good. The null model, which uses no
feature, is compared as well: it is the limit of small C. Further repeats try only C near this range
of the first one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from relspan.arrays import Floats
from relspan.tolerances import EQUAL_LOSS

STEPS_PAST_LEAST = (2, 3)  # larger C are not tried so many steps beyond the best: clearly worse ones, and any
FEWEST_COSTS = 1 + min(STEPS_PAST_LEAST)  # values of C that are tried in any case


@dataclass(frozen=True, eq=False)
class HeldOutLosses:
    """The held-out losses of every C that was tried: one row per fold, one column per C, and those of the null model.

    The mean over the folds of a repeat is the loss per unit of weight. `repeats` is how often the rows were dealt.
    """

    costs: Floats
    losses: Floats
    null: Floats
    repeats: int

    @property
    def means(self) -> Floats:
        return np.asarray(self.losses.mean(axis=0))

    @property
    def ranking(self) -> list[float]:
        """Every C, the least mean loss first; of equal ones the smaller C first."""
        steps = np.floor((self.means - self.means.min()) / self._unit)
        return [float(self.costs[i]) for i in np.lexsort([self.costs, steps])]

    @property
    def by_repeat(self) -> list[float]:
        """The C that each repeat of the folds would have chosen alone."""
        parts, nulls = np.split(self.losses, self.repeats), np.split(self.null, self.repeats)
        return [HeldOutLosses(self.costs, *one, 1).ranking[0] for one in zip(parts, nulls, strict=True)]

    @property
    def equally_good(self) -> tuple[float, float]:
        """The smallest and the largest C whose mean loss is within one standard error of the least."""
        kept = self.costs[self._excess <= np.maximum(self._error, self._unit)]
        return float(kept.min()), float(kept.max())

    @property
    def worth_repeating(self) -> Floats:
        """The values of C that further deals of the folds try: all of that range, and one more on its upper side.

        Where the null model is preferred they try all, since the model of a small C may use no feature.
        """
        if self.null_preferred:
            return self.costs
        low, high = self.equally_good
        last = min(int(np.searchsorted(self.costs, high)) + 1, len(self.costs) - 1)
        return np.asarray(self.costs[(self.costs >= low) & (self.costs <= self.costs[last])])

    @property
    def null_preferred(self) -> bool:
        """Whether the null model loses no more than the best C."""
        return bool(self.null.mean() <= self.means.min() + self._unit)

    @property
    def rises(self) -> bool:
        """Whether the best C lies so far behind that larger ones need not be tried.

        As long as no C does better than the null model, only clearly worse ones show that: the models of small C may
        use no feature yet.
        """
        past = len(self.costs) - 1 - int(self.means.argmin())
        worse = bool(self._excess[-1] > max(self._error[-1], self._unit))
        return past >= STEPS_PAST_LEAST[not worse] and (worse or not self.null_preferred)

    @property
    def sure_to_come(self) -> int:
        """So many larger C will be tried, whatever the next ones show."""
        return max(1, int(self.means.argmin()) + FEWEST_COSTS - len(self.costs))

    @property
    def _unit(self) -> float:
        """Losses that differ by less are equal."""
        return EQUAL_LOSS * max(float(self.null.mean()), float(self.means.max()), np.finfo(float).tiny)

    @property
    def _differences(self) -> Floats:
        return self.losses - self.losses[:, [int(self.means.argmin())]]

    @property
    def _excess(self) -> Floats:
        return np.asarray(self._differences.mean(axis=0))

    @property
    def _error(self) -> Floats:
        folds = len(self.losses) / self.repeats
        return np.asarray(self._differences.std(axis=0, ddof=1) / np.sqrt(folds))

"""What the probes of an analysis say: the thresholds of weights and of totals, and whether further probes matter."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from relspan.analysis.probes import Probes, threshold
from relspan.analysis.sequential_probes import classes_settled
from relspan.analysis.settings import FEWEST_PROBES, Settings
from relspan.analysis.verdicts.associations import Associations
from relspan.analysis.verdicts.verdict import classes_at
from relspan.arrays import Floats
from relspan.family import Family
from relspan.tolerances import POSITIVE


def thresholds(family: Family, found: Probes, settings: Settings, n_weights: int) -> tuple[float, float]:
    """tau, beyond which a weight is relevant, and the floor, beyond which a feature is needed."""
    level = settings.alpha, settings.control, 2 * n_weights
    tau = threshold(found.ends, found.sample_size, *level)
    floor = POSITIVE * family.largest_norm
    if settings.probes == "replace":
        floor = max(floor, threshold(found.floors, found.sample_size, *level))
    return tau, floor


def total_threshold(found: Probes, settings: Settings, n_features: int) -> float | None:
    """How far chance reaches in the totals of so many features with several weights; None where too few are probed."""
    count = len(found.totals)
    if count < FEWEST_PROBES:
        return None
    of_all = round(count * found.sample_size / found.count)  # so many of all planned probes have several weights
    return threshold(found.totals, of_all, settings.alpha, settings.control, n_features)


@dataclass(frozen=True, eq=False)
class SettledClasses:
    """Whether probes settle the classes of all features, so that no further ones are drawn; see `sequential_probes`.

    `intervals` are those of features, `most` their largest relevances of single weights.
    """

    family: Family
    settings: Settings
    n_weights: int
    intervals: Floats
    most: Floats
    evident: Associations
    passed: bool

    def __call__(self, found: Probes) -> bool:
        if found.planned is None or 0 < len(found.totals) < FEWEST_PROBES:
            return False
        if not self.passed:
            return True
        tau, floor = thresholds(self.family, found, self.settings, self.n_weights)
        judged = partial(
            classes_at, intervals=self.intervals, most=self.most, floor=floor, found=self.evident, passed=self.passed
        )
        return classes_settled(tau, found.count, found.planned, judged)

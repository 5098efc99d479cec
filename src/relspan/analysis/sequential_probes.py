"""When may the drawing of probes stop? As soon as no class can change any more.

Of K planned probes the first k = 10, 20, 40, ... are looked at. They predict the threshold that all K will give,

    tau_k  =  mean_k(E) + t_{K-1}(1 - level) sd_k(E) sqrt(1 + 1/K),

and how far it may still move. A mean and a standard deviation of k draws miss those of all K by about
r = sqrt(1/k - 1/K) of the spread, and the ends of probes are skewed to the right, so tau rises further than it falls:

    tau_K  in  [ tau_k exp(-FALL r),  tau_k exp(RISE r) ].

If every feature has one and the same class at all thresholds in between, the remaining probes are not drawn. A table
that does not pass its test has no relevant feature at any threshold.

The standard deviation of log(tau_K / tau_k) / r is .47 on tables with known truth, and more on noise;
docs/decisions/0025-sequential-probes.md has the figures. The threshold is needed as exactly as it can be had where the
papers' own rule compares it with intervals, and where screening proves bounds below it; there, all probes are drawn.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

FIRST_LOOK = 10  # probes: fewer do not show how skewed their ends are
FALL, RISE = 1.5, 4.0  # of log tau, in units of r
THRESHOLDS_BETWEEN = 41  # at which classes are compared

ClassesAt = Callable[[float], np.ndarray]
"""The classes of all features, as they follow from a threshold."""


def looks(n_probes: int) -> list[int]:
    """How many probes are drawn at each look; the last time all of them."""
    counts = [FIRST_LOOK]
    while counts[-1] < n_probes:
        counts.append(2 * counts[-1])
    return [*counts[:-1], n_probes]


def threshold_range(tau: float, drawn: int, planned: int) -> tuple[float, float]:
    """Between which limits the threshold of all planned probes is expected, given that of the drawn ones."""
    r = float(np.sqrt(1 / drawn - 1 / planned))
    return tau * float(np.exp(-FALL * r)), tau * float(np.exp(RISE * r))


def classes_settled(tau: float, drawn: int, planned: int, classes_at: ClassesAt) -> bool:
    """Whether all classes are the same at every threshold that the planned probes may still give."""
    if not tau > 0:
        return False
    least, most = threshold_range(tau, drawn, planned)
    found = [classes_at(float(value)) for value in np.geomspace(least, most, THRESHOLDS_BETWEEN)]
    return all((classes == found[0]).all() for classes in found[1:])

"""What pins do to a feature: leave it out, make it needed, move its interval, or nothing.

With [l, u] the feature's relevance interval without pins, [l', u'] the one under the pins, and floor = 1e-4 M the size
beyond which a weight is not rounding,

    left out    a pin demands 0, or u' = 0 < u
    needed      l' > floor >= l, and the feature's own pin does not demand as much
    moved       l' - l or u - u' exceeds the certified gaps and .001, the last digit that tables show

A pinned family is a part of the whole one, so l' >= l and u' <= u: that a feature is needed no longer cannot happen.
The floor depends on the norm budget alone, which pins do not change. How far chance reaches in the pinned family is not
known, since no probe was put to it; so nothing here is a verdict on the feature.
"""

from __future__ import annotations

from relspan.explore.pins import Pin
from relspan.result import FeatureRelevance, GroupRelevance, PinEffect
from relspan.tolerances import MOVED_END, VISIBLE_CHANGE


def pin_effect(
    unpinned: FeatureRelevance | GroupRelevance,
    least: float,
    most: float,
    gaps: tuple[float, float],
    pin: Pin | None,
    floor: float,
) -> PinEffect:
    """What pins do to a feature whose interval under them is [least, most].

    Parameters
    ----------
    unpinned : FeatureRelevance or GroupRelevance
        The feature, or the category, without pins.
    least, most : float
        The ends of its interval under the pins, in shares of the norm, like all that follows.
    gaps : tuple of float
        Their certified gaps.
    pin : Pin or None
        The feature's own pin.
    floor : float
        The size beyond which a weight is not rounding.
    """
    noise = VISIBLE_CHANGE + max(gaps) + max(unpinned.gap_lo, unpinned.gap_hi)
    demanded = 0.0 if pin is None else pin.low
    if (pin is not None and pin.high == 0) or most <= MOVED_END < unpinned.max:
        outcome = "left out"
    elif least > floor >= max(unpinned.min, demanded):
        outcome = "needed"
    elif max(least - unpinned.min, unpinned.max - most) > noise:
        outcome = "moved"
    else:
        outcome = "unmoved"
    return PinEffect(unpinned.min, unpinned.max, outcome, pin is not None)

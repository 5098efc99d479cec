"""What pins do to one feature. Its class is that of the analysis without pins; this is what is added to it."""

from __future__ import annotations

from dataclasses import dataclass

PIN_OUTCOMES = ("left out", "needed", "moved", "unmoved")
"""What pins can do to a feature, in the order in which every surface shows them."""


@dataclass(frozen=True)
class PinEffect:
    """What a set of pins does to one feature.

    Pins take models away and add none: the minimum of a feature can only rise, and its maximum only fall. So no feature
    that is needed without pins can be left out under pins, and a class, which compares the feature with chance in all
    equally good models, stays what it is without pins.

    Attributes
    ----------
    unpinned_min, unpinned_max : float
        The feature's smallest and largest relevance without pins. Those under the pins are the feature's own `min` and
        `max`.
    outcome : {"left out", "needed", "moved", "unmoved"}
        "left out": no model that satisfies the pins uses the feature. "needed": all of them use it, some equally good
        model without pins does not, and no pin on the feature itself demands it. "moved": an end of its interval moved
        by .001 or more of the best model's norm, beyond what is certified. "unmoved": nothing of this.
    pinned : bool, default=False
        Whether the feature itself has a pin.

    See Also
    --------
    FeatureRelevance : Holds the effect as `under_pins`.
    relspan.explore.Explorer.result : The result under pins.

    Examples
    --------
    >>> PinEffect(unpinned_min=0.0, unpinned_max=0.4, outcome="needed").words
    'needed'
    >>> PinEffect(0.0, 0.4, "left out", pinned=True).words
    'pinned, left out'
    """

    unpinned_min: float
    unpinned_max: float
    outcome: str
    pinned: bool = False

    @property
    def words(self) -> str:
        """The effect in words, as tables show it; of a pinned feature, that its interval moved goes without saying."""
        if not self.pinned:
            return self.outcome
        return f"pinned, {self.outcome}" if self.outcome in PIN_OUTCOMES[:2] else "pinned"

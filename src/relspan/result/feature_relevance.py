"""What a result reports of one feature, or of a group of features: the interval and the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

CLASSES = ("strong", "weak", "irrelevant", "undecided")
"""The classes of features, in the order in which every surface shows them."""


@dataclass(frozen=True)
class FeatureRelevance:
    """One feature of a result: its interval and its class.

    Attributes
    ----------
    name : str
        The feature's name.
    min, max : float
        The smallest and the largest relevance in all equally good models, as shares of the best model's norm.
    lo, hi : float
        The smallest and the largest weight with its sign, in the same unit. A feature with several weights repeats
        `min` and `max` here.
    relevance : {"strong", "weak", "irrelevant", "undecided"}
        The feature's class; "undecided" in a partial result.
    gap_lo, gap_hi : float, default=0.0
        How far the true ends may lie beyond the ends above; certificates prove that it is not further.
    solved : bool, default=True
        Whether the ends are attained. If not, the feature was proven irrelevant without solving for its ends, and they
        are bounds.
    parts : dict of str to (float, float), optional
        The signed interval of each weight, by the name of its class, where a feature has several weights.
    cancelled : bool, default=False
        Whether correlated columns can cancel the feature's weight while no prediction depends on it beyond chance. Such
        a feature has a higher threshold.

    See Also
    --------
    RelevanceResult : All features, with everything that led to them.
    GroupRelevance : The same for a group of features.

    Examples
    --------
    >>> FeatureRelevance("age", min=0.1, max=0.4, lo=-0.4, hi=-0.1, relevance="strong").direction
    '-'
    """

    name: str
    min: float
    max: float
    lo: float
    hi: float
    relevance: str
    gap_lo: float = 0.0
    gap_hi: float = 0.0
    solved: bool = True
    parts: Mapping[str, tuple[float, float]] | None = None
    cancelled: bool = False

    @property
    def direction(self) -> str:
        """The sign of the weight in every equally good model: "+", "-", or "±" where they differ."""
        if self.parts is not None:
            return "±"
        return "+" if self.lo > 0 else "-" if self.hi < 0 else "±"


@dataclass(frozen=True)
class GroupRelevance:
    """A group of features: the interval of its total relevance, and its class.

    Attributes
    ----------
    name : str
        The group's name.
    members : tuple of str
        The names of its features.
    min, max : float
        The smallest and the largest total relevance of the members in all equally good models. Models attain both.
    relevance : {"strong", "weak", "irrelevant"}
        The group's class.
    gap_lo, gap_hi : float, default=0.0
        How far the true ends may lie beyond the ends above: a rounding error, except where the maximum of a large group
        was only bracketed.

    See Also
    --------
    RelevanceResult : Holds the groups that were asked about.

    Examples
    --------
    >>> GroupRelevance("size", ("height", "width"), min=0.2, max=0.5, relevance="strong").members
    ('height', 'width')
    """

    name: str
    members: tuple[str, ...]
    min: float
    max: float
    relevance: str
    gap_lo: float = 0.0
    gap_hi: float = 0.0


def feature_record(feature: FeatureRelevance) -> dict[str, Any]:
    """A feature as JSON holds it; most have no parts and are not cancelled."""
    return {key: value for key, value in asdict(feature).items() if value or key not in ("parts", "cancelled")}


def read_feature(record: dict[str, Any]) -> FeatureRelevance:
    """The feature of such a record."""
    parts = record.get("parts")
    return FeatureRelevance(**{**record, "parts": parts and {name: (lo, hi) for name, (lo, hi) in parts.items()}})

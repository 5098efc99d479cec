"""What a result reports of one feature, or of a group of features: the interval and the class."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, TypeVar

from relspan.result.pin_effect import PinEffect
from relspan.tolerances import CERTIFIED_GAP

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
        The feature's class, which pins do not change; "undecided" in a partial result.
    gap_lo, gap_hi : float, default=0.0
        How far the true ends may lie beyond the ends above; certificates prove that it is not further.
    solved : bool, default=True
        Whether the ends are attained. If not, the feature was proven irrelevant without solving for its ends, and they
        are bounds.
    parts : dict of str to (float, float), optional
        The signed interval of each weight, by the name of its class, where a feature has several weights.
    evidence : float, optional
        How much speaks for the feature, in units of what the most extreme of all features reaches by chance: the mean
        of its reach (`max`, or the largest of its weights if it has several) and its association with the target, each
        divided by its threshold. 1 is enough in any table. An upper bound where `solved` is False. None where the
        papers' own rule decided, in a partial result, and for a constant column.
    route : {"reach", "association", "need", "cluster"}, optional
        What speaks most for it. "reach": good models can use it. "association": the target moves with it. "need": the
        other features do not explain what it does. "cluster": the features that are not its substitutes do not.
    cluster : tuple of str, default=()
        Its substitutes: columns so similar that a model can use one in the place of another.
    norm_made : bool, default=False
        Whether only the norm budget makes every equally good model use it: other columns express it, at the price of
        larger weights.
    under_pins : PinEffect, optional
        What the pins of an explorer do to the feature, and its interval without them. In a result under pins every
        feature has it, and the interval above is the one under the pins.
    levels : tuple of str, default=()
        The columns of zeros and ones that stand for the feature, where it is a category. Then `parts` has their
        intervals, `min` and `max` are those of their total, and `evidence` is that of the level with the most.
    threshold : float, optional
        How far chance reaches in the total of a category.

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
    evidence: float | None = None
    route: str | None = None
    cluster: tuple[str, ...] = ()
    norm_made: bool = False
    under_pins: PinEffect | None = None
    levels: tuple[str, ...] = ()
    threshold: float | None = None

    @property
    def has_several_weights(self) -> bool:
        """Whether it has a weight per class, or per side of the loss; a category has these for every level."""
        return self.parts is not None and len(self.parts) > len(self.levels)

    @property
    def direction(self) -> str:
        """The sign of the weight in every equally good model: "+", "-", or "±" where they differ."""
        if self.parts is not None:
            return "±"
        return "+" if self.lo > 0 else "-" if self.hi < 0 else "±"

    @property
    def by_class(self) -> tuple[FeatureRelevance, ...]:
        """The weights of a feature that has several, each as a feature of its own, named after its class or level."""
        return tuple(
            FeatureRelevance(
                name=part,
                min=0.0 if lo <= 0 <= hi else min(abs(lo), abs(hi)),
                max=max(abs(lo), abs(hi)),
                lo=lo,
                hi=hi,
                relevance=self.relevance,
                solved=self.solved,
            )
            for part, (lo, hi) in (self.parts or {}).items()
        )


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
    threshold : float, optional
        How far chance reaches in the group's total: copies of the group whose rows are permuted jointly reach no
        further. None where it was not computed.
    category : bool, default=False
        Whether the members are the levels of a category, which a result shows as one feature.
    under_pins : PinEffect, optional
        What the pins of an explorer do to the group, where it is a category.

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
    threshold: float | None = None
    category: bool = False
    under_pins: PinEffect | None = None


def group_record(group: GroupRelevance) -> dict[str, Any]:
    """A group as JSON holds it; most are no categories."""
    return {key: value for key, value in asdict(group).items() if value or key not in ("category", "under_pins")}


def read_group(record: dict[str, Any]) -> GroupRelevance:
    """The group of such a record."""
    effect = record.get("under_pins")
    rare = {"members": tuple(record["members"]), "under_pins": effect and PinEffect(**effect)}
    return consistent(GroupRelevance(**{**record, **rare}))


Relevance = TypeVar("Relevance", FeatureRelevance, GroupRelevance)


def feature_record(feature: FeatureRelevance) -> dict[str, Any]:
    """A feature as JSON holds it; most have no parts, no substitutes, are not norm-made, and are not under pins."""
    rare = ("parts", "cluster", "norm_made", "under_pins", "levels", "threshold")
    return {key: value for key, value in asdict(feature).items() if value or key not in rare}


def read_feature(record: dict[str, Any]) -> FeatureRelevance:
    """The feature of such a record."""
    parts, effect = record.get("parts"), record.get("under_pins")
    signed = parts and {name: (lo, hi) for name, (lo, hi) in parts.items()}
    names = {key: tuple(record.get(key, ())) for key in ("cluster", "levels")}
    rare = {"parts": signed, **names, "under_pins": effect and PinEffect(**effect)}
    return consistent(FeatureRelevance(**{**record, **rare}))


def consistent(each: Relevance) -> Relevance:
    """The feature or group, if its values are possible; else ValueError. It may come from anywhere."""
    numbers = [each.min, each.max, each.gap_lo, each.gap_hi]
    numbers += [each.lo, each.hi] if isinstance(each, FeatureRelevance) else []
    if not isinstance(each.name, str) or each.relevance not in CLASSES:
        raise ValueError(f"{each.name!r} has the class {each.relevance!r}")
    if not all(isinstance(one, (int, float)) and not isinstance(one, bool) and isfinite(one) for one in numbers):
        raise ValueError(f"{each.name!r} has an interval that is not of finite numbers")
    room = CERTIFIED_GAP * max(1.0, abs(each.max))
    low, high = (each.lo, each.hi) if isinstance(each, FeatureRelevance) else (each.min, each.max)
    if not (-room <= each.min <= each.max + room and low <= high + room):
        raise ValueError(f"{each.name!r} has the interval [{each.min}, {each.max}], whose ends are not in order")
    return each

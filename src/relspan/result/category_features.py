"""Categories as features: the encoded columns of a category become one feature, with one interval and one class.

An analysis knows columns. A reader knows the column `island`, which several columns of zeros and ones stand for; what
is asked is how much the island matters, not each of its levels. The interval of a category is that of the total size
of its levels' weights, its class is that of the group, and the levels' own intervals stand inside, as `parts`.
"""

from __future__ import annotations

from dataclasses import replace

from relspan.result.feature_relevance import FeatureRelevance, GroupRelevance
from relspan.result.result import RelevanceResult


def fold_categories(result: RelevanceResult) -> RelevanceResult:
    """The result with one feature for every category, in the place of its first level."""
    categories = {group.members[0]: group for group in result.groups if group.category}
    if not categories:
        return result
    own = {f.name: f for f in result.features}
    home = {level: group.name for group in categories.values() for level in group.members}
    line = result.thresholds.get("evidence")
    features = []
    for f in result.features:
        if f.name in categories:
            group = categories[f.name]
            f = _category_feature(group, [own[level] for level in group.members], line)
        elif f.name in home:
            continue
        features.append(replace(f, cluster=_neighbours(f, home)))
    return replace(
        result, features=tuple(features), groups=tuple(group for group in result.groups if not group.category)
    )


def with_class_of_category(result: RelevanceResult) -> RelevanceResult:
    """The result in which every level has the class of its category, for surfaces that show levels one by one."""
    found = {level: group.relevance for group in result.groups if group.category for level in group.members}
    if not found:
        return result
    return replace(
        result, features=tuple(replace(f, relevance=found.get(f.name, f.relevance)) for f in result.features)
    )


def _category_feature(group: GroupRelevance, levels: list[FeatureRelevance], line: float | None) -> FeatureRelevance:
    """One feature from the group and its levels.

    Its evidence is that of the level with the most. A category can be relevant though none of its levels is alone: then
    it has no evidence of its own, and the route is "need".
    """
    parts: dict[str, tuple[float, float]] = {}
    for level in levels:
        ends = level.parts if level.parts is not None else {"": (level.lo, level.hi)}
        parts |= {f"{level.name} [{part}]" if part else level.name: pair for part, pair in ends.items()}
    best = max(levels, key=lambda level: -1.0 if level.evidence is None else level.evidence)
    evidence, route = best.evidence, best.route
    together = group.relevance != "irrelevant" and all(level.relevance == "irrelevant" for level in levels)
    if evidence is not None and line is not None and together:
        evidence, route = None, "need"
    return FeatureRelevance(
        name=group.name,
        min=group.min,
        max=group.max,
        lo=group.min,
        hi=group.max,
        relevance=group.relevance,
        gap_lo=group.gap_lo,
        gap_hi=group.gap_hi,
        solved=all(level.solved for level in levels),
        parts=parts,
        evidence=evidence,
        route=route,
        cluster=tuple(dict.fromkeys(name for level in levels for name in level.cluster)),
        under_pins=group.under_pins,
        levels=group.members,
        threshold=group.threshold,
    )


def _neighbours(feature: FeatureRelevance, home: dict[str, str]) -> tuple[str, ...]:
    """Its substitutes, each level by the name of its category."""
    names = dict.fromkeys(home.get(name, name) for name in feature.cluster)
    return tuple(name for name in names if name != feature.name)

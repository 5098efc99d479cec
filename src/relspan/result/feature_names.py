"""Other names for the features of a result, wherever it names them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from relspan.checks import did_you_mean_or_all, quoted
from relspan.errors import DataError, ParameterError
from relspan.result.feature_relevance import FeatureRelevance, GroupRelevance
from relspan.result.result import RelevanceResult


def rename_features(result: RelevanceResult, names: Any) -> RelevanceResult:
    """The result under other names, which `RelevanceResult.rename` describes."""
    return renamed(result, new_names(names, [f.name for f in result.features], result.data.get("encoded", {})))


def new_names(given: Any, names: Sequence[str], encoded: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """New names by the old ones, from a mapping, a sequence, or what a transformer calls its columns.

    A category may be renamed by its own name: its levels follow.
    """
    given = given.get_feature_names_out() if hasattr(given, "get_feature_names_out") else given
    if isinstance(given, str) or not hasattr(given, "__len__"):
        raise ParameterError(f"names must map old names to new ones, or list all of them, not {given!r}")
    if not isinstance(given, Mapping):
        if len(given) != len(names):
            raise ParameterError(f"{len(given)} names were given for {len(names)} features")
        return dict(zip(names, map(str, given), strict=True))
    known = [*names, *encoded]
    found: dict[str, str] = {}
    for old, new in given.items():
        if old not in known:
            raise ParameterError(f"no feature {old!r}{did_you_mean_or_all(old, known)}")
        found[old] = str(new)
        for level in encoded.get(old, ()):
            found.setdefault(level, str(new) + level[len(old) :])
    return found


def renamed(result: RelevanceResult, names: Mapping[str, str]) -> RelevanceResult:
    """The result with these names; a name that is not among them stays."""
    features = tuple(_feature(f, names) for f in result.features)
    twice = [name for name, times in Counter(f.name for f in features).items() if times > 1]
    if twice:
        raise DataError(f"several features would be called {quoted(twice)}; results name features")
    certificates, sources = result.certificates, result.probes.get("sources")
    encoded = {
        names.get(name, name): [names.get(column, column) for column in columns]
        for name, columns in result.data.get("encoded", {}).items()
    }
    return replace(
        result,
        features=features,
        groups=tuple(_group(group, names) for group in result.groups),
        unfinished=tuple(names.get(name, name) for name in result.unfinished),
        probes={**result.probes, "sources": [names.get(name, name) for name in sources]} if sources else result.probes,
        data={**result.data, "encoded": encoded} if encoded else result.data,
        certificates=certificates
        and replace(certificates, columns=tuple(names.get(name, name) for name in certificates.columns)),
    )


def _feature(feature: FeatureRelevance, names: Mapping[str, str]) -> FeatureRelevance:
    return replace(
        feature,
        name=names.get(feature.name, feature.name),
        cluster=tuple(names.get(name, name) for name in feature.cluster),
        levels=tuple(names.get(name, name) for name in feature.levels),
        parts=feature.parts and {names.get(part, part): ends for part, ends in feature.parts.items()},
    )


def _group(group: GroupRelevance, names: Mapping[str, str]) -> GroupRelevance:
    name = names.get(group.name, group.name) if group.category else group.name
    return replace(group, name=name, members=tuple(names.get(member, member) for member in group.members))

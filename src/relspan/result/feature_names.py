"""Other names for features: read from what a person gives, and put in place of the old ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from relspan.checks import did_you_mean_or_all, quoted
from relspan.errors import DataError, ParameterError
from relspan.result.feature_relevance import FeatureRelevance, GroupRelevance


def new_names(given: Any, names: Sequence[str], encoded: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """New names by the old ones, from a mapping, a sequence, or what a transformer calls its columns.

    A category may be renamed by its own name: its levels follow. No two features may get one name.
    """
    given = given.get_feature_names_out() if hasattr(given, "get_feature_names_out") else given
    if isinstance(given, str) or not hasattr(given, "__len__"):
        raise ParameterError(f"names must map old names to new ones, or list all of them, not {given!r}")
    if not isinstance(given, Mapping):
        if len(given) != len(names):
            raise ParameterError(f"{len(given)} names were given for {len(names)} features")
        given = dict(zip(names, given, strict=True))
    known = [*names, *encoded, *(level for levels in encoded.values() for level in levels)]
    found: dict[str, str] = {}
    for old, new in given.items():
        if old not in known:
            raise ParameterError(f"no feature {old!r}{did_you_mean_or_all(old, known)}")
        found[old] = str(new)
        for level in encoded.get(old, ()):
            found.setdefault(level, str(new) + level[len(old) :])
    twice = [name for name, times in Counter(other_names(names, found)).items() if times > 1]
    if twice:
        raise DataError(f"several features would be called {quoted(twice)}; results name features")
    return found


def other_names(names: Iterable[str], found: Mapping[str, str]) -> tuple[str, ...]:
    """The names, with the new ones in place of the old."""
    return tuple(found.get(name, name) for name in names)


def renamed_keys(record: Mapping[str, Any], key: str, found: Mapping[str, str]) -> dict[str, Any]:
    """A record in which one entry maps features to something, by their new names."""
    named = record.get(key)
    return {**record, key: dict(zip(other_names(named, found), named.values(), strict=True))} if named else dict(record)


def renamed_feature(feature: FeatureRelevance, found: Mapping[str, str]) -> FeatureRelevance:
    """A feature under its new name, with those of its substitutes and levels."""
    return replace(
        feature,
        name=found.get(feature.name, feature.name),
        cluster=other_names(feature.cluster, found),
        levels=other_names(feature.levels, found),
        parts=feature.parts and dict(zip(other_names(feature.parts, found), feature.parts.values(), strict=True)),
    )


def renamed_group(group: GroupRelevance, found: Mapping[str, str]) -> GroupRelevance:
    """A group with the new names of its members; only a category has the name of a column."""
    name = found.get(group.name, group.name) if group.category else group.name
    return replace(group, name=name, members=other_names(group.members, found))

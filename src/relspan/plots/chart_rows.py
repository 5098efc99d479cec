"""The rows of an interval chart: which features, in which order, with which earlier intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from relspan import checks
from relspan.errors import ParameterError
from relspan.result import CLASSES, FeatureRelevance, RelevanceResult

SORTS = ("class", "max", "min", "name", "table")

Interval = tuple[float, float]


class ChartRow(NamedTuple):
    """One row of the chart.

    `ghost` is the interval of an earlier result, or the one without pins; both ends are attained if `solved`; `effect`
    is what pins do to the feature.
    """

    name: str
    interval: Interval
    relevance: str
    solved: bool = True
    ghost: Interval | None = None
    group: str = ""
    feature: str = ""
    weight: float | None = None
    effect: str = ""


def rows_of(
    result: RelevanceResult,
    signed: bool = False,
    earlier: RelevanceResult | None = None,
    features: Sequence[str] | None = None,
    model: Mapping[str, float] | None = None,
) -> list[ChartRow]:
    """One row per feature; of signed weights one row per weight, where a feature has several.

    `model` holds one model's weights by feature; the weight of a feature that it does not name is 0.
    """
    known = {f.name: f for f in result.features}
    for name in features or ():
        if name not in known:
            raise ParameterError(f"features: no feature {name!r} in this result{checks.did_you_mean(name, known)}")
    before = {} if earlier is None else {f.name: f for f in earlier.features}
    rows = []
    for f in (f for f in result.features if features is None or f.name in features):
        own, old = ends(f, signed), ends(before[f.name], signed) if f.name in before else {}
        for part, interval in own.items():
            title = part if f.levels and part else f"{f.name} [{part}]" if part else f.name
            weight = None if model is None or part else model.get(f.name, 0.0)
            weight = weight if signed or weight is None else abs(weight)
            effect, ghost = f.under_pins, old.get(part)
            if effect is not None and earlier is None and not signed:
                ghost = effect.unpinned_min, effect.unpinned_max
            words = "" if effect is None else effect.words
            rows.append(ChartRow(title, interval, f.relevance, f.solved, ghost, "", f.name, weight, words))
    return rows


def ends(feature: FeatureRelevance, signed: bool) -> dict[str, Interval]:
    """The interval of each of the feature's weights, by the name of the part; "" where it is the only one."""
    if not signed:
        return {"": (feature.min, feature.max)}
    return dict(feature.parts) if feature.parts is not None else {"": (feature.lo, feature.hi)}


def arranged(rows: Sequence[ChartRow], sort: str, groups: Mapping[str, Sequence[str]]) -> list[ChartRow]:
    """The rows in order: by group if there are groups (the one that reaches furthest first), then by `sort`."""
    checks.one_of("sort", sort, SORTS)
    home = {name: group for group, names in groups.items() for name in names}
    placed = [row._replace(group=home.get(row.feature, "")) for row in rows]
    if sort != "table":
        placed.sort(key=lambda row: _key(row, sort))
    first: dict[str, int] = {}
    for number, row in enumerate(placed):
        first.setdefault(row.group, number)
    return sorted(placed, key=lambda row: (not row.group, first[row.group])) if home else placed


def _key(row: ChartRow, sort: str) -> tuple[float | str, ...]:
    least, most = sorted(abs(end) for end in row.interval)
    if row.interval[0] < 0 < row.interval[1]:
        least = 0.0
    return {
        "class": (CLASSES.index(row.relevance), -most),
        "max": (-most,),
        "min": (-least, -most),
        "name": (row.name.casefold(),),
    }[sort]

"""Categories on the page: one row per category, whose levels are the rows inside it.

The solver knows the levels. A category's interval is that of the total size of its levels' weights. Under pins it is
bounded at once, by its interval without pins and by those of its levels, and exact as soon as the thread of
`live_intervals` has solved it.
"""

from __future__ import annotations

import json
from typing import Any

from relspan.explore import Explorer
from relspan.explore.fitted_problem import FittedProblem
from relspan.explore.pinned_family import PinnedFamily, result_under
from relspan.result import FeatureRelevance


def has_categories(problem: FittedProblem) -> bool:
    """Whether some columns are the levels of a category."""
    return any(group.category for group in problem.result.groups)


def category_records(explorer: Explorer) -> list[dict[str, Any]]:
    """The categories of the result without pins, each as the feature that it is for a reader."""
    if not explorer.categories:
        return []
    features = json.loads(explorer.unpinned_result.to_json(indent=None))["features"]
    return [feature for feature in features if feature.get("levels")]


def exact_categories(problem: FittedProblem, pinned: PinnedFamily) -> dict[str, list[Any]]:
    """[min, max, outcome] of every category under pins."""
    groups = [group for group in result_under(problem, pinned).groups if group.category]
    return {g.name: [g.min, g.max, g.under_pins.outcome if g.under_pins else None] for g in groups}


def category_rows(
    problem: FittedProblem, rows: list[list[Any] | None], known: dict[str, list[Any]] | None
) -> dict[str, list[Any]]:
    """[min, max, outcome, status] of every category, from what is `known` or, until then, from its levels' rows."""
    place = {name: k for k, name in enumerate(problem.names)}
    found: dict[str, list[Any]] = {}
    for group in problem.result.groups:
        if not group.category:
            continue
        if known is not None:
            least, most, outcome = known[group.name]
            found[group.name] = [least, most, outcome, "exact"]
        else:
            members = [place[level] for level in group.members]
            levels = [_outer_ends(rows[k], problem.result.features[k]) for k in members]
            least, most = max(low for low, _ in levels), sum(high for _, high in levels)
            found[group.name] = [max(group.min, least), min(group.max, most), None, "outer"]
    return found


def _outer_ends(row: list[Any] | None, unpinned: FeatureRelevance) -> tuple[float, float]:
    """Bounds of a level's interval from outside: pins narrow it, and inner bounds say nothing about how far."""
    return (unpinned.min, unpinned.max) if row is None or row[5] == "inner" else (row[0], row[1])

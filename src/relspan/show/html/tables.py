"""The table of features, and that of groups."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from relspan.result import FeatureRelevance, GroupRelevance, RelevanceResult
from relspan.show.account import NORM_MADE, ROUTE_MEANINGS
from relspan.show.html.elements import Markup, element, interval_bar, number, together
from relspan.show.marks import UNICODE, axis_end, by_relevance, evidence_text, has_a_row, has_evidence

MOST_UNFOLDED = 60  # features up to which the irrelevant ones are not folded


def feature_tables(result: RelevanceResult) -> Markup:
    """All features; in a long table the irrelevant ones are folded."""
    ordered = by_relevance(result.features)
    folded = [f for f in ordered if not has_a_row(f)] if len(ordered) > MOST_UNFOLDED else []
    shown = [f for f in ordered if f not in folded]
    parts = (
        [table(result, shown, "all features" if not folded else "features that matter or may matter")] if shown else []
    )
    if folded:
        count = element("summary", f"{len(folded)} irrelevant features")
        parts.append(element("details", count, table(result, folded, "irrelevant features")))
    return together(parts)


def table(result: RelevanceResult, features: Iterable[FeatureRelevance], caption: str) -> Markup:
    """One row per feature: name, class, what the class rests on, both ends, bar, signed ends, gap.

    Under pins two more columns, before the class, have what the pins do and the interval without them. The weights of a
    feature that has one per class follow it.
    """
    end = axis_end(result)
    pinned = ("under these pins", "without pins") if result.is_pinned else ()
    grounds = ("evidence", "route") if has_evidence(result) else ()
    heads = ("feature", *pinned, "class", *grounds, "min", "max", "interval", "lo", "hi", "sign", "gap")
    titles = {
        "evidence": "what speaks for the feature, in units of what chance reaches",
        "route": "what speaks most for the feature",
        "min": "smallest relevance in all equally good models",
        "max": "largest relevance in all equally good models",
        "lo": "smallest weight, with its sign",
        "hi": "largest weight, with its sign",
        "sign": "sign of the weight in all equally good models; ± where they differ",
        "gap": "how far a true end may lie beyond the end shown",
    }
    figures = ("evidence", "min", "max", "lo", "hi", "gap")
    head = element(
        "tr",
        (
            element("th", word, scope="col", title=titles.get(word), class_="number" if word in figures else None)
            for word in heads
        ),
    )
    rows = []
    for f in features:
        gap = max(f.gap_lo, f.gap_hi)
        last = element("td", f"{gap:.0e}" if gap else "0", class_="number")
        first = [element("th", f.name, scope="row"), *effect_cells(f), class_cell(f.relevance, f.norm_made)]
        first += ground_cells(f) if grounds else []
        rows.append(element("tr", first, _figures(f, end, result.threshold_of(f)), last, data_feature=f.name))
        rows += [
            element(
                "tr",
                element("th", part.name, scope="row"),
                [element("td") for _ in (*pinned, "class", *grounds)],
                _figures(part, end, result.threshold_of(part)),
                element("td"),
                class_="part",
            )
            for part in f.by_class
        ]
    return element(
        "table", element("caption", caption), element("thead", head), element("tbody", rows), class_="features"
    )


def _figures(f: FeatureRelevance, end: float, threshold: float | None) -> list[Markup]:
    """Both ends, bar, signed ends and sign of a feature, or of one of its weights."""
    return [
        element("td", number(f.min), class_="number"),
        element("td", "" if f.solved else "≤ ", number(f.max), class_="number"),
        element("td", interval_bar(f.min, f.max, end, threshold, f.relevance), class_="bar"),
        element("td", number(f.lo), class_="number"),
        element("td", number(f.hi), class_="number"),
        element("td", f.direction, class_="sign"),
    ]


def group_table(result: RelevanceResult, groups: Iterable[GroupRelevance]) -> Markup:
    """The groups that were asked about: their total relevance."""
    end = axis_end(result)
    head = element(
        "tr", (element("th", word, scope="col") for word in ("group", "class", "min", "max", "interval", "members"))
    )
    rows = (
        element(
            "tr",
            element("th", g.name, scope="row"),
            class_cell(g.relevance),
            element("td", number(g.min), class_="number"),
            element("td", number(g.max), class_="number"),
            element("td", interval_bar(g.min, g.max, end, result.threshold_of(g), g.relevance), class_="bar"),
            element("td", ", ".join(g.members)),
        )
        for g in groups
    )
    return element("table", element("thead", head), element("tbody", rows), class_="groups")


def model_table(model: Any) -> Markup:
    """The columns that a model uses, with weight and relevance, the largest first."""
    used = sorted(model.features, key=lambda name: -model.relevances[name])
    head = element(
        "tr",
        element("th", "column", scope="col"),
        *(element("th", word, scope="col", class_="number") for word in ("weight", "relevance")),
    )
    rows = (
        element(
            "tr",
            element("th", name, scope="row"),
            element("td", f"{model.weights[name]:.4g}", class_="number"),
            element("td", f"{model.relevances[name]:.3f}", class_="number"),
        )
        for name in used
    )
    return element("table", element("thead", head), element("tbody", rows), class_="model")


def effect_cells(feature: FeatureRelevance) -> list[Markup]:
    """What pins do to the feature, and its interval without them; no cell in a result without pins."""
    effect = feature.under_pins
    if effect is None:
        return []
    interval = f"{effect.unpinned_min:.3f} – {effect.unpinned_max:.3f}"
    return [element("td", effect.words), element("td", interval, class_="number")]


def ground_cells(feature: FeatureRelevance) -> list[Markup]:
    """Evidence and route of a feature; both are empty where it has none."""
    route = feature.route or ""
    return [
        element("td", evidence_text(feature).replace("<=", "≤ "), class_="number"),
        element("td", route, title=ROUTE_MEANINGS.get(route)),
    ]


def class_cell(relevance: str, norm_made: bool = False) -> Markup:
    """Mark and word of a class, and whether only the norm budget makes the feature needed."""
    mark = element("span", UNICODE.mark(relevance), class_="mark", aria_hidden="true")
    flag = [element("small", ", norm-made", title=NORM_MADE)] if norm_made else []
    return element("td", mark, f" {relevance}", flag, class_=f"class is-{relevance}")

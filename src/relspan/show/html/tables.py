"""The table of features, and that of groups."""

from __future__ import annotations

from collections.abc import Iterable

from relspan.result import FeatureRelevance, GroupRelevance, RelevanceResult
from relspan.show.html.elements import Markup, element, interval_bar, number, together
from relspan.show.marks import UNICODE, axis_end, by_relevance

MOST_UNFOLDED = 60  # features up to which the irrelevant ones are not folded


def feature_tables(result: RelevanceResult) -> Markup:
    """All features; in a long table the irrelevant ones are folded."""
    ordered = by_relevance(result.features)
    folded = [f for f in ordered if f.relevance == "irrelevant"] if len(ordered) > MOST_UNFOLDED else []
    shown = ordered[: len(ordered) - len(folded)]
    parts = (
        [table(result, shown, "all features" if not folded else "features that matter or may matter")] if shown else []
    )
    if folded:
        count = element("summary", f"{len(folded)} irrelevant features")
        parts.append(element("details", count, table(result, folded, "irrelevant features")))
    return together(parts)


def table(result: RelevanceResult, features: Iterable[FeatureRelevance], caption: str) -> Markup:
    """One row per feature: name, class, both ends, bar, signed ends, gap."""
    end, threshold = axis_end(result), result.thresholds.get("relevant")
    heads = ("feature", "class", "min", "max", "interval", "lo", "hi", "sign", "gap")
    titles = {
        "min": "smallest relevance in all equally good models",
        "max": "largest relevance in all equally good models",
        "lo": "smallest weight, with its sign",
        "hi": "largest weight, with its sign",
        "sign": "sign of the weight in all equally good models; ± where they differ",
        "gap": "how far a true end may lie beyond the end shown",
    }
    figures = ("min", "max", "lo", "hi", "gap")
    head = element(
        "tr",
        (
            element("th", word, scope="col", title=titles.get(word), class_="number" if word in figures else None)
            for word in heads
        ),
    )
    rows = (
        element(
            "tr",
            element("th", f.name, scope="row"),
            element("td", "left out") if f.name in result.left_out else class_cell(f.relevance),
            element("td", number(f.min), class_="number"),
            element("td", "" if f.solved else "≤ ", number(f.max), class_="number"),
            element("td", interval_bar(f.min, f.max, end, threshold, f.relevance), class_="bar"),
            element("td", number(f.lo), class_="number"),
            element("td", number(f.hi), class_="number"),
            element("td", f.direction, class_="sign"),
            element("td", f"{max(f.gap_lo, f.gap_hi):.0e}" if max(f.gap_lo, f.gap_hi) else "0", class_="number"),
            data_feature=f.name,
        )
        for f in features
    )
    return element(
        "table", element("caption", caption), element("thead", head), element("tbody", rows), class_="features"
    )


def group_table(result: RelevanceResult, groups: Iterable[GroupRelevance]) -> Markup:
    """The groups that were asked about: their total relevance."""
    end, threshold = axis_end(result), result.thresholds.get("relevant")
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
            element("td", interval_bar(g.min, g.max, end, threshold, g.relevance), class_="bar"),
            element("td", ", ".join(g.members)),
        )
        for g in groups
    )
    return element("table", element("thead", head), element("tbody", rows), class_="groups")


def class_cell(relevance: str) -> Markup:
    """Mark and word of a class."""
    mark = element("span", UNICODE.mark(relevance), class_="mark", aria_hidden="true")
    return element("td", mark, f" {relevance}", class_=f"class is-{relevance}")

"""A result in a notebook cell: a table with bars that needs no script and no style sheet, so that it shows anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from relspan.result import CLASSES, PIN_OUTCOMES, FeatureRelevance, RelevanceResult
from relspan.show.account import NORM_MADE, Entry, by_key, nothing_called, table_test
from relspan.show.html.elements import Markup, element, interval_bar
from relspan.show.marks import UNICODE, axis_end, by_relevance, evidence_text, has_a_row, has_evidence
from relspan.show.palette import CLASS_COLOURS

MOST_TABLE_ROWS = 40  # rows before the rest is only counted
EXPLAINED = (
    "pins",
    *PIN_OUTCOMES,
    *CLASSES,
    "interval",
    "chance",
    "evidence",
    "route",
    "norm_made",
    "equally_good",
    "budget_range",
    "certified",
)

TEXT_CELL = "padding:2px 10px 2px 0;text-align:left;white-space:nowrap"
NUMBER_CELL = "padding:2px 10px 2px 0;text-align:right;font-variant-numeric:tabular-nums"


def notebook_table(result: RelevanceResult) -> str:
    """The result as a piece of HTML for a notebook cell."""
    entries = by_key(result)
    ordered = by_relevance(result.features)
    shown = [f for f in ordered if has_a_row(f)][:MOST_TABLE_ROWS]
    hidden = [f for f in ordered if f not in shown]
    parts = [element("p", table_test(result).sentence)] if nothing_called(result) else []
    parts.append(element("p", element("strong", entries["summary"].sentence), style="margin:0 0 6px"))
    if shown:
        parts.append(_table(result, shown, entries))
    if hidden:
        folded = element("summary", f"{len(hidden)} more features", style="cursor:pointer;margin-top:4px")
        rest = "" if len(hidden) <= MOST_TABLE_ROWS else f"and {len(hidden) - MOST_TABLE_ROWS} more; see to_frame()"
        parts.append(element("details", folded, _table(result, hidden[:MOST_TABLE_ROWS], entries), element("p", rest)))
    lines = [(entries[key].title, entries[key].sentence) for key in EXPLAINED if key in entries]
    lines += [("Warning", text) for text in result.warnings]
    meaning = [element("p", element("b", title), f": {text}", style="margin:2px 0") for title, text in lines]
    parts.append(
        element("details", element("summary", "What this means", style="cursor:pointer;margin-top:4px"), meaning)
    )
    return element("div", parts, class_="relspan-result", style="font-size:13px;line-height:1.4")


def _table(result: RelevanceResult, features: Sequence[FeatureRelevance], entries: Mapping[str, Entry]) -> Markup:
    end = axis_end(result)
    grounds = (("evidence", NUMBER_CELL), ("route", TEXT_CELL)) if has_evidence(result) else ()
    heads = (
        ("feature", TEXT_CELL),
        *((("under these pins", TEXT_CELL),) if result.is_pinned else ()),
        ("class", TEXT_CELL),
        *grounds,
        ("min", NUMBER_CELL),
        ("max", NUMBER_CELL),
        ("sign", TEXT_CELL),
        ("interval", TEXT_CELL),
    )
    rows = [element("tr", (element("th", word, style=style) for word, style in heads))]
    for f in features:
        mark = element("span", UNICODE.mark(f.relevance), style=f"color:{CLASS_COLOURS[f.relevance]}")
        rows.append(
            element(
                "tr",
                element("td", f.name, style=TEXT_CELL),
                [] if f.under_pins is None else [element("td", f.under_pins.words, style=TEXT_CELL)],
                element("td", mark, f" {f.relevance}", _flag(f), style=TEXT_CELL, title=entries[f.relevance].sentence),
                [
                    element("td", evidence_text(f).replace("<=", "≤ "), style=NUMBER_CELL),
                    element("td", f.route or "", style=TEXT_CELL),
                ]
                if grounds
                else [],
                element("td", f"{f.min:.3f}", style=NUMBER_CELL),
                element("td", ("" if f.solved else "≤ ") + f"{f.max:.3f}", style=NUMBER_CELL),
                element("td", f.direction, style=TEXT_CELL),
                element("td", interval_bar(f.min, f.max, end, result.threshold_of(f), f.relevance), style=TEXT_CELL),
            )
        )
        rows += [
            element(
                "tr",
                element("td", f"\u2003{part.name}", style=TEXT_CELL),
                [element("td", style=TEXT_CELL) for _ in range(1 + (f.under_pins is not None) + len(grounds))],
                element("td", f"{part.min:.3f}", style=NUMBER_CELL),
                element("td", f"{part.max:.3f}", style=NUMBER_CELL),
                element("td", part.direction, style=TEXT_CELL),
                element(
                    "td",
                    interval_bar(part.min, part.max, end, result.threshold_of(part), part.relevance),
                    style=TEXT_CELL,
                ),
            )
            for part in f.by_class
        ]
    return element("table", element("tbody", rows), style="border-collapse:collapse;font-size:inherit")


def _flag(feature: FeatureRelevance) -> Markup | str:
    """Whether only the norm budget makes the feature needed."""
    return element("small", ", norm-made", title=NORM_MADE) if feature.norm_made else ""

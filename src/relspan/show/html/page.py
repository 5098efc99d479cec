"""The report: one HTML file with everything in it, readable without a network, on a screen and on paper.

The result travels inside, as the JSON that `to_json` writes; the explorer's own list draws it, read-only. A content
security policy names the one script and the one style sheet by their hashes and forbids all else, every request first.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from relspan.checks import listed
from relspan.result import CLASSES, PIN_OUTCOMES, RelevanceResult
from relspan.show.account import Entry, account, by_key, class_meanings, nothing_called, outcome_meanings, table_test
from relspan.show.findings import equally_good_line, findings
from relspan.show.html import bundle
from relspan.show.html.elements import Markup, element, together
from relspan.show.html.tables import feature_tables, group_table, model_table, table
from relspan.show.marks import UNICODE
from relspan.show.methods_text import methods
from relspan.show.recipe import caveats, command, script

MOST_NAMES = 100  # names that a list shows before it only counts the rest
SHEETS = ("tokens.css", "list.css", "report.css", "samples.css")
ROWS_INSIDE = "This file contains rows of the table. Pass it on only to people who may see them."
NOT_IN_ABOUT = {"summary", *CLASSES, *PIN_OUTCOMES}  # entries that stand in the heading and in the legend


def page(
    result: RelevanceResult,
    title: str | None = None,
    groups: Any = None,
    panels: Sequence[Any] = (),
    budgets: Mapping[str, Any] | None = None,
    model: Any = None,
    samples: Mapping[str, Any] | None = None,
) -> str:
    """The report of a result, as the text of one HTML file.

    Parameters
    ----------
    result : RelevanceResult
        What is reported.
    title : str, optional
        The report's heading. By default it names the target, where that is known.
    groups : Groups or mapping of str to sequence of str, optional
        Features that replace one another, as an explorer's `groups()` finds them.
    panels : sequence of Panel or of their JSON records, default=()
        Panels, as an explorer's `smallest_panel()` or ``relspan panel --format json`` give them.
    budgets : mapping, optional
        Intervals at other budgets, as the explorer in the browser computes them for its slider: `words`, `current`,
        `steps` and `sentences`, one per position. The report then has the slider.
    model : Model, optional
        The best model, as an explorer's `model()` gives it.
    samples : mapping, optional
        The samples with their details, as `relspan.browser.shared_samples` makes them. The report then contains rows
        of the table, and says so.

    Returns
    -------
    str
        The text of the file.

    See Also
    --------
    relspan.show.html.notebook_table.notebook_table : The shorter form for a notebook cell.
    """
    heading = title or _heading(result)
    style, code = bundle.styles(SHEETS), bundle.script("report.js")
    policy = (
        f"default-src 'none'; script-src {bundle.source_hash(code)}; style-src {bundle.source_hash(style)}; "
        "base-uri 'none'; form-action 'none'"
    )
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=policy),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", heading),
        element("style", Markup(style)),
    )
    body = element(
        "body",
        element("main", _sections(result, heading, groups, panels, model, samples is not None), class_="report"),
        element("script", _embedded(result.to_json(indent=None)), type="application/json", id="relspan-result"),
        *(
            element("script", _embedded(json.dumps(record)), type="application/json", id=name)
            for name, record in (("relspan-budgets", budgets), ("relspan-sample-rows", samples))
            if record is not None
        ),
        element("script", Markup(code), type="module"),
    )
    return "<!doctype html>\n" + element("html", head, body, lang="en") + "\n"


def _heading(result: RelevanceResult) -> str:
    target = result.data.get("target")
    return f"Feature relevance for {target}" if target else "Feature relevance"


def _embedded(text: str) -> Markup:
    """JSON that cannot end the script element it stands in."""
    for sign in "<>&\u2028\u2029":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return Markup(text)


def _sections(
    result: RelevanceResult, heading: str, groups: Any, panels: Sequence[Any], model: Any, samples: bool
) -> Markup:
    return together(
        element(
            "header",
            element("h1", heading),
            element("p", table_test(result).sentence, class_="headline") if nothing_called(result) else "",
            element("p", by_key(result)["summary"].sentence, class_="summary"),
        ),
        _findings(result),
        _warnings(result),
        _section("Intervals", *_chart(result)),
        _section("About this result", _account(result)),
        _section("Table", feature_tables(result), wide=True),
        _section("Privileged features", table(result, result.privileged, "known only during training"), wide=True)
        if result.privileged
        else "",
        _section("Groups of features", group_table(result, result.groups), wide=True) if result.groups else "",
        _section("Features that replace one another", _substitutes(groups)) if groups is not None else "",
        _section("Panels", *map(_panel, panels)) if panels else "",
        _section(
            "Samples", element("p", ROWS_INSIDE, class_="warning"), element("div", id="relspan-samples"), wide=True
        )
        if samples
        else "",
        _section("The best model", _model_words(result, model), model_table(model), wide=True) if model else "",
        _methods(result),
        _section("How to repeat this", *_recipes(result)),
        element("footer", "Versions: ", ", ".join(f"{name} {value}" for name, value in result.versions.items())),
    )


def _section(title: str, *content: str, wide: bool = False) -> Markup:
    return element("section", element("h2", title), *content, class_="wide" if wide else None)


def _findings(result: RelevanceResult) -> Markup | str:
    found = [entry for entry in findings(result) if entry.key != "test"]  # the heading states the test
    line = equally_good_line(result)
    if line:
        found.append(Entry("equally_good", "Equally good", line.removeprefix("Equally good: ").capitalize(), None))
    if not found:
        return ""
    terms = (together(element("dt", entry.title), element("dd", entry.sentence)) for entry in found)
    return _section("What was found", element("dl", terms, class_="findings"))


def _warnings(result: RelevanceResult) -> Markup | str:
    if not result.warnings:
        return ""
    return _section("Warnings", *(element("p", text, class_="warning") for text in result.warnings))


def _chart(result: RelevanceResult) -> list[Markup]:
    present = {f.relevance for f in result.features}
    keys = [
        element("span", element("b", f"{UNICODE.mark(entry.key)} {entry.title}"), f": {entry.sentence}")
        for entry in class_meanings(result)
        if entry.key in present
    ]
    keys += [
        element("span", element("b", entry.title), f": {entry.sentence}")
        for entry in outcome_meanings(result)
        if entry.value
    ]
    if result.is_pinned:
        keys.append(element("span", element("b", "grey bar"), ": The interval without pins."))
    if "relevant" in result.thresholds:
        keys.append(element("span", element("b", "┊ dotted line"), ": How far chance reaches."))
    return [
        element("p", keys, class_="legend"),
        element("div", id="relspan-budget"),
        element("div", id="relspan-intervals"),
        element("noscript", "The chart needs JavaScript, which is in this file. The table below has the same numbers."),
    ]


def _account(result: RelevanceResult) -> Markup:
    return element(
        "dl",
        (
            together(element("dt", entry.title), element("dd", entry.sentence))
            for entry in account(result)
            if entry.key not in NOT_IN_ABOUT and not (entry.key == "test" and nothing_called(result))
        ),
    )


def _substitutes(groups: Any) -> Markup:
    found: Iterable[Sequence[str]] = groups.values() if isinstance(groups, Mapping) else groups.members
    names = [list(each) for each in found]
    alone = [each[0] for each in names if len(each) == 1]
    items = [element("li", names_of(each)) for each in names if len(each) > 1]
    rest = (
        element("p", f"No single feature can replace one of these, though several together may: {names_of(alone)}.")
        if alone
        else Markup("")
    )
    return together(element("ol", items) if items else "", rest)


def names_of(names: Sequence[str]) -> str:
    """A long list of names, cut where it only counts the rest."""
    return listed(names, MOST_NAMES)


def _panel(panel: Any) -> Markup:
    """A panel, or the record of one."""
    record = panel if isinstance(panel, Mapping) else {**vars(panel), "proven": panel.proven}
    least = f"It is proven that every panel costs at least {record['bound']:g}"
    proof = f"{least}." if record["proven"] else f"{least}; it is not proven that this panel is the cheapest."
    size = "1 feature" if len(record["features"]) == 1 else f"{len(record['features'])} features"
    return element(
        "p", element("b", names_of(record["features"])), f": {size} at a cost of {record['cost']:g}. {proof}"
    )


def _model_words(result: RelevanceResult, model: Any) -> Markup:
    under = " that satisfies the pins" if result.is_pinned else ""
    offsets = ", ".join(f"{offset:.4g}" for offset in model.offsets)
    rest = f" Its offset is {offsets}." if len(model.offsets) == 1 else f" Its thresholds are {offsets}."
    return element(
        "p",
        f"The best model{under} uses {len(model.features)} of {len(model.relevances)} columns. Weights are those for "
        f"the table as it was given; the relevance of a column is its share of the best model's norm.{rest}",
    )


def _methods(result: RelevanceResult) -> Markup | str:
    items = methods(result)
    if not items:
        return ""
    about = (
        "A draft of the methods and results that a report of a prediction model should contain, by the items of "
        "TRIPOD+AI (BMJ 2024, e078378) that this result can fill."
    )
    numbered = (
        together(
            element("dt", entry.title if entry.key == "open" else f"{entry.key} {entry.title}"),
            element("dd", entry.sentence),
        )
        for entry in items
    )
    return _section("Methods", element("p", about), element("dl", numbered, class_="methods"))


def _recipes(result: RelevanceResult) -> list[Markup]:
    recipes = {"In Python": script(result), "On the command line": command(result)}
    parts = [
        together(element("h3", title, class_="recipe"), element("pre", element("code", text)))
        for title, text in recipes.items()
        if text
    ]
    kept = "This file contains the whole result as JSON, in the element relspan-result."
    return [*parts, element("p", " ".join([*caveats(result), kept]))]

"""A result in a terminal: a table with interval bars, and below it the account of the result.

Everything shown is in the result; nothing is computed here.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from typing import TypeAlias

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from relspan.checks import listed
from relspan.result import FeatureRelevance, GroupRelevance, RelevanceResult
from relspan.show.account import account, by_key, nothing_called, outcome_counts, pin_texts, table_test
from relspan.show.marks import UNICODE, Glyphs, axis_end, by_relevance, evidence_text, has_a_row, has_evidence
from relspan.show.terminal.interval_bars import Axis, Bar, glyphs
from relspan.terminal_text import printable

OUTCOME_STYLES = {"left out": "dim", "needed": "bold", "moved": "", "unmoved": "dim"}
STYLES = {"strong": "bold cyan", "weak": "yellow", "irrelevant": "dim", "undecided": ""}
NAMES_OF_HIDDEN_ROWS = 6  # features without a row that are still named
NOT_BELOW_TABLE = {"summary", "source", "preparation", "engine"}  # shown as counts, before the table, or in the report

WIDTH_WITH_EVIDENCE = 64  # characters of a line in which evidence and a bar have room
BESIDE_NAMES = 40  # characters of a row beside the name and the class: mark, min, max, sign and the narrowest bar
EVIDENCE_COLUMN, ROUTE_COLUMN = 10, 13  # characters of these columns

Shown: TypeAlias = FeatureRelevance | GroupRelevance


def show(result: RelevanceResult, console: Console, everything: bool = False) -> None:
    """Print the table of features, how many there are of each class, and the account of the result."""
    known = glyphs(console.options)
    ordered = by_relevance(result.features)
    shown = [f for f in ordered if everything or has_a_row(f)]
    hidden = [printable(f.name) for f in ordered if f not in shown]
    if nothing_called(result):
        console.print(Text(table_test(result).sentence, "bold"))
    console.print()
    if result.is_pinned:
        console.print(Text(f"Under these pins: {printable(', '.join(pin_texts(result)))}", "bold"))
        console.print()
    if shown:
        console.print(feature_table(result, shown, known, console.width))
    if hidden:
        what = "1 irrelevant feature" if len(hidden) == 1 else f"{len(hidden)} irrelevant features"
        console.print(
            Text(f"not shown: {what} ({listed(hidden, NAMES_OF_HIDDEN_ROWS)}); --all shows every feature", "dim")
        )
    for title, more in (("known only during training", result.privileged), ("group", result.groups)):
        if more:
            console.print()
            console.print(more_table(result, title, more, known, console.width))
    console.print()
    console.print(counts(result, known))
    console.print()
    hidden_entries = {"evidence", "route"} - set(ground_columns(result, shown, console.width))
    console.print(account_table(result, known, hidden_entries))


def feature_table(result: RelevanceResult, shown: Sequence[FeatureRelevance], known: Glyphs, width: int) -> Table:
    """One row per feature: name, class, smallest and largest relevance, sign (one per class, if several), bar.

    Evidence and route stand before the bar, where there is room for the route. Under pins a column has what they do to
    the feature in their place. The weights of a feature that has one per class follow it.
    """
    top = axis_end(result)
    signed = "sign" in by_key(result)
    grounds = ground_columns(result, shown, width)
    beside = BESIDE_NAMES + (EVIDENCE_COLUMN if grounds else 0) + (ROUTE_COLUMN if len(grounds) > 1 else 0)
    room = min(width - beside - _longest_class(shown), longest_whole_name(width))
    table = empty_table("feature", width, whole=_longest_name(shown) <= room)
    if signed:
        table.add_column("sign", justify="center", no_wrap=True)
    if result.is_pinned:
        table.add_column("under pins", overflow="fold", min_width=8, max_width=8)
    for title in grounds:
        table.add_column(title, justify="right" if title == "evidence" else "left", no_wrap=True)
    table.add_column(Axis(top, shared_threshold(result, shown)))
    for f in shown:
        signs = [known.signs(f)] if signed else []
        effect = [Text(f.under_pins.words, OUTCOME_STYLES[f.under_pins.outcome])] if f.under_pins is not None else []
        ground = [evidence_text(f), f.route or ""][: len(grounds)]
        table.add_row(*cells_of(f, known, f.solved), *signs, *effect, *ground, bar_of(f, result.threshold_of(f), top))
        for weight in f.by_class:
            _, _, least, most = cells_of(weight, known, f.solved)
            name, sign = Text(f"  {printable(weight.name)}", "dim"), [known.signs(weight)] if signed else []
            none = [""] * (len(effect) + len(grounds))
            table.add_row(name, "", least, most, *sign, *none, bar_of(weight, result.threshold_of(weight), top))
    return table


def ground_columns(result: RelevanceResult, shown: Sequence[FeatureRelevance], width: int) -> list[str]:
    """The titles of the columns with what classes rest on; the route needs a line that is wide enough for the names."""
    if result.is_pinned or not has_evidence(result) or width < WIDTH_WITH_EVIDENCE:
        return []
    taken = _longest_name(shown) + _longest_class(shown) + BESIDE_NAMES + EVIDENCE_COLUMN + ROUTE_COLUMN
    return ["evidence", "route"] if taken <= width else ["evidence"]


def _longest_name(shown: Sequence[FeatureRelevance]) -> int:
    return max((cell_len(printable(f.name)) for f in shown), default=0)


def _longest_class(shown: Sequence[FeatureRelevance]) -> int:
    return max((len(f.relevance) for f in shown), default=0)


def more_table(result: RelevanceResult, title: str, shown: Sequence[Shown], known: Glyphs, width: int) -> Table:
    """The same without signs, for privileged features or groups; a group's members stand below its name."""
    top = axis_end(result)
    table = empty_table(title, width)
    table.add_column(Axis(top, shared_threshold(result, shown)))
    for f in shown:
        table.add_row(*cells_of(f, known), bar_of(f, result.threshold_of(f), top))
        if isinstance(f, GroupRelevance):
            table.add_row(Text("  " + ", ".join(map(printable, f.members)), "dim"))
    return table


def longest_whole_name(width: int) -> int:
    """The characters of a name that may stand in one line, so that other columns keep their room."""
    return max(20, width // 3)


def empty_table(title: str, width: int, whole: bool = False) -> Table:
    """The columns that all these tables begin with; names stand in one line each if there is room for whole ones."""
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False, header_style="")
    table.add_column(title, overflow="fold", min_width=8, max_width=longest_whole_name(width), no_wrap=whole)
    table.add_column("class", no_wrap=True)
    table.add_column("min", justify="right", no_wrap=True)
    table.add_column("max", justify="right", no_wrap=True)
    return table


def cells_of(f: Shown, known: Glyphs, solved: bool = True) -> tuple[Text, Text, str, str]:
    """Name, class, min and max of one row; an end that is only a bound is marked "<="."""
    return (
        Text(printable(f.name)),
        Text(f"{known.mark(f.relevance)} {f.relevance}", STYLES[f.relevance]),
        f"{f.min:.3f}" if f.min else "0",
        ("" if solved else "<=") + (f"{f.max:.3f}" if f.max else "0"),
    )


def shared_threshold(result: RelevanceResult, shown: Sequence[Shown]) -> float | None:
    """The threshold that all these rows share, which the axis can mark; None where they differ."""
    found = {result.threshold_of(f) for f in shown}
    return found.pop() if len(found) == 1 else None


def bar_of(f: Shown, threshold: float | None, top: float) -> Bar:
    """The bar of one row."""
    return Bar(f.min / top, f.max / top, None if threshold is None else threshold / top, STYLES[f.relevance])


def counts(result: RelevanceResult, known: Glyphs) -> Text:
    """How many features there are of each class, and what pins do to how many; of a partial result, what is missing."""
    summary = by_key(result)["summary"]
    if result.partial:
        return Text(f"{known.undecided} {summary.sentence}")
    classes = Text("   ").join(
        Text(f"{known.mark(kind)} {count} {kind}", STYLES[kind]) for kind, count in summary.value.items()
    )
    if not result.is_pinned:
        return classes
    outcomes = Text("   ").join(
        Text(f"{count} {outcome}", OUTCOME_STYLES[outcome]) for outcome, count in outcome_counts(result).items()
    )
    return Text("under these pins   ").append_text(outcomes).append("\nwithout pins       ").append_text(classes)


def account_table(result: RelevanceResult, known: Glyphs, hidden: Set[str] = frozenset()) -> Table:
    """The account of the result, one row per entry but for the hidden ones: its title and its sentences."""
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    above = {*NOT_BELOW_TABLE, *(["test"] if nothing_called(result) else []), *hidden}
    for entry in account(result):
        if entry.key not in above:
            title = f"{entry.title} {known.pointer}" if entry.key == "chance" else entry.title
            sentence = printable(entry.sentence).replace(UNICODE.uncertain, known.uncertain)
            grid.add_row(Text(title, STYLES.get(entry.key, "")), Text(sentence))
    return grid

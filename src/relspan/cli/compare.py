"""``relspan compare``: relspan beside other selectors on a table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Annotated

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from relspan.cli.exit_codes import ExitCode, complain
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.packs import Only, Without
from relspan.cli.options.table import File, Target, load
from relspan.cli.options.task import TaskOptions
from relspan.cli.progress_bar import reported
from relspan.compare import METHODS, MethodComparison, agreement, compare
from relspan.compare.method_comparison import how_scores_were_made
from relspan.options import option
from relspan.show.account import CLASS_MEANINGS
from relspan.show.marks import Glyphs
from relspan.show.terminal.interval_bars import glyphs
from relspan.tables import TableOptions
from relspan.terminal_text import printable


@dataclass(frozen=True)
class ComparisonOutput(OutputOptions):
    """Three tables, of which one has a row per feature."""

    everything: bool = option(False, flag="--all", help="Show the features that no method selects as well.")


def compare_command(
    file: File,
    target: Target,
    *,
    methods: Annotated[
        list[str],
        typer.Option(
            "--methods",
            "-m",
            metavar="NAMES",
            help=f"The methods to compare, separated by commas: {', '.join(METHODS)}.",
            default_factory=list,
            show_default="all that are installed and not too slow for this table",
        ),
    ],
    folds: Annotated[int, typer.Option(help="The number of folds of the outer cross-validation.")] = 5,
    scoring: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="The scikit-learn scorer by which the methods are judged.",
            show_default="by the kind of target",
        ),
    ] = None,
    output: ComparisonOutput,
    table: Annotated[TableOptions, Without("event")],
    task: Annotated[TaskOptions, Only("task")],
    analysis: Annotated[AnalysisOptions, Only("seed")],
) -> None:
    """Compare relspan with other selectors: what each selects, how well it predicts new rows, and which agree."""
    prepared = load(file, target, table, output)
    chosen, reason = task.chosen(prepared.y)
    if reason is not None:
        output.note(f"task {chosen.name}: {reason}")
    asked = [part.strip() for word in methods for part in word.split(",") if part.strip()]
    about = f"comparing on {len(prepared.names)} features, {len(prepared.X)} rows"
    with reported(about, output.quiet) as progress:
        found = compare(
            prepared.X,
            prepared.y,
            prepared.names,
            target=target,
            task=chosen.name,
            methods=asked or None,
            folds=folds,
            scoring=scoring,
            random_state=analysis.seed,
            groups=prepared.groups,
            progress=progress,
        )
    deliver(replace(found, data=prepared.report.facts()), output)


def deliver(found: MethodComparison, output: ComparisonOutput) -> None:
    """Write what was found; an interrupted comparison, or one with a failed method, has an exit code of its own."""
    for remark in found.warnings:
        complain(f"warning: {remark}")
    if found.data.get("imputed"):
        complain(
            "warning: missing values were filled from all rows before the folds were made, so the scores may be "
            "slightly too good"
        )
    output.write_report(found, lambda console: show(found, console, output.everything))
    if found.partial:
        complain(
            f"interrupted: {len(found.outcomes)} methods are finished; these are not: {', '.join(found.unfinished)}"
        )
        raise typer.Exit(ExitCode.INTERRUPTED)
    failed = [outcome for outcome in found.outcomes if outcome.error]
    for outcome in failed:
        complain(f"{outcome.method} failed: {outcome.error}")
    if failed:
        raise typer.Exit(ExitCode.SOLVER)


def show(found: MethodComparison, console: Console, everything: bool) -> None:
    """Three tables, and what the numbers are."""
    known = glyphs(console.options)
    tables = {
        "How well each method predicts (not a ranking; its letter is used below)": score_table(found),
        "Which features each method selects": selected_features_table(found, known, everything),
        "How far pairs of methods agree": agreement_table(found),
    }
    for title, table in tables.items():
        console.print()
        console.print(Text(title, style="bold"))
        console.print(table)
    console.print()
    lines = {
        "score": how_scores_were_made(found),
        "same": "How far the selections of the folds agree; 1 if every fold selects the same features.",
        known.strong: f"strong (relspan). {CLASS_MEANINGS['strong']}",
        known.weak: f"weak (relspan). {CLASS_MEANINGS['weak']}",
        known.full: "The feature is selected by another method than relspan.",
        "agreement": "The features that both methods select, as a share of those that either selects (Jaccard index).",
        **{outcome.method: outcome.about for outcome in found.outcomes},
        **{f"{name}, left out": reason for name, reason in found.left_out.items()},
    }
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="bold", no_wrap=True)
    grid.add_column()
    for word, explanation in lines.items():
        grid.add_row(Text(word), Text(explanation))
    console.print(grid)


def score_table(found: MethodComparison) -> Table:
    """One row per method: what it selects and how well that does."""
    table = _table("", "", found.scoring, "+-", "features", "strong", "in folds", "same", "seconds")
    for letter, outcome in zip(ascii_uppercase, found.answered, strict=False):
        fewest, most = min(outcome.fold_sizes), max(outcome.fold_sizes)
        table.add_row(
            letter,
            outcome.method,
            f"{outcome.score:.3f}",
            "" if outcome.deviation is None else f"{outcome.deviation:.3f}",
            str(len(outcome.selected)),
            str(len(outcome.strong)) if outcome.method == "relspan" else "",
            f"{fewest}" if fewest == most else f"{fewest} to {most}",
            "" if outcome.fold_agreement is None else f"{outcome.fold_agreement:.2f}",
            f"{outcome.seconds:.1f}",
        )
    return table


def selected_features_table(found: MethodComparison, known: Glyphs, everything: bool) -> Table:
    """One row per feature, one column per method, by letter; the features that most select come first."""
    shown = {letter: o for letter, o in zip(ascii_uppercase, found.answered, strict=False) if o.method != "all"}
    votes = {name: sum(name in outcome.selected for outcome in shown.values()) for name in found.features}
    table = _table("feature", *shown)
    for name in sorted(found.features, key=lambda name: -votes[name]):
        if not (votes[name] or everything):
            continue
        marks = []
        for outcome in shown.values():
            kept = known.weak if outcome.method == "relspan" else known.full
            marks.append(known.strong if name in outcome.strong else kept if name in outcome.selected else "")
        table.add_row(Text(printable(name)), *marks)
    return table


def agreement_table(found: MethodComparison) -> Table:
    """The Jaccard index of every pair of methods."""
    methods = [outcome.method for outcome in found.answered]
    table = _table("agreement", "", *ascii_uppercase[: len(methods)])
    pairs = agreement([outcome.selected for outcome in found.answered])
    for letter, method, row in zip(ascii_uppercase, methods, pairs, strict=False):
        table.add_row(method, letter, *(f"{value:.2f}" for value in row))
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, padding=(0, 1, 0, 0), pad_edge=False, header_style="")
    table.add_column(first, overflow="fold")
    for other in others:
        table.add_column(other, justify="right" if other else "left", no_wrap=True)
    return table

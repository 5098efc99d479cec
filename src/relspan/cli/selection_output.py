"""What a selector found, as ``relspan blanket`` and ``relspan select`` write it."""

from __future__ import annotations

from rich.console import Console

from relspan.cli.exit_codes import complain
from relspan.cli.options.output import OutputOptions
from relspan.selectors.blanket_report import BlanketReport
from relspan.selectors.selection_report import SelectionReport


def write_report(report: BlanketReport | SelectionReport, output: OutputOptions) -> None:
    """Write the report; its warnings go to stderr."""
    for remark in report.warnings:
        complain(f"warning: {remark}")
    output.write_report(report, lambda console: _draw_table(report, console))


def _draw_table(report: BlanketReport | SelectionReport, console: Console) -> None:
    table = report.to_table()
    title, caption = table.title, table.caption
    table.title = table.caption = None  # inside they are broken to the width of the names
    console.print(title, table, caption, sep="\n")

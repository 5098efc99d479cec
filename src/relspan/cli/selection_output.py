"""What a selector found, as ``relspan blanket`` and ``relspan select`` write it."""

from __future__ import annotations

from relspan.cli.exit_codes import complain
from relspan.cli.options.output import OutputOptions, write_columns
from relspan.selectors.blanket_report import BlanketReport
from relspan.selectors.selection_report import SelectionReport


def write_report(report: BlanketReport | SelectionReport, output: OutputOptions) -> None:
    """Write the report; its warnings go to stderr."""
    for remark in report.warnings:
        complain(f"warning: {remark}")
    with output.opened() as stream:
        if output.form == "json":
            stream.write(report.to_json() + "\n")
        elif output.form == "csv":
            write_columns(stream, report.columns())
        else:
            table = report.to_table()
            title, caption = table.title, table.caption
            table.title = table.caption = None  # inside they are broken to the width of the names
            output.console(stream).print(title, table, caption, sep="\n")

"""``relspan diff``: what changed between two results, and why."""

from __future__ import annotations

from typing import Annotated

import typer

from relspan.cli.options.output import OutputOptions
from relspan.cli.options.packs import Without
from relspan.cli.report import read_result


def diff_command(
    earlier: Annotated[
        str, typer.Argument(metavar="OLD", help="The JSON of the earlier result, by relspan analyze -o old.json.")
    ],
    later: Annotated[
        str, typer.Argument(metavar="NEW", help="The JSON of the later result, by relspan analyze -o new.json.")
    ],
    *,
    output: Annotated[OutputOptions, Without("quiet")],
) -> None:
    """Compare two results: which features changed class or interval, and what differs in data, settings and versions.

    Features are compared by name. An interval has moved if one of its ends differs in the third digit after the point.
    """
    changes = read_result(later).changes_since(read_result(earlier))
    output.write_report(changes, lambda console: console.print(str(changes), soft_wrap=True))

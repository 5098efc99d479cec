"""``relspan alternatives``: the columns that could take a column's place."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import typer

from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.tables import TableOptions


def alternatives_command(
    file: File,
    target: Target,
    *,
    feature: Annotated[str, typer.Option(metavar="NAME", help="The column to replace.")],
    most: Annotated[int, typer.Option(min=1, help="The number of alternatives to list.")] = 10,
    pins: PinOptions,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Describe which columns could take a column's place, the best one first.

    An alternative is a column that has more weight in the equally good models that use the given column less.
    """
    explorer = open_explorer(file, target, table, task, analysis, pins, output, [feature])
    found = explorer.alternatives(feature)[:most]
    competing = [a.sentence for a in found if a.competes]
    none = f"No other relevant feature could take the place of {feature}."
    text = "\n".join([*first_lines(explorer), *(competing or [none])])
    alternatives = [{**asdict(a), "sentence": a.sentence} for a in found]
    output.write(text, {**origin(explorer), "feature": feature, "alternatives": alternatives})
    exit_unproven(explorer.unpinned_result)

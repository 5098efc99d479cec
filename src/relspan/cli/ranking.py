"""``relspan ranking``: the order of columns by absolute weight, as far as all equally good models agree on it."""

from __future__ import annotations

import json
from typing import Annotated

from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import AnswerOutput
from relspan.cli.options.packs import Without
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.table import File, Target
from relspan.cli.options.task import TaskOptions
from relspan.cli.proof_check import exit_unproven
from relspan.cli.table_fit import first_lines, open_explorer, origin
from relspan.explore import Ranking
from relspan.tables import TableOptions


def ranking_command(
    file: File,
    target: Target,
    *,
    pins: PinOptions,
    output: AnswerOutput,
    table: TableOptions,
    task: Annotated[TaskOptions, Without("privileged", "group")],
    analysis: Annotated[AnalysisOptions, Without("screen", "on_null")],
) -> None:
    """Report which columns rank above which others, by absolute weight, in every equally good model.

    A column ranks above another if every equally good model uses it and gives it at least the absolute weight of the
    other. Where neither of two columns ranks above the other, good models disagree, and any list by importance would
    be arbitrary.
    """
    explorer = open_explorer(file, target, table, task, analysis, pins, output)
    found = explorer.ranking()
    text = "\n".join([*first_lines(explorer), *ranking_lines(found)])
    output.write(text, {**origin(explorer), **json.loads(found.to_json()), "levels": [list(x) for x in found.levels]})
    exit_unproven(explorer.unpinned_result)


def ranking_lines(found: Ranking) -> list[str]:
    """The order in words: the direct pairs, from which all others follow."""
    lines = [f"{found.headline[0].upper()}{found.headline[1:]}."]
    for name in found.features:
        below = [pair.lower for pair in found.pairs if pair.higher == name and pair.direct]
        if below:
            lines.append(f"{name} ranks above {', '.join(below)}.")
    return lines

"""``relspan verify``: whether a result follows from a table."""

from __future__ import annotations

from typing import Annotated

from relspan.cli.options.output import OutputOptions
from relspan.cli.options.packs import Only
from relspan.cli.options.table import File, load
from relspan.cli.options.task import TaskOptions, take_apart
from relspan.cli.report import ResultFile, read_result
from relspan.errors import DataError
from relspan.tables import TableOptions
from relspan.tasks.repeated_analysis import verify


def verify_command(
    result: ResultFile,
    file: File,
    *,
    output: Annotated[OutputOptions, Only("output", "quiet")],
) -> None:
    """Check that a result follows from a table: analyse it again, check the proofs, and compare every value.

    The table is read and prepared as the result records it. The command fails if any interval, class, name or bound
    differs, and names the first ones that do. How the result was computed (its seconds, versions and engine) is not
    compared, nor what it says of the file beyond its columns.
    """
    found = read_result(result)
    if "target" not in found.data:
        raise DataError(f"{result!r} does not record the target of its table; result.verify(X, y) takes it in Python")
    options = TableOptions(**found.data.get("table_options", {}))
    prepared = load(file, str(found.data["target"]), options, output)
    if prepared.report.sha256 != found.data.get("sha256"):
        output.note(f"{file} is not the file that the result was made from, or has changed since")
    apart = TaskOptions(
        weights=found.data.get("weights"), privileged=tuple(feature.name for feature in found.privileged)
    )
    parts = take_apart(prepared, apart)
    answer = verify(found, parts.X, prepared.y, parts.weights, prepared.groups, parts.privileged)
    with output.opened() as stream:
        stream.write(f"{answer}\n")

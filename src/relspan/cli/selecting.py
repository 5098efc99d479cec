"""``relspan blanket`` and ``relspan select``: the commands around the two reports."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from relspan.cli import fitting, reading
from relspan.cli.blanket import BlanketReport, blanket_report
from relspan.cli.failures import ExitCode, complain
from relspan.cli.output import Output, open_output
from relspan.cli.select import LEARNERS, METHODS, SelectionReport, selection_report
from relspan.errors import ParameterError
from relspan.tables import read_table

Alpha = Annotated[float, typer.Option(help="Level of the independence tests.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON instead of a table; also where FILE ends in .json.")]


def blanket_command(
    file: reading.File,
    target: reading.Target,
    *,
    alpha: Alpha = 0.05,
    max_k: Annotated[int, typer.Option(help="Largest conditioning set.")] = 3,
    test: Annotated[str, typer.Option(metavar="auto|g2|chi2|fisher-z|mixed", help="Independence test.")] = "auto",
    symmetric: Annotated[bool, typer.Option(help="Keep a neighbour only if the target is among its own.")] = False,
    bins: Annotated[int | None, typer.Option(help="Discretise numbers into so many bins.")] = None,
    max_tests: Annotated[int | None, typer.Option(help="Stop with a partial result after so many tests.")] = None,
    output: Output = "-",
    as_json: AsJson = False,
    quiet: fitting.Quiet = False,
    drop: reading.Drop,
    separator: reading.Separator = None,
    encoding: reading.Encoding = "utf-8",
) -> None:
    """Find the Markov blanket of the target: the smallest set that makes all other columns superfluous (HITON)."""
    names, columns, y = _columns(file, target, drop, separator, encoding)
    report, _ = blanket_report(
        names,
        columns,
        y,
        target,
        alpha=alpha,
        max_k=max_k,
        test=test,
        symmetric=symmetric,
        n_bins=bins,
        max_tests=max_tests,
        progress=not quiet and _teller([*names, target]),
    )
    _write(report, output, as_json)
    if report.stopped:
        raise typer.Exit(ExitCode.SOLVER)


def select_command(
    file: reading.File,
    target: reading.Target,
    *,
    method: Annotated[str, typer.Option(metavar="METHOD", help=f"One of {', '.join(METHODS)}.")] = "hiton",
    learner: Annotated[str, typer.Option(metavar="|".join(LEARNERS), help="Judges sets of features.")] = "svm",
    n_features: Annotated[int | None, typer.Option(help="Size of the set; else by cross-validation.")] = None,
    folds: Annotated[int, typer.Option(help="Of the cross-validation.")] = 5,
    alpha: Alpha = 0.05,
    output: Output = "-",
    as_json: AsJson = False,
    drop: reading.Drop,
    separator: reading.Separator = None,
    encoding: reading.Encoding = "utf-8",
    seed: fitting.Seed = 0,
) -> None:
    """Select columns by HITON, a filter, recursive elimination, or a wrapper."""
    names, columns, y = _columns(file, target, drop, separator, encoding)
    report = selection_report(
        names,
        columns,
        y,
        target,
        method=method,
        learner=learner,
        n_features=n_features,
        cv=folds,
        seed=seed,
        alpha=alpha,
    )
    _write(report, output, as_json)


def _columns(
    file: str, target: str, drop: Sequence[str], separator: str | None, encoding: str
) -> tuple[list[str], list[Any], Any]:
    """Names and columns without the target, and the target; words stay words."""
    if file != "-" and not Path(file).exists():
        raise ParameterError(f"no file {file!r}")
    table = read_table(file, separator=separator, encoding=encoding)
    y = table.column(target)
    dropped = reading.split_names(drop, table.names)
    for name in dropped:
        table.column(name)
    names = [name for name in table.names if name != target and name not in dropped]
    return names, [table.column(name) for name in names], y


def _teller(names: Sequence[str]) -> Callable[[str], None]:
    """What tells the progress of HITON on stderr, with names instead of column numbers."""

    def tell(line: str) -> None:
        number, rest = line.removeprefix("target ").split(":", 1)
        typer.echo(f"neighbours of {names[int(number)]}:{rest}", err=True)

    return tell


def _write(report: BlanketReport | SelectionReport, output: str, as_json: bool) -> None:
    for remark in report.warnings:
        complain(f"warning: {remark}")
    with open_output(output) as stream:
        if as_json or output.lower().endswith(".json"):
            stream.write(report.to_json() + "\n")
        else:
            table = report.to_table()
            title, caption = table.title, table.caption
            table.title = table.caption = None  # inside they are broken to the width of the names
            Console(file=stream, highlight=False, markup=False).print(title, table, caption, sep="\n")

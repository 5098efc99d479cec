"""``relspan plot``: a result as a figure."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from relspan.cli.options.output import destination
from relspan.cli.report import ResultFile, read_result
from relspan.errors import ParameterError

KINDS = ("intervals", "signed", "probes")
ENDINGS: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}
"""And what the file would say of itself: no date, so that the same result gives the same bytes."""


def plot_command(
    file: ResultFile,
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="Figure to write: .svg, .png or .pdf.")],
    kind: Annotated[str, typer.Option(metavar="|".join(KINDS), help="What to draw.")] = "intervals",
    earlier: Annotated[str | None, typer.Option(metavar="FILE", help="Result to draw behind, as ghosts.")] = None,
    sort: Annotated[str, typer.Option(metavar="class|max|min|name|table", help="Order of the rows.")] = "class",
    everything: Annotated[bool, typer.Option("--all", help="Irrelevant features have rows, however many.")] = False,
    feature: Annotated[str | None, typer.Option(metavar="NAME", help="Feature to point at among the probes.")] = None,
    title: Annotated[str, typer.Option(help="Heading.", show_default=False)] = "",
    dpi: Annotated[int, typer.Option(min=20, help="Of a .png.")] = 150,
) -> None:
    """Draw the intervals of a result, or the permuted columns that its threshold comes from."""
    if kind not in KINDS:
        raise ParameterError(f"kind must be one of {', '.join(KINDS)}, not {kind!r}")
    figure_file(output)
    result = read_result(file)
    without_a_screen()
    from relspan.plots import IntervalDisplay, ProbeDisplay

    if kind == "probes":
        figure = ProbeDisplay.from_result(result, feature=feature).figure_
    else:
        display = IntervalDisplay.from_result(
            result,
            signed=kind == "signed",
            earlier=None if earlier is None else read_result(earlier),
            sort=sort,
            everything=everything or None,
            title=title,
        )
        figure = display.figure_
    save(figure, output, dpi)
    typer.echo(f"figure in {output}", err=True)


def figure_file(output: str) -> None:
    """Refuse a file that cannot become a figure, before any work is done."""
    if Path(output).suffix.lower() not in ENDINGS:
        raise ParameterError(f"a figure ends in {', '.join(ENDINGS)}; {output!r} does not")
    destination(output, None)


def without_a_screen() -> None:
    """matplotlib, without a screen."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        raise ParameterError("figures need matplotlib: pip install 'relspan[plot]'") from None
    mpl.use("Agg")
    # names stay text, which can be searched and edited; ids do not change from run to run
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "relspan"})


def save(figure: Any, output: str, dpi: int = 150) -> None:
    """Write a figure."""
    try:
        figure.savefig(output, dpi=dpi, metadata=ENDINGS[Path(output).suffix.lower()])
    except OSError as error:
        raise ParameterError(f"cannot write {output!r}: {error.strerror or error}") from error

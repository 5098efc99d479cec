"""``relspan plot``: a result as a figure."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer

from relspan.checks import one_of
from relspan.cli.options.output import refuse_unwritable
from relspan.cli.report import ResultFile, read_result
from relspan.errors import ParameterError
from relspan.options import option
from relspan.whole_files import whole_file

PLOT_KINDS = ("intervals", "signed", "probes")
ENDINGS: dict[str, dict[str, Any]] = {".svg": {"Date": None}, ".png": {}, ".pdf": {"CreationDate": None}}
"""And what the file would hold about itself: no date, so that the same result gives the same bytes."""


@dataclass(frozen=True)
class DrawingOptions:
    """What is drawn, and how."""

    kind: str = option(
        "intervals",
        metavar="|".join(PLOT_KINDS),
        help="What to draw: the intervals of relevance, those of the signed weights, or the probes (permuted columns) "
        "behind the threshold.",
    )
    earlier: str | None = option(
        None, metavar="FILE", help="An earlier result to draw behind this one, for comparison."
    )
    sort: str = option("class", metavar="class|max|min|name|table", help="The order of the rows.")
    everything: bool = option(False, flag="--all", help="Show irrelevant features as well, however many there are.")
    feature: str | None = option(None, metavar="NAME", help="The feature to mark in the figure of the probes.")
    title: str = option("", metavar="TEXT", help="The heading of the figure.", show_default=False)
    dpi: int = option(150, min=20, help="The resolution of a .png file, in dots per inch.")

    def __post_init__(self) -> None:
        one_of("kind", self.kind, PLOT_KINDS)


def plot_command(
    file: ResultFile,
    *,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The figure to write: a .svg, .png or .pdf file.")
    ],
    drawing: DrawingOptions,
) -> None:
    """Draw the intervals of a result, or the permuted columns behind its threshold."""
    refuse_other_figure(output)
    result = read_result(file)
    use_no_screen()
    from relspan.plots import IntervalDisplay, ProbeDisplay

    if drawing.kind == "probes":
        figure = ProbeDisplay.from_result(result, feature=drawing.feature).figure_
    else:
        display = IntervalDisplay.from_result(
            result,
            signed=drawing.kind == "signed",
            earlier=None if drawing.earlier is None else read_result(drawing.earlier),
            sort=drawing.sort,
            everything=drawing.everything or None,
            title=drawing.title,
        )
        figure = display.figure_
    save_figure(figure, output, drawing.dpi)
    typer.echo(f"figure in {output}", err=True)


def refuse_other_figure(file: str) -> None:
    """Refuse a file that cannot become a figure, before any work is done."""
    if Path(file).suffix.lower() not in ENDINGS:
        raise ParameterError(f"a figure ends in {', '.join(ENDINGS)}; {file!r} does not")
    refuse_unwritable(file)


def use_no_screen() -> None:
    """Let matplotlib draw without a screen."""
    try:
        import matplotlib as mpl
    except ModuleNotFoundError:
        raise ParameterError("figures need matplotlib: pip install 'relspan[plot]'") from None
    mpl.use("Agg")
    # names stay text, which can be searched and edited; ids do not change from run to run
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "relspan"})


def save_figure(figure: Any, file: str, dpi: int = 150) -> None:
    """Write a figure."""
    ending = Path(file).suffix.lower()
    with whole_file(file) as stream:
        figure.savefig(stream, format=ending.removeprefix("."), dpi=dpi, metadata=ENDINGS[ending])

"""``relspan simulate``: a table with known truth."""

from __future__ import annotations

from typing import Annotated, get_args

import numpy as np
import typer

from relspan.cli.options.output import open_output
from relspan.errors import ParameterError
from relspan.simulate import PAPER_SETS, PaperSet, Simulated, simulate
from relspan.simulate.arguments import Task
from relspan.tables import write_delimited

KINDS = ("irrelevant", "weak", "strong")


def simulate_command(
    output: Annotated[str, typer.Option("--output", "-o", metavar="FILE", help="CSV file; - is stdout.")] = "-",
    samples: Annotated[int | None, typer.Option(help="Rows.", show_default="500")] = None,
    strong: Annotated[int | None, typer.Option(help="Features nothing can replace.", show_default="4")] = None,
    weak: Annotated[int | None, typer.Option(help="Features that replace each other.", show_default="4")] = None,
    irrelevant: Annotated[int | None, typer.Option(help="Features that tell nothing.", show_default="22")] = None,
    named: Annotated[
        str | None, typer.Option(metavar="|".join(PAPER_SETS), help="Sizes of a set of the papers.")
    ] = None,
    groups: Annotated[str | None, typer.Option(help="Number of weak groups, or their sizes: 2,3,5.")] = None,
    noise: Annotated[float, typer.Option(help="Noise between the features of a weak group.")] = 0.01,
    copies: Annotated[int, typer.Option(help="Exact copies in every weak group.")] = 0,
    correlated_irrelevant: Annotated[float, typer.Option(help="Correlation of the irrelevant features.")] = 0.0,
    task: Annotated[str, typer.Option(metavar="|".join(get_args(Task)), help="Kind of target.")] = "classification",
    classes: Annotated[str | None, typer.Option(help="Number of classes, or their shares: .9,.1.")] = None,
    target_noise: Annotated[float, typer.Option(help="Noise of the score, as a share of it.")] = 0.0,
    flips: Annotated[float, typer.Option(help="Share of labels replaced by another.")] = 0.0,
    target: Annotated[str, typer.Option(help="Name of the target column.")] = "y",
    truth: Annotated[
        str | None, typer.Option(metavar="FILE", help="Also write class and group of each feature.")
    ] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same table.")] = 0,
) -> None:
    """Simulate a table whose strong, weak and irrelevant features are known."""
    size = _sizes(named, {"samples": samples, "strong": strong, "weak": weak, "irrelevant": irrelevant})
    data = simulate(
        *size,
        groups=_whole_numbers("groups", groups),
        noise=noise,
        copies=copies,
        correlated_irrelevant=correlated_irrelevant,
        task=task,  # type: ignore[arg-type]
        classes=_shares("classes", classes),
        target_noise=target_noise,
        flips=flips,
        random_state=seed,
    )
    if target in data.names or not target:
        raise ParameterError(f"target {target!r} cannot be the name of the target column; a feature has it")
    with open_output(output) as stream:
        write_delimited(stream, [*data.names, target], [*data.X.T, data.y])
    if truth:
        _write_truth(truth, data)
    where = "" if output == "-" else f" in {output}"
    typer.echo(
        f"{len(data.X)} rows, {size.strong} strong, {size.weak} weak and {size.irrelevant} irrelevant features, "
        f"target {target!r}, seed {seed}{where}",
        err=True,
    )


def _sizes(named: str | None, given: dict[str, int | None]) -> PaperSet:
    chosen = {name: value for name, value in given.items() if value is not None}
    if named is None:
        defaults = dict(zip(given, PAPER_SETS["Sim1"], strict=True))
        return PaperSet(*(defaults | chosen).values())
    if named not in PAPER_SETS:
        raise ParameterError(f"named must be one of {', '.join(PAPER_SETS)}, not {named!r}")
    if chosen:
        raise ParameterError(f"--named {named} fixes the sizes; leave out {', '.join('--' + name for name in chosen)}")
    return PAPER_SETS[named]


def _write_truth(path: str, data: Simulated) -> None:
    groups = np.where(data.groups < 0, "", (data.groups + 1).astype(str))
    with open_output(path) as stream:
        write_delimited(stream, ["name", "class", "group"], [data.names, [KINDS[t] for t in data.truth], groups])


def _whole_numbers(name: str, text: str | None) -> int | list[int] | None:
    """``3`` is a number, ``2,3`` a list."""
    if text is None:
        return None
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise ParameterError(f"{name} must be a whole number or several with commas, not {text!r}") from None
    return numbers if "," in text else numbers[0]


def _shares(name: str, text: str | None) -> int | list[float] | None:
    """``5`` is a number of classes, ``.9,.1`` their shares."""
    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")] if "," in text else int(text)
    except ValueError:
        raise ParameterError(f"{name} must be a whole number or shares with commas, not {text!r}") from None

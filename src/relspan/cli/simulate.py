"""``relspan simulate``: a table with known truth."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer

from relspan.analysis.verdicts.classes import CLASS_NAMES
from relspan.checks import one_of
from relspan.cli.options.output import open_output
from relspan.errors import ParameterError
from relspan.options import option
from relspan.simulate import PAPER_SETS, PaperSet, Simulated, simulate
from relspan.simulate.dataset import simulated_tasks
from relspan.tables import write_delimited

EVENT_COLUMN = "event"  # beside a target of times
USUAL_SIZES = PAPER_SETS["Sim1"]


@dataclass(frozen=True)
class SizeOptions:
    """How many rows and features of each class."""

    samples: int | None = option(None, help="The number of rows.", show_default=str(USUAL_SIZES.n_samples))
    strong: int | None = option(
        None, help="The number of features that nothing can replace.", show_default=str(USUAL_SIZES.strong)
    )
    weak: int | None = option(
        None, help="The number of features that can replace each other.", show_default=str(USUAL_SIZES.weak)
    )
    irrelevant: int | None = option(
        None, help="The number of features unrelated to the target.", show_default=str(USUAL_SIZES.irrelevant)
    )
    named: str | None = option(
        None, metavar="|".join(PAPER_SETS), help="Take all four sizes from a data set of the papers."
    )

    def sizes(self) -> PaperSet:
        """The sizes that were asked for."""
        given = {"samples": self.samples, "strong": self.strong, "weak": self.weak, "irrelevant": self.irrelevant}
        chosen = {name: value for name, value in given.items() if value is not None}
        if self.named is None:
            return PaperSet(*(dict(zip(given, USUAL_SIZES, strict=True)) | chosen).values())
        one_of("named", self.named, PAPER_SETS)
        if chosen:
            idle = ", ".join("--" + name for name in chosen)
            raise ParameterError(f"--named {self.named} fixes the sizes; leave out {idle}")
        return PAPER_SETS[self.named]


@dataclass(frozen=True)
class FeatureOptions:
    """How the features are drawn."""

    groups: str | None = option(
        None, help="The number of groups of weak features, or the size of each, as in 2,3,5.", show_default="1"
    )
    noise: float = option(0.01, help="The standard deviation of the noise that distinguishes weak features of a group.")
    copies: int = option(0, help="The number of exact copies in every group of weak features.")
    correlated_irrelevant: float = option(0.0, help="The correlation of any two irrelevant features.")

    def parameters(self) -> dict[str, Any]:
        """The parameters of `simulate`."""
        return {
            "groups": _whole_numbers("groups", self.groups),
            "noise": self.noise,
            "copies": self.copies,
            "correlated_irrelevant": self.correlated_irrelevant,
        }


@dataclass(frozen=True)
class TargetOptions:
    """How the target is drawn."""

    task: str | None = option(
        None,
        metavar="NAME",
        help="The task that the target is drawn for.",
        choices=simulated_tasks,
        show_default="two classes",
    )
    classes: str | None = option(
        None, help="The number of classes, or the share of each, as in .9,.1.", show_default="2, or 5 if ordered"
    )
    target_noise: float = option(
        0.0, help="The standard deviation of the noise added to the score, relative to the score's own."
    )
    flips: float = option(0.0, help="The share of labels that are replaced by another class.")
    censored: float | None = option(
        None,
        help="The share of rows, of a target of times, that are observed no longer before their event.",
        show_default="0.3",
    )
    target: str = option("y", metavar="NAME", help="The name of the target column.")

    def parameters(self) -> dict[str, Any]:
        """The parameters of `simulate`."""
        return {
            "task": self.task,
            "classes": _shares("classes", self.classes),
            "target_noise": self.target_noise,
            "flips": self.flips,
            "censored": self.censored,
        }


def simulate_command(
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE", help="The CSV file to write; - is standard output.")
    ] = "-",
    truth: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Also write a CSV file with the class and the group of each feature."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random numbers; the same seed gives the same table.")] = 0,
    *,
    size: SizeOptions,
    features: FeatureOptions,
    target: TargetOptions,
) -> None:
    """Simulate a table whose strong, weak and irrelevant features are known.

    The target follows from a score, which is a weighted sum of hidden features. A strong feature is a hidden feature
    itself; the weak features of a group all show one hidden feature, so that any of them can replace the others; an
    irrelevant feature has nothing to do with the score.
    """
    sizes = size.sizes()
    given: dict[str, Any] = {**sizes._asdict(), **features.parameters(), **target.parameters()}
    data = simulate(**given, random_state=seed)
    columns = {target.target: data.y}
    if data.y.dtype.names is not None:
        columns = {target.target: data.y["time"], EVENT_COLUMN: data.y["event"].astype(int)}
    if target.target in (*data.names, EVENT_COLUMN) or not target.target:
        raise ParameterError(f"target {target.target!r} cannot be the name of the target column; another column has it")
    with open_output(output) as stream:
        write_delimited(stream, [*data.names, *columns], [*data.X.T, *columns.values()])
    if truth:
        _write_truth(truth, data)
    where = "" if output == "-" else f" in {output}"
    typer.echo(
        f"{len(data.X)} rows, {sizes.strong} strong, {sizes.weak} weak and {sizes.irrelevant} irrelevant features, "
        f"target {target.target!r}, seed {seed}{where}",
        err=True,
    )


def _write_truth(path: str, data: Simulated) -> None:
    groups = np.where(data.groups < 0, "", (data.groups + 1).astype(str))
    with open_output(path) as stream:
        write_delimited(stream, ["name", "class", "group"], [data.names, [CLASS_NAMES[t] for t in data.truth], groups])


def _whole_numbers(name: str, text: str | None) -> int | list[int] | None:
    """``3`` is a number, ``2,3`` a list."""
    if text is None:
        return None
    try:
        numbers = [int(word) for word in text.split(",")]
    except ValueError:
        raise ParameterError(f"{name} must be a whole number, or several separated by commas, not {text!r}") from None
    return numbers if "," in text else numbers[0]


def _shares(name: str, text: str | None) -> int | list[float] | None:
    """``5`` is a number of classes, ``.9,.1`` their shares."""
    if text is None:
        return None
    try:
        return [float(word) for word in text.split(",")] if "," in text else int(text)
    except ValueError:
        raise ParameterError(f"{name} must be a whole number, or shares separated by commas, not {text!r}") from None

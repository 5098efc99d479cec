"""A command takes one object per group of options, and the flags are made from the objects' classes."""

from __future__ import annotations

import csv
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
import typer
from typer.testing import CliRunner

from relspan import RelevanceClassifier
from relspan.cli import app
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.packs import Flag, Only, Without, flags_of_pack, generated, with_flags
from relspan.cli.options.task import TaskOptions
from relspan.errors import ParameterError
from relspan.options import option
from relspan.simulate import simulate
from relspan.tables import TableOptions, write_delimited
from relspan.tasks import TASKS, TaskOption, register
from relspan.tasks.classification import Classification


def more_flags():
    yield Flag("width", float, None, {"help": "A width.", "show_default": "as it is"})
    yield Flag("parts", tuple[str, ...], (), {"help": "Parts."})
    yield Flag("thin", bool, False, {"help": "Thin lines."})


@dataclass(frozen=True)
class Drawing:
    colour: str = option("red", short="-c", help="A colour.")
    size: int | None = option(None, min=1, help="A size.")
    names: tuple[str, ...] = option((), metavar="NAME", help="Names.")
    more: Mapping[str, Any] = generated(more_flags)


def run(command, *words):
    one = typer.Typer(add_completion=False)
    one.command()(with_flags(command))
    return CliRunner().invoke(one, list(words), env={"COLUMNS": "150"}, standalone_mode=False)


def test_a_command_receives_objects():
    seen = []

    def command(file: str, *, drawing: Drawing, often: Annotated[int, typer.Option()] = 3) -> None:
        seen.append((file, drawing, often))

    done = run(
        command, "f", "-c", "blue", "--names", "a", "--names", "b", "--width", "0", "--parts", "p", "--often", "2"
    )
    assert done.exit_code == 0, done.output
    assert seen == [("f", Drawing("blue", None, ("a", "b"), {"width": 0.0, "parts": ("p",)}), 2)]
    assert run(command, "f").exit_code == 0
    assert seen[1] == ("f", Drawing(), 3)
    assert run(command, "f", "--size", "0").exit_code != 0
    helped = run(command, "--help").stdout
    assert "─ Drawing ─" in helped
    assert "A width." in helped
    assert "as it is" in helped


def test_a_command_may_offer_a_part_of_a_pack():
    def some(*, drawing: Annotated[Drawing, Only("size", "width")]) -> None: ...
    def most(*, drawing: Annotated[Drawing, Without("size", "width")]) -> None: ...

    assert run(some, "--size", "2", "--width", "1").exit_code == 0
    assert run(some, "--colour", "blue").exit_code != 0
    assert run(most, "--colour", "blue", "--thin").exit_code == 0
    assert run(most, "--size", "2").exit_code != 0


def test_settings_that_were_not_given_are_left_to_the_estimator():
    own = {"standardize": True, "random_state": 0, "on_null": "irrelevant", "checkpoint": None}
    assert AnalysisOptions().parameters() == own
    assert AnalysisOptions({"delta_loss": 0.0}, seed=3).parameters()["delta_loss"] == 0.0
    with pytest.raises(ParameterError, match="alpha"):
        AnalysisOptions({"alpha": 2.0})


@pytest.mark.parametrize("pack", [TableOptions, TaskOptions, AnalysisOptions])
def test_every_flag_has_a_sentence(pack):
    for flag in flags_of_pack(pack):
        assert flag.metadata["help"][0].isupper()
        assert flag.metadata["help"].endswith(".")


class Shy(Classification):
    """A task from outside the package: classification that forgets some classes."""

    name = "shy"
    estimator = RelevanceClassifier
    options = (
        *Classification.options,
        TaskOption("n_probes", int, "How shy it is.", "a lot", read=lambda given, y: given + len(set(y.tolist()))),
    )


@pytest.fixture
def shy():
    register(Shy())
    yield
    del TASKS["shy"]


def test_a_task_from_outside_needs_no_change_of_the_command_line(shy, tmp_path):
    data = simulate(60, 2, 2, 2, random_state=0)
    with (tmp_path / "t.csv").open("w", newline="") as stream:
        write_delimited(stream, [*data.names, "y"], [*data.X.T, data.y])
    words = ["analyze", str(tmp_path / "t.csv"), "-t", "y", "-C", "1", "-q", "-f", "json"]
    done = CliRunner().invoke(app, [*words, "--task", "shy", "--n-probes", "5"])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["parameters"]["n_probes"] == 7
    helped = CliRunner().invoke(app, ["analyze", "--help"], env={"COLUMNS": "150"}).stdout
    assert "How shy it is." in helped
    assert "shy" in helped
    refused = CliRunner().invoke(app, [*words, "--task", "regression", "--n-probes", "5"])
    assert refused.exit_code == 2
    assert "--n-probes" in refused.stderr


def test_the_options_of_the_table_are_recorded(tmp_path):
    data = simulate(60, 1, 2, 1, random_state=0)
    with (tmp_path / "t.csv").open("w", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow([*data.names, "id", "sex", "y"])
        for i, (x, y) in enumerate(zip(data.X.tolist(), data.y.tolist(), strict=True)):
            x[0] = -999 if i == 3 else x[0]
            writer.writerow([*(str(v).replace(".", ",") for v in x), f"p{i}", "fm"[i % 2], y])
    given = "--missing=-999 --impute mean --drop id --categorical all --separator ; --decimal , --encoding latin-1"
    words = ["-t", "y", "-C", "1", "--n-probes", "5", "-q", "-f", "json", *given.split()]
    done = CliRunner().invoke(app, ["analyze", str(tmp_path / "t.csv"), *words])
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["data"]["table_options"] == {
        "categorical": ["all"],
        "impute": "mean",
        "drop": ["id"],
        "separator": ";",
        "decimal": ",",
        "encoding": "latin-1",
        "missing": ["-999"],
    }

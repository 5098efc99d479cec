"""The recipes of a report give the same numbers again."""

from __future__ import annotations

import shlex
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from made_up_results import feature, made_up
from problems import two_classes
from relspan.cli.app import app
from relspan.result import RelevanceResult
from relspan.show.recipe import caveats, in_python, on_the_command_line

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(scope="module")
def analysed(tmp_path_factory):
    """A table with an awkward name, and its result by the command line."""
    folder = tmp_path_factory.mktemp("recipes")
    X, y = two_classes(60, 4, seed=0, flips=0.05)
    frame = pd.DataFrame(np.column_stack([X[:, :3], 1.0 + np.arange(60) % 3]), columns=["a", "it's b", "c", "id"])
    frame = frame.assign(y=np.where(y > 0, "ill", "well"))
    frame.to_csv(folder / "my table.csv", index=False)
    words = ["analyze", str(folder / "my table.csv"), "--target", "y", "--drop", "id", "--n-probes", "5", "--C", "1.5"]
    done = CliRunner().invoke(app, [*words, "--delta-loss", "0.05", "-f", "json", "-q"])
    assert done.exit_code == 0, done.output
    return RelevanceResult.from_json(done.stdout)


def ends(result):
    return {f.name: (f.min, f.max, f.relevance) for f in result.features}


def test_the_command_gives_the_same_numbers(analysed):
    command = on_the_command_line(analysed)
    assert command is not None
    assert "--C 1.5 --delta-loss 0.05 --n-probes 5" in command
    done = CliRunner().invoke(app, [*shlex.split(command)[1:], "-f", "json", "-q"])
    assert ends(RelevanceResult.from_json(done.stdout)) == ends(analysed)


def test_the_script_gives_the_same_numbers(analysed, capsys):
    script = in_python(analysed)
    assert script is not None
    assert "C=1.5, delta_loss=0.05, n_probes=5, random_state=0" in script
    known: dict = {}
    exec(script, known)
    assert ends(known["model"].result_) == ends(analysed)
    assert capsys.readouterr().out.startswith("feature")


@pytest.mark.parametrize(
    "words",
    [
        ["--task", "reject", "--reject-cost", "0.1", "--reject-threshold", "0.4", "--control", "per_feature"],
        ["--class-weight", "balanced"],
        ["--class-weight", "ill=3,well=1"],
        ["--penalty", "l2"],
        ["--weights", "id", "--privileged", "c"],
        ["--group", "both=a,c"],
        ["--task", "ordinal", "--order", "well,ill"],
        ["--target", "a", "--task", "regression", "--epsilon", "0.3", "--drop", "y"],
    ],
    ids=" ".join,
)
def test_the_options_of_a_task_are_part_of_both_recipes(analysed, words):
    file = analysed.data["file"]
    first = ["analyze", file, *([] if "--target" in words else ["--target", "y"]), "--n-probes", "5", "--C", "1.5"]
    done = CliRunner().invoke(app, [*first, *words, "-f", "json", "-q"])
    assert done.exit_code == 0, done.output
    result = RelevanceResult.from_json(done.stdout)
    command, script = on_the_command_line(result), in_python(result)
    assert command is not None
    assert script is not None
    again = CliRunner().invoke(app, [*shlex.split(command)[1:], "-f", "json", "-q"])
    assert again.exit_code == 0, again.output
    by_command = RelevanceResult.from_json(again.stdout)
    known: dict = {}
    exec(script, known)
    for other in (by_command, known["model"].result_):
        assert ends(other) == ends(result)
        assert other.privileged == result.privileged
        assert [(g.name, g.min, g.max) for g in other.groups] == [(g.name, g.min, g.max) for g in result.groups]
    assert by_command.parameters == result.parameters


def test_the_demo_has_recipes_of_its_own():
    embedded = {
        "file": "scikit-learn: breast cancer Wisconsin (diagnostic)",
        "format": "embedded",
        "target": "diagnosis",
    }
    result = made_up(feature("a", 0.1, 0.5, "strong"))
    demo = replace(result, data={**result.data, **embedded}, parameters={"random_state": 7})
    assert on_the_command_line(demo) == "relspan demo --seed 7"
    lines = (in_python(demo) or "").splitlines()
    known: dict = {}
    exec("\n".join(line for line in lines if not line.startswith(("model", "print"))), known)
    assert known["table"].report.source == embedded["file"]
    assert "fit(table.named, table.y)" in lines[-2]
    assert on_the_command_line(replace(demo, parameters={**demo.parameters, "C": 3.0})) is None


def test_pins_are_part_of_the_recipe(analysed):
    pins = [
        {"feature": "a", "low": 0.1, "high": None, "asked": "range"},
        {"feature": "it's b", "low": 0.0, "high": 0.0, "asked": "without"},
        {"feature": "c", "low": 0.2, "high": 0.2, "asked": "value"},
    ]
    pinned = replace(analysed, parameters={**analysed.parameters, "pins": pins})
    words = shlex.split(on_the_command_line(pinned) or "")
    assert words[words.index("--pin") + 1] == "a=0.1.."
    assert words[words.index("--without") + 1] == "it's b"
    assert "c=0.2" in words
    assert "explorer.pin(\"it's b\", 'without')" in (in_python(pinned) or "")


def test_what_cannot_be_repeated_is_said():
    result = made_up(feature("a", 0.1, 0.5, "strong"))
    assert on_the_command_line(result) is None
    assert "No seed" in caveats(result)[0]
    odd = replace(
        result,
        data={
            **result.data,
            "imputed": {"a": {"count": 1, "value": 2.0}},
        },
    )
    assert len(caveats(odd)) == 2
    assert in_python(replace(result, task="metric")) is None

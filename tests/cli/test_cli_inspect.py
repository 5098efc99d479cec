"""`relspan inspect` describes a table, and the command that it prints runs."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan.cli import app
from relspan.cli.exit_codes import ExitCode

ROWS = 60


def write(path, encoding="utf-8", **columns):
    """A table as R writes it, with one column of every kind and a target that follows two of them."""
    rng = np.random.default_rng(0)
    mass, size = rng.standard_normal(ROWS), rng.integers(3, size=ROWS)
    whole = {
        "": [f'"{i + 1}"' for i in range(ROWS)],
        "id": [f"P{i}" for i in range(ROWS)],
        "when": [f"2024-01-{1 + i % 28:02d}" for i in range(ROWS)],
        "smoker": [("TRUE", "FALSE")[i % 2] for i in range(ROWS)],
        "insel": [("Föhr", "Sylt", "Amrum")[i % 3] for i in range(ROWS)],
        "size": [("small", "medium", "large")[s] for s in size],
        "mass": ["NA" if i % 7 == 3 else f"{m:.3f}" for i, m in enumerate(mass)],
        "y": [("well", "ill")[int(m + s > 1)] for m, s in zip(mass, size, strict=True)],
        **columns,
    }
    lines = [",".join(whole), *(",".join(row) for row in zip(*whole.values(), strict=True))]
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    return str(path)


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_the_command_that_is_printed_runs_to_the_end(tmp_path, encoding):
    file = write(tmp_path / "my table.csv", encoding)
    shown = run("inspect", file, "--target", "y")
    assert shown.exit_code == ExitCode.FINE
    command = shown.stdout.splitlines()[-1].strip()
    assert command == json.loads(run("inspect", file, "--target", "y", "-f", "json").stdout)["command"]
    ran = run(*shlex.split(command)[1:], "-f", "json", "--n-probes", "10")
    assert ran.exit_code == ExitCode.FINE, ran.stderr
    data = json.loads(ran.stdout)["data"]
    assert data["dropped_columns"] == ["id", "when"]
    assert data["encoded"].keys() == {"insel", "size"}
    assert data["imputed"].keys() == {"mass"}


def test_every_column_is_described(tmp_path):
    file = write(tmp_path / "t.csv")
    found = json.loads(run("inspect", file, "--target", "y", "-f", "json").stdout)
    kinds = {column["name"]: column["kind"] for column in found["columns"]}
    assert kinds == {
        "id": "identifier",
        "when": "date",
        "smoker": "boolean",
        "insel": "category",
        "size": "ordered category",
        "mass": "number",
        "y": "category",
    }
    assert found["row_labels"] is True
    assert found["task"] == "classification"
    text = " ".join(run("inspect", file, "--target", "y").stdout.split())
    assert "the first column has no name and is taken as row labels" in text
    assert all(name in text for name in kinds)
    lines = run("inspect", file, "-f", "csv").stdout.splitlines()
    assert lines[0] == "name,kind,part,missing,distinct,action"
    assert len(lines) == 1 + len(kinds)


def test_without_a_target_the_columns_are_described_and_no_command_is_made(tmp_path):
    shown = run("inspect", write(tmp_path / "t.csv"))
    assert shown.exit_code == ExitCode.FINE
    assert "Name the column to explain with --target" in shown.stdout
    assert "relspan analyze" not in shown.stdout


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"y": ["once"] + ["often"] * (ROWS - 1)}, "needs 3 rows of each class, and these have fewer: 'once' (1)"),
        ({"y": ["2024-01-01", "2024-01-02"] * (ROWS // 2)}, "The target holds dates"),
        ({"mass": [f"{i}" if i % 5 else f"<{i}" for i in range(ROWS)]}, "correct the file, or leave the column out"),
    ],
)
def test_what_stands_in_the_way_is_described_instead_of_a_command(tmp_path, columns, said):
    shown = run("inspect", write(tmp_path / "t.csv", **columns), "--target", "y")
    assert shown.exit_code == ExitCode.BAD_DATA
    assert said in " ".join(shown.stdout.split())
    assert "relspan analyze" not in shown.stdout


def test_counts_with_rare_values_are_taken_as_measurements(tmp_path):
    counts = [str(min(i % 5, 3) + (5 if i == 7 else 0)) for i in range(ROWS)]
    file = write(tmp_path / "t.csv", y=counts)
    shown = run("inspect", file, "--target", "y")
    assert "As classes, they would be too rare" in " ".join(shown.stdout.split())
    command = shown.stdout.splitlines()[-1]
    assert command.endswith("--task regression")
    assert run(*shlex.split(command)[1:], "-f", "json", "--n-probes", "10", "--C", "1").exit_code == ExitCode.FINE


def test_options_that_were_given_stay_in_the_command(tmp_path):
    file = write(tmp_path / "t.csv")
    command = run("inspect", file, "--target", "y", "--drop", "insel", "--impute", "mean").stdout.splitlines()[-1]
    assert "--drop insel,id,when" in command
    assert "--impute mean" in command


def test_misspelt_names_are_answered_with_the_nearest(tmp_path):
    shown = run("inspect", write(tmp_path / "t.csv"), "--target", "Y")
    assert shown.exit_code == ExitCode.USAGE
    assert "did you mean 'y'" in shown.stderr

"""`relspan blanket` and `relspan select`, as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from relspan.cli.app import app

run = CliRunner()


@pytest.fixture
def table(tmp_path: Path) -> str:
    path = tmp_path / "sim.csv"
    sizes = ["--strong", "2", "--weak", "2", "--irrelevant", "4", "--samples", "300", "--seed", "0"]
    made = run.invoke(app, ["simulate", *sizes, "-o", str(path)])
    assert made.exit_code == 0, made.output
    return str(path)


def test_the_blanket_holds_the_strong_columns(table: str) -> None:
    done = run.invoke(app, ["blanket", table, "--target", "y", "--json", "--quiet"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {"strong1", "strong2"} <= {member["name"] for member in found["members"]}


def test_a_selection_is_told_as_a_table(table: str) -> None:
    done = run.invoke(app, ["select", table, "--target", "y", "--method", "filter-fisher", "--n-features", "3"])
    assert done.exit_code == 0, done.output
    assert "3 of 8 features" in done.stdout


def test_captions_are_not_broken_to_the_width_of_a_short_name(table: str) -> None:
    done = run.invoke(app, ["select", table, "--target", "y", "--method", "filter-fisher", "--n-features", "1"])
    assert "filter-fisher for y\n" in done.stdout
    assert "1 of 8 features, " in done.stdout.splitlines()[-1]


def test_progress_of_a_blanket_speaks_of_names(table: str) -> None:
    done = run.invoke(app, ["blanket", table, "--target", "y"])
    assert done.stderr.startswith("neighbours of y: 0 admitted")


def test_a_partial_blanket_ends_with_its_own_code(table: str) -> None:
    done = run.invoke(app, ["blanket", table, "--target", "y", "--max-tests", "9", "--quiet"])
    assert done.exit_code == 5
    assert "PARTIAL" in done.stdout


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["blanket", "nothing.csv", "--target", "y"], 2, "no file 'nothing.csv'"),
        (["select", "TABLE", "--target", "Y"], 2, "did you mean 'y'"),
        (["select", "TABLE", "--target", "y", "--method", "magic"], 2, "must be one of hiton"),
    ],
)
def test_what_is_wrong_is_told_in_one_line(table: str, words: list[str], code: int, told: str) -> None:
    done = run.invoke(app, [table if word == "TABLE" else word for word in words])
    assert done.exit_code == code
    assert told in done.stderr

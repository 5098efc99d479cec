"""`relspan blanket` and `relspan select`, as a person types them."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
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
    done = run.invoke(app, ["blanket", table, "--target", "y", "--format", "json", "--quiet"])
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert {"strong1", "strong2"} <= {member["name"] for member in found["members"]}


def test_a_selection_is_shown_as_a_table(table: str) -> None:
    done = run.invoke(app, ["select", table, "--target", "y", "--method", "filter-fisher", "--n-features", "3"])
    assert done.exit_code == 0, done.output
    assert "3 of 8 features" in done.stdout


@pytest.mark.parametrize("method", ["hiton-pc", "filter-pearson", "branch-and-bound"])
def test_methods_without_a_learner_take_a_target_of_numbers(table: str, method: str) -> None:
    done = run.invoke(app, ["select", table, "--target", "strong1", "--method", method, "--n-features", "2", "-q"])
    assert done.exit_code == 0, done.output


def test_results_go_to_files_as_their_names_end(table: str, tmp_path: Path) -> None:
    for command, column in ((["blanket"], "role"), (["select", "--method", "filter-g2"], "association")):
        lines = tmp_path / "found.csv"
        done = run.invoke(app, [*command, table, "--target", "y", "-o", str(lines), "--quiet"])
        assert done.exit_code == 0, done.output
        head, *rows = csv.reader(lines.read_text().splitlines())
        assert head[0] == "feature"
        assert column in head
        assert {"strong1", "strong2"} <= {row[0] for row in rows}


def test_captions_are_not_broken_to_the_width_of_a_short_name(table: str) -> None:
    done = run.invoke(app, ["select", table, "--target", "y", "--method", "filter-fisher", "--n-features", "1"])
    assert "filter-fisher for y\n" in done.stdout
    assert "1 of 8 features, " in done.stdout.splitlines()[-1]


def test_progress_of_a_blanket_speaks_of_names(table: str) -> None:
    done = run.invoke(app, ["blanket", table, "--target", "y"])
    assert "\nneighbours of y: 0 admitted" in done.stderr


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
        (["select", "TABLE", "--target", "strong1"], 3, "'strong1' contains numbers"),
        (["select", "TABLE", "--target", "strong1", "--method", "rfe"], 3, "'strong1' contains numbers"),
        (["select", "TABLE", "--target", "strong1", "--method", "filter-pearson"], 3, "'strong1' contains numbers"),
        (["select", "TABLE", "--target", "y", "-o", "chosen.html"], 2, "does not write .html files"),
        (["panel", "TABLE", "--target", "y", "-o", "panel.csv"], 2, "does not write .csv files"),
    ],
)
def test_what_is_wrong_is_reported_in_one_line(table: str, words: list[str], code: int, told: str) -> None:
    done = run.invoke(app, [table if word == "TABLE" else word for word in words])
    assert done.exit_code == code
    assert told in done.stderr


@pytest.fixture
def holes(tmp_path: Path) -> str:
    """Semicolons, decimal commas, -999 for what is missing; `a` causes y, `b` is a copy of it, `level` has 0 and 1."""
    path = tmp_path / "holes.csv"
    random = np.random.default_rng(1)
    a = random.normal(size=200)
    y = a + random.normal(size=200)
    lines = ["a;b;level;word;y"]
    for i in range(200):
        level = "-999" if i in (5, 9) else str(int(random.random() < 0.5))
        b = "-999" if i == 7 else f"{a[i] + random.normal():.3f}"
        lines.append(f"{a[i]:.3f};{b};{level};{'red' if i % 3 else 'blue'};{y[i]:.3f}".replace(".", ","))
    path.write_text("\n".join(lines))
    return str(path)


def test_missing_values_are_marked_and_left_out_as_in_other_commands(holes: str) -> None:
    words = ["blanket", holes, "-t", "y", "--missing=-999", "--decimal", ",", "-f", "json"]
    refused = run.invoke(app, words)
    assert refused.exit_code == 3
    assert "missing values: 'b' 1, 'level' 2" in refused.stderr
    assert "[--impute mean|median|drop]" in refused.stderr
    done = run.invoke(app, [*words, "--impute", "drop"])
    assert done.exit_code == 0, done.output
    assert "left out 3 rows with missing values" in done.stderr
    found = json.loads(done.stdout)
    assert found["n_samples"] == 197
    assert found["data"]["dropped_lines"] == [7, 9, 11]
    assert [member["name"] for member in found["members"]] == ["a"]


def test_a_mean_of_levels_is_no_level(holes: str) -> None:
    words = [holes, "-t", "y", "--missing=-999", "--impute", "mean", "--quiet"]
    for command in (["blanket"], ["select", "--method", "hiton-pc"]):
        done = run.invoke(app, [*command, *words])
        assert done.exit_code == 3
        assert "'level' are categories, and its mean 0." in done.stderr
        assert "[--impute median|drop]" in done.stderr
    numbers = run.invoke(app, ["select", *words, "--method", "filter-pearson", "--drop", "word", "--n-features", "1"])
    assert numbers.exit_code == 0, numbers.output
    assert " a " in numbers.stdout


def test_why_was_it_dropped(holes: str) -> None:
    words = ["blanket", holes, "-t", "y", "--missing=-999", "--impute", "median", "--quiet"]
    done = run.invoke(app, [*words, "--why", "b,word", "--why", "a"])
    assert done.exit_code == 0, done.output
    said = " ".join(done.stdout.split())
    assert "b was dropped: it is independent of y given a (p = " in said
    assert "word was dropped: on its own it is independent of y" in said
    assert "a was kept: no set that was tried separates it from y" in said
    assert "parent or child: a direct neighbour; the tests do not show the direction" in said
    slip = run.invoke(app, [*words, "--why", "wort"])
    assert slip.exit_code == 2
    assert "no column 'wort'; did you mean 'word'?" in slip.stderr


@pytest.mark.slow
def test_the_graph_is_drawn(holes: str, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    words = ["blanket", holes, "-t", "y", "--missing=-999", "--impute", "median", "--quiet"]
    picture = tmp_path / "graph.png"
    assert run.invoke(app, [*words, "--plot", str(picture)]).exit_code == 0
    assert picture.read_bytes().startswith(b"\x89PNG")
    refused = run.invoke(app, [*words, "--plot", "graph.doc"])
    assert refused.exit_code == 2
    assert "a figure ends in .svg, .png, .pdf" in refused.stderr

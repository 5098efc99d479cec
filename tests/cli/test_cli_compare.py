"""`relspan compare`, as a person types it."""

from __future__ import annotations

import csv
import json
import re
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan.cli.app import app
from relspan.compare import METHODS
from relspan.compare import study as study_module

run = CliRunner()
METHOD_NAMES = ["--methods", "relspan,univariate", "--folds", "2"]


@pytest.fixture(scope="module")
def table(tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "sim.csv"
    sizes = ["--strong", "2", "--weak", "2", "--irrelevant", "4", "--samples", "200"]
    assert run.invoke(app, ["simulate", *sizes, "-o", str(path)]).exit_code == 0
    return str(path)


@pytest.mark.slow
def test_tables_on_stdout_and_progress_on_stderr(table):
    done = run.invoke(app, ["compare", table, "-t", "y", *METHOD_NAMES])
    assert done.exit_code == 0, done.output
    assert "strong1" in done.stdout
    assert "not a ranking" in done.stdout
    assert re.search(r"^feature +A +B *$", done.stdout, re.MULTILINE)
    assert "agreement" in done.stdout
    assert "without the rows that score them" in " ".join(done.stdout.split())
    assert "comparing on 8 features, 200 rows" in done.stderr
    assert "classification: the target has two values" in done.stderr


@pytest.mark.slow
def test_quiet_and_json(table):
    done = run.invoke(app, ["compare", table, "-t", "y", *METHOD_NAMES, "-f", "json", "--quiet"])
    assert done.exit_code == 0, done.output
    assert done.stderr == ""
    told = json.loads(done.stdout)
    assert told["kind"] == "comparison"
    assert told["data"]["sha256"]
    assert {"strong1", "strong2"} <= set(told["outcomes"][0]["strong"])


@pytest.mark.slow
def test_a_csv_file_by_its_ending(table, tmp_path):
    path = tmp_path / "out.csv"
    done = run.invoke(app, ["compare", table, "-t", "y", *METHOD_NAMES, "-o", str(path)])
    assert done.exit_code == 0, done.output
    assert done.stdout == ""
    rows = list(csv.DictReader(path.read_text().splitlines()))
    assert [row["method"] for row in rows] == ["relspan", "univariate"]
    assert rows[0]["selects strong1"] == "2"


def stop(X, y, task, seed):
    raise KeyboardInterrupt


def test_an_interrupted_comparison_prints_what_is_finished(table, monkeypatch):
    monkeypatch.setattr(study_module, "METHODS", {**METHODS, "rfe": replace(METHODS["rfe"], select=stop)})
    done = run.invoke(app, ["compare", table, "-t", "y", "-m", "univariate", "-m", "rfe,lasso", "--folds", "2"])
    assert done.exit_code == 130
    assert "univariate" in done.stdout
    assert "1 methods are finished" in done.stderr
    assert "rfe, lasso" in done.stderr


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["compare", "TABLE", "-t", "Y"], 2, "did you mean 'y'"),
        (["compare", "TABLE", "-t", "y", "-m", "magic"], 2, "one of all, relspan"),
        (["compare", "TABLE", "-t", "y", "--folds", "999"], 2, "folds must be"),
        (["compare", "TABLE", "-t", "y", "-f", "xml"], 2, "format must be one of"),
    ],
)
def test_what_is_wrong_is_reported_in_one_line(table, words, code, told):
    done = run.invoke(app, [table if word == "TABLE" else word for word in words])
    assert done.exit_code == code
    assert told in done.stderr


@pytest.mark.slow
def test_rows_of_one_group_stay_in_one_fold(tmp_path):
    rng = np.random.default_rng(0)
    who = np.repeat(np.arange(30), 3)
    marker = rng.standard_normal(30)[who]
    rows = [f"patient {w},{m:.4f},{x:.4f},{int(m > 0)}" for w, m, x in zip(who, marker, rng.random(90), strict=True)]
    path = tmp_path / "patients.csv"
    path.write_text("\n".join(["who,marker,other,ill", *rows]))
    words = ["compare", str(path), "-t", "ill", *METHOD_NAMES, "--groups", "who", "-f", "json", "--quiet"]
    done = run.invoke(app, words)
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["features"] == ["marker", "other"]
    assert found["parameters"]["groups"] == 30
    assert found["data"]["table_options"] == {"groups": "who"}
    assert "Rows of one group stay in one fold." in found["how_scores_were_made"]

"""On the command line a category is one feature on every surface, and goes by its own name."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan.cli import app

QUICK = ["--n-probes", "10", "--C", "1"]
ENCODED = ["--categorical", "island,sex", "--ordered", "size=small<medium<large"]


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    rng = np.random.default_rng(0)
    mass, size = rng.standard_normal(80), rng.integers(3, size=80)
    path = tmp_path_factory.mktemp("categories") / "t.csv"
    lines = ["mass,size,island,sex,y"]
    for m, s in zip(mass, size, strict=True):
        words = ("small", "medium", "large")[s], rng.choice(["A", "B", "C"]), rng.choice(["m", "f"])
        lines.append(f"{m:.4f},{','.join(words)},{'ill' if m + s > 1 else 'well'}")
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def run(*words):
    return CliRunner().invoke(app, [*map(str, words)])


def analysed(file, *words):
    done = run("analyze", file, "-t", "y", *ENCODED, *QUICK, *words)
    assert done.exit_code == 0, done.stderr
    return done


def test_every_format_has_one_row_per_column_of_the_table(file):
    names = ["mass", "size", "island", "sex=m"]
    found = json.loads(analysed(file, "-f", "json").stdout)
    assert [f["name"] for f in found["features"]] == names
    assert found["features"][1]["levels"] == ["size>=medium", "size>=large"]
    rows = list(csv.DictReader(io.StringIO(analysed(file, "-f", "csv").stdout)))
    assert [row["name"] for row in rows] == names
    table = analysed(file, "--all").stdout
    assert sum(line.startswith("island ") for line in table.splitlines()) == 1
    assert sum(line.startswith("  island=") for line in table.splitlines()) == 3
    assert "2 strong" in table
    assert "(for a category, the sum over all its levels)" in " ".join(table.split())


def test_a_category_is_left_out_and_addressed_by_its_name(file):
    found = json.loads(analysed(file, "--without", "island,sex", "-f", "json").stdout)
    effects = {f["name"]: f.get("under_pins", {}).get("outcome") for f in found["features"]}
    assert effects["island"] == effects["sex=m"] == "left out"
    assert [pin["feature"] for pin in found["parameters"]["pins"]] == ["island=A", "island=B", "island=C", "sex=m"]
    misspelt = run("analyze", file, "-t", "y", *ENCODED, *QUICK, "--without", "islnd")
    assert misspelt.exit_code == 2
    assert "did you mean 'island'" in misspelt.stderr
    panel = run("panel", file, "-t", "y", *ENCODED, *QUICK, "--include", "sex", "-q")
    assert panel.exit_code == 0
    assert "sex=m" in panel.stdout


def test_a_saved_model_predicts_rows_with_the_categories_themselves(file, tmp_path):
    analysed(file, "--save-model", tmp_path / "m.json", "-q")
    (tmp_path / "new.csv").write_text("size,mass,sex,island\nlarge,2,m,A\nsmall,-2,f,B\n")
    done = run("predict", tmp_path / "new.csv", "--model", tmp_path / "m.json", "-f", "json", "-q")
    assert [row["label"] for row in json.loads(done.stdout)["samples"]] == ["ill", "well"]


def test_screening_and_categories_exclude_each_other(file):
    done = run("analyze", file, "-t", "y", *ENCODED, *QUICK, "--screen")
    assert done.exit_code == 2
    assert "categories" in done.stderr


def test_panels_alternatives_and_paths_have_the_category_as_one_feature(file):
    panel = run("panel", file, "-t", "y", *ENCODED, *QUICK, "--include", "island", "-f", "json")
    assert panel.exit_code == 0, panel.stderr
    assert "analysing 4 features, 80 rows" in panel.stderr
    found = json.loads(panel.stdout)["panels"][0]
    assert {"island", "size", "mass"} <= set(found["features"])
    assert found["cost"] == len(found["features"])
    instead = run("alternatives", file, "-t", "y", *ENCODED, *QUICK, "--feature", "size")
    assert instead.exit_code == 0, instead.stderr
    assert "size" in instead.stdout
    path = run("path", file, "-t", "y", *ENCODED, *QUICK, "--along", "delta")
    assert [line.split()[0] for line in path.stdout.splitlines()[1:5]] == ["mass", "size", "island", "sex=m"]
    refused = run("analyze", file, "-t", "y", *ENCODED, *QUICK, "--without", "size")
    assert refused.exit_code == 4
    assert "without size (nearest that works:" in refused.stderr

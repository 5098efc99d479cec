"""Panels, alternatives, paths and predictions, as a person at a shell meets them."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan.cli import app
from relspan.cli.fitting import estimate
from relspan.cli.pinning import read_pins
from relspan.errors import ParameterError
from relspan.simulate import simulate
from relspan.tables import parse_table, prepare

QUICK = ("-t", "y", "-C", "1", "--n-probes", "5")


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def text_of(names, rows):
    return "".join(",".join(map(str, row)) + "\n" for row in [names, *rows])


@pytest.fixture(scope="module")
def data():
    return simulate(80, 2, 3, 1, random_state=0)


@pytest.fixture(scope="module")
def file(tmp_path_factory, data):
    path = tmp_path_factory.mktemp("tables") / "t.csv"
    rows = [[*x, y] for x, y in zip(data.X.tolist(), data.y.tolist(), strict=True)]
    path.write_text(text_of([*data.names, "y"], rows))
    return path


def test_panel(file, tmp_path):
    done = run("panel", file, *QUICK, "--limit", 3, "-f", "json", "-q")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)["panels"]
    assert [panel["proven"] for panel in found] == [True] * 3
    assert all(len(set(panel["features"]) & {"weak1_1", "weak1_2", "weak1_3"}) == 1 for panel in found)
    costs = tmp_path / "costs.csv"
    prices = {"strong1": 1, "strong2": 1, "weak1_1": 5, "weak1_2": 1, "weak1_3": 5, "irrelevant1": 1}
    costs.write_text(text_of(["name", "cost"], prices.items()))
    done = run("panel", file, *QUICK, "--costs", costs, "--must", "irrelevant1")
    assert done.exit_code == 0
    assert "strong1, strong2, weak1_2, irrelevant1 (cost 4, proven)" in done.stdout
    assert "equally good: norm <=" in done.stdout
    done = run("panel", file, *QUICK, "--without", "weak1_1,weak1_2,weak1_3")
    assert done.exit_code == 4
    assert "no equally good model satisfies" in done.stderr
    costs.write_text(text_of(["name", "cost"], [("strong1", "much")]))
    assert run("panel", file, *QUICK, "--costs", costs).exit_code == 3


def test_alternatives(file):
    done = run("alternatives", file, *QUICK, "--feature", "weak1_1", "-f", "json", "-q")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)["alternatives"]
    assert {a["feature"] for a in found[:2]} == {"weak1_2", "weak1_3"}
    done = run("alternatives", file, *QUICK, "--feature", "weak1_1", "--without", "weak1_3", "--most", 1)
    assert done.stdout.startswith("Without weak1_1, weak1_2 must carry at least")
    done = run("alternatives", file, *QUICK, "--feature", "weak1")
    assert done.exit_code == 2
    assert "did you mean 'weak1_" in done.stderr


def test_path(file, tmp_path):
    out = tmp_path / "path.json"
    done = run("path", file, *QUICK, "--along", "delta_loss", "--values", "0,.1", "-o", out)
    assert done.exit_code == 0, done.stderr
    path = json.loads(out.read_text())
    assert [step["value"] for step in path["steps"]] == [0.0, 0.1]
    done = run("path", file, *QUICK, "--values", "1,2", "-q")
    assert done.stdout.splitlines()[0].split() == ["C", "1", "2"]
    assert run("path", file, *QUICK, "--values", "many").exit_code == 2
    assert run("path", file, *QUICK, "--along", "time").exit_code == 2


def test_predict(file, data, tmp_path):
    prepared = prepare(parse_table(file.read_bytes(), "t.csv"), "y")
    explorer = estimate(prepared, quiet=True, C=1.0, n_probes=5, random_state=0).explore()
    model, new = tmp_path / "model.json", tmp_path / "new.csv"
    explorer.save(model)
    rows = [[7, *x[::-1]] for x in data.X[:9].tolist()]
    new.write_text(text_of(["id", *data.names[::-1]], rows))
    done = run("predict", new, "--model", model, "-f", "json")
    assert done.exit_code == 0, done.stderr
    assert "not used: id" in done.stderr
    assert "% of the rows" in done.stderr
    expected = explorer.predictions(data.X[:9])
    found = json.loads(done.stdout)
    np.testing.assert_allclose([[s["lo"], s["hi"]] for s in found["samples"]], expected.intervals, atol=1e-7)
    assert [s["certain"] for s in found["samples"]] == [p.certain for p in expected.samples]
    assert [s["line"] for s in found["samples"]] == list(range(2, 11))
    done = run("predict", new, "--model", model, "-f", "csv", "-q")
    table = list(csv.DictReader(io.StringIO(done.stdout)))
    assert [int(row["label"]) for row in table] == [p.label for p in expected.samples]
    assert done.stderr == ""
    assert len(run("predict", new, "--model", model).stdout.splitlines()) == 10
    new.write_text(text_of(data.names[:-1], data.X[:2, :-1].tolist()))
    done = run("predict", new, "--model", model)
    assert done.exit_code == 2
    assert "no column 'irrelevant1'" in done.stderr
    (tmp_path / "result.json").write_text(explorer.result.to_json())
    assert run("predict", new, "--model", tmp_path / "result.json").exit_code == 3


def test_predict_encodes_and_fills_as_the_model_did(tmp_path):
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(60):
        value, kind, sex = rng.standard_normal(), rng.choice(["a", "b", "c"]), rng.choice(["f", "m"])
        rows.append([value if rng.random() > 0.1 else "", kind, sex, int(value + (kind == "b") + (sex == "m") > 0.8)])
    raw = text_of(["value", "kind", "sex", "y"], rows).encode()
    prepared = prepare(parse_table(raw, "t.csv"), "y", categorical="all", impute="mean")
    explorer = estimate(prepared, quiet=True, C=1.0, n_probes=5, random_state=0).explore()
    model, new = tmp_path / "model.json.gz", tmp_path / "new.csv"
    explorer.save(model)
    new.write_text(text_of(["sex", "kind", "value"], [[row[2], row[1], row[0]] for row in rows]))
    done = run("predict", new, "--model", model, "-f", "json")
    assert done.exit_code == 0, done.stderr
    assert "missing values of 'value' with" in done.stderr
    found = json.loads(done.stdout)["samples"]
    np.testing.assert_allclose(
        [[s["lo"], s["hi"]] for s in found], explorer.predictions(prepared.X).intervals, atol=1e-7
    )
    new.write_text(text_of(["sex", "kind", "value"], [["m", "z", 1.0]]))
    done = run("predict", new, "--model", model)
    assert done.exit_code == 3
    assert "'z'" in done.stderr
    new.write_text(text_of(["sex", "kind", "value"], [["m", "a", "much"]]))
    assert run("predict", new, "--model", model).exit_code == 3


def test_pins_in_words():
    names = ["a", "b=c", "d", "e,f"]
    found = read_pins(["a=min", "b=c=.2", "d=0..0.1"], ["e,f"], names)
    assert found == {"a": "min", "b=c": 0.2, "d": (0.0, 0.1), "e,f": "without"}
    assert read_pins(["a=.1..", "d=..2"], [], names) == {"a": (0.1, float("inf")), "d": (0.0, 2.0)}
    for words, said in ((["a"], "NAME=WHAT"), (["a=lots"], "'lots' is not min"), (["a=1..2..3"], "'1..2..3' is not")):
        with pytest.raises(ParameterError, match=said):
            read_pins(words, [], names)
    with pytest.raises(ParameterError, match="'a' is pinned twice"):
        read_pins(["a=min"], ["a"], names)

"""Panels, alternatives, paths and predictions, as a person at a shell meets them."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan.cli import app
from relspan.cli.options.analysis import AnalysisOptions
from relspan.cli.options.output import OutputOptions
from relspan.cli.options.pins import PinOptions
from relspan.cli.options.task import TaskOptions
from relspan.cli.table_fit import estimate
from relspan.errors import ParameterError
from relspan.explore import Explorer
from relspan.result.record import SCHEMA_VERSION
from relspan.simulate import simulate
from relspan.tables import parse_table, prepare_table

QUICK = ("-t", "y", "-C", "1", "--n-probes", "5")


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def explored(prepared):
    """What the commands should answer from, by way of Python."""
    settings = AnalysisOptions({"C": 1.0, "n_probes": 5})
    return estimate(prepared, TaskOptions(), settings, OutputOptions(quiet=True)).explore()


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


@pytest.fixture(scope="module")
def explorer(file):
    return explored(prepare_table(parse_table(file.read_bytes(), "t.csv"), "y"))


def test_analyze_with_pins_is_the_explorers_result(file, explorer):
    words = ("--pin", "weak1_2=max", "--pin", "strong1=0..0.4", "--without", "weak1_1,irrelevant1")
    done = run("analyze", file, *QUICK, *words, "-f", "json")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)
    demands = {"weak1_2": "max", "strong1": (0.0, 0.4), "weak1_1": "without", "irrelevant1": "without"}
    expected = explorer.unpin().pin_all(demands).result
    explorer.unpin()
    for feature in found["features"]:
        same = expected[feature["name"]]
        assert [feature[key] for key in ("min", "max", "lo", "hi")] == pytest.approx(
            [same.min, same.max, same.lo, same.hi], abs=1e-9
        )
    assert [pin["feature"] for pin in found["parameters"]["pins"]] == list(demands)
    assert found["data"]["target"] == "y"


@pytest.mark.slow
def test_pins_are_listed_under_the_table_and_their_rows_are_not_folded(file):
    done = run("analyze", file, *QUICK, "--pin", "weak1_2=max", "--without", "weak1_1")
    assert done.exit_code == 0, done.stderr
    assert done.stdout.strip().startswith("Under these pins: weak1_2 at its max (")
    assert re.search(r"weak1_1 +◐ weak +0 +0 +± +pinned,", done.stdout)  # forbidden is not irrelevant
    assert re.search(r"under these pins +\d+ left out", done.stdout)
    assert "Pins" in done.stdout
    assert "weak1_2 at its max (" in " ".join(done.stdout.split())
    assert "without weak1_1" in " ".join(done.stdout.split())
    assert "Pins" not in run("analyze", file, *QUICK).stdout


@pytest.mark.slow
def test_pins_that_conflict_are_explained_with_a_code_of_their_own(file, explorer):
    most = explorer.unpinned_result["weak1_1"].max
    done = run("analyze", file, *QUICK, "--pin", "weak1_1=0.9", "--without", "irrelevant1", "-q", "-f", "json")
    assert done.exit_code == 4
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"no equally good model has weak1_1 = 0.9 (nearest that works: {most:.4g})" in done.stderr
    assert "conflict: 'irrelevant1'" in done.stderr
    done = run("analyze", file, *QUICK, "--without", "strong1,strong2", "-q")
    assert "no equally good model works without strong2 (nearest" in done.stderr
    assert "other pins: 'strong1'" in done.stderr
    done = run("alternatives", file, *QUICK, "--feature", "strong1", "--without", "weak1_1,weak1_2,weak1_3", "-q")
    assert done.exit_code == 4
    for name in ("weak1_1", "weak1_2", "weak1_3"):
        assert f"without {name} (nearest that works: " in done.stderr
    assert "it is enough to move one of them" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("analyze", "--pin", "weak1=min"), "no column 'weak1'; did you mean 'weak1_"),
        (("analyze", "--without", "y"), "no column 'y'"),
        (("analyze", "--pin", "weak1_1=-0.1..0.3"), "two meanings"),
        (("analyze", "--pin", "weak1_1=0.3..0.1"), "0 <= low <= high"),
        (("analyze", "--pin", "weak1_1"), "is not NAME=WHAT"),
        (("analyze", "--without", "weak1_1", "--screen"), "--screen"),
        (("analyze", "--save-model", "no/folder/model.json"), "cannot write 'no/folder/model.json'"),
        (("panel", "--include", "weak1"), "no column 'weak1'"),
        (("panel", "--include", "weak1_1", "--without", "weak1_1"), "both include and exclude 'weak1_1'"),
        (("panel", "--costs", "costs-that-are-not-there.csv"), "no file 'costs-that-are-not-there.csv'"),
        (("panel", "--limit", "0"), "--limit"),
        (("alternatives",), "--feature"),
        (("alternatives", "--feature", "weak1"), "did you mean 'weak1_"),
        (("path", "--along", "time"), "one of C, delta_norm, delta_loss, delta"),
        (("path", "--values", "many"), "values"),
        (("path", "--classes"), "not along C"),
        (("path", "--values", "0"), "must be positive"),
        (("path", "-f", "csv"), "format must be one of table, json"),
    ],
    ids=lambda words: " ".join(words) if isinstance(words, tuple) else "",
)
@pytest.mark.slow
def test_slips_on_the_command_line(file, words, said):
    command, *rest = words
    done = run(command, file, *QUICK, *rest, "-q")
    assert done.exit_code == 2, done.stderr
    assert said in done.stderr
    assert done.stdout == ""


@pytest.mark.parametrize(
    "words",
    [("panel",), ("alternatives", "--feature", "weak1_1"), ("path", "--values", "1")],
    ids=lambda words: words[0],
)
@pytest.mark.slow
def test_json_records_where_the_answer_came_from(file, words):
    command, *rest = words
    done = run(command, file, *QUICK, *rest, "-f", "json", "-q")
    assert done.exit_code == 0, done.stderr
    assert done.stderr == ""
    found = json.loads(done.stdout)
    assert found["schema_version"] == SCHEMA_VERSION
    assert len(found["data"]["sha256"]) == 64
    assert found["parameters"]["C"] == 1.0
    assert found["parameters"]["pins"] == []


def test_a_panel_that_is_not_proven_in_time_has_a_code_of_its_own(file):
    done = run("panel", file, *QUICK, "--time-limit", "0", "-q")
    assert done.exit_code == 5
    assert "not proven: a panel may cost as little as 0" in done.stdout
    assert "allow more with --time-limit" in done.stderr


@pytest.mark.slow
def test_panel(file, tmp_path):
    done = run("panel", file, *QUICK, "--limit", 3, "-f", "json", "-q")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)["panels"]
    assert [panel["proven"] for panel in found] == [True] * 3
    assert all(len(set(panel["features"]) & {"weak1_1", "weak1_2", "weak1_3"}) == 1 for panel in found)
    costs = tmp_path / "costs.csv"
    prices = {"strong1": 1, "strong2": 1, "weak1_1": 5, "weak1_2": 1, "weak1_3": 5, "irrelevant1": 1}
    costs.write_text(text_of(["name", "cost"], prices.items()))
    done = run("panel", file, *QUICK, "--costs", costs, "--include", "irrelevant1")
    assert done.exit_code == 0
    assert "strong1, strong2, weak1_2, irrelevant1 (cost 4, proven)" in done.stdout
    assert "A model is equally good if its norm is at most" in done.stdout
    done = run("panel", file, *QUICK, "--without", "weak1_1,weak1_2,weak1_3")
    assert done.exit_code == 4
    assert "no equally good model satisfies" in done.stderr
    costs.write_text(text_of(["name", "cost"], [("strong1", "much")]))
    assert run("panel", file, *QUICK, "--costs", costs).exit_code == 3


@pytest.mark.slow
def test_alternatives(file):
    done = run("alternatives", file, *QUICK, "--feature", "weak1_1", "-f", "json", "-q")
    assert done.exit_code == 0, done.stderr
    found = json.loads(done.stdout)["alternatives"]
    assert {a["feature"] for a in found[:2]} == {"weak1_2", "weak1_3"}
    done = run("alternatives", file, *QUICK, "--feature", "weak1_1", "--without", "weak1_3", "--most", 1)
    assert done.stdout.startswith("Under these pins: without weak1_3\nWithout weak1_1, weak1_2 must carry at least")


@pytest.mark.slow
def test_path(file, tmp_path):
    out = tmp_path / "path.json"
    done = run("path", file, *QUICK, "--along", "delta_loss", "--values", "0,.1", "-o", out)
    assert done.exit_code == 0, done.stderr
    path = json.loads(out.read_text())
    assert [step["value"] for step in path["steps"]] == [0.0, 0.1]
    done = run("path", file, *QUICK, "--values", "1,2", "-q")
    assert done.stdout.splitlines()[0].split() == ["C", "1", "2"]
    done = run("path", file, *QUICK, "--along", "delta_loss", "--values", ".02", "--classes", "-q")
    assert done.exit_code == 0, done.stderr
    assert {line.split()[-1] for line in done.stdout.splitlines()[1:]} <= {"s", "w", "i"}


@pytest.mark.slow
def test_analyze_saves_the_model_that_predict_reads(file, data, tmp_path):
    """With the C that cross-validation chose, and at the pins."""
    model, out = tmp_path / "model.json.gz", tmp_path / "new.csv"
    done = run("analyze", file, "-t", "y", "--n-probes", 5, "--without", "weak1_1", "--save-model", model, "-q")
    assert done.exit_code == 0, done.stderr
    done = run("predict", file, "--model", model, "-o", out)
    assert done.exit_code == 0, done.stderr
    assert "saved with the model apply: without weak1_1" in done.stderr
    assert "not used" not in done.stderr  # the target may be there
    with out.open() as stream:
        rows = list(csv.DictReader(stream))
    saved = Explorer.load(model)
    assert [pin.feature for pin in saved.pins] == ["weak1_1"]
    assert run("predict", file, "--model", model, "-q").stdout.startswith("Under these pins: without weak1_1\n")
    written = json.loads(run("predict", file, "--model", model, "-q", "-f", "json").stdout)
    assert [pin["feature"] for pin in written["pins"]] == ["weak1_1"]
    np.testing.assert_allclose(
        [[float(row["lo"]), float(row["hi"])] for row in rows], saved.predictions(data.X).intervals, atol=1e-7
    )
    assert run("predict", tmp_path / "nothing.csv", "--model", model).exit_code == 2
    assert run("predict", file, "--model", tmp_path / "nothing.json").exit_code == 2


@pytest.mark.slow
def test_numbers_are_predicted_without_labels(file, tmp_path):
    model = tmp_path / "model.json"
    done = run("analyze", file, "-t", "strong1", "--drop", "y", "-C", "1", "--n-probes", "5", "--save-model", model)
    assert done.exit_code == 0, done.output
    done = run("predict", file, "--model", model, "-q")
    first, heads, *rows = done.stdout.splitlines()
    assert first.startswith("No feature is called relevant: on rows left out of its fit")  # no column predicts another
    assert heads.split() == ["line", "score", "interval"]
    assert all(".." in row for row in rows)


def test_predict(file, data, explorer, tmp_path):
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


@pytest.mark.slow
def test_predict_encodes_and_fills_as_the_model_did(tmp_path):
    rng = np.random.default_rng(0)
    rows = []
    for _ in range(60):
        value, kind, sex = rng.standard_normal(), rng.choice(["a", "b", "c"]), rng.choice(["f", "m"])
        rows.append([value if rng.random() > 0.1 else "", kind, sex, int(value + (kind == "b") + (sex == "m") > 0.8)])
    raw = text_of(["value", "kind", "sex", "y"], rows).encode()
    prepared = prepare_table(parse_table(raw, "t.csv"), "y", categorical="all", impute="mean")
    explorer = explored(prepared)
    model, new = tmp_path / "model.json.gz", tmp_path / "new.csv"
    explorer.save(model)
    new.write_text(text_of(["sex", "kind", "value"], [[row[2], row[1], row[0]] for row in rows]))
    done = run("predict", new, "--model", model, "-f", "json")
    assert done.exit_code == 0, done.stderr
    assert "missing values of 'value' with" in done.stderr
    found = json.loads(done.stdout)["samples"]
    for one, own in zip(found, explorer.predictions(prepared.X).samples, strict=True):
        proven = pytest.approx((own.lo, own.hi), abs=one["gap"] + own.gap + 1e-9)
        assert (one["lo"], one["hi"]) == proven
        assert own.gap < 1e-5
    new.write_text(text_of(["sex", "kind", "value"], [["m", "z", 1.0]]))
    done = run("predict", new, "--model", model)
    assert done.exit_code == 3
    assert "'z'" in done.stderr
    new.write_text(text_of(["sex", "kind", "value"], [["m", "a", "much"]]))
    done = run("predict", new, "--model", model)
    assert done.exit_code == 3
    assert "--" not in done.stderr  # no option of predict mends it
    new.write_text(text_of(["sex", "kind", "value"], [["m", "a", 1.0], ["M", "b", 1.0], ["", "b", 1.0]]))
    done = run("predict", new, "--model", model, "-f", "csv", "-q")
    assert done.exit_code == 0
    assert [row["obstacle"] for row in csv.DictReader(io.StringIO(done.stdout))] == [
        "",
        "'sex' is 'M', which the model does not know; it knows f, m",
        "'sex' is missing, and was not filled in the model's own table",
    ]
    assert done.stderr.startswith("relspan: warning: 2 rows of 3 could not be predicted, the first in line 3: 'sex' is")


def test_pins_in_words():
    names = ["a", "b=c", "d", "e,f"]
    found = PinOptions(("a=min", "b=c=.2", "d=0..0.1"), ("e,f",)).demands(names)
    assert found == {"a": "min", "b=c": 0.2, "d": (0.0, 0.1), "e,f": "without"}
    assert PinOptions(("a=.1..", "d=..2")).demands(names) == {"a": (0.1, float("inf")), "d": (0.0, 2.0)}
    for words, said in (("a", "NAME=WHAT"), ("a=lots", "'lots' is not min"), ("a=1..2..3", "'1..2..3' is not")):
        with pytest.raises(ParameterError, match=said):
            PinOptions((words,)).demands(names)
    with pytest.raises(ParameterError, match="'a' is pinned twice"):
        PinOptions(("a=min",), ("a",)).demands(names)


@pytest.mark.parametrize(
    "words",
    [
        ("panel",),
        ("alternatives", "--feature", "strong1"),
        ("path", "--values", "1"),
        ("analyze", "--without", "weak1_1"),
    ],
    ids=lambda words: words[0],
)
def test_where_no_feature_helps_there_is_nothing_to_explore(file, words):
    command, *rest = words
    done = run(command, file, "-t", "y", "-C", "1e-9", "--n-probes", "5", *rest, "-q")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "Raise C" in done.stderr

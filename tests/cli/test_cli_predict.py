"""relspan predict on tables as they come: identifiers, gaps, unknown words, probabilities, and the uncertain rows."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan.cli.app import app
from relspan.explore import Explorer

QUICK = ("--n-probes", "5", "-C", "1", "--seed", "0", "-q")


def run(*words):
    return CliRunner().invoke(app, [str(word) for word in words])


def rows_of(done):
    assert done.exit_code == 0, done.output
    return list(csv.DictReader(io.StringIO(done.stdout)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A table with numbers, a category and an identifier, and a logistic model of it."""
    folder = tmp_path_factory.mktemp("predict")
    rng = np.random.default_rng(0)
    lines = ["patient,dose,age,kind,answer"]
    for k in range(80):
        dose, age, kind = rng.normal(), rng.normal(), rng.choice(["a", "b", "c"])
        answer = "yes" if dose + 0.5 * age + (kind == "b") + 0.8 * rng.normal() > 0.3 else "no"
        lines.append(f"p{k:02},{dose:.3f},{age:.3f},{kind},{answer}")
    (folder / "old.csv").write_text("\n".join(lines) + "\n")
    words = ("--drop", "patient", "--categorical", "kind", "--loss", "logistic")
    done = run("analyze", folder / "old.csv", "-t", "answer", *words, *QUICK, "--save-model", folder / "model.json")
    assert done.exit_code == 0, done.output
    (folder / "new.csv").write_text(
        "patient,dose,age,kind\n"
        "q1,2.5,1,b\n"
        "q2,,1,b\n"  # a gap
        "q3,0.1,0.1,z\n"  # a word the model does not know
        "q4,much,,a\n"  # no number, and a gap
        "q5,0.1,-0.2,a\n"
    )
    return folder


def predicted(folder, *words, file="new.csv"):
    return run("predict", folder / file, "--model", folder / "model.json", *words)


def test_rows_that_cannot_be_predicted_are_marked_and_the_others_answered(folder):
    done = predicted(folder, "-f", "csv", "-q")
    rows = rows_of(done)
    assert [row["line"] for row in rows] == ["2", "3", "4", "5", "6"]
    assert [row["obstacle"] for row in rows] == [
        "",
        "'dose' is missing, and was not filled in the model's own table",
        "'kind' is 'z', which the model does not know; it knows a, b, c",
        "'dose' is 'much', which is not a number; 'age' is missing, and was not filled in the model's own table",
        "",
    ]
    assert [bool(row["label"]) for row in rows] == [True, False, False, False, True]
    assert done.stderr == (
        "relspan: warning: 3 rows of 5 could not be predicted, the first in line 3: 'dose' is missing, and was not "
        "filled in the model's own table\n"
    )
    assert "'much', which is not a number" in predicted(folder).stdout


def test_the_others_are_answered_as_if_the_marked_rows_were_not_there(folder):
    (folder / "whole.csv").write_text("patient,dose,age,kind\nq1,2.5,1,b\nq5,0.1,-0.2,a\n")
    alone, among = rows_of(predicted(folder, "-f", "csv", file="whole.csv")), rows_of(predicted(folder, "-f", "csv"))
    assert "obstacle" not in alone[0]
    for one, other in zip(alone, [among[0], among[4]], strict=True):
        assert {k: v for k, v in one.items() if k != "line"} == {k: other[k] for k in one if k != "line"}


def test_identifiers_go_into_every_form_of_the_answer(folder):
    assert [row["patient"] for row in rows_of(predicted(folder, "--id", "patient", "-f", "csv"))] == [
        *("q1", "q2", "q3", "q4", "q5")
    ]
    record = json.loads(predicted(folder, "--id", "patient,age", "-f", "json", "-q").stdout)
    assert [sample["patient"] for sample in record["samples"]][2:4] == ["q3", "q4"]
    assert record["samples"][1]["age"] == 1
    assert record["samples"][1]["obstacle"].startswith("'dose' is missing")
    lines = predicted(folder, "--id", "patient", "-q").stdout.splitlines()
    assert lines[0].split()[:2] == ["line", "patient"]
    assert [line.split()[1] for line in lines[1:]] == ["q1", "q2", "q3", "q4", "q5"]


def test_columns_that_are_neither_used_nor_copied_are_named(folder):
    assert "not used: patient" in predicted(folder).stderr
    assert "not used" not in predicted(folder, "--id", "patient").stderr


def test_row_labels_come_along_by_themselves(folder):
    (folder / "labelled.csv").write_text(",dose,age,kind\nfirst,2.5,1,b\nsecond,0.1,-0.2,a\n")
    assert [row["row"] for row in rows_of(predicted(folder, "-f", "csv", file="labelled.csv"))] == ["first", "second"]


def test_identifiers_that_cannot_be_copied_are_refused(folder):
    done = predicted(folder, "--id", "patiend")
    assert (done.exit_code, done.stderr) == (2, "relspan: --id: no column 'patiend'; did you mean 'patient'?\n")
    (folder / "clash.csv").write_text("score,dose,age,kind\n1,2.5,1,b\n")
    done = predicted(folder, "--id", "score", file="clash.csv")
    assert done.exit_code == 2
    assert "the output has a column 'score' of its own" in done.stderr


def test_where_no_row_can_be_predicted_the_first_reason_is_given(folder):
    (folder / "gaps.csv").write_text("dose,age,kind\n,1,b\n1,,b\n")
    done = predicted(folder, file="gaps.csv")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "no row can be predicted: in line 2, 'dose' is missing" in done.stderr


def test_the_logistic_loss_gives_probabilities_with_intervals(folder):
    for row in rows_of(predicted(folder, "-f", "csv", file="old.csv")):
        low, middle, high = (float(row[f"probability{end}"]) for end in ("_lo", "", "_hi"))
        assert 0 < low <= middle <= high < 1
        assert (middle > 0.5) == (row["label"] == "yes")
        np.testing.assert_allclose(middle, 1 / (1 + np.exp(-float(row["score"]))))
        if row["certain"] == "True":
            assert low > 0.5 or high <= 0.5
    record = json.loads(predicted(folder, "-f", "json", "-q").stdout)
    assert record["probability_of"] == "yes"
    assert "P(yes)" in predicted(folder).stdout
    frame = Explorer.load(folder / "model.json").predictions().to_frame("dict")
    assert {"probability", "probability_lo", "probability_hi"} <= set(frame)


def test_the_hinge_loss_gives_no_probabilities(folder):
    done = run(
        "analyze",
        folder / "old.csv",
        "-t",
        "answer",
        "--drop",
        "patient,kind",
        *QUICK,
        "--save-model",
        folder / "h.json",
    )
    assert done.exit_code == 0, done.output
    done = run("predict", folder / "old.csv", "--model", folder / "h.json", "-f", "json", "-q")
    assert "probability" not in done.stdout
    assert "P(" not in run("predict", folder / "old.csv", "--model", folder / "h.json").stdout


def test_only_the_uncertain_rows_on_request(folder):
    every = rows_of(predicted(folder, "-f", "csv", "--id", "patient", file="old.csv"))
    some = rows_of(predicted(folder, "-f", "csv", "--id", "patient", "--uncertain", file="old.csv"))
    assert some == [row for row in every if row["certain"] == "False"]
    assert 0 < len(some) < len(every)
    explorer = Explorer.load(folder / "model.json")
    assert len(explorer.predictions().uncertain) == len(some)
    answers = [predicted(folder, "-f", "json", *more, file="old.csv") for more in ((), ("--uncertain",))]
    shares = [json.loads(done.stdout)["ambiguous"] for done in answers]
    assert shares[0] == shares[1] == len(some) / len(every)


def test_uncertain_rows_need_classes(folder):
    words = ("-t", "dose", "--drop", "patient,answer,kind", *QUICK)
    done = run("analyze", folder / "old.csv", *words, "--save-model", folder / "n.json")
    assert done.exit_code == 0, done.output
    done = run("predict", folder / "old.csv", "--model", folder / "n.json", "--uncertain")
    assert done.exit_code == 2
    assert "--uncertain needs a target with classes" in done.stderr

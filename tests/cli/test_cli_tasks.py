"""Every task at the shell: the guess and its reason, the options of each task, and what is refused."""

from __future__ import annotations

import csv
import io
import json
import re

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan import (
    OrdinalRelevanceClassifier,
    RejectRelevanceClassifier,
    RelevanceClassifier,
    RelevanceRegressor,
    RelevanceResult,
)
from relspan.cli import app
from relspan.simulate import simulate
from relspan.tasks import TASKS

QUICK = ("-C", "1", "--n-probes", "5")
SETTINGS = {"C": 1.0, "n_probes": 5, "random_state": 0}
WORDS = np.array(["small", "middle", "large"])


def run(*words):
    return CliRunner().invoke(app, list(map(str, words)))


def json_of(done):
    assert done.exit_code == 0, done.stderr
    return json.loads(done.stdout)


def table_of(task):
    return simulate(60, 2, 2, 2, task=task, classes=None if task == "regression" else 3, random_state=0)


def write(path, names, columns):
    rows = [names, *zip(*columns, strict=True)]
    path.write_text("".join(",".join(map(str, row)) + "\n" for row in rows))
    return path


@pytest.fixture(scope="module")
def tables(tmp_path_factory):
    """One table with a target of every kind, weights, and a category."""
    data = {task: table_of(task) for task in ("regression", "ordinal", "classification")}
    two = simulate(60, 2, 2, 2, random_state=0)
    rng = np.random.default_rng(0)
    more = {"w": rng.integers(1, 3, 60), "hint": rng.standard_normal(60)}
    found = {}
    for task, (X, names, y) in {
        "regression": (data["regression"].X, data["regression"].names, data["regression"].y),
        "ordinal": (data["ordinal"].X, data["ordinal"].names, data["ordinal"].y),
        "size": (data["ordinal"].X, data["ordinal"].names, WORDS[data["ordinal"].y]),
        "three classes": (
            data["classification"].X,
            data["classification"].names,
            np.array(list("abc"))[data["classification"].y],
        ),
        "classification": (two.X, two.names, two.y),
    }.items():
        path = tmp_path_factory.mktemp("tables") / f"{task}.csv"
        plain = write(path, [*names, "y"], [*X.T.tolist(), y.tolist()])
        rich = write(
            path.with_name("rich.csv"),
            [*names, *more, "y"],
            [*X.T.tolist(), *(v.tolist() for v in more.values()), y.tolist()],
        )
        found[task] = (plain, rich, X, y, more)
    return found


def intervals(record):
    return [[f["min"], f["max"]] for f in record["features"]]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "words", "estimator", "reason"),
    [
        ("classification", (), RelevanceClassifier(**SETTINGS), "the target has two values"),
        ("regression", (), RelevanceRegressor(epsilon=0.1, **SETTINGS), "numbers with fractions"),
        ("ordinal", (), OrdinalRelevanceClassifier(**SETTINGS), "3 whole numbers, taken as ordered classes"),
        ("three classes", (), RelevanceClassifier(**SETTINGS), "3 values that are words"),
        (
            "classification",
            ("--task", "reject", "--reject-cost", ".3", "--reject-threshold", ".2", "--control", "per_feature"),
            RejectRelevanceClassifier(reject_cost=0.3, reject_threshold=0.2, control="per_feature", **SETTINGS),
            None,
        ),
        (
            "size",
            ("--task", "ordinal", "--order", "small,middle,large"),
            OrdinalRelevanceClassifier(order=WORDS, **SETTINGS),
            None,
        ),
    ],
)
def test_each_task_is_its_estimator(tables, table, words, estimator, reason):
    file, _, X, y, _ = tables[table]
    words = (*words, "--epsilon", ".1") if table == "regression" else words
    if table == "regression":  # an option of one task needs no guess to be read, but must fit the guess
        assert run("analyze", file, "-t", "y", "--reject-cost", ".2", *QUICK).exit_code == 2
    done = run("analyze", file, "-t", "y", "-f", "json", *QUICK, *words)
    record = json_of(done)
    direct = estimator.fit(X, y).result_
    assert record["task"] == direct.task
    np.testing.assert_allclose(intervals(record), [[f.min, f.max] for f in direct.features], rtol=0, atol=1e-9)
    assert [f["relevance"] for f in record["features"]] == [f.relevance for f in direct.features]
    assert json.loads(RelevanceResult.from_json(done.stdout).to_json()) == record
    if reason is None:
        assert "task_guessed" not in record["data"]
    else:
        assert reason in record["data"]["task_guessed"]
        assert f"task {record['task']}: " in done.stderr
        assert reason in done.stderr


@pytest.mark.slow
def test_the_loss_given_up_is_the_tasks_own_unless_said(tables):
    record = json_of(run("analyze", tables["regression"][0], "-t", "y", "-f", "json", *QUICK))
    assert record["parameters"]["delta_loss"] == 0.01
    record = json_of(run("analyze", tables["ordinal"][0], "-t", "y", "-f", "json", *QUICK))
    assert record["parameters"]["delta_loss"] == 0.02
    words = ("--delta-loss", ".05")
    record = json_of(run("analyze", tables["regression"][0], "-t", "y", "-f", "json", *QUICK, *words))
    assert record["parameters"]["delta_loss"] == 0.05


@pytest.mark.slow
def test_weights_class_weights_groups_baseline_and_privileged_columns(tables):
    _, file, X, y, more = tables["classification"]
    words = ("--class-weight", "balanced", "--penalty", "l2", "--group", "twins=weak1_1,weak1_2")
    done = run("analyze", file, "-t", "y", "-f", "json", "--weights", "w", "--drop", "hint", *QUICK, *words)
    record = json_of(done)
    direct = RelevanceClassifier(
        class_weight="balanced", penalty="l2", feature_groups={"twins": [2, 3]}, **SETTINGS
    ).fit(X, y, sample_weight=more["w"])
    np.testing.assert_allclose(intervals(record), direct.intervals_, rtol=0, atol=1e-9)
    assert record["data"]["weights"] == "w"
    assert record["groups"][0]["name"] == "twins"
    assert record["groups"][0]["members"] == ["weak1_1", "weak1_2"]
    assert record["groups"][0]["max"] == direct.result_.groups[0].max
    words = ("--privileged", "hint", "--class-weight", "0=2,1=1", "--drop", "w")
    record = json_of(run("analyze", file, "-t", "y", "-f", "json", *QUICK, *words))
    direct = RelevanceClassifier(class_weight={0: 2.0, 1: 1.0}, **SETTINGS).fit(X, y, privileged=more["hint"][:, None])
    np.testing.assert_allclose(intervals(record), direct.intervals_, rtol=0, atol=1e-9)
    assert [f["name"] for f in record["privileged"]] == ["hint"]
    assert "hint" not in [f["name"] for f in record["features"]]


def test_the_levels_of_a_category_are_a_group(tmp_path):
    rng = np.random.default_rng(0)
    kind = rng.choice(["a", "b", "c"], 60)
    y = (kind == "b") + rng.standard_normal(60) > 0.5
    file = write(tmp_path / "t.csv", ["x", "kind", "y"], [rng.standard_normal(60), kind, y.astype(int)])
    words = ("--categorical", "kind", "--group", "kind", "--group", "all=x,kind")
    record = json_of(run("analyze", file, "-t", "y", "-f", "json", *QUICK, *words))
    levels = ["kind=a", "kind=b", "kind=c"]
    assert [(g["name"], g["members"]) for g in record["groups"]] == [("kind", levels), ("all", ["x", *levels])]


@pytest.mark.slow
def test_tables_describe_what_is_special_about_each_task(tables):
    def shown(table, *words):
        done = run("analyze", *tables[table][:1], "-t", "y", *QUICK, *words)
        assert done.exit_code == 0, done.stderr
        return " ".join(done.stdout.split())

    assert "The task is regression. It was guessed: the target has numbers with fractions" in shown("regression")
    text = shown("regression", "--epsilon", ".1")
    assert "+ raises y" in text
    assert "epsilon = 0.1" in text
    text = shown("size", "--task", "ordinal", "--order", "small,middle,large")
    assert "+ raises y from small towards large" in text
    assert "small: 20 < middle: 20 < large: 20" in text
    text = shown("three classes")
    assert "a, b, c" in text
    assert "sum of its absolute weights, one per class" in text
    assert "5 probes" in text
    text = shown("classification", "--task", "reject", "--reject-cost", ".3")
    assert "0.3" in text
    assert "between an answer and a rejection" in text
    done = run("analyze", tables["classification"][1], "-t", "y", *QUICK, "--privileged", "hint", "--group", "g=w")
    assert "known only during training" in done.stdout
    assert "group " in done.stdout


def test_csv_says_that_it_holds_the_features_only(tables):
    done = run("analyze", tables["classification"][1], "-t", "y", "-f", "csv", *QUICK, "--group", "g=w,hint")
    assert done.exit_code == 0
    assert "the json also contains: groups" in done.stderr


def test_words_in_order_of_the_alphabet_are_worth_a_note(tables):
    done = run("analyze", tables["size"][0], "-t", "y", "--task", "ordinal", "-q", "-f", "csv", *QUICK)
    assert "large < middle < small; --order" in done.stderr


REFUSED = [
    ("classification", ("--task", "forecast"), 2, "task must be one of auto, classification, ordinal"),
    ("classification", ("--task", "regression", "--reject-cost", ".1"), 2, "--reject-cost does not apply to the task"),
    ("classification", ("--reject-cost", ".1"), 2, "it is for reject (--task reject)"),
    ("classification", ("--epsilon", ".1"), 2, "--epsilon does not apply to the task classification"),
    ("classification", ("--task", "reject", "--reject-cost", ".7"), 2, "reject_cost must be a number above 0"),
    ("classification", ("--task", "reject", "--reject-threshold", "1"), 2, "reject_threshold must be a number above 0"),
    ("regression", ("--epsilon", "-1"), 2, "epsilon must be a number of at least 0"),
    ("regression", ("--class-weight", "balanced"), 2, "--class-weight does not apply to the task regression"),
    ("regression", ("--task", "ordinal"), 3, "contains numbers such as"),
    ("three classes", ("--task", "regression"), 3, "regression needs numbers"),
    ("three classes", ("--task", "reject"), 3, "the target has 3 classes (a, b, c)"),
    ("three classes", ("--screen",), 2, "screen=True needs two classes, and the target has 3"),
    ("classification", ("--screen", "--group", "g=strong1"), 2, "--group and --privileged need"),
    ("three classes", ("--privileged", "strong1"), 2, "privileged needs two classes, and the target has 3"),
    ("three classes", ("--penalty", "l2"), 2, "penalty='l2' needs two classes, and the target has 3"),
    ("three classes", ("--loss", "logistic"), 2, "loss='logistic' needs two classes, and the target has 3"),
    ("classification", ("--loss", "logit"), 2, "loss must be one of hinge, logistic"),
    ("regression", ("--loss", "logistic"), 2, "--loss does not apply to the task regression"),
    ("three classes", ("--class-weight", "z=2"), 2, "the classes are a, b, c"),
    ("three classes", ("--class-weight", "a=much"), 2, "'much' is not a number"),
    ("size", ("--task", "ordinal", "--order", "small,large"), 2, "order lacks 'middle'"),
    ("size", ("--task", "ordinal", "--order", "small,large,middle,huge"), 2, "order names 'huge'"),
    ("size", ("--order", "small,middle,large"), 2, "it is for ordinal (--task ordinal)"),
    ("classification", ("--weights", "strong9"), 2, "no column 'strong9'"),
    ("classification", ("--weights", "y"), 2, "column 'y' cannot be used so"),
    ("classification", ("--weights", "strong1"), 3, "a weight must be 0 or more"),
    ("classification", ("--privileged", "strong3"), 2, "no column 'strong3'; did you mean"),
    ("classification", ("--group", "strong1"), 2, "--group 'strong1' is not NAME=COLUMNS"),
    ("classification", ("--group", "g=strong3"), 2, "no column 'strong3'; did you mean"),
    ("classification", ("--group", "g=strong1", "--group", "g=strong2"), 2, "there are two groups 'g'"),
]


@pytest.mark.parametrize(("table", "words", "code", "said"), REFUSED)
def test_misuse_is_refused_in_one_line(tables, table, words, code, said):
    done = run("analyze", tables[table][0], "-t", "y", "-q", *QUICK, *words)
    assert (done.exit_code, done.stdout) == (code, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_weights_cannot_be_filled(tmp_path):
    file = write(tmp_path / "t.csv", ["x", "w", "y"], [range(9), [1, "", *[2] * 7], [0, 1] * 4 + [0]])
    done = run("analyze", file, "-t", "y", "--weights", "w", "--impute", "mean", "-q")
    assert done.exit_code == 3
    assert "the weights 'w' have 1 missing value" in done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("table", ["regression", "ordinal", "classification"])
def test_panels_alternatives_and_paths_serve_tasks_with_one_weight_a_feature(tables, table):
    file = tables[table][0]
    words = ("--task", "reject", "--reject-cost", ".3") if table == "classification" else ()
    panel = json_of(run("panel", file, "-t", "y", "-f", "json", "-q", *QUICK, *words))["panels"][0]
    assert {"strong1", "strong2"} <= set(panel["features"])
    done = run("alternatives", file, "-t", "y", "--feature", "weak1_1", "-q", *QUICK, *words)
    assert done.exit_code == 0, done.stderr
    assert "weak1_2" in done.stdout
    path = json_of(run("path", file, "-t", "y", "-f", "json", "-q", "--values", "1,2", *QUICK, *words))
    assert [step["value"] for step in path["steps"]] == [1.0, 2.0]


@pytest.mark.parametrize("command", [("panel",), ("path",), ("alternatives", "--feature", "strong1")])
def test_several_classes_cannot_be_explored_and_that_is_said_before_the_work(tables, command):
    name, *words = command
    done = run(name, tables["three classes"][0], "-t", "y", "-q", *words, *QUICK)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "task classification (a guess: the target has 3 values" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("table", "words", "labels"),
    [
        ("regression", (), {""}),
        ("size", ("--task", "ordinal", "--order", "small,middle,large"), set(WORDS)),
        ("classification", ("--task", "reject", "--reject-cost", ".4"), {"0", "1", ""}),
    ],
)
def test_a_saved_model_of_each_task_predicts(tables, tmp_path, table, words, labels):
    file, model = tables[table][0], tmp_path / "model.json"
    assert run("analyze", file, "-t", "y", "-q", *QUICK, *words, "--save-model", model).exit_code == 0
    done = run("predict", file, "--model", model, "-q", "-f", "csv")
    assert done.exit_code == 0, done.stderr
    read = list(csv.DictReader(io.StringIO(done.stdout)))
    assert {row["label"] for row in read} <= labels
    assert all(float(row["lo"]) <= float(row["score"]) + 1e-6 <= float(row["hi"]) + 2e-6 for row in read)


def test_what_cannot_be_pinned_is_refused(tables):
    _, file, *_ = tables["classification"]
    for words, said in (
        (("--privileged", "hint"), "privileged columns cannot be explored"),
        (("--group", "g=strong1"), "--group cannot be combined"),
    ):
        done = run("analyze", file, "-t", "y", "-q", *QUICK, "--without", "weak1_1", *words)
        assert (done.exit_code, done.stdout) == (2, "")
        assert said in done.stderr


def test_every_option_is_in_the_help_and_every_task_is_named():
    helped = CliRunner().invoke(app, ["analyze", "--help"], env={"COLUMNS": "200"}).stdout
    own = {option.flag for task in TASKS.values() for option in task.options}
    for flag in (*own, "--weights", "--privileged", "--group"):
        assert f"{flag} " in helped
    assert f"One of {', '.join(['auto', *TASKS])}." in " ".join(re.sub(r"[│\n]", " ", helped).split())

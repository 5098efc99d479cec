"""``relspan analyze`` and ``relspan demo``, as a person at a shell meets them."""

from __future__ import annotations

import csv
import gzip
import hashlib
import inspect
import io
import json
import os
import re
import subprocess
import sys
from itertools import cycle

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan import RelevanceClassifier, RelevanceResult
from relspan.cli import app
from relspan.cli.demo import this_command
from relspan.errors import SolverError
from relspan.simulate import simulate

QUICK = ("-C", "1", "--n-probes", "5")


def run(*words, **options):
    return CliRunner().invoke(app, list(words), **options)


def shell(*words, **options):
    options.setdefault("text", True)
    return subprocess.run([sys.executable, "-m", "relspan", *words], capture_output=True, **options)


def text_of(names, rows, separator=","):
    return "".join(separator.join(map(str, row)) + "\n" for row in [names, *rows])


@pytest.fixture(scope="module")
def data():
    return simulate(60, 2, 2, 2, random_state=0)


@pytest.fixture(scope="module")
def rows(data):
    return [[*x, y] for x, y in zip(data.X.tolist(), data.y.tolist(), strict=True)]


@pytest.fixture
def file(tmp_path, data, rows):
    path = tmp_path / "t.csv"
    path.write_text(text_of([*data.names, "y"], rows))
    return str(path)


def result_of(done):
    assert done.exit_code == 0, done.stderr
    return RelevanceResult.from_json(done.stdout)


def test_json_is_the_estimators_result_with_the_facts_of_the_file(file, data):
    result = result_of(run("analyze", file, "-t", "y", "--format", "json", "--seed", "3", *QUICK))
    direct = RelevanceClassifier(C=1, n_probes=5, random_state=3).fit(data.X, data.y).result_
    assert [f.name for f in result.features] == list(data.names)
    assert [(f.min, f.max, f.relevance) for f in result.features] == [
        (f.min, f.max, f.relevance) for f in direct.features
    ]
    assert result.thresholds == direct.thresholds
    assert result.data["target"] == "y"
    assert result.data["file"] == file
    with open(file, "rb") as stream:
        assert result.data["sha256"] == hashlib.sha256(stream.read()).hexdigest()
    assert result.data["format"] == "comma separated"


def test_json_has_all_that_was_promised_and_comes_back(file):
    done = run("analyze", file, "-t", "y", "-f", "json", "--n-probes", "5")
    read = json.loads(done.stdout)
    promised = "schema_version versions data parameters baseline features probes thresholds warnings seconds task"
    assert set(promised.split()) <= set(read)
    assert {"baseline", "bounds", "probes", "total"} <= set(read["seconds"])
    assert {"C", "l1_norm", "loss", "score"} <= set(read["baseline"])
    assert {"name", "min", "max", "lo", "hi", "relevance"} <= set(read["features"][0])
    assert {"relspan", "python", "numpy", "scipy", "scikit-learn", "highspy"} <= set(read["versions"])
    ours = set(inspect.signature(RelevanceClassifier).parameters) - {"progress"}
    assert ours == set(read["parameters"])
    assert read["parameters"]["random_state"] == 0
    assert json.loads(RelevanceResult.from_json(done.stdout).to_json()) == read


@pytest.mark.slow
def test_every_parameter_of_the_estimator_is_an_option(file, tmp_path):
    words = "-C .5 --delta-norm .2 --delta-loss .05 --loss-budget relative --n-probes 7 --probes replace --alpha .2"
    words += " --control per_feature --no-standardize --screen --engine reference --jobs 2 --seed 4 --checkpoint "
    words += str(checkpoint := tmp_path / "c.jsonl")
    words += " --penalty l2 --class-weight 0=2,1=1 --loss logistic --on-null raise --criterion score --rule published"
    words += " --all-probes"
    done = run("analyze", file, "-t", "y", "-f", "json", *words.split())
    assert result_of(done).parameters == {
        "C": 0.5,
        "criterion": "score",
        "penalty": "l2",
        "class_weight": {"0": 2.0, "1": 1.0},
        "loss": "logistic",
        "feature_groups": None,
        "covariates": None,
        "signs": None,
        "categorical": "auto",
        "select": "relevant",
        "screen": True,
        "delta_norm": 0.2,
        "delta_loss": 0.05,
        "loss_budget": "relative",
        "n_probes": 7,
        "all_probes": True,
        "probes": "replace",
        "alpha": 0.2,
        "control": "per_feature",
        "rule": "published",
        "standardize": False,
        "engine": "reference",
        "n_jobs": 2,
        "random_state": 4,
        "on_null": "raise",
        "checkpoint": str(checkpoint),
    }
    helped = " ".join(re.sub(r"[─│╭╮╰╯]", " ", run("analyze", "--help", env={"COLUMNS": "200"}).stdout).split())
    for name, parameter in inspect.signature(RelevanceClassifier).parameters.items():
        if name in (
            "progress",
            "random_state",
            "n_jobs",
            "standardize",
            "screen",
            "all_probes",
        ):  # described in other words
            continue
        if name in ("categorical", "select"):  # of data frames, and of `transform`
            continue
        flag = {"feature_groups": "group", "covariates": "adjust", "signs": "sign"}.get(name, name.replace("_", "-"))
        (described,) = [words for words in helped.split(" --") if words.startswith(f"{flag} ")]
        none = {
            "C": "by cross-validation",
            "checkpoint": "none",
            "class_weight": "none",
            "feature_groups": "",
            "covariates": "",
            "signs": "",
        }
        assert none.get(name, str(parameter.default)) in described


def test_csv_has_every_feature_with_all_digits(file):
    done = run("analyze", file, "-t", "y", "-f", "csv", *QUICK)
    read = list(csv.DictReader(io.StringIO(done.stdout)))
    result = result_of(run("analyze", file, "-t", "y", "-f", "json", *QUICK))
    assert [row["name"] for row in read] == [f.name for f in result.features]
    assert [float(row["max"]) for row in read] == [f.max for f in result.features]
    assert [row["relevance"] for row in read] == [f.relevance for f in result.features]


@pytest.mark.parametrize(("name", "begins"), [("r.json", "{"), ("r.csv", "name,"), ("r.txt", "\nfeature")])
@pytest.mark.slow
def test_the_ending_of_the_file_decides_the_format(file, tmp_path, name, begins):
    path = tmp_path / name
    done = run("analyze", file, "-t", "y", "-o", str(path), *QUICK, env={"FORCE_COLOR": "1"})
    assert (done.exit_code, done.stdout) == (0, "")
    text = path.read_text(encoding="utf-8")
    assert text.startswith(begins)
    assert "\x1b" not in text
    assert done.stderr.splitlines()[-1].endswith(f"in {path}")


def test_an_explicit_format_wins_over_the_ending(file, tmp_path):
    run("analyze", file, "-t", "y", "-o", str(tmp_path / "r.csv"), "-f", "json", *QUICK)
    RelevanceResult.from_json((tmp_path / "r.csv").read_text())


@pytest.mark.slow
def test_the_answer_does_not_depend_on_how_the_table_is_stored(tmp_path, data, rows):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    names = [*data.names, "y"]
    text = text_of(names, rows)
    (tmp_path / "t.tsv").write_text(text.replace(",", "\t"))
    (tmp_path / "t.csv.gz").write_bytes(gzip.compress(text.encode()))
    columns = dict(zip(names, map(list, zip(*rows, strict=True)), strict=True))
    parquet.write_table(pa.table(columns), tmp_path / "t.parquet")
    answers = [
        result_of(run("analyze", str(tmp_path / name), "-t", "y", "-f", "json", *QUICK))
        for name in ("t.tsv", "t.csv.gz", "t.parquet")
    ]
    answers.append(result_of(run("analyze", "-", "-t", "y", "-f", "json", *QUICK, input=text)))
    assert all(answer.features == answers[0].features for answer in answers)
    assert answers[-1].data["file"] == "-"


def test_what_was_understood_is_noted_on_stderr(data, rows):
    text = text_of([*data.names, "y"], rows)
    done = run("analyze", "-", "--target", "y", "--format", "json", *QUICK, input=text)
    assert len(result_of(done).features) == 6
    assert done.stderr.splitlines()[-3:] == [
        "standard input: 60 rows, 7 columns, comma separated",
        "task classification: the target has two values",
        "analysing 6 features, 60 rows",
    ]


def test_missing_and_text_are_refused_or_treated_as_asked(tmp_path, data, rows):
    path = str(tmp_path / "t.csv")
    letters = [["u" if row[0] > 0 else "v", *row] for row in rows]
    letters[4][1] = ""
    with open(path, "w") as stream:
        stream.write(text_of(["letter", *data.names, "y"], letters))
    done = run("analyze", path, "-t", "y")
    assert done.exit_code == 3
    assert done.stderr.endswith("[--categorical letter | --drop letter]\n")
    done = run("analyze", path, "-t", "y", "--drop", "letter")
    assert done.exit_code == 3
    assert done.stderr == (
        f"relspan: missing values: '{data.names[0]}' 1; set impute to 'mean', 'median' or 'drop' "
        "[--impute mean|median|drop]\n"
    )
    done = run("analyze", path, "-t", "y", "--categorical", "letter", "--impute", "median", "-f", "json", *QUICK)
    result = result_of(done)
    assert result.features[0].name == "letter=v"
    assert result.data["encoded"] == {"letter": ["letter=v"]}
    assert result.data["imputed"][data.names[0]]["count"] == 1
    done = run("analyze", path, "-t", "y", "--categorical", "all", "--impute", "drop", "-f", "json", *QUICK)
    result = result_of(done)
    assert result.data["n_samples"] == 59
    assert result.data["dropped_lines"] == [6]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["-t", "Y"], 2, "no column 'Y'; did you mean 'y'?"),
        (["-t", "y", "--drop", "stron1"], 2, "no column 'stron1'; did you mean 'strong1'"),
        (["-t", "y", "--alpha", "2"], 2, "alpha must be a number above 0 and below 1, not 2.0"),
        (["-t", "y", "--engine", "warp"], 2, "engine must be one of auto, "),
        (["-t", "y", "-f", "xml"], 2, "format must be one of table, json, csv, not 'xml'"),
        (["-t", "y", "-o", "no/such/folder.json"], 2, "cannot write 'no/such/folder.json'"),
        (["-t", "y", "--n-probs", "9"], 2, "--n-probs"),
        ([], 2, "'--target'"),
        (["-t", "strong1", "--task", "reject"], 3, "the target 'strong1' contains numbers such as"),
        (["-t", "y", "-C", "1e-9", "--on-null", "raise"], 3, "Raise C, to"),
        (["-t", "y", "--on-null", "guess"], 2, "on_null must be one of irrelevant, raise"),
    ],
)
def test_what_is_wrong_is_reported_in_one_line(file, words, code, said):
    done = run("analyze", file, "--quiet", *words)
    assert done.exit_code == code
    assert done.stdout == ""
    assert done.stderr.startswith("relspan: ")
    assert done.stderr.count("\n") == 1
    assert said in done.stderr


@pytest.mark.slow
def test_where_no_feature_helps_all_are_irrelevant_and_a_warning_says_so(file):
    done = run("analyze", file, "-t", "y", "-C", "1e-9", "-f", "json", "-q")
    assert {f.relevance for f in result_of(done).features} == {"irrelevant"}
    assert done.stderr.startswith("relspan: warning: ")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([1], "the target has one class only (1, 60 samples); a classifier needs two classes"),
        (["sick"], "the target has one class only ('sick', 60 samples)"),
        (["rare"] + 59 * ["often"], "class 'rare' has 1 samples"),
    ],
)
def test_a_target_without_two_classes_is_bad_data(tmp_path, data, rows, labels, said):
    path = tmp_path / "t.csv"
    labelled = [[*row[:-1], label] for row, label in zip(rows, cycle(labels), strict=False)]
    path.write_text(text_of([*data.names, "y"], labelled))
    done = run("analyze", str(path), "-t", "y", "-q", "--task", "classification")
    assert (done.exit_code, done.stdout) == (3, "")
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_a_misspelt_target_in_a_real_process(file):
    done = shell("analyze", file, "--target", "Y")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "relspan: no column 'Y'; did you mean 'y'?\n"


def test_column_names_are_shown_literally(tmp_path, data, rows):
    path = tmp_path / "t.csv"
    path.write_text(text_of(["[bold]x", *data.names[1:], "y"], rows))
    done = run("analyze", str(path), "-t", "y", "--all", *QUICK)
    assert "[bold]x" in done.stdout


def test_warnings_are_reported_once_on_stderr_and_kept(tmp_path, data, rows):
    path = tmp_path / "t.csv"
    path.write_text(text_of(["same", *data.names, "y"], [[7, *row] for row in rows]))
    done = run("analyze", str(path), "-t", "y", "-f", "json", "--quiet", *QUICK)
    assert done.exit_code == 0
    said = "constant columns are irrelevant, with the interval [0, 0]: same"
    assert done.stderr.count(said) == 1
    assert f"relspan: warning: {said}" in done.stderr
    assert "RelspanWarning" not in done.stderr
    assert said in RelevanceResult.from_json(done.stdout).warnings


def test_quiet_says_nothing_but_the_result(file):
    done = run("analyze", file, "-t", "y", "--quiet", "--format", "csv", *QUICK)
    assert (done.exit_code, done.stderr) == (0, "")


def test_a_solver_that_fails_has_its_code(file, monkeypatch):
    def fails(*_arguments):
        raise SolverError("no certified answer")

    monkeypatch.setattr("relspan.estimators.base.run_analysis", fails)
    done = run("analyze", file, "-t", "y", "-q")
    assert (done.exit_code, done.stderr) == (5, "relspan: no certified answer\n")


def test_a_result_that_is_not_proven_is_written_with_a_code_of_its_own(file, monkeypatch):
    monkeypatch.setattr("relspan.result.result.CERTIFIED_GAP", -1.0)
    done = run("analyze", file, "-t", "y", "-q", *QUICK)
    assert done.exit_code == 5
    assert "are certified only to within" in done.stderr
    assert "strong" in done.stdout


def on_a_terminal(*words, **environment):
    """What a process writes to a terminal of 90 columns, both streams together."""
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    env = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR")}
    env |= {"TERM": "xterm-256color", "COLUMNS": "90", **environment}
    with subprocess.Popen([sys.executable, "-m", "relspan", *words], stdout=follower, stderr=follower, env=env) as done:
        os.close(follower)
        written = b""
        while True:
            try:
                part = os.read(leader, 65536)
            except OSError:  # Linux reports the closed other end so
                break
            if not part:
                break
            written += part
    os.close(leader)
    assert done.returncode == 0
    return written.decode()


@pytest.mark.slow
def test_a_terminal_gets_progress_and_colour(file):
    written = on_a_terminal("analyze", file, "-t", "y", *QUICK)
    assert "\x1b[1;36m● strong" in written
    assert "analysing 6 features, 60 rows" in written
    assert "\x1b[2K" in written  # the progress was there, and was wiped


@pytest.mark.slow
def test_no_color_is_respected(file):
    written = on_a_terminal("analyze", file, "-t", "y", *QUICK, NO_COLOR="1")
    colours = [c for codes in re.findall(r"\x1b\[([0-9;]*)m", written) for c in codes.split(";")]
    assert not [c for c in colours if c.isdigit() and 30 <= int(c) < 110]
    assert "● strong" in written


@pytest.mark.slow
def test_the_demo_ends_with_what_to_try_next():
    done = run("demo")
    assert done.exit_code == 0
    assert "\x1b" not in done.stdout
    assert re.search(r"bmi +● strong", done.stdout)
    assert re.search(r"HDL cholesterol +◐ weak", done.stdout)
    assert re.search(r"irrelevant features? \(.*age", done.stdout)
    own, known = done.stdout.splitlines()[-9:-7]
    assert own.endswith("relspan inspect your_table.csv --target your_column")
    assert re.search(r"relspan simulate -o known.csv && .*relspan analyze known.csv --target y$", known)
    assert done.stderr.splitlines() == ["analysing 10 features, 442 rows"]


NOTHING_CALLED = "No feature is called relevant: on rows left out of its fit"


def test_a_table_that_fails_its_test_has_that_in_the_first_line(tmp_path):
    rng = np.random.default_rng(0)
    file = tmp_path / "noise.csv"
    file.write_text(
        text_of([*"abcdef", "y"], [[*row, j % 2] for j, row in enumerate(rng.normal(size=(60, 6)).tolist())])
    )
    table = run("analyze", str(file), "-t", "y", *QUICK)
    assert table.stdout.startswith(NOTHING_CALLED)
    assert result_of(run("analyze", str(file), "-t", "y", *QUICK, "-f", "json")).passed is False
    as_csv = run("analyze", str(file), "-t", "y", *QUICK, "-f", "csv", "-q")
    assert NOTHING_CALLED in as_csv.stderr  # a CSV file begins with its header
    for words in (
        ("panel",),
        ("path", "--along", "delta_loss", "--values", "0,.1"),
        ("alternatives", "--feature", "a"),
    ):
        done = run(words[0], str(file), "-t", "y", *words[1:], *QUICK)
        assert done.stdout.startswith(NOTHING_CALLED), done.output


def test_evidence_is_in_every_format(file):
    as_json = result_of(run("analyze", file, "-t", "y", *QUICK, "-f", "json"))
    rows = list(csv.DictReader(io.StringIO(run("analyze", file, "-t", "y", *QUICK, "-f", "csv").stdout)))
    for row, feature in zip(rows, as_json.features, strict=True):
        assert float(row["evidence"]) == feature.evidence
        assert (row["route"], row["cluster"]) == (feature.route, "; ".join(feature.cluster))
        assert row["norm_made"] == str(feature.norm_made)
    table = run("analyze", file, "-t", "y", *QUICK, "--all", env={"COLUMNS": "100"}).stdout
    for feature in as_json.features:
        (line,) = [line for line in table.splitlines() if line.startswith(f"{feature.name} ")]
        assert f"{feature.evidence:.2f}  {feature.route}" in line


@pytest.mark.parametrize(
    ("found", "called", "said"),
    [
        ("/usr/bin/relspan", "/usr/bin/relspan", "relspan"),
        (None, ".venv/bin/relspan", ".venv/bin/relspan"),
        (None, "/somewhere/relspan/__main__.py", "python -m relspan"),
    ],
)
def test_the_hints_can_be_typed_as_they_are(monkeypatch, found, called, said):
    monkeypatch.setattr("shutil.which", lambda name: found)
    monkeypatch.setattr("sys.argv", [called])
    assert this_command() == said


@pytest.mark.slow
def test_the_demo_as_json():
    result = result_of(run("demo", "--example", "breast cancer", "--format", "json"))
    assert len(result.features) == 30
    assert result.data["classes"] == {"benign": 357, "malignant": 212}
    assert len(result.data["sha256"]) == 64


@pytest.mark.slow
def test_the_demos_hints_work(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("simulate", "-o", "known.csv", "--samples", "100").exit_code == 0
    done = run("analyze", "known.csv", "--target", "y")
    assert done.exit_code == 0
    assert re.search(r"strong1 +● strong", done.stdout)
    done = run("demo", "--table", "diabetes.csv")
    assert (done.exit_code, done.stdout) == (0, "")
    assert done.stderr == "442 rows, target progression: csv in diabetes.csv\n"
    assert run("demo", "--quiet", "--table", "diabetes.csv").stderr == ""
    words = ("--target", "progression", "-C", ".1", "--n-probes", "5")
    done = run("analyze", "diabetes.csv", *words, "--without", "HDL cholesterol")
    assert done.exit_code == 0, done.output
    done = run("alternatives", "diabetes.csv", *words, "--feature", "HDL cholesterol")
    assert done.exit_code == 0, done.output
    assert "Without HDL cholesterol, " in done.stdout
    wrong = run("demo", "--example", "iris")
    assert (wrong.exit_code, wrong.stdout) == (2, "")
    assert "there is no built-in data set 'iris'; there are breast cancer, diabetes" in wrong.stderr

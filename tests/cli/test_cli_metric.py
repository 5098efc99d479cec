"""``relspan metric``, as a person at a shell meets it."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan.cli import app
from relspan.cli.metric import dimension_of, metric_analysis, metric_learner
from relspan.errors import DataError, ParameterError
from relspan.result import RelevanceResult
from relspan.show.account import account
from relspan.simulate import make_xor

QUICK = ("--n-probes", "5", "--effective-dimension", "3")
NAMES = [f"X{j}" for j in range(1, 7)]


@pytest.fixture
def file(tmp_path):
    X, y = make_xor(120, random_state=2)
    path = tmp_path / "xor.csv"
    with path.open("w", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow([*NAMES, "same"])
        writer.writerows([*row, ("no", "yes")[label]] for row, label in zip(X.tolist(), y, strict=True))
    return str(path)


def run(*words):
    return CliRunner().invoke(app, ["metric", *words])


@pytest.mark.slow
def test_the_table_shows_classes_dimension_and_what_they_mean(file) -> None:
    done = run(file, "--target", "same", "--prototypes", "2", "--rank", "1", *QUICK)
    assert done.exit_code == 0, done.stderr
    assert "X4" in done.stdout
    assert "strong" in done.stdout
    assert "effective dimension is 3, as given" in " ".join(done.stdout.split())
    assert "GMLVQ learned a map of 1 row" in " ".join(done.stdout.split())
    assert "no: 60, yes: 60" in done.stdout
    assert "learning a metric (gmlvq)" in done.stderr


@pytest.mark.slow
def test_json_has_rows_and_curve(file, tmp_path) -> None:
    path = tmp_path / "out.json"
    done = run(file, "--target", "same", "--learner", "nca", "--n-probes", "5", "-q", "-o", str(path))
    assert done.exit_code == 0, done.stderr
    told = json.loads(path.read_text())
    assert told["task"] == "metric"
    assert told["baseline"]["learner"] == "NeighborhoodComponentsAnalysis"
    assert told["baseline"]["curve"]["dimensions"][0] == 1
    assert told["data"]["target"] == "same"
    assert [f["name"] for f in told["features"]] == NAMES


@pytest.mark.slow
def test_directions_by_cross_validation(file) -> None:
    words = ("--learner", "nca", "--directions", "needed", "--delta-norm", ".05", "-q")
    done = run(file, "--target", "same", *words, *QUICK)
    assert done.exit_code == 0, done.stderr
    assert "needs 2 of these directions" in " ".join(done.stdout.split())
    assert "in the needed directions of the data" in " ".join(done.stdout.split())


@pytest.mark.slow
def test_the_papers_choices_are_recorded(file, tmp_path) -> None:
    path = tmp_path / "out.json"
    words = ("--learner", "nca", "--combine", "sum", "--dimension-by", "extremal", "--n-probes", "5")
    done = run(file, "--target", "same", *words, "-q", "-o", str(path))
    assert done.exit_code == 0, done.stderr
    text = " ".join(entry.sentence for entry in account(RelevanceResult.from_json(path.read_text())))
    assert "the mean error of the maps at the ends of all intervals is" in text
    assert "Relevances are sums of the weights' sizes over the rows." in text
    recorded = json.loads(path.read_text())
    assert recorded["parameters"]["combine"] == "sum"
    assert recorded["parameters"]["dimension_by"] == "extremal"
    assert recorded["baseline"]["l1_norm"] == pytest.approx(
        sum(row["shortest_l1_norm"] for row in recorded["baseline"]["rows"])
    )


@pytest.mark.slow
def test_csv(file) -> None:
    done = run(file, "--target", "same", "--learner", "lmnn", "--rank", "1", "-q", "-f", "csv", *QUICK)
    assert done.exit_code == 0, done.stderr
    assert [row["name"] for row in csv.DictReader(done.stdout.splitlines())] == NAMES


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--learner", "pca"), 2, "learner must be one of gmlvq, lmnn, nca"),
        (("--effective-dimension", "some"), 2, "not 'some'"),
        (("--delta-norm", "-1"), 2, "delta_norm must be"),
        (("--directions", "few"), 2, "directions must be one of leading, needed, not 'few'"),
        (("--dimension-by", "test"), 2, "dimension_by must be one of projected, extremal, not 'test'"),
        (("--combine", "max"), 2, "combine must be one of squares, sum, not 'max'"),
        (("--rank", "9"), 2, "rank must be"),
        (("--learner", "nca", "--rank", "0"), 2, "rank must be"),
        (("--learner", "nca", "--rank", "9"), 2, "rank=9 must lie between 1 and the number of features, 6"),
        (
            ("--learner", "lmnn", "--prototypes", "2"),
            2,
            "prototypes=2 does not apply to lmnn; it is an option of gmlvq",
        ),
        (("--neighbors", "3"), 2, "neighbors=3 does not apply to gmlvq"),
    ],
)
def test_slips_are_reported_in_one_line(file, words, code: int, message: str) -> None:
    done = run(file, "--target", "same", *words)
    assert done.exit_code == code
    assert message in done.stderr


def test_as_a_function() -> None:
    X, y = make_xor(120, random_state=2)
    result = metric_analysis(
        NAMES, X, y, metric_learner("gmlvq", 1, 2), effective_dimension=3, n_probes=5, probes="fixed", random_state=0
    )
    assert result.names("strong") == ["X4"]
    with pytest.raises(DataError, match="learned for classes"):
        metric_analysis(NAMES, X, X[:, 0], metric_learner("nca"))


def test_dimensions_as_typed() -> None:
    assert dimension_of("auto") == "auto"
    assert dimension_of("3") == 3
    assert isinstance(dimension_of("3"), int)
    assert dimension_of("0.01") == 0.01
    with pytest.raises(ParameterError):
        dimension_of("many")
    assert np.isclose(dimension_of("1e-2"), 0.01)

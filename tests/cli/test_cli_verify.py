"""``relspan verify``, ``result.verify(X, y)``, and exit code 5 for what is not proven."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan import OrdinalRelevanceClassifier, RelevanceClassifier, RelevanceRegressor
from relspan.analysis.intervals import ranges_of
from relspan.analysis.probes import Probes
from relspan.analysis.proof_limits import proof_figures, refuse_unproven
from relspan.cli import app
from relspan.cli.exit_codes import ExitCode
from relspan.errors import ParameterError, SolverError, VerificationError
from relspan.result import RelevanceResult
from relspan.simulate import simulate

DATA = simulate(60, strong=1, weak=2, irrelevant=2, random_state=0)
pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(scope="module")
def result() -> RelevanceResult:
    return RelevanceClassifier(random_state=0, n_probes=10).fit(DATA.X, DATA.y).result_


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    table = tmp_path / "data.csv"
    rows = [",".join([*map(repr, x.tolist()), str(y)]) for x, y in zip(DATA.X, DATA.y, strict=True)]
    table.write_text("\n".join(["a,b,c,d,e,y", *rows]) + "\n")
    made = run("analyze", str(table), "--target", "y", "--n-probes", "10", "-o", str(tmp_path / "result.json"))
    assert made.exit_code == 0, made.output
    return tmp_path / "result.json", table


def run(*words: str):
    return CliRunner().invoke(app, list(words))


def test_a_result_read_from_json_is_verified(result) -> None:
    read = RelevanceResult.from_json(result.to_json())
    found = read.verify(DATA.X, DATA.y)
    assert found.largest_difference == 0.0
    assert found.left_out == ()
    assert "verified: all" in str(found)


@pytest.mark.parametrize(
    ("place", "text"),
    [
        (("features", 1, "max"), r"features\[x1\]\.max is 0\.1"),
        (("features", 1, "name"), "name"),
        (("features", 2, "relevance"), "relevance"),
        (("features", 3, "gap_hi"), "gap_hi"),
        (("baseline", "loss"), "baseline.loss"),
        (("budgets", "limits", 0, 2), r"budgets\.limits"),
        (("thresholds", "relevant"), "thresholds"),
        (("data", "n_samples"), "n_samples"),
    ],
)
def test_whatever_was_changed_is_found(result, place, text) -> None:
    record = json.loads(result.to_json())
    *path, last = place
    inner = record
    for step in path:
        inner = inner[step]
    inner[last] = {str: "irrelevant" if last == "relevance" else "other"}.get(type(inner[last]), 0.1)
    with pytest.raises(VerificationError, match=text):
        RelevanceResult.from_json(json.dumps(record)).verify(DATA.X, DATA.y)


def test_a_dropped_feature_and_another_table_are_found(result) -> None:
    with pytest.raises(VerificationError, match="features is"):
        replace(result, features=result.features[1:]).verify(DATA.X, DATA.y)
    with pytest.raises(VerificationError, match="does not follow from this table"):
        result.verify(DATA.X[:, ::-1], DATA.y)


def test_without_a_seed_what_chance_decides_is_left_out() -> None:
    found = RelevanceClassifier(n_probes=10).fit(DATA.X, DATA.y).result_.verify(DATA.X, DATA.y)
    assert "relevance" in found.left_out
    assert "no seed was recorded" in str(found)


@pytest.mark.parametrize("estimator", [RelevanceRegressor, OrdinalRelevanceClassifier])
def test_other_tasks_weights_and_class_weights(estimator) -> None:
    weights = np.arange(1.0, 61.0)
    found = estimator(random_state=0, n_probes=10, C=1.0).fit(DATA.X, DATA.y, sample_weight=weights).result_
    assert found.verify(DATA.X, DATA.y, sample_weight=weights).compared > 50
    with pytest.raises(VerificationError):
        found.verify(DATA.X, DATA.y)


def test_class_weights_of_a_result_from_json() -> None:
    options = {"class_weight": {0: 1.0, 1: 3.0}, "C": 1.0, "random_state": 0, "n_probes": 10}
    made = RelevanceClassifier(**options).fit(DATA.X, DATA.y).result_
    assert RelevanceResult.from_json(made.to_json()).verify(DATA.X, DATA.y).largest_difference < 1e-6


def test_what_cannot_be_verified_is_refused(result) -> None:
    with pytest.raises(ParameterError, match="partial"):
        replace(result, partial=True).verify(DATA.X, DATA.y)
    with pytest.raises(ParameterError, match="'metric' cannot be verified"):
        replace(result, task="metric").verify(DATA.X, DATA.y)


def test_the_command_verifies(files) -> None:
    found = run("verify", *map(str, files))
    assert (found.exit_code, found.stdout.startswith("verified")) == (0, True), found.output


def test_the_command_refuses_a_changed_result_and_names_it(files) -> None:
    result, table = files
    record = json.loads(result.read_text())
    record["features"][0]["max"] = 0.5
    result.write_text(json.dumps(record))
    found = run("verify", str(result), str(table))
    assert found.exit_code == ExitCode.BAD_DATA
    assert "features[a].max is 0.5" in found.stderr


def test_the_command_notes_another_file_and_names_what_differs(files) -> None:
    result, table = files
    lines = table.read_text().splitlines()
    table.write_text("\n".join([*lines[:-1]]) + "\n")
    found = run("verify", str(result), str(table))
    assert found.exit_code == ExitCode.BAD_DATA
    assert "is not the file that the result was made from" in found.stderr
    assert "does not follow" in found.stderr


def test_a_result_without_a_table_in_a_file_says_so(result, files) -> None:
    plain = files[0].with_name("plain.json")
    plain.write_text(result.to_json())
    found = run("verify", str(plain), str(files[1]))
    assert found.exit_code == ExitCode.BAD_DATA
    assert "does not record the target" in found.stderr


def test_changed_proofs_are_refused_by_name(result) -> None:
    proofs = result.certificates
    values = np.array(proofs.extremes.values)
    values[5] += 0.1
    with pytest.raises(VerificationError, match="the proof of an end of x2 fails by"):
        replace(proofs, extremes=replace(proofs.extremes, values=values)).verify()


# -- limits of proofs --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("figure", "words"), [("gap", "an end of an"), ("probe_gap", "a probe"), ("violation", "exceeds its budgets")]
)
def test_an_unproven_analysis_is_refused(figure, words) -> None:
    for size in (0.38, float("nan"), float("inf")):
        with pytest.raises(SolverError, match=f"no proven answer: .*{words}"):
            refuse_unproven({"gap": 0.0, "probe_gap": 0.0, "violation": 0.0, figure: size})
    refuse_unproven({figure: 1e-5})


def test_the_figures_are_shares(result) -> None:
    extremes = result.certificates.extremes
    off = replace(extremes, bounds=extremes.values + 0.5, violations=np.full(len(extremes), 0.25))
    probes = Probes("append", *(np.zeros(2),) * 4, count=2, lost=0, largest_gap=3.0)
    figures = proof_figures(ranges_of(off), probes, norm=100.0)
    assert figures == {"gap": pytest.approx(0.005), "probe_gap": 0.03, "violation": 0.25}


def test_the_command_that_is_not_proven_says_so_with_its_own_exit_code(files, monkeypatch) -> None:
    import relspan.analysis.pipeline as pipeline

    for figure, words in (("probe_gap", "a probe"), ("violation", "exceeds its budgets")):
        monkeypatch.setattr(pipeline, "proof_figures", lambda *_, figure=figure: {figure: 2e-5})
        for command in (["analyze"], ["panel"], ["alternatives", "--feature", "a"], ["path", "--values", "1"]):
            name, *rest = command
            found = run(name, str(files[1]), "--target", "y", "--n-probes", "10", *rest)
            assert found.exit_code == ExitCode.SOLVER, found.output
            assert "not proven to the usual 1e-06: " in found.stderr
            assert words in found.stderr

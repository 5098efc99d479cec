"""The survival task: known truth, times that are censored, every surface, and targets that make no sense."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan import RelevanceSurvival, guess_task
from relspan.cli.app import app
from relspan.errors import DataError, ParameterError
from relspan.explore import Explorer
from relspan.metrics import concordance_index
from relspan.result import RelevanceResult
from relspan.show.account import account
from relspan.simulate import simulate
from relspan.tables import parse_table, prepare_table
from relspan.tasks import TASKS

QUICK = {"C": 0.5, "n_probes": 10, "random_state": 0}


def proportional_hazards(n: int, seed: int):
    """Exponential times whose rate is exp(risk): 2 strong columns, 2 substitutes, 8 others; 30 % are censored."""
    rng = np.random.default_rng(seed)
    X, shared = rng.standard_normal((n, 12)), rng.standard_normal(n)
    X[:, 2:4] = shared[:, None] + 0.1 * rng.standard_normal((n, 2))
    times = rng.exponential(size=n) / np.exp(1.5 * (X[:, 0] - X[:, 1] + shared))
    ends = rng.exponential(size=n)
    ends *= np.quantile(times / ends, 0.7)
    return X, np.column_stack([np.minimum(times, ends), times <= ends]), np.repeat([2, 1, 0], [2, 2, 8])


def f1(truth, found) -> float:
    return 2 * ((truth > 0) & (found > 0)).sum() / ((truth > 0).sum() + (found > 0).sum())


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("n", [200, 500])
def test_planted_classes_are_found(n: int) -> None:
    scores, right = [], []
    for seed in range(2):  # ten seeds: python -m benchmarks planted-questions
        X, y, truth = proportional_hazards(n, seed)
        assert 1 - y[:, 1].mean() == pytest.approx(0.3, abs=0.01)
        found = RelevanceSurvival(random_state=0).fit(X, y).relevance_
        scores.append(f1(truth, found))
        right.append((found == truth).mean())
    assert np.mean(scores) >= 0.97
    assert np.mean(right) >= 0.97


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_times_that_nothing_explains_make_no_feature_relevant() -> None:
    called = 0
    for seed in range(4):
        rng = np.random.default_rng(seed)
        X, y = rng.standard_normal((150, 10)), np.column_stack([rng.exponential(size=150), rng.random(150) < 0.7])
        called += bool(RelevanceSurvival(random_state=0).fit(X, y).relevance_.any())
    assert called == 0


DATA = simulate(100, strong=1, weak=2, irrelevant=2, task="survival", target_noise=0.3, random_state=0)


@pytest.fixture(scope="module")
def fitted():
    return RelevanceSurvival(**QUICK).fit(DATA.X, DATA.y)


def test_the_risk_orders_the_times(fitted) -> None:
    assert fitted.relevance_.tolist() == DATA.truth.tolist()
    risk = fitted.predict(DATA.X)
    assert risk.mean() == pytest.approx(0.0, abs=1e-9)
    assert np.ptp(risk - DATA.X @ fitted.coef_) == pytest.approx(0.0, abs=1e-9)
    assert fitted.score(DATA.X, DATA.y) == concordance_index(DATA.y, risk) > 0.8
    assert fitted.result_.certificates.verify() < 2e-6
    assert fitted.result_.data["events"] == 70


@pytest.mark.parametrize("options", [{}, {"concordance": "uno", "partners": None}])
def test_only_the_order_of_times_and_the_contents_of_rows_count(options) -> None:
    X, y = DATA.X, np.column_stack([np.round(DATA.y["time"], 1), DATA.y["event"]])  # many times are equal
    one = RelevanceSurvival(**QUICK, **options).fit(X, y)
    order = np.random.default_rng(1).permutation(len(X))
    other = RelevanceSurvival(**QUICK, **options).fit(X[order], np.column_stack([y[order, 0] ** 2, y[order, 1]]))
    np.testing.assert_allclose(one.intervals_, other.intervals_, atol=2e-6)
    assert one.relevance_.tolist() == other.relevance_.tolist()


def test_a_session_is_explored_saved_and_loaded(fitted, tmp_path) -> None:
    explorer = fitted.explore()
    samples = explorer.predictions(DATA.X[:5])
    risk = fitted.predict(DATA.X[:5])
    for sample, own in zip(samples.samples, risk, strict=True):
        assert sample.score == pytest.approx(own)
        assert sample.lo - 1e-6 <= own <= sample.hi + 1e-6
        assert sample.labels is None
    own = explorer.predictions()  # of the table, in its own order
    np.testing.assert_allclose(own.intervals[:5], samples.intervals, atol=1e-6)
    panel = explorer.smallest_panel()
    assert panel.features[0] == "x0"
    assert len(panel.features) == 2
    explorer.pin("x1", (0, 0.0))
    assert explorer.result["x2"].under_pins.words == "needed"
    explorer.save(tmp_path / "session.json")
    again = Explorer.load(tmp_path / "session.json")
    assert again.result["x2"].min == pytest.approx(explorer.result["x2"].min)
    assert again.predictions(DATA.X[:5]).intervals == pytest.approx(explorer.predictions(DATA.X[:5]).intervals)


def test_the_result_describes_itself(fitted) -> None:
    result = RelevanceResult.from_json(fitted.result_.to_json())
    text = " ".join(entry.sentence for entry in account(result))
    for part in ("70 events seen", "each event is compared with up to 20 later samples", "all pairs count the same"):
        assert part in text
        assert part in result.to_html()
    assert "raises the risk" in TASKS["survival"].sign_meaning(result)


def test_repeated_measurements_stay_together() -> None:
    """Each patient twice: with groups chance is that of patients, not of rows."""
    X, y = np.repeat(DATA.X[:50], 2, axis=0), np.repeat(DATA.y[:50], 2)
    found = RelevanceSurvival(**QUICK).fit(X, y, groups=np.repeat(np.arange(50), 2))
    assert found.result_.data["groups"]["count"] == 50
    assert found.relevance_[0] == 2


@pytest.mark.parametrize(
    ("y", "reason"),
    [
        ([[1, 1], [2, 0], [3, 2], [4, 1]], "events must be 1 .* row 2 has 2"),
        ([[1, 1], [-2, 0], [3, 1], [4, 1]], "times must be finite and not negative; row 1 has -2"),
        ([[1, 1], [np.nan, 0], [3, 1], [4, 1]], "not negative; row 1 has nan"),
        ([[1, 1], [2, np.nan], [3, 1], [4, 1]], "row 1 has nan"),
        ([[1, 0], [2, 0], [3, 0], [4, 0]], "no two of the 4 samples can be compared: 0 events"),
        ([[1, 0], [2, 0], [3, 0], [4, 1]], "no two of the 4 samples can be compared: 1 events"),
        ([[1, 1], [1, 1], [1, 1], [1, 1]], "no two of the 4 samples can be compared: 4 events"),
        ([[1, 1, 1]] * 4, r"two columns, the time and the event, not the shape \(4, 3\)"),
        ([["a", 1]] * 4, "the times must be numbers"),
        (np.zeros(4, dtype=[("a", float), ("b", float)]), "fields a, b is no survival target"),
        ([[1, 1], [2, 1], [3, 1], [4, 1]], "has 4 events, and choosing C by cross-validation needs 6"),
    ],
)
def test_targets_that_make_no_sense_are_refused(y, reason: str) -> None:
    with pytest.raises(DataError, match=reason):
        RelevanceSurvival().fit(np.eye(4), y)


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"concordance": "best"}, "concordance must be one of harrell, uno"),
        ({"partners": 0}, "partners must be"),
        ({"partners": 1.5}, "partners must be"),
    ],
)
def test_parameters_that_make_no_sense_are_refused(options, reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        RelevanceSurvival(**options).fit(DATA.X, DATA.y)


def test_the_task_is_guessed_by_events_alone() -> None:
    assert guess_task(DATA.y)[0] == "survival"
    assert guess_task(DATA.y["time"])[0] == "regression"
    with pytest.raises(DataError, match="'days' has no column of events"):
        TASKS["survival"].refuse_target(DATA.y["time"], "days")
    for task in set(TASKS) - {"survival"}:
        with pytest.raises(DataError, match="'days' is a time with a column of events"):
            TASKS[task].refuse_target(DATA.y, "days")


# -- tables and the command line -----------------------------------------------------------------------------------


def table_text(events=("0", "1")) -> str:
    lines = ["a,b,c,days,died"]
    for x, (time, event) in zip(DATA.X[:60, [0, 1, 3]], DATA.y[:60].tolist(), strict=True):
        lines.append(",".join([*(f"{value:.6f}" for value in x), f"{time:.6f}", events[event]]))
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("events", [("0", "1"), ("no", "yes"), ("False", "True")])
def test_a_table_gives_times_with_events(events) -> None:
    prepared = prepare_table(parse_table(table_text(events).encode(), "t.csv"), "days", event="died")
    assert prepared.names == ("a", "b", "c")
    assert prepared.y["event"].tolist() == DATA.y["event"][:60].tolist()
    assert prepared.report.facts()["event"] == "died"
    assert prepared.report.facts()["table_options"] == {"event": "died"}
    assert any("'days' as the time until the event 'died'" in note for note in prepared.report.notes())


@pytest.mark.parametrize(
    ("cell", "options", "reason"),
    [
        ("2", {}, "the events 'died' must be 1 .* has 2"),
        ("maybe", {}, "'died' holds '0', which is neither|'died' holds"),
        ("", {}, "'died'"),
        ("1", {"event": "days"}, "'days'"),
        ("1", {"event": "death"}, "death"),
        ("1", {"drop": ["died"]}, "event and drop both name 'died'"),
        ("1", {"groups": "died"}, "event and groups both name 'died'"),
    ],
)
def test_columns_of_events_that_make_no_sense_are_refused(cell: str, options, reason: str) -> None:
    text = table_text().rstrip("\n").rpartition(",")[0] + f",{cell}\n"
    with pytest.raises((DataError, ParameterError), match=reason):
        prepare_table(parse_table(text.encode(), "t.csv"), "days", **{"event": "died", **options})


def test_rows_without_an_event_are_left_out_like_those_without_a_target() -> None:
    text = table_text().rstrip("\n").rpartition(",")[0] + ",\n"
    prepared = prepare_table(parse_table(text.encode(), "t.csv"), "days", event="died", impute="mean")
    assert len(prepared.y) == 59
    assert prepared.report.dropped_targets == 1


def run(*words: str):
    return CliRunner().invoke(app, [*words, "--n-probes", "5", "--C", "0.5"])


def test_the_command_line(tmp_path) -> None:
    file = tmp_path / "table.csv"
    file.write_text(table_text())
    words = ("--time", "days", "--event", "died")
    done = run("analyze", str(file), "--task", "survival", *words, "-f", "json", "-q", "--partners", "9")
    assert done.exit_code == 0, done.output
    result = RelevanceResult.from_json(done.stdout)
    assert (result.task, result.parameters["partners"], result.data["event"]) == ("survival", 9, "died")
    assert result["a"].relevance == "strong"
    model = str(tmp_path / "model.json")
    assert run("analyze", str(file), *words, "--save-model", model, "-q").exit_code == 0  # the task is guessed
    done = CliRunner().invoke(app, ["predict", str(file), "--model", model, "-f", "json"])
    assert done.exit_code == 0, done.output
    assert "unknown to the model" not in done.stderr
    assert len(json.loads(done.stdout)["samples"]) == 60


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--task", "survival", "--time", "days"], "has no column of events"),
        (["--task", "regression", "--target", "days", "--event", "died"], "regression has no events"),
        (["--target", "days", "--event", "died", "--epsilon", "1"], "does not apply to the task survival"),
    ],
)
def test_commands_that_make_no_sense_are_refused(tmp_path, words, reason: str) -> None:
    file = tmp_path / "table.csv"
    file.write_text(table_text())
    done = run("analyze", str(file), *words)
    assert done.exit_code != 0
    assert reason in " ".join(done.stderr.split())


def test_simulated_times_are_written_with_their_events(tmp_path) -> None:
    file = str(tmp_path / "known.csv")
    done = CliRunner().invoke(app, ["simulate", "-o", file, "--task", "survival", "--samples", "50", "--target", "t"])
    assert done.exit_code == 0, done.output
    assert Path(file).read_text().splitlines()[0].endswith("t,event")
    done = CliRunner().invoke(app, ["inspect", file, "--time", "t", "--event", "event"])
    assert done.exit_code == 0, done.output
    assert "--target t --event event" in " ".join(done.stdout.split())

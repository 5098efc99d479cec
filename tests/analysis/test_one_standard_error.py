"""A loss budget with a reason: one standard error of the held-out loss, on every surface; and half and twice of it."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest
from typer.testing import CliRunner

from relspan import RelevanceClassifier, RelevanceSurvival, estimator_for
from relspan.analysis.one_standard_error import row_owners, standard_error
from relspan.cli.app import app
from relspan.errors import DataError, ParameterError
from relspan.explore import Explorer
from relspan.losses import EpsilonInsensitive, Hinge, Logistic, PairHinge
from relspan.result import RelevanceResult
from relspan.show.account import by_key
from relspan.show.findings import equally_good_line
from relspan.show.recipe import command, script
from relspan.simulate import simulate

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
DATA = simulate(120, strong=2, weak=2, irrelevant=4, flips=0.05, random_state=0)
QUICK = {"C": 0.3, "n_probes": 10, "random_state": 0}


@pytest.fixture(scope="module")
def fitted() -> RelevanceClassifier:
    return RelevanceClassifier(delta_loss="one_se", **QUICK).fit(DATA.X, DATA.y)


@pytest.mark.slow
def test_the_error_is_that_of_the_losses_on_rows_left_out(fitted) -> None:
    """By hand: a model per fold, the hinge loss of every row left out, sqrt(n) times their standard deviation."""
    found, splitter = fitted._analysis, fitted._asked[1]
    X, y = found.problem.X, found.problem.y
    each = np.empty(len(y))
    for train, test in splitter.once.split(X, y):
        fold = RelevanceClassifier(**QUICK, standardize=False, rule="published").fit(X[train], y[train])
        each[test] = np.maximum(0, 1 - y[test] * (X[test] @ fold.coef_[0] + fold.intercept_[0]))
    by_hand = np.sqrt(len(y)) * each.std(ddof=1)
    assert standard_error(found.baseline, found.problem, splitter) == pytest.approx(by_hand, rel=1e-6)
    budgets, best = fitted.result_.budgets, fitted.result_.baseline
    assert budgets["standard_error"] == pytest.approx(by_hand, rel=1e-6)
    assert budgets["delta_loss"] == pytest.approx(by_hand / (best["null_loss"] - best["loss"]), rel=1e-6)
    assert budgets["limits"][1][2] == pytest.approx(best["loss"] + by_hand, rel=1e-6)


def test_the_same_number_gives_the_same_answer(fitted) -> None:
    number = fitted.result_.budgets["delta_loss"]
    other = RelevanceClassifier(delta_loss=number, **QUICK).fit(DATA.X, DATA.y)
    assert (other.intervals_ == fitted.intervals_).all()
    assert (other.relevance_ == fitted.relevance_).all()
    relative = RelevanceClassifier(delta_loss="one_se", loss_budget="relative", **QUICK).fit(DATA.X, DATA.y)
    assert relative.result_.budgets["limits"] == fitted.result_.budgets["limits"]


@pytest.mark.slow
def test_rows_that_are_repeated_in_groups_do_not_add_evidence() -> None:
    """Each row twice, as a group: the loss doubles, and so does its error, so the share stays about the same."""
    rows, groups = np.repeat(np.arange(120), 2), np.repeat(np.arange(120), 2)
    shares = [
        RelevanceClassifier(delta_loss="one_se", **{**QUICK, "C": C}).fit(DATA.X[which], DATA.y[which], **more)
        for which, C, more in ((np.arange(120), 0.3, {}), (rows, 0.15, {"groups": groups}), (rows, 0.15, {}))
    ]
    once, grouped, ungrouped = (one.result_.budgets["delta_loss"] for one in shares)
    assert grouped == pytest.approx(once, rel=0.25)  # other folds
    assert ungrouped < 0.85 * grouped


@pytest.mark.parametrize("loss", [Hinge(), Logistic(), EpsilonInsensitive(0.1)])
def test_every_row_of_a_loss_has_one_owner(loss) -> None:
    X, y = DATA.X[:30], np.where(DATA.y[:30] == 1, 1.0, -1.0)
    (owners,) = row_owners(loss, X, y, None)
    rows = loss.rows(X, y)
    model = np.random.default_rng(0).standard_normal(X.shape[1] + 1)
    lost = rows.costs * np.maximum(0, rows.slack(model[:-1], model[-1:]))
    for i in range(30):
        alone = loss.rows(X[[i]], y[[i]])
        assert lost[owners == i].sum() == pytest.approx(alone.loss(model[:-1], model[-1:]))


def test_a_pair_belongs_to_both_of_its_samples() -> None:
    y = np.array([1.0, -2.0, 3.0, 4.0])
    first, second = row_owners(PairHinge(), np.zeros((4, 1)), y, None)
    assert sorted(zip(first.tolist(), second.tolist(), strict=True)) == [(0, 1), (0, 2), (0, 3), (2, 3)]


@pytest.mark.slow
@pytest.mark.parametrize("task", ["regression", "survival", "ordinal", "quantile", "reject"])
def test_every_task_takes_it(task: str) -> None:
    data = simulate(
        80, strong=2, weak=2, irrelevant=2, task="regression" if task == "quantile" else task, random_state=0
    )
    found = estimator_for(task, delta_loss="one_se", n_probes=5, random_state=0).fit(data.X, data.y).result_
    assert 0 < found.budgets["delta_loss"] < 1
    assert found.parameters["delta_loss"] == "one_se"


def test_every_surface_shows_its_value(fitted, tmp_path) -> None:
    result = fitted.result_
    share = f"{100 * result.budgets['delta_loss']:.4g} %"
    assert share in by_key(result)["equally_good"].sentence
    assert "one standard error" in by_key(result)["equally_good"].sentence
    assert share[:4] in equally_good_line(result)
    assert share in result._repr_html_()
    named = replace(result, data={**result.data, "file": "table.csv", "sha256": "0" * 64, "target": "y"})
    assert "--delta-loss one_se" in str(command(named))
    assert "delta_loss='one_se'" in str(script(named)).replace('"', "'")
    again = RelevanceResult.from_json(result.to_json())
    assert again.budgets["delta_loss"] == result.budgets["delta_loss"]
    fitted.explore().save(tmp_path / "session.relspan")
    loaded = Explorer.load(tmp_path / "session.relspan")
    assert loaded.result.budgets["standard_error"] == result.budgets["standard_error"]
    path = loaded.path("delta_loss", [result.budgets["delta_loss"]])
    assert path.interval("x0")[0] == pytest.approx(fitted.intervals_[0], abs=1e-6)


def test_the_command_line_takes_a_number_or_the_word(tmp_path) -> None:
    table = tmp_path / "table.csv"
    rows = [",".join(["x0", "x1", "x2", "y"])] + [
        ",".join([*(f"{v:.6f}" for v in row[:3]), str(label)]) for row, label in zip(DATA.X, DATA.y, strict=True)
    ]
    table.write_text("\n".join(rows))
    common = ["analyze", str(table), "--target", "y", "--n-probes", "5", "--format", "json", "-q"]
    said = CliRunner().invoke(app, [*common, "--delta-loss", "one_se"])
    assert said.exit_code == 0, said.output
    found = json.loads(said.stdout)
    assert found["budgets"]["delta_loss"] > 0
    number = CliRunner().invoke(app, [*common, "--delta-loss", "0.05"])
    assert json.loads(number.stdout)["parameters"]["delta_loss"] == 0.05
    wrong = CliRunner().invoke(app, [*common, "--delta-loss", "one-se"])
    assert wrong.exit_code == 2
    assert "one_se" in wrong.stderr


def test_what_means_nothing_is_refused() -> None:
    with pytest.raises(ParameterError, match="combined"):
        RelevanceClassifier(delta_loss="one_se", loss_budget="combined").fit(DATA.X, DATA.y)
    with pytest.raises(ParameterError, match="delta_loss"):
        RelevanceClassifier(delta_loss="two_se").fit(DATA.X, DATA.y)
    separable = np.where(DATA.X[:, :1] > 0, 5.0, -5.0)
    with pytest.raises(DataError, match="best model's loss, which is 0"):
        RelevanceClassifier(delta_loss="one_se", loss_budget="relative", **{**QUICK, "C": 10.0}).fit(
            separable, DATA.X[:, 0] > 0
        )


@pytest.mark.slow
def test_half_and_twice_the_budget_are_those_of_new_fits(fitted) -> None:
    """A feature is said to be strong at half of the budget, or not at twice, where an analysis there says so."""
    delta = fitted.result_.budgets["delta_loss"]
    strong = {
        factor: set(RelevanceClassifier(delta_loss=factor * delta, **QUICK).fit(DATA.X, DATA.y).result_.names("strong"))
        for factor in (0.5, 1.0, 2.0)
    }
    shares = fitted.result_.budgets["drop_costs"]
    assert {name for name, share in shares.items() if share < 1} == strong[0.5] - strong[1.0]
    assert {name for name, share in shares.items() if share >= 1} == strong[1.0] - strong[2.0]
    sentence = by_key(fitted.result_)["budget_range"].sentence
    assert all(name in sentence for name in shares)
    named = fitted.result_.rename({name: f"{name}!" for name in shares})
    assert set(named.budgets["drop_costs"]) == {f"{name}!" for name in shares}


def test_survival_has_the_error_of_its_pairs() -> None:
    data = simulate(60, strong=1, weak=0, irrelevant=2, task="survival", random_state=0)
    model = RelevanceSurvival(delta_loss="one_se", C=0.5, n_probes=5, random_state=0).fit(data.X, data.y)
    assert model.result_.budgets["standard_error"] > 0

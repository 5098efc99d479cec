"""Everything true of a task is in its own file, and a task from outside the package is as good as any other."""

from __future__ import annotations

import ast
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import RegressorMixin, clone

import relspan
from relspan import estimator_for
from relspan.errors import DataError, ParameterError
from relspan.estimators import RelevanceEstimator
from relspan.explore import Explorer
from relspan.family import HingeRows, stacked_rows
from relspan.losses import LOSSES, EpsilonInsensitive, OneScoreLoss, register_loss
from relspan.result import RelevanceResult
from relspan.show.account import account
from relspan.simulate import simulate
from relspan.tasks import TASKS, Task, register

ROOT = Path(relspan.__file__).parent
NAMES = {"classification", "ordinal", "regression", "reject", "quantile", "survival"}


@pytest.mark.slow
def test_no_file_outside_tasks_knows_a_task_by_name() -> None:
    knowing = set()
    for path in ROOT.rglob("*.py"):
        file = path.relative_to(ROOT).as_posix()
        constants = (
            n.value for n in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(n, ast.Constant)
        )
        if not file.startswith("tasks/") and any(isinstance(value, str) and value in NAMES for value in constants):
            knowing.add(file)
    assert knowing == set()


def test_every_task_is_whole() -> None:
    assert set(TASKS) >= NAMES
    for name in NAMES:
        task = TASKS[name]
        assert task.name == name
        made = estimator_for(name)
        assert type(made) is task.estimator
        assert task.target
        assert task.score_name
        parameters = made.get_params()
        for option in task.options:
            assert option.name in parameters
            assert option.flag == f"--{option.name.replace('_', '-')}"
            assert option.help.endswith(".")
            assert option.default
        assert set(LOSSES.values()) >= set(task.losses)
        assert issubclass(task.estimator, RelevanceEstimator)


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("name", sorted(NAMES))
def test_every_task_describes_its_result(name: str) -> None:
    task = TASKS[name]
    data = simulate(60, strong=1, weak=2, irrelevant=1, task=name, target_noise=0.3, random_state=0)
    task.refuse_target(data.y, "y")
    result = estimator_for(name, C=1.0, n_probes=5, random_state=0).fit(data.X, data.y).result_
    assert result.task == name
    assert task.sign_meaning(result).startswith("+ ")
    assert task.not_explorable(result) is None
    assert task.target_not_explorable(data.y) is None
    assert all(isinstance(fact, str) for fact in task.model_facts(result))


def test_a_target_that_does_not_fit_is_refused_with_a_value() -> None:
    with pytest.raises(DataError, match=r"'size' .*0\.5; ordinal needs classes"):
        TASKS["ordinal"].refuse_target(np.array([0.0, 0.5]), "size")
    with pytest.raises(DataError, match=r"'size' .*'small'; quantile needs numbers"):
        TASKS["quantile"].refuse_target(np.array(["small", "large"]), "size")


def test_several_classes_are_known_not_to_be_explorable_before_and_after_the_fit() -> None:
    task, data = TASKS["classification"], simulate(60, strong=2, weak=0, irrelevant=2, classes=3, random_state=0)
    assert "3 classes" in task.target_not_explorable(data.y)
    result = estimator_for("classification", C=0.5, n_probes=5, random_state=0).fit(data.X, data.y).result_
    assert "several weights per feature" in task.not_explorable(result)
    assert "one sign per class, in the order 0, 1, 2" in task.sign_meaning(result)


@register_loss
@dataclass(frozen=True)
class BentDeviation(OneScoreLoss):
    """|t - s| + 2 max(0, |t - s| - bend): large deviations cost three times as much."""

    bend: float = 1.0
    name = "bent deviation"
    n_offsets = 1

    def rows(self, X, y, sample_weight=None) -> HingeRows:
        small, large = EpsilonInsensitive(0.0).rows(X, y, sample_weight), EpsilonInsensitive(self.bend)
        steeper = large.rows(X, y, sample_weight)
        return stacked_rows(small, HingeRows(steeper.features, steeper.offsets, steeper.heights, 2.0 * steeper.costs))

    def predict_from_margins(self, margins):
        return margins[:, 0]

    def score(self, y, predicted, sample_weight=None) -> float:
        return EpsilonInsensitive().score(y, predicted, sample_weight)

    def smallest_C(self, X, y, sample_weight=None) -> float:
        return EpsilonInsensitive().smallest_C(X, y, sample_weight) / 3


@dataclass(kw_only=True, eq=False, repr=False)
class BentRelevanceRegressor(RegressorMixin, RelevanceEstimator):
    bend: float = 1.0

    def fit(self, X, y, sample_weight=None) -> BentRelevanceRegressor:
        samples = self._samples(X, y, sample_weight, y_numeric=True)
        self._fit([BentDeviation(self.bend)], "bent", samples, samples.y, samples.weights, {})
        return self

    def predict(self, X):
        return self._scores(X) + self._offsets[0]


class Bent(Task):
    name = "bent"
    target = "numbers"
    estimator = BentRelevanceRegressor
    losses = (BentDeviation,)
    score_name = "R2"

    def model_facts(self, result) -> list[str]:
        return [f"bend = {result.baseline['loss_function']['bend']:g}"]


@pytest.fixture
def bent():
    yield register(Bent())
    del TASKS["bent"]


@pytest.mark.slow
def test_a_task_from_outside_is_fitted_explored_saved_loaded_and_shown(bent: Task, tmp_path) -> None:
    data = simulate(80, strong=1, weak=2, irrelevant=2, task="regression", target_noise=0.3, random_state=0)
    found = clone(estimator_for("bent", bend=0.5, n_probes=10, random_state=0)).fit(data.X, data.y)
    assert found.relevance_.tolist() == data.truth.tolist()
    assert found.score(data.X, data.y) > 0.8
    by_hand = np.abs(rest := data.y - found.predict(data.X)).sum() + 2 * np.maximum(0, np.abs(rest) - 0.5).sum()
    assert found.result_.baseline["loss"] == pytest.approx(by_hand)
    assert RelevanceResult.from_json(found.result_.to_json()).task == "bent"
    explorer = found.explore()
    explorer.save(tmp_path / "bent.json")
    again = Explorer.load(tmp_path / "bent.json")
    assert again.result.features == explorer.result.features
    assert "bend = 0.5" in " ".join(entry.sentence for entry in account(again.result))
    assert "bend = 0.5" in again.result.to_html()
    assert "x0       ● strong" in again.result.to_text()


def test_a_name_is_given_once(bent: Task) -> None:
    class Other(Bent):
        pass

    with pytest.raises(ParameterError, match="'bent' is registered already"):
        register(Other())
    assert TASKS["bent"] is bent
    assert register(Bent()) is TASKS["bent"]


SCRIPT = """
from dataclasses import dataclass


from relspan.estimators import RelevanceEstimator
from relspan.losses import EpsilonInsensitive, register_loss
from relspan.simulate import simulate


@register_loss
@dataclass(frozen=True)
class OfAScript(EpsilonInsensitive):
    pass


@dataclass(kw_only=True, eq=False, repr=False)
class OfAScriptRegressor(RelevanceEstimator):
    def fit(self, X, y):
        samples = self._samples(X, y, y_numeric=True)
        self._fit([OfAScript(0.1)], "script", samples, samples.y, samples.weights, {})
        return self


if __name__ == "__main__":
    data = simulate(60, strong=1, weak=2, irrelevant=1, task="regression", random_state=0)
    print(OfAScriptRegressor(n_jobs=2, n_probes=10, random_state=0).fit(data.X, data.y).relevance_.tolist())
"""


@pytest.mark.slow
def test_several_processes_know_a_loss_that_is_defined_in_a_script(tmp_path) -> None:
    (tmp_path / "script.py").write_text(SCRIPT)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == "[2, 1, 1, 0]", done.stderr

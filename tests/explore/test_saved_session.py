"""A session as a file: everything comes back, whatever the loss; what is damaged or unknown is refused."""

from __future__ import annotations

import json
import warnings
from dataclasses import dataclass

import numpy as np
import pytest

from relspan import RelevanceRegressor
from relspan.errors import DataError, ParameterError
from relspan.explore import Explorer
from relspan.explore.explorer import history_of
from relspan.losses import LOSSES, EpsilonInsensitive, register_loss


@pytest.mark.parametrize("ending", ["json", "json.gz"])
@pytest.mark.slow
def test_saved_and_loaded(small, tmp_path, ending):
    explorer = small.explore().without("x3").save_scenario("lost", "a note").pin("x2", (0.1, 2.0))
    path = tmp_path / f"model.{ending}"
    explorer.save(path)
    again = Explorer.load(path)
    assert again.pins == explorer.pins
    assert again.scenarios == explorer.scenarios
    assert again.unpinned_result == explorer.unpinned_result
    assert again.unpinned_result.certificates.verify() < 1e-6
    for name in ("current", "lost", "unpinned"):
        a, b = (e.compare(name).intervals for e in (explorer, again))
        for feature in a:
            np.testing.assert_allclose(a[feature], b[feature], atol=1e-9)
    assert again.score().features == explorer.score().features
    again.save(tmp_path / "twice.json")
    explorer.save(tmp_path / "once.json")
    once, twice = (json.loads((tmp_path / f"{word}.json").read_text()) for word in ("once", "twice"))
    assert once == twice


def test_a_model_whose_C_was_chosen_comes_back(fitted, tmp_path):
    """With the scores of every fold, and a path along the same grid."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((50, 3))
    clf = fitted(X, (X[:, 0] + 0.3 * rng.standard_normal(50) > 0).astype(int), C=None)
    clf.explore().save(tmp_path / "model.json")
    baseline = history_of(Explorer.load(tmp_path / "model.json")).problem.analysis.baseline
    own = clf._analysis.baseline
    assert baseline.C == own.C
    assert {C: folds.tolist() for C, folds in baseline.scores.items()} == {
        C: folds.tolist() for C, folds in own.scores.items()
    }


@pytest.mark.slow
def test_a_loaded_session_knows_its_classes_and_what_they_rest_on(small, tmp_path):
    """Substitutes of the relevant features, and classes at other budgets, need the verdicts themselves."""
    explorer = small.explore()
    explorer.save(tmp_path / "model.json")
    again = Explorer.load(tmp_path / "model.json")
    own, found = (history_of(each).problem.analysis.verdicts for each in (explorer, again))
    np.testing.assert_array_equal(own.classes, found.classes)
    assert (own.passed, own.evidence is None) == (found.passed, found.evidence is None)
    if own.evidence is not None:
        np.testing.assert_array_equal(own.evidence.size, found.evidence.size)
    assert again.groups().members == explorer.groups().members
    a, b = (each.path("delta_loss", [0.05], classes=True).steps[0].classes for each in (explorer, again))
    assert a == b


def test_files_that_are_no_models(small, tmp_path):
    (tmp_path / "result.json").write_text(small.result_.to_json())
    with pytest.raises(DataError, match="not a saved relspan model"):
        Explorer.load(tmp_path / "result.json")
    with pytest.raises(ParameterError, match="No such file"):
        Explorer.load(tmp_path / "nothing.json")
    with pytest.raises(ParameterError, match="cannot write"):
        small.explore().save(tmp_path / "no" / "folder.json")


@register_loss
@dataclass(frozen=True)
class DearInsensitive(EpsilonInsensitive):
    """A loss from outside relspan: the insensitive loss, times a factor."""

    factor: float = 2.0

    name = "dear insensitive"

    def rows(self, X, y, sample_weight=None):
        return super().rows(X, y, self.factor * (np.ones(len(y)) if sample_weight is None else sample_weight))


class DearRegressor(RelevanceRegressor):
    """A regression with that loss, as a task that relspan does not know."""

    def _fit(self, losses, task, *rest, **more):
        super()._fit([DearInsensitive(loss.epsilon, 3.0) for loss in losses], "dear regression", *rest, **more)


@pytest.fixture(scope="module")
def dear():
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 3))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return DearRegressor(C=0.1, epsilon=0.1, n_probes=5, random_state=0).fit(X, X[:, 0] + 0.1 * X[:, 1])


def test_a_loss_from_outside_comes_back(dear):
    explorer = dear.explore().pin("x1", "max")
    again, extras = Explorer.from_bytes(explorer.to_bytes(colour="green"))
    assert extras["colour"] == "green"
    assert history_of(again).problem.loss == DearInsensitive(0.1, 3.0)
    assert again.result == explorer.result
    np.testing.assert_allclose(again.predictions().intervals, explorer.predictions().intervals, atol=1e-9)


def test_a_loss_that_is_not_registered_is_named(dear, monkeypatch):
    data = dear.explore().to_bytes()
    monkeypatch.delitem(LOSSES, "DearInsensitive")
    with pytest.raises(DataError, match=r"the loss 'DearInsensitive'.* import its module"):
        Explorer.from_bytes(data)


@pytest.mark.parametrize("part", ["anchors", "baseline", "constraints", "extremes", "loss", "verdict", "X", "classes"])
def test_a_file_that_lacks_something_is_damaged(small, part):
    record = json.loads(small.explore().to_bytes())
    del record["problem"][part]
    with pytest.raises(DataError, match="damaged"):
        Explorer.from_bytes(json.dumps(record).encode())


@pytest.mark.parametrize("part", ["baseline", "extremes", "probes", "verdict"])
def test_every_field_is_needed(small, part):
    whole = json.loads(small.explore().to_bytes())
    for field in whole["problem"][part]:
        record = json.loads(json.dumps(whole))
        del record["problem"][part][field]
        if field not in {"null_preferred", "standard_error", "handed_over", "planned"}:  # they have defaults
            with pytest.raises(DataError, match="damaged"):
                Explorer.from_bytes(json.dumps(record).encode())


def test_another_schema_version_is_refused(small):
    record = {**json.loads(small.explore().to_bytes()), "schema_version": 99}
    with pytest.raises(DataError, match="schema_version 99"):
        Explorer.from_bytes(json.dumps(record).encode())


def test_groups_of_rows_come_back(tmp_path):
    rng = np.random.default_rng(0)
    groups = np.repeat(np.arange(20), 3)
    X = rng.standard_normal((60, 3))
    model = RelevanceRegressor(C=0.1, n_probes=5, random_state=0).fit(X, X[:, 0], groups=groups)
    model.explore().save(tmp_path / "model.json")
    problem = Explorer.load(tmp_path / "model.json")._problem
    np.testing.assert_array_equal(problem.groups, groups)
    np.testing.assert_array_equal(problem.analysis.problem.groups, groups)
    for train, test in problem.splitter.split(problem.X, problem.y, problem.groups):
        assert not set(groups[train]) & set(groups[test])


@pytest.mark.parametrize(
    ("place", "value", "words"),
    [
        (("problem", "X", "values", 0), None, "no numbers"),
        (("problem", "X", "values", 0), "inf", "no numbers"),
        (("problem", "mean", "values"), [0.0], "damaged|means"),
        (("problem", "budgets", 0, 2), 1e308 * 10, "too large"),
        (("problem", "anchors"), {"shape": [1, 1], "type": "float64", "values": [1.0]}, "best models"),
        (("problem", "y"), {"shape": [9] * 30, "type": "float64", "values": [1.0]}, "GiB"),
        (("problem", "y"), {"shape": [3], "type": "str", "values": ["a" * 10**6] + [""] * 10**4}, "GiB"),
        (("session",), json.loads("[" * 50 + "]" * 50), "nested too deeply"),
    ],
)
def test_a_bomb_in_a_saved_model_is_refused_before_it_goes_off(small, place, value, words) -> None:
    """NaN in a program may keep a solver busy for ever, and a few zeros may stand for terabytes."""
    record = json.loads(small.explore().to_bytes())
    inner = record
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value
    with pytest.raises(DataError, match=words):
        Explorer.from_bytes(json.dumps(record).encode())


def test_foreign_json_is_refused_in_words() -> None:
    for text in (b'{"a": 1}', b"[]", b"null"):
        with pytest.raises(DataError, match="relspan's own JSON holds a 'schema_version'"):
            Explorer.from_bytes(text)

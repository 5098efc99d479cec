"""Explorer: what a session remembers, and what it reports about the models under its pins."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pytest

from relspan.errors import InfeasiblePins, ParameterError
from relspan.explore import Explorer, pin_history
from relspan.explore.explorer import history_of


def names(explorer):
    return [pin.feature for pin in explorer.pins]


@pytest.mark.parametrize("wrong", [3, None, "result.json"])
def test_an_explorer_is_made_from_a_fitted_problem_only(wrong):
    with pytest.raises(ParameterError, match=r"explore\(\) of a fitted estimator"):
        Explorer(wrong)


def test_a_long_session_keeps_its_latest_changes(small, monkeypatch):
    monkeypatch.setattr(pin_history, "MOST_UNDO_STEPS", 3)
    explorer = small.explore()
    for _ in range(5):
        explorer.pin("x1", "without").unpin()
    assert names(explorer.undo()) == ["x1"]
    assert names(explorer.undo()) == []
    assert names(explorer.undo()) == ["x1"]
    with pytest.raises(ParameterError, match="nothing to undo"):
        explorer.undo()


def test_undo_redo_and_a_refused_pin(small):
    explorer = small.explore().pin("x1", 0.1).pin("x2", (0, 0.9)).without("x3", "x4")
    assert names(explorer) == ["x1", "x2", "x3", "x4"]
    assert names(explorer.undo()) == ["x1", "x2"]
    assert names(explorer.undo()) == ["x1"]
    assert names(explorer.redo()) == ["x1", "x2"]
    with pytest.raises(InfeasiblePins):
        explorer.pin("x0", 5.0)
    assert names(explorer) == ["x1", "x2"]
    assert names(explorer.redo()) == ["x1", "x2", "x3", "x4"]
    with pytest.raises(ParameterError, match="nothing to redo"):
        explorer.redo()
    assert names(explorer.undo().pin("x1", 0.2)) == ["x2", "x1"]
    with pytest.raises(ParameterError, match="nothing to redo"):
        explorer.redo()
    with pytest.raises(ParameterError, match="'x5' is not pinned"):
        explorer.unpin("x5")
    assert names(explorer.unpin("x2")) == ["x1"]
    with pytest.raises(ParameterError, match="nothing to undo"):
        small.explore().undo()


def test_scenarios(small):
    explorer = small.explore()
    explorer.without("x1").save_scenario("no x1", "what if the first marker is lost").unpin().pin(
        "x2", "max"
    ).save_scenario("most x2")
    explorer.annotate_scenario("most x2", "unlikely")
    assert [(s.name, s.note) for s in explorer.scenarios.values()] == [
        ("no x1", "what if the first marker is lost"),
        ("most x2", "unlikely"),
    ]
    comparison = explorer.compare("no x1", "most x2")
    assert comparison.intervals["x1"][0] == (0.0, 0.0)
    assert comparison.intervals["x2"][1][1] == pytest.approx(small.result_["x2"].max)
    assert "x1" in str(comparison)
    assert explorer.compare("unpinned", "unpinned").moved == {}
    assert names(explorer.load_scenario("no x1")) == ["x1"]
    for wrong in ("current", ""):
        with pytest.raises(ParameterError, match="cannot name a scenario"):
            explorer.save_scenario(wrong)
    with pytest.raises(ParameterError, match="no scenario 'x'; there are"):
        explorer.compare("x")
    assert list(explorer.delete_scenario("no x1").scenarios) == ["most x2"]
    for change in (explorer.delete_scenario, lambda name: explorer.annotate_scenario(name, "gone")):
        with pytest.raises(ParameterError, match="no saved scenario 'no x1'"):
            change("no x1")


def test_set_pins_replaces_all_others(small):
    explorer = small.explore().pin("x1", 0.1).without("x3")
    assert names(explorer.set_pins({"x2": (0, 0.9), "x4": "without"})) == ["x2", "x4"]
    assert names(explorer.undo()) == ["x1", "x3"]
    again = {pin.feature: pin.demand for pin in explorer.pins}
    assert small.explore().set_pins(again).pins == explorer.pins


def test_the_result_under_pins_is_a_result(small):
    explorer = small.explore().without("x1")
    result = explorer.result
    assert (result.thresholds, result.probes) == ({}, {})  # none were computed under the pins
    assert result["x1"].relevance == small.result_["x1"].relevance
    assert result["x1"].under_pins.outcome == "left out"
    assert json.loads(result.to_json())["parameters"]["pins"] == [
        {"feature": "x1", "low": 0.0, "high": 0.0, "asked": "without"}
    ]
    assert result.certificates.verify() < 1e-6
    assert small.explore().result is small.result_


def test_the_model_is_in_the_family_and_at_the_pins(small):
    X = np.random.default_rng(0).standard_normal((5, 6))
    np.testing.assert_allclose(list(small.explore().model().weights.values()), small.coef_[0])
    for demand in ("max", 0.1, "without"):
        explorer = small.explore().pin("x1", demand)
        model, family = explorer.model(), small.result_.certificates.family
        assert explorer.result["x1"].min - 1e-7 <= model.relevances["x1"] <= explorer.result["x1"].max + 1e-7
        assert model.norm <= family.largest_norm * (1 + 1e-8)
        assert model.loss <= family.largest_loss * (1 + 1e-8)
        assert model.share_of_loss_budget + 1e-6 >= 0
        solution = history_of(explorer).current_family().best.best
        scores = X @ np.array(list(model.weights.values())) + model.offsets[0]
        np.testing.assert_allclose(scores, history_of(explorer).problem.scaled(X) @ solution[:6] + solution[6])
        used = explorer.budget_use()
        assert used.least_norm <= model.norm + 1e-8
        assert used.least_loss <= model.loss + 1e-8
        assert used.share_of_loss_budget <= 1 + 1e-6


def test_pins_use_up_the_budget_they_need(small):
    free, forced = small.explore().budget_use(), small.explore().pin("x0", "max").budget_use()
    assert free.share_of_loss_budget <= 0
    assert free.least_norm <= forced.least_norm + 1e-9
    assert max(forced.share_of_norm_budget, forced.share_of_loss_budget) == pytest.approx(1, abs=1e-3)


def test_the_score_is_labelled(small):
    score = small.explore().without("x3", "x4", "x5").score()
    assert set(score.features) <= {"x0", "x1", "x2"}
    assert len(score.folds) == len(score.all_features) == 5
    assert 0 < score.mean <= 1
    assert "optimistic" in score.note


def test_an_explorer_can_be_pickled(small):
    explorer = small.explore().without("x3")
    again = pickle.loads(pickle.dumps(explorer))
    for name in again.feature_names:
        a, b = (e.pin("x2", "min").result[name] for e in (again, explorer))
        assert (a.min, a.max) == (pytest.approx(b.min, abs=1e-9), pytest.approx(b.max, abs=1e-9))


def test_the_same_steps_give_the_same_answers(small):
    def walk():
        explorer = small.explore().without("x4").pin("x1", 0.2).pin("x3", 0.05)
        return [[f.min, f.max, f.lo, f.hi] for f in explorer.result.features]

    assert walk() == walk()

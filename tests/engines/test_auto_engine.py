"""The engine that chooses: simplex where it is quick, the interior point method where it walks too far."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import KFold

from relspan.baseline import fit_baseline
from relspan.engines import AutoEngine, ExactEngine, open_engine
from relspan.engines.auto import suits_interior_point
from relspan.family import unit_directions
from relspan.losses import EpsilonInsensitive, Hinge
from relspan.relevance.budgets import family_of
from relspan.simulate import simulate


def family(task: str, n: int):
    data = simulate(n, 2, 2, 8, task=task, target_noise=0.1, random_state=0)
    Z = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0)
    y = data.y.astype(float) if task == "regression" else 2.0 * data.y - 1.0
    loss = EpsilonInsensitive(0.0) if task == "regression" else Hinge()
    best = fit_baseline(loss, Z, y, None, 1.0, KFold(3))
    return family_of(loss.rows(Z, y, None), best, 0.1, 0.02, "explained")


def test_simplex_answers_where_it_is_quick_exactly_as_if_asked_for():
    members = family("classification", 60)
    auto, exact = open_engine("auto", members), ExactEngine(members)
    directions = unit_directions(range(members.n_features), members)
    np.testing.assert_array_equal(auto.maxima(directions).values, exact.maxima(directions).values)
    probes = members.rows.features[::-1, :3]
    np.testing.assert_array_equal(auto.appended(probes).values, exact.appended(probes).values)
    assert auto.engine.name == "exact"


@pytest.mark.parametrize("first", ["maxima", "appended"])
def test_many_pivots_change_the_engine_and_not_the_answer(first, monkeypatch):
    monkeypatch.setattr("relspan.engines.auto.PATIENCE", 20.0)
    members = family("regression", 100)
    auto, exact = AutoEngine(members), ExactEngine(members)
    asked = {"maxima": unit_directions(range(members.n_features), members), "appended": members.rows.features[::-1, :4]}
    for question in (first, *(set(asked) - {first})):
        found, known = getattr(auto, question)(asked[question]), getattr(exact, question)(asked[question])
        assert auto.engine.name == "batched"
        np.testing.assert_allclose(found.values, known.values, rtol=0, atol=1e-6 * members.largest_norm)
        assert found.gaps.max() <= 1e-6 * members.largest_norm


def test_wide_tables_stay_with_simplex():
    members = family("classification", 60)
    assert suits_interior_point(members)
    wide = members.with_columns(np.random.default_rng(0).standard_normal((60, 120)))
    assert not suits_interior_point(wide)

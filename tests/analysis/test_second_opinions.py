"""What one engine cannot answer or prove is asked of the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from problems import family_around, two_classes
from relspan.analysis import second_opinions
from relspan.analysis.intervals import feature_ranges
from relspan.analysis.second_opinions import BackedEngine, others_for, with_second_opinions
from relspan.engines import CertifiedMaxima, ExactEngine, open_engine
from relspan.errors import SolverError
from relspan.family import Family, unit_directions

FEATURES = np.arange(4)


@pytest.fixture
def family() -> Family:
    return family_around(*two_classes(40, 4, seed=2, flips=0.1))[0]


def extremes(family: Family) -> CertifiedMaxima:
    return ExactEngine(family).maxima(unit_directions(FEATURES, family))


def refusing(reason: str) -> Callable[..., Any]:
    def maxima(*_: Any) -> CertifiedMaxima:
        raise SolverError(reason)

    return maxima


class GivesUp:
    """An engine that has no answer for some directions."""

    def __init__(self, engine: Any, directions: np.ndarray, reason: str = "this engine gives up") -> None:
        self.engine, self.directions, self.reason = engine, directions, reason

    def maxima(self, asked: np.ndarray) -> CertifiedMaxima:
        if any((v == w).all() for v in asked for w in self.directions):
            raise SolverError(self.reason)
        found: CertifiedMaxima = self.engine.maxima(asked)
        return found


def test_an_engine_that_gives_up_is_followed_by_another(family: Family, monkeypatch: Any) -> None:
    """For the direction at which it gave up, and for no other."""
    directions, opened = unit_directions(FEATURES, family), open_engine
    expected = extremes(family).values

    def hindered(name: str, of: Family) -> Any:
        return GivesUp(opened(name, of), directions[[3]]) if name == "exact" else opened(name, of)

    monkeypatch.setattr(second_opinions, "open_engine", hindered)
    found = BackedEngine("exact", family).maxima(directions)
    np.testing.assert_allclose(found.values, expected, atol=1e-6 * family.largest_norm)
    assert np.flatnonzero(found.handed_over).tolist() == [3]


def test_an_engine_that_gave_up_once_is_asked_again(family: Family) -> None:
    """From a fresh start, whose answer is its own."""
    directions = unit_directions(FEATURES, family)
    worn = GivesUp(open_engine("exact", family), directions[[3]])
    found = BackedEngine("exact", family, worn).maxima(directions)
    np.testing.assert_allclose(found.values, extremes(family).values, atol=1e-6 * family.largest_norm)
    assert not found.handed_over.any()


def test_a_whole_analysis_survives_an_engine_that_gives_up(family: Family, monkeypatch: Any) -> None:
    expected = extremes(family).values
    monkeypatch.setattr(ExactEngine, "maxima", refusing("this engine gives up"))
    ranges = feature_ranges(family, "exact")
    np.testing.assert_allclose(ranges.extremes.values, expected, atol=1e-6 * family.largest_norm)


def test_where_all_give_up_the_first_reason_is_given(family: Family, monkeypatch: Any) -> None:
    directions, opened = unit_directions(FEATURES, family), open_engine
    monkeypatch.setattr(
        second_opinions, "open_engine", lambda name, of: GivesUp(opened(name, of), directions, "another reason")
    )
    with pytest.raises(SolverError, match="the first reason"):
        BackedEngine("exact", family, GivesUp(None, directions, "the first reason")).maxima(directions)


def test_the_plain_engine_is_not_asked_for_a_large_program(family: Family, monkeypatch: Any) -> None:
    assert "reference" in others_for(family, "exact")
    monkeypatch.setattr(second_opinions, "LARGEST_PLAIN_PROGRAM", 1000)
    assert others_for(family, "exact") == ["batched"]


@pytest.mark.parametrize("violation", [1e-8, 1e-5])
def test_a_model_that_exceeds_its_budgets_is_replaced(family: Family, violation: float) -> None:
    """One that exceeds them by no more than counts as proven stays."""
    known = extremes(family)
    violations, models, values = known.violations.copy(), known.models_of(slice(None)), known.values.copy()
    models[3] *= 1 + violation
    violations[3], values[3] = family.violations(models[[3]])[0], values[3] * (1 + violation)
    given = replace(known, models=models, violations=violations, values=values)
    found = with_second_opinions(family, FEATURES, given)
    if violation < 1e-6:
        assert found is given
    else:
        assert found.violations[3] <= 1e-9
        assert found.values[3] == pytest.approx(known.values[3], abs=1e-6 * family.largest_norm)
        assert np.flatnonzero(found.handed_over).tolist() == [3]


def test_a_smaller_value_that_is_possible_does_not_replace_a_larger_one_that_is(family: Family) -> None:
    """An end whose bound is all that lacks gets a bound, and keeps its model."""
    known = extremes(family)
    bounds = known.bounds.copy()
    bounds[0] += 0.5
    found = with_second_opinions(family, FEATURES, replace(known, bounds=bounds))
    assert found.bounds[0] <= known.bounds[0] + 1e-6 * family.largest_norm
    assert found.values[0] >= known.values[0]

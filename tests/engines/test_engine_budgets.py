"""Budgets: norm and loss apart, combined, none to spare, and more of them."""

from __future__ import annotations

import numpy as np
import pytest

from problems import all_ranges, family_around, largest, opened, two_classes
from relspan.analysis.baseline import null_loss
from relspan.family import Budget, build_family, combined, empty_rows, norm_and_loss, unit_directions
from relspan.losses import Hinge


@pytest.mark.parametrize("kind", ["explained", "relative", "combined"])
def test_ends_are_the_optima_of_the_program_written_out(engine: str, kind: str) -> None:
    X, y = two_classes(40, 6, seed=0)
    equally_good, baseline = family_around(X, y, kind=kind, delta_norm=0.1, delta_loss=0.05)
    directions = unit_directions(range(6), equally_good)
    found = opened(engine, equally_good).maxima(directions)
    np.testing.assert_allclose(found.values, [largest(equally_good, v) for v in directions], atol=1e-6 * baseline.norm)


def test_two_skew_budgets_at_once(engine: str) -> None:
    """A loss budget that shrinks with the norm, and the other way round: only their meeting point is tight."""
    X, y = two_classes(40, 5, seed=1)
    _, baseline = family_around(X, y)
    mu, rho = baseline.norm, baseline.loss
    budgets = (Budget(1.0, 0.5, 1.1 * (mu + 0.5 * rho)), Budget(0.2, 1.0, 1.1 * (0.2 * mu + rho)))
    skew = build_family(Hinge().rows(X, y), budgets, anchors=baseline.model)
    directions = unit_directions(range(5), skew)
    found = opened(engine, skew).maxima(directions)
    np.testing.assert_allclose(found.values, [largest(skew, v) for v in directions], atol=1e-6 * mu)
    assert found.gaps.max() <= 1e-6 * mu


def test_a_separable_family_has_no_loss_to_spend(engine: str) -> None:
    """rho = 0: relative budgets leave R = 0, and every model of the family separates the classes with margin 1."""
    X, y = two_classes(40, 6, seed=2, flips=0.0)
    separating, baseline = family_around(X, y, C=100.0, delta_norm=0.1, delta_loss=0.1, kind="relative")
    assert baseline.loss == pytest.approx(0, abs=1e-9)
    ranges = all_ranges(engine, separating)
    expected = all_ranges("reference", separating)
    np.testing.assert_allclose(ranges.relevances, expected.relevances, atol=1e-6 * baseline.norm)
    margins = y[:, None] * (X @ ranges.extremes.models[:, :6].T + ranges.extremes.models[:, 6])
    assert margins.min() >= 1 - 1e-7
    assert ranges.gaps.max() <= 1e-6 * baseline.norm


@pytest.mark.parametrize("flips", [0.0, 0.15])
def test_no_room_at_all_leaves_the_best_models(engine: str, flips: float) -> None:
    X, y = two_classes(40, 5, seed=4, flips=flips)
    only_best, baseline = family_around(X, y, C=1.0, delta_norm=0.0, delta_loss=0.0)
    ranges = all_ranges(engine, only_best)
    # no two columns are alike, so there is one best model
    np.testing.assert_allclose(ranges.lo, baseline.weights, atol=1e-5 * baseline.norm)
    np.testing.assert_allclose(ranges.hi, baseline.weights, atol=1e-5 * baseline.norm)


def test_a_norm_budget_of_zero_leaves_the_null_models(engine: str) -> None:
    X, y = two_classes(30, 3, seed=5)
    rows = Hinge().rows(X, y)
    null = build_family(rows, norm_and_loss(0.0, null_loss(rows) + 1.0))
    ranges = all_ranges(engine, null)
    np.testing.assert_allclose(ranges.relevances, 0, atol=1e-9)


def test_without_a_loss_the_norm_alone_decides(engine: str) -> None:
    sphere = build_family(empty_rows(4), (Budget(2.0, 0.0, 3.0),))
    directions = np.array([[1.0, 0, 0, 0], [1.0, -1, 0.5, 0], [0.0, 0, 0, 0]])
    found = opened(engine, sphere).maxima(directions)
    np.testing.assert_allclose(found.values, [1.5, 1.5, 0.0], atol=1e-9)
    np.testing.assert_allclose(found.bounds, [1.5, 1.5, 0.0], atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["explained", "relative", "combined"])
def test_more_budget_never_shrinks_an_interval(engine: str, kind: str) -> None:
    X, y = two_classes(40, 6, seed=6)
    before = None
    for share in (0.0, 0.001, 0.02, 0.1, 0.3):
        wider, baseline = family_around(X, y, delta_norm=share, delta_loss=share, kind=kind)
        ranges = all_ranges(engine, wider)
        if before is not None:
            assert (ranges.lo <= before.lo + 1e-6 * baseline.norm).all()
            assert (ranges.hi >= before.hi - 1e-6 * baseline.norm).all()
        before = ranges


@pytest.mark.parametrize("kind", ["explained", "relative", "combined"])
@pytest.mark.parametrize("flips", [0.0, 0.2])
def test_the_baseline_lies_in_its_family_and_its_intervals(engine: str, kind: str, flips: float) -> None:
    X, y = two_classes(40, 5, seed=7, flips=flips)
    equally_good, baseline = family_around(X, y, kind=kind)
    assert equally_good.violations(baseline.model[None])[0] <= 0
    ranges = all_ranges(engine, equally_good)
    room = 1e-6 * baseline.norm
    assert (ranges.lo - room <= baseline.weights).all()
    assert (baseline.weights <= ranges.hi + room).all()


def test_the_combined_family_holds_the_smaller_one(engine: str) -> None:
    """||w|| <= M and loss <= R imply ||w|| + C loss <= M + C R: the combined interval is never the narrower."""
    X, y = two_classes(40, 5, seed=8)
    apart, baseline = family_around(X, y, C=0.7, delta_norm=0.1, delta_loss=0.1, kind="relative")
    limit = 1.1 * (baseline.norm + 0.7 * baseline.loss)
    together = build_family(apart.rows, combined(0.7, limit), anchors=apart.anchors)
    narrow, wide = all_ranges(engine, apart), all_ranges(engine, together)
    room = 1e-6 * baseline.norm
    assert (wide.hi >= narrow.hi - room).all()
    assert (wide.lo <= narrow.lo + room).all()

"""What a family must not care about: the order of rows, the names of columns, how often a row is written down."""

from __future__ import annotations

import numpy as np

from problems import all_ranges, best, family_around, largest, opened, two_classes
from relspan.family import HingeRows, build_family, unit_directions


def spans(engine: str, X: np.ndarray, y: np.ndarray, sample_weight: np.ndarray | None = None) -> np.ndarray:
    """(d, 2): lo and hi of every weight, as shares of mu."""
    family, baseline = family_around(X, y, sample_weight=sample_weight)
    ranges = all_ranges(engine, family)
    return np.column_stack([ranges.lo, ranges.hi]) / baseline.norm


def test_permuting_columns_permutes_the_intervals(engine: str) -> None:
    X, y = two_classes(50, 6, seed=0)
    order = np.random.default_rng(0).permutation(6)
    np.testing.assert_allclose(spans(engine, X[:, order], y), spans(engine, X, y)[order], atol=1e-6)


def test_the_order_of_rows_does_not_matter(engine: str) -> None:
    X, y = two_classes(50, 6, seed=1)
    order = np.random.default_rng(1).permutation(50)
    np.testing.assert_allclose(spans(engine, X[order], y[order]), spans(engine, X, y), atol=1e-6)


def test_turning_a_column_round_turns_its_interval_round(engine: str) -> None:
    X, y = two_classes(50, 4, seed=2)
    expected = spans(engine, X, y)
    expected[0] = -expected[0, ::-1]
    np.testing.assert_allclose(spans(engine, X * np.array([-1.0, 1, 1, 1]), y), expected, atol=1e-6)


def test_turning_the_target_round_turns_every_interval_round(engine: str) -> None:
    X, y = two_classes(50, 4, seed=3)
    np.testing.assert_allclose(spans(engine, X, -y), -spans(engine, X, y)[:, ::-1], atol=1e-6)


def test_a_whole_weight_is_a_row_written_down_so_often(engine: str) -> None:
    X, y = two_classes(40, 5, seed=4)
    weight = np.random.default_rng(4).integers(0, 4, 40)
    weight[:2] = 1
    repeated = spans(engine, np.repeat(X, weight, axis=0), np.repeat(y, weight))
    np.testing.assert_allclose(spans(engine, X, y, weight.astype(float)), repeated, atol=1e-6)


def test_rows_that_cost_nothing_change_nothing(engine: str) -> None:
    X, y = two_classes(40, 4, seed=5)
    equally_good, baseline = family_around(X, y)
    rows, rng = equally_good.rows, np.random.default_rng(5)
    free = HingeRows(
        np.vstack([rows.features, 100 * rng.standard_normal((7, 4))]),
        np.vstack([rows.offsets, rng.choice([-1.0, 1.0], (7, 1))]),
        np.concatenate([rows.heights, np.full(7, 50.0)]),
        np.concatenate([rows.costs, np.zeros(7)]),
    )
    plain = all_ranges(engine, equally_good)
    with_free = all_ranges(engine, build_family(free, equally_good.budgets, anchors=equally_good.anchors))
    np.testing.assert_allclose(with_free.relevances, plain.relevances, atol=1e-6 * baseline.norm)
    assert with_free.gaps.max() <= 1e-6 * baseline.norm
    assert (with_free.extremes.hinge_multipliers[:, 40:] == 0).all()


def test_copies_share_one_interval_and_neither_is_needed(engine: str) -> None:
    X, y = two_classes(60, 5, seed=6, copies=1)
    equally_good, baseline = family_around(X, y)
    ranges = all_ranges(engine, equally_good)
    np.testing.assert_allclose(ranges.relevances[0], ranges.relevances[4], atol=1e-6 * baseline.norm)
    assert ranges.relevances[0, 0] == 0
    alone, _ = family_around(X[:, :4], y)
    upper = all_ranges(engine, alone).relevances[0, 1]
    # the pair may carry all that the single column carried, and shift norm from one to the other besides
    assert ranges.relevances[0, 1] >= upper - 1e-6 * baseline.norm
    assert ranges.gaps.max() <= 1e-6 * baseline.norm


def test_fewer_samples_than_columns(engine: str) -> None:
    X, y = two_classes(15, 40, seed=7)
    equally_good, baseline = family_around(X, y, C=1.0, kind="explained", delta_loss=0.02)
    directions = unit_directions([0, 1, 20, 39], equally_good)
    found = opened(engine, equally_good).maxima(directions)
    np.testing.assert_allclose(found.values, [largest(equally_good, v) for v in directions], atol=1e-6 * baseline.norm)
    assert found.gaps.max() <= 1e-6 * baseline.norm


def test_a_column_of_zeros_takes_what_norm_is_left(engine: str) -> None:
    """Its weight changes no loss, so it reaches M - min norm at loss R, whatever the data."""
    X, y = two_classes(40, 3, seed=8)
    baseline = best(X, y, 1.0)
    widened, _ = family_around(np.hstack([X, np.zeros((40, 1))]), y)
    ranges = all_ranges(engine, widened)
    room = 1e-6 * baseline.norm
    assert ranges.hi[3] >= 0.1 * baseline.norm - room
    np.testing.assert_allclose(ranges.lo[3], -ranges.hi[3], atol=room)
    np.testing.assert_allclose(ranges.hi[3], largest(widened, np.array([0, 0, 0, 1.0, 0])), atol=room)

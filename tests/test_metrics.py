"""Scores of ordered classes and of predictions that may abstain."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.errors import DataError
from relspan.metrics import accepted_accuracy, accuracy_reject_curve, coverage, ordinal_score, reject_loss

Y = np.array([0, 1, 1, 0])
SAID = np.array([0, 1, 0, 1])
REJECTED = np.array([False, False, False, True])


def test_a_wrong_answer_costs_one_and_a_rejection_its_cost() -> None:
    assert reject_loss(Y, SAID, REJECTED, 0.2) == pytest.approx((1 + 0.2) / 4)
    assert reject_loss(Y, SAID, REJECTED, 0.2, np.array([1, 1, 0, 2])) == pytest.approx(0.4 / 4)


def test_coverage_and_accuracy_among_the_accepted() -> None:
    assert coverage(REJECTED) == 0.75
    assert accepted_accuracy(Y, SAID, REJECTED) == pytest.approx(2 / 3)
    assert accepted_accuracy(Y, SAID, REJECTED, np.array([1, 1, 0, 2])) == 1.0
    assert np.isnan(accepted_accuracy(Y, SAID, np.ones(4, dtype=bool)))


def test_the_curve_by_hand() -> None:
    curve = accuracy_reject_curve(Y, SAID, [4, 3, 1, 2])
    np.testing.assert_allclose(curve.reject_rate, [0, 0.25, 0.5, 0.75])
    np.testing.assert_allclose(curve.accuracy, [1 / 2, 2 / 3, 1, 1])
    np.testing.assert_allclose(curve.thresholds, [-np.inf, 1, 2, 3])
    assert curve.area == pytest.approx(((1 / 2 + 2 / 3) / 2 + (2 / 3 + 1) / 2 + 1) / 3)


def test_every_point_of_the_curve_is_the_accuracy_above_its_threshold() -> None:
    rng = np.random.default_rng(0)
    y, said, certainty = rng.integers(0, 2, 200), rng.integers(0, 2, 200), rng.integers(0, 30, 200) / 10
    v = rng.random(200)
    curve = accuracy_reject_curve(y, said, certainty, v)
    for rate, accuracy, threshold in zip(curve.reject_rate, curve.accuracy, curve.thresholds, strict=True):
        rejected = certainty <= threshold
        assert rate == pytest.approx(1 - coverage(rejected, v))
        assert accuracy == pytest.approx(accepted_accuracy(y, said, rejected, v))


def test_certainties_must_be_one_a_sample() -> None:
    with pytest.raises(DataError, match="one value for each"):
        accuracy_reject_curve(Y, SAID, [1.0])


def test_a_perfect_ranking_scores_one_and_classes_weigh_the_same() -> None:
    ranks = np.array([0, 0, 0, 2])
    for kind in ("macro_mae", "mae", "zero_one"):
        assert ordinal_score(ranks, ranks, kind) == 1.0
    said = np.array([0, 0, 0, 0])
    assert ordinal_score(ranks, said, "macro_mae") == pytest.approx(1 - (0 + 2) / 2 / 2)
    assert ordinal_score(ranks, said, "mae") == pytest.approx(1 - 2 / 4 / 2)
    assert ordinal_score(ranks, said, "zero_one") == pytest.approx(3 / 4)

"""Any linear functional has a range: sums of weights, and the score of a sample."""

from __future__ import annotations

import numpy as np
import pytest

from problems import family_around, largest, opened, two_classes


def test_arbitrary_directions_including_the_offset(engine: str) -> None:
    X, y = two_classes(40, 5, seed=0)
    members, baseline = family_around(X, y, kind="explained", delta_loss=0.02)
    directions = np.random.default_rng(0).standard_normal((12, 6))
    found = opened(engine, members).maxima(directions)
    np.testing.assert_allclose(found.values, [largest(members, v) for v in directions], atol=1e-6 * baseline.norm)
    assert found.gaps.max() <= 1e-6 * baseline.norm


def test_the_score_of_a_sample(engine: str) -> None:
    """All equally good models agree on a patient whose range of scores does not hold 0."""
    X, y = two_classes(40, 3, seed=1)
    members, baseline = family_around(X, y)
    samples = np.hstack([X[:6], np.ones((6, 1))])
    engine_at_work = opened(engine, members)
    hi, lo = engine_at_work.maxima(samples).values, -engine_at_work.maxima(-samples).values
    scores = X[:6] @ baseline.weights + baseline.offsets[0]
    assert (lo <= scores + 1e-6).all()
    assert (scores <= hi + 1e-6).all()
    for sample, low, high in zip(samples, lo, hi, strict=True):
        np.testing.assert_allclose([-largest(members, -sample), largest(members, sample)], [low, high], atol=1e-6)


def test_a_direction_and_its_double(engine: str) -> None:
    X, y = two_classes(40, 4, seed=2)
    members, _ = family_around(X, y)
    v = np.array([1.0, 2.0, -1.0, 0.5, 0.3])
    once, twice = opened(engine, members).maxima(np.array([v, 2 * v])).values
    np.testing.assert_allclose(twice, 2 * once, rtol=2e-6)


@pytest.mark.slow
def test_the_answer_does_not_depend_on_what_was_asked_before(engine: str) -> None:
    """A warm start is a matter of speed only."""
    X, y = two_classes(50, 5, seed=3)
    members, baseline = family_around(X, y)
    directions = np.random.default_rng(3).standard_normal((8, 6))
    together = opened(engine, members).maxima(directions).values
    backwards = opened(engine, members).maxima(directions[::-1]).values[::-1]
    alone = [opened(engine, members).maxima(v[None]).values[0] for v in directions]
    np.testing.assert_allclose(together, alone, atol=1e-6 * baseline.norm)
    np.testing.assert_allclose(backwards, alone, atol=1e-6 * baseline.norm)


def test_no_direction_no_answer(engine: str) -> None:
    X, y = two_classes(20, 2, seed=4)
    members, _ = family_around(X, y)
    assert len(opened(engine, members).maxima(np.zeros((0, 3)))) == 0

"""Screening of wide tables: bounds decide most features, whatever the number of workers, and classes stay the same."""

from __future__ import annotations

import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.analysis import screening


def wide_table() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.standard_normal((40, 150))
    return X, (X[:, 0] + X[:, 1] + 0.3 * rng.standard_normal(40) > 0).astype(int)


@pytest.mark.slow
def test_decisions_spare_programs_and_change_no_class(monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = wide_table()
    options = {"C": 0.3, "random_state": 0, "engine": "restricted"}
    whole = RelevanceClassifier(**options).fit(X, y)
    screened = RelevanceClassifier(**options, screen=True).fit(X, y)
    monkeypatch.setattr(screening, "decision_bounds", lambda family: None)
    without = RelevanceClassifier(**options, screen=True).fit(X, y)
    np.testing.assert_array_equal(screened.relevance_, whole.relevance_)
    np.testing.assert_array_equal(without.relevance_, whole.relevance_)
    solved, more = (np.array([f.solved for f in fit.result_.features]) for fit in (screened, without))
    assert solved.sum() < more.sum()
    lo, hi = whole.signed_intervals_.T
    bounds = screened.signed_intervals_
    assert (bounds[:, 0] <= lo + 2e-6).all()
    assert (bounds[:, 1] >= hi - 2e-6).all()
    assert screened.result_.engine["handed_over"] == 0
    assert screened.result_.certificates.verify() <= 1e-6


@pytest.mark.slow
def test_workers_change_nothing() -> None:
    X, y = wide_table()
    options = {"C": 0.3, "random_state": 0, "engine": "restricted", "n_probes": 5, "screen": True}
    one, two = (RelevanceClassifier(**options, n_jobs=n).fit(X, y) for n in (1, 2))
    np.testing.assert_array_equal(one.signed_intervals_, two.signed_intervals_)

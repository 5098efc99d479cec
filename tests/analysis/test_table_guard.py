"""The test of the table: labels that have nothing to do with it do not pass, a signal does."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold

from problems import best, two_classes
from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.analysis.learning_problem import LearningProblem
from relspan.analysis.verdicts.table_guard import generalises, standing
from relspan.errors import RelspanWarning
from relspan.losses import Hinge

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


def noise(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((60, 8)), rng.permutation(np.repeat([1.0, -1.0], 30))


def test_noise_explains_nothing_unseen_and_signal_does() -> None:
    passed = []
    for seed in range(20):
        X, y = noise(seed)
        passed.append(generalises(LearningProblem(Hinge(), X, y), best(X, y, 5.0), FOLDS, 0.01))
    assert sum(passed) <= 1
    for seed in range(5):
        X, y = two_classes(150, 4, seed)
        assert generalises(LearningProblem(Hinge(), X, y), best(X, y, 5.0), FOLDS, 0.01)


def test_a_common_factor_of_all_weights_changes_nothing() -> None:
    X, y = two_classes(60, 4, 0)
    plain = standing(LearningProblem(Hinge(), X, y), best(X, y, 5.0), FOLDS)
    doubled = LearningProblem(Hinge(), X, y, np.full(60, 2.0))
    assert standing(doubled, best(X, y, 2.5, np.full(60, 2.0)), FOLDS) == pytest.approx(plain)


def test_too_few_rows_to_deal_show_nothing() -> None:
    X, y = two_classes(4, 2, 0)
    y = np.array([1.0, 1.0, -1.0, -1.0])
    X[:, 0] = y
    assert not generalises(LearningProblem(Hinge(), X, y), best(X, y, 5.0), FOLDS, 0.01)


def test_rows_of_one_patient_are_not_taken_for_independent_ones() -> None:
    """Twelve patients with ten rows each, labels by patient, values that only tell patients apart."""
    rng = np.random.default_rng(1)
    who = np.repeat(np.arange(12), 10)
    X = rng.standard_normal((12, 6))[who] + 0.1 * rng.standard_normal((120, 6))
    y = np.where(rng.permutation(12) < 6, 1.0, -1.0)[who]
    assert generalises(LearningProblem(Hinge(), X, y), best(X, y, 5.0), FOLDS, 0.01)  # fooled: rows are shared
    folds = StratifiedGroupKFold(3, shuffle=True, random_state=0)
    assert not generalises(LearningProblem(Hinge(), X, y, groups=who), best(X, y, 5.0), folds, 0.01)


@pytest.mark.slow
def test_nothing_is_called_in_a_table_that_does_not_pass() -> None:
    """Some feature is in every equally good model, because the best one explains some loss of its own rows."""
    for seed in range(6):
        X, y = noise(seed)
        with pytest.warns(RelspanWarning, match="No feature is called relevant"):
            found = RelevanceClassifier(C=5.0, n_probes=20, random_state=0).fit(X, y).result_
        assert max(f.min for f in found.features) > found.thresholds["strong"]
        assert found.names("irrelevant") == [f.name for f in found.features]


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
def test_noise_is_hardly_ever_called_by_any_route() -> None:
    """Fifteen tables of numbers, where the earlier rule called something in about half."""
    called = 0
    for seed in range(15):
        rng = np.random.default_rng([16, seed])
        X, y = rng.standard_normal((150, 20)), rng.standard_normal(150)
        called += int(RelevanceRegressor(random_state=0).fit(X, y).relevance_.any())
    assert called <= 1

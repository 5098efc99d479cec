"""What is needed on rows that were seen may be chance: labels that have nothing to do with the table."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.model_selection import StratifiedKFold

from problems import best, two_classes
from relspan import RelevanceClassifier
from relspan.analysis.classes import generalises
from relspan.errors import RelspanWarning

FOLDS = StratifiedKFold(3, shuffle=True, random_state=0)


def noise(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    return rng.standard_normal((60, 8)), rng.permutation(np.repeat([1.0, -1.0], 30))


@pytest.mark.slow
def test_noise_explains_nothing_unseen_and_signal_does() -> None:
    answers = []
    for seed in range(20):
        X, y = noise(seed)
        answers.append(generalises(best(X, y, 5.0), X, y, None, FOLDS))
    assert sum(answers) <= 1
    for seed in range(5):
        X, y = two_classes(150, 4, seed)
        assert generalises(best(X, y, 5.0), X, y, None, FOLDS)


def test_weights_count_as_repeated_rows_do_in_the_direction_of_the_answer() -> None:
    X, y = two_classes(60, 4, 0)
    assert generalises(best(X, y, 5.0, np.full(60, 2.0)), X, y, np.full(60, 2.0), FOLDS)


def test_too_few_rows_to_deal_show_nothing() -> None:
    X, y = two_classes(4, 2, 0)
    y = np.array([1.0, 1.0, -1.0, -1.0])
    X[:, 0] = y
    assert not generalises(best(X, y, 5.0), X, y, None, FOLDS)


@pytest.mark.slow
def test_random_labels_have_no_strong_features() -> None:
    """Some feature is needed for the loss that the best model explains of its own rows."""
    for seed in range(6):
        X, y = noise(seed)
        with pytest.warns(RelspanWarning, match="rows left out of its fit"):
            found = RelevanceClassifier(C=5.0, n_probes=20, random_state=0).fit(X, y).result_
        assert max(f.min for f in found.features) > found.thresholds["strong"]
        assert found.names("strong") == []
        assert "needed" not in found.thresholds


def test_needed_features_of_a_real_signal_stay_relevant() -> None:
    X, y = two_classes(150, 4, 1, flips=0.02)
    found = RelevanceClassifier(n_probes=20, random_state=0).fit(X, y).result_
    assert not [w for w in found.warnings if "left out of its fit" in w]
    assert found.thresholds["needed"] == found.thresholds["strong"]

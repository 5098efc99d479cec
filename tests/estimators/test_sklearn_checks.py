"""scikit-learn's own checks."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from relspan import RelevanceClassifier


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [RelevanceClassifier(C=1.0, n_probes=5), RelevanceClassifier(n_probes=5)],
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)

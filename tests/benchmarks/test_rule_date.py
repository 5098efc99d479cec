"""The date from which published classes count as those of the present rule is that of the present rule.

Nothing else notices when the rule changes and the pages still show classes by the rule before. If this test fails, the
classes of relspan have changed: set `CLASSES_SINCE` in benchmarks/registry.py to the present time, put the new figures
here, and write the pages again (`python -m benchmarks --pages`), which then mark every run that is older.
"""

from __future__ import annotations

import numpy as np
import pytest
from benchmarks.registry import CLASSES_SINCE

from relspan import RelevanceClassifier, RelevanceRegressor

RULE_OF = "2026-11-16T12:38"
FIGURES = {
    "classes": ([1.918, 1.792, 1.735, 0.931, 0.433, 0.337, 0.302, 0.302], [2, 1, 1, 2, 0, 0, 0, 0]),
    "numbers": ([3.064, 2.969, 2.391, 1.527, 0.286, 0.450, 0.394, 0.521], [2, 2, 1, 2, 0, 0, 0, 0]),
}


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")
@pytest.mark.parametrize("target", FIGURES)
def test_evidence_and_classes_are_those_of_the_dated_rule(target):
    """Four relevant columns, two of them near-copies, and four without a meaning; evidence by all probes is exact."""
    random = np.random.default_rng(0)
    X = random.normal(size=(120, 8))
    X[:, 2] = X[:, 1] + 0.2 * random.normal(size=120)
    score = X[:, 0] + X[:, 1] + 0.4 * X[:, 3] + 0.6 * random.normal(size=120)
    if target == "classes":
        fitted = RelevanceClassifier(C=0.1, n_probes=20, all_probes=True, random_state=0).fit(
            X, (score > 0).astype(int)
        )
    else:
        fitted = RelevanceRegressor(C=0.1, n_probes=20, all_probes=True, random_state=0).fit(X, score)
    evidence, classes = FIGURES[target]
    assert [feature.evidence for feature in fitted.result_.features] == pytest.approx(evidence, abs=0.01)
    assert fitted.relevance_.tolist() == classes
    assert CLASSES_SINCE == RULE_OF

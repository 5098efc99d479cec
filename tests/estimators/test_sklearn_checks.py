"""scikit-learn's own checks, with C given and with C chosen."""

from __future__ import annotations

from typing import Any

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from relspan import RelevanceClassifier

RANDOM_LABELS = (
    "the labels of this check are random, and at the C given, or chosen, the best model is the null model (mu = 0): "
    "there is no norm to share out, which is refused by design"
)
EXPECTED = {
    **dict.fromkeys(
        [
            "check_fit_score_takes_y",
            "check_n_features_in_after_fitting",
            "check_sample_weights_list",
            "check_dtype_object",
            "check_supervised_y_2d",
        ],
        RANDOM_LABELS,
    ),
    "check_class_weight_classifiers": (
        "weights of 1000 to .0001 leave nothing to explain: the best model is the null model, refused by design"
    ),
    "check_sample_weight_equivalence_on_dense_data": (
        "intervals are equivalent (tests/engines/test_engine_symmetries.py), but a probe is a permutation of rows, and "
        "15 weighted rows have other permutations than the rows written out; C=None deals other folds besides"
    ),
    "check_sample_weight_equivalence_on_sparse_data": (
        "intervals are equivalent (tests/engines/test_engine_symmetries.py), but a probe is a permutation of rows, and "
        "15 weighted rows have other permutations than the rows written out; C=None deals other folds besides"
    ),
}
SAVED = {"check_n_features_in_after_fitting"}  # a C that uses a feature is found, though it does not score best


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [RelevanceClassifier(C=1.0, n_probes=5), RelevanceClassifier(n_probes=5)],
    expected_failed_checks=lambda estimator: {k: v for k, v in EXPECTED.items() if estimator.C or k not in SAVED},
    xfail_strict=False,  # at a fixed C the classes of so few rows may agree by chance
)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)

"""scikit-learn's own checks on every selector."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from relspan.selectors import (
    HITON,
    HITONPC,
    AssociationFilter,
    BranchAndBound,
    ExhaustiveSearch,
    GeneticSearch,
    GreedyWrapper,
    HalvingRFE,
)

CHECKED_QUICKLY = [
    AssociationFilter(measure="fisher", n_features=1),
    BranchAndBound(),
]
SELECTORS = [
    *CHECKED_QUICKLY,
    AssociationFilter(measure="pearson", cv=2),
    HalvingRFE(cv=2),
    ExhaustiveSearch(cv=2, max_size=1),
    HITONPC(),
    HITON(),
    GreedyWrapper(direction="forward", cv=2),
    GreedyWrapper(direction="backward", cv=2),
    GeneticSearch(cv=2, population=4, generations=2),
]


# The checks use classes of one sample, and tables of noise in which nothing is relevant; both are warned about.
@pytest.mark.filterwarnings("ignore:The least populated class", "ignore:No features were selected")
@parametrize_with_checks(SELECTORS)
def test_scikit_learn_conventions(estimator, check):
    check(estimator)

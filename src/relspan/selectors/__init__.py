"""Feature selectors in scikit-learn's style: HITON and the classical ones it is measured against."""

from relspan.selectors.branch_and_bound import BranchAndBound
from relspan.selectors.exhaustive import ExhaustiveSearch
from relspan.selectors.filters import AssociationFilter
from relspan.selectors.genetic import GeneticSearch
from relspan.selectors.greedy import GreedyWrapper
from relspan.selectors.halving_rfe import HalvingRFE
from relspan.selectors.hiton import HITON, HITONPC

__all__ = [
    "HITON",
    "HITONPC",
    "AssociationFilter",
    "BranchAndBound",
    "ExhaustiveSearch",
    "GeneticSearch",
    "GreedyWrapper",
    "HalvingRFE",
]

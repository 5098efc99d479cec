"""Feature selectors with scikit-learn's interface: HITON and the classical ones it is compared with."""

from relspan.selectors.association_filter import AssociationFilter
from relspan.selectors.branch_and_bound import BranchAndBound
from relspan.selectors.exhaustive_search import ExhaustiveSearch
from relspan.selectors.genetic_search import GeneticSearch
from relspan.selectors.greedy_wrapper import GreedyWrapper
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

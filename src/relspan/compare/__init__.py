"""relspan beside other feature selectors on one table: what each selects, how well it does, where they agree."""

from relspan.compare.methods import METHODS, Method, available_methods
from relspan.compare.report import Comparison, Outcome, agreement, jaccard
from relspan.compare.study import compare

__all__ = ["METHODS", "Comparison", "Method", "Outcome", "agreement", "available_methods", "compare", "jaccard"]

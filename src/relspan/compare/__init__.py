"""relspan beside other feature selectors on one table: what each selects, how well it does, where they agree."""

from relspan.compare.method_comparison import MethodComparison, Outcome, agreement, jaccard
from relspan.compare.methods import METHODS, Method, available_methods
from relspan.compare.study import compare

__all__ = ["METHODS", "Method", "MethodComparison", "Outcome", "agreement", "available_methods", "compare", "jaccard"]

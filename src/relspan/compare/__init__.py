"""relspan beside other methods on one table: what each selects, how well that predicts new rows, and which agree.

methods            the one registry of methods, shared with the benchmarks
selections         what each method selects
judge              the model and the folds that all are judged by
study              the nested cross-validation
method_comparison  what was found
"""

from relspan.compare.method_comparison import MethodComparison, Outcome, agreement, jaccard
from relspan.compare.methods import METHODS, Method, available_methods
from relspan.compare.study import compare

__all__ = ["METHODS", "Method", "MethodComparison", "Outcome", "agreement", "available_methods", "compare", "jaccard"]

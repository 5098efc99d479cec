"""Markov blankets: conditional independence tests, HITON-PC and HITON-MB.

The searches work on numbered variables and any `IndependenceTest`; `relspan.selectors` holds the scikit-learn skin.
"""

from relspan.markov.blanket import BlanketResult, BlanketSearch
from relspan.markov.d_separation import DSeparation
from relspan.markov.fisher_z import FisherZ
from relspan.markov.g2 import TableTest
from relspan.markov.independence import Evidence, IndependenceTest
from relspan.markov.likelihood_ratio import LikelihoodRatio
from relspan.markov.outcomes import Decision, PCResult, Separation

__all__ = [
    "BlanketResult",
    "BlanketSearch",
    "DSeparation",
    "Decision",
    "Evidence",
    "FisherZ",
    "IndependenceTest",
    "LikelihoodRatio",
    "PCResult",
    "Separation",
    "TableTest",
]

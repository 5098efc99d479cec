"""Markov blankets: conditional independence tests, HITON-PC and HITON-MB.

The searches work on numbered variables and any `IndependenceTest`; `relspan.selectors` holds the scikit-learn skin.
"""

from relspan.markov.blanket import BlanketResult, BlanketSearch
from relspan.markov.decisions import Decision, PCResult, Separation
from relspan.markov.discrete import TableTest
from relspan.markov.evidence import Evidence, IndependenceTest
from relspan.markov.gaussian import FisherZ
from relspan.markov.mixed import LikelihoodRatio
from relspan.markov.oracle import DSeparation

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

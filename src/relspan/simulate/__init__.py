"""Data with known truth: which features are strongly, weakly or not at all relevant."""

from relspan.simulate.dataset import Simulated, simulate
from relspan.simulate.papers import PAPER_SETS, PaperSet, simulate_named

__all__ = ["PAPER_SETS", "PaperSet", "Simulated", "simulate", "simulate_named"]

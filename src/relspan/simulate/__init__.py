"""Data with known truth: which features are strongly, weakly or not at all relevant."""

from relspan.simulate.dataset import Simulated, simulate
from relspan.simulate.paper_sets import PAPER_SETS, PaperSet, make_xor, simulate_named, simulate_rejectable

__all__ = ["PAPER_SETS", "PaperSet", "Simulated", "make_xor", "simulate", "simulate_named", "simulate_rejectable"]

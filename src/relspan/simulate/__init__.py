"""Data with known truth: which features are strongly, weakly or not at all relevant."""

from relspan.simulate.dataset import Simulated, simulate
from relspan.simulate.paper_sets import PAPER_SETS, PaperSet, simulate_named
from relspan.simulate.rejectable import simulate_rejectable
from relspan.simulate.xor import make_xor

__all__ = ["PAPER_SETS", "PaperSet", "Simulated", "make_xor", "simulate", "simulate_named", "simulate_rejectable"]

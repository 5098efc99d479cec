"""Data with known truth: which features are strongly, weakly or not at all relevant."""

from relspan.simulate.adrenal_twin import simulate_adrenal
from relspan.simulate.dataset import Simulated, simulate
from relspan.simulate.flip_twin import simulate_flip
from relspan.simulate.ohsumed_twin import simulate_ohsumed
from relspan.simulate.paper_sets import PAPER_SETS, PaperSet, make_xor, simulate_named, simulate_rejectable
from relspan.simulate.t21_twin import simulate_t21
from relspan.simulate.twin import Twin

__all__ = [
    "PAPER_SETS",
    "PaperSet",
    "Simulated",
    "Twin",
    "make_xor",
    "simulate",
    "simulate_adrenal",
    "simulate_flip",
    "simulate_named",
    "simulate_ohsumed",
    "simulate_rejectable",
    "simulate_t21",
]

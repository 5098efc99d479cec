"""The papers' claims beside ours: one module per paper, read from the published runs, shown in docs/papers.md.

claims           Paper, Claim, and how a figure is read from a run and judged
relevance_bounds fri reject_option metric_learning hiton      the claims, a module per paper
page             docs/papers.md from the claims and the runs
"""

from benchmarks.papers.claims import Claim, Paper
from benchmarks.papers.fri import FRI
from benchmarks.papers.hiton import HITON
from benchmarks.papers.metric_learning import METRIC_LEARNING
from benchmarks.papers.reject_option import REJECT_OPTION
from benchmarks.papers.relevance_bounds import RELEVANCE_BOUNDS

PAPERS = (RELEVANCE_BOUNDS, FRI, REJECT_OPTION, METRIC_LEARNING, HITON)

__all__ = ["PAPERS", "Claim", "Paper"]

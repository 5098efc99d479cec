"""The simulated sets of the papers, by their names.

ESANN Data I to III are those of Göpfert, Pfannschmidt and Hammer, "Feature relevance bounds for linear classification",
ESANN 2017; Sim1 to Sim5 those of Pfannschmidt, Göpfert, Neumann, Heider and Hammer, "FRI: feature relevance intervals
for interpretable and interactive data exploration", CIBCB 2019. The sizes are theirs; the drawing is that of
:mod:`relspan.simulate.columns`, with all weak features in one group.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from relspan.errors import ParameterError
from relspan.simulate.arguments import Task
from relspan.simulate.dataset import Simulated, simulate


class PaperSet(NamedTuple):
    """Sizes of one set."""

    n_samples: int
    strong: int
    weak: int
    irrelevant: int


PAPER_SETS: Mapping[str, PaperSet] = MappingProxyType(
    {
        "I": PaperSet(150, 6, 0, 6),
        "II": PaperSet(150, 0, 6, 6),
        "III": PaperSet(150, 3, 4, 3),  # as printed: ten features, where the other two have twelve
        "Sim1": PaperSet(500, 4, 4, 22),
        "Sim2": PaperSet(500, 12, 8, 10),
        "Sim3": PaperSet(500, 4, 0, 26),
        "Sim4": PaperSet(500, 18, 0, 12),
        "Sim5": PaperSet(500, 0, 20, 10),
    }
)


def simulate_named(
    name: str, random_state: int | np.random.Generator | None = None, *, task: Task = "classification"
) -> Simulated:
    """Simulate a set of the papers.

    Parameters
    ----------
    name : str
        "I", "II", "III" (ESANN 2017) or "Sim1" to "Sim5" (CIBCB 2019).
    random_state : int, Generator or None
        The same number gives the same data.
    task : {"classification", "regression", "ordinal"}
        The papers' sets are classification; the others have the same columns and score.

    Returns
    -------
    Simulated
    """
    if name not in PAPER_SETS:
        raise ParameterError(f"name must be one of {', '.join(PAPER_SETS)}, not {name!r}")
    return simulate(*PAPER_SETS[name], task=task, random_state=random_state)

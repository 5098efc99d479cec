"""The built-in data sets: what the page and the command line offer, and the lines of a script that make each one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from relspan.errors import ParameterError
from relspan.simulate import simulate
from relspan.tables import PreparedTable
from relspan.tables.examples import breast_cancer, diabetes
from relspan.tables.prepare import Preparation

SIMULATED = "simulated, truth known"


class ExampleTable(NamedTuple):
    """A built-in data set.

    Attributes
    ----------
    name : str
        What the page and the command line call it.
    source : str
        What a result records as its file.
    about : str
        One or two sentences about it.
    load : callable
        Makes the table.
    lines : tuple of str
        The lines of a script that make it.
    samples : str
        The table and the target in that script.
    """

    name: str
    source: str
    about: str
    load: Callable[[], PreparedTable]
    lines: tuple[str, ...]
    samples: str = "table.named, table.y"


def known_truth() -> PreparedTable:
    """A simulated table whose column names state the truth."""
    data = simulate(300, strong=4, weak=6, irrelevant=20, random_state=0)
    return PreparedTable(data.X, data.y, data.names, Preparation("y", (), (), {}, {}, SIMULATED, "", "simulated"))


EXAMPLE_TABLES = (
    ExampleTable(
        "breast cancer",
        "scikit-learn: breast cancer Wisconsin (diagnostic)",
        "569 tumours with 30 measurements each. Is the tumour benign or malignant?",
        breast_cancer,
        ("from relspan.tables.examples import breast_cancer", "", "table = breast_cancer()"),
    ),
    ExampleTable(
        "diabetes",
        "scikit-learn: diabetes",
        "442 patients with 10 measurements each. How fast does the disease progress?",
        diabetes,
        ("from relspan.tables.examples import diabetes", "", "table = diabetes()"),
    ),
    ExampleTable(
        "known truth",
        SIMULATED,
        "Simulated data with 4 strong, 6 weak and 20 irrelevant features.",
        known_truth,
        (
            "from relspan.simulate import simulate",
            "from relspan.tables import NamedMatrix",
            "",
            "data = simulate(300, strong=4, weak=6, irrelevant=20, random_state=0)",
        ),
        "NamedMatrix(data.X, data.names), data.y",
    ),
)
"""All of them, in the order in which the page offers them."""

DEMO_TABLE = EXAMPLE_TABLES[1]
"""The table of ``relspan demo``: a real one with strong, weak and irrelevant features."""


def example_table(name: str) -> ExampleTable:
    """The built-in data set of a name."""
    known = {example.name: example for example in EXAMPLE_TABLES}
    if name not in known:
        raise ParameterError(f"there is no built-in data set {name!r}; there are {', '.join(known)}")
    return known[name]

"""The settings of the analysis of a learned map: its own, and those that it shares with every analysis."""

from __future__ import annotations

from dataclasses import dataclass, field
from numbers import Real
from typing import Any

from relspan.analysis.settings import Settings
from relspan.checks import folds, number, one_of, whole
from relspan.errors import ParameterError
from relspan.metric.row_totals import COMBINATIONS
from relspan.options import option, option_of

DIRECTIONS = ("leading", "needed")
DIMENSION_ERRORS = ("projected", "extremal")
MAP_PROBE_KINDS = ("refit", "fixed")
SHARED_WITH_SETTINGS = ("delta_norm", "n_probes", "alpha", "control", "engine", "n_jobs")


@dataclass(frozen=True)
class MapSettings:
    """What decides the analysis of a map, apart from the table and the seed. Every value is checked at once."""

    effective_dimension: str | int | float = option(
        "auto",
        metavar="auto|N|RATIO",
        help="The directions of the data that a map must keep: 'auto' chooses their number by cross-validation, N is "
        "their number, and RATIO keeps those with at least this share of the largest variance.",
    )
    dimension_by: str = option(
        "projected",
        metavar="|".join(DIMENSION_ERRORS),
        help="The error by which 'auto' chooses: that of the learned map within the kept directions, or the mean error "
        "of the maps at the ends of all intervals.",
    )
    directions: str = option(
        "leading",
        metavar="|".join(DIRECTIONS),
        help="Keep all of these directions, or only those that the classification needs.",
    )
    delta_norm: float = option(
        0.01, help="How much longer than the shortest equivalent map a map may be, as a share of its length."
    )
    smallest_eigenvalue: float = option(
        1e-3, help="Leave out rows of the map whose eigenvalue is below this share of the largest one."
    )
    combine: str = option(
        "squares",
        metavar="|".join(COMBINATIONS),
        help="Combine the weights of a column in several rows of the map by the root of their summed squares, or by "
        "the sum of their sizes.",
    )
    probes: str = option(
        "refit",
        metavar="|".join(MAP_PROBE_KINDS),
        help="Learn the map again with each probe, or keep it fixed and give the probe the weight 0 at first.",
    )
    n_probes: int = option_of(Settings, "n_probes")
    alpha: float = option(
        0.003,
        help="Probability that an irrelevant feature exceeds the probes' threshold, which alone decides here.",
    )
    control: str = option_of(Settings, "control")
    cv: Any = field(default=5, metadata={"help": "Number of folds of the cross-validation."})
    engine: str = option_of(Settings, "engine")
    n_jobs: int | None = option_of(Settings, "n_jobs")

    def __post_init__(self) -> None:
        Settings(**{name: getattr(self, name) for name in SHARED_WITH_SETTINGS})
        one_of("directions", self.directions, DIRECTIONS)
        one_of("dimension_by", self.dimension_by, DIMENSION_ERRORS)
        one_of("combine", self.combine, COMBINATIONS)
        one_of("probes", self.probes, MAP_PROBE_KINDS)
        number("smallest_eigenvalue", self.smallest_eigenvalue, at_least=0, below=1)
        folds("cv", self.cv)
        check_dimension(self.effective_dimension)


def check_dimension(asked: Any, most: int | None = None) -> None:
    """Refuse an effective dimension that is neither "auto", nor a number of directions, nor an eigenvalue ratio."""
    hint = "'auto' and an eigenvalue ratio between 0 and 1 are taken, too"
    if isinstance(asked, str):
        if asked != "auto":
            raise ParameterError(f"effective_dimension must be a whole number of at least 1, not {asked!r}; {hint}")
    elif not (isinstance(asked, Real) and 0 < float(asked) < 1):
        whole("effective_dimension", asked, at_least=1, at_most=most, hint=hint)

"""The set of equally good models as plain data: what is solved, and no solver."""

from relspan.family.budgets import BUDGET_KINDS, family_of
from relspan.family.constraints import Constraints, no_constraints
from relspan.family.hinge_rows import HingeRows, empty_rows, kinked_rows, stacked_rows
from relspan.family.model_family import (
    Bounds,
    Budget,
    Family,
    build_family,
    combined,
    norm_and_loss,
    sparse_unit_directions,
    unit_directions,
)
from relspan.family.weight_blocks import WeightBlocks, one_weight_per_feature

__all__ = [
    "BUDGET_KINDS",
    "Bounds",
    "Budget",
    "Constraints",
    "Family",
    "HingeRows",
    "WeightBlocks",
    "build_family",
    "combined",
    "empty_rows",
    "family_of",
    "kinked_rows",
    "no_constraints",
    "norm_and_loss",
    "one_weight_per_feature",
    "sparse_unit_directions",
    "stacked_rows",
    "unit_directions",
]

"""Which engine suits a family: what "auto" means.

The exact engine's work is pivots, and how many a program needs depends on how much room the budgets leave; the batched
engine's work is arithmetic that can be counted beforehand. With n scores of the hinge rows, m hinge rows (n, where each
has a score of its own), d features, s = min(n, d), l = max(n, d), the microseconds of 2 d programs are taken to be

    exact     2 d (pivots (15 + .15 kinks + .12 columns) + n d / 100)     the last where columns are left out: pricing
    batched   60000 + 2 d l (s^2 / 2 + o m / n) / 500     o = 800 where n >= d: rows are set aside; else 2800
    restricted   2e5 + 2 d (700 + d (1.5 + n / 50) + n^3 / 4200)     for n < d only
    gpu       batched / 150

Rows that compare classes (see `contrast_rows`) are cheaper for the batched engine, 60000 + 2 d (2.4 m + .4 d^2). Each
of q constraints has a place in the border of its systems: 2 d q d (s + q) / 230 more.

The rules, in order:

1. Exact for a family without an interior: with a budget of 0, a loss without limit, or no model to start from. Exact
   for a sparse table, which only that engine leaves sparse. Exact where there are more than d and m / 10 constraints
   (privileged columns bring one per hinge row): the batched method solves for each of them in every step.
2. The exact engine solves a few programs and counts their pivots, up to the work that makes it the slower one. The
   engine that is cheapest by the formulas above is taken. The restricted one is asked only where n < d, and where the
   family has the dual polytope from which it starts.
3. Where that still means more than 10 seconds, and PyTorch sees a CUDA device for which the formula says less: gpu.

Only counts enter, never a clock, so the choice is the same on every run. The constants were measured by
`benchmarks.speed.engines`, which also reports how often another choice would have been faster.
"""

from __future__ import annotations

from ctypes import CDLL
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy import sparse

from relspan.engines.interior.contrast_rows import compares_classes
from relspan.engines.interior.dual_polytope import dual_polytope
from relspan.engines.simplex.exact_engine import WorkingSet, is_wide
from relspan.engines.simplex.range_program import PivotLimit
from relspan.family import Family, unit_directions

TRIAL_PROGRAMS = 6
CUDA_DRIVERS = ("libcuda.so.1", "nvcuda.dll")
GPU_FROM = 10e6  # microseconds of work from which a GPU is worth its start


@dataclass(frozen=True)
class EngineChoice:
    """The name of an engine, and the reason why it was chosen."""

    name: str
    reason: str


def choose_engine(family: Family) -> EngineChoice:
    """The engine that the rules above give to a family."""
    m, d = family.rows.n_rows, family.n_features
    if min(b.limit for b in family.budgets) <= 0 or not np.isfinite(family.largest_loss) or not len(family.anchors):
        return EngineChoice(
            "exact", "the set of equally good models has no interior from which the batched method could start"
        )
    if sparse.issparse(family.rows.features):
        return EngineChoice("exact", "the table is sparse, and only the exact engine keeps it sparse")
    if family.constraints.n_rows > max(d, m // 10):
        return EngineChoice("exact", "there are so many constraints that the batched method would be slow")
    batched, restricted = batched_cost(family), restricted_cost(family)
    cheaper = min(batched, restricted)
    exact = _exact_cost(family, cheaper)
    if exact <= cheaper:
        choice = EngineChoice(
            "exact",
            f"trial programs took few pivots (steps); the {'batched' if batched < restricted else 'restricted'} method "
            f"would be {cheaper / exact:.1f} times the work",
        )
    elif restricted < batched:
        choice = EngineChoice(
            "restricted",
            "the table is wide, and trial programs took so many pivots (steps) that programs with few "
            "columns and rows each are less work",
        )
    else:
        choice = EngineChoice(
            "batched", "trial programs took so many pivots (steps) that the batched method is less work"
        )
    if min(exact, cheaper) > GPU_FROM and batched / 150 < min(exact, cheaper) and has_gpu():
        return EngineChoice("gpu", f"{2 * d} programs of {m} rows are a lot of work, and there is a CUDA device")
    return choice


def has_gpu() -> bool:
    """Whether PyTorch is there and sees a CUDA device."""
    if find_spec("torch") is None or not has_driver():
        return False
    import torch

    return bool(torch.cuda.is_available())


def has_driver() -> bool:
    """Whether a GPU's driver is installed: quickly seen, while PyTorch takes seconds to import."""
    for library in CUDA_DRIVERS:
        try:
            CDLL(library)
        except OSError:
            continue
        return True
    return Path("/dev/kfd").exists()  # AMD's, whose devices PyTorch calls CUDA as well


def batched_cost(family: Family) -> float:
    """Microseconds of the batched engine for all programs of a family, by the formula."""
    n, m, d = family.rows.n_scores, family.rows.n_rows, family.n_features
    q = family.constraints.n_rows
    by_class = n >= d and not sparse.issparse(family.rows.features) and compares_classes(family.rows.features)
    return (_cost_of_classes(m, d) if by_class else _batched_cost(n, m, d)) + 2 * d * q * d * (min(n, d) + q) / 230


def _batched_cost(n: int, m: int, d: int) -> float:
    short, long, other = min(n, d), max(n, d), 800 if n >= d else 2800
    return 60e3 + 2 * d * long * (short**2 / 2 + other * m / max(n, 1)) / 500


def restricted_cost(family: Family) -> float:
    """Microseconds of the restricted engine for all programs of a family; infinite where it does not suit."""
    n, d = family.rows.n_scores, family.n_features
    if n >= d or not is_wide(family) or dual_polytope(family) is None:
        return float(np.inf)
    return 2e5 + 2 * d * (700 + d * (1.5 + n / 50) + n**3 / 4200)


def _cost_of_classes(m: int, d: int) -> float:
    return 60e3 + 2 * d * (2.4 * m + 0.4 * d**2)


def _exact_cost(family: Family, enough: float) -> float:
    """Microseconds by the formula, from a few programs; infinite as soon as it is more than `enough`."""
    d = family.n_features
    work, programs = WorkingSet(family), min(TRIAL_PROGRAMS, 2 * d)
    ends = np.linspace(0, 2 * d - 1, programs).astype(int)
    directions = unit_directions(ends // 2, family)[2 * np.arange(programs) + ends % 2]
    pricing = family.rows.n_scores * d / 100 if is_wide(family) else 0.0
    program, before = work.program, work.program.work
    program.work_limit = before + max(0.0, (enough / (2 * d) - pricing) * programs)
    try:
        for direction in directions:
            work.solve(direction)
    except PivotLimit:
        return float(np.inf)
    return 2 * d * ((program.work - before) / programs + pricing)

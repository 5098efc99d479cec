"""Many functionals at once, and ends that need no program: the same answers as one by one, each with its proof."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.engines.certificates import dual_bounds
from relspan.explore.explorer import history_of
from relspan.explore.many_directions import ManyDirections


@pytest.mark.slow
def test_a_batch_gives_the_ends_of_the_warm_program(small) -> None:
    history = history_of(small.explore())
    branch = history.current_family().best
    family = branch.family
    directions = np.random.default_rng(0).normal(size=(60, family.n_features + family.n_offsets))
    together = ManyDirections(history.solver, branch, len(directions)).both_ends(directions)
    in_turn = ManyDirections(history.solver, branch, 1).both_ends(directions)
    for many, few, sign in zip(together, in_turn, (1.0, -1.0), strict=True):
        room = 2e-6 * family.largest_norm * np.abs(directions).max(axis=1)
        assert (np.abs(many.values - few.values) <= room).all()
        assert (many.gaps <= room).all()
        np.testing.assert_allclose(np.einsum("ij,ij->i", sign * directions, many.models), many.values, atol=1e-12)
        bounds = dual_bounds(family, sign * directions, many.hinge_multipliers, many.constraint_multipliers)
        np.testing.assert_allclose(bounds, many.bounds, rtol=1e-9, atol=1e-9)


def test_ends_without_programs_under_a_pin_at_an_end_are_certified(small) -> None:
    explorer = small.explore()
    solved = 0
    for feature in small.result_.features:
        for branch in history_of(explorer.unpin().pin(feature.name, "max")).current_family().branches:
            extremes, family = branch.ranges.extremes, branch.family
            solved += branch.solved
            assert (extremes.gaps <= 1e-6 * family.largest_norm).all()
            directions = history_of(explorer).solver.directions
            bounds = dual_bounds(family, directions, extremes.hinge_multipliers, extremes.constraint_multipliers)
            assert (bounds <= extremes.bounds + 1e-9 * family.largest_norm).all()
            assert family.violations(extremes.models).max() <= 1e-9
    assert solved < 2 * len(small.result_.features) ** 2

"""Refined multipliers: their bound is one, no worse than the one they come from, and near the optimum."""

from __future__ import annotations

import numpy as np
import pytest

from problems import family_around, largest, two_classes
from relspan.engines import ExactEngine
from relspan.engines.careful_bounds import careful_bound
from relspan.engines.refined_multipliers import refined_multipliers
from relspan.family import unit_directions


@pytest.mark.parametrize("error", [1e-3, 1e-6])
@pytest.mark.parametrize("seed", range(4))
def test_multipliers_that_are_off_prove_the_optimum_again(seed: int, error: float) -> None:
    rng = np.random.default_rng(seed)
    family, _ = family_around(*two_classes(30, 4, seed, 0.1), delta_norm=0.05, delta_loss=0.05)
    direction = unit_directions([seed % 4], family)[seed % 2]
    found = ExactEngine(family).maxima(direction[None])
    a = np.maximum(found.hinge_multipliers[0] * (1 + error * rng.standard_normal(family.rows.n_rows)), 0.0)
    before = careful_bound(family, direction, a, np.zeros(0))
    after, *multipliers = refined_multipliers(family, direction, a, np.zeros(0))
    optimum = largest(family, direction)
    assert after <= before
    assert optimum - 1e-9 * family.largest_norm <= after <= optimum + 1e-8 * family.largest_norm
    assert after == careful_bound(family, direction, *multipliers)
    assert before - optimum > 1e-8 * family.largest_norm  # there was something to refine

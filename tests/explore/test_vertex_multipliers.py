"""At a vertex one system of equations proves the ends of all weights that the vertex uses."""

import numpy as np
import pytest

from relspan import RelevanceClassifier, RelevanceRegressor
from relspan.engines import ExactEngine
from relspan.engines.certificates import clip_to_rows, clip_to_sides, dual_bounds
from relspan.explore.explorer import history_of
from relspan.explore.vertex_multipliers import vertex_multipliers
from relspan.family import Family, unit_directions
from relspan.simulate import simulate
from relspan.tolerances import CERTIFIED_GAP


def family_of(estimator: object, target: str = "classes") -> Family:
    data = simulate(120, 2, 3, 4, random_state=3, flips=0.05)
    y = data.y if target == "classes" else data.X[:, 0] + 0.3 * np.random.default_rng(0).normal(size=120)
    return history_of(estimator.fit(data.X, y).explore()).solver.family  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("estimator", "target"),
    [(RelevanceClassifier(random_state=0), "classes"), (RelevanceRegressor(random_state=0), "number")],
)
def test_a_vertex_proves_the_ends_of_the_weights_that_it_uses(estimator: object, target: str) -> None:
    family = family_of(estimator, target)
    vertices, proven, asked = ExactEngine(family).maxima(unit_directions(range(family.n_features), family)), 0, 0
    for row in range(len(vertices)):
        feature, sign = divmod(row, 2)
        value = float(vertices.values[row])
        limits = (value, np.inf) if sign == 0 else (-np.inf, -value)
        boxed = family.boxed({feature: limits})
        sides = np.append(vertices.constraint_multipliers[row], 1.0 - 2.0 * sign)
        model = vertices.models_of(row)
        used, a, g = vertex_multipliers(boxed, model, vertices.hinge_multipliers[row], sides)
        directions = unit_directions(used, boxed)
        bounds = dual_bounds(boxed, directions, clip_to_rows(boxed, a), clip_to_sides(boxed, g))
        attained = directions @ model
        assert (bounds >= attained).all()
        proven += int((bounds - attained <= CERTIFIED_GAP * family.largest_norm).sum())
        asked += len(bounds)
    assert proven > asked / 2  # a degenerate vertex proves nothing, and its ends are left to programs


def test_a_pin_at_a_maximum_needs_hardly_any_program() -> None:
    data = simulate(120, 2, 3, 4, random_state=3, flips=0.05)
    explorer = RelevanceClassifier(random_state=0).fit(data.X, data.y).explore()
    solver, largest = history_of(explorer).solver, 0
    for feature in explorer.feature_names:
        explorer.unpin()
        pinned = solver.family_under(explorer.pin(feature, "max").pins)
        largest = max([largest, *(branch.solved for branch in pinned.branches)])
        for branch in pinned.branches:
            assert (branch.ranges.extremes.gaps <= CERTIFIED_GAP * solver.family.largest_norm).all()
            assert (branch.family.violations(branch.ranges.extremes.models_of(slice(None))) <= 1e-9).all()
    assert largest <= 2

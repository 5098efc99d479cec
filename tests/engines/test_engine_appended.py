"""A probe column appended alone gets the range it has in the family that owns it."""

from __future__ import annotations

import numpy as np
import pytest

from problems import family_around, opened, two_classes
from relspan.engines import open_engine
from relspan.errors import ParameterError
from relspan.family import unit_directions


@pytest.mark.parametrize("flips", [0.0, 0.15])
@pytest.mark.parametrize("kind", ["explained", "combined"])
@pytest.mark.slow
def test_appended_columns_equal_the_family_with_that_column(engine: str, kind: str, flips: float) -> None:
    X, y = two_classes(40, 4, seed=0, flips=flips)
    members, baseline = family_around(X, y, kind=kind, delta_loss=0.02)
    rng = np.random.default_rng(0)
    columns = np.column_stack([y * rng.permutation(X[:, j % 4]) for j in range(6)])
    found = opened(engine, members).appended(columns)
    assert len(found) == 12
    for probe in range(6):
        owner = members.with_columns(columns[:, probe : probe + 1])
        alone = open_engine("reference", owner).maxima(unit_directions([4], owner))
        ours = found.values[2 * probe : 2 * probe + 2]
        np.testing.assert_allclose(ours, alone.values, atol=1e-6 * baseline.norm)
        models = found.models[2 * probe : 2 * probe + 2]
        assert owner.violations(models).max() <= 1e-12  # rounding depends on how many models are checked at once
        np.testing.assert_allclose(models[:, 4] * [1, -1], ours, atol=1e-12)
    assert found.gaps.max() <= 1e-6 * baseline.norm


def test_a_copy_appended_can_take_over(engine: str) -> None:
    X, y = two_classes(40, 4, seed=1)
    members, _ = family_around(X, y)
    original = opened(engine, members).maxima(unit_directions([0], members)).values
    copy = opened(engine, members).appended(members.rows.features[:, :1]).values
    assert copy[0] >= original[0] - 1e-6


def test_an_unknown_engine_is_named() -> None:
    X, y = two_classes(20, 2, seed=2)
    with pytest.raises(ParameterError, match=r"no engine 'simplex'.*exact"):
        open_engine("simplex", family_around(X, y)[0])

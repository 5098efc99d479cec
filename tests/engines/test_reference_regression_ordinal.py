"""The intervals of the FRI paper's own package for regression and ordered classes, at its C, epsilon and slacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import KFold

from problems import MAKERS, opened
from relspan.analysis.baseline import fit_baseline
from relspan.analysis.intervals import ranges_of
from relspan.family import unit_directions
from relspan.family.budgets import family_of
from relspan.losses import EpsilonInsensitive, OrdinalHinge

FOLDER = Path(__file__).parents[1] / "data" / "fri"


@pytest.mark.slow
@pytest.mark.parametrize("engine", sorted(MAKERS))
@pytest.mark.parametrize("task", ["regression", "ordinal"])
def test_intervals_are_those_of_the_reference_package(engine: str, task: str) -> None:
    answer = np.load(FOLDER / f"{task}_noise0.1.npz")
    X, y = answer["X"], answer["y"].astype(float)
    loss = EpsilonInsensitive(float(answer["epsilon"])) if task == "regression" else OrdinalHinge(int(y.max()) + 1)
    baseline = fit_baseline(loss, X, y, None, float(answer["C"]), KFold(3))
    assert baseline.norm == pytest.approx(float(answer["w_l1"]), rel=1e-6)
    assert baseline.loss == pytest.approx(float(answer["loss"]), rel=1e-6)
    family = family_of(
        loss.rows(X, y),
        baseline,
        float(answer["w_l1_slack"]),
        float(answer["loss_slack"]),
        "relative",
        loss.constraints(X, y),
    )

    # the slow engine is asked about some features only
    asked = range(X.shape[1]) if engine != "reference" else [0, 4, 5, 12, 29]
    ranges = ranges_of(opened(engine, family).maxima(unit_directions(asked, family)))

    np.testing.assert_allclose(ranges.relevances, answer["bounds_raw"][list(asked)], rtol=0, atol=1e-6 * baseline.norm)
    assert ranges.extremes.violations.max() <= 1e-9
    assert ranges.gaps.max() <= 1e-6 * baseline.norm

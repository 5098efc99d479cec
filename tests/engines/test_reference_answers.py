"""The intervals of the FRI paper's own package, at its C and slacks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.preprocessing import StandardScaler

from problems import all_ranges, family_around

FOLDER = Path(__file__).parents[1] / "data" / "fri"
ANSWERS = ["Sim1_default", "Sim1_C1_slack0.1", "Sim2_C1_slack0.1", "breast_cancer", "breast_cancer_C0.1_slack0.1"]


def table(name: str) -> tuple[np.ndarray, np.ndarray]:
    if name.startswith("Sim"):
        stored = np.load(FOLDER / f"{name[:4]}_table.npz")
        X, y = stored["X"], stored["y"]
    else:
        X, y = load_breast_cancer(return_X_y=True)
        X = StandardScaler().fit_transform(X)
        # the package codes the target as it comes; here the second class is +1
    return X, np.where(y > 0, 1.0, -1.0)


@pytest.mark.slow
@pytest.mark.parametrize("name", ANSWERS)
def test_intervals_are_those_of_the_reference_package(engine: str, name: str) -> None:
    answer = np.load(FOLDER / f"{name}.npz")
    X, y = table(name)
    family, baseline = family_around(
        X, y, float(answer["C"]), float(answer["w_l1_slack"]), float(answer["loss_slack"]), "relative"
    )
    assert baseline.norm == pytest.approx(float(answer["w_l1"]), rel=1e-6)
    assert baseline.loss == pytest.approx(float(answer["loss"]), rel=1e-6)

    ranges = all_ranges(engine, family)

    np.testing.assert_allclose(ranges.relevances / baseline.norm, answer["interval"], rtol=0, atol=1e-6)
    assert ranges.extremes.violations.max() == 0
    assert ranges.gaps.max() <= 1e-6 * baseline.norm

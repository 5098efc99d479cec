"""The threshold: a prediction interval for one more probe."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import integrate, stats

from relspan.analysis.probes import threshold
from relspan.analysis.settings import FEWEST_PROBES
from relspan.errors import ParameterError, SolverError


def t_quantile(level: float, degrees: int) -> float:
    """Student's t by its density alone: the x below which `level` of the mass lies."""
    density = stats.t(degrees).pdf
    low, high = 0.0, 20.0
    for _ in range(40):
        middle = (low + high) / 2
        mass = 0.5 + integrate.quad(density, 0, middle)[0]
        low, high = (middle, high) if mass < level else (low, middle)
    return low


@pytest.mark.parametrize(("control", "share"), [("familywise", 0.01 / (2 * 30)), ("per_feature", 0.01)])
@pytest.mark.slow
def test_threshold_by_hand(control: str, share: float) -> None:
    E = np.random.default_rng(0).gamma(2.0, size=100)
    mean = sum(E) / 100
    deviation = (sum((e - mean) ** 2 for e in E) / 99) ** 0.5
    by_hand = mean + t_quantile(1 - share, 49) * deviation * (1 + 1 / 50) ** 0.5
    assert threshold(E, 50, 0.01, control, 60) == pytest.approx(by_hand, rel=1e-6)


def test_the_papers_own_threshold() -> None:
    """FRI: p = .999 for each feature, on the larger ends of the probes that are left."""
    E = np.random.default_rng(1).random(20)
    low, high = stats.t.interval(0.998, 19, loc=E.mean(), scale=E.std(ddof=1) * np.sqrt(1 + 1 / 20))
    assert threshold(E, 20, 0.001, "per_feature", 60) == pytest.approx(high)
    assert low < high


def test_more_features_and_less_risk_raise_it() -> None:
    E = np.random.default_rng(2).random(50)
    assert threshold(E, 50, 0.01, "familywise", 200) > threshold(E, 50, 0.01, "familywise", 20)
    assert threshold(E, 50, 0.001, "familywise", 20) > threshold(E, 50, 0.01, "familywise", 20)


def test_equal_probes_are_their_own_threshold() -> None:
    assert threshold(np.full(50, 0.3), 50, 0.01, "familywise", 20) == pytest.approx(0.3)


@pytest.mark.parametrize("wrong", [np.nan, np.inf, -np.inf])
def test_no_threshold_from_a_probe_that_is_not_finite(wrong: float) -> None:
    E = np.ones(50)
    E[7] = wrong
    with pytest.raises(SolverError, match="not finite"):
        threshold(E, 50, 0.01, "familywise", 20)


def test_too_few_probes_are_explained() -> None:
    with pytest.raises(ParameterError, match=r"only 4 probes.*raise n_probes.*append"):
        threshold(np.ones(4), FEWEST_PROBES - 1, 0.01, "familywise", 20)

"""Plots of a metric: the numbers behind the picture are the result's, and nothing needs a screen."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")

from relspan.errors import ParameterError, RelspanWarning  # noqa: E402
from relspan.metric import GMLVQ, MetricRelevance  # noqa: E402
from relspan.plots import EffectiveDimensionDisplay, MetricProfileDisplay  # noqa: E402
from relspan.simulate import make_xor  # noqa: E402


@pytest.fixture(autouse=True)
def no_screen():
    matplotlib.use("Agg")
    yield
    matplotlib.pyplot.close("all")


@pytest.fixture(scope="module")
def model():
    learner = GMLVQ(n_prototypes=2, rank=2, n_starts=1)
    return MetricRelevance(learner, delta_norm=0.03, n_probes=5, probes="fixed", cv=2, random_state=0).fit(
        *make_xor(100, random_state=2)
    )


@pytest.mark.slow
def test_profile_of_the_whole_map(model, tmp_path) -> None:
    display = MetricProfileDisplay.from_estimator(model)
    np.testing.assert_array_equal(np.column_stack([display.lower, display.upper]), model.intervals_)
    assert (display.raw >= 0).all()
    upper, lower = (container.patches for container in display.ax_.containers[:2])
    np.testing.assert_allclose([bar.get_height() for bar in upper], display.upper)
    np.testing.assert_allclose([bar.get_height() for bar in lower], display.lower)
    display.figure_.savefig(tmp_path / "profile.png")
    assert (tmp_path / "profile.png").stat().st_size > 1000


def test_profile_and_curve_of_the_papers_choices() -> None:
    learner = GMLVQ(n_prototypes=2, rank=2, n_starts=1)
    options = {"n_probes": 5, "probes": "fixed", "cv": 2, "random_state": 0}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", RelspanWarning)
        model = MetricRelevance(learner, combine="sum", dimension_by="extremal", **options)
        model.fit(*make_xor(60, random_state=2))
    display = MetricProfileDisplay.from_estimator(model)
    weights = np.array([row.row for row in model.rows_])
    np.testing.assert_allclose(display.raw, np.abs(weights).sum(axis=0) / sum(row.mu for row in model.rows_))
    curve = EffectiveDimensionDisplay.from_estimator(model)
    assert "extremal maps, mean" in [text.get_text() for text in curve.ax_.get_legend().get_texts()]


def test_profile_of_a_row(model) -> None:
    display = MetricProfileDisplay.from_estimator(model, row=0)
    np.testing.assert_allclose(np.column_stack([display.lower, display.upper]), model.rows_[0].intervals)
    np.testing.assert_allclose(display.raw, np.abs(model.rows_[0].row))
    with pytest.raises(ParameterError, match="row must be a whole number"):
        MetricProfileDisplay.from_estimator(model, row=7)


def test_many_features_become_curves() -> None:
    rng = np.random.default_rng(0)
    upper = rng.uniform(0.5, 1, 100)
    display = MetricProfileDisplay(upper / 2, upper / 4, upper, [f"nm {i}" for i in range(100)]).plot()
    assert len(display.ax_.lines) == 1
    assert not display.ax_.containers


def test_dimension_curve(model) -> None:
    figure, ax = matplotlib.pyplot.subplots()
    display = EffectiveDimensionDisplay.from_estimator(model, ax=ax)
    assert display.figure_ is figure
    np.testing.assert_allclose(ax.lines[0].get_ydata(), model.dimension_curve_.mean)
    assert display.chosen == model.effective_dimension_
    given = MetricRelevance(
        model.learner, effective_dimension=3, delta_norm=0.03, n_probes=5, probes="fixed", random_state=0
    )
    with pytest.raises(ParameterError, match="there is no curve"):
        EffectiveDimensionDisplay.from_estimator(given.fit(*make_xor(100, random_state=2)))

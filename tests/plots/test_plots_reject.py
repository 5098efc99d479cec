"""Pictures of the reject option keep their numbers and draw what they say."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

mpl.use("Agg")
from relspan import RejectRelevanceClassifier
from relspan.errors import DataError, ParameterError
from relspan.plots import AccuracyRejectDisplay, ExtremalModelsDisplay
from relspan.simulate import simulate_rejectable

pytestmark = pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")


@pytest.fixture(scope="module")
def fitted():
    X, y = simulate_rejectable(1, 0)
    X, y = X[:400], y[:400]
    return RejectRelevanceClassifier(reject_cost=0.3, C=0.05, n_probes=5, random_state=0).fit(X, y), X, y


@pytest.fixture(autouse=True)
def close_figures():
    yield
    import matplotlib.pyplot as plt

    plt.close("all")


def test_three_models_with_their_rejected_samples_in_grey(fitted) -> None:
    found, X, y = fitted
    display = ExtremalModelsDisplay.from_estimator(found, X, y, "x0")
    assert list(display.models) == ["best", "minimal x0", "maximal x0"]
    for axes, (weights, offset) in zip(display.ax_, display.models.values(), strict=True):
        grey = len(axes.collections[0].get_offsets())
        assert grey == int((np.abs(X @ weights + offset) <= 0.3).sum())
    assert f"{found.reject(X).mean():.1%} rejected" in display.ax_[0].get_title()


def test_the_curve_starts_at_the_plain_accuracy(fitted) -> None:
    found, X, y = fitted
    display = AccuracyRejectDisplay.from_estimator(found, X, y, name="reject")
    (line,) = display.ax_.lines
    assert line.get_ydata()[0] == pytest.approx((found.predict(X) == y).mean())
    assert "area" in display.ax_.get_legend().get_texts()[0].get_text()


def test_a_picture_that_cannot_be_drawn_is_refused(fitted) -> None:
    found, X, y = fitted
    with pytest.raises(ParameterError, match="feature must be one of x0, x1"):
        ExtremalModelsDisplay.from_estimator(found, X, y, "age")
    wide = RejectRelevanceClassifier(C=0.05, n_probes=5).fit(np.column_stack([X, X[:, :1] ** 2]), y)
    with pytest.raises(DataError, match="two features"):
        ExtremalModelsDisplay.from_estimator(wide, X, y)

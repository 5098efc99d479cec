"""No screen, and no figure left open."""

from __future__ import annotations

import pytest

from made_up_results import feature, made_up
from relspan.result import RelevanceResult

matplotlib = pytest.importorskip("matplotlib")


@pytest.fixture(autouse=True)
def no_screen(monkeypatch):
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    monkeypatch.setattr(plt, "show", lambda *a, **k: pytest.fail("show() was called"))
    yield
    plt.close("all")


@pytest.fixture
def small() -> RelevanceResult:
    """Five features, in no order: two strong, two weak, one irrelevant."""
    return made_up(
        feature("hum", 0.0, 0.1, "irrelevant", lo=-0.1, hi=0.05),
        feature("b", 0.0, 0.6, "weak", lo=-0.6, hi=0.3),
        feature("needed", 0.2, 0.5, "strong", lo=-0.5, hi=-0.2),
        feature("a", 0.0, 0.7, "weak", lo=0.0, hi=0.7),
        feature("most needed", 0.4, 0.9, "strong"),
    )

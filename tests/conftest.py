"""What all tests share: every engine under one fixture, random examples that are the same on every machine, markers."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

# workers of pytest and of relspan share the cores; threads of linear algebra would only stand in their way
for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(_name, "1")

from problems import MAKERS  # noqa: E402

settings.register_profile(
    "relspan", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("relspan")

# in the background of a shell Ctrl-C is ignored, and children would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """scikit-learn's checks are slow, but for the estimators that a test file names in CHECKED_QUICKLY."""
    for item in items:
        parameters = item.callspec.params if hasattr(item, "callspec") else {}
        if {"estimator", "check"} <= set(parameters):
            quickly = getattr(item.module, "CHECKED_QUICKLY", ())
            if repr(parameters["estimator"]) not in [repr(estimator) for estimator in quickly]:
                item.add_marker(pytest.mark.slow)


@pytest.fixture(autouse=True)
def _no_figure_left_open() -> Iterator[None]:
    """Figures stay in memory until they are closed, and matplotlib warns of many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(params=sorted(MAKERS))
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine; open it with `problems.opened(engine, family)`."""
    name: str = request.param
    return name

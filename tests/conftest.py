"""What all tests share: every engine under one fixture, and random examples that are the same on every machine."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, settings

from problems import ENGINES_HERE

settings.register_profile(
    "relspan", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("relspan")

# in the background of a shell Ctrl-C is ignored, and children would inherit that
signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def _no_figure_left_open() -> Iterator[None]:
    """Figures stay in memory until they are closed, and matplotlib warns of many."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(params=ENGINES_HERE)
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine; open it with `open_engine(engine, family)`."""
    name: str = request.param
    return name

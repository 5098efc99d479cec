"""What all tests share: every engine under one fixture, and random examples that are the same on every machine."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, settings

from problems import ENGINES_HERE

settings.register_profile(
    "relspan", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("relspan")


@pytest.fixture(params=ENGINES_HERE)
def engine(request: pytest.FixtureRequest) -> str:
    """The name of an engine; open it with `open_engine(engine, family)`."""
    name: str = request.param
    return name

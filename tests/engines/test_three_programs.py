"""Göpfert et al. 2017, Theorems 1 and 2: three programs of |w_j| say what two of w_j say."""

from __future__ import annotations

import numpy as np
import pytest

from problems import all_ranges, family_around, two_classes
from relspan.engines import ReferenceEngine


@pytest.mark.parametrize("kind", ["relative", "explained", "combined"])
@pytest.mark.parametrize("flips", [0.0, 0.15])
@pytest.mark.slow
def test_the_signed_interval_gives_the_papers_relevances(engine: str, kind: str, flips: float) -> None:
    X, y = two_classes(40, 5, seed=3, flips=flips, copies=1)
    family, baseline = family_around(X, y, C=1.0, kind=kind)
    three_programs = [ReferenceEngine(family).relevance(j) for j in range(5)]
    np.testing.assert_allclose(all_ranges(engine, family).relevances, three_programs, rtol=0, atol=1e-6 * baseline.norm)

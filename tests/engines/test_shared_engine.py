"""An engine that keeps nothing from earlier questions serves the next one that asks for the same family."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from problems import family_around, two_classes
from relspan.engines import SharedEngine
from relspan.family import Family


@pytest.fixture
def family() -> Family:
    return family_around(*two_classes(40, 4, seed=0))[0]


def copied(family: Family) -> Family:
    """The same family in other memory."""
    return replace(family, rows=replace(family.rows, features=np.array(family.rows.features)))


def test_equal_families_share_an_engine_until_it_is_forgotten(family: Family) -> None:
    SharedEngine.forget()
    first = SharedEngine("batched", family).open()
    assert SharedEngine("batched", copied(family)).open() is first
    SharedEngine.forget()
    assert SharedEngine("batched", family).open() is not first


def test_other_families_and_warm_engines_are_opened_anew(family: Family) -> None:
    first = SharedEngine("batched", family).open()
    features = np.array(family.rows.features)
    features[0, 0] += 1e-12
    for other in (
        replace(family, rows=replace(family.rows, features=features)),
        replace(family, budgets=tuple(replace(b, limit=1.01 * b.limit) for b in family.budgets)),
        replace(family, anchors=family.anchors[:0]),
    ):
        assert other.fingerprint != family.fingerprint
    assert SharedEngine("reference", family).open() is not first
    warm = SharedEngine("exact", family)
    assert warm.open() is not warm.open()
    SharedEngine.forget()

"""Impostor pairs: the blockwise search against the obvious double loop, and the bound on what is kept."""

from __future__ import annotations

import numpy as np
import pytest

from relspan.metric import impostors
from relspan.metric.impostors import distance_blocks, find_impostors, impostor_blocks


@pytest.fixture
def images():
    rng = np.random.default_rng(0)
    return rng.standard_normal((60, 3)), rng.integers(0, 3, 60), rng.uniform(0.5, 4, 60)


def obvious(Z, label, reach) -> list[tuple[int, int]]:
    n = len(Z)
    return [
        (i, l) for i in range(n) for l in range(n) if label[i] != label[l] and np.sum((Z[i] - Z[l]) ** 2) < reach[i]
    ]


@pytest.mark.parametrize("block", [1, 100, 1 << 19])
def test_equals_the_double_loop_at_any_block_size(images, monkeypatch, block: int) -> None:
    monkeypatch.setattr(impostors, "DISTANCES_AT_ONCE", block)
    pairs = find_impostors(*images, limit=60)
    assert list(zip(pairs.rows, pairs.columns, strict=True)) == obvious(*images)
    blocks = [pair for some in impostor_blocks(*images) for pair in zip(some.rows, some.columns, strict=True)]
    assert sorted(blocks) == obvious(*images)


def test_over_the_limit_each_sample_keeps_its_nearest(images) -> None:
    Z = images[0]
    every = obvious(*images)
    limit = 4
    assert len(every) > 60 * limit
    pairs = find_impostors(*images, limit=limit)
    for i in range(60):
        ranked = sorted((np.sum((Z[i] - Z[l]) ** 2), l) for k, l in every if k == i)
        assert set(pairs.columns[pairs.rows == i]) == {l for _, l in ranked[:limit]}


def test_no_block_holds_more_than_its_share(monkeypatch) -> None:
    monkeypatch.setattr(impostors, "DISTANCES_AT_ONCE", 500)
    rng = np.random.default_rng(0)
    Z, label = rng.standard_normal((200, 2)), np.arange(200) % 2
    blocks = [distance.size for _, _, distance in distance_blocks(Z, label)]
    assert max(blocks) <= 500
    assert sum(blocks) == 2 * 100 * 100


def test_row_pointers(images) -> None:
    pairs = find_impostors(*images, limit=60)
    starts = pairs.starts(60)
    assert starts[0] == 0
    assert starts[-1] == pairs.size
    for i in range(60):
        assert (pairs.rows[starts[i] : starts[i + 1]] == i).all()

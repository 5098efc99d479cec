"""A cluster of two processes, through joblib's own Dask backend."""

from __future__ import annotations

import os
import time

import joblib
import numpy as np
import pytest

from relspan import RelevanceClassifier
from relspan.analysis.intervals import FEATURES_PER_BLOCK
from relspan.analysis.parallel import blocks_of, run_blocks
from relspan.simulate import simulate

distributed = pytest.importorskip("distributed")
pytestmark = pytest.mark.cluster


@pytest.fixture(scope="module")
def cluster():
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=":0") as made,
        distributed.Client(made) as client,
    ):
        client.wait_for_workers(2)
        yield client


@pytest.mark.filterwarnings("ignore::relspan.errors.RelspanWarning")  # of a close call, and not what is tested
def test_a_cluster_gives_the_same_result_to_the_last_bit(cluster):
    data = simulate(60, 2, 2, 2 * FEATURES_PER_BLOCK, random_state=0)
    settings = {"C": 0.3, "n_probes": 30, "random_state": 0}
    alone = RelevanceClassifier(**settings).fit(data.X, data.y)
    with joblib.parallel_config(backend="dask"):
        shared = RelevanceClassifier(**settings).fit(data.X, data.y)
    np.testing.assert_array_equal(shared.signed_intervals_, alone.signed_intervals_)
    np.testing.assert_array_equal(shared.relevance_, alone.relevance_)
    assert shared.result_.probes == alone.result_.probes
    assert shared.result_.features == alone.result_.features
    assert shared.result_.certificates.verify() < 1e-6


def where(block):
    """The process that solves a block; each takes long enough to need both workers."""
    time.sleep(0.1)
    return os.getpid()


def test_both_processes_work(cluster):
    with joblib.parallel_config(backend="dask"):
        processes = run_blocks("where", where, blocks_of(12, 1), int)
    assert set(processes) == set(cluster.run(os.getpid).values())

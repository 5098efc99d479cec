"""Blocks of programs and whoever solves them: the answer is the same, to the last bit."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from dataclasses import dataclass, fields

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from relspan.analysis.baseline import best_models
from relspan.analysis.intervals import FEATURES_PER_BLOCK, feature_ranges
from relspan.analysis.parallel import SHARED_FROM, blocks_of, even_blocks_of, run_blocks
from relspan.engines import CertifiedMaxima
from relspan.errors import SolverError
from relspan.family import build_family, norm_and_loss
from relspan.losses import Hinge
from relspan.progress import Interrupted
from relspan.simulate import simulate


@pytest.fixture(scope="module")
def some_family():
    """More than two blocks of features, the last one short."""
    data = simulate(60, 2, 2, 2 * FEATURES_PER_BLOCK, random_state=0)
    rows = Hinge().rows(data.X, np.where(data.y == 1, 1.0, -1.0))
    ((model, _),) = best_models(rows, np.array([0.3]))
    d = rows.n_features
    mu, rho = np.abs(model[:d]).sum(), rows.loss(model[:d], model[d:])
    return build_family(rows, norm_and_loss(1.1 * mu, rho + 2.0), anchors=model)


@pytest.mark.parametrize(("count", "size"), [(0, 3), (1, 3), (3, 3), (10, 3)])
def test_blocks_hold_every_number_once_and_in_order(count, size):
    blocks = blocks_of(count, size)
    assert [i for block in blocks for i in block] == list(range(count))
    assert all(len(block) == size for block in blocks[:-1])


@pytest.mark.parametrize(("count", "most", "sizes"), [(0, 3, []), (1, 3, [1]), (10, 4, [4, 4, 2]), (9, 4, [3, 3, 3])])
def test_even_blocks_are_as_few_as_possible_and_nearly_of_one_size(count, most, sizes):
    blocks = even_blocks_of(count, most)
    assert [len(block) for block in blocks] == sizes
    assert [i for block in blocks for i in block] == list(range(count))


@pytest.mark.slow
@pytest.mark.parametrize("engine", ["exact", "batched"])
def test_the_answer_does_not_depend_on_the_number_of_workers(some_family, engine):
    alone, two = (feature_ranges(some_family, engine, n_jobs).extremes for n_jobs in (None, 2))
    for f in fields(CertifiedMaxima):
        np.testing.assert_array_equal(getattr(two, f.name), getattr(alone, f.name))


@dataclass
class Found:
    """What a block's solver saw."""

    number: np.ndarray
    process: int
    unpacked: int
    threads: int


unpacked_here = 0


class Look:
    """Looks around where it is called."""

    def __init__(self, large):
        self.large = large

    def __setstate__(self, state):
        global unpacked_here
        unpacked_here += 1
        self.__dict__ = state

    def __call__(self, block):
        largest = float(np.square(self.large).sum())
        threads = max(pool["num_threads"] for pool in threadpool_info())
        return Found(np.array([block.start + largest]), os.getpid(), unpacked_here, threads)


@pytest.mark.slow
def test_what_blocks_share_reaches_a_worker_once_and_one_thread_solves_a_block():
    large = np.ones(SHARED_FROM // 8 + 1)
    before = [pool["num_threads"] for pool in threadpool_info()]
    found = run_blocks("look", Look(large), blocks_of(12, 1), Found, n_jobs=2)
    assert [f.number[0] - len(large) for f in found] == list(range(12))
    assert os.getpid() not in {f.process for f in found}
    assert {f.unpacked for f in found} == {1}
    assert {f.threads for f in found} == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before


def test_alone_one_thread_solves_a_block_too():
    before = [pool["num_threads"] for pool in threadpool_info()]
    found = run_blocks("look", Look(np.ones(3)), blocks_of(4, 2), Found)
    assert {(f.process, f.threads) for f in found} == {(os.getpid(), 1)}
    assert [pool["num_threads"] for pool in threadpool_info()] == before


class Fail:
    """Solves no third block."""

    def __init__(self, error):
        self.error = error

    def __call__(self, block):
        if block.start == 2:
            raise self.error
        return np.array([block.start])


FIRST_WORKERS = """
import signal
import numpy as np
from relspan.analysis.parallel import blocks_of, run_blocks

def blocked(block):
    return np.array([signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, [])])

if __name__ == "__main__":
    print(all(found.all() for found in run_blocks("look", blocked, blocks_of(4, 1), np.ndarray, n_jobs=2)))
    print(signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, []))
"""


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="signals that wait")
def test_ctrl_c_never_reaches_the_first_workers_of_a_process(tmp_path):
    """What starts beside them, a process that removes shared memory, had let Ctrl-C through again."""
    script = tmp_path / "first_workers.py"
    script.write_text(FIRST_WORKERS)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True", "False"]


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [None, 2])
def test_an_error_of_a_block_comes_through_as_it_is(n_jobs):
    with pytest.raises(SolverError, match="no way"):
        run_blocks("fail", Fail(SolverError("no way")), blocks_of(4, 1), np.ndarray, n_jobs)


def test_an_interruption_hands_over_what_is_done():
    reported = []
    with pytest.raises(Interrupted) as stop:
        run_blocks(
            "s",
            Fail(KeyboardInterrupt()),
            blocks_of(4, 1),
            np.ndarray,
            progress=lambda stage, share, note: reported.append((stage, share)),
        )
    assert list(stop.value.partial) == [range(0, 1), range(1, 2)]
    assert reported == [("s", 0.25), ("s", 0.5)]
    assert isinstance(stop.value, KeyboardInterrupt)


def test_the_solver_of_a_block_is_small_beside_its_arrays(some_family):
    """Arrays travel out of band; what is left of the pickle is some hundred bytes of names."""
    buffers = []
    assert len(pickle.dumps(some_family, protocol=5, buffer_callback=buffers.append)) < 2000
    assert sum(buffer.raw().nbytes for buffer in buffers) >= some_family.rows.features.nbytes

"""Run blocks of programs in this process, in worker processes, or on a Dask cluster.

Programs are cut into blocks of a fixed size. A block is solved by an engine that remembers nothing of other blocks,
with NumPy's thread pools limited to one thread. So the answer is the same to the last bit, however many workers share
the blocks and in whichever order they finish. Workers are those of joblib: `n_jobs` processes of this machine, or
whatever ``joblib.parallel_config`` names, such as a Dask cluster. What all blocks need (the family, which is large)
travels as plain arrays beside the block's numbers, where joblib can see them: it maps them into the memory of all
processes, or sends them to a cluster, once. (A little is sent with every block.) A worker unpacks them once and keeps
them until other work comes. Work that cannot travel goes on in threads (`threads`).
"""

from __future__ import annotations

import os
import pickle
import signal
import sys
import threading
import warnings
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor
from contextlib import closing, contextmanager
from functools import lru_cache
from multiprocessing import resource_tracker
from typing import Any, TypeVar
from uuid import uuid4

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs, wrap_non_picklable_objects
from threadpoolctl import ThreadpoolController

from relspan.analysis.checkpoint import Checkpoint, Meaning, by_number
from relspan.arrays import even_size
from relspan.errors import SolverError
from relspan.progress import Interrupted, Progress, listening, silent

SHARED_FROM = 2**16  # bytes from which an array is shared with other processes of the machine instead of sent
SENT_WITH_ALL = 2**25  # bytes up to which all blocks send it all the same: joblib takes .1 s to end what was shared

Answer = TypeVar("Answer")


def blocks_of(count: int, size: int) -> list[range]:
    """0, ..., count - 1 in runs of `size`."""
    return [range(i, min(i + size, count)) for i in range(0, count, size)]


def even_blocks_of(count: int, most: int) -> list[range]:
    """0, ..., count - 1 in as few runs of at most `most` as possible, of nearly the same size."""
    return blocks_of(count, even_size(count, most))


def run_blocks(
    stage: str,
    solve: Callable[[range], Answer],
    blocks: Sequence[range],
    answer: type[Answer],
    n_jobs: int | None = None,
    progress: Progress = silent,
    checkpoint: Checkpoint | None = None,
    meaning: Meaning = by_number,
) -> list[Answer]:
    """The blocks' answers, in order; those in the checkpoint are not solved again.

    `solve` must be picklable, and `answer`, the type of what it returns, a dataclass of arrays. `meaning` identifies a
    block where its numbers do not: an answer of a checkpoint counts only for a block of the same meaning.
    An interruption is raised as `Interrupted` with the answers of the blocks that were finished, by block.
    """

    shown = 0.0

    def report(within: float = 0.0) -> None:
        nonlocal shown
        if within >= 1.0:
            return  # a block is done once it is certified and recorded
        shown = max(shown, (len(done) + within) / len(blocks))  # a block may go over its programs several times
        progress(stage, shown, f"{len(done)} of {len(blocks)} blocks")

    done = {} if checkpoint is None else checkpoint.finished(stage, blocks, answer, meaning)
    try:
        if done:
            report()
        left = [block for block in blocks if block not in done]
        with listening(report), closing(_dispatch(solve, left, n_jobs)) as finished:
            for block, found in finished:
                with _sigint_blocked():  # a block is both counted and recorded, or neither
                    done[block] = found
                    if checkpoint is not None:
                        checkpoint.record(stage, block, found, meaning)
                report()
    except KeyboardInterrupt as stop:
        raise Interrupted(done) from stop
    return [done[block] for block in blocks]


def _dispatch(
    solve: Callable[[range], Answer], blocks: Sequence[range], n_jobs: int | None
) -> Generator[tuple[range, Answer], None, None]:
    """Blocks with their answers, as they are finished."""
    if not blocks:
        return
    buffers: list[pickle.PickleBuffer] = []
    head = pickle.dumps(solve, protocol=5, buffer_callback=buffers.append)
    if b"__main__" in head:  # a loss that a script or a notebook defines: other processes know it only by its code
        head, buffers = pickle.dumps(wrap_non_picklable_objects(solve, keep_wrapper=False)), []
    parts: list[bytes | memoryview] = [head, *(buffer.raw() for buffer in buffers)]
    parcel: list[Any] = [np.frombuffer(part, dtype=np.uint8) for part in parts]
    if len(blocks) * sum(part.nbytes for part in parcel) <= SENT_WITH_ALL:
        parcel = [part.tobytes() for part in parcel]  # bytes are sent, whatever their size
    label = uuid4().hex
    pool = Parallel(
        n_jobs=n_jobs,
        batch_size=1,  # a block is a batch already
        pre_dispatch="all",  # all blocks wait for workers, of which a growing cluster may bring more
        max_nbytes=SHARED_FROM,
        return_as="generator_unordered",
    )
    if effective_n_jobs(n_jobs) > 1 and os.name == "posix":
        resource_tracker.ensure_running()  # its start lets Ctrl-C through again, so it comes first
    with _sigint_blocked():  # processes that start now ignore Ctrl-C, even before they can work
        answers = pool(delayed(_solve)(block, label, os.getpid(), *parcel) for block in blocks)
    try:
        with workers_alive(", or a checkpoint, which keeps what is finished"):
            # "yield from" would close joblib's generator together with this one, and joblib would warn
            for pair in answers:  # noqa: UP028
                yield pair
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # joblib's, about results that are no longer wanted
            answers.close()
        _unpacked.pop(label, None)


@contextmanager
def workers_alive(advice: str = "") -> Iterator[None]:
    """SolverError where a worker process is killed, with what helps besides fewer processes."""
    try:
        yield
    except BrokenExecutor as error:
        raise SolverError(
            f"a worker process was killed, perhaps because memory ran out: use fewer processes (n_jobs){advice}"
        ) from error


@lru_cache(maxsize=1)
def _thread_pools(_modules: int) -> ThreadpoolController:
    """The thread pools of this process: looked for again where modules, and perhaps libraries, have joined."""
    return ThreadpoolController()


_unpacked: dict[str, Callable[[range], Any]] = {}
_unpacking = threading.Lock()


def _solve(block: range, label: str, home: int, *parcel: np.ndarray | bytes) -> tuple[range, Any]:
    """One block, in whichever process."""
    with _unpacking:  # a cluster's worker may have several threads
        if label not in _unpacked:
            head, *buffers = parcel
            _unpacked.clear()
            # Copied, because unaligned memory changes the order of sums, and because joblib waits for a second at the
            # end for files that are still mapped.
            copies = [np.array(np.frombuffer(buffer, dtype=np.uint8)) for buffer in buffers]
            _unpacked[label] = pickle.loads(bytes(head), buffers=copies)
        solve = _unpacked[label]
    with _ignore_sigint(home), _thread_pools(len(sys.modules)).limit(limits=1):
        return block, solve(block)


@contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Ctrl-C waits until this is over; processes that start meanwhile never get it. (On Windows it does not wait.)"""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _ignore_sigint(home: int) -> Iterator[None]:
    """Ctrl-C reaches all processes of a terminal; a worker ignores it, because the main process stops the work."""
    if os.getpid() == home or threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)

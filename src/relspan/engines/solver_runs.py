"""Runs of compiled solvers, none of which may outlive the interpreter.

A thread that is inside HiGHS when Python ends cannot return: the interpreter ends the thread as soon as it asks for
Python again, and the C++ frames below it turn that into an abort of the whole process ("terminate called without an
active exception"). Daemon threads of a server, a notebook or a user's own program may be there at any time. So every
run is counted, and when Python ends, the runs are stopped through their callbacks, and waited for.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager

SECONDS_TO_END = 10.0  # that runs get to notice the end: HiGHS calls back after some pivots
_changed = threading.Condition()
_running = 0
_ending = False
_abandoned: set[int] = set()


def is_ending() -> bool:
    """Whether Python ends, and this thread with it, or nobody waits for this thread any more.

    The main thread may still solve, in exit handlers of others.
    """
    if threading.get_ident() in _abandoned:
        return True
    return _ending and threading.current_thread() is not threading.main_thread()


@contextmanager
def abandoned(threads: Iterable[threading.Thread]) -> Iterator[None]:
    """Stop the runs of these threads, whose answers are no longer wanted, while they are waited for."""
    known = {thread.ident for thread in threads if thread.ident is not None}
    _abandoned.update(known)
    try:
        yield
    finally:
        _abandoned.difference_update(known)


@contextmanager
def counted_run() -> Iterator[None]:
    """Count a run. Once Python ends no further one begins, and SystemExit ends the thread without a word."""
    global _running
    with _changed:
        if is_ending():
            raise SystemExit
        _running += 1
    try:
        yield
    finally:
        with _changed:
            _running -= 1
            _changed.notify_all()
    if is_ending():
        raise SystemExit


def _stop_all() -> None:
    """Stop all runs, and wait for them."""
    global _ending
    with _changed:
        _ending = True
        _changed.wait_for(lambda: not _running, SECONDS_TO_END)


def _forget() -> None:
    """In the child of a fork, which has none of the threads."""
    global _changed, _running, _ending
    _changed, _running, _ending = threading.Condition(), 0, False


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)

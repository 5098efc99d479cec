"""The revision of what a page shows: a number that grows with every change, and those who wait for the next one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Revision:
    """A number that grows, for several threads."""

    def __init__(self) -> None:
        self.number = 0
        self._grown = threading.Condition()
        self._listeners: list[Callable[[], None]] = []

    def grow(self) -> None:
        """Something has changed: wake all who wait."""
        with self._grown:
            self.number += 1
            self._grown.notify_all()
            listeners = list(self._listeners)
        for listener in listeners:
            listener()

    def wait(self, seen: int, seconds: float) -> None:
        """Wait until the number differs from the one seen, or the time is over."""
        with self._grown:
            self._grown.wait_for(lambda: self.number != seen, seconds)

    @contextmanager
    def listening(self, listener: Callable[[], None]) -> Iterator[None]:
        """Call the listener after every change, from the thread that made it."""
        with self._grown:
            self._listeners.append(listener)
        try:
            yield
        finally:
            with self._grown:
                self._listeners.remove(listener)
